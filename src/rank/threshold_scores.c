/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The eleven threshold-based rankers of Van Hulse, Khoshgoftaar, Napolitano and Wald (2012). With
 * TP, FP, FN, TN of a threshold and rule, P = TP + FN, N = FP + TN, TPR = TP/P, FPR = FP/N,
 * TNR = TN/N, PRE = TP/(TP+FP), NPV = TN/(TN+FN):
 *
 *     f    2 TP/(2 TP + FP + FN)            or   TP TN/(FP FN)       pow  (1-FPR)^5 - (1-TPR)^5
 *     pr   TPR/FPR                          gi   2 PRE (1-PRE) + 2 NPV (1-NPV), least
 *     mi   mutual information, in bits      ks   |TPR - FPR|         gm   sqrt(TPR TNR)
 *     dev  TP FP/(TP+FP) + FN TN/(FN+TN), least                      auc  area of (FPR, TPR)
 *     prc  area of (TPR, PRE): the sum of TPR's steps times PRE
 *
 * Each is the best over all thresholds and both rules; exchanging the rules exchanges TP with FN
 * and FP with TN, which leaves gi, mi, ks and dev as they are. Areas have their end points (none
 * positive, all positive). gi and dev are the lower the better and stored negated. The paper does
 * not say what a zero below a fraction means: see the option `zero`, whose default repeats its
 * figures best. Values are those of whole numbers in one fixed expression, the same for a feature
 * and its mirror image, so that ties are ties.
 */
#include <math.h>

#include "measure/measure.h"
#include "rank/threshold.h"

#define ROUNDING 1e-14 /* of sums of k ln k, in parts of the greatest */

/* What a threshold decides under rule 1. */
struct decision {
    double tp, fp, fn, tn;
};

static struct decision decision_at(const hs_sweep *s, uint32_t i)
{
    return (struct decision){s->tp[i], s->fp[i], s->positives - s->tp[i], s->negatives - s->fp[i]};
}

static double greater(double a, double b) { return a > b ? a : b; }
static double lesser(double a, double b) { return a < b ? a : b; }

/* All positive is a decision too, under rule 2 at the greatest value. */
static double best_f(const hs_sweep *s, const hs_threshold_options *o)
{
    double p = s->positives, best = 2 * p / (2 * p + s->negatives);
    (void)o;
    for (uint32_t i = 0; i < s->splits; i++) {
        struct decision d = decision_at(s, i);
        best = greater(best, 2 * d.tp / (p + d.tp + d.fp));
        best = greater(best, 2 * d.fn / (p + d.fn + d.tn));
    }
    return best;
}

/* The two rules give a fraction and its inverse. */
static double best_or(const hs_sweep *s, const hs_threshold_options *o)
{
    double best = 0;
    for (uint32_t i = 0; i < s->splits; i++) {
        struct decision d = decision_at(s, i);
        double right = d.tp * d.tn, wrong = d.fp * d.fn;
        if (o->zero == HS_ZERO_HALF) {
            right = (d.tp + 0.5) * (d.tn + 0.5);
            wrong = (d.fp + 0.5) * (d.fn + 0.5);
        }
        double most = greater(right, wrong), least = lesser(right, wrong);
        if (least > 0 || o->zero == HS_ZERO_INF)
            best = greater(best, most / least);
        else if (o->zero == HS_ZERO_ONE)
            best = greater(best, right > wrong ? right / (greater(d.fp, 1) * greater(d.fn, 1))
                                               : wrong / (greater(d.tp, 1) * greater(d.tn, 1)));
    }
    return best;
}

static double power5(double x) { return x * x * x * x * x; }

static double best_pow(const hs_sweep *s, const hs_threshold_options *o)
{
    double best = -1, p = 1 / s->positives, n = 1 / s->negatives;
    (void)o;
    for (uint32_t i = 0; i < s->splits; i++) {
        struct decision d = decision_at(s, i);
        best = greater(best, power5(d.tn * n) - power5(d.fn * p));
        best = greater(best, power5(d.fp * n) - power5(d.tp * p));
    }
    return best;
}

/* TPR/FPR of one rule. */
static double ratio(const hs_sweep *s, double tp, double fp, int zero)
{
    double p = s->positives, n = s->negatives;
    if (zero == HS_ZERO_HALF)
        return (tp + 0.5) * (n + 1) / ((fp + 0.5) * (p + 1));
    if (fp > 0 || tp == 0)
        return fp > 0 ? tp * n / (fp * p) : 0;
    return zero == HS_ZERO_PAPER ? tp / p / s->epsilon
           : zero == HS_ZERO_ONE ? tp * n / p
                                 : INFINITY;
}

static double best_pr(const hs_sweep *s, const hs_threshold_options *o)
{
    double best = 0;
    for (uint32_t i = 0; i < s->splits; i++) {
        struct decision d = decision_at(s, i);
        best = greater(best, ratio(s, d.tp, d.fp, o->zero));
        best = greater(best, ratio(s, d.fn, d.tn, o->zero));
    }
    return best;
}

static double best_gi(const hs_sweep *s, const hs_threshold_options *o)
{
    double least = 1;
    (void)o;
    for (uint32_t i = 0; i < s->splits; i++) {
        struct decision d = decision_at(s, i);
        double above = d.tp + d.fp, below = d.fn + d.tn;
        least =
            lesser(least, 2 * d.tp * d.fp / (above * above) + 2 * d.fn * d.tn / (below * below));
    }
    return -least;
}

/* All of N MI but what is the same at every threshold, to a few roundings. */
static double mi_at(const hs_sweep *s, uint32_t i)
{
    const double *k = s->klogk;
    uint32_t tp = (uint32_t)s->tp[i], fp = (uint32_t)s->fp[i];
    uint32_t fn = (uint32_t)s->positives - tp, tn = (uint32_t)s->negatives - fp;
    return (k[tp] + k[fn]) + (k[fp] + k[tn]) - (k[tp + fp] + k[fn + tn]);
}

/* The exact value of the best threshold: the greatest of those that rounding could have put first.
 */
static double best_mi(const hs_sweep *s, const hs_threshold_options *o)
{
    const uint32_t size[] = {(uint32_t)s->negatives, (uint32_t)s->positives};
    double rough = -INFINITY, best = 0;
    (void)o;
    for (uint32_t i = 0; i < s->splits; i++)
        rough = greater(rough, mi_at(s, i));
    rough -= ROUNDING * s->klogk[size[0] + size[1]];
    for (uint32_t i = 0; i < s->splits; i++)
        if (mi_at(s, i) >= rough) {
            const uint32_t above[] = {(uint32_t)s->fp[i], (uint32_t)s->tp[i]};
            best = greater(best, hs_score_ig(&(hs_cells){2, size[0] + size[1], size, above, 1}));
        }
    return best;
}

static double best_ks(const hs_sweep *s, const hs_threshold_options *o)
{
    double best = 0;
    (void)o;
    for (uint32_t i = 0; i < s->splits; i++) {
        struct decision d = decision_at(s, i);
        best = greater(best, fabs(d.tp * s->negatives - d.fp * s->positives));
    }
    return best / (s->positives * s->negatives);
}

static double best_dev(const hs_sweep *s, const hs_threshold_options *o)
{
    double least = INFINITY;
    (void)o;
    for (uint32_t i = 0; i < s->splits; i++) {
        struct decision d = decision_at(s, i);
        least = lesser(least, d.tp * d.fp / (d.tp + d.fp) + d.fn * d.tn / (d.fn + d.tn));
    }
    return -least;
}

static double best_gm(const hs_sweep *s, const hs_threshold_options *o)
{
    double best = 0;
    (void)o;
    for (uint32_t i = 0; i < s->splits; i++) {
        struct decision d = decision_at(s, i);
        best = greater(best, greater(d.tp * d.tn, d.fn * d.fp));
    }
    return sqrt(best / (s->positives * s->negatives));
}

/* Twice the number of pairs in the right order, ties counted half: trapezoids between points. */
static double best_auc(const hs_sweep *s, const hs_threshold_options *o)
{
    double twice = 0, last_tp = s->positives, last_fp = s->negatives;
    double all = 2 * s->positives * s->negatives;
    (void)o;
    for (uint32_t i = 0; i < s->splits; i++) {
        twice += (last_fp - s->fp[i]) * (last_tp + s->tp[i]);
        last_tp = s->tp[i];
        last_fp = s->fp[i];
    }
    twice += last_fp * last_tp;
    return greater(twice, all - twice) / all;
}

static double best_prc(const hs_sweep *s, const hs_threshold_options *o)
{
    double p = s->positives, n = s->negatives, rule1 = 0, rule2 = 0, below = 0;
    (void)o;
    for (uint32_t i = 0; i < s->splits; i++) {
        struct decision d = decision_at(s, i);
        double above = i + 1 < s->splits ? s->tp[i + 1] : 0;
        rule1 += (d.tp - above) * (d.tp / (d.tp + d.fp));
        rule2 += (d.fn - below) * (d.fn / (d.fn + d.tn));
        below = d.fn;
    }
    rule1 += (p - s->tp[0]) * (p / (p + n)); /* all positive */
    rule2 += (p - below) * (p / (p + n));
    return greater(rule1, rule2) / p;
}

static const hs_option zero_table[] = {
    HS_CHOICE(
        hs_threshold_options, zero, "zero", "paper|inf|one|half", "paper",
        "what a zero below the fraction means: as in the paper (or: the threshold is skipped; "
        "pr: greater than every number, by TPR); infinity; the zero count taken as 1; 0.5 "
        "added to every count"),
    HS_OPTION_END};

#define TABLE(id, low_)                                                                            \
    static const hs_threshold_ranker rank_##id = {                                                 \
        {.rank = hs_threshold_rank, .low_is_better = (low_)}, best_##id}
TABLE(f, false);
TABLE(or, false);
TABLE(pow, false);
TABLE(pr, false);
TABLE(gi, true);
TABLE(mi, false);
TABLE(ks, false);
TABLE(dev, true);
TABLE(gm, false);
TABLE(auc, false);
TABLE(prc, false);

#define BEST " at the best threshold"
#define METHOD(id, title_, help_, options_, size_)                                                 \
    const hs_method hs_method_rank_##id = {                                                        \
        .kind = HS_RANKER,                                                                         \
        .name = #id,                                                                               \
        .title = title_,                                                                           \
        .help = help_ " Either side of the threshold may stand for the positive class. With more " \
                      "than two classes the mean over each class against the rest, weighted by "   \
                      "its share; a nominal feature is as good as its best value.",                \
        .citation = "Van Hulse, Khoshgoftaar, Napolitano, Wald (2012), threshold-based feature "   \
                    "selection",                                                                   \
        .flags = HS_NEEDS_CLASSES | HS_ANY_FEATURES,                                               \
        .options = options_,                                                                       \
        .options_size = size_,                                                                     \
        .ranker = &rank_##id.ranker}

METHOD(f, "F-measure" BEST, "Harmonic mean of precision and recall" BEST ".", NULL, 0);
METHOD(or, "odds ratio" BEST,
       "Odds ratio TP TN/(FP FN)" BEST ". By default thresholds with a zero below the fraction are "
       "skipped, so that a feature with one perfect threshold and no other scores 0.",
       zero_table, sizeof(hs_threshold_options));
METHOD(pow, "power" BEST, "(1-FPR)^5 - (1-TPR)^5" BEST ".", NULL, 0);
METHOD(pr, "probability ratio" BEST, "Probability ratio TPR/FPR" BEST ".", zero_table,
       sizeof(hs_threshold_options));
METHOD(gi, "Gini index" BEST,
       "Sum of the Gini impurities of both sides, each side counting the same, so that small pure "
       "sides win; the lower the better; taken at the best threshold.",
       NULL, 0);
METHOD(mi, "mutual information" BEST, "Mutual information of decision and class, in bits" BEST ".",
       NULL, 0);
METHOD(ks, "Kolmogorov-Smirnov statistic",
       "Greatest difference between the distributions of the feature in the two classes.", NULL, 0);
METHOD(dev, "deviance" BEST,
       "Squared error of the class around its mean on both sides" BEST "; the lower the better.",
       NULL, 0);
METHOD(gm, "geometric mean" BEST, "Geometric mean of TPR and TNR" BEST ".", NULL, 0);
METHOD(auc, "area under the ROC curve",
       "Area under the ROC curve of the feature as a score, ties counted half: the Mann-Whitney "
       "statistic divided by its maximum, or 1 minus that if greater.",
       NULL, 0);
METHOD(prc, "area under the precision-recall curve",
       "Average precision of the feature as a score, equal values taken together.", NULL, 0);

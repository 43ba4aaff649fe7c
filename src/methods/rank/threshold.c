/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The eleven threshold-based rankers of Van Hulse, Khoshgoftaar, Napolitano and Wald (2012). A
 * feature is taken as a classifier that says "positive" above a threshold (rule 1) or at and below
 * it (rule 2), for every distinct value as threshold, and is as good as its best threshold and
 * rule. A sweep is the table of all those decisions; a ranker is one function of it, and one sort
 * and one sweep of a column serve all of them. With
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
 *
 * Two classes: the positive class against the other. More: each class against the rest, and the
 * mean of the goodness weighted by the share of the class among the known values (the papers have
 * two classes; this is ours). A nominal feature is as good as the best of its values, each taken as
 * the binary feature "has this value" (ours too; the papers' features are numeric). Constant
 * features, and those that are known in one class only, are last: -INFINITY.
 *
 * Time O(n K) for each feature after its sort, memory O(n) per thread.
 */
#include "measure/measure.h"
#include "rank/ordered.h"
#include "rank/rank.h"

#define ROUNDING 1e-14 /* of sums of k ln k, in parts of the greatest */

enum { ZERO_PAPER, ZERO_INF, ZERO_ONE, ZERO_HALF };

struct options { /* of `or` and `pr`; the others have none */
    int zero;
};

/* One feature against one class: P > 0 instances of the class, N > 0 of the others, and for each
 * threshold with something on both sides what lies above it. Under rule 1 tp and fp are the true
 * and the false positives; under rule 2 they are the false and the true negatives. Thresholds
 * ascend. That all are on one side is in no list: it matters to `f`, `auc` and `prc` only. */
struct sweep {
    uint32_t splits; /* at least 1 */
    double positives, negatives;
    double *tp, *fp;     /* [splits]: whole numbers */
    const double *klogk; /* [P + N + 1]: k ln k */
    double epsilon;      /* stands for a false positive rate of 0; below 1 / (P N) */
};

struct ranker {
    hs_ranker ranker; /* first: what the method's descriptor points to */
    /* The goodness of the best threshold and rule. */
    double (*best)(const struct sweep *sweep, const struct options *options);
};

struct job {
    const hs_chosen *rankers;
    size_t count;
    double *const *scores;
};

/* ---- sweeps ---- */

/* What lies above each distinct value but the last; or, with a group, one value against all others.
 */
static void make_sweep(const hs_ordered *o, uint32_t label, uint32_t group, struct sweep *s)
{
    const uint32_t *own = o->of_class + label, classes = o->classes;
    if (group != HSEL_NONE) {
        s->tp[0] = own[((size_t)group + 1) * classes] - own[(size_t)group * classes];
        s->fp[0] = o->before[group + 1] - o->before[group] - s->tp[0];
        return;
    }
    for (uint32_t g = 0; g + 1 < o->groups; g++) {
        const uint32_t tp = o->class_known[label] - own[((size_t)g + 1) * classes];
        s->tp[g] = tp;
        s->fp[g] = o->known - o->before[g + 1] - tp;
    }
}

/* Goodness of a feature, or of a nominal one as "has the value of this group", over all classes:
 * into sum[rankers]. */
static void add_classes(const struct job *job, const hs_labelled *columns, hs_ordered *o,
                        uint32_t group, double *sum)
{
    double all = columns->count;
    uint32_t first = 0, last = columns->classes - 1;
    if (columns->classes == 2)
        first = last = columns->training->view.data->positive_class;
    for (size_t i = 0; i < job->count; i++)
        sum[i] = 0;
    for (uint32_t c = first; c <= last; c++) {
        double weight = columns->classes == 2 ? 1 : (double)o->class_known[c] / o->known;
        struct sweep sweep = {.splits = group == HSEL_NONE ? o->groups - 1 : 1,
                              .positives = o->class_known[c],
                              .negatives = o->known - o->class_known[c],
                              .tp = o->scratch,
                              .fp = o->scratch + columns->count + 2,
                              .klogk = columns->klogk,
                              .epsilon = 1 / (all * all)};
        if (!o->class_known[c])
            continue;
        make_sweep(o, c, group, &sweep);
        for (size_t i = 0; i < job->count; i++) {
            const struct ranker *ranker = (const struct ranker *)job->rankers[i].method->ranker;
            sum[i] += weight * ranker->best(&sweep, job->rankers[i].options);
        }
    }
}

static int score_feature(void *context, const hs_labelled *columns, uint32_t feature, hs_ordered *o,
                         hsel_error *error)
{
    const struct job *job = context;
    const bool nominal = columns->training->view.data->types[feature] == HSEL_NOMINAL;
    const size_t points = (size_t)columns->count + 2; /* of tp and fp, then sum and one */
    uint32_t present = 0;
    HS_NEED(HS_GROW(&o->scratch, &o->scratch_capacity, 2 * points + 2 * job->count));
    double *sum = o->scratch + 2 * points, *one = sum + job->count;
    hs_order_column(columns, feature, o);
    for (uint32_t c = 0; c < columns->classes; c++)
        present += o->class_known[c] > 0;
    for (size_t i = 0; i < job->count; i++)
        sum[i] = -INFINITY;
    if (o->groups > 1 && present > 1 && !nominal)
        add_classes(job, columns, o, HSEL_NONE, sum);
    for (uint32_t g = 0; o->groups > 1 && present > 1 && nominal && g < o->groups; g++) {
        add_classes(job, columns, o, g, one);
        for (size_t i = 0; i < job->count; i++)
            sum[i] = one[i] > sum[i] ? one[i] : sum[i];
    }
    for (size_t i = 0; i < job->count; i++)
        job->scores[i][feature] = sum[i];
    return HSEL_OK;
}

static int threshold_rank(const hs_training *training, const hs_chosen *rankers, size_t count,
                          double *const *scores, hsel_error *error)
{
    struct job job = {rankers, count, scores};
    return hs_each_column(training, score_feature, &job, error);
}

/* ---- scores ---- */

/* What a threshold decides under rule 1. */
struct decision {
    double tp, fp, fn, tn;
};

static struct decision decision_at(const struct sweep *s, uint32_t i)
{
    return (struct decision){s->tp[i], s->fp[i], s->positives - s->tp[i], s->negatives - s->fp[i]};
}

static double greater(double a, double b) { return a > b ? a : b; }
static double lesser(double a, double b) { return a < b ? a : b; }
static double power5(double x) { return x * x * x * x * x; }

/* Defines best_ID: `best` is `first`, then for every decision d `next` of it; the answer is `last`.
 * p and n are the numbers of positives and negatives. */
#define BEST_OVER_ALL(id, first, next, last)                                                       \
    static double best_##id(const struct sweep *s, const struct options *o)                        \
    {                                                                                              \
        const double p = s->positives, n = s->negatives;                                           \
        double best = first;                                                                       \
        (void)o, (void)p, (void)n;                                                                 \
        for (uint32_t i = 0; i < s->splits; i++) {                                                 \
            const struct decision d = decision_at(s, i);                                           \
            best = next;                                                                           \
        }                                                                                          \
        return last;                                                                               \
    }

/* All positive is a decision too, under rule 2 at the greatest value. */
BEST_OVER_ALL(f, 2 * p / (2 * p + n),
              greater(greater(best, 2 * d.tp / (p + d.tp + d.fp)), 2 * d.fn / (p + d.fn + d.tn)),
              best)
BEST_OVER_ALL(pow, -1,
              greater(greater(best, power5(d.tn *(1 / n)) - power5(d.fn * (1 / p))),
                      power5(d.fp *(1 / n)) - power5(d.tp * (1 / p))),
              best)
BEST_OVER_ALL(gi, 1,
              lesser(best, 2 * d.tp * d.fp / ((d.tp + d.fp) * (d.tp + d.fp)) +
                               2 * d.fn * d.tn / ((d.fn + d.tn) * (d.fn + d.tn))),
              -best)
BEST_OVER_ALL(ks, 0, greater(best, fabs(d.tp *n - d.fp * p)), best / (p * n))
BEST_OVER_ALL(dev, INFINITY, lesser(best, d.tp *d.fp / (d.tp + d.fp) + d.fn * d.tn / (d.fn + d.tn)),
              -best)
BEST_OVER_ALL(gm, 0, greater(best, greater(d.tp *d.tn, d.fn *d.fp)), sqrt(best / (p * n)))

/* TPR/FPR of one rule. */
static double rate_ratio(const struct sweep *s, double tp, double fp, int zero)
{
    double p = s->positives, n = s->negatives;
    if (zero == ZERO_HALF)
        return (tp + 0.5) * (n + 1) / ((fp + 0.5) * (p + 1));
    if (fp > 0 || tp == 0)
        return fp > 0 ? tp * n / (fp * p) : 0;
    return zero == ZERO_PAPER ? tp / p / s->epsilon : zero == ZERO_ONE ? tp * n / p : INFINITY;
}

BEST_OVER_ALL(pr, 0,
              greater(greater(best, rate_ratio(s, d.tp, d.fp, o->zero)),
                      rate_ratio(s, d.fn, d.tn, o->zero)),
              best)

/* The two rules give a fraction and its inverse. */
static double odds_ratio(const struct decision *d, int zero)
{
    double right = d->tp * d->tn, wrong = d->fp * d->fn;
    if (zero == ZERO_HALF) {
        right = (d->tp + 0.5) * (d->tn + 0.5);
        wrong = (d->fp + 0.5) * (d->fn + 0.5);
    }
    double most = greater(right, wrong), least = lesser(right, wrong);
    if (least > 0 || zero == ZERO_INF)
        return most / least;
    if (zero != ZERO_ONE)
        return 0;
    return right > wrong ? right / (greater(d->fp, 1) * greater(d->fn, 1))
                         : wrong / (greater(d->tp, 1) * greater(d->tn, 1));
}

BEST_OVER_ALL(or, 0, greater(best, odds_ratio(&d, o->zero)), best)

/* All of N MI but what is the same at every threshold, to a few roundings. */
static double mi_at(const struct sweep *s, uint32_t i)
{
    const double *k = s->klogk;
    uint32_t tp = (uint32_t)s->tp[i], fp = (uint32_t)s->fp[i];
    uint32_t fn = (uint32_t)s->positives - tp, tn = (uint32_t)s->negatives - fp;
    return (k[tp] + k[fn]) + (k[fp] + k[tn]) - (k[tp + fp] + k[fn + tn]);
}

/* The exact value of the best threshold: the greatest of those that rounding could have put first.
 */
static double best_mi(const struct sweep *s, const struct options *o)
{
    const uint32_t size[] = {(uint32_t)s->negatives, (uint32_t)s->positives};
    double rough = -INFINITY, best = 0, room[HS_CELLS_ROOM(2)];
    (void)o;
    for (uint32_t i = 0; i < s->splits; i++)
        rough = greater(rough, mi_at(s, i));
    rough -= ROUNDING * s->klogk[size[0] + size[1]];
    for (uint32_t i = 0; i < s->splits; i++)
        if (mi_at(s, i) >= rough) {
            const uint32_t above[] = {(uint32_t)s->fp[i], (uint32_t)s->tp[i]};
            const hs_cells cells = {2, size[0] + size[1], size, above, 1};
            const hs_value_table table = hs_table_of_cells(&cells, room);
            best = greater(best, hs_score_ig(&table));
        }
    return best;
}

/* Twice the number of pairs in the right order, ties counted half: trapezoids between points. */
static double best_auc(const struct sweep *s, const struct options *o)
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

static double best_prc(const struct sweep *s, const struct options *o)
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
    HS_CHOICE(struct options, zero, "zero", "paper|inf|one|half", "paper",
              "how to treat a zero denominator: paper: as in the paper (or: skip the threshold; "
              "pr: above every number, sorted by TPR); inf: infinity; one: take the zero count as "
              "1; half: add 0.5 to every count"),
    HS_OPTION_END};

#define BEST " at the best threshold"
#define METHOD(id, low_, title_, help_, options_, size_)                                           \
    static const struct ranker rank_##id = {{.rank = threshold_rank, .low_is_better = low_},       \
                                            best_##id};                                            \
    HS_RANKER_METHOD(                                                                              \
        id, #id, 0, options_, size_, &rank_##id.ranker, .title = title_,                           \
        .help =                                                                                    \
            help_ " Either side of the threshold may predict the positive class. With more than "  \
                  "two classes, the mean over the classes, each against the rest, weighted by "    \
                  "class share; for a nominal feature, the score of its best value.",              \
        .citation = "Van Hulse, Khoshgoftaar, Napolitano, Wald (2012), threshold-based feature "   \
                    "selection")

METHOD(f, false, "F-measure" BEST, "Harmonic mean of precision and recall" BEST ".", NULL, 0);
METHOD(or, false, "odds ratio" BEST,
       "Odds ratio TP TN/(FP FN)" BEST
       ". By default thresholds with a zero denominator are skipped, so that a feature with one "
       "perfect threshold and no other scores 0.",
       zero_table, sizeof(struct options));
METHOD(pow, false, "power" BEST, "(1-FPR)^5 - (1-TPR)^5" BEST ".", NULL, 0);
METHOD(pr, false, "probability ratio" BEST, "Probability ratio TPR/FPR" BEST ".", zero_table,
       sizeof(struct options));
METHOD(gi, true, "Gini index" BEST,
       "Unweighted sum of the Gini impurities of both sides at the best threshold, so that small "
       "pure sides win; lower is better.",
       NULL, 0);
METHOD(mi, false, "mutual information" BEST,
       "Mutual information of decision and class, in bits" BEST ".", NULL, 0);
METHOD(ks, false, "Kolmogorov-Smirnov statistic",
       "Greatest difference between the distributions of the feature in the two classes.", NULL, 0);
METHOD(dev, true, "deviance" BEST,
       "Squared error of the class around its mean on both sides" BEST "; lower is better.", NULL,
       0);
METHOD(gm, false, "geometric mean" BEST, "Geometric mean of TPR and TNR" BEST ".", NULL, 0);
METHOD(auc, false, "area under the ROC curve",
       "Area under the ROC curve of the feature as a score, ties counted as half: the Mann-Whitney "
       "statistic divided by its maximum, or 1 minus that if greater.",
       NULL, 0);
METHOD(prc, false, "area under the precision-recall curve",
       "Average precision of the feature as a score, with equal values grouped.", NULL, 0);

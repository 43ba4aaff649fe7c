/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Metrics: formulas over a group of instances (a fold, or all), then means over folds. A class
 * without instances in the group is left out of every mean over classes, and a metric of such a
 * class is undefined. If a class is missing in some folds, folds cannot be compared, and the "mean
 * over folds" of every metric is the pooled value. The same holds for a metric of classes that is
 * undefined in some fold, and always for r2.
 *
 * The areas rank by the scores of the classifier, or on demand by its probabilities, as WEKA and
 * the papers do: probabilities that saturate at 1 produce ties. Ranked by scores, the auroc of two
 * classes is the same for either, to the last bit.
 */
#include "stats/metrics.h"

#define HS_METHOD(name)
#define HS_NUMBERED(number, name) extern const hs_method hs_method_##name;
#include "methods.def"
#undef HS_NUMBERED

const hs_method *const hs_metrics[HS_METRICS] = {
#define HS_NUMBERED(number, name) &hs_method_##name,
#include "methods.def"
};

hs_metric hs_metric_find(const char *name, size_t length)
{
    int metric = 0;
    while (metric < HS_METRICS && (strlen(hs_metrics[metric]->name) != length ||
                                   memcmp(hs_metrics[metric]->name, name, length) != 0))
        metric++;
    return (hs_metric)metric;
}

uint32_t hs_predicted_class(const double *score, uint32_t classes)
{
    uint32_t best = 0;
    for (uint32_t c = 1; c < classes; c++)
        if (score[c] > score[best])
            best = c;
    return best;
}

uint32_t hs_prediction_of(const hs_predictions *p, uint32_t instance)
{
    if (p->score && p->classes == 2)
        return p->score[instance] > 0;
    return hs_predicted_class(
        (p->score ? p->score : p->probability) + (size_t)instance * p->classes, p->classes);
}

/* ---- of predicted classes ---- */

static double ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

static double recall_of(const hs_hits *h, uint32_t c)
{
    return h->in_class[c] ? ratio(h->hits[c], h->in_class[c]) : (double)NAN;
}

/* The share of the other instances that are predicted as others. */
static double specificity_of(const hs_hits *h, uint32_t c)
{
    uint32_t others = h->size - h->in_class[c];
    return others ? ratio(others - (h->predicted[c] - h->hits[c]), others) : (double)NAN;
}

static double f1_of(const hs_hits *h, uint32_t c)
{
    return ratio(2 * (uint64_t)h->hits[c], (uint64_t)h->in_class[c] + h->predicted[c]);
}

static double log_recall_of(const hs_hits *h, uint32_t c)
{
    return log(recall_of(h, c)); /* of 0: -INFINITY, and the mean of roots is 0 */
}

/* Mean over the classes with instances, each against the rest; NaN if one has no value. */
static double over_classes(const hs_hits *h, double (*of)(const hs_hits *, uint32_t))
{
    double sum = 0;
    uint32_t present = 0;
    for (uint32_t c = 0; c < h->classes; c++)
        if (h->in_class[c] > 0) {
            sum += of(h, c);
            present++;
        }
    return sum / present;
}

static double accuracy(const hs_hits *h)
{
    uint64_t hits = 0;
    for (uint32_t c = 0; c < h->classes; c++)
        hits += h->hits[c];
    return ratio(hits, h->size);
}

static double precision_of(const hs_hits *h, uint32_t c)
{
    return ratio(h->hits[c], h->predicted[c]);
}

/* Of the positive class of two, else the mean over classes. */
static double of_positive(const hs_hits *h, double (*of)(const hs_hits *, uint32_t))
{
    return h->classes == 2 ? of(h, h->positive_class) : over_classes(h, of);
}

static double sensitivity(const hs_hits *h) { return of_positive(h, recall_of); }
static double specificity(const hs_hits *h) { return of_positive(h, specificity_of); }
static double precision(const hs_hits *h) { return of_positive(h, precision_of); }
static double f1(const hs_hits *h) { return of_positive(h, f1_of); }
static double balanced_accuracy(const hs_hits *h) { return over_classes(h, recall_of); }
static double macro_f1(const hs_hits *h) { return over_classes(h, f1_of); }

/* With s instances, c of them right, t of class k and p predicted as k: what c exceeds chance by,
 * and the spread of classes and of predictions, each times s squared. */
struct agreement {
    double beyond_chance, chance, classes, predictions;
};

static struct agreement agreement(const hs_hits *h)
{
    double s = h->size, both = 0, classes = 0, predictions = 0;
    for (uint32_t k = 0; k < h->classes; k++) {
        double t = h->in_class[k], p = h->predicted[k];
        both += t * p;
        classes += t * t;
        predictions += p * p;
    }
    return (struct agreement){accuracy(h) * s * s - both, both, s * s - classes,
                              s * s - predictions};
}

static double mcc(const hs_hits *h)
{
    struct agreement a = agreement(h);
    double spread = a.classes * a.predictions;
    return spread > 0 ? a.beyond_chance / sqrt(spread) : 0;
}

static double kappa(const hs_hits *h)
{
    struct agreement a = agreement(h);
    double most = (double)h->size * h->size - a.chance;
    return most > 0 ? a.beyond_chance / most : 0;
}

static double gm(const hs_hits *h)
{
    return h->classes == 2 ? sqrt(sensitivity(h) * specificity(h))
                           : exp(over_classes(h, log_recall_of));
}

/* As the papers do: the geometric mean of fold means, not the mean of the folds' ones. */
static double gm_over_folds(const hs_fold_means *f)
{
    double logarithms = 0;
    uint32_t present = 0;
    if (f->classes == 2)
        return sqrt(f->recall[0] * f->recall[1]);
    for (uint32_t c = 0; c < f->classes; c++)
        if (!isnan(f->recall[c])) {
            logarithms += log(f->recall[c]);
            present++;
        }
    return exp(logarithms / present);
}

/* ---- of selections ---- */

static double compression(const hs_hits *h)
{
    const hs_predictions *p = h->predictions;
    uint64_t selected = 0;
    for (uint32_t i = 0; i < h->size; i++)
        selected += p->selected ? p->selected[h->members[i]] : p->features;
    return 1 - ratio(selected, (uint64_t)h->size * p->features);
}

static double harmonic_mean(double a, double c) { return a + c > 0 ? 2 * a * c / (a + c) : 0; }

static double harmonic(const hs_hits *h) { return harmonic_mean(accuracy(h), compression(h)); }

static double harmonic_over_folds(const hs_fold_means *f)
{
    return harmonic_mean(f->mean[HS_METRIC_ACCURACY], f->mean[HS_METRIC_COMPRESSION]);
}

/* ---- of a ranking ---- */

size_t hs_curve_points(const double *score, const uint8_t *is_positive, size_t count,
                       uint32_t *order, hs_curve_point *point)
{
    size_t points = 0;
    uint64_t positives = 0;
    hs_order_all(score, HS_DOWNWARDS, order, count);
    for (size_t at = 0; at < count; points++) {
        double value = score[order[at]];
        do
            positives += is_positive[order[at]];
        while (++at < count && score[order[at]] == value);
        point[points] = (hs_curve_point){value, positives, at - positives};
    }
    return points;
}

void hs_areas(const hs_curve_point *point, size_t points, double *auroc, double *auprc)
{
    /* Twice the number of (positive, negative) pairs in the right order, ties counting half: exact
     * in integers. */
    uint64_t pairs = 0;
    double area = 0;
    hs_curve_point before = {0};
    for (size_t i = 0; i < points; before = point[i++]) {
        uint64_t here = point[i].positives - before.positives;
        pairs += (point[i].negatives - before.negatives) * (2 * before.positives + here);
        area += (double)here *
                ((double)point[i].positives / (double)(point[i].positives + point[i].negatives));
    }
    double positives = (double)before.positives, negatives = (double)before.negatives;
    *auroc = positives > 0 && negatives > 0 ? (double)pairs / (2.0 * positives * negatives)
                                            : (double)NAN;
    *auprc = positives > 0 ? area / positives : (double)NAN;
}

/* The share of positives among the first k by score; instances tied for the last places count in
 * part. NaN: there are fewer than k. */
static double precision_at(const hs_curve_point *point, size_t points, size_t k)
{
    double positives = 0;
    size_t end = 0;
    for (size_t i = 0; i < points && end < k; i++) {
        const size_t first = end;
        const double here = (double)(point[i].positives - (i ? point[i - 1].positives : 0));
        end = point[i].positives + point[i].negatives;
        positives += end <= k ? here : here * (double)(k - first) / (double)(end - first);
    }
    return k && end >= k ? positives / (double)k : (double)NAN;
}

bool hs_curves(const hs_curve_point *point, size_t points, size_t steps, double *roc, double *pr)
{
    const hs_curve_point all = points ? point[points - 1] : (hs_curve_point){0};
    hs_curve_point before = {0};
    size_t next_roc = 0, next_pr = 0;
    if (!all.positives || !all.negatives)
        return false;
    for (size_t i = 0; i < points; before = point[i++]) {
        const double here = (double)(point[i].positives - before.positives),
                     wrong = (double)(point[i].negatives - before.negatives);
        /* Points of the grid before the end of the group; one at its end belongs to the next group,
         * which may rise there. Compared in whole numbers: p / steps < b / n. */
        for (; next_roc * all.negatives < point[i].negatives * steps; next_roc++) {
            double part = ((double)next_roc * (double)all.negatives / (double)steps -
                           (double)before.negatives) /
                          wrong;
            roc[next_roc] = ((double)before.positives + part * here) / (double)all.positives;
        }
        for (; next_pr <= steps && point[i].positives &&
               next_pr * all.positives <= point[i].positives * steps;
             next_pr++)
            pr[next_pr] =
                (double)point[i].positives / (double)(point[i].positives + point[i].negatives);
    }
    for (; next_roc <= steps; next_roc++)
        roc[next_roc] = 1;
    return true;
}

/* Metrics that need the same order are computed together, when the first is requested. */
enum ranked { AUROC, AUPRC, PRECISION_AT_10, PRECISION_AT_100, R_PRECISION, RANKED };

struct hs_metric_work {
    hs_hits hits;                           /* of the current group */
    uint32_t *in_class, *found, *predicted; /* [classes]: its lists */
    size_t room;                            /* tested instances, or those of the largest sample */
    uint32_t *members;                      /* [room]: fold after fold */
    uint32_t *start;                        /* [folds + 2]: of each fold */
    double *recall;                         /* [classes] */
    double *values;                         /* [folds * HS_METRICS] */
    bool *present;                          /* [classes] */
    double *score;                          /* three lists of [room] */
    uint8_t *is_positive;                   /* [room] */
    uint32_t *order;                        /* [room] */
    hs_curve_point *point;                  /* [room] */
    const uint32_t *sorted, *times; /* of a bootstrap sample: tested instances by score, for each
                                       class, and how often each is in it; else NULL */
    bool known;                     /* the values of the ranking, which are: */
    double ranked[RANKED];
};

/* The same for a bootstrap sample, from the order of all tested instances. */
static size_t resampled_points(const hs_hits *h, uint32_t c)
{
    const hs_predictions *p = h->predictions;
    const struct hs_metric_work *w = h->work;
    const uint32_t n = hs_tested_count(p), *sorted = w->sorted + (size_t)c * n;
    size_t points = 0;
    hs_curve_point now = {0};
    for (uint32_t at = 0; at < n;) {
        const uint64_t before = now.positives + now.negatives;
        now.score = hs_ranked_by(p, sorted[at], c);
        do {
            const uint32_t instance = sorted[at], times = w->times[instance];
            now.positives += p->truth[instance] == c ? times : 0;
            now.negatives += p->truth[instance] == c ? 0 : times;
        } while (++at < n && hs_ranked_by(p, sorted[at], c) == now.score);
        if (now.positives + now.negatives > before)
            w->point[points++] = now;
    }
    return points;
}

/* The points of the curves of class c, into the work of the group. */
static size_t rank_class(const hs_hits *h, uint32_t c)
{
    const hs_predictions *p = h->predictions;
    struct hs_metric_work *w = h->work;
    if (w->times)
        return resampled_points(h, c);
    for (uint32_t i = 0; i < h->size; i++) {
        w->score[i] = hs_ranked_by(p, h->members[i], c);
        w->is_positive[i] = p->truth[h->members[i]] == c;
    }
    return hs_curve_points(w->score, w->is_positive, h->size, w->order, w->point);
}

static double of_ranking(const hs_hits *h, enum ranked wanted)
{
    struct hs_metric_work *w = h->work;
    double sum[RANKED] = {0}, one[RANKED];
    uint32_t count[RANKED] = {0};
    for (uint32_t c = 0; c < h->classes && !w->known; c++) {
        if (h->classes == 2 && c != h->positive_class)
            continue;
        const size_t points = rank_class(h, c);
        hs_areas(w->point, points, &one[AUROC], &one[AUPRC]);
        one[PRECISION_AT_10] = precision_at(w->point, points, 10);
        one[PRECISION_AT_100] = precision_at(w->point, points, 100);
        one[R_PRECISION] = precision_at(w->point, points, h->in_class[c]);
        for (int r = 0; r < RANKED; r++)
            if (!isnan(one[r])) { /* else the class is left out of the mean */
                sum[r] += one[r];
                count[r]++;
            }
    }
    for (int r = 0; r < RANKED && !w->known; r++)
        w->ranked[r] = count[r] ? sum[r] / count[r] : (double)NAN;
    w->known = true;
    return w->ranked[wanted];
}

static double auroc(const hs_hits *h) { return of_ranking(h, AUROC); }
static double auprc(const hs_hits *h) { return of_ranking(h, AUPRC); }
static double precision_at_10(const hs_hits *h) { return of_ranking(h, PRECISION_AT_10); }
static double precision_at_100(const hs_hits *h) { return of_ranking(h, PRECISION_AT_100); }
static double r_precision(const hs_hits *h) { return of_ranking(h, R_PRECISION); }

/* ---- of probabilities ---- */

static double log_loss(const hs_hits *h)
{
    const hs_predictions *p = h->predictions;
    double sum = 0;
    for (uint32_t i = 0; i < h->size; i++) {
        uint32_t m = h->members[i];
        sum -= log(fmax(1e-15, p->probability[(size_t)m * p->classes + p->truth[m]]));
    }
    return h->size ? sum / h->size : (double)NAN;
}

static double brier(const hs_hits *h)
{
    const hs_predictions *p = h->predictions;
    double sum = 0;
    for (uint32_t i = 0; i < h->size; i++)
        for (uint32_t c = 0; c < p->classes; c++) {
            uint32_t m = h->members[i];
            double off = p->probability[(size_t)m * p->classes + c] - (p->truth[m] == c);
            sum += off * off;
        }
    return h->size ? sum / 2 / h->size : (double)NAN;
}

/* ---- of numbers ---- */

/* Sums over the group, the numbers less their means: of squares and products. */
struct moments {
    double truth, predicted, both,
        error; /* error: squared differences, of the numbers themselves */
};

static struct moments moments(const hs_hits *h, const double *a, const double *b)
{
    double mean_a = h->size ? a[0] : 0, mean_b = h->size ? b[0] : 0;
    const double first_a = mean_a, first_b = mean_b; /* of a constant the means are exact */
    struct moments m = {0};
    for (uint32_t i = 0; i < h->size; i++) {
        mean_a += (a[i] - first_a) / h->size;
        mean_b += (b[i] - first_b) / h->size;
    }
    for (uint32_t i = 0; i < h->size; i++) {
        m.truth += (a[i] - mean_a) * (a[i] - mean_a);
        m.predicted += (b[i] - mean_b) * (b[i] - mean_b);
        m.both += (a[i] - mean_a) * (b[i] - mean_b);
        m.error += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return m;
}

/* Target and prediction of the group, into the two halves of the space for scores. */
static struct moments of_numbers(const hs_hits *h)
{
    double *truth = h->work->score, *predicted = truth + h->work->room;
    for (uint32_t i = 0; i < h->size; i++) {
        truth[i] = h->predictions->target[h->members[i]];
        predicted[i] = h->predictions->score[h->members[i]];
    }
    return moments(h, truth, predicted);
}

static double correlation(struct moments m)
{
    return m.truth > 0 && m.predicted > 0 ? m.both / sqrt(m.truth) / sqrt(m.predicted)
                                          : (double)NAN;
}

static double rmse(const hs_hits *h)
{
    return h->size ? sqrt(of_numbers(h).error / h->size) : (double)NAN;
}

static double mae(const hs_hits *h)
{
    double sum = 0;
    for (uint32_t i = 0; i < h->size; i++) {
        uint32_t m = h->members[i];
        sum += fabs(h->predictions->target[m] - h->predictions->score[m]);
    }
    return h->size ? sum / h->size : (double)NAN;
}

static double r2(const hs_hits *h)
{
    struct moments m = of_numbers(h);
    return m.truth > 0 ? 1 - m.error / m.truth : (double)NAN;
}

/* In a small fold the mean of the fold fits its own few numbers: with n of them the errors are
 * compared with about (n - 3) / n of the variance, so that the mean over folds is far too low. */
static double r2_over_folds(const hs_fold_means *f) { return f->pooled[HS_METRIC_R2]; }

static double pearson(const hs_hits *h) { return correlation(of_numbers(h)); }

/* Replaces numbers by their ranks; ties share the mean rank. */
static void to_ranks(double *value, uint32_t count, uint32_t *order, double *rank)
{
    hs_order_all(value, HS_DOWNWARDS, order, count);
    for (uint32_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && value[order[end]] == value[order[first]];)
            end++;
        for (uint32_t i = first; i < end; i++)
            rank[order[i]] = (first + end - 1) / 2.0;
    }
    memcpy(value, rank, count * sizeof *value);
}

static double spearman(const hs_hits *h)
{
    const size_t room = h->work->room;
    double *truth = h->work->score, *predicted = truth + room, *rank = predicted + room;
    of_numbers(h);
    to_ranks(truth, h->size, h->work->order, rank);
    to_ranks(predicted, h->size, h->work->order, rank);
    return correlation(moments(h, truth, predicted));
}

/* ---- the metrics ---- */

#define METRIC(id, word, title_, help_, citation_, ...)                                            \
    const hs_method hs_method_metric_##id = {.kind = HS_METRIC,                                    \
                                             .name = word,                                         \
                                             .title = title_,                                      \
                                             .help = help_,                                        \
                                             .citation = citation_,                                \
                                             .metric = &(const hs_formula){__VA_ARGS__}};

METRIC(gm, "gm", "geometric mean of the recalls of the classes",
       "The K-th root of the product of the recalls of K classes; for two classes the square root "
       "of sensitivity times specificity. Over folds it is computed from the mean recall of each "
       "class, as in the papers, not as the mean of its values.",
       "Kubat, Matwin (1997), ICML, 179-186; for more classes Sun, Kamel, Wang (2006), ICDM",
       .heading = "GM", .value = gm, .over_folds = gm_over_folds)
METRIC(auroc, "auroc", "area under the ROC curve",
       "The probability that an instance of the positive class has a higher score than one of the "
       "rest, ties counting half; for more than two classes the mean over them, each against the "
       "rest.",
       "Hanley, McNeil (1982), Radiology 143:29-36: the Mann-Whitney statistic", .heading = "AUROC",
       .needs = HS_OF_RANKING, .value = auroc)
METRIC(auprc, "auprc", "area under the precision-recall curve",
       "Average precision over groups of equal score: the sum of each step of recall times the "
       "precision after it; for more than two classes the mean over them, each against the rest. "
       "By chance it is the share of the positive class.",
       "Boyd, Eng, Page (2013), ECML PKDD: average precision, without interpolation",
       .heading = "AUPRC", .needs = HS_OF_RANKING, .value = auprc)
METRIC(accuracy, "accuracy", "share of instances predicted as their class",
       "The share of instances whose predicted class is their class.",
       "Sokolova, Lapalme (2009), Information Processing and Management 45:427-437",
       .heading = "Accuracy", .value = accuracy)
METRIC(sensitivity, "sensitivity", "recall of the positive class",
       "The share of the positive class that is predicted as such; for more than two classes the "
       "mean over them.",
       "Sokolova, Lapalme (2009), Information Processing and Management 45:427-437",
       .heading = "Sensitivity", .value = sensitivity)
METRIC(specificity, "specificity", "share of the other instances predicted as others",
       "The share of the instances outside the positive class that are predicted as others; for "
       "more than two classes the mean over them.",
       "Sokolova, Lapalme (2009), Information Processing and Management 45:427-437",
       .heading = "Specificity", .value = specificity)
METRIC(macro_f1, "macro-f1", "mean of F1 over classes",
       "The mean over classes of F1, the harmonic mean of precision and recall.",
       "Yang, Liu (1999), SIGIR, 42-49: macro-averaged F1", .heading = "Macro-F1",
       .value = macro_f1)
METRIC(f1, "f1", "harmonic mean of precision and recall",
       "F1 of the positive class; for more than two classes the mean over them, which is macro-f1.",
       "van Rijsbergen (1979), Information Retrieval, chapter 7", .heading = "F1", .value = f1)
METRIC(precision, "precision", "share of predicted positives that are positive",
       "The share of the instances predicted as the positive class that belong to it; 0 if there "
       "are none. For more than two classes the mean over them.",
       "Sokolova, Lapalme (2009), Information Processing and Management 45:427-437",
       .heading = "Precision", .value = precision)
METRIC(recall, "recall", "share of the positive class that is found",
       "Another name for sensitivity.",
       "Sokolova, Lapalme (2009), Information Processing and Management 45:427-437",
       .heading = "Recall", .value = sensitivity)
METRIC(balanced_accuracy, "balanced-accuracy", "mean of the recalls of the classes",
       "Each class counts alike, however rare it is; by chance it is 1 / classes.",
       "Brodersen, Ong, Stephan, Buhmann (2010), ICPR, 3121-3124", .heading = "Balanced accuracy",
       .value = balanced_accuracy)
METRIC(mcc, "mcc", "Matthews correlation coefficient",
       "The correlation of class and prediction, from -1 to 1 (tables show it times 100); 0 where "
       "all instances are of one class or all predictions are the same. For more than two classes "
       "Gorodkin's form.",
       "Matthews (1975), Biochim. Biophys. Acta 405:442-451; Gorodkin (2004), Comput. Biol. Chem. "
       "28:367-374",
       .heading = "MCC", .least = -1, .greatest = 1, .value = mcc)
METRIC(kappa, "kappa", "agreement of class and prediction beyond chance",
       "Cohen's kappa, at most 1 (tables show it times 100); 0 where chance explains everything.",
       "Cohen (1960), Educational and Psychological Measurement 20:37-46", .heading = "Kappa",
       .least = -1, .greatest = 1, .value = kappa)
METRIC(precision_at_10, "precision-at-10", "share of positives among the 10 highest scores",
       "The share of the positive class among the ten instances that the classifier ranks first; "
       "instances tied for the last places count in part. Undefined for fewer than ten. For more "
       "than two classes the mean over them.",
       "Manning, Raghavan, Schuetze (2008), Introduction to Information Retrieval, 8.4",
       .heading = "P@10", .needs = HS_OF_RANKING, .value = precision_at_10)
METRIC(precision_at_100, "precision-at-100", "share of positives among the 100 highest scores",
       "As precision-at-10, for the hundred instances that are ranked first.",
       "Manning, Raghavan, Schuetze (2008), Introduction to Information Retrieval, 8.4",
       .heading = "P@100", .needs = HS_OF_RANKING, .value = precision_at_100)
METRIC(
    r_precision, "r-precision", "precision at the size of the class",
    "As precision-at-10, for as many instances as the class has; there, precision equals recall.",
    "Manning, Raghavan, Schuetze (2008), Introduction to Information Retrieval, 8.4",
    .heading = "R-precision", .needs = HS_OF_RANKING, .value = r_precision)
METRIC(log_loss, "log-loss", "mean negative logarithm of the probability",
       "The negative logarithm of the probability of the true class, in nats; probabilities below "
       "1e-15 count as 1e-15. Tables show it times 100.",
       "Good (1952), J. R. Stat. Soc. B 14:107-114", .heading = "Log-loss",
       .needs = HS_OF_PROBABILITIES, .lower_is_better = true, .greatest = INFINITY,
       .value = log_loss)
METRIC(brier, "brier", "mean squared error of the probabilities",
       "Half the squared distance between the predicted probabilities and the true class, averaged "
       "over instances; for two classes, the squared error of the probability of one class.",
       "Brier (1950), Monthly Weather Review 78:1-3", .heading = "Brier",
       .needs = HS_OF_PROBABILITIES, .lower_is_better = true, .value = brier)
METRIC(compression, "compression", "share of features that were not selected",
       "1 - selected / all features; for lazy selectors the mean over instances.",
       "Ristoski, Paulheim (2014), Discovery Science: feature space compression",
       .heading = "Compression", .needs = HS_OF_SELECTIONS, .value = compression)
METRIC(harmonic, "harmonic", "harmonic mean of accuracy and compression",
       "2 a c / (a + c) of accuracy and compression; over folds of the fold means of both.",
       "Ristoski, Paulheim (2014), Discovery Science", .heading = "Harmonic",
       .needs = HS_OF_SELECTIONS, .value = harmonic, .over_folds = harmonic_over_folds)

METRIC(rmse, "rmse", "root of the mean squared error",
       "Of predicted numbers, in the unit of the target.",
       "Hyndman, Koehler (2006), International Journal of Forecasting 22:679-688",
       .heading = "RMSE", .needs = HS_OF_NUMBERS, .lower_is_better = true, .greatest = INFINITY,
       .value = rmse)
METRIC(mae, "mae", "mean absolute error",
       "Of predicted numbers, in the unit of the target; less sensitive to a few large errors than "
       "rmse.",
       "Hyndman, Koehler (2006), International Journal of Forecasting 22:679-688", .heading = "MAE",
       .needs = HS_OF_NUMBERS, .lower_is_better = true, .greatest = INFINITY, .value = mae)
METRIC(r2, "r2", "share of the variance that is explained",
       "1 minus the sum of squared errors divided by the sum of squared differences of the target "
       "from its mean: 1 is best, 0 is as good as predicting the mean, and it can be negative. "
       "Always computed over all instances, because means over small folds are far too low. "
       "Undefined if the target is constant.",
       "Kvalseth (1985), The American Statistician 39:279-285, R2 1", .heading = "R2",
       .needs = HS_OF_NUMBERS, .least = -INFINITY, .greatest = 1, .value = r2,
       .over_folds = r2_over_folds)
METRIC(spearman, "spearman", "correlation of ranks of target and prediction",
       "From -1 to 1, with ties sharing their mean rank. Undefined if either is constant.",
       "Spearman (1904), American Journal of Psychology 15:72-101", .heading = "Spearman",
       .needs = HS_OF_NUMBERS, .least = -1, .greatest = 1, .value = spearman)
METRIC(pearson, "pearson", "linear correlation of target and prediction",
       "From -1 to 1. Undefined if either is constant.",
       "Pearson (1895), Proceedings of the Royal Society of London 58:240-242",
       .heading = "Pearson", .needs = HS_OF_NUMBERS, .least = -1, .greatest = 1, .value = pearson)

/* ---- a group of instances; folds ---- */

/* All tested instances as one group, and room for `most` if bootstrap samples are larger. */
static struct hs_metric_work *work_new(const hs_predictions *p, size_t most)
{
    const size_t tested = hs_tested_count(p), n = most > tested ? most : tested, k = p->classes;
    struct hs_metric_work *w =
        HS_BLOCK(w, HS_PART(w, in_class, k), HS_PART(w, found, k), HS_PART(w, predicted, k),
                 HS_PART(w, members, n), HS_PART(w, start, (size_t)p->folds + 2),
                 HS_PART(w, recall, k), HS_PART(w, values, (size_t)p->folds * HS_METRICS),
                 HS_PART(w, present, k), HS_PART(w, score, p->target ? 3 * n : n),
                 HS_PART(w, is_positive, n), HS_PART(w, order, n), HS_PART(w, point, n));
    if (!w)
        return NULL;
    w->room = n;
    w->hits = (hs_hits){.classes = p->classes,
                        .positive_class = p->positive_class,
                        .hits = w->found,
                        .in_class = w->in_class,
                        .predicted = w->predicted,
                        .predictions = p,
                        .work = w};
    for (uint32_t i = 0; i < tested; i++)
        w->members[i] = hs_tested(p, i);
    return w;
}

static void take_group(struct hs_metric_work *w, const uint32_t *members, uint32_t size)
{
    const hs_predictions *p = w->hits.predictions;
    const size_t bytes = p->classes * sizeof(uint32_t);
    memset(w->in_class, 0, bytes);
    memset(w->found, 0, bytes);
    memset(w->predicted, 0, bytes);
    for (uint32_t i = 0; i < size && !p->target; i++) {
        uint32_t truth = p->truth[members[i]], predicted = hs_prediction_of(p, members[i]);
        w->found[truth] += predicted == truth;
        w->in_class[truth]++;
        w->predicted[predicted]++;
    }
    w->hits.members = members;
    w->hits.size = size;
    w->known = false;
}

static void measure_group(struct hs_metric_work *w, const uint32_t *members, uint32_t size,
                          double *out)
{
    const hs_predictions *p = w->hits.predictions;
    take_group(w, members, size);
    for (int m = 0; m < HS_METRICS; m++)
        out[m] = !hs_metric_fits(m, p->target != NULL) ||
                         (hs_metric_formula(m)->needs & HS_OF_PROBABILITIES && !p->probability)
                     ? (double)NAN
                     : hs_metric_formula(m)->value(&w->hits);
}

int hs_metrics_compute(const hs_predictions *predictions, hs_scores *out, hsel_error *error)
{
    return hs_metrics_by_fold(predictions, out, NULL, error);
}

int hs_metrics_by_fold(const hs_predictions *p, hs_scores *out, double *by_fold, hsel_error *error)
{
    const uint32_t n = hs_tested_count(p), k = p->classes;
    HS_OWNED struct hs_metric_work *w = work_new(p, 0);
    HS_NEED(w);
    double *values = w->values, *recall = w->recall;
    measure_group(w, w->members, n, out->pooled);
    for (uint32_t c = 0; c < k; c++)
        w->present[c] = w->in_class[c] > 0;
    for (uint32_t i = 0; i < n; i++)
        w->start[p->fold_of[w->members[i]] - p->first_fold + 2]++;
    for (uint32_t f = 0; f < p->folds; f++)
        w->start[f + 2] += w->start[f + 1];
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t instance = hs_tested(p, i);
        w->members[w->start[p->fold_of[instance] - p->first_fold + 1]++] = instance;
    }
    out->folds_lack_class = false;
    for (uint32_t f = 0; f < p->folds; f++) {
        measure_group(w, w->members + w->start[f], w->start[f + 1] - w->start[f],
                      values + (size_t)f * HS_METRICS);
        for (uint32_t c = 0; c < k; c++) {
            recall[c] += recall_of(&w->hits, c);
            out->folds_lack_class |= w->present[c] && !w->in_class[c];
        }
    }
    for (uint32_t c = 0; c < k; c++)
        recall[c] /= p->folds;
    if (by_fold)
        memcpy(by_fold, values, (size_t)p->folds * HS_METRICS * sizeof *values);
    for (int m = 0; m < HS_METRICS; m++) { /* of the values that are there */
        double sum = 0, squares = 0;
        uint32_t count = 0;
        for (uint32_t f = 0; f < p->folds; f++) {
            double value = values[(size_t)f * HS_METRICS + (size_t)m];
            sum += isnan(value) ? 0 : value;
            count += !isnan(value);
        }
        double mean = out->fold_mean[m] = count ? sum / count : (double)NAN;
        for (uint32_t f = 0; f < p->folds; f++) {
            double value = values[(size_t)f * HS_METRICS + (size_t)m];
            squares += isnan(value) ? 0 : (value - mean) * (value - mean);
        }
        out->fold_se[m] = count > 1 ? sqrt(squares / (count - 1) / count) : (double)NAN;
        if (out->folds_lack_class || (count < p->folds && !p->target)) {
            out->fold_mean[m] = out->pooled[m];
            out->fold_se[m] = (double)NAN;
        }
    }
    for (int m = 0; m < HS_METRICS; m++)
        if (hs_metric_formula(m)->over_folds && hs_metric_fits(m, p->target != NULL) &&
            !out->folds_lack_class)
            out->fold_mean[m] = hs_metric_formula(m)->over_folds(
                &(hs_fold_means){p->classes, recall, out->fold_mean, out->pooled});
    return HSEL_OK;
}

/* ---- bootstrap ---- */

/* How often each unit is in a sample. */
static void draw_units(const hs_bootstrap *draws, uint32_t sample, uint32_t *drawn)
{
    hs_stream stream;
    hs_stream_init(&stream, draws->seed, "bootstrap", sample, 0);
    memset(drawn, 0, draws->units * sizeof *drawn);
    for (uint32_t u = 0; u < draws->units; u++)
        drawn[hs_random_below(&stream, draws->units)]++;
}

/* How often a sample has the repeat. */
static uint32_t draw_repeats(const hs_bootstrap *draws, uint32_t sample)
{
    uint32_t drawn = 0;
    hs_stream stream;
    hs_stream_init(&stream, draws->seed, "bootstrap of repeats", sample, 0);
    for (uint32_t r = 0; r < draws->repeats; r++)
        drawn += hs_random_below(&stream, draws->repeats) == draws->repeat;
    return drawn;
}

int hs_metrics_bootstrap(const hs_predictions *given, const hs_bootstrap *draws, double *values,
                         hsel_error *error)
{
    const uint32_t k = given->target ? 0 : given->classes;
    const size_t all = hs_tested_count(given);
    hs_predictions p = *given;
    HS_OWNED uint32_t *compared = HS_NEW(uint32_t, all), *drawn = HS_NEW(uint32_t, draws->units),
                      *size = HS_NEW_ZERO(uint32_t, draws->units),
                      *times = HS_NEW_ZERO(uint32_t, given->instances),
                      *sorted = HS_NEW(uint32_t, all * k);
    HS_OWNED double *score = HS_NEW(double, given->instances);
    uint64_t most = 0;
    double found[HS_METRICS];
    HS_NEED(compared && drawn && size && times && sorted && score);
    p.tested_count = 0;
    for (uint32_t i = 0; i < all; i++) {
        const uint32_t instance = hs_tested(given, i), unit = draws->unit_of[instance];
        if (unit == HSEL_NONE)
            continue;
        compared[p.tested_count++] = instance;
        size[unit]++;
    }
    p.tested = compared;
    for (uint32_t c = 0; c < k; c++) {
        uint32_t *of_class = sorted + (size_t)c * p.tested_count;
        for (uint32_t i = 0; i < p.tested_count; i++)
            score[compared[i]] = hs_ranked_by(&p, of_class[i] = compared[i], c);
        hs_order(score, HS_DOWNWARDS, of_class, p.tested_count);
    }
    for (uint32_t b = 1; b <= HS_BOOTSTRAP_SAMPLES; b++) {
        uint64_t instances = 0;
        draw_units(draws, b, drawn);
        for (uint32_t u = 0; u < draws->units; u++)
            instances += (uint64_t)drawn[u] * size[u];
        most = instances > most ? instances : most;
    }
    if (most >= HSEL_NONE)
        return hs_fail(error, HSEL_EUNSUPPORTED,
                       "a bootstrap sample of %u units can have more than 2^32 instances",
                       draws->units);
    HS_OWNED struct hs_metric_work *w = work_new(&p, most);
    HS_NEED(w);
    for (uint32_t b = 0; b <= HS_BOOTSTRAP_SAMPLES; b++, values += HS_METRICS) {
        const uint32_t often = b ? draw_repeats(draws, b) : 1;
        uint32_t instances = b ? 0 : p.tested_count;
        if (!often)
            continue;
        if (b)
            draw_units(draws, b, drawn);
        for (uint32_t i = 0; b && i < p.tested_count; i++) {
            times[compared[i]] = drawn[draws->unit_of[compared[i]]];
            for (uint32_t t = 0; t < times[compared[i]]; t++)
                w->members[instances++] = compared[i];
        }
        w->sorted = b ? sorted : NULL;
        w->times = b ? times : NULL;
        measure_group(w, w->members, instances, found);
        bool complete = true; /* are all classes in it? */
        for (uint32_t c = 0; c < k; c++)
            complete &= b == 0 || !w->present[c] || w->in_class[c];
        for (uint32_t c = 0; b == 0 && c < k; c++)
            w->present[c] = w->in_class[c] > 0;
        for (int m = 0; m < HS_METRICS; m++)
            values[m] += complete ? often * found[m] : (double)NAN;
    }
    return HSEL_OK;
}

/* ---- each class against the rest ---- */

const hs_metric hs_class_metric[HS_CLASS_MEASURES] = {
    [HS_CLASS_PRECISION] = HS_METRIC_PRECISION,
    [HS_CLASS_RECALL] = HS_METRIC_RECALL,
    [HS_CLASS_F1] = HS_METRIC_F1,
    [HS_CLASS_SPECIFICITY] = HS_METRIC_SPECIFICITY,
    [HS_CLASS_AUROC] = HS_METRIC_AUROC,
    [HS_CLASS_AUPRC] = HS_METRIC_AUPRC,
    [HS_CLASS_BRIER] = HS_METRIC_BRIER,
};

void hs_confusion_add(const hs_predictions *p, uint64_t *confusion)
{
    for (uint32_t i = 0; i < hs_tested_count(p); i++) {
        const uint32_t instance = hs_tested(p, i);
        confusion[(size_t)p->truth[instance] * p->classes + hs_prediction_of(p, instance)]++;
    }
}

int hs_metrics_by_class(const hs_predictions *p, double *out, hsel_error *error)
{
    const uint32_t n = hs_tested_count(p);
    HS_OWNED struct hs_metric_work *w = work_new(p, 0);
    HS_NEED(w);
    take_group(w, w->members, n);
    for (uint32_t c = 0; c < p->classes; c++, out += HS_CLASS_MEASURES) {
        const size_t points = rank_class(&w->hits, c);
        double squares = 0;
        for (uint32_t i = 0; i < n; i++) {
            const size_t at = (size_t)w->members[i] * p->classes + c;
            double off = (p->probability ? p->probability[at] : (double)NAN) - w->is_positive[i];
            squares += off * off;
        }
        out[HS_CLASS_PRECISION] = precision_of(&w->hits, c);
        out[HS_CLASS_RECALL] = recall_of(&w->hits, c);
        out[HS_CLASS_F1] = f1_of(&w->hits, c);
        out[HS_CLASS_SPECIFICITY] = specificity_of(&w->hits, c);
        hs_areas(w->point, points, &out[HS_CLASS_AUROC], &out[HS_CLASS_AUPRC]);
        out[HS_CLASS_BRIER] = squares / (double)n;
    }
    return HSEL_OK;
}

void hs_calibration_add(const hs_predictions *p, uint32_t label, hs_calibration_bin *bins)
{
    for (uint32_t i = 0; i < hs_tested_count(p) && p->probability; i++) {
        const uint32_t instance = hs_tested(p, i);
        double probability = p->probability[(size_t)instance * p->classes + label];
        if (!(probability >= 0 && probability <= 1))
            continue;
        size_t bin = (size_t)(probability * HS_CALIBRATION_BINS);
        bin = bin < HS_CALIBRATION_BINS ? bin : HS_CALIBRATION_BINS - 1;
        bins[bin].probability += probability;
        bins[bin].positives += p->truth[instance] == label;
        bins[bin].count++;
    }
}

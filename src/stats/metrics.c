/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Metrics: hits and sizes of each class and ranked scores for a group of instances (a fold, or
 * all), then means over folds. A class that no instance has at all (declared in a file, say) is
 * left out of every mean over classes.
 *
 * The areas rank by the scores of the classifier; by its probabilities on demand, as WEKA does and
 * the papers did: where these run into 1, instances tie that the classifier tells apart. Ranked by
 * scores, the auroc of two classes is the same for either, to the last bit. Folds and classes for
 * which an area is not defined are left out of its mean.
 */
#define _GNU_SOURCE /* qsort_r */
#include "stats/metrics.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"

/* ---- metrics of hits ---- */

static double ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

static double recall_of(const hs_hits *h, uint32_t c) { return ratio(h->hits[c], h->in_class[c]); }

/* The share of the other instances that are predicted as others. */
static double specificity_of(const hs_hits *h, uint32_t c)
{
    uint32_t others = h->size - h->in_class[c];
    return ratio(others - (h->predicted[c] - h->hits[c]), others);
}

static double f1_of(const hs_hits *h, uint32_t c)
{
    return ratio(2 * (uint64_t)h->hits[c], (uint64_t)h->in_class[c] + h->predicted[c]);
}

static double log_recall_of(const hs_hits *h, uint32_t c)
{
    return log(recall_of(h, c)); /* of 0: -INFINITY, and the mean of roots is 0 */
}

/* Mean over the classes that are there, each against the rest. */
static double over_classes(const hs_hits *h, double (*of)(const hs_hits *, uint32_t))
{
    double sum = 0;
    uint32_t present = 0;
    for (uint32_t c = 0; c < h->classes; c++)
        if (h->present ? h->present[c] : h->in_class[c] > 0) {
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

static double sensitivity(const hs_hits *h)
{
    return h->classes == 2 ? recall_of(h, h->positive_class) : over_classes(h, recall_of);
}

static double specificity(const hs_hits *h)
{
    return h->classes == 2 ? specificity_of(h, h->positive_class) : over_classes(h, specificity_of);
}

static double gm(const hs_hits *h)
{
    return h->classes == 2 ? sqrt(sensitivity(h) * specificity(h))
                           : exp(over_classes(h, log_recall_of));
}

static double macro_f1(const hs_hits *h) { return over_classes(h, f1_of); }

void hs_rates(const hs_hits *hits, double *out)
{
    for (int m = 0; m < HS_METRICS; m++)
        if (hs_metric_table[m].of_hits)
            out[m] = hs_metric_table[m].of_hits(hits);
}

/* ---- the table ---- */

const hs_metric_row hs_metric_table[HS_METRICS] = {
    [HS_METRIC_GM] = {"gm", "GM",
                      "(product of recalls)^(1/K), for two classes the root of sensitivity x "
                      "specificity; fold mean: of the fold means of the recalls, as in the papers",
                      gm, false},
    [HS_METRIC_AUROC] = {"auroc", "AUROC",
                         "Mann-Whitney with 1/2 for ties, positive class against the rest (K > 2: "
                         "mean over classes)",
                         NULL, true},
    [HS_METRIC_AUPRC] =
        {"auprc", "AUPRC",
         "grouped average precision: sum of (recall step) x precision over distinct scores", NULL,
         true},
    [HS_METRIC_ACCURACY] = {"accuracy", "Accuracy", "share of instances predicted as their class",
                            accuracy, true},
    [HS_METRIC_SENSITIVITY] = {"sensitivity", "Sensitivity",
                               "recall of the positive class (K > 2: mean over classes); a fold "
                               "without the class counts 0, as in the papers",
                               sensitivity, true},
    [HS_METRIC_SPECIFICITY] = {"specificity", "Specificity",
                               "share of the others predicted as others, likewise", specificity,
                               true},
    [HS_METRIC_MACRO_F1] = {"macro-f1", "Macro-F1", "mean of F1 over classes", macro_f1, true},
    [HS_METRIC_COMPRESSION] = {"compression", "Compression", "1 - selected / all features", NULL,
                               true},
    [HS_METRIC_HARMONIC] = {"harmonic", "Harmonic", "2 a c / (a + c) of accuracy and compression",
                            NULL, false},
};

hs_metric hs_metric_find(const char *name, size_t length)
{
    int metric = 0;
    while (metric < HS_METRICS && (strlen(hs_metric_table[metric].name) != length ||
                                   memcmp(hs_metric_table[metric].name, name, length) != 0))
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

/* ---- areas ---- */

static int by_score_down(const void *a, const void *b, void *context)
{
    const double *score = context;
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    if (score[i] > score[j] || score[i] < score[j])
        return score[i] > score[j] ? -1 : 1;
    if (isnan(score[i]) !=
        isnan(score[j])) /* last, so that the order is one whatever a classifier says */
        return isnan(score[i]) ? 1 : -1;
    return (i > j) - (i < j);
}

void hs_areas(const double *score, const uint8_t *is_positive, size_t count, uint32_t *order,
              double *auroc, double *auprc)
{
    /* Twice the number of (positive, negative) pairs in the right order, ties counting half: exact
     * in integers. */
    uint64_t pairs = 0, positives = 0;
    double area = 0;
    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    qsort_r(order, count, sizeof *order, by_score_down, (void *)(uintptr_t)score);
    for (size_t at = 0; at < count;) { /* groups of equal scores */
        size_t first = at;
        uint64_t here = 0;
        double value = score[order[first]];
        do
            here += is_positive[order[at]];
        while (++at < count && score[order[at]] == value);
        pairs += (at - first - here) * (2 * positives + here);
        positives += here;
        area += (double)here * ((double)positives / (double)at);
    }
    uint64_t negatives = count - positives;
    *auroc = positives && negatives ? (double)pairs / (2.0 * (double)positives * (double)negatives)
                                    : (double)NAN;
    *auprc = positives ? area / (double)positives : (double)NAN;
}

/* ---- one group of instances ---- */

struct work {
    const hs_predictions *p;
    uint32_t *members; /* instances of the group */
    uint32_t size;
    uint32_t *hits, *in_class, *predicted; /* [classes], of the group */
    bool *present;                         /* [classes]: some instance, of whatever group, has it */
    double *score;
    uint8_t *is_positive;
    uint32_t *order;
};

/* Both areas need the same order, so they are measured together. A class for which one is not
 * defined is left out of its mean. */
static void measure_areas(struct work *w, double *out)
{
    const hs_predictions *p = w->p;
    bool by_score = p->score && p->rank_by == HS_RANK_BY_SCORE;
    double sum[2] = {0};
    uint32_t count[2] = {0};
    for (uint32_t c = 0; c < p->classes; c++) {
        if (p->classes == 2 && c != p->positive_class)
            continue;
        for (uint32_t i = 0; i < w->size; i++) {
            uint32_t m = w->members[i];
            w->score[i] =
                by_score ? hs_score_of(p, m, c) : p->probability[(size_t)m * p->classes + c];
            w->is_positive[i] = p->truth[m] == c;
        }
        double area[2];
        hs_areas(w->score, w->is_positive, w->size, w->order, &area[0], &area[1]);
        for (int i = 0; i < 2; i++)
            if (!isnan(area[i])) {
                sum[i] += area[i];
                count[i]++;
            }
    }
    out[HS_METRIC_AUROC] = count[0] ? sum[0] / count[0] : (double)NAN;
    out[HS_METRIC_AUPRC] = count[1] ? sum[1] / count[1] : (double)NAN;
}

static double harmonic(const double *values)
{
    double a = values[HS_METRIC_ACCURACY], c = values[HS_METRIC_COMPRESSION];
    return a + c > 0 ? 2 * a * c / (a + c) : 0;
}

static hs_hits measure_group(struct work *w, double *out)
{
    const hs_predictions *p = w->p;
    uint32_t k = p->classes;
    uint64_t selected = 0;
    memset(w->hits, 0, k * sizeof *w->hits);
    memset(w->in_class, 0, k * sizeof *w->in_class);
    memset(w->predicted, 0, k * sizeof *w->predicted);
    for (uint32_t i = 0; i < w->size; i++) {
        uint32_t m = w->members[i], truth = p->truth[m], predicted = hs_prediction_of(p, m);
        w->in_class[truth]++;
        w->predicted[predicted]++;
        w->hits[truth] += predicted == truth;
        selected += p->selected ? p->selected[m] : p->features;
    }
    hs_hits hits = {k, p->positive_class, w->size, w->hits, w->in_class, w->predicted, w->present};
    hs_rates(&hits, out);
    measure_areas(w, out);
    out[HS_METRIC_COMPRESSION] = 1 - ratio(selected, (uint64_t)w->size * p->features);
    out[HS_METRIC_HARMONIC] = harmonic(out);
    return hits;
}

/* ---- over folds ---- */

/* Mean and standard error of the values that are there. */
static void mean_of(const double *values, uint32_t folds, uint32_t metric, double *mean, double *se)
{
    double sum = 0, squares = 0;
    uint32_t count = 0;
    for (uint32_t f = 0; f < folds; f++) {
        double value = values[(size_t)f * HS_METRICS + metric];
        sum += isnan(value) ? 0 : value;
        count += !isnan(value);
    }
    *mean = count ? sum / count : (double)NAN;
    for (uint32_t f = 0; f < folds; f++) {
        double value = values[(size_t)f * HS_METRICS + metric];
        squares += isnan(value) ? 0 : (value - *mean) * (value - *mean);
    }
    *se = count > 1 ? sqrt(squares / (count - 1) / count) : (double)NAN;
}

static int by_folds(struct work *w, hs_scores *out, hsel_error *error)
{
    const hs_predictions *p = w->p;
    HS_OWNED double *values = HS_NEW(double, (size_t)p->folds *HS_METRICS),
                    *recall_sum = HS_NEW_ZERO(double, p->classes);
    HS_OWNED uint32_t *start = HS_NEW_ZERO(uint32_t, (size_t)p->folds + 2); /* of each fold */
    uint32_t *all = w->members;
    HS_NEED(values && recall_sum && start);
    for (uint32_t i = 0; i < p->instances; i++)
        start[p->fold_of[i] + 2]++;
    for (uint32_t f = 0; f < p->folds; f++)
        start[f + 2] += start[f + 1];
    for (uint32_t i = 0; i < p->instances; i++)
        all[start[p->fold_of[i] + 1]++] = i;
    for (uint32_t f = 0; f < p->folds; f++) {
        w->members = all + start[f];
        w->size = start[f + 1] - start[f];
        hs_hits hits = measure_group(w, values + (size_t)f * HS_METRICS);
        for (uint32_t c = 0; c < p->classes; c++)
            recall_sum[c] += recall_of(&hits, c);
    }
    w->members = all;
    for (uint32_t m = 0; m < HS_METRICS; m++)
        mean_of(values, p->folds, m, &out->fold_mean[m], &out->fold_se[m]);
    /* As the papers do: the geometric mean of fold means, not the mean of the folds' ones. */
    double logarithms = 0;
    uint32_t present = 0;
    for (uint32_t c = 0; c < p->classes; c++)
        if (w->present[c]) {
            logarithms += log(recall_sum[c] / p->folds);
            present++;
        }
    out->fold_mean[HS_METRIC_GM] =
        p->classes == 2
            ? sqrt(out->fold_mean[HS_METRIC_SENSITIVITY] * out->fold_mean[HS_METRIC_SPECIFICITY])
            : exp(logarithms / present);
    out->fold_mean[HS_METRIC_HARMONIC] = harmonic(out->fold_mean);
    return HSEL_OK;
}

int hs_metrics_compute(const hs_predictions *predictions, hs_scores *out, hsel_error *error)
{
    const size_t n = predictions->instances, k = predictions->classes;
    HS_OWNED uint32_t *members = HS_NEW(uint32_t, n), *order = HS_NEW(uint32_t, n),
                      *counts = HS_NEW(uint32_t, 3 * k);
    HS_OWNED bool *present = HS_NEW_ZERO(bool, k);
    HS_OWNED double *score = HS_NEW(double, n);
    HS_OWNED uint8_t *is_positive = HS_NEW(uint8_t, n);
    HS_NEED(members && order && counts && present && score && is_positive);
    for (uint32_t i = 0; i < n; i++) {
        members[i] = i;
        present[predictions->truth[i]] = true;
    }
    struct work w = {.p = predictions,
                     .members = members,
                     .size = predictions->instances,
                     .hits = counts,
                     .in_class = counts + k,
                     .predicted = counts + 2 * k,
                     .present = present,
                     .score = score,
                     .is_positive = is_positive,
                     .order = order};
    measure_group(&w, out->pooled);
    return by_folds(&w, out, error);
}

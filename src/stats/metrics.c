/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Metrics: hits and sizes of each class and ranked scores for a group of instances (a fold, or
 * all), then means over folds. A class that no instance has at all (declared in a file, say) is
 * left out of every mean over classes.
 */
#define _GNU_SOURCE /* qsort_r */
#include "stats/metrics.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"

static const char *const names[HS_METRICS][2] = {
    [HS_METRIC_GM] = {"gm", "GM"},
    [HS_METRIC_AUROC] = {"auroc", "AUROC"},
    [HS_METRIC_AUPRC] = {"auprc", "AUPRC"},
    [HS_METRIC_ACCURACY] = {"accuracy", "Accuracy"},
    [HS_METRIC_SENSITIVITY] = {"sensitivity", "Sensitivity"},
    [HS_METRIC_SPECIFICITY] = {"specificity", "Specificity"},
    [HS_METRIC_MACRO_F1] = {"macro-f1", "Macro-F1"},
    [HS_METRIC_COMPRESSION] = {"compression", "Compression"},
    [HS_METRIC_HARMONIC] = {"harmonic", "Harmonic"},
};

const char *hs_metric_name(hs_metric metric) { return names[metric][0]; }

const char *hs_metric_title(hs_metric metric) { return names[metric][1]; }

hs_metric hs_metric_find(const char *name, size_t length)
{
    int metric = 0;
    while (metric < HS_METRICS &&
           (strlen(names[metric][0]) != length || memcmp(names[metric][0], name, length) != 0))
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

static void rank_down(const double *score, size_t count, uint32_t *order)
{
    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    qsort_r(order, count, sizeof *order, by_score_down, (void *)(uintptr_t)score);
}

/* Positives and all instances in the group of equal scores that starts at *at, which moves behind
 * it. */
static size_t next_group(const double *score, const uint8_t *is_positive, size_t count,
                         const uint32_t *order, size_t *at, size_t *positives)
{
    size_t first = *at;
    double value = score[order[first]];
    *positives = 0;
    do
        *positives += is_positive[order[*at]];
    while (++*at < count && score[order[*at]] == value);
    return *at - first;
}

static double ranked_auroc(const double *score, const uint8_t *is_positive, size_t count,
                           const uint32_t *order)
{
    /* Twice the number of (positive, negative) pairs in the right order, ties counting half: exact
     * in integers. */
    uint64_t pairs = 0, above = 0, positives = 0;
    for (size_t at = 0; at < count;) {
        size_t here, size = next_group(score, is_positive, count, order, &at, &here);
        uint64_t negatives = size - here;
        pairs += negatives * (2 * above + here);
        above += here;
    }
    positives = above;
    uint64_t negatives = count - positives;
    return positives && negatives ? (double)pairs / (2.0 * (double)positives * (double)negatives)
                                  : (double)NAN;
}

static double ranked_auprc(const double *score, const uint8_t *is_positive, size_t count,
                           const uint32_t *order)
{
    size_t positives = 0, found = 0;
    double area = 0;
    for (size_t i = 0; i < count; i++)
        positives += is_positive[i];
    for (size_t at = 0; at < count;) {
        size_t here;
        next_group(score, is_positive, count, order, &at, &here);
        found += here;
        area += (double)here * ((double)found / (double)at);
    }
    return positives ? area / (double)positives : (double)NAN;
}

double hs_auroc(const double *score, const uint8_t *is_positive, size_t count, uint32_t *order)
{
    rank_down(score, count, order);
    return ranked_auroc(score, is_positive, count, order);
}

double hs_auprc(const double *score, const uint8_t *is_positive, size_t count, uint32_t *order)
{
    rank_down(score, count, order);
    return ranked_auprc(score, is_positive, count, order);
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

static double ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

static void count_hits(struct work *w)
{
    uint32_t k = w->p->classes;
    memset(w->hits, 0, k * sizeof *w->hits);
    memset(w->in_class, 0, k * sizeof *w->in_class);
    memset(w->predicted, 0, k * sizeof *w->predicted);
    for (uint32_t i = 0; i < w->size; i++) {
        uint32_t m = w->members[i], truth = w->p->truth[m];
        uint32_t predicted = hs_prediction_of(w->p, m);
        w->in_class[truth]++;
        w->predicted[predicted]++;
        w->hits[truth] += predicted == truth;
    }
}

/* The share of the other instances that are predicted as others. */
static double specificity_of(const hs_hits *h, uint32_t c)
{
    uint32_t others = h->size - h->in_class[c];
    return ratio(others - (h->predicted[c] - h->hits[c]), others);
}

static double recall_of(const struct work *w, uint32_t c)
{
    return ratio(w->hits[c], w->in_class[c]);
}

void hs_rates(const hs_hits *h, double *out)
{
    uint32_t k = h->classes, present = 0;
    uint64_t hits = 0;
    double logarithms = 0, f1 = 0, recalls = 0, specificities = 0;
    for (uint32_t c = 0; c < k; c++) {
        if (h->present ? !h->present[c] : !h->in_class[c])
            continue;
        present++;
        hits += h->hits[c];
        logarithms +=
            log(ratio(h->hits[c], h->in_class[c])); /* of 0: -INFINITY, and the mean is 0 */
        f1 += ratio(2 * (uint64_t)h->hits[c], (uint64_t)h->in_class[c] + h->predicted[c]);
        recalls += ratio(h->hits[c], h->in_class[c]);
        specificities += specificity_of(h, c);
    }
    if (k == 2) {
        out[HS_METRIC_SENSITIVITY] =
            ratio(h->hits[h->positive_class], h->in_class[h->positive_class]);
        out[HS_METRIC_SPECIFICITY] = specificity_of(h, h->positive_class);
        out[HS_METRIC_GM] = sqrt(out[HS_METRIC_SENSITIVITY] * out[HS_METRIC_SPECIFICITY]);
    } else { /* means over classes, each against the rest */
        out[HS_METRIC_SENSITIVITY] = recalls / present;
        out[HS_METRIC_SPECIFICITY] = specificities / present;
        out[HS_METRIC_GM] = exp(logarithms / present);
    }
    out[HS_METRIC_ACCURACY] = ratio(hits, h->size);
    out[HS_METRIC_MACRO_F1] = f1 / present;
}

static void area_of_class(struct work *w, uint32_t c, double *auroc, double *auprc)
{
    const hs_predictions *p = w->p;
    bool by_score = p->score && p->rank_by == HS_RANK_BY_SCORE;
    for (uint32_t i = 0; i < w->size; i++) {
        uint32_t m = w->members[i];
        w->score[i] = by_score ? hs_score_of(p, m, c) : p->probability[(size_t)m * p->classes + c];
        w->is_positive[i] = p->truth[m] == c;
    }
    rank_down(w->score, w->size, w->order);
    *auroc = ranked_auroc(w->score, w->is_positive, w->size, w->order);
    *auprc = ranked_auprc(w->score, w->is_positive, w->size, w->order);
}

/* Of the positive class; with more than two, the mean over the classes that are there. */
static void areas(struct work *w, double *out)
{
    double auroc, auprc, roc_sum = 0, prc_sum = 0;
    uint32_t roc_count = 0, prc_count = 0;
    if (w->p->classes == 2) {
        area_of_class(w, w->p->positive_class, &out[HS_METRIC_AUROC], &out[HS_METRIC_AUPRC]);
        return;
    }
    for (uint32_t c = 0; c < w->p->classes; c++) {
        area_of_class(w, c, &auroc, &auprc);
        if (!isnan(auroc)) {
            roc_sum += auroc;
            roc_count++;
        }
        if (!isnan(auprc)) {
            prc_sum += auprc;
            prc_count++;
        }
    }
    out[HS_METRIC_AUROC] = roc_count ? roc_sum / roc_count : (double)NAN;
    out[HS_METRIC_AUPRC] = prc_count ? prc_sum / prc_count : (double)NAN;
}

static double harmonic(double a, double c) { return a + c > 0 ? 2 * a * c / (a + c) : 0; }

static void measure_group(struct work *w, double *out)
{
    uint64_t selected = 0;
    count_hits(w);
    hs_rates(&(hs_hits){.classes = w->p->classes,
                        .positive_class = w->p->positive_class,
                        .size = w->size,
                        .hits = w->hits,
                        .in_class = w->in_class,
                        .predicted = w->predicted,
                        .present = w->present},
             out);
    areas(w, out);
    for (uint32_t i = 0; i < w->size; i++)
        selected += w->p->selected ? w->p->selected[w->members[i]] : w->p->features;
    out[HS_METRIC_COMPRESSION] = 1 - ratio(selected, (uint64_t)w->size * w->p->features);
    out[HS_METRIC_HARMONIC] = harmonic(out[HS_METRIC_ACCURACY], out[HS_METRIC_COMPRESSION]);
}

/* ---- over folds ---- */

/* Mean and standard error of the values that are there. */
static void mean_of(const double *values, uint32_t folds, uint32_t metric, double *mean, double *se)
{
    double sum = 0, squares = 0;
    uint32_t count = 0;
    for (uint32_t f = 0; f < folds; f++) {
        double value = values[(size_t)f * HS_METRICS + metric];
        if (!isnan(value)) {
            sum += value;
            count++;
        }
    }
    *mean = count ? sum / count : (double)NAN;
    for (uint32_t f = 0; f < folds; f++) {
        double value = values[(size_t)f * HS_METRICS + metric];
        if (!isnan(value))
            squares += (value - *mean) * (value - *mean);
    }
    *se = count > 1 ? sqrt(squares / (count - 1) / count) : (double)NAN;
}

/* The instances sorted by fold into w->members; start[f] is where fold f begins. */
static void sort_by_fold(struct work *w, uint32_t *start)
{
    const hs_predictions *p = w->p;
    for (uint32_t i = 0; i < p->instances; i++)
        start[p->fold_of[i] + 2]++;
    for (uint32_t f = 0; f < p->folds; f++)
        start[f + 2] += start[f + 1];
    for (uint32_t i = 0; i < p->instances; i++)
        w->members[start[p->fold_of[i] + 1]++] = i;
}

/* As the papers do: the geometric mean of fold means, not the mean of the folds' geometric means.
 */
static double gm_of_means(const struct work *w, const double *recall_sum)
{
    double logarithms = 0;
    uint32_t present = 0;
    for (uint32_t c = 0; c < w->p->classes; c++)
        if (w->present[c]) {
            logarithms += log(recall_sum[c] / w->p->folds);
            present++;
        }
    return exp(logarithms / present);
}

static int by_folds(struct work *w, hs_scores *out, hsel_error *error)
{
    const hs_predictions *p = w->p;
    double *values = HS_NEW(double, (size_t)p->folds *HS_METRICS),
           *recall_sum = HS_NEW_ZERO(double, p->classes);
    uint32_t *start = HS_NEW_ZERO(uint32_t, (size_t)p->folds + 2);
    uint32_t *all = w->members;
    int status = values && recall_sum && start ? HSEL_OK : hs_fail_memory(error);
    if (status)
        goto out;
    sort_by_fold(w, start);
    for (uint32_t f = 0; f < p->folds; f++) {
        w->members = all + start[f];
        w->size = start[f + 1] - start[f];
        measure_group(w, values + (size_t)f * HS_METRICS);
        for (uint32_t c = 0; c < p->classes; c++)
            recall_sum[c] += recall_of(w, c);
    }
    w->members = all;
    for (uint32_t m = 0; m < HS_METRICS; m++)
        mean_of(values, p->folds, m, &out->fold_mean[m], &out->fold_se[m]);
    out->fold_mean[HS_METRIC_GM] =
        p->classes == 2
            ? sqrt(out->fold_mean[HS_METRIC_SENSITIVITY] * out->fold_mean[HS_METRIC_SPECIFICITY])
            : gm_of_means(w, recall_sum);
    out->fold_mean[HS_METRIC_HARMONIC] =
        harmonic(out->fold_mean[HS_METRIC_ACCURACY], out->fold_mean[HS_METRIC_COMPRESSION]);
out:
    hs_free(values);
    hs_free(recall_sum);
    hs_free(start);
    return status;
}

static int work_new(const hs_predictions *predictions, struct work *w, hsel_error *error)
{
    const size_t n = predictions->instances, k = predictions->classes;
    *w = (struct work){.p = predictions,
                       .members = HS_NEW(uint32_t, n),
                       .size = predictions->instances,
                       .hits = HS_NEW(uint32_t, k),
                       .in_class = HS_NEW(uint32_t, k),
                       .predicted = HS_NEW(uint32_t, k),
                       .present = HS_NEW_ZERO(bool, k),
                       .score = HS_NEW(double, n),
                       .is_positive = HS_NEW(uint8_t, n),
                       .order = HS_NEW(uint32_t, n)};
    if (!w->members || !w->hits || !w->in_class || !w->predicted || !w->present || !w->score ||
        !w->is_positive || !w->order)
        return hs_fail_memory(error);
    for (uint32_t i = 0; i < n; i++) {
        w->members[i] = i;
        w->present[predictions->truth[i]] = true;
    }
    return HSEL_OK;
}

static void work_clear(struct work *w)
{
    hs_free(w->members);
    hs_free(w->hits);
    hs_free(w->in_class);
    hs_free(w->predicted);
    hs_free(w->present);
    hs_free(w->score);
    hs_free(w->is_positive);
    hs_free(w->order);
}

int hs_metrics_compute(const hs_predictions *predictions, hs_scores *out, hsel_error *error)
{
    struct work w;
    int status = work_new(predictions, &w, error);
    if (status == HSEL_OK) {
        measure_group(&w, out->pooled);
        status = by_folds(&w, out, error);
    }
    work_clear(&w);
    return status;
}

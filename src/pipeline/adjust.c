/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scores from inner folds, curves by Platt or by pooling adjacent violators, and the threshold by a
 * sweep over the sorted scores. O(inner folds x learning + n log n).
 */
#include "pipeline/adjust.h"

#include <float.h>

#include "classify/platt.h"
#include "pipeline/inner.h"
#include "stats/metrics.h"

void hs_adjust_clear(hs_adjust *adjust)
{
    for (uint32_t c = 0; adjust->curve && c < adjust->curves; c++)
        HS_FREE(adjust->curve[c].at, adjust->curve[c].share);
    hs_free(adjust->curve);
    *adjust = (hs_adjust){0};
}

static bool sets_threshold(const hs_adjust_options *options)
{
    return strcmp(options->threshold, "none") != 0;
}

static bool adjusts(const hs_adjust_options *options)
{
    return options->calibration != HS_CALIBRATION_NONE || sets_threshold(options);
}

bool hs_adjust_asked(const hs_chosen *classifier)
{
    const hs_adjust_options *options = hs_adjust_of(classifier);
    return options && !classifier->method->classifier->adjusts_itself && adjusts(options);
}

/* ---- curves ---- */

struct block { /* of instances with one probability */
    double low, high, positives, size;
};

int hs_isotonic_fit(const double *score, const bool *positive, const double *weight, size_t count,
                    hs_curve *out, hsel_error *error)
{
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, count);
    HS_OWNED struct block *blocks = HS_NEW(struct block, count);
    size_t used = 0;
    HS_NEED(order && blocks);
    hs_order_all(score, HS_UPWARDS, order, count);
    for (size_t i = 0; i < count;) {
        double at = score[order[i]];
        struct block block = {.low = at, .high = at};
        for (; i < count && score[order[i]] == at; i++) { /* equal scores are one block */
            const double counts = weight ? weight[order[i]] : 1;
            block.positives += positive[order[i]] ? counts : 0;
            block.size += counts;
        }
        /* The block before has no lower share: both become one, and so on. */
        while (used &&
               blocks[used - 1].positives * block.size >= block.positives * blocks[used - 1].size) {
            used--;
            block.low = blocks[used].low;
            block.positives += blocks[used].positives;
            block.size += blocks[used].size;
        }
        blocks[used++] = block;
    }
    out->least = 1 / ((double)count + 2);
    out->at = HS_NEW(double, 2 * used);
    out->share = HS_NEW(double, 2 * used);
    HS_NEED(out->at && out->share);
    for (size_t i = 0; i < used; i++) { /* a corner at either end of a block */
        for (int end = 0; end < (blocks[i].low < blocks[i].high ? 2 : 1); end++) {
            out->at[out->count] = end ? blocks[i].high : blocks[i].low;
            out->share[out->count++] = blocks[i].positives / blocks[i].size;
        }
    }
    return HSEL_OK;
}

hs_curve hs_curve_platt(double *score, const bool *positive, const double *weight, size_t count)
{
    double with[2] = {0}, least = 0, most = 0; /* of those that are finite */
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        with[positive[i]] += weight ? weight[i] : 1;
        if (!isfinite(score[i]))
            continue;
        least = any ? fmin(least, score[i]) : score[i];
        most = any ? fmax(most, score[i]) : score[i];
        any = true;
    }
    for (size_t i = 0; i < count; i++)
        if (!isfinite(score[i]))
            score[i] = score[i] > 0 ? most + !any : least - !any;
    hs_platt platt = hs_platt_fit(score, positive, weight, count, true);
    if (!(platt.a < 0)) /* scores are uninformative, or reversed */
        platt = (hs_platt){0, log((with[0] + 1) / (with[1] + 1))};
    return (hs_curve){platt.a, platt.b, .least = 1 / ((double)count + 2)};
}

double hs_curve_at(const hs_curve *curve, double score)
{
    double share;
    if (curve->count == 0) {
        share = hs_platt_probability((hs_platt){curve->a, curve->b},
                                     fmin(fmax(score, -DBL_MAX), DBL_MAX));
    } else {
        uint32_t low = 0, high = curve->count; /* the first corner above the score is in between */
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (curve->at[middle] > score)
                high = middle;
            else
                low = middle + 1;
        }
        if (low == 0 || low == curve->count) {
            share = curve->share[low ? low - 1 : 0];
        } else {
            double from = curve->at[low - 1], to = curve->at[low];
            share = curve->share[low - 1] +
                    (curve->share[low] - curve->share[low - 1]) * ((score - from) / (to - from));
        }
    }
    return fmin(1 - curve->least, fmax(curve->least, share));
}

/* The score above which the curve is above a probability; infinite: it never is, or always. */
static double cut_at(const hs_curve *curve, double probability)
{
    if (probability < curve->least || probability >= 1 - curve->least)
        return probability < curve->least ? (double)-INFINITY : (double)INFINITY;
    if (curve->count == 0)
        return curve->a < 0 ? (log(1 / probability - 1) - curve->b) / curve->a
               : hs_curve_at(curve, 0) > probability ? (double)-INFINITY
                                                     : (double)INFINITY;
    uint32_t first = 0; /* above it */
    while (first < curve->count && curve->share[first] <= probability)
        first++;
    if (first == 0 || first == curve->count)
        return first ? (double)INFINITY : (double)-INFINITY;
    double from = curve->at[first - 1], to = curve->at[first];
    return from + (to - from) * ((probability - curve->share[first - 1]) /
                                 (curve->share[first] - curve->share[first - 1]));
}

/* ---- scores of the inner folds ---- */

/* Scores of all tested instances, into score[rows * hs_score_width(classes)]; `tested` gets their
 * positions, ascending. */
static int score_folds(const hs_training *outer, const hs_chosen *selector,
                       const hs_chosen *classifier, double *score, uint32_t *tested,
                       uint32_t *count, hsel_error *error)
{
    HS_OWNS(hs_inner_clear) hs_inner folds = {0};
    HS_TRY(hs_inner_init(&(hs_inner_request){.training = outer,
                                             .folds = hs_adjust_of(classifier)->inner_folds,
                                             .seed = outer->seed,
                                             .owner = classifier->method->name},
                         &folds, error));
    hs_progress_parts progress = {.whole = outer->progress, .count = folds.folds.count};
    *count = 0;
    for (uint32_t i = 0; i < folds.folds.instances; i++)
        if (hs_fold_tests(&folds.folds, i))
            tested[(*count)++] = i;
    for (uint32_t f = 0; f < folds.folds.count; f++) {
        hs_progress_part part;
        hs_stream stream;
        hs_progress_part_begin(&part, &progress, "inner folds");
        hs_stream_init(&stream, outer->seed, "adjust", f, 0);
        const hs_training training = {.view = folds.rest[f],
                                      .counts = &folds.train[f],
                                      .seed = hs_random_u64(&stream),
                                      .progress = &part.progress,
                                      .threads = outer->threads,
                                      .weight = outer->weight};
        HS_TRY(hs_inner_scores(&folds, f, selector, classifier, 1, NULL, &training, score, error));
        HS_TRY(hs_progress_part_end(&part, error));
    }
    return HSEL_OK;
}

/* ---- the threshold ---- */

/* Between which two of the sorted scores predictions change, so that the metric is best, or the
 * cost least; ties to the one nearest to 0. */
static int best_cut(const hsel_dataset *data, const hs_adjust_options *options, const double *score,
                    const bool *second, size_t count, double *cut, hsel_error *error)
{
    const char *wanted = options->threshold;
    const hs_metric metric = hs_metric_find(wanted, strlen(wanted));
    const hs_formula *formula = metric < HS_METRICS ? hs_metric_formula(metric) : NULL;
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, count);
    double best = -INFINITY;
    uint32_t in_class[2] = {0}, hits[2] = {0};
    HS_NEED(order);
    hs_order_all(score, HS_UPWARDS, order, count);
    for (size_t i = 0; i < count; i++)
        in_class[second[i]]++;
    hits[1] = in_class[1];                /* all are predicted as the second */
    for (size_t i = 0; i <= count; i++) { /* those before i are predicted as the first */
        bool between = i == 0 || i == count || score[order[i]] > score[order[i - 1]];
        uint32_t predicted[2] = {(uint32_t)i, (uint32_t)(count - i)}, of = data->positive_class,
                 other = 1 - of;
        double value =
            formula
                ? formula->value(&(hs_hits){.classes = 2,
                                            .positive_class = of,
                                            .size = (uint32_t)count,
                                            .hits = hits,
                                            .in_class = in_class,
                                            .predicted = predicted})
                : -(options->cost * (in_class[of] - hits[of]) + (in_class[other] - hits[other]));
        double here = i == 0       ? (double)-INFINITY
                      : i == count ? (double)INFINITY
                                   : score[order[i - 1]] / 2 + score[order[i]] / 2;
        if (formula && formula->lower_is_better)
            value = -value;
        if (between && (value > best || (value == best && fabs(here) < fabs(*cut)))) {
            best = value;
            *cut = here;
        }
        if (i < count) {
            hits[0] += !second[order[i]];
            hits[1] -= second[order[i]];
        }
    }
    return HSEL_OK;
}

/* Whether the options suit the data. */
static int check_options(const hsel_dataset *data, const char *name,
                         const hs_adjust_options *options, hsel_error *error)
{
    const uint32_t classes = data->class_names.count;
    if (data->target)
        return hs_fail(error, HSEL_EUSAGE, "%s:%s is for classes, but the target of %s is a number",
                       name, sets_threshold(options) ? "threshold" : "calibration",
                       hsel_dataset_name(data));
    if (sets_threshold(options) && classes != 2)
        return hs_fail(error, HSEL_EUSAGE,
                       "%s:threshold=%s is for two classes, but %s has %u: leave it out", name,
                       options->threshold, hsel_dataset_name(data), classes);
    return HSEL_OK;
}

int hs_adjust_of_scores(const hs_view *view, const char *name, const hs_adjust_options *options,
                        const double *weight, const double *scores, const uint32_t *tested,
                        uint32_t rows, hs_adjust *out, hsel_error *error)
{
    const hsel_dataset *data = view->data;
    const uint32_t classes = data->class_names.count, width = hs_score_width(classes);
    const double fixed = hs_adjust_probability(options);
    HS_OWNS(hs_adjust_clear) hs_adjust made = {0};
    HS_OWNED double *score = HS_NEW(double, rows);
    HS_OWNED bool *is_class = HS_NEW(bool, rows);
    HS_NEED(score && is_class);
    HS_TRY(check_options(data, name, options, error));
    if (!adjusts(options))
        return HSEL_OK;
    if (options->calibration != HS_CALIBRATION_NONE) {
        HS_NEED(made.curve = HS_NEW_ZERO(hs_curve, width));
        made.curves = width;
    }
    for (uint32_t w = 0; w < width; w++) {
        for (uint32_t i = 0; i < rows; i++) {
            score[i] = scores[(size_t)tested[i] * width + w];
            is_class[i] = data->class_of[hs_view_row(view, tested[i])] == (classes == 2 ? 1 : w);
        }
        if (options->calibration == HS_CALIBRATION_ISOTONIC) {
            HS_TRY(hs_isotonic_fit(score, is_class, weight, rows, &made.curve[w], error));
        } else if (options->calibration != HS_CALIBRATION_NONE) {
            made.curve[w] = hs_curve_platt(score, is_class, weight, rows);
        }
    }
    made.moves = hs_adjust_moves(options);
    if (!isnan(fixed))
        made.cut = cut_at(&made.curve[0],
                          data->positive_class == 1 ? fixed : 1 - fixed); /* of the second class */
    else if (sets_threshold(options))
        HS_TRY(best_cut(data, options, score, is_class, rows, &made.cut, error));
    else if (classes == 2)
        made.cut = cut_at(&made.curve[0], 0.5);
    HS_MOVE(out, &made);
    return HSEL_OK;
}

/* Instances of the rarest class that occurs. */
static uint32_t rarest(const hs_view *view)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t c = 0; c < view->data->class_names.count; c++) {
        uint32_t size = 0;
        for (uint32_t i = 0; i < view->row_count; i++)
            size += view->data->class_of[hs_view_row(view, i)] == c;
        least = size > 0 && size < least ? size : least;
    }
    return least;
}

int hs_adjust_learn(const hs_training *training, const hs_chosen *selector,
                    const hs_chosen *classifier, hs_adjust *out, hsel_error *error)
{
    const hs_view *view = &training->view;
    const hs_adjust_options *options = hs_adjust_of(classifier);
    const char *name = classifier->method->name;
    const uint32_t width = hs_score_width(view->data->class_names.count);
    const bool may_fail = !hs_adjust_moves(options); /* calibration=auto */
    if (!hs_adjust_asked(classifier) || (may_fail && view->data->target))
        return HSEL_OK;
    HS_TRY(check_options(view->data, name, options, error));
    HS_OWNED double *scores = HS_NEW(double, (size_t)view->row_count *width);
    HS_OWNED uint32_t *tested = HS_NEW(uint32_t, view->row_count);
    uint32_t count = 0;
    HS_NEED(scores && tested);
    hsel_error refused = {0};
    const bool few = may_fail && rarest(view) < options->inner_folds;
    int status = few ? HSEL_EUSAGE
                     : score_folds(training, selector, classifier, scores, tested, &count,
                                   may_fail ? &refused : error);
    if (may_fail && training->progress)
        HS_TRY(hs_notes_count(training->progress->notes, name,
                              "fits had too few instances of a class to calibrate probabilities",
                              status == HSEL_EUSAGE, error));
    if (may_fail && status == HSEL_EUSAGE)
        return HSEL_OK;
    if (may_fail && status != HSEL_OK)
        *error = refused;
    HS_TRY(status);
    return hs_adjust_of_scores(view, name, options, NULL, scores, tested, count, out, error);
}

bool hs_adjust_keeps(const hs_chosen *classifier)
{
    return hs_adjust_asked(classifier) && !hs_adjust_moves(hs_adjust_of(classifier));
}

bool hs_adjust_by_model(const hs_chosen *selector, const hs_chosen *classifier)
{
    const hs_classifier *c = classifier->method->classifier;
    return hs_adjust_keeps(classifier) && c->scores_training &&
           c->scores_training(classifier->options) &&
           !(selector && selector->method->flags & HS_NEEDS_CLASSES);
}

int hs_adjust_learn_own(const hs_training *training, const hs_chosen *classifier, double *score,
                        hs_adjust *out, hsel_error *error)
{
    const hs_view *view = &training->view;
    const uint32_t width = hs_score_width(view->data->class_names.count);
    HS_OWNED uint32_t *tested = HS_NEW(uint32_t, view->row_count);
    uint32_t count = 0;
    HS_NEED(tested);
    for (uint32_t i = 0; i < view->row_count; i++)
        if (hs_has_label(view->data, hs_view_row(view, i)))
            tested[count++] = i;
    for (uint32_t i = count; i-- > 0;) /* from those with a class to their places in the view */
        memmove(score + (size_t)tested[i] * width, score + (size_t)i * width,
                width * sizeof *score);
    return count && !view->data->target
               ? hs_adjust_of_scores(view, classifier->method->name, hs_adjust_of(classifier), NULL,
                                     score, tested, count, out, error)
               : HSEL_OK;
}

/* ---- in use ---- */

void hs_adjust_apply(const hs_adjust *adjust, uint32_t classes, uint32_t count, double *probability,
                     double *score)
{
    if (!adjust->curves && !adjust->moves)
        return;
    for (uint32_t i = 0; i < count; i++, probability += classes, score += classes) {
        double sum = 0;
        if (classes == 2) {
            double s = score[1];
            if (adjust->curves) {
                probability[1] = hs_curve_at(adjust->curve, s);
                probability[0] = 1 - probability[1];
            }
            if (!adjust->moves)
                continue;
            /* No finite shift: the order is kept, and the sign is right. */
            score[1] = isfinite(adjust->cut)
                           ? s - adjust->cut
                           : copysign(1.5, -adjust->cut) +
                                 (isfinite(s) ? s / (1 + fabs(s)) : copysign(1, s));
            score[0] = 0 - score[1];
            continue;
        }
        for (uint32_t c = 0; c < classes; c++)
            sum += probability[c] = hs_curve_at(&adjust->curve[c], score[c]);
        for (uint32_t c = 0; c < classes; c++) {
            probability[c] /= sum;
            if (adjust->moves)
                score[c] = log(probability[c]) - log1p(-probability[c]);
        }
    }
}

int hs_adjust_fields(hs_adjust *adjust, uint32_t classes, hs_transfer *file, hsel_error *error)
{
    uint32_t moves = adjust->moves, width = hs_score_width(classes);
    HS_FIELDS(file, HS_VALUE(adjust->curves, 0, width), HS_VALUE(moves, 0, 1),
              HS_VALUE(adjust->cut, HS_ANY));
    adjust->moves = moves;
    if (isnan(adjust->cut) || (adjust->curves && adjust->curves != width) ||
        (adjust->moves && (classes < 2 || (classes > 2 && !adjust->curves))))
        return HSEL_EFORMAT;
    if (hs_reads(file) && adjust->curves)
        HS_NEED(adjust->curve = HS_NEW_ZERO(hs_curve, adjust->curves));
    for (uint32_t c = 0; c < adjust->curves; c++) {
        hs_curve *curve = &adjust->curve[c];
        HS_FIELDS(file, HS_VALUE(curve->a, HS_ANY), HS_VALUE(curve->b, HS_ANY),
                  HS_VALUE(curve->least, HS_ANY), HS_VALUE(curve->count, HS_ANY));
        if (!(curve->least > 0 && curve->least < 1) || isnan(curve->a) || isnan(curve->b))
            return HSEL_EFORMAT;
        HS_FIELDS(file, HS_LIST(curve->at, curve->count, HS_ANY),
                  HS_LIST(curve->share, curve->count, HS_ANY));
        for (uint32_t i = 0; i < curve->count; i++)
            if (!isfinite(curve->at[i]) || !(curve->share[i] >= 0 && curve->share[i] <= 1) ||
                (i && (curve->at[i] <= curve->at[i - 1] || curve->share[i] < curve->share[i - 1])))
                return HSEL_EFORMAT;
    }
    return HSEL_OK;
}

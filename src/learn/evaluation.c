/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Adds a repeat: its metrics, then further requested results.
 */
#include "learn/evaluation.h"

#include "classify/classify.h"
#include "stats/interval.h"

void hs_evaluation_clear(hs_evaluation *evaluation)
{
    hs_arena_clear(&evaluation->own);
    *evaluation = (hs_evaluation){0};
}

static hs_arena *arena_of(hs_evaluation *e) { return e->arena ? e->arena : &e->own; }

/* ---- every repeat ---- */

static size_t size_of_item(int array)
{
    return hs_evaluation_counts(array) ? sizeof(uint32_t) : sizeof(double);
}

static int new_array(hs_evaluation *e, int array, uint32_t repeats, size_t each, hsel_error *error)
{
    e->count[array] = repeats * each;
    HS_NEED(e->array[array] = hs_arena_zero(arena_of(e), repeats, each * size_of_item(array)));
    return HSEL_OK;
}

/* Where the repeat that is added has its items. */
static void *place(const hs_evaluation *e, int array, size_t each)
{
    return (char *)e->array[array] + e->repeats % e->kept * each * size_of_item(array);
}

int hs_evaluation_keep(hs_evaluation *e, uint32_t repeats, const hsel_dataset *data, bool partly,
                       hsel_error *error)
{
    const size_t n = data->instances, classes = data->class_names.count,
                 each[HS_EVALUATION_ARRAYS] = {
                     [HSEL_PROBABILITY] = n * classes,
                     [HSEL_SCORE] = n * hs_answers((uint32_t)classes),
                     [HSEL_SECONDS] = 2,
                     [HSEL_POOLED_EACH] = HS_METRICS,
                     [HSEL_FOLD_MEAN_EACH] = HS_METRICS,
                     [HSEL_FOLD_OF] = n,
                     [HSEL_SELECTED] = n,
                     [HSEL_FREQUENCY] = data->features,
                     [HSEL_CONFUSION] = classes * classes,
                     [HSEL_BY_CLASS] = classes * HS_CLASS_MEASURES}; /* HSEL_FOLD_EACH: later */
    e->parts |= HS_EVALUATES_EACH;
    e->kept = repeats;
    for (int a = 0; a < HSEL_FOLD_EACH; a++)
        HS_TRY(new_array(e, a, repeats, each[a], error));
    for (int a = HSEL_PROBABILITY; a <= HSEL_SCORE; a++)
        for (size_t i = 0; partly && i < e->count[a]; i++)
            ((double *)e->array[a])[i] = (double)NAN;
    for (size_t i = 0; partly && i < e->count[HSEL_FOLD_OF]; i++)
        ((uint32_t *)e->array[HSEL_FOLD_OF])[i] = HSEL_NONE;
    e->count[HSEL_FOLD_EACH] = repeats; /* how many folds there are is known only then */
    return HSEL_OK;
}

static void keep_repeat(hs_evaluation *e, const hs_repeat *repeat, const hs_scores *scores,
                        const double *by_class)
{
    const hs_predictions *p = &repeat->predictions;
    const size_t k = p->classes, answers = hs_answers(p->classes),
                 n = e->count[HSEL_FOLD_OF] / e->kept;
    double *probability = place(e, HSEL_PROBABILITY, n * k),
           *score = place(e, HSEL_SCORE, n * answers), *seconds = place(e, HSEL_SECONDS, 2);
    uint32_t *fold_of = place(e, HSEL_FOLD_OF, n), *selected = place(e, HSEL_SELECTED, n),
             *confusion = place(e, HSEL_CONFUSION, k * k);
    memset(confusion, 0, k * k * sizeof *confusion);
    for (uint32_t i = 0; i < hs_tested_count(p); i++) {
        const uint32_t from = hs_tested(p, i), to = repeat->rows ? repeat->rows[from] : from;
        memcpy(probability + to * k, p->probability + from * k, k * sizeof *probability);
        for (uint32_t c = 0; c < answers; c++)
            score[to * answers + c] = k ? hs_score_of(p, from, c) : p->score[from];
        fold_of[to] = p->fold_of[from];
        selected[to] = p->selected[from];
        if (!p->target)
            confusion[p->truth[from] * k + hs_prediction_of(p, from)]++;
    }
    seconds[0] = repeat->select_seconds;
    seconds[1] = repeat->classify_seconds;
    memcpy(place(e, HSEL_FREQUENCY, p->features), repeat->frequency,
           p->features * sizeof *repeat->frequency);
    memcpy(place(e, HSEL_POOLED_EACH, HS_METRICS), scores->pooled, sizeof scores->pooled);
    memcpy(place(e, HSEL_FOLD_MEAN_EACH, HS_METRICS), scores->fold_mean, sizeof scores->fold_mean);
    if (!p->target)
        memcpy(place(e, HSEL_BY_CLASS, k * HS_CLASS_MEASURES), by_class,
               k * HS_CLASS_MEASURES * sizeof *by_class);
}

/* ---- confidence intervals ---- */

int hs_evaluation_resample(hs_evaluation *e, const hs_bootstrap *draws, uint32_t repeats,
                           bool by_groups, bool by_folds, hsel_error *error)
{
    e->draws = draws;
    e->units = draws->units;
    e->most_repeats = repeats;
    e->by_groups = by_groups;
    e->by_folds = by_folds;
    HS_NEED(e->resampled = hs_arena_zero(arena_of(e), HS_BOOTSTRAP_SAMPLES + 1,
                                         HS_METRICS * sizeof *e->resampled));
    return HSEL_OK;
}

static int resample(hs_evaluation *e, const hs_repeat *repeat, const double *of_folds,
                    hsel_error *error)
{
    const hs_predictions *p = &repeat->predictions;
    const size_t values = (size_t)p->folds * HS_METRICS;
    HS_OWNED uint32_t *unit_of = HS_NEW(uint32_t, p->instances);
    HS_NEED(unit_of);
    for (uint32_t i = 0; i < p->instances; i++)
        unit_of[i] = e->draws->unit_of[repeat->rows ? repeat->rows[i] : i];
    if (e->by_folds && !e->repeats)
        HS_NEED(e->of_folds =
                    hs_arena_zero(arena_of(e), e->most_repeats, values * sizeof *e->of_folds));
    if (e->of_folds)
        memcpy(e->of_folds + e->repeats * values, of_folds, values * sizeof *of_folds);
    e->tested += hs_tested_count(p);
    e->learned += (uint64_t)p->folds * p->instances - hs_tested_count(p);
    const hs_bootstrap draws = {unit_of, e->units, e->repeats, e->most_repeats, e->draws->seed};
    return hs_metrics_bootstrap(p, &draws, e->resampled, error);
}

/* Is the mean over folds of this metric the mean of several values of folds, in all repeats? */
static bool has_fold_values(const hs_evaluation *e, hs_metric metric)
{
    return e->of_folds && e->repeats * e->folds > 1 && metric != HS_METRIC_R2 &&
           !isnan(e->fold_se[metric].mean);
}

int hs_evaluation_interval(const hs_evaluation *e, const hs_evaluation *other, hs_metric metric,
                           bool pooled, double *out, char *method, hsel_error *error)
{
    const bool folds = !pooled && has_fold_values(e, metric) &&
                       (!other || (has_fold_values(other, metric) && other->folds == e->folds)),
               paired = e->resampled && (!other || (other->resampled && other->units == e->units));
    const double *values = folds ? e->of_folds : e->resampled, *others = !other  ? NULL
                                                                         : folds ? other->of_folds
                                                                                 : other->resampled;
    const uint32_t repeats = e->repeats;
    const hs_formula *formula = hs_metric_formula(metric);
    hs_interval found = {.low = (double)NAN, .high = (double)NAN};
    const char *lacking = NULL;
    char number[32];
    out[0] = (double)NAN;
    if (!paired || !repeats || (other && other->repeats != repeats)) {
        lacking = "none: not prepared";
    } else if (folds) {
        out[0] = e->fold_mean[metric].mean - (other ? other->fold_mean[metric].mean : 0);
        found = hs_interval_of_folds(values + metric, others ? others + metric : NULL, HS_METRICS,
                                     repeats * e->folds, out[0],
                                     (double)e->tested / (double)e->learned);
        hs_print(method, HSEL_INTERVAL_ROOM, "corrected variance of %u folds", found.values);
        lacking = "none: the same in all folds";
    } else {
        out[0] = (values[metric] - (others ? others[metric] : 0)) / repeats;
        HS_TRY(hs_interval_of_samples(values + HS_METRICS + metric,
                                      others ? others + HS_METRICS + metric : NULL, HS_METRICS,
                                      HS_BOOTSTRAP_SAMPLES, e->units, &found, error));
        found.low /= repeats;
        found.high /= repeats;
        hs_format_grouped(e->units, number);
        const int length = snprintf(method, HSEL_INTERVAL_ROOM, "bootstrap over %s %s", number,
                                    e->by_groups ? "groups" : "instances");
        if (found.missing)
            snprintf(method + length, HSEL_INTERVAL_ROOM - (size_t)length,
                     ", %u of %d samples lack a class", found.missing, HS_BOOTSTRAP_SAMPLES);
        lacking = e->units < HS_FEWEST_UNITS ? "none: fewer than 5 groups or instances"
                  : isnan(out[0])            ? "none: the metric is not defined"
                  : found.missing >= HS_BOOTSTRAP_SAMPLES / 2 ? "none: most samples lack a class"
                                                              : "none: the same in all samples";
    }
    if (isnan(found.low))
        hs_print(method, HSEL_INTERVAL_ROOM, "%s", lacking);
    const bool range = formula->least < formula->greatest;
    out[1] = other ? found.low : fmax(found.low, range ? formula->least : 0);
    out[2] = other ? found.high : fmin(found.high, range ? formula->greatest : 1);
    if (isnan(found.low))
        out[1] = out[2] = (double)NAN;
    return HSEL_OK;
}

/* ---- classes ---- */

static int add_curves(hs_evaluation *e, const hs_predictions *p, hsel_error *error)
{
    const uint32_t n = hs_tested_count(p), positive = p->positive_class;
    /* Folds of fewer than two instances on average have no curve. */
    const uint32_t groups = e->pooled_curves || p->folds > n / 2 ? 1 : p->folds;
    HS_OWNED double *score = HS_NEW(double, n);
    HS_OWNED uint8_t *is_positive = HS_NEW(uint8_t, n);
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, n);
    HS_OWNED hs_curve_point *point = HS_NEW(hs_curve_point, n);
    HS_NEED(score && is_positive && order && point);
    for (uint32_t g = 0; g < groups; g++) {
        double roc[HS_CURVE_STEPS + 1], pr[HS_CURVE_STEPS + 1];
        size_t count = 0;
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t instance = hs_tested(p, i);
            if (groups > 1 && p->fold_of[instance] - p->first_fold != g)
                continue;
            score[count] = hs_ranked_by(p, instance, positive);
            is_positive[count++] = p->truth[instance] == positive;
        }
        const size_t points = hs_curve_points(score, is_positive, count, order, point);
        if (!hs_curves(point, points, HS_CURVE_STEPS, roc, pr))
            continue;
        for (size_t i = 0; i <= HS_CURVE_STEPS; i++) {
            hs_running_add(&e->roc[i], roc[i]);
            hs_running_add(&e->pr[i], pr[i]);
        }
    }
    return HSEL_OK;
}

static int make_lists(hs_evaluation *e, const hs_predictions *p, hsel_error *error)
{
    const size_t k = p->classes;
    const bool confusion = e->parts & HS_EVALUATES_CONFUSION && !p->target;
    if (confusion) {
        e->confusion = hs_arena_zero(arena_of(e), k * k, sizeof *e->confusion);
        e->bins = hs_arena_zero(arena_of(e), k * HS_CALIBRATION_BINS, sizeof *e->bins);
        HS_NEED(e->confusion && e->bins);
    } else if (e->parts & HS_EVALUATES_CONFUSION) {
        HS_NEED(e->predicted = hs_arena_zero(arena_of(e), p->instances, sizeof *e->predicted));
    }
    if (e->parts & HS_EVALUATES_CLASSES && !p->target)
        HS_NEED(e->by_class =
                    hs_arena_zero(arena_of(e), k * HS_CLASS_MEASURES, sizeof *e->by_class));
    if (e->parts & HS_EVALUATES_CURVES && k == 2 && p->positive_class < 2) {
        e->roc = hs_arena_zero(arena_of(e), HS_CURVE_STEPS + 1, sizeof *e->roc);
        e->pr = hs_arena_zero(arena_of(e), HS_CURVE_STEPS + 1, sizeof *e->pr);
        HS_NEED(e->roc && e->pr);
    }
    return HSEL_OK;
}

int hs_evaluation_add(hs_evaluation *e, const hs_repeat *repeat, hsel_error *error)
{
    const hs_predictions *p = &repeat->predictions;
    const size_t measures = p->target ? 0 : (size_t)p->classes * HS_CLASS_MEASURES,
                 values = (size_t)p->folds * HS_METRICS;
    const bool each = e->parts & HS_EVALUATES_EACH;
    hs_scores scores;
    HS_OWNED double *by_class = HS_NEW(double, measures),
                    *of_folds = e->draws ? HS_NEW(double, values) : NULL;
    HS_NEED(by_class && (of_folds || !e->draws));
    if (!e->repeats) {
        e->classes = p->classes;
        e->positive_class = p->positive_class;
        HS_TRY(make_lists(e, p, error));
        if (each)
            HS_TRY(new_array(e, HSEL_FOLD_EACH, (uint32_t)e->count[HSEL_FOLD_EACH], values, error));
    }
    double *by_fold = each ? place(e, HSEL_FOLD_EACH, values) : of_folds;
    HS_TRY(hs_metrics_by_fold(p, &scores, by_fold, error));
    if (e->draws)
        HS_TRY(resample(e, repeat, by_fold, error));
    if (measures && e->parts & (HS_EVALUATES_CLASSES | HS_EVALUATES_EACH))
        HS_TRY(hs_metrics_by_class(p, by_class, error));
    if (e->roc)
        HS_TRY(add_curves(e, p, error));
    for (int m = 0; m < HS_METRICS; m++) {
        hs_running_add(&e->pooled[m], scores.pooled[m]);
        hs_running_add(&e->fold_mean[m], scores.fold_mean[m]);
        hs_running_add(&e->fold_se[m], scores.fold_se[m]);
    }
    hs_running_add(&e->selected, 1 - scores.pooled[HS_METRIC_COMPRESSION]);
    hs_running_add(&e->select_seconds, repeat->select_seconds);
    hs_running_add(&e->classify_seconds, repeat->classify_seconds);
    e->folds_lack_class |= scores.folds_lack_class;
    e->folds = p->folds;
    for (size_t i = 0; e->by_class && i < measures; i++)
        hs_running_add(&e->by_class[i], by_class[i]);
    if (e->confusion)
        hs_confusion_add(p, e->confusion);
    for (uint32_t c = 0; e->bins && c < p->classes; c++)
        hs_calibration_add(p, c, e->bins + (size_t)c * HS_CALIBRATION_BINS);
    for (uint32_t i = 0; e->predicted && i < p->instances; i++)
        e->predicted[i] += p->score[i];
    if (each)
        keep_repeat(e, repeat, &scores, by_class);
    e->repeats++;
    return HSEL_OK;
}

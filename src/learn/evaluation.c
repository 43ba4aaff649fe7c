/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Adds a repeat: its metrics, then further requested results.
 */
#include "learn/evaluation.h"

#include "classify/classify.h"

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
    HS_OWNED double *by_class = HS_NEW(double, measures);
    HS_NEED(by_class);
    if (!e->repeats) {
        e->classes = p->classes;
        e->positive_class = p->positive_class;
        HS_TRY(make_lists(e, p, error));
        if (each)
            HS_TRY(new_array(e, HSEL_FOLD_EACH, (uint32_t)e->count[HSEL_FOLD_EACH], values, error));
    }
    HS_TRY(hs_metrics_by_fold(p, &scores, each ? place(e, HSEL_FOLD_EACH, values) : NULL, error));
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

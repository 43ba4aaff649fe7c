/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Doing a unit: cross-validation of one fold, and its outcome in the form that the store keeps.
 */
#include "study/unit.h"

#include <string.h>

hs_unit_key hs_unit_key_in(const hs_study *study, int64_t dataset, uint32_t folds,
                           const hs_unit *unit)
{
    return (hs_unit_key){.dataset = dataset,
                         .selector = study->selectors[unit->selector].text,
                         .scheme = hs_study_scheme(study),
                         .folds = folds,
                         .fold = unit->fold,
                         .seed = study->seed + unit->repeat};
}

void hs_unit_room_clear(hs_unit_room *room)
{
    hs_arena_clear(&room->arena);
    hs_crossval_room_free(room->crossval);
    *room = (hs_unit_room){0};
}

/* What a unit fills in place; the constant views of it are in the result. */
struct slots {
    const double **probability, **score;
    const char **messages, **classifiers;
    double *seconds;
    size_t *place; /* of the classifiers to run: their places in the unit */
    hs_chosen *chosen;
};

static int slots_new(hs_arena *arena, size_t count, struct slots *out, hsel_error *error)
{
    out->probability = hs_arena_zero(arena, count, sizeof *out->probability);
    out->score = hs_arena_zero(arena, count, sizeof *out->score);
    out->messages = hs_arena_zero(arena, count, sizeof *out->messages);
    out->classifiers = hs_arena_zero(arena, count, sizeof *out->classifiers);
    out->seconds = hs_arena_zero(arena, count, sizeof *out->seconds);
    out->place = hs_arena_zero(arena, count, sizeof *out->place);
    out->chosen = hs_arena_zero(arena, count, sizeof *out->chosen);
    if (!out->probability || !out->score || !out->messages || !out->classifiers || !out->seconds ||
        !out->place || !out->chosen)
        return hs_fail_memory(error);
    return HSEL_OK;
}

/* What was selected, of the instances that were tested. */
static int keep_selection(const hs_crossval *done, hs_arena *arena, hs_unit_result *out,
                          hsel_error *error)
{
    uint32_t *selected = HS_ARENA_NEW(arena, uint32_t, out->tested);
    uint32_t *frequency = HS_ARENA_NEW(arena, uint32_t, out->features);
    if (!selected || !frequency)
        return hs_fail_memory(error);
    for (uint32_t i = 0; i < out->tested; i++)
        selected[i] = done->selectors[0].selected[out->instances[i]];
    memcpy(frequency, done->selectors[0].frequency, out->features * sizeof *frequency);
    out->selected = selected;
    out->frequency = frequency;
    out->select_seconds = done->selectors[0].seconds;
    return HSEL_OK;
}

/* Probabilities or scores, `width` of each instance that was tested. */
static int keep_prediction(const double *done, size_t width, const hs_unit_result *shape,
                           hs_arena *arena, const double **out, hsel_error *error)
{
    double *kept = HS_ARENA_NEW(arena, double, shape->tested *width);
    if (!kept)
        return hs_fail_memory(error);
    for (uint32_t i = 0; i < shape->tested; i++)
        memcpy(kept + i * width, done + shape->instances[i] * width, width * sizeof *kept);
    *out = kept;
    return HSEL_OK;
}

/* Runs the classifiers with these places in one go. */
static int run_some(const hs_workload *work, const hs_unit *unit, hs_unit_room *room,
                    const struct slots *slots, size_t first, size_t count, hs_unit_result *out,
                    hsel_error *error)
{
    const hs_folds *folds = &work->folds[unit->repeat];
    hs_crossval done = {0};
    int status = hs_crossval_run(
        &(hs_crossval_request){.data = work->data,
                               .folds = folds,
                               .selectors = &work->methods->selectors[unit->selector],
                               .classifiers = slots->chosen + first,
                               .selector_count = 1,
                               .classifier_count = count,
                               .seed = work->study->seed + unit->repeat,
                               .threads = 1,
                               .fold_begin = unit->fold,
                               .fold_end = unit->fold + 1,
                               .whole = &work->whole,
                               .progress = &(hs_progress){.notes = work->notes},
                               .room = &room->crossval},
        &done, error);
    if (status)
        return status;
    out->instances = folds->order + folds->start[unit->fold];
    out->tested = folds->start[unit->fold + 1] - folds->start[unit->fold];
    status = keep_selection(&done, &room->arena, out, error);
    for (size_t i = 0; i < count && status == HSEL_OK; i++) {
        size_t place = slots->place[first + i];
        slots->seconds[place] = done.classifiers[i].seconds;
        status = keep_prediction(done.classifiers[i].score, hs_score_width(out->classes), out,
                                 &room->arena, &slots->score[place], error);
        if (status == HSEL_OK)
            status = keep_prediction(done.classifiers[i].probability, out->classes, out,
                                     &room->arena, &slots->probability[place], error);
    }
    hs_crossval_clear(&done);
    return status;
}

/* All at once; if that fails, one by one, so that a failure is laid at the right door. */
static int run_all(const hs_workload *work, const hs_unit *unit, hs_unit_room *room,
                   const struct slots *slots, size_t count, hs_unit_result *out, hsel_error *error)
{
    int status = run_some(work, unit, room, slots, 0, count, out, error);
    if (status == HSEL_OK || status == HSEL_ENOMEM)
        return status;
    for (size_t i = 0; i < count; i++) {
        hsel_error why = {0};
        status = run_some(work, unit, room, slots, i, 1, out, &why);
        if (status == HSEL_ENOMEM)
            return hs_fail_memory(error);
        if (status && !(slots->messages[slots->place[i]] =
                            hs_arena_text(&room->arena, why.message, strlen(why.message))))
            return hs_fail_memory(error);
    }
    return HSEL_OK;
}

int hs_unit_run(const hs_workload *work, const hs_unit *unit, hs_unit_room *room,
                hs_unit_result *out, hsel_error *error)
{
    struct slots slots;
    size_t runnable = 0;
    if (unit->selector == HS_UNIT_RANKS)
        return hs_unit_rank(work, unit, room, out, error);
    hs_arena_reset(&room->arena);
    int status = slots_new(&room->arena, unit->classifier_count, &slots, error);
    if (status)
        return status;
    *out = (hs_unit_result){.features = work->data->features,
                            .classes = work->data->class_names.count,
                            .classifiers = slots.classifiers,
                            .classifier_count = unit->classifier_count,
                            .probability = slots.probability,
                            .score = slots.score,
                            .classify_seconds = slots.seconds,
                            .messages = slots.messages};
    for (size_t i = 0; i < unit->classifier_count; i++) {
        uint32_t c = unit->classifiers[i];
        slots.classifiers[i] = work->study->classifiers[c].text;
        slots.messages[i] = work->unfit[unit->selector * work->methods->classifier_count + c];
        if (slots.messages[i])
            continue;
        slots.place[runnable] = i;
        slots.chosen[runnable++] = work->methods->classifiers[c]; /* borrowed: only read */
    }
    return runnable ? run_all(work, unit, room, &slots, runnable, out, error) : HSEL_OK;
}

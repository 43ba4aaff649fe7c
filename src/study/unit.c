/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Getting a data set of a study ready for its units, and doing them: cross-validation of one fold,
 * or every feature of the whole data set scored by rankers, and the outcome in the form that the
 * store keeps.
 */
#include "study/unit.h"

#include <string.h>

#include "core/mem.h"
#include "core/progress.h"
#include "evaluate/fold_file.h"
#include "format/load.h"
#include "generate/generate.h"
#include "rank/rank.h"

/* ---- methods ---- */

static int parse_all(hs_kind kind, const hs_study_method *texts, size_t count, hs_chosen **out,
                     size_t *done, hsel_error *error)
{
    HS_NEED(*out = HS_NEW_ZERO(hs_chosen, count));
    for (; *done < count; ++*done) {
        const char *text = texts[*done].text;
        hs_chosen *chosen = &(*out)[*done];
        HS_TRY(kind == HS_RANKER ? hs_ranker_parse(text, chosen, error)
                                 : hs_chosen_parse(kind, text, chosen, error));
    }
    return HSEL_OK;
}

int hs_run_methods_parse(const hs_study *study, hs_run_methods *out, hsel_error *error)
{
    HS_OWNS(hs_run_methods_clear) hs_run_methods all = {0};
    HS_TRY(parse_all(HS_SELECTOR, study->selectors, study->selector_count, &all.selectors,
                     &all.selector_count, error));
    HS_TRY(parse_all(HS_CLASSIFIER, study->classifiers, study->classifier_count, &all.classifiers,
                     &all.classifier_count, error));
    HS_TRY(parse_all(HS_RANKER, study->rankers, study->ranker_count, &all.rankers,
                     &all.ranker_count, error));
    *out = all;
    all = (hs_run_methods){0};
    return HSEL_OK;
}

static void free_all(hs_chosen *chosen, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hs_chosen_clear(&chosen[i]);
    hs_free(chosen);
}

void hs_run_methods_clear(hs_run_methods *methods)
{
    free_all(methods->selectors, methods->selector_count);
    free_all(methods->classifiers, methods->classifier_count);
    free_all(methods->rankers, methods->ranker_count);
    *methods = (hs_run_methods){0};
}

/* ---- data sets ---- */

int hs_study_load(const hs_study_dataset *set, hsel_dataset **out, hsel_error *error)
{
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
    HS_OWNED char *name = hs_strdup(set->name); /* the study's is the one that counts */
    HS_NEED(name);
    if (set->generate) {
        HS_OWNS(hs_chosen_clear) hs_chosen chosen = {0};
        HS_TRY(hs_chosen_parse(HS_GENERATOR, set->generate, &chosen, error));
        HS_TRY(chosen.method->generator->generate(chosen.options, set->seed, &data, error));
    } else {
        HS_TRY(hs_load_with(set->path, set->prepare, &data, error));
    }
    hs_free(data->name);
    data->name = hs_take(&name);
    *out = hs_take(&data);
    return HSEL_OK;
}

int hs_workload_plan(const hs_study *study, size_t index, const hs_run_methods *methods,
                     hs_workload *out, hsel_error *error)
{
    const hs_study_dataset *set = &study->datasets[index];
    if (!set->generate || strncmp(study->scheme, "file:", 5) == 0)
        return hs_workload_open(study, index, methods, out, error);
    *out = (hs_workload){
        .study = study, .methods = methods, .index = index, .fold_count = study->folds};
    if (strcmp(study->scheme, "loo") == 0) {
        HS_OWNS(hs_chosen_clear) hs_chosen chosen = {0};
        HS_TRY(hs_chosen_parse(HS_GENERATOR, set->generate, &chosen, error));
        const hs_option *size = hs_option_find(chosen.method->options, "instances", 9);
        if (size && size->type == HS_OPT_U32)
            memcpy(&out->fold_count, (const char *)chosen.options + size->offset, sizeof(uint32_t));
    }
    return HSEL_OK;
}

static void drop_folds(hs_workload *work)
{
    for (uint32_t r = 0; work->folds && r < work->study->repeats; r++)
        hs_folds_clear(&work->folds[r]);
    hs_free(work->folds);
    work->folds = NULL;
}

static int make_folds(hs_workload *work, hsel_error *error)
{
    const hs_study *study = work->study;
    HS_NEED(work->folds = HS_NEW_ZERO(hs_folds, study->repeats));
    for (uint32_t r = 0; r < study->repeats; r++)
        HS_TRY(hs_folds_choose(study->scheme, work->data, study->folds, study->seed + r,
                               &work->folds[r], error));
    work->fold_count = work->folds[0].count;
    return HSEL_OK;
}

/* Keeps what was said in place of a result, unless memory ran out. */
static int keep_message(hs_arena *arena, int status, const hsel_error *why, const char **out,
                        hsel_error *error)
{
    HS_NEED(status != HSEL_ENOMEM &&
            (*out = hs_arena_text(arena, why->message, strlen(why->message))));
    return HSEL_OK;
}

int hs_workload_open(const hs_study *study, size_t index, const hs_run_methods *methods,
                     hs_workload *out, hsel_error *error)
{
    HS_OWNS(hs_workload_clear)
    hs_workload work = {.study = study, .methods = methods, .index = index};
    *out = (hs_workload){0};
    HS_TRY(hs_study_load(&study->datasets[index], &work.data, error));
    hs_view all = hs_view_all(work.data);
    work.fingerprint = hs_dataset_fingerprint(work.data);
    HS_TRY(hs_counts_of(&all, &work.whole, error));
    HS_NEED(work.unfit =
                HS_NEW_ZERO(const char *, methods->selector_count * methods->classifier_count));
    hsel_error why;
    int folds = make_folds(&work, &why);
    if (folds == HSEL_ENOMEM || (folds && strncmp(study->scheme, "file:", 5) == 0)) {
        if (error)
            *error = why;
        return folds;
    }
    if (folds) {
        drop_folds(&work);
        work.fold_count = strcmp(study->scheme, "loo") == 0 ? work.data->instances : study->folds;
    }
    for (size_t s = 0, i = 0; s < methods->selector_count; s++) {
        const hs_method *selector = methods->selectors[s].method;
        int alone =
            folds ? folds
                  : hs_check_methods(work.data, selector, NULL, study->allow_violations, &why);
        for (size_t c = 0; c < methods->classifier_count; c++, i++) {
            const hs_method *classifier = methods->classifiers[c].method;
            int pair = alone;
            if (pair == HSEL_OK)
                pair = hs_check_method(work.data, classifier, &why);
            if (pair == HSEL_OK)
                pair = hs_check_pair(selector, classifier, &why);
            if (pair)
                HS_TRY(keep_message(&work.arena, pair, &why, &work.unfit[i], error));
        }
    }
    *out = work;
    work = (hs_workload){0};
    return HSEL_OK;
}

void hs_workload_clear(hs_workload *work)
{
    if (!work->study)
        return;
    drop_folds(work);
    hs_free(work->unfit);
    hs_counts_clear(&work->whole);
    hs_dataset_free(work->data);
    hs_arena_clear(&work->arena);
    *work = (hs_workload){0};
}

/* ---- units ---- */

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

void hs_unit_scratch_clear(hs_unit_scratch *scratch)
{
    hs_arena_clear(&scratch->arena);
    hs_crossval_scratch_free(scratch->crossval);
    *scratch = (hs_unit_scratch){0};
}

bool hs_unit_slots_new(hs_arena *arena, size_t count, hs_unit_slots *out, hs_unit_result *result)
{
    *out = (hs_unit_slots){.probability = hs_arena_zero(arena, count, sizeof *out->probability),
                           .score = hs_arena_zero(arena, count, sizeof *out->score),
                           .messages = hs_arena_zero(arena, count, sizeof *out->messages),
                           .classifiers = hs_arena_zero(arena, count, sizeof *out->classifiers),
                           .seconds = hs_arena_zero(arena, count, sizeof *out->seconds)};
    *result = (hs_unit_result){.classifiers = out->classifiers,
                               .classifier_count = count,
                               .probability = out->probability,
                               .score = out->score,
                               .classify_seconds = out->seconds,
                               .messages = out->messages};
    return out->probability && out->score && out->messages && out->classifiers && out->seconds;
}

struct doing {
    const hs_workload *work;
    const hs_unit *unit;
    hs_unit_scratch *scratch;
    hs_unit_slots slots;
    hs_chosen *chosen; /* the methods that fit … */
    size_t *place;     /* … and their places among those that are wanted */
    hs_unit_result *out;
};

/* Probabilities or scores, `width` of each instance that was tested. */
static int keep_prediction(const struct doing *d, const double *done, size_t width,
                           const double **out, hsel_error *error)
{
    double *kept = HS_ARENA_NEW(&d->scratch->arena, double, d->out->tested *width);
    HS_NEED(kept);
    for (uint32_t i = 0; i < d->out->tested; i++)
        memcpy(kept + i * width, done + d->out->instances[i] * width, width * sizeof *kept);
    *out = kept;
    return HSEL_OK;
}

/* Tests some of the classifiers in one go. */
static int test_some(const struct doing *d, size_t first, size_t count, hsel_error *error)
{
    const hs_workload *work = d->work;
    const hs_unit *unit = d->unit;
    const hs_folds *folds = &work->folds[unit->repeat];
    hs_arena *arena = &d->scratch->arena;
    hs_unit_result *out = d->out;
    HS_OWNS(hs_crossval_clear) hs_crossval done = {0};
    HS_TRY(hs_crossval_run(
        &(hs_crossval_request){.data = work->data,
                               .folds = folds,
                               .selectors = &work->methods->selectors[unit->selector],
                               .classifiers = d->chosen + first,
                               .selector_count = 1,
                               .classifier_count = count,
                               .seed = work->study->seed + unit->repeat,
                               .threads = 1,
                               .fold_begin = unit->fold,
                               .fold_end = unit->fold + 1,
                               .whole = &work->whole,
                               .progress = &(hs_progress){.notes = work->notes},
                               .scratch = &d->scratch->crossval},
        &done, error));
    out->instances = folds->order + folds->start[unit->fold];
    out->tested = folds->start[unit->fold + 1] - folds->start[unit->fold];
    uint32_t *selected = HS_ARENA_NEW(arena, uint32_t, out->tested);
    uint32_t *frequency = HS_ARENA_NEW(arena, uint32_t, out->features);
    HS_NEED(selected && frequency);
    for (uint32_t i = 0; i < out->tested; i++)
        selected[i] = done.selectors[0].selected[out->instances[i]];
    memcpy(frequency, done.selectors[0].frequency, out->features * sizeof *frequency);
    out->selected = selected;
    out->frequency = frequency;
    out->select_seconds = done.selectors[0].seconds;
    for (size_t i = 0; i < count; i++) {
        size_t place = d->place[first + i];
        d->slots.seconds[place] = done.classifiers[i].seconds;
        HS_TRY(keep_prediction(d, done.classifiers[i].score, hs_score_width(out->classes),
                               &d->slots.score[place], error));
        HS_TRY(keep_prediction(d, done.classifiers[i].probability, out->classes,
                               &d->slots.probability[place], error));
    }
    return HSEL_OK;
}

/* Scores with some of the rankers, together, because many of them share a pass. */
static int rank_some(const struct doing *d, size_t first, size_t count, hsel_error *error)
{
    const hs_workload *work = d->work;
    hs_arena *arena = &d->scratch->arena;
    hs_training training = {.view = hs_view_all(work->data),
                            .counts = &work->whole,
                            .seed = work->study->seed,
                            .threads = 1};
    double **scores = HS_ARENA_NEW(arena, double *, count);
    HS_NEED(scores);
    for (size_t i = 0; i < count; i++)
        HS_NEED(scores[i] = hs_arena_zero(arena, work->data->features, sizeof **scores));
    HS_TRY(hs_rank_features(&training, d->chosen + first, count, scores, error));
    for (size_t i = 0; i < count; i++)
        d->slots.probability[d->place[first + i]] = scores[i];
    return HSEL_OK;
}

int hs_unit_run(const hs_workload *work, const hs_unit *unit, hs_unit_scratch *scratch,
                hs_unit_result *out, hsel_error *error)
{
    bool ranks = unit->selector == HS_UNIT_RANKS;
    const hs_study_method *names = ranks ? work->study->rankers : work->study->classifiers;
    const hs_chosen *methods = ranks ? work->methods->rankers : work->methods->classifiers;
    int (*run_some)(const struct doing *, size_t, size_t, hsel_error *) =
        ranks ? rank_some : test_some;
    hs_arena *arena = &scratch->arena;
    size_t wanted = unit->classifier_count, count = 0;
    double began = hs_now();
    hsel_error why = {0};
    hs_arena_reset(arena);
    struct doing d = {.work = work,
                      .unit = unit,
                      .scratch = scratch,
                      .chosen = hs_arena_zero(arena, wanted, sizeof *d.chosen),
                      .place = hs_arena_zero(arena, wanted, sizeof *d.place),
                      .out = out};
    HS_NEED(hs_unit_slots_new(arena, wanted, &d.slots, out) && d.chosen && d.place);
    if (ranks) { /* one row of all features */
        out->score = NULL;
        out->tested = 1;
        out->classes = work->data->features;
    } else {
        out->features = work->data->features;
        out->classes = work->data->class_names.count;
    }
    for (size_t i = 0; i < wanted; i++) {
        uint32_t c = unit->classifiers[i];
        const char **message = &d.slots.messages[i];
        d.slots.classifiers[i] = names[c].text;
        int unfit = ranks ? hs_check_method(work->data, methods[c].method, &why) : HSEL_OK;
        if (unfit)
            HS_TRY(keep_message(arena, unfit, &why, message, error));
        else if (!ranks)
            *message = work->unfit[unit->selector * work->methods->classifier_count + c];
        if (*message)
            continue;
        d.place[count] = i;
        d.chosen[count++] = methods[c]; /* borrowed: only read */
    }
    /* All at once; if that fails, one by one, so that the message is of the one that fails. */
    int all = count ? run_some(&d, 0, count, &why) : HSEL_OK;
    HS_NEED(all != HSEL_ENOMEM);
    for (size_t i = 0; i < count && all; i++) {
        int status = run_some(&d, i, 1, &why);
        if (status)
            HS_TRY(keep_message(arena, status, &why, &d.slots.messages[d.place[i]], error));
    }
    if (ranks)
        out->select_seconds = hs_now() - began;
    return HSEL_OK;
}

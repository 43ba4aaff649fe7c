/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Opens a data set of a study and runs its units: cross-validation of one fold, rankers on the
 * whole data set, simulations, automatic choices. Results are in the form that the store keeps.
 */
#include "learn/auto.h"
#include "learn/fold_file.h"
#include "learn/memory.h"
#include "load/load.h"
#include "generate/generate.h"
#include "rank/rank.h"
#include "study/runner_parts.h"
#include "study/store_parts.h"

/* ---- data sets ---- */

int hs_study_load(const hs_study_dataset *set, hsel_dataset **out, uint32_t *left,
                  hsel_error *error)
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
    HS_TRY(hs_keep_labelled(&data, left, error));
    /* Many different numbers are classes only if the study says so. */
    if (set->path && hs_classes_are_numbers(data) && !strstr(set->prepare, "class="))
        return hs_fail_at(error, HSEL_EFORMAT, set->path, 0,
                          "the classes are %u numbers: 'target: %s' predicts the number, 'prepare: "
                          "class=%s' takes them as classes",
                          data->class_names.count,
                          data->class_attribute ? data->class_attribute : "NAME",
                          data->class_attribute ? data->class_attribute : "NAME");
    hs_free(data->name);
    data->name = hs_take(&name);
    *out = hs_take(&data);
    return HSEL_OK;
}

static void drop_folds(hs_workload *work)
{
    for (uint32_t r = 0; work->folds && r < work->study->repeats; r++)
        hs_folds_clear(&work->folds[r]);
    hs_free(work->folds);
    work->folds = NULL;
}

/* Keeps the message of a failure, unless memory ran out. */
static int keep_message(hs_arena *arena, int status, hsel_error *why, const char **out,
                        hsel_error *error)
{
    HS_NEED(status != HSEL_ENOMEM &&
            (*out = hs_arena_text(arena, why->message, strlen(why->message))));
    return HSEL_OK;
}

int hs_workload_open(const hs_study *study, size_t index, int threads, bool plan_only,
                     hs_workload *out, hsel_error *error)
{
    const hs_study_dataset *set = &study->datasets[index];
    bool loo = strcmp(study->scheme, "loo") == 0, file = strncmp(study->scheme, "file:", 5) == 0;
    HS_OWNS(hs_workload_clear)
    hs_workload work = {.study = study, .index = index, .fold_count = study->folds};
    *out = (hs_workload){0};
    if (plan_only && set->generate && !file) {
        HS_OWNS(hs_chosen_clear) hs_chosen chosen = {0};
        HS_TRY(hs_chosen_parse(HS_GENERATOR, set->generate, &chosen, error));
        const hs_option *size = hs_option_find(chosen.method->options, "instances", 9);
        if (loo && size && size->type == HS_OPT_U32)
            memcpy(&work.fold_count, (const char *)chosen.options + size->offset, sizeof(uint32_t));
        HS_MOVE(out, &work);
        return HSEL_OK;
    }
    HS_TRY(hs_study_load(set, &work.data, &work.unlabelled, error));
    hs_view all = hs_view_all(work.data);
    work.fingerprint = hs_dataset_fingerprint(work.data);
    HS_TRY(hs_counts_of(&all, &work.whole, error));
    work.misfits = HS_NEW_ZERO(struct hs_misfit, study->selector_count * study->classifier_count);
    work.folds = HS_NEW_ZERO(hs_folds, study->repeats);
    HS_NEED(work.misfits && work.folds);
    hsel_error why;
    int folds = HSEL_OK;
    for (uint32_t r = 0; r < study->repeats && folds == HSEL_OK; r++)
        folds = hs_folds_choose(study->scheme, work.data, study->folds, study->seed + r,
                                &work.folds[r], &why);
    if (folds == HSEL_ENOMEM || (folds && file)) {
        if (error)
            *error = why;
        return folds;
    }
    if (folds)
        drop_folds(&work);
    if (!folds || loo)
        work.fold_count = folds ? work.data->instances : work.folds[0].count;
    for (size_t s = 0, i = 0; s < study->selector_count; s++) {
        const hs_chosen *selector = &study->chosen[HS_SELECTOR].items[s];
        int alone = folds ? folds
                          : hs_check_methods(work.data, selector->method, NULL,
                                             study->allow_violations, &why);
        for (size_t c = 0; c < study->classifier_count; c++, i++) {
            const hs_chosen *classifier = &study->chosen[HS_CLASSIFIER].items[c];
            int pair = alone;
            if (pair == HSEL_OK)
                pair = hs_check_method(work.data, classifier->method, &why);
            work.misfits[i].unfit = pair && !folds;
            if (pair == HSEL_OK && !plan_only)
                pair = hs_memory_check_pair(work.data, selector, classifier, work.fold_count,
                                            threads, &why);
            if (pair)
                HS_TRY(keep_message(&work.arena, pair, &why, &work.misfits[i].message, error));
        }
    }
    HS_MOVE(out, &work);
    return HSEL_OK;
}

void hs_workload_clear(hs_workload *work)
{
    if (!work->study)
        return;
    drop_folds(work);
    hs_free(work->misfits);
    hs_counts_clear(&work->whole);
    hs_dataset_free(work->data);
    hs_arena_clear(&work->arena);
    *work = (hs_workload){0};
}

/* ---- units ---- */

void hs_unit_scratch_clear(hs_unit_scratch *scratch)
{
    hs_arena_clear(&scratch->arena);
    hs_crossval_scratch_free(scratch->crossval);
    *scratch = (hs_unit_scratch){0};
}

struct doing {
    const hs_workload *work;
    const hs_unit *unit;
    hs_unit_scratch *scratch;
    const hs_chosen *selector;
    hs_chosen *chosen;   /* the methods that fit … */
    hs_job_result **job; /* … and where their results go */
    hs_unit_result *out;
};

/* Keeps probabilities or scores, `width` of each test instance. */
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
    hs_unit_result *out = d->out;
    HS_OWNS(hs_crossval_clear) hs_crossval done = {0};
    HS_OWNS(hs_buf_clear) hs_buf packed = {0};
    uint32_t probes[HS_PROBES];
    HS_TRY(hs_crossval_run(
        &(hs_crossval_request){.data = work->data,
                               .folds = folds,
                               .selectors = d->selector,
                               .classifiers = d->chosen + first,
                               .selector_count = 1,
                               .classifier_count = count,
                               .seed = work->study->seed + unit->repeat,
                               .threads = 1,
                               .fold_begin = unit->fold,
                               .fold_end = unit->fold + 1,
                               .probes = probes,
                               .probe_count = work->study->stability && unit->kind == HS_UNIT_TESTS
                                                  ? hs_choose_probes(work->data, probes)
                                                  : 0,
                               .whole = &work->whole,
                               .progress = &(hs_progress){.notes = work->notes},
                               .scratch = &d->scratch->crossval},
        &done, error));
    out->instances = folds->order + folds->start[unit->fold];
    out->tested = folds->start[unit->fold + 1] - folds->start[unit->fold];
    uint32_t *selected = HS_ARENA_NEW(&d->scratch->arena, uint32_t, out->tested);
    uint32_t *frequency = HS_ARENA_NEW(&d->scratch->arena, uint32_t, out->features);
    HS_NEED(selected && frequency);
    for (uint32_t i = 0; i < out->tested; i++)
        selected[i] = done.selectors[0].selected[out->instances[i]];
    memcpy(frequency, done.selectors[0].frequency, out->features * sizeof *frequency);
    out->selected = selected;
    out->frequency = frequency;
    out->select_seconds = done.selectors[0].seconds;
    if (done.selectors[0].probed) {
        hs_pack_bits(done.selectors[0].probed, done.of.probe_count, out->features, &packed);
        HS_NEED(!packed.failed);
        HS_NEED(out->probed = hs_arena_text(&d->scratch->arena, packed.text, packed.length));
        out->probed_length = packed.length;
    }
    for (size_t i = 0; i < count; i++) {
        hs_job_result *job = d->job[first + i];
        job->seconds = done.classifiers[i].seconds;
        HS_TRY(keep_prediction(d, done.classifiers[i].score, hs_score_width(out->classes),
                               &job->score, error));
        HS_TRY(
            keep_prediction(d, done.classifiers[i].probability, out->classes, &job->values, error));
    }
    return HSEL_OK;
}

/* Runs some of the rankers together, because many of them share a pass. */
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
    d->out->width = work->data->features;
    HS_TRY(hs_rank_features(&training, d->chosen + first, count, scores, error));
    for (size_t i = 0; i < count; i++)
        d->job[first + i]->values = scores[i];
    return HSEL_OK;
}

/* Simulates some of the procedures together, because they share what is drawn. */
static int simulate_some(const struct doing *d, size_t first, size_t count, hsel_error *error)
{
    hs_arena *arena = &d->scratch->arena;
    hs_simulation *each = hs_arena_zero(arena, count, sizeof *each);
    const hs_study_draws *draws = &d->work->study->draws[d->unit->selector];
    hs_simulated *values = HS_ARENA_NEW(arena, hs_simulated, count * draws->runs);
    HS_NEED(each && values);
    for (size_t i = 0; i < count; i++)
        each[i] = draws->each[d->unit->methods[first + i]];
    d->out->width = draws->runs * (uint32_t)(sizeof *values / sizeof(double));
    HS_TRY(hs_simulate(d->work->data, each, count, values, error));
    for (size_t i = 0; i < count; i++)
        d->job[first + i]->values = (const double *)(values + i * draws->runs);
    return HSEL_OK;
}

/* Chooses among all pairs of the study by a race within the training part, as hsel auto does, and
 * tests the choice. */
static int choose_one(const struct doing *d, size_t first, size_t count, hsel_error *error)
{
    const hs_workload *work = d->work;
    const hs_study *study = work->study;
    const hs_study_auto *how = &study->autos[d->unit->selector];
    const hs_folds *folds = &work->folds[d->unit->repeat];
    HS_OWNS(hs_auto_clear) hs_auto chosen = {0};
    struct doing test = *d;
    uint32_t *rows = HS_ARENA_NEW(&d->scratch->arena, uint32_t, work->data->instances);
    double began = hs_now();
    (void)count;
    HS_NEED(rows);
    HS_TRY(hs_auto_run(
        &(hs_auto_request){.data = work->data,
                           .selectors = study->chosen[HS_SELECTOR].items,
                           .classifiers = study->chosen[HS_CLASSIFIER].items,
                           .selector_count = study->selector_count,
                           .classifier_count = study->classifier_count,
                           .metric = how->metric,
                           .rank_by = study->rank_by,
                           .folds = work->fold_count,
                           .inner_folds = how->inner_folds,
                           .inner_repeats = how->inner_repeats,
                           .rows = rows,
                           .row_count = hs_folds_training(folds, d->unit->fold, rows),
                           .race = 1 + (size_t)d->unit->repeat * work->fold_count + d->unit->fold,
                           .level = how->race,
                           .seed = study->seed,
                           .threads = 1,
                           .allow_violations = study->allow_violations,
                           .progress = &(hs_progress){.notes = work->notes}},
        &chosen, error));
    const hs_auto_candidate *choice = &chosen.candidates[chosen.choice.candidate];
    test.selector = &study->chosen[HS_SELECTOR].items[choice->s];
    test.chosen[first] = study->chosen[HS_CLASSIFIER].items[choice->c]; /* borrowed: only read */
    began = hs_now() - began;
    HS_TRY(test_some(&test, first, 1, error));
    d->out->select_seconds += began;
    d->job[first]->chosen = 1 + (uint32_t)(choice->s * study->classifier_count + choice->c);
    return HSEL_OK;
}

int hs_unit_run(const hs_workload *work, const hs_unit *unit, hs_unit_scratch *scratch,
                hs_unit_result *out, hsel_error *error)
{
    static int (*const run_some[])(const struct doing *, size_t, size_t, hsel_error *) = {
        test_some, rank_some, simulate_some, choose_one};
    const bool tests = unit->kind == HS_UNIT_TESTS, ranks = unit->kind == HS_UNIT_RANKS;
    const hs_chosen_list *lists = work->study->chosen;
    const hs_chosen *methods = tests   ? lists[HS_CLASSIFIER].items
                               : ranks ? lists[HS_RANKER].items
                                       : NULL;
    hs_arena *arena = &scratch->arena;
    size_t wanted = unit->method_count, known, count = 0;
    const hs_study_method *names = hs_unit_methods(work->study, unit, &known);
    double began = hs_now();
    hsel_error why = {0};
    if (scratch->dataset != work->index + 1)
        hs_unit_scratch_clear(scratch);
    scratch->dataset = work->index + 1;
    hs_arena_reset(arena);
    struct doing d = {work,
                      unit,
                      scratch,
                      tests ? &lists[HS_SELECTOR].items[unit->selector] : NULL,
                      hs_arena_zero(arena, wanted, sizeof *d.chosen),
                      hs_arena_zero(arena, wanted, sizeof *d.job),
                      out};
    *out = (hs_unit_result){.features = work->data->features,
                            .classes = work->data->class_names.count,
                            .jobs = hs_arena_zero(arena, wanted, sizeof *out->jobs),
                            .job_count = wanted};
    HS_NEED(d.chosen && d.job && out->jobs);
    for (size_t i = 0; i < wanted; i++) {
        uint32_t m = unit->methods[i];
        hs_job_result *job = &out->jobs[i];
        job->method = hs_method_key(&names[m]);
        int unfit = ranks ? hs_check_method(work->data, methods[m].method, &why) : HSEL_OK;
        if (unfit)
            HS_TRY(keep_message(arena, unfit, &why, &job->message, error));
        else if (tests)
            job->message = work->misfits[unit->selector * known + m].message;
        else if (unit->kind == HS_UNIT_CHOOSES && !work->folds)
            job->message = work->misfits[0].message; /* which is the same for all */
        job->unfit = unfit || (tests && work->misfits[unit->selector * known + m].unfit);
        if (job->message)
            continue;
        if (methods)
            d.chosen[count] = methods[m]; /* borrowed: only read */
        d.job[count++] = job;
    }
    /* All at once; if that fails, one by one, to give each method its own message. */
    int all = count ? run_some[unit->kind](&d, 0, count, &why) : HSEL_OK;
    HS_NEED(all != HSEL_ENOMEM);
    for (size_t i = 0; i < count && all; i++) {
        int status = run_some[unit->kind](&d, i, 1, &why);
        if (status)
            HS_TRY(keep_message(arena, status, &why, &d.job[i]->message, error));
    }
    if (ranks || unit->kind == HS_UNIT_SIMULATES)
        out->select_seconds = hs_now() - began;
    return HSEL_OK;
}

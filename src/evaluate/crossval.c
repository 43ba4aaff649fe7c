/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running the tasks. A worker keeps its scratch from task to task, so after its first one only the
 * methods themselves allocate (their state and model).
 */
#include "evaluate/crossval.h"

#include <string.h>

#include "classify/classify.h"
#include "core/mem.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "core/random.h"
#include "select/select.h"

/* ---- results ---- */

void hs_crossval_clear(hs_crossval *crossval)
{
    for (size_t s = 0; crossval->selectors && s < crossval->selector_count; s++) {
        hs_free(crossval->selectors[s].selected);
        hs_free(crossval->selectors[s].frequency);
        hs_free(crossval->selectors[s].masks);
    }
    for (size_t i = 0;
         crossval->classifiers && i < crossval->selector_count * crossval->classifier_count; i++) {
        hs_free(crossval->classifiers[i].probability);
        hs_free(crossval->classifiers[i].score);
    }
    hs_free(crossval->selectors);
    hs_free(crossval->classifiers);
    *crossval = (hs_crossval){0};
}

static bool is_lazy(const hs_chosen *selector) { return selector->method->flags & HS_LAZY; }

static uint32_t fold_count(const hs_crossval_request *request)
{
    return (request->fold_end ? request->fold_end : request->folds->count) - request->fold_begin;
}

static int results_new(const hs_crossval_request *request, hs_crossval *out, hsel_error *error)
{
    const hsel_dataset *data = request->data;
    size_t pairs = request->selector_count * request->classifier_count;
    *out = (hs_crossval){.selectors = HS_NEW_ZERO(hs_selector_outcome, request->selector_count),
                         .classifiers = HS_NEW_ZERO(hs_classifier_outcome, pairs),
                         .selector_count = request->selector_count,
                         .classifier_count = request->classifier_count,
                         .mask_words = hs_bit_words(data->features),
                         .rank_by = request->rank_by};
    size_t n = data->instances, classes = data->class_names.count;
    bool ok = out->selectors && out->classifiers;
    for (size_t s = 0; ok && s < request->selector_count; s++) {
        hs_selector_outcome *one = &out->selectors[s];
        one->selected = HS_NEW_ZERO(uint32_t, data->instances);
        one->frequency = HS_NEW_ZERO(uint32_t, data->features);
        one->masks = is_lazy(&request->selectors[s])
                         ? NULL
                         : HS_NEW_ZERO(uint64_t, out->mask_words * fold_count(request));
        ok = one->selected && one->frequency && (is_lazy(&request->selectors[s]) || one->masks);
    }
    for (size_t i = 0; ok && i < pairs; i++) {
        hs_classifier_outcome *one = &out->classifiers[i];
        one->probability = HS_NEW_ZERO(double, n *classes);
        one->score = HS_NEW_ZERO(double, n *hs_score_width((uint32_t)classes));
        ok = one->probability && one->score;
    }
    if (ok)
        return HSEL_OK;
    hs_crossval_clear(out);
    return hs_fail_memory(error);
}

/* ---- workers ---- */

struct hs_crossval_room { /* of one thread; all zero until its first task */
    bool ready;
    size_t selectors, classifiers; /* that there is room for */
    const hs_folds *folds;         /* whose training part is below; NULL: none yet */
    uint32_t fold;
    uint32_t *rows, row_count;
    hs_counts test, train;
    hs_lazy_scratch scratch;
    hs_selection selection;
    uint32_t *frequency; /* [selectors * features]; with one thread, that of the outcome is used */
    void **models, **scratches;
    double *score; /* [2 * HS_BATCH * classes]: and probabilities */
    double lap;    /* when the last piece of work ended */
};

struct run {
    const hs_crossval_request *request;
    hs_crossval *out;
    const hs_counts *whole;
    hs_counts counted; /* whole, if it was not at hand */
    hs_crossval_room *workers;
    int threads;
    uint32_t folds;           /* asked for */
    double *select_seconds;   /* [selectors * folds] */
    double *classify_seconds; /* [selectors * classifiers * folds] */
};

static void worker_clear(hs_crossval_room *worker)
{
    hs_free(worker->rows);
    hs_free(worker->models);
    hs_free(worker->scratches);
    hs_free(worker->score);
    hs_free(worker->frequency);
    hs_counts_clear(&worker->test);
    hs_counts_clear(&worker->train);
    hs_lazy_scratch_clear(&worker->scratch);
    hs_selection_clear(&worker->selection);
    *worker = (hs_crossval_room){0};
}

static int worker_init(hs_crossval_room *worker, const hs_crossval_request *request,
                       hsel_error *error)
{
    const hsel_dataset *data = request->data;
    worker_clear(worker); /* of a try that failed */
    worker->selectors = request->selector_count;
    worker->classifiers = request->classifier_count;
    worker->rows = HS_NEW(uint32_t, data->instances);
    worker->models = HS_NEW_ZERO(void *, request->classifier_count);
    worker->scratches = HS_NEW_ZERO(void *, request->classifier_count);
    worker->score = HS_NEW(double, 2 * HS_BATCH * (size_t)data->class_names.count);
    worker->frequency = HS_NEW_ZERO(uint32_t, request->selector_count * (size_t)data->features);
    HS_NEED(worker->rows && worker->models && worker->scratches && worker->score &&
            worker->frequency);
    HS_TRY(hs_counts_init(data->features, data->class_names.count, &worker->test, error));
    HS_TRY(hs_counts_init(data->features, data->class_names.count, &worker->train, error));
    HS_TRY(hs_lazy_scratch_init(&worker->scratch, data->features, error));
    HS_TRY(hs_selection_init(&worker->selection, data->features, error));
    worker->ready = true;
    return HSEL_OK;
}

/* ---- time: a stopwatch that never stands still, so that every moment of a task belongs to a
 * method ---- */

static void lap(hs_crossval_room *worker, double *seconds)
{
    double at = hs_now();
    *seconds += at - worker->lap;
    worker->lap = at;
}

static double *select_seconds(struct run *run, size_t selector, uint32_t fold)
{
    return &run->select_seconds[selector * run->folds + fold - run->request->fold_begin];
}

static double *classify_seconds(struct run *run, size_t selector, size_t classifier, uint32_t fold)
{
    size_t pair = selector * run->request->classifier_count + classifier;
    return &run->classify_seconds[pair * run->folds + fold - run->request->fold_begin];
}

/* ---- one task ---- */

/* Counts of the test fold, then of the training part by subtraction; and its rows. */
static void count_parts(struct run *run, hs_crossval_room *worker, uint32_t fold)
{
    const hsel_dataset *data = run->request->data;
    const hs_folds *folds = run->request->folds;
    hs_counts *test = &worker->test;
    uint32_t classes = test->classes;
    memset(test->positive, 0, (size_t)test->features * classes * sizeof *test->positive);
    memset(test->class_size, 0, classes * sizeof *test->class_size);
    test->instances = 0;
    for (uint32_t i = folds->start[fold]; i < folds->start[fold + 1]; i++) {
        size_t count;
        const uint32_t *row = hs_row(data, folds->order[i], &count);
        uint32_t label = hsel_dataset_class_of(data, folds->order[i]);
        if (label == HSEL_NONE)
            continue;
        test->instances++;
        test->class_size[label]++;
        for (size_t j = 0; j < count; j++)
            test->positive[(size_t)row[j] * classes + label]++;
    }
    hs_counts_subtract(run->whole, test, &worker->train);
    worker->row_count = hs_folds_training(folds, fold, worker->rows);
    worker->folds = folds;
    worker->fold = fold;
}

static int fit_all(struct run *run, hs_crossval_room *worker, size_t s, uint32_t fold,
                   const hs_training *training, hsel_error *error)
{
    for (size_t c = 0; c < run->request->classifier_count; c++) {
        const hs_chosen *chosen = &run->request->classifiers[c];
        const hs_classifier *classifier = chosen->method->classifier;
        HS_TRY(classifier->fit(training, chosen->options, &worker->models[c], error));
        if (classifier->scratch_new)
            HS_TRY(classifier->scratch_new(worker->models[c], &worker->scratches[c], error));
        lap(worker, classify_seconds(run, s, c, fold));
    }
    return HSEL_OK;
}

static void free_models(struct run *run, hs_crossval_room *worker, size_t s, uint32_t fold)
{
    for (size_t c = 0; c < run->request->classifier_count; c++) {
        const hs_classifier *classifier = run->request->classifiers[c].method->classifier;
        if (worker->scratches[c])
            classifier->scratch_free(worker->scratches[c]);
        if (worker->models[c])
            classifier->free(worker->models[c]);
        worker->models[c] = worker->scratches[c] = NULL;
        lap(worker, classify_seconds(run, s, c, fold));
    }
}

/* All instances without a selection, or one with it. */
static int predict(struct run *run, hs_crossval_room *worker, size_t s, size_t c,
                   const uint32_t *instances, uint32_t count, const hs_selection *selection,
                   hsel_error *error)
{
    const hs_crossval_request *request = run->request;
    size_t classes = request->data->class_names.count, width = hs_score_width((uint32_t)classes);
    hs_classifier_outcome *out = &run->out->classifiers[s * request->classifier_count + c];
    double *score = worker->score, *probability = score + HS_BATCH * classes;
    for (uint32_t at = 0; at < count; at += HS_BATCH) {
        hs_batch batch = {.data = request->data,
                          .instances = instances + at,
                          .count = count - at < HS_BATCH ? count - at : HS_BATCH,
                          .selection = selection};
        HS_TRY(request->classifiers[c].method->classifier->predict(
            worker->models[c], &batch, worker->scratches[c], probability, score, error));
        for (uint32_t i = 0; i < batch.count; i++) { /* scores of all, or the second of two */
            memcpy(out->probability + batch.instances[i] * classes, probability + i * classes,
                   classes * sizeof *probability);
            memcpy(out->score + batch.instances[i] * width, score + (i + 1) * classes - width,
                   width * sizeof *score);
        }
    }
    return HSEL_OK;
}

/* Where a worker counts how often features were selected. */
static uint32_t *frequency_of(struct run *run, hs_crossval_room *worker, size_t s)
{
    return run->threads == 1 ? run->out->selectors[s].frequency
                             : worker->frequency + s * run->request->data->features;
}

/* All negatives is every feature less the positive ones: these are taken off here, and "every
 * feature" is added once for all instances by run_lazy, so that no instance costs a pass over the
 * features. (Unsigned numbers may pass through 0 on the way.) */
static void add_frequency(uint32_t *frequency, const uint32_t *row, size_t count,
                          const hs_selection *selection)
{
    for (uint32_t i = 0; i < selection->positive_count; i++)
        frequency[selection->positive[i]]++;
    for (uint32_t i = 0; !selection->all_negative && i < selection->negative_count; i++)
        frequency[selection->negative[i]]++;
    for (size_t i = 0; selection->all_negative && i < count; i++)
        frequency[row[i]]--;
}

static int run_lazy(struct run *run, hs_crossval_room *worker, size_t s, uint32_t fold, void *state,
                    hsel_error *error)
{
    const hs_crossval_request *request = run->request;
    const hsel_dataset *data = request->data;
    const hs_selector *selector = request->selectors[s].method->selector;
    uint32_t *frequency = frequency_of(run, worker, s), all_negative = 0;
    for (uint32_t i = request->folds->start[fold]; i < request->folds->start[fold + 1]; i++) {
        uint32_t instance = request->folds->order[i];
        size_t count;
        const uint32_t *row = hs_row(data, instance, &count);
        HS_TRY(
            selector->select_for(state, row, count, &worker->scratch, &worker->selection, error));
        run->out->selectors[s].selected[instance] =
            hs_selection_size(&worker->selection, data->features, count);
        add_frequency(frequency, row, count, &worker->selection);
        all_negative += worker->selection.all_negative;
        lap(worker, select_seconds(run, s, fold));
        for (size_t c = 0; c < request->classifier_count; c++) {
            HS_TRY(predict(run, worker, s, c, &instance, 1, &worker->selection, error));
            lap(worker, classify_seconds(run, s, c, fold));
        }
    }
    for (uint32_t f = 0; all_negative && f < data->features; f++)
        frequency[f] += all_negative;
    return HSEL_OK;
}

static int run_eager(struct run *run, hs_crossval_room *worker, size_t s, uint32_t fold,
                     const uint64_t *mask, hsel_error *error)
{
    const hs_crossval_request *request = run->request;
    const uint32_t *instances = request->folds->order + request->folds->start[fold];
    uint32_t tested = request->folds->start[fold + 1] - request->folds->start[fold];
    uint32_t kept = (uint32_t)hs_bits_count(mask, run->out->mask_words);
    uint32_t *frequency = frequency_of(run, worker, s);
    for (uint32_t f = 0; f < request->data->features; f++)
        frequency[f] += hs_bit_get(mask, f) ? tested : 0;
    for (uint32_t i = 0; i < tested; i++)
        run->out->selectors[s].selected[instances[i]] = kept;
    for (size_t c = 0; c < request->classifier_count; c++) {
        HS_TRY(predict(run, worker, s, c, instances, tested, NULL, error));
        lap(worker, classify_seconds(run, s, c, fold));
    }
    return HSEL_OK;
}

/* What the selector of a task learned; models of classifiers are the worker's. */
static int learn_and_test(struct run *run, hs_crossval_room *worker, size_t s, uint32_t fold,
                          void **state, hsel_error *error)
{
    const hs_crossval_request *request = run->request;
    const hs_chosen *chosen = &request->selectors[s];
    uint64_t *mask = is_lazy(chosen) ? NULL
                                     : run->out->selectors[s].masks +
                                           (fold - request->fold_begin) * run->out->mask_words;
    hs_stream stream; /* repeats use neighbouring seeds: seed + fold would give some folds the
                         numbers of others */
    hs_stream_init(&stream, request->seed, "crossval", fold, 0);
    hs_training training = {
        .view = {.data = request->data, .rows = worker->rows, .row_count = worker->row_count},
        .counts = &worker->train,
        .seed = hs_random_u64(&stream),
        .progress = request->progress,
        .folds = request->folds,
        .fold = fold,
        .threads = 1};
    HS_TRY(chosen->method->selector->prepare(&training, chosen->options, state, error));
    if (mask)
        HS_TRY(chosen->method->selector->select_features(*state, mask, error));
    lap(worker, select_seconds(run, s, fold));
    training.view.features = mask;
    HS_TRY(fit_all(run, worker, s, fold, &training, error));
    return mask ? run_eager(run, worker, s, fold, mask, error)
                : run_lazy(run, worker, s, fold, *state, error);
}

static int run_task(void *context, size_t index, int which, hsel_error *error)
{
    struct run *run = context;
    const hs_crossval_request *request = run->request;
    hs_crossval_room *worker = &run->workers[which];
    uint32_t fold = request->fold_begin + (uint32_t)(index % run->folds);
    size_t s = index / run->folds;
    void *state = NULL;
    HS_TRY(hs_progress_report(request->progress, index, request->selector_count * run->folds,
                              "folds", error));
    if (!worker->ready)
        HS_TRY(worker_init(worker, request, error));
    if (worker->folds != request->folds || worker->fold != fold)
        count_parts(run, worker, fold);
    worker->lap = hs_now();
    int status = learn_and_test(run, worker, s, fold, &state, error);
    free_models(run, worker, s, fold);
    if (state)
        request->selectors[s].method->selector->free(state);
    lap(worker, select_seconds(run, s, fold));
    return status;
}

/* ---- all together ---- */

/* Sums in a fixed order, whatever worker did what. */
static void gather(struct run *run)
{
    const hs_crossval_request *request = run->request;
    uint32_t folds = run->folds, features = request->data->features;
    for (int w = 0; run->threads > 1 && w < run->threads; w++)
        for (size_t s = 0; run->workers[w].ready && s < request->selector_count; s++)
            for (uint32_t f = 0; f < features; f++)
                run->out->selectors[s].frequency[f] += run->workers[w].frequency[s * features + f];
    for (size_t s = 0; s < request->selector_count; s++)
        for (uint32_t f = 0; f < folds; f++)
            run->out->selectors[s].seconds += run->select_seconds[s * folds + f];
    for (size_t i = 0; i < request->selector_count * request->classifier_count; i++)
        for (uint32_t f = 0; f < folds; f++)
            run->out->classifiers[i].seconds += run->classify_seconds[i * folds + f];
}

void hs_crossval_room_free(hs_crossval_room *room)
{
    if (room)
        worker_clear(room);
    hs_free(room);
}

static void run_clear(struct run *run)
{
    for (int w = 0; !run->request->room && run->workers && w < run->threads; w++)
        worker_clear(&run->workers[w]);
    if (!run->request->room)
        hs_free(run->workers);
    hs_free(run->select_seconds);
    hs_free(run->classify_seconds);
    hs_counts_clear(&run->counted);
}

static int run_all(const hs_crossval_request *request, hs_crossval *out, hsel_error *error)
{
    size_t tasks = request->selector_count * fold_count(request);
    HS_OWNS(run_clear)
    struct run run = {.request = request,
                      .out = out,
                      .folds = fold_count(request),
                      .threads = request->room ? 1 : hs_threads(request->threads),
                      .select_seconds = HS_NEW_ZERO(double, tasks),
                      .classify_seconds =
                          HS_NEW_ZERO(double, tasks *(request->classifier_count + 1))};
    hs_view whole = hs_view_all(request->data);
    hs_crossval_room *kept = request->room ? *request->room : NULL;
    if (kept && (kept->selectors < request->selector_count ||
                 kept->classifiers < request->classifier_count))
        worker_clear(kept);
    run.workers = kept ? kept : HS_NEW_ZERO(hs_crossval_room, (size_t)run.threads);
    if (request->room)
        *request->room = run.workers;
    HS_NEED(run.workers && run.select_seconds && run.classify_seconds);
    if (!request->whole)
        HS_TRY(hs_counts_of(&whole, &run.counted, error));
    run.whole = request->whole ? request->whole : &run.counted;
    HS_TRY(hs_parallel_for(tasks, run.threads, run_task, &run, error));
    gather(&run);
    return HSEL_OK;
}

int hs_crossval_run(const hs_crossval_request *request, hs_crossval *out, hsel_error *error)
{
    HS_TRY(results_new(request, out, error));
    int status = run_all(request, out, error);
    if (status)
        hs_crossval_clear(out);
    return status;
}

hs_predictions hs_crossval_predictions(const hs_crossval *crossval, const hsel_dataset *data,
                                       const hs_folds *folds, size_t pair)
{
    return (hs_predictions){.instances = data->instances,
                            .classes = data->class_names.count,
                            .folds = folds->count,
                            .positive_class = data->positive_class,
                            .truth = data->class_of,
                            .fold_of = folds->fold_of,
                            .probability = crossval->classifiers[pair].probability,
                            .score = crossval->classifiers[pair].score,
                            .rank_by = crossval->rank_by,
                            .selected =
                                crossval->selectors[pair / crossval->classifier_count].selected,
                            .features = data->features};
}

int hs_crossval_scores(const hs_crossval *crossval, const hsel_dataset *data, const hs_folds *folds,
                       size_t pair, hs_scores *out, hsel_error *error)
{
    hs_predictions predictions = hs_crossval_predictions(crossval, data, folds, pair);
    return hs_metrics_compute(&predictions, out, error);
}

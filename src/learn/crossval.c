/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running the tasks. A worker keeps its scratch from task to task, so after its first one only the
 * methods themselves allocate (their state and model).
 */
#include "learn/crossval.h"

#include <pthread.h>

#include "classify/classify.h"
#include "learn/memory.h"
#include "load/load.h"
#include "pipeline/pipeline.h"

void hs_crossval_clear(hs_crossval *crossval)
{
    for (size_t i = 0; crossval->kept && i < crossval->of.selector_count * crossval->folds; i++)
        hs_pipeline_clear(&crossval->kept[i]);
    HS_FREE(crossval->selectors, crossval->classifiers, crossval->counts, crossval->masks,
            crossval->probed, crossval->numbers, crossval->kept);
    *crossval = (hs_crossval){0};
}

/* ---- workers ---- */

struct hs_crossval_scratch { /* of one thread; all zero until its first task */
    hs_arena memory;
    bool ready;
    size_t selectors, classifiers; /* that there is room for */
    const hs_folds *folds;         /* whose training part is below; NULL: none yet */
    uint32_t fold;
    size_t selector; /* of the current task */
    uint32_t *rows, row_count;
    hsel_dataset *made;       /* of its training part, if preparation learned something else from
                                 it than from all … */
    const hsel_dataset *data; /* … and the data of the fold: these, or those of the request */
    hs_counts test, train;
    uint32_t *frequency; /* [features]: of the current task */
    uint32_t *selected;  /* [instances]: of its selector */
    uint32_t all_negative;
    hs_pipeline pipeline;
    hs_predictor predictor;
    double *seconds;            /* [1 + classifiers]: of the selector and of each classifier */
    struct hs_answer_lists *to; /* [classifiers] */
};

struct run {
    const hs_crossval_request *request;
    hs_crossval *out;
    hs_counts counted; /* the whole, if it was not given */
    double *weight;    /* of the instances; NULL: all are 1 */
    hs_crossval_scratch *workers;
    int threads;
    uint32_t folds;             /* requested */
    hs_progress_parts progress; /* a part per task */
    pthread_mutex_t lock;       /* of what follows, and of frequencies and seconds of outcomes */
    uint32_t *tested;           /* [selectors]: folds */
    size_t told;                /* selectors that are done, as are all before them */
};

static void worker_clear(hs_crossval_scratch *worker)
{
    hs_dataset_free(worker->made);
    hs_counts_clear(&worker->test);
    hs_counts_clear(&worker->train);
    hs_predictor_clear(&worker->predictor);
    hs_arena_clear(&worker->memory);
    *worker = (hs_crossval_scratch){0};
}

void hs_crossval_scratch_free(hs_crossval_scratch *scratch)
{
    if (scratch)
        worker_clear(scratch);
    hs_free(scratch);
}

static int worker_init(hs_crossval_scratch *worker, const hs_crossval_request *request,
                       hsel_error *error)
{
    const hsel_dataset *data = request->data;
    worker_clear(worker); /* of a try that failed */
    worker->selectors = request->selector_count;
    worker->classifiers = request->classifier_count;
    HS_NEED(HS_LISTS(&worker->memory, worker, HS_PART(worker, rows, data->instances),
                     HS_PART(worker, seconds, 1 + request->classifier_count),
                     HS_PART(worker, to, request->classifier_count),
                     HS_PART(worker, frequency, data->features)));
    HS_TRY(hs_counts_init(data->features, data->class_names.count, &worker->test, error));
    HS_TRY(hs_counts_init(data->features, data->class_names.count, &worker->train, error));
    worker->ready = true;
    return HSEL_OK;
}

/* ---- one task ---- */

/* Counts of the test fold, then of the training part by subtraction; its rows, and the data as
 * they are prepared by these. */
static int take_parts(struct run *run, hs_crossval_scratch *worker, uint32_t fold,
                      hsel_error *error)
{
    const hs_folds *folds = run->request->folds;
    const uint32_t *start = &folds->start[fold];
    hs_view view = {.data = run->request->data,
                    .rows = folds->order + start[0],
                    .row_count = start[1] - start[0]};
    const hs_counts *whole = run->request->whole ? run->request->whole : &run->counted;
    worker->row_count = hs_folds_training(folds, fold, worker->rows);
    const bool rest = whole->instances == view.row_count + worker->row_count;
    if (rest) {
        hs_counts_again(&view, &worker->test);
        hs_counts_subtract(whole, &worker->test, &worker->train);
    }
    worker->folds = NULL;
    hs_dataset_free(hs_take(&worker->made));
    view.rows = worker->rows;
    view.row_count = worker->row_count;
    if (!rest) /* with times, some instances are neither tested nor used for training */
        hs_counts_again(&view, &worker->train);
    HS_TRY(hs_recipe_of_view(&view, &worker->made, error));
    worker->data = view.data;
    worker->folds = folds;
    worker->fold = fold;
    return HSEL_OK;
}

static void set_bit(void *set, uint32_t feature, bool value)
{
    (void)value;
    hs_bit_set(set, feature);
}

/* Counts what a lazy selector chose for an instance. All negatives is every feature less the
 * positive ones: these are taken off here, and "every feature" is added once for all instances at
 * the end, so that no instance costs a pass over the features. (Unsigned numbers may pass through 0
 * on the way.) */
static void count_selected(void *context, uint32_t instance, const hs_selection *selection)
{
    hs_crossval_scratch *worker = context;
    uint32_t *frequency = worker->frequency;
    size_t count;
    const uint32_t *row = hs_row(worker->data, instance, &count);
    worker->selected[instance] = hs_selection_size(selection, worker->data->features, count);
    worker->all_negative += selection->all_negative;
    for (uint32_t j = 0; j < selection->positive_count; j++)
        frequency[selection->positive[j]]++;
    for (uint32_t j = 0; !selection->all_negative && j < selection->negative_count; j++)
        frequency[selection->negative[j]]++;
    for (size_t j = 0; selection->all_negative && j < count; j++)
        frequency[row[j]]--;
}

/* What an eager selector keeps, for all instances of the fold. */
static void count_kept(const struct run *run, hs_crossval_scratch *worker,
                       const uint32_t *instances, uint32_t tested)
{
    const hs_crossval_request *request = run->request;
    const uint64_t *mask = worker->pipeline.mask;
    const size_t words = run->out->mask_words;
    const uint32_t kept = (uint32_t)hs_bits_count(mask, words);
    memcpy(run->out->selectors[worker->selector].masks +
               (worker->fold - request->fold_begin) * words,
           mask, words * sizeof *mask);
    for (uint32_t f = 0; f < request->data->features; f++)
        worker->frequency[f] += hs_bit_get(mask, f) ? tested : 0;
    for (uint32_t i = 0; i < tested; i++)
        worker->selected[instances[i]] = kept;
}

/* What a lazy selector chooses for the probes. */
static int select_probes(struct run *run, hs_crossval_scratch *worker, hsel_error *error)
{
    const hs_crossval_request *request = run->request;
    const hsel_dataset *data = request->data;
    uint64_t *probed = run->out->selectors[worker->selector].probed;
    hs_predictor *p = &worker->predictor;
    for (uint32_t i = 0; probed && i < request->probe_count; i++) {
        size_t count, set = (size_t)(worker->fold - request->fold_begin) * request->probe_count + i;
        const uint32_t *row = hs_row(data, request->probes[i], &count);
        HS_TRY(hs_pipeline_select(&worker->pipeline, data, request->probes[i], &p->lazy,
                                  &p->selection, error));
        hs_selection_each(&p->selection, data->features, row, count, set_bit,
                          probed + set * run->out->mask_words);
    }
    return HSEL_OK;
}

static int learn_and_test(struct run *run, hs_crossval_scratch *worker, const hs_progress *progress,
                          hsel_error *error)
{
    const hs_crossval_request *request = run->request;
    const uint32_t *start = &request->folds->start[worker->fold], tested = start[1] - start[0],
                   *instances = request->folds->order + start[0];
    hs_stream stream; /* repeats use neighbouring seeds: seed + fold would give some folds the
                         numbers of others */
    hs_stream_init(&stream, request->seed, "crossval", worker->fold, 0);
    const hs_training training = {
        .view = {.data = worker->data, .rows = worker->rows, .row_count = worker->row_count},
        .counts = &worker->train,
        .seed = hs_random_u64(&stream),
        .progress = progress,
        .folds = request->folds,
        .fold = worker->fold,
        .reasons = request->keep,
        .weight = run->weight,
        .threads = 1};
    HS_TRY(hs_pipeline_fit(&worker->pipeline, &training, error));
    HS_TRY(hs_predictor_begin(&worker->predictor, &worker->pipeline, worker->data, error));
    if (worker->pipeline.mask)
        count_kept(run, worker, instances, tested);
    for (size_t c = 0; c < request->classifier_count; c++) {
        const hs_classifier_outcome *out =
            &run->out->classifiers[worker->selector * request->classifier_count + c];
        worker->to[c] = (struct hs_answer_lists){out->probability, out->score};
    }
    HS_TRY(hs_predictor_run(
        &worker->predictor,
        &(hs_predict_request){.data = worker->data,
                              .instances = instances,
                              .count = tested,
                              .place = instances,
                              .to = worker->to,
                              .width = hs_score_width(request->data->class_names.count),
                              .progress = request->progress,
                              .selected = count_selected,
                              .context = worker},
        error));
    for (uint32_t f = 0; worker->all_negative && f < request->data->features; f++)
        worker->frequency[f] += worker->all_negative;
    return select_probes(run, worker, error);
}

/* Frequencies and seconds of a task that is done. The caller hears of selectors in their order. */
static int add_up(struct run *run, const hs_crossval_scratch *worker, hsel_error *error)
{
    const hs_crossval_request *request = run->request;
    const size_t classifiers = request->classifier_count;
    hs_selector_outcome *outcome = &run->out->selectors[worker->selector];
    for (uint32_t f = 0; f < request->data->features; f++)
        outcome->frequency[f] += worker->frequency[f];
    outcome->seconds += worker->seconds[0];
    for (size_t c = 0; c < classifiers; c++)
        run->out->classifiers[worker->selector * classifiers + c].seconds += worker->seconds[1 + c];
    run->tested[worker->selector]++;
    while (run->told < request->selector_count && run->tested[run->told] == run->folds) {
        const size_t finished = run->told++;
        int status = request->finished
                         ? request->finished(request->context, run->out, finished, error)
                         : HSEL_OK;
        if (status) { /* tasks that still run say nothing more */
            run->told = request->selector_count;
            return status;
        }
    }
    return HSEL_OK;
}

static int run_task(void *context, size_t index, int which, hsel_error *error)
{
    struct run *run = context;
    const hs_crossval_request *request = run->request;
    hs_crossval_scratch *worker = &run->workers[which];
    uint32_t fold = request->fold_begin + (uint32_t)(index % run->folds);
    const size_t classifiers = request->classifier_count;
    hs_progress_part part;
    hs_progress_part_begin(&part, &run->progress,
                           request->selectors[index / run->folds].method->name);
    HS_TRY(hs_progress_report(&part.progress, 0, 1, "", error));
    if (!worker->ready)
        HS_TRY(worker_init(worker, request, error));
    if (worker->folds != request->folds || worker->fold != fold)
        HS_TRY(take_parts(run, worker, fold, error));
    worker->selector = index / run->folds;
    worker->selected = run->out->selectors[worker->selector].selected;
    worker->all_negative = 0;
    memset(worker->seconds, 0, (1 + classifiers) * sizeof *worker->seconds);
    memset(worker->frequency, 0, request->data->features * sizeof *worker->frequency);
    worker->pipeline = (hs_pipeline){
        .selector = &request->selectors[worker->selector],
        .classifiers = request->classifiers,
        .count = classifiers,
        .left_out = request->left_out ? request->left_out + worker->selector * classifiers : NULL,
        .scores_only = request->scores_only,
        .seconds = worker->seconds};
    size_t partners = 0;
    for (size_t c = 0; c < classifiers; c++)
        partners += hs_pipeline_runs(&worker->pipeline, c);
    int status =
        partners || !classifiers ? learn_and_test(run, worker, &part.progress, error) : HSEL_OK;
    hs_predictor_end(&worker->predictor);
    if (request->keep && !status) {
        if (worker->made) { /* they may go by it */
            worker->pipeline.made = hs_take(&worker->made);
            worker->folds = NULL;
        }
        worker->pipeline.seconds = NULL;
        run->out->kept[index] = worker->pipeline;
    } else {
        hs_pipeline_clear(&worker->pipeline);
    }
    HS_TRY(status);
    HS_TRY(hs_progress_part_end(&part, error));
    pthread_mutex_lock(&run->lock);
    status = add_up(run, worker, error);
    pthread_mutex_unlock(&run->lock);
    return status;
}

/* ---- all together ---- */

/* Untouched zeroed memory costs nothing: a run over one fold fills little of it. */
static int results_new(const hs_crossval_request *request, uint32_t folds, hs_crossval *out,
                       hsel_error *error)
{
    const hsel_dataset *data = request->data;
    size_t n = data->instances, classes = data->class_names.count;
    size_t width = hs_score_width((uint32_t)classes), words = hs_bit_words(data->features);
    size_t selectors = request->selector_count, pairs = selectors * request->classifier_count;
    size_t probed = words * folds * request->probe_count;
    *out = (hs_crossval){.selectors = HS_NEW_ZERO(hs_selector_outcome, selectors),
                         .classifiers = HS_NEW_ZERO(hs_classifier_outcome, pairs),
                         .mask_words = words,
                         .folds = folds,
                         .of = *request,
                         .counts = HS_NEW_ZERO(uint32_t, selectors * (n + data->features)),
                         .masks = HS_NEW_ZERO(uint64_t, selectors * words * folds),
                         .probed = HS_NEW_ZERO(uint64_t, selectors * probed),
                         .numbers = HS_NEW_ZERO(double, pairs *n *(classes + width))};
    HS_NEED(out->selectors && out->classifiers && out->counts && out->masks && out->probed &&
            out->numbers);
    for (size_t s = 0; s < selectors; s++) {
        bool lazy = request->selectors[s].method->flags & HS_LAZY;
        out->selectors[s].selected = out->counts + s * (n + data->features);
        out->selectors[s].frequency = out->selectors[s].selected + n;
        out->selectors[s].probed = lazy && probed ? out->probed + s * probed : NULL;
        out->selectors[s].masks = lazy ? NULL : out->masks + s * words * folds;
    }
    for (size_t i = 0; i < pairs; i++) {
        out->classifiers[i].probability = out->numbers + i * n * (classes + width);
        out->classifiers[i].score = out->classifiers[i].probability + n * classes;
    }
    return HSEL_OK;
}

static void run_clear(struct run *run)
{
    for (int w = 0; !run->request->scratch && run->workers && w < run->threads; w++)
        worker_clear(&run->workers[w]);
    if (!run->request->scratch)
        hs_free(run->workers);
    HS_FREE(run->tested, run->weight);
    pthread_mutex_destroy(&run->lock);
    hs_counts_clear(&run->counted);
}

int hs_crossval_run(const hs_crossval_request *request, hs_crossval *out, hsel_error *error)
{
    uint32_t end = request->fold_end ? request->fold_end : request->folds->count;
    uint32_t folds = end - request->fold_begin;
    size_t tasks = request->selector_count * folds;
    HS_OWNS(hs_crossval_clear) hs_crossval done = {0};
    HS_OWNS(run_clear)
    struct run run = {.request = request,
                      .out = &done,
                      .folds = folds,
                      .threads = request->scratch ? 1 : hs_threads(request->threads),
                      .progress = {.whole = request->progress, .count = tasks},
                      .lock = PTHREAD_MUTEX_INITIALIZER,
                      .tested = HS_NEW_ZERO(uint32_t, request->selector_count)};
    assert(request->fold_begin < end && end <= request->folds->count);
    hs_view whole = hs_view_all(request->data);
    hs_crossval_scratch *kept = request->scratch ? *request->scratch : NULL;
    if (kept && (kept->selectors < request->selector_count ||
                 kept->classifiers < request->classifier_count))
        worker_clear(kept);
    run.workers = kept ? kept : HS_NEW_ZERO(hs_crossval_scratch, (size_t)run.threads);
    if (request->scratch)
        *request->scratch = run.workers;
    HS_NEED(run.workers && run.tested);
    if (!request->scratch) {
        const hs_memory_plan plan = {.data = request->data,
                                     .selectors = request->selectors,
                                     .classifiers = request->classifiers,
                                     .selector_count = request->selector_count,
                                     .classifier_count = request->classifier_count,
                                     .folds = request->folds->count,
                                     .tasks =
                                         tasks < (size_t)run.threads ? (int)tasks : run.threads,
                                     .kept = request->keep ? (double)tasks : 0,
                                     .predicted = request->data->instances};
        HS_TRY(hs_memory_check(&plan, request->progress ? request->progress->notes : NULL, error));
    }
    HS_TRY(hs_weights_of(request->data, &run.weight, error));
    HS_TRY(results_new(request, folds, &done, error));
    if (request->keep)
        HS_NEED(done.kept = HS_NEW_ZERO(hs_pipeline, tasks));
    if (!request->whole)
        HS_TRY(hs_counts_of(&whole, &run.counted, error));
    HS_TRY(hs_parallel_for(tasks, run.threads, run_task, &run, error));
    HS_MOVE(out, &done);
    return HSEL_OK;
}

hs_repeat hs_crossval_repeat(const hs_crossval *crossval, size_t pair)
{
    const hsel_dataset *data = crossval->of.data;
    const hs_folds *dealt = crossval->of.folds;
    const hs_selector_outcome *selector =
        &crossval->selectors[pair / crossval->of.classifier_count];
    const hs_classifier_outcome *classifier = &crossval->classifiers[pair];
    const uint32_t first = crossval->of.fold_begin, *start = dealt->start + first;
    const bool all = crossval->folds == dealt->count && start[dealt->count] == data->instances;
    return (hs_repeat){.predictions = {.instances = data->instances,
                                       .classes = data->class_names.count,
                                       .first_fold = first,
                                       .folds = crossval->folds,
                                       .tested = all ? NULL : dealt->order + start[0],
                                       .tested_count = start[crossval->folds] - start[0],
                                       .positive_class = data->positive_class,
                                       .truth = data->class_of,
                                       .target = data->target,
                                       .fold_of = dealt->fold_of,
                                       .probability = classifier->probability,
                                       .score = classifier->score,
                                       .rank_by = crossval->of.rank_by,
                                       .selected = selector->selected,
                                       .features = data->features},
                       .select_seconds = selector->seconds,
                       .classify_seconds = classifier->seconds,
                       .frequency = selector->frequency};
}

int hs_crossval_note(const hsel_dataset *data, const hs_folds *folds, bool pooled, hs_notes *notes,
                     hsel_error *error)
{
    const uint32_t classes = data->target ? 0 : data->class_names.count;
    HS_OWNED uint32_t *last = HS_NEW_ZERO(uint32_t, classes), /* fold that has it, plus 1 */
        *in = HS_NEW_ZERO(uint32_t, classes),                 /* folds */
            *size = HS_NEW_ZERO(uint32_t, classes);
    const bool fixed = folds->count == 1;
    char text[160];
    HS_NEED(last && in && size);
    for (uint32_t f = 0; classes && f < folds->count; f++)
        for (uint32_t i = folds->start[f]; i < folds->start[f + 1]; i++) {
            const uint32_t c = data->class_of[folds->order[i]];
            in[c] += last[c] != f + 1;
            last[c] = f + 1;
        }
    hs_print(
        text, sizeof text,
        "classes are missing in some of the %u folds, so metrics are pooled over all instances",
        folds->count);
    const struct {
        const char *text;
        uint32_t met, of;
    } about[] = {{"instances belong to one group, so folds differ in size",
                  folds->count < folds->groups && 2 * (uint64_t)folds->largest * folds->count >
                                                      3 * (uint64_t)folds->instances
                      ? folds->largest
                      : 0,
                  folds->instances},
                 {"groups are available: too few for reliable estimates for new groups",
                  folds->groups < 10 ? folds->groups : 0, folds->groups}};
    for (size_t k = 0; folds->groups && k < sizeof about / sizeof *about; k++)
        for (uint32_t i = 0; i < about[k].of && about[k].met; i++)
            HS_TRY(hs_notes_count(notes, hsel_dataset_name(data), about[k].text, i < about[k].met,
                                  error));
    if (classes)
        hs_class_sizes(data, size);
    if (fixed)
        hs_print(text, sizeof text,
                 "classes are missing in the test set, so some metrics are undefined");
    for (uint32_t c = 0; c < classes; c++)
        if (fixed ? size[c] : !pooled && in[c])
            HS_TRY(
                hs_notes_count(notes, hsel_dataset_name(data), text, in[c] < folds->count, error));
    if (!fixed && !folds->past)
        return HSEL_OK;
    for (uint32_t c = 0; c < classes; c++)
        last[c] = 0;
    for (uint32_t i = 0; classes && i < folds->instances; i++)
        last[data->class_of[i]] |= hs_fold_learns(folds, i, 0);
    for (uint32_t c = 0; c < classes; c++)
        if (size[c])
            HS_TRY(hs_notes_count(
                notes, hsel_dataset_name(data),
                fixed ? "classes are missing in the training part, so they are never predicted"
                      : "classes are missing in the first training part, so they are not predicted "
                        "there",
                !last[c], error));
    return HSEL_OK;
}

uint32_t hs_choose_probes(const hsel_dataset *data, uint32_t *probes)
{
    uint32_t count = data->instances < HS_PROBES ? data->instances : HS_PROBES;
    for (uint32_t i = 0; i < count; i++)
        probes[i] = (uint32_t)((uint64_t)i * data->instances / count);
    return count;
}

int hs_refits_add(hs_refits *refits, const hs_crossval *done, size_t selector, hsel_error *error)
{
    const hs_selector_outcome *chosen = &done->selectors[selector];
    const uint64_t *masks = chosen->masks ? chosen->masks : chosen->probed;
    size_t words = done->mask_words;
    if (!masks)
        return HSEL_OK;
    refits->cases = chosen->masks ? 1 : done->of.probe_count;
    size_t have = (size_t)refits->sets * refits->cases * words,
           more = (size_t)done->folds * refits->cases * words;
    HS_NEED(HS_GROW(&refits->masks, &refits->capacity, have + more));
    if (more > 0)
        memcpy(refits->masks + have, masks, more * sizeof *masks);
    refits->sets += done->folds;
    return HSEL_OK;
}

void hs_refits_clear(hs_refits *refits)
{
    hs_free(refits->masks);
    *refits = (hs_refits){0};
}

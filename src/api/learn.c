/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What hsel.h offers on selection, ranking, models, cross-validation and comparison. Texts become
 * methods, results become plain arrays. Instances are predicted in blocks that threads share out;
 * each writes to its own place, so results do not depend on their number.
 */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "api/api.h"
#include "classify/classify.h"
#include "core/journal.h"
#include "core/mem.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "data/classes.h"
#include "data/transform.h"
#include "learn/auto.h"
#include "learn/crossval.h"
#include "learn/describe.h"
#include "learn/fold_file.h"
#include "learn/model.h"
#include "rank/rank.h"
#include "show/choice.h"
#include "show/comparison.h"
#include "show/drawing.h"
#include "show/explanation.h"
#include "select/lazy.h"
#include "infer/procedures.h"
#include "stats/running.h"
#include "stats/stability.h"

#define REPORT_EVERY      0.05 /* seconds */
#define BLOCK             128  /* instances */
#define MOST_THREADS      4096
#define MOST_REPEATS      1000 /* of the automatic choice, outer or inner */
#define MOST_PERMUTATIONS 100000
#define MOST_METHODS      1000 /* in a comparison: pairs are tested one by one, and each is kept */

/* ---- a call under way: its request, and whom it reports to ---- */

struct call {
    hsel_request request;
    const hs_progress *progress; /* NULL: nobody watches */
    hs_progress passed_on;
    pthread_t caller;
    double next; /* earliest time of the next report; the caller's thread alone looks at it */
    atomic_bool stopped;
    hs_notes notes;
};

/* Passes progress on to the caller: only in the thread that made the call (a caller in Python has
 * its signals there, and other threads need not wait for its lock) and some times a second. Once it
 * says stop, every thread stops. */
static int pass_on(void *context, uint64_t done, uint64_t total, const char *what)
{
    struct call *call = context;
    if (atomic_load_explicit(&call->stopped, memory_order_relaxed))
        return 1;
    if (!call->request.report || !pthread_equal(call->caller, pthread_self()))
        return 0;
    double at = hs_now();
    if (at < call->next)
        return 0;
    call->next = at + REPORT_EVERY;
    if (call->request.report(call->request.context, done, total, what) == 0)
        return 0;
    atomic_store_explicit(&call->stopped, true, memory_order_relaxed);
    return 1;
}

enum { NO_WEIGHTS, WEIGHTS };

static int call_start(struct call *call, const hsel_request *given, int takes, hsel_error *error)
{
    static const hsel_request plain = {.size = sizeof plain};
    hsel_request *request = &call->request;
    *call = (struct call){.notes = HS_NOTES};
    HS_TRY(HS_REQUEST_TAKE(given ? given : &plain, request, hsel_request, error));
    HS_REFUSE(request->threads < 0 || request->threads > MOST_THREADS,
              "threads are 0 to %d, not %d", MOST_THREADS, request->threads);
    HS_REFUSE(request->weights && takes == NO_WEIGHTS,
              "weights of instances are for hsel_train alone");
    if (!request->report && !request->note)
        return HSEL_OK;
    call->passed_on = (hs_progress){pass_on, call, request->note ? &call->notes : NULL};
    if (request->any_thread) {
        call->passed_on.report = request->report;
        call->passed_on.context = request->context;
    }
    call->progress = &call->passed_on;
    call->caller = pthread_self();
    call->next = hs_now() + REPORT_EVERY;
    return HSEL_OK;
}

/* Tells the notes. */
static void call_end(struct call *call)
{
    if (call->request.note)
        hs_notes_tell(&call->notes, call->request.note, call->request.context);
    hs_notes_clear(&call->notes);
}

static const char *selector_of(const struct call *call)
{
    return call->request.selector ? call->request.selector : "none";
}

static const char *classifier_of(const struct call *call)
{
    return call->request.classifier ? call->request.classifier : "nb";
}

/* Methods by a list of names that each end in a NUL. */
struct methods {
    hs_chosen *items;
    size_t count;
};

static void methods_clear(struct methods *methods)
{
    for (size_t i = 0; methods->items && i < methods->count; i++)
        hs_chosen_clear(&methods->items[i]);
    hs_free(methods->items);
}

/* list NULL: the usual ones. */
static int take_methods(hs_kind kind, const char *list, uint32_t count, const char *const *usual,
                        struct methods *out, hsel_error *error)
{
    while (!list && usual[count])
        count++;
    HS_NEED(out->items = HS_NEW_ZERO(hs_chosen, count));
    out->count = count;
    for (uint32_t i = 0; i < count; i++) {
        const char *name = list ? list : usual[i];
        HS_TRY(hs_chosen_parse(kind, name, &out->items[i], error));
        list = list ? list + strlen(list) + 1 : NULL;
    }
    return count ? HSEL_OK : hs_fail(error, HSEL_EUSAGE, "no %s was named", hs_kind_name(kind));
}

static int take_rank_by(const char *text, hs_rank_by *out, hsel_error *error)
{
    HS_REFUSE(text && strcmp(text, "score") != 0 && strcmp(text, "probability") != 0,
              "AUROC and AUPRC rank by score or by probability, not by '%.80s'", text);
    *out = text && *text == 'p' ? HS_RANK_BY_PROBABILITY : HS_RANK_BY_SCORE;
    return HSEL_OK;
}

/* ---- selecting and ranking ---- */

static int check_eager(const hs_method *selector, hsel_error *error)
{
    if (!(selector->flags & HS_LAZY))
        return HSEL_OK;
    return hs_fail(error, HSEL_EUNSUPPORTED,
                   "%s selects features anew for each instance, so there is no one set of them: "
                   "train a model with it",
                   selector->name);
}

/* A model; classifier "": one that only selects. */
static int train(const struct call *call, const hsel_dataset *data, const char *classifier,
                 const double *weight, hs_model **out, hsel_error *error)
{
    const hsel_request *request = &call->request;
    return hs_model_train(&(hs_model_request){.data = data,
                                              .selector = selector_of(call),
                                              .classifier = *classifier ? classifier : NULL,
                                              .weight = weight,
                                              .allow_violations = request->allow_violations != 0,
                                              .seed = request->seed,
                                              .threads = request->threads,
                                              .progress = call->progress,
                                              .log = request->log,
                                              .checkpoint = request->checkpoint},
                          out, error);
}

int hsel_select(const hsel_dataset *data, const hsel_request *request, uint8_t *keep,
                double *scores, hsel_error *error)
{
    HS_OWNS(call_end) struct call call;
    HS_OWNS(hs_model_release) hs_model *model = NULL;
    HS_TRY(call_start(&call, request, NO_WEIGHTS, error));
    const char *selector = call.request.selector;
    HS_REFUSE(!selector, "no selector was named");
    const hs_method *method = hs_method_find(HS_SELECTOR, selector, strcspn(selector, ":"));
    if (method)
        HS_TRY(check_eager(method, error));
    HS_TRY(train(&call, data, "", NULL, &model, error));
    HS_TRY(hsel_model_support(model, keep, error));
    for (uint32_t f = 0; scores && f < data->features; f++)
        scores[f] = model->scores ? model->scores[f] : (double)NAN;
    return HSEL_OK;
}

int hsel_reject(const hsel_dataset *data, const double *p, const char *procedure, double alpha,
                uint8_t *rejected, double *adjusted, hsel_error *error)
{
    const hs_procedure *found = hs_procedure_find(procedure, error);
    const uint32_t count = data->features;
    HS_OWNED bool *set = HS_NEW(bool, count), *inherited = HS_NEW(bool, count);
    HS_OWNED double *level = HS_NEW(double, count), *own = NULL;
    HS_TRY(found ? HSEL_OK : HSEL_EUSAGE);
    HS_NEED(set && inherited && level);
    HS_COPY_ARRAY(own, p, count);
    HS_REFUSE(found->upwards && !data->dag, "%s needs a hierarchy", found->name);
    const hs_hypotheses h = {
        .p = p, .count = count, .dag = data->dag, .alpha = alpha, .names = &data->feature_names};
    HS_TRY(hs_procedure_run(found, &h, set, level, error));
    HS_TRY(hs_inherited(found, &h, level, inherited, error));
    for (uint32_t f = 0; f < count; f++)
        rejected[f] = set[f] ? 1 + inherited[f] : 0;
    if (adjusted)
        memcpy(adjusted, level, count * sizeof *level);
    return HSEL_OK;
}

int hsel_rank(const hsel_dataset *data, const hsel_request *request, double *scores,
              hsel_error *error)
{
    static const char *const none[] = {NULL};
    HS_OWNS(call_end) struct call call;
    HS_TRY(call_start(&call, request, NO_WEIGHTS, error));
    const uint32_t count = call.request.rankers ? call.request.ranker_count : 0;
    HS_OWNS(methods_clear) struct methods rankers = {0};
    HS_OWNS(hs_counts_clear) hs_counts counts = {0};
    HS_OWNED uint32_t *rows = NULL;
    HS_OWNED double **score = HS_NEW(double *, count);
    hs_training training = {.counts = &counts,
                            .seed = call.request.seed,
                            .progress = call.progress,
                            .threads = call.request.threads};
    HS_NEED(score);
    HS_TRY(take_methods(HS_RANKER, call.request.rankers, count, none, &rankers, error));
    for (uint32_t i = 0; i < count; i++) {
        score[i] = scores + (size_t)i * data->features;
        HS_TRY(hs_check_method(data, rankers.items[i].method, error));
    }
    HS_TRY(hs_view_labelled(data, &rows, &training.view, error));
    HS_TRY(hs_counts_of(&training.view, &counts, error));
    return hs_rank_features(&training, rankers.items, count, score, error);
}

/* ---- models ---- */

static int check_classifier(const hsel_model *model, hsel_error *error)
{
    hs_error_clear(error);
    return model->classifier.method
               ? HSEL_OK
               : hs_fail(error, HSEL_EUNSUPPORTED, "the model has no classifier: it only selects");
}

int hsel_train(const hsel_dataset *data, const hsel_request *request, hsel_model **out,
               hsel_error *error)
{
    HS_OWNS(call_end) struct call call;
    HS_TRY(call_start(&call, request, WEIGHTS, error));
    HS_OWNED double *own = NULL;
    HS_COPY_ARRAY(own, call.request.weights, data->instances);
    return train(&call, data, classifier_of(&call), call.request.weights, out, error);
}

int hsel_model_read(const char *path, hsel_model **out, hsel_error *error)
{
    hs_error_clear(error);
    return hs_model_read(path, out, error);
}

int hsel_model_write(const hsel_model *model, const char *path, hsel_error *error)
{
    HS_TRY(check_classifier(model, error));
    return hs_model_write(model, path, error);
}

void hsel_model_free(hsel_model *model) { hs_model_free(model); }

uint32_t hsel_model_instances(const hsel_model *model) { return model->counts.instances; }

uint32_t hsel_model_classes(const hsel_model *model) { return model->shape->class_names.count; }

const char *hsel_model_class_name(const hsel_model *model, uint32_t label)
{
    return hsel_dataset_class_name(model->shape, label);
}

const hsel_dataset *hsel_model_shape(const hsel_model *model) { return model->shape; }

int hsel_model_methods(const hsel_model *model, char **selector, char **classifier,
                       hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf first = {0}, second = {0};
    hs_error_clear(error);
    hs_chosen_format(&model->selector, &first);
    hs_buf_text(&second, "");
    if (model->classifier.method)
        hs_chosen_format(&model->classifier, &second);
    HS_NEED(!first.failed && !second.failed);
    *selector = hs_take(&first.text);
    *classifier = hs_take(&second.text);
    return HSEL_OK;
}

int hsel_model_to_bytes(const hsel_model *model, void **bytes, size_t *length, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf buffer = {0};
    HS_TRY(check_classifier(model, error));
    HS_TRY(hs_model_to_bytes(model, &buffer, error));
    *length = buffer.length;
    *bytes = hs_take(&buffer.text);
    return HSEL_OK;
}

int hsel_model_from_bytes(const void *bytes, size_t length, hsel_model **out, hsel_error *error)
{
    HS_OWNED char *own = NULL;
    hs_error_clear(error);
    HS_COPY_ARRAY(own, bytes, length);
    return hs_model_from_bytes("model", bytes, length, out, error);
}

int hsel_model_support(const hsel_model *model, uint8_t *keep, hsel_error *error)
{
    hs_error_clear(error);
    if (!model->pipeline.mask)
        return check_eager(model->selector.method, error);
    for (uint32_t f = 0; f < model->shape->features; f++)
        keep[f] = hs_bit_get(model->pipeline.mask, f);
    return HSEL_OK;
}

int hsel_model_relevance(const hsel_model *model, double *scores, hsel_error *error)
{
    const double *relevance = hs_model_scores(model);
    hs_error_clear(error);
    HS_FAIL_IF(!relevance, HSEL_EUNSUPPORTED, "%s gives features no relevance",
               model->selector.method->name);
    memcpy(scores, relevance, model->shape->features * sizeof *scores);
    return HSEL_OK;
}

/* ---- predicting ---- */

static bool same_names(const hs_names *a, const hs_names *b)
{
    return a->count == b->count &&
           (a->count == 0 || (a->start[a->count] == b->start[b->count] &&
                              memcmp(a->pool, b->pool, a->start[a->count]) == 0));
}

static bool same_words(const hsel_dataset *a, const hsel_dataset *b)
{
    bool same = a->nominal_count == b->nominal_count;
    for (uint32_t i = 0; same && i < a->nominal_count; i++)
        same = same_names(&a->nominal[i].values, &b->nominal[i].values);
    return same;
}

/* Has the data set the features, preparation and hierarchy of the shape of a model, so that it can
 * be predicted as it is? */
static bool same_shape(const hsel_dataset *data, const hsel_dataset *shape)
{
    const hsel_dag *a = data->dag, *b = shape->dag;
    if (data->recipe != shape->recipe || (shape->recipe && data->learned != shape->learned))
        return false;
    if (!same_names(&data->feature_names, &shape->feature_names) ||
        memcmp(data->types, shape->types, shape->features) != 0 || !same_words(data, shape) ||
        !a != !b)
        return false;
    return !a || (a->edges == b->edges &&
                  memcmp(a->parent_start, b->parent_start,
                         ((size_t)a->nodes + 1) * sizeof *a->parent_start) == 0 &&
                  (!a->edges || memcmp(a->parent, b->parent, a->edges * sizeof *a->parent) == 0));
}

/* The data in the form of the model: *data itself, or what it then points to, *made. */
static int match_features(const hs_model *model, const hsel_dataset **data, hsel_dataset **made,
                          hsel_error *error)
{
    const hs_method *selector = model->selector.method;
    uint32_t unknown, missing;
    if (!same_shape(*data, model->shape)) {
        HS_TRY(hs_align(*data, model->shape, true, made, &unknown, &missing, error));
        *data = *made;
    }
    return selector->flags & HS_LAZY ? hs_check_rule(*data, selector, false, error) : HSEL_OK;
}

struct chunk { /* the features selected for the instances of a block */
    uint32_t *index;
    size_t count, capacity;
};

struct work {
    const hs_model *model;
    const hsel_dataset *data;
    hsel_dataset *made; /* data, if they had to be brought into the form of the model */
    const hs_progress *progress;
    hs_model_scratch *scratch; /* one per thread; all zero: not made yet */
    int threads;
    size_t blocks;
    uint32_t first, count; /* instances */
    const double *weight;  /* 0: left out; NULL: none is */
    bool predicts;         /* else it selects alone */
    double *probability, *score;
    uint32_t *selected;   /* NULL: not wanted */
    struct chunk *chunks; /* NULL: not wanted */
    uint64_t *start;
};

static void keep_feature(void *context, uint32_t feature, bool value)
{
    struct chunk *chunk = context;
    (void)value;
    chunk->index[chunk->count++] = feature;
}

/* Adds what is selected for an instance, ascending. */
static int add_selection(struct work *work, hs_model_scratch *scratch, struct chunk *chunk,
                         uint32_t instance, hsel_error *error)
{
    size_t positives, before = chunk->count;
    uint32_t features = work->data->features,
             size = hs_model_selected(scratch, work->data, instance);
    const uint32_t *row = hs_row(work->data, instance, &positives);
    HS_NEED(HS_GROW(&chunk->index, &chunk->capacity, before + size));
    work->start[instance - work->first + 1] = size;
    if (!work->model->pipeline.mask) {
        hs_selection_each(&scratch->predictor.selection, features, row, positives, keep_feature,
                          chunk);
        hs_lazy_sort(chunk->index + before, scratch->predictor.lazy.list, size);
    } else if (size) {
        memcpy(chunk->index + before, scratch->kept, size * sizeof *scratch->kept);
        chunk->count += size;
    }
    return HSEL_OK;
}

static int predict_some(struct work *work, hs_model_scratch *scratch, uint32_t first,
                        uint32_t count, hsel_error *error)
{
    const uint32_t classes = work->model->shape->class_names.count;
    const size_t at = first - work->first;
    return hs_model_predict(work->model, work->data, first, count, scratch,
                            work->probability ? work->probability + at * classes : NULL,
                            work->score ? work->score + at * hs_answers(classes) : NULL,
                            work->selected ? work->selected + at : NULL, error);
}

static int do_block(void *context, size_t block, int worker, hsel_error *error)
{
    struct work *work = context;
    hs_model_scratch *scratch = &work->scratch[worker];
    const hs_pipeline *pipeline = &work->model->pipeline;
    const uint32_t all = work->first + work->count, first = work->first + (uint32_t)block * BLOCK,
                   end = all - first < BLOCK ? all : first + BLOCK;
    HS_TRY(hs_progress_report(work->progress, first, work->data->instances, "", error));
    if (!scratch->predictor.pipeline)
        HS_TRY(hs_model_scratch_init(scratch, work->model, error));
    for (uint32_t i = first, count; i < end; i += count) {
        /* A lazy selection is that of the last instance: one at a time, where it is wanted. */
        const uint32_t most = work->chunks && !pipeline->mask ? 1 : end - i;
        bool left_out = work->weight && work->weight[i] == 0;
        for (count = 1; count < most && !(work->weight && work->weight[i + count] == 0);)
            count++;
        if (left_out) {
            count = 1;
            continue;
        }
        if (work->predicts)
            HS_TRY(predict_some(work, scratch, i, count, error));
        else if (!pipeline->mask)
            HS_TRY(hs_pipeline_select(pipeline, work->data, i, &scratch->predictor.lazy,
                                      &scratch->predictor.selection, error));
        for (uint32_t k = i; work->chunks && k < i + count; k++)
            HS_TRY(add_selection(work, scratch, &work->chunks[block], k, error));
    }
    return HSEL_OK;
}

static void work_clear(struct work *work)
{
    for (int w = 0; work->scratch && w < work->threads; w++)
        if (work->scratch[w].predictor.pipeline)
            hs_model_scratch_clear(&work->scratch[w]);
    hs_free(work->scratch);
    for (size_t b = 0; work->chunks && b < work->blocks; b++)
        hs_free(work->chunks[b].index);
    hs_free(work->chunks);
    hs_dataset_free(work->made);
}

/* start NULL: the features selected are not wanted. */
static int do_all(struct work *work, const struct call *call, uint64_t *start, uint32_t **index,
                  hsel_error *error)
{
    HS_OWNED double *weight = NULL;
    uint64_t used = 0;
    work->weight = call->request.weights;
    HS_COPY_ARRAY(weight, work->weight, work->data->instances);
    const uint32_t all = work->data->instances, first = call->request.first,
                   n = call->request.count ? call->request.count : all - first;
    HS_REFUSE(first > all || n > all - first, "there are no %u instances from %u on: there are %u",
              n, first, all);
    HS_TRY(match_features(work->model, &work->data, &work->made, error));
    work->first = first;
    work->count = n;
    work->progress = call->progress;
    work->threads = hs_threads(call->request.threads);
    work->blocks = ((size_t)n + BLOCK - 1) / BLOCK;
    HS_NEED(work->scratch = HS_NEW_ZERO(hs_model_scratch, (size_t)work->threads));
    if (start) {
        HS_NEED(work->chunks = HS_NEW_ZERO(struct chunk, work->blocks));
        memset(work->start = start, 0, ((size_t)n + 1) * sizeof *start);
    }
    HS_TRY(hs_parallel_for(work->blocks, work->threads, do_block, work, error));
    if (!start)
        return HSEL_OK;
    for (uint32_t i = 0; i < n; i++)
        start[i + 1] += start[i];
    HS_NEED(*index = HS_NEW(uint32_t, start[n]));
    for (size_t b = 0; b < work->blocks; b++) {
        struct chunk *chunk = &work->chunks[b];
        if (chunk->count)
            memcpy(*index + used, chunk->index, chunk->count * sizeof **index);
        used += chunk->count;
        hs_free(hs_take(&chunk->index)); /* as soon as it is copied */
    }
    return HSEL_OK;
}

int hsel_predict(const hsel_model *model, const hsel_dataset *data, const hsel_request *request,
                 double *probability, double *score, uint32_t *selected, hsel_error *error)
{
    HS_OWNS(call_end) struct call call;
    HS_TRY(call_start(&call, request, WEIGHTS, error));
    HS_TRY(check_classifier(model, error));
    HS_OWNS(work_clear)
    struct work work = {.model = model,
                        .data = data,
                        .predicts = true,
                        .probability = probability,
                        .score = score,
                        .selected = selected};
    return do_all(&work, &call, call.request.selected_start, call.request.selected_index, error);
}

int hsel_select_each(const hsel_model *model, const hsel_dataset *data, const hsel_request *request,
                     uint64_t *start, uint32_t **index, hsel_error *error)
{
    HS_OWNS(call_end) struct call call;
    HS_TRY(call_start(&call, request, WEIGHTS, error));
    HS_OWNS(work_clear) struct work work = {.model = model, .data = data};
    return do_all(&work, &call, start, index, error);
}

/* ---- cross-validation ---- */

size_t hsel_metric_count(void) { return HS_METRICS; }

const char *hsel_metric_name(size_t metric)
{
    return metric < HS_METRICS ? hs_metric_name((hs_metric)metric) : NULL;
}

void hsel_evaluation_free(hsel_evaluation *evaluation)
{
    if (evaluation)
        hs_evaluation_clear(evaluation);
    hs_free(evaluation);
}
HS_RELEASE(evaluation_release, hsel_evaluation, hsel_evaluation_free)

uint32_t hsel_evaluation_folds(const hsel_evaluation *evaluation) { return evaluation->folds; }

uint32_t hsel_evaluation_repeats(const hsel_evaluation *evaluation) { return evaluation->repeats; }

double hsel_evaluation_metric(const hsel_evaluation *evaluation, const char *metric, int statistic)
{
    hs_metric m = hs_metric_find(metric, strlen(metric));
    if (m == HS_METRICS || statistic < HSEL_POOLED || statistic > HSEL_FOLD_MEAN_SD)
        return (double)NAN;
    const hs_running *found = (statistic % 2 ? evaluation->fold_mean : evaluation->pooled) + m;
    return statistic < HSEL_POOLED_SD ? found->mean : hs_running_sd(found);
}

double hsel_evaluation_selected(const hsel_evaluation *evaluation)
{
    return evaluation->selected.mean;
}

double hsel_evaluation_stability(const hsel_evaluation *evaluation)
{
    return evaluation->stability.nogueira;
}

void hsel_evaluation_stability_figures(const hsel_evaluation *evaluation, double *out)
{
    hs_stability_figures(&evaluation->stability, out);
}

int hsel_stability(const uint8_t *selected, uint32_t sets, uint32_t features,
                   const hsel_dataset *data, const char *similarity, int threads, double *out,
                   hsel_error *error)
{
    const size_t words = hs_bit_words(features);
    HS_OWNED uint64_t *masks = HS_NEW_ZERO(uint64_t, words * sets);
    HS_OWNS(hs_stability_space_clear) hs_stability_space space = {0};
    hs_similarity_kind kind;
    hs_stability found;
    HS_NEED(masks);
    HS_REFUSE(data && data->features != features, "selections are of %u features, and %s has %u",
              features, hsel_dataset_name(data), data->features);
    if (similarity) {
        HS_TRY(hs_similarity_parse(similarity, &kind, error));
        HS_REFUSE(!data, "a similarity needs the data set of the features");
        HS_TRY(hs_stability_space_init(&space, data, kind, threads, NULL, error));
    }
    for (uint32_t s = 0; s < sets; s++)
        for (uint32_t f = 0; f < features; f++)
            if (selected[(size_t)s * features + f])
                hs_bit_set(masks + s * words, f);
    HS_TRY(hs_stability_of(masks, sets, 1, features, similarity ? &space : NULL, threads, &found,
                           error));
    hs_stability_figures(&found, out);
    return HSEL_OK;
}

int hsel_similarity(const hsel_dataset *data, const char *similarity, const uint32_t *first,
                    const uint32_t *second, size_t count, double *out, hsel_error *error)
{
    HS_OWNS(hs_similarity_clear) hs_similarity s = {0};
    HS_OWNED uint32_t *support = HS_NEW(uint32_t, data->features), *firsts = NULL, *seconds = NULL;
    hs_similarity_kind kind;
    HS_NEED(support);
    HS_COPY_ARRAY(firsts, first, count);
    HS_COPY_ARRAY(seconds, second, count);
    HS_TRY(hs_similarity_parse(similarity, &kind, error));
    for (size_t i = 0; i < count; i++)
        HS_REFUSE(first[i] >= data->features || second[i] >= data->features,
                  "%s has %u features, and not one of number %u", hsel_dataset_name(data),
                  data->features, first[i] >= data->features ? first[i] : second[i]);
    hs_supports(data, support);
    HS_TRY(
        hs_similarity_init(&s, data->dag, data->features, support, data->instances, kind, error));
    return hs_similarity_pairs(&s, first, second, count, out, error);
}

const double *hsel_evaluation_numbers(const hsel_evaluation *evaluation, int array, size_t *count)
{
    bool there = array >= 0 && array < HS_EVALUATION_ARRAYS && !hs_evaluation_counts(array);
    *count = there ? evaluation->count[array] : 0;
    return there ? evaluation->array[array] : NULL;
}

const uint32_t *hsel_evaluation_counts(const hsel_evaluation *evaluation, int array, size_t *count)
{
    bool there = hs_evaluation_counts(array);
    *count = there ? evaluation->count[array] : 0;
    return there ? evaluation->array[array] : NULL;
}

/* Instances of the caller's data: all, or some as a data set of their own. */
struct part {
    const hsel_dataset *data;
    hsel_dataset *made; /* what `data` is then … */
    uint32_t *rows;     /* … and which of the caller's its instances are; NULL: all */
};

static void part_clear(struct part *part)
{
    hs_dataset_free(part->made);
    hs_free(part->rows);
}

static uint32_t row_of(const struct part *part, uint32_t instance)
{
    return part->rows ? part->rows[instance] : instance;
}

/* The instances of `whole` with keep[i]. */
static int part_of(const struct part *whole, const bool *keep, struct part *out, hsel_error *error)
{
    HS_TRY(hs_dataset_keep_instances(whole->data, keep, &out->made, error));
    out->data = out->made;
    HS_NEED(out->rows = HS_NEW(uint32_t, out->data->instances));
    for (uint32_t i = 0, kept = 0; i < whole->data->instances; i++)
        if (keep[i])
            out->rows[kept++] = row_of(whole, i);
    return HSEL_OK;
}

/* Leaves out the instances without class or target, if others have one. */
static int part_labelled(struct part *part, hsel_error *error)
{
    const hsel_dataset *data = part->data;
    HS_OWNED bool *keep = HS_NEW(bool, data->instances);
    HS_NEED(keep);
    for (uint32_t i = 0; i < data->instances; i++)
        keep[i] = hs_has_label(data, i);
    return hs_unlabelled(data) ? part_of(&(struct part){.data = data}, keep, part, error) : HSEL_OK;
}

struct evaluating {
    const struct call *call;
    const uint32_t *fold_of; /* as the caller gave them; NULL: by a scheme */
    struct part labelled;    /* the instances with a class */
    hs_chosen selector, classifier;
    hs_rank_by rank_by;
    hs_refits refits;
};

static void evaluating_clear(struct evaluating *e)
{
    hs_chosen_clear(&e->selector);
    hs_chosen_clear(&e->classifier);
    part_clear(&e->labelled);
    hs_refits_clear(&e->refits);
}

/* `given`: the folds of the caller's instances in this repeat; NULL: none. */
static int run_repeat(struct evaluating *e, uint32_t repeat, const uint32_t *given,
                      hsel_evaluation *out, hsel_error *error)
{
    const struct call *call = e->call;
    const hsel_request *request = &call->request;
    const struct part *part = &e->labelled;
    const uint32_t all = part->data->instances;
    HS_OWNS(part_clear) struct part taking_part = {0};
    HS_OWNS(hs_folds_clear) hs_folds folds = {0};
    HS_OWNS(hs_crossval_clear) hs_crossval done = {0};
    HS_OWNED uint32_t *fold_of = HS_NEW(uint32_t, all);
    HS_OWNED bool *keep = HS_NEW(bool, all);
    const uint64_t seed = request->seed + repeat;
    uint32_t probes[HS_PROBES];
    HS_NEED(fold_of && keep);
    if (request->tested) { /* without the instances that take no part */
        for (uint32_t i = 0; i < all; i++)
            keep[i] = given[row_of(part, i)] != HSEL_NONE;
        HS_TRY(part_of(part, keep, &taking_part, error));
        part = &taking_part;
    }
    const hsel_dataset *data = part->data;
    if (given) {
        for (uint32_t i = 0; i < data->instances; i++)
            fold_of[i] = given[row_of(part, i)];
        HS_TRY(hs_folds_check(data, error));
        HS_TRY(hs_folds_from(fold_of, data->instances, request->folds, &folds, error));
    } else {
        HS_TRY(hs_folds_choose(request->fold_scheme, data, request->folds, seed, &folds, error));
    }
    if (repeat == 0)
        HS_TRY(
            hs_crossval_note(data, &folds, call->progress ? call->progress->notes : NULL, error));
    HS_TRY(hs_crossval_run(&(hs_crossval_request){.data = data,
                                                  .folds = &folds,
                                                  .selectors = &e->selector,
                                                  .classifiers = &e->classifier,
                                                  .selector_count = 1,
                                                  .classifier_count = 1,
                                                  .fold_end = request->tested,
                                                  .seed = seed,
                                                  .threads = request->threads,
                                                  .rank_by = e->rank_by,
                                                  .probes = probes,
                                                  .probe_count = hs_choose_probes(data, probes),
                                                  .progress = call->progress},
                           &done, error));
    hs_repeat tested = hs_crossval_repeat(&done, 0);
    tested.rows = part->rows;
    HS_TRY(hs_refits_add(&e->refits, &done, 0, error));
    return hs_evaluation_add(out, &tested, error);
}

int hsel_crossval(const hsel_dataset *data, const hsel_request *given, hsel_evaluation **out,
                  hsel_error *error)
{
    HS_OWNS(call_end) struct call call;
    HS_TRY(call_start(&call, given, NO_WEIGHTS, error));
    hsel_request *request = &call.request;
    const size_t n = data->instances;
    HS_OWNS(evaluating_clear) struct evaluating e = {.call = &call, .labelled = {.data = data}};
    HS_OWNS(evaluation_release) hsel_evaluation *made = HS_NEW_ZERO(hsel_evaluation, 1);
    HS_OWNS(hs_stability_space_clear) hs_stability_space space = {0};
    hs_similarity_kind kind = HS_LIN;
    HS_NEED(made);
    if (!request->fold_scheme)
        request->fold_scheme = "own";
    if (!request->folds)
        request->folds = 10;
    const uint32_t repeats = request->repeats ? request->repeats : 1;
    HS_OWNED uint32_t *own = NULL;
    HS_COPY_ARRAY(own, request->fold_of, repeats * n);
    bool counted = request->fold_of || (strcmp(request->fold_scheme, "loo") != 0 &&
                                        strncmp(request->fold_scheme, "file:", 5) != 0);
    HS_REFUSE(request->tested && (!request->fold_of || request->tested >= request->folds),
              "%u folds are to be tested alone: give the fold of each instance, and more "
              "folds than that",
              request->tested);
    HS_REFUSE(counted && request->folds < 2, "at least 2 folds are needed, not %u", request->folds);
    HS_TRY(take_rank_by(request->rank_by, &e.rank_by, error));
    if (request->similarity)
        HS_TRY(hs_similarity_parse(request->similarity, &kind, error));
    HS_TRY(hs_chosen_parse(HS_SELECTOR, selector_of(&call), &e.selector, error));
    HS_TRY(hs_chosen_parse(HS_CLASSIFIER, classifier_of(&call), &e.classifier, error));
    HS_TRY(hs_check_methods(data, e.selector.method, e.classifier.method, false, error));
    HS_TRY(part_labelled(&e.labelled, error));
    if (request->details)
        HS_TRY(hs_evaluation_keep(made, repeats, data, e.labelled.rows || request->tested, error));
    for (uint32_t r = 0; r < repeats; r++)
        HS_TRY(run_repeat(&e, r, request->fold_of ? request->fold_of + r * n : NULL, made, error));
    const hsel_dataset *labelled = e.labelled.data;
    if (request->similarity)
        HS_TRY(hs_stability_space_init(&space, labelled, kind, request->threads, call.progress,
                                       error));
    HS_TRY(hs_stability_of(e.refits.masks, e.refits.sets, e.refits.cases, labelled->features,
                           request->similarity ? &space : NULL, request->threads, &made->stability,
                           error));
    *out = hs_take(&made);
    return HSEL_OK;
}

/* ---- texts: explanations and comparisons ---- */

/* What was written, with a line end, is the caller's. */
static int give_text(hs_memo *memo, char **text, hsel_error *error)
{
    HS_TRY(hs_memo_end(memo, error));
    hs_buf_char(&memo->text, '\n');
    HS_NEED(!memo->text.failed);
    *text = memo->text.text;
    memo->text = (hs_buf){0};
    return HSEL_OK;
}

/* Forms of a drawing that need no other program. */
static bool is_drawing(const char *form)
{
    return strcmp(form, "dot") == 0 || strcmp(form, "graphml") == 0;
}

static int give_drawing(const hs_drawing *drawing, const char *form, char **text, hsel_error *error)
{
    HS_OWNS(hs_memo_clear) hs_memo memo = {0};
    HS_TRY(hs_memo_open(&memo, error));
    if (strcmp(form, "dot") == 0)
        HS_TRY(hs_drawing_dot(drawing, memo.out, error));
    else
        hs_drawing_graphml(drawing, memo.out);
    HS_TRY(hs_memo_end(&memo, error));
    *text = hs_take(&memo.text.text);
    return HSEL_OK;
}

static int check_drawing(const char *form, hsel_error *error)
{
    return form && is_drawing(form)
               ? HSEL_OK
               : hs_fail(error, HSEL_EUSAGE, "a drawing is dot or graphml, not '%.80s'",
                         form ? form : "");
}

/* 0: so many that one can read it; HSEL_NONE: all. */
static uint32_t limit_of(uint32_t nodes)
{
    return nodes == 0 ? HS_DRAWN_NODES : nodes == HSEL_NONE ? 0 : nodes;
}

int hsel_model_describe(const hsel_model *model, const char *form, char **text, hsel_error *error)
{
    HS_OWNS(hs_memo_clear) hs_memo memo = {0};
    HS_TRY(check_classifier(model, error));
    const bool json = form && strcmp(form, "json") == 0;
    HS_REFUSE(!json && !(form && strcmp(form, "text") == 0),
              "a description is text or json, not '%.80s'", form ? form : "");
    HS_TRY(hs_memo_open(&memo, error));
    HS_TRY(hs_model_describe(model, json ? HS_DESCRIBE_JSON : HS_DESCRIBE_TEXT, memo.out, error));
    return give_text(&memo, text, error);
}

int hsel_model_draw(const hsel_model *model, const char *form, uint32_t nodes, char **text,
                    hsel_error *error)
{
    HS_OWNS(hs_drawing_clear) hs_drawing drawing = {0};
    HS_TRY(check_classifier(model, error));
    HS_TRY(check_drawing(form, error));
    HS_TRY(hs_draw_model(&drawing, model, limit_of(nodes), error));
    return give_drawing(&drawing, form, text, error);
}

struct valued {
    const uint8_t *keep;
    const double *value;
    double most;
};

static void fill_value(const void *context, hs_document *doc, hs_box *box)
{
    const struct valued *x = context;
    double value = x->value ? x->value[box->feature] : (double)NAN;
    if (!x->keep || !x->keep[box->feature])
        return;
    box->chosen = true;
    box->value = value;
    box->shade = isnan(value) ? 0.3 : x->most > 0 ? value / x->most : 0;
    if (!isnan(value))
        box->text = hs_say(doc, "%.5g", value);
}

int hsel_dataset_draw(const hsel_dataset *data, const hsel_draw_request *given, char **text,
                      hsel_error *error)
{
    hsel_draw_request request;
    HS_OWNS(hs_drawing_clear) hs_drawing drawing = {0};
    HS_TRY(HS_REQUEST_TAKE(given, &request, hsel_draw_request, error));
    HS_TRY(check_drawing(request.form, error));
    HS_OWNED double *size = HS_NEW(double, data->features);
    HS_OWNED uint32_t *ranked = HS_NEW(uint32_t, data->features);
    HS_OWNED uint64_t *mask = HS_NEW_ZERO(uint64_t, hs_bit_words(data->features));
    HS_OWNED uint8_t *keep = NULL;
    HS_OWNED double *value = NULL;
    HS_NEED(size && ranked && mask);
    HS_COPY_ARRAY(keep, request.keep, data->features);
    HS_COPY_ARRAY(value, request.value, data->features);
    struct valued x = {keep, value, 0};
    for (uint32_t f = 0; f < data->features; f++) {
        size[f] = request.value && !isnan(request.value[f]) ? fabs(request.value[f]) : 0;
        if (request.keep && !request.keep[f])
            continue;
        hs_bit_set(mask, f);
        x.most = fmax(x.most, size[f]);
    }
    drawing.title = request.title ? hs_say(&drawing.doc, "%s", request.title) : NULL;
    drawing.legend = request.legend ? hs_say(&drawing.doc, "%s", request.legend) : NULL;
    uint32_t count = hs_rank_order(size, data->features, mask, ranked);
    if (!request.value && data->dag) { /* none is more important: the upper ones first */
        count = 0;
        for (uint32_t i = 0; i < data->features; i++)
            if (hs_bit_get(mask, data->dag->order[i]))
                ranked[count++] = data->dag->order[i];
    }
    HS_TRY(hs_draw_features(&drawing,
                            &(hs_drawn_features){.data = data,
                                                 .ranked = ranked,
                                                 .count = count,
                                                 .limit = limit_of(request.nodes),
                                                 .fill = fill_value,
                                                 .context = &x},
                            error));
    return give_drawing(&drawing, request.form, text, error);
}

int hsel_model_explain(const hsel_model *model, const hsel_dataset *data, uint32_t instance,
                       uint32_t top, const char *form, char **text, hsel_error *error)
{
    HS_OWNS(hs_dataset_release) hsel_dataset *made = NULL;
    HS_OWNS(hs_explanation_clear) hs_explanation explanation = {0};
    HS_OWNS(hs_drawing_clear) hs_drawing drawing = {0};
    HS_OWNS(hs_memo_clear) hs_memo memo = {0};
    bool json = strcmp(form, "json") == 0, plain = strcmp(form, "text") == 0;
    HS_TRY(check_classifier(model, error));
    HS_REFUSE(instance >= data->instances, "there is no instance %u: there are %u", instance,
              data->instances);
    HS_REFUSE(!json && !plain && !is_drawing(form),
              "an explanation is text, json, dot or graphml, not '%.80s'", form);
    HS_TRY(match_features(model, &data, &made, error));
    HS_TRY(hs_explain(model, data, instance, top, &explanation, error));
    if (is_drawing(form)) {
        HS_TRY(hs_draw_explanation(&drawing, &explanation, HS_DRAWN_NODES, error));
        return give_drawing(&drawing, form, text, error);
    }
    HS_TRY(hs_memo_open(&memo, error));
    const hs_text_style style = {.top = top ? 0 : HS_SCREEN};
    HS_TRY(json ? hs_explanation_json(&explanation, memo.out, error)
                : hs_explanation_text(&explanation, &style, memo.out, error));
    return give_text(&memo, text, error);
}

/* ---- the automatic choice ---- */

int hsel_auto(const hsel_dataset *data, const hsel_request *given, const hsel_auto_request *chosen,
              hsel_model **model, char **json, char **text, hsel_error *error)
{
    static const hsel_auto_request plain = {.size = sizeof plain};
    hsel_auto_request how;
    HS_OWNS(call_end) struct call call;
    HS_TRY(call_start(&call, given, NO_WEIGHTS, error));
    HS_TRY(HS_REQUEST_TAKE(chosen ? chosen : &plain, &how, hsel_auto_request, error));
    HS_OWNS(methods_clear) struct methods selectors = {0}, classifiers = {0};
    HS_OWNS(hs_auto_clear) hs_auto result = {0};
    HS_OWNS(part_clear) struct part labelled = {.data = data};
    HS_OWNS(hs_model_release) hs_model *learned = NULL;
    HS_OWNS(hs_memo_clear) hs_memo memo = {0};
    HS_OWNED char *as_json = NULL, *as_text = NULL;
    const hsel_request *request = &call.request;
    const char *metric = how.metric ? how.metric : "auroc";
    hs_auto_request run = {.metric = hs_metric_find(metric, strlen(metric)),
                           .folds = request->folds ? request->folds : 5,
                           .repeats = request->repeats ? request->repeats : 1,
                           .inner_folds = how.inner_folds ? how.inner_folds : 5,
                           .inner_repeats = how.inner_repeats ? how.inner_repeats : 1,
                           .level = how.race < 0   ? 0
                                    : how.race > 0 ? how.race
                                                   : 0.05,
                           .permutations = how.permutations,
                           .budget = how.budget,
                           .fingerprint = how.fingerprint,
                           .seed = request->seed,
                           .threads = request->threads,
                           .allow_violations = request->allow_violations,
                           .progress = call.progress};
    HS_REFUSE(run.metric == HS_METRICS, "there is no metric '%.80s'", metric);
    HS_TRY(take_rank_by(request->rank_by, &run.rank_by, error));
    HS_REFUSE(run.folds < 2 || run.inner_folds < 2, "at least 2 folds are needed, outer and inner");
    HS_REFUSE(run.repeats > MOST_REPEATS || run.inner_repeats > MOST_REPEATS ||
                  run.permutations > MOST_PERMUTATIONS,
              "there are at most %d repeats and %d permutations", MOST_REPEATS, MOST_PERMUTATIONS);
    HS_REFUSE(run.level > 0.5 || how.race != how.race,
              "the level of the race is at most 0.5, not %g", how.race);
    HS_REFUSE(!(run.budget >= 0), "the budget is 0 seconds or more, not %g", run.budget);
    HS_TRY(take_methods(HS_SELECTOR, how.selectors, how.selector_count, hs_auto_selectors,
                        &selectors, error));
    HS_TRY(take_methods(HS_CLASSIFIER, how.classifiers, how.classifier_count, hs_auto_classifiers,
                        &classifiers, error));
    run.selectors = selectors.items;
    run.selector_count = selectors.count;
    run.classifiers = classifiers.items;
    run.classifier_count = classifiers.count;
    const bool list = how.form && strcmp(how.form, "list") == 0,
               csv = how.form && strcmp(how.form, "csv") == 0;
    HS_REFUSE(how.form && !list && !csv && strcmp(how.form, "text") != 0,
              "the choice is shown as text, csv or list, not '%.80s'", how.form);
    HS_TRY(part_labelled(&labelled, error));
    run.data = labelled.data;
    if (how.checkpoint && !list)
        HS_TRY(hs_journal_open(NULL, how.checkpoint, &run.journal, error));
    int status = list ? hs_auto_list(&run, &result, error) : hs_auto_run(&run, &result, error);
    int closed = hs_journal_close(run.journal, status ? &(hsel_error){0} : error);
    HS_TRY(status == HSEL_ECANCELLED && how.counts ? HSEL_OK : status ? status : closed);
    if (how.counts) {
        how.counts[HSEL_AUTO_CANDIDATES] = (uint32_t)result.count;
        how.counts[HSEL_AUTO_LEFT_OUT] = (uint32_t)result.left_out_count;
        how.counts[HSEL_AUTO_TESTED] = (uint32_t)result.tested;
    }
    const hs_auto_candidate *choice = &result.candidates[result.choice.candidate];
    if (model && !status && !list)
        HS_TRY(hs_model_train(&(hs_model_request){.data = data,
                                                  .selector = choice->selector,
                                                  .classifier = choice->classifier,
                                                  .allow_violations = run.allow_violations,
                                                  .seed = run.seed,
                                                  .threads = run.threads,
                                                  .progress = call.progress},
                              &learned, error));
    const bool any = list || result.tested || result.inner_folds;
    if (json && any && !list) {
        HS_TRY(hs_memo_open(&memo, error));
        HS_TRY(hs_choice_json(&run, &result, &(hs_json){.out = memo.out}, error));
        HS_TRY(give_text(&memo, &as_json, error));
    }
    if (text && any) {
        HS_TRY(hs_memo_open(&memo, error));
        HS_TRY(list  ? hs_choice_print_list(&result, memo.out, error)
               : csv ? hs_choice_csv(&run, &result, memo.out, error)
                     : hs_choice_print(&run, &result, memo.out, error));
        HS_TRY(give_text(&memo, &as_text, error));
    }
    if (model)
        *model = hs_take(&learned);
    if (json)
        *json = hs_take(&as_json);
    if (text)
        *text = hs_take(&as_text);
    HS_FAIL_IF(status && result.tested, status, "stopped: %u of %u permutations are done",
               result.permutations, run.permutations);
    HS_FAIL_IF(status, status, "stopped: %u of %u inner folds are done, no outer fold is tested",
               result.inner_folds, result.inner_folds_all);
    return HSEL_OK;
}

int hsel_compare(const hsel_compare_request *given, char **json, char **text, hsel_error *error)
{
    hsel_compare_request request;
    HS_TRY(HS_REQUEST_TAKE(given, &request, hsel_compare_request, error));
    request.alpha = request.alpha == 0 ? 0.05 : request.alpha;
    HS_REFUSE(request.methods < 1 || request.datasets < 1 || request.methods > MOST_METHODS,
              "a comparison takes 1 to %d methods on one data set or more", MOST_METHODS);
    HS_REFUSE(!request.value || !request.dataset_names || !request.method_names,
              "a comparison takes values and names");
    HS_REFUSE(!(request.alpha > 0 && request.alpha <= 0.5),
              "alpha is above 0 and at most 0.5, not %g", request.alpha);
    HS_REFUSE(!(request.tolerance >= 0), "the tolerance is 0 or more, not %g", request.tolerance);
    HS_OWNS(hs_comparison_clear) hs_comparison comparison = {0};
    HS_OWNED const char **names = HS_NEW(const char *, (size_t)request.methods + request.datasets);
    HS_OWNS(hs_memo_clear) hs_memo memo = {0};
    HS_OWNED char *as_json = NULL, *as_text = NULL;
    HS_OWNED double *own = NULL;
    HS_NEED(names);
    HS_COPY_ARRAY(own, request.value, (size_t)request.datasets * request.methods);
    const char *name = request.method_names;
    size_t control = SIZE_MAX, named = 0;
    for (uint32_t i = 0; i < request.methods; i++, name += strlen(name) + 1) {
        names[i] = name;
        if (request.control && strcmp(name, request.control) == 0 && ++named)
            control = i;
    }
    HS_REFUSE(request.control && named != 1, "the control is %s",
              named ? "the name of two methods" : "not one of the methods");
    name = request.dataset_names;
    for (uint32_t i = 0; i < request.datasets; i++, name += strlen(name) + 1)
        names[request.methods + i] = name;
    HS_TRY(hs_comparison_make(
        &(hs_comparison_request){.results = {request.datasets, request.methods, request.value,
                                             request.lower_is_better != 0},
                                 .methods = names,
                                 .datasets = names + request.methods,
                                 .control = control,
                                 .alpha = request.alpha,
                                 .tolerance = request.tolerance,
                                 .one_sided = request.one_sided != 0,
                                 .keep_zeros = request.keep_zeros != 0},
        &comparison, error));
    if (json) {
        HS_TRY(hs_memo_open(&memo, error));
        HS_TRY(hs_comparison_json(&comparison, &(hs_json){.out = memo.out}, error));
        HS_TRY(give_text(&memo, &as_json, error));
    }
    if (text) {
        HS_TRY(hs_memo_open(&memo, error));
        HS_TRY(hs_comparison_print(&comparison, memo.out, error));
        HS_TRY(give_text(&memo, &as_text, error));
    }
    if (json)
        *json = hs_take(&as_json);
    if (text)
        *text = hs_take(&as_text);
    return HSEL_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions of hsel.h for selection, ranking and models. Instances are predicted in blocks,
 * which are distributed over threads; each block writes to its own place, so results do not depend
 * on the number of threads.
 */
#include "api/api.h"
#include "classify/classify.h"
#include "infer/feature_tests.h"
#include "infer/procedures.h"
#include "learn/model.h"
#include "rank/rank.h"

#define BLOCK 128 /* instances */

/* ---- selecting and ranking ---- */

static int check_eager(const hs_method *selector, hsel_error *error)
{
    if (!(selector->flags & HS_LAZY))
        return HSEL_OK;
    return hs_fail(error, HSEL_EUNSUPPORTED,
                   "%s selects features for each instance separately: train a model to use it",
                   selector->name);
}

/* A model; classifier "": one that only selects. */
static int train(const hs_api_call *call, const hsel_dataset *data, const char *classifier,
                 const double *weight, hs_model **out, hsel_error *error)
{
    const hsel_request *request = &call->request;
    return hs_model_train(
        &(hs_model_request){.data = data,
                            .selector = request->selector ? request->selector : "none",
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
    HS_OWNS(hs_api_end) hs_api_call call;
    HS_OWNS(hs_model_release) hs_model *model = NULL;
    HS_TRY(hs_api_begin(&call, request, HS_NO_WEIGHTS, error));
    const char *selector = call.request.selector;
    HS_REFUSE(!selector, "no selector is given");
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
    HS_OWNS(hs_api_end) hs_api_call call;
    HS_TRY(hs_api_begin(&call, request, HS_NO_WEIGHTS, error));
    const uint32_t count = call.request.rankers ? call.request.ranker_count : 0;
    HS_OWNS(hs_chosen_list_clear) hs_chosen_list rankers = {0};
    HS_OWNS(hs_counts_clear) hs_counts counts = {0};
    HS_OWNED uint32_t *rows = NULL;
    HS_OWNED double **score = HS_NEW(double *, count);
    hs_training training = {.counts = &counts,
                            .seed = call.request.seed,
                            .progress = call.progress,
                            .threads = call.request.threads};
    HS_NEED(score);
    HS_TRY(hs_api_methods_take(HS_RANKER, call.request.rankers, count, none, &rankers, error));
    for (uint32_t i = 0; i < count; i++) {
        score[i] = scores + (size_t)i * data->features;
        HS_TRY(hs_check_method(data, rankers.items[i].method, error));
    }
    HS_TRY(hs_view_labelled(data, &rows, &training.view, error));
    HS_TRY(hs_counts_of(&training.view, &counts, error));
    return hs_rank_features(&training, rankers.items, count, score, error);
}

int hsel_p_values(const hsel_dataset *data, const hsel_request *request, const char *options,
                  double *p, double *adjusted, uint8_t *status, hsel_error *error)
{
    HS_OWNS(hs_api_end) hs_api_call call;
    HS_OWNS(hs_arena_clear) hs_arena arena = {0};
    HS_OWNED double *own = adjusted ? NULL : HS_NEW(double, data->features);
    HS_OWNED uint8_t *own_status = status ? NULL : HS_NEW(uint8_t, data->features);
    hs_feature_tests tests = {.data = data};
    HS_TRY(hs_api_begin(&call, request, HS_NO_WEIGHTS, error));
    HS_NEED((adjusted || own) && (status || own_status));
    HS_TRY(hs_options_defaults(hs_feature_test_table, &tests, &arena, error));
    HS_TRY(hs_options_parse(hs_feature_test_table, &tests, options ? options : "", "p-values",
                            &arena, error));
    tests.seed = call.request.seed;
    tests.threads = call.request.threads;
    tests.progress = call.progress;
    tests.note = call.request.note;
    tests.context = call.request.context;
    return hs_test_features(&tests, p, adjusted ? adjusted : own, status ? status : own_status,
                            error);
}

/* ---- models ---- */

int hs_api_classifies(const hsel_model *model, hsel_error *error)
{
    hs_error_clear(error);
    return model->classifier.method
               ? HSEL_OK
               : hs_fail(error, HSEL_EUNSUPPORTED, "the model has no classifier: it only selects");
}

int hsel_train(const hsel_dataset *data, const hsel_request *request, hsel_model **out,
               hsel_error *error)
{
    HS_OWNS(hs_api_end) hs_api_call call;
    HS_OWNS(hs_model_release) hs_model *made = NULL;
    HS_TRY(hs_api_begin(&call, request, HS_WEIGHTS, error));
    HS_OWNED double *own = NULL;
    HS_COPY_ARRAY(own, call.request.weights, data->instances);
    const char *classifier = call.request.classifier;
    HS_TRY(train(&call, data, classifier ? classifier : "nb", call.request.weights, &made, error));
    HS_TRY(hs_api_note_pu(&call, data, &made->classifier, 1, error));
    *out = hs_take(&made);
    return HSEL_OK;
}

int hsel_model_read(const char *path, hsel_model **out, hsel_error *error)
{
    hs_error_clear(error);
    return hs_model_read(path, out, error);
}

int hsel_model_write(const hsel_model *model, const char *path, hsel_error *error)
{
    HS_TRY(hs_api_classifies(model, error));
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
    const char *text = model->classifier.text;
    HS_OWNED char *first = hs_strdup(model->selector.text), *second = hs_strdup(text ? text : "");
    hs_error_clear(error);
    HS_NEED(first && second);
    *selector = hs_take(&first);
    *classifier = hs_take(&second);
    return HSEL_OK;
}

int hsel_model_to_bytes(const hsel_model *model, void **bytes, size_t *length, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf buffer = {0};
    HS_TRY(hs_api_classifies(model, error));
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
    HS_FAIL_IF(!relevance, HSEL_EUNSUPPORTED, "%s computes no relevance of features",
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
 * be predicted unchanged? */
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

int hs_api_match(const hs_model *model, const hsel_dataset **data, hsel_dataset **made,
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
    uint32_t *selected;   /* may be NULL */
    struct chunk *chunks; /* may be NULL */
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
        const hs_selection *selection = &scratch->predictor.selection;
        hs_selection_each(selection, features, row, positives, keep_feature, chunk);
        /* Positive features come before the others: merge them in place. */
        const uint32_t *positive = selection->positive,
                       *last = positive + selection->positive_count;
        uint32_t *to = chunk->index + before, *other = to + selection->positive_count,
                 *end = to + size;
        while (positive < last)
            *to++ = other < end && *other < *positive ? *other++ : *positive++;
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
        /* A lazy selection is that of the last instance: predict one at a time if it is needed. */
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
static int do_all(struct work *work, const hs_api_call *call, uint64_t *start, uint32_t **index,
                  hsel_error *error)
{
    HS_OWNED double *weight = NULL;
    uint64_t used = 0;
    work->weight = call->request.weights;
    HS_COPY_ARRAY(weight, work->weight, work->data->instances);
    const uint32_t all = work->data->instances, first = call->request.first,
                   n = call->request.count ? call->request.count : all - first;
    HS_REFUSE(first > all || n > all - first, "cannot take %u instances from %u on: there are %u",
              n, first, all);
    HS_TRY(hs_api_match(work->model, &work->data, &work->made, error));
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
    HS_OWNS(hs_api_end) hs_api_call call;
    HS_TRY(hs_api_begin(&call, request, HS_WEIGHTS, error));
    HS_TRY(hs_api_classifies(model, error));
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
    HS_OWNS(hs_api_end) hs_api_call call;
    HS_TRY(hs_api_begin(&call, request, HS_WEIGHTS, error));
    HS_OWNS(work_clear) struct work work = {.model = model, .data = data};
    return do_all(&work, &call, start, index, error);
}

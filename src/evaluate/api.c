/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What hsel.h offers on methods, data in arrays, selection, cross-validation and models. Texts
 * become methods, results become plain arrays. Instances are predicted in blocks that threads share
 * out; each writes to its own place, so results do not depend on their number.
 */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "core/mem.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "data/transform.h"
#include "evaluate/crossval.h"
#include "evaluate/fold_file.h"
#include "evaluate/learned.h"
#include "evaluate/methods_json.h"
#include "evaluate/model.h"
#include "evaluate/model_parts.h"
#include "generate/generate.h"
#include "rank/rank.h"
#include "select/lazy.h"
#include "stats/running.h"

#define REPORT_EVERY 0.05 /* seconds */
#define BLOCK        128  /* instances */

uint32_t hsel_flat_version(void) { return HSEL_FLAT_VERSION; }

size_t hsel_flat_sizeof(const char *name)
{
    static const struct {
        const char *name;
        size_t size;
    } structs[] = {{"hsel_error", sizeof(hsel_error)},
                   {"hsel_watch", sizeof(hsel_watch)},
                   {"hsel_arrays", sizeof(hsel_arrays)},
                   {"hsel_evaluation", sizeof(hsel_evaluation)},
                   {"hsel_crossval_request", sizeof(hsel_crossval_request)},
                   {"hsel_crossval_arrays", sizeof(hsel_crossval_arrays)},
                   {"hsel_compare_request", sizeof(hsel_compare_request)}};
    for (size_t i = 0; i < sizeof structs / sizeof structs[0]; i++)
        if (strcmp(structs[i].name, name) == 0)
            return structs[i].size;
    return 0;
}

void hsel_free(void *memory) { hs_free(memory); }

static int check_threads(int threads, hsel_error *error)
{
    if (threads >= 0 && threads <= 4096)
        return HSEL_OK;
    return hs_fail(error, HSEL_EUSAGE, "threads are 0 to 4096, not %d", threads);
}

/* ---- watching ---- */

/* Passes progress on to the caller's watch: only in the thread that made the call (a caller in
 * Python has its signals there, and other threads need not wait for its lock) and some times a
 * second. Once it says stop, every thread stops. */
struct watcher {
    hs_progress progress;
    const hsel_watch *watch;
    pthread_t caller;
    double next; /* earliest time of the next report; the caller's thread alone looks at it */
    atomic_bool stopped;
    hs_notes notes;
};

static int pass_on(void *context, uint64_t done, uint64_t total, const char *what)
{
    struct watcher *watcher = context;
    const hsel_watch *watch = watcher->watch;
    if (atomic_load_explicit(&watcher->stopped, memory_order_relaxed))
        return 1;
    if (!watch->report || !pthread_equal(watcher->caller, pthread_self()))
        return 0;
    double at = hs_now();
    if (at < watcher->next)
        return 0;
    watcher->next = at + REPORT_EVERY;
    if (watch->report(watch->context, done, total, what) == 0)
        return 0;
    atomic_store_explicit(&watcher->stopped, true, memory_order_relaxed);
    return 1;
}

/* NULL when nobody watches. `watch` may be NULL. */
static const hs_progress *watch_start(struct watcher *watcher, const hsel_watch *watch)
{
    watcher->notes = (hs_notes)HS_NOTES;
    watcher->watch = watch;
    if (!watch || (!watch->report && !watch->note))
        return NULL;
    watcher->progress = (hs_progress){pass_on, watcher, watch->note ? &watcher->notes : NULL};
    watcher->caller = pthread_self();
    watcher->next = hs_now() + REPORT_EVERY;
    atomic_init(&watcher->stopped, false);
    return &watcher->progress;
}

/* At the end of a call: passes the notes on. */
static void watch_end(struct watcher *watcher)
{
    if (watcher->watch && watcher->watch->note)
        hs_notes_tell(&watcher->notes, watcher->watch->note, watcher->watch->context);
    hs_notes_clear(&watcher->notes);
}

/* ---- methods ---- */

size_t hsel_method_count(void) { return hs_method_count(); }

const char *hsel_method_name(size_t method)
{
    return method < hs_method_count() ? hs_method_at(method)->name : NULL;
}

const char *hsel_method_kind(size_t method)
{
    return method < hs_method_count() ? hs_kind_name(hs_method_at(method)->kind) : NULL;
}

const char *hsel_method_title(size_t method)
{
    return method < hs_method_count() ? hs_method_at(method)->title : NULL;
}

const char *hsel_method_help(size_t method)
{
    return method < hs_method_count() ? hs_method_at(method)->help : NULL;
}

const char *hsel_method_citation(size_t method)
{
    return method < hs_method_count() ? hs_method_at(method)->citation : NULL;
}

bool hsel_method_is_lazy(size_t method)
{
    return method < hs_method_count() && (hs_method_at(method)->flags & HS_LAZY);
}

int hsel_methods_json(char **json, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf text = {0};
    HS_OWNS(hs_writer_release) hs_writer *out = NULL;
    hs_error_clear(error);
    HS_TRY(hs_writer_open_memory(&text, &out, error));
    HS_TRY(hs_methods_json(out, -1, error));
    HS_TRY(hs_writer_commit(hs_take(&out), error));
    *json = hs_take(&text.text);
    return HSEL_OK;
}

/* ---- arrays ---- */

static const char *names_of(const hs_names *names, uint32_t *count, size_t *bytes)
{
    *count = names->count;
    *bytes = names->count ? (size_t)names->start[names->count] : 0;
    return names->count ? names->pool : "";
}

const char *hsel_dataset_names(const hsel_dataset *data, int list, uint32_t *count, size_t *bytes)
{
    const hs_names *const lists[] = {&data->feature_names, &data->class_names, &data->ids};
    *count = 0;
    *bytes = 0;
    if (list < HSEL_FEATURE_NAMES || list > HSEL_IDS)
        return NULL;
    return names_of(lists[list], count, bytes);
}

const uint64_t *hsel_dataset_rows(const hsel_dataset *data, const uint32_t **index)
{
    *index = data->rows.index;
    return data->rows.start;
}

const uint8_t *hsel_dataset_types(const hsel_dataset *data) { return data->types; }

const uint32_t *hsel_dataset_labels(const hsel_dataset *data) { return data->class_of; }

uint32_t hsel_dataset_positive_class(const hsel_dataset *data) { return data->positive_class; }

void hsel_dataset_values(const hsel_dataset *data, uint32_t feature, double *out)
{
    if (feature >= data->features) {
        for (uint32_t i = 0; i < data->instances; i++)
            out[i] = (double)NAN;
        return;
    }
    const double *values = hs_dataset_numeric(data, feature, out);
    if (values != out)
        memcpy(out, values, data->instances * sizeof *out);
}

const char *hsel_dataset_value_names(const hsel_dataset *data, uint32_t feature, uint32_t *count,
                                     size_t *bytes)
{
    *count = 0;
    *bytes = 0;
    if (feature >= data->features || data->types[feature] != HSEL_NOMINAL)
        return NULL;
    return names_of(&data->nominal[data->slot[feature]].values, count, bytes);
}

const uint32_t *hsel_dag_parent_lists(const hsel_dag *dag, const uint32_t **parents)
{
    *parents = dag ? dag->parent : NULL;
    return dag ? dag->parent_start : NULL;
}

const uint32_t *hsel_dag_depths(const hsel_dag *dag) { return dag ? dag->depth : NULL; }

/* ---- hierarchies ---- */

int hsel_dataset_set_hierarchy(hsel_dataset *data, const char *terms, uint32_t term_count,
                               const uint32_t *child, const uint32_t *parent, size_t edges,
                               uint32_t *matched, hsel_error *error)
{
    HS_OWNS(hs_graph_clear) hs_graph graph = {0};
    HS_OWNS(hs_dag_release) hsel_dag *dag = NULL;
    hs_bind_report report = {0};
    hs_error_clear(error);
    HS_TRY(terms ? hs_unique_names(terms, term_count, "terms", &graph.terms, error)
                 : hs_names_copy(&data->feature_names, &graph.terms, error));
    if (edges > HS_EDGES_LIMIT)
        return hs_fail(error, HSEL_ELIMIT, "more than %u edges", HS_EDGES_LIMIT);
    for (size_t e = 0; e < edges; e++) {
        if (child[e] >= graph.terms.count || parent[e] >= graph.terms.count)
            return hs_fail(error, HSEL_EUSAGE, "edge %zu leads to a term that does not exist", e);
        HS_TRY(hs_graph_edge(&graph, child[e], parent[e], error));
    }
    HS_TRY(hs_graph_clean(&graph, error));
    HS_TRY(hs_graph_break_cycles(&graph, HS_CYCLES_ERROR, error));
    HS_TRY(hs_dag_bind(&graph, &data->feature_names, &report, &dag, error));
    HS_TRY(hs_dataset_attach(data, dag, error));
    hs_take(&dag);
    if (matched)
        *matched = data->features - report.features_not_terms;
    return HSEL_OK;
}

int hsel_dataset_propagate(const hsel_dataset *data, hsel_dataset **out, uint64_t *added,
                           hsel_error *error)
{
    uint64_t changed;
    hs_error_clear(error);
    if (!data->dag)
        return hs_fail(error, HSEL_EUSAGE, "%s has no hierarchy", hsel_dataset_name(data));
    return hs_dataset_propagate(data, out, added ? added : &changed, error);
}

/* ---- made-up data ---- */

int hsel_dataset_generate(const char *generator, uint64_t seed, hsel_dataset **out,
                          hsel_error *error)
{
    HS_OWNS(hs_chosen_clear) hs_chosen chosen = {0};
    hs_error_clear(error);
    HS_TRY(hs_chosen_parse(HS_GENERATOR, generator, &chosen, error));
    return chosen.method->generator->generate(chosen.options, seed, out, error);
}

/* ---- selecting ---- */

static int check_eager(const hs_method *selector, hsel_error *error)
{
    if (!(selector->flags & HS_LAZY))
        return HSEL_OK;
    return hs_fail(error, HSEL_EUNSUPPORTED,
                   "%s selects features anew for each instance, so there is no one set of them: "
                   "train a model with it",
                   selector->name);
}

int hsel_select(const hsel_dataset *data, const char *selector, uint64_t seed, int threads,
                const hsel_watch *watch, uint8_t *keep, double *scores, hsel_error *error)
{
    HS_OWNS(watch_end) struct watcher watcher;
    HS_OWNS(hs_chosen_clear) hs_chosen chosen = {0};
    HS_OWNS(hs_learned_clear) hs_learned learned = {.progress = watch_start(&watcher, watch)};
    HS_OWNED uint64_t *mask = HS_NEW_ZERO(uint64_t, hs_bit_words(data->features));
    hs_error_clear(error);
    HS_NEED(mask);
    HS_TRY(check_threads(threads, error));
    HS_TRY(selector ? hs_chosen_parse(HS_SELECTOR, selector, &chosen, error)
                    : hs_fail(error, HSEL_EUSAGE, "no selector was named"));
    HS_TRY(check_eager(chosen.method, error));
    HS_TRY(hs_check_methods(data, chosen.method, NULL, false, error));
    HS_TRY(hs_learn(&chosen, data, seed, threads, &learned, error));
    HS_TRY(chosen.method->selector->select_features(learned.state, mask, error));
    for (uint32_t f = 0; f < data->features; f++) {
        keep[f] = hs_bit_get(mask, f);
        if (scores)
            scores[f] = learned.scores ? learned.scores[f] : (double)NAN;
    }
    return HSEL_OK;
}

int hsel_dataset_select(const hsel_dataset *data, const char *selector, uint64_t seed, int threads,
                        bool *keep, hsel_error *error)
{
    return hsel_select(data, selector, seed, threads, NULL, (uint8_t *)keep, NULL, error);
}

/* ---- ranking ---- */

struct ranking {
    hs_chosen *rankers;
    uint32_t count;
    double **scores;
    hs_counts counts;
};

static void ranking_clear(struct ranking *ranking)
{
    for (uint32_t i = 0; ranking->rankers && i < ranking->count; i++)
        hs_chosen_clear(&ranking->rankers[i]);
    hs_free(ranking->rankers);
    hs_free(ranking->scores);
    hs_counts_clear(&ranking->counts);
}

int hsel_rank(const hsel_dataset *data, const char *rankers, uint32_t count, uint64_t seed,
              int threads, const hsel_watch *watch, double *scores, hsel_error *error)
{
    HS_OWNS(watch_end) struct watcher watcher;
    HS_OWNS(ranking_clear)
    struct ranking ranking = {.count = count,
                              .rankers = HS_NEW_ZERO(hs_chosen, count),
                              .scores = HS_NEW(double *, count)};
    hs_training training = {.view = hs_view_all(data),
                            .counts = &ranking.counts,
                            .seed = seed,
                            .progress = watch_start(&watcher, watch),
                            .threads = threads};
    hs_error_clear(error);
    HS_NEED(ranking.rankers && ranking.scores);
    HS_TRY(check_threads(threads, error));
    for (uint32_t i = 0; i < count; i++, rankers += strlen(rankers) + 1) {
        ranking.scores[i] = scores + (size_t)i * data->features;
        HS_TRY(hs_ranker_parse(rankers, &ranking.rankers[i], error));
        HS_TRY(hs_ranker_check(data, ranking.rankers[i].method, error));
    }
    HS_TRY(hs_counts_of(&training.view, &ranking.counts, error));
    return hs_rank_features(&training, ranking.rankers, count, ranking.scores, error);
}

/* ---- models ---- */

int hsel_train(const hsel_dataset *data, const char *selector, const char *classifier,
               uint64_t seed, int threads, const hsel_watch *watch, hsel_model **out,
               hsel_error *error)
{
    HS_OWNS(watch_end) struct watcher watcher;
    const hs_progress *progress = watch_start(&watcher, watch);
    hs_error_clear(error);
    HS_TRY(check_threads(threads, error));
    return hs_model_train(data, selector ? selector : "none", classifier ? classifier : "nb",
                          HSEL_NONE, false, seed, threads, progress, out, error);
}

int hsel_model_train(const hsel_dataset *data, const char *selector, const char *classifier,
                     uint64_t seed, int threads, hsel_model **out, hsel_error *error)
{
    return hsel_train(data, selector, classifier, seed, threads, NULL, out, error);
}

int hsel_model_read(const char *path, hsel_model **out, hsel_error *error)
{
    hs_error_clear(error);
    return hs_model_read(path, out, error);
}

int hsel_model_write(const hsel_model *model, const char *path, hsel_error *error)
{
    hs_error_clear(error);
    return hs_model_write(model, path, error);
}

void hsel_model_free(hsel_model *model) { hs_model_free(model); }

uint32_t hsel_model_classes(const hsel_model *model) { return model->shape->class_names.count; }

const char *hsel_model_class_name(const hsel_model *model, uint32_t label)
{
    return hsel_dataset_class_name(model->shape, label);
}

int hsel_model_to_bytes(const hsel_model *model, void **bytes, size_t *length, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf buffer = {0};
    hs_error_clear(error);
    HS_TRY(hs_model_to_bytes(model, &buffer, error));
    *length = buffer.length;
    *bytes = hs_take(&buffer.text);
    return HSEL_OK;
}

int hsel_model_from_bytes(const void *bytes, size_t length, hsel_model **out, hsel_error *error)
{
    hs_error_clear(error);
    return hs_model_from_bytes("model", bytes, length, out, error);
}

int hsel_model_support(const hsel_model *model, uint8_t *keep, hsel_error *error)
{
    hs_error_clear(error);
    if (!model->mask)
        return check_eager(model->selector.method, error);
    for (uint32_t f = 0; f < model->shape->features; f++)
        keep[f] = hs_bit_get(model->mask, f);
    return HSEL_OK;
}

int hsel_model_relevance(const hsel_model *model, double *scores, hsel_error *error)
{
    const double *relevance = hs_model_scores(model);
    hs_error_clear(error);
    if (!relevance)
        return hs_fail(error, HSEL_EUNSUPPORTED, "%s gives features no relevance",
                       model->selector.method->name);
    memcpy(scores, relevance, model->shape->features * sizeof *scores);
    return HSEL_OK;
}

/* ---- predicting ---- */

struct chunk { /* the features selected for the instances of a block */
    uint32_t *index;
    size_t count, capacity;
};

struct work {
    const hs_model *model;
    const hsel_dataset *data;
    const hs_progress *progress;
    hs_model_scratch *scratch; /* one per thread; model NULL: not made yet */
    int threads;
    size_t blocks;
    double *probability, *score; /* wanted: these … */
    uint32_t *selected;
    struct chunk *chunks; /* … or these */
    uint64_t *start;
};

static size_t blocks_of(const hsel_dataset *data)
{
    return ((size_t)data->instances + BLOCK - 1) / BLOCK;
}

static void keep_feature(void *context, uint32_t feature, bool value)
{
    struct chunk *chunk = context;
    (void)value;
    chunk->index[chunk->count++] = feature;
}

/* Adds what is selected for an instance, ascending; the classifier has no part in it. */
static int select_one(struct work *work, hs_model_scratch *scratch, struct chunk *chunk,
                      uint32_t instance, hsel_error *error)
{
    const hs_model *model = work->model;
    size_t positives, before = chunk->count;
    uint32_t features = work->data->features, size = scratch->kept_count;
    const uint32_t *row = hs_row(work->data, instance, &positives);
    if (!model->mask) {
        HS_TRY(model->selector.method->selector->select_for(
            model->state, row, positives, &scratch->lazy, &scratch->selection, error));
        size = hs_selection_size(&scratch->selection, features, positives);
    }
    HS_NEED(HS_GROW(&chunk->index, &chunk->capacity, before + size));
    work->start[instance + 1] = size;
    if (!model->mask) {
        hs_selection_each(&scratch->selection, features, row, positives, keep_feature, chunk);
        hs_lazy_sort(chunk->index + before, scratch->lazy.list, size);
    } else if (size) {
        memcpy(chunk->index + before, scratch->kept, size * sizeof *scratch->kept);
        chunk->count += size;
    }
    return HSEL_OK;
}

static int do_block(void *context, size_t block, int worker, hsel_error *error)
{
    struct work *work = context;
    hs_model_scratch *scratch = &work->scratch[worker];
    size_t classes = work->model->shape->class_names.count, first = block * BLOCK;
    size_t left = work->data->instances - first;
    uint32_t count = (uint32_t)(left < BLOCK ? left : BLOCK);
    HS_TRY(hs_progress_report(work->progress, block, work->blocks, "blocks of instances", error));
    if (!scratch->model)
        HS_TRY(hs_model_scratch_init(scratch, work->model, error));
    if (!work->chunks)
        return hs_model_predict(work->model, work->data, (uint32_t)first, count, scratch,
                                work->probability + first * classes,
                                work->score ? work->score + first * classes : NULL,
                                work->selected ? work->selected + first : NULL, error);
    for (uint32_t i = 0; i < count; i++)
        HS_TRY(select_one(work, scratch, &work->chunks[block], (uint32_t)first + i, error));
    return HSEL_OK;
}

static void work_clear(struct work *work)
{
    for (int w = 0; work->scratch && w < work->threads; w++)
        if (work->scratch[w].model)
            hs_model_scratch_clear(&work->scratch[w]);
    hs_free(work->scratch);
    for (size_t b = 0; work->chunks && b < work->blocks; b++)
        hs_free(work->chunks[b].index);
    hs_free(work->chunks);
}

static int do_all(struct work *work, int threads, hsel_error *error)
{
    const hs_model *model = work->model;
    hs_error_clear(error);
    HS_TRY(check_threads(threads, error));
    if (work->data->features != model->shape->features)
        return hs_fail(error, HSEL_EUSAGE, "the model has %u features, and these data %u",
                       model->shape->features, work->data->features);
    if (model->selector.method->flags & HS_LAZY)
        HS_TRY(hs_check_rule(work->data, model->selector.method, false, error));
    work->threads = hs_threads(threads);
    work->blocks = blocks_of(work->data);
    HS_NEED(work->scratch = HS_NEW_ZERO(hs_model_scratch, (size_t)work->threads));
    return hs_parallel_for(work->blocks, work->threads, do_block, work, error);
}

int hsel_predict(const hsel_model *model, const hsel_dataset *data, int threads,
                 const hsel_watch *watch, double *probability, double *score, uint32_t *selected,
                 hsel_error *error)
{
    HS_OWNS(watch_end) struct watcher watcher;
    HS_OWNS(work_clear)
    struct work work = {.model = model,
                        .data = data,
                        .progress = watch_start(&watcher, watch),
                        .probability = probability,
                        .score = score,
                        .selected = selected};
    return do_all(&work, threads, error);
}

int hsel_model_predict(const hsel_model *model, const hsel_dataset *data, double *probability,
                       double *score, uint32_t *selected, hsel_error *error)
{
    HS_OWNS(hs_dataset_release) hsel_dataset *aligned = NULL;
    uint32_t unknown, missing;
    hs_error_clear(error);
    HS_TRY(hs_align(data, model->shape, true, &aligned, &unknown, &missing, error));
    return hsel_predict(model, aligned, 0, NULL, probability, score, selected, error);
}

int hsel_select_each(const hsel_model *model, const hsel_dataset *data, int threads,
                     const hsel_watch *watch, uint64_t *start, uint32_t **index, hsel_error *error)
{
    HS_OWNS(watch_end) struct watcher watcher;
    HS_OWNS(work_clear)
    struct work work = {.model = model,
                        .data = data,
                        .progress = watch_start(&watcher, watch),
                        .start = start,
                        .chunks = HS_NEW_ZERO(struct chunk, blocks_of(data))};
    uint64_t used = 0;
    start[0] = 0;
    HS_NEED(work.chunks);
    HS_TRY(do_all(&work, threads, error));
    for (uint32_t i = 0; i < data->instances; i++)
        start[i + 1] += start[i];
    HS_NEED(*index = HS_NEW(uint32_t, start[data->instances]));
    for (size_t b = 0; b < work.blocks; b++) {
        struct chunk *chunk = &work.chunks[b];
        if (chunk->count)
            memcpy(*index + used, chunk->index, chunk->count * sizeof **index);
        used += chunk->count;
        hs_free(hs_take(&chunk->index)); /* as soon as it is copied */
    }
    return HSEL_OK;
}

/* ---- cross-validation ---- */

size_t hsel_metric_count(void) { return HS_METRICS; }

const char *hsel_metric_name(size_t metric)
{
    return metric < HS_METRICS ? hs_metric_name((hs_metric)metric) : NULL;
}

size_t hsel_metric_find(const char *name) { return hs_metric_find(name, strlen(name)); }

_Static_assert((int)HS_METRICS <= HSEL_METRICS_ROOM, "hsel_evaluation has room for every metric");

struct evaluation {
    const hsel_dataset *data;
    const hsel_crossval_request *request;
    const hsel_crossval_arrays *arrays;
    const hs_progress *progress;
    hs_chosen selector, classifier;
    const char *scheme;
    hs_rank_by rank_by;
    uint32_t folds;
    hs_running pooled[HS_METRICS], fold_mean[HS_METRICS], selected, stability;
};

/* Copies count items to where repeat r has its own in an array that the caller may want. */
static void give(void *array, size_t item, uint32_t repeat, size_t count, const void *from)
{
    if (array)
        memcpy((char *)array + (size_t)repeat * count * item, from, count * item);
}

static void give_arrays(const struct evaluation *e, uint32_t repeat, const hs_folds *folds,
                        const hs_crossval *done, const hs_scores *scores)
{
    const hsel_crossval_arrays *to = e->arrays;
    hs_predictions predictions = hs_crossval_predictions(done, e->data, folds, 0);
    size_t n = e->data->instances, classes = e->data->class_names.count;
    if (!to)
        return;
    double seconds[2] = {done->selectors[0].seconds, done->classifiers[0].seconds};
    give(to->fold_of, sizeof *to->fold_of, repeat, n, folds->fold_of);
    give(to->probability, sizeof *to->probability, repeat, n * classes,
         done->classifiers[0].probability);
    for (size_t i = 0; to->score && i < n * classes; i++)
        to->score[repeat * n * classes + i] =
            hs_score_of(&predictions, (uint32_t)(i / classes), (uint32_t)(i % classes));
    give(to->selected, sizeof *to->selected, repeat, n, done->selectors[0].selected);
    give(to->frequency, sizeof *to->frequency, repeat, e->data->features,
         done->selectors[0].frequency);
    give(to->seconds, sizeof *to->seconds, repeat, 2, seconds);
    for (size_t m = 0; m < HS_METRICS; m++) {
        if (to->pooled)
            to->pooled[(size_t)repeat * HSEL_METRICS_ROOM + m] = scores->pooled[m];
        if (to->fold_mean)
            to->fold_mean[(size_t)repeat * HSEL_METRICS_ROOM + m] = scores->fold_mean[m];
    }
}

static int run_repeat(struct evaluation *e, uint32_t repeat, hsel_error *error)
{
    const hsel_crossval_request *request = e->request;
    HS_OWNS(hs_folds_clear) hs_folds folds = {0};
    HS_OWNS(hs_crossval_clear) hs_crossval done = {0};
    hs_scores scores;
    if (request->fold_of) {
        HS_TRY(hs_folds_check(e->data, error));
        HS_TRY(hs_folds_from(request->fold_of, e->data->instances, e->folds, &folds, error));
    } else {
        HS_TRY(
            hs_folds_choose(e->scheme, e->data, e->folds, request->seed + repeat, &folds, error));
    }
    HS_TRY(hs_crossval_run(&(hs_crossval_request){.data = e->data,
                                                  .folds = &folds,
                                                  .selectors = &e->selector,
                                                  .classifiers = &e->classifier,
                                                  .selector_count = 1,
                                                  .classifier_count = 1,
                                                  .seed = request->seed + repeat,
                                                  .threads = request->threads,
                                                  .rank_by = e->rank_by,
                                                  .progress = e->progress},
                           &done, error));
    HS_TRY(hs_crossval_scores(&done, e->data, &folds, 0, &scores, error));
    const uint64_t *masks = done.selectors[0].masks;
    for (int m = 0; m < HS_METRICS; m++) {
        hs_running_add(&e->pooled[m], scores.pooled[m]);
        hs_running_add(&e->fold_mean[m], scores.fold_mean[m]);
    }
    hs_running_add(&e->selected, 1 - scores.pooled[HS_METRIC_COMPRESSION]);
    hs_running_add(
        &e->stability,
        masks ? hs_stability_of(masks, done.mask_words, folds.count, e->data->features).kuncheva
              : NAN);
    give_arrays(e, repeat, &folds, &done, &scores);
    e->folds = folds.count;
    return HSEL_OK;
}

static void evaluation_clear(struct evaluation *e)
{
    hs_chosen_clear(&e->selector);
    hs_chosen_clear(&e->classifier);
}

int hsel_crossval(const hsel_dataset *data, const hsel_crossval_request *request,
                  const hsel_watch *watch, const hsel_crossval_arrays *arrays, hsel_evaluation *out,
                  hsel_error *error)
{
    HS_OWNS(watch_end) struct watcher watcher;
    HS_OWNS(evaluation_clear)
    struct evaluation e = {.data = data,
                           .request = request,
                           .arrays = arrays,
                           .progress = watch_start(&watcher, watch),
                           .scheme = request->fold_scheme ? request->fold_scheme : "own",
                           .folds = request->folds};
    bool counted = strcmp(e.scheme, "loo") != 0 && strncmp(e.scheme, "file:", 5) != 0;
    hs_error_clear(error);
    HS_TRY(check_threads(request->threads, error));
    if (e.folds < 2 && (counted || request->fold_of))
        return hs_fail(error, HSEL_EUSAGE, "at least 2 folds are needed, not %u", e.folds);
    if (request->repeats < 1)
        return hs_fail(error, HSEL_EUSAGE, "at least 1 repeat is needed, not 0");
    if (request->rank_by && strcmp(request->rank_by, "probability") == 0)
        e.rank_by = HS_RANK_BY_PROBABILITY;
    else if (request->rank_by && strcmp(request->rank_by, "score") != 0)
        return hs_fail(error, HSEL_EUSAGE,
                       "AUROC and AUPRC rank by score or by probability, not by '%.80s'",
                       request->rank_by);
    HS_TRY(hs_chosen_parse(HS_SELECTOR, request->selector ? request->selector : "none", &e.selector,
                           error));
    HS_TRY(hs_chosen_parse(HS_CLASSIFIER, request->classifier ? request->classifier : "nb",
                           &e.classifier, error));
    HS_TRY(hs_check_methods(data, e.selector.method, e.classifier.method, false, error));
    for (uint32_t r = 0; r < request->repeats; r++)
        HS_TRY(run_repeat(&e, r, error));
    *out = (hsel_evaluation){.folds = e.folds,
                             .repeats = request->repeats,
                             .selected = e.selected.mean,
                             .stability = e.stability.mean};
    for (int m = 0; m < HS_METRICS; m++) {
        out->pooled[m] = e.pooled[m].mean;
        out->fold_mean[m] = e.fold_mean[m].mean;
        out->pooled_sd[m] = hs_running_sd(&e.pooled[m]);
        out->fold_mean_sd[m] = hs_running_sd(&e.fold_mean[m]);
    }
    return HSEL_OK;
}

int hsel_dataset_evaluate(const hsel_dataset *data, const char *selector, const char *classifier,
                          const char *fold_scheme, uint32_t folds, uint32_t repeats, uint64_t seed,
                          int threads, hsel_evaluation *out, hsel_error *error)
{
    return hsel_crossval(data,
                         &(hsel_crossval_request){.selector = selector,
                                                  .classifier = classifier,
                                                  .fold_scheme = fold_scheme,
                                                  .folds = folds,
                                                  .repeats = repeats,
                                                  .seed = seed,
                                                  .threads = threads},
                         NULL, NULL, out, error);
}

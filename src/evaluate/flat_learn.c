/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Selecting, ranking, training and predicting for callers with arrays. Instances are
 * predicted in blocks that threads share out; each writes to its own place, so results do not
 * depend on their number.
 */
#include <math.h>
#include <string.h>

#include "classify/classify.h"
#include "core/mem.h"
#include "core/parallel.h"
#include "evaluate/crossval.h"
#include "evaluate/flat_parts.h"
#include "evaluate/learned.h"
#include "evaluate/model.h"
#include "rank/rank.h"
#include "select/lazy.h"

#define BLOCK 128 /* instances */

/* ---- selecting ---- */

static int take_choice(const hs_learned *learned, uint32_t features, uint8_t *keep, double *scores,
                       hsel_error *error)
{
    uint64_t *mask = HS_NEW_ZERO(uint64_t, hs_bit_words(features));
    if (!mask)
        return hs_fail_memory(error);
    int status = learned->method->selector->select_features(learned->state, mask, error);
    for (uint32_t f = 0; f < features && status == HSEL_OK; f++) {
        keep[f] = hs_bit_get(mask, f);
        if (scores)
            scores[f] = learned->scores ? learned->scores[f] : (double)NAN;
    }
    hs_free(mask);
    return status;
}

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
    hs_chosen chosen = {0};
    hs_learned learned = {0};
    hs_watcher watcher;
    learned.progress = hs_watcher_init(&watcher, watch);
    hs_error_clear(error);
    int status = hs_check_threads(threads, error);
    if (status == HSEL_OK)
        status = selector ? hs_chosen_parse(HS_SELECTOR, selector, &chosen, error)
                          : hs_fail(error, HSEL_EUSAGE, "no selector was named");
    if (status == HSEL_OK)
        status = check_eager(chosen.method, error);
    if (status == HSEL_OK)
        status = hs_check_methods(data, chosen.method, NULL, false, error);
    if (status == HSEL_OK)
        status = hs_learn(&chosen, data, seed, threads, &learned, error);
    if (status == HSEL_OK)
        status = take_choice(&learned, data->features, keep, scores, error);
    hs_watcher_end(&watcher);
    hs_learned_clear(&learned);
    hs_chosen_clear(&chosen);
    return status;
}

/* ---- ranking ---- */

struct ranking {
    hs_chosen *rankers;
    double **scores;
    hs_counts counts;
};

static void ranking_clear(struct ranking *ranking, uint32_t count)
{
    for (uint32_t i = 0; ranking->rankers && i < count; i++)
        hs_chosen_clear(&ranking->rankers[i]);
    hs_free(ranking->rankers);
    hs_free(ranking->scores);
    hs_counts_clear(&ranking->counts);
}

static int parse_rankers(const hsel_dataset *data, const char *texts, uint32_t count,
                         double *scores, struct ranking *out, hsel_error *error)
{
    int status = HSEL_OK;
    out->rankers = HS_NEW_ZERO(hs_chosen, count);
    out->scores = HS_NEW(double *, count);
    if (!out->rankers || !out->scores)
        return hs_fail_memory(error);
    for (uint32_t i = 0; i < count && status == HSEL_OK; i++, texts += strlen(texts) + 1) {
        out->scores[i] = scores + (size_t)i * data->features;
        status = hs_ranker_parse(texts, &out->rankers[i], error);
        if (status == HSEL_OK)
            status = hs_ranker_check(data, out->rankers[i].method, error);
    }
    return status;
}

int hsel_rank(const hsel_dataset *data, const char *rankers, uint32_t count, uint64_t seed,
              int threads, const hsel_watch *watch, double *scores, hsel_error *error)
{
    struct ranking ranking = {0};
    hs_watcher watcher;
    hs_training training = {.view = hs_view_all(data),
                            .counts = &ranking.counts,
                            .seed = seed,
                            .progress = hs_watcher_init(&watcher, watch),
                            .threads = threads};
    hs_error_clear(error);
    int status = hs_check_threads(threads, error);
    if (status == HSEL_OK)
        status = parse_rankers(data, rankers, count, scores, &ranking, error);
    if (status == HSEL_OK)
        status = hs_counts_of(&training.view, &ranking.counts, error);
    if (status == HSEL_OK)
        status = hs_rank_features(&training, ranking.rankers, count, ranking.scores, error);
    ranking_clear(&ranking, count);
    return status;
}

/* ---- models ---- */

int hsel_train(const hsel_dataset *data, const char *selector, const char *classifier,
               uint64_t seed, int threads, const hsel_watch *watch, hsel_model **out,
               hsel_error *error)
{
    hs_watcher watcher;
    const hs_progress *progress = hs_watcher_init(&watcher, watch);
    hs_error_clear(error);
    int status = hs_check_threads(threads, error);
    if (status == HSEL_OK)
        status = hs_model_train_watched(data, selector ? selector : "none",
                                        classifier ? classifier : "nb", HSEL_NONE, false, seed,
                                        threads, progress, out, error);
    hs_watcher_end(&watcher);
    return status;
}

int hsel_model_to_bytes(const hsel_model *model, void **bytes, size_t *length, hsel_error *error)
{
    hs_buf buffer = {0};
    hs_error_clear(error);
    int status = hs_model_to_bytes(model, &buffer, error);
    if (status) {
        hs_buf_clear(&buffer);
        return status;
    }
    *bytes = buffer.text;
    *length = buffer.length;
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
    hs_model_scratch *scratch; /* one a thread; model NULL: not made yet */
    int threads;
    size_t blocks;
    double *probability, *score; /* wanted: these … */
    uint32_t *selected;
    struct chunk *chunks; /* … or these */
    uint64_t *start;
};

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
    int status = HSEL_OK;
    if (!model->mask) {
        status = model->selector.method->selector->select_for(
            model->state, row, positives, &scratch->lazy, &scratch->selection, error);
        size = hs_selection_size(&scratch->selection, features, positives);
    }
    if (status)
        return status;
    if (!HS_GROW(&chunk->index, &chunk->capacity, before + size))
        return hs_fail_memory(error);
    work->start[instance + 1] = size;
    if (model->mask && size) {
        memcpy(chunk->index + before, scratch->kept, size * sizeof *scratch->kept);
        chunk->count += size;
    } else if (!model->mask) {
        hs_selection_each(&scratch->selection, features, row, positives, keep_feature, chunk);
        hs_lazy_sort(chunk->index + before, scratch->lazy.list, size);
    }
    return HSEL_OK;
}

static int predict_one(struct work *work, hs_model_scratch *scratch, uint32_t instance,
                       hsel_error *error)
{
    const hs_model *model = work->model;
    size_t classes = model->shape->class_names.count;
    int status = hs_model_predict(model, work->data, instance, scratch,
                                  work->probability + instance * classes, error);
    if (status == HSEL_OK && work->score)
        memcpy(work->score + instance * classes, scratch->score, classes * sizeof *work->score);
    if (status == HSEL_OK && work->selected)
        work->selected[instance] = hs_model_selected(scratch, work->data, instance);
    return status;
}

static int do_block(void *context, size_t block, int worker, hsel_error *error)
{
    struct work *work = context;
    hs_model_scratch *scratch = &work->scratch[worker];
    uint64_t begin = block * BLOCK, end = begin + BLOCK;
    int status =
        hs_progress_report(work->progress, block, work->blocks, "blocks of instances", error);
    if (status == HSEL_OK && !scratch->model)
        status = hs_model_scratch_init(scratch, work->model, error);
    for (uint64_t i = begin; i < end && i < work->data->instances && status == HSEL_OK; i++)
        status = work->chunks ? select_one(work, scratch, &work->chunks[block], (uint32_t)i, error)
                              : predict_one(work, scratch, (uint32_t)i, error);
    return status;
}

static int do_all(struct work *work, int threads, hsel_error *error)
{
    const hs_model *model = work->model;
    hs_error_clear(error);
    int status = hs_check_threads(threads, error);
    if (status == HSEL_OK && work->data->features != model->shape->features)
        status = hs_fail(error, HSEL_EUSAGE, "the model has %u features, and these data %u",
                         model->shape->features, work->data->features);
    if (status == HSEL_OK && (model->selector.method->flags & HS_LAZY))
        status = hs_check_rule(work->data, model->selector.method, false, error);
    if (status)
        return status;
    work->threads = hs_threads(threads);
    work->blocks = ((size_t)work->data->instances + BLOCK - 1) / BLOCK;
    if (!(work->scratch = HS_NEW_ZERO(hs_model_scratch, (size_t)work->threads)))
        return hs_fail_memory(error);
    status = hs_parallel_for(work->blocks, work->threads, do_block, work, error);
    for (int w = 0; w < work->threads; w++)
        if (work->scratch[w].model)
            hs_model_scratch_clear(&work->scratch[w]);
    hs_free(work->scratch);
    return status;
}

int hsel_predict(const hsel_model *model, const hsel_dataset *data, int threads,
                 const hsel_watch *watch, double *probability, double *score, uint32_t *selected,
                 hsel_error *error)
{
    hs_watcher watcher;
    struct work work = {.model = model,
                        .data = data,
                        .progress = hs_watcher_init(&watcher, watch),
                        .probability = probability,
                        .score = score,
                        .selected = selected};
    return do_all(&work, threads, error);
}

/* The chunks one after the other, each freed as soon as it is copied. */
static int join(struct work *work, uint32_t **index, hsel_error *error)
{
    for (uint32_t i = 0; i < work->data->instances; i++)
        work->start[i + 1] += work->start[i];
    uint64_t total = work->start[work->data->instances], used = 0;
    uint32_t *all = HS_NEW(uint32_t, total);
    if (!all)
        return hs_fail_memory(error);
    for (size_t b = 0; b < work->blocks; b++) {
        struct chunk *chunk = &work->chunks[b];
        if (chunk->count)
            memcpy(all + used, chunk->index, chunk->count * sizeof *all);
        used += chunk->count;
        hs_free(chunk->index);
        *chunk = (struct chunk){0};
    }
    *index = all;
    return HSEL_OK;
}

int hsel_select_each(const hsel_model *model, const hsel_dataset *data, int threads,
                     const hsel_watch *watch, uint64_t *start, uint32_t **index, hsel_error *error)
{
    hs_watcher watcher;
    size_t blocks = ((size_t)data->instances + BLOCK - 1) / BLOCK;
    struct work work = {.model = model,
                        .data = data,
                        .progress = hs_watcher_init(&watcher, watch),
                        .start = start,
                        .chunks = HS_NEW_ZERO(struct chunk, blocks)};
    start[0] = 0;
    int status = work.chunks ? do_all(&work, threads, error) : hs_fail_memory(error);
    if (status == HSEL_OK)
        status = join(&work, index, error);
    for (size_t b = 0; work.chunks && b < blocks; b++)
        hs_free(work.chunks[b].index);
    hs_free(work.chunks);
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ReliefF: features that tell an instance from its nearest neighbours of other classes and not from
 * those of its own; WEKA's ReliefFAttributeEval, to the letter.
 *
 *     for every instance, of class c, with s_k <= k nearest neighbours of each class k:
 *     W_f -= sum over hits of diff / s_c
 *     W_f += sum over k != c of w_k sum over misses of diff / s_k;  then W / N, keep W > threshold
 *
 * diff is 0 or 1; w_k = 1 with two classes, else P(k) / (1 - P(c)). Kononenko (1994), as in WEKA
 * 3.6: all instances in the order of the training part; the first k of a class are taken, then a
 * strictly nearer one replaces the farthest (the first slot among equals). weight: neighbours
 * sorted by distance (by WEKA's sort, which is not stable), rank r from 0 counts exp(-(r/sigma)^2),
 * normalised, in place of 1/s. Sums are made in WEKA's order, so the weights agree in every bit.
 *
 * Distances are numbers of differing features, of one instance to all others at a time, and do not
 * change when the values of a feature are exchanged: so only the rarer value of a feature, m_f
 * times, is looked at. At most O(sum of m_f^2) through columns (data/tally.h), then O(n K k) pairs
 * times the rarer values of both. Memory O(sum of m_f), and a thread a byte an instance for each
 * feature whose rarer value 1/16 of the instances have.
 */
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "core/parallel.h"
#include "data/tally.h"
#include "select/eager.h"
#include "select/weka_sort.h"

#define BATCH 256 /* instances whose neighbours are found in parallel before they are counted */

struct options {
    double threshold;
    uint32_t k, sigma;
    bool weight;
};

static const hs_option table[] = {
    HS_OPTION(struct options, threshold, "threshold", "T", "0.01", -10, 10,
              "features with a greater weight are kept"),
    HS_OPTION(struct options, k, "k", "N", "10", 1, 1000000, "neighbours of each class"),
    HS_FLAG(struct options, weight, "weight", "nearer neighbours count more"),
    HS_OPTION(struct options, sigma, "sigma", "N", "2", 1, 1000000,
              "how slowly the weight of neighbours falls with their rank; only with weight"),
    HS_OPTION_END};

/* Stored neighbours of an instance: those of class k in slots slot_start[k] … */
struct neighbours {
    uint32_t *stored;   /* [classes] */
    uint32_t *position; /* [slots] */
    uint32_t *distance; /* [slots] */
};

/* Instances have positions: class after class, within a class in the order of the training part. */
struct relief {
    const hs_candidates *candidates;
    const struct options *options;
    uint32_t count, classes;  /* training instances with a class; classes */
    uint32_t *class_start;    /* [classes + 1]: positions */
    uint32_t *slot_start;     /* [classes + 1]: slots for neighbours */
    uint32_t *position;       /* [count]: of each instance in the order of the training part */
    hs_adjacency row, column; /* position <-> candidates with their rarer value there */
    uint32_t threads, batch_start;
    hs_tally *shared;        /* [threads]: rarer values that positions have in common with one */
    struct neighbours batch; /* the arrays of BATCH instances, one after the other */
    double *rank_weight;     /* [k], with weight */
    uint32_t *sorted;        /* [k], with weight */
    double *differs;         /* [candidates]: 0; 1 for those in which the pair at hand differs */
};

static void relief_clear(struct relief *r)
{
    for (uint32_t i = 0; r->shared && i < r->threads; i++)
        hs_tally_clear(&r->shared[i]);
    hs_adjacency_clear(&r->row);
    hs_adjacency_clear(&r->column);
    hs_free(r->class_start);
    hs_free(r->slot_start);
    hs_free(r->position);
    hs_free(r->shared);
    hs_free(r->batch.stored);
    hs_free(r->batch.position);
    hs_free(r->batch.distance);
    hs_free(r->rank_weight);
    hs_free(r->sorted);
    hs_free(r->differs);
}

/* ---- instances ---- */

/* Where classes and their slots begin, the positions, and the rows in order of position. */
static int arrange(struct relief *r, const uint32_t *rows, uint32_t *arranged, hsel_error *error)
{
    const hs_training *training = r->candidates->training;
    uint32_t *next = HS_NEW(uint32_t, r->classes);
    r->class_start = HS_NEW_ZERO(uint32_t, (size_t)r->classes + 1);
    r->slot_start = HS_NEW_ZERO(uint32_t, (size_t)r->classes + 1);
    r->position = HS_NEW(uint32_t, r->count);
    if (!next || !r->class_start || !r->slot_start || !r->position) {
        hs_free(next);
        return hs_fail_memory(error);
    }
    for (uint32_t k = 0; k < r->classes; k++) {
        uint32_t size = training->counts->class_size[k], most = r->options->k;
        next[k] = r->class_start[k];
        r->class_start[k + 1] = r->class_start[k] + size;
        r->slot_start[k + 1] = r->slot_start[k] + (size < most ? size : most);
    }
    for (uint32_t i = 0; i < r->count; i++) {
        r->position[i] = next[training->view.data->class_of[rows[i]]]++;
        arranged[r->position[i]] = rows[i];
    }
    hs_free(next);
    return HSEL_OK;
}

/* Exchanges the values of a candidate that is positive more often than not: `to` gets the positions
 * that are not in the list. */
static uint32_t complement(const uint32_t *list, uint32_t length, uint32_t count, uint32_t *to)
{
    uint32_t written = 0, next = 0;
    for (uint32_t position = 0; position < count; position++)
        if (next < length && list[next] == position)
            next++;
        else
            to[written++] = position;
    return written;
}

/* Makes columns of positives, in place, columns of the rarer value; `owner` gets the candidate of
 * each entry. Returns how many there are. */
static uint32_t keep_rarer(hs_adjacency *column, uint32_t candidates, uint32_t count,
                           uint32_t *spare, uint32_t *owner)
{
    uint32_t written = 0;
    for (uint32_t c = 0; c < candidates; c++) {
        const uint32_t *list = column->item + column->start[c];
        uint32_t length = column->start[c + 1] - column->start[c];
        column->start[c] = written;
        if (length > count / 2) {
            length = complement(list, length, count, spare);
            list = spare;
        }
        memmove(column->item + written, list, length * sizeof *list);
        for (uint32_t i = 0; i < length; i++)
            owner[written++] = c;
    }
    return column->start[candidates] = written;
}

static int init_lists(struct relief *r, hsel_error *error)
{
    const hs_candidates *candidates = r->candidates;
    uint32_t *rows = NULL, *arranged = NULL, *owner = NULL;
    int status = hs_training_rows(candidates->training, true, &rows, &r->count, error);
    if (status)
        goto out;
    if (!(arranged = HS_NEW(uint32_t, r->count))) {
        status = hs_fail_memory(error);
        goto out;
    }
    if ((status = arrange(r, rows, arranged, error)) ||
        (status = hs_candidates_columns(candidates, arranged, r->count, &r->column, error)))
        goto out;
    if (!(owner = HS_NEW(uint32_t, r->column.start[candidates->count]))) {
        status = hs_fail_memory(error);
        goto out;
    }
    uint32_t entries = keep_rarer(&r->column, candidates->count, r->count, arranged, owner);
    status = hs_adjacency_group(r->count, r->column.item, owner, entries, &r->row, error);
out:
    hs_free(rows);
    hs_free(arranged);
    hs_free(owner);
    return status;
}

static int init_slots(struct relief *r, hsel_error *error)
{
    size_t batch = r->count < BATCH ? r->count : BATCH, slots = batch * r->slot_start[r->classes];
    r->batch = (struct neighbours){.stored = HS_NEW(uint32_t, batch * r->classes),
                                   .position = HS_NEW(uint32_t, slots),
                                   .distance = HS_NEW(uint32_t, slots)};
    if (!r->batch.stored || !r->batch.position || !r->batch.distance)
        return hs_fail_memory(error);
    return HSEL_OK;
}

static int init_shared(const struct relief *r, hs_tally *shared, hsel_error *error)
{
    int status = hs_tally_init(shared, r->candidates->count, r->count, error);
    for (uint32_t c = 0; c < r->candidates->count && status == HSEL_OK; c++)
        hs_tally_expect(shared, c, r->column.start[c + 1] - r->column.start[c]);
    return status ? status : hs_tally_ready(shared, error);
}

/* Those of one instance of the batch. */
static struct neighbours neighbours_of(const struct relief *r, size_t index)
{
    size_t slots = index * r->slot_start[r->classes];
    return (struct neighbours){.stored = r->batch.stored + index * r->classes,
                               .position = r->batch.position + slots,
                               .distance = r->batch.distance + slots};
}

static int init_scratch(struct relief *r, hsel_error *error)
{
    r->threads = (uint32_t)hs_threads(r->candidates->training->threads);
    r->differs = HS_NEW_ZERO(double, r->candidates->count);
    if (!r->differs || !(r->shared = HS_NEW_ZERO(hs_tally, r->threads)))
        return hs_fail_memory(error);
    for (uint32_t i = 0; i < r->threads; i++) {
        int status = init_shared(r, &r->shared[i], error);
        if (status)
            return status;
    }
    return HSEL_OK;
}

static int init_ranks(struct relief *r, hsel_error *error)
{
    double sigma = r->options->sigma;
    uint32_t most = r->options->k < r->count ? r->options->k : r->count;
    r->rank_weight = HS_NEW(double, most);
    r->sorted = HS_NEW(uint32_t, most);
    if (!r->rank_weight || !r->sorted)
        return hs_fail_memory(error);
    for (uint32_t rank = 0; rank < most; rank++)
        r->rank_weight[rank] = exp(-((rank / sigma) * (rank / sigma)));
    return HSEL_OK;
}

/* ---- neighbours ---- */

static uint32_t size_of(const struct relief *r, uint32_t position)
{
    return r->row.start[position + 1] - r->row.start[position];
}

static const int32_t *count_shared(const struct relief *r, uint32_t own, hs_tally *shared)
{
    hs_tally_start(shared);
    for (uint32_t i = r->row.start[own]; i < r->row.start[own + 1]; i++) {
        uint32_t c = r->row.item[i], start = r->column.start[c];
        hs_tally_add(shared, c, r->column.item + start, r->column.start[c + 1] - start);
    }
    return hs_tally_finish(shared);
}

/* The first slot that holds the greatest distance. */
static uint32_t find_farthest(const uint32_t *distance, uint32_t stored)
{
    uint32_t farthest = 0;
    for (uint32_t slot = 1; slot < stored; slot++)
        if (distance[slot] > distance[farthest])
            farthest = slot;
    return farthest;
}

/* Neighbours of one class; returns how many. */
static uint32_t find_in_class(const struct relief *r, uint32_t own, uint32_t k,
                              const int32_t *shared, uint32_t *position, uint32_t *distance)
{
    uint32_t room = r->slot_start[k + 1] - r->slot_start[k], stored = 0, farthest = 0;
    for (uint32_t p = r->class_start[k]; p < r->class_start[k + 1]; p++) {
        uint32_t d = size_of(r, own) + size_of(r, p) - 2 * (uint32_t)shared[p];
        if (p == own || (stored == room && d >= distance[farthest]))
            continue;
        uint32_t slot = stored < room ? stored++ : farthest;
        position[slot] = p;
        distance[slot] = d;
        if (stored == room)
            farthest = find_farthest(distance, stored);
    }
    return stored;
}

static int find_neighbours(void *context, size_t index, int worker, hsel_error *error)
{
    const struct relief *r = context;
    struct neighbours n = neighbours_of(r, index);
    uint32_t own = r->position[r->batch_start + index];
    (void)error;
    const int32_t *shared = count_shared(r, own, &r->shared[worker]);
    for (uint32_t k = 0; k < r->classes; k++)
        n.stored[k] = find_in_class(r, own, k, shared, n.position + r->slot_start[k],
                                    n.distance + r->slot_start[k]);
    return HSEL_OK;
}

/* ---- weights ---- */

static void flip(const struct relief *r, uint32_t position)
{
    for (uint32_t i = r->row.start[position]; i < r->row.start[position + 1]; i++)
        r->differs[r->row.item[i]] = 1 - r->differs[r->row.item[i]];
}

static void add_row(const struct relief *r, uint32_t position, double share)
{
    double *weight = r->candidates->score;
    for (uint32_t i = r->row.start[position]; i < r->row.start[position + 1]; i++)
        weight[r->row.item[i]] += share * r->differs[r->row.item[i]];
}

/* Adds `share` to the weight of every candidate in which two instances differ; those of `own` are
 * marked already. No branches: what they share is given 0 twice. */
static void add_differences(const struct relief *r, uint32_t own, uint32_t other, double share)
{
    flip(r, other);
    add_row(r, own, share);
    add_row(r, other, share);
    flip(r, other);
}

/* The stored neighbours of one class, each with `factor` times its part of 1. */
static void add_class(const struct relief *r, uint32_t own, const struct neighbours *n, uint32_t k,
                      double factor)
{
    uint32_t stored = n->stored[k];
    const uint32_t *position = n->position + r->slot_start[k];
    double sum = 0;
    for (uint32_t j = 0; j < stored && !r->options->weight; j++)
        add_differences(r, own, position[j], factor * (1.0 / stored));
    if (!r->options->weight)
        return;
    for (uint32_t j = 0; j < stored; j++)
        sum += r->rank_weight[j];
    hs_weka_sort(n->distance + r->slot_start[k], stored, r->sorted);
    for (uint32_t j = 0; j < stored; j++)
        add_differences(r, own, position[r->sorted[j]], factor * (r->rank_weight[j] / sum));
}

static void add_instance(const struct relief *r, uint32_t own, const struct neighbours *n)
{
    const uint32_t *size = r->candidates->training->counts->class_size;
    double all = r->count;
    uint32_t label = 0;
    while (own >= r->class_start[label + 1])
        label++;
    double others = 1.0 - size[label] / all;
    flip(r, own);
    add_class(r, own, n, label, -1);
    for (uint32_t k = 0; k < r->classes; k++)
        if (k != label)
            add_class(r, own, n, k, r->classes > 2 ? size[k] / all / others : 1);
    flip(r, own);
}

static int weigh(struct relief *r, hsel_error *error)
{
    int status = HSEL_OK;
    for (uint32_t from = 0; from < r->count && status == HSEL_OK; from += BATCH) {
        uint32_t batch = r->count - from < BATCH ? r->count - from : BATCH;
        r->batch_start = from;
        status = hs_parallel_for(batch, (int)r->threads, find_neighbours, r, error);
        for (uint32_t i = 0; i < batch && status == HSEL_OK; i++) {
            struct neighbours n = neighbours_of(r, i);
            add_instance(r, r->position[from + i], &n);
        }
    }
    return status;
}

/* ---- the selector ---- */

static int choose(const hs_candidates *candidates, const void *options, bool *keep,
                  hsel_error *error)
{
    struct relief r = {.candidates = candidates,
                       .options = options,
                       .classes = candidates->training->counts->classes};
    int status = init_lists(&r, error);
    if (status || (status = init_slots(&r, error)) || (status = init_scratch(&r, error)) ||
        (r.options->weight && (status = init_ranks(&r, error))))
        goto out;
    status = weigh(&r, error);
    for (uint32_t i = 0; i < candidates->count && status == HSEL_OK; i++) {
        candidates->score[i] *= r.count ? 1.0 / r.count : 0;
        keep[i] = candidates->score[i] > r.options->threshold;
    }
out:
    relief_clear(&r);
    return status;
}

static int prepare(const hs_training *training, const void *options, void **state,
                   hsel_error *error)
{
    static const hs_eager_rule rule = {.choose = choose, .flat = true};
    return hs_eager_prepare(training, options, &rule, state, error);
}

static const hs_selector functions = {.prepare = prepare,
                                      .select_features = hs_eager_select,
                                      .scores = hs_eager_scores,
                                      .free = hs_eager_free};

const hs_method hs_method_relieff = {
    .kind = HS_SELECTOR,
    .name = "relieff",
    .title = "ReliefF weight above a threshold",
    .help = "Keeps every feature whose ReliefF weight is above the threshold: how much more often "
            "it differs between an instance and its nearest neighbours of other classes than of "
            "its own. The weights are those of WEKA's ReliefFAttributeEval on all instances. Does "
            "not look at the hierarchy.",
    .citation = "Kononenko (1994), ECML, LNCS 784:171-182; WEKA 3.6, ReliefFAttributeEval and "
                "Ranker",
    .flags = HS_NEEDS_CLASSES,
    .options = table,
    .options_size = sizeof(struct options),
    .selector = &functions};

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ReliefF of binary features. Distances are numbers of differing features, of one instance to all
 * others at a time, and do not change when the values of a feature are exchanged: so only the rarer
 * value of a feature, m_f times, is looked at. At most O(sum of m_f^2) through columns
 * (data/tally.h), then O(n K k) pairs times the rarer values of both. Memory O(sum of m_f), and a
 * thread a byte an instance for each feature whose rarer value 1/16 of the instances have.
 */
#include <string.h>

#include "core/mem.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "data/tally.h"
#include "rank/relief.h"

struct binary {
    hs_relief *relief;
    hs_adjacency row, column; /* position <-> places of features with their rarer value there */
    hs_tally *shared;         /* [threads]: rarer values that positions have in common with one */
    double **distance;        /* [threads][count] */
    double *differs;          /* [features]: 0; 1 for those in which the pair at hand differs */
};

static void binary_clear(struct binary *b)
{
    for (int i = 0; i < b->relief->threads; i++) {
        if (b->shared)
            hs_tally_clear(&b->shared[i]);
        if (b->distance)
            hs_free(b->distance[i]);
    }
    hs_adjacency_clear(&b->row);
    hs_adjacency_clear(&b->column);
    hs_free(b->shared);
    hs_free(b->distance);
    hs_free(b->differs);
}

/* ---- lists ---- */

/* Exchanges the values of a feature that is positive more often than not: `to` gets the positions
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

/* Makes columns of positives, in place, columns of the rarer value; `owner` gets the feature's
 * place of each entry. Returns how many there are. */
static uint32_t keep_rarer(hs_adjacency *column, uint32_t features, uint32_t count, uint32_t *spare,
                           uint32_t *owner)
{
    uint32_t written = 0;
    for (uint32_t f = 0; f < features; f++) {
        const uint32_t *list = column->item + column->start[f];
        uint32_t length = column->start[f + 1] - column->start[f];
        column->start[f] = written;
        if (length > count / 2) {
            length = complement(list, length, count, spare);
            list = spare;
        }
        memmove(column->item + written, list, length * sizeof *list);
        for (uint32_t i = 0; i < length; i++)
            owner[written++] = f;
    }
    return column->start[features] = written;
}

static int init_lists(struct binary *b, hsel_error *error)
{
    const hs_relief *r = b->relief;
    uint32_t *spare = HS_NEW(uint32_t, r->count), *owner = NULL;
    int status = spare ? hs_position_columns(r->training->view.data, r->features, r->feature_count,
                                             r->row, r->count, &b->column, error)
                       : hs_fail_memory(error);
    if (status)
        goto out;
    if (!(owner = HS_NEW(uint32_t, b->column.start[r->feature_count]))) {
        status = hs_fail_memory(error);
        goto out;
    }
    uint32_t entries = keep_rarer(&b->column, r->feature_count, r->count, spare, owner);
    status = hs_adjacency_group(r->count, b->column.item, owner, entries, &b->row, error);
out:
    hs_free(spare);
    hs_free(owner);
    return status;
}

static int init_shared(const struct binary *b, hs_tally *shared, hsel_error *error)
{
    uint32_t features = b->relief->feature_count;
    int status = hs_tally_init(shared, features, b->relief->count, error);
    for (uint32_t f = 0; f < features && status == HSEL_OK; f++)
        hs_tally_expect(shared, f, b->column.start[f + 1] - b->column.start[f]);
    return status ? status : hs_tally_ready(shared, error);
}

static int init_scratch(struct binary *b, hsel_error *error)
{
    size_t threads = (size_t)b->relief->threads;
    b->differs = HS_NEW_ZERO(double, b->relief->feature_count);
    b->shared = HS_NEW_ZERO(hs_tally, threads);
    b->distance = HS_NEW_ZERO(double *, threads);
    if (!b->differs || !b->shared || !b->distance)
        return hs_fail_memory(error);
    for (size_t i = 0; i < threads; i++) {
        int status = init_shared(b, &b->shared[i], error);
        if (status)
            return status;
        if (!(b->distance[i] = HS_NEW(double, b->relief->count)))
            return hs_fail_memory(error);
    }
    return HSEL_OK;
}

/* ---- distances ---- */

static uint32_t size_of(const struct binary *b, uint32_t position)
{
    return b->row.start[position + 1] - b->row.start[position];
}

static const int32_t *count_shared(const struct binary *b, uint32_t own, hs_tally *shared)
{
    hs_tally_start(shared);
    for (uint32_t i = b->row.start[own]; i < b->row.start[own + 1]; i++) {
        uint32_t f = b->row.item[i], start = b->column.start[f];
        hs_tally_add(shared, f, b->column.item + start, b->column.start[f + 1] - start);
    }
    return hs_tally_finish(shared);
}

static int find_neighbours(void *context, size_t index, int worker, hsel_error *error)
{
    const struct binary *b = context;
    const hs_relief *r = b->relief;
    uint32_t own = r->position[r->batch_start + index];
    double *distance = b->distance[worker];
    (void)error;
    const int32_t *shared = count_shared(b, own, &b->shared[worker]);
    for (uint32_t p = 0; p < r->count; p++)
        distance[p] = size_of(b, own) + size_of(b, p) - 2 * (uint32_t)shared[p];
    hs_relief_neighbours(r, own, index, distance);
    return HSEL_OK;
}

/* ---- weights ---- */

static void flip(const struct binary *b, uint32_t position)
{
    for (uint32_t i = b->row.start[position]; i < b->row.start[position + 1]; i++)
        b->differs[b->row.item[i]] = 1 - b->differs[b->row.item[i]];
}

static void add_row(const struct binary *b, uint32_t position, double share)
{
    double *weight = b->relief->weight;
    for (uint32_t i = b->row.start[position]; i < b->row.start[position + 1]; i++)
        weight[b->row.item[i]] += share * b->differs[b->row.item[i]];
}

/* Adds `share` to the weight of every feature in which two instances differ; those of `own` are
 * marked already. No branches: what they share is given 0 twice. */
static void add_differences(const struct binary *b, const hs_relief_pair *pair)
{
    flip(b, pair->other);
    add_row(b, pair->own, pair->share);
    add_row(b, pair->other, pair->share);
    flip(b, pair->other);
}

static void add_instance(const struct binary *b, size_t index)
{
    const hs_relief *r = b->relief;
    uint32_t own = r->position[r->batch_start + index];
    uint32_t pairs = hs_relief_pairs(r, own, index, r->pairs);
    flip(b, own);
    for (uint32_t i = 0; i < pairs; i++)
        add_differences(b, &r->pairs[i]);
    flip(b, own);
}

int hs_relief_binary(hs_relief *r, hsel_error *error)
{
    struct binary b = {.relief = r};
    int status = init_lists(&b, error);
    if (status == HSEL_OK)
        status = init_scratch(&b, error);
    for (uint32_t from = 0; from < r->count && status == HSEL_OK; from += r->batch) {
        uint32_t batch = r->count - from < r->batch ? r->count - from : r->batch;
        r->batch_start = from;
        status = hs_progress_report(r->training->progress, from, r->count, "instances", error);
        if (status == HSEL_OK)
            status = hs_parallel_for(batch, r->threads, find_neighbours, &b, error);
        for (uint32_t i = 0; i < batch && status == HSEL_OK; i++)
            add_instance(&b, i);
    }
    binary_clear(&b);
    return status;
}

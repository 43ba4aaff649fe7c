/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ReliefF: features that distinguish an instance from its nearest neighbours of other classes but
 * not from those of its class; exactly as WEKA's ReliefFAttributeEval.
 *
 *     for every instance, of class c, with s_k <= k nearest neighbours of each class k:
 *     W_f -= sum over hits of diff / s_c
 *     W_f += sum over k != c of w_k sum over misses of diff / s_k;  then W / N
 *
 * diff is 0 or 1 for binary and nominal features, the distance on the range of the training part
 * for numeric ones; distances of instances are sums of diff. w_k = 1 with two classes, else P(k) /
 * (1 - P(c)). Kononenko (1994), as in WEKA 3.6: all instances in ascending order (or, to repeat
 * WEKA's cross-validations, in the order of its folds); the first k of a class are taken, then a
 * strictly nearer one replaces the farthest (the first slot among equals). weight: neighbours
 * sorted by distance (by WEKA's sort, which is not stable); rank r from 0 counts exp(-(r/sigma)^2),
 * normalised, instead of 1/s. Sums are computed in WEKA's order, so that distances, and therefore
 * neighbours, agree in every bit.
 *
 * Binary features. The distance is the number of features that differ, which does not change when
 * the two values of a feature are exchanged. So only the rarer value of each feature is processed;
 * it occurs m_f times. At most O(sum of m_f^2) through columns (data/tally.h), then O(n K k) pairs
 * times the rarer values of both. Memory O(n K k + sum of m_f), and per thread a byte per instance
 * for each feature whose rarer value occurs in 1/16 of the instances or more.
 *
 * Features of any type. The data are not copied: a few columns at a time are scaled to 0 … 1 and
 * ordered by position, for all instances of a tile.
 *
 *     numeric    |a - b|; b missing: a or 1 - a, whichever is greater; both missing: 1
 *     nominal    0 or 1; missing: 1 - 1 / number of values
 *     binary     0 or 1
 *
 * as in WEKA 3.6, except that WEKA treats a range below 1e-6 as constant, hsel only a range of 0.
 * A distance is the sum over features in their order, as in WEKA; vectors hold several of the other
 * instances. A weight is the sum over pairs in their order; vectors hold several features.
 *
 * The distance of each pair is computed once and offered to both instances. Tiles cover the upper
 * triangle row by row, so every instance is still offered the others by ascending position: first,
 * as a column, those of the rows of tiles above, then the rest as a row.
 *
 * Time O(n^2 d + n K k d), memory per thread O(ROWS * COLUMNS + n).
 */
#include "rank/relief.h"

#include "rank/rank.h"
#include "stats/kendall.h"

/* ---- inner loops ----
 *
 * For columns whose differences are |a - b|: LANES columns at a time, each sum in the order of
 * columns (distances) or of pairs (weights). Compiled for any processor and again for AVX2; both
 * add the same numbers in the same order, so the sums are the same in every bit.
 */

enum {
    LANES = 16,  /* columns at a time; the last are filled up with 0 */
    VECTOR = 16, /* values at a time; lists have room for a multiple of it */
};

/* An instance and one of its neighbours, by position; `share` is the weight of their differences.
 */
struct pair {
    uint32_t own, other;
    double share;
};

/* Distances of some instances (rows) to some others (columns of the tile). */
struct tile {
    uint32_t rows, columns;
    uint32_t first;   /* position of the first column */
    bool triangle;    /* row i need only go with columns from i on */
    size_t stride;    /* of distance and values */
    double *distance; /* [rows * stride] */
    double *values;   /* [LANES * stride]: of the others, column after column */
    double *own;      /* [rows * LANES]: of the rows, instance after instance */
};

typedef double four __attribute__((vector_size(32)));
typedef int64_t four_bits __attribute__((vector_size(32)));
#define SIGNS                                                                                      \
    (four_bits) { INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN }

/* sum += |a - b| for four values of b. (No vector is passed by value: that would need AVX.) */
HS_INLINE void add_apart(four *sum, double a, const double *b)
{
    four value;
    memcpy(&value, b, sizeof value);
    value = a - value;
    *sum += (four)((four_bits)value & ~SIGNS);
}

/* sum += share * |a - b| for four values of each. */
HS_INLINE void weigh_apart(four *sum, double share, const double *a, const double *b)
{
    four value, other;
    memcpy(&value, a, sizeof value);
    memcpy(&other, b, sizeof other);
    value -= other;
    *sum += share * (four)((four_bits)value & ~SIGNS);
}

/* ---- distances ---- */

/* Adds all columns to the distances of one instance to VECTOR others; the sums stay in
 * registers. */
HS_INLINE void add_to_row(double *restrict to, const double *restrict values, size_t stride,
                          const double *restrict own)
{
    four a, b, c, d;
    memcpy(&a, to, sizeof a);
    memcpy(&b, to + 4, sizeof b);
    memcpy(&c, to + 8, sizeof c);
    memcpy(&d, to + 12, sizeof d);
    for (int lane = 0; lane < LANES; lane++) {
        const double *other = values + (size_t)lane * stride;
        add_apart(&a, own[lane], other);
        add_apart(&b, own[lane], other + 4);
        add_apart(&c, own[lane], other + 8);
        add_apart(&d, own[lane], other + 12);
    }
    memcpy(to, &a, sizeof a);
    memcpy(to + 4, &b, sizeof b);
    memcpy(to + 8, &c, sizeof c);
    memcpy(to + 12, &d, sizeof d);
}

/* In a triangle only the rows that are paired with columns from `at` on. */
HS_INLINE size_t rows_of(const struct tile *t, size_t at)
{
    return t->triangle && at + VECTOR < t->rows ? at + VECTOR : t->rows;
}

/* Others are the outer loop: their values stay in the first cache for all rows. */
HS_INLINE void add_lanes(const struct tile *t)
{
    for (size_t at = 0; at < t->columns; at += VECTOR)
        for (size_t i = 0; i < rows_of(t, at); i++)
            add_to_row(t->distance + i * t->stride + at, t->values + at, t->stride,
                       t->own + i * LANES);
}

/* ---- weights ---- */

HS_INLINE void weigh_lanes(const struct pair *pairs, uint32_t count, const double *restrict lanes,
                           double *sum)
{
    four a, b, c, d;
    memcpy(&a, sum, sizeof a);
    memcpy(&b, sum + 4, sizeof b);
    memcpy(&c, sum + 8, sizeof c);
    memcpy(&d, sum + 12, sizeof d);
    for (uint32_t i = 0; i < count; i++) {
        const double *own = lanes + (size_t)pairs[i].own * LANES;
        const double *other = lanes + (size_t)pairs[i].other * LANES;
        weigh_apart(&a, pairs[i].share, own, other);
        weigh_apart(&b, pairs[i].share, own + 4, other + 4);
        weigh_apart(&c, pairs[i].share, own + 8, other + 8);
        weigh_apart(&d, pairs[i].share, own + 12, other + 12);
    }
    memcpy(sum, &a, sizeof a);
    memcpy(sum + 4, &b, sizeof b);
    memcpy(sum + 8, &c, sizeof c);
    memcpy(sum + 12, &d, sizeof d);
}

HS_WIDE static void add_lanes_wide(const struct tile *t) { add_lanes(t); }

HS_WIDE static void weigh_lanes_wide(const struct pair *pairs, uint32_t count, const double *lanes,
                                     double *sum)
{
    weigh_lanes(pairs, count, lanes, sum);
}

#define BATCH        256       /* instances at a time */
#define PAIRS_ANYWAY (1 << 16) /* 1 MB */

/* Instances have positions: class after class, within a class in the given order. */
struct relief {
    const hs_training *training;
    const hs_relief_options *options;
    const uint32_t *features; /* [feature_count] */
    uint32_t feature_count;
    double *weight;          /* [feature_count] */
    uint32_t count, classes; /* training instances with a class; classes */
    uint32_t *class_start;   /* [classes + 1]: positions */
    uint32_t *slot_start;    /* [classes + 1]: slots for neighbours */
    uint32_t *position;      /* [count]: of each instance in the given order */
    uint32_t *row;           /* [count]: the instance at each position */
    int threads;
    uint32_t batch;      /* instances whose pairs are listed at a time, at most */
    uint32_t *stored;    /* [count * classes]: neighbours found so far */
    uint32_t *farthest;  /* [count * classes]: the first slot of the farthest, if all are filled */
    uint32_t *neighbour; /* [count * slots]: their positions */
    double *distance;    /* [count * slots] */
    struct pair *pairs;  /* [batch * slots] */
    double *rank_weight; /* [k], with weight */
    uint32_t *sorted;    /* [k], with weight */
    hs_arena *memory;    /* of all arrays, also of what follows */
};

/* Where classes and their slots begin, the positions, the rows in order of position; and slots for
 * the neighbours of all instances. Binary features use the pairs of one instance at a time. */
static int arrange(struct relief *r, bool binary, hsel_error *error)
{
    const hs_folds *folds = r->options->order == HS_RELIEF_BY_FOLDS ? r->training->folds : NULL;
    HS_OWNED uint32_t *rows = NULL, *next = HS_NEW(uint32_t, r->classes);
    HS_TRY(hs_training_rows(r->training, true, &rows, &r->count, error));
    for (uint32_t i = 0, n = 0; folds && i < folds->start[folds->count]; i++)
        if (hs_fold_learns(folds, folds->order[i], r->training->fold))
            rows[n++] = folds->order[i]; /* cross-validated instances all have a class */
    HS_NEED(next && HS_LISTS(r->memory, r, HS_PART(r, class_start, (size_t)r->classes + 1),
                             HS_PART(r, slot_start, (size_t)r->classes + 1),
                             HS_PART(r, position, r->count), HS_PART(r, row, r->count)));
    for (uint32_t k = 0; k < r->classes; k++) {
        uint32_t size = r->training->counts->class_size[k], most = r->options->k;
        next[k] = r->class_start[k];
        r->class_start[k + 1] = r->class_start[k] + size;
        r->slot_start[k + 1] = r->slot_start[k] + (size < most ? size : most);
    }
    for (uint32_t i = 0; i < r->count; i++) {
        r->position[i] = next[r->training->view.data->class_of[rows[i]]]++;
        r->row[r->position[i]] = rows[i];
    }
    size_t slots = r->slot_start[r->classes], batch = binary ? 1 : BATCH;
    if (!binary && BATCH * slots < PAIRS_ANYWAY)
        batch = PAIRS_ANYWAY / (slots ? slots : 1);
    r->batch = r->count < batch ? r->count : (uint32_t)batch;
    uint32_t ranks = !r->options->weight ? 0 : r->options->k < r->count ? r->options->k : r->count;
    HS_NEED(HS_LISTS(r->memory, r, HS_PART(r, stored, (size_t)r->count * r->classes),
                     HS_PART(r, farthest, (size_t)r->count * r->classes),
                     HS_PART(r, neighbour, r->count * slots),
                     HS_PART(r, distance, r->count * slots), HS_PART(r, pairs, r->batch * slots),
                     HS_PART(r, rank_weight, ranks), HS_PART(r, sorted, ranks)));
    for (uint32_t rank = 0; rank < ranks; rank++) {
        double x = (double)rank / r->options->sigma;
        r->rank_weight[rank] = exp(-(x * x));
    }
    return HSEL_OK;
}

/* ---- neighbours and pairs ---- */

/* Offers an instance a neighbour of class k that is nearer than the farthest it has, or any while
 * slots are free; positions must come in ascending order. Returns the distance from which on an
 * offer would be refused: NaN while slots are free. */
static double offer_neighbour(const struct relief *r, size_t own, uint32_t k, uint32_t position,
                              double distance)
{
    size_t start = own * r->slot_start[r->classes] + r->slot_start[k];
    uint32_t slots = r->slot_start[k + 1] - r->slot_start[k], first = 0;
    uint32_t *stored = &r->stored[own * r->classes + k];
    uint32_t *farthest = &r->farthest[own * r->classes + k];
    uint32_t slot = *stored < slots ? (*stored)++ : *farthest;
    r->neighbour[start + slot] = position;
    r->distance[start + slot] = distance;
    if (*stored < slots)
        return NAN;
    const double *of = r->distance + start;
    for (slot = 1; slot < slots; slot++) /* the first that holds the greatest distance */
        if (of[slot] > of[first])
            first = slot;
    *farthest = first;
    return of[first];
}

/* The pairs of an instance in WEKA's order, its own class first, into `pairs`; returns how many. */
static uint32_t list_pairs(const struct relief *r, uint32_t own, struct pair *pairs)
{
    const uint32_t *size = r->training->counts->class_size;
    const bool weight = r->options->weight;
    double all = r->count;
    uint32_t label = 0, written = 0;
    while (own >= r->class_start[label + 1])
        label++;
    for (uint32_t i = 0; i < r->classes; i++) {
        uint32_t k = i == 0 ? label : i <= label ? i - 1 : i;
        uint32_t stored = r->stored[(size_t)own * r->classes + k];
        size_t slots = (size_t)own * r->slot_start[r->classes] + r->slot_start[k];
        double factor = 1, sum = 0;
        if (k == label)
            factor = -1;
        else if (r->classes > 2)
            factor = size[k] / all / (1.0 - size[label] / all);
        for (uint32_t j = 0; weight && j < stored; j++)
            sum += r->rank_weight[j];
        if (weight)
            hs_weka_sort(r->distance + slots, stored, r->sorted);
        for (uint32_t j = 0; j < stored; j++) /* each with its part of the factor */
            pairs[written++] =
                (struct pair){own, r->neighbour[slots + (weight ? r->sorted[j] : j)],
                              factor * (weight ? r->rank_weight[j] / sum : 1.0 / stored)};
    }
    return written;
}

/* ---- binary features ---- */

struct binary {
    struct relief *relief;
    hs_sparse row, column; /* position <-> places of features with their rarer value there */
    hs_tally *shared;      /* [threads]: rarer values that positions have in common with one */
    double *distance;      /* [threads * count] */
    double *differs;       /* [features]: 0; 1 for those in which the current pair differs */
};

static void binary_clear(struct binary *b)
{
    for (int i = 0; b->shared && i < b->relief->threads; i++)
        hs_tally_clear(&b->shared[i]);
    hs_sparse_clear(&b->row);
    hs_sparse_clear(&b->column);
}

static uint32_t size_of(const struct binary *b, uint32_t position)
{
    return (uint32_t)(b->row.start[position + 1] - b->row.start[position]);
}

static int find_binary_neighbours(void *context, size_t index, int worker, hsel_error *error)
{
    const struct binary *b = context;
    const struct relief *r = b->relief;
    const uint32_t own = (uint32_t)index;
    double *distance = b->distance + (size_t)worker * r->count;
    hs_tally *tally = &b->shared[worker];
    if (index % BATCH == 0)
        HS_TRY(hs_progress_report(r->training->progress, index, r->count, "instances", error));
    hs_tally_start(tally);
    for (uint64_t i = b->row.start[own]; i < b->row.start[own + 1]; i++) {
        size_t length;
        const uint32_t *list = hs_sparse_list(&b->column, b->row.index[i], &length);
        hs_tally_add(tally, b->row.index[i], list, length);
    }
    const int32_t *shared = hs_tally_finish(tally);
    for (uint32_t p = 0; p < r->count; p++)
        distance[p] = size_of(b, own) + size_of(b, p) - 2 * (uint32_t)shared[p];
    for (uint32_t k = 0; k < r->classes; k++) {
        double limit = NAN;
        for (uint32_t p = r->class_start[k]; p < r->class_start[k + 1]; p++)
            if (p != own && !(distance[p] >= limit))
                limit = offer_neighbour(r, own, k, p, distance[p]);
    }
    return HSEL_OK;
}

static void flip_differences(const struct binary *b, uint32_t position)
{
    for (uint64_t i = b->row.start[position]; i < b->row.start[position + 1]; i++)
        b->differs[b->row.index[i]] = 1 - b->differs[b->row.index[i]];
}

static void add_differences(const struct binary *b, uint32_t position, double share)
{
    double *weight = b->relief->weight;
    for (uint64_t i = b->row.start[position]; i < b->row.start[position + 1]; i++)
        weight[b->row.index[i]] += share * b->differs[b->row.index[i]];
}

/* Adds up all weights, which come as 0. */
static int weigh_binary(struct relief *r, hsel_error *error)
{
    HS_OWNS(binary_clear) struct binary b = {.relief = r};
    hs_sparse *column = &b.column;
    const size_t threads = (size_t)r->threads;
    uint64_t written = 0;
    HS_OWNED uint32_t *spare = HS_NEW(uint32_t, r->count);
    HS_NEED(spare);
    HS_TRY(hs_position_columns(r->training->view.data, r->features, r->feature_count, r->row,
                               r->count, column, error));
    /* Columns of positives become, in place, columns of the rarer value; then rows of them. */
    for (uint32_t f = 0; f < r->feature_count; f++) {
        const uint32_t *list = column->index + column->start[f];
        uint32_t length = (uint32_t)(column->start[f + 1] - column->start[f]);
        column->start[f] = written;
        if (length > r->count / 2) { /* the positions that are not in the list */
            uint32_t others = 0, next = 0;
            for (uint32_t p = 0; p < r->count; p++)
                if (next < length && list[next] == p)
                    next++;
                else
                    spare[others++] = p;
            length = others;
            list = spare;
        }
        memmove(column->index + written, list, length * sizeof *list);
        written += length;
    }
    column->start[r->feature_count] = written;
    HS_TRY(hs_sparse_transpose(column, r->count, &b.row, error));
    HS_NEED(HS_LISTS(r->memory, &b, HS_PART(&b, differs, r->feature_count),
                     HS_PART(&b, distance, threads * r->count), HS_PART(&b, shared, threads)));
    for (size_t i = 0; i < threads; i++) {
        HS_TRY(hs_tally_init(&b.shared[i], r->feature_count, r->count, error));
        for (uint32_t f = 0; f < r->feature_count; f++)
            hs_tally_expect(&b.shared[i], f, column->start[f + 1] - column->start[f]);
        HS_TRY(hs_tally_ready(&b.shared[i], error));
    }
    HS_TRY(hs_parallel_for(r->count, r->threads, find_binary_neighbours, &b, error));
    for (uint32_t i = 0; i < r->count; i++) {
        const uint32_t own = r->position[i], count = list_pairs(r, own, r->pairs);
        flip_differences(&b, own);
        for (const struct pair *pair = r->pairs; pair < r->pairs + count; pair++) {
            /* no branches: a feature that both have gets 0 twice */
            flip_differences(&b, pair->other);
            add_differences(&b, pair->own, pair->share);
            add_differences(&b, pair->other, pair->share);
            flip_differences(&b, pair->other);
        }
        flip_differences(&b, own);
    }
    return HSEL_OK;
}

/* ---- features of any type ---- */

enum {
    ROWS = 256,      /* instances of a tile, */
    COLUMNS = 512,   /* and others: at least ROWS */
    OFFER_ROWS = 32, /* rows per task */
};

struct column {
    enum { PLAIN, WITH_MISSING, CODES } how; /* PLAIN: |a - b| */
    double least, range;                     /* of numbers; range 0: constant */
    double missing;                          /* of CODES: diff when a value is missing */
};

struct worker {
    double *spread;  /* [instances]: a sparse column */
    double *ordered; /* [count]: a column by position */
    double *lanes;   /* [count * LANES]: columns side by side */
};

struct mixed {
    struct relief *relief;
    struct column *column; /* [features] */
    struct worker *workers;
    struct tile *tiles; /* [tile_capacity]: side by side */
    uint32_t tile_capacity, tile_count;
    uint32_t from, rows; /* positions of the current rows */
    double *limit;       /* [classes * count]: distances from here on would be refused */
    uint32_t pair_count; /* of the current batch */
};

/* A column as numbers; NULL: nominal. */
static const double *open_column(const struct mixed *m, size_t place, const struct worker *w)
{
    const hsel_dataset *data = m->relief->training->view.data;
    uint32_t feature = m->relief->features[place];
    return data->types[feature] == HSEL_NOMINAL ? NULL
                                                : hs_dataset_numeric(data, feature, w->spread);
}

static const hs_nominal_column *nominal_column(const struct mixed *m, size_t place)
{
    const hsel_dataset *data = m->relief->training->view.data;
    return &data->nominal[data->slot[m->relief->features[place]]];
}

static int find_column(void *context, size_t place, int worker, hsel_error *error)
{
    const struct mixed *m = context;
    const struct relief *r = m->relief;
    const double *value = open_column(m, place, &m->workers[worker]);
    struct column *column = &m->column[place];
    double least = INFINITY, greatest = -INFINITY;
    (void)error;
    *column = (struct column){.how = PLAIN, .range = 1};
    if (!value)
        *column = (struct column){.how = CODES,
                                  .missing = 1.0 - 1.0 / nominal_column(m, place)->values.count};
    if (r->training->view.data->types[r->features[place]] != HSEL_NUMERIC)
        return HSEL_OK;
    for (uint32_t p = 0; p < r->count; p++) {
        double x = value[r->row[p]];
        least = x < least ? x : least;
        greatest = x > greatest ? x : greatest;
        if (isnan(x))
            column->how = WITH_MISSING;
    }
    column->least = least;
    column->range = greatest > least ? greatest - least : 0;
    return HSEL_OK;
}

/* The values of some instances, numbers from 0 to 1; NaN = missing. value: of open_column. */
static void read_values(const struct mixed *m, size_t place, const double *value,
                        const uint32_t *row, size_t count, double *out)
{
    const struct column *column = &m->column[place];
    if (!value) {
        const uint32_t *codes = nominal_column(m, place)->codes;
        for (size_t i = 0; i < count; i++)
            out[i] = codes[row[i]] == HS_MISSING_CODE ? (double)NAN : codes[row[i]];
        return;
    }
    for (size_t i = 0; i < count; i++)
        out[i] = column->range > 0      ? (value[row[i]] - column->least) / column->range
                 : isnan(value[row[i]]) ? value[row[i]]
                                        : 0;
}

static double difference(const struct column *column, double a, double b)
{
    if (column->how == CODES)
        return isnan(a) || isnan(b) ? column->missing : a != b;
    if (!isnan(a) && !isnan(b))
        return fabs(a - b);
    if (isnan(a) && isnan(b))
        return 1;
    double known = isnan(a) ? b : a;
    return known < 0.5 ? 1 - known : known;
}

static bool are_plain(const struct column *column, uint32_t columns)
{
    bool plain = true;
    for (uint32_t i = 0; i < columns; i++)
        plain &= column[i].how == PLAIN;
    return plain;
}

/* ---- distances ---- */

static int compute_tile(void *context, size_t index, int worker, hsel_error *error)
{
    const struct mixed *m = context;
    const struct relief *r = m->relief;
    struct tile *tile = &m->tiles[index];
    struct worker *w = &m->workers[worker];
    uint32_t k = 0;
    (void)error;
    memset(tile->distance, 0, tile->rows * tile->stride * sizeof(double));
    for (uint32_t first = 0; first < r->feature_count; first += LANES) {
        const uint32_t left = r->feature_count - first, columns = left < LANES ? left : LANES;
        for (size_t lane = 0; lane < LANES; lane++) { /* missing ones are 0 */
            double *values = tile->values + lane * tile->stride, *own = values;
            if (lane < columns) {
                const double *value = open_column(m, first + lane, w);
                read_values(m, first + lane, value, r->row + tile->first, tile->columns, values);
                if (!tile->triangle) /* else the rows are the first columns */
                    read_values(m, first + lane, value, r->row + m->from, tile->rows,
                                own = w->ordered);
            } else {
                memset(values, 0, tile->stride * sizeof *values);
            }
            for (uint32_t i = 0; i < tile->rows; i++)
                tile->own[i * LANES + lane] = lane < columns ? own[i] : 0;
        }
        if (are_plain(m->column + first, columns)) {
            HS_IS_WIDE ? add_lanes_wide(tile) : add_lanes(tile);
            continue;
        }
        for (size_t lane = 0; lane < columns; lane++)
            for (uint32_t i = 0; i < tile->rows; i++) {
                const double *value = tile->values + lane * tile->stride;
                double own = tile->own[i * LANES + lane],
                       *distance = tile->distance + i * tile->stride;
                for (uint32_t j = tile->triangle ? i : 0; j < tile->columns; j++)
                    distance[j] += difference(&m->column[first + lane], own, value[j]);
            }
    }
    for (uint32_t i = 0; tile->triangle && i < tile->rows; i++) /* mirror the upper half */
        for (uint32_t j = 0; j < i; j++)
            tile->distance[i * tile->stride + j] = tile->distance[j * tile->stride + i];
    /* offer the rows, which are before them, to the columns that are not rows themselves */
    for (uint32_t i = 0; i < tile->rows; i++) {
        const double *distance = tile->distance + i * tile->stride;
        while (m->from + i >= r->class_start[k + 1])
            k++;
        double *limit = m->limit + (size_t)k * r->count + tile->first;
        for (uint32_t j = tile->triangle ? tile->rows : 0; j < tile->columns; j++)
            if (!(distance[j] >= limit[j]))
                limit[j] = offer_neighbour(r, tile->first + j, k, m->from + i, distance[j]);
    }
    return HSEL_OK;
}

/* Offers the columns of all tiles to a block of rows. */
static int offer_to_rows(void *context, size_t block, int worker, hsel_error *error)
{
    const struct mixed *m = context;
    const struct relief *r = m->relief;
    uint32_t from = (uint32_t)block * OFFER_ROWS;
    (void)worker;
    (void)error;
    for (uint32_t i = from; i < m->rows && i < from + OFFER_ROWS; i++)
        for (const struct tile *tile = m->tiles; tile < m->tiles + m->tile_count; tile++) {
            size_t place = m->from + i;
            const double *distance = tile->distance + i * tile->stride;
            uint32_t end = tile->first + tile->columns, p = tile->first, k = 0;
            for (; p < end; k++) {
                uint32_t stop = r->class_start[k + 1] < end ? r->class_start[k + 1] : end;
                double limit = m->limit[k * (size_t)r->count + place];
                for (; p < stop; p++) {
                    double apart = distance[p - tile->first];
                    if (!(apart >= limit) && p != place)
                        limit = offer_neighbour(r, place, k, p, apart);
                }
                m->limit[k * (size_t)r->count + place] = limit;
            }
        }
    return HSEL_OK;
}

/* The neighbours of all instances. */
static int find_neighbours(struct mixed *m, hsel_error *error)
{
    const struct relief *r = m->relief;
    for (size_t i = 0; i < (size_t)r->classes * r->count; i++)
        m->limit[i] = NAN;
    for (m->from = 0; m->from < r->count; m->from += ROWS) {
        m->rows = r->count - m->from < ROWS ? r->count - m->from : ROWS;
        HS_TRY(hs_progress_report(r->training->progress, m->from, r->count, "instances", error));
        for (uint32_t first = m->from; first < r->count;) { /* those before were offered to both */
            for (m->tile_count = 0; m->tile_count < m->tile_capacity && first < r->count;) {
                struct tile *tile = &m->tiles[m->tile_count++];
                tile->first = first;
                tile->rows = m->rows;
                tile->columns = r->count - first < COLUMNS ? r->count - first : COLUMNS;
                tile->triangle = first == m->from;
                first += tile->columns;
            }
            HS_TRY(hs_parallel_for(m->tile_count, r->threads, compute_tile, m, error));
            HS_TRY(hs_parallel_for((m->rows + OFFER_ROWS - 1) / OFFER_ROWS, r->threads,
                                   offer_to_rows, m, error));
        }
    }
    return HSEL_OK;
}

/* ---- weights ---- */

static int weigh_features(void *context, size_t block, int worker, hsel_error *error)
{
    const struct mixed *m = context;
    const struct relief *r = m->relief;
    struct worker *w = &m->workers[worker];
    const uint32_t first = (uint32_t)block * LANES, left = r->feature_count - first,
                   columns = left < LANES ? left : LANES;
    double sum[LANES] = {0};
    (void)error;
    for (size_t lane = 0; lane < columns; lane++) {
        read_values(m, first + lane, open_column(m, first + lane, w), r->row, r->count, w->ordered);
        for (uint32_t p = 0; p < r->count; p++)
            w->lanes[(size_t)p * LANES + lane] = w->ordered[p];
    }
    memcpy(sum, r->weight + first, columns * sizeof *sum);
    if (are_plain(m->column + first, columns))
        HS_IS_WIDE ? weigh_lanes_wide(r->pairs, m->pair_count, w->lanes, sum)
                   : weigh_lanes(r->pairs, m->pair_count, w->lanes, sum);
    else
        for (size_t lane = 0; lane < columns; lane++)
            for (const struct pair *p = r->pairs; p < r->pairs + m->pair_count; p++)
                sum[lane] += p->share * difference(&m->column[first + lane],
                                                   w->lanes[(size_t)p->own * LANES + lane],
                                                   w->lanes[(size_t)p->other * LANES + lane]);
    memcpy(r->weight + first, sum, columns * sizeof *sum);
    return HSEL_OK;
}

/* Adds up all weights, which come as 0. */
static int weigh_mixed(struct relief *r, hsel_error *error)
{
    struct mixed m = {.relief = r};
    hs_arena *memory = r->memory;
    uint32_t count = r->count, most = (count + COLUMNS - 1) / COLUMNS;
    size_t rows = count < ROWS ? count : ROWS, columns = count < COLUMNS ? count : COLUMNS;
    /* One vector more: rows of a power of two would all fall on the same lines of the cache. */
    size_t stride = (columns + VECTOR - 1) / VECTOR * VECTOR + VECTOR;
    m.tile_capacity = (uint32_t)r->threads < most ? (uint32_t)r->threads : most;
    HS_NEED(HS_LISTS(memory, &m, HS_PART(&m, column, r->feature_count),
                     HS_PART(&m, workers, (size_t)r->threads), HS_PART(&m, tiles, m.tile_capacity),
                     HS_PART(&m, limit, (size_t)r->classes * count)));
    for (struct worker *w = m.workers; w < m.workers + r->threads; w++)
        HS_NEED(HS_LISTS(memory, w, HS_PART(w, spread, r->training->view.data->instances),
                         HS_PART(w, ordered, count), HS_PART(w, lanes, LANES * (size_t)count)));
    for (struct tile *tile = m.tiles; tile < m.tiles + m.tile_capacity; tile++) {
        tile->stride = stride;
        HS_NEED(HS_LISTS(memory, tile, HS_PART(tile, distance, rows * stride),
                         HS_PART(tile, values, LANES * stride), HS_PART(tile, own, rows * LANES)));
    }
    HS_TRY(hs_parallel_for(r->feature_count, r->threads, find_column, &m, error));
    HS_TRY(find_neighbours(&m, error));
    for (uint32_t from = 0; from < r->count; from += r->batch) {
        uint32_t batch = r->count - from < r->batch ? r->count - from : r->batch;
        m.pair_count = 0;
        for (uint32_t i = 0; i < batch; i++)
            m.pair_count += list_pairs(r, r->position[from + i], r->pairs + m.pair_count);
        HS_TRY(hs_parallel_for(((size_t)r->feature_count + LANES - 1) / LANES, r->threads,
                               weigh_features, &m, error));
    }
    return HSEL_OK;
}

int hs_relief_weights(const hs_training *training, const hs_relief_options *options,
                      const uint32_t *features, uint32_t count, double *weight, hsel_error *error)
{
    HS_OWNS(hs_arena_clear) hs_arena memory = {0};
    struct relief r = {.training = training,
                       .options = options,
                       .features = features,
                       .feature_count = count,
                       .weight = weight,
                       .classes = training->counts->classes,
                       .threads = hs_threads(training->threads),
                       .memory = &memory};
    bool binary = true;
    for (uint32_t i = 0; i < count; i++) {
        weight[i] = 0;
        binary &= training->view.data->types[features[i]] == HSEL_BINARY;
    }
    HS_TRY(arrange(&r, binary, error));
    HS_TRY(binary ? weigh_binary(&r, error) : weigh_mixed(&r, error));
    for (uint32_t i = 0; i < count && r.count; i++)
        weight[i] *= 1.0 / r.count;
    return HSEL_OK;
}

/* ---- the rankers ---- */

extern const hs_method hs_method_rank_relieff_w;

static int relief_rank(const hs_training *training, const hs_chosen *rankers, size_t count,
                       double *const *scores, hsel_error *error)
{
    uint32_t all = training->view.data->features, used = 0;
    HS_OWNED uint32_t *feature = HS_NEW(uint32_t, all);
    HS_OWNED double *weight = HS_NEW(double, all);
    HS_NEED(feature && weight);
    for (uint32_t f = 0; f < all; f++)
        if (hs_view_has(&training->view, f))
            feature[used++] = f;
    for (size_t i = 0; i < count; i++) {
        hs_relief_options options = *(const hs_relief_options *)rankers[i].options;
        options.weight = rankers[i].method == &hs_method_rank_relieff_w;
        HS_TRY(hs_relief_weights(training, &options, feature, used, weight, error));
        for (uint32_t f = 0; f < used; f++)
            scores[i][feature[f]] = weight[f];
    }
    return HSEL_OK;
}

#define NEIGHBOURS                                                                                 \
    HS_OPTION(hs_relief_options, k, "k", "N", "10", 1, 1000000, "neighbours of each class")

static const hs_option plain_table[] = {NEIGHBOURS, HS_OPTION_END};
static const hs_option weighted_table[] = {
    NEIGHBOURS,
    HS_OPTION(hs_relief_options, sigma, "sigma", "N", "2", 1, 1000000,
              "how slowly the weight of neighbours falls with their rank"),
    HS_OPTION_END};

static const hs_ranker ranker = {.rank = relief_rank};

HS_RANKER_METHOD(
    relieff, "relieff", 0, plain_table, sizeof(hs_relief_options), &ranker,
    .title = "ReliefF weight",
    .help = "How much more a feature differs between an instance and its nearest neighbours of "
            "other classes than of its own, over all instances: the weights of WEKA's "
            "ReliefFAttributeEval. Numeric features are scaled to 0 … 1.",
    .citation = "Kononenko (1994), ECML, LNCS 784:171-182; WEKA 3.6, ReliefFAttributeEval");

HS_RANKER_METHOD(
    relieff_w, "relieff-w", 0, weighted_table, sizeof(hs_relief_options), &ranker,
    .title = "ReliefF weight, give nearer neighbours more weight",
    .help = "Like relieff, but the neighbour of rank r (from 0) counts exp(-(r/sigma)^2), divided "
            "by the sum over all neighbours: WEKA's ReliefFAttributeEval with weightByDistance.",
    .citation =
        "Robnik-Sikonja, Kononenko (1997), ICML:296-304; WEKA 3.6, ReliefFAttributeEval -W");

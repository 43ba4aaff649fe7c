/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ReliefF of features of any type. The data are not copied: a few columns at a time are brought to
 * the range from 0 to 1 and by position, and serve all instances of a block.
 *
 *     numeric    |a - b|; b missing: a or 1 - a, whichever is greater; both missing: 1
 *     nominal    0 or 1; missing: 1 - 1 / number of values
 *     binary     0 or 1
 *
 * as WEKA 3.6 has it. (It takes a range below 1e-6 for a constant; here only a range of 0 is one.)
 * Distances add up features in their order, so that they are WEKA's in every bit; that order holds
 * for each pair of instances, and vectors run over the other instances. Weights add up pairs in
 * their order for each feature, and vectors run over features.
 *
 * Time O(n^2 d + n K k d), memory a thread O((ROWS + LANES) n). If all instances fit into one
 * batch, the distance of each pair is computed once.
 */
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "core/parallel.h"
#include "rank/relief.h"

enum {
    ROWS = 32,   /* instances a block */
    LANES = 8,   /* columns at a time */
    VECTOR = 16, /* values at a time: four times four; columns are filled up to a multiple */
};

typedef enum how { PLAIN, WITH_MISSING, CODES } how; /* PLAIN: |a - b| */

struct column {
    how how;
    double missing; /* of CODES: diff when a value is missing */
    double *value;  /* [stride] by position; NaN = missing */
};

struct scale {
    double least, range; /* range 0: constant */
    bool missing;
};

struct worker {
    struct column column[LANES];
    double *values;   /* [LANES * stride] */
    double *spread;   /* [instances]: a sparse column */
    double *distance; /* [ROWS * stride] */
    double *lanes;    /* [count * LANES]: columns side by side */
};

struct mixed {
    hs_relief *relief;
    size_t stride;
    uint32_t batch;      /* instances in the batch at hand */
    uint32_t pair_count; /* their pairs */
    struct scale *scale; /* [features] */
    struct worker *workers;
    double *all; /* [count * stride]: all distances by position, if one batch has all instances */
    bool wide;   /* the processor has AVX2 */
};

static void mixed_clear(struct mixed *m)
{
    for (int i = 0; m->workers && i < m->relief->threads; i++) {
        hs_free(m->workers[i].values);
        hs_free(m->workers[i].spread);
        hs_free(m->workers[i].distance);
        hs_free(m->workers[i].lanes);
    }
    hs_free(m->workers);
    hs_free(m->scale);
    hs_free(m->all);
}

static int mixed_init(struct mixed *m, hsel_error *error)
{
    const hs_relief *r = m->relief;
    m->stride = ((size_t)r->count + VECTOR - 1) / VECTOR * VECTOR;
    m->scale = HS_NEW_ZERO(struct scale, r->feature_count);
    m->workers = HS_NEW_ZERO(struct worker, (size_t)r->threads);
    if (!m->scale || !m->workers)
        return hs_fail_memory(error);
    if (r->count <= HS_RELIEF_BATCH && !(m->all = HS_NEW(double, r->count * m->stride)))
        return hs_fail_memory(error);
    for (int i = 0; i < r->threads; i++) {
        struct worker *w = &m->workers[i];
        w->values = HS_NEW_ZERO(double, LANES * m->stride);
        w->spread = HS_NEW(double, r->training->view.data->instances);
        w->distance = HS_NEW(double, ROWS * m->stride);
        w->lanes = HS_NEW(double, LANES *(size_t)r->count);
        if (!w->values || !w->spread || !w->distance || !w->lanes)
            return hs_fail_memory(error);
        for (int lane = 0; lane < LANES; lane++)
            w->column[lane].value = w->values + (size_t)lane * m->stride;
    }
    return HSEL_OK;
}

/* ---- columns ---- */

static const double *values_of(const struct mixed *m, uint32_t place, struct worker *w)
{
    return hs_dataset_numeric(m->relief->training->view.data, m->relief->features[place],
                              w->spread);
}

static int find_scale(void *context, size_t place, int worker, hsel_error *error)
{
    const struct mixed *m = context;
    const hs_relief *r = m->relief;
    struct scale *scale = &m->scale[place];
    (void)error;
    if (r->training->view.data->types[r->features[place]] != HSEL_NUMERIC)
        return HSEL_OK;
    const double *value = values_of(m, (uint32_t)place, &m->workers[worker]);
    double least = INFINITY, greatest = -INFINITY;
    for (uint32_t p = 0; p < r->count; p++) {
        double x = value[r->row[p]];
        least = x < least ? x : least;
        greatest = x > greatest ? x : greatest;
        scale->missing |= isnan(x);
    }
    *scale = (struct scale){least, greatest > least ? greatest - least : 0, scale->missing};
    return HSEL_OK;
}

static void read_nominal(const hs_relief *r, uint32_t feature, struct column *column)
{
    const hsel_dataset *data = r->training->view.data;
    const hs_nominal_column *nominal = &data->nominal[data->slot[feature]];
    column->how = CODES;
    column->missing = 1.0 - 1.0 / nominal->values.count;
    for (uint32_t p = 0; p < r->count; p++) {
        uint32_t code = nominal->codes[r->row[p]];
        column->value[p] = code == HS_MISSING_CODE ? (double)NAN : code;
    }
}

/* A column by position, numbers from 0 to 1. */
static void read_column(const struct mixed *m, uint32_t place, struct worker *w,
                        struct column *column)
{
    const hs_relief *r = m->relief;
    const struct scale *scale = &m->scale[place];
    uint8_t type = r->training->view.data->types[r->features[place]];
    if (type == HSEL_NOMINAL) {
        read_nominal(r, r->features[place], column);
        return;
    }
    const double *value = values_of(m, place, w);
    double least = type == HSEL_NUMERIC ? scale->least : 0;
    double range = type == HSEL_NUMERIC ? scale->range : 1;
    column->how = scale->missing ? WITH_MISSING : PLAIN;
    for (uint32_t p = 0; p < r->count; p++) {
        double x = value[r->row[p]];
        column->value[p] = isnan(x) ? x : range > 0 ? (x - least) / range : 0;
    }
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

/* ---- distances ---- */

/* The two inner loops are compiled twice: for any processor, and with AVX2 where there is one. They
 * add the same numbers in the same order, so the sums are the same. */
#if defined(__x86_64__) && defined(__GNUC__)
#define WIDE __attribute__((target("avx2")))
static bool is_wide(void) { return __builtin_cpu_supports("avx2"); }
#else
#define WIDE
static bool is_wide(void) { return false; }
#endif
#define INLINE static inline __attribute__((always_inline))
typedef double four __attribute__((vector_size(32)));
typedef int64_t four_signs __attribute__((vector_size(32)));
#define SIGNS                                                                                      \
    (four_signs) { INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN }

/* sum += |a - b| for four values of b. */
INLINE void add_apart(four *sum, double a, const double *b)
{
    four value;
    memcpy(&value, b, sizeof value);
    value = a - value;
    *sum += (four)((four_signs)value & ~SIGNS);
}

/* Adds LANES columns to the distances of one instance, from position `from` on, VECTOR of them at a
 * time: their sums stay in registers for all columns. */
INLINE void add_lanes(double *restrict distance, const double *restrict values, size_t stride,
                      uint32_t own, size_t from)
{
    for (size_t at = from; at < stride; at += VECTOR) {
        four a, b, c, d;
        double *to = distance + at;
        memcpy(&a, to, sizeof a);
        memcpy(&b, to + 4, sizeof b);
        memcpy(&c, to + 8, sizeof c);
        memcpy(&d, to + 12, sizeof d);
        for (int lane = 0; lane < LANES; lane++) {
            const double *column = values + (size_t)lane * stride;
            add_apart(&a, column[own], column + at);
            add_apart(&b, column[own], column + at + 4);
            add_apart(&c, column[own], column + at + 8);
            add_apart(&d, column[own], column + at + 12);
        }
        memcpy(to, &a, sizeof a);
        memcpy(to + 4, &b, sizeof b);
        memcpy(to + 8, &c, sizeof c);
        memcpy(to + 12, &d, sizeof d);
    }
}

WIDE static void add_lanes_wide(double *distance, const double *values, size_t stride, uint32_t own,
                                size_t from)
{
    add_lanes(distance, values, stride, own, from);
}

static void add_lanes_plain(double *distance, const double *values, size_t stride, uint32_t own,
                            size_t from)
{
    add_lanes(distance, values, stride, own, from);
}

static void add_column(const hs_relief *r, double *distance, const struct column *column,
                       uint32_t own, uint32_t from)
{
    for (uint32_t p = from; p < r->count; p++)
        distance[p] += difference(column, column->value[own], column->value[p]);
}

/* Adds the columns at hand, in their order, to the distances of a block of instances: those of the
 * batch from `from` on, or, when all distances are kept, those at the positions from `from` on to
 * all that are not before them (the rest is the mirror image). */
static void add_columns(const struct mixed *m, const struct worker *w, int columns, uint32_t from,
                        uint32_t rows, double *tile)
{
    const hs_relief *r = m->relief;
    bool plain = columns == LANES;
    for (int i = 0; i < columns; i++)
        plain &= w->column[i].how == PLAIN;
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t own = m->all ? from + i : r->position[r->batch_start + from + i];
        uint32_t first = m->all ? from : 0; /* a multiple of VECTOR */
        double *distance = tile + i * m->stride;
        if (plain && m->wide)
            add_lanes_wide(distance, w->values, m->stride, own, first);
        else if (plain)
            add_lanes_plain(distance, w->values, m->stride, own, first);
        for (int lane = 0; lane < columns && !plain; lane++)
            add_column(r, distance, &w->column[lane], own, first);
    }
}

static int find_neighbours(void *context, size_t block, int worker, hsel_error *error)
{
    const struct mixed *m = context;
    const hs_relief *r = m->relief;
    struct worker *w = &m->workers[worker];
    uint32_t from = (uint32_t)block * ROWS;
    uint32_t rows = m->batch - from < ROWS ? m->batch - from : ROWS;
    double *tile = m->all ? m->all + from * m->stride : w->distance;
    (void)error;
    memset(tile, 0, rows * m->stride * sizeof *tile);
    for (uint32_t first = 0; first < r->feature_count; first += LANES) {
        uint32_t left = r->feature_count - first;
        int columns = left < LANES ? (int)left : LANES;
        for (int lane = 0; lane < columns; lane++)
            read_column(m, first + (uint32_t)lane, w, &w->column[lane]);
        add_columns(m, w, columns, from, rows, tile);
    }
    for (uint32_t i = 0; i < rows && !m->all; i++)
        hs_relief_neighbours(r, from + i, tile + i * m->stride);
    return HSEL_OK;
}

static void mirror_distances(const struct mixed *m)
{
    const hs_relief *r = m->relief;
    for (uint32_t p = 0; p < r->count; p++)
        for (uint32_t before = 0; before < p / ROWS * ROWS; before++)
            m->all[p * m->stride + before] = m->all[before * m->stride + p];
    for (uint32_t i = 0; i < r->count; i++)
        hs_relief_neighbours(r, i, m->all + r->position[i] * m->stride);
}

/* ---- weights ---- */

INLINE void weigh_lanes(const hs_relief_pair *pairs, uint32_t count, const double *restrict lanes,
                        double *sum)
{
    four low, high, a, b;
    memcpy(&low, sum, sizeof low);
    memcpy(&high, sum + 4, sizeof high);
    for (uint32_t i = 0; i < count; i++) {
        const double *own = lanes + (size_t)pairs[i].own * LANES;
        const double *other = lanes + (size_t)pairs[i].other * LANES;
        memcpy(&a, own, sizeof a);
        memcpy(&b, other, sizeof b);
        a -= b;
        low += pairs[i].share * (four)((four_signs)a & ~SIGNS);
        memcpy(&a, own + 4, sizeof a);
        memcpy(&b, other + 4, sizeof b);
        a -= b;
        high += pairs[i].share * (four)((four_signs)a & ~SIGNS);
    }
    memcpy(sum, &low, sizeof low);
    memcpy(sum + 4, &high, sizeof high);
}

WIDE static void weigh_lanes_wide(const hs_relief_pair *pairs, uint32_t count, const double *lanes,
                                  double *sum)
{
    weigh_lanes(pairs, count, lanes, sum);
}

static void weigh_lanes_plain(const hs_relief_pair *pairs, uint32_t count, const double *lanes,
                              double *sum)
{
    weigh_lanes(pairs, count, lanes, sum);
}

static void weigh_column(const struct mixed *m, const struct column *column, double *sum)
{
    const hs_relief_pair *pairs = m->relief->pairs;
    for (uint32_t i = 0; i < m->pair_count; i++)
        *sum += pairs[i].share *
                difference(column, column->value[pairs[i].own], column->value[pairs[i].other]);
}

static int weigh_features(void *context, size_t block, int worker, hsel_error *error)
{
    const struct mixed *m = context;
    const hs_relief *r = m->relief;
    struct worker *w = &m->workers[worker];
    uint32_t first = (uint32_t)block * LANES, left = r->feature_count - first;
    int columns = left < LANES ? (int)left : LANES;
    bool plain = columns == LANES;
    (void)error;
    for (int lane = 0; lane < columns; lane++) {
        struct column *column = &w->column[lane];
        read_column(m, first + (uint32_t)lane, w, column);
        plain &= column->how == PLAIN;
        for (uint32_t p = 0; p < r->count; p++)
            w->lanes[(size_t)p * LANES + (size_t)lane] = column->value[p];
    }
    if (plain && m->wide)
        weigh_lanes_wide(r->pairs, m->pair_count, w->lanes, r->weight + first);
    else if (plain)
        weigh_lanes_plain(r->pairs, m->pair_count, w->lanes, r->weight + first);
    for (int lane = 0; lane < columns && !plain; lane++)
        weigh_column(m, &w->column[lane], &r->weight[first + (uint32_t)lane]);
    return HSEL_OK;
}

static int weigh_batch(struct mixed *m, hsel_error *error)
{
    hs_relief *r = m->relief;
    size_t row_blocks = (m->batch + ROWS - 1) / ROWS;
    size_t feature_blocks = ((size_t)r->feature_count + LANES - 1) / LANES;
    int status = hs_parallel_for(row_blocks, r->threads, find_neighbours, m, error);
    if (status)
        return status;
    if (m->all)
        mirror_distances(m);
    m->pair_count = 0;
    for (uint32_t i = 0; i < m->batch; i++)
        m->pair_count += hs_relief_pairs(r, i, r->pairs + m->pair_count);
    return hs_parallel_for(feature_blocks, r->threads, weigh_features, m, error);
}

int hs_relief_mixed(hs_relief *r, hsel_error *error)
{
    struct mixed m = {.relief = r, .wide = is_wide()};
    int status = mixed_init(&m, error);
    if (status == HSEL_OK)
        status = hs_parallel_for(r->feature_count, r->threads, find_scale, &m, error);
    for (uint32_t from = 0; from < r->count && status == HSEL_OK; from += HS_RELIEF_BATCH) {
        r->batch_start = from;
        m.batch = r->count - from < HS_RELIEF_BATCH ? r->count - from : HS_RELIEF_BATCH;
        status = weigh_batch(&m, error);
    }
    mixed_clear(&m);
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ReliefF of features of any type. The data are not copied: a few columns at a time are brought to
 * the range from 0 to 1 and by position, and serve all instances of a tile.
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
 * If the neighbours of all instances can be kept (relief.c), the distance of each pair is computed
 * once and offered to both. Tiles come row after row of the upper triangle, so every instance is
 * still offered the others by ascending position, as if it went through them alone: first, as a
 * column of the tiles above, those before its own row of tiles, then the rest as a row.
 *
 * Time O(n^2 d + n K k d), memory a thread O(ROWS * COLUMNS + n).
 */
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "rank/relief_lanes.h"

enum {
    ROWS = 256,    /* instances of a tile, */
    COLUMNS = 512, /* and others: at least ROWS */
    LANES = HS_RELIEF_LANES,
    VECTOR = HS_RELIEF_VECTOR,
    OFFER_ROWS = 32, /* rows a task */
};

typedef enum how { PLAIN, WITH_MISSING, CODES } how; /* PLAIN: |a - b| */

struct column {
    how how;
    double missing; /* of CODES: diff when a value is missing */
};

struct scale {
    double least, range; /* range 0: constant */
    bool missing;
};

struct worker {
    struct column column[LANES];
    double *spread;  /* [instances]: a sparse column */
    double *ordered; /* [count]: a column by position */
    double *lanes;   /* [count * LANES]: columns side by side */
};

/* A tile and the position of its first column. */
struct tile {
    hs_relief_tile part;
    uint32_t first;
};

struct mixed {
    hs_relief *relief;
    struct scale *scale; /* [features] */
    struct worker *workers;
    bool once;          /* each distance is computed once, for both instances */
    struct tile *tiles; /* [tile_room]: side by side */
    uint32_t tile_room, tile_count;
    uint32_t from, rows; /* the rows at hand: positions if `once`, else instances of the batch */
    uint32_t *own;       /* [ROWS]: their positions */
    uint32_t *own_row;   /* [ROWS]: the instances */
    double *limit;       /* [classes * kept]: what is not nearer need not be offered */
    uint32_t pair_count; /* of the batch at hand */
};

/* ---- memory ---- */

static void mixed_clear(struct mixed *m)
{
    for (int i = 0; m->workers && i < m->relief->threads; i++) {
        hs_free(m->workers[i].spread);
        hs_free(m->workers[i].ordered);
        hs_free(m->workers[i].lanes);
    }
    for (uint32_t i = 0; m->tiles && i < m->tile_room; i++) {
        hs_free(m->tiles[i].part.distance);
        hs_free(m->tiles[i].part.values);
        hs_free(m->tiles[i].part.own);
    }
    hs_free(m->workers);
    hs_free(m->tiles);
    hs_free(m->scale);
    hs_free(m->own);
    hs_free(m->own_row);
    hs_free(m->limit);
}

static int init_tiles(struct mixed *m, hsel_error *error)
{
    uint32_t count = m->relief->count, most = (count + COLUMNS - 1) / COLUMNS;
    size_t rows = count < ROWS ? count : ROWS, columns = count < COLUMNS ? count : COLUMNS;
    /* One vector more: rows of a power of two would all fall on the same lines of the cache. */
    size_t stride = (columns + VECTOR - 1) / VECTOR * VECTOR + VECTOR;
    m->tile_room = (uint32_t)m->relief->threads < most ? (uint32_t)m->relief->threads : most;
    if (!(m->tiles = HS_NEW_ZERO(struct tile, m->tile_room)))
        return hs_fail_memory(error);
    for (uint32_t i = 0; i < m->tile_room; i++) {
        hs_relief_tile *part = &m->tiles[i].part;
        part->stride = stride;
        part->distance = HS_NEW(double, rows *stride);
        part->values = HS_NEW_ZERO(double, LANES *stride);
        part->own = HS_NEW(double, rows *LANES);
        if (!part->distance || !part->values || !part->own)
            return hs_fail_memory(error);
    }
    return HSEL_OK;
}

static int mixed_init(struct mixed *m, hsel_error *error)
{
    const hs_relief *r = m->relief;
    m->once = r->kept == r->count;
    m->scale = HS_NEW_ZERO(struct scale, r->feature_count);
    m->workers = HS_NEW_ZERO(struct worker, (size_t)r->threads);
    m->own = HS_NEW(uint32_t, ROWS);
    m->own_row = HS_NEW(uint32_t, ROWS);
    m->limit = HS_NEW(double, (size_t)r->classes * r->kept);
    if (!m->scale || !m->workers || !m->own || !m->own_row || !m->limit)
        return hs_fail_memory(error);
    for (int i = 0; i < r->threads; i++) {
        struct worker *w = &m->workers[i];
        w->spread = HS_NEW(double, r->training->view.data->instances);
        w->ordered = HS_NEW(double, r->count);
        w->lanes = HS_NEW_ZERO(double, LANES *(size_t)r->count);
        if (!w->spread || !w->ordered || !w->lanes)
            return hs_fail_memory(error);
    }
    return init_tiles(m, error);
}

/* ---- columns ---- */

static int find_scale(void *context, size_t place, int worker, hsel_error *error)
{
    const struct mixed *m = context;
    const hs_relief *r = m->relief;
    const hsel_dataset *data = r->training->view.data;
    struct scale *scale = &m->scale[place];
    (void)error;
    if (data->types[r->features[place]] != HSEL_NUMERIC)
        return HSEL_OK;
    const double *value = hs_dataset_numeric(data, r->features[place], m->workers[worker].spread);
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

/* A column ready to be read: numbers as they are, or NULL and the codes of a nominal feature. */
struct source {
    const double *value;
    const uint32_t *codes;
    double least, range;
};

static struct source open_column(const struct mixed *m, uint32_t place, struct worker *w,
                                 struct column *column)
{
    const hs_relief *r = m->relief;
    const hsel_dataset *data = r->training->view.data;
    const struct scale *scale = &m->scale[place];
    uint32_t feature = r->features[place];
    if (data->types[feature] == HSEL_NOMINAL) {
        const hs_nominal_column *nominal = &data->nominal[data->slot[feature]];
        *column = (struct column){CODES, 1.0 - 1.0 / nominal->values.count};
        return (struct source){.codes = nominal->codes};
    }
    bool numeric = data->types[feature] == HSEL_NUMERIC;
    *column = (struct column){.how = scale->missing ? WITH_MISSING : PLAIN};
    return (struct source){.value = hs_dataset_numeric(data, feature, w->spread),
                           .least = numeric ? scale->least : 0,
                           .range = numeric ? scale->range : 1};
}

/* The values of some instances, numbers from 0 to 1; NaN = missing. */
static void read_values(const struct source *source, const uint32_t *row, size_t count, double *out)
{
    if (source->codes) {
        for (size_t i = 0; i < count; i++)
            out[i] = source->codes[row[i]] == HS_MISSING_CODE ? (double)NAN : source->codes[row[i]];
        return;
    }
    for (size_t i = 0; i < count; i++)
        out[i] = source->value[row[i]];
    if (source->range > 0)
        hs_relief_scale(out, count, source->least, source->range);
    else
        for (size_t i = 0; i < count; i++)
            out[i] = isnan(out[i]) ? out[i] : 0;
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

static bool are_plain(const struct column *column, int columns)
{
    bool plain = true;
    for (int i = 0; i < columns; i++)
        plain &= column[i].how == PLAIN;
    return plain;
}

/* ---- distances ---- */

static void read_lane(const struct mixed *m, struct tile *tile, struct worker *w, uint32_t place,
                      int lane)
{
    hs_relief_tile *part = &tile->part;
    struct source source = open_column(m, place, w, &w->column[lane]);
    double *values = part->values + (size_t)lane * part->stride, *own = values;
    read_values(&source, m->relief->row + tile->first, part->columns, values);
    if (!part->triangle) /* else the rows are the first columns */
        read_values(&source, m->own_row, part->rows, own = w->ordered);
    for (uint32_t i = 0; i < part->rows; i++)
        part->own[i * LANES + (size_t)lane] = own[i];
}

static void clear_lane(hs_relief_tile *part, int lane)
{
    memset(part->values + (size_t)lane * part->stride, 0, part->stride * sizeof *part->values);
    for (uint32_t i = 0; i < part->rows; i++)
        part->own[i * LANES + (size_t)lane] = 0;
}

static void add_column(const hs_relief_tile *part, const struct column *column, int lane)
{
    const double *value = part->values + (size_t)lane * part->stride;
    for (uint32_t i = 0; i < part->rows; i++) {
        double own = part->own[i * LANES + (size_t)lane],
               *distance = part->distance + i * part->stride;
        for (uint32_t j = part->triangle ? i : 0; j < part->columns; j++)
            distance[j] += difference(column, own, value[j]);
    }
}

static void add_columns(const struct mixed *m, struct tile *tile, struct worker *w)
{
    hs_relief_tile *part = &tile->part;
    for (uint32_t first = 0; first < m->relief->feature_count; first += LANES) {
        uint32_t left = m->relief->feature_count - first;
        int columns = left < LANES ? (int)left : LANES;
        for (int lane = 0; lane < columns; lane++)
            read_lane(m, tile, w, first + (uint32_t)lane, lane);
        for (int lane = columns; lane < LANES; lane++)
            clear_lane(part, lane);
        if (are_plain(w->column, columns))
            hs_relief_add_lanes(part);
        else
            for (int lane = 0; lane < columns; lane++)
                add_column(part, &w->column[lane], lane);
    }
}

static void mirror(const hs_relief_tile *part)
{
    for (uint32_t i = 0; i < part->rows; i++)
        for (uint32_t j = 0; j < i; j++)
            part->distance[i * part->stride + j] = part->distance[j * part->stride + i];
}

/* Offers the rows, which are before them, to the columns that are not rows themselves. */
static void offer_to_columns(const struct mixed *m, const struct tile *tile)
{
    const hs_relief *r = m->relief;
    uint32_t k = 0, from = tile->part.triangle ? tile->part.rows : 0;
    for (uint32_t i = 0; i < tile->part.rows; i++) {
        const double *distance = tile->part.distance + i * tile->part.stride;
        while (m->own[i] >= r->class_start[k + 1])
            k++;
        double *limit = m->limit + (size_t)k * r->kept + tile->first;
        for (uint32_t j = from; j < tile->part.columns; j++)
            if (!(distance[j] >= limit[j]))
                limit[j] = hs_relief_offer(r, tile->first + j, k, m->own[i], distance[j]);
    }
}

static int compute_tile(void *context, size_t index, int worker, hsel_error *error)
{
    const struct mixed *m = context;
    struct tile *tile = &m->tiles[index];
    (void)error;
    memset(tile->part.distance, 0, tile->part.rows * tile->part.stride * sizeof(double));
    add_columns(m, tile, &m->workers[worker]);
    if (tile->part.triangle)
        mirror(&tile->part);
    if (m->once)
        offer_to_columns(m, tile);
    return HSEL_OK;
}

/* Offers the columns of a tile to one of its rows. */
static void offer_to_row(const struct mixed *m, const struct tile *tile, uint32_t i)
{
    const hs_relief *r = m->relief;
    size_t place = m->from + i;
    const double *distance = tile->part.distance + i * tile->part.stride;
    uint32_t end = tile->first + tile->part.columns, p = tile->first, k = 0;
    for (; p < end; k++) {
        uint32_t stop = r->class_start[k + 1] < end ? r->class_start[k + 1] : end;
        double limit = m->limit[k * (size_t)r->kept + place];
        for (; p < stop; p++) {
            double apart = distance[p - tile->first];
            if (!(apart >= limit) && p != m->own[i])
                limit = hs_relief_offer(r, place, k, p, apart);
        }
        m->limit[k * (size_t)r->kept + place] = limit;
    }
}

static int offer_to_rows(void *context, size_t block, int worker, hsel_error *error)
{
    const struct mixed *m = context;
    uint32_t from = (uint32_t)block * OFFER_ROWS;
    (void)worker;
    (void)error;
    for (uint32_t i = from; i < m->rows && i < from + OFFER_ROWS; i++)
        for (uint32_t tile = 0; tile < m->tile_count; tile++)
            offer_to_row(m, &m->tiles[tile], i);
    return HSEL_OK;
}

/* Tiles of the rows at hand from position `first` on, as many as there is room for; returns where
 * the next begins. */
static uint32_t lay_tiles(struct mixed *m, uint32_t first)
{
    uint32_t count = m->relief->count;
    for (m->tile_count = 0; m->tile_count < m->tile_room && first < count; m->tile_count++) {
        struct tile *tile = &m->tiles[m->tile_count];
        tile->first = first;
        tile->part.rows = m->rows;
        tile->part.columns = count - first < COLUMNS ? count - first : COLUMNS;
        tile->part.triangle = m->once && first == m->from;
        first += tile->part.columns;
    }
    return first;
}

/* The neighbours of some instances, or all that follows from their distances to those behind. */
static int find_neighbours(struct mixed *m, uint32_t from, uint32_t rows, hsel_error *error)
{
    const hs_relief *r = m->relief;
    int status = HSEL_OK;
    m->from = from;
    m->rows = rows;
    for (uint32_t i = 0; i < rows; i++) {
        m->own[i] = m->once ? from + i : r->position[r->batch_start + from + i];
        m->own_row[i] = r->row[m->own[i]];
    }
    for (uint32_t next = m->once ? from : 0; next < r->count && status == HSEL_OK;) {
        next = lay_tiles(m, next);
        status = hs_parallel_for(m->tile_count, r->threads, compute_tile, m, error);
        if (status == HSEL_OK)
            status = hs_parallel_for((rows + OFFER_ROWS - 1) / OFFER_ROWS, r->threads,
                                     offer_to_rows, m, error);
    }
    return status;
}

/* The neighbours of `count` instances, which are all or those of the batch at hand. */
static int find_all(struct mixed *m, uint32_t count, hsel_error *error)
{
    const hs_relief *r = m->relief;
    int status = HSEL_OK;
    for (size_t i = 0; i < (size_t)r->classes * r->kept; i++)
        m->limit[i] = NAN;
    memset(r->stored, 0, (size_t)r->kept * r->classes * sizeof *r->stored);
    for (uint32_t from = 0; from < count && status == HSEL_OK; from += ROWS) {
        status = hs_progress_report(r->training->progress, r->batch_start + from, r->count,
                                    "instances", error);
        if (status == HSEL_OK)
            status = find_neighbours(m, from, count - from < ROWS ? count - from : ROWS, error);
    }
    return status;
}

/* ---- weights ---- */

static void weigh_column(const struct mixed *m, const struct column *column, const double *value,
                         double *sum)
{
    const hs_relief_pair *pairs = m->relief->pairs;
    for (uint32_t i = 0; i < m->pair_count; i++)
        *sum += pairs[i].share * difference(column, value[(size_t)pairs[i].own * LANES],
                                            value[(size_t)pairs[i].other * LANES]);
}

static int weigh_features(void *context, size_t block, int worker, hsel_error *error)
{
    const struct mixed *m = context;
    const hs_relief *r = m->relief;
    struct worker *w = &m->workers[worker];
    uint32_t first = (uint32_t)block * LANES, left = r->feature_count - first;
    int columns = left < LANES ? (int)left : LANES;
    double sum[LANES] = {0};
    (void)error;
    for (int lane = 0; lane < columns; lane++) {
        struct source source = open_column(m, first + (uint32_t)lane, w, &w->column[lane]);
        read_values(&source, r->row, r->count, w->ordered);
        for (uint32_t p = 0; p < r->count; p++)
            w->lanes[(size_t)p * LANES + (size_t)lane] = w->ordered[p];
    }
    memcpy(sum, r->weight + first, (size_t)columns * sizeof *sum);
    if (are_plain(w->column, columns))
        hs_relief_weigh_lanes(r->pairs, m->pair_count, w->lanes, sum);
    else
        for (int lane = 0; lane < columns; lane++)
            weigh_column(m, &w->column[lane], w->lanes + lane, &sum[lane]);
    memcpy(r->weight + first, sum, (size_t)columns * sizeof *sum);
    return HSEL_OK;
}

static int weigh_batch(struct mixed *m, uint32_t batch, hsel_error *error)
{
    hs_relief *r = m->relief;
    m->pair_count = 0;
    for (uint32_t i = 0; i < batch; i++) {
        uint32_t own = r->position[r->batch_start + i];
        m->pair_count += hs_relief_pairs(r, own, m->once ? own : i, r->pairs + m->pair_count);
    }
    return hs_parallel_for(((size_t)r->feature_count + LANES - 1) / LANES, r->threads,
                           weigh_features, m, error);
}

int hs_relief_mixed(hs_relief *r, hsel_error *error)
{
    struct mixed m = {.relief = r};
    int status = mixed_init(&m, error);
    if (status == HSEL_OK)
        status = hs_parallel_for(r->feature_count, r->threads, find_scale, &m, error);
    if (status == HSEL_OK && m.once)
        status = find_all(&m, r->count, error);
    for (uint32_t from = 0; from < r->count && status == HSEL_OK; from += r->batch) {
        uint32_t batch = r->count - from < r->batch ? r->count - from : r->batch;
        r->batch_start = from;
        if (!m.once)
            status = find_all(&m, batch, error);
        if (status == HSEL_OK)
            status = weigh_batch(&m, batch, error);
    }
    mixed_clear(&m);
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * AODE (averaged one-dependence estimators) and its two forms for features in a hierarchy. Each
 * feature in turn is the parent of all others in a naive Bayes; the estimates are averaged:
 *
 *     P(y|x) ~ sum over parents i of P(y,x_i) * prod over j != i of P(x_j | y,x_i)         (Eq. 1)
 *     P(y,x_i) = (n(y,x_i) + 1) / (N + 2K),  P(x_j | y,x_i) = (n(y,x_i,x_j) + 1) / (n(y,x_i) + 2)
 *
 * hie-aode: of the ancestors j of i, P(x_j | y) = (n(y,x_j) + 1) / (n_y + 2) instead       (Eq. 2)
 * hie-aode-lite: the ancestors of i are left out                                          (Eq. 3)
 *
 * The value of i must occur `frequency` times in training for i to be a parent; without any parent
 * naive Bayes decides, as in WEKA. Webb, Boughton, Wang (2005); Wan, Freitas (2020), equations 1 to
 * 3; counts, smoothing and limit as in WEKA's AODE. hsel sums logarithms where WEKA multiplies:
 * with more than 1,000 features its products become 0. Ancestors are found through features that
 * are not in use, too. With a lazy selection parents and children are selected features, as if
 * fitted on these alone.
 *
 * Time: fitting O(sum over instances of positives^2) and O(pairs that occur together, by class);
 * predicting O(K units with positive features x units). Memory: a byte (4 for pairs of features
 * with more than 255 instances of the class) per pair of units of each class, for as many units as
 * the option `memory` allows, the most frequent first; the others are counted when needed, with the
 * same result. Equal probabilities go to the lowest class.
 */
#include "classify/aode.h"

#define BLOCK 16 /* rows of joint counts per task */
#define ROWS  8  /* rows processed together, so that products are loaded and stored less often */
#define LANES 8  /* units processed together; rows have room for a multiple */
#define SHARE 25 /* parents that are left out have less than exp(-SHARE) of a sum together */

static const hs_option table[] = {
    HS_ADJUST_AUTO,
    HS_WEKA("calibration=none", "WEKA's AODE and the papers"),
    HS_OPTION(hs_aode_options, frequency, "frequency", "N", "1", 0, 1000000000,
              "minimum number of training instances with a feature's value for it to be a parent"),
    HS_CHOICE(hs_aode_options, smoothing, "smoothing", "laplace|m-estimate", "laplace",
              "how probabilities are estimated from counts"),
    HS_OPTION(hs_aode_options, weight, "weight", "W", "1", 0.000001, 1000000,
              "weight of the prior of the m-estimate, in instances"),
    HS_OPTION(hs_aode_options, memory, "memory", "MB", "256", 0, 1000000000,
              "maximum memory of the model, in MB; the rest is counted again for each prediction"),
    HS_OPTION_END};

static const char *const names[] = {"aode", "hie-aode", "hie-aode-lite"};

static void aode_model_free(void *pointer)
{
    hs_aode *m = pointer;
    if (!m)
        return;
    hs_sparse_clear(&m->rows);
    hs_sparse_clear(&m->above);
    hs_sparse_clear(&m->below);
    hs_sparse_clear(&m->members);
    hs_sparse_clear(&m->unit_rows);
    hs_sparse_clear(&m->unit_columns);
    hs_free_aligned(m->table);
    HS_FREE(m->place, m->feature, m->class_start, m->positive, m->may_be_parent, m->log_pair,
            m->log_total, m->log_parent, m->base, m->of_negative, m->of_positive, m->of_class,
            m->unit, m->count, m->row_at, m->log_weight, m->without, m->usual, m->shared, m);
}
HS_RELEASE(model_release, hs_aode, aode_model_free)

/* ---- joint counts ---- How often units u and v of a class are positive together, one row (all v)
 * per unit u. A row is counted from the instances that have u, O(sum of their positive units). Rows
 * do not depend on each other, so they are counted in parallel, each by one thread. Then the sums
 * over all other features being negative, from which predictions start. */

struct row { /* of a wide unit its wide part has 4 bytes a count; all else 1 */
    const uint32_t *wide;
    const uint8_t *narrow; /* [v], from v = length of the wide part on */
    uint32_t wide_length, unit;
};

static size_t whole_lanes(size_t count) { return (count + LANES - 1) / LANES * LANES; }

static uint32_t wide_length(const hs_aode_class *c, uint32_t u)
{
    return u < c->wide ? (uint32_t)whole_lanes(c->wide) : 0;
}

static size_t row_bytes(const hs_aode_class *c, uint32_t u)
{
    return whole_lanes(c->units) + 3 * (size_t)wide_length(c, u);
}

static inline uint32_t joint(const struct row *row, uint32_t v)
{
    return v < row->wide_length ? row->wide[v] : row->narrow[v];
}

static void count_row(const hs_aode *m, const hs_aode_class *c, uint32_t u, char *out)
{
    const uint32_t wide = wide_length(c, u);
    uint32_t *const of_wide = (uint32_t *)(void *)out;
    uint8_t *const of_narrow = (uint8_t *)out + 3 * (size_t)wide;
    size_t count, length;
    memset(out, 0, row_bytes(c, u));
    const uint32_t *column = hs_sparse_list(&m->unit_columns, c->unit + u, &count);
    for (size_t t = 0; t < count; t++) {
        const uint32_t *list = hs_sparse_list(&m->unit_rows, column[t], &length);
        size_t k = 0;
        for (; k < length && list[k] < wide; k++)
            of_wide[list[k]]++;
        for (; k < length; k++)
            of_narrow[list[k]]++;
    }
}

/* The joint counts of unit u: those of the table, or counted into `buffer`. */
static struct row row_of(const hs_aode *m, const hs_aode_class *c, uint32_t u, char *buffer)
{
    const uint64_t at = m->row_at[c->unit + u];
    const uint32_t wide = wide_length(c, u);
    const char *bytes = at == HS_AODE_NOT_KEPT ? buffer : m->table + at;
    if (at == HS_AODE_NOT_KEPT)
        count_row(m, c, u, buffer);
    return (struct row){(const uint32_t *)(const void *)bytes,
                        (const uint8_t *)bytes + 3 * (size_t)wide, wide, u};
}

/* ---- products ----
 * Four numbers at a time, with the compiler's vectors, so that all processors compute the same
 * numbers and those with AVX2 are faster. (No vector is passed by value: that would need AVX.)
 */

typedef double four __attribute__((vector_size(32)));
typedef int64_t four_bits __attribute__((vector_size(32)));
typedef int32_t four_counts __attribute__((vector_size(16)));

#define TO_52    0x1p52
#define ONE_BITS INT64_C(0x3ff0000000000000)

struct product { /* numbers from 1 to 2, times powers of 2 */
    double *fraction;
    int64_t *power;
};

static void start_product(struct product *p, size_t at, size_t count)
{
    for (size_t k = at; k < at + count; k++) {
        p->fraction[k] = 1;
        p->power[k] = 0;
    }
}

static inline double log_of(const struct product *p, size_t at)
{
    return log(p->fraction[at]) + (double)p->power[at] * M_LN2;
}

/* Multiplies the product at `at` by new factors and splits off the power of 2, so that nothing
 * overflows: ROWS factors are at most 2^30 and at least 2^-21 each. */
HS_INLINE void multiply_four(struct product *p, size_t at, const four *factor)
{
    four value;
    four_bits power, bits;
    memcpy(&value, p->fraction + at, sizeof value);
    memcpy(&power, p->power + at, sizeof power);
    bits = (four_bits)(value * *factor);
    power += (bits >> 52) - 1023;
    bits = (bits & ((INT64_C(1) << 52) - 1)) | ONE_BITS;
    memcpy(p->fraction + at, &bits, sizeof bits);
    memcpy(p->power + at, &power, sizeof power);
}

/* q - b for four units from v on, b their counts together with the unit of the row. A byte in the
 * lowest bits of 2^52 is the double 2^52 + byte. */
HS_INLINE void take_joint(const struct row *row, double q, size_t v, four *out)
{
    if (v < row->wide_length) {
        four_counts counts;
        memcpy(&counts, row->wide + v, sizeof counts);
        *out = q - __builtin_convertvector(counts, four);
        return;
    }
    uint32_t bytes;
    memcpy(&bytes, row->narrow + v, sizeof bytes);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap32(bytes); /* the first one lowest */
#endif
    four_bits both = (four_bits){bytes, bytes, bytes, bytes} >> (four_bits){0, 8, 16, 24};
    both = (both & 0xff) | INT64_C(0x4330000000000000);
    *out = (q + TO_52) - (four)both;
}

/* Defines a function that calls its inline form, compiled for AVX2 if the processor has it. */
#define TWICE(name, parameters, arguments)                                                         \
    HS_WIDE static void name##_wide parameters { name##_inline arguments; }                        \
    static void name parameters                                                                    \
    {                                                                                              \
        if (HS_IS_WIDE)                                                                            \
            name##_wide arguments;                                                                 \
        else                                                                                       \
            name##_inline arguments;                                                               \
    }

/* The part of one row in the sums for all features negative, as products: features that occur with
 * it, less the terms that assume they never do. LANES results each, for a negative and a positive
 * parent. */
HS_INLINE void multiply_row_inline(const struct row *row, double own, double size, double added,
                                   const double *without, size_t units, struct product *sum)
{
    const double total =
        (size - own) + 2 * added; /* what `apart` has if they must occur together */
    for (size_t from = 0; from < units; from += ROWS * LANES)
        for (size_t lane = 0; lane < LANES; lane += 4) {
            four up = {1, 1, 1, 1}, down = up, zero_up = up, zero_down = up;
            for (size_t v = from + lane; v < from + ROWS * LANES && v < units; v += LANES) {
                four left, one;
                memcpy(&left, without + v, sizeof left);
                take_joint(row, own, v, &one);
                const four apart = left - own;
                const four_bits can = (four_bits)(apart >= 0);
                const four other = {total, total, total, total};
                up *= one + added;
                down *= (four){1, 1, 1, 1} * (own + added);
                zero_up *= (left - one) + added;
                zero_down *= (four)(((four_bits)(apart + added) & can) | ((four_bits)other & ~can));
            }
            up /= down;
            zero_up /= zero_down;
            multiply_four(sum, lane, &zero_up);
            multiply_four(sum, LANES + lane, &up);
        }
}

TWICE(multiply_row,
      (const struct row *row, double own, double size, double added, const double *without,
       size_t units, struct product *sum),
      (row, own, size, added, without, units, sum))

struct counting {
    hs_aode *m;
    const double *apart; /* [units]: sums for a negative parent that never occurs with others */
    const hs_progress *progress;
    char *buffers; /* a row per thread, for rows that are not kept */
    size_t buffer;
};

/* Keeps the numbers of feature i as a parent, and of the parents below it. `sum`: over all features
 * being negative, when i is negative and when it is positive. */
static void keep_feature(const struct counting *counting, uint32_t y, uint32_t i,
                         const struct row *row, const double *sum)
{
    hs_aode *m = counting->m;
    const hs_aode_class *c = &m->of_class[y];
    const uint32_t *positive = m->positive + (size_t)y * m->n, *unit = m->unit + (size_t)y * m->n;
    const uint32_t size = c->size, own = positive[i];
    const double total[2] = {m->log_total[size - own], m->log_total[own]};
    const double with = m->log_pair[own], without = m->log_pair[size - own];
    double here[2] = {sum[0] - (without - total[0]), sum[1] - (m->log_pair[0] - total[1])};
    size_t count = 0;
    /* Ancestors of i are not its children: their part of the sums is removed, and replaced by
     * P(x_j = 0 | y) in the form that keeps them. */
    const uint32_t *list = hs_sparse_list(&m->above, i, &count);
    const size_t pairs = (size_t)m->above.start[m->n];
    double *one = m->of_positive + y * pairs + m->above.start[i];
    for (size_t k = 0; k < count; k++) {
        const uint32_t j = list[k], both = joint(row, unit[j]);
        const double negative = m->log_pair[size - positive[j]];
        const double other = m->form == HS_AODE_HIE ? negative - m->log_total[size] : 0;
        one[k] = (m->form == HS_AODE_HIE ? m->log_pair[positive[j]] - negative : 0) -
                 (m->log_pair[both] - m->log_pair[own - both]);
        here[0] += other - (m->log_pair[size - own - positive[j] + both] - total[0]);
        here[1] += other - (m->log_pair[own - both] - total[1]);
    }
    m->base[(size_t)y * m->n + i] = here[0] + m->log_parent[size - own];
    m->base[((size_t)m->classes + y) * m->n + i] = here[1] + m->log_parent[own];
    /* The change for negative parents below i when i is positive. */
    const double other = m->form == HS_AODE_HIE ? with - without : 0;
    count = 0;
    list = hs_sparse_list(&m->below, i, &count);
    double *zero = m->of_negative + y * pairs + m->below.start[i];
    for (size_t k = 0; k < count; k++) {
        uint32_t p = positive[list[k]], both = joint(row, unit[list[k]]);
        zero[k] = other - (m->log_pair[own - both] - m->log_pair[size - p - own + both]);
    }
}

static int count_block(void *context, size_t index, int worker, hsel_error *error)
{
    const struct counting *counting = context;
    hs_aode *m = counting->m;
    const uint32_t from = (uint32_t)index * BLOCK;
    const uint32_t to = from + BLOCK < m->units ? from + BLOCK : m->units;
    const double *log_pair = m->log_pair;
    for (uint32_t all = from, y = 0; all < to; all++) {
        while (all >= m->of_class[y].unit + m->of_class[y].units)
            y++;
        const hs_aode_class *c = &m->of_class[y];
        const uint32_t u = all - c->unit, own = m->count[all], size = c->size;
        const uint32_t *counts = m->count + c->unit;
        const uint64_t *member = m->members.start + c->unit;
        const double *with = log_pair + own;
        if (m->row_at[all] != HS_AODE_NOT_KEPT)
            count_row(m, c, u, m->table + m->row_at[all]);
        struct row row = row_of(m, c, u, counting->buffers + (size_t)worker * counting->buffer);
        /* As if it never occurred with another feature; then those that it does occur with. */
        double sum[2] = {counting->apart[all], m->n * (log_pair[own] - m->log_total[own])};
        double fraction[2 * LANES];
        int64_t power[2 * LANES];
        struct product product = {fraction, power};
        start_product(&product, 0, 2 * LANES);
        multiply_row(&row, own, size, m->added, m->without + c->lane, whole_lanes(c->units),
                     &product);
        for (int lane = 0; lane < 2 * LANES; lane++)
            sum[lane / LANES] += log_of(&product, (size_t)lane);
        for (const uint32_t *v = m->shared + c->share; v < m->shared + c->share + c->shares; v++) {
            const uint32_t both = joint(&row, *v);
            const double times = (double)(member[*v + 1] - member[*v] - 1);
            const double apart = own + counts[*v] <= size ? log_pair[size - own - counts[*v]]
                                                          : m->log_total[size - own];
            sum[0] += times * (log_pair[size - own - counts[*v] + both] - apart);
            sum[1] += times * (with[-(ptrdiff_t)both] - with[0]);
        }
        for (uint64_t k = member[u]; k < member[u + 1]; k++)
            keep_feature(counting, y, m->members.index[k], &row, sum);
    }
    return hs_progress_report(counting->progress, from, m->units, "features", error);
}

/* ---- fitting ---- */

/* The features in use, and the rows with a class, class by class. */
static int take_rows(hs_aode *m, const hs_training *training, hsel_error *error)
{
    const hs_view *view = &training->view;
    HS_NEED(HS_LISTS(NULL, m, HS_PART(m, place, m->features), HS_PART(m, feature, m->features),
                     HS_PART(m, class_start, (size_t)m->classes + 1)));
    for (uint32_t f = 0; f < m->features; f++) {
        bool used = hs_view_has(view, f) && view->data->types[f] == HSEL_BINARY;
        m->place[f] = used ? m->n : HSEL_NONE;
        if (used)
            m->feature[m->n++] = f;
    }
    HS_TRY(hs_rows_by_class(view, m->class_start + 1, &m->rows, error));
    for (uint32_t c = 0; c < m->classes; c++)
        m->class_start[c + 1] += m->class_start[c];
    for (uint64_t k = 0; k < m->rows.start[m->rows.lists]; k++)
        m->rows.index[k] = m->place[m->rows.index[k]];
    return HSEL_OK;
}

struct column { /* a feature, or a unit */
    const uint32_t *rows;
    uint64_t count;
    uint32_t number;
};

/* Most instances first, then those with the same ones beside each other. */
static int by_rows(const void *a, const void *b)
{
    const struct column *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    int order = x->rows ? memcmp(x->rows, y->rows, x->count * sizeof *x->rows) : 0;
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

/* The units of each class. */
static int find_units(hs_aode *m, hsel_error *error)
{
    HS_OWNS(hs_sparse_clear) hs_sparse columns = {0};
    const size_t cells = (size_t)m->classes * m->n, padded = cells + (size_t)m->classes * LANES;
    size_t lanes = 0;
    HS_TRY(hs_sparse_transpose(&m->rows, m->n, &columns, error));
    HS_OWNED struct column *order = HS_NEW(struct column, m->n);
    HS_OWNED uint32_t *all = HS_NEW(uint32_t, cells), *place = HS_NEW(uint32_t, cells);
    HS_NEED(order && all && place);
    HS_NEED(HS_LISTS(NULL, m, HS_PART(m, of_class, m->classes), HS_PART(m, unit, cells),
                     HS_PART(m, positive, cells), HS_PART(m, count, cells),
                     HS_PART(m, without, padded), HS_PART(m, may_be_parent, 2 * (size_t)m->n)));
    HS_TRY(hs_sparse_init(&m->unit_columns, (uint32_t)cells,
                          (size_t)(m->n ? columns.start[m->n] : 0), error));
    for (uint32_t j = 0; j < m->n; j++) {
        uint64_t count = columns.start[j + 1] - columns.start[j];
        order[j] = (struct column){columns.index + columns.start[j], count, j};
        m->may_be_parent[j] = m->rows.lists - count >= m->options.frequency;
        m->may_be_parent[(size_t)m->n + j] = count >= m->options.frequency;
    }
    for (uint32_t y = 0; y < m->classes; y++) {
        hs_aode_class *c = &m->of_class[y];
        *c = (hs_aode_class){.first = m->class_start[y],
                             .size = m->class_start[y + 1] - m->class_start[y],
                             .unit = m->units,
                             .lane = lanes};
        for (uint32_t k = 0; k < m->n; k++) { /* the part of each column that is in this class */
            const struct column *o = &order[k];
            const uint32_t j = o->number, *end = columns.index + columns.start[j + 1];
            const uint32_t *from = y ? o->rows + o->count : o->rows, *to = from;
            while (to < end && *to < c->first + c->size)
                to++;
            order[k] = (struct column){from, (uint64_t)(to - from), j};
        }
        qsort(order, m->n, sizeof *order, by_rows);
        for (uint32_t k = 0; k < m->n; k++) {
            const struct column *o = &order[k];
            const uint32_t count = (uint32_t)o->count;
            const size_t at = (size_t)y * m->n + o->number;
            if (k == 0 || count != order[k - 1].count ||
                memcmp(o->rows, order[k - 1].rows, count * sizeof *o->rows) != 0) {
                uint64_t *start = m->unit_columns.start + m->units;
                memcpy(m->unit_columns.index + start[0], o->rows, count * sizeof *o->rows);
                start[1] = start[0] + count;
                m->count[m->units++] = count;
                c->wide += count > UINT8_MAX;
                c->units++;
            }
            m->positive[at] = count;
            m->unit[at] = c->units - 1;
            all[at] = m->units - 1;
            place[at] = o->number;
        }
        const double of_class = c->size; /* room at the end stands for units that nothing has */
        for (uint32_t u = 0; u < whole_lanes(c->units); u++)
            m->without[lanes++] = u < c->units ? of_class - m->count[c->unit + u] : of_class + 1;
    }
    m->unit_columns.lists = m->units;
    HS_TRY(hs_sparse_group(m->units, all, place, cells, &m->members, error));
    HS_NEED(m->shared = HS_NEW(uint32_t, m->units));
    for (uint32_t y = 0, at = 0; y < m->classes; y++, at += m->of_class[y - 1].shares) {
        hs_aode_class *c = &m->of_class[y];
        c->share = at;
        for (uint32_t u = 0; u < c->units; u++)
            if (m->members.start[c->unit + u + 1] - m->members.start[c->unit + u] > 1)
                m->shared[at + c->shares++] = u;
    }
    HS_TRY(hs_sparse_transpose(&m->unit_columns, m->rows.lists, &m->unit_rows, error));
    for (uint32_t y = 0; y < m->classes; y++) {
        const hs_aode_class *c = &m->of_class[y];
        for (uint64_t k = m->unit_rows.start[c->first]; k < m->unit_rows.start[c->first + c->size];
             k++)
            m->unit_rows.index[k] -= c->unit;
    }
    return HSEL_OK;
}

/* Room of one thread for predicting. */
struct scratch_size {
    size_t units, row;
};

static struct scratch_size scratch_size(const hs_aode *m)
{
    struct scratch_size most = {0};
    for (uint32_t y = 0; y < m->classes; y++) {
        const hs_aode_class *c = &m->of_class[y];
        size_t row = row_bytes(c, 0);
        most.units = whole_lanes(c->units > most.units ? c->units : most.units);
        most.row = row > most.row ? row : most.row;
    }
    return most;
}

/* Checks memory before most of it is allocated, and plans which rows of joint counts are kept:
 * those of the most frequent units, which are needed most often and take longest to count. */
static int plan_memory(hs_aode *m, uint64_t ancestors, uint32_t largest, int threads,
                       hsel_error *error)
{
    double cells = (double)m->classes * m->n, limit = m->options.memory * HS_MEGABYTE;
    const struct scratch_size most = scratch_size(m);
    double scratch = (double)m->n * 100 + (double)most.units * 32 + (double)most.row * ROWS;
    HS_OWNED struct column *order = HS_NEW(struct column, m->units);
    HS_NEED(order && HS_LISTS(NULL, m, HS_PART(m, row_at, m->units)));
    for (uint32_t y = 0; y < m->classes; y++) {
        const hs_aode_class *c = &m->of_class[y];
        for (uint32_t u = 0; u < c->units; u++) {
            order[c->unit + u] = (struct column){NULL, m->count[c->unit + u], c->unit + u};
            m->all_rows += (double)row_bytes(c, u);
        }
    }
    m->least = (double)m->rows.start[m->rows.lists] * 4 * sizeof(uint32_t) +
               (double)m->rows.lists * 24 + (double)m->features * 8 + (double)m->n * 48 +
               cells * 100 + (double)m->classes * 160 + (double)largest * 24 +
               (double)ancestors * (8 + 16 * (double)m->classes) + scratch * hs_threads(threads);
    if (m->least > limit)
        return hs_fail(
            error, HSEL_ELIMIT,
            "%s on %u features and %u classes needs %.1f MB at least, and %g MB with all "
            "joint counts; it may take %g: select features first, or raise memory=",
            names[m->form], m->n, m->classes, ceil(m->least / HS_MEGABYTE * 10) / 10,
            ceil((m->least + m->all_rows) / HS_MEGABYTE), m->options.memory);
    qsort(order, m->units, sizeof *order, by_rows);
    uint64_t end = 0;
    for (uint32_t k = 0; k < m->units; k++) {
        uint32_t all = order[k].number, y = 0;
        while (all >= m->of_class[y].unit + m->of_class[y].units)
            y++;
        size_t bytes = row_bytes(&m->of_class[y], all - m->of_class[y].unit);
        bool fits = m->kept == k && m->least + (double)(end + bytes) <= limit;
        m->row_at[all] = fits ? end : HS_AODE_NOT_KEPT;
        m->kept += fits;
        end += fits ? bytes : 0;
    }
    HS_NEED(m->table = hs_alloc_aligned((size_t)end, 1));
    return HSEL_OK;
}

/* Adds the changes of negative parents below i when i is positive to their terms (sign 1), or
 * removes them again (-1). */
static void add_below(const hs_aode *m, uint32_t y, uint32_t i, double sign, double *restrict term)
{
    const uint64_t start = m->below.start[i], count = m->below.start[i + 1] - start;
    const double *restrict instead = m->of_negative + y * m->below.start[m->n] + start;
    const uint32_t *restrict below = m->below.index + start;
    for (size_t k = 0; k < count; k++)
        term[below[k]] += sign * instead[k];
}

/* The rest of the model, from rows, classes and features in use. `dag` NULL: plain form. */
static int aode_prepare(hs_aode *m, const hsel_dag *dag, int threads, const hs_progress *progress,
                        hsel_error *error)
{
    const bool laplace = m->options.smoothing == HS_AODE_LAPLACE;
    const double weight = m->options.weight;
    uint64_t ancestors = 0;
    uint32_t largest = 0;
    if (dag)
        HS_TRY(hs_dag_count_ancestors(dag, &ancestors, error));
    HS_TRY(find_units(m, error));
    for (uint32_t y = 0; y < m->classes; y++)
        largest = m->of_class[y].size > largest ? m->of_class[y].size : largest;
    HS_TRY(plan_memory(m, ancestors, largest, threads, error));

    size_t numbers = (size_t)largest + 1;
    HS_NEED(HS_LISTS(NULL, m, HS_PART(m, base, 2 * (size_t)m->classes * m->n),
                     HS_PART(m, log_pair, numbers), HS_PART(m, log_total, numbers),
                     HS_PART(m, log_parent, numbers)));
    m->added = laplace ? 1 : weight / 2;
    for (size_t k = 0; k < numbers; k++) {
        m->log_pair[k] = log((double)k + m->added);
        m->log_total[k] = log((double)k + (laplace ? 2 : weight));
        m->log_parent[k] = log((double)k + (laplace ? 1 : weight / (2.0 * m->classes)));
    }
    HS_OWNS(hs_reach_clear) hs_reach reach = {0};
    uint64_t at = 0;
    HS_TRY(hs_sparse_init(&m->above, m->n, ancestors, error)); /* those in use: no more than that */
    if (dag)
        HS_TRY(hs_reach_init(&reach, dag, error));
    for (uint32_t i = 0; dag && i < m->n; m->above.start[++i] = at) {
        hs_reach_start(&reach, m->feature[i]);
        for (uint32_t f; (f = hs_reach_next(&reach)) != HSEL_NONE;)
            if (m->place[f] != HSEL_NONE)
                m->above.index[at++] = m->place[f];
    }
    HS_TRY(hs_sparse_transpose(&m->above, m->n, &m->below, error));
    HS_NEED(HS_LISTS(NULL, m, HS_PART(m, of_negative, m->classes * at),
                     HS_PART(m, of_positive, m->classes * at)));
    /* Of each unit: the sum for a negative parent over all features, where it may be that the two
     * never occur together. It depends on numbers of instances alone, and units stand by these. */
    HS_OWNED double *apart = HS_NEW(double, m->units);
    const size_t row = scratch_size(m).row;
    HS_OWNED char *buffers = hs_alloc(m->kept < m->units ? (size_t)hs_threads(threads) : 0, row);
    HS_NEED(apart && buffers);
    for (uint32_t y = 0; y < m->classes; y++) {
        const hs_aode_class *c = &m->of_class[y];
        const uint32_t *count = m->count + c->unit;
        const uint64_t *member = m->members.start + c->unit;
        for (uint32_t a = 0; a < c->units; a++) {
            const bool again = a && count[a] == count[a - 1];
            double sum = again ? apart[c->unit + a - 1] : 0;
            for (uint32_t b = 0, end; !again && b < c->units; b = end) {
                for (end = b + 1; end < c->units && count[end] == count[b];)
                    end++;
                if (count[a] + count[b] <= c->size)
                    sum += (double)(member[end] - member[b]) *
                           (m->log_pair[c->size - count[a] - count[b]] -
                            m->log_total[c->size - count[a]]);
            }
            apart[c->unit + a] = sum;
        }
    }
    HS_TRY(hs_parallel_for((m->units + BLOCK - 1) / BLOCK, threads, count_block,
                           &(struct counting){m, apart, progress, buffers, row}, error));
    if (!dag)
        return HSEL_OK;
    HS_NEED(m->usual = HS_NEW(uint32_t, m->n));
    for (uint32_t i = 0; i < m->n; i++) {
        uint64_t with = 0;
        for (uint32_t y = 0; y < m->classes; y++)
            with += m->positive[(size_t)y * m->n + i];
        if (2 * with <= m->rows.lists)
            continue;
        m->usual[m->usuals++] = i;
        for (uint32_t y = 0; y < m->classes; y++)
            add_below(m, y, i, 1, m->base + (size_t)y * m->n);
    }
    return HSEL_OK;
}

static void *aode_model_new(hs_aode_form form, const hsel_dataset *shape)
{
    hs_aode *m = HS_NEW_ZERO(hs_aode, 1);
    if (m)
        *m = (hs_aode){.form = form,
                       .features = shape->features,
                       .classes = shape->class_names.count,
                       .log_weight = HS_NEW_ZERO(double, shape->class_names.count)};
    if (m && !m->log_weight)
        hs_free(hs_take(&m));
    return m;
}

static int aode_fit(hs_aode_form form, const hs_training *training, const void *options, void **out,
                    hsel_error *error)
{
    const hsel_dataset *data = training->view.data;
    if (form != HS_AODE_PLAIN && !data->dag)
        return hs_fail(error, HSEL_EUSAGE, "%s needs a hierarchy, but %s has none", names[form],
                       hsel_dataset_name(data));
    HS_OWNS(model_release) hs_aode *m = aode_model_new(form, data);
    HS_NEED(m);
    m->options = *(const hs_aode_options *)options;
    hs_log_weights(training, m->log_weight);
    HS_TRY(take_rows(m, training, error));
    HS_TRY(aode_prepare(m, form == HS_AODE_PLAIN ? NULL : data->dag, training->threads,
                        training->progress, error));
    *out = hs_take(&m);
    return HSEL_OK;
}

/* ---- predicting ----
 * The logarithm of the estimate of parent i for class y is
 *
 *     log(n(y,x_i) + h) + sum over its children j of [log(n(y,x_i,x_j) + a) - log(n(y,x_i) + 2a)]
 *
 * less a constant that all share. An instance has few positive features: the sum with every child
 * negative is stored (`base`), and each positive feature j corrects it. A lazy selection either
 * removes features from it in the same way, or starts from nothing and adds the selected features,
 * whichever takes fewer steps. In the hierarchical forms, children that are ancestors of i are
 * corrected again.
 *
 * The effect of a positive j on a negative parent i, with p instances of the class that have i, q
 * that have j and b that have both,
 *
 *     log(q - b + a) - log(size - p - q + b + a),
 *
 * is summed by units, since all features of a unit have the same b: not as logarithms but as a
 * product, LANES units at a time.
 *
 * Sums over parents are taken from logarithms less their maximum, so nothing underflows. Time as at
 * the top, with a small selection O(K selected^2). Allocates nothing.
 */

enum state { NOT_SELECTED, NEGATIVE, POSITIVE };

/* How a feature changes the sums of all parents. */
typedef enum effect_kind {
    DROP,         /* it is not selected: removes its negative factor */
    ADD_POSITIVE, /* starting from nothing: adds its factor */
    ADD_NEGATIVE
} effect_kind;

struct scratch {    /* in one block with its lists */
    double *term;   /* [n]: of each parent */
    double *change; /* [units of a class]: effect of the positive features on their parents */
    struct product of_units;                          /* [units of a class] */
    uint32_t *times;                                  /* [units of a class]: positive features */
    uint32_t *positive, *negative, *dropped, *parent; /* [n] each; places */
    uint32_t *part;                                   /* [n]: units with positive features */
    uint32_t positives, negatives, drops, parents, parts;
    bool from_base;
    size_t row;
    char *buffer;   /* ROWS rows */
    uint8_t *state; /* [n] */
};

static int aode_scratch_new(const void *model, void **out, hsel_error *error)
{
    const hs_aode *m = model;
    const size_t n = m->n;
    const struct scratch_size most = scratch_size(m);
    struct scratch *s = HS_BLOCK(
        s, HS_PART(s, term, n), HS_PART(s, change, most.units),
        HS_PART(s, of_units.fraction, most.units), HS_PART(s, of_units.power, most.units),
        HS_PART(s, times, most.units), HS_PART(s, positive, n), HS_PART(s, negative, n),
        HS_PART(s, dropped, n), HS_PART(s, parent, n), HS_PART(s, part, n),
        HS_PART(s, buffer, m->kept < m->units ? ROWS * most.row : 0), HS_PART(s, state, n));
    HS_NEED(*out = s);
    s->row = most.row;
    return HSEL_OK;
}

static uint32_t take_features(const hs_aode *m, const uint32_t *feature, size_t count,
                              enum state state, uint8_t *states, uint32_t *out)
{
    uint32_t taken = 0;
    for (size_t k = 0; k < count; k++) {
        uint32_t i = m->place[feature[k]];
        if (i == HSEL_NONE)
            continue;
        states[i] = (uint8_t)state;
        if (out)
            out[taken] = i;
        taken++;
    }
    return taken;
}

/* Which features are used, where the sums start from, and which may be parents. */
static void take_instance(const hs_aode *m, const hs_batch *batch, uint32_t at, struct scratch *s)
{
    size_t count;
    const uint32_t *row = hs_row(batch->data, batch->instances[at], &count);
    const hs_selection x = hs_selected(batch, row, count);
    s->drops = 0;
    memset(s->state, x.all_negative ? NEGATIVE : NOT_SELECTED, m->n);
    if (x.all_negative)
        take_features(m, row, count, NOT_SELECTED, s->state, NULL);
    s->negatives = take_features(m, x.negative, x.negative_count, NEGATIVE, s->state, s->negative);
    s->positives = take_features(m, x.positive, x.positive_count, POSITIVE, s->state, s->positive);
    uint64_t rows = s->negatives + s->positives, others = m->n - s->negatives;
    s->from_base = x.all_negative || others * m->n < rows * rows;
    for (uint32_t i = 0; batch->selection && s->from_base && i < m->n; i++)
        if (s->state[i] == NOT_SELECTED)
            s->dropped[s->drops++] = i;
    s->parents = 0;
    for (uint32_t k = 0; k < (s->from_base ? m->n : (uint32_t)rows); k++) {
        uint32_t i = s->from_base       ? k
                     : k < s->positives ? s->positive[k]
                                        : s->negative[k - s->positives];
        if (s->state[i] && m->may_be_parent[(size_t)(s->state[i] - NEGATIVE) * m->n + i])
            s->parent[s->parents++] = i;
    }
}

/* The current class, for the functions below. */
struct view {
    const hs_aode *m;
    const hs_aode_class *c;
    const uint32_t *positive, *unit; /* [n] */
    struct scratch *s;
    uint32_t y;
};

/* Feature j and all parents, by its row of joint counts; then the parents below j, which have P(x_j
 * | y) instead of P(x_j | y, x_i), or nothing. */
static void change_by(const struct view *w, uint32_t j, effect_kind change)
{
    const hs_aode *m = w->m;
    struct scratch *s = w->s;
    const struct row row = row_of(m, w->c, w->unit[j], s->buffer);
    const uint32_t size = w->c->size, own = w->positive[j];
    const bool value = change == ADD_POSITIVE;
    const double sign = change == DROP ? -1 : 1;
    const double alone =
        m->form == HS_AODE_LITE ? 0 : m->log_pair[value ? own : size - own] - m->log_total[size];
    size_t below_count = 0;
    const uint32_t *below = hs_sparse_list(&m->below, j, &below_count);
    for (size_t k = 0; k < s->parents + below_count; k++) {
        const uint32_t i = k < s->parents ? s->parent[k] : below[k - s->parents];
        if (i == j || s->state[i] == NOT_SELECTED)
            continue;
        const uint32_t both = joint(&row, w->unit[i]), p = w->positive[i];
        const uint32_t with = s->state[i] == POSITIVE ? both : own - both;
        const uint32_t all = s->state[i] == POSITIVE ? p : size - p;
        const double factor = m->log_pair[value ? with : all - with] - m->log_total[all];
        s->term[i] += sign * (k < s->parents ? factor : alone - factor);
    }
}

/* ---- sums from the base ---- */

struct factors { /* of up to ROWS units with positive features */
    struct row row[ROWS];
    double count[ROWS]; /* q */
    int rows;
    double added; /* a */
};

/* Of all units: (q - b + a) / (size - p - q + b + a) for each row. */
HS_INLINE void multiply_units_inline(const struct factors *f, const double *without, size_t units,
                                     struct product *p)
{
    for (size_t v = 0; v < units; v += LANES) {
        four low = {1, 1, 1, 1}, high = low, below_low = low, below_high = low, left, right;
        memcpy(&left, without + v, sizeof left);
        memcpy(&right, without + v + 4, sizeof right);
        for (int r = 0; r < f->rows; r++) {
            four one, two;
            take_joint(&f->row[r], f->count[r], v, &one);
            take_joint(&f->row[r], f->count[r], v + 4, &two);
            low *= one + f->added;
            high *= two + f->added;
            below_low *= (left - one) + f->added;
            below_high *= (right - two) + f->added;
        }
        low /= below_low;
        high /= below_high;
        multiply_four(p, v, &low);
        multiply_four(p, v + 4, &high);
    }
}

TWICE(multiply_units,
      (const struct factors *f, const double *without, size_t units, struct product *p),
      (f, without, units, p))

/* The next rows, each as often as its unit has positive features. False: there are no more. */
static bool next_factors(const struct view *w, uint32_t *part, uint32_t *used, struct factors *f)
{
    const struct scratch *s = w->s;
    f->rows = 0;
    f->added = w->m->added;
    while (f->rows < ROWS && *part < s->parts) {
        const uint32_t u = s->part[*part];
        const int r = f->rows++;
        f->row[r] =
            *used && r ? f->row[r - 1] : row_of(w->m, w->c, u, s->buffer + (size_t)r * s->row);
        f->count[r] = w->m->count[w->c->unit + u];
        if (++*used == s->times[u]) {
            *used = 0;
            ++*part;
        }
    }
    return f->rows > 0;
}

/* The terms of the parents. */
static void sum_from_base(const struct view *w)
{
    const hs_aode *m = w->m;
    const hs_aode_class *c = w->c;
    struct scratch *s = w->s;
    const double *log_pair = m->log_pair, *zero = m->base + (size_t)w->y * m->n;
    const double *one = zero + (size_t)m->classes * m->n;
    const uint32_t *counts = m->count + c->unit;
    const size_t units = whole_lanes(c->units), pairs = (size_t)m->below.start[m->n];
    memcpy(s->term, zero, m->n * sizeof *s->term);
    for (uint32_t k = 0; k < m->usuals; k++)
        if (s->state[m->usual[k]] != POSITIVE)
            add_below(m, w->y, m->usual[k], -1, s->term);
    for (uint32_t k = 0, next = 0; k < s->positives; k++) {
        while (next < m->usuals && m->usual[next] < s->positive[k])
            next++;
        if (next == m->usuals || m->usual[next] != s->positive[k])
            add_below(m, w->y, s->positive[k], 1, s->term); /* positive ones are set below */
    }
    for (uint32_t k = 0; k < s->positives; k++) {
        const uint32_t i = s->positive[k];
        size_t count = 0;
        const uint32_t *above = hs_sparse_list(&m->above, i, &count);
        s->term[i] = one[i];
        for (size_t l = 0; l < count; l++)
            if (s->state[above[l]] == POSITIVE)
                s->term[i] += m->of_positive[w->y * pairs + m->above.start[i] + l];
    }
    for (uint32_t k = 0; k < s->drops; k++)
        change_by(w, s->dropped[k], DROP);

    s->parts = 0;
    memset(s->times, 0, c->units * sizeof *s->times);
    for (int narrow = 0; narrow < 2; narrow++) /* rows of one kind stand together */
        for (uint32_t k = 0; k < s->positives; k++) {
            const uint32_t u = w->unit[s->positive[k]];
            if ((u >= c->wide) == narrow && s->times[u]++ == 0)
                s->part[s->parts++] = u;
        }
    for (uint32_t k = 0; k < s->parts; k++) { /* positive parents; each pair of units once */
        const uint32_t u = s->part[k], own = counts[u];
        const struct row row = row_of(m, c, u, s->buffer);
        double sum = (s->times[u] - 1) * (log_pair[own] - log_pair[0]);
        for (uint32_t l = 0; l < k; l++) {
            const uint32_t v = s->part[l], both = joint(&row, v);
            const double with = log_pair[both];
            sum += s->times[v] * (with - log_pair[own - both]);
            s->change[v] += s->times[u] * (with - log_pair[counts[v] - both]);
        }
        s->change[u] = sum;
    }
    for (uint32_t k = 0; k < s->positives; k++)
        s->term[s->positive[k]] += s->change[w->unit[s->positive[k]]];
    struct factors f;
    start_product(&s->of_units, 0, units);
    for (uint32_t part = 0, used = 0; next_factors(w, &part, &used, &f);)
        multiply_units(&f, m->without + c->lane, units, &s->of_units);
    for (size_t v = 0; v < units; v++)
        s->change[v] = log_of(&s->of_units, v);
    for (uint32_t k = 0; k < s->parents; k++)
        if (s->state[s->parent[k]] == NEGATIVE)
            s->term[s->parent[k]] += s->change[w->unit[s->parent[k]]];
}

static void sum_from_nothing(const struct view *w)
{
    struct scratch *s = w->s;
    for (uint32_t k = 0; k < s->parents; k++) {
        const uint32_t i = s->parent[k], own = w->positive[i];
        s->term[i] = w->m->log_parent[s->state[i] == POSITIVE ? own : w->c->size - own];
    }
    for (uint32_t k = 0; k < s->positives; k++)
        change_by(w, s->positive[k], ADD_POSITIVE);
    for (uint32_t k = 0; k < s->negatives; k++)
        change_by(w, s->negative[k], ADD_NEGATIVE);
}

/* log P(x_i | y) of a selected feature. */
static double naive_factor(const struct view *w, uint32_t i)
{
    const uint32_t with = w->positive[i], size = w->c->size;
    return w->m->log_pair[w->s->state[i] == POSITIVE ? with : size - with] - w->m->log_total[size];
}

/* log of the sum over parents, for a class, without terms that are the same for all classes. If no
 * feature may be a parent: naive Bayes, as in WEKA. */
static double log_of_class(const struct view *w)
{
    const hs_aode *m = w->m;
    const struct scratch *s = w->s;
    const uint32_t size = w->c->size;
    double largest = -INFINITY, total = 0;
    if (!s->parents) {
        bool laplace = m->options.smoothing == HS_AODE_LAPLACE;
        double sum = log(size + (laplace ? 1 : m->options.weight / m->classes));
        for (uint32_t i = 0; i < m->n; i++)
            if (s->state[i])
                sum += naive_factor(w, i);
        return sum;
    }
    if (s->from_base)
        sum_from_base(w);
    else
        sum_from_nothing(w);
    for (uint32_t k = 0; k < s->parents; k++) {
        const double term = s->term[s->parent[k]];
        largest = term > largest ? term : largest;
    }
    const double least = -SHARE - log(m->n);
    for (uint32_t k = 0; k < s->parents; k++) {
        const double less = s->term[s->parent[k]] - largest;
        if (less > least)
            total += exp(less);
    }
    return largest + log(total);
}

static struct view view_of(const hs_aode *m, uint32_t y, struct scratch *s)
{
    return (struct view){
        m, &m->of_class[y], m->positive + (size_t)y * m->n, m->unit + (size_t)y * m->n, s, y};
}

static int aode_predict(const void *pointer, const hs_batch *batch, void *scratch,
                        double *probability, double *score, hsel_error *error)
{
    const hs_aode *m = pointer;
    (void)error;
    for (uint32_t at = 0; at < batch->count; at++, probability += m->classes, score += m->classes) {
        take_instance(m, batch, at, scratch);
        for (uint32_t y = 0; y < m->classes; y++) {
            struct view w = view_of(m, y, scratch);
            probability[y] = log_of_class(&w) + m->log_weight[y];
        }
        hs_normalise_logs(probability, score, m->classes);
    }
    return HSEL_OK;
}

/* ---- explaining ----
 * The logarithm of a class is that of a sum over parents i, log sum exp a_i = sum w_i a_i + H(w),
 * where w_i is the share of parent i in the sum and H their entropy. In a_i the factor of a child
 * contributes to the child; P(y,x_i) is P(y), which goes to the prior, times P(x_i | y), which goes
 * to i; the entropy goes to the prior. Parents with a negligible share are skipped: O(K n) for each
 * of the others. */

/* Adds `weight` times the factors of estimator i to those of their features; those of its ancestors
 * (`above`) are P(x_j | y), or nothing. `total`: the logarithm that P(y) has in P(y,x_i). */
static void add_estimator(const struct view *w, uint32_t i, const uint32_t *above, size_t count,
                          double weight, double total, double *term)
{
    const hs_aode *m = w->m;
    const struct row row = row_of(m, w->c, w->unit[i], w->s->buffer);
    const bool has = w->s->state[i] == POSITIVE;
    const uint32_t size = w->c->size, own = has ? w->positive[i] : size - w->positive[i];
    for (size_t k = 0; k < m->n + count; k++) { /* all, then what ancestors have instead */
        const uint32_t j = k < m->n ? (uint32_t)k : above[k - m->n];
        const bool value = w->s->state[j] == POSITIVE;
        const uint32_t all = w->positive[j], both = joint(&row, w->unit[j]),
                       with = has ? both : all - both;
        const double says = m->log_pair[value ? with : own - with] - m->log_total[own];
        const double instead = m->form == HS_AODE_LITE
                                   ? 0
                                   : m->log_pair[value ? all : size - all] - m->log_total[size];
        if (w->s->state[j] != NOT_SELECTED)
            term[(size_t)m->feature[j] * m->classes + w->y] +=
                weight * (i == j     ? m->log_parent[own] - total
                          : k < m->n ? says
                                     : instead - says);
    }
}

static int aode_contributions(const void *pointer, const hs_batch *one, void *scratch,
                              uint32_t label, double *prior, double *contribution,
                              hsel_error *error)
{
    const hs_aode *m = pointer;
    struct scratch *s = scratch;
    const bool laplace = m->options.smoothing == HS_AODE_LAPLACE;
    const double added = laplace ? 2 : m->options.weight / m->classes; /* over both values of i */
    HS_OWNED double *term = HS_NEW_ZERO(double, (size_t)m->features * m->classes);
    HS_OWNED double *log_prior = HS_NEW(double, m->classes);
    HS_NEED(term && log_prior);
    take_instance(m, one, 0, s);
    for (uint32_t y = 0; y < m->classes; y++) {
        const struct view w = view_of(m, y, s);
        const double logarithm = log_of_class(&w);
        log_prior[y] = log(w.c->size + (s->parents || !laplace ? added : 1));
        for (uint32_t i = 0; !s->parents && i < m->n; i++) /* naive Bayes */
            if (s->state[i])
                term[(size_t)m->feature[i] * m->classes + y] = naive_factor(&w, i);
        for (uint32_t k = 0; k < s->parents; k++) {
            const uint32_t i = s->parent[k];
            const double less = s->term[i] - logarithm;
            size_t count = 0;
            const uint32_t *above = hs_sparse_list(&m->above, i, &count);
            if (less <= -SHARE - log(m->n))
                continue;
            log_prior[y] -= exp(less) * less;
            add_estimator(&w, i, above, count, exp(less), log(w.c->size + added), term);
        }
    }
    for (uint32_t y = 0; y < m->classes; y++)
        log_prior[y] += m->log_weight[y];
    *prior =
        hs_contributions_of_terms(log_prior, term, m->features, m->classes, label, contribution);
    return HSEL_OK;
}

/* ---- model files ----
 * Settings, features in use and the training rows, from which everything else is counted again.
 * Rows are far smaller than joint counts, and less can be wrong with them.
 *
 *     6 numbers: features, classes, rows, frequency, smoothing, features in use; weight, memory
 *     the features in use; the rows of each class; of each row the number of positives, and these
 *     class weights
 */

static int aode_fields(void *model, const hsel_dataset *shape, hs_transfer *file, hsel_error *error)
{
    hs_aode *m = model;
    hs_aode_options *o = &m->options;
    if (hs_reads(file) && (m->classes == 0 || (m->form != HS_AODE_PLAIN && !shape->dag)))
        return HSEL_EFORMAT;
    HS_FIELDS(file, HS_SHAPE(m), HS_VALUE(m->rows.lists, HS_ANY), HS_VALUE(o->frequency, HS_ANY),
              HS_VALUE(o->smoothing, 0, HS_AODE_M_ESTIMATE), HS_VALUE(m->n, 0, m->features),
              HS_VALUE(o->weight, 0.000001, 1000000), HS_VALUE(o->memory, 0, 1000000000));
    HS_FIELDS(file, HS_LIST(m->feature, m->n, HS_ASCENDING(m->features)));
    if (hs_reads(file)) {
        HS_NEED(HS_LISTS(NULL, m, HS_PART(m, place, m->features),
                         HS_PART(m, class_start, (size_t)m->classes + 1)));
        memset(m->place, 0xff, m->features * sizeof *m->place); /* HSEL_NONE */
        for (uint32_t i = 0; i < m->n; i++)
            m->place[m->feature[i]] = i;
    }
    for (uint32_t y = 0, *start = m->class_start; y < m->classes; y++) {
        uint32_t size = start[y + 1] - start[y];
        HS_FIELDS(file, HS_VALUE(size, 0, m->rows.lists - start[y]));
        if (hs_reads(file))
            start[y + 1] = start[y] + size;
    }
    HS_TRY(hs_rows_fields(&m->rows, m->n, file, error));
    HS_TRY(hs_log_weights_fields(m->log_weight, m->classes, file, error));
    if (!hs_reads(file))
        return HSEL_OK;
    if (m->class_start[m->classes] != m->rows.lists)
        return HSEL_EFORMAT;
    return aode_prepare(m, m->form == HS_AODE_PLAIN ? NULL : shape->dag, 1, NULL, error);
}

/* ---- the three methods ---- */

/* Slot `memory` of hs_method. */
static double aode_memory_needed(const hs_size *size, const void *options)
{
    const double limit = ((const hs_aode_options *)options)->memory * HS_MEGABYTE,
                 pairs = size->classes * size->features * size->features / 2;
    return fmin(limit, pairs + size->features * (100 + 100 * size->classes) + 16 * size->values);
}

#define DEFINE_FORM(METHOD, FORM, FLAGS, NAME, TITLE, HELP, CITATION)                              \
    static int fit_##METHOD(const hs_training *training, const void *options, void **model,        \
                            hsel_error *error)                                                     \
    {                                                                                              \
        return aode_fit(FORM, training, options, model, error);                                    \
    }                                                                                              \
    static void *new_##METHOD(const hsel_dataset *shape) { return aode_model_new(FORM, shape); }   \
    static const hs_classifier functions_of_##METHOD = {.fit = fit_##METHOD,                       \
                                                        .predict = aode_predict,                   \
                                                        .scratch_new = aode_scratch_new,           \
                                                        .scratch_free = hs_free,                   \
                                                        .contributions = aode_contributions,       \
                                                        .name = "AODE",                            \
                                                        .make = new_##METHOD,                      \
                                                        .fields = aode_fields,                     \
                                                        .free = aode_model_free};                  \
    const hs_method hs_method_##METHOD = {.kind = HS_CLASSIFIER,                                   \
                                          .name = NAME,                                            \
                                          .title = TITLE,                                          \
                                          .help = HELP,                                            \
                                          .citation = CITATION,                                    \
                                          .flags = HS_NEEDS_CLASSES | HS_PREDICTS_ON_MASK | FLAGS, \
                                          .options = table,                                        \
                                          .options_size = sizeof(hs_aode_options),                 \
                                          .check = hs_adjust_check,                                \
                                          .memory = aode_memory_needed,                            \
                                          .classifier = &functions_of_##METHOD};
#define PGM "Wan, Freitas (2020), Proceedings of Machine Learning Research 138 (PGM), equation "

DEFINE_FORM(
    aode, HS_AODE_PLAIN, 0, "aode", "averaged one-dependence estimators",
    "Averages naive Bayes classifiers in each of which one feature is an additional parent of all "
    "others; smoothed as in WEKA, but computed with logarithms, which works for any number of "
    "features. With a lazy selector, only selected features are parents and children.",
    "Webb, Boughton, Wang (2005), Machine Learning 58:5-24; Wan, Freitas (2020), "
    "equation 1; WEKA's AODE")
DEFINE_FORM(hie_aode, HS_AODE_HIE, HS_NEEDS_HIERARCHY, "hie-aode",
            "AODE without dependencies on descendants",
            "AODE in which no feature depends on one of its descendants: for the ancestors of the "
            "parent feature, P(x|class) replaces P(x|class, parent).",
            PGM "2")
DEFINE_FORM(hie_aode_lite, HS_AODE_LITE, HS_NEEDS_HIERARCHY, "hie-aode-lite",
            "AODE without the ancestors of the parent",
            "AODE in which the ancestors of the parent feature are left out of its estimator. As "
            "published, estimators are not corrected for different numbers of factors.",
            PGM "3")

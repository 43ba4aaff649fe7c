/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * AODE (averaged one-dependence estimators) and its two forms for features in a hierarchy. Each
 * feature in turn is the parent of all others in a naive Bayes; what these say is averaged:
 *
 *     P(y|x) ~ sum over parents i of P(y,x_i) * prod over j != i of P(x_j | y,x_i)         (Eq. 1)
 *     P(y,x_i) = (n(y,x_i) + 1) / (N + 2K),  P(x_j | y,x_i) = (n(y,x_i,x_j) + 1) / (n(y,x_i) + 2)
 *
 * hie-aode: of the ancestors j of i, P(x_j | y) = (n(y,x_j) + 1) / (n_y + 2) instead       (Eq. 2)
 * hie-aode-lite: the ancestors of i are left out                                          (Eq. 3)
 *
 * The value of i must occur `frequency` times in training for i to be a parent; without any parent
 * naive Bayes decides, as in WEKA. Webb, Boughton, Wang (2005); Wan, Freitas (2020), equations 1 to
 * 3; counts, smoothing and limit as WEKA's AODE has them. We differ from WEKA in summing
 * logarithms: it multiplies, and with more than 1,000 features its products become 0. Ancestors are
 * those by reachability, also through features that are not in use. A lazy selection takes parents
 * and children from the selected features: the same as fitting on these alone.
 *
 * Time: fitting O(sum over instances of positives^2), or O(n^2 N / 64) if that is less, and
 * O(K n^2); predicting O(K n positives). Memory K n^2 counts of 2 bytes, or rows of as many
 * features as the option `memory` has room for, those with most instances first; the others are
 * counted when an instance asks for them, which gives the same numbers later. Equal probabilities
 * go to the lowest class.
 */
#include "classify/aode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "data/bits.h"
#include "data/dag.h"

#define BLOCK      16    /* rows of joint counts per task */
#define ROWS       4     /* rows swept together, so that sums are loaded and stored less often */
#define NEGLIGIBLE (-60) /* logarithm of a share that no sum of doubles notices */

static const hs_option table[] = {
    HS_ADJUST,
    HS_OPTION(hs_aode_options, frequency, "frequency", "N", "1", 0, 1000000000,
              "training instances that must have a feature's value for it to be a parent"),
    HS_CHOICE(hs_aode_options, smoothing, "smoothing", "laplace|m-estimate", "laplace",
              "how probabilities are estimated from counts"),
    HS_OPTION(hs_aode_options, weight, "weight", "W", "1", 0.000001, 1000000,
              "instances that the prior of the m-estimate stands for"),
    HS_OPTION(hs_aode_options, memory, "memory", "MB", "1024", 0, 1000000000,
              "memory that the model may take, in MB; what does not fit is counted again for each "
              "prediction"),
    HS_OPTION_END};

static const char *const names[] = {"aode", "hie-aode", "hie-aode-lite"};

static size_t row_bytes(const hs_aode *m) { return hs_aode_row_cells(m) * hs_aode_cell_bytes(m); }

static void model_free(void *pointer)
{
    hs_aode *m = pointer;
    if (!m)
        return;
    hs_sparse_clear(&m->rows);
    hs_sparse_clear(&m->columns);
    hs_sparse_clear(&m->below);
    hs_free_aligned(m->bits);
    HS_FREE(m->place, m->feature, m->class_start, m->class_of, m->positive, m->log_pair,
            m->log_total, m->log_parent, m->base, m->ancestors, m->slot, m->table, m->may_be_parent,
            m->class_word, m);
}
HS_RELEASE(model_release, hs_aode, model_free)

/* ---- joint counts ----
 * How often features i and j are positive together in class y, one row (all i and y) per feature j.
 * A row is counted from the instances that have j, O(sum of their positive features), or, when that
 * is dearer, by popcount over columns of bits, O(n x instances / 64). Rows do not depend on each
 * other, so they are counted in parallel, each by one thread. Then the sums over all other features
 * being negative, from which predictions start. */

#define DEFINE_KERNELS(NAME, CELL)                                                                 \
    static void count_lists_##NAME(const hs_aode *m, uint32_t j, CELL *out)                        \
    {                                                                                              \
        size_t count, length;                                                                      \
        const uint32_t *column = hs_sparse_list(&m->columns, j, &count);                           \
        for (size_t t = 0; t < count; t++) {                                                       \
            const uint32_t *row = hs_sparse_list(&m->rows, column[t], &length);                    \
            CELL *in_class = out + (size_t)m->class_of[column[t]] * m->n;                          \
            for (size_t i = 0; i < length; i++)                                                    \
                in_class[row[i]]++;                                                                \
        }                                                                                          \
    }                                                                                              \
    static void count_bits_##NAME(const hs_aode *m, uint32_t j, CELL *out)                         \
    {                                                                                              \
        const uint64_t *own = m->bits + j * m->words;                                              \
        for (uint32_t y = 0; y < m->classes; y++) {                                                \
            size_t from = m->class_word[y], words = m->class_word[y + 1] - from;                   \
            for (uint32_t i = 0; i < m->n; i++)                                                    \
                out[(size_t)y * m->n + i] =                                                        \
                    (CELL)hs_bits_count_and(own + from, m->bits + i * m->words + from, words);     \
        }                                                                                          \
    }                                                                                              \
    /* Adds the logarithms of n(y, x_i = 0, x_j = 0) and n(y, x_i = 1, x_j = 0) over j in [from,   \
     * to); four sums at a time, so that no addition waits for the one before. */                  \
    static void sum_##NAME(const hs_aode *m, uint32_t y, uint32_t i, const CELL *row,              \
                           uint32_t from, uint32_t to, double *sum)                                \
    {                                                                                              \
        const uint32_t *positive = m->positive + (size_t)y * m->n, own = positive[i];              \
        const double *with = m->log_pair + own,                                                    \
                     *without = m->log_pair + (hs_aode_class_size(m, y) - own);                    \
        double zero[4] = {0}, one[4] = {0};                                                        \
        uint32_t j = from;                                                                         \
        for (; j + 4 <= to; j += 4)                                                                \
            for (int k = 0; k < 4; k++) {                                                          \
                ptrdiff_t both = row[j + k];                                                       \
                zero[k] += without[both - (ptrdiff_t)positive[j + k]];                             \
                one[k] += with[-both];                                                             \
            }                                                                                      \
        for (; j < to; j++) {                                                                      \
            ptrdiff_t both = row[j];                                                               \
            zero[0] += without[both - (ptrdiff_t)positive[j]];                                     \
            one[0] += with[-both];                                                                 \
        }                                                                                          \
        sum[0] += (zero[0] + zero[1]) + (zero[2] + zero[3]);                                       \
        sum[1] += (one[0] + one[1]) + (one[2] + one[3]);                                           \
    }

DEFINE_KERNELS(narrow, uint16_t)
DEFINE_KERNELS(wide, uint32_t)

static void count_row(const hs_aode *m, uint32_t j, void *out)
{
    if (!m->bits)
        memset(out, 0, hs_aode_row_cells(m) * hs_aode_cell_bytes(m));
    if (m->bits && m->wide)
        count_bits_wide(m, j, out);
    else if (m->bits)
        count_bits_narrow(m, j, out);
    else if (m->wide)
        count_lists_wide(m, j, out);
    else
        count_lists_narrow(m, j, out);
}

static void *kept_row(const hs_aode *m, uint32_t j)
{
    return (char *)m->table + m->slot[j] * row_bytes(m);
}

/* The joint counts of feature j with all others, [K * n]: those of the table, or counted into
 * `buffer`, which holds a row. */
static const void *row_of(const hs_aode *m, uint32_t j, void *buffer)
{
    if (m->slot[j] != HSEL_NONE)
        return kept_row(m, j);
    count_row(m, j, buffer);
    return buffer;
}

/* Number `at` of a row. */
static inline uint32_t joint(const hs_aode *m, const void *row, size_t at)
{
    return m->wide ? ((const uint32_t *)row)[at] : ((const uint16_t *)row)[at];
}

struct counting {
    hs_aode *m;
    const hs_sparse *above; /* ancestors; no lists in the plain form */
    const hs_progress *progress;
    char *buffers; /* a row per thread, for rows that are not kept */
};

static void sum_range(const hs_aode *m, uint32_t y, uint32_t i, const void *row, uint32_t from,
                      uint32_t to, double *sum)
{
    if (m->wide)
        sum_wide(m, y, i, (const uint32_t *)row + (size_t)y * m->n, from, to, sum);
    else
        sum_narrow(m, y, i, (const uint16_t *)row + (size_t)y * m->n, from, to, sum);
}

static int count_block(void *context, size_t index, int worker, hsel_error *error)
{
    const struct counting *c = context;
    hs_aode *m = c->m;
    uint32_t from = (uint32_t)index * BLOCK, to = from + BLOCK < m->n ? from + BLOCK : m->n;
    for (uint32_t i = from; i < to; i++) {
        void *row =
            m->slot[i] != HSEL_NONE ? kept_row(m, i) : c->buffers + (size_t)worker * row_bytes(m);
        size_t count = 0;
        const uint32_t *above = c->above->lists ? hs_sparse_list(c->above, i, &count) : NULL;
        count_row(m, i, row);
        for (uint32_t y = 0; y < m->classes; y++) {
            const uint32_t *positive = m->positive + (size_t)y * m->n;
            const uint32_t size = hs_aode_class_size(m, y);
            double sum[2] = {0, 0};
            sum_range(m, y, i, row, 0, i, sum);
            sum_range(m, y, i, row, i + 1, m->n, sum);
            /* Ancestors of i are not children of i: their part of the sums goes, and P(x_j = 0 | y)
             * takes its place in the form that keeps them. */
            for (size_t a = 0; a < count; a++) {
                uint32_t j = above[a], both = joint(m, row, (size_t)y * m->n + j);
                double own = m->form == HS_AODE_HIE
                                 ? m->log_pair[size - positive[j]] - m->log_total[size]
                                 : 0;
                sum[0] += own - m->log_pair[size - positive[i] - positive[j] + both];
                sum[1] += own - m->log_pair[positive[i] - both];
            }
            m->base[(size_t)y * m->n + i] = sum[0];
            m->base[((size_t)m->classes + y) * m->n + i] = sum[1];
        }
    }
    return hs_progress_report(c->progress, from, m->n, "features", error);
}

/* In nanoseconds, about: 1 for a step along a list; 0.5 for a word of bits, and 3 per class for
 * going from one pair to the next. */
static bool bits_are_cheaper(const hs_aode *m)
{
    double lists = 0, pairs = (double)m->n * m->n;
    for (uint32_t t = 0; t < m->rows.lists; t++) {
        double length = (double)(m->rows.start[t + 1] - m->rows.start[t]);
        lists += length * length;
    }
    return pairs * (0.5 * (double)m->words + 3 * m->classes) < lists;
}

/* ---- fitting ---- */

/* The features in use, and the rows with a class, class by class. */
static int take_rows(hs_aode *m, const hs_training *training, hsel_error *error)
{
    const hsel_dataset *data = training->view.data;
    HS_OWNS(hs_sparse_clear) hs_sparse by_class = {0};
    HS_OWNED uint32_t *labelled = NULL;
    uint32_t rows;
    uint64_t values = 0, at = 0;
    size_t count;
    HS_TRY(hs_training_rows(training, true, &labelled, &rows, error));
    m->place = HS_NEW(uint32_t, m->features);
    m->feature = HS_NEW(uint32_t, m->features);
    m->class_of = HS_NEW(uint32_t, rows);
    m->rows.start = HS_NEW_ZERO(uint64_t, (size_t)rows + 1);
    HS_NEED(m->place && m->feature && m->class_of && m->rows.start);
    for (uint32_t f = 0; f < m->features; f++) {
        bool used = hs_view_has(&training->view, f) && data->types[f] == HSEL_BINARY;
        m->place[f] = used ? m->n : HSEL_NONE;
        if (used)
            m->feature[m->n++] = f;
    }
    for (uint32_t r = 0; r < rows; r++) {
        const uint32_t *row = hs_row(data, labelled[r], &count);
        m->class_of[r] = data->class_of[labelled[r]]; /* until they are grouped */
        for (size_t k = 0; k < count; k++)
            values += m->place[row[k]] != HSEL_NONE;
    }
    HS_TRY(hs_sparse_group(m->classes, m->class_of, labelled, rows, &by_class, error));
    m->class_start = HS_NEW(uint32_t, (size_t)m->classes + 1);
    HS_NEED((m->rows.index = HS_NEW(uint32_t, values)) && m->class_start);
    for (uint32_t c = 0; c <= m->classes; c++)
        m->class_start[c] = (uint32_t)by_class.start[c];
    for (; m->rows.lists < rows; m->rows.start[m->rows.lists] = at) {
        uint32_t t = by_class.index[m->rows.lists];
        const uint32_t *row = hs_row(data, t, &count);
        for (size_t k = 0; k < count; k++)
            if (m->place[row[k]] != HSEL_NONE)
                m->rows.index[at++] = m->place[row[k]];
        m->class_of[m->rows.lists++] = data->class_of[t];
    }
    return HSEL_OK;
}

struct support {
    uint64_t instances;
    uint32_t place;
};

static int by_support(const void *a, const void *b)
{
    const struct support *x = a, *y = b;
    if (x->instances != y->instances)
        return x->instances < y->instances ? 1 : -1;
    return x->place < y->place ? -1 : 1;
}

static size_t buffer_bytes(const hs_aode *m) { return m->kept < m->n ? ROWS * row_bytes(m) : 0; }

/* Memory, said before it is taken: how many rows of joint counts can be kept. Nothing is kept so
 * far, which needs the largest scratch. */
static int plan(hs_aode *m, uint64_t ancestors, int threads, hsel_error *error)
{
    double values = (double)m->rows.start[m->rows.lists], cells = (double)m->classes * m->n;
    double bits = bits_are_cheaper(m) ? (double)m->n * (double)m->words * sizeof(uint64_t) : 0;
    double scratch =
        (double)(2 * hs_aode_row_cells(m) * sizeof(double) + (size_t)m->n * 21 + buffer_bytes(m));
    double row = (double)row_bytes(m), limit = m->options.memory * HS_MEGABYTE;
    double least = m->least =
        values * 2 * sizeof(uint32_t) + (double)m->rows.lists * 12 + (double)m->features * 8 +
        (double)m->n * 30 + cells * (sizeof(uint32_t) + 2 * sizeof(double)) +
        (double)ancestors * 2 * sizeof(uint32_t) + bits + scratch * hs_threads(threads);
    double rows = row > 0 ? (limit - least) / row : 0;
    if (least > limit)
        return hs_fail(
            error, HSEL_ELIMIT,
            "%s on %u features and %u classes needs %.1f MB at least, and %g MB with all "
            "joint counts; it may take %g: select features first, or raise memory=",
            names[m->form], m->n, m->classes, ceil(least / HS_MEGABYTE * 10) / 10,
            ceil((least + row * m->n) / HS_MEGABYTE), m->options.memory);
    m->kept = rows < m->n ? (uint32_t)rows : m->n;
    return HSEL_OK;
}

/* From rows, classes and features in use to the rest. `dag` NULL: plain form. */
static int prepare(hs_aode *m, const hsel_dag *dag, int threads, const hs_progress *progress,
                   hsel_error *error)
{
    const bool laplace = m->options.smoothing == HS_AODE_LAPLACE;
    const double weight = m->options.weight;
    HS_OWNS(hs_sparse_clear) hs_sparse above = {0};
    uint64_t ancestors = 0;
    uint32_t largest = 0;
    size_t count;
    HS_TRY(hs_sparse_transpose(&m->rows, m->n, &m->columns, error));
    if (dag)
        HS_TRY(hs_dag_count_ancestors(dag, threads, &ancestors, error));
    HS_NEED(m->class_word = HS_NEW_ZERO(size_t, (size_t)m->classes + 1));
    for (uint32_t y = 0; y < m->classes; y++) {
        uint32_t size = hs_aode_class_size(m, y);
        largest = size > largest ? size : largest;
        m->class_word[y + 1] = m->class_word[y] + hs_bit_words(size);
    }
    m->words = m->class_word[m->classes];
    m->wide = largest > UINT16_MAX;
    HS_TRY(plan(m, ancestors, threads, error));

    size_t numbers = (size_t)largest + 1;
    m->base = HS_NEW(double, 2 * hs_aode_row_cells(m));
    m->ancestors = HS_NEW_ZERO(uint32_t, m->n);
    m->positive = HS_NEW_ZERO(uint32_t, hs_aode_row_cells(m));
    m->may_be_parent = HS_NEW(uint8_t, 2 * (size_t)m->n);
    m->log_pair = HS_NEW(double, numbers);
    m->log_total = HS_NEW(double, numbers);
    m->log_parent = HS_NEW(double, numbers);
    m->slot = HS_NEW(uint32_t, m->n);
    HS_OWNED struct support *order = HS_NEW(struct support, m->n);
    HS_NEED(m->base && m->ancestors && m->positive && m->may_be_parent && m->log_pair &&
            m->log_total && m->log_parent && m->slot && order);
    for (size_t k = 0; k < numbers; k++) {
        m->log_pair[k] = log((double)k + (laplace ? 1 : weight / 2));
        m->log_total[k] = log((double)k + (laplace ? 2 : weight));
        m->log_parent[k] = log((double)k + (laplace ? 1 : weight / (2.0 * m->classes)));
    }
    for (uint32_t j = 0; j < m->n; j++) {
        const uint32_t *column = hs_sparse_list(&m->columns, j, &count);
        for (size_t t = 0; t < count; t++)
            m->positive[(size_t)m->class_of[column[t]] * m->n + j]++;
        m->may_be_parent[j] = m->rows.lists - count >= m->options.frequency;
        m->may_be_parent[(size_t)m->n + j] = count >= m->options.frequency;
        order[j] = (struct support){count, j};
    }
    if (dag) { /* ancestors in use; `ancestors` is at least their number */
        HS_OWNS(hs_reach_clear) hs_reach reach = {0};
        uint64_t at = 0;
        above.start = HS_NEW_ZERO(uint64_t, (size_t)m->n + 1);
        above.index = HS_NEW(uint32_t, ancestors);
        above.lists = m->n;
        HS_NEED(above.start && above.index);
        HS_TRY(hs_reach_init(&reach, dag, error));
        for (uint32_t i = 0; i < m->n; i++) {
            hs_reach_start(&reach, m->feature[i]);
            for (uint32_t f; (f = hs_reach_next(&reach)) != HSEL_NONE;)
                if (m->place[f] != HSEL_NONE)
                    above.index[at++] = m->place[f];
            above.start[i + 1] = at;
            m->ancestors[i] = (uint32_t)(at - above.start[i]);
        }
        HS_TRY(hs_sparse_transpose(&above, m->n, &m->below, error));
    }

    /* The rows that are kept are those of the most frequent features, which are asked for most
     * often and take longest to count. */
    if (m->kept < m->n)
        qsort(order, m->n, sizeof *order, by_support);
    for (uint32_t k = 0; k < m->n; k++)
        m->slot[order[k].place] = k < m->kept ? k : HSEL_NONE;
    if (bits_are_cheaper(m)) {
        HS_NEED(m->bits = hs_alloc_aligned((size_t)m->n * m->words, sizeof *m->bits));
        for (uint32_t j = 0; j < m->n; j++) {
            const uint32_t *column = hs_sparse_list(&m->columns, j, &count);
            for (size_t t = 0; t < count; t++) {
                uint32_t y = m->class_of[column[t]];
                hs_bit_set(m->bits + j * m->words + m->class_word[y],
                           column[t] - m->class_start[y]);
            }
        }
    }
    HS_OWNED char *buffers =
        hs_alloc(m->kept < m->n ? (size_t)hs_threads(threads) : 0, row_bytes(m));
    HS_NEED(buffers && (m->table = hs_alloc(m->kept, row_bytes(m))));
    HS_TRY(hs_parallel_for((m->n + BLOCK - 1) / BLOCK, threads, count_block,
                           &(struct counting){m, &above, progress, buffers}, error));
    if (m->kept == m->n) { /* nothing is counted later */
        hs_free_aligned(m->bits);
        m->bits = NULL;
    }
    return HSEL_OK;
}

static void *model_new(hs_aode_form form, const hsel_dataset *shape)
{
    hs_aode *m = HS_NEW_ZERO(hs_aode, 1);
    if (m)
        *m = (hs_aode){
            .form = form, .features = shape->features, .classes = shape->class_names.count};
    return m;
}

static int fit(hs_aode_form form, const hs_training *training, const void *options, void **out,
               hsel_error *error)
{
    const hsel_dataset *data = training->view.data;
    if (form != HS_AODE_PLAIN && !data->dag)
        return hs_fail(error, HSEL_EUSAGE, "%s needs a hierarchy, and %s has none", names[form],
                       hsel_dataset_name(data));
    HS_OWNS(model_release) hs_aode *m = model_new(form, data);
    HS_NEED(m);
    m->options = *(const hs_aode_options *)options;
    HS_TRY(take_rows(m, training, error));
    HS_TRY(prepare(m, form == HS_AODE_PLAIN ? NULL : data->dag, training->threads,
                   training->progress, error));
    *out = hs_take(&m);
    return HSEL_OK;
}

/* ---- predicting ----
 * The logarithm of what parent i says of class y is
 *
 *     log(n(y,x_i) + h) + sum over its children j of [log(n(y,x_i,x_j) + a) - log(n(y,x_i) + 2a)]
 *
 * less a constant that all share. An instance has few positive features: the sum over every child
 * being negative is kept ready, and each positive feature corrects it for all parents at once,
 * which is one pass over its row of joint counts. A lazy selection either drops features from that
 * sum in the same way, or starts from nothing and adds what was selected, whichever takes fewer
 * steps.
 *
 * In the hierarchical forms the children that are ancestors of i are corrected back afterwards.
 * Sums over parents are taken from logarithms less their maximum, so nothing underflows.
 *
 * Time O(K n positives), with a small selection O(K selected^2). Allocates nothing.
 */

enum state { NOT_SELECTED, NEGATIVE, POSITIVE };

/* What a feature does to the sums of all parents. */
typedef enum effect_kind {
    FLIP,         /* it is positive: takes its negative factor away and puts the positive one in */
    DROP,         /* it is not selected: takes its negative factor away */
    ADD_POSITIVE, /* starting from nothing: puts its factor in */
    ADD_NEGATIVE
} effect_kind;

struct scratch {                                      /* in one block with its lists */
    double *sum;                                      /* [2 * K * n], as base */
    uint32_t *ancestors;                              /* [n]: selected ones */
    uint32_t *positive, *negative, *dropped, *parent; /* [n] each; places */
    uint32_t positives, negatives, drops, parents, selected;
    bool from_base;
    char *buffer;   /* ROWS rows */
    uint8_t *state; /* [n] */
};

static int scratch_new(const void *model, void **out, hsel_error *error)
{
    const hs_aode *m = model;
    const size_t n = m->n;
    struct scratch *s =
        HS_BLOCK(s, HS_PART(s, sum, 2 * hs_aode_row_cells(m)), HS_PART(s, ancestors, n),
                 HS_PART(s, positive, n), HS_PART(s, negative, n), HS_PART(s, dropped, n),
                 HS_PART(s, parent, n), HS_PART(s, buffer, buffer_bytes(m)), HS_PART(s, state, n));
    HS_NEED(*out = s);
    return HSEL_OK;
}

static uint32_t take(const hs_aode *m, const uint32_t *feature, size_t count, enum state state,
                     uint8_t *states, uint32_t *out)
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

/* Which features take part, where the sums start from, and which may be parents. */
static void take_selection(const hs_aode *m, const uint32_t *row, size_t count,
                           const hs_selection *selection, struct scratch *s)
{
    bool all_negative = !selection || selection->all_negative;
    s->drops = s->negatives = 0;
    memset(s->state, all_negative ? NEGATIVE : NOT_SELECTED, m->n);
    if (all_negative)
        take(m, row, count, NOT_SELECTED, s->state, NULL);
    else
        s->negatives = take(m, selection->negative, selection->negative_count, NEGATIVE, s->state,
                            s->negative);
    s->positives =
        take(m, selection ? selection->positive : row,
             selection ? selection->positive_count : count, POSITIVE, s->state, s->positive);
    uint64_t rows = s->negatives + s->positives, others = m->n - s->negatives;
    s->from_base = all_negative || others * m->n < rows * rows;
    for (uint32_t i = 0; (!all_negative || selection) && s->from_base && i < m->n; i++)
        if (s->state[i] == NOT_SELECTED)
            s->dropped[s->drops++] = i;
    s->selected = s->from_base ? m->n - s->drops : (uint32_t)rows;
    s->parents = 0;
    for (uint32_t k = 0; k < (s->from_base ? m->n : (uint32_t)rows); k++) {
        uint32_t i = s->from_base       ? k
                     : k < s->positives ? s->positive[k]
                                        : s->negative[k - s->positives];
        if (s->state[i] && m->may_be_parent[(size_t)(s->state[i] - NEGATIVE) * m->n + i])
            s->parent[s->parents++] = i;
    }
}

/* Counts of one pair in one class. */
struct pair {
    uint32_t both, i, j, size;
};

static inline double log_pair(const hs_aode *m, const struct pair *p, bool i_positive,
                              bool j_positive)
{
    if (i_positive)
        return m->log_pair[j_positive ? p->both : p->i - p->both];
    return m->log_pair[j_positive ? p->j - p->both : p->size - p->i - p->j + p->both];
}

static inline double effect(const hs_aode *m, effect_kind change, const struct pair *p,
                            bool i_positive)
{
    switch (change) {
    case FLIP:
        return log_pair(m, p, i_positive, true) - log_pair(m, p, i_positive, false);
    case DROP:
        return -log_pair(m, p, i_positive, false);
    case ADD_POSITIVE:
        return log_pair(m, p, i_positive, true);
    default:
        return log_pair(m, p, i_positive, false);
    }
}

/* What a row and a class are for the loops below. */
struct sweep {
    const hs_aode *m;
    struct scratch *s;
    const void *row;
    uint32_t j, y;
    effect_kind change;
};

static inline struct pair pair_of(const struct sweep *w, uint32_t i)
{
    const uint32_t *positive = w->m->positive + (size_t)w->y * w->m->n;
    return (struct pair){joint(w->m, w->row, (size_t)w->y * w->m->n + i), positive[i],
                         positive[w->j], hs_aode_class_size(w->m, w->y)};
}

static inline double *sum_of(const struct sweep *w, bool positive)
{
    return w->s->sum + ((size_t)positive * w->m->classes + w->y) * w->m->n;
}

/* The parents in a list (NULL: all), all of the same value, but not j itself. */
static void change_parents(const struct sweep *w, const uint32_t *list, uint32_t count,
                           bool positive)
{
    double *sum = sum_of(w, positive);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = list ? list[k] : k;
        struct pair p = pair_of(w, i);
        if (i != w->j)
            sum[i] += effect(w->m, w->change, &p, positive);
    }
}

/* The parents below j: P(x_j | y) in place of P(x_j | y, x_i), or nothing. */
static void change_below(const struct sweep *w)
{
    const hs_aode *m = w->m;
    const uint32_t size = hs_aode_class_size(m, w->y);
    const uint32_t positives = m->positive[(size_t)w->y * m->n + w->j];
    const double with = m->log_pair[positives], without = m->log_pair[size - positives];
    const double total = m->log_total[size];
    const double effects[] = {[FLIP] = with - without,
                              [DROP] = total - without,
                              [ADD_POSITIVE] = with - total,
                              [ADD_NEGATIVE] = without - total};
    const double other = m->form == HS_AODE_LITE ? 0 : effects[w->change];
    size_t count;
    const uint32_t *below = hs_sparse_list(&m->below, w->j, &count);
    for (size_t k = 0; k < count; k++) {
        bool positive = w->s->state[below[k]] == POSITIVE;
        struct pair p = pair_of(w, below[k]);
        if (w->s->state[below[k]] != NOT_SELECTED)
            sum_of(w, positive)[below[k]] += other - effect(m, w->change, &p, positive);
    }
}

/* Positive features, one or ROWS at once: `zero` on the sums of all parents as if they were
 * negative (what it writes for others is not looked at), `one` on those of the positive parents.
 * Written out row by row, because the compiler does not. */
struct flip {
    const hs_aode *m;
    struct scratch *s;
    const uint32_t *j;
    const void *const *rows;
    uint32_t y;
};

#define DECLARE(CELL, R)                                                                           \
    const CELL *const row##R = (const CELL *)w->rows[R] + w->y * n;                                \
    const double *const one##R = log_pair + positive[w->j[R]];                                     \
    const double *const zero##R = log_pair + (size - positive[w->j[R]]);
#define ADD_ZERO(R)                                                                                \
    both = row##R[i];                                                                              \
    value += one##R[-both] - zero##R[both - own];
#define ADD_ONE(CELL, R)                                                                           \
    both = ((const CELL *)w->rows[R])[w->y * n + i];                                               \
    value += i == w->j[R] ? 0 : log_pair[both] - log_pair[own - both];

#define DEFINE_FLIP(NAME, DECLARED, ZEROS, ONES)                                                   \
    static void flip_zero_##NAME(const struct flip *w, double *restrict sum)                       \
    {                                                                                              \
        const size_t n = w->m->n;                                                                  \
        const uint32_t *restrict positive = w->m->positive + w->y * n;                             \
        const uint32_t size = hs_aode_class_size(w->m, w->y);                                      \
        const double *const log_pair = w->m->log_pair;                                             \
        DECLARED                                                                                   \
        for (size_t i = 0; i < n; i++) {                                                           \
            ptrdiff_t own = positive[i], both;                                                     \
            double value = sum[i];                                                                 \
            ZEROS                                                                                  \
            sum[i] = value;                                                                        \
        }                                                                                          \
    }                                                                                              \
    static void flip_one_##NAME(const struct flip *w, double *restrict sum)                        \
    {                                                                                              \
        const size_t n = w->m->n;                                                                  \
        const uint32_t *restrict positive = w->m->positive + w->y * n;                             \
        const double *const log_pair = w->m->log_pair;                                             \
        for (uint32_t k = 0; k < w->s->positives; k++) {                                           \
            const uint32_t i = w->s->positive[k];                                                  \
            ptrdiff_t own = positive[i], both;                                                     \
            double value = sum[i];                                                                 \
            ONES sum[i] = value;                                                                   \
        }                                                                                          \
    }

#define FOUR(CELL)      DECLARE(CELL, 0) DECLARE(CELL, 1) DECLARE(CELL, 2) DECLARE(CELL, 3)
#define FOUR_ZEROS      ADD_ZERO(0) ADD_ZERO(1) ADD_ZERO(2) ADD_ZERO(3)
#define FOUR_ONES(CELL) ADD_ONE(CELL, 0) ADD_ONE(CELL, 1) ADD_ONE(CELL, 2) ADD_ONE(CELL, 3)

DEFINE_FLIP(narrow, DECLARE(uint16_t, 0), ADD_ZERO(0), ADD_ONE(uint16_t, 0))
DEFINE_FLIP(narrow_four, FOUR(uint16_t), FOUR_ZEROS, FOUR_ONES(uint16_t))
DEFINE_FLIP(wide, DECLARE(uint32_t, 0), ADD_ZERO(0), ADD_ONE(uint32_t, 0))
DEFINE_FLIP(wide_four, FOUR(uint32_t), FOUR_ZEROS, FOUR_ONES(uint32_t))

static void flip(struct flip w, int count)
{
    double *zero = w.s->sum + (size_t)w.y * w.m->n, *one = zero + hs_aode_row_cells(w.m);
    if (count == ROWS) {
        (w.m->wide ? flip_zero_wide_four : flip_zero_narrow_four)(&w, zero);
        (w.m->wide ? flip_one_wide_four : flip_one_narrow_four)(&w, one);
        return;
    }
    for (; count > 0; count--, w.j++, w.rows++) {
        (w.m->wide ? flip_zero_wide : flip_zero_narrow)(&w, zero);
        (w.m->wide ? flip_one_wide : flip_one_narrow)(&w, one);
    }
}

/* One feature and any change but FLIP. */
static void change_by(const hs_aode *m, struct scratch *s, uint32_t j, effect_kind change)
{
    struct sweep w = {m, s, row_of(m, j, s->buffer), j, 0, change};
    for (; w.y < m->classes; w.y++) {
        if (s->from_base)
            change_parents(&w, NULL, m->n, false);
        else
            change_parents(&w, s->negative, s->negatives, false);
        change_parents(&w, s->positive, s->positives, true);
        if (m->form != HS_AODE_PLAIN)
            change_below(&w);
    }
    if (m->form == HS_AODE_PLAIN)
        return;
    size_t count;
    const uint32_t *below = hs_sparse_list(&m->below, j, &count);
    for (size_t k = 0; k < count; k++)
        s->ancestors[below[k]] += change == DROP ? UINT32_MAX : 1; /* one less, or one more */
}

static void sum_from_base(const hs_aode *m, struct scratch *s)
{
    size_t cells = hs_aode_row_cells(m);
    memcpy(s->sum, m->base, cells * sizeof *s->sum);
    for (uint32_t y = 0; y < m->classes; y++)
        for (uint32_t k = 0; k < s->positives; k++) {
            size_t at = cells + (size_t)y * m->n + s->positive[k];
            s->sum[at] = m->base[at];
        }
    if (m->form != HS_AODE_PLAIN)
        memcpy(s->ancestors, m->ancestors, m->n * sizeof *s->ancestors);
    for (uint32_t k = 0; k < s->positives; k += ROWS) { /* up to ROWS positive features at once */
        const uint32_t *j = s->positive + k;
        int count = s->positives - k < ROWS ? (int)(s->positives - k) : ROWS;
        const void *rows[ROWS];
        for (int r = 0; r < count; r++)
            rows[r] = row_of(m, j[r], s->buffer + (size_t)r * row_bytes(m));
        for (uint32_t y = 0; y < m->classes; y++) {
            flip((struct flip){m, s, j, rows, y}, count);
            for (int r = 0; r < count && m->form != HS_AODE_PLAIN; r++)
                change_below(&(struct sweep){m, s, rows[r], j[r], y, FLIP});
        }
    }
    for (uint32_t k = 0; k < s->drops; k++)
        change_by(m, s, s->dropped[k], DROP);
}

static void sum_from_nothing(const hs_aode *m, struct scratch *s)
{
    double *of_positive = s->sum + hs_aode_row_cells(m);
    for (uint32_t y = 0; y < m->classes; y++) {
        for (uint32_t k = 0; k < s->negatives; k++)
            s->sum[(size_t)y * m->n + s->negative[k]] = 0;
        for (uint32_t k = 0; k < s->positives; k++)
            of_positive[(size_t)y * m->n + s->positive[k]] = 0;
    }
    if (m->form != HS_AODE_PLAIN)
        memset(s->ancestors, 0, m->n * sizeof *s->ancestors);
    for (uint32_t k = 0; k < s->positives; k++)
        change_by(m, s, s->positive[k], ADD_POSITIVE);
    for (uint32_t k = 0; k < s->negatives; k++)
        change_by(m, s, s->negative[k], ADD_NEGATIVE);
}

/* log of the sum over parents, by class; what is said of all classes alike is left out. Where no
 * feature may be a parent: naive Bayes, as in WEKA. */
static double log_of_class(const hs_aode *m, struct scratch *s, uint32_t y)
{
    const uint32_t *positive = m->positive + (size_t)y * m->n, size = hs_aode_class_size(m, y);
    double *term = s->sum + (size_t)y * m->n; /* of negative parents; becomes that of any */
    const double *of_positive = term + hs_aode_row_cells(m);
    double largest = -INFINITY, total = 0;
    if (!s->parents) {
        bool laplace = m->options.smoothing == HS_AODE_LAPLACE;
        double sum = log(size + (laplace ? 1 : m->options.weight / m->classes));
        for (uint32_t i = 0; i < m->n; i++)
            if (s->state[i])
                sum += m->log_pair[s->state[i] == POSITIVE ? positive[i] : size - positive[i]] -
                       m->log_total[size];
        return sum;
    }
    for (uint32_t k = 0; k < s->parents; k++) {
        uint32_t i = s->parent[k];
        bool is_positive = s->state[i] == POSITIVE;
        uint32_t own = is_positive ? positive[i] : size - positive[i];
        double children = (double)s->selected - 1 - s->ancestors[i];
        term[i] = (is_positive ? of_positive[i] : term[i]) + m->log_parent[own] -
                  children * m->log_total[own];
        largest = term[i] > largest ? term[i] : largest;
    }
    for (uint32_t k = 0; k < s->parents; k++) {
        double less = term[s->parent[k]] - largest;
        if (less > NEGLIGIBLE)
            total += exp(less);
    }
    return largest + log(total);
}

static void log_of_classes(const hs_aode *m, const hs_batch *batch, uint32_t at, struct scratch *s,
                           double *out)
{
    size_t count;
    const uint32_t *row = hs_row(batch->data, batch->instances[at], &count);
    take_selection(m, row, count, batch->selection, s);
    if (s->parents && s->from_base)
        sum_from_base(m, s);
    else if (s->parents)
        sum_from_nothing(m, s);
    for (uint32_t y = 0; y < m->classes; y++)
        out[y] = log_of_class(m, s, y);
}

static int predict(const void *pointer, const hs_batch *batch, void *scratch, double *probability,
                   double *score, hsel_error *error)
{
    const hs_aode *m = pointer;
    (void)error;
    for (uint32_t at = 0; at < batch->count; at++, probability += m->classes, score += m->classes) {
        log_of_classes(m, batch, at, scratch, probability);
        hs_normalise_logs(probability, score, m->classes);
    }
    return HSEL_OK;
}

/* ---- explaining ----
 * The logarithm of a class is that of a sum over parents i, log sum exp a_i = sum w_i a_i + H(w),
 * where w_i is the share of parent i in the sum and H their entropy. In a_i the factor of a child
 * is the child's; P(y,x_i) is P(y), of the prior, times P(x_i | y), of i; the entropy goes to the
 * prior. Parents without a share that a sum notices cost nothing: O(K n) for each other. */

/* Adds `weight` times the factors of estimator i in class y to those of their features. */
static void add_estimator(const hs_aode *m, const struct scratch *s, const void *row,
                          const uint32_t *above, size_t count, uint32_t i, uint32_t y,
                          double weight, double total, double *term)
{
    const uint32_t *positive = m->positive + (size_t)y * m->n, size = hs_aode_class_size(m, y);
    const bool has = s->state[i] == POSITIVE;
    const uint32_t own = has ? positive[i] : size - positive[i];
    size_t next = 0;
    for (uint32_t j = 0; j < m->n; j++) {
        const bool value = s->state[j] == POSITIVE;
        struct pair p = {joint(m, row, (size_t)y * m->n + j), positive[i], positive[j], size};
        double says = log_pair(m, &p, has, value) - m->log_total[own];
        if (next < count && above[next] == j) {
            next++;
            says = m->form == HS_AODE_LITE
                       ? 0
                       : m->log_pair[value ? positive[j] : size - positive[j]] - m->log_total[size];
        }
        if (s->state[j] != NOT_SELECTED)
            term[(size_t)m->feature[j] * m->classes + y] +=
                weight * (i == j ? m->log_parent[own] - total : says);
    }
}

static int contributions(const void *pointer, const hs_batch *one, void *scratch, uint32_t label,
                         double *prior, double *contribution, hsel_error *error)
{
    const hs_aode *m = pointer;
    struct scratch *s = scratch;
    const bool laplace = m->options.smoothing == HS_AODE_LAPLACE;
    const double added = laplace ? 2 : m->options.weight / m->classes; /* over both values of i */
    HS_OWNS(hs_sparse_clear) hs_sparse above = {0};
    HS_OWNED double *term = HS_NEW_ZERO(double, (size_t)m->features * m->classes);
    HS_OWNED double *logs = HS_NEW(double, m->classes), *log_prior = HS_NEW(double, m->classes);
    HS_NEED(term && logs && log_prior);
    if (m->form != HS_AODE_PLAIN)
        HS_TRY(hs_sparse_transpose(&m->below, m->n, &above, error));
    log_of_classes(m, one, 0, s, logs);
    for (uint32_t y = 0; y < m->classes; y++) {
        const uint32_t size = hs_aode_class_size(m, y);
        log_prior[y] = log(size + (s->parents || !laplace ? added : 1));
        for (uint32_t i = 0; !s->parents && i < m->n; i++) { /* naive Bayes */
            uint32_t positive = m->positive[(size_t)y * m->n + i];
            if (s->state[i])
                term[(size_t)m->feature[i] * m->classes + y] =
                    m->log_pair[s->state[i] == POSITIVE ? positive : size - positive] -
                    m->log_total[size];
        }
    }
    for (uint32_t k = 0; k < s->parents; k++) {
        const uint32_t i = s->parent[k];
        const void *row = NULL;
        for (uint32_t y = 0; y < m->classes; y++) {
            double less = s->sum[(size_t)y * m->n + i] - logs[y];
            size_t count = 0;
            const uint32_t *ancestor = above.lists ? hs_sparse_list(&above, i, &count) : NULL;
            if (less <= NEGLIGIBLE)
                continue;
            row = row ? row : row_of(m, i, s->buffer);
            log_prior[y] -= exp(less) * less;
            add_estimator(m, s, row, ancestor, count, i, y, exp(less),
                          log(hs_aode_class_size(m, y) + added), term);
        }
    }
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
 */

static int fields(void *model, const hsel_dataset *shape, hs_transfer *file, hsel_error *error)
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
        size_t numbers = file->left / sizeof(uint32_t); /* what there is to come, at most */
        if (m->classes > numbers || m->rows.lists > numbers)
            return HSEL_EFORMAT;
        m->place = HS_NEW(uint32_t, m->features);
        m->class_start = HS_NEW_ZERO(uint32_t, (size_t)m->classes + 1);
        m->class_of = HS_NEW(uint32_t, m->rows.lists);
        m->rows.start = HS_NEW_ZERO(uint64_t, (size_t)m->rows.lists + 1);
        m->rows.index = HS_NEW(uint32_t, numbers);
        HS_NEED(m->place && m->class_start && m->class_of && m->rows.start && m->rows.index);
        memset(m->place, 0xff, m->features * sizeof *m->place); /* HSEL_NONE */
        for (uint32_t i = 0; i < m->n; i++)
            m->place[m->feature[i]] = i;
    }
    for (uint32_t y = 0, *start = m->class_start; y < m->classes; y++) {
        uint32_t size = start[y + 1] - start[y];
        HS_FIELDS(file, HS_VALUE(size, 0, m->rows.lists - start[y]));
        if (hs_reads(file))
            start[y + 1] = start[y] + size;
        for (uint32_t t = start[y]; hs_reads(file) && t < start[y + 1]; t++)
            m->class_of[t] = y;
    }
    for (uint32_t t = 0; t < m->rows.lists; t++) {
        uint64_t *start = m->rows.start + t;
        uint32_t count = (uint32_t)(start[1] - start[0]);
        HS_FIELDS(file, HS_VALUE(count, HS_ANY));
        HS_FIELDS(file, HS_VALUES(m->rows.index[start[0]], count, HS_ASCENDING(m->n)));
        if (hs_reads(file))
            start[1] = start[0] + count;
    }
    if (!hs_reads(file))
        return HSEL_OK;
    if (m->class_start[m->classes] != m->rows.lists)
        return HSEL_EFORMAT;
    return prepare(m, m->form == HS_AODE_PLAIN ? NULL : shape->dag, 1, NULL, error);
}

/* ---- the three methods ---- */

#define DEFINE_FORM(METHOD, FORM, FLAGS, NAME, TITLE, HELP, CITATION)                              \
    static int fit_##METHOD(const hs_training *training, const void *options, void **model,        \
                            hsel_error *error)                                                     \
    {                                                                                              \
        return fit(FORM, training, options, model, error);                                         \
    }                                                                                              \
    static void *new_##METHOD(const hsel_dataset *shape) { return model_new(FORM, shape); }        \
    static const hs_classifier functions_of_##METHOD = {.fit = fit_##METHOD,                       \
                                                        .predict = predict,                        \
                                                        .scratch_new = scratch_new,                \
                                                        .scratch_free = hs_free,                   \
                                                        .contributions = contributions,            \
                                                        .name = "AODE",                            \
                                                        .make = new_##METHOD,                      \
                                                        .fields = fields,                          \
                                                        .free = model_free};                       \
    const hs_method hs_method_##METHOD = {.kind = HS_CLASSIFIER,                                   \
                                          .name = NAME,                                            \
                                          .title = TITLE,                                          \
                                          .help = HELP,                                            \
                                          .citation = CITATION,                                    \
                                          .flags = HS_NEEDS_CLASSES | HS_PREDICTS_ON_MASK | FLAGS, \
                                          .options = table,                                        \
                                          .options_size = sizeof(hs_aode_options),                 \
                                          .check = hs_adjust_check,                                \
                                          .classifier = &functions_of_##METHOD};
#define PGM "Wan, Freitas (2020), Proceedings of Machine Learning Research 138 (PGM), equation "

DEFINE_FORM(aode, HS_AODE_PLAIN, 0, "aode", "averaged one-dependence estimators",
            "Averages naive Bayes classifiers in which one feature each is a further parent of all "
            "others; smoothed as in WEKA, in logarithms, so that any number of features will do. A "
            "lazy selection limits parents and children to the selected features.",
            "Webb, Boughton, Wang (2005), Machine Learning 58:5-24; Wan, Freitas (2020), "
            "equation 1; WEKA's AODE")
DEFINE_FORM(hie_aode, HS_AODE_HIE, HS_NEEDS_HIERARCHY, "hie-aode",
            "AODE without dependencies on descendants",
            "AODE in which no feature depends on one of its descendants: of the ancestors of the "
            "parent feature, P(x|class) takes the place of P(x|class, parent).",
            PGM "2")
DEFINE_FORM(hie_aode_lite, HS_AODE_LITE, HS_NEEDS_HIERARCHY, "hie-aode-lite",
            "AODE without the ancestors of the parent",
            "AODE in which the ancestors of the parent feature are left out of its estimator. As "
            "published, estimators are not evened out for having different numbers of factors.",
            PGM "3")

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Predicting with AODE and its hierarchical forms. The logarithm of what parent i says of class y
 * is
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
#include <math.h>
#include <string.h>

#include "classify/aode.h"
#include "core/mem.h"

#define ROWS       4     /* rows swept together, so that sums are loaded and stored less often */
#define NEGLIGIBLE (-60) /* logarithm of a share that no sum of doubles notices */

enum state { NOT_SELECTED, NEGATIVE, POSITIVE };

/* What a feature does to the sums of all parents. */
typedef enum effect_kind {
    FLIP,         /* it is positive: takes its negative factor away and puts the positive one in */
    DROP,         /* it is not selected: takes its negative factor away */
    ADD_POSITIVE, /* starting from nothing: puts its factor in */
    ADD_NEGATIVE
} effect_kind;

struct scratch {
    double *sum;                                      /* [2 * K * n], as base */
    uint8_t *state;                                   /* [n] */
    uint32_t *ancestors;                              /* [n]: selected ones */
    uint32_t *positive, *negative, *dropped, *parent; /* [n] each; places */
    uint32_t positives, negatives, drops, parents, selected;
    bool from_base;
    char *buffer; /* ROWS rows */
};

/* ---- scratch ---- */

void hs_aode_scratch_free(void *pointer)
{
    struct scratch *s = pointer;
    if (!s)
        return;
    hs_free(s->sum);
    hs_free(s->state);
    hs_free(s->ancestors);
    hs_free(s->positive);
    hs_free(s->buffer);
    hs_free(s);
}

static size_t buffer_bytes(const hs_aode *m)
{
    return m->kept < m->n ? ROWS * hs_aode_row_cells(m) * hs_aode_cell_bytes(m) : 0;
}

size_t hs_aode_scratch_bytes(const hs_aode *m)
{
    return 2 * hs_aode_row_cells(m) * sizeof(double) + (size_t)m->n * 21 + buffer_bytes(m);
}

int hs_aode_scratch_new(const void *model, void **out, hsel_error *error)
{
    const hs_aode *m = model;
    struct scratch *s = HS_NEW_ZERO(struct scratch, 1);
    if (!s)
        return hs_fail_memory(error);
    s->sum = HS_NEW(double, 2 * hs_aode_row_cells(m));
    s->state = HS_NEW(uint8_t, m->n);
    s->ancestors = HS_NEW_ZERO(uint32_t, m->n);
    s->positive = HS_NEW(uint32_t, 4 * (size_t)m->n);
    s->buffer = HS_NEW(char, buffer_bytes(m));
    if (!s->sum || !s->state || !s->ancestors || !s->positive || !s->buffer) {
        hs_aode_scratch_free(s);
        return hs_fail_memory(error);
    }
    s->negative = s->positive + m->n;
    s->dropped = s->negative + m->n;
    s->parent = s->dropped + m->n;
    *out = s;
    return HSEL_OK;
}

/* ---- which features take part ---- */

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

static void take_positives(const hs_aode *m, const uint32_t *row, size_t count,
                           const hs_selection *selection, struct scratch *s)
{
    if (selection) {
        row = selection->positive;
        count = selection->positive_count;
    }
    s->positives = take(m, row, count, POSITIVE, s->state, s->positive);
}

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
    take_positives(m, row, count, selection, s);
    uint64_t rows = s->negatives + s->positives, others = m->n - s->negatives;
    s->from_base = all_negative || others * m->n < rows * rows;
    for (uint32_t i = 0; (!all_negative || selection) && s->from_base && i < m->n; i++)
        if (s->state[i] == NOT_SELECTED)
            s->dropped[s->drops++] = i;
    s->selected = s->from_base ? m->n - s->drops : (uint32_t)rows;
}

static void add_parents(const hs_aode *m, const uint32_t *list, uint32_t count, struct scratch *s)
{
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = list ? list[k] : k;
        if (s->state[i] && m->may_be_parent[(size_t)(s->state[i] - NEGATIVE) * m->n + i])
            s->parent[s->parents++] = i;
    }
}

static void take_parents(const hs_aode *m, struct scratch *s)
{
    s->parents = 0;
    if (s->from_base) {
        add_parents(m, NULL, m->n, s);
    } else {
        add_parents(m, s->positive, s->positives, s);
        add_parents(m, s->negative, s->negatives, s);
    }
}

/* ---- sums over children ---- */

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

/* The effect of feature j on a parent below it: P(x_j | y) in place of P(x_j | y, x_i), or nothing.
 */
static double effect_below(const hs_aode *m, effect_kind change, uint32_t positive, uint32_t size)
{
    double with = m->log_pair[positive], without = m->log_pair[size - positive];
    if (m->form == HS_AODE_LITE)
        return 0;
    switch (change) {
    case FLIP:
        return with - without;
    case DROP:
        return m->log_total[size] - without;
    case ADD_POSITIVE:
        return with - m->log_total[size];
    default:
        return without - m->log_total[size];
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
    return (struct pair){hs_aode_joint(w->m, w->row, (size_t)w->y * w->m->n + i), positive[i],
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

static void change_below(const struct sweep *w)
{
    const hs_aode *m = w->m;
    size_t count;
    const uint32_t *below = hs_sparse_list(&m->below, w->j, &count);
    double other = effect_below(m, w->change, m->positive[(size_t)w->y * m->n + w->j],
                                hs_aode_class_size(m, w->y));
    for (size_t k = 0; k < count; k++) {
        uint32_t i = below[k];
        if (w->s->state[i] == NOT_SELECTED)
            continue;
        bool positive = w->s->state[i] == POSITIVE;
        struct pair p = pair_of(w, i);
        sum_of(w, positive)[i] += other - effect(m, w->change, &p, positive);
    }
}

/* After a change that is no FLIP. */
static void count_ancestors(const hs_aode *m, struct scratch *s, uint32_t j, effect_kind change)
{
    size_t count;
    const uint32_t *below = hs_sparse_list(&m->below, j, &count);
    for (size_t k = 0; change == DROP && k < count; k++)
        s->ancestors[below[k]]--;
    for (size_t k = 0; change != DROP && k < count; k++)
        s->ancestors[below[k]]++;
}

/* Positive features, one or ROWS at once: `zero` on the sums of all parents as if they were
 * negative (what it writes for others is not looked at), `one` on those of the positive parents.
 * Written out row by row, because the compiler does not. */
struct flip {
    const hs_aode *m;
    const struct scratch *s;
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

/* Up to ROWS positive features, from the base. */
static void flip_group(const hs_aode *m, struct scratch *s, const uint32_t *j, int count)
{
    const void *rows[ROWS];
    size_t row_bytes = hs_aode_row_cells(m) * hs_aode_cell_bytes(m);
    for (int r = 0; r < count; r++)
        rows[r] = hs_aode_row(m, j[r], s->buffer + (size_t)r * row_bytes);
    for (uint32_t y = 0; y < m->classes; y++) {
        flip((struct flip){m, s, j, rows, y}, count);
        for (int r = 0; r < count && m->form != HS_AODE_PLAIN; r++)
            change_below(&(struct sweep){m, s, rows[r], j[r], y, FLIP});
    }
}

/* One feature and any change. */
static void change_by(const hs_aode *m, struct scratch *s, uint32_t j, effect_kind change)
{
    struct sweep w = {m, s, hs_aode_row(m, j, s->buffer), j, 0, change};
    for (; w.y < m->classes; w.y++) {
        if (s->from_base)
            change_parents(&w, NULL, m->n, false);
        else
            change_parents(&w, s->negative, s->negatives, false);
        change_parents(&w, s->positive, s->positives, true);
        if (m->form != HS_AODE_PLAIN)
            change_below(&w);
    }
    if (m->form != HS_AODE_PLAIN)
        count_ancestors(m, s, j, change);
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
    for (uint32_t k = 0; k < s->positives; k += ROWS)
        flip_group(m, s, s->positive + k, s->positives - k < ROWS ? (int)(s->positives - k) : ROWS);
    for (uint32_t k = 0; k < s->drops; k++)
        change_by(m, s, s->dropped[k], DROP);
}

static void clear_sums(const hs_aode *m, const uint32_t *list, uint32_t count, double *sum)
{
    for (uint32_t y = 0; y < m->classes; y++)
        for (uint32_t k = 0; k < count; k++)
            sum[(size_t)y * m->n + list[k]] = 0;
}

static void sum_from_nothing(const hs_aode *m, struct scratch *s)
{
    clear_sums(m, s->negative, s->negatives, s->sum);
    clear_sums(m, s->positive, s->positives, s->sum + hs_aode_row_cells(m));
    if (m->form != HS_AODE_PLAIN)
        memset(s->ancestors, 0, m->n * sizeof *s->ancestors);
    for (uint32_t k = 0; k < s->positives; k++)
        change_by(m, s, s->positive[k], ADD_POSITIVE);
    for (uint32_t k = 0; k < s->negatives; k++)
        change_by(m, s, s->negative[k], ADD_NEGATIVE);
}

/* ---- from sums to probabilities ---- */

/* log of the sum over parents, by class; what is said of all classes alike is left out. */
static double log_of_class(const hs_aode *m, struct scratch *s, uint32_t y)
{
    const uint32_t *positive = m->positive + (size_t)y * m->n, size = hs_aode_class_size(m, y);
    double *term = s->sum + (size_t)y * m->n; /* of negative parents; becomes that of any */
    const double *of_positive = term + hs_aode_row_cells(m);
    double largest = -INFINITY, total = 0;
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

/* No feature may be a parent: naive Bayes, as in WEKA. */
static double log_of_class_naively(const hs_aode *m, const struct scratch *s, uint32_t y)
{
    const uint32_t *positive = m->positive + (size_t)y * m->n, size = hs_aode_class_size(m, y);
    bool laplace = m->options.smoothing == HS_AODE_LAPLACE;
    double sum = log(size + (laplace ? 1 : m->options.weight / m->classes));
    for (uint32_t i = 0; i < m->n; i++)
        if (s->state[i])
            sum += m->log_pair[s->state[i] == POSITIVE ? positive[i] : size - positive[i]] -
                   m->log_total[size];
    return sum;
}

int hs_aode_predict(const void *model, const hsel_dataset *data, uint32_t instance,
                    const hs_selection *selection, void *scratch, double *probability,
                    double *score, hsel_error *error)
{
    const hs_aode *m = model;
    struct scratch *s = scratch;
    size_t count;
    const uint32_t *row = hs_row(data, instance, &count);
    (void)error;
    take_selection(m, row, count, selection, s);
    take_parents(m, s);
    if (s->parents && s->from_base)
        sum_from_base(m, s);
    else if (s->parents)
        sum_from_nothing(m, s);
    for (uint32_t y = 0; y < m->classes; y++)
        probability[y] = s->parents ? log_of_class(m, s, y) : log_of_class_naively(m, s, y);
    hs_normalise_logs(probability, score, m->classes);
    return HSEL_OK;
}

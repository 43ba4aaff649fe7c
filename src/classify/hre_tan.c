/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hierarchical-redundancy-eliminated tree-augmented naive Bayes: a tree for each instance.
 *
 * Wan, Freitas (2016), HRE-TAN; as the hfs package and Wan's later programs describe it. Two
 * features are redundant for an instance if one is an ancestor of the other and both have the same
 * value in it. Pairs are gone through by falling conditional mutual information (classify/cmi.h),
 * equal ones by index. A pair is taken if both features are available, not redundant and not yet
 * connected; every feature that is redundant with either becomes unavailable. What comes out is a
 * forest; each part hangs from the smaller index of the first pair taken in it.
 *
 *     P(c | x) ~ P(c) prod P(x_f | c, x_pa(f)),  (n_cuv + 1)/(n_cu + 2), a root (n_cv + 1)/(n_c +
 * 2)
 *
 * over the features of the forest; features in no pair are left out. We differ from Wan's released
 * code where it sorts numbers as text and takes the class for the value of a root. With a lazy
 * selection only selected features are available; those that an eager one left out do not exist,
 * but ancestors are still ancestors through them. The true-path rule is not needed.
 *
 * Fitting O(d^2 (n/64 + K + log d)), 16 d^2/2 bytes while sorting and half of it after: refused
 * above the option memory. An instance O(d^2/2) at most, usually far less: it ends when all that is
 * available is connected.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "classify/classify.h"
#include "classify/cmi.h"
#include "core/mem.h"
#include "data/dag.h"

struct options {
    hs_adjust_options adjust; /* comes first */
    uint32_t memory;
};

static const hs_option table[] = {
    HS_ADJUST,
    HS_OPTION(struct options, memory, "memory", "MB", "1024", 1, 1000000,
              "most memory to take for the pairs of features, in megabytes"),
    HS_OPTION_END};

struct pair {
    uint32_t i, j;
};

struct valued {
    double value;
    struct pair pair;
};

struct model {
    uint32_t features, classes, memory;
    uint64_t *used;
    hs_cmi cmi;
    size_t pair_count, words;
    struct pair *pairs;   /* of features in use, in the order they are gone through */
    uint64_t *comparable; /* [d * words]: ancestors and descendants */
    double *prior;        /* [K]: log P(c) */
};

static void model_free(void *pointer)
{
    struct model *m = pointer;
    if (!m)
        return;
    hs_cmi_clear(&m->cmi);
    HS_FREE(m->pairs, m->comparable, m->prior, m);
}
HS_RELEASE(model_release, struct model, model_free)

/* Before anything large is taken. */
static int check_size(const struct model *m, hsel_error *error)
{
    uint64_t in_use = hs_bits_count(m->used, m->words);
    double bytes = (double)in_use * (double)in_use / 2 * sizeof(struct valued) +
                   (double)m->features * (double)m->words * sizeof(uint64_t);
    char text[32];
    hs_format_grouped(in_use, text);
    if (bytes <= m->memory * HS_MEGABYTE)
        return HSEL_OK;
    return hs_fail(error, HSEL_ELIMIT,
                   "hre-tan keeps every pair of features: %s features take %.0f MB, and memory=%u "
                   "allows %u MB; select features first, or allow more",
                   text, ceil(bytes / HS_MEGABYTE), m->memory, m->memory);
}

static int by_value(const void *a, const void *b)
{
    const struct valued *x = a, *y = b;
    if (hs_cmi_before(x->value, x->pair.i, x->pair.j, y->value, y->pair.i, y->pair.j))
        return -1;
    return hs_cmi_before(y->value, y->pair.i, y->pair.j, x->value, x->pair.i, x->pair.j);
}

/* All that follows from features in use, columns and hierarchy. */
static int finish(struct model *m, const hsel_dag *dag, hsel_error *error)
{
    uint64_t in_use = hs_bits_count(m->used, m->words);
    size_t most = in_use > 0 ? (size_t)(in_use * (in_use - 1) / 2) : 0;
    HS_OWNS(hs_reach_clear) hs_reach reach = {0};
    HS_NEED(m->prior = HS_NEW(double, m->classes));
    HS_NEED(m->comparable = HS_NEW_ZERO(uint64_t, m->features * m->words));
    for (uint32_t c = 0; c < m->classes; c++)
        m->prior[c] = log(m->cmi.prior[c]);
    HS_TRY(hs_reach_init(&reach, dag, error));
    for (uint32_t f = 0, above; f < m->features; f++)
        for (hs_reach_start(&reach, f); (above = hs_reach_next(&reach)) != HSEL_NONE;) {
            hs_bit_set(m->comparable + f * m->words, above);
            hs_bit_set(m->comparable + above * m->words, f);
        }
    HS_OWNED struct valued *all = HS_NEW(struct valued, most);
    HS_NEED(all && (m->pairs = HS_NEW(struct pair, most)));
    for (uint32_t i = 0; i < m->features; i++)
        for (uint32_t j = i + 1; j < m->features && hs_bit_get(m->used, i); j++)
            if (hs_bit_get(m->used, j))
                all[m->pair_count++] = (struct valued){hs_cmi_of(&m->cmi, i, j), {i, j}};
    qsort(all, m->pair_count, sizeof *all, by_value);
    for (size_t k = 0; k < m->pair_count; k++)
        m->pairs[k] = all[k].pair;
    return HSEL_OK;
}

static void *model_new(const hsel_dataset *shape)
{
    const size_t words = hs_bit_words(shape->features);
    struct model *m = HS_BLOCK(m, HS_PART(m, used, words));
    if (m) {
        m->features = shape->features;
        m->classes = shape->class_names.count;
        m->words = words;
    }
    return m;
}

static int fit(const hs_training *training, const void *options, void **out, hsel_error *error)
{
    const hsel_dataset *data = training->view.data;
    HS_OWNS(model_release) struct model *m = model_new(data);
    HS_NEED(m);
    m->memory = ((const struct options *)options)->memory;
    for (uint32_t f = 0; f < data->features; f++)
        if (hs_view_has(&training->view, f))
            hs_bit_set(m->used, f);
    HS_TRY(check_size(m, error));
    HS_TRY(hs_cmi_init(&training->view, false, &m->cmi, error));
    HS_TRY(finish(m, data->dag, error));
    *out = hs_take(&m);
    return HSEL_OK;
}

/* ---- predicting ---- */

struct scratch {         /* in one block with its lists */
    uint64_t *positive;  /* bit set */
    uint64_t *available; /* bit set */
    struct pair *edges;  /* [d]: taken, in order */
    uint32_t edge_count;
    uint32_t *leader;       /* [d]: union-find */
    uint32_t *first, *next; /* [d], [2 d]: the edges of a feature as a chain; end 2 * e + side */
    uint32_t *queue;        /* [d] */
    uint8_t *reached;       /* [d] */
};

static int scratch_new(const void *pointer, void **out, hsel_error *error)
{
    const struct model *m = pointer;
    const size_t d = m->features;
    struct scratch *s =
        HS_BLOCK(s, HS_PART(s, positive, m->words), HS_PART(s, available, m->words),
                 HS_PART(s, edges, d), HS_PART(s, leader, d), HS_PART(s, first, d),
                 HS_PART(s, next, 2 * d), HS_PART(s, queue, d), HS_PART(s, reached, d));
    HS_NEED(*out = s);
    return HSEL_OK;
}

static uint32_t find(uint32_t *leader, uint32_t f)
{
    while (leader[f] != f) {
        leader[f] = leader[leader[f]];
        f = leader[f];
    }
    return f;
}

/* Takes away what is redundant with the feature; how many these are. */
static size_t drop_redundant(const struct model *m, uint32_t feature, struct scratch *s)
{
    const uint64_t *near = m->comparable + feature * m->words;
    uint64_t flip = hs_bit_get(s->positive, feature) ? 0 : ~UINT64_C(0);
    size_t dropped = 0;
    for (size_t w = 0; w < m->words; w++) {
        uint64_t gone = near[w] & s->available[w] & (s->positive[w] ^ flip);
        if (gone)
            dropped += (size_t)__builtin_popcountll(gone);
        s->available[w] &= ~gone;
    }
    return dropped;
}

/* The forest of an instance. `parts` counts the available features that are not connected yet and
 * the trees. What is in a tree never becomes unavailable: a feature redundant with it was dropped
 * when it came in. */
static void grow_forest(const struct model *m, const uint32_t *row, size_t count,
                        const hs_selection *selection, struct scratch *s)
{
    memset(s->positive, 0, m->words * sizeof *s->positive);
    for (size_t i = 0; i < count; i++)
        hs_bit_set(s->positive, row[i]);
    for (size_t w = 0; w < m->words; w++)
        s->available[w] = !selection ? m->used[w] : selection->all_negative ? ~s->positive[w] : 0;
    for (uint32_t i = 0; selection && i < selection->positive_count; i++)
        hs_bit_set(s->available, selection->positive[i]);
    for (uint32_t i = 0; selection && !selection->all_negative && i < selection->negative_count;
         i++)
        hs_bit_set(s->available, selection->negative[i]);
    for (size_t w = 0; w < m->words; w++)
        s->available[w] &= m->used[w];

    size_t parts = hs_bits_count(s->available, m->words);
    s->edge_count = 0;
    for (uint32_t f = 0; f < m->features; f++)
        s->leader[f] = f;
    for (size_t k = 0; k < m->pair_count && parts > 1; k++) {
        uint32_t i = m->pairs[k].i, j = m->pairs[k].j;
        if (!hs_bit_get(s->available, i) || !hs_bit_get(s->available, j) ||
            (hs_bit_get(m->comparable + i * m->words, j) &&
             hs_bit_get(s->positive, i) == hs_bit_get(s->positive, j)))
            continue;
        uint32_t a = find(s->leader, i), b = find(s->leader, j);
        if (a == b)
            continue;
        s->leader[a < b ? b : a] = a < b ? a : b;
        s->edges[s->edge_count++] = m->pairs[k];
        parts -= 1 + drop_redundant(m, i, s);
        parts -= drop_redundant(m, j, s);
    }
}

/* P(x_f | c, x_parent); parent HSEL_NONE: P(x_f | c). */
static void add_factor(const struct model *m, uint32_t f, uint32_t parent, const struct scratch *s,
                       double *sum)
{
    bool value = hs_bit_get(s->positive, f);
    for (uint32_t c = 0; c < m->classes; c++) {
        uint32_t all = m->cmi.class_size[c], with = hs_cmi_positive(&m->cmi, c, f);
        if (parent != HSEL_NONE) {
            uint32_t above = hs_cmi_positive(&m->cmi, c, parent);
            uint32_t both = hs_cmi_both(&m->cmi, c, f, parent);
            bool up = hs_bit_get(s->positive, parent);
            with = up ? both : with - both;
            all = up ? above : all - above;
        }
        sum[c] += log(((value ? with : all - with) + 1.0) / (all + 2.0));
    }
}

/* Into one sum, or (step: classes) into one for each feature. */
static void add_tree(const struct model *m, uint32_t root, struct scratch *s, size_t step,
                     double *sum)
{
    uint32_t head = 0, tail = 0;
    s->queue[tail++] = root;
    s->reached[root] = 1;
    add_factor(m, root, HSEL_NONE, s, sum + root * step);
    while (head < tail) {
        uint32_t f = s->queue[head++];
        for (uint32_t end = s->first[f]; end != HSEL_NONE; end = s->next[end]) {
            uint32_t other = end % 2 ? s->edges[end / 2].i : s->edges[end / 2].j;
            if (s->reached[other])
                continue;
            s->reached[other] = 1;
            s->queue[tail++] = other;
            add_factor(m, other, f, s, sum + other * step);
        }
    }
}

/* The factors of all features of the instance's forest, as add_tree has them. */
static void add_forest(const struct model *m, const hs_batch *batch, uint32_t at, struct scratch *s,
                       size_t step, double *sum)
{
    size_t count;
    const uint32_t *row = hs_row(batch->data, batch->instances[at], &count);
    grow_forest(m, row, count, batch->selection, s);
    for (uint32_t e = 0; e < s->edge_count; e++) {
        s->first[s->edges[e].i] = s->first[s->edges[e].j] = HSEL_NONE;
        s->reached[s->edges[e].i] = s->reached[s->edges[e].j] = 0;
    }
    for (uint32_t e = 0; e < s->edge_count; e++) {
        s->next[2 * e] = s->first[s->edges[e].i];
        s->first[s->edges[e].i] = 2 * e;
        s->next[2 * e + 1] = s->first[s->edges[e].j];
        s->first[s->edges[e].j] = 2 * e + 1;
    }
    for (uint32_t e = 0; e < s->edge_count; e++)
        if (!s->reached[s->edges[e].i])
            add_tree(m, s->edges[e].i, s, step, sum); /* i is the smaller index */
}

static int predict(const void *pointer, const hs_batch *batch, void *scratch, double *probability,
                   double *score, hsel_error *error)
{
    const struct model *m = pointer;
    (void)error;
    for (uint32_t at = 0; at < batch->count; at++, probability += m->classes, score += m->classes) {
        memcpy(probability, m->prior, m->classes * sizeof *probability);
        add_forest(m, batch, at, scratch, 0, probability);
        hs_normalise_logs(probability, score, m->classes);
    }
    return HSEL_OK;
}

/* The factor of a feature, which depends on its parent's value, is the feature's. */
static int contributions(const void *pointer, const hs_batch *one, void *scratch, uint32_t label,
                         double *prior, double *contribution, hsel_error *error)
{
    const struct model *m = pointer;
    HS_OWNED double *term = HS_NEW_ZERO(double, (size_t)m->features * m->classes);
    HS_NEED(term);
    add_forest(m, one, 0, scratch, m->classes, term);
    *prior =
        hs_contributions_of_terms(m->prior, term, m->features, m->classes, label, contribution);
    return HSEL_OK;
}

/* ---- model files: sizes, memory, features in use, class sizes, columns of each class. The order
 * of the pairs is found again when it is read. ---- */

static int fields(void *model, const hsel_dataset *shape, hs_transfer *file, hsel_error *error)
{
    struct model *m = model;
    if (hs_reads(file)) {
        if (!shape->dag)
            return HSEL_EFORMAT;
        HS_TRY(hs_cmi_new(m->features, m->classes, &m->cmi, error));
    }
    HS_FIELDS(file, HS_SHAPE(m), HS_VALUE(m->memory, 1, 1000000), HS_BIT_SET(m->used, m->features),
              HS_VALUES(*m->cmi.class_size, m->classes, HS_SUM_TO(HS_INSTANCES_LIMIT)));
    if (hs_reads(file))
        HS_TRY(check_size(m, error));
    for (uint32_t c = 0; c < m->classes; c++) {
        const uint32_t rows = m->cmi.class_size[c];
        const size_t words = hs_bit_words(rows), stride = (words + 7) / 8 * 8;
        hs_bit_columns *columns = &m->cmi.columns[c];
        if (hs_reads(file)) {
            if (words && m->features > file->left / (words * sizeof *columns->words))
                return HSEL_EFORMAT;
            *columns = (hs_bit_columns){.stride = stride, .columns = m->features, .rows = rows};
            HS_NEED(columns->words =
                        hs_alloc_aligned(m->features * stride, sizeof *columns->words));
        }
        for (uint32_t f = 0; f < m->features; f++)
            HS_FIELDS(file, HS_BIT_SET(columns->words + f * columns->stride, rows));
    }
    if (!hs_reads(file))
        return HSEL_OK;
    HS_TRY(hs_cmi_ready(&m->cmi, false, error));
    return finish(m, shape->dag, error);
}

static const hs_classifier functions = {.fit = fit,
                                        .predict = predict,
                                        .scratch_new = scratch_new,
                                        .scratch_free = hs_free,
                                        .contributions = contributions,
                                        .name = "HRE-TAN",
                                        .make = model_new,
                                        .fields = fields,
                                        .free = model_free};

const hs_method hs_method_hre_tan = {
    .kind = HS_CLASSIFIER,
    .name = "hre-tan",
    .title = "TAN without hierarchical redundancy",
    .help =
        "Builds a tree-augmented naive Bayes for each instance: pairs of features join by falling "
        "conditional mutual information, and a feature that joins puts out its ancestors and "
        "descendants of the same value. Features in no pair are left out. With a lazy selection "
        "only selected features are there.",
    .citation =
        "Wan, Freitas (2016), HRE-TAN; ties, roots and smoothing as at the top of the source",
    .flags = HS_NEEDS_CLASSES | HS_NEEDS_HIERARCHY | HS_PREDICTS_ON_MASK,
    .options = table,
    .options_size = sizeof(struct options),
    .check = hs_adjust_check,
    .classifier = &functions,
};

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tree-augmented naive Bayes: each feature depends on the class and on one other feature.
 *
 *     P(c | x) ~ P(c) prod over f of P(x_f | c, x_pa(f))
 *     P(x_f = v | c, u) = (n_cuv + 1)/(n_cu + 2),  P(c) = (n_c + 1)/(N + K)
 *
 * Friedman, Geiger, Goldszmidt (1997), Construct-TAN: the parents are those of the maximum spanning
 * tree of the features in use by conditional mutual information given the class, rooted at the
 * feature of the lowest index, which depends on the class alone. Smoothing as in classify/cmi.h,
 * not the paper's, so that hre-tan differs by what it leaves out and by nothing else;
 * cmi=empirical has the paper's information, from frequencies as they are. Of equal
 * pairs the one with the smaller indices counts as the greater, so there is one tree. With a lazy
 * selection a feature whose parent is not selected depends on the class alone.
 *
 * Prim's algorithm on values computed as they are needed. The order of the pairs has no ties, so
 * the tree does not depend on how it is found. O(sum over instances of positives^2) for counts, or
 * O(d^2 n/64) if that is less; O(K x (pairs that occur together + d x groups of features with equal
 * counts)) for values, since all pairs of two groups that never occur together have one value;
 * O(d^2) for comparing. Memory O(K d) beside the training rows. Predicting O(K x (positive features
 * + their children)).
 */
#include <math.h>
#include <string.h>

#include "classify/classify.h"
#include "classify/cmi.h"
#include "core/mem.h"
#include "core/progress.h"

#define FEATURES_A_REPORT 16

enum { SMOOTHED, EMPIRICAL };

struct options {
    hs_adjust_options adjust; /* comes first */
    int cmi;
};

static const hs_option option_table[] = {
    HS_ADJUST,
    HS_CHOICE(struct options, cmi, "cmi", "smoothed|empirical", "smoothed",
              "conditional mutual information of smoothed probabilities, or of frequencies"),
    HS_OPTION_END};

/* Rows of the table of a feature: [context][value], the context being the parent's value. */
enum { ALONE = 2, ROWS = 6 };

struct model { /* in one block with its lists */
    uint32_t features, classes;
    double *prior, *base; /* [K]: log P(c); and with the features in use, all negative */
    uint64_t *used;
    uint32_t *class_size; /* [K] */
    uint32_t *parent;     /* [d]: HSEL_NONE for the root and features out of use */
    uint32_t *positive;   /* [d * K]: instances with f */
    uint32_t *both;       /* [d * K]: with f and its parent */
    uint32_t *child_start, *child;
    double *table;      /* [d * ROWS * K]: logarithms */
    double *log_weight; /* [K]: of the classes */
};

static void *tan_model_new(const hsel_dataset *shape)
{
    const size_t d = shape->features, k = shape->class_names.count;
    struct model *m =
        HS_BLOCK(m, HS_PART(m, prior, k), HS_PART(m, base, k), HS_PART(m, used, hs_bit_words(d)),
                 HS_PART(m, class_size, k), HS_PART(m, parent, d), HS_PART(m, positive, d * k),
                 HS_PART(m, both, d * k), HS_PART(m, child_start, d + 2), HS_PART(m, child, d),
                 HS_PART(m, table, d * k * ROWS), HS_PART(m, log_weight, k));
    if (m) {
        m->features = shape->features;
        m->classes = shape->class_names.count;
    }
    return m;
}

/* ---- the tree ---- */

struct candidate { /* the best pair of a feature outside the tree with one inside */
    double value;
    uint32_t feature, inside;
};

static inline bool is_better(const struct candidate *a, const struct candidate *b)
{
    uint32_t i = a->feature < a->inside ? a->feature : a->inside, j = a->feature ^ a->inside ^ i;
    uint32_t k = b->feature < b->inside ? b->feature : b->inside, l = b->feature ^ b->inside ^ k;
    return hs_cmi_before(a->value, i, j, b->value, k, l);
}

static int grow_tree(struct model *m, const hs_cmi *cmi, const hs_progress *progress,
                     hsel_error *error)
{
    uint32_t count = 0, added = HSEL_NONE;
    HS_OWNS(hs_arena_clear) hs_arena arena = {0};
    HS_OWNED struct candidate *outside = HS_NEW(struct candidate, m->features);
    HS_OWNED uint64_t *wanted = hs_copy(m->used, hs_bit_words(m->features), sizeof *wanted);
    hs_cmi_pairs pairs; /* of `added` */
    HS_NEED(outside && wanted);
    HS_TRY(hs_cmi_pairs_init(cmi, &arena, &pairs, error));
    for (uint32_t f = 0; f < m->features; f++) {
        m->parent[f] = HSEL_NONE;
        if (!hs_bit_get(m->used, f))
            continue;
        if (added == HSEL_NONE)
            added = f; /* the root */
        else
            outside[count++] = (struct candidate){-INFINITY, f, f};
    }
    for (uint32_t all = count; count > 0;) {
        uint32_t best = 0;
        if (count % FEATURES_A_REPORT == 0)
            HS_TRY(hs_progress_report(progress, all - count, all, "features", error));
        hs_bit_unset(wanted, added);
        hs_cmi_count(cmi, added, wanted, pairs.both);
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t f = outside[i].feature;
            const struct candidate now = {hs_cmi_pair(cmi, &pairs, added, f), f, added};
            if (is_better(&now, &outside[i]))
                outside[i] = now;
            if (i > 0 && is_better(&outside[i], &outside[best]))
                best = i;
        }
        added = outside[best].feature;
        m->parent[added] = outside[best].inside;
        outside[best] = outside[--count];
    }
    return HSEL_OK;
}

/* ---- tables ---- */

/* Where in the table the logarithms of the classes are. */
static size_t row_at(const struct model *m, uint32_t f, int context, bool value)
{
    return ((size_t)f * ROWS + (size_t)context * 2 + value) * m->classes;
}

static void fill_context(struct model *m, uint32_t f, int context, uint32_t c, double all,
                         double with)
{
    m->table[row_at(m, f, context, true) + c] = log((with + 1) / (all + 2));
    m->table[row_at(m, f, context, false) + c] = log((all - with + 1) / (all + 2));
}

/* Everything that follows from parents and counts. */
static void finish(struct model *m)
{
    hs_log_priors(m->class_size, m->log_weight, m->classes, m->prior);
    memcpy(m->base, m->prior, m->classes * sizeof *m->base);
    for (uint32_t f = 0; f < m->features; f++) {
        uint32_t parent = m->parent[f];
        if (!hs_bit_get(m->used, f))
            continue;
        for (uint32_t c = 0; c < m->classes; c++) {
            size_t at = (size_t)f * m->classes + c;
            double all = m->class_size[c], with = m->positive[at], both = m->both[at];
            fill_context(m, f, ALONE, c, all, with);
            if (parent != HSEL_NONE) {
                double above = m->positive[(size_t)parent * m->classes + c];
                fill_context(m, f, 1, c, above, both);
                fill_context(m, f, 0, c, all - above, with - both);
            }
            m->base[c] += m->table[row_at(m, f, parent == HSEL_NONE ? ALONE : 0, false) + c];
        }
    }
    for (uint32_t f = 0; f < m->features; f++)
        if (m->parent[f] != HSEL_NONE)
            m->child_start[m->parent[f] + 2]++;
    for (uint32_t f = 0; f < m->features; f++)
        m->child_start[f + 2] += m->child_start[f + 1];
    for (uint32_t f = 0; f < m->features; f++) /* ends with child_start[f + 1] where f's end */
        if (m->parent[f] != HSEL_NONE)
            m->child[m->child_start[m->parent[f] + 1]++] = f;
}

static int tan_fit(const hs_training *training, const void *options, void **out, hsel_error *error)
{
    const hsel_dataset *data = training->view.data;
    HS_OWNS(hs_cmi_clear) hs_cmi cmi = {0};
    HS_OWNED struct model *m = tan_model_new(data);
    HS_NEED(m);
    HS_TRY(hs_cmi_init(&training->view, ((const struct options *)options)->cmi == EMPIRICAL, &cmi,
                       error));
    for (uint32_t f = 0; f < data->features; f++)
        if (hs_view_has(&training->view, f))
            hs_bit_set(m->used, f);
    HS_TRY(grow_tree(m, &cmi, training->progress, error));
    memcpy(m->class_size, cmi.class_size, m->classes * sizeof *m->class_size);
    memcpy(m->positive, cmi.positive, (size_t)m->features * m->classes * sizeof *m->positive);
    for (uint32_t f = 0; f < m->features; f++)
        if (m->parent[f] != HSEL_NONE)
            hs_cmi_both(&cmi, f, m->parent[f], m->both + (size_t)f * m->classes);
    hs_log_weights(training, m->log_weight);
    finish(m);
    *out = hs_take(&m);
    return HSEL_OK;
}

/* ---- predicting ---- */

enum { POSITIVE = 1, CHOSEN = 2 };

/* Marks of the features, all 0 between instances. */
static int tan_scratch_new(const void *pointer, void **out, hsel_error *error)
{
    const struct model *m = pointer;
    HS_NEED(*out = HS_NEW_ZERO(uint8_t, m->features));
    return HSEL_OK;
}

static void add(double *sum, const double *terms, double sign, uint32_t classes)
{
    for (uint32_t c = 0; c < classes; c++)
        sum[c] += sign * terms[c];
}

static void add_factor(const struct model *m, uint32_t f, bool value, bool all_negative,
                       const uint8_t *mark, double *sum)
{
    uint32_t parent = m->parent[f];
    int context = ALONE;
    if (parent != HSEL_NONE && (mark[parent] & CHOSEN || (all_negative && !mark[parent])))
        context = mark[parent] & POSITIVE;
    add(sum, m->table + row_at(m, f, context, value), 1,
        m->classes); /* 0 for features out of use */
}

/* What the base has for the feature goes. */
static void take_off(const struct model *m, uint32_t f, double *sum)
{
    add(sum, m->table + row_at(m, f, m->parent[f] == HSEL_NONE ? ALONE : 0, false), -1, m->classes);
}

/* The marks of an instance; `on` false: 0 again. */
static void set_marks(const uint32_t *row, size_t count, const hs_selection *selected, bool on,
                      uint8_t *mark)
{
    for (size_t i = 0; i < count; i++)
        mark[row[i]] = on ? POSITIVE : 0;
    for (uint32_t i = 0; on && i < selected->positive_count; i++)
        mark[selected->positive[i]] |= CHOSEN;
    for (uint32_t i = 0; i < selected->negative_count; i++)
        mark[selected->negative[i]] = on ? CHOSEN : 0;
}

static int tan_predict(const void *pointer, const hs_batch *batch, void *scratch,
                       double *probability, double *score, hsel_error *error)
{
    const struct model *m = pointer;
    uint8_t *mark = scratch;
    (void)error;
    for (uint32_t at = 0; at < batch->count; at++, probability += m->classes, score += m->classes) {
        size_t count;
        const uint32_t *row = hs_row(batch->data, batch->instances[at], &count);
        const hs_selection s = hs_selected(batch, row, count);
        set_marks(row, count, &s, true, mark);
        memcpy(probability, s.all_negative ? m->base : m->prior, m->classes * sizeof *probability);
        for (size_t i = 0; s.all_negative && i < count; i++) {
            uint32_t f = row[i];
            take_off(m, f, probability);
            if (mark[f] & CHOSEN)
                add_factor(m, f, true, true, mark, probability);
            for (uint32_t j = m->child_start[f]; j < m->child_start[f + 1]; j++)
                if (!(mark[m->child[j]] & POSITIVE)) {
                    take_off(m, m->child[j], probability);
                    add_factor(m, m->child[j], false, true, mark, probability);
                }
        }
        for (uint32_t i = 0; !s.all_negative && i < s.positive_count; i++)
            add_factor(m, s.positive[i], true, false, mark, probability);
        for (uint32_t i = 0; i < s.negative_count; i++)
            add_factor(m, s.negative[i], false, false, mark, probability);
        set_marks(row, count, &s, false, mark);
        hs_normalise_logs(probability, score, m->classes);
    }
    return HSEL_OK;
}

static void add_terms(const void *model, const hs_batch *one, void *mark, uint32_t feature,
                      bool positive, double *sum)
{
    add_factor(model, feature, positive, !one->selection || one->selection->all_negative, mark,
               sum);
}

/* The factor of a feature, which depends on its parent's value, is the feature's. */
static int tan_contributions(const void *pointer, const hs_batch *one, void *scratch,
                             uint32_t label, double *prior, double *contribution, hsel_error *error)
{
    const struct model *m = pointer;
    size_t count;
    const uint32_t *row = hs_row(one->data, one->instances[0], &count);
    const hs_selection s = hs_selected(one, row, count);
    set_marks(row, count, &s, true, scratch);
    int status = hs_add_contributions(m, one, scratch, m->prior, m->classes, label, add_terms,
                                      prior, contribution, error);
    set_marks(row, count, &s, false, scratch);
    return status;
}

static uint32_t depends(const void *pointer, uint32_t feature, uint32_t i, double *strength)
{
    const struct model *m = pointer;
    const uint32_t parent = m->parent[feature];
    double total = 0;
    if (i > 0 || parent == HSEL_NONE)
        return HSEL_NONE;
    *strength = 0;
    for (uint32_t c = 0; c < m->classes; c++) {
        size_t at = (size_t)feature * m->classes + c;
        *strength += hs_pair_bits(m->class_size[c], m->positive[at],
                                  m->positive[(size_t)parent * m->classes + c], m->both[at]);
        total += m->class_size[c];
    }
    *strength /= total > 0 ? total : 1;
    return parent;
}

/* ---- model files: sizes, class sizes, features in use, parents, counts, class weights ---- */

static int tan_fields(void *model, const hsel_dataset *shape, hs_transfer *file, hsel_error *error)
{
    struct model *m = model;
    size_t cells = (size_t)m->features * m->classes;
    (void)shape;
    HS_FIELDS(file, HS_SHAPE(m),
              HS_VALUES(*m->class_size, m->classes, HS_SUM_TO(HS_INSTANCES_LIMIT)),
              HS_BIT_SET(m->used, m->features), HS_VALUES(*m->parent, m->features, HS_ANY),
              HS_VALUES(*m->positive, cells, HS_ANY), HS_VALUES(*m->both, cells, HS_ANY));
    HS_TRY(hs_log_weights_fields(m->log_weight, m->classes, file, error));
    if (!hs_reads(file))
        return HSEL_OK;
    HS_OWNED uint32_t *passed = HS_NEW_ZERO(uint32_t, m->features);
    HS_NEED(passed);
    /* The features in use must be one tree: each step up leads to a feature in use, and never to
     * one that was passed on the same way (`passed` has the first feature of that way + 1). */
    uint32_t roots = 0, used = 0;
    for (uint32_t f = 0; f < m->features; f++) {
        uint32_t parent = m->parent[f];
        bool here = hs_bit_get(m->used, f);
        if (parent != HSEL_NONE && (!here || parent >= m->features || !hs_bit_get(m->used, parent)))
            return HSEL_EFORMAT;
        used += here;
        roots += here && parent == HSEL_NONE;
    }
    for (uint32_t f = 0, at; f < m->features; f++) {
        for (at = f; at != HSEL_NONE && !passed[at]; at = m->parent[at])
            passed[at] = f + 1;
        if (at != HSEL_NONE && passed[at] == f + 1)
            return HSEL_EFORMAT;
    }
    if (roots != (used > 0))
        return HSEL_EFORMAT;
    for (size_t at = 0; at < cells; at++) { /* counts that can be */
        uint32_t parent = m->parent[at / m->classes], size = m->class_size[at % m->classes];
        uint64_t above =
            parent == HSEL_NONE ? size : m->positive[(size_t)parent * m->classes + at % m->classes];
        uint64_t either = above + m->positive[at] - m->both[at];
        if (m->positive[at] > size || m->both[at] > m->positive[at] || m->both[at] > above ||
            (parent != HSEL_NONE && either > size))
            return HSEL_EFORMAT;
    }
    finish(m);
    return HSEL_OK;
}

static const hs_classifier functions = {.fit = tan_fit,
                                        .predict = tan_predict,
                                        .scratch_new = tan_scratch_new,
                                        .scratch_free = hs_free,
                                        .contributions = tan_contributions,
                                        .depends = depends,
                                        .name = "TAN",
                                        .make = tan_model_new,
                                        .fields = tan_fields,
                                        .free = hs_free};

/* Slot `memory` of hs_method. */
static double tan_memory_needed(const hs_size *size, const void *options)
{
    (void)options;
    return size->features * size->classes * 72 + 8 * size->values;
}

const hs_method hs_method_tan = {
    .kind = HS_CLASSIFIER,
    .name = "tan",
    .title = "tree-augmented naive Bayes",
    .help = "Tree-augmented naive Bayes: each feature depends on the class and on one other "
            "feature, along the maximum spanning tree by conditional mutual information given the "
            "class, rooted at the first feature; Laplace smoothing. The information, too, uses "
            "smoothed probabilities, (n + 1)/(n_c + 4) for a pair and (n + 1)/(n_c + 2) for one "
            "feature, as in hre-tan; cmi=empirical uses frequencies as they are, as Friedman and "
            "others and WEKA's TAN do. It ignores the hierarchy. With a lazy selection a feature "
            "whose parent is not selected depends on the class alone.",
    .citation = "Friedman, Geiger, Goldszmidt (1997), Machine Learning 29:131-163, Construct-TAN",
    .flags = HS_NEEDS_CLASSES | HS_PREDICTS_ON_MASK,
    .options = option_table,
    .memory = tan_memory_needed,
    .options_size = sizeof(struct options),
    .check = hs_adjust_check,
    .classifier = &functions,
};

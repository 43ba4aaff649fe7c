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
 * O(d^2) for comparing. Memory O(K d) beside the training rows. Predicting: network.h.
 */
#include <math.h>
#include <string.h>

#include "classify/cmi.h"
#include "classify/network.h"
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

static void *tan_model_new(const hsel_dataset *shape)
{
    hs_network *m = hs_network_new(shape, shape->features);
    if (m)
        m->in_order = true;
    return m;
}

struct candidate { /* the best pair of a feature outside the tree with one inside */
    double value;
    uint32_t feature, inside;
};

static inline bool is_better(const struct candidate *a, const struct candidate *b)
{
    if (a->value != b->value) /* nearly always */
        return a->value > b->value;
    uint32_t i = a->feature < a->inside ? a->feature : a->inside, j = a->feature ^ a->inside ^ i;
    uint32_t k = b->feature < b->inside ? b->feature : b->inside, l = b->feature ^ b->inside ^ k;
    return i != k ? i < k : j < l;
}

static int grow_tree(const hs_network *m, const hs_cmi *cmi, const hs_progress *progress,
                     uint32_t *parent, hsel_error *error)
{
    uint32_t count = 0, added = HSEL_NONE;
    HS_OWNS(hs_arena_clear) hs_arena arena = {0};
    HS_OWNED struct candidate *outside = HS_NEW(struct candidate, m->features);
    HS_OWNED uint64_t *wanted = hs_copy(m->used, hs_bit_words(m->features), sizeof *wanted);
    hs_cmi_pairs pairs; /* of `added` */
    HS_NEED(outside && wanted);
    HS_TRY(hs_cmi_pairs_init(cmi, &arena, &pairs, error));
    for (uint32_t f = 0; f < m->features; f++) {
        parent[f] = HSEL_NONE;
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
        parent[added] = outside[best].inside;
        outside[best] = outside[--count];
    }
    return HSEL_OK;
}

/* The network of a tree, from the parent of each feature (HSEL_NONE: it has none) and how many
 * instances of each class have the feature, and both it and its parent. */
static int make_network(hs_network *m, const uint32_t *parent, const uint32_t *positive,
                        const uint32_t *both, hsel_error *error)
{
    const size_t k = m->classes;
    HS_OWNED uint32_t *start = HS_NEW_ZERO(uint32_t, (size_t)m->features + 1);
    HS_OWNED uint32_t *list = HS_NEW(uint32_t, m->features);
    HS_NEED(start && list);
    for (uint32_t f = 0; f < m->features; f++) {
        start[f + 1] = start[f];
        if (parent[f] != HSEL_NONE)
            list[start[f + 1]++] = parent[f];
    }
    hs_network_link(m, start, list);
    for (uint32_t f = 0; f < m->features; f++) {
        const size_t from = m->config_start[f + 1] = m->config_start[f];
        const bool has_parent = parent[f] != HSEL_NONE;
        for (int up = 0; hs_bit_get(m->used, f) && up <= has_parent; up++)
            HS_TRY(hs_network_add(m, f, error));
        if (has_parent)
            m->key[m->key_start[f] + 1] = 1;
        for (size_t at = from * k; at < m->config_start[f + 1] * k; at++) {
            const size_t c = at % k, own = f * k + c;
            const uint32_t above = has_parent ? positive[parent[f] * k + c] : 0;
            const bool up = at / k > from;
            m->all[at] = up ? above : m->class_size[c] - above;
            m->with[at] = up ? both[own] : positive[own] - (has_parent ? both[own] : 0);
        }
    }
    return hs_network_finish(m, error);
}

static int tan_fit(const hs_training *training, const void *options, void **out, hsel_error *error)
{
    const hsel_dataset *data = training->view.data;
    HS_OWNS(hs_cmi_clear) hs_cmi cmi = {0};
    HS_OWNS(hs_network_release) hs_network *m = tan_model_new(data);
    const size_t k = data->class_names.count;
    HS_OWNED uint32_t *parent = HS_NEW(uint32_t, data->features);
    HS_OWNED uint32_t *both = HS_NEW_ZERO(uint32_t, data->features * k);
    HS_NEED(m && parent && both);
    HS_TRY(hs_cmi_init(&training->view, ((const struct options *)options)->cmi == EMPIRICAL, &cmi,
                       error));
    for (uint32_t f = 0; f < data->features; f++)
        if (hs_view_has(&training->view, f))
            hs_bit_set(m->used, f);
    HS_TRY(grow_tree(m, &cmi, training->progress, parent, error));
    memcpy(m->class_size, cmi.class_size, k * sizeof *m->class_size);
    for (uint32_t f = 0; f < data->features; f++)
        if (parent[f] != HSEL_NONE)
            hs_cmi_both(&cmi, f, parent[f], both + f * k);
    hs_log_weights(training, m->log_weight);
    HS_TRY(make_network(m, parent, cmi.positive, both, error));
    *out = hs_take(&m);
    return HSEL_OK;
}

/* ---- model files: sizes, class sizes, features in use, parents, instances of each class with the
 * feature, and with its parent, too; class weights ---- */

/* The features in use must be one tree: each step up leads to a feature in use, and never to one
 * that was passed on the same way (`passed`, 0 before, has the first feature of that way + 1). */
static bool is_tree(const hs_network *m, const uint32_t *up, uint32_t *passed)
{
    uint32_t roots = 0, used = 0;
    for (uint32_t f = 0; f < m->features; f++) {
        const bool here = hs_bit_get(m->used, f);
        if (up[f] != HSEL_NONE && (!here || up[f] >= m->features || !hs_bit_get(m->used, up[f])))
            return false;
        used += here;
        roots += here && up[f] == HSEL_NONE;
    }
    for (uint32_t f = 0, at; f < m->features; f++) {
        for (at = f; at != HSEL_NONE && !passed[at]; at = up[at])
            passed[at] = f + 1;
        if (at != HSEL_NONE && passed[at] == f + 1)
            return false;
    }
    return roots == (used > 0);
}

/* Counts of each class in a feature and in both it and its parent that can be. */
static bool are_counts(const hs_network *m, const uint32_t *parent, const uint32_t *positive,
                       const uint32_t *both)
{
    const size_t k = m->classes;
    for (size_t at = 0; at < m->features * k; at++) {
        const uint32_t up = parent[at / k], size = m->class_size[at % k];
        const uint64_t above = up == HSEL_NONE ? size : positive[up * k + at % k];
        if (positive[at] > size || both[at] > positive[at] || both[at] > above ||
            (up != HSEL_NONE && above + positive[at] - both[at] > size))
            return false;
    }
    return true;
}

static int tan_fields(void *model, const hsel_dataset *shape, hs_transfer *file, hsel_error *error)
{
    hs_network *m = model;
    const size_t d = m->features, k = m->classes;
    HS_OWNED uint32_t *parent = HS_NEW(uint32_t, d), *passed = HS_NEW_ZERO(uint32_t, d);
    HS_OWNED uint32_t *positive = HS_NEW_ZERO(uint32_t, d * k),
                      *both = HS_NEW_ZERO(uint32_t, d * k);
    (void)shape;
    HS_NEED(parent && passed && positive && both);
    for (uint32_t f = 0; !hs_reads(file) && f < d; f++) {
        const size_t first = m->config_start[f];
        parent[f] = hs_network_parents(m, f) ? m->parent[m->parent_start[f]] : HSEL_NONE;
        for (size_t at = first * k; at < m->config_start[f + 1] * k; at++) {
            positive[f * k + at % k] += m->with[at];
            both[f * k + at % k] += at / k > first ? m->with[at] : 0;
        }
    }
    HS_FIELDS(file, HS_SHAPE(m), HS_VALUES(*m->class_size, k, HS_SUM_TO(HS_INSTANCES_LIMIT)),
              HS_BIT_SET(m->used, d), HS_VALUES(*parent, d, HS_ANY),
              HS_VALUES(*positive, d * k, HS_ANY), HS_VALUES(*both, d * k, HS_ANY));
    HS_TRY(hs_log_weights_fields(m->log_weight, m->classes, file, error));
    if (!hs_reads(file))
        return HSEL_OK;
    if (!is_tree(m, parent, passed) || !are_counts(m, parent, positive, both))
        return HSEL_EFORMAT;
    return make_network(m, parent, positive, both, error);
}

static const hs_classifier functions = {.fit = tan_fit,
                                        .predict = hs_network_predict,
                                        .scratch_new = hs_network_scratch_new,
                                        .scratch_free = hs_free,
                                        .contributions = hs_network_contributions,
                                        .depends = hs_network_depends,
                                        .name = "TAN",
                                        .make = tan_model_new,
                                        .fields = tan_fields,
                                        .free = hs_network_free};

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

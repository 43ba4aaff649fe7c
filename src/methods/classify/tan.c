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
 * so that hre-tan differs only by what it leaves out; cmi=empirical is the information of the
 * paper, from unsmoothed frequencies. Ties between pairs are broken by index, so the tree is
 * unique. With a lazy selection a feature whose parent is not selected depends on the class alone.
 *
 * Prim's algorithm on values computed when needed. O(sum over instances of positives^2) for
 * counts; O(K x (pairs that occur together + d x groups of features with equal counts)) for values;
 * O(d^2) comparisons. Memory O(K d) besides the training rows. Predicting: network.h.
 */
#include "classify/cmi.h"
#include "classify/network.h"

#define FEATURES_A_REPORT 16

enum { SMOOTHED, EMPIRICAL };

struct options {
    hs_adjust_options adjust; /* comes first */
    int cmi;
};

static const hs_option option_table[] = {
    HS_ADJUST_AUTO, HS_WEKA("cmi=empirical,calibration=none", "WEKA's TAN"),
    HS_CHOICE(
        struct options, cmi, "cmi", "smoothed|empirical", "smoothed",
        "compute conditional mutual information from smoothed probabilities, or from frequencies"),
    HS_OPTION_END};

static int grow_tree(const hs_network *m, const hs_cmi *cmi, const hs_progress *progress,
                     uint32_t *parent, hsel_error *error)
{
    uint32_t count = 0, added = HSEL_NONE;
    HS_OWNS(hs_arena_clear) hs_arena arena = {0};
    /* the best pair of each feature outside the tree (i) with one inside (j) */
    HS_OWNED hs_cmi_link *outside = HS_NEW(hs_cmi_link, m->features);
    hs_cmi_pairs pairs; /* of `added` */
    HS_NEED(outside);
    HS_TRY(hs_cmi_pairs_init(cmi, &arena, &pairs, error));
    for (uint32_t f = 0; f < m->features; f++) {
        parent[f] = HSEL_NONE;
        if (!hs_bit_get(m->used, f))
            continue;
        if (added == HSEL_NONE)
            added = f; /* the root */
        else
            outside[count++] = (hs_cmi_link){-INFINITY, f, f};
    }
    for (uint32_t all = count; count > 0;) {
        uint32_t best = 0;
        if (count % FEATURES_A_REPORT == 0)
            HS_TRY(hs_progress_report(progress, all - count, all, "features", error));
        hs_cmi_count(cmi, added, pairs.both);
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t f = outside[i].i;
            const hs_cmi_link now = {hs_cmi_pair(cmi, &pairs, added, f), f, added};
            if (hs_cmi_before(&now, &outside[i]))
                outside[i] = now;
            if (i > 0 && hs_cmi_before(&outside[i], &outside[best]))
                best = i;
        }
        added = outside[best].i;
        parent[added] = outside[best].j;
        outside[best] = outside[--count];
    }
    return HSEL_OK;
}

/* Parents as lists of none or one, which start at start[f]; entries HSEL_NONE of `parent` are
 * removed. */
static void list_parents(uint32_t features, uint32_t *parent, uint32_t *start)
{
    start[0] = 0;
    for (uint32_t f = 0; f < features; f++) {
        const uint32_t up = parent[f];
        start[f + 1] = start[f] + (up != HSEL_NONE);
        if (up != HSEL_NONE)
            parent[start[f]] = up;
    }
}

static hs_network *tan_new(const hsel_dataset *shape, const hs_view *view)
{
    hs_network *m = hs_network_new(shape, view, shape->features);
    if (m)
        m->in_order = true;
    return m;
}

static void *tan_model_new(const hsel_dataset *shape) { return tan_new(shape, NULL); }

static int tan_fit(const hs_training *training, const void *options, void **out, hsel_error *error)
{
    const hsel_dataset *data = training->view.data;
    HS_OWNS(hs_cmi_clear) hs_cmi cmi = {0};
    HS_OWNS(hs_network_release) hs_network *m = tan_new(data, &training->view);
    HS_OWNED uint32_t *parent = HS_NEW(uint32_t, data->features);
    HS_OWNED uint32_t *start = HS_NEW(uint32_t, (size_t)data->features + 1);
    HS_NEED(m && parent && start);
    HS_TRY(hs_cmi_init(&training->view, ((const struct options *)options)->cmi == EMPIRICAL, &cmi,
                       error));
    HS_TRY(grow_tree(m, &cmi, training->progress, parent, error));
    list_parents(m->features, parent, start);
    HS_TRY(hs_network_fit(m, training, start, parent, error));
    *out = hs_take(&m);
    return HSEL_OK;
}

/* Model files: the parent of each feature, then the network. */
static int tan_fields(void *model, const hsel_dataset *shape, hs_transfer *file, hsel_error *error)
{
    const hs_network *m = model;
    HS_OWNED uint32_t *parent = HS_NEW(uint32_t, m->features);
    HS_OWNED uint32_t *start = HS_NEW(uint32_t, (size_t)m->features + 1);
    (void)shape;
    HS_NEED(parent && start);
    for (uint32_t f = 0; !hs_reads(file) && f < m->features; f++)
        parent[f] =
            m->parent_start[f] < m->parent_start[f + 1] ? m->parent[m->parent_start[f]] : HSEL_NONE;
    HS_FIELDS(file, HS_VALUES(*parent, m->features, HS_ANY));
    for (uint32_t f = 0; f < m->features; f++)
        if (parent[f] != HSEL_NONE && parent[f] >= m->features)
            return HSEL_EFORMAT;
    list_parents(m->features, parent, start);
    return hs_network_fields(model, start, parent, file, error);
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
            "feature, as in hre-tan; cmi=empirical uses plain frequencies, as Friedman and others "
            "and WEKA's TAN do. It ignores the hierarchy. With a lazy selector a feature whose "
            "parent is not selected depends only on the class.",
    .citation = "Friedman, Geiger, Goldszmidt (1997), Machine Learning 29:131-163, Construct-TAN",
    .flags = HS_NEEDS_CLASSES | HS_PREDICTS_ON_MASK,
    .options = option_table,
    .memory = tan_memory_needed,
    .options_size = sizeof(struct options),
    .check = hs_adjust_check,
    .classifier = &functions,
};

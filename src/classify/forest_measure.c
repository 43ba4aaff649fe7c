/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a forest knows about itself. Breiman (2001), sections 3.1 and 10.
 *
 * Out of the bag: every training instance is predicted by the mean of the trees whose bootstrap did
 * not draw it. Importance by impurity: the decrease at every split on a feature, weighted by the
 * instances there, summed over the trees and divided by the sum over all features. Importance by
 * permutation: the share of the out-of-bag instances of a tree that it gets right, less the same
 * with the feature's values shuffled among them, as a mean over all trees (0 for trees that do not
 * use it).
 *
 * Instances, and trees, are worked on in parallel; sums are taken in the order of the trees.
 */
#include <math.h>
#include <string.h>

#include "classify/forest.h"
#include "core/mem.h"
#include "core/parallel.h"
#include "stats/metrics.h"

#define BLOCK 64u /* instances of one task */

struct drop {
    uint32_t feature;
    double share;
};

struct measuring {
    const hs_forest *forest;
    const hs_tree_data *data;
    const uint64_t *in_bag;
    size_t words;
    uint64_t seed;
    int workers;
    void **scratch;         /* [workers] */
    double *sum;            /* [workers * classes] */
    uint32_t *list, *mixed; /* [workers * rows], with permutation only */
    uint8_t *outcome;       /* [rows]: 0 in every bag, 1 wrong, 2 right */
    struct drop **drops;    /* [trees]: of the features that the tree uses … */
    uint32_t *drop_count;   /* … and how many they are */
};

static void measuring_clear(struct measuring *m)
{
    for (int w = 0; m->scratch && w < m->workers; w++)
        hs_tree_scratch_free(m->scratch[w]);
    for (uint32_t t = 0; m->drops && t < m->forest->trees; t++)
        hs_free(m->drops[t]);
    hs_free(m->scratch);
    hs_free(m->sum);
    hs_free(m->list);
    hs_free(m->mixed);
    hs_free(m->outcome);
    hs_free(m->drops);
    hs_free(m->drop_count);
}

uint32_t hs_forest_most_nodes(const hs_forest *forest)
{
    uint32_t most = 0;
    for (uint32_t t = 0; t < forest->trees; t++)
        most = forest->tree[t].nodes > most ? forest->tree[t].nodes : most;
    return most;
}

static int measuring_init(struct measuring *m, bool permutation, hsel_error *error)
{
    size_t workers = (size_t)m->workers, rows = m->data->rows;
    int status = HSEL_OK;
    m->scratch = HS_NEW_ZERO(void *, workers);
    m->sum = HS_NEW(double, workers * m->data->classes);
    m->list = HS_NEW(uint32_t, permutation ? workers * rows : 0);
    m->mixed = HS_NEW(uint32_t, permutation ? workers * rows : 0);
    m->outcome = HS_NEW_ZERO(uint8_t, rows);
    m->drops = HS_NEW_ZERO(struct drop *, m->forest->trees);
    m->drop_count = HS_NEW_ZERO(uint32_t, m->forest->trees);
    if (!m->scratch || !m->sum || !m->list || !m->mixed || !m->outcome || !m->drops ||
        !m->drop_count)
        return hs_fail_memory(error);
    for (size_t w = 0; w < workers && status == HSEL_OK; w++)
        status = hs_tree_scratch_new(m->forest->features, hs_forest_most_nodes(m->forest),
                                     &m->scratch[w], error);
    return status;
}

/* ---- error ---- */

static uint8_t outcome_of(struct measuring *m, uint32_t i, int worker)
{
    const hs_forest *forest = m->forest;
    hs_tree_scratch *scratch = m->scratch[worker];
    double *sum = m->sum + (size_t)worker * forest->classes;
    hs_tree_case x = {.data = m->data->data,
                      .instance = m->data->row[i],
                      .positive = scratch->positive,
                      .other_feature = HSEL_NONE};
    bool any = false;
    memset(sum, 0, forest->classes * sizeof *sum);
    hs_tree_set_row(scratch, x.data, x.instance);
    for (uint32_t t = 0; t < forest->trees; t++)
        if (!hs_bit_get(m->in_bag + t * m->words, i)) {
            hs_tree_predict(forest->tree + t, &x, false, scratch->pending, sum);
            any = true;
        }
    hs_tree_unset_row(scratch, x.data, x.instance);
    return any ? 1 + (hs_predicted_class(sum, forest->classes) == x.data->class_of[x.instance]) : 0;
}

static int predict_block(void *context, size_t index, int worker, hsel_error *error)
{
    struct measuring *m = context;
    uint32_t from = (uint32_t)index * BLOCK,
             to = from + BLOCK < m->data->rows ? from + BLOCK : m->data->rows;
    (void)error;
    for (uint32_t i = from; i < to; i++)
        m->outcome[i] = outcome_of(m, i, worker);
    return HSEL_OK;
}

static int measure_error(struct measuring *m, hs_forest *forest, hsel_error *error)
{
    uint32_t wrong = 0, rows = m->data->rows;
    int status = hs_parallel_for((rows + BLOCK - 1) / BLOCK, m->workers, predict_block, m, error);
    if (status)
        return status;
    for (uint32_t i = 0; i < rows; i++) {
        forest->out_of_bag += m->outcome[i] > 0;
        wrong += m->outcome[i] == 1;
    }
    forest->error = forest->out_of_bag ? (double)wrong / forest->out_of_bag : NAN;
    return HSEL_OK;
}

/* ---- importance by impurity ---- */

static double node_impurity(const hs_forest *forest, hs_impurity criterion, const hs_tree *tree,
                            uint32_t node)
{
    const double *share = hs_tree_share(tree, node);
    double sum = 0;
    for (uint32_t c = 0; c < forest->classes; c++)
        if (criterion == HS_INFORMATION)
            sum -= share[c] > 0 ? share[c] * log2(share[c]) : 0;
        else
            sum += share[c] * (1 - share[c]);
    return tree->weight[node] * sum;
}

static void measure_impurity(hs_forest *forest, hs_impurity criterion)
{
    double sum = 0;
    for (uint32_t t = 0; t < forest->trees; t++) {
        const hs_tree *tree = forest->tree + t;
        for (uint32_t i = 0; i < tree->nodes; i++) {
            const hs_tree_node *node = tree->node + i;
            if (node->branches == 0)
                continue;
            double decrease = node_impurity(forest, criterion, tree, i);
            for (uint32_t j = 0; j < node->branches; j++)
                decrease -= node_impurity(forest, criterion, tree, node->child + j);
            forest->importance[node->feature] += decrease > 0 ? decrease : 0;
            sum += decrease > 0 ? decrease : 0;
        }
    }
    for (uint32_t f = 0; f < forest->features && sum > 0; f++)
        forest->importance[f] /= sum;
}

/* ---- importance by permutation ---- */

/* How many of the listed instances the tree gets right, the feature's values taken from `mixed`. */
static uint32_t count_right(struct measuring *m, const hs_tree *tree, const uint32_t *list,
                            uint32_t count, uint32_t feature, const uint32_t *mixed, int worker)
{
    hs_tree_scratch *scratch = m->scratch[worker];
    double *sum = m->sum + (size_t)worker * tree->classes;
    uint32_t right = 0;
    hs_tree_case x = {.data = m->data->data,
                      .columns = m->data->bits.words ? &m->data->bits : NULL,
                      .other_feature = feature};
    for (uint32_t i = 0; i < count; i++) {
        x.instance = list[i];
        x.other = mixed[i];
        memset(sum, 0, tree->classes * sizeof *sum);
        hs_tree_predict(tree, &x, false, scratch->pending, sum);
        right += hs_predicted_class(sum, tree->classes) == x.data->class_of[list[i]];
    }
    return right;
}

/* The features that the tree uses, each once, into the tree's drops. */
static int list_features(struct measuring *m, uint32_t t, int worker, hsel_error *error)
{
    const hs_tree *tree = m->forest->tree + t;
    hs_tree_scratch *scratch = m->scratch[worker];
    uint32_t count = 0;
    if (!(m->drops[t] = HS_NEW(struct drop, tree->nodes)))
        return hs_fail_memory(error);
    for (uint32_t i = 0; i < tree->nodes; i++)
        if (tree->node[i].branches && !hs_bit_get(scratch->positive, tree->node[i].feature)) {
            hs_bit_set(scratch->positive, tree->node[i].feature);
            m->drops[t][count++] = (struct drop){.feature = tree->node[i].feature};
        }
    for (uint32_t i = 0; i < count; i++)
        scratch->positive[m->drops[t][i].feature / 64] = 0;
    m->drop_count[t] = count;
    return HSEL_OK;
}

static int permute_tree(void *context, size_t t, int worker, hsel_error *error)
{
    struct measuring *m = context;
    const hs_tree *tree = m->forest->tree + t;
    uint32_t *list = m->list + (size_t)worker * m->data->rows,
             *mixed = m->mixed + (size_t)worker * m->data->rows;
    uint32_t count = 0;
    int status = list_features(m, (uint32_t)t, worker, error);
    for (uint32_t i = 0; i < m->data->rows; i++)
        if (!hs_bit_get(m->in_bag + t * m->words, i))
            list[count++] = m->data->row[i];
    if (status || count == 0)
        return status;
    double right = count_right(m, tree, list, count, HSEL_NONE, list, worker);
    for (uint32_t i = 0; i < m->drop_count[t]; i++) {
        hs_stream stream;
        struct drop *drop = m->drops[t] + i;
        hs_stream_init(&stream, m->seed, "forest permutation", t, drop->feature);
        memcpy(mixed, list, count * sizeof *mixed);
        hs_random_shuffle(&stream, mixed, count);
        drop->share =
            (right - count_right(m, tree, list, count, drop->feature, mixed, worker)) / count;
    }
    return HSEL_OK;
}

static int measure_permutation(struct measuring *m, hs_forest *forest, hsel_error *error)
{
    int status = hs_parallel_for(forest->trees, m->workers, permute_tree, m, error);
    for (uint32_t t = 0; t < forest->trees && status == HSEL_OK; t++)
        for (uint32_t i = 0; i < m->drop_count[t]; i++)
            forest->permutation[m->drops[t][i].feature] += m->drops[t][i].share / forest->trees;
    return status;
}

int hs_forest_measure(hs_forest *forest, const hs_tree_data *data, const hs_forest_options *options,
                      const uint64_t *in_bag, size_t words, uint64_t seed, int threads,
                      hsel_error *error)
{
    struct measuring m = {.forest = forest,
                          .data = data,
                          .in_bag = in_bag,
                          .words = words,
                          .seed = seed,
                          .workers = hs_threads(threads)};
    int status = measuring_init(&m, options->permutation, error);
    if (status == HSEL_OK)
        status = measure_error(&m, forest, error);
    if (status == HSEL_OK) {
        measure_impurity(forest, (hs_impurity)options->criterion);
        if (options->permutation)
            status = measure_permutation(&m, forest, error);
    }
    measuring_clear(&m);
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One random tree. Breiman (2001), Forest-RI; details as WEKA's RandomTree.
 *
 * Instances are drawn n times with replacement and get their number of draws as weight. At each
 * node that is not pure and has weight 2 `min` or more, features are drawn without replacement
 * until `features` are tried and one of them has a gain above 1e-6, or none is left; the largest
 * gain wins, of equal ones the one drawn first (in a hierarchy parents and children often split
 * alike, and none of them should always win). Gain: decrease of the mean impurity, entropy or
 * Gini's index, times the share of the weight whose value is known. A numeric feature is cut in the
 * middle between two values, the lowest of equal cuts.
 *
 * Positive values are counted by the list of the node or by the column of the feature, whichever is
 * shorter: sparse features cost little at large nodes, and everything at small ones. A node costs
 * O(features tried x that), numeric ones a sort.
 */
#include <math.h>
#include <string.h>

#include "classify/forest.h"
#include "core/mem.h"

int hs_forest_grower_init(hs_forest_grower *grower, const hs_forest_options *options,
                          const hs_tree_data *data, hsel_error *error)
{
    grower->options = options;
    grower->data = data;
    grower->tree.classes = data->classes;
    grower->order = HS_NEW(uint32_t, data->features);
    grower->bag = HS_NEW(double, (size_t)data->most_branches * data->classes);
    grower->size = HS_NEW(double, data->most_branches);
    grower->known = HS_NEW(double, data->classes);
    grower->drawn = HS_NEW(uint32_t, data->rows);
    if (!grower->order || !grower->bag || !grower->size || !grower->known || !grower->drawn)
        return hs_fail_memory(error);
    return hs_tree_pool_init(&grower->pool, data, error);
}

void hs_forest_grower_clear(hs_forest_grower *grower)
{
    hs_tree_pool_clear(&grower->pool);
    hs_tree_clear(&grower->tree);
    hs_free(grower->part);
    hs_free(grower->level);
    hs_free(grower->order);
    hs_free(grower->bag);
    hs_free(grower->size);
    hs_free(grower->known);
    hs_free(grower->drawn);
    *grower = (hs_forest_grower){0};
}

uint32_t hs_forest_tried(const hs_forest_options *options, uint32_t count)
{
    uint32_t tried = options->features;
    for (uint32_t rest = count; options->features == 0 && rest > 0; rest /= 2)
        tried++; /* int(log2 count) + 1 */
    return tried < count ? tried : count;
}

double hs_forest_impurity(const hs_tree_data *data, hs_impurity criterion, const double *count,
                          double total)
{
    double sum = 0;
    if (criterion == HS_INFORMATION) {
        for (uint32_t c = 0; c < data->classes; c++)
            sum += hs_tree_xlog(data, count[c]);
        return hs_tree_xlog(data, total) - sum;
    }
    for (uint32_t c = 0; c < data->classes; c++)
        sum += count[c] * count[c];
    return total > 0 ? total - sum / total : 0;
}

static double impurity(const hs_forest_grower *grower, const double *count, double total)
{
    return hs_forest_impurity(grower->data, (hs_impurity)grower->options->criterion, count, total);
}

/* ---- features at a node ---- */

/* Gain of the division in bag and size. `before` is weight times impurity of what is known, `total`
 * the weight of the node. */
static double gain_of(const hs_forest_grower *grower, uint32_t branches, double before,
                      double total)
{
    uint32_t large = 0;
    double after = 0;
    for (uint32_t j = 0; j < branches; j++)
        large += grower->size[j] > grower->options->min - HS_TREE_SMALL;
    if (large < 2)
        return 0;
    for (uint32_t j = 0; j < branches; j++)
        after += impurity(grower, grower->bag + (size_t)j * grower->data->classes, grower->size[j]);
    return (before - after) / total;
}

static void consider(hs_forest_grower *grower, double gain, hs_tree_node test)
{
    if (gain > grower->gain) {
        grower->gain = gain;
        grower->best = test;
    }
}

/* The weights of the instances in a feature's column, by class. Those outside the node may have no
 * class. */
static void count_by_column(const hs_forest_grower *grower, const uint32_t *column, size_t support,
                            double *positive)
{
    const uint32_t *label = grower->data->data->class_of;
    const double *in_node = grower->pool.in_node;
    for (size_t i = 0; i < support; i++)
        if (in_node[column[i]] > 0)
            positive[label[column[i]]] += in_node[column[i]];
}

static void count_by_bits(const hs_forest_grower *grower, hs_tree_part part, const uint64_t *set,
                          double *positive)
{
    const uint32_t *label = grower->data->data->class_of, *row = grower->pool.row + part.begin;
    const double *weight = grower->pool.weight + part.begin;
    for (size_t i = 0; i < part.count; i++)
        positive[label[row[i]]] += hs_bit_get(set, row[i]) ? weight[i] : 0;
}

static void count_by_rows(const hs_forest_grower *grower, hs_tree_part part, uint32_t feature,
                          double *positive)
{
    const hs_tree_node test = {.feature = feature, .kind = HSEL_BINARY, .branches = 2};
    hs_tree_case x = {.data = grower->data->data, .other_feature = HSEL_NONE};
    for (size_t i = part.begin; i < part.begin + part.count; i++) {
        x.instance = grower->pool.row[i];
        if (hs_tree_branch(&test, &x) == 1)
            positive[x.data->class_of[x.instance]] += grower->pool.weight[i];
    }
}

/* Weights of the positive instances by class, into `positive`, by the way with the fewest steps. */
static void count_positives(const hs_forest_grower *grower, hs_tree_part part, uint32_t feature,
                            double *positive)
{
    const hs_bit_columns *bits = &grower->data->bits;
    size_t support;
    const uint32_t *column = hs_column(grower->data->data, feature, &support);
    if (support <= part.count * (bits->words ? 1 : 8)) /* a search takes about 8 */
        count_by_column(grower, column, support, positive);
    else if (bits->words)
        count_by_bits(grower, part, hs_bit_column(bits, feature), positive);
    else
        count_by_rows(grower, part, feature, positive);
}

static void try_binary(hs_forest_grower *grower, hs_tree_part part, const double *count,
                       double total, uint32_t feature)
{
    const uint32_t classes = grower->data->classes;
    double *positive = grower->bag + classes, with = 0;
    for (uint32_t c = 0; c < classes; c++)
        positive[c] = 0;
    count_positives(grower, part, feature, positive);
    for (uint32_t c = 0; c < classes; c++) {
        grower->bag[c] = count[c] - positive[c];
        with += positive[c];
    }
    if (with <= HS_TREE_SMALL || total - with <= HS_TREE_SMALL)
        return;
    grower->size[0] = total - with;
    grower->size[1] = with;
    consider(grower, gain_of(grower, 2, grower->before, total),
             (hs_tree_node){.feature = feature, .kind = HSEL_BINARY, .branches = 2});
}

static void try_nominal(hs_forest_grower *grower, hs_tree_part part, double total, uint32_t feature)
{
    const hs_nominal_column *column = hs_tree_nominal(grower->data, feature);
    const uint32_t values = column->values.count, classes = grower->data->classes;
    double known_total = 0, *known = grower->known;
    memset(grower->bag, 0, (size_t)values * classes * sizeof *grower->bag);
    memset(grower->size, 0, values * sizeof *grower->size);
    for (uint32_t c = 0; c < classes; c++)
        known[c] = 0;
    for (size_t i = part.begin; i < part.begin + part.count; i++) {
        uint32_t row = grower->pool.row[i], code = column->codes[row],
                 label = grower->data->data->class_of[row];
        if (code == HS_MISSING_CODE)
            continue;
        grower->bag[(size_t)code * classes + label] += grower->pool.weight[i];
        grower->size[code] += grower->pool.weight[i];
        known[label] += grower->pool.weight[i];
        known_total += grower->pool.weight[i];
    }
    consider(grower, gain_of(grower, values, impurity(grower, known, known_total), total),
             (hs_tree_node){.feature = feature, .kind = HSEL_NOMINAL, .branches = values});
}

static void try_numeric(hs_forest_grower *grower, hs_tree_part part, double total, uint32_t feature)
{
    const uint32_t classes = grower->data->classes, *label = grower->data->data->class_of;
    const hs_tree_value *value = grower->pool.value;
    const uint32_t count = hs_tree_sort(grower->data, &grower->pool, part, feature);
    double *below = grower->bag, *above = below + classes, *size = grower->size;
    memset(grower->bag, 0, 2 * (size_t)classes * sizeof *grower->bag);
    size[0] = size[1] = 0;
    for (uint32_t i = 0; i < count; i++) {
        above[label[value[i].row]] += grower->pool.in_node[value[i].row];
        size[1] += grower->pool.in_node[value[i].row];
    }
    double before = impurity(grower, above, size[1]);
    for (uint32_t i = 1; i < count; i++) {
        double weight = grower->pool.in_node[value[i - 1].row];
        uint32_t in = label[value[i - 1].row];
        below[in] += weight;
        above[in] -= weight;
        size[0] += weight;
        size[1] -= weight;
        if (!(value[i - 1].value < value[i].value))
            continue;
        double middle = value[i - 1].value / 2 + value[i].value / 2;
        bool between = middle >= value[i - 1].value && middle < value[i].value;
        consider(grower, gain_of(grower, 2, before, total),
                 (hs_tree_node){.feature = feature,
                                .kind = HSEL_NUMERIC,
                                .branches = 2,
                                .threshold = between ? middle : value[i - 1].value});
    }
}

static void try_feature(hs_forest_grower *grower, hs_tree_part part, const double *count,
                        double total, uint32_t feature)
{
    hsel_feature_type type = grower->data->data->types[feature];
    if (type == HSEL_BINARY)
        try_binary(grower, part, count, total, feature);
    else if (type == HSEL_NOMINAL)
        try_nominal(grower, part, total, feature);
    else
        try_numeric(grower, part, total, feature);
}

/* The best of the features drawn, into grower->best; false: none has any gain. */
static bool choose(hs_forest_grower *grower, hs_tree_part part, const double *count, double total,
                   hs_stream *stream)
{
    const uint32_t features = grower->data->features,
                   tried = hs_forest_tried(grower->options, features);
    grower->gain = HS_TREE_SMALL;
    grower->best = (hs_tree_node){.feature = HSEL_NONE};
    grower->before = impurity(grower, count, total);
    hs_tree_mark(&grower->pool, part);
    for (uint32_t i = 0; i < features && (i < tried || !grower->best.branches); i++) {
        uint32_t at = i + (uint32_t)hs_random_below(stream, features - i),
                 feature = grower->order[at];
        grower->order[at] = grower->order[i];
        grower->order[i] = feature;
        try_feature(grower, part, count, total, feature);
    }
    hs_tree_unmark(&grower->pool, part);
    return grower->best.branches > 0;
}

/* ---- the tree ---- */

void hs_forest_bootstrap(hs_forest_grower *grower, hs_stream *stream)
{
    const uint32_t rows = grower->data->rows;
    for (uint32_t i = 0; i < rows; i++)
        grower->drawn[i] = grower->data->features == 0;
    for (uint32_t i = 0; i < rows && grower->data->features > 0; i++)
        grower->drawn[hs_random_below(stream, rows)]++;
    grower->pool.used = 0;
    for (uint32_t i = 0; i < rows; i++)
        if (grower->drawn[i]) {
            grower->pool.row[grower->pool.used] = grower->data->row[i];
            grower->pool.weight[grower->pool.used++] = grower->drawn[i];
        }
}

static int add_children(hs_forest_grower *grower, uint32_t node, hsel_error *error)
{
    hs_tree *tree = &grower->tree;
    uint32_t first = tree->nodes, branches = grower->best.branches;
    tree->node[node] = grower->best;
    tree->node[node].child = first;
    int status = hs_tree_add(tree, branches, error);
    if (status == HSEL_OK && (!HS_GROW(&grower->part, &grower->part_room, tree->nodes) ||
                              !HS_GROW(&grower->level, &grower->level_room, tree->nodes)))
        status = hs_fail_memory(error);
    if (status == HSEL_OK)
        status = hs_tree_divide(grower->data, &grower->pool, tree->node + node, grower->part[node],
                                error);
    for (uint32_t j = 0; j < branches && status == HSEL_OK; j++) {
        grower->part[first + j] = grower->pool.child[j];
        grower->level[first + j] = grower->level[node] + 1;
    }
    return status;
}

static bool may_split(const hs_forest_grower *grower, uint32_t node, const double *count,
                      double total)
{
    const hs_forest_options *options = grower->options;
    if (total < 2.0 * options->min - HS_TREE_SMALL ||
        (options->depth && grower->level[node] >= options->depth))
        return false;
    for (uint32_t c = 0; c < grower->data->classes; c++)
        if (total - count[c] <= HS_TREE_SMALL)
            return false;
    return true;
}

int hs_forest_grow(hs_forest_grower *grower, uint64_t seed, uint32_t number, hs_tree *out,
                   hsel_error *error)
{
    const hs_tree_data *data = grower->data;
    hs_tree *tree = &grower->tree;
    hs_stream stream;
    hs_stream_init(&stream, seed, "forest", number, 0);
    for (uint32_t i = 0; i < data->features; i++)
        grower->order[i] = data->feature[i];
    hs_forest_bootstrap(grower, &stream);
    tree->nodes = 0;
    int status = hs_tree_add(tree, 1, error);
    if (status == HSEL_OK && (!HS_GROW(&grower->part, &grower->part_room, 1) ||
                              !HS_GROW(&grower->level, &grower->level_room, 1)))
        status = hs_fail_memory(error);
    if (status)
        return status;
    grower->part[0] = (hs_tree_part){0, grower->pool.used};
    grower->level[0] = 0;
    for (uint32_t i = 0; i < tree->nodes && status == HSEL_OK; i++) { /* level by level */
        double *count = tree->share + (size_t)i * data->classes;
        double total = tree->weight[i] = hs_tree_tally(data, &grower->pool, grower->part[i], count);
        if (may_split(grower, i, count, total) &&
            choose(grower, grower->part[i], count, total, &stream))
            status = add_children(grower, i, error);
    }
    if (status)
        return status;
    hs_tree_normalise(tree);
    return hs_tree_copy(tree, out, error);
}

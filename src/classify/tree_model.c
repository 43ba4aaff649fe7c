/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decision trees as they are kept: nodes level by level, predicting without recursion, and their
 * part of model files.
 */
#include "classify/tree_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "stats/metrics.h"

void hs_tree_clear(hs_tree *tree)
{
    hs_free(tree->node);
    hs_free(tree->weight);
    hs_free(tree->share);
    *tree = (hs_tree){0};
}

int hs_tree_add(hs_tree *tree, uint32_t count, hsel_error *error)
{
    size_t nodes = (size_t)tree->nodes + count, cells = nodes * tree->classes;
    if (nodes >= HSEL_NONE)
        return hs_fail(error, HSEL_ELIMIT, "the tree has too many nodes");
    if (!HS_GROW(&tree->node, &tree->node_room, nodes) ||
        !HS_GROW(&tree->weight, &tree->weight_room, nodes) ||
        !HS_GROW(&tree->share, &tree->share_room, cells))
        return hs_fail_memory(error);
    for (size_t i = tree->nodes; i < nodes; i++) {
        tree->node[i] = (hs_tree_node){.feature = HSEL_NONE};
        tree->weight[i] = 0;
        for (uint32_t c = 0; c < tree->classes; c++)
            tree->share[i * tree->classes + c] = 0;
    }
    tree->nodes = (uint32_t)nodes;
    return HSEL_OK;
}

/* Node `from` of the old tree becomes node `to` of the new one; its children are to come, numbered
 * from `child`. */
static void copy_node(const hs_tree *old, uint32_t from, hs_tree *tree, uint32_t to)
{
    tree->node[to] = old->node[from];
    tree->weight[to] = old->weight[from];
    memcpy(tree->share + (size_t)to * tree->classes, hs_tree_share(old, from),
           tree->classes * sizeof(double));
}

int hs_tree_compact(hs_tree *tree, hsel_error *error)
{
    hs_tree out = {.classes = tree->classes};
    uint32_t *old = HS_NEW(uint32_t, tree->nodes);
    int status = old ? hs_tree_add(&out, 1, error) : hs_fail_memory(error);
    if (status == HSEL_OK)
        old[0] = 0;
    for (uint32_t i = 0; status == HSEL_OK && i < out.nodes; i++) {
        copy_node(tree, old[i], &out, i);
        uint32_t branches = out.node[i].branches, first = out.nodes;
        if (branches == 0)
            continue;
        for (uint32_t j = 0; j < branches; j++)
            old[first + j] = out.node[i].child + j;
        out.node[i].child = first;
        status = hs_tree_add(&out, branches, error);
    }
    hs_free(old);
    if (status) {
        hs_tree_clear(&out);
        return status;
    }
    hs_tree_clear(tree);
    *tree = out;
    return HSEL_OK;
}

int hs_tree_copy(const hs_tree *tree, hs_tree *out, hsel_error *error)
{
    size_t nodes = tree->nodes, cells = nodes * tree->classes;
    *out = (hs_tree){.classes = tree->classes,
                     .nodes = tree->nodes,
                     .node = HS_NEW(hs_tree_node, nodes),
                     .weight = HS_NEW(double, nodes),
                     .share = HS_NEW(double, cells),
                     .node_room = nodes,
                     .weight_room = nodes,
                     .share_room = cells};
    if (!out->node || !out->weight || !out->share)
        return hs_fail_memory(error);
    memcpy(out->node, tree->node, nodes * sizeof *out->node);
    memcpy(out->weight, tree->weight, nodes * sizeof *out->weight);
    memcpy(out->share, tree->share, cells * sizeof *out->share);
    return HSEL_OK;
}

void hs_tree_normalise(hs_tree *tree)
{
    const uint32_t classes = tree->classes;
    for (uint32_t c = 0; tree->weight[0] <= 0 && c < classes; c++)
        tree->share[c] = 1.0 / classes; /* nothing was learned */
    for (uint32_t i = 0; i < tree->nodes; i++) {
        double *share = tree->share + (size_t)i * classes;
        const hs_tree_node *node = tree->node + i;
        for (uint32_t c = 0; tree->weight[i] > 0 && c < classes; c++)
            share[c] /= tree->weight[i];
        for (uint32_t j = 0; j < node->branches; j++) /* after the parent: its shares are ready */
            if (tree->weight[node->child + j] <= 0)
                memcpy(tree->share + (size_t)(node->child + j) * classes, share,
                       classes * sizeof *share);
    }
}

uint32_t hs_tree_leaves(const hs_tree *tree)
{
    uint32_t leaves = 0;
    for (uint32_t i = 0; i < tree->nodes; i++)
        leaves += hs_tree_is_leaf(tree, i);
    return leaves;
}

uint32_t hs_tree_majority(const hs_tree *tree, uint32_t node)
{
    return hs_predicted_class(hs_tree_share(tree, node), tree->classes);
}

/* ---- predicting ---- */

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool is_positive(const hs_tree_case *x, uint32_t feature, uint32_t instance)
{
    if (x->positive && instance == x->instance)
        return hs_bit_get(x->positive, feature);
    if (x->columns)
        return hs_bit_get(hs_bit_column(x->columns, feature), instance);
    size_t count;
    const uint32_t *row = hs_row(x->data, instance, &count);
    return count && bsearch(&feature, row, count, sizeof feature, ascending);
}

static double number(const hsel_dataset *data, uint32_t feature, uint32_t instance)
{
    const hs_numeric_column *column = data->numeric + data->slot[feature];
    if (!column->rows)
        return column->values[instance];
    const uint32_t *at =
        column->count ? bsearch(&instance, column->rows, column->count, sizeof instance, ascending)
                      : NULL;
    return at ? column->values[at - column->rows] : 0;
}

uint32_t hs_tree_branch(const hs_tree_node *node, const hs_tree_case *x)
{
    uint32_t instance = node->feature == x->other_feature ? x->other : x->instance;
    if (node->kind == HSEL_BINARY)
        return is_positive(x, node->feature, instance);
    if (x->data->types[node->feature] != node->kind)
        return HSEL_NONE;
    if (node->kind == HSEL_NUMERIC) {
        double value = number(x->data, node->feature, instance);
        return isnan(value) ? HSEL_NONE : value > node->threshold;
    }
    uint32_t code = x->data->nominal[x->data->slot[node->feature]].codes[instance];
    return code < node->branches ? code : HSEL_NONE;
}

/* Puts the children that training instances came to on the list, with their parts of the weight. */
static size_t push_all(const hs_tree *tree, hs_tree_pending at, hs_tree_pending *pending,
                       size_t count)
{
    const hs_tree_node *node = tree->node + at.node;
    double total = 0;
    for (uint32_t j = 0; j < node->branches; j++)
        total += tree->weight[node->child + j];
    for (uint32_t j = node->branches; j-- > 0;) {
        uint32_t child = node->child + j;
        if (tree->weight[child] > 0)
            pending[count++] =
                (hs_tree_pending){child, at.node, at.weight * tree->weight[child] / total};
    }
    return count;
}

static void add_leaf(const hs_tree *tree, hs_tree_pending at, bool laplace, double *sum)
{
    uint32_t node = tree->weight[at.node] > 0 ? at.node : at.parent;
    const double *share = hs_tree_share(tree, node);
    double weight = tree->weight[node];
    for (uint32_t c = 0; c < tree->classes; c++)
        sum[c] +=
            at.weight * (laplace ? (share[c] * weight + 1) / (weight + tree->classes) : share[c]);
}

void hs_tree_predict(const hs_tree *tree, const hs_tree_case *x, bool laplace,
                     hs_tree_pending *pending, double *sum)
{
    size_t count = 0;
    hs_tree_pending at = {0, 0, 1};
    for (;;) {
        const hs_tree_node *node = tree->node + at.node;
        if (node->branches == 0) {
            add_leaf(tree, at, laplace, sum);
            if (count == 0)
                return;
            at = pending[--count];
            continue;
        }
        uint32_t branch = hs_tree_branch(node, x);
        if (branch != HSEL_NONE)
            at = (hs_tree_pending){node->child + branch, at.node, at.weight};
        else if ((count = push_all(tree, at, pending, count)) > 0)
            at = pending[--count];
        else
            return;
    }
}

int hs_tree_scratch_new(uint32_t features, uint32_t most_nodes, void **out, hsel_error *error)
{
    hs_tree_scratch *scratch = HS_NEW_ZERO(hs_tree_scratch, 1);
    if (!scratch)
        return hs_fail_memory(error);
    scratch->positive = HS_NEW_ZERO(uint64_t, hs_bit_words(features));
    scratch->pending = HS_NEW(hs_tree_pending, most_nodes);
    if (!scratch->positive || !scratch->pending) {
        hs_tree_scratch_free(scratch);
        return hs_fail_memory(error);
    }
    *out = scratch;
    return HSEL_OK;
}

void hs_tree_scratch_free(void *pointer)
{
    hs_tree_scratch *scratch = pointer;
    if (!scratch)
        return;
    hs_free(scratch->positive);
    hs_free(scratch->pending);
    hs_free(scratch);
}

void hs_tree_set_row(hs_tree_scratch *scratch, const hsel_dataset *data, uint32_t instance)
{
    size_t count;
    const uint32_t *row = hs_row(data, instance, &count);
    for (size_t i = 0; i < count; i++)
        hs_bit_set(scratch->positive, row[i]);
}

void hs_tree_unset_row(hs_tree_scratch *scratch, const hsel_dataset *data, uint32_t instance)
{
    size_t count;
    const uint32_t *row = hs_row(data, instance, &count);
    for (size_t i = 0; i < count; i++)
        scratch->positive[row[i] / 64] = 0;
}

/* ---- model files: number of nodes; of each feature, kind, branches, threshold, weight, shares
 * ---- */

void hs_tree_put(const hs_tree *tree, hs_writer *out)
{
    hs_writer_put(out, &tree->nodes, sizeof tree->nodes);
    for (uint32_t i = 0; i < tree->nodes; i++) {
        const hs_tree_node *node = tree->node + i;
        uint32_t head[] = {node->feature, node->kind, node->branches};
        double numbers[] = {node->threshold, tree->weight[i]};
        hs_writer_put(out, head, sizeof head);
        hs_writer_put(out, numbers, sizeof numbers);
        hs_writer_put(out, hs_tree_share(tree, i), tree->classes * sizeof(double));
    }
}

static bool is_sound_test(const hs_tree_node *node, uint32_t features)
{
    if (node->branches == 0)
        return node->feature == HSEL_NONE && node->kind == 0;
    return node->feature < features && node->kind <= HSEL_NOMINAL && node->branches >= 2 &&
           (node->kind == HSEL_NOMINAL || node->branches == 2) && isfinite(node->threshold);
}

static bool are_sound_shares(const double *share, uint32_t classes, double weight)
{
    double sum = 0;
    for (uint32_t c = 0; c < classes; c++) {
        if (!(share[c] >= 0 && share[c] <= 1 + 1e-9))
            return false;
        sum += share[c];
    }
    return fabs(sum - 1) < 1e-6 && weight >= 0 && isfinite(weight);
}

/* A node may be reached through a missing value, and then something must come out. */
static bool has_way_down(const hs_tree *tree, uint32_t node)
{
    double total = 0;
    for (uint32_t j = 0; j < tree->node[node].branches; j++)
        total += tree->weight[tree->node[node].child + j];
    return hs_tree_is_leaf(tree, node) || (isfinite(total) && total > 0 && tree->weight[node] > 0);
}

static bool take_nodes(hs_bytes *bytes, uint32_t features, hs_tree *tree)
{
    uint64_t next = 1; /* the first child of the next node that has any */
    for (uint32_t i = 0; i < tree->nodes; i++) {
        hs_tree_node *node = tree->node + i;
        double *share = tree->share + (size_t)i * tree->classes;
        uint32_t head[3];
        double numbers[2];
        if (!hs_bytes_get(bytes, head, sizeof head) ||
            !hs_bytes_get(bytes, numbers, sizeof numbers) ||
            !hs_bytes_get(bytes, share, tree->classes * sizeof *share))
            return false;
        *node = (hs_tree_node){head[0], head[1], (uint32_t)next, head[2], numbers[0]};
        tree->weight[i] = numbers[1];
        if (next <= i || !is_sound_test(node, features) ||
            !are_sound_shares(share, tree->classes, numbers[1]) ||
            (next += node->branches) > tree->nodes)
            return false;
    }
    for (uint32_t i = 0; i < tree->nodes; i++)
        if (!has_way_down(tree, i))
            return false;
    return next == tree->nodes;
}

int hs_tree_take(hs_bytes *bytes, uint32_t features, uint32_t classes, hs_tree *out,
                 hsel_error *error)
{
    uint32_t nodes;
    size_t each = 3 * sizeof(uint32_t) + (2 + (size_t)classes) * sizeof(double);
    if (!hs_bytes_get(bytes, &nodes, sizeof nodes) || nodes < 1 || nodes > bytes->left / each)
        return HSEL_EFORMAT;
    out->classes = classes;
    int status = hs_tree_add(out, nodes, error);
    return status ? status : take_nodes(bytes, features, out) ? HSEL_OK : HSEL_EFORMAT;
}

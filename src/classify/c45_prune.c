/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * C4.5: collapsing and pruning (Quinlan 1993, chapter 4), as in WEKA's J48.
 *
 * Collapsing, from the root down: a subtree that errs on the training instances no less than a leaf
 * in its place (within 1e-3) becomes that leaf. Pruning, from the leaves up: U(w, e) is the error
 * expected of w instances of which e are wrong, at the upper limit of its confidence interval. A
 * node is compared with a leaf in its place and with its heaviest branch in its place (raising), to
 * which all its instances are then sent; the leaf is taken if it is not worse than both by more
 * than 0.1, else the branch if it is not worse than the subtree by more than 0.1, and then it is
 * pruned anew.
 *
 * U: e + w (1 - CF^(1/w)) for e = 0, where (1-p)^w = CF gives p exactly; for e >= 1 the p at which
 * the normal approximation with continuity correction, (p - (e + 1/2)/w) / sqrt(p (1-p) / w), is
 * the CF quantile; linear between; not above w.
 *
 * Of equally heavy branches the last is raised. Without missing values only the instances of the
 * sisters are sent down: O(sum over the nodes of the instances outside their heaviest branch x
 * depth), again for what changed after every raised branch; with missing values O(nodes on a path x
 * instances). Long chains of noise still take long; raising=false does not. No recursion.
 */
#define MATHLIB_STANDALONE 1
#include <Rmath.h>
#include <math.h>
#include <string.h>

#include "classify/c45.h"
#include "core/mem.h"

#define SLACK 0.1 /* how much worse the simpler tree may be */

double hs_c45_added_errors(double weight, double errors, double confidence)
{
    if (errors < 1) {
        double none = weight * (1 - pow(confidence, 1 / weight));
        if (errors <= 0)
            return none;
        return none + errors * (hs_c45_added_errors(weight, 1, confidence) - none);
    }
    if (errors + 0.5 >= weight)
        return weight > errors ? weight - errors : 0;
    double z = qnorm(confidence, 0, 1, 0, 0), z2 = z * z, f = (errors + 0.5) / weight;
    double limit = (f + z2 / (2 * weight) +
                    z * sqrt(f / weight - f * f / weight + z2 / (4 * weight * weight))) /
                   (1 + z2 / weight);
    return limit * weight - errors;
}

/* Weight outside the class with the most. */
static double wrong(const double *count, uint32_t classes, double total)
{
    double most = 0;
    for (uint32_t c = 0; c < classes; c++)
        most = count[c] - most > HS_TREE_SMALL ? count[c] : most;
    return total - most;
}

static double node_wrong(const hs_c45 *c45, uint32_t node)
{
    return wrong(hs_tree_share(&c45->tree, node), c45->tree.classes, c45->tree.weight[node]);
}

static void make_leaf(hs_tree *tree, uint32_t node)
{
    tree->node[node] = (hs_tree_node){.feature = HSEL_NONE};
}

int hs_c45_ready(hs_c45 *c45, hsel_error *error)
{
    size_t nodes = c45->tree.nodes;
    c45->errors = HS_NEW(double, nodes);
    c45->extra = HS_NEW_ZERO(double, nodes *((size_t)c45->tree.classes + 1));
    c45->touched = HS_NEW(uint32_t, nodes);
    c45->next = HS_NEW(uint32_t, c45->data->data->instances);
    c45->first = HS_NEW(uint32_t, nodes);
    c45->changed = HS_NEW_ZERO(bool, nodes);
    if (!c45->errors || !c45->extra || !c45->touched || !c45->next || !c45->first || !c45->changed)
        return hs_fail_memory(error);
    return HSEL_OK;
}

void hs_c45_collapse(hs_c45 *c45)
{
    hs_tree *tree = &c45->tree;
    double *errors = c45->errors;
    for (uint32_t i = tree->nodes; i-- > 0;) { /* children come after their parents */
        const hs_tree_node *node = tree->node + i;
        errors[i] = node->branches ? 0 : node_wrong(c45, i);
        for (uint32_t j = 0; j < node->branches; j++)
            errors[i] += errors[node->child + j];
    }
    for (uint32_t i = 0; i < tree->nodes; i++)
        if (!hs_tree_is_leaf(tree, i) && errors[i] >= node_wrong(c45, i) - 1e-3)
            make_leaf(tree, i);
}

/* ---- raising ---- */

static double expected(const hs_c45 *c45, const double *count, double total)
{
    if (total <= HS_TREE_SMALL)
        return 0;
    double errors = wrong(count, c45->tree.classes, total);
    return errors + hs_c45_added_errors(total, errors, c45->options->confidence);
}

static int push(hs_c45 *c45, size_t *depth, uint32_t node, hs_tree_part part, hsel_error *error)
{
    if (!HS_GROW(&c45->work, &c45->work_room, *depth + 1))
        return hs_fail_memory(error);
    c45->work[(*depth)++] = (hs_c45_work){.node = node, .part = part};
    return HSEL_OK;
}

/* Divides a list by the node's test and puts its children and their lists on the work list. */
static int push_children(hs_c45 *c45, size_t *depth, uint32_t node, hs_tree_part part,
                         hsel_error *error)
{
    const hs_tree_node *at = c45->tree.node + node;
    int status = hs_tree_divide(c45->data, &c45->pool, at, part, error);
    for (uint32_t j = 0; j < at->branches && status == HSEL_OK; j++)
        status = push(c45, depth, at->child + j, c45->pool.child[j], error);
    return status;
}

/* Expected errors of the subtree below `node` when the instances of a list are sent down. `base`:
 * the work list from there on is free. */
static int expected_below(hs_c45 *c45, size_t base, uint32_t node, hs_tree_part part, double *out,
                          hsel_error *error)
{
    size_t depth = base, used = c45->pool.used;
    hs_tree_part copy;
    *out = 0;
    int status = hs_tree_pool_copy(&c45->pool, part, &copy, error);
    if (status == HSEL_OK)
        status = push(c45, &depth, node, copy, error);
    while (status == HSEL_OK && depth > base) {
        hs_c45_work at = c45->work[--depth];
        if (hs_tree_is_leaf(&c45->tree, at.node)) {
            double total = hs_tree_tally(c45->data, &c45->pool, at.part, c45->bag);
            *out += expected(c45, c45->bag, total);
        } else {
            status = push_children(c45, &depth, at.node, at.part, error);
        }
    }
    c45->pool.used = used;
    return status;
}

/* Puts the branch in the node's place and sends the instances of the node down again. */
static int raise_branch(hs_c45 *c45, size_t base, uint32_t node, uint32_t branch, hsel_error *error)
{
    size_t depth = base;
    c45->tree.node[node] = c45->tree.node[branch];
    int status = push(c45, &depth, node, c45->part[node], error);
    while (status == HSEL_OK && depth > base) {
        hs_c45_work at = c45->work[--depth];
        c45->part[at.node] = at.part;
        c45->tree.weight[at.node] = hs_tree_tally(
            c45->data, &c45->pool, at.part, c45->tree.share + (size_t)at.node * c45->tree.classes);
        if (!hs_tree_is_leaf(&c45->tree, at.node))
            status = push_children(c45, &depth, at.node, at.part, error);
    }
    return status;
}

/* ---- raising when no value is missing ----
 *
 * A branch has its own instances already, so only those of its sisters are sent down, and only the
 * leaves where they end change. A long chain of small splits, usual for sparse features, so costs
 * its instances once instead of once a level. Instances weigh 1 and are kept as chains at the
 * leaves. */

static void put_at(hs_c45 *c45, uint32_t leaf, uint32_t row)
{
    c45->next[row] = c45->first[leaf];
    c45->first[leaf] = row;
}

/* The chains of the leaves that can be reached, from the lists of growing. */
static void chain_leaves(hs_c45 *c45)
{
    const hs_tree *tree = &c45->tree;
    for (uint32_t i = 0; i < tree->nodes; i++) {
        c45->first[i] = HSEL_NONE;
        c45->changed[i] = i == 0 || c45->changed[i]; /* by its parent, which came before */
        for (uint32_t j = 0; c45->changed[i] && j < tree->node[i].branches; j++)
            c45->changed[tree->node[i].child + j] = true;
        hs_tree_part part = c45->part[i];
        for (size_t k = 0; c45->changed[i] && hs_tree_is_leaf(tree, i) && k < part.count; k++)
            put_at(c45, i, c45->pool.row[part.begin + k]);
    }
}

/* The instances below a node, into pool.next_row from `count` on. */
static int list_below(hs_c45 *c45, size_t base, uint32_t node, uint32_t *count, hsel_error *error)
{
    size_t depth = base;
    int status = push(c45, &depth, node, (hs_tree_part){0}, error);
    while (status == HSEL_OK && depth > base) {
        uint32_t at = c45->work[--depth].node;
        const hs_tree_node *test = c45->tree.node + at;
        for (uint32_t j = 0; j < test->branches && status == HSEL_OK; j++)
            status = push(c45, &depth, test->child + j, (hs_tree_part){0}, error);
        for (uint32_t row = c45->first[at]; test->branches == 0 && row != HSEL_NONE;
             row = c45->next[row])
            c45->pool.next_row[(*count)++] = row;
    }
    return status;
}

/* Those below the sisters of a branch. */
static int list_sisters(hs_c45 *c45, size_t base, uint32_t node, uint32_t branch, uint32_t *count,
                        hsel_error *error)
{
    const hs_tree_node *parent = c45->tree.node + node;
    int status = HSEL_OK;
    *count = 0;
    for (uint32_t child = parent->child;
         child < parent->child + parent->branches && status == HSEL_OK; child++)
        if (child != branch)
            status = list_below(c45, base, child, count, error);
    return status;
}

static uint32_t step_down(const hs_c45 *c45, uint32_t at, uint32_t row)
{
    const hs_tree_node *test = c45->tree.node + at;
    hs_tree_case x = {.data = c45->data->data,
                      .instance = row,
                      .columns = c45->data->bits.words ? &c45->data->bits : NULL,
                      .other_feature = HSEL_NONE};
    return test->child + hs_tree_branch(test, &x);
}

/* Notes what the leaves below the branch would gain from the rows listed; how many leaves gain. */
static uint32_t note_gains(hs_c45 *c45, uint32_t branch, uint32_t count)
{
    const size_t classes = c45->tree.classes;
    uint32_t leaves = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = branch, row = c45->pool.next_row[i];
        while (!hs_tree_is_leaf(&c45->tree, at))
            at = step_down(c45, at, row);
        double *extra = c45->extra + at * (classes + 1);
        if (extra[classes] == 0)
            c45->touched[leaves++] = at;
        extra[c45->data->data->class_of[row]]++;
        extra[classes]++;
    }
    return leaves;
}

/* What expected_below says of the branch, from its leaves that would change. */
static int expected_with_sisters(hs_c45 *c45, size_t base, uint32_t node, uint32_t branch,
                                 double *out, hsel_error *error)
{
    const uint32_t classes = c45->tree.classes;
    uint32_t count;
    int status = list_sisters(c45, base, node, branch, &count, error);
    if (status)
        return status;
    *out = c45->errors[branch];
    uint32_t leaves = note_gains(c45, branch, count);
    for (uint32_t i = 0; i < leaves; i++) {
        uint32_t leaf = c45->touched[i];
        double *extra = c45->extra + leaf * ((size_t)classes + 1);
        for (uint32_t c = 0; c < classes; c++)
            c45->bag[c] = hs_tree_share(&c45->tree, leaf)[c] + extra[c];
        *out +=
            expected(c45, c45->bag, c45->tree.weight[leaf] + extra[classes]) - c45->errors[leaf];
        memset(extra, 0, ((size_t)classes + 1) * sizeof *extra);
    }
    return HSEL_OK;
}

/* raise_branch: the sisters' instances join those of the branch. */
static int join_sisters(hs_c45 *c45, size_t base, uint32_t node, uint32_t branch, hsel_error *error)
{
    hs_tree *tree = &c45->tree;
    uint32_t count;
    int status = list_sisters(c45, base, node, branch, &count, error);
    for (uint32_t i = 0; i < count && status == HSEL_OK; i++) {
        uint32_t at = branch, row = c45->pool.next_row[i];
        while (!hs_tree_is_leaf(tree, at)) {
            at = step_down(c45, at, row);
            tree->share[(size_t)at * tree->classes + c45->data->data->class_of[row]]++;
            tree->weight[at]++;
            c45->changed[at] = true;
        }
        put_at(c45, at, row);
    }
    tree->node[node] = tree->node[branch];
    c45->first[node] = c45->first[branch];
    return status;
}

/* A node becomes a leaf: the instances below it are its own. */
static int take_below(hs_c45 *c45, size_t base, uint32_t node, hsel_error *error)
{
    uint32_t count = 0;
    int status = list_below(c45, base, node, &count, error);
    c45->first[node] = HSEL_NONE;
    for (uint32_t i = 0; i < count && status == HSEL_OK; i++)
        put_at(c45, node, c45->pool.next_row[i]);
    return status;
}

/* ---- pruning ---- */

static uint32_t heaviest_branch(const hs_tree *tree, uint32_t node)
{
    uint32_t child = tree->node[node].child, best = child;
    for (uint32_t j = 1; j < tree->node[node].branches; j++)
        if (tree->weight[child + j] > tree->weight[best] - HS_TREE_SMALL)
            best = child + j;
    return best;
}

/* A node whose children are pruned. *again: it has another test now, and its children must be
 * pruned anew. */
static int prune_node(hs_c45 *c45, size_t base, uint32_t node, bool *again, hsel_error *error)
{
    hs_tree *tree = &c45->tree;
    const hs_tree_node *at = tree->node + node;
    double leaf = expected(c45, hs_tree_share(tree, node), tree->weight[node]), subtree = 0,
           raised = INFINITY;
    uint32_t branch = heaviest_branch(tree, node);
    const bool quick = !c45->data->has_missing;
    int status = HSEL_OK;
    for (uint32_t j = 0; j < at->branches; j++)
        subtree += c45->errors[at->child + j];
    if (c45->options->raising && quick)
        status = expected_with_sisters(c45, base, node, branch, &raised, error);
    else if (c45->options->raising)
        status = expected_below(c45, base, branch, c45->part[node], &raised, error);
    c45->errors[node] = subtree;
    if (status)
        return status;
    if (leaf <= subtree + SLACK + HS_TREE_SMALL && leaf <= raised + SLACK + HS_TREE_SMALL) {
        if (quick && c45->options->raising)
            status = take_below(c45, base, node, error);
        make_leaf(tree, node);
        c45->errors[node] = leaf;
    } else if (raised <= subtree + SLACK + HS_TREE_SMALL) {
        *again = true;
        status = (quick ? join_sisters : raise_branch)(c45, base, node, branch, error);
    }
    return status;
}

/* The next child to be pruned; HSEL_NONE: all are. One that was pruned and has the same instances
 * still is as it is. */
static uint32_t next_child(hs_c45 *c45, hs_c45_work *work)
{
    const hs_tree_node *node = c45->tree.node + work->node;
    while (work->next < node->branches) {
        uint32_t child = node->child + work->next++;
        if (c45->changed[child])
            return child;
    }
    return HSEL_NONE;
}

int hs_c45_prune(hs_c45 *c45, hsel_error *error)
{
    size_t depth = 0;
    int status = push(c45, &depth, 0, c45->part[0], error);
    if (c45->data->has_missing)
        memset(c45->changed, true, c45->tree.nodes * sizeof *c45->changed);
    else
        chain_leaves(c45);
    while (status == HSEL_OK && depth > 0) {
        uint32_t node = c45->work[depth - 1].node, child = next_child(c45, c45->work + depth - 1);
        bool again = false;
        if (child != HSEL_NONE) {
            status = push(c45, &depth, child, c45->part[child], error);
            continue;
        }
        if (hs_tree_is_leaf(&c45->tree, node))
            c45->errors[node] =
                expected(c45, hs_tree_share(&c45->tree, node), c45->tree.weight[node]);
        else
            status = prune_node(c45, depth, node, &again, error);
        if (again) {
            c45->work[depth - 1].next = 0;
        } else {
            c45->changed[node] = c45->data->has_missing;
            depth--;
        }
    }
    return status;
}

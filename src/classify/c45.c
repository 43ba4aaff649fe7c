/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * C4.5 decision tree, as WEKA's J48: gain ratio, pessimistic pruning, subtree raising.
 *
 * Binary features have two branches, nominal ones one per value, numeric ones a threshold; they may
 * be mixed, and used again further down. A missing value sends a fraction of the instance down
 * every branch, in the shares of the instances whose value is known, when learning and when
 * predicting. P(c) = share of the training weight at the leaf (laplace: (w_c + 1) / (w + K)); an
 * empty leaf answers as its parent. A nominal value that was not declared in training counts as
 * missing. No feature in use: the shares of the classes.
 *
 * Quinlan (1993), C4.5: Programs for Machine Learning, chapters 2 to 4; release 8 for numeric
 * features (Quinlan 1996, JAIR 4:77-90). J48 differs from C4.5 in small things (a node is split
 * only if at least two branches have `min` instances; the mean of the gains with a slack of 1e-3),
 * and so does this.
 *
 * Growing O(levels x (positives + numeric values)) plus d K per node; predicting O(depth). Formulas
 * and ties: below, of the split and of pruning.
 */
#define MATHLIB_STANDALONE 1
#include "classify/c45.h"

#include <Rmath.h>
#include <math.h>
#include <string.h>

#include "core/mem.h"

#define SMALL     HS_TREE_SMALL
#define GAP       1e-5 /* least distance of two values to cut between */
#define NEAR_MEAN 1e-3 /* a gain that little below the mean is good enough */
#define SLACK     0.1  /* how much worse the simpler tree may be */

static const hs_option table[] = {
    HS_OPTION(hs_c45_options, confidence, "confidence", "P", "0.25", 1e-6, 0.5,
              "confidence of the limit on errors: less prunes more"),
    HS_OPTION(hs_c45_options, min, "min", "N", "2", 1, 1000000000,
              "least number of instances in two branches of a split"),
    HS_OPTION(hs_c45_options, pruning, "pruning", NULL, "true", 0, 1,
              "prune by the expected error"),
    HS_OPTION(hs_c45_options, raising, "raising", NULL, "true", 0, 1,
              "when pruning, also put a branch in place of its parent"),
    HS_OPTION(hs_c45_options, collapse, "collapse", NULL, "true", 0, 1,
              "remove splits that make no fewer errors on the training instances"),
    HS_OPTION(hs_c45_options, mdl, "mdl", NULL, "true", 0, 1,
              "make numeric splits pay for the choice of their threshold"),
    HS_FLAG(hs_c45_options, laplace, "laplace", "smooth the probabilities at a leaf"),
    HS_OPTION_END};

void hs_c45_clear(hs_c45 *c45)
{
    hs_tree_pool_clear(&c45->pool);
    hs_tree_clear(&c45->tree);
    hs_free(c45->work);
    *c45 = (hs_c45){0};
}

/* ---- the split ----
 *
 * H(w) = -sum w_c log2 (w_c / w). Of a list with total weight W, of which W_k has a known value,
 * dividing into branches b:
 *
 *     gain = W_k / W * (H(known) - sum over b of H(b)) / W_k
 *     ratio = gain / (-sum over b and "missing" of w_b/W log2 w_b/W)
 *
 * A feature can split if at least two branches have weight `min` or more. A numeric one is cut
 * where its gain is largest, with `min` up to a tenth of the mean class, at most 25, on both sides,
 * between values more than 1e-5 apart; the choice costs it log2(cuts) / W of its gain; the
 * threshold is the largest training value below the middle of the gap. Best is the largest ratio
 * among the features whose gain is not below the mean by more than 1e-3; features with more values
 * than 3/10 of the training instances do not count in the mean. Ties (within 1e-6) go to the first
 * feature, the lowest cut.
 *
 * Time per node: its positive values, d K, and for each numeric feature n log n or the training
 * rows, whichever is less. Memory O(d K + rows x numeric features). */

/* H of a list whose weights by class are given. */
static double entropy(const hs_tree_data *data, const double *count, double total)
{
    double sum = 0;
    for (uint32_t c = 0; c < data->classes; c++)
        sum += hs_tree_xlog(data, count[c]);
    return hs_tree_xlog(data, total) - sum;
}

/* Gain of the division in the pool's bag and size; `before` is H of what is known. */
static double gain_of(const hs_c45 *c45, uint32_t branches, double known, double before,
                      double total)
{
    double after = 0;
    for (uint32_t j = 0; j < branches; j++)
        after +=
            entropy(c45->data, c45->pool.bag + (size_t)j * c45->data->classes, c45->pool.size[j]);
    double gain = (1 - (total - known) / total) * (before - after);
    return fabs(gain) <= SMALL ? 0 : gain / known;
}

static double ratio_of(const hs_c45 *c45, uint32_t branches, double known, double gain,
                       double total)
{
    double information = hs_tree_xlog(c45->data, total) - hs_tree_xlog(c45->data, total - known);
    for (uint32_t j = 0; j < branches; j++)
        information -= hs_tree_xlog(c45->data, c45->pool.size[j]);
    return fabs(information) <= SMALL ? 0 : gain / (information / total);
}

static void split_by_bags(const hs_c45 *c45, uint32_t branches, double before, double known,
                          double total, hs_c45_split *split)
{
    uint32_t large = 0;
    for (uint32_t j = 0; j < branches; j++)
        large += c45->pool.size[j] > c45->options->min - SMALL;
    if (large < 2)
        return;
    split->branches = branches;
    split->gain = gain_of(c45, branches, known, before, total);
    split->ratio = ratio_of(c45, branches, known, split->gain, total);
}

static void split_binary(const hs_c45 *c45, uint32_t feature, const double *count, double total,
                         double before, hs_c45_split *split)
{
    const size_t classes = c45->data->classes;
    const double *positive = c45->positive + feature * classes;
    double with = 0;
    for (uint32_t c = 0; c < classes; c++)
        with += positive[c];
    if (with <= c45->options->min - SMALL || total - with <= c45->options->min - SMALL)
        return; /* nearly all of them, in sparse data */
    for (uint32_t c = 0; c < classes; c++) {
        c45->pool.bag[c] = count[c] - positive[c];
        c45->pool.bag[classes + c] = positive[c];
    }
    c45->pool.size[0] = total - with;
    c45->pool.size[1] = with;
    split_by_bags(c45, 2, before, total, total, split);
}

static void split_nominal(const hs_c45 *c45, hs_tree_part part, uint32_t feature, double total,
                          hs_c45_split *split)
{
    const hs_tree_pool *pool = &c45->pool;
    const uint32_t values = hs_tree_nominal(c45->data, feature)->values.count,
                   classes = c45->data->classes;
    double known = hs_tree_count_nominal(c45->data, pool, part, feature), before = 0;
    for (uint32_t c = 0; c < classes; c++) {
        double in_class = 0;
        for (uint32_t j = 0; j < values; j++)
            in_class += pool->bag[(size_t)j * classes + c];
        before -= hs_tree_xlog(c45->data, in_class);
    }
    split_by_bags(c45, values, before + hs_tree_xlog(c45->data, known), known, total, split);
}

static void split_numeric(hs_c45 *c45, hs_tree_part part, uint32_t feature, double total,
                          hs_c45_split *split)
{
    const hs_tree_value *value = c45->pool.value;
    const double *size = c45->pool.size;
    uint32_t count = hs_tree_sort(c45->data, &c45->pool, part, feature), cuts = 0;
    uint32_t best = 0; /* the first of the values above the best cut; 0: there is none */
    hs_tree_all_above(c45->data, &c45->pool, count);
    double known = size[1], gain = 0, least = 0.1 * known / c45->data->classes,
           before = entropy(c45->data, c45->pool.bag + c45->data->classes, known);
    least = least <= c45->options->min ? c45->options->min : least > 25 ? 25 : least;
    if (count < 2 * least - SMALL)
        return;
    for (uint32_t i = 1; i < count; i++) {
        hs_tree_move_below(c45->data, &c45->pool, value[i - 1].row);
        if (value[i - 1].value + GAP >= value[i].value || size[0] <= least - SMALL ||
            size[1] <= least - SMALL)
            continue;
        double here = gain_of(c45, 2, known, before, total);
        if (here - gain > SMALL) {
            gain = here;
            best = i;
        }
        cuts++;
    }
    if (best && c45->options->mdl)
        gain -= log2(cuts) / total;
    if (best == 0 || gain <= SMALL)
        return;
    hs_tree_all_above(c45->data, &c45->pool, count);
    for (uint32_t i = 0; i < best; i++)
        hs_tree_move_below(c45->data, &c45->pool, value[i].row);
    split->branches = 2;
    split->gain = gain;
    split->ratio = ratio_of(c45, 2, known, gain, total);
    /* The largest training value up to the middle. */
    double below = value[best - 1].value, above = value[best].value;
    double middle = below / 2 + above / 2, limit = middle < above ? middle : below;
    const hs_tree_column *column = c45->data->numeric + c45->data->data->slot[feature];
    uint32_t low = 0, high = column->known;
    while (low < high) {
        uint32_t at = low + (high - low) / 2;
        if (column->sorted[at].value <= limit)
            low = at + 1;
        else
            high = at;
    }
    split->threshold = column->sorted[low ? low - 1 : 0].value;
}

static bool has_few_values(const hs_tree_data *data, uint32_t feature)
{
    uint32_t values = data->data->types[feature] == HSEL_NOMINAL
                          ? hs_tree_nominal(data, feature)->values.count
                          : 2;
    return data->data->types[feature] == HSEL_NUMERIC || values < 0.3 * data->rows - SMALL;
}

/* Fills c45->split for a list and gives the place in data->feature of the best, HSEL_NONE: the node
 * stays a leaf. `count` are the weights of the classes in the list, `total` their sum. */
static uint32_t best_split(hs_c45 *c45, hs_tree_part part, const double *count, double total)
{
    const hs_tree_data *data = c45->data;
    const hsel_dataset *set = data->data;
    const size_t classes = data->classes;
    double before = entropy(data, count, total);
    if (!hs_tree_may_split(count, data->classes, total, c45->options->min))
        return HSEL_NONE;
    memset(c45->positive, 0, set->features * classes * sizeof *c45->positive);
    for (size_t i = part.begin; i < part.begin + part.count; i++) {
        size_t positives;
        const uint32_t *row = hs_row(set, c45->pool.row[i], &positives);
        double weight = c45->pool.weight[i], *at = c45->positive + set->class_of[c45->pool.row[i]];
        for (size_t j = 0; j < positives; j++)
            at[row[j] * classes] += weight;
    }
    hs_tree_mark(&c45->pool, part, true);
    bool all_have_many = true;
    for (uint32_t i = 0; i < data->features; i++) {
        uint32_t f = data->feature[i];
        hs_c45_split *split = c45->split + i;
        *split = (hs_c45_split){0};
        if (set->types[f] == HSEL_BINARY)
            split_binary(c45, f, count, total, before, split);
        else if (set->types[f] == HSEL_NOMINAL)
            split_nominal(c45, part, f, total, split);
        else
            split_numeric(c45, part, f, total, split);
        all_have_many = all_have_many && !has_few_values(data, f);
    }
    hs_tree_mark(&c45->pool, part, false);
    double sum = 0, most = 0;
    uint32_t valid = 0, best = HSEL_NONE;
    for (uint32_t i = 0; i < data->features; i++)
        if (c45->split[i].branches && (all_have_many || has_few_values(data, data->feature[i]))) {
            sum += c45->split[i].gain;
            valid++;
        }
    for (uint32_t i = 0; valid && i < data->features; i++) {
        const hs_c45_split *split = c45->split + i;
        if (split->branches && split->gain >= sum / valid - NEAR_MEAN &&
            split->ratio - most > SMALL) {
            most = split->ratio;
            best = i;
        }
    }
    return best;
}

int hs_c45_grow(hs_c45 *c45, const hs_c45_options *options, const hs_tree_data *data,
                hsel_error *error)
{
    hs_tree_pool *pool = &c45->pool;
    hs_tree *tree = &c45->tree;
    hs_arena *arena = &pool->arena;
    c45->options = options;
    c45->data = data;
    tree->classes = data->classes;
    c45->split = HS_ARENA_NEW(arena, hs_c45_split, data->features);
    c45->positive = HS_ARENA_NEW(arena, double, (size_t)data->data->features * data->classes);
    HS_NEED(c45->split && c45->positive);
    HS_TRY(hs_tree_pool_init(pool, data, error));
    memcpy(pool->row, data->row, data->rows * sizeof *pool->row);
    for (uint32_t i = 0; i < data->rows; i++)
        pool->weight[i] = 1;
    pool->used = data->rows;
    HS_TRY(hs_tree_start(tree, pool, error));
    for (uint32_t i = 0; i < tree->nodes; i++) {
        double *count = hs_tree_share(tree, i);
        tree->weight[i] = hs_tree_tally(data, pool, pool->part[i], count);
        uint32_t choice = best_split(c45, pool->part[i], count, tree->weight[i]);
        if (choice == HSEL_NONE)
            continue;
        const hs_c45_split *split = c45->split + choice;
        const uint32_t feature = data->feature[choice];
        HS_TRY(hs_tree_split(data, pool, tree, i,
                             (hs_tree_node){feature, data->data->types[feature], 0, split->branches,
                                            split->threshold},
                             error));
    }
    const size_t nodes = tree->nodes;
    c45->errors = HS_ARENA_NEW(arena, double, nodes);
    c45->touched = HS_ARENA_NEW(arena, uint32_t, nodes);
    c45->first = HS_ARENA_NEW(arena, uint32_t, nodes);
    c45->changed = hs_arena_zero(arena, nodes, sizeof(bool));
    c45->next = HS_ARENA_NEW(arena, uint32_t, data->data->instances);
    c45->extra = hs_arena_zero(arena, nodes * ((size_t)data->classes + 1), sizeof(double));
    HS_NEED(c45->errors && c45->touched && c45->first && c45->changed && c45->next && c45->extra);
    return HSEL_OK;
}

/* ---- collapsing and pruning ----
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
 * instances). Long chains of noise still take long; raising=false does not. */

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
static double wrong(const hs_c45 *c45, const double *count, double total)
{
    double most = 0;
    for (uint32_t c = 0; c < c45->tree.classes; c++)
        most = count[c] - most > SMALL ? count[c] : most;
    return total - most;
}

void hs_c45_collapse(hs_c45 *c45)
{
    hs_tree *tree = &c45->tree;
    double *errors = c45->errors;
    for (uint32_t i = tree->nodes; i-- > 0;) { /* children come after their parents */
        const hs_tree_node *node = tree->node + i;
        errors[i] = node->branches ? 0 : wrong(c45, hs_tree_share(tree, i), tree->weight[i]);
        for (uint32_t j = 0; j < node->branches; j++)
            errors[i] += errors[node->child + j];
    }
    for (uint32_t i = 0; i < tree->nodes; i++)
        if (!hs_tree_is_leaf(tree, i) &&
            errors[i] >= wrong(c45, hs_tree_share(tree, i), tree->weight[i]) - 1e-3)
            tree->node[i] = (hs_tree_node){.feature = HSEL_NONE};
}

static double expected(const hs_c45 *c45, const double *count, double total)
{
    if (total <= SMALL)
        return 0;
    double errors = wrong(c45, count, total);
    return errors + hs_c45_added_errors(total, errors, c45->options->confidence);
}

static int push(hs_c45 *c45, size_t *depth, uint32_t node, hs_tree_part part, hsel_error *error)
{
    HS_NEED(HS_GROW(&c45->work, &c45->work_capacity, *depth + 1));
    c45->work[(*depth)++] = (hs_c45_work){.node = node, .part = part};
    return HSEL_OK;
}

/* Sends the instances of a list down from `node`. Their expected errors at the leaves into *out, or
 * (out NULL) the instances become those of the nodes. `base`: the work list from there on is free.
 */
static int send_down(hs_c45 *c45, size_t base, uint32_t node, hs_tree_part part, double *out,
                     hsel_error *error)
{
    size_t depth = base;
    HS_TRY(push(c45, &depth, node, part, error));
    while (depth > base) {
        hs_c45_work at = c45->work[--depth];
        const hs_tree_node *test = c45->tree.node + at.node;
        if (!out) {
            c45->pool.part[at.node] = at.part;
            c45->tree.weight[at.node] =
                hs_tree_tally(c45->data, &c45->pool, at.part, hs_tree_share(&c45->tree, at.node));
        } else if (test->branches == 0) {
            double total = hs_tree_tally(c45->data, &c45->pool, at.part, c45->pool.bag);
            *out += expected(c45, c45->pool.bag, total);
        }
        if (test->branches)
            HS_TRY(hs_tree_divide(c45->data, &c45->pool, test, at.part, error));
        for (uint32_t j = 0; j < test->branches; j++)
            HS_TRY(push(c45, &depth, test->child + j, c45->pool.child[j], error));
    }
    return HSEL_OK;
}

/* Expected errors of the subtree below `branch` with the instances of the node: on a copy of its
 * list. */
static int expected_below(hs_c45 *c45, size_t base, uint32_t node, uint32_t branch, double *out,
                          hsel_error *error)
{
    hs_tree_pool *pool = &c45->pool;
    hs_tree_part part = pool->part[node], copy = {pool->used, part.count};
    HS_TRY(hs_tree_pool_reserve(pool, part.count, error));
    memcpy(pool->row + copy.begin, pool->row + part.begin, part.count * sizeof *pool->row);
    memcpy(pool->weight + copy.begin, pool->weight + part.begin, part.count * sizeof *pool->weight);
    pool->used += part.count;
    *out = 0;
    HS_TRY(send_down(c45, base, branch, copy, out, error));
    pool->used = copy.begin;
    return HSEL_OK;
}

/* Puts the branch in the node's place and sends the instances of the node down again. */
static int raise_branch(hs_c45 *c45, size_t base, uint32_t node, uint32_t branch, hsel_error *error)
{
    c45->tree.node[node] = c45->tree.node[branch];
    return send_down(c45, base, node, c45->pool.part[node], NULL, error);
}

/* ---- raising when no value is missing ----
 *
 * A branch has its own instances already, so only those of its sisters are sent down, and only the
 * leaves where they end change. A long chain of small splits, usual for sparse features, so costs
 * its instances once instead of once per level. Instances weigh 1 and are kept as chains at the
 * leaves. */

static void put_at(hs_c45 *c45, uint32_t leaf, uint32_t row)
{
    c45->next[row] = c45->first[leaf];
    c45->first[leaf] = row;
}

/* The instances below the nodes from `first` up to `end`, less `without`, into pool.next_row. */
static int list_below(hs_c45 *c45, size_t base, uint32_t first, uint32_t end, uint32_t without,
                      uint32_t *count, hsel_error *error)
{
    size_t depth = base;
    *count = 0;
    for (uint32_t node = first; node < end; node++) {
        if (node != without)
            HS_TRY(push(c45, &depth, node, (hs_tree_part){0}, error));
        while (depth > base) {
            uint32_t at = c45->work[--depth].node;
            const hs_tree_node *test = c45->tree.node + at;
            for (uint32_t j = 0; j < test->branches; j++)
                HS_TRY(push(c45, &depth, test->child + j, (hs_tree_part){0}, error));
            for (uint32_t row = c45->first[at]; test->branches == 0 && row != HSEL_NONE;
                 row = c45->next[row])
                c45->pool.next_row[(*count)++] = row;
        }
    }
    return HSEL_OK;
}

/* Those below the sisters of a branch. */
static int list_sisters(hs_c45 *c45, size_t base, uint32_t node, uint32_t branch, uint32_t *count,
                        hsel_error *error)
{
    const hs_tree_node *parent = c45->tree.node + node;
    return list_below(c45, base, parent->child, parent->child + parent->branches, branch, count,
                      error);
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

/* What expected_below says of the branch, from its leaves that would change. */
static int expected_with_sisters(hs_c45 *c45, size_t base, uint32_t node, uint32_t branch,
                                 double *out, hsel_error *error)
{
    const hs_tree *tree = &c45->tree;
    const size_t classes = tree->classes;
    uint32_t count, leaves = 0;
    HS_TRY(list_sisters(c45, base, node, branch, &count, error));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = branch, row = c45->pool.next_row[i];
        while (!hs_tree_is_leaf(tree, at))
            at = step_down(c45, at, row);
        double *extra = c45->extra + at * (classes + 1);
        if (extra[classes] == 0)
            c45->touched[leaves++] = at;
        extra[c45->data->data->class_of[row]]++;
        extra[classes]++;
    }
    *out = c45->errors[branch];
    for (uint32_t i = 0; i < leaves; i++) {
        uint32_t leaf = c45->touched[i];
        double *extra = c45->extra + leaf * (classes + 1), *bag = c45->pool.bag;
        for (uint32_t c = 0; c < classes; c++)
            bag[c] = hs_tree_share(tree, leaf)[c] + extra[c];
        *out += expected(c45, bag, tree->weight[leaf] + extra[classes]) - c45->errors[leaf];
        memset(extra, 0, (classes + 1) * sizeof *extra);
    }
    return HSEL_OK;
}

/* raise_branch: the sisters' instances join those of the branch. */
static int join_sisters(hs_c45 *c45, size_t base, uint32_t node, uint32_t branch, hsel_error *error)
{
    hs_tree *tree = &c45->tree;
    uint32_t count;
    HS_TRY(list_sisters(c45, base, node, branch, &count, error));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = branch, row = c45->pool.next_row[i];
        while (!hs_tree_is_leaf(tree, at)) {
            at = step_down(c45, at, row);
            hs_tree_share(tree, at)[c45->data->data->class_of[row]]++;
            tree->weight[at]++;
            c45->changed[at] = true;
        }
        put_at(c45, at, row);
    }
    tree->node[node] = tree->node[branch];
    c45->first[node] = c45->first[branch];
    return HSEL_OK;
}

/* A node whose children are pruned. *again: it has another test now, and its children must be
 * pruned anew. */
static int prune_node(hs_c45 *c45, size_t base, uint32_t node, bool *again, hsel_error *error)
{
    hs_tree *tree = &c45->tree;
    const hs_tree_node *at = tree->node + node;
    const bool quick = !c45->data->has_missing;
    double leaf = expected(c45, hs_tree_share(tree, node), tree->weight[node]), subtree = 0,
           raised = INFINITY;
    uint32_t heaviest = at->child, count;
    for (uint32_t child = at->child; child < at->child + at->branches; child++) {
        subtree += c45->errors[child];
        if (tree->weight[child] > tree->weight[heaviest] - SMALL)
            heaviest = child;
    }
    if (c45->options->raising)
        HS_TRY((quick ? expected_with_sisters : expected_below)(c45, base, node, heaviest, &raised,
                                                                error));
    c45->errors[node] = subtree;
    if (leaf <= subtree + SLACK + SMALL && leaf <= raised + SLACK + SMALL) {
        if (quick && c45->options->raising) { /* the instances below are its own */
            HS_TRY(list_below(c45, base, node, node + 1, HSEL_NONE, &count, error));
            c45->first[node] = HSEL_NONE;
            for (uint32_t i = 0; i < count; i++)
                put_at(c45, node, c45->pool.next_row[i]);
        }
        tree->node[node] = (hs_tree_node){.feature = HSEL_NONE};
        c45->errors[node] = leaf;
    } else if (raised <= subtree + SLACK + SMALL) {
        *again = true;
        return (quick ? join_sisters : raise_branch)(c45, base, node, heaviest, error);
    }
    return HSEL_OK;
}

int hs_c45_prune(hs_c45 *c45, hsel_error *error)
{
    const hs_tree *tree = &c45->tree;
    size_t depth = 0;
    HS_TRY(push(c45, &depth, 0, c45->pool.part[0], error));
    /* All are new; without missing values, of those that can be reached, with chains at the leaves
     * from the lists of growing. */
    c45->changed[0] = true;
    for (uint32_t i = 0; i < tree->nodes; i++) { /* parents come before their children */
        hs_tree_part part = c45->pool.part[i];
        c45->first[i] = HSEL_NONE;
        c45->changed[i] = c45->changed[i] || c45->data->has_missing;
        for (uint32_t j = 0; c45->changed[i] && j < tree->node[i].branches; j++)
            c45->changed[tree->node[i].child + j] = true;
        for (size_t k = 0; c45->changed[i] && hs_tree_is_leaf(tree, i) && k < part.count; k++)
            put_at(c45, i, c45->pool.row[part.begin + k]);
    }
    while (depth > 0) {
        hs_c45_work *work = c45->work + depth - 1;
        uint32_t node = work->node, child = HSEL_NONE;
        bool again = false;
        /* The next child to be pruned. One that was pruned and has the same instances still is as
         * it is. */
        while (child == HSEL_NONE && work->next < tree->node[node].branches) {
            uint32_t next = tree->node[node].child + work->next++;
            child = c45->changed[next] ? next : HSEL_NONE;
        }
        if (child != HSEL_NONE) {
            HS_TRY(push(c45, &depth, child, c45->pool.part[child], error));
            continue;
        }
        if (hs_tree_is_leaf(tree, node))
            c45->errors[node] = expected(c45, hs_tree_share(tree, node), tree->weight[node]);
        else
            HS_TRY(prune_node(c45, depth, node, &again, error));
        if (again) {
            c45->work[depth - 1].next = 0;
        } else {
            c45->changed[node] = c45->data->has_missing;
            depth--;
        }
    }
    return HSEL_OK;
}

/* ---- the classifier ---- */

struct model {
    hs_tree tree;
    uint32_t features, laplace;
};

static void model_free(void *pointer)
{
    struct model *model = pointer;
    if (model)
        hs_tree_clear(&model->tree);
    hs_free(model);
}
HS_RELEASE(model_release, struct model, model_free)

static int fit(const hs_training *training, const void *pointer, void **out, hsel_error *error)
{
    const hs_c45_options *options = pointer;
    HS_OWNS(hs_tree_data_clear) hs_tree_data data = {0};
    HS_OWNS(hs_c45_clear) hs_c45 c45 = {0};
    HS_OWNS(model_release) struct model *model = HS_NEW_ZERO(struct model, 1);
    HS_NEED(model);
    HS_TRY(hs_tree_data_init(&data, training, error));
    HS_TRY(hs_c45_grow(&c45, options, &data, error));
    if (options->collapse)
        hs_c45_collapse(&c45);
    if (options->pruning)
        HS_TRY(hs_c45_prune(&c45, error));
    HS_TRY(hs_tree_finish(&c45.tree, &model->tree, error));
    model->features = training->view.data->features;
    model->laplace = options->laplace;
    *out = hs_take(&model);
    return HSEL_OK;
}

static int scratch_new(const void *pointer, void **out, hsel_error *error)
{
    HS_NEED(*out = HS_NEW(hs_tree_pending, ((const struct model *)pointer)->tree.nodes));
    return HSEL_OK;
}

static int predict(const void *pointer, const hs_batch *batch, void *scratch, double *probability,
                   double *score, hsel_error *error)
{
    const struct model *model = pointer;
    const uint32_t classes = model->tree.classes;
    (void)error;
    for (uint32_t at = 0; at < batch->count; at++, probability += classes, score += classes) {
        hs_tree_case x = {
            .data = batch->data, .instance = batch->instances[at], .other_feature = HSEL_NONE};
        memset(probability, 0, classes * sizeof *probability);
        hs_tree_predict(&model->tree, &x, model->laplace, scratch, probability);
        hs_scores_of_shares(probability, score, classes);
    }
    return HSEL_OK;
}

static int describe(const void *pointer, const hsel_dataset *shape, hs_describe_form form,
                    hs_writer *out, hsel_error *error)
{
    return hs_tree_show(&((const struct model *)pointer)->tree, shape, form, out, error);
}

/* Model files: features, classes, laplace, the tree. */

static void *model_new(const hsel_dataset *shape)
{
    struct model *model = HS_NEW_ZERO(struct model, 1);
    if (model)
        *model =
            (struct model){.features = shape->features, .tree.classes = shape->class_names.count};
    return model;
}

static int fields(void *pointer, const hsel_dataset *shape, hs_transfer *file, hsel_error *error)
{
    struct model *model = pointer;
    uint32_t *classes = &model->tree.classes;
    (void)shape;
    HS_FIELDS(file, HS_VALUE(model->features, HS_IS(model->features)),
              HS_VALUE(*classes, HS_IS(*classes)), HS_VALUE(model->laplace, 0, 1));
    return *classes ? hs_tree_fields(&model->tree, model->features, file, error) : HSEL_EFORMAT;
}

static const hs_classifier functions = {.fit = fit,
                                        .predict = predict,
                                        .scratch_new = scratch_new,
                                        .scratch_free = hs_free,
                                        .describe = describe,
                                        .name = "tree",
                                        .make = model_new,
                                        .fields = fields,
                                        .free = model_free};

const hs_method hs_method_tree = {
    .kind = HS_CLASSIFIER,
    .name = "tree",
    .title = "C4.5 decision tree",
    .help = "A decision tree that splits by gain ratio and is pruned by the expected error, with "
            "subtree raising, as WEKA's J48. Takes binary, numeric and nominal features alike; "
            "instances with a missing value go down every branch in part. Probabilities are the "
            "shares of the classes at the leaf.",
    .citation = "Quinlan (1993), C4.5: Programs for Machine Learning, Morgan Kaufmann; numeric "
                "features: Quinlan (1996), JAIR 4:77-90; details as WEKA's J48",
    .flags = HS_NEEDS_CLASSES | HS_ANY_FEATURES,
    .options = table,
    .options_size = sizeof(hs_c45_options),
    .classifier = &functions,
};

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
 * A numeric target: splits lower the variance most, a leaf answers with its mean, pruning corrects
 * the error by the numbers in a tree as M5 does (Quinlan 1992). See below, of numbers.
 *
 * Growing O(levels x (positives + numeric values)) plus d K per node; predicting O(depth). Formulas
 * and ties: below, of the split and of pruning.
 */
#define MATHLIB_STANDALONE 1
#include "classify/tree.h"

#include <Rmath.h>

#define SMALL     HS_TREE_SMALL
#define NEAR_MEAN 1e-3 /* a gain that little below the mean is good enough */
#define SLACK     0.1  /* how much worse the simpler tree may be */

static const hs_option table[] = {
    HS_ADJUST_AUTO,
    HS_WEKA("laplace=false,calibration=none", "WEKA's J48"),
    HS_OPTION(hs_c45_options, confidence, "confidence", "P", "0.25", 1e-6, 0.5,
              "confidence limit of the error estimate: lower values prune more"),
    HS_OPTION(hs_c45_options, min, "min", "N", "2", 1, 1000000000,
              "minimum number of instances in two branches of a split"),
    HS_OPTION(hs_c45_options, pruning, "pruning", NULL, "true", 0, 1,
              "prune by the expected error"),
    HS_OPTION(hs_c45_options, raising, "raising", NULL, "true", 0, 1,
              "when pruning, also replace a node by its largest branch"),
    HS_OPTION(hs_c45_options, collapse, "collapse", NULL, "true", 0, 1,
              "remove splits that make no fewer errors on the training instances"),
    HS_OPTION(hs_c45_options, mdl, "mdl", NULL, "true", 0, 1,
              "penalise numeric splits for the choice of their threshold"),
    HS_OPTION(hs_c45_options, laplace, "laplace", NULL, "true", 0, 1,
              "smooth the probabilities at a leaf"),
    HS_OPTION_END};

void hs_c45_clear(hs_c45 *c45)
{
    hs_tree_grower_clear(&c45->grower);
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
 * between any two values that differ (J48: by more than 1e-5, which depends on the unit of
 * measurement and finds nothing in relative abundances); the choice costs it log2(cuts) / W of its
 * gain; the threshold is the largest training value below the middle of the gap. Best is the
 * largest ratio among the features whose gain is not below the mean by more than 1e-3; features
 * with more values than 3/10 of the training instances do not count in the mean. Ties (within 1e-6)
 * go to the first feature, the lowest cut.
 *
 * Time per node: its positive values, d K, and for each numeric feature n log n or the training
 * rows, whichever is less. Memory O(d K + rows x numeric features). */

/* Of the division in the grower's bag and size; `before` is H of what is known. */
static double gain_of(const hs_tree_grower *g, uint32_t branches, double known, double before,
                      double total)
{
    double after = 0;
    for (uint32_t j = 0; j < branches; j++)
        after += hs_tree_impurity(g->data, HS_INFORMATION, g->bag + (size_t)j * g->data->classes,
                                  g->size[j]);
    double gain = (1 - (total - known) / total) * (before - after);
    return fabs(gain) <= SMALL ? 0 : gain / known;
}

static double ratio_of(const hs_tree_grower *g, uint32_t branches, double known, double gain,
                       double total)
{
    double information = hs_tree_xlog(g->data, total) - hs_tree_xlog(g->data, total - known);
    for (uint32_t j = 0; j < branches; j++)
        information -= hs_tree_xlog(g->data, g->size[j]);
    return fabs(information) <= SMALL ? 0 : gain / (information / total);
}

/* The decrease of S by a split into the branches in bag and size, for a numeric target (below). */
static double lowered_by(const hs_tree_grower *g, uint32_t branches)
{
    double sum = 0, weight = 0, after = 0;
    for (uint32_t j = 0; j < branches; j++) {
        sum += g->bag[j];
        weight += g->size[j];
        after += hs_tree_impurity(g->data, HS_VARIANCE, g->bag + j, g->size[j]);
    }
    return hs_tree_impurity(g->data, HS_VARIANCE, &sum, weight) - after;
}

/* The division in the grower's bag and size. */
static hs_c45_split take_split(const hs_tree_grower *g, uint32_t branches, double known,
                               double before, double total)
{
    if (g->data->target) {
        const double lowered = lowered_by(g, branches);
        return (hs_c45_split){.gain = lowered, .ratio = lowered, .branches = branches};
    }
    const double gain = gain_of(g, branches, known, before, total);
    return (hs_c45_split){gain, ratio_of(g, branches, known, gain, total), 0, branches};
}

/* The largest training value of a feature that is not above the limit. */
static double largest_value(const hs_tree_column *column, double limit)
{
    uint32_t low = 0, high = column->known;
    while (low < high) {
        uint32_t at = low + (high - low) / 2;
        if (column->sorted[at].value <= limit)
            low = at + 1;
        else
            high = at;
    }
    return column->sorted[low ? low - 1 : 0].value;
}

/* The best cut of a numeric feature; no branches if no cut exceeds this gain. */
static hs_c45_split split_numeric(hs_c45 *c45, hs_tree_part part, uint32_t feature, double total,
                                  double gain)
{
    hs_tree_grower *g = &c45->grower;
    const bool numbers = g->data->target;
    const hs_tree_value *value = g->value;
    const double *size = g->size, min = c45->options->min;
    uint32_t count = hs_tree_sort(g, part, feature), cuts = 0;
    uint32_t best = 0; /* the first of the values above the best cut; 0: there is none */
    hs_tree_all_above(g, count);
    double known = size[1], least = numbers ? 0 : 0.1 * known / g->data->classes,
           before = numbers ? 0
                            : hs_tree_impurity(g->data, HS_INFORMATION, g->bag + g->data->classes,
                                               known);
    least = least <= min ? min : least > 25 ? 25 : least;
    if ((g->data->weight ? known : count) < 2 * least - SMALL)
        return (hs_c45_split){0};
    for (uint32_t i = 1; i < count; i++) {
        hs_tree_move_below(g, value[i - 1].row);
        if (value[i - 1].value >= value[i].value || size[0] <= least - SMALL ||
            size[1] <= least - SMALL)
            continue;
        double here = numbers ? lowered_by(g, 2) : gain_of(g, 2, known, before, total);
        if (here - gain > SMALL) {
            gain = here;
            best = i;
        }
        cuts++;
    }
    if (best && c45->options->mdl && !numbers)
        gain -= log2(cuts) / total;
    if (best == 0 || gain <= SMALL)
        return (hs_c45_split){0};
    const double middle = hs_tree_middle(value[best - 1].value, value[best].value);
    if (numbers)
        return (hs_c45_split){gain, gain, middle, 2};
    hs_tree_all_above(g, count);
    for (uint32_t i = 0; i < best; i++)
        hs_tree_move_below(g, value[i].row);
    const hs_tree_column *column = g->data->numeric + g->data->data->slot[feature];
    return (hs_c45_split){gain, ratio_of(g, 2, known, gain, total), largest_value(column, middle),
                          2};
}

static bool has_few_values(const hs_tree_data *data, uint32_t feature)
{
    uint32_t values = data->data->types[feature] == HSEL_NOMINAL
                          ? hs_tree_nominal(data, feature)->values.count
                          : 2;
    return data->data->types[feature] == HSEL_NUMERIC || values < 0.3 * data->total - SMALL;
}

/* The best split of a list, from those of all features in c45->split. */
static hs_tree_node best_split(void *context, hs_tree_part part, const double *count, double total)
{
    hs_c45 *c45 = context;
    hs_tree_grower *g = &c45->grower;
    const hs_tree_data *data = g->data;
    const hsel_dataset *set = data->data;
    const bool numbers = data->target;
    const size_t classes = data->classes;
    const double least = c45->options->min - SMALL,
                 of_node = numbers ? 0 : hs_tree_impurity(data, HS_INFORMATION, count, total);
    double largest = 0, *weighs = c45->positive + set->features; /* of numbers */
    memset(c45->positive, 0, set->features * (numbers ? 2 : classes) * sizeof *c45->positive);
    for (size_t i = part.begin; i < part.begin + part.count; i++) {
        size_t positives;
        const uint32_t *row = hs_row(set, g->row[i], &positives);
        const double counts = hs_tree_counts(data, g->row[i], g->weight[i]);
        double *at = c45->positive + hs_tree_label(data, g->row[i]);
        for (size_t j = 0; j < positives; j++)
            at[row[j] * classes] += counts;
        for (size_t j = 0; numbers && j < positives; j++)
            weighs[row[j]] += g->weight[i];
    }
    bool all_have_many = true;
    for (uint32_t i = 0; i < data->features; i++) {
        const uint32_t f = data->feature[i];
        hs_c45_split *split = c45->split + i;
        uint32_t branches = 2;
        double known = total, before = of_node;
        *split = (hs_c45_split){0};
        all_have_many = all_have_many && !has_few_values(data, f);
        if (set->types[f] == HSEL_NUMERIC) {
            *split = split_numeric(c45, part, f, total, largest);
            largest = numbers && split->branches ? split->gain : largest;
            continue;
        }
        if (set->types[f] == HSEL_BINARY) {
            const double *positive = c45->positive + f * classes;
            double with = numbers ? weighs[f] : 0;
            for (uint32_t c = 0; c < classes && !numbers; c++)
                with += positive[c];
            if (with <= least || total - with <= least)
                continue; /* nearly all of them, in sparse data */
            for (uint32_t c = 0; c < classes; c++) {
                g->bag[c] = count[c] - positive[c];
                g->bag[classes + c] = positive[c];
            }
            g->size[0] = total - with;
            g->size[1] = with;
        } else {
            branches = hs_tree_nominal(data, f)->values.count;
            known = hs_tree_count_nominal(g, part, f);
            before = 0;
            for (uint32_t c = 0; c < classes && !numbers; c++) {
                double in_class = 0;
                for (uint32_t j = 0; j < branches; j++)
                    in_class += g->bag[j * classes + c];
                before -= hs_tree_xlog(data, in_class);
            }
            before += hs_tree_xlog(data, known);
            if (!hs_tree_has_two(g, branches, c45->options->min))
                continue;
        }
        *split = take_split(g, branches, known, before, total);
        if (numbers && split->gain - largest > SMALL)
            largest = split->gain;
    }
    double sum = 0, most = 0;
    uint32_t valid = 0;
    hs_tree_node best = {.feature = HSEL_NONE};
    for (uint32_t i = 0; i < data->features; i++)
        if (c45->split[i].branches &&
            (numbers || all_have_many || has_few_values(data, data->feature[i]))) {
            sum += c45->split[i].gain;
            valid++;
        }
    for (uint32_t i = 0; valid && i < data->features; i++) {
        const hs_c45_split *split = c45->split + i;
        const uint32_t f = data->feature[i];
        if (split->branches && (numbers || split->gain >= sum / valid - NEAR_MEAN) &&
            split->ratio - most > SMALL) {
            most = split->ratio;
            best = (hs_tree_node){f, set->types[f], 0, split->branches, split->threshold};
        }
    }
    return best;
}

/* ---- numbers ----
 *
 * With y the target, S(w) = sum of w y^2 - (sum of w y)^2 / sum of w of a list. A split lowers the
 * sum of S over the instances whose value is known, by the most of all features and cuts; ties
 * (within 1e-6 of the variance of a training instance) go to the first feature, the lowest cut. All
 * branches of binary and numeric features, two of a nominal one, have weight `min` or more. The
 * threshold is the middle of the gap.
 *
 * Pruning, from the leaves up: a tree of n instances (by weight) is expected to err by
 *
 *     sqrt(S / n) (n + v) / (n - v)        v = leaves + splits; without limit if n <= v
 *
 * where S is summed over its leaves (Quinlan 1992, M5: v counts the numbers in a model). A leaf
 * takes the place of a subtree that is expected to err as much or more. O(instances x levels). */

static double expected_of_numbers(double squares, double n, double numbers)
{
    return n > numbers ? sqrt(fmax(squares, 0) / n) * (n + numbers) / (n - numbers) : INFINITY;
}

static void prune_numbers(hs_c45 *c45)
{
    hs_tree_grower *g = &c45->grower;
    hs_tree *tree = &g->tree;
    double *squares = c45->errors, *leaves = c45->extra; /* of the subtree */
    for (uint32_t i = tree->nodes; i-- > 0;) {           /* children come after their parents */
        const hs_tree_node *node = tree->node + i;
        const double n = tree->weight[i];
        double own = 0, of_sum = *hs_tree_share(tree, i);
        for (size_t k = g->part[i].begin; k < g->part[i].begin + g->part[i].count; k++)
            own += g->weight[k] * pow(g->data->target[g->row[k]], 2);
        own -= n > 0 ? of_sum * of_sum / n : 0;
        squares[i] = leaves[i] = 0;
        for (uint32_t j = 0; j < node->branches; j++) {
            squares[i] += squares[node->child + j];
            leaves[i] += leaves[node->child + j];
        }
        if (node->branches &&
            expected_of_numbers(own, n, 1) > expected_of_numbers(squares[i], n, 2 * leaves[i] - 1))
            continue;
        tree->node[i] = (hs_tree_node){.feature = HSEL_NONE};
        squares[i] = own;
        leaves[i] = 1;
    }
}

/* Options that are about classes. */
static int refuse_for_numbers(const hs_c45_options *o, const hsel_dataset *data, hsel_error *error)
{
    const char *given = o->confidence != 0.25 ? "confidence"
                        : !o->raising         ? "raising"
                        : !o->collapse        ? "collapse"
                        : !o->mdl             ? "mdl"
                                              : NULL;
    return given ? hs_fail(error, HSEL_EUSAGE,
                           "%s of tree is for classes, but the target of %s is a number", given,
                           hsel_dataset_name(data))
                 : HSEL_OK;
}

int hs_c45_grow(hs_c45 *c45, const hs_c45_options *options, const hs_tree_data *data,
                hsel_error *error)
{
    hs_tree_grower *g = &c45->grower;
    hs_arena *arena = &g->arena;
    c45->options = options;
    const size_t each = data->target ? 2 : data->classes; /* numbers kept of each feature */
    HS_NEED(HS_LISTS(arena, c45, HS_PART(c45, split, data->features),
                     HS_PART(c45, positive, data->data->features * each)));
    HS_TRY(hs_tree_grower_init(g, data, error));
    memcpy(g->row, data->row, data->rows * sizeof *g->row);
    for (uint32_t i = 0; i < data->rows; i++)
        g->weight[i] = hs_tree_weight(data, data->row[i]);
    g->used = data->rows;
    HS_TRY(hs_tree_grow(g, options->min, 0, best_split, c45, error));
    const size_t nodes = g->tree.nodes;
    for (c45->landings = 64; c45->landings < 4 * (size_t)data->rows;)
        c45->landings *= 2;
    HS_NEED(HS_LISTS(arena, c45, HS_PART(c45, errors, nodes), HS_PART(c45, touched, nodes),
                     HS_PART(c45, first, nodes), HS_PART(c45, changed, nodes),
                     HS_PART(c45, next, data->data->instances), HS_PART(c45, heir, nodes),
                     HS_PART(c45, landing, c45->landings),
                     HS_PART(c45, extra, nodes * ((size_t)data->classes + 1))));
    for (size_t i = 0; i < nodes; i++)
        c45->heir[i] = HSEL_NONE;
    for (size_t i = 0; i < c45->landings; i++)
        c45->landing[i].from = HSEL_NONE;
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
 * pruned again.
 *
 * U: e + w (1 - CF^(1/w)) for e = 0, where (1-p)^w = CF gives p exactly; for e >= 1 the p at which
 * the normal approximation with continuity correction, (p - (e + 1/2)/w) / sqrt(p (1-p) / w), is
 * the CF quantile; linear between; not above w.
 *
 * Of equally heavy branches the last is raised. Without missing values only the instances of the
 * sisters are sent down, each of them all the way only once: O(sum over the nodes of the instances
 * outside their heaviest branch x depth), and without the depth again for what changed after every
 * raised branch. With missing values O(nodes on a path x instances), also again: there long chains
 * of noise take long, which raising=false does not. */

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

/* Weight of a node outside the class with the most. */
static double wrong(const hs_tree *tree, const double *count, double total)
{
    double most = 0;
    for (uint32_t c = 0; c < tree->classes; c++)
        most = count[c] - most > SMALL ? count[c] : most;
    return total - most;
}

void hs_c45_collapse(hs_c45 *c45)
{
    hs_tree *tree = &c45->grower.tree;
    double *errors = c45->errors;
    for (uint32_t i = tree->nodes; i-- > 0;) { /* children come after their parents */
        const hs_tree_node *node = tree->node + i;
        errors[i] = node->branches ? 0 : wrong(tree, hs_tree_share(tree, i), tree->weight[i]);
        for (uint32_t j = 0; j < node->branches; j++)
            errors[i] += errors[node->child + j];
    }
    for (uint32_t i = 0; i < tree->nodes; i++)
        if (!hs_tree_is_leaf(tree, i) &&
            errors[i] >= wrong(tree, hs_tree_share(tree, i), tree->weight[i]) - 1e-3)
            tree->node[i] = (hs_tree_node){.feature = HSEL_NONE};
}

static double expected(const hs_c45 *c45, const double *count, double total)
{
    if (total <= SMALL)
        return 0;
    double errors = wrong(&c45->grower.tree, count, total);
    return errors + hs_c45_added_errors(total, errors, c45->options->confidence);
}

static int push(hs_c45 *c45, uint32_t node, hs_tree_part part, hsel_error *error)
{
    HS_NEED(HS_GROW(&c45->work, &c45->work_capacity, c45->depth + 1));
    c45->work[c45->depth++] = (hs_c45_work){.node = node, .part = part};
    return HSEL_OK;
}

/* Sends the instances of a list down from `node`. Their expected errors at the leaves into *out, or
 * (out NULL) the instances become those of the nodes. */
static int send_down(hs_c45 *c45, uint32_t node, hs_tree_part part, double *out, hsel_error *error)
{
    hs_tree_grower *g = &c45->grower;
    const size_t base = c45->depth;
    HS_TRY(push(c45, node, part, error));
    while (c45->depth > base) {
        hs_c45_work at = c45->work[--c45->depth];
        const hs_tree_node *test = g->tree.node + at.node;
        if (!out) {
            g->part[at.node] = at.part;
            g->tree.weight[at.node] = hs_tree_tally(g, at.part, hs_tree_share(&g->tree, at.node));
        } else if (test->branches == 0) {
            double total = hs_tree_tally(g, at.part, g->bag);
            *out += expected(c45, g->bag, total);
        }
        if (test->branches)
            HS_TRY(hs_tree_divide(g, test, at.part, error));
        for (uint32_t j = 0; j < test->branches; j++)
            HS_TRY(push(c45, test->child + j, g->child[j], error));
    }
    return HSEL_OK;
}

/* ---- raising when no value is missing ----
 *
 * A branch has its own instances already, so only those of its sisters are sent down, and only the
 * leaves where they end change. A long chain of small splits, usual for sparse features, so costs
 * its instances once instead of once per level. Instances weigh the same everywhere and are kept as
 * chains at the leaves. In noise, branches of such a chain are raised by the hundred, and each time
 * all nodes below are looked at again: so the leaf that an instance comes to is kept (`landing`; of
 * two with the same place the later). */

static void put_at(hs_c45 *c45, uint32_t leaf, uint32_t row)
{
    c45->next[row] = c45->first[leaf];
    c45->first[leaf] = row;
}

/* The leaf that an instance comes to from a node. What was found before still holds if the leaf is
 * in the tree; else the way goes on from the node in its place, which is above it. */
static uint32_t land(hs_c45 *c45, uint32_t from, uint32_t row)
{
    const hs_tree *tree = &c45->grower.tree;
    uint64_t hash = (from * UINT64_C(0x9e3779b97f4a7c15)) ^ (row * UINT64_C(0xc2b2ae3d27d4eb4f));
    hs_c45_landing *known = c45->landing + ((hash ^ hash >> 32) & (c45->landings - 1));
    uint32_t at = known->from == from && known->row == row ? known->leaf : from;
    while (c45->heir[at] != HSEL_NONE)
        at = c45->heir[at];
    hs_tree_case x = hs_tree_training_case(c45->grower.data);
    x.instance = row;
    while (!hs_tree_is_leaf(tree, at))
        at = tree->node[at].child + hs_tree_branch(tree->node + at, &x);
    *known = (hs_c45_landing){from, row, at};
    return at;
}

/* The instances below the nodes from `first` up to `end`, less `without`, into grower.next_row. An
 * heir (HSEL_NONE: none) takes the place of all nodes there. */
static int list_below(hs_c45 *c45, uint32_t first, uint32_t end, uint32_t without, uint32_t heir,
                      uint32_t *count, hsel_error *error)
{
    const size_t base = c45->depth;
    *count = 0;
    for (uint32_t node = first; node < end; node++) {
        if (node != without)
            HS_TRY(push(c45, node, (hs_tree_part){0}, error));
        while (c45->depth > base) {
            uint32_t at = c45->work[--c45->depth].node;
            const hs_tree_node *test = c45->grower.tree.node + at;
            if (heir != HSEL_NONE && heir != at)
                c45->heir[at] = heir;
            for (uint32_t j = 0; j < test->branches; j++)
                HS_TRY(push(c45, test->child + j, (hs_tree_part){0}, error));
            for (uint32_t row = c45->first[at]; test->branches == 0 && row != HSEL_NONE;
                 row = c45->next[row])
                c45->grower.next_row[(*count)++] = row;
        }
    }
    return HSEL_OK;
}

/* Sends the instances below the sisters of a branch of `node` down the branch. Its expected errors
 * with them into *out, or (out NULL) they become its own and it takes the place of the node. */
static int send_sisters(hs_c45 *c45, uint32_t node, uint32_t branch, double *out, hsel_error *error)
{
    const hs_tree_data *data = c45->grower.data;
    hs_tree *tree = &c45->grower.tree;
    const hs_tree_node *parent = tree->node + node;
    const size_t classes = tree->classes;
    hs_tree_case x = hs_tree_training_case(data);
    uint32_t count, leaves = 0, end = parent->child + parent->branches;
    HS_TRY(list_below(c45, parent->child, end, branch, out ? HSEL_NONE : node, &count, error));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = branch, row = x.instance = c45->grower.next_row[i],
                 label = data->data->class_of[row];
        const double weight = hs_tree_weight(data, row);
        if (out) {
            at = land(c45, branch, row);
            double *extra = c45->extra + at * (classes + 1);
            if (extra[classes] == 0)
                c45->touched[leaves++] = at;
            extra[label] += weight;
            extra[classes] += weight;
            continue;
        }
        while (!hs_tree_is_leaf(tree, at)) {
            at = tree->node[at].child + hs_tree_branch(tree->node + at, &x);
            hs_tree_share(tree, at)[label] += weight;
            tree->weight[at] += weight;
            c45->changed[at] = true;
        }
        put_at(c45, at, row);
    }
    if (!out) {
        tree->node[node] = tree->node[branch];
        c45->first[node] = c45->first[branch];
        c45->heir[branch] = node;
        return HSEL_OK;
    }
    *out = c45->errors[branch];
    for (uint32_t i = 0; i < leaves; i++) { /* what changes at the leaves */
        uint32_t leaf = c45->touched[i];
        double *extra = c45->extra + leaf * (classes + 1), *bag = c45->grower.bag;
        for (uint32_t c = 0; c < classes; c++)
            bag[c] = hs_tree_share(tree, leaf)[c] + extra[c];
        *out += expected(c45, bag, tree->weight[leaf] + extra[classes]) - c45->errors[leaf];
        memset(extra, 0, (classes + 1) * sizeof *extra);
    }
    return HSEL_OK;
}

/* A node whose children are pruned. *again: it has another test now, and its children must be
 * pruned again. */
static int prune_node(hs_c45 *c45, uint32_t node, bool *again, hsel_error *error)
{
    hs_tree_grower *g = &c45->grower;
    hs_tree *tree = &g->tree;
    const hs_tree_node *at = tree->node + node;
    const bool quick = !g->data->has_missing;
    double leaf = expected(c45, hs_tree_share(tree, node), tree->weight[node]), subtree = 0,
           raised = INFINITY;
    uint32_t heaviest = at->child, count;
    for (uint32_t child = at->child; child < at->child + at->branches; child++) {
        subtree += c45->errors[child];
        if (tree->weight[child] > tree->weight[heaviest] - SMALL)
            heaviest = child;
    }
    if (c45->options->raising && quick) {
        HS_TRY(send_sisters(c45, node, heaviest, &raised, error));
    } else if (c45->options->raising) { /* a copy of the list goes down */
        const hs_tree_part part = g->part[node], copy = {g->used, part.count};
        HS_TRY(hs_tree_reserve(g, part.count, error));
        memcpy(g->row + copy.begin, g->row + part.begin, part.count * sizeof *g->row);
        memcpy(g->weight + copy.begin, g->weight + part.begin, part.count * sizeof *g->weight);
        g->used += part.count;
        raised = 0;
        HS_TRY(send_down(c45, heaviest, copy, &raised, error));
        g->used = copy.begin;
    }
    c45->errors[node] = subtree;
    if (leaf <= subtree + SLACK + SMALL && leaf <= raised + SLACK + SMALL) {
        if (quick && c45->options->raising) { /* the instances below are its own */
            HS_TRY(list_below(c45, node, node + 1, HSEL_NONE, node, &count, error));
            c45->first[node] = HSEL_NONE;
            for (uint32_t i = 0; i < count; i++)
                put_at(c45, node, g->next_row[i]);
        }
        tree->node[node] = (hs_tree_node){.feature = HSEL_NONE};
        c45->errors[node] = leaf;
    } else if (raised <= subtree + SLACK + SMALL) {
        *again = true;
        if (quick)
            return send_sisters(c45, node, heaviest, NULL, error);
        tree->node[node] = tree->node[heaviest];
        return send_down(c45, node, g->part[node], NULL, error);
    }
    return HSEL_OK;
}

int hs_c45_prune(hs_c45 *c45, hsel_error *error)
{
    hs_tree_grower *g = &c45->grower;
    const hs_tree *tree = &g->tree;
    HS_TRY(push(c45, 0, g->part[0], error));
    /* All are new; without missing values, of those that can be reached, with chains at the leaves
     * from the lists of growing. */
    c45->changed[0] = true;
    for (uint32_t i = 0; i < tree->nodes; i++) { /* parents come before their children */
        hs_tree_part part = g->part[i];
        c45->first[i] = HSEL_NONE;
        c45->changed[i] = c45->changed[i] || g->data->has_missing;
        for (uint32_t j = 0; c45->changed[i] && j < tree->node[i].branches; j++)
            c45->changed[tree->node[i].child + j] = true;
        for (size_t k = 0; c45->changed[i] && hs_tree_is_leaf(tree, i) && k < part.count; k++)
            put_at(c45, i, g->row[part.begin + k]);
    }
    while (c45->depth > 0) {
        hs_c45_work *work = c45->work + c45->depth - 1;
        uint32_t node = work->node, child = HSEL_NONE;
        bool again = false;
        /* The next child to be pruned. One that was pruned and has the same instances still is as
         * it is. */
        while (child == HSEL_NONE && work->next < tree->node[node].branches) {
            uint32_t next = tree->node[node].child + work->next++;
            child = c45->changed[next] ? next : HSEL_NONE;
        }
        if (child != HSEL_NONE) {
            HS_TRY(push(c45, child, g->part[child], error));
            continue;
        }
        if (hs_tree_is_leaf(tree, node))
            c45->errors[node] = expected(c45, hs_tree_share(tree, node), tree->weight[node]);
        else
            HS_TRY(prune_node(c45, node, &again, error));
        HS_TRY(hs_progress_ask(g->data->progress, error));
        if (again) {
            c45->work[c45->depth - 1].next = 0;
        } else {
            c45->changed[node] = g->data->has_missing;
            c45->depth--;
        }
    }
    return HSEL_OK;
}

/* ---- the classifier ---- */

struct model {
    hs_tree tree; /* first, for hs_tree_describe */
    uint32_t features, laplace;
};

static void c45_model_free(void *pointer)
{
    struct model *model = pointer;
    if (model)
        hs_tree_clear(&model->tree);
    hs_free(model);
}
HS_RELEASE(model_release, struct model, c45_model_free)

/* Pruning and least leaves go by absolute weights, and class weights tell only ratios: they are
 * scaled to add up to what the instances weigh. The factor has few digits, so that sums of weights
 * such as 1 and 3 are exact and ties stay ties. */
static void scale_class_weights(const hs_training *training, hs_tree_data *data)
{
    double own = 0;
    int exponent;
    for (uint32_t i = 0; i < data->rows; i++)
        own += training->weight ? training->weight[data->row[i]] : 1;
    double part = frexp(own / data->total, &exponent), factor = ldexp((float)part, exponent);
    data->total *= factor;
    for (uint32_t i = 0; i < data->rows; i++)
        data->weight[data->row[i]] *= factor;
}

static int c45_fit(const hs_training *training, const void *pointer, void **out, hsel_error *error)
{
    const hs_c45_options *options = pointer;
    HS_OWNS(hs_tree_data_clear) hs_tree_data data = {0};
    HS_OWNS(hs_c45_clear) hs_c45 c45 = {0};
    HS_OWNS(model_release) struct model *model = HS_NEW_ZERO(struct model, 1);
    HS_NEED(model);
    if (training->view.data->target)
        HS_TRY(refuse_for_numbers(options, training->view.data, error));
    HS_TRY(hs_tree_data_init(&data, training, error));
    if (training->class_weight)
        scale_class_weights(training, &data);
    HS_TRY(hs_c45_grow(&c45, options, &data, error));
    if (data.target && options->pruning)
        prune_numbers(&c45);
    if (!data.target && options->collapse)
        hs_c45_collapse(&c45);
    if (!data.target && options->pruning)
        HS_TRY(hs_c45_prune(&c45, error));
    HS_TRY(hs_tree_finish(&c45.grower.tree, &model->tree, error));
    for (uint32_t i = 0; data.target && i < model->tree.nodes; i++) /* as they were */
        model->tree.share[i] = data.mean + data.sd * model->tree.share[i];
    model->features = training->view.data->features;
    model->laplace = options->laplace && !training->view.data->target;
    *out = hs_take(&model);
    return HSEL_OK;
}

static int c45_scratch_new(const void *pointer, void **out, hsel_error *error)
{
    HS_NEED(*out = HS_NEW(hs_tree_pending, ((const struct model *)pointer)->tree.nodes));
    return HSEL_OK;
}

static int c45_predict(const void *pointer, const hs_batch *batch, void *scratch,
                       double *probability, double *score, hsel_error *error)
{
    const struct model *model = pointer;
    const uint32_t classes = model->tree.classes;
    (void)error;
    for (uint32_t at = 0; at < batch->count; at++, probability += classes, score += classes) {
        hs_tree_case x = {
            .data = batch->data, .instance = batch->instances[at], .other_feature = HSEL_NONE};
        if (model->tree.numeric) {
            *score = 0;
            hs_tree_predict(&model->tree, &x, false, scratch, score);
            continue;
        }
        memset(probability, 0, classes * sizeof *probability);
        hs_tree_predict(&model->tree, &x, model->laplace, scratch, probability);
        hs_scores_of_shares(probability, score, classes);
    }
    return HSEL_OK;
}

/* A number, or the log-odds of a class whose share is p[label], of `weight` training instances in
 * all: with laplace shares are never 0 or 1, else half an instance is added to the class and to the
 * rest. */
static double log_odds(const struct model *model, const double *p, double weight, uint32_t label)
{
    double rest = 0, half = model->laplace ? 0 : 0.5;
    if (model->tree.numeric)
        return *p;
    for (uint32_t c = 0; c < model->tree.classes; c++)
        rest += c == label ? 0 : p[c];
    weight = model->laplace ? 1 : weight;
    return log((weight * p[label] + half) / (weight * rest + half));
}

/* A part of the instance comes to a node, or (share below 0) leaves it. */
static void move(const struct model *model, uint32_t node, double share, double *p, double *weight)
{
    const hs_tree *tree = &model->tree;
    const double *own = hs_tree_share(tree, node), all = tree->weight[node];
    for (uint32_t c = 0; c < tree->classes; c++)
        p[c] += share * (model->laplace ? (own[c] * all + 1) / (all + tree->classes) : own[c]);
    *weight += share * all;
}

/* By the path: the instance stands at the root, and its tests are made one by one, level by level;
 * what a test changes of the log-odds where the instance stands is its feature's. With a missing
 * value it goes on to several nodes, in their shares. An empty leaf answers as its parent. */
static int c45_contributions(const void *pointer, const hs_batch *one, void *scratch,
                             uint32_t label, double *prior, double *contribution, hsel_error *error)
{
    const struct model *model = pointer;
    const hs_tree *tree = &model->tree;
    const hs_tree_case x = {
        .data = one->data, .instance = one->instances[0], .other_feature = HSEL_NONE};
    HS_OWNED double *stands = HS_NEW_ZERO(double, tree->nodes),
                    *p = HS_NEW_ZERO(double, tree->classes);
    double weight = 0;
    (void)scratch;
    HS_NEED(stands && p);
    memset(contribution, 0, model->features * sizeof *contribution);
    stands[0] = 1;
    move(model, 0, 1, p, &weight);
    double before = *prior = log_odds(model, p, weight, label);
    for (uint32_t i = 0; i < tree->nodes; i++) {
        const hs_tree_node *node = tree->node + i;
        double total = 0;
        if (stands[i] <= 0 || node->branches == 0)
            continue;
        uint32_t branch = hs_tree_branch(node, &x);
        for (uint32_t j = 0; j < node->branches; j++)
            total += tree->weight[node->child + j];
        move(model, i, -stands[i], p, &weight);
        for (uint32_t j = 0; j < node->branches; j++) {
            uint32_t child = node->child + j;
            bool empty = tree->weight[child] <= 0;
            double share = branch == HSEL_NONE ? tree->weight[child] / total : j == branch;
            if (share > 0)
                move(model, empty ? i : child, share * stands[i], p, &weight);
            stands[child] = empty ? 0 : share * stands[i];
        }
        double now = log_odds(model, p, weight, label);
        contribution[node->feature] += now - before;
        before = now;
    }
    return HSEL_OK;
}

/* Model files: features, classes, laplace, the tree. */

static void *c45_model_new(const hsel_dataset *shape)
{
    struct model *model = HS_NEW_ZERO(struct model, 1);
    if (model)
        *model = (struct model){.features = shape->features,
                                .tree.numeric = shape->target != NULL,
                                .tree.classes = shape->target ? 1 : shape->class_names.count};
    return model;
}

static int c45_fields(void *pointer, const hsel_dataset *shape, hs_transfer *file,
                      hsel_error *error)
{
    struct model *model = pointer;
    uint32_t *classes = &model->tree.classes;
    (void)shape;
    HS_FIELDS(file, HS_VALUE(model->features, HS_IS(model->features)),
              HS_VALUE(*classes, HS_IS(*classes)), HS_VALUE(model->laplace, 0, 1));
    return *classes ? hs_tree_fields(&model->tree, model->features, file, error) : HSEL_EFORMAT;
}

static const hs_classifier functions = {.fit = c45_fit,
                                        .predict = c45_predict,
                                        .scratch_new = c45_scratch_new,
                                        .scratch_free = hs_free,
                                        .contributions = c45_contributions,
                                        .by_path = true,
                                        .describe = hs_tree_describe,
                                        .name = "tree",
                                        .make = c45_model_new,
                                        .fields = c45_fields,
                                        .free = c45_model_free};

const hs_method hs_method_tree = {
    .kind = HS_CLASSIFIER,
    .name = "tree",
    .title = "C4.5 decision tree",
    .help = "A decision tree that splits by gain ratio and is pruned by the expected error, with "
            "subtree raising, as WEKA's J48. Takes binary, numeric and nominal features alike; "
            "instances with a missing value go down every branch, by its share. Probabilities are "
            "the shares of the classes at the leaf. For a numeric target splits minimise the "
            "variance and a leaf predicts its mean; a leaf replaces a subtree unless the subtree's "
            "expected error, sqrt(S/n) (n + v) / (n - v), is lower, where S is the sum of squared "
            "errors and v the number of leaves and splits.",
    .citation =
        "Quinlan (1993), C4.5: Programs for Machine Learning, Morgan Kaufmann; numeric "
        "features: Quinlan (1996), JAIR 4:77-90; details as WEKA's J48; numbers: pruning after "
        "Quinlan (1992), Learning with continuous classes, AI'92:343-348 (M5)",
    .flags = HS_NEEDS_CLASSES | HS_ANY_FEATURES | HS_WEIGHS_INSTANCES | HS_NUMERIC_TARGET,
    .options = table,
    .options_size = sizeof(hs_c45_options),
    .check = hs_adjust_check,
    .classifier = &functions,
};

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * C4.5: the choice of a split, and growing. Quinlan (1993), C4.5, chapters 2 and 3; release 8 for
 * numeric features (Quinlan 1996, JAIR 4:77-90); details as WEKA's J48 shows them.
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
 * Time a node: its positive values, d K, and for each numeric feature n log n or the training rows,
 * whichever is less. Memory O(d K + rows x numeric features).
 */
#include <math.h>
#include <string.h>

#include "classify/c45.h"
#include "core/mem.h"

#define SMALL     HS_TREE_SMALL
#define GAP       1e-5 /* least distance of two values to cut between */
#define NEAR_MEAN 1e-3 /* a gain that little below the mean is good enough */

int hs_c45_init(hs_c45 *c45, const hs_c45_options *options, const hs_tree_data *data,
                hsel_error *error)
{
    size_t classes = data->classes;
    c45->options = options;
    c45->data = data;
    c45->tree.classes = data->classes;
    c45->split = HS_NEW(hs_c45_split, data->features);
    c45->positive = HS_NEW_ZERO(double, data->data->features *classes);
    c45->bag = HS_NEW(double, data->most_branches *classes);
    c45->size = HS_NEW(double, data->most_branches);
    if (!c45->split || !c45->positive || !c45->bag || !c45->size)
        return hs_fail_memory(error);
    return hs_tree_pool_init(&c45->pool, data, error);
}

void hs_c45_clear(hs_c45 *c45)
{
    hs_tree_pool_clear(&c45->pool);
    hs_tree_clear(&c45->tree);
    hs_free(c45->part);
    hs_free(c45->split);
    hs_free(c45->positive);
    hs_free(c45->bag);
    hs_free(c45->size);
    hs_free(c45->errors);
    hs_free(c45->extra);
    hs_free(c45->touched);
    hs_free(c45->next);
    hs_free(c45->first);
    hs_free(c45->changed);
    hs_free(c45->work);
    *c45 = (hs_c45){0};
}

/* ---- gains ---- */

/* H of a list whose weights by class are given. */
static double entropy(const hs_tree_data *data, const double *count, double total)
{
    double sum = 0;
    for (uint32_t c = 0; c < data->classes; c++)
        sum += hs_tree_xlog(data, count[c]);
    return hs_tree_xlog(data, total) - sum;
}

/* Gain of the division in c45->bag and c45->size; `before` is H of what is known. */
static double gain_of(const hs_c45 *c45, uint32_t branches, double known, double before,
                      double total)
{
    double after = 0;
    for (uint32_t j = 0; j < branches; j++)
        after += entropy(c45->data, c45->bag + (size_t)j * c45->data->classes, c45->size[j]);
    double gain = (1 - (total - known) / total) * (before - after);
    return fabs(gain) <= SMALL ? 0 : gain / known;
}

static double ratio_of(const hs_c45 *c45, uint32_t branches, double known, double gain,
                       double total)
{
    double information = hs_tree_xlog(c45->data, total) - hs_tree_xlog(c45->data, total - known);
    for (uint32_t j = 0; j < branches; j++)
        information -= hs_tree_xlog(c45->data, c45->size[j]);
    return fabs(information) <= SMALL ? 0 : gain / (information / total);
}

static bool is_large_enough(const hs_c45 *c45, uint32_t branches)
{
    uint32_t large = 0;
    for (uint32_t j = 0; j < branches; j++)
        large += c45->size[j] > c45->options->min - SMALL;
    return large >= 2;
}

static void split_by_bags(const hs_c45 *c45, uint32_t branches, double before, double known,
                          double total, hs_c45_split *split)
{
    if (!is_large_enough(c45, branches))
        return;
    split->branches = branches;
    split->gain = gain_of(c45, branches, known, before, total);
    split->ratio = ratio_of(c45, branches, known, split->gain, total);
}

/* ---- binary, nominal ---- */

/* The positive features of every instance of the list, by class. */
static void count_positives(hs_c45 *c45, hs_tree_part part)
{
    const hsel_dataset *data = c45->data->data;
    const size_t classes = c45->data->classes;
    memset(c45->positive, 0, data->features * classes * sizeof *c45->positive);
    for (size_t i = part.begin; i < part.begin + part.count; i++) {
        size_t count;
        const uint32_t *row = hs_row(data, c45->pool.row[i], &count);
        double weight = c45->pool.weight[i], *at = c45->positive + data->class_of[c45->pool.row[i]];
        for (size_t j = 0; j < count; j++)
            at[row[j] * classes] += weight;
    }
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
        c45->bag[c] = count[c] - positive[c];
        c45->bag[classes + c] = positive[c];
    }
    c45->size[0] = total - with;
    c45->size[1] = with;
    split_by_bags(c45, 2, before, total, total, split);
}

static void split_nominal(const hs_c45 *c45, hs_tree_part part, uint32_t feature, double total,
                          hs_c45_split *split)
{
    const hs_nominal_column *column = hs_tree_nominal(c45->data, feature);
    const uint32_t values = column->values.count, classes = c45->data->classes;
    double known = 0, before = 0;
    memset(c45->bag, 0, (size_t)values * classes * sizeof *c45->bag);
    memset(c45->size, 0, values * sizeof *c45->size);
    for (size_t i = part.begin; i < part.begin + part.count; i++) {
        uint32_t row = c45->pool.row[i], code = column->codes[row];
        if (code == HS_MISSING_CODE)
            continue;
        c45->bag[(size_t)code * classes + c45->data->data->class_of[row]] += c45->pool.weight[i];
        c45->size[code] += c45->pool.weight[i];
        known += c45->pool.weight[i];
    }
    for (uint32_t c = 0; c < classes; c++) {
        double in_class = 0;
        for (uint32_t j = 0; j < values; j++)
            in_class += c45->bag[(size_t)j * classes + c];
        before -= hs_tree_xlog(c45->data, in_class);
    }
    split_by_bags(c45, values, before + hs_tree_xlog(c45->data, known), known, total, split);
}

/* ---- numeric ---- */

/* Least weight on both sides of a cut. */
static double least_side(const hs_c45 *c45, double known)
{
    double least = 0.1 * known / c45->data->classes;
    return least <= c45->options->min ? c45->options->min : least > 25 ? 25 : least;
}

/* All instances with a known value on the upper side. */
static double all_above(const hs_c45 *c45, uint32_t count)
{
    const uint32_t classes = c45->data->classes;
    double known = 0;
    memset(c45->bag, 0, 2 * (size_t)classes * sizeof *c45->bag);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = c45->pool.value[i].row;
        c45->bag[classes + c45->data->data->class_of[row]] += c45->pool.in_node[row];
        known += c45->pool.in_node[row];
    }
    c45->size[0] = 0;
    c45->size[1] = known;
    return known;
}

static void move_below(const hs_c45 *c45, uint32_t row)
{
    const uint32_t classes = c45->data->classes, label = c45->data->data->class_of[row];
    double weight = c45->pool.in_node[row];
    c45->bag[label] += weight;
    c45->bag[classes + label] -= weight;
    c45->size[0] += weight;
    c45->size[1] -= weight;
}

/* The first of the values above the best cut (0: there is none), its gain, and how many cuts there
 * were to choose from. */
static uint32_t best_cut(const hs_c45 *c45, uint32_t count, double known, double total,
                         double *gain, uint32_t *cuts)
{
    const hs_tree_value *value = c45->pool.value;
    double before = entropy(c45->data, c45->bag + c45->data->classes, known),
           least = least_side(c45, known);
    uint32_t best = 0;
    *gain = 0;
    *cuts = 0;
    if (count < 2 * least - SMALL)
        return 0;
    for (uint32_t i = 1; i < count; i++) {
        move_below(c45, value[i - 1].row);
        if (value[i - 1].value + GAP >= value[i].value)
            continue;
        if (c45->size[0] <= least - SMALL || c45->size[1] <= least - SMALL)
            continue;
        double here = gain_of(c45, 2, known, before, total);
        if (here - *gain > SMALL) {
            *gain = here;
            best = i;
        }
        (*cuts)++;
    }
    return best;
}

/* The largest training value up to x. */
static double training_value_below(const hs_tree_column *column, double x)
{
    uint32_t low = 0, high = column->known;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (column->sorted[middle].value <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return column->sorted[low ? low - 1 : 0].value;
}

static void split_numeric(hs_c45 *c45, hs_tree_part part, uint32_t feature, double total,
                          hs_c45_split *split)
{
    uint32_t count = hs_tree_sort(c45->data, &c45->pool, part, feature), cuts;
    double gain, known = all_above(c45, count);
    uint32_t cut = best_cut(c45, count, known, total, &gain, &cuts);
    if (cut == 0)
        return;
    if (c45->options->mdl)
        gain -= log2(cuts) / total;
    if (gain <= SMALL)
        return;
    all_above(c45, count);
    for (uint32_t i = 0; i < cut; i++)
        move_below(c45, c45->pool.value[i].row);
    double below = c45->pool.value[cut - 1].value, above = c45->pool.value[cut].value;
    double middle = below / 2 + above / 2;
    split->branches = 2;
    split->gain = gain;
    split->ratio = ratio_of(c45, 2, known, gain, total);
    split->threshold =
        training_value_below(hs_tree_numeric(c45->data, feature), middle < above ? middle : below);
}

/* ---- the choice ---- */

static bool has_few_values(const hs_tree_data *data, uint32_t feature)
{
    uint32_t values = data->data->types[feature] == HSEL_NOMINAL
                          ? hs_tree_nominal(data, feature)->values.count
                          : 2;
    return data->data->types[feature] == HSEL_NUMERIC || values < 0.3 * data->rows - SMALL;
}

/* Mean gain of the features that can split; NAN when none can. */
static double mean_gain(const hs_c45 *c45)
{
    const hs_tree_data *data = c45->data;
    bool all_have_many = true;
    double sum = 0;
    uint32_t valid = 0;
    for (uint32_t i = 0; i < data->features && all_have_many; i++)
        all_have_many = !has_few_values(data, data->feature[i]);
    for (uint32_t i = 0; i < data->features; i++)
        if (c45->split[i].branches && (all_have_many || has_few_values(data, data->feature[i]))) {
            sum += c45->split[i].gain;
            valid++;
        }
    return valid ? sum / valid : NAN;
}

static uint32_t best_split(const hs_c45 *c45)
{
    double mean = mean_gain(c45), most = 0;
    uint32_t best = HSEL_NONE;
    for (uint32_t i = 0; i < c45->data->features; i++) {
        const hs_c45_split *split = c45->split + i;
        if (split->branches && split->gain >= mean - NEAR_MEAN && split->ratio - most > SMALL) {
            most = split->ratio;
            best = i;
        }
    }
    return best;
}

static bool is_pure(const double *count, uint32_t classes, double total)
{
    for (uint32_t c = 0; c < classes; c++)
        if (total - count[c] <= SMALL)
            return true;
    return false;
}

uint32_t hs_c45_choose(hs_c45 *c45, hs_tree_part part, const double *count, double total)
{
    const hs_tree_data *data = c45->data;
    double before = entropy(data, count, total);
    if (total < 2.0 * c45->options->min - SMALL || is_pure(count, data->classes, total))
        return HSEL_NONE;
    count_positives(c45, part);
    hs_tree_mark(&c45->pool, part);
    for (uint32_t i = 0; i < data->features; i++) {
        uint32_t f = data->feature[i];
        hs_c45_split *split = c45->split + i;
        *split = (hs_c45_split){0};
        if (data->data->types[f] == HSEL_BINARY)
            split_binary(c45, f, count, total, before, split);
        else if (data->data->types[f] == HSEL_NOMINAL)
            split_nominal(c45, part, f, total, split);
        else
            split_numeric(c45, part, f, total, split);
    }
    hs_tree_unmark(&c45->pool, part);
    return best_split(c45);
}

/* ---- growing ---- */

static int split_node(hs_c45 *c45, uint32_t node, uint32_t choice, hsel_error *error)
{
    const hs_c45_split *split = c45->split + choice;
    uint32_t feature = c45->data->feature[choice], first = c45->tree.nodes;
    c45->tree.node[node] = (hs_tree_node){.feature = feature,
                                          .kind = c45->data->data->types[feature],
                                          .child = first,
                                          .branches = split->branches,
                                          .threshold = split->threshold};
    int status = hs_tree_add(&c45->tree, split->branches, error);
    if (status == HSEL_OK && !HS_GROW(&c45->part, &c45->part_room, c45->tree.nodes))
        status = hs_fail_memory(error);
    if (status == HSEL_OK)
        status =
            hs_tree_divide(c45->data, &c45->pool, c45->tree.node + node, c45->part[node], error);
    for (uint32_t j = 0; status == HSEL_OK && j < split->branches; j++)
        c45->part[first + j] = c45->pool.child[j];
    return status;
}

int hs_c45_grow(hs_c45 *c45, hsel_error *error)
{
    const hs_tree_data *data = c45->data;
    int status = hs_tree_add(&c45->tree, 1, error);
    if (status == HSEL_OK && !HS_GROW(&c45->part, &c45->part_room, 1))
        status = hs_fail_memory(error);
    if (status)
        return status;
    for (uint32_t i = 0; i < data->rows; i++) {
        c45->pool.row[i] = data->row[i];
        c45->pool.weight[i] = 1;
    }
    c45->pool.used = data->rows;
    c45->part[0] = (hs_tree_part){0, data->rows};
    for (uint32_t i = 0; i < c45->tree.nodes && status == HSEL_OK; i++) {
        double *count = c45->tree.share + (size_t)i * data->classes;
        double total = c45->tree.weight[i] = hs_tree_tally(data, &c45->pool, c45->part[i], count);
        uint32_t choice = hs_c45_choose(c45, c45->part[i], count, total);
        if (choice != HSEL_NONE)
            status = split_node(c45, i, choice, error);
    }
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * MDL discretisation: a range of values is cut in two where the class is purest on both sides,
 * again and again, as long as a cut pays for its own description:
 *
 *     gain > (log2(cuts) + log2(3^k - 2) - (k H - k1 H1 - k2 H2)) / n
 *
 * gain = H - (n1 H1 + n2 H2)/n; H, H1, H2 the entropies of the class in the range, left and right
 * of the cut, n their instances and k their classes. Fayyad and Irani (1993), as in WEKA 3.6 with
 * the better encoding, which its evaluators of features use: `cuts` are the places between distinct
 * values (the paper has n - 1). Of equal cuts the first is taken. Sums are computed in WEKA's
 * order, so that cuts that differ only by rounding are the same.
 *
 * All entropies of a range are sums divided by the same number, so sums are compared first and only
 * what may be better is divided: dividing never changes an order, it only makes ties.
 *
 * The order in which ranges are cut does not matter, so that recursion on the shorter part is at
 * most 32 deep. O(n K) per level of cuts.
 */
#include "rank/ordered.h"

struct range {
    uint32_t from, to; /* groups */
};

struct best {
    uint32_t group; /* the cut is after it */
    double entropy, prior;
    double sum;  /* entropy * unit, not rounded: what is not below it cannot be better */
    double unit; /* the same for all cuts of a range */
};

/* ---- entropies: in bits, when divided by instances * log(2) ---- */

static double sum_of(const double *klogk, const uint32_t *count, uint32_t classes, uint32_t total)
{
    double sum = 0;
    for (uint32_t c = 0; c < classes; c++)
        sum -= klogk[count[c]];
    return sum + klogk[total];
}

static double entropy_of(const hs_labelled *columns, const uint32_t *count)
{
    uint32_t total = 0;
    for (uint32_t c = 0; c < columns->classes; c++)
        total += count[c];
    return total ? sum_of(columns->klogk, count, columns->classes, total) / (total * log(2)) : 0;
}

/* ---- cuts ---- */

/* The best cut so far is none: the classes of the range are in right. */
static struct best start(const hs_labelled *columns, const hs_ordered *o, uint32_t total)
{
    double unit = total * log(2), sum = sum_of(columns->klogk, o->right, o->classes, total);
    return (struct best){HSEL_NONE, sum / unit, sum / unit, sum, unit};
}

/* For a sum below that of the best cut: is the cut better, or do both only differ by rounding? */
static bool is_better(struct best *best, double sum, uint32_t group)
{
    double entropy = sum / best->unit;
    best->sum = sum;
    if (!(entropy < best->entropy))
        return false;
    best->entropy = entropy;
    best->group = group;
    return true;
}

/* The best cut of two groups or more; leaves the classes of both of its sides in best_left and
 * best_right. Of two classes: counts of any range are differences. */
static struct best find_cut_of_two(const hs_labelled *columns, hs_ordered *o, struct range range)
{
    const double *klogk = columns->klogk;
    const uint32_t *upto = o->upto, *second = o->second;
    uint32_t out = hs_before(upto, range.from), out_second = hs_before(second, range.from);
    uint32_t total = upto[range.to - 1] - out, total_second = second[range.to - 1] - out_second;
    o->right[0] = total - total_second;
    o->right[1] = total_second;
    struct best best = start(columns, o, total);
    for (uint32_t g = range.from; g + 1 < range.to; g++) {
        uint32_t left = upto[g] - out, left_second = second[g] - out_second;
        uint32_t right = total - left, right_second = total_second - left_second;
        /* of both sides, weighted by their instances, in the order of those of many classes */
        double sum = -(klogk[left - left_second] + klogk[left_second] - klogk[left] +
                       klogk[right - right_second] + klogk[right_second] - klogk[right]);
        if (sum < best.sum)
            is_better(&best, sum, g);
    }
    if (best.group != HSEL_NONE) {
        o->best_left[1] = second[best.group] - out_second;
        o->best_left[0] = upto[best.group] - out - o->best_left[1];
        o->best_right[1] = total_second - o->best_left[1];
        o->best_right[0] = total - total_second - o->best_left[0];
    }
    return best;
}

static struct best find_cut_of_many(const hs_labelled *columns, hs_ordered *o, struct range range)
{
    const size_t bytes = o->classes * sizeof *o->left;
    const uint32_t out = hs_before(o->upto, range.from), total = o->upto[range.to - 1] - out;
    uint32_t run = hs_before(o->end, range.from);
    memset(o->left, 0, bytes);
    memset(o->right, 0, bytes);
    for (uint32_t r = run; r < o->end[range.to - 1]; r++)
        o->right[o->label[r]] += o->size[r];
    struct best best = start(columns, o, total);
    for (uint32_t g = range.from; g + 1 < range.to; g++) {
        for (; run < o->end[g]; run++) {
            o->left[o->label[run]] += o->size[run];
            o->right[o->label[run]] -= o->size[run];
        }
        const double *klogk = columns->klogk;
        uint32_t left = o->upto[g] - out;
        double sum = 0; /* of both sides, weighted by their instances */
        for (uint32_t c = 0; c < o->classes; c++)
            sum += klogk[o->left[c]];
        sum -= klogk[left];
        for (uint32_t c = 0; c < o->classes; c++)
            sum += klogk[o->right[c]];
        sum = -(sum - klogk[total - left]);
        if (sum < best.sum && is_better(&best, sum, g)) {
            memcpy(o->best_left, o->left, bytes);
            memcpy(o->best_right, o->right, bytes);
        }
    }
    return best;
}

static bool pays(const hs_labelled *columns, const hs_ordered *o, const struct best *best,
                 struct range range)
{
    uint32_t total = o->upto[range.to - 1] - hs_before(o->upto, range.from), all = 0;
    uint32_t left = 0, right = 0; /* classes that are present */
    for (uint32_t c = 0; c < o->classes; c++) {
        left += o->best_left[c] > 0;
        right += o->best_right[c] > 0;
        all += o->best_left[c] > 0 || o->best_right[c] > 0;
    }
    double change = all * best->prior - right * entropy_of(columns, o->best_right) -
                    left * entropy_of(columns, o->best_left);
    double cost = log(range.to - range.from - 1) / log(2) + (o->present_cost[all] - change);
    return best->prior - best->entropy > cost / total;
}

/* Cuts a range; returns how often. */
static uint32_t cut(const hs_labelled *columns, hs_ordered *o, struct range range)
{
    uint32_t cuts = 0;
    while (range.to - range.from > 1) {
        struct best best = o->classes == 2 ? find_cut_of_two(columns, o, range)
                                           : find_cut_of_many(columns, o, range);
        if (best.group == HSEL_NONE || !pays(columns, o, &best, range))
            break;
        struct range first = {range.from, best.group + 1}, second = {best.group + 1, range.to};
        bool first_longer = first.to - first.from > second.to - second.from;
        o->cut[best.group] = true;
        cuts += 1 + cut(columns, o, first_longer ? second : first);
        range = first_longer ? first : second;
    }
    return cuts;
}

uint32_t hs_mdl_cuts(const hs_labelled *columns, hs_ordered *o)
{
    memset(o->cut, 0, o->groups * sizeof *o->cut);
    return cut(columns, o, (struct range){0, o->groups});
}

uint32_t hs_code_column(const hs_labelled *columns, uint32_t feature, hs_ordered *o, uint32_t *code)
{
    const hsel_dataset *data = columns->training->view.data;
    const bool nominal = data->types[feature] == HSEL_NOMINAL;
    uint32_t cuts = 0, values = 0;
    hs_order_column(columns, feature, o);
    if (!nominal && o->known)
        hs_mdl_cuts(columns, o);
    for (uint32_t group = 0; group < o->groups; group++) /* groups that end an interval, in place */
        if (nominal || group + 1 == o->groups || o->cut[group])
            o->value[cuts++] = o->value[group];
    values = cuts;
    for (uint32_t i = 0; i < columns->count; i++) {
        double value = hs_dataset_value(data, feature, columns->row[i]);
        uint32_t low = 0, high = cuts; /* the first end at or above the value */
        while (low < high) {
            uint32_t middle = (low + high) / 2;
            if (o->value[middle] >= value)
                high = middle;
            else
                low = middle + 1;
        }
        code[i] = isnan(value) ? cuts : low;
        if (isnan(value))
            values = cuts + 1;
    }
    return values;
}

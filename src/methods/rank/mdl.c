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
    double sum; /* entropy * unit, not rounded: what is not below it cannot be better */
};

/* ---- entropies: in bits, when divided by instances * log(2) ---- */

/* Of the instances from one place in `of_class` up to another. */
HS_INLINE double sum_of(const double *klogk, const uint32_t *from, const uint32_t *to,
                        const uint32_t classes, uint32_t total)
{
    double sum = 0;
    for (uint32_t c = 0; c < classes; c++)
        sum -= klogk[to[c] - from[c]];
    return sum + klogk[total];
}

static double entropy_of(const hs_labelled *columns, const uint32_t *from, const uint32_t *to)
{
    uint32_t total = 0;
    for (uint32_t c = 0; c < columns->classes; c++)
        total += to[c] - from[c];
    return total ? sum_of(columns->klogk, from, to, columns->classes, total) / (total * log(2)) : 0;
}

/* ---- cuts ---- */

/* The best cut of two groups or more. Inlined for two classes, the usual number, and for any. */
HS_INLINE struct best find_cut(const uint32_t classes, const hs_labelled *columns,
                               const hs_ordered *o, struct range range)
{
    const double *klogk = columns->klogk;
    const uint32_t out = o->before[range.from], total = o->before[range.to] - out,
                   *first = o->of_class + (size_t)range.from * classes,
                   *last = o->of_class + (size_t)range.to * classes;
    const double unit = total * log(2), whole = sum_of(klogk, first, last, classes, total);
    struct best best = {HSEL_NONE, whole / unit, whole / unit, whole};
    for (uint32_t g = range.from; g + 1 < range.to; g++) {
        const uint32_t left = o->before[g + 1] - out,
                       *here = o->of_class + ((size_t)g + 1) * classes;
        double sum = 0; /* of both sides, weighted by their instances */
        for (uint32_t c = 0; c < classes; c++)
            sum += klogk[here[c] - first[c]];
        sum -= klogk[left];
        for (uint32_t c = 0; c < classes; c++)
            sum += klogk[last[c] - here[c]];
        sum = -(sum - klogk[total - left]);
        if (!(sum < best.sum))
            continue;
        best.sum = sum;
        if (sum / unit < best.entropy) { /* else both only differ by rounding */
            best.entropy = sum / unit;
            best.group = g;
        }
    }
    return best;
}

static bool pays(const hs_labelled *columns, const hs_ordered *o, const struct best *best,
                 struct range range)
{
    const uint32_t *first = o->of_class + (size_t)range.from * o->classes,
                   *here = o->of_class + ((size_t)best->group + 1) * o->classes,
                   *last = o->of_class + (size_t)range.to * o->classes;
    uint32_t total = o->before[range.to] - o->before[range.from], all = 0;
    uint32_t left = 0, right = 0; /* classes that are present */
    for (uint32_t c = 0; c < o->classes; c++) {
        left += here[c] > first[c];
        right += last[c] > here[c];
        all += last[c] > first[c];
    }
    double change = all * best->prior - right * entropy_of(columns, here, last) -
                    left * entropy_of(columns, first, here);
    double cost = log(range.to - range.from - 1) / log(2) + (o->present_cost[all] - change);
    return best->prior - best->entropy > cost / total;
}

/* Cuts a range; returns how often. */
static uint32_t cut_range(const hs_labelled *columns, hs_ordered *o, struct range range)
{
    uint32_t cuts = 0;
    while (range.to - range.from > 1) {
        const struct best best = o->classes == 2 ? find_cut(2, columns, o, range)
                                                 : find_cut(o->classes, columns, o, range);
        if (best.group == HSEL_NONE || !pays(columns, o, &best, range))
            break;
        struct range first = {range.from, best.group + 1}, second = {best.group + 1, range.to};
        bool first_longer = first.to - first.from > second.to - second.from;
        o->cut[best.group] = true;
        cuts += 1 + cut_range(columns, o, first_longer ? second : first);
        range = first_longer ? first : second;
    }
    return cuts;
}

uint32_t hs_mdl_cuts(const hs_labelled *columns, hs_ordered *o)
{
    memset(o->cut, 0, o->groups * sizeof *o->cut);
    return cut_range(columns, o, (struct range){0, o->groups});
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

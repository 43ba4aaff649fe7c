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
 * values (the paper has n - 1). Of equal cuts the first is taken. Sums are made in WEKA's order, so
 * that cuts which only rounding tells apart are the same.
 *
 * All entropies of a range are sums divided by the same number, so sums are compared first and only
 * what may be better is divided: dividing never changes an order, it only makes ties.
 *
 * The order in which ranges are cut does not matter, so the shorter part waits for nobody and the
 * stack is never deeper than 32. O(n K) a level of cuts.
 */
#include "rank/mdl.h"

#include <math.h>
#include <string.h>

#include "core/mem.h"

struct range {
    uint32_t from, to; /* groups */
};

struct best {
    uint32_t group;      /* the cut is after it */
    uint32_t candidates; /* places for a cut */
    double entropy, prior;
    double sum;  /* entropy * unit, not rounded: what is not below it cannot be better */
    double unit; /* the same for all cuts of a range */
};

/* log2(3^k - 2), by k. */
static void set_present_cost(double *cost, uint32_t classes)
{
    cost[0] = 0;                            /* never asked for */
    for (uint32_t k = 1; k <= classes; k++) /* 3^k is infinite from k = 647 on; 2 matters no more */
        cost[k] = k < 600 ? log(pow(3, k) - 2) / log(2) : k * log(3) / log(2);
}

int hs_mdl_init(hs_mdl *mdl, const hs_labelled *columns, hsel_error *error)
{
    *mdl = (hs_mdl){.left = HS_NEW(uint32_t, columns->classes),
                    .right = HS_NEW(uint32_t, columns->classes),
                    .best_left = HS_NEW(uint32_t, columns->classes),
                    .best_right = HS_NEW(uint32_t, columns->classes),
                    .present_cost = HS_NEW(double, (size_t)columns->classes + 1),
                    .cut = HS_NEW(bool, (size_t)columns->count + 2)};
    if (mdl->left && mdl->right && mdl->best_left && mdl->best_right && mdl->present_cost &&
        mdl->cut) {
        set_present_cost(mdl->present_cost, columns->classes);
        return HSEL_OK;
    }
    hs_mdl_clear(mdl);
    return hs_fail_memory(error);
}

void hs_mdl_clear(hs_mdl *mdl)
{
    hs_free(mdl->left);
    hs_free(mdl->right);
    hs_free(mdl->best_left);
    hs_free(mdl->best_right);
    hs_free(mdl->present_cost);
    hs_free(mdl->cut);
    *mdl = (hs_mdl){0};
}

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

/* Of both sides, weighted by their instances. */
static double sum_of_sides(const double *klogk, const hs_mdl *mdl, uint32_t classes, uint32_t left,
                           uint32_t right)
{
    double sum = 0;
    for (uint32_t c = 0; c < classes; c++)
        sum += klogk[mdl->left[c]];
    sum -= klogk[left];
    for (uint32_t c = 0; c < classes; c++)
        sum += klogk[mdl->right[c]];
    return -(sum - klogk[right]);
}

/* The same in the same order. */
static double sum_of_two(const double *klogk, uint32_t left, uint32_t left_second, uint32_t right,
                         uint32_t right_second)
{
    double sum = klogk[left - left_second] + klogk[left_second] - klogk[left] +
                 klogk[right - right_second] + klogk[right_second] - klogk[right];
    return -sum;
}

/* ---- cuts ---- */

/* The best cut so far is none. */
static void start(const hs_labelled *columns, const uint32_t *count, uint32_t total,
                  struct range range, struct best *best)
{
    best->unit = total * log(2);
    best->sum = sum_of(columns->klogk, count, columns->classes, total);
    best->prior = best->entropy = best->sum / best->unit;
    best->group = HSEL_NONE;
    best->candidates = range.to - range.from - 1;
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

/* Two classes: counts of any range are differences. */
static void find_cut_of_two(const hs_ordered *o, const hs_labelled *columns, struct range range,
                            hs_mdl *mdl, struct best *best)
{
    const double *klogk = columns->klogk;
    const uint32_t *upto = o->upto, *second = o->second;
    uint32_t out = hs_before(upto, range.from), out_second = hs_before(second, range.from);
    uint32_t total = upto[range.to - 1] - out, total_second = second[range.to - 1] - out_second;
    mdl->right[0] = total - total_second;
    mdl->right[1] = total_second;
    start(columns, mdl->right, total, range, best);
    for (uint32_t g = range.from; g + 1 < range.to; g++) {
        uint32_t left = upto[g] - out, left_second = second[g] - out_second;
        double sum = sum_of_two(klogk, left, left_second, total - left, total_second - left_second);
        if (sum < best->sum)
            is_better(best, sum, g);
    }
    if (best->group == HSEL_NONE)
        return;
    mdl->best_left[1] = second[best->group] - out_second;
    mdl->best_left[0] = upto[best->group] - out - mdl->best_left[1];
    mdl->best_right[1] = total_second - mdl->best_left[1];
    mdl->best_right[0] = total - total_second - mdl->best_left[0];
}

static void count_classes(const hs_ordered *o, struct range range, uint32_t classes, hs_mdl *mdl)
{
    memset(mdl->left, 0, classes * sizeof *mdl->left);
    memset(mdl->right, 0, classes * sizeof *mdl->right);
    for (uint32_t run = hs_before(o->end, range.from); run < o->end[range.to - 1]; run++)
        mdl->right[o->label[run]] += o->size[run];
}

static void find_cut_of_many(const hs_ordered *o, const hs_labelled *columns, struct range range,
                             hs_mdl *mdl, struct best *best)
{
    const uint32_t classes = columns->classes, out = hs_before(o->upto, range.from);
    const uint32_t total = o->upto[range.to - 1] - out;
    uint32_t run = hs_before(o->end, range.from);
    count_classes(o, range, classes, mdl);
    start(columns, mdl->right, total, range, best);
    for (uint32_t g = range.from; g + 1 < range.to; g++) {
        for (; run < o->end[g]; run++) {
            mdl->left[o->label[run]] += o->size[run];
            mdl->right[o->label[run]] -= o->size[run];
        }
        uint32_t left = o->upto[g] - out;
        double sum = sum_of_sides(columns->klogk, mdl, classes, left, total - left);
        if (sum < best->sum && is_better(best, sum, g)) {
            memcpy(mdl->best_left, mdl->left, classes * sizeof *mdl->left);
            memcpy(mdl->best_right, mdl->right, classes * sizeof *mdl->right);
        }
    }
}

/* Finds the best cut of two groups or more, and leaves the classes of both of its sides in
 * best_left and best_right. */
static void find_cut(const hs_ordered *o, const hs_labelled *columns, struct range range,
                     hs_mdl *mdl, struct best *best)
{
    if (columns->classes == 2)
        find_cut_of_two(o, columns, range, mdl, best);
    else
        find_cut_of_many(o, columns, range, mdl, best);
}

static uint32_t count_present(const uint32_t *count, const uint32_t *more, uint32_t classes)
{
    uint32_t present = 0;
    for (uint32_t c = 0; c < classes; c++)
        present += count[c] > 0 || (more && more[c] > 0);
    return present;
}

static bool pays(const hs_labelled *columns, const hs_mdl *mdl, const struct best *best,
                 uint32_t total)
{
    uint32_t all = count_present(mdl->best_left, mdl->best_right, columns->classes);
    double left = count_present(mdl->best_left, NULL, columns->classes);
    double right = count_present(mdl->best_right, NULL, columns->classes);
    double change = all * best->prior - right * entropy_of(columns, mdl->best_right) -
                    left * entropy_of(columns, mdl->best_left);
    double cost = log(best->candidates) / log(2) + (mdl->present_cost[all] - change);
    return best->prior - best->entropy > cost / total;
}

uint32_t hs_mdl_cuts(const hs_ordered *o, const hs_labelled *columns, hs_mdl *mdl)
{
    struct range waiting[33], range = {0, o->groups};
    uint32_t cuts = 0;
    int depth = 0;
    memset(mdl->cut, 0, o->groups * sizeof *mdl->cut);
    for (;;) {
        struct best best = {.group = HSEL_NONE};
        if (range.to - range.from > 1)
            find_cut(o, columns, range, mdl, &best);
        if (best.group == HSEL_NONE ||
            !pays(columns, mdl, &best, o->upto[range.to - 1] - hs_before(o->upto, range.from))) {
            if (depth == 0)
                return cuts;
            range = waiting[--depth];
            continue;
        }
        struct range first = {range.from, best.group + 1}, second = {best.group + 1, range.to};
        bool first_longer = first.to - first.from > second.to - second.from;
        mdl->cut[best.group] = true;
        cuts++;
        waiting[depth++] = first_longer ? first : second;
        range = first_longer ? second : first;
    }
}

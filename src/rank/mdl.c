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
 * The order in which ranges are cut does not matter, so the shorter part waits for nobody and the
 * stack is never deeper than 32. O(n K) a level of cuts.
 */
#include "rank/mdl.h"

#include <math.h>

#include "core/mem.h"

struct range {
    uint32_t from, to; /* groups */
};

struct best {
    uint32_t group;      /* the cut is after it */
    uint32_t candidates; /* places for a cut */
    double entropy, prior;
};

int hs_mdl_init(hs_mdl *mdl, const hs_labelled *columns, hsel_error *error)
{
    *mdl = (hs_mdl){.left = HS_NEW(uint32_t, columns->classes),
                    .right = HS_NEW(uint32_t, columns->classes),
                    .best_left = HS_NEW(uint32_t, columns->classes),
                    .best_right = HS_NEW(uint32_t, columns->classes),
                    .cut = HS_NEW(bool, (size_t)columns->count + 2)};
    if (mdl->left && mdl->right && mdl->best_left && mdl->best_right && mdl->cut)
        return HSEL_OK;
    hs_mdl_clear(mdl);
    return hs_fail_memory(error);
}

void hs_mdl_clear(hs_mdl *mdl)
{
    hs_free(mdl->left);
    hs_free(mdl->right);
    hs_free(mdl->best_left);
    hs_free(mdl->best_right);
    hs_free(mdl->cut);
    *mdl = (hs_mdl){0};
}

/* In bits. */
static double entropy_of(const hs_labelled *columns, const uint32_t *count)
{
    double sum = 0;
    uint32_t total = 0;
    for (uint32_t c = 0; c < columns->classes; c++) {
        sum -= columns->klogk[count[c]];
        total += count[c];
    }
    return total ? (sum + columns->klogk[total]) / (total * log(2)) : 0;
}

/* Of both sides, weighted by their instances. */
static double entropy_of_sides(const hs_labelled *columns, const hs_mdl *mdl, uint32_t left,
                               uint32_t right)
{
    const double *klogk = columns->klogk;
    double sum = 0;
    for (uint32_t c = 0; c < columns->classes; c++)
        sum += klogk[mdl->left[c]];
    sum -= klogk[left];
    for (uint32_t c = 0; c < columns->classes; c++)
        sum += klogk[mdl->right[c]];
    sum -= klogk[right];
    return -sum / ((left + right) * log(2));
}

/* Moves the instances of a group from the right to the left; returns how many. */
static uint32_t move_group(const hs_ordered *o, uint32_t group, hs_mdl *mdl)
{
    uint32_t moved = 0;
    for (uint32_t run = group ? o->end[group - 1] : 0; run < o->end[group]; run++) {
        mdl->left[o->label[run]] += o->size[run];
        mdl->right[o->label[run]] -= o->size[run];
        moved += o->size[run];
    }
    return moved;
}

static uint32_t count_classes(const hs_ordered *o, struct range range, uint32_t classes,
                              hs_mdl *mdl)
{
    uint32_t total = 0;
    memset(mdl->left, 0, classes * sizeof *mdl->left);
    memset(mdl->right, 0, classes * sizeof *mdl->right);
    for (uint32_t run = range.from ? o->end[range.from - 1] : 0; run < o->end[range.to - 1];
         run++) {
        mdl->right[o->label[run]] += o->size[run];
        total += o->size[run];
    }
    return total;
}

/* Returns the number of instances in the range; the classes of both sides of the best cut are left
 * in best_left and best_right. */
static uint32_t find_cut(const hs_ordered *o, const hs_labelled *columns, struct range range,
                         hs_mdl *mdl, struct best *best)
{
    const size_t bytes = columns->classes * sizeof *mdl->left;
    uint32_t total = count_classes(o, range, columns->classes, mdl), left = 0;
    best->prior = entropy_of(columns, mdl->right);
    best->entropy = best->prior;
    best->group = HSEL_NONE;
    best->candidates = range.to - range.from - 1;
    for (uint32_t g = range.from; g + 1 < range.to; g++) {
        left += move_group(o, g, mdl);
        double entropy = entropy_of_sides(columns, mdl, left, total - left);
        if (entropy < best->entropy) {
            best->entropy = entropy;
            best->group = g;
            memcpy(mdl->best_left, mdl->left, bytes);
            memcpy(mdl->best_right, mdl->right, bytes);
        }
    }
    return total;
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
    double all = count_present(mdl->best_left, mdl->best_right, columns->classes);
    double left = count_present(mdl->best_left, NULL, columns->classes);
    double right = count_present(mdl->best_right, NULL, columns->classes);
    double change = all * best->prior - right * entropy_of(columns, mdl->best_right) -
                    left * entropy_of(columns, mdl->best_left);
    /* 3^k - 2 is infinite from k = 647 on, where 2 does not matter */
    double classes = all < 600 ? log(pow(3, all) - 2) / log(2) : all * log(3) / log(2);
    double cost = log(best->candidates) / log(2) + (classes - change);
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
        uint32_t total = range.to - range.from > 1 ? find_cut(o, columns, range, mdl, &best) : 0;
        if (best.group == HSEL_NONE || !pays(columns, mdl, &best, total)) {
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

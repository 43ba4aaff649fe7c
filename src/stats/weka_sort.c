/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * WEKA's quicksort on an index. The two parts of a partition do not touch each other, so the
 * shorter one can be sorted first and the longer one by going round again: the same result as by
 * recursion, with a stack of at most 32 parts.
 */
#include "stats/weka_sort.h"

#include <stdbool.h>

struct part {
    int64_t left, right;
};

static void exchange(uint32_t *index, int64_t a, int64_t b)
{
    uint32_t held = index[a];
    index[a] = index[b];
    index[b] = held;
}

static void order(const double *key, uint32_t *index, int64_t a, int64_t b)
{
    if (key[index[a]] > key[index[b]])
        exchange(index, a, b);
}

void hs_weka_sort(const double *key, uint32_t count, uint32_t *index)
{
    struct part waiting[33], part = {0, (int64_t)count - 1};
    int depth = 0;
    for (uint32_t i = 0; i < count; i++)
        index[i] = i;
    for (;;) {
        int64_t left = part.left, right = part.right, centre = (left + right) / 2;
        if (right > left) { /* sorts a part of at most three */
            order(key, index, left, centre);
            order(key, index, left, right);
            order(key, index, centre, right);
        }
        if (right - left <= 2) {
            if (depth == 0)
                return;
            part = waiting[--depth];
            continue;
        }
        exchange(index, centre, right - 1);
        double pivot = key[index[right - 1]];
        int64_t low = left, high = right - 1;
        for (;;) {
            while (key[index[++low]] < pivot)
                continue;
            while (key[index[--high]] > pivot)
                continue;
            if (low >= high)
                break;
            exchange(index, low, high);
        }
        exchange(index, low, right - 1);
        struct part first = {left, low - 1}, second = {low + 1, right};
        bool first_longer = first.right - first.left > second.right - second.left;
        waiting[depth++] = first_longer ? first : second;
        part = first_longer ? second : first;
    }
}

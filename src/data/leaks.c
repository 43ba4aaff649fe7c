/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Leakage: one pass over the columns, then up the hierarchy from each feature that leaks.
 */
#include "data/data.h"

#define LEAST 3 /* instances of the class and of others; with fewer, chance makes such features */

/* The class in which the feature is positive most often, and its counts in each class; *positives:
 * their sum. */
static uint32_t main_class(const hsel_dataset *data, uint32_t feature, uint32_t *tally,
                           uint32_t *positives)
{
    size_t count;
    const uint32_t *column = hs_column(data, feature, &count);
    uint32_t best = 0;
    *positives = 0;
    memset(tally, 0, data->class_names.count * sizeof *tally);
    for (size_t i = 0; i < count; i++) {
        uint32_t c = data->class_of[column[i]];
        if (c == HSEL_NONE)
            continue;
        ++*positives;
        best = ++tally[c] > tally[best] ? c : best;
    }
    return best;
}

/* The highest ancestor of each that leaks the same class. */
static int find_highest(const hsel_dag *dag, const uint32_t *label_of, hs_leaks *leaks,
                        hsel_error *error)
{
    HS_OWNS(hs_reach_clear) hs_reach reach = {0};
    uint32_t above;
    HS_TRY(hs_reach_init(&reach, dag, error));
    for (uint32_t i = 0; i < leaks->count; i++) {
        hs_leak *l = &leaks->items[i];
        for (hs_reach_start(&reach, l->feature); (above = hs_reach_next(&reach)) != HSEL_NONE;) {
            uint32_t depth = dag->depth[above], least = dag->depth[l->highest];
            if (label_of[above] == l->label &&
                (depth < least || (depth == least && above < l->highest)))
                l->highest = above;
        }
    }
    return HSEL_OK;
}

int hs_leaks_find(const hsel_dataset *data, double share, hs_arena *arena, hs_leaks *out,
                  hsel_error *error)
{
    const uint32_t classes = data->class_names.count;
    uint32_t *label_of = HS_ARENA_NEW(arena, uint32_t, data->features),
             *tally = HS_ARENA_NEW(arena, uint32_t, classes), labelled = 0, positives;
    *out = (hs_leaks){.items = HS_ARENA_NEW(arena, hs_leak, data->features),
                      .class_size = hs_arena_zero(arena, classes, sizeof *tally)};
    HS_NEED(out->items && out->class_size && label_of && tally);
    hs_class_sizes(data, out->class_size);
    for (uint32_t c = 0; c < classes; c++)
        labelled += out->class_size[c];
    for (uint32_t f = 0; f < data->features; f++) {
        label_of[f] = HSEL_NONE;
        if (classes < 2 || data->types[f] != HSEL_BINARY)
            continue;
        const uint32_t best = main_class(data, f, tally, &positives);
        double both = tally[best], size = out->class_size[best], others = labelled - size;
        if (size < LEAST || others < LEAST || both < share * size || both < share * positives ||
            others - (positives - both) < share * others)
            continue;
        hs_leak *found = &out->items[out->count++];
        *found = (hs_leak){f, best, f, HS_ARENA_NEW(arena, uint32_t, classes)};
        HS_NEED(found->support);
        memcpy(found->support, tally, classes * sizeof *tally);
        label_of[f] = best;
    }
    return data->dag && out->count ? find_highest(data->dag, label_of, out, error) : HSEL_OK;
}

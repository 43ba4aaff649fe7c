/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checking the true-path rule edge by edge: if every edge holds, so does every path. Only positive
 * values are visited. A parent that is not a binary feature cannot be positive and breaks nothing.
 */
#include "data/truepath.h"

#include "core/mem.h"
#include "data/bits.h"

typedef struct checker {
    const hsel_dataset *data;
    uint64_t *positive; /* features of the instance at hand; empty between instances */
    uint64_t *broken;   /* edges, by their place in the parent lists */
    hs_truepath *found;
} checker;

static void record(checker *check, uint32_t instance, uint32_t child, uint32_t place)
{
    hs_truepath *found = check->found;
    if (found->instance == HSEL_NONE) {
        found->instance = instance;
        found->child = child;
        found->parent = check->data->dag->parent[place];
    }
    found->cells++;
    hs_bit_set(check->broken, place);
}

static void check_instance(checker *check, uint32_t instance)
{
    const hsel_dataset *data = check->data;
    const hsel_dag *dag = data->dag;
    uint64_t before = check->found->cells;
    size_t count;
    const uint32_t *row = hs_row(data, instance, &count);
    for (size_t i = 0; i < count; i++)
        hs_bit_set(check->positive, row[i]);
    for (size_t i = 0; i < count; i++) {
        uint32_t end = dag->parent_start[row[i] + 1];
        for (uint32_t place = dag->parent_start[row[i]]; place < end; place++) {
            uint32_t parent = dag->parent[place];
            if (!hs_bit_get(check->positive, parent) && data->types[parent] == HSEL_BINARY)
                record(check, instance, row[i], place);
        }
    }
    for (size_t i = 0; i < count; i++)
        check->positive[row[i] / 64] = 0;
    check->found->instances += check->found->cells > before;
}

int hs_truepath_check(const hsel_dataset *data, hs_truepath *out, hsel_error *error)
{
    *out = (hs_truepath){.instance = HSEL_NONE, .child = HSEL_NONE, .parent = HSEL_NONE};
    if (!data->dag)
        return HSEL_OK;
    size_t edge_words = hs_bit_words(data->dag->edges);
    checker check = {.data = data, .found = out};
    int status = HSEL_OK;
    check.positive = HS_NEW_ZERO(uint64_t, hs_bit_words(data->features));
    check.broken = HS_NEW_ZERO(uint64_t, edge_words);
    if (!check.positive || !check.broken) {
        status = hs_fail_memory(error);
        goto out;
    }
    for (uint32_t i = 0; i < data->instances; i++)
        check_instance(&check, i);
    out->edges = hs_bits_count(check.broken, edge_words);
out:
    hs_free(check.positive);
    hs_free(check.broken);
    return status;
}

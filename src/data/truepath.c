/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checking the true-path rule edge by edge: if every edge holds, so does every path. Only positive
 * values are visited. A parent that is not a binary feature cannot be positive and breaks nothing.
 */
#include "data/truepath.h"

#include "core/mem.h"
#include "data/bits.h"

int hs_truepath_check(const hsel_dataset *data, hs_truepath *out, hsel_error *error)
{
    *out = (hs_truepath){.instance = HSEL_NONE, .child = HSEL_NONE, .parent = HSEL_NONE};
    if (!data->dag)
        return HSEL_OK;
    const hsel_dag *dag = data->dag;
    size_t edge_words = hs_bit_words(dag->edges), count;
    /* Features of the instance at hand, empty between instances; edges, by their place in the
     * parent lists. */
    HS_OWNED uint64_t *positive = HS_NEW_ZERO(uint64_t, hs_bit_words(data->features));
    HS_OWNED uint64_t *broken = HS_NEW_ZERO(uint64_t, edge_words);
    HS_NEED(positive && broken);
    for (uint32_t instance = 0; instance < data->instances; instance++) {
        uint64_t before = out->cells;
        const uint32_t *row = hs_row(data, instance, &count);
        for (size_t i = 0; i < count; i++)
            hs_bit_set(positive, row[i]);
        for (size_t i = 0; i < count; i++) {
            uint32_t end = dag->parent_start[row[i] + 1];
            for (uint32_t place = dag->parent_start[row[i]]; place < end; place++) {
                uint32_t parent = dag->parent[place];
                if (hs_bit_get(positive, parent) || data->types[parent] != HSEL_BINARY)
                    continue;
                if (out->instance == HSEL_NONE) {
                    out->instance = instance;
                    out->child = row[i];
                    out->parent = parent;
                }
                out->cells++;
                hs_bit_set(broken, place);
            }
        }
        for (size_t i = 0; i < count; i++)
            positive[row[i] / 64] = 0;
        out->instances += out->cells > before;
    }
    out->edges = hs_bits_count(broken, edge_words);
    return HSEL_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What all generators share: edge lists and the last step, from builder and edges to a data set.
 */
#include "generate/generate.h"

#include "core/mem.h"
#include "data/transform.h"

int hs_edge_pairs_init(hs_edge_pairs *pairs, size_t edges, hsel_error *error)
{
    *pairs = (hs_edge_pairs){.child = HS_NEW(uint32_t, edges), .parent = HS_NEW(uint32_t, edges)};
    HS_NEED(pairs->child && pairs->parent);
    return HSEL_OK;
}

void hs_edge_pairs_clear(hs_edge_pairs *pairs) { HS_FREE(pairs->child, pairs->parent); }

int hs_generate_finish(hs_builder *builder, hsel_dag **dag, hsel_dataset **out, hsel_error *error)
{
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
    HS_TRY(hs_builder_finish(builder, &data, error));
    HS_TRY(hs_dataset_attach(data, *dag, error));
    hs_take(dag);
    *out = hs_take(&data);
    return HSEL_OK;
}

int hs_digits(uint32_t number)
{
    int digits = 1;
    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}

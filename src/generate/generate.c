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
    if (pairs->child && pairs->parent)
        return HSEL_OK;
    hs_edge_pairs_clear(pairs);
    return hs_fail_memory(error);
}

void hs_edge_pairs_clear(hs_edge_pairs *pairs)
{
    hs_free(pairs->child);
    hs_free(pairs->parent);
    *pairs = (hs_edge_pairs){0};
}

int hs_generate_finish(hs_builder *builder, hsel_dag *dag, hsel_dataset **out, hsel_error *error)
{
    hsel_dataset *data = NULL;
    int status = hs_builder_finish(builder, &data, error);
    if (status == HSEL_OK)
        status = hs_dataset_attach(data, dag, error);
    if (status == HSEL_OK) {
        *out = data;
        return HSEL_OK;
    }
    hs_dag_free(dag);
    hsel_dataset_free(data);
    return status;
}

int hs_digits(uint32_t number)
{
    int digits = 1;
    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}

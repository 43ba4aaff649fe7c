/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The hierarchy of the generator `ontology`, apart from its instances.
 */
#ifndef HS_GENERATE_ONTOLOGY_H
#define HS_GENERATE_ONTOLOGY_H

#include "data/dag.h"

typedef struct hs_ontology_shape {
    uint32_t nodes, roots; /* roots <= nodes */
    uint32_t depth;        /* levels below the roots, if there are nodes enough */
    double parents;        /* mean number of parents of a node that is no root, at least 1;
                            * times nodes at most HS_EDGES_LIMIT */
} hs_ontology_shape;

HSEL_CHECKED int hs_ontology_dag(const hs_ontology_shape *shape, uint64_t seed, hsel_dag **out,
                                 hsel_error *error);

#endif

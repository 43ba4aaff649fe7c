/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The hierarchy over the features of a data set: an acyclic graph, immutable, both directions as
 * compressed lists. Edges go from parent (general) to child (special).
 *
 * Invariants (hs_dag_check): lists ascending without repeats; parents and children mirror each
 * other; `order` is a permutation with parents before children, sorted by (depth, index); relations
 * are numbered as hs_dag_relate does.
 */
#pragma once

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "core/mem.h"
#include "data/graph.h"

#define HS_EDGES_LIMIT UINT32_C(0x7fffffff)
#define HS_IS_A        "is_a" /* the relation of edges without a given one */

struct hsel_dag {
    uint32_t nodes;
    uint32_t edges;
    uint32_t *parent_start, *parent; /* parents of v: parent[parent_start[v]] … */
    uint32_t *child_start, *child;
    uint32_t *order; /* topological: by depth, then index */
    uint32_t *depth; /* longest distance from a root, in edges */
    bool borrowed;   /* the arrays belong to a mapped file */
    /* Relations of edges, parallel to `parent`: relation[i] is a number in `relations`. NULL: all
     * edges are is_a, or unknown; then there are no names. No method depends on it. */
    uint8_t *relation;
    hs_names relations; /* is_a, part_of (if there is one), the others */
};

/* A DAG from edges given as pairs; they may repeat, but must be acyclic (HSEL_EFORMAT names a node
 * on a cycle). */
HSEL_CHECKED int hs_dag_new(uint32_t nodes, const uint32_t *child, const uint32_t *parent,
                            size_t edges, hsel_dag **out, hsel_error *error);
/* Sets the relations of edges: the one from child[e] to parent[e] is relations[relation[e]]. Every
 * edge must be given; if an edge is repeated, the relation with the lowest number is used. Stored
 * are is_a, as number 0, and the relations that occur: part_of, then the others in their order. If
 * all edges are is_a, nothing is kept. HSEL_ELIMIT: more relations than a byte numbers. */
HSEL_CHECKED int hs_dag_relate(hsel_dag *dag, const uint32_t *child, const uint32_t *parent,
                               const uint32_t *relation, size_t edges, const hs_names *relations,
                               hsel_error *error);
/* Edges of each relation into edges[256]; nothing if relations are not known, or `dag` is NULL. */
void hs_relation_counts(const hsel_dag *dag, uint32_t *edges);
/* The relation of the edge parent[place]. */
static inline const char *hs_relation(const hsel_dag *dag, size_t place)
{
    return dag->relation ? hs_names_get(&dag->relations, dag->relation[place]) : HS_IS_A;
}
void hs_dag_free(hsel_dag *dag);
HS_RELEASE(hs_dag_release, hsel_dag, hs_dag_free)
/* Checks the consistency of a hierarchy. */
HSEL_CHECKED int hs_dag_check(const hsel_dag *dag, hsel_error *error);

typedef struct hs_bind_report {
    uint32_t terms_not_features; /* contracted */
    uint32_t features;           /* that were to be bound */
    uint32_t features_not_terms; /* isolated */
    uint32_t first_missing;      /* the first such feature, HSEL_NONE: none */
} hs_bind_report;

/* The hierarchy over `features` (indexed): graph terms that are features become nodes, the others
 * are contracted: a feature's parents are the nearest features above it. The graph must be acyclic.
 * After merging cycles, two features may have become one term: then the first is bound and the
 * others are isolated, so hs_dataset_merge is to be called before (see hs_graph_merge_map).
 * `report` may be NULL. */
HSEL_CHECKED int hs_dag_bind(const hs_graph *graph, const hs_names *features,
                             hs_bind_report *report, hsel_dag **out, hsel_error *error);
/* Keeps the nodes with number[v], their new number, other than HSEL_NONE; the others are
 * contracted. Relations: a path is what its edge
 * with the highest number is (is_a only if all are), and an edge that stands for several paths is
 * what the one with the lowest number is. So the result does not depend on the number of steps. */
HSEL_CHECKED int hs_dag_contract(const hsel_dag *dag, const uint32_t *number, uint32_t new_nodes,
                                 hsel_dag **out, hsel_error *error);
/* Keeps the nodes with keep[v]; others are contracted. New numbers in the old order. */
HSEL_CHECKED int hs_dag_subset(const hsel_dag *dag, const bool *keep, hsel_dag **out,
                               hsel_error *error);
/* Without the edges that a longer path implies. O(edges above), summed over nodes of several
 * parents, up to the highest of these. */
HSEL_CHECKED int hs_dag_reduce(const hsel_dag *dag, hsel_dag **out, hsel_error *error);
/* The part of the hierarchy above some nodes, reduced: those with keep[v], all their ancestors, and
 * only the parents of those with near[v] (NULL: none is so) that no other node has below it. Sets
 * keep of all of them; new numbers in the old order. */
HSEL_CHECKED int hs_dag_above(const hsel_dag *dag, bool *keep, const bool *near, hsel_dag **out,
                              hsel_error *error);
HSEL_CHECKED int hs_dag_copy(const hsel_dag *dag, hsel_dag **out, hsel_error *error);

static inline const uint32_t *hs_parents(const hsel_dag *dag, uint32_t v, size_t *count)
{
    assert(v < dag->nodes);
    *count = dag->parent_start[v + 1] - dag->parent_start[v];
    return dag->parent + dag->parent_start[v];
}

static inline const uint32_t *hs_children(const hsel_dag *dag, uint32_t v, size_t *count)
{
    assert(v < dag->nodes);
    *count = dag->child_start[v + 1] - dag->child_start[v];
    return dag->child + dag->child_start[v];
}

static inline bool hs_is_root(const hsel_dag *dag, uint32_t v)
{
    return dag->parent_start[v] == dag->parent_start[v + 1];
}
static inline bool hs_is_leaf(const hsel_dag *dag, uint32_t v)
{
    return dag->child_start[v] == dag->child_start[v + 1];
}

/* below[v]: a proper descendant of v is marked. O(edges). */
void hs_marked_below(const hsel_dag *dag, const bool *marked, bool *below);

typedef struct hs_dag_shape {
    uint32_t roots, leaves, isolated; /* isolated nodes count as roots and as leaves too */
    uint32_t depth;                   /* longest path, in edges */
    uint32_t max_parents, max_children;
    uint64_t paths;    /* root-leaf paths; UINT64_MAX when there are more … */
    double paths_real; /* … than this holds exactly */
} hs_dag_shape;

HSEL_CHECKED int hs_dag_shape_of(const hsel_dag *dag, hs_dag_shape *out, hsel_error *error);
/* Sum over all nodes of the number of proper ancestors, exactly. O(edges + nodes) when the DAG is
 * made of trees, chains and diamonds, else at most the edges above, summed over nodes. */
HSEL_CHECKED int hs_dag_count_ancestors(const hsel_dag *dag, uint64_t *out, hsel_error *error);

/* The proper ancestors of nodes, one after the other, by a walk over the graph, O(edges above):
 *     HS_OWNS(hs_reach_clear) hs_reach reach = {0};
 *     HS_TRY(hs_reach_init(&reach, dag, error));
 *     for (hs_reach_start(&reach, v); (u = hs_reach_next(&reach)) != HSEL_NONE;) …
 * Each comes once, in no particular order. One scratch per thread, used for any number of nodes. */
typedef struct hs_reach { /* zero-initialise; hs_reach_clear frees */
    const hsel_dag *dag;
    uint32_t *stack, *stamp, top, round; /* stamp[v] == round: v was met */
    bool down;                           /* true: proper descendants instead */
} hs_reach;

HSEL_CHECKED int hs_reach_init(hs_reach *reach, const hsel_dag *dag, hsel_error *error);
void hs_reach_clear(hs_reach *reach);
void hs_reach_start(hs_reach *reach, uint32_t node);
uint32_t hs_reach_next(hs_reach *reach);
/* A walk that begins with several nodes, and meets these too: hs_reach_begin, then hs_reach_meet
 * for each, which is false if it was met before. */
void hs_reach_begin(hs_reach *reach);
bool hs_reach_meet(hs_reach *reach, uint32_t node);
static inline bool hs_reach_met(const hs_reach *reach, uint32_t node)
{
    return reach->stamp[node] == reach->round;
}

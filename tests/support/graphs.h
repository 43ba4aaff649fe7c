/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small random graphs as matrices, with everything worked out the slow and obvious way, to compare
 * with.
 */
#ifndef HS_TESTS_GRAPHS_H
#define HS_TESTS_GRAPHS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/random.h"
#include "data/dag.h"
#include "data/graph.h"

#define MOST 12 /* nodes of a small graph */

typedef struct small_graph {
    uint32_t nodes;
    uint32_t child[4 * MOST * MOST], parent[4 * MOST * MOST]; /* with repeats */
    size_t edges;
    bool edge[MOST][MOST];  /* edge[c][p]: p is a parent of c */
    bool above[MOST][MOST]; /* above[v][u]: one or more edges lead from v up to u */
} small_graph;

/* Any edges, self-loops and repeats among them; of any density. */
void random_graph(hs_stream *stream, uint32_t most_nodes, small_graph *graph);
/* Acyclic, in an order that has nothing to do with the numbers; some edges are there twice. */
void random_dag(hs_stream *stream, uint32_t most_nodes, small_graph *graph);
/* Fills edge and above from the list of edges. */
void work_out(small_graph *graph);
/* The same as terms t0, t1, … of a file called "small". */
void to_terms(const small_graph *graph, hs_graph *out);
/* The list of edges from the matrix alone, then worked out again. */
void from_matrix(small_graph *graph);

hsel_dag *dag_of(const small_graph *graph);
/* Asserts that the DAG is sound and has exactly the edges of the matrix. */
void expect_matrix(const hsel_dag *dag, const small_graph *graph);
/* The longest way up from v, in edges. The graph must be acyclic. */
uint32_t depth_slowly(const small_graph *graph, uint32_t v);

/* Asserts that a call with `oops` as its error gives HSEL_OK; a failure shows the message. */
#define OK(call)                                                                                   \
    do {                                                                                           \
        hsel_error ok_error = {0};                                                                 \
        hsel_error *oops = &ok_error;                                                              \
        if ((call) != HSEL_OK)                                                                     \
            fail_msg("%s", ok_error.message);                                                      \
    } while (0)

#endif

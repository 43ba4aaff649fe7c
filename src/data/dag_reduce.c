/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counting ancestors, and leaving out edges that a longer path implies, by walks upwards that end
 * early: a count where all paths have met again, since the rest is above that node; a reduction
 * where no parent of the node can be higher. In the hierarchies of ontologies such walks are short,
 * and in trees, chains and diamonds a few steps.
 */
#include "data/data.h"

int hs_dag_count_ancestors(const hsel_dag *dag, uint64_t *out, hsel_error *error)
{
    size_t count;
    HS_OWNED uint32_t *rank = HS_NEW(uint32_t, dag->nodes); /* place in the topological order */
    HS_OWNED uint32_t *above = HS_NEW_ZERO(uint32_t, dag->nodes);
    HS_OWNED uint64_t *met = HS_NEW_ZERO(uint64_t, hs_bit_words(dag->nodes)); /* by rank */
    HS_NEED(rank && above && met);
    *out = 0;
    for (uint32_t r = 0; r < dag->nodes; r++) {
        const uint32_t v = dag->order[r];
        size_t waiting = 0, word = r / 64;
        const uint32_t *parent = hs_parents(dag, v, &count);
        rank[v] = r;
        if (count == 1) /* as below, at once */
            above[v] = above[*parent] + 1;
        for (uint32_t from = count > 1 ? v : HSEL_NONE; from != HSEL_NONE;) {
            parent = hs_parents(dag, from, &count);
            for (size_t i = 0; i < count; i++)
                if (!hs_bit_get(met, rank[parent[i]])) {
                    hs_bit_set(met, rank[parent[i]]);
                    waiting++;
                }
            from = HSEL_NONE;
            if (!waiting)
                continue;
            while (!met[word]) /* the highest rank first, so that none comes twice */
                word--;
            const size_t highest = word * 64 + 63 - (size_t)__builtin_clzll(met[word]);
            hs_bit_unset(met, highest);
            above[v]++;
            if (--waiting)
                from = dag->order[highest];
            else /* all others are above this one */
                above[v] += above[dag->order[highest]];
        }
        *out += above[v];
    }
    return HSEL_OK;
}

/* Marks with reached[u] == v + 1 what is above a parent of v, as far as parents of v may be there.
 */
static void reach_above_parents(const hsel_dag *dag, uint32_t v, uint32_t *reached, uint32_t *stack)
{
    size_t parents, count, waiting = 0;
    const uint32_t *parent = hs_parents(dag, v, &parents);
    uint32_t highest = dag->depth[v]; /* of a parent */
    for (size_t i = 0; i < parents && parents > 1; i++) {
        stack[waiting++] = parent[i];
        highest = dag->depth[parent[i]] < highest ? dag->depth[parent[i]] : highest;
    }
    while (waiting > 0) {
        const uint32_t *next = hs_parents(dag, stack[--waiting], &count);
        for (size_t i = 0; i < count; i++) {
            if (dag->depth[next[i]] < highest || reached[next[i]] == v + 1)
                continue;
            reached[next[i]] = v + 1;
            if (dag->depth[next[i]] > highest)
                stack[waiting++] = next[i];
        }
    }
}

int hs_dag_reduce(const hsel_dag *dag, hsel_dag **out, hsel_error *error)
{
    size_t kept = 0, count;
    HS_OWNS(hs_dag_release) hsel_dag *made = NULL;
    HS_OWNED uint32_t *child = HS_NEW(uint32_t, dag->edges), *parent = HS_NEW(uint32_t, dag->edges),
                      *relation = HS_NEW(uint32_t, dag->edges);
    HS_OWNED uint32_t *reached = HS_NEW_ZERO(uint32_t, dag->nodes);
    HS_OWNED uint32_t *stack = HS_NEW(uint32_t, 2 * (size_t)dag->nodes);
    *out = NULL;
    HS_NEED(child && parent && relation && reached && stack);
    for (uint32_t v = 0; v < dag->nodes; v++) {
        const uint32_t *above = hs_parents(dag, v, &count);
        reach_above_parents(dag, v, reached, stack);
        for (size_t i = 0; i < count; i++) {
            if (reached[above[i]] == v + 1)
                continue;
            child[kept] = v;
            parent[kept] = above[i];
            relation[kept++] = dag->relation ? dag->relation[dag->parent_start[v] + i] : 0;
        }
    }
    HS_TRY(hs_dag_new(dag->nodes, child, parent, kept, &made, error));
    if (dag->relation)
        HS_TRY(hs_dag_relate(made, child, parent, relation, kept, &dag->relations, error));
    *out = hs_take(&made);
    return HSEL_OK;
}

int hs_dag_above(const hsel_dag *dag, bool *keep, const bool *near, hsel_dag **out,
                 hsel_error *error)
{
    HS_OWNS(hs_dag_release) hsel_dag *part = NULL;
    HS_OWNED bool *climb = HS_NEW(bool, dag->nodes);
    size_t parents;
    HS_NEED(climb);
    for (uint32_t v = 0; v < dag->nodes; v++)
        climb[v] = keep[v] && !(near && near[v]);
    for (uint32_t i = 0; near && i < dag->nodes;
         i++) { /* parents first, so that only direct parents are added */
        uint32_t v = dag->order[i];
        const uint32_t *parent = hs_parents(dag, v, &parents);
        for (size_t j = 0; j < parents && keep[v] && near[v]; j++)
            keep[parent[j]] = true;
    }
    for (uint32_t i = dag->nodes; i-- > 0;) { /* children before parents */
        uint32_t v = dag->order[i];
        const uint32_t *parent = hs_parents(dag, v, &parents);
        for (size_t j = 0; j < parents && climb[v]; j++)
            keep[parent[j]] = climb[parent[j]] = true;
    }
    HS_TRY(hs_dag_subset(dag, keep, &part, error));
    return hs_dag_reduce(part, out, error);
}

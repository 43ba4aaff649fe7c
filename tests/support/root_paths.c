/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Listing paths by recursion, and the random hierarchies to list them of.
 */
#include "support/root_paths.h"

#include <string.h>

#include "support/cmocka.h"

static bool has(const small_graph *graph, uint32_t v, bool parents)
{
    for (uint32_t u = 0; u < graph->nodes; u++)
        if (parents ? graph->edge[v][u] : graph->edge[u][v])
            return true;
    return false;
}

static void go_on(const small_graph *graph, one_path *path, path_list *out)
{
    uint32_t last = path->node[path->length - 1];
    if (!has(graph, last, false)) {
        assert_true(out->count < MOST_PATHS);
        out->path[out->count++] = *path;
        return;
    }
    for (uint32_t c = 0; c < graph->nodes; c++)
        if (graph->edge[c][last]) {
            path->node[path->length++] = c;
            go_on(graph, path, out);
            path->length--;
        }
}

void list_paths_from(const small_graph *graph, uint32_t from, path_list *out)
{
    one_path path = {.node = {from}, .length = 1};
    go_on(graph, &path, out);
}

void list_paths(const small_graph *graph, path_list *out)
{
    out->count = 0;
    for (uint32_t v = 0; v < graph->nodes; v++)
        if (!has(graph, v, true))
            list_paths_from(graph, v, out);
}

void random_hierarchy(hs_stream *stream, small_graph *graph)
{
    uint32_t place[MOST];
    bool tree = hs_random_below(stream, 10) < 3;
    double density = 0.15 + 0.65 * hs_random_double(stream);
    memset(graph, 0, sizeof *graph);
    graph->nodes = 1 + (uint32_t)hs_random_below(stream, 9);
    for (uint32_t v = 0; v < graph->nodes; v++)
        place[v] = v;
    hs_random_shuffle(stream, place, graph->nodes);
    for (uint32_t i = 1; i < graph->nodes; i++) {
        if (tree && hs_random_below(stream, 8) > 0)
            graph->edge[place[i]][place[hs_random_below(stream, i)]] = true;
        for (uint32_t j = 0; !tree && j < i; j++)
            graph->edge[place[i]][place[j]] = hs_random_double(stream) < density;
    }
    from_matrix(graph);
}

void random_scores(hs_stream *stream, uint32_t nodes, double *score)
{
    static const uint32_t greatest[] = {1, 2, 4, 20};
    uint32_t range = greatest[hs_random_below(stream, 4)] + 1;
    for (uint32_t v = 0; v < nodes; v++)
        score[v] = (double)hs_random_below(stream, range);
}

void contract_slowly(const small_graph *graph, const bool *keep, small_graph *out)
{
    bool way[MOST][MOST];
    uint32_t number[MOST] = {0}, n = graph->nodes;
    memcpy(way, graph->edge, sizeof way);
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t v = 0; v < n; v++)
            for (uint32_t u = 0; u < n; u++)
                way[v][u] |= !keep[k] && way[v][k] && way[k][u];
    memset(out, 0, sizeof *out);
    for (uint32_t v = 0; v < n; v++)
        if (keep[v])
            number[v] = out->nodes++;
    for (uint32_t v = 0; v < n; v++)
        for (uint32_t u = 0; u < n; u++)
            if (keep[v] && keep[u] && way[v][u])
                out->edge[number[v]][number[u]] = true;
    from_matrix(out);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The path-based choices of the eager selectors against twins that list every path, on random small
 * hierarchies with whole numbers as scores, so that sums and means are exact and ties abound.
 */
#include <string.h>

#include "select/paths.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/root_paths.h"

#define CASES 12000

typedef struct trial {
    small_graph graph;
    path_list paths;
    double score[MOST];
    hsel_dag *dag;
    bool keep[MOST], expected[MOST];
} trial;

static void trial_begin(hs_stream *stream, trial *t)
{
    random_hierarchy(stream, &t->graph);
    random_scores(stream, t->graph.nodes, t->score);
    list_paths(&t->graph, &t->paths);
    t->dag = dag_of(&t->graph);
    memset(t->keep, 0x1, sizeof t->keep); /* to be overwritten */
    memset(t->expected, 0, sizeof t->expected);
}

static void expect_same(const trial *t, const char *what, int number)
{
    for (uint32_t v = 0; v < t->graph.nodes; v++)
        if (t->keep[v] != t->expected[v])
            fail_msg("case %d, %s: node %u of %u kept: %d, expected %d", number, what, v,
                     t->graph.nodes, t->keep[v], t->expected[v]);
}

/* Runs `body` for CASES trials; `t` and `number` are there. */
#define EACH_TRIAL(name, body)                                                                     \
    do {                                                                                           \
        hs_stream stream;                                                                          \
        static trial one;                                                                          \
        trial *t = &one;                                                                           \
        hs_stream_init(&stream, 1, name, 0, 0);                                                    \
        for (int number = 0; number < CASES; number++) {                                           \
            trial_begin(&stream, t);                                                               \
            body;                                                                                  \
            hs_dag_free(t->dag);                                                                   \
        }                                                                                          \
    } while (0)

/* ---- maxima ---- */

static uint32_t first_maximum(const one_path *path, const double *score)
{
    uint32_t best = path->node[0];
    for (uint32_t i = 1; i < path->length; i++)
        if (score[path->node[i]] > score[best])
            best = path->node[i];
    return best;
}

static void maxima_slowly(const path_list *paths, const double *score, hs_path_tie tie, bool *keep)
{
    for (uint32_t p = 0; p < paths->count; p++) {
        const one_path *path = &paths->path[p];
        double greatest = score[first_maximum(path, score)];
        uint32_t last = 0;
        for (uint32_t i = 0; i < path->length; i++)
            if (score[path->node[i]] == greatest) {
                last = path->node[i];
                keep[last] |= tie == HS_TIE_BOTH;
            }
        keep[tie == HS_TIE_ROOT ? first_maximum(path, score) : last] = true;
    }
}

static void maxima_agree_with_paths(void **state)
{
    (void)state;
    EACH_TRIAL("maxima", {
        for (hs_path_tie tie = HS_TIE_ROOT; tie <= HS_TIE_BOTH; tie++) {
            memset(t->expected, 0, sizeof t->expected);
            maxima_slowly(&t->paths, t->score, tie, t->expected);
            OK(hs_paths_maxima(t->dag, t->score, tie, t->keep, oops));
            expect_same(t, "maxima", number);
        }
    });
}

static bool has_kept_below(const small_graph *graph, const bool *keep, uint32_t v)
{
    for (uint32_t u = 0; u < graph->nodes; u++)
        if (keep[u] && graph->above[u][v])
            return true;
    return false;
}

static void most_special_agrees_with_matrix(void **state)
{
    (void)state;
    EACH_TRIAL("most special", {
        for (uint32_t v = 0; v < t->graph.nodes; v++)
            t->keep[v] = hs_random_below(&stream, 3) == 0;
        for (uint32_t v = 0; v < t->graph.nodes; v++)
            t->expected[v] = t->keep[v] && !has_kept_below(&t->graph, t->keep, v);
        OK(hs_paths_most_special(t->dag, t->keep, oops));
        expect_same(t, "most special", number);
    });
}

static void first_local_agrees_with_paths(void **state)
{
    (void)state;
    EACH_TRIAL("first local", {
        for (uint32_t p = 0; p < t->paths.count; p++) {
            const one_path *path = &t->paths.path[p];
            uint32_t i = 0;
            while (i + 1 < path->length && t->score[path->node[i]] < t->score[path->node[i + 1]])
                i++;
            t->expected[path->node[i]] = true;
        }
        OK(hs_paths_first_local(t->dag, t->score, t->keep, oops));
        expect_same(t, "first local", number);
    });
}

/* ---- iterative ---- */

/* The representative x goes, and the maxima of all paths from its children come. */
static void replace_slowly(const small_graph *graph, const double *score, uint32_t x, bool *keep)
{
    static path_list below;
    below.count = 0;
    for (uint32_t c = 0; c < graph->nodes; c++)
        if (graph->edge[c][x])
            list_paths_from(graph, c, &below);
    keep[x] = false;
    for (uint32_t p = 0; p < below.count; p++)
        keep[first_maximum(&below.path[p], score)] = true;
}

/* In an order at random. */
static void iterate_slowly(hs_stream *stream, const trial *t, bool *keep)
{
    maxima_slowly(&t->paths, t->score, HS_TIE_ROOT, keep);
    for (;;) {
        uint32_t todo[MOST], count = 0;
        for (uint32_t v = 0; v < t->graph.nodes; v++)
            if (keep[v] && has_kept_below(&t->graph, keep, v))
                todo[count++] = v;
        if (count == 0)
            return;
        replace_slowly(&t->graph, t->score, todo[hs_random_below(stream, count)], keep);
    }
}

static void iterative_agrees_with_replacing(void **state)
{
    (void)state;
    EACH_TRIAL("iterative", {
        iterate_slowly(&stream, t, t->expected);
        OK(hs_paths_iterative(t->dag, t->score, t->keep, NULL, oops));
        expect_same(t, "iterative", number);
    });
}

/* ---- greedy ---- */

static bool comparable(const small_graph *graph, uint32_t u, uint32_t v)
{
    return u == v || graph->above[u][v] || graph->above[v][u];
}

static void strike_slowly(const small_graph *graph, uint32_t v, bool *left)
{
    for (uint32_t u = 0; u < graph->nodes; u++)
        left[u] = left[u] && !comparable(graph, u, v);
}

static uint32_t best_left(const trial *t, const bool *left)
{
    uint32_t best = HSEL_NONE;
    for (uint32_t v = 0; v < t->graph.nodes; v++)
        if (left[v] && (best == HSEL_NONE || t->score[v] > t->score[best]))
            best = v;
    return best;
}

static bool is_end(const small_graph *graph, uint32_t v, bool root)
{
    for (uint32_t u = 0; u < graph->nodes; u++)
        if (root ? graph->edge[v][u] : graph->edge[u][v])
            return false;
    return true;
}

static void antichain_slowly(trial *t)
{
    for (uint32_t root = 0; root < t->graph.nodes; root++) {
        bool left[MOST];
        uint32_t best;
        if (!is_end(&t->graph, root, true))
            continue;
        for (uint32_t v = 0; v < t->graph.nodes; v++)
            left[v] = v == root || t->graph.above[v][root];
        while ((best = best_left(t, left)) != HSEL_NONE) {
            t->expected[best] = true;
            strike_slowly(&t->graph, best, left);
        }
    }
}

static void antichain_agrees_with_matrix(void **state)
{
    (void)state;
    EACH_TRIAL("antichain", {
        antichain_slowly(t);
        OK(hs_paths_antichain(t->dag, t->score, t->keep, NULL, oops));
        expect_same(t, "antichain", number);
    });
}

/* Shorter, or as long and smaller when read upwards from the leaf. */
static bool goes_before(const one_path *a, const one_path *b)
{
    if (a->length != b->length)
        return a->length < b->length;
    for (uint32_t i = a->length; i-- > 0;)
        if (a->node[i] != b->node[i])
            return a->node[i] < b->node[i];
    return false;
}

static const one_path *shortest_to(const path_list *paths, uint32_t leaf)
{
    const one_path *shortest = NULL;
    for (uint32_t p = 0; p < paths->count; p++) {
        const one_path *path = &paths->path[p];
        if (path->node[path->length - 1] == leaf && (!shortest || goes_before(path, shortest)))
            shortest = path;
    }
    return shortest;
}

static void shortest_slowly(trial *t)
{
    bool left[MOST];
    memset(left, 1, sizeof left);
    for (uint32_t leaf = 0; leaf < t->graph.nodes; leaf++) {
        const one_path *path = shortest_to(&t->paths, leaf);
        uint32_t best = HSEL_NONE;
        for (uint32_t i = 0; path && i < path->length; i++)
            if (left[path->node[i]] &&
                (best == HSEL_NONE || t->score[path->node[i]] > t->score[best]))
                best = path->node[i];
        if (best == HSEL_NONE)
            continue;
        t->expected[best] = true;
        strike_slowly(&t->graph, best, left);
    }
}

static void shortest_agrees_with_paths(void **state)
{
    (void)state;
    EACH_TRIAL("shortest", {
        shortest_slowly(t);
        OK(hs_paths_shortest(t->dag, t->score, t->keep, NULL, oops));
        expect_same(t, "shortest", number);
    });
}

/* ---- means ---- */

/* Is v below the mean of this path over the nodes that count? In whole numbers. */
static bool is_low(const one_path *path, const double *score, const bool *counted, uint32_t v)
{
    long sum = 0;
    for (uint32_t i = 0; i < path->length; i++)
        if (counted[path->node[i]])
            sum += (long)score[path->node[i]] - (long)score[v];
    return sum > 0;
}

static void prune_slowly(const path_list *paths, const double *score, const bool *counted,
                         bool strict, uint32_t nodes, bool *keep)
{
    for (uint32_t v = 0; v < nodes; v++) {
        uint32_t low = 0, through = 0;
        for (uint32_t p = 0; p < paths->count; p++)
            for (uint32_t i = 0; i < paths->path[p].length; i++)
                if (paths->path[p].node[i] == v) {
                    through++;
                    low += is_low(&paths->path[p], score, counted, v);
                }
        assert_true(through > 0);
        keep[v] = keep[v] && (strict ? low == 0 : low < through);
    }
}

static void prune_contracted_slowly(const trial *t, bool strict, bool *keep)
{
    static path_list paths;
    small_graph part;
    double score[MOST];
    bool all[MOST], part_keep[MOST];
    uint32_t at = 0;
    memset(all, 1, sizeof all);
    memset(part_keep, 1, sizeof part_keep);
    contract_slowly(&t->graph, keep, &part);
    for (uint32_t v = 0; v < t->graph.nodes; v++)
        if (keep[v])
            score[at++] = t->score[v];
    list_paths(&part, &paths);
    prune_slowly(&paths, score, all, strict, part.nodes, part_keep);
    at = 0;
    for (uint32_t v = 0; v < t->graph.nodes; v++)
        keep[v] = keep[v] && part_keep[at++];
}

static void prune_trial(trial *t, const bool *survivors, hs_mean_over over, bool strict, int number)
{
    bool all[MOST];
    memset(all, 1, sizeof all);
    memcpy(t->keep, survivors, sizeof t->keep);
    memcpy(t->expected, survivors, sizeof t->expected);
    if (over == HS_MEAN_CONTRACTED)
        prune_contracted_slowly(t, strict, t->expected);
    else
        prune_slowly(&t->paths, t->score, over == HS_MEAN_ALL ? all : survivors, strict,
                     t->graph.nodes, t->expected);
    OK(hs_paths_prune(t->dag, t->score, over, strict, t->keep, NULL, oops));
    expect_same(t, strict ? "strict prune" : "lenient prune", number);
}

static void prune_agrees_with_paths(void **state)
{
    (void)state;
    EACH_TRIAL("prune", {
        bool survivors[MOST] = {0};
        for (uint32_t v = 0; v < t->graph.nodes; v++)
            survivors[v] = hs_random_below(&stream, 3) > 0;
        for (hs_mean_over over = HS_MEAN_ALL; over <= HS_MEAN_CONTRACTED; over++)
            for (int strict = 0; strict < 2; strict++)
                prune_trial(t, survivors, over, strict, number);
    });
}

/* A mean that is greater by rounding only does not drop a node; one that is really greater does. */
static void means_equal_but_for_rounding(void **state)
{
    (void)state;
    const uint32_t child[] = {1, 2}, parent[] = {0, 1};
    const double tenth = 0.1, third = 0.1 + 0.2; /* not 0.3 */
    hsel_dag *dag;
    OK(hs_dag_new(3, child, parent, 2, &dag, oops));
    for (int strict = 0; strict < 2; strict++) {
        bool keep[3] = {true, true, true}, more[3] = {true, true, true};
        OK(hs_paths_prune(dag, (double[]){third, 0.3, 0.3}, HS_MEAN_ALL, strict, keep, NULL, oops));
        assert_true(keep[0] && keep[1] && keep[2]);
        OK(hs_paths_prune(dag, (double[]){tenth + 1e-9, tenth, tenth}, HS_MEAN_ALL, strict, more,
                          NULL, oops));
        assert_true(more[0] && !more[1] && !more[2]);
    }
    hs_dag_free(dag);
}

/* ---- hfe ---- */

static bool ends_shorter_path(const path_list *paths, uint32_t leaf)
{
    uint32_t longest = 0;
    bool found = false;
    for (uint32_t p = 0; p < paths->count; p++)
        longest = paths->path[p].length > longest ? paths->path[p].length : longest;
    for (uint32_t p = 0; p < paths->count; p++)
        found |= paths->path[p].node[paths->path[p].length - 1] == leaf &&
                 paths->path[p].length < longest;
    return found;
}

static void hfe_slowly(trial *t, bool strict)
{
    bool survivors[MOST], after_prune[MOST];
    long sum = 0, kept = 0;
    memcpy(survivors, t->expected, sizeof survivors);
    prune_slowly(&t->paths, t->score, survivors, strict, t->graph.nodes, t->expected);
    for (uint32_t v = 0; v < t->graph.nodes; v++) {
        t->expected[v] = t->expected[v] && t->score[v] > 0;
        sum += t->expected[v] ? (long)t->score[v] : 0;
        kept += t->expected[v];
    }
    memcpy(after_prune, t->expected, sizeof after_prune);
    for (uint32_t v = 0; v < t->graph.nodes; v++)
        if (after_prune[v] && is_end(&t->graph, v, false) && ends_shorter_path(&t->paths, v) &&
            (long)t->score[v] * kept < sum)
            t->expected[v] = false;
}

static void hfe_agrees_with_paths(void **state)
{
    (void)state;
    EACH_TRIAL("hfe", {
        bool strict = hs_random_below(&stream, 2);
        for (uint32_t v = 0; v < t->graph.nodes; v++)
            t->keep[v] = t->expected[v] = hs_random_below(&stream, 4) > 0;
        hfe_slowly(t, strict);
        OK(hs_paths_hfe(t->dag, t->score, strict, t->keep, NULL, oops));
        expect_same(t, "hfe", number);
    });
}

/* ---- parents ---- */

/* The pseudo-code: a queue of nodes that begins with the leaves; each is compared with its parents
 * until one is similar, and these are queued. */
static void first_phase_slowly(trial *t, double threshold)
{
    uint32_t queue[MOST];
    bool queued[MOST] = {0};
    uint32_t head = 0, tail = 0, n = t->graph.nodes;
    for (uint32_t v = 0; v < n; v++)
        if (is_end(&t->graph, v, false))
            queued[queue[tail++] = v] = true;
    memset(t->expected, 1, n);
    while (head < tail) {
        uint32_t v = queue[head++];
        for (uint32_t p = 0; p < n; p++) {
            if (!t->graph.edge[v][p])
                continue;
            double difference = t->score[p] - t->score[v];
            if (1 - (difference < 0 ? -difference : difference) >= threshold)
                t->expected[v] = false;
            if (!queued[p])
                queued[queue[tail++] = p] = true;
        }
    }
    assert_int_equal(tail, n);
}

static void unlike_parents_agrees_with_queue(void **state)
{
    (void)state;
    EACH_TRIAL("unlike parents", {
        double threshold = 1 - (double)hs_random_below(&stream, 4) / 8; /* exact, and met often */
        for (uint32_t v = 0; v < t->graph.nodes; v++)
            t->score[v] /= 8;
        first_phase_slowly(t, threshold);
        hs_paths_unlike_parents(t->dag, t->score, threshold, t->keep);
        expect_same(t, "unlike parents", number);
    });
}

/* ---- large, deep, and short of memory ---- */

/* A chain of diamonds: 2^20000 paths; scores rise to the middle and fall again. */
static void more_paths_than_atoms(void **state)
{
    (void)state;
    enum { DIAMONDS = 20000, NODES = 3 * DIAMONDS + 1 };
    static uint32_t child[4 * DIAMONDS], parent[4 * DIAMONDS];
    static double score[NODES];
    static bool keep[NODES];
    uint32_t kept = 0;
    hsel_dag *dag;
    for (uint32_t i = 0; i < DIAMONDS; i++)
        for (uint32_t side = 0; side < 2; side++) {
            child[4 * i + 2 * side] = 3 * i + 1 + side;
            parent[4 * i + 2 * side] = 3 * i;
            child[4 * i + 2 * side + 1] = 3 * i + 3;
            parent[4 * i + 2 * side + 1] = 3 * i + 1 + side;
        }
    for (uint32_t v = 0; v < NODES; v++)
        score[v] = v < NODES / 2 ? v : NODES - v;
    OK(hs_dag_new(NODES, child, parent, 4 * DIAMONDS, &dag, oops));
    OK(hs_paths_maxima(dag, score, HS_TIE_BOTH, keep, oops));
    for (uint32_t v = 0; v < NODES; v++)
        kept += keep[v];
    assert_int_equal(kept, 1);
    assert_true(keep[NODES / 2]);
    OK(hs_paths_iterative(dag, score, keep, NULL, oops));
    assert_true(keep[NODES / 2]);
    memset(keep, 1, sizeof keep);
    OK(hs_paths_prune(dag, score, HS_MEAN_ALL, true, keep, NULL, oops));
    assert_true(keep[NODES / 2] && !keep[0] && !keep[NODES - 1]);
    hs_dag_free(dag);
}

static void no_nodes(void **state)
{
    (void)state;
    hsel_dag *dag;
    bool keep[1];
    OK(hs_dag_new(0, NULL, NULL, 0, &dag, oops));
    OK(hs_paths_maxima(dag, NULL, HS_TIE_ROOT, keep, oops));
    OK(hs_paths_first_local(dag, NULL, keep, oops));
    OK(hs_paths_most_special(dag, keep, oops));
    OK(hs_paths_iterative(dag, NULL, keep, NULL, oops));
    OK(hs_paths_antichain(dag, NULL, keep, NULL, oops));
    OK(hs_paths_shortest(dag, NULL, keep, NULL, oops));
    OK(hs_paths_hfe(dag, NULL, true, keep, NULL, oops));
    for (hs_mean_over over = HS_MEAN_ALL; over <= HS_MEAN_CONTRACTED; over++)
        OK(hs_paths_prune(dag, NULL, over, true, keep, NULL, oops));
    hs_dag_free(dag);
}

static int stop(void *context, uint64_t done, uint64_t total, const char *what)
{
    (void)what;
    ++*(int *)context;
    assert_true(done < total);
    return 1;
}

/* Every node of the upper half is above every node of the lower half. What may take long stops at
 * its first report. */
static void stopping(void **state)
{
    (void)state;
    enum { HALF = 300, NODES = 2 * HALF };
    static uint32_t child[HALF * HALF], parent[HALF * HALF];
    static double score[NODES];
    static bool keep[NODES];
    int calls = 0;
    const hs_progress progress = {stop, &calls};
    hsel_error error = {0};
    hsel_dag *dag;
    for (uint32_t e = 0; e < HALF * HALF; e++) {
        child[e] = HALF + e % HALF;
        parent[e] = e / HALF;
    }
    memset(keep, 1, sizeof keep);
    OK(hs_dag_new(NODES, child, parent, HALF * HALF, &dag, oops));
    for (hs_mean_over over = HS_MEAN_ALL; over <= HS_MEAN_CONTRACTED; over++)
        assert_int_equal(hs_paths_prune(dag, score, over, true, keep, &progress, &error),
                         HSEL_ECANCELLED);
    assert_int_equal(hs_paths_hfe(dag, score, true, keep, &progress, &error), HSEL_ECANCELLED);
    assert_int_equal(hs_paths_iterative(dag, score, keep, &progress, &error), HSEL_ECANCELLED);
    assert_int_equal(hs_paths_antichain(dag, score, keep, &progress, &error), HSEL_ECANCELLED);
    assert_int_equal(hs_paths_shortest(dag, score, keep, &progress, &error), HSEL_ECANCELLED);
    assert_int_equal(calls, 7);
    hs_dag_free(dag);
}

static int everything(void *context, hsel_error *error)
{
    trial *t = context;
    int status;
    memset(t->keep, 1, sizeof t->keep);
    t->keep[0] = false;
    if ((status =
             hs_paths_prune(t->dag, t->score, HS_MEAN_CONTRACTED, true, t->keep, NULL, error)) ||
        (status = hs_paths_hfe(t->dag, t->score, true, t->keep, NULL, error)) ||
        (status = hs_paths_maxima(t->dag, t->score, HS_TIE_ROOT, t->keep, error)) ||
        (status = hs_paths_first_local(t->dag, t->score, t->keep, error)) ||
        (status = hs_paths_most_special(t->dag, t->keep, error)) ||
        (status = hs_paths_iterative(t->dag, t->score, t->keep, NULL, error)) ||
        (status = hs_paths_antichain(t->dag, t->score, t->keep, NULL, error)))
        return status;
    return hs_paths_shortest(t->dag, t->score, t->keep, NULL, error);
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    static trial t;
    hs_stream stream;
    hs_stream_init(&stream, 1, "memory", 0, 0);
    for (int i = 0; i < 5; i++) {
        trial_begin(&stream, &t);
        assert_true(hs_oom_each("paths", everything, &t) > 30);
        hs_dag_free(t.dag);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maxima_agree_with_paths),
        cmocka_unit_test(most_special_agrees_with_matrix),
        cmocka_unit_test(first_local_agrees_with_paths),
        cmocka_unit_test(iterative_agrees_with_replacing),
        cmocka_unit_test(antichain_agrees_with_matrix),
        cmocka_unit_test(shortest_agrees_with_paths),
        cmocka_unit_test(prune_agrees_with_paths),
        cmocka_unit_test(means_equal_but_for_rounding),
        cmocka_unit_test(hfe_agrees_with_paths),
        cmocka_unit_test(unlike_parents_agrees_with_queue),
        cmocka_unit_test(more_paths_than_atoms),
        cmocka_unit_test(no_nodes),
        cmocka_unit_test(stopping),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Semantic similarity: by hand, and against a twin that tries every common ancestor in a matrix.
 */
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "data/similarity.h"
#include "support/cmocka.h"
#include "support/graphs.h"
#include "support/oom.h"
#include "support/random_data.h"

/* Of 16 instances: root 0 in all, 1 and 2 below it in 8 and 4, 3 below 1 and 2 in 2. */
static void test_by_hand(void **state)
{
    const uint32_t child[] = {1, 2, 3, 3}, parent[] = {0, 0, 1, 2}, support[] = {16, 8, 4, 2};
    const uint32_t first[] = {3, 1, 3, 0, 2}, second[] = {2, 2, 3, 0, 3};
    const double expected[3][5] = {
        {2 * 2 / 5.0, 0, 1, 1, 2 * 2 / 5.0}, {2, 0, 3, 0, 2}, {1 / 2.0, 0, 1, 1, 1 / 2.0}};
    hsel_dag *dag = NULL;
    double out[5];
    (void)state;
    OK(hs_dag_new(4, child, parent, 4, &dag, oops));
    for (int kind = 0; kind < 3; kind++) {
        hs_similarity s = {0};
        OK(hs_similarity_init(&s, dag, 4, support, 16, (hs_similarity_kind)kind, oops));
        OK(hs_similarity_pairs(&s, first, second, 5, out, oops));
        for (int i = 0; i < 5; i++)
            assert_true(fabs(out[i] - expected[kind][i]) <= 1e-15);
        s.scaled = true;
        OK(hs_similarity_pairs(&s, first, second, 5, out, oops));
        if (kind == HS_RESNIK)
            assert_true(fabs(out[0] - 2 / 3.0) <= 1e-15);
        assert_true(fabs(out[2] - 1) <= 0);
        hs_similarity_clear(&s);
    }
    hs_dag_free(dag);
}

static double slowly(const small_graph *g, const hs_similarity *s, uint32_t u, uint32_t v)
{
    double shared = 0, a = s->information[u], b = s->information[v];
    for (uint32_t w = 0; w < g->nodes; w++)
        if ((w == u || g->above[u][w]) && (w == v || g->above[v][w]) && s->information[w] > shared)
            shared = s->information[w];
    if (s->kind == HS_RESNIK && !s->scaled)
        return shared;
    if (u == v)
        return 1;
    if (shared == 0)
        return 0;
    double value = s->kind == HS_RESNIK ? shared / (a > b ? a : b)
                   : s->kind == HS_LIN  ? 2 * shared / (a + b)
                                        : 1 / (1 + fmax(0, a + b - 2 * shared));
    return value > 1 ? 1 : value;
}

static void test_twin(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 1, "similarity", 0, 0);
    (void)state;
    for (int trial = 0; trial < 600; trial++) {
        small_graph g;
        random_dag(&stream, MOST, &g);
        hsel_dag *dag = dag_of(&g);
        uint32_t support[MOST], first[MOST * MOST], second[MOST * MOST], n = g.nodes;
        double pairs[MOST * MOST], row[MOST];
        hs_similarity s = {0};
        hs_reach reach = {0};
        for (uint32_t v = 0; v < n; v++)
            support[v] = (uint32_t)hs_random_below(&stream, 9);
        for (uint32_t i = 0; i < n * n; i++) {
            first[i] = i / n;
            second[i] = i % n;
        }
        OK(hs_similarity_init(&s, dag, n, support, 8, (hs_similarity_kind)(trial % 3), oops));
        s.scaled = trial % 2;
        OK(hs_similarity_pairs(&s, first, second, n * n, pairs, oops));
        OK(hs_reach_init(&reach, dag, oops));
        for (uint32_t u = 0; u < n; u++) {
            hs_similarity_row(&s, &reach, u, row);
            for (uint32_t v = 0; v < n; v++) {
                assert_true(fabs(pairs[u * n + v] - slowly(&g, &s, u, v)) <= 1e-14);
                assert_true(memcmp(&row[v], &pairs[u * n + v], sizeof *row) == 0);
            }
        }
        hs_reach_clear(&reach);
        hs_similarity_clear(&s);
        hs_dag_free(dag);
    }
}

static int all_of_it(void *context, hsel_error *error)
{
    hsel_dataset *data = context;
    const uint32_t pair[] = {0, 1};
    double value[1];
    HS_OWNS(hs_similarity_clear) hs_similarity s = {0};
    HS_OWNED uint32_t *support = HS_NEW(uint32_t, data->features);
    HS_NEED(support);
    hs_supports(data, support);
    HS_TRY(
        hs_similarity_init(&s, data->dag, data->features, support, data->instances, HS_LIN, error));
    return hs_similarity_pairs(&s, pair, pair + 1, 1, value, error);
}

static void test_supports_and_memory(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 2, "similarity", 0, 0);
    (void)state;
    for (int trial = 0; trial < 20; trial++) {
        hs_random_shape shape = {.instances = 15,
                                 .features = 8,
                                 .classes = 2,
                                 .density = 0.3,
                                 .parents = trial % 2,
                                 .numeric = 0.3,
                                 .nominal = 0.2,
                                 .missing = 0.2};
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        uint32_t support[8];
        hs_supports(data, support);
        for (uint32_t f = 0; f < 8; f++) {
            uint32_t count = 0;
            for (uint32_t i = 0; i < 15; i++) {
                double value = hs_dataset_value(data, f, i);
                count += !isnan(value) && (value != 0 || data->types[f] == HSEL_NOMINAL);
            }
            assert_int_equal(support[f], count);
        }
        hs_oom_each("similarity", all_of_it, data);
        hsel_dataset_free(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_by_hand), cmocka_unit_test(test_twin),
                                       cmocka_unit_test(test_supports_and_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers that add up the hierarchy, against sums over matrices on random DAGs; transformations,
 * against their definitions.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/amounts.h"
#include "data/builder.h"
#include "data/transform.h"
#include "support/cmocka.h"
#include "support/graphs.h"
#include "support/oom.h"

enum { INSTANCES = 5, ROUNDS = 400 };

typedef struct world {
    small_graph graph;
    double value[MOST][INSTANCES];
    hsel_dataset *data;
} world;

/* Amounts on a random DAG, or on a tree; some of them whole, most of them 0; one feature in four is
 * binary. */
static void make_world(hs_stream *stream, bool tree, world *w)
{
    hsel_error error = {0};
    hs_builder *builder = NULL;
    uint32_t id;
    bool binary[MOST];
    random_dag(stream, MOST, &w->graph);
    for (uint32_t c = 0; tree && c < w->graph.nodes; c++) { /* the first parent stays */
        bool has = false;
        for (uint32_t p = 0; p < w->graph.nodes; p++) {
            w->graph.edge[c][p] &= !has;
            has |= w->graph.edge[c][p];
        }
    }
    from_matrix(&w->graph);
    assert_ok(hs_builder_new(&builder, &error), error);
    bool whole = hs_random_below(stream, 2);
    for (uint32_t f = 0; f < w->graph.nodes; f++) {
        char name[16];
        snprintf(name, sizeof name, "f%u", f);
        binary[f] = hs_random_below(stream, 4) == 0;
        assert_ok(hs_builder_feature(builder, name, strlen(name),
                                     binary[f] ? HSEL_BINARY : HSEL_NUMERIC, &id, &error),
                  error);
    }
    for (uint32_t i = 0; i < INSTANCES; i++) {
        assert_ok(hs_builder_row(builder, NULL, 0, HSEL_NONE, &error), error);
        for (uint32_t f = 0; f < w->graph.nodes; f++) {
            double value = (double)hs_random_below(stream, 5);
            value = hs_random_below(stream, 2) ? 0 : binary[f] ? 1 : whole ? value : value / 8;
            w->value[f][i] = value;
            if (value != 0 && binary[f])
                assert_ok(hs_builder_positive(builder, f, &error), error);
            else if (value != 0)
                assert_ok(hs_builder_numeric(builder, f, value, &error), error);
        }
    }
    assert_ok(hs_builder_finish(builder, &w->data, &error), error);
    hs_builder_free(builder);
    assert_ok(hs_dataset_attach(w->data, dag_of(&w->graph), &error), error);
}

/* Takes part: connected with a numeric feature. */
static void find_parts(const world *w, bool *part)
{
    uint32_t nodes = w->graph.nodes;
    for (uint32_t f = 0; f < nodes; f++)
        part[f] = w->data->types[f] == HSEL_NUMERIC;
    for (uint32_t round = 0; round < nodes; round++)
        for (uint32_t f = 0; f < nodes; f++)
            for (uint32_t u = 0; u < nodes; u++)
                part[f] |= part[u] && (w->graph.edge[u][f] || w->graph.edge[f][u]);
}

/* The slow twin: features whose descendants are all done, one after the other. */
static void add_slowly(const world *w, hs_aggregate kind, const bool *own,
                       double result[][INSTANCES], double rest[][INSTANCES], hs_totals *totals)
{
    uint32_t nodes = w->graph.nodes;
    bool part[MOST], done[MOST] = {0};
    double slack = 0;
    find_parts(w, part);
    for (uint32_t f = 0; f < nodes; f++)
        for (uint32_t i = 0; i < INSTANCES; i++)
            if (part[f] && w->value[f][i] != rint(w->value[f][i])) { /* eighths */
                double digits = w->value[f][i] == rint(w->value[f][i] * 2) / 2   ? 1
                                : w->value[f][i] == rint(w->value[f][i] * 4) / 4 ? 2
                                                                                 : 3;
                double unit = pow(10, -digits);
                slack = slack == 0 || unit < slack ? unit : slack;
            }
    memset(totals, 0, sizeof *totals);
    for (uint32_t round = 0; round < nodes; round++)
        for (uint32_t f = 0; f < nodes; f++) {
            bool ready = !done[f];
            uint32_t children = 0;
            for (uint32_t u = 0; u < nodes; u++) {
                ready &= !w->graph.above[u][f] || done[u];
                children += w->graph.edge[u][f] && part[u];
            }
            if (!ready)
                continue;
            done[f] = true;
            for (uint32_t i = 0; i < INSTANCES; i++) {
                double below = 0, mean = 0, value = w->value[f][i];
                result[f][i] = rest[f][i] = value;
                if (!part[f] || !children)
                    continue;
                for (uint32_t u = 0; u < nodes; u++) {
                    if (!part[u])
                        continue;
                    if (w->graph.edge[u][f])
                        mean += result[u][i];
                    if (kind == HS_AGGREGATE_SUM && w->graph.above[u][f])
                        below += rest[u][i];
                    if (kind == HS_AGGREGATE_MAX && w->graph.edge[u][f] && result[u][i] > below)
                        below = result[u][i];
                }
                double near = fmax(1e-6 * fmax(value, below), slack / 2 * children);
                if (kind == HS_AGGREGATE_MEAN) {
                    result[f][i] = mean / children;
                } else if (own && own[f]) {
                    result[f][i] = kind == HS_AGGREGATE_SUM ? value + below : fmax(value, below);
                } else if (value < below - near * (1 + 1e-8)) {
                    totals->cells++;
                    result[f][i] = below;
                    rest[f][i] = 0;
                } else {
                    bool more = value > below + near * (1 + 1e-8);
                    rest[f][i] = more ? value - below : 0;
                    totals->own += more && kind == HS_AGGREGATE_SUM;
                }
            }
        }
}

static void expect_values(const hsel_dataset *data, const world *w, double value[][INSTANCES])
{
    hsel_error error = {0};
    assert_ok(hsel_dataset_check(data, &error), error);
    for (uint32_t f = 0; f < w->graph.nodes; f++)
        for (uint32_t i = 0; i < INSTANCES; i++)
            if (fabs(hs_dataset_value(data, f, i) - value[f][i]) > 1e-12)
                fail_msg("feature %u, instance %u: %g, not %g", f, i, hs_dataset_value(data, f, i),
                         value[f][i]);
}

static void test_adding_up(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "amounts", 0, 0);
    uint64_t broken = 0, owned = 0;
    for (int round = 0; round < ROUNDS; round++) {
        hsel_error error = {0};
        world w = {0};
        bool own[MOST], tree = round % 2;
        double result[MOST][INSTANCES], rest[MOST][INSTANCES];
        hs_totals totals, slow;
        hsel_dataset *added = NULL;
        make_world(&stream, tree, &w);
        for (uint32_t f = 0; f < MOST; f++)
            own[f] = hs_random_below(&stream, 3) == 0;
        for (hs_aggregate kind = HS_AGGREGATE_SUM; kind <= HS_AGGREGATE_MEAN; kind++) {
            const bool *given = round % 3 ? NULL : own;
            add_slowly(&w, kind, given, result, rest, &slow);
            assert_ok(hs_dataset_aggregate(w.data, kind, given, &added, &totals, &error), error);
            expect_values(added, &w, result);
            if (kind != HS_AGGREGATE_MEAN) {
                assert_int_equal(totals.cells, slow.cells);
                assert_int_equal(totals.own, slow.own);
            }
            if (kind != HS_AGGREGATE_MEAN && tree) { /* then it keeps the rule, and stays so */
                assert_ok(hs_totals_check(added, kind, 0, &totals, &error), error);
                assert_int_equal(totals.cells, 0);
            }
            hsel_dataset_free(added);
        }
        add_slowly(&w, HS_AGGREGATE_SUM, NULL, result, rest, &slow);
        broken += slow.cells;
        owned += slow.own;
        /* The check sees each value beside those below it as they are given, in a tree. */
        assert_ok(hs_totals_check(w.data, HS_AGGREGATE_SUM, 0, &totals, &error), error);
        assert_true((totals.cells == 0) == (slow.cells == 0));
        /* Own values and what they add up to. */
        hsel_dataset *alone = NULL, *again = NULL;
        hs_totals mine;
        assert_ok(hs_dataset_aggregate(w.data, HS_AGGREGATE_SUM, NULL, &added, &mine, &error),
                  error);
        assert_ok(hs_dataset_own_values(added, &alone, &error), error);
        memset(own, true, sizeof own);
        assert_ok(hs_dataset_aggregate(alone, HS_AGGREGATE_SUM, own, &again, NULL, &error), error);
        for (uint32_t f = 0; f < w.graph.nodes; f++)
            for (uint32_t i = 0; i < INSTANCES; i++) /* within what counts as rounding */
                assert_true(fabs(hs_dataset_value(added, f, i) - hs_dataset_value(again, f, i)) <=
                            0.5 * MOST * MOST * (mine.unit > 0 ? mine.unit : 1e-9));
        hsel_dataset_free(added);
        hsel_dataset_free(alone);
        hsel_dataset_free(again);
        hsel_dataset_free(w.data);
    }
    assert_true(broken > 1000 && owned > 1000);
}

/* Percentages that were rounded to two digits, and one that is wrong. */
static void test_rounding(void **state)
{
    (void)state;
    static const double values[][4] = {{99.99, 33.33, 33.33, 33.34},
                                       {99.98, 33.33, 33.33, 33.33},
                                       {99.97, 33.33, 33.33, 33.33},
                                       {99.96, 33.33, 33.33, 33.33},
                                       {100.5, 33.33, 33.33, 33.33}};
    const uint32_t child[] = {1, 2, 3}, parent[] = {0, 0, 0};
    hsel_error error = {0};
    hs_builder *builder = NULL;
    hsel_dataset *data = NULL;
    hsel_dag *dag = NULL;
    hs_totals totals;
    uint32_t id;
    assert_ok(hs_builder_new(&builder, &error), error);
    for (int f = 0; f < 4; f++)
        assert_ok(hs_builder_feature(builder, &"abcd"[f], 1, HSEL_NUMERIC, &id, &error), error);
    for (int i = 0; i < 5; i++) {
        assert_ok(hs_builder_row(builder, NULL, 0, HSEL_NONE, &error), error);
        for (uint32_t f = 0; f < 4; f++)
            assert_ok(hs_builder_numeric(builder, f, values[i][f], &error), error);
    }
    assert_ok(hs_builder_finish(builder, &data, &error), error);
    hs_builder_free(builder);
    assert_ok(hs_dag_new(4, child, parent, 3, &dag, &error), error);
    assert_ok(hs_dataset_attach(data, dag, &error), error);
    assert_ok(hs_totals_check(data, HS_AGGREGATE_SUM, 0, &totals, &error), error);
    assert_true(fabs(totals.unit - 0.01) < 1e-12);
    assert_int_equal(totals.cells, 2); /* three halves of 0.01 are allowed: not 99.97, 99.96 */
    assert_int_equal(totals.instance, 2);
    assert_int_equal(totals.feature, 0);
    assert_int_equal(totals.own, 1);
    assert_int_equal(totals.checked, 1);
    hsel_dataset_free(data);
}

/* Two levels, one instance without anything. */
static hsel_dataset *small_set(void)
{
    static const double values[][3] = {{6, 2, 4}, {5, 0, 4}, {0, 0, 0}};
    const uint32_t child[] = {1, 2}, parent[] = {0, 0};
    hsel_error error = {0};
    hs_builder *builder = NULL;
    hsel_dataset *data = NULL;
    hsel_dag *dag = NULL;
    uint32_t id;
    assert_ok(hs_builder_new(&builder, &error), error);
    for (int f = 0; f < 3; f++)
        assert_ok(hs_builder_feature(builder, &"abc"[f], 1, HSEL_NUMERIC, &id, &error), error);
    for (int i = 0; i < 3; i++) {
        assert_ok(hs_builder_row(builder, NULL, 0, HSEL_NONE, &error), error);
        for (uint32_t f = 0; f < 3; f++)
            if (values[i][f] != 0)
                assert_ok(hs_builder_numeric(builder, f, values[i][f], &error), error);
    }
    assert_ok(hs_builder_finish(builder, &data, &error), error);
    hs_builder_free(builder);
    assert_ok(hs_dag_new(3, child, parent, 2, &dag, &error), error);
    assert_ok(hs_dataset_attach(data, dag, &error), error);
    return data;
}

static void test_changes(void **state)
{
    (void)state;
    const uint32_t of_level[] = {0, 1, 1};
    const double a = log(2.5), b = log(4.5), c = log(0.5);
    const struct {
        hs_change change;
        double number, expected[3][3];
    } cases[] = {
        {HS_RELATIVE, 0, {{1, 2 / 6.0, 4 / 6.0}, {1, 0, 4 / 5.0}, {NAN, NAN, NAN}}},
        {HS_CLR,
         0.5,
         {{0, a - (a + b) / 2, b - (a + b) / 2},
          {0, c - (c + b) / 2, b - (c + b) / 2},
          {NAN, NAN, NAN}}},
        {HS_RCLR, -2, {{0, log(2) - log(8) / 2, log(4) - log(8) / 2}, {0, -2, 0}, {NAN, NAN, NAN}}},
        {HS_RCLR, -0.1, {{0, -0.1, log(4) - log(8) / 2}, {0, -0.1, 0}, {NAN, NAN, NAN}}},
        {HS_LOG1P, 0, {{log(7), log(3), log(5)}, {log(6), 0, log(5)}, {0, 0, 0}}},
        {HS_PRESENCE, 4, {{1, 0, 0}, {1, 0, 0}, {0, 0, 0}}},
        {HS_ONES, 2, {{1, 0, 1}, {1, 0, 1}, {0, 0, 0}}}};
    hsel_error error = {0};
    hsel_dataset *data = small_set();
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        hsel_dataset *new = NULL;
        hs_changed found;
        assert_ok(hs_dataset_change(data, cases[k].change, cases[k].number, of_level, true, &found,
                                    &new, &error),
                  error);
        assert_int_equal(found.empty, cases[k].change <= HS_RCLR);
        assert_int_equal(found.first_empty, found.empty ? 2 : HSEL_NONE);
        assert_true(found.least_total == (cases[k].change == HS_RELATIVE ? 5 : 0));
        assert_ok(hsel_dataset_check(new, &error), error);
        for (uint32_t i = 0; i < 3; i++)
            for (uint32_t f = 0; f < 3; f++)
                if (isnan(hs_dataset_value(new, f, i)) != isnan(cases[k].expected[i][f]) ||
                    fabs(hs_dataset_value(new, f, i) - cases[k].expected[i][f]) > 1e-12)
                    fail_msg("case %zu: instance %u, feature %u: %g, not %g", k, i, f,
                             hs_dataset_value(new, f, i), cases[k].expected[i][f]);
        assert_int_equal(new->types[1],
                         cases[k].change == HS_PRESENCE ? HSEL_BINARY : HSEL_NUMERIC);
        hsel_dataset_free(new);
    }
    double share, mean, least[3];
    assert_ok(hs_change_least(data, HS_CLR, of_level, least, &error), error);
    assert_true(least[0] == 2 && least[1] == 4 && isnan(least[2]));
    assert_ok(hs_change_least(data, HS_RCLR, of_level, least, &error), error);
    assert_true(fabs(least[0] - log(2) + log(8) / 2) < 1e-12 && least[1] == 0 && isnan(least[2]));
    hs_prevalence(data, 1, &share, &mean);
    assert_true(fabs(share - 1 / 3.0) < 1e-15 && fabs(mean - 2 / 3.0) < 1e-15);
    hsel_dataset_free(data);
}

static void test_more_features(void **state)
{
    (void)state;
    const uint8_t types[] = {HSEL_NUMERIC, HSEL_BINARY, HSEL_NUMERIC};
    hsel_error error = {0};
    hs_names names = {0}, taken = {0};
    hsel_dataset *data = small_set(), *wider = NULL, *again = NULL;
    for (int i = 0; i < 3; i++)
        assert_ok(hs_names_append(&names, &"xyz"[i], 1, &error), error);
    assert_ok(hs_dataset_add_features(data, &names, types, &wider, &error), error);
    assert_ok(hsel_dataset_check(wider, &error), error);
    assert_int_equal(wider->features, 6);
    assert_null(wider->dag);
    for (uint32_t f = 0; f < 6; f++)
        for (uint32_t i = 0; i < 3; i++)
            assert_true(hs_dataset_value(wider, f, i) ==
                        (f < 3 ? hs_dataset_value(data, f, i) : 0));
    assert_int_equal(wider->types[4], HSEL_BINARY);
    assert_ok(hs_names_append(&taken, "b", 1, &error), error);
    assert_int_equal(hs_dataset_add_features(data, &taken, types, &again, &error), HSEL_EFORMAT);
    assert_null(again);
    hs_names_clear(&names);
    hs_names_clear(&taken);
    hsel_dataset_free(wider);
    hsel_dataset_free(data);
}

static int all_of_it(void *context, hsel_error *error)
{
    const uint32_t of_level[] = {0, 1, 1};
    hsel_dataset *added = NULL, *alone = NULL, *changed = NULL, *wider = NULL;
    hs_changed found;
    hs_names names = {0};
    int status = hs_dataset_aggregate(context, HS_AGGREGATE_SUM, NULL, &added, NULL, error);
    status = status ? status : hs_names_append(&names, "z", 1, error);
    status = status ? status
                    : hs_dataset_add_features(added, &names, &(const uint8_t){HSEL_NUMERIC}, &wider,
                                              error);
    hs_names_clear(&names);
    hsel_dataset_free(wider);
    status = status ? status : hs_dataset_own_values(added, &alone, error);
    status =
        status ? status
               : hs_dataset_change(alone, HS_RELATIVE, 0, of_level, true, &found, &changed, error);
    hsel_dataset_free(added);
    hsel_dataset_free(alone);
    hsel_dataset_free(changed);
    return status;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    hsel_dataset *data = small_set();
    hs_oom_each("amounts", all_of_it, data);
    hsel_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_adding_up), cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_changes), cmocka_unit_test(test_more_features),
        cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

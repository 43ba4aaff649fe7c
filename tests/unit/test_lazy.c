/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lazy selectors against their twins: small random hierarchies with few different scores, so that
 * ties abound, in every form of the same hierarchy; then larger ones against the same rules over
 * the closure.
 */
#include <stdlib.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/lazy_world.h"
#include "support/random_data.h"

#define DAGS       12000
#define INSTANCES  3
#define MOST_CASES 64

static void expect_same(const lazy_case *one, const lazy_world *w, const bool *found,
                        const bool *expected)
{
    for (uint32_t f = 0; f < w->graph.nodes; f++)
        if (found[f] != expected[f])
            fail_msg("%s: feature %u (value %d) is %s, should not be", one->text, f, w->value[f],
                     found[f] ? "kept" : "dropped");
}

typedef struct bench { /* what all small worlds share */
    hs_stream stream;
    hsel_dataset *data[LAZY_NODES + 1][LAZY_CLASSES + 1];
    hs_lazy_scratch scratch;
    hs_selection selection;
} bench;

static bench *new_bench(uint64_t number)
{
    hsel_error error = {0};
    bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    hs_stream_init(&b->stream, number, "lazy", 0, 0);
    assert_ok(hs_lazy_scratch_init(&b->scratch, MOST, &error), error);
    assert_ok(hs_selection_init(&b->selection, MOST, &error), error);
    for (uint32_t n = 1; n <= LAZY_NODES; n++)
        for (uint32_t k = 1; k <= LAZY_CLASSES; k++)
            b->data[n][k] = lazy_new_data(n, k);
    return b;
}

static void free_bench(bench *b)
{
    for (uint32_t n = 1; n <= LAZY_NODES; n++)
        for (uint32_t k = 1; k <= LAZY_CLASSES; k++)
            hsel_dataset_free(b->data[n][k]);
    hs_selection_clear(&b->selection);
    hs_lazy_scratch_clear(&b->scratch);
    free(b);
}

static hsel_dataset *draw_world(bench *b, lazy_world *w)
{
    uint32_t classes = lazy_draw(&b->stream, 5) ? 2 : 1 + lazy_draw(&b->stream, LAZY_CLASSES);
    memset(w, 0, sizeof *w);
    lazy_draw_dag(&b->stream, &w->graph);
    lazy_draw_counts(&b->stream, classes, w);
    lazy_draw_mask(&b->stream, w);
    hsel_dataset *data = b->data[w->graph.nodes][classes];
    lazy_attach(data, dag_of(&w->graph));
    return data;
}

static void fast_forms_equal_literal_ones(void **state)
{
    (void)state;
    bench *b = new_bench(1);
    size_t kept_some = 0, dropped_some = 0;
    for (int i = 0; i < DAGS; i++) {
        lazy_world w;
        hsel_dataset *data = draw_world(b, &w);
        hs_training training = lazy_training_of(&w, data);
        if (i % 100 == 0)
            b->scratch.round =
                UINT32_MAX - (uint32_t)(i / 100 % 50); /* marks start anew on the way */
        for (size_t k = 0; k < lazy_case_count; k++) {
            hsel_error error = {0};
            lazy_prepared p;
            lazy_score_features(&lazy_cases[k], &w);
            assert_ok(lazy_prepare(lazy_cases[k].text, &training, &p, &error), error);
            for (int instance = 0; instance < INSTANCES; instance++) {
                bool found[MOST], expected[MOST] = {0};
                lazy_draw_instance(&b->stream, &w);
                lazy_select(&p, &w, &b->scratch, &b->selection, found);
                lazy_cases[k].twin(&(twin_context){&w, &b->stream, lazy_cases[k].k, expected});
                expect_same(&lazy_cases[k], &w, found, expected);
                for (uint32_t f = 0; f < w.graph.nodes; f++) {
                    kept_some += found[f];
                    dropped_some += !found[f];
                }
            }
            lazy_done(&p);
        }
    }
    assert_true(kept_some > 1000000 && dropped_some > 1000000);
    free_bench(b);
}

/* ---- what must not matter ---- */

/* The selection of `w` with `data`, each feature f being number[f] there. */
static void expect_selection(bench *b, const lazy_case *one, const lazy_world *w,
                             hsel_dataset *data, const uint32_t *number, const bool *expected)
{
    hsel_error error = {0};
    bool found[MOST], back[MOST];
    hs_training training = lazy_training_of(w, data);
    lazy_prepared p;
    assert_ok(lazy_prepare(one->text, &training, &p, &error), error);
    lazy_select(&p, w, &b->scratch, &b->selection, found);
    for (uint32_t f = 0; f < w->graph.nodes; f++)
        back[f] = found[number[f]];
    lazy_done(&p);
    expect_same(one, w, back, expected);
}

static void renumber(const lazy_world *from, const uint32_t *number, lazy_world *to)
{
    uint32_t classes = from->counts.classes, n = from->graph.nodes;
    *to = *from;
    memset(to->graph.edge, 0, sizeof to->graph.edge);
    to->counts.class_size = to->size;
    to->counts.positive = to->positive;
    to->mask = 0;
    for (uint32_t f = 0; f < n; f++) {
        uint32_t g = number[f];
        to->value[g] = from->value[f];
        if ((to->usable[g] = from->usable[f]))
            hs_bit_set(&to->mask, g);
        memcpy(to->positive + g * classes, from->positive + f * classes,
               classes * sizeof(uint32_t));
        for (uint32_t u = 0; u < n; u++)
            to->graph.edge[g][number[u]] = from->graph.edge[f][u];
    }
    from_matrix(&to->graph);
}

static void closed_reduced_and_renumbered_agree(void **state)
{
    (void)state;
    bench *b = new_bench(2);
    assert_true(lazy_case_count <= MOST_CASES);
    for (int i = 0; i < 3000; i++) {
        lazy_world w, other;
        hsel_error error = {0};
        hsel_dataset *data = draw_world(b, &w);
        hsel_dag *reduced = NULL;
        bool found[MOST_CASES][MOST];
        uint32_t same[MOST], number[MOST];
        lazy_draw_instance(&b->stream, &w);
        for (uint32_t f = 0; f < w.graph.nodes; f++)
            same[f] = number[f] = f;
        hs_random_shuffle(&b->stream, number, w.graph.nodes);
        hs_training training = lazy_training_of(&w, data);
        for (size_t k = 0; k < lazy_case_count; k++) {
            lazy_prepared p;
            assert_ok(lazy_prepare(lazy_cases[k].text, &training, &p, &error), error);
            lazy_select(&p, &w, &b->scratch, &b->selection, found[k]);
            lazy_done(&p);
        }
        assert_ok(hs_dag_reduce(data->dag, &reduced, &error), error);
        lazy_attach(data, reduced);
        for (size_t k = 0; k < lazy_case_count; k++)
            expect_selection(b, &lazy_cases[k], &w, data, same, found[k]);
        other = w;
        memcpy(other.graph.edge, w.graph.above, sizeof w.graph.above);
        from_matrix(&other.graph);
        lazy_attach(data, dag_of(&other.graph));
        for (size_t k = 0; k < lazy_case_count; k++)
            expect_selection(b, &lazy_cases[k], &w, data, same, found[k]);
        renumber(&w, number, &other);
        lazy_attach(data, dag_of(&other.graph));
        for (size_t k = 0; k < lazy_case_count; k++)
            if (!lazy_cases[k].by_index)
                expect_selection(b, &lazy_cases[k], &other, data, number, found[k]);
    }
    free_bench(b);
}

/* ---- larger hierarchies ---- */

typedef struct large {
    hsel_dataset *data;
    hs_counts counts;
    hs_lazy_scratch scratch;
    hs_selection selection;
    bool *above; /* [child * features + ancestor] */
    bool *value, *usable, *kept;
    double *score;
} large;

static void close_upwards(const hsel_dag *dag, bool *matrix)
{
    for (uint32_t i = 0; i < dag->nodes; i++) {
        size_t count;
        uint32_t v = dag->order[i];
        const uint32_t *parent = hs_parents(dag, v, &count);
        for (size_t j = 0; j < count; j++) {
            matrix[(size_t)v * dag->nodes + parent[j]] = true;
            for (uint32_t u = 0; u < dag->nodes; u++)
                matrix[(size_t)v * dag->nodes + u] |= matrix[(size_t)parent[j] * dag->nodes + u];
        }
    }
}

static void large_init(large *l, hsel_dataset *data)
{
    hsel_error error = {0};
    uint32_t n = data->features;
    hs_view view = hs_view_all(data);
    *l = (large){.data = data,
                 .above = calloc((size_t)n * n, sizeof(bool)),
                 .value = calloc(n, sizeof(bool)),
                 .usable = calloc(n, sizeof(bool)),
                 .kept = calloc(n, sizeof(bool)),
                 .score = calloc(n, sizeof(double))};
    assert_true(l->above && l->value && l->usable && l->kept && l->score);
    assert_ok(hs_counts_of(&view, &l->counts, &error), error);
    assert_ok(hs_lazy_scratch_init(&l->scratch, n, &error), error);
    assert_ok(hs_selection_init(&l->selection, n, &error), error);
    memset(l->usable, true, n * sizeof *l->usable);
    close_upwards(data->dag, l->above);
    for (uint32_t f = 0; f < n; f++) {
        hs_cells cells = hs_cells_of(&l->counts, f, 1);
        l->score[f] = hs_score_r(&cells, HS_SMOOTHING_LAPLACE);
    }
}

static void large_clear(large *l)
{
    hs_selection_clear(&l->selection);
    hs_lazy_scratch_clear(&l->scratch);
    hs_counts_clear(&l->counts);
    free(l->above);
    free(l->value);
    free(l->usable);
    free(l->kept);
    free(l->score);
    hsel_dataset_free(l->data);
}

/* The pairwise rules over the closure, all features of one value against each other. */
static bool keeps(const large *l, const char *method, uint32_t v)
{
    uint32_t n = l->data->features;
    bool positive = l->value[v], is_rpv = !strncmp(method, "rpv", 3), kept = positive || !is_rpv;
    for (uint32_t u = 0; u < n && kept; u++) {
        bool general = l->above[(size_t)v * n + u], special = l->above[(size_t)u * n + v];
        double s = l->score[u], own = l->score[v];
        if (l->value[u] != positive || !(general || special))
            continue;
        bool makes_redundant = positive ? special : general;
        if (!strcmp(method, "hip"))
            kept = !makes_redundant;
        else if (is_rpv)
            kept = !(special && s > own);
        else if (!strcmp(method, "hip-mr"))
            kept = !(makes_redundant && s >= own);
        else
            kept = makes_redundant ? s < own : s <= own;
    }
    return kept;
}

static void compare_row(large *l, const lazy_prepared *p, const char *method, const uint32_t *row,
                        size_t count)
{
    hsel_error error = {0};
    uint32_t n = l->data->features;
    memset(l->value, 0, n * sizeof *l->value);
    for (size_t j = 0; j < count; j++)
        l->value[row[j]] = true;
    assert_ok(lazy_run(p, row, count, &l->scratch, &l->selection, &error), error);
    lazy_read(&l->selection, l->value, l->usable, n, l->kept);
    for (uint32_t f = 0; f < n; f++)
        if (l->kept[f] != keeps(l, method, f))
            fail_msg("%s: feature %u of %u", method, f, n);
}

static void compare_large(large *l, const lazy_prepared *p, const char *method)
{
    for (uint32_t i = 0; i < l->data->instances; i++) {
        size_t count;
        const uint32_t *row = hs_row(l->data, i, &count);
        compare_row(l, p, method, row, count);
    }
}

static void larger_hierarchies(void **state)
{
    (void)state;
    static const char *const methods[] = {"hip", "rpv:measure=r", "hip-mr", "mr"};
    hs_stream stream;
    hs_stream_init(&stream, 3, "lazy", 0, 0);
    for (int round = 0; round < 6; round++) {
        hs_random_shape shape = {.instances = 20,
                                 .features = 20 + lazy_draw(&stream, 500),
                                 .classes = 2,
                                 .density = round % 2 ? 0.004 : 0.05,
                                 .parents = 0.9 + round * 0.4,
                                 .true_path = true};
        large l;
        large_init(&l, hs_random_dataset(&stream, &shape));
        for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
            hsel_error error = {0};
            lazy_prepared p;
            hs_training training = {.view = hs_view_all(l.data), .counts = &l.counts, .threads = 1};
            assert_ok(lazy_prepare(methods[m], &training, &p, &error), error);
            const hs_selector *selector = p.chosen.method->selector;
            assert_int_equal(selector->scores != NULL, m > 0);
            if (selector->scores)
                assert_memory_equal(selector->scores(p.state), l.score,
                                    l.data->features * sizeof(double));
            compare_large(&l, &p, methods[m]);
            lazy_done(&p);
        }
        large_clear(&l);
    }
}

/* ---- a chain with leaves below its end: every leaf has the way up of all the others ---- */

enum { CHAIN = 500, LEAVES = 500 };

static hsel_dag *chain_with_leaves(void)
{
    static uint32_t child[CHAIN + LEAVES], parent[CHAIN + LEAVES];
    hsel_error error = {0};
    hsel_dag *dag = NULL;
    for (uint32_t v = 1; v < CHAIN + LEAVES; v++) {
        child[v - 1] = v;
        parent[v - 1] = v < CHAIN ? v - 1 : CHAIN - 1;
    }
    assert_ok(hs_dag_new(CHAIN + LEAVES, child, parent, CHAIN + LEAVES - 1, &dag, &error), error);
    return dag;
}

/* The top is the most relevant, the leaves come next, in a few ties, and the chain last. */
static void score_chain(large *l)
{
    l->counts.instances = 2000;
    l->counts.class_size[0] = l->counts.class_size[1] = 1000;
    for (uint32_t f = 0; f < CHAIN + LEAVES; f++) {
        l->counts.positive[2 * f] = f == 0 ? 900 : f < CHAIN ? 501 + f % 5 : 300 + f % 7;
        l->counts.positive[2 * f + 1] = f == 0 ? 10 : f < CHAIN ? 500 : 100;
        hs_cells cells = hs_cells_of(&l->counts, f, 1);
        l->score[f] = hs_score_r(&cells, HS_SMOOTHING_LAPLACE);
    }
}

static void long_ways_up(void **state)
{
    (void)state;
    static const char *const methods[] = {"hip-mr", "mr"};
    static uint32_t row[CHAIN + LEAVES];
    hs_stream stream;
    hs_stream_init(&stream, 5, "lazy", 0, 0);
    hs_random_shape shape = {.instances = 4, .features = CHAIN + LEAVES, .classes = 2};
    hsel_dataset *data = hs_random_dataset(&stream, &shape);
    large l;
    lazy_attach(data, chain_with_leaves());
    large_init(&l, data);
    score_chain(&l);
    for (uint32_t f = 0; f < CHAIN + LEAVES; f++)
        row[f] = f;
    for (int m = 0; m < 2; m++) {
        hsel_error error = {0};
        lazy_prepared p;
        hs_training training = {.view = hs_view_all(data), .counts = &l.counts, .threads = 1};
        assert_ok(lazy_prepare(methods[m], &training, &p, &error), error);
        for (uint32_t count = 0; count <= CHAIN + LEAVES; count += count < 3 ? 1 : 199)
            compare_row(&l, &p, methods[m], row, count);
        lazy_done(&p);
    }
    large_clear(&l);
}

static void lists_are_sorted(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 4, "lazy", 0, 0);
    for (int round = 0; round < 3000; round++) {
        uint32_t items[300], other[300], count = lazy_draw(&stream, 301);
        uint64_t bits = 1 + hs_random_below(&stream, 32), sum = 0;
        for (uint32_t i = 0; i < count; i++)
            sum += items[i] = (uint32_t)(hs_random_u64(&stream) >> (64 - bits));
        hs_sort_ascending(items, other, count);
        for (uint32_t i = 0; i < count; i++) {
            assert_true(i == 0 || items[i - 1] <= items[i]);
            sum -= items[i];
        }
        assert_int_equal(sum, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_forms_equal_literal_ones),
        cmocka_unit_test(closed_reduced_and_renumbered_agree), cmocka_unit_test(larger_hierarchies),
        cmocka_unit_test(long_ways_up), cmocka_unit_test(lists_are_sorted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

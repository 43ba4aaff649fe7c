/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What edges of a hierarchy are: kept through whatever makes a DAG from another, and through files.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/mem.h"
#include "data/transform.h"
#include "load/load.h"
#include "support/graphs.h"
#include "support/model_data.h"
#include "support/oom.h"
#include "support/random_data.h"
#include "support/trip.h"

#define CASES 3000
#define NO    99 /* there is no edge */

extern const hs_method hs_method_obo, hs_method_edges;

/* Numbers of relations as a matrix: is[c][p]. */
typedef struct twin {
    uint32_t nodes;
    int is[MOST][MOST];
} twin;

/* The relations of the twin in the order that hs_dag_relate gives them. */
static const char *const ranked[] = {"is_a", "part_of", "regulates", "odd"};

static hsel_dag *related(hs_stream *stream, const small_graph *small, twin *t)
{
    /* In another order than they are ranked by. */
    static const uint32_t rank_of[] = {2, 1, 0, 3};
    hs_names names = {0};
    uint32_t relation[4 * MOST * MOST], id;
    uint32_t kinds = 1 + (uint32_t)hs_random_below(stream, 4);
    hsel_dag *dag = dag_of(small);
    for (size_t i = 0; i < 4; i++)
        OK(hs_names_intern(&names, ranked[rank_of[i]], strlen(ranked[rank_of[i]]), &id, NULL,
                           oops));
    t->nodes = small->nodes;
    for (uint32_t v = 0; v < MOST; v++)
        for (uint32_t u = 0; u < MOST; u++)
            t->is[v][u] = NO;
    for (size_t e = 0; e < small->edges; e++) { /* edges repeat, with other relations */
        relation[e] = (uint32_t)hs_random_below(stream, kinds);
        int *is = &t->is[small->child[e]][small->parent[e]], rank = (int)rank_of[relation[e]];
        *is = rank < *is ? rank : *is;
    }
    OK(hs_dag_relate(dag, small->child, small->parent, relation, small->edges, &names, oops));
    OK(hs_dag_check(dag, oops));
    hs_names_clear(&names);
    return dag;
}

static void expect_twin(const hsel_dag *dag, const twin *t)
{
    uint32_t edges = 0;
    bool others = false;
    OK(hs_dag_check(dag, oops));
    assert_int_equal(dag->nodes, t->nodes);
    for (uint32_t v = 0; v < t->nodes; v++)
        for (uint32_t i = dag->parent_start[v]; i < dag->parent_start[v + 1]; i++, edges++) {
            int is = t->is[v][dag->parent[i]];
            assert_true(is != NO);
            assert_string_equal(hs_relation(dag, i), ranked[is]);
            others |= is > 0;
        }
    for (uint32_t v = 0; v < t->nodes; v++)
        for (uint32_t u = 0; u < t->nodes; u++)
            edges -= t->is[v][u] != NO;
    assert_int_equal(edges, 0);
    assert_int_equal(dag->relation != NULL, others);
}

/* All ways up through nodes that go, one after the other: the highest number of each, and of these
 * the lowest. */
static void best_way(const twin *t, const bool *keep, uint32_t from, uint32_t at, int so_far,
                     twin *ways)
{
    for (uint32_t up = 0; up < t->nodes; up++) {
        int now = t->is[at][up];
        if (now == NO)
            continue;
        now = now > so_far ? now : so_far;
        if (!keep[up])
            best_way(t, keep, from, up, now, ways);
        else if (now < ways->is[from][up])
            ways->is[from][up] = now;
    }
}

static void contract_slowly(const twin *t, const bool *keep, twin *out)
{
    twin ways = {.nodes = t->nodes};
    uint32_t number[MOST];
    out->nodes = 0;
    for (uint32_t v = 0; v < MOST; v++)
        for (uint32_t u = 0; u < MOST; u++)
            ways.is[v][u] = out->is[v][u] = NO;
    for (uint32_t v = 0; v < t->nodes; v++) {
        number[v] = out->nodes;
        out->nodes += keep[v];
        best_way(t, keep, v, v, 0, &ways);
    }
    for (uint32_t v = 0; v < t->nodes; v++)
        for (uint32_t u = 0; u < t->nodes; u++)
            if (keep[v] && keep[u])
                out->is[number[v]][number[u]] = ways.is[v][u];
}

static void subsets_agree_with_slow_twin(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "relations", 0, 0);
    for (int i = 0; i < CASES; i++) {
        small_graph small;
        twin whole, expected, twice;
        bool keep[MOST], again[MOST];
        hsel_dag *part = NULL, *smaller = NULL, *copy = NULL;
        random_dag(&stream, 9, &small);
        hsel_dag *dag = related(&stream, &small, &whole);
        expect_twin(dag, &whole);
        for (uint32_t v = 0; v < MOST; v++) {
            keep[v] = hs_random_below(&stream, 2);
            again[v] = hs_random_below(&stream, 2);
        }
        OK(hs_dag_subset(dag, keep, &part, oops));
        contract_slowly(&whole, keep, &expected);
        expect_twin(part, &expected);
        /* In two steps it is the same as at once. */
        OK(hs_dag_subset(part, again, &smaller, oops));
        contract_slowly(&expected, again, &twice);
        expect_twin(smaller, &twice);
        for (uint32_t v = 0, kept = 0; v < whole.nodes; v++)
            keep[v] = keep[v] && again[kept++];
        contract_slowly(&whole, keep, &expected);
        expect_twin(smaller, &expected);
        OK(hs_dag_copy(dag, &copy, oops));
        hs_dag_free(dag);
        expect_twin(copy, &whole);
        hs_dag_free(copy);
        hs_dag_free(part);
        hs_dag_free(smaller);
    }
}

static void reducing_keeps_relations(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "reduced relations", 0, 0);
    for (int i = 0; i < CASES; i++) {
        small_graph small;
        twin whole;
        hsel_dag *reduced = NULL;
        random_dag(&stream, MOST, &small);
        hsel_dag *dag = related(&stream, &small, &whole);
        OK(hs_dag_reduce(dag, &reduced, oops));
        for (uint32_t v = 0; v < small.nodes; v++)
            for (uint32_t u = 0; u < small.nodes; u++)
                for (uint32_t w = 0; w < small.nodes; w++)
                    if (small.edge[v][w] && small.above[w][u])
                        whole.is[v][u] = NO;
        expect_twin(reduced, &whole);
        hs_dag_free(reduced);
        hs_dag_free(dag);
    }
}

static void too_many_relations_are_refused(void **state)
{
    (void)state;
    enum { MANY = 300 };
    static uint32_t child[MANY], parent[MANY], relation[MANY];
    hs_names names = {0};
    hsel_dag *dag = NULL;
    hsel_error error = {0};
    for (uint32_t e = 0; e < MANY; e++) {
        char name[16];
        uint32_t id;
        child[e] = e + 1;
        relation[e] = e;
        OK(hs_names_intern(&names, name, (size_t)snprintf(name, sizeof name, "r%u", (unsigned)e),
                           &id, NULL, oops));
    }
    OK(hs_dag_new(MANY + 1, child, parent, MANY, &dag, oops));
    assert_int_equal(hs_dag_relate(dag, child, parent, relation, MANY, &names, &error),
                     HSEL_ELIMIT);
    assert_string_equal(error.message, "the hierarchy has edges of 301 relations, more than 256");
    assert_null(dag->relation);
    for (uint32_t e = 0; e < MANY; e++)
        relation[e] = e % 255; /* and is_a */
    OK(hs_dag_relate(dag, child, parent, relation, MANY, &names, oops));
    OK(hs_dag_check(dag, oops));
    assert_string_equal(hs_relation(dag, 254), "r254");
    hs_dag_free(dag);
    hs_names_clear(&names);
}

/* ---- files ---- */

static void files_of_hierarchies_keep_them(void **state)
{
    (void)state;
    static const hs_method *const formats[] = {&hs_method_obo, &hs_method_edges};
    hs_stream stream;
    int known = 0;
    hs_stream_init(&stream, 1, "files", 0, 0);
    for (int i = 0; i < 400; i++) {
        hs_random_shape shape = {.instances = 1, .features = 2 + (uint32_t)i % 9, .classes = 2};
        shape.parents = 1.5;
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        hs_random_relations(&stream, data->dag);
        const hs_method *format = formats[i % 2];
        hs_trip trip = {0};
        hs_graph graph = {0};
        hsel_dag *back = NULL;
        hs_graph_options options = {0};
        const char *all[UINT8_MAX + 1];
        for (uint32_t r = 0; r < data->dag->relations.count; r++)
            all[options.relations.count++] = hs_names_get(&data->dag->relations, r);
        if (i % 2)
            options.relations.count = 0; /* an edge list is read as a whole */
        options.relations.items = all;
        if (format == &hs_method_obo && options.relations.count) {
            uint32_t edges[UINT8_MAX + 1]; /* a relation that no edge is of is not in the file */
            hs_relation_counts(data->dag, edges);
            if (!edges[0]) {
                options.relations.items++;
                options.relations.count--;
            }
        }
        OK(hs_trip_write(&trip, false, format, HS_ROLE_GRAPH, data, oops));
        OK(hs_trip_read_graph(&trip, &options, &graph, oops));
        OK(hs_dag_bind(&graph, &data->feature_names, NULL, &back, oops));
        const char *why = hs_same_dag(data->dag, back);
        if (why)
            fail_msg("%s: %s\n%s", format->name, why, trip.bytes.text);
        known += back->relation != NULL;
        hs_dag_free(back);
        hs_graph_clear(&graph);
        hs_trip_clear(&trip);
        hsel_dataset_free(data);
    }
    assert_true(known > 100);
}

static void models_keep_them(void **state)
{
    (void)state;
    hs_stream stream;
    hsel_error error = {0};
    hs_stream_init(&stream, 1, "models", 0, 0);
    for (int i = 0; i < 20; i++) {
        hsel_dataset *data = hs_model_data(&stream, 30, 8);
        hs_buf plain = {0}, bytes = {0};
        hs_model *back = NULL, *model = hs_model_of(data, "none", "nb", HSEL_NONE);
        OK(hs_model_to_bytes(model, &plain, oops));
        hs_model_free(model);
        hs_random_relations(&stream, data->dag);
        model = hs_model_of(data, "none", "nb", HSEL_NONE);
        OK(hs_model_to_bytes(model, &bytes, oops));
        /* Nothing else of the file is another. */
        assert_int_equal(bytes.length == plain.length, !data->dag->relation);
        OK(hs_model_from_bytes("m", bytes.text, bytes.length, &back, oops));
        const char *why = hs_same_dag(data->dag, back->shape->dag);
        if (why)
            fail_msg("%s", why);
        hs_model_free(back);
        for (size_t cut = 32; cut < bytes.length; cut += 7) /* never a crash */
            assert_int_not_equal(hs_model_from_bytes("m", bytes.text, cut, &back, &error), HSEL_OK);
        hs_buf_clear(&plain);
        hs_buf_clear(&bytes);
        hs_model_free(model);
        hsel_dataset_free(data);
    }
}

/* ---- memory ---- */

static int smaller_ones(void *context, hsel_error *error)
{
    const hsel_dag *dag = context;
    bool keep[MOST];
    HS_OWNS(hs_dag_release) hsel_dag *part = NULL, *reduced = NULL, *copy = NULL;
    for (uint32_t v = 0; v < MOST; v++)
        keep[v] = v % 3;
    HS_TRY(hs_dag_subset(dag, keep, &part, error));
    HS_TRY(hs_dag_reduce(dag, &reduced, error));
    return hs_dag_copy(dag, &copy, error);
}

static int read_model(void *context, hsel_error *error)
{
    const hs_buf *bytes = context;
    hs_model *model = NULL;
    int status = hs_model_from_bytes("m", bytes->text, bytes->length, &model, error);
    hs_model_free(model);
    return status;
}

static int read_edges(void *context, hsel_error *error)
{
    static const char text[] = "child\tparent\trelation\nb\ta\tis_a\nc\tb\tpart_of\nc\ta\tis_a\n";
    hs_bytes bytes;
    hs_graph graph = {0};
    HS_OWNS(hs_dag_release) hsel_dag *dag = NULL;
    (void)context;
    HS_TRY(hs_bytes_open(&hs_method_edges, text, sizeof text - 1, &bytes, error));
    int status =
        hs_method_edges.format->read_graph(bytes.reader, &(hs_graph_options){0}, &graph, error);
    if (!status)
        status = hs_dag_bind(&graph, &graph.terms, NULL, &dag, error);
    if (!status)
        assert_string_equal(hs_relation(dag, 1), "part_of");
    hs_graph_clear(&graph);
    hs_bytes_close(&bytes);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "memory", 0, 0);
    for (int i = 0; i < 10; i++) {
        small_graph small;
        twin t;
        random_dag(&stream, MOST, &small);
        hsel_dag *dag = related(&stream, &small, &t);
        hs_oom_each("smaller ones", smaller_ones, dag);
        hs_dag_free(dag);
    }
    hs_buf bytes = {0};
    hsel_dataset *data = hs_model_data(&stream, 30, 8);
    while (!data->dag->relation)
        hs_random_relations(&stream, data->dag);
    hs_model *model = hs_model_of(data, "none", "nb", HSEL_NONE);
    OK(hs_model_to_bytes(model, &bytes, oops));
    hs_oom_each("a model", read_model, &bytes);
    hs_oom_each("an edge list", read_edges, NULL);
    hs_buf_clear(&bytes);
    hs_model_free(model);
    hsel_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(subsets_agree_with_slow_twin),
        cmocka_unit_test(reducing_keeps_relations),
        cmocka_unit_test(too_many_relations_are_refused),
        cmocka_unit_test(files_of_hierarchies_keep_them),
        cmocka_unit_test(models_keep_them),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

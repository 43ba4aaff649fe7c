/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Explanations on random data: the features are those that were selected, in order; what they say
 * adds up to the prediction; and the part of the hierarchy is what a slow twin on matrices finds.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "classify/classify.h"
#include "evaluate/explain.h"
#include "stats/metrics.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/random_data.h"

#define MOST 24 /* features */

static hsel_dataset *random_data(hs_stream *stream)
{
    hs_random_shape shape = {.instances = 12,
                             .features = 2 + (uint32_t)hs_random_below(stream, MOST - 2),
                             .classes = 2,
                             .density = 0.2,
                             .parents = hs_random_double(stream) * 3,
                             .true_path = true};
    hsel_dataset *data = hs_random_dataset(stream, &shape);
    for (uint32_t i = 0; i < data->instances; i++)
        data->class_of[i] = i < 2 ? i : data->class_of[i];
    return data;
}

static hs_model *train(const hsel_dataset *data, const char *selector, const char *classifier,
                       uint32_t without)
{
    hsel_error error = {0};
    hs_model *model = NULL;
    assert_ok(
        hs_model_train(data, selector, classifier, without, false, 1, 1, NULL, &model, &error),
        error);
    return model;
}

/* ---- the hierarchy, slowly ---- */

struct twin {
    uint32_t nodes;
    bool edge[MOST][MOST], above[MOST][MOST]; /* [child][parent], and by one or more edges */
    bool kept[MOST];
};

static void twin_read(struct twin *t, const hsel_dag *dag)
{
    memset(t, 0, sizeof *t);
    t->nodes = dag->nodes;
    for (uint32_t v = 0; v < dag->nodes; v++) {
        size_t count;
        const uint32_t *parent = hs_parents(dag, v, &count);
        for (size_t i = 0; i < count; i++)
            t->edge[v][parent[i]] = t->above[v][parent[i]] = true;
    }
    for (uint32_t k = 0; k < t->nodes; k++)
        for (uint32_t i = 0; i < t->nodes; i++)
            for (uint32_t j = 0; j < t->nodes; j++)
                t->above[i][j] |= t->above[i][k] && t->above[k][j];
}

static void twin_keep(struct twin *t, const hs_reason *reasons, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t v = reasons[i].feature;
        t->kept[v] = true;
        for (uint32_t p = 0; p < t->nodes; p++)
            t->kept[p] |= reasons[i].value ? t->above[v][p] : t->edge[v][p];
    }
}

/* An edge of the picture: above, and no other kept node between. */
static bool twin_edge(const struct twin *t, uint32_t child, uint32_t parent)
{
    if (!t->above[child][parent])
        return false;
    for (uint32_t k = 0; k < t->nodes; k++)
        if (t->kept[k] && t->above[child][k] && t->above[k][parent])
            return false;
    return true;
}

static void check_hierarchy(const hs_explanation *e)
{
    struct twin t;
    uint32_t next = 0;
    hsel_error error = {0};
    bool found[MOST][MOST] = {{0}};
    twin_read(&t, e->model->shape->dag);
    twin_keep(&t, e->reasons, e->count);
    assert_ok(hsel_dag_check(e->dag, &error), error);
    for (uint32_t f = 0; f < t.nodes; f++)
        if (t.kept[f])
            assert_int_equal(e->nodes[next++], f);
    assert_int_equal(next, e->dag->nodes);
    for (uint32_t v = 0; v < e->dag->nodes; v++) {
        size_t count;
        const uint32_t *parent = hs_parents(e->dag, v, &count);
        for (size_t i = 0; i < count; i++)
            found[e->nodes[v]][e->nodes[parent[i]]] = true;
    }
    for (uint32_t c = 0; c < t.nodes; c++)
        for (uint32_t p = 0; p < t.nodes; p++)
            if (t.kept[c] && t.kept[p])
                assert_int_equal(found[c][p], twin_edge(&t, c, p));
}

/* ---- features ---- */

static void check_reasons(const hs_explanation *e, const hsel_dataset *data)
{
    bool seen[MOST] = {0}, positive[MOST] = {0};
    size_t count;
    const uint32_t *row = hs_row(data, e->instance, &count);
    for (size_t i = 0; i < count; i++)
        positive[row[i]] = true;
    for (uint32_t f = 0; f < data->features; f++)
        assert_int_equal(hs_explanation_value(e, f), positive[f]);
    for (uint32_t i = 0; i < e->selected; i++) {
        const hs_reason *r = &e->reasons[i];
        assert_false(seen[r->feature]);
        seen[r->feature] = true;
        assert_int_equal(r->value, positive[r->feature]);
        if (i == 0)
            continue;
        double before = fabs(r[-1].contribution), here = fabs(r->contribution);
        assert_true(before > here || (before == here && r[-1].feature < r->feature));
    }
    for (uint32_t v = 0; v < e->dag->nodes; v++) {
        uint32_t place = e->reason_of[v];
        if (place == HSEL_NONE)
            assert_false(seen[e->nodes[v]]);
        else
            assert_int_equal(e->reasons[place].feature, e->nodes[v]);
    }
}

/* What features say adds up, with the prior, to the log-odds of the prediction. */
static void check_sum(const hs_explanation *e)
{
    uint32_t other = 1 - e->predicted;
    double sum = e->prior + e->rest;
    for (uint32_t i = 0; i < e->count; i++)
        sum += e->reasons[i].contribution;
    assert_true(fabs(sum - log(e->probability[e->predicted] / e->probability[other])) < 1e-6);
    assert_true(e->probability[e->predicted] >= e->probability[other]);
    assert_string_equal(e->order, "log_odds");
}

static void check_prior(const hs_explanation *e)
{
    const uint32_t *size = e->model->counts.class_size;
    double prior = log((size[e->predicted] + 1.0) / (size[1 - e->predicted] + 1.0));
    assert_true(fabs(prior - e->prior) < 1e-12);
}

static const char *const selectors[] = {"none", "rpv", "hip", "all-pos", "all-neg", "mr", "gtd"};

static void test_explanations(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 1, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 400; round++) {
        hsel_error error = {0};
        hs_explanation e = {0};
        hsel_dataset *data = random_data(&stream);
        uint32_t instance = (uint32_t)hs_random_below(&stream, data->instances);
        uint32_t top = (uint32_t)hs_random_below(&stream, 6);
        if (!data->dag) {
            hsel_dataset_free(data);
            continue;
        }
        hs_model *model = train(data, selectors[round % 7], "nb", 7);
        assert_ok(hs_explain(model, data, instance, top, &e, &error), error);
        assert_int_equal(e.count, top && top < e.selected ? top : e.selected);
        check_reasons(&e, data);
        check_sum(&e);
        check_prior(&e);
        check_hierarchy(&e);
        hs_explanation_clear(&e);
        hs_model_free(model);
        hsel_dataset_free(data);
    }
}

/* Linear classifiers add up as well. */
static void test_linear(void **state)
{
    static const char *const classifiers[] = {"svm:solver=libsvm", "proximal-graph:lambda=0.01"};
    hs_stream stream;
    hs_stream_init(&stream, 5, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 40; round++) {
        hsel_error error = {0};
        hs_explanation e = {0};
        hsel_dataset *data = random_data(&stream);
        if (data->dag) {
            hs_model *model = train(data, "none", classifiers[round % 2], 7);
            assert_ok(hs_explain(model, data, 3, round % 4, &e, &error), error);
            check_sum(&e);
            hs_explanation_clear(&e);
            hs_model_free(model);
        }
        hsel_dataset_free(data);
    }
}

/* A classifier that cannot say what features contribute: they come by relevance, else by the
 * importance that the classifier gives them, else as they stand. */
static void test_by_relevance(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 2, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 50; round++) {
        hsel_error error = {0};
        hs_explanation e = {0};
        hsel_dataset *data = random_data(&stream);
        hs_model *model = train(data, data->dag ? "rpv" : "sig:threshold=0", "knn", 0);
        assert_ok(hs_explain(model, data, 0, 0, &e, &error), error);
        for (uint32_t i = 0; i < e.selected; i++) {
            const hs_reason *r = &e.reasons[i];
            assert_true(isnan(r->contribution));
            assert_true(r->relevance == hs_model_scores(model)[r->feature]);
            if (i)
                assert_true(r[-1].relevance > r->relevance ||
                            (r[-1].relevance == r->relevance && r[-1].feature < r->feature));
        }
        assert_true((e.dag == NULL) == (data->dag == NULL));
        assert_string_equal(e.order, "relevance");
        hs_explanation_clear(&e);
        hs_model_free(model);
        model = train(data, "none", "forest:trees=5", 0);
        assert_ok(hs_explain(model, data, 0, 0, &e, &error), error);
        assert_string_equal(e.order, "importance");
        for (uint32_t i = 1; i < e.selected; i++)
            assert_true(e.reasons[i - 1].relevance >= e.reasons[i].relevance);
        hs_explanation_clear(&e);
        hs_model_free(model);
        model = train(data, "none", "tree", 0);
        assert_ok(hs_explain(model, data, 0, 0, &e, &error), error);
        assert_string_equal(e.order, "value");
        for (uint32_t i = 1; i < e.selected; i++)
            assert_true(e.reasons[i - 1].value > e.reasons[i].value ||
                        (e.reasons[i - 1].value == e.reasons[i].value &&
                         e.reasons[i - 1].feature < e.reasons[i].feature));
        hs_explanation_clear(&e);
        hs_model_free(model);
        hsel_dataset_free(data);
    }
}

struct memory_case {
    const hs_model *model;
    const hsel_dataset *data;
};

static int explain_once(void *context, hsel_error *error)
{
    const struct memory_case *m = context;
    hs_explanation e = {0};
    int status = hs_explain(m->model, m->data, 0, 0, &e, error);
    hs_explanation_clear(&e);
    return status;
}

static void test_memory(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 3, "test", 0, 0);
    (void)state;
    hsel_dataset *data = random_data(&stream);
    hs_model *model = train(data, "hip", "knn", 0);
    assert_true(hs_oom_each("explain", explain_once, &(struct memory_case){model, data}) > 15);
    hs_model_free(model);
    hsel_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_explanations), cmocka_unit_test(test_linear),
        cmocka_unit_test(test_by_relevance), cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Drawings on random hierarchies: what is drawn stands in the same order as in the hierarchy, as a
 * slow twin on matrices finds it; limits are kept; no more lines than needed; every allocation may
 * fail.
 */
#include <math.h>
#include <string.h>

#include "show/drawing.h"
#include "support/cmocka.h"
#include "learn/describe.h"
#include "support/model_data.h"
#include "support/oom.h"
#include "support/random_data.h"

#define MOST 40 /* features, and boxes */

struct relation {
    bool above[2 * MOST][2 * MOST]; /* [lower][upper], by one line or more */
};

static void close_relation(struct relation *r, size_t count)
{
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < count; j++)
                r->above[i][j] |= r->above[i][k] && r->above[k][j];
}

static hsel_dataset *random_data(hs_stream *stream)
{
    return hs_random_dataset(
        stream, &(hs_random_shape){.instances = 4,
                                   .features = 2 + (uint32_t)hs_random_below(stream, MOST - 2),
                                   .classes = 2,
                                   .density = 0.2,
                                   .parents = 0.5 + hs_random_double(stream) * 1.5,
                                   .true_path = true});
}

static int draw(hs_drawing *drawing, const hs_drawn_features *request, hsel_error *error)
{
    HS_TRY(hs_draw_features(drawing, request, error));
    for (hs_box *box = drawing->boxes; box < drawing->boxes + drawing->box_count; box++) {
        if (box->feature == HSEL_NONE)
            continue;
        box->text = hs_say(&drawing->doc, "%u", box->feature);
        box->value = box->feature;
        box->shade = box->feature % 2 ? 0.5 : -0.5;
    }
    return hs_document_check(&drawing->doc, error);
}

static void check(const hs_drawing *d, const hs_drawn_features *request)
{
    static struct relation whole, drawn;
    const hsel_dag *dag = request->data->dag;
    bool there[MOST] = {0};
    memset(&whole, 0, sizeof whole);
    memset(&drawn, 0, sizeof drawn);
    assert_true(d->box_count <= 2 * MOST);
    for (uint32_t v = 0; v < dag->nodes; v++) {
        size_t parents;
        const uint32_t *parent = hs_parents(dag, v, &parents);
        for (size_t j = 0; j < parents; j++)
            whole.above[v][parent[j]] = true;
    }
    close_relation(&whole, dag->nodes);
    for (size_t i = 0; i < d->line_count; i++)
        drawn.above[d->lines[i].to][d->lines[i].from] = true;
    close_relation(&drawn, d->box_count);
    for (size_t i = 0; i < d->box_count; i++) {
        const hs_box *box = &d->boxes[i];
        assert_int_equal(box->feature == HSEL_NONE, box->hidden > 0);
        assert_true(box->hidden != 1); /* then the term itself is drawn */
        assert_false(drawn.above[i][i]);
        if (box->feature == HSEL_NONE)
            continue;
        assert_false(there[box->feature]); /* each once */
        there[box->feature] = true;
        assert_string_equal(box->name, hsel_dataset_feature_name(request->data, box->feature));
        for (size_t j = 0; j < d->box_count; j++)
            if (d->boxes[j].feature != HSEL_NONE)
                assert_int_equal(drawn.above[i][j], whole.above[box->feature][d->boxes[j].feature]);
    }
    for (size_t i = 0; i < d->line_count; i++) /* none is implied by others */
        for (size_t k = 0; k < d->box_count; k++)
            if (!d->boxes[d->lines[i].to].hidden && !d->boxes[d->lines[i].from].hidden)
                assert_false(drawn.above[d->lines[i].to][k] && drawn.above[k][d->lines[i].from]);
    for (uint32_t i = 0; i < d->drawn; i++)
        assert_true(there[request->ranked[i]]);
    assert_true(!request->limit || d->box_count <= request->limit || d->drawn == 1);
    assert_true(request->limit || d->drawn == request->count);
    assert_int_equal(d->of, request->count);
    for (uint32_t f = 0; f < dag->nodes && d->drawn == request->count; f++) { /* roots stay */
        bool below = false;
        for (uint32_t i = 0; i < request->count; i++)
            below |= request->ranked[i] == f || whole.above[request->ranked[i]][f];
        if (below && hs_is_root(dag, f))
            assert_true(there[f]);
        assert_true(below || !there[f]);
    }
}

static void test_random_hierarchies(void **state)
{
    hs_stream stream;
    size_t hidden = 0, limited = 0;
    (void)state;
    hs_stream_init(&stream, 5, "drawing", 0, 0);
    for (int round = 0; round < 5000; round++) {
        hsel_dataset *data = random_data(&stream);
        uint32_t ranked[MOST], count = 0;
        for (uint32_t f = 0; f < data->features; f++)
            if (hs_random_below(&stream, 4) == 0)
                ranked[count++] = f;
        for (uint32_t i = 1; i < count; i++) {
            uint32_t j = (uint32_t)hs_random_below(&stream, i + 1), other = ranked[i];
            ranked[i] = ranked[j];
            ranked[j] = other;
        }
        hs_drawn_features request = {.data = data,
                                     .ranked = ranked,
                                     .count = count,
                                     .limit = (uint32_t)hs_random_below(&stream, 20)};
        hs_drawing drawing = {0};
        hsel_error error = {0};
        if (count) {
            assert_ok(draw(&drawing, &request, &error), error);
            check(&drawing, &request);
        }
        for (size_t i = 0; i < drawing.box_count; i++)
            hidden += drawing.boxes[i].hidden > 0;
        limited += drawing.drawn < drawing.of;
        hs_drawing_clear(&drawing);
        hsel_dataset_free(data);
    }
    assert_true(hidden > 500 && limited > 500);
}

/* ---- memory ---- */

static int draw_all(void *context, hsel_error *error)
{
    const hs_drawn_features *request = context;
    HS_OWNS(hs_drawing_clear) hs_drawing drawing = {0};
    HS_OWNS(hs_buf_clear) hs_buf text = {0};
    HS_OWNS(hs_writer_release) hs_writer *out = NULL;
    HS_TRY(draw(&drawing, request, error));
    HS_TRY(hs_writer_open_memory(&text, &out, error));
    HS_TRY(hs_drawing_dot(&drawing, out, error));
    hs_drawing_graphml(&drawing, out);
    return hs_writer_commit(hs_take(&out), error);
}

static int show_model(void *context, hsel_error *error)
{
    const hs_model *model = context;
    HS_OWNS(hs_drawing_clear) hs_drawing drawing = {0};
    HS_OWNS(hs_buf_clear) hs_buf text = {0};
    HS_OWNS(hs_writer_release) hs_writer *out = NULL;
    HS_TRY(hs_draw_model(&drawing, model, 5, error));
    HS_TRY(hs_writer_open_memory(&text, &out, error));
    HS_TRY(hs_model_describe(model, HS_DESCRIBE_TEXT, out, error));
    HS_TRY(hs_model_describe(model, HS_DESCRIBE_JSON, out, error));
    return hs_writer_commit(hs_take(&out), error);
}

/* Networks and naive Bayes: at most as many boxes as asked for, the strongest edges first. */
static void test_models(void **state)
{
    static const char *const classifiers[] = {"tan", "ban", "hre-tan", "nb"};
    hs_stream stream;
    hsel_error error = {0};
    (void)state;
    hs_stream_init(&stream, 6, "models", 0, 0);
    hsel_dataset *data = hs_model_data(&stream, 40, 12);
    for (size_t i = 0; i < 4; i++) {
        hs_model *model = hs_model_of(data, "none", classifiers[i], HSEL_NONE);
        hs_drawing all = {0}, few = {0};
        hs_dependency *network = NULL;
        uint32_t edges = 0;
        assert_ok(hs_model_network(model, &network, &edges, &error), error);
        assert_ok(hs_draw_model(&all, model, 0, &error), error);
        assert_ok(hs_draw_model(&few, model, 5, &error), error);
        assert_true(few.box_count <= 5 && few.box_count > 1 && few.drawn < few.of);
        if (i == 0) /* a tree over all features */
            assert_int_equal(edges, data->features - 1);
        if (i == 1)
            assert_int_equal(edges, data->dag->edges);
        if (i < 3)
            assert_int_equal(all.line_count, edges);
        else
            assert_int_equal(edges, 0);
        for (uint32_t e = 0; e < edges; e++) {
            assert_true(e == 0 || network[e - 1].strength >= network[e].strength);
            assert_int_equal(all.boxes[all.lines[e].to].feature, network[e].feature);
            assert_int_equal(all.boxes[all.lines[e].from].feature, network[e].on);
        }
        hs_free(network);
        hs_drawing_clear(&all);
        hs_drawing_clear(&few);
        assert_true(hs_oom_each(classifiers[i], show_model, model) > 5);
        hs_model_free(model);
    }
    hsel_dataset_free(data);
}

static void test_no_memory(void **state)
{
    hs_stream stream;
    uint32_t ranked[] = {1, 0};
    (void)state;
    hs_stream_init(&stream, 6, "drawing", 0, 0);
    hsel_dataset *data = hs_random_dataset(&stream, &(hs_random_shape){.instances = 4,
                                                                       .features = 30,
                                                                       .classes = 2,
                                                                       .density = 0.2,
                                                                       .parents = 1.5,
                                                                       .true_path = true});
    hs_random_labels(&stream, data);
    while (!data->dag->relation)
        hs_random_relations(&stream, data->dag);
    hs_drawn_features request = {.data = data, .ranked = ranked, .count = 2, .limit = 8};
    assert_true(hs_oom_each("drawing", draw_all, &request) > 10);
    hsel_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_hierarchies),
                                       cmocka_unit_test(test_models),
                                       cmocka_unit_test(test_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

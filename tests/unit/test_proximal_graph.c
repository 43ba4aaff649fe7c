/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * proximal-graph as a method: what it predicts from its weights, how lambda is chosen, masks,
 * several classes, model files, what it tells about itself. (The optimum itself:
 * test_graph_norm.c.)
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "classify/proximal_graph.h"
#include "core/mem.h"
#include "core/progress.h"
#include "support/classifier_life.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/random_data.h"
#include "support/predict_one.h"

struct world {
    hsel_dataset *data;
    hs_counts counts;
    hs_training training;
};

static void world_new(struct world *w, hs_stream *stream, uint32_t classes, uint32_t features)
{
    hsel_error error = {0};
    hs_random_shape shape = {.instances = 40,
                             .features = features,
                             .classes = classes,
                             .density = 0.25,
                             .parents = 1.2,
                             .true_path = true};
    *w = (struct world){.data = hs_random_dataset(stream, &shape)};
    hs_view view = hs_view_all(w->data);
    assert_ok(hs_counts_of(&view, &w->counts, &error), error);
    w->training = (hs_training){.view = view, .counts = &w->counts, .seed = 3, .threads = 1};
}

static void world_free(struct world *w)
{
    hs_counts_clear(&w->counts);
    hsel_dataset_free(w->data);
}

static const hs_classifier *classifier(void)
{
    return hs_method_find(HS_CLASSIFIER, "proximal-graph", strlen("proximal-graph"))->classifier;
}

static int fit_status(const char *text, const struct world *w, struct proximal_model **out,
                      hsel_error *error)
{
    hs_chosen chosen = {0};
    void *model = NULL;
    int status = hs_chosen_parse(HS_CLASSIFIER, text, &chosen, error);
    if (status == HSEL_OK)
        status = classifier()->fit(&w->training, chosen.options, &model, error);
    hs_chosen_clear(&chosen);
    *out = model;
    return status;
}

static struct proximal_model *fit(const char *text, const struct world *w)
{
    hsel_error error = {0};
    struct proximal_model *model = NULL;
    assert_ok(fit_status(text, w, &model, &error), error);
    return model;
}

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }

/* Scores added up feature by feature, through what `contributions` says for the class. */
static void predict_slowly(const struct proximal_model *m, const hsel_dataset *data, uint32_t row,
                           double *out)
{
    double sum = 0;
    for (uint32_t c = 0; c < m->classes; c++) {
        double score,
            prior = m->classes > 2 ? m->part[c].intercept : (c ? 1 : -1) * m->part[0].intercept;
        double says[256];
        hsel_error error = {0};
        assert_true(data->features <= 256);
        assert_ok(
            hs_contributions_one(classifier(), m, data, row, NULL, NULL, c, &score, says, &error),
            error);
        assert_true(score == prior);
        for (uint32_t f = 0; f < data->features; f++)
            score += says[f];
        sum += out[c] = sigmoid(score);
    }
    for (uint32_t c = 0; c < m->classes; c++)
        out[c] /= sum;
}

static void test_predictions(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 1, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 60; round++) {
        struct world w;
        hsel_error error = {0};
        uint32_t classes = 2 + (uint32_t)(round % 3);
        world_new(&w, &stream, classes, 1 + (uint32_t)hs_random_below(&stream, 12));
        struct proximal_model *m = fit("proximal-graph", &w);
        assert_int_equal(m->parts, classes == 2 ? 1 : classes);
        for (uint32_t i = 0; i < w.data->instances; i++) {
            double found[4], expected[4], score[4];
            assert_ok(hs_predict_one(classifier(), m, w.data, i, NULL, NULL, found, score, &error),
                      error);
            predict_slowly(m, w.data, i, expected);
            for (uint32_t c = 0; c < classes; c++)
                assert_true(fabs(found[c] - expected[c]) < 1e-12);
        }
        for (uint32_t part = 0; part < m->parts; part++) {
            const struct proximal_part *p = &m->part[part];
            assert_true(p->gap <= 1e-3 && p->lambda <= p->largest);
            assert_true(p->lambda >= 0.0199 * p->largest);
        }
        hs_free(m);
        world_free(&w);
    }
}

/* Features outside the mask do not exist. */
static void test_mask(void **state)
{
    hs_stream stream;
    struct world w;
    uint64_t mask = 0;
    hs_stream_init(&stream, 3, "test", 0, 0);
    (void)state;
    world_new(&w, &stream, 2, 10);
    for (uint32_t f = 0; f < 10; f += 2)
        hs_bit_set(&mask, f);
    w.training.view.features = &mask;
    struct proximal_model *m = fit("proximal-graph:lambda=0.0001", &w);
    assert_int_equal(m->in_use, 5);
    for (uint32_t f = 1; f < 10; f += 2)
        assert_true(m->weight[f] == 0);
    assert_true(m->part[0].active > 0);
    hs_free(m);
    world_free(&w);
}

/* Far above the largest lambda there is only the intercept, the share of the class. */
static void test_lambda(void **state)
{
    static const char *const bad[] = {"0", "-1", "nan", "inf", "much"};
    hs_stream stream;
    struct world w;
    hsel_error error = {0};
    char text[64];
    struct proximal_model *m, *none = NULL;
    hs_stream_init(&stream, 4, "test", 0, 0);
    (void)state;
    world_new(&w, &stream, 3, 10);
    m = fit("proximal-graph:lambda=100", &w);
    for (uint32_t part = 0; part < 3; part++) {
        assert_int_equal(m->part[part].active, 0);
        double share = w.counts.class_size[part] / 40.0;
        assert_true(fabs(sigmoid(m->part[part].intercept) - share) < 1e-9);
        assert_true(m->part[part].largest > 0 && m->part[part].largest < 1);
    }
    hs_free(m);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        snprintf(text, sizeof text, "proximal-graph:lambda=%s", bad[i]);
        assert_int_equal(fit_status(text, &w, &none, &error), HSEL_EUSAGE);
        assert_non_null(strstr(error.message, "lambda of proximal-graph is auto or a number"));
        assert_null(none);
    }
    world_free(&w);
}

static void test_same_seed_same_model(void **state)
{
    hs_stream stream;
    struct world w;
    hs_stream_init(&stream, 5, "test", 0, 0);
    (void)state;
    world_new(&w, &stream, 2, 12);
    struct proximal_model *a = fit("proximal-graph", &w), *b = fit("proximal-graph", &w);
    assert_memory_equal(a->weight, b->weight, 12 * sizeof *a->weight);
    assert_true(a->part[0].intercept == b->part[0].intercept);
    hs_free(a);
    hs_free(b);
    world_free(&w);
}

/* What was chosen among the lambdas is what the same lambda gives alone. */
static void test_chosen_is_solved(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 10, "test", 0, 0);
    (void)state;
    for (uint32_t round = 0; round < 4; round++) {
        struct world w;
        char text[96];
        world_new(&w, &stream, 2 + round % 2, 12);
        struct proximal_model *m = fit("proximal-graph:tolerance=1e-5,iterations=100000", &w);
        for (uint32_t part = 0; part < m->parts; part++) {
            snprintf(text, sizeof text,
                     "proximal-graph:tolerance=1e-5,iterations=100000,lambda=%.17g",
                     m->part[part].lambda);
            struct proximal_model *alone = fit(text, &w);
            assert_true(alone->part[part].lambda == m->part[part].lambda);
            assert_true(fabs(alone->part[part].objective - m->part[part].objective) <
                        2e-5 * m->part[part].objective);
            hs_free(alone);
        }
        hs_free(m);
        world_free(&w);
    }
}

static int stop_at(void *context, uint64_t done, uint64_t total, const char *what)
{
    uint32_t *left = context;
    (void)what;
    assert_true(done < total);
    return --*left == 0;
}

static void test_stopped(void **state)
{
    hs_stream stream;
    struct world w;
    hsel_error error = {0};
    struct proximal_model *m = NULL;
    uint32_t left = UINT32_MAX;
    hs_progress progress = {.report = stop_at, .context = &left};
    hs_stream_init(&stream, 11, "test", 0, 0);
    (void)state;
    world_new(&w, &stream, 2, 12);
    w.training.progress = &progress;
    hs_free(fit("proximal-graph", &w));
    uint32_t all = UINT32_MAX - left;
    assert_int_equal(all, 15 + 5 * 15); /* all rows, and five folds */
    for (uint32_t last = 1; last <= all; last += 7) {
        left = last;
        assert_int_equal(fit_status("proximal-graph", &w, &m, &error), HSEL_ECANCELLED);
        assert_null(m);
    }
    world_free(&w);
}

/* One class in the training part: no weight, and the smoothed odds. */
static void test_one_class(void **state)
{
    hs_stream stream;
    struct world w;
    uint32_t rows[40], count = 0;
    hsel_error error = {0};
    double found[2], score[2];
    hs_stream_init(&stream, 6, "test", 0, 0);
    (void)state;
    world_new(&w, &stream, 2, 8);
    for (uint32_t i = 0; i < 40; i++)
        if (w.data->class_of[i] == 1)
            rows[count++] = i;
    w.training.view.rows = rows;
    w.training.view.row_count = count;
    struct proximal_model *m = fit("proximal-graph", &w);
    assert_ok(hs_predict_one(classifier(), m, w.data, 0, NULL, NULL, found, score, &error), error);
    assert_true(fabs(found[1] - (count + 1.0) / (count + 2.0)) < 1e-12);
    hs_free(m);
    world_free(&w);
}

/* ---- files and descriptions ---- */

static void write_model(const struct proximal_model *m, hs_buf *bytes)
{
    hsel_error error = {0};
    hs_writer *writer = NULL;
    assert_ok(hs_writer_open_memory(bytes, &writer, &error), error);
    assert_ok(hs_classifier_write(classifier(), m, writer, &error), error);
    assert_ok(hs_writer_commit(writer, &error), error);
}

static void test_model_files(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 7, "test", 0, 0);
    (void)state;
    for (uint32_t classes = 2; classes < 5; classes++) {
        struct world w;
        hsel_error error = {0};
        hs_buf bytes = {0};
        void *model = NULL;
        world_new(&w, &stream, classes, 12);
        struct proximal_model *m = fit("proximal-graph:lambda=0.01", &w), *read;
        write_model(m, &bytes);
        assert_ok(
            hs_classifier_read(classifier(), bytes.text, bytes.length, w.data, &model, &error),
            error);
        read = model;
        assert_memory_equal(m->weight, read->weight, m->parts * 12 * sizeof *m->weight);
        assert_memory_equal(m->part, read->part, m->parts * sizeof *m->part);
        classifier()->free(model);
        for (size_t length = 0; length < bytes.length; length++) {
            char *part = malloc(length + 1);
            model = NULL;
            memcpy(part, bytes.text, length);
            assert_int_equal(hs_classifier_read(classifier(), part, length, w.data, &model, &error),
                             HSEL_EFORMAT);
            assert_string_equal(error.message, "the proximal-graph model is cut off or damaged");
            assert_null(model);
            free(part);
        }
        for (size_t i = 0; i < 3 * bytes.length; i++) {
            static const char with[] = {1, 0x40, (char)0xff};
            double found[4], score[4], sum = 0;
            bytes.text[i / 3] ^= with[i % 3];
            model = NULL;
            if (hs_classifier_read(classifier(), bytes.text, bytes.length, w.data, &model,
                                   &error) == HSEL_OK) {
                assert_ok(hs_predict_one(classifier(), model, w.data, 0, NULL, NULL, found, score,
                                         &error),
                          error);
                for (uint32_t c = 0; c < classes; c++)
                    sum += found[c];
                assert_true(fabs(sum - 1) < 1e-9);
                classifier()->free(model);
            }
            bytes.text[i / 3] ^= with[i % 3];
        }
        hs_buf_clear(&bytes);
        hs_free(m);
        world_free(&w);
    }
}

static void described(const struct proximal_model *m, const hsel_dataset *data,
                      hs_describe_form form, hs_buf *out)
{
    hsel_error error = {0};
    hs_writer *writer = NULL;
    assert_ok(hs_writer_open_memory(out, &writer, &error), error);
    assert_ok(classifier()->describe(m, data, form, writer, &error), error);
    assert_ok(hs_writer_commit(writer, &error), error);
}

static void test_description(void **state)
{
    hs_stream stream;
    struct world w;
    hs_buf text = {0}, json = {0};
    json_error_t problem;
    hs_stream_init(&stream, 8, "test", 0, 0);
    (void)state;
    world_new(&w, &stream, 2, 12);
    struct proximal_model *m = fit("proximal-graph:lambda=0.01", &w);
    described(m, w.data, HS_DESCRIBE_TEXT, &text);
    assert_non_null(strstr(text.text, "lambda           0.01 (all weights are 0 from "));
    assert_non_null(strstr(text.text, "relative duality gap"));
    described(m, w.data, HS_DESCRIBE_JSON, &json);
    json_t *root = json_loadb(json.text, json.length, 0, &problem);
    assert_non_null(root);
    json_t *part = json_array_get(json_object_get(root, "models"), 0);
    json_t *active = json_object_get(part, "active");
    assert_int_equal(json_array_size(active), m->part[0].active);
    assert_true(m->part[0].active > 0);
    assert_true(json_real_value(json_object_get(part, "objective")) == m->part[0].objective);
    double before = INFINITY;
    for (size_t i = 0; i < json_array_size(active); i++) {
        json_t *one = json_array_get(active, i);
        const char *name = json_string_value(json_object_get(one, "feature"));
        double weight = json_number_value(json_object_get(one, "weight"));
        assert_true(weight == m->weight[hs_names_find(&w.data->feature_names, name, strlen(name))]);
        assert_true(fabs(weight) <= before);
        before = fabs(weight);
    }
    json_decref(root);
    hs_buf_clear(&text);
    hs_buf_clear(&json);
    hs_free(m);
    world_free(&w);
}

static void test_memory(void **state)
{
    hs_stream stream;
    struct world w;
    uint64_t mask = 0x5b;
    hs_stream_init(&stream, 9, "test", 0, 0);
    (void)state;
    world_new(&w, &stream, 3, 8);
    w.training.view.features = &mask;
    assert_true(hs_oom_each("proximal-graph", hs_live_once,
                            &(hs_life){&w.training, "proximal-graph:lambdas=3"}) >= 50);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_predictions),      cmocka_unit_test(test_mask),
        cmocka_unit_test(test_lambda),           cmocka_unit_test(test_same_seed_same_model),
        cmocka_unit_test(test_chosen_is_solved), cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_one_class),        cmocka_unit_test(test_model_files),
        cmocka_unit_test(test_description),      cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

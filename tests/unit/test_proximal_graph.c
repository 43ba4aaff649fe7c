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
#include <unistd.h>

#include <jansson.h>

#include "classify/linear_model.h"
#include "core/mem.h"
#include "core/progress.h"
#include "support/classifier_life.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/random_data.h"
#include "support/predict_one.h"
#include "support/fitted.h"

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

static int fit_status(const char *text, const struct world *w, hs_linear_model **out,
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

static hs_linear_model *fit(const char *text, const struct world *w)
{
    hsel_error error = {0};
    hs_linear_model *model = NULL;
    assert_ok(fit_status(text, w, &model, &error), error);
    return model;
}

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }

/* Scores added up feature by feature, through what `contributions` says for the class. */
static void predict_slowly(const hs_linear_model *m, const hsel_dataset *data, uint32_t row,
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
        hs_linear_model *m = fit("proximal-graph", &w);
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
            const hs_linear_part *p = &m->part[part];
            assert_true(p->gap <= 1e-3 && p->lambda <= p->largest);
            assert_true(p->lambda >= 0.0199 * p->largest);
        }
        classifier()->free(m);
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
    hs_linear_model *m = fit("proximal-graph:lambda=0.0001", &w);
    assert_int_equal(m->in_use, 5);
    for (uint32_t f = 1; f < 10; f += 2)
        assert_true(m->weight[f] == 0);
    assert_true(m->part[0].active > 0);
    classifier()->free(m);
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
    hs_linear_model *m, *none = NULL;
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
    classifier()->free(m);
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
    hs_linear_model *a = fit("proximal-graph", &w), *b = fit("proximal-graph", &w);
    assert_memory_equal(a->weight, b->weight, 12 * sizeof *a->weight);
    assert_true(a->part[0].intercept == b->part[0].intercept);
    classifier()->free(a);
    classifier()->free(b);
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
        hs_linear_model *m = fit("proximal-graph:tolerance=1e-5,iterations=100000", &w);
        for (uint32_t part = 0; part < m->parts; part++) {
            snprintf(text, sizeof text,
                     "proximal-graph:tolerance=1e-5,iterations=100000,lambda=%.17g",
                     m->part[part].lambda);
            hs_linear_model *alone = fit(text, &w);
            assert_true(alone->part[part].lambda == m->part[part].lambda);
            assert_true(fabs(alone->part[part].objective - m->part[part].objective) <
                        2e-5 * m->part[part].objective);
            classifier()->free(alone);
        }
        classifier()->free(m);
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
    hs_linear_model *m = NULL;
    uint32_t left = UINT32_MAX;
    hs_progress progress = {.report = stop_at, .context = &left};
    hs_stream_init(&stream, 11, "test", 0, 0);
    (void)state;
    world_new(&w, &stream, 2, 12);
    w.training.progress = &progress;
    classifier()->free(fit("proximal-graph", &w));
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
    hs_linear_model *m = fit("proximal-graph", &w);
    assert_ok(hs_predict_one(classifier(), m, w.data, 0, NULL, NULL, found, score, &error), error);
    assert_true(fabs(found[1] - (count + 1.0) / (count + 2.0)) < 1e-12);
    classifier()->free(m);
    world_free(&w);
}

/* ---- files and descriptions ---- */

static void write_model(const hs_linear_model *m, hs_buf *bytes)
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
        hs_linear_model *m = fit("proximal-graph:lambda=0.01", &w), *read;
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
            assert_string_equal(error.message, "the proximal-graph model is truncated or damaged");
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
        classifier()->free(m);
        world_free(&w);
    }
}

static void described(const hs_linear_model *m, const hsel_dataset *data, hs_describe_form form,
                      hs_buf *out)
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
    hs_linear_model *m = fit("proximal-graph:lambda=0.01", &w);
    uint32_t free = 0; /* a feature with a weight */
    while (m->weight[free] == 0)
        free++;
    m->free[free] = true;
    described(m, w.data, HS_DESCRIBE_TEXT, &text);
    assert_non_null(strstr(text.text, " (not penalised)"));
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
        uint32_t feature = hs_names_find(&w.data->feature_names, name, strlen(name));
        json_t *penalised = json_object_get(one, "penalised");
        assert_true(weight == m->weight[feature]);
        assert_true(feature == free ? json_is_false(penalised) : penalised == NULL);
        assert_true(fabs(weight) <= before);
        before = fabs(weight);
    }
    json_decref(root);
    hs_buf_clear(&text);
    hs_buf_clear(&json);
    classifier()->free(m);
    world_free(&w);
}

/* ---- numbers, groups, features without penalty ---- */

#define N 30

/* Random numbers may be of any size; these are for sums to compare. */
static void make_moderate(hsel_dataset *data)
{
    for (uint32_t c = 0; c < data->numeric_count; c++)
        for (uint32_t i = 0; i < data->numeric[c].count; i++)
            data->numeric[c].values[i] = fmod(data->numeric[c].values[i], 50);
    for (uint32_t i = 0; data->target && i < data->instances; i++)
        data->target[i] = fmod(data->target[i], 50);
}

struct problem { /* as the definition has it: columns divided by their deviation, groups as lists */
    uint32_t n, d, groups;
    double x[N][12], y[N], weight[12];
    double cost[24];
    bool member[24][12], free[12], squared;
};

static double norm_of(const struct problem *p, const double *w)
{
    double sum = 0;
    for (uint32_t g = 0; g < p->groups; g++) {
        double most = 0;
        for (uint32_t f = 0; f < p->d; f++)
            if (p->member[g][f])
                most = fmax(most, fabs(w[f]));
        sum += p->cost[g] * most;
    }
    return sum;
}

/* The greatest sum of |g| of a set of features by the costs of the groups that it touches. */
static double dual_of(const struct problem *p, const double *g)
{
    double best = 0;
    for (uint32_t set = 1; set < 1u << p->d; set++) {
        double sum = 0, cost = 0;
        bool penalised = true;
        for (uint32_t f = 0; f < p->d; f++) {
            sum += set >> f & 1 ? fabs(g[f]) : 0;
            penalised = penalised && !(set >> f & 1 && p->free[f]);
        }
        for (uint32_t k = 0; k < p->groups; k++) {
            bool touched = false;
            for (uint32_t f = 0; f < p->d; f++)
                touched = touched || (set >> f & 1 && p->member[k][f]);
            cost += touched ? p->cost[k] : 0;
        }
        if (penalised && sum / cost > best)
            best = sum / cost;
    }
    return best;
}

/* The weights minimise: by the gradient from the definition, which is 0 for what is free, within
 * lambda times the dual ball for the rest, and against the weights as large as the penalty. */
static void check_minimum(const struct problem *p, const hs_linear_model *m)
{
    double w[12], gradient[12] = {0}, aligned = 0, sum = 0, lambda = m->part[0].lambda;
    double size = p->squared ? m->part[0].largest : 1; /* of what is compared with 0 */
    for (uint32_t i = 0; i < p->n; i++) {
        double score = m->part[0].intercept, residual;
        for (uint32_t f = 0; f < p->d; f++)
            score += m->weight[f] * p->x[i][f] * p->weight[f];
        residual = p->squared ? score - p->y[i] : -p->y[i] * sigmoid(-p->y[i] * score);
        sum += residual / p->n;
        for (uint32_t f = 0; f < p->d; f++)
            gradient[f] += residual * p->x[i][f] / p->n;
    }
    assert_true(fabs(sum) < 1e-6 * (1 + size));
    for (uint32_t f = 0; f < p->d; f++) {
        w[f] = m->weight[f] * p->weight[f];
        if (p->free[f]) {
            if (!(fabs(gradient[f]) < 1e-5 * (1 + size)))
                fail_msg("free feature %u has the gradient %g", f, gradient[f]);
            gradient[f] = w[f] = 0;
        }
        aligned -= gradient[f] * w[f];
    }
    double dual = dual_of(p, gradient), value = lambda * norm_of(p, w);
    if (!(dual <= lambda * (1 + 2e-3) + 1e-6 * size &&
          fabs(aligned - value) <= 2e-4 * (value + size * size)))
        fail_msg("dual %g of lambda %g, aligned %g with %g", dual, lambda, aligned, value);
}

/* Numbers, some missing, given in groups that overlap; with and without features that are free. */
static void test_numbers_and_groups(void **state)
{
    hs_stream stream;
    uint32_t with_weight = 0, of_free = 0;
    char path[] = "/tmp/hsel-groups-XXXXXX", text[256];
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    hs_stream_init(&stream, 12, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 300; round++) {
        static struct problem p;
        hsel_error error = {0};
        struct world w = {0};
        p = (struct problem){.n = 12 + (uint32_t)hs_random_below(&stream, N - 11),
                             .d = 2 + (uint32_t)hs_random_below(&stream, 7),
                             .squared = round % 2};
        hs_random_shape shape = {.instances = p.n,
                                 .features = p.d,
                                 .classes = 2,
                                 .density = 0.4,
                                 .numeric = hs_random_double(&stream),
                                 .missing = round % 3 ? 0 : 0.1};
        w.data = hs_random_dataset(&stream, &shape);
        if (p.squared)
            hs_random_target(&stream, w.data);
        make_moderate(w.data);
        hs_view view = hs_view_all(w.data);
        assert_ok(hs_counts_of(&view, &w.counts, &error), error);
        w.training = (hs_training){.view = view, .counts = &w.counts, .seed = 3, .threads = 1};
        FILE *out = fopen(path, "w");
        bool named[12] = {false}, costs[12] = {false};
        uint32_t given = (uint32_t)hs_random_below(&stream, 5);
        fprintf(out, "# some groups\n\n");
        for (uint32_t g = 0; g < given; g++) {
            double cost =
                hs_random_below(&stream, 6) ? 0.5 * (1 + (double)hs_random_below(&stream, 4)) : 0;
            uint32_t first = (uint32_t)hs_random_below(&stream, p.d);
            for (uint32_t f = 0; f < p.d; f++)
                if (f == first || hs_random_below(&stream, 3) == 0) {
                    named[f] = true;
                    costs[f] = costs[f] || cost > 0;
                    p.member[g][f] = cost > 0;
                    fprintf(out, cost == 1 ? "g%u%cf%u\n" : "g%u%cf%u%c%g\n", g,
                            round % 4 ? '\t' : ',', f, round % 4 ? '\t' : ',', cost);
                }
            p.cost[g] = cost;
        }
        if (!given)
            fprintf(out, "all\tf0\t1\n");
        if (!given)
            named[0] = costs[0] = p.member[0][0] = true, p.cost[0] = 1;
        fclose(out);
        p.groups = given ? given : 1;
        char free_ones[64] = "none";
        if (hs_random_below(&stream, 2))
            snprintf(free_ones, sizeof free_ones, "f%u/f%u", p.d - 1, p.d - 1);
        for (uint32_t f = 0; f < p.d; f++) {
            p.free[f] = (named[f] && !costs[f]) || hs_is_covariate(w.data, f) ||
                        (free_ones[0] == 'f' && f == p.d - 1);
            for (uint32_t g = 0; g < p.groups && p.free[f]; g++)
                p.member[g][f] = false;
            if (!p.free[f] && !named[f]) {
                p.cost[p.groups] = 1;
                p.member[p.groups++][f] = true;
            }
            double spread[N], mean = 0, square = 0, known = 0;
            const double *value = hs_dataset_numeric(w.data, f, spread);
            const bool numeric = w.data->types[f] == HSEL_NUMERIC;
            for (uint32_t pass = 0; pass < 3; pass++)
                for (uint32_t i = 0, at = 0; i < p.n; i++) {
                    if (!hs_has_label(w.data, i))
                        continue;
                    double x = value[i];
                    if (pass == 0 && !isnan(x)) {
                        known++;
                        mean += x;
                    } else if (pass == 1 && !isnan(x)) {
                        square += pow(x - mean / known, 2) / known;
                    } else if (pass == 2) {
                        p.weight[f] = numeric && square > 0 ? sqrt(square) : 1;
                        p.x[at++][f] = (isnan(x) ? mean / known : x) / p.weight[f];
                    }
                }
        }
        uint32_t at = 0;
        for (uint32_t i = 0; i < w.data->instances; i++)
            if (hs_has_label(w.data, i))
                p.y[at++] = p.squared ? w.data->target[i] : w.data->class_of[i] == 1 ? 1 : -1;
        p.n = at;
        snprintf(text, sizeof text,
                 "proximal-graph:groups=%s,free=%s,lambdas=4,folds=3,tolerance=1e-9,"
                 "iterations=20000",
                 path, free_ones);
        hs_linear_model *m = fit(text, &w);
        if (p.n > 5 && m->part[0].gap <= 1e-9) {
            check_minimum(&p, m);
            for (uint32_t f = 0; f < p.d; f++) {
                with_weight += m->weight[f] != 0;
                of_free += m->weight[f] != 0 && p.free[f];
                assert_true(m->free[f] == p.free[f]);
            }
        }
        classifier()->free(m);
        world_free(&w);
    }
    unlink(path);
    assert_true(with_weight > 300 && of_free > 100);
}

/* The groups of a hierarchy, written into a file, and the hierarchy itself. */
static void test_hierarchy_as_groups(void **state)
{
    hs_stream stream;
    char path[] = "/tmp/hsel-groups-XXXXXX", text[256];
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    hs_stream_init(&stream, 13, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 40; round++) {
        struct world w;
        world_new(&w, &stream, 2 + (uint32_t)round % 2, 2 + (uint32_t)hs_random_below(&stream, 9));
        FILE *out = fopen(path, "w");
        bool below[12][12] = {{false}};
        for (uint32_t i = w.data->features; i-- > 0;) {
            uint32_t v = w.data->dag->order[i];
            size_t count;
            const uint32_t *child = hs_children(w.data->dag, v, &count);
            below[v][v] = true;
            for (size_t c = 0; c < count; c++)
                for (uint32_t u = 0; u < w.data->features; u++)
                    below[v][u] |= below[child[c]][u];
            for (uint32_t u = 0; u < w.data->features; u++)
                if (below[v][u])
                    fprintf(out, "%u\tf%u\n", v, u);
        }
        fclose(out);
        snprintf(text, sizeof text,
                 "proximal-graph:groups=%s,lambda=0.02,tolerance=1e-9,iterations=100000", path);
        hs_linear_model *a = fit(text, &w), *b = fit("proximal-graph:lambda=0.02,tolerance=1e-9,"
                                                     "iterations=100000",
                                                     &w);
        for (uint32_t part = 0; part < a->parts; part++) {
            assert_true(fabs(a->part[part].objective - b->part[part].objective) < 1e-8);
            assert_true(fabs(a->part[part].largest - b->part[part].largest) < 1e-9);
        }
        classifier()->free(a);
        classifier()->free(b);
        world_free(&w);
    }
    unlink(path);
}

/* Mixed features, with a hierarchy, covariates and missing values: what contributions say adds up,
 * for numbers and for classes; files keep all; a nominal feature is one column per value. */
static void test_mixed_features(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 14, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 60; round++) {
        hsel_error error = {0};
        struct world w = {0};
        hs_random_shape shape = {.instances = 30,
                                 .features = 10,
                                 .classes = 2 + (uint32_t)round % 2,
                                 .density = 0.4,
                                 .parents = round % 4 ? 0.8 : 0,
                                 .numeric = 0.4,
                                 .nominal = 0.3,
                                 .missing = 0.1};
        w.data = hs_random_dataset(&stream, &shape);
        if (round % 2)
            hs_random_target(&stream, w.data);
        make_moderate(w.data);
        hs_view view = hs_view_all(w.data);
        assert_ok(hs_counts_of(&view, &w.counts, &error), error);
        w.training = (hs_training){.view = view, .counts = &w.counts, .seed = 3, .threads = 1};
        hs_linear_model *m = fit("proximal-graph:ratio=0.001", &w);
        hs_buf bytes = {0}, text = {0};
        void *read = NULL;
        write_model(m, &bytes);
        assert_ok(hs_classifier_read(classifier(), bytes.text, bytes.length, w.data, &read, &error),
                  error);
        for (uint32_t i = 0; i < w.data->instances; i++) {
            double found[4], again[4], score[4], prior, says[16];
            assert_ok(hs_predict_one(classifier(), m, w.data, i, NULL, NULL, found, score, &error),
                      error);
            assert_ok(hs_contributions_one(classifier(), m, w.data, i, NULL, NULL, 1, &prior, says,
                                           &error),
                      error);
            for (uint32_t f = 0; f < w.data->features; f++)
                prior += says[f];
            assert_true(fabs(prior - score[w.data->target ? 0 : 1]) < 1e-9 * (1 + fabs(prior)));
            assert_ok(
                hs_predict_one(classifier(), read, w.data, i, NULL, NULL, found, again, &error),
                error);
            assert_memory_equal(score, again, hs_answers(m->classes) * sizeof *score);
        }
        described(m, w.data, HS_DESCRIBE_TEXT, &text);
        assert_non_null(strstr(text.text, w.data->target ? "RMSE of inner folds" : "GM of inner"));
        for (size_t length = 0; length < bytes.length; length++)
            assert_int_equal(hs_classifier_read(classifier(), bytes.text, length, w.data,
                                                &(void *){NULL}, &error),
                             HSEL_EFORMAT);
        hs_buf_clear(&text);
        hs_buf_clear(&bytes);
        classifier()->free(read);
        classifier()->free(m);
        world_free(&w);
    }
}

/* A file of groups that is wrong, by line. */
static void test_bad_groups(void **state)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "has no groups"},
        {"a\n", ":1: expected a group, a feature and optionally a weight"},
        {"a\tf0\t1\t2\n", ":1: expected a group"},
        {"a\tf0\n\tf1\n", ":2: expected a group"},
        {"a,f0\na,nobody\n", ":2: there is no feature 'nobody' in the data"},
        {"a\tf0\tmuch\n", ":1: the weight of a group must be a number of 0 or more, not 'much'"},
        {"a\tf0\t-1\n", ":1: the weight of a group"},
        {"a\tf0\t2\na\tf1\na\tf2\t3\n", ":3: group a has the weight 3 here and 2 before"},
        {"a\tf0\nb\tf0\na\tf0\n", ":3: group a has feature f0 twice"}};
    hs_stream stream;
    struct world w;
    char path[] = "/tmp/hsel-groups-XXXXXX", text[256];
    int file = mkstemp(path);
    hsel_error error = {0};
    hs_linear_model *m = NULL;
    assert_true(file >= 0);
    close(file);
    hs_stream_init(&stream, 15, "test", 0, 0);
    (void)state;
    world_new(&w, &stream, 2, 5);
    snprintf(text, sizeof text, "proximal-graph:groups=%s", path);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        FILE *out = fopen(path, "w");
        fputs(bad[i].text, out);
        fclose(out);
        assert_int_equal(fit_status(text, &w, &m, &error), HSEL_EFORMAT);
        if (!strstr(error.message, bad[i].message))
            fail_msg("%s", error.message);
        assert_null(m);
    }
    unlink(path);
    assert_true(fit_status(text, &w, &m, &error) != HSEL_OK);
    assert_int_equal(fit_status("proximal-graph:free=f1/g2", &w, &m, &error), HSEL_EUSAGE);
    assert_non_null(strstr(error.message, "free names a feature 'g2' that"));
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_predictions),
                                       cmocka_unit_test(test_mask),
                                       cmocka_unit_test(test_lambda),
                                       cmocka_unit_test(test_same_seed_same_model),
                                       cmocka_unit_test(test_chosen_is_solved),
                                       cmocka_unit_test(test_stopped),
                                       cmocka_unit_test(test_one_class),
                                       cmocka_unit_test(test_model_files),
                                       cmocka_unit_test(test_description),
                                       cmocka_unit_test(test_memory),
                                       cmocka_unit_test(test_numbers_and_groups),
                                       cmocka_unit_test(test_hierarchy_as_groups),
                                       cmocka_unit_test(test_mixed_features),
                                       cmocka_unit_test(test_bad_groups)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

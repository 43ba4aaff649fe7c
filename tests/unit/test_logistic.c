/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * logistic: its solutions by the definition of the minimum, the lambda of inner folds by fitting
 * and predicting each, one class, damaged files, lack of memory, any number of threads.
 * (tests/crosscheck compares coefficients with scikit-learn's.)
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "classify/linear_model.h"
#include "core/mem.h"
#include "core/progress.h"
#include "support/classifier_life.h"
#include "support/cmocka.h"
#include "support/fitted.h"
#include "support/oom.h"
#include "support/predict_one.h"
#include "support/random_data.h"
#include "support/threads.h"

HS_TEST_USES_THREADS

#define N       60
#define COLUMNS 64

/* ---- the minimum ---- */

/* Random numbers may be of any size; these are for sums to compare. */
static void make_moderate(hsel_dataset *data)
{
    for (uint32_t c = 0; c < data->numeric_count; c++)
        for (uint32_t i = 0; i < data->numeric[c].count; i++)
            data->numeric[c].values[i] = fmod(data->numeric[c].values[i], 7);
    for (uint32_t i = 0; data->target && i < data->instances; i++)
        data->target[i] = isnan(data->target[i]) ? i % 7 : fmod(data->target[i], 50);
}

struct column { /* by the definition: as numbers, standardised if it was numeric */
    double x[N], sd, weight[4];
    bool free;
};

/* The columns of the training part, each with its weights in the model. */
static uint32_t make_columns(const hs_training *training, const hs_linear_model *m, bool scales,
                             struct column *out)
{
    const hsel_dataset *data = training->view.data;
    uint32_t count = 0, places = data->features;
    for (uint32_t f = 0; f < data->features; f++) {
        const uint32_t values =
            data->types[f] == HSEL_NOMINAL ? data->nominal[data->slot[f]].values.count : 0;
        double seen[8] = {0}, sum = 0, square = 0, total = 0;
        uint32_t common = 0;
        assert_true(values <= 8);
        for (int pass = 0; pass < 2; pass++)
            for (uint32_t i = 0; i < data->instances; i++) {
                const double v = hs_training_weight(training, i), x = hs_dataset_value(data, f, i);
                if (isnan(x))
                    continue;
                if (values && pass == 0)
                    seen[(uint32_t)x] += v;
                total += pass == 0 ? v : 0;
                sum += pass == 0 ? v * x : 0;
                square += pass ? v * pow(x - sum / total, 2) : 0;
            }
        for (uint32_t v = 1; v < values; v++)
            common = seen[v] > seen[common] ? v : common;
        for (uint32_t v = values > 2 ? 0 : 1; v < (values > 2 ? values : 2); v++) {
            struct column *c = &out[count++];
            const uint32_t place = values > 2 ? places++ : f;
            *c = (struct column){.free = m->free[f], .sd = 1};
            assert_true(count < COLUMNS);
            if (data->types[f] == HSEL_NUMERIC && scales)
                c->sd = total > 0 && square > 1e-20 ? sqrt(square / total) : 1;
            for (uint32_t i = 0; i < data->instances; i++) {
                double x = hs_dataset_value(data, f, i);
                if (values)
                    x = (isnan(x) ? common : x) == v;
                c->x[i] = isnan(x) ? (total > 0 ? sum / total : 0) : x;
            }
            for (uint32_t k = 0; k < m->parts; k++)
                c->weight[k] = m->weight[(size_t)k * m->places + place];
        }
    }
    return count;
}

/* The derivatives of the objective are what they are at its minimum. */
static void check_minimum(const char *text, const hs_training *training, const hs_linear_model *m,
                          double alpha)
{
    static struct column columns[COLUMNS];
    const hsel_dataset *data = training->view.data;
    const uint32_t count = make_columns(training, m, !strstr(text, "scale=none"), columns);
    double residual[4][N], total = 0, size = 0, lambda = m->part[0].lambda;
    for (uint32_t i = 0; i < data->instances; i++)
        total += hs_training_weight(training, i);
    for (uint32_t i = 0; i < data->instances; i++) {
        const double v = hs_training_weight(training, i) / total;
        double says[4], sum = m->parts == 1 ? 1 : 0;
        for (uint32_t k = 0; k < m->parts; k++) {
            says[k] = m->part[k].intercept;
            for (uint32_t j = 0; j < count; j++)
                says[k] += columns[j].weight[k] * columns[j].x[i];
            sum += exp(says[k]);
        }
        for (uint32_t k = 0; k < m->parts; k++) {
            const uint32_t of = m->parts == 1 ? 1 : k;
            residual[k][i] = v * (m->numeric ? says[0] - data->target[i]
                                             : exp(says[k]) / sum - (data->class_of[i] == of));
            size += m->numeric ? v * fabs(data->target[i]) : 0;
        }
    }
    size = m->numeric ? size : 1;
    for (uint32_t k = 0; k < m->parts; k++) {
        double intercept = 0;
        for (uint32_t i = 0; i < data->instances; i++)
            intercept += residual[k][i];
        if (!(fabs(intercept) < 1e-7 * size))
            fail_msg("%s: the derivative of intercept %u is %g", text, k, intercept);
        for (uint32_t j = 0; j < count; j++) {
            const struct column *c = &columns[j];
            const double w = c->weight[k] * c->sd;
            double slope = 0, off;
            for (uint32_t i = 0; i < data->instances; i++)
                slope += residual[k][i] * (c->x[i] - (c->sd != 1 ? c->x[0] : 0)) / c->sd;
            if (c->free)
                off = fabs(slope);
            else if (w == 0)
                off = fmax(0, fabs(slope) - lambda * alpha);
            else
                off = fabs(slope + lambda * (copysign(alpha, w) + (1 - alpha) * w));
            if (!(off < 1e-6 * size))
                fail_msg("%s: column %u of part %u has the weight %g and the derivative %g", text,
                         j, k, w, slope);
        }
    }
}

static void test_minimum(void **state)
{
    static const char *const penalties[] = {"ridge", "lasso", "elastic,l1-ratio=0.3"};
    static const double alphas[] = {0, 1, 0.3};
    hs_stream stream;
    uint32_t with_weight = 0, without = 0;
    hs_stream_init(&stream, 1, "test", 0, 0);
    (void)state;
    for (uint32_t round = 0; round < 240; round++) {
        const hs_random_shape shape = {.instances = 30 + (uint32_t)hs_random_below(&stream, N - 29),
                                       .features = 1 + (uint32_t)hs_random_below(&stream, 12),
                                       .classes = 2 + round % 3,
                                       .density = 0.4,
                                       .numeric = 0.5 * hs_random_double(&stream),
                                       .nominal = 0.5 * hs_random_double(&stream),
                                       .missing = round % 2 ? 0.1 : 0};
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        hs_counts counts;
        char text[128];
        double weights[N];
        const uint32_t penalty = round / 3 % 3;
        if (round % 5 == 0)
            hs_random_target(&stream, data);
        make_moderate(data);
        for (uint32_t i = 0; i < data->instances; i++)
            weights[i] = 0.5 + (double)hs_random_below(&stream, 4);
        hs_training training = hs_training_on(data, &counts);
        training.weight = round % 4 ? NULL : weights;
        snprintf(text, sizeof text, "logistic:penalty=%s,lambda=%g%s", penalties[penalty],
                 pow(10, -0.5 - 2 * hs_random_double(&stream)), round % 7 ? "" : ",scale=none");
        hs_fitted f;
        hs_fit(&f, text, &training);
        const hs_linear_model *m = f.model;
        check_minimum(text, &training, m, alphas[penalty]);
        for (uint32_t k = 0; k < m->parts; k++) {
            with_weight += m->part[k].active;
            without += data->features - m->part[k].active > 0 && penalty > 0;
        }
        hs_unfit(&f);
        hs_counts_clear(&counts);
        hsel_dataset_free(data);
    }
    assert_true(with_weight > 500 && without > 50);
}

/* ---- the choice of lambda ---- */

/* The loss of an inner fold: of what explicitly learns without it. */
static double loss_of_fold(const char *text, const hs_training *whole, const hs_folds *folds,
                           uint32_t fold)
{
    const hsel_dataset *data = whole->view.data;
    uint32_t rows[N];
    double sum = 0;
    hs_training training = *whole;
    hs_counts counts = {0};
    hs_fitted f;
    hsel_error error = {0};
    training.view.row_count = hs_folds_training(folds, fold, rows);
    training.view.rows = rows;
    assert_ok(hs_counts_of(&training.view, &counts, &error), error);
    training.counts = &counts;
    hs_fit(&f, text, &training);
    for (uint32_t i = folds->start[fold]; i < folds->start[fold + 1]; i++) {
        const uint32_t row = folds->order[i];
        double p[4], score[4];
        assert_ok(hs_predict_one(f.chosen.method->classifier, f.model, data, row, NULL, NULL, p,
                                 score, &error),
                  error);
        sum += data->target ? pow(score[0] - data->target[row], 2) : -log(p[data->class_of[row]]);
    }
    hs_unfit(&f);
    hs_counts_clear(&counts);
    return sum;
}

static void test_choice(void **state)
{
    static const char *const penalties[] = {"ridge", "lasso", "elastic"};
    hs_stream stream;
    hs_stream_init(&stream, 2, "test", 0, 0);
    (void)state;
    for (uint32_t round = 0; round < 24; round++) {
        const hs_random_shape shape = {
            .instances = N, .features = 8, .classes = 2 + round % 2, .density = 0.4};
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        hs_counts counts;
        hs_folds folds = {0};
        hs_fitted f, alone;
        hsel_error error = {0};
        char text[128];
        double best = INFINITY, own[3 * N], lost = 0;
        for (uint32_t i = 0; i < N; i++) /* something to learn */
            if ((hs_dataset_value(data, 0, i) > 0) && hs_random_below(&stream, 3))
                data->class_of[i] = 1;
        if (round % 4 == 3) {
            hs_random_target(&stream, data);
            for (uint32_t i = 0; i < N; i++)
                data->target[i] =
                    (hs_dataset_value(data, 0, i) > 0) * 3.0 + hs_random_double(&stream);
        }
        hs_training training = hs_training_on(data, &counts);
        snprintf(text, sizeof text, "logistic:penalty=%s,folds=4", penalties[round / 4 % 3]);
        training.own_score = own;
        hs_fit(&f, text, &training);
        training.own_score = NULL;
        const hs_linear_model *m = f.model;
        assert_ok(hs_folds_of_view(&training.view, 4, training.seed, &folds, &error), error);
        assert_true(m->steps >= 2);
        for (uint32_t k = 0; k < m->steps; k++) {
            double sum = 0;
            snprintf(text, sizeof text, "logistic:penalty=%s,lambda=%.17g",
                     penalties[round / 4 % 3], m->path[k].lambda);
            for (uint32_t fold = 0; fold < folds.count; fold++)
                sum += loss_of_fold(text, &training, &folds, fold);
            sum = data->target ? sqrt(sum / N) : sum / N;
            if (!(fabs(sum - m->path[k].inner) < 1e-3 * sum))
                fail_msg("%s: %g in inner folds, not %g", text, m->path[k].inner, sum);
            best = fmin(best, m->path[k].inner);
        }
        for (uint32_t k = 0; k < m->steps; k++) /* the first of the best */
            if (m->path[k].inner == best) {
                assert_true(m->part[0].lambda == m->path[k].lambda);
                break;
            }
        for (uint32_t i = 0; i < N;
             i++) { /* the scores of the inner folds have the loss of these */
            const uint32_t classes = data->class_names.count,
                           c = data->target ? 0 : data->class_of[i];
            const double score = classes > 2 ? own[i * classes + c] : c ? own[i] : -own[i];
            lost += data->target ? pow(own[i] - data->target[i], 2) : log1p(exp(-score));
        }
        lost = data->target ? sqrt(lost / N) : lost / N;
        if (!(fabs(lost - best) < 1e-9))
            fail_msg("%s: the scores of inner folds have the loss %g, not %g", text, lost, best);
        snprintf(text, sizeof text, "logistic:penalty=%s,lambda=%.17g", penalties[round / 4 % 3],
                 m->part[0].lambda);
        hs_fit(&alone, text, &training);
        assert_memory_equal(((hs_linear_model *)alone.model)->weight, m->weight,
                            (size_t)m->parts * m->places * sizeof *m->weight);
        hs_unfit(&alone);
        hs_unfit(&f);
        hs_folds_clear(&folds);
        hs_counts_clear(&counts);
        hsel_dataset_free(data);
    }
}

/* ---- the rest ---- */

struct world {
    hsel_dataset *data;
    hs_counts counts;
    hs_training training;
};

static void world_new(struct world *w, uint64_t seed, uint32_t classes)
{
    const hs_random_shape shape = {.instances = 40,
                                   .features = 9,
                                   .classes = classes,
                                   .density = 0.4,
                                   .numeric = 0.3,
                                   .nominal = 0.3,
                                   .missing = 0.1};
    hs_stream stream;
    hs_stream_init(&stream, seed, "test", 0, 0);
    w->data = hs_random_dataset(&stream, &shape);
    make_moderate(w->data);
    w->training = hs_training_on(w->data, &w->counts);
}

static void world_free(struct world *w)
{
    hs_counts_clear(&w->counts);
    hsel_dataset_free(w->data);
}

static void test_same_bytes(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < 6; round++) {
        struct world w;
        world_new(&w, 3 + round, 2 + round % 3);
        hs_fitted_check_bytes(round % 2 ? "logistic:penalty=elastic" : "logistic", &w.training);
        world_free(&w);
    }
}

/* A class that does not occur in the training part has the odds of one instance, whatever else. */
static void test_absent_class(void **state)
{
    (void)state;
    for (uint32_t classes = 2; classes <= 4; classes++) {
        struct world w;
        hs_fitted f;
        uint32_t rows[40], count = 0;
        hsel_error error = {0};
        world_new(&w, 20 + classes, classes);
        for (uint32_t i = 0; i < w.data->instances; i++)
            if (w.data->class_of[i] != classes - 1)
                rows[count++] = i;
        w.training.view.rows = rows;
        w.training.view.row_count = count;
        hs_counts_clear(&w.counts);
        assert_ok(hs_counts_of(&w.training.view, &w.counts, &error), error);
        hs_fit(&f, "logistic", &w.training);
        for (uint32_t i = 0; i < w.data->instances; i++) {
            double p[4];
            hs_fitted_predict(&f, w.data, i, NULL, p);
            assert_true(p[classes - 1] > 0 && p[classes - 1] < 0.2);
            if (classes == 2)
                assert_true(fabs(p[1] - 1.0 / (count + 2)) < 1e-12);
        }
        hs_unfit(&f);
        world_free(&w);
    }
}

static int stop_at(void *context, uint64_t done, uint64_t total, const char *what)
{
    uint32_t *left = context;
    (void)done;
    (void)total;
    (void)what;
    return --*left == 0;
}

static void test_stopped(void **state)
{
    struct world w;
    hs_fitted f;
    hsel_error error = {0};
    uint32_t left = UINT32_MAX;
    hs_progress progress = {.report = stop_at, .context = &left};
    (void)state;
    world_new(&w, 30, 2);
    w.training.progress = &progress;
    hs_fit(&f, "logistic", &w.training);
    hs_unfit(&f);
    const uint32_t all = UINT32_MAX - left;
    assert_true(all > 20);
    for (uint32_t last = 1; last <= all; last += 5) {
        left = last;
        assert_int_equal(hs_try_fit(&f, "logistic", &w.training, &error), HSEL_ECANCELLED);
    }
    world_free(&w);
}

static void test_bad_options(void **state)
{
    static const char *const bad[][2] = {
        {"logistic:lambda=0", "lambda of logistic is auto or a number above 0, not 0"},
        {"logistic:lambda=much", "lambda of logistic is auto or a number above 0, not much"},
        {"logistic:l1-ratio=0.2", "has no effect without penalty=elastic"},
        {"logistic:folds=3,lambda=1", "has no effect with a given lambda"}};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        hs_chosen chosen = {0};
        hsel_error error = {0};
        assert_int_equal(hs_chosen_parse(HS_CLASSIFIER, bad[i][0], &chosen, &error), HSEL_EUSAGE);
        if (!strstr(error.message, bad[i][1]))
            fail_msg("%s: %s", bad[i][0], error.message);
        hs_chosen_clear(&chosen);
    }
}

static void test_out_of_memory(void **state)
{
    struct world w;
    (void)state;
    world_new(&w, 40, 3);
    assert_true(
        hs_oom_each("logistic", hs_live_once, &(hs_life){&w.training, "logistic:folds=2"}) >= 30);
    assert_true(hs_oom_each("logistic", hs_live_once,
                            &(hs_life){&w.training, "logistic:penalty=lasso,lambda=0.01"}) >= 15);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_minimum),      cmocka_unit_test(test_choice),
        cmocka_unit_test(test_same_bytes),   cmocka_unit_test(test_absent_class),
        cmocka_unit_test(test_stopped),      cmocka_unit_test(test_bad_options),
        cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

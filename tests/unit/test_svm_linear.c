/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Linear machines beside those of liblinear, for which L2R_L2LOSS_SVC is the same problem: the same
 * minimum, on binary and numeric rows, easy and hard C, from 0 and from anywhere else, with folds
 * left out. The gap that a machine claims is checked against a minimum that is known better. Models
 * of svm are those machines, whatever the solver is called, and can be stopped.
 */
#include <linear.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "classify/svm_linear.h"
#include "support/fitted.h"
#include "support/random_data.h"
#include "support/svm_by_text.h"
#include "support/svm_cloud.h"

static void quiet(const char *text) { (void)text; }

/* The weights of liblinear, bias at the end; the first class is the positive one. */
static void ask_liblinear(const hs_cloud *cloud, double c, const double *of_class,
                          uint32_t left_out, double *w)
{
    static struct feature_node nodes[MOST * (MOST + 2)];
    struct feature_node *row[MOST];
    double y[MOST];
    uint32_t used = 0, rows = 0;
    for (uint32_t i = 0; i < cloud->rows; i++) {
        if (cloud->label[i] > 1 || i % 5 == left_out)
            continue;
        row[rows] = nodes + used;
        y[rows++] = cloud->label[i] == 0 ? 1 : -1;
        for (uint32_t j = 0; j < cloud->columns; j++)
            if (cloud->x[i][j] != 0)
                nodes[used++] = (struct feature_node){(int)j + 1, cloud->x[i][j]};
        nodes[used++] = (struct feature_node){(int)cloud->columns + 1, 1};
        nodes[used++] = (struct feature_node){-1, 0};
    }
    struct problem problem = {
        .l = (int)rows, .n = (int)cloud->columns + 1, .y = y, .x = row, .bias = 1};
    int labels[] = {1, -1};
    struct parameter parameter = {.solver_type = L2R_L2LOSS_SVC,
                                  .eps = 1e-12,
                                  .C = c,
                                  .nr_weight = 2,
                                  .weight_label = labels,
                                  .weight = (double *)(uintptr_t)of_class,
                                  .p = 0.1};
    set_print_string_function(quiet);
    struct model *model = train(&problem, &parameter);
    for (uint32_t j = 0; j <= cloud->columns; j++)
        w[j] = model->label[0] == 1 ? model->w[j] : -model->w[j];
    free_and_destroy_model(&model);
}

static double objective(const hs_cloud *cloud, double c, const double *of_class, uint32_t left_out,
                        const double *w)
{
    double sum = 0, losses = 0;
    for (uint32_t j = 0; j <= cloud->columns; j++)
        sum += w[j] * w[j] / 2;
    for (uint32_t i = 0; i < cloud->rows; i++) {
        double f = w[cloud->columns];
        for (uint32_t j = 0; j < cloud->columns; j++)
            f += w[j] * cloud->x[i][j];
        double lack = 1 - (cloud->label[i] == 0 ? f : -f);
        if (cloud->label[i] < 2 && i % 5 != left_out && lack > 0)
            losses += of_class[cloud->label[i]] * lack * lack;
    }
    return sum + c * losses;
}

static void test_machines_are_those_of_liblinear(void **state)
{
    static hs_cloud cloud;
    hs_stream stream;
    uint32_t fold_of[MOST], early = 0;
    hs_stream_init(&stream, 9, "test-svm-linear", 0, 0);
    (void)state;
    for (uint32_t i = 0; i < MOST; i++)
        fold_of[i] = i % 5;
    for (int round = 0; round < 300; round++) {
        double expected[MOST + 1], w[MOST + 1] = {0}, c = ldexp(1, round % 13 - 5);
        uint32_t left_out = round % 3 ? 9 : (uint32_t)round % 5;
        hs_linear_machine machine, rough;
        hsel_error error = {0};
        hs_cloud_new(&cloud, &stream, 2 + (uint32_t)round % 2, round % 4 < 2);
        uint32_t size[3] = {0};
        for (uint32_t i = 0; i < cloud.rows; i++)
            size[cloud.label[i]] += i % 5 != left_out;
        if (!size[0] || !size[1]) /* test_one_class */
            continue;
        /* C of each class, as liblinear's option -w; the third is not of the machine */
        double of_class[3] = {1, 1, 7}, weight[MOST];
        if (round % 5 > 2) {
            c = fmin(c, 4); /* liblinear stops early where it is hard */
            of_class[0] = 0.25 + hs_random_double(&stream);
            of_class[1] = 1 + 9 * hs_random_double(&stream);
        }
        for (uint32_t i = 0; i < cloud.rows; i++)
            weight[i] = of_class[cloud.label[i]];
        ask_liblinear(&cloud, c, of_class, left_out, expected);
        double least = objective(&cloud, c, of_class, left_out, expected);
        hs_svm_rows rows = cloud.lists;
        rows.value = round % 4 < 2 ? NULL : rows.value; /* all are 1 */
        hs_svm_space space = {
            .rows = &rows, .label = cloud.label, .tolerance = 0.1, .max_steps = UINT32_MAX};
        space.weight = round % 5 > 2 ? weight : NULL;
        assert_ok(hs_linear_train(&space, 0, 1, c, round % 3 ? NULL : fold_of, left_out, w, &rough,
                                  &error),
                  error);
        assert_near(objective(&cloud, c, of_class, left_out, w), rough.objective,
                    1e-9 * rough.objective);
        assert_true(rough.objective - least <= rough.gap + 1e-9 * least);
        assert_true(rough.gap <= 0.1 * 0.1 * rough.objective);
        early += rough.objective > least * (1 + 1e-7);
        space.tolerance = 1e-9;
        for (int from = 0; from < 3; from++) { /* where it was, 0, anywhere */
            for (uint32_t j = 0; from && j <= cloud.columns; j++)
                w[j] = from == 1 ? 0 : hs_random_double(&stream) - 0.5;
            assert_ok(hs_linear_train(&space, 0, 1, c, round % 3 ? NULL : fold_of, left_out, w,
                                      &machine, &error),
                      error);
            assert_false(machine.stopped);
            assert_near(machine.objective, least, 1e-7 * least);
            for (uint32_t j = 0; j <= cloud.columns; j++)
                assert_near(w[j], expected[j], 1e-4 * (1 + fabs(expected[j])));
        }
    }
    assert_true(early > 0); /* the gap was of use */
}

/* Without rows of one class, as hs_svm_machine_train. */
static void test_one_class(void **state)
{
    static hs_cloud cloud;
    hs_stream stream;
    hs_linear_machine machine;
    hsel_error error = {0};
    double w[MOST + 1];
    hs_stream_init(&stream, 10, "test-svm-linear", 0, 0);
    (void)state;
    hs_cloud_new(&cloud, &stream, 2, true);
    hs_svm_space space = {
        .rows = &cloud.lists, .label = cloud.label, .tolerance = 0.1, .max_steps = 10};
    for (uint32_t first = 0; first < 4; first++) {
        static const double offset[] = {1, 1, 0, -1}; /* of 0 and 7, 1 and 7, 7 and 8, 7 and 1 */
        uint32_t a = first < 2 ? first : 7, b = first < 2 ? 7 : first == 2 ? 8 : 1;
        for (uint32_t j = 0; j <= cloud.columns; j++)
            w[j] = 3;
        assert_ok(hs_linear_train(&space, a, b, 1, NULL, 0, w, &machine, &error), error);
        for (uint32_t j = 0; j <= cloud.columns; j++)
            assert_true(w[j] == (j < cloud.columns ? 0 : offset[first]));
    }
}

/* A model has the weights of the machine; solver=libsvm is another machine. */
static void test_models(void **state)
{
    hs_stream stream;
    uint32_t others = 0;
    hs_stream_init(&stream, 11, "test-svm-linear", 0, 0);
    (void)state;
    for (int round = 0; round < 40; round++) {
        static hs_cloud cloud;
        double expected[MOST + 1];
        hsel_error error = {0};
        hs_counts counts = {0};
        void *model, *other, *named;
        hsel_dataset *data = hs_random_dataset(
            &stream,
            &(hs_random_shape){.instances = 30, .features = 8, .classes = 2, .density = 0.4});
        hs_training training = hs_training_on(data, &counts);
        memset(&cloud, 0, sizeof cloud);
        cloud.rows = 30;
        cloud.columns = 8;
        for (uint32_t i = 0; i < 30; i++) {
            size_t count;
            const uint32_t *row = hs_row(data, i, &count);
            for (size_t k = 0; k < count; k++)
                cloud.x[i][row[k]] = 1;
            cloud.label[i] = data->class_of[i];
        }
        ask_liblinear(&cloud, 2, (double[]){1, 1}, 9, expected);
        assert_ok(hs_svm_by_text("svm:c=2,tolerance=1e-6", &training, &model, &error), error);
        assert_ok(
            hs_svm_by_text("svm:c=2,tolerance=1e-6,solver=liblinear", &training, &named, &error),
            error);
        assert_ok(hs_svm_by_text("svm:c=2,tolerance=1e-6,solver=libsvm", &training, &other, &error),
                  error);
        const hs_svm *m = model, *o = other, *n = named;
        for (uint32_t j = 0; j < 8; j++) {
            assert_near(m->weight[j], expected[j], 1e-5);
            assert_true(m->weight[j] == n->weight[j]);
            others += fabs(o->weight[j] - expected[j]) > 0.01;
        }
        assert_near(m->pair[0].rho, -expected[8], 1e-5);
        SVM->free(model);
        SVM->free(other);
        SVM->free(named);
        hs_counts_clear(&counts);
        hsel_dataset_free(data);
    }
    assert_true(others > 100);
}

/* ---- stopping ---- */

struct patience {
    uint32_t reports, last; /* stops at the last */
    char first[160];
};

static int lose_patience(void *context, uint64_t done, uint64_t total, const char *what)
{
    struct patience *patience = context;
    (void)done;
    (void)total;
    if (patience->reports++ == 0)
        strcpy(patience->first, what);
    return patience->reports == patience->last;
}

/* Every report of every solver can be the last, and the first one of a kernel says what is needed.
 */
static void test_stopped(void **state)
{
    static const struct {
        const char *text, *first;
    } cases[] = {{"svm:c=1,probability=logistic", "steps"},
                 {"svm:grid=rpv,grid-folds=2", "grid search"},
                 {"svm:preset=weka", "820 kernel values, 1 MB"},
                 {"svm:kernel=rbf,gamma=0.5,probability=logistic", "820 kernel values, 1 MB"}};
    hs_stream stream;
    hsel_error error = {0};
    hs_counts counts = {0};
    hs_stream_init(&stream, 12, "test-svm-linear", 0, 0);
    (void)state;
    hsel_dataset *data = hs_random_dataset(
        &stream, &(hs_random_shape){.instances = 40, .features = 8, .classes = 2, .density = 0.4});
    hs_training training = hs_training_on(data, &counts);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct patience patience = {0};
        hs_progress progress = {.report = lose_patience, .context = &patience};
        void *model = NULL;
        training.progress = &progress;
        assert_ok(hs_svm_by_text(cases[i].text, &training, &model, &error), error);
        SVM->free(model);
        assert_string_equal(patience.first, cases[i].first);
        uint32_t all = patience.reports;
        assert_true(all > 3);
        for (uint32_t last = 1; last <= all; last += 1 + all / 20) {
            patience = (struct patience){.last = last};
            model = NULL;
            assert_int_equal(hs_svm_by_text(cases[i].text, &training, &model, &error),
                             HSEL_ECANCELLED);
            assert_null(model);
            assert_int_equal(patience.reports, last);
        }
    }
    hs_counts_clear(&counts);
    hsel_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_machines_are_those_of_liblinear), cmocka_unit_test(test_one_class),
        cmocka_unit_test(test_models), cmocka_unit_test(test_stopped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

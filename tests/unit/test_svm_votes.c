/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The class that svm predicts against the votes of libsvm itself, ties between classes included.
 */
#include <math.h>
#include <string.h>
#include <svm.h>

#include "classify/classify.h"
#include "stats/metrics.h"
#include "support/cmocka.h"
#include "support/fitted.h"
#include "support/random_data.h"
#include "support/predict_one.h"

#define MOST 64

static void quiet(const char *text) { (void)text; }

/* Rows of binary data sorted by class, as libsvm numbers classes by their first rows. */
static void rows_of(const hsel_dataset *data, uint32_t *rows, double *label,
                    struct svm_node (*nodes)[MOST], struct svm_node **row)
{
    uint32_t count = 0;
    for (uint32_t c = 0; c < data->class_names.count; c++)
        for (uint32_t i = 0; i < data->instances; i++)
            if (data->class_of[i] == c) {
                size_t size;
                const uint32_t *positive = hs_row(data, i, &size);
                for (size_t j = 0; j < size; j++)
                    nodes[count][j] = (struct svm_node){(int)positive[j] + 1, 1};
                nodes[count][size] = (struct svm_node){-1, 0};
                row[count] = nodes[count];
                label[count] = c;
                rows[count++] = i;
            }
}

static void test_svm_predicts_as_libsvm(void **state)
{
    static const char *const texts[] = {"svm:solver=libsvm,normalise=false",
                                        "svm:kernel=rbf,c=4,gamma=0.25"};
    const struct svm_parameter parameters[] = {{.svm_type = C_SVC,
                                                .kernel_type = LINEAR,
                                                .C = 1,
                                                .cache_size = 10,
                                                .eps = 0.001,
                                                .shrinking = 1},
                                               {.svm_type = C_SVC,
                                                .kernel_type = RBF,
                                                .gamma = 0.25,
                                                .C = 4,
                                                .cache_size = 10,
                                                .eps = 0.001,
                                                .shrinking = 1}};
    svm_set_print_string_function(quiet);
    uint32_t compared = 0, ties = 0, by_probability = 0;
    hs_stream stream;
    hs_stream_init(&stream, 4, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 200; round++) {
        uint32_t classes = 2 + (uint32_t)round % 5, rows[MOST];
        double label[MOST], probability[6], score[6], value[15];
        struct svm_node nodes[MOST][MOST], *row[MOST];
        hsel_error error = {0};
        hs_counts counts = {0};
        hs_fitted f;
        hsel_dataset *data = hs_random_dataset(
            &stream,
            &(hs_random_shape){.instances = 40, .features = 8, .classes = classes, .density = 0.4});
        rows_of(data, rows, label, nodes, row);
        struct svm_problem problem = {.l = 40, .y = label, .x = row};
        hs_training training = hs_training_on(data, &counts);
        training.view.rows = rows;
        struct svm_model *model = svm_train(&problem, &parameters[round % 2]);
        hs_fit(&f, texts[round % 2], &training);
        for (uint32_t i = 0; i < 40; i++) {
            uint32_t votes[6] = {0}, most = 0, equal = 0, p = 0;
            bool close = false;
            assert_ok(hs_predict_one(f.chosen.method->classifier, f.model, data, rows[i], NULL,
                                     f.scratch, probability, score, &error),
                      error);
            uint32_t said = (uint32_t)svm_predict_values(model, row[i], value);
            for (uint32_t a = 0; a < classes; a++)
                for (uint32_t b = a + 1; b < classes; b++, p++) {
                    close = close || fabs(value[p]) < 1e-9;
                    votes[value[p] > 0 ? a : b]++;
                }
            for (uint32_t c = 0; c < classes; c++)
                most = votes[c] > votes[most] ? c : most;
            for (uint32_t c = 0; c < classes; c++)
                equal += votes[c] == votes[most];
            if (close)
                continue; /* sums in another order may fall to the other side */
            compared++;
            ties += equal > 1;
            by_probability += hs_predicted_class(probability, classes) == said;
            assert_int_equal(hs_predicted_class(score, classes), said);
            if (classes == 2)
                assert_true(fabs(score[0] - value[0]) < 1e-9 && score[1] == -score[0]);
        }
        svm_free_and_destroy_model(&model);
        hs_unfit(&f);
        hs_counts_clear(&counts);
        hsel_dataset_free(data);
    }
    assert_true(compared > 5000 && ties > 100 && by_probability < compared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_svm_predicts_as_libsvm)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Models of svm on a few numbers: worked out by hand, awkward training parts (a class of one
 * instance or none, constants, no features), values that are refused, descriptions.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/builder.h"
#include "support/svm_by_text.h"
#include "support/svm_cloud.h"
#include "support/predict_one.h"

/* Rows "label value value …" of numeric features f0, f1 …; label -1: none. */
static hsel_dataset *numeric_data(uint32_t rows, uint32_t features, uint32_t classes,
                                  const double *cells)
{
    hs_builder *b = NULL;
    hsel_dataset *data = NULL;
    hsel_error error = {0};
    uint32_t id;
    char name[16];
    assert_ok(hs_builder_new(&b, &error), error);
    for (uint32_t f = 0; f < features; f++) {
        int length = snprintf(name, sizeof name, "f%u", f);
        assert_ok(hs_builder_feature(b, name, (size_t)length, HSEL_NUMERIC, &id, &error), error);
    }
    for (uint32_t c = 0; c < classes; c++) {
        int length = snprintf(name, sizeof name, "c%u", c);
        assert_ok(hs_builder_class(b, name, (size_t)length, &id, &error), error);
    }
    for (uint32_t i = 0; i < rows; i++) {
        const double *row = cells + i * (features + 1);
        assert_ok(hs_builder_row(b, NULL, 0, row[0] < 0 ? HSEL_NONE : (uint32_t)row[0], &error),
                  error);
        for (uint32_t f = 0; f < features; f++)
            assert_ok(hs_builder_numeric(b, f, row[f + 1], &error), error);
    }
    assert_ok(hs_builder_describe(b, "data", NULL, NULL, &error), error);
    assert_ok(hs_builder_finish(b, &data, &error), error);
    hs_builder_free(b);
    return data;
}

static int fit_numeric(const char *text, const hsel_dataset *data, void **model, hsel_error *error)
{
    hs_view view = hs_view_all(data);
    hs_counts counts = {0};
    hsel_error inner = {0};
    assert_ok(hs_counts_of(&view, &counts, &inner), inner);
    hs_training training = {.view = view, .counts = &counts, .seed = 1, .threads = 1};
    int status = hs_svm_by_text(text, &training, model, error);
    hs_counts_clear(&counts);
    return status;
}

/* Two points at 2 and 6, or 0 and 1 after scaling: f = 2 x - 1 for the class of the larger one. */
static void test_numbers_by_hand(void **state)
{
    const double cells[] = {1, 2, 0, 6, 1, 2, 0, 6, -1, NAN, -1, 1e6};
    hsel_dataset *data = numeric_data(6, 1, 2, cells);
    hsel_error error = {0};
    void *pointer;
    double p[12];
    (void)state;
    assert_ok(fit_numeric("svm:solver=libsvm,c=100,tolerance=1e-6", data, &pointer, &error), error);
    const hs_svm *m = pointer;
    assert_near(m->weight[0], 2, 1e-6);
    assert_near(m->pair[0].rho, 1, 1e-6);
    /* calibrated on -1, -1, 1, 1 with targets 1/4 and 3/4: 1 / (1 + exp(-log(3) f)) */
    assert_near(m->pair[0].platt.a, -log(3), 1e-6);
    assert_near(m->pair[0].platt.b, 0, 1e-6);
    hs_svm_ask_all(m, data, p);
    assert_near(p[0], 0.25, 1e-6);
    assert_near(p[2], 0.75, 1e-6);
    assert_near(p[8], 0.5, 1e-6);      /* missing: the mean, halfway */
    assert_true(p[10] == 1);           /* far out */
    for (uint32_t i = 0; i < 5; i++) { /* a linear function of the scaled value */
        double prior, said;
        assert_ok(hs_contributions_one(SVM, m, data, i, NULL, NULL, 1, &prior, &said, &error),
                  error);
        assert_near(prior, log(3), 1e-5);
        assert_near(prior + said, log(p[2 * i + 1] / p[2 * i]), 1e-9);
    }
    SVM->free(pointer);
    assert_ok(fit_numeric("svm:solver=libsvm,c=100,tolerance=1e-6,normalise=false", data, &pointer,
                          &error),
              error);
    m = pointer;
    assert_near(m->weight[0], 0.5, 1e-6);
    assert_near(m->pair[0].rho, 2, 1e-6);
    SVM->free(pointer);
    hsel_dataset_free(data);
}

static void test_awkward_training_parts(void **state)
{
    static const char *const texts[] = {"svm", "svm:kernel=rbf", "svm:kernel=polynomial",
                                        "svm:kernel=rbf,grid=rpv,metric=gm",
                                        "svm:probability=votes"};
    const double one_of_a_class[] = {0, 1, 5, 0, 2, 5, 0, 3, 5, 1, 9, 5, 2, 4, 5, 2, 5, 5};
    const double one_class[] = {1, 1, 1, 2}, two_rows[] = {0, 1, 2, 1};
    uint64_t nothing = 0;
    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        hsel_dataset *data =
            numeric_data(6, 2, 4, one_of_a_class); /* second feature constant, class 3 nowhere */
        hs_view view = hs_view_all(data);
        hs_counts counts = {0};
        hsel_error error = {0};
        void *model;
        double p[24];
        assert_ok(hs_counts_of(&view, &counts, &error), error);
        for (int pass = 0; pass < 2; pass++) { /* all features, then none */
            view.features = pass ? &nothing : NULL;
            hs_training training = {.view = view, .counts = &counts, .seed = 1, .threads = 1};
            assert_ok(hs_svm_by_text(texts[t], &training, &model, &error), error);
            hs_svm_ask_all(model, data, p);
            for (uint32_t i = 0; i < 6; i++) {
                assert_true(p[4 * i + 3] == 0);
                assert_near(p[4 * i] + p[4 * i + 1] + p[4 * i + 2], 1, 1e-12);
            }
            for (uint32_t i = 1; i < 6 && pass; i++)
                assert_memory_equal(p, p + 4 * i, 4 * sizeof *p);
            SVM->free(model);
        }
        hs_counts_clear(&counts);
        hsel_dataset_free(data);
        data = numeric_data(2, 1, 2, one_class);
        assert_ok(fit_numeric(texts[t], data, &model, &error), error);
        hs_svm_ask_all(model, data, p);
        assert_true(p[0] == 0 && p[1] == 1);
        SVM->free(model);
        hsel_dataset_free(data);
        data = numeric_data(2, 1, 3, two_rows);
        assert_ok(fit_numeric(texts[t], data, &model, &error), error);
        hs_svm_ask_all(model, data, p);
        assert_near(p[0] + p[2], 1, 1e-12);
        assert_true(p[1] == 0);
        SVM->free(model);
        hsel_dataset_free(data);
    }
}

static void refuse(const char *text, const double *cells, const char *message)
{
    hsel_dataset *data = numeric_data(4, 1, 2, cells);
    hsel_error error = {0};
    void *model;
    int status = fit_numeric(text, data, &model, &error);
    assert_true(status == HSEL_EUNSUPPORTED || status == HSEL_EUSAGE);
    assert_string_equal(error.message, message);
    hsel_dataset_free(data);
}

static void test_refused(void **state)
{
    const double infinite[] = {0, 1, 1, INFINITY, 0, 2, 1, 3},
                 wide[] = {0, -1e308, 1, 1e308, 0, 2, 1, 3};
    const double large[] = {0, 1e200, 1, 2e20, 0, 2, 1, 3}, fine[] = {0, 1, 1, 2, 0, 2, 1, 3};
    (void)state;
    refuse("svm", infinite,
           "svm needs finite values, but feature f0 of data has values too large or infinite");
    refuse("svm", wide,
           "svm needs finite values, but feature f0 of data has values too large or infinite");
    refuse(
        "svm:normalise=false", large,
        "the values are too large for svm's kernel: scale them (normalise=true) or choose smaller "
        "gamma, degree or coef0");
    refuse(
        "svm:kernel=polynomial,degree=100,coef0=1e6", fine,
        "the values are too large for svm's kernel: scale them (normalise=true) or choose smaller "
        "gamma, degree or coef0");
    refuse("svm:kernel=rbf,solver=liblinear", fine,
           "svm: solver=liblinear is only for kernel=linear");
    /* an infinite value that only comes when predicting */
    hsel_dataset *data = numeric_data(4, 1, 2, fine), *bad = numeric_data(4, 1, 2, infinite);
    void *model, *scratch;
    double p[2], score[2];
    hsel_error error = {0};
    assert_ok(fit_numeric("svm", data, &model, &error), error);
    assert_ok(SVM->scratch_new(model, &scratch, &error), error);
    assert_int_equal(hs_predict_one(SVM, model, bad, 1, NULL, scratch, p, score, &error),
                     HSEL_EUNSUPPORTED);
    assert_ok(hs_predict_one(SVM, model, bad, 0, NULL, scratch, p, score, &error), error);
    SVM->scratch_free(scratch);
    SVM->free(model);
    hsel_dataset_free(data);
    hsel_dataset_free(bad);
}

/* ---- descriptions ---- */

static void describe(const void *model, const hsel_dataset *shape, hs_describe_form form,
                     hs_buf *text)
{
    hs_writer *out = NULL;
    hsel_error error = {0};
    text->length = 0;
    assert_ok(hs_writer_open_memory(text, &out, &error), error);
    assert_ok(SVM->describe(model, shape, form, out, &error), error);
    assert_ok(hs_writer_commit(out, &error), error);
}

static void test_descriptions(void **state)
{
    const double cells[] = {1, 2, 0, 6};
    hsel_dataset *data = numeric_data(2, 1, 2, cells);
    hs_buf text = {0};
    hsel_error error = {0};
    void *model;
    (void)state;
    assert_ok(fit_numeric("svm:solver=libsvm,c=100,probability=votes", data, &model, &error),
              error);
    describe(model, data, HS_DESCRIBE_TEXT, &text);
    assert_string_equal(text.text, "kernel           linear\n"
                                   "C                100\n\n"
                                   "c0 (+) or c1 (-): 2 support vectors, rho 1\n"
                                   "     +2.0000  f0\n");
    describe(model, data, HS_DESCRIBE_JSON, &text);
    assert_string_equal(text.text,
                        "{\n  \"kernel\": \"linear\",\n  \"c\": 100,\n  \"machines\": [\n    {\n"
                        "      \"positive\": \"c0\",\n      \"negative\": \"c1\",\n"
                        "      \"support_vectors\": 2,\n      \"rho\": 1,\n"
                        "      \"weights\": {\n        \"f0\": 2\n      }\n    }\n  ]\n}\n");
    SVM->free(model);
    assert_ok(fit_numeric("svm:kernel=polynomial,gamma=2", data, &model, &error), error);
    describe(model, data, HS_DESCRIBE_TEXT, &text);
    assert_non_null(strstr(text.text, "gamma            2\ndegree, coef0    3, 0\n"));
    SVM->free(model);
    hs_buf_clear(&text);
    hsel_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_by_hand), cmocka_unit_test(test_awkward_training_parts),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_descriptions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

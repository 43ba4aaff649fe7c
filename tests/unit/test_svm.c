/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole models of svm against features spread cell by cell, numbers worked out by hand, model
 * files, threads (fit spreads its work by hs_parallel_for), bad input, lack of memory.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "classify/svm_model.h"
#include "data/builder.h"
#include "support/oom.h"
#include "support/random_data.h"
#include "support/svm_cloud.h"

/* ---- whole models ---- */

struct part {
    hsel_dataset *data;
    uint32_t rows[MOST], count;
    uint64_t mask;
    hs_counts counts;
    hs_training training;
};

static void part_new(struct part *p, hs_stream *stream, uint32_t classes, bool mixed, bool masked)
{
    hs_random_shape shape = {.instances = 12 + (uint32_t)hs_random_below(stream, 20),
                             .features = 1 + (uint32_t)hs_random_below(stream, 10),
                             .classes = classes,
                             .density = 0.4,
                             .numeric = mixed ? 0.4 : 0,
                             .nominal = mixed ? 0.3 : 0,
                             .missing = mixed ? 0.1 : 0,
                             .unlabelled = 0.1};
    hsel_error error = {0};
    *p = (struct part){.data = hs_random_dataset(stream, &shape)};
    for (uint32_t i = 0; i < shape.instances; i++)
        if (i < 8 || hs_random_below(stream, 4))
            p->rows[p->count++] = i;
    hs_random_shuffle(stream, p->rows, p->count);
    for (uint32_t f = 0; f < shape.features; f++)
        p->mask |= (uint64_t)(hs_random_below(stream, 3) > 0) << f;
    hs_view view = {.data = p->data,
                    .rows = p->rows,
                    .row_count = p->count,
                    .features = masked ? &p->mask : NULL};
    assert_ok(hs_counts_of(&view, &p->counts, &error), error);
    p->training = (hs_training){.view = view, .counts = &p->counts, .seed = 7, .threads = 1};
}

static void part_free(struct part *p)
{
    hs_counts_clear(&p->counts);
    hsel_dataset_free(p->data);
}

static int fit(const char *text, const hs_training *training, void **model, hsel_error *error)
{
    hs_chosen chosen = {0};
    int status = hs_chosen_parse(HS_CLASSIFIER, text, &chosen, error);
    *model = NULL;
    if (status == HSEL_OK)
        status = chosen.method->classifier->fit(training, chosen.options, model, error);
    hs_chosen_clear(&chosen);
    return status;
}

/* Probabilities of all instances, [instances * classes]; NaN where a value (of 1e300) was refused.
 * How many were refused. */
static uint32_t predict_all(const void *model, const hsel_dataset *data, double *p)
{
    void *scratch = NULL;
    hsel_error error = {0};
    uint32_t refused = 0, classes = data->class_names.count;
    assert_ok(hs_svm_scratch_new(model, &scratch, &error), error);
    for (uint32_t i = 0; i < data->instances; i++) {
        double sum = 0;
        int status = hs_svm_predict(model, data, i, NULL, scratch, p + i * classes, &error);
        if (status == HSEL_EUNSUPPORTED) {
            assert_non_null(strstr(error.message, "has values too large for svm's kernel"));
            refused++;
            for (uint32_t c = 0; c < classes; c++)
                p[i * classes + c] = NAN;
            continue;
        }
        assert_ok(status, error);
        for (uint32_t c = 0; c < classes; c++)
            sum += p[i * classes + c];
        assert_true(fabs(sum - 1) < 1e-9);
    }
    hs_svm_scratch_free(scratch);
    return refused;
}

/* Every column of every instance, as WEKA's filters would make them. Returns the number of them. */
static uint32_t spread_twin(const struct part *p, double x[MOST][MOST])
{
    const hsel_dataset *d = p->data;
    const hs_view *view = &p->training.view;
    double spread[MOST];
    uint32_t column = 0;
    for (int pass = 0; pass < 2; pass++) /* binary features, then the others */
        for (uint32_t f = 0; f < d->features; f++) {
            if (!hs_view_has(view, f) || (d->types[f] == HSEL_BINARY) != (pass == 0))
                continue;
            if (d->types[f] == HSEL_NOMINAL) {
                const hs_nominal_column *n = &d->nominal[d->slot[f]];
                uint32_t seen[8] = {0}, common = 0, values = n->values.count;
                for (uint32_t i = 0; i < p->count; i++)
                    if (d->class_of[p->rows[i]] != HSEL_NONE &&
                        n->codes[p->rows[i]] != HS_MISSING_CODE)
                        seen[n->codes[p->rows[i]]]++;
                for (uint32_t v = 1; v < values; v++)
                    common = seen[v] > seen[common] ? v : common;
                for (uint32_t v = values > 2 ? 0 : 1; v < values; v++, column++)
                    for (uint32_t i = 0; i < d->instances; i++)
                        x[i][column] = (n->codes[i] == HS_MISSING_CODE ? common : n->codes[i]) == v;
                continue;
            }
            const double *values = hs_dataset_numeric(d, f, spread);
            double low = 1e300, high = -1e300, sum = 0, count = 0;
            for (uint32_t i = 0; i < p->count; i++) {
                double v = values[p->rows[i]];
                if (d->class_of[p->rows[i]] == HSEL_NONE || isnan(v))
                    continue;
                low = fmin(low, v);
                high = fmax(high, v);
                sum += v;
                count++;
            }
            for (uint32_t i = 0; i < d->instances; i++)
                if (d->types[f] == HSEL_BINARY)
                    x[i][column] = values[i];
                else if (low >= high)
                    x[i][column] = 0;
                else
                    x[i][column] =
                        ((isnan(values[i]) ? sum / count : values[i]) - low) / (high - low);
            column++;
        }
    return column;
}

/* Decision values of all pairs by machines on the spread columns; then votes or curves. */
static void model_twin(const struct part *p, const hs_svm_kernel *kernel, double c, bool votes,
                       double *out)
{
    static double x[MOST][MOST];
    static hs_cloud d;
    const hsel_dataset *data = p->data;
    uint32_t k = data->class_names.count, where[MOST];
    hs_svm_space space;
    hsel_error error = {0};
    double r[MOST][16], room[20];
    memset(x, 0, sizeof x);
    d.rows = 0;
    d.columns = spread_twin(p, x);
    for (uint32_t i = 0; i < p->count; i++)
        if (data->class_of[p->rows[i]] != HSEL_NONE) {
            memcpy(d.x[d.rows], x[p->rows[i]], sizeof x[0]);
            where[d.rows] = p->rows[i];
            d.label[d.rows++] = data->class_of[p->rows[i]];
        }
    hs_cloud_link(&d);
    assert_ok(hs_svm_space_new(&d.lists, d.label, 1e-3, 8, &space, &error), error);
    assert_ok(hs_svm_space_fill(&space, kernel, 1, &error), error);
    for (uint32_t i = 0; i < data->instances * k; i++)
        out[i] = 0;
    for (uint32_t a = 0; a < k; a++)
        for (uint32_t b = a + 1; b < k; b++) {
            double f[MOST], used[MOST];
            bool positive[MOST];
            size_t count = 0;
            hs_svm_machine m;
            assert_ok(hs_svm_machine_train(&space, a, b, c, NULL, 0, &m, &error), error);
            for (uint32_t i = 0; i < data->instances; i++) {
                f[i] = -m.rho;
                for (uint32_t j = 0; j < m.count; j++)
                    f[i] += m.coef[j] * hs_kernel_twin(kernel, x[where[m.row[j]]], x[i], d.columns);
            }
            for (uint32_t i = 0; i < d.rows; i++)
                if (d.label[i] == a || d.label[i] == b) {
                    used[count] = f[where[i]];
                    positive[count++] = d.label[i] == a;
                }
            hs_platt curve = hs_platt_fit(used, positive, count);
            for (uint32_t i = 0; i < data->instances; i++) {
                if (fabs(f[i]) > 1e-9) /* else rounding decides */
                    out[i * k + (f[i] > 0 ? a : b)] += 2.0 / (k * (k - 1));
                else
                    out[i * k] = NAN;
                r[i][a * k + b] = fmin(fmax(hs_platt_probability(curve, f[i]), 1e-7), 1 - 1e-7);
                r[i][b * k + a] = 1 - r[i][a * k + b];
            }
            hs_svm_machine_clear(&m);
        }
    for (uint32_t i = 0; i < data->instances && !votes; i++)
        hs_couple_pairs(r[i], k, room, out + i * k);
    hs_svm_space_clear(&space);
}

static void test_models_on_spread_columns(void **state)
{
    static const char *const kernels[] = {"linear", "polynomial,degree=2,coef0=1,gamma=0.3",
                                          "rbf,gamma=0.3"};
    hs_stream stream;
    uint32_t refused = 0, all = 0;
    hs_stream_init(&stream, 5, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 600; round++) {
        uint32_t k = 2 + (uint32_t)round / 3 % 3;
        bool votes = round % 2;
        struct part p;
        char text[200];
        void *model;
        hsel_error error = {0};
        double found[MOST * 4], expected[MOST * 4];
        hs_svm_kernel kernel = hs_kernel_of(round);
        part_new(&p, &stream, k, round % 5 > 1, round % 4 == 0);
        bool every = true;
        for (uint32_t c = 0; c < k; c++)
            every = every && p.counts.class_size[c] > 0;
        snprintf(text, sizeof text, "svm:kernel=%s,c=2,probability=%s", kernels[round % 3],
                 votes ? "votes" : "platt");
        assert_ok(fit(text, &p.training, &model, &error), error);
        refused += predict_all(model, p.data, found);
        all += p.data->instances;
        if (every) {
            model_twin(&p, &kernel, 2, votes, expected);
            for (uint32_t i = 0; i < p.data->instances * k; i++)
                if (!isnan(expected[i - i % k]) && fabs(found[i] - expected[i]) > 1e-5)
                    fail_msg("round %d, instance %u: %g instead of %g", round, i / k, found[i],
                             expected[i]);
        }
        hs_svm_free(model);
        part_free(&p);
    }
    assert_true(refused > 0 && refused < all / 100);
}

/* The same model at every number of threads; and again from its file. */
static void test_threads_and_files(void **state)
{
    static const char *const texts[] = {
        "svm:calibrate=3", "svm:kernel=rbf,grid=rpv,grid-folds=3",
        "svm:grid=rpv,metric=gm,probability=votes",
        "svm:kernel=polynomial,coef0=1,calibrate=4,normalise=false,cache=1"};
    hs_stream stream;
    hs_stream_init(&stream, 6, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 24; round++) {
        struct part p;
        hsel_error error = {0};
        double one[MOST * 4], other[MOST * 4];
        void *model, *again;
        hs_buf bytes = {0};
        hs_writer *out = NULL;
        part_new(&p, &stream, 2 + (uint32_t)round % 3, round % 4 == 1, false);
        size_t size = p.data->instances * p.data->class_names.count * sizeof(double);
        assert_ok(fit(texts[round % 4], &p.training, &model, &error), error);
        predict_all(model, p.data, one);
        p.training.threads = 4;
        assert_ok(fit(texts[round % 4], &p.training, &again, &error), error);
        predict_all(again, p.data, other);
        assert_memory_equal(one, other, size);
        hs_svm_free(again);
        assert_ok(hs_writer_open_memory(&bytes, &out, &error), error);
        assert_ok(hs_svm_write(model, out, &error), error);
        assert_ok(hs_writer_commit(out, &error), error);
        assert_ok(hs_svm_read(bytes.text, bytes.length, p.data, &again, &error), error);
        predict_all(again, p.data, other);
        assert_memory_equal(one, other, size);
        hs_svm_free(again);
        hs_svm_free(model);
        hs_buf_clear(&bytes);
        part_free(&p);
    }
}

/* Files cut off anywhere are refused; files with any byte changed are refused or can be used. */
static void test_damaged_files(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 7, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 6; round++) {
        struct part p;
        hsel_error error = {0};
        double found[MOST * 4];
        void *model, *again;
        hs_buf bytes = {0};
        hs_writer *out = NULL;
        part_new(&p, &stream, 2 + (uint32_t)round % 3, round % 2, false);
        assert_ok(fit(round % 3 ? "svm:kernel=rbf" : "svm", &p.training, &model, &error), error);
        assert_ok(hs_writer_open_memory(&bytes, &out, &error), error);
        assert_ok(hs_svm_write(model, out, &error), error);
        assert_ok(hs_writer_commit(out, &error), error);
        for (size_t length = 0; length < bytes.length; length++) {
            char *cut = malloc(length ? length : 1); /* of this size, for the sanitizer */
            memcpy(cut, bytes.text, length);
            assert_int_equal(hs_svm_read(cut, length, p.data, &again, &error), HSEL_EFORMAT);
            free(cut);
        }
        assert_string_equal(error.message, "the svm model is cut off or damaged");
        for (int change = 0; change < 3000; change++) {
            size_t at = hs_random_below(&stream, bytes.length);
            char kept = bytes.text[at];
            bytes.text[at] = (char)hs_random_below(&stream, 256);
            if (hs_svm_read(bytes.text, bytes.length, p.data, &again, &error) == HSEL_OK) {
                predict_all(again, p.data, found);
                hs_svm_free(again);
            }
            bytes.text[at] = kept;
        }
        hs_svm_free(model);
        hs_buf_clear(&bytes);
        part_free(&p);
    }
}

/* ---- awkward data ---- */

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
    int status = fit(text, &training, model, error);
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
    assert_ok(fit_numeric("svm:c=100,tolerance=1e-6", data, &pointer, &error), error);
    const hs_svm *m = pointer;
    assert_near(m->weight[0], 2, 1e-6);
    assert_near(m->pair[0].rho, 1, 1e-6);
    /* calibrated on -1, -1, 1, 1 with targets 1/4 and 3/4: 1 / (1 + exp(-log(3) f)) */
    assert_near(m->pair[0].platt.a, -log(3), 1e-6);
    assert_near(m->pair[0].platt.b, 0, 1e-6);
    predict_all(m, data, p);
    assert_near(p[0], 0.25, 1e-6);
    assert_near(p[2], 0.75, 1e-6);
    assert_near(p[8], 0.5, 1e-6); /* missing: the mean, halfway */
    assert_true(p[10] == 1);      /* far out */
    assert_true(isnan(hs_svm_contribution(m, 0, true, 0)));
    hs_svm_free(pointer);
    assert_ok(fit_numeric("svm:c=100,tolerance=1e-6,normalise=false", data, &pointer, &error),
              error);
    m = pointer;
    assert_near(m->weight[0], 0.5, 1e-6);
    assert_near(m->pair[0].rho, 2, 1e-6);
    hs_svm_free(pointer);
    hsel_dataset_free(data);
}

static void test_awkward_training_parts(void **state)
{
    static const char *const texts[] = {
        "svm", "svm:kernel=rbf,calibrate=5", "svm:kernel=polynomial",
        "svm:kernel=rbf,grid=rpv,metric=gm", "svm:probability=votes"};
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
            assert_ok(fit(texts[t], &training, &model, &error), error);
            predict_all(model, data, p);
            for (uint32_t i = 0; i < 6; i++) {
                assert_true(p[4 * i + 3] == 0);
                assert_near(p[4 * i] + p[4 * i + 1] + p[4 * i + 2], 1, 1e-12);
            }
            for (uint32_t i = 1; i < 6 && pass; i++)
                assert_memory_equal(p, p + 4 * i, 4 * sizeof *p);
            hs_svm_free(model);
        }
        hs_counts_clear(&counts);
        hsel_dataset_free(data);
        data = numeric_data(2, 1, 2, one_class);
        assert_ok(fit_numeric(texts[t], data, &model, &error), error);
        predict_all(model, data, p);
        assert_true(p[0] == 0 && p[1] == 1);
        hs_svm_free(model);
        hsel_dataset_free(data);
        data = numeric_data(2, 1, 3, two_rows);
        assert_ok(fit_numeric(texts[t], data, &model, &error), error);
        predict_all(model, data, p);
        assert_near(p[0] + p[2], 1, 1e-12);
        assert_true(p[1] == 0);
        hs_svm_free(model);
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
           "svm needs finite values, and feature f0 of data has values too large or infinite");
    refuse("svm", wide,
           "svm needs finite values, and feature f0 of data has values too large or infinite");
    refuse(
        "svm:normalise=false", large,
        "the values are too large for svm's kernel: scale them (normalise=true) or choose smaller "
        "gamma, degree or coef0");
    refuse(
        "svm:kernel=polynomial,degree=100,coef0=1e6", fine,
        "the values are too large for svm's kernel: scale them (normalise=true) or choose smaller "
        "gamma, degree or coef0");
    refuse("svm:calibrate=1", fine,
           "svm: calibrate=1 leaves nothing to learn from: 0, or 2 and more");
    /* an infinite value that only comes when predicting */
    hsel_dataset *data = numeric_data(4, 1, 2, fine), *bad = numeric_data(4, 1, 2, infinite);
    void *model, *scratch;
    double p[2];
    hsel_error error = {0};
    assert_ok(fit_numeric("svm", data, &model, &error), error);
    assert_ok(hs_svm_scratch_new(model, &scratch, &error), error);
    assert_int_equal(hs_svm_predict(model, bad, 1, NULL, scratch, p, &error), HSEL_EUNSUPPORTED);
    assert_ok(hs_svm_predict(model, bad, 0, NULL, scratch, p, &error), error);
    hs_svm_scratch_free(scratch);
    hs_svm_free(model);
    hsel_dataset_free(data);
    hsel_dataset_free(bad);
}

/* ---- descriptions, memory ---- */

static void describe(const void *model, const hsel_dataset *shape, hs_describe_form form,
                     hs_buf *text)
{
    hs_writer *out = NULL;
    hsel_error error = {0};
    text->length = 0;
    assert_ok(hs_writer_open_memory(text, &out, &error), error);
    assert_ok(hs_svm_describe(model, shape, form, out, &error), error);
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
    assert_ok(fit_numeric("svm:c=100,probability=votes", data, &model, &error), error);
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
    assert_int_equal(hs_svm_describe(model, data, HS_DESCRIBE_DOT, NULL, &error),
                     HSEL_EUNSUPPORTED);
    hs_svm_free(model);
    assert_ok(fit_numeric("svm:kernel=polynomial,gamma=2", data, &model, &error), error);
    describe(model, data, HS_DESCRIBE_TEXT, &text);
    assert_non_null(strstr(text.text, "gamma            2\ndegree, coef0    3, 0\n"));
    hs_svm_free(model);
    hs_buf_clear(&text);
    hsel_dataset_free(data);
}

struct use {
    const struct part *part;
    const char *text;
};

static int use_all(void *context, hsel_error *error)
{
    const struct use *use = context;
    void *model = NULL, *again = NULL, *scratch = NULL;
    hs_buf bytes = {0};
    hs_writer *out = NULL;
    double p[4];
    int status = fit(use->text, &use->part->training, &model, error);
    if (status == HSEL_OK)
        status = hs_writer_open_memory(&bytes, &out, error);
    if (status == HSEL_OK)
        status = hs_svm_write(model, out, error);
    if (status == HSEL_OK) {
        status = hs_writer_commit(out, error);
        out = NULL;
    }
    if (status == HSEL_OK)
        status = hs_svm_read(bytes.text, bytes.length, use->part->data, &again, error);
    if (status == HSEL_OK)
        status = hs_svm_scratch_new(again, &scratch, error);
    if (status == HSEL_OK)
        status = hs_svm_predict(again, use->part->data, 0, NULL, scratch, p, error);
    for (int form = 0; form < 2 && status == HSEL_OK; form++) {
        status = hs_writer_open_memory(&bytes, &out, error);
        if (status == HSEL_OK)
            status = hs_svm_describe(again, use->part->data,
                                     form ? HS_DESCRIBE_JSON : HS_DESCRIBE_TEXT, out, error);
        if (status == HSEL_OK) {
            status = hs_writer_commit(out, error);
            out = NULL;
        }
    }
    hs_writer_abandon(out);
    hs_svm_scratch_free(scratch);
    hs_svm_free(again);
    hs_svm_free(model);
    hs_buf_clear(&bytes);
    return status;
}

static void test_out_of_memory(void **state)
{
    static const char *const texts[] = {"svm:calibrate=2", "svm:kernel=rbf,grid=rpv,grid-folds=2"};
    hs_stream stream;
    hs_stream_init(&stream, 8, "test", 0, 0);
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct part p;
        part_new(&p, &stream, 2 + (uint32_t)!i, true, false);
        hs_oom_each(texts[i], use_all, &(struct use){&p, texts[i]});
        part_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_models_on_spread_columns),
                                       cmocka_unit_test(test_threads_and_files),
                                       cmocka_unit_test(test_damaged_files),
                                       cmocka_unit_test(test_numbers_by_hand),
                                       cmocka_unit_test(test_awkward_training_parts),
                                       cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_descriptions),
                                       cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

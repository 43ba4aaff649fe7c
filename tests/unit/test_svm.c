/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole models of svm against features spread cell by cell; model files, threads (fit spreads its
 * work by hs_parallel_for), lack of memory.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/oom.h"
#include "support/random_data.h"
#include "support/svm_by_text.h"
#include "support/svm_cloud.h"
#include "support/predict_one.h"
#include "support/threads.h"
#include "support/fitted.h"

HS_TEST_USES_THREADS

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

/* Decision values of all pairs by machines on the spread columns; then votes or curves, which are
 * fitted on those of inner folds. */
static void model_twin(const struct part *p, const hs_svm_kernel *kernel, double c, bool votes,
                       double *out)
{
    static double x[MOST][MOST];
    static hs_cloud d;
    const hsel_dataset *data = p->data;
    uint32_t k = data->class_names.count, where[MOST];
    hs_svm_space space;
    hs_folds folds;
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
    const hs_view view = {.data = data, .rows = where, .row_count = d.rows};
    assert_ok(hs_folds_of_view(&view, 5, p->training.seed, &folds, &error), error);
    assert_ok(hs_svm_space_new(&d.lists, d.label, 1e-3, UINT32_MAX, 8, &space, &error), error);
    assert_ok(hs_svm_space_fill(&space, kernel, 1, &error), error);
    for (uint32_t i = 0; i < data->instances * k; i++)
        out[i] = 0;
    for (uint32_t a = 0; a < k; a++)
        for (uint32_t b = a + 1; b < k; b++) {
            double f[MOST], used[MOST], inner[MOST];
            bool positive[MOST];
            size_t count = 0;
            hs_svm_machine m;
            assert_ok(hs_svm_machine_train(&space, a, b, c, NULL, 0, &m, &error), error);
            for (uint32_t i = 0; i < data->instances; i++) {
                f[i] = -m.rho;
                for (uint32_t j = 0; j < m.count; j++)
                    f[i] += m.coef[j] * hs_kernel_twin(kernel, x[where[m.row[j]]], x[i], d.columns);
            }
            for (uint32_t t = 0; t < folds.count; t++) {
                hs_svm_machine without;
                assert_ok(hs_svm_machine_train(&space, a, b, c, folds.fold_of, t, &without, &error),
                          error);
                for (uint32_t i = 0; i < d.rows; i++) {
                    if (folds.fold_of[i] != t)
                        continue;
                    inner[i] = -without.rho;
                    for (uint32_t j = 0; j < without.count; j++)
                        inner[i] +=
                            without.coef[j] * hs_kernel_twin(kernel, x[where[without.row[j]]],
                                                             x[where[i]], d.columns);
                }
                hs_svm_machine_clear(&without);
            }
            for (uint32_t i = 0; i < d.rows; i++)
                if (d.label[i] == a || d.label[i] == b) {
                    used[count] = inner[i];
                    positive[count++] = d.label[i] == a;
                }
            uint32_t with = 0;
            hs_platt curve = hs_platt_fit(used, positive, NULL, count, true);
            for (size_t i = 0; i < count; i++)
                with += positive[i];
            if (curve.a >= 0)
                curve = (hs_platt){0, log((double)(count - with + 1) / (with + 1))};
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
    hs_folds_clear(&folds);
}

static void test_models_on_spread_columns(void **state)
{
    static const char *const kernels[] = {"linear,solver=libsvm",
                                          "polynomial,degree=2,coef0=1,gamma=0.3", "rbf,gamma=0.3"};
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
        assert_ok(hs_svm_by_text(text, &p.training, &model, &error), error);
        refused += hs_svm_ask_all(model, p.data, found);
        all += p.data->instances;
        if (every) {
            model_twin(&p, &kernel, 2, votes, expected);
            for (uint32_t i = 0; i < p.data->instances * k; i++)
                if (!isnan(expected[i - i % k]) && fabs(found[i] - expected[i]) > 1e-5)
                    fail_msg("round %d, instance %u: %g instead of %g", round, i / k, found[i],
                             expected[i]);
        }
        SVM->free(model);
        part_free(&p);
    }
    assert_true(refused > 0 && refused < all / 100);
}

/* The same model at every number of threads; and again from its file. */
static void test_threads_and_files(void **state)
{
    static const char *const texts[] = {"svm", "svm:solver=libsvm",
                                        "svm:kernel=rbf,grid=rpv,grid-folds=3",
                                        "svm:grid=rpv,metric=gm,probability=votes",
                                        "svm:kernel=polynomial,coef0=1,normalise=false,cache=1"};
    hs_stream stream;
    hs_stream_init(&stream, 6, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 30; round++) {
        struct part p;
        hsel_error error = {0};
        double one[MOST * 4], other[MOST * 4];
        void *model, *again;
        hs_buf bytes = {0};
        hs_writer *out = NULL;
        part_new(&p, &stream, 2 + (uint32_t)round % 3, round % 5 == 0 || round % 5 == 2, false);
        size_t size = p.data->instances * p.data->class_names.count * sizeof(double);
        assert_ok(hs_svm_by_text(texts[round % 5], &p.training, &model, &error), error);
        hs_svm_ask_all(model, p.data, one);
        p.training.threads = 4;
        assert_ok(hs_svm_by_text(texts[round % 5], &p.training, &again, &error), error);
        hs_svm_ask_all(again, p.data, other);
        assert_memory_equal(one, other, size);
        SVM->free(again);
        assert_ok(hs_writer_open_memory(&bytes, &out, &error), error);
        assert_ok(hs_classifier_write(SVM, model, out, &error), error);
        assert_ok(hs_writer_commit(out, &error), error);
        assert_ok(hs_classifier_read(SVM, bytes.text, bytes.length, p.data, &again, &error), error);
        hs_svm_ask_all(again, p.data, other);
        assert_memory_equal(one, other, size);
        SVM->free(again);
        SVM->free(model);
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
        assert_ok(hs_svm_by_text(round % 3 ? "svm:kernel=rbf" : "svm", &p.training, &model, &error),
                  error);
        assert_ok(hs_writer_open_memory(&bytes, &out, &error), error);
        assert_ok(hs_classifier_write(SVM, model, out, &error), error);
        assert_ok(hs_writer_commit(out, &error), error);
        for (size_t length = 0; length < bytes.length; length++) {
            char *cut = malloc(length ? length : 1); /* of this size, for the sanitizer */
            memcpy(cut, bytes.text, length);
            assert_int_equal(hs_classifier_read(SVM, cut, length, p.data, &again, &error),
                             HSEL_EFORMAT);
            free(cut);
        }
        assert_string_equal(error.message, "the svm model is truncated or damaged");
        for (int change = 0; change < 3000; change++) {
            size_t at = hs_random_below(&stream, bytes.length);
            char kept = bytes.text[at];
            bytes.text[at] = (char)hs_random_below(&stream, 256);
            if (hs_classifier_read(SVM, bytes.text, bytes.length, p.data, &again, &error) ==
                HSEL_OK) {
                hs_svm_ask_all(again, p.data, found);
                SVM->free(again);
            }
            bytes.text[at] = kept;
        }
        SVM->free(model);
        hs_buf_clear(&bytes);
        part_free(&p);
    }
}

/* ---- memory ---- */

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
    double p[4], score[4];
    int status = hs_svm_by_text(use->text, &use->part->training, &model, error);
    if (status == HSEL_OK)
        status = hs_writer_open_memory(&bytes, &out, error);
    if (status == HSEL_OK)
        status = hs_classifier_write(SVM, model, out, error);
    if (status == HSEL_OK) {
        status = hs_writer_commit(out, error);
        out = NULL;
    }
    if (status == HSEL_OK)
        status = hs_classifier_read(SVM, bytes.text, bytes.length, use->part->data, &again, error);
    if (status == HSEL_OK)
        status = SVM->scratch_new(again, &scratch, error);
    if (status == HSEL_OK)
        status = hs_predict_one(SVM, again, use->part->data, 0, NULL, scratch, p, score, error);
    for (int form = 0; form < 2 && status == HSEL_OK; form++) {
        status = hs_writer_open_memory(&bytes, &out, error);
        if (status == HSEL_OK)
            status = SVM->describe(again, use->part->data,
                                   form ? HS_DESCRIBE_JSON : HS_DESCRIBE_TEXT, out, error);
        if (status == HSEL_OK) {
            status = hs_writer_commit(out, error);
            out = NULL;
        }
    }
    hs_writer_abandon(out);
    SVM->scratch_free(scratch);
    SVM->free(again);
    SVM->free(model);
    hs_buf_clear(&bytes);
    return status;
}

static void test_out_of_memory(void **state)
{
    static const char *const texts[] = {"svm:solver=libsvm", "svm:kernel=rbf,grid=rpv,grid-folds=2",
                                        "svm:grid=rpv,grid-folds=2"};
    hs_stream stream;
    hs_stream_init(&stream, 8, "test", 0, 0);
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct part p;
        part_new(&p, &stream, 2 + (uint32_t)!i, true, false);
        hs_oom_each(texts[i], use_all, &(struct use){&p, texts[i]});
        part_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models_on_spread_columns), cmocka_unit_test(test_threads_and_files),
        cmocka_unit_test(test_damaged_files), cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

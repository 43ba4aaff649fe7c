/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Classifiers that are fitted, written, read and asked, every status checked.
 */
#include "support/fitted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/predict_one.h"

hs_training hs_training_on(const hsel_dataset *data, hs_counts *counts)
{
    hsel_error error = {0};
    hs_view view = hs_view_all(data);
    *counts = (hs_counts){0};
    assert_ok(hs_counts_of(&view, counts, &error), error);
    return (hs_training){.view = view, .counts = counts, .threads = 1};
}

static void make_scratch(hs_fitted *f)
{
    hsel_error error = {0};
    const hs_classifier *c = f->chosen.method->classifier;
    if (c->scratch_new)
        assert_ok(c->scratch_new(f->model, &f->scratch, &error), error);
}

int hs_try_fit(hs_fitted *f, const char *text, const hs_training *training, hsel_error *error)
{
    hsel_error own = {0};
    *f = (hs_fitted){0};
    assert_ok(hs_chosen_parse(HS_CLASSIFIER, text, &f->chosen, &own), own);
    int status = hs_classifier_fit(&f->chosen, training, &f->model, error);
    if (status == HSEL_OK) {
        make_scratch(f);
        return status;
    }
    assert_null(f->model);
    hs_chosen_clear(&f->chosen);
    return status;
}

void hs_fit(hs_fitted *f, const char *text, const hs_training *training)
{
    hsel_error error = {0};
    assert_ok(hs_try_fit(f, text, training, &error), error);
}

void hs_unfit(hs_fitted *f)
{
    const hs_classifier *c = f->chosen.method->classifier;
    if (f->scratch)
        c->scratch_free(f->scratch);
    c->free(f->model);
    hs_chosen_clear(&f->chosen);
}

void hs_fitted_predict(const hs_fitted *f, const hsel_dataset *data, uint32_t instance,
                       const hs_selection *selection, double *out)
{
    double score[64];
    hsel_error error = {0};
    assert_ok(hs_predict_one(f->chosen.method->classifier, f->model, data, instance, selection,
                             f->scratch, out, score, &error),
              error);
}

void hs_fitted_write(const hs_fitted *f, hs_buf *bytes)
{
    hsel_error error = {0};
    hs_writer *writer = NULL;
    assert_ok(hs_writer_open_memory(bytes, &writer, &error), error);
    assert_ok(hs_classifier_write(f->chosen.method->classifier, f->model, writer, &error), error);
    assert_ok(hs_writer_commit(writer, &error), error);
}

int hs_classifier_read(const hs_classifier *classifier, const void *bytes, size_t length,
                       const hsel_dataset *shape, void **model, hsel_error *error)
{
    return hs_classifier_take(classifier, &(hs_transfer){.at = bytes, .left = length}, shape, model,
                              error);
}

void hs_fitted_reread(hs_fitted *f, const hs_fitted *from, const hsel_dataset *shape)
{
    hsel_error error = {0};
    hs_buf bytes = {0};
    *f = (hs_fitted){0};
    assert_ok(hs_chosen_parse(HS_CLASSIFIER, from->chosen.method->name, &f->chosen, &error), error);
    hs_fitted_write(from, &bytes);
    assert_ok(hs_classifier_read(f->chosen.method->classifier, bytes.text, bytes.length, shape,
                                 &f->model, &error),
              error);
    make_scratch(f);
    hs_buf_clear(&bytes);
}

bool hs_fitted_takes(const hs_fitted *like, const hs_buf *bytes, const hsel_dataset *data,
                     uint32_t instances, double *out)
{
    hsel_error error = {0};
    hs_fitted f = {.chosen = like->chosen};
    const hs_classifier *c = f.chosen.method->classifier;
    if (hs_classifier_read(c, bytes->text, bytes->length, data, &f.model, &error) != HSEL_OK)
        return false;
    make_scratch(&f);
    for (uint32_t i = 0; i < instances; i++)
        hs_fitted_predict(&f, data, i, NULL, out);
    if (f.scratch)
        c->scratch_free(f.scratch);
    c->free(f.model);
    return true;
}

void hs_fitted_refuse_cuts(const hs_fitted *f, const hsel_dataset *shape, size_t cuts)
{
    hsel_error error = {0};
    hs_buf bytes = {0};
    const hs_classifier *c = f->chosen.method->classifier;
    hs_fitted_write(f, &bytes);
    for (size_t length = 0; length < bytes.length; length += 1 + bytes.length / cuts) {
        void *none = NULL;
        char *part = malloc(length ? length : 1); /* of this size, for the sanitizer */
        assert_non_null(part);
        memcpy(part, bytes.text, length);
        assert_int_equal(hs_classifier_read(c, part, length, shape, &none, &error), HSEL_EFORMAT);
        assert_non_null(strstr(error.message, "model is truncated or damaged"));
        assert_null(none);
        free(part);
    }
    hs_buf_clear(&bytes);
}

void hs_fitted_check_bytes(const char *text, const hs_training *training)
{
    const hsel_dataset *data = training->view.data;
    const size_t size = data->class_names.count * sizeof(double);
    hs_training in_threads = *training;
    hs_fitted one, three, read;
    hs_buf a = {0}, b = {0};
    double *p = malloc(2 * size), *q = p + data->class_names.count;
    assert_non_null(p);
    in_threads.threads = 3;
    hs_fit(&one, text, training);
    hs_fit(&three, text, &in_threads);
    hs_fitted_write(&one, &a);
    hs_fitted_write(&three, &b);
    assert_int_equal(a.length, b.length);
    assert_memory_equal(a.text, b.text, a.length);
    hs_fitted_reread(&read, &one, data);
    for (uint32_t i = 0; i < data->instances; i++) {
        hs_fitted_predict(&one, data, i, NULL, p);
        hs_fitted_predict(&read, data, i, NULL, q);
        assert_memory_equal(p, q, size);
    }
    hs_fitted_refuse_cuts(&one, data, 40);
    hs_buf_clear(&a);
    hs_buf_clear(&b);
    hs_unfit(&read);
    hs_unfit(&three);
    hs_unfit(&one);
    free(p);
}

void hs_assert_probabilities(const char *what, const double *expected, const double *found,
                             uint32_t classes, double tolerance)
{
    for (uint32_t c = 0; c < classes; c++)
        if (!(fabs(expected[c] - found[c]) <= tolerance))
            fail_msg("%s: class %u: expected %.17g, found %.17g", what, c, expected[c], found[c]);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Naive Bayes and k-NN against direct twins: products of probabilities as the formula has them,
 * and the distance to every training instance cell by cell. Random data, training rows, feature
 * masks and selections.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "classify/classify.h"
#include "core/mem.h"
#include "support/classifier_life.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/random_data.h"
#include "stats/metrics.h"

#define MOST 40 /* features, rows, classes */

/* A training situation and what it was made of. */
struct problem {
    hsel_dataset *data;
    bool cell[MOST][MOST]; /* [instance][feature] */
    uint32_t rows[MOST], row_count;
    bool use[MOST]; /* the feature mask */
    uint64_t mask[1];
    bool has_mask;
    hs_counts counts;
    hs_training training;
};

/* The features that an instance is predicted on. */
struct choice {
    bool selected[MOST];
    hs_selection selection;
    bool all; /* no selection given */
};

static bool chance(hs_stream *stream, double p) { return hs_random_double(stream) < p; }

static void problem_new(struct problem *p, hs_stream *stream)
{
    hsel_error error = {0};
    hs_random_shape shape = hs_random_small_shape(stream);
    shape.classes = 2 + (uint32_t)hs_random_below(stream, 2);
    shape.unlabelled = chance(stream, 0.3) ? 0.3 : 0;
    shape.instances += 3;
    memset(p, 0, sizeof *p);
    p->data = hs_random_dataset(stream, &shape);
    for (uint32_t i = 0; i < p->data->instances; i++) {
        size_t count;
        const uint32_t *row = hs_row(p->data, i, &count);
        for (size_t j = 0; j < count; j++)
            p->cell[i][row[j]] = true;
        if (chance(stream, 0.7)) /* the training part may lack a class, or be empty */
            p->rows[p->row_count++] = i;
    }
    hs_random_shuffle(stream, p->rows, p->row_count);
    p->has_mask = chance(stream, 0.5);
    for (uint32_t f = 0; f < p->data->features; f++) {
        p->use[f] = !p->has_mask || chance(stream, 0.6);
        if (p->use[f])
            hs_bit_set(p->mask, f);
    }
    hs_view view = {.data = p->data, .rows = p->rows, .row_count = p->row_count};
    assert_ok(hs_counts_of(&view, &p->counts, &error), error);
    view.features = p->has_mask ? p->mask : NULL;
    p->training = (hs_training){.view = view, .counts = &p->counts, .threads = 1};
}

static void problem_free(struct problem *p)
{
    hs_counts_clear(&p->counts);
    hsel_dataset_free(p->data);
}

/* Some of the positive features in use, and some or all of the negative ones. */
static void choose(struct choice *c, const struct problem *p, uint32_t instance, hs_stream *stream)
{
    hs_selection *s = &c->selection;
    double density = hs_random_double(stream) * 1.2 - 0.1; /* now and then nothing, or all */
    s->positive_count = s->negative_count = 0;
    s->all_negative = chance(stream, 0.3);
    c->all = chance(stream, 0.2);
    for (uint32_t f = 0; f < p->data->features; f++) {
        bool positive = p->cell[instance][f];
        bool wanted = c->all || (s->all_negative && !positive) || chance(stream, density);
        c->selected[f] = p->use[f] && wanted;
        if (c->selected[f] && positive)
            s->positive[s->positive_count++] = f;
        else if (c->selected[f] && !s->all_negative)
            s->negative[s->negative_count++] = f;
    }
}

/* ---- twins ---- */

static void nb_slowly(const struct problem *p, uint32_t instance, const bool *selected, double *out)
{
    uint32_t classes = p->data->class_names.count;
    double sum = 0;
    for (uint32_t c = 0; c < classes; c++) {
        double all = 0, in_class = 0;
        for (uint32_t i = 0; i < p->row_count; i++) {
            all += p->data->class_of[p->rows[i]] != HSEL_NONE;
            in_class += p->data->class_of[p->rows[i]] == c;
        }
        out[c] = (in_class + 1) / (all + classes);
        for (uint32_t f = 0; f < p->data->features; f++) {
            double same = 0;
            for (uint32_t i = 0; i < p->row_count; i++)
                same += p->data->class_of[p->rows[i]] == c &&
                        p->cell[p->rows[i]][f] == p->cell[instance][f];
            if (selected[f])
                out[c] *= (same + 1) / (in_class + 2);
        }
        sum += out[c];
    }
    for (uint32_t c = 0; c < classes; c++)
        out[c] /= sum;
}

static int ascending(const void *a, const void *b)
{
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

static void knn_slowly(const struct problem *p, uint32_t instance, const bool *selected, uint32_t k,
                       double *out)
{
    uint32_t classes = p->data->class_names.count, n = 0;
    int distance[MOST], sorted[MOST];
    uint32_t label[MOST];
    double neighbours = 0;
    for (uint32_t i = 0; i < p->row_count; i++) {
        if (p->data->class_of[p->rows[i]] == HSEL_NONE)
            continue;
        label[n] = p->data->class_of[p->rows[i]];
        distance[n] = 0;
        for (uint32_t f = 0; f < p->data->features; f++)
            distance[n] += selected[f] && p->cell[p->rows[i]][f] != p->cell[instance][f];
        n++;
    }
    memcpy(sorted, distance, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, ascending);
    for (uint32_t c = 0; c < classes; c++)
        out[c] = 0;
    for (uint32_t i = 0; i < n; i++)
        if (distance[i] <= sorted[(k < n ? k : n) - 1]) {
            out[label[i]]++;
            neighbours++;
        }
    double share = 1.0 / (n ? n : 1);
    for (uint32_t c = 0; c < classes; c++)
        out[c] = (out[c] + share) / (neighbours + classes * share);
}

/* ---- comparing ---- */

struct fitted {
    hs_chosen chosen;
    void *model, *scratch;
};

static void fit(struct fitted *f, const char *text, const hs_training *training)
{
    hsel_error error = {0};
    *f = (struct fitted){0};
    assert_ok(hs_chosen_parse(HS_CLASSIFIER, text, &f->chosen, &error), error);
    const hs_classifier *c = f->chosen.method->classifier;
    assert_ok(c->fit(training, f->chosen.options, &f->model, &error), error);
    if (c->scratch_new)
        assert_ok(c->scratch_new(f->model, &f->scratch, &error), error);
}

static void unfit(struct fitted *f)
{
    const hs_classifier *c = f->chosen.method->classifier;
    if (f->scratch)
        c->scratch_free(f->scratch);
    c->free(f->model);
    hs_chosen_clear(&f->chosen);
}

static void predict(const struct fitted *f, const struct problem *p, uint32_t instance,
                    const struct choice *choice, double *out)
{
    hsel_error error = {0};
    assert_ok(f->chosen.method->classifier->predict(f->model, p->data, instance,
                                                    choice->all ? NULL : &choice->selection,
                                                    f->scratch, out, &error),
              error);
}

/* The model written and read again; classifiers keep nothing of the old data. */
static void reread(struct fitted *f, const struct fitted *from, const struct problem *p)
{
    hsel_error error = {0};
    hs_buf bytes = {0};
    hs_writer *writer = NULL;
    const hs_classifier *c = from->chosen.method->classifier;
    *f = (struct fitted){0};
    assert_ok(hs_chosen_parse(HS_CLASSIFIER, from->chosen.method->name, &f->chosen, &error), error);
    assert_ok(hs_writer_open_memory(&bytes, &writer, &error), error);
    assert_ok(c->write(from->model, writer, &error), error);
    assert_ok(hs_writer_commit(writer, &error), error);
    assert_ok(c->read(bytes.text, bytes.length, p->data, &f->model, &error), error);
    if (c->scratch_new)
        assert_ok(c->scratch_new(f->model, &f->scratch, &error), error);
    for (size_t length = 0; length < bytes.length; length += 1 + bytes.length / 40) {
        void *none = NULL; /* cut off anywhere, it is refused */
        char *part = malloc(length + 1);
        assert_non_null(part);
        memcpy(part, bytes.text, length);
        part = realloc(part, length ? length : 1);
        assert_int_equal(c->read(part, length, p->data, &none, &error), HSEL_EFORMAT);
        assert_non_null(strstr(error.message, "model is cut off or damaged"));
        assert_null(none);
        free(part);
    }
    hs_buf_clear(&bytes);
}

static void near(const char *what, const double *expected, const double *found, uint32_t classes)
{
    for (uint32_t c = 0; c < classes; c++)
        if (!(fabs(expected[c] - found[c]) <= 1e-12))
            fail_msg("%s: class %u: expected %.17g, found %.17g", what, c, expected[c], found[c]);
}

static void compare(struct problem *p, const char *text, uint32_t k, hs_stream *stream)
{
    hsel_error error = {0};
    uint32_t classes = p->data->class_names.count;
    struct choice choice = {0};
    struct fitted fresh, read;
    fit(&fresh, text, &p->training);
    reread(&read, &fresh, p);
    assert_ok(hs_selection_init(&choice.selection, p->data->features, &error), error);
    for (uint32_t i = 0; i < p->data->instances; i++) {
        double expected[MOST], found[MOST], again[MOST];
        choose(&choice, p, i, stream);
        if (k)
            knn_slowly(p, i, choice.selected, k, expected);
        else
            nb_slowly(p, i, choice.selected, expected);
        predict(&fresh, p, i, &choice, found);
        near(text, expected, found, classes);
        if (k) /* equal votes are equal to the last bit: the lowest class wins */
            assert_int_equal(hs_predicted_class(found, classes),
                             hs_predicted_class(expected, classes));
        predict(&read, p, i, &choice, again);
        assert_memory_equal(found, again, classes * sizeof *found);
    }
    hs_selection_clear(&choice.selection);
    unfit(&fresh);
    unfit(&read);
}

static void test_nb_equals_its_twin(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 1, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 3000; round++) {
        struct problem p;
        problem_new(&p, &stream);
        compare(&p, "nb", 0, &stream);
        problem_free(&p);
    }
}

static void test_knn_equals_its_twin(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 2, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 3000; round++) {
        struct problem p;
        char text[32];
        uint32_t k = chance(&stream, 0.4) ? 1 : 1 + (uint32_t)hs_random_below(&stream, 20);
        snprintf(text, sizeof text, "knn:k=%u", k);
        problem_new(&p, &stream);
        compare(&p, text, k, &stream);
        problem_free(&p);
    }
}

/* ---- more than small numbers ---- */

/* Thousands of features: the product of the formula would be 0 for every class. */
static void test_nb_does_not_underflow(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 3, "test", 0, 0);
    hs_random_shape shape = {.instances = 40, .features = 5000, .classes = 2, .density = 0.5};
    hsel_error error = {0};
    hs_counts counts = {0};
    struct fitted f;
    (void)state;
    hsel_dataset *data = hs_random_dataset(&stream, &shape);
    hs_view view = hs_view_all(data);
    assert_ok(hs_counts_of(&view, &counts, &error), error);
    fit(&f, "nb", &(hs_training){.view = view, .counts = &counts, .threads = 1});
    for (uint32_t i = 0; i < data->instances; i++) {
        double found[2], difference = 0;
        assert_ok(f.chosen.method->classifier->predict(f.model, data, i, NULL, NULL, found, &error),
                  error);
        for (uint32_t f2 = 0; f2 < data->features; f2++) { /* log-odds in long double */
            size_t count;
            const uint32_t *column = hs_column(data, f2, &count);
            bool here = bsearch(&i, column, count, sizeof i, ascending) != NULL;
            double n[2];
            for (int c = 0; c < 2; c++) {
                double with = hs_count(&counts, f2, c), all = counts.class_size[c];
                n[c] = ((here ? with : all - with) + 1) / (all + 2);
            }
            difference += log(n[1]) - log(n[0]);
        }
        difference += log(counts.class_size[1] + 1.0) - log(counts.class_size[0] + 1.0);
        assert_true(fabs(found[1] - 1 / (1 + exp(-difference))) < 1e-9);
        assert_true(fabs(found[0] + found[1] - 1) < 1e-12);
    }
    hs_counts_clear(&counts);
    unfit(&f);
    hsel_dataset_free(data);
}

/* The contributions of the features add up to what the prediction says. */
static void test_nb_contributions(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 4, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 300; round++) {
        struct problem p;
        struct fitted f;
        struct choice all = {.all = true};
        double found[MOST];
        problem_new(&p, &stream);
        fit(&f, "nb", &p.training);
        const hs_classifier *c = f.chosen.method->classifier;
        for (uint32_t i = 0; i < p.data->instances; i++) {
            if (p.data->class_names.count != 2)
                break;
            double sum = log((p.counts.class_size[1] + 1.0) / (p.counts.class_size[0] + 1.0));
            for (uint32_t feature = 0; feature < p.data->features; feature++) {
                double for_1 = c->contribution(f.model, feature, p.cell[i][feature], 1);
                assert_true(fabs(for_1 + c->contribution(f.model, feature, p.cell[i][feature], 0)) <
                            1e-12);
                sum += for_1; /* 0 for features out of use */
            }
            predict(&f, &p, i, &all, found);
            assert_true(fabs(log(found[1] / found[0]) - sum) < 1e-9);
        }
        unfit(&f);
        problem_free(&p);
    }
}

/* Three classes by hand: P(1|c) is 3/4, 1/3, 1/3 with priors 3/7, 2/7, 2/7: for class 0 against
 * the others log(3/4) - log(1/3). */
static void test_nb_contribution_of_three_classes(void **state)
{
    uint32_t size[] = {2, 1, 1}, positive[] = {2, 0, 0};
    hs_counts counts = {
        .features = 1, .classes = 3, .instances = 4, .class_size = size, .positive = positive};
    hsel_dataset data = {.features = 1};
    struct fitted f;
    (void)state;
    fit(&f, "nb", &(hs_training){.view = {.data = &data}, .counts = &counts, .threads = 1});
    const hs_classifier *c = f.chosen.method->classifier;
    assert_true(fabs(c->contribution(f.model, 0, true, 0) - log(9.0 / 4)) < 1e-12);
    /* class 1 against 0 and 2: 1/3 against (3/4 * 3 + 1/3 * 2) / 5 */
    assert_true(fabs(c->contribution(f.model, 0, true, 1) - log(1.0 / 3 / ((2.25 + 2.0 / 3) / 5))) <
                1e-12);
    unfit(&f);
}

/* ---- damage and memory ---- */

/* Any byte changed: refused, or a model that predicts without harm. */
static void test_damaged_models(void **state)
{
    static const char *const methods[] = {"nb", "knn:k=3"};
    hs_stream stream;
    hs_stream_init(&stream, 5, "test", 0, 0);
    (void)state;
    for (int m = 0; m < 2; m++) {
        hsel_error error = {0};
        struct problem p;
        struct fitted f;
        hs_buf bytes = {0};
        hs_writer *writer = NULL;
        problem_new(&p, &stream);
        fit(&f, methods[m], &p.training);
        const hs_classifier *c = f.chosen.method->classifier;
        assert_ok(hs_writer_open_memory(&bytes, &writer, &error), error);
        assert_ok(c->write(f.model, writer, &error), error);
        assert_ok(hs_writer_commit(writer, &error), error);
        for (size_t i = 0; i < bytes.length; i++)
            for (int change = 0; change < 3; change++) {
                static const char with[] = {1, 0x40, (char)0xff};
                void *model = NULL, *scratch = NULL;
                double found[MOST];
                bytes.text[i] ^= with[change];
                if (c->read(bytes.text, bytes.length, p.data, &model, &error) == HSEL_OK) {
                    if (c->scratch_new)
                        assert_ok(c->scratch_new(model, &scratch, &error), error);
                    assert_ok(c->predict(model, p.data, 0, NULL, scratch, found, &error), error);
                    if (scratch)
                        c->scratch_free(scratch);
                    c->free(model);
                }
                bytes.text[i] ^= with[change];
            }
        hs_buf_clear(&bytes);
        unfit(&f);
        problem_free(&p);
    }
}

static void test_memory(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 6, "test", 0, 0);
    struct problem p;
    (void)state;
    do {
        problem_new(&p, &stream);
        if (!p.has_mask)
            problem_free(&p);
    } while (!p.has_mask);
    assert_true(hs_oom_each("nb", hs_live_once, &(hs_life){&p.training, "nb"}) >= 10);
    assert_true(hs_oom_each("knn", hs_live_once, &(hs_life){&p.training, "knn:k=2"}) >= 20);
    problem_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nb_equals_its_twin),
                                       cmocka_unit_test(test_knn_equals_its_twin),
                                       cmocka_unit_test(test_nb_does_not_underflow),
                                       cmocka_unit_test(test_nb_contributions),
                                       cmocka_unit_test(test_nb_contribution_of_three_classes),
                                       cmocka_unit_test(test_damaged_models),
                                       cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

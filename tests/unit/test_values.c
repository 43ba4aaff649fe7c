/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Naive Bayes and k-NN on numeric and nominal features, against twins that follow the formulas cell
 * by cell: random mixed data with missing and infinite values, training rows, masks, selections.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "classify/classify.h"
#include "core/mem.h"
#include "data/builder.h"
#include "stats/metrics.h"
#include "support/classifier_life.h"
#include "support/cmocka.h"
#include "support/data_io.h"
#include "support/oom.h"
#include "support/random_data.h"

#define MOST 40

struct problem {
    hsel_dataset *data;
    double cell[MOST][MOST]; /* NaN = missing or infinite */
    uint32_t rows[MOST], row_count;
    bool use[MOST];
    uint64_t mask[1];
    bool has_mask;
    hs_counts counts;
    hs_training training;
};

static bool chance(hs_stream *stream, double p) { return hs_random_double(stream) < p; }

/* Numbers of ordinary size, so that the twin can be held to many digits; now and then infinite, or
 * equal to others. */
static void set_numbers(hsel_dataset *data, hs_stream *stream)
{
    bool infinite = chance(stream, 0.5);
    for (uint32_t n = 0; n < data->numeric_count; n++) {
        double scale = chance(stream, 0.5) ? 1 : 1000;
        for (uint32_t i = 0; i < data->numeric[n].count; i++) {
            double *value = &data->numeric[n].values[i];
            if (infinite && chance(stream, 0.03))
                *value = chance(stream, 0.5) ? INFINITY : -INFINITY;
            else if (!isnan(*value))
                *value = chance(stream, 0.3) ? 1 + (double)hs_random_below(stream, 3)
                                             : scale * (hs_random_double(stream) - 0.3) + 1e-3;
        }
    }
}

static void problem_new(struct problem *p, hs_stream *stream)
{
    hsel_error error = {0};
    hs_random_shape shape = hs_random_small_shape(stream);
    shape.classes = 2 + (uint32_t)hs_random_below(stream, 2);
    shape.unlabelled = chance(stream, 0.3) ? 0.3 : 0;
    shape.instances += 3;
    shape.numeric = hs_random_double(stream);
    shape.nominal = hs_random_double(stream) * (1 - shape.numeric);
    shape.missing = chance(stream, 0.5) ? 0.2 : 0;
    memset(p, 0, sizeof *p);
    p->data = hs_random_dataset(stream, &shape);
    set_numbers(p->data, stream);
    for (uint32_t i = 0; i < p->data->instances; i++) {
        for (uint32_t f = 0; f < p->data->features; f++) {
            double value = hs_io_value(p->data, i, f);
            p->cell[i][f] = isfinite(value) ? value : (double)NAN;
            double found = hs_dataset_value(p->data, f, i);
            assert_true(isnan(value) ? isnan(found) : found == value);
        }
        if (chance(stream, 0.7))
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

static uint32_t label_of(const struct problem *p, uint32_t i)
{
    return p->data->class_of[p->rows[i]];
}

/* ---- naive Bayes slowly ---- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Known values of a feature in the training part, of class c or (HSEL_NONE) of all; sorted. */
static uint32_t known_values(const struct problem *p, uint32_t f, uint32_t c, double *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->row_count; i++)
        if (label_of(p, i) != HSEL_NONE && (c == HSEL_NONE || label_of(p, i) == c) &&
            !isnan(p->cell[p->rows[i]][f]))
            out[n++] = p->cell[p->rows[i]][f];
    qsort(out, n, sizeof *out, ascending);
    return n;
}

static double precision_slowly(const struct problem *p, uint32_t f)
{
    double value[MOST], sum = 0;
    uint32_t n = known_values(p, f, HSEL_NONE, value), gaps = 0;
    for (uint32_t i = 1; i < n; i++)
        if (value[i] > value[i - 1]) {
            sum += value[i] - value[i - 1];
            gaps++;
        }
    return gaps ? sum / gaps : 0.01;
}

static long double phi(long double z) { return 0.5L * erfcl(-z / sqrtl(2)); }

static long double interval(long double low, long double high)
{
    return low > 0 ? phi(-low) - phi(-high) : phi(high) - phi(low);
}

static long double gaussian_slowly(const struct problem *p, uint32_t f, uint32_t c, double x)
{
    double value[MOST], precision = precision_slowly(p, f);
    uint32_t n = known_values(p, f, c, value);
    long double mean = 0, squares = 0, spread = 0;
    for (uint32_t i = 0; i < n; i++) {
        value[i] = rint(value[i] / precision) * precision;
        mean += (long double)value[i] / n;
    }
    for (uint32_t i = 0; i < n; i++)
        squares += (value[i] - mean) * (value[i] - mean);
    if (n && sqrtl(squares / n) > 1e-10L)
        spread = sqrtl(squares / n);
    if (spread < precision / 6)
        spread = precision / 6;
    x = rint(x / precision) * precision;
    return interval((x - mean - precision / 2) / spread, (x - mean + precision / 2) / spread);
}

static long double kernel_slowly(const struct problem *p, uint32_t f, uint32_t c, double x)
{
    double value[MOST], precision = precision_slowly(p, f);
    uint32_t n = known_values(p, f, c, value);
    if (n == 0) {
        double spread = precision / 6;
        return interval((x - precision / 2) / spread, (x + precision / 2) / spread);
    }
    for (uint32_t i = 0; i < n; i++)
        value[i] = rint(value[i] / precision) * precision;
    long double spread = fmaxl((value[n - 1] - value[0]) / sqrtl(n), precision / 6), sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += interval((value[i] - x - precision / 2) / spread,
                        (value[i] - x + precision / 2) / spread);
    return sum / n;
}

/* P(cell | c); 1 for what is left out. */
static long double factor_slowly(const struct problem *p, uint32_t f, uint32_t c, double x,
                                 bool kernel)
{
    double value[MOST];
    uint32_t n = known_values(p, f, c, value), same = 0, values = 2;
    if (isnan(x))
        return 1;
    if (p->data->types[f] == HSEL_NUMERIC) {
        if (known_values(p, f, HSEL_NONE, value) == 0)
            return 1;
        long double found = kernel ? kernel_slowly(p, f, c, x) : gaussian_slowly(p, f, c, x);
        return found > 1e-75L ? found : 1e-75L;
    }
    for (uint32_t i = 0; i < n; i++)
        same += value[i] == x;
    if (p->data->types[f] == HSEL_NOMINAL)
        values = p->data->nominal[p->data->slot[f]].values.count;
    return ((long double)same + 1) / (n + values);
}

static void nb_slowly(const struct problem *p, uint32_t instance, const bool *selected, bool kernel,
                      double *out)
{
    uint32_t classes = p->data->class_names.count;
    long double product[MOST], sum = 0;
    for (uint32_t c = 0; c < classes; c++) {
        product[c] =
            (p->counts.class_size[c] + 1.0L) / (p->counts.instances + (long double)classes);
        for (uint32_t f = 0; f < p->data->features; f++)
            if (selected[f])
                product[c] *= factor_slowly(p, f, c, p->cell[instance][f], kernel);
        sum += product[c];
    }
    for (uint32_t c = 0; c < classes; c++)
        out[c] = (double)(product[c] / sum);
}

/* ---- k-NN slowly ---- */

static double normal_slowly(const struct problem *p, uint32_t f, double x)
{
    double value[MOST];
    uint32_t n = known_values(p, f, HSEL_NONE, value);
    return n && value[n - 1] > value[0] && !isnan(x) ? (x - value[0]) / (value[n - 1] - value[0])
           : isnan(x)                                ? (double)NAN
                                                     : 0;
}

static double difference_slowly(const struct problem *p, uint32_t f, double a, double b)
{
    if (p->data->types[f] != HSEL_NUMERIC)
        return a == b ? 0 : 1;
    a = normal_slowly(p, f, a);
    b = normal_slowly(p, f, b);
    if (isnan(a) && isnan(b))
        return 1;
    if (isnan(a) || isnan(b))
        return fmax(isnan(a) ? b : a, 1 - (isnan(a) ? b : a));
    return a - b;
}

static void knn_slowly(const struct problem *p, uint32_t instance, const bool *selected, uint32_t k,
                       double *out)
{
    uint32_t classes = p->data->class_names.count, n = 0, label[MOST];
    double distance[MOST], sorted[MOST], neighbours = 0;
    for (uint32_t i = 0; i < p->row_count; i++) {
        if (label_of(p, i) == HSEL_NONE)
            continue;
        label[n] = label_of(p, i);
        distance[n] = 0;
        for (int binary = 1; binary >= 0;
             binary--) /* in this order the sums are equal in every bit */
            for (uint32_t f = 0; f < p->data->features; f++) {
                double d = difference_slowly(p, f, p->cell[p->rows[i]][f], p->cell[instance][f]);
                if (selected[f] && (p->data->types[f] == HSEL_BINARY) == binary)
                    distance[n] += d * d;
            }
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

struct choice {
    bool selected[MOST];
    hs_selection selection;
    bool all;
};

static void choose(struct choice *c, const struct problem *p, uint32_t instance, hs_stream *stream)
{
    hs_selection *s = &c->selection;
    double density = hs_random_double(stream) * 1.2 - 0.1;
    s->positive_count = s->negative_count = 0;
    s->all_negative = chance(stream, 0.3);
    c->all = chance(stream, 0.3);
    for (uint32_t f = 0; f < p->data->features; f++) {
        bool positive = p->data->types[f] == HSEL_BINARY && p->cell[instance][f] == 1;
        bool wanted = c->all || (s->all_negative && !positive) || chance(stream, density);
        c->selected[f] = p->use[f] && wanted;
        if (c->selected[f] && positive)
            s->positive[s->positive_count++] = f;
        else if (c->selected[f] && !s->all_negative)
            s->negative[s->negative_count++] = f;
    }
}

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

static void predict(const struct fitted *f, const hsel_dataset *data, uint32_t instance,
                    const hs_selection *selection, double *out)
{
    hsel_error error = {0};
    assert_ok(f->chosen.method->classifier->predict(f->model, data, instance, selection, f->scratch,
                                                    out, &error),
              error);
}

static void model_bytes(const struct fitted *f, hs_buf *bytes)
{
    hsel_error error = {0};
    hs_writer *writer = NULL;
    assert_ok(hs_writer_open_memory(bytes, &writer, &error), error);
    assert_ok(f->chosen.method->classifier->write(f->model, writer, &error), error);
    assert_ok(hs_writer_commit(writer, &error), error);
}

static void reread(struct fitted *f, const struct fitted *from, const struct problem *p)
{
    hsel_error error = {0};
    hs_buf bytes = {0};
    const hs_classifier *c = from->chosen.method->classifier;
    *f = (struct fitted){0};
    assert_ok(hs_chosen_parse(HS_CLASSIFIER, from->chosen.method->name, &f->chosen, &error), error);
    model_bytes(from, &bytes);
    assert_ok(c->read(bytes.text, bytes.length, p->data, &f->model, &error), error);
    if (c->scratch_new)
        assert_ok(c->scratch_new(f->model, &f->scratch, &error), error);
    for (size_t length = 0; length < bytes.length; length += 1 + bytes.length / 40) {
        void *none = NULL;
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

typedef enum twin { GAUSSIAN, KERNEL, NEIGHBOURS } twin;

static void compare(struct problem *p, const char *text, twin which, uint32_t k, double tolerance,
                    hs_stream *stream)
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
        const hs_selection *selection = choice.all ? NULL : &choice.selection;
        if (which == NEIGHBOURS)
            knn_slowly(p, i, choice.selected, k, expected);
        else
            nb_slowly(p, i, choice.selected, which == KERNEL, expected);
        predict(&fresh, p->data, i, selection, found);
        for (uint32_t c = 0; c < classes; c++)
            if (!(fabs(expected[c] - found[c]) <= tolerance))
                fail_msg("%s: class %u: expected %.17g, found %.17g", text, c, expected[c],
                         found[c]);
        predict(&read, p->data, i, selection, again);
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
        compare(&p, "nb:tails=exact", GAUSSIAN, 0, 1e-8, &stream);
        problem_free(&p);
    }
}

/* The sums of kernels are cut where 1 % could still come: one factor at most that much, odds the
 * product of all. WEKA's own cuts are in test_weka.c. */
static void test_kernels_equal_their_twin(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 2, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 1000; round++) {
        struct problem p;
        problem_new(&p, &stream);
        compare(&p, "nb:numeric=kernel,tails=exact", KERNEL, 0, 0.05, &stream);
        problem_free(&p);
    }
}

static void test_knn_equals_its_twin(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 3, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 3000; round++) {
        struct problem p;
        char text[32];
        uint32_t k = chance(&stream, 0.4) ? 1 : 1 + (uint32_t)hs_random_below(&stream, 20);
        snprintf(text, sizeof text, "knn:k=%u", k);
        problem_new(&p, &stream);
        compare(&p, text, NEIGHBOURS, k, 1e-12, &stream);
        problem_free(&p);
    }
}

/* ---- more than small numbers ---- */

static hsel_dataset *numbers(const double *values, const char *labels, uint32_t features)
{
    hsel_error error = {0};
    hs_builder *builder = NULL;
    hsel_dataset *data = NULL;
    char name[16];
    uint32_t id;
    assert_ok(hs_builder_new(&builder, &error), error);
    for (uint32_t f = 0; f < features; f++) {
        int length = snprintf(name, sizeof name, "f%u", f);
        assert_ok(hs_builder_feature(builder, name, (size_t)length, HSEL_NUMERIC, &id, &error),
                  error);
    }
    assert_ok(hs_builder_class(builder, "a", 1, &id, &error), error);
    assert_ok(hs_builder_class(builder, "b", 1, &id, &error), error);
    for (; *labels; labels++) {
        uint32_t label = *labels == '?' ? HSEL_NONE : (uint32_t)(*labels - 'a');
        assert_ok(hs_builder_row(builder, NULL, 0, label, &error), error);
        for (uint32_t f = 0; f < features; f++)
            assert_ok(hs_builder_numeric(builder, f, *values++, &error), error);
    }
    assert_ok(hs_builder_finish(builder, &data, &error), error);
    hs_builder_free(builder);
    return data;
}

struct on_numbers {
    hsel_dataset *data;
    hs_counts counts;
    struct fitted f;
};

static void learn(struct on_numbers *o, const double *values, const char *labels, uint32_t features,
                  const char *text)
{
    hsel_error error = {0};
    o->data = numbers(values, labels, features);
    o->counts = (hs_counts){0};
    hs_view view = hs_view_all(o->data);
    assert_ok(hs_counts_of(&view, &o->counts, &error), error);
    fit(&o->f, text, &(hs_training){.view = view, .counts = &o->counts, .threads = 1});
}

static void forget(struct on_numbers *o)
{
    unfit(&o->f);
    hs_counts_clear(&o->counts);
    hsel_dataset_free(o->data);
}

/* Far above both means WEKA has 1e-75 for either class, so the prior decides; exactly, the wider
 * class is the likelier by far. Below the means the two readings agree. */
static void test_tails(void **state)
{
    static const double values[] = {-1, 0, 1, -2, 0, 2, 60, -60};
    struct on_numbers weka, exact;
    double p[2], q[2];
    (void)state;
    learn(&weka, values, "aaabbb??", 1, "nb");
    learn(&exact, values, "aaabbb??", 1, "nb:tails=exact");
    predict(&weka.f, weka.data, 6, NULL, p);
    predict(&exact.f, exact.data, 6, NULL, q);
    assert_true(fabs(p[0] - 0.5) < 1e-12);
    assert_true(q[1] == 0.5); /* both below 1e-75 */
    predict(&weka.f, weka.data, 7, NULL, p);
    assert_true(p[0] == q[0] && p[1] == q[1]);
    forget(&weka);
    forget(&exact);
    static const double near[] = {-1, 0, 1, -2, 0, 2, 16, -16};
    learn(&weka, near, "aaabbb??", 1, "nb");
    learn(&exact, near, "aaabbb??", 1, "nb:tails=exact");
    predict(&weka.f, weka.data, 6, NULL, p);
    predict(&exact.f, exact.data, 6, NULL, q);
    assert_true(fabs(p[0] - 0.5) < 1e-12 && q[1] > 1 - 1e-9);
    predict(&weka.f, weka.data, 7, NULL, p);
    assert_true(p[0] == q[0] && p[1] == q[1]);
    forget(&weka);
    forget(&exact);
}

/* Whatever the numbers, there are probabilities: constants, all missing, the largest doubles. */
static void test_extreme_numbers(void **state)
{
    static const double sets[][6] = {{5, 5, 5, 5, 5, 5},
                                     {NAN, NAN, NAN, NAN, 1, NAN},
                                     {INFINITY, -INFINITY, INFINITY, 1, -INFINITY, INFINITY},
                                     {1.7e308, -1.7e308, 1.7e308, -1.7e308, 0, 1e308},
                                     {5e-324, 0, 1e-323, 0, 1e300, 5e-324},
                                     {1e16, 1e16 + 2, 1e16 + 4, 1e16 + 2, -1e16, NAN}};
    static const char *const methods[] = {"nb", "nb:tails=exact", "nb:numeric=kernel", "knn",
                                          "knn:k=3"};
    (void)state;
    for (size_t s = 0; s < 6; s++)
        for (size_t m = 0; m < 5; m++) {
            struct on_numbers o;
            learn(&o, sets[s], "abab??", 1, methods[m]);
            for (uint32_t i = 0; i < 6; i++) {
                double p[2];
                predict(&o.f, o.data, i, NULL, p);
                if (!(p[0] >= 0 && p[1] >= 0 && fabs(p[0] + p[1] - 1) < 1e-12))
                    fail_msg("set %zu, %s, instance %u: %g and %g", s, methods[m], i, p[0], p[1]);
            }
            forget(&o);
        }
}

/* Thousands of features: 1e-75 each, and the logarithms stay finite. */
static void test_nb_does_not_underflow(void **state)
{
    enum { FEATURES = 3000 };
    double *values = malloc(sizeof *values * FEATURES * 5), p[2];
    struct on_numbers o;
    (void)state;
    assert_non_null(values);
    for (int f = 0; f < FEATURES; f++) {
        values[f] = 0;
        values[FEATURES + f] = 1;
        values[2 * FEATURES + f] = 10;
        values[3 * FEATURES + f] = 11;
        values[4 * FEATURES + f] = f == 0 ? 1 : -1e6;
    }
    learn(&o, values, "aabb?", FEATURES, "nb");
    predict(&o.f, o.data, 4, NULL, p);
    assert_true(p[0] > 1 - 1e-6 &&
                p[0] <= 1); /* the first feature decides, the others say nothing */
    predict(&o.f, o.data, 2, NULL, p);
    assert_true(p[1] == 1);
    forget(&o);
    free(values);
}

/* What the features say adds up to the prediction, also for missing values and far tails. */
static void test_nb_contributions(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 4, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 300; round++) {
        struct problem p;
        struct fitted f;
        double found[MOST];
        problem_new(&p, &stream);
        fit(&f, "nb", &p.training);
        const hs_classifier *c = f.chosen.method->classifier;
        for (uint32_t i = 0; i < p.data->instances && p.data->class_names.count == 2; i++) {
            double sum = log((p.counts.class_size[1] + 1.0) / (p.counts.class_size[0] + 1.0));
            for (uint32_t feature = 0; feature < p.data->features; feature++) {
                double says = c->contribution(f.model, feature, p.cell[i][feature], 1);
                assert_true(isfinite(says));
                assert_true(!isnan(p.cell[i][feature]) || says == 0);
                sum += says;
            }
            predict(&f, p.data, i, NULL, found);
            assert_true(fabs(1 / (1 + exp(-sum)) - found[1]) < 1e-9);
        }
        unfit(&f);
        problem_free(&p);
    }
}

/* ---- damage and memory ---- */

static const char *const all_methods[] = {"nb", "nb:numeric=kernel", "knn:k=3"};

static void mixed_problem(struct problem *p, hs_stream *stream)
{
    for (;;) {
        problem_new(p, stream);
        if (p->data->numeric_count > 1 && p->data->nominal_count > 0 && p->has_mask &&
            p->row_count > 4)
            return;
        problem_free(p);
    }
}

/* Any byte changed: refused, or a model that predicts without harm. */
static void test_damaged_models(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 5, "test", 0, 0);
    (void)state;
    for (int m = 0; m < 3; m++) {
        hsel_error error = {0};
        struct problem p;
        struct fitted f;
        hs_buf bytes = {0};
        size_t refused = 0;
        mixed_problem(&p, &stream);
        fit(&f, all_methods[m], &p.training);
        const hs_classifier *c = f.chosen.method->classifier;
        model_bytes(&f, &bytes);
        for (size_t i = 0; i < bytes.length; i++)
            for (int change = 0; change < 4; change++) {
                static const char with[] = {1, 0x40, (char)0x80, (char)0xff};
                void *model = NULL, *scratch = NULL;
                double found[MOST];
                bytes.text[i] ^= with[change];
                if (c->read(bytes.text, bytes.length, p.data, &model, &error) == HSEL_OK) {
                    if (c->scratch_new)
                        assert_ok(c->scratch_new(model, &scratch, &error), error);
                    for (uint32_t r = 0; r < p.data->instances; r++)
                        assert_ok(c->predict(model, p.data, r, NULL, scratch, found, &error),
                                  error);
                    if (scratch)
                        c->scratch_free(scratch);
                    c->free(model);
                } else {
                    refused++;
                }
                bytes.text[i] ^= with[change];
            }
        assert_true(refused > 20);
        hs_buf_clear(&bytes);
        unfit(&f);
        problem_free(&p);
    }
}

static void test_memory(void **state)
{
    hs_stream stream;
    struct problem p;
    hs_stream_init(&stream, 6, "test", 0, 0);
    (void)state;
    mixed_problem(&p, &stream);
    for (int m = 0; m < 3; m++)
        assert_true(hs_oom_each(all_methods[m], hs_live_once,
                                &(hs_life){&p.training, all_methods[m]}) >= 15);
    problem_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nb_equals_its_twin),
                                       cmocka_unit_test(test_kernels_equal_their_twin),
                                       cmocka_unit_test(test_knn_equals_its_twin),
                                       cmocka_unit_test(test_tails),
                                       cmocka_unit_test(test_extreme_numbers),
                                       cmocka_unit_test(test_nb_does_not_underflow),
                                       cmocka_unit_test(test_nb_contributions),
                                       cmocka_unit_test(test_damaged_models),
                                       cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests_name("values", tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * AODE and its hierarchical forms against the three equations as they are written, factor by factor
 * in long double with counts taken from the cells: random data and hierarchies, training rows,
 * feature masks, selections, smoothings and limits. And what must not change anything: how much of
 * the joint counts is kept, how they are counted, threads, writing and reading.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "classify/aode.h"
#include "core/mem.h"
#include "core/random.h"
#include "data/builder.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/random_data.h"

#define MOST    40 /* features and rows of a problem */
#define CLASSES 4

static const char *const forms[] = {"aode", "hie-aode", "hie-aode-lite"};

/* A training situation and what it was made of. */
struct problem {
    hsel_dataset *data;
    bool cell[MOST][MOST];  /* [instance][feature] */
    bool above[MOST][MOST]; /* [feature][ancestor] */
    uint32_t rows[MOST], row_count;
    bool use[MOST];
    uint64_t mask[1];
    hs_counts counts;
    hs_training training;
    hs_aode_form form;
    hs_aode_options options;
    char text[200];
};

static bool chance(hs_stream *stream, double p) { return hs_random_double(stream) < p; }
static uint32_t below(hs_stream *stream, uint32_t limit)
{
    return (uint32_t)hs_random_below(stream, limit);
}

/* Parents, then whatever is above an ancestor, until nothing is new. */
static void close_upwards(struct problem *p)
{
    const hsel_dag *dag = p->data->dag;
    uint32_t n = p->data->features;
    for (uint32_t v = 0; v < n; v++) {
        size_t count;
        const uint32_t *parents = hs_parents(dag, v, &count);
        for (size_t k = 0; k < count; k++)
            p->above[v][parents[k]] = true;
    }
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++)
                p->above[i][j] = p->above[i][j] || (p->above[i][k] && p->above[k][j]);
}

static void choose_options(struct problem *p, hs_stream *stream)
{
    static const uint32_t limits[] = {0, 1, 1, 2, 5, 30};
    p->form = (hs_aode_form)below(stream, 3);
    p->options = (hs_aode_options){.frequency = limits[below(stream, 6)],
                                   .smoothing = (int)below(stream, 2),
                                   .weight = chance(stream, 0.5) ? 1 : 2.5,
                                   .memory = 1024};
    snprintf(p->text, sizeof p->text, "%s:frequency=%u,smoothing=%s,weight=%g", forms[p->form],
             p->options.frequency, p->options.smoothing ? "m-estimate" : "laplace",
             p->options.weight);
}

static void problem_new(struct problem *p, hs_stream *stream)
{
    hsel_error error = {0};
    hs_random_shape shape = {.instances = 1 + below(stream, 24),
                             .features = 1 + below(stream, 13),
                             .classes = 2 + below(stream, CLASSES - 1),
                             .density = 0.05 + 0.9 * hs_random_double(stream),
                             .parents = 0.3 + 2 * hs_random_double(stream),
                             .true_path = chance(stream, 0.7),
                             .unlabelled = chance(stream, 0.2) ? 0.3 : 0};
    memset(p, 0, sizeof *p);
    p->data = hs_random_dataset(stream, &shape);
    for (uint32_t i = 0; i < p->data->instances; i++) {
        size_t count;
        const uint32_t *row = hs_row(p->data, i, &count);
        for (size_t k = 0; k < count; k++)
            p->cell[i][row[k]] = true;
        if (chance(stream, 0.8))
            p->rows[p->row_count++] = i;
    }
    close_upwards(p);
    hs_random_shuffle(stream, p->rows, p->row_count);
    bool masked = chance(stream, 0.4);
    for (uint32_t f = 0; f < p->data->features; f++)
        if ((p->use[f] = !masked || chance(stream, 0.6)))
            hs_bit_set(p->mask, f);
    hs_view view = {.data = p->data, .rows = p->rows, .row_count = p->row_count};
    assert_ok(hs_counts_of(&view, &p->counts, &error), error);
    view.features = masked ? p->mask : NULL;
    p->training = (hs_training){.view = view, .counts = &p->counts, .threads = 1};
    choose_options(p, stream);
}

static void problem_free(struct problem *p)
{
    hs_counts_clear(&p->counts);
    hsel_dataset_free(p->data);
}

/* ---- the twin ---- */

/* Training instances of class y (HSEL_NONE: any) that agree with `instance` in features i and j
 * (HSEL_NONE: whatever they are there). */
static long double agree(const struct problem *p, uint32_t instance, uint32_t y, uint32_t i,
                         uint32_t j)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < p->row_count; r++) {
        uint32_t t = p->rows[r], label = p->data->class_of[t];
        count += label != HSEL_NONE && (y == HSEL_NONE || label == y) &&
                 (i == HSEL_NONE || p->cell[t][i] == p->cell[instance][i]) &&
                 (j == HSEL_NONE || p->cell[t][j] == p->cell[instance][j]);
    }
    return count;
}

static long double estimate(const struct problem *p, long double count, long double total,
                            uint32_t values)
{
    if (p->options.smoothing == HS_AODE_LAPLACE)
        return (count + 1) / (total + values);
    return (count + p->options.weight / (long double)values) / (total + p->options.weight);
}

static long double naive(const struct problem *p, uint32_t x, const bool *selected, uint32_t y)
{
    long double size = agree(p, x, y, HSEL_NONE, HSEL_NONE),
                all = agree(p, x, HSEL_NONE, HSEL_NONE, HSEL_NONE),
                product = estimate(p, size, all, p->data->class_names.count);
    for (uint32_t j = 0; j < p->data->features; j++)
        if (selected[j])
            product *= estimate(p, agree(p, x, y, j, HSEL_NONE), size, 2);
    return product;
}

static long double one_parent(const struct problem *p, uint32_t x, const bool *selected, uint32_t y,
                              uint32_t i)
{
    long double size = agree(p, x, y, HSEL_NONE, HSEL_NONE),
                all = agree(p, x, HSEL_NONE, HSEL_NONE, HSEL_NONE),
                own = agree(p, x, y, i, HSEL_NONE),
                product = estimate(p, own, all, 2 * p->data->class_names.count);
    for (uint32_t j = 0; j < p->data->features; j++) {
        if (!selected[j] || j == i)
            continue;
        if (p->form == HS_AODE_PLAIN || !p->above[i][j])
            product *= estimate(p, agree(p, x, y, i, j), own, 2);
        else if (p->form == HS_AODE_HIE)
            product *= estimate(p, agree(p, x, y, j, HSEL_NONE), size, 2);
    }
    return product;
}

/* How many parents there were. */
static uint32_t slowly(const struct problem *p, uint32_t x, const bool *selected, double *out)
{
    uint32_t classes = p->data->class_names.count, parents = 0;
    long double value[CLASSES] = {0}, sum = 0;
    for (uint32_t i = 0; i < p->data->features; i++)
        if (selected[i] && agree(p, x, HSEL_NONE, i, HSEL_NONE) >= p->options.frequency) {
            parents++;
            for (uint32_t y = 0; y < classes; y++)
                value[y] += one_parent(p, x, selected, y, i);
        }
    for (uint32_t y = 0; y < classes; y++)
        sum += value[y] = parents ? value[y] / parents : naive(p, x, selected, y);
    for (uint32_t y = 0; y < classes; y++)
        out[y] = (double)(value[y] / sum);
    return parents;
}

/* ---- fitting and predicting ---- */

struct fitted {
    hs_chosen chosen;
    void *model, *scratch;
};

static void make_scratch(struct fitted *f)
{
    hsel_error error = {0};
    assert_ok(f->chosen.method->classifier->scratch_new(f->model, &f->scratch, &error), error);
}

/* False when the memory is too little. */
static bool try_fit(struct fitted *f, const char *text, const hs_training *training)
{
    hsel_error error = {0};
    *f = (struct fitted){0};
    assert_ok(hs_chosen_parse(HS_CLASSIFIER, text, &f->chosen, &error), error);
    int status = f->chosen.method->classifier->fit(training, f->chosen.options, &f->model, &error);
    if (status == HSEL_OK) {
        make_scratch(f);
        return true;
    }
    assert_int_equal(status, HSEL_ELIMIT);
    assert_non_null(strstr(error.message, "raise memory="));
    assert_null(f->model);
    hs_chosen_clear(&f->chosen);
    return false;
}

static void fit(struct fitted *f, const char *text, const hs_training *training)
{
    assert_true(try_fit(f, text, training));
}

static void unfit(struct fitted *f)
{
    const hs_classifier *c = f->chosen.method->classifier;
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

static void write_model(const struct fitted *f, hs_buf *bytes)
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
    *f = (struct fitted){0};
    write_model(from, &bytes);
    assert_ok(hs_chosen_parse(HS_CLASSIFIER, from->chosen.method->name, &f->chosen, &error), error);
    assert_ok(
        f->chosen.method->classifier->read(bytes.text, bytes.length, p->data, &f->model, &error),
        error);
    make_scratch(f);
    hs_buf_clear(&bytes);
}

/* ---- comparing ---- */

struct choice {
    bool selected[MOST];
    hs_selection selection;
    bool all; /* no selection given */
};

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

static void assert_near(const struct problem *p, const double *expected, const double *found)
{
    for (uint32_t c = 0; c < p->data->class_names.count; c++)
        if (!(fabs(expected[c] - found[c]) <= 1e-12))
            fail_msg("%s: class %u: expected %.17g, found %.17g", p->text, c, expected[c],
                     found[c]);
}

/* Trained on the selected features alone, and asked without a selection. */
static void predict_alone(const struct problem *p, uint32_t instance, const bool *selected,
                          double *out)
{
    uint64_t mask = 0;
    hs_training training = p->training;
    struct fitted f;
    for (uint32_t i = 0; i < p->data->features; i++)
        if (selected[i])
            hs_bit_set(&mask, i);
    training.view.features = &mask;
    fit(&f, p->text, &training);
    predict(&f, p->data, instance, NULL, out);
    unfit(&f);
}

struct tally {
    uint64_t cases, naive, from_base, from_nothing, kept_some, kept_none, bits, lists, refused;
};

/* The same with less memory; false: too little. */
static bool fit_smaller(struct fitted *f, const struct fitted *full, const struct problem *p,
                        hs_stream *stream, struct tally *tally)
{
    const hs_aode *whole = full->model, *m;
    char text[300];
    double rows = (double)(hs_aode_row_cells(whole) * hs_aode_cell_bytes(whole)) * whole->n;
    double share = 1.5 * hs_random_double(stream) - 0.25;
    double bytes = whole->least + (share < 0 ? -1 : share * rows + 1);
    snprintf(text, sizeof text, "%s,memory=%.9f", p->text, bytes / 1048576);
    if (!try_fit(f, text, &p->training)) {
        assert_true(share < 0);
        tally->refused++;
        return false;
    }
    m = f->model;
    assert_true(m->kept <= (share > 1 ? m->n : share * m->n + 1));
    if (m->kept < m->n) {
        tally->kept_some += m->kept > 0;
        tally->kept_none += m->kept == 0;
        tally->bits += m->bits != NULL;
        tally->lists += m->bits == NULL;
    }
    return true;
}

static void compare(struct problem *p, hs_stream *stream, struct tally *tally)
{
    hsel_error error = {0};
    uint32_t classes = p->data->class_names.count;
    struct choice choice = {0};
    struct fitted fresh, read, small;
    fit(&fresh, p->text, &p->training);
    reread(&read, &fresh, p);
    bool smaller = fit_smaller(&small, &fresh, p, stream, tally);
    assert_ok(hs_selection_init(&choice.selection, p->data->features, &error), error);
    for (uint32_t i = 0; i < p->data->instances; i++) {
        double expected[CLASSES], found[CLASSES], again[CLASSES];
        choose(&choice, p, i, stream);
        const hs_selection *selection = choice.all ? NULL : &choice.selection;
        tally->cases++;
        tally->naive += slowly(p, i, choice.selected, expected) == 0;
        predict(&fresh, p->data, i, selection, found);
        assert_near(p, expected, found);
        predict(&read, p->data, i, selection, again);
        assert_memory_equal(found, again, classes * sizeof *found);
        if (smaller) {
            predict(&small, p->data, i, selection, again);
            assert_memory_equal(found, again, classes * sizeof *found);
        }
        if (chance(stream, 0.1)) {
            predict_alone(p, i, choice.selected, again);
            assert_near(p, found, again);
        }
    }
    hs_selection_clear(&choice.selection);
    unfit(&fresh);
    unfit(&read);
    if (smaller)
        unfit(&small);
}

static void test_equals_the_equations(void **state)
{
    hs_stream stream;
    struct tally tally = {0};
    hs_stream_init(&stream, 1, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 3000; round++) {
        struct problem p;
        problem_new(&p, &stream);
        compare(&p, &stream, &tally);
        problem_free(&p);
    }
    assert_true(tally.cases > 20000 && tally.naive > 500 && tally.refused > 100);
    assert_true(tally.kept_some > 100 && tally.kept_none > 100);
    assert_true(tally.bits > 100 && tally.lists > 100);
}

/* ---- the example of the definition ---- */

/* Features a, b (above a) and c of four instances. */
static void small_data(struct problem *p)
{
    static const uint32_t label[4] = {0, 0, 1, 1}, child = 0, parent = 1;
    static const char *const positive[4] = {"ab", "bc", "c", ""};
    hsel_error error = {0};
    hs_builder *builder = NULL;
    uint32_t id;
    memset(p, 0, sizeof *p);
    assert_ok(hs_builder_new(&builder, &error), error);
    for (const char *name = "abc"; *name; name++)
        assert_ok(hs_builder_feature(builder, name, 1, HSEL_BINARY, &id, &error), error);
    for (const char *name = "01"; *name; name++)
        assert_ok(hs_builder_class(builder, name, 1, &id, &error), error);
    for (int i = 0; i < 4; i++) {
        assert_ok(hs_builder_row(builder, NULL, 0, label[i], &error), error);
        for (const char *name = positive[i]; *name; name++)
            assert_ok(hs_builder_positive(builder, (uint32_t)(*name - 'a'), &error), error);
    }
    assert_ok(hs_builder_finish(builder, &p->data, &error), error);
    hs_builder_free(builder);
    assert_ok(hs_dag_new(3, &child, &parent, 1, &p->data->dag, &error), error);
    p->training = (hs_training){.view = hs_view_all(p->data), .counts = &p->counts, .threads = 1};
    assert_ok(hs_counts_of(&p->training.view, &p->counts, &error), error);
}

/* Worked out by hand. */
static void test_small_example(void **state)
{
    /* instance a=1 b=1 c=0, n_0 = n_1 = 2, N = 4, K = 2. Class 0:
     * a: 2/8 * b 2/3 * c 2/3, b: 3/8 * a 2/4 * c 2/4, c: 2/8 * a 2/3 * b 2/3
     * Class 1: a: 1/8 * 1/2 * 1/2, b: 1/8 * 1/2 * 1/2, c: 2/8 * a 1/3 * b 1/3 */
    double zero = 1.0 / 9 + 3.0 / 32 + 1.0 / 9, one = 1.0 / 32 + 1.0 / 32 + 1.0 / 36;
    /* the only ancestor is b, of a: P(b=1|0) = 3/4, P(b=1|1) = 1/4 in place of 2/3 and 1/2 */
    const double a_zero[] = {1.0 / 9, 1.0 / 8, 1.0 / 6}, a_one[] = {1.0 / 32, 1.0 / 64, 1.0 / 16};
    struct problem p;
    (void)state;
    small_data(&p);
    for (int form = 0; form < 3; form++) {
        struct fitted f;
        double found[2], y0 = zero - a_zero[0] + a_zero[form], y1 = one - a_one[0] + a_one[form];
        fit(&f, forms[form], &p.training);
        predict(&f, p.data, 0, NULL, found);
        assert_true(fabs(found[0] - y0 / (y0 + y1)) < 1e-14);
        unfit(&f);
    }
    problem_free(&p);
}

/* ---- more than small numbers ---- */

/* Sums of logarithms in long double, from cells, for the plain form: no product of 2,000 factors is
 * anything but 0. */
static void slowly_in_logs(const hsel_dataset *data, uint32_t x, double *out)
{
    uint32_t n = data->features, rows = data->instances;
    uint8_t *same = calloc((size_t)n * rows, 1); /* does row t agree with x in i? */
    long double log_of[2], most = -INFINITY;
    assert_non_null(same);
    for (uint32_t t = 0; t < rows; t++) {
        size_t a, b;
        const uint32_t *own = hs_row(data, x, &a), *row = hs_row(data, t, &b);
        for (uint32_t i = 0, k = 0, l = 0; i < n; i++) {
            bool one = k < a && own[k] == i, other = l < b && row[l] == i;
            k += one;
            l += other;
            same[(size_t)i * rows + t] = one == other;
        }
    }
    for (uint32_t y = 0; y < 2; y++) {
        long double *term = calloc(n, sizeof *term), sum = 0;
        long double largest = -INFINITY;
        assert_non_null(term);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t own = 0;
            for (uint32_t t = 0; t < rows; t++)
                own += data->class_of[t] == y && same[(size_t)i * rows + t];
            term[i] = logl(own + 1.0L);
            for (uint32_t j = 0; j < n; j++) {
                uint32_t both = 0;
                for (uint32_t t = 0; t < rows; t++)
                    both += data->class_of[t] == y && same[(size_t)i * rows + t] &&
                            same[(size_t)j * rows + t];
                term[i] += i == j ? 0 : logl((both + 1.0L) / (own + 2.0L));
            }
            largest = term[i] > largest ? term[i] : largest;
        }
        for (uint32_t i = 0; i < n; i++)
            sum += expl(term[i] - largest);
        log_of[y] = largest + logl(sum);
        most = log_of[y] > most ? log_of[y] : most;
        free(term);
    }
    free(same);
    long double zero = expl(log_of[0] - most), one = expl(log_of[1] - most);
    out[0] = (double)(zero / (zero + one));
    out[1] = (double)(one / (zero + one));
    assert_true(most < -760); /* less than a double holds */
}

static void test_does_not_underflow(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 3, "test", 0, 0);
    hs_random_shape shape = {.instances = 10, .features = 2000, .classes = 2, .density = 0.4};
    hsel_error error = {0};
    hs_counts counts = {0};
    struct fitted f;
    double expected[2], found[2];
    (void)state;
    hsel_dataset *data = hs_random_dataset(&stream, &shape);
    hs_view view = hs_view_all(data);
    assert_ok(hs_counts_of(&view, &counts, &error), error);
    hs_training training = {.view = view, .counts = &counts, .threads = 1};
    fit(&f, "aode", &training);
    for (uint32_t i = 0; i < 2; i++) {
        slowly_in_logs(data, i, expected);
        predict(&f, data, i, NULL, found);
        assert_true(fabs(found[0] - expected[0]) <= 1e-9 && fabs(found[1] - expected[1]) <= 1e-9);
    }
    unfit(&f);
    hs_counts_clear(&counts);
    hsel_dataset_free(data);
}

/* More instances of a class than two bytes count. */
static void test_large_counts(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 4, "test", 0, 0);
    hs_random_shape shape = {
        .instances = 140000, .features = 3, .classes = 2, .density = 0.5, .parents = 1};
    hsel_error error = {0};
    hs_counts counts = {0};
    struct fitted f;
    (void)state;
    hsel_dataset *data = hs_random_dataset(&stream, &shape);
    hs_view view = hs_view_all(data);
    assert_ok(hs_counts_of(&view, &counts, &error), error);
    hs_training training = {.view = view, .counts = &counts, .threads = 1};
    fit(&f, "aode", &training);
    assert_true(((const hs_aode *)f.model)->wide);
    uint32_t n[2][8] = {{0}}; /* by class and the three values */
    for (uint32_t t = 0; t < data->instances; t++) {
        size_t count;
        const uint32_t *row = hs_row(data, t, &count);
        unsigned values = 0;
        for (size_t k = 0; k < count; k++)
            values |= 1u << row[k];
        n[data->class_of[t]][values]++;
    }
    for (uint32_t x = 0; x < 20; x++) {
        size_t count;
        const uint32_t *row = hs_row(data, x, &count);
        unsigned values = 0;
        double sum[2] = {0, 0}, found[2];
        for (size_t k = 0; k < count; k++)
            values |= 1u << row[k];
        for (int y = 0; y < 2; y++)
            for (unsigned i = 0; i < 3; i++) {
                double own = 0, pair[3] = {0}, term;
                for (unsigned v = 0; v < 8; v++) {
                    unsigned differs = v ^ values;
                    own += differs >> i & 1 ? 0 : n[y][v];
                    for (unsigned j = 0; j < 3; j++)
                        pair[j] += (differs >> i & 1) || (differs >> j & 1) ? 0 : n[y][v];
                }
                term = own + 1;
                for (unsigned j = 0; j < 3; j++)
                    term *= j == i ? 1 : (pair[j] + 1) / (own + 2);
                sum[y] += term;
            }
        predict(&f, data, x, NULL, found);
        assert_true(fabs(found[0] - sum[0] / (sum[0] + sum[1])) <= 1e-12);
    }
    unfit(&f);
    hs_counts_clear(&counts);
    hsel_dataset_free(data);
}

/* Enough rows for several tasks of hs_parallel_for; the last bit must be the same. */
static void test_threads(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 5, "test", 0, 0);
    hs_random_shape shape = {.instances = 60,
                             .features = 150,
                             .classes = 3,
                             .density = 0.1,
                             .parents = 1.5,
                             .true_path = true};
    hsel_error error = {0};
    hs_counts counts = {0};
    (void)state;
    hsel_dataset *data = hs_random_dataset(&stream, &shape);
    hs_view view = hs_view_all(data);
    assert_ok(hs_counts_of(&view, &counts, &error), error);
    hs_training training = {.view = view, .counts = &counts};
    for (int form = 0; form < 3; form++) {
        char text[64];
        struct fitted one, many;
        training.threads = 1;
        fit(&one, forms[form], &training);
        training.threads = 3;
        snprintf(text, sizeof text, "%s:memory=0.2", forms[form]);
        fit(&many, text, &training);
        assert_true(((const hs_aode *)many.model)->kept < 150);
        for (uint32_t i = 0; i < data->instances; i++) {
            double a[3], b[3];
            predict(&one, data, i, NULL, a);
            predict(&many, data, i, NULL, b);
            assert_memory_equal(a, b, sizeof a);
        }
        unfit(&one);
        unfit(&many);
    }
    hs_counts_clear(&counts);
    hsel_dataset_free(data);
}

/* ---- what goes wrong ---- */

static void fixed_problem(struct problem *p, hs_aode_form form)
{
    hs_stream stream;
    hs_stream_init(&stream, 6, "test", 0, 0);
    do {
        problem_new(p, &stream);
        if (p->data->features > 6 && p->row_count > 10 && !p->training.view.features)
            break;
        problem_free(p);
    } while (true);
    p->form = form;
    snprintf(p->text, sizeof p->text, "%s", forms[form]);
}

static void test_memory_is_said(void **state)
{
    struct problem p;
    hsel_error error = {0};
    hs_chosen chosen = {0};
    void *model = NULL;
    char expected[100];
    (void)state;
    fixed_problem(&p, HS_AODE_HIE);
    assert_ok(hs_chosen_parse(HS_CLASSIFIER, "hie-aode:memory=0.0001", &chosen, &error), error);
    assert_int_equal(chosen.method->classifier->fit(&p.training, chosen.options, &model, &error),
                     HSEL_ELIMIT);
    snprintf(expected, sizeof expected, "hie-aode on %u features and %u classes needs 0.1 MB",
             p.data->features, p.data->class_names.count);
    assert_memory_equal(error.message, expected, strlen(expected));
    assert_non_null(
        strstr(error.message, "it may take 0.0001: select features first, or raise memory="));
    assert_null(model);
    hs_chosen_clear(&chosen);
    problem_free(&p);
}

static void test_needs_a_hierarchy(void **state)
{
    struct problem p;
    (void)state;
    fixed_problem(&p, HS_AODE_LITE);
    hs_dag_free(p.data->dag);
    p.data->dag = NULL;
    for (int form = 1; form < 3; form++) {
        hsel_error error = {0};
        hs_chosen chosen = {0};
        void *model = NULL;
        assert_ok(hs_chosen_parse(HS_CLASSIFIER, forms[form], &chosen, &error), error);
        assert_int_equal(
            chosen.method->classifier->fit(&p.training, chosen.options, &model, &error),
            HSEL_EUSAGE);
        assert_non_null(strstr(error.message, "needs a hierarchy"));
        hs_chosen_clear(&chosen);
    }
    problem_free(&p);
}

/* Cut off anywhere it is refused; with any byte changed it is refused or predicts something. */
static void test_damaged_models(void **state)
{
    (void)state;
    for (int form = 0; form < 3; form++) {
        struct problem p;
        struct fitted f;
        hs_buf bytes = {0};
        fixed_problem(&p, (hs_aode_form)form);
        fit(&f, p.text, &p.training);
        const hs_classifier *c = f.chosen.method->classifier;
        write_model(&f, &bytes);
        for (size_t length = 0; length < bytes.length; length++) {
            hsel_error error = {0};
            void *none = NULL;
            char *part = malloc(length ? length : 1);
            assert_non_null(part);
            memcpy(part, bytes.text, length);
            assert_int_equal(c->read(part, length, p.data, &none, &error), HSEL_EFORMAT);
            assert_string_equal(error.message, "the AODE model is cut off or damaged");
            assert_null(none);
            free(part);
        }
        size_t taken = 0;
        for (size_t at = 0; at < 8 * bytes.length; at++) {
            hsel_error error = {0};
            struct fitted odd = {0};
            double probability[CLASSES], sum = 0;
            bytes.text[at / 8] ^= (char)(1 << at % 8);
            if (c->read(bytes.text, bytes.length, p.data, &odd.model, &error) == HSEL_OK) {
                void *scratch = NULL;
                taken++;
                assert_ok(c->scratch_new(odd.model, &scratch, &error), error);
                assert_ok(c->predict(odd.model, p.data, 0, NULL, scratch, probability, &error),
                          error);
                for (uint32_t y = 0; y < p.data->class_names.count; y++)
                    sum += probability[y];
                assert_true(fabs(sum - 1) < 1e-9);
                c->scratch_free(scratch);
                c->free(odd.model);
            }
            bytes.text[at / 8] ^= (char)(1 << at % 8);
        }
        assert_true(taken > 0 && taken < 8 * bytes.length);
        hs_buf_clear(&bytes);
        unfit(&f);
        problem_free(&p);
    }
}

struct use {
    const struct problem *p;
    const hs_buf *bytes; /* NULL: fits */
    const char *text;
};

static int fit_or_read(void *context, hsel_error *error)
{
    const struct use *use = context;
    hs_chosen chosen = {0};
    void *model = NULL, *scratch = NULL;
    int status = hs_chosen_parse(HS_CLASSIFIER, use->text, &chosen, error);
    const hs_classifier *c = status ? NULL : chosen.method->classifier;
    if (status == HSEL_OK && use->bytes)
        status = c->read(use->bytes->text, use->bytes->length, use->p->data, &model, error);
    else if (status == HSEL_OK)
        status = c->fit(&use->p->training, chosen.options, &model, error);
    if (status == HSEL_OK)
        status = c->scratch_new(model, &scratch, error);
    if (scratch)
        c->scratch_free(scratch);
    if (model)
        c->free(model);
    hs_chosen_clear(&chosen);
    return status;
}

static void test_out_of_memory(void **state)
{
    static const char *const texts[] = {"aode", "hie-aode:memory=0.006", "hie-aode-lite"};
    (void)state;
    for (int form = 0; form < 3; form++) {
        struct problem p;
        struct fitted f;
        hs_buf bytes = {0};
        fixed_problem(&p, (hs_aode_form)form);
        fit(&f, texts[form], &p.training);
        write_model(&f, &bytes);
        struct use use = {&p, NULL, texts[form]};
        hs_oom_each("fitting", fit_or_read, &use);
        use.bytes = &bytes;
        hs_oom_each("reading", fit_or_read, &use);
        hs_buf_clear(&bytes);
        unfit(&f);
        problem_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_equals_the_equations),
                                       cmocka_unit_test(test_small_example),
                                       cmocka_unit_test(test_does_not_underflow),
                                       cmocka_unit_test(test_large_counts),
                                       cmocka_unit_test(test_threads),
                                       cmocka_unit_test(test_memory_is_said),
                                       cmocka_unit_test(test_needs_a_hierarchy),
                                       cmocka_unit_test(test_damaged_models),
                                       cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

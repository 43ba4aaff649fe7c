/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * BAN, TAN and HRE-TAN against twins that count in the cells of a small table: random data with a
 * hierarchy, with and without the true-path rule, training rows (some twice), feature masks and
 * selections.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "classify/classify.h"
#include "support/classifier_life.h"
#include "support/cmocka.h"
#include "support/fitted.h"
#include "support/oom.h"
#include "support/problem.h"
#include "support/random_data.h"
#include "support/threads.h"

#define MOST PROBLEM_MOST

HS_TEST_USES_THREADS

static bool chance(hs_stream *stream, double p) { return hs_random_double(stream) < p; }

static void problem_new(hs_problem *p, hs_stream *stream)
{
    hs_random_shape shape = {.instances = 5 + (uint32_t)hs_random_below(stream, 14),
                             .features = 1 + (uint32_t)hs_random_below(stream, 9),
                             .classes = 2 + (uint32_t)hs_random_below(stream, 3),
                             .density = 0.1 + 0.6 * hs_random_double(stream),
                             .parents = 0.3 + 2 * hs_random_double(stream),
                             .true_path = chance(stream, 0.7),
                             .unlabelled = chance(stream, 0.3) ? 0.3 : 0};
    hs_problem_new(p, stream, hs_random_dataset(stream, &shape),
                   &(hs_problem_chances){.trained = 0.8, .twice = 0.1, .masked = 0.4, .used = 0.7});
}

/* ---- counting ---- */

/* Training instances of class c that agree with the instance in the features asked for. */
static double agreeing(const hs_problem *p, uint32_t c, const bool *cell, const bool *asked)
{
    double count = 0;
    for (uint32_t r = 0; r < p->row_count; r++) {
        bool same = p->data->class_of[p->rows[r]] == c;
        for (uint32_t f = 0; f < p->features && same; f++)
            same = !asked[f] || p->cell[p->rows[r]][f] == cell[f];
        count += same;
    }
    return count;
}

static double prior(const hs_problem *p, uint32_t c)
{
    const bool none[MOST] = {0};
    double all = 0;
    for (uint32_t k = 0; k < p->classes; k++)
        all += agreeing(p, k, none, none);
    return (agreeing(p, c, none, none) + 1) / (all + p->classes);
}

/* P(x_f | c, the features given). */
static double factor(const hs_problem *p, uint32_t c, const bool *cell, uint32_t f,
                     const bool *given)
{
    bool asked[MOST];
    double all = agreeing(p, c, cell, given);
    memcpy(asked, given, sizeof asked);
    asked[f] = true;
    return (agreeing(p, c, cell, asked) + 1) / (all + 2);
}

static void normalise(double *value, uint32_t classes)
{
    double sum = 0;
    for (uint32_t c = 0; c < classes; c++)
        sum += value[c];
    for (uint32_t c = 0; c < classes; c++)
        value[c] /= sum;
}

/* The product over the features of a network; parent[f] = f: none, -1: f is not in it. */
static void along_parents(const hs_problem *p, const bool *cell, const int *parent, double *out)
{
    for (uint32_t c = 0; c < p->classes; c++) {
        out[c] = prior(p, c);
        for (uint32_t f = 0; f < p->features; f++) {
            bool given[MOST] = {0};
            if (parent[f] < 0)
                continue;
            if (parent[f] != (int)f)
                given[parent[f]] = true;
            out[c] *= factor(p, c, cell, f, given);
        }
    }
    normalise(out, p->classes);
}

static bool empirical; /* which information the twins use */

/* N I(i; j | C) without smoothing, in units that few instances never share without being equal. */
static double plain_information(const hs_problem *p, uint32_t i, uint32_t j)
{
    double sum = 0;
    for (uint32_t c = 0; c < p->classes; c++) {
        double n[2][2] = {{0}};
        for (uint32_t r = 0; r < p->row_count; r++)
            if (p->data->class_of[p->rows[r]] == c)
                n[p->cell[p->rows[r]][i]][p->cell[p->rows[r]][j]]++;
        double all = n[0][0] + n[0][1] + n[1][0] + n[1][1];
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 2; b++)
                if (n[a][b] > 0)
                    sum +=
                        n[a][b] * log2(n[a][b] * all / (n[a][0] + n[a][1]) / (n[0][b] + n[1][b]));
    }
    return nearbyint(sum * 1e10);
}

/* The expression that classify/cmi.h promises, from cells. */
static double information(const hs_problem *p, uint32_t i, uint32_t j)
{
    double sum = 0;
    if (empirical)
        return plain_information(p, i, j);
    for (uint32_t c = 0; c < p->classes; c++) {
        unsigned n[2][2] = {{0}}, all = 0;
        double term[2][2];
        for (uint32_t r = 0; r < p->row_count; r++)
            if (p->data->class_of[p->rows[r]] == c) {
                n[p->cell[p->rows[r]][i]][p->cell[p->rows[r]][j]]++;
                all++;
            }
        double shift = 2 * log2(all + 2.0) - log2(all + 4.0);
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 2; b++)
                term[a][b] = (n[a][b] + 1.0) *
                             (log2(n[a][b] + 1.0) + shift -
                              (log2(n[a][0] + n[a][1] + 1.0) + log2(n[0][b] + n[1][b] + 1.0)));
        sum +=
            prior(p, c) * (((term[0][0] + term[1][1]) + (term[0][1] + term[1][0])) / (all + 4.0));
    }
    return sum;
}

struct pair {
    double value;
    uint32_t i, j;
};

static int by_value(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    if (x->value != y->value)
        return x->value > y->value ? -1 : 1;
    if (x->i != y->i)
        return x->i < y->i ? -1 : 1;
    return x->j < y->j ? -1 : 1;
}

static size_t sorted_pairs(const hs_problem *p, struct pair *out)
{
    size_t count = 0;
    for (uint32_t i = 0; i < p->features; i++)
        for (uint32_t j = i + 1; j < p->features; j++)
            if (p->use[i] && p->use[j])
                out[count++] = (struct pair){information(p, i, j), i, j};
    qsort(out, count, sizeof *out, by_value);
    return count;
}

/* Directs the edges away from a root: again and again, until nothing changes. */
static void hang(bool joined[MOST][MOST], uint32_t features, uint32_t root, int *parent)
{
    bool changed = true;
    parent[root] = (int)root;
    while (changed) {
        changed = false;
        for (uint32_t f = 0; f < features; f++)
            for (uint32_t g = 0; g < features; g++)
                if (joined[f][g] && parent[f] >= 0 && parent[g] < 0) {
                    parent[g] = (int)f;
                    changed = true;
                }
    }
}

static void join(int *part, uint32_t features, uint32_t i, uint32_t j)
{
    int old = part[j];
    for (uint32_t f = 0; f < features; f++)
        part[f] = part[f] == old ? part[i] : part[f];
}

/* ---- twins ---- */

typedef void (*twin)(const hs_problem *p, const bool *cell, const bool *selected, double *out);

static void ban_slowly(const hs_problem *p, const bool *cell, const bool *selected, double *out)
{
    for (uint32_t c = 0; c < p->classes; c++) {
        out[c] = prior(p, c);
        for (uint32_t f = 0; f < p->features; f++) {
            bool given[MOST] = {0};
            for (uint32_t g = 0; g < p->features; g++)
                given[g] = p->edge[f][g] && selected[g];
            if (selected[f])
                out[c] *= factor(p, c, cell, f, given);
        }
    }
    normalise(out, p->classes);
}

/* Kruskal's algorithm. */
static void tan_slowly(const hs_problem *p, const bool *cell, const bool *selected, double *out)
{
    struct pair pairs[MOST * MOST];
    size_t count = sorted_pairs(p, pairs);
    bool joined[MOST][MOST] = {{0}};
    int part[MOST], parent[MOST];
    uint32_t root = p->features;
    for (uint32_t f = 0; f < p->features; f++) {
        part[f] = (int)f;
        parent[f] = -1;
        root = p->use[f] && root == p->features ? f : root;
    }
    for (size_t k = 0; k < count; k++)
        if (part[pairs[k].i] != part[pairs[k].j]) {
            joined[pairs[k].i][pairs[k].j] = joined[pairs[k].j][pairs[k].i] = true;
            join(part, p->features, pairs[k].i, pairs[k].j);
        }
    if (root < p->features)
        hang(joined, p->features, root, parent);
    for (uint32_t f = 0; f < p->features; f++) {
        if (parent[f] >= 0 && !selected[parent[f]])
            parent[f] = (int)f;
        if (!selected[f])
            parent[f] = -1;
    }
    along_parents(p, cell, parent, out);
}

static bool redundant(const hs_problem *p, const bool *cell, uint32_t i, uint32_t j)
{
    return (p->above[i][j] || p->above[j][i]) && cell[i] == cell[j];
}

static void hre_tan_slowly(const hs_problem *p, const bool *cell, const bool *selected, double *out)
{
    struct pair pairs[MOST * MOST];
    size_t count = sorted_pairs(p, pairs), taken = 0, order[MOST];
    bool joined[MOST][MOST] = {{0}}, available[MOST];
    int part[MOST], parent[MOST];
    memcpy(available, selected, sizeof available);
    for (uint32_t f = 0; f < p->features; f++) {
        part[f] = (int)f;
        parent[f] = -1;
    }
    for (size_t k = 0; k < count; k++) {
        uint32_t i = pairs[k].i, j = pairs[k].j;
        if (!available[i] || !available[j] || redundant(p, cell, i, j) || part[i] == part[j])
            continue;
        joined[i][j] = joined[j][i] = true;
        join(part, p->features, i, j);
        order[taken++] = k;
        for (uint32_t f = 0; f < p->features; f++)
            if (redundant(p, cell, f, i) || redundant(p, cell, f, j))
                available[f] = false;
    }
    for (size_t k = 0; k < taken; k++)
        if (parent[pairs[order[k]].i] < 0)
            hang(joined, p->features, pairs[order[k]].i, parent);
    along_parents(p, cell, parent, out);
}

/* ---- comparing ---- */

static void compare(const char *name, twin slowly, uint64_t seed, int rounds)
{
    hs_stream stream;
    hs_stream_init(&stream, seed, "test", 0, 0);
    for (int round = 0; round < rounds; round++) {
        hs_problem p;
        hs_picked picked;
        hs_fitted fresh, read;
        problem_new(&p, &stream);
        hs_fit(&fresh, name, &p.training);
        hs_fitted_reread(&read, &fresh, p.data);
        hs_fitted_refuse_cuts(&fresh, p.data, 20);
        hs_picked_init(&picked, &p);
        for (uint32_t i = 0; i < p.data->instances; i++) {
            double expected[4], found[4], again[4];
            const hs_selection *s = hs_pick(&picked, &p, i, 0.4, &stream);
            slowly(&p, p.cell[i], picked.selected, expected);
            hs_fitted_predict(&fresh, p.data, i, s, found);
            hs_fitted_predict(&read, p.data, i, s, again);
            for (uint32_t k = 0; k < p.classes; k++)
                if (!(fabs(expected[k] - found[k]) < 1e-11))
                    fail_msg("%s, round %d, instance %u, class %u: expected %.15g, found %.15g",
                             name, round, i, k, expected[k], found[k]);
            assert_memory_equal(found, again, p.classes * sizeof *found);
        }
        hs_picked_clear(&picked);
        hs_unfit(&fresh);
        hs_unfit(&read);
        hs_problem_free(&p);
    }
}

static void test_ban_equals_its_twin(void **state)
{
    (void)state;
    compare("ban", ban_slowly, 1, 3000);
}

static void test_tan_equals_its_twin(void **state)
{
    (void)state;
    compare("tan", tan_slowly, 2, 2000);
    empirical = true;
    compare("tan:cmi=empirical", tan_slowly, 2, 2000);
    empirical = false;
}

static void test_hre_tan_equals_its_twin(void **state)
{
    (void)state;
    compare("hre-tan", hre_tan_slowly, 3, 2000);
}

/* ---- large and damaged ---- */

/* More parents than bits of a word: 150 roots above one feature. No two instances agree in all of
 * them, so for the feature below P is 2/3 in the class of the instance and 1/2 in the other. */
static void test_ban_with_many_parents(void **state)
{
    enum { ROOTS = 150 };
    hs_stream stream;
    hsel_error error = {0};
    uint32_t child[ROOTS], parent[ROOTS];
    hs_counts counts;
    hs_fitted f;
    hs_stream_init(&stream, 4, "test", 0, 0);
    hs_random_shape shape = {.instances = 30, .features = ROOTS + 1, .classes = 2, .density = 0.5};
    hsel_dataset *data = hs_random_dataset(&stream, &shape);
    (void)state;
    for (uint32_t i = 0; i < ROOTS; i++) {
        child[i] = ROOTS;
        parent[i] = i;
    }
    assert_ok(hs_dag_new(ROOTS + 1, child, parent, ROOTS, &data->dag, &error), error);
    hs_training training = hs_training_on(data, &counts);
    hs_fit(&f, "ban", &training);
    for (uint32_t i = 0; i < data->instances; i++) {
        double found[2],
            log_odds = log((counts.class_size[1] + 1.0) / (counts.class_size[0] + 1.0));
        size_t count, next = 0;
        const uint32_t *row = hs_row(data, i, &count);
        for (uint32_t r = 0; r < ROOTS; r++) {
            bool here = next < count && row[next] == r;
            next += here;
            for (int k = 0; k < 2; k++) {
                double with = hs_count(&counts, r, k), all = counts.class_size[k];
                log_odds += (k ? 1 : -1) * log(((here ? with : all - with) + 1) / (all + 2));
            }
        }
        log_odds += (data->class_of[i] == 1 ? 1 : -1) * (log(2.0 / 3) - log(0.5));
        hs_fitted_predict(&f, data, i, NULL, found);
        assert_true(fabs(found[1] - 1 / (1 + exp(-log_odds))) < 1e-9);
    }
    hs_unfit(&f);
    hs_counts_clear(&counts);
    hsel_dataset_free(data);
}

/* Lists of partners that are cut short give the same numbers as complete ones: equal counts make
 * many ties, and selections leave a feature few of its partners. */
static void test_hre_tan_with_little_memory(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 5, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 4; round++) {
        hs_random_shape shape = {.instances = round % 2 ? 30 : 200,
                                 .features = 450,
                                 .classes = 2 + (uint32_t)round,
                                 .density = round < 2 ? 0.02 : 0.2,
                                 .parents = 1.5,
                                 .true_path = true};
        hsel_error error = {0};
        hs_counts counts;
        hs_fitted whole, part;
        hs_selection selection;
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        hs_training training = hs_training_on(data, &counts);
        hs_fit(&whole, "hre-tan", &training);
        training.threads = 3;
        hs_fit(&part, "hre-tan:memory=1", &training);
        assert_ok(hs_selection_init(&selection, data->features, &error), error);
        for (uint32_t i = 0; i < 30; i++) {
            double a[5], b[5];
            size_t count, next = 0;
            const uint32_t *row = hs_row(data, i, &count);
            selection.positive_count = selection.negative_count = 0;
            selection.all_negative = chance(&stream, 0.3);
            for (uint32_t f = 0; f < data->features; f++) {
                bool here = next < count && row[next] == f;
                next += here;
                if (!chance(&stream, 0.1))
                    continue;
                if (here)
                    selection.positive[selection.positive_count++] = f;
                else if (!selection.all_negative)
                    selection.negative[selection.negative_count++] = f;
            }
            for (int lazy = 0; lazy < 2; lazy++) {
                hs_fitted_predict(&whole, data, i, lazy ? &selection : NULL, a);
                hs_fitted_predict(&part, data, i, lazy ? &selection : NULL, b);
                assert_memory_equal(a, b, shape.classes * sizeof *a);
            }
        }
        hs_selection_clear(&selection);
        hs_unfit(&whole);
        hs_unfit(&part);
        hs_counts_clear(&counts);
        hsel_dataset_free(data);
    }
}

static void test_hre_tan_says_what_it_would_take(void **state)
{
    enum { CHAIN = 700 };
    hs_stream stream;
    hsel_error error = {0};
    hs_counts counts;
    hs_fitted f;
    uint32_t child[CHAIN], parent[CHAIN];
    hs_stream_init(&stream, 5, "test", 0, 0);
    hs_random_shape shape = {.instances = 4, .features = CHAIN + 1, .classes = 2, .density = 0.1};
    hsel_dataset *data = hs_random_dataset(&stream, &shape);
    (void)state;
    for (uint32_t i = 0; i < CHAIN; i++) {
        child[i] = i;
        parent[i] = i + 1;
    }
    assert_ok(hs_dag_new(CHAIN + 1, child, parent, CHAIN, &data->dag, &error), error);
    hs_training training = hs_training_on(data, &counts);
    assert_int_equal(hs_try_fit(&f, "hre-tan:memory=1", &training, &error), HSEL_ELIMIT);
    assert_string_equal(error.message,
                        "hre-tan stores the ancestors and descendants of each feature, which takes "
                        "2 MB, but memory=1 allows 1 MB; raise memory=");
    hs_counts_clear(&counts);
    hsel_dataset_free(data);
}

/* Any byte changed: refused, or a model that predicts probabilities. */
static void test_damaged_models(void **state)
{
    static const char *const methods[] = {"ban", "tan", "hre-tan"};
    hs_stream stream;
    hs_stream_init(&stream, 6, "test", 0, 0);
    (void)state;
    for (int m = 0; m < 60; m++) {
        hs_problem p;
        hs_fitted f;
        hs_buf bytes = {0};
        problem_new(&p, &stream);
        hs_fit(&f, methods[m % 3], &p.training);
        hs_fitted_write(&f, &bytes);
        for (size_t i = 0; i < 3 * bytes.length; i++) {
            static const char with[] = {1, 0x40, (char)0xff};
            double found[4], sum = 0;
            bytes.text[i / 3] ^= with[i % 3];
            if (hs_fitted_takes(&f, &bytes, p.data, 1, found)) {
                for (uint32_t k = 0; k < p.classes; k++)
                    sum += found[k];
                assert_true(fabs(sum - 1) < 1e-9);
            }
            bytes.text[i / 3] ^= with[i % 3];
        }
        hs_buf_clear(&bytes);
        hs_unfit(&f);
        hs_problem_free(&p);
    }
}

static void test_memory(void **state)
{
    static const char *const methods[] = {"ban", "tan", "hre-tan"};
    hs_stream stream;
    hs_stream_init(&stream, 7, "test", 0, 0);
    (void)state;
    for (int m = 0; m < 3; m++) {
        hs_problem p;
        problem_new(&p, &stream);
        assert_true(hs_oom_each(methods[m], hs_live_once, &(hs_life){&p.training, methods[m]}) >=
                    19);
        hs_problem_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ban_equals_its_twin),
                                       cmocka_unit_test(test_tan_equals_its_twin),
                                       cmocka_unit_test(test_hre_tan_equals_its_twin),
                                       cmocka_unit_test(test_ban_with_many_parents),
                                       cmocka_unit_test(test_hre_tan_with_little_memory),
                                       cmocka_unit_test(test_hre_tan_says_what_it_would_take),
                                       cmocka_unit_test(test_damaged_models),
                                       cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

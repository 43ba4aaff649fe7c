/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kendall's tau against its definition, pair by pair; matrices, their mean and distance by hand.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/random.h"
#include "stats/kendall.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/threads.h"

#define MOST 300

HS_TEST_USES_THREADS

static int sign(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b) ? 0 : isnan(a) ? -1 : 1;
    return (a > b) - (a < b);
}

static hs_tau tau_slowly(const double *x, const double *y, uint32_t n)
{
    double s = 0, in_x = 0, in_y = 0, all = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i + 1; j < n; j++) {
            int a = sign(x[i], x[j]), b = sign(y[i], y[j]);
            s += a * b;
            in_x += a != 0;
            in_y += b != 0;
            all++;
        }
    return (hs_tau){s / all, s / sqrt(in_x * in_y)};
}

static hs_tau tau_of(const double *x, const double *y, uint32_t n)
{
    hsel_error error = {0};
    hs_ranking a = {0}, b = {0};
    uint32_t *room = malloc((2 * (size_t)n + 1) * sizeof *room);
    assert_non_null(room);
    assert_ok(hs_ranking_of_scores(x, n, HS_TAU_B, &a, &error), error);
    assert_ok(hs_ranking_of_scores(y, n, HS_TAU_B, &b, &error), error);
    hs_tau tau = hs_kendall(&a, &b, room);
    hs_ranking_clear(&a);
    hs_ranking_clear(&b);
    free(room);
    return tau;
}

static bool same(double a, double b) { return isnan(a) ? isnan(b) : fabs(a - b) < 1e-13; }

/* Scores with few or many ties, infinities and values that are no number. */
static void draw(hs_stream *stream, double *x, uint32_t n)
{
    uint64_t values = 1 + hs_random_below(stream, hs_random_below(stream, 2) ? 5 : 1000);
    bool odd = hs_random_below(stream, 3) == 0;
    for (uint32_t i = 0; i < n; i++) {
        static const double odds[] = {INFINITY, -INFINITY, NAN, -0.0};
        x[i] = (double)hs_random_below(stream, values);
        if (odd && hs_random_below(stream, 5) == 0)
            x[i] = odds[hs_random_below(stream, 4)];
    }
}

static void test_equals_its_definition(void **state)
{
    hs_stream stream;
    double x[MOST], y[MOST];
    hs_stream_init(&stream, 1, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 4000; round++) {
        uint32_t n = 2 + (uint32_t)hs_random_below(&stream, round % 50 ? 30 : MOST - 2);
        draw(&stream, x, n);
        draw(&stream, y, n);
        hs_tau expected = tau_slowly(x, y, n), found = tau_of(x, y, n);
        if (!same(expected.a, found.a) || !same(expected.b, found.b))
            fail_msg("%u things: tau-a %.17g and %.17g, tau-b %.17g and %.17g", n, expected.a,
                     found.a, expected.b, found.b);
    }
}

static void test_known_values(void **state)
{
    static const double up[] = {1, 2, 3, 4, 5}, down[] = {9, 7, 5, 3, 1}, flat[] = {2, 2, 2, 2, 2};
    static const double tied[] = {1, 2, 2, 3, 3};
    (void)state;
    assert_true(tau_of(up, up, 5).a == 1 && tau_of(up, up, 5).b == 1);
    assert_true(tau_of(up, down, 5).a == -1 && tau_of(up, down, 5).b == -1);
    assert_true(tau_of(tied, tied, 5).a == 0.8 && tau_of(tied, tied, 5).b == 1);
    assert_true(tau_of(up, flat, 5).a == 0 && isnan(tau_of(up, flat, 5).b));
    assert_true(fabs(tau_of(up, tied, 5).b - 8 / sqrt(80)) <
                1e-15); /* R: cor(method = "kendall") */
    assert_true(isnan(tau_of(up, up, 1).a) && isnan(tau_of(up, up, 0).b));
}

/* Many things: the counts go beyond 32 bits. */
static void test_many(void **state)
{
    enum { N = 200000 };
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    (void)state;
    assert_true(x && y);
    for (uint32_t i = 0; i < N; i++) {
        x[i] = i;
        y[i] = -(double)(i / 2); /* pairs of neighbours are tied */
    }
    hs_tau tau = tau_of(x, y, N);
    double all = N * (N - 1.0) / 2;
    assert_true(fabs(tau.a + (all - N / 2) / all) < 1e-15);
    assert_true(fabs(tau.b + sqrt((all - N / 2) / all)) < 1e-15);
    free(x);
    free(y);
}

/* ---- ties broken ---- */

static void test_ties_by_index(void **state)
{
    static const double scores[] = {1, 5, 1, NAN, 5, 5};
    static const uint32_t rank[] = {2, 5, 1, 0, 4, 3};
    hsel_error error = {0};
    hs_ranking r = {0};
    (void)state;
    assert_ok(hs_ranking_of_scores(scores, 6, HS_TAU_B, &r, &error), error);
    assert_int_equal(r.distinct, 3);
    assert_int_equal(r.tied, 1 + 3);
    hs_ranking_clear(&r);
    assert_ok(hs_ranking_of_scores(scores, 6, HS_TAU_A_INDEX, &r, &error), error);
    assert_memory_equal(r.rank, rank, sizeof rank);
    assert_int_equal(r.distinct, 6);
    assert_int_equal(r.tied, 0);
    hs_ranking_clear(&r);
}

/* WEKA sorts ascending and reads from the end. */
static void test_ties_as_weka(void **state)
{
    hs_stream stream;
    double scores[MOST];
    uint32_t sorted[MOST];
    hs_stream_init(&stream, 2, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 300; round++) {
        hsel_error error = {0};
        hs_ranking r = {0};
        uint32_t n = (uint32_t)hs_random_below(&stream, MOST);
        for (uint32_t i = 0; i < n; i++)
            scores[i] = (double)hs_random_below(&stream, 9);
        hs_weka_sort(scores, n, sorted);
        assert_ok(hs_ranking_of_scores(scores, n, HS_TAU_A_WEKA, &r, &error), error);
        for (uint32_t i = 0; i < n; i++)
            assert_int_equal(r.rank[sorted[i]], i);
        hs_ranking_clear(&r);
    }
}

/* ---- matrices ---- */

static void test_matrix(void **state)
{
    static const double a[] = {1, 2, 3, 4}, b[] = {4, 3, 2, 1}, c[] = {1, 1, 2, 2};
    const double *const scores[] = {a, b, c};
    hsel_error error = {0};
    double m[9], again[9];
    (void)state;
    assert_ok(hs_tau_matrix(scores, 3, 4, HS_TAU_B, 1, m, &error), error);
    assert_ok(hs_tau_matrix(scores, 3, 4, HS_TAU_B, 4, again, &error), error);
    assert_memory_equal(m, again, sizeof m);
    const double ab = -1, ac = 4 / sqrt(24);
    const double expected[] = {1, ab, ac, ab, 1, -ac, ac, -ac, 1};
    for (int i = 0; i < 9; i++)
        assert_true(fabs(m[i] - expected[i]) < 1e-15);
    /* ties by index: c is 1, 0, 3, 2 */
    assert_ok(hs_tau_matrix(scores, 3, 4, HS_TAU_A_INDEX, 2, m, &error), error);
    assert_true(fabs(m[2] - 2.0 / 6) < 1e-15 && fabs(m[5] + 2.0 / 6) < 1e-15 && m[1] == -1);
    assert_ok(hs_tau_matrix(scores, 3, 4, HS_TAU_A_WEKA, 2, m, &error), error);
    assert_true(m[1] == -1 && m[0] == 1);
}

static void test_mean_and_distance(void **state)
{
    static const double a[] = {1, 0.5, 0.5, 1}, b[] = {1, -0.1, -0.1, 1}, c[] = {1, NAN, NAN, 1};
    const double *const sets[] = {a, b, c};
    double mean[4], sd[4];
    (void)state;
    hs_tau_mean(sets, 3, 2, mean, sd);
    assert_true(fabs(mean[1] - 0.2) < 1e-15 && fabs(sd[1] - 0.6 / sqrt(2)) < 1e-15);
    assert_true(mean[0] == 1 && sd[0] == 0);
    assert_true(fabs(hs_tau_distance(a, mean, 2) - sqrt(2) * 0.3) < 1e-15);
    assert_true(hs_tau_distance(c, mean, 2) == 0);
    hs_tau_mean(sets, 1, 2, mean, NULL);
    assert_true(mean[1] == 0.5);
}

/* Random rankings: tau has mean 0 and variance 2 (2n+5) / (9 n (n-1)). */
static void test_random(void **state)
{
    enum { N = 50, K = 6, DRAWS = 200 };
    hsel_error error = {0};
    double m[K * K], again[K * K], sum = 0, squares = 0;
    (void)state;
    for (uint64_t d = 0; d < DRAWS; d++) {
        assert_ok(hs_tau_random(K, N, 7, d, 2, m, &error), error);
        for (int i = 0; i < K; i++)
            for (int j = i + 1; j < K; j++) {
                sum += m[i * K + j];
                squares += m[i * K + j] * m[i * K + j];
                assert_true(m[i * K + j] == m[j * K + i]);
            }
    }
    double cells = DRAWS * K * (K - 1) / 2.0, variance = 2.0 * (2 * N + 5) / (9.0 * N * (N - 1));
    assert_true(fabs(sum / cells) < 5 * sqrt(variance / cells));
    assert_true(fabs(squares / cells / variance - 1) < 0.15);
    assert_ok(hs_tau_random(K, N, 7, DRAWS - 1, 2, again, &error), error);
    assert_memory_equal(m, again, sizeof m);
    assert_ok(hs_tau_random(K, N, 8, DRAWS - 1, 2, again, &error), error);
    assert_true(memcmp(m, again, sizeof m) != 0);
}

static int use_once(void *context, hsel_error *error)
{
    static const double a[] = {1, 2, 3, 4}, b[] = {4, 3, 2, 1};
    const double *const scores[] = {a, b};
    double m[4];
    (void)context;
    int status = hs_tau_matrix(scores, 2, 4, HS_TAU_A_WEKA, 1, m, error);
    return status ? status : hs_tau_random(2, 4, 1, 0, 1, m, error);
}

static void test_memory(void **state)
{
    (void)state;
    assert_true(hs_oom_each("tau", use_once, NULL) >= 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_equals_its_definition),
                                       cmocka_unit_test(test_known_values),
                                       cmocka_unit_test(test_many),
                                       cmocka_unit_test(test_ties_by_index),
                                       cmocka_unit_test(test_ties_as_weka),
                                       cmocka_unit_test(test_matrix),
                                       cmocka_unit_test(test_mean_and_distance),
                                       cmocka_unit_test(test_random),
                                       cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests_name("kendall", tests, NULL, NULL);
}

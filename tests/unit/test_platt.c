/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Logistic curves and coupling of pairs against slow exact solvers.
 */
#include "classify/platt.h"

#include "core/random.h"
#include "support/svm_cloud.h"
#include "support/normal.h"

/* ---- Platt's curve ---- */

/* Derivatives of the negative log likelihood at (a, b). */
static void platt_slope(const double *f, const bool *positive, size_t n, long double a,
                        long double b, long double *da, long double *db)
{
    long double with = 0;
    for (size_t i = 0; i < n; i++)
        with += positive[i];
    *da = *db = 0;
    for (size_t i = 0; i < n; i++) {
        long double t = positive[i] ? (with + 1) / (with + 2) : 1 / ((long double)n - with + 2);
        long double miss = t - 1 / (1 + expl(a * f[i] + b));
        *da += miss * f[i];
        *db += miss;
    }
}

/* The best b for this a: the derivative in b rises with b. */
static long double best_b(const double *f, const bool *positive, size_t n, long double a,
                          long double *da)
{
    long double low = -200, high = 200, db;
    for (int i = 0; i < 90; i++) {
        long double b = (low + high) / 2;
        platt_slope(f, positive, n, a, b, da, &db);
        if (db > 0)
            high = b;
        else
            low = b;
    }
    return (low + high) / 2;
}

static void test_platt(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 1, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 20; round++) {
        double f[20];
        bool positive[20];
        size_t n = 2 + hs_random_below(&stream, 19);
        for (size_t i = 0; i < n; i++) {
            positive[i] = i == 0 || (i > 1 && hs_random_below(&stream, 3) == 0);
            f[i] = hs_random_normal(&stream) + (positive[i] ? 1 : -1) * (round % 3);
        }
        hs_platt found = hs_platt_fit(f, positive, NULL, n, true);
        long double low = -100, high = 100, da, b = 0;
        for (int i = 0; i < 90; i++) {
            long double a = (low + high) / 2;
            b = best_b(f, positive, n, a, &da);
            if (da > 0)
                high = a;
            else
                low = a;
        }
        assert_near(found.a, (double)low, 1e-6);
        assert_near(found.b, (double)b, 1e-6);
        for (size_t i = 0; i < n; i++)
            assert_near(hs_platt_probability(found, f[i]), (double)(1 / (1 + expl(low * f[i] + b))),
                        1e-7);
    }
}

static void test_platt_far_away(void **state)
{
    double f[4] = {1e8, 2e8, -1e8, -3e8};
    bool positive[4] = {true, true, false, false};
    hs_platt found = hs_platt_fit(f, positive, NULL, 4, true);
    (void)state;
    assert_true(isfinite(found.a) && isfinite(found.b));
    assert_true(hs_platt_probability(found, 1e8) > 0.5);
    assert_true(hs_platt_probability((hs_platt){-1e6, 0}, 1e6) == 1);
    assert_true(hs_platt_probability((hs_platt){-1e6, 0}, -1e6) == 0);
    double same[3] = {2, 2, 2};
    found = hs_platt_fit(same, positive, NULL, 3,
                         true); /* nothing to tell them apart by: the share alone */
    assert_near(hs_platt_probability(found, 2), (2 * 0.75 + 1.0 / 3) / 3, 1e-6);
}

/* ---- coupling ---- */

/* The stationary point: Q p + lambda e = 0, sum p = 1, by elimination with pivots. */
static void couple_twin(const double *r, uint32_t k, long double *p)
{
    long double a[8][9] = {{0}};
    uint32_t n = k + 1;
    for (uint32_t s = 0; s < k; s++) {
        for (uint32_t t = 0; t < k; t++)
            if (s != t) {
                a[s][s] += (long double)r[t * k + s] * r[t * k + s];
                a[s][t] = -(long double)r[t * k + s] * r[s * k + t];
            }
        a[s][k] = a[k][s] = 1;
    }
    a[k][n] = 1;
    for (uint32_t c = 0; c < n; c++) {
        uint32_t best = c;
        for (uint32_t i = c; i < n; i++)
            best = fabsl(a[i][c]) > fabsl(a[best][c]) ? i : best;
        for (uint32_t j = 0; j <= n; j++) {
            long double kept = a[c][j];
            a[c][j] = a[best][j];
            a[best][j] = kept;
        }
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = n + 1; i != c && j-- > c;)
                a[i][j] -= a[i][c] / a[c][c] * a[c][j];
    }
    for (uint32_t s = 0; s < k; s++)
        p[s] = a[s][n] / a[s][s];
}

static void test_coupling(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 2, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 2000; round++) {
        uint32_t k = 2 + (uint32_t)hs_random_below(&stream, 6);
        double r[49] = {0}, room[7 * 8], p[7], sum = 0;
        long double expected[7];
        for (uint32_t s = 0; s < k; s++)
            for (uint32_t t = s + 1; t < k; t++) {
                r[s * k + t] = 0.02 + 0.96 * hs_random_double(&stream);
                r[t * k + s] = 1 - r[s * k + t];
            }
        couple_twin(r, k, expected);
        hs_couple_pairs(r, k, room, p);
        for (uint32_t s = 0; s < k; s++) {
            assert_near(p[s], (double)expected[s], 1e-7);
            assert_true(p[s] >= 0);
            sum += p[s];
        }
        assert_near(sum, 1, 1e-12);
        if (k == 2)
            assert_near(p[0], r[1], 1e-9);
    }
}

/* Without smoothing: overlapping classes by the slope, which is zero; apart, the penalty alone
 * keeps the curve finite, and it is steeper than Platt's. */
static void test_logistic(void **state)
{
    const double f[] = {-2, -1, 0, 1, 2, 3};
    const bool overlap[] = {false, false, true, false, true, true};
    const bool apart[] = {false, false, false, true, true, true};
    (void)state;
    hs_platt found = hs_platt_fit(f, overlap, NULL, 6, false);
    double da = 0, db = 0, variance = 17.5 / 6;
    for (int i = 0; i < 6; i++) {
        double miss = overlap[i] - hs_platt_probability(found, f[i]);
        da += f[i] * miss;
        db += miss;
    }
    assert_near(da + 2e-8 * variance * found.a, 0, 1e-8);
    assert_near(db, 0, 1e-8);
    found = hs_platt_fit(f, apart, NULL, 6, false);
    hs_platt smooth = hs_platt_fit(f, apart, NULL, 6, true);
    assert_true(isfinite(found.a) && found.a < 3 * smooth.a && smooth.a < 0);
    assert_near(hs_platt_probability(found, 0.5), 0.5, 1e-6);
    assert_true(hs_platt_probability(found, 0) < 1e-5 && hs_platt_probability(found, 0) > 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_platt), cmocka_unit_test(test_logistic),
        cmocka_unit_test(test_platt_far_away), cmocka_unit_test(test_coupling)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

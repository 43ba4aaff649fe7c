/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two columns of results: Wilcoxon's signed ranks and Pearson's correlation against figures of R
 * (the command stands beside each), and the former against all choices of signs.
 */
#include "stats/compare.h"

#include <math.h>

#include "core/random.h"
#include "support/cmocka.h"
#include "support/near.h"

static hs_wilcoxon wilcoxon(const double *a, const double *b, size_t count, bool keep_zeros)
{
    hs_wilcoxon got;
    hsel_error error;
    assert_ok(hs_wilcoxon_test(a, b, count, keep_zeros, &got, &error), error);
    return got;
}

/* ---- Wilcoxon ---- */

static void test_wilcoxon_exact_of_r(void **state)
{
    (void)state;
    /* wilcox.test(a, b, paired=TRUE) */
    const double a[] = {1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
    const double b[] = {0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
    hs_wilcoxon got = wilcoxon(a, b, 9, false), back = wilcoxon(b, a, 9, false);
    assert_true(got.exact && got.n == 9 && got.zeros == 0 && got.v == 40 && got.p == 0.0390625);
    assert_true(back.exact && back.v == 5 && back.p == 0.0390625);
    /* i <- 1:n; wilcox.test(i * ifelse((i*i) %% 7 < 3, 1, -1), rep(0, n), paired=TRUE): exact below
     * 50 */
    const struct {
        size_t n;
        double v, p;
    } r[] = {{25, 239, 0.0393387079238892},
             {26, 239, 0.110534280538559},
             {49, 882, 6.67431524553663e-03},
             {50, 932, 4.53880908238897e-03}};
    double x[50], zero[50] = {0};
    for (size_t i = 1; i <= 50; i++)
        x[i - 1] = (double)i * (i * i % 7 < 3 ? 1 : -1);
    for (size_t i = 0; i < 4; i++) {
        got = wilcoxon(x, zero, r[i].n, false);
        assert_true(got.v == r[i].v && got.exact == (r[i].n < 50));
        assert_r(got.p, r[i].p);
    }
    /* wilcox.test(1:n, rep(0, n), paired=TRUE): 1, 0.5, 0.25 … */
    for (size_t i = 0; i < 50; i++)
        x[i] = (double)(i + 1);
    for (size_t n = 1; n < 50; n++)
        assert_true(wilcoxon(x, zero, n, false).p == ldexp(1, 1 - (int)n));
}

static void test_wilcoxon_ties_of_r(void **state)
{
    (void)state;
    /* wilcox.test(a, b, paired=TRUE, digits.rank=7): 0.7 and -0.3 twice, which R does not see
     * without digits.rank */
    const double a[] = {62.0, 61.4, 70.3, 55.1, 48.2, 66.0, 59.9, 73.1};
    const double b[] = {61.3, 60.7, 70.6, 54.1, 48.5, 64.2, 60.3, 71.9};
    hs_wilcoxon got = wilcoxon(a, b, 8, false);
    assert_true(!got.exact && got.v == 30);
    assert_r(got.p, 0.106465939890255);
}

static void test_wilcoxon_zeros_of_r(void **state)
{
    (void)state;
    /* wilcox.test(a, b, paired=TRUE) drops them and does without the exact distribution */
    const double a[] = {5, 8, 7, 7, 3, 9, 4, 6, 2, 10, 12}, b[] = {5, 6, 7, 3, 4, 4, 4, 3, 8, 3, 1};
    hs_wilcoxon got = wilcoxon(a, b, 11, false);
    assert_true(!got.exact && got.n == 8 && got.zeros == 3 && got.v == 29);
    assert_r(got.p, 0.141482121482793);
    /* scipy.stats.wilcoxon(a, b, zero_method="pratt", correction=True, mode="approx"), which R has
     * not; the statistic of scipy, 13, is the smaller sum */
    got = wilcoxon(a, b, 11, true);
    assert_true(!got.exact && got.n == 8 && got.zeros == 3 &&
                got.v == 11 * 12 / 2 - 3 * 4 / 2 - 13);
    assert_r(got.p, 0.13681554418853384);
    /* a zero and no ties: still normal, as in R */
    const double c[] = {5, 8, 7, 7, 3, 9}, d[] = {5, 6, 6, 3, 8, 1};
    got = wilcoxon(c, d, 6, false);
    assert_true(!got.exact && got.n == 5 && got.v == 11);
    assert_r(got.p, 0.41849223344682);
}

static void test_wilcoxon_at_the_edges(void **state)
{
    (void)state;
    const double a[] = {1, 2, NAN, 0.1 + 0.2, 5}, b[] = {1, 2, 3, 0.3, NAN};
    hs_wilcoxon got = wilcoxon(a, b, 5, false);
    assert_true(got.n == 0 && got.zeros == 3 && got.p == 1 && !got.exact && got.v == 0);
    got = wilcoxon(a, b, 5, true);
    assert_true(got.n == 0 && got.zeros == 3 && got.p == 1 && !got.exact);
    got = wilcoxon(a, b, 0, false);
    assert_true(got.n == 0 && got.zeros == 0 && got.p == 1);
    /* one difference says nothing */
    got = wilcoxon(a + 2, (const double[]){NAN, 0.1, NAN}, 3, false);
    assert_true(got.n == 1 && got.exact && got.p == 1 && got.v == 1);
    /* equal counts on both sides */
    got = wilcoxon((const double[]){1, -1}, (const double[]){0, 0}, 2, false);
    assert_true(got.n == 2 && !got.exact && got.p == 1);
    /* Pratt with all but one equal: mean 5 - 3, variance 7.5 - 3.5; 2*pnorm(-(4 - 2 - 0.5)/2) */
    got = wilcoxon((const double[]){1, 2, 3, 5}, (const double[]){1, 2, 3, 4}, 4, true);
    assert_true(got.n == 1 && got.v == 4);
    assert_r(got.p, 0.453254704753726);
}

/* What share of all choices of signs gives a sum of positive ranks at least as far from the mean.
 */
static double twin_exact(const double *difference, size_t n)
{
    double v = 0, mean = (double)(n * (n + 1)) / 4, rank[16];
    size_t far = 0;
    for (size_t i = 0; i < n; i++) {
        rank[i] = 1;
        for (size_t j = 0; j < n; j++)
            rank[i] += fabs(difference[j]) < fabs(difference[i]);
        v += difference[i] > 0 ? rank[i] : 0;
    }
    for (size_t signs = 0; signs < (size_t)1 << n; signs++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += signs >> i & 1 ? rank[i] : 0;
        far += fabs(sum - mean) >= fabs(v - mean);
    }
    return (double)far / (double)((size_t)1 << n);
}

static void test_wilcoxon_of_twin(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "wilcoxon", 0, 0);
    double zero[10] = {0};
    for (int i = 0; i < 2000; i++) {
        size_t n = 1 + hs_random_below(&stream, 10);
        uint32_t sizes[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
        double difference[10];
        hs_random_shuffle(&stream, sizes, n);
        for (size_t j = 0; j < n; j++)
            difference[j] = hs_random_below(&stream, 2) ? sizes[j] : -(double)sizes[j];
        hs_wilcoxon got = wilcoxon(difference, zero, n, false);
        assert_true(got.exact && got.n == n);
        hs_assert_near(got.p, twin_exact(difference, n), 1e-14);
    }
}

/* ---- Pearson ---- */

static void test_pearson_of_r(void **state)
{
    (void)state;
    /* cor.test(x, y), cor.test(x[1:3], y[1:3]) */
    const double x[] = {0.10, 0.25, 0.31, 0.47, 0.52, 0.68, 0.74, 0.90};
    const double y[] = {71.2, 69.9, 70.4, 66.0, 61.3, 63.8, 58.1, 55.5};
    hs_correlation got = hs_pearson(x, y, 8);
    assert_int_equal(got.n, 8);
    assert_r(got.r, -0.943757360552941682);
    assert_r(got.p, 0.000426221331750285);
    got = hs_pearson(x, y, 3);
    assert_r(got.r, -0.782466628709955);
    assert_r(got.p, 0.427922492033457);
    /* cor.test(c(1,2,3,4,5), c(2,1,4,3,5)), with holes that do not count */
    const double a[] = {1, NAN, 2, 3, 9, 4, 5}, b[] = {2, 7, 1, 4, NAN, 3, 5};
    got = hs_pearson(a, b, 7);
    assert_int_equal(got.n, 5);
    assert_r(got.r, 0.8);
    assert_r(got.p, 0.104088038661828);
}

static void test_pearson_at_the_edges(void **state)
{
    (void)state;
    const double line[] = {0.1, 0.2, 0.3, 0.4}, down[] = {-1, -2, -3, -4},
                 flat[] = {0.1, 0.1, 0.1, 0.1};
    const double third[] = {1.0 / 3, 1.0 / 3, 1.0 / 3, 1.0 / 3},
                 huge[] = {1e300, 2e300, 3e300, 4e300};
    hs_correlation got = hs_pearson(line, down, 4);
    hs_assert_near(got.r, -1, 1e-15);
    assert_true(got.p < 1e-14);
    got = hs_pearson(line, line, 4);
    assert_true(got.r <= 1 && got.p < 1e-14);
    assert_true(isnan(hs_pearson(line, flat, 4).r) && isnan(hs_pearson(third, line, 4).p));
    got = hs_pearson(line, line, 2);
    assert_true(got.n == 2 && isnan(got.r) && isnan(got.p));
    assert_int_equal(hs_pearson(line, flat, 0).n, 0);
    assert_true(
        isnan(hs_pearson(huge, line, 4).r)); /* squares are beyond numbers: said, not made up */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wilcoxon_exact_of_r), cmocka_unit_test(test_wilcoxon_ties_of_r),
        cmocka_unit_test(test_wilcoxon_zeros_of_r), cmocka_unit_test(test_wilcoxon_at_the_edges),
        cmocka_unit_test(test_pearson_of_r),        cmocka_unit_test(test_pearson_at_the_edges),
        cmocka_unit_test(test_wilcoxon_of_twin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

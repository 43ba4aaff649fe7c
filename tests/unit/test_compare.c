/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ranks, wins and tests over data sets: against figures of R (the command stands beside each),
 * against slow obvious twins on random tables full of ties and holes, and what must hold whatever
 * the table.
 */
#include "stats/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/random.h"
#include "support/cmocka.h"
#include "support/oom.h"

#define MOST_ROWS    12
#define MOST_COLUMNS 8
#define MOST_CELLS   (MOST_ROWS * MOST_COLUMNS)

static void assert_near(double got, double expected, double relative)
{
    if (!(fabs(got - expected) <= relative * fabs(expected)))
        fail_msg("%.17g is not %.17g", got, expected);
}

#define assert_r(got, expected) assert_near(got, expected, 1e-12) /* R prints 15 digits */

/* ---- figures of R ---- */

/* m <-
 * matrix(c(62.0,61.3,61.4,51.8, 60.1,60.1,59.0,58.8, 71.5,70.2,72.9,70.2, 55.0,54.9,56.1,52.0, 66.6,66.6,66.6,60.0,
 *               48.3,50.2,47.7,45.5), ncol=4, byrow=TRUE) */
static const double six_sets[] = {62.0, 61.3, 61.4, 51.8, 60.1, 60.1, 59.0, 58.8,
                                  71.5, 70.2, 72.9, 70.2, 55.0, 54.9, 56.1, 52.0,
                                  66.6, 66.6, 66.6, 60.0, 48.3, 50.2, 47.7, 45.5};
static const hs_results six = {6, 4, six_sets, false};

static void test_ranks_of_r(void **state)
{
    (void)state;
    /* t(apply(-m, 1, rank)) */
    const double expected[] = {1, 3, 2, 4, 1.5, 1.5, 3, 4, 2, 3.5, 1, 3.5,
                               2, 3, 1, 4, 2,   2,   2, 4, 2, 1,   3, 4};
    double rank[24], mean[4];
    size_t complete;
    hsel_error error;
    assert_ok(hs_ranks(&six, rank, mean, &complete, &error), error);
    assert_int_equal(complete, 6);
    for (size_t i = 0; i < 24; i++)
        assert_true(rank[i] == expected[i]);
    assert_r(mean[0], 1.75);
    assert_r(mean[1], 14.0 / 6);
    assert_r(mean[2], 2);
    assert_r(mean[3], 23.5 / 6);
}

static void test_friedman_of_r(void **state)
{
    (void)state;
    hs_friedman got;
    hsel_error error;
    assert_ok(hs_friedman_test(&six, 0.05, &got, &error), error);
    assert_int_equal(got.rows, 6);
    /* friedman.test(m) */
    assert_r(got.chi2_ties, 11.38888888888888928);
    assert_r(got.p_ties, 0.00979857053503202);
    /* R <- colMeans(t(apply(-m, 1, rank))); chi <- 12*6/(4*5) * (sum(R^2) - 4*5^2/4); pchisq(chi,
     * 3, lower.tail=FALSE) */
    assert_r(got.chi2, 10.25);
    assert_r(got.p_chi2, 0.0165563213916338);
    /* f <- (6-1)*chi / (6*(4-1) - chi); pf(f, 3, 15, lower.tail=FALSE) */
    assert_r(got.f, 6.61290322580644929);
    assert_r(got.p_f, 0.00459152515736356);
    /* qtukey(0.95, 4, Inf)/sqrt(2), which is good to four digits */
    assert_near(got.q, 2.5690, 1e-4);
    assert_r(got.critical_difference, got.q * sqrt(4 * 5 / 36.0));

    /* friedman.test(matrix(c(5,3,1, 9,7,8, 4,6,2, 8,7,1, 3,5,4), ncol=3, byrow=TRUE)): no ties, so
     * both are R's */
    const double untied[] = {5, 3, 1, 9, 7, 8, 4, 6, 2, 8, 7, 1, 3, 5, 4};
    assert_ok(hs_friedman_test(&(hs_results){5, 3, untied, false}, 0.05, &got, &error), error);
    assert_r(got.chi2, 2.8);
    assert_r(got.p_chi2, 0.246596963941606);
    assert_r(got.chi2_ties, 2.8);
    assert_r(got.p_ties, 0.246596963941606);
    /* pf(4*2.8/(5*2-2.8), 2, 8, lower.tail=FALSE) */
    assert_r(got.f, 1.55555555555556);
    assert_r(got.p_f, 0.26873856);
}

static void test_holm_of_r(void **state)
{
    (void)state;
    hs_against got[4];
    hsel_error error;
    /* z <- (R - R[1])/sqrt(4*5/(6*6)); p <- 2*pnorm(-abs(z[-1])); p.adjust(p, "holm") */
    assert_ok(hs_holm_test(&six, 0, 0.05, false, got, &error), error);
    assert_true(got[0].z == 0 && isnan(got[0].p) && isnan(got[0].adjusted) && !got[0].rejected);
    assert_r(got[1].z, 0.782623792124927);
    assert_r(got[2].z, 0.335410196624968);
    assert_r(got[3].z, 2.906888370749726);
    assert_r(got[1].p, 0.43384806576643908);
    assert_r(got[2].p, 0.73731567721641822);
    assert_r(got[3].p, 0.00365043440444188);
    assert_r(got[1].adjusted, 0.8676961315328782);
    assert_r(got[2].adjusted, 0.8676961315328782);
    assert_r(got[3].adjusted, 0.0109513032133256);
    assert_true(!got[1].rejected && !got[2].rejected && got[3].rejected);
    /* p <- pnorm(z[-1], lower.tail=FALSE); p.adjust(p, "holm") */
    assert_ok(hs_holm_test(&six, 0, 0.005, true, got, &error), error);
    assert_r(got[1].p, 0.21692403288321954);
    assert_r(got[2].p, 0.36865783860820911);
    assert_r(got[3].p, 0.00182521720222094);
    assert_r(got[1].adjusted, 0.43384806576643908);
    assert_r(got[2].adjusted, 0.43384806576643908);
    assert_r(got[3].adjusted, 0.00547565160666282);
    assert_false(got[3].rejected); /* 0.0018 is below 0.005, adjusted it is not */
}

static void test_nemenyi_of_r(void **state)
{
    (void)state;
    /* Demšar (2006), Table 5: k = 2 … 10; the last digit is not always well rounded */
    const double table_05[] = {1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164};
    const double table_10[] = {1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920};
    /* qtukey(0.95, 2:20, Inf)/sqrt(2), and with 0.9, 0.99 */
    const double r_05[] = {1.9600, 2.3437, 2.5690, 2.7278, 2.8497, 2.9483, 3.0309,
                           3.1017, 3.1637, 3.2187, 3.2680, 3.3127, 3.3536, 3.3912,
                           3.4260, 3.4584, 3.4887, 3.5171, 3.5438};
    const double r_10[] = {1.6449, 2.0523, 2.2913, 2.4595, 2.5885, 2.6927, 2.7799,
                           2.8546, 2.9199, 2.9778, 3.0297, 3.0767, 3.1197, 3.1592,
                           3.1957, 3.2297, 3.2615, 3.2912, 3.3192};
    const double r_01[] = {2.5758, 2.9135, 3.1133, 3.2547, 3.3637, 3.4522, 3.5265,
                           3.5903, 3.6463, 3.6960, 3.7407, 3.7813, 3.8185, 3.8527,
                           3.8843, 3.9138, 3.9414, 3.9674, 3.9918};
    for (size_t k = 2; k <= 10; k++) {
        assert_true(fabs(hs_nemenyi_q(0.05, k) - table_05[k - 2]) < 0.0011);
        assert_true(fabs(hs_nemenyi_q(0.10, k) - table_10[k - 2]) < 0.0011);
    }
    for (size_t k = 2; k <= 20; k++) {
        assert_true(fabs(hs_nemenyi_q(0.05, k) - r_05[k - 2]) < 0.0001);
        assert_true(fabs(hs_nemenyi_q(0.10, k) - r_10[k - 2]) < 0.0001);
        assert_true(fabs(hs_nemenyi_q(0.01, k) - r_01[k - 2]) < 0.0001);
    }
    assert_near(hs_nemenyi_q(0.05, 2), 1.959963984540054, 1e-10); /* qnorm(0.975) */
    /* Where qtukey fails: uniroot(function(x) ptukey(x, k, Inf, lower.tail=FALSE) - a, c(0.01, 30),
     * tol=1e-12)$root/sqrt(2) */
    assert_near(hs_nemenyi_q(0.5, 50), 4.450482 / sqrt(2), 1e-6);
    assert_near(hs_nemenyi_q(1e-6, 1000), 9.943163 / sqrt(2), 1e-6);
}

static hs_wilcoxon wilcoxon(const double *a, const double *b, size_t count, bool keep_zeros)
{
    hs_wilcoxon got;
    hsel_error error;
    assert_ok(hs_wilcoxon_test(a, b, count, keep_zeros, &got, &error), error);
    return got;
}

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
    assert_near(got.r, -1, 1e-15);
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

/* ---- random tables ---- */

struct world {
    double value[MOST_CELLS];
    hs_results results;
};

/* Few different values, so that ties abound; now and then holes, fractions of ten, a
 * lower-is-better. */
static void random_world(hs_stream *stream, size_t fewest, struct world *w)
{
    size_t rows = fewest + hs_random_below(stream, MOST_ROWS + 1 - fewest);
    size_t columns = fewest + hs_random_below(stream, MOST_COLUMNS + 1 - fewest);
    uint64_t values = 1 + hs_random_below(stream, 9), holes = hs_random_below(stream, 3) ? 0 : 8;
    double unit = hs_random_below(stream, 2) ? 1 : 0.1;
    for (size_t i = 0; i < rows * columns; i++) {
        w->value[i] = 50 + unit * (double)hs_random_below(stream, values);
        if (holes && hs_random_below(stream, holes) == 0)
            w->value[i] = (double)NAN;
    }
    w->results = (hs_results){rows, columns, w->value, hs_random_below(stream, 4) == 0};
}

static bool twin_complete(const hs_results *r, size_t row)
{
    for (size_t c = 0; c < r->columns; c++)
        if (isnan(r->value[row * r->columns + c]))
            return false;
    return true;
}

/* How much better a is than b, in hundredths. */
static long twin_ahead(const hs_results *r, double a, double b)
{
    return lround((r->lower_is_better ? b - a : a - b) * 100);
}

static double twin_rank(const hs_results *r, size_t row, size_t column)
{
    double mine = r->value[row * r->columns + column], rank = 1;
    for (size_t c = 0; c < r->columns; c++) {
        double other = r->value[row * r->columns + c];
        if (c == column || isnan(other))
            continue;
        long ahead = twin_ahead(r, other, mine);
        rank += ahead > 0 ? 1 : ahead == 0 ? 0.5 : 0;
    }
    return isnan(mine) ? mine : rank;
}

static void test_ranks_of_twin(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "ranks", 0, 0);
    for (int i = 0; i < 20000; i++) {
        struct world w;
        double rank[MOST_CELLS], mean[MOST_COLUMNS], sum[MOST_COLUMNS] = {0};
        size_t complete, expected = 0;
        hsel_error error;
        random_world(&stream, 1, &w);
        assert_ok(hs_ranks(&w.results, rank, mean, &complete, &error), error);
        size_t columns = w.results.columns;
        for (size_t r = 0; r < w.results.rows; r++) {
            bool whole = twin_complete(&w.results, r);
            double row = 0;
            expected += whole;
            for (size_t c = 0; c < columns; c++) {
                double twin = twin_rank(&w.results, r, c), got = rank[r * columns + c];
                assert_true(got == twin || (isnan(got) && isnan(twin)));
                row += isnan(got) ? 0 : got;
                sum[c] += whole ? got : 0;
            }
            if (whole)
                assert_true(row == (double)(columns * (columns + 1)) / 2);
        }
        assert_int_equal(complete, expected);
        for (size_t c = 0; c < columns; c++)
            assert_true(expected ? mean[c] == sum[c] / (double)expected : isnan(mean[c]));
    }
}

static void test_wins_and_duels_of_twin(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "wins", 0, 0);
    for (int i = 0; i < 20000; i++) {
        struct world w;
        uint32_t wins[MOST_COLUMNS];
        random_world(&stream, 1, &w);
        const hs_results *t = &w.results;
        long within = (long)hs_random_below(&stream, 4) * 10; /* hundredths */
        double tolerance = 0.1 * (double)(within / 10);
        hs_wins(t, tolerance, wins);
        for (size_t a = 0; a < t->columns; a++) {
            uint32_t best = 0;
            for (size_t r = 0; r < t->rows; r++) {
                double mine = t->value[r * t->columns + a];
                bool beaten = isnan(mine);
                for (size_t c = 0; c < t->columns && !beaten; c++)
                    if (!isnan(t->value[r * t->columns + c]))
                        beaten = twin_ahead(t, t->value[r * t->columns + c], mine) > within;
                best += !beaten;
            }
            assert_int_equal(wins[a], best);
            for (size_t b = 0; b < t->columns; b++) {
                uint32_t got[3], count[3] = {0};
                hs_duel(t, a, b, tolerance, &got[0], &got[1], &got[2]);
                for (size_t r = 0; r < t->rows; r++) {
                    double x = t->value[r * t->columns + a], y = t->value[r * t->columns + b];
                    if (!isnan(x) && !isnan(y)) {
                        long ahead = twin_ahead(t, x, y);
                        count[ahead > within ? 0 : ahead >= -within ? 1 : 2]++;
                    }
                }
                assert_memory_equal(got, count, sizeof got);
            }
        }
    }
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
        assert_near(got.p, twin_exact(difference, n), 1e-14);
    }
}

/* The definition: the largest of (m - number of smaller p's) p over the p's up to mine, at most 1.
 */
static double twin_holm(const hs_against *all, size_t count, size_t control, size_t mine)
{
    double adjusted = 0;
    for (size_t j = 0; j < count; j++) {
        size_t below = 0;
        if (j == control || all[j].p > all[mine].p)
            continue;
        for (size_t i = 0; i < count; i++)
            below += i != control && all[i].p < all[j].p;
        adjusted = fmax(adjusted, (double)(count - 1 - below) * all[j].p);
    }
    return fmin(1, adjusted);
}

static void test_holm_of_twin(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "holm", 0, 0);
    for (int i = 0; i < 10000; i++) {
        struct world w;
        hs_against got[MOST_COLUMNS];
        hsel_error error;
        random_world(&stream, 2, &w);
        size_t columns = w.results.columns, control = hs_random_below(&stream, columns);
        if (hs_holm_test(&w.results, control, 0.2, hs_random_below(&stream, 2), got, &error))
            continue; /* too few complete rows */
        for (size_t c = 0; c < columns; c++)
            if (c != control) {
                assert_near(got[c].adjusted, twin_holm(got, columns, control, c), 1e-14);
                assert_true(got[c].adjusted >= got[c].p &&
                            got[c].rejected == (got[c].adjusted <= 0.2));
            }
    }
}

/* ---- what must hold ---- */

/* Rows and columns in another order, and both lists of where they went. */
static void permute(hs_stream *stream, const struct world *from, struct world *to,
                    uint32_t *column_to)
{
    uint32_t row_to[MOST_ROWS];
    size_t rows = from->results.rows, columns = from->results.columns;
    for (uint32_t r = 0; r < rows; r++)
        row_to[r] = r;
    for (uint32_t c = 0; c < columns; c++)
        column_to[c] = c;
    hs_random_shuffle(stream, row_to, rows);
    hs_random_shuffle(stream, column_to, columns);
    to->results = from->results;
    to->results.value = to->value;
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            to->value[row_to[r] * columns + column_to[c]] = from->value[r * columns + c];
}

static void test_order_does_not_matter(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "order", 0, 0);
    size_t tested = 0;
    for (int i = 0; i < 5000; i++) {
        struct world w, p;
        uint32_t to[MOST_COLUMNS];
        hs_friedman before, after;
        hs_against against[MOST_COLUMNS], moved[MOST_COLUMNS];
        hsel_error error;
        random_world(&stream, 2, &w);
        permute(&stream, &w, &p, to);
        size_t control = hs_random_below(&stream, w.results.columns);
        int status = hs_friedman_test(&w.results, 0.05, &before, &error);
        assert_int_equal(hs_friedman_test(&p.results, 0.05, &after, &error), status);
        if (status)
            continue;
        tested++;
        assert_int_equal(before.rows, after.rows);
        assert_true(fabs(before.chi2 - after.chi2) < 1e-9 && fabs(before.p_f - after.p_f) < 1e-9);
        assert_true(fabs(before.chi2_ties - after.chi2_ties) < 1e-9);
        assert_true(before.chi2 >= 0 && before.chi2_ties >= before.chi2 - 1e-9);
        assert_true(before.p_f >= 0 && before.p_f <= 1 && before.p_chi2 >= 0 && before.p_chi2 <= 1);
        assert_ok(hs_holm_test(&w.results, control, 0.05, false, against, &error), error);
        assert_ok(hs_holm_test(&p.results, to[control], 0.05, false, moved, &error), error);
        for (size_t c = 0; c < w.results.columns; c++)
            if (c != control)
                assert_true(fabs(against[c].adjusted - moved[to[c]].adjusted) < 1e-9);
    }
    assert_true(tested > 3000);
}

/* Rows with a hole are as if they were not there; lower-is-better is the same as negated. */
static void test_holes_and_direction(void **state)
{
    (void)state;
    const double holed[] = {1,    NAN, 3,   62.0, 61.3, 61.4, 60.1, 60.1,
                            59.0, NAN, NAN, NAN,  71.5, 70.2, 72.9};
    const double whole[] = {62.0, 61.3, 61.4, 60.1, 60.1, 59.0, 71.5, 70.2, 72.9};
    double minus[9];
    for (size_t i = 0; i < 9; i++)
        minus[i] = -whole[i];
    const hs_results tables[] = {{3, 3, whole, false}, {5, 3, holed, false}, {3, 3, minus, true}};
    hs_friedman got[3];
    hsel_error error;
    for (size_t i = 0; i < 3; i++)
        assert_ok(hs_friedman_test(&tables[i], 0.05, &got[i], &error), error);
    assert_memory_equal(&got[0], &got[1], sizeof got[0]);
    assert_memory_equal(&got[0], &got[2], sizeof got[0]);
    assert_int_equal(got[0].rows, 3);
}

static void test_all_equal(void **state)
{
    (void)state;
    const double same[] = {5, 5, 5, 5, 5, 5, 5, 5, 5};
    double rank[9], mean[3];
    uint32_t wins[3];
    size_t complete;
    hs_friedman friedman;
    hs_against against[3];
    hsel_error error;
    hs_results table = {3, 3, same, false};
    assert_ok(hs_ranks(&table, rank, mean, &complete, &error), error);
    assert_ok(hs_friedman_test(&table, 0.05, &friedman, &error), error);
    assert_ok(hs_holm_test(&table, 1, 0.05, false, against, &error), error);
    hs_wins(&table, 0, wins);
    for (size_t c = 0; c < 3; c++) {
        assert_true(mean[c] == 2 && wins[c] == 3);
        if (c != 1)
            assert_true(against[c].z == 0 && against[c].p == 1 && against[c].adjusted == 1 &&
                        !against[c].rejected);
    }
    assert_true(friedman.chi2 == 0 && friedman.p_chi2 == 1 && friedman.f == 0 && friedman.p_f == 1);
    assert_true(friedman.chi2_ties == 0 && friedman.p_ties == 1);
}

/* Every data set gives the same order: as far apart as can be. */
static void test_all_agree(void **state)
{
    (void)state;
    double value[7 * 5];
    for (size_t i = 0; i < 35; i++)
        value[i] = (double)(i % 5) + 10 * (double)(i / 5);
    hs_friedman got;
    hsel_error error;
    assert_ok(hs_friedman_test(&(hs_results){7, 5, value, false}, 0.05, &got, &error), error);
    assert_r(got.chi2, 7 * 4);
    assert_true(isinf(got.f) && got.p_f == 0);
}

/* With two methods Friedman's test is the sign test's normal approximation, and Holm's p is
 * Friedman's. */
static void test_two_methods(void **state)
{
    (void)state;
    const double value[] = {2, 1, 2, 1, 2, 1, 1, 2, 2, 1, 2, 1, 1, 1};
    hs_results table = {7, 2, value, false};
    hs_friedman friedman;
    hs_against against[2];
    hsel_error error;
    assert_ok(hs_friedman_test(&table, 0.05, &friedman, &error), error);
    assert_ok(hs_holm_test(&table, 0, 0.05, false, against, &error), error);
    assert_r(friedman.chi2, 16.0 / 7); /* (wins - losses)^2 / N */
    assert_r(against[1].p, friedman.p_chi2);
    assert_r(against[1].adjusted, against[1].p);
    assert_r(against[1].z, 4 / sqrt(7));
    assert_r(friedman.critical_difference, friedman.q / sqrt(7));
}

static void test_too_little(void **state)
{
    (void)state;
    const double value[] = {1, 2, 3, 4, 5, NAN};
    hs_friedman friedman;
    hs_against against[3];
    hsel_error error;
    assert_int_equal(hs_friedman_test(&(hs_results){6, 1, value, false}, 0.05, &friedman, &error),
                     HSEL_EUSAGE);
    assert_string_equal(error.message, "a comparison needs two methods or more");
    assert_int_equal(hs_friedman_test(&(hs_results){2, 3, value, false}, 0.05, &friedman, &error),
                     HSEL_EUSAGE);
    assert_string_equal(
        error.message,
        "a test needs two data sets or more on which every method has a result; there is 1");
    assert_int_equal(
        hs_holm_test(&(hs_results){0, 3, value, false}, 0, 0.05, false, against, &error),
        HSEL_EUSAGE);
    assert_string_equal(
        error.message,
        "a test needs two data sets or more on which every method has a result; there are 0");
}

/* Sums of decimal fractions tie with the fraction itself; small numbers are told apart though the
 * row has large ones. */
static void test_rounding_is_no_difference(void **state)
{
    (void)state;
    const double value[] = {0.3, 0.1 + 0.2, 0.7, 1e-15, 1e-16, 5e5};
    double rank[6], mean[3];
    uint32_t wins, ties, losses;
    size_t complete;
    hsel_error error;
    hs_results table = {2, 3, value, false};
    assert_true(value[0] != value[1]);
    assert_ok(hs_ranks(&table, rank, mean, &complete, &error), error);
    assert_true(rank[0] == 2.5 && rank[1] == 2.5 && rank[2] == 1);
    assert_true(rank[3] == 2 && rank[4] == 3 && rank[5] == 1);
    hs_duel(&table, 0, 1, 0, &wins, &ties, &losses);
    assert_true(wins == 1 && ties == 1 && losses == 0);
    hs_duel(&table, 2, 0, 0.4, &wins, &ties, &losses); /* 0.7 - 0.3 is above 0.4 in binary */
    assert_true(wins == 1 && ties == 1 && losses == 0);
}

/* ---- memory ---- */

static int everything(void *context, hsel_error *error)
{
    double rank[24], mean[4];
    size_t complete;
    hs_friedman friedman;
    hs_against against[4];
    hs_wilcoxon wilcoxon_result;
    (void)context;
    int status = hs_ranks(&six, rank, mean, &complete, error);
    if (status == HSEL_OK)
        status = hs_friedman_test(&six, 0.05, &friedman, error);
    if (status == HSEL_OK)
        status = hs_holm_test(&six, 0, 0.05, false, against, error);
    if (status == HSEL_OK)
        status = hs_wilcoxon_test(six_sets, six_sets + 12, 12, false, &wilcoxon_result, error);
    return status;
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    assert_true(hs_oom_each("comparison", everything, NULL) >= 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranks_of_r),
        cmocka_unit_test(test_friedman_of_r),
        cmocka_unit_test(test_holm_of_r),
        cmocka_unit_test(test_nemenyi_of_r),
        cmocka_unit_test(test_wilcoxon_exact_of_r),
        cmocka_unit_test(test_wilcoxon_ties_of_r),
        cmocka_unit_test(test_wilcoxon_zeros_of_r),
        cmocka_unit_test(test_wilcoxon_at_the_edges),
        cmocka_unit_test(test_pearson_of_r),
        cmocka_unit_test(test_pearson_at_the_edges),
        cmocka_unit_test(test_ranks_of_twin),
        cmocka_unit_test(test_wins_and_duels_of_twin),
        cmocka_unit_test(test_wilcoxon_of_twin),
        cmocka_unit_test(test_holm_of_twin),
        cmocka_unit_test(test_order_does_not_matter),
        cmocka_unit_test(test_holes_and_direction),
        cmocka_unit_test(test_all_equal),
        cmocka_unit_test(test_all_agree),
        cmocka_unit_test(test_two_methods),
        cmocka_unit_test(test_too_little),
        cmocka_unit_test(test_rounding_is_no_difference),
        cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

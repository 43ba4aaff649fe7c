/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ranks and tests over data sets against figures of R (the command stands beside each), on tables
 * whose answer is known, and with memory that runs out. Tests of two methods are in
 * test_compare_pairs.c, random tables in test_compare_twins.c.
 */
#include "stats/compare.h"

#include <math.h>

#include "support/cmocka.h"
#include "support/near.h"
#include "support/oom.h"

/* The tests from a table of results. */
static hs_friedman friedman_of(const hs_results *results)
{
    HS_OWNS(hs_ranks_clear) hs_ranks ranks = {0};
    hsel_error error;
    assert_ok(hs_ranks_of(results, &ranks, &error), error);
    assert_true(hs_can_test(&ranks));
    return hs_friedman_test(&ranks, 0.05);
}

static void holm_of(const hs_results *results, size_t control, double alpha, bool one_sided,
                    hs_against *out)
{
    HS_OWNS(hs_ranks_clear) hs_ranks ranks = {0};
    hsel_error error;
    assert_ok(hs_ranks_of(results, &ranks, &error), error);
    assert_true(hs_can_test(&ranks));
    assert_ok(hs_holm_test(&ranks, control, alpha, one_sided, out, &error), error);
}

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
    HS_OWNS(hs_ranks_clear) hs_ranks ranks = {0};
    hsel_error error;
    assert_ok(hs_ranks_of(&six, &ranks, &error), error);
    assert_int_equal(ranks.complete, 6);
    for (size_t i = 0; i < 24; i++)
        assert_true(ranks.rank[i] == expected[i]);
    assert_r(ranks.mean[0], 1.75);
    assert_r(ranks.mean[1], 14.0 / 6);
    assert_r(ranks.mean[2], 2);
    assert_r(ranks.mean[3], 23.5 / 6);
}

static void test_friedman_of_r(void **state)
{
    (void)state;
    hs_friedman got = friedman_of(&six);
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
    hs_assert_near(got.q, 2.5690, 1e-4);
    assert_r(got.critical_difference, got.q * sqrt(4 * 5 / 36.0));

    /* friedman.test(matrix(c(5,3,1, 9,7,8, 4,6,2, 8,7,1, 3,5,4), ncol=3, byrow=TRUE)): no ties, so
     * both are R's */
    const double untied[] = {5, 3, 1, 9, 7, 8, 4, 6, 2, 8, 7, 1, 3, 5, 4};
    got = friedman_of(&(hs_results){5, 3, untied, false});
    assert_r(got.chi2, 2.8);
    assert_r(got.p_chi2, 0.246596963941606);
    assert_r(got.chi2_ties, 2.8);
    assert_r(got.p_ties, 0.246596963941606);
    /* pf(4*2.8/(5*2-2.8), 2, 8, lower.tail=FALSE) */
    assert_r(got.f, 1.55555555555556);
    assert_r(got.p_f, 0.26873856);
}

/* Published tables of the exact distribution (Hollander, Wolfe, Chicken 2014, table A.22). */
static void exact(const hs_results *results, hs_friedman *out)
{
    HS_OWNS(hs_ranks_clear) hs_ranks ranks = {0};
    hsel_error error;
    assert_ok(hs_ranks_of(results, &ranks, &error), error);
    *out = hs_friedman_test(&ranks, 0.05);
    assert_ok(hs_friedman_exact(&ranks, out, &error), error);
}

static void test_exact_friedman(void **state)
{
    (void)state;
    const struct {
        size_t rows, columns;
        double value[20], chi2, p;
    } known[] = {{3, 3, {1, 2, 3, 1, 2, 3, 2, 1, 3}, 14.0 / 3, 0.194},
                 {4, 3, {1, 2, 3, 1, 2, 3, 1, 2, 3, 2, 1, 3}, 6.5, 0.042},
                 {3, 4, {1, 2, 3, 4, 1, 2, 3, 4, 2, 1, 4, 3}, 7.4, 0.033}};
    hs_friedman got;
    for (size_t i = 0; i < 3; i++) {
        exact(&(hs_results){known[i].rows, known[i].columns, known[i].value, false}, &got);
        assert_true(got.exact && !got.sampled);
        assert_r(got.chi2, known[i].chi2);
        assert_true(fabs(got.p - known[i].p) < 6e-4);
    }
    /* Ties: all pairs of orders of the second and third row. */
    const double tied[] = {3, 1, 1, 2, 3, 1, 5, 4, 4};
    const double rows[3][3] = {{1, 2.5, 2.5}, {2, 1, 3}, {1, 2.5, 2.5}};
    const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    double seen = 0, as_great = 0;
    for (int c = 0; c < 3; c++)
        seen += pow(rows[0][c] + rows[1][c] + rows[2][c], 2);
    for (int i = 0; i < 36; i++) {
        double sum = 0;
        for (int c = 0; c < 3; c++)
            sum += pow(rows[0][c] + rows[1][order[i / 6][c]] + rows[2][order[i % 6][c]], 2);
        as_great += sum >= seen;
    }
    exact(&(hs_results){3, 3, tied, false}, &got);
    assert_true(got.exact && !got.sampled);
    assert_r(got.p, as_great / 36);
    /* Too many orders: by random ones. p of 12 methods on 2 sets whose orders differ by one swap is
     * 12 / 12!, of opposite orders 1. */
    double many[2 * 12];
    for (int c = 0; c < 24; c++)
        many[c] = c == 12 ? 1.5 : c % 12;
    exact(&(hs_results){2, 12, many, false}, &got);
    assert_true(got.exact && got.sampled && got.p < 1e-3 && got.p > 0);
    for (int c = 12; c < 24; c++)
        many[c] = -many[c];
    exact(&(hs_results){2, 12, many, false}, &got);
    assert_true(got.sampled && got.p == 1);
}

static void test_holm_of_r(void **state)
{
    (void)state;
    hs_against got[4];
    /* z <- (R - R[1])/sqrt(4*5/(6*6)); p <- 2*pnorm(-abs(z[-1])); p.adjust(p, "holm") */
    holm_of(&six, 0, 0.05, false, got);
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
    holm_of(&six, 0, 0.005, true, got);
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
    hs_assert_near(hs_nemenyi_q(0.05, 2), 1.959963984540054, 1e-10); /* qnorm(0.975) */
    /* Where qtukey fails: uniroot(function(x) ptukey(x, k, Inf, lower.tail=FALSE) - a, c(0.01, 30),
     * tol=1e-12)$root/sqrt(2) */
    hs_assert_near(hs_nemenyi_q(0.5, 50), 4.450482 / sqrt(2), 1e-6);
    hs_assert_near(hs_nemenyi_q(1e-6, 1000), 9.943163 / sqrt(2), 1e-6);
}

/* ---- what must hold ---- */

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
    for (size_t i = 0; i < 3; i++)
        got[i] = friedman_of(&tables[i]);
    assert_memory_equal(&got[0], &got[1], sizeof got[0]);
    assert_memory_equal(&got[0], &got[2], sizeof got[0]);
    assert_int_equal(got[0].rows, 3);
}

static void test_all_equal(void **state)
{
    (void)state;
    const double same[] = {5, 5, 5, 5, 5, 5, 5, 5, 5};
    uint32_t wins[3];
    hs_against against[3];
    hsel_error error;
    hs_results table = {3, 3, same, false};
    HS_OWNS(hs_ranks_clear) hs_ranks ranks = {0};
    assert_ok(hs_ranks_of(&table, &ranks, &error), error);
    const hs_friedman friedman = friedman_of(&table);
    holm_of(&table, 1, 0.05, false, against);
    hs_wins(&table, 0, wins);
    for (size_t c = 0; c < 3; c++) {
        assert_true(ranks.mean[c] == 2 && wins[c] == 3);
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
    hs_friedman got = friedman_of(&(hs_results){7, 5, value, false});
    assert_r(got.chi2, 7 * 4);
    assert_true(isinf(got.f));
    exact(&(hs_results){7, 5, value, false}, &got);
    assert_r(got.p, pow(120, -6));
    assert_r(got.p_f, pow(120, -6)); /* six data sets repeat the order of the first */
    got = friedman_of(&(hs_results){2, 5, value, false});
    assert_r(got.p_f, 1.0 / 120);
}

/* With two methods Friedman's test is the sign test's normal approximation, and Holm's p is
 * Friedman's. */
static void test_two_methods(void **state)
{
    (void)state;
    const double value[] = {2, 1, 2, 1, 2, 1, 1, 2, 2, 1, 2, 1, 1, 1};
    hs_results table = {7, 2, value, false};
    hs_against against[2];
    const hs_friedman friedman = friedman_of(&table);
    holm_of(&table, 0, 0.05, false, against);
    assert_r(friedman.chi2, 16.0 / 7); /* (wins - losses)^2 / N */
    assert_r(against[1].p, friedman.p_chi2);
    assert_r(against[1].adjusted, against[1].p);
    assert_r(against[1].z, 4 / sqrt(7));
    assert_r(friedman.critical_difference, friedman.q / sqrt(7));
}

/* A test needs two methods, and two data sets on which all of them have a result. */
static void test_too_little(void **state)
{
    (void)state;
    const double value[] = {1, 2, 3, 4, 5, NAN};
    const struct {
        size_t rows, columns, complete;
        bool can;
    } tables[] = {{6, 1, 5, false}, {2, 3, 1, false}, {0, 3, 0, false}, {3, 2, 2, true}};
    for (size_t i = 0; i < 4; i++) {
        HS_OWNS(hs_ranks_clear) hs_ranks ranks = {0};
        hsel_error error;
        const hs_results table = {tables[i].rows, tables[i].columns, value, false};
        assert_ok(hs_ranks_of(&table, &ranks, &error), error);
        assert_int_equal(ranks.complete, tables[i].complete);
        assert_int_equal(hs_can_test(&ranks), tables[i].can);
    }
}

/* Sums of decimal fractions tie with the fraction itself; small numbers are told apart though the
 * row has large ones. */
static void test_rounding_is_no_difference(void **state)
{
    (void)state;
    const double value[] = {0.3, 0.1 + 0.2, 0.7, 1e-15, 1e-16, 5e5};
    HS_OWNS(hs_ranks_clear) hs_ranks ranks = {0};
    hsel_error error;
    hs_results table = {2, 3, value, false};
    assert_true(value[0] != value[1]);
    assert_ok(hs_ranks_of(&table, &ranks, &error), error);
    const double *rank = ranks.rank;
    assert_true(rank[0] == 2.5 && rank[1] == 2.5 && rank[2] == 1);
    assert_true(rank[3] == 2 && rank[4] == 3 && rank[5] == 1);
    hs_duel duel = hs_duel_of(&table, 0, 1, 0);
    assert_true(duel.wins == 1 && duel.ties == 1 && duel.losses == 0);
    duel = hs_duel_of(&table, 2, 0, 0.4); /* 0.7 - 0.3 is above 0.4 in binary */
    assert_true(duel.wins == 1 && duel.ties == 1 && duel.losses == 0);
}

/* ---- memory ---- */

static int everything(void *context, hsel_error *error)
{
    HS_OWNS(hs_ranks_clear) hs_ranks ranks = {0};
    hs_against against[4];
    hs_wilcoxon wilcoxon_result;
    (void)context;
    int status = hs_ranks_of(&six, &ranks, error);
    if (status == HSEL_OK) {
        hs_friedman friedman = hs_friedman_test(&ranks, 0.05);
        status = hs_friedman_exact(&ranks, &friedman, error);
    }
    if (status == HSEL_OK)
        status = hs_holm_test(&ranks, 0, 0.05, false, against, error);
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
        cmocka_unit_test(test_exact_friedman),
        cmocka_unit_test(test_holm_of_r),
        cmocka_unit_test(test_nemenyi_of_r),
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

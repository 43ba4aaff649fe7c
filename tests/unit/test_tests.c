/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stats/tests.c against base R (golden/r_tests.csv), and Fisher's test against all tables.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "infer/tests.h"
#include "support/cmocka.h"
#include "support/oom.h"

enum { MOST = 400 };

static void test_against_r(void **state)
{
    (void)state;
    static char line[20000];
    FILE *file = fopen("golden/r_tests.csv", "r");
    size_t lines = 0;
    hsel_error error = {0};
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        char *kind = strtok(line, ";"), *numbers = strtok(NULL, ";"), *last = strtok(NULL, ";\n");
        double number[MOST], expected = atof(last), p = -1, se;
        size_t count = 0;
        for (char *at = strtok(numbers, " "); at; at = strtok(NULL, " "))
            number[count++] = atof(at);
        uint32_t integer[MOST], half = (uint32_t)count / 2;
        for (size_t i = 0; i < count; i++)
            integer[i] = (uint32_t)number[i];
        hs_count_table table = {integer, integer + half, half};
        hs_tail tail = strstr(kind, "-greater") ? HS_TAIL_MORE
                       : strstr(kind, "-less")  ? HS_TAIL_LESS
                                                : HS_TAIL_BOTH;
        if (strncmp(kind, "fisher-", 7) == 0) {
            p = hs_p_fisher(integer[2] + integer[3], integer[2], integer[0] + integer[1],
                            integer[0], tail, false);
        } else if (strcmp(kind, "chi2") == 0) {
            p = hs_p_chi2(&table);
        } else if (strcmp(kind, "g") == 0) {
            p = hs_p_g(&table);
        } else if (strcmp(kind, "halton") == 0) {
            assert_ok(hs_p_halton(&table, 1000000, 1, &p, &se, &error), error);
            assert_true(se == 0);
            double drawn = 0;
            assert_ok(hs_p_halton(&table, 50, 1, &drawn, &se, &error), error);
            assert_true(drawn > 0 && drawn <= 1);
        } else if (strcmp(kind, "cmh") == 0 || strncmp(kind, "strata-", 7) == 0) {
            uint32_t positive[MOST], sizes[MOST];
            for (size_t i = 0; i < count; i++) /* two of each, in turn */
                (i % 4 < 2 ? positive : sizes)[i / 4 * 2 + i % 2] = integer[i];
            table = (hs_count_table){positive, sizes, 2};
            p = hs_p_cmh(positive, sizes, (uint32_t)count / 4);
            if (*kind == 's')
                assert_ok(hs_p_strata(&table, (uint32_t)count / 4, 0, tail, false, &p, &error),
                          error);
        } else {
            double value[MOST];
            uint32_t class_of[MOST], size = 0;
            for (size_t i = 1; i < count; i += 2, size++) {
                value[size] = number[i];
                class_of[size] = integer[i + 1];
            }
            assert_ok((strcmp(kind, "ranks") == 0 ? hs_p_ranks : hs_p_means)(
                          value, class_of, size, integer[0], &p, &error),
                      error);
        }
        if (!(fabs(p - expected) <= 1e-9 * expected + 1e-300))
            fail_msg("line %zu, %s: %.15g, R has %.15g", lines + 1, kind, p, expected);
        lines++;
    }
    fclose(file);
    assert_true(lines > 900);
}

/* All tables with the same margins, with probabilities by multiplication. */
static void test_fisher_against_all_tables(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "tests", 0, 0);
    for (int trial = 0; trial < 20000; trial++) {
        uint32_t all = 1 + (uint32_t)hs_random_below(&stream, 60);
        uint32_t marked = (uint32_t)hs_random_below(&stream, all + 1),
                 drawn = (uint32_t)hs_random_below(&stream, all + 1);
        uint32_t low = marked + drawn > all ? marked + drawn - all : 0,
                 high = marked < drawn ? marked : drawn;
        uint32_t both = low + (uint32_t)hs_random_below(&stream, high - low + 1);
        double chance[61], less = 0, more = 0, two = 0;
        for (uint32_t x = low; x <= high; x++) {
            chance[x] = 1; /* C(marked, x) C(all - marked, drawn - x) / C(all, drawn) */
            for (uint32_t i = 0; i < drawn; i++)
                chance[x] *= (i < x ? (double)(marked - i) / (i + 1)
                                    : (double)(all - marked - (i - x)) / (i - x + 1)) /
                             ((double)(all - i) / (i + 1));
        }
        for (uint32_t x = low; x <= high; x++) {
            less += x <= both ? chance[x] : 0;
            more += x >= both ? chance[x] : 0;
            two += chance[x] <= chance[both] * (1 + 1e-7) ? chance[x] : 0;
        }
        const double expected[] = {two, more, less};
        for (int tail = 0; tail < 3; tail++)
            for (int mid = 0; mid < 2; mid++) {
                double p = hs_p_fisher(all, marked, drawn, both, (hs_tail)tail, mid);
                double wanted = fmin(1, expected[tail]) - (mid ? chance[both] / 2 : 0);
                if (!(fabs(p - wanted) <= 1e-10))
                    fail_msg("%u %u %u %u tail %d mid %d: %.15g, not %.15g", all, marked, drawn,
                             both, tail, mid, p, wanted);
            }
    }
}

/* The distribution of the number of positives in the class, stratum after stratum. */
static void test_strata_against_all_tables(void **state)
{
    (void)state;
    hs_stream stream;
    hsel_error error = {0};
    hs_stream_init(&stream, 2, "tests", 0, 0);
    for (int trial = 0; trial < 5000; trial++) {
        uint32_t strata = 1 + (uint32_t)hs_random_below(&stream, 5), sum = 0, most = 0;
        uint32_t positive[15], size[15], one = (uint32_t)hs_random_below(&stream, 3);
        static double chance[400], next[400];
        memset(chance, 0, sizeof chance);
        chance[0] = 1;
        for (uint32_t k = 0; k < strata; k++) {
            uint32_t all = 0, drawn = 0, marked;
            for (uint32_t c = 3 * k; c < 3 * k + 3; c++) {
                size[c] = (uint32_t)hs_random_below(&stream, trial % 2 ? 5 : 20);
                positive[c] = (uint32_t)hs_random_below(&stream, size[c] + 1);
                all += size[c];
                drawn += positive[c];
            }
            marked = size[3 * k + one];
            sum += positive[3 * k + one];
            memset(next, 0, sizeof next);
            for (uint32_t x = marked + drawn > all ? marked + drawn - all : 0;
                 x <= marked && x <= drawn; x++)
                for (uint32_t i = 0; i <= most; i++)
                    next[i + x] += chance[i] * exp(hs_log_choose(marked, x) +
                                                   hs_log_choose(all - marked, drawn - x) -
                                                   hs_log_choose(all, drawn));
            memcpy(chance, next, sizeof chance);
            most += marked;
        }
        double expected[3] = {0}, p;
        for (uint32_t x = 0; x <= most; x++) {
            expected[HS_TAIL_BOTH] += chance[x] <= chance[sum] * (1 + 1e-7) ? chance[x] : 0;
            expected[HS_TAIL_MORE] += x >= sum ? chance[x] : 0;
            expected[HS_TAIL_LESS] += x <= sum ? chance[x] : 0;
        }
        for (int tail = 0; tail < 3; tail++)
            for (int mid = 0; mid < 2; mid++) {
                hs_count_table table = {positive, size, 3};
                double wanted = expected[tail] - (mid ? chance[sum] / 2 : 0);
                assert_ok(hs_p_strata(&table, strata, one, (hs_tail)tail, mid, &p, &error), error);
                if (!(fabs(p - wanted) <= 1e-9 * wanted + 1e-12))
                    fail_msg("trial %d tail %d mid %d: %.15g, not %.15g", trial, tail, mid, p,
                             wanted);
            }
    }
}

/* One stratum is Fisher's test, far into the tail; and the normal distribution where it is used:
 * two strata of a variance just above its limit, beside the sum over all tables. */
static void test_large_strata(void **state)
{
    (void)state;
    hs_stream stream;
    hsel_error error = {0};
    double p;
    hs_stream_init(&stream, 3, "tests", 0, 0);
    for (int trial = 0; trial < 300; trial++) {
        uint32_t size[2] = {1 + (uint32_t)hs_random_below(&stream, 3000),
                            1 + (uint32_t)hs_random_below(&stream, 3000)};
        uint32_t positive[2] = {(uint32_t)hs_random_below(&stream, size[0] + 1),
                                (uint32_t)hs_random_below(&stream, size[1] + 1)};
        hs_count_table table = {positive, size, 2};
        for (int tail = 0; tail < 3; tail++) {
            assert_ok(hs_p_strata(&table, 1, 0, (hs_tail)tail, false, &p, &error), error);
            double wanted = hs_p_fisher(size[0] + size[1], size[0], positive[0] + positive[1],
                                        positive[0], (hs_tail)tail, false);
            if (!(fabs(p - wanted) <= 1e-7 * wanted + 1e-300))
                fail_msg("%u of %u, %u of %u, tail %d: %.15g, not %.15g", positive[0], size[0],
                         positive[1], size[1], tail, p, wanted);
        }
    }
    double worst = 0;
    for (int trial = 0; trial < 40; trial++) {
        /* The same tables as one stratum that is large enough for the normal distribution. */
        const uint32_t all = 4000000, marked = trial % 2 ? 1400000 : 2000000,
                       drawn = trial % 4 < 2 ? 600000 : 1000000;
        const double mean = (double)drawn * marked / all,
                     sd = sqrt(mean * (all - marked) / all * (all - drawn) / (all - 1));
        uint32_t both = (uint32_t)(mean + (trial / 40.0 * 6 - 3) * sd);
        uint32_t positive[2] = {both, drawn - both}, size[2] = {marked, all - marked};
        hs_count_table table = {positive, size, 2};
        for (int tail = 0; tail < 3; tail++)
            for (int mid = 0; mid < 2; mid++) {
                double wanted = hs_p_fisher(all, marked, drawn, both, (hs_tail)tail, mid);
                assert_ok(hs_p_strata(&table, 1, 0, (hs_tail)tail, mid, &p, &error), error);
                worst = fmax(worst, fabs(p / wanted - 1));
            }
    }
    assert_true(worst > 0 && worst < 0.005);
}

/* All ways of choosing the class within strata. */
static void test_elteren_against_all_choices(void **state)
{
    (void)state;
    hs_stream stream;
    hsel_error error = {0};
    uint32_t counted = 0;
    hs_stream_init(&stream, 4, "tests", 0, 0);
    for (int trial = 0; trial < 300; trial++) {
        uint64_t start[4] = {0};
        uint32_t strata = 1 + (uint32_t)hs_random_below(&stream, 3), row[12], class_of[12], n = 0,
                 marked[3] = {0};
        double value[12], score[12], seen = 0, all = 0, as_great = 0, p;
        hs_p_by by;
        for (uint32_t k = 0; k < strata; k++) {
            n += 2 + (uint32_t)hs_random_below(&stream, 3);
            start[k + 1] = n;
        }
        for (uint32_t i = 0, k = 0; i < n; i++) {
            k += i == start[k + 1];
            row[i] = i;
            value[i] = (double)hs_random_below(&stream, trial % 3 ? 4 : 1000) - 1;
            value[i] = trial % 2 ? value[i] : fmax(0, value[i]);
            class_of[i] = (uint32_t)hs_random_below(&stream, 2);
            marked[k] += class_of[i];
        }
        for (uint32_t k = 0; k < strata; k++)
            for (uint64_t i = start[k]; i < start[k + 1]; i++) {
                score[i] = 0.5;
                for (uint64_t j = start[k]; j < start[k + 1]; j++)
                    score[i] += value[j] < value[i] ? 1 : value[j] == value[i] ? 0.5 : 0;
                double size = start[k + 1] - start[k];
                score[i] = (score[i] - (size + 1) / 2) / (size + 1);
                seen += class_of[i] ? score[i] : 0;
            }
        for (uint32_t choice = 0; choice < 1u << n; choice++) {
            uint32_t bits[3] = {0}, same = 0;
            double t = 0;
            for (uint32_t k = 0; k < strata; k++) {
                for (uint64_t i = start[k]; i < start[k + 1]; i++) {
                    bits[k] += choice >> i & 1;
                    t += choice >> i & 1 ? score[i] : 0;
                }
                same += bits[k] == marked[k];
            }
            all += same == strata;
            as_great += same == strata && fabs(t) >= fabs(seen) - 1e-9;
        }
        assert_ok(
            hs_p_elteren(value, class_of, &(hs_sparse){start, row, strata}, 1, &p, &by, &error),
            error);
        counted += by == HS_BY_WAYS;
        if (by == HS_BY_WAYS && !(fabs(p - as_great / all) < 1e-9))
            fail_msg("trial %d: %.15g, not %.15g", trial, p, as_great / all);
    }
    assert_true(counted > 200); /* one stratum without ties is left to hs_p_ranks */
}

/* A count of which only two values occur, in the size of a clinical set: exact, and the two-sided
 * tail of the hypergeometric distribution by distance from its mean. */
static void test_ranks_of_two_values(void **state)
{
    enum { ALL = 759, POSITIVE = 107, CASES = 29, SEEN = 17 };
    double value[ALL], p, expected = 0;
    uint32_t class_of[ALL], row[ALL];
    uint64_t start[] = {0, ALL};
    hs_p_by by;
    hsel_error error = {0};
    (void)state;
    for (uint32_t i = 0; i < ALL; i++) {
        value[i] = i < POSITIVE ? 2.5 : 0;
        class_of[i] = i < SEEN || i >= ALL - (CASES - SEEN);
        row[i] = i;
    }
    assert_ok(hs_p_elteren(value, class_of, &(hs_sparse){start, row, 1}, 1, &p, &by, &error),
              error);
    assert_int_equal(by, HS_BY_WAYS);
    const double mean = (double)CASES * POSITIVE / ALL;
    for (int k = 0; k <= CASES; k++)
        if (fabs(k - mean) >= fabs(SEEN - mean) - 1e-9)
            expected += exp(hs_log_choose(POSITIVE, k) + hs_log_choose(ALL - POSITIVE, CASES - k) -
                            hs_log_choose(ALL, CASES));
    assert_true(fabs(p / expected - 1) < 1e-9);
}

/* Small p-values stay right far below what 1 - sum could give. */
static void test_small_p(void **state)
{
    (void)state;
    double log10_p = log10(hs_p_fisher(2000, 1000, 1000, 1000, HS_TAIL_MORE, false));
    double expected = (2 * lgamma(1001) - lgamma(2001)) / log(10); /* 1 / C(2000, 1000) */
    assert_true(isinf(log10_p) || fabs(log10_p - expected) < 1e-6);
    double p = hs_p_fisher(1000, 200, 200, 200, HS_TAIL_BOTH, false);
    expected = lgamma(201) + lgamma(801) - lgamma(1001);
    assert_true(fabs(log(p) - expected) < 1e-8);
}

/* Freeman and Halton: all tables of three or four classes one by one; random ones come close. */
static void test_halton_against_all_tables(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_stream stream;
    hs_stream_init(&stream, 3, "tests", 0, 0);
    for (int trial = 0; trial < 2000; trial++) {
        uint32_t size[4], positive[4], x[4], all = 0, drawn = 0, classes = 3 + trial % 2;
        double seen = 0, expected = 0, p, se, near;
        for (uint32_t c = 0; c < 4; c++) {
            size[c] = c < classes ? (uint32_t)hs_random_below(&stream, 13) : 0;
            positive[c] = (uint32_t)hs_random_below(&stream, size[c] + 1);
            all += size[c];
            drawn += positive[c];
            seen += hs_log_choose(size[c], positive[c]);
        }
        for (x[0] = 0; x[0] <= size[0]; x[0]++)
            for (x[1] = 0; x[1] <= size[1]; x[1]++)
                for (x[2] = 0; x[2] <= size[2]; x[2]++) {
                    double chance = 0;
                    x[3] = drawn - x[0] - x[1] - x[2];
                    if (x[0] + x[1] + x[2] > drawn || x[3] > size[3])
                        continue;
                    for (int c = 0; c < 4; c++)
                        chance += hs_log_choose(size[c], x[c]);
                    expected += chance <= seen + 1e-7 ? exp(chance - hs_log_choose(all, drawn)) : 0;
                }
        const hs_count_table table = {positive, size, classes};
        assert_ok(hs_p_halton(&table, 1000, 1, &p, &se, &error), error);
        assert_true(se == 0 && fabs(p - expected) < 1e-10);
        assert_ok(hs_p_halton(&table, 4, 1, &near, &se, &error), error);
        assert_true(near > 0 && near <= 1);
    }
    /* As random tables have it, of which 5000 at most are drawn. */
    const uint32_t positive[] = {30, 14, 21, 9, 16}, size[] = {80, 60, 70, 50, 60};
    const hs_count_table table = {positive, size, 5};
    double exact, p, se;
    assert_ok(hs_p_halton(&table, 10000000, 1, &exact, &se, &error), error);
    assert_true(se == 0);
    assert_ok(hs_p_halton(&table, 5000, 1, &p, &se, &error), error);
    assert_true(se > 0 && fabs(p - exact) < 4 * se);
    /* Exact for three classes of tens of thousands, and far in the tail. */
    const uint32_t many[][3] = {{5000, 3100, 1950}, {5000, 3000, 2090}, {9000, 100, 50}},
                   sizes[] = {10000, 6000, 4000};
    for (int i = 0; i < 3; i++) {
        const hs_count_table large = {many[i], sizes, 3};
        assert_ok(hs_p_halton(&large, 100000, 1, &p, &se, &error), error);
        assert_true(se == 0);
        if (i < 2) /* as chi-squared has it */
            assert_true(fabs(log(p / hs_p_chi2(&large))) < 0.1);
        else
            assert_true(p < 1e-300);
    }
}

static void test_nothing_to_see(void **state)
{
    (void)state;
    hsel_error error = {0};
    const uint32_t none[] = {0, 0}, all[] = {3, 4}, size[] = {3, 4}, one[] = {3, 0};
    const double same[] = {1, 1, 1, 1}, apart[] = {1, 1, 2, 2}, gaps[] = {NAN, 1, 2, NAN};
    const uint32_t class_of[] = {0, 0, 1, 1}, unknown[] = {0, HSEL_NONE, 0, 0};
    double p, se;
    const uint32_t *tables[][2] = {{none, size}, {all, size}, {none, none}, {none, one}};
    for (size_t i = 0; i < 4; i++) {
        hs_count_table table = {tables[i][0], tables[i][1], 2};
        assert_true(hs_p_chi2(&table) == 1 && hs_p_g(&table) == 1);
        assert_true(hs_p_cmh(tables[i][0], tables[i][1], 1) == 1);
        assert_ok(hs_p_halton(&table, 10, 1, &p, &se, &error), error);
        assert_true(p == 1);
    }
    assert_true(hs_p_fisher(0, 0, 0, 0, HS_TAIL_BOTH, false) == 1);
    assert_true(hs_p_fisher(5, 0, 3, 0, HS_TAIL_MORE, false) == 1);
    assert_ok(hs_p_ranks(same, class_of, 4, 2, &p, &error), error);
    assert_true(p == 1);
    assert_ok(hs_p_means(same, class_of, 4, 2, &p, &error), error);
    assert_true(p == 1);
    assert_ok(hs_p_means(apart, class_of, 4, 2, &p, &error), error);
    assert_true(p == 0);
    /* Also of numbers whose squares are too large, or too small, for a double. */
    const double plain[] = {1, 1.5, 1.25, 1.75}, units[] = {0x1p1023, 0x1p-600, 0x1p-1040};
    double scaled[4], of_plain;
    assert_ok(hs_p_means(plain, class_of, 4, 2, &of_plain, &error), error);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++)
            scaled[j] = plain[j] * units[i];
        assert_ok(hs_p_means(scaled, class_of, 4, 2, &p, &error), error);
        assert_true(p == of_plain && p > 0 && p < 1);
    }
    assert_ok(hs_p_means(gaps, class_of, 4, 2, &p, &error), error);
    assert_true(p == 1); /* one value per class */
    assert_ok(hs_p_ranks(apart, unknown, 4, 2, &p, &error), error);
    assert_true(p == 1);
}

static int all_of_them(void *context, hsel_error *error)
{
    static const uint32_t positive[] = {3, 1, 2}, size[] = {4, 5, 6}, class_of[] = {0, 0, 1, 1, 1};
    static const double values[] = {1, 2, 3, 4, 5};
    hs_count_table table = {positive, size, 3};
    double p, se;
    (void)context;
    hs_p_by by;
    int status = hs_p_halton(&table, 1000, 1, &p, &se, error);
    if (status == HSEL_OK)
        status = hs_p_strata(
            &(hs_count_table){(const uint32_t[]){3, 1, 2, 2}, (const uint32_t[]){4, 5, 6, 7}, 2}, 2,
            1, HS_TAIL_BOTH, false, &p, error);
    if (status == HSEL_OK)
        status = hs_p_elteren(values, class_of,
                              &(hs_sparse){(uint64_t[]){0, 3, 5}, (uint32_t[]){0, 1, 2, 3, 4}, 2},
                              1, &p, &by, error);
    if (status == HSEL_OK)
        status = hs_p_ranks(values, class_of, 5, 2, &p, error);
    return status ? status : hs_p_means(values, class_of, 5, 2, &p, error);
}

static void test_failing_allocations(void **state)
{
    (void)state;
    assert_true(hs_oom_each("tests", all_of_them, NULL) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_r),
        cmocka_unit_test(test_fisher_against_all_tables),
        cmocka_unit_test(test_strata_against_all_tables),
        cmocka_unit_test(test_large_strata),
        cmocka_unit_test(test_elteren_against_all_choices),
        cmocka_unit_test(test_ranks_of_two_values),
        cmocka_unit_test(test_small_p),
        cmocka_unit_test(test_halton_against_all_tables),
        cmocka_unit_test(test_nothing_to_see),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

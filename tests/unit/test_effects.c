/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * infer/effects.c against base R (golden/r_effects.csv), and where there is nothing to estimate.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "infer/effects.h"
#include "support/cmocka.h"

enum { MOST = 200 };

static void near(double found, const char *expected, const char *kind, size_t line)
{
    const double wanted = atof(expected);
    if (!(fabs(found - wanted) <= 1e-9 * (1 + fabs(wanted))))
        fail_msg("%s, line %zu: %.15g, not %.15g", kind, line, found, wanted);
}

static void test_against_r(void **state)
{
    (void)state;
    static char line[20000];
    FILE *file = fopen("golden/r_effects.csv", "r");
    size_t lines = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        char *kind = strtok(line, ";"), *numbers = strtok(NULL, ";"), *value = strtok(NULL, ";"),
             *low = strtok(NULL, ";"), *high = strtok(NULL, ";\n");
        double number[MOST];
        uint32_t positive[MOST], size[MOST], count = 0;
        hs_effect found;
        for (char *at = strtok(numbers, " "); at; at = strtok(NULL, " "))
            number[count++] = atof(at);
        if (strcmp(kind, "means") == 0) {
            double values[MOST];
            for (uint32_t i = 0; i < count / 2; i++) {
                values[i] = number[1 + 2 * i];
                positive[i] = (uint32_t)number[2 + 2 * i];
            }
            found = hs_mean_difference(values, positive, count / 2, 0);
        } else {
            for (uint32_t k = 0; k < count / 4; k++)
                for (uint32_t c = 0; c < 2; c++) {
                    positive[2 * k + c] = (uint32_t)number[4 * k + c];
                    size[2 * k + c] = (uint32_t)number[4 * k + 2 + c];
                }
            found = hs_odds_ratio(&(hs_count_table){positive, size, 2}, count / 4, 0);
        }
        lines++;
        near(found.value, value, kind, lines);
        near(found.low, low, kind, lines);
        near(found.high, high, kind, lines);
    }
    fclose(file);
    assert_true(lines > 140);
}

static void test_nothing_to_estimate(void **state)
{
    (void)state;
    static const uint32_t none[4] = {0}, some[4] = {3, 0, 2, 0}, size[4] = {5, 5, 4, 6};
    const double values[4] = {1, NAN, 3, 2}, equal[4] = {2, 2, 2, 2};
    static const uint32_t class_of[4] = {0, 0, 0, 1};
    hs_effect found = hs_odds_ratio(&(hs_count_table){none, none, 2}, 1, 0);
    assert_true(isnan(found.value) || found.value == 1); /* no instances: 1/2 in each cell */
    found = hs_odds_ratio(&(hs_count_table){none, size, 2}, 2, 0);
    assert_true(isnan(found.value) && isnan(found.low));
    found = hs_odds_ratio(&(hs_count_table){some, size, 2}, 2, 0);
    assert_true(isinf(found.value) && isnan(found.low) && isnan(found.high));
    found = hs_odds_ratio(&(hs_count_table){some, size, 2}, 2, 1);
    assert_true(found.value == 0 && isnan(found.low) && isnan(found.high));
    /* three classes: one against the rest is as with two */
    const uint32_t three[3] = {3, 1, 1}, of[3] = {9, 7, 8}, two[2] = {3, 2}, of_two[2] = {9, 15};
    const hs_effect a = hs_odds_ratio(&(hs_count_table){three, of, 3}, 1, 0),
                    b = hs_odds_ratio(&(hs_count_table){two, of_two, 2}, 1, 0);
    assert_true(a.value == b.value && a.low == b.low && a.high == b.high);
    found = hs_mean_difference(values, class_of, 4, 0);
    assert_true(found.value == 0 && isnan(found.low)); /* one value on the other side */
    found = hs_mean_difference(values, class_of, 3, 0);
    assert_true(isnan(found.value));
    found = hs_mean_difference(equal, (const uint32_t[]){0, 1, 0, 1}, 4, 0);
    assert_true(found.value == 0 && isnan(found.low)); /* no spread */
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_r),
        cmocka_unit_test(test_nothing_to_estimate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

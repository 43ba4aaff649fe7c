/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lazy selectors given what they cannot work with, features that are not binary, and no memory.
 */
#include <stdio.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/lazy_world.h"
#include "support/oom.h"

/* ---- refusals and other kinds of features ---- */

/* a <- b <- c and d alone; c is the most special. */
static hsel_dataset *chain(void)
{
    hsel_error error = {0};
    hsel_dataset *data = lazy_new_data(4, 2);
    hsel_dag *dag = NULL;
    assert_ok(hs_dag_new(4, (uint32_t[]){1, 2}, (uint32_t[]){0, 1}, 2, &dag, &error), error);
    lazy_attach(data, dag);
    return data;
}

static void bad_input(void **state)
{
    (void)state;
    static const char *const need_hierarchy[] = {"rpv",    "hip", "hip-plus", "mr",
                                                 "hip-mr", "hnb", "hnb-s"};
    hsel_error error = {0};
    hsel_dataset *flat = lazy_new_data(4, 2), *data = chain();
    uint32_t size[2] = {3, 3}, positive[8] = {1, 1, 1, 2, 0, 1, 2, 0};
    hs_counts counts = {4, 2, 6, size, positive}, no_classes = {.features = 4};
    hs_training without = {.view = hs_view_all(flat), .counts = &counts, .threads = 1};
    hs_training with = {.view = hs_view_all(data), .counts = &counts, .threads = 1};
    hs_lazy_scratch scratch;
    hs_selection selection;
    lazy_prepared p;
    assert_ok(hs_lazy_scratch_init(&scratch, 4, &error), error);
    assert_ok(hs_selection_init(&selection, 4, &error), error);
    for (size_t i = 0; i < sizeof need_hierarchy / sizeof need_hierarchy[0]; i++) {
        char message[200];
        snprintf(message, sizeof message,
                 "%s needs a hierarchy, but the data set has none; give one with 'hierarchy'",
                 need_hierarchy[i]);
        assert_int_equal(lazy_prepare(need_hierarchy[i], &without, &p, &error), HSEL_EUSAGE);
        assert_string_equal(error.message, message);
        assert_null(p.state);
        lazy_done(&p);
        assert_true(
            hs_method_find(HS_SELECTOR, need_hierarchy[i], strlen(need_hierarchy[i]))->flags &
            HS_NEEDS_HIERARCHY);
        assert_ok(lazy_prepare(need_hierarchy[i], &with, &p, &error), error);
        assert_int_equal(lazy_run(&p, (uint32_t[]){0, 2}, 2, &scratch, &selection, &error),
                         HSEL_EFORMAT);
        assert_string_equal(error.message, "c is positive but its ancestor b is not, which "
                                           "violates the true-path rule; 'propagate' repairs it");
        assert_ok(lazy_run(&p, (uint32_t[]){0, 1, 2}, 3, &scratch, &selection, &error), error);
        lazy_done(&p);
    }
    with.counts = &no_classes;
    assert_int_equal(lazy_prepare("mr", &with, &p, &error), HSEL_EUSAGE);
    assert_string_equal(error.message, "relevance needs classes, but the data set has none");
    lazy_done(&p);
    hs_selection_clear(&selection);
    hs_lazy_scratch_clear(&scratch);
    hsel_dataset_free(flat);
    hsel_dataset_free(data);
}

/* In a <- b <- c <- e, d alone, b numeric: b is never selected, and a stays c's ancestor. */
static void features_that_are_not_binary(void **state)
{
    (void)state;
    static const struct {
        const char *text, *positive, *negative;
    } expected[] = {{"all-pos", "ac", ""}, {"all-neg", "", "de"}, {"hip", "c", "de"},
                    {"hip-plus", "c", ""}, {"rpv", "c", ""},      {"mr", "c", "de"},
                    {"hip-mr", "c", "de"}, {"hnb", "c", "de"},    {"hnb:k=2", "c", "d"}};
    hsel_error error = {0};
    hsel_dataset *data = lazy_new_data(5, 2);
    hsel_dag *dag = NULL;
    uint32_t size[2] = {3, 3}, positive[10] = {3, 3, 3, 0, 0, 3, 2, 1, 1, 1};
    hs_counts counts = {5, 2, 6, size, positive};
    hs_training training = {.view = hs_view_all(data), .counts = &counts, .threads = 1};
    hs_lazy_scratch scratch;
    hs_selection selection;
    data->types[1] = HSEL_NUMERIC;
    data->numeric_count = 1; /* as hs_dataset_all_binary looks at it; there are no instances */
    assert_ok(hs_dag_new(5, (uint32_t[]){1, 2, 4}, (uint32_t[]){0, 1, 2}, 3, &dag, &error), error);
    lazy_attach(data, dag);
    assert_ok(hs_lazy_scratch_init(&scratch, 5, &error), error);
    assert_ok(hs_selection_init(&selection, 5, &error), error);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        lazy_prepared p;
        char one[8] = "", zero[8] = "";
        assert_ok(lazy_prepare(expected[i].text, &training, &p, &error), error);
        assert_ok(lazy_run(&p, (uint32_t[]){0, 2}, 2, &scratch, &selection, &error), error);
        for (uint32_t f = 0; f < selection.positive_count; f++)
            one[f] = "abcde"[selection.positive[f]];
        for (uint32_t f = 0; f < selection.negative_count; f++)
            zero[f] = "abcde"[selection.negative[f]];
        if (strcmp(one, expected[i].positive) != 0 ||
            strcmp(selection.all_negative ? "*" : zero, expected[i].negative) != 0)
            fail_msg("%s: kept %s and %s", expected[i].text, one, zero);
        lazy_done(&p);
    }
    data->numeric_count = 0;
    hs_selection_clear(&selection);
    hs_lazy_scratch_clear(&scratch);
    hsel_dataset_free(data);
}

/* ---- scratch ---- */

static void marks_start_anew(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_lazy_scratch scratch;
    assert_ok(hs_lazy_scratch_init(&scratch, 4, &error), error);
    for (uint32_t start = UINT32_MAX - 9; start != 0; start++) {
        scratch.round = start;
        for (int i = 0; i < 8; i++) {
            uint32_t round = hs_lazy_scratch_next(&scratch);
            assert_int_equal(round, scratch.round);
            assert_true(round >= 2 && round < UINT32_MAX);
            for (uint32_t f = 0; f < 4; f++)
                assert_true(scratch.mark[f] != round && scratch.mark[f] != round + 1);
            scratch.mark[i % 3] = round;
            scratch.mark[(i + 1) % 3] = round + 1;
        }
    }
    hs_lazy_scratch_clear(&scratch);
}

/* ---- memory ---- */

typedef struct attempt {
    const char *text;
    const hs_training *training;
} attempt;

static int prepare_once(void *context, hsel_error *error)
{
    const attempt *a = context;
    lazy_prepared p;
    int status = lazy_prepare(a->text, a->training, &p, error);
    lazy_done(&p);
    return status;
}

static int make_scratch(void *context, hsel_error *error)
{
    hs_lazy_scratch scratch = {0};
    hs_selection selection = {0};
    (void)context;
    int status = hs_lazy_scratch_init(&scratch, 10, error);
    if (status == HSEL_OK)
        status = hs_selection_init(&selection, 10, error);
    hs_lazy_scratch_clear(&scratch);
    hs_selection_clear(&selection);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    hsel_dataset *data = chain();
    uint32_t size[2] = {3, 3}, positive[8] = {1, 1, 1, 2, 0, 1, 2, 0};
    uint64_t mask = 0xd; /* without b */
    hs_counts counts = {4, 2, 6, size, positive};
    hs_training training = {.view = hs_view_all(data), .counts = &counts, .threads = 1};
    for (int masked = 0; masked < 2; masked++) {
        training.view.features = masked ? &mask : NULL;
        for (size_t k = 0; k < lazy_case_count; k++)
            assert_true(hs_oom_each(lazy_cases[k].text, prepare_once,
                                    &(attempt){lazy_cases[k].text, &training}) > 1);
    }
    hs_oom_each("scratch", make_scratch, NULL);
    hsel_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_input), cmocka_unit_test(features_that_are_not_binary),
        cmocka_unit_test(marks_start_anew), cmocka_unit_test(out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

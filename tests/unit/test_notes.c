/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Notes of methods: counted together from many threads, told in one order, and memory may run out.
 */
#include <string.h>

#include "core/progress.h"
#include "core/parallel.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/threads.h"

HS_TEST_USES_THREADS

static int add(void *context, size_t index, int worker, hsel_error *error)
{
    (void)worker;
    int status = hs_notes_count(context, "svm", "machines are b", index % 3 == 0, error);
    if (status == HSEL_OK)
        status = hs_notes_count(context, "svm", "machines are a", index == 5, error);
    return status ? status : hs_notes_count(context, "nb", "fits are c", false, error);
}

static void take(void *context, const char *line)
{
    strcat(context, line);
    strcat(context, "\n");
}

static void test_counted_together(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 4; threads++) {
        hs_notes notes = HS_NOTES;
        hsel_error error = {0};
        char text[400] = "";
        assert_ok(hs_parallel_for(300, threads, add, &notes, &error), error);
        hs_notes_tell(&notes, take, text);
        assert_string_equal(text, "svm: 1 of 300 machines are a\nsvm: 100 of 300 machines are b\n");
        hs_notes_clear(&notes);
        hs_notes_tell(&notes, take, text); /* nothing more */
        assert_int_equal(strlen(text), strlen("svm: 1 of 300 machines are a\n") * 2 + 2);
    }
    assert_int_equal(hs_notes_count(NULL, "svm", "x", true, NULL), HSEL_OK);
}

static int attempt(void *context, hsel_error *error)
{
    hs_notes notes = HS_NOTES;
    (void)context;
    int status = add(&notes, 0, 0, error);
    hs_notes_clear(&notes);
    return status;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    assert_true(hs_oom_each("notes", attempt, NULL) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_counted_together),
                                       cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

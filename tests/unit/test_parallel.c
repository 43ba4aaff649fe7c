/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * core/parallel.c: every task runs once, workers do not clash, and the lowest failing index decides
 * whatever the threads. Also run under ThreadSanitizer.
 */
#include <stdatomic.h>
#include <string.h>
#include <stdio.h>

#include "core/parallel.h"
#include "core/random.h"
#include "support/cmocka.h"
#include "support/threads.h"

HS_TEST_USES_THREADS

enum { TASKS = 2000, WORKERS = 16 };

typedef struct work {
    unsigned char runs[TASKS];
    uint64_t result[TASKS];
    uint64_t scratch[WORKERS]; /* one a worker: a clash would be a data race */
    atomic_int bad_worker;
    int threads;
    const bool *fails;
} work;

static int task(void *context, size_t index, int worker, hsel_error *error)
{
    work *w = context;
    if (worker < 0 || worker >= w->threads)
        atomic_store(&w->bad_worker, 1);
    w->runs[index]++;
    hs_stream stream;
    hs_stream_init(&stream, 1, "task", index, 0);
    uint64_t *scratch = &w->scratch[worker];
    *scratch = 0;
    for (int i = 0; i < 20; i++)
        *scratch += hs_random_below(&stream, 1000);
    w->result[index] = *scratch;
    if (w->fails && w->fails[index])
        return hs_fail(error, HSEL_EFORMAT, "task %zu failed", index);
    return HSEL_OK;
}

static void test_every_task_once(void **state)
{
    (void)state;
    static work one, many;
    hsel_error error = {0};
    one.threads = 1;
    assert_ok(hs_parallel_for(TASKS, 1, task, &one, &error), error);
    for (int threads = 2; threads <= WORKERS; threads *= 2) {
        memset(&many, 0, sizeof many);
        many.threads = threads;
        assert_ok(hs_parallel_for(TASKS, threads, task, &many, &error), error);
        assert_int_equal(many.bad_worker, 0);
        for (size_t i = 0; i < TASKS; i++)
            assert_int_equal(many.runs[i], 1);
        assert_memory_equal(many.result, one.result, sizeof one.result);
    }
    assert_ok(hs_parallel_for(0, 4, task, NULL, &error), error);
}

static void test_lowest_failure(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "test", 0, 0);
    for (int round = 0; round < 200; round++) {
        static work w;
        static bool fails[TASKS];
        hsel_error error = {0};
        size_t count = 1 + hs_random_below(&stream, TASKS), lowest = count;
        memset(&w, 0, sizeof w);
        memset(fails, 0, sizeof fails);
        for (uint64_t i = 1 + hs_random_below(&stream, 20); i > 0; i--) {
            size_t bad = hs_random_below(&stream, count);
            fails[bad] = true;
            lowest = bad < lowest ? bad : lowest;
        }
        w.fails = fails;
        w.threads = 1 + (int)hs_random_below(&stream, WORKERS);
        char expected[64];
        snprintf(expected, sizeof expected, "task %zu failed", lowest);
        assert_int_equal(hs_parallel_for(count, w.threads, task, &w, &error), HSEL_EFORMAT);
        assert_string_equal(error.message, expected);
        for (size_t i = 0; i <= lowest; i++)
            assert_int_equal(w.runs[i], 1); /* nothing below the failure is left out */
    }
    static work w = {.threads = 4};
    static bool fails[TASKS] = {[7] = true};
    w.fails = fails;
    assert_int_equal(hs_parallel_for(TASKS, 4, task, &w, NULL), HSEL_EFORMAT); /* nobody listens */
}

/* Nested: a task may itself use a parallel loop. */
static int outer(void *context, size_t index, int worker, hsel_error *error)
{
    (void)worker;
    work *all = context;
    all[index].threads = 3;
    return hs_parallel_for(50, 3, task, &all[index], error);
}

static void test_nested(void **state)
{
    (void)state;
    static work all[8];
    hsel_error error = {0};
    assert_ok(hs_parallel_for(8, 4, outer, all, &error), error);
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 50; k++)
            assert_int_equal(all[i].runs[k], 1);
}

static void test_threads(void **state)
{
    (void)state;
    assert_int_equal(hs_threads(1), 1);
    assert_true(hs_threads(0) >= 1);
    assert_int_equal(hs_threads(-3), hs_threads(0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_task_once), cmocka_unit_test(test_lowest_failure),
        cmocka_unit_test(test_nested), cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

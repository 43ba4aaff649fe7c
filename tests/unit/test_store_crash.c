/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the store promises when things go wrong: a process killed at any moment loses nothing that
 * it had called finished, and a full disk loses nothing either; in both cases work goes on
 * afterwards.
 */
#include <signal.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/random.h"
#include "support/cmocka.h"
#include "support/store_world.h"

static void assert_sound(void)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *row = NULL;
    assert_int_equal(sqlite3_open(hs_stores.path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &row, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    assert_string_equal((const char *)sqlite3_column_text(row, 0), "ok");
    sqlite3_finalize(row);
    sqlite3_close(db);
}

/* Puts units from `first` on for ever, and says so through the pipe when they are finished.
 * Grouped: every third time all so far are committed and reported. */
static _Noreturn void write_for_ever(unsigned first, bool grouped, int out)
{
    hs_store *store = NULL;
    int64_t id;
    if (hs_store_open(hs_stores.path, HS_STORE_WRITE, false, &store, NULL) ||
        hs_store_dataset(store, hs_stores.data, &id, NULL))
        _exit(1);
    hs_store_group(store, grouped ? 1000 : 0);
    for (unsigned i = first, reported = first;; i++) {
        if (hs_unit_put(store, id, i, false, NULL))
            _exit(2);
        if (grouped && (i % 3 != 2 || hs_store_commit(store, NULL)))
            continue;
        for (; reported <= i; reported++)
            if (write(out, &reported, sizeof reported) != sizeof reported)
                _exit(3);
    }
}

/* The number of units that were reported before it was killed. */
static unsigned run_and_kill(unsigned first, bool grouped, unsigned microseconds)
{
    int ends[2];
    unsigned last = first, got;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        write_for_ever(first, grouped, ends[1]);
    }
    close(ends[1]);
    usleep(microseconds);
    assert_int_equal(kill(child, SIGKILL), 0);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status)); /* it was still at work */
    while (read(ends[0], &got, sizeof got) == sizeof got)
        last = got + 1;
    close(ends[0]);
    return last;
}

static void kill_twenty_times(bool grouped)
{
    hs_stream stream;
    hsel_error error = {0};
    unsigned done = 0;
    hs_stream_init(&stream, 3, "kill", grouped, 0);
    /* On a busy machine more often, and later and later. */
    for (unsigned round = 0; round < 20 || (done <= 20 && round < 200); round++) {
        unsigned before = done, longest = 25000 * (1 + round / 20);
        done = run_and_kill(done, grouped, 500 + (unsigned)hs_random_below(&stream, longest));
        assert_sound();
        hs_store *store = NULL;
        int status = hs_store_open(hs_stores.path, round % 2 ? HS_STORE_WRITE : HS_STORE_READ,
                                   false, &store, &error);
        if (status == HSEL_EFORMAT || status == HSEL_EIO) { /* killed before it was made */
            assert_int_equal(done, 0);
            continue;
        }
        assert_ok(status, error);
        for (unsigned i = before; i < done; i++)
            hs_unit_assert(store, 1, i, false);
        hs_store_close(store);
    }
    assert_true(done > 20);
    hs_store *store = NULL;
    assert_ok(hs_store_open(hs_stores.path, HS_STORE_READ, false, &store, &error), error);
    for (unsigned i = 0; i < done; i++)
        hs_unit_assert(store, 1, i, false);
    hs_store_close(store);
}

static void test_killed(void **state)
{
    (void)state;
    kill_twenty_times(false);
}

static void test_killed_in_groups(void **state)
{
    (void)state;
    kill_twenty_times(true);
}

static void limit_files(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* No file may grow beyond a limit, which stands for a full disk; then it may again. */
static void full_disk(bool grouped)
{
    hsel_error error = {0};
    hs_store *store = NULL;
    int64_t id;
    unsigned put = 0, before = 0;
    struct rlimit as_it_was;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &as_it_was), 0);
    for (rlim_t limit = 500 * 1024; limit < 2500 * 1024; limit += 400 * 1024) {
        int status = HSEL_OK;
        assert_ok(hs_store_open(hs_stores.path, HS_STORE_WRITE, false, &store, &error), error);
        assert_ok(hs_store_dataset(store, hs_stores.data, &id, &error), error);
        hs_store_group(store, grouped ? 1000 : 0);
        limit_files(limit);
        while (status == HSEL_OK) {
            status = hs_unit_put(store, id, put, false, &error);
            if (status == HSEL_OK && grouped && put % 10 == 9)
                status = hs_store_commit(store, &error);
            if (status == HSEL_OK)
                put++;
        }
        hs_store_close(store);
        limit_files(as_it_was.rlim_cur);
        assert_int_equal(status, HSEL_EIO);
        if (!strstr(error.message, "store.db: the store cannot be written: is the disk full?"))
            fail_msg("%s", error.message);
        assert_sound();
        put -= grouped ? put % 10 : 0; /* of the last group nothing is there */
        assert_true(put > before);
        before = put;
        assert_ok(hs_store_open(hs_stores.path, HS_STORE_READ, false, &store, &error), error);
        for (unsigned i = 0; i < put; i++)
            hs_unit_assert(store, id, i, false);
        assert_false(hs_unit_there(store, id, put));
        hs_store_close(store);
    }
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(hs_folder_count(&hs_stores.folder), 1);
}

static void test_full_disk(void **state)
{
    (void)state;
    full_disk(false);
}

static void test_full_disk_in_groups(void **state)
{
    (void)state;
    full_disk(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_killed, hs_stores_set_up, hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_killed_in_groups, hs_stores_set_up,
                                        hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_full_disk, hs_stores_set_up, hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_full_disk_in_groups, hs_stores_set_up,
                                        hs_stores_tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

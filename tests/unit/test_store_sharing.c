/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stores shared by several: one writer at a time, readers beside it, and merging what was put into
 * two of them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "study/store_parts.h"
#include "support/cmocka.h"
#include "support/store_world.h"

/* ---- one writer, many readers ---- */

static void test_second_writer(void **state)
{
    (void)state;
    hsel_error error = {0};
    char expected[64];
    hs_store *store = hs_unit_store(hs_stores.path, HS_STORE_WRITE), *second = NULL;
    int64_t id = hs_stores_add(store, hs_stores.data);
    hs_stores_put(store, id, 0, false);
    snprintf(expected, sizeof expected, "store.db: process %ld on ", (long)getpid());
    assert_int_equal(hs_store_open(hs_stores.path, HS_STORE_WRITE, false, &second, &error),
                     HSEL_EIO);
    assert_null(second);
    assert_non_null(strstr(error.message, expected));
    assert_non_null(
        strstr(error.message, " is writing to this store; wait for it with --wait, or stop it"));
    hs_stores_put(store, id, 1, false); /* the first is not disturbed */
    hs_store_close(store);
    store = hs_unit_store(hs_stores.path, HS_STORE_WRITE);
    hs_unit_assert(store, id, 1, false);
    hs_store_close(store);
}

/* Several processes add units in turn, each waiting for the others: every one gets its turn, and
 * none overlaps. */
static void test_waiting(void **state)
{
    (void)state;
    enum { CHILDREN = 6, ROUNDS = 5 };
    pid_t child[CHILDREN];
    hs_store_close(hs_unit_store(hs_stores.path, HS_STORE_WRITE));
    for (unsigned c = 0; c < CHILDREN; c++)
        if ((child[c] = fork()) == 0) {
            for (unsigned round = 0; round < ROUNDS; round++) {
                hs_store *store = NULL;
                int64_t id, held = 0;
                char inside[600];
                snprintf(inside, sizeof inside, "%s.inside", hs_stores.path);
                if (hs_store_open(hs_stores.path, HS_STORE_WRITE, true, &store, NULL))
                    _exit(1);
                held = mkdir(inside, 0777); /* fails if another one is in here */
                if (held || hs_store_dataset(store, hs_stores.data, &id, NULL) ||
                    hs_unit_put(store, id, c * ROUNDS + round, false, NULL))
                    _exit(2);
                usleep(500);
                rmdir(inside);
                hs_store_close(store);
            }
            _exit(0);
        }
    for (unsigned c = 0; c < CHILDREN; c++) {
        int status;
        assert_int_equal(waitpid(child[c], &status, 0), child[c]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
    hs_store *store = hs_unit_store(hs_stores.path, HS_STORE_READ);
    for (unsigned i = 0; i < CHILDREN * ROUNDS; i++)
        hs_unit_assert(store, 1, i, false);
    hs_store_close(store);
    assert_int_equal(hs_folder_count(&hs_stores.folder), 1);
}

static void test_reading_while_writing(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_store *writer = hs_unit_store(hs_stores.path, HS_STORE_WRITE);
    int64_t id = hs_stores_add(writer, hs_stores.data);
    hs_stores_put(writer, id, 0, false);
    hs_store *reader = hs_unit_store(hs_stores.path, HS_STORE_READ);
    for (unsigned i = 1; i < 40; i++) {
        hs_stores_put(writer, id, i, false);
        hs_unit_assert(reader, id, i, false);
    }
    /* A group is seen when it is committed. */
    hs_store_group(writer, 1000);
    hs_stores_put(writer, id, 40, false);
    hs_stores_put(writer, id, 41, false);
    assert_false(hs_unit_there(reader, id, 40));
    assert_true(hs_unit_there(writer, id, 40));
    assert_ok(hs_store_commit(writer, &error), error);
    hs_unit_assert(reader, id, 40, false);
    hs_stores_put(writer, id, 42, false);
    hs_store_close(writer); /* commits */
    hs_unit_assert(reader, id, 42, false);
    assert_int_not_equal(hs_unit_put(reader, id, 43, false, &error),
                         HSEL_OK); /* a reader never writes */
    assert_false(hs_unit_there(reader, id, 43));
    hs_store_close(reader);
    assert_int_equal(hs_folder_count(&hs_stores.folder), 1);
}

static void test_groups_end_by_time(void **state)
{
    (void)state;
    hs_store *writer = hs_unit_store(hs_stores.path, HS_STORE_WRITE);
    int64_t id = hs_stores_add(writer, hs_stores.data);
    hs_store *reader = hs_unit_store(hs_stores.path, HS_STORE_READ);
    hs_store_group(writer, 0.02);
    hs_stores_put(writer, id, 0, false);
    assert_false(hs_unit_there(reader, id, 0));
    usleep(30000);
    hs_stores_put(writer, id, 1, false);
    assert_true(hs_unit_there(reader, id, 0));
    assert_true(hs_unit_there(reader, id, 1));
    hs_store_close(writer);
    hs_store_close(reader);
}

/* ---- merging ---- */

static uint64_t merge(hs_store *store, const char *from)
{
    hsel_error error = {0};
    uint64_t taken = 12345;
    assert_ok(hs_store_merge(store, from, &taken, &error), error);
    return taken;
}

/* Each has units of its own, some are in both, some failed here and are well there; the data sets
 * have other ids there. */
static void test_merge(void **state)
{
    (void)state;
    char text[] = "name: theirs";
    hs_store *mine = hs_unit_store(hs_stores.path, HS_STORE_WRITE),
             *theirs = hs_unit_store(hs_stores.other_path, HS_STORE_WRITE);
    int64_t a = hs_stores_add(mine, hs_stores.data), a2 = hs_stores_add(mine, hs_stores.data2),
            b2 = hs_stores_add(theirs, hs_stores.data2), b = hs_stores_add(theirs, hs_stores.data);
    assert_true(a != b);
    for (unsigned i = 0; i < 30; i++)
        hs_stores_put(mine, a, i, i < 10);
    for (unsigned i = 5; i < 50; i++)
        hs_stores_put(theirs, b, i, i >= 20 && i < 40);
    hs_stores_put(theirs, b2, 3, false);
    hs_stores_put_study(theirs, "theirs", text);
    hs_store_close(theirs);
    /* 20 units of which both jobs are new, 5 failed ones made good, and the one of the other data
     * set. */
    assert_int_equal(merge(mine, hs_stores.other_path), 20 * 2 + 5 + 2);
    assert_int_equal(merge(mine, hs_stores.other_path), 0);
    for (unsigned i = 0; i < 50; i++)
        hs_unit_assert(mine, a, i, i < 5 || (i >= 30 && i < 40));
    hs_unit_assert(mine, a2, 3, false);
    hs_stores_assert_study(mine, "theirs", text);
    hs_store_close(mine);
    /* Back: now the other has them all, and those that failed there and were well here. */
    theirs = hs_unit_store(hs_stores.other_path, HS_STORE_WRITE);
    assert_int_equal(merge(theirs, hs_stores.path), 5 * 2 + 10);
    assert_int_equal(merge(theirs, hs_stores.path), 0);
    for (unsigned i = 0; i < 50; i++)
        hs_unit_assert(theirs, b, i, i < 5 || (i >= 30 && i < 40));
    hs_store_close(theirs);
    assert_int_equal(hs_folder_count(&hs_stores.folder), 2);
}

static void test_merge_into_empty(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_stored_dataset found;
    hs_store *theirs = hs_unit_store(hs_stores.other_path, HS_STORE_WRITE);
    int64_t b = hs_stores_add(theirs, hs_stores.data);
    for (unsigned i = 0; i < 15; i++)
        hs_stores_put(theirs, b, i, false);
    hs_store *mine = hs_unit_store(hs_stores.path, HS_STORE_WRITE);
    assert_int_equal(merge(mine, hs_stores.other_path),
                     30); /* while the other is being written to */
    hs_stores_put(theirs, b, 15, false);
    assert_int_equal(merge(mine, hs_stores.other_path), 2);
    hs_store_close(theirs);
    assert_ok(hs_store_find_dataset(mine, "genes", &found, &error), error);
    for (unsigned i = 0; i < 16; i++)
        hs_unit_assert(mine, found.id, i, false);
    hs_stored_dataset_clear(&found);
    hs_store_close(mine);
}

static void test_merge_refused(void **state)
{
    (void)state;
    hsel_error error = {0};
    uint64_t taken;
    hs_store *mine = hs_unit_store(hs_stores.path, HS_STORE_WRITE);
    assert_int_equal(hs_store_merge(mine, hs_stores.path, &taken, &error), HSEL_EUSAGE);
    assert_non_null(strstr(error.message, "a store cannot be merged with itself"));
    assert_int_equal(hs_store_merge(mine, hs_stores.other_path, &taken, &error), HSEL_EIO);
    assert_non_null(strstr(error.message, "other.db: cannot open: No such file or directory"));
    hs_stores_put(mine, hs_stores_add(mine, hs_stores.data), 0, false); /* goes on working */
    hs_store_close(mine);
}

/* A store in use: a copy of the file has all but the last seconds, a backup has everything; under
 * another name it is not written to. */
static void test_copied_in_use(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_store *store = hs_unit_store(hs_stores.path, HS_STORE_WRITE), *second = NULL;
    int64_t id = hs_stores_add(store, hs_stores.data);
    store->checkpointed = 0; /* some seconds later */
    hs_stores_put(store, id, 0, false);
    char command[1200];
    snprintf(command, sizeof command, "cp '%s' '%s'", hs_stores.path, hs_stores.other_path);
    assert_int_equal(system(command), 0);
    hs_stores_put(store, id, 1, false);
    hs_store *copy = hs_unit_store(hs_stores.other_path, HS_STORE_READ);
    hs_unit_assert(copy, id, 0, false);
    hs_store_close(copy);
    hs_store *reader = hs_unit_store(hs_stores.path, HS_STORE_CHECK);
    assert_int_equal(hs_store_backup(reader, hs_stores.other_path, &error), HSEL_EUSAGE);
    assert_non_null(strstr(error.message, "already exists")); /* nothing is overwritten */
    assert_int_equal(remove(hs_stores.other_path), 0);
    assert_ok(hs_store_backup(reader, hs_stores.other_path, &error), error);
    hs_store_close(reader);
    copy = hs_unit_store(hs_stores.other_path, HS_STORE_READ);
    hs_unit_assert(copy, id, 0, false);
    hs_unit_assert(copy, id, 1, false);
    hs_store_close(copy);
    assert_int_equal(remove(hs_stores.other_path), 0);
    assert_int_equal(link(hs_stores.path, hs_stores.other_path), 0);
    assert_int_equal(hs_store_open(hs_stores.other_path, HS_STORE_WRITE, 0, &second, &error),
                     HSEL_EIO);
    assert_non_null(strstr(error.message, "the store has another name (a hard link)"));
    assert_int_equal(remove(hs_stores.other_path), 0);
    assert_int_equal(symlink(hs_stores.path, hs_stores.other_path), 0);
    assert_int_equal(hs_store_open(hs_stores.other_path, HS_STORE_WRITE, 0, &second, &error),
                     HSEL_EIO);
    assert_non_null(strstr(error.message, "is writing to this store"));
    assert_int_equal(remove(hs_stores.other_path), 0);
    hs_store_close(store);
    assert_int_equal(hs_folder_count(&hs_stores.folder), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_copied_in_use, hs_stores_set_up, hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_second_writer, hs_stores_set_up, hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_waiting, hs_stores_set_up, hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_reading_while_writing, hs_stores_set_up,
                                        hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_groups_end_by_time, hs_stores_set_up,
                                        hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_merge, hs_stores_set_up, hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_merge_into_empty, hs_stores_set_up,
                                        hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_merge_refused, hs_stores_set_up, hs_stores_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

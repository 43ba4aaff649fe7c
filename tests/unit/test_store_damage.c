/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files that are no stores, or of another version, or damaged, or not to be written to: each is
 * told in one plain line and left as it was.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/mem.h"
#include "core/random.h"
#include "support/cmocka.h"
#include "support/store_world.h"

/* ---- files that are no stores ---- */

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ /* application ids, and numbers as blobs */
#define OURS               "1213416780"
#define FOREIGN            "1279611720"
#define BYTES(little, big) little
#else
#define OURS               "1279611720"
#define FOREIGN            "1213416780"
#define BYTES(little, big) big
#endif

static void write_file(const char *where, const void *bytes, size_t length)
{
    FILE *file = fopen(where, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* Refused with these words, and left as it was. */
static void assert_refused(const char *where, hs_store_mode mode, int status, const char *words)
{
    hsel_error error = {0};
    hs_store *store = NULL;
    size_t before_length = 0, after_length = 0, files = hs_folder_count(&hs_stores.folder);
    char *before = hs_slurp(where, &before_length);
    assert_int_equal(hs_store_open(where, mode, false, &store, &error), status);
    assert_null(store);
    if (!strstr(error.message, words) || strchr(error.message, '\n'))
        fail_msg("'%s' is not '%s'", error.message, words);
    char *after = hs_slurp(where, &after_length);
    assert_int_equal(before_length, after_length);
    if (before)
        assert_memory_equal(before, after, before_length);
    assert_int_equal(hs_folder_count(&hs_stores.folder), files);
    free(before);
    free(after);
}

static void assert_refused_both(const char *where, int status, const char *words)
{
    assert_refused(where, HS_STORE_WRITE, status, words);
    assert_refused(where, HS_STORE_READ, status, words);
}

static void test_not_a_store(void **state)
{
    (void)state;
    char inside[600];
    assert_refused(hs_stores.path, HS_STORE_READ, HSEL_EIO,
                   "store.db: cannot open: No such file or directory");
    write_file(hs_stores.path, "", 0);
    assert_refused(hs_stores.path, HS_STORE_READ, HSEL_EFORMAT, "store.db: the store is empty");
    write_file(hs_stores.path, "gene,root,a,b\n", 14);
    assert_refused_both(hs_stores.path, HSEL_EFORMAT, "store.db: this is not a store of results");
    snprintf(inside, sizeof inside, "%s/x.db", hs_stores.path);
    assert_refused_both(inside, HSEL_EIO, "x.db: cannot open: Not a directory");
    snprintf(inside, sizeof inside, "%s/nowhere/x.db", hs_stores.folder.path);
    assert_refused(inside, HS_STORE_WRITE, HSEL_EIO,
                   "x.db: cannot lock the store: No such file or directory");
    hsel_error error = {0};
    hs_store *store = NULL;
    for (int mode = HS_STORE_WRITE; mode <= HS_STORE_READ; mode++) {
        assert_int_equal(
            hs_store_open(hs_stores.folder.path, (hs_store_mode)mode, false, &store, &error),
            HSEL_EIO);
        assert_non_null(strstr(error.message, ": this is a folder, not a store of results"));
        assert_int_equal(hs_store_open("/dev/null", (hs_store_mode)mode, false, &store, &error),
                         HSEL_EIO);
        assert_non_null(
            strstr(error.message, ": this is not a file that could be a store of results"));
    }
}

static void test_other_databases(void **state)
{
    (void)state;
    hs_stores_run_sql(hs_stores.path, "CREATE TABLE t(x); INSERT INTO t VALUES(1)");
    assert_refused_both(hs_stores.path, HSEL_EFORMAT,
                        "store.db: this is a database, but not a store of results");
    unlink(hs_stores.path);
    hs_stores_run_sql(hs_stores.path,
                      "PRAGMA application_id = 77"); /* somebody else's, nothing in it yet */
    assert_refused_both(hs_stores.path, HSEL_EFORMAT,
                        "this is a database, but not a store of results");
    unlink(hs_stores.path);
    hs_stores_run_sql(hs_stores.path, "PRAGMA application_id = " OURS
                                      "; PRAGMA user_version = 99; CREATE TABLE t(x)");
    assert_refused_both(hs_stores.path, HSEL_EFORMAT,
                        "the store was written by a newer hsel (schema 99; this one uses 8)");
    unlink(hs_stores.path);
    hs_stores_run_sql(hs_stores.path, "PRAGMA application_id = " OURS
                                      "; PRAGMA user_version = -3; CREATE TABLE t(x)");
    assert_refused_both(hs_stores.path, HSEL_EFORMAT,
                        "the store was written by an older hsel (schema -3");
    unlink(hs_stores.path);
    hs_store_close(hs_unit_store(hs_stores.path, HS_STORE_WRITE));
    hs_stores_run_sql(hs_stores.path, "PRAGMA application_id = " FOREIGN);
    assert_refused_both(hs_stores.path, HSEL_EUNSUPPORTED,
                        "store.db: written on a machine with another byte order");
}

/* There is one schema; a store of another one is refused and stays as it is. */
static void test_other_schema(void **state)
{
    (void)state;
    hs_store_close(hs_unit_store(hs_stores.path, HS_STORE_WRITE));
    hs_stores_run_sql(hs_stores.path, "PRAGMA user_version = 6");
    assert_refused_both(hs_stores.path, HSEL_EFORMAT,
                        "the store was written by an older hsel (schema 6; this one uses 8): use "
                        "that one, or run the study into a new store");
    /* Whatever else is in the way is not touched. */
    hs_stores_run_sql(hs_stores.other_path, "PRAGMA application_id = " OURS
                                            "; PRAGMA user_version = 8; CREATE TABLE job(x)");
    assert_refused(
        hs_stores.other_path, HS_STORE_WRITE, HSEL_EFORMAT,
        "other.db: the store was not made by hsel, or was changed (table 'job'): it is not used");
}

/* An empty file becomes a store. */
static void test_empty_file(void **state)
{
    (void)state;
    write_file(hs_stores.path, "", 0);
    hs_store *store = hs_unit_store(hs_stores.path, HS_STORE_WRITE);
    hs_stores_put(store, hs_stores_add(store, hs_stores.data), 0, false);
    hs_store_close(store);
}

/* ---- damage ---- */

/* Bytes changed or cut off anywhere: an answer or one plain line, never more. */
static void read_damaged(void)
{
    hsel_error error = {0};
    hs_store *store = NULL;
    hs_stored got = {0};
    hs_stored_dataset found = {0};
    uint64_t total[17] = {0}, tested;
    char *text = NULL;
    int status = hs_store_open(hs_stores.path, HS_STORE_READ, false, &store, &error);
    if (status == HSEL_OK)
        status = hs_store_find_dataset(store, "genes", &found, &error);
    if (status == HSEL_OK && found.id >= 0 && found.features == 17)
        status = hs_store_frequencies(
            store, &(hs_result_key){found.id, "none", NULL, "own", UNIT_FOLDS, 1}, 4, total,
            &tested, NULL, &error);
    for (unsigned i = 0; i < 20 && status == HSEL_OK; i++) {
        status =
            hs_store_get(store,
                         &(hs_result_key){1, hs_unit_selectors[i % 3], hs_unit_classifiers[i % 2],
                                          "own", UNIT_FOLDS, 1 + i / 6},
                         &got, &error);
        hs_stored_clear(&got);
    }
    if (status == HSEL_OK)
        status = hs_store_study_text(store, NULL, &text, NULL, NULL, &error);
    if (status && (!error.message[0] || strchr(error.message, '\n')))
        fail_msg("status %d with the message '%s'", status, error.message);
    hs_free(text);
    hs_stored_dataset_clear(&found);
    hs_store_close(store);
}

static void test_damage(void **state)
{
    (void)state;
    char text[] = "name: a";
    hs_stream stream;
    hs_store *store = hs_unit_store(hs_stores.path, HS_STORE_WRITE);
    int64_t id = hs_stores_add(store, hs_stores.data);
    for (unsigned i = 0; i < 60; i++)
        hs_stores_put(store, id, i, i % 11 == 0);
    hs_stores_put_study(store, "a", text);
    hs_store_close(store);
    size_t length;
    char *good = hs_slurp(hs_stores.path, &length), *bad = malloc(length);
    assert_non_null(good);
    assert_non_null(bad);
    hs_stream_init(&stream, 1, "damage", 0, 0);
    for (int round = 0; round < 300; round++) {
        size_t keep = round % 3 == 0 ? hs_random_below(&stream, length) : length;
        memcpy(bad, good, length);
        for (uint64_t k = round % 3 == 0 ? 0 : 1 + hs_random_below(&stream, 20); k > 0; k--)
            bad[hs_random_below(&stream, round % 3 == 1 ? length : 8192)] =
                (char)hs_random_below(&stream, 256);
        write_file(hs_stores.path, bad, keep);
        read_damaged();
    }
    free(good);
    free(bad);
}

/* Numbers in the store that cannot be: said so, not believed. */
static void test_impossible_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *sql, *words;
    } cases[] = {
        {"UPDATE unit SET fold = 77 WHERE fold = 1", "fold 78: its values are invalid"},
        {"UPDATE unit SET fold = -1 WHERE fold = 1", "its values are invalid"},
        {"UPDATE unit SET instances = x'17' || substr(instances, 2) WHERE fold = 3",
         "its values are invalid"},
        {"UPDATE unit SET instances = substr(instances, 2)", "its values are invalid"},
        {"UPDATE unit SET instances = instances || x'01'", "its values are invalid"},
        {"UPDATE unit SET selected = x'0070' || selected", "its values are invalid"},
        {"UPDATE unit SET selected = x'ffffffffffffffffffff' || selected",
         "its values are invalid"},
        {"UPDATE unit SET selected = NULL", "its values are invalid"},
        {"UPDATE unit SET tested = -5", "its values are invalid"},
        {"UPDATE unit SET tested = 4000000000", "its values are invalid"},
        {"UPDATE unit SET selected = x'12' || substr(selected, 2) WHERE fold = 3",
         "its values are invalid"},
        {"UPDATE job SET probability = x'00'", "its values are invalid"},
        {"UPDATE job SET probability = zeroblob(24 * 24)", "its values are invalid"},
        {"UPDATE job SET probability = zeroblob(length(probability))", /* all 0 */
         "data set genes, selector none, classifier nb, seed 1, fold 1: its values are invalid"},
        {"UPDATE job SET probability = x'" BYTES(
             "000000000000f87f", "7ff8000000000000") "' || substr(probability, 9)", /* NaN */
         "its values are invalid"},
        {"UPDATE job SET probability = x'" BYTES(
             "0000000000001440", "4014000000000000") "' || substr(probability, 9)", /* 5 */
         "its values are invalid"},
        {"UPDATE job SET probability = x'" BYTES(
             "000000000000f0bf0000000000000040",
             "bff00000000000004000000000000000") "' || substr(probability, "
                                                 "17)", /* -1, 2 */
         "its values are invalid"},
        {"UPDATE unit SET instances = (SELECT instances FROM unit u WHERE u.fold = 0) WHERE fold ="
         " 1",
         "fold 2: its values are invalid"},
        {"UPDATE job SET score = x'00'", "its values are invalid"},
        {"UPDATE job SET score = NULL", "its values are invalid"},
        {"UPDATE job SET score = x'" BYTES("000000000000f87f",
                                           "7ff8000000000000") "' || substr(score, 9)", /* NaN */
         "its values are invalid"},
        {"UPDATE dataset SET instances = 4294967319", "a data set has invalid sizes"},
        {"UPDATE dataset SET classes = -1", "a data set has invalid sizes"},
        {"UPDATE dataset SET positive_class = 3",
         "the positive class of a data set is not one of its classes"},
        {"UPDATE dataset SET positive_class = 4294967295",
         "the positive class of a data set is not one of its classes"},
        {"UPDATE dataset SET class_of = x'0000'", "the classes of a data set are truncated"},
        {"UPDATE dataset SET class_of = x'" BYTES("09000000",
                                                  "00000009") "' || substr(class_of, 5)",
         "an instance has an unknown class"},
        {"DELETE FROM dataset", "a data set is missing"},
        {"UPDATE unit SET instances = x'01', selected = x'01', tested = 1 WHERE fold = 1; UPDATE"
         " job SET probability = substr(probability, 1, 24), score = substr(score, 1, 24) WHERE"
         " unit = 2",
         "seed 1: its values are invalid"},
    };
    size_t length;
    hs_store *store = hs_unit_store(hs_stores.path, HS_STORE_WRITE);
    int64_t id = hs_stores_add(store, hs_stores.data);
    for (unsigned fold = 0; fold < UNIT_FOLDS; fold++)
        hs_stores_put(store, id, fold * UNIT_SELECTORS, false);
    hs_store_close(store);
    char *good = hs_slurp(hs_stores.path, &length);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hsel_error error = {0};
        hs_stored got = {0};
        write_file(hs_stores.path, good, length);
        hs_stores_change(hs_stores.path, cases[i].sql);
        store = hs_unit_store(hs_stores.path, HS_STORE_CHECK); /* which does not look at all */
        int status = hs_store_get(store, &(hs_result_key){id, "none", "nb", "own", UNIT_FOLDS, 1},
                                  &got, &error);
        if (status != HSEL_EFORMAT || !strstr(error.message, cases[i].words))
            fail_msg("%s: status %d, '%s'", cases[i].sql, status, error.message);
        hs_store_close(store);
    }
    write_file(hs_stores.path, good, length);
    hs_stores_change(hs_stores.path, "UPDATE unit SET frequency = x'010203'");
    store = hs_unit_store(hs_stores.path, HS_STORE_CHECK);
    uint64_t total[17], tested;
    hsel_error error = {0};
    assert_int_equal(hs_store_frequencies(store,
                                          &(hs_result_key){id, "none", NULL, "own", UNIT_FOLDS, 1},
                                          1, total, &tested, NULL, &error),
                     HSEL_EFORMAT);
    assert_non_null(strstr(error.message, "the frequencies of features cannot be unpacked"));
    hs_store_close(store);
    free(good);
}

/* ---- permissions ---- */

/* In a folder that this user cannot write to, a store can be read and nothing else. In a process of
 * its own, which may give up being root. */
static void test_no_permission(void **state)
{
    (void)state;
    hs_store *store = hs_unit_store(hs_stores.path, HS_STORE_WRITE);
    int64_t id = hs_stores_add(store, hs_stores.data);
    hs_stores_put(store, id, 0, false);
    hs_store_close(store);
    assert_int_equal(chmod(hs_stores.folder.path, 0555), 0);
    assert_int_equal(chmod(hs_stores.path, 0444), 0);
    pid_t child = fork();
    if (child == 0) {
        hsel_error error = {0};
        hs_job_state got[2];
        hs_result_key key = hs_unit_key_of(id, 0);
        if (getuid() == 0 && setuid(65534) != 0)
            _exit(1);
        if (hs_store_open(hs_stores.path, HS_STORE_WRITE, false, &store, &error) != HSEL_EIO ||
            !strstr(error.message, "store.db: cannot lock the store: Permission denied"))
            _exit(2);
        if (hs_store_open(hs_stores.path, HS_STORE_READ, false, &store, &error)) {
            fprintf(stderr, "%s\n", error.message);
            _exit(3);
        }
        if (hs_unit_jobs(store, key, got, &error) || got[0] != HS_JOB_OK || got[1] != HS_JOB_OK)
            _exit(4);
        hs_store_close(store);
        char mine[] = "/tmp/hsel-merge-XXXXXX", path[64];
        uint64_t taken = 0;
        if (!mkdtemp(mine) || snprintf(path, sizeof path, "%s/mine.db", mine) < 0 ||
            hs_store_open(path, HS_STORE_WRITE, false, &store, &error))
            _exit(5);
        if (hs_store_merge(store, hs_stores.path, &taken, &error) || taken != 2) {
            fprintf(stderr, "%s\n", error.message);
            _exit(6);
        }
        hs_store_close(store);
        unlink(path);
        rmdir(mine);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(chmod(hs_stores.folder.path, 0755), 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_not_a_store, hs_stores_set_up, hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_other_databases, hs_stores_set_up,
                                        hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_other_schema, hs_stores_set_up, hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_empty_file, hs_stores_set_up, hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_damage, hs_stores_set_up, hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_impossible_numbers, hs_stores_set_up,
                                        hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_no_permission, hs_stores_set_up, hs_stores_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

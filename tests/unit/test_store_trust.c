/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stores that are not to be believed: single bits changed, code planted in the file, a lock that is
 * a link. Figures are right, or there are none and a line says why.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/mem.h"
#include "core/random.h"
#include "core/writer.h"
#include "study/report/report.h"
#include "support/cmocka.h"
#include "support/sample_study.h"
#include "support/store_world.h"
#include "support/threads.h"

HS_TEST_USES_THREADS

static const char study[] =
    "name: sample\n"
    "datasets:\n"
    "  - {name: alpha, generate: \"ontology:instances=30,features=12,positives=4\", seed: 1}\n"
    "selectors: [none, hip]\n"
    "classifiers: [nb, knn]\n"
    "folds: {count: 3, repeats: 2}\n"
    "rankings: [ig, lift]\n";

static void write_file(const char *where, const void *bytes, size_t length)
{
    FILE *file = fopen(where, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* The report of the store as CSV and text, one after the other; NULL: refused, with one line. */
static char *report_of(hsel_error *error)
{
    char *out = NULL;
    size_t total = 0;
    hs_report report = {0};
    if (hs_report_make(&(hs_report_request){.store = hs_stores.path}, &report, error)) {
        assert_true(error->message[0] && !strchr(error->message, '\n'));
        return NULL;
    }
    for (int text = 0; text < 2; text++) {
        const char *where = hs_folder_file(&hs_stores.folder, "report");
        hs_writer *writer = NULL;
        size_t length;
        assert_ok(hs_writer_open(where, &writer, error), *error);
        assert_ok(hs_report_write(&report, text ? HS_REPORT_TEXT : HS_REPORT_CSV, writer, error),
                  *error);
        assert_ok(hs_writer_commit(writer, error), *error);
        char *part = hs_slurp(where, &length);
        out = realloc(out, total + length + 1);
        assert_non_null(out);
        memcpy(out + total, part, length);
        out[total += length] = '\0';
        free(part);
    }
    hs_report_clear(&report);
    return out;
}

/* Without the times of the run and of the file, which are no figures. */
static void cut_times(char *report)
{
    for (char *at; (at = strstr(report, "Last result"));)
        memmove(at, at + strcspn(at, "\n"), strlen(at + strcspn(at, "\n")) + 1);
}

/* 600 single bits: refused, or nothing changes. */
static void test_bit_flips(void **state)
{
    (void)state;
    enum { FLIPS = 600 };
    hsel_error error = {0};
    unsigned refused = 0, harmless = 0, changed = 0;
    hs_stream stream;
    size_t length;
    hs_sample_run(&(hs_sample){.text = study}, hs_stores.path);
    char *good = hs_slurp(hs_stores.path, &length), *bad = malloc(length);
    char *right = report_of(&error);
    assert_non_null(good);
    assert_non_null(bad);
    assert_non_null(right);
    assert_non_null(strstr(right, "alpha,hip,knn,"));
    cut_times(right);
    hs_stream_init(&stream, 1, "flips", 0, 0);
    for (int i = 0; i < FLIPS; i++) {
        /* Where something is: pages are not full. */
        size_t at;
        do
            at = hs_random_below(&stream, length);
        while (good[at] == 0 && hs_random_below(&stream, 200));
        memcpy(bad, good, length);
        bad[at] = (char)(bad[at] ^ (1 << hs_random_below(&stream, 8)));
        write_file(hs_stores.path, bad, length);
        char *got = report_of(&error);
        if (got)
            cut_times(got);
        if (!got)
            refused++;
        else if (strcmp(got, right) == 0)
            harmless++;
        else if (changed++ == 0)
            fprintf(stderr, "byte %zu of %zu\n", at, length);
        free(got);
    }
    printf("%d bits changed: %u refused, %u without effect, %u wrong figures\n", FLIPS, refused,
           harmless, changed);
    assert_int_equal(changed, 0);
    assert_true(refused > FLIPS / 2);
    free(good);
    free(bad);
    free(right);
}

/* ---- damage is done again ---- */

static void test_removed(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_store *store = hs_unit_store(hs_stores.path, HS_STORE_WRITE);
    int64_t id = hs_stores_add(store, hs_stores.data);
    for (unsigned i = 0; i < 12; i++)
        hs_stores_put(store, id, i, false);
    hs_store_close(store);
    hs_stores_run_sql(hs_stores.path,
                      "UPDATE job SET ok = 0 WHERE unit = 2 AND probability IS NOT NULL;"
                      "UPDATE unit SET seed = 3 WHERE id = 5;"
                      "UPDATE dataset SET positive_class = 1 - positive_class");
    assert_int_equal(hs_store_open(hs_stores.path, HS_STORE_READ, false, &store, &error),
                     HSEL_EFORMAT);
    assert_non_null(strstr(error.message,
                           "store.db: the store is damaged: data set genes: its checksum is "
                           "wrong; hsel check lists all damage, hsel run recomputes it"));
    store = hs_unit_store(hs_stores.path, HS_STORE_WRITE);
    const hs_names *removed = hs_store_removed(store);
    assert_int_equal(removed->count, 1 + 1 + 2 + 2); /* data set, unit, its jobs, jobs of unit 2 */
    assert_string_equal(hs_names_get(removed, 1), "data set genes, selector rpv:measure=ig, seed 3,"
                                                  " fold 2: its checksum is wrong");
    for (unsigned i = 0; i < 12; i++)
        assert_int_equal(hs_unit_there(store, id, i), i != 1 && i != 4);
    /* The data set is put again with the number that results know it by. */
    assert_int_equal(hs_stores_add(store, hs_stores.data), id);
    hs_stores_put(store, id, 1, false);
    hs_stores_put(store, id, 4, false);
    hs_store_close(store);
    store = hs_unit_store(hs_stores.path, HS_STORE_READ);
    for (unsigned i = 0; i < 12; i++)
        hs_unit_assert(store, id, i, false);
    hs_store_close(store);
}

/* ---- code in the file ---- */

static void assert_not_used(const char *words)
{
    hsel_error error = {0};
    hs_store *store = NULL;
    for (int mode = HS_STORE_WRITE; mode <= HS_STORE_CHECK; mode++) {
        assert_int_equal(hs_store_open(hs_stores.path, (hs_store_mode)mode, false, &store, &error),
                         HSEL_EFORMAT);
        if (!strstr(error.message, words))
            fail_msg("%s", error.message);
    }
}

static void test_planted_code(void **state)
{
    (void)state;
    static const struct {
        const char *sql, *words;
    } cases[] = {
        {"CREATE TRIGGER better AFTER INSERT ON job BEGIN UPDATE job SET probability ="
         " zeroblob(8); END",
         "not made by hsel, or was changed (trigger 'better'): it is not used"},
        {"ALTER TABLE study RENAME TO old_study; CREATE VIEW study AS WITH RECURSIVE n(id) AS"
         " (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id, 'a' AS name, 'b' AS text, NULL AS"
         " scheme, 0 AS sum FROM n",
         "not made by hsel, or was changed (index 'sqlite_autoindex_old_study_1'): it is not used"},
        {"CREATE VIEW v AS SELECT 1", "(view 'v')"},
        {"CREATE TABLE extra(x)", "(table 'extra')"},
        {"CREATE INDEX slow ON unit(seed + 1)", "(index 'slow')"},
        {"DROP VIEW jobs", "(view 'rankings')"},
        {"DROP VIEW rankings", "a part of it is missing"},
        {"ALTER TABLE job ADD COLUMN more AS (ok + 1)", "(table 'job')"},
    };
    size_t length;
    hs_sample_run(&(hs_sample){.text = study}, hs_stores.path);
    char *good = hs_slurp(hs_stores.path, &length);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_file(hs_stores.path, good, length);
        hs_stores_run_sql(hs_stores.path, cases[i].sql);
        assert_not_used(cases[i].words);
    }
    free(good);
}

/* ---- the lock ---- */

static void assert_no_lock(const char *words)
{
    hsel_error error = {0};
    hs_store *store = NULL;
    assert_int_equal(hs_store_open(hs_stores.path, HS_STORE_WRITE, false, &store, &error),
                     HSEL_EIO);
    if (!strstr(error.message, words))
        fail_msg("%s", error.message);
}

static void test_planted_lock(void **state)
{
    (void)state;
    char lock[600], other[600];
    size_t length;
    snprintf(lock, sizeof lock, "%s-lock", hs_stores.path);
    snprintf(other, sizeof other, "%s/precious", hs_stores.folder.path);
    write_file(other, "precious", 8);
    assert_int_equal(symlink(other, lock), 0);
    assert_no_lock("store.db-lock: this is a symbolic link, not a lock of hsel");
    unlink(lock);
    assert_int_equal(link(other, lock), 0);
    assert_no_lock("store.db-lock: this is not a lock of hsel: remove it");
    unlink(lock);
    write_file(lock, "precious", 8);
    assert_no_lock("store.db-lock: this is not a lock of hsel: remove it");
    for (int i = 0; i < 2; i++) {
        char *kept = hs_slurp(i ? lock : other, &length);
        assert_int_equal(length, 8);
        assert_memory_equal(kept, "precious", 8);
        free(kept);
    }
    /* That of a run that was killed is taken over. */
    write_file(lock, "process 1 on nowhere\n", 21);
    hs_store_close(hs_unit_store(hs_stores.path, HS_STORE_WRITE));
    assert_int_not_equal(access(lock, F_OK), 0);
}

static void test_no_name(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_store *store = NULL;
    assert_int_equal(hs_store_open("", HS_STORE_WRITE, false, &store, &error), HSEL_EUSAGE);
    assert_string_equal(error.message, "a store needs a file name");
    /* Names that are special in a URI are names. */
    snprintf(hs_stores.path, sizeof hs_stores.path, "%s/a?b#c%%41 d.db", hs_stores.folder.path);
    hs_store_close(hs_unit_store(hs_stores.path, HS_STORE_WRITE));
    assert_int_equal(access(hs_stores.path, F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_bit_flips, hs_stores_set_up, hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_removed, hs_stores_set_up, hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_planted_code, hs_stores_set_up, hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_planted_lock, hs_stores_set_up, hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_no_name, hs_stores_set_up, hs_stores_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

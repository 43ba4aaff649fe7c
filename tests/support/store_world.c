/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stores to test on: see store_world.h.
 */
#include "support/store_world.h"

#include <string.h>

#include "core/mem.h"
#include "study/store_parts.h"
#include "support/cmocka.h"
#include "support/store_trip.h"

hs_store_world hs_stores;

int hs_stores_set_up(void **state)
{
    (void)state;
    hs_folder_new(&hs_stores.folder);
    strcpy(hs_stores.path, hs_folder_file(&hs_stores.folder, "store.db"));
    strcpy(hs_stores.other_path, hs_folder_file(&hs_stores.folder, "other.db"));
    hs_stores.data = hs_unit_dataset(0, "genes");
    hs_stores.data2 = hs_unit_dataset(1, "more genes");
    return 0;
}

int hs_stores_tear_down(void **state)
{
    (void)state;
    hsel_dataset_free(hs_stores.data);
    hsel_dataset_free(hs_stores.data2);
    hs_folder_free(&hs_stores.folder);
    return 0;
}

int64_t hs_stores_add(hs_store *store, const hsel_dataset *data)
{
    hsel_error error = {0};
    int64_t id = -1;
    assert_ok(hs_store_dataset(store, data, &id, &error), error);
    assert_true(id > 0);
    return id;
}

void hs_stores_put(hs_store *store, int64_t id, unsigned i, bool failed)
{
    hsel_error error = {0};
    assert_ok(hs_unit_put(store, id, i, failed, &error), error);
}

void hs_stores_put_study(hs_store *store, const char *name, char *text)
{
    hsel_error error = {0};
    assert_ok(hs_store_study(store, &(hs_study){.name = name, .text = text}, &error), error);
}

void hs_stores_assert_study(hs_store *store, const char *name, const char *expected)
{
    hsel_error error = {0};
    char *text = NULL;
    assert_ok(hs_store_study_text(store, name, &text, NULL, NULL, &error), error);
    assert_string_equal(text, expected);
    hs_free(text);
}

void hs_stores_run_sql(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

void hs_stores_change(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(hs_store_functions(db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_true(hs_stores_seal(db));
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What tests of the store work on: a temporary folder for two stores, two data sets, and what they
 * do to a store again and again. For cmocka's set-up and tear-down of each test.
 */
#ifndef HS_TESTS_STORE_WORLD_H
#define HS_TESTS_STORE_WORLD_H

#include "study/store.h"
#include "support/folder.h"
#include "support/stored_units.h"

typedef struct hs_store_world {
    hs_folder folder;
    char path[512], other_path[512]; /* store.db and other.db in it; neither is there yet */
    hsel_dataset *data, *data2;      /* "genes" and "more genes" */
} hs_store_world;

/* That of the running test. */
extern hs_store_world hs_stores;

int hs_stores_set_up(void **state);
int hs_stores_tear_down(void **state);

/* All of these fail the running test if they cannot do it. */
int64_t hs_stores_add(hs_store *store, const hsel_dataset *data);
void hs_stores_put(hs_store *store, int64_t id, unsigned i, bool failed);
void hs_stores_put_study(hs_store *store, const char *name, char *text);
void hs_stores_assert_study(hs_store *store, const char *name, const char *expected);
/* Runs SQL on the file itself, past the store; makes a database where there is none. */
void hs_stores_run_sql(const char *path, const char *sql);

/* The same, and then every row gets the checksum of what it holds now. */
void hs_stores_change(const char *path, const char *sql);

#endif

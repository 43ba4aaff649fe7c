/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stores that were changed and whose checksums are right nonetheless.
 */
#ifndef HS_TESTS_STORE_TRIP_H
#define HS_TESTS_STORE_TRIP_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

/* Changes a small store as the bytes say, gives every row the checksum of what it holds, and reads
 * all of it, as reports do and past their first look at it. NULL: all is well; else what is not.
 *
 * A change is six bytes and more: table, column, row (each modulo what there is), kind of value,
 * where in the old value, length of what follows. Kinds: 0 NULL, 1 whole number, 2 real, 3 bytes,
 * 4 text, 5 bytes put into the old value, 6 the old value cut off, 7 the row is removed. */
const char *hs_exercise_store(const void *bytes, size_t length);

/* Gives every row the checksum of what it holds; false: it cannot be done. */
bool hs_stores_seal(sqlite3 *db);

#endif

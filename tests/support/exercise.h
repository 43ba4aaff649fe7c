/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the fuzzer and the replay of its corpora give bytes to, by the name of a corpus.
 */
#ifndef HS_TESTS_EXERCISE_H
#define HS_TESTS_EXERCISE_H

#include <stdbool.h>
#include <stddef.h>

/* A format, or "study", "store", "model", "arrays". */
bool hs_can_exercise(const char *name);
/* NULL: all is well; else what is not. */
const char *hs_exercise_named(const char *name, const void *bytes, size_t length);

#endif

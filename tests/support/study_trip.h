/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What must hold for whatever bytes are read as a study: for the fuzzer and for replaying its
 * corpus.
 */
#ifndef HS_TESTS_STUDY_TRIP_H
#define HS_TESTS_STUDY_TRIP_H

#include <stddef.h>

/* NULL, or what is wrong: a failure without a proper message, methods that are not canonical, a
 * second reading that differs. */
const char *hs_exercise_study(const void *bytes, size_t length);

#endif

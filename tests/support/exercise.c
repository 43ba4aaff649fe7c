/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which corpus is for what: formats by the registry, all else by a table.
 */
#include "support/exercise.h"

#include <string.h>

#include "support/api_trip.h"
#include "support/store_trip.h"
#include "support/study_trip.h"
#include "support/trip.h"

static const struct {
    const char *name;
    const char *(*exercise)(const void *bytes, size_t length);
} others[] = {{"study", hs_exercise_study},
              {"store", hs_exercise_store},
              {"model", hs_exercise_model},
              {"arrays", hs_exercise_arrays}}; /* which are no formats */

static size_t find_other(const char *name)
{
    size_t i = 0;
    while (i < sizeof others / sizeof others[0] && strcmp(name, others[i].name) != 0)
        i++;
    return i;
}

bool hs_can_exercise(const char *name)
{
    return find_other(name) < sizeof others / sizeof others[0] ||
           hs_method_find(HS_FORMAT, name, strlen(name));
}

const char *hs_exercise_named(const char *name, const void *bytes, size_t length)
{
    size_t other = find_other(name);
    return other < sizeof others / sizeof others[0]
               ? others[other].exercise(bytes, length)
               : hs_exercise(hs_method_find(HS_FORMAT, name, strlen(name)), bytes, length);
}

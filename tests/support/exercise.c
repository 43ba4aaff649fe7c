/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which corpus is for what: formats by the registry, all else by a table.
 */
#include "support/exercise.h"

#include <string.h>

#include "learn/gene_sets.h"
#include "support/api_trip.h"
#include "support/store_trip.h"
#include "support/study_trip.h"
#include "support/trip.h"

/* Sets that are read have members, each of a name. */
static const char *exercise_sets(const void *bytes, size_t length)
{
    HS_OWNS(hs_gene_sets_clear) hs_gene_sets sets = {0};
    HS_OWNS(hs_reader_release) hs_reader *reader = NULL;
    hsel_error error = {0};
    int status = hs_reader_open_memory("x", bytes, length, &reader, &error);
    if (!status)
        status = hs_gene_sets_read(reader, &sets, &error);
    if (status)
        return error.message[0] ? NULL : "failed without a message";
    if (!sets.names.count || sets.members.lists != sets.names.count)
        return "there are no sets";
    for (uint64_t m = 0; m < sets.members.start[sets.names.count]; m++)
        if (sets.members.index[m] >= sets.genes.count)
            return "a member has no name";
    return NULL;
}

static const struct {
    const char *name;
    const char *(*exercise)(const void *bytes, size_t length);
} others[] = {{"study", hs_exercise_study},
              {"store", hs_exercise_store},
              {"model", hs_exercise_model},
              {"arrays", hs_exercise_arrays},
              {"gene-sets", exercise_sets}}; /* which are no formats */

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

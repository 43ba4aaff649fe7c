/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A list of strings numbered from 0, with a hash index for finding one: feature names, class
 * labels, terms of a hierarchy. One character pool, so a hundred thousand names are two
 * allocations.
 */
#pragma once

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/error.h"

#define HS_NAME_LIMIT     ((size_t)1 << 20) /* longest name in bytes */
#define HS_EXAMPLES_LIMIT 5u                /* names that a report gives as examples */

/* Part of the hash beside the number, so that a name is only looked at when it is almost certainly
 * the one. */
typedef struct hs_name_slot {
    uint32_t id; /* HSEL_NONE: empty */
    uint32_t tag;
} hs_name_slot;

typedef struct hs_names { /* zero-initialise; hs_names_clear frees */
    char *pool;           /* names one after the other, each NUL-terminated */
    uint64_t *start;     /* start[i] is the offset of name i; start[count] the length of the pool */
    hs_name_slot *slots; /* open addressing; NULL until the index is needed */
    size_t pool_capacity, start_capacity;
    uint32_t count, slot_mask;
    bool borrowed; /* pool and start belong to a mapped file */
} hs_names;

void hs_names_clear(hs_names *names);
/* HS_CLEAR_NAMES(&a, &b, &c): all of them. */
void hs_names_clear_all(hs_names *const *lists, size_t count);
#define HS_CLEAR_NAMES(...)                                                                        \
    hs_names_clear_all((hs_names *const[]){__VA_ARGS__},                                           \
                       sizeof((hs_names *[]){__VA_ARGS__}) / sizeof(hs_names *))
/* Number of the name, which is added if it is new; *added (may be NULL) reports this. */
HSEL_CHECKED int hs_names_intern(hs_names *names, const char *text, size_t length, uint32_t *id,
                                 bool *added, hsel_error *error);
/* Adds without looking for an equal one: identifiers, which may repeat. */
HSEL_CHECKED int hs_names_append(hs_names *names, const char *text, size_t length,
                                 hsel_error *error);
/* The same of a text that ends in NUL; NULL adds an empty one. */
static inline int hs_names_append_text(hs_names *names, const char *text, hsel_error *error)
{
    return hs_names_append(names, text ? text : "", text ? strlen(text) : 0, error);
}
/* HSEL_NONE when there is none; the first one if it repeats. Needs the index: see below. */
uint32_t hs_names_find(const hs_names *names, const char *text, size_t length);
/* Builds the index if it does not exist (interning builds it automatically). */
HSEL_CHECKED int hs_names_index(hs_names *names, hsel_error *error);
HSEL_CHECKED int hs_names_copy(const hs_names *from, hs_names *to, hsel_error *error);
/* The name closest to a misspelt one; NULL: none is close enough. */
const char *hs_names_nearest(const hs_names *names, const char *wanted);
/* Sorts ids[count] by the bytes of their names. */
void hs_names_sort(const hs_names *names, uint32_t *ids, size_t count);
/* Copies the names with keep[i] set (NULL: all), in order. */
HSEL_CHECKED int hs_names_subset(const hs_names *from, const bool *keep, hs_names *to,
                                 hsel_error *error);

static inline const char *hs_names_get(const hs_names *names, uint32_t id)
{
    assert(id < names->count);
    return names->pool + names->start[id];
}

static inline size_t hs_names_length(const hs_names *names, uint32_t id)
{
    assert(id < names->count);
    return (size_t)(names->start[id + 1] - names->start[id] - 1);
}

/* Both, as two arguments of a call. */
#define HS_NAME(names, id) hs_names_get(names, id), hs_names_length(names, id)

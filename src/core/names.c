/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names in one pool with an open-addressing index, at most half full. The index holds numbers only,
 * so that a mapped file can lend pool and offsets.
 */
#define _GNU_SOURCE /* qsort_r */
#include "core/core.h"

#include <xxhash.h>

static uint64_t hash_of(const char *text, size_t length) { return XXH3_64bits(text, length); }

void hs_names_clear(hs_names *names)
{
    if (!names->borrowed) {
        HS_FREE(names->pool, names->start);
    }
    hs_free(names->slots);
    *names = (hs_names){0};
}

void hs_names_clear_all(hs_names *const *lists, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hs_names_clear(lists[i]);
}

/* The slot of the name, or the empty slot where it would go. */
static hs_name_slot *slot_of(const hs_names *names, const char *text, size_t length, uint64_t hash)
{
    uint32_t at = (uint32_t)hash & names->slot_mask, tag = (uint32_t)(hash >> 32);
    for (;; at = (at + 1) & names->slot_mask) {
        hs_name_slot *slot = &names->slots[at];
        if (slot->id == HSEL_NONE ||
            (slot->tag == tag && hs_names_length(names, slot->id) == length &&
             memcmp(hs_names_get(names, slot->id), text, length) == 0))
            return slot;
    }
}

/* Makes an index with room for `count` names; the first of equal names is the one found. */
static int rebuild_index(hs_names *names, uint32_t count, hsel_error *error)
{
    uint64_t slots = 16;
    while (slots < (uint64_t)count * 2)
        slots *= 2;
    hs_name_slot *table = HS_NEW(hs_name_slot, slots);
    HS_NEED(table);
    memset(table, 0xff, slots * sizeof *table);
    hs_free(names->slots);
    names->slots = table;
    names->slot_mask = (uint32_t)(slots - 1);
    for (uint32_t id = 0; id < names->count; id++) {
        uint64_t hash = hash_of(HS_NAME(names, id));
        hs_name_slot *slot = slot_of(names, HS_NAME(names, id), hash);
        if (slot->id == HSEL_NONE)
            *slot = (hs_name_slot){id, (uint32_t)(hash >> 32)};
    }
    return HSEL_OK;
}

int hs_names_index(hs_names *names, hsel_error *error)
{
    return names->slots ? HSEL_OK : rebuild_index(names, names->count, error);
}

static int append_name(hs_names *names, const char *text, size_t length, hsel_error *error)
{
    if (length > HS_NAME_LIMIT)
        return hs_fail(error, HSEL_ELIMIT, "name too long: %zu bytes (limit %zu)", length,
                       HS_NAME_LIMIT);
    if (names->count >= HSEL_NONE / 2 - 1)
        return hs_fail(error, HSEL_ELIMIT, "more than %u names", HSEL_NONE / 2 - 1);
    size_t used = names->count ? (size_t)names->start[names->count] : 0;
    HS_NEED(HS_GROW(&names->start, &names->start_capacity, (size_t)names->count + 2) &&
            HS_GROW(&names->pool, &names->pool_capacity, used + length + 1));
    memcpy(names->pool + used, text, length);
    names->pool[used + length] = '\0';
    names->start[names->count] = used;
    names->count++;
    names->start[names->count] = used + length + 1;
    return HSEL_OK;
}

int hs_names_append(hs_names *names, const char *text, size_t length, hsel_error *error)
{
    hs_free(names->slots); /* an index would no longer be complete */
    names->slots = NULL;
    return append_name(names, text, length, error);
}

int hs_names_intern(hs_names *names, const char *text, size_t length, uint32_t *id, bool *added,
                    hsel_error *error)
{
    if (!names->slots || (uint64_t)(names->count + 1) * 2 > (uint64_t)names->slot_mask + 1)
        HS_TRY(rebuild_index(names, (names->count + 1) * 2, error));
    uint64_t hash = hash_of(text, length);
    hs_name_slot *slot = slot_of(names, text, length, hash);
    bool is_new = slot->id == HSEL_NONE;
    if (is_new) {
        HS_TRY(append_name(names, text, length, error));
        *slot = (hs_name_slot){names->count - 1, (uint32_t)(hash >> 32)};
    }
    *id = slot->id;
    if (added)
        *added = is_new;
    return HSEL_OK;
}

uint32_t hs_names_find(const hs_names *names, const char *text, size_t length)
{
    assert(names->slots || !names->count);
    return names->slots ? slot_of(names, text, length, hash_of(text, length))->id : HSEL_NONE;
}

const char *hs_names_nearest(const hs_names *names, const char *wanted)
{
    const char *nearest = NULL;
    for (uint32_t id = 0; id < names->count; id++) {
        const char *name = hs_names_get(names, id), *pair[] = {nearest ? nearest : name, name};
        int best = hs_nearest(wanted, pair, 2);
        nearest = best < 0 ? NULL : pair[best];
    }
    return nearest;
}

static int compare_names(const void *a, const void *b, void *names)
{
    return strcmp(hs_names_get(names, *(const uint32_t *)a),
                  hs_names_get(names, *(const uint32_t *)b));
}

void hs_names_sort(const hs_names *names, uint32_t *ids, size_t count)
{
    qsort_r(ids, count, sizeof *ids, compare_names, (void *)(uintptr_t)names);
}

int hs_names_copy(const hs_names *from, hs_names *to, hsel_error *error)
{
    size_t starts = (size_t)from->count + 1,
           bytes = from->count ? (size_t)from->start[from->count] : 0;
    *to = (hs_names){.count = from->count, .slot_mask = from->slot_mask};
    if (from->count) {
        to->pool = hs_copy(from->pool, to->pool_capacity = bytes, 1);
        to->start = hs_copy(from->start, to->start_capacity = starts, sizeof *from->start);
    }
    if (from->slots)
        to->slots = hs_copy(from->slots, (size_t)from->slot_mask + 1, sizeof *from->slots);
    if ((to->pool && to->start) == (from->count > 0) && !to->slots == !from->slots)
        return HSEL_OK;
    hs_names_clear(to);
    return hs_fail_memory(error);
}

int hs_names_subset(const hs_names *from, const bool *keep, hs_names *to, hsel_error *error)
{
    HS_OWNS(hs_names_clear) hs_names kept = {0};
    if (!keep)
        return hs_names_copy(from, to, error);
    for (uint32_t id = 0; id < from->count; id++)
        if (keep[id])
            HS_TRY(append_name(&kept, HS_NAME(from, id), error));
    if (from->slots)
        HS_TRY(hs_names_index(&kept, error));
    HS_MOVE(to, &kept);
    return HSEL_OK;
}

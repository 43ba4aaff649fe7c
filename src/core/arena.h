/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arena: many small allocations that are freed together. hs_arena_reset keeps the blocks, so a
 * repeated task allocates only in its first round.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/mem.h"

typedef struct hs_arena_block hs_arena_block;

typedef struct hs_arena { /* zero-initialise */
    hs_arena_block *first;
    hs_arena_block *current;
} hs_arena;

/* 64-byte aligned, not zeroed; NULL when memory runs out. */
void *hs_arena_alloc(hs_arena *arena, size_t count, size_t size);
void *hs_arena_zero(hs_arena *arena, size_t count, size_t size);
char *hs_arena_text(hs_arena *arena, const char *text, size_t length);
/* Makes room for one more item at the end of a list in the arena; *capacity follows. False if
 * memory runs out (nothing is lost). */
bool hs_arena_grow(hs_arena *arena, void *list, size_t count, size_t *capacity, size_t size);
void hs_arena_reset(hs_arena *arena);
void hs_arena_clear(hs_arena *arena);

/* Allocates lists of an object, zeroed, in an arena or (NULL) one by one, for hs_free. False if
 * memory runs out.
 *     HS_NEED(HS_LISTS(&s->arena, s, HS_PART(s, mark, features), HS_PART(s, sum, classes))); */
#define HS_LISTS(arena, object, ...)                                                               \
    hs_new_lists((arena), (object), (const hs_block_list[]){__VA_ARGS__, {0, 0, 0}})
bool hs_new_lists(hs_arena *arena, void *object, const hs_block_list *lists);

#define HS_ARENA_NEW(arena, type, count) ((type *)hs_arena_alloc((arena), (count), sizeof(type)))

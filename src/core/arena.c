/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A chain of blocks; `current` is the one being filled, blocks after it are empty and kept for
 * reuse.
 */
#include "core/core.h"

#define FIRST_BLOCK ((size_t)4096)

struct hs_arena_block {
    hs_arena_block *next;
    char *bytes;
    size_t size, used;
};

/* From the current block, a kept one after it, or a new one. */
void *hs_arena_alloc(hs_arena *arena, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX - 64)
        return NULL;
    bytes = bytes ? (bytes + 63) / 64 * 64 : 64;
    hs_arena_block *block = arena->current;
    if (!block || block->size - block->used < bytes) {
        hs_arena_block **link = block ? &block->next : &arena->first;
        if (*link && (*link)->size >= bytes) {
            (*link)->used = 0;
        } else {
            size_t usual = block ? block->size * 2 : FIRST_BLOCK;
            hs_arena_block *fresh = hs_alloc(1, sizeof *fresh);
            if (!fresh)
                return NULL;
            *fresh = (hs_arena_block){.next = *link, .size = usual > bytes ? usual : bytes};
            if (!(fresh->bytes = hs_alloc_aligned(fresh->size, 1))) {
                hs_free(fresh);
                return NULL;
            }
            *link = fresh;
        }
        block = *link;
    }
    arena->current = block;
    block->used += bytes;
    return block->bytes + block->used - bytes;
}

void *hs_arena_zero(hs_arena *arena, size_t count, size_t size)
{
    void *out = hs_arena_alloc(arena, count, size);
    return out ? memset(out, 0, count * size) : NULL;
}

bool hs_new_lists(hs_arena *arena, void *object, const hs_block_list *lists)
{
    for (; lists->size; lists++) {
        void *list = arena ? hs_arena_zero(arena, lists->count, lists->size)
                           : hs_alloc_zero(lists->count, lists->size);
        if (!list)
            return false;
        memcpy((char *)object + lists->at, &list, sizeof list);
    }
    return true;
}

char *hs_arena_text(hs_arena *arena, const char *text, size_t length)
{
    char *copy = hs_arena_alloc(arena, length + 1, 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

bool hs_arena_grow(hs_arena *arena, void *list, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return true;
    void *old = hs_take(list), *more = hs_arena_zero(arena, 2 * *capacity + 16, size);
    if (more && count)
        memcpy(more, old, count * size);
    memcpy(list, more ? &more : &old, sizeof more);
    *capacity = more ? 2 * *capacity + 16 : *capacity;
    return more;
}

void hs_arena_reset(hs_arena *arena)
{
    arena->current = arena->first;
    if (arena->current)
        arena->current->used = 0;
}

void hs_arena_clear(hs_arena *arena)
{
    for (hs_arena_block *block = arena->first, *next; block; block = next) {
        next = block->next;
        hs_free_aligned(block->bytes);
        hs_free(block);
    }
    *arena = (hs_arena){0};
}

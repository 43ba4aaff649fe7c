/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one allocator of the library: overflow-checked, and replaceable in tests so that every
 * allocation can be made to fail in turn (tests/support/oom.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* NULL on overflow of count * size or when memory runs out. Zero elements give a valid pointer. */
void *hs_alloc(size_t count, size_t size);
void *hs_alloc_zero(size_t count, size_t size);
/* 64-byte aligned and zeroed, rounded up to whole 64-byte blocks: for bit columns, and for anything
 * large, which gets huge pages where the system has them. Free it with hs_free_aligned. */
void *hs_alloc_aligned(size_t count, size_t size);
void hs_free_aligned(void *block);
/* On failure NULL, and the old block stays valid. */
void *hs_realloc(void *block, size_t count, size_t size);
void hs_free(void *block);
/* HS_FREE(a, b, c): all of them. */
void hs_free_all(void *const *blocks, size_t count);
#define HS_FREE(...)                                                                               \
    hs_free_all((void *[]){__VA_ARGS__}, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))
void *hs_copy(const void *from, size_t count, size_t size);
uint32_t *hs_new_none(size_t count); /* each of them HSEL_NONE */
/* For zlib. */
void *hs_alloc_zlib(void *unused, unsigned count, unsigned size);
void hs_free_zlib(void *unused, void *block);
char *hs_strdup(const char *text);
char *hs_strndup(const char *text, size_t length);

/* Local variables that are released when their block is left:
 *     HS_OWNED uint32_t *order = HS_NEW(uint32_t, n);     a pointer from this allocator
 *     HS_OWNS(hs_buf_clear) hs_buf text = {0};            a structure, by its own clear
 *     HS_OWNS(hs_dag_release) hsel_dag *dag = NULL;       a pointer to an object: HS_RELEASE
 * Each is initialised where it is declared. hs_take hands it on: `*out = hs_take(&dag);`. */
#define HS_OWNS(clear) __attribute__((cleanup(clear)))
#define HS_OWNED       HS_OWNS(hs_free_variable)
static inline void *hs_take(void *variable)
{
    void *taken, *none = NULL;
    memcpy(&taken, variable, sizeof taken);
    memcpy(variable, &none, sizeof none);
    return taken;
}
/* HS_MOVE(to, from): *to becomes *from, which is empty then. */
static inline void hs_move(void *to, void *from, size_t size)
{
    memcpy(to, from, size);
    memset(from, 0, size);
}
#define HS_MOVE(to, from) hs_move((to), (from), sizeof(*(to) = *(from)))
static inline void hs_free_variable(void *variable) { hs_free(hs_take(variable)); }
/* Defines `name`, which HS_OWNS takes, from a function that frees an object by its address. */
#define HS_RELEASE(name, type, free_function)                                                      \
    static inline void name(type **variable) { free_function(*variable); }

#define HS_MEGABYTE 1048576.0 /* of limits that users give */

#define HS_NEW(type, count)      ((type *)hs_alloc((count), sizeof(type)))
#define HS_NEW_ZERO(type, count) ((type *)hs_alloc_zero((count), sizeof(type)))

/* An object and the lists that it points to in one block of zeros, which hs_free frees:
 *     struct scratch *s = HS_BLOCK(s, HS_PART(s, mark, features), HS_PART(s, sum, classes)); */
typedef struct hs_block_list {
    size_t at, size, count; /* where the object has the address; of a list */
} hs_block_list;
#define HS_PART(object, list, number)                                                              \
    {                                                                                              \
        offsetof(__typeof__(*(object)), list), sizeof *(object)->list, (number)                    \
    }
#define HS_BLOCK(object, ...)                                                                      \
    hs_block_new(sizeof *(object), (const hs_block_list[]){__VA_ARGS__, {0, 0, 0}})
void *hs_block_new(size_t object,
                   const hs_block_list *parts); /* to one of size 0; NULL: no memory */

/* Grows *block so that it holds at least `need` elements; *capacity follows. False if memory runs
 * out (nothing is lost). Growth is by half, so appending is amortised O(1). */
bool hs_grow_bytes(void **block, size_t *capacity, size_t need, size_t size);
#define HS_GROW(block, capacity, need)                                                             \
    ((need) <= *(capacity) ||                                                                      \
     hs_grow_bytes((void **)(block), (capacity), (need), sizeof(**(block))))

/* Gives whole pages of a block back to the system before it is freed; they are zeros then. */
void hs_discard(char *from, const char *to);

/* Available memory in bytes: the limit that was set, else HSEL_MEMORY in the environment
 * (megabytes, or any), else that of the system: available memory, limits of control groups and of
 * the process. INFINITY: no limit known. */
double hs_memory_there(void);
void hs_memory_set(double bytes); /* 0: ask the system again */
bool hs_memory_is_limited(void);  /* it is set, or in the environment */

/* Tests only: `allow` is called before each allocation and may refuse it. NULL removes it. */
typedef bool (*hs_allow_function)(void *context, size_t bytes);
void hs_mem_hook(hs_allow_function allow, void *context);

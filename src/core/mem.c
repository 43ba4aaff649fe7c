/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The checked allocator. Every byte of the library's own memory comes through here.
 */
#define _DEFAULT_SOURCE /* madvise */
#include "core/core.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define HUGE_PAGE ((size_t)2 << 20)

static hs_allow_function allow_hook;
static void *allow_context;

void hs_mem_hook(hs_allow_function allow, void *context)
{
    allow_hook = allow;
    allow_context = context;
}

/* Product of count and size into *bytes (at least 1); false when it overflows or is refused. */
static bool bytes_for(size_t count, size_t size, size_t *bytes)
{
    if (__builtin_mul_overflow(count, size, bytes) || *bytes > PTRDIFF_MAX - 4 * HUGE_PAGE)
        return false;
    if (*bytes == 0)
        *bytes = 1;
    return !allow_hook || allow_hook(allow_context, *bytes);
}

void *hs_alloc(size_t count, size_t size)
{
    size_t bytes;
    return bytes_for(count, size, &bytes) ? malloc(bytes) : NULL;
}

void *hs_alloc_zero(size_t count, size_t size)
{
    size_t bytes;
    return bytes_for(count, size, &bytes) ? calloc(1, bytes) : NULL;
}

/* From calloc, which need not touch fresh pages; its own address lies before the aligned one. Asks
 * for huge pages: touching memory for the first time, 4 KB at a time, can cost more than the work
 * that is done on it. Used only for memory that is needed anyway: a last part of less than half a
 * huge page keeps to small ones. */
void *hs_alloc_aligned(size_t count, size_t size)
{
    size_t bytes;
    if (!bytes_for(count, size, &bytes))
        return NULL;
    size_t step = bytes < HUGE_PAGE ? 64 : HUGE_PAGE;
    size_t huge = bytes < HUGE_PAGE ? 0 : (bytes + HUGE_PAGE / 2) / HUGE_PAGE * HUGE_PAGE;
    size_t room = huge > bytes ? huge : (bytes + 63) / 64 * 64;
    char *block = calloc(1, room + sizeof(void *) + step - 1);
    if (!block)
        return NULL;
    void **aligned = (void **)(((uintptr_t)block + sizeof(void *) + step - 1) / step * step);
#ifdef MADV_HUGEPAGE /* where there are no huge pages, nothing is lost */
    if (huge)
        (void)madvise(aligned, huge, MADV_HUGEPAGE);
#endif
    aligned[-1] = block;
    return aligned;
}

void hs_free_aligned(void *block)
{
    if (block)
        free(((void **)block)[-1]);
}

void hs_discard(char *from, const char *to)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t skipped = (page - (uintptr_t)from % page) % page;
    const uintptr_t length = (uintptr_t)(to - from);
    if (skipped < length) /* advice: if it is not taken, nothing is lost */
        madvise(from + skipped, (length - skipped) / page * page, MADV_DONTNEED);
}

void *hs_realloc(void *block, size_t count, size_t size)
{
    size_t bytes;
    return bytes_for(count, size, &bytes) ? realloc(block, bytes) : NULL;
}

void hs_free(void *block) { free(block); }

void hs_free_all(void *const *blocks, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(blocks[i]);
}

void *hs_alloc_zlib(void *unused, unsigned count, unsigned size)
{
    (void)unused;
    return hs_alloc(count, size);
}

void hs_free_zlib(void *unused, void *block)
{
    (void)unused;
    hs_free(block);
}

void *hs_copy(const void *from, size_t count, size_t size)
{
    void *copy = hs_alloc(count, size);
    return copy && count ? memcpy(copy, from, count * size) : copy;
}

uint32_t *hs_new_none(size_t count)
{
    uint32_t *numbers = HS_NEW(uint32_t, count);
    return numbers && count ? memset(numbers, 0xff, count * sizeof *numbers) : numbers;
}

/* Each list begins at a multiple of 8. */
void *hs_block_new(size_t object, const hs_block_list *parts)
{
    size_t total = (object + 7) / 8 * 8, bytes;
    for (const hs_block_list *part = parts; part->size; part++)
        if (__builtin_mul_overflow(part->count, part->size, &bytes) || bytes > PTRDIFF_MAX - 8 ||
            __builtin_add_overflow(total, (bytes + 7) / 8 * 8, &total))
            return NULL;
    char *block = hs_alloc_zero(1, total), *next = block + (object + 7) / 8 * 8;
    for (const hs_block_list *part = parts; block && part->size; part++) {
        memcpy(block + part->at, &next, sizeof next);
        next += (part->count * part->size + 7) / 8 * 8;
    }
    return block;
}

char *hs_strndup(const char *text, size_t length)
{
    char *copy = hs_alloc(length + 1, 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

char *hs_strdup(const char *text) { return hs_strndup(text, strlen(text)); }

bool hs_grow_bytes(void **block, size_t *capacity, size_t need, size_t size)
{
    size_t wanted = *capacity + *capacity / 2;
    wanted = wanted < need ? need : wanted;
    wanted = wanted < 16 ? 16 : wanted;
    void *grown = hs_realloc(*block, wanted, size);
    if (!grown)
        return false;
    *block = grown;
    *capacity = wanted;
    return true;
}

/* ---- available memory ---- */

static double memory_set;

void hs_memory_set(double bytes) { memory_set = bytes; }

bool hs_memory_is_limited(void) { return memory_set > 0 || getenv("HSEL_MEMORY"); }

/* The number after `key` in a file of lines "key number …", or its first number if key is "". NaN:
 * not found, or not a number ("max" in control groups). */
static double number_in(const char *path, const char *key)
{
    char line[256];
    double found = (double)NAN;
    FILE *file = fopen(path, "re");
    while (file && isnan(found) && fgets(line, sizeof line, file))
        if (strncmp(line, key, strlen(key)) == 0 && sscanf(line + strlen(key), "%lf", &found) != 1)
            found = (double)NAN;
    if (file)
        fclose(file);
    return found;
}

/* What the control group of this process, and those above it, still allow. Unused pages of files
 * are reclaimed when memory is needed. */
static double left_to_group(void)
{
    char line[1024] = "", path[1200];
    double least = (double)INFINITY;
    FILE *file = fopen("/proc/self/cgroup", "re");
    bool unified = false;
    while (file && !unified && fgets(line, sizeof line, file))
        unified = strncmp(line, "0::", 3) == 0;
    if (file)
        fclose(file);
    if (!unified)
        strcpy(line, "0::/");
    line[strcspn(line, "\n")] = '\0';
    for (char *end = line + strlen(line); end >= line + 3; end--) {
        if (*end != '/' && *end != '\0')
            continue;
        *end = '\0';
        snprintf(path, sizeof path, "/sys/fs/cgroup%s/memory.max", line + 3);
        double limit = number_in(path, "");
        snprintf(path, sizeof path, "/sys/fs/cgroup%s/memory.current", line + 3);
        double used = number_in(path, "");
        snprintf(path, sizeof path, "/sys/fs/cgroup%s/memory.stat", line + 3);
        double unused = number_in(path, "inactive_file ");
        if (!isnan(limit) && !isnan(used))
            least = fmin(least, fmax(0, limit - used + (isnan(unused) ? 0 : unused)));
    }
    return least;
}

double hs_memory_there(void)
{
    const char *given = getenv("HSEL_MEMORY");
    struct rlimit limit;
    if (memory_set > 0)
        return memory_set;
    if (given)
        return strtod(given, NULL) > 0 ? strtod(given, NULL) * HS_MEGABYTE : (double)INFINITY;
    double available = number_in("/proc/meminfo", "MemAvailable:") * 1024,
           mapped = number_in("/proc/self/statm", "") * (double)sysconf(_SC_PAGESIZE),
           least = left_to_group();
    least = isnan(available) ? least : fmin(least, available);
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && !isnan(mapped))
        least = fmin(least, fmax(0, (double)limit.rlim_cur - mapped));
    return least;
}

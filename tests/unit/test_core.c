/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * core: allocation, arena, error object.
 */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "core/arena.h"
#include "core/mem.h"
#include "core/progress.h"
#include "support/cmocka.h"
#include "support/oom.h"

static void test_alloc_checks_sizes(void **state)
{
    (void)state;
    assert_null(hs_alloc(SIZE_MAX / 2, 3));
    assert_null(hs_alloc_zero(SIZE_MAX, SIZE_MAX));
    assert_null(hs_alloc_aligned(SIZE_MAX, 1)); /* rounding up overflows */
    assert_null(hs_alloc_aligned(SIZE_MAX / 8, 16));
    void *empty = hs_alloc(0, 8);
    assert_non_null(empty);
    void *same = hs_realloc(empty, SIZE_MAX / 2, 4);
    assert_null(same);
    hs_free(empty); /* still ours */
    hs_free(NULL);
    char *copy = hs_strndup("abcdef", 3);
    assert_string_equal(copy, "abc");
    hs_free(copy);
    copy = hs_strdup("");
    assert_string_equal(copy, "");
    hs_free(copy);
}

static void test_aligned_is_zero_to_the_end(void **state)
{
    (void)state;
    for (size_t count = 1; count < 200; count += 7) {
        unsigned char *block = hs_alloc_aligned(count, 1);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % 64, 0);
        for (size_t i = 0; i < (count + 63) / 64 * 64; i++)
            assert_int_equal(block[i], 0);
        hs_free_aligned(block);
    }
}

/* Around whole and half huge pages. */
static void test_large_is_zero_to_the_end(void **state)
{
    const size_t page = (size_t)2 << 20;
    (void)state;
    for (size_t halves = 1; halves < 6; halves++)
        for (size_t bytes = halves * page / 2 - 1; bytes <= halves * page / 2 + 1; bytes++) {
            unsigned char *block = hs_alloc_aligned(bytes, 1);
            assert_non_null(block);
            assert_int_equal((uintptr_t)block % (bytes < page ? 64 : page), 0);
            assert_true(block[0] == 0 && memcmp(block, block + 1, bytes - 1) == 0);
            memset(block, 0xff, (bytes + 63) / 64 * 64); /* it is ours */
            hs_free_aligned(block);
        }
}

static void test_grow(void **state)
{
    (void)state;
    uint32_t *items = NULL;
    size_t capacity = 0, moves = 0;
    for (uint32_t i = 0; i < 100000; i++) {
        size_t before = capacity;
        assert_true(HS_GROW(&items, &capacity, (size_t)i + 1));
        moves += capacity != before;
        items[i] = i;
    }
    for (uint32_t i = 0; i < 100000; i++)
        assert_int_equal(items[i], i);
    assert_true(moves < 40); /* amortised */
    size_t before = capacity;
    assert_false(HS_GROW(&items, &capacity, SIZE_MAX / 2));
    assert_int_equal(capacity, before);
    assert_int_equal(items[99999], 99999);
    hs_free(items);
}

static void test_arena(void **state)
{
    (void)state;
    hs_arena arena = {0};
    unsigned char *blocks[200];
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < 200; i++) {
            blocks[i] = hs_arena_zero(&arena, 1 + i * 97, 1);
            assert_non_null(blocks[i]);
            assert_int_equal((uintptr_t)blocks[i] % 64, 0);
            for (size_t k = 0; k < 1 + i * 97; k++)
                assert_int_equal(blocks[i][k], 0);
            memset(blocks[i], (int)i, 1 + i * 97);
        }
        for (size_t i = 0; i < 200; i++) /* none overlaps another */
            assert_true(blocks[i][0] == i && blocks[i][i * 97] == i);
        hs_arena_reset(&arena);
    }
    char *text = hs_arena_text(&arena, "hello", 4);
    assert_string_equal(text, "hell");
    assert_null(hs_arena_alloc(&arena, SIZE_MAX / 2, 4));
    assert_null(hs_arena_alloc(&arena, SIZE_MAX - 10, 1));
    assert_non_null(hs_arena_alloc(&arena, 10, 1));
    hs_arena_reset(&arena);
    hs_arena_clear(&arena);
    hs_arena_clear(&arena);
}

static bool count_calls(void *context, size_t bytes)
{
    (void)bytes;
    ++*(size_t *)context;
    return true;
}

static void test_arena_keeps_blocks(void **state)
{
    (void)state;
    hs_arena arena = {0};
    size_t calls[3] = {0};
    for (int round = 0; round < 3; round++) {
        hs_mem_hook(count_calls, &calls[round]);
        for (int i = 0; i < 1000; i++)
            assert_non_null(hs_arena_alloc(&arena, 1000, 8));
        hs_mem_hook(NULL, NULL);
        hs_arena_reset(&arena);
    }
    assert_true(calls[0] > 0);
    assert_int_equal(calls[1], 0);
    assert_int_equal(calls[2], 0);
    hs_arena_clear(&arena);
}

static int fill_arena(void *context, hsel_error *error)
{
    (void)context;
    hs_arena arena = {0};
    int status = HSEL_OK;
    for (size_t i = 1; i < 40 && !status; i++)
        if (!hs_arena_alloc(&arena, i * 5000, 1))
            status = hs_fail_memory(error);
    hs_arena_clear(&arena);
    return status;
}

static void test_arena_out_of_memory(void **state)
{
    (void)state;
    assert_true(hs_oom_each("arena", fill_arena, NULL) > 1);
}

static void test_error(void **state)
{
    (void)state;
    hsel_error error;
    assert_int_equal(hs_fail(&error, HSEL_EUSAGE, "no %s", "way"), HSEL_EUSAGE);
    assert_string_equal(error.message, "no way");
    assert_int_equal(error.code, HSEL_EUSAGE);
    assert_string_equal(error.file, "");
    assert_int_equal(error.line, 0);
    assert_int_equal(
        hs_fail_at(&error, HSEL_EFORMAT, "a.obo", 118, "is_a names unknown term %s", "GO:1"),
        HSEL_EFORMAT);
    assert_string_equal(error.message, "a.obo:118: is_a names unknown term GO:1");
    assert_string_equal(error.file, "a.obo");
    assert_int_equal(error.line, 118);
    assert_int_equal(hs_fail_at(&error, HSEL_EFORMAT, "a.obo", 0, "empty"), HSEL_EFORMAT);
    assert_string_equal(error.message, "a.obo: empty");
    errno = ENOENT;
    assert_int_equal(hs_fail_errno(&error, "x/y", "open"), HSEL_EIO);
    assert_string_equal(error.message, "x/y: cannot open: No such file or directory");
    assert_int_equal(hs_fail_memory(&error), HSEL_ENOMEM);
    assert_string_not_equal(error.message, "");
    hs_error_clear(&error);
    assert_string_equal(error.message, "");
    assert_int_equal(error.code, 0);
    assert_int_equal(hs_fail(NULL, HSEL_EIO, "nobody listens"), HSEL_EIO);
    assert_int_equal(hs_fail_at(NULL, HSEL_EIO, "f", 1, "nobody listens"), HSEL_EIO);
    assert_int_equal(hs_fail_memory(NULL), HSEL_ENOMEM);
    hs_error_clear(NULL);
}

static void test_error_is_one_line(void **state)
{
    (void)state;
    hsel_error error;
    char text[5000];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    text[3] = '\n';
    text[4] = '\x1b';
    text[5] = '\t';
    hs_fail(&error, HSEL_EFORMAT, "bad name '%s'", text);
    assert_true(strlen(error.message) < sizeof error.message);
    assert_memory_equal(error.message, "bad name 'aaa\\x0a\\x1b\\x09aaa", 28);
    hs_fail_at(&error, HSEL_EFORMAT, text, 7, "x");
    assert_null(strpbrk(error.message, "\n\x1b\t"));
    assert_true(strlen(error.file) < sizeof error.file);
    hs_fail(&error, HSEL_EFORMAT, "unknown term '%s'", "\u03b2-catenin"); /* other letters stay */
    assert_string_equal(error.message, "unknown term '\u03b2-catenin'");
}

static int stop_at_five(void *context, uint64_t done, uint64_t total, const char *what)
{
    (void)what;
    *(uint64_t *)context = total;
    return done >= 5;
}

static void test_progress(void **state)
{
    (void)state;
    hsel_error error = {0};
    uint64_t total = 0;
    hs_progress progress = {stop_at_five, &total};
    assert_int_equal(hs_progress_report(NULL, 5, 10, "work", &error), HSEL_OK);
    assert_int_equal(hs_progress_report(&progress, 4, 10, "work", &error), HSEL_OK);
    assert_int_equal(total, 10);
    assert_int_equal(hs_progress_report(&progress, 5, 10, "work", &error), HSEL_ECANCELLED);
    assert_int_equal(error.code, HSEL_ECANCELLED);
}

/* An object with its lists: zeros, each list aligned and apart; what overflows is refused. */
static void test_blocks(void **state)
{
    struct object {
        uint8_t *odd;
        uint64_t *words;
        uint32_t *none;
        double *last;
    } *object = HS_BLOCK(object, HS_PART(object, odd, 3), HS_PART(object, words, 2),
                         HS_PART(object, none, 0), HS_PART(object, last, 1));
    (void)state;
    assert_non_null(object);
    assert_true((uintptr_t)object->words % 8 == 0 && (uintptr_t)object->last % 8 == 0);
    assert_ptr_equal(object->odd, object + 1);
    assert_true(object->words >= (uint64_t *)(object->odd + 3));
    assert_true((char *)object->last >= (char *)(object->words + 2));
    assert_true(object->words[1] == 0 && object->last[0] == 0);
    memset(object->odd, 0xff, 3);
    object->last[0] = 1;
    assert_true(object->words[0] == 0 && object->words[1] == 0);
    hs_free(object);
    object = HS_BLOCK(object, HS_PART(object, odd, 1), HS_PART(object, words, SIZE_MAX / 8));
    assert_null(object);
    object = HS_BLOCK(object, HS_PART(object, words, SIZE_MAX));
    assert_null(object);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_blocks),
                                       cmocka_unit_test(test_alloc_checks_sizes),
                                       cmocka_unit_test(test_aligned_is_zero_to_the_end),
                                       cmocka_unit_test(test_large_is_zero_to_the_end),
                                       cmocka_unit_test(test_grow),
                                       cmocka_unit_test(test_arena),
                                       cmocka_unit_test(test_arena_keeps_blocks),
                                       cmocka_unit_test(test_arena_out_of_memory),
                                       cmocka_unit_test(test_error),
                                       cmocka_unit_test(test_error_is_one_line),
                                       cmocka_unit_test(test_progress)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

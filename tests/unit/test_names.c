/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * core/names.c against a linear search.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/names.h"
#include "core/random.h"
#include "support/cmocka.h"
#include "support/oom.h"

static void test_intern_against_linear_search(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_names names = {0};
    static char known[5000][8];
    uint32_t count = 0;
    hs_stream stream;
    hs_stream_init(&stream, 1, "test", 0, 0);
    for (int i = 0; i < 10000; i++) {
        char text[8] = "";
        for (size_t k = hs_random_below(&stream, 5); k > 0; k--)
            text[k - 1] = (char)('a' + hs_random_below(&stream, 4));
        uint32_t expected = 0, id;
        while (expected < count && strcmp(known[expected], text) != 0)
            expected++;
        bool added;
        if (i % 2)
            assert_int_equal(hs_names_find(&names, text, strlen(text)),
                             expected < count ? expected : HSEL_NONE);
        assert_ok(hs_names_intern(&names, text, strlen(text), &id, &added, &error), error);
        assert_int_equal(id, expected);
        assert_int_equal(added, expected == count);
        if (added)
            strcpy(known[count++], text);
    }
    assert_int_equal(names.count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_string_equal(hs_names_get(&names, i), known[i]);
        assert_int_equal(hs_names_length(&names, i), strlen(known[i]));
    }
    hs_names_clear(&names);
    assert_int_equal(names.count, 0);
    hs_names_clear(&names);
}

static void test_append_repeats(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_names names = {0};
    static const char *const texts[] = {"b", "a", "b", "", "a"};
    for (size_t i = 0; i < 5; i++)
        assert_ok(hs_names_append(&names, texts[i], strlen(texts[i]), &error), error);
    assert_int_equal(names.count, 5);
    assert_ok(hs_names_index(&names, &error), error);
    assert_ok(hs_names_index(&names, &error), error);
    assert_int_equal(hs_names_find(&names, "b", 1), 0);
    assert_int_equal(hs_names_find(&names, "a", 1), 1);
    assert_int_equal(hs_names_find(&names, "", 0), 3);
    assert_int_equal(hs_names_find(&names, "c", 1), HSEL_NONE);
    assert_int_equal(hs_names_find(&names, "bb", 1), 0); /* length counts */
    hs_names_clear(&names);
}

static void test_copy_and_subset(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_names names = {0}, copy = {0}, part = {0};
    bool keep[100];
    for (int i = 0; i < 100; i++) {
        char text[16];
        snprintf(text, sizeof text, "n%d", i);
        uint32_t id;
        assert_ok(hs_names_intern(&names, text, strlen(text), &id, NULL, &error), error);
        keep[i] = i % 3 == 0;
    }
    assert_ok(hs_names_copy(&names, &copy, &error), error);
    assert_ok(hs_names_subset(&names, keep, &part, &error), error);
    hs_names_clear(&names);
    assert_int_equal(copy.count, 100);
    assert_string_equal(hs_names_get(&copy, 99), "n99");
    assert_int_equal(part.count, 34);
    for (uint32_t i = 0; i < 34; i++)
        assert_int_equal(atoi(hs_names_get(&part, i) + 1), 3 * i);
    assert_ok(hs_names_index(&part, &error), error);
    assert_int_equal(hs_names_find(&part, "n6", 2), 2);
    assert_int_equal(hs_names_find(&part, "n7", 2), HSEL_NONE);
    hs_names_clear(&copy);
    hs_names_clear(&part);
    assert_ok(hs_names_copy(&names, &copy, &error), error); /* of nothing */
    assert_int_equal(copy.count, 0);
    hs_names_clear(&copy);
}

static void test_limit(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_names names = {0};
    size_t length = HS_NAME_LIMIT + 1;
    char *text = malloc(length);
    assert_non_null(text);
    memset(text, 'a', length);
    uint32_t id;
    assert_ok(hs_names_intern(&names, text, HS_NAME_LIMIT, &id, NULL, &error), error);
    assert_int_equal(hs_names_intern(&names, text, length, &id, NULL, &error), HSEL_ELIMIT);
    assert_int_equal(hs_names_append(&names, text, length, &error), HSEL_ELIMIT);
    assert_int_equal(names.count, 1);
    free(text);
    hs_names_clear(&names);
}

static int work(void *context, hsel_error *error)
{
    (void)context;
    hs_names names = {0}, list = {0}, copy = {0}, part = {0};
    bool keep[200];
    int status = HSEL_OK;
    for (int i = 0; i < 200 && !status; i++) {
        char text[32];
        snprintf(text, sizeof text, "a longer name %d", i % 150);
        uint32_t id;
        keep[i] = i % 2;
        if (!(status = hs_names_intern(&names, text, strlen(text), &id, NULL, error)))
            status = hs_names_append(&list, text, strlen(text), error);
    }
    if (!status && !(status = hs_names_copy(&names, &copy, error)) &&
        !(status = hs_names_index(&list, error)))
        status = hs_names_subset(&list, keep, &part, error);
    hs_names_clear(&names);
    hs_names_clear(&list);
    hs_names_clear(&copy);
    hs_names_clear(&part);
    return status;
}

/* A refused addition must leave the list as it was: the same name can be added later. */
static bool refuse(void *context, size_t bytes)
{
    (void)context;
    (void)bytes;
    return false;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    assert_true(hs_oom_each("names", work, NULL) > 5);
    hs_names names = {0};
    hsel_error error = {0};
    uint32_t id, tried = 0;
    for (uint32_t i = 0; i < 500; i++) {
        char text[32];
        snprintf(text, sizeof text, "name %u", i);
        uint32_t before = names.count;
        hs_mem_hook(refuse, NULL);
        int status = hs_names_intern(&names, text, strlen(text), &id, NULL, &error);
        hs_mem_hook(NULL, NULL);
        if (status) {
            tried++;
            assert_int_equal(status, HSEL_ENOMEM);
            assert_int_equal(names.count, before);
            assert_ok(hs_names_intern(&names, text, strlen(text), &id, NULL, &error), error);
        }
        assert_int_equal(id, i);
        assert_int_equal(hs_names_find(&names, text, strlen(text)), i);
    }
    assert_true(tried > 3);
    assert_int_equal(hs_names_find(&names, "name 0", 6), 0);
    hs_names_clear(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_intern_against_linear_search), cmocka_unit_test(test_append_repeats),
        cmocka_unit_test(test_copy_and_subset), cmocka_unit_test(test_limit),
        cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * core/json.c: what it writes is what jansson reads, for random documents and for every byte.
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/json.h"
#include "core/random.h"
#include "support/cmocka.h"
#include "support/normal.h"

static json_t *finish(hs_writer *writer, hs_buf *buf)
{
    hsel_error error = {0};
    json_error_t where;
    assert_ok(hs_writer_commit(writer, &error), error);
    json_t *read =
        json_loadb(buf->text, buf->length, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &where);
    if (!read)
        fail_msg("line %d: %s in\n%s", where.line, where.text, buf->text);
    return read;
}

static hs_writer *start(hs_buf *buf)
{
    hsel_error error = {0};
    hs_writer *writer = NULL;
    assert_ok(hs_writer_open_memory(buf, &writer, &error), error);
    return writer;
}

/* Writes a random value and makes the same one with jansson. */
static json_t *random_value(hs_stream *stream, hs_json *json, int depth)
{
    switch (hs_random_below(stream, depth > 4 ? 5 : 7)) {
    case 0: {
        bool value = hs_random_below(stream, 2);
        hs_json_put(json, "%d", value);
        return json_boolean(value);
    }
    case 1: {
        uint64_t value = hs_random_u64(stream) >> hs_random_below(stream, 64) >> 1;
        hs_json_u64(json, value);
        return json_integer((json_int_t)value);
    }
    case 2: {
        double value = hs_random_normal(stream) + 0.1;
        hs_json_double(json, value);
        return json_real(value);
    }
    case 3: {
        static const char *const texts[] = {
            "",          "a", "\"", "\\", "a\nb\tc\r", "\x01\x1f", "\u00e9\u4e2d\U0001f9ec",
            "</script>", "'"};
        const char *text = texts[hs_random_below(stream, 9)];
        hs_json_text(json, text);
        return json_string(text);
    }
    case 4:
        hs_json_text(json, NULL);
        return json_null();
    case 5: {
        json_t *array = json_array();
        hs_json_array(json);
        for (uint64_t i = hs_random_below(stream, 5); i > 0; i--)
            json_array_append_new(array, random_value(stream, json, depth + 1));
        hs_json_end_array(json);
        return array;
    }
    default: {
        json_t *object = json_object();
        char key[] = "a\"";
        hs_json_object(json);
        for (uint64_t i = hs_random_below(stream, 5); i > 0; i--, key[0]++) {
            hs_json_key(json, key);
            json_object_set_new(object, key, random_value(stream, json, depth + 1));
        }
        hs_json_end_object(json);
        return object;
    }
    }
}

static void test_random_documents(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "test", 0, 0);
    for (int i = 0; i < 3000; i++) {
        hs_buf buf = {0};
        hs_json json = {.out = start(&buf)};
        json_t *expected = random_value(&stream, &json, 0), *read = finish(json.out, &buf);
        if (!json_equal(expected, read))
            fail_msg("not the same:\n%s", buf.text);
        json_decref(expected);
        json_decref(read);
        hs_buf_clear(&buf);
    }
}

static void test_numbers(void **state)
{
    (void)state;
    hs_buf buf = {0};
    hs_json json = {.out = start(&buf)};
    hs_json_array(&json);
    hs_json_double(&json, 0.1);
    hs_json_double(&json, NAN);
    hs_json_double(&json, -INFINITY);
    hs_json_double(&json, 5e-324);
    hs_json_text(&json, NULL);
    hs_json_end_array(&json);
    json_t *read = finish(json.out, &buf);
    assert_int_equal(json_array_size(read), 5);
    assert_true(json_number_value(json_array_get(read, 0)) == 0.1);
    assert_true(json_is_null(json_array_get(read, 1)));
    assert_true(json_is_null(json_array_get(read, 2)));
    assert_true(json_number_value(json_array_get(read, 3)) == 5e-324);
    assert_true(json_is_null(json_array_get(read, 4)));
    json_decref(read);
    hs_buf_clear(&buf);
}

/* Text that is not UTF-8 (cut, overlong, surrogates, stray bytes) still gives valid JSON. */
static void test_bad_utf8(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "\x80",         "a\xff",        "\xc3",         "\xc3(",
        "\xe4\xb8",     "\xc0\xaf",     "\xed\xa0\x80", "\xf4\x90\x80\x80",
        "\xf0\x9f\xa7", "\xe0\x80\x80", "x\xe4\xb8y"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hs_buf buf = {0};
        hs_json json = {.out = start(&buf)};
        hs_json_text(&json, cases[i]);
        json_t *read = finish(json.out, &buf);
        assert_non_null(strstr(json_string_value(read), "\xef\xbf\xbd"));
        json_decref(read);
        hs_buf_clear(&buf);
    }
    hs_stream stream;
    hs_stream_init(&stream, 2, "test", 0, 0);
    for (int i = 0; i < 5000; i++) {
        char text[12] = "";
        for (uint64_t k = hs_random_below(&stream, 11); k > 0; k--)
            text[k - 1] = (char)(1 + hs_random_below(&stream, 255));
        hs_buf buf = {0};
        hs_json json = {.out = start(&buf)};
        hs_json_text(&json, text);
        json_decref(finish(json.out, &buf));
        hs_buf_clear(&buf);
    }
}

/* An outline with every kind of value, in two pieces, says what the single calls do. */
static void test_outline(void **state)
{
    (void)state;
    hs_buf buf = {0};
    hs_json json = {.out = start(&buf)};
    const char *volatile none = NULL; /* the compiler would refuse one that it knows */
    hs_json_put(&json, "{text:%s none:%s also:null %s:%d off:%d list:[%u %zu", "a \"b\"", none,
                "k:", true, false, 7U, SIZE_MAX >> 1);
    hs_json_put(&json, "%ju %g] empty:{} inner:{share:%g}}", (uintmax_t)INT64_MAX, 0.1,
                (double)NAN);
    json_t *read = finish(json.out, &buf);
    json_t *expected =
        json_pack("{s:s, s:n, s:n, s:b, s:b, s:[i, I, I, f], s:{}, s:{s:n}}", "text", "a \"b\"",
                  "none", "also", "k:", 1, "off", 0, "list", 7, (json_int_t)(SIZE_MAX >> 1),
                  (json_int_t)INT64_MAX, 0.1, "empty", "inner", "share");
    assert_non_null(expected);
    assert_true(json_equal(expected, read));
    json_decref(expected);
    json_decref(read);
    hs_buf_clear(&buf);
}

/* Texts of DOT: nothing in them means anything to Graphviz. */
static void test_dot(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", ""},
        {" \t ", "   "},
        {"regulation  of cell cycle", "regulation  of cell cycle"},
        {"a \"b\" \\N \\", "a \\\"b\\\" \\\\N \\\\"},
        {"&lt;<b>", "&amp;lt;<b>"},
        {"\x1b[1m\x7f\xff\n\xc2\x9b", " [1m\\\\x7f\\\\xff \\\\u009b"},
        {"ääääääääääääääääääääö", "ääääääääääääääääääääö"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hs_buf whole = {0};
        hsel_error error = {0};
        hs_writer *out = start(&whole);
        hs_put_dot(out, cases[i][0]);
        assert_ok(hs_writer_commit(out, &error), error);
        assert_string_equal(whole.text ? whole.text : "", cases[i][1]);
        hs_buf_clear(&whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_documents),
                                       cmocka_unit_test(test_numbers),
                                       cmocka_unit_test(test_bad_utf8),
                                       cmocka_unit_test(test_outline), cmocka_unit_test(test_dot)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

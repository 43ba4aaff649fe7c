/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * core/reader.c: lines from memory and files, plain and packed, whole and broken.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "core/random.h"
#include "core/reader.h"
#include "core/text.h"
#include "support/cmocka.h"
#include "support/oom.h"

/* One gzip member of the text, appended. */
static void pack(hs_buf *out, const char *text, size_t length)
{
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    size_t room = deflateBound(&z, length) + 32;
    unsigned char *packed = malloc(room);
    assert_non_null(packed);
    z.next_in = (unsigned char *)(uintptr_t)text;
    z.avail_in = (unsigned)length;
    z.next_out = packed;
    z.avail_out = (unsigned)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    hs_buf_add(out, (char *)packed, z.total_out);
    assert_false(out->failed);
    deflateEnd(&z);
    free(packed);
}

static hs_reader *open_memory(const void *data, size_t length)
{
    hsel_error error = {0};
    hs_reader *reader = NULL;
    assert_ok(hs_reader_open_memory("mem", data, length, &reader, &error), error);
    return reader;
}

/* All lines, each followed by '|'. */
static void check_lines(const void *data, size_t length, const char *expected)
{
    hsel_error error = {0};
    hs_reader *reader = open_memory(data, length);
    hs_buf got = {0};
    char *line;
    size_t size;
    int status;
    unsigned long number = 0;
    while ((status = hs_reader_line(reader, &line, &size, &error)) == 1) {
        assert_int_equal(strlen(line), size);
        assert_int_equal(hs_reader_line_number(reader), ++number);
        hs_buf_add(&got, line, size);
        hs_buf_char(&got, '|');
        memset(line, '#', size); /* it is ours */
    }
    assert_ok(status, error);
    assert_int_equal(hs_reader_line(reader, &line, &size, &error), 0); /* the end stays the end */
    assert_string_equal(got.text ? got.text : "", expected);
    hs_buf_clear(&got);
    hs_reader_close(reader);
}

static void test_lines(void **state)
{
    (void)state;
    static const struct {
        const char *text, *lines;
    } cases[] = {{"", ""},
                 {"\n", "|"},
                 {"a", "a|"},
                 {"a\n", "a|"},
                 {"a\nb", "a|b|"},
                 {"a\n\nb\n", "a||b|"},
                 {"a\r\nb\r\n", "a|b|"},
                 {"a\r\n\r\nb", "a||b|"},
                 {"a\rb\n", "a|b|"},
                 {"a\rb\r\rc\r", "a|b||c|"},
                 {"a\r\r\nb\r", "a||b|"},
                 {"\xef\xbb\xbf"
                  "a\nb\n",
                  "a|b|"},
                 {"\xef\xbb\xbf", ""},
                 {"a\n\xef\xbb\xbf"
                  "b\n",
                  "a|\xef\xbb\xbf"
                  "b|"},
                 {"\xef\xbb\xbf\xef\xbb\xbf"
                  "a\n",
                  "\xef\xbb\xbf"
                  "a|"},
                 {"\xef\xbb", "\xef\xbb|"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_lines(cases[i].text, strlen(cases[i].text), cases[i].lines);
        hs_buf packed = {0};
        pack(&packed, cases[i].text, strlen(cases[i].text));
        check_lines(packed.text, packed.length, cases[i].lines);
        hs_buf_clear(&packed);
    }
}

static void test_gzip_members(void **state)
{
    (void)state;
    hs_buf packed = {0};
    pack(&packed, "a\nb", 3);
    pack(&packed, "", 0); /* bgzip ends with an empty one */
    pack(&packed, "c\nd\n", 4);
    pack(&packed, "", 0);
    check_lines(packed.text, packed.length, "a|bc|d|");
    hs_buf_clear(&packed);
}

/* Random text in random pieces: the lines are those of a simple split. */
static void test_long_random_text(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "test", 0, 0);
    for (int round = 0; round < 20; round++) {
        hs_buf text = {0}, expected = {0}, packed = {0};
        size_t start = 0;
        for (int i = 0; i < 300; i++) {
            static const size_t lengths[] = {0, 1, 10, 1000, 65535, 65536, 70000};
            size_t length = lengths[hs_random_below(&stream, i % 50 == 0 ? 7 : 4)];
            for (size_t k = 0; k < length; k++)
                hs_buf_char(&expected, (char)('a' + (k + (size_t)i) % 26));
            hs_buf_add(&text, expected.text + expected.length - length, length);
            hs_buf_char(&expected, '|');
            hs_buf_text(&text, hs_random_below(&stream, 2) ? "\n" : "\r\n");
            if (hs_random_below(&stream, 40) == 0) {
                pack(&packed, text.text + start, text.length - start);
                start = text.length;
            }
        }
        pack(&packed, text.text + start, text.length - start);
        check_lines(text.text, text.length, expected.text);
        check_lines(packed.text, packed.length, expected.text);
        hs_buf_clear(&text);
        hs_buf_clear(&expected);
        hs_buf_clear(&packed);
    }
}

/* Reads to the first error, which must have the status and the words. */
static void check_fails(const void *data, size_t length, int status, const char *words)
{
    hsel_error error = {0};
    hs_reader *reader = NULL;
    char *line;
    size_t size;
    int got = hs_reader_open_memory("mem", data, length, &reader, &error);
    while (got >= 0 && (got = hs_reader_line(reader, &line, &size, &error)) == 1)
        ;
    hs_reader_close(reader);
    if (got != status)
        fail_msg("status %d (%s), not %d", got, error.message, status);
    if (strncmp(error.message, "mem", 3) != 0 || !strstr(error.message, words))
        fail_msg("'%s' does not have '%s'", error.message, words);
}

static void test_broken(void **state)
{
    (void)state;
    hs_buf text = {0}, packed = {0};
    for (int i = 0; i < 5000; i++)
        hs_buf_printf(&text, "line %d\n", i * 7919);
    pack(&packed, text.text, text.length);
    for (size_t cut = 3; cut < packed.length; cut += packed.length / 50 + 1)
        check_fails(packed.text, cut, HSEL_EFORMAT, "gzip");
    check_fails(packed.text, packed.length - 1, HSEL_EFORMAT, "gzip");
    packed.text[packed.length / 2] = (char)(packed.text[packed.length / 2] ^ 0x55);
    check_fails(packed.text, packed.length, HSEL_EFORMAT, "gzip");
    check_fails("abc\nde\0f\n", 9, HSEL_EFORMAT, "mem:2: ");
    hs_buf_clear(&text);
    hs_buf_clear(&packed);
}

static void test_more(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_reader *reader = open_memory("a \"b\r\n\nc\" d\ne", 13);
    char *line;
    size_t size;
    assert_int_equal(hs_reader_line(reader, &line, &size, &error), 1);
    assert_string_equal(line, "a \"b");
    assert_int_equal(hs_reader_more(reader, &line, &size, &error), 1);
    assert_string_equal(line, "a \"b\n");
    assert_int_equal(hs_reader_more(reader, &line, &size, &error), 1);
    assert_string_equal(line, "a \"b\n\nc\" d");
    assert_int_equal(size, 10);
    assert_int_equal(hs_reader_line_number(reader), 3);
    assert_int_equal(hs_reader_line(reader, &line, &size, &error), 1);
    assert_string_equal(line, "e");
    assert_int_equal(hs_reader_more(reader, &line, &size, &error), 0);
    assert_int_equal(hs_fail_line(&error, reader, "bad %d", 7), HSEL_EFORMAT);
    assert_string_equal(error.message, "mem:4: bad 7");
    hs_reader_close(reader);
}

static void test_more_across_blocks(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_buf text = {0};
    for (int i = 0; i < 40000; i++)
        hs_buf_printf(&text, "%05d\n", i);
    hs_reader *reader = open_memory(text.text, text.length);
    char *line;
    size_t size;
    assert_int_equal(hs_reader_line(reader, &line, &size, &error), 1);
    for (int i = 1; i < 40000; i++)
        assert_int_equal(hs_reader_more(reader, &line, &size, &error), 1);
    assert_int_equal(size, text.length - 1);
    assert_memory_equal(line, text.text, size);
    assert_int_equal(hs_reader_more(reader, &line, &size, &error), 0);
    hs_reader_close(reader);
    hs_buf_clear(&text);
}

/* Every line end becomes one line feed, in time that grows with the text and not with its square:
 * moving all that is in the buffer for each line would take hours here. */
static void test_more_with_carriage_returns(void **state)
{
    (void)state;
    enum { LINES = 1000000 };
    hsel_error error = {0};
    hs_buf text = {0}, plain = {0};
    for (int i = 0; i < LINES; i++) {
        hs_buf_printf(&text, "%d%s", i, i % 7 ? "\r\n" : "\n");
        hs_buf_printf(&plain, "%d\n", i);
    }
    hs_buf_text(&text, "next\r\nlast");
    hs_reader *reader = open_memory(text.text, text.length);
    char *line;
    size_t size;
    assert_int_equal(hs_reader_line(reader, &line, &size, &error), 1);
    for (int i = 1; i < LINES; i++)
        assert_int_equal(hs_reader_more(reader, &line, &size, &error), 1);
    assert_int_equal(size, plain.length - 1);
    assert_memory_equal(line, plain.text, size);
    assert_int_equal(line[size], '\0');
    assert_int_equal(hs_reader_line(reader, &line, &size, &error), 1);
    assert_string_equal(line, "next");
    assert_int_equal(hs_reader_more(reader, &line, &size, &error), 1);
    assert_string_equal(line, "next\nlast");
    assert_int_equal(hs_reader_more(reader, &line, &size, &error), 0);
    hs_reader_close(reader);
    hs_buf_clear(&text);
    hs_buf_clear(&plain);
}

static void test_peek(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_buf packed = {0};
    pack(&packed, "\xef\xbb\xbfhello\nworld\n", 15);
    for (int i = 0; i < 2; i++) {
        hs_reader *reader = i ? open_memory(packed.text, packed.length)
                              : open_memory("\xef\xbb\xbfhello\nworld\n", 15);
        const char *head;
        char *line;
        size_t size;
        assert_ok(hs_reader_peek(reader, 4, &head, &size, &error), error);
        assert_int_equal(size, 4);
        assert_memory_equal(head, "hell", 4);
        assert_ok(hs_reader_peek(reader, 65536, &head, &size, &error), error);
        assert_int_equal(size, 12);
        assert_memory_equal(head, "hello\nworld\n", 12);
        assert_int_equal(hs_reader_line(reader, &line, &size, &error), 1);
        assert_string_equal(line, "hello");
        assert_ok(hs_reader_peek(reader, 65536, &head, &size, &error), error);
        assert_int_equal(size, 6);
        assert_memory_equal(head, "world\n", 6);
        hs_reader_close(reader);
    }
    hs_buf_clear(&packed);
}

static void test_blocks(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_buf text = {0}, got = {0};
    for (int i = 0; i < 60000; i++)
        hs_buf_printf(&text, "%d%c", i, i % 10 ? ' ' : '\0'); /* bytes, not lines */
    hs_reader *reader = open_memory(text.text, text.length);
    const char *data;
    size_t size;
    int status;
    assert_ok(hs_reader_peek(reader, 100, &data, &size, &error), error);
    while ((status = hs_reader_block(reader, &data, &size, &error)) == 1) {
        assert_true(size > 0);
        hs_buf_add(&got, data, size);
    }
    assert_ok(status, error);
    assert_int_equal(got.length, text.length);
    assert_memory_equal(got.text, text.text, text.length);
    hs_reader_close(reader);
    hs_buf_clear(&text);
    hs_buf_clear(&got);
}

static void check_open_fails(const char *path, const char *words)
{
    hsel_error error = {0};
    hs_reader *reader = NULL;
    char *line;
    size_t size;
    int status = hs_reader_open(path, &reader, &error);
    if (status == HSEL_OK) /* a directory may only show when it is read */
        status = hs_reader_line(reader, &line, &size, &error);
    hs_reader_close(reader);
    assert_int_equal(status, HSEL_EIO);
    assert_string_equal(error.message, words);
}

static void test_files(void **state)
{
    (void)state;
    check_open_fails("/no/such/file", "/no/such/file: cannot open: No such file or directory");
    check_open_fails("/dev/null/x", "/dev/null/x: cannot open: Not a directory");
    check_open_fails("/", "/: is a folder, not a file");
    char path[] = "/tmp/hsel-reader-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, "a\nb\n", 4), 4);
    close(file);
    hsel_error error = {0};
    hs_reader *reader = NULL;
    assert_ok(hs_reader_open(path, &reader, &error), error);
    assert_string_equal(hs_reader_path(reader), path);
    assert_string_equal(hs_reader_name(reader), path);
    char *line;
    size_t size;
    assert_int_equal(hs_reader_line(reader, &line, &size, &error), 1);
    assert_int_equal(hs_reader_line(reader, &line, &size, &error), 1);
    assert_string_equal(line, "b");
    assert_int_equal(hs_reader_line(reader, &line, &size, &error), 0);
    hs_reader_close(reader);
    hs_reader_close(NULL);
    unlink(path);
    reader = open_memory("x", 1);
    assert_null(hs_reader_path(reader));
    hs_reader_close(reader);
}

static int read_all(void *context, hsel_error *error)
{
    const hs_buf *packed = context;
    hs_reader *reader = NULL;
    char *line;
    const char *head;
    size_t size;
    int status = hs_reader_open_memory("mem", packed->text, packed->length, &reader, error);
    if (!status)
        status = hs_reader_peek(reader, 1000, &head, &size, error);
    while (status >= 0 && (status = hs_reader_line(reader, &line, &size, error)) == 1 &&
           (status = hs_reader_more(reader, &line, &size, error)) == 1)
        ;
    hs_reader_close(reader);
    return status;
}

struct watched {
    uint64_t done, total;
    int calls, stop_at;
    char what[256];
};

static int watch(void *context, uint64_t done, uint64_t total, const char *what)
{
    struct watched *w = context;
    assert_true(done >= w->done);
    w->done = done;
    w->total = total;
    snprintf(w->what, sizeof w->what, "%s", what);
    return ++w->calls == w->stop_at;
}

/* Whoever watches hears of every byte of a file, packed ones as they lie there, and can stop; not
 * of memory. */
static void test_watched(void **state)
{
    char path[] = "/tmp/hsel-reader-XXXXXX", *line;
    int file = mkstemp(path);
    hs_buf packed = {0};
    char *text = malloc(1000000);
    size_t size;
    (void)state;
    assert_true(file >= 0 && text);
    hs_stream stream;
    hs_stream_init(&stream, 3, "watched", 0, 0);
    for (size_t i = 0; i < 1000000; i++)
        text[i] = i % 50 == 49 ? '\n' : (char)('a' + hs_random_below(&stream, 26));
    pack(&packed, text, 1000000);
    assert_true(write(file, packed.text, packed.length) == (ssize_t)packed.length);
    for (int stop_at = 0; stop_at < 2; stop_at++) {
        struct watched w = {.stop_at = 2 * stop_at};
        const hs_progress progress = {watch, &w, NULL};
        hsel_error error = {0};
        hs_reader *reader = NULL;
        int status;
        hs_reader_watch(&progress);
        assert_ok(hs_reader_open(path, &reader, &error), error);
        while ((status = hs_reader_line(reader, &line, &size, &error)) == 1)
            ;
        hs_reader_close(reader);
        hs_reader_watch(NULL);
        assert_int_equal(status, stop_at ? HSEL_ECANCELLED : 0);
        assert_true(w.calls > 1 && w.total == packed.length && strcmp(w.what, path) == 0);
        assert_true(stop_at ? w.done < w.total : w.done == w.total);
        int before = w.calls;
        check_lines("a\nb\n", 4, "a|b|");
        assert_int_equal(w.calls, before);
    }
    close(file);
    unlink(path);
    hs_buf_clear(&packed);
    free(text);
}

static void test_out_of_memory(void **state)
{
    (void)state;
    hs_buf text = {0}, packed = {0};
    for (int i = 0; i < 4; i++)
        hs_buf_printf(&text, "%0100000d\n", i);
    pack(&packed, text.text, text.length);
    assert_true(hs_oom_each("reader of plain text", read_all, &text) > 1);
    assert_true(hs_oom_each("reader of gzip", read_all, &packed) > 1);
    hs_buf_clear(&text);
    hs_buf_clear(&packed);
}

/* The message of reading everything as blocks, or as lines. */
static void expect_refused(const void *data, size_t length, bool lines, const char *message)
{
    hsel_error error = {0};
    hs_reader *reader = open_memory(data, length);
    const char *block;
    char *line;
    size_t size;
    int status;
    do
        status = lines ? hs_reader_line(reader, &line, &size, &error)
                       : hs_reader_block(reader, &block, &size, &error);
    while (status > 0);
    assert_int_equal(status, message[0] ? error.code : HSEL_OK);
    assert_string_equal(error.message, message);
    hs_reader_close(reader);
}

static void test_limits(void **state)
{
    (void)state;
    const hs_limits usual = *hs_limits_now();
    hs_limits from_table = {0};
    hs_arena arena = {0};
    hsel_error error = {0};
    assert_ok(hs_options_defaults(hs_limits_table, &from_table, &arena, &error), error);
    assert_memory_equal(&from_table, &usual, sizeof usual);
    size_t length = (size_t)70 << 20;
    char *text = calloc(length, 1);
    assert_non_null(text);
    hs_buf packed = {0};
    expect_refused(text, length, true, "mem:1: NUL byte: this is not a text file");
    memset(text, 'a', length);
    pack(&packed, text, length);
    expect_refused(packed.text, packed.length, false,
                   "mem: unpacks to more than 500 times its size; 'max-ratio' allows more");
    hs_limits_set(&(hs_limits){.line = 1, .token = 1, .size = 80, .ratio = 2000, .depth = 1});
    expect_refused(packed.text, packed.length, false, "");
    expect_refused(text, (size_t)2 << 20, true,
                   "mem:1: the line is longer than 1 MiB; 'max-line' allows more");
    hs_limits_set(&(hs_limits){.line = 100, .token = 1, .size = 69, .ratio = 2000, .depth = 1});
    expect_refused(packed.text, packed.length, false,
                   "mem: more than 69 MiB when unpacked; 'max-size' allows more");
    expect_refused(text, length, true, "mem: more than 69 MiB; 'max-size' allows more");
    hs_limits_set(&usual);
    assert_int_equal(hsel_limits_set("max-line=1,max-lines=2", &error), HSEL_EUSAGE);
    assert_string_equal(error.message,
                        "limits has no option 'max-lines'; did you mean 'max-line'?");
    assert_int_equal(hs_limits_now()->line, usual.line);
    assert_ok(hsel_limits_set("max-line=1", &error), error);
    expect_refused(text, length, true,
                   "mem:1: the line is longer than 1 MiB; 'max-line' allows more");
    hs_limits_set(&usual);
    expect_refused(text, length, true, "");
    hs_buf_clear(&packed);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines),
                                       cmocka_unit_test(test_gzip_members),
                                       cmocka_unit_test(test_long_random_text),
                                       cmocka_unit_test(test_broken),
                                       cmocka_unit_test(test_more),
                                       cmocka_unit_test(test_more_across_blocks),
                                       cmocka_unit_test(test_more_with_carriage_returns),
                                       cmocka_unit_test(test_peek),
                                       cmocka_unit_test(test_blocks),
                                       cmocka_unit_test(test_files),
                                       cmocka_unit_test(test_limits),
                                       cmocka_unit_test(test_watched),
                                       cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

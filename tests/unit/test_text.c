/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * core/text.c: buffers, numbers against the C library's on many random spellings, words.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "core/text.h"
#include "support/cmocka.h"
#include "support/oom.h"

static bool same_double(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

/* What hs_parse_double must say, by strtod with the forms it does not take ruled out. */
static bool slow_parse(const char *text, double *out)
{
    const char *digits = text + (text[0] == '+' || text[0] == '-');
    if (strpbrk(text, "xXpP(") || strspn(text, " \t\n\v\f\r") || !*digits)
        return false;
    char *end;
    *out = strtod(text, &end);
    return *end == '\0';
}

static void check_double(const char *text)
{
    double fast = 0, slow = 0;
    bool fast_ok = hs_parse_double(text, strlen(text), &fast), slow_ok = slow_parse(text, &slow);
    if (fast_ok != slow_ok)
        fail_msg("'%s' %s a number", text, fast_ok ? "was taken for" : "was not taken for");
    if (slow_ok && !same_double(fast, slow))
        fail_msg("'%s' read as %a, not %a", text, fast, slow);
}

static const char *const hard_cases[] = {
    "0",
    "-0",
    "+0",
    "0.0",
    "1",
    "-1",
    "+1",
    "1.",
    ".5",
    "-.5",
    "1e5",
    "1E5",
    "1e+5",
    "1e-5",
    "1e",
    "1e+",
    "e5",
    ".",
    "-",
    "+",
    "",
    "..",
    "1.2.3",
    "1,5",
    "--1",
    "1 ",
    "12a",
    "0x10",
    "inf",
    "-inf",
    "INF",
    "Infinity",
    "infinit",
    "infinityx",
    "nan",
    "NaN",
    "-nan",
    "nan(1)",
    "nanx",
    "1e308",
    "1e309",
    "-1e309",
    "1e-308",
    "1e-323",
    "4.9e-324",
    "2.4703282292062327e-324",
    "2.4703282292062328e-324",
    "1e-400",
    "1e99999999999999999999",
    "1e-99999999999999999999",
    "0e99999999999999999999",
    "9007199254740992",
    "9007199254740993",
    "9007199254740994",
    "9007199254740993.0000000001",
    "1.7976931348623157e308",
    "1.7976931348623158e308",
    "1.7976931348623159e308",
    "2.2250738585072011e-308",
    "2.2250738585072014e-308",
    "123456789012345678901234567890",
    "0.000000000000000000000000000000000000001",
    "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017"
    "977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273"
    "854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704"
    "342711559699508093042880",
    "0.1",
    "0.2",
    "0.3",
    "1e22",
    "1e23",
    "8.5e22",
    "5e-324",
    "3e-324",
    "2e-324",
    "00001",
    "1_000",
    "1e1.5",
    "\xef\xbc\x91"};

static void test_double_hard_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof hard_cases / sizeof hard_cases[0]; i++)
        check_double(hard_cases[i]);
    char many[3000];
    memset(many, '0', sizeof many);
    for (size_t n = 760; n < 2900;
         n += 37) { /* halfway between two doubles, and a digit far behind decides */
        snprintf(many, sizeof many, "9007199254740993.%0*d1", (int)n, 0);
        check_double(many);
        snprintf(many, sizeof many, "0.%0*d17976931348623157e%zu", (int)n, 0, n);
        check_double(many);
        snprintf(many, sizeof many, "1%0*de-%zu", (int)n, 0, n);
        check_double(many);
    }
    double value;
    assert_true(hs_parse_double("9007199254740993123456789", 16, &value));
    assert_true(value == 9007199254740992.0);
    assert_true(hs_parse_double("12345", 2, &value)); /* length counts, not the NUL */
    assert_true(value == 12);
    assert_false(hs_parse_double("1\0002", 3, &value));
}

/* A spelling from a small grammar, now and then with one character changed. */
static void random_spelling(hs_stream *stream, char *out, size_t room)
{
    size_t n = 0;
    if (hs_random_below(stream, 3) == 0)
        out[n++] = "+-"[hs_random_below(stream, 2)];
    for (size_t i = hs_random_below(stream, 21); i > 0; i--)
        out[n++] = (char)('0' + hs_random_below(stream, 10));
    if (hs_random_below(stream, 2)) {
        out[n++] = '.';
        for (size_t i = hs_random_below(stream, 21); i > 0; i--)
            out[n++] = (char)('0' + hs_random_below(stream, 10));
    }
    if (hs_random_below(stream, 2))
        n += (size_t)snprintf(out + n, room - n, "%c%s%u", "eE"[hs_random_below(stream, 2)],
                              hs_random_below(stream, 2) ? "-" : "",
                              (unsigned)hs_random_below(stream, 330));
    if (n && hs_random_below(stream, 20) == 0)
        out[hs_random_below(stream, n)] = "0.e-+ ,xn"[hs_random_below(stream, 9)];
    out[n] = '\0';
}

static void test_double_against_strtod(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "test", 0, 0);
    for (int i = 0; i < 100000; i++) {
        char text[80];
        random_spelling(&stream, text, sizeof text);
        check_double(text);
    }
}

/* 16 to 19 digits with a point: where integers are divided. Every other number is halfway between
 * two doubles, or next to it in the last digit. */
static void test_double_by_division(void **state)
{
    static const char *const half[] = {"", ".5", ".25", ".75"};
    static const char *const behind[] = {"", "0", "1"};
    hs_stream stream;
    hs_stream_init(&stream, 2, "test", 0, 0);
    (void)state;
    for (int i = 0; i < 100000; i++) {
        char text[80];
        if (i % 2) {
            int bits = 54 - (int)hs_random_below(&stream, 3); /* 54: odd integers are halfway */
            uint64_t whole = (hs_random_u64(&stream) >> (64 - bits)) | 1;
            snprintf(text, sizeof text, "%s%llu%s%s", i % 4 > 1 ? "-" : "",
                     (unsigned long long)whole,
                     half[bits == 54   ? 0
                          : bits == 53 ? 1
                                       : 2 + hs_random_below(&stream, 2)],
                     bits == 54 ? "" : behind[hs_random_below(&stream, 3)]);
        } else {
            uint64_t digits = hs_random_u64(&stream) % UINT64_C(10000000000000000000);
            snprintf(text, sizeof text, "%llue-%u", (unsigned long long)digits,
                     (unsigned)hs_random_below(&stream, 32));
        }
        check_double(text);
    }
}

static void test_scan_double(void **state)
{
    static const struct {
        const char *text;
        int taken; /* -1: none */
        double value;
    } cases[] = {{"12,3", 2, 12},
                 {"-7.25x", 5, -7.25},
                 {"0", 1, 0},
                 {"1234567890,", 10, 1234567890},
                 {"12345678", 8, 12345678},
                 {"1.5e3", 5, 1500},
                 {"125E-02,", 7, 1.25},
                 {"1e+05", 5, 100000},
                 {"1.5e", -1, 0},
                 {"1.5e-", -1, 0},
                 {"1e00001", -1, 0},
                 {"5.", 2, 5},
                 {".5 ", 2, 0.5},
                 {"", -1, 0},
                 {"-", -1, 0},
                 {".", -1, 0},
                 {"-.", -1, 0},
                 {"x1", -1, 0},
                 {",12345678", -1, 0},
                 {"?", -1, 0},
                 {"00000000000000000001", -1, 0},
                 {"1234567\xb5"
                  "90",
                  7, 1234567},
                 {"12/34567", 2, 12},
                 {"12:34567", 2, 12}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value = 0;
        const char *text = cases[i].text, *end = hs_scan_double(text, text + strlen(text), &value);
        if (!end != (cases[i].taken < 0) ||
            (end && (end - text != cases[i].taken || value != cases[i].value)))
            fail_msg("%s: %td characters, %g", text, end ? end - text : -1, value);
    }
}

static int significant_digits(const char *text)
{
    int digits = 0, zeros = 0;
    for (const char *c = text; *c && *c != 'e'; c++)
        if (*c > '0' && *c <= '9') {
            digits += zeros + 1;
            zeros = 0;
        } else if (*c == '0' && digits) {
            zeros++;
        }
    return digits;
}

/* Any bit pattern reads back, and no number of fewer digits does. */
static void check_shortest(double value)
{
    char text[64], other[64];
    memset(text, 'x', sizeof text);
    size_t length = hs_format_double(value, text);
    if (length >= 32 || strlen(text) != length)
        fail_msg("%a: length %zu of '%.40s'", value, length, text);
    double back;
    if (!hs_parse_double(text, length, &back) || !same_double(back, value))
        fail_msg("%a written as '%s'", value, text);
    for (int fewer = significant_digits(text) - 1; isfinite(value) && fewer >= 1; fewer--) {
        snprintf(other, sizeof other, "%.*e", fewer - 1, value);
        if (same_double(strtod(other, NULL), value))
            fail_msg("'%s' is longer than '%s'", text, other);
    }
}

static void test_format_double(void **state)
{
    (void)state;
    static const double cases[] = {0,
                                   1,
                                   -1,
                                   0.1,
                                   0.5,
                                   100,
                                   1e5,
                                   123456,
                                   1e15,
                                   1e16,
                                   1e21,
                                   1e22,
                                   1e-5,
                                   1e-7,
                                   5e-324,
                                   1.7976931348623157e308,
                                   2.2250738585072014e-308,
                                   9007199254740993.0,
                                   1.0 / 3,
                                   2.0 / 3,
                                   1e100,
                                   0.30000000000000004};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_shortest(cases[i]);
        check_shortest(-cases[i]);
    }
    check_shortest(INFINITY);
    check_shortest(-INFINITY);
    check_shortest(NAN);
    hs_stream stream;
    hs_stream_init(&stream, 2, "test", 0, 0);
    for (int i = 0; i < 50000; i++) {
        uint64_t bits = hs_random_u64(&stream);
        double value;
        memcpy(&value, &bits, sizeof value);
        check_shortest(i % 2 ? value : floor(hs_random_double(&stream) * 1e6) / 1000);
    }
    char text[32];
    hs_format_double(0.1, text);
    assert_string_equal(text, "0.1");
    hs_format_double(100, text);
    assert_string_equal(text, "100");
    hs_format_double(-2.5, text);
    assert_string_equal(text, "-2.5");
}

static void test_integers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool u_ok, i_ok;
        uint64_t u;
        int64_t i;
    } cases[] = {{"0", true, true, 0, 0},
                 {"7", true, true, 7, 7},
                 {"007", true, true, 7, 7},
                 {"9223372036854775807", true, true, INT64_MAX, INT64_MAX},
                 {"9223372036854775808", true, false, (uint64_t)INT64_MAX + 1, 0},
                 {"18446744073709551615", true, false, UINT64_MAX, 0},
                 {"18446744073709551616", false, false, 0, 0},
                 {"99999999999999999999999", false, false, 0, 0},
                 {"-1", false, true, 0, -1},
                 {"-9223372036854775808", false, true, 0, INT64_MIN},
                 {"-9223372036854775809", false, false, 0, 0},
                 {"", false, false, 0, 0},
                 {"-", false, false, 0, 0},
                 {"1.0", false, false, 0, 0},
                 {"1e3", false, false, 0, 0},
                 {" 1", false, false, 0, 0},
                 {"1 ", false, false, 0, 0},
                 {"0x1", false, false, 0, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        uint64_t u = 0;
        int64_t i = 0;
        size_t length = strlen(cases[k].text);
        if (hs_parse_u64(cases[k].text, length, &u) != cases[k].u_ok ||
            (cases[k].u_ok && u != cases[k].u))
            fail_msg("u64 of '%s'", cases[k].text);
        if (hs_parse_i64(cases[k].text, length, &i) != cases[k].i_ok ||
            (cases[k].i_ok && i != cases[k].i))
            fail_msg("i64 of '%s'", cases[k].text);
    }
    char text[32];
    assert_int_equal(hs_format_u64(UINT64_MAX, text), 20);
    assert_string_equal(text, "18446744073709551615");
    assert_int_equal(hs_format_u64(0, text), 1);
    assert_string_equal(text, "0");
    hs_format_grouped(0, text);
    assert_string_equal(text, "0");
    hs_format_grouped(999, text);
    assert_string_equal(text, "999");
    hs_format_grouped(1000, text);
    assert_string_equal(text, "1,000");
    assert_int_equal(hs_format_grouped(12345678, text), 10);
    assert_string_equal(text, "12,345,678");
    hs_format_grouped(UINT64_MAX, text);
    assert_string_equal(text, "18,446,744,073,709,551,615");
}

static void test_words(void **state)
{
    (void)state;
    const char *text = " \t a b \t ";
    size_t length = strlen(text);
    hs_trim(&text, &length);
    assert_int_equal(length, 3);
    assert_memory_equal(text, "a b", 3);
    text = "  ";
    length = 2;
    hs_trim(&text, &length);
    assert_int_equal(length, 0);
    assert_true(hs_equal_nocase("YeS", 3, "yes"));
    assert_false(hs_equal_nocase("YeSx", 4, "yes"));
    assert_false(hs_equal_nocase("ye", 2, "yes"));
    assert_true(hs_ends_with("data.arff", ".arff"));
    assert_false(hs_ends_with("arff", ".arff"));
    assert_true(hs_ends_with("x", ""));
    assert_int_equal(hs_text_width("abc"), 3);
    assert_int_equal(hs_text_width("\u00e9t\u00e9"), 3);
    assert_int_equal(hs_text_width(""), 0);
}

/* Damerau's distance with adjacent swaps (each character edited once), by the full table. */
static unsigned slow_distance(const char *a, const char *b)
{
    unsigned t[16][16];
    size_t m = strlen(a), n = strlen(b);
    for (size_t i = 0; i <= m; i++)
        for (size_t j = 0; j <= n; j++) {
            if (!i || !j) {
                t[i][j] = (unsigned)(i + j);
                continue;
            }
            unsigned best = t[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            best = t[i - 1][j] + 1 < best ? t[i - 1][j] + 1 : best;
            best = t[i][j - 1] + 1 < best ? t[i][j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                t[i - 2][j - 2] + 1 < best)
                best = t[i - 2][j - 2] + 1;
            t[i][j] = best;
        }
    return t[m][n];
}

static void test_edit_distance(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 3, "test", 0, 0);
    for (int i = 0; i < 20000; i++) {
        char a[16] = "", b[16] = "";
        for (size_t k = hs_random_below(&stream, 9); k > 0; k--)
            a[k - 1] = (char)('a' + hs_random_below(&stream, 3));
        for (size_t k = hs_random_below(&stream, 9); k > 0; k--)
            b[k - 1] = (char)('a' + hs_random_below(&stream, 3));
        unsigned limit = (unsigned)hs_random_below(&stream, 6), slow = slow_distance(a, b),
                 fast = hs_edit_distance(a, b, limit);
        if (slow <= limit ? fast != slow : fast <= limit)
            fail_msg("distance of %s and %s is %u, got %u (limit %u)", a, b, slow, fast, limit);
    }
}

static void test_nearest(void **state)
{
    (void)state;
    static const char *const words[] = {"info",     "check",   "convert", "build",
                                        "generate", "methods", "help",    "version"};
    assert_int_equal(hs_nearest("chekc", words, 8), 1);
    assert_int_equal(hs_nearest("inof", words, 8), 0);
    assert_int_equal(hs_nearest("genrate", words, 8), 4);
    assert_int_equal(hs_nearest("versoin", words, 8), 7);
    assert_int_equal(hs_nearest("zzzzzzzz", words, 8), -1);
    assert_int_equal(hs_nearest("info", words, 0), -1);
    static const char *const tie[] = {"ab1", "ab2"};
    assert_int_equal(hs_nearest("ab3", tie, 2), 0); /* the first of equally near ones */
}

static void test_buffer(void **state)
{
    (void)state;
    hs_buf buf = {0};
    hs_buf_text(&buf, "one");
    hs_buf_char(&buf, ' ');
    hs_buf_add(&buf, "two and", 3);
    hs_buf_printf(&buf, " %d%%", 3);
    assert_false(buf.failed);
    assert_string_equal(buf.text, "one two 3%");
    assert_int_equal(buf.length, 10);
    for (int i = 0; i < 1000; i++)
        hs_buf_printf(&buf, "%0100d", i);
    assert_int_equal(buf.length, 10 + 100 * 1000);
    assert_memory_equal(buf.text + buf.length - 3, "999", 4);
    hs_buf_clear(&buf);
    assert_null(buf.text);
    assert_int_equal(buf.length, 0);
}

static int fill_buffer(void *context, hsel_error *error)
{
    (void)context;
    hs_buf buf = {0};
    for (int i = 0; i < 2000; i++)
        hs_buf_printf(&buf, "%d ", i);
    int status = buf.failed ? hs_fail_memory(error) : HSEL_OK;
    hs_buf_clear(&buf);
    return status;
}

static void test_buffer_out_of_memory(void **state)
{
    (void)state;
    assert_true(hs_oom_each("hs_buf", fill_buffer, NULL) > 3);
}

/* What could command a terminal, turn text round or fake a line is written out, all else stays. */
static void test_shown(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"plain \u00e9\u03b2\u4e2d\U0001f9ec \u00a0", "plain \u00e9\u03b2\u4e2d\U0001f9ec \u00a0"},
        {"\x1b[31m\n\r\t\x7f", "\\x1b[31m\\x0a\\x0d\\x09\\x7f"},
        {"\xc2\x9b"
         "2J\xc2\x80",
         "\\u009b2J\\u0080"},
        {"a\u202eb\u2066c\u2069\u200f\u2028\u061c",
         "a\\u202eb\\u2066c\\u2069\\u200f\\u2028\\u061c"},
        {"\xff\xc0\xaf\xed\xa0\x80\xe2\x80", "\\xff\\xc0\\xaf\\xed\\xa0\\x80\\xe2\\x80"},
        {"", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *text = cases[i][0];
        hs_buf got = {0};
        char shown[HS_SHOWN_ROOM];
        for (size_t left = strlen(text), taken; left; text += taken, left -= taken)
            hs_buf_add(&got, shown, hs_show_character(text, left, shown, &taken));
        assert_string_equal(got.text ? got.text : "", cases[i][1]);
        hs_buf_clear(&got);
    }
}

static void test_cut(void **state)
{
    (void)state;
    char out[32];
    assert_string_equal(hs_show_cut("", 5, out, sizeof out), "");
    assert_string_equal(hs_show_cut("abcde", 5, out, sizeof out), "abcde");
    assert_string_equal(hs_show_cut("abcdef", 5, out, sizeof out), "abcd…");
    assert_string_equal(hs_show_cut("éééééé", 5, out, sizeof out), "éééé…");
    assert_string_equal(hs_show_cut("abc\n", 7, out, sizeof out), "abc\\x0a");
    assert_string_equal(hs_show_cut("abcd\xff", 7, out, sizeof out), "abcd…"); /* never \\xf… */
    assert_string_equal(hs_show_cut("abc", 0, out, sizeof out), "…");
    /* Characters take more bytes than columns: the room ends first. */
    for (size_t room = 4; room < sizeof out; room++) {
        memset(out, 'z', sizeof out);
        hs_show_cut("éééééééééééééééééééé", 50, out, room);
        assert_true(strlen(out) < room);
        assert_string_equal(out + strlen(out) - 3, "…");
        for (size_t i = room; i < sizeof out; i++)
            assert_int_equal(out[i], 'z');
    }
}

static void test_formula(void **state)
{
    (void)state;
    static const char *const run[] = {"=1+1", "+x",  "-x", "@SUM(1)", "\tx",
                                      "\rx",  "\nx", "-",  "--1",     "-1+cmd"};
    static const char *const plain[] = {"", "x", "1", "-1.5", "+2", "-1e-9", "-inf", "'=1", " =1"};
    for (size_t i = 0; i < sizeof run / sizeof run[0]; i++)
        assert_true(hs_is_formula(run[i], strlen(run[i])));
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        assert_false(hs_is_formula(plain[i], strlen(plain[i])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shown),
                                       cmocka_unit_test(test_cut),
                                       cmocka_unit_test(test_formula),
                                       cmocka_unit_test(test_double_hard_cases),
                                       cmocka_unit_test(test_double_against_strtod),
                                       cmocka_unit_test(test_double_by_division),
                                       cmocka_unit_test(test_scan_double),
                                       cmocka_unit_test(test_format_double),
                                       cmocka_unit_test(test_integers),
                                       cmocka_unit_test(test_words),
                                       cmocka_unit_test(test_edit_distance),
                                       cmocka_unit_test(test_nearest),
                                       cmocka_unit_test(test_buffer),
                                       cmocka_unit_test(test_buffer_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

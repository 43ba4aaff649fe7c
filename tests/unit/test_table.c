/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Delimited tables: quoting, line ends, delimiters, ragged rows; and roles of columns. Random
 * tables of awkward characters are written field by field and must read back the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "format/table.h"
#include "support/cmocka.h"
#include "support/oom.h"

/* The whole table as text: fields joined by |, records by /, quoted fields in <>. */
static int flatten(const char *text, size_t length, char delimiter, hs_buf *out, hsel_error *error)
{
    hs_reader *reader = NULL;
    hs_table table = {0};
    const hs_field *fields;
    int status = hs_reader_open_memory("t", text, length, &reader, error);
    if (status == HSEL_OK)
        status = hs_table_open(reader, delimiter, &table, error);
    for (uint32_t i = 0; status == HSEL_OK && i < table.header.count; i++)
        hs_buf_printf(out, "%s%s", i ? "|" : "", hs_names_get(&table.header, i));
    if (status == HSEL_OK)
        while ((status = hs_table_next(&table, &fields, error)) > 0)
            for (uint32_t i = 0; i < table.header.count; i++) {
                assert_int_equal(strlen(fields[i].text), fields[i].length);
                hs_buf_printf(out, fields[i].quoted ? "%s<%s>" : "%s%s", i ? "|" : "/",
                              fields[i].text);
            }
    hs_table_clear(&table);
    hs_reader_close(reader);
    if (status == HSEL_OK && out->failed)
        return hs_fail_memory(error);
    return status;
}

static void check(const char *text, char delimiter, const char *expected)
{
    hs_buf got = {0};
    hsel_error error = {0};
    assert_ok(flatten(text, strlen(text), delimiter, &got, &error), error);
    assert_string_equal(got.text, expected);
    hs_buf_clear(&got);
}

static void check_fails(const char *text, char delimiter, const char *message)
{
    hs_buf got = {0};
    hsel_error error = {0};
    assert_int_equal(flatten(text, strlen(text), delimiter, &got, &error), HSEL_EFORMAT);
    assert_string_equal(error.message, message);
    hs_buf_clear(&got);
}

static void test_plain(void **state)
{
    (void)state;
    check("a,b\n1,2\n3,4\n", 0, "a|b/1|2/3|4");
    check("a,b\n1,2", 0, "a|b/1|2");
    check("a\n", 0, "a");
    check("a\nx\n", 0, "a/x");
    check("a,b\n,\n", 0, "a|b/|");
    check("a,b\n\n1,2\n\n\n", 0, "a|b/1|2");
    check("\n\na,b\n1,2\n", 0, "a|b/1|2");
    check("\xEF\xBB\xBF"
          "a,b\r\n1,2\r\n",
          0, "a|b/1|2");
    check("a,b\n 1 ,\t2\t\n", 0, "a|b/1|2");
    check("a,a\n1,2\n", 0, "a|a/1|2");
    check("a,b,\n1,2,\n", 0, "a|b|/1|2|");
}

static void test_delimiters(void **state)
{
    (void)state;
    check("a\tb,c\n1\t2,3\n", 0, "a|b,c/1|2,3");
    check("a;b;c,d\n1;2;3\n", 0, "a|b|c,d/1|2|3");
    check("a,b;c\n1,2\n", 0, "a|b;c/1|2");
    check("\"a;b;c\",d\n1,2\n", 0, "a;b;c|d/1|2");
    check("\"a\tb\",c\n1,2\n", 0, "a\tb|c/1|2");
    check("a,b\n1,2\n", '\t', "a,b/1,2");
    check("a\tb\tc\n 1 \t\t\n", '\t', "a|b|c/1||");
}

static void test_quotes(void **state)
{
    (void)state;
    check("a,b\n\"1\",\"\"\n", 0, "a|b/<1>|<>");
    check("a,b\n\"x,y\",\"say \"\"hi\"\"\"\n", 0, "a|b/<x,y>|<say \"hi\">");
    check("a,b\n\"one\ntwo\",3\n", 0, "a|b/<one\ntwo>|3");
    check("a,b\r\n\"one\r\n\r\ntwo\",3\r\n4,5\r\n", 0, "a|b/<one\n\ntwo>|3/4|5");
    check("a,b\n\"one\r\r\ntwo\",3\n", 0, "a|b/<one\n\ntwo>|3");
    check("a,b\r\"one\rtwo\",3\r", 0, "a|b/<one\ntwo>|3");
    check("a,b\n \"x\" , \" y \" \n", 0, "a|b/<x>|< y >");
    check("a,b\n5\" pipe,it\"s\n", 0, "a|b/5\" pipe|it\"s");
    check("\"a\nb\",c\n1,2\n", 0, "a\nb|c/1|2");
    check("a\tb\n\"x\ty\"\tz\n", 0, "a|b/<x\ty>|z");
    check("a,b\n\"\"\"\",\"\"\"\"\"\"\n", 0, "a|b/<\">|<\"\">");
    check("a\n\"\n\"\n", 0, "a/<\n>");
}

static void test_bad(void **state)
{
    (void)state;
    check_fails("", 0, "t: the file is empty: a header line is needed");
    check_fails("\n\n\n", 0, "t: the file is empty: a header line is needed");
    check_fails("a,b\n1\n", 0, "t:2: 1 field, but the header has 2");
    check_fails("a,b\n1,2\n1,2,3\n", 0, "t:3: 3 fields, but the header has 2");
    check_fails("a,b\n1,2\n\n1,2,\n", 0, "t:4: 3 fields, but the header has 2");
    check_fails("a,b\n\"x\ny\"\n", 0, "t:2: 1 field, but the header has 2");
    check_fails("a,b\n1,\"2\n3,4\n", 0, "t:2: the quoted field 2 is not closed");
    check_fails("a,\"b\n1,2\n", 0, "t:1: the quoted field 2 is not closed");
    check_fails("a,b\n\"1\"x,2\n", 0, "t:2: unexpected text after the closing quote of field 1");
    check_fails("a,b\n\"1\" \"2\",2\n", 0,
                "t:2: unexpected text after the closing quote of field 1");
    check_fails("a\tb\n1 2\n", 0, "t:2: 1 field, but the header has 2");
}

static void test_nul_byte(void **state)
{
    (void)state;
    hs_buf got = {0};
    hsel_error error = {0};
    assert_int_equal(flatten("a,b\n\"1\n\0\",2\n", 13, 0, &got, &error), HSEL_EFORMAT);
    assert_string_equal(error.message, "t:3: NUL byte: this is not a text file");
    hs_buf_clear(&got);
}

/* An unclosed quote at the top of a long file must not take quadratic time, nor all of memory. */
static void test_unclosed_far(void **state)
{
    (void)state;
    size_t length = (size_t)3 << 20;
    char *text = malloc(length);
    hs_buf got = {0};
    hsel_error error = {0};
    assert_non_null(text);
    for (size_t i = 0; i < length; i++)
        text[i] = i % 16 == 15 ? '\n' : 'x';
    memcpy(text, "a,b\n1,\"", 7);
    assert_int_equal(flatten(text, length, 0, &got, &error), HSEL_EFORMAT);
    assert_string_equal(error.message,
                        "t:2: the quoted field 2 is not closed within 1048576 bytes");
    hs_buf_clear(&got);
    free(text);
}

/* ---- random tables ---- */

/* Fields of random bytes from an awkward alphabet, written with quotes at random (always where
 * needed). */
static void random_field(hs_stream *random, hs_buf *text, hs_buf *expected, bool first)
{
    static const char alphabet[] = "ab,;\" \n\t\r";
    char value[8];
    size_t length = (size_t)hs_random_below(random, 6);
    bool needs = length == 0 && first; /* an empty line is no record */
    for (size_t i = 0; i < length; i++) {
        do
            value[i] = alphabet[hs_random_below(random, sizeof alphabet - 1)];
        while (value[i] == '\n' && i > 0 && value[i - 1] == '\r'); /* read as one line feed */
        needs |= strchr(",\"\n\r", value[i]) != NULL;
    }
    needs |= length > 0 && (strchr(" \t", value[0]) || strchr(" \t", value[length - 1]));
    bool quoted = needs || hs_random_below(random, 4) == 0;
    if (quoted)
        hs_buf_char(text, '"');
    for (size_t i = 0; i < length; i++) {
        if (value[i] == '"')
            hs_buf_char(text, '"');
        hs_buf_char(text, value[i]);
    }
    if (quoted)
        hs_buf_char(text, '"');
    hs_buf_text(expected, quoted ? "<" : "");
    for (size_t i = 0; i < length; i++)
        value[i] = value[i] == '\r' ? '\n' : value[i];
    hs_buf_add(expected, value, length);
    hs_buf_text(expected, quoted ? ">" : "");
}

static void test_random(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < 3000; round++) {
        hs_stream random;
        hs_buf text = {0}, expected = {0};
        hs_stream_init(&random, 1, "table", round, 0);
        uint64_t columns = 1 + hs_random_below(&random, 4), rows = hs_random_below(&random, 5);
        static const char *const line_ends[] = {"\n", "\r\n", "\r"};
        const char *line_end = line_ends[hs_random_below(&random, 3)];
        hs_buf_text(&text, "h");
        hs_buf_text(&expected, "h");
        for (uint64_t i = 1; i < columns; i++) {
            hs_buf_printf(&text, ",h%d", (int)i);
            hs_buf_printf(&expected, "|h%d", (int)i);
        }
        for (uint64_t r = 0; r < rows; r++)
            for (uint64_t i = 0; i < columns; i++) {
                hs_buf_text(&text, i ? "," : line_end);
                hs_buf_text(&expected, i ? "|" : "/");
                random_field(&random, &text, &expected, i == 0);
            }
        hs_buf_text(&text, hs_random_below(&random, 2) ? line_end : "");
        check(text.text, ',', expected.text);
        hs_buf_clear(&text);
        hs_buf_clear(&expected);
    }
}

/* ---- columns ---- */

static int assign(const hs_column_options *options, uint32_t usual_id, char *roles,
                  hsel_error *error)
{
    static const char *const words[] = {"gene", "GO:1", "7", "GO:2", "label"};
    hs_names names = {0};
    hs_columns columns = {0};
    uint32_t id;
    int status = HSEL_OK;
    for (size_t i = 0; i < 5 && status == HSEL_OK; i++)
        status = hs_names_intern(&names, words[i], strlen(words[i]), &id, NULL, error);
    if (status == HSEL_OK)
        status = hs_columns_assign(&names, options, usual_id, "t", &columns, error);
    for (uint32_t i = 0; i < 5 && status == HSEL_OK; i++)
        roles[i] = ".CIx"[columns.roles[i]];
    roles[5] = '\0';
    if (status == HSEL_OK) {
        assert_true((columns.class_column == HSEL_NONE) == !strchr(roles, 'C'));
        assert_true((columns.id_column == HSEL_NONE) == !strchr(roles, 'I'));
    }
    hs_columns_clear(&columns);
    hs_names_clear(&names);
    return status;
}

static void check_roles(hs_column_options options, uint32_t usual_id, const char *expected)
{
    hsel_error error = {0};
    char roles[8];
    assert_ok(assign(&options, usual_id, roles, &error), error);
    assert_string_equal(roles, expected);
}

static void check_roles_fail(hs_column_options options, int code, const char *message)
{
    hsel_error error = {0};
    char roles[8];
    assert_int_equal(assign(&options, HSEL_NONE, roles, &error), code);
    assert_string_equal(error.message, message);
}

#define IGNORE(...)                                                                                \
    {                                                                                              \
        .items = (const char *[]){__VA_ARGS__},                                                    \
        .count = sizeof((const char *[]){__VA_ARGS__}) / sizeof(const char *)                      \
    }

static void test_roles(void **state)
{
    (void)state;
    check_roles((hs_column_options){0}, HSEL_NONE, "....C");
    check_roles((hs_column_options){0}, 0, "I...C");
    check_roles((hs_column_options){.no_class = true}, 0, "I....");
    check_roles((hs_column_options){.class_name = "GO:1"}, HSEL_NONE, ".C...");
    check_roles((hs_column_options){.class_name = "gene"}, 0, "C....");
    check_roles((hs_column_options){.class_name = "2"}, HSEL_NONE, ".C...");
    check_roles((hs_column_options){.class_name = "7"}, HSEL_NONE, "..C..");
    check_roles((hs_column_options){.id = "label"}, 0, "...CI");
    check_roles((hs_column_options){.ignore = IGNORE("label", "1"), .class_name = "4"}, HSEL_NONE,
                "x..Cx");
    check_roles((hs_column_options){.ignore = IGNORE("gene", "gene", "1")}, 0, "x...C");
}

static void test_roles_bad(void **state)
{
    (void)state;
    check_roles_fail((hs_column_options){.class_name = "Label"}, HSEL_EUSAGE,
                     "t: there is no column Label; did you mean label?");
    check_roles_fail((hs_column_options){.class_name = "outcome"}, HSEL_EUSAGE,
                     "t: there is no column outcome");
    check_roles_fail((hs_column_options){.id = "0"}, HSEL_EUSAGE,
                     "t: there is no column 0; columns are numbered from 1 to 5");
    check_roles_fail((hs_column_options){.ignore = IGNORE("label", "1")}, HSEL_EUSAGE,
                     "t: 'ignore' leaves out the last column, label, which is the class: choose "
                     "another with class=NAME, or none with 'no-class'");
    check_roles_fail((hs_column_options){.ignore = IGNORE("6")}, HSEL_EUSAGE,
                     "t: there is no column 6; columns are numbered from 1 to 5");
    check_roles_fail((hs_column_options){.id = "99999999999999999999999"}, HSEL_EUSAGE,
                     "t: there is no column 99999999999999999999999");
    check_roles_fail((hs_column_options){.id = "gene", .class_name = "1"}, HSEL_EUSAGE,
                     "t: column gene cannot be both the class and the identifier");
    check_roles_fail((hs_column_options){.id = "gene", .ignore = IGNORE("gene")}, HSEL_EUSAGE,
                     "t: column gene cannot be both the identifier and ignored");
    check_roles_fail((hs_column_options){.ignore = IGNORE("1", "2", "3", "4", "5")}, HSEL_EFORMAT,
                     "t: there is no column left for the class; 'no-class' reads data without one");
}

static void test_binary_words(void **state)
{
    (void)state;
    hs_word_pair pair;
    assert_int_equal(hs_binary_word("0", 1, &pair), 0);
    assert_int_equal(pair, HS_PAIR_0_1);
    assert_int_equal(hs_binary_word("YES", 3, &pair), 1);
    assert_int_equal(pair, HS_PAIR_NO_YES);
    assert_int_equal(hs_binary_word("False", 5, &pair), 0);
    assert_int_equal(pair, HS_PAIR_FALSE_TRUE);
    assert_int_equal(hs_binary_word("t", 1, &pair), 1);
    assert_int_equal(pair, HS_PAIR_F_T);
    assert_int_equal(hs_binary_word("N", 1, &pair), 0);
    assert_int_equal(pair, HS_PAIR_N_Y);
    assert_int_equal(hs_binary_word("", 0, &pair), -1);
    assert_int_equal(hs_binary_word("ye", 2, &pair), -1);
    assert_int_equal(hs_binary_word("yess", 4, &pair), -1);
    assert_int_equal(hs_binary_word("10", 2, &pair), -1);
}

/* ---- memory ---- */

static int flatten_again(void *context, hsel_error *error)
{
    hs_buf got = {0};
    int status = flatten(context, strlen(context), 0, &got, error);
    hs_buf_clear(&got);
    return status;
}

static int assign_again(void *context, hsel_error *error)
{
    char roles[8];
    return assign(context, 0, roles, error);
}

static void test_memory(void **state)
{
    (void)state;
    char text[] = "a,b,c,d\n1,\"two\nlines\",3,4\n5,6,\"\"\"\",8\n";
    hs_column_options options = {.class_name = "7", .ignore = IGNORE("GO:1")};
    assert_true(hs_oom_each("table", flatten_again, text) > 3);
    assert_true(hs_oom_each("columns", assign_again, &options) > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),     cmocka_unit_test(test_delimiters),
        cmocka_unit_test(test_quotes),    cmocka_unit_test(test_bad),
        cmocka_unit_test(test_nul_byte),  cmocka_unit_test(test_unclosed_far),
        cmocka_unit_test(test_random),    cmocka_unit_test(test_roles),
        cmocka_unit_test(test_roles_bad), cmocka_unit_test(test_binary_words),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

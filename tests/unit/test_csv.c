/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CSV and TSV: what kind of feature each column becomes, missing values, roles of columns; bad
 * files with their messages; round trips of random data sets.
 */
#include <stdio.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/dump.h"
#include "support/oom.h"
#include "support/random_data.h"

static void reads(const char *text, const char *expected)
{
    hs_check_reads("csv", NULL, text, expected);
}

static void refuses(const char *text, const char *message)
{
    hs_check_refuses("csv", NULL, text, HSEL_EFORMAT, message);
}

/* One column of values between a binary column and the class. */
static void reads_column(const char *values, const char *type, const char *expected)
{
    hs_buf text = {0}, dump = {0};
    hs_buf_text(&text, "a,x,c\n");
    hs_buf_printf(&dump, "a:b x:%s | k\n", type);
    for (const char *at = values; *at;) {
        size_t length = strcspn(at, "|");
        hs_buf_printf(&text, "1,%.*s,k\n", (int)length, at);
        at += length + (at[length] == '|');
    }
    for (const char *at = expected; *at;) {
        size_t length = strcspn(at, "|");
        hs_buf_printf(&dump, "1 %.*s k\n", (int)length, at);
        at += length + (at[length] == '|');
    }
    reads(text.text, dump.text);
    hs_buf_clear(&text);
    hs_buf_clear(&dump);
}

static void test_types(void **state)
{
    (void)state;
    reads_column("0|1|0", "b", "0|1|0");
    reads_column("1", "b", "1");
    reads_column("\"0\"|\"1\"", "b", "0|1");
    reads_column("0.0|1.0|1e0|-0", "b", "0|1|1|0");
    reads_column("yes|No|YES", "b", "1|0|1");
    reads_column("TRUE|false", "b", "1|0");
    reads_column("y|n", "b", "1|0");
    reads_column("F|t", "b", "0|1");
    reads_column("0|1|2", "n", "0|1|2");
    reads_column("-1|1.5e-3|+7|.5|5.", "n", "-1|0.0015|7|0.5|5");
    reads_column("0|1|yes", "{0,1,yes}", "0|1|yes");
    reads_column("yes|true", "{yes,true}", "yes|true");
    reads_column("yes|2", "{yes,2}", "yes|2");
    reads_column("red|green|red|1", "{red,green,1}", "red|green|red|1");
    reads_column("0x1F|1", "{0x1F,1}", "0x1F|1");
    reads_column("inf|x", "{inf,x}", "inf|x");
    reads_column("1e400|x", "{1e400,x}", "1e400|x");
}

static void test_missing(void **state)
{
    (void)state;
    reads_column("2|?|NA||nan|NaN|\"\"|0", "n", "2|?|?|?|?|?|?|0");
    reads_column("u|?|NA||nan|\"?\"|\"NA\"|\"nan\"|\"\"", "{u,?,NA,nan}", "u|?|?|?|?|?|NA|nan|?");
    reads_column("?|NA", "n", "?|?");
    reads_column("Na|na", "{Na,na}", "Na|na");
    reads("a,c\n1,\n0,?\n1,NA\n0,\"NA\"\n1,x\n", "a:b | NA,x\n1 ?\n0 ?\n1 ?\n0 NA\n1 x\n");
    reads("a,c\n1,\n", "a:b |\n1 ?\n");
    refuses("a,b,c\n1,yes,k\n,no,k\n1,,k\n",
            "t:3: the binary column a has a missing value; missing=negative takes it as negative");
    refuses("a,b,c\n1,yes,k\n0,NA,k\n",
            "t:3: the binary column b has a missing value; missing=negative takes it as negative");
    hs_check_reads("csv", &(hs_column_options){.missing = HS_MISSING_NEGATIVE},
                   "a,b,x,c\n1,yes,2,k\n,?,,k\n", "a:b b:b x:n | k\n1 1 2 k\n0 0 ? k\n");
}

static void test_roles(void **state)
{
    (void)state;
    static const char *const usual[] = {"",       "id",     "ID",   "Id",  "entrez",
                                        "Entrez", "sample", "gene", "Name"};
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s,a,c\ng1,1,x\ng2,0,y\n", usual[i]);
        reads(text, "a:b | x,y\ng1 1 x\ng2 0 y\n");
    }
    reads("identifier,a,c\n5,1,x\n", "identifier:n a:b | x\n5 1 x\n");
    reads("a,id,c\n1,7,x\n", "a:b id:n | x\n1 7 x\n");
    hs_check_reads("csv", &(hs_column_options){.id = "g", .class_name = "1"}, "k,a,g\nx,1,g1\n",
                   "a:b | x\ng1 1 x\n");
    hs_check_reads("csv", &(hs_column_options){.class_name = "id"}, "id,a\nx,1\n",
                   "a:b | x\n1 x\n");
    hs_check_reads("csv", &(hs_column_options){.no_class = true}, "a,b\n1,2\n",
                   "a:b b:n |\n1 2 ?\n");
    hs_check_reads(
        "csv",
        &(hs_column_options){.class_name = "3",
                             .ignore = {.items = (const char *[]){"2", "4"}, .count = 2}},
        "a,b,c,\n1,zz,x,\n0,,y,7\n", "a:b | x,y\n1 x\n0 y\n");
}

static void test_classes(void **state)
{
    (void)state;
    reads("a,c\n1,10\n0,9\n1,-1\n", "a:b | -1,9,10\n1 10\n0 9\n1 -1\n");
    reads("a,c\n1,zebra\n0,ape\n", "a:b | ape,zebra\n1 zebra\n0 ape\n");
    reads("a,c\n1,\"x, y\"\n0,\"two\nlines\"\n", "a:b | two\nlines,x, y\n1 x, y\n0 two\nlines\n");
}

static void test_layout(void **state)
{
    (void)state;
    reads("\xEF\xBB\xBF"
          "a;b;c\r\n1;2,5;x\r\n",
          "a:b b:n | x\n1 2.5 x\n");                     /* decimal commas … */
    reads("a,b\n\"2,5\",x\n", "a:{2,5} | x\n2,5 x\n");   /* … not where commas separate */
    reads("a;b\n1,0;x\n0,0;x\n", "a:b | x\n1 x\n0 x\n"); /* as 1.0 and 0.0 */
    reads("a;b\n2,5;x\n1.5;x\n", "a:{2,5,1.5} | x\n2,5 x\n1.5 x\n");
    reads("a;b\n2,5;x\n1,000,000;x\n", "a:{2,5,1,000,000} | x\n2,5 x\n1,000,000 x\n");
    reads("a;b\n2,5;x\nno;x\n", "a:{2,5,no} | x\n2,5 x\nno x\n");
    reads("a\tb\tc\n1\t2\tx\n", "a:b b:n | x\n1 2 x\n");
    reads("c\nx\ny\n", " | x,y\nx\ny\n");
    reads("a,b,c\n", "a:b b:b |\n");
    hs_check_reads("tsv", NULL, "a,1\tb\tc\n1\t 2 \tx y\n", "a,1:b b:n | x y\n1 2 x y\n");
}

static void test_description(void **state)
{
    (void)state;
    const char *text = "gene,a,outcome\ng1,1,x\ng2,0,y\n";
    hsel_dataset *data = NULL;
    hsel_error error = {0};
    assert_ok(hs_read_text("csv", &(hs_column_options){.positive = "x"}, text, strlen(text), &data,
                           &error),
              error);
    assert_string_equal(data->class_attribute, "outcome");
    assert_string_equal(data->id_attribute, "gene");
    assert_int_equal(data->positive_class, 0);
    hsel_dataset_free(data);
}

static void test_bad(void **state)
{
    (void)state;
    refuses("", "t: the file is empty: a header line is needed");
    refuses("a,b,c\n1,2\n", "t:2: 2 fields, but the header has 3");
    refuses("a,b,c\n1,2,3\n\n1,2,3,4\n", "t:4: 4 fields, but the header has 3");
    refuses("a,b,a,c\n1,2,3,4\n", "t:1: columns 1 and 3 have the same name, a");
    refuses("a,c,c\n1,2,3\n", "t:1: columns 2 and 3 have the same name, c");
    refuses("a,,c\n1,2,3\n", "t:1: column 2 has no name in the header");
    refuses("a,c,\n1,2,3\n", "t:1: column 3 has no name in the header");
    refuses("id\ng1\n",
            "t: there is no column left for the class; 'no-class' reads data without one");
    refuses("a,x,c\n1,2,k\n0,inf,k\n", "t:3: the value inf of column x is not finite");
    refuses("a,x,c\n1,2,k\n0,-Infinity,k\n", "t:3: the value -Infinity of column x is not finite");
    refuses("a,x,c\n1,2,\"k\nl\"\n1,1e400,k\n", "t:4: the value 1e400 of column x is not finite");
    refuses("a,x,c\n1,\"2,k\n", "t:2: the quoted field 2 is not closed");
    refuses("a,x,c\n1,\"2\"3,k\n", "t:2: unexpected text after the closing quote of field 2");
    hs_check_refuses("csv", &(hs_column_options){.class_name = "klass"}, "a,class\n1,2\n",
                     HSEL_EUSAGE, "t: there is no column klass; did you mean class?");
    hs_check_refuses("csv", &(hs_column_options){.class_name = "3"}, "a,class\n1,2\n", HSEL_EUSAGE,
                     "t: there is no column 3; columns are numbered from 1 to 2");
    hs_check_refuses("tsv", NULL, "a\tb\tc\n1\t2\n", HSEL_EFORMAT,
                     "t:2: 2 fields, but the header has 3");
}

static void test_sniff(void **state)
{
    (void)state;
    const hs_format *csv = hs_method_find(HS_FORMAT, "csv", 3)->format;
    const hs_format *tsv = hs_method_find(HS_FORMAT, "tsv", 3)->format;
    static const struct {
        const char *head;
        int csv, tsv;
    } cases[] = {{"a,b,c\n1,2,3\n", 70, 0},
                 {"a;b;c\n1;2;3\n", 70, 0},
                 {"a\tb\tc\n1\t2\t3\n", 69, 70},
                 {"a,b\tc,d\n1,2\t3\n", 69, 70},
                 {"\"a\tb\",c\n1,2\n", 70, 0},
                 {"a,b,c\n1,2,", 70, 0},
                 {"a,b,c\nx,y,z\n", 40, 0},
                 {"a,b,c\nx,y", 40, 0},
                 {"a,b,c\nx,y\n", 10, 0},
                 {"1,2,3\n4,5,6\n", 40, 0},
                 {"a,b,c", 30, 0},
                 {"a,b,c\n", 20, 0},
                 {"a,b\n1,2,3,4\n", 35, 0},
                 {"a\r\nb\r\n", 11, 0},
                 {"a\n1\n", 25, 0},
                 {"1\n0\n", 0, 0},
                 {"some words\nand more\n", 0, 0},
                 {"1 3:1 5:1\n0 2:1\n", 0, 0},
                 {"%%MatrixMarket x\n3 3 1\n", 0, 0},
                 {"", 0, 0},
                 {"a,b\x01\n", 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(csv->sniff(cases[i].head), cases[i].csv);
        assert_int_equal(tsv->sniff(cases[i].head), cases[i].tsv);
    }
}

static void test_written_text(void **state)
{
    (void)state;
    const char *text = "gene,\"a,b\",x,n,\"say \"\"hi\"\"\"\n"
                       "g1,1,0.1,\" u\",\"two\nlines\"\n"
                       "\"\",0,NA,NA,NA\n"
                       "\"NA\",1,-3e-300,\"?\",\"NA\"\n"
                       "\"x;y\",1,2,plain,\"\tq\"\n";
    hsel_dataset *data = NULL;
    hsel_error error = {0};
    hs_buf out = {0};
    assert_ok(hs_read_text("csv", NULL, text, strlen(text), &data, &error), error);
    assert_ok(hs_write_text("csv", data, &out, &error), error);
    assert_string_equal(out.text, text);
    hs_buf_clear(&out);
    assert_ok(hs_write_text("tsv", data, &out, &error), error);
    assert_non_null(strstr(out.text, "g1\t1\t0.1\t\" u\"\t\"two\nlines\"\n"));
    hs_buf_clear(&out);
    hsel_dataset_free(data);
}

static void round_trip(const char *format, uint64_t round)
{
    hs_stream random;
    hs_buf text = {0};
    hsel_dataset *back = NULL;
    hsel_error error = {0};
    hs_stream_init(&random, 3, format, round, 0);
    hs_random_shape shape = hs_random_small_shape(&random);
    shape.features += shape.features == 0;
    shape.classes += shape.classes == 0;
    shape.numeric = hs_random_below(&random, 3) ? 0 : 0.3;
    shape.nominal = hs_random_below(&random, 3) ? 0 : 0.3;
    shape.missing = 0.2;
    shape.unlabelled = 0.1;
    shape.ids = hs_random_below(&random, 2);
    shape.spelling = (hs_spelling)hs_random_below(&random, 3);
    hsel_dataset *data = hs_random_dataset(&random, &shape);
    hs_column_options options = {.id = shape.ids && shape.instances ? "1" : NULL};
    assert_ok(hs_write_text(format, data, &text, &error), error);
    assert_ok(hs_read_text(format, &options, text.text, text.length, &back, &error), error);
    assert_ok(hsel_dataset_check(back, &error), error);
    hs_buf_clear(&text);
    hs_dump(data, &text);
    hs_buf other = {0};
    hs_dump(back, &other);
    const char *rows = strchr(text.text, '\n'), *rows_back = strchr(other.text, '\n');
    assert_string_equal(rows, rows_back);
    hs_buf_clear(&text);
    hs_buf_clear(&other);
    hsel_dataset_free(back);
    hsel_dataset_free(data);
}

static void test_round_trips(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < 1500; round++) {
        round_trip("csv", round);
        round_trip("tsv", round);
    }
}

/* ---- memory ---- */

static int trip(void *context, hsel_error *error)
{
    hsel_dataset *data = NULL;
    hs_buf out = {0};
    int status = hs_read_text("csv", NULL, context, strlen(context), &data, error);
    if (status == HSEL_OK)
        status = hs_write_text("csv", data, &out, error);
    hs_buf_clear(&out);
    hsel_dataset_free(data);
    return status;
}

/* Past the ends of batches of 64 and 512 KB and of 2 MB, with rows of all lengths, one of them
 * longer than any batch. */
static void test_large(void **state)
{
    hs_buf text = {0}, dump = {0};
    (void)state;
    hs_buf_text(&text, "id,x,name,c\n");
    hs_buf_text(&dump, "x:n name:{");
    for (int row = 0; row < 3000; row++) {
        int zeros = row == 2500 ? 2500000 : 1, length = row * 7919 % 2000 + 1;
        hs_buf_printf(&text, "i%d,%0*d%d.5,n%d_%0*d,k\n", row, zeros, 0, row, row, length, 0);
        hs_buf_printf(&dump, "%sn%d_%0*d", row ? "," : "", row, length, 0);
    }
    hs_buf_text(&dump, "} | k\n");
    for (int row = 0; row < 3000; row++)
        hs_buf_printf(&dump, "i%d %d.5 n%d_%0*d k\n", row, row, row, row * 7919 % 2000 + 1, 0);
    reads(text.text, dump.text);
    hs_buf_clear(&text);
    hs_buf_clear(&dump);
}

static void test_memory(void **state)
{
    (void)state;
    char good[] = "id,a,x,n,c\ng1,1,2.5,\"u\nv\",k\ng2,0,NA,w,l\n";
    char bad[] = "id,a,x,c\ng1,1,2.5,k\ng2,0,inf,l\n";
    assert_true(hs_oom_each("csv", trip, good) > 20);
    assert_true(hs_oom_each("csv", trip, bad) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types),        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_roles),        cmocka_unit_test(test_classes),
        cmocka_unit_test(test_layout),       cmocka_unit_test(test_description),
        cmocka_unit_test(test_bad),          cmocka_unit_test(test_sniff),
        cmocka_unit_test(test_written_text), cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_large),        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SVMlight: exact content, every kind of bad line with its message, random files against a matrix,
 * round trips with and without files of names, every allocation failing.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "support/cmocka.h"
#include "support/data_io.h"
#include "support/folder.h"
#include "support/oom.h"
#include "support/random_data.h"

extern const hs_method hs_method_svmlight;
static const hs_method *const svm = &hs_method_svmlight;

static void test_content(void **state)
{
    (void)state;
    hsel_dataset *data = hs_io_good(svm,
                                    "# made by hand\n"
                                    "+1 1:1 3:1 # gene a\n"
                                    "-1\t2:1 \t# b\n"
                                    "\n"
                                    "  1.0 qid:7 1:1 2:0 3:+1.0# c \r\n",
                                    NULL);
    assert_int_equal(hsel_dataset_instances(data), 3);
    assert_int_equal(hsel_dataset_features(data), 3);
    assert_int_equal(hsel_dataset_classes(data), 2);
    assert_string_equal(hsel_dataset_class_name(data, 0), "-1");
    assert_string_equal(hsel_dataset_class_name(data, 1), "1");
    assert_int_equal(data->positive_class, 1);
    assert_int_equal(hsel_dataset_class_of(data, 0), 1);
    assert_int_equal(hsel_dataset_class_of(data, 1), 0);
    assert_int_equal(hsel_dataset_class_of(data, 2), 1);
    assert_string_equal(hs_io_row(data, 0), "0 2");
    assert_string_equal(hs_io_row(data, 1), "1");
    assert_string_equal(hs_io_row(data, 2), "0 2");
    assert_string_equal(hsel_dataset_id(data, 0), "gene a");
    assert_string_equal(hsel_dataset_id(data, 2), "c");
    assert_string_equal(hsel_dataset_feature_name(data, 0), "f1");
    assert_string_equal(hsel_dataset_feature_name(data, 2), "f3");
    assert_true(hs_dataset_all_binary(data));
    hsel_dataset_free(data);
}

static void test_types(void **state)
{
    (void)state;
    hsel_dataset *data =
        hs_io_good(svm, "a 1:1 2:1 3:-0.5\nb 1:1 2:2e1 4:nan\nc 1:1.0 2:0 5:0\n", NULL);
    assert_int_equal(data->features, 5); /* an index with value 0 is a feature, too */
    assert_int_equal(data->types[0], HSEL_BINARY);
    assert_int_equal(data->types[1], HSEL_NUMERIC);
    assert_int_equal(data->types[2], HSEL_NUMERIC);
    assert_int_equal(data->types[3], HSEL_NUMERIC);
    assert_int_equal(data->types[4], HSEL_BINARY);
    assert_true(hs_io_value(data, 0, 1) == 1);
    assert_true(hs_io_value(data, 1, 1) == 20);
    assert_true(hs_io_value(data, 2, 1) == 0);
    assert_true(hs_io_value(data, 0, 2) == -0.5);
    assert_true(isnan(hs_io_value(data, 1, 3)));
    assert_true(hs_io_value(data, 0, 3) == 0);
    assert_string_equal(hs_io_row(data, 2), "0");
    hsel_dataset_free(data);
}

static void test_labels(void **state)
{
    (void)state;
    hsel_dataset *data = hs_io_good(
        svm, "10 1:1\n9 1:1\n+9.0 1:1\n1e1 1:1\n-0 1:1\n? 1:1\n12345678901234567890 1:1\n", NULL);
    assert_int_equal(data->class_names.count, 4);
    assert_string_equal(hsel_dataset_class_name(data, 0), "0");
    assert_string_equal(hsel_dataset_class_name(data, 1), "9");
    assert_string_equal(hsel_dataset_class_name(data, 2), "10");
    assert_string_equal(hsel_dataset_class_name(data, 3), "12345678901234567890"); /* as it is */
    assert_int_equal(hsel_dataset_class_of(data, 2), 1);
    assert_int_equal(hsel_dataset_class_of(data, 3), 2);
    assert_int_equal(hsel_dataset_class_of(data, 5), HSEL_NONE);
    hsel_dataset_free(data);
    data = hs_io_good(svm, "young 1:1\nold 1:1\nold # alone\n", NULL);
    assert_string_equal(hsel_dataset_class_name(data, 0), "old");
    assert_null(hsel_dataset_id(data, 2)); /* the others have none */
    hsel_dataset_free(data);
    data = hs_io_good(svm, "? 1:1\n? 2:1\n", NULL);
    assert_int_equal(hsel_dataset_classes(data), 0);
    assert_null(data->class_of);
    hsel_dataset_free(data);
}

static void test_options(void **state)
{
    (void)state;
    hs_column_options options = {.positive = "+1.0"};
    hsel_dataset *data = hs_io_good(svm, "1 1:1\n2 1:1\n", &options);
    assert_int_equal(data->positive_class, 0);
    hsel_dataset_free(data);
    options = (hs_column_options){.positive = "3"};
    hs_io_refuse(
        svm, "1 1:1\n2 1:1\n", &options,
        "there is no class '3' to use as the positive class; did you mean '1'? (classes: 1, 2)");
    options = (hs_column_options){.no_class = true};
    data = hs_io_good(svm, "1 1:1\n2:1 3:1\n1,2 2:1\nx\n", &options);
    assert_int_equal(data->class_names.count, 0);
    assert_int_equal(data->instances, 4);
    assert_string_equal(hs_io_row(data, 1), "1 2");
    assert_string_equal(hs_io_row(data, 2), "1");
    hsel_dataset_free(data);
}

static void test_zero_based(void **state)
{
    (void)state;
    hsel_dataset *data = hs_io_good(svm, "a 1:1 2:1\nb 0:1 2:1\n", NULL);
    assert_int_equal(data->features, 3);
    assert_string_equal(hs_io_row(data, 0), "1 2");
    assert_string_equal(hs_io_row(data, 1), "0 2");
    hsel_dataset_free(data);
    data = hs_io_good(svm, "a 0:0\nb\n", NULL);
    assert_int_equal(data->features, 1);
    hsel_dataset_free(data);
    data = hs_io_good(svm, "a\nb", NULL);
    assert_int_equal(data->features, 0);
    assert_int_equal(data->instances, 2);
    hsel_dataset_free(data);
}

static void test_bad(void **state)
{
    (void)state;
    static const hs_io_bad cases[] = {
        {"", "x: no instances"},
        {"\n# nothing\n  \n", "x: no instances"},
        {"1:1 2:1\n", "x:1: no label before 1:1 ('no-class' reads a file without labels)"},
        {"a 1:1\n\n3:1\n", "x:3: no label before 3:1 ('no-class' reads a file without labels)"},
        {"1,2 1:1\n", "x:1: several labels (1,2): multi-label data cannot be read"},
        {"1 2:1 1:1\n", "x:1: index 1 after 2: indices must ascend"},
        {"1 1:1\n2 2:1 2:1\n", "x:2: index 2 is given twice"},
        {"1 0:1 0:1\n", "x:1: index 0 is given twice"},
        {"1 1\n", "x:1: \"1\" is not index:value"},
        {"1 1:1 x\n", "x:1: \"x\" is not index:value"},
        {"1 -1:1\n", "x:1: \"-1:1\" is not index:value"},
        {"1 +1:1\n", "x:1: \"+1:1\" is not index:value"},
        {"1 :1\n", "x:1: \":1\" is not index:value"},
        {"1 1.5:1\n", "x:1: \"1.5:1\" is not index:value"},
        {"1 f1:1\n", "x:1: \"f1:1\" is not index:value"},
        {"1 1 :1\n", "x:1: \"1\" is not index:value"},
        {"1 268435456:1\n", "x:1: index 268435456 is above 268435455"},
        {"1 4294967297:1\n", "x:1: index 4294967297 is above 268435455"},
        {"1 99999999999999999999999999999:1\n",
         "x:1: \"99999999999999999999999999999:1\" is not index:value"},
        {"1 1:\n", "x:1: value \"\" of index 1 is not a number"},
        {"1 1: 1\n", "x:1: value \"\" of index 1 is not a number"},
        {"1 1:1:1\n", "x:1: value \"1:1\" of index 1 is not a number"},
        {"1 3:abc\n", "x:1: value \"abc\" of index 3 is not a number"},
        {"1 3:1x\n", "x:1: value \"1x\" of index 3 is not a number"},
        {"1 3:+\n", "x:1: value \"+\" of index 3 is not a number"},
        {"1 3:?\n", "x:1: value \"?\" of index 3 is not a number"},
        {"1 3:-inf\n", "x:1: value -inf of index 3 is not finite"},
        {"1 3:1e999\n", "x:1: value 1e999 of index 3 is not finite"},
        {"1 qid:a 1:1\n", "x:1: \"qid:a\" is not qid:number"},
        {"1 qid: 1:1\n", "x:1: \"qid:\" is not qid:number"},
        {"1 1:1 qid:1\n", "x:1: \"qid:1\" is not index:value"},
        {"1 200000000:1\n",
         "x: 200000000 features are out of proportion to 1 values (add a file with their names)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        hs_io_refuse(svm, cases[i].text, NULL, cases[i].message);
}

static void test_too_many_labels(void **state)
{
    (void)state;
    hs_buf text = {0};
    for (int i = 0; i < 65537; i++)
        hs_buf_printf(&text, "%d.5 1:1\n", i);
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    assert_int_equal(hs_io_read_text(svm, text.text, NULL, &data, &error), HSEL_ELIMIT);
    assert_string_equal(error.message, "x:65537: more than 65536 different labels");
    hs_buf_clear(&text);
}

/* ---- random text against a matrix ---- */

#define SIDE 9

static void put_value(hs_stream *stream, double value, hs_buf *out)
{
    static const char *const ones[] = {"1", "1", "1.0", "+1", "1e0", "01"};
    if (value == 1)
        hs_buf_text(out, ones[hs_random_below(stream, 6)]);
    else {
        char text[32];
        hs_format_double(value, text);
        hs_buf_text(out, text);
    }
}

static void random_text(hs_stream *stream, double cell[SIDE][SIDE], uint32_t base, hs_buf *out)
{
    static const double values[] = {1, 1, 1, 0, 2.5, -1, 1e-7};
    static const char *const gaps[] = {" ", "  ", "\t", " \t "};
    size_t usable = hs_random_below(stream, 2) ? 4 : 7;
    memset(cell, 0, SIDE * sizeof *cell);
    for (int r = 0; r < SIDE; r++) {
        hs_buf_text(out, hs_random_below(stream, 2) ? "yes" : "no");
        for (uint32_t c = 0; c < SIDE; c++) {
            bool last = r == 0 && (c == SIDE - 1 || (c == 0 && base == 0)); /* fix size and base */
            if (!last && hs_random_below(stream, 3))
                continue;
            cell[r][c] = values[hs_random_below(stream, usable)];
            hs_buf_text(out, gaps[hs_random_below(stream, 4)]);
            hs_buf_printf(out, "%u:", c + base);
            put_value(stream, cell[r][c], out);
        }
        hs_buf_text(out, hs_random_below(stream, 4) ? "\n" : "\r\n");
    }
}

static void test_random_text(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "svmlight", 0, 0);
    for (int round = 0; round < 2000; round++) {
        double cell[SIDE][SIDE];
        hs_buf text = {0};
        random_text(&stream, cell, (uint32_t)(round % 2), &text);
        hsel_dataset *data = hs_io_good(svm, text.text, NULL);
        assert_int_equal(data->instances, SIDE);
        assert_int_equal(data->features, SIDE);
        for (uint32_t c = 0; c < SIDE; c++) {
            bool binary = true;
            for (uint32_t r = 0; r < SIDE; r++) {
                binary &= cell[r][c] == 0 || cell[r][c] == 1;
                assert_true(hs_io_value(data, r, c) == cell[r][c]);
            }
            assert_int_equal(data->types[c], binary ? HSEL_BINARY : HSEL_NUMERIC);
        }
        hsel_dataset_free(data);
        hs_buf_clear(&text);
    }
}

/* ---- files ---- */

static void test_names_beside(void **state)
{
    (void)state;
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    hs_folder folder;
    char path[128], names[128];
    hs_folder_new(&folder);
    snprintf(path, sizeof path, "%s/a.b.svm", folder.path);
    snprintf(names, sizeof names, "%s/a.b.features.txt", folder.path);
    hs_io_put(path, "x 1:1\ny 3:1\n", 12);
    hs_io_put(names, "one\ntwo, too\nthree\r\nfour\n", 25);
    assert_ok(hs_io_read_file(svm, path, NULL, &data, &error), error);
    assert_int_equal(data->features, 4);
    assert_string_equal(hsel_dataset_feature_name(data, 1), "two, too");
    assert_string_equal(hsel_dataset_feature_name(data, 2), "three");
    assert_int_equal(hsel_dataset_find_feature(data, "four"), 3);
    hsel_dataset_free(data);
    data = NULL;

    char expected[512];
    hs_io_put(names, "one\ntwo\n", 8);
    snprintf(expected, sizeof expected, "%s: feature 3 occurs, but %s names 2 only", path, names);
    assert_int_equal(hs_io_read_file(svm, path, NULL, &data, &error), HSEL_EFORMAT);
    assert_string_equal(error.message, expected);
    hs_io_put(names, "one\ntwo\none\n", 12);
    snprintf(expected, sizeof expected, "%s:3: one is also the name on line 1", names);
    assert_int_equal(hs_io_read_file(svm, path, NULL, &data, &error), HSEL_EFORMAT);
    assert_string_equal(error.message, expected);
    hs_io_put(names, "one\n\nthree\n", 11);
    snprintf(expected, sizeof expected, "%s:2: empty name", names);
    assert_int_equal(hs_io_read_file(svm, path, NULL, &data, &error), HSEL_EFORMAT);
    assert_string_equal(error.message, expected);
    hs_folder_free(&folder);
}

static void test_written_text(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_buf text = {0};
    hsel_dataset *data =
        hs_io_good(svm, "+1 1:1 3:-2.5 4:0 # a\n? 3:1 # \n-1 2:1 3:nan # c d\n", NULL);
    assert_ok(hs_io_write_text(svm, data, &text, &error), error);
    assert_string_equal(text.text, "# hsel label -1 -1\n# hsel label 1 1\n# hsel label 0 ?\n"
                                   "1 1:1 3:-2.5 4:0 # a\n0 3:1 # \n-1 2:1 3:nan # c d\n");
    hs_buf_clear(&text);
    hsel_dataset_free(data);
    data = hs_io_good(svm, "2 1:1\n0.5 2:1\n7 1:1\n", NULL); /* numbers need no names */
    assert_ok(hs_io_write_text(svm, data, &text, &error), error);
    assert_string_equal(text.text, "2 1:1 2:0\n0.5 2:1\n7 1:1\n");
    hs_buf_clear(&text);
    hsel_dataset_free(data);
}

/* Other programs want numbers: names stand in comments, and reading gives them back. */
static void test_named_labels(void **state)
{
    (void)state;
    static const struct {
        const char *read, *written;
    } cases[] = {
        {"yes 1:1\nno 2:1\n", "# hsel label -1 no\n# hsel label 1 yes\n1 1:1 2:0\n-1 2:1\n"},
        {"c 1:1\na 1:1\nb 1:1\n", "# hsel label 1 a\n# hsel label 2 b\n# hsel label 3 c\n"
                                  "3 1:1\n1 1:1\n2 1:1\n"},
        {"# hsel label 5 a b: #c\n# hsel label 6 ,\n5 1:1\n+6.0 1:1\n",
         "# hsel label -1 ,\n# hsel label 1 a b: #c\n1 1:1\n-1 1:1\n"},
        {"? 1:1\n", "# hsel label 0 ?\n0 1:1\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hsel_error error = {0};
        hs_buf text = {0};
        hsel_dataset *data = hs_io_good(svm, cases[i].read, NULL), *back = NULL;
        assert_ok(hs_io_write_text(svm, data, &text, &error), error);
        assert_string_equal(text.text, cases[i].written);
        assert_ok(hs_io_read_text(svm, text.text, NULL, &back, &error), error);
        assert_null(hs_same_dataset(data, back, HS_SAME_IDS));
        hsel_dataset_free(back);
        hs_buf_clear(&text);
        hsel_dataset_free(data);
    }
    hsel_dataset *data = hs_io_good(svm, cases[0].written, &(hs_column_options){.positive = "no"});
    assert_string_equal(hsel_dataset_class_name(data, data->positive_class), "no");
    hsel_dataset_free(data);
    hsel_error error = {0};
    static const char *const bad[][2] = {
        {"# hsel label 1 a\n2 1:1\n",
         "x: other labels have names in lines # hsel label …, but 2 has none"},
        {"# hsel label 1 a\n# hsel label +1 b\n1 1:1\n",
         "x:2: label or name of \"+1 b\" is given twice"},
        {"# hsel label 1 a\n# hsel label 2 a\n1 1:1\n",
         "x:2: label or name of \"2 a\" is given twice"},
        {"# hsel label 1\n1 1:1\n", "x:1: \"1\" is not a label and its name"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(hs_io_read_text(svm, bad[i][0], NULL, &data, &error), HSEL_EFORMAT);
        assert_string_equal(error.message, bad[i][1]);
    }
}

static void test_unwritable(void **state)
{
    (void)state;
    static const char *const labels[][2] = {
        {"a\nb", "the class label \"a\\x0ab\" cannot be written to an SVMlight file"},
        {"?", "the class label \"?\" cannot be written to an SVMlight file"},
        {"", "the class label \"\" cannot be written to an SVMlight file"}};
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
        hsel_error error = {0};
        hs_buf text = {0};
        hsel_dataset *data = hs_io_good(svm, "1 1:1\n2 1:1\n", NULL);
        hs_names classes = {0};
        uint32_t id;
        assert_ok(hs_names_intern(&classes, "2", 1, &id, NULL, &error), error);
        assert_ok(hs_names_intern(&classes, labels[i][0], strlen(labels[i][0]), &id, NULL, &error),
                  error);
        hs_names_clear(&data->class_names);
        data->class_names = classes;
        assert_int_equal(hs_io_write_text(svm, data, &text, &error), HSEL_EUNSUPPORTED);
        assert_string_equal(error.message, labels[i][1]);
        hs_buf_clear(&text);
        hsel_dataset_free(data);
    }
    hs_stream stream;
    hs_stream_init(&stream, 4, "svmlight", 0, 0);
    hsel_error error = {0};
    hs_buf text = {0};
    hs_random_shape shape = {.instances = 5, .features = 2, .classes = 2, .nominal = 1};
    hsel_dataset *data = hs_random_dataset(&stream, &shape);
    assert_int_equal(hs_io_write_text(svm, data, &text, &error), HSEL_EUNSUPPORTED);
    assert_non_null(strstr(error.message, "SVMlight can hold only numbers, but feature "));
    assert_non_null(strstr(error.message, " is nominal"));
    hs_buf_clear(&text);
    hsel_dataset_free(data);
}

static hs_random_shape any_shape(hs_stream *stream, int round)
{
    hs_random_shape shape = hs_random_small_shape(stream);
    if (!shape.instances)
        shape.instances = 1;
    shape.numeric = round % 3 ? 0 : 0.3;
    shape.missing = round % 3 ? 0 : 0.1;
    shape.nominal = 0;
    shape.parents = 0;
    return shape;
}

static void test_round_trip(void **state)
{
    (void)state;
    hs_stream stream;
    hs_folder folder;
    char path[128];
    hs_folder_new(&folder);
    hs_stream_init(&stream, 2, "svmlight", 0, 0);
    for (int round = 0; round < 1500; round++) {
        hsel_error error = {0};
        hsel_dataset *back = NULL;
        hs_buf text = {0};
        hs_random_shape shape = any_shape(&stream, round);
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        assert_ok(hs_io_write_text(svm, data, &text, &error), error);
        assert_ok(hs_io_read_text(svm, text.text, NULL, &back, &error), error);
        const char *why = hs_same_dataset(data, back, HS_SAME_IDS);
        if (why)
            fail_msg("round %d: %s\n%s", round, why, text.text);
        hsel_dataset_free(back);
        hs_buf_clear(&text);
        if (round % 5 == 0) { /* with names, plain and compressed */
            snprintf(path, sizeof path, "%s/d.svm%s", folder.path, round % 2 ? ".gz" : "");
            assert_ok(hs_io_write_file(svm, data, path, &error), error);
            assert_ok(hs_io_read_file(svm, path, NULL, &back, &error), error);
            why = hs_same_dataset(data, back, HS_SAME_IDS | HS_SAME_FEATURE_NAMES);
            if (why)
                fail_msg("round %d: %s", round, why);
            hsel_dataset_free(back);
            hs_folder_free(&folder);
            hs_folder_new(&folder);
        }
        hsel_dataset_free(data);
    }
    hs_folder_free(&folder);
}

/* ---- memory ---- */

static int read_and_write(void *context, hsel_error *error)
{
    const char *path = context;
    hsel_dataset *data = NULL;
    int status = hs_io_read_file(svm, path, NULL, &data, error);
    if (!status)
        status = hs_io_write_file(svm, data, path, error);
    hsel_dataset_free(data);
    return status;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    static const char text[] = "+1 1:1 3:-2.5 # a\n? 3:1 # \n-1 2:1 3:nan # c d\n";
    hs_folder folder;
    char path[128];
    hs_folder_new(&folder);
    snprintf(path, sizeof path, "%s/d.svm", folder.path);
    hs_io_put(path, text, sizeof text - 1);
    assert_true(hs_oom_each("svmlight", read_and_write, path) > 20);
    /* names of features and of labels beside it, and the manifest */
    assert_int_equal(hs_folder_count(&folder), 4);
    hs_folder_free(&folder);
}

static void test_sniff(void **state)
{
    (void)state;
    int (*sniff)(const char *) = svm->format->sniff;
    assert_true(sniff("1 1:1\n") > 50);
    assert_true(sniff("# c\n+1 qid:3 1:1\n") > 50);
    assert_int_equal(sniff("a,b c:d\n"), 0);
    assert_int_equal(sniff("id: GO:1\n"), 0);
    assert_int_equal(sniff("format-version: 1.2\n"), 0);
    assert_int_equal(sniff("1 1"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_content),         cmocka_unit_test(test_types),
        cmocka_unit_test(test_labels),          cmocka_unit_test(test_options),
        cmocka_unit_test(test_zero_based),      cmocka_unit_test(test_bad),
        cmocka_unit_test(test_too_many_labels), cmocka_unit_test(test_random_text),
        cmocka_unit_test(test_names_beside),    cmocka_unit_test(test_written_text),
        cmocka_unit_test(test_unwritable),      cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_out_of_memory),   cmocka_unit_test(test_sniff),
        cmocka_unit_test(test_named_labels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

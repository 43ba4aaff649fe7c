/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * core/option.c: a table with every type of field; text in, text out, and what is answered to wrong
 * text.
 */
#include <string.h>

#include "core/option.h"
#include "support/cmocka.h"
#include "support/oom.h"

struct settings {
    bool fast;
    int k;
    uint32_t size;
    uint64_t seed;
    double threshold;
    const char *file;
    const char *label;
    hs_list items;
    int metric;
    int preset;
};

static const hs_option table[] = {
    HS_FLAG(struct settings, fast, "fast", "leave out the slow part"),
    HS_OPTION(struct settings, k, "k", "N", "1", -5, 1000, "number of neighbours"),
    HS_OPTION(struct settings, size, "size", "N", "10", 0, 4294967295.0, "how many"),
    HS_OPTION(struct settings, seed, "seed", "N", "42", 0, 18446744073709551615.0, "seed"),
    HS_OPTION(struct settings, threshold, "threshold", "X", "0.5", 0, 1, "threshold"),
    HS_TEXT(struct settings, file, "file", "FILE", NULL, "file to use"),
    HS_TEXT(struct settings, label, "label", "TEXT", "abc", "label"),
    HS_TEXT(struct settings, items, "items", "LIST", NULL, "items to take"),
    HS_CHOICE(struct settings, metric, "metric", "hamming|jaccard|none", "jaccard", "distance"),
    HS_PRESET(struct settings, preset, "none|old", "k=7,threshold=1,fast", "as before"),
    HS_OPTION_END};

typedef struct fixture {
    struct settings values;
    hs_arena arena;
    hs_buf buf;
    hsel_error error;
} fixture;

static int set_up(void **state)
{
    fixture *f = test_calloc(1, sizeof *f);
    assert_ok(hs_options_defaults(table, &f->values, &f->arena, &f->error), f->error);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    hs_arena_clear(&f->arena);
    hs_buf_clear(&f->buf);
    test_free(f);
    return 0;
}

/* A preset is set before all other options, wherever it stands, and leaves no other trace. */
static void test_preset(void **state)
{
    static const char *const texts[] = {"preset=old", "preset=old,k=3", "k=3,preset=old",
                                        "preset=none", "k=1,preset=old,fast=false,threshold=0.5"};
    static const char *const formatted[] = {"fast=true,k=7,threshold=1",
                                            "fast=true,k=3,threshold=1",
                                            "fast=true,k=3,threshold=1", "", ""};
    fixture *f = *state;
    for (size_t i = 0; i < 5; i++) {
        hs_buf_clear(&f->buf);
        assert_ok(hs_options_defaults(table, &f->values, &f->arena, &f->error), f->error);
        assert_ok(hs_options_parse(table, &f->values, texts[i], "test", &f->arena, &f->error),
                  f->error);
        hs_options_format(table, &f->values, &f->buf);
        assert_string_equal(f->buf.text ? f->buf.text : "", formatted[i]);
    }
    assert_int_equal(
        hs_options_parse(table, &f->values, "preset=new", "test", &f->arena, &f->error),
        HSEL_EUSAGE);
    assert_int_equal(
        hs_options_parse(table, &f->values, "preset=old,preset=old", "test", &f->arena, &f->error),
        HSEL_EUSAGE);
}

static void test_defaults(void **state)
{
    fixture *f = *state;
    assert_false(f->values.fast);
    assert_int_equal(f->values.k, 1);
    assert_int_equal(f->values.size, 10);
    assert_int_equal(f->values.seed, 42);
    assert_true(f->values.threshold == 0.5);
    assert_null(f->values.file);
    assert_string_equal(f->values.label, "abc");
    assert_int_equal(f->values.items.count, 0);
    assert_int_equal(f->values.metric, 1);
    hs_options_format(table, &f->values, &f->buf);
    assert_int_equal(f->buf.length, 0);
}

static int parse(fixture *f, const char *text)
{
    return hs_options_parse(table, &f->values, text, "knn", &f->arena, &f->error);
}

static void test_parse(void **state)
{
    fixture *f = *state;
    char text[] = "fast,k=-3,size=4294967295,seed=18446744073709551615,threshold=1e-3,file=a "
                  "b.csv,items=x,metric=none";
    assert_ok(parse(f, text), f->error);
    memset(text, 'z', sizeof text - 1); /* nothing points into it */
    assert_true(f->values.fast);
    assert_int_equal(f->values.k, -3);
    assert_int_equal(f->values.size, UINT32_MAX);
    assert_true(f->values.seed == UINT64_MAX);
    assert_true(f->values.threshold == 1e-3);
    assert_string_equal(f->values.file, "a b.csv");
    assert_int_equal(f->values.items.count, 1);
    assert_string_equal(f->values.items.items[0], "x");
    assert_int_equal(f->values.metric, 2);
    hs_options_format(table, &f->values, &f->buf);
    assert_string_equal(f->buf.text, "fast=true,k=-3,size=4294967295,seed=18446744073709551615,"
                                     "threshold=0.001,file=a b.csv,items=x,metric=none");
}

static void test_parse_forms(void **state)
{
    fixture *f = *state;
    assert_ok(parse(f, ""), f->error);
    assert_ok(parse(f, NULL), f->error);
    assert_ok(parse(f, "fast=yes"), f->error);
    assert_true(f->values.fast);
    assert_ok(parse(f, "fast=no"), f->error);
    assert_false(f->values.fast);
    assert_ok(parse(f, "fast=true"), f->error);
    assert_true(f->values.fast);
    assert_ok(parse(f, "fast=false,k=3"), f->error);
    assert_false(f->values.fast);
    assert_int_equal(f->values.k, 3);
    assert_int_equal(parse(f, "k=2,fast,k=3"), HSEL_EUSAGE);
    assert_string_equal(f->error.message, "option k of knn is given twice");
    assert_ok(parse(f, "items=a,items=b"), f->error);
    assert_int_equal(f->values.items.count, 2);
    assert_string_equal(f->values.items.items[1], "b");
    const hs_option *items = hs_option_find(table, "items", 5);
    assert_ok(hs_option_set(items, &f->values, "c,d", 3, &f->arena, &f->error), f->error);
    assert_int_equal(f->values.items.count, 4);
    assert_string_equal(f->values.items.items[3], "d");
}

static void refuse(fixture *f, const char *text, const char *word)
{
    f->error = (hsel_error){0};
    if (parse(f, text) != HSEL_EUSAGE)
        fail_msg("'%s' was taken", text);
    if (!strstr(f->error.message, word))
        fail_msg("'%s': the message '%s' does not have '%s'", text, f->error.message, word);
}

static void test_refused(void **state)
{
    fixture *f = *state;
    refuse(f, "k=1001", "k");
    refuse(f, "k=1001", "1000");
    refuse(f, "k=-6", "-5");
    refuse(f, "k=", "k");
    refuse(f, "k", "k");
    refuse(f, "k=x", "x");
    refuse(f, "k=1.5", "1.5");
    refuse(f, "k=99999999999999999999", "k");
    refuse(f, "size=-1", "size");
    refuse(f, "size=4294967296", "size");
    refuse(f, "seed=18446744073709551616", "seed");
    refuse(f, "threshold=1.0001", "threshold");
    refuse(f, "threshold=nan", "threshold");
    refuse(f, "threshold=-inf", "threshold");
    refuse(f, "metric=euclid", "hamming");
    refuse(f, "metric=", "metric");
    refuse(f, "metric=jacard", "jaccard");
    refuse(f, "fast=maybe", "fast");
    refuse(f, "=3", "knn");
    refuse(f, "treshold=0.5", "threshold");
    refuse(f, "treshold=0.5", "knn");
    refuse(f, "zzzzzzzzzzz=0.5", "zzzzzzzzzzz");
    assert_int_equal(f->values.k, 1); /* nothing of it was kept */
}

static void test_helpers(void **state)
{
    fixture *f = *state;
    assert_null(hs_option_find(table, "nothing", 7));
    assert_string_equal(hs_option_find(table, "metricx", 6)->name, "metric");
    assert_null(hs_option_find(table, "met", 3));
    assert_string_equal(hs_option_nearest(table, "treshold"), "threshold");
    assert_null(hs_option_nearest(table, "qqqqqqqqqq"));
    hs_option_describe(hs_option_find(table, "metric", 6), &f->buf);
    assert_string_equal(f->buf.text, "hamming|jaccard|none");
    f->buf.length = 0;
    hs_option_describe(hs_option_find(table, "k", 1), &f->buf);
    assert_string_equal(f->buf.text, "a whole number from -5 to 1000");
    f->buf.length = 0;
    hs_option_describe(hs_option_find(table, "file", 4), &f->buf);
    assert_string_equal(f->buf.text, "FILE");
    char word[64];
    assert_string_equal(hs_choice_word(hs_option_find(table, "metric", 6), 0, word, sizeof word),
                        "hamming");
    assert_string_equal(hs_choice_word(hs_option_find(table, "metric", 6), 2, word, sizeof word),
                        "none");
}

static int work(void *context, hsel_error *error)
{
    (void)context;
    struct settings values;
    hs_arena arena = {0};
    hs_buf buf = {0};
    int status = hs_options_defaults(table, &values, &arena, error);
    if (!status)
        status = hs_options_parse(table, &values, "k=3,file=x.csv,items=a,items=b,metric=none",
                                  "knn", &arena, error);
    if (!status) {
        hs_options_format(table, &values, &buf);
        if (buf.failed)
            status = hs_fail_memory(error);
    }
    hs_buf_clear(&buf);
    hs_arena_clear(&arena);
    return status;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    assert_true(hs_oom_each("options", work, NULL) > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_preset, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_defaults, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_parse, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_parse_forms, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_helpers, set_up, tear_down),
        cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

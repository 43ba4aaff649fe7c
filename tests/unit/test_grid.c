/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Grids: braces, decimal ranges, their order and number, and what makes no sense.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "core/text.h"
#include "study/grid.h"
#include "study/study.h"
#include "support/cmocka.h"
#include "support/oom.h"

typedef struct gathered {
    hs_buf text;
    uint64_t count;
    int stop_after; /* 0: never */
} gathered;

static int gather(gathered *g, const char *text, hsel_error *error)
{
    hs_buf_printf(&g->text, "%s%s", g->count ? " " : "", text);
    g->count++;
    if (g->text.failed)
        return hs_fail_memory(error);
    return g->count == (uint64_t)g->stop_after ? hs_fail(error, HSEL_ECANCELLED, "enough")
                                               : HSEL_OK;
}

/* Every combination, in order of writing, to `gather`; none of them to NULL. */
static int expand(const char *text, gathered *g, uint64_t *count, hsel_error *error)
{
    hs_buf setting = {0};
    hs_grid grid;
    int status = hs_grid_init(text, &grid, error);
    *count = status ? 0 : grid.count;
    for (bool more = g && status == HSEL_OK; more; more = hs_grid_next(&grid) && !status) {
        setting.length = 0;
        hs_grid_text(&grid, &setting);
        status = setting.failed ? hs_fail_memory(error) : gather(g, setting.text, error);
    }
    hs_buf_clear(&setting);
    return status;
}

static void expect(const char *text, const char *expected)
{
    gathered g = {0};
    hsel_error error = {0};
    uint64_t count, alone;
    assert_ok(expand(text, &g, &count, &error), error);
    assert_string_equal(g.text.text, expected);
    assert_int_equal(g.count, count);
    assert_ok(expand(text, NULL, &alone, &error), error);
    assert_int_equal(alone, count);
    hs_buf_clear(&g.text);
}

static void refuse(const char *text, int code, const char *message)
{
    hsel_error error = {0};
    uint64_t count;
    assert_int_equal(expand(text, NULL, &count, &error), code);
    assert_string_equal(error.message, message);
}

static void test_plain(void **state)
{
    (void)state;
    expect("", "");
    expect("rpv", "rpv");
    expect("rpv:measure=ig", "rpv:measure=ig");
    expect("../data/a..b/x.csv", "../data/a..b/x.csv");
    expect("x:file=../a", "x:file=../a"); /* dots after a sign that starts no number */
}

static void test_braces(void **state)
{
    (void)state;
    expect("shsel:threshold={0.98,0.99}", "shsel:threshold=0.98 shsel:threshold=0.99");
    expect("{a}", "a");
    expect("x:a={1,2},b={p,q}", "x:a=1,b=p x:a=1,b=q x:a=2,b=p x:a=2,b=q");
    expect("{CE,DM}-{BP,MF}/x", "CE-BP/x CE-MF/x DM-BP/x DM-MF/x");
    expect("{rpv,rpv:measure=ig}", "rpv rpv:measure=ig");
    expect("k={1,3..7/2,20}", "k=1 k=3 k=5 k=7 k=20");
}

static void test_ranges(void **state)
{
    (void)state;
    expect("a=0..1/0.25", "a=0 a=0.25 a=0.5 a=0.75 a=1");
    expect("a=0..1/0.3,b=x", "a=0,b=x a=0.3,b=x a=0.6,b=x a=0.9,b=x");
    expect("a=1..4", "a=1 a=2 a=3 a=4");
    expect("a=-0.5..0.5/0.5", "a=-0.5 a=0 a=0.5");
    expect("a=-0.02..0.01/0.01", "a=-0.02 a=-0.01 a=0 a=0.01");
    expect("a=+1..2/+1", "a=1 a=2");
    expect("a=7..7/3", "a=7");
    expect("a=1.50..1.70/0.10", "a=1.5 a=1.6 a=1.7");
    expect("a={1,2},b=0..1/0.5", "a=1,b=0 a=1,b=0.5 a=1,b=1 a=2,b=0 a=2,b=0.5 a=2,b=1");
    expect("a=0..10/10", "a=0 a=10");
    expect("a=99999999999999998..99999999999999999", "a=99999999999999998 a=99999999999999999");
    expect("a=0..0.0000000000000002/0.0000000000000001",
           "a=0 a=0.0000000000000001 a=0.0000000000000002");
}

/* The sweep of the SHSEL paper: a step of 0.01 added up in doubles goes wrong at 0.06. */
static void test_hundredths(void **state)
{
    (void)state;
    gathered g = {0};
    hs_buf expected = {0};
    hsel_error error = {0};
    uint64_t count;
    for (int i = 0; i <= 100; i++) {
        char number[40];
        hs_format_double(i / 100.0, number); /* the double nearest to the decimal */
        hs_buf_printf(&expected, "%st=%s", i ? " " : "", number);
    }
    assert_ok(expand("t=0..1/0.01", &g, &count, &error), error);
    assert_int_equal(count, 101);
    assert_string_equal(g.text.text, expected.text);
    hs_buf_clear(&g.text);
    hs_buf_clear(&expected);
}

/* Against a plain computation in whole numbers of thousandths. */
static void test_random_ranges(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 7, "ranges", 0, 0);
    for (int round = 0; round < 2000; round++) {
        int low = (int)hs_random_below(&stream, 4000) - 2000,
            high = low + (int)hs_random_below(&stream, 3000);
        int step = 1 + (int)hs_random_below(&stream, 700);
        char text[128], *words, *word;
        gathered g = {0};
        hsel_error error = {0};
        uint64_t count;
        snprintf(text, sizeof text, "v={%.3f..%.3f/%.3f}", low / 1000.0, high / 1000.0,
                 step / 1000.0);
        assert_ok(expand(text, &g, &count, &error), error);
        int value = low;
        words = g.text.text;
        for (word = strtok(words, " "); word; word = strtok(NULL, " "), value += step) {
            double read;
            char shortest[40];
            assert_true(hs_parse_double(word + 2, strlen(word + 2), &read));
            assert_true(read == value / 1000.0);
            hs_format_double(value / 1000.0, shortest);
            assert_string_equal(word + 2, shortest);
        }
        assert_true(value > high && value - step <= high);
        hs_buf_clear(&g.text);
    }
}

static void test_chosen(void **state)
{
    (void)state;
    hs_grid grid;
    hs_buf text = {0};
    hsel_error error = {0};
    assert_ok(
        hs_grid_init("shsel:similarity={ig,correlation},threshold=0.5..0.6/0.1", &grid, &error),
        error);
    for (bool more = true; more; more = hs_grid_next(&grid)) {
        hs_grid_chosen(&grid, &text);
        hs_buf_char(&text, ' ');
    }
    assert_string_equal(text.text, "ig,0.5 ig,0.6 correlation,0.5 correlation,0.6 ");
    text.length = 0;
    hs_grid_text(&grid, &text); /* after the last comes the first */
    assert_string_equal(text.text, "shsel:similarity=ig,threshold=0.5");
    hs_buf_clear(&text);
}

static void test_bad(void **state)
{
    (void)state;
    refuse("a=0..1/0", HSEL_EUSAGE, "the range 0..1/0 needs a step above 0");
    refuse("a=0..1/0.000", HSEL_EUSAGE, "the range 0..1/0.000 needs a step above 0");
    refuse("a=0..1/-0.1", HSEL_EUSAGE, "the range 0..1/-0.1 needs a step above 0");
    refuse("a=1..0/0.1", HSEL_EUSAGE, "the range 1..0/0.1 is empty: write the lower end first");
    refuse("a=0..x/0.1", HSEL_EUSAGE,
           "'0..x/0.1' is not a range: write LOW..HIGH/STEP in decimals, e.g. 0..1/0.05");
    refuse("a=0../0.1", HSEL_EUSAGE,
           "'0../0.1' is not a range: write LOW..HIGH/STEP in decimals, e.g. 0..1/0.05");
    refuse("a=0..1/", HSEL_EUSAGE,
           "'0..1/' is not a range: write LOW..HIGH/STEP in decimals, e.g. 0..1/0.05");
    refuse("a=0..1e3", HSEL_EUSAGE,
           "'0..1e3' is not a range: write LOW..HIGH/STEP in decimals, e.g. 0..1/0.05");
    refuse("a=0...1", HSEL_EUSAGE,
           "'0...1' is not a range: write LOW..HIGH/STEP in decimals, e.g. 0..1/0.05");
    refuse("a=0..123456789012345678", HSEL_EUSAGE,
           "'0..123456789012345678' is not a range: write LOW..HIGH/STEP in decimals, e.g. "
           "0..1/0.05");
    refuse("a={0.98", HSEL_EUSAGE, "a brace is not closed in 'a={0.98'");
    refuse("a=0.98}", HSEL_EUSAGE, "a brace is closed that was not opened in 'a=0.98}'");
    refuse("a={1,{2,3}}", HSEL_EUSAGE, "braces within braces in 'a={1,{2,3}}'");
    refuse("a={1,}", HSEL_EUSAGE, "an empty choice in '{1,}'");
    refuse("a={,1}", HSEL_EUSAGE, "an empty choice in '{,1}'");
    refuse("a={}", HSEL_EUSAGE, "an empty choice in '{}'");
    refuse("a={1,0..1/0}", HSEL_EUSAGE, "the range 0..1/0 needs a step above 0");
    refuse("a=0..99999999999999999/0.001", HSEL_ELIMIT,
           "the range 0..99999999999999999/0.001 has too many digits");
    refuse("{1}{1}{1}{1}{1}{1}{1}{1}{1}{1}{1}{1}{1}{1}{1}{1}{1}", HSEL_ELIMIT,
           "more than 16 braces and ranges in "
           "'{1}{1}{1}{1}{1}{1}{1}{1}{1}{1}{1}{1}{1}{1}{1}{1}{1}'");
}

/* A grid that explodes is counted at once, without a list of it. */
static void test_large(void **state)
{
    (void)state;
    hsel_error error = {0};
    gathered g = {.stop_after = 3};
    uint64_t count = 0;
    const char *text = "a=0..1/0.000001,b=0..1/0.000001";
    assert_ok(expand(text, NULL, &count, &error), error);
    assert_true(count == 1000001ull * 1000001ull);
    assert_int_equal(expand(text, &g, &count, &error), HSEL_ECANCELLED);
    assert_string_equal(g.text.text, "a=0,b=0 a=0,b=0.000001 a=0,b=0.000002");
    hs_buf_clear(&g.text);
    refuse("a=1..99999999999999999,b=1..1000", HSEL_ELIMIT,
           "'a=1..99999999999999999,b=1..1000' stands for more than 2^64 settings");
}

static int expand_all(void *context, hsel_error *error)
{
    gathered g = {0};
    uint64_t count;
    (void)context;
    int status = expand("a={1,2},b=0..1/0.05", &g, &count, error);
    hs_buf_clear(&g.text);
    return status;
}

static void test_memory(void **state)
{
    (void)state;
    assert_true(hs_oom_each("grid", expand_all, NULL) >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),         cmocka_unit_test(test_braces),
        cmocka_unit_test(test_ranges),        cmocka_unit_test(test_hundredths),
        cmocka_unit_test(test_random_ranges), cmocka_unit_test(test_chosen),
        cmocka_unit_test(test_bad),           cmocka_unit_test(test_large),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

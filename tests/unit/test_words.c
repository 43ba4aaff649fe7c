/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options in the words of each client, and what programs are told of an error beside its message.
 */
#include <errno.h>

#include "core/words.h"
#include "support/cmocka.h"

static const char *in(int dialect, const char *text)
{
    static char out[256];
    hsel_dialect_set(dialect);
    hs_words(text, out, sizeof out, NULL, 0);
    hsel_dialect_set(HSEL_DIALECT_LIBRARY);
    return out;
}

static void test_every_client_has_its_own(void **state)
{
    (void)state;
    static const struct {
        const char *text, *of[HSEL_DIALECTS];
    } cases[] = {
        {"give {features=FILE}",
         {"give features=FILE", "give --features FILE",
          "give features=", "give features =", "give 'prepare: features=FILE'"}},
        {"{drop-roots} and {no-class}",
         {"'drop-roots' and 'no-class'", "--drop-roots and --no-class", "drop_roots= and no_class=",
          "drop_roots = and no_class =", "'prepare: drop-roots' and 'prepare: no-class'"}},
        {"{cycles=merge}, {ignore=2}",
         {"cycles=merge, ignore=2", "--cycles merge, --ignore 2", "cycles=\"merge\", ignore=2",
          "cycles = \"merge\", ignore = 2", "'prepare: cycles=merge', 'prepare: ignore=2'"}},
        {"{transform=%s}, {ignore=%u}",
         {"transform=%s, ignore=%u", "--transform %s, --ignore %u", "transform=\"%s\", ignore=%u",
          "transform = \"%s\", ignore = %u", "'prepare: transform=%s', 'prepare: ignore=%u'"}},
        {"give {hierarchy=FILE}",
         {"give hierarchy=FILE", "give --hierarchy FILE",
          "give hierarchy=", "give hierarchy =", "give hierarchy: FILE"}},
        {"{repair}{insist}",
         {"repair with 'propagate', or accept it with 'allow-violations'",
          "repair with --propagate, or accept it with --allow-violations",
          "check that edges are (child, parent) before you repair with hsel.propagate(X, "
          "hierarchy): with reversed edges it makes nearly everything positive",
          "check that edges are child, parent before you repair with hsel_propagate()",
          "repair with 'prepare: propagate', or accept it with allow-violations: true"}},
        {"{:inner-folds} without {:k}",
         {"inner-folds without k", "inner-folds without k", "inner_folds without k",
          "inner_folds without k", "inner-folds without k"}},
        {"{A}, {value,...}, ${NAME}, {}, {open",
         {"{A}, {value,...}, ${NAME}, {}, {open", "{A}, {value,...}, ${NAME}, {}, {open",
          "{A}, {value,...}, ${NAME}, {}, {open", "{A}, {value,...}, ${NAME}, {}, {open",
          "{A}, {value,...}, ${NAME}, {}, {open"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int d = 0; d < HSEL_DIALECTS; d++)
            assert_string_equal(in(d, cases[i].text), cases[i].of[d]);
    assert_string_equal(in(77, "{class}"), "'class'");
    assert_string_equal(in(-1, "{class}"), "'class'");
}

static void test_text_ends_where_the_room_does(void **state)
{
    (void)state;
    char out[9], word[HS_WORD_ROOM], options[12];
    assert_string_equal(hs_words("{max-instances=N}", out, sizeof out, NULL, 0), "max-inst");
    assert_string_equal(hs_option_word("min-support", word), "'min-support'");
    hs_words("{class} {no-class} {target}", out, sizeof out, options, sizeof options);
    assert_memory_equal(options, "class\0no-cl\0", sizeof options);
}

static void test_programs_are_told(void **state)
{
    (void)state;
    hsel_error error, again;
    assert_int_equal(hs_because(HSEL_CYCLE, &error,
                                hs_fail_at(&error, HSEL_EFORMAT, "f", 3,
                                           "%s: {cycles=drop} or {id}", "a {class}")),
                     HSEL_EFORMAT);
    assert_string_equal(error.message, "f:3: a {class}: cycles=drop or 'id'");
    assert_memory_equal(error.options, "cycles\0id\0", 11);
    assert_int_equal(error.reason, HSEL_CYCLE);
    assert_int_equal(hs_about_option("k", &error, HSEL_EUSAGE), HSEL_EUSAGE);
    assert_memory_equal(error.options, "cycles\0id\0k\0", 13);
    /* What is said again keeps what programs are told; a new failure does not. */
    assert_int_equal(hs_fail_as(&again, HSEL_EUSAGE, "g", 0, "not read: ", &error), HSEL_EUSAGE);
    assert_string_equal(again.message, "g: not read: f:3: a {class}: cycles=drop or 'id'");
    assert_int_equal(again.reason, HSEL_CYCLE);
    assert_memory_equal(again.options, "cycles\0id\0k\0", 13);
    assert_int_equal(hs_fail(&again, HSEL_EIO, "other"), HSEL_EIO);
    assert_int_equal(again.reason, HSEL_NO_REASON);
    assert_string_equal(again.options, "");
    errno = ENOENT;
    assert_int_equal(hs_fail_errno(&error, "f", "open"), HSEL_EIO);
    assert_int_equal(error.reason, HSEL_MISSING_FILE);
    assert_int_equal(hs_fail_as(NULL, HSEL_EIO, NULL, 0, "", &error), HSEL_EIO);
    assert_int_equal(hs_about_option("k", NULL, HSEL_EIO), HSEL_EIO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_client_has_its_own),
                                       cmocka_unit_test(test_text_ends_where_the_room_does),
                                       cmocka_unit_test(test_programs_are_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * data/about.c: labels and further texts of features, kept by copies, parts and joins.
 */
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "data/about.h"
#include "support/cmocka.h"
#include "support/oom.h"

static void put(hs_names *names, const char *text)
{
    hsel_error error = {0};
    assert_ok(hs_names_append(names, text, strlen(text), &error), error);
}

/* Three items with the columns given, cells row by row. */
static hs_about table(const char *const *columns, size_t count, const char *const *cells)
{
    hs_about about = {0};
    for (size_t c = 0; c < count; c++)
        put(&about.columns, columns[c]);
    for (size_t i = 0; i < 3 * count; i++)
        put(&about.cells, cells[i]);
    return about;
}

static const char *const two[] = {"label", "namespace"};
static const char *const cells[] = {"cell cycle", "P", "", "P", "Kinase activity", "F"};

static void test_get_and_find(void **state)
{
    (void)state;
    hs_about about = table(two, 2, cells), none = {0};
    uint32_t others;
    assert_string_equal(hs_about_label(&about, 0), "cell cycle");
    assert_null(hs_about_label(&about, 1));
    assert_null(hs_about_label(&about, 3));
    assert_null(hs_about_label(&none, 0));
    assert_string_equal(hs_about_get(&about, 2, 1), "F");
    assert_null(hs_about_get(&about, 2, HSEL_NONE));
    assert_int_equal(hs_about_find(&about, "kinase ACTIVITY", &others), 2);
    assert_int_equal(others, 0);
    assert_int_equal(hs_about_find(&about, "kinase", &others), HSEL_NONE);
    assert_int_equal(hs_about_find(&none, "", &others), HSEL_NONE);
    hs_about_clear(&about);
}

static void test_double_labels_are_counted(void **state)
{
    (void)state;
    static const char *const same[] = {"a", "b", "A"};
    hs_about about = table(two, 1, same);
    uint32_t others;
    assert_int_equal(hs_about_find(&about, "a", &others), 0);
    assert_int_equal(others, 1);
    hs_about_clear(&about);
}

static void test_copy_and_subset(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_about about = table(two, 2, cells), copy, part, none = {0}, empty;
    const bool keep[] = {false, true, true};
    assert_ok(hs_about_copy(&about, &copy, &error), error);
    assert_ok(hs_about_subset(&copy, keep, 3, &part, &error), error);
    assert_ok(hs_about_subset(&none, keep, 3, &empty, &error), error);
    hs_about_clear(&about);
    assert_null(hs_about_label(&part, 0));
    assert_string_equal(hs_about_label(&part, 1), "Kinase activity");
    assert_string_equal(hs_about_get(&part, 0, 1), "P");
    assert_string_equal(hs_about_label(&copy, 0), "cell cycle");
    assert_int_equal(empty.columns.count, 0);
    hs_about_clear(&copy);
    hs_about_clear(&part);
}

static void test_join_prefers_what_is_new(void **state)
{
    (void)state;
    static const char *const other[] = {"definition", "label"};
    static const char *const more[] = {"d0", "Cell Cycle", "d1", "growth", "", ""};
    hsel_error error = {0};
    hs_about about = table(two + 1, 1, (const char *const[]){"P", "P", "F"}),
             with = table(other, 2, more), first = table(two, 2, cells);
    assert_ok(hs_about_join(&about, &with, 3, &error), error);
    assert_string_equal(hs_names_get(&about.columns, 0), "label"); /* always the first */
    assert_string_equal(hs_about_label(&about, 1), "growth");
    assert_string_equal(hs_about_get(&about, 2, hs_about_column(&about, "namespace")), "F");
    assert_string_equal(hs_about_get(&about, 0, hs_about_column(&about, "definition")), "d0");
    assert_ok(hs_about_join(&first, &with, 3, &error), error);
    assert_string_equal(hs_about_label(&first, 0), "Cell Cycle");
    assert_string_equal(hs_about_label(&first, 2), "Kinase activity"); /* empty replaces nothing */
    hs_about_clear(&about);
    hs_about_clear(&with);
    hs_about_clear(&first);
}

static void test_terms_of_a_graph(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_graph graph = {0};
    hs_about about = {0};
    uint32_t spaces[] = {0, HSEL_NONE};
    put(&graph.terms, "GO:1");
    put(&graph.terms, "GO:2");
    put(&graph.titles, "one");
    put(&graph.titles, "");
    put(&graph.namespaces, "biological_process");
    assert_ok(hs_about_terms(&graph, (const uint32_t[]){HSEL_NONE, 1, 0}, 3, &about, &error),
              error);
    assert_int_equal(about.columns.count, 1); /* no namespaces in the file */
    assert_null(hs_about_label(&about, 0));
    assert_null(hs_about_label(&about, 1));
    assert_string_equal(hs_about_label(&about, 2), "one");
    hs_about_clear(&about);
    graph.namespace_of = spaces;
    assert_ok(hs_about_terms(&graph, (const uint32_t[]){0, 1}, 2, &about, &error), error);
    assert_string_equal(hs_about_get(&about, 0, 1), "biological_process");
    assert_null(hs_about_get(&about, 1, 1));
    hs_about_clear(&about);
    assert_ok(hs_about_terms(&graph, (const uint32_t[]){1, 1}, 2, &about, &error), error);
    assert_int_equal(about.columns.count, 0); /* nothing known of these */
    graph.namespace_of = NULL;
    hs_graph_clear(&graph);
}

static void test_search(void **state)
{
    (void)state;
    static const char *const labels[] = {"b", "Same", "sAME"};
    hsel_error error = {0};
    hs_about about = table(two, 1, labels), none = {0};
    hs_names ids = {0};
    hs_buf near = {0};
    uint32_t found;
    put(&ids, "a");
    put(&ids, "b");
    put(&ids, "c");
    assert_ok(hs_about_search(&about, &ids, "feature", "b", &found, &near, &error), error);
    assert_int_equal(found, 1); /* the identifier wins */
    assert_ok(hs_about_search(&about, &ids, "feature", "B", &found, &near, &error), error);
    assert_int_equal(found, 0);
    assert_int_equal(hs_about_search(&about, &ids, "feature", "SAME", &found, &near, &error),
                     HSEL_EUSAGE);
    assert_string_equal(error.message,
                        "2 features are called 'SAME': b Same, c sAME; give an identifier");
    assert_int_equal(near.length, 0);
    assert_ok(hs_about_search(&about, &ids, "feature", "sam", &found, &near, &error), error);
    assert_int_equal(found, HSEL_NONE);
    assert_string_equal(near.text, "; did you mean b Same, c sAME?");
    assert_ok(hs_about_search(&about, &ids, "feature", "nothing", &found, NULL, &error), error);
    assert_int_equal(found, HSEL_NONE);
    assert_ok(hs_about_search(&none, &ids, "feature", "c", &found, NULL, &error), error);
    assert_int_equal(found, 2);
    hs_buf_clear(&near);
    hs_names_clear(&ids);
    hs_about_clear(&about);
}

static void test_pick(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_about about = table(two, 2, cells), picked = {0}, none = {0}, nothing = {0};
    const uint32_t from[] = {2, HSEL_NONE, 0, 2};
    assert_ok(hs_about_pick(&about, from, 4, &picked, &error), error);
    assert_ok(hs_about_pick(&none, from, 4, &nothing, &error), error);
    assert_string_equal(hs_about_label(&picked, 0), "Kinase activity");
    assert_null(hs_about_label(&picked, 1));
    assert_null(hs_about_get(&picked, 1, 1));
    assert_string_equal(hs_about_label(&picked, 2), "cell cycle");
    assert_string_equal(hs_about_get(&picked, 3, 1), "F");
    assert_false(hs_has_labels(&nothing));
    hs_about_clear(&about);
    hs_about_clear(&picked);
}

static void test_label_after_an_identifier(void **state)
{
    (void)state;
    hs_about about = table(two, 2, cells), none = {0};
    char space[HS_LABEL_ROOM];
    assert_string_equal(hs_label_after(&about, 0, space), " cell cycle");
    assert_string_equal(space + 1, "cell cycle");
    assert_string_equal(hs_label_after(&about, 1, space), "");
    assert_string_equal(hs_label_after(&none, 0, space), "");
    hs_about_clear(&about);
}

static int join_once(void *context, hsel_error *error)
{
    hs_about *about = context, copy = {0};
    int status = hs_about_copy(about, &copy, error);
    if (status == HSEL_OK)
        status = hs_about_join(&copy, about, 3, error);
    hs_about_clear(&copy);
    if (status == HSEL_OK)
        status = hs_about_pick(about, (const uint32_t[]){2, HSEL_NONE}, 2, &copy, error);
    hs_about_clear(&copy);
    return status;
}

static void test_failing_allocations(void **state)
{
    (void)state;
    hs_about about = table(two, 2, cells);
    assert_true(hs_oom_each("join", join_once, &about) > 3);
    hs_about_clear(&about);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_get_and_find),
        cmocka_unit_test(test_double_labels_are_counted),
        cmocka_unit_test(test_copy_and_subset),
        cmocka_unit_test(test_join_prefers_what_is_new),
        cmocka_unit_test(test_terms_of_a_graph),
        cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_search),
        cmocka_unit_test(test_pick),
        cmocka_unit_test(test_label_after_an_identifier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Label tables: headers, columns, conflicts, and what is said about mistakes in them.
 */
#include "support/cmocka.h"

#include "support/assemble_world.h"

static void expect_labels(const char *text, const hs_label_options *options, const char *expected)
{
    hs_labels labels = {0};
    hsel_error error = {0};
    hs_buf shown = {0};
    assert_ok(hs_add_labels(&labels, text, options, &error), error);
    for (uint32_t i = 0; i < labels.ids.count; i++)
        hs_buf_printf(&shown, "%s=%s@%u ", hs_names_get(&labels.ids, i),
                      labels.class_of[i] == HSEL_NONE
                          ? "?"
                          : hs_names_get(&labels.classes, labels.class_of[i]),
                      labels.line[i]);
    assert_string_equal(shown.text, expected);
    hs_buf_clear(&shown);
    hs_labels_clear(&labels);
}

static void labels_are_read(void **state)
{
    (void)state;
    expect_labels("entrez\tclass\n1\t0\n2\t1\n", NULL, "1=0@2 2=1@3 ");
    /* No header: what stands in the first line's class column is a class. */
    expect_labels("1\t0\n2\t1\n3\t0\n", NULL, "1=0@1 2=1@2 3=0@3 ");
    hs_label_options options = {.header = HS_HEADER_YES};
    expect_labels("1\t0\n2\t1\n3\t0\n", &options, "2=1@2 3=0@3 ");
    options.header = HS_HEADER_NO;
    expect_labels("1\t7\n2\t1\n3\t0\n", &options, "1=7@1 2=1@2 3=0@3 ");
    options = (hs_label_options){.id = "b", .class_name = "a"};
    expect_labels("a,b,c\nx,1,u\ny,2,v\n", &options, "1=x@2 2=y@3 ");
    options = (hs_label_options){.id = "2", .class_name = "1"};
    expect_labels("a,b,c\nx,1,u\ny,2,v\n", &options, "1=x@2 2=y@3 ");
    expect_labels("id\tclass\n1\tx\n2\t?\n3\tNA\n4\t\n1\tx\n", NULL, "1=x@2 ");
}

static void labels_conflict(void **state)
{
    (void)state;
    static const char text[] = "id\tclass\n1\tx\n2\ty\n1\ty\n1\tx\n";
    hs_labels labels = {0};
    hsel_error error = {0};
    assert_int_equal(hs_add_labels(&labels, text, NULL, &error), HSEL_EFORMAT);
    assert_string_equal(error.message, "labels.tsv:4: 1 has class y here, but class x on line 2");
    hs_labels_clear(&labels);
    hs_label_options options = {.conflicts = HS_CONFLICTS_DROP};
    expect_labels(text, &options, "1=?@2 2=y@3 ");
    options.conflicts = HS_CONFLICTS_FIRST;
    expect_labels(text, &options, "1=x@2 2=y@3 ");
    hs_assemble_world w = {.options = {.min_support = 1}};
    options.conflicts = HS_CONFLICTS_DROP;
    assert_ok(hs_add_edges(&w.graph, hs_assemble_edges, &error), error);
    assert_ok(hs_add_annotations(&w.annotations, "1 D -,2 A -", &error), error);
    assert_ok(hs_add_labels(&w.labels, text, &options, &error), error);
    hs_assemble_expect_rows(&w, "2 y: A R\n");
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_LABELS_CONFLICT), 1);
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_UNLABELLED), 1);
    hs_assemble_world_clear(&w);
}

static void expect_bad_labels(const char *text, const hs_label_options *options,
                              const char *message)
{
    hs_labels labels = {0};
    hsel_error error = {0};
    assert_true(hs_add_labels(&labels, text, options, &error) < 0);
    assert_string_equal(error.message, message);
    hs_labels_clear(&labels);
}

static void bad_labels_are_refused(void **state)
{
    (void)state;
    expect_bad_labels("one\n", NULL,
                      "labels.tsv:1: a label table needs an identifier and a class, with a tab, a "
                      "comma or a semicolon between them");
    expect_bad_labels("id\tclass\n", NULL, "labels.tsv: no labels in it");
    expect_bad_labels("id\tclass\n\tx\n", NULL, "labels.tsv:2: no identifier");
    hs_label_options options = {.class_name = "status"};
    expect_bad_labels("id\tclass\n1\tx\n", &options,
                      "labels.tsv: there is no column status");
    options.class_name = "1";
    expect_bad_labels("id\tclass\n1\tx\n", &options,
                      "labels.tsv: identifier and class are the same column of the label table "
                      "(id)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_are_read),
        cmocka_unit_test(labels_conflict),
        cmocka_unit_test(bad_labels_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

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
                      hs_label_of(labels.columns, i) ? hs_label_of(labels.columns, i) : "?",
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
    options =
        (hs_label_options){.id = "b", .classes = {.items = (const char *[]){"a"}, .count = 1}};
    expect_labels("a,b,c\nx,1,u\ny,2,v\n", &options, "1=x@2 2=y@3 ");
    options =
        (hs_label_options){.id = "2", .classes = {.items = (const char *[]){"1"}, .count = 1}};
    expect_labels("a,b,c\nx,1,u\ny,2,v\n", &options, "1=x@2 2=y@3 ");
    expect_labels("id\tclass\n1\tx\n2\t?\n3\tNA\n4\t\n1\tx\n", NULL, "1=x@2 2=?@3 3=?@4 4=?@5 ");
    /* A class may be known later; one that is not known contradicts none. */
    expect_labels("id\tclass\n1\t?\n2\ty\n1\tx\n2\tNA\n", NULL, "1=x@2 2=y@3 ");
    /* No class in the first line does not make it a header. */
    expect_labels("1\t?\n2\ty\n3\tx\n", NULL, "1=?@1 2=y@2 3=x@3 ");
    /* A list. */
    expect_labels("one\n2\n", NULL, "one=?@1 2=?@2 ");
    expect_labels("gene\n1\n2\n2\n", NULL, "1=?@2 2=?@3 ");
}

static hs_label_options classes(const char **names, size_t count)
{
    return (hs_label_options){.classes = {.items = names, .count = count}};
}

/* The further classes of each object: "1=a,b ". */
static void expect_further(const hs_labels *labels, const char *expected)
{
    hs_buf shown = {0};
    for (uint32_t i = 0; i < labels->ids.count; i++) {
        hs_buf_printf(&shown, "%s=", hs_names_get(&labels->ids, i));
        for (size_t k = 1; k < labels->column_count; k++) {
            const char *label = hs_label_of(&labels->columns[k], i);
            hs_buf_printf(&shown, "%s%s", k > 1 ? "," : "", label ? label : "?");
        }
        hs_buf_char(&shown, ' ');
    }
    assert_string_equal(shown.text, expected);
    hs_buf_clear(&shown);
}

static void several_classes_are_read(void **state)
{
    static const char text[] = "gene\ta\tb\tc\n1\tx\t?\tu\n2\t?\tq\tv\n3\ty\tp\t\n";
    hs_labels labels = {0}, more = {0};
    hsel_error error = {0};
    (void)state;
    hs_label_options options = classes((const char *[]){"c", "b"}, 2);
    assert_ok(hs_add_labels(&labels, text, &options, &error), error);
    assert_string_equal(labels.columns->name, "c");
    expect_further(&labels, "1=? 2=q 3=p ");
    hs_labels_clear(&labels);
    options = classes((const char *[]){"all"}, 1);
    assert_ok(hs_add_labels(&labels, text, &options, &error), error);
    assert_string_equal(labels.columns->name, "a");
    expect_further(&labels, "1=?,u 2=q,v 3=p,? ");
    /* Another table: a column of the same name goes on, another one is further, objects are added.
     */
    assert_ok(hs_add_labels(&more, "gene,c,d\n2,v,1\n3,u,1\n7,w,?\n", &options, &error), error);
    assert_ok(hs_labels_join(&labels, &more, HS_CONFLICTS_ERROR, &error), error);
    hs_labels_clear(&more);
    expect_further(&labels, "1=?,u,? 2=q,v,1 3=p,u,1 7=?,w,? ");
    assert_int_equal(labels.columns->class_of[3], HSEL_NONE);
    /* A list adds objects; a table without header is called by its file. */
    assert_ok(hs_add_labels(&more, "8\n1\n", NULL, &error), error);
    assert_ok(hs_labels_join(&labels, &more, HS_CONFLICTS_ERROR, &error), error);
    hs_labels_clear(&more);
    assert_ok(hs_add_labels(&more, "8 ,k\n1,l\n2,k\n", NULL, &error), error);
    assert_ok(hs_labels_join(&labels, &more, HS_CONFLICTS_ERROR, &error), error);
    assert_string_equal(labels.columns[4].name, "labels");
    hs_labels_clear(&more);
    expect_further(&labels, "1=?,u,?,l 2=q,v,1,k 3=p,u,1,? 7=?,w,?,? 8=?,?,?,k ");
    /* Tables that contradict each other. */
    options = classes((const char *[]){"b"}, 1);
    assert_ok(hs_add_labels(&more, "gene,b\n1,z\n2,z\n", &options, &error), error);
    assert_int_equal(hs_labels_join(&labels, &more, HS_CONFLICTS_ERROR, &error), HSEL_EFORMAT);
    assert_string_equal(error.message,
                        "labels.tsv:3: 2 has class z here, but class q in a label table before");
    hs_labels_clear(&more);
    hs_labels_clear(&labels);
    /* A list that comes first takes the class of the table behind it. */
    assert_ok(hs_add_labels(&labels, "8\n1\n", NULL, &error), error);
    assert_ok(hs_add_labels(&more, text, NULL, &error), error);
    assert_ok(hs_labels_join(&labels, &more, HS_CONFLICTS_ERROR, &error), error);
    assert_string_equal(labels.columns->name, "c");
    assert_int_equal(labels.ids.count, 4);
    assert_int_equal(labels.columns->class_of[0], HSEL_NONE);
    assert_int_equal(labels.columns->class_of[1], 0);
    hs_labels_clear(&more);
    hs_labels_clear(&labels);
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
    expect_bad_labels("gene\n", NULL, "labels.tsv: no labels in it");
    expect_bad_labels("id\tclass\n", NULL, "labels.tsv: no labels in it");
    expect_bad_labels("id\tclass\n\tx\n", NULL, "labels.tsv:2: no identifier");
    hs_label_options options = {.classes = {.items = (const char *[]){"status"}, .count = 1}};
    expect_bad_labels("id\tclass\n1\tx\n", &options, "labels.tsv: there is no column status");
    options.classes.items[0] = "1";
    expect_bad_labels("id\tclass\n1\tx\n", &options,
                      "labels.tsv: identifier and class are the same column of the label table "
                      "(id)");
    options.classes = (hs_list){.items = (const char *[]){"a", "b"}, .count = 2};
    expect_bad_labels("id\ta\ta\n1\tx\ty\n", &options,
                      "labels.tsv: there is no column b; did you mean a?");
    options.classes.items[1] = "3";
    expect_bad_labels("id\ta\ta\n1\tx\ty\n", &options, "labels.tsv:1: two columns are called a");
    expect_bad_labels("id\ta\t\n1\tx\ty\n", &options,
                      "labels.tsv:1: column 3 has no name in the header");
    options.classes.items[1] = "2";
    expect_bad_labels("id\ta\tb\n1\tx\ty\n", &options, "labels.tsv: class a is given twice");
    options.classes.items[1] = "b";
    options.header = HS_HEADER_NO;
    expect_bad_labels("id\ta\tb\n1\tx\ty\n", &options,
                      "labels.tsv: several columns of classes need a header with their names");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_are_read),
        cmocka_unit_test(several_classes_are_read),
        cmocka_unit_test(labels_conflict),
        cmocka_unit_test(bad_labels_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

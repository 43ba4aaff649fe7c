/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loading as users see it (hsel_dataset_read): files and folders, every preparation, and each
 * allocation failing in turn.
 */
#include <stdio.h>
#include <string.h>

#include "data/dataset.h"
#include "load/load.h"
#include "support/cmocka.h"
#include "support/folder.h"
#include "support/oom.h"

extern const hs_method hs_method_obo;

static hs_folder folder;

static void put(const char *name, const char *text)
{
    FILE *file = fopen(hs_folder_file(&folder, name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* root over a and b, a over c, and c under root too, which a longer path implies. d stands alone, x
 * is no feature. */
static int set_up(void **state)
{
    (void)state;
    hs_folder_new(&folder);
    put("data.csv", "gene,root,a,b,c,d,class\n"
                    "g1,1,1,0,1,0,yes\n"
                    "g2,1,0,1,0,1,no\n"
                    "g3,0,0,0,1,0,yes\n");
    put("hierarchy.tsv", "a\troot\nb\troot\nc\tx\nx\ta\nc\troot\na\troot\nb\tb\n");
    put("meta.json", "{\"class\": {\"attribute\": \"class\", \"positive_class\": \"no\"}, "
                     "\"id_column\": \"gene\"}\n");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    hs_folder_free(&folder);
    return 0;
}

static hsel_dataset *load(const char *path, const char *options)
{
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    assert_ok(hsel_dataset_read(path, options, &data, &error), error);
    assert_ok(hsel_dataset_check(data, &error), error);
    return data;
}

static uint32_t positives(const hsel_dataset *data, const char *feature)
{
    size_t count;
    uint32_t f = hsel_dataset_find_feature(data, feature);
    assert_int_not_equal(f, HSEL_NONE);
    hsel_dataset_column(data, f, &count);
    return (uint32_t)count;
}

static void test_folder(void **state)
{
    (void)state;
    hsel_dataset *data = load(folder.path, NULL);
    assert_int_equal(hsel_dataset_instances(data), 3);
    assert_int_equal(hsel_dataset_features(data), 5);
    assert_string_equal(hsel_dataset_id(data, 2), "g3");
    assert_string_equal(hsel_dataset_class_name(data, hsel_dataset_class_of(data, 1)), "no");
    assert_string_equal(hsel_dataset_class_name(data, data->positive_class), "no");
    const hsel_dag *dag = hsel_dataset_hierarchy(data);
    assert_non_null(dag);
    assert_int_equal(hsel_dag_edges(dag), 4); /* a-root, b-root, c-a through x, c-root */
    assert_int_equal(hsel_dag_depth(dag, hsel_dataset_find_feature(data, "c")), 2);
    assert_int_equal(positives(data, "a"), 1);
    hsel_dataset_free(data);
}

static void test_preparations(void **state)
{
    (void)state;
    hsel_dataset *data = load(folder.path, "propagate");
    assert_int_equal(positives(data, "a"), 2);
    assert_int_equal(positives(data, "root"), 3);
    assert_int_equal(positives(data, "d"), 1);
    hsel_dataset_free(data);
    data = load(folder.path, "edges=reduce");
    assert_int_equal(hsel_dag_edges(hsel_dataset_hierarchy(data)), 3);
    hsel_dataset_free(data);
    data = load(folder.path, "drop-roots");
    assert_int_equal(hsel_dataset_find_feature(data, "root"), HSEL_NONE);
    assert_int_equal(hsel_dataset_features(data), 4);
    assert_int_equal(hsel_dag_edges(hsel_dataset_hierarchy(data)), 1);
    hsel_dataset_free(data);
    /* In this order: a gains a second positive by propagation before rare features are dropped;
     * roots last. */
    data = load(folder.path, "propagate,min-support=2,drop-roots");
    assert_int_equal(hsel_dataset_features(data), 2);
    assert_string_equal(hsel_dataset_feature_name(data, 0), "a");
    assert_string_equal(hsel_dataset_feature_name(data, 1), "c");
    hsel_dataset_free(data);
    data = load(folder.path, "no-hierarchy,class=d,positive=0");
    assert_null(hsel_dataset_hierarchy(data));
    assert_int_equal(hsel_dataset_classes(data), 2);
    hsel_dataset_free(data);
}

static void test_cycles(void **state)
{
    (void)state;
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    put("hierarchy.tsv", "a\tb\nb\ta\nc\tb\n");
    assert_int_equal(hsel_dataset_read(folder.path, NULL, &data, &error), HSEL_EFORMAT);
    assert_null(data);
    assert_non_null(strstr(error.message, "a -> b -> a"));
    data = load(folder.path, "cycles=drop");
    assert_int_equal(hsel_dataset_features(data), 5);
    assert_int_equal(hsel_dag_edges(hsel_dataset_hierarchy(data)), 2);
    hsel_dataset_free(data);
    data = load(folder.path, "cycles=merge");
    assert_int_equal(hsel_dataset_features(data),
                     4); /* a and b are one, positive where either was */
    assert_int_equal(positives(data, "a"), 2);
    hsel_dataset_free(data);
}

static void expect(const char *options, int status, const char *words)
{
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    assert_int_equal(hsel_dataset_read(folder.path, options, &data, &error), status);
    assert_null(data);
    if (!strstr(error.message, words))
        fail_msg("'%s' does not have '%s'", error.message, words);
    assert_int_equal(hsel_dataset_read(folder.path, options, &data, NULL),
                     status); /* nobody listens */
}

static void test_refused(void **state)
{
    (void)state;
    expect("hierachy=x", HSEL_EUSAGE, "hierarchy");
    expect("class=colour", HSEL_EUSAGE, "colour");
    expect("positive=maybe", HSEL_EUSAGE, "maybe");
    expect("format=obo", HSEL_EFORMAT, "data.csv");
    expect("hierarchy=/no/such.obo", HSEL_EIO, "/no/such.obo");
    put("meta.json", "{\"class\": ");
    expect(NULL, HSEL_EFORMAT, "meta.json");
    put("meta.json", "[]");
    hsel_dataset_free(load(folder.path, "class=class,id=gene"));
    put("data.arff", "@relation x\n");
    expect(NULL, HSEL_EFORMAT, "data.");
}

static int read_and_write(void *context, hsel_error *error)
{
    hsel_dataset *data = NULL;
    char out[600];
    snprintf(out, sizeof out, "%s/out.hsel", folder.path);
    int status = hsel_dataset_read(folder.path, context, &data, error);
    if (!status)
        status = hsel_dataset_write(data, out, error);
    hsel_dataset_free(data);
    if (status)
        assert_int_equal(hs_folder_count(&folder), 3);
    remove(out);
    return status;
}

/* What is read of a file without columns, and what OBO knows beyond a data set. */
static int ignore_and_write(void *context, hsel_error *error)
{
    hs_load_options options = {.columns.ignore = {.items = (const char *[]){"f2"}, .count = 1}};
    hs_graph_options relations = {
        .relations = {.items = (const char *[]){"is_a", "part_of"}, .count = 2}};
    hs_load_report report = {0};
    hsel_dataset *data = NULL;
    hs_buf text = {0};
    hs_writer *out = NULL;
    char svm[600], obo[600];
    snprintf(svm, sizeof svm, "%s/x.svm", folder.path);
    snprintf(obo, sizeof obo, "%s/x.obo", folder.path);
    int status = hs_load(svm, &options, &report, &data, error);
    if (!status)
        assert_int_equal(data->features, 2);
    hsel_dataset_free(data);
    hs_load_report_clear(&report);
    data = NULL;
    options = (hs_load_options){.graph = relations};
    if (!status)
        status = hs_load(obo, &options, &report, &data, error);
    if (!status)
        status = hs_writer_open_memory(&text, &out, error);
    if (!status && (status = hs_method_obo.format->write_graph(data, out, error)))
        hs_writer_abandon(out);
    else if (!status)
        status = hs_writer_commit(out, error);
    if (!status)
        assert_string_equal(text.text, context);
    hs_buf_clear(&text);
    hsel_dataset_free(data);
    hs_load_report_clear(&report);
    return status;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    static char obo[] = "format-version: 1.2\n\n[Term]\nid: a\nname: an a\nnamespace: n\n"
                        "\n[Term]\nid: b\nis_a: a\n"
                        "\n[Term]\nid: c\nis_a: a\nrelationship: part_of b\n"
                        "\n[Typedef]\nid: part_of\n";
    put("x.svm", "yes 1:1 3:1\nno 2:1\n");
    put("x.obo", obo);
    hs_oom_each("ignored and written", ignore_and_write, obo);
    remove(hs_folder_file(&folder, "x.svm"));
    remove(hs_folder_file(&folder, "x.obo"));
    static char all[] = "propagate,min-support=2,edges=reduce,drop-roots,threads=1";
    assert_true(hs_oom_each("plain", read_and_write, NULL) > 20);
    assert_true(hs_oom_each("prepared", read_and_write, all) > 40);
    static char merge[] = "cycles=merge";
    put("hierarchy.tsv", "a\tb\nb\ta\nc\tb\n");
    hs_oom_each("merged", read_and_write, merge);
    hs_oom_each("cycle", read_and_write, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_folder, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_preparations, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_cycles, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_out_of_memory, set_up, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Published figures: the tables that are shipped, what is left out of them, and tables that are
 * wrong.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/published.h"
#include "support/cmocka.h"
#include "support/folder.h"
#include "support/oom.h"

#define SHIPPED "../studies/published/"

static void expect_figure(const hs_figures *f, const char *dataset, const char *selector,
                          const char *classifier, const char *metric, double value,
                          const char *table)
{
    const hs_figure *figure =
        hs_published_find(f, &(hs_published){0}, dataset, selector, classifier, metric);
    if (!figure)
        fail_msg("no figure for %s %s %s %s", dataset, selector, classifier, metric);
    assert_true(fabs(figure->value - value) < 1e-12);
    assert_string_equal(figure->table, table);
}

static void expect_none(const hs_figures *f, const char *dataset, const char *selector,
                        const char *classifier, const char *metric)
{
    assert_null(hs_published_find(f, &(hs_published){0}, dataset, selector, classifier, metric));
}

static void test_rpv(void **state)
{
    (void)state;
    hs_figures f = {0};
    hsel_error error = {0};
    assert_ok(hs_figures_read(SHIPPED "rpv_2020.csv", &f, &error), error);
    assert_string_equal(f.paper, "rpv-2020");
    expect_figure(&f, "CE-CC", "nofs", "nb", "auprc", 0.563, "table2");
    expect_figure(&f, "CE-BP", "rpv-lazyr", "nb", "gm", 0.657, "table4"); /* not Table 5's 50.4 */
    expect_figure(&f, "CE-BP", "rpv-lazyr", "1nn", "auprc", 0.504, "table2");
    expect_figure(&f, "CE-BP", "nofs", "7nn", "gm", 0.411, "tableB1");
    expect_figure(&f, "CE-BP", "hip", "", "selected_pct", 0.07, "table10");
    expect_figure(&f, "Stb.upon", "nofs", "nb", "gm", 0.687, "table4");
    expect_none(&f, "CE-BP", "gtd", "nb", "auprc"); /* misprinted in Table 7 … */
    expect_figure(&f, "CE-BP", "gtd", "1nn", "auprc", 0.453, "table7"); /* … not for 1-NN … */
    expect_figure(&f, "CE-BP", "gtd", "nb", "gm", 0.586, "table9");     /* … nor GM */
    expect_none(&f, "CE-BP", "cfs", "nb", "gm");
    expect_none(&f, "CE-BP", "cfs", "1nn", "auprc");
    expect_none(&f, "Tweets C", "nofs", "nb", "auroc");
    expect_none(&f, "Tweets T", "rpv-lazyr", "nb", "auroc");
    expect_none(&f, "Tweets T", "cfs", "nb", "auroc");
    expect_figure(&f, "Tweets T", "nofs", "nb", "auprc", 0.816, "table2");
    expect_none(&f, "Cities", "nofs", "nb", "gm");
    expect_none(&f, "NY Daily", "nofs", "nb", "auroc");
    expect_none(&f, "MM-BP", "cfs", "", "selected_pct");
    expect_none(&f, "CE-BP", "nofs", "nb", "accuracy");
    hs_figures_clear(&f);
    assert_null(f.figure);
}

static void test_others(void **state)
{
    (void)state;
    hs_figures f = {0};
    hsel_error error = {0};
    assert_ok(hs_figures_read(SHIPPED "gahfs_2018.csv", &f, &error), error);
    assert_int_equal(f.keys.count, 384);
    assert_int_equal(f.misprints, 0);
    expect_figure(&f, "CE-BP", "hip", "nb", "gm", 0.614, "table3");
    assert_ptr_equal(hs_published_find(&f, &(hs_published){0}, "CE-BPCCMF", "hip", "nb", "gm"),
                     hs_published_find(&f, &(hs_published){0}, "CE-BP.CC.MF", "hip", "nb", "gm"));
    assert_non_null(hs_published_find(&f, &(hs_published){0}, "CE-BPCCMF", "hip", "nb", "gm"));
    hs_figures_clear(&f);
    assert_ok(hs_figures_read(SHIPPED "hieaode_2020.csv", &f, &error), error);
    assert_int_equal(f.keys.count, 420);
    expect_figure(&f, "CE-BP", "", "aode", "sensitivity", 0.402, "table2");
    assert_true(
        fabs(hs_published_find(&f, &(hs_published){0}, "CE-BP", "", "aode", "sensitivity")->error -
             0.035) < 1e-12);
    assert_true(isnan(hs_published_find(&f, &(hs_published){0}, "CE-BP", "", "aode", "gm")->error));
    hs_figures_clear(&f);
    assert_ok(hs_figures_read(SHIPPED "shsel_2014.csv", &f, &error), error);
    assert_int_equal(f.keys.count, 1023);
    expect_figure(&f, "SportsTweetsT", "CompleteFS", "3nn", "accuracy", 0.759, "table3");
    hs_figures_clear(&f);
    assert_ok(hs_figures_read(SHIPPED "tbfs_2012.csv", &f, &error), error);
    assert_int_equal(f.keys.count, 578);
    expect_figure(&f, "Ov", "chi2", "nb", "auroc", 0.993, "table5");
    hs_figures_clear(&f);
}

static void test_map(void **state)
{
    (void)state;
    static const char *const from[] = {"none", "knn", "LDCities"}, *const to[] = {"nofs", "1nn",
                                                                                  "Cities"};
    const hs_published map = {.file = "x", .from = from, .to = to, .count = 3};
    hs_figures f = {0};
    hsel_error error = {0};
    assert_ok(hs_figures_read(SHIPPED "rpv_2020.csv", &f, &error), error);
    assert_true(fabs(hs_published_find(&f, &map, "CE-BP", "none", "knn", "gm")->value - 0.584) <
                1e-12);
    assert_ptr_equal(hs_published_find(&f, &map, "LDCities", "none", "knn", "auprc"),
                     hs_published_find(&f, &(hs_published){0}, "Cities", "nofs", "1nn", "auprc"));
    assert_non_null(hs_published_find(&f, &(hs_published){0}, "Cities", "nofs", "1nn", "auprc"));
    assert_null(hs_published_find(&f, &map, "LDCities", "none", "knn", "gm"));
    hs_figures_clear(&f);
}

/* ---- tables of our own ---- */

static void put(hs_folder *folder, const char *name, const char *text)
{
    FILE *file = fopen(hs_folder_file(folder, name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    fclose(file);
}

static void refuse(hs_folder *folder, const char *text, int code, const char *message)
{
    hs_figures f = {0};
    hsel_error error = {0};
    put(folder, "t.csv", text);
    const char *path = hs_folder_file(folder, "t.csv");
    assert_int_equal(hs_figures_read(path, &f, &error), code);
    assert_int_equal(strncmp(error.message, folder->path, strlen(folder->path)), 0);
    assert_string_equal(error.message + strlen(folder->path) + 1, message);
    assert_null(f.figure);
}

static void test_bad(void **state)
{
    (void)state;
    hs_folder folder;
    hs_figures f = {0};
    hsel_error error = {0};
    hs_folder_new(&folder);
    refuse(&folder, "filter_a,filter_b,statistic,value\na,b,c,1\n", HSEL_EFORMAT,
           "t.csv:1: there is no column 'dataset'");
    refuse(&folder, "dataset,percent\na,1\n", HSEL_EFORMAT, "t.csv:1: there is no column 'metric'");
    refuse(&folder, "dataset,metric,per\na,gm,1\n", HSEL_EFORMAT,
           "t.csv:1: there is no column 'percent' or 'value'");
    refuse(&folder, "dataset,metric,percent\na,gm,1\nb,gm,x\n", HSEL_EFORMAT,
           "t.csv:3: 'x' is not a number");
    refuse(&folder, "dataset,metric,percent,se\na,gm,1,nan\n", HSEL_EFORMAT,
           "t.csv:2: 'nan' is not a number");
    put(&folder, "t.csv", "dataset,metric,value\na.b,gm,0.5\nab,gm,0.7\n");
    assert_ok(hs_figures_read(hs_folder_file(&folder, "t.csv"), &f, &error), error);
    assert_int_equal(f.keys.count, 1); /* the first counts */
    assert_true(hs_published_find(&f, &(hs_published){0}, "a.b", "", "", "gm")->value == 0.5);
    assert_string_equal(f.paper, "");
    hs_figures_clear(&f);
    put(&folder, "misprints.csv", "paper,table,dataset\n");
    refuse(&folder, "dataset,metric,value\n", HSEL_EFORMAT,
           "misprints.csv:1: there is no column 'selector'");
    put(&folder, "misprints.csv",
        "paper,table,dataset,selector,classifier,metric,why\np,,a,,,,x\n");
    put(&folder, "t.csv", "paper,dataset,metric,value\nq,a,gm,1\np,a,gm,2\np,b,gm,3\n");
    assert_ok(hs_figures_read(hs_folder_file(&folder, "t.csv"), &f, &error), error);
    assert_int_equal(f.misprints, 1);
    assert_true(hs_published_find(&f, &(hs_published){0}, "a", "", "", "gm")->value == 1);
    assert_true(hs_published_find(&f, &(hs_published){0}, "b", "", "", "gm")->value == 3);
    hs_figures_clear(&f);
    hs_folder_free(&folder);
}

static int read_small(void *context, hsel_error *error)
{
    hs_figures f = {0};
    int status = hs_figures_read(context, &f, error);
    hs_figures_clear(&f);
    return status;
}

static void test_memory(void **state)
{
    (void)state;
    hs_folder folder;
    char path[512];
    hs_folder_new(&folder);
    put(&folder, "misprints.csv",
        "paper,table,dataset,selector,classifier,metric,why\np,,a,,,,x\np,,b,,,,x\n");
    put(&folder, "t.csv",
        "paper,table,dataset,selector,classifier,metric,percent,se\np,t,a,s,c,gm,1,2\np,t,c,s,c,gm,"
        "1,2\n");
    snprintf(path, sizeof path, "%s", hs_folder_file(&folder, "t.csv"));
    assert_true(hs_oom_each("hs_figures_read", read_small, path) > 10);
    hs_folder_free(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rpv), cmocka_unit_test(test_others), cmocka_unit_test(test_map),
        cmocka_unit_test(test_bad), cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

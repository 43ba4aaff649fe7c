/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a report shows beside its tables of results: words from outside, the CSV, published figures,
 * the features most selected, and the data of charts. Samples are run by hs_crossval_run.
 */
#include "support/cmocka.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "study/store.h"
#include "support/report_world.h"

/* ---- words from outside ---- */

static void test_hostile_names(void **state)
{
    static const char text[] =
        "name: hostile\n"
        "title: \"</title><script>alert(1)</script>\"\n"
        "datasets:\n"
        "  - {name: \"<script>\\\"'&\", generate: "
        "\"ontology:instances=40,features=20,positives=5\", seed: 1}\n"
        "  - {name: \"\\\\input{x}%_#$^~[*\", generate: "
        "\"ontology:instances=40,features=20,positives=5\", seed: 2}\n"
        "selectors: [{label: \"a<b\", method: none}, {label: \"c&d\", method: rpv}]\n"
        "classifiers: [{label: \"</table>\", method: nb}]\n"
        "folds: {count: 3}\nmetrics: [gm]\n";
    hs_report_world w = {0};
    (void)state;
    hs_report_world_new(&w, &(hs_sample){.text = text});
    hs_report_world_make(&w, NULL);
    hs_buf html = hs_report_world_text(&w, HS_REPORT_HTML);
    hs_assert_lacks(&html, "<script");
    hs_assert_lacks(&html, "<img");
    hs_assert_contains(&html, "<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</title>");
    hs_assert_contains(&html, "<th scope=\"row\">&lt;script&gt;&quot;&#39;&amp;</th>");
    hs_assert_contains(&html, ">a&lt;b</th>");
    hs_assert_contains(&html, ">c&amp;d</th>");
    hs_assert_contains(&html, "with &lt;/table&gt;, in percent</caption>");
    hs_buf_clear(&html);
    hs_buf latex = hs_report_world_text(&w, HS_REPORT_LATEX);
    hs_assert_lacks(&latex, "\\input{x}");
    hs_assert_contains(
        &latex,
        "\\textbackslash{}input\\{x\\}\\%\\_\\#\\$\\textasciicircum{}\\textasciitilde{}{[}{*} & ");
    hs_buf_clear(&latex);
    hs_buf csv = hs_report_world_text(&w, HS_REPORT_CSV);
    hs_assert_contains(&csv, "\n\"<script>\"\"'&\",none,nb,gm,ok,1,");
    hs_buf_clear(&csv);
    hs_report_world_free(&w);
}

/* ---- CSV ---- */

static void test_csv(void **state)
{
    hs_report_world w = {0};
    (void)state;
    hs_report_world_new(&w, &(hs_sample){.text = hs_report_study});
    hs_report_world_make(&w, NULL);
    hs_buf csv = hs_report_world_text(&w, HS_REPORT_CSV);
    const hs_study *study = &w.report.study;
    char *rest = NULL, *line = strtok_r(csv.text, "\n", &rest);
    assert_string_equal(line, "dataset,selector,classifier,metric,state,repeats,fold_mean,fold_"
                              "mean_sd,pooled,pooled_sd,published");
    for (size_t d = 0; d < 3; d++)
        for (size_t s = 0; s < study->selector_count; s++)
            for (size_t c = 0; c < study->classifier_count; c++)
                for (size_t m = 0; m < 2; m++) {
                    const hs_outcome *outcome = hs_outcome_of(&w.report.outcomes, d, s, c);
                    hs_metric metric = m ? HS_METRIC_ACCURACY : HS_METRIC_GM;
                    char start[256], numbers[4][32];
                    hs_format_double(outcome->fold_mean[metric], numbers[0]);
                    hs_format_double(outcome->fold_mean_sd[metric], numbers[1]);
                    hs_format_double(outcome->pooled[metric], numbers[2]);
                    hs_format_double(outcome->pooled_sd[metric], numbers[3]);
                    snprintf(start, sizeof start, "%s,%s,%s,%s,ok,2,%s,%s,%s,%s,",
                             study->datasets[d].name, study->selectors[s].text,
                             study->classifiers[c].text, hs_metric_name(metric), numbers[0],
                             numbers[1], numbers[2], numbers[3]);
                    assert_string_equal(strtok_r(NULL, "\n", &rest), start);
                }
    assert_null(strtok_r(NULL, "\n", &rest));
    hs_buf_clear(&csv);
    hs_report_world_free(&w);
}

/* ---- published values ---- */

static void test_published(void **state)
{
    static const char text[] =
        "name: pub\n" REPORT_DATASETS "selectors: [none, rpv]\nclassifiers: [nb]\n"
        "folds: {count: 3}\nmetrics: [gm]\n"
        "published: {file: figures.csv, map: {none: nofs}}\n";
    hs_report_world w = {0};
    (void)state;
    hs_report_world_new(&w, NULL);
    hs_report_world_file(
        &w, "figures.csv",
        "paper,table,dataset,selector,classifier,metric,percent\np-1,t,beta,nofs,nb,gm,40.0\n");
    hs_sample_run(&(hs_sample){.text = text}, w.store);
    hs_report_world_make(&w, NULL); /* found beside the store */
    const hs_board *board = &w.report.boards.boards[0];
    assert_true(board->score[1 * 2 + 0].published == 0.4);
    assert_true(isnan(board->score[0].published) && isnan(board->score[1 * 2 + 1].published));
    char expected[64];
    double difference = 100 * board->score[2].value - 40;
    snprintf(expected, sizeof expected, "<small>40.0 %s%.1f</small>", difference < 0 ? "−" : "+",
             fabs(difference));
    hs_buf html = hs_report_world_text(&w, HS_REPORT_HTML);
    hs_assert_contains(&html, expected);
    hs_assert_contains(&html, "Our values and those of p-1");
    hs_buf_clear(&html);
    hs_report_clear(&w.report);
    hs_report_world_make(&w, &(hs_report_request){.folder = "/nowhere"});
    hs_buf plain = hs_report_world_text(&w, HS_REPORT_TEXT);
    hs_assert_contains(&plain, "The published figures are missing: /nowhere/figures.csv");
    hs_buf_clear(&plain);
    hs_report_world_free(&w);
}

/* ---- most selected features ---- */

static void test_features(void **state)
{
    hs_report_world w = {0};
    uint64_t count[20] = {0}, tested = 0, most = 0;
    hsel_error error = {0};
    (void)state;
    hs_report_world_new(&w, &(hs_sample){.text = hs_report_study});
    hs_report_world_make(&w, NULL);
    const hs_stored_dataset *data = &w.report.outcomes.datasets[0];
    assert_ok(hs_store_frequencies(w.report.store,
                                   &(hs_result_key){data->id, "rpv", NULL, "own", 4, 5}, 2, count,
                                   &tested, &error),
              error);
    assert_int_equal(tested, 2 * 48);
    uint32_t top = 0;
    for (uint32_t f = 0; f < 20; f++)
        if (count[f] > most) {
            most = count[f];
            top = f;
        }
    const hs_doc_grid *grid = NULL;
    for (size_t i = 0; i < w.report.doc.count && !grid; i++)
        if (w.report.doc.parts[i].kind == HS_PART_FOLD &&
            strcmp(w.report.doc.parts[i].title, "alpha") == 0)
            grid = w.report.doc.parts[i + 1].grid;
    assert_non_null(grid);
    assert_int_equal(grid->rows, 20);
    char share[32];
    snprintf(share, sizeof share, "%.1f %%", 100 * (double)most / 96);
    assert_string_equal(grid->head[3].text, "rpv");
    assert_string_equal(grid->cells[3].text, hs_names_get(&data->feature_names, top));
    assert_string_equal(grid->cells[3].aside, share);
    assert_string_equal(grid->cells[1].text, "all features"); /* none selects everything */
    hs_report_world_free(&w);
}

/* Labels stand above the identifiers, as text, whatever they are, and cut where they are long. */
static void test_labels(void **state)
{
    static const char script[] = "</td><script>alert('&')</script>\t\xff\u202e";
    static char longest[100001];
    hs_report_world w = {0};
    hsel_error error = {0};
    (void)state;
    memset(longest, 'x', sizeof longest - 1);
    hs_report_world_new(&w, &(hs_sample){.text = hs_report_study});
    hs_report_world_make(&w, NULL);
    hs_stored_dataset *data = &w.report.outcomes.datasets[0];
    hs_about_clear(&data->about);
    assert_ok(hs_names_append(&data->about.columns, "label", 5, &error), error);
    for (uint32_t f = 0; f < data->features; f++) {
        const char *label = f % 3 == 0 ? script : f % 3 == 1 ? longest : "";
        assert_ok(hs_names_append(&data->about.cells, label, strlen(label), &error), error);
    }
    hs_document_clear(&w.report.doc);
    assert_ok(hs_report_add_sections(&w.report, true, &error), error);
    hs_buf html = hs_report_world_text(&w, HS_REPORT_HTML);
    hs_assert_lacks(&html, "<script");
    hs_assert_lacks(&html, "\t");
    hs_assert_contains(&html, ">&lt;/td&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;"
                              "\\x09\\xff\\u202e <small>T");
    assert_true(html.length < sizeof longest);
    char line[200];
    snprintf(line, sizeof line, ">%.99s… <small>T", longest);
    hs_assert_contains(&html, line);
    snprintf(line, sizeof line, ">%s <small>", hs_names_get(&data->feature_names, 2));
    hs_assert_contains(&html, line); /* has no label */
    hs_buf_clear(&html);
    hs_report_world_free(&w);
}

/* ---- charts ---- */

static void test_charts_without_gnuplot(void **state)
{
    hs_report_world w = {0};
    char charts[128];
    (void)state;
    hs_report_world_new(&w, &(hs_sample){.text = hs_report_study});
    snprintf(charts, sizeof charts, "%s", w.folder.path);
    hs_report_world_make(&w, &(hs_report_request){.charts = charts, .gnuplot = "/nowhere/gnuplot"});
    assert_int_equal(w.report.charts.wanted, 5); /* compression x 2, sweep x 2, times */
    assert_int_equal(w.report.charts.drawn, 0);
    hs_buf html = hs_report_world_text(&w, HS_REPORT_HTML);
    hs_assert_contains(&html, "apt install gnuplot-nox");
    hs_assert_contains(&html, "The chart sweep-1-2 is missing: gnuplot cannot be run");
    hs_buf_clear(&html);
    size_t length;
    char *data = hs_slurp(hs_folder_file(&w.folder, "sweep-1-1.tsv"), &length);
    assert_non_null(data);
    assert_int_equal(
        strncmp(data, "\"setting\"\t\"Accuracy (mean)\"\t\"compression (mean)\"\t\"alpha\"", 54),
        0);
    double x[3], mean[3], expected = 0;
    char *at = strchr(data, '\n');
    for (int i = 0; i < 3; i++, at = strchr(at + 1, '\n'))
        assert_int_equal(sscanf(at, "%lf\t%lf", &x[i], &mean[i]), 2);
    assert_true(x[0] == 0.9 && x[1] == 0.95 && x[2] == 1);
    for (size_t d = 0; d < 3; d++)
        expected +=
            100 * hs_outcome_of(&w.report.outcomes, d, 4, 0)->fold_mean[HS_METRIC_ACCURACY] / 3;
    assert_true(fabs(mean[1] - expected) < 1e-9);
    free(data);
    hs_report_world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hostile_names), cmocka_unit_test(test_csv),
        cmocka_unit_test(test_published),     cmocka_unit_test(test_features),
        cmocka_unit_test(test_labels),        cmocka_unit_test(test_charts_without_gnuplot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

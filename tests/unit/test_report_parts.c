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
#include "study/report/chart.h"
#include "study/store.h"
#include "support/oom.h"
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
    hs_assert_lacks(&html, "<script>alert");
    hs_assert_lacks(&html, "<script>\"");
    hs_assert_lacks(&html, "a<b");
    hs_assert_lacks(&html, "</table>,");
    hs_assert_contains(&html,
                       "<title>ROC curves of &lt;script&gt;&quot;&#39;&amp; with &lt;/table");
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
                              "mean_sd,pooled,pooled_sd,published,fold_se");
    for (size_t d = 0; d < 3; d++)
        for (size_t s = 0; s < study->selector_count; s++)
            for (size_t c = 0; c < study->classifier_count; c++)
                for (size_t m = 0; m < 2; m++) {
                    const hs_outcome *outcome = hs_outcome_of(&w.report.outcomes, d, s, c);
                    hs_metric metric = m ? HS_METRIC_ACCURACY : HS_METRIC_GM;
                    char start[256], numbers[5][32] = {0};
                    hs_format_double(outcome->evaluation.fold_mean[metric].mean, numbers[0]);
                    hs_format_double(hs_running_spread(&outcome->evaluation.fold_mean[metric]),
                                     numbers[1]);
                    hs_format_double(outcome->evaluation.pooled[metric].mean, numbers[2]);
                    hs_format_double(hs_running_spread(&outcome->evaluation.pooled[metric]),
                                     numbers[3]);
                    if (metric != HS_METRIC_GM) /* which has none */
                        hs_format_double(hs_running_mean(&outcome->evaluation.fold_se[metric]),
                                         numbers[4]);
                    snprintf(start, sizeof start, "%s,%s,%s,%s,ok,2,%s,%s,%s,%s,,%s",
                             study->datasets[d].name, study->selectors[s].text,
                             study->classifiers[c].text, hs_metric_name(metric), numbers[0],
                             numbers[1], numbers[2], numbers[3], numbers[4]);
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

static const hs_doc_grid *grid_of(const hs_report *report, const char *caption)
{
    for (size_t i = 0; i < report->doc.count; i++)
        if (report->doc.parts[i].kind == HS_PART_GRID &&
            strncmp(report->doc.parts[i].grid->caption, caption, strlen(caption)) == 0)
            return report->doc.parts[i].grid;
    fail_msg("there is no table '%s'", caption);
    return NULL;
}

/* How far apart the classes are in a feature, from the data itself; -1: constant. */
static double difference_of(const hsel_dataset *data, uint32_t feature)
{
    double with[2] = {0}, size[2] = {0};
    for (uint32_t i = 0; i < data->instances; i++) {
        size_t count;
        const uint32_t *row = hs_row(data, i, &count);
        size[data->class_of[i]]++;
        for (size_t j = 0; j < count; j++)
            with[data->class_of[i]] += row[j] == feature;
    }
    if (with[0] + with[1] == 0 || with[0] + with[1] == size[0] + size[1])
        return -1;
    return fabs(with[0] / size[0] - with[1] / size[1]);
}

static uint32_t find_feature(const hs_stored_dataset *data, const char *name)
{
    uint32_t f = 0;
    while (strcmp(hs_names_get(&data->feature_names, f), name) != 0)
        f++;
    return f;
}

/* Shares are those of the store; the order is by the mean share, ties by how far the classes differ
 * in the feature, and constant features come last. */
static void test_features(void **state)
{
    static const char text[] =
        "name: features\ndatasets:\n"
        "  - {name: alpha, generate: \"ontology:instances=48,features=20,positives=5\", seed: 1}\n"
        "selectors: [none, rpv, \"tsel\", hip]\nclassifiers: [nb]\nfolds: {count: 4, seed: 5}\n"
        "metrics: [gm]\n";
    hs_report_world w = {0};
    hsel_error error = {0};
    size_t ties = 0;
    (void)state;
    hs_report_world_new(&w, &(hs_sample){.text = text});
    hs_report_world_make(&w, NULL);
    const hs_stored_dataset *stored = &w.report.outcomes.datasets[0];
    hsel_dataset *data = hs_sample_dataset(&w.report.study, 0);
    const hs_doc_grid *grid = grid_of(&w.report, "Most often selected features of alpha");
    assert_int_equal(grid->columns, 2 + 2 + 3); /* none selects everything */
    assert_string_equal(grid->head[4].text, "rpv");
    assert_true(grid->rows > 5);
    uint64_t count[20] = {0}, tested = 0;
    hs_refits folds = {0};
    assert_ok(hs_store_frequencies(w.report.store,
                                   &(hs_result_key){stored->id, "rpv", NULL, "own", 4, 5}, 1, count,
                                   &tested, &folds, &error),
              error);
    assert_int_equal(tested, 48);
    double last_share = INFINITY, last_relevance = INFINITY;
    for (size_t row = 0; row < grid->rows; row++) {
        const hs_cell *cells = grid->cells + row * grid->columns;
        uint32_t f = find_feature(stored, cells[0].text);
        char share[32];
        snprintf(share, sizeof share, "%.1f", 100 * (double)count[f] / 48);
        assert_string_equal(cells[4].text, share);
        double relevance = difference_of(data, f), mean = cells[1].shade;
        if (relevance < 0 && last_relevance >= 0)
            last_share = INFINITY; /* the constant ones begin */
        else
            assert_true(relevance >= 0 || last_relevance < 0);
        assert_true(mean <= last_share);
        if (mean == last_share) {
            assert_true(relevance <= last_relevance + 1e-12);
            ties++;
        }
        last_share = mean;
        last_relevance = relevance;
    }
    assert_true(ties > 0);
    const hs_doc_grid *stability = grid_of(&w.report, "Stability");
    assert_string_equal(stability->cells[1].text, "–"); /* none keeps everything */
    assert_string_equal(stability->cells[2].text, "–"); /* rpv selects for each instance … */
    hs_refits_clear(&folds);
    assert_ok(hs_store_frequencies(w.report.store,
                                   &(hs_result_key){stored->id, "tsel", NULL, "own", 4, 5}, 1,
                                   count, &tested, &folds, &error),
              error);
    assert_int_equal(folds.sets, 4); /* … and tsel for each fold */
    double kept = 0, variance = 0;
    for (size_t f = 0; f < 20; f++) {
        double p = 0;
        for (size_t i = 0; i < 4; i++)
            p += hs_bit_get(folds.masks + i, f) / 4.0;
        kept += p / 20;
        variance += 4.0 / 3 * p * (1 - p) / 20;
    }
    assert_true(kept > 0 && kept < 1);
    assert_true(fabs(stability->cells[3].shade - (1 - variance / (kept * (1 - kept)))) < 1e-12);
    assert_non_null(strstr(stability->cells[3].aside, " … "));
    hs_refits_clear(&folds);
    hsel_dataset_free(data);
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
    hs_assert_lacks(&html, "<script>alert");
    hs_assert_lacks(&html, "\t");
    hs_assert_contains(&html, ">&lt;/td&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;"
                              "\\x09\\xff\\u202e <small>T");
    char line[200];
    snprintf(line, sizeof line, "<span class=\"cut\">%.99s…</span> <small>T", longest);
    hs_assert_contains(&html, line);
    snprintf(line, sizeof line, ">%s</th>", hs_names_get(&data->feature_names, 2));
    hs_assert_contains(&html, line); /* has no label */
    hs_buf_clear(&html);
    hs_report_world_free(&w);
}

/* ---- charts ---- */

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)); text++)
        count++;
    return count;
}

/* A chart by itself: axes that start where they should, marks, names of points, what does not
 * exist.
 */
static int draw_once(void *context, hsel_error *error)
{
    static const char *const places[] = {"up", "down"};
    static const hs_point shares[] = {{3, 0.41, 0.3, 0.5, "<one>"},
                                      {40, 0.79, 0.7, 0.8, "two"},
                                      {NAN, 0.5, 0.5, 0.5, "three"}},
                          rows[] = {{3, 0}, {40, 1}, {NAN, 1}}, nothing[] = {{NAN, NAN}},
                          errors[] = {{0.41, 0.1}, {0.79, 4.9}, {0.5, 0.5}};
    static const hs_point *const points[] = {shares, rows, nothing, errors};
    const hs_chart charts[] = {
        {.name = "one",
         .alt = "<alt>",
         .x = {.label = "seconds", .log = true},
         .y = {.label = "share", .shares = true}},
        {.name = "two",
         .alt = "",
         .x = {.label = "seconds"},
         .y = {.names = places, .name_count = 2}},
        {.name = "empty", .alt = ""},
        {.name = "three", .alt = "", .x = {.label = "option"}, .y = {.label = "RMSE"}}};
    hs_document doc = {.title = "charts"};
    int status = HSEL_OK;
    for (size_t i = 0; i < 4 && status == HSEL_OK; i++) {
        HS_OWNS(hs_chart_clear) hs_chart chart = charts[i];
        chart.caption = "";
        chart.width = 200;
        chart.height = 100;
        hs_add_series(&chart, i == 0 ? (hs_series){"A & B", HS_DOTS | HS_LINE | HS_BAND}
                                     : (hs_series){NULL, HS_DOTS});
        for (size_t p = 0; p < (i == 2 ? 1 : 3); p++)
            hs_add_point(&chart, points[i][p]);
        if (i == 0) {
            hs_add_series(&chart, (hs_series){"none", HS_DOTS});
            hs_add_point(&chart, nothing[0]);
        }
        status = hs_chart_add(&chart, i == 0 ? context : NULL, &doc, error);
    }
    if (status == HSEL_OK) {
        assert_int_equal(doc.count, 3); /* one without points is left out */
        const char *svg = doc.parts[0].svg;
        assert_non_null(strstr(svg, "<title>&lt;alt&gt;</title>"));
        assert_non_null(
            strstr(svg, "<title>A &amp; B, &lt;one&gt;: seconds 3, share 41 %</title>"));
        assert_null(strstr(svg, "three"));
        assert_null(strstr(svg, "nan"));
        /* 3 to 40 lie between powers of ten, 30 to 80 % between steps of 10. */
        assert_non_null(strstr(svg, ">1</text>"));
        assert_non_null(strstr(svg, ">10</text>"));
        assert_non_null(strstr(svg, ">100</text>"));
        assert_non_null(strstr(svg, ">20</text>"));
        assert_non_null(strstr(svg, ">80</text>"));
        assert_null(strstr(svg, ">0</text>"));
        svg = doc.parts[1].svg;
        assert_non_null(strstr(svg, "cy=\"35\"")); /* the first place is above the second */
        assert_non_null(strstr(svg, "cy=\"85\""));
        assert_true(strstr(svg, ">up</text>") < strstr(svg, ">down</text>"));
        svg = doc.parts[2].svg; /* nothing is below 0, and the axis is not */
        assert_non_null(strstr(svg, ">0</text>"));
        assert_null(strstr(svg, ">-"));
    }
    hs_document_clear(&doc);
    return status;
}

static void test_chart(void **state)
{
    hs_folder folder;
    size_t length;
    (void)state;
    hs_folder_new(&folder);
    assert_true(hs_oom_each("chart", draw_once, (void *)(uintptr_t)folder.path) > 10);
    char *data = hs_slurp(hs_folder_file(&folder, "one.tsv"), &length);
    assert_non_null(data);
    assert_string_equal(data, "series\tx\ty\tlow\thigh\tname\n"
                              "A & B\t3\t41\t30\t50\t<one>\nA & B\t40\t79\t70\t80\ttwo\n");
    free(data);
    hs_folder_free(&folder);
}

/* Each chart of the page as picture and data. */
static void test_charts_kept(void **state)
{
    hs_report_world w = {0};
    char charts[128];
    (void)state;
    hs_report_world_new(&w, &(hs_sample){.text = hs_report_study});
    snprintf(charts, sizeof charts, "%s", w.folder.path);
    hs_report_world_make(&w, &(hs_report_request){.charts = charts});
    hs_buf html = hs_report_world_text(&w, HS_REPORT_HTML);
    /* compression x 2, sweep x 2, times; 3 curves x 3 data sets x 2 classifiers */
    assert_int_equal(count_of(html.text, "class=\"chart\""), 5 + 18);
    size_t length;
    char *data = hs_slurp(hs_folder_file(&w.folder, "sweep-1-1.tsv"), &length);
    assert_non_null(data);
    double x[3], mean[3], expected = 0;
    const char *at = strstr(data, "\nAccuracy (mean)\t");
    for (int i = 0; i < 3; i++) {
        assert_non_null(at);
        assert_int_equal(sscanf(at, " Accuracy (mean) %lf %lf", &x[i], &mean[i]), 2);
        at = strchr(at + 1, '\n');
    }
    assert_true(x[0] == 0.9 && x[1] == 0.95 && x[2] == 1);
    for (size_t d = 0; d < 3; d++)
        expected += 100 *
                    hs_outcome_of(&w.report.outcomes, d, 4, 0)
                        ->evaluation.fold_mean[HS_METRIC_ACCURACY]
                        .mean /
                    3;
    assert_true(fabs(mean[1] - expected) < 1e-9);
    free(data);
    char *picture = hs_slurp(hs_folder_file(&w.folder, "roc-1-1.svg"), &length);
    assert_non_null(picture);
    assert_non_null(strstr(html.text, picture)); /* the same that is in the page */
    free(picture);
    hs_buf_clear(&html);
    hs_report_world_free(&w);
}

/* The points of the page's curves in CSV: the area under them is near the metric, which is exact
 * (test_metrics.c), and calibration and confusion add up to all predictions. */
static void test_curves(void **state)
{
    hs_report_world w = {0};
    (void)state;
    hs_report_world_new(&w, &(hs_sample){.text = hs_report_study});
    hs_report_world_make(&w, NULL);
    hs_buf csv = hs_report_world_text(&w, HS_REPORT_CURVES);
    char *rest = NULL, *line = strtok_r(csv.text, "\n", &rest);
    assert_string_equal(line, "dataset,selector,classifier,curve,x,y,se,count");
    const hs_study *study = &w.report.study;
    for (size_t i = 0; i < 3 * study->selector_count * 2; i++) {
        const hs_outcome *outcome = &w.report.outcomes.outcome[i];
        double area[2] = {0}, predictions = 0, all = 0;
        uint32_t instances = w.report.outcomes.datasets[i / study->selector_count / 2].instances;
        for (size_t k = 0; k < 2; k++)
            for (size_t p = 0; p <= HS_CURVE_STEPS; p++) {
                const hs_running *curve = k ? outcome->evaluation.pr : outcome->evaluation.roc;
                char expected[128], number[2][32];
                hs_format_double((double)p / HS_CURVE_STEPS, number[0]);
                hs_format_double(curve[p].mean, number[1]);
                snprintf(expected, sizeof expected, ",%s,%s,%s,", k ? "pr" : "roc", number[0],
                         number[1]);
                line = strtok_r(NULL, "\n", &rest);
                assert_non_null(strstr(line, expected));
                assert_non_null(strstr(line, ",8")); /* folds of both repeats */
                area[k] += curve[p].mean / HS_CURVE_STEPS / (p % HS_CURVE_STEPS ? 1 : 2);
            }
        assert_true(fabs(area[0] - outcome->evaluation.fold_mean[HS_METRIC_AUROC].mean) < 0.06);
        assert_true(fabs(area[1] - outcome->evaluation.fold_mean[HS_METRIC_AUPRC].mean) < 0.06);
        for (size_t b = 0; b < HS_CALIBRATION_BINS; b++) {
            predictions += (double)hs_evaluation_bins(&outcome->evaluation)[b].count;
            if (hs_evaluation_bins(&outcome->evaluation)[b].count)
                assert_non_null(strstr(strtok_r(NULL, "\n", &rest), ",calibration,"));
        }
        for (size_t c = 0; c < 4; c++)
            all += (double)outcome->evaluation.confusion[c];
        assert_true(predictions == 2 * instances && all == 2 * instances);
    }
    assert_null(strtok_r(NULL, "\n", &rest));
    hs_buf_clear(&csv);
    hs_report_world_free(&w);
}

/* Pages of the explorer are linked to if they are there, under names that are safe in a link. */
static void test_explorer(void **state)
{
    hs_report_world w = {0};
    char page[160];
    (void)state;
    hs_report_world_new(&w, &(hs_sample){.text = hs_report_study});
    hs_report_world_file(&w, "beta.html", "here");
    snprintf(page, sizeof page, "%s/page.html", w.folder.path);
    hs_report_world_make(&w, &(hs_report_request){.explorer = "./.", .page = page});
    hs_buf html = hs_report_world_text(&w, HS_REPORT_HTML);
    hs_assert_contains(&html, "<a href=\"././beta.html\">Explore beta</a>");
    hs_assert_lacks(&html, "Explore alpha");
    hs_buf_clear(&html);
    hs_report_world_free(&w);
}

/* ---- the summary ---- */

static void test_summary(void **state)
{
    hs_report_world w = {0};
    (void)state;
    hs_report_world_new(&w, &(hs_sample){.text = hs_report_study});
    hs_report_world_make(&w, NULL);
    const hs_boards *boards = &w.report.boards;
    const hs_board *best = NULL;
    size_t column = 0;
    for (size_t i = 0; i < 2; i++)
        for (size_t c = 0; c < 4; c++)
            if (!best || boards->boards[i].mean[c] > best->mean[column]) {
                best = &boards->boards[i];
                column = c;
            }
    char line[160];
    snprintf(line, sizeof line, "best mean over 3 data sets is that of %s with %s: %.1f ± ",
             boards->columns[column].label, best->with, 100 * best->mean[column]);
    hs_buf html = hs_report_world_text(&w, HS_REPORT_HTML);
    hs_assert_contains(&html, "6 selectors with 2 classifiers were compared on 3 data sets, by "
                              "4-fold cross-validation, done 2 times.");
    hs_assert_contains(&html, line);
    hs_assert_contains(&html, "<p>Without selection ");
    /* The heat map: differences from no selection. */
    const hs_doc_grid *map = grid_of(&w.report, "GM: difference from none");
    assert_int_equal(map->columns, 1 + 2 * 3);
    for (size_t d = 0; d < 3; d++)
        for (size_t i = 0; i < 6; i++) {
            const double *row = boards->boards[i / 3].counted + d * 4;
            double difference = 100 * (row[i % 3 + 1] - row[0]);
            const hs_cell *cell = &map->cells[d * 7 + i + 1];
            char number[32];
            snprintf(number, sizeof number, "%s%.1f", difference < 0 ? "−" : "+",
                     fabs(round(10 * difference) / 10));
            assert_string_equal(cell->text, fabs(difference) < 0.05 ? "=" : number);
            assert_true(fabs(cell->shade) <= 1 && cell->shade * difference >= 0);
        }
    hs_buf_clear(&html);
    hs_report_world_free(&w);
}

/* Compression belongs to the selector: it is shown once, not for each classifier. */
static void test_compression_once(void **state)
{
    static const char text[] =
        "name: once\n" REPORT_DATASETS "selectors: [none, rpv]\nclassifiers: [nb, knn]\n"
        "folds: {count: 3}\nmetrics: [gm, compression]\n";
    hs_report_world w = {0};
    (void)state;
    hs_report_world_new(&w, &(hs_sample){.text = text});
    hs_report_world_make(&w, NULL);
    hs_buf plain = hs_report_world_text(&w, HS_REPORT_TEXT);
    assert_int_equal(count_of(plain.text, "Compression, in percent\n"), 1);
    hs_assert_lacks(&plain, "Compression with");
    assert_int_equal(count_of(plain.text, "harmonic mean with accuracy (knn)"), 1);
    hs_buf_clear(&plain);
    hs_report_world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hostile_names),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_published),
        cmocka_unit_test(test_features),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_charts_kept),
        cmocka_unit_test(test_curves),
        cmocka_unit_test(test_explorer),
        cmocka_unit_test(test_chart),
        cmocka_unit_test(test_summary),
        cmocka_unit_test(test_compression_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

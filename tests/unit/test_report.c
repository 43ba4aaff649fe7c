/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reports: numbers against metrics worked out directly from a cross-validation, bold at ties, best
 * of a sweep, missing and failed work, hostile names, empty stores, memory that runs out.
 */
#include "support/cmocka.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "evaluate/crossval.h"
#include "rank/rank.h"
#include "report/report.h"
#include "study/store_parts.h"
#include "support/folder.h"
#include "support/oom.h"
#include "support/sample_study.h"

#define DATASETS                                                                                   \
    "datasets:\n"                                                                                  \
    "  - {name: alpha, generate: \"ontology:instances=48,features=20,positives=5,signal=0.7\", "   \
    "seed: 1}\n"                                                                                   \
    "  - {name: beta, generate: "                                                                  \
    "\"ontology:instances=60,features=24,positives=5,largest-class=0.7\", seed: 2}\n"              \
    "  - {name: gamma, generate: \"ontology:instances=50,features=22,positives=5\", seed: 3}\n"

static const char study_text[] = "name: small\ntitle: A small one\n" DATASETS
                                 "selectors: [none, hip, rpv, \"shsel:threshold={0.9,0.95,1}\"]\n"
                                 "classifiers: [nb, \"knn:k=3\"]\n"
                                 "folds: {count: 4, repeats: 2, seed: 5}\n"
                                 "metrics: [gm, accuracy]\n"
                                 "compare: {control: rpv}\n"
                                 "best-of: {selector: shsel, metric: accuracy}\n";

typedef struct world {
    hs_folder folder;
    char store[128];
    hs_report report;
} world;

static void world_new(world *w, const hs_sample *sample)
{
    hs_folder_new(&w->folder);
    snprintf(w->store, sizeof w->store, "%s", hs_folder_file(&w->folder, "s.db"));
    if (sample)
        hs_sample_run(sample, w->store);
}

static void world_make(world *w, const hs_report_request *how)
{
    hs_report_request request = how ? *how : (hs_report_request){0};
    hsel_error error = {0};
    request.store = w->store;
    request.details = true;
    assert_ok(hs_report_make(&request, &w->report, &error), error);
}

static void world_free(world *w)
{
    hs_report_clear(&w->report);
    hs_folder_free(&w->folder);
}

/* The report in a format; free with hs_buf_clear. */
static hs_buf written(const world *w, hs_report_format format)
{
    hs_buf text = {0};
    hs_writer *out = NULL;
    hsel_error error = {0};
    assert_ok(hs_writer_open_memory(&text, &out, &error), error);
    assert_ok(hs_report_write(&w->report, format, out, &error), error);
    assert_ok(hs_writer_commit(out, &error), error);
    return text;
}

static void assert_contains(const hs_buf *text, const char *part)
{
    if (!strstr(text->text, part))
        fail_msg("'%s' is not in:\n%.3000s", part, text->text);
}

static void assert_lacks(const hs_buf *text, const char *part)
{
    if (strstr(text->text, part))
        fail_msg("'%s' is in the text", part);
}

/* ---- numbers ---- */

/* What the report must say of one selector and classifier, with the spread over repeats as fold_se:
 * and the spread over folds as errors: by one cross-validation a repeat, all folds at once. */
static void direct_scores(const hs_study *study, size_t d, const char *selector,
                          const char *classifier, hs_scores *mean, double *errors)
{
    hsel_dataset *data = hs_sample_dataset(study, d);
    hs_chosen chosen[2] = {0};
    hsel_error error = {0};
    double values[2][HS_METRICS]; /* of the two repeats */
    memset(errors, 0, HS_METRICS * sizeof *errors);
    *mean = (hs_scores){0};
    assert_int_equal(study->repeats, 2);
    assert_ok(hs_chosen_parse(HS_SELECTOR, selector, &chosen[0], &error), error);
    assert_ok(hs_chosen_parse(HS_CLASSIFIER, classifier, &chosen[1], &error), error);
    for (uint32_t r = 0; r < study->repeats; r++) {
        hs_folds folds = {0};
        hs_crossval done = {0};
        hs_scores scores;
        assert_ok(hs_folds_make(data, HS_FOLDS_OWN, study->folds, study->seed + r, &folds, &error),
                  error);
        assert_ok(hs_crossval_run(&(hs_crossval_request){.data = data,
                                                         .folds = &folds,
                                                         .selectors = &chosen[0],
                                                         .selector_count = 1,
                                                         .classifiers = &chosen[1],
                                                         .classifier_count = 1,
                                                         .seed = study->seed + r,
                                                         .threads = 1},
                                  &done, &error),
                  error);
        assert_ok(
            hs_metrics_compute(&(hs_predictions){.instances = data->instances,
                                                 .classes = data->class_names.count,
                                                 .folds = folds.count,
                                                 .positive_class = data->positive_class,
                                                 .truth = data->class_of,
                                                 .fold_of = folds.fold_of,
                                                 .probability = done.classifiers[0].probability,
                                                 .selected = done.selectors[0].selected,
                                                 .features = data->features},
                               &scores, &error),
            error);
        for (int m = 0; m < HS_METRICS; m++) {
            mean->pooled[m] += scores.pooled[m] / study->repeats;
            mean->fold_mean[m] += scores.fold_mean[m] / study->repeats;
            values[r][m] = scores.fold_mean[m];
            errors[m] += scores.fold_se[m] / study->repeats;
        }
        hs_crossval_clear(&done);
        hs_folds_clear(&folds);
    }
    for (int m = 0; m < HS_METRICS; m++)
        mean->fold_se[m] = fabs(values[0][m] - values[1][m]) / sqrt(2);
    hs_chosen_clear(&chosen[0]);
    hs_chosen_clear(&chosen[1]);
    hsel_dataset_free(data);
}

static void test_numbers(void **state)
{
    world w = {0};
    (void)state;
    world_new(&w, &(hs_sample){.text = study_text});
    world_make(&w, NULL);
    const hs_study *study = &w.report.study;
    for (size_t d = 0; d < 3; d++)
        for (size_t s = 0; s < study->selector_count; s++)
            for (size_t c = 0; c < study->classifier_count; c++) {
                const hs_outcome *outcome = hs_outcome_of(&w.report.outcomes, d, s, c);
                hs_scores direct;
                double errors[HS_METRICS];
                direct_scores(study, d, study->selectors[s].text, study->classifiers[c].text,
                              &direct, errors);
                assert_int_equal(outcome->state, HS_OUTCOME_OK);
                assert_int_equal(outcome->folds_done, 8);
                for (int m = 0; m < HS_METRICS; m++) {
                    assert_true(fabs(outcome->pooled[m] - direct.pooled[m]) < 1e-12);
                    assert_true(fabs(outcome->fold_mean[m] - direct.fold_mean[m]) < 1e-12);
                    assert_true(fabs(outcome->fold_mean_sd[m] - direct.fold_se[m]) < 1e-12);
                    assert_true(fabs(outcome->fold_se[m] - errors[m]) < 1e-12);
                }
            }
    world_free(&w);
}

/* Mean, rank and wins of each board by hand, from its own scores. */
static void check_board(const hs_report *report, const hs_board *board)
{
    size_t rows = report->outcomes.dataset_count, columns = report->boards.column_count;
    for (size_t c = 0; c < columns; c++) {
        double sum = 0, ranks = 0;
        uint32_t wins = 0;
        for (size_t d = 0; d < rows; d++) {
            const hs_score *row = board->score + d * columns;
            double above = 0, equal = 0;
            for (size_t j = 0; j < columns; j++) {
                bool same = fabs(row[j].value - row[c].value) < 1e-12; /* but for rounding */
                above += !same && row[j].value > row[c].value;
                equal += same;
            }
            sum += row[c].value;
            ranks += above + (equal + 1) / 2;
            wins += above == 0;
            assert_int_equal(row[c].best, above == 0);
        }
        assert_true(fabs(board->mean[c] - sum / (double)rows) < 1e-12);
        assert_true(fabs(board->comparison.mean_rank[board->place[c]] - ranks / (double)rows) <
                    1e-12);
        assert_int_equal(board->comparison.wins[board->place[c]], wins);
    }
}

static void test_boards(void **state)
{
    world w = {0};
    (void)state;
    world_new(&w, &(hs_sample){.text = study_text});
    world_make(&w, NULL);
    assert_int_equal(w.report.boards.count, 4);
    assert_int_equal(w.report.boards.column_count, 4);
    assert_int_equal(w.report.boards.boards[1].metric, HS_METRIC_GM);
    assert_int_equal(w.report.boards.boards[1].classifier, 1);
    for (size_t i = 0; i < w.report.boards.count; i++)
        check_board(&w.report, &w.report.boards.boards[i]);
    world_free(&w);
}

/* The classifiers side by side, for each selector, with errors and published figures. */
static void test_across_classifiers(void **state)
{
    static const char text[] =
        "name: across\n" DATASETS "selectors: [hip, {label: all, method: none}]\n"
        "classifiers: [nb, {label: near, method: \"knn:k=3\"}, \"knn:k=1\"]\n"
        "folds: {count: 4, repeats: 2}\nmetrics: [sensitivity, gm]\n"
        "compare: {across: classifiers, errors: true, control: near}\n"
        "published: {file: figures.csv, map: {\"knn:k=3\": 3nn}}\n";
    world w = {0};
    (void)state;
    world_new(&w, NULL);
    FILE *file = fopen(hs_folder_file(&w.folder, "figures.csv"), "w");
    assert_non_null(file);
    fprintf(file, "paper,table,dataset,classifier,metric,percent\np,t,beta,3nn,gm,40.0\n");
    fclose(file);
    hs_sample_run(&(hs_sample){.text = text}, w.store);
    world_make(&w, NULL);
    const hs_boards *boards = &w.report.boards;
    assert_int_equal(boards->count, 4); /* two metrics, two selectors */
    assert_int_equal(boards->column_count, 3);
    assert_int_equal(boards->by_selector_count, 2);
    for (size_t i = 0; i < boards->count; i++) {
        const hs_board *board = &boards->boards[i];
        assert_int_equal(board->selector, i % 2);
        assert_string_equal(board->with, i % 2 ? "all" : "hip");
        assert_int_equal(board->comparison.request.control, 1);
        check_board(&w.report, board);
        for (size_t d = 0; d < 3; d++)
            for (size_t c = 0; c < 3; c++) {
                const hs_score *score = &board->score[d * 3 + c];
                const hs_outcome *outcome = hs_outcome_of(&w.report.outcomes, d, i % 2, c);
                assert_true(score->value == outcome->fold_mean[board->metric]);
                assert_int_equal(isnan(score->se), board->metric == HS_METRIC_GM);
                assert_int_equal(!isnan(score->published), i >= 2 && d == 1 && c == 1);
            }
    }
    char expected[96];
    const hs_score *first = &boards->boards[0].score[0];
    snprintf(expected, sizeof expected, "%.1f ± %.1f", 100 * first->value, 100 * first->se);
    hs_buf plain = written(&w, HS_REPORT_TEXT);
    assert_contains(&plain, expected);
    assert_contains(&plain, "Sensitivity with all, in percent");
    hs_buf_clear(&plain);
    world_free(&w);
}

/* The column of the sweep shows, for each metric, the setting with the best accuracy; the first of
 * equals. */
static void test_best_of_sweep(void **state)
{
    world w = {0};
    (void)state;
    world_new(&w, &(hs_sample){.text = study_text});
    world_make(&w, NULL);
    const hs_outcomes *o = &w.report.outcomes;
    size_t columns = w.report.boards.column_count;
    assert_true(w.report.boards.columns[3].best);
    for (size_t i = 0; i < w.report.boards.count; i++) {
        const hs_board *board = &w.report.boards.boards[i];
        for (size_t d = 0; d < 3; d++) {
            size_t best = 3;
            for (size_t s = 4; s < 6; s++)
                if (hs_outcome_of(o, d, s, board->classifier)->fold_mean[HS_METRIC_ACCURACY] >
                    hs_outcome_of(o, d, best, board->classifier)->fold_mean[HS_METRIC_ACCURACY])
                    best = s;
            assert_int_equal(board->score[d * columns + 3].selector, best);
            assert_true(board->score[d * columns + 3].value ==
                        hs_outcome_of(o, d, best, board->classifier)->fold_mean[board->metric]);
        }
    }
    world_free(&w);
}

/* --metric takes the place of the study's metrics; pooled is what the study says. */
static void test_metrics_chosen(void **state)
{
    static const char pooled[] = "name: p\n" DATASETS "selectors: [none, rpv]\nclassifiers: [nb]\n"
                                 "folds: {count: 3}\nmetrics: [gm]\ncompare: {by: pooled}\n";
    const hs_metric metrics[] = {HS_METRIC_AUROC, HS_METRIC_COMPRESSION};
    world w = {0};
    (void)state;
    world_new(&w, &(hs_sample){.text = pooled});
    world_make(&w, &(hs_report_request){.metrics = metrics, .metric_count = 2});
    assert_int_equal(w.report.boards.count, 2);
    for (size_t d = 0; d < 3; d++) {
        assert_true(w.report.boards.boards[0].score[2 * d].value ==
                    hs_outcome_of(&w.report.outcomes, d, 0, 0)->pooled[HS_METRIC_AUROC]);
        assert_true(w.report.boards.boards[1].score[2 * d].value == 0);
        assert_true(w.report.boards.boards[1].score[2 * d + 1].best);
    }
    world_free(&w);
}

/* ---- ties ---- */

static const char *hip_is_none(const char *selector)
{
    return strcmp(selector, "hip") == 0 ? "none" : selector;
}

static void test_ties(void **state)
{
    static const char text[] = "name: ties\n" DATASETS "selectors: [none, hip]\nclassifiers: [nb]\n"
                               "folds: {count: 3}\nmetrics: [gm]\n";
    world w = {0};
    (void)state;
    world_new(&w, &(hs_sample){.text = text, .in_place_of = hip_is_none});
    world_make(&w, NULL);
    const hs_board *board = &w.report.boards.boards[0];
    for (size_t i = 0; i < 6; i++)
        assert_true(board->score[i].best);
    assert_int_equal(board->comparison.wins[0], 3);
    assert_int_equal(board->comparison.wins[1], 3);
    assert_true(board->comparison.mean_rank[0] == 1.5);
    hs_buf html = written(&w, HS_REPORT_HTML);
    char both[160];
    double value = 100 * board->score[0].value, sum = 100 * board->mean[0];
    snprintf(both, sizeof both, "<th scope=\"row\">alpha</th><td title=\"");
    assert_contains(&html, both);
    size_t bold = 0;
    for (const char *at = html.text; (at = strstr(at, "<strong>")); at++)
        bold++;
    assert_int_equal(bold, 2 * 3 + 2 + 2); /* values, means, average ranks */
    snprintf(both, sizeof both, "<strong>%.1f</strong>", value);
    assert_contains(&html, both);
    snprintf(both, sizeof both, "<strong>%.1f</strong>", sum);
    assert_contains(&html, both);
    hs_buf_clear(&html);
    hs_buf latex = written(&w, HS_REPORT_LATEX);
    snprintf(both, sizeof both, "alpha & \\textbf{%.1f} & \\textbf{%.1f} \\\\\n", value, value);
    assert_contains(&latex, both);
    hs_buf_clear(&latex);
    world_free(&w);
}

/* ---- what is not there ---- */

/* beta: hip failed in one fold; gamma: rpv has one repeat and a half; shsel 0.95 never ran on
 * alpha. */
static bool some(const char *dataset, const char *selector, uint32_t repeat, uint32_t fold,
                 const char **message)
{
    if (strcmp(dataset, "beta") == 0 && strcmp(selector, "hip") == 0 && repeat == 1 && fold == 2)
        *message = "beta: a bad <thing>";
    if (strcmp(dataset, "gamma") == 0 && strcmp(selector, "rpv") == 0 && repeat == 1 && fold > 1)
        return false;
    return !(strcmp(dataset, "alpha") == 0 && strcmp(selector, "shsel:threshold=0.95") == 0);
}

static void test_missing_and_failed(void **state)
{
    world w = {0};
    (void)state;
    world_new(&w, &(hs_sample){.text = study_text, .wanted = some});
    world_make(&w, NULL);
    const hs_outcomes *o = &w.report.outcomes;
    const hs_board *board = &w.report.boards.boards[0];
    const hs_outcome *failed = hs_outcome_of(o, 1, 1, 0), *part = hs_outcome_of(o, 2, 2, 0);
    assert_int_equal(failed->state, HS_OUTCOME_FAILED);
    assert_int_equal(failed->folds_failed, 1);
    assert_string_equal(failed->message, "beta: a bad <thing>");
    assert_int_equal(part->state, HS_OUTCOME_PART);
    assert_int_equal(part->repeats, 1);
    assert_int_equal(hs_outcome_of(o, 0, 4, 1)->state, HS_OUTCOME_MISSING);
    assert_int_equal(board->score[0 * 4 + 3].state,
                     HS_OUTCOME_PART);    /* a sweep with a setting that is missing */
    assert_int_equal(board->complete, 0); /* each data set lacks something */
    assert_true(isnan(board->counted[2 * 4 + 2]) && !isnan(board->score[2 * 4 + 2].value));
    assert_false(board->score[2 * 4 + 2].best);
    assert_false(board->comparison.tested);
    hs_buf text = written(&w, HS_REPORT_TEXT);
    /* 3 x 6 x 2 x 2 x 4 jobs; failed: 2 classifiers; open: 2 folds x 2 classifiers, and 8 x 2 of
     * the setting */
    assert_contains(&text, "266 of 288 finished, 2 failed, 20 not run yet");
    assert_contains(&text, "beta: a bad <thing>");
    assert_contains(&text, "2 of 16");
    assert_contains(&text, "†");
    hs_buf_clear(&text);
    hs_buf html = written(&w, HS_REPORT_HTML);
    assert_contains(&html, "beta: a bad &lt;thing&gt;");
    assert_contains(&html, "class=\"part\"");
    hs_buf_clear(&html);
    world_free(&w);
}

/* A method that failed everywhere does not keep the others from being compared. */
static bool never_hip(const char *dataset, const char *selector, uint32_t repeat, uint32_t fold,
                      const char **message)
{
    (void)dataset;
    (void)repeat;
    (void)fold;
    if (strcmp(selector, "hip") == 0)
        *message = "no";
    return true;
}

static void test_method_that_never_works(void **state)
{
    world w = {0};
    (void)state;
    world_new(&w, &(hs_sample){.text = study_text, .wanted = never_hip});
    world_make(&w, NULL);
    const hs_board *board = &w.report.boards.boards[0];
    assert_false(board->taking_part[1]);
    assert_int_equal(board->complete, 3);
    assert_int_equal(board->comparison.request.results.columns, 3);
    assert_int_equal(board->comparison.request.control, 1); /* rpv, the third of the study */
    assert_true(board->comparison.tested);
    hs_buf text = written(&w, HS_REPORT_TEXT);
    assert_contains(&text, "failed");
    assert_contains(&text, "1 method without any finished result is left out.");
    hs_buf_clear(&text);
    world_free(&w);
}

static bool nothing(const char *dataset, const char *selector, uint32_t repeat, uint32_t fold,
                    const char **message)
{
    (void)dataset;
    (void)selector;
    (void)repeat;
    (void)fold;
    (void)message;
    return false;
}

static void test_empty(void **state)
{
    static const hs_report_format formats[] = {HS_REPORT_HTML, HS_REPORT_TEXT, HS_REPORT_CSV,
                                               HS_REPORT_LATEX};
    world w = {0};
    (void)state;
    world_new(&w, &(hs_sample){.text = study_text, .wanted = nothing});
    world_make(&w, NULL);
    for (size_t i = 0; i < 4; i++) {
        hs_buf text = written(&w, formats[i]);
        assert_contains(&text, formats[i] == HS_REPORT_CSV ? "alpha,none,nb,gm,missing,0,,,,,\n"
                                                           : "alpha");
        assert_lacks(&text, "nan");
        hs_buf_clear(&text);
    }
    hs_buf text = written(&w, HS_REPORT_TEXT);
    assert_contains(&text, "No job of this study is finished yet: hsel run does them.");
    assert_contains(&text, "0 of 288 finished, 288 not run yet");
    hs_buf_clear(&text);
    world_free(&w);
}

static void test_bad_stores(void **state)
{
    world w = {0};
    hs_store *store = NULL;
    hsel_error error = {0};
    (void)state;
    world_new(&w, NULL);
    hs_report_request request = {.store = w.store};
    assert_int_equal(hs_report_make(&request, &w.report, &error), HSEL_EIO);
    assert_non_null(strstr(error.message, "s.db"));
    assert_ok(hs_store_open(w.store, HS_STORE_WRITE, false, &store, &error), error);
    hs_store_close(store);
    assert_int_equal(hs_report_make(&request, &w.report, &error), HSEL_EFORMAT);
    assert_non_null(strstr(error.message, "the store has no study yet: hsel run makes one"));
    hs_sample_run(&(hs_sample){.text = study_text, .wanted = nothing}, w.store);
    request.study = "other";
    assert_int_equal(hs_report_make(&request, &w.report, &error), HSEL_EUSAGE);
    assert_non_null(strstr(error.message, "the store has no study 'other'"));
    request.store = w.folder.path;
    assert_true(hs_report_make(&request, &w.report, &error) < 0);
    assert_non_null(strstr(error.message, "folder"));
    world_free(&w);
}

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
    world w = {0};
    (void)state;
    world_new(&w, &(hs_sample){.text = text});
    world_make(&w, NULL);
    hs_buf html = written(&w, HS_REPORT_HTML);
    assert_lacks(&html, "<script");
    assert_lacks(&html, "<img");
    assert_contains(&html, "<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</title>");
    assert_contains(&html, "<th scope=\"row\">&lt;script&gt;&quot;&#39;&amp;</th>");
    assert_contains(&html, ">a&lt;b</th>");
    assert_contains(&html, ">c&amp;d</th>");
    assert_contains(&html, "with &lt;/table&gt;, in percent</caption>");
    hs_buf_clear(&html);
    hs_buf latex = written(&w, HS_REPORT_LATEX);
    assert_lacks(&latex, "\\input{x}");
    assert_contains(
        &latex,
        "\\textbackslash{}input\\{x\\}\\%\\_\\#\\$\\textasciicircum{}\\textasciitilde{}{[}{*} & ");
    hs_buf_clear(&latex);
    hs_buf csv = written(&w, HS_REPORT_CSV);
    assert_contains(&csv, "\n\"<script>\"\"'&\",none,nb,gm,ok,1,");
    hs_buf_clear(&csv);
    world_free(&w);
}

/* ---- CSV ---- */

static void test_csv(void **state)
{
    world w = {0};
    (void)state;
    world_new(&w, &(hs_sample){.text = study_text});
    world_make(&w, NULL);
    hs_buf csv = written(&w, HS_REPORT_CSV);
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
    world_free(&w);
}

/* ---- published values ---- */

static void test_published(void **state)
{
    static const char text[] = "name: pub\n" DATASETS "selectors: [none, rpv]\nclassifiers: [nb]\n"
                               "folds: {count: 3}\nmetrics: [gm]\n"
                               "published: {file: figures.csv, map: {none: nofs}}\n";
    world w = {0};
    (void)state;
    world_new(&w, NULL);
    FILE *file = fopen(hs_folder_file(&w.folder, "figures.csv"), "w");
    assert_non_null(file);
    fprintf(file,
            "paper,table,dataset,selector,classifier,metric,percent\np-1,t,beta,nofs,nb,gm,40.0\n");
    fclose(file);
    hs_sample_run(&(hs_sample){.text = text}, w.store);
    world_make(&w, NULL); /* found beside the store */
    const hs_board *board = &w.report.boards.boards[0];
    assert_true(board->score[1 * 2 + 0].published == 0.4);
    assert_true(isnan(board->score[0].published) && isnan(board->score[1 * 2 + 1].published));
    char expected[64];
    double difference = 100 * board->score[2].value - 40;
    snprintf(expected, sizeof expected, "<small>40.0 %s%.1f</small>", difference < 0 ? "−" : "+",
             fabs(difference));
    hs_buf html = written(&w, HS_REPORT_HTML);
    assert_contains(&html, expected);
    assert_contains(&html, "Our values and those of p-1");
    hs_buf_clear(&html);
    hs_report_clear(&w.report);
    world_make(&w, &(hs_report_request){.folder = "/nowhere"});
    hs_buf plain = written(&w, HS_REPORT_TEXT);
    assert_contains(&plain, "The published figures are missing: /nowhere/figures.csv");
    hs_buf_clear(&plain);
    world_free(&w);
}

/* ---- most selected features ---- */

static void test_features(void **state)
{
    world w = {0};
    uint64_t count[20] = {0}, tested = 0, most = 0;
    hsel_error error = {0};
    (void)state;
    world_new(&w, &(hs_sample){.text = study_text});
    world_make(&w, NULL);
    const hs_stored_dataset *data = &w.report.outcomes.datasets[0];
    assert_ok(hs_store_frequencies(w.report.store, data->id, "rpv", "own", 4, 5, 2, count, &tested,
                                   &error),
              error);
    assert_int_equal(tested, 2 * 48);
    uint32_t top = 0;
    for (uint32_t f = 0; f < 20; f++)
        if (count[f] > most) {
            most = count[f];
            top = f;
        }
    const hs_grid *grid = NULL;
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
    world_free(&w);
}

/* ---- rankings ---- */

#define RANKED                                                                                     \
    "selectors: [none]\nclassifiers: [nb]\nfolds: {count: 2}\nmetrics: [gm]\n"                     \
    "rankings: {by: [{label: A, method: auc}, ig, relieff, {label: <k>, method: ks}], tau: "

/* The matrix of a data set from its own scores, over pairs of features: tau-a after ties are broken
 * by index, or tau-b. */
static void direct_tau(const hs_study *study, size_t d, double *matrix)
{
    hsel_dataset *data = hs_sample_dataset(study, d);
    hs_view all = hs_view_all(data);
    hs_counts counts = {0};
    hsel_error error = {0};
    size_t n = study->ranker_count;
    uint32_t features = data->features;
    double *scores[4];
    assert_ok(hs_counts_of(&all, &counts, &error), error);
    for (size_t i = 0; i < n; i++) {
        hs_chosen chosen = {0};
        scores[i] = HS_NEW_ZERO(double, features);
        assert_ok(hs_ranker_parse(study->rankers[i].text, &chosen, &error), error);
        assert_ok(hs_rank_features(&(hs_training){.view = all, .counts = &counts, .threads = 1},
                                   &chosen, 1, &scores[i], &error),
                  error);
        hs_chosen_clear(&chosen);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = 0, x = 0, y = 0;
            for (uint32_t f = 0; f < features; f++)
                for (uint32_t g = f + 1; g < features; g++) {
                    int a = (scores[i][f] > scores[i][g]) - (scores[i][f] < scores[i][g]);
                    int b = (scores[j][f] > scores[j][g]) - (scores[j][f] < scores[j][g]);
                    if (study->tau == HS_TAU_A_INDEX) {
                        a = a ? a : 1;
                        b = b ? b : 1;
                    }
                    sum += a * b;
                    x += a * a;
                    y += b * b;
                }
            matrix[i * n + j] = sum / sqrt(x * y);
        }
    for (size_t i = 0; i < n; i++)
        hs_free(scores[i]);
    hs_counts_clear(&counts);
    hsel_dataset_free(data);
}

static const hs_grid *grid_of(const hs_report *report, const char *caption)
{
    for (size_t i = 0; i < report->doc.count; i++)
        if (report->doc.parts[i].kind == HS_PART_GRID &&
            strcmp(report->doc.parts[i].grid->caption, caption) == 0)
            return report->doc.parts[i].grid;
    fail_msg("there is no table '%s'", caption);
    return NULL;
}

static void assert_matrix(const hs_grid *grid, const double *matrix)
{
    assert_int_equal(grid->rows, 4);
    assert_int_equal(grid->columns, 5);
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++)
            assert_true(fabs(strtod(grid->cells[i * 5 + j + 1].exact, NULL) - matrix[i * 4 + j]) <
                        1e-12);
}

static void check_rankings(const char *text)
{
    world w = {0};
    double matrix[3][16], mean[16], sd[16], distance[3] = {0};
    world_new(&w, &(hs_sample){.text = text});
    world_make(&w, NULL);
    for (size_t d = 0; d < 3; d++)
        direct_tau(&w.report.study, d, matrix[d]);
    for (size_t i = 0; i < 16; i++) {
        mean[i] = (matrix[0][i] + matrix[1][i] + matrix[2][i]) / 3;
        sd[i] = 0;
        for (size_t d = 0; d < 3; d++) {
            double off = matrix[d][i] - mean[i];
            sd[i] += off * off / 2;
            distance[d] += off * off;
        }
        sd[i] = sqrt(sd[i]);
    }
    assert_matrix(grid_of(&w.report, "Mean over 3 data sets"), mean);
    assert_matrix(grid_of(&w.report, "Standard deviation over 3 data sets"), sd);
    assert_matrix(grid_of(&w.report, "beta, 24 features"), matrix[1]);
    const hs_grid *grid =
        grid_of(&w.report, "Distance of each data set's matrix from the mean (Frobenius norm)");
    assert_int_equal(grid->rows, 4);
    for (size_t d = 0; d < 3; d++)
        assert_true(fabs(strtod(grid->cells[d * 3 + 2].exact, NULL) - sqrt(distance[d])) < 1e-12);
    assert_string_equal(grid->cells[3 * 3].text, "random rankings (30 matrices)");
    hs_buf html = written(&w, HS_REPORT_HTML), plain = written(&w, HS_REPORT_TEXT),
           latex = written(&w, HS_REPORT_LATEX);
    assert_contains(&html, "Agreement of rankers</h2>");
    assert_contains(&html, "&lt;k&gt;");
    assert_lacks(&html, "<k>");
    assert_contains(&html, "beta, 24 features");
    assert_contains(&plain, "Agreement of rankers\n----");
    assert_contains(&plain, "Mean over 3 data sets\nranker ");
    assert_lacks(&plain, "beta, 24 features"); /* only the page has room for each */
    assert_lacks(&plain, "Not ranked yet");
    assert_contains(&latex, "\\caption{Standard deviation over 3 data sets}");
    hs_buf_clear(&html);
    hs_buf_clear(&plain);
    hs_buf_clear(&latex);
    world_free(&w);
}

static void test_rankings(void **state)
{
    (void)state;
    check_rankings("name: ranked\n" DATASETS RANKED "b}\n");
    check_rankings("name: ranked\n" DATASETS RANKED "a}\n");
}

/* Heat maps: of mean and spread, and of each data set. */
static void test_heat_maps(void **state)
{
    world w = {0};
    (void)state;
    world_new(&w, &(hs_sample){.text = "name: ranked\n" DATASETS RANKED "b}\n"});
    char charts[128];
    snprintf(charts, sizeof charts, "%s", w.folder.path);
    world_make(&w, &(hs_report_request){.charts = charts, .gnuplot = "/nowhere/gnuplot"});
    hs_buf html = written(&w, HS_REPORT_HTML);
    assert_contains(&html, "The chart tau-mean is missing");
    assert_contains(&html, "The chart tau-sd is missing");
    assert_contains(&html, "The chart tau-3 is missing");
    hs_buf_clear(&html);
    world_free(&w);
}

/* One data set, a ranker that failed, one that was not run, a store that lacks all of it. */
static void test_rankings_missing(void **state)
{
    static const char one[] =
        "name: ranked\ndatasets:\n"
        "  - {name: a, generate: \"ontology:instances=20,features=8,positives=3\", seed: 1}\n" RANKED
        "a, ties: weka}\n";
    static const char *const failed[] = {"ig"}, *const why[] = {"ig: <no> way"};
    const double *const none[] = {NULL};
    world w = {0};
    hsel_error error = {0};
    hs_store *store = NULL;
    (void)state;
    world_new(&w, &(hs_sample){.text = one});
    world_make(&w, NULL);
    hs_buf text = written(&w, HS_REPORT_TEXT);
    assert_contains(&text, "a, 8 features\nranker ");
    assert_contains(&text, "as WEKA's Ranker");
    assert_lacks(&text, "Mean over");
    hs_buf_clear(&text);
    hs_report_clear(&w.report);
    assert_ok(hs_store_open(w.store, HS_STORE_WRITE, false, &store, &error), error);
    assert_ok(hs_store_put_rankings(store, 1, 8, failed, 1, none, why, &error), error);
    assert_ok(hs_store_run(store, "DELETE FROM ranking WHERE ranker = (SELECT id FROM text WHERE "
                                  "text = 'relieff')", &error),
              error);
    hs_store_close(store);
    world_make(&w, NULL);
    text = written(&w, HS_REPORT_TEXT);
    assert_contains(&text, "ig on a: ig: <no> way");
    assert_contains(&text, "Not ranked yet: a.");
    const hs_grid *grid = grid_of(&w.report, "a, 8 features");
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++)
            assert_int_equal(strcmp(grid->cells[i * 5 + j + 1].text, "–") == 0,
                             i == 1 || i == 2 || j == 1 || j == 2);
    hs_buf_clear(&text);
    hs_report_clear(&w.report);
    assert_ok(hs_store_open(w.store, HS_STORE_WRITE, false, &store, &error), error);
    assert_ok(hs_store_run(store, "DELETE FROM ranking", &error), error);
    hs_store_close(store);
    world_make(&w, NULL);
    text = written(&w, HS_REPORT_TEXT);
    assert_contains(&text, "Not ranked yet: a.");
    assert_lacks(&text, "Kendall");
    hs_buf_clear(&text);
    world_free(&w);
}

/* ---- charts ---- */

static void test_charts_without_gnuplot(void **state)
{
    world w = {0};
    char charts[128];
    (void)state;
    world_new(&w, &(hs_sample){.text = study_text});
    snprintf(charts, sizeof charts, "%s", w.folder.path);
    world_make(&w, &(hs_report_request){.charts = charts, .gnuplot = "/nowhere/gnuplot"});
    assert_int_equal(w.report.charts.wanted, 5); /* compression x 2, sweep x 2, times */
    assert_int_equal(w.report.charts.drawn, 0);
    hs_buf html = written(&w, HS_REPORT_HTML);
    assert_contains(&html, "apt install gnuplot-nox");
    assert_contains(&html, "The chart sweep-1-2 is missing: gnuplot cannot be run");
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
    world_free(&w);
}

/* ---- memory ---- */

static int make_and_write(void *context, hsel_error *error)
{
    static const hs_report_format formats[] = {HS_REPORT_HTML, HS_REPORT_TEXT, HS_REPORT_CSV,
                                               HS_REPORT_LATEX};
    hs_report report = {0};
    int status =
        hs_report_make(&(hs_report_request){.store = context, .details = true}, &report, error);
    for (size_t i = 0; i < 4 && status == HSEL_OK; i++) {
        hs_buf text = {0};
        hs_writer *out = NULL;
        status = hs_writer_open_memory(&text, &out, error);
        if (status == HSEL_OK &&
            (status = hs_report_write(&report, formats[i], out, error)) == HSEL_OK)
            status = hs_writer_commit(out, error);
        else
            hs_writer_abandon(out);
        hs_buf_clear(&text);
    }
    hs_report_clear(&report);
    return status;
}

static void test_memory(void **state)
{
    static const char text[] =
        "name: tiny\n"
        "datasets:\n"
        "  - {name: a, generate: \"ontology:instances=20,features=8,positives=3\", seed: 1}\n"
        "  - {name: b, generate: \"ontology:instances=20,features=8,positives=3\", seed: 2}\n"
        "selectors: [none, rpv, \"shsel:threshold={0.9,1}\"]\nclassifiers: [nb]\n"
        "folds: {count: 2}\nmetrics: [gm]\ncompare: {control: rpv}\nbest-of: {selector: shsel}\n"
        "rankings: [auc, ig]\n";
    world w = {0};
    (void)state;
    world_new(&w, &(hs_sample){.text = text});
    assert_true(hs_oom_each("report", make_and_write, w.store) > 100);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_boards),
        cmocka_unit_test(test_across_classifiers),
        cmocka_unit_test(test_best_of_sweep),
        cmocka_unit_test(test_metrics_chosen),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_missing_and_failed),
        cmocka_unit_test(test_method_that_never_works),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_bad_stores),
        cmocka_unit_test(test_hostile_names),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_published),
        cmocka_unit_test(test_features),
        cmocka_unit_test(test_rankings),
        cmocka_unit_test(test_heat_maps),
        cmocka_unit_test(test_rankings_missing),
        cmocka_unit_test(test_charts_without_gnuplot),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reports: numbers against metrics worked out directly from a cross-validation (hs_crossval_run),
 * bold at ties, best of a sweep, and memory that runs out. What does not exist is in
 * test_report_missing.c, the parts of the page in test_report_parts.c, rankings in
 * test_report_rankings.c, comparisons in test_comparison.c.
 */
#include "support/cmocka.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "learn/crossval.h"
#include "support/oom.h"
#include "support/report_world.h"
#include "support/threads.h"

HS_TEST_USES_THREADS

/* ---- numbers ---- */

/* Equal, also in that there is none: precision among the first 100 of fewer. */
static void near(double expected, double found)
{
    assert_true(isnan(expected) ? isnan(found) : fabs(expected - found) < 1e-12);
}

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
        const hs_repeat tested = hs_crossval_repeat(&done, 0);
        assert_ok(hs_metrics_compute(&tested.predictions, &scores, &error), error);
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
    hs_report_world w = {0};
    (void)state;
    hs_report_world_new(&w, &(hs_sample){.text = hs_report_study});
    hs_report_world_make(&w, NULL);
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
                    near(direct.pooled[m], outcome->evaluation.pooled[m].mean);
                    near(direct.fold_mean[m], outcome->evaluation.fold_mean[m].mean);
                    near(direct.fold_se[m], hs_running_spread(&outcome->evaluation.fold_mean[m]));
                    near(errors[m], hs_running_mean(&outcome->evaluation.fold_se[m]));
                }
            }
    hs_report_world_free(&w);
}

/* Mean, rank and wins of each board by hand, from its own scores. The best of a sweep was chosen on
 * the test folds, and has a mean only. */
static void check_board(const hs_report *report, const hs_board *board)
{
    size_t rows = report->outcomes.dataset_count, columns = report->boards.column_count;
    const hs_board_column *column = report->boards.columns;
    for (size_t c = 0; c < columns; c++) {
        double sum = 0, ranks = 0;
        uint32_t wins = 0;
        for (size_t d = 0; d < rows; d++) {
            const hs_score *row = board->score + d * columns;
            double above = 0, equal = 0;
            for (size_t j = 0; j < columns; j++) {
                bool same = fabs(row[j].value - row[c].value) < 1e-12; /* but for rounding */
                above += !same && row[j].value > row[c].value && !column[j].best;
                equal += same && !column[j].best;
            }
            sum += row[c].value;
            ranks += above + (equal + 1) / 2;
            wins += above == 0;
            assert_int_equal(row[c].best, above == 0 && !column[c].best);
        }
        assert_true(fabs(board->mean[c] - sum / (double)rows) < 1e-12);
        assert_int_equal(board->taking_part[c], !column[c].best);
        if (column[c].best)
            continue;
        assert_true(fabs(board->comparison.ranks.mean[board->place[c]] - ranks / (double)rows) <
                    1e-12);
        assert_int_equal(board->comparison.wins[board->place[c]], wins);
    }
}

static void test_boards(void **state)
{
    hs_report_world w = {0};
    (void)state;
    hs_report_world_new(&w, &(hs_sample){.text = hs_report_study});
    hs_report_world_make(&w, NULL);
    assert_int_equal(w.report.boards.count, 4);
    assert_int_equal(w.report.boards.column_count, 4);
    assert_int_equal(w.report.boards.boards[1].metric, HS_METRIC_GM);
    assert_int_equal(w.report.boards.boards[1].classifier, 1);
    for (size_t i = 0; i < w.report.boards.count; i++)
        check_board(&w.report, &w.report.boards.boards[i]);
    hs_report_world_free(&w);
}

/* The classifiers side by side, for each selector, with errors and published figures. */
static void test_across_classifiers(void **state)
{
    static const char text[] =
        "name: across\n" REPORT_DATASETS "selectors: [hip, {label: all, method: none}]\n"
        "classifiers: [nb, {label: near, method: \"knn:k=3\"}, \"knn:k=1\"]\n"
        "folds: {count: 4, repeats: 2}\nmetrics: [sensitivity, gm]\n"
        "compare: {across: classifiers, errors: true, control: near}\n"
        "published: {file: figures.csv, map: {\"knn:k=3\": 3nn}}\n";
    hs_report_world w = {0};
    (void)state;
    hs_report_world_new(&w, NULL);
    hs_report_world_file(&w, "figures.csv",
                         "paper,table,dataset,classifier,metric,percent\np,t,beta,3nn,gm,40.0\n");
    hs_sample_run(&(hs_sample){.text = text}, w.store);
    hs_report_world_make(&w, NULL);
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
                assert_true(score->value == outcome->evaluation.fold_mean[board->metric].mean);
                assert_int_equal(isnan(score->se), board->metric == HS_METRIC_GM);
                assert_int_equal(!isnan(score->published), i >= 2 && d == 1 && c == 1);
            }
    }
    char expected[96];
    const hs_score *first = &boards->boards[0].score[0];
    snprintf(expected, sizeof expected, "%.1f ± %.1f", 100 * first->value, 100 * first->se);
    hs_buf plain = hs_report_world_text(&w, HS_REPORT_TEXT);
    hs_assert_contains(&plain, expected);
    hs_assert_contains(&plain, "Sensitivity with all, in percent");
    hs_buf_clear(&plain);
    hs_report_world_free(&w);
}

/* The column of the sweep shows, for each metric, the setting with the best accuracy; the first of
 * equals. */
static void test_best_of_sweep(void **state)
{
    hs_report_world w = {0};
    (void)state;
    hs_report_world_new(&w, &(hs_sample){.text = hs_report_study});
    hs_report_world_make(&w, NULL);
    const hs_outcomes *o = &w.report.outcomes;
    size_t columns = w.report.boards.column_count;
    assert_true(w.report.boards.columns[3].best);
    for (size_t i = 0; i < w.report.boards.count; i++) {
        const hs_board *board = &w.report.boards.boards[i];
        for (size_t d = 0; d < 3; d++) {
            size_t best = 3;
            for (size_t s = 4; s < 6; s++)
                if (hs_outcome_of(o, d, s, board->classifier)
                        ->evaluation.fold_mean[HS_METRIC_ACCURACY]
                        .mean > hs_outcome_of(o, d, best, board->classifier)
                                    ->evaluation.fold_mean[HS_METRIC_ACCURACY]
                                    .mean)
                    best = s;
            assert_int_equal(board->score[d * columns + 3].selector, best);
            assert_true(board->score[d * columns + 3].value ==
                        hs_outcome_of(o, d, best, board->classifier)
                            ->evaluation.fold_mean[board->metric]
                            .mean);
        }
    }
    hs_report_world_free(&w);
}

/* --metric takes the place of the study's metrics; pooled is what the study says. */
static void test_metrics_chosen(void **state)
{
    static const char pooled[] =
        "name: p\n" REPORT_DATASETS "selectors: [none, rpv]\nclassifiers: [nb]\n"
        "folds: {count: 3}\nmetrics: [gm]\ncompare: {by: pooled}\n";
    const hs_metric metrics[] = {HS_METRIC_AUROC, HS_METRIC_COMPRESSION};
    hs_report_world w = {0};
    (void)state;
    hs_report_world_new(&w, &(hs_sample){.text = pooled});
    hs_report_world_make(&w, &(hs_report_request){.metrics = metrics, .metric_count = 2});
    assert_int_equal(w.report.boards.count, 2);
    for (size_t d = 0; d < 3; d++) {
        assert_true(
            w.report.boards.boards[0].score[2 * d].value ==
            hs_outcome_of(&w.report.outcomes, d, 0, 0)->evaluation.pooled[HS_METRIC_AUROC].mean);
        assert_true(w.report.boards.boards[1].score[2 * d].value == 0);
        assert_true(w.report.boards.boards[1].score[2 * d + 1].best);
    }
    hs_report_world_free(&w);
}

/* ---- ties ---- */

static const char *hip_is_none(const char *selector)
{
    return strcmp(selector, "hip") == 0 ? "none" : selector;
}

static void test_ties(void **state)
{
    static const char text[] =
        "name: ties\n" REPORT_DATASETS "selectors: [none, hip]\nclassifiers: [nb]\n"
        "folds: {count: 3}\nmetrics: [gm]\n";
    hs_report_world w = {0};
    (void)state;
    hs_report_world_new(&w, &(hs_sample){.text = text, .in_place_of = hip_is_none});
    hs_report_world_make(&w, NULL);
    const hs_board *board = &w.report.boards.boards[0];
    for (size_t i = 0; i < 6; i++)
        assert_true(board->score[i].best);
    assert_int_equal(board->comparison.wins[0], 3);
    assert_int_equal(board->comparison.wins[1], 3);
    assert_true(board->comparison.ranks.mean[0] == 1.5);
    hs_buf html = hs_report_world_text(&w, HS_REPORT_HTML);
    char both[160];
    double value = 100 * board->score[0].value, sum = 100 * board->mean[0];
    snprintf(both, sizeof both, "<th scope=\"row\">alpha</th><td title=\"");
    hs_assert_contains(&html, both);
    size_t bold = 0;
    for (const char *at = html.text; (at = strstr(at, "<strong>")); at++)
        bold++;
    assert_int_equal(bold, 2 * 3 + 2 + 2); /* values, means, average ranks */
    snprintf(both, sizeof both, "<strong>%.1f</strong>", value);
    hs_assert_contains(&html, both);
    snprintf(both, sizeof both, "<strong>%.1f</strong>", sum);
    hs_assert_contains(&html, both);
    hs_buf_clear(&html);
    hs_buf latex = hs_report_world_text(&w, HS_REPORT_LATEX);
    snprintf(both, sizeof both, "alpha & \\textbf{%.1f} & \\textbf{%.1f} \\\\\n", value, value);
    hs_assert_contains(&latex, both);
    hs_buf_clear(&latex);
    hs_report_world_free(&w);
}

/* ---- memory ---- */

static int make_and_write(void *context, hsel_error *error)
{
    static const hs_report_format formats[] = {HS_REPORT_HTML, HS_REPORT_TEXT, HS_REPORT_CSV,
                                               HS_REPORT_LATEX, HS_REPORT_CURVES};
    hs_report report = {0};
    int status =
        hs_report_make(&(hs_report_request){.store = context, .details = true}, &report, error);
    for (size_t i = 0; i < 5 && status == HSEL_OK; i++) {
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
    hs_report_world w = {0};
    (void)state;
    hs_report_world_new(&w, &(hs_sample){.text = text});
    assert_true(hs_oom_each("report", make_and_write, w.store) > 100);
    hs_report_world_free(&w);
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
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

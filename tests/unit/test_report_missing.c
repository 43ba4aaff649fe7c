/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reports about what does not exist: work that failed or was not done yet, methods that never work,
 * stores without results, without a study, and no stores. Samples are run by hs_crossval_run.
 */
#include "support/cmocka.h"

#include <math.h>
#include <string.h>

#include "study/store.h"
#include "support/report_world.h"

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
    hs_report_world w = {0};
    (void)state;
    hs_report_world_new(&w, &(hs_sample){.text = hs_report_study, .wanted = some});
    hs_report_world_make(&w, NULL);
    const hs_outcomes *o = &w.report.outcomes;
    const hs_board *board = &w.report.boards.boards[0];
    const hs_outcome *failed = hs_outcome_of(o, 1, 1, 0), *part = hs_outcome_of(o, 2, 2, 0);
    assert_int_equal(failed->state, HS_OUTCOME_FAILED);
    assert_int_equal(failed->folds_failed, 1);
    assert_string_equal(failed->message, "beta: a bad <thing>");
    assert_int_equal(part->state, HS_OUTCOME_PART);
    assert_int_equal(part->evaluation.repeats, 1);
    assert_int_equal(hs_outcome_of(o, 0, 4, 1)->state, HS_OUTCOME_MISSING);
    assert_int_equal(board->score[0 * 4 + 3].state,
                     HS_OUTCOME_PART);    /* a sweep with a setting that is missing */
    assert_int_equal(board->complete, 1); /* the others lack something */
    for (size_t c = 0; c < 3; c++)        /* every mean is over the same data sets */
        assert_true(board->mean[c] == board->counted[c]);
    assert_true(isnan(board->mean[3]));
    assert_int_equal(
        board->comparison.wins[0] + board->comparison.wins[1] + board->comparison.wins[2], 1);
    assert_true(isnan(board->counted[2 * 4 + 2]) && !isnan(board->score[2 * 4 + 2].value));
    assert_false(board->score[2 * 4 + 2].best);
    assert_false(board->comparison.tested);
    hs_buf text = hs_report_world_text(&w, HS_REPORT_TEXT);
    /* 3 x 6 x 2 x 2 x 4 jobs; failed: 2 classifiers; open: 2 folds x 2 classifiers, and 8 x 2 of
     * the setting */
    hs_assert_contains(&text, "266 of 288 finished, 2 failed, 20 not run yet");
    hs_assert_contains(&text, "beta: a bad <thing>");
    hs_assert_contains(&text, "2 of 16");
    hs_assert_contains(&text, "†");
    hs_buf_clear(&text);
    hs_buf html = hs_report_world_text(&w, HS_REPORT_HTML);
    hs_assert_contains(&html, "beta: a bad &lt;thing&gt;");
    hs_assert_contains(&html, "class=\"part\"");
    hs_buf_clear(&html);
    hs_report_world_free(&w);
}

#define WIDE_STUDY                                                                                 \
    "name: s\ndatasets:\n  - {name: wide, generate: "                                              \
    "\"ontology:instances=100,features=1500,positives=400,depth=8,signal=0.1\"}\n"                 \
    "selectors: none\nclassifiers: nb\nmetrics: auroc\nfolds: {count: 4}\n"

/* Areas rank by score or, if the study says so, by probability. */
static void test_rank_by(void **state)
{
    double auroc[2];
    (void)state;
    for (int round = 0; round < 2; round++) {
        hs_report_world w = {0};
        hs_report_world_new(
            &w, &(hs_sample){.text = round ? WIDE_STUDY "rank-by: probability\n" : WIDE_STUDY});
        hs_report_world_make(&w, NULL);
        auroc[round] =
            hs_outcome_of(&w.report.outcomes, 0, 0, 0)->evaluation.pooled[HS_METRIC_AUROC].mean;
        hs_buf text = hs_report_world_text(&w, HS_REPORT_TEXT);
        (round ? hs_assert_contains
               : hs_assert_lacks)(&text, "percent; AUROC and AUPRC rank by probability");
        hs_buf_clear(&text);
        hs_report_world_free(&w);
    }
    assert_true(auroc[0] != auroc[1]);
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
    hs_report_world w = {0};
    (void)state;
    hs_report_world_new(&w, &(hs_sample){.text = hs_report_study, .wanted = never_hip});
    hs_report_world_make(&w, NULL);
    const hs_board *board = &w.report.boards.boards[0];
    assert_false(board->taking_part[1]);
    assert_int_equal(board->complete, 3);
    assert_int_equal(board->comparison.request.results.columns, 2);
    assert_int_equal(board->comparison.request.control, 1); /* rpv, the third of the study */
    assert_true(board->comparison.tested);
    hs_buf text = hs_report_world_text(&w, HS_REPORT_TEXT);
    hs_assert_contains(&text, "failed");
    hs_assert_contains(&text, "1 method without any finished result is left out.");
    hs_buf_clear(&text);
    hs_report_world_free(&w);
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
    hs_report_world w = {0};
    (void)state;
    hs_report_world_new(&w, &(hs_sample){.text = hs_report_study, .wanted = nothing});
    hs_report_world_make(&w, NULL);
    for (size_t i = 0; i < 4; i++) {
        hs_buf text = hs_report_world_text(&w, formats[i]);
        hs_assert_contains(&text, formats[i] == HS_REPORT_CSV ? "alpha,none,nb,gm,missing,0,,,,,,\n"
                                                              : "alpha");
        hs_assert_lacks(&text, "nan");
        hs_buf_clear(&text);
    }
    hs_buf text = hs_report_world_text(&w, HS_REPORT_TEXT);
    hs_assert_contains(&text, "No job of this study is finished yet; hsel run computes them.");
    hs_assert_contains(&text, "0 of 288 finished, 288 not run yet");
    hs_buf_clear(&text);
    hs_report_world_free(&w);
}

static void test_bad_stores(void **state)
{
    hs_report_world w = {0};
    hs_store *store = NULL;
    hsel_error error = {0};
    (void)state;
    hs_report_world_new(&w, NULL);
    hs_report_request request = {.store = w.store};
    assert_int_equal(hs_report_make(&request, &w.report, &error), HSEL_EIO);
    assert_non_null(strstr(error.message, "s.db"));
    assert_ok(hs_store_open(w.store, HS_STORE_WRITE, false, &store, &error), error);
    hs_store_close(store);
    assert_int_equal(hs_report_make(&request, &w.report, &error), HSEL_EFORMAT);
    assert_non_null(strstr(error.message, "the store has no study yet; hsel run adds one"));
    hs_sample_run(&(hs_sample){.text = hs_report_study, .wanted = nothing}, w.store);
    request.study = "other";
    assert_int_equal(hs_report_make(&request, &w.report, &error), HSEL_EUSAGE);
    assert_non_null(strstr(error.message, "the store has no study 'other'"));
    request.store = w.folder.path;
    assert_true(hs_report_make(&request, &w.report, &error) < 0);
    assert_non_null(strstr(error.message, "folder"));
    hs_report_world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rank_by),
        cmocka_unit_test(test_missing_and_failed),
        cmocka_unit_test(test_method_that_never_works),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_bad_stores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

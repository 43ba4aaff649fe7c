/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Agreement of rankers in a report (hs_tau_matrix): matrices against pairs of features counted one
 * by one, and rankings that failed or were not made.
 */
#include "support/cmocka.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "rank/rank.h"
#include "study/store_parts.h"
#include "support/report_world.h"
#include "support/threads.h"

HS_TEST_USES_THREADS

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
        assert_ok(hs_chosen_parse(HS_RANKER, study->rankers[i].text, &chosen, &error), error);
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

static const hs_doc_grid *grid_of(const hs_report *report, const char *caption)
{
    for (size_t i = 0; i < report->doc.count; i++)
        if (report->doc.parts[i].kind == HS_PART_GRID &&
            strcmp(report->doc.parts[i].grid->caption, caption) == 0)
            return report->doc.parts[i].grid;
    fail_msg("there is no table '%s'", caption);
    return NULL;
}

static void assert_matrix(const hs_doc_grid *grid, const double *matrix)
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
    hs_report_world w = {0};
    double matrix[3][16], mean[16], sd[16], distance[3] = {0};
    hs_report_world_new(&w, &(hs_sample){.text = text});
    hs_report_world_make(&w, NULL);
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
    const hs_doc_grid *grid =
        grid_of(&w.report, "Distance of each data set's matrix from the mean (Frobenius norm)");
    assert_int_equal(grid->rows, 4);
    for (size_t d = 0; d < 3; d++)
        assert_true(fabs(strtod(grid->cells[d * 3 + 2].exact, NULL) - sqrt(distance[d])) < 1e-12);
    assert_string_equal(grid->cells[3 * 3].text, "random rankings (30 matrices)");
    hs_buf html = hs_report_world_text(&w, HS_REPORT_HTML),
           plain = hs_report_world_text(&w, HS_REPORT_TEXT),
           latex = hs_report_world_text(&w, HS_REPORT_LATEX);
    hs_assert_contains(&html, "Agreement of rankers</h2>");
    hs_assert_contains(&html, "&lt;k&gt;");
    hs_assert_lacks(&html, "<k>");
    hs_assert_contains(&html, "beta, 24 features");
    hs_assert_contains(&html, " style=\"--s:1.00\">1.00</td>"); /* the table is a heat map */
    hs_assert_contains(&plain, "Agreement of rankers\n----");
    hs_assert_contains(&plain, "Mean over 3 data sets\nranker ");
    hs_assert_lacks(&plain, "beta, 24 features"); /* only the page has room for each */
    hs_assert_lacks(&plain, "Not ranked yet");
    hs_assert_contains(&latex, "\\caption{Standard deviation over 3 data sets}");
    hs_buf_clear(&html);
    hs_buf_clear(&plain);
    hs_buf_clear(&latex);
    hs_report_world_free(&w);
}

static void test_rankings(void **state)
{
    (void)state;
    check_rankings("name: ranked\n" REPORT_DATASETS RANKED "b}\n");
    check_rankings("name: ranked\n" REPORT_DATASETS RANKED "a}\n");
}

/* One data set, a ranker that failed, one that was not run, a store that lacks all of it. */
static void test_rankings_missing(void **state)
{
    static const char one[] =
        "name: ranked\ndatasets:\n"
        "  - {name: a, generate: \"ontology:instances=20,features=8,positives=3\", seed: "
        "1}\n" RANKED "a, ties: weka}\n";
    hs_job_result failed = {.method = "ig", .message = "ig: <no> way"};
    hs_report_world w = {0};
    hsel_error error = {0};
    hs_store *store = NULL;
    (void)state;
    hs_report_world_new(&w, &(hs_sample){.text = one});
    hs_report_world_make(&w, NULL);
    hs_buf text = hs_report_world_text(&w, HS_REPORT_TEXT);
    hs_assert_contains(&text, "a, 8 features\nranker ");
    hs_assert_contains(&text, "as in WEKA's Ranker");
    hs_assert_lacks(&text, "Mean over");
    hs_buf_clear(&text);
    hs_report_clear(&w.report);
    assert_ok(hs_store_open(w.store, HS_STORE_WRITE, false, &store, &error), error);
    assert_ok(hs_store_put(store, &(hs_result_key){.dataset = 1},
                           &(hs_unit_result){.width = 8, .jobs = &failed, .job_count = 1}, &error),
              error);
    assert_ok(hs_store_run(store,
                           "DELETE FROM job WHERE classifier = (SELECT id FROM text WHERE "
                           "text = 'relieff')",
                           &error),
              error);
    hs_store_close(store);
    hs_report_world_make(&w, NULL);
    text = hs_report_world_text(&w, HS_REPORT_TEXT);
    hs_assert_contains(&text, "ig on a: ig: <no> way");
    hs_assert_contains(&text, "Not ranked yet: a.");
    const hs_doc_grid *grid = grid_of(&w.report, "a, 8 features");
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++)
            assert_int_equal(strcmp(grid->cells[i * 5 + j + 1].text, "–") == 0,
                             i == 1 || i == 2 || j == 1 || j == 2);
    hs_buf_clear(&text);
    hs_report_clear(&w.report);
    assert_ok(hs_store_open(w.store, HS_STORE_WRITE, false, &store, &error), error);
    assert_ok(hs_store_run(store,
                           "DELETE FROM job WHERE unit IN (SELECT u.id FROM unit u JOIN text t ON"
                           " t.id = u.selector WHERE t.text = '')",
                           &error),
              error);
    hs_store_close(store);
    hs_report_world_make(&w, NULL);
    text = hs_report_world_text(&w, HS_REPORT_TEXT);
    hs_assert_contains(&text, "Not ranked yet: a.");
    hs_assert_lacks(&text, "Kendall");
    hs_buf_clear(&text);
    hs_report_world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rankings),
        cmocka_unit_test(test_rankings_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values that WEKA 3.6.14 gave on small data sets, in golden/: selections of cfs, weights of
 * relieff (equal in every bit), measures, and the class probabilities of nb, knn, aode and tree in
 * 10-fold cross-validation on WEKA's own folds. bench/weka_compare.py --golden wrote them with the
 * help of Java; here it is not needed.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "classify/classify.h"
#include "core/mem.h"
#include "data/folds.h"
#include "load/load.h"
#include "measure/measure.h"
#include "select/select.h"
#include "support/cmocka.h"
#include "support/folder.h"
#include "support/predict_one.h"

#define VALUES 1000

typedef struct golden {
    hsel_dataset *data;
    char *text;
    hs_counts counts;
    hs_training training;
} golden;

static void golden_open(const char *name, golden *g)
{
    hsel_error error = {0};
    hs_arena arena = {0};
    hs_load_options options = {0};
    hs_load_report report = {0};
    char path[64];
    size_t length;
    memset(g, 0, sizeof *g);
    assert_ok(hs_options_defaults(hs_load_table, &options, &arena, &error), error);
    snprintf(path, sizeof path, "golden/%s.arff", name);
    assert_ok(hs_load(path, &options, &report, &g->data, &error), error);
    snprintf(path, sizeof path, "golden/%s.txt", name);
    assert_non_null(g->text = hs_slurp(path, &length));
    g->training = (hs_training){.view = hs_view_all(g->data), .counts = &g->counts, .threads = 1};
    assert_ok(hs_counts_of(&g->training.view, &g->counts, &error), error);
    hs_load_report_clear(&report);
    hs_arena_clear(&arena);
}

static void golden_close(golden *g)
{
    hsel_dataset_free(g->data);
    hs_counts_clear(&g->counts);
    free(g->text);
}

/* The values of the line that begins with `what`; returns how many. */
static size_t golden_values(const golden *g, const char *what, double *value)
{
    size_t length = strlen(what), count = 0;
    for (const char *line = g->text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, what, length) != 0 || line[length] != ' ')
            continue;
        for (const char *at = line + length; *at == ' '; count++) {
            char *end;
            assert_true(count < VALUES);
            value[count] = strtod(at, &end);
            assert_true(end > at);
            at = end;
        }
        return count;
    }
    fail_msg("no line for %s", what);
    return 0;
}

/* ---- selectors ---- */

static void select_on(const golden *g, const char *text, uint64_t *mask, double *score)
{
    hsel_error error = {0};
    hs_chosen chosen = {0};
    void *state = NULL;
    assert_ok(hs_chosen_parse(HS_SELECTOR, text, &chosen, &error), error);
    const hs_selector *selector = chosen.method->selector;
    assert_ok(selector->prepare(&g->training, chosen.options, &state, &error), error);
    assert_ok(selector->select_features(state, mask, &error), error);
    memcpy(score, selector->scores(state), g->data->features * sizeof *score);
    selector->free(state);
    hs_chosen_clear(&chosen);
}

static void check_cfs(const golden *g, const char *text)
{
    double expected[VALUES], score[64];
    uint64_t mask = 0, wanted = 0;
    size_t count = golden_values(g, text, expected);
    for (size_t i = 0; i < count; i++)
        hs_bit_set(&wanted, (size_t)expected[i] - 1);
    select_on(g, text, &mask, score);
    assert_true(count > 2);
    assert_int_equal(mask, wanted);
}

static void check_relieff(const golden *g, const char *text)
{
    double expected[VALUES], score[64];
    uint64_t mask = 0;
    uint32_t kept = 0;
    assert_int_equal(golden_values(g, text, expected), g->data->features);
    select_on(g, text, &mask, score);
    for (uint32_t f = 0; f < g->data->features; f++) {
        if (!(score[f] == expected[f]))
            fail_msg("%s: weight %.17g of feature %u, WEKA has %.17g", text, score[f], f + 1,
                     expected[f]);
        assert_int_equal(hs_bit_get(&mask, f), expected[f] > 0.01);
        kept += hs_bit_get(&mask, f);
    }
    assert_true(kept > 0 && kept < g->data->features);
}

/* ---- measures ---- */

static void check_measure(const golden *g, const char *name)
{
    hsel_error error = {0};
    hs_chosen measure = {0};
    double expected[VALUES], score[64];
    assert_ok(hs_chosen_parse(HS_MEASURE, name, &measure, &error), error);
    assert_int_equal(golden_values(g, name, expected), g->data->features);
    for (uint32_t f = 0; f < g->data->features; f++) {
        hs_cells cells = hs_cells_of(&g->counts, f, g->data->positive_class);
        double room[HS_CELLS_ROOM(8)];
        assert_true(cells.classes <= 8);
        score[f] = hs_score_cells(measure.method->measure, &cells, measure.options, room);
        if (fabs(score[f] - expected[f]) > 1e-12 * fmax(1, expected[f]))
            fail_msg("%s: %.17g for feature %u, WEKA has %.17g", name, score[f], f + 1,
                     expected[f]);
    }
    hs_chosen_clear(&measure);
}

/* ---- classifiers ---- */

/* One fold: fits on the others, compares what it predicts with `expected`, an instance and its
 * probabilities after the other; returns how many values that were. */
static size_t check_fold(const golden *g, const hs_chosen *chosen, const hs_folds *folds,
                         uint32_t fold, const double *expected)
{
    hsel_error error = {0};
    uint32_t rows[128], classes = g->counts.classes;
    const hs_classifier *classifier = chosen->method->classifier;
    hs_training training = g->training;
    hs_counts counts = {0};
    void *model = NULL, *scratch = NULL;
    size_t used = 0;
    training.view.rows = rows;
    training.view.row_count = hs_folds_training(folds, fold, rows);
    training.counts = &counts;
    assert_ok(hs_counts_of(&training.view, &counts, &error), error);
    assert_ok(classifier->fit(&training, chosen->options, &model, &error), error);
    if (classifier->scratch_new)
        assert_ok(classifier->scratch_new(model, &scratch, &error), error);
    for (uint32_t i = folds->start[fold]; i < folds->start[fold + 1]; i++) {
        double probability[3], score[3];
        assert_int_equal(folds->order[i], expected[used++]);
        assert_ok(hs_predict_one(classifier, model, g->data, folds->order[i], NULL, scratch,
                                 probability, score, &error),
                  error);
        for (uint32_t c = 0; c < classes; c++, used++)
            if (fabs(probability[c] - expected[used]) > 1e-12)
                fail_msg("%s: instance %u, class %u: %.17g, WEKA has %.17g", chosen->method->name,
                         folds->order[i], c, probability[c], expected[used]);
    }
    if (classifier->scratch_free)
        classifier->scratch_free(scratch);
    classifier->free(model);
    hs_counts_clear(&counts);
    return used;
}

static void check_classifier(const golden *g, const char *text)
{
    hsel_error error = {0};
    hs_chosen chosen = {0};
    hs_folds folds = {0};
    double expected[VALUES];
    size_t used = 0, count = golden_values(g, text, expected);
    char as_weka[120];
    const char *options = strchr(text, ':');
    snprintf(as_weka, sizeof as_weka, "%.*s:preset=weka%s%s", (int)strcspn(text, ":"), text,
             options ? "," : "", options ? options + 1 : "");
    assert_ok(hs_chosen_parse(HS_CLASSIFIER, as_weka, &chosen, &error), error);
    assert_ok(hs_folds_make(g->data, HS_FOLDS_WEKA, 10, 1, &folds, &error), error);
    for (uint32_t fold = 0; fold < 10; fold++)
        used += check_fold(g, &chosen, &folds, fold, expected + used);
    assert_int_equal(used, count);
    hs_folds_clear(&folds);
    hs_chosen_clear(&chosen);
}

/* ---- */

static void check_all(const char *name)
{
    golden g;
    golden_open(name, &g);
    check_cfs(&g, "cfs");
    check_cfs(&g, "cfs:locally-predictive=false");
    check_relieff(&g, "relieff");
    check_relieff(&g, "relieff:k=3");
    check_relieff(&g, "relieff:weight=true,sigma=2");
    check_measure(&g, "ig");
    check_measure(&g, "gr");
    check_measure(&g, "su");
    check_measure(&g, "chi2");
    check_classifier(&g, "nb");
    check_classifier(&g, "knn:k=1");
    check_classifier(&g, "knn:k=3");
    check_classifier(&g, "aode");
    check_classifier(&g, "aode:smoothing=m-estimate");
    check_classifier(&g, "aode:frequency=5");
    check_classifier(&g, "aode:frequency=30,smoothing=m-estimate,weight=3");
    check_classifier(&g, "tree");
    check_classifier(&g, "tree:laplace");
    golden_close(&g);
}

/* Numeric, nominal and binary features with missing values. */
static void test_trees_on_mixed_features(void **state)
{
    golden g;
    (void)state;
    golden_open("weka_trees", &g);
    check_classifier(&g, "tree");
    check_classifier(&g, "tree:raising=false");
    check_classifier(&g, "tree:pruning=false");
    check_classifier(&g, "tree:confidence=0.05,min=5");
    golden_close(&g);
}

static void test_two_classes(void **state)
{
    (void)state;
    check_all("weka_two");
}

static void test_three_classes(void **state)
{
    (void)state;
    check_all("weka_three");
}

/* Numeric and nominal features, with missing values. */
static void test_mixed(void **state)
{
    golden g;
    (void)state;
    golden_open("weka_mixed", &g);
    assert_int_equal(g.data->numeric_count, 5);
    assert_int_equal(g.data->nominal_count, 2);
    check_classifier(&g, "nb");
    check_classifier(&g, "nb:numeric=kernel");
    check_classifier(&g, "knn:k=1");
    check_classifier(&g, "knn:k=3");
    golden_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees_on_mixed_features),
        cmocka_unit_test(test_two_classes),
        cmocka_unit_test(test_three_classes),
        cmocka_unit_test(test_mixed),
    };
    return cmocka_run_group_tests_name("weka", tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The scores that classifiers hand on beside probabilities: log-odds against a twin in long double,
 * the AUROC of either of two classes for every classifier of the registry, naive Bayes on data so
 * wide that its probabilities are 0 and 1. (The votes of svm: test_svm_votes.c.)
 */
#include <math.h>
#include <string.h>

#include "classify/classify.h"
#include "learn/crossval.h"
#include "search/objective.h"
#include "support/cmocka.h"
#include "support/fitted.h"
#include "support/random_data.h"
#include "support/predict_one.h"

/* ---- logarithms ---- */

static void test_log_odds(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 1, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 200000; round++) {
        double logs[6], value[6], score[6], sum = 0;
        uint32_t classes = 2 + (uint32_t)hs_random_below(&stream, 5);
        double width = (double[]){1e-15, 1, 50, 5000}[hs_random_below(&stream, 4)];
        for (uint32_t c = 0; c < classes; c++) {
            uint64_t kind = hs_random_below(&stream, 8);
            logs[c] = -7 - width * hs_random_double(&stream);
            if (c && kind == 0) /* ties, neighbours, impossible classes */
                logs[c] = logs[hs_random_below(&stream, c)];
            else if (c && kind == 1)
                logs[c] = nextafter(logs[0], hs_random_below(&stream, 2) ? 0 : -9);
            else if (c && kind == 2)
                logs[c] = -INFINITY;
        }
        memcpy(value, logs, sizeof value);
        hs_normalise_logs(value, score, classes);
        assert_int_equal(hs_predicted_class(score, classes), hs_predicted_class(logs, classes));
        for (uint32_t c = 0; c < classes; c++) {
            long double rest = 0, most = -INFINITY, expected;
            for (uint32_t d = 0; d < classes; d++)
                most = d != c && logs[d] > most ? logs[d] : most;
            for (uint32_t d = 0; d < classes && most > -INFINITY; d++)
                rest += d == c ? 0 : expl(logs[d] - most);
            expected = most > -INFINITY ? logs[c] - most - logl(rest) : INFINITY;
            if (isinf(expected) ? score[c] != expected
                                : fabsl(score[c] - expected) > 1e-14L * (1 + fabsl(expected)))
                fail_msg("class %u of %u: %.17g, not %.17Lg", c, classes, score[c], expected);
            sum += value[c];
        }
        assert_true(fabs(sum - 1) < 1e-12);
        if (classes == 2)
            assert_true(score[0] == -score[1]);
    }
}

/* ---- cross-validation ---- */

static hs_crossval tested(const hsel_dataset *data, const hs_folds *folds, const char *text)
{
    hsel_error error = {0};
    hs_chosen none = {0}, classifier = {0};
    hs_crossval done = {0};
    assert_ok(hs_chosen_parse(HS_SELECTOR, "none", &none, &error), error);
    assert_ok(hs_chosen_parse(HS_CLASSIFIER, text, &classifier, &error), error);
    assert_ok(hs_crossval_run(&(hs_crossval_request){.data = data,
                                                     .folds = folds,
                                                     .selectors = &none,
                                                     .classifiers = &classifier,
                                                     .selector_count = 1,
                                                     .classifier_count = 1,
                                                     .seed = 1,
                                                     .threads = 1},
                              &done, &error),
              error);
    hs_chosen_clear(&none);
    hs_chosen_clear(&classifier);
    return done;
}

static hs_scores scores_of(const hs_crossval *done, uint32_t positive, hs_rank_by rank_by)
{
    hsel_error error = {0};
    hs_scores scores;
    hs_predictions predictions = hs_crossval_repeat(done, 0).predictions;
    predictions.positive_class = positive;
    predictions.rank_by = rank_by;
    assert_ok(hs_metrics_compute(&predictions, &scores, &error), error);
    return scores;
}

static bool same_auroc(const hs_crossval *done, hs_rank_by rank_by)
{
    hs_scores first = scores_of(done, 0, rank_by), second = scores_of(done, 1, rank_by);
    return first.pooled[HS_METRIC_AUROC] == second.pooled[HS_METRIC_AUROC] &&
           first.fold_mean[HS_METRIC_AUROC] == second.fold_mean[HS_METRIC_AUROC];
}

static hsel_dataset *wide_data(hs_stream *stream, uint32_t instances, uint32_t features,
                               double parents)
{
    return hs_random_dataset(stream, &(hs_random_shape){.instances = instances,
                                                        .features = features,
                                                        .classes = 2,
                                                        .density = 0.3,
                                                        .parents = parents,
                                                        .true_path = true});
}

static void test_either_class(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 2, "test", 0, 0);
    (void)state;
    for (size_t i = 0; i < hs_method_count(); i++) {
        const hs_method *method = hs_method_at(i);
        bool by_probability = true;
        for (int round = 0; round < 5 && method->kind == HS_CLASSIFIER; round++) {
            hsel_error error = {0};
            hs_folds folds = {0};
            hsel_dataset *data = wide_data(&stream, 50, round % 2 ? 400 : 8, 1.2);
            assert_ok(hs_folds_make(data, HS_FOLDS_OWN, 5, 1, &folds, &error), error);
            hs_crossval done = tested(
                data, &folds, strcmp(method->name, "nb") == 0 ? "nb:preset=weka" : method->name);
            if (!same_auroc(&done, HS_RANK_BY_SCORE))
                fail_msg("%s: AUROC depends on which class is positive", method->name);
            by_probability &= same_auroc(&done, HS_RANK_BY_PROBABILITY);
            hs_crossval_clear(&done);
            hs_folds_clear(&folds);
            hsel_dataset_free(data);
        }
        if (method->kind == HS_CLASSIFIER && strcmp(method->name, "nb") == 0)
            assert_false(by_probability); /* which is why there are scores */
    }
}

#define WIDE   20000
#define TESTED 60

/* log P(1, x) - log P(0, x), learned from all other folds, term by term. */
static long double nb_slowly(const hsel_dataset *data, const hs_folds *folds, uint32_t instance,
                             const bool (*cell)[WIDE])
{
    double size[2] = {0};
    for (uint32_t i = 0; i < TESTED; i++)
        size[data->class_of[i]] += folds->fold_of[i] != folds->fold_of[instance];
    long double odds = logl(size[1] + 1) - logl(size[0] + 1);
    for (uint32_t f = 0; f < WIDE; f++) {
        double same[2] = {0};
        for (uint32_t i = 0; i < TESTED; i++)
            if (folds->fold_of[i] != folds->fold_of[instance])
                same[data->class_of[i]] += cell[i][f] == cell[instance][f];
        odds += logl((same[1] + 1) / (size[1] + 2)) - logl((same[0] + 1) / (size[0] + 2));
    }
    return odds;
}

static void test_nb_on_wide_data(void **state)
{
    static bool cell[TESTED][WIDE];
    hs_stream stream;
    hsel_error error = {0};
    hs_folds folds = {0};
    long double odds[TESTED];
    double right = 0, pairs = 0;
    uint32_t certain[2] = {0};
    hs_stream_init(&stream, 3, "test", 0, 0);
    (void)state;
    hsel_dataset *data = wide_data(&stream, TESTED, WIDE, 0);
    assert_ok(hs_folds_make(data, HS_FOLDS_OWN, 5, 1, &folds, &error), error);
    hs_crossval done = tested(data, &folds, "nb:preset=weka");
    for (uint32_t i = 0; i < TESTED; i++) {
        size_t count;
        const uint32_t *row = hs_row(data, i, &count);
        for (size_t j = 0; j < count; j++)
            cell[i][row[j]] = true;
    }
    for (uint32_t i = 0; i < TESTED; i++) {
        odds[i] = nb_slowly(data, &folds, i, (const bool(*)[WIDE])cell);
        for (uint32_t c = 0; c < 2; c++)
            certain[c] += done.classifiers[0].probability[2 * i + c] == 1;
    }
    for (uint32_t i = 0; i < TESTED; i++)
        for (uint32_t j = 0; j < TESTED; j++)
            if (data->class_of[i] > data->class_of[j]) {
                assert_true(odds[i] != odds[j]);
                right += odds[i] > odds[j];
                pairs++;
            }
    uint32_t positive = certain[1] > certain[0];
    assert_true(certain[positive] > 10);
    hs_scores scores = scores_of(&done, positive, HS_RANK_BY_SCORE),
              others = scores_of(&done, positive, HS_RANK_BY_PROBABILITY);
    assert_true(scores.pooled[HS_METRIC_AUROC] == right / pairs);
    assert_true(others.pooled[HS_METRIC_AUROC] != right / pairs);
    hs_crossval_clear(&done);
    hs_folds_clear(&folds);
    hsel_dataset_free(data);
}

/* Inner cross-validation, as searches do it. */
static void test_inner_areas(void **state)
{
    static uint64_t all[(WIDE + 63) / 64];
    hs_stream stream;
    hsel_error error = {0};
    hs_counts counts = {0};
    hs_chosen nb = {0};
    double value[2];
    hs_stream_init(&stream, 3, "test", 0, 0);
    (void)state;
    memset(all, 0xff, sizeof all);
    hsel_dataset *data = wide_data(&stream, TESTED, WIDE, 0);
    hs_training training = hs_training_on(data, &counts);
    assert_ok(hs_chosen_parse(HS_CLASSIFIER, "nb:preset=weka", &nb, &error), error);
    for (uint32_t positive = 0; positive < 2; positive++) {
        hs_objective objective = {0};
        data->positive_class = positive;
        assert_ok(hs_inner_objective(&(hs_inner_request){.training = &training,
                                                         .classifier = &nb,
                                                         .metric = HS_METRIC_AUROC,
                                                         .folds = 5,
                                                         .seed = 1,
                                                         .workers = 1,
                                                         .owner = "ga"},
                                     &objective, &error),
                  error);
        assert_ok(
            objective.score(objective.self, &(hs_trial){.set = all}, &value[positive], &error),
            error);
        hs_objective_clear(&objective);
    }
    assert_true(value[0] == value[1] && value[0] > 0 && value[0] < 1);
    hs_chosen_clear(&nb);
    hs_counts_clear(&counts);
    hsel_dataset_free(data);
}

/* ---- svm ---- */

/* A decision of 0 goes to the second class, as in libsvm. */
static void test_svm_without_a_clue(void **state)
{
    hs_stream stream;
    hs_counts counts = {0};
    hsel_error error = {0};
    hs_fitted f;
    double probability[2], score[2];
    hs_stream_init(&stream, 5, "test", 0, 0);
    (void)state;
    hsel_dataset *data = hs_random_dataset(
        &stream, &(hs_random_shape){.instances = 10, .features = 2, .classes = 2});
    for (uint32_t i = 0; i < data->instances; i++)
        data->class_of[i] = i % 2;
    hs_training training = hs_training_on(data, &counts);
    hs_fit(&f, "svm:solver=libsvm", &training);
    assert_ok(hs_predict_one(f.chosen.method->classifier, f.model, data, 0, NULL, f.scratch,
                             probability, score, &error),
              error);
    assert_true(score[1] > 0 && score[1] < 1e-300 && score[0] == -score[1]);
    hs_unfit(&f);
    hs_counts_clear(&counts);
    hsel_dataset_free(data);
}

/* ---- metrics ---- */

static void test_what_is_ranked_by(void **state)
{
    (void)state;
    const uint32_t truth[] = {0, 0, 1, 1}, fold_of[] = {0, 0, 0, 0};
    const double probability[] = {0, 1, 1, 0, 0, 1, 0, 1}, score[] = {40, -3, 50, 60};
    hs_predictions p = {.instances = 4,
                        .classes = 2,
                        .folds = 1,
                        .positive_class = 1,
                        .truth = truth,
                        .fold_of = fold_of,
                        .probability = probability,
                        .score = score};
    hs_scores scores;
    hsel_error error = {0};
    assert_ok(hs_metrics_compute(&p, &scores, &error), error);
    assert_true(scores.pooled[HS_METRIC_AUROC] == 1 && scores.pooled[HS_METRIC_AUPRC] == 1);
    p.rank_by = HS_RANK_BY_PROBABILITY;
    assert_ok(hs_metrics_compute(&p, &scores, &error), error);
    assert_true(scores.pooled[HS_METRIC_AUROC] == 0.75 && scores.pooled[HS_METRIC_AUPRC] < 1);
    p.score = NULL; /* what an old store has */
    p.rank_by = HS_RANK_BY_SCORE;
    assert_ok(hs_metrics_compute(&p, &scores, &error), error);
    assert_true(scores.pooled[HS_METRIC_AUROC] == 0.75);
    assert_int_equal(hs_prediction_of(&p, 1), 0);
    p.score = (const double[]){-1, 0, 2, 1}; /* classes by scores, whatever the probabilities */
    p.rank_by = HS_RANK_BY_PROBABILITY;
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(hs_prediction_of(&p, i), i > 1);
    assert_true(hs_score_of(&p, 1, 0) == 0 && !signbit(hs_score_of(&p, 1, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_log_odds),           cmocka_unit_test(test_either_class),
        cmocka_unit_test(test_nb_on_wide_data),    cmocka_unit_test(test_inner_areas),
        cmocka_unit_test(test_svm_without_a_clue), cmocka_unit_test(test_what_is_ranked_by)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Learning through the public functions: what is learned is what the inner functions learn, at
 * any number of threads; wrong requests get one plain line; a watch stops every long call.
 */
#include <stdlib.h>
#include <string.h>

#include "core/progress.h"
#include "learn/crossval.h" /* tells CMake that threads run here: hs_crossval_run */
#include "learn/model.h"
#include "hsel/hsel.h"
#include "support/cmocka.h"
#include "support/threads.h"
#include "support/model_data.h"

HS_TEST_USES_THREADS

/* A request with seed 1. */
#define ASK(...) (&(hsel_request){.size = sizeof(hsel_request), .seed = 1, __VA_ARGS__})

/* ---- learning ---- */

static hsel_dataset *learnable(uint64_t seed)
{
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    assert_ok(hsel_dataset_generate("ontology:instances=300,features=60,depth=5,positives=12", seed,
                                    &data, &error),
              error);
    return data;
}

/* The features in reverse order, without classes and hierarchy: what a model must match by name. */
static hsel_dataset *bare_copy(const hsel_dataset *data)
{
    uint32_t n = data->instances, d = data->features;
    uint8_t *values = calloc(n, d);
    char *names = calloc(d, 32), *name = names;
    hsel_error error = {0};
    hsel_dataset *bare = NULL;
    for (uint32_t f = d; f-- > 0; name += strlen(name) + 1)
        strcpy(name, hsel_dataset_feature_name(data, f));
    for (uint32_t i = 0; i < n; i++)
        for (uint64_t j = data->rows.start[i]; j < data->rows.start[i + 1]; j++)
            values[i * d + d - 1 - data->rows.index[j]] = 1;
    hsel_arrays arrays = {.size = sizeof arrays,
                          .instances = n,
                          .features = d,
                          .layout = HSEL_DENSE,
                          .values = values,
                          .row_stride = d,
                          .column_stride = 1,
                          .feature_names = names};
    assert_ok(hsel_dataset_from_arrays(&arrays, &bare, &error), error);
    free(values);
    free(names);
    return bare;
}

static void test_models(void **state)
{
    (void)state;
    const char *const pairs[][2] = {
        {"rpv", "nb"}, {"mr", "knn"}, {"shsel", "nb"}, {"none", "knn"}, {"all-neg", "nb"}};
    hsel_error error = {0};
    hsel_dataset *data = learnable(1), *bare = bare_copy(data);
    uint32_t n = data->instances, d = data->features;
    double *ours = malloc(n * 2 * sizeof *ours), *theirs = malloc(n * 2 * sizeof *theirs);
    uint32_t *sizes = malloc(n * sizeof *sizes), *index = NULL;
    uint64_t *start = malloc((n + 1) * sizeof *start);
    double *weight = malloc(n * sizeof *weight);
    for (size_t p = 0; p < sizeof pairs / sizeof pairs[0]; p++) {
        hsel_model *model = NULL, *again = NULL;
        void *bytes = NULL;
        size_t length = 0;
        assert_ok(hsel_train(data,
                             ASK(.selector = pairs[p][0], .classifier = pairs[p][1], .threads = 1),
                             &model, &error),
                  error);
        assert_ok(hsel_predict(model, bare, NULL, theirs, NULL, sizes, &error), error);
        assert_ok(hsel_model_to_bytes(model, &bytes, &length, &error), error);
        assert_ok(hsel_model_from_bytes(bytes, length, &again, &error), error);
        for (int threads = 1; threads < 5; threads++) {
            memset(ours, 0, n * 2 * sizeof *ours);
            assert_ok(hsel_predict(threads % 2 ? model : again, data, ASK(.threads = threads), ours,
                                   NULL, NULL, &error),
                      error);
            assert_memory_equal(ours, theirs, n * 2 * sizeof *ours);
            assert_ok(hsel_select_each(model, threads == 4 ? bare : data, ASK(.threads = threads),
                                       start, &index, &error),
                      error);
            for (uint32_t i = 0; i < n; i++) {
                assert_int_equal(start[i + 1] - start[i], sizes[i]);
                for (uint64_t j = start[i]; j < start[i + 1]; j++)
                    assert_true(index[j] < d && (j == start[i] || index[j - 1] < index[j]));
            }
            hsel_free(index);
            /* Some instances alone, without those of weight 0, with what was selected for them. */
            const uint32_t first = n / 3, count = n / 2;
            for (uint32_t i = 0; i < n; i++)
                weight[i] = i % 3 != 0;
            memset(ours, 0xff, n * 2 * sizeof *ours);
            assert_ok(hsel_predict(model, data,
                                   ASK(.threads = threads, .first = first, .count = count,
                                       .weights = weight, .selected_start = start,
                                       .selected_index = &index),
                                   ours, NULL, NULL, &error),
                      error);
            for (uint32_t i = 0; i < count; i++) {
                const uint32_t at = first + i;
                assert_int_equal(start[i + 1] - start[i], at % 3 ? sizes[at] : 0);
                if (at % 3)
                    assert_memory_equal(ours + 2 * i, theirs + 2 * at, 2 * sizeof *ours);
                else
                    assert_true(isnan(ours[2 * i]));
            }
            hsel_free(index);
        }
        assert_int_equal(
            hsel_predict(model, data, ASK(.first = n, .count = 1), ours, NULL, NULL, &error),
            HSEL_EUSAGE);
        ((char *)bytes)[length / 2] ^= 1;
        hsel_model *damaged = NULL;
        assert_int_equal(hsel_model_from_bytes(bytes, length, &damaged, &error), HSEL_EFORMAT);
        assert_string_equal(error.message, "model: the model is damaged: the checksum is wrong");
        hsel_free(bytes);
        hsel_model_free(model);
        hsel_model_free(again);
    }
    free(ours);
    free(theirs);
    free(sizes);
    free(start);
    free(weight);
    hsel_dataset_free(bare);
    hsel_dataset_free(data);
}

static void test_select_and_rank(void **state)
{
    (void)state;
    hsel_error error = {0};
    hsel_dataset *data = learnable(2);
    uint8_t ours[60], kept[60];
    double scores[120], relevance[60];
    hsel_model *model = NULL;
    assert_int_equal(data->features, 60);
    assert_ok(hsel_select(data, ASK(.selector = "gtd", .threads = 1), ours, scores, &error), error);
    assert_ok(hsel_train(data, ASK(.selector = "gtd"), &model, &error), error);
    assert_ok(hsel_model_support(model, kept, &error), error);
    assert_memory_equal(ours, kept, sizeof ours);
    assert_ok(hsel_model_relevance(model, relevance, &error), error);
    assert_memory_equal(relevance, scores, sizeof relevance);
    hsel_model_free(model);
    assert_ok(hsel_rank(data, ASK(.rankers = "gr\0ig", .ranker_count = 2), scores, &error), error);
    assert_memory_equal(relevance, scores, sizeof relevance); /* gtd ranks by gain ratio */
    assert_int_equal(hsel_select(data, ASK(.selector = "hip"), ours, NULL, &error),
                     HSEL_EUNSUPPORTED);
    assert_string_equal(
        error.message,
        "hip selects features for each instance separately: train a model to use it");
    assert_int_equal(hsel_rank(data, ASK(.rankers = "igg", .ranker_count = 1), scores, &error),
                     HSEL_EUSAGE);
    assert_int_equal(hsel_select(data, ASK(.selector = "gtd", .threads = -1), ours, NULL, &error),
                     HSEL_EUSAGE);
    assert_ok(hsel_train(data, ASK(.selector = "all-pos"), &model, &error), error);
    assert_int_equal(hsel_model_relevance(model, relevance, &error), HSEL_EUNSUPPORTED);
    assert_int_equal(hsel_model_support(model, kept, &error), HSEL_EUNSUPPORTED);
    hsel_model_free(model);
    hsel_dataset_free(data);
}

/* ---- watching ---- */

static int stop(void *context, uint64_t done, uint64_t total, const char *what)
{
    (void)done, (void)total, (void)what;
    return ++*(int *)context >= 2;
}

static void check_stops(const hsel_dataset *data, const char *selector)
{
    uint8_t *keep = malloc(data->features);
    int calls = 0;
    hsel_error error = {0};
    assert_int_equal(
        hsel_select(data,
                    ASK(.selector = selector, .threads = 1, .report = stop, .context = &calls),
                    keep, NULL, &error),
        HSEL_ECANCELLED);
    assert_int_equal(calls, 2);
    free(keep);
}

static int stop_at_once(void *context, uint64_t done, uint64_t total, const char *what)
{
    ++*(int *)context;
    assert_true(done < total && strlen(what) > 0);
    return 1;
}

/* Methods that may take long report from within one fit, and stop when told so. */
static void test_stop_within(void **state)
{
    (void)state;
    static const char *const texts[] = {"cfs",
                                        "sc",
                                        "shsel",
                                        "shsel:mean=survivors,paths=contracted",
                                        "hfe",
                                        "tsel",
                                        "gtd:reading=shortest",
                                        "hill-climbing",
                                        "hill-climbing:direction=top-down",
                                        "relieff"};
    hsel_error error = {0};
    hsel_dataset *data = learnable(3);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        int calls = 0;
        hs_progress progress = {stop_at_once, &calls};
        hs_model *model = NULL;
        int status =
            hs_train(data, texts[i], NULL, HSEL_NONE, false, 1, 1, &progress, &model, &error);
        if (status != HSEL_ECANCELLED || calls != 1)
            fail_msg("%s: status %d, %d reports", texts[i], status, calls);
    }
    static const char *const classifiers[] = {"tan", "aode", "forest"};
    for (size_t i = 0; i < sizeof classifiers / sizeof *classifiers; i++) {
        int calls = 0;
        hs_progress progress = {stop_at_once, &calls};
        hs_model *model = NULL;
        int status = hs_train(data, "none", classifiers[i], HSEL_NONE, false, 1, 1, &progress,
                              &model, &error);
        if (status != HSEL_ECANCELLED || calls != 1)
            fail_msg("%s: status %d, %d reports", classifiers[i], status, calls);
    }
    hsel_dataset_free(data);
}

struct patience {
    int calls, most;
};

static int wait_for(void *context, uint64_t done, uint64_t total, const char *what)
{
    struct patience *patience = context;
    (void)done, (void)total, (void)what;
    return ++patience->calls == patience->most;
}

/* What takes long is made of fits that ask, too, so that no fit has to come to its end: how often
 * they do, and that they stop at any of these times. */
static void test_stop_deep_within(void **state)
{
    (void)state;
    static const struct {
        const char *selector, *classifier;
        int least;
    } cases[] = {{"boruta:runs=1,trees=20", "nb", 50},
                 {"ga:classifier=tree,population=4,generations=2,elite=1", "nb", 50},
                 {"level:classifier=tree", "nb", 20},
                 {"none", "tree", 3},
                 {"none", "forest:trees=20", 50}};
    hsel_error error = {0};
    hsel_dataset *data = learnable(3);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int all = 0, most = 0; most <= all; most += all / 5 + 1) {
            struct patience patience = {0, most};
            hs_progress progress = {wait_for, &patience};
            hs_model *model = NULL;
            int status = hs_train(data, cases[i].selector, cases[i].classifier, HSEL_NONE, false, 1,
                                  1, &progress, &model, &error);
            if (most == 0)
                all = patience.calls;
            if (status != (most ? HSEL_ECANCELLED : HSEL_OK) ||
                patience.calls != (most ? most : all) || all < cases[i].least)
                fail_msg("%s, %s: status %d, asked %d times of %d", cases[i].selector,
                         cases[i].classifier, status, patience.calls, all);
            hs_model_free(model);
        }
    hsel_dataset_free(data);
}

static void test_watch(void **state)
{
    (void)state;
    hsel_error error = {0};
    hsel_dataset *data = learnable(3), *large = NULL;
    hsel_evaluation *out = NULL;
    assert_ok(hsel_dataset_generate("ontology:instances=6000,features=600", 1, &large, &error),
              error);
    check_stops(large, "relieff");
    check_stops(large, "hill-climbing");
    check_stops(large, "hill-climbing:direction=top-down");
    hsel_dataset_free(large);
    for (int threads = 1; threads < 4; threads += 2) {
        int calls = 0;
        const hsel_request *request = ASK(.classifier = "knn", .folds = 50, .repeats = 1000000,
                                          .threads = threads, .report = stop, .context = &calls);
        assert_int_equal(hsel_crossval(data, request, &out, &error), HSEL_ECANCELLED);
        assert_null(out);
        assert_string_equal(error.message, "stopped");
        assert_int_equal(calls, 2); /* and never again */
    }
    hsel_dataset_free(data);
}

/* Weights of instances are for training; who could only ignore them says so. */
static void test_weights(void **state)
{
    hsel_error error = {0};
    hsel_dataset *data = learnable(3);
    const uint32_t rows = hsel_dataset_instances(data), classes = hsel_dataset_classes(data);
    hsel_model *plain = NULL, *weighted = NULL;
    hsel_evaluation *out = NULL;
    double *weights = calloc(rows, sizeof *weights), *scores = calloc(10000, sizeof *scores);
    double *p[2] = {calloc((size_t)rows * classes, sizeof(double)),
                    calloc((size_t)rows * classes, sizeof(double))};
    uint8_t keep[10000];
    (void)state;
    assert_true(weights && scores && p[0] && p[1]);
    for (uint32_t i = 0; i < rows; i++)
        weights[i] = 1 + i % 4;
    assert_int_equal(hsel_crossval(data, ASK(.weights = weights), &out, &error), HSEL_EUSAGE);
    assert_string_equal(error.message, "weights of instances are only for hsel_train");
    assert_int_equal(
        hsel_select(data, ASK(.selector = "gtd", .weights = weights), keep, NULL, &error),
        HSEL_EUSAGE);
    assert_int_equal(hsel_rank(data, ASK(.rankers = "ig", .ranker_count = 1, .weights = weights),
                               scores, &error),
                     HSEL_EUSAGE);
    assert_int_equal(
        hsel_train(data, ASK(.classifier = "tan", .weights = weights), &weighted, &error),
        HSEL_EUNSUPPORTED);
    assert_ok(hsel_train(data, ASK(.weights = weights), &weighted, &error), error);
    /* An earlier program does not know the member. */
    hsel_request older = {.size = offsetof(hsel_request, weights), .weights = weights};
    assert_ok(hsel_train(data, &older, &plain, &error), error);
    assert_ok(hsel_predict(plain, data, NULL, p[0], NULL, NULL, &error), error);
    assert_ok(hsel_predict(weighted, data, NULL, p[1], NULL, NULL, &error), error);
    assert_memory_not_equal(p[0], p[1], (size_t)rows * classes * sizeof(double));
    hsel_model_free(plain);
    hsel_model_free(weighted);
    hsel_dataset_free(data);
    free(weights);
    free(scores);
    free(p[0]);
    free(p[1]);
}

/* ---- texts ---- */

static void keep_note(void *context, const char *text)
{
    strcat(context, text);
    strcat(context, "\n");
}

/* What should be known of a result is told once for all folds, also when nobody asks for reports.
 */
static void test_notes(void **state)
{
    (void)state;
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    hsel_evaluation *found = NULL;
    hsel_model *model = NULL;
    assert_ok(hsel_dataset_generate("ontology:instances=80,features=40", 1, &data, &error), error);
    for (int threads = 1; threads <= 3; threads++) {
        char text[400] = "";
        hsel_request *request =
            ASK(.classifier = "svm:c=1,probability=logistic,max-steps=2", .folds = 5, .repeats = 2,
                .threads = threads, .context = text, .note = keep_note);
        assert_ok(hsel_crossval(data, request, &found, &error), error);
        hsel_evaluation_free(found);
        assert_string_equal(text, "svm: 10 of 10 machines stopped after 2 steps without "
                                  "converging; lower c or raise max-steps\n");
        text[0] = '\0';
        assert_ok(hsel_train(data, request, &model, &error), error);
        hsel_model_free(model);
        assert_string_equal(text, "svm: 1 of 1 machines stopped after 2 steps without converging; "
                                  "lower c or raise max-steps\n");
        text[0] = '\0';
        request->classifier = "svm";
        assert_ok(hsel_train(data, request, &model, &error), error);
        hsel_model_free(model);
        assert_string_equal(text, "");
    }
    hsel_dataset_free(data);
}

static void test_texts(void **state)
{
    (void)state;
    hsel_error error = {0};
    hsel_dataset *data = learnable(4);
    hsel_model *model = NULL;
    char *text = NULL, *json = NULL;
    const double table[] = {0.5, 0.6, 0.4, 0.7};
    hsel_compare_request request = {.size = sizeof request,
                                    .value = table,
                                    .datasets = 2,
                                    .methods = 2,
                                    .dataset_names = "a\0b",
                                    .method_names = "x\0y"};
    assert_ok(hsel_methods_json(&text, &error), error);
    assert_non_null(strstr(text, "\"needs-hierarchy\""));
    hsel_free(text);
    assert_ok(hsel_train(data, ASK(.selector = "rpv"), &model, &error), error);
    assert_ok(hsel_model_explain(model, data, 3, 0, "dot", &text, &error), error);
    assert_memory_equal(text, "digraph", 7);
    hsel_free(text);
    assert_int_equal(hsel_model_explain(model, data, 3, 0, "svg", &text, &error), HSEL_EUSAGE);
    assert_string_equal(error.message,
                        "unknown form of explanation 'svg': use text, json, dot or graphml");
    assert_int_equal(hsel_model_explain(model, data, 300, 0, "dot", &text, &error), HSEL_EUSAGE);
    assert_string_equal(error.message, "there is no instance 300: there are 300");
    hsel_model_free(model);
    assert_ok(hsel_compare(&request, &json, &text, &error), error);
    assert_non_null(strstr(json, "\"friedman\""));
    assert_null(strstr(json, "\"holm_p\""));
    hsel_free(json);
    hsel_free(text);
    request.control = "y";
    assert_ok(hsel_compare(&request, &json, NULL, &error), error);
    assert_non_null(strstr(json, "\"holm_p\""));
    hsel_free(json);
    request.control = "z";
    assert_int_equal(hsel_compare(&request, &json, &text, &error), HSEL_EUSAGE);
    assert_string_equal(error.message,
                        "the control, z, is not one of the methods; did you mean x?");
    request.method_names = "z\0z";
    assert_int_equal(hsel_compare(&request, &json, &text, &error), HSEL_EUSAGE);
    assert_string_equal(error.message, "the control, z, is the name of two methods");
    hsel_report_request report = {.size = sizeof report, .store = "none.db", .format = "pdf"};
    assert_int_equal(hsel_report(&report, &error), HSEL_EUSAGE);
    assert_string_equal(error.message, "a report needs a store and a path");
    report.path = "x";
    assert_int_equal(hsel_report(&report, &error), HSEL_EUSAGE);
    assert_string_equal(error.message,
                        "unknown report format 'pdf': use html, text, csv, latex or curves");
    hsel_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stop_within), cmocka_unit_test(test_stop_deep_within),
        cmocka_unit_test(test_models),      cmocka_unit_test(test_select_and_rank),
        cmocka_unit_test(test_watch),       cmocka_unit_test(test_weights),
        cmocka_unit_test(test_notes),       cmocka_unit_test(test_texts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Learning from positives and unlabelled against a slow twin: samples are drawn again one by one,
 * and the base learns from copies of the instances. Out-of-bag scores, groups, model files,
 * threads, refusals, memory.
 */
#include <xxhash.h>

#include "core/mem.h"
#include "core/random.h"
#include "data/folds.h"
#include "learn/describe.h"
#include "learn/explain.h"
#include "learn/model.h"
#include "pipeline/adjust.h"
#include "pipeline/pipeline.h"
#include "support/cmocka.h"
#include "support/model_data.h"
#include "support/oom.h"
#include "support/random_data.h"
#include "support/threads.h"

HS_TEST_USES_THREADS

#define ROWS 60

static hsel_dataset *some_data(hs_stream *stream)
{
    hs_random_shape shape = {.instances = ROWS,
                             .features = 12,
                             .classes = 2,
                             .density = 0.3,
                             .parents = 1.2,
                             .true_path = true};
    hsel_dataset *data = hs_random_dataset(stream, &shape);
    data->positive_class = (uint32_t)hs_random_below(stream, 2);
    return data;
}

/* ---- the twin ---- */

/* Scores of all rows by a base that learned from the rows marked, through a data set of their own.
 */
static void slow_scores(const hsel_dataset *data, const char *selector, const char *classifier,
                        const bool *learns, double *score)
{
    hsel_error error = {0};
    hsel_dataset *part = NULL;
    hs_model *model = NULL;
    hs_model_scratch scratch = {0};
    char text[100];
    snprintf(text, sizeof text, "%s%scalibration=none", classifier,
             strchr(classifier, ':') ? "," : ":");
    assert_ok(hs_dataset_keep_instances(data, learns, &part, &error), error);
    assert_ok(hs_train(part, selector, text, HSEL_NONE, false, 1, 1, NULL, &model, &error), error);
    assert_ok(hs_model_scratch_init(&scratch, model, &error), error);
    for (uint32_t i = 0; i < data->instances; i++) {
        double p[2], s[2];
        assert_ok(hs_model_predict(model, data, i, 1, &scratch, p, s, NULL, &error), error);
        score[i] = s[1];
    }
    hs_model_scratch_clear(&scratch);
    hs_model_free(model);
    hs_dataset_free(part);
}

/* The rows that a round learns from. */
static void slow_draw(const hsel_dataset *data, const hs_folds *parts, uint32_t round, double size,
                      double limit, bool *learns)
{
    uint32_t pool[ROWS], count = 0, positives = 0;
    hs_stream stream;
    for (uint32_t i = 0; i < ROWS; i++) {
        const bool out = parts->count && parts->fold_of[i] == round % parts->count;
        learns[i] = !out && data->class_of[i] == data->positive_class;
        positives += learns[i];
        if (!out && !learns[i])
            pool[count++] = i;
    }
    hs_stream_init(&stream, 5, "pu", round, 0);
    for (uint32_t d = 0; d < (uint32_t)(fmin(size * positives, limit * count) + 0.5); d++)
        learns[pool[hs_random_below(&stream, count)]] = true;
}

static void test_bagging(void **state)
{
    static const struct {
        const char *selector, *classifier, *text;
        uint32_t rounds, parts;
        double size, limit;
    } cases[] = {
        {"none", "nb", "pu:base=nb,calibration=none,rounds=7,held-out=3,limit=0.3", 7, 3, 1, 0.3},
        {"hip", "nb", "pu:base=hip+nb,calibration=none,rounds=4,held-out=0,size=0.5,limit=1", 4, 0,
         0.5, 1},
        {"top:k=4,by=pearson", "knn:k=5",
         "pu:base=top:k=4;by=pearson+knn:k=5,calibration=none,rounds=5,size=2,limit=3", 5, 5, 2,
         3}};
    hs_stream stream;
    hs_stream_init(&stream, 1, "pu", 0, 0);
    (void)state;
    for (int run = 0; run < 30; run++) {
        const size_t c = (size_t)run % 3;
        hsel_dataset *data = some_data(&stream);
        hs_model *model = NULL;
        hs_model_scratch scratch = {0};
        hs_folds parts = {0};
        hsel_error error = {0};
        double one[ROWS], mean[ROWS] = {0}, bag[ROWS] = {0}, own[ROWS];
        uint32_t out[ROWS] = {0};
        const hs_view view = hs_view_all(data);
        if (cases[c].parts)
            assert_ok(hs_folds_of_view(&view, cases[c].parts, 5, &parts, &error), error);
        for (uint32_t r = 0; r < cases[c].rounds; r++) {
            bool learns[ROWS];
            slow_draw(data, &parts, r, cases[c].size, cases[c].limit, learns);
            slow_scores(data, cases[c].selector, cases[c].classifier, learns, one);
            for (uint32_t i = 0; i < ROWS; i++) {
                mean[i] += one[i] / cases[c].rounds;
                bag[i] += learns[i] ? 0 : one[i];
                out[i] += !learns[i];
            }
        }
        assert_ok(
            hs_train(data, "none", cases[c].text, HSEL_NONE, false, 5, 1, NULL, &model, &error),
            error);
        assert_ok(hs_model_scratch_init(&scratch, model, &error), error);
        for (uint32_t i = 0; i < ROWS; i++) {
            double p[2], s[2];
            assert_ok(hs_model_predict(model, data, i, 1, &scratch, p, s, NULL, &error), error);
            if (fabs(s[1] - mean[i]) > 1e-9 || s[0] != -s[1] || fabs(p[0] + p[1] - 1) > 1e-12)
                fail_msg("%s: row %u: %.17g, not %.17g", cases[c].text, i, s[1], mean[i]);
        }
        hs_model_scratch_clear(&scratch);
        hs_model_free(model);
        /* Out of bag. */
        hs_chosen chosen = {0};
        hs_counts counts = {0};
        void *fitted = NULL;
        assert_ok(hs_chosen_parse(HS_CLASSIFIER, cases[c].text, &chosen, &error), error);
        const hs_classifier *pu = chosen.method->classifier;
        assert_int_equal(pu->scores_training(chosen.options), cases[c].parts > 0);
        assert_ok(hs_counts_of(&view, &counts, &error), error);
        const hs_training training = {
            .view = view, .counts = &counts, .seed = 5, .threads = 1, .own_score = own};
        assert_ok(hs_classifier_fit(&chosen, &training, &fitted, &error), error);
        for (uint32_t i = 0; i < ROWS; i++)
            if (fabs(own[i] - (out[i] ? bag[i] / out[i] : 0)) > 1e-9)
                fail_msg("%s: out-of-bag score %u: %.17g", cases[c].text, i, own[i]);
        for (uint32_t i = 0; i < ROWS && cases[c].parts; i++)
            assert_true(out[i] > 0);
        pu->free(fitted);
        hs_counts_clear(&counts);
        hs_chosen_clear(&chosen);
        hs_folds_clear(&parts);
        hs_dataset_free(data);
    }
}

/* ---- reliable negatives, by every pair ---- */

static double slow_similarity(const hsel_dataset *data, bool simgic, uint32_t i, uint32_t j)
{
    double both = 0, either = 0;
    for (uint32_t f = 0; f < data->features; f++) {
        uint32_t support = 0;
        for (uint32_t r = 0; r < ROWS; r++)
            support += hs_dataset_value(data, f, r) > 0;
        const double weight = !simgic ? 1 : support ? -log2(support / (double)ROWS) : 0;
        const bool a = hs_dataset_value(data, f, i) > 0, b = hs_dataset_value(data, f, j) > 0;
        both += a && b ? weight : 0;
        either += a || b ? weight : 0;
    }
    return both > 0 ? both / either : 0;
}

static int downwards(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static void slow_reliable(const hsel_dataset *data, bool simgic, bool paz_ruza, uint32_t k,
                          double share, bool *reliable)
{
    double means[ROWS], of_positives[ROWS];
    uint32_t unlabelled[ROWS], positives = 0;
    bool first[ROWS];
    for (uint32_t i = 0; i < ROWS; i++) {
        bool taken[ROWS] = {false};
        double sum = 0, others = 0;
        unlabelled[i] = 0;
        for (uint32_t n = 0; n < k; n++) { /* the nearest that is not taken yet */
            uint32_t best = HSEL_NONE;
            double nearest = -1;
            for (uint32_t j = 0; j < ROWS; j++) {
                const double s = slow_similarity(data, simgic, i, j);
                const bool positive = data->class_of[j] == data->positive_class;
                if (j == i || taken[j] || s < nearest || (s == nearest && !positive))
                    continue;
                best = j;
                nearest = s;
            }
            taken[best] = true;
            unlabelled[i] += data->class_of[best] != data->positive_class;
            first[i] = n ? first[i] : data->class_of[best] != data->positive_class;
        }
        for (uint32_t j = 0; j < ROWS; j++)
            if (j != i && data->class_of[j] == data->positive_class) {
                sum += slow_similarity(data, simgic, i, j);
                others++;
            }
        means[i] = sum / others;
        if (data->class_of[i] == data->positive_class)
            of_positives[positives++] = means[i];
    }
    qsort(of_positives, positives, sizeof *of_positives, downwards);
    for (uint32_t i = 0; i < ROWS; i++)
        reliable[i] = data->class_of[i] != data->positive_class &&
                      (paz_ruza ? first[i] && unlabelled[i] >= share * k
                                : unlabelled[i] == k && means[i] <= of_positives[positives / 2]);
}

static void check_scores(const hsel_dataset *data, const char *text, const double *wanted)
{
    hs_model *model = NULL;
    hs_model_scratch scratch = {0};
    hsel_error error = {0};
    assert_ok(hs_train(data, "none", text, HSEL_NONE, false, 5, 2, NULL, &model, &error), error);
    assert_ok(hs_model_scratch_init(&scratch, model, &error), error);
    for (uint32_t i = 0; i < ROWS; i++) {
        double p[2], s[2];
        assert_ok(hs_model_predict(model, data, i, 1, &scratch, p, s, NULL, &error), error);
        if (!(fabs(s[1] - wanted[i]) < 1e-9))
            fail_msg("%s: row %u: %.17g, not %.17g", text, i, s[1], wanted[i]);
    }
    hs_model_scratch_clear(&scratch);
    hs_model_free(model);
}

static void test_two_step(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 7, "pu", 0, 0);
    (void)state;
    uint32_t some = 0;
    for (int run = 0; run < 24; run++) {
        hsel_dataset *data = some_data(&stream);
        const bool simgic = run % 2, paz_ruza = run / 2 % 2;
        const uint32_t k = paz_ruza ? 7 : 2;
        bool learns[ROWS];
        double wanted[ROWS];
        char text[120];
        uint32_t negatives = 0;
        slow_reliable(data, simgic, paz_ruza, k, 0.6, learns);
        for (uint32_t i = 0; i < ROWS; i++)
            negatives += learns[i];
        for (uint32_t i = 0; i < ROWS; i++)
            learns[i] |= !negatives || data->class_of[i] == data->positive_class;
        some += negatives > 0;
        slow_scores(data, "none", "nb", learns, wanted);
        snprintf(text, sizeof text,
                 "pu:base=nb,by=two-step,reliable=%s,similarity=%s,k=%u,share=0.6",
                 paz_ruza ? "paz-ruza" : "neighbours", simgic ? "simgic" : "jaccard", k);
        check_scores(data, text, wanted);
        hs_dataset_free(data);
    }
    assert_true(some > 16);
}

/* Those with the lowest out-of-bag scores, of which the first bagging has its own test. */
static void test_scores(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 8, "pu", 0, 0);
    (void)state;
    for (int run = 0; run < 6; run++) {
        hsel_dataset *data = some_data(&stream);
        hs_chosen chosen = {0};
        hs_counts counts = {0};
        void *fitted = NULL;
        hsel_error error = {0};
        double own[ROWS], wanted[ROWS];
        bool learns[ROWS];
        uint32_t unlabelled = 0;
        const hs_view view = hs_view_all(data);
        assert_ok(hs_chosen_parse(HS_CLASSIFIER, "pu:base=nb,rounds=8", &chosen, &error), error);
        assert_ok(hs_counts_of(&view, &counts, &error), error);
        const hs_training training = {
            .view = view, .counts = &counts, .seed = 5, .threads = 1, .own_score = own};
        assert_ok(hs_classifier_fit(&chosen, &training, &fitted, &error), error);
        for (uint32_t i = 0; i < ROWS; i++)
            unlabelled += data->class_of[i] != data->positive_class;
        for (uint32_t i = 0; i < ROWS; i++) {
            uint32_t below = 0;
            for (uint32_t j = 0; j < ROWS; j++) {
                const double apart = data->positive_class ? own[j] - own[i] : own[i] - own[j];
                below += data->class_of[j] != data->positive_class &&
                         (apart < 0 || (apart == 0 && j < i));
            }
            learns[i] = data->class_of[i] == data->positive_class || below < ceil(0.3 * unlabelled);
        }
        slow_scores(data, "none", "nb", learns, wanted);
        check_scores(data, "pu:base=nb,rounds=8,by=two-step,reliable=scores,share=0.3", wanted);
        chosen.method->classifier->free(fitted);
        hs_counts_clear(&counts);
        hs_chosen_clear(&chosen);
        hs_dataset_free(data);
    }
}

/* ---- weighting: naive Bayes by hand ---- */

static void test_weighting(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 9, "pu", 0, 0);
    (void)state;
    for (int run = 0; run < 10; run++) {
        hsel_dataset *data = some_data(&stream);
        const uint32_t own = data->positive_class;
        const hs_view view = hs_view_all(data);
        hs_folds folds = {0};
        hsel_error error = {0};
        double g[ROWS], wanted[ROWS], c = 0, labelled = 0, size[2] = {0}, part[2][12] = {{0}};
        bool positive[ROWS];
        assert_ok(hs_folds_of_view(&view, 4, 5, &folds, &error), error);
        for (uint32_t f = 0; f < 4; f++) {
            bool learns[ROWS];
            double score[ROWS];
            for (uint32_t i = 0; i < ROWS; i++)
                learns[i] = folds.fold_of[i] != f;
            slow_scores(data, "none", "nb", learns, score);
            for (uint32_t i = 0; i < ROWS; i++)
                if (!learns[i])
                    g[i] = own ? score[i] : -score[i];
        }
        for (uint32_t i = 0; i < ROWS; i++)
            positive[i] = data->class_of[i] == own;
        const hs_curve curve = hs_curve_platt(g, positive, NULL, ROWS);
        for (uint32_t i = 0; i < ROWS; i++) {
            g[i] = hs_curve_at(&curve, g[i]);
            c += positive[i] ? g[i] : 0;
            labelled += positive[i];
        }
        c /= labelled;
        for (uint32_t i = 0; i < ROWS; i++)
            for (uint32_t as = 0; as < 2; as++) {
                const double w = positive[i] ? 1 : fmin(1, (1 - c) / c * g[i] / (1 - g[i]));
                size[as] += as == own ? w : 1 - w;
                for (uint32_t f = 0; f < 12; f++)
                    part[as][f] += hs_dataset_value(data, f, i) > 0 ? (as == own ? w : 1 - w) : 0;
            }
        for (uint32_t i = 0; i < ROWS; i++) {
            wanted[i] = log((size[1] + 1) / (size[0] + 1));
            for (uint32_t f = 0; f < 12; f++) {
                const double one = (part[1][f] + 1) / (size[1] + 2),
                             none = (part[0][f] + 1) / (size[0] + 2);
                wanted[i] += hs_dataset_value(data, f, i) > 0 ? log(one / none)
                                                              : log((1 - one) / (1 - none));
            }
        }
        check_scores(data, "pu:base=nb,by=weighting,inner-folds=4,calibration=none", wanted);
        hs_folds_clear(&folds);
        hs_dataset_free(data);
    }
}

/* With twins of every instance in one group, classes drawn at random look random out of bag. */
static void test_groups(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 2, "pu", 0, 0);
    (void)state;
    double sum = 0;
    for (int run = 0; run < 20; run++) {
        hs_random_shape shape = {.instances = ROWS, .features = 30, .classes = 2, .density = 0.3};
        hsel_dataset *half = hs_random_dataset(&stream, &shape), *data = NULL;
        hsel_error error = {0};
        uint32_t rows[2 * ROWS];
        double own[2 * ROWS];
        for (uint32_t i = 0; i < 2 * ROWS; i++)
            rows[i] = i / 2;
        assert_ok(hs_dataset_repeat(half, rows, 2 * ROWS, &data, &error), error);
        hs_about groups = {0};
        assert_ok(hs_names_append_text(&groups.columns, HS_ABOUT_GROUP, &error), error);
        for (uint32_t i = 0; i < 2 * ROWS; i++) {
            char name[16];
            snprintf(name, sizeof name, "%u", i / 2);
            assert_ok(hs_names_append_text(&groups.cells, name, &error), error);
        }
        assert_ok(hs_about_join(&data->instance_about, &groups, 2 * ROWS, &error), error);
        hs_about_clear(&groups);
        hs_chosen chosen = {0};
        hs_counts counts = {0};
        void *fitted = NULL;
        const hs_view view = hs_view_all(data);
        assert_ok(hs_chosen_parse(HS_CLASSIFIER, "pu:base=knn:k=1,rounds=10", &chosen, &error),
                  error);
        assert_ok(hs_counts_of(&view, &counts, &error), error);
        const hs_training training = {
            .view = view, .counts = &counts, .seed = 5, .threads = 1, .own_score = own};
        assert_ok(hs_classifier_fit(&chosen, &training, &fitted, &error), error);
        double above = 0, pairs = 0;
        for (uint32_t i = 0; i < 2 * ROWS; i++)
            for (uint32_t j = 0; j < 2 * ROWS; j++)
                if (data->class_of[i] > data->class_of[j]) {
                    above += own[i] > own[j] ? 1 : own[i] == own[j] ? 0.5 : 0;
                    pairs++;
                }
        sum += above / pairs / 20;
        chosen.method->classifier->free(fitted);
        hs_counts_clear(&counts);
        hs_chosen_clear(&chosen);
        hs_dataset_free(data);
        hs_dataset_free(half);
    }
    if (!(fabs(sum - 0.5) < 0.06))
        fail_msg("AUROC %g of classes drawn at random", sum);
}

/* ---- files, threads ---- */

static void test_files_and_threads(void **state)
{
    static const char *const texts[][2] = {{"none", "pu:base=hip+nb,rounds=3"},
                                           {"top:k=6", "pu:base=forest:trees=3,rounds=3"},
                                           {"none", "pu:base=blend:members=hip+nb/knn,rounds=2"},
                                           {"none", "pu:base=top:k=3+svm,calibration=isotonic"},
                                           {"none", "pu:base=hip+nb,by=weighting"},
                                           {"none", "pu:base=knn,by=two-step,reliable=paz-ruza"},
                                           {"none", "pu:base=tree,reliable=scores,rounds=4"}};
    hs_stream stream;
    hs_stream_init(&stream, 3, "pu", 0, 0);
    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        hsel_dataset *data = some_data(&stream);
        hs_model *model[4] = {0};
        hs_buf bytes = {0}, text = {0};
        hs_writer *out = NULL;
        hsel_error error = {0};
        for (int k = 0; k < 3; k++)
            assert_ok(hs_train(data, texts[t][0], texts[t][1], HSEL_NONE, false, 3 + (k == 2),
                               k == 1 ? 3 : 1, NULL, &model[k], &error),
                      error);
        assert_ok(hs_model_to_bytes(model[0], &bytes, &error), error);
        assert_ok(hs_model_from_bytes("m", bytes.text, bytes.length, &model[3], &error), error);
        bool seed_matters = false;
        for (uint32_t i = 0; i < ROWS; i++) {
            double p[4][2], s[4][2];
            for (int k = 0; k < 4; k++) {
                hs_model_scratch scratch = {0};
                assert_ok(hs_model_scratch_init(&scratch, model[k], &error), error);
                assert_ok(
                    hs_model_predict(model[k], data, i, 1, &scratch, p[k], s[k], NULL, &error),
                    error);
                hs_model_scratch_clear(&scratch);
            }
            for (int k = 1; k < 4; k += 2) {
                assert_memory_equal(p[0], p[k], sizeof p[0]);
                assert_memory_equal(s[0], s[k], sizeof s[0]);
            }
            seed_matters |= s[0][1] != s[2][1];
        }
        for (size_t at = 32; at < bytes.length; at += 1 + at % 3) { /* refused, or harmless */
            hs_model *damaged = NULL;
            bytes.text[at] ^= (char)(1 << at % 8);
            const uint64_t sum = XXH3_64bits(bytes.text + 32, bytes.length - 32);
            memcpy(bytes.text + 24, &sum, sizeof sum);
            error = (hsel_error){0};
            if (hs_model_from_bytes("m", bytes.text, bytes.length, &damaged, &error) == HSEL_OK) {
                hs_model_scratch scratch = {0};
                double p[4], s[4];
                if (hs_model_scratch_init(&scratch, damaged, &error) == HSEL_OK &&
                    damaged->shape->features == data->features &&
                    damaged->shape->class_names.count == 2)
                    (void)!hs_model_predict(damaged, data, 0, 1, &scratch, p, s, NULL, &error);
                hs_model_scratch_clear(&scratch);
                hs_model_free(damaged);
            } else {
                assert_true(error.message[0] != '\0');
            }
            bytes.text[at] ^= (char)(1 << at % 8);
        }
        assert_true(seed_matters || strstr(texts[t][1], "by="));
        assert_ok(hs_writer_open_memory(&text, &out, &error), error);
        assert_ok(hs_model_describe(model[3], HS_DESCRIBE_JSON, out, &error), error);
        assert_ok(hs_writer_commit(out, &error), error);
        assert_non_null(strstr(text.text, "\"unlabelled\":"));
        hs_explanation e = {.threads = 1};
        assert_ok(hs_explain(model[3], data, 0, 0, &e, &error), error);
        hs_explanation_clear(&e);
        for (int k = 0; k < 4; k++)
            hs_model_free(model[k]);
        hs_buf_clear(&bytes);
        hs_buf_clear(&text);
        hs_dataset_free(data);
    }
}

/* Weights of instances reach the base, which must be able to use them. */
static void test_weights(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 4, "pu", 0, 0);
    hsel_dataset *data = some_data(&stream);
    const hs_view view = hs_view_all(data);
    hsel_error error = {0};
    hs_counts counts = {0};
    double weight[2][ROWS], own[3][ROWS];
    (void)state;
    assert_ok(hs_counts_of(&view, &counts, &error), error);
    for (uint32_t i = 0; i < ROWS; i++) {
        weight[0][i] = 1;
        weight[1][i] = 1 + i % 5;
    }
    for (int k = 0; k < 4; k++) {
        hs_chosen chosen = {0};
        void *fitted = NULL;
        const hs_training training = {.view = view,
                                      .counts = &counts,
                                      .seed = 5,
                                      .threads = 1,
                                      .own_score = own[k % 3],
                                      .weight = k ? weight[k != 1] : NULL};
        assert_ok(
            hs_chosen_parse(HS_CLASSIFIER, k < 3 ? "pu:base=svm" : "pu:base=tan", &chosen, &error),
            error);
        const int status = hs_classifier_fit(&chosen, &training, &fitted, &error);
        assert_int_equal(status, k < 3 ? HSEL_OK : HSEL_EUNSUPPORTED);
        if (k < 3)
            chosen.method->classifier->free(fitted);
        else
            assert_non_null(strstr(error.message, "tan cannot learn from weighted instances"));
        hs_chosen_clear(&chosen);
    }
    double apart = 0;
    for (uint32_t i = 0; i < ROWS; i++) {
        assert_true(fabs(own[0][i] - own[1][i]) < 1e-9);
        apart = fmax(apart, fabs(own[0][i] - own[2][i]));
    }
    assert_true(apart > 1e-3);
    hs_counts_clear(&counts);
    hs_dataset_free(data);
}

/* ---- refusals, memory ---- */

static void test_refused(void **state)
{
    static const char *const texts[][2] = {
        {"pu:base=+nb", "takes a classifier, or a selector and a classifier"},
        {"pu:base=hip+", "base of pu takes a classifier, or a selector and a classifier such as "
                         "hip+nb, not 'hip+'"},
        {"pu:base=pu", "pu cannot be a member of itself"},
        {"pu:base=hip+svm", "cannot predict with part"},
        {"pu:base=nb:threshold=gm", "for the whole pu"},
        {"pu:by=two-step,reliable=none", "for reliable, not none"},
        {"pu:by=weighting,reliable=scores", "reliable of pu is for bagging and two-step"},
        {"pu:by=weighting,base=aode", "aode cannot learn from weighted instances"},
        {"pu:rounds=0", "rounds"}};
    static const char *const fits[][2] = {{"pu:base=nb", "two classes"},
                                          {"pu:base=aode", "two classes"}};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        hs_chosen chosen = {0};
        hsel_error error = {0};
        assert_int_not_equal(hs_chosen_parse(HS_CLASSIFIER, texts[i][0], &chosen, &error), HSEL_OK);
        if (!strstr(error.message, texts[i][1]))
            fail_msg("%s: %s", texts[i][0], error.message);
    }
    hs_stream stream;
    hs_stream_init(&stream, 5, "pu", 0, 0);
    for (size_t i = 0; i < sizeof fits / sizeof fits[0]; i++) {
        hs_random_shape shape = {.instances = ROWS, .features = 5, .classes = 3, .density = 0.3};
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        hs_model *model = NULL;
        hsel_error error = {0};
        assert_int_not_equal(
            hs_train(data, "none", fits[i][0], HSEL_NONE, false, 1, 1, NULL, &model, &error),
            HSEL_OK);
        if (!strstr(error.message, fits[i][1]))
            fail_msg("%s: %s", fits[i][0], error.message);
        hs_dataset_free(data);
    }
}

struct memory_case {
    const hsel_dataset *data;
    const char *text;
};

static int train_and_keep(void *context, hsel_error *error)
{
    const struct memory_case *one = context;
    const hsel_dataset *data = one->data;
    hs_model *model = NULL, *back = NULL;
    hs_model_scratch scratch = {0};
    hs_buf bytes = {0};
    double p[2], s[2];
    int status = hs_train(data, "none", one->text, HSEL_NONE, false, 1, 1, NULL, &model, error);
    if (!status)
        status = hs_model_to_bytes(model, &bytes, error);
    if (!status)
        status = hs_model_from_bytes("m", bytes.text, bytes.length, &back, error);
    if (!status)
        status = hs_model_scratch_init(&scratch, back, error);
    if (!status)
        status = hs_model_predict(back, data, 0, 1, &scratch, p, s, NULL, error);
    hs_model_scratch_clear(&scratch);
    hs_buf_clear(&bytes);
    hs_model_free(model);
    hs_model_free(back);
    return status;
}

static void test_memory(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 6, "pu", 0, 0);
    hsel_dataset *data = some_data(&stream);
    (void)state;
    static const char *const texts[] = {
        "pu:base=hip+nb,rounds=2,held-out=2",
        "pu:base=nb,by=two-step,similarity=simgic,calibration=none",
        "pu:base=nb,rounds=2,held-out=2,reliable=scores,calibration=none",
        "pu:base=hip+nb,by=weighting,inner-folds=2,calibration=none"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_true(hs_oom_each(texts[i], train_and_keep, &(struct memory_case){data, texts[i]}) >
                    20);
    hs_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bagging), cmocka_unit_test(test_two_step),
        cmocka_unit_test(test_scores),  cmocka_unit_test(test_weighting),
        cmocka_unit_test(test_groups),  cmocka_unit_test(test_files_and_threads),
        cmocka_unit_test(test_weights), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

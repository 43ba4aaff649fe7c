/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conformal selection against its definition and in simulations with a known share of false
 * discoveries; candidates against a twin that trains a model for each fold by hsel_train on the
 * other instances alone and counts everything pair by pair; names of instances; the same with any
 * number of threads; no memory.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "data/classes.h"
#include "data/folds.h"
#include "data/transform.h"
#include "learn/discover.h"
#include "learn/fold_file.h"
#include "show/candidates.h"
#include "stats/conformal.h"
#include "support/cmocka.h"
#include "support/near.h"
#include "support/oom.h"
#include "support/random_data.h"
#include "support/threads.h"

HS_TEST_USES_THREADS

#define MOST 60

/* ---- conformal selection ---- */

static double normal(hs_stream *stream)
{
    double sum = 0;
    for (int i = 0; i < 12; i++)
        sum += hs_random_double(stream);
    return sum - 6;
}

/* The largest number of candidates k of which all have p of at most q k / count, by trying all. */
static uint32_t select_slowly(const double *p, uint32_t count, double q, double *limit)
{
    uint32_t best = 0;
    *limit = -1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = 0;
        for (uint32_t j = 0; j < count; j++)
            k += p[j] <= p[i];
        if (p[i] <= q * k / count && k > best) {
            best = k;
            *limit = p[i];
        }
    }
    return best;
}

static void p_values_are_shares_of_negatives(void **state)
{
    hs_stream stream;
    hsel_error error = {0};
    hs_stream_init(&stream, 1, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 3000; round++) {
        double negative[MOST], score[MOST], p[MOST], q[MOST], drawn[MOST], limit;
        bool selected[MOST], ignored[MOST];
        const uint32_t m = 1 + (uint32_t)hs_random_below(&stream, MOST),
                       n = (uint32_t)hs_random_below(&stream, MOST + 1),
                       values = 1 + (uint32_t)hs_random_below(&stream, 30);
        for (uint32_t i = 0; i < m; i++)
            negative[i] = hs_random_below(&stream, 50) ? (double)hs_random_below(&stream, values)
                                                       : (double)NAN;
        for (uint32_t i = 0; i < n; i++)
            score[i] = hs_random_below(&stream, 50) ? (double)hs_random_below(&stream, values + 3)
                                                    : (double)NAN;
        hs_conformal c = {.negative = negative,
                          .negatives = m,
                          .score = score,
                          .count = n,
                          .level = 0.05 + 0.4 * hs_random_double(&stream),
                          .seed = (uint64_t)round};
        assert_ok(hs_conformal_select(&c, p, q, selected, &error), error);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t as_high = 0;
            for (uint32_t j = 0; j < m; j++)
                as_high += !(negative[j] < score[i]);
            hs_assert_near(p[i], isnan(score[i]) ? 1 : (1.0 + as_high) / (1 + m), 1e-15);
        }
        const uint32_t count = select_slowly(p, n, c.level, &limit);
        uint32_t found = 0;
        for (uint32_t i = 0; i < n; i++) {
            found += selected[i];
            assert_int_equal(selected[i], p[i] <= limit);
            assert_int_equal(selected[i], q[i] <= c.level);
        }
        assert_int_equal(found, count);
        c.randomised = true; /* between the p-values with ties against and for the candidate */
        assert_ok(hs_conformal_select(&c, drawn, q, ignored, &error), error);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t higher = 0;
            for (uint32_t j = 0; j < m; j++)
                higher += isnan(negative[j]) || negative[j] > score[i];
            assert_true(drawn[i] <= p[i] && (isnan(score[i]) || drawn[i] > higher / (1.0 + m)));
        }
    }
    hs_conformal none = {.level = 0.1};
    assert_int_equal(hs_conformal_select(&none, NULL, NULL, NULL, &error), HSEL_EUSAGE);
}

/* Scores of negatives have ties, so that deterministic p-values are conservative and randomised
 * ones are uniform. */
static void false_discoveries_are_bounded(void **state)
{
    enum { ROUNDS = 2000, NEGATIVES = 150, CANDIDATES = 80, POSITIVES = 20 };
    (void)state;
    for (int ties = 0; ties < 2; ties++)
        for (int randomised = 0; randomised < 2; randomised++) {
            double sum = 0, square = 0, found = 0, p_sum = 0;
            for (uint32_t round = 0; round < ROUNDS; round++) {
                double negative[NEGATIVES], score[CANDIDATES], p[CANDIDATES], q[CANDIDATES];
                bool selected[CANDIDATES];
                hsel_error error = {0};
                hs_stream stream;
                hs_stream_init(&stream, 7, "test", round, 0);
                for (uint32_t i = 0; i < NEGATIVES + CANDIDATES; i++) {
                    double x = normal(&stream) + (i >= NEGATIVES && i < NEGATIVES + POSITIVES) * 3;
                    x = ties ? floor(2 * x) : x;
                    *(i < NEGATIVES ? &negative[i] : &score[i - NEGATIVES]) = x;
                }
                assert_ok(hs_conformal_select(&(hs_conformal){.negative = negative,
                                                              .negatives = NEGATIVES,
                                                              .score = score,
                                                              .count = CANDIDATES,
                                                              .level = 0.2,
                                                              .randomised = randomised,
                                                              .seed = round},
                                              p, q, selected, &error),
                          error);
                uint32_t all = 0, wrong = 0;
                for (uint32_t i = 0; i < CANDIDATES; i++) {
                    all += selected[i];
                    wrong += selected[i] && i >= POSITIVES;
                }
                const double fdp = all ? (double)wrong / all : 0;
                sum += fdp;
                square += fdp * fdp;
                found += all - wrong;
                p_sum += p[CANDIDATES - 1];
            }
            const double mean = sum / ROUNDS, se = sqrt((square / ROUNDS - mean * mean) / ROUNDS);
            assert_true(mean <= 0.2 + 3 * se);
            assert_true(found / ROUNDS > 0.5 * POSITIVES); /* and it finds something */
            if (randomised) /* uniform: mean 1/2, standard deviation sqrt(1/12) */
                assert_true(fabs(p_sum / ROUNDS - 0.5) < 4 * sqrt(1.0 / 12 / ROUNDS));
            else
                assert_true(p_sum / ROUNDS > 0.5);
        }
}

/* ---- candidates ---- */

struct world {
    hsel_dataset *data;
    bool *known, *negative;
    hs_discover_request request;
};

/* Known positives have some features more often. */
static void world_new(struct world *w, uint64_t seed, uint32_t instances)
{
    hs_stream stream;
    hs_stream_init(&stream, seed, "test", 0, 0);
    hs_random_shape shape = {.instances = instances,
                             .features = 12,
                             .classes = 2,
                             .density = 0.3,
                             .parents = seed % 3 ? 1.2 : 0,
                             .true_path = true,
                             .ids = true};
    *w = (struct world){.data = hs_random_dataset(&stream, &shape)};
    w->known = HS_NEW_ZERO(bool, instances);
    w->negative = HS_NEW_ZERO(bool, instances);
    assert_non_null(w->known);
    assert_non_null(w->negative);
    for (uint32_t i = 0; i < instances; i++) {
        size_t count;
        hs_row(w->data, i, &count);
        w->known[i] = i < 8 || hs_random_below(&stream, 300) < count;
        w->negative[i] = !w->known[i] && hs_random_below(&stream, 4) == 0;
    }
    w->request = (hs_discover_request){.data = w->data,
                                       .known = w->known,
                                       .selector = seed % 2 || seed % 3 == 0 ? "none" : "hip",
                                       .classifier = "nb:calibration=none",
                                       .folds = 3 + (uint32_t)(seed % 3),
                                       .repeats = 1 + (uint32_t)(seed % 2),
                                       .seed = seed,
                                       .threads = 1};
}

static void world_free(struct world *w)
{
    hsel_dataset_free(w->data);
    HS_FREE(w->known, w->negative);
}

/* The mean out-of-fold score of the positives, by hsel_train and hsel_predict. */
static void score_slowly(const struct world *w, double *score)
{
    const hs_discover_request *r = &w->request;
    const uint32_t n = w->data->instances;
    hsel_error error = {0};
    hsel_dataset *pu = NULL;
    double *weight = HS_NEW(double, n), *probability = HS_NEW(double, 2 * n),
           *scores = HS_NEW(double, 2 * n);
    assert_true(weight && probability && scores);
    assert_ok(hs_dataset_subset(w->data, NULL, &pu, &error), error);
    pu->positive_class = 1;
    for (uint32_t i = 0; i < n; i++) {
        pu->class_of[i] = w->known[i];
        score[i] = 0;
    }
    for (uint32_t k = 0; k < r->repeats; k++) {
        hs_folds folds = {0};
        assert_ok(hs_folds_choose("own", pu, r->folds, r->seed + k, &folds, &error), error);
        for (uint32_t f = 0; f < r->folds; f++) {
            hsel_model *model = NULL;
            for (uint32_t i = 0; i < n; i++)
                weight[i] = folds.fold_of[i] != f;
            hsel_request request = {.size = sizeof request,
                                    .selector = r->selector,
                                    .classifier = r->classifier,
                                    .seed = r->seed + k,
                                    .threads = 1,
                                    .weights = weight};
            assert_ok(hsel_train(pu, &request, &model, &error), error);
            request.weights = NULL;
            assert_ok(hsel_predict(model, pu, &request, probability, scores, NULL, &error), error);
            for (uint32_t i = 0; i < n; i++)
                if (folds.fold_of[i] == f)
                    score[i] += scores[2 * i + 1] / r->repeats;
            hsel_model_free(model);
        }
        hs_folds_clear(&folds);
    }
    hsel_dataset_free(pu);
    HS_FREE(weight, probability, scores);
}

static bool has(const hsel_dataset *data, uint32_t instance, uint32_t feature)
{
    return hs_dataset_value(data, feature, instance) > 0;
}

static double similarity(const hsel_dataset *data, uint32_t i, uint32_t j)
{
    double both = 0, either = 0;
    for (uint32_t f = 0; f < data->features; f++) {
        both += has(data, i, f) && has(data, j, f);
        either += has(data, i, f) || has(data, j, f);
    }
    return either > 0 ? both / either : 0;
}

static double mean_similarity(const struct world *w, uint32_t i)
{
    double sum = 0, count = 0;
    for (uint32_t j = 0; j < w->data->instances; j++)
        if (w->known[j] && j != i) {
            sum += similarity(w->data, i, j);
            count++;
        }
    return sum / count;
}

/* The least mean similarity of a known positive that at least a tenth of them, rounded down, have
 * less of. */
static double typical_similarity(const struct world *w)
{
    double least = INFINITY;
    uint32_t known = 0;
    for (uint32_t i = 0; i < w->data->instances; i++)
        known += w->known[i];
    for (uint32_t i = 0; i < w->data->instances; i++) {
        uint32_t up_to = 0;
        const double own = w->known[i] ? mean_similarity(w, i) : (double)INFINITY;
        for (uint32_t j = 0; j < w->data->instances && w->known[i]; j++)
            up_to += w->known[j] && mean_similarity(w, j) <= own;
        if (up_to > known / 10)
            least = fmin(least, own);
    }
    return least;
}

static uint32_t annotations_slowly(const hsel_dataset *data, uint32_t i)
{
    uint32_t count = 0;
    for (uint32_t f = 0; f < data->features; f++) {
        bool below = false;
        size_t children = 0;
        const uint32_t *child = data->dag ? hs_children(data->dag, f, &children) : NULL;
        for (size_t c = 0; c < children; c++)
            below |= has(data, i, child[c]);
        count += has(data, i, f) && !below;
    }
    return count;
}

static void candidates_are_those_of_the_twin(void **state)
{
    hsel_error error = {0};
    int without = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 24; seed++) {
        struct world w;
        hs_discovery found = {0};
        double score[200];
        const uint32_t n = 100 + 2 * (uint32_t)seed;
        uint32_t unlabelled = 0, known = 0;
        world_new(&w, seed, n);
        if (seed % 4 == 0)
            w.request.negative = w.negative;
        w.request.fdr = 0.4;
        w.request.top = (uint32_t)(seed % 5) * 10;
        assert_ok(hs_discover(&w.request, &found, &error), error);
        if (!found.negatives) { /* nothing to calibrate with */
            w.request.fdr = 0;
            without++;
        }
        score_slowly(&w, score);
        for (uint32_t i = 0; i < n; i++)
            known += w.known[i];
        unlabelled = n - known;
        assert_int_equal(found.known, known);
        double sum = 0, auroc = 0;
        uint32_t calibrating = 0;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++)
                if (w.known[i] && !w.known[j])
                    auroc += (score[i] > score[j]    ? 1
                              : score[i] == score[j] ? 0.5
                                                     : 0) /
                             known / unlabelled;
        hs_assert_near(found.metrics.auroc, auroc, 1e-12);
        assert_true(found.metrics.labelled == known && found.metrics.unlabelled == unlabelled);
        for (uint32_t k = 0; k < found.count; k++) {
            const hs_candidate *c = &found.candidates[k];
            double below = 0, nearest_known = 0;
            uint32_t nearer = 0;
            assert_false(w.known[c->instance]);
            assert_false(w.request.negative && w.negative[c->instance]);
            hs_assert_near(c->score, score[c->instance], 1e-12);
            assert_true(!k || c[-1].score > c->score ||
                        (c[-1].score == c->score && c[-1].instance < c->instance));
            assert_true(!k || c[-1].probability >= c->probability);
            assert_true(c->probability_low <= c->probability && c->probability_low >= 0);
            sum += c->probability;
            hs_assert_near(c->precision, sum / (k + 1), 1e-12);
            for (uint32_t j = 0; j < n; j++) {
                const double s = similarity(w.data, c->instance, j);
                below += w.known[j]                       ? 0
                         : score[j] < score[c->instance]  ? 1
                         : score[j] == score[c->instance] ? 0.5
                                                          : 0;
                nearest_known = w.known[j] ? fmax(nearest_known, s) : nearest_known;
            }
            for (uint32_t j = 0; j < n; j++)
                nearer += j != c->instance && similarity(w.data, c->instance, j) > nearest_known;
            hs_assert_near(c->percentile + 1, below / unlabelled + 1, 1e-12);
            assert_int_equal(c->annotations, annotations_slowly(w.data, c->instance));
            if (!w.request.negative && w.request.fdr > 0)
                assert_int_equal(c->reliable, nearer >= 10 && mean_similarity(&w, c->instance) <
                                                                  typical_similarity(&w));
            calibrating += w.request.negative ? 0 : c->reliable;
            if (k >= found.shown) {
                assert_int_equal(c->reasons + c->near, 0);
                continue;
            }
            assert_true((c->near > 0) == (nearest_known > 0));
            for (uint32_t j = 0; j < c->near; j++) {
                assert_true(w.known[c->nearest[j].instance]);
                hs_assert_near(c->nearest[j].similarity,
                               similarity(w.data, c->instance, c->nearest[j].instance), 1e-12);
                assert_true(!j || c->nearest[j].similarity <= c->nearest[j - 1].similarity);
            }
            if (c->near)
                hs_assert_near(c->nearest[0].similarity, nearest_known, 1e-12);
            for (uint32_t j = 0; j < c->reasons; j++) {
                assert_true(has(w.data, c->instance, c->reason[j].feature));
                assert_true(c->reason[j].weight > 0 && c->reason[j].known > 0);
            }
        }
        if (!w.request.negative)
            assert_int_equal(calibrating, found.negatives);
        for (uint32_t k = 0; k < found.count; k++) { /* p by its definition */
            const hs_candidate *c = &found.candidates[k];
            double as_high = 0;
            for (uint32_t j = 0; j < n; j++)
                as_high += w.request.negative && w.negative[j] && score[j] >= c->score;
            for (uint32_t j = 0; j < found.count; j++)
                as_high += found.candidates[j].reliable && found.candidates[j].score >= c->score;
            if (w.request.fdr == 0)
                assert_true(isnan(c->p) && isnan(c->q) && !c->selected);
            else if (!c->reliable)
                hs_assert_near(c->p, (1 + as_high) / (1 + found.negatives), 1e-9);
            else
                assert_true(isnan(c->p) && isnan(c->q) && !c->selected);
        }
        for (uint32_t k = 0; k < found.count; k++) /* the prior must allow it */
            assert_true(!found.candidates[k].selected || w.request.negative ||
                        found.candidates[k].precision >= 1 - w.request.fdr);
        hs_discovery_clear(&found);
        world_free(&w);
    }
    assert_true(without < 12);
}

static void threads_change_nothing(void **state)
{
    hsel_error error = {0};
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct world w;
        hs_memo shown[2] = {{{0}}};
        world_new(&w, seed, 130);
        w.request.fdr = 0.2;
        w.request.negative = w.negative;
        w.request.correct_bias = seed % 2;
        for (int t = 0; t < 2; t++) {
            hs_discovery found = {0};
            w.request.threads = t ? 4 : 1;
            assert_ok(hs_discover(&w.request, &found, &error), error);
            assert_ok(hs_memo_open(&shown[t], &error), error);
            hs_candidates_json(&(hs_candidates_shown){&w.request, &found, NULL},
                               &(hs_json){.out = shown[t].out});
            assert_ok(hs_memo_end(&shown[t], &error), error);
            hs_discovery_clear(&found);
        }
        assert_string_equal(shown[0].text.text, shown[1].text.text);
        for (int t = 0; t < 2; t++)
            hs_memo_clear(&shown[t]);
        world_free(&w);
    }
}

/* Within every stratum the corrected scores of the unlabelled have mean 0, so that numbers of
 * annotations that differ between strata say nothing. */
static void bias_is_corrected(void **state)
{
    hsel_error error = {0};
    struct world w;
    hs_discovery plain = {0}, corrected = {0};
    (void)state;
    world_new(&w, 5, 400);
    assert_ok(hs_discover(&w.request, &plain, &error), error);
    w.request.correct_bias = true;
    assert_ok(hs_discover(&w.request, &corrected, &error), error);
    assert_true(plain.strata == 0 && corrected.strata >= 2);
    assert_true(corrected.bias_before == plain.bias);
    assert_true(fabs(plain.bias) > 0.05);
    assert_true(fabs(corrected.bias) < 0.5 * fabs(plain.bias));
    double sum = 0;
    for (uint32_t k = 0; k < corrected.count; k++)
        sum += corrected.candidates[k].score;
    assert_true(fabs(sum) < 1e-9 * corrected.count);
    hs_discovery_clear(&plain);
    hs_discovery_clear(&corrected);
    world_free(&w);
}

static void too_few_are_refused(void **state)
{
    hsel_error error = {0};
    struct world w;
    hs_discovery found = {0};
    (void)state;
    world_new(&w, 1, 40);
    w.request.folds = 40;
    assert_int_equal(hs_discover(&w.request, &found, &error), HSEL_EUSAGE);
    assert_non_null(strstr(error.message, "too few for 40 folds"));
    hs_discovery_clear(&found);
    memset(w.known, 1, 38);
    assert_int_equal(hs_discover(&w.request, &found, &error), HSEL_EUSAGE);
    assert_non_null(strstr(error.message, "there are no candidates"));
    hs_discovery_clear(&found);
    memset(w.known, 0, 40);
    w.known[3] = true;
    assert_int_equal(hs_discover(&w.request, &found, &error), HSEL_EUSAGE);
    assert_string_equal(error.message, "at least 3 known positives are needed, but there is 1");
    hs_discovery_clear(&found);
    world_free(&w);
}

/* ---- names ---- */

static void names_are_found(void **state)
{
    static const char *const ids[] = {"G1", "G2", "g3", "G4", "two words", "G6"};
    static const char *const labels[] = {"daf-2", "AGE-1", "g2", "twin", "TWIN", "a,b"};
    static const struct {
        const char *text;
        const char *chosen; /* as digits */
        uint32_t repeated, missing, several;
    } cases[] = {{"G1", "1", 0, 0, 0},
                 {"g1", "1", 0, 0, 0},
                 {"DAF-2", "1", 0, 0, 0},
                 {"daf-2, age-1;G4", "124", 0, 0, 0},
                 {"daf-2 G1\tg3", "13", 1, 0, 0},
                 {"G2", "2", 0, 0, 0}, /* identifiers go before labels */
                 {"twin", "", 0, 0, 1},
                 {"a,b", "6", 0, 0, 0}, /* a name as a whole */
                 {"two words", "5", 0, 0, 0},
                 {"two words,G1", "15", 0, 0, 0},
                 {"two wards", "", 0, 2, 0},
                 {" ,;\t", "", 0, 0, 0},
                 {"", "", 0, 0, 0},
                 {"#2 #6", "26", 0, 0, 0},
                 {"#7,2", "", 0, 2, 0}, /* there are six, with identifiers */
                 {"nothing,G1,nothing", "1", 0, 1, 0},
                 {"\xff\xfe", "", 0, 1, 0}};
    hsel_error error = {0};
    hs_names columns = {0}, cells = {0};
    uint8_t values[6] = {1, 0, 1, 0, 1, 0};
    char joined[64] = "";
    size_t at = 0;
    hsel_dataset *data = NULL;
    (void)state;
    for (int i = 0; i < 6; i++) {
        memcpy(joined + at, ids[i], strlen(ids[i]) + 1);
        at += strlen(ids[i]) + 1;
        assert_ok(hs_names_append_text(&cells, labels[i], &error), error);
    }
    const hsel_arrays arrays = {.size = sizeof arrays,
                                .instances = 6,
                                .features = 1,
                                .layout = HSEL_DENSE,
                                .number = HSEL_U8,
                                .values = values,
                                .row_stride = 1,
                                .column_stride = 1,
                                .ids = joined};
    assert_ok(hsel_dataset_from_arrays(&arrays, &data, &error), error);
    assert_ok(hs_names_append_text(&columns, "label", &error), error);
    data->instance_about = (hs_about){.columns = columns, .cells = cells};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        bool chosen[6];
        char digits[8] = "", *digit = digits;
        hs_matched matched = {0};
        assert_ok(hs_match_instances(data, &cases[c].text, 1, chosen, &matched, &error), error);
        for (int i = 0; i < 6; i++)
            if (chosen[i])
                *digit++ = (char)('1' + i);
        assert_string_equal(digits, cases[c].chosen);
        assert_int_equal(matched.found, strlen(digits));
        assert_int_equal(matched.repeated, cases[c].repeated);
        assert_int_equal(matched.missing.count, cases[c].missing);
        assert_int_equal(matched.several.count, cases[c].several);
        hs_matched_clear(&matched);
    }
    hsel_dataset_free(data);
}

/* ---- memory ---- */

static int discover_and_show(void *context, hsel_error *error)
{
    const struct world *w = context;
    static const char *const names[] = {"i1", "i2, I3 i4", "none of these"};
    HS_OWNS(hs_discovery_clear) hs_discovery found = {0};
    HS_OWNS(hs_matched_clear) hs_matched matched = {0};
    HS_OWNS(hs_memo_clear) hs_memo memo = {0};
    HS_OWNED bool *chosen = HS_NEW(bool, w->data->instances);
    HS_NEED(chosen);
    HS_TRY(hs_match_instances(w->data, names, 3, chosen, &matched, error));
    HS_TRY(hs_discover(&w->request, &found, error));
    const hs_candidates_shown shown = {&w->request, &found, &matched};
    HS_TRY(hs_memo_open(&memo, error));
    HS_TRY(hs_candidates_print(&shown, memo.out, error));
    HS_TRY(hs_candidates_report(&shown, memo.out, error));
    HS_TRY(hs_candidates_csv(&shown, memo.out, error));
    hs_candidates_json(&shown, &(hs_json){.out = memo.out});
    return hs_memo_end(&memo, error);
}

static void lack_of_memory(void **state)
{
    struct world w;
    (void)state;
    world_new(&w, 4, 80);
    w.request.fdr = 0.2;
    w.request.correct_bias = true;
    w.request.top = 2;
    w.request.folds = 2;
    hs_oom_each("discover", discover_and_show, &w);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(p_values_are_shares_of_negatives),
        cmocka_unit_test(false_discoveries_are_bounded),
        cmocka_unit_test(candidates_are_those_of_the_twin),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(bias_is_corrected),
        cmocka_unit_test(too_few_are_refused),
        cmocka_unit_test(names_are_found),
        cmocka_unit_test(lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

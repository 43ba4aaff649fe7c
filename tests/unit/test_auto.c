/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The automatic choice against a twin that does the nested procedure step by step: it copies the
 * training part of every outer fold into a data set of its own, cross-validates every candidate
 * there by itself, and counts hits by hand. The rule of the race against one by pairs of
 * candidates. The same with any number of threads, after any interruption, and by permuted data
 * sets; an honest estimate on classes without meaning.
 */
#define MATHLIB_STANDALONE 1
#include <Rmath.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/mem.h"
#include "data/folds.h"
#include "data/transform.h"
#include "learn/auto.h"
#include "learn/crossval.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/random_data.h"
#include "support/threads.h"

#define SELECTORS   4
#define CLASSIFIERS 2

HS_TEST_USES_THREADS

static const char *const selector_texts[SELECTORS] = {"none", "hip", "shsel", "top:k=3,by=ig"};
static const char *const classifier_texts[CLASSIFIERS] = {"nb", "knn:k=3"};

struct world {
    hsel_dataset *data;
    hs_chosen selectors[SELECTORS], classifiers[CLASSIFIERS];
    hs_auto_request request;
};

static void world_new(struct world *w, hs_stream *stream, uint32_t instances, uint32_t features)
{
    hsel_error error = {0};
    hs_random_shape shape = {.instances = instances,
                             .features = features,
                             .classes = 2,
                             .density = 0.3,
                             .parents = 1,
                             .true_path = true};
    *w = (struct world){.data = hs_random_dataset(stream, &shape)};
    for (int s = 0; s < SELECTORS; s++)
        assert_ok(hs_chosen_parse(HS_SELECTOR, selector_texts[s], &w->selectors[s], &error), error);
    for (int c = 0; c < CLASSIFIERS; c++)
        assert_ok(hs_chosen_parse(HS_CLASSIFIER, classifier_texts[c], &w->classifiers[c], &error),
                  error);
    for (uint32_t i = 0; i < instances; i++) /* enough of both classes for all folds */
        w->data->class_of[i] = i % 3 == 0;
    w->request = (hs_auto_request){.data = w->data,
                                   .selectors = w->selectors,
                                   .classifiers = w->classifiers,
                                   .selector_count = SELECTORS,
                                   .classifier_count = CLASSIFIERS,
                                   .metric = HS_METRIC_ACCURACY,
                                   .folds = 3,
                                   .repeats = 1,
                                   .inner_folds = 3,
                                   .inner_repeats = 1,
                                   .seed = 1 + hs_random_below(stream, 1000),
                                   .threads = 1};
}

static void world_free(struct world *w)
{
    for (int s = 0; s < SELECTORS; s++)
        hs_chosen_clear(&w->selectors[s]);
    for (int c = 0; c < CLASSIFIERS; c++)
        hs_chosen_clear(&w->classifiers[c]);
    hsel_dataset_free(w->data);
}

/* ---- the twin ---- */

/* Accuracy of one candidate in each fold of plain cross-validation. */
static void plain(const struct world *w, const hsel_dataset *data, uint32_t folds, uint64_t seed,
                  size_t s, size_t c, double *accuracy)
{
    hsel_error error = {0};
    hs_folds dealt = {0};
    hs_crossval done = {0};
    assert_ok(hs_folds_make(data, HS_FOLDS_OWN, folds, seed, &dealt, &error), error);
    assert_ok(hs_crossval_run(&(hs_crossval_request){.data = data,
                                                     .folds = &dealt,
                                                     .selectors = &w->selectors[s],
                                                     .classifiers = &w->classifiers[c],
                                                     .selector_count = 1,
                                                     .classifier_count = 1,
                                                     .seed = seed,
                                                     .threads = 1},
                              &done, &error),
              error);
    hs_predictions p = hs_crossval_repeat(&done, 0).predictions;
    for (uint32_t f = 0; f < folds; f++) {
        uint32_t hits = 0, all = 0;
        for (uint32_t i = 0; i < data->instances; i++)
            if (dealt.fold_of[i] == f) {
                hits += hs_prediction_of(&p, i) == data->class_of[i];
                all++;
            }
        accuracy[f] = (double)hits / all;
    }
    hs_crossval_clear(&done);
    hs_folds_clear(&dealt);
}

/* The winner on a data set of its own, with its mean over inner folds. */
static size_t twin_choice(const struct world *w, const hsel_dataset *data, size_t race,
                          double *mean)
{
    const hs_auto_request *r = &w->request;
    size_t best = 0;
    for (size_t i = 0; i < SELECTORS * CLASSIFIERS; i++) {
        double sum = 0;
        for (uint32_t repeat = 0; repeat < r->inner_repeats; repeat++) {
            double accuracy[8];
            plain(w, data, r->inner_folds, hs_auto_seed(r->seed, race, repeat), i / CLASSIFIERS,
                  i % CLASSIFIERS, accuracy);
            for (uint32_t f = 0; f < r->inner_folds; f++)
                sum += accuracy[f];
        }
        sum /= r->inner_folds * r->inner_repeats;
        if (i == 0 || sum > *mean + 1e-9) {
            best = i;
            *mean = sum;
        }
    }
    return best;
}

static void check_twin(const struct world *w, const hs_auto *found)
{
    const hs_auto_request *r = &w->request;
    hsel_error error = {0};
    double estimate = 0, mean;
    assert_int_equal(found->count, SELECTORS * CLASSIFIERS);
    assert_int_equal(twin_choice(w, w->data, 0, &mean), found->choice.candidate);
    assert_true(fabs(mean - found->choice.inner) < 1e-12);
    for (uint32_t repeat = 0; repeat < r->repeats; repeat++) {
        hs_folds outer = {0};
        assert_ok(hs_folds_make(w->data, HS_FOLDS_OWN, r->folds, r->seed + repeat, &outer, &error),
                  error);
        for (uint32_t f = 0; f < r->folds; f++) {
            const size_t race = 1 + repeat * r->folds + f;
            const hs_auto_winner *winner = &found->winners[race - 1];
            bool *keep = calloc(w->data->instances, sizeof *keep);
            hsel_dataset *part = NULL;
            double accuracy[8];
            for (uint32_t i = 0; i < w->data->instances; i++)
                keep[i] = outer.fold_of[i] != f;
            assert_ok(hs_dataset_keep_instances(w->data, keep, &part, &error), error);
            size_t best = twin_choice(w, part, race, &mean);
            assert_int_equal(best, winner->candidate);
            assert_true(fabs(mean - winner->inner) < 1e-12);
            plain(w, w->data, r->folds, r->seed + repeat, best / CLASSIFIERS, best % CLASSIFIERS,
                  accuracy);
            assert_true(accuracy[f] == winner->outer);
            estimate += accuracy[f] / (r->folds * r->repeats);
            hsel_dataset_free(part);
            free(keep);
        }
        hs_folds_clear(&outer);
    }
    assert_true(fabs(estimate - found->estimate.mean) < 1e-12);
    assert_true(found->estimate.high <= 1 && found->estimate.high >= found->estimate.mean);
}

static void same_result(const hs_auto *a, const hs_auto *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->choice.candidate, b->choice.candidate);
    for (size_t i = 0; i < a->count; i++) {
        const hs_auto_candidate *x = &a->candidates[i], *y = &b->candidates[i];
        assert_true(x->end == y->end && x->folds == y->folds && x->close == y->close &&
                    x->chosen == y->chosen && memcmp(&x->mean, &y->mean, sizeof x->mean) == 0);
    }
    assert_int_equal(a->winner_count, b->winner_count);
    for (size_t i = 0; i < a->winner_count; i++) {
        const hs_auto_winner *x = &a->winners[i], *y = &b->winners[i];
        assert_true(x->candidate == y->candidate && x->inner == y->inner && x->outer == y->outer &&
                    x->best[0] == y->best[0] && x->best[1] == y->best[1]);
    }
    assert_true(a->estimate.mean == b->estimate.mean && a->estimate.low == b->estimate.low);
    assert_int_equal(a->permutations, b->permutations);
    assert_memory_equal(a->permuted, b->permuted, a->permutations * sizeof *a->permuted);
}

static void run_or_fail(const struct world *w, hs_auto *out)
{
    hsel_error error = {0};
    assert_ok(hs_auto_run(&w->request, out, &error), error);
}

static void test_twin(void **unused)
{
    hs_stream stream;
    (void)unused;
    hs_stream_init(&stream, 3, "test-auto", 0, 0);
    for (int trial = 0; trial < 60; trial++) {
        struct world w;
        hs_auto one = {0}, more = {0};
        world_new(&w, &stream, 24 + (uint32_t)hs_random_below(&stream, 20),
                  4 + (uint32_t)hs_random_below(&stream, 10));
        w.request.repeats = 1 + trial % 2;
        w.request.inner_repeats = 1 + trial / 2 % 2;
        run_or_fail(&w, &one);
        check_twin(&w, &one);
        assert_int_equal(one.tests, one.tests_all); /* nobody leaves */
        w.request.threads = 3;
        run_or_fail(&w, &more);
        same_result(&one, &more);
        hs_auto_clear(&one);
        hs_auto_clear(&more);
        world_free(&w);
    }
}

/* ---- blends ---- */

/* Every selector with the first classifier, and the second, a blend, with none: the winner of a
 * race, which is the blend unless the best of the others is significantly better. */
static size_t twin_with_blend(const struct world *w, const hsel_dataset *data, size_t race)
{
    const hs_auto_request *r = &w->request;
    const uint64_t seed = hs_auto_seed(r->seed, race, 0);
    double value[SELECTORS + 1][8], best = -1, mean = 0, squares = 0;
    size_t first = 0;
    for (size_t i = 0; i <= SELECTORS; i++) /* the blend is the second */
        plain(w, data, r->inner_folds, seed, i < 2 ? 0 : i - 1, i == 1, value[i]);
    for (size_t i = 0; i <= SELECTORS; i++) {
        double all = 0;
        for (uint32_t f = 0; f < r->inner_folds; f++)
            all += value[i][f] / r->inner_folds;
        if (i != 1 && all > best + 1e-9) {
            best = all;
            first = i;
        }
    }
    const double k = r->inner_folds;
    for (uint32_t f = 0; f < r->inner_folds; f++)
        mean += (value[first][f] - value[1][f]) / k;
    for (uint32_t f = 0; f < r->inner_folds; f++)
        squares += pow(value[first][f] - value[1][f] - mean, 2) / (k - 1);
    const double se = sqrt(squares * (1 / k + 1 / (k - 1)));
    return mean > 1e-9 && (se == 0 || pt(mean / se, k - 1, 0, 0) < 0.05) ? first : 1;
}

static void test_blend(void **unused)
{
    hs_stream stream;
    hsel_error error = {0};
    size_t blends = 0, singles = 0;
    (void)unused;
    hs_stream_init(&stream, 13, "test-blend", 0, 0);
    for (int trial = 0; trial < 30; trial++) {
        struct world w;
        hs_auto found = {0};
        hs_folds outer = {0};
        double minus = 0;
        const char *text = trial % 2 ? "blend:members=nb/knn:k=3"
                                     : "blend:threshold=cost,cost=1000,members=nb/knn:k=3";
        world_new(&w, &stream, 30, 8);
        w.request.inner_folds = 5;
        hs_chosen_clear(&w.classifiers[1]);
        assert_ok(hs_chosen_parse(HS_CLASSIFIER, text, &w.classifiers[1], &error), error);
        run_or_fail(&w, &found);
        assert_int_equal(found.count, SELECTORS + 1);
        assert_int_equal(found.left_out_count, 0);
        assert_string_equal(found.candidates[1].classifier, text);
        assert_int_equal(found.choice.candidate, twin_with_blend(&w, w.data, 0));
        assert_ok(hs_folds_make(w.data, HS_FOLDS_OWN, 3, w.request.seed, &outer, &error), error);
        for (uint32_t f = 0; f < 3; f++) {
            const hs_auto_winner *winner = &found.winners[f];
            bool keep[30];
            hsel_dataset *part = NULL;
            double blend[8], single[8];
            for (uint32_t i = 0; i < 30; i++)
                keep[i] = outer.fold_of[i] != f;
            assert_ok(hs_dataset_keep_instances(w.data, keep, &part, &error), error);
            assert_int_equal(winner->candidate, twin_with_blend(&w, part, 1 + f));
            const size_t best = winner->best[winner->single];
            plain(&w, w.data, 3, w.request.seed, 0, 1, blend);
            plain(&w, w.data, 3, w.request.seed, best ? best - 1 : 0, 0, single);
            assert_true(winner->value[HS_AUTO_BLENDS] == blend[f]);
            assert_true(winner->outer == (winner->candidate == 1 ? blend[f] : single[f]));
            minus += (blend[f] - single[f]) / 3;
            blends += winner->candidate == 1;
            singles += winner->candidate != 1;
            hsel_dataset_free(part);
        }
        assert_true(fabs(minus - found.blend.mean) < 1e-12);
        hs_folds_clear(&outer);
        hs_auto_clear(&found);
        world_free(&w);
    }
    assert_true(blends > 10 && singles > 5);
}

/* ---- the race ---- */

/* The noise by pairs of candidates: half of the mean variance of their differences. */
static void twin_race(const double *value, size_t count, uint32_t folds, uint32_t inner_folds,
                      double level, const hs_auto_group *selects, bool *in)
{
    double mean[16] = {0}, noise = 0, pairs = 0;
    size_t runners = 0, best = count, first[HS_AUTO_GROUPS] = {count, count, count};
    for (size_t i = 0; i < count; i++) {
        for (uint32_t f = 0; f < folds; f++)
            mean[i] += value[f * count + i] / folds;
        runners += in[i];
        for (size_t j = 0; j < i; j++) {
            double square = 0;
            for (uint32_t f = 0; f < folds; f++)
                square += pow(value[f * count + i] - value[f * count + j] - mean[i] + mean[j], 2);
            if (in[i] && in[j]) {
                noise += square / (folds - 1) / 2;
                pairs++;
            }
        }
        if (in[i] && (best == count || mean[i] > mean[best]))
            best = i;
        if (in[i] && (first[selects[i]] == count || mean[i] > mean[first[selects[i]]]))
            first[selects[i]] = i;
    }
    for (size_t i = 0; i < count && runners > 1; i++) {
        double t = (mean[best] - mean[i]) /
                   sqrt(2 * noise / pairs * (1.0 / folds + 1.0 / (inner_folds - 1)));
        if (in[i] && i != first[selects[i]] &&
            pt(t, (double)(runners - 1) * (folds - 1), 0, 0) < level)
            in[i] = false;
    }
}

static void test_race_rule(void **unused)
{
    hs_stream stream;
    size_t left = 0, stayed = 0;
    hsel_error error = {0};
    (void)unused;
    hs_stream_init(&stream, 4, "test-race", 0, 0);
    for (int trial = 0; trial < 500; trial++) {
        size_t count = 2 + hs_random_below(&stream, 9);
        uint32_t folds = 2 + (uint32_t)hs_random_below(&stream, 5);
        double value[16 * 8], mirrored[16 * 8], quality[16];
        bool in[16], twin[16], lower[16];
        hs_auto_group selects[16];
        for (size_t i = 0; i < count; i++) {
            quality[i] = hs_random_double(&stream);
            selects[i] = (hs_auto_group)hs_random_below(&stream, HS_AUTO_GROUPS);
            in[i] = twin[i] = lower[i] = hs_random_below(&stream, 4) > 0;
        }
        for (size_t i = 0; i < count * folds; i++) {
            value[i] = quality[i % count] + 0.5 * hs_random_double(&stream);
            mirrored[i] = -value[i];
        }
        assert_ok(
            hs_auto_race(value, count, folds, folds + 1, false, 0.05, selects, count, in, &error),
            error);
        assert_ok(hs_auto_race(mirrored, count, folds, folds + 1, true, 0.05, selects, count, lower,
                               &error),
                  error);
        twin_race(value, count, folds, folds + 1, 0.05, selects, twin);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(in[i], twin[i]);
            assert_int_equal(in[i], lower[i]);
            stayed += in[i];
            left += !in[i];
        }
    }
    assert_true(left > 200 && stayed > 200);
    /* One fold says nothing, and neither does one of two that is not defined for a candidate. */
    double few[] = {1, 0, 0, 0, 1, (double)NAN, 0, 0};
    bool in[4] = {true, true, true, true};
    hs_auto_group selects[4] = {HS_AUTO_PLAIN};
    assert_ok(hs_auto_race(few, 4, 1, 5, false, 0.5, selects, 4, in, &error), error);
    assert_ok(hs_auto_race(few, 4, 2, 5, false, 0.5, selects, 4, in, &error), error);
    assert_true(in[0] && in[1] && in[2] && in[3]);
}

/* With a race fewer tests are done, and what stays has the values it has without one. */
static void test_racing(void **unused)
{
    hs_stream stream;
    uint64_t saved = 0;
    (void)unused;
    hs_stream_init(&stream, 5, "test-racing", 0, 0);
    for (int trial = 0; trial < 10; trial++) {
        struct world w;
        hs_auto all = {0}, raced = {0};
        world_new(&w, &stream, 90, 8);
        for (uint32_t i = 0; i < 90; i++) { /* the first feature tells the class */
            size_t count;
            const uint32_t *row = hs_row(w.data, i, &count);
            w.data->class_of[i] = (count && row[0] == 0) != (i % 10 == 0);
        }
        w.request.inner_folds = 5;
        run_or_fail(&w, &all);
        w.request.level = 0.2;
        run_or_fail(&w, &raced);
        saved += raced.tests_all - raced.tests;
        for (size_t i = 0; i < all.count; i++)
            if (raced.candidates[i].end == HS_AUTO_STAYED)
                assert_true(raced.candidates[i].mean == all.candidates[i].mean);
            else
                assert_true(raced.candidates[i].folds < 5);
        hs_auto_clear(&all);
        hs_auto_clear(&raced);
        world_free(&w);
    }
    assert_true(saved > 0);
}

/* A race is over when only the best of each group are left and the blend is clearly better or
 * worse than the others, or ahead of them after three folds, and not before. */
static void test_decided(void **unused)
{
    hs_stream stream;
    hsel_error error = {0};
    size_t ended = 0, blends = 0;
    (void)unused;
    hs_stream_init(&stream, 15, "test-decided", 0, 0);
    for (int trial = 0; trial < 20; trial++) {
        struct world w;
        hs_auto found = {0};
        double value[SELECTORS + 1][8];
        world_new(&w, &stream, 90, 8);
        for (uint32_t i = 0; i < 90 && trial % 4; i++) {
            size_t count;
            const uint32_t *row = hs_row(w.data, i, &count);
            w.data->class_of[i] = (count && row[0] == 0) != (i % 10 == 0);
        }
        w.request.inner_folds = 5;
        w.request.level = 0.2;
        w.request.selector_count = trial % 3 ? 2 : SELECTORS;
        hs_chosen_clear(&w.classifiers[1]);
        assert_ok(hs_chosen_parse(HS_CLASSIFIER,
                                  trial % 2 ? "blend:members=nb/knn:k=3"
                                            : "blend:threshold=cost,cost=1000,members=nb/knn:k=3",
                                  &w.classifiers[1], &error),
                  error);
        run_or_fail(&w, &found);
        for (size_t i = 0; i < found.count; i++)
            plain(&w, w.data, 5, hs_auto_seed(w.request.seed, 0, 0), i < 2 ? 0 : i - 1, i == 1,
                  value[i]);
        /* After the last inner fold none leaves, so those that stayed did after the fourth. */
        const uint32_t k = found.inner_folds < 5 ? found.inner_folds : 4;
        size_t in_group[HS_AUTO_GROUPS] = {0};
        bool worse = false, better = true;
        for (size_t i = 0; i < found.count; i++) {
            if (found.candidates[i].end != HS_AUTO_STAYED)
                continue;
            in_group[found.candidates[i].group]++;
            double mean = 0, squares = 0;
            for (uint32_t f = 0; f < k; f++)
                mean += (value[1][f] - value[i][f]) / k;
            for (uint32_t f = 0; f < k; f++)
                squares += pow(value[1][f] - value[i][f] - mean, 2) / (k - 1);
            const double se = sqrt(squares * (1.0 / k + 0.25));
            const bool clear =
                fabs(mean) > 1e-9 && (se == 0 || pt(fabs(mean) / se, k - 1, 0, 0) < 0.05);
            worse |= i != 1 && clear && mean < 0;
            better &= i == 1 || ((clear || k >= 3) && mean > 1e-9);
        }
        bool over = worse || better;
        for (size_t g = 0; g < HS_AUTO_GROUPS; g++)
            over = over && in_group[g] <= 1;
        assert_true(over == (found.inner_folds < 5));
        ended += found.inner_folds < 5;
        blends += found.choice.candidate == 1;
        hs_auto_clear(&found);
        world_free(&w);
    }
    if (!(ended > 0 && ended < 20 && blends > 0))
        fail_msg("%zu ended early, %zu blends", ended, blends);
}

/* ---- permutations, and an honest estimate ---- */

static void test_permutations(void **unused)
{
    hs_stream stream;
    struct world w;
    hs_auto all = {0};
    uint32_t *classes;
    (void)unused;
    hs_stream_init(&stream, 6, "test-permutations", 0, 0);
    world_new(&w, &stream, 40, 10);
    w.request.permutations = 5;
    w.request.level = 0.05;
    run_or_fail(&w, &all);
    assert_int_equal(all.permutations, 5);
    uint32_t as_good = 0;
    classes = hs_copy(w.data->class_of, 40, sizeof *classes);
    w.request.permutations = 0;
    for (uint32_t p = 0; p < 5; p++) { /* each by a data set with these classes */
        hs_auto one = {0};
        memcpy(w.data->class_of, classes, 40 * sizeof *classes);
        hs_stream_init(&stream, w.request.seed, "auto-classes", p + 1, 0);
        hs_random_shuffle(&stream, w.data->class_of, 40);
        run_or_fail(&w, &one);
        assert_true(one.estimate.mean == all.permuted[p]);
        as_good += one.estimate.mean >= all.estimate.mean;
        hs_auto_clear(&one);
    }
    assert_int_equal(all.as_good, as_good);
    assert_true(all.p == (1.0 + as_good) / 6);
    hs_free(classes);
    hs_auto_clear(&all);
    world_free(&w);
}

static void test_honest(void **unused)
{
    hs_stream stream;
    double inner = 0, outer = 0;
    enum { TRIALS = 30 };
    (void)unused;
    hs_stream_init(&stream, 7, "test-honest", 0, 0);
    for (int trial = 0; trial < TRIALS; trial++) {
        struct world w;
        hs_auto found = {0};
        world_new(&w, &stream, 150, 30);
        for (uint32_t i = 0; i < 150; i++)
            w.data->class_of[i] = i % 2;
        hs_random_shuffle(&stream, w.data->class_of, 150);
        w.request.metric = HS_METRIC_AUROC;
        run_or_fail(&w, &found);
        inner += found.inner / TRIALS;
        outer += found.estimate.mean / TRIALS;
        assert_true(found.chance == 0.5);
        hs_auto_clear(&found);
        world_free(&w);
    }
    assert_true(fabs(outer - 0.5) < 0.03);
    assert_true(inner > 0.54);
}

/* ---- interruptions ---- */

struct patience {
    _Atomic uint64_t reports; /* several threads report at the same time */
};

static int impatient(void *context, uint64_t done, uint64_t total, const char *what)
{
    struct patience *p = context;
    (void)done;
    (void)total;
    (void)what;
    return p->reports-- == 0;
}

static void test_resumed(void **unused)
{
    hs_stream stream;
    (void)unused;
    hs_stream_init(&stream, 8, "test-resumed", 0, 0);
    for (int trial = 0; trial < 10; trial++) {
        char path[] = "/tmp/hsel-auto-XXXXXX";
        struct world w;
        hs_auto once = {0}, found = {0};
        hsel_error error = {0};
        int status = HSEL_ECANCELLED, stops = 0;
        close(mkstemp(path));
        unlink(path);
        world_new(&w, &stream, 40, 10);
        w.request.permutations = 2;
        w.request.level = 0.1;
        run_or_fail(&w, &once);
        for (uint64_t left = 1 + hs_random_below(&stream, 40); status == HSEL_ECANCELLED;
             left += 3 + hs_random_below(&stream, 40), stops++) {
            struct patience patience = {left};
            hs_progress progress = {impatient, &patience, NULL};
            hs_auto_clear(&found);
            w.request.progress = &progress;
            w.request.threads = 1 + stops % 2;
            assert_ok(hs_journal_open(NULL, path, &w.request.journal, &error), error);
            status = hs_auto_run(&w.request, &found, &error);
            assert_ok(hs_journal_close(w.request.journal, &error), error);
        }
        assert_int_equal(status, HSEL_OK);
        assert_true(stops > 2);
        same_result(&once, &found);
        hs_auto_clear(&found);
        /* Of another run, and damaged. */
        w.request.progress = NULL;
        w.request.seed++;
        assert_ok(hs_journal_open(NULL, path, &w.request.journal, &error), error);
        assert_int_equal(hs_auto_run(&w.request, &found, &error), HSEL_EUSAGE);
        assert_ok(hs_journal_close(w.request.journal, &error), error);
        w.request.seed--;
        assert_int_equal(truncate(path, 200), 0);
        assert_ok(hs_journal_open(NULL, path, &w.request.journal, &error), error);
        assert_int_equal(hs_auto_run(&w.request, &found, &error), HSEL_EFORMAT);
        assert_ok(hs_journal_close(w.request.journal, &error), error);
        unlink(path);
        hs_auto_clear(&once);
        world_free(&w);
    }
}

/* A budget that is over at once: nothing is reached, or what was reached is said. */
static void test_budget(void **unused)
{
    hs_stream stream;
    struct world w;
    hs_auto found = {0};
    hsel_error error = {0};
    (void)unused;
    hs_stream_init(&stream, 9, "test-budget", 0, 0);
    world_new(&w, &stream, 40, 10);
    w.request.budget = 1e-9;
    assert_int_equal(hs_auto_run(&w.request, &found, &error), HSEL_EUSAGE);
    assert_string_equal(error.message, "no candidate was reached within the budget");
    w.request.budget = 1e6; /* changes nothing */
    hs_auto all = {0};
    run_or_fail(&w, &found);
    w.request.budget = 0;
    run_or_fail(&w, &all);
    assert_false(found.budget_over);
    same_result(&found, &all);
    hs_auto_clear(&found);
    hs_auto_clear(&all);
    world_free(&w);
}

static int run_once(void *context, hsel_error *error)
{
    struct world *w = context;
    HS_OWNS(hs_auto_clear) hs_auto found = {0};
    return hs_auto_run(&w->request, &found, error);
}

static void test_memory(void **unused)
{
    hs_stream stream;
    struct world w;
    (void)unused;
    hs_stream_init(&stream, 10, "test-memory", 0, 0);
    world_new(&w, &stream, 16, 4);
    w.request.selector_count = 2;
    w.request.classifier_count = 1;
    w.request.folds = w.request.inner_folds = 2;
    w.request.permutations = 1;
    w.request.level = 0.05;
    hs_oom_each("hs_auto_run", run_once, &w);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_twin),    cmocka_unit_test(test_blend),
        cmocka_unit_test(test_decided), cmocka_unit_test(test_race_rule),
        cmocka_unit_test(test_racing),  cmocka_unit_test(test_permutations),
        cmocka_unit_test(test_honest),  cmocka_unit_test(test_resumed),
        cmocka_unit_test(test_budget),  cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

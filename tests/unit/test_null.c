/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nothing is relevant: outcomes are drawn by stratum and do not look at any feature. Every test of
 * rank/p_values.h followed by every procedure, max-T, and elim and its like, on sparse terms with
 * rare classes and on frequent ones, with two and three classes, with strata and without. In how
 * many rounds is anything rejected at 5 %?
 *
 * More than the binomial distribution with that chance gives in one of 10,000 cases fails. Tests
 * that are approximations (chi2, g, cmh, means) and mid-p promise nothing for rare features; they
 * are only asked about frequent ones, unless they go by permutations. elim and its like take
 * instances away from terms, which makes frequent ones rare: chi2 and g are left out there.
 *
 * Over all features and rounds the share of p-values up to 5 % is at most that: p-values of one
 * round depend on each other, but exact tests are conservative where values are discrete, which
 * leaves room. Approximations are not: of 60 instances G is known to reject up to a fifth too
 * often.
 *
 * Covariates that are the outcome itself do not make a difference to what the selector fdr finds.
 */
#define MATHLIB_STANDALONE
#include <Rmath.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/progress.h"
#include "data/transform.h"
#include "infer/p_values.h"
#include "infer/procedures.h"
#include "support/cmocka.h"
#include "support/random_data.h"

enum { ROUNDS = 40, FEATURES = 60, PERMUTATIONS = 39, PROCEDURES = 16 };
#define LEVEL 0.05

enum kind { SPARSE, SPARSE_NUMBERS, FREQUENT, FREQUENT_NUMBERS, KINDS };

static double value(uint32_t feature, uint32_t c) { return (feature * 7 + c * 3) % 5 + 1.5; }

static hsel_dataset *make(hs_stream *stream, enum kind kind, uint32_t classes)
{
    const bool sparse = kind < FREQUENT;
    const hs_random_shape shape = {.instances = sparse ? 400 : 60,
                                   .features = FEATURES,
                                   .classes = classes,
                                   .density = sparse ? 0.005 : 0.35,
                                   .parents = 0.9,
                                   .true_path = sparse};
    hsel_dataset *data = hs_random_dataset(stream, &shape);
    if (kind % 2) {
        hsel_dataset *numbers = hs_as_numbers(data, value);
        hsel_dataset_free(data);
        data = numbers;
    }
    return data;
}

static bool in_north(uint32_t instance) { return instance % 3 == 0; }

static void add_strata(hsel_dataset *data)
{
    hs_about *about = &data->instance_about;
    hsel_error error = {0};
    assert_ok(hs_names_append(&about->columns, "stratum", 7, &error), error);
    for (uint32_t i = 0; i < data->instances; i++)
        assert_ok(hs_names_append(&about->cells, in_north(i) ? "n" : "s", 1, &error), error);
}

/* The second class is rare in the south; a third one is as rare in the north. */
static void draw_outcomes(hs_stream *stream, hsel_dataset *data, bool rare, bool strata)
{
    const double often = rare ? 0.06 : 0.5, seldom = rare ? 0.01 : 0.3;
    for (uint32_t i = 0; i < data->instances; i++) {
        const bool north = strata && in_north(i);
        const double x = hs_random_double(stream);
        data->class_of[i] = x < (north ? often : seldom)                                       ? 1
                            : data->class_names.count == 3 && x > 1 - (north ? seldom : often) ? 2
                                                                                               : 0;
    }
}

static bool is_approximate(const hs_p_options *o)
{
    return !o->permutations && (o->test >= HS_P_CHI2 || o->means || o->mid);
}

struct tally {
    uint32_t any[PROCEDURES + 1]; /* rounds with a rejection; the last: max-T */
    double small, all;            /* p-values at most LEVEL */
    double local[HS_P_METHODS];   /* the same of elim and its like */
};

static int one_round(hsel_dataset *data, const hs_p_options *options, uint64_t seed,
                     struct tally *tally, hsel_error *error)
{
    HS_OWNS(hs_counts_clear) hs_counts counts = {0};
    HS_OWNS(hs_p_sample_clear) hs_p_sample sample = {0};
    hs_training training = {
        .view = hs_view_all(data), .counts = &counts, .seed = seed, .threads = 1};
    uint32_t features[FEATURES];
    double p[FEATURES], adjusted[FEATURES];
    bool rejected[FEATURES];
    for (uint32_t f = 0; f < FEATURES; f++)
        features[f] = f;
    HS_TRY(hs_counts_of(&training.view, &counts, error));
    HS_TRY(hs_p_sample_init(&training, options, &sample, error));
    HS_TRY(hs_p_of_features(&sample, features, FEATURES, p, adjusted, NULL, error));
    bool any = false;
    const bool exact = !options->permutations && !is_approximate(options) && !data->numeric_count;
    for (uint32_t f = 0; f < FEATURES; f++) {
        any |= options->permutations && hs_rejects(adjusted[f], LEVEL);
        tally->small += hs_rejects(p[f], LEVEL);
        tally->all++;
    }
    tally->any[PROCEDURES] += any;
    for (size_t i = 0; hs_procedures[i].name; i++) {
        const hs_hypotheses h = {.p = p,
                                 .count = FEATURES,
                                 .dag = hs_procedures[i].tree ? NULL : data->dag,
                                 .alpha = LEVEL};
        assert_true(i < PROCEDURES);
        HS_TRY(hs_procedure_run(&hs_procedures[i], &h, rejected, adjusted, error));
        tally->any[i] += memchr(rejected, true, sizeof rejected) != NULL;
    }
    for (int how = 0; how < HS_P_METHODS && exact; how++) {
        HS_TRY(hs_p_local(&sample, data->dag, features, (hs_p_method)how, 0.01, p, error));
        for (uint32_t f = 0; f < FEATURES; f++)
            tally->local[how] += hs_rejects(p[f], LEVEL);
    }
    return HSEL_OK;
}

static void test_nothing_is_found(void **state)
{
    (void)state;
    const double most = qbinom(1e-4, ROUNDS, LEVEL, 0, 0);
    uint32_t tried = 0;
    for (int kind = 0; kind < KINDS; kind++)
        for (int variant = 0; variant < 4; variant++)
            for (int number = 0; number < 5 * 2 * 2 * 2 * 2; number++) {
                const uint32_t classes = variant % 2 ? 3 : 2;
                const bool strata = variant / 2;
                const hs_p_options options = {.test = number % 5,
                                              .tail = number / 5 % 2 ? HS_TAIL_MORE : HS_TAIL_BOTH,
                                              .mid = number / 10 % 2,
                                              .means = number / 20 % 2,
                                              .permutations = number / 40 ? PERMUTATIONS : 0};
                if ((is_approximate(&options) && kind < FREQUENT) ||
                    (options.means && kind % 2 == 0) ||
                    (kind % 2 && (options.test || options.tail || options.mid)) ||
                    (kind == SPARSE_NUMBERS && options.permutations) ||
                    (options.test == HS_P_FISHER && kind % 2 == 0))
                    continue; /* promises nothing, takes long, or is another one's like */
                hs_stream stream;
                struct tally tally = {0};
                hsel_error error = {0};
                int status = HSEL_OK;
                hs_stream_init(&stream, 5, "null", (uint64_t)kind, (uint64_t)variant);
                hsel_dataset *data = make(&stream, (enum kind)kind, classes);
                if (strata)
                    add_strata(data);
                for (uint64_t round = 0; round < ROUNDS && status == HSEL_OK; round++) {
                    draw_outcomes(&stream, data, kind < FREQUENT, strata);
                    status = one_round(data, &options, round, &tally, &error);
                }
                hsel_dataset_free(data);
                if (status == HSEL_EUSAGE)
                    continue; /* there is no such test, and it says so */
                assert_ok(status, error);
                tried++;
                for (size_t i = 0; i <= PROCEDURES; i++)
                    if (tally.any[i] > most)
                        fail_msg("%s finds something in %u of %d rounds: kind %d, %u classes, "
                                 "strata %d, test %d, tail %d, mid %d, means %d, permutations %u",
                                 i < PROCEDURES ? hs_procedures[i].name : "max-t", tally.any[i],
                                 ROUNDS, kind, classes, strata, options.test, options.tail,
                                 options.mid, options.means, options.permutations);
                const double most_small = is_approximate(&options) ? LEVEL * 1.2 : LEVEL;
                double worst = tally.small;
                for (int how = 0; how < HS_P_METHODS; how++)
                    worst = fmax(worst, tally.local[how]);
                if (!hs_rejects(worst / tally.all, most_small))
                    fail_msg("%.3f of p-values are at most %g: kind %d, %u classes, strata %d, "
                             "test %d, tail %d, mid %d, means %d, permutations %u",
                             worst / tally.all, LEVEL, kind, classes, strata, options.test,
                             options.tail, options.mid, options.means, options.permutations);
            }
    assert_true(tried > 60);
}

enum { PEOPLE = 90, COVARIATES = 2 };

/* A tree of terms, and behind them covariates that tell the outcome: age and sex. Without
 * covariates: the same terms alone. */
static hsel_dataset *with_covariates(hs_stream *stream, uint32_t covariates)
{
    const uint32_t features = FEATURES + covariates;
    double x[PEOPLE][FEATURES + COVARIATES] = {0};
    uint32_t label[PEOPLE], child[FEATURES], parent[FEATURES];
    uint8_t is_covariate[FEATURES + COVARIATES] = {0};
    hsel_dataset *data = NULL;
    hsel_dag *dag = NULL;
    hsel_error error = {0};
    for (uint32_t i = 0; i < PEOPLE; i++) {
        label[i] = hs_random_below(stream, 3) == 0;
        for (uint32_t f = FEATURES; f-- > 0;) {
            x[i][f] = x[i][f] > 0 || hs_random_below(stream, 20) == 0;
            if (x[i][f] > 0 && f)
                x[i][(f - 1) / 2] = 1;
        }
        x[i][FEATURES] = 20 + i % 7 + 30 * label[i];
        x[i][FEATURES + 1] = label[i];
    }
    memset(is_covariate + FEATURES, 1, COVARIATES);
    for (uint32_t f = 1; f < FEATURES; f++) {
        child[f - 1] = f;
        parent[f - 1] = (f - 1) / 2;
    }
    const hsel_arrays arrays = {.size = sizeof arrays,
                                .instances = PEOPLE,
                                .features = features,
                                .classes = 2,
                                .layout = HSEL_DENSE,
                                .number = HSEL_F64,
                                .values = x,
                                .row_stride = sizeof x[0],
                                .column_stride = sizeof x[0][0],
                                .labels = label,
                                .covariates = covariates ? is_covariate : NULL};
    assert_ok(hsel_dataset_from_arrays(&arrays, &data, &error), error);
    assert_ok(hs_dag_new(features, child, parent, FEATURES - 1, &dag, &error), error);
    assert_ok(hs_dataset_attach(data, dag, &error), error);
    return data;
}

static void test_covariates_are_no_hypotheses(void **state)
{
    (void)state;
    static const char *const selectors[] = {"fdr",
                                            "fdr:method=bh",
                                            "fdr:method=holm",
                                            "fdr:method=dagger",
                                            "fdr:method=structured-holm",
                                            "fdr:method=max-t,permutations=39"};
    const double most = qbinom(1e-4, ROUNDS, LEVEL, 0, 0);
    for (size_t s = 0; s < sizeof selectors / sizeof *selectors; s++) {
        uint32_t any = 0;
        for (uint64_t round = 0; round < ROUNDS; round++) {
            uint8_t kept[2][FEATURES + COVARIATES] = {0};
            hsel_error error = {0};
            for (uint32_t with = 0; with < 2; with++) {
                hs_stream stream;
                hs_stream_init(&stream, 6, "covariates", round, 0);
                hsel_dataset *data = with_covariates(&stream, with * COVARIATES);
                const hsel_request request = {
                    .size = sizeof request, .selector = selectors[s], .seed = round, .threads = 1};
                assert_ok(hsel_select(data, &request, kept[with], NULL, &error), error);
                hsel_dataset_free(data);
            }
            assert_memory_equal(kept[0], kept[1], FEATURES);
            assert_true(kept[1][FEATURES] && kept[1][FEATURES + 1]);
            any += memchr(kept[1], 1, FEATURES) != NULL;
        }
        if (any > most)
            fail_msg("%s finds something in %u of %d rounds", selectors[s], any, ROUNDS);
    }
}

static int stop(void *context, uint64_t done, uint64_t total, const char *what)
{
    (void)context, (void)total, (void)what;
    return done == FEATURES / 2;
}

/* Tests of many features can be stopped between two of them. */
static void test_tests_can_be_stopped(void **state)
{
    (void)state;
    hs_stream stream;
    hs_counts counts = {0};
    hs_p_sample sample = {0};
    hsel_error error = {0};
    const hs_p_options options = {0};
    const hs_progress progress = {.report = stop};
    uint32_t features[FEATURES];
    double p[FEATURES];
    hs_stream_init(&stream, 7, "null", 0, 0);
    hsel_dataset *data = make(&stream, SPARSE, 3);
    draw_outcomes(&stream, data, false, false);
    hs_training training = {
        .view = hs_view_all(data), .counts = &counts, .threads = 1, .progress = &progress};
    for (uint32_t f = 0; f < FEATURES; f++)
        features[f] = f;
    assert_ok(hs_counts_of(&training.view, &counts, &error), error);
    assert_ok(hs_p_sample_init(&training, &options, &sample, &error), error);
    assert_int_equal(hs_p_of_features(&sample, features, FEATURES, p, NULL, NULL, &error),
                     HSEL_ECANCELLED);
    hs_p_sample_clear(&sample);
    hs_counts_clear(&counts);
    hsel_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tests_can_be_stopped),
                                       cmocka_unit_test(test_nothing_is_found),
                                       cmocka_unit_test(test_covariates_are_no_hypotheses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scan statistics (infer/scan.c): ratios by their definition, p-values by enumerating all sets of
 * cases of small samples, both ways of counting, threads, groups.
 */
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "infer/scan.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/random_data.h"
#include "support/threads.h"

HS_TEST_USES_THREADS

enum { MOST = 6, DRAWN = 40000 };

static double power_log(double base, double exponent)
{
    return exponent > 0 ? log(pow(base, exponent)) : 0;
}

/* As the papers have it. */
static double ratio_of(const hs_scan *s, double c, double n)
{
    const double all = s->size, cases = s->cases, r = s->rate, e = (r > 0 ? r : cases / all) * n;
    if (!(c > e) || (r == 0 && n >= all))
        return 0;
    if (s->model == HS_SCAN_POISSON && r > 0)
        return power_log(c / e, c) + e - c;
    if (s->model == HS_SCAN_POISSON)
        return power_log(c / e, c) + power_log((cases - c) / (cases - e), cases - c);
    if (r > 0)
        return power_log(c / (n * r), c) + power_log((n - c) / (n * (1 - r)), n - c);
    return power_log(c / n, c) + power_log((n - c) / n, n - c) +
           power_log((cases - c) / (all - n), cases - c) +
           power_log(1 - (cases - c) / (all - n), all - n - cases + c) -
           power_log(cases / all, cases) - power_log(1 - cases / all, all - cases);
}

struct sample {
    hsel_dataset *data;
    hs_counts counts;
    hs_training training;
    hs_p_sample sample;
    uint32_t features[64], count; /* that are not constant */
    double exposure[16];
};

static void sample_make(struct sample *s, hs_stream *stream, const hs_random_shape *shape,
                        bool weighted)
{
    hsel_error error = {0};
    s->data = hs_random_dataset(stream, shape);
    s->count = 0;
    for (uint32_t i = 0; weighted && i < s->data->instances; i++)
        s->exposure[i] = 0.5 + (double)hs_random_below(stream, 8) / 4;
    if (weighted) {
        hs_about *about = &s->data->instance_about;
        assert_ok(
            hs_names_append(&about->columns, HS_ABOUT_WEIGHT, strlen(HS_ABOUT_WEIGHT), &error),
            error);
        for (uint32_t i = 0; i < s->data->instances; i++) {
            char text[32];
            const int length = snprintf(text, sizeof text, "%.17g", s->exposure[i]);
            assert_ok(hs_names_append(&about->cells, text, (size_t)length, &error), error);
        }
    }
    s->training = (hs_training){.view = hs_view_all(s->data), .counts = &s->counts, .threads = 1};
    assert_ok(hs_counts_of(&s->training.view, &s->counts, &error), error);
    assert_ok(
        hs_p_sample_init(&s->training, &(hs_p_options){.tail = HS_TAIL_MORE}, &s->sample, &error),
        error);
    for (uint32_t f = 0; f < s->data->features; f++) {
        size_t length;
        hsel_dataset_column(s->data, f, &length);
        if (length && length < s->data->instances)
            s->features[s->count++] = f;
    }
}

static void sample_clear(struct sample *s)
{
    hs_p_sample_clear(&s->sample);
    hs_counts_clear(&s->counts);
    hsel_dataset_free(s->data);
}

/* Cases in the feature when instance i has these, and the exposure of the feature. */
static double cases_in(const struct sample *s, uint32_t feature, const uint32_t *cases,
                       double *size)
{
    size_t length;
    const uint32_t *column = hsel_dataset_column(s->data, feature, &length);
    double sum = 0;
    *size = 0;
    for (size_t j = 0; j < length; j++) {
        sum += cases[column[j]];
        *size += s->exposure[0] > 0 ? s->exposure[column[j]] : 1;
    }
    return sum;
}

/* Adds to chance[t], and to own[t], what all ways of giving cases to the instances from `i` on
 * bring in which the maximum, or the feature's own cases, reach the observed ones. */
static void enumerate(const struct sample *s, const hs_scan *scan, uint32_t *cases, uint32_t i,
                      double weight, const double *observed, const double *own_cases,
                      double *chance, double *own)
{
    const uint32_t n = s->data->instances;
    double size;
    if (i == n) {
        double most = 0, total = 0;
        for (uint32_t j = 0; j < n; j++)
            total += cases[j];
        if (scan->rate == 0 && total != scan->cases)
            return;
        for (uint32_t t = 0; t < s->count; t++) {
            const double in = cases_in(s, s->features[t], cases, &size);
            most = fmax(most, ratio_of(scan, in, size));
            own[t] += in >= own_cases[t] ? weight : 0;
        }
        for (uint32_t t = 0; t < s->count; t++)
            chance[t] += most >= observed[t] - 1e-9 ? weight : 0;
        chance[s->count] += weight;
        return;
    }
    const double exposure = s->exposure[0] > 0 ? s->exposure[i] : 1;
    const uint32_t end = scan->model == HS_SCAN_BERNOULLI ? 1
                         : scan->rate > 0                 ? 9
                                                          : (uint32_t)scan->cases;
    double part = 1;
    for (uint32_t c = 0; c <= end; c++) {
        cases[i] = c;
        if (scan->model == HS_SCAN_BERNOULLI)
            part = scan->rate > 0 ? (c ? scan->rate : 1 - scan->rate) : 1;
        else
            part = (scan->rate > 0 ? exp(-scan->rate * exposure) : 1) *
                   pow((scan->rate > 0 ? scan->rate : 1) * exposure, c) / tgamma(c + 1.0);
        enumerate(s, scan, cases, i + 1, weight * part, observed, own_cases, chance, own);
    }
}

static void test_enumerated(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 7, "scan", 0, 0);
    for (int trial = 0; trial < 60; trial++) {
        const int model = trial % 2, given = trial / 2 % 2;
        const bool weighted = model == HS_SCAN_POISSON && trial % 3 == 0;
        const hs_random_shape shape = {.instances = model == HS_SCAN_BERNOULLI ? 10
                                                    : given                    ? 4
                                                                               : 5,
                                       .features = MOST,
                                       .classes = 2,
                                       .density = 0.4};
        struct sample s = {0};
        hs_scan scan = {.model = model,
                        .rate = given ? 0.3 : 0,
                        .permutations = DRAWN,
                        .way = trial % 5 ? HS_SCAN_FASTER : HS_SCAN_BY_TERMS};
        double p[MOST], adjusted[MOST], chance[MOST + 1] = {0}, own[MOST] = {0}, observed[MOST],
                                                      in[MOST], size;
        uint32_t cases[16];
        hsel_error error = {0};
        sample_make(&s, &stream, &shape, weighted);
        s.training.seed = (uint64_t)trial;
        assert_ok(hs_p_scan(&s.sample, &scan, s.features, s.count, p, adjusted, &error), error);
        for (uint32_t i = 0; i < s.data->instances; i++)
            cases[i] = s.data->class_of[i] == s.data->positive_class;
        for (uint32_t t = 0; t < s.count; t++) {
            in[t] = cases_in(&s, s.features[t], cases, &size);
            observed[t] = ratio_of(&scan, in[t], size);
            assert_true(fabs(observed[t] - hs_scan_ratio(&scan, in[t], size)) < 1e-9);
        }
        enumerate(&s, &scan, cases, 0, 1, observed, in, chance, own);
        for (uint32_t t = 0; t < s.count; t++) {
            const double exact = chance[t] / chance[s.count],
                         se = sqrt(exact * (1 - exact) / DRAWN) + 1.0 / DRAWN;
            if (fabs(adjusted[t] - exact) > 4.5 * se)
                fail_msg("trial %d, term %u: %g, not %g", trial, t, adjusted[t], exact);
            if (fabs(p[t] - own[t] / chance[s.count]) > 1e-6) /* Poisson: cut at nine */
                fail_msg("trial %d, term %u: p %g, not %g", trial, t, p[t],
                         own[t] / chance[s.count]);
        }
        sample_clear(&s);
    }
}

struct scanned {
    struct sample *s;
    hs_scan scan;
    double p[64], adjusted[64];
};

static int run(void *context, hsel_error *error)
{
    struct scanned *t = context;
    return hs_p_scan(&t->s->sample, &t->scan, t->s->features, t->s->count, t->p, t->adjusted,
                     error);
}

static void test_ways_and_threads(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 8, "scan", 0, 0);
    for (int trial = 0; trial < 20; trial++) {
        const hs_random_shape shape = {.instances = 50 + 10 * (uint32_t)trial,
                                       .features = 60,
                                       .classes = 2,
                                       .density = trial % 2 ? 0.1 : 0.5};
        struct sample s = {0};
        hsel_error error = {0};
        sample_make(&s, &stream, &shape, false);
        struct scanned first = {.s = &s,
                                .scan = {.rate = trial % 3 ? 0 : 0.2,
                                         .permutations = 700, /* two blocks, one not full */
                                         .way = HS_SCAN_BY_CASES}};
        assert_ok(run(&first, &error), error);
        struct scanned other = first;
        for (int way = HS_SCAN_FASTER; way <= HS_SCAN_BY_TERMS; way++) {
            other.scan.way = way;
            s.training.threads = 1 + way;
            assert_ok(run(&other, &error), error);
            assert_memory_equal(other.p, first.p, s.count * sizeof *first.p);
            assert_memory_equal(other.adjusted, first.adjusted, s.count * sizeof *first.p);
            if (trial == 0) {
                s.training.threads = 1;
                other.scan.permutations = 5;
                hs_oom_each("scan", run, &other);
                other = first;
            }
        }
        sample_clear(&s);
    }
}

/* With groups, sets of cases are those of permutations. */
static void test_groups(void **state)
{
    (void)state;
    enum { ROWS = 24, SETS = 300 };
    hs_stream stream;
    hsel_error error = {0};
    hs_stream_init(&stream, 9, "scan", 0, 0);
    hs_random_shape shape = {.instances = ROWS, .features = 8, .classes = 2, .density = 0.4};
    struct sample s = {0};
    sample_make(&s, &stream, &shape, false);
    hs_about *about = &s.data->instance_about;
    assert_ok(hs_names_append(&about->columns, HS_ABOUT_GROUP, strlen(HS_ABOUT_GROUP), &error),
              error);
    for (uint32_t i = 0; i < ROWS; i++) {
        const char name[2] = {(char)('a' + i / 3), 0};
        assert_ok(hs_names_append(&about->cells, name, 1, &error), error);
    }
    hs_p_sample_clear(&s.sample);
    assert_ok(
        hs_p_sample_init(&s.training, &(hs_p_options){.tail = HS_TAIL_MORE}, &s.sample, &error),
        error);
    assert_true(s.sample.exchange.grouped);
    struct scanned scanned = {.s = &s, .scan = {.permutations = SETS}};
    for (int way = HS_SCAN_FASTER; way <= HS_SCAN_BY_TERMS; way++) {
        scanned.scan.way = way;
        assert_ok(run(&scanned, &error), error);
        for (uint32_t t = 0; t < s.count; t++) {
            uint32_t scratch[ROWS], class_of[ROWS], cases[ROWS], reached = 1;
            double size;
            for (uint32_t i = 0; i < ROWS; i++)
                cases[i] = s.sample.class_of[i] == s.sample.one;
            const double in = cases_in(&s, s.features[t], cases, &size),
                         observed = ratio_of(&scanned.scan, in, size);
            for (uint32_t b = 0; b < SETS; b++) {
                double most = 0;
                hs_p_permute(&s.sample, b, scratch, class_of);
                for (uint32_t i = 0; i < ROWS; i++)
                    cases[i] = class_of[i] == s.sample.one;
                for (uint32_t u = 0; u < s.count; u++) {
                    const double there = cases_in(&s, s.features[u], cases, &size);
                    most = fmax(most, ratio_of(&scanned.scan, there, size));
                }
                reached += most >= observed - 1e-9;
            }
            assert_true(fabs(scanned.adjusted[t] - reached / (1.0 + SETS)) < 1e-12);
        }
    }
    scanned.scan.model = HS_SCAN_POISSON;
    assert_int_equal(run(&scanned, &error), HSEL_EUSAGE);
    scanned.scan = (hs_scan){.permutations = 5, .rate = 0.1};
    assert_int_equal(run(&scanned, &error), HSEL_EUSAGE);
    sample_clear(&s);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_enumerated),
        cmocka_unit_test(test_ways_and_threads),
        cmocka_unit_test(test_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

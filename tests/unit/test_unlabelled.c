/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The prior and the metrics of rankings without negatives: values worked out by hand, and a slow
 * twin that looks at each pair of instances, over random rankings with ties and groups.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "stats/metrics.h"
#include "stats/unlabelled.h"
#include "support/cmocka.h"
#include "support/oom.h"

enum { MOST = 400 };

struct world {
    double score[MOST], prior;
    uint8_t labelled[MOST];
    uint32_t unit_of[MOST], units, n;
};

static int measure(void *context, hsel_error *error)
{
    const struct world *w = context;
    HS_OWNS(hs_pu_ranking_clear) hs_pu_ranking ranking = {0};
    hs_pu_metrics found;
    HS_TRY(hs_pu_rank(w->score, w->labelled, w->units ? w->unit_of : NULL, w->units, w->n, &ranking,
                      error));
    return hs_pu_metrics_of(&ranking, w->prior, 1, &found, error);
}

static hs_pu_metrics metrics_of(const struct world *w)
{
    HS_OWNS(hs_pu_ranking_clear) hs_pu_ranking ranking = {0};
    hsel_error error = {0};
    hs_pu_metrics found;
    assert_ok(hs_pu_rank(w->score, w->labelled, w->units ? w->unit_of : NULL, w->units, w->n,
                         &ranking, &error),
              error);
    assert_ok(hs_pu_metrics_of(&ranking, w->prior, 1, &found, &error), error);
    return found;
}

static void expect(double found, double wanted)
{
    if (fabs(found - wanted) > 1e-9 && !(isnan(found) && isnan(wanted)))
        fail_msg("%.17g, not %.17g", found, wanted);
}

/* Labelled: the first and fourth of twelve. */
static void worked_out_by_hand(void **state)
{
    struct world w = {.n = 12, .prior = 0.2};
    (void)state;
    for (uint32_t i = 0; i < w.n; i++) {
        w.score[i] = 12 - (double)i;
        w.labelled[i] = i == 0 || i == 3;
    }
    const hs_pu_metrics m = metrics_of(&w);
    expect(m.auroc, 0.9);     /* 10 + 8 of 20 pairs */
    expect(m.corrected, 1.0); /* (0.9 - 0.1) / 0.8 */
    expect(m.percentile, 0.9);
    assert_false(m.estimated);
    assert_int_equal(m.tops, 3); /* 10; 1 % and 5 % are one instance; 10 % are two */
    const hs_pu_top *t = &m.top[0];
    expect(t->known, 2);
    expect(t->recall, 1);
    expect(t->enrichment, 1.2);
    expect(t->lee_liu, 1.2);
    expect(t->precision, 0.4); /* (2 + 0.2 * 10) * 1 / 10 */
    expect(t->precision_bound[0], 0.2);
    expect(t->precision_bound[1], 0.4);
    expect(t->recall_bound[0], 0.5);
    expect(t->recall_bound[1], 1);
    expect(t->recovered, 1);
    t = &m.top[1];
    expect(t->k, 1);
    expect(t->known, 1);
    expect(t->recall, 0.5);
    expect(t->recovered, 0.5);
    expect(t->enrichment, 6);
    expect(t->lee_liu, 3);
    expect(t->precision, 1);                               /* 4 * 0.5 / 1, cut */
    assert_true(isnan(t->interval[HS_PU_ENRICHMENT].low)); /* two labelled ones are too few */
    /* All scores the same: half of everything. */
    for (uint32_t i = 0; i < w.n; i++)
        w.score[i] = 1;
    const hs_pu_metrics same = metrics_of(&w);
    expect(same.auroc, 0.5);
    expect(same.percentile, 0.5);
    expect(same.top[0].known, 10 * 2 / 12.0);
    expect(same.top[0].recovered, 10 / 11.0);
}

/* 30 of 100 unlabelled have the score of all 50 labelled, and the others a lower one. */
static void prior_by_hand(void **state)
{
    uint32_t unlabelled[] = {30, 70}, labelled[] = {50, 0}, none[] = {0, 0};
    uint32_t *const size[2] = {unlabelled, labelled}, *const without[2] = {unlabelled, none};
    const hs_prior prior = hs_prior_of(size, 2);
    (void)state;
    expect(prior.share, 0.3);
    expect(prior.high, 31 / 101.0 * exp(3 * sqrt(1 / 31.0 - 1 / 101.0)));
    assert_true(isnan(hs_prior_of(without, 2).share));
    assert_true(isnan(hs_prior_of(without, 2).high));
    expect(hs_pu_precision(0.1, 200, 0.5, 20), 0.5);
    expect(hs_pu_precision(0.5, 200, 0.5, 20), 1);
}

static double inside(double k, double above, double same)
{
    return k <= above ? 0 : k >= above + same ? 1 : (k - above) / same;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Counts of instances of a kind (-1: any) with a higher score, and with the same. */
static void around(const struct world *w, double score, int kind, double *above, double *same)
{
    *above = *same = 0;
    for (uint32_t i = 0; i < w->n; i++)
        if (kind < 0 || w->labelled[i] == kind) {
            *above += w->score[i] > score;
            *same += w->score[i] == score;
        }
}

static void compare_with_twin(const struct world *w)
{
    const hs_pu_metrics m = metrics_of(w);
    double total[2] = {0}, area = 0, percentile[MOST], least = INFINITY, share = NAN;
    size_t count = 0;
    for (uint32_t i = 0; i < w->n; i++)
        total[w->labelled[i]]++;
    for (uint32_t i = 0; i < w->n; i++) {
        double above[2], same[2], limit;
        for (int s = 0; s < 2; s++)
            around(w, w->score[i], s, &above[s], &same[s]);
        if (w->labelled[i]) {
            percentile[count++] = (total[0] - above[0] - same[0] / 2) / total[0];
            area += percentile[count - 1] / total[1];
        }
        const double u = above[0] + same[0], p = above[1] + same[1];
        if (p == 0)
            continue;
        limit = (u + 1) / (total[0] + 1) * total[1] / p *
                exp(3 * sqrt(fmax(0, 1 / (u + 1) - 1 / (total[0] + 1) + 1 / p - 1 / total[1])));
        if (limit < least * (1 - 1e-12)) {
            least = limit;
            share = fmin(1, u / total[0] * total[1] / p);
        }
    }
    qsort(percentile, count, sizeof *percentile, by_value);
    expect(m.auroc, area);
    expect(m.percentile, (percentile[(count - 1) / 2] + percentile[count / 2]) / 2);
    if (isnan(w->prior)) {
        expect(m.prior.high, fmin(1, least));
        if (w->n > 60) /* equal limits are rare */
            expect(m.prior.share, share);
        assert_true(isnan(m.prior.low) || m.prior.low <= m.prior.share);
    }
    const double a = m.prior.share, most = m.prior.high * total[0];
    expect(m.corrected, a < 1 ? fmin(1, fmax(0, (area - a / 2) / (1 - a))) : (double)NAN);
    for (uint32_t t = 0; t < m.tops; t++) {
        const hs_pu_top *top = &m.top[t];
        double known = 0, recovered = 0;
        const double hidden = top->share > 0 ? ceil(top->share * total[0]) : top->k;
        for (uint32_t i = 0; i < w->n; i++) {
            double above, same;
            if (!w->labelled[i])
                continue;
            around(w, w->score[i], -1, &above, &same);
            known += inside(top->k, above, same);
            around(w, w->score[i], 0, &above, &same);
            recovered += inside(hidden, above, same + 1) / total[1];
        }
        const double unknown = top->k - known, up = fmin(unknown, most),
                     down = fmin(total[0] - unknown, most), recall = known / total[1];
        expect(top->known, known);
        expect(top->recovered, recovered);
        expect(top->recall, recall);
        expect(top->enrichment, recall * w->n / top->k);
        expect(top->lee_liu, recall * recall * w->n / top->k);
        expect(top->precision_bound[0], known / top->k);
        expect(top->precision_bound[1], (known + up) / top->k);
        expect(top->recall_bound[0], known / (total[1] + down));
        expect(top->recall_bound[1], (known + up) / (total[1] + up));
        assert_true(top->precision >= top->precision_bound[0] &&
                    top->precision <= top->precision_bound[1]);
        for (int i = 0; i < HS_PU_INTERVALS; i++)
            assert_true(isnan(top->interval[i].low) ||
                        top->interval[i].low <= top->interval[i].high);
    }
}

static void fill(struct world *w, hs_stream *stream, bool ties)
{
    w->n = 5 + (uint32_t)hs_random_below(stream, MOST - 5);
    w->units = hs_random_below(stream, 2) ? 1 + (uint32_t)hs_random_below(stream, w->n) : 0;
    w->prior = hs_random_below(stream, 2) ? hs_random_double(stream) : (double)NAN;
    for (uint32_t i = 0; i < w->n; i++) {
        w->labelled[i] = i ? hs_random_below(stream, 4) == 0 : 1;
        w->score[i] = hs_random_double(stream) + 0.5 * w->labelled[i];
        if (ties)
            w->score[i] = floor(8 * w->score[i]);
        w->unit_of[i] = w->units ? (uint32_t)hs_random_below(stream, w->units) : 0;
    }
    w->labelled[1] = 0;
}

static void as_the_slow_twin(void **state)
{
    hs_stream stream;
    struct world w;
    hs_stream_init(&stream, 3, "test", 0, 0);
    (void)state;
    for (int trial = 0; trial < 60; trial++) {
        fill(&w, &stream, trial % 2);
        compare_with_twin(&w);
    }
}

/* Samples have as many units of both kinds, whole, and each sample is itself again. */
static void samples_of_units(void **state)
{
    hs_stream stream;
    struct world w;
    hsel_error error = {0};
    uint32_t size[2][2][MOST];
    hs_stream_init(&stream, 4, "test", 0, 0);
    (void)state;
    for (int trial = 0; trial < 20; trial++) {
        HS_OWNS(hs_pu_ranking_clear) hs_pu_ranking r = {0};
        fill(&w, &stream, false);
        if (trial % 2) { /* pairs of neighbours */
            w.units = w.n;
            for (uint32_t i = 0; i < w.n; i++) {
                w.unit_of[i] = i / 2;
                w.labelled[i] = i / 2 % 3 == 0;
                w.score[i] = i;
            }
        } else {
            w.units = 0;
        }
        assert_ok(
            hs_pu_rank(w.score, w.labelled, w.units ? w.unit_of : NULL, w.units, w.n, &r, &error),
            error);
        for (int again = 0; again < 2; again++) {
            uint32_t *const to[2] = {size[again][0], size[again][1]};
            hs_pu_sample(&r, 7, (uint32_t)trial, to);
        }
        uint64_t sum[2] = {0};
        for (int s = 0; s < 2; s++) {
            assert_memory_equal(size[0][s], size[1][s], r.blocks * sizeof **size[0]);
            for (uint32_t b = 0; b < r.blocks; b++)
                sum[s] += size[0][s][b];
        }
        if (!w.units) {
            assert_int_equal(sum[0], r.total[0]);
            assert_int_equal(sum[1], r.total[1]);
        }
        for (uint32_t i = 0; w.units && i + 1 < w.n; i += 2)
            assert_int_equal(size[0][w.labelled[i]][r.block_of[i]],
                             size[0][w.labelled[i + 1]][r.block_of[i + 1]]);
    }
}

/* Scores without meaning do not seem better than they are, and intervals hold the truth. */
static void chance(void **state)
{
    hs_stream stream;
    struct world w = {.n = MOST, .prior = 0};
    unsigned covered = 0;
    hs_stream_init(&stream, 5, "test", 0, 0);
    (void)state;
    for (int trial = 0; trial < 40; trial++) {
        for (uint32_t i = 0; i < w.n; i++) {
            w.labelled[i] = i < 80;
            w.score[i] = hs_random_double(&stream);
        }
        const hs_pu_metrics m = metrics_of(&w);
        expect(m.corrected, m.auroc); /* no positives among the unlabelled */
        covered += m.auroc_interval.low <= 0.5 && m.auroc_interval.high >= 0.5;
    }
    assert_in_range(covered, 34, 40);
}

static void refused(void **state)
{
    struct world w = {.n = 3, .prior = NAN, .score = {1, 2, 3}, .labelled = {1, 0, 0}};
    hsel_error error = {0};
    (void)state;
    assert_int_equal(measure(&w, &error), HSEL_OK);
    w.prior = 1.5;
    assert_int_equal(measure(&w, &error), HSEL_EUSAGE);
    assert_string_equal(error.message,
                        "the share of positives among the unlabelled must be from 0 to 1, not 1.5");
    w.prior = 1; /* nothing is negative */
    assert_true(isnan(metrics_of(&w).corrected));
    w.score[1] = NAN;
    assert_int_equal(measure(&w, &error), HSEL_EFORMAT);
    assert_string_equal(error.message, "the score of instance 2 is missing");
    w.score[1] = -INFINITY;
    assert_int_equal(measure(&w, &error), HSEL_OK);
    w.labelled[0] = 0;
    assert_int_equal(measure(&w, &error), HSEL_EFORMAT);
    assert_string_equal(error.message,
                        "there are 0 labelled and 3 unlabelled instances; both are needed");
    w.n = 0;
    assert_int_equal(measure(&w, &error), HSEL_EFORMAT);
}

static int through_the_interface(void *context, hsel_error *error)
{
    const struct world *w = context;
    for (int json = 0; json < 2; json++) {
        char *text = NULL;
        const int status = hsel_pu_metrics(w->score, w->labelled, w->unit_of, w->n, w->prior, 1,
                                           json ? "json" : "text", &text, error);
        if (status == HSEL_OK && !strstr(text, json ? "\"labelled\": " : "hidden in turn"))
            fail_msg("%s", text);
        hsel_free(text);
        HS_TRY(status);
    }
    return HSEL_OK;
}

static void public_function(void **state)
{
    hs_stream stream;
    struct world w;
    hsel_error error = {0};
    char *text = NULL;
    hs_stream_init(&stream, 6, "test", 0, 0);
    (void)state;
    fill(&w, &stream, true);
    w.n = 30;
    w.prior = NAN;
    for (uint32_t i = 0; i < w.n; i++)
        w.unit_of[i] = i;
    hs_oom_each("metrics of positives and unlabelled", through_the_interface, &w);
    w.unit_of[2] = 30;
    assert_int_equal(through_the_interface(&w, &error), HSEL_EUSAGE);
    assert_string_equal(error.message, "the group of instance 3 is 30, but there are 30 instances");
    assert_int_equal(hsel_pu_metrics(w.score, w.labelled, NULL, w.n, NAN, 1, "xml", &text, &error),
                     HSEL_EUSAGE);
    assert_string_equal(error.message, "unknown form 'xml': use text or json");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_out_by_hand),
        cmocka_unit_test(prior_by_hand),
        cmocka_unit_test(as_the_slow_twin),
        cmocka_unit_test(samples_of_units),
        cmocka_unit_test(chance),
        cmocka_unit_test(refused),
        cmocka_unit_test(public_function),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

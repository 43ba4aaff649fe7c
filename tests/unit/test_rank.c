/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The threshold-based rankers against a direct evaluation of their definitions: every threshold,
 * both rules, instance by instance; what must hold between them; order, names and errors.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "rank/ordered.h"
#include "rank/rank.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/rank_world.h"
#include "support/threads.h"

HS_TEST_USES_THREADS

static const char *const names[] = {"f",  "or",  "pow", "pr",  "gi", "mi",
                                    "ks", "dev", "gm",  "auc", "prc"};
enum metric { F, OR, POW, PR, GI, MI, KS, DEV, GM, AUC, PRC, METRICS };
enum zero { PAPER, INF, ONE, HALF };

/* ---- the twin ---- */

struct column { /* known values, and whether each is of the class */
    double x[RANK_ROWS];
    bool positive[RANK_ROWS];
    int count;
    double all; /* instances of the training part */
};

/* x > t is "positive" under rule 1, the rest under rule 2. */
static void decide(const struct column *c, double t, int rule, double *tp, double *fp, double *fn,
                   double *tn)
{
    *tp = *fp = *fn = *tn = 0;
    for (int i = 0; i < c->count; i++) {
        bool says = rule == 1 ? c->x[i] > t : c->x[i] <= t;
        if (c->positive[i])
            *(says ? tp : fn) += 1;
        else
            *(says ? fp : tn) += 1;
    }
}

static double share_log(double part, double row, double column, double all)
{
    return part > 0 ? part / all * log2(part * all / (row * column)) : 0;
}

/* The goodness of one decision; NaN: this threshold is skipped. */
static double evaluate(enum metric metric, enum zero zero, double all, double tp, double fp,
                       double fn, double tn)
{
    double p = tp + fn, n = fp + tn, tpr = tp / p, fpr = fp / n, tnr = tn / n;
    bool empty_side = tp + fp == 0 || fn + tn == 0;
    double pre = tp / (tp + fp), npv = tn / (tn + fn), value = 0;
    switch (metric) {
    case F:
        return tp + fp == 0 ? 0 : 2 * tp / (2 * tp + fp + fn);
    case OR:
        if (empty_side)
            return NAN;
        if (zero == HALF)
            return (tp + 0.5) * (tn + 0.5) / ((fp + 0.5) * (fn + 0.5));
        if (zero == ONE)
            return tp * tn / (fmax(fp, 1) * fmax(fn, 1));
        if (fp * fn == 0)
            return zero == PAPER || tp * tn == 0 ? (double)NAN : INFINITY;
        return tp * tn / (fp * fn);
    case POW:
        return pow(1 - fpr, 5) - pow(1 - tpr, 5);
    case PR:
        if (empty_side)
            return NAN;
        if (zero == HALF)
            return (tp + 0.5) / (p + 1) / ((fp + 0.5) / (n + 1));
        if (fp > 0)
            return tpr / fpr;
        if (tp == 0)
            return NAN;
        return zero == PAPER ? tpr * all * all : zero == INF ? INFINITY : tpr / (1 / n);
    case GI:
        return empty_side ? (double)NAN : -(2 * pre * (1 - pre) + 2 * npv * (1 - npv));
    case MI:
        value += share_log(tp, tp + fp, p, p + n) + share_log(fp, tp + fp, n, p + n);
        return value + share_log(fn, fn + tn, p, p + n) + share_log(tn, fn + tn, n, p + n);
    case KS:
        return fabs(tpr - fpr);
    case DEV:
        value += tp + fp > 0 ? (tp + fp) * pre * (1 - pre) : 0;
        return -(value + (fn + tn > 0 ? (fn + tn) * npv * (1 - npv) : 0));
    case GM:
        return sqrt(tpr * tnr);
    default:
        return NAN;
    }
}

/* Pairs in the right order, ties half. */
static double mann_whitney(const struct column *c)
{
    double right = 0, pairs = 0;
    for (int i = 0; i < c->count; i++)
        for (int j = 0; j < c->count; j++)
            if (c->positive[i] && !c->positive[j]) {
                right += c->x[i] > c->x[j] ? 1 : c->x[i] == c->x[j] ? 0.5 : 0;
                pairs++;
            }
    return fmax(right / pairs, 1 - right / pairs);
}

/* Each positive instance counts the precision of all that score at least as high. */
static double average_precision(const struct column *c, int sign)
{
    double sum = 0, positives = 0;
    for (int i = 0; i < c->count; i++) {
        double above = 0, right = 0;
        for (int j = 0; j < c->count; j++)
            if (sign * c->x[j] >= sign * c->x[i]) {
                above++;
                right += c->positive[j];
            }
        sum += c->positive[i] ? right / above : 0;
        positives += c->positive[i];
    }
    return sum / positives;
}

static bool is_constant(const struct column *c)
{
    bool values = false, classes = false;
    for (int i = 1; i < c->count; i++) {
        values |= c->x[i] != c->x[0];
        classes |= c->positive[i] != c->positive[0];
    }
    return !values || !classes;
}

static double twin_column(const struct column *c, enum metric metric, enum zero zero)
{
    double best = -INFINITY;
    if (is_constant(c))
        return -INFINITY;
    if (metric == AUC)
        return mann_whitney(c);
    if (metric == PRC)
        return fmax(average_precision(c, 1), average_precision(c, -1));
    for (int rule = 1; rule <= 2; rule++)
        for (int i = 0; i < c->count; i++) {
            double tp, fp, fn, tn;
            decide(c, c->x[i], rule, &tp, &fp, &fn, &tn);
            double value = evaluate(metric, zero, c->all, tp, fp, fn, tn);
            best = value > best ? value : best;
        }
    return best;
}

/* Known values of feature f against one class; value: NaN, or the indicator of a nominal value. */
static void fill(const hs_rank_world *w, uint32_t f, uint32_t label, double value, struct column *c)
{
    c->count = 0;
    c->all = w->rows;
    for (uint32_t i = 0; i < w->rows; i++) {
        if (isnan(w->x[f][i]))
            continue;
        c->x[c->count] = isnan(value) ? w->x[f][i] : w->x[f][i] == value;
        c->positive[c->count++] = w->label[i] == label;
    }
}

static double twin_classes(const hs_rank_world *w, uint32_t f, double value, enum metric metric,
                           enum zero zero)
{
    struct column c;
    bool known = false;
    double sum = 0;
    if (w->classes == 2) {
        fill(w, f, w->data->positive_class, value, &c);
        return twin_column(&c, metric, zero);
    }
    for (uint32_t label = 0; label < w->classes; label++) {
        fill(w, f, label, value, &c);
        known |= c.count > 0;
        double of_class = 0;
        for (int i = 0; i < c.count; i++)
            of_class += c.positive[i];
        if (of_class > 0)
            sum += of_class / c.count * twin_column(&c, metric, zero);
    }
    return known ? sum : -INFINITY;
}

static double twin(const hs_rank_world *w, uint32_t f, enum metric metric, enum zero zero)
{
    double best = -INFINITY;
    if (w->data->types[f] != HSEL_NOMINAL)
        return twin_classes(w, f, NAN, metric, zero);
    for (uint32_t i = 0; i < w->rows; i++)
        if (!isnan(w->x[f][i]))
            best = fmax(best, twin_classes(w, f, w->x[f][i], metric, zero));
    return best;
}

static bool close(double a, double b) { return a == b || fabs(a - b) <= 1e-11 * fmax(1, fabs(b)); }

static void test_twins(void **state)
{
    static const char *const zeros[] = {"paper", "inf", "one", "half"};
    hs_stream stream;
    hs_stream_init(&stream, 1, "rank", 0, 0);
    (void)state;
    for (int round = 0; round < 600; round++) {
        hs_rank_world w;
        double score[RANK_FEATURES];
        hs_rank_world_draw(&stream, HS_RANK_ANY, &w);
        for (int m = 0; m < METRICS; m++) {
            enum zero zero = (enum zero)hs_random_below(&stream, 4);
            char text[32];
            snprintf(text, sizeof text, m == OR || m == PR ? "%s:zero=%s" : "%s", names[m],
                     zeros[zero]);
            hs_rank_world_score(&w, text, score);
            for (uint32_t f = 0; f < w.features; f++) {
                bool in = hs_bit_get(&w.mask, f);
                double expected = in ? twin(&w, f, (enum metric)m, zero) : (double)NAN;
                if (in ? !close(score[f], expected) : !isnan(score[f]))
                    fail_msg("round %d, %s, feature %u of type %d: %.17g, not %.17g", round, text,
                             f, w.data->types[f], score[f], expected);
            }
        }
        hs_rank_world_free(&w);
    }
}

/* ---- what must hold ---- */

/* All at once give what each gives alone, at any number of threads. */
static void test_together(void **state)
{
    static const char *const all[] = {"auc",  "ig",        "or:zero=inf", "relieff", "prc",
                                      "chi2", "relieff-w", "gi",          "su",      "mi"};
    enum { COUNT = sizeof all / sizeof all[0] };
    hs_stream stream;
    hs_stream_init(&stream, 2, "rank", 0, 0);
    (void)state;
    for (int round = 0; round < 60; round++) {
        hs_rank_world w;
        hs_chosen rankers[COUNT] = {{0}};
        double together[COUNT][RANK_FEATURES], *scores[COUNT], alone[RANK_FEATURES];
        hsel_error error = {0};
        hs_rank_world_draw(&stream, HS_RANK_FINITE, &w);
        for (size_t i = 0; i < COUNT; i++) {
            assert_ok(hs_chosen_parse(HS_RANKER, all[i], &rankers[i], &error), error);
            scores[i] = together[i];
        }
        assert_ok(hs_rank_features(&w.training, rankers, COUNT, scores, &error), error);
        w.training.threads = round % 3 ? 1 : 2;
        for (size_t i = 0; i < COUNT; i++) {
            hs_rank_world_score(&w, all[i], alone);
            for (uint32_t f = 0; f < w.features; f++)
                if (hs_bit_get(&w.mask, f) && !(together[i][f] == alone[f]))
                    fail_msg("%s: %.17g together, %.17g alone", all[i], together[i][f], alone[f]);
            hs_chosen_clear(&rankers[i]);
        }
        hs_rank_world_free(&w);
    }
}

/* Of a binary feature AUC = (1 + KS) / 2; PRC = TPR PRE + (1 - TPR) P / N for the better rule. */
static void test_binary_identities(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 3, "rank", 0, 0);
    (void)state;
    for (int round = 0; round < 500; round++) {
        hs_rank_world w;
        double auc[RANK_FEATURES], ks[RANK_FEATURES];
        hs_rank_world_draw(&stream, HS_RANK_BINARY, &w);
        hs_rank_world_score(&w, "auc", auc);
        hs_rank_world_score(&w, "ks", ks);
        for (uint32_t f = 0; f < w.features && w.classes == 2; f++)
            assert_true(!hs_bit_get(&w.mask, f) || close(auc[f], (1 + ks[f]) / 2));
        hs_rank_world_free(&w);
    }
}

/* gi, mi, ks and dev are the same under both rules: a column and its mirror image have the same
 * bits; so have auc, f, or, pow, pr and gm, which take the better rule. */
static void test_mirror(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 4, "rank", 0, 0);
    (void)state;
    for (int round = 0; round < 500; round++) {
        hs_rank_world w;
        double score[RANK_FEATURES], mirrored[RANK_FEATURES];
        hs_rank_world_draw(&stream, HS_RANK_ANY, &w);
        for (int m = 0; m < METRICS; m++) {
            hs_rank_world_score(&w, names[m], score);
            for (uint32_t i = 0; i < w.data->numeric_count; i++)
                for (uint32_t j = 0; j < w.data->numeric[i].count; j++)
                    w.data->numeric[i].values[j] = -w.data->numeric[i].values[j];
            hs_rank_world_score(&w, names[m], mirrored);
            for (uint32_t f = 0; f < w.features; f++)
                if (hs_bit_get(&w.mask, f) &&
                    !(m == PRC ? close(score[f], mirrored[f]) : score[f] == mirrored[f]))
                    fail_msg("%s: %.17g, mirrored %.17g", names[m], score[f], mirrored[f]);
        }
        hs_rank_world_free(&w);
    }
}

/* ---- sorting ---- */

enum { LONGEST = 30000 };
static double sort_value[LONGEST], sort_sorted[LONGEST];
static uint64_t sort_place[LONGEST], sort_spare[LONGEST];
static uint32_t sort_order[LONGEST];

enum list {
    SMOOTH,
    TIES,
    WHOLE,
    LAST_BITS,
    CLOSE,
    EQUAL,
    ASCENDING,
    DESCENDING,
    SIGNS,
    OUTLIER,
    MAGNITUDES,
    SUBNORMAL,
    INFINITE,
    WIDEST,
    POWERS,
    MIXED,
    LISTS
};

static double draw_value(hs_stream *stream, enum list list, uint32_t i)
{
    double u = hs_random_double(stream);
    uint64_t few = hs_random_below(stream, 50);
    switch (list) {
    case TIES:
        return floor(u * 5) - 2;
    case WHOLE:
        return floor(u * 40000) - 1000;
    case LAST_BITS: /* many in each cell, however fine the cells are */
        return ldexp(1 + floor(u * 300) * 0x1p-52, (int)few % 2);
    case CLOSE:
        return 1e6 + u * 1e-6 * (double)few;
    case EQUAL:
        return 7.5;
    case ASCENDING:
        return i / 3;
    case DESCENDING:
        return -1.0 * i;
    case SIGNS:
        return few % 3 == 0 ? 0.0 : few % 3 == 1 ? -0.0 : u - 0.5;
    case OUTLIER:
        return i == 3 ? 1e300 : u;
    case MAGNITUDES:
        return (few % 2 ? -1 : 1) * pow(10, 600 * u - 300);
    case SUBNORMAL:
        return (double)few * 0x1p-1074;
    case INFINITE:
        return few == 0 ? INFINITY : few == 1 ? -INFINITY : u;
    case WIDEST:
        return few == 0 ? DBL_MAX : few == 1 ? -DBL_MAX : (u - 0.5) * 1e307;
    case POWERS: /* half of what is left in each step */
        return ldexp(1, -(int)(i % 1074));
    case MIXED:
        return draw_value(stream, (enum list)(few % MIXED), i);
    default:
        return 3 * u - 1;
    }
}

static int compare_places(const void *a, const void *b)
{
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    double x = sort_value[i], y = sort_value[j];
    return x != y ? (x > y) - (x < y) : (i > j) - (i < j);
}

static void check_sort(hs_stream *stream, enum list list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        sort_value[i] = draw_value(stream, list, i);
        sort_order[i] = i;
    }
    qsort(sort_order, count, sizeof sort_order[0], compare_places);
    hs_sort_values(sort_value, count, sort_sorted, sort_place, sort_spare);
    for (uint32_t i = 0; i < count; i++)
        if ((uint32_t)sort_place[i] != sort_order[i] ||
            !(sort_sorted[i] == sort_value[sort_order[i]]))
            fail_msg("list %d of %u: rank %u has place %u, not %u", (int)list, count, i,
                     (uint32_t)sort_place[i], sort_order[i]);
}

static void test_sort(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 5, "rank", 0, 0);
    (void)state;
    for (int list = 0; list < LISTS; list++) {
        for (uint32_t count = 0; count < 140; count++)
            check_sort(&stream, (enum list)list, count);
        for (int round = 0; round < 30; round++)
            check_sort(&stream, (enum list)list, (uint32_t)hs_random_below(&stream, 5000));
        check_sort(&stream, (enum list)list, LONGEST);
    }
}

static void test_order(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 6, "rank", 0, 0);
    (void)state;
    for (int round = 0; round < 1000; round++) {
        double score[64];
        uint32_t order[64], count = (uint32_t)hs_random_below(&stream, 64), expected = 0;
        uint64_t mask =
            (uint64_t)hs_random_below(&stream, 1u << 31) << 32 | hs_random_below(&stream, 1u << 31);
        for (uint32_t i = 0; i < count; i++) {
            uint64_t what = hs_random_below(&stream, 12);
            score[i] = what == 0   ? (double)NAN
                       : what == 1 ? -INFINITY
                       : what == 2 ? INFINITY
                                   : (double)(what / 3);
            expected += round % 2 || hs_bit_get(&mask, i);
        }
        assert_int_equal(hs_rank_order(score, count, round % 2 ? NULL : &mask, order), expected);
        for (uint32_t i = 1; i < expected; i++) {
            double a = score[order[i - 1]], b = score[order[i]];
            bool tie = a == b || (isnan(a) && isnan(b));
            assert_true(tie ? order[i - 1] < order[i] : isnan(b) || a > b);
        }
    }
}

/* ---- names and errors ---- */

static void test_names(void **state)
{
    static const struct {
        const char *text, *canonical;
    } good[] = {{"auc", "auc"},
                {"or:zero=inf", "or:zero=inf"},
                {"or(zero=inf)", "or:zero=inf"},
                {"pr(zero=paper)", "pr"},
                {"ig", "ig"},
                {"r(smoothing=rpv)", "r:smoothing=rpv"},
                {"relieff-w(k=3,sigma=4)", "relieff-w:k=3,sigma=4"}};
    static const struct {
        const char *text, *message;
    } bad[] = {{"aux", "there is no ranker 'aux'; did you mean 'auc'?"},
               {"quite-another", "there is no ranker 'quite-another'; there are: "},
               {"", "there is no ranker ''"},
               {"(", "there is no ranker '('"},
               {"auc()x", "there is no ranker 'auc()x'"},
               {"or(zero=no)", "option zero takes paper|inf|one|half, not 'no'"},
               {"auc:zero=inf", "auc has no option 'zero'"}};
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        hsel_error error = {0};
        hs_chosen chosen = {0};
        assert_ok(hs_chosen_parse(HS_RANKER, good[i].text, &chosen, &error), error);
        assert_string_equal(chosen.text, good[i].canonical);
        hs_chosen_clear(&chosen);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        hsel_error error = {0};
        hs_chosen chosen = {0};
        assert_int_equal(hs_chosen_parse(HS_RANKER, bad[i].text, &chosen, &error), HSEL_EUSAGE);
        if (strncmp(error.message, bad[i].message, strlen(bad[i].message)) != 0)
            fail_msg("%s: %s", bad[i].text, error.message);
    }
}

static void test_refused(void **state)
{
    hs_stream stream;
    hs_rank_world w;
    hsel_error error = {0};
    hs_chosen ranker = {0};
    double score[RANK_FEATURES], *scores = score;
    hs_stream_init(&stream, 7, "rank", 0, 0);
    (void)state;
    do {
        hs_rank_world_draw(&stream, HS_RANK_ANY, &w);
        if (w.data->types[0] == HSEL_NUMERIC)
            break;
        hs_rank_world_free(&w);
    } while (true);
    assert_ok(hs_chosen_parse(HS_RANKER, "r", &ranker, &error), error);
    assert_int_equal(hs_rank_features(&w.training, &ranker, 1, &scores, &error), HSEL_EUNSUPPORTED);
    assert_non_null(strstr(error.message, "r needs binary features, but feature f0 of "));
    assert_non_null(strstr(error.message, " is numeric"));
    hs_chosen_clear(&ranker);
    hs_rank_world_free(&w);
}

/* The paper's sign is turned back; features that are last have no value. */
static void test_values(void **state)
{
    hsel_error error = {0};
    hs_chosen gi = {0}, auc = {0}, ig = {0};
    (void)state;
    assert_ok(hs_chosen_parse(HS_RANKER, "gi", &gi, &error), error);
    assert_ok(hs_chosen_parse(HS_RANKER, "auc", &auc, &error), error);
    assert_ok(hs_chosen_parse(HS_RANKER, "ig", &ig, &error), error);
    assert_true(hs_ranker_value(gi.method, -0.25) == 0.25);
    assert_false(signbit(hs_ranker_value(gi.method, 0.0)));
    assert_true(hs_ranker_value(auc.method, 0.75) == 0.75);
    assert_true(isnan(hs_ranker_value(auc.method, -INFINITY)));
    assert_true(hs_ranker_value(ig.method, 0) == 0);
    hs_chosen_clear(&gi);
    hs_chosen_clear(&auc);
    hs_chosen_clear(&ig);
}

/* ---- memory ---- */

struct ranking {
    hs_rank_world world;
    const char *text;
};

static int rank_in_memory(void *context, hsel_error *error)
{
    struct ranking *r = context;
    double score[RANK_FEATURES], *scores = score;
    hs_chosen ranker = {0};
    int status = hs_chosen_parse(HS_RANKER, r->text, &ranker, error);
    if (status == HSEL_OK)
        status = hs_rank_features(&r->world.training, &ranker, 1, &scores, error);
    hs_chosen_clear(&ranker);
    return status;
}

static void test_out_of_memory(void **state)
{
    static const char *const texts[] = {"auc", "or(zero=half)", "ig", "relieff", "relieff-w", "r"};
    hs_stream stream;
    hs_stream_init(&stream, 8, "rank", 0, 0);
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        for (int round = 0; round < 4; round++) {
            struct ranking r = {.text = texts[i]};
            bool binary = i == 5 || round == 3;
            hs_rank_world_draw(&stream, binary ? HS_RANK_BINARY : HS_RANK_ANY, &r.world);
            assert_true(hs_oom_each(texts[i], rank_in_memory, &r) > 0);
            hs_rank_world_free(&r.world);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sort),   cmocka_unit_test(test_order),
        cmocka_unit_test(test_twins),  cmocka_unit_test(test_together),
        cmocka_unit_test(test_mirror), cmocka_unit_test(test_binary_identities),
        cmocka_unit_test(test_names),  cmocka_unit_test(test_refused),
        cmocka_unit_test(test_values), cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Eager selectors that do not follow paths (sig, sc, cfs, relieff), each against a slow twin that
 * does what the definition says, step by step and from scratch: for cfs and relieff what WEKA does,
 * down to the bits, with one thread and with two (hs_parallel_for). What WEKA itself gives is in
 * test_weka.c.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/builder.h"
#include "stats/kendall.h"
#include "support/cmocka.h"
#include "support/eager_world.h"
#include "support/threads.h"

#define ROUNDS 6000

HS_TEST_USES_THREADS

static uint32_t draw(hs_stream *stream, uint32_t below)
{
    return (uint32_t)hs_random_below(stream, below);
}

static void expect_kept(const hs_world *w, const char *selector, const bool *expected,
                        const bool *found)
{
    for (uint32_t c = 0; c < w->candidates; c++)
        if (expected[c] != found[c])
            fail_msg("%s, %u rows, %u candidates, %u classes: candidate %u is %s", selector,
                     w->rows, w->candidates, w->classes, c,
                     found[c] ? "kept and should not be" : "not kept and should be");
}

/* ---- sig ---- */

static double entropy(const uint32_t *count, uint32_t classes)
{
    double total = 0, sum = 0;
    for (uint32_t k = 0; k < classes; k++)
        total += count[k];
    for (uint32_t k = 0; k < classes; k++)
        sum -= count[k] ? count[k] / total * log2(count[k] / total) : 0;
    return sum;
}

static double slow_gain(const hs_world *w, uint32_t c)
{
    uint32_t all[3] = {0}, part[2][3] = {{0}}, size[2] = {0};
    for (uint32_t i = 0; i < w->rows; i++) {
        all[w->label[i]]++;
        part[w->x[i][c]][w->label[i]]++;
        size[w->x[i][c]]++;
    }
    double gain = entropy(all, w->classes);
    for (int v = 0; v < 2; v++)
        gain -= size[v] ? (double)size[v] / w->rows * entropy(part[v], w->classes) : 0;
    return gain;
}

static void slow_normalise(double *weight, uint32_t count)
{
    double least = weight[0], most = weight[0];
    for (uint32_t c = 1; c < count; c++) {
        least = weight[c] < least ? weight[c] : least;
        most = weight[c] > most ? weight[c] : most;
    }
    for (uint32_t c = 0; c < count; c++)
        weight[c] = most - least > 1e-12 ? (weight[c] - least) / (most - least) : 1;
}

static void test_sig(void **state)
{
    (void)state;
    hs_stream stream;
    hs_world w;
    hs_stream_init(&stream, 1, "sig", 0, 0);
    for (int round = 0; round < ROUNDS; round++) {
        bool keep[WORLD_FEATURES], expected[WORLD_FEATURES];
        double score[WORLD_FEATURES], gain[WORLD_FEATURES], threshold = draw(&stream, 20) / 37.0;
        char text[80];
        hs_world_draw(&stream, false, &w);
        hs_world_drop_unlabelled(&w);
        bool normalize = draw(&stream, 2) && w.candidates;
        for (uint32_t c = 0; c < w.candidates; c++)
            gain[c] = slow_gain(&w, c);
        if (normalize)
            slow_normalise(gain, w.candidates);
        snprintf(text, sizeof text, "sig:threshold=%.17g,normalize=%d", threshold, normalize);
        hs_world_select(&w, text, keep, score);
        for (uint32_t c = 0; c < w.candidates; c++) {
            if (fabs(score[c] - gain[c]) > 1e-12)
                fail_msg("%s: score %.17g, should be %.17g", text, score[c], gain[c]);
            expected[c] =
                fabs(gain[c] - threshold) < 1e-12 ? score[c] >= threshold : gain[c] >= threshold;
        }
        expect_kept(&w, text, expected, keep);
        if (w.candidates) { /* at the threshold is enough */
            uint32_t c = draw(&stream, w.candidates);
            snprintf(text, sizeof text, "sig:threshold=%.17g,normalize=%d", score[c], normalize);
            hs_world_select(&w, text, keep, NULL);
            assert_true(keep[c]);
        }
        hs_world_free(&w);
    }
}

/* ---- sc ---- */

/* |correlation| > eighths / 8, in whole numbers. */
static bool is_correlated(const hs_world *w, uint32_t a, uint32_t b, int64_t eighths)
{
    int64_t n[2][2] = {{0}};
    for (uint32_t i = 0; i < w->rows; i++)
        n[w->x[i][a]][w->x[i][b]]++;
    int64_t difference = n[1][1] * n[0][0] - n[1][0] * n[0][1];
    int64_t product =
        (n[1][1] + n[1][0]) * (n[0][1] + n[0][0]) * (n[1][1] + n[0][1]) * (n[1][0] + n[0][0]);
    return 64 * difference * difference > eighths * eighths * product;
}

static bool is_constant(const hs_world *w, uint32_t c)
{
    uint32_t ones = 0;
    for (uint32_t i = 0; i < w->rows; i++)
        ones += w->x[i][c];
    return ones == 0 || ones == w->rows;
}

static void test_sc(void **state)
{
    (void)state;
    hs_stream stream;
    hs_world w;
    hs_stream_init(&stream, 1, "sc", 0, 0);
    for (int round = 0; round < ROUNDS; round++) {
        bool keep[WORLD_FEATURES], expected[WORLD_FEATURES];
        uint32_t eighths = draw(&stream, 9);
        char text[80];
        hs_world_draw(&stream, false, &w);
        for (uint32_t b = 0; b < w.candidates; b++) {
            expected[b] = !is_constant(&w, b);
            for (uint32_t a = 0; a < b && expected[b]; a++)
                expected[b] = !expected[a] || !is_correlated(&w, a, b, eighths);
        }
        snprintf(text, sizeof text, "sc:threshold=%.17g", eighths / 8.0);
        hs_world_select(&w, text, keep, NULL);
        expect_kept(&w, text, expected, keep);
        hs_world_free(&w);
    }
}

/* ---- cfs: WEKA's CfsSubsetEval and BestFirst as they are described ---- */

typedef struct cfs_twin {
    const hs_world *w;
    float with_class[WORLD_FEATURES], with[WORLD_FEATURES][WORLD_FEATURES];
} cfs_twin;

static double n_log_n(double n) { return n < 1e-6 ? 0 : n * log(n); }

/* Of a table with two rows. */
static double slow_uncertainty(double table[2][3], int columns)
{
    double column_entropy = 0, row_entropy = 0, conditional = 0, total = 0;
    for (int j = 0; j < columns; j++) {
        column_entropy += n_log_n(table[0][j] + table[1][j]);
        total += table[0][j] + table[1][j];
    }
    column_entropy -= n_log_n(total);
    for (int i = 0; i < 2; i++) {
        double sum = 0;
        for (int j = 0; j < columns; j++) {
            sum += table[i][j];
            conditional += n_log_n(table[i][j]);
        }
        row_entropy += n_log_n(sum);
    }
    conditional -= row_entropy;
    row_entropy -= n_log_n(total);
    if (fabs(column_entropy) < 1e-6 || fabs(row_entropy) < 1e-6)
        return 0;
    return 2 * ((column_entropy - conditional) / (column_entropy + row_entropy));
}

static void correlate(cfs_twin *t)
{
    const hs_world *w = t->w;
    for (uint32_t a = 0; a < w->candidates; a++) {
        double table[2][3] = {{0}};
        for (uint32_t i = 0; i < w->rows; i++)
            table[w->x[i][a]][w->label[i]]++;
        double value = slow_uncertainty(table, (int)w->classes);
        t->with_class[a] = fabs(value) < 1e-6 ? 0.0f : (float)value;
        for (uint32_t b = 0; b < a; b++) {
            double pairs[2][3] = {{0}};
            for (uint32_t i = 0; i < w->rows; i++)
                pairs[w->x[i][a]][w->x[i][b]]++;
            value = slow_uncertainty(pairs, 2);
            t->with[a][b] = t->with[b][a] = fabs(value) < 1e-6 ? 1.0f : (float)value;
        }
    }
}

static double slow_merit(const cfs_twin *t, const bool *set)
{
    double relevance = 0, redundancy = 0;
    for (uint32_t i = 0; i < t->w->candidates; i++)
        relevance += set[i] ? t->with_class[i] : 0.0;
    for (uint32_t i = 0; i < t->w->candidates; i++) {
        redundancy += set[i];
        for (uint32_t j = 0; j < i && set[i]; j++)
            redundancy += set[j] ? 2.0 * t->with[i][j] : 0;
    }
    return redundancy == 0 ? 0 : relevance / sqrt(redundancy);
}

typedef struct cfs_entry {
    double merit;
    bool set[WORLD_FEATURES];
} cfs_entry;

typedef struct cfs_list {
    cfs_entry entry[9];
    uint32_t size, limit;
} cfs_list;

static void add_to_list(cfs_list *list, const bool *set, double merit)
{
    uint32_t at = 0, size = list->size;
    if (size > 0 && size == list->limit && merit <= list->entry[--size].merit)
        return;
    while (at < size && merit <= list->entry[at].merit)
        at++;
    for (uint32_t i = size; i > at; i--)
        list->entry[i] = list->entry[i - 1];
    list->entry[at].merit = merit;
    memcpy(list->entry[at].set, set, sizeof list->entry[at].set);
    list->size = size + 1;
}

static void slow_search(const cfs_twin *t, uint32_t termination, bool *best)
{
    cfs_list list = {.limit = termination};
    double best_merit = slow_merit(t, best);
    uint32_t stale = 0;
    add_to_list(&list, best, best_merit);
    while (stale < termination && list.size > 0) {
        bool improved = false;
        cfs_entry head = list.entry[0];
        list.size--;
        for (uint32_t i = 0; i < list.size; i++)
            list.entry[i] = list.entry[i + 1];
        for (uint32_t c = 0; c < t->w->candidates; c++) {
            if (head.set[c])
                continue;
            head.set[c] = true;
            double merit = slow_merit(t, head.set);
            add_to_list(&list, head.set, merit);
            if (merit - best_merit > 0.00001) {
                improved = true;
                best_merit = merit;
                memcpy(best, head.set, sizeof head.set);
            }
            head.set[c] = false;
        }
        stale = improved ? 0 : stale + 1;
    }
}

static void slow_local(const cfs_twin *t, bool *best)
{
    bool tried[WORLD_FEATURES];
    memcpy(tried, best, sizeof tried);
    for (;;) {
        double highest = -1;
        uint32_t next = 0;
        for (uint32_t c = 0; c < t->w->candidates; c++)
            if (!tried[c] && t->with_class[c] > highest) {
                highest = t->with_class[c];
                next = c;
            }
        if (highest < 0)
            return;
        bool fits = true;
        tried[next] = true;
        for (uint32_t c = 0; c < t->w->candidates; c++)
            fits &= !best[c] || !(t->with[c][next] > highest);
        best[next] |= fits;
    }
}

static void test_cfs(void **state)
{
    (void)state;
    hs_stream stream;
    hs_world w;
    uint32_t several = 0;
    hs_stream_init(&stream, 1, "cfs", 0, 0);
    for (int round = 0; round < ROUNDS; round++) {
        bool keep[WORLD_FEATURES], expected[WORLD_FEATURES] = {0};
        double score[WORLD_FEATURES];
        uint32_t termination = draw(&stream, 2) ? 5 : 1 + draw(&stream, 7);
        bool local = draw(&stream, 2);
        char text[80];
        hs_world_draw(&stream, false, &w);
        hs_world_drop_unlabelled(&w);
        cfs_twin twin = {.w = &w};
        correlate(&twin);
        slow_search(&twin, termination, expected);
        if (local)
            slow_local(&twin, expected);
        snprintf(text, sizeof text, "cfs:termination=%u,locally-predictive=%d,lookup=%u",
                 termination, local, draw(&stream, 3));
        hs_world_select(&w, text, keep, score);
        expect_kept(&w, text, expected, keep);
        uint32_t kept = 0;
        for (uint32_t c = 0; c < w.candidates; c++) {
            kept += keep[c];
            assert_true(score[c] == twin.with_class[c]);
        }
        several += kept > 2;
        hs_world_free(&w);
    }
    assert_true(several > ROUNDS / 10); /* the cases are not all trivial */
}

/* 40000 instances; the second feature has one error less than the first and is the same otherwise.
 */
static hsel_dataset *nearly_equal(void)
{
    hsel_error error = {0};
    hs_builder *builder = NULL;
    hsel_dataset *data = NULL;
    uint32_t first, second, no, yes;
    assert_ok(hs_builder_new(&builder, &error), error);
    assert_ok(hs_builder_feature(builder, "a", 1, HSEL_BINARY, &first, &error), error);
    assert_ok(hs_builder_feature(builder, "b", 1, HSEL_BINARY, &second, &error), error);
    assert_ok(hs_builder_class(builder, "no", 2, &no, &error), error);
    assert_ok(hs_builder_class(builder, "yes", 3, &yes, &error), error);
    for (uint32_t i = 0; i < 40000; i++) {
        bool label = i % 2, wrong = i < 18000;
        assert_ok(hs_builder_row(builder, NULL, 0, label ? yes : no, &error), error);
        if (label != wrong)
            assert_ok(hs_builder_positive(builder, first, &error), error);
        if (label != (wrong && i != 5))
            assert_ok(hs_builder_positive(builder, second, &error), error);
    }
    assert_ok(hs_builder_finish(builder, &data, &error), error);
    hs_builder_free(builder);
    return data;
}

/* The second feature, and both together, are better by less than 1e-5: not enough. */
static void test_cfs_margin(void **state)
{
    (void)state;
    hsel_error error = {0};
    bool keep[2];
    double score[2];
    hs_world w = {.data = nearly_equal(), .mask = 3, .candidates = 2, .feature = {0, 1}};
    w.training = (hs_training){.view = hs_view_all(w.data), .counts = &w.counts, .threads = 1};
    assert_ok(hs_counts_of(&w.training.view, &w.counts, &error), error);
    hs_world_select(&w, "cfs", keep, score);
    assert_true(score[1] - score[0] > 0 && score[1] - score[0] < 1e-5);
    assert_true(keep[0]);
    assert_false(keep[1]);
    hs_world_free(&w);
}

/* ---- relieff: WEKA's ReliefFAttributeEval as it is described ---- */

static void slow_quick_sort(const double *key, uint32_t *index, int left, int right);

static void slow_swap(uint32_t *index, int a, int b)
{
    uint32_t held = index[a];
    index[a] = index[b];
    index[b] = held;
}

static void swap_if_greater(const double *key, uint32_t *index, int a, int b)
{
    if (key[index[a]] > key[index[b]])
        slow_swap(index, a, b);
}

static void slow_quick_sort(const double *key, uint32_t *index, int left, int right)
{
    if (right - left <= 0)
        return;
    if (right - left == 1) {
        swap_if_greater(key, index, left, right);
        return;
    }
    if (right - left == 2) {
        swap_if_greater(key, index, left, left + 1);
        swap_if_greater(key, index, left, right);
        swap_if_greater(key, index, left + 1, right);
        return;
    }
    int centre = (left + right) / 2, l = left, r = right - 1;
    swap_if_greater(key, index, left, centre);
    swap_if_greater(key, index, left, right);
    swap_if_greater(key, index, centre, right);
    slow_swap(index, centre, right - 1);
    double pivot = key[index[right - 1]];
    for (;;) {
        do
            l++;
        while (key[index[l]] < pivot);
        do
            r--;
        while (key[index[r]] > pivot);
        if (l >= r)
            break;
        slow_swap(index, l, r);
    }
    slow_swap(index, l, right - 1);
    slow_quick_sort(key, index, left, l - 1);
    slow_quick_sort(key, index, l + 1, right);
}

static void test_weka_sort(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "sort", 0, 0);
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t key[300], index[300], expected[300], count = draw(&stream, round % 10 ? 20 : 300);
        uint32_t different = 1 + draw(&stream, round % 3 ? 5 : 400);
        double as_double[300];
        for (uint32_t i = 0; i < count; i++) {
            as_double[i] = key[i] = draw(&stream, different);
            expected[i] = i;
        }
        slow_quick_sort(as_double, expected, 0, (int)count - 1);
        hs_weka_sort(as_double, count, index);
        for (uint32_t i = 0; i < count; i++) {
            assert_int_equal(index[i], expected[i]);
            assert_true(i == 0 || key[index[i - 1]] <= key[index[i]]);
        }
    }
}

typedef struct relief_twin {
    const hs_world *w;
    uint32_t k, sigma;
    bool by_distance;
    double stored_distance[3][WORLD_ROWS];
    uint32_t stored_row[3][WORLD_ROWS], stored[3], worst[3];
    double share[3];
    double weight[WORLD_FEATURES];
} relief_twin;

static void find_worst(relief_twin *t, uint32_t class)
{
    double greatest = -1;
    for (uint32_t j = 0; j < t->stored[class]; j++)
        if (t->stored_distance[class][j] > greatest) {
            greatest = t->stored_distance[class][j];
            t->worst[class] = j;
        }
}

static void slow_neighbours(relief_twin *t, uint32_t own)
{
    const hs_world *w = t->w;
    memset(t->stored, 0, sizeof t->stored);
    for (uint32_t i = 0; i < w->rows; i++) {
        double distance = 0;
        uint32_t class = w->label[i];
        for (uint32_t c = 0; c < w->candidates; c++)
            distance += w->x[i][c] != w->x[own][c];
        if (i == own)
            continue;
        if (t->stored[class] < t->k) {
            t->stored_distance[class][t->stored[class]] = distance;
            t->stored_row[class][t->stored[class]++] = i;
            find_worst(t, class);
        } else if (distance < t->stored_distance[class][t->worst[class]]) {
            t->stored_distance[class][t->worst[class]] = distance;
            t->stored_row[class][t->worst[class]] = i;
            find_worst(t, class);
        }
    }
}

static double rank_weight(const relief_twin *t, uint32_t rank)
{
    double sigma = t->sigma;
    return exp(-((rank / sigma) * (rank / sigma)));
}

/* Adds `sign` times the differences to the neighbours of one class. */
static void slow_update(relief_twin *t, uint32_t own, uint32_t class, double sign, double factor)
{
    uint32_t order[WORLD_ROWS];
    double sum = 0;
    for (uint32_t j = 0; j < t->stored[class]; j++) {
        order[j] = j;
        sum += rank_weight(t, j);
    }
    if (t->by_distance)
        slow_quick_sort(t->stored_distance[class], order, 0, (int)t->stored[class] - 1);
    for (uint32_t j = 0; j < t->stored[class]; j++) {
        const bool *near = t->w->x[t->stored_row[class][order[j]]];
        for (uint32_t c = 0; c < t->w->candidates; c++) {
            double difference = near[c] != t->w->x[own][c];
            if (t->by_distance)
                difference *= rank_weight(t, j) / sum;
            else
                difference /= t->stored[class];
            t->weight[c] += sign * (factor * difference);
        }
    }
}

static void slow_relief(relief_twin *t)
{
    const hs_world *w = t->w;
    double share[3] = {0};
    for (uint32_t i = 0; i < w->rows; i++)
        share[w->label[i]]++;
    for (int k = 0; k < 3; k++)
        share[k] /= w->rows;
    for (uint32_t own = 0; own < w->rows; own++) {
        slow_neighbours(t, own);
        slow_update(t, own, w->label[own], -1, 1);
        for (uint32_t k = 0; k < w->classes; k++)
            if (k != w->label[own])
                slow_update(t, own, k, 1,
                            w->classes > 2 ? share[k] / (1 - share[w->label[own]]) : 1);
    }
    for (uint32_t c = 0; c < w->candidates && w->rows; c++)
        t->weight[c] *= 1.0 / w->rows;
}

static void test_relieff(void **state)
{
    (void)state;
    hs_stream stream;
    hs_world w;
    hs_stream_init(&stream, 1, "relieff", 0, 0);
    for (int round = 0; round < ROUNDS; round++) {
        bool keep[WORLD_FEATURES], expected[WORLD_FEATURES];
        double score[WORLD_FEATURES], threshold = (draw(&stream, 9) - 3.0) / 16;
        char text[120];
        hs_world_draw(&stream, false, &w);
        hs_world_drop_unlabelled(&w);
        relief_twin twin = {.w = &w,
                            .k = draw(&stream, 2) ? 10 : 1 + draw(&stream, 12),
                            .sigma = 1 + draw(&stream, 4),
                            .by_distance = draw(&stream, 2)};
        slow_relief(&twin);
        if (w.candidates && draw(&stream, 4) == 0) /* at the threshold is not enough */
            threshold = twin.weight[draw(&stream, w.candidates)];
        snprintf(text, sizeof text, "relieff:k=%u,sigma=%u,weight=%d,threshold=%.17g", twin.k,
                 twin.sigma, twin.by_distance, threshold);
        hs_world_select(&w, text, keep, score);
        for (uint32_t c = 0; c < w.candidates; c++) {
            expected[c] = twin.weight[c] > threshold;
            if (!(score[c] == twin.weight[c]))
                fail_msg("%s: weight %.17g, should be %.17g", text, score[c], twin.weight[c]);
        }
        expect_kept(&w, text, expected, keep);
        hs_world_free(&w);
    }
}

/* ---- memory ---- */

static void test_memory(void **state)
{
    (void)state;
    hs_stream stream;
    hs_world w;
    hs_stream_init(&stream, 1, "memory", 0, 0);
    for (int round = 0; round < 4; round++) {
        hs_world_draw(&stream, false, &w);
        hs_world_oom(&w, "sig:normalize");
        hs_world_oom(&w, "sc");
        hs_world_oom(&w, "cfs");
        hs_world_oom(&w, "cfs:termination=1");
        hs_world_oom(&w, "relieff:k=2");
        hs_world_oom(&w, "relieff:weight");
        hs_world_free(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sig),       cmocka_unit_test(test_sc),
        cmocka_unit_test(test_cfs),       cmocka_unit_test(test_cfs_margin),
        cmocka_unit_test(test_weka_sort), cmocka_unit_test(test_relieff),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests_name("filters", tests, NULL, NULL);
}

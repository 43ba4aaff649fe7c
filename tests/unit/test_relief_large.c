/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ReliefF on more instances than a tile of distances has, against a slow twin; small training parts
 * of every kind are in test_rank_filters.c. Values have ties, so that the order in which neighbours
 * are offered counts.
 */
#include <math.h>
#include <stdio.h>

#include "core/random.h"
#include "data/builder.h"
#include "rank/rank.h"
#include "support/cmocka.h"
#include "support/threads.h"

HS_TEST_USES_THREADS

enum { ROWS = 700, FEATURES = 19, CLASSES = 3 };

struct world {
    double x[ROWS][FEATURES];
    uint32_t label[ROWS];
    hsel_dataset *data;
    hs_counts counts;
    double distance[ROWS][ROWS];
};

static int set_up(void **state)
{
    static struct world w;
    hs_stream stream;
    hsel_error error = {0};
    hs_builder *builder = NULL;
    uint32_t id;
    hs_stream_init(&stream, 5, "relief", 0, 0);
    assert_ok(hs_builder_new(&builder, &error), error);
    for (uint32_t f = 0; f < FEATURES; f++) {
        char name[2] = {(char)('a' + f), '\0'};
        assert_ok(hs_builder_feature(builder, name, 1, HSEL_NUMERIC, &id, &error), error);
    }
    for (uint32_t c = 0; c < CLASSES; c++)
        assert_ok(hs_builder_class(builder, &"xyz"[c], 1, &id, &error), error);
    for (uint32_t i = 0; i < ROWS; i++) {
        w.label[i] = i < CLASSES ? i : (uint32_t)hs_random_below(&stream, CLASSES);
        assert_ok(hs_builder_row(builder, NULL, 0, w.label[i], &error), error);
        for (uint32_t f = 0; f < FEATURES; f++) { /* quarters from 0 to 1: sums are exact */
            w.x[i][f] = i < 2 ? i : (double)hs_random_below(&stream, 5 - f % 3) / 4;
            assert_ok(hs_builder_numeric(builder, f, w.x[i][f], &error), error);
        }
    }
    assert_ok(hs_builder_finish(builder, &w.data, &error), error);
    hs_builder_free(builder);
    hs_view all = hs_view_all(w.data);
    assert_ok(hs_counts_of(&all, &w.counts, &error), error);
    for (uint32_t i = 0; i < ROWS; i++)
        for (uint32_t j = 0; j < ROWS; j++)
            for (uint32_t f = 0; f < FEATURES; f++)
                w.distance[i][j] += fabs(w.x[i][f] - w.x[j][f]);
    *state = &w;
    return 0;
}

static int tear_down(void **state)
{
    struct world *w = *state;
    hs_counts_clear(&w->counts);
    hsel_dataset_free(w->data);
    return 0;
}

/* ---- the twin ---- */

static uint32_t nearest(const struct world *w, uint32_t i, uint32_t label, uint32_t k,
                        uint32_t *who)
{
    uint32_t stored = 0;
    for (uint32_t j = 0; j < ROWS; j++) {
        uint32_t worst = 0;
        if (j == i || w->label[j] != label)
            continue;
        if (stored < k) {
            who[stored++] = j;
            continue;
        }
        for (uint32_t s = 1; s < stored; s++)
            worst = w->distance[i][who[s]] > w->distance[i][who[worst]] ? s : worst;
        if (w->distance[i][j] < w->distance[i][who[worst]])
            who[worst] = j;
    }
    return stored;
}

static void twin(const struct world *w, uint32_t k, double *weight)
{
    uint32_t who[ROWS];
    for (uint32_t i = 0; i < ROWS; i++)
        for (uint32_t c = 0; c < CLASSES; c++) {
            uint32_t stored = nearest(w, i, c, k, who);
            double own = (double)w->counts.class_size[w->label[i]] / ROWS;
            double share = (double)w->counts.class_size[c] / ROWS / (1 - own);
            for (uint32_t s = 0; s < stored; s++)
                for (uint32_t f = 0; f < FEATURES; f++)
                    weight[f] += (c == w->label[i] ? -1 : share) / stored / ROWS *
                                 fabs(w->x[i][f] - w->x[who[s]][f]);
        }
}

static void check(const struct world *w, uint32_t k, int threads)
{
    double expected[FEATURES] = {0}, score[FEATURES], *scores = score;
    hsel_error error = {0};
    hs_chosen ranker = {0};
    char text[32];
    hs_training training = {
        .view = hs_view_all(w->data), .counts = &w->counts, .seed = 1, .threads = threads};
    snprintf(text, sizeof text, "relieff:k=%u", k);
    assert_ok(hs_chosen_parse(HS_RANKER, text, &ranker, &error), error);
    assert_ok(hs_rank_features(&training, &ranker, 1, &scores, &error), error);
    hs_chosen_clear(&ranker);
    twin(w, k, expected);
    for (uint32_t f = 0; f < FEATURES; f++)
        if (!(fabs(score[f] - expected[f]) < 1e-12))
            fail_msg("k %u, %d threads, feature %u: %.17g, not %.17g", k, threads, f, score[f],
                     expected[f]);
}

static void test_few_neighbours(void **state)
{
    check(*state, 1, 1);
    check(*state, 7, 1);
    check(*state, 7, 3);
}

/* So many that pairs go by several batches. */
static void test_many_neighbours(void **state)
{
    check(*state, 150, 1);
    check(*state, 1000, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_few_neighbours),
                                       cmocka_unit_test(test_many_neighbours)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

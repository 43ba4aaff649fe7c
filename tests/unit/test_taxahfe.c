/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Corrected impurity importance against forests that are grown cell by cell; taxahfe against a walk
 * over the tree, node by node after its children, as the paper's program goes; level against trying
 * every level.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "classify/corrected.h"
#include "core/mem.h"
#include "core/method.h"
#include "core/wide.h"
#include "data/builder.h"
#include "search/objective.h"
#include "select/eager.h"
#include "support/cmocka.h"
#include "support/eager_world.h"
#include "support/oom.h"
#include "support/random_data.h"
#include "support/threads.h"

#define ROWS     30
#define FEATURES 9

HS_TEST_USES_THREADS

struct world {
    hsel_dataset *data;
    uint32_t rows, features, classes;
    double x[ROWS][FEATURES];
    uint32_t label[ROWS], parent[FEATURES]; /* HSEL_NONE: a root */
    uint32_t covariate; /* a feature outside of the hierarchy, in every forest; HSEL_NONE: none */
    uint64_t mask;
    hs_counts counts;
    hs_training training;
};

static uint32_t below(hs_stream *stream, uint32_t n)
{
    return (uint32_t)hs_random_below(stream, n);
}

/* A tree of numbers in which a node is about the sum of what is below it; few values, many zeros.
 */
static void draw(struct world *w, hs_stream *stream, uint32_t classes)
{
    HS_OWNS(hs_builder_release) hs_builder *builder = NULL;
    hsel_error error = {0};
    uint32_t id, child[FEATURES], parent[FEATURES], edges = 0;
    *w = (struct world){.rows = 4 + below(stream, ROWS - 3),
                        .features = 2 + below(stream, FEATURES - 1),
                        .classes = classes};
    assert_ok(hs_builder_new(&builder, &error), error);
    for (uint32_t f = 0; f < w->features; f++) {
        w->parent[f] = f && below(stream, 6) ? below(stream, f) : HSEL_NONE;
        if (w->parent[f] != HSEL_NONE) {
            child[edges] = f;
            parent[edges++] = w->parent[f];
        }
        assert_ok(hs_builder_feature(builder, &"abcdefghi"[f], 1, HSEL_NUMERIC, &id, &error),
                  error);
    }
    for (uint32_t c = 0; c < classes; c++)
        assert_ok(hs_builder_class(builder, &"xyz"[c], 1, &id, &error), error);
    for (uint32_t i = 0; i < w->rows; i++) {
        w->label[i] = i < classes ? i : below(stream, classes);
        assert_ok(hs_builder_row(builder, NULL, 0, w->label[i], &error), error);
        for (uint32_t f = 0; f < w->features; f++)
            w->x[i][f] = below(stream, 2) ? 0 : below(stream, 3) + (f % 2 ? w->label[i] : 0);
        for (uint32_t f = w->features; f-- > 0;)
            if (w->parent[f] != HSEL_NONE)
                w->x[i][w->parent[f]] += w->x[i][f];
        for (uint32_t f = 0; f < w->features; f++)
            assert_ok(hs_builder_numeric(builder, f, w->x[i][f], &error), error);
    }
    assert_ok(hs_builder_finish(builder, &w->data, &error), error);
    assert_ok(hs_dag_new(w->features, child, parent, edges, &w->data->dag, &error), error);
    w->covariate = HSEL_NONE;
    w->training = (hs_training){.view = hs_view_all(w->data), .seed = 7, .threads = 1};
    assert_ok(hs_counts_of(&w->training.view, &w->counts, &error), error);
    w->training.counts = &w->counts;
}

static void world_free(struct world *w)
{
    hs_counts_clear(&w->counts);
    hsel_dataset_free(w->data);
}

/* ---- forests, cell by cell ---- */

struct slow {
    const struct world *w;
    const uint32_t *feature; /* [count] */
    uint32_t count, candidate[2 * FEATURES], order[ROWS], tried;
    hs_stream *stream;
    uint64_t draws[256], number;
    uint32_t drawn, bits;
    double importance[FEATURES];
};

/* A digit in base n of the random number at hand, while it has 44 bits for them. */
static uint32_t next(struct slow *s, uint32_t n)
{
    uint32_t bits = 0;
    while (n >> bits)
        bits++;
    if (s->bits < bits) {
        if (s->drawn == 256) {
            hs_random_fill(s->stream, s->draws, 256);
            s->drawn = 0;
        }
        s->number = s->draws[s->drawn++];
        s->bits = 44;
    }
    s->bits -= bits;
    hs_u128 product = (hs_u128)s->number * n;
    s->number = (uint64_t)product;
    return (uint32_t)(product >> 64);
}

static double value(const struct slow *s, uint32_t row, uint32_t column)
{
    return column < s->count ? s->w->x[row][s->feature[column]]
                             : s->w->x[s->order[row]][s->feature[column - s->count]];
}

/* Weight times Gini's index. */
static double impurity(const struct slow *s, const uint32_t *weight)
{
    double by_class[3] = {0}, n = 0, sum = 0;
    for (uint32_t i = 0; i < s->w->rows; i++) {
        by_class[s->w->label[i]] += weight[i];
        n += weight[i];
    }
    for (int c = 0; c < 3; c++)
        sum += by_class[c] * by_class[c];
    return n > 0 ? n - sum / n : 0;
}

static void divide(struct slow *s, const uint32_t *weight, uint32_t column, double at,
                   uint32_t *left, uint32_t *right)
{
    for (uint32_t i = 0; i < s->w->rows; i++) {
        left[i] = value(s, i, column) <= at ? weight[i] : 0;
        right[i] = weight[i] - left[i];
    }
}

static uint32_t total(const struct slow *s, const uint32_t *weight)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < s->w->rows; i++)
        sum += weight[i];
    return sum;
}

static void grow(struct slow *s, const uint32_t *weight)
{
    uint32_t left[ROWS], right[ROWS], best = HSEL_NONE;
    double most = -1, at = 0, before = impurity(s, weight);
    if (before < 1e-9)
        return;
    for (uint32_t i = 0; i < s->tried; i++) {
        uint32_t k = i + next(s, 2 * s->count - i), column = s->candidate[k];
        s->candidate[k] = s->candidate[i];
        s->candidate[i] = column;
        for (double cut = -1; cut < 100; cut += 1) { /* all values are whole and small */
            divide(s, weight, column, cut, left, right);
            double decrease = before - impurity(s, left) - impurity(s, right);
            if (total(s, left) && total(s, right) && decrease > most + 1e-9) {
                most = decrease;
                best = column;
                at = cut;
            }
        }
    }
    if (best == HSEL_NONE)
        return;
    s->importance[best % s->count] += best < s->count ? most : -most;
    divide(s, weight, best, at, left, right);
    grow(s, right);
    grow(s, left);
}

static void slow_forest(struct slow *s, uint32_t trees)
{
    memset(s->importance, 0, sizeof s->importance);
    s->drawn = 256;
    s->bits = 0;
    s->tried = s->tried ? s->tried : (uint32_t)sqrt(s->count);
    for (uint32_t i = 0; i < s->w->rows; i++)
        s->order[i] = i;
    hs_random_shuffle(s->stream, s->order, s->w->rows);
    for (uint32_t i = 0; i < 2 * s->count; i++)
        s->candidate[i] = i;
    for (uint32_t t = 0; t < trees; t++) {
        uint32_t weight[ROWS] = {0};
        for (uint32_t i = 0; i < s->w->rows; i++)
            weight[next(s, s->w->rows)]++;
        grow(s, weight);
    }
    for (uint32_t f = 0; f < s->count; f++)
        s->importance[f] /= (double)trees * s->w->rows;
}

static void forests_agree(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 1, "corrected", 0, 0);
    double sum = 0;
    (void)state;
    for (int round = 0; round < 200; round++) {
        struct world w;
        hsel_error error = {0};
        uint32_t all[FEATURES];
        double found[FEATURES];
        draw(&w, &stream, 2 + round % 2);
        for (uint32_t f = 0; f < w.features; f++)
            all[f] = f;
        HS_OWNS(hs_corrected_clear) hs_corrected columns = {0};
        HS_OWNS(hs_arena_clear) hs_arena scratch = {0};
        hs_corrected_options options = {.trees = 4, .min = 1, .tried = below(&stream, 4)};
        if (options.tried > 2 * w.features)
            options.tried = 0;
        hs_stream one, two;
        hs_stream_init(&one, 5, "forest", (uint64_t)round, 0);
        two = one;
        struct slow slow = {
            .w = &w, .feature = all, .count = w.features, .stream = &two, .tried = options.tried};
        assert_ok(hs_corrected_init(&columns, &w.training, all, w.features, &error), error);
        assert_ok(hs_corrected_forest(&columns, &options, &one, &scratch, found, &error), error);
        slow_forest(&slow, options.trees);
        for (uint32_t f = 0; f < w.features; f++) {
            if (fabs(found[f] - slow.importance[f]) > 1e-9)
                fail_msg("round %d, feature %u of %u: %.17g, expected %.17g", round, f, w.features,
                         found[f], slow.importance[f]);
            sum += fabs(found[f]);
        }
        world_free(&w);
    }
    assert_true(sum > 1);
}

/* A feature without meaning has importance 0 in the mean, however many values it has. */
static void noise_is_not_important(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 3, "noise", 0, 0);
    HS_OWNS(hs_builder_release) hs_builder *builder = NULL;
    hsel_dataset *data;
    hsel_error error = {0};
    uint32_t id, all[] = {0, 1, 2};
    double sum[3] = {0}, found[3];
    (void)state;
    assert_ok(hs_builder_new(&builder, &error), error);
    for (int f = 0; f < 3; f++)
        assert_ok(hs_builder_feature(builder, &"abc"[f], 1, HSEL_NUMERIC, &id, &error), error);
    for (int c = 0; c < 2; c++)
        assert_ok(hs_builder_class(builder, &"xy"[c], 1, &id, &error), error);
    for (uint32_t i = 0; i < 100; i++) {
        assert_ok(hs_builder_row(builder, NULL, 0, i % 2, &error), error);
        assert_ok(hs_builder_numeric(builder, 0, i % 2 + 0.01 * i, &error), error); /* the class */
        assert_ok(hs_builder_numeric(builder, 1, hs_random_double(&stream), &error), error);
        assert_ok(hs_builder_numeric(builder, 2, below(&stream, 2), &error), error);
    }
    assert_ok(hs_builder_finish(builder, &data, &error), error);
    hs_training training = {.view = hs_view_all(data)};
    HS_OWNS(hs_corrected_clear) hs_corrected columns = {0};
    HS_OWNS(hs_arena_clear) hs_arena scratch = {0};
    assert_ok(hs_corrected_init(&columns, &training, all, 3, &error), error);
    for (uint32_t seed = 0; seed < 50; seed++) {
        hs_stream one;
        hs_stream_init(&one, seed, "forest", 0, 0);
        assert_ok(hs_corrected_forest(&columns, &(hs_corrected_options){.trees = 50, .min = 1},
                                      &one, &scratch, found, &error),
                  error);
        for (int f = 0; f < 3; f++)
            sum[f] += found[f] / 50;
    }
    assert_true(sum[0] > 0.1 && fabs(sum[1]) < 0.03 && fabs(sum[2]) < 0.03);
    hsel_dataset_free(data);
}

/* ---- the competition, node by node ---- */

struct rival {
    const struct world *w;
    bool wins[FEATURES];
};

static double correlation(const struct world *w, uint32_t a, uint32_t b)
{
    double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    for (uint32_t i = 0; i < w->rows; i++) {
        x += w->x[i][a] / w->rows;
        y += w->x[i][b] / w->rows;
    }
    for (uint32_t i = 0; i < w->rows; i++) {
        xx += (w->x[i][a] - x) * (w->x[i][a] - x);
        yy += (w->x[i][b] - y) * (w->x[i][b] - y);
        xy += (w->x[i][a] - x) * (w->x[i][b] - y);
    }
    return xy / sqrt(xx * yy);
}

static void means(const struct world *w, const uint32_t *list, uint32_t count, bool final,
                  uint32_t seeds, double *mean)
{
    memset(mean, 0, count * sizeof *mean);
    for (uint32_t seed = 0; seed < seeds; seed++) {
        hs_stream stream;
        hs_stream_init(&stream, 7, final ? "taxahfe final" : "taxahfe", final ? 0 : list[0], seed);
        uint32_t all[FEATURES];
        memcpy(all, list, count * sizeof *all);
        all[count < FEATURES ? count : 0] = count < FEATURES ? w->covariate : all[0];
        struct slow slow = {.w = w,
                            .feature = all,
                            .count = count + (w->covariate != HSEL_NONE),
                            .stream = &stream};
        slow_forest(&slow, 6);
        for (uint32_t k = 0; k < count; k++)
            mean[k] += slow.importance[k] / seeds;
    }
}

static uint32_t nearest(const struct rival *r, uint32_t v, uint32_t *list, uint32_t count)
{
    for (uint32_t u = 0; u < r->w->features; u++)
        if (r->w->parent[u] == v) {
            if (r->wins[u])
                list[count++] = u;
            else
                count = nearest(r, u, list, count);
        }
    return count;
}

static void compete(struct rival *r, uint32_t v, uint32_t level)
{
    const struct world *w = r->w;
    bool leaf = true;
    uint32_t occurs = 0, list[FEATURES] = {v}, count = 1;
    double mean[FEATURES];
    for (uint32_t u = 0; u < w->features; u++)
        if (w->parent[u] == v) {
            compete(r, u, level + 1);
            leaf = false;
        }
    for (uint32_t i = 0; i < w->rows; i++)
        occurs += w->x[i][v] != 0;
    const bool alone = leaf && w->parent[v] == HSEL_NONE;
    if ((!alone && (level < 3 || level > 5)) || !(occurs > 0.2 * w->rows))
        return;
    if (leaf || level == 5) {
        r->wins[v] = true;
        return;
    }
    uint32_t all = nearest(r, v, list, 1);
    for (uint32_t i = 1; i < all; i++)
        for (uint32_t k = i + 1; k < all; k++)
            if (list[k] < list[i]) {
                uint32_t kept = list[i];
                list[i] = list[k];
                list[k] = kept;
            }
    for (uint32_t k = 1; k < all; k++)
        if (correlation(w, v, list[k]) >= 0.85 - 1e-12)
            r->wins[list[k]] = false;
        else
            list[count++] = list[k];
    r->wins[v] = count == 1;
    if (count == 1)
        return;
    means(w, list, count, false, 3, mean);
    uint32_t best = 0;
    for (uint32_t k = 1; k < count; k++)
        best = mean[k] > mean[best] + 1e-12 ? k : best;
    r->wins[v] = best == 0;
    for (uint32_t k = 1; k < count; k++)
        if (best == 0 || mean[k] < mean[0] - 1e-12)
            r->wins[list[k]] = false;
}

static int run(struct world *w, const char *text, uint64_t *mask, hsel_error *error)
{
    HS_OWNS(hs_chosen_clear) hs_chosen chosen = {0};
    void *state = NULL;
    HS_TRY(hs_chosen_parse(HS_SELECTOR, text, &chosen, error));
    int status = chosen.method->selector->prepare(&w->training, chosen.options, &state, error);
    if (status == HSEL_OK)
        status = chosen.method->selector->select_features(state, mask, error);
    if (state)
        chosen.method->selector->free(state);
    return status;
}

static void winners_are_those_of_the_walk(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 1, "taxahfe", 0, 0);
    size_t kept = 0, dropped = 0, covariates = 0;
    (void)state;
    for (int round = 0; round < 150; round++) {
        struct world w;
        draw(&w, &stream, 2);
        for (uint32_t v = 0; v < w.features && round % 3 == 0; v++) {
            size_t children;
            hs_children(w.data->dag, v, &children);
            if (w.parent[v] == HSEL_NONE && children == 0)
                w.covariate = v;
        }
        if (w.covariate != HSEL_NONE) {
            assert_non_null(w.data->covariates = HS_NEW_ZERO(uint64_t, 1));
            hs_bit_set(w.data->covariates, w.covariate);
            w.mask = ~*w.data->covariates;
            w.training.view.features = &w.mask;
            covariates++;
        }
        for (int filter = 0; filter < 2; filter++) {
            struct rival r = {.w = &w};
            hsel_error error = {0};
            uint64_t found = 0;
            char text[200];
            snprintf(text, sizeof text,
                     "taxahfe:trees=6,seeds=3,prevalence=0.2,correlation=0.85,to=5,final-seeds=2,"
                     "filter=%s",
                     filter ? "on" : "off");
            for (uint32_t v = 0; v < w.features; v++)
                if (w.parent[v] == HSEL_NONE && v != w.covariate)
                    compete(&r, v, 2);
            if (filter) {
                uint32_t list[FEATURES], count = 0;
                double mean[FEATURES], middle = 0;
                for (uint32_t v = 0; v < w.features; v++)
                    if (r.wins[v])
                        list[count++] = v;
                means(&w, list, count, true, 2, mean);
                for (uint32_t k = 0; k < count; k++)
                    middle += mean[k] / count;
                for (uint32_t k = 0; k < count; k++)
                    r.wins[list[k]] = mean[k] > middle + 1e-12 && mean[k] > 1e-12;
            }
            w.training.threads = 1 + round % 3;
            if (run(&w, text, &found, &error))
                fail_msg("%s", error.message);
            for (uint32_t v = 0; v < w.features; v++) {
                if (hs_bit_get(&found, v) != r.wins[v])
                    fail_msg("round %d, %s: feature %u", round, text, v);
                *(r.wins[v] ? &kept : &dropped) += 1;
            }
        }
        world_free(&w);
    }
    assert_true(kept > 300 && dropped > 300 && covariates > 10);
}

/* Stopping early does not change what wins, and takes fewer forests. */
static void stopping_early_changes_nothing(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 2, "taxahfe", 0, 0);
    (void)state;
    for (int round = 0; round < 20; round++) {
        struct world w;
        hsel_error error = {0};
        uint64_t early = 0, late = 0;
        draw(&w, &stream, 2);
        if (run(&w, "taxahfe:trees=20,seeds=24,sure=9,filter=off", &early, &error) ||
            run(&w, "taxahfe:trees=20,seeds=24,sure=0,filter=off", &late, &error))
            fail_msg("%s", error.message);
        assert_int_equal(early, late);
        world_free(&w);
    }
}

/* ---- level ---- */

static bool is_below(const struct world *w, uint32_t v, uint32_t top)
{
    while (v != HSEL_NONE && v != top)
        v = w->parent[v];
    return v == top;
}

static uint32_t depth_of(const struct world *w, uint32_t v)
{
    return w->parent[v] == HSEL_NONE ? 0 : 1 + depth_of(w, w->parent[v]);
}

static bool is_leaf(const struct world *w, uint32_t v)
{
    for (uint32_t u = 0; u < w->features; u++)
        if (w->parent[u] == v)
            return false;
    return true;
}

/* Every cut through every lineage tried one by one. */
static void levels_are_the_best_of_their_lineages(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 6, "level", 0, 0);
    size_t deep = 0;
    (void)state;
    for (int round = 0; round < 60; round++) {
        struct world w;
        hsel_error error = {0};
        HS_OWNS(hs_chosen_clear) hs_chosen nb = {0};
        HS_OWNS(hs_objective_clear) hs_objective objective = {0};
        uint64_t expected = 0, found = 0;
        const uint32_t from = below(&stream, 3);
        char text[80];
        draw(&w, &stream, 2);
        assert_ok(hs_chosen_parse(HS_CLASSIFIER, "nb", &nb, &error), error);
        hs_inner_request request = {.training = &w.training,
                                    .classifier = &nb,
                                    .metric = HS_METRIC_ACCURACY,
                                    .folds = 2,
                                    .seed = w.training.seed,
                                    .workers = 1,
                                    .owner = "test"};
        if (hs_inner_objective(&request, &objective, &error)) { /* too few of a class */
            world_free(&w);
            continue;
        }
        for (uint32_t top = 0; top < w.features; top++) {
            double best = -1;
            uint64_t best_set = 0;
            if (depth_of(&w, top) != from && !(depth_of(&w, top) < from && is_leaf(&w, top)))
                continue;
            for (uint32_t depth = depth_of(&w, top); depth < FEATURES; depth++) {
                uint64_t set = 0;
                double value;
                bool any = false;
                for (uint32_t v = 0; v < w.features; v++)
                    if (is_below(&w, v, top) &&
                        (depth_of(&w, v) == depth || (depth_of(&w, v) < depth && is_leaf(&w, v)))) {
                        hs_bit_set(&set, v);
                        any |= depth_of(&w, v) == depth;
                    }
                if (!any)
                    break;
                assert_ok(objective.score(objective.self, &(hs_trial){.set = &set}, &value, &error),
                          error);
                if (value > best) {
                    best = value;
                    best_set = set;
                    deep += depth > depth_of(&w, top);
                }
            }
            expected |= hs_isolated_constant(&w.training.view, top) ? 0 : best_set;
        }
        snprintf(text, sizeof text, "level:metric=accuracy,folds=2,from=%u", from);
        w.training.threads = 1 + round % 2;
        if (run(&w, text, &found, &error))
            fail_msg("%s", error.message);
        assert_int_equal(found, expected);
        world_free(&w);
    }
    assert_true(deep > 10);
}

static int run_once(void *context, hsel_error *error)
{
    uint64_t mask = 0;
    return run(context, "taxahfe:trees=2,seeds=2", &mask, error);
}

static void memory_may_run_out_anywhere(void **state)
{
    hs_stream stream;
    struct world w;
    hs_stream_init(&stream, 4, "taxahfe", 0, 0);
    (void)state;
    draw(&w, &stream, 2);
    hs_oom_each("taxahfe", run_once, &w);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(forests_agree),
                                       cmocka_unit_test(noise_is_not_important),
                                       cmocka_unit_test(winners_are_those_of_the_walk),
                                       cmocka_unit_test(stopping_early_changes_nothing),
                                       cmocka_unit_test(levels_are_the_best_of_their_lineages),
                                       cmocka_unit_test(memory_may_run_out_anywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hill climbing against a slow twin: the same moves, but the fitness of each set from scratch, as
 * the formulas say, with similarities compared in whole numbers. And rows on a changing set
 * against counting.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "data/builder.h"
#include "select/projection.h"
#include "support/cmocka.h"
#include "support/eager_world.h"
#include "support/random_data.h"

#define ROUNDS 3000

static uint32_t draw(hs_stream *stream, uint32_t below)
{
    return (uint32_t)hs_random_below(stream, below);
}

typedef struct climber {
    const hs_world *w;
    bool child[WORLD_FEATURES][WORLD_FEATURES]; /* [parent][child] */
    uint32_t nodes, k, leaves;
    bool euclidean, numbers;
    double alpha, beta;
} climber;

/* An edge between candidates: a way down that passes through no other candidate. */
static void read_edges(climber *t)
{
    const hsel_dag *dag = t->w->data->dag;
    for (uint32_t c = 0; c < t->nodes; c++) {
        bool reached[WORLD_FEATURES] = {0};
        reached[t->w->feature[c]] = true;
        for (uint32_t round = 0; round < dag->nodes; round++)
            for (uint32_t v = 0; v < dag->nodes; v++)
                for (uint32_t e = dag->parent_start[v]; e < dag->parent_start[v + 1]; e++) {
                    uint32_t p = dag->parent[e];
                    bool passes = p == t->w->feature[c] || !hs_bit_get(&t->w->mask, p);
                    reached[v] |= reached[p] && passes;
                }
        for (uint32_t d = 0; d < t->nodes; d++)
            t->child[c][d] = d != c && reached[t->w->feature[d]];
    }
}

static bool has_children(const climber *t, uint32_t v)
{
    for (uint32_t c = 0; c < t->nodes; c++)
        if (t->child[v][c])
            return true;
    return false;
}

static bool has_parents(const climber *t, uint32_t v)
{
    for (uint32_t p = 0; p < t->nodes; p++)
        if (t->child[p][v])
            return true;
    return false;
}

static uint32_t set_size(const climber *t, const bool *set)
{
    uint32_t size = 0;
    for (uint32_t c = 0; c < t->nodes; c++)
        size += set[c];
    return size;
}

/* 0 or 1; of numbers what number_of makes of it. */
static int64_t value(const climber *t, uint32_t row, uint32_t candidate)
{
    if (!t->w->x[row][candidate])
        return 0;
    return t->numbers ? 1 + (t->w->feature[candidate] + 2 * t->w->label[row]) % 3 : 1;
}

static int64_t count_common(const climber *t, const bool *set, uint32_t i, uint32_t j)
{
    int64_t sum = 0;
    for (uint32_t c = 0; c < t->nodes; c++)
        sum += set[c] ? value(t, i, c) * value(t, j, c) : 0;
    return sum;
}

static int64_t count_different(const climber *t, const bool *set, uint32_t i, uint32_t j)
{
    int64_t sum = 0;
    for (uint32_t c = 0; c < t->nodes; c++)
        sum += set[c] ? (value(t, i, c) - value(t, j, c)) * (value(t, i, c) - value(t, j, c)) : 0;
    return sum;
}

typedef struct pairs {
    int64_t common[WORLD_ROWS][WORLD_ROWS], different[WORLD_ROWS][WORLD_ROWS];
} pairs;

/* Is a nearer to i than b? */
static bool is_nearer(const climber *t, const pairs *on, uint32_t i, uint32_t a, uint32_t b)
{
    int64_t left, right;
    if (t->euclidean) {
        left = on->different[i][b];
        right = on->different[i][a];
    } else { /* common / sqrt(own * other), and 0 for an empty vector */
        int64_t of_a = on->common[a][a], of_b = on->common[b][b];
        left = on->common[i][a] * on->common[i][a] * (of_b ? of_b : 1);
        right = on->common[i][b] * on->common[i][b] * (of_a ? of_a : 1);
    }
    return left > right || (left == right && a < b);
}

static double slow_up(const climber *t, const bool *set)
{
    static pairs on;
    const hs_world *w = t->w;
    uint64_t hits = 0;
    for (uint32_t i = 0; i < w->rows; i++)
        for (uint32_t j = 0; j < w->rows; j++) {
            on.common[i][j] = count_common(t, set, i, j);
            on.different[i][j] = count_different(t, set, i, j);
        }
    for (uint32_t i = 0; i < w->rows; i++) {
        for (uint32_t a = 0; a < w->rows; a++) {
            uint32_t before = 0;
            for (uint32_t b = 0; b < w->rows && before < t->k; b++)
                before += b != i && b != a && is_nearer(t, &on, i, b, a);
            hits += a != i && before < t->k && w->label[a] == w->label[i];
        }
    }
    double leaves = t->leaves;
    return (1 + t->beta * (leaves - set_size(t, set)) / leaves) * (double)hits;
}

/* Of a candidate, the largest: the unit of distances. */
static int64_t largest_range(const climber *t)
{
    int64_t range = 0;
    for (uint32_t c = 0; c < t->nodes; c++)
        for (uint32_t i = 0; i < t->w->rows; i++)
            for (uint32_t j = 0; j < i; j++) {
                int64_t apart = llabs(value(t, i, c) - value(t, j, c));
                range = apart > range ? apart : range;
            }
    return range ? range : 1;
}

static double slow_down(const climber *t, const bool *set)
{
    const hs_world *w = t->w;
    long double sum = 0, alpha = t->alpha / largest_range(t);
    for (uint32_t i = 0; i < w->rows; i++) {
        long double same = 0, other = 0;
        for (uint32_t j = 0; j < w->rows; j++)
            *(w->label[i] == w->label[j] ? &same : &other) += sqrtl(count_different(t, set, i, j));
        sum += other / (1 + alpha * same);
    }
    return (double)sum;
}

static void with_parent(const climber *t, const bool *set, uint32_t parent, bool *out)
{
    for (uint32_t c = 0; c < t->nodes; c++)
        out[c] = (set[c] || c == parent) && !t->child[parent][c];
}

static void with_children(const climber *t, const bool *set, uint32_t node, bool *out)
{
    for (uint32_t c = 0; c < t->nodes; c++)
        out[c] = (set[c] && c != node) || t->child[node][c];
}

static void climb_up(const climber *t, bool *set, uint32_t *moves)
{
    bool done[WORLD_FEATURES] = {0};
    for (uint32_t l = 0; l < t->nodes;) {
        bool best_set[WORLD_FEATURES], trial[WORLD_FEATURES];
        double best = slow_up(t, set);
        bool better = false;
        if (!set[l] || done[l]) {
            l++;
            continue;
        }
        for (uint32_t p = 0; p < t->nodes; p++) {
            if (!t->child[p][l])
                continue;
            with_parent(t, set, p, trial);
            double fitness = slow_up(t, trial);
            if (fitness > best) {
                best = fitness;
                better = true;
                memcpy(best_set, trial, sizeof best_set);
            }
        }
        if (better)
            memcpy(set, best_set, t->nodes * sizeof *set);
        else
            done[l] = true;
        *moves += better;
        l = 0;
    }
}

static void climb_down(const climber *t, bool *set, uint32_t *moves)
{
    for (bool better = true; better;) {
        bool best_set[WORLD_FEATURES], trial[WORLD_FEATURES];
        double best = slow_down(t, set);
        better = false;
        for (uint32_t v = 0; v < t->nodes; v++) {
            if (!set[v] || !has_children(t, v))
                continue;
            with_children(t, set, v, trial);
            double fitness = slow_down(t, trial);
            if (fitness > best + 1e-9 * best) {
                best = fitness;
                better = true;
                memcpy(best_set, trial, sizeof best_set);
            }
        }
        if (better)
            memcpy(set, best_set, t->nodes * sizeof *set);
        *moves += better;
    }
}

/* Features with numbers for the positive values, which differ by feature and class. */
static double number_of(uint32_t feature, uint32_t label) { return 1 + (feature + 2 * label) % 3; }

static void check_round(hs_stream *stream, bool down, bool numbers, uint32_t *moves)
{
    hs_world w;
    bool keep[WORLD_FEATURES], expected[WORLD_FEATURES] = {0};
    char text[160];
    hs_world_draw(stream, true, &w);
    hs_world_drop_unlabelled(&w);
    if (numbers) {
        hsel_dataset *binary = w.data;
        w.data = hs_as_numbers(binary, number_of);
        w.training.view.data = w.data;
        hsel_dataset_free(binary);
    }
    climber t = {.w = &w,
                 .numbers = numbers,
                 .nodes = w.candidates,
                 .k = 1 + draw(stream, 7),
                 .euclidean = draw(stream, 2),
                 .alpha = draw(stream, 5) / 4.0,
                 .beta = (double[]){0, 0.01, 0.05, 0.5}[draw(stream, 4)]};
    read_edges(&t);
    for (uint32_t v = 0; v < t.nodes; v++)
        expected[v] = down ? !has_parents(&t, v) : !has_children(&t, v);
    t.leaves = set_size(&t, expected);
    if (down)
        climb_down(&t, expected, moves);
    else
        climb_up(&t, expected, moves);
    snprintf(text, sizeof text,
             "hill-climbing:direction=%s,k=%u,alpha=%.17g,beta=%.17g,similarity=%s",
             down ? "top-down" : "bottom-up", t.k, t.alpha, t.beta,
             t.euclidean ? "euclidean" : "cosine");
    hs_world_select(&w, text, keep, NULL);
    for (uint32_t c = 0; c < t.nodes; c++) { /* alone and constant: never */
        bool varies = has_parents(&t, c) || has_children(&t, c);
        for (uint32_t i = 0; i < w.rows; i++)
            varies |= value(&t, i, c) != value(&t, 0, c);
        expected[c] &= varies;
    }
    for (uint32_t c = 0; c < w.candidates; c++)
        if (keep[c] != expected[c])
            fail_msg("%s: candidate %u of %u", text, c, w.candidates);
    hs_world_free(&w);
}

static void test_bottom_up(void **state)
{
    (void)state;
    hs_stream stream;
    uint32_t moves = 0;
    hs_stream_init(&stream, 1, "up", 0, 0);
    for (int round = 0; round < ROUNDS; round++)
        check_round(&stream, false, round % 2, &moves);
    assert_true(moves > ROUNDS / 4); /* the cases are not all trivial */
}

static void test_top_down(void **state)
{
    (void)state;
    hs_stream stream;
    uint32_t moves = 0;
    hs_stream_init(&stream, 1, "down", 0, 0);
    for (int round = 0; round < ROUNDS; round++)
        check_round(&stream, true, round % 2, &moves);
    assert_true(moves > ROUNDS / 4);
}

/* ---- rows on a changing set ---- */

static void check_projection(hs_projection *p, const hs_world *w, const bool *set)
{
    uint32_t size = 0;
    for (uint32_t c = 0; c < w->candidates; c++) {
        size += set[c];
        assert_int_equal(hs_projection_has(p, c), set[c]);
    }
    assert_int_equal(p->size, size);
    climber t = {.w = w, .nodes = w->candidates};
    for (uint32_t i = 0; i < w->rows; i++) {
        hs_projection_share(p, i);
        for (uint32_t j = 0; j < w->rows; j++) {
            const double shared = hs_projection_shared(p, j);
            assert_true(shared == (double)count_common(&t, set, i, j));
            assert_true(hs_projection_distance(p, i, j, shared) ==
                        (double)count_different(&t, set, i, j));
        }
    }
}

static void test_projection(void **state)
{
    (void)state;
    hs_stream stream;
    hsel_error error = {0};
    hs_stream_init(&stream, 1, "projection", 0, 0);
    for (int round = 0; round < 300; round++) {
        hs_world w;
        hs_projection p = {0};
        bool set[WORLD_FEATURES] = {0};
        hs_world_draw(&stream, false, &w);
        hs_world_drop_unlabelled(&w);
        hs_candidates candidates = {
            .training = &w.training, .count = w.candidates, .feature = w.feature};
        assert_ok(hs_projection_init(&p, &candidates, &error), error);
        for (int step = 0; step < 12 && w.candidates; step++) {
            uint32_t c = draw(&stream, w.candidates);
            set[c] = !set[c];
            hs_projection_toggle(&p, c);
            hs_projection_note(&p, &c, 1);
            for (uint32_t i = 0; i < w.rows; i++)
                assert_int_equal(p.touched[i], w.x[i][c]);
            check_projection(&p, &w, set);
        }
        hs_projection_clear(&p);
        hs_world_free(&w);
    }
}

static void test_memory(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "memory", 0, 0);
    for (int round = 0; round < 8; round++) {
        hs_world w;
        hs_world_draw(&stream, true, &w);
        hs_world_oom(&w, "hill-climbing");
        hs_world_oom(&w, "hill-climbing:direction=top-down");
        hs_world_free(&w);
    }
}

static void test_no_hierarchy(void **state)
{
    (void)state;
    hs_stream stream;
    hsel_error error = {0};
    hs_world w;
    hs_chosen chosen = {0};
    void *out = NULL;
    hs_stream_init(&stream, 1, "none", 0, 0);
    hs_world_draw(&stream, false, &w);
    assert_ok(hs_chosen_parse(HS_SELECTOR, "hill-climbing", &chosen, &error), error);
    assert_true(chosen.method->flags & HS_NEEDS_HIERARCHY);
    assert_int_equal(chosen.method->selector->prepare(&w.training, chosen.options, &out, &error),
                     HSEL_EUSAGE);
    assert_string_equal(error.message, "random has no hierarchy to select on");
    assert_null(out);
    hs_chosen_clear(&chosen);
    hs_world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_projection),   cmocka_unit_test(test_bottom_up),
        cmocka_unit_test(test_top_down),     cmocka_unit_test(test_memory),
        cmocka_unit_test(test_no_hierarchy),
    };
    return cmocka_run_group_tests_name("hill climbing", tests, NULL, NULL);
}

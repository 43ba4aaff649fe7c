/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mutations: how often features change sides (chi-square on counts, fixed seeds), under which
 * conditions; relatives and their uncertainties against counting by hand.
 */
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "measure/measure.h"
#include "search/mutation.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/random_data.h"

#define TRIALS 20000
/* 64 degrees of freedom: above this in one of a million. */
#define CHI2_64 129.0

/* ---- lanes ---- */

static double chi2_of(const uint32_t *count, uint32_t lanes, double p)
{
    double sum = 0;
    for (uint32_t i = 0; i < lanes; i++) {
        double expected = TRIALS * p, off = count[i] - expected;
        sum += off * off / (TRIALS * p * (1 - p));
    }
    return sum;
}

static void test_lanes_have_their_probability(void **state)
{
    static const double pairs[][2] = {{0.19, 0.03}, {0.5, 0.5}, {0.001, 0.999}, {1.0 / 3, 0.06}};
    (void)state;
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
        hs_stream stream;
        uint32_t count[2][64] = {0};
        uint64_t which = UINT64_C(0xF0F0F0F00F0F0F0F);
        hs_chance one = hs_chance_of(pairs[k][0]), other = hs_chance_of(pairs[k][1]);
        hs_stream_init(&stream, 1 + k, "test", 0, 0);
        for (uint32_t t = 0; t < TRIALS; t++) {
            uint64_t lanes = hs_chance_lanes(&stream, ~UINT64_C(0), which, one, other);
            uint32_t seen[2] = {0};
            for (uint32_t i = 0; i < 64; i++) {
                int kind = !(which >> i & 1);
                count[kind][seen[kind]++] += lanes >> i & 1;
            }
        }
        for (int kind = 0; kind < 2; kind++) {
            double chi2 = chi2_of(count[kind], 32, pairs[k][kind]);
            if (chi2 > 85.0 || chi2 < 6) /* 32 degrees of freedom */
                fail_msg("probability %g: chi-square %g", pairs[k][kind], chi2);
        }
    }
}

/* Two lanes change sides together as often as their probabilities say. */
static void test_lanes_are_independent(void **state)
{
    hs_stream stream;
    uint32_t both[63] = {0};
    hs_chance p = hs_chance_of(0.3);
    (void)state;
    hs_stream_init(&stream, 9, "test", 0, 0);
    for (uint32_t t = 0; t < TRIALS; t++) {
        uint64_t lanes = hs_chance_lanes(&stream, ~UINT64_C(0), 0, p, p);
        for (uint32_t i = 0; i < 63; i++)
            both[i] += (lanes & lanes >> 1) >> i & 1;
    }
    assert_true(chi2_of(both, 63, 0.09) < CHI2_64);
}

static void test_sure_lanes(void **state)
{
    hs_stream stream;
    (void)state;
    hs_stream_init(&stream, 1, "test", 0, 0);
    hs_chance never = hs_chance_of(0), always = hs_chance_of(1);
    for (int i = 0; i < 100; i++) {
        assert_true(hs_chance_lanes(&stream, 0xFF, 0x0F, always, never) == 0x0F);
        assert_true(hs_chance_lanes(&stream, 0xFF, 0x0F, never, always) == 0xF0);
        assert_true(hs_chance_lanes(&stream, 0, 0x0F, always, always) == 0);
    }
}

/* ---- a hierarchy: 0 over 1 over 2; 3 over 4; 5 alone. Instances in which each is positive ---- */

struct tree {
    hsel_dataset *data;
    hs_counts counts;
    hs_training training;
    hs_relatives relatives;
    uint64_t memory[8], usable;
};

static void tree_new(struct tree *tree, bool weights)
{
    static const uint32_t child[] = {1, 2, 4}, parent[] = {0, 1, 3};
    hs_random_shape shape = {.instances = 40, .features = 6, .classes = 2, .density = 0.5};
    hs_stream stream;
    hsel_error error = {0};
    hs_stream_init(&stream, 3, "test", 0, 0);
    *tree = (struct tree){.data = hs_random_dataset(&stream, &shape), .usable = 0x3F};
    hs_dag_free(tree->data->dag);
    assert_ok(hs_dag_new(6, child, parent, 3, &tree->data->dag, &error), error);
    tree->training = (hs_training){.view = hs_view_all(tree->data), .counts = &tree->counts};
    assert_ok(hs_counts_of(&tree->training.view, &tree->counts, &error), error);
    assert_ok(hs_relatives_init(&tree->training, weights, &tree->relatives, &error), error);
}

static void tree_free(struct tree *tree)
{
    hs_relatives_clear(&tree->relatives);
    hs_counts_clear(&tree->counts);
    hsel_dataset_free(tree->data);
}

static uint64_t *tally_of_set(struct tree *tree, uint64_t set)
{
    memset(tree->memory, 0, sizeof tree->memory);
    uint64_t *tally = tree->memory;
    for (uint32_t f = 0; f < 6; f++)
        if (set >> f & 1)
            hs_relatives_flip(&tree->relatives, tally, f, true);
    return tally;
}

static void count_flips(struct tree *tree, const hs_mutation *m, uint64_t set, uint32_t *count)
{
    memset(count, 0, 6 * sizeof *count);
    for (uint32_t t = 0; t < TRIALS; t++) {
        hs_stream stream;
        uint64_t flips;
        hs_stream_init(&stream, 5, "test", t, 0);
        hs_mutate(m, &stream, &set, tally_of_set(tree, set), &flips);
        for (uint32_t f = 0; f < 6; f++)
            count[f] += flips >> f & 1;
    }
}

/* Within five standard deviations; exact at 0 and 1. */
static void check_rate(const char *what, uint32_t f, uint32_t count, double p)
{
    double sd = sqrt(TRIALS * p * (1 - p));
    if (fabs(count - TRIALS * p) > 5 * sd)
        fail_msg("%s: feature %u changed sides %u times, expected %g (sd %g)", what, f, count,
                 TRIALS * p, sd);
}

static double su_of(const struct tree *tree, uint32_t f, uint32_t g)
{
    uint32_t n[2][2] = {{0}};
    for (uint32_t i = 0; i < tree->data->instances; i++) {
        size_t count;
        const uint32_t *row = hs_row(tree->data, i, &count);
        bool a = false, b = false;
        for (size_t j = 0; j < count; j++) {
            a |= row[j] == f;
            b |= row[j] == g;
        }
        n[a][b]++;
    }
    return hs_su_pair(n[1][1], n[1][0], n[0][1], n[0][0]);
}

static void test_bitwise(void **state)
{
    struct tree tree;
    uint32_t count[6];
    tree_new(&tree, false);
    (void)state;
    hs_mutation m = {.kind = HS_MUTATION_BITWISE,
                     .sp = hs_chance_of(0.02),
                     .bp = hs_chance_of(0.9),
                     .usable = &tree.usable,
                     .words = 1};
    tree.usable = 0x3B; /* without feature 2 */
    count_flips(&tree, &m, 0x0F, count);
    for (uint32_t f = 0; f < 6; f++)
        check_rate("bitwise", f, count[f], f == 2 ? 0 : 0.02);
    tree_free(&tree);
}

static void test_she(void **state)
{
    struct tree tree;
    uint32_t count[6];
    (void)state;
    tree_new(&tree, false);
    hs_mutation m = {.kind = HS_MUTATION_SHE,
                     .sp = hs_chance_of(0.03),
                     .bp = hs_chance_of(0.19),
                     .usable = &tree.usable,
                     .words = 1,
                     .relatives = &tree.relatives};
    /* 0 and 2 are selected and related over 1, which is not selected; 3 and 5 are without relatives
     */
    count_flips(&tree, &m, 0x2D, count);
    static const double expected[] = {0.19, 0.03, 0.19, 0.03, 0.03, 0.03};
    for (uint32_t f = 0; f < 6; f++)
        check_rate("she", f, count[f], expected[f]);
    tree_free(&tree);
}

static void test_cbhe(void **state)
{
    struct tree tree;
    uint32_t count[6];
    (void)state;
    tree_new(&tree, true);
    hs_mutation m = {.kind = HS_MUTATION_CBHE,
                     .sp = hs_chance_of(0.06),
                     .bp = hs_chance_of(0.9),
                     .usable = &tree.usable,
                     .words = 1,
                     .relatives = &tree.relatives};
    /* 0, 1, 2 are selected and all related; 3 is selected and its child is not; 4, 5 are not */
    double su01 = su_of(&tree, 0, 1), su02 = su_of(&tree, 0, 2), su12 = su_of(&tree, 1, 2);
    double expected[] = {(su01 + su02) / 2, (su01 + su12) / 2, (su02 + su12) / 2, 0, 0.06, 0.06};
    count_flips(&tree, &m, 0x0F, count);
    for (uint32_t f = 0; f < 6; f++)
        check_rate("cbhe", f, count[f], expected[f]);
    /* a pair alone: the uncertainty of the two */
    count_flips(&tree, &m, 0x05, count);
    check_rate("cbhe, a pair", 0, count[0], su02);
    check_rate("cbhe, a pair", 2, count[2], su02);
    tree_free(&tree);
}

/* With bp = 1 and sp = 0 nothing is random: on the chain 0, 1, 2 all have relatives before the
 * mutation; one after the other, the last one is alone when its turn comes. */
static void test_simultaneous_and_sequential(void **state)
{
    struct tree tree;
    hs_stream stream;
    uint64_t set = 0x07, flips;
    (void)state;
    tree_new(&tree, false);
    hs_stream_init(&stream, 1, "test", 0, 0);
    hs_mutation m = {.kind = HS_MUTATION_SHE,
                     .sp = hs_chance_of(0),
                     .bp = hs_chance_of(1),
                     .usable = &tree.usable,
                     .words = 1,
                     .relatives = &tree.relatives};
    hs_mutate(&m, &stream, &set, tally_of_set(&tree, set), &flips);
    assert_true(flips == 0x07);
    m.sequential = true;
    uint64_t *tally = tally_of_set(&tree, set);
    hs_mutate(&m, &stream, &set, tally, &flips);
    assert_true(flips == 0x03);
    assert_int_equal(hs_tally_count(tally[0]), 1); /* only 2 is left */
    assert_int_equal(hs_tally_count(tally[1]), 1);
    assert_int_equal(hs_tally_count(tally[2]), 0);
    tree_free(&tree);
}

/* ---- relatives on random hierarchies ---- */

static bool is_above(const hsel_dag *dag, uint32_t above, uint32_t below)
{
    uint64_t reached = UINT64_C(1) << above;
    for (uint32_t round = 0; round < dag->nodes; round++)
        for (uint32_t v = 0; v < dag->nodes; v++)
            for (uint32_t e = dag->parent_start[v]; e < dag->parent_start[v + 1]; e++)
                if (reached >> dag->parent[e] & 1)
                    reached |= UINT64_C(1) << v;
    return above != below && (reached >> below & 1);
}

static void check_tally(struct tree *t, uint64_t mask, uint64_t set)
{
    uint32_t d = t->data->features;
    uint64_t *tally = HS_NEW_ZERO(uint64_t, d);
    for (uint32_t f = 0; f < d; f++) /* all in, then those out that are not of the set */
        if (mask >> f & 1)
            hs_relatives_flip(&t->relatives, tally, f, true);
    for (uint32_t f = 0; f < d; f++)
        if ((mask & ~set) >> f & 1)
            hs_relatives_flip(&t->relatives, tally, f, false);
    for (uint32_t f = 0; f < d; f++) {
        uint32_t count = 0;
        double sum = 0;
        for (uint32_t g = 0; g < d && (mask >> f & 1); g++)
            if ((set >> g & 1) && (is_above(t->data->dag, f, g) || is_above(t->data->dag, g, f))) {
                count++;
                sum += su_of(t, f, g);
            }
        assert_int_equal(hs_tally_count(tally[f]), count);
        assert_true(fabs(ldexp((double)hs_tally_sum(tally[f]), -HS_TALLY_UNIT) - sum) < 1e-5);
    }
    hs_free(tally);
}

static void test_relatives(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 11, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 500; round++) {
        hs_random_shape shape = {.instances = 1 + (uint32_t)hs_random_below(&stream, 20),
                                 .features = 1 + (uint32_t)hs_random_below(&stream, 10),
                                 .classes = 2,
                                 .density = 0.5,
                                 .parents = 1.3,
                                 .true_path = hs_random_below(&stream, 2)};
        struct tree t = {.data = hs_random_dataset(&stream, &shape)};
        hsel_error error = {0};
        uint64_t all = (UINT64_C(1) << shape.features) - 1;
        uint64_t mask = hs_random_below(&stream, 2) ? all : hs_random_u64(&stream) & all;
        t.training = (hs_training){.view = hs_view_all(t.data)};
        t.training.view.features = &mask;
        assert_ok(hs_relatives_init(&t.training, true, &t.relatives, &error), error);
        check_tally(&t, mask, hs_random_u64(&stream) & mask);
        tree_free(&t);
    }
}

static int find_relatives(void *context, hsel_error *error)
{
    const struct tree *tree = context;
    hs_relatives relatives = {0};
    int status = hs_relatives_init(&tree->training, true, &relatives, error);
    hs_relatives_clear(&relatives);
    return status;
}

static void test_out_of_memory(void **state)
{
    struct tree tree;
    (void)state;
    tree_new(&tree, false);
    assert_true(hs_oom_each("relatives", find_relatives, &tree) > 5);
    tree_free(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lanes_have_their_probability),
        cmocka_unit_test(test_lanes_are_independent),
        cmocka_unit_test(test_sure_lanes),
        cmocka_unit_test(test_bitwise),
        cmocka_unit_test(test_she),
        cmocka_unit_test(test_cbhe),
        cmocka_unit_test(test_simultaneous_and_sequential),
        cmocka_unit_test(test_relatives),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

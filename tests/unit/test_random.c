/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * core/random.c: the published test vectors of Threefry-2x64-20, independence of streams,
 * uniformity.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "support/cmocka.h"

/* From the known-answer file of Random123: counter, key, result. */
static void test_known_answers(void **state)
{
    (void)state;
    static const uint64_t vectors[][6] = {
        {0, 0, 0, 0, UINT64_C(0xc2b6e3a8c2c69865), UINT64_C(0x6f81ed42f350084d)},
        {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_C(0xe02cb7c4d95d277a),
         UINT64_C(0xd06633d0893b8b68)},
        {UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707344), UINT64_C(0xa4093822299f31d0),
         UINT64_C(0x082efa98ec4e6c89), UINT64_C(0x263c7d30bb0f0af1), UINT64_C(0x56be8361d3311526)}};
    for (size_t i = 0; i < 3; i++) {
        hs_stream stream = {.counter = {vectors[i][0], vectors[i][1]},
                            .key = {vectors[i][2], vectors[i][3]}};
        assert_true(hs_random_u64(&stream) == vectors[i][4]);
        assert_true(hs_random_u64(&stream) == vectors[i][5]);
        uint64_t third = hs_random_u64(&stream);
        assert_true(third != vectors[i][4]); /* the counter moved on */
    }
}

static void test_streams_differ(void **state)
{
    (void)state;
    static const struct {
        uint64_t seed;
        const char *purpose;
        uint64_t a, b;
    } keys[] = {{1, "folds", 0, 0},         {2, "folds", 0, 0}, {1, "fold", 0, 0},
                {1, "folds", 1, 0},         {1, "folds", 0, 1}, {1, "generate", 0, 0},
                {0, "folds", 1, 0},         {1, "", 0, 0},      {1, "folds", UINT64_MAX, 0},
                {1, "folds", 0, UINT64_MAX}};
    enum { COUNT = sizeof keys / sizeof keys[0] };
    uint64_t first[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        hs_stream stream, again;
        hs_stream_init(&stream, keys[i].seed, keys[i].purpose, keys[i].a, keys[i].b);
        hs_stream_init(&again, keys[i].seed, keys[i].purpose, keys[i].a, keys[i].b);
        first[i] = hs_random_u64(&stream);
        assert_true(hs_random_u64(&again) == first[i]);
        for (size_t k = 0; k < i; k++)
            if (first[k] == first[i])
                fail_msg("streams %zu and %zu are the same", k, i);
    }
}

/* Chi-square of counts that should be equal; with d degrees of freedom its mean is d and its
 * variance 2 d. */
static double chi_square(const unsigned *counts, size_t cells, double total)
{
    double expected = total / (double)cells, sum = 0;
    for (size_t i = 0; i < cells; i++)
        sum += (counts[i] - expected) * (counts[i] - expected) / expected;
    return sum;
}

static void test_below_is_uniform(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {1, 2, 3, 7, 10, 64, 100};
    hs_stream stream;
    hs_stream_init(&stream, 5, "test", 0, 0);
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        unsigned counts[100] = {0};
        for (int i = 0; i < 100000; i++) {
            uint64_t value = hs_random_below(&stream, sizes[s]);
            assert_true(value < sizes[s]);
            counts[value]++;
        }
        double d = (double)sizes[s] - 1;
        assert_true(chi_square(counts, sizes[s], 100000) <= d + 5 * sqrt(2 * d) + 1e-9);
    }
    /* Where taking the remainder would be badly biased: the lower third would come up twice as
     * often. */
    uint64_t below = UINT64_MAX / 3 * 2 + 1;
    unsigned thirds[2] = {0};
    for (int i = 0; i < 100000; i++)
        thirds[hs_random_below(&stream, below) >= below / 2]++;
    assert_true(chi_square(thirds, 2, 100000) < 25);
    for (int i = 0; i < 1000; i++)
        assert_true(hs_random_below(&stream, UINT64_MAX) < UINT64_MAX);
}

static void test_double(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 6, "test", 0, 0);
    unsigned counts[50] = {0};
    bool low_bit = false;
    for (int i = 0; i < 200000; i++) {
        double value = hs_random_double(&stream);
        assert_true(value >= 0 && value < 1);
        counts[(int)(value * 50)]++;
        double scaled = value * 9007199254740992.0; /* 2^53 */
        assert_true(scaled == floor(scaled));
        low_bit |= fmod(scaled, 2) == 1;
    }
    assert_true(low_bit); /* all 53 bits are used */
    assert_true(chi_square(counts, 50, 200000) < 49 + 5 * sqrt(98));
}

static void test_shuffle(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 8, "test", 0, 0);
    unsigned counts[24] = {0};
    for (int i = 0; i < 48000; i++) {
        uint32_t items[4] = {0, 1, 2, 3};
        hs_random_shuffle(&stream, items, 4);
        unsigned seen = 0, rank = 0;
        for (int k = 0; k < 4; k++) {
            unsigned smaller = 0;
            for (int j = k + 1; j < 4; j++)
                smaller += items[j] < items[k];
            rank = rank * (unsigned)(4 - k) + smaller;
            seen |= 1u << items[k];
        }
        assert_int_equal(seen, 15);
        counts[rank]++;
    }
    assert_true(chi_square(counts, 24, 48000) < 23 + 5 * sqrt(46));
    hs_random_shuffle(&stream, NULL, 0);
}

/* Filling gives the numbers that single calls give, wherever it begins and ends. */
static void test_fill(void **state)
{
    (void)state;
    for (size_t before = 0; before < 4; before++)
        for (size_t count = 0; count < 20; count++) {
            hs_stream one, many;
            uint64_t filled[20];
            hs_stream_init(&one, 7, "fill", before, count);
            many = one;
            for (size_t i = 0; i < before; i++)
                assert_true(hs_random_u64(&one) == hs_random_u64(&many));
            hs_random_fill(&many, filled, count);
            for (size_t i = 0; i < count; i++)
                assert_true(filled[i] == hs_random_u64(&one));
            for (int i = 0; i < 3; i++) /* and both go on alike */
                assert_true(hs_random_u64(&many) == hs_random_u64(&one));
        }
}

/* A stream is the same on every machine, also on those of the other byte order. */
static void test_same_everywhere(void **state)
{
    (void)state;
    hs_stream s;
    hs_stream_init(&s, 7, "folds", 1, 2);
    assert_true(hs_random_u64(&s) == UINT64_C(0x17e34268b88d03a6));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fill),           cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_streams_differ), cmocka_unit_test(test_below_is_uniform),
        cmocka_unit_test(test_double),         cmocka_unit_test(test_shuffle),
        cmocka_unit_test(test_same_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

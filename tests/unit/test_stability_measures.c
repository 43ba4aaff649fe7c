/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stability of selections: by hand, against the published formulas and a twin that tries all pairs
 * of sets, the same as without similarities when there are no edges, and how often the interval
 * holds what it should in a simulation.
 */
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "data/bits.h"
#include "stats/stability.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/random_data.h"
#include "support/threads.h"

HS_TEST_USES_THREADS

static hs_stability plain(const uint64_t *sets, uint32_t count, uint32_t features)
{
    hsel_error error = {0};
    hs_stability found;
    assert_ok(hs_stability_of(sets, count, 1, features, NULL, 1, &found, &error), error);
    return found;
}

static void test_by_hand(void **state)
{
    (void)state;
    /* of 10 features {0,1,2}, {0,1,3}, {4,5,6}: Kuncheva (r - 0.9) / (3 - 0.9) for r = 2, 0, 0 */
    const uint64_t sets[] = {7, 11, 112};
    hs_stability s = plain(sets, 3, 10);
    assert_true(fabs(s.kuncheva - (1.1 - 0.9 - 0.9) / 2.1 / 3) < 1e-12);
    assert_true(fabs(s.nogueira - (2 / 3.0 - 0.9) / 2.1) < 1e-12); /* sizes are equal */
    assert_true(fabs(s.jaccard - (2.0 / 4) / 3) < 1e-12);
    assert_true(s.sets == 3 && s.size == 3 && isnan(s.hierarchy) && isnan(s.hierarchy_se));
    const uint64_t equal[] = {5, 5}, empty[] = {0, 0}, full[] = {1023, 1023}, other[] = {0, 1023};
    const uint64_t *const same[] = {equal, empty, full};
    for (int i = 0; i < 3; i++) {
        s = plain(same[i], 2, 10);
        assert_true(s.nogueira == 1 && s.nogueira_se == 0 && s.kuncheva == 1 && s.jaccard == 1);
    }
    s = plain(other, 2, 10);
    assert_true(s.kuncheva == 0 && s.jaccard == 0 && s.nogueira == -1);
    assert_true(plain(empty, 2, 0).kuncheva == 1 && plain(empty, 2, 0).nogueira == 1);
    s = plain(equal, 1, 10);
    assert_true(isnan(s.nogueira) && isnan(s.kuncheva) && isnan(s.jaccard));
    double figure[HSEL_STABILITY_FIGURES];
    hs_stability_figures(&(hs_stability){9, 5, 0.5, 0.1, 0.4, 0.3, 0.7, 0.01}, figure);
    const double expected[] = {0.5, 0.304, 0.696, 0.4, 0.3, 0.7, 0.6804, 0.7196};
    for (int i = 0; i < HSEL_STABILITY_FIGURES; i++)
        assert_true(fabs(figure[i] - expected[i]) < 1e-4);
}

/* The formulas as they are printed. */
static void published(const uint64_t *sets, uint32_t m, uint32_t d, double *value, double *se)
{
    double k = 0, variance = 0, phi[16], mean = 0, sum = 0, p[64];
    for (uint32_t i = 0; i < m; i++)
        k += (double)hs_bits_count(&sets[i], 1) / m;
    for (uint32_t f = 0; f < d; f++) {
        p[f] = 0;
        for (uint32_t i = 0; i < m; i++)
            p[f] += (double)hs_bit_get(&sets[i], f) / m;
        variance += m / (m - 1.0) * p[f] * (1 - p[f]) / d;
    }
    double room = k / d * (1 - k / d);
    *value = 1 - variance / room;
    for (uint32_t i = 0; i < m; i++) {
        double size = (double)hs_bits_count(&sets[i], 1);
        phi[i] = 0;
        for (uint32_t f = 0; f < d; f++)
            phi[i] += hs_bit_get(&sets[i], f) * p[f] / d;
        phi[i] = (phi[i] - size * k / d / d +
                  *value / 2 * (2 * size * k / d / d - size / d - k / d + 1)) /
                 room;
        mean += phi[i] / m;
    }
    for (uint32_t i = 0; i < m; i++)
        sum += (phi[i] - mean) * (phi[i] - mean);
    *se = sqrt(4.0 / m / m * sum);
}

static void test_published(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 1, "stability", 0, 0);
    (void)state;
    for (int round = 0; round < 500; round++) {
        uint32_t d = 2 + (uint32_t)hs_random_below(&stream, 62),
                 m = 2 + (uint32_t)hs_random_below(&stream, 14);
        uint64_t sets[16], base = hs_random_u64(&stream);
        double value, se, correlation = 0, jaccard = 0;
        for (uint32_t i = 0; i < m; i++)
            sets[i] = ((round % 2 ? base : 0) ^ (hs_random_u64(&stream) & hs_random_u64(&stream))) &
                      ((UINT64_C(1) << d) - 1);
        sets[0] |= 1;            /* neither all empty … */
        sets[1] &= ~UINT64_C(1); /* … nor all full */
        hs_stability s = plain(sets, m, d);
        published(sets, m, d, &value, &se);
        assert_true(fabs(s.nogueira - value) < 1e-12 && fabs(s.nogueira_se - se) < 1e-12);
        for (uint32_t i = 0; i < m; i++)
            for (uint32_t j = 0; j < i; j++) { /* the correlation of the two indicator vectors */
                double a = (double)hs_bits_count(&sets[i], 1),
                       b = (double)hs_bits_count(&sets[j], 1), xx = 0, yy = 0, xy = 0,
                       both = (double)hs_bits_count_and(&sets[i], &sets[j], 1);
                for (uint32_t f = 0; f < d; f++) {
                    double x = hs_bit_get(&sets[i], f) - a / d, y = hs_bit_get(&sets[j], f) - b / d;
                    xx += x * x;
                    yy += y * y;
                    xy += x * y;
                }
                correlation +=
                    (xx > 1e-9 && yy > 1e-9 ? xy / sqrt(xx * yy) : a == b) * 2 / m / (m - 1);
                jaccard += (a + b > 0 ? both / (a + b - both) : 1) * 2 / m / (m - 1);
            }
        assert_true(fabs(s.kuncheva - correlation) < 1e-9 && fabs(s.jaccard - jaccard) < 1e-9);
    }
}

/* ---- on the hierarchy ---- */

#define MOST_FEATURES 6

static double in_common(double c[][MOST_FEATURES], uint32_t d, uint64_t a, uint64_t b)
{
    double sum = 0;
    for (uint32_t x = 0; x < d; x++) {
        double in_b = 0, in_a = 0;
        for (uint32_t y = 0; y < d; y++) {
            in_b = fmax(in_b, b >> y & 1 ? c[x][y] : 0);
            in_a = fmax(in_a, a >> y & 1 ? c[x][y] : 0);
        }
        sum += (a >> x & 1 ? in_b : 0) / 2 + (b >> x & 1 ? in_a : 0) / 2;
    }
    return sum;
}

/* Over all pairs of sets there are. */
static double expectation(double c[][MOST_FEATURES], uint32_t d, double k)
{
    double sum = 0, q = k / d;
    for (uint64_t a = 0; a >> d == 0; a++)
        for (uint64_t b = 0; b >> d == 0; b++) {
            double in = (double)hs_bits_count(&a, 1) + (double)hs_bits_count(&b, 1);
            sum += pow(q, in) * pow(1 - q, 2.0 * d - in) * in_common(c, d, a, b);
        }
    return sum;
}

static void test_hierarchy(void **state)
{
    enum { SETS = 5 };
    hs_stream stream;
    hs_stream_init(&stream, 2, "stability", 0, 0);
    (void)state;
    for (int round = 0; round < 150; round++) {
        hsel_error error = {0};
        uint32_t d = 2 + (uint32_t)hs_random_below(&stream, MOST_FEATURES - 1), first[36],
                 second[36];
        hs_random_shape shape = {.instances = 12,
                                 .features = d,
                                 .classes = 2,
                                 .density = 0.3,
                                 .parents = 1.5,
                                 .true_path = round % 3 > 0};
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        hs_stability_space space = {0};
        hs_stability found, again;
        uint64_t sets[SETS];
        double c[MOST_FEATURES][MOST_FEATURES], flat[36], k = 0, mean = 0;
        for (int i = 0; i < SETS; i++) {
            sets[i] = hs_random_below(&stream, UINT64_C(1) << d);
            k += (double)hs_bits_count(&sets[i], 1) / SETS;
        }
        assert_ok(
            hs_stability_space_init(&space, data, (hs_similarity_kind)(round % 3), 2, NULL, &error),
            error);
        assert_ok(hs_stability_of(sets, SETS, 1, d, &space, 1, &found, &error), error);
        assert_ok(hs_stability_of(sets, SETS, 1, d, &space, 3, &again, &error), error);
        double figure[2][HSEL_STABILITY_FIGURES];
        hs_stability_figures(&found, figure[0]);
        hs_stability_figures(&again, figure[1]);
        assert_memory_equal(figure[0], figure[1], sizeof figure[0]); /* whatever the threads */
        for (uint32_t i = 0; i < d * d; i++) {
            first[i] = i / d;
            second[i] = i % d;
        }
        assert_ok(hs_similarity_pairs(&space.similarity, first, second, d * d, flat, &error),
                  error);
        for (uint32_t i = 0; i < d * d; i++)
            c[i / d][i % d] = flat[i];
        double row[SETS] = {0}, chance = expectation(c, d, k), e = 1e-5 * d,
               slope = (expectation(c, d, k + e) - expectation(c, d, k - e)) / (2 * e);
        for (int i = 0; i < SETS; i++)
            for (int j = 0; j < SETS; j++) {
                double both = in_common(c, d, sets[i], sets[j]);
                row[i] += both / SETS;
                mean += i == j ? 0 : both / (SETS * (SETS - 1));
            }
        if (k > 0 && k < d) {
            double value = (mean - chance) / (k - chance), phi[SETS], average = 0, sum = 0;
            assert_true(fabs(found.hierarchy - value) < 1e-5);
            for (int i = 0; i < SETS; i++) { /* half the change by set i, linearised */
                double size = (double)hs_bits_count(&sets[i], 1);
                phi[i] = (row[i] - slope * size / 2) / (k - chance) -
                         value * (1 - slope) * size / 2 / (k - chance);
                average += phi[i] / SETS;
            }
            for (int i = 0; i < SETS; i++)
                sum += (phi[i] - average) * (phi[i] - average);
            assert_true(fabs(found.hierarchy_se - 2 * sqrt(sum) / SETS) < 1e-4);
        }
        hs_stability_space_clear(&space);
        hsel_dataset_free(data);
    }
}

/* Without edges it is the plain measure, interval included, through all of the machinery (there is
 * a hierarchy, of isolated features) and by any similarity. With several cases it is their mean. */
static void test_without_edges(void **state)
{
    enum { SETS = 7, CASES = 3, WORDS = 2 };
    hs_stream stream;
    hs_stream_init(&stream, 3, "stability", 0, 0);
    (void)state;
    for (int round = 0; round < 90; round++) {
        hsel_error error = {0};
        hs_random_shape shape = {.instances = 9, .features = 70, .classes = 2, .density = 0.3};
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        hs_stability_space space = {0};
        hs_stability all, one;
        uint64_t sets[SETS * CASES * WORDS];
        double mean[2] = {0};
        assert_ok(hs_dag_new(70, NULL, NULL, 0, &data->dag, &error), error);
        for (int i = 0; i < SETS * CASES * WORDS; i++)
            sets[i] = hs_random_u64(&stream) & (i % WORDS ? 63 : UINT64_MAX);
        assert_ok(
            hs_stability_space_init(&space, data, (hs_similarity_kind)(round % 3), 1, NULL, &error),
            error);
        assert_ok(hs_stability_of(sets, SETS, CASES, 70, &space, 1, &all, &error), error);
        assert_true(fabs(all.hierarchy - all.nogueira) < 1e-12);
        assert_true(fabs(all.hierarchy_se - all.nogueira_se) < 1e-12);
        for (int c = 0; c < CASES; c++) {
            uint64_t own[SETS * WORDS];
            for (int i = 0; i < SETS; i++)
                memcpy(own + i * WORDS, sets + (i * CASES + c) * WORDS, WORDS * sizeof *own);
            assert_ok(hs_stability_of(own, SETS, 1, 70, NULL, 1, &one, &error), error);
            mean[0] += one.nogueira / CASES;
            mean[1] += one.kuncheva / CASES;
        }
        assert_true(fabs(all.nogueira - mean[0]) < 1e-12 && fabs(all.kuncheva - mean[1]) < 1e-12);
        hs_stability_space_clear(&space);
        hsel_dataset_free(data);
    }
}

/* Features that are selected independently of each other with known probabilities: 95 % intervals
 * hold the true value that often if there are many sets, and are too narrow if there are ten. */
static void test_coverage(void **state)
{
    enum { TRIALS = 1500, SETS = 200, FEATURES = 60 };
    hs_stream stream;
    double p[FEATURES], spread = 0, mean = 0;
    (void)state;
    for (int f = 0; f < FEATURES; f++) {
        p[f] = f < 15 ? 0.9 - 0.02 * f : 0.05 + 0.002 * f;
        mean += p[f] / FEATURES;
        spread += p[f] * (1 - p[f]) / FEATURES;
    }
    double truth = 1 - spread / (mean * (1 - mean));
    for (uint32_t count = 10; count <= SETS; count *= 20) {
        int covered = 0;
        hs_stream_init(&stream, 4, "stability", count, 0);
        for (int trial = 0; trial < TRIALS; trial++) {
            uint64_t sets[SETS] = {0};
            for (uint32_t i = 0; i < count; i++)
                for (int f = 0; f < FEATURES; f++)
                    if (hs_random_double(&stream) < p[f])
                        hs_bit_set(&sets[i], (size_t)f);
            hs_stability s = plain(sets, count, FEATURES);
            covered += fabs(s.nogueira - truth) <= HS_STABILITY_Z * s.nogueira_se;
        }
        double share = (double)covered / TRIALS; /* standard error 0.006 */
        print_message("%u sets: 95 %% intervals cover %.3f\n", count, share);
        assert_true(count < SETS ? share > 0.8 && share < 0.9 : share > 0.93 && share < 0.97);
    }
}

static int all_of_it(void *context, hsel_error *error)
{
    const hsel_dataset *data = context;
    const uint64_t sets[] = {3, 9, 6, 12};
    hs_stability found;
    HS_OWNS(hs_stability_space_clear) hs_stability_space space = {0};
    HS_TRY(hs_stability_space_init(&space, data, HS_LIN, 2, NULL, error));
    return hs_stability_of(sets, 2, 2, data->features, &space, 2, &found, error);
}

static void test_memory(void **state)
{
    hs_stream stream;
    hs_random_shape shape = {
        .instances = 9, .features = 8, .classes = 2, .density = 0.3, .parents = 1};
    hs_stream_init(&stream, 5, "stability", 0, 0);
    (void)state;
    hsel_dataset *data = hs_random_dataset(&stream, &shape);
    hs_oom_each("stability", all_of_it, data);
    hsel_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),   cmocka_unit_test(test_published),
        cmocka_unit_test(test_hierarchy), cmocka_unit_test(test_without_edges),
        cmocka_unit_test(test_coverage),  cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

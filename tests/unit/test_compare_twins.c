/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ranks, wins, duels and Holm's procedure against slow obvious twins on random tables full of ties
 * and holes; and the order of rows and columns, which must not matter.
 */
#include "stats/compare.h"

#include <math.h>

#include "core/random.h"
#include "support/cmocka.h"
#include "support/near.h"

#define MOST_ROWS    12
#define MOST_COLUMNS 8
#define MOST_CELLS   (MOST_ROWS * MOST_COLUMNS)

/* ---- random tables ---- */

struct world {
    double value[MOST_CELLS];
    hs_results results;
};

/* Few different values, so that ties abound; now and then holes, fractions of ten, a
 * lower-is-better. */
static void random_world(hs_stream *stream, size_t fewest, struct world *w)
{
    size_t rows = fewest + hs_random_below(stream, MOST_ROWS + 1 - fewest);
    size_t columns = fewest + hs_random_below(stream, MOST_COLUMNS + 1 - fewest);
    uint64_t values = 1 + hs_random_below(stream, 9), holes = hs_random_below(stream, 3) ? 0 : 8;
    double unit = hs_random_below(stream, 2) ? 1 : 0.1;
    for (size_t i = 0; i < rows * columns; i++) {
        w->value[i] = 50 + unit * (double)hs_random_below(stream, values);
        if (holes && hs_random_below(stream, holes) == 0)
            w->value[i] = (double)NAN;
    }
    w->results = (hs_results){rows, columns, w->value, hs_random_below(stream, 4) == 0};
}

static bool twin_complete(const hs_results *r, size_t row)
{
    for (size_t c = 0; c < r->columns; c++)
        if (isnan(r->value[row * r->columns + c]))
            return false;
    return true;
}

/* How much better a is than b, in hundredths. */
static long twin_ahead(const hs_results *r, double a, double b)
{
    return lround((r->lower_is_better ? b - a : a - b) * 100);
}

static double twin_rank(const hs_results *r, size_t row, size_t column)
{
    double mine = r->value[row * r->columns + column], rank = 1;
    for (size_t c = 0; c < r->columns; c++) {
        double other = r->value[row * r->columns + c];
        if (c == column || isnan(other))
            continue;
        long ahead = twin_ahead(r, other, mine);
        rank += ahead > 0 ? 1 : ahead == 0 ? 0.5 : 0;
    }
    return isnan(mine) ? mine : rank;
}

static void test_ranks_of_twin(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "ranks", 0, 0);
    for (int i = 0; i < 20000; i++) {
        struct world w;
        HS_OWNS(hs_ranks_clear) hs_ranks ranks = {0};
        double sum[MOST_COLUMNS] = {0};
        size_t expected = 0;
        hsel_error error;
        random_world(&stream, 1, &w);
        assert_ok(hs_ranks_of(&w.results, &ranks, &error), error);
        size_t columns = w.results.columns;
        for (size_t r = 0; r < w.results.rows; r++) {
            bool whole = twin_complete(&w.results, r);
            double row = 0;
            expected += whole;
            for (size_t c = 0; c < columns; c++) {
                double twin = twin_rank(&w.results, r, c), got = ranks.rank[r * columns + c];
                assert_true(got == twin || (isnan(got) && isnan(twin)));
                row += isnan(got) ? 0 : got;
                sum[c] += whole ? got : 0;
            }
            if (whole)
                assert_true(row == (double)(columns * (columns + 1)) / 2);
        }
        assert_int_equal(ranks.complete, expected);
        for (size_t c = 0; c < columns; c++)
            assert_true(expected ? ranks.mean[c] == sum[c] / (double)expected
                                 : isnan(ranks.mean[c]));
    }
}

static void test_wins_and_duels_of_twin(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "wins", 0, 0);
    for (int i = 0; i < 20000; i++) {
        struct world w;
        uint32_t wins[MOST_COLUMNS];
        random_world(&stream, 1, &w);
        const hs_results *t = &w.results;
        long within = (long)hs_random_below(&stream, 4) * 10; /* hundredths */
        double tolerance = 0.1 * (double)(within / 10);
        hs_wins(t, tolerance, wins);
        for (size_t a = 0; a < t->columns; a++) {
            uint32_t best = 0;
            for (size_t r = 0; r < t->rows; r++) {
                double mine = t->value[r * t->columns + a];
                bool beaten = false; /* or the row lacks a value */
                for (size_t c = 0; c < t->columns; c++)
                    beaten |= isnan(t->value[r * t->columns + c]);
                for (size_t c = 0; c < t->columns && !beaten; c++)
                    beaten = twin_ahead(t, t->value[r * t->columns + c], mine) > within;
                best += !beaten;
            }
            assert_int_equal(wins[a], best);
            for (size_t b = 0; b < t->columns; b++) {
                const hs_duel duel = hs_duel_of(t, a, b, tolerance);
                const uint32_t got[3] = {duel.wins, duel.ties, duel.losses};
                uint32_t count[3] = {0};
                for (size_t r = 0; r < t->rows; r++) {
                    double x = t->value[r * t->columns + a], y = t->value[r * t->columns + b];
                    if (!isnan(x) && !isnan(y)) {
                        long ahead = twin_ahead(t, x, y);
                        count[ahead > within ? 0 : ahead >= -within ? 1 : 2]++;
                    }
                }
                assert_memory_equal(got, count, sizeof got);
            }
        }
    }
}

/* The definition: the largest of (m - number of smaller p's) p over the p's up to mine, at most 1.
 */
static double twin_holm(const hs_against *all, size_t count, size_t control, size_t mine)
{
    double adjusted = 0;
    for (size_t j = 0; j < count; j++) {
        size_t below = 0;
        if (j == control || all[j].p > all[mine].p)
            continue;
        for (size_t i = 0; i < count; i++)
            below += i != control && all[i].p < all[j].p;
        adjusted = fmax(adjusted, (double)(count - 1 - below) * all[j].p);
    }
    return fmin(1, adjusted);
}

static void test_holm_of_twin(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "holm", 0, 0);
    for (int i = 0; i < 10000; i++) {
        struct world w;
        HS_OWNS(hs_ranks_clear) hs_ranks ranks = {0};
        hs_against got[MOST_COLUMNS];
        hsel_error error;
        random_world(&stream, 2, &w);
        size_t columns = w.results.columns, control = hs_random_below(&stream, columns);
        const bool one_sided = hs_random_below(&stream, 2);
        assert_ok(hs_ranks_of(&w.results, &ranks, &error), error);
        if (!hs_can_test(&ranks)) /* too few complete rows */
            continue;
        assert_ok(hs_holm_test(&ranks, control, 0.2, one_sided, got, &error), error);
        for (size_t c = 0; c < columns; c++)
            if (c != control) {
                hs_assert_near(got[c].adjusted, twin_holm(got, columns, control, c), 1e-14);
                assert_true(got[c].adjusted >= got[c].p &&
                            got[c].rejected == (got[c].adjusted <= 0.2));
            }
    }
}

/* ---- what must hold ---- */

/* Rows and columns in another order, and both lists of where they went. */
static void permute(hs_stream *stream, const struct world *from, struct world *to,
                    uint32_t *column_to)
{
    uint32_t row_to[MOST_ROWS];
    size_t rows = from->results.rows, columns = from->results.columns;
    for (uint32_t r = 0; r < rows; r++)
        row_to[r] = r;
    for (uint32_t c = 0; c < columns; c++)
        column_to[c] = c;
    hs_random_shuffle(stream, row_to, rows);
    hs_random_shuffle(stream, column_to, columns);
    to->results = from->results;
    to->results.value = to->value;
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            to->value[row_to[r] * columns + column_to[c]] = from->value[r * columns + c];
}

static void test_order_does_not_matter(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "order", 0, 0);
    size_t tested = 0;
    for (int i = 0; i < 5000; i++) {
        struct world w, p;
        uint32_t to[MOST_COLUMNS];
        HS_OWNS(hs_ranks_clear) hs_ranks ranks = {0};
        HS_OWNS(hs_ranks_clear) hs_ranks permuted = {0};
        hs_against against[MOST_COLUMNS], moved[MOST_COLUMNS];
        hsel_error error;
        random_world(&stream, 2, &w);
        permute(&stream, &w, &p, to);
        size_t control = hs_random_below(&stream, w.results.columns);
        assert_ok(hs_ranks_of(&w.results, &ranks, &error), error);
        assert_ok(hs_ranks_of(&p.results, &permuted, &error), error);
        assert_int_equal(hs_can_test(&permuted), hs_can_test(&ranks));
        if (!hs_can_test(&ranks))
            continue;
        const hs_friedman before = hs_friedman_test(&ranks, 0.05),
                          after = hs_friedman_test(&permuted, 0.05);
        tested++;
        assert_int_equal(before.rows, after.rows);
        assert_true(fabs(before.chi2 - after.chi2) < 1e-9 && fabs(before.p_f - after.p_f) < 1e-9);
        assert_true(fabs(before.chi2_ties - after.chi2_ties) < 1e-9);
        assert_true(before.chi2 >= 0 && before.chi2_ties >= before.chi2 - 1e-9);
        assert_true(before.p_f >= 0 && before.p_f <= 1 && before.p_chi2 >= 0 && before.p_chi2 <= 1);
        assert_ok(hs_holm_test(&ranks, control, 0.05, false, against, &error), error);
        assert_ok(hs_holm_test(&permuted, to[control], 0.05, false, moved, &error), error);
        for (size_t c = 0; c < w.results.columns; c++)
            if (c != control)
                assert_true(fabs(against[c].adjusted - moved[to[c]].adjusted) < 1e-9);
    }
    assert_true(tested > 3000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranks_of_twin),
        cmocka_unit_test(test_wins_and_duels_of_twin),
        cmocka_unit_test(test_holm_of_twin),
        cmocka_unit_test(test_order_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums over columns against sums cell by cell: columns of every fullness, each used often, so that
 * lists and bytes both come in, and more of them at a time than a byte can count.
 */
#include "data/tally.h"

#include "core/random.h"
#include "support/cmocka.h"
#include "support/oom.h"

enum { COLUMNS = 24, ROWS = 200 };

struct table {
    uint32_t rows, list[COLUMNS][ROWS], length[COLUMNS];
    int cell[COLUMNS][ROWS];
};

static void fill(struct table *t, hs_stream *stream)
{
    t->rows = 1 + (uint32_t)hs_random_below(stream, ROWS);
    for (uint32_t c = 0; c < COLUMNS; c++) {
        double density = c % 4 == 0 ? 1.0 / 16 : c % 4 == 1 ? 0 : hs_random_double(stream);
        t->length[c] = 0;
        for (uint32_t r = 0; r < t->rows; r++) {
            t->cell[c][r] = c == 3 || hs_random_double(stream) < density;
            if (t->cell[c][r])
                t->list[c][t->length[c]++] = r;
        }
    }
}

static int tally_new(hs_tally *tally, const struct table *t, hsel_error *error)
{
    int status = hs_tally_init(tally, COLUMNS, t->rows, error);
    for (uint32_t c = 0; c < COLUMNS && status == HSEL_OK; c++)
        hs_tally_expect(tally, c, t->length[c]);
    return status ? status : hs_tally_ready(tally, error);
}

static void check_round(hs_tally *tally, const struct table *t, hs_stream *stream)
{
    int expected[ROWS] = {0};
    double down = hs_random_double(stream) * 1.4 -
                  0.2; /* now and then always the same way, past 127 columns */
    hs_tally_start(tally);
    for (uint64_t left = hs_random_below(stream, 600); left > 0; left--) {
        uint32_t c = (uint32_t)hs_random_below(stream, COLUMNS);
        int step = hs_random_double(stream) < down ? -1 : 1;
        if (step > 0)
            hs_tally_add(tally, c, t->list[c], t->length[c]);
        else
            hs_tally_subtract(tally, c, t->list[c], t->length[c]);
        for (uint32_t r = 0; r < t->rows; r++)
            expected[r] += step * t->cell[c][r];
    }
    if (hs_random_below(stream, 5) == 0)
        return; /* given up half way: the next round must not see any of it */
    const int32_t *sum = hs_tally_finish(tally);
    for (uint32_t r = 0; r < t->rows; r++)
        assert_int_equal(sum[r], expected[r]);
}

static void sums_of_random_columns(void **state)
{
    (void)state;
    static struct table t;
    hs_stream stream;
    hs_stream_init(&stream, 1, "tally", 0, 0);
    for (int i = 0; i < 100; i++) {
        hs_tally tally = {0};
        hsel_error error;
        fill(&t, &stream);
        assert_ok(tally_new(&tally, &t, &error), error);
        for (int round = 0; round < 20; round++)
            check_round(&tally, &t, &stream);
        hs_tally_clear(&tally);
    }
}

static void full_columns_have_bytes(void **state)
{
    (void)state;
    hs_tally tally;
    hsel_error error;
    assert_ok(hs_tally_init(&tally, 4, 160, &error), error);
    hs_tally_expect(&tally, 0, 9);
    hs_tally_expect(&tally, 1, 10);
    hs_tally_expect(&tally, 3, 160);
    hs_tally_expect(&tally, 3, 160);
    assert_ok(hs_tally_ready(&tally, &error), error);
    assert_int_equal(tally.slot[0], HSEL_NONE);
    assert_int_equal(tally.slot[1], 0);
    assert_int_equal(tally.slot[2], HSEL_NONE);
    assert_int_equal(tally.slot[3], 1);
    assert_int_equal(tally.slots, 2);
    hs_tally_clear(&tally);
}

static void nothing_at_all(void **state)
{
    (void)state;
    hs_tally tally;
    hsel_error error;
    assert_ok(hs_tally_init(&tally, 1, 0, &error), error);
    hs_tally_expect(&tally, 0, 0);
    assert_ok(hs_tally_ready(&tally, &error), error);
    hs_tally_start(&tally);
    hs_tally_add(&tally, 0, NULL, 0);
    assert_non_null(hs_tally_finish(&tally));
    hs_tally_clear(&tally);
}

static int make(void *context, hsel_error *error)
{
    hs_tally tally;
    int status = tally_new(&tally, context, error);
    hs_tally_clear(&tally);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    static struct table t;
    hs_stream stream;
    hs_stream_init(&stream, 2, "tally", 0, 0);
    fill(&t, &stream);
    assert_int_equal(hs_oom_each("tally", make, &t), 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_of_random_columns),
        cmocka_unit_test(full_columns_have_bytes),
        cmocka_unit_test(nothing_at_all),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Folds and permutations by groups, times and test sets: their properties on random designs.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "data/design.h"
#include "data/folds.h"
#include "data/summary.h"
#include "support/cmocka.h"
#include "support/data_io.h"
#include "support/oom.h"

enum { MOST = 60, NO_GROUP = 1000 };

struct design {
    uint32_t n, classes, label[MOST], group[MOST]; /* NO_GROUP: none */
    double time[MOST];
    bool grouped, timed;
    hsel_dataset *data;
};

static void make_data(struct design *d)
{
    char names[MOST * 8], *at = names;
    hsel_error error = {0};
    for (uint32_t i = 0; i < d->n; i++)
        at += 1 + (d->group[i] == NO_GROUP ? (*at = '\0') : sprintf(at, "g%u", d->group[i]));
    const uint64_t start[MOST + 1] = {0};
    const hsel_arrays arrays = {.size = sizeof arrays,
                                .instances = d->n,
                                .classes = d->classes,
                                .layout = HSEL_ROWS,
                                .start = start,
                                .wide = 1,
                                .labels = d->label,
                                .groups = d->grouped ? names : NULL,
                                .time = d->timed ? d->time : NULL};
    assert_ok(hsel_dataset_from_arrays(&arrays, &d->data, &error), error);
}

static uint32_t below(hs_stream *stream, uint32_t limit)
{
    return (uint32_t)hs_random_below(stream, limit);
}

static struct design draw(uint64_t round, bool grouped, bool timed)
{
    struct design d = {.grouped = grouped, .timed = timed};
    hs_stream stream;
    hs_stream_init(&stream, round, "design", 0, 0);
    d.n = 6 + below(&stream, MOST - 5);
    d.classes = 2 + below(&stream, 2);
    const uint32_t groups = 2 + below(&stream, d.n), times = 3 + below(&stream, 2 * d.n);
    for (uint32_t i = 0; i < d.n; i++) {
        d.label[i] = i < 2 ? i : below(&stream, d.classes);
        d.group[i] = below(&stream, 10) ? below(&stream, groups) : NO_GROUP;
        d.time[i] = (double)below(&stream, times) / 4;
    }
    make_data(&d);
    return d;
}

static bool together(const struct design *d, uint32_t i, uint32_t j)
{
    return i == j || (d->group[i] == d->group[j] && d->group[i] != NO_GROUP);
}

/* row_of: instances of the folds' positions. */
static void check_folds(const struct design *d, const hs_folds *folds, const uint32_t *row_of,
                        uint32_t count, uint32_t past)
{
    for (uint32_t f = 0; f < folds->count; f++)
        assert_true(folds->start[f + 1] > folds->start[f]);
    for (uint32_t f = 0, rows[MOST]; f < folds->count; f++) {
        const uint32_t size = hs_folds_training(folds, f, rows);
        assert_true(size > 0);
        for (uint32_t a = 0; a < size; a++)
            for (uint32_t b = folds->start[f]; b < folds->start[f + 1]; b++) {
                const uint32_t learned = row_of[rows[a]], tested = row_of[folds->order[b]];
                assert_true(!d->grouped || !together(d, learned, tested));
                assert_true(!d->timed || d->time[learned] < d->time[tested]);
            }
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t f = 0; f < folds->count; f++) { /* what should be learned from is */
            const uint32_t *of = folds->fold_of;
            const uint32_t block = of[i] == HS_FOLD_LEARNS ? 0 : of[i] + 1;
            bool apart = true;
            for (uint32_t b = folds->start[f]; b < folds->start[f + 1]; b++)
                apart &= !d->grouped || !together(d, row_of[i], row_of[folds->order[b]]);
            assert_true(d->timed || of[i] < folds->count);
            assert_int_equal(hs_fold_learns(folds, i, f),
                             d->timed ? apart && block <= f && f + 1 - block <= past : of[i] != f);
        }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < i; j++)
            if (d->timed ? d->time[row_of[i]] == d->time[row_of[j]]
                         : together(d, row_of[i], row_of[j]))
                assert_int_equal(folds->fold_of[i], folds->fold_of[j]);
}

static void test_random_designs(void **state)
{
    uint32_t made = 0, refused = 0, every[MOST];
    (void)state;
    for (uint32_t i = 0; i < MOST; i++)
        every[i] = i;
    for (uint64_t round = 0; round < 6000; round++) {
        struct design d = draw(round, round % 3 != 1, round % 3 != 0);
        const hs_fold_scheme scheme = d.timed && round % 2 ? HS_FOLDS_WINDOW
                                      : round % 5 == 0     ? HS_FOLDS_LOO
                                                           : HS_FOLDS_OWN;
        const uint32_t count = 2 + (uint32_t)(round / 6 % 4), window = 1 + (uint32_t)(round % 3);
        hsel_error error = {0};
        hs_folds folds = {0}, again = {0};
        const uint64_t seed = scheme == HS_FOLDS_WINDOW ? window : round;
        int status = hs_folds_make(d.data, scheme, count, seed, &folds, &error);
        if (status == HSEL_OK) {
            assert_true(scheme == HS_FOLDS_LOO || folds.count == count);
            check_folds(&d, &folds, every, d.n, scheme == HS_FOLDS_WINDOW ? window : HSEL_NONE);
            assert_ok(hs_folds_make(d.data, scheme, count, seed, &again, &error), error);
            assert_memory_equal(folds.fold_of, again.fold_of, d.n * sizeof *folds.fold_of);
        } else {
            assert_int_equal(status, HSEL_EUSAGE);
        }
        made += status == HSEL_OK;
        refused += status != HSEL_OK;
        hs_folds_clear(&folds);
        hs_folds_clear(&again);
        /* a training part */
        uint32_t rows[MOST], size = 0;
        for (uint32_t i = 0; i < d.n; i++)
            if ((i * 7 + round) % 3)
                rows[size++] = i;
        const hs_view view = {.data = d.data, .rows = rows, .row_count = size};
        if (hs_folds_of_view(&view, count, round, &folds, &error) == HSEL_OK) {
            check_folds(&d, &folds, rows, size, HSEL_NONE);
            assert_ok(hs_folds_within(&view, count, round, &again, &error), error);
            for (uint32_t i = 0; i < size; i++)
                for (uint32_t f = 0; f < folds.count; f++)
                    assert_int_equal(hs_fold_learns(&folds, i, f),
                                     hs_fold_learns(&again, rows[i], f));
            hs_folds_clear(&again);
            hs_folds_clear(&folds);
        }
        hsel_dataset_free(d.data);
    }
    assert_true(made > 4000 && refused > 50);
}

/* Groups of one instance: as balanced as folds without groups. */
static void test_small_groups_are_stratified(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < 300; round++) {
        struct design d = draw(round, true, false);
        for (uint32_t i = 0; i < d.n; i++)
            d.group[i] = i % 2 ? NO_GROUP : i;
        hsel_dataset_free(d.data);
        make_data(&d);
        hsel_error error = {0};
        hs_folds folds = {0};
        assert_ok(hs_folds_make(d.data, HS_FOLDS_OWN, 3, round, &folds, &error), error);
        assert_int_equal(folds.groups, d.n);
        for (uint32_t c = 0; c < d.classes; c++) {
            uint32_t in[3] = {0}, least, most;
            for (uint32_t i = 0; i < d.n; i++)
                in[folds.fold_of[i]] += d.label[i] == c;
            least = in[0] < in[1] ? in[0] : in[1];
            most = in[0] > in[1] ? in[0] : in[1];
            assert_true((most > in[2] ? most : in[2]) - (least < in[2] ? least : in[2]) <= 1);
        }
        hs_folds_clear(&folds);
        hsel_dataset_free(d.data);
    }
}

/* Without ties: those of scikit-learn's TimeSeriesSplit. */
static void test_different_times(void **state)
{
    (void)state;
    for (uint32_t n = 6; n <= MOST; n++)
        for (uint32_t k = 2; k <= 5; k++) {
            struct design d = {.n = n, .classes = 2, .timed = true};
            hsel_error error = {0};
            hs_folds folds = {0};
            for (uint32_t i = 0; i < n; i++) {
                d.label[i] = i % 2;
                d.time[i] = (double)((i * 37) % 61);
            }
            make_data(&d);
            assert_ok(hs_folds_make(d.data, HS_FOLDS_OWN, k, 1, &folds, &error), error);
            const uint32_t size = n / (k + 1), first = n - k * size;
            for (uint32_t i = 0; i < n; i++) {
                uint32_t rank = 0;
                for (uint32_t j = 0; j < n; j++)
                    rank += d.time[j] < d.time[i];
                assert_int_equal(folds.fold_of[i],
                                 rank < first ? HS_FOLD_LEARNS : (rank - first) / size);
            }
            hs_folds_clear(&folds);
            hsel_dataset_free(d.data);
        }
}

/* ---- a test set ---- */

static void set_role(hsel_dataset *data, const char *role, const char *const *text)
{
    hsel_error error = {0};
    hs_about more = {0};
    assert_ok(hs_names_append_text(&more.columns, role, &error), error);
    for (uint32_t i = 0; i < data->instances; i++)
        assert_ok(hs_names_append_text(&more.cells, text[i], &error), error);
    assert_ok(hs_about_join(&data->instance_about, &more, data->instances, &error), error);
    hs_about_clear(&more);
}

static void test_test_set(void **state)
{
    static const char *const sets[] = {"test", "train", "", "Yes", "0", "false"};
    static const uint32_t expected[] = {0, HSEL_NONE,      HS_FOLD_LEARNS,
                                        0, HS_FOLD_LEARNS, HS_FOLD_LEARNS};
    struct design d = {.n = 6,
                       .classes = 2,
                       .grouped = true,
                       .label = {0, 1, 0, 1, 0, 1},
                       .group = {1, 1, 2, 3, NO_GROUP, 2}};
    hsel_error error = {0};
    hs_folds folds = {0};
    char text[HS_FOLDS_ROOM];
    (void)state;
    make_data(&d);
    set_role(d.data, HS_ABOUT_TEST, sets);
    assert_ok(hs_folds_make(d.data, HS_FOLDS_OWN, 10, 1, &folds, &error), error);
    assert_int_equal(folds.count, 1);
    assert_memory_equal(folds.fold_of, expected, sizeof expected);
    assert_string_equal(hs_folds_say(&folds, text),
                        "a test set of 2 of 6 instances, none of 4 groups split");
    hs_folds_clear(&folds);
    assert_int_equal(hs_folds_make(d.data, HS_FOLDS_WEKA, 2, 1, &folds, &error), HSEL_EUSAGE);
    static const char *const wrong[] = {"a", "a", "a", "a", "a", "a"}, *const all[] = {"1", "1",
                                                                                       "1", "1",
                                                                                       "1", "1"};
    set_role(d.data, HS_ABOUT_TEST, wrong);
    assert_int_equal(hs_folds_make(d.data, HS_FOLDS_OWN, 2, 1, &folds, &error), HSEL_EUSAGE);
    assert_string_equal(error.message,
                        "'test-set': instance 1 of data is in the set 'a', which is neither test "
                        "(yes, true, 1) nor train (no, false, 0)");
    set_role(d.data, HS_ABOUT_TEST, all);
    assert_int_equal(hs_folds_make(d.data, HS_FOLDS_OWN, 2, 1, &folds, &error), HSEL_EUSAGE);
    assert_string_equal(error.message, "every instance of data is in the test set");
    hsel_dataset_free(d.data);
}

static void test_set_words(void **state)
{
    static const char *const words[2][8] = {
        {"train", "Training", "NO", "False", "F", "f", "0", "0.0"},
        {"test", "TESTING", "yes", "True", "T", "t", "1", "1.0"}};
    (void)state;
    for (int set = 0; set < 2; set++)
        for (int w = 0; w < 8; w++)
            assert_int_equal(hs_test_parse(words[set][w]), set);
    assert_int_equal(hs_test_parse(""), 0);
    assert_int_equal(hs_test_parse("2"), -1);
}

/* ---- refusals, words ---- */

static void refuse(struct design d, hs_fold_scheme scheme, uint32_t count, const char *why)
{
    hsel_error error = {0};
    hs_folds folds = {0};
    make_data(&d);
    assert_int_equal(hs_folds_make(d.data, scheme, count, 1, &folds, &error), HSEL_EUSAGE);
    assert_string_equal(error.message, why);
    hsel_dataset_free(d.data);
}

static void test_refusals(void **state)
{
    const struct design two = {.n = 4,
                               .classes = 2,
                               .grouped = true,
                               .label = {0, 1, 0, 1},
                               .group = {1, 1, 2, 2}},
                        one = {.n = 4, .classes = 2, .grouped = true, .label = {0, 1, 0, 1}},
                        late = {.n = 4,
                                .classes = 2,
                                .timed = true,
                                .label = {0, 1, 0, 1},
                                .time = {1, 2, 3, (double)NAN}};
    (void)state;
    refuse(two, HS_FOLDS_OWN, 3, "3 folds are more than the 2 groups of data: use at most 2");
    refuse(
        one, HS_FOLDS_OWN, 2,
        "all 4 instances belong to one group in data: they cannot be split into training and test");
    refuse(late, HS_FOLDS_OWN, 2, "'time': instance 4 of data has no time");
    refuse(two, HS_FOLDS_WAN, 2,
           "the fold schemes weka and wan do not support groups, times or test sets, but data has "
           "some: "
           "use own or loo");
}

static int check_weights(void *context, hsel_error *error)
{
    return hs_weights_check(context, error);
}

/* Of arrays, and texts that no reader has checked. */
static void test_weights(void **state)
{
    static const uint32_t label[] = {0, 1, 0, 1};
    static const double weight[] = {0.25, 3, 1e-9, 7};
    static const uint8_t test[] = {0, 1, 1, 0};
    static const uint64_t start[5] = {0};
    hsel_error error = {0};
    hsel_arrays arrays = {.size = sizeof arrays,
                          .instances = 4,
                          .classes = 2,
                          .layout = HSEL_ROWS,
                          .start = start,
                          .wide = 1,
                          .labels = label,
                          .weights = weight,
                          .test_set = test};
    hsel_dataset *data = NULL;
    double *out = NULL;
    hs_folds folds = {0};
    (void)state;
    assert_ok(hsel_dataset_from_arrays(&arrays, &data, &error), error);
    assert_ok(hs_weights_of(data, &out, &error), error);
    assert_memory_equal(out, weight, sizeof weight);
    hs_free(out);
    assert_true(hs_oom_each("weights", check_weights, data) > 0);
    assert_ok(hs_folds_make(data, HS_FOLDS_OWN, 2, 1, &folds, &error), error);
    assert_int_equal(folds.count, 1);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(hs_fold_tests(&folds, i), test[i]);
    hs_folds_clear(&folds);
    hs_about *about = &data->instance_about;
    for (size_t i = 0; i < 4; i++) {
        static const char *const bad[] = {"-1", "0x", "inf", ""};
        hs_about_clear(about);
        assert_ok(hs_names_append_text(&about->columns, HS_ABOUT_WEIGHT, &error), error);
        for (size_t k = 0; k < 4; k++)
            assert_ok(hs_names_append_text(&about->cells, k == 2 ? bad[i] : "2", &error), error);
        assert_int_equal(hs_weights_of(data, &out, &error), HSEL_EUSAGE);
        assert_null(out);
        assert_non_null(strstr(error.message, i == 3 ? "instance 3 of data has no weight"
                                                     : "which is not a number above 0"));
    }
    hsel_dataset_free(data);
    for (size_t i = 0; i < 4; i++) {
        const double bad[] = {0, -1, (double)NAN, (double)INFINITY};
        const double given[] = {1, bad[i], 1, 1};
        arrays.weights = given;
        assert_int_equal(hsel_dataset_from_arrays(&arrays, &data, &error), HSEL_EUSAGE);
        assert_non_null(strstr(error.message, "the weight of instance 1 is"));
    }
}

static void test_times(void **state)
{
    static const struct {
        const char *text;
        bool known, date;
        double value;
    } cases[] = {{"2.5", true, false, 2.5},
                 {"20260301", true, false, 20260301},
                 {"1970-01-02", true, true, 86400},
                 {"1970-02", true, true, 31 * 86400.0},
                 {"1970-01-01T01:02", true, true, 3720},
                 {"1970-01-01 01:02:03.5Z", true, true, 3723.5},
                 {"1969-12-31", true, true, -86400},
                 {"2024-02-29", true, true, 1709164800},
                 {"1970-01-01T23:59:59", true, true, 86399},
                 {"1970-13-01", false, false, 0},
                 {"1970-00-01", false, false, 0},
                 {"1970-01-00", false, false, 0},
                 {"2023-02-29", false, false, 0},
                 {"2024-02-30", false, false, 0},
                 {"2024- 2- 3", false, false, 0},
                 {"-024-02-03", false, false, 0},
                 {"2024-02T10:00", false, false, 0},
                 {"2024-02-03T25:99", false, false, 0},
                 {"2024-02-03T24:00", false, false, 0},
                 {"2024-02-03T-1:-5", false, false, 0},
                 {"2024-02-03T10", false, false, 0},
                 {"2024-02-03T10:00:60", false, false, 0},
                 {"2024-02-03T10:00:nan", false, false, 0},
                 {"2024-02-03T10:00:inf", false, false, 0},
                 {"2024-02-03T10:00:1e9", false, false, 0},
                 {"2024-02-03T10:00:01.", false, false, 0},
                 {"2024-02-03T10:00:01.5e3", false, false, 0},
                 {"2024-02-03T10:00+02:00", false, false, 0},
                 {"1970-01-01x", false, false, 0},
                 {"1970-1-01", false, false, 0},
                 {"soon", false, false, 0},
                 {"inf", false, false, 0},
                 {"", false, false, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value;
        bool date;
        assert_int_equal(hs_time_parse(cases[i].text, &value, &date), cases[i].known);
        if (cases[i].known) {
            assert_true(value == cases[i].value);
            assert_int_equal(date, cases[i].date);
        }
    }
}

/* ---- exchanging ---- */

static void test_exchange(void **state)
{
    uint32_t between = 0, within = 0;
    (void)state;
    for (uint64_t round = 0; round < 3000; round++) {
        struct design d = draw(round, round % 4 != 0, false);
        hsel_error error = {0};
        hs_exchange exchange = {0};
        uint32_t stratum[MOST], scratch[MOST], order[MOST], size[MOST] = {0}, moved = 0;
        bool constant = true, used[MOST] = {false};
        hs_stream stream;
        for (uint32_t i = 0; i < d.n; i++)
            stratum[i] = round % 3 ? 0 : i % 2;
        for (uint32_t i = 0; i < d.n; i++)
            for (uint32_t j = 0; j < d.n; j++)
                if (d.grouped && together(&d, i, j) && stratum[i] == stratum[j]) {
                    if (round % 8 < 4 && j > i)
                        d.label[j] = d.label[i];
                    size[i]++;
                }
        for (uint32_t i = 0; i < d.n; i++)
            for (uint32_t j = 0; j < i; j++)
                constant &= !d.grouped || !together(&d, i, j) || stratum[i] != stratum[j] ||
                            d.label[i] == d.label[j];
        const hs_view view = hs_view_all(d.data);
        assert_ok(hs_exchange_init(&view, round % 3 ? NULL : stratum, d.label, &exchange, &error),
                  error);
        assert_int_equal(exchange.grouped, d.grouped);
        assert_int_equal(exchange.between, d.grouped && constant);
        hs_stream_init(&stream, round, "test", 0, 0);
        hs_exchange_draw(&exchange, &stream, scratch, order);
        for (uint32_t i = 0; i < d.n; i++) {
            assert_true(order[i] < d.n && !used[order[i]]);
            used[order[i]] = true;
            moved += order[i] != i;
            assert_int_equal(stratum[i], stratum[order[i]]);
            if (d.grouped && !constant)
                assert_true(together(&d, i, order[i]));
            for (uint32_t j = 0; j < i && d.grouped && constant; j++)
                assert_int_equal(together(&d, i, j) && stratum[i] == stratum[j],
                                 together(&d, order[i], order[j]) &&
                                     stratum[order[i]] == stratum[order[j]]);
            if (d.grouped && constant)
                assert_int_equal(size[i], size[order[i]]);
        }
        uint32_t fixed = 0; /* those to which only values like their own can come */
        bool spans = false;
        for (uint32_t i = 0; i < d.n; i++) {
            bool alone = true;
            for (uint32_t j = 0; j < d.n; j++) {
                const bool same = together(&d, i, j);
                spans |= d.grouped && constant && same && stratum[i] != stratum[j];
                if (i == j || stratum[i] != stratum[j])
                    continue;
                alone &= d.grouped && (constant ? same || size[i] != size[j]
                                                : !same || d.label[i] == d.label[j]);
            }
            fixed += alone;
        }
        assert_int_equal(exchange.fixed, fixed);
        assert_int_equal(exchange.spans, spans);
        assert_true(d.grouped || moved <= d.n - fixed);
        between += exchange.between;
        within += exchange.grouped && !exchange.between;
        hs_exchange_clear(&exchange);
        hsel_dataset_free(d.data);
    }
    assert_true(between > 100 && within > 100);
}

/* ---- near copies ---- */

/* The first half of the rows are copies of each other in pairs, with one feature flipped. */
static hsel_dataset *copies(uint32_t pairs, uint32_t others, uint32_t positives)
{
    enum { FEATURES = 400 };
    const uint32_t n = 2 * pairs + others;
    uint8_t *values = calloc((size_t)n * FEATURES, 1);
    hs_stream stream;
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    hs_stream_init(&stream, 1, "copies", pairs, others);
    assert_non_null(values);
    for (uint32_t i = 0; i < n; i++) {
        uint8_t *row = values + (size_t)i * FEATURES;
        if (i < 2 * pairs && i % 2)
            memcpy(row, row - FEATURES, FEATURES);
        for (uint32_t k = i < 2 * pairs && i % 2 ? positives : 0; k <= positives; k++)
            row[below(&stream, FEATURES)] = 1;
    }
    const hsel_arrays arrays = {.size = sizeof arrays,
                                .instances = n,
                                .features = FEATURES,
                                .layout = HSEL_DENSE,
                                .number = HSEL_U8,
                                .values = values,
                                .row_stride = FEATURES,
                                .column_stride = 1};
    assert_ok(hsel_dataset_from_arrays(&arrays, &data, &error), error);
    free(values);
    return data;
}

static void test_near_copies(void **state)
{
    static const struct {
        uint32_t pairs, others, positives, least, most;
        bool many;
    } cases[] = {{100, 100, 30, 190, 200, true},
                 {20, 200, 30, 36, 40, false},
                 {0, 300, 30, 0, 0, false},
                 {100, 100, 4, 0, 0, false}, /* few features say little */
                 {0, 0, 4, 0, 0, false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hsel_dataset *data = copies(cases[i].pairs, cases[i].others, cases[i].positives);
        hsel_error error = {0};
        hs_repeats found;
        assert_ok(hs_repeats_find(data, &found, &error), error);
        assert_in_range(found.instances, cases[i].least, cases[i].most);
        assert_int_equal(found.many, cases[i].many);
        if (found.first != HSEL_NONE)
            assert_int_equal(found.first / 2, found.second / 2);
        hsel_dataset_free(data);
    }
}

/* Groups that separate copies, and groups that keep them together. */
static void test_copies_across_groups(void **state)
{
    (void)state;
    for (int wrong = 0; wrong < 2; wrong++) {
        hsel_dataset *data = copies(100, 100, 30);
        hs_about *about = &data->instance_about;
        hsel_error error = {0};
        hs_repeats found;
        char name[16];
        assert_ok(hs_names_append_text(&about->columns, HS_ABOUT_GROUP, &error), error);
        for (uint32_t i = 0; i < data->instances; i++) {
            snprintf(name, sizeof name, "g%u", wrong ? i % 2 : i / 2);
            assert_ok(hs_names_append_text(&about->cells, name, &error), error);
        }
        assert_ok(hs_repeats_find(data, &found, &error), error);
        assert_true(found.grouped);
        assert_int_equal(found.many, wrong);
        assert_in_range(found.instances, wrong ? 190 : 0, wrong ? 200 : 0);
        hsel_dataset_free(data);
    }
}

/* Families whose members have up to six features changed, and instances with few features. */
static hsel_dataset *families(uint32_t seed, uint8_t *values, uint32_t n, uint32_t features)
{
    hs_stream stream;
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    hs_stream_init(&stream, seed, "families", 0, 0);
    memset(values, 0, (size_t)n * features);
    for (uint32_t i = 0; i < n; i++) {
        uint8_t *row = values + (size_t)i * features;
        const uint32_t of = below(&stream, i + 1);
        if (of < i && of % 3)
            memcpy(row, values + (size_t)of * features, features);
        for (uint32_t k = 0; of == i || of % 3 == 0 ? k < 4 + i % 20 : k < i % 7; k++)
            row[below(&stream, features)] ^= 1;
    }
    const hsel_arrays arrays = {.size = sizeof arrays,
                                .instances = n,
                                .features = features,
                                .layout = HSEL_DENSE,
                                .number = HSEL_U8,
                                .values = values,
                                .row_stride = features,
                                .column_stride = 1};
    assert_ok(hsel_dataset_from_arrays(&arrays, &data, &error), error);
    return data;
}

/* The twin compares all pairs of instances. */
static void test_joined_copies(void **state)
{
    enum { N = 120, FEATURES = 300 };
    static uint8_t values[N * FEATURES];
    uint32_t joined = 0, apart = 0;
    (void)state;
    for (uint32_t seed = 0; seed < 200; seed++) {
        const uint32_t n = 2 + seed % (N - 1);
        hsel_dataset *data = families(seed, values, n, FEATURES);
        uint32_t fast[N], slow[N];
        hsel_error error = {0};
        assert_ok(hs_copies_join(data, fast, &error), error);
        for (uint32_t i = 0; i < n; i++)
            slow[i] = i;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < i; j++) {
                uint32_t both = 0, either = 0, of_i = 0, of_j = 0;
                for (uint32_t f = 0; f < FEATURES; f++) {
                    const uint8_t a = values[i * FEATURES + f], b = values[j * FEATURES + f];
                    both += a & b;
                    either += a | b;
                    of_i += a;
                    of_j += b;
                }
                if (of_i < 10 || of_j < 10 || both < 0.8 * either)
                    continue;
                for (uint32_t k = 0, from = slow[i], to = slow[j]; k < n; k++)
                    slow[k] = slow[k] == from ? to : slow[k];
            }
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < i; j++) {
                const bool same = slow[i] == slow[j];
                assert_int_equal(hs_joined(fast, i) == hs_joined(fast, j), same);
                joined += same;
                apart += !same;
            }
        hsel_dataset_free(data);
    }
    assert_true(joined > 1000 && apart > 1000);
}

static void test_identifiers(void **state)
{
    static const struct {
        const char *before, *between;
        int width;
        bool many;
    } cases[] = {{"p", "_", 1, true},    {"sample_", "_r", 1, true}, {"p_", "", 1, false},
                 {"daf-", "", 3, false}, {"", ".", 1, true},         {"", "", 1, false}};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char names[40 * 32], *at = names;
        const uint64_t start[41] = {0};
        hsel_error error = {0};
        hsel_dataset *data = NULL;
        hs_repeats found;
        for (uint32_t i = 0; i < 40; i++)
            at += 1 + snprintf(at, 32, "%s%u%s%0*u", cases[c].before, i / 4, cases[c].between,
                               cases[c].width, i % 4);
        const hsel_arrays arrays = {.size = sizeof arrays,
                                    .instances = 40,
                                    .layout = HSEL_ROWS,
                                    .start = start,
                                    .wide = 1,
                                    .ids = names};
        assert_ok(hsel_dataset_from_arrays(&arrays, &data, &error), error);
        assert_ok(hs_repeats_find(data, &found, &error), error);
        assert_int_equal(found.many, cases[c].many);
        assert_int_equal(found.named, cases[c].many);
        if (found.named)
            assert_int_equal(found.separator, cases[c].between[0]);
        hsel_dataset_free(data);
    }
}

/* ---- memory ---- */

static int find_copies(void *context, hsel_error *error)
{
    uint32_t of[MOST];
    hs_repeats found;
    int status = hs_repeats_find(context, &found, error);
    return status ? status : hs_copies_join(context, of, error);
}

static int use_all(void *context, hsel_error *error)
{
    const struct design *d = context;
    const hs_view view = hs_view_all(d->data);
    hs_folds folds = {0};
    hs_exchange exchange = {0};
    int status = hs_folds_make(d->data, HS_FOLDS_OWN, 3, 1, &folds, error);
    hs_folds_clear(&folds);
    if (status == HSEL_OK)
        status = hs_folds_within(&view, 3, 1, &folds, error);
    hs_folds_clear(&folds);
    if (status == HSEL_OK)
        status = hs_exchange_init(&view, NULL, d->label, &exchange, error);
    hs_exchange_clear(&exchange);
    return status;
}

static void test_memory(void **state)
{
    (void)state;
    for (int kind = 1; kind < 4; kind++) {
        struct design d = draw(5, kind & 1, kind & 2);
        assert_true(hs_oom_each("design", use_all, &d) > 10);
        assert_true(hs_oom_each("copies", find_copies, d.data) > 4);
        hsel_dataset_free(d.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_designs),
                                       cmocka_unit_test(test_small_groups_are_stratified),
                                       cmocka_unit_test(test_different_times),
                                       cmocka_unit_test(test_test_set),
                                       cmocka_unit_test(test_set_words),
                                       cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_weights),
                                       cmocka_unit_test(test_times),
                                       cmocka_unit_test(test_exchange),
                                       cmocka_unit_test(test_near_copies),
                                       cmocka_unit_test(test_copies_across_groups),
                                       cmocka_unit_test(test_identifiers),
                                       cmocka_unit_test(test_joined_copies),
                                       cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mrmr, jmi and cmim against a twin that reads values row by row into tables, on random data with
 * features of every type, missing values, instances without class, and hierarchies.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "rank/ordered.h"
#include "select/select.h"
#include "support/cmocka.h"
#include "support/random_data.h"

#define MOST_ROWS     24
#define MOST_FEATURES 10
#define MOST_VALUES   8

struct world {
    hsel_dataset *data;
    hs_training training;
    hs_counts counts;
    uint32_t rows[MOST_ROWS], n;                 /* labelled ones of the training part */
    uint32_t code[MOST_FEATURES + 1][MOST_ROWS]; /* values as numbers; the last: the class */
    bool above[MOST_FEATURES][MOST_FEATURES];
};

/* Intervals end at these values. */
static uint32_t ends_of(const struct world *w, uint32_t f, double *ends)
{
    hsel_error error = {0};
    hs_labelled columns = {0};
    hs_ordered o = {0};
    uint32_t count = 0;
    assert_ok(hs_labelled_init(&columns, &w->training, &error), error);
    assert_ok(hs_ordered_init(&o, &columns, &error), error);
    hs_order_column(&columns, f, &o);
    if (o.known)
        hs_mdl_cuts(&columns, &o);
    for (uint32_t group = 0; group + 1 < o.groups; group++)
        if (o.cut[group])
            ends[count++] = o.value[group];
    hs_ordered_clear(&o);
    hs_labelled_clear(&columns);
    return count;
}

static double entropy(const struct world *w, uint32_t a, uint32_t b, uint32_t c)
{
    static uint32_t count[MOST_VALUES][MOST_VALUES][MOST_VALUES];
    double sum = 0;
    memset(count, 0, sizeof count);
    for (uint32_t i = 0; i < w->n; i++)
        count[a < HSEL_NONE ? w->code[a][i] : 0][b < HSEL_NONE ? w->code[b][i] : 0]
             [c < HSEL_NONE ? w->code[c][i] : 0]++;
    for (uint32_t i = 0; i < MOST_VALUES; i++)
        for (uint32_t j = 0; j < MOST_VALUES; j++)
            for (uint32_t k = 0; k < MOST_VALUES; k++)
                if (count[i][j][k])
                    sum -= (double)count[i][j][k] / w->n * log2((double)count[i][j][k] / w->n);
    return sum;
}
#define H(...)                      entropy_of(w, __VA_ARGS__, HSEL_NONE, HSEL_NONE)
#define entropy_of(w, a, b, c, ...) entropy(w, a, b, c)

/* The chosen ones in their order into `order`; returns how many. */
static uint32_t twin(const struct world *w, int kind, int related, uint32_t k, uint32_t *order)
{
    const uint32_t d = w->data->features, c = MOST_FEATURES;
    uint32_t count = 0;
    bool taken[MOST_FEATURES] = {0};
    for (; count < k; count++) {
        double best = -INFINITY;
        uint32_t found = HSEL_NONE;
        for (uint32_t f = 0; f < d; f++) {
            double relevance = H(f) + H(c) - H(f, c), j = kind == 2 || !count ? relevance : 0;
            bool out = taken[f] || !hs_view_has(&w->training.view, f);
            for (uint32_t i = 0; i < count; i++) {
                uint32_t s = order[i];
                bool is_related = w->above[f][s] || w->above[s][f],
                     told = is_related && related == 1;
                double shared = told ? H(f) : H(f) + H(s) - H(f, s);
                double with = told ? H(s) + H(c) - H(s, c) : H(f, s) + H(c) - H(f, s, c);
                double beyond = told ? 0 : H(f, s) + H(c, s) - H(f, s, c) - H(s);
                out |= is_related && related == 2;
                if (kind == 0)
                    j += (relevance - shared) / count;
                else if (kind == 1)
                    j += with;
                else
                    j = fmin(j, beyond);
            }
            if (!out && j > best + 1e-10) {
                best = j;
                found = f;
            }
        }
        if (found == HSEL_NONE)
            break;
        taken[found] = true;
        order[count] = found;
    }
    return count;
}

static void test_twin(void **state)
{
    static const char *const names[] = {"mrmr", "jmi", "cmim"}, *const words[] = {"allowed",
                                                                                  "redundant",
                                                                                  "excluded"};
    hs_stream stream;
    uint32_t fewer = 0, told = 0;
    hs_stream_init(&stream, 1, "greedy", 0, 0);
    (void)state;
    for (int trial = 0; trial < 800; trial++) {
        static struct world w;
        hsel_error error = {0};
        hs_random_shape shape = {.instances = 4 + (uint32_t)hs_random_below(&stream, 20),
                                 .features = 2 + (uint32_t)hs_random_below(&stream, 8),
                                 .classes = 2 + (uint32_t)hs_random_below(&stream, 2),
                                 .density = 0.4,
                                 .parents = trial % 4 ? 0.8 : 0,
                                 .numeric = trial % 2 ? 0.3 : 0,
                                 .nominal = trial % 2 ? 0.2 : 0,
                                 .missing = 0.1,
                                 .unlabelled = 0.1};
        w = (struct world){.data = hs_random_dataset(&stream, &shape)};
        const hsel_dataset *data = w.data;
        uint64_t mask = hs_random_u64(&stream) | 1;
        uint32_t view_rows[MOST_ROWS], view_count = 0;
        for (uint32_t i = 0; i < data->instances; i++)
            if (trial % 3 || hs_random_below(&stream, 4))
                view_rows[view_count++] = i;
        w.training = (hs_training){.view = {data, view_rows, view_count, trial % 5 ? NULL : &mask},
                                   .counts = &w.counts,
                                   .threads = 1};
        assert_ok(hs_counts_of(&w.training.view, &w.counts, &error), error);
        for (uint32_t i = 0; i < view_count; i++)
            if (data->class_of[view_rows[i]] != HSEL_NONE)
                w.rows[w.n++] = view_rows[i];
        for (uint32_t f = 0; f < data->features; f++) {
            double ends[MOST_ROWS];
            uint32_t count = data->types[f] == HSEL_NUMERIC ? ends_of(&w, f, ends) : 0;
            for (uint32_t i = 0; i < w.n; i++) {
                double value = hs_dataset_value(data, f, w.rows[i]);
                w.code[f][i] = isnan(value)                     ? MOST_VALUES - 1
                               : data->types[f] == HSEL_NUMERIC ? 0
                                                                : (uint32_t)value;
                for (uint32_t e = 0; e < count && !isnan(value); e++)
                    w.code[f][i] += value > ends[e];
            }
        }
        for (uint32_t i = 0; i < w.n; i++)
            w.code[MOST_FEATURES][i] = data->class_of[w.rows[i]];
        for (uint32_t i = 0; data->dag && i < data->features; i++) {
            uint32_t v = data->dag->order[i];
            size_t parents;
            const uint32_t *parent = hs_parents(data->dag, v, &parents);
            for (size_t p = 0; p < parents; p++)
                for (uint32_t u = 0; u < data->features; u++)
                    w.above[v][u] |= u == parent[p] || w.above[parent[p]][u];
        }
        for (int kind = 0; kind < 3 && w.n; kind++) {
            char text[80];
            int related = data->dag ? (int)hs_random_below(&stream, 3) : 0;
            uint32_t k = 1 + (uint32_t)hs_random_below(&stream, data->features),
                     order[MOST_FEATURES];
            uint64_t found = 0, expected = 0;
            hs_chosen chosen = {0};
            void *learned = NULL;
            snprintf(text, sizeof text, "%s:k=%u,related=%s", names[kind], k, words[related]);
            assert_ok(hs_chosen_parse(HS_SELECTOR, text, &chosen, &error), error);
            assert_ok(
                chosen.method->selector->prepare(&w.training, chosen.options, &learned, &error),
                error);
            assert_ok(chosen.method->selector->select_features(learned, &found, &error), error);
            uint32_t count = twin(&w, kind, related, k, order);
            for (uint32_t i = 0; i < count; i++)
                hs_bit_set(&expected, order[i]);
            if (found != expected)
                fail_msg("trial %d, %s: %" PRIx64 ", not %" PRIx64, trial, text, found, expected);
            fewer += related == 2 && count < k;
            told += related == 1;
            chosen.method->selector->free(learned);
            hs_chosen_clear(&chosen);
        }
        hs_counts_clear(&w.counts);
        hsel_dataset_free(w.data);
    }
    assert_true(fewer > 20 && told > 100);
}

static void test_refused(void **state)
{
    hs_stream stream;
    hsel_error error = {0};
    hs_chosen chosen = {0};
    hs_counts counts = {0};
    void *learned = NULL;
    hs_random_shape shape = {.instances = 9, .features = 4, .classes = 2, .density = 0.4};
    (void)state;
    hs_stream_init(&stream, 2, "greedy", 0, 0);
    hsel_dataset *data = hs_random_dataset(&stream, &shape);
    hs_training training = {.view = hs_view_all(data), .counts = &counts, .threads = 1};
    assert_ok(hs_counts_of(&training.view, &counts, &error), error);
    assert_ok(hs_chosen_parse(HS_SELECTOR, "jmi:related=excluded", &chosen, &error), error);
    assert_int_equal(chosen.method->selector->prepare(&training, chosen.options, &learned, &error),
                     HSEL_EUSAGE);
    assert_string_equal(error.message, "jmi:related needs a hierarchy, but random has none");
    hs_chosen_clear(&chosen);
    hs_counts_clear(&counts);
    hsel_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_twin), cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

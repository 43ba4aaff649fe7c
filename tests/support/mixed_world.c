/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The random training parts of mixed_world.h.
 */
#include "support/mixed_world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/builder.h"
#include "support/cmocka.h"

static bool chance(hs_stream *stream, double p) { return hs_random_double(stream) < p; }

static void make_cells(hs_mixed *w, hs_stream *stream, hs_mixture mixture)
{
    double density = 0.1 + 0.8 * hs_random_double(stream),
           missing = mixture == HS_MIXED_MISSING ? 0.15 : 0;
    uint32_t levels = 2 + (uint32_t)hs_random_below(stream, 12); /* of numeric features */
    for (uint32_t f = 0; f < w->features; f++) {
        w->type[f] = mixture == HS_MIXED_BINARY ? HSEL_BINARY
                                                : (hsel_feature_type)hs_random_below(stream, 3);
        w->values[f] = w->type[f] == HSEL_NOMINAL
                           ? 2 + (uint32_t)hs_random_below(stream, MIXED_VALUES - 1)
                           : 2;
        uint32_t occur =
            w->values[f] - (w->values[f] > 2 && chance(stream, 0.3)); /* a value may never occur */
        for (uint32_t i = 0; i < w->rows; i++) {
            if (w->type[f] == HSEL_BINARY)
                w->cell[i][f] = chance(stream, density);
            else if (w->type[f] == HSEL_NOMINAL)
                w->cell[i][f] = (double)hs_random_below(stream, occur);
            else
                w->cell[i][f] = (double)hs_random_below(stream, levels) / 4 - 1;
            if (w->type[f] != HSEL_BINARY && chance(stream, missing))
                w->cell[i][f] = NAN;
        }
    }
}

static void make_rows(hs_mixed *w, hs_stream *stream)
{
    double follow = hs_random_double(stream);
    for (uint32_t i = 0; i < w->rows; i++) {
        double first = w->cell[i][0];
        w->label[i] = chance(stream, follow) && !isnan(first)
                          ? (uint32_t)(first + 2) % w->classes
                          : (uint32_t)hs_random_below(stream, w->classes);
        if (chance(stream, 0.03))
            w->label[i] = HSEL_NONE;
        w->train[i] = chance(stream, 0.85);
        if (w->train[i])
            w->row[w->training.view.row_count++] = i;
    }
    hs_random_shuffle(stream, w->row, w->training.view.row_count);
}

static void declare(const hs_mixed *w, hs_builder *builder)
{
    hsel_error error = {0};
    char name[16];
    uint32_t id;
    for (uint32_t f = 0; f < w->features; f++) {
        snprintf(name, sizeof name, "f%u", f);
        assert_ok(hs_builder_feature(builder, name, strlen(name), w->type[f], &id, &error), error);
        for (uint32_t v = 0; w->type[f] == HSEL_NOMINAL && v < w->values[f]; v++) {
            snprintf(name, sizeof name, "v%u", v);
            assert_ok(hs_builder_value(builder, f, name, strlen(name), &id, &error), error);
        }
    }
    for (uint32_t c = 0; c < w->classes; c++) {
        snprintf(name, sizeof name, "c%u", c);
        assert_ok(hs_builder_class(builder, name, strlen(name), &id, &error), error);
    }
}

static void build(hs_mixed *w)
{
    hsel_error error = {0};
    hs_builder *builder = NULL;
    assert_ok(hs_builder_new(&builder, &error), error);
    declare(w, builder);
    for (uint32_t i = 0; i < w->rows; i++) {
        assert_ok(hs_builder_row(builder, NULL, 0, w->label[i], &error), error);
        for (uint32_t f = 0; f < w->features; f++) {
            double value = w->cell[i][f];
            if (w->type[f] == HSEL_NUMERIC)
                assert_ok(hs_builder_numeric(builder, f, value, &error), error);
            else if (w->type[f] == HSEL_NOMINAL && !isnan(value))
                assert_ok(hs_builder_nominal(builder, f, (uint32_t)value, &error), error);
            else if (w->type[f] == HSEL_BINARY && value == 1)
                assert_ok(hs_builder_positive(builder, f, &error), error);
        }
    }
    assert_ok(hs_builder_finish(builder, &w->data, &error), error);
    hs_builder_free(builder);
}

void hs_mixed_new(hs_mixed *w, hs_stream *stream, hs_mixture mixture)
{
    hsel_error error = {0};
    memset(w, 0, sizeof *w);
    w->rows = 1 + (uint32_t)hs_random_below(stream, MIXED_ROWS);
    w->features = 1 + (uint32_t)hs_random_below(stream, MIXED_FEATURES);
    w->classes = 2 + (uint32_t)hs_random_below(stream, MIXED_CLASSES - 1);
    make_cells(w, stream, mixture);
    make_rows(w, stream);
    build(w);
    bool masked = chance(stream, 0.3);
    for (uint32_t f = 0; f < w->features; f++) {
        w->use[f] = !masked || chance(stream, 0.7);
        if (w->use[f])
            hs_bit_set(w->mask, f);
    }
    hs_view view = {.data = w->data, .rows = w->row, .row_count = w->training.view.row_count};
    assert_ok(hs_counts_of(&view, &w->counts, &error), error);
    view.features = masked ? w->mask : NULL;
    w->training = (hs_training){.view = view, .counts = &w->counts, .seed = 1, .threads = 1};
}

void hs_mixed_free(hs_mixed *w)
{
    hs_counts_clear(&w->counts);
    hsel_dataset_free(w->data);
}

uint32_t hs_mixed_branch(const hs_mixed *w, uint32_t row, uint32_t feature, double threshold)
{
    double value = w->cell[row][feature];
    if (isnan(value))
        return HSEL_NONE;
    return w->type[feature] == HSEL_NUMERIC ? value > threshold : (uint32_t)value;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random training parts for rankers.
 */
#include "support/rank_world.h"

#include <math.h>
#include <stdio.h>

#include "data/builder.h"
#include "rank/rank.h"
#include "support/cmocka.h"

enum look { FEW, SMOOTH, ZEROS, CONSTANT, UNKNOWN, INFINITE, LOOKS };

static uint32_t draw(hs_stream *stream, uint32_t below)
{
    return (uint32_t)hs_random_below(stream, below);
}

static double draw_number(hs_stream *stream, enum look look)
{
    switch (look) {
    case FEW:
        return (double)draw(stream, 5) - 2;
    case SMOOTH:
        return hs_random_double(stream) * 1e3 - 500;
    case ZEROS:
        return draw(stream, 10) ? 0 : (double)draw(stream, 7) / 2 - 1.5;
    case CONSTANT:
        return 4.25;
    case INFINITE:
        return draw(stream, 4) ? (double)draw(stream, 6) : draw(stream, 2) ? INFINITY : -INFINITY;
    default:
        return NAN;
    }
}

struct column {
    hsel_feature_type type;
    enum look look;
    uint32_t values; /* of a nominal feature */
    double missing;
};

static int add_value(hs_stream *stream, hs_builder *builder, uint32_t f,
                     const struct column *column, double signal, hsel_error *error)
{
    if (column->type == HSEL_BINARY)
        return hs_random_double(stream) < 0.3 + signal / 4 ? hs_builder_positive(builder, f, error)
                                                           : HSEL_OK;
    bool missing = hs_random_double(stream) < column->missing;
    if (column->type == HSEL_NOMINAL)
        return missing ? HSEL_OK
                       : hs_builder_nominal(builder, f, draw(stream, column->values), error);
    double x = draw_number(stream, column->look);
    if (column->look == FEW || column->look == SMOOTH)
        x += column->look == FEW ? signal : 200 * signal;
    if (column->look == ZEROS && signal > 0 && draw(stream, 2)) /* seldom 0 in one class */
        x = signal == 1 ? (double)draw(stream, 3) - 4 : 3 * signal;
    if (column->look == ZEROS && !missing && x == 0 && draw(stream, 20))
        return HSEL_OK; /* not listed: the column may be kept sparse */
    return hs_builder_numeric(builder, f, missing ? (double)NAN : x, error);
}

static void declare(hs_stream *stream, hs_rank_kind kind, hs_builder *builder, uint32_t features,
                    struct column *columns)
{
    hsel_error error = {0};
    char name[16];
    uint32_t id;
    for (uint32_t f = 0; f < features; f++) {
        static const hsel_feature_type types[] = {HSEL_NUMERIC, HSEL_NUMERIC, HSEL_BINARY,
                                                  HSEL_NOMINAL};
        columns[f] =
            (struct column){.type = types[draw(stream, 4)],
                            .look = draw(stream, kind == HS_RANK_FINITE ? INFINITE : LOOKS),
                            .values = 1 + draw(stream, 4),
                            .missing = draw(stream, 3) ? 0 : 0.25};
        if (kind == HS_RANK_BINARY || (kind == HS_RANK_PLAIN && columns[f].type == HSEL_NOMINAL))
            columns[f].type = HSEL_BINARY;
        if (kind == HS_RANK_PLAIN) {
            columns[f].missing = 0;
            columns[f].look = (enum look)draw(stream, UNKNOWN);
        }
        int length = snprintf(name, sizeof name, "f%u", f);
        assert_ok(hs_builder_feature(builder, name, (size_t)length, columns[f].type, &id, &error),
                  error);
        for (uint32_t v = 0; columns[f].type == HSEL_NOMINAL && v < columns[f].values; v++) {
            length = snprintf(name, sizeof name, "v%u", v);
            assert_ok(hs_builder_value(builder, f, name, (size_t)length, &id, &error), error);
        }
    }
}

static double cell(const hsel_dataset *data, uint32_t f, uint32_t row)
{
    double scratch[RANK_ROWS];
    if (data->types[f] != HSEL_NOMINAL)
        return hs_dataset_numeric(data, f, scratch)[row];
    uint32_t code = data->nominal[data->slot[f]].codes[row];
    return code == HS_MISSING_CODE ? (double)NAN : code;
}

static void make_data(hs_stream *stream, hs_rank_kind kind, hs_rank_world *w)
{
    hsel_error error = {0};
    hs_builder *builder = NULL;
    struct column columns[RANK_FEATURES];
    uint32_t instances = 1 + draw(stream, draw(stream, 4) ? RANK_ROWS : 8), id;
    assert_ok(hs_builder_new(&builder, &error), error);
    declare(stream, kind, builder, w->features, columns);
    for (uint32_t c = 0; c < w->classes; c++) {
        char name[2] = {(char)('a' + c), '\0'};
        assert_ok(hs_builder_class(builder, name, 1, &id, &error), error);
    }
    for (uint32_t i = 0; i < instances; i++) {
        uint32_t label = draw(stream, w->classes);
        assert_ok(hs_builder_row(builder, NULL, 0, draw(stream, 12) ? label : HSEL_NONE, &error),
                  error);
        for (uint32_t f = 0; f < w->features; f++)
            assert_ok(add_value(stream, builder, f, &columns[f], f % 2 ? label : 0, &error), error);
    }
    assert_ok(hs_builder_finish(builder, &w->data, &error), error);
    hs_builder_free(builder);
}

void hs_rank_world_draw(hs_stream *stream, hs_rank_kind kind, hs_rank_world *w)
{
    hsel_error error = {0};
    *w = (hs_rank_world){.features = 1 + draw(stream, RANK_FEATURES),
                         .classes = 2 + draw(stream, 3)};
    if (draw(stream, 2))
        w->classes = 2;
    make_data(stream, kind, w);
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->data->instances; i++)
        if (draw(stream, 6))
            w->row[count++] = i;
    hs_random_shuffle(stream, w->row, count);
    w->mask =
        draw(stream, 2) ? hs_random_below(stream, 1u << w->features) : (1u << w->features) - 1;
    hs_view view = {.data = w->data, .rows = w->row, .row_count = count, .features = &w->mask};
    assert_ok(hs_counts_of(&view, &w->counts, &error), error);
    w->training = (hs_training){
        .view = view, .counts = &w->counts, .seed = 1, .threads = draw(stream, 100) ? 1 : 3};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t label = w->data->class_of[w->row[i]];
        if (label == HSEL_NONE)
            continue;
        for (uint32_t f = 0; f < w->features; f++)
            w->x[f][w->rows] = cell(w->data, f, w->row[i]);
        w->label[w->rows++] = label;
    }
}

void hs_rank_world_free(hs_rank_world *w)
{
    hs_counts_clear(&w->counts);
    hsel_dataset_free(w->data);
}

void hs_rank_world_score(const hs_rank_world *w, const char *text, double *score)
{
    hsel_error error = {0};
    hs_chosen ranker = {0};
    for (uint32_t f = 0; f < w->features; f++)
        score[f] = NAN;
    assert_ok(hs_chosen_parse(HS_RANKER, text, &ranker, &error), error);
    assert_ok(hs_rank_features(&w->training, &ranker, 1, &score, &error), error);
    hs_chosen_clear(&ranker);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random data sets. Everything comes from the caller's stream, so a failing case is found again by
 * its seed.
 */
#include "support/random_data.h"
#include "support/normal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "data/bits.h"
#include "data/builder.h"
#include "support/cmocka.h"

static bool chance(hs_stream *stream, double p) { return hs_random_double(stream) < p; }

hsel_dag *hs_random_dag(hs_stream *stream, uint32_t nodes, double parents)
{
    hsel_error error = {0};
    hsel_dag *dag = NULL;
    size_t wanted = nodes > 1 ? (size_t)((double)nodes * parents + 0.5) : 0;
    uint32_t *rank = malloc((nodes + 1) * sizeof *rank);
    uint32_t *child = malloc((wanted + 1) * sizeof *child),
             *parent = malloc((wanted + 1) * sizeof *parent);
    assert_true(rank && child && parent);
    for (uint32_t i = 0; i < nodes; i++)
        rank[i] = i;
    hs_random_shuffle(stream, rank, nodes);
    for (size_t e = 0; e < wanted; e++) {
        uint32_t high = (uint32_t)(1 + hs_random_below(stream, nodes - 1));
        child[e] = rank[high];
        parent[e] = rank[hs_random_below(stream, high)];
    }
    assert_ok(hs_dag_new(nodes, child, parent, wanted, &dag, &error), error);
    free(rank);
    free(child);
    free(parent);
    return dag;
}

void hs_random_relations(hs_stream *stream, hsel_dag *dag)
{
    static const char *const names[] = {"regulates", "is_a", "part_of", "odd \xff name"};
    hsel_error error = {0};
    HS_OWNS(hs_names_clear) hs_names relations = {0};
    uint32_t *child = calloc(dag->edges + 1, sizeof *child),
             *relation = calloc(dag->edges + 1, sizeof *relation), id;
    uint32_t first = (uint32_t)hs_random_below(stream, 4),
             kinds = 1 + (uint32_t)hs_random_below(stream, 4 - first);
    assert_true(child && relation);
    for (size_t i = 0; i < 4; i++)
        assert_ok(hs_names_intern(&relations, names[i], strlen(names[i]), &id, NULL, &error),
                  error);
    for (uint32_t v = 0; v < dag->nodes; v++)
        for (uint32_t e = dag->parent_start[v]; e < dag->parent_start[v + 1]; e++) {
            child[e] = v;
            relation[e] = first + (uint32_t)hs_random_below(stream, kinds);
        }
    assert_ok(hs_dag_relate(dag, child, dag->parent, relation, dag->edges, &relations, &error),
              error);
    free(child);
    free(relation);
}

/* "f7", or the number with a piece that formats may stumble over. Unique because the number is in
 * it. */
static const char *spell(hs_stream *stream, hs_spelling spelling, const char *prefix,
                         uint32_t number, char *out, size_t room)
{
    static const char *const pieces[] = {
        "",        " ",   "a,b", "it's",   "\"q\"",      "50%",           "{x}",    "a:b",
        "#1",      "p|q", "\\",  "?",      "@a",         "x y",           "'",      ";",
        "=2",      "(!)", "\\n", "[Term]", "GO:0008150", "\u00e9t\u00e9", "\u4e2d", "\U0001f9ec",
        "\u03b2-x"};
    size_t count = sizeof pieces / sizeof pieces[0];
    size_t usable = spelling == HS_NAMES_PLAIN ? 1 : spelling == HS_NAMES_ASCII ? count - 4 : count;
    const char *piece = pieces[hs_random_below(stream, usable)];
    if (hs_random_below(stream, 2))
        snprintf(out, room, "%s%s%u", piece, prefix, number);
    else
        snprintf(out, room, "%s%u%s", prefix, number, piece);
    /* Formats trim blanks around fields: not a difference worth testing. */
    size_t start = strspn(out, " "), length = strlen(out);
    while (length > start && out[length - 1] == ' ')
        out[--length] = '\0';
    return out + start;
}

static void add_features(hs_stream *stream, const hs_random_shape *shape, hs_builder *builder)
{
    char text[64];
    hsel_error error = {0};
    for (uint32_t f = 0; f < shape->features; f++) {
        double draw = hs_random_double(stream);
        hsel_feature_type type = draw < shape->numeric                    ? HSEL_NUMERIC
                                 : draw < shape->numeric + shape->nominal ? HSEL_NOMINAL
                                                                          : HSEL_BINARY;
        if (shape->instances < 3) /* too few to show what it is */
            type = HSEL_BINARY;
        uint32_t id;
        const char *name = spell(stream, shape->spelling, "f", f, text, sizeof text);
        assert_ok(hs_builder_feature(builder, name, strlen(name), type, &id, &error), error);
        if (type != HSEL_NOMINAL)
            continue;
        uint32_t values = 2 + (uint32_t)hs_random_below(stream, 2);
        for (uint32_t v = 0, code; v < values; v++) {
            const char *value = spell(stream, shape->spelling, "v", v, text, sizeof text);
            assert_ok(hs_builder_value(builder, f, value, strlen(value), &code, &error), error);
        }
    }
}

static void add_classes(hs_stream *stream, const hs_random_shape *shape, hs_builder *builder)
{
    char text[64];
    hsel_error error = {0};
    for (uint32_t k = 0, code; k < shape->classes; k++) {
        const char *label = spell(stream, shape->spelling, "c", k, text, sizeof text);
        assert_ok(hs_builder_class(builder, label, strlen(label), &code, &error), error);
    }
}

static double random_number(hs_stream *stream)
{
    static const double special[] = {
        0.1, -0.0, 1e300, -1e-300, 5e-324, 123456789.0, 0.3333333333333333, 2.0, -7.0};
    switch (hs_random_below(stream, 4)) {
    case 0:
        return 0;
    case 1:
        return special[hs_random_below(stream, sizeof special / sizeof special[0])];
    case 2:
        return (double)hs_random_below(stream, 3);
    default:
        return hs_random_normal(stream) * 100;
    }
}

/* The values of one row. Rows 0 … 2 show the whole range of a numeric or nominal feature. */
static void add_values(hs_stream *stream, const hs_random_shape *shape, hs_builder *builder,
                       uint32_t row, const bool *cells)
{
    hsel_error error = {0};
    for (uint32_t f = 0; f < shape->features; f++) {
        bool missing = row >= 3 && chance(stream, shape->missing);
        switch (hs_builder_data(builder)->types[f]) {
        case HSEL_BINARY:
            if (cells[(size_t)row * shape->features + f])
                assert_ok(hs_builder_positive(builder, f, &error), error);
            break;
        case HSEL_NUMERIC: {
            double value = row == 0 ? 2.5 : missing ? strtod("nan", NULL) : random_number(stream);
            assert_ok(hs_builder_numeric(builder, f, value, &error), error);
            break;
        }
        case HSEL_NOMINAL:
            if (!missing)
                assert_ok(hs_builder_nominal(builder, f,
                                             row < 2 ? row : (uint32_t)hs_random_below(stream, 2),
                                             &error),
                          error);
            break;
        }
    }
}

static void obey_true_path(const hsel_dag *dag, const hs_random_shape *shape, bool *cells)
{
    for (uint32_t i = 0; i < shape->instances; i++) {
        bool *row = cells + (size_t)i * shape->features;
        for (uint32_t k = shape->features; k-- > 0;) {
            size_t count;
            const uint32_t *parents = hs_parents(dag, dag->order[k], &count);
            for (size_t p = 0; row[dag->order[k]] && p < count; p++)
                row[parents[p]] = true;
        }
    }
}

static uint32_t random_label(hs_stream *stream, const hs_random_shape *shape, uint32_t row)
{
    if (!shape->classes)
        return HSEL_NONE;
    if (row < shape->classes)
        return row;
    return chance(stream, shape->unlabelled) ? HSEL_NONE
                                             : (uint32_t)hs_random_below(stream, shape->classes);
}

hsel_dataset *hs_random_dataset(hs_stream *stream, const hs_random_shape *shape)
{
    hsel_error error = {0};
    hs_builder *builder = NULL;
    hsel_dataset *data = NULL;
    hsel_dag *dag =
        shape->parents > 0 ? hs_random_dag(stream, shape->features, shape->parents) : NULL;
    size_t size = (size_t)shape->instances * shape->features;
    bool *cells = calloc(size + 1, sizeof *cells);
    assert_non_null(cells);
    for (size_t i = 0; i < size; i++)
        cells[i] = chance(stream, shape->density);
    if (dag && shape->true_path)
        obey_true_path(dag, shape, cells);
    assert_ok(hs_builder_new(&builder, &error), error);
    add_features(stream, shape, builder);
    add_classes(stream, shape, builder);
    for (uint32_t i = 0; i < shape->instances; i++) {
        char text[64];
        const char *id =
            shape->ids ? spell(stream, shape->spelling, "i", i, text, sizeof text) : NULL;
        assert_ok(hs_builder_row(builder, id, id ? strlen(id) : 0, random_label(stream, shape, i),
                                 &error),
                  error);
        add_values(stream, shape, builder, i, cells);
    }
    assert_ok(hs_builder_describe(builder, "random", shape->classes ? "class" : NULL,
                                  shape->ids ? "id" : NULL, &error),
              error);
    assert_ok(hs_builder_finish(builder, &data, &error), error);
    data->dag = dag;
    hs_builder_free(builder);
    free(cells);
    return data;
}

void hs_random_labels(hs_stream *stream, hsel_dataset *data)
{
    static const char *const texts[] = {"",
                                        "cell cycle",
                                        "a\tb",
                                        "line\nline",
                                        "\r\n",
                                        "\"q\"",
                                        "it's, isn't",
                                        "<b>&amp;</b><script>",
                                        "\xff\xfe broken \xc3",
                                        " blanks ",
                                        "\\n\\",
                                        "{x} ! [Term]",
                                        "\x1b[31m",
                                        "\u4e2d\u6587",
                                        "#",
                                        "LONG"};
    static const char *const columns[] = {HS_ABOUT_LABEL, HS_ABOUT_NAMESPACE, "de\tfinition"};
    hsel_error error = {0};
    HS_OWNS(hs_buf_clear) hs_buf text = {0};
    for (int side = 0; side < 2; side++) {
        hs_about *about = side ? &data->instance_about : &data->about;
        uint32_t items = side ? data->instances : data->features;
        uint32_t count = (uint32_t)hs_random_below(stream, 4);
        for (uint32_t c = 0; c < count; c++)
            assert_ok(hs_names_append(&about->columns, columns[c], strlen(columns[c]), &error),
                      error);
        for (uint64_t i = 0; i < (uint64_t)items * count; i++) {
            const char *piece = texts[hs_random_below(stream, sizeof texts / sizeof texts[0])];
            text.length = 0;
            hs_buf_add(&text, piece, strlen(piece));
            if (*piece == 'L' && !hs_random_below(stream, 20))
                while (text.length < 100000)
                    hs_buf_add(&text, "<\t\xff\"'> ", 7);
            assert_ok(hs_names_append(&about->cells, text.text, text.length, &error), error);
        }
    }
    if (hs_random_below(stream, 2))
        assert_non_null(data->provenance = hs_strdup("{\"command\":\"<a> \\u0022b\\u0022\"}"));
}

hs_random_shape hs_random_small_shape(hs_stream *stream)
{
    static const double densities[] = {0, 0.05, 0.3, 0.7, 1};
    hs_random_shape shape = {.instances = (uint32_t)(1 + hs_random_below(stream, 12)),
                             .features = (uint32_t)(1 + hs_random_below(stream, 12)),
                             .density = densities[hs_random_below(stream, 5)]};
    uint32_t most = shape.instances < 4 ? shape.instances : 4;
    shape.classes = (uint32_t)(1 + hs_random_below(stream, most));
    shape.ids = hs_random_below(stream, 2);
    return shape;
}

void hs_random_target(hs_stream *stream, hsel_dataset *data)
{
    hs_names_clear(&data->class_names);
    hs_dataset_drop(data, hs_take(&data->class_of));
    data->positive_class = HSEL_NONE;
    assert_non_null(data->target = HS_NEW(double, data->instances));
    for (uint32_t i = 0; i < data->instances; i++)
        data->target[i] = hs_random_below(stream, 8) == 0
                              ? (double)NAN
                              : (double)hs_random_below(stream, 40) / 8 - 2;
    if (hs_random_below(stream, 2))
        return;
    assert_non_null(data->covariates = HS_NEW_ZERO(uint64_t, hs_bit_words(data->features)));
    for (uint32_t f = 0; f < data->features; f++)
        if (hs_random_below(stream, 2) &&
            (!data->dag || (hs_is_root(data->dag, f) && hs_is_leaf(data->dag, f))))
            hs_bit_set(data->covariates, f);
}

hsel_dataset *hs_as_numbers(const hsel_dataset *data, double (*value)(uint32_t, uint32_t))
{
    HS_OWNS(hs_builder_release) hs_builder *builder = NULL;
    hsel_dataset *out;
    hsel_error error = {0};
    uint32_t id;
    assert_ok(hs_builder_new(&builder, &error), error);
    for (uint32_t f = 0; f < data->features; f++) {
        const char *name = hsel_dataset_feature_name(data, f);
        assert_ok(hs_builder_feature(builder, name, strlen(name), HSEL_NUMERIC, &id, &error),
                  error);
    }
    for (uint32_t c = 0; c < data->class_names.count; c++) {
        const char *name = hsel_dataset_class_name(data, c);
        assert_ok(hs_builder_class(builder, name, strlen(name), &id, &error), error);
    }
    for (uint32_t i = 0; i < data->instances; i++) {
        size_t count;
        const uint32_t *row = hs_row(data, i, &count);
        assert_ok(hs_builder_row(builder, NULL, 0, data->class_of[i], &error), error);
        for (size_t j = 0; j < count; j++)
            assert_ok(hs_builder_numeric(builder, row[j], value(row[j], data->class_of[i]), &error),
                      error);
    }
    assert_ok(hs_builder_finish(builder, &out, &error), error);
    out->positive_class = data->positive_class;
    assert_ok(hs_dag_copy(data->dag, &out->dag, &error), error);
    return out;
}

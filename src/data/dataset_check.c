/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The self-check of a data set: every invariant of dataset.h, in an order that makes it safe on
 * content that comes from an untrusted file (offsets before what they point to).
 */
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "data/dataset.h"

static int wrong(hsel_error *error, const char *what)
{
    return hs_fail(error, HSEL_EFORMAT, "the data set is damaged: %s", what);
}

static int check_sparse(const hs_sparse *sparse, uint32_t lists, uint32_t below, const char *what,
                        hsel_error *error)
{
    if (sparse->lists != lists || !sparse->start || sparse->start[0] != 0)
        return hs_fail(error, HSEL_EFORMAT, "the data set is damaged: wrong number of %s", what);
    for (uint32_t i = 0; i < lists; i++)
        if (sparse->start[i + 1] < sparse->start[i])
            return hs_fail(error, HSEL_EFORMAT,
                           "the data set is damaged: %s %u ends before it starts", what, i);
    for (uint32_t i = 0; i < lists; i++) {
        size_t count;
        const uint32_t *list = hs_sparse_list(sparse, i, &count);
        for (size_t j = 0; j < count; j++)
            if (list[j] >= below || (j > 0 && list[j] <= list[j - 1]))
                return hs_fail(error, HSEL_EFORMAT,
                               "the data set is damaged: %s %u is out of order or range", what, i);
    }
    return HSEL_OK;
}

/* How far a column has been walked. Kept together, as each value looks for a column anew. */
struct walk {
    uint64_t next, end;
};

static bool rows_walk_columns(const hsel_dataset *data, struct walk *walks)
{
    const uint32_t *instance = data->columns.index;
    for (uint32_t r = 0; r < data->instances; r++) {
        size_t count;
        const uint32_t *row = hs_row(data, r, &count);
        for (size_t i = 0; i < count; i++) {
            struct walk *walk = &walks[row[i]];
            if (walk->next >= walk->end || instance[walk->next++] != r)
                return false;
        }
    }
    return true;
}

/* Both directions hold the same pairs: walking the rows in order must run through every column in
 * order. */
static int check_mirror(const hsel_dataset *data, hsel_error *error)
{
    const uint64_t *start = data->columns.start;
    int status = HSEL_OK;
    if (data->rows.start[data->instances] != start[data->features])
        return wrong(error, "rows and columns differ");
    struct walk *walks = HS_NEW(struct walk, data->features);
    if (!walks)
        return hs_fail_memory(error);
    for (uint32_t f = 0; f < data->features; f++) {
        walks[f] = (struct walk){start[f], start[f + 1]};
        if (data->types[f] != HSEL_BINARY && start[f] < start[f + 1])
            status = wrong(error, "a feature that is not binary has positive values");
    }
    if (status == HSEL_OK && !rows_walk_columns(data, walks))
        status = wrong(error, "rows and columns differ");
    hs_free(walks);
    return status;
}

static int check_names(const hs_names *names, uint32_t count, bool unique, const char *what,
                       hsel_error *error)
{
    if (names->count != count)
        return hs_fail(error, HSEL_EFORMAT, "the data set is damaged: wrong number of %s", what);
    for (uint32_t i = 0; i < count; i++)
        if (names->start[i + 1] <= names->start[i] || names->pool[names->start[i + 1] - 1] != '\0')
            return hs_fail(error, HSEL_EFORMAT, "the data set is damaged: %s are not separated",
                           what);
    for (uint32_t i = 0; unique && i < count; i++)
        if (hs_names_find(names, hs_names_get(names, i), hs_names_length(names, i)) != i)
            return hs_fail(error, HSEL_EFORMAT, "the data set is damaged: %s repeat ('%.100s')",
                           what, hs_names_get(names, i));
    return HSEL_OK;
}

static int check_numeric(const hsel_dataset *data, uint32_t feature, hsel_error *error)
{
    if (data->slot[feature] >= data->numeric_count)
        return wrong(error, "a numeric feature has no column");
    const hs_numeric_column *column = &data->numeric[data->slot[feature]];
    if (!column->rows)
        return column->count == data->instances
                   ? HSEL_OK
                   : wrong(error, "a numeric column has the wrong length");
    for (uint32_t i = 0; i < column->count; i++)
        if (column->rows[i] >= data->instances || (i > 0 && column->rows[i] <= column->rows[i - 1]))
            return wrong(error, "a sparse numeric column is out of order or range");
    return HSEL_OK;
}

static int check_nominal(const hsel_dataset *data, uint32_t feature, hsel_error *error)
{
    if (data->slot[feature] >= data->nominal_count)
        return wrong(error, "a nominal feature has no column");
    const hs_nominal_column *column = &data->nominal[data->slot[feature]];
    for (uint32_t i = 0; i < data->instances; i++)
        if (column->codes[i] != HS_MISSING_CODE && column->codes[i] >= column->values.count)
            return wrong(error, "a nominal value has no name");
    return check_names(&column->values, column->values.count, true, "nominal values", error);
}

static int check_columns(const hsel_dataset *data, hsel_error *error)
{
    int status = HSEL_OK;
    for (uint32_t f = 0; f < data->features && status == HSEL_OK; f++) {
        if (data->types[f] > HSEL_NOMINAL || (data->types[f] != HSEL_BINARY && !data->slot))
            return wrong(error, "a feature has no known type");
        if (data->types[f] == HSEL_NUMERIC)
            status = check_numeric(data, f, error);
        else if (data->types[f] == HSEL_NOMINAL)
            status = check_nominal(data, f, error);
    }
    return status;
}

static int check_classes(const hsel_dataset *data, hsel_error *error)
{
    uint32_t classes = data->class_names.count;
    if (data->class_of)
        for (uint32_t i = 0; i < data->instances; i++)
            if (data->class_of[i] != HSEL_NONE && data->class_of[i] >= classes)
                return hs_fail(error, HSEL_EFORMAT,
                               "the data set is damaged: instance %u has no such class", i);
    if (data->positive_class != HSEL_NONE && data->positive_class >= classes)
        return wrong(error, "the positive class is none of the classes");
    return HSEL_OK;
}

int hsel_dataset_check(const hsel_dataset *data, hsel_error *error)
{
    int status;
    if (data->instances > HS_INSTANCES_LIMIT || data->features > HS_FEATURES_LIMIT)
        return wrong(error, "its size is out of range");
    if ((status =
             check_names(&data->feature_names, data->features, true, "feature names", error)) ||
        (status = check_names(&data->class_names, data->class_names.count, true, "class names",
                              error)) ||
        (status = check_names(&data->ids, data->ids.count ? data->instances : 0, false,
                              "identifiers", error)) ||
        (status = check_classes(data, error)) || (status = check_columns(data, error)) ||
        (status = check_sparse(&data->rows, data->instances, data->features, "row", error)) ||
        (status = check_sparse(&data->columns, data->features, data->instances, "column", error)) ||
        (status = check_mirror(data, error)))
        return status;
    if (!data->dag)
        return HSEL_OK;
    return data->dag->nodes == data->features
               ? hsel_dag_check(data->dag, error)
               : wrong(error, "the hierarchy is over other features");
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Instances without class, and classes beside the one in use.
 */
#include "data/classes.h"

#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "core/text.h"
#include "data/builder.h"
#include "data/transform.h"

/* ---- instances without class ---- */

uint32_t hs_unlabelled(const hsel_dataset *data)
{
    uint32_t without = 0;
    for (uint32_t i = 0; data->class_of && i < data->instances; i++)
        without += data->class_of[i] == HSEL_NONE;
    return without < data->instances ? without : 0;
}

int hs_view_labelled(const hsel_dataset *data, uint32_t **rows, hs_view *view, hsel_error *error)
{
    *view = hs_view_all(data);
    *rows = NULL;
    if (!hs_unlabelled(data))
        return HSEL_OK;
    HS_NEED(*rows = HS_NEW(uint32_t, data->instances));
    view->rows = *rows;
    view->row_count = 0;
    for (uint32_t i = 0; i < data->instances; i++)
        if (data->class_of[i] != HSEL_NONE)
            (*rows)[view->row_count++] = i;
    return HSEL_OK;
}

int hs_keep_labelled(hsel_dataset **data, uint32_t *left, hsel_error *error)
{
    const hsel_dataset *all = *data;
    uint32_t without = hs_unlabelled(all);
    HS_OWNS(hs_dataset_release) hsel_dataset *labelled = NULL;
    if (left)
        *left = without;
    if (!without)
        return HSEL_OK;
    HS_OWNED bool *keep = HS_NEW(bool, all->instances);
    HS_NEED(keep);
    for (uint32_t i = 0; i < all->instances; i++)
        keep[i] = all->class_of[i] != HSEL_NONE;
    HS_TRY(hs_dataset_keep_instances(all, keep, &labelled, error));
    hs_dataset_free(*data);
    *data = hs_take(&labelled);
    return HSEL_OK;
}

/* ---- further classes ---- */

bool hs_is_class_column(const char *name)
{
    size_t prefix = strlen(HS_CLASS_COLUMN);
    return strncmp(name, HS_CLASS_COLUMN, prefix) == 0 && name[prefix];
}

const char *hs_class_of_column(const hs_about *about, uint32_t column)
{
    const char *name = hs_names_get(&about->columns, column);
    return hs_is_class_column(name) ? name + strlen(HS_CLASS_COLUMN) : NULL;
}

uint32_t hs_class_column(const hsel_dataset *data, const char *name)
{
    for (uint32_t c = 0; c < data->instance_about.columns.count; c++) {
        const char *known = hs_class_of_column(&data->instance_about, c);
        if (known && strcmp(known, name) == 0)
            return c;
    }
    return HSEL_NONE;
}

int hs_class_use(hsel_dataset *data, const char *name, hsel_error *error)
{
    const hs_about *about = &data->instance_about;
    const uint32_t column = hs_class_column(data, name), columns = about->columns.count;
    HS_OWNS(hs_about_clear) hs_about swapped = {0};
    HS_OWNS(hs_names_clear) hs_names classes = {0};
    HS_OWNS(hs_buf_clear) hs_buf former = {0};
    HS_OWNED uint32_t *class_of = HS_NEW(uint32_t, data->instances);
    HS_OWNED char *attribute = hs_strdup(name);
    HS_NEED(class_of && attribute);
    if (column == HSEL_NONE) {
        hs_buf_text(&former, data->class_attribute ? data->class_attribute : "");
        for (uint32_t c = 0; c < columns; c++)
            if (hs_class_of_column(about, c))
                hs_buf_printf(&former, "%s%s", former.length ? ", " : "",
                              hs_class_of_column(about, c));
        HS_NEED(!former.failed);
        return hs_fail(error, HSEL_EUSAGE, "there is no class %.200s; the data set has %.400s",
                       name, former.length ? former.text : "none");
    }
    hs_buf_printf(&former, "%s%s", HS_CLASS_COLUMN,
                  data->class_attribute ? data->class_attribute : "class");
    HS_NEED(!former.failed);
    for (uint32_t c = 0; c < columns; c++)
        HS_TRY(c == column ? hs_names_append(&swapped.columns, former.text, former.length, error)
                           : hs_names_append(&swapped.columns, HS_NAME(&about->columns, c), error));
    for (uint32_t i = 0; i < data->instances; i++) {
        const char *label = hs_about_get(about, i, column);
        class_of[i] = HSEL_NONE;
        if (label)
            HS_TRY(hs_names_intern(&classes, label, strlen(label), &class_of[i], NULL, error));
        for (uint32_t c = 0; c < columns; c++) {
            const char *text = c == column
                                   ? hsel_dataset_class_name(data, hsel_dataset_class_of(data, i))
                                   : hs_about_get(about, i, c);
            HS_TRY(
                hs_names_append(&swapped.cells, text ? text : "", text ? strlen(text) : 0, error));
        }
    }
    if (classes.count > HS_CLASSES_LIMIT)
        return hs_fail(error, HSEL_ELIMIT, "class %.200s has %u values: the limit is %u", name,
                       classes.count, HS_CLASSES_LIMIT);
    hs_dataset_drop(data, hs_take(&data->class_of));
    hs_dataset_drop(data, hs_take(&data->class_attribute));
    hs_names_clear(&data->class_names);
    hs_about_clear(&data->instance_about);
    data->class_of = hs_take(&class_of);
    data->class_attribute = hs_take(&attribute);
    data->class_names = classes;
    data->instance_about = swapped;
    classes = (hs_names){0};
    swapped = (hs_about){0};
    if (!data->class_names.count)
        hs_free(hs_take(&data->class_of));
    HS_TRY(hs_classes_order(data, error));
    HS_TRY(hs_names_index(&data->class_names, error));
    data->positive_class = data->class_names.count >= 2 ? 1 : HSEL_NONE;
    return HSEL_OK;
}

int hs_class_set_positive(hsel_dataset *data, const char *label, hsel_error *error)
{
    uint32_t code = hs_names_find(&data->class_names, label, strlen(label));
    if (code == HSEL_NONE)
        return hs_fail(error, HSEL_EUSAGE, "there is no class '%.200s' to be the positive one",
                       label);
    data->positive_class = code;
    return HSEL_OK;
}

/* ---- tables ---- */

int hs_classes_to_features(const hsel_dataset *data, hsel_dataset **out, hsel_error *error)
{
    const hs_about *about = &data->instance_about;
    const uint32_t columns = about->columns.count;
    HS_OWNS(hs_builder_release) hs_builder *builder = NULL;
    HS_OWNS(hs_dataset_release) hsel_dataset *made = NULL;
    HS_OWNED uint32_t *feature = HS_NEW(uint32_t, columns);
    uint32_t code, further = 0;
    HS_NEED(feature);
    for (uint32_t c = 0; c < columns; c++)
        further += hs_class_of_column(about, c) != NULL;
    if (!further)
        return HSEL_OK;
    HS_TRY(hs_builder_new(&builder, error));
    HS_TRY(hs_builder_declare_like(builder, data, error));
    for (uint32_t c = 0; c < columns; c++)
        if (hs_class_of_column(about, c))
            HS_TRY(hs_builder_feature(builder, HS_NAME(&about->columns, c), HSEL_NOMINAL,
                                      &feature[c], error));
    for (uint32_t i = 0; i < data->instances; i++) {
        const char *id = hsel_dataset_id(data, i);
        size_t count;
        const uint32_t *row = hs_row(data, i, &count);
        HS_TRY(hs_builder_row(builder, id, id ? strlen(id) : 0, hsel_dataset_class_of(data, i),
                              error));
        for (size_t j = 0; j < count; j++)
            HS_TRY(hs_builder_positive(builder, row[j], error));
        for (uint32_t f = 0; data->slot && f < data->features; f++) {
            double value = hs_dataset_value(data, f, i);
            if (data->types[f] == HSEL_NUMERIC)
                HS_TRY(hs_builder_numeric(builder, f, value, error));
            else if (data->types[f] == HSEL_NOMINAL && !isnan(value))
                HS_TRY(hs_builder_nominal(builder, f, (uint32_t)value, error));
        }
        for (uint32_t c = 0; c < columns; c++) {
            const char *label = hs_class_of_column(about, c) ? hs_about_get(about, i, c) : NULL;
            if (!label)
                continue;
            HS_TRY(hs_builder_value(builder, feature[c], label, strlen(label), &code, error));
            HS_TRY(hs_builder_nominal(builder, feature[c], code, error));
        }
    }
    HS_TRY(
        hs_builder_describe(builder, data->name, data->class_attribute, data->id_attribute, error));
    HS_TRY(hs_builder_finish(builder, &made, error));
    made->positive_class = data->positive_class;
    /* What else is known stays: of the new features there is nothing. */
    HS_OWNED uint32_t *from = HS_NEW(uint32_t, made->features);
    HS_NEED(from);
    for (uint32_t f = 0; f < made->features; f++)
        from[f] = f < data->features ? f : HSEL_NONE;
    HS_TRY(hs_about_pick(&data->about, from, made->features, &made->about, error));
    for (uint32_t c = 0; c < columns; c++)
        if (!hs_class_of_column(about, c))
            HS_TRY(hs_names_append(&made->instance_about.columns, HS_NAME(&about->columns, c),
                                   error));
    for (uint32_t cell = 0; cell < about->cells.count; cell++)
        if (!hs_class_of_column(about, cell % columns))
            HS_TRY(hs_names_append(&made->instance_about.cells, HS_NAME(&about->cells, cell),
                                   error));
    *out = hs_take(&made);
    return HSEL_OK;
}

int hs_classes_from_features(const hsel_dataset *data, hsel_dataset **out, hsel_error *error)
{
    HS_OWNS(hs_dataset_release) hsel_dataset *made = NULL;
    HS_OWNS(hs_about_clear) hs_about further = {0};
    HS_OWNED bool *keep = HS_NEW(bool, data->features);
    HS_NEED(keep);
    for (uint32_t f = 0; f < data->features; f++) {
        const char *name = hs_names_get(&data->feature_names, f);
        keep[f] = !hs_is_class_column(name);
        if (!keep[f])
            HS_TRY(hs_names_append(&further.columns, HS_NAME(&data->feature_names, f), error));
    }
    if (!further.columns.count)
        return HSEL_OK;
    for (uint32_t i = 0; i < data->instances; i++)
        for (uint32_t f = 0; f < data->features; f++) {
            char number[40];
            if (keep[f])
                continue;
            double value = hs_dataset_value(data, f, i);
            const char *text = "";
            if (!isnan(value) && data->types[f] == HSEL_NOMINAL)
                text = hs_names_get(&data->nominal[data->slot[f]].values, (uint32_t)value);
            else if (!isnan(value) && hs_format_double(value, number))
                text = number;
            HS_TRY(hs_names_append(&further.cells, text, strlen(text), error));
        }
    HS_TRY(hs_dataset_subset(data, keep, &made, error));
    HS_TRY(hs_about_join(&made->instance_about, &further, made->instances, error));
    *out = hs_take(&made);
    return HSEL_OK;
}

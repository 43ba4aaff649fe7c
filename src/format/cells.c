/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of a data set for writers of tables. Sparse numeric columns are walked once, in step with
 * the rows.
 */
#include "format/cells.h"

#include <string.h>

#include "core/mem.h"
#include "core/text.h"

/* `wanted`, with underscores added until no feature has that name and `other` is not it. */
static char *free_name(const hsel_dataset *data, const char *wanted, const char *other)
{
    hs_buf name = {0};
    hs_buf_text(&name, wanted);
    while (!name.failed && (hsel_dataset_find_feature(data, name.text) != HSEL_NONE ||
                            (other && strcmp(name.text, other) == 0)))
        hs_buf_char(&name, '_');
    if (name.failed)
        hs_buf_clear(&name);
    return name.text;
}

int hs_cells_init(const hsel_dataset *data, hs_cells *out, hsel_error *error)
{
    bool has_class = data->class_names.count > 0 || data->class_attribute;
    bool has_id = data->ids.count > 0 || (data->instances == 0 && data->id_attribute);
    *out = (hs_cells){.data = data};
    if (has_class)
        out->class_name =
            free_name(data, data->class_attribute ? data->class_attribute : "class", NULL);
    if (has_id)
        out->id_name =
            free_name(data, data->id_attribute ? data->id_attribute : "id", out->class_name);
    out->others = HS_NEW(uint32_t, (size_t)data->numeric_count + data->nominal_count);
    out->next = HS_NEW_ZERO(uint32_t, data->numeric_count);
    if ((has_class && !out->class_name) || (has_id && !out->id_name) || !out->others ||
        !out->next) {
        hs_cells_clear(out);
        return hs_fail_memory(error);
    }
    for (uint32_t f = 0; data->slot && f < data->features; f++)
        if (data->types[f] != HSEL_BINARY)
            out->others[out->other_count++] = f;
    return HSEL_OK;
}

void hs_cells_clear(hs_cells *cells)
{
    hs_free(cells->class_name);
    hs_free(cells->id_name);
    hs_free(cells->others);
    hs_free(cells->next);
    *cells = (hs_cells){0};
}

double hs_cells_number(hs_cells *cells, uint32_t feature, uint32_t instance)
{
    uint32_t slot = cells->data->slot[feature], *next = &cells->next[slot];
    const hs_numeric_column *column = &cells->data->numeric[slot];
    if (!column->rows)
        return column->values[instance];
    while (*next < column->count && column->rows[*next] < instance)
        ++*next;
    return *next < column->count && column->rows[*next] == instance ? column->values[*next] : 0;
}

const char *hs_cells_nominal(const hs_cells *cells, uint32_t feature, uint32_t instance,
                             size_t *length)
{
    const hs_nominal_column *column = &cells->data->nominal[cells->data->slot[feature]];
    uint32_t code = column->codes[instance];
    if (code == HS_MISSING_CODE)
        return NULL;
    *length = hs_names_length(&column->values, code);
    return hs_names_get(&column->values, code);
}

const char *hs_cells_label(const hs_cells *cells, uint32_t instance, size_t *length)
{
    uint32_t label = hsel_dataset_class_of(cells->data, instance);
    if (label == HSEL_NONE)
        return NULL;
    *length = hs_names_length(&cells->data->class_names, label);
    return hs_names_get(&cells->data->class_names, label);
}

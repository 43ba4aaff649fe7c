/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counting positive values by feature and class. Only positive values are visited; what is negative
 * follows from the class sizes. Counts of disjoint parts add up to those of the whole, which is
 * what hs_counts_subtract relies on.
 */
#include "data/data.h"

int hs_counts_init(uint32_t features, uint32_t classes, hs_counts *out, hsel_error *error)
{
    *out = (hs_counts){.features = features, .classes = classes};
    out->class_size = HS_NEW_ZERO(uint32_t, classes);
    out->positive = HS_NEW_ZERO(uint32_t, (size_t)features * classes);
    HS_NEED(out->class_size && out->positive);
    return HSEL_OK;
}

void hs_counts_clear(hs_counts *counts)
{
    HS_FREE(counts->class_size, counts->positive);
    *counts = (hs_counts){0};
}

/* Adds a view to counts that are all 0. */
static void count_view(const hs_view *view, hs_counts *out)
{
    const hsel_dataset *data = view->data;
    size_t count;
    for (uint32_t i = 0; data->target && i < view->row_count; i++)
        out->instances += hs_has_label(data, hs_view_row(view, i));
    if (!data->class_of || !out->classes)
        return;
    bool all = !view->rows && view->row_count == data->instances;
    for (uint32_t i = 0; i < view->row_count; i++) {
        uint32_t instance = hs_view_row(view, i), label = data->class_of[instance];
        if (label == HSEL_NONE)
            continue;
        out->class_size[label]++;
        out->instances++;
        const uint32_t *list = hs_row(data, instance, &count);
        for (size_t j = 0; !all && j < count; j++)
            if (hs_view_has(view, list[j]))
                out->positive[(size_t)list[j] * out->classes + label]++;
    }
    /* All instances: by columns, so that the counters of one feature stay in the cache. */
    for (uint32_t f = 0; all && f < out->features; f++) {
        if (!hs_view_has(view, f))
            continue;
        uint32_t *positive = out->positive + (size_t)f * out->classes;
        const uint32_t *list = hs_column(data, f, &count);
        for (size_t i = 0; i < count; i++) {
            uint32_t label = data->class_of[list[i]];
            if (label != HSEL_NONE)
                positive[label]++;
        }
    }
}

int hs_counts_of(const hs_view *view, hs_counts *out, hsel_error *error)
{
    HS_TRY(hs_counts_init(view->data->features, view->data->class_names.count, out, error));
    count_view(view, out);
    return HSEL_OK;
}

void hs_counts_again(const hs_view *view, hs_counts *out)
{
    memset(out->positive, 0, (size_t)out->features * out->classes * sizeof *out->positive);
    memset(out->class_size, 0, out->classes * sizeof *out->class_size);
    out->instances = 0;
    count_view(view, out);
}

void hs_counts_subtract(const hs_counts *whole, const hs_counts *part, hs_counts *out)
{
    assert(whole->features == part->features && whole->features == out->features &&
           whole->classes == part->classes && whole->classes == out->classes);
    size_t cells = (size_t)whole->features * whole->classes;
    out->instances = whole->instances - part->instances;
    for (uint32_t c = 0; c < whole->classes; c++)
        out->class_size[c] = whole->class_size[c] - part->class_size[c];
    for (size_t i = 0; i < cells; i++)
        out->positive[i] = whole->positive[i] - part->positive[i];
}

int hs_counts_fields(hs_counts *counts, uint32_t features, uint32_t classes, hs_transfer *file,
                     hsel_error *error)
{
    const size_t cells = (size_t)features * classes;
    if (hs_reads(file)) {
        if (cells + classes > file->left / sizeof(uint32_t)) /* before so much memory is taken */
            return HSEL_EFORMAT;
        HS_TRY(hs_counts_init(features, classes, counts, error));
    }
    HS_FIELDS(file, HS_VALUES(*counts->class_size, classes, HS_SUM_TO(HS_INSTANCES_LIMIT)),
              HS_VALUES(*counts->positive, cells, HS_ANY));
    if (!hs_reads(file))
        return HSEL_OK;
    for (uint32_t c = 0; c < classes; c++)
        counts->instances += counts->class_size[c];
    for (size_t i = 0; i < cells; i++)
        if (counts->positive[i] > counts->class_size[i % classes])
            return HSEL_EFORMAT;
    return HSEL_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The selection for one instance (two lists with room for all features, made once and filled again
 * for each instance), training rows, and columns of binary features over them: positions in a list
 * of rows instead of numbers of instances, so that loops run over the training part alone.
 */
#include "data/data.h"

int hs_selection_init(hs_selection *selection, uint32_t features, hsel_error *error)
{
    *selection = (hs_selection){.positive = HS_NEW(uint32_t, features),
                                .negative = HS_NEW(uint32_t, features)};
    HS_NEED(selection->positive && selection->negative);
    return HSEL_OK;
}

void hs_selection_clear(hs_selection *selection)
{
    HS_FREE(selection->positive, selection->negative);
    *selection = (hs_selection){0};
}

uint32_t hs_selection_size(const hs_selection *selection, uint32_t features, size_t positives)
{
    uint32_t negatives =
        selection->all_negative ? features - (uint32_t)positives : selection->negative_count;
    return selection->positive_count + negatives;
}

static bool holds(const uint32_t *list, size_t count, uint32_t item)
{
    return hs_find_ascending(list, count, item) != HSEL_NONE;
}

bool hs_selection_has(const hs_selection *selection, const uint32_t *row, size_t count,
                      uint32_t feature)
{
    return holds(selection->positive, selection->positive_count, feature) ||
           (selection->all_negative
                ? !holds(row, count, feature)
                : holds(selection->negative, selection->negative_count, feature));
}

void hs_selection_each(const hs_selection *selection, uint32_t features, const uint32_t *row,
                       size_t count, void (*each)(void *context, uint32_t feature, bool value),
                       void *context)
{
    size_t next = 0;
    for (uint32_t i = 0; i < selection->positive_count; i++)
        each(context, selection->positive[i], true);
    for (uint32_t i = 0; !selection->all_negative && i < selection->negative_count; i++)
        each(context, selection->negative[i], false);
    for (uint32_t f = 0; selection->all_negative && f < features; f++) {
        if (next < count && row[next] == f)
            next++;
        else
            each(context, f, false);
    }
}

int hs_training_rows(const hs_training *training, bool labelled, uint32_t **rows, uint32_t *count,
                     hsel_error *error)
{
    const hs_view *view = &training->view;
    *count = 0;
    HS_NEED(*rows = HS_NEW(uint32_t, view->row_count));
    for (uint32_t i = 0; i < view->row_count; i++) {
        uint32_t row = hs_view_row(view, i);
        if (!labelled || hs_has_label(view->data, row))
            (*rows)[(*count)++] = row;
    }
    return HSEL_OK;
}

int hs_position_columns(const hsel_dataset *data, const uint32_t *features, uint32_t feature_count,
                        const uint32_t *rows, uint32_t count, hs_sparse *out, hsel_error *error)
{
    HS_OWNS(hs_sparse_clear) hs_sparse places = {0}; /* of the positive features of each row */
    HS_OWNED uint32_t *place_of = hs_new_none(data->features);
    size_t used = 0, capacity = 0, length;
    HS_NEED(place_of);
    for (uint32_t i = 0; i < feature_count; i++)
        place_of[features[i]] = i;
    HS_TRY(hs_sparse_init(&places, count, 0, error));
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *row = hs_row(data, rows[i], &length);
        HS_NEED(HS_GROW(&places.index, &capacity, used + length));
        for (size_t j = 0; j < length; j++)
            if (place_of[row[j]] != HSEL_NONE)
                places.index[used++] = place_of[row[j]];
        places.start[i + 1] = used;
    }
    if (used > HS_EDGES_LIMIT)
        return hs_fail(error, HSEL_EUNSUPPORTED,
                       "%s has more than %u positive values, too many for this method",
                       hsel_dataset_name(data), HS_EDGES_LIMIT);
    return hs_sparse_transpose(&places, feature_count, out, error);
}

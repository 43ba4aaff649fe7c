/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Training rows and columns of binary features over them: positions in a list of rows in place of
 * numbers of instances, so that loops run over the training part alone.
 */
#include <string.h>

#include "core/mem.h"
#include "data/training.h"

int hs_training_rows(const hs_training *training, bool labelled, uint32_t **rows, uint32_t *count,
                     hsel_error *error)
{
    const hs_view *view = &training->view;
    *count = 0;
    if (!(*rows = HS_NEW(uint32_t, view->row_count)))
        return hs_fail_memory(error);
    for (uint32_t i = 0; i < view->row_count; i++) {
        uint32_t row = hs_view_row(view, i);
        if (!labelled || view->data->class_of[row] != HSEL_NONE)
            (*rows)[(*count)++] = row;
    }
    return HSEL_OK;
}

/* Positive features of all rows, as pairs; returns how many. NULL lists: only counts. */
static size_t list_positives(const hsel_dataset *data, const uint32_t *rows, uint32_t row_count,
                             const uint32_t *place_of, uint32_t *place, uint32_t *position)
{
    size_t total = 0;
    for (uint32_t i = 0; i < row_count; i++) {
        size_t count;
        const uint32_t *row = hs_row(data, rows[i], &count);
        for (size_t j = 0; j < count; j++) {
            if (place_of[row[j]] == HSEL_NONE)
                continue;
            if (place) {
                place[total] = place_of[row[j]];
                position[total] = i;
            }
            total++;
        }
    }
    return total;
}

int hs_position_columns(const hsel_dataset *data, const uint32_t *features, uint32_t feature_count,
                        const uint32_t *rows, uint32_t count, hs_adjacency *out, hsel_error *error)
{
    uint32_t *place_of = HS_NEW(uint32_t, data->features), *place = NULL, *position = NULL;
    int status = place_of ? HSEL_OK : hs_fail_memory(error);
    if (status)
        goto out;
    memset(place_of, 0xff, data->features * sizeof *place_of); /* HSEL_NONE */
    for (uint32_t i = 0; i < feature_count; i++)
        place_of[features[i]] = i;
    size_t total = list_positives(data, rows, count, place_of, NULL, NULL);
    if (total > HS_EDGES_LIMIT) {
        status = hs_fail(error, HSEL_EUNSUPPORTED,
                         "%s has more than %u positive values, too many for this method",
                         hsel_dataset_name(data), HS_EDGES_LIMIT);
        goto out;
    }
    place = HS_NEW(uint32_t, total);
    position = HS_NEW(uint32_t, total);
    if (!place || !position) {
        status = hs_fail_memory(error);
        goto out;
    }
    list_positives(data, rows, count, place_of, place, position);
    status = hs_adjacency_group(feature_count, place, position, total, out, error);
out:
    hs_free(place_of);
    hs_free(place);
    hs_free(position);
    return status;
}

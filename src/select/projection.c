/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows on a changing set of candidates. Bits are handed out from a stack, so that undoing a change
 * gives every member its old bit.
 */
#include "select/projection.h"

#include "core/mem.h"

void hs_projection_clear(hs_projection *p)
{
    hs_adjacency_clear(&p->column);
    hs_free(p->label);
    hs_free(p->ones);
    hs_free(p->slot);
    hs_free(p->bits);
    hs_free(p->spare);
    hs_free(p->changed);
    hs_free(p->touched);
    *p = (hs_projection){0};
}

int hs_projection_init(hs_projection *p, const hs_candidates *candidates, hsel_error *error)
{
    uint32_t *rows = NULL, count = candidates->count;
    int status = hs_training_rows(candidates->training, true, &rows, &p->rows, error);
    if (status)
        goto out;
    p->candidates = count;
    p->stride = hs_bit_words(count);
    p->label = HS_NEW(uint32_t, p->rows);
    p->ones = HS_NEW_ZERO(uint32_t, p->rows);
    p->slot = HS_NEW(uint32_t, count);
    p->spare = HS_NEW(uint32_t, count);
    p->bits = HS_NEW_ZERO(uint64_t, p->rows * p->stride);
    p->changed = HS_NEW(uint32_t, p->rows);
    p->touched = HS_NEW_ZERO(bool, p->rows);
    if (!p->label || !p->ones || !p->slot || !p->spare || !p->bits || !p->changed || !p->touched) {
        status = hs_fail_memory(error);
        goto out;
    }
    for (uint32_t i = 0; i < p->rows; i++)
        p->label[i] = candidates->training->view.data->class_of[rows[i]];
    for (uint32_t i = 0; i < count; i++) {
        p->slot[i] = HSEL_NONE;
        p->spare[i] = count - 1 - i;
    }
    p->spares = count;
    status = hs_candidates_columns(candidates, rows, p->rows, &p->column, error);
out:
    hs_free(rows);
    return status;
}

static const uint32_t *positives(const hs_projection *p, uint32_t candidate, uint32_t *count)
{
    *count = p->column.start[candidate + 1] - p->column.start[candidate];
    return p->column.item + p->column.start[candidate];
}

void hs_projection_toggle(hs_projection *p, uint32_t candidate)
{
    uint32_t count;
    const uint32_t *rows = positives(p, candidate, &count);
    bool joins = !hs_projection_has(p, candidate);
    uint32_t slot = joins ? p->spare[--p->spares] : p->slot[candidate];
    size_t word = slot / 64;
    for (uint32_t i = 0; i < count; i++) {
        p->bits[rows[i] * p->stride + word] ^= (uint64_t)1 << (slot % 64);
        p->ones[rows[i]] += joins ? 1 : UINT32_MAX; /* or one less */
    }
    if (!joins)
        p->spare[p->spares++] = slot;
    else if (word >= p->used)
        p->used = word + 1;
    p->slot[candidate] = joins ? slot : HSEL_NONE;
    p->size += joins ? 1 : UINT32_MAX;
}

void hs_projection_note(hs_projection *p, const uint32_t *candidates, uint32_t count)
{
    for (uint32_t i = 0; i < p->changes; i++)
        p->touched[p->changed[i]] = false;
    p->changes = 0;
    for (uint32_t c = 0; c < count; c++) {
        uint32_t rows;
        const uint32_t *row = positives(p, candidates[c], &rows);
        for (uint32_t i = 0; i < rows; i++)
            if (!p->touched[row[i]]) {
                p->touched[row[i]] = true;
                p->changed[p->changes++] = row[i];
            }
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows on a changing set of candidates. Bits are handed out from a stack, so that undoing a change
 * gives every member its old bit.
 */
#include "select/projection.h"

#include "core/mem.h"

void hs_projection_clear(hs_projection *p)
{
    hs_sparse_clear(&p->column);
    hs_arena_clear(&p->memory);
    *p = (hs_projection){0};
}

int hs_projection_init(hs_projection *p, const hs_candidates *candidates, hsel_error *error)
{
    const hsel_dataset *data = candidates->training->view.data;
    const uint32_t count = candidates->count;
    HS_OWNED uint32_t *rows = NULL;
    HS_TRY(hs_training_rows(candidates->training, true, &rows, &p->rows, error));
    p->candidates = p->spares = count;
    p->stride = hs_bit_words(count);
    p->label = HS_ARENA_NEW(&p->memory, uint32_t, p->rows);
    p->changed = HS_ARENA_NEW(&p->memory, uint32_t, p->rows);
    p->slot = HS_ARENA_NEW(&p->memory, uint32_t, count);
    p->spare = HS_ARENA_NEW(&p->memory, uint32_t, count);
    p->ones = hs_arena_zero(&p->memory, p->rows, sizeof *p->ones);
    p->touched = hs_arena_zero(&p->memory, p->rows, sizeof *p->touched);
    p->bits = hs_arena_zero(&p->memory, p->rows * p->stride, sizeof *p->bits);
    HS_NEED(p->label && p->changed && p->slot && p->spare && p->ones && p->touched && p->bits);
    for (uint32_t i = 0; i < p->rows; i++)
        p->label[i] = data->class_of[rows[i]];
    for (uint32_t i = 0; i < count; i++) {
        p->slot[i] = HSEL_NONE;
        p->spare[i] = count - 1 - i;
    }
    return hs_position_columns(data, candidates->feature, count, rows, p->rows, &p->column, error);
}

void hs_projection_toggle(hs_projection *p, uint32_t candidate)
{
    bool joins = !hs_projection_has(p, candidate);
    uint32_t slot = joins ? p->spare[--p->spares] : p->slot[candidate];
    size_t word = slot / 64;
    for (uint64_t i = p->column.start[candidate]; i < p->column.start[candidate + 1]; i++) {
        uint32_t row = p->column.index[i];
        p->bits[row * p->stride + word] ^= (uint64_t)1 << (slot % 64);
        p->ones[row] += joins ? 1 : UINT32_MAX; /* or one less */
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
    for (uint32_t c = 0; c < count; c++)
        for (uint64_t i = p->column.start[candidates[c]]; i < p->column.start[candidates[c] + 1];
             i++) {
            uint32_t row = p->column.index[i];
            if (!p->touched[row]) {
                p->touched[row] = true;
                p->changed[p->changes++] = row;
            }
        }
}

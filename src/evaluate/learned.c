/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Letting a selector learn outside cross-validation and models.
 */
#include "evaluate/learned.h"

#include "core/mem.h"
#include "select/select.h"

void hs_learned_clear(hs_learned *learned)
{
    if (learned->state)
        learned->method->selector->free(learned->state);
    hs_counts_clear(&learned->counts);
    hs_free(learned->rows);
    *learned = (hs_learned){0};
}

int hs_learn(const hs_chosen *selector, const hsel_dataset *data, uint64_t seed, int threads,
             hs_learned *out, hsel_error *error)
{
    const hs_method *method = selector->method;
    hs_training training = {.view = {.data = data},
                            .counts = &out->counts,
                            .seed = seed,
                            .progress = out->progress,
                            .journal = out->journal,
                            .threads = threads};
    out->method = method;
    HS_NEED(training.view.rows = out->rows = HS_NEW(uint32_t, data->instances));
    for (uint32_t i = 0; i < data->instances; i++)
        if (!(method->flags & HS_NEEDS_CLASSES) || hsel_dataset_class_of(data, i) != HSEL_NONE)
            out->rows[training.view.row_count++] = i;
    HS_TRY(hs_counts_of(&training.view, &out->counts, error));
    HS_TRY(method->selector->prepare(&training, selector->options, &out->state, error));
    if (method->selector->scores)
        out->scores = method->selector->scores(out->state);
    return HSEL_OK;
}

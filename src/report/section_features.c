/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which features are selected most often: for each data set and method the first of them, with the
 * share of test instances (over all folds and repeats) for which each was selected.
 */
#define _GNU_SOURCE /* qsort_r */
#include <stdlib.h>

#include "core/mem.h"
#include "report/sections.h"

enum { TOP = 25 };

static int by_count(const void *a, const void *b, void *context)
{
    const uint64_t *count = context;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (count[x] != count[y])
        return count[x] > count[y] ? -1 : 1;
    return (x > y) - (x < y);
}

typedef struct work {
    hs_report *report;
    uint64_t *count; /* [features] */
    uint32_t *order; /* [features] */
    hs_grid *grid;
    size_t rows;
} work;

/* Does the method leave out anything at all? One that selects everything has nothing to show. */
static bool is_selection(const work *w, uint32_t features, uint64_t tested)
{
    for (uint32_t f = 0; f < features; f++)
        if (w->count[f] != tested)
            return tested > 0;
    return false;
}

static void set_column(const work *w, size_t dataset, size_t column, uint64_t tested)
{
    hs_document *doc = &w->report->doc;
    const hs_stored_dataset *data = &w->report->outcomes.datasets[dataset];
    for (uint32_t f = 0; f < data->features; f++)
        w->order[f] = f;
    qsort_r(w->order, data->features, sizeof *w->order, by_count, w->count);
    for (size_t row = 0; row < w->rows; row++) {
        uint64_t count = w->count[w->order[row]];
        if (count == 0) {
            hs_set_cell(w->grid, row, column,
                        (hs_cell){.text = HS_NOTHING, .flags = HS_CELL_QUIET});
            continue;
        }
        hs_set_cell(
            w->grid, row, column,
            (hs_cell){.text = hs_names_get(&data->feature_names, w->order[row]),
                      .aside = hs_say(doc, "%.1f %%", 100 * (double)count / (double)tested),
                      .exact = hs_say(doc, "selected for %llu of %llu test instances",
                                      (unsigned long long)count, (unsigned long long)tested)});
    }
}

static int fill_column(work *w, size_t dataset, size_t c, hsel_error *error)
{
    const hs_outcomes *o = &w->report->outcomes;
    const hs_stored_dataset *data = &o->datasets[dataset];
    hs_outcome_state state;
    uint64_t tested = 0;
    size_t selector = hs_contender_pick(o, &w->report->boards.by_selector[c], dataset, 0, &state);
    for (uint32_t f = 0; f < data->features; f++)
        w->count[f] = 0;
    int status = hs_store_frequencies(
        w->report->store, data->id, o->study->selectors[selector].text, hs_study_scheme(o->study),
        o->study->folds, o->study->seed, o->study->repeats, w->count, &tested, error);
    if (status)
        return status;
    hs_set_head(w->grid, c + 1, w->report->boards.by_selector[c].label);
    if (is_selection(w, data->features, tested))
        set_column(w, dataset, c + 1, tested);
    else
        for (size_t row = 0; row < w->rows; row++)
            hs_set_cell(w->grid, row, c + 1,
                        (hs_cell){.text = row == 0 && tested ? "all features" : HS_NOTHING,
                                  .flags = HS_CELL_QUIET});
    return HSEL_OK;
}

static int add_dataset(hs_report *report, size_t dataset, hsel_error *error)
{
    hs_document *doc = &report->doc;
    const hs_stored_dataset *data = &report->outcomes.datasets[dataset];
    size_t columns = report->boards.by_selector_count;
    work w = {.report = report,
              .count = HS_NEW(uint64_t, data->features),
              .order = HS_NEW(uint32_t, data->features),
              .rows = data->features < TOP ? data->features : TOP};
    int status = w.count && w.order ? HSEL_OK : hs_fail_memory(error);
    hs_add_fold(doc, data->name);
    w.grid = hs_add_grid(
        doc,
        hs_say(doc, "Most often selected features of %s, with the share of test instances",
               data->name),
        columns + 1, w.rows, columns + 1);
    hs_set_head(w.grid, 0, "place");
    for (size_t row = 0; row < w.rows; row++)
        hs_set(w.grid, row, 0, hs_say(doc, "%zu", row + 1));
    for (size_t c = 0; c < columns && status == HSEL_OK; c++)
        status = fill_column(&w, dataset, c, error);
    hs_add_unfold(doc);
    hs_free(w.count);
    hs_free(w.order);
    return status;
}

int hs_section_features(hs_report *report, hsel_error *error)
{
    hs_document *doc = &report->doc;
    int status = HSEL_OK;
    bool any = false;
    doc->where = HS_IN_HTML;
    for (size_t d = 0; d < report->outcomes.dataset_count && status == HSEL_OK; d++) {
        const hs_stored_dataset *data = &report->outcomes.datasets[d];
        if (data->id < 0 || data->features == 0 || report->boards.by_selector_count == 0)
            continue;
        if (!any)
            hs_add_heading(doc, 2, "Most often selected features");
        any = true;
        status = add_dataset(report, d, error);
    }
    doc->where = 0;
    return status ? status : hs_document_check(doc, error);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The data sets: what hsel info says of each, as far as the store keeps it.
 */
#include <math.h>

#include "report/sections.h"

/* "yes 208 (positive, 39.3 %), no 321" */
static const char *classes_text(hs_document *doc, const hs_stored_dataset *data)
{
    enum { SHOWN = 8 };
    const char *text = "";
    for (uint32_t k = 0; k < data->classes && k < SHOWN; k++)
        text = hs_say(doc, "%s%s%s %s%s", text, k ? ", " : "", hs_names_get(&data->class_names, k),
                      hs_grouped(doc, data->class_sizes[k]),
                      data->classes == 2 && k == data->positive_class
                          ? hs_say(doc, " (positive, %.1f %%)",
                                   100.0 * data->class_sizes[k] /
                                       ((double)data->class_sizes[0] + data->class_sizes[1]))
                          : "");
    return data->classes > SHOWN ? hs_say(doc, "%s, …", text) : text;
}

enum { NAME, SIZES, INSTANCES, FEATURES, POSITIVE, EDGES, DEPTH, CLASSES, IMBALANCE, COLUMNS };

/* Positive values among all of them: how sparse the data are. */
static const char *positive_share(hs_document *doc, const hs_stored_dataset *data)
{
    double all = (double)data->instances * data->features;
    return all > 0 ? hs_say(doc, "%.2f", 100 * (double)data->positives / all) : HS_NOTHING;
}

static void set_dataset(hs_document *doc, hs_grid *grid, size_t row, const hs_stored_dataset *data,
                        double imbalance)
{
    hs_set(grid, row, NAME, data->name);
    if (data->id < 0) {
        for (size_t i = SIZES; i < COLUMNS; i++)
            hs_set_cell(grid, row, i, (hs_cell){.text = HS_NOTHING, .flags = HS_CELL_QUIET});
        return;
    }
    bool hierarchy = data->edges >= 0;
    hs_set(grid, row, SIZES, classes_text(doc, data));
    hs_set(grid, row, INSTANCES, hs_grouped(doc, data->instances));
    hs_set(grid, row, FEATURES, hs_grouped(doc, data->features));
    hs_set(grid, row, POSITIVE, positive_share(doc, data));
    hs_set(grid, row, EDGES, hierarchy ? hs_grouped(doc, (uint64_t)data->edges) : HS_NOTHING);
    hs_set(grid, row, DEPTH, hierarchy ? hs_grouped(doc, (uint64_t)data->depth) : HS_NOTHING);
    hs_set(grid, row, CLASSES, hs_grouped(doc, data->classes));
    hs_set(grid, row, IMBALANCE, isnan(imbalance) ? HS_NOTHING : hs_say(doc, "%.3f", imbalance));
}

int hs_section_data(hs_report *report, hsel_error *error)
{
    static const char *const heads[COLUMNS] = {"data set", "class sizes", "instances",
                                               "features", "positive %",  "edges",
                                               "depth",    "classes",     "imbalance"};
    hs_document *doc = &report->doc;
    const hs_outcomes *o = &report->outcomes;
    if (o->dataset_count == 0)
        return HSEL_OK;
    hs_add_heading(doc, 2, "Data sets");
    hs_grid *grid = hs_add_grid(doc, "The data sets as they were used, after preparation", COLUMNS,
                                o->dataset_count, 2);
    for (size_t i = 0; i < COLUMNS; i++)
        hs_set_head(grid, i, heads[i]);
    for (size_t d = 0; d < o->dataset_count; d++)
        set_dataset(doc, grid, d, &o->datasets[d], report->boards.imbalance[d]);
    if (grid)
        grid->note = "Positive: share of the values of all features. Edges and depth are those of "
                     "the hierarchy. Imbalance is 1 − smallest class / largest class.";
    return hs_document_check(doc, error);
}

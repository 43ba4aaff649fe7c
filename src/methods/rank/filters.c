/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Measures as rankers: binary features by their counts, nominal ones by the table of their values
 * and the classes, numeric ones by the table of the intervals that MDL discretisation cuts them
 * into (mdl.c). All requested measures share counts, cuts and tables.
 *
 * Missing values are spread over the rows of the table as the known ones are, class by class, as
 * WEKA's evaluators do by default: cell(v,c) += missing(c) n_v/N. A feature without a cut, or
 * without a known value, is constant to a measure, which scores it so (mostly 0).
 */
#include "measure/measure.h"
#include "rank/ordered.h"
#include "rank/rank.h"

struct job {
    const hs_chosen *measures;
    size_t count;
    double *const *scores;
    hs_cuts cuts;
};

/* Cuts after the group in which the first, second … share of the known values is complete. */
static uint32_t quantile_cuts(hs_ordered *o, uint32_t bins)
{
    uint32_t cuts = 0, reached = 0; /* shares */
    for (uint32_t g = 0; g < o->groups; g++) {
        uint32_t now = (uint32_t)((uint64_t)o->before[g + 1] * bins / o->known);
        o->cut[g] = now > reached && g + 1 < o->groups;
        cuts += o->cut[g];
        reached = now;
    }
    return cuts;
}

/* Sums of rows and columns. */
static void set_margins(hs_value_table *table, const double *cell, double *row, double *column)
{
    table->total = 0;
    table->whole = true;
    memset(column, 0, table->classes * sizeof *column);
    for (uint32_t v = 0; v < table->values; v++) {
        row[v] = 0;
        for (uint32_t c = 0; c < table->classes; c++, cell++) {
            row[v] += *cell;
            column[c] += *cell;
            table->whole &= *cell == floor(*cell);
        }
        table->total += row[v];
    }
    table->whole &= table->total <= UINT32_MAX;
}

static int make_table(const hs_labelled *columns, const hs_cuts *cuts, bool nominal, hs_ordered *o,
                      hs_value_table *table, hsel_error *error)
{
    const uint32_t classes = columns->classes;
    uint32_t values = nominal                        ? o->groups
                      : cuts->by == HS_CUT_QUANTILES ? quantile_cuts(o, cuts->bins) + 1
                                                     : hs_mdl_cuts(columns, o) + 1;
    values += values == 0; /* never known: one value that does not occur */
    size_t cells = (size_t)values * classes;
    HS_NEED(HS_GROW(&o->scratch, &o->scratch_capacity, cells + values + classes));
    double *cell = o->scratch, *row = cell + cells, *column = row + values, *to = cell;
    *table = (hs_value_table){
        values, classes, cell, row, column, 0, columns->training->view.data->positive_class, true};
    memset(cell, 0, cells * sizeof *cell);
    /* one row per group, or a row for all groups up to the next cut */
    for (uint32_t g = 0, last; g < o->groups; g = last + 1, to += classes) {
        last = g;
        if (!nominal) {
            const bool *cut = memchr(o->cut + g, true, o->groups - g);
            last = cut ? (uint32_t)(cut - o->cut) : o->groups - 1;
        }
        const uint32_t *first = o->of_class + (size_t)g * classes,
                       *end = o->of_class + ((size_t)last + 1) * classes;
        for (uint32_t c = 0; c < classes; c++)
            to[c] = end[c] - first[c];
    }
    set_margins(table, cell, row, column);
    if (table->total > 0 && o->known < columns->count) { /* spread missing values */
        for (uint32_t v = 0; v < values; v++)
            for (uint32_t c = 0; c < classes; c++)
                cell[(size_t)v * classes + c] += row[v] / table->total * o->class_missing[c];
        set_margins(table, cell, row, column);
    }
    return HSEL_OK;
}

static int measure_feature(void *context, const hs_labelled *columns, uint32_t feature,
                           hs_ordered *o, hsel_error *error)
{
    const struct job *job = context;
    const hsel_dataset *data = columns->training->view.data;
    const bool binary = data->types[feature] == HSEL_BINARY;
    hs_cells cells = hs_cells_of(columns->training->counts, feature, data->positive_class);
    hs_value_table table;
    if (binary) {
        HS_NEED(HS_GROW(&o->scratch, &o->scratch_capacity, HS_CELLS_ROOM(cells.classes)));
        table = hs_table_of_cells(&cells, o->scratch);
    } else {
        hs_order_column(columns, feature, o);
        HS_TRY(make_table(columns, &job->cuts, data->types[feature] == HSEL_NOMINAL, o, &table,
                          error));
    }
    for (size_t i = 0; i < job->count; i++) {
        const hs_measure *measure = job->measures[i].method->measure;
        job->scores[i][feature] = measure->score ? measure->score(&cells, job->measures[i].options)
                                                 : measure->table(&table);
    }
    return HSEL_OK;
}

int hs_filters_rank(const hs_training *training, const hs_chosen *measures, size_t count,
                    double *const *scores, hsel_error *error)
{
    struct job job = {measures, count, scores, {.by = HS_CUT_MDL}};
    return hs_each_column(training, measure_feature, &job, error);
}

int hs_measure_features(const hs_training *training, const hs_method *measure, const hs_cuts *cuts,
                        double *score, hsel_error *error)
{
    const hsel_dataset *data = training->view.data;
    struct job job = {&(hs_chosen){.method = measure}, 1, &score, *cuts};
    if (!hs_dataset_all_binary(data))
        return hs_each_column(training, measure_feature, &job, error);
    HS_OWNED double *room = HS_NEW(double, HS_CELLS_ROOM(training->counts->classes));
    HS_NEED(room);
    for (uint32_t f = 0; f < data->features; f++) /* counts suffice: no column is read */
        if (hs_view_has(&training->view, f)) {
            hs_cells cells = hs_cells_of(training->counts, f, data->positive_class);
            score[f] = hs_score_cells(measure->measure, &cells, NULL, room);
        }
    return HSEL_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Measures as rankers: binary features by their counts, nominal ones by the table of their values
 * and the classes, numeric ones by the table of the intervals that MDL discretisation cuts them
 * into (mdl.c). All measures asked for share counts, cuts and tables.
 *
 * Missing values are spread over the rows of the table as the known ones are, class by class, as
 * WEKA's evaluators do by default: cell(v,c) += missing(c) n_v/N. A feature without a cut, or
 * without a known value, is constant to a measure, which scores it so (mostly 0).
 */
#include "rank/filters.h"

#include <string.h>

#include "core/mem.h"
#include "core/parallel.h"
#include "measure/measure.h"
#include "rank/mdl.h"

struct worker {
    hs_ordered ordered;
    hs_mdl mdl;
    double *cell, *row, *column;
    size_t cell_room, row_room;
};

struct job {
    hs_labelled columns;
    const hs_chosen *measures;
    size_t count;
    double *const *scores;
    struct worker *workers;
    int threads;
};

static int job_init(struct job *job, const hs_training *training, hsel_error *error)
{
    int status = hs_labelled_init(&job->columns, training, error);
    if (status)
        return status;
    job->threads = hs_threads(training->threads);
    if (!(job->workers = HS_NEW_ZERO(struct worker, (size_t)job->threads)))
        return hs_fail_memory(error);
    for (int i = 0; i < job->threads && status == HSEL_OK; i++) {
        struct worker *w = &job->workers[i];
        w->column = HS_NEW(double, job->columns.classes);
        status =
            w->column ? hs_ordered_init(&w->ordered, &job->columns, error) : hs_fail_memory(error);
        if (status == HSEL_OK)
            status = hs_mdl_init(&w->mdl, &job->columns, error);
    }
    return status;
}

static void job_clear(struct job *job)
{
    for (int i = 0; job->workers && i < job->threads; i++) {
        struct worker *w = &job->workers[i];
        hs_ordered_clear(&w->ordered);
        hs_mdl_clear(&w->mdl);
        hs_free(w->cell);
        hs_free(w->row);
        hs_free(w->column);
    }
    hs_free(job->workers);
    hs_labelled_clear(&job->columns);
}

/* ---- tables ---- */

/* Sums of rows and columns. */
static void set_margins(hs_value_table *table, struct worker *w)
{
    table->total = 0;
    memset(w->column, 0, table->classes * sizeof *w->column);
    for (uint32_t v = 0; v < table->values; v++) {
        w->row[v] = 0;
        for (uint32_t c = 0; c < table->classes; c++) {
            double cell = w->cell[(size_t)v * table->classes + c];
            w->row[v] += cell;
            w->column[c] += cell;
        }
        table->total += w->row[v];
    }
}

static void spread_missing(const hs_value_table *table, struct worker *w)
{
    for (uint32_t v = 0; v < table->values; v++)
        for (uint32_t c = 0; c < table->classes; c++)
            w->cell[(size_t)v * table->classes + c] +=
                w->row[v] / table->total * w->ordered.class_missing[c];
}

/* The last group of the table's row that starts with group g: itself, or the next one with a cut.
 */
static uint32_t last_of_row(const struct worker *w, bool nominal, uint32_t g)
{
    const bool *from = w->mdl.cut + g, *cut = from;
    if (nominal)
        return g;
    cut = memchr(from, true, w->ordered.groups - g);
    return cut ? g + (uint32_t)(cut - from) : w->ordered.groups - 1;
}

/* One row a group, or a row for all groups up to the next cut. */
static void count_cells(const hs_value_table *table, bool nominal, struct worker *w)
{
    const hs_ordered *o = &w->ordered;
    double *row = w->cell;
    memset(w->cell, 0, (size_t)table->values * table->classes * sizeof *w->cell);
    for (uint32_t g = 0, last; g < o->groups; g = last + 1, row += table->classes) {
        last = last_of_row(w, nominal, g);
        if (table->classes == 2) {
            row[1] = o->second[last] - hs_before(o->second, g);
            row[0] = o->upto[last] - hs_before(o->upto, g) - row[1];
            continue;
        }
        for (uint32_t run = hs_before(o->end, g); run < o->end[last]; run++)
            row[o->label[run]] += o->size[run];
    }
}

static int make_table(const struct job *job, bool nominal, struct worker *w, hs_value_table *table,
                      hsel_error *error)
{
    const hs_ordered *o = &w->ordered;
    uint32_t classes = job->columns.classes;
    uint32_t values = nominal ? o->groups : hs_mdl_cuts(o, &job->columns, &w->mdl) + 1;
    values += values == 0; /* never known: one value that does not occur */
    if (!HS_GROW(&w->cell, &w->cell_room, (size_t)values * classes) ||
        !HS_GROW(&w->row, &w->row_room, values))
        return hs_fail_memory(error);
    *table = (hs_value_table){
        .values = values, .classes = classes, .cell = w->cell, .row = w->row, .column = w->column};
    count_cells(table, nominal, w);
    set_margins(table, w);
    if (table->total > 0 && o->known < job->columns.count) {
        spread_missing(table, w);
        set_margins(table, w);
    }
    return HSEL_OK;
}

/* ---- features ---- */

static int score_feature(void *context, uint32_t feature, int worker, hsel_error *error)
{
    const struct job *job = context;
    const hs_training *training = job->columns.training;
    const hsel_dataset *data = training->view.data;
    struct worker *w = &job->workers[worker];
    hs_value_table table;
    if (data->types[feature] == HSEL_BINARY) {
        hs_cells cells = hs_cells_of(training->counts, feature, data->positive_class);
        for (size_t i = 0; i < job->count; i++)
            job->scores[i][feature] =
                job->measures[i].method->measure->score(&cells, job->measures[i].options);
        return HSEL_OK;
    }
    hs_order_column(&job->columns, feature, &w->ordered);
    int status = make_table(job, data->types[feature] == HSEL_NOMINAL, w, &table, error);
    for (size_t i = 0; i < job->count && status == HSEL_OK; i++)
        job->scores[i][feature] =
            job->measures[i].method->measure->table(&table, job->measures[i].options);
    return status;
}

int hs_filters_rank(const hs_training *training, const hs_chosen *measures, size_t count,
                    double *const *scores, hsel_error *error)
{
    struct job job = {.measures = measures, .count = count, .scores = scores};
    int status = job_init(&job, training, error);
    if (status == HSEL_OK)
        status = hs_each_column(training, score_feature, &job, error);
    job_clear(&job);
    return status;
}

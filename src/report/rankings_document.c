/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matrices of Kendall's tau as tables and as heat maps. In a map blue is tau = 1, orange -1; the
 * number stands in each cell, so that it can be read without colours. Cells are drawn one by one
 * (pixels): browsers blur a small image that is drawn large.
 */
#include <math.h>
#include <stdio.h>

#include "report/escape.h"
#include "report/rankings.h"
#include "report/sections.h"

static void add_matrix(hs_document *doc, const hs_rankings *r, const double *matrix,
                       const char *caption)
{
    size_t n = r->ranker_count;
    hs_grid *grid = hs_add_grid(doc, caption, n + 1, n, 1);
    hs_set_head(grid, 0, "ranker");
    for (size_t i = 0; i < n; i++) {
        hs_set_head(grid, i + 1, r->rankers[i]);
        hs_set(grid, i, 0, r->rankers[i]);
        for (size_t j = 0; j < n; j++) {
            double tau = matrix[i * n + j];
            hs_set_cell(grid, i, j + 1,
                        isnan(tau) ? (hs_cell){.text = HS_NOTHING, .flags = HS_CELL_QUIET}
                                   : (hs_cell){.text = hs_say(doc, "%.2f", tau),
                                               .exact = hs_say(doc, "%.17g", tau)});
        }
    }
}

/* ---- heat maps ---- */

/* From this value on the cell is so dark that white can be read better on it. Orange never is. */
static double dark_from(const double *matrix, size_t cells, bool spread)
{
    double most = 0;
    for (size_t i = 0; i < cells; i++)
        most = matrix[i] > most ? matrix[i] : most;
    return spread ? 0.7 * most : 0.8;
}

static void put_map(const hs_rankings *r, const double *matrix, bool spread, hs_writer *out)
{
    size_t n = r->ranker_count;
    double dark = dark_from(matrix, n * n, spread);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double tau = matrix[i * n + j];
            hs_writer_printf(out, "%zu\t%zu\t", j, i);
            hs_chart_number(out, tau);
            hs_writer_text(out, "\t\"");
            hs_gnuplot_text(out, r->rankers[j]);
            hs_writer_text(out, "\"\t\"");
            hs_gnuplot_text(out, r->rankers[i]);
            hs_writer_printf(out, isnan(tau) ? "\"\t\"\"" : "\"\t\"%.2f\"", tau);
            hs_writer_printf(out, "\t0x%s\n", tau > dark ? "ffffff" : "222222");
        }
}

static int add_map(const hs_rankings *r, const double *matrix, hs_charts *charts, const char *name,
                   const char *caption, bool spread, hs_document *doc, hsel_error *error)
{
    static const char *const tau_colours =
        "set palette defined (-1 '#d55e00', 0 '#ffffff', 1 '#0072b2')\nset cbrange [-1:1]\n";
    static const char *const sd_colours =
        "set palette defined (0 '#ffffff', 1 '#6a3d9a')\nset cbrange [0:*]\n";
    hs_buf data = {0};
    hs_writer *out = NULL;
    unsigned side = (unsigned)(44 * r->ranker_count);
    int status = hs_writer_open_memory(&data, &out, error);
    if (status)
        return status;
    put_map(r, matrix, spread, out);
    status = hs_writer_commit(out, error);
    const char *script = hs_say(
        doc,
        "unset key\nunset grid\nset border 0\nset size ratio -1\nset xrange [-0.5:%zu.5]\n"
        "set yrange [%zu.5:-0.5]\nset xtics rotate by 60 right scale 0\nset ytics scale 0\n%s"
        "plot data using 1:2:3:xticlabels(4):yticlabels(5) with image pixels, \\\n"
        "     data using 1:2:6:7 with labels font ',9' textcolor rgb variable\n",
        r->ranker_count - 1, r->ranker_count - 1, spread ? sd_colours : tau_colours);
    if (status == HSEL_OK)
        status = hs_chart_draw(charts, doc,
                               &(hs_chart){.name = name,
                                           .alt = "Heat map of Kendall's tau, a row and a column a "
                                                  "ranker",
                                           .caption = caption,
                                           .script = script,
                                           .data = &data,
                                           .width = 230 + side,
                                           .height = 130 + side},
                               error);
    hs_buf_clear(&data);
    return status;
}

int hs_rankings_heat_map(const hs_rankings *rankings, hs_charts *charts, const char *name,
                         hs_document *doc, hsel_error *error)
{
    const hs_rankings *r = rankings;
    return add_map(r, r->mean ? r->mean : r->data[0].matrix, charts, name, "", false, doc, error);
}

/* ---- the page ---- */

static void add_words(const hs_rankings *r, hs_document *doc)
{
    static const char *const kinds[] = {
        "Kendall's tau-b: ties are taken as they are.",
        "Kendall's tau-a on the order of the features, of equal ones the first in the data first.",
        "Kendall's tau-a on the order of the features as WEKA's Ranker puts equal ones."};
    hs_add_text(doc, hs_say(doc,
                            "%s 1: two rankers order all features alike; -1: in opposite "
                            "directions; 0: as if by chance.",
                            kinds[r->kind]));
}

static void add_distances(const hs_rankings *r, hs_document *doc)
{
    size_t random = r->random.count > 0;
    hs_grid *grid =
        hs_add_grid(doc, "Distance of each data set's matrix from the mean (Frobenius norm)", 3,
                    r->data_count + random, 1);
    hs_set_head(grid, 0, "data set");
    hs_set_head(grid, 1, "features");
    hs_set_head(grid, 2, "distance");
    for (size_t d = 0; d < r->data_count; d++) {
        hs_set(grid, d, 0, r->data[d].name);
        hs_set(grid, d, 1, hs_grouped(doc, r->data[d].features));
        hs_set_cell(grid, d, 2,
                    (hs_cell){.text = hs_say(doc, "%.2f", r->data[d].distance),
                              .exact = hs_say(doc, "%.17g", r->data[d].distance)});
    }
    if (random) {
        hs_set(grid, r->data_count, 0,
               hs_say(doc, "random rankings (%u matrices)", r->random.count));
        hs_set(grid, r->data_count, 1, HS_NOTHING);
        hs_set(grid, r->data_count, 2,
               hs_say(doc, "%.2f ± %.2f", r->random.mean, hs_running_sd(&r->random)));
    }
    if (grid)
        grid->foot = random;
}

static int add_means(const hs_rankings *r, hs_charts *charts, hs_document *doc, hsel_error *error)
{
    add_matrix(doc, r, r->mean, hs_say(doc, "Mean over %zu data sets", r->data_count));
    add_matrix(doc, r, r->sd, hs_say(doc, "Standard deviation over %zu data sets", r->data_count));
    add_distances(r, doc);
    int status = add_map(r, r->mean, charts, "tau-mean", "Mean over data sets.", false, doc, error);
    if (status == HSEL_OK)
        status = add_map(r, r->sd, charts, "tau-sd", "Standard deviation over data sets.", true,
                         doc, error);
    return status;
}

int hs_rankings_show(const hs_rankings *rankings, hs_charts *charts, hs_document *doc,
                     hsel_error *error)
{
    add_words(rankings, doc);
    int status = rankings->mean ? add_means(rankings, charts, doc, error) : HSEL_OK;
    return status ? status : hs_document_check(doc, error);
}

int hs_rankings_show_each(const hs_rankings *rankings, hs_charts *charts, hs_document *doc,
                          hsel_error *error)
{
    const hs_rankings *r = rankings;
    int status = HSEL_OK;
    for (size_t d = 0; d < r->data_count && status == HSEL_OK; d++) {
        char name[32];
        snprintf(name, sizeof name, "tau-%zu", d + 1);
        add_matrix(
            doc, r, r->data[d].matrix,
            hs_say(doc, "%s, %s features", r->data[d].name, hs_grouped(doc, r->data[d].features)));
        status = add_map(r, r->data[d].matrix, charts, name, r->data[d].name, false, doc, error);
    }
    return status ? status : hs_document_check(doc, error);
}

int hs_rankings_document(const hs_rankings *rankings, hs_charts *charts, hs_document *doc,
                         hsel_error *error)
{
    doc->title = "How alike rankers are";
    int status = hs_rankings_show(rankings, charts, doc, error);
    return status ? status : hs_rankings_show_each(rankings, charts, doc, error);
}

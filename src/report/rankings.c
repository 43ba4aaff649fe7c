/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Summing up matrices of Kendall's tau; writing them for programs; tables and heat maps of them. In
 * a map blue is tau = 1, orange -1; the number stands in each cell, so that it can be read without
 * colours. Cells are drawn one by one (pixels): browsers blur a small image that is drawn large.
 */
#include "report/rankings.h"

#include "core/json.h"

void hs_rankings_clear(hs_rankings *rankings)
{
    HS_FREE(rankings->mean, rankings->sd);
    rankings->mean = rankings->sd = NULL;
}

/* ---- summing up ---- */

int hs_rankings_sum_up(hs_rankings *rankings, uint32_t draws, uint64_t seed, int threads,
                       hsel_error *error)
{
    hs_rankings *r = rankings;
    size_t n = r->ranker_count;
    if (r->data_count < 2)
        return HSEL_OK;
    HS_OWNED const double **matrices = HS_NEW(const double *, r->data_count);
    HS_OWNED double *mean = HS_NEW(double, n *n), *sd = HS_NEW(double, n *n),
                    *random = HS_NEW(double, n *n);
    HS_NEED(matrices && mean && sd && random);
    for (size_t d = 0; d < r->data_count; d++)
        matrices[d] = r->data[d].matrix;
    hs_tau_mean(matrices, r->data_count, n, mean, sd);
    for (size_t d = 0; d < r->data_count; d++) {
        r->data[d].distance = hs_tau_distance(matrices[d], mean, n);
        for (uint32_t i = 0; i < draws; i++) {
            HS_TRY(hs_tau_random(n, r->data[d].features, seed, (uint64_t)d * draws + i, threads,
                                 random, error));
            hs_running_add(&r->random, hs_tau_distance(random, mean, n));
        }
    }
    r->mean = hs_take(&mean);
    r->sd = hs_take(&sd);
    return HSEL_OK;
}

/* ---- CSV ---- */

static void put_line(hs_writer *out, const char *statistic, const char *dataset, const char *a,
                     const char *b, double value)
{
    hs_put_csv(out, statistic);
    HS_CSV(out, dataset);
    HS_CSV(out, a);
    HS_CSV(out, b);
    hs_writer_char(out, ',');
    if (!isnan(value))
        hs_writer_double(out, value);
    hs_writer_char(out, '\n');
}

static void put_matrix(const hs_rankings *r, hs_writer *out, const char *statistic,
                       const char *dataset, const double *matrix)
{
    for (size_t i = 0; i < r->ranker_count; i++)
        for (size_t j = i + 1; j < r->ranker_count; j++)
            put_line(out, statistic, dataset, r->rankers[i], r->rankers[j],
                     matrix[i * r->ranker_count + j]);
}

void hs_rankings_csv(const hs_rankings *rankings, hs_writer *out)
{
    const hs_rankings *r = rankings;
    hs_writer_text(out, "statistic,dataset,ranker_a,ranker_b,value\n");
    for (size_t d = 0; d < r->data_count; d++)
        put_matrix(r, out, "tau", r->data[d].name, r->data[d].matrix);
    if (!r->mean)
        return;
    put_matrix(r, out, "mean", "", r->mean);
    put_matrix(r, out, "sd", "", r->sd);
    for (size_t d = 0; d < r->data_count; d++)
        put_line(out, "distance", r->data[d].name, "", "", r->data[d].distance);
    if (r->random.count == 0)
        return;
    put_line(out, "random_mean", "", "", "", r->random.mean);
    put_line(out, "random_sd", "", "", "", hs_running_sd(&r->random));
}

/* ---- JSON ---- */

static void json_matrix(const hs_rankings *r, hs_json *json, const char *key, const double *matrix)
{
    hs_json_put(json, "%s:[", key);
    for (size_t i = 0; i < r->ranker_count; i++) {
        hs_json_array(json);
        for (size_t j = 0; j < r->ranker_count; j++)
            hs_json_double(json, matrix[i * r->ranker_count + j]);
        hs_json_end_array(json);
    }
    hs_json_end_array(json);
}

void hs_rankings_json(const hs_rankings *rankings, hs_writer *out)
{
    static const char *const ties[] = {NULL, "index", "weka"};
    const hs_rankings *r = rankings;
    hs_json json = {.out = out};
    hs_json_put(&json, "{tau:%s ties:%s rankers:[", r->kind == HS_TAU_B ? "b" : "a", ties[r->kind]);
    for (size_t i = 0; i < r->ranker_count; i++)
        hs_json_text(&json, r->rankers[i]);
    hs_json_put(&json, "] datasets:[");
    for (size_t d = 0; d < r->data_count; d++) {
        hs_json_put(&json, "{dataset:%s features:%u", r->data[d].name, r->data[d].features);
        json_matrix(r, &json, "tau", r->data[d].matrix);
        if (r->mean)
            hs_json_put(&json, "distance:%g", r->data[d].distance);
        hs_json_end_object(&json);
    }
    hs_json_end_array(&json);
    if (r->mean) {
        json_matrix(r, &json, "mean", r->mean);
        json_matrix(r, &json, "sd", r->sd);
    }
    if (r->mean && r->random.count)
        hs_json_put(&json, "random:{matrices:%u mean_distance:%g sd_distance:%g}", r->random.count,
                    r->random.mean, hs_running_sd(&r->random));
    hs_json_end_object(&json);
}

/* ---- tables and heat maps ---- */

/* A text of the document at hand. */
#define say(...) hs_say(doc, __VA_ARGS__)

static int add_map(const hs_rankings *r, const double *matrix, hs_charts *charts, const char *name,
                   const char *caption, bool spread, hs_document *doc, hsel_error *error)
{
    size_t n = r->ranker_count;
    unsigned side = (unsigned)(44 * n);
    double most = 0;
    hs_writer *out = NULL;
    HS_TRY(hs_chart_open(charts, name, &out, error));
    if (!out)
        return HSEL_OK;
    for (size_t i = 0; i < n * n; i++)
        most = matrix[i] > most ? matrix[i] : most;
    /* From this value on the cell is so dark that white can be read better. Orange never is. */
    double dark = spread ? 0.7 * most : 0.8;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double tau = matrix[i * n + j];
            hs_writer_printf(out, "%zu\t%zu\t", j, i);
            hs_chart_number(out, tau);
            hs_writer_char(out, '\t');
            hs_chart_text(out, r->rankers[j]);
            hs_writer_char(out, '\t');
            hs_chart_text(out, r->rankers[i]);
            hs_writer_printf(out, isnan(tau) ? "\t\"\"" : "\t\"%.2f\"", tau);
            hs_writer_printf(out, "\t0x%s\n", tau > dark ? "ffffff" : "222222");
        }
    const char *script =
        say("unset key\nunset grid\nset border 0\nset size ratio -1\nset xrange [-0.5:%zu.5]\n"
            "set yrange [%zu.5:-0.5]\nset xtics rotate by 60 right scale 0\nset ytics scale "
            "0\n%splot data using 1:2:3:xticlabels(4):yticlabels(5) with image pixels, \\\n"
            "     data using 1:2:6:7 with labels font ',9' textcolor rgb variable\n",
            n - 1, n - 1,
            spread ? "set palette defined (0 '#ffffff', 1 '#6a3d9a')\nset cbrange [0:*]\n"
                   : "set palette defined (-1 '#d55e00', 0 '#ffffff', 1 '#0072b2')\n"
                     "set cbrange [-1:1]\n");
    return hs_chart_draw(
        charts, doc, out,
        &(hs_chart){.name = name,
                    .alt = "Heat map of Kendall's tau, a row and a column per ranker",
                    .caption = caption,
                    .script = script,
                    .width = 230 + side,
                    .height = 130 + side},
        error);
}

int hs_rankings_heat_map(const hs_rankings *rankings, hs_charts *charts, const char *name,
                         hs_document *doc, hsel_error *error)
{
    const hs_rankings *r = rankings;
    return add_map(r, r->mean ? r->mean : r->data[0].matrix, charts, name, "", false, doc, error);
}

static hs_cell tau_cell(hs_document *doc, double tau)
{
    return isnan(tau) ? HS_QUIET : (hs_cell){.text = say("%.2f", tau), .exact = say("%.17g", tau)};
}

static void add_matrix(hs_document *doc, const hs_rankings *r, const double *matrix,
                       const char *caption)
{
    size_t n = r->ranker_count;
    hs_doc_grid *grid = hs_add_grid(doc, n + 1, 1, "%s", caption);
    HS_ROW(grid, "ranker");
    hs_put_texts(grid, r->rankers, n);
    for (size_t i = 0; i < n; i++) {
        HS_ROW(grid, r->rankers[i]);
        for (size_t j = 0; j < n; j++)
            hs_put_cell(grid, tau_cell(doc, matrix[i * n + j]));
    }
}

int hs_rankings_show(const hs_rankings *rankings, bool folds, hs_charts *charts, hs_document *doc,
                     hsel_error *error)
{
    static const char *const kinds[] = {
        "Kendall's tau-b: ties are taken as they are.",
        "Kendall's tau-a on the order of the features, of equal ones the first in the data first.",
        "Kendall's tau-a on the order of the features as WEKA's Ranker puts equal ones."};
    const hs_rankings *r = rankings;
    hs_add_text(doc,
                "%s 1: two rankers order all features alike; -1: in opposite directions; 0: as if "
                "by chance.",
                kinds[r->kind]);
    if (r->mean) {
        add_matrix(doc, r, r->mean, say("Mean over %zu data sets", r->data_count));
        add_matrix(doc, r, r->sd, say("Standard deviation over %zu data sets", r->data_count));
        hs_doc_grid *grid = hs_add_grid(
            doc, 3, 1, "Distance of each data set's matrix from the mean (Frobenius norm)");
        HS_ROW(grid, "data set", "features", "distance");
        for (size_t d = 0; d < r->data_count; d++) {
            HS_ROW(grid, r->data[d].name, hs_grouped(doc, r->data[d].features));
            hs_put_cell(grid, tau_cell(doc, r->data[d].distance));
        }
        grid->foot = r->random.count > 0;
        if (grid->foot)
            HS_ROW(grid, say("random rankings (%u matrices)", r->random.count), HS_NOTHING,
                   say("%.2f ± %.2f", r->random.mean, hs_running_sd(&r->random)));
        HS_TRY(add_map(r, r->mean, charts, "tau-mean", "Mean over data sets.", false, doc, error));
        HS_TRY(add_map(r, r->sd, charts, "tau-sd", "Standard deviation over data sets.", true, doc,
                       error));
    }
    if (r->mean && folds) { /* the single matrices are for who looks closer */
        doc->where = HS_IN_HTML;
        hs_add_fold(doc, "The matrix of each data set");
    }
    for (size_t d = 0; d < r->data_count; d++) {
        const hs_ranked_data *data = &r->data[d];
        add_matrix(doc, r, data->matrix,
                   say("%s, %s features", data->name, hs_grouped(doc, data->features)));
        HS_TRY(
            add_map(r, data->matrix, charts, say("tau-%zu", d + 1), data->name, false, doc, error));
    }
    if (r->mean && folds)
        hs_add_unfold(doc);
    return hs_document_check(doc, error);
}

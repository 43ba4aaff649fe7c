/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Summing up matrices of Kendall's tau; writing them for programs; tables and heat maps of them:
 * blue is tau = 1, orange -1.
 */
#include "study/report/rankings.h"

#include "study/report/chart.h"

void hs_rankings_clear(hs_rankings *rankings)
{
    HS_FREE(rankings->mean, rankings->sd);
    rankings->mean = rankings->sd = NULL;
}

/* ---- summing up ---- */

int hs_rankings_sum_up(hs_rankings *r, uint32_t draws, uint64_t seed, int threads,
                       hsel_error *error)
{
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

static void put_matrix(const hs_rankings *r, hs_writer *out, const char *statistic,
                       const char *dataset, const double *matrix)
{
    for (size_t i = 0; i < r->ranker_count; i++)
        for (size_t j = i + 1; j < r->ranker_count; j++)
            hs_csv_put(out, "%s,%s,%s,%s,%g\n", statistic, dataset, r->rankers[i], r->rankers[j],
                       matrix[i * r->ranker_count + j]);
}

void hs_rankings_csv(const hs_rankings *r, hs_writer *out)
{
    hs_writer_text(out, "statistic,dataset,ranker_a,ranker_b,value\n");
    for (size_t d = 0; d < r->data_count; d++)
        put_matrix(r, out, "tau", r->data[d].name, r->data[d].matrix);
    if (!r->mean)
        return;
    put_matrix(r, out, "mean", "", r->mean);
    put_matrix(r, out, "sd", "", r->sd);
    for (size_t d = 0; d < r->data_count; d++)
        hs_csv_put(out, "distance,%s,,,%g\n", r->data[d].name, r->data[d].distance);
    if (r->random.count)
        hs_csv_put(out, "random_mean,,,,%g\nrandom_sd,,,,%g\n", r->random.mean,
                   hs_running_sd(&r->random));
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

void hs_rankings_json(const hs_rankings *r, hs_writer *out)
{
    static const char *const ties[] = {NULL, "index", "weka"};
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

/* ---- tables and heat maps; in a page the tables are the maps ---- */

int hs_rankings_heat_map(const hs_rankings *rankings, const char *folder, const char *name,
                         hsel_error *error)
{
    return hs_heat_map_save(folder, name, "Kendall's tau, a row and a column per ranker",
                            rankings->rankers, rankings->ranker_count,
                            rankings->mean ? rankings->mean : rankings->data[0].matrix, error);
}

static hs_cell tau_cell(hs_document *doc, double tau)
{
    return isnan(tau) ? HS_QUIET
                      : (hs_cell){.text = hs_say(doc, "%.2f", tau),
                                  .exact = hs_say(doc, "%.17g", tau),
                                  .shade = tau};
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

int hs_rankings_show(const hs_rankings *r, bool folds, hs_document *doc, hsel_error *error)
{
    static const char *const kinds[] = {
        "Kendall's tau-b, which accounts for ties.",
        "Kendall's tau-a on the order of the features; ties are ordered as in the data.",
        "Kendall's tau-a on the order of the features; ties are ordered as in WEKA's Ranker."};
    hs_add_text(doc,
                "%s 1: two rankers order all features in the same way; -1: in the opposite way; 0: "
                "as expected by chance.",
                kinds[r->kind]);
    if (r->mean) {
        add_matrix(doc, r, r->mean, hs_say(doc, "Mean over %zu data sets", r->data_count));
        add_matrix(doc, r, r->sd,
                   hs_say(doc, "Standard deviation over %zu data sets", r->data_count));
        hs_doc_grid *grid = hs_add_grid(
            doc, 3, 1, "Distance of each data set's matrix from the mean (Frobenius norm)");
        HS_ROW(grid, "data set", "features", "distance");
        for (size_t d = 0; d < r->data_count; d++) {
            HS_ROW(grid, r->data[d].name, hs_grouped(doc, r->data[d].features));
            hs_put_cell(grid, tau_cell(doc, r->data[d].distance));
        }
        grid->foot = r->random.count > 0;
        if (grid->foot)
            HS_ROW(grid, hs_say(doc, "random rankings (%u matrices)", r->random.count), HS_NOTHING,
                   hs_say(doc, "%.2f ± %.2f", r->random.mean, hs_running_sd(&r->random)));
    }
    if (r->mean && folds) { /* the single matrices are details */
        doc->where = HS_IN_HTML;
        hs_add_part(doc, HS_PART_FOLD, "The matrix of each data set");
    }
    for (size_t d = 0; d < r->data_count; d++) {
        const hs_ranked_data *data = &r->data[d];
        add_matrix(doc, r, data->matrix,
                   hs_say(doc, "%s, %s features", data->name, hs_grouped(doc, data->features)));
    }
    if (r->mean && folds)
        hs_add_part(doc, HS_PART_UNFOLD, NULL);
    return hs_document_check(doc, error);
}

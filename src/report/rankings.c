/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Summing up matrices of Kendall's tau, and writing them for programs.
 */
#include "report/rankings.h"

#include <math.h>

#include "core/json.h"
#include "core/mem.h"
#include "report/text_table.h"

void hs_rankings_clear(hs_rankings *rankings)
{
    hs_free(rankings->mean);
    hs_free(rankings->sd);
    rankings->mean = rankings->sd = NULL;
}

/* ---- summing up ---- */

static int draw_random(hs_rankings *r, uint32_t draws, uint64_t seed, int threads,
                       hsel_error *error)
{
    double *matrix = HS_NEW(double, r->ranker_count * r->ranker_count);
    int status = matrix ? HSEL_OK : hs_fail_memory(error);
    for (size_t d = 0; d < r->data_count && status == HSEL_OK; d++)
        for (uint32_t i = 0; i < draws && status == HSEL_OK; i++) {
            status = hs_tau_random(r->ranker_count, r->data[d].features, seed,
                                   (uint64_t)d * draws + i, threads, matrix, error);
            if (status == HSEL_OK)
                hs_running_add(&r->random, hs_tau_distance(matrix, r->mean, r->ranker_count));
        }
    hs_free(matrix);
    return status;
}

int hs_rankings_sum_up(hs_rankings *rankings, uint32_t draws, uint64_t seed, int threads,
                       hsel_error *error)
{
    hs_rankings *r = rankings;
    size_t cells = r->ranker_count * r->ranker_count;
    if (r->data_count < 2)
        return HSEL_OK;
    const double **matrices = HS_NEW(const double *, r->data_count);
    r->mean = HS_NEW(double, cells);
    r->sd = HS_NEW(double, cells);
    int status = matrices && r->mean && r->sd ? HSEL_OK : hs_fail_memory(error);
    if (status == HSEL_OK) {
        for (size_t d = 0; d < r->data_count; d++)
            matrices[d] = r->data[d].matrix;
        hs_tau_mean(matrices, r->data_count, r->ranker_count, r->mean, r->sd);
        for (size_t d = 0; d < r->data_count; d++)
            r->data[d].distance = hs_tau_distance(matrices[d], r->mean, r->ranker_count);
        status = draw_random(r, draws, seed, threads, error);
    }
    hs_free(matrices);
    if (status)
        hs_rankings_clear(r);
    return status;
}

/* ---- CSV ---- */

static void put_line(hs_writer *out, const char *statistic, const char *dataset, const char *a,
                     const char *b, double value)
{
    hs_writer_printf(out, "%s,", statistic);
    hs_put_csv(out, dataset);
    hs_writer_char(out, ',');
    hs_put_csv(out, a);
    hs_writer_char(out, ',');
    hs_put_csv(out, b);
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
    hs_json_key(json, key);
    hs_json_array(json);
    for (size_t i = 0; i < r->ranker_count; i++) {
        hs_json_array(json);
        for (size_t j = 0; j < r->ranker_count; j++)
            hs_json_double(json, matrix[i * r->ranker_count + j]);
        hs_json_end_array(json);
    }
    hs_json_end_array(json);
}

static void json_data(const hs_rankings *r, hs_json *json, const hs_ranked_data *data)
{
    hs_json_object(json);
    hs_json_key(json, "dataset");
    hs_json_text(json, data->name);
    hs_json_key(json, "features");
    hs_json_u64(json, data->features);
    json_matrix(r, json, "tau", data->matrix);
    if (r->mean) {
        hs_json_key(json, "distance");
        hs_json_double(json, data->distance);
    }
    hs_json_end_object(json);
}

static void json_random(const hs_rankings *r, hs_json *json)
{
    hs_json_key(json, "random");
    hs_json_object(json);
    hs_json_key(json, "matrices");
    hs_json_u64(json, r->random.count);
    hs_json_key(json, "mean_distance");
    hs_json_double(json, r->random.mean);
    hs_json_key(json, "sd_distance");
    hs_json_double(json, hs_running_sd(&r->random));
    hs_json_end_object(json);
}

void hs_rankings_json(const hs_rankings *rankings, hs_writer *out)
{
    static const char *const ties[] = {NULL, "index", "weka"};
    const hs_rankings *r = rankings;
    hs_json json = {.out = out};
    hs_json_object(&json);
    hs_json_key(&json, "tau");
    hs_json_text(&json, r->kind == HS_TAU_B ? "b" : "a");
    hs_json_key(&json, "ties");
    hs_json_text(&json, ties[r->kind]);
    hs_json_key(&json, "rankers");
    hs_json_array(&json);
    for (size_t i = 0; i < r->ranker_count; i++)
        hs_json_text(&json, r->rankers[i]);
    hs_json_end_array(&json);
    hs_json_key(&json, "datasets");
    hs_json_array(&json);
    for (size_t d = 0; d < r->data_count; d++)
        json_data(r, &json, &r->data[d]);
    hs_json_end_array(&json);
    if (r->mean) {
        json_matrix(r, &json, "mean", r->mean);
        json_matrix(r, &json, "sd", r->sd);
        if (r->random.count)
            json_random(r, &json);
    }
    hs_json_end_object(&json);
}

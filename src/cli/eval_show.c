/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results of hsel eval as text. Tables for people show percent with one decimal; CSV and JSON have
 * what programs need.
 */
#include "cli/eval_show.h"

#include <math.h>

#include "cli/cli.h"
#include "data/summary.h"

/* ---- table ---- */

void hs_eval_head(hs_text_table *table, const hs_eval_shown *shown, const hs_cv_options *cv,
                  hs_arena *arena)
{
    bool spread = shown->csv && cv->repeats > 1;
    *table = (hs_text_table){.arena = arena,
                             .columns = shown->count * (spread ? 2 : 1) + (shown->csv ? 7 : 5)};
    hs_table_cell(table, "%s", shown->csv ? "dataset" : "data set");
    hs_table_cell(table, "selector");
    hs_table_cell(table, "classifier");
    for (size_t i = 0; i < shown->count; i++) {
        hs_metric metric = shown->metrics[i];
        hs_table_cell(table, "%s", shown->csv ? hs_metric_name(metric) : hs_metric_title(metric));
        if (spread)
            hs_table_cell(table, "%s_sd", hs_metric_name(metric));
    }
    hs_table_cell(table, "%s", shown->csv ? "selected_pct" : "selected %");
    hs_table_cell(table, "seconds");
    if (shown->csv) {
        hs_table_cell(table, "positive_class");
        hs_table_cell(table, "positive_pct");
    }
}

static void csv_number(hs_text_table *table, double value)
{
    if (isnan(value))
        hs_table_cell(table, "%s", "");
    else
        hs_table_cell(table, "%.6f", value);
}

static void metric_cell(hs_text_table *table, const hs_eval_shown *shown, const hs_running *metric)
{
    double value = 100 * metric->mean, sd = 100 * hs_running_sd(metric);
    if (shown->csv) {
        csv_number(table, value);
        if (metric->count > 1)
            csv_number(table, sd);
    } else if (isnan(value)) {
        hs_table_cell(table, "–");
    } else if (metric->count > 1) {
        hs_table_cell(table, "%.1f ± %.1f", value, sd);
    } else {
        hs_table_cell(table, "%.1f", value);
    }
}

void hs_eval_row(hs_text_table *table, const hs_eval_shown *shown, const hs_eval_result *result)
{
    hs_table_cell(table, "%s", hsel_dataset_name(result->data));
    hs_table_cell(table, "%s", result->selector);
    hs_table_cell(table, "%s", result->classifier);
    for (size_t i = 0; i < shown->count; i++)
        metric_cell(table, shown,
                    (shown->pooled ? result->pooled : result->fold_mean) + shown->metrics[i]);
    hs_table_cell(table, shown->csv ? "%.6f" : "%.2f", 100 * result->selected.mean);
    hs_table_cell(table, shown->csv ? "%.6f" : "%.4f", result->seconds);
    if (shown->csv) {
        uint32_t positive = 0, all = 0;
        bool two = hs_positive_class_size(result->data, &positive, &all);
        hs_table_cell(table, "%s",
                      two ? hsel_dataset_class_name(result->data, result->data->positive_class)
                          : "");
        csv_number(table, two ? 100.0 * positive / all : NAN);
    }
}

/* ---- JSON ---- */

static void json_number(hs_json *json, const char *key, double value)
{
    hs_json_key(json, key);
    hs_json_double(json, value);
}

static void json_count(hs_json *json, const char *key, uint64_t value)
{
    hs_json_key(json, key);
    hs_json_u64(json, value);
}

static void json_string(hs_json *json, const char *key, const char *value)
{
    hs_json_key(json, key);
    hs_json_text(json, value);
}

static void json_metrics(hs_json *json, const hs_eval_result *result)
{
    hs_json_key(json, "metrics");
    hs_json_object(json);
    for (int m = 0; m < HS_METRICS; m++) {
        hs_json_key(json, hs_metric_name((hs_metric)m));
        hs_json_object(json);
        json_number(json, "pooled", result->pooled[m].mean);
        json_number(json, "pooled_sd", hs_running_sd(&result->pooled[m]));
        json_number(json, "fold_mean", result->fold_mean[m].mean);
        json_number(json, "sd", hs_running_sd(&result->fold_mean[m]));
        json_number(json, "fold_se", result->fold_se[m].mean);
        hs_json_end_object(json);
    }
    hs_json_end_object(json);
}

void hs_eval_json(hs_json *json, const hs_cv_options *cv, hs_rank_by rank_by,
                  const hs_eval_result *result)
{
    hs_json_object(json);
    json_string(json, "dataset", hsel_dataset_name(result->data));
    json_string(json, "selector", result->selector);
    json_string(json, "classifier", result->classifier);
    json_string(json, "fold_scheme", cv->scheme);
    json_count(json, "folds", result->folds);
    json_count(json, "repeats", cv->repeats);
    json_count(json, "seed", cv->seed);
    json_string(json, "rank_by", hs_rank_by_word(rank_by));
    hs_json_positive(json, result->data);
    json_metrics(json, result);
    json_number(json, "selected_pct", 100 * result->selected.mean);
    if (result->jaccard.count) {
        hs_json_key(json, "stability");
        hs_json_object(json);
        json_number(json, "kuncheva", result->kuncheva.mean);
        json_number(json, "jaccard", result->jaccard.mean);
        hs_json_end_object(json);
    }
    json_number(json, "seconds", result->seconds);
    hs_json_end_object(json);
}

/* ---- predictions and frequencies ---- */

int hs_eval_predictions_head(hs_writer *out, const hsel_dataset *data, hsel_error *error)
{
    bool failed = false;
    uint32_t classes = data->class_names.count;
    hs_writer_text(out,
                   "dataset,selector,classifier,repeat,fold,instance,id,class,predicted,selected");
    for (uint32_t i = 0; i < 2 * classes && !failed; i++) {
        hs_buf name = {0};
        hs_buf_printf(&name, "%s(%s)", i < classes ? "P" : "score",
                      hsel_dataset_class_name(data, i % classes));
        hs_writer_char(out, ',');
        if (!(failed = name.failed))
            hs_put_csv(out, name.text);
        hs_buf_clear(&name);
    }
    hs_writer_char(out, '\n');
    return failed ? hs_fail_memory(error) : HSEL_OK;
}

void hs_eval_predictions(hs_writer *out, const hs_eval_run *run)
{
    const hsel_dataset *data = run->data;
    uint32_t classes = data->class_names.count;
    for (uint32_t i = 0; i < data->instances; i++) {
        const hs_predictions *p = &run->predictions;
        const char *const ends[] = {hsel_dataset_id(data, i),
                                    hsel_dataset_class_name(data, data->class_of[i]),
                                    hsel_dataset_class_name(data, hs_prediction_of(p, i))};
        const char *const starts[] = {hsel_dataset_name(data), run->selector, run->classifier};
        for (int j = 0; j < 3; j++) {
            hs_put_csv(out, starts[j]);
            hs_writer_char(out, ',');
        }
        hs_writer_printf(out, "%u,%u,%u", run->repeat + 1, run->folds->fold_of[i] + 1, i + 1);
        for (int j = 0; j < 3; j++) {
            hs_writer_char(out, ',');
            hs_put_csv(out, ends[j] ? ends[j] : "");
        }
        hs_writer_printf(out, ",%u", run->selection->selected[i]);
        for (uint32_t c = 0; c < classes; c++) {
            hs_writer_char(out, ',');
            hs_writer_double(out, p->probability[(size_t)i * classes + c]);
        }
        for (uint32_t c = 0; c < classes; c++) {
            hs_writer_char(out, ',');
            hs_writer_double(out, hs_score_of(p, i, c));
        }
        hs_writer_char(out, '\n');
    }
}

void hs_eval_frequencies_head(hs_writer *out)
{
    hs_writer_text(out, "dataset,selector,repeat,feature,selected,share\n");
}

void hs_eval_frequencies(hs_writer *out, const hs_eval_run *run)
{
    for (uint32_t f = 0; f < run->data->features; f++) {
        hs_put_csv(out, hsel_dataset_name(run->data));
        hs_writer_char(out, ',');
        hs_put_csv(out, run->selector);
        hs_writer_printf(out, ",%u,", run->repeat + 1);
        hs_put_csv(out, hsel_dataset_feature_name(run->data, f));
        hs_writer_printf(out, ",%u,", run->selection->frequency[f]);
        hs_writer_double(out, (double)run->selection->frequency[f] / run->data->instances);
        hs_writer_char(out, '\n');
    }
}

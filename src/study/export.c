/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From stored predictions to the table of metrics.
 */
#include "study/export.h"

#include <math.h>
#include <string.h>

/* Welford's running mean and sum of squares: in this order the same bits on every machine. */
static void add(hs_pair_scores *sum, const hs_scores *scores, uint32_t repeat)
{
    double share = 1.0 / (repeat + 1);
    for (int m = 0; m < HS_METRICS; m++) {
        double step = scores->fold_mean[m] - sum->fold_mean[m];
        sum->pooled[m] += (scores->pooled[m] - sum->pooled[m]) * share;
        sum->fold_mean[m] += step * share;
        sum->sd[m] += step * (scores->fold_mean[m] - sum->fold_mean[m]);
    }
    sum->selected += (1 - scores->pooled[HS_METRIC_COMPRESSION] - sum->selected) * share;
}

static int score_repeat(hs_store *store, const hs_study *study, int64_t dataset,
                        const char *selector, const char *classifier, uint32_t repeat,
                        hs_pair_scores *sum, hsel_error *error)
{
    hs_stored got = {0};
    hs_scores scores;
    int status = hs_store_get(store, dataset, selector, classifier, hs_study_scheme(study),
                              study->folds, study->seed + repeat, &got, error);
    if (status)
        return status;
    sum->finished = got.folds_there == got.folds && got.folds > 0;
    if (sum->finished) {
        hs_predictions predictions = hs_stored_predictions(&got, study->rank_by);
        status = hs_metrics_compute(&predictions, &scores, error);
    }
    if (sum->finished && status == HSEL_OK)
        add(sum, &scores, repeat);
    hs_stored_clear(&got);
    return status;
}

int hs_pair_scores_of(hs_store *store, const hs_study *study, int64_t dataset, const char *selector,
                      const char *classifier, hs_pair_scores *out, hsel_error *error)
{
    int status = HSEL_OK;
    *out = (hs_pair_scores){.finished = study->repeats > 0};
    for (uint32_t r = 0; r < study->repeats && out->finished && status == HSEL_OK; r++)
        status = score_repeat(store, study, dataset, selector, classifier, r, out, error);
    for (int m = 0; m < HS_METRICS; m++)
        out->sd[m] = study->repeats > 1 ? sqrt(out->sd[m] / (study->repeats - 1)) : 0;
    return status;
}

/* ---- CSV ---- */

static void put_number(hs_writer *out, bool there, double value)
{
    hs_writer_char(out, ',');
    if (there && !isnan(value))
        hs_writer_double(out, value);
}

static void put_pair(hs_writer *out, const hs_study *study, const char *const names[3],
                     const hs_pair_scores *scores)
{
    for (size_t i = 0; i < study->metric_count; i++) {
        hs_metric m = study->metrics[i];
        for (int n = 0; n < 3; n++) {
            hs_put_csv(out, names[n]);
            hs_writer_char(out, ',');
        }
        hs_writer_text(out, hs_metric_name(m));
        put_number(out, scores->finished, scores->pooled[m]);
        put_number(out, scores->finished, scores->fold_mean[m]);
        put_number(out, scores->finished, scores->sd[m]);
        put_number(out, scores->finished, 100 * scores->selected);
        hs_writer_char(out, '\n');
    }
}

static int export_dataset(const hs_study *study, hs_store *store, const char *name, hs_writer *out,
                          hsel_error *error)
{
    hs_stored_dataset data = {0};
    hs_pair_scores scores;
    int status = hs_store_find_dataset(store, name, &data, error);
    int64_t id = data.id;
    if (status)
        return status;
    hs_stored_dataset_clear(&data);
    for (size_t s = 0; s < study->selector_count && id >= 0; s++)
        for (size_t c = 0; c < study->classifier_count && status == HSEL_OK; c++) {
            const char *const names[3] = {name, study->selectors[s].text,
                                          study->classifiers[c].text};
            status = hs_pair_scores_of(store, study, id, names[1], names[2], &scores, error);
            if (status == HSEL_OK)
                put_pair(out, study, names, &scores);
        }
    return status;
}

int hs_study_export(const hs_study *study, hs_store *store, hs_writer *out, hsel_error *error)
{
    int status = HSEL_OK;
    hs_writer_text(out, "dataset,selector,classifier,metric,pooled,fold_mean,sd,selected_pct\n");
    for (size_t i = 0; i < study->dataset_count && status == HSEL_OK; i++)
        status = export_dataset(study, store, study->datasets[i].name, out, error);
    return status;
}

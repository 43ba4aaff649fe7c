/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From stored predictions to the table of metrics.
 */
#include "study/export.h"

#include <math.h>
#include <string.h>

#include "core/json.h"

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

int hs_pair_scores_of(hs_store *store, const hs_study *study, int64_t dataset, const char *selector,
                      const char *classifier, hs_pair_scores *out, hsel_error *error)
{
    *out = (hs_pair_scores){.finished = study->repeats > 0};
    for (uint32_t r = 0; r < study->repeats && out->finished; r++) {
        HS_OWNS(hs_stored_clear) hs_stored got = {0};
        hs_scores scores;
        HS_TRY(hs_store_get(store, dataset, selector, classifier, hs_study_scheme(study),
                            study->folds, study->seed + r, &got, error));
        out->finished = got.folds_there == got.folds && got.folds > 0;
        if (!out->finished)
            break;
        hs_predictions predictions = hs_stored_predictions(&got, study->rank_by);
        HS_TRY(hs_metrics_compute(&predictions, &scores, error));
        add(out, &scores, r);
    }
    for (int m = 0; m < HS_METRICS; m++)
        out->sd[m] = study->repeats > 1 ? sqrt(out->sd[m] / (study->repeats - 1)) : 0;
    return HSEL_OK;
}

/* ---- CSV ---- */

static void put_pair(hs_writer *out, const hs_study *study, const char *const names[3],
                     const hs_pair_scores *scores)
{
    for (size_t i = 0; i < study->metric_count; i++) {
        hs_metric m = study->metrics[i];
        const double numbers[] = {scores->pooled[m], scores->fold_mean[m], scores->sd[m],
                                  100 * scores->selected};
        for (int n = 0; n < 3; n++) {
            hs_put_csv(out, names[n]);
            hs_writer_char(out, ',');
        }
        hs_writer_text(out, hs_metric_name(m));
        for (int n = 0; n < 4; n++) {
            hs_writer_char(out, ',');
            if (scores->finished && !isnan(numbers[n]))
                hs_writer_double(out, numbers[n]);
        }
        hs_writer_char(out, '\n');
    }
}

int hs_study_export(const hs_study *study, hs_store *store, hs_writer *out, hsel_error *error)
{
    hs_writer_text(out, "dataset,selector,classifier,metric,pooled,fold_mean,sd,selected_pct\n");
    for (size_t i = 0; i < study->dataset_count; i++) {
        HS_OWNS(hs_stored_dataset_clear) hs_stored_dataset data = {0};
        const char *name = study->datasets[i].name;
        HS_TRY(hs_store_find_dataset(store, name, &data, error));
        for (size_t s = 0; s < study->selector_count && data.id >= 0; s++)
            for (size_t c = 0; c < study->classifier_count; c++) {
                const char *const names[] = {name, study->selectors[s].text,
                                             study->classifiers[c].text};
                hs_pair_scores scores;
                HS_TRY(
                    hs_pair_scores_of(store, study, data.id, names[1], names[2], &scores, error));
                put_pair(out, study, names, &scores);
            }
    }
    return HSEL_OK;
}

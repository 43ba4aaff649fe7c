/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From stored predictions to the table of metrics.
 */
#include "study/export.h"

#include <math.h>
#include <string.h>

#include "core/json.h"

/* A line per metric of a selector with a classifier. */
static int put_pair(const hs_study *study, hs_store *store, const char *dataset, int64_t id,
                    bool numeric, size_t selector, size_t classifier, hs_writer *out,
                    hsel_error *error)
{
    /* Over repeats: Welford's running means and sums of squares, in this order the same bits on
     * every machine. */
    double pooled[HS_METRICS] = {0}, mean[HS_METRICS] = {0}, squares[HS_METRICS] = {0}, chosen = 0;
    uint32_t repeats = 0;
    for (bool more = study->repeats > 0; more; more = ++repeats < study->repeats) {
        HS_OWNS(hs_stored_clear) hs_stored got = {0};
        hs_scores scores;
        hs_result_key key = hs_study_key(study, id, selector, classifier, repeats);
        HS_TRY(hs_store_get(store, &key, &got, error));
        if (got.folds_there != got.predictions.folds || got.folds_there == 0)
            break;
        got.predictions.rank_by = study->rank_by;
        HS_TRY(hs_metrics_compute(&got.predictions, &scores, error));
        double share = 1.0 / (repeats + 1);
        for (int m = 0; m < HS_METRICS; m++) {
            double step = scores.fold_mean[m] - mean[m];
            pooled[m] += (scores.pooled[m] - pooled[m]) * share;
            mean[m] += step * share;
            squares[m] += step * (scores.fold_mean[m] - mean[m]);
        }
        chosen += (1 - scores.pooled[HS_METRIC_COMPRESSION] - chosen) * share;
    }
    bool finished = repeats > 0 && repeats == study->repeats;
    hs_metric shown[HS_METRICS];
    size_t metrics = hs_study_metrics(study, !numeric, numeric, shown);
    for (size_t i = 0; i < metrics; i++) {
        hs_metric m = shown[i];
        const char *const names[] = {dataset, study->selectors[selector].text,
                                     study->classifiers[classifier].text};
        double sd = repeats > 1 ? sqrt(squares[m] / (repeats - 1)) : 0;
        const double numbers[] = {pooled[m], mean[m], sd, 100 * chosen};
        for (int n = 0; n < 3; n++) {
            hs_put_csv(out, names[n]);
            hs_writer_char(out, ',');
        }
        hs_writer_text(out, hs_metric_name(m));
        for (int n = 0; n < 4; n++) {
            hs_writer_char(out, ',');
            if (finished && !isnan(numbers[n]))
                hs_writer_double(out, numbers[n]);
        }
        hs_writer_char(out, '\n');
    }
    return HSEL_OK;
}

int hs_study_export(const hs_study *study, hs_store *store, hs_writer *out, hsel_error *error)
{
    HS_TRY(hs_store_use(store, study, error));
    hs_writer_text(out, "dataset,selector,classifier,metric,pooled,fold_mean,sd,selected_pct\n");
    for (size_t i = 0; i < study->dataset_count; i++) {
        HS_OWNS(hs_stored_dataset_clear) hs_stored_dataset data = {0};
        const char *name = study->datasets[i].name;
        HS_TRY(hs_store_find_dataset(store, name, &data, error));
        for (size_t s = 0; s < study->selector_count && data.id >= 0; s++)
            for (size_t c = 0; c < study->classifier_count; c++)
                HS_TRY(put_pair(study, store, name, data.id, data.numbers, s, c, out, error));
    }
    return HSEL_OK;
}

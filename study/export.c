/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From stored predictions to the table of metrics.
 */
#include "study/export.h"

#include <math.h>
#include <string.h>

#include "core/json.h"

/* A line per metric of a selector with a classifier. */
static int put_pair(const hs_study *study, hs_store *store, const hs_stored_dataset *data,
                    const hs_study_method *selector, const hs_study_method *classifier,
                    hs_writer *out, hsel_error *error)
{
    hs_evaluation e = {0};
    for (bool more = study->repeats > 0; more; more = e.repeats < study->repeats) {
        HS_OWNS(hs_stored_clear) hs_stored got = {0};
        hs_result_key key = hs_study_key(study, data->id, selector, classifier, e.repeats);
        HS_TRY(hs_store_get(store, &key, &got, error));
        if (got.folds_there != got.repeat.predictions.folds || got.folds_there == 0)
            break;
        got.repeat.predictions.rank_by = study->rank_by;
        HS_TRY(hs_evaluation_add(&e, &got.repeat, error));
    }
    bool finished = e.repeats > 0 && e.repeats == study->repeats;
    hs_metric shown[HS_METRICS];
    size_t metrics = hs_study_metrics(study, !data->numbers, data->numbers, shown);
    for (size_t i = 0; i < metrics; i++) {
        hs_metric m = shown[i];
        const char *const names[] = {data->name, selector->text, classifier->text};
        const double numbers[] = {e.pooled[m].mean, e.fold_mean[m].mean,
                                  hs_running_sd(&e.fold_mean[m]), 100 * e.selected.mean};
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
        HS_TRY(hs_store_find_dataset(store, study->datasets[i].name, &data, error));
        for (size_t s = 0; s < study->selector_count && data.id >= 0; s++)
            for (size_t c = 0; c < study->classifier_count; c++)
                HS_TRY(put_pair(study, store, &data, &study->selectors[s], &study->classifiers[c],
                                out, error));
    }
    return HSEL_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inner folds are views with their counts.
 */
#include "pipeline/inner.h"

#include "load/load.h"
#include "pipeline/pipeline.h"

void hs_inner_clear(hs_inner *inner)
{
    for (uint32_t f = 0; inner->train && f < inner->folds.count; f++)
        hs_counts_clear(&inner->train[f]);
    for (uint32_t f = 0; inner->made && f < inner->folds.count; f++)
        hs_dataset_free(inner->made[f]);
    hs_arena_clear(&inner->memory);
    hs_folds_clear(&inner->folds);
    *inner = (hs_inner){0};
}

int hs_inner_init(const hs_inner_request *request, hs_inner *out, hsel_error *error)
{
    const hs_view *view = &request->training->view;
    const uint32_t rows = view->row_count;
    uint32_t folds = request->folds;
    *out = (hs_inner){.request = *request};
    if (rows < folds)
        return hs_fail(error, HSEL_EUSAGE, "%s cannot divide %u instance%s into %u inner folds",
                       request->owner, rows, rows == 1 ? "" : "s", folds);
    HS_TRY(hs_folds_of_view(view, folds, request->seed, &out->folds, error));
    folds = out->folds.count; /* no more than there are groups */
    HS_NEED(HS_LISTS(&out->memory, out, HS_PART(out, train, folds), HS_PART(out, rest, folds),
                     HS_PART(out, made, folds),
                     HS_PART(out, in_class, request->training->counts->classes)));
    for (uint32_t f = 0; f < folds; f++) {
        uint32_t *of_rest = HS_ARENA_NEW(&out->memory, uint32_t, rows), there = 0;
        HS_NEED(of_rest);
        out->rest[f] = hs_folds_rest(&out->folds, view, f, of_rest);
        HS_TRY(hs_recipe_of_view(&out->rest[f], &out->made[f], error));
        HS_TRY(hs_counts_of(&out->rest[f], &out->train[f], error));
        for (uint32_t c = 0; c < out->train[f].classes; c++)
            there += out->train[f].class_size[c] > 0;
        if (there < 2 && !view->data->target)
            return hs_fail(
                error, HSEL_EUSAGE,
                "%s needs two instances or more of two classes to learn from: without inner "
                "fold %u of %u, %u of %u instances are left and %s",
                request->owner, f + 1, folds, out->train[f].instances, rows,
                there ? "all are of one class" : "none has a class");
    }
    for (uint32_t i = 0; i < rows && !view->data->target; i++)
        if (hs_fold_tests(&out->folds, i))
            out->in_class[view->data->class_of[hs_view_row(view, i)]]++;
    return HSEL_OK;
}

double hs_inner_rate(const hs_inner *inner, const uint32_t *hits, const uint32_t *predicted)
{
    const hsel_dataset *data = inner->request.training->view.data;
    return hs_metric_formula(inner->request.metric)
        ->value(&(hs_hits){.classes = data->class_names.count,
                           .positive_class = data->positive_class,
                           .size = inner->folds.start[inner->folds.count],
                           .hits = hits,
                           .in_class = inner->in_class,
                           .predicted = predicted});
}

int hs_inner_scores(const hs_inner *inner, uint32_t fold, const hs_chosen *selector,
                    const hs_chosen *classifiers, size_t count, const char *const *left_out,
                    const hs_training *training, double *score, hsel_error *error)
{
    const hs_folds *folds = &inner->folds;
    const uint32_t *tested = folds->order + folds->start[fold],
                   tests = folds->start[fold + 1] - folds->start[fold];
    const hsel_dataset *data = training->view.data;
    const uint32_t width = hs_score_width(data->class_names.count);
    HS_OWNS(hs_pipeline_clear)
    hs_pipeline pipeline = {.selector = selector,
                            .classifiers = classifiers,
                            .count = count,
                            .left_out = left_out,
                            .plain = true};
    HS_OWNS(hs_predictor_clear) hs_predictor predictor = {0};
    HS_OWNED uint32_t *rows = HS_NEW(uint32_t, tests);
    HS_OWNED struct hs_answer_lists *to = HS_NEW_ZERO(struct hs_answer_lists, count);
    HS_NEED(rows && to);
    for (size_t c = 0; c < count; c++)
        to[c].score = score + c * folds->instances * width;
    for (uint32_t i = 0; i < tests; i++)
        rows[i] = hs_view_row(&inner->request.training->view, tested[i]);
    HS_TRY(hs_pipeline_fit(&pipeline, training, error));
    HS_TRY(hs_predictor_begin(&predictor, &pipeline, data, error));
    return hs_predictor_run(&predictor,
                            &(hs_predict_request){.data = data,
                                                  .instances = rows,
                                                  .count = tests,
                                                  .place = tested,
                                                  .to = to,
                                                  .width = width,
                                                  .progress = training->progress},
                            error);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The public door to methods, selection, cross-validation and models (hsel.h). Nothing is computed
 * here: texts become methods, results become plain arrays.
 */
#include <string.h>

#include "evaluate/flat_parts.h"
#include "evaluate/model.h"
#include "stats/metrics.h"

int hs_check_threads(int threads, hsel_error *error)
{
    if (threads >= 0 && threads <= 4096)
        return HSEL_OK;
    return hs_fail(error, HSEL_EUSAGE, "threads are 0 to 4096, not %d", threads);
}

/* ---- methods ---- */

size_t hsel_method_count(void) { return hs_method_count(); }

const char *hsel_method_name(size_t method)
{
    return method < hs_method_count() ? hs_method_at(method)->name : NULL;
}

const char *hsel_method_kind(size_t method)
{
    return method < hs_method_count() ? hs_kind_name(hs_method_at(method)->kind) : NULL;
}

const char *hsel_method_title(size_t method)
{
    return method < hs_method_count() ? hs_method_at(method)->title : NULL;
}

const char *hsel_method_help(size_t method)
{
    return method < hs_method_count() ? hs_method_at(method)->help : NULL;
}

const char *hsel_method_citation(size_t method)
{
    return method < hs_method_count() ? hs_method_at(method)->citation : NULL;
}

bool hsel_method_is_lazy(size_t method)
{
    return method < hs_method_count() && (hs_method_at(method)->flags & HS_LAZY);
}

/* ---- selection ---- */

int hsel_dataset_select(const hsel_dataset *data, const char *selector, uint64_t seed, int threads,
                        bool *keep, hsel_error *error)
{
    return hsel_select(data, selector, seed, threads, NULL, (uint8_t *)keep, NULL, error);
}

/* ---- cross-validation ---- */

size_t hsel_metric_count(void) { return HS_METRICS; }

const char *hsel_metric_name(size_t metric)
{
    return metric < HS_METRICS ? hs_metric_name((hs_metric)metric) : NULL;
}

size_t hsel_metric_find(const char *name) { return hs_metric_find(name, strlen(name)); }

int hsel_dataset_evaluate(const hsel_dataset *data, const char *selector, const char *classifier,
                          const char *fold_scheme, uint32_t folds, uint32_t repeats, uint64_t seed,
                          int threads, hsel_evaluation *out, hsel_error *error)
{
    return hsel_crossval(data,
                         &(hsel_crossval_request){.selector = selector,
                                                  .classifier = classifier,
                                                  .fold_scheme = fold_scheme,
                                                  .folds = folds,
                                                  .repeats = repeats,
                                                  .seed = seed,
                                                  .threads = threads},
                         NULL, NULL, out, error);
}

/* ---- models ---- */

int hsel_model_train(const hsel_dataset *data, const char *selector, const char *classifier,
                     uint64_t seed, int threads, hsel_model **out, hsel_error *error)
{
    return hsel_train(data, selector, classifier, seed, threads, NULL, out, error);
}

int hsel_model_read(const char *path, hsel_model **out, hsel_error *error)
{
    hs_error_clear(error);
    return hs_model_read(path, out, error);
}

int hsel_model_write(const hsel_model *model, const char *path, hsel_error *error)
{
    hs_error_clear(error);
    return hs_model_write(model, path, error);
}

void hsel_model_free(hsel_model *model) { hs_model_free(model); }

uint32_t hsel_model_classes(const hsel_model *model) { return model->shape->class_names.count; }

const char *hsel_model_class_name(const hsel_model *model, uint32_t label)
{
    return hsel_dataset_class_name(model->shape, label);
}

int hsel_model_predict(const hsel_model *model, const hsel_dataset *data, double *probability,
                       double *score, uint32_t *selected, hsel_error *error)
{
    hsel_dataset *aligned = NULL;
    uint32_t unknown, missing;
    hs_error_clear(error);
    int status = hs_align(data, model->shape, true, &aligned, &unknown, &missing, error);
    if (status == HSEL_OK)
        status = hsel_predict(model, aligned, 0, NULL, probability, score, selected, error);
    hsel_dataset_free(aligned);
    return status;
}

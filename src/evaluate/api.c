/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The public door to methods, selection, cross-validation and models (hsel.h). Nothing is computed
 * here: texts become methods, results become plain arrays.
 */
#include <string.h>

#include "core/mem.h"
#include "evaluate/crossval.h"
#include "evaluate/flat_parts.h"
#include "evaluate/learned.h"
#include "evaluate/model.h"
#include "select/select.h"
#include "stats/metrics.h"

static const char *or_else(const char *text, const char *fallback)
{
    return text ? text : fallback;
}

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

static int check_eager(const hs_method *selector, hsel_error *error)
{
    if (!(selector->flags & HS_LAZY))
        return HSEL_OK;
    return hs_fail(error, HSEL_EUNSUPPORTED,
                   "%s selects features anew for each instance, so there is no one set of them: "
                   "train a model with it",
                   selector->name);
}

/* The choice of a selector that has learned, as a bit and then as a bool a feature. */
static int take_choice(const hs_learned *learned, uint32_t features, bool *keep, hsel_error *error)
{
    uint64_t *mask = HS_NEW_ZERO(uint64_t, hs_bit_words(features));
    if (!mask)
        return hs_fail_memory(error);
    int status = learned->method->selector->select_features(learned->state, mask, error);
    for (uint32_t f = 0; f < features && status == HSEL_OK; f++)
        keep[f] = hs_bit_get(mask, f);
    hs_free(mask);
    return status;
}

int hsel_dataset_select(const hsel_dataset *data, const char *selector, uint64_t seed, int threads,
                        bool *keep, hsel_error *error)
{
    hs_chosen chosen = {0};
    hs_learned learned = {0};
    hs_error_clear(error);
    int status = hs_check_threads(threads, error);
    if (status == HSEL_OK)
        status = selector ? hs_chosen_parse(HS_SELECTOR, selector, &chosen, error)
                          : hs_fail(error, HSEL_EUSAGE, "no selector was named");
    if (status == HSEL_OK)
        status = check_eager(chosen.method, error);
    if (status == HSEL_OK)
        status = hs_check_methods(data, chosen.method, NULL, false, error);
    if (status == HSEL_OK)
        status = hs_learn(&chosen, data, seed, threads, &learned, error);
    if (status == HSEL_OK)
        status = take_choice(&learned, data->features, keep, error);
    hs_learned_clear(&learned);
    hs_chosen_clear(&chosen);
    return status;
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
    hs_error_clear(error);
    int status = hs_check_threads(threads, error);
    if (status)
        return status;
    return hs_model_train(data, or_else(selector, "none"), or_else(classifier, "nb"), HSEL_NONE,
                          false, seed, threads, out, error);
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

static int predict_all(const hsel_model *model, const hsel_dataset *data, double *probability,
                       double *score, uint32_t *selected, hsel_error *error)
{
    hs_model_scratch scratch = {0};
    size_t classes = model->shape->class_names.count;
    int status = hs_model_scratch_init(&scratch, model, error);
    for (uint32_t i = 0; i < data->instances && status == HSEL_OK; i++) {
        status = hs_model_predict(model, data, i, &scratch, probability + i * classes, error);
        if (status == HSEL_OK && score)
            memcpy(score + i * classes, scratch.score, classes * sizeof *score);
        if (status == HSEL_OK && selected)
            selected[i] = hs_model_selected(&scratch, data, i);
    }
    hs_model_scratch_clear(&scratch);
    return status;
}

int hsel_model_predict(const hsel_model *model, const hsel_dataset *data, double *probability,
                       double *score, uint32_t *selected, hsel_error *error)
{
    hsel_dataset *aligned = NULL;
    uint32_t unknown, missing;
    const hs_method *selector = model->selector.method;
    hs_error_clear(error);
    int status = hs_align(data, model->shape, true, &aligned, &unknown, &missing, error);
    if (status == HSEL_OK && (selector->flags & HS_LAZY))
        status = hs_check_rule(aligned, selector, false, error);
    if (status == HSEL_OK)
        status = predict_all(model, aligned, probability, score, selected, error);
    hsel_dataset_free(aligned);
    return status;
}

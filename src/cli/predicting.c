/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data for a model.
 */
#include "cli/predicting.h"

#include "data/transform.h"
#include "evaluate/crossval.h"

const hs_option hs_predict_table[] = {
    HS_CHOICE(hs_predict_options, features, "features", "exact|intersect", "exact",
              "intersect: leave out features that the model does not know, take those it misses as negative"),
    HS_FLAG(hs_predict_options, allow_violations, "allow-violations", "work on data that break the true-path rule"),
    HS_OPTION_END};

static int propagate(const hs_call *call, hsel_dataset **data, hsel_error *error)
{
    hsel_dataset *full = NULL;
    uint64_t added = 0;
    int status = hs_dataset_propagate(*data, &full, &added, error);
    if (status)
        return status;
    hsel_dataset_free(*data);
    *data = full;
    if (added)
        hs_note(call, "%llu values were made positive by propagation", (unsigned long long)added);
    return HSEL_OK;
}

int hs_load_for_model(const hs_call *call, const char *path, const hs_load_options *load,
                      const hs_predict_options *options, const hs_model *model, hsel_dataset **out, hsel_error *error)
{
    hs_load_options own = *load;
    hsel_dataset *data = NULL, *aligned = NULL;
    uint32_t unknown = 0, missing = 0;
    own.no_hierarchy = true; /* the model's counts */
    own.propagate = own.drop_roots = false;
    if (!own.columns.class_name && !own.columns.no_class && model->shape->class_attribute) {
        own.columns.class_name = model->shape->class_attribute;
        own.columns.class_optional = true;
    }
    if (!own.columns.id && model->shape->id_attribute) {
        own.columns.id = model->shape->id_attribute;
        own.columns.id_optional = true;
    }
    int status = hs_load_for(call, path, &own, &data, error);
    if (status == HSEL_OK)
        status = hs_align(data, model->shape, options->features == 0, &aligned, &unknown, &missing, error);
    if (status == HSEL_OK && unknown)
        hs_note(call, "%u features are not known to the model and were left out", unknown);
    if (status == HSEL_OK && missing)
        hs_note(call, "%u features of the model are missing and taken as negative", missing);
    if (status == HSEL_OK && load->propagate)
        status = propagate(call, &aligned, error);
    if (status == HSEL_OK)
        status = hs_check_methods(aligned, model->selector.method, NULL, options->allow_violations, error);
    hsel_dataset_free(data);
    if (status)
        hsel_dataset_free(aligned);
    else
        *out = aligned;
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data for a selector or model that has learned from other data.
 */
#include "cli/predicting.h"

#include "data/transform.h"
#include "evaluate/crossval.h"

const hs_option hs_predict_table[] = {
    HS_CHOICE(hs_predict_options, features, "features", "exact|intersect", "exact",
              "exact: there must be the features of the training data and no others; intersect: "
              "others are left out, and "
              "those that are missing count as negative"),
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
        hs_note(call, "%llu %s made positive by propagation", (unsigned long long)added,
                added == 1 ? "value was" : "values were");
    return HSEL_OK;
}

int hs_load_like(const hs_call *call, const char *path, const hs_load_options *load,
                 const hs_predict_options *options, const hsel_dataset *shape,
                 const hs_method *selector, hsel_dataset **out, hsel_error *error)
{
    hs_load_options own = *load;
    hsel_dataset *data = NULL, *aligned = NULL;
    uint32_t unknown = 0, missing = 0;
    /* The hierarchy and the features are those of the training data; its own tells what its roots
     * are, if they shall go as they did there. */
    own.no_hierarchy = load->no_hierarchy || !load->drop_roots;
    own.propagate = false;
    own.min_support = 0;
    own.edges = HS_EDGES_AS_GIVEN;
    if (!own.columns.class_name && !own.columns.no_class && shape->class_attribute) {
        own.columns.class_name = shape->class_attribute;
        own.columns.class_optional = true;
    }
    if (!own.columns.id && shape->id_attribute) {
        own.columns.id = shape->id_attribute;
        own.columns.id_optional = true;
    }
    int status = hs_load_for(call, path, &own, &data, error);
    if (status == HSEL_OK)
        status = hs_align(data, shape, options->features == 0, &aligned, &unknown, &missing, error);
    if (status == HSEL_OK && unknown)
        hs_note(call, "%u feature%s not among those of the training data %s left out", unknown,
                unknown == 1 ? "" : "s", unknown == 1 ? "was" : "were");
    if (status == HSEL_OK && missing)
        hs_note(call, "%u feature%s of the training data %s missing and taken as negative%s",
                missing, missing == 1 ? "" : "s", missing == 1 ? "is" : "are",
                hs_dataset_all_binary(shape) ? "" : " (numeric and nominal ones as unknown)");
    if (status == HSEL_OK && load->propagate)
        status = propagate(call, &aligned, error);
    if (status == HSEL_OK && (selector->flags & HS_LAZY)) /* an eager one has made its choice */
        status = hs_check_rule(aligned, selector, false, error);
    hsel_dataset_free(data);
    if (status)
        hsel_dataset_free(aligned);
    else
        *out = aligned;
    return status;
}

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

int hs_refuse_like(const hs_load_options *load, hsel_error *error)
{
    static const char features[] = "the features are those of the model",
                      classes[] = "the classes are those of the model",
                      edges[] = "the hierarchy is that of the model",
                      hierarchy[] = "the hierarchy is that of the model (that of DATA is read for "
                                    "--drop-roots only)";
    bool roots = load->drop_roots;
    const struct {
        const char *option, *why;
        bool idle;
    } given[] = {{"min-support", features, load->min_support > 0},
                 {"positive", classes, load->columns.positive != NULL},
                 {"edges", edges, load->edges != HS_EDGES_AS_GIVEN},
                 {"hierarchy", hierarchy, !roots && load->hierarchy},
                 {"hierarchy-format", hierarchy, !roots && load->hierarchy_format},
                 {"relations", hierarchy, !roots && load->graph.relations.count},
                 {"namespaces", hierarchy, !roots && load->graph.namespaces.count},
                 {"direction", hierarchy, !roots && load->graph.direction != HS_CHILD_PARENT},
                 {"cycles", hierarchy, !roots && load->cycles != HS_CYCLES_ERROR}};
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
        if (given[i].idle)
            return hs_fail(error, HSEL_EUSAGE, "--%s has no effect here: %s", given[i].option,
                           given[i].why);
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
    if (!load->drop_roots) {
        own.no_hierarchy = true;
        own.hierarchy = own.hierarchy_format = NULL;
        own.graph = (hs_graph_options){0};
        own.cycles = HS_CYCLES_ERROR;
    }
    own.columns.positive = NULL;
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

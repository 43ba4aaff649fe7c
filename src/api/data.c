/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What hsel.h offers on the library itself, methods, data sets and hierarchies.
 */
#include "api/api.h"
#include "learn/methods_json.h"
#include "load/load.h"
#include "generate/generate.h"

/* ---- the library ---- */

const char *hsel_version(void) { return HSEL_VERSION; }

const char *hsel_built_with(void) { return HS_BUILT_WITH; }

uint32_t hsel_interface(void) { return HSEL_INTERFACE; }

size_t hsel_sizeof(const char *name)
{
    static const struct {
        const char *name;
        size_t size;
    } structs[] = {{"hsel_error", sizeof(hsel_error)},
                   {"hsel_edges", sizeof(hsel_edges)},
                   {"hsel_arrays", sizeof(hsel_arrays)},
                   {"hsel_request", sizeof(hsel_request)},
                   {"hsel_grid", sizeof(hsel_grid)},
                   {"hsel_auto_request", sizeof(hsel_auto_request)},
                   {"hsel_discover_request", sizeof(hsel_discover_request)},
                   {"hsel_compare_request", sizeof(hsel_compare_request)},
                   {"hsel_report_request", sizeof(hsel_report_request)},
                   {"hsel_draw_request", sizeof(hsel_draw_request)}};
    for (size_t i = 0; i < sizeof structs / sizeof structs[0]; i++)
        if (strcmp(structs[i].name, name) == 0)
            return structs[i].size;
    return 0;
}

void hsel_free(void *memory) { hs_free(memory); }

int hsel_limits_set(const char *options, hsel_error *error)
{
    HS_OWNS(hs_arena_clear) hs_arena arena = {0};
    hs_limits limits = *hs_limits_now();
    hs_error_clear(error);
    HS_TRY(hs_options_parse(hs_limits_table, &limits, options, "limits", &arena, error));
    hs_limits_set(&limits);
    return HSEL_OK;
}

/* ---- methods ---- */

size_t hsel_method_count(void) { return hs_method_count(); }

static const hs_method *method_at(size_t method)
{
    static const hs_method none = {0};
    return method < hs_method_count() ? hs_method_at(method) : &none;
}

const char *hsel_method_name(size_t method) { return method_at(method)->name; }

const char *hsel_method_kind(size_t method)
{
    return method < hs_method_count() ? hs_kind_name(hs_method_at(method)->kind) : NULL;
}

const char *hsel_method_title(size_t method) { return method_at(method)->title; }

const char *hsel_method_help(size_t method) { return method_at(method)->help; }

const char *hsel_method_citation(size_t method) { return method_at(method)->citation; }

bool hsel_method_is_lazy(size_t method) { return method_at(method)->flags & HS_LAZY; }

int hsel_methods_json(char **json, hsel_error *error)
{
    HS_OWNS(hs_memo_clear) hs_memo memo = {0};
    hs_error_clear(error);
    HS_TRY(hs_memo_open(&memo, error));
    HS_TRY(hs_methods_json(memo.out, -1, error));
    HS_TRY(hs_memo_end(&memo, error));
    *json = hs_take(&memo.text.text);
    return HSEL_OK;
}

/* ---- making data sets ---- */

int hsel_dataset_read(const char *path, const char *options, hsel_dataset **out, hsel_error *error)
{
    hs_error_clear(error);
    return hs_load_with(path, options, out, error);
}

int hsel_dataset_write(const hsel_dataset *data, const char *path, hsel_error *error)
{
    HS_OWNS(hs_writer_release) hs_writer *writer = NULL;
    const hs_method *method = NULL;
    hs_error_clear(error);
    HS_TRY(hs_format_for_output(path, NULL, HS_ROLE_DATA, &method, error));
    HS_TRY(hs_writer_open(path, &writer, error));
    HS_TRY(hs_format_write(method, data, writer, error));
    return hs_writer_commit(hs_take(&writer), error);
}

int hsel_dataset_generate(const char *generator, uint64_t seed, hsel_dataset **out,
                          hsel_error *error)
{
    HS_OWNS(hs_chosen_clear) hs_chosen chosen = {0};
    hs_error_clear(error);
    HS_TRY(hs_chosen_parse(HS_GENERATOR, generator, &chosen, error));
    return chosen.method->generator->generate(chosen.options, seed, out, error);
}

int hsel_dataset_propagate(const hsel_dataset *data, hsel_dataset **out, uint64_t *added,
                           hsel_error *error)
{
    uint64_t changed;
    hs_error_clear(error);
    HS_REFUSE(!data->dag, "%s has no hierarchy", hsel_dataset_name(data));
    return hs_dataset_propagate(data, out, added ? added : &changed, error);
}

int hsel_dataset_set_hierarchy(hsel_dataset *data, const hsel_edges *given, uint32_t *matched,
                               hsel_error *error)
{
    HS_OWNS(hs_graph_clear) hs_graph graph = {0};
    HS_OWNS(hs_dag_release) hsel_dag *dag = NULL;
    hs_bind_report report = {0};
    hsel_edges edges;
    HS_TRY(HS_REQUEST_TAKE(given, &edges, hsel_edges, error));
    HS_REFUSE(data->dag || data->shared,
              data->dag ? "%s already has a hierarchy"
                        : "%s cannot be changed because a model was trained on it",
              hsel_dataset_name(data));
    HS_TRY(edges.terms
               ? hs_unique_names(edges.terms, edges.term_count, "terms", &graph.terms, error)
               : hs_names_copy(&data->feature_names, &graph.terms, error));
    HS_TRY(hs_append_names(edges.labels, graph.terms.count, &graph.titles, error));
    HS_FAIL_IF(edges.count > HS_EDGES_LIMIT, HSEL_ELIMIT, "more than %u edges", HS_EDGES_LIMIT);
    HS_REFUSE(edges.count && (!edges.child || !edges.parent),
              "the edges have no children or no parents");
    const volatile uint32_t *children = edges.child, *parents = edges.parent; /* as in arrays.c */
    for (size_t e = 0; e < edges.count; e++) {
        uint32_t child = children[e], parent = parents[e];
        HS_REFUSE(child >= graph.terms.count || parent >= graph.terms.count,
                  "edge %zu leads to a term that does not exist", e);
        HS_TRY(hs_graph_edge(&graph, child, parent, error));
    }
    HS_TRY(hs_graph_clean(&graph, error));
    HS_TRY(hs_graph_break_cycles(&graph, HS_CYCLES_ERROR, error));
    HS_TRY(hs_graph_spell(&graph, error));
    HS_TRY(hs_dag_bind(&graph, &data->feature_names, &report, &dag, error));
    if (graph.titles.count) { /* texts that were given out live on */
        hs_about before = data->about;
        HS_TRY(hs_about_copy(&before, &data->about, error));
        hs_about_clear(&data->former);
        data->former = before;
    }
    HS_TRY(hs_dataset_name_terms(data, &graph, error));
    HS_TRY(hs_dataset_attach(data, dag, error));
    hs_take(&dag);
    if (matched)
        *matched = data->features - report.features_not_terms;
    return HSEL_OK;
}

void hsel_dataset_free(hsel_dataset *data) { hs_dataset_free(data); }

int hsel_dataset_check(const hsel_dataset *data, hsel_error *error)
{
    hs_error_clear(error);
    return hs_dataset_check(data, error);
}

/* ---- looking at data sets ---- */

const char *hsel_dataset_name(const hsel_dataset *data) { return data->name ? data->name : ""; }

uint32_t hsel_dataset_instances(const hsel_dataset *data) { return data->instances; }

uint32_t hsel_dataset_features(const hsel_dataset *data) { return data->features; }

uint32_t hsel_dataset_classes(const hsel_dataset *data) { return data->class_names.count; }

const char *hsel_dataset_feature_name(const hsel_dataset *data, uint32_t feature)
{
    return feature < data->features ? hs_names_get(&data->feature_names, feature) : NULL;
}

uint32_t hsel_dataset_find_feature(const hsel_dataset *data, const char *name)
{
    return hs_names_find(&data->feature_names, name, strlen(name));
}

hsel_feature_type hsel_dataset_feature_type(const hsel_dataset *data, uint32_t feature)
{
    return feature < data->features ? (hsel_feature_type)data->types[feature] : HSEL_NO_TYPE;
}

const char *hsel_dataset_class_name(const hsel_dataset *data, uint32_t label)
{
    return label < data->class_names.count ? hs_names_get(&data->class_names, label) : NULL;
}

uint32_t hsel_dataset_class_of(const hsel_dataset *data, uint32_t instance)
{
    return data->class_of && instance < data->instances ? data->class_of[instance] : HSEL_NONE;
}

const char *hsel_dataset_id(const hsel_dataset *data, uint32_t instance)
{
    return instance < data->ids.count ? hs_names_get(&data->ids, instance) : NULL;
}

const char *hsel_dataset_feature_about(const hsel_dataset *data, uint32_t feature,
                                       const char *column)
{
    return hs_about_get(&data->about, feature, hs_about_column(&data->about, column));
}

const char *hsel_dataset_instance_about(const hsel_dataset *data, uint32_t instance,
                                        const char *column)
{
    const hs_about *about = &data->instance_about;
    return hs_about_get(about, instance, hs_about_column(about, column));
}

const char *hsel_dataset_feature_label(const hsel_dataset *data, uint32_t feature)
{
    return hs_about_label(&data->about, feature);
}

const char *hsel_dataset_instance_label(const hsel_dataset *data, uint32_t instance)
{
    return hs_about_label(&data->instance_about, instance);
}

const uint32_t *hsel_dataset_row(const hsel_dataset *data, uint32_t instance, size_t *count)
{
    *count = 0;
    return instance < data->instances ? hs_row(data, instance, count) : NULL;
}

const uint32_t *hsel_dataset_column(const hsel_dataset *data, uint32_t feature, size_t *count)
{
    *count = 0;
    return feature < data->features ? hs_column(data, feature, count) : NULL;
}

const hsel_dag *hsel_dataset_hierarchy(const hsel_dataset *data) { return data->dag; }

uint32_t hsel_dataset_positive_class(const hsel_dataset *data) { return data->positive_class; }

static const char *names_of(const hs_names *names, uint32_t *count, size_t *bytes)
{
    *count = names ? names->count : 0;
    *bytes = *count ? (size_t)names->start[*count] : 0;
    return *count ? names->pool : names ? "" : NULL;
}

const char *hsel_dataset_names(const hsel_dataset *data, int list, uint32_t *count, size_t *bytes)
{
    const hs_names *const lists[] = {
        &data->feature_names,       &data->class_names, &data->ids,
        &data->about.columns,       &data->about.cells, &data->instance_about.columns,
        &data->instance_about.cells};
    return names_of(list < 0 || list > HSEL_INSTANCE_TEXTS ? NULL : lists[list], count, bytes);
}

const char *hsel_dataset_value_names(const hsel_dataset *data, uint32_t feature, uint32_t *count,
                                     size_t *bytes)
{
    bool nominal = feature < data->features && data->types[feature] == HSEL_NOMINAL;
    return names_of(nominal ? &data->nominal[data->slot[feature]].values : NULL, count, bytes);
}

const uint64_t *hsel_dataset_rows(const hsel_dataset *data, const uint32_t **index)
{
    *index = data->rows.index;
    return data->rows.start;
}

const uint8_t *hsel_dataset_types(const hsel_dataset *data) { return data->types; }

const uint32_t *hsel_dataset_labels(const hsel_dataset *data) { return data->class_of; }

const double *hsel_dataset_target(const hsel_dataset *data) { return data->target; }

int hsel_dataset_is_covariate(const hsel_dataset *data, uint32_t feature)
{
    return feature < data->features && hs_is_covariate(data, feature);
}

void hsel_dataset_values(const hsel_dataset *data, uint32_t feature, double *out)
{
    const double *values = feature < data->features ? hs_dataset_numeric(data, feature, out) : NULL;
    for (uint32_t i = 0; !values && i < data->instances; i++)
        out[i] = (double)NAN;
    if (values && values != out)
        memcpy(out, values, data->instances * sizeof *out);
}

/* ---- hierarchies: none and no such node are empty answers ---- */

uint32_t hsel_dag_nodes(const hsel_dag *dag) { return dag ? dag->nodes : 0; }

uint64_t hsel_dag_edges(const hsel_dag *dag) { return dag ? dag->edges : 0; }

const uint32_t *hsel_dag_order(const hsel_dag *dag) { return dag ? dag->order : NULL; }

const uint32_t *hsel_dag_depths(const hsel_dag *dag) { return dag ? dag->depth : NULL; }

const uint32_t *hsel_dag_parents(const hsel_dag *dag, uint32_t node, size_t *count)
{
    *count = 0;
    return node < hsel_dag_nodes(dag) ? hs_parents(dag, node, count) : NULL;
}

const uint32_t *hsel_dag_children(const hsel_dag *dag, uint32_t node, size_t *count)
{
    *count = 0;
    return node < hsel_dag_nodes(dag) ? hs_children(dag, node, count) : NULL;
}

uint32_t hsel_dag_depth(const hsel_dag *dag, uint32_t node)
{
    return node < hsel_dag_nodes(dag) ? dag->depth[node] : HSEL_NONE;
}

const uint32_t *hsel_dag_parent_lists(const hsel_dag *dag, const uint32_t **parents)
{
    *parents = dag ? dag->parent : NULL;
    return dag ? dag->parent_start : NULL;
}

int hsel_dag_check(const hsel_dag *dag, hsel_error *error)
{
    hs_error_clear(error);
    return hs_dag_check(dag, error);
}

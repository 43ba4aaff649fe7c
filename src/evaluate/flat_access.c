/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arrays of data sets, hierarchies from edges, and the ways to a data set that need no
 * file. Nothing is copied but single columns: pointers are into the data set.
 */
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "data/transform.h"
#include "data/truepath.h"
#include "evaluate/flat_parts.h"
#include "generate/generate.h"

/* ---- arrays ---- */

static const char *names_of(const hs_names *names, uint32_t *count, size_t *bytes)
{
    *count = names->count;
    *bytes = names->count ? (size_t)names->start[names->count] : 0;
    return names->count ? names->pool : "";
}

const char *hsel_dataset_names(const hsel_dataset *data, int list, uint32_t *count, size_t *bytes)
{
    const hs_names *const lists[] = {&data->feature_names, &data->class_names, &data->ids};
    *count = 0;
    *bytes = 0;
    if (list < HSEL_FEATURE_NAMES || list > HSEL_IDS)
        return NULL;
    return names_of(lists[list], count, bytes);
}

const uint64_t *hsel_dataset_rows(const hsel_dataset *data, const uint32_t **index)
{
    *index = data->rows.index;
    return data->rows.start;
}

const uint8_t *hsel_dataset_types(const hsel_dataset *data) { return data->types; }

const uint32_t *hsel_dataset_labels(const hsel_dataset *data) { return data->class_of; }

uint32_t hsel_dataset_positive_class(const hsel_dataset *data) { return data->positive_class; }

void hsel_dataset_values(const hsel_dataset *data, uint32_t feature, double *out)
{
    if (feature >= data->features) {
        for (uint32_t i = 0; i < data->instances; i++)
            out[i] = (double)NAN;
        return;
    }
    const double *values = hs_dataset_numeric(data, feature, out);
    if (values != out)
        memcpy(out, values, data->instances * sizeof *out);
}

const char *hsel_dataset_value_names(const hsel_dataset *data, uint32_t feature, uint32_t *count,
                                     size_t *bytes)
{
    *count = 0;
    *bytes = 0;
    if (feature >= data->features || data->types[feature] != HSEL_NOMINAL)
        return NULL;
    return names_of(&data->nominal[data->slot[feature]].values, count, bytes);
}

const uint32_t *hsel_dag_parent_lists(const hsel_dag *dag, const uint32_t **parents)
{
    *parents = dag ? dag->parent : NULL;
    return dag ? dag->parent_start : NULL;
}

const uint32_t *hsel_dag_depths(const hsel_dag *dag) { return dag ? dag->depth : NULL; }

/* ---- hierarchies ---- */

static int put_terms(const char *terms, uint32_t count, hs_graph *graph, hsel_error *error)
{
    int status = HSEL_OK;
    for (uint32_t i = 0; i < count && status == HSEL_OK; i++) {
        size_t length = strlen(terms);
        uint32_t id;
        bool added = false;
        status = hs_names_intern(&graph->terms, terms, length, &id, &added, error);
        if (status == HSEL_OK && !added)
            status = hs_fail(error, HSEL_EUSAGE, "there are two terms named '%.200s'", terms);
        terms += length + 1;
    }
    return status;
}

static int put_edges(const uint32_t *child, const uint32_t *parent, size_t edges, hs_graph *graph,
                     hsel_error *error)
{
    int status = HSEL_OK;
    if (edges > HS_EDGES_LIMIT)
        return hs_fail(error, HSEL_ELIMIT, "more than %u edges", HS_EDGES_LIMIT);
    for (size_t e = 0; e < edges && status == HSEL_OK; e++)
        status =
            child[e] < graph->terms.count && parent[e] < graph->terms.count
                ? hs_graph_edge(graph, child[e], parent[e], error)
                : hs_fail(error, HSEL_EUSAGE, "edge %zu leads to a term that does not exist", e);
    return status;
}

int hsel_dataset_set_hierarchy(hsel_dataset *data, const char *terms, uint32_t term_count,
                               const uint32_t *child, const uint32_t *parent, size_t edges,
                               uint32_t *matched, hsel_error *error)
{
    hs_graph graph = {0};
    hs_bind_report report = {0};
    hsel_dag *dag = NULL;
    hs_error_clear(error);
    int status = terms ? put_terms(terms, term_count, &graph, error)
                       : hs_names_copy(&data->feature_names, &graph.terms, error);
    if (status == HSEL_OK)
        status = put_edges(child, parent, edges, &graph, error);
    if (status == HSEL_OK)
        status = hs_graph_clean(&graph, error);
    if (status == HSEL_OK)
        status = hs_graph_break_cycles(&graph, HS_CYCLES_ERROR, error);
    if (status == HSEL_OK)
        status = hs_dag_bind(&graph, &data->feature_names, &report, &dag, error);
    if (status == HSEL_OK && (status = hs_dataset_attach(data, dag, error)))
        hs_dag_free(dag);
    if (status == HSEL_OK && matched)
        *matched = data->features - report.features_not_terms;
    hs_graph_clear(&graph);
    return status;
}

int hsel_dataset_propagate(const hsel_dataset *data, hsel_dataset **out, uint64_t *added,
                           hsel_error *error)
{
    uint64_t changed;
    hs_error_clear(error);
    if (!data->dag)
        return hs_fail(error, HSEL_EUSAGE, "%s has no hierarchy", hsel_dataset_name(data));
    return hs_dataset_propagate(data, out, added ? added : &changed, error);
}

/* ---- made-up data ---- */

int hsel_dataset_generate(const char *generator, uint64_t seed, hsel_dataset **out,
                          hsel_error *error)
{
    hs_chosen chosen = {0};
    hs_error_clear(error);
    int status = hs_chosen_parse(HS_GENERATOR, generator, &chosen, error);
    if (status == HSEL_OK)
        status = chosen.method->generator->generate(chosen.options, seed, out, error);
    hs_chosen_clear(&chosen);
    return status;
}

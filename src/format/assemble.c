/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making a data set from hierarchy, annotations and labels: runs the steps in order and makes the
 * data set from what they leave. Features are chosen and bound to the hierarchy before the rows are
 * built, so that an object which loses its last feature (as a rare term or as a root) is seen.
 */
#include "format/assemble.h"

#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "data/builder.h"
#include "data/transform.h"
#include "format/assemble_parts.h"

const hs_option hs_assemble_table[] = {
    HS_OPTION(hs_assemble_options, namespaces, "namespaces", "NAME,…", NULL, 0, 0,
              "take terms of these namespaces only; BP, MF and CC will do for GO's"),
    HS_OPTION(hs_assemble_options, evidence, "evidence", "CODE,…", NULL, 0, 0,
              "take annotations with these evidence codes only, or groups of them: experimental, "
              "high-throughput, phylogenetic, computational, author, curator, electronic"),
    HS_OPTION(hs_assemble_options, no_evidence, "no-evidence", "CODE,…", NULL, 0, 0,
              "leave out annotations with these evidence codes or groups"),
    HS_CHOICE(hs_assemble_options, negated, "not", "drop|block|ignore", "drop",
              "NOT annotations: leave them out, also leave out what they forbid, or take them as "
              "any other"),
    HS_CHOICE(hs_assemble_options, unknown, "unknown", "drop|error", "drop",
              "annotations with terms that are not in the hierarchy"),
    HS_CHOICE(hs_assemble_options, empty, "empty", "drop|keep", "drop",
              "objects that have a label but no positive feature"),
    HS_FLAG(hs_assemble_options, no_propagate, "no-propagate",
            "take terms as annotated, without the terms above them"),
    HS_FLAG(hs_assemble_options, drop_roots, "drop-roots",
            "leave out features that have children but no parent"),
    HS_OPTION(hs_assemble_options, min_support, "min-support", "N", "3", 0, 1073741824,
              "leave out features that are positive in fewer instances"),
    HS_TEXT(hs_assemble_options, positive, "positive", "LABEL", NULL,
            "the positive class (default: the second in order)"),
    HS_TEXT(hs_assemble_options, name, "name", "NAME", NULL, "name of the data set"),
    HS_OPTION_END};

/* A feature to be: sorted by name. */
typedef struct candidate {
    const char *name;
    uint32_t term;
} candidate;

/* The features as they stand: names, their hierarchy, and the feature of each term. */
typedef struct feature_set {
    hs_names names;
    hsel_dag *dag;
    uint32_t *feature_of;
} feature_set;

static int compare_candidates(const void *a, const void *b)
{
    return strcmp(((const candidate *)a)->name, ((const candidate *)b)->name);
}

/* Terms with enough support, sorted by name. */
static int choose_terms(hs_assembly *a, candidate **out, uint32_t *count, hsel_error *error)
{
    hs_finding *found = a->report->found;
    const hs_names *names = &a->graph->terms;
    candidate *chosen = HS_NEW(candidate, names->count);
    int status = chosen ? HSEL_OK : hs_fail_memory(error);
    *count = 0;
    for (uint32_t t = 0; !status && t < names->count; t++) {
        if (!a->support[t])
            continue;
        found[HS_FOUND_CANDIDATES].count++;
        if (a->support[t] < a->options->min_support)
            status = hs_finding_add(&found[HS_FOUND_RARE], hs_names_get(names, t), error);
        else
            chosen[(*count)++] = (candidate){hs_names_get(names, t), t};
    }
    if (status) {
        hs_free(chosen);
        return status;
    }
    qsort(chosen, *count, sizeof *chosen, compare_candidates);
    *out = chosen;
    return HSEL_OK;
}

/* The hierarchy over the features, through the part of the graph that is used. */
static int bind_features(const hs_assembly *a, feature_set *set, hsel_error *error)
{
    hs_graph used = *a->graph;
    hs_bind_report report = {0};
    used.child = a->edge_child;
    used.parent = a->edge_parent;
    used.edges = a->edges;
    used.merged_into = NULL;
    int status = hs_names_index(&set->names, error);
    return status ? status : hs_dag_bind(&used, &set->names, &report, &set->dag, error);
}

/* Leaves out the features that have children but no parent. */
static int drop_roots(hs_assembly *a, feature_set *set, candidate *chosen, uint32_t *count,
                      hsel_error *error)
{
    hs_names names = {0};
    hsel_dag *dag = NULL;
    bool *keep = HS_NEW(bool, *count);
    int status = keep ? HSEL_OK : hs_fail_memory(error);
    uint32_t kept = 0;
    for (uint32_t f = 0; !status && f < *count; f++) {
        keep[f] = !hs_is_root(set->dag, f) || hs_is_leaf(set->dag, f);
        if (keep[f])
            chosen[kept++] = chosen[f];
        else
            status = hs_finding_add(&a->report->found[HS_FOUND_ROOTS], hs_names_get(&set->names, f),
                                    error);
    }
    if (!status)
        status = hs_names_subset(&set->names, keep, &names, error);
    if (!status)
        status = hs_dag_subset(set->dag, keep, &dag, error);
    hs_free(keep);
    if (status) {
        hs_names_clear(&names);
        return status;
    }
    hs_names_clear(&set->names);
    hs_dag_free(set->dag);
    set->names = names;
    set->dag = dag;
    *count = kept;
    return HSEL_OK;
}

static int choose_features(hs_assembly *a, feature_set *set, hsel_error *error)
{
    candidate *chosen = NULL;
    uint32_t count = 0;
    int status = choose_terms(a, &chosen, &count, error);
    for (uint32_t f = 0; !status && f < count; f++)
        status = hs_names_append(&set->names, chosen[f].name, strlen(chosen[f].name), error);
    if (!status)
        status = bind_features(a, set, error);
    if (!status && a->options->drop_roots)
        status = drop_roots(a, set, chosen, &count, error);
    if (!status) {
        set->feature_of = HS_NEW(uint32_t, a->graph->terms.count);
        status = set->feature_of ? HSEL_OK : hs_fail_memory(error);
    }
    if (!status) {
        memset(set->feature_of, 0xff, a->graph->terms.count * sizeof *set->feature_of);
        for (uint32_t f = 0; f < count; f++)
            set->feature_of[chosen[f].term] = f;
    }
    hs_free(chosen);
    return status;
}

/* Adds a labelled object as an instance, unless it has nothing and such ones are left out. */
static int build_row(hs_assembly *a, const feature_set *set, hs_builder *builder, uint32_t row,
                     hsel_error *error)
{
    const hs_labels *labels = a->labels;
    hs_finding *found = a->report->found;
    const char *id = hs_names_get(&labels->ids, row);
    const char *label = hs_names_get(&labels->classes, labels->class_of[row]);
    bool is_empty = true;
    int status = HSEL_OK;
    for (uint64_t i = a->row_start[row]; is_empty && i < a->row_start[row + 1]; i++)
        is_empty = set->feature_of[a->terms[i]] == HSEL_NONE;
    if (is_empty)
        status = hs_finding_add(
            &found[a->annotated[row] ? HS_FOUND_NOTHING_LEFT : HS_FOUND_NO_ANNOTATION], id, error);
    if (status || (is_empty && a->options->empty == HS_EMPTY_DROP))
        return status;
    uint32_t code;
    status = hs_builder_class(builder, label, strlen(label), &code, error);
    if (!status)
        status = hs_builder_row(builder, id, hs_names_length(&labels->ids, row), code, error);
    for (uint64_t i = a->row_start[row]; !status && i < a->row_start[row + 1]; i++)
        if (set->feature_of[a->terms[i]] != HSEL_NONE)
            status = hs_builder_positive(builder, set->feature_of[a->terms[i]], error);
    return status;
}

static int build_rows(hs_assembly *a, const feature_set *set, hs_builder *builder,
                      hsel_error *error)
{
    const hs_labels *labels = a->labels;
    hs_finding *found = a->report->found;
    int status = HSEL_OK;
    found[HS_FOUND_LABELS_EMPTY].count = labels->without_class;
    found[HS_FOUND_LABELS_REPEATED].count = labels->repeated;
    for (uint32_t f = 0; !status && f < set->names.count; f++) {
        uint32_t id;
        status = hs_builder_feature(builder, hs_names_get(&set->names, f),
                                    hs_names_length(&set->names, f), HSEL_BINARY, &id, error);
    }
    for (uint32_t row = 0; !status && row < labels->ids.count; row++) {
        found[HS_FOUND_LABELS].count++;
        status = labels->class_of[row] == HSEL_NONE
                     ? hs_finding_add(&found[HS_FOUND_LABELS_CONFLICT],
                                      hs_names_get(&labels->ids, row), error)
                     : build_row(a, set, builder, row, error);
    }
    return status;
}

/* Nothing is left of the annotations: the reason that took most of them. */
static int fail_nothing_left(const hs_finding *found, hsel_error *error)
{
    int most = HS_FOUND_EVIDENCE;
    for (int kind = HS_FOUND_EVIDENCE; kind < HS_FOUND_USED; kind++)
        if (found[kind].count > found[most].count)
            most = kind;
    return hs_fail(error, HSEL_EFORMAT,
                   "no annotation remains, so there are no features; most (%llu of %llu) were %s",
                   (unsigned long long)found[most].count,
                   (unsigned long long)found[HS_FOUND_ANNOTATIONS].count,
                   hs_found_table[most].text);
}

/* A data set without instances or features is a mistake in what was given; say which. */
static int check_result(const hs_assembly *a, const feature_set *set, const hs_builder *builder,
                        hsel_error *error)
{
    const hs_finding *found = a->report->found;
    const hs_names *objects = &a->annotations->objects;
    if (!a->annotations->count)
        return hs_fail_at(
            error, HSEL_EFORMAT, a->annotations->source ? a->annotations->source : "annotations", 0,
            found[HS_FOUND_OTHER_TAXON].count ? "no annotations of the chosen species in it"
                                              : "no annotations in it");
    if (found[HS_FOUND_OBJECTS_UNKNOWN].count == objects->count)
        return hs_fail(error, HSEL_EFORMAT,
                       "no annotated object has a label: the annotations have identifiers such as "
                       "%s, the labels such as %s",
                       hs_names_get(objects, 0), hs_names_get(&a->labels->ids, 0));
    if (!found[HS_FOUND_CANDIDATES].count)
        return fail_nothing_left(found, error);
    if (!set->names.count)
        return hs_fail(error, HSEL_EFORMAT, "no term is positive in %u instances or more",
                       a->options->min_support);
    if (!hs_builder_rows(builder))
        return hs_fail(error, HSEL_EFORMAT, "no labelled object has a feature left");
    return HSEL_OK;
}

static int finish(hs_assembly *a, feature_set *set, hs_builder *builder, hsel_dataset **out,
                  hsel_error *error)
{
    const hs_labels *labels = a->labels;
    hs_finding *found = a->report->found;
    hsel_dataset *data = NULL;
    hs_builder_sort_classes(builder);
    int status = hs_builder_describe(builder, a->options->name,
                                     labels->class_column ? labels->class_column : "class",
                                     labels->id_column ? labels->id_column : "id", error);
    if (!status && a->options->positive)
        status = hs_builder_positive_class(builder, a->options->positive, error);
    if (!status)
        status = hs_builder_finish(builder, &data, error);
    if (!status) {
        status = hs_dataset_attach(data, set->dag, error);
        set->dag = status ? set->dag : NULL;
    }
    if (status) {
        hsel_dataset_free(data);
        return status;
    }
    found[HS_FOUND_INSTANCES].count = data->instances;
    found[HS_FOUND_FEATURES].count = data->features;
    found[HS_FOUND_FEATURE_EDGES].count = data->dag->edges;
    found[HS_FOUND_CLASSES].count = data->class_names.count;
    found[HS_FOUND_POSITIVES].count = data->rows.start[data->instances];
    *out = data;
    return HSEL_OK;
}

static int make_dataset(hs_assembly *a, hsel_dataset **out, hsel_error *error)
{
    feature_set set = {0};
    hs_builder *builder = NULL;
    int status = choose_features(a, &set, error);
    if (!status)
        status = hs_builder_new(&builder, error);
    if (!status)
        status = build_rows(a, &set, builder, error);
    if (!status)
        status = check_result(a, &set, builder, error);
    if (!status)
        status = finish(a, &set, builder, out, error);
    hs_builder_free(builder);
    hs_names_clear(&set.names);
    hs_dag_free(set.dag);
    hs_free(set.feature_of);
    return status;
}

int hs_assemble(const hs_assemble_options *options, hs_graph *graph,
                const hs_annotations *annotations, hs_labels *labels, hs_assemble_report *report,
                hsel_dataset **out, hsel_error *error)
{
    hs_assembly a = {.options = options,
                     .graph = graph,
                     .annotations = annotations,
                     .labels = labels,
                     .report = report};
    int status = hs_assembly_graph(&a, error);
    if (!status)
        status = hs_assembly_terms(&a, error);
    if (!status)
        status = hs_assembly_marks(&a, error);
    if (!status)
        status = hs_assembly_rows(&a, error);
    if (!status)
        status = make_dataset(&a, out, error);
    hs_free(a.usable);
    hs_free(a.parent_start);
    hs_free(a.parent);
    hs_free(a.edge_child);
    hs_free(a.edge_parent);
    hs_free(a.fate);
    hs_free(a.term_of);
    hs_free(a.annotated);
    hs_free(a.mark_start);
    hs_free(a.marks);
    hs_free(a.row_start);
    hs_free(a.terms);
    hs_free(a.support);
    return status;
}

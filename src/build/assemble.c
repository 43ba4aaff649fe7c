/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making a data set from hierarchy, annotations and labels, step by step: the part of the hierarchy
 * that is used; the term that each identifier in the annotations means; the annotations that count,
 * by object; the terms of each object; the features; the rows. Features are chosen and bound to the
 * hierarchy before the rows are built, so that an object which loses its last feature (as a rare
 * term or as a root) is seen.
 *
 * Propagation walks upwards from an object's terms and visits each ancestor once (a stamp for each
 * object), so the cost is the number of values it makes and the edges above them.
 */
#include "build/assemble.h"

#include "format/hierarchy.h"

const hs_option hs_assemble_table[] = {
    HS_OPTION(
        hs_assemble_options, namespaces, "namespaces", "NAME,…", NULL, 0, 0,
        "use only terms of these namespaces; BP, MF and CC stand for those of the Gene Ontology"),
    HS_CHOOSE_OPTIONS(hs_assemble_options),
    HS_OPTION(hs_assemble_options, evidence, "evidence", "CODE,…", NULL, 0, 0,
              "use only annotations with these evidence codes or groups of codes: experimental, "
              "high-throughput, phylogenetic, computational, author, curator, electronic"),
    HS_OPTION(hs_assemble_options, no_evidence, "no-evidence", "CODE,…", NULL, 0, 0,
              "leave out annotations with these evidence codes or groups of codes"),
    HS_TEXT(hs_assemble_options, until, "until", "DATE", NULL,
            "leave out annotations after this day, such as 2020-12-31"),
    HS_TEXT(hs_assemble_options, since, "since", "DATE", NULL,
            "make features of annotations up to this day, and classes of annotations after it (up "
            "to {until}): yes for objects that gained an annotation with the term given as "
            "{class}, or with any term; objects that had the term before are left out"),
    HS_CHOICE(hs_assemble_options, negated, "not", "drop|block|ignore", "drop",
              "NOT annotations: leave them out, also leave out the annotations that they "
              "contradict, or treat them like all others"),
    HS_CHOICE(hs_assemble_options, unknown, "unknown", "drop|error", "drop",
              "what to do with annotations to terms that are not in the hierarchy"),
    HS_CHOICE(hs_assemble_options, empty, "empty", "drop|keep", "drop",
              "what to do with objects that have a label but no positive feature"),
    HS_FLAG(hs_assemble_options, no_propagate, "no-propagate",
            "use only the annotated terms, without the terms above them"),
    HS_FLAG(hs_assemble_options, drop_roots, "drop-roots",
            "leave out features that have children but no parent"),
    HS_OPTION(hs_assemble_options, min_support, "min-support", "N", HS_MIN_SUPPORT_TEXT, 0,
              1073741824, "leave out features that are positive in fewer instances"),
    HS_TEXT(
        hs_assemble_options, positive, "positive", "LABEL", NULL,
        "the positive class (default: by label, such as yes against no, else the smaller class)"),
    HS_TEXT(hs_assemble_options, name, "name", "NAME", NULL, "name of the data set"),
    HS_OPTION_END};

const hs_found_info hs_found_table[HS_FOUND_KINDS] = {
#define HS_FOUND(name, part, key, text, always, has_examples)                                      \
    {part, key, text, always, has_examples},
#include "build/findings.def"
#undef HS_FOUND
};

void hs_assemble_report_clear(hs_assemble_report *report)
{
    for (int kind = 0; kind < HS_FOUND_KINDS; kind++) {
        hs_names_clear(&report->found[kind].examples);
        hs_free(report->found[kind].times);
    }
    *report = (hs_assemble_report){0};
}

int hs_finding_add(hs_finding *finding, const char *example, uint32_t limit, hsel_error *error)
{
    uint32_t count = finding->examples.count;
    bool again = count && strcmp(hs_names_get(&finding->examples, count - 1), example) == 0;
    finding->count++;
    return again || count >= limit ? HSEL_OK
                                   : hs_names_append_text(&finding->examples, example, error);
}

/* Counts one of a kind, such as an evidence code. */
static int tally_kind(hs_finding *finding, const char *kind, hsel_error *error)
{
    uint32_t id;
    bool added;
    finding->count++;
    HS_TRY(hs_names_intern(&finding->examples, kind, strlen(kind), &id, &added, error));
    HS_NEED(HS_GROW(&finding->times, &finding->times_capacity, (size_t)id + 1));
    finding->times[id] = added ? 1 : finding->times[id] + 1;
    return HSEL_OK;
}

typedef struct assembly {
    const hs_assemble_options *options;
    uint32_t last; /* the day after which annotations are left out; 0: none */
    hs_graph *graph;
    const hs_annotations *annotations;
    hs_labels *labels;
    hs_finding *found;
    hs_arena arena; /* of the arrays below, except those with their own clear function */
    /* The hierarchy as used: terms of chosen namespaces and branches, without obsolete ones, and
     * the edges between them alone. */
    bool *usable, *in_branch;
    hsel_dag *used;
    bool *chosen;    /* labelled objects */
    bool *annotated; /* labelled objects that the annotations know */
    /* The terms that each labelled object is annotated with: [0] it is, [1] it is NOT. */
    hs_sparse terms_of[2];
    /* The terms of each labelled object, propagated if requested, no repeats. */
    hs_sparse rows;
    uint32_t *support; /* of each graph term */
    /* The features: names, their hierarchy, and the feature of each term. */
    hs_names names;
    hsel_dag *dag;
    uint32_t *feature_of;
    uint32_t *also; /* [features]: another feature of the same term (of data to be like); or NULL */
} assembly;

static void assembly_clear(assembly *a)
{
    hs_arena_clear(&a->arena);
    hs_dag_free(a->used);
    hs_sparse_clear(&a->terms_of[0]);
    hs_sparse_clear(&a->terms_of[1]);
    hs_sparse_clear(&a->rows);
    hs_names_clear(&a->names);
    hs_dag_free(a->dag);
}

/* ---- the hierarchy as used ---- */

static int use_graph(assembly *a, hsel_error *error)
{
    hs_graph *graph = a->graph;
    const hs_list *wanted = &a->options->namespaces;
    uint32_t count = graph->terms.count;
    if (graph->edges > HS_EDGES_LIMIT || a->annotations->count > HS_EDGES_LIMIT)
        return hs_fail(
            error, HSEL_ELIMIT,
            "too many: %zu edges of the hierarchy and %zu annotations (limit of each: %u)",
            graph->edges, a->annotations->count, HS_EDGES_LIMIT);
    HS_TRY(hs_check_namespaces(wanted, graph->source ? graph->source : "hierarchy",
                               &graph->namespaces, error));
    HS_TRY(hs_names_index(&graph->terms, error));
    HS_TRY(hs_names_index(&graph->alternates, error));
    a->usable = hs_arena_zero(&a->arena, count, sizeof *a->usable);
    a->in_branch = HS_ARENA_NEW(&a->arena, bool, count);
    HS_OWNED uint32_t *child = HS_NEW(uint32_t, graph->edges),
                      *parent = HS_NEW(uint32_t, graph->edges),
                      *relation = HS_NEW(uint32_t, graph->edges);
    size_t edges = 0;
    HS_NEED(a->usable && a->in_branch && child && parent && relation);
    HS_TRY(hs_choose_terms(&a->options->choose, graph, a->in_branch, error));
    for (uint32_t t = 0; t < count; t++) {
        if (hs_is_obsolete(graph, t) || (graph->merged_into && graph->merged_into[t] != t))
            continue;
        uint32_t space = graph->namespace_of ? graph->namespace_of[t] : HSEL_NONE;
        a->usable[t] = a->in_branch[t] && hs_namespace_wanted(wanted, &graph->namespaces, space);
        a->found[HS_FOUND_TERMS].count++;
        a->found[HS_FOUND_TERMS_USED].count += a->usable[t];
    }
    for (size_t e = 0; e < graph->edges; e++) {
        child[edges] = graph->child[e];
        parent[edges] = graph->parent[e];
        relation[edges] = graph->relation ? graph->relation[e] : 0;
        edges +=
            child[edges] != parent[edges] && a->usable[child[edges]] && a->usable[parent[edges]];
    }
    a->found[HS_FOUND_EDGES].count = edges;
    a->found[HS_FOUND_DUPLICATES].count = graph->duplicate_edges;
    a->found[HS_FOUND_LOOPS].count = graph->self_loops;
    a->found[HS_FOUND_CYCLE_EDGES].count = graph->cycle_edges_dropped;
    a->found[HS_FOUND_MERGED].count = graph->terms_merged;
    HS_TRY(hs_dag_new(count, child, parent, edges, &a->used, error));
    return graph->relation
               ? hs_dag_relate(a->used, child, parent, relation, edges, &graph->relations, error)
               : HSEL_OK;
}

/* ---- the annotations that count ---- */

/* What an identifier means. It is looked up as a term, then as an alternate, then in another
 * spelling; an obsolete term leads to the one that replaces it, if there is one. Returns the
 * corresponding finding; HS_FOUND_USED: it is the name of a term. *out is HSEL_NONE if it is not
 * usable. */
static hs_found resolve_term(const assembly *a, const char *name, size_t length, uint32_t *out)
{
    const hs_graph *graph = a->graph;
    hs_found fate = HS_FOUND_USED;
    uint32_t term = hs_graph_find(graph, name, length);
    *out = HSEL_NONE;
    if (term == HSEL_NONE)
        return HS_FOUND_UNKNOWN;
    if (strcmp(hs_names_get(&graph->terms, term), name) != 0)
        fate = hs_names_find(&graph->alternates, name, length) == HSEL_NONE ? HS_FOUND_SPELLED
                                                                            : HS_FOUND_ALTERNATE;
    for (uint32_t steps = 0; hs_is_obsolete(graph, term); steps++) {
        fate = HS_FOUND_REPLACED;
        term = graph->replaced_by && steps <= graph->terms.count ? graph->replaced_by[term]
                                                                 : HSEL_NONE; /* a circle */
        if (term == HSEL_NONE)
            return HS_FOUND_OBSOLETE;
    }
    if (graph->merged_into)
        term = graph->merged_into[term];
    if (!a->usable[term])
        return a->in_branch[term] ? HS_FOUND_NAMESPACE : HS_FOUND_BRANCH;
    *out = term;
    return fate;
}

/* Each annotation is left out under one finding, or kept and grouped by its object. */
static int sift_annotations(assembly *a, hsel_error *error)
{
    const hs_annotations *annotations = a->annotations;
    const hs_assemble_options *options = a->options;
    const char *source = annotations->source ? annotations->source : "annotations";
    const hs_names *objects = &annotations->objects, *ids = &annotations->terms;
    const hs_label_column *labels = a->labels->columns;
    hs_finding *found = a->found;
    size_t counts[2] = {0};
    HS_OWNS(hs_arena_clear) hs_arena arena = {0};
    bool *evidence = hs_arena_zero(&arena, annotations->evidence.count, 1); /* chosen codes */
    bool *eco = hs_arena_zero(&arena, annotations->evidence.count, 1);      /* without a GO code */
    bool *told = hs_arena_zero(&arena, ids->count, 1);
    uint8_t *fate = HS_ARENA_NEW(&arena, uint8_t, ids->count); /* of each identifier of a term … */
    uint32_t *term_of = HS_ARENA_NEW(&arena, uint32_t, ids->count);    /* … which it means */
    uint32_t *row_of = HS_ARENA_NEW(&arena, uint32_t, objects->count); /* HSEL_NONE: no label */
    uint32_t *rows[2], *terms[2]; /* annotations that count: positive ones, NOT */
    for (int n = 0; n < 2; n++) {
        size_t most = n && options->negated != HS_NOT_BLOCK ? 0 : annotations->count;
        rows[n] = HS_ARENA_NEW(&arena, uint32_t, most);
        terms[n] = HS_ARENA_NEW(&arena, uint32_t, most);
    }
    a->annotated = hs_arena_zero(&a->arena, a->labels->ids.count, sizeof *a->annotated);
    HS_NEED(evidence && eco && told && fate && term_of && row_of && rows[0] && terms[0] &&
            rows[1] && terms[1] && a->annotated);

    /* Keeping chosen codes makes no sense for a file that has none. */
    if (options->evidence.count && annotations->count && !annotations->evidence.count)
        return hs_fail_at(error, HSEL_EUSAGE, source, 0, "it has no evidence codes to choose from");
    bool dated = !a->last || !annotations->count;
    for (size_t i = 0; i < annotations->count && !dated; i++)
        dated = annotations->entries[i].date;
    if (!dated)
        return hs_fail_at(error, HSEL_EUSAGE, source, 0,
                          "its annotations have no dates, which %s needs: give a GAF or GPAD file",
                          HS_OPTION_WORD(options->since ? "since" : "until"));
    HS_TRY(hs_evidence_select(&options->evidence, &options->no_evidence, &annotations->evidence,
                              evidence, error));
    for (uint32_t c = 0; c < annotations->evidence.count; c++) {
        const char *code = hs_names_get(&annotations->evidence, c);
        if (strncmp(code, "ECO:", 4) == 0) {
            HS_TRY(hs_find_one(&found[HS_FOUND_ECO], code, error));
            eco[c] = true;
        }
    }
    found[HS_FOUND_ECO].distinct = found[HS_FOUND_ECO].count;
    found[HS_FOUND_ECO].count = 0; /* of annotations, below */
    for (uint32_t id = 0; id < ids->count; id++)
        fate[id] = (uint8_t)resolve_term(a, HS_NAME(ids, id), &term_of[id]);
    HS_TRY(hs_names_index(&a->labels->ids, error));
    if (options->choose.instances) {
        HS_OWNS(hs_chosen_instances_clear) hs_chosen_instances chosen = {0};
        HS_NEED(a->chosen = HS_ARENA_NEW(&a->arena, bool, a->labels->ids.count));
        HS_TRY(hs_choose_instances(&options->choose, &a->labels->ids, a->labels->ids.count,
                                   labels->class_of, labels->classes.count, a->chosen, &chosen,
                                   error));
        for (uint32_t i = 0; i < chosen.examples.count; i++)
            HS_TRY(hs_find_one(&found[HS_FOUND_CHOSEN_UNKNOWN], hs_names_get(&chosen.examples, i),
                               error));
        found[HS_FOUND_CHOSEN_UNKNOWN].count = chosen.unknown;
        found[HS_FOUND_NOT_CHOSEN].count = chosen.left_out;
    }
    for (uint32_t o = 0; o < objects->count; o++) {
        uint32_t r = hs_names_find(&a->labels->ids, HS_NAME(objects, o));
        found[HS_FOUND_OBJECTS].count++;
        if (r == HSEL_NONE)
            HS_TRY(hs_find_one(&found[HS_FOUND_OBJECTS_UNKNOWN], hs_names_get(objects, o), error));
        else
            a->annotated[r] = true;
        row_of[o] = r != HSEL_NONE && labels->class_of[r] != HS_CONFLICTING ? r : HSEL_NONE;
    }

    found[HS_FOUND_OTHER_TAXON].count = annotations->other_taxon;
    for (size_t i = 0; i < annotations->count; i++) {
        const hs_annotation *entry = &annotations->entries[i];
        uint32_t id = entry->term, term = term_of[id], code = entry->evidence;
        bool negated = entry->negated && options->negated != HS_NOT_IGNORE;
        found[HS_FOUND_ANNOTATIONS].count++;
        found[HS_FOUND_ECO].count += code != HSEL_NONE && eco[code];
        if (code == HSEL_NONE ? options->evidence.count > 0 : !evidence[code]) {
            const char *name =
                code == HSEL_NONE ? "none" : hs_names_get(&annotations->evidence, code);
            HS_TRY(tally_kind(&found[HS_FOUND_EVIDENCE], name, error));
            continue;
        }
        if (a->last && !entry->date) {
            found[HS_FOUND_UNDATED].count++;
            continue;
        }
        if (a->last && entry->date > a->last) {
            char year[16];
            hs_print(year, sizeof year, "%u", entry->date / 10000);
            HS_TRY(tally_kind(&found[HS_FOUND_LATER], year, error));
            continue;
        }
        if (negated) {
            found[HS_FOUND_NEGATED].count++;
        } else if (fate[id] == HS_FOUND_UNKNOWN && options->unknown == HS_UNKNOWN_ERROR) {
            return hs_fail_at(error, HSEL_EFORMAT, source, annotations->first_line[id],
                              "term %s is not in the hierarchy", hs_names_get(ids, id));
        } else if (fate[id] != HS_FOUND_USED && told[id]) {
            found[fate[id]].count++;
        } else if (fate[id] != HS_FOUND_USED) { /* each term is an example once */
            HS_OWNS(hs_buf_clear) hs_buf text = {0};
            hs_buf_text(&text, hs_names_get(ids, id));
            if (term != HSEL_NONE)
                hs_buf_printf(&text, " -> %s", hs_names_get(&a->graph->terms, term));
            HS_NEED(!text.failed);
            HS_TRY(hs_find_one(&found[fate[id]], text.text, error));
            found[fate[id]].distinct++;
            told[id] = true;
        }
        if (term == HSEL_NONE || (negated && options->negated == HS_NOT_DROP))
            continue;
        if (row_of[entry->object] == HSEL_NONE) {
            found[HS_FOUND_UNLABELLED].count += !negated;
            continue;
        }
        if (a->chosen && !a->chosen[row_of[entry->object]]) {
            found[HS_FOUND_OBJECT_LEFT].count += !negated;
            continue;
        }
        rows[negated][counts[negated]] = row_of[entry->object];
        terms[negated][counts[negated]++] = term;
    }
    for (int n = 0; n < 2; n++)
        HS_TRY(hs_sparse_group(a->labels->ids.count, rows[n], terms[n], counts[n], &a->terms_of[n],
                               error));
    return HSEL_OK;
}

/* ---- the terms of each object ---- */

/* Does the object count for support? With a class, of whatever kind, or if there are no classes at
 * all or the features are given. */
static bool is_labelled(const assembly *a, uint32_t row)
{
    const hs_labels *labels = a->labels;
    bool any = !labels->columns->classes.count || a->options->like;
    for (size_t k = 0; !any && k < labels->column_count; k++)
        any = hs_label_of(&labels->columns[k], row) != NULL;
    return any;
}

/* The terms of each object: those that are annotated, then what lies above them. */
static int close_rows(assembly *a, hsel_error *error)
{
    hs_finding *found = a->found;
    uint32_t rows = a->labels->ids.count, term;
    const hs_sparse *is = &a->terms_of[0], *is_not = &a->terms_of[1];
    HS_OWNS(hs_reach_clear) hs_reach up = {0}, probe = {0}, blocked = {0};
    hs_sparse *out = &a->rows;
    size_t capacity = 0;
    HS_TRY(hs_sparse_init(out, rows, 0, error));
    HS_TRY(hs_reach_init(&up, a->used, error));
    HS_TRY(hs_reach_init(&probe, a->used, error));
    HS_TRY(hs_reach_init(&blocked, a->used, error));
    HS_NEED(a->support = hs_arena_zero(&a->arena, a->used->nodes, sizeof *a->support));
    for (uint32_t r = 0; r < rows; r++) {
        bool counts = is_labelled(a, r);
        hs_reach_begin(&blocked);
        for (uint64_t i = is_not->start[r]; i < is_not->start[r + 1]; i++)
            hs_reach_meet(&blocked, is_not->index[i]);
        hs_reach_begin(&up);
        for (uint64_t i = is->start[r]; i < is->start[r + 1]; i++) {
            /* Is the term, or one above it, blocked? */
            bool met = false;
            hs_reach_begin(&probe);
            if (blocked.top)
                hs_reach_meet(&probe, is->index[i]);
            while (!met && (term = hs_reach_next(&probe)) != HSEL_NONE)
                met = hs_reach_met(&blocked, term);
            found[met                                ? HS_FOUND_BLOCKED
                  : hs_reach_meet(&up, is->index[i]) ? HS_FOUND_USED
                                                     : HS_FOUND_REPEATED]
                .count++;
        }
        size_t direct = up.top;
        uint64_t before = out->start[r], end = before;
        found[HS_FOUND_DIRECT].count += direct;
        while (up.top) {
            term = a->options->no_propagate ? up.stack[--up.top] : hs_reach_next(&up);
            HS_NEED(HS_GROW(&out->index, &capacity, end + 1));
            out->index[end++] = term;
            a->support[term] += counts;
        }
        found[HS_FOUND_PROPAGATED].count += end - before - direct;
        out->start[r + 1] = end;
    }
    return HSEL_OK;
}

int hs_annotated_terms(const hs_assemble_options *options, hs_graph *graph,
                       const hs_annotations *annotations, uint32_t last, hs_sparse *out,
                       hsel_error *error)
{
    HS_OWNS(hs_labels_clear) hs_labels all = {0};
    HS_OWNS(hs_assemble_report_clear) hs_assemble_report report = {0};
    HS_OWNS(assembly_clear)
    assembly a = {.options = options,
                  .last = last,
                  .graph = graph,
                  .annotations = annotations,
                  .labels = &all,
                  .found = report.found};
    HS_TRY(hs_labels_list(&annotations->objects, &all, error));
    HS_TRY(use_graph(&a, error));
    HS_TRY(sift_annotations(&a, error));
    HS_TRY(close_rows(&a, error));
    HS_MOVE(out, &a.rows);
    return HSEL_OK;
}

/* ---- the features ---- */

/* The features of other data, in their order: identifiers that have changed since are followed. */
static int take_features(assembly *a, const hsel_dataset *like, hsel_error *error)
{
    const hs_names *names = &a->graph->terms;
    HS_TRY(hs_names_copy(&like->feature_names, &a->names, error));
    a->feature_of = HS_ARENA_NEW(&a->arena, uint32_t, names->count);
    a->also = HS_ARENA_NEW(&a->arena, uint32_t, like->features);
    HS_NEED(a->feature_of && a->also);
    memset(a->feature_of, 0xff, names->count * sizeof *a->feature_of);
    for (uint32_t f = 0; f < like->features; f++) {
        uint32_t term;
        const char *name = hs_names_get(&a->names, f);
        if (like->types[f] != HSEL_BINARY)
            return hs_fail(
                error, HSEL_EUNSUPPORTED,
                "feature %.200s of %s is not binary, but annotations give only binary features",
                name, hsel_dataset_name(like));
        resolve_term(a, HS_NAME(&a->names, f), &term);
        if (term == HSEL_NONE) {
            HS_TRY(hs_find_one(&a->found[HS_FOUND_LIKE_ABSENT], name, error));
            continue;
        }
        if (a->support[term] == 0)
            HS_TRY(hs_find_one(&a->found[HS_FOUND_LIKE_EMPTY], name, error));
        a->also[f] = a->feature_of[term];
        a->feature_of[term] = f;
    }
    for (uint32_t t = 0; t < names->count; t++) {
        a->found[HS_FOUND_CANDIDATES].count += a->support[t] > 0;
        if (a->support[t] && a->feature_of[t] == HSEL_NONE)
            HS_TRY(hs_find_one(&a->found[HS_FOUND_LIKE_UNKNOWN], hs_names_get(names, t), error));
    }
    return like->dag ? hs_dag_copy(like->dag, &a->dag, error) : HSEL_OK;
}

/* Numbers the features, and makes the hierarchy over them from the part that is used. */
static int bind_features(assembly *a, const uint32_t *terms, uint32_t count, hsel_error *error)
{
    memset(a->feature_of, 0xff, a->used->nodes * sizeof *a->feature_of);
    for (uint32_t f = 0; f < count; f++)
        a->feature_of[terms[f]] = f;
    return hs_dag_contract(a->used, a->feature_of, count, &a->dag, error);
}

static int choose_features(assembly *a, hsel_error *error)
{
    const hs_names *names = &a->graph->terms;
    HS_OWNED uint32_t *chosen = HS_NEW(uint32_t, names->count); /* terms */
    HS_NEED(chosen && (a->feature_of = HS_ARENA_NEW(&a->arena, uint32_t, names->count)));
    uint32_t count = 0;
    for (uint32_t t = 0; t < names->count; t++) {
        if (!a->support[t])
            continue;
        a->found[HS_FOUND_CANDIDATES].count++;
        if (a->support[t] < a->options->min_support)
            HS_TRY(hs_find_one(&a->found[HS_FOUND_RARE], hs_names_get(names, t), error));
        else
            chosen[count++] = t;
    }
    hs_names_sort(names, chosen, count);
    if (a->options->drop_roots) { /* those that have children but no parent */
        HS_TRY(bind_features(a, chosen, count, error));
        HS_OWNS(hs_dag_release) hsel_dag *whole = hs_take(&a->dag);
        uint32_t kept = 0;
        for (uint32_t f = 0; f < count; f++)
            if (!hs_is_root(whole, f) || hs_is_leaf(whole, f))
                chosen[kept++] = chosen[f];
            else
                HS_TRY(
                    hs_find_one(&a->found[HS_FOUND_ROOTS], hs_names_get(names, chosen[f]), error));
        count = kept;
    }
    for (uint32_t f = 0; f < count; f++)
        HS_TRY(hs_names_append(&a->names, HS_NAME(names, chosen[f]), error));
    return bind_features(a, chosen, count, error);
}

/* ---- the data set ---- */

int hs_about_classes(const hs_labels *labels, const uint32_t *rows, uint32_t count, hs_about *out,
                     hsel_error *error)
{
    const size_t end = labels->column_count;
    HS_OWNS(hs_about_clear) hs_about further = {0};
    for (size_t k = 1; k < end; k++) {
        HS_OWNS(hs_buf_clear) hs_buf column = {0};
        hs_buf_printf(&column, "%s%s", HS_CLASS_COLUMN, labels->columns[k].name);
        HS_NEED(!column.failed);
        HS_TRY(hs_names_append_text(&further.columns, column.text, error));
    }
    for (uint32_t i = 0; i < count; i++)
        for (size_t k = 1; k < end; k++)
            HS_TRY(hs_names_append_text(&further.cells, hs_label_of(&labels->columns[k], rows[i]),
                                        error));
    return end > 1 ? hs_about_join(out, &further, count, error) : HSEL_OK;
}

/* The rows: the objects that have a feature left, or all. rows[] gets their numbers. */
static int assemble_rows(assembly *a, hs_builder *builder, uint32_t *rows, uint32_t *instances,
                         hsel_error *error)
{
    const hs_labels *labels = a->labels;
    const hs_names *classes = &labels->columns->classes;
    const hsel_dataset *like = a->options->like;
    hs_finding *found = a->found;
    for (uint32_t row = 0; row < labels->ids.count; row++) {
        const char *id = hs_names_get(&labels->ids, row);
        uint32_t code = labels->columns->class_of[row];
        uint64_t first = a->rows.start[row], end = a->rows.start[row + 1];
        found[code != HSEL_NONE ? HS_FOUND_LABELS : HS_FOUND_LABELS_EMPTY].count++;
        if (a->chosen && !a->chosen[row])
            continue;
        if (code == HS_CONFLICTING) {
            HS_TRY(hs_find_one(&found[HS_FOUND_LABELS_CONFLICT], id, error));
            continue;
        }
        while (first < end && a->feature_of[a->rows.index[first]] == HSEL_NONE)
            first++;
        if (first == end) { /* no feature is left */
            bool annotated = a->annotated[row];
            HS_TRY(hs_find_one(&found[annotated ? HS_FOUND_NOTHING_LEFT : HS_FOUND_NO_ANNOTATION],
                               id, error));
            if (a->options->empty == HS_EMPTY_DROP)
                continue;
        }
        if (code != HSEL_NONE && like) {
            code = hs_names_find(&like->class_names, HS_NAME(classes, code));
            if (code == HSEL_NONE)
                HS_TRY(hs_find_one(&found[HS_FOUND_LIKE_CLASS], id, error));
        } else if (code != HSEL_NONE) {
            HS_TRY(hs_builder_class(builder, HS_NAME(classes, code), &code, error));
        }
        HS_TRY(hs_builder_row(builder, HS_NAME(&labels->ids, row), code, error));
        rows[(*instances)++] = row;
        for (uint64_t i = first; i < end; i++)
            for (uint32_t f = a->feature_of[a->rows.index[i]]; f != HSEL_NONE;
                 f = a->also ? a->also[f] : HSEL_NONE)
                HS_TRY(hs_builder_positive(builder, f, error));
    }
    return HSEL_OK;
}

/* Reports a data set without instances or features as an error in the input. */
static int refuse_empty(const assembly *a, uint32_t instances, hsel_error *error)
{
    const hs_finding *found = a->found;
    const hs_annotations *annotations = a->annotations;
    const unsigned long long missing = found[HS_FOUND_NO_ANNOTATION].count,
                             labelled = found[HS_FOUND_LABELS].count,
                             candidates = found[HS_FOUND_CANDIDATES].count;
    if (!annotations->count)
        return hs_fail_at(
            error, HSEL_EFORMAT, annotations->source ? annotations->source : "annotations", 0,
            found[HS_FOUND_OTHER_TAXON].count ? "no annotations of the chosen species in it"
                                              : "no annotations in it");
    if (!a->names.count && missing > (candidates ? labelled / 2 : labelled - 1))
        return hs_fail(error, HSEL_EFORMAT,
                       found[HS_FOUND_OTHER_CASE].count > missing / 2
                           ? "%llu of %llu labelled objects are not annotated, such as %.100s; the "
                             "annotations have names such as %.100s: {ignore-case} finds most of "
                             "them"
                           : "%llu of %llu labelled objects are not annotated, such as %.100s; the "
                             "annotations have names such as %.100s: are they of the same species "
                             "and kind? {mapping=FILE} knows other names",
                       missing, labelled, hs_names_get(&found[HS_FOUND_NO_ANNOTATION].examples, 0),
                       hs_names_get(&annotations->objects, 0));
    if (!candidates) { /* the reason that took most of the annotations */
        int most = HS_FOUND_EVIDENCE;
        for (int kind = HS_FOUND_EVIDENCE; kind < HS_FOUND_USED; kind++)
            if (found[kind].count > found[most].count)
                most = kind;
        return hs_fail(
            error, HSEL_EFORMAT,
            "no annotation remains, so there are no features; most (%llu of %llu) were %s",
            (unsigned long long)found[most].count,
            (unsigned long long)found[HS_FOUND_ANNOTATIONS].count, hs_found_table[most].text);
    }
    if (!a->names.count)
        return hs_fail(error, HSEL_EFORMAT, "no term is positive in %u instances or more",
                       a->options->min_support);
    return instances ? HSEL_OK
                     : hs_fail(error, HSEL_EFORMAT, "no labelled object has a feature left");
}

int hs_assemble(const hs_assemble_options *options, hs_graph *graph,
                const hs_annotations *annotations, hs_labels *labels, hs_assemble_report *report,
                hsel_dataset **out, hsel_error *error)
{
    hs_finding *found = report->found;
    const hsel_dataset *like = options->like;
    HS_OWNS(assembly_clear)
    assembly a = {.options = options,
                  .graph = graph,
                  .annotations = annotations,
                  .labels = labels,
                  .found = found};
    HS_OWNS(hs_builder_release) hs_builder *builder = NULL;
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
    HS_OWNED uint32_t *rows = HS_NEW(uint32_t, labels->ids.count);
    uint32_t instances = 0;
    HS_NEED(rows);
    HS_TRY(hs_day_of("until", options->until, &a.last, error));
    if (options->since)
        HS_TRY(hs_day_of("since", options->since, &a.last, error));
    HS_TRY(use_graph(&a, error));
    HS_TRY(sift_annotations(&a, error));
    HS_TRY(close_rows(&a, error));
    HS_TRY(like ? take_features(&a, like, error) : choose_features(&a, error));
    found[HS_FOUND_LABELS_REPEATED].count = labels->repeated;
    found[HS_FOUND_LABELS].count = found[HS_FOUND_AMBIGUOUS].count;
    HS_TRY(hs_builder_new(&builder, error));
    HS_TRY(
        hs_builder_declare(builder, &a.names, like ? &like->class_names : &(hs_names){0}, error));
    HS_TRY(assemble_rows(&a, builder, rows, &instances, error));
    HS_TRY(refuse_empty(&a, instances, error));
    const char *class_column = like ? like->class_attribute : labels->columns->name;
    const char *id_column = like && like->id_attribute ? like->id_attribute : labels->id_column;
    if (!like)
        hs_builder_sort_classes(builder);
    if (!class_column && hs_builder_data(builder)->class_names.count)
        class_column = "class";
    HS_TRY(hs_builder_describe(builder, options->name, class_column, id_column ? id_column : "id",
                               error));
    if (options->positive)
        HS_TRY(hs_builder_positive_class(builder, options->positive, error));
    HS_TRY(hs_builder_finish(builder, &data, error));
    if (a.dag)
        HS_TRY(hs_dataset_attach(data, a.dag, error));
    a.dag = NULL;
    if (like) {
        data->positive_class = like->positive_class;
        HS_TRY(hs_about_copy(&like->about, &data->about, error));
    }
    if (like && like->dag && !options->no_propagate) { /* the hierarchy may have changed since */
        hsel_dataset *full = NULL;
        HS_TRY(hs_dataset_propagate(data, &full, &found[HS_FOUND_LIKE_ADDED].count, error));
        hs_dataset_replace(&data, full);
    }
    HS_TRY(hs_dataset_name_terms(data, graph, error));
    HS_TRY(hs_about_objects(annotations, labels, rows, instances, &data->instance_about, error));
    HS_TRY(hs_about_classes(labels, rows, instances, &data->instance_about, error));
    found[HS_FOUND_INSTANCES].count = data->instances;
    found[HS_FOUND_FEATURES].count = data->features;
    found[HS_FOUND_FEATURE_EDGES].count = data->dag ? data->dag->edges : 0;
    found[HS_FOUND_CLASSES].count = data->class_names.count;
    found[HS_FOUND_POSITIVES].count = data->rows.start[data->instances];
    *out = hs_take(&data);
    return HSEL_OK;
}

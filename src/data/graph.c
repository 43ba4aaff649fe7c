/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collects the edges of a hierarchy file, removes duplicates, finds cycles, shows, merges or drops
 * them, and binds what remains to the features of a data set. Terms are numbered by first
 * appearance and edges keep the order of the file, so all that follows is deterministic. Every
 * search keeps its own stack: a chain of a million terms is no deeper than memory.
 */
#define _GNU_SOURCE /* memmem */
#include "data/data.h"

#include <ctype.h>

void hs_graph_clear(hs_graph *graph)
{
    HS_CLEAR_NAMES(&graph->terms, &graph->relations, &graph->titles, &graph->namespaces,
                   &graph->alternates, &graph->spellings);
    HS_FREE(graph->source, graph->version, graph->date, graph->child, graph->parent,
            graph->relation, graph->namespace_of, graph->flags, graph->alternate_of,
            graph->replaced_by, graph->spelling_of, graph->merged_into);
    *graph = (hs_graph){0};
}

int hs_graph_edge(hs_graph *graph, uint32_t child, uint32_t parent, hsel_error *error)
{
    if (graph->edges >= HS_EDGES_LIMIT)
        return hs_fail_at(error, HSEL_ELIMIT, graph->source, 0, "more than %u edges",
                          HS_EDGES_LIMIT);
    size_t need = graph->edges + 1, capacity = graph->edge_capacity;
    HS_NEED(HS_GROW(&graph->child, &capacity, need) &&
            HS_GROW(&graph->parent, &graph->edge_capacity, need));
    graph->child[graph->edges] = child;
    graph->parent[graph->edges++] = parent;
    return HSEL_OK;
}

int hs_graph_named_edge(hs_graph *graph, const char *child, size_t child_length, const char *parent,
                        size_t parent_length, hsel_error *error)
{
    uint32_t from, to;
    HS_TRY(hs_names_intern(&graph->terms, child, child_length, &from, NULL, error));
    HS_TRY(hs_names_intern(&graph->terms, parent, parent_length, &to, NULL, error));
    return hs_graph_edge(graph, from, to, error);
}

/* Removes the edges whose child has been set to HSEL_NONE. */
static void drop_marked(hs_graph *graph)
{
    size_t kept = 0;
    for (size_t e = 0; e < graph->edges; e++)
        if (graph->child[e] != HSEL_NONE) {
            if (graph->relation)
                graph->relation[kept] = graph->relation[e];
            graph->child[kept] = graph->child[e];
            graph->parent[kept++] = graph->parent[e];
        }
    graph->edges = kept;
}

int hs_graph_clean(hs_graph *graph, hsel_error *error)
{
    HS_OWNS(hs_sparse_clear) hs_sparse edges_of = {0};
    uint32_t terms = graph->terms.count;
    for (size_t e = 0; e < graph->edges; e++)
        if (graph->child[e] >= terms || graph->parent[e] >= terms)
            return hs_fail_at(error, HSEL_EFORMAT, graph->source, 0,
                              "edge %zu names a term that does not exist", e + 1);
    HS_TRY(hs_sparse_group(terms, graph->child, NULL, graph->edges, &edges_of, error));
    HS_OWNED uint32_t *seen = hs_new_none(terms); /* the last child that had the parent */
    HS_NEED(seen);
    for (uint32_t t = 0; t < terms; t++)
        for (uint64_t i = edges_of.start[t]; i < edges_of.start[t + 1]; i++) {
            uint32_t e = edges_of.index[i], parent = graph->parent[e];
            bool loop = parent == t, twice = !loop && seen[parent] == t;
            graph->self_loops += loop;
            graph->duplicate_edges += twice;
            seen[parent] = t;
            if (loop || twice)
                graph->child[e] = HSEL_NONE;
        }
    drop_marked(graph);
    return HSEL_OK;
}

int hs_graph_find_ends(const hs_graph *graph, hs_graph_ends *out, hsel_error *error)
{
    enum { HAS_PARENT = 1, HAS_CHILD = 2 };
    HS_OWNED uint8_t *has = HS_NEW_ZERO(uint8_t, graph->terms.count);
    *out = (hs_graph_ends){0};
    HS_NEED(has);
    for (size_t e = 0; e < graph->edges; e++) {
        has[graph->child[e]] |= HAS_PARENT;
        has[graph->parent[e]] |= HAS_CHILD;
    }
    for (uint32_t t = 0; t < graph->terms.count; t++) {
        out->roots += has[t] == HAS_CHILD;
        out->leaves += has[t] == HAS_PARENT;
    }
    return HSEL_OK;
}

/* ---- cycles ----
 * One search upwards, depth first, finds the edges that lead back onto its path, which close every
 * cycle there is, and the order in which terms are finished. If there are such edges, the strongly
 * connected components are what searches downwards reach in the reverse of that order (Kosaraju).
 */

typedef struct cycles {
    hs_sparse edges_of; /* the edges from each term to its parents */
    uint32_t *finished; /* terms, in the order in which the search left them */
    bool *back;         /* of each edge */
    bool any;
    uint32_t *of;    /* term -> component, by a term of it */
    uint32_t *size;  /* of the component of each such term */
    uint32_t cyclic; /* components of two terms or more … */
    uint32_t terms;  /* … and how many terms they have */
} cycles;

static void cycles_clear(cycles *found)
{
    hs_sparse_clear(&found->edges_of);
    HS_FREE(found->finished, found->back, found->of, found->size);
}

static int search_upwards(const hs_graph *graph, cycles *found, hsel_error *error)
{
    enum { UNSEEN, ON_PATH, DONE };
    const uint32_t terms = graph->terms.count;
    uint32_t finished = 0;
    HS_TRY(hs_sparse_group(terms, graph->child, NULL, graph->edges, &found->edges_of, error));
    HS_OWNED uint64_t *next = hs_copy(found->edges_of.start, terms, sizeof *next);
    HS_OWNED uint32_t *path = HS_NEW(uint32_t, terms);
    HS_OWNED uint8_t *state = HS_NEW_ZERO(uint8_t, terms);
    found->finished = HS_NEW(uint32_t, terms);
    found->back = HS_NEW_ZERO(bool, graph->edges);
    HS_NEED(next && path && state && found->finished && found->back);
    for (uint32_t root = 0; root < terms; root++) {
        uint32_t depth = 0;
        if (state[root] == UNSEEN)
            state[path[depth++] = root] = ON_PATH;
        while (depth > 0) {
            const uint32_t term = path[depth - 1];
            if (next[term] == found->edges_of.start[term + 1]) {
                state[term] = DONE;
                found->finished[finished++] = term;
                depth--;
                continue;
            }
            const uint32_t e = found->edges_of.index[next[term]++], parent = graph->parent[e];
            found->any |= found->back[e] = state[parent] == ON_PATH;
            if (state[parent] == UNSEEN)
                state[path[depth++] = parent] = ON_PATH;
        }
    }
    return HSEL_OK;
}

static int find_components(const hs_graph *graph, cycles *found, hsel_error *error)
{
    const uint32_t terms = graph->terms.count;
    HS_OWNS(hs_sparse_clear) hs_sparse down = {0};
    HS_OWNED uint32_t *met = HS_NEW(uint32_t, terms);
    found->of = hs_new_none(terms);
    found->size = HS_NEW_ZERO(uint32_t, terms);
    HS_NEED(met && found->of && found->size);
    HS_TRY(hs_sparse_group(terms, graph->parent, graph->child, graph->edges, &down, error));
    for (uint32_t k = terms; k-- > 0;) {
        const uint32_t first = found->finished[k];
        uint32_t count = 0;
        if (found->of[first] == HSEL_NONE)
            found->of[met[count++] = first] = first;
        for (uint32_t at = 0; at < count; at++)
            for (uint64_t i = down.start[met[at]]; i < down.start[met[at] + 1]; i++)
                if (found->of[down.index[i]] == HSEL_NONE)
                    found->of[met[count++] = down.index[i]] = first;
        found->size[first] += count;
        found->cyclic += count > 1;
        found->terms += count > 1 ? count : 0;
    }
    return HSEL_OK;
}

#define SHOWN_NAMES 8u  /* a longer cycle is cut in the middle */
#define SHOWN_BYTES 60u /* and so is a longer name at its end: the advice after it must fit */

static void show_name(hs_buf *buf, const hs_names *terms, uint32_t term)
{
    const char *name = hs_names_get(terms, term);
    size_t length = hs_names_length(terms, term);
    bool cut = length > SHOWN_BYTES;
    length = cut ? SHOWN_BYTES : length;
    while (cut && length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80)
        length--; /* not inside a UTF-8 character */
    hs_buf_add(buf, name, length);
    hs_buf_text(buf, cut ? "..." : "");
}

/* Shows a shortest cycle through the first term that is on one, found breadth first. */
static int report_cycle(const hs_graph *graph, const cycles *found, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf buf = {0};
    const hs_sparse *edges = &found->edges_of;
    uint32_t terms = graph->terms.count, first = 0, head = 0, tail = 0, length = 1;
    HS_OWNED uint32_t *before = hs_new_none(terms);
    HS_OWNED uint32_t *queue = HS_NEW(uint32_t, (size_t)terms + 1);
    HS_NEED(before && queue);
    while (found->size[found->of[first]] == 1)
        first++;
    queue[tail++] = first;
    for (; before[first] == HSEL_NONE; head++)
        for (uint64_t i = edges->start[queue[head]]; i < edges->start[queue[head] + 1]; i++) {
            const uint32_t parent = graph->parent[edges->index[i]];
            if (before[parent] == HSEL_NONE) {
                before[parent] = queue[head];
                queue[tail++] = parent;
            }
        }
    for (uint32_t term = before[first]; term != first; term = before[term])
        length++;
    uint32_t *cycle = queue;
    for (uint32_t term = before[first], i = length; i > 0; term = before[term])
        cycle[--i] = term;
    for (uint32_t i = 0; i < length; i++) {
        if (length > SHOWN_NAMES && i == SHOWN_NAMES / 2) {
            uint32_t left_out = length - (SHOWN_NAMES - 1);
            hs_buf_printf(&buf, "(%u more) -> ", left_out);
            i += left_out;
        }
        show_name(&buf, &graph->terms, cycle[i]);
        hs_buf_text(&buf, " -> ");
    }
    show_name(&buf, &graph->terms, cycle[0]);
    HS_NEED(!buf.failed);
    return hs_because(HSEL_CYCLE, error,
                      hs_fail_at(error, HSEL_EFORMAT, graph->source, 0,
                                 graph->source
                                     ? "the hierarchy has a cycle: %s (%u terms are in cycles); "
                                       "use {cycles=merge} or {cycles=drop}"
                                     : "the hierarchy has a cycle: %s (%u terms are in cycles)",
                                 buf.text, found->terms));
}

static int merge_cycles(hs_graph *graph, const cycles *found, hsel_error *error)
{
    uint32_t terms = graph->terms.count;
    uint64_t loops = graph->self_loops, duplicates = graph->duplicate_edges;
    HS_OWNED uint32_t *first_of = hs_new_none(terms);
    HS_OWNED uint32_t *into = HS_NEW(uint32_t, terms);
    HS_NEED(first_of && into);
    for (uint32_t t = 0; t < terms; t++) {
        uint32_t *first = &first_of[found->of[t]];
        if (*first == HSEL_NONE)
            *first = t;
        into[t] = *first;
    }
    for (size_t e = 0; e < graph->edges; e++) {
        graph->child[e] = into[graph->child[e]];
        graph->parent[e] = into[graph->parent[e]];
    }
    hs_free(graph->merged_into);
    graph->merged_into = hs_take(&into);
    graph->terms_merged += found->terms - found->cyclic;
    int status = hs_graph_clean(graph, error);
    graph->self_loops = loops; /* merged edges are not in the file */
    graph->duplicate_edges = duplicates;
    return status;
}

int hs_graph_break_cycles(hs_graph *graph, hs_cycles policy, hsel_error *error)
{
    HS_OWNS(cycles_clear) cycles found = {0};
    HS_TRY(search_upwards(graph, &found, error));
    graph->cycles_found = 0;
    if (!found.any)
        return HSEL_OK;
    HS_TRY(find_components(graph, &found, error));
    graph->cycles_found = found.cyclic;
    if (policy == HS_CYCLES_MERGE)
        return merge_cycles(graph, &found, error);
    if (policy != HS_CYCLES_DROP)
        return report_cycle(graph, &found, error);
    for (size_t e = 0; e < graph->edges; e++)
        if (found.back[e]) {
            graph->child[e] = HSEL_NONE;
            graph->cycle_edges_dropped++;
        }
    drop_marked(graph);
    return HSEL_OK;
}

/* ---- spellings of identifiers ---- */

#define ID_LIMIT 64 /* longer names are not identifiers */

static bool is_id_text(const char *text, size_t length)
{
    bool digit = false;
    for (size_t i = 0; i < length; i++) {
        if (!isalnum((unsigned char)text[i]) && !strchr(".-", text[i]))
            return false;
        digit |= isdigit((unsigned char)text[i]) != 0;
    }
    return digit;
}

/* The identifier in its usual spelling, "PREFIX:NUMBER"; its length, 0: it is not one. *local is
 * what an address ends in if the prefix is the part before it, else NULL. */
static size_t usual_spelling(const char *name, size_t length, char out[ID_LIMIT],
                             const char **local)
{
    const char *end = name + length, *start = end, *prefix, *mark = NULL;
    bool address = length > 8 && memmem(name, length, "://", 3) != NULL;
    *local = NULL;
    while (address && start > name && start[-1] != '/' && start[-1] != '#')
        start--;
    prefix = start = address ? start : name;
    for (const char *c = start; c < end && !mark; c++)
        mark = *c == '_' || (*c == ':' && !address) ? c : NULL;
    if (address && !mark) { /* …/PREFIX/NUMBER */
        *local = start;
        for (mark = prefix = start - 1; prefix > name && isalnum((unsigned char)prefix[-1]);)
            prefix--;
    }
    size_t before = mark ? (size_t)(mark - prefix) : 0, after = mark ? (size_t)(end - mark) - 1 : 0;
    if (!before || !after || before + after + 1 > ID_LIMIT || !isalpha((unsigned char)*prefix) ||
        !is_id_text(mark + 1, after))
        return 0;
    for (size_t i = 0; i < before; i++) {
        if (!isalnum((unsigned char)prefix[i]))
            return 0;
        out[i] = (char)toupper((unsigned char)prefix[i]);
    }
    out[before] = ':';
    memcpy(out + before + 1, mark + 1, after);
    return before + 1 + after;
}

static int add_spelling(hs_graph *graph, const char *text, size_t length, uint32_t term,
                        size_t *capacity, hsel_error *error)
{
    uint32_t id;
    bool added = false;
    HS_NEED(HS_GROW(&graph->spelling_of, capacity, (size_t)graph->spellings.count + 1));
    HS_TRY(hs_names_intern(&graph->spellings, text, length, &id, &added, error));
    graph->spelling_of[id] = added || graph->spelling_of[id] == term ? term : HSEL_NONE;
    return HSEL_OK;
}

int hs_graph_spell(hs_graph *graph, hsel_error *error)
{
    char text[ID_LIMIT];
    const char *local;
    size_t capacity = 0;
    for (uint32_t t = 0; t < graph->terms.count; t++) {
        size_t length = usual_spelling(HS_NAME(&graph->terms, t), text, &local);
        if (length)
            HS_TRY(add_spelling(graph, text, length, t, &capacity, error));
        if (length && local)
            HS_TRY(add_spelling(graph, local, strlen(local), t, &capacity, error));
    }
    return hs_names_index(&graph->spellings, error);
}

/* The term that is found in another spelling, HSEL_NONE if none or several are. */
static uint32_t find_spelled(const hs_graph *graph, const char *name, size_t length)
{
    char text[ID_LIMIT];
    const char *local;
    uint32_t found = HSEL_NONE;
    if (!graph->spellings.count)
        return HSEL_NONE;
    size_t usual = usual_spelling(name, length, text, &local);
    if (usual)
        found = hs_names_find(&graph->spellings, text, usual);
    if (found == HSEL_NONE && local)
        found = hs_names_find(&graph->spellings, local, strlen(local));
    if (found == HSEL_NONE)
        found = hs_names_find(&graph->spellings, name, length);
    return found == HSEL_NONE ? HSEL_NONE : graph->spelling_of[found];
}

/* ---- features and terms ---- */

uint32_t hs_graph_find(const hs_graph *graph, const char *name, size_t length)
{
    uint32_t term = hs_names_find(&graph->terms, name, length);
    uint32_t other =
        term == HSEL_NONE ? hs_names_find(&graph->alternates, name, length) : HSEL_NONE;
    return term != HSEL_NONE    ? term
           : other != HSEL_NONE ? graph->alternate_of[other]
                                : find_spelled(graph, name, length);
}

int hs_graph_terms_of(const hs_graph *graph, const hs_names *features, uint32_t *term_of,
                      hsel_error *error)
{
    const hs_names *terms = &graph->terms;
    if (features->count > 0 && !features->slots)
        return hs_fail(error, HSEL_EUSAGE, "the names of the features have no index");
    HS_OWNED bool *named = HS_NEW_ZERO(bool, terms->count); /* by a feature */
    HS_NEED(named);
    memset(term_of, 0xff, features->count * sizeof *term_of); /* HSEL_NONE */
    for (int other = 0; other < 2; other++) { /* their own names, then alternate ones */
        const hs_names *names = other ? &graph->alternates : terms;
        for (uint32_t i = 0; i < names->count; i++) {
            uint32_t t = other ? graph->alternate_of[i] : i;
            uint32_t f = hs_names_find(features, HS_NAME(names, i));
            if (f == HSEL_NONE || term_of[f] != HSEL_NONE || t >= terms->count || named[t] ||
                (!other && hs_is_obsolete(graph, t)))
                continue;
            term_of[f] = t;
            named[t] = true;
        }
    }
    for (uint32_t f = 0; f < features->count && graph->spellings.count; f++) {
        uint32_t t =
            term_of[f] != HSEL_NONE ? HSEL_NONE : find_spelled(graph, HS_NAME(features, f));
        if (t == HSEL_NONE || named[t] || hs_is_obsolete(graph, t))
            continue;
        term_of[f] = t;
        named[t] = true;
    }
    return HSEL_OK;
}

static uint32_t merged(const hs_graph *graph, uint32_t term)
{
    return graph->merged_into ? graph->merged_into[term] : term;
}

/* term -> the first feature that is this term, after merging; HSEL_NONE: none. */
static void first_features(const hs_graph *graph, const uint32_t *term_of, uint32_t features,
                           uint32_t *feature_of)
{
    memset(feature_of, 0xff, graph->terms.count * sizeof *feature_of); /* HSEL_NONE */
    for (uint32_t f = features; f-- > 0;)
        if (term_of[f] != HSEL_NONE)
            feature_of[merged(graph, term_of[f])] = f;
}

int hs_graph_merge_map(const hs_graph *graph, const hs_names *features, uint32_t *into,
                       hsel_error *error)
{
    HS_OWNED uint32_t *feature_of = HS_NEW(uint32_t, graph->terms.count);
    HS_NEED(feature_of);
    HS_TRY(hs_graph_terms_of(graph, features, into, error));
    first_features(graph, into, features->count, feature_of);
    for (uint32_t f = 0; f < features->count; f++)
        into[f] = into[f] == HSEL_NONE ? f : feature_of[merged(graph, into[f])];
    return HSEL_OK;
}

int hs_dag_bind(const hs_graph *graph, const hs_names *features, hs_bind_report *report,
                hsel_dag **out, hsel_error *error)
{
    *out = NULL;
    hs_bind_report found = {.features = features->count, .first_missing = HSEL_NONE};
    HS_OWNS(hs_dag_release) hsel_dag *whole = NULL;
    uint32_t terms = graph->terms.count;
    HS_OWNED uint32_t *term_of = HS_NEW(uint32_t, features->count);
    HS_OWNED uint32_t *feature_of = HS_NEW(uint32_t, terms);
    HS_NEED(term_of && feature_of);
    HS_TRY(hs_graph_terms_of(graph, features, term_of, error));
    HS_TRY(hs_dag_new(terms, graph->child, graph->parent, graph->edges, &whole, error));
    if (graph->relation)
        HS_TRY(hs_dag_relate(whole, graph->child, graph->parent, graph->relation, graph->edges,
                             &graph->relations, error));
    first_features(graph, term_of, features->count, feature_of);
    for (uint32_t t = 0; t < terms; t++)
        found.terms_not_features +=
            merged(graph, t) == t && !hs_is_obsolete(graph, t) && feature_of[t] == HSEL_NONE;
    for (uint32_t f = features->count; f-- > 0;)
        if (term_of[f] == HSEL_NONE) {
            found.features_not_terms++;
            found.first_missing = f;
        }
    HS_TRY(hs_dag_contract(whole, feature_of, features->count, out, error));
    if (report)
        *report = found;
    return HSEL_OK;
}

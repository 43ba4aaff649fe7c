/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The OBO format: recognising it, and writing a hierarchy as one stanza a feature with its id,
 * and with name, namespace and relations where the graph it was made from is at hand. Reading is in
 * obo_read.c.
 */
#include <string.h>

#include "core/mem.h"
#include "data/adjacency.h"
#include "format/hierarchy.h"

static bool starts_with(const char *text, size_t length, const char *start)
{
    return length >= strlen(start) && memcmp(text, start, strlen(start)) == 0;
}

static int sniff(const char *head, size_t length)
{
    const char *first = hs_first_content(head, length, '!');
    if (!first)
        return 0;
    if (starts_with(first, (size_t)(head + length - first), "format-version:"))
        return 98;
    for (const char *line = first; line;
         line = memchr(line, '\n', (size_t)(head + length - line))) {
        line += *line == '\n';
        size_t left = (size_t)(head + length - line);
        if (starts_with(line, left, "[Term]") || starts_with(line, left, "[Typedef]"))
            return 95;
    }
    return 0;
}

/* Escapes what would end a value or start an escape; in an identifier also blanks. */
static int put_escaped(const char *text, size_t length, bool is_id, hs_writer *writer,
                       hsel_error *error)
{
    if (memchr(text, '\r', length))
        return hs_fail(
            error, HSEL_EUNSUPPORTED,
            "the name '%.200s' has a carriage return in it, which OBO cannot hold; write "
            "rdf instead",
            text);
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        bool blank = c == ' ' && !is_id && i > 0 && i + 1 < length;
        if (!blank && memchr(" \t\n\\!{", c, 6)) {
            hs_writer_char(writer, '\\');
            c = (char)(c == ' ' ? 'W' : c == '\t' ? 't' : c == '\n' ? 'n' : c);
        }
        hs_writer_char(writer, c);
    }
    return HSEL_OK;
}

static int put_tag(const char *tag, const hsel_dataset *data, uint32_t v, hs_writer *writer,
                   hsel_error *error)
{
    size_t length = 0;
    const char *name = hs_name_to_write(data, v, &length, error);
    hs_writer_text(writer, tag);
    int status = name ? put_escaped(name, length, true, writer, error) : HSEL_EUNSUPPORTED;
    hs_writer_char(writer, '\n');
    return status;
}

/* What the graph that a hierarchy was made from says about its features. */
typedef struct knowledge {
    const hs_graph *graph; /* NULL: nothing is known */
    uint32_t *term_of;     /* term of each feature, HSEL_NONE: none */
    hs_adjacency edges_of; /* edges of each term upwards */
    bool *used;            /* of each relation: an edge is it */
    uint32_t only;         /* the relation of all edges; HSEL_NONE: there are several */
} knowledge;

static void knowledge_clear(knowledge *k)
{
    hs_free(k->term_of);
    hs_adjacency_clear(&k->edges_of);
    hs_free(k->used);
}

static int knowledge_init(knowledge *k, const hsel_dataset *data, hsel_error *error)
{
    const hs_graph *graph = k->graph;
    k->term_of = HS_NEW(uint32_t, data->features);
    k->used = HS_NEW_ZERO(bool, graph->relations.count);
    if (!k->term_of || !k->used)
        return hs_fail_memory(error);
    for (size_t e = 0; graph->relation && e < graph->edges; e++) {
        k->only = e == 0 || k->only == graph->relation[e] ? graph->relation[e] : HSEL_NONE;
        k->used[graph->relation[e]] = true;
    }
    int status = hs_graph_terms_of(graph, &data->feature_names, k->term_of, error);
    if (status == HSEL_OK)
        status = hs_adjacency_group(graph->terms.count, graph->child, NULL, graph->edges,
                                    &k->edges_of, error);
    return status;
}

/* The relation between a feature and its parent. An edge that passes through terms that are not
 * features has one only if all edges are of one relation. */
static int find_relation(const knowledge *k, const hsel_dataset *data, uint32_t v, uint32_t parent,
                         const char **out, hsel_error *error)
{
    const hs_graph *graph = k->graph;
    uint32_t relation = k->only, child = HSEL_NONE;
    *out = "is_a";
    if (!graph || !graph->relation || !graph->edges)
        return HSEL_OK;
    if ((child = k->term_of[v]) != HSEL_NONE)
        for (uint32_t i = k->edges_of.start[child]; i < k->edges_of.start[child + 1]; i++)
            if (graph->parent[k->edges_of.item[i]] == k->term_of[parent]) {
                relation = graph->relation[k->edges_of.item[i]];
                break;
            }
    if (relation == HSEL_NONE)
        return hs_fail(error, HSEL_EUNSUPPORTED,
                       "the edge from %.200s to %.200s passes through terms that were left out, by "
                       "different relations, which OBO cannot say; write edges instead",
                       hs_names_get(&data->feature_names, v),
                       hs_names_get(&data->feature_names, parent));
    *out = hs_names_get(&graph->relations, relation);
    return HSEL_OK;
}

static int put_text(const char *tag, const hs_names *names, uint32_t i, hs_writer *writer,
                    hsel_error *error)
{
    if (i == HSEL_NONE || i >= names->count || !hs_names_length(names, i))
        return HSEL_OK;
    hs_writer_text(writer, tag);
    int status =
        put_escaped(hs_names_get(names, i), hs_names_length(names, i), false, writer, error);
    hs_writer_char(writer, '\n');
    return status;
}

static int put_term(const knowledge *k, const hsel_dataset *data, uint32_t v, hs_writer *writer,
                    hsel_error *error)
{
    const hs_graph *graph = k->graph;
    uint32_t term = graph ? k->term_of[v] : HSEL_NONE;
    size_t count = 0;
    const uint32_t *parents = hs_parents(data->dag, v, &count);
    hs_writer_text(writer, "\n[Term]\n");
    int status = put_tag("id: ", data, v, writer, error);
    if (status == HSEL_OK && term != HSEL_NONE)
        status = put_text("name: ", &graph->titles, term, writer, error);
    if (status == HSEL_OK && term != HSEL_NONE && graph->namespace_of)
        status =
            put_text("namespace: ", &graph->namespaces, graph->namespace_of[term], writer, error);
    for (size_t i = 0; i < count && status == HSEL_OK; i++) {
        const char *relation;
        if ((status = find_relation(k, data, v, parents[i], &relation, error)))
            return status;
        bool is_a = strcmp(relation, "is_a") == 0;
        if (!is_a) {
            hs_writer_text(writer, "relationship: ");
            status = put_escaped(relation, strlen(relation), true, writer, error);
        }
        if (status == HSEL_OK)
            status = put_tag(is_a ? "is_a: " : " ", data, parents[i], writer, error);
    }
    return status;
}

/* Relations other than is_a are declared. */
static int put_relations(const knowledge *k, hs_writer *writer, hsel_error *error)
{
    int status = HSEL_OK;
    for (uint32_t r = 0; k->graph && r < k->graph->relations.count && status == HSEL_OK; r++) {
        const hs_names *names = &k->graph->relations;
        if (!k->used[r] || strcmp(hs_names_get(names, r), "is_a") == 0)
            continue;
        hs_writer_text(writer, "\n[Typedef]\nid: ");
        status =
            put_escaped(hs_names_get(names, r), hs_names_length(names, r), true, writer, error);
        hs_writer_char(writer, '\n');
    }
    return status;
}

static int write_graph(const hsel_dataset *data, const hs_graph *known, hs_writer *writer,
                       hsel_error *error)
{
    knowledge k = {.graph = known, .only = HSEL_NONE};
    const hsel_dag *dag = hs_hierarchy_to_write(data, error);
    if (!dag)
        return HSEL_EUSAGE;
    int status = known ? knowledge_init(&k, data, error) : HSEL_OK;
    hs_writer_text(writer, "format-version: 1.2\n");
    for (uint32_t v = 0; v < dag->nodes && status == HSEL_OK; v++)
        status = put_term(&k, data, v, writer, error);
    if (status == HSEL_OK)
        status = put_relations(&k, writer, error);
    knowledge_clear(&k);
    return status;
}

static const hs_format format = {.endings = "obo",
                                 .sniff = sniff,
                                 .read_graph = hs_obo_read,
                                 .write_graph = write_graph,
                                 .writes_terms = true};

const hs_method hs_method_obo = {
    .kind = HS_FORMAT,
    .name = "obo",
    .title = "OBO ontology",
    .help =
        "An ontology in OBO 1.2 or 1.4, as the Gene Ontology is published. Terms are the "
        "[Term] stanzas; edges are is_a "
        "lines or the relations asked for (is_a, part_of, regulates ...), each from the term "
        "to the one it names. "
        "Namespaces can be chosen by name, those of the Gene Ontology also as BP, MF and CC; "
        "terms of others are left "
        "out with their edges. Obsolete terms are known as such, alt_id and replaced_by are "
        "followed where "
        "annotations are read. A relation to a term that the file does not declare is an "
        "error. Written are "
        "id, name, namespace, is_a and relationship, as far as they are known: a pack or an edge "
        "list does not hold names of terms and relations, so every edge is written as is_a.",
    .citation = "The OBO Flat File Format Specification, version 1.2 (2006) and version 1.4 (2012)",
    .format = &format};

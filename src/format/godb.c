/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The Gene Ontology as Bioconductor's package GO.db holds it: terms in go_term, child-parent pairs
 * with their relation in go_{bp,cc,mf}_parents, obsolete terms in go_obsolete, other identifiers in
 * go_synonym. The term "all" above the three roots belongs to Bioconductor, not to GO: it and the
 * edges to it are left out.
 */
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "format/bioconductor.h"
#include "format/format.h"
#include "format/hierarchy.h"
#include "format/namespace.h"

typedef struct go_reader {
    hs_sqlite source;
    const hs_graph_options *options;
    hs_graph *graph;
    size_t namespace_capacity, flag_capacity, alternate_capacity, relation_capacity;
    int64_t *id;    /* key of each row of go_term, ascending … */
    uint32_t *term; /* … and its term; HSEL_NONE: left out */
    size_t rows, id_capacity, term_capacity;
} go_reader;

static const char *full_namespace(const char *ontology, size_t length)
{
    if (hs_equal_nocase(ontology, length, "BP"))
        return "biological_process";
    if (hs_equal_nocase(ontology, length, "MF"))
        return "molecular_function";
    if (hs_equal_nocase(ontology, length, "CC"))
        return "cellular_component";
    return NULL;
}

/* Adds a term with what belongs to it; *id is HSEL_NONE when it is not wanted. Columns of the row:
 * `first` identifier, then title and ontology. */
static int add_term(go_reader *go, int first, uint8_t flags, uint32_t *id, hsel_error *error)
{
    hs_graph *graph = go->graph;
    const char *name, *title, *ontology;
    size_t name_length, title_length, ontology_length;
    bool added = false;
    uint32_t space;
    *id = HSEL_NONE;
    int status = hs_sqlite_text(&go->source, first, &name, &name_length, error);
    if (!status)
        status = hs_sqlite_text(&go->source, first + 1, &title, &title_length, error);
    if (!status)
        status = hs_sqlite_text(&go->source, first + 2, &ontology, &ontology_length, error);
    if (status)
        return status;
    const char *full = full_namespace(ontology, ontology_length);
    if (full)
        status = hs_names_intern(&graph->namespaces, full, strlen(full), &space, NULL, error);
    if (status || !full || !hs_namespace_wanted(&go->options->namespaces, full, strlen(full)))
        return status;
    if (!name_length)
        return hs_fail_at(error, HSEL_EFORMAT, go->source.name, 0, "a term has no go_id");
    size_t need = (size_t)graph->terms.count + 1;
    if (!HS_GROW(&graph->namespace_of, &go->namespace_capacity, need) ||
        !HS_GROW(&graph->flags, &go->flag_capacity, need))
        return hs_fail_memory(error);
    status = hs_names_intern(&graph->terms, name, name_length, id, &added, error);
    if (!status && !added)
        status = hs_fail_at(error, HSEL_EFORMAT, go->source.name, 0, "term %s stands twice", name);
    if (!status)
        status = hs_names_append(&graph->titles, title, title_length, error);
    if (status)
        return status;
    graph->namespace_of[*id] = space;
    graph->flags[*id] = flags;
    return HSEL_OK;
}

static int read_terms(go_reader *go, hsel_error *error)
{
    int status = hs_sqlite_need_table(&go->source, "go_term", "a GO.db database", error);
    if (!status)
        status = hs_sqlite_query(
            &go->source, "SELECT _id, go_id, term, ontology FROM go_term ORDER BY _id", error);
    int got = 0;
    while (!status && (got = hs_sqlite_step(&go->source, error)) > 0) {
        if (!HS_GROW(&go->id, &go->id_capacity, go->rows + 1) ||
            !HS_GROW(&go->term, &go->term_capacity, go->rows + 1))
            return hs_fail_memory(error);
        go->id[go->rows] = sqlite3_column_int64(go->source.query, 0);
        status = add_term(go, 1, 0, &go->term[go->rows], error);
        go->rows++;
    }
    return status ? status : got;
}

static int read_obsolete(go_reader *go, hsel_error *error)
{
    int got = hs_sqlite_has_table(&go->source, "go_obsolete", error);
    if (got <= 0)
        return got;
    int status = hs_sqlite_query(
        &go->source, "SELECT go_id, term, ontology FROM go_obsolete ORDER BY go_id", error);
    while (!status && (got = hs_sqlite_step(&go->source, error)) > 0) {
        uint32_t id;
        status = add_term(go, 0, HS_TERM_OBSOLETE, &id, error);
    }
    return status ? status : got;
}

static int compare_ids(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The term of the key in a column; an error if go_term has no such row. */
static int term_of(const go_reader *go, int column, const char *table, uint32_t *term,
                   hsel_error *error)
{
    int64_t id = sqlite3_column_int64(go->source.query, column);
    const int64_t *found =
        go->rows ? bsearch(&id, go->id, go->rows, sizeof *go->id, compare_ids) : NULL;
    if (!found)
        return hs_fail_at(error, HSEL_EFORMAT, go->source.name, 0,
                          "table %s names the term with _id %lld, which go_term does not have",
                          table, (long long)id);
    *term = go->term[found - go->id];
    return HSEL_OK;
}

/* "isa" and "part of" as OBO writes them: is_a, part_of. At most 63 bytes are kept. */
static void obo_relation(const char *text, size_t length, char out[64])
{
    if (hs_equal_nocase(text, length, "isa")) {
        text = "is_a";
        length = 4;
    }
    if (length > 63)
        length = 63;
    for (size_t i = 0; i < length; i++)
        out[i] = text[i] == ' ' ? '_' : text[i];
    out[length] = '\0';
}

static bool relation_wanted(const go_reader *go, const char *relation)
{
    const hs_list *wanted = &go->options->relations;
    char name[64];
    for (size_t i = 0; i < wanted->count; i++) {
        obo_relation(wanted->items[i], strlen(wanted->items[i]), name);
        if (hs_equal_nocase(relation, strlen(relation), name))
            return true;
    }
    return wanted->count == 0 && strcmp(relation, "is_a") == 0;
}

static int add_edge(go_reader *go, const char *table, hsel_error *error)
{
    const char *text;
    size_t length;
    char relation[64];
    uint32_t child, parent, id;
    int status = term_of(go, 0, table, &child, error);
    if (!status)
        status = term_of(go, 1, table, &parent, error);
    if (!status)
        status = hs_sqlite_text(&go->source, 2, &text, &length, error);
    if (status)
        return status;
    obo_relation(text, length, relation);
    status = hs_names_intern(&go->graph->relations, relation, strlen(relation), &id, NULL, error);
    if (status || child == HSEL_NONE || parent == HSEL_NONE || !relation_wanted(go, relation))
        return status;
    if (!HS_GROW(&go->graph->relation, &go->relation_capacity, go->graph->edges + 1))
        return hs_fail_memory(error);
    go->graph->relation[go->graph->edges] = id;
    return hs_graph_edge(go->graph, child, parent, error);
}

static int read_edges(go_reader *go, const char *table, const char *sql, hsel_error *error)
{
    int got = 0, status = hs_sqlite_need_table(&go->source, table, "a GO.db database", error);
    if (!status)
        status = hs_sqlite_query(&go->source, sql, error);
    while (!status && (got = hs_sqlite_step(&go->source, error)) > 0)
        status = add_edge(go, table, error);
    return status ? status : got;
}

static int read_all_edges(go_reader *go, hsel_error *error)
{
    static const char *const tables[][2] = {
        {"go_bp_parents", "SELECT _id, _parent_id, relationship_type FROM go_bp_parents"},
        {"go_cc_parents", "SELECT _id, _parent_id, relationship_type FROM go_cc_parents"},
        {"go_mf_parents", "SELECT _id, _parent_id, relationship_type FROM go_mf_parents"}};
    int status = HSEL_OK;
    for (size_t i = 0; !status && i < 3; i++)
        status = read_edges(go, tables[i][0], tables[i][1], error);
    return status;
}

/* A relation that does not occur at all is a misspelling. */
static int check_relations(const go_reader *go, hsel_error *error)
{
    const hs_list *wanted = &go->options->relations;
    for (size_t i = 0; i < wanted->count; i++) {
        char name[64];
        bool found = false;
        hs_buf known = {0};
        obo_relation(wanted->items[i], strlen(wanted->items[i]), name);
        for (uint32_t r = 0; r < go->graph->relations.count; r++) {
            const char *relation = hs_names_get(&go->graph->relations, r);
            found = found || hs_equal_nocase(relation, strlen(relation), name);
            hs_buf_printf(&known, "%s%s", r ? ", " : "", relation);
        }
        int status = HSEL_OK;
        if (!found)
            status = hs_fail_at(error, HSEL_EUSAGE, go->source.name, 0,
                                "there is no relation %s; there is %s", name,
                                known.length ? known.text : "none");
        hs_buf_clear(&known);
        if (status)
            return status;
    }
    return HSEL_OK;
}

static int add_alternate(go_reader *go, hsel_error *error)
{
    hs_graph *graph = go->graph;
    const char *name;
    size_t length;
    uint32_t term, id;
    bool added = false;
    int status = term_of(go, 0, "go_synonym", &term, error);
    if (!status)
        status = hs_sqlite_text(&go->source, 1, &name, &length, error);
    if (status || term == HSEL_NONE || !length)
        return status;
    if (!HS_GROW(&graph->alternate_of, &go->alternate_capacity,
                 (size_t)graph->alternates.count + 1))
        return hs_fail_memory(error);
    status = hs_names_intern(&graph->alternates, name, length, &id, &added, error);
    if (!status && added)
        graph->alternate_of[id] = term;
    return status;
}

static int read_alternates(go_reader *go, hsel_error *error)
{
    int got = hs_sqlite_has_table(&go->source, "go_synonym", error);
    if (got <= 0)
        return got;
    int status = hs_sqlite_query(&go->source,
                                 "SELECT _id, coalesce(secondary, synonym) FROM go_synonym "
                                 "WHERE like_go_id = 1",
                                 error);
    while (!status && (got = hs_sqlite_step(&go->source, error)) > 0)
        status = add_alternate(go, error);
    return status ? status : got;
}

static int read_godb(hs_reader *reader, const hs_graph_options *options, hs_graph *out,
                     hsel_error *error)
{
    static const hs_graph_options usual = {0};
    go_reader go = {.options = options ? options : &usual, .graph = out};
    int status = hs_sqlite_open(reader, &go.source, error);
    if (!status)
        status = read_terms(&go, error);
    if (!status)
        status = hs_check_namespaces(&go.options->namespaces, reader, &out->namespaces, error);
    if (!status)
        status = read_all_edges(&go, error);
    if (!status)
        status = check_relations(&go, error);
    if (!status)
        status = read_obsolete(&go, error);
    if (!status)
        status = read_alternates(&go, error);
    hs_sqlite_close(&go.source);
    hs_free(go.id);
    hs_free(go.term);
    return status;
}

static const hs_format format = {.endings = "sqlite db sqlite3",
                                 .sniff = hs_sqlite_sniff,
                                 .read_graph = read_godb,
                                 .needs_path = true};

const hs_method hs_method_godb = {
    .kind = HS_FORMAT,
    .name = "go.db",
    .title = "Bioconductor GO.db database",
    .help = "The Gene Ontology from the SQLite file inside Bioconductor's package GO.db (Debian: "
            "r-bioc-go.db); R is not needed. Relations are named as in OBO: is_a, part_of, "
            "regulates, positively_regulates, negatively_regulates.",
    .citation = "Carlson M, GO.db, Bioconductor; schema GO_DB 2.1",
    .format = &format};

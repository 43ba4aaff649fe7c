/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The SQLite databases inside Bioconductor's annotation packages.
 *
 * GO.db, the Gene Ontology: terms in go_term, child-parent pairs with their relation in
 * go_{bp,cc,mf}_parents, obsolete terms in go_obsolete, other identifiers in go_synonym. The term
 * "all" above the three roots belongs to Bioconductor, not to GO: it and the edges to it are left
 * out.
 *
 * org.*.eg.db, annotations of one organism: go_bp, go_cc and go_mf have one row per gene, term and
 * evidence code, and refer to genes (Entrez identifier) and gene_info (symbol). The tables
 * go_*_all, which are propagated already, are not used. NOT annotations are not in these databases.
 *
 * Files are opened read-only and immutable, so that they may be in a read-only place and no journal
 * appears beside them. A damaged file gives one plain line, whatever part of it is damaged.
 */
#include <pthread.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "core/library.h"
#include "format/hierarchy.h"

/* The functions of SQLite in use, without their prefix sqlite3_. A static library is linked. */
/* clang-format off */
#define SQLITE_FUNCTIONS(X)                                                                        \
    X(bind_text) X(close) X(column_bytes) X(column_int64) X(column_name) X(column_text)            \
    X(column_type) X(db_config) X(errmsg) X(exec) X(finalize) X(open_v2) X(prepare_v2) X(step)
/* clang-format on */

static struct {
#define X(name) __typeof__(sqlite3_##name) *name;
    SQLITE_FUNCTIONS(X)
#undef X
} sqlite;
static bool has_sqlite;

static void load_sqlite(void)
{
#ifdef HS_SQLITE_LIBRARY
#define X(name) "sqlite3_" #name,
    static const char *const names[] = {SQLITE_FUNCTIONS(X) NULL};
    has_sqlite = hs_library_load(HS_SQLITE_LIBRARY, names, &sqlite);
#else
#define HS_SQLITE_LIBRARY ""
#define X(name)           sqlite.name = sqlite3_##name;
    SQLITE_FUNCTIONS(X)
    has_sqlite = true;
#endif
#undef X
}

/* ---- a database and its current query ---- */

typedef struct database { /* zero-initialise; database_close frees */
    sqlite3 *db;
    sqlite3_stmt *query;
    const char *name;   /* of the file, for messages */
    const char *kind;   /* "a GO.db database" */
    uint64_t rows_left; /* a row takes some bytes of the file: more rows than that are a forgery */
} database;

#define FAIL(...) hs_fail_at(error, HSEL_EFORMAT, source->name, 0, __VA_ARGS__)

static int fail_sqlite(const database *source, int code, hsel_error *error)
{
    code &= 0xff;
    if (code == SQLITE_NOMEM)
        return hs_fail_memory(error);
    if (code == SQLITE_NOTADB)
        return FAIL("not an SQLite database (a compressed one must be unpacked first)");
    if (code == SQLITE_CANTOPEN || code == SQLITE_PERM || code == SQLITE_IOERR)
        return hs_fail_at(error, HSEL_EIO, source->name, 0, "cannot read: %s",
                          sqlite.errmsg(source->db));
    return FAIL("the database is damaged: %s", sqlite.errmsg(source->db));
}

static int database_open(const hs_reader *reader, database *out, hsel_error *error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const char *path = hs_reader_path(reader);
    struct stat info;
    HS_OWNS(hs_buf_clear) hs_buf uri = {0};
    out->name = hs_reader_name(reader);
    if (!path)
        return hs_fail_at(error, HSEL_EUNSUPPORTED, out->name, 0,
                          "an SQLite database can only be read from a file, not from a stream");
    pthread_once(&once, load_sqlite);
    if (!has_sqlite)
        return hs_fail_at(error, HSEL_EUNSUPPORTED, out->name, 0,
                          "reading SQLite databases needs the library %s (Debian: libsqlite3-0)",
                          HS_SQLITE_LIBRARY);
    if (stat(path, &info) != 0)
        return hs_fail_errno(error, path, "open");
    out->rows_left = (uint64_t)info.st_size;
    /* "file:" URI of the path: what has a meaning in one is written as %xx. */
    hs_buf_text(&uri, path[0] == '/' ? "file://" : "file:");
    for (; *path; path++)
        if (*path == '%' || *path == '?' || *path == '#')
            hs_buf_printf(&uri, "%%%02x", (unsigned)(unsigned char)*path);
        else
            hs_buf_char(&uri, *path);
    hs_buf_text(&uri, "?mode=ro&immutable=1");
    HS_NEED(!uri.failed);
    int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
    int code = sqlite.open_v2(uri.text, &out->db, flags, NULL);
    if (code == SQLITE_OK)
        code = sqlite.db_config(out->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    if (code == SQLITE_OK)
        code = sqlite.exec(out->db, "PRAGMA cell_size_check=ON", NULL, NULL, NULL);
    return code == SQLITE_OK ? HSEL_OK : fail_sqlite(out, code, error);
}

static void database_close(database *source)
{
    if (!source->db) /* SQLite may not be there */
        return;
    sqlite.finalize(source->query);
    sqlite.close(source->db);
}

/* 1: a row, 0: the end, negative: error. */
static int next_row(database *source, hsel_error *error)
{
    int code = sqlite.step(source->query);
    if (code == SQLITE_DONE)
        return 0;
    if (code != SQLITE_ROW)
        return fail_sqlite(source, code, error);
    return source->rows_left-- ? 1
                               : FAIL("the database is damaged: more rows than the file can hold");
}

/* Ends the query before and starts one on a table, if there is such a table. (Views do not count:
 * their SQL would be run.) 1: there is; 0: not, which is an error unless it is `optional`. */
static int start_query(database *source, const char *table, bool optional, const char *sql,
                       hsel_error *error)
{
    static const char is_there[] = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1";
    int has = 0, code;
    for (int step = 0; step < 2; step++) {
        sqlite.finalize(source->query);
        source->query = NULL;
        code = sqlite.prepare_v2(source->db, step ? sql : is_there, -1, &source->query, NULL);
        if (code == SQLITE_OK && !step)
            code = sqlite.bind_text(source->query, 1, table, -1, SQLITE_STATIC);
        if (code != SQLITE_OK)
            return fail_sqlite(source, code, error);
        if (!step && (has = next_row(source, error)) <= 0)
            return has < 0 || optional ? has
                                       : FAIL("not %s: it has no table %s", source->kind, table);
    }
    return 1;
}

typedef struct cell {
    const char *text;
    size_t length;
} cell;

/* Text of columns of the row, borrowed until the next step. NULL in the database gives "". Text
 * with control characters is refused: it cannot be a name. */
static int take_cells(const database *source, int first, int count, cell *out, hsel_error *error)
{
    for (int column = first; column < first + count; column++, out++) {
        const unsigned char *value = sqlite.column_text(source->query, column);
        HS_NEED(value || sqlite.column_type(source->query, column) == SQLITE_NULL);
        *out = value
                   ? (cell){(const char *)value, (size_t)sqlite.column_bytes(source->query, column)}
                   : (cell){"", 0};
        for (size_t i = 0; i < out->length; i++)
            if (value[i] < ' ' || value[i] == 0x7f)
                return FAIL("the database is damaged: column %s has a control character",
                            sqlite.column_name(source->query, column));
    }
    return HSEL_OK;
}

/* Which tables it has is seen when it is opened. */
static int sqlite_sniff(const char *head)
{
    return strncmp(head, "SQLite format 3", 15) == 0 ? 90 : 0;
}

/* ---- GO.db ---- */

typedef struct go_reader {
    database *source;
    const hs_graph_options *options;
    hs_graph *graph;
    size_t namespace_capacity, flag_capacity, alternate_capacity, relation_capacity;
} go_reader;

/* Adds a term, if it is wanted. Columns of the row: identifier, title and ontology. */
static int godb_term(go_reader *go, uint8_t flags, hsel_error *error)
{
    database *source = go->source;
    hs_graph *graph = go->graph;
    cell cells[3], *name = &cells[0], *title = &cells[1], *ontology = &cells[2];
    bool added = false;
    uint32_t space, id;
    HS_TRY(take_cells(source, 0, 3, cells, error));
    const char *full = hs_go_namespace(HS_SPAN(*ontology));
    if (!full)
        return HSEL_OK;
    HS_TRY(hs_names_intern(&graph->namespaces, full, strlen(full), &space, NULL, error));
    if (!hs_namespace_wanted(&go->options->namespaces, &graph->namespaces, space))
        return HSEL_OK;
    if (!name->length)
        return FAIL("a term has no go_id");
    size_t need = (size_t)graph->terms.count + 1;
    HS_NEED(HS_GROW(&graph->namespace_of, &go->namespace_capacity, need) &&
            HS_GROW(&graph->flags, &go->flag_capacity, need));
    HS_TRY(hs_names_intern(&graph->terms, HS_SPAN(*name), &id, &added, error));
    if (!added)
        return FAIL("term %s occurs twice", name->text);
    graph->namespace_of[id] = space;
    graph->flags[id] = flags;
    return hs_names_append(&graph->titles, HS_SPAN(*title), error);
}

/* The term that a row names by its key in go_term and its go_id, in two columns from `column` on;
 * HSEL_NONE: it is left out. An error if go_term has no such key. */
static int term_of(const go_reader *go, int column, const char *table, uint32_t *term,
                   hsel_error *error)
{
    const database *source = go->source;
    cell name;
    HS_TRY(take_cells(source, column + 1, 1, &name, error));
    if (sqlite.column_type(source->query, column + 1) == SQLITE_NULL)
        return FAIL("table %s names the term with _id %lld, which go_term does not have", table,
                    (long long)sqlite.column_int64(source->query, column));
    *term = hs_names_find(&go->graph->terms, HS_SPAN(name));
    return HSEL_OK;
}

/* "isa" and "part of" as OBO writes them: is_a, part_of. At most 63 bytes are kept. */
static const char *obo_relation(const char *text, size_t length, char out[64])
{
    if (hs_equal_nocase(text, length, "isa"))
        return "is_a";
    length = length < 63 ? length : 63;
    for (size_t i = 0; i < length; i++)
        out[i] = text[i] == ' ' ? '_' : text[i];
    out[length] = '\0';
    return out;
}

/* Does a user's word mean this relation? */
static bool is_asked(const char *asked, const char *relation)
{
    char made[64];
    return hs_equal_nocase(relation, strlen(relation), obo_relation(asked, strlen(asked), made));
}

static int godb_edges(go_reader *go, const char *table, hsel_error *error)
{
    hs_graph *graph = go->graph;
    const hs_list *wanted = &go->options->relations;
    char sql[256], made[64];
    uint32_t child, parent, id;
    cell name;
    int got = 0;
    hs_print(
        sql, sizeof sql,
        "SELECT e._id, c.go_id, e._parent_id, p.go_id, e.relationship_type FROM %s e LEFT JOIN "
        "go_term c ON c._id = e._id LEFT JOIN go_term p ON p._id = e._parent_id",
        table);
    got = start_query(go->source, table, false, sql, error);
    while (got > 0 && (got = next_row(go->source, error)) > 0) {
        HS_TRY(term_of(go, 0, table, &child, error));
        HS_TRY(term_of(go, 2, table, &parent, error));
        HS_TRY(take_cells(go->source, 4, 1, &name, error));
        const char *relation = obo_relation(HS_SPAN(name), made);
        HS_TRY(hs_names_intern(&graph->relations, relation, strlen(relation), &id, NULL, error));
        bool is_wanted = !wanted->count && strcmp(relation, "is_a") == 0;
        for (size_t i = 0; i < wanted->count && !is_wanted; i++)
            is_wanted = is_asked(wanted->items[i], relation);
        if (child == HSEL_NONE || parent == HSEL_NONE || !is_wanted)
            continue;
        HS_NEED(HS_GROW(&graph->relation, &go->relation_capacity, graph->edges + 1));
        graph->relation[graph->edges] = id;
        HS_TRY(hs_graph_edge(graph, child, parent, error));
    }
    return got;
}

static int read_godb(hs_reader *reader, const hs_graph_options *options, hs_graph *out,
                     hsel_error *error)
{
    static const hs_graph_options usual = {0};
    HS_OWNS(database_close) database file = {.kind = "a GO.db database"};
    database *source = &file;
    go_reader go = {.source = source, .options = options ? options : &usual, .graph = out};
    uint32_t term, id;
    cell name;
    int got = 0;
    HS_TRY(database_open(reader, source, error));
    got = start_query(source, "go_term", false,
                      "SELECT go_id, term, ontology FROM go_term ORDER BY _id", error);
    while (got > 0 && (got = next_row(source, error)) > 0)
        HS_TRY(godb_term(&go, 0, error));
    HS_TRY(got);
    HS_TRY(hs_check_namespaces(&go.options->namespaces, source->name, &out->namespaces, error));
    HS_TRY(godb_edges(&go, "go_bp_parents", error));
    HS_TRY(godb_edges(&go, "go_cc_parents", error));
    HS_TRY(godb_edges(&go, "go_mf_parents", error));
    for (size_t i = 0; i < go.options->relations.count; i++) { /* one that no edge has */
        const char *asked = go.options->relations.items[i];
        uint32_t r = 0;
        while (r < out->relations.count && !is_asked(asked, hs_names_get(&out->relations, r)))
            r++;
        if (r == out->relations.count)
            return hs_fail_choice(error, source->name, "relation", asked, &out->relations);
    }

    got = start_query(source, "metadata", true,
                      "SELECT name, value FROM metadata WHERE name IN ('GOSOURCEDATE', "
                      "'GOSOURCEURL')",
                      error);
    while (got > 0 && (got = next_row(source, error)) > 0) {
        cell pair[2];
        HS_TRY(take_cells(source, 0, 2, pair, error));
        char **to = strcmp(pair[0].text, "GOSOURCEDATE") == 0 ? &out->date : &out->version;
        hs_free(*to);
        HS_NEED(*to = hs_strndup(HS_SPAN(pair[1])));
    }
    HS_TRY(got);
    got = start_query(source, "go_obsolete", true,
                      "SELECT go_id, term, ontology FROM go_obsolete ORDER BY go_id", error);
    while (got > 0 && (got = next_row(source, error)) > 0)
        HS_TRY(godb_term(&go, HS_TERM_OBSOLETE, error));
    HS_TRY(got);
    got = start_query(source, "go_synonym", true,
                      "SELECT s._id, t.go_id, coalesce(s.secondary, s.synonym) FROM go_synonym s "
                      "LEFT JOIN go_term t "
                      "ON t._id = s._id WHERE s.like_go_id = 1",
                      error);
    while (got > 0 && (got = next_row(source, error)) > 0) {
        bool added = false;
        HS_TRY(term_of(&go, 0, "go_synonym", &term, error));
        HS_TRY(take_cells(source, 2, 1, &name, error));
        if (term == HSEL_NONE || !name.length)
            continue;
        HS_NEED(
            HS_GROW(&out->alternate_of, &go.alternate_capacity, (size_t)out->alternates.count + 1));
        HS_TRY(hs_names_intern(&out->alternates, HS_SPAN(name), &id, &added, error));
        if (added)
            out->alternate_of[id] = term;
    }
    return got;
}

const hs_method hs_method_godb = {
    .kind = HS_FORMAT,
    .name = "go.db",
    .title = "Bioconductor GO.db database",
    .help = "The Gene Ontology from the SQLite file inside Bioconductor's package GO.db (Debian: "
            "r-bioc-go.db); R is not needed. Relations are named as in OBO: is_a, part_of, "
            "regulates, positively_regulates, negatively_regulates.",
    .citation = "Carlson M, GO.db, Bioconductor; schema GO_DB 2.1",
    .format = &(const hs_format){.endings = "sqlite db sqlite3",
                                 .sniff = sqlite_sniff,
                                 .read_graph = read_godb,
                                 .needs_path = true,
                                 .has_relations = true,
                                 .has_namespaces = true}};

/* ---- org.*.eg.db ---- */

static int read_orgdb(hs_reader *reader, const hs_annotation_options *options, hs_annotations *out,
                      hsel_error *error)
{
    static const char *const tables[] = {"go_bp", "go_cc", "go_mf"};
    bool symbols = options && options->object_key == HS_OBJECT_SYMBOL, wanted = true;
    const char *genes = symbols ? "gene_info" : "genes", *key = symbols ? "symbol" : "gene_id";
    HS_OWNS(database_close) database file = {.kind = "an org.*.eg.db database"};
    database *source = &file;
    cell row[3]; /* gene, term, evidence */
    int got;
    HS_TRY(database_open(reader, source, error));
    got = start_query(source, genes, false, "SELECT 1", error);
    /* The database holds one species; an option for others leaves nothing of it. */
    if (got > 0 && options && options->taxon.count) {
        got = start_query(source, "metadata", false,
                          "SELECT value FROM metadata WHERE name = 'TAXID'", error);
        if (got > 0 && (got = next_row(source, error)) > 0) {
            HS_TRY(take_cells(source, 0, 1, row, error));
            wanted = hs_annotation_taxon_wanted(options, HS_SPAN(row[0]));
        }
    }
    if (got < 0)
        return got;
    for (size_t t = 0; t < 3; t++) {
        char sql[160];
        /* LEFT JOIN: a gene that is missing shows, and the order is that of the annotation table.
         */
        hs_print(sql, sizeof sql,
                 "SELECT g.%s, a.go_id, a.evidence FROM %s a LEFT JOIN %s g ON g._id = a._id", key,
                 tables[t], genes);
        got = start_query(source, tables[t], false, sql, error);
        while (got > 0 && (got = next_row(source, error)) > 0) {
            if (!wanted) {
                out->other_taxon++;
                continue;
            }
            HS_TRY(take_cells(source, 0, 3, row, error));
            if (!row[0].length)
                return FAIL("table %s has an annotation of a gene that is not in the gene table",
                            tables[t]);
            if (!row[1].length)
                return FAIL("table %s has an annotation without go_id", tables[t]);
            HS_TRY(hs_annotations_add(out, HS_SPAN(row[0]), HS_SPAN(row[1]), HS_SPAN(row[2]), false,
                                      0, error));
        }
        HS_TRY(got);
    }
    got = start_query(source, "gene_info", true,
                      symbols ? "SELECT symbol, gene_name, symbol FROM gene_info"
                              : "SELECT i.symbol, i.gene_name, g.gene_id FROM gene_info i LEFT "
                                "JOIN genes g ON g._id = i._id",
                      error);
    while (got > 0 && (got = next_row(source, error)) > 0) {
        HS_TRY(take_cells(source, 0, 3, row, error));
        if (hs_names_find(&out->objects, HS_SPAN(row[2])) != HSEL_NONE)
            HS_TRY(hs_mapping_record(&out->mapping, symbols ? "" : row[2].text, row[0].text,
                                     row[1].text, "", NULL, error));
    }
    return got;
}

/* The names of all genes: symbol and full name, and what the tables alias, ensembl and uniprot say.
 */
static int map_orgdb(hs_reader *reader, const hs_annotation_options *options, hs_mapping *out,
                     hsel_error *error)
{
    static const struct {
        const char *table, *column;
        hs_alias_kind kind;
    } more[] = {{"gene_info", "gene_name", HS_ALIAS_TITLE},
                {"gene_info", "symbol", HS_ALIAS_SYMBOL},
                {"alias", "alias_symbol", HS_ALIAS_SYNONYM},
                {"ensembl", "ensembl_id", HS_ALIAS_ENSEMBL},
                {"uniprot", "uniprot_id", HS_ALIAS_UNIPROT}};
    HS_OWNS(database_close) database file = {.kind = "an org.*.eg.db database"};
    HS_OWNS(hs_names_clear) hs_names genes = {0};
    database *source = &file;
    uint32_t first = out->records, gene;
    cell row[2];
    int got;
    (void)options;
    HS_TRY(database_open(reader, source, error));
    got = start_query(source, "genes", false, "SELECT 1", error);
    if (got < 0)
        return got;
    for (size_t t = 0; t < sizeof more / sizeof *more; t++) {
        char sql[160];
        hs_print(sql, sizeof sql,
                 "SELECT g.gene_id, a.%s FROM %s a LEFT JOIN genes g ON g._id = a._id",
                 more[t].column, more[t].table);
        got = start_query(source, more[t].table, true, sql, error);
        while (got > 0 && (got = next_row(source, error)) > 0) {
            bool added;
            HS_TRY(take_cells(source, 0, 2, row, error));
            if (!row[0].length)
                return FAIL("table %s has a name of a gene that is not in the gene table",
                            more[t].table);
            HS_TRY(hs_names_intern(&genes, HS_SPAN(row[0]), &gene, &added, error));
            if (added)
                HS_TRY(hs_mapping_add(out, out->records++, HS_ALIAS_ID, HS_SPAN(row[0]), error));
            HS_TRY(hs_mapping_add(out, first + gene, more[t].kind, HS_SPAN(row[1]), error));
        }
        HS_TRY(got);
    }
    return HSEL_OK;
}

const hs_method hs_method_orgdb = {
    .kind = HS_FORMAT,
    .name = "org.db",
    .title = "Bioconductor org.*.eg.db database",
    .help = "GO annotations of one organism, with evidence codes, from the SQLite file inside a "
            "Bioconductor package such as org.Hs.eg.db (Debian: r-bioc-org.hs.eg.db); R is not "
            "needed. Genes are named by their Entrez identifier or their symbol.",
    .citation = "Carlson M, org.Hs.eg.db, Bioconductor; schema HUMAN_DB 2.1",
    .format = &(const hs_format){.endings = "sqlite db sqlite3",
                                 .sniff = sqlite_sniff,
                                 .read_annotations = read_orgdb,
                                 .read_mapping = map_orgdb,
                                 .has_species = true,
                                 .has_symbols = true,
                                 .needs_path = true}};

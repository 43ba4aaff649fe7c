/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bioconductor databases: small ones with the tables of GO.db and org.*.eg.db are made here, read,
 * and broken in various ways.
 */
#include "support/cmocka.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "format/format.h"
#include "support/folder.h"
#include "support/oom.h"

extern const hs_method hs_method_godb, hs_method_orgdb;

static const char go_tables[] =
    "CREATE TABLE go_term (_id INTEGER PRIMARY KEY, go_id CHAR(10) NOT NULL UNIQUE, term TEXT, "
    "ontology TEXT, definition TEXT);"
    "CREATE TABLE go_obsolete (go_id CHAR(10) PRIMARY KEY, term TEXT, ontology TEXT, definition "
    "TEXT);"
    "CREATE TABLE go_synonym (_id INTEGER NOT NULL, synonym TEXT, secondary CHAR(10), like_go_id "
    "SMALLINT);"
    "CREATE TABLE go_bp_parents (_id INTEGER, _parent_id INTEGER, relationship_type TEXT);"
    "CREATE TABLE go_mf_parents (_id INTEGER, _parent_id INTEGER, relationship_type TEXT);"
    "CREATE TABLE go_cc_parents (_id INTEGER, _parent_id INTEGER, relationship_type TEXT);";

static const char go_rows[] =
    "INSERT INTO go_term VALUES (2,'GO:1','root p','BP',NULL), (3,'GO:2','p two','BP',NULL),"
    " (5,'GO:3','p three','BP',NULL), (9,'GO:4','root f','MF',NULL), (10,'GO:5','f','MF','x'),"
    " (11,'GO:6','root c','CC',NULL), (40,'all','all','universal',NULL);"
    "INSERT INTO go_bp_parents VALUES (2,40,'isa'), (3,2,'isa'), (5,3,'part of'), (5,2,'isa'),"
    " (5,3,'negatively regulates');"
    "INSERT INTO go_mf_parents VALUES (9,40,'isa'), (10,9,'isa'), (10,3,'part of');"
    "INSERT INTO go_cc_parents VALUES (11,40,'isa');"
    "INSERT INTO go_obsolete VALUES ('GO:9','old f','MF',NULL), ('GO:8','old p','BP',NULL);"
    "INSERT INTO go_synonym VALUES (3,'two',NULL,0), (3,'GO:22','GO:22',1), (10,'GO:55',NULL,1),"
    " (5,'GO:22','GO:22',1);";

static const char org_tables[] =
    "CREATE TABLE genes (_id INTEGER PRIMARY KEY, gene_id VARCHAR(10) NOT NULL UNIQUE);"
    "CREATE TABLE gene_info (_id INTEGER NOT NULL UNIQUE, gene_name TEXT, symbol VARCHAR(80));"
    "CREATE TABLE metadata (name VARCHAR(80) PRIMARY KEY, value VARCHAR(255));"
    "CREATE TABLE go_bp (_id INTEGER, go_id CHAR(10), evidence CHAR(3));"
    "CREATE TABLE go_mf (_id INTEGER, go_id CHAR(10), evidence CHAR(3));"
    "CREATE TABLE go_cc (_id INTEGER, go_id CHAR(10), evidence CHAR(3));";

static const char org_rows[] =
    "INSERT INTO metadata VALUES ('TAXID','9606');"
    "INSERT INTO genes VALUES (1,'10'), (2,'17');"
    "INSERT INTO gene_info VALUES (1,'n','AAA'), (2,'m','BBB');"
    "INSERT INTO go_bp VALUES (2,'GO:2','IDA'), (1,'GO:3','IEA'), (2,'GO:2','TAS');"
    "INSERT INTO go_mf VALUES (1,'GO:5','IPI'); INSERT INTO go_cc VALUES (1,'GO:6','ND');";

static hs_folder folder;

static int open_folder(void **state)
{
    (void)state;
    hs_folder_new(&folder);
    return 0;
}

static int close_folder(void **state)
{
    (void)state;
    hs_folder_free(&folder);
    return 0;
}

static void run_sql(sqlite3 *db, const char *sql)
{
    char *message = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s", message);
}

/* A fresh database of this name in the folder. */
static const char *make_database(const char *name, const char *tables, const char *rows)
{
    const char *path = hs_folder_file(&folder, name);
    sqlite3 *db = NULL;
    (void)remove(path);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    run_sql(db, tables);
    run_sql(db, rows);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    return path;
}

static int read_graph(const char *path, const hs_graph_options *options, hs_graph *out,
                      hsel_error *error)
{
    hs_reader *reader = NULL;
    int status = hs_reader_open(path, &reader, error);
    if (!status)
        status = hs_method_godb.format->read_graph(reader, options, out, error);
    hs_reader_close(reader);
    return status;
}

static int read_annotations(const char *path, const hs_annotation_options *options,
                            hs_annotations *out, hsel_error *error)
{
    hs_reader *reader = NULL;
    int status = hs_reader_open(path, &reader, error);
    if (!status)
        status = hs_method_orgdb.format->read_annotations(reader, options, out, error);
    hs_reader_close(reader);
    return status;
}

/* Edges as "child>parent " in order. */
static void expect_edges(const hs_graph *graph, const char *expected)
{
    hs_buf text = {0};
    hs_buf_text(&text, "");
    for (size_t e = 0; e < graph->edges; e++)
        hs_buf_printf(&text, "%s>%s ", hs_names_get(&graph->terms, graph->child[e]),
                      hs_names_get(&graph->terms, graph->parent[e]));
    assert_string_equal(text.text ? text.text : "", expected);
    hs_buf_clear(&text);
}

/* "record:kind text" of each name. */
static void expect_names(const hs_mapping *names, const char *expected)
{
    hs_buf text = {0};
    for (size_t i = 0; i < names->count; i++)
        hs_buf_printf(&text, "%u:%d %s ", names->record[i], names->kind[i],
                      hs_names_get(&names->texts, names->text[i]));
    assert_string_equal(text.text, expected);
    hs_buf_clear(&text);
}

static void go_is_read(void **state)
{
    (void)state;
    hs_graph graph = {0};
    hsel_error error = {0};
    const char *path = make_database("go 100%?#.sqlite", go_tables, go_rows);
    assert_ok(read_graph(path, NULL, &graph, &error), error);
    assert_int_equal(graph.terms.count, 8); /* six, and two obsolete; not "all" */
    expect_edges(&graph, "GO:2>GO:1 GO:3>GO:1 GO:5>GO:4 ");
    uint32_t f = hs_names_find(&graph.terms, "GO:5", 4);
    assert_string_equal(hs_names_get(&graph.titles, f), "f");
    assert_string_equal(hs_names_get(&graph.namespaces, graph.namespace_of[f]),
                        "molecular_function");
    assert_int_equal(graph.flags[f], 0);
    uint32_t old = hs_names_find(&graph.terms, "GO:8", 4);
    assert_int_equal(graph.flags[old], HS_TERM_OBSOLETE);
    assert_string_equal(hs_names_get(&graph.namespaces, graph.namespace_of[old]),
                        "biological_process");
    /* Alternates: by `secondary`, by the synonym where that is empty; the first meaning counts. */
    assert_int_equal(graph.alternates.count, 2);
    assert_string_equal(hs_names_get(&graph.alternates, 0), "GO:22");
    assert_string_equal(hs_names_get(&graph.terms, graph.alternate_of[0]), "GO:2");
    assert_string_equal(hs_names_get(&graph.alternates, 1), "GO:55");
    assert_string_equal(hs_names_get(&graph.terms, graph.alternate_of[1]), "GO:5");
    hs_graph_clear(&graph);
    /* Nothing appears beside the file. */
    assert_int_equal(hs_folder_count(&folder), 1);
}

static void go_relations_and_namespaces(void **state)
{
    (void)state;
    const char *relations[] = {"is_a", "part_of", "Negatively regulates"};
    const char *namespaces[] = {"bp", "cellular_component"};
    hs_graph_options options = {.relations = {.items = relations, .count = 3}};
    hs_graph graph = {0};
    hsel_error error = {0};
    const char *path = make_database("go.sqlite", go_tables, go_rows);
    assert_ok(read_graph(path, &options, &graph, &error), error);
    expect_edges(&graph, "GO:2>GO:1 GO:3>GO:2 GO:3>GO:1 GO:3>GO:2 GO:5>GO:4 GO:5>GO:2 ");
    hs_graph_clear(&graph);
    options.relations.count = 2;
    options.namespaces = (hs_list){.items = namespaces, .count = 2};
    assert_ok(read_graph(path, &options, &graph, &error), error);
    assert_int_equal(graph.terms.count, 5);
    expect_edges(&graph, "GO:2>GO:1 GO:3>GO:2 GO:3>GO:1 ");
    assert_int_equal(graph.alternates.count, 1);
    assert_string_equal(hs_names_get(&graph.relations, graph.relation[0]), "is_a");
    assert_string_equal(hs_names_get(&graph.relations, graph.relation[1]), "part_of");
    hs_graph_clear(&graph);
    namespaces[1] = "XX";
    assert_int_equal(read_graph(path, &options, &graph, &error), HSEL_EUSAGE);
    assert_non_null(
        strstr(error.message, "no namespace XX in this file; it has: biological_process"));
    hs_graph_clear(&graph);
}

static void org_is_read(void **state)
{
    (void)state;
    hs_annotations annotations = {0};
    hsel_error error = {0};
    const char *path = make_database("org.sqlite", org_tables, org_rows);
    static const char *const expected[][3] = {{"17", "GO:2", "IDA"},
                                              {"10", "GO:3", "IEA"},
                                              {"17", "GO:2", "TAS"},
                                              {"10", "GO:6", "ND"},
                                              {"10", "GO:5", "IPI"}};
    assert_ok(read_annotations(path, NULL, &annotations, &error), error);
    assert_int_equal(annotations.count, 5);
    for (size_t i = 0; i < 5; i++) {
        const hs_annotation *e = &annotations.entries[i];
        assert_string_equal(hs_names_get(&annotations.objects, e->object), expected[i][0]);
        assert_string_equal(hs_names_get(&annotations.terms, e->term), expected[i][1]);
        assert_string_equal(hs_names_get(&annotations.evidence, e->evidence), expected[i][2]);
        assert_false(e->negated);
    }
    hs_annotations_clear(&annotations);
}

static void org_by_symbol_and_by_taxon(void **state)
{
    (void)state;
    const char *taxon = "10090";
    hs_annotation_options options = {.object_key = HS_OBJECT_SYMBOL};
    hs_annotations annotations = {0};
    hsel_error error = {0};
    const char *path = make_database("org.sqlite", org_tables, org_rows);
    assert_ok(read_annotations(path, &options, &annotations, &error), error);
    assert_string_equal(hs_names_get(&annotations.objects, 0), "BBB");
    hs_annotations_clear(&annotations);
    options.taxon = (hs_list){.items = &taxon, .count = 1};
    assert_ok(read_annotations(path, &options, &annotations, &error), error);
    assert_int_equal(annotations.count, 0);
    assert_int_equal(annotations.other_taxon, 5);
    hs_annotations_clear(&annotations);
    taxon = "9606";
    assert_ok(read_annotations(path, &options, &annotations, &error), error);
    assert_int_equal(annotations.count, 5);
    hs_annotations_clear(&annotations);
}

/* The message without the folder in front of it. */
static void expect_message(const hsel_error *error, const char *expected)
{
    const char *name = strstr(error->message, "x.sqlite");
    assert_non_null(name);
    assert_string_equal(name, expected);
}

static void expect_go_failure(const char *more_sql, const hs_graph_options *options,
                              const char *message)
{
    hs_graph graph = {0};
    hsel_error error = {0};
    hs_buf sql = {0};
    hs_buf_printf(&sql, "%s%s", go_rows, more_sql);
    const char *path = make_database("x.sqlite", go_tables, sql.text);
    assert_true(read_graph(path, options, &graph, &error) < 0);
    expect_message(&error, message);
    hs_buf_clear(&sql);
    hs_graph_clear(&graph);
}

static void bad_go_databases(void **state)
{
    (void)state;
    const char *relation = "partof";
    hs_graph_options options = {.relations = {.items = &relation, .count = 1}};
    expect_go_failure("", &options,
                      "x.sqlite: no relation partof in this file; it has: is_a, part_of, "
                      "negatively_regulates");
    expect_go_failure("DROP TABLE go_term", NULL,
                      "x.sqlite: not a GO.db database: it has no table go_term");
    expect_go_failure("DROP TABLE go_cc_parents", NULL,
                      "x.sqlite: not a GO.db database: it has no table go_cc_parents");
    expect_go_failure("DROP TABLE go_mf_parents; CREATE VIEW go_mf_parents AS SELECT 1", NULL,
                      "x.sqlite: not a GO.db database: it has no table go_mf_parents");
    expect_go_failure("INSERT INTO go_cc_parents VALUES (11,77,'isa')", NULL,
                      "x.sqlite: table go_cc_parents names the term with _id 77, which go_term "
                      "does not have");
    expect_go_failure("INSERT INTO go_obsolete VALUES ('GO:2','','BP',NULL)", NULL,
                      "x.sqlite: term GO:2 occurs twice");
    expect_go_failure("INSERT INTO go_term VALUES (99,'','','BP',NULL)", NULL,
                      "x.sqlite: a term has no go_id");
    expect_go_failure("INSERT INTO go_term VALUES (99,'GO:'||char(10),'','BP',NULL)", NULL,
                      "x.sqlite: the database is damaged: column go_id has a control character");
    expect_go_failure("ALTER TABLE go_term RENAME COLUMN ontology TO o", NULL,
                      "x.sqlite: the database is damaged: no such column: ontology");
}

static void expect_org_failure(const char *more_sql, const char *message)
{
    hs_annotations annotations = {0};
    hsel_error error = {0};
    hs_buf sql = {0};
    hs_buf_printf(&sql, "%s%s", org_rows, more_sql);
    const char *path = make_database("x.sqlite", org_tables, sql.text);
    assert_true(read_annotations(path, NULL, &annotations, &error) < 0);
    expect_message(&error, message);
    hs_buf_clear(&sql);
    hs_annotations_clear(&annotations);
}

static void bad_org_databases(void **state)
{
    (void)state;
    expect_org_failure("DROP TABLE genes",
                       "x.sqlite: not an org.*.eg.db database: it has no table genes");
    expect_org_failure("DROP TABLE go_mf",
                       "x.sqlite: not an org.*.eg.db database: it has no table go_mf");
    expect_org_failure("INSERT INTO go_bp VALUES (3,'GO:1','IDA')",
                       "x.sqlite: table go_bp has an annotation of a gene that is not in the gene "
                       "table");
    expect_org_failure("INSERT INTO go_bp VALUES (1,NULL,'IDA')",
                       "x.sqlite: table go_bp has an annotation without go_id");
}

static void write_file(const char *path, const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void what_is_no_database(void **state)
{
    (void)state;
    hs_graph graph = {0};
    hsel_error error = {0};
    const char *path = hs_folder_file(&folder, "x.sqlite");
    write_file(path, "this is text and no database\n", 29);
    assert_int_equal(read_graph(path, NULL, &graph, &error), HSEL_EFORMAT);
    expect_message(&error, "x.sqlite: not an SQLite database (a compressed one must be unpacked "
                           "first)");
    hs_graph_clear(&graph);
    hs_reader *reader = NULL;
    assert_ok(hs_reader_open_memory("x.sqlite", "SQLite format 3", 16, &reader, &error), error);
    assert_int_equal(hs_method_godb.format->read_graph(reader, NULL, &graph, &error),
                     HSEL_EUNSUPPORTED);
    assert_string_equal(error.message, "x.sqlite: an SQLite database can only be read from a file, "
                                       "not from a stream");
    hs_reader_close(reader);
    hs_graph_clear(&graph);
}

/* Cut short or with bytes changed: read or refused, but nothing worse. */
static void damaged_databases(void **state)
{
    (void)state;
    size_t length, refused = 0;
    char *whole = hs_slurp(make_database("org.sqlite", org_tables, org_rows), &length);
    char *bytes = malloc(length);
    hs_stream stream;
    assert_non_null(bytes);
    for (uint64_t round = 0; round < 300; round++) {
        hs_annotations annotations = {0};
        hsel_error error = {0};
        size_t kept = length;
        hs_stream_init(&stream, 1, "damage", round, 0);
        memcpy(bytes, whole, length);
        if (round % 3 == 0)
            kept = 100 + (size_t)hs_random_below(&stream, length - 100);
        for (int i = 0; i < 40; i++)
            bytes[hs_random_below(&stream, length)] = (char)hs_random_below(&stream, 256);
        memcpy(bytes, "SQLite format 3", 16);
        const char *path = hs_folder_file(&folder, "x.sqlite");
        write_file(path, bytes, kept);
        int status = read_annotations(path, NULL, &annotations, &error);
        if (status) {
            refused++;
            assert_non_null(strstr(error.message, "x.sqlite: "));
            assert_null(strchr(error.message, '\n'));
        }
        hs_annotations_clear(&annotations);
    }
    assert_true(refused > 100);
    free(bytes);
    free(whole);
}

static int read_both(void *context, hsel_error *error)
{
    const char *const *paths = context;
    hs_graph graph = {0};
    hs_annotations annotations = {0};
    int status = read_graph(paths[0], NULL, &graph, error);
    if (!status)
        status = read_annotations(paths[1], NULL, &annotations, error);
    hs_graph_clear(&graph);
    hs_annotations_clear(&annotations);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    char go[512];
    (void)snprintf(go, sizeof go, "%s", make_database("go.sqlite", go_tables, go_rows));
    const char *paths[] = {go, make_database("org.sqlite", org_tables, org_rows)};
    assert_true(hs_oom_each("bioconductor", read_both, paths) > 10);
}

/* Symbols and full names of annotated genes come with the annotations; all names by themselves. */
static void org_names(void **state)
{
    (void)state;
    hs_annotations found = {0};
    hs_mapping names = {0};
    hsel_error error = {0};
    hs_reader *reader = NULL;
    const char *path = make_database("names.sqlite", org_tables, org_rows);
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    run_sql(db,
            "INSERT INTO genes VALUES (3,'30'); INSERT INTO gene_info VALUES (3,'o','CCC');"
            "CREATE TABLE alias (_id INTEGER, alias_symbol TEXT);"
            "CREATE TABLE ensembl (_id INTEGER, ensembl_id TEXT);"
            "INSERT INTO alias VALUES (3,'C1'), (1,'A1'); INSERT INTO ensembl VALUES (2,'E2');");
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    assert_ok(read_annotations(path, NULL, &found, &error), error);
    expect_names(&found.mapping, "0:0 10 0:1 AAA 0:6 n 1:0 17 1:1 BBB 1:6 m ");
    hs_annotations_clear(&found);
    assert_ok(read_annotations(path, &(hs_annotation_options){.object_key = HS_OBJECT_SYMBOL},
                               &found, &error),
              error);
    expect_names(&found.mapping, "0:1 AAA 0:6 n 1:1 BBB 1:6 m ");
    hs_annotations_clear(&found);
    assert_ok(hs_reader_open(path, &reader, &error), error);
    assert_ok(hs_method_orgdb.format->read_mapping(reader, NULL, &names, &error), error);
    expect_names(&names, "0:0 10 0:6 n 1:0 17 1:6 m 2:0 30 2:6 o 0:1 AAA 1:1 BBB 2:1 CCC 2:2 C1 "
                         "0:2 A1 1:3 E2 ");
    hs_mapping_clear(&names);
    hs_reader_close(reader);
    path = make_database("stray.sqlite", org_tables, org_rows);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    run_sql(db, "INSERT INTO gene_info VALUES (7,'x','DDD');");
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    assert_ok(hs_reader_open(path, &reader, &error), error);
    assert_int_equal(hs_method_orgdb.format->read_mapping(reader, NULL, &names, &error),
                     HSEL_EFORMAT);
    assert_non_null(strstr(error.message, "stray.sqlite: table gene_info has a name of a gene that "
                                          "is not in the gene table"));
    hs_mapping_clear(&names);
    hs_reader_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(org_names, open_folder, close_folder),
        cmocka_unit_test_setup_teardown(go_is_read, open_folder, close_folder),
        cmocka_unit_test_setup_teardown(go_relations_and_namespaces, open_folder, close_folder),
        cmocka_unit_test_setup_teardown(org_is_read, open_folder, close_folder),
        cmocka_unit_test_setup_teardown(org_by_symbol_and_by_taxon, open_folder, close_folder),
        cmocka_unit_test_setup_teardown(bad_go_databases, open_folder, close_folder),
        cmocka_unit_test_setup_teardown(bad_org_databases, open_folder, close_folder),
        cmocka_unit_test_setup_teardown(what_is_no_database, open_folder, close_folder),
        cmocka_unit_test_setup_teardown(damaged_databases, open_folder, close_folder),
        cmocka_unit_test_setup_teardown(every_allocation_may_fail, open_folder, close_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data sets from hierarchy, annotations and labels: rows and counts worked out by hand, and on
 * random input the same from a slow twin that follows the definition.
 */
#include "support/cmocka.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/random.h"
#include "format/assemble.h"
#include "format/evidence.h"
#include "support/oom.h"

/* ---- a small world ----
 *
 *        R (bp)            F (mf)
 *       /  \               |
 *      A    B              G
 *     / \  /
 *    C   D        alternates: D2 -> D;  obsolete: OLD -> C (replaced), GONE (nothing)
 */

typedef struct world {
    hs_graph graph;
    hs_annotations annotations;
    hs_labels labels;
    hs_assemble_options options;
    hs_assemble_report report;
    hsel_dataset *data;
} world;

static int add_edges(hs_graph *graph, const char *text, hsel_error *error)
{
    int status = HSEL_OK;
    while (!status && *text) {
        size_t child = strcspn(text, ">"), parent = strcspn(text + child + 1, " ");
        status = hs_graph_named_edge(graph, text, child, text + child + 1, parent, error);
        text += child + 1 + parent;
        text += *text == ' ';
    }
    return status;
}

static int decorate(hs_graph *graph, hsel_error *error)
{
    uint32_t id;
    int status = hs_names_intern(&graph->terms, "OLD", 3, &id, NULL, error);
    if (!status)
        status = hs_names_intern(&graph->terms, "GONE", 4, &id, NULL, error);
    if (!status)
        status = hs_names_intern(&graph->namespaces, "biological_process", 18, &id, NULL, error);
    if (!status)
        status = hs_names_intern(&graph->namespaces, "molecular_function", 18, &id, NULL, error);
    if (!status)
        status = hs_names_append(&graph->alternates, "D2", 2, error);
    if (status)
        return status;
    uint32_t n = graph->terms.count;
    graph->namespace_of = HS_NEW_ZERO(uint32_t, n);
    graph->flags = HS_NEW_ZERO(uint8_t, n);
    graph->replaced_by = HS_NEW(uint32_t, n);
    graph->alternate_of = HS_NEW(uint32_t, 1);
    if (!graph->namespace_of || !graph->flags || !graph->replaced_by || !graph->alternate_of)
        return hs_fail_memory(error);
    for (uint32_t t = 0; t < n; t++)
        graph->replaced_by[t] = HSEL_NONE;
    graph->alternate_of[0] = hs_names_find(&graph->terms, "D", 1);
    graph->namespace_of[hs_names_find(&graph->terms, "F", 1)] = 1;
    graph->namespace_of[hs_names_find(&graph->terms, "G", 1)] = 1;
    graph->flags[n - 2] = graph->flags[n - 1] = HS_TERM_OBSOLETE;
    graph->replaced_by[n - 2] = hs_names_find(&graph->terms, "C", 1);
    return HSEL_OK;
}

/* "object term evidence" or "object !term evidence", separated by blanks; '-' for no evidence;
 * entries by commas. */
static int add_annotations(hs_annotations *annotations, const char *text, hsel_error *error)
{
    char object[16], term[16], evidence[16];
    int status = HSEL_OK, used;
    unsigned long line = 1;
    while (!status &&
           sscanf(text, " %15[^ ] %15[^ ] %15[^, ]%n", object, term, evidence, &used) == 3) {
        bool negated = term[0] == '!';
        const char *name = term + negated;
        size_t evidence_length = strcmp(evidence, "-") ? strlen(evidence) : 0;
        status = hs_annotations_add(annotations, object, strlen(object), name, strlen(name),
                                    evidence, evidence_length, negated, line++, error);
        text += used;
        text += *text == ',';
    }
    return status;
}

static int add_labels(hs_labels *labels, const char *text, const hs_label_options *options,
                      hsel_error *error)
{
    hs_reader *reader = NULL;
    int status = hs_reader_open_memory("labels.tsv", text, strlen(text), &reader, error);
    if (!status)
        status = hs_labels_read(reader, options, labels, error);
    hs_reader_close(reader);
    return status;
}

static void clear_world(world *w)
{
    hs_graph_clear(&w->graph);
    hs_annotations_clear(&w->annotations);
    hs_labels_clear(&w->labels);
    hs_assemble_report_clear(&w->report);
    hsel_dataset_free(w->data);
}

static const char edges[] = "A>R B>R C>A D>A D>B G>F";

static int fill_world(world *w, const char *annotations, const char *labels, hsel_error *error)
{
    int status = add_edges(&w->graph, edges, error);
    if (!status)
        status = decorate(&w->graph, error);
    if (!status)
        status = add_annotations(&w->annotations, annotations, error);
    if (!status)
        status = add_labels(&w->labels, labels, NULL, error);
    return status;
}

static int run_world(world *w, hsel_error *error)
{
    return hs_assemble(&w->options, &w->graph, &w->annotations, &w->labels, &w->report, &w->data,
                       error);
}

/* "id class: feature feature", one line an instance. */
static void show_rows(const hsel_dataset *data, hs_buf *out)
{
    for (uint32_t i = 0; i < data->instances; i++) {
        size_t count;
        const uint32_t *row = hs_row(data, i, &count);
        hs_buf_printf(out, "%s %s:", hs_names_get(&data->ids, i),
                      hs_names_get(&data->class_names, data->class_of[i]));
        for (size_t j = 0; j < count; j++)
            hs_buf_printf(out, " %s", hs_names_get(&data->feature_names, row[j]));
        hs_buf_char(out, '\n');
    }
}

static void expect_rows(world *w, const char *expected)
{
    hsel_error error = {0};
    hs_buf rows = {0};
    assert_ok(run_world(w, &error), error);
    assert_ok(hsel_dataset_check(w->data, &error), error);
    show_rows(w->data, &rows);
    assert_string_equal(rows.text, expected);
    hs_buf_clear(&rows);
}

static uint64_t found(const world *w, hs_found kind) { return w->report.found[kind].count; }

static const char *example(const world *w, hs_found kind, uint32_t i)
{
    return hs_names_get(&w->report.found[kind].examples, i);
}

static world small_world(const char *annotations, const char *labels)
{
    world w = {.options = {.min_support = 1}};
    hsel_error error = {0};
    assert_ok(fill_world(&w, annotations, labels, &error), error);
    return w;
}

static const char three_labels[] = "gene\tstatus\ng2\tyes\ng1\tno\ng3\tyes\n";

static void annotations_are_propagated(void **state)
{
    (void)state;
    world w = small_world("g1 D -,g2 C -,g3 B -,g9 A -", three_labels);
    /* Rows in the order of the labels, features by name, classes sorted. */
    expect_rows(&w, "g2 yes: A C R\ng1 no: A B D R\ng3 yes: B R\n");
    assert_string_equal(hs_names_get(&w.data->class_names, 0), "no");
    assert_string_equal(w.data->class_attribute, "status");
    assert_string_equal(w.data->id_attribute, "gene");
    assert_int_equal(w.data->dag->edges, 5);
    assert_int_equal(found(&w, HS_FOUND_TERMS), 7);
    assert_int_equal(found(&w, HS_FOUND_TERMS_USED), 7);
    assert_int_equal(found(&w, HS_FOUND_EDGES), 6);
    assert_int_equal(found(&w, HS_FOUND_ANNOTATIONS), 4);
    assert_int_equal(found(&w, HS_FOUND_UNLABELLED), 1);
    assert_int_equal(found(&w, HS_FOUND_USED), 3);
    assert_int_equal(found(&w, HS_FOUND_OBJECTS), 4);
    assert_int_equal(found(&w, HS_FOUND_OBJECTS_UNKNOWN), 1);
    assert_string_equal(example(&w, HS_FOUND_OBJECTS_UNKNOWN, 0), "g9");
    assert_int_equal(found(&w, HS_FOUND_DIRECT), 3);
    assert_int_equal(found(&w, HS_FOUND_PROPAGATED), 6);
    assert_int_equal(found(&w, HS_FOUND_CANDIDATES), 5);
    assert_int_equal(found(&w, HS_FOUND_POSITIVES), 9);
    assert_int_equal(found(&w, HS_FOUND_INSTANCES), 3);
    assert_int_equal(found(&w, HS_FOUND_FEATURES), 5);
    assert_int_equal(found(&w, HS_FOUND_FEATURE_EDGES), 5);
    assert_int_equal(found(&w, HS_FOUND_CLASSES), 2);
    clear_world(&w);
}

static void propagation_can_be_left_out(void **state)
{
    (void)state;
    world w = small_world("g1 D -,g2 C -,g3 R -", three_labels);
    w.options.no_propagate = true;
    expect_rows(&w, "g2 yes: C\ng1 no: D\ng3 yes: R\n");
    assert_int_equal(found(&w, HS_FOUND_PROPAGATED), 0);
    assert_int_equal(w.data->dag->edges, 2); /* through A and B, which are no features */
    clear_world(&w);
}

static void rare_terms_and_roots_go(void **state)
{
    (void)state;
    world w = small_world("g1 D -,g2 C -,g3 B -", three_labels);
    w.options.min_support = 2;
    expect_rows(&w, "g2 yes: A R\ng1 no: A B R\ng3 yes: B R\n");
    assert_int_equal(found(&w, HS_FOUND_RARE), 2);
    assert_string_equal(example(&w, HS_FOUND_RARE, 0), "C");
    assert_string_equal(example(&w, HS_FOUND_RARE, 1), "D");
    clear_world(&w);

    w = small_world("g1 D -,g2 C -,g3 R -,g3 F -", three_labels);
    w.options.drop_roots = true;
    /* F is positive, but has no child among the features: no root in this sense. */
    expect_rows(&w, "g2 yes: A C\ng1 no: A B D\ng3 yes: F\n");
    assert_int_equal(found(&w, HS_FOUND_ROOTS), 1);
    assert_string_equal(example(&w, HS_FOUND_ROOTS, 0), "R");
    clear_world(&w);
}

static void objects_without_features(void **state)
{
    (void)state;
    static const char labels[] = "id,class\ng1,a\ng2,b\ng3,a\ng4,b\n";
    world w = small_world("g1 D -,g2 R -,g4 NIX -", labels);
    w.options.drop_roots = true;
    expect_rows(&w, "g1 a: A B D\n");
    assert_int_equal(found(&w, HS_FOUND_LABELS), 4);
    assert_int_equal(found(&w, HS_FOUND_NO_ANNOTATION), 1);
    assert_string_equal(example(&w, HS_FOUND_NO_ANNOTATION, 0), "g3");
    assert_int_equal(found(&w, HS_FOUND_NOTHING_LEFT), 2);
    assert_string_equal(example(&w, HS_FOUND_NOTHING_LEFT, 1), "g4");
    clear_world(&w);

    w = small_world("g1 D -,g2 R -,g4 NIX -", labels);
    w.options.empty = HS_EMPTY_KEEP;
    expect_rows(&w, "g1 a: A B D R\ng2 b: R\ng3 a:\ng4 b:\n");
    clear_world(&w);
}

static void names_of_terms_are_followed(void **state)
{
    (void)state;
    world w = small_world("g1 D2 -,g1 NIX -,g2 OLD -,g2 GONE -,g3 NIX -,g3 B -,g3 GONE -,g1 D -",
                          three_labels);
    expect_rows(&w, "g2 yes: A C R\ng1 no: A B D R\ng3 yes: B R\n");
    assert_int_equal(found(&w, HS_FOUND_ALTERNATE), 1);
    assert_string_equal(example(&w, HS_FOUND_ALTERNATE, 0), "D2 -> D");
    assert_int_equal(found(&w, HS_FOUND_REPLACED), 1);
    assert_string_equal(example(&w, HS_FOUND_REPLACED, 0), "OLD -> C");
    assert_int_equal(found(&w, HS_FOUND_OBSOLETE), 2);
    assert_int_equal(w.report.found[HS_FOUND_OBSOLETE].distinct, 1);
    assert_string_equal(example(&w, HS_FOUND_OBSOLETE, 0), "GONE");
    assert_int_equal(found(&w, HS_FOUND_UNKNOWN), 2);
    assert_int_equal(w.report.found[HS_FOUND_UNKNOWN].distinct, 1);
    assert_int_equal(found(&w, HS_FOUND_REPEATED), 1);
    assert_int_equal(found(&w, HS_FOUND_USED), 3);
    clear_world(&w);
}

/* Replacements that lead to obsolete terms lead on; in a circle they lead nowhere. */
static void chains_of_replacements(void **state)
{
    (void)state;
    world w = small_world("g1 GONE -,g2 B -", three_labels);
    uint32_t old = hs_names_find(&w.graph.terms, "OLD", 3);
    uint32_t gone = hs_names_find(&w.graph.terms, "GONE", 4);
    w.graph.replaced_by[gone] = old;
    expect_rows(&w, "g2 yes: B R\ng1 no: A C R\n");
    assert_string_equal(example(&w, HS_FOUND_REPLACED, 0), "GONE -> C");
    clear_world(&w);
    w = small_world("g1 GONE -,g2 B -", three_labels);
    w.graph.replaced_by[gone] = old;
    w.graph.replaced_by[old] = gone;
    expect_rows(&w, "g2 yes: B R\n");
    assert_int_equal(found(&w, HS_FOUND_OBSOLETE), 1);
    clear_world(&w);
}

static void merged_terms_are_followed(void **state)
{
    (void)state;
    world w = small_world("g1 B -,g2 A -", three_labels);
    w.graph.merged_into = HS_NEW(uint32_t, w.graph.terms.count);
    assert_non_null(w.graph.merged_into);
    for (uint32_t t = 0; t < w.graph.terms.count; t++)
        w.graph.merged_into[t] = t;
    w.graph.merged_into[hs_names_find(&w.graph.terms, "B", 1)] =
        hs_names_find(&w.graph.terms, "A", 1);
    expect_rows(&w, "g2 yes: A R\ng1 no: A R\n");
    assert_int_equal(found(&w, HS_FOUND_TERMS), 6);
    clear_world(&w);
}

static void namespaces_are_chosen(void **state)
{
    (void)state;
    const char *wanted = "MF";
    world w = small_world("g1 G -,g2 D -,g2 F -,g3 B -", three_labels);
    w.options.namespaces = (hs_list){.items = &wanted, .count = 1};
    expect_rows(&w, "g2 yes: F\ng1 no: F G\n");
    assert_int_equal(found(&w, HS_FOUND_TERMS_USED), 2);
    assert_int_equal(found(&w, HS_FOUND_EDGES), 1);
    assert_int_equal(found(&w, HS_FOUND_NAMESPACE), 2);
    clear_world(&w);
}

static void negated_annotations(void **state)
{
    (void)state;
    static const char annotations[] = "g1 D -,g1 C -,g1 !B -,g2 C -,g3 !C -,g3 B -,g2 !GONE -";
    world w = small_world(annotations, three_labels);
    expect_rows(&w, "g2 yes: A C R\ng1 no: A B C D R\ng3 yes: B R\n");
    assert_int_equal(found(&w, HS_FOUND_NEGATED), 3);
    clear_world(&w);
    w = small_world(annotations, three_labels);
    w.options.negated = HS_NOT_IGNORE;
    expect_rows(&w, "g2 yes: A C R\ng1 no: A B C D R\ng3 yes: A B C R\n");
    assert_int_equal(found(&w, HS_FOUND_NEGATED), 0);
    clear_world(&w);
    /* Not B: D is below B, so it goes; C stays. */
    w = small_world(annotations, three_labels);
    w.options.negated = HS_NOT_BLOCK;
    expect_rows(&w, "g2 yes: A C R\ng1 no: A C R\ng3 yes: B R\n");
    assert_int_equal(found(&w, HS_FOUND_NEGATED), 3);
    assert_int_equal(found(&w, HS_FOUND_BLOCKED), 1);
    assert_int_equal(found(&w, HS_FOUND_USED), 3);
    clear_world(&w);
}

static void evidence_is_chosen(void **state)
{
    (void)state;
    static const char annotations[] = "g1 D IDA,g1 C IEA,g2 C hda,g3 B TAS,g3 A -";
    const char *words[] = {"experimental", "TAS"};
    world w = small_world(annotations, three_labels);
    w.options.evidence = (hs_list){.items = words, .count = 2};
    expect_rows(&w, "g2 yes: A C R\ng1 no: A B D R\ng3 yes: B R\n");
    assert_int_equal(found(&w, HS_FOUND_EVIDENCE), 2);
    clear_world(&w);
    w = small_world(annotations, three_labels);
    words[0] = "Electronic";
    w.options.no_evidence = (hs_list){.items = words, .count = 2};
    expect_rows(&w, "g2 yes: A C R\ng1 no: A B D R\ng3 yes: A R\n");
    clear_world(&w);
}

/* Left out and used make up what was read. */
static void counts_add_up(void **state)
{
    (void)state;
    const char *word = "IEA", *space = "BP";
    world w = small_world("g1 D IDA,g1 D TAS,g1 C IEA,g2 !B -,g2 D -,g2 C -,g3 NIX -,g3 GONE -,"
                          "g3 G -,g8 C -,g3 B -",
                          three_labels);
    w.options.no_evidence = (hs_list){.items = &word, .count = 1};
    w.options.namespaces = (hs_list){.items = &space, .count = 1};
    w.options.negated = HS_NOT_BLOCK;
    expect_rows(&w, "g2 yes: A C R\ng1 no: A B D R\ng3 yes: B R\n");
    uint64_t sum = 0;
    for (int kind = HS_FOUND_EVIDENCE; kind <= HS_FOUND_USED; kind++) {
        assert_true(w.report.found[kind].count > 0);
        sum += w.report.found[kind].count;
    }
    assert_int_equal(sum, 11);
    assert_int_equal(found(&w, HS_FOUND_ANNOTATIONS), 11);
    clear_world(&w);
}

static void positive_class_and_name(void **state)
{
    (void)state;
    world w = small_world("g1 D -,g2 C -", three_labels);
    w.options.positive = "no";
    w.options.name = "tiny";
    expect_rows(&w, "g2 yes: A C R\ng1 no: A B D R\n");
    assert_int_equal(w.data->positive_class, 0);
    assert_string_equal(w.data->name, "tiny");
    clear_world(&w);
}

/* ---- what goes wrong ---- */

static void expect_refusal(world *w, int status, const char *message)
{
    hsel_error error = {0};
    assert_int_equal(run_world(w, &error), status);
    assert_string_equal(error.message, message);
    assert_null(w->data);
    clear_world(w);
}

static void bad_wishes_are_refused(void **state)
{
    (void)state;
    const char *word = "BPX";
    world w = small_world("g1 D -,g3 NIX -", three_labels);
    w.annotations.source = hs_strdup("annotations.gaf");
    w.options.unknown = HS_UNKNOWN_ERROR;
    expect_refusal(&w, HSEL_EFORMAT, "annotations.gaf:2: term NIX is not in the hierarchy");
    w = small_world("g1 D -", three_labels);
    w.options.namespaces = (hs_list){.items = &word, .count = 1};
    expect_refusal(&w, HSEL_EUSAGE,
                   "the hierarchy has no namespace BPX; its namespaces: biological_process, "
                   "molecular_function");
    w = small_world("g1 D IDA", three_labels);
    word = "experimentel";
    w.options.evidence = (hs_list){.items = &word, .count = 1};
    expect_refusal(&w, HSEL_EUSAGE,
                   "unknown evidence code 'experimentel'; did you mean experimental?");
    w = small_world("g1 D IDA", three_labels);
    word = "Q7";
    w.options.no_evidence = (hs_list){.items = &word, .count = 1};
    expect_refusal(&w, HSEL_EUSAGE,
                   "unknown evidence code 'Q7'; codes are such as IDA or IEA, groups are "
                   "experimental, high-throughput, phylogenetic, computational, author, curator "
                   "and electronic");
    w = small_world("g1 D -", three_labels);
    word = "IDA";
    w.options.evidence = (hs_list){.items = &word, .count = 1};
    expect_refusal(&w, HSEL_EUSAGE, "annotations: no evidence codes in it, so none can be chosen");
}

static void empty_results_are_explained(void **state)
{
    (void)state;
    world w = small_world("", three_labels);
    expect_refusal(&w, HSEL_EFORMAT, "annotations: no annotations in it");
    w = small_world("x1 D -", three_labels);
    expect_refusal(&w, HSEL_EFORMAT,
                   "no annotated object has a label: the annotations have identifiers such as x1, "
                   "the labels such as g2");
    w = small_world("g1 NIX -", three_labels);
    expect_refusal(&w, HSEL_EFORMAT,
                   "no annotation remains, so there are no features; most (1 of 1) were left out: "
                   "term not in the hierarchy");
    w = small_world("", three_labels);
    w.annotations.other_taxon = 3;
    expect_refusal(&w, HSEL_EFORMAT, "annotations: no annotations of the chosen species in it");
    w = small_world("g1 D -", three_labels);
    w.options.min_support = 3;
    expect_refusal(&w, HSEL_EFORMAT, "no term is positive in 3 instances or more");
}

/* ---- label tables ---- */

static void expect_labels(const char *text, const hs_label_options *options, const char *expected)
{
    hs_labels labels = {0};
    hsel_error error = {0};
    hs_buf shown = {0};
    assert_ok(add_labels(&labels, text, options, &error), error);
    for (uint32_t i = 0; i < labels.ids.count; i++)
        hs_buf_printf(&shown, "%s=%s@%u ", hs_names_get(&labels.ids, i),
                      labels.class_of[i] == HSEL_NONE
                          ? "?"
                          : hs_names_get(&labels.classes, labels.class_of[i]),
                      labels.line[i]);
    assert_string_equal(shown.text, expected);
    hs_buf_clear(&shown);
    hs_labels_clear(&labels);
}

static void labels_are_read(void **state)
{
    (void)state;
    expect_labels("entrez\tclass\n1\t0\n2\t1\n", NULL, "1=0@2 2=1@3 ");
    /* No header: what stands in the first line's class column is a class. */
    expect_labels("1\t0\n2\t1\n3\t0\n", NULL, "1=0@1 2=1@2 3=0@3 ");
    hs_label_options options = {.header = HS_HEADER_YES};
    expect_labels("1\t0\n2\t1\n3\t0\n", &options, "2=1@2 3=0@3 ");
    options.header = HS_HEADER_NO;
    expect_labels("1\t7\n2\t1\n3\t0\n", &options, "1=7@1 2=1@2 3=0@3 ");
    options = (hs_label_options){.id = "b", .class_name = "a"};
    expect_labels("a,b,c\nx,1,u\ny,2,v\n", &options, "1=x@2 2=y@3 ");
    options = (hs_label_options){.id = "2", .class_name = "1"};
    expect_labels("a,b,c\nx,1,u\ny,2,v\n", &options, "1=x@2 2=y@3 ");
    expect_labels("id\tclass\n1\tx\n2\t?\n3\tNA\n4\t\n1\tx\n", NULL, "1=x@2 ");
}

static void labels_conflict(void **state)
{
    (void)state;
    static const char text[] = "id\tclass\n1\tx\n2\ty\n1\ty\n1\tx\n";
    hs_labels labels = {0};
    hsel_error error = {0};
    assert_int_equal(add_labels(&labels, text, NULL, &error), HSEL_EFORMAT);
    assert_string_equal(error.message, "labels.tsv:4: 1 has class y here, but class x on line 2");
    hs_labels_clear(&labels);
    hs_label_options options = {.conflicts = HS_CONFLICTS_DROP};
    expect_labels(text, &options, "1=?@2 2=y@3 ");
    options.conflicts = HS_CONFLICTS_FIRST;
    expect_labels(text, &options, "1=x@2 2=y@3 ");
    world w = {.options = {.min_support = 1}};
    options.conflicts = HS_CONFLICTS_DROP;
    assert_ok(add_edges(&w.graph, edges, &error), error);
    assert_ok(add_annotations(&w.annotations, "1 D -,2 A -", &error), error);
    assert_ok(add_labels(&w.labels, text, &options, &error), error);
    expect_rows(&w, "2 y: A R\n");
    assert_int_equal(found(&w, HS_FOUND_LABELS_CONFLICT), 1);
    assert_int_equal(found(&w, HS_FOUND_UNLABELLED), 1);
    clear_world(&w);
}

static void expect_bad_labels(const char *text, const hs_label_options *options,
                              const char *message)
{
    hs_labels labels = {0};
    hsel_error error = {0};
    assert_true(add_labels(&labels, text, options, &error) < 0);
    assert_string_equal(error.message, message);
    hs_labels_clear(&labels);
}

static void bad_labels_are_refused(void **state)
{
    (void)state;
    expect_bad_labels("one\n", NULL,
                      "labels.tsv:1: a label table needs an identifier and a class, with a tab, a "
                      "comma or a semicolon between them");
    expect_bad_labels("id\tclass\n", NULL, "labels.tsv: no labels in it");
    expect_bad_labels("id\tclass\n\tx\n", NULL, "labels.tsv:2: no identifier");
    hs_label_options options = {.class_name = "status"};
    expect_bad_labels("id\tclass\n1\tx\n", &options,
                      "labels.tsv: there is no column status among the 2 of the label table");
    options.class_name = "1";
    expect_bad_labels("id\tclass\n1\tx\n", &options,
                      "labels.tsv: identifier and class are the same column of the label table "
                      "(id)");
}

/* ---- a slow twin ---- */

enum { TERMS = 9, OBJECTS = 8 };

typedef struct twin {
    bool parent[TERMS][TERMS]; /* parent[c][p]: p is a parent of c */
    bool annotated[OBJECTS][TERMS], negated[OBJECTS][TERMS];
    bool value[OBJECTS][TERMS];
    bool feature[TERMS];
} twin;

/* Is a above or equal to b? By definition, to any depth. */
static bool is_above(const twin *t, int a, int b)
{
    if (a == b)
        return true;
    for (int p = 0; p < TERMS; p++)
        if (t->parent[b][p] && is_above(t, a, p))
            return true;
    return false;
}

static bool forbidden(const twin *t, int object, int term)
{
    for (int n = 0; n < TERMS; n++)
        if (t->negated[object][n] && is_above(t, n, term))
            return true;
    return false;
}

static void work_out(twin *t, const hs_assemble_options *options)
{
    for (int o = 0; o < OBJECTS; o++)
        for (int d = 0; d < TERMS; d++) {
            bool out = options->negated == HS_NOT_BLOCK && forbidden(t, o, d);
            for (int a = 0; a < TERMS; a++)
                if (t->annotated[o][d] && !out &&
                    (a == d || (!options->no_propagate && is_above(t, a, d))))
                    t->value[o][a] = true;
        }
    for (int a = 0; a < TERMS; a++) {
        uint32_t support = 0;
        for (int o = 0; o < OBJECTS; o++)
            support += t->value[o][a];
        t->feature[a] = support > 0 && support >= options->min_support;
    }
}

static void show_twin(const twin *t, hs_buf *out)
{
    for (int o = 0; o < OBJECTS; o++) {
        hs_buf row = {0};
        for (int a = 0; a < TERMS; a++)
            if (t->value[o][a] && t->feature[a])
                hs_buf_printf(&row, " t%d", a);
        if (row.length)
            hs_buf_printf(out, "o%d %s:%s\n", o, o % 2 ? "b" : "a", row.text);
        hs_buf_clear(&row);
    }
}

/* The same world for both: term t<i> may have parents with lower numbers only. */
static void make_twins(hs_stream *stream, twin *t, world *w)
{
    hsel_error error = {0};
    char a[8], b[8];
    for (int c = 0; c < TERMS; c++)
        for (int p = 0; p < c; p++)
            if (hs_random_below(stream, 3) == 0) {
                t->parent[c][p] = true;
                int child = snprintf(a, sizeof a, "t%d", c), up = snprintf(b, sizeof b, "t%d", p);
                assert_ok(hs_graph_named_edge(&w->graph, a, (size_t)child, b, (size_t)up, &error),
                          error);
            }
    for (int c = 0; c < TERMS; c++) {
        uint32_t id;
        int length = snprintf(a, sizeof a, "t%d", c);
        assert_ok(hs_names_intern(&w->graph.terms, a, (size_t)length, &id, NULL, &error), error);
    }
    for (int i = 0; i < 16; i++) {
        int o = (int)hs_random_below(stream, OBJECTS), c = (int)hs_random_below(stream, TERMS);
        bool negated = hs_random_below(stream, 5) == 0;
        *(negated ? &t->negated[o][c] : &t->annotated[o][c]) = true;
        int object = snprintf(a, sizeof a, "o%d", o), term = snprintf(b, sizeof b, "t%d", c);
        assert_ok(hs_annotations_add(&w->annotations, a, (size_t)object, b, (size_t)term, NULL, 0,
                                     negated, 1, &error),
                  error);
    }
    assert_ok(add_labels(&w->labels,
                         "id\tclass\no0\ta\no1\tb\no2\ta\no3\tb\no4\ta\no5\tb\no6\ta\no7\tb\n",
                         NULL, &error),
              error);
}

static void the_twin_agrees(void **state)
{
    (void)state;
    size_t compared = 0;
    for (uint64_t round = 0; round < 3000; round++) {
        hs_stream stream;
        twin t = {0};
        world w = {0};
        hsel_error error = {0};
        hs_buf expected = {0}, got = {0};
        hs_stream_init(&stream, 7, "assemble", round, 0);
        w.options.min_support = (uint32_t)hs_random_below(&stream, 4);
        w.options.no_propagate = hs_random_below(&stream, 4) == 0;
        w.options.negated = hs_random_below(&stream, 2) ? HS_NOT_BLOCK : HS_NOT_DROP;
        make_twins(&stream, &t, &w);
        work_out(&t, &w.options);
        show_twin(&t, &expected);
        int status = run_world(&w, &error);
        assert_int_equal(status, expected.length ? HSEL_OK : HSEL_EFORMAT);
        if (!status) {
            assert_ok(hsel_dataset_check(w.data, &error), error);
            show_rows(w.data, &got);
            assert_string_equal(got.text, expected.text);
            compared++;
        }
        hs_buf_clear(&expected);
        hs_buf_clear(&got);
        clear_world(&w);
    }
    assert_true(compared > 2500);
}

static int assemble_everything(void *context, hsel_error *error)
{
    (void)context;
    world w = {.options = {.min_support = 1, .drop_roots = true, .negated = HS_NOT_BLOCK}};
    int status = fill_world(&w, "g1 D2 IDA,g1 NIX -,g2 OLD -,g2 GONE -,g3 !D -,g3 B -,g9 C -",
                            three_labels, error);
    if (!status)
        status = run_world(&w, error);
    clear_world(&w);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(hs_oom_each("assemble", assemble_everything, NULL) > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(annotations_are_propagated),
        cmocka_unit_test(propagation_can_be_left_out),
        cmocka_unit_test(rare_terms_and_roots_go),
        cmocka_unit_test(objects_without_features),
        cmocka_unit_test(names_of_terms_are_followed),
        cmocka_unit_test(chains_of_replacements),
        cmocka_unit_test(merged_terms_are_followed),
        cmocka_unit_test(namespaces_are_chosen),
        cmocka_unit_test(negated_annotations),
        cmocka_unit_test(evidence_is_chosen),
        cmocka_unit_test(counts_add_up),
        cmocka_unit_test(positive_class_and_name),
        cmocka_unit_test(bad_wishes_are_refused),
        cmocka_unit_test(empty_results_are_explained),
        cmocka_unit_test(labels_are_read),
        cmocka_unit_test(labels_conflict),
        cmocka_unit_test(bad_labels_are_refused),
        cmocka_unit_test(the_twin_agrees),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

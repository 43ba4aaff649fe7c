/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data sets from hierarchy, annotations and labels: rows and counts worked out by hand, what is
 * said about wishes that cannot be met, and a lack of memory at every step. Label tables are in
 * test_assemble_labels.c, random input in test_assemble_twin.c.
 */
#include "support/cmocka.h"

#include <stdio.h>

#include "core/mem.h"
#include "support/assemble_world.h"
#include "support/folder.h"
#include "support/oom.h"

static const char *example(const hs_assemble_world *w, hs_found kind, uint32_t i)
{
    return hs_names_get(&w->report.found[kind].examples, i);
}

static void annotations_are_propagated(void **state)
{
    (void)state;
    hs_assemble_world w = hs_assemble_world_new("g1 D -,g2 C -,g3 B -,g9 A -", hs_assemble_labels);
    /* Rows in the order of the labels, features by name, classes sorted. */
    hs_assemble_expect_rows(&w, "g2 yes: A C R\ng1 no: A B D R\ng3 yes: B R\n");
    assert_string_equal(hs_names_get(&w.data->class_names, 0), "no");
    assert_string_equal(w.data->class_attribute, "status");
    assert_string_equal(w.data->id_attribute, "gene");
    assert_int_equal(w.data->dag->edges, 5);
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_TERMS), 7);
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_TERMS_USED), 7);
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_EDGES), 6);
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_ANNOTATIONS), 4);
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_UNLABELLED), 1);
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_USED), 3);
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_OBJECTS), 4);
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_OBJECTS_UNKNOWN), 1);
    assert_string_equal(example(&w, HS_FOUND_OBJECTS_UNKNOWN, 0), "g9");
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_DIRECT), 3);
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_PROPAGATED), 6);
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_CANDIDATES), 5);
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_POSITIVES), 9);
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_INSTANCES), 3);
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_FEATURES), 5);
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_FEATURE_EDGES), 5);
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_CLASSES), 2);
    hs_assemble_world_clear(&w);
}

static void propagation_can_be_left_out(void **state)
{
    (void)state;
    hs_assemble_world w = hs_assemble_world_new("g1 D -,g2 C -,g3 R -", hs_assemble_labels);
    w.options.no_propagate = true;
    hs_assemble_expect_rows(&w, "g2 yes: C\ng1 no: D\ng3 yes: R\n");
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_PROPAGATED), 0);
    assert_int_equal(w.data->dag->edges, 2); /* through A and B, which are no features */
    hs_assemble_world_clear(&w);
}

static void rare_terms_and_roots_go(void **state)
{
    (void)state;
    hs_assemble_world w = hs_assemble_world_new("g1 D -,g2 C -,g3 B -", hs_assemble_labels);
    w.options.min_support = 2;
    hs_assemble_expect_rows(&w, "g2 yes: A R\ng1 no: A B R\ng3 yes: B R\n");
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_RARE), 2);
    assert_string_equal(example(&w, HS_FOUND_RARE, 0), "C");
    assert_string_equal(example(&w, HS_FOUND_RARE, 1), "D");
    hs_assemble_world_clear(&w);

    w = hs_assemble_world_new("g1 D -,g2 C -,g3 R -,g3 F -", hs_assemble_labels);
    w.options.drop_roots = true;
    /* F is positive, but has no child among the features: no root in this sense. */
    hs_assemble_expect_rows(&w, "g2 yes: A C\ng1 no: A B D\ng3 yes: F\n");
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_ROOTS), 1);
    assert_string_equal(example(&w, HS_FOUND_ROOTS, 0), "R");
    hs_assemble_world_clear(&w);
}

static void objects_without_features(void **state)
{
    (void)state;
    static const char labels[] = "id,class\ng1,a\ng2,b\ng3,a\ng4,b\n";
    hs_assemble_world w = hs_assemble_world_new("g1 D -,g2 R -,g4 NIX -", labels);
    w.options.drop_roots = true;
    hs_assemble_expect_rows(&w, "g1 a: A B D\n");
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_LABELS), 4);
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_NO_ANNOTATION), 1);
    assert_string_equal(example(&w, HS_FOUND_NO_ANNOTATION, 0), "g3");
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_NOTHING_LEFT), 2);
    assert_string_equal(example(&w, HS_FOUND_NOTHING_LEFT, 1), "g4");
    hs_assemble_world_clear(&w);

    w = hs_assemble_world_new("g1 D -,g2 R -,g4 NIX -", labels);
    w.options.empty = HS_EMPTY_KEEP;
    hs_assemble_expect_rows(&w, "g1 a: A B D R\ng2 b: R\ng3 a:\ng4 b:\n");
    hs_assemble_world_clear(&w);
}

static void names_of_terms_are_followed(void **state)
{
    (void)state;
    hs_assemble_world w = hs_assemble_world_new(
        "g1 D2 -,g1 NIX -,g2 OLD -,g2 GONE -,g3 NIX -,g3 B -,g3 GONE -,g1 D -", hs_assemble_labels);
    hs_assemble_expect_rows(&w, "g2 yes: A C R\ng1 no: A B D R\ng3 yes: B R\n");
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_ALTERNATE), 1);
    assert_string_equal(example(&w, HS_FOUND_ALTERNATE, 0), "D2 -> D");
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_REPLACED), 1);
    assert_string_equal(example(&w, HS_FOUND_REPLACED, 0), "OLD -> C");
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_OBSOLETE), 2);
    assert_int_equal(w.report.found[HS_FOUND_OBSOLETE].distinct, 1);
    assert_string_equal(example(&w, HS_FOUND_OBSOLETE, 0), "GONE");
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_UNKNOWN), 2);
    assert_int_equal(w.report.found[HS_FOUND_UNKNOWN].distinct, 1);
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_REPEATED), 1);
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_USED), 3);
    hs_assemble_world_clear(&w);
}

/* Replacements that lead to obsolete terms lead on; in a circle they lead nowhere. */
static void chains_of_replacements(void **state)
{
    (void)state;
    hs_assemble_world w = hs_assemble_world_new("g1 GONE -,g2 B -", hs_assemble_labels);
    uint32_t old = hs_names_find(&w.graph.terms, "OLD", 3);
    uint32_t gone = hs_names_find(&w.graph.terms, "GONE", 4);
    w.graph.replaced_by[gone] = old;
    hs_assemble_expect_rows(&w, "g2 yes: B R\ng1 no: A C R\n");
    assert_string_equal(example(&w, HS_FOUND_REPLACED, 0), "GONE -> C");
    hs_assemble_world_clear(&w);
    w = hs_assemble_world_new("g1 GONE -,g2 B -", hs_assemble_labels);
    w.graph.replaced_by[gone] = old;
    w.graph.replaced_by[old] = gone;
    hs_assemble_expect_rows(&w, "g2 yes: B R\n");
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_OBSOLETE), 1);
    hs_assemble_world_clear(&w);
}

static void merged_terms_are_followed(void **state)
{
    (void)state;
    hs_assemble_world w = hs_assemble_world_new("g1 B -,g2 A -", hs_assemble_labels);
    w.graph.merged_into = HS_NEW(uint32_t, w.graph.terms.count);
    assert_non_null(w.graph.merged_into);
    for (uint32_t t = 0; t < w.graph.terms.count; t++)
        w.graph.merged_into[t] = t;
    w.graph.merged_into[hs_names_find(&w.graph.terms, "B", 1)] =
        hs_names_find(&w.graph.terms, "A", 1);
    hs_assemble_expect_rows(&w, "g2 yes: A R\ng1 no: A R\n");
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_TERMS), 6);
    hs_assemble_world_clear(&w);
}

static void namespaces_are_chosen(void **state)
{
    (void)state;
    const char *wanted = "MF";
    hs_assemble_world w = hs_assemble_world_new("g1 G -,g2 D -,g2 F -,g3 B -", hs_assemble_labels);
    w.options.namespaces = (hs_list){.items = &wanted, .count = 1};
    hs_assemble_expect_rows(&w, "g2 yes: F\ng1 no: F G\n");
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_TERMS_USED), 2);
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_EDGES), 1);
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_NAMESPACE), 2);
    hs_assemble_world_clear(&w);
}

static void negated_annotations(void **state)
{
    (void)state;
    static const char annotations[] = "g1 D -,g1 C -,g1 !B -,g2 C -,g3 !C -,g3 B -,g2 !GONE -";
    hs_assemble_world w = hs_assemble_world_new(annotations, hs_assemble_labels);
    hs_assemble_expect_rows(&w, "g2 yes: A C R\ng1 no: A B C D R\ng3 yes: B R\n");
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_NEGATED), 3);
    hs_assemble_world_clear(&w);
    w = hs_assemble_world_new(annotations, hs_assemble_labels);
    w.options.negated = HS_NOT_IGNORE;
    hs_assemble_expect_rows(&w, "g2 yes: A C R\ng1 no: A B C D R\ng3 yes: A B C R\n");
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_NEGATED), 0);
    hs_assemble_world_clear(&w);
    /* Not B: D is below B, so it goes; C stays. */
    w = hs_assemble_world_new(annotations, hs_assemble_labels);
    w.options.negated = HS_NOT_BLOCK;
    hs_assemble_expect_rows(&w, "g2 yes: A C R\ng1 no: A C R\ng3 yes: B R\n");
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_NEGATED), 3);
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_BLOCKED), 1);
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_USED), 3);
    hs_assemble_world_clear(&w);
}

static void evidence_is_chosen(void **state)
{
    (void)state;
    static const char annotations[] = "g1 D IDA,g1 C IEA,g2 C hda,g3 B TAS,g3 A -";
    const char *words[] = {"experimental", "TAS"};
    hs_assemble_world w = hs_assemble_world_new(annotations, hs_assemble_labels);
    w.options.evidence = (hs_list){.items = words, .count = 2};
    hs_assemble_expect_rows(&w, "g2 yes: A C R\ng1 no: A B D R\ng3 yes: B R\n");
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_EVIDENCE), 2);
    hs_assemble_world_clear(&w);
    w = hs_assemble_world_new(annotations, hs_assemble_labels);
    words[0] = "Electronic";
    w.options.no_evidence = (hs_list){.items = words, .count = 2};
    hs_assemble_expect_rows(&w, "g2 yes: A C R\ng1 no: A B D R\ng3 yes: A R\n");
    hs_assemble_world_clear(&w);
}

/* Left out and used make up what was read. */
static void counts_add_up(void **state)
{
    (void)state;
    const char *word = "IEA", *space = "BP", *branch = "C";
    hs_folder folder;
    hs_folder_new(&folder);
    const char *list = hs_folder_file(&folder, "list.txt");
    FILE *file = fopen(list, "w");
    assert_non_null(file);
    fputs("g1\ng2\ng3\ng7\n", file);
    fclose(file);
    hs_assemble_world w =
        hs_assemble_world_new("g1 D IDA,g1 D TAS,g1 C IEA,g2 !B -,g2 D -,g2 C -,g3 NIX -,g3 GONE -,"
                              "g3 G -,g8 C -,g3 B -,g2 A -,g8 A -,g4 A -,g1 C -,g1 C -",
                              "gene\tstatus\ng2\tyes\ng1\tno\ng4\tyes\ng3\tyes\n");
    w.options.choose.exclude_branch = (hs_list){.items = &branch, .count = 1};
    w.options.choose.instances = list;
    w.options.no_evidence = (hs_list){.items = &word, .count = 1};
    w.options.namespaces = (hs_list){.items = &space, .count = 1};
    w.options.negated = HS_NOT_BLOCK;
    w.options.until = "2015-01-01";
    for (size_t i = 0; i < 15; i++) /* the last one has no date */
        w.annotations.entries[i].date = i < 14 ? 20150101 : 20150102;
    hs_assemble_expect_rows(&w, "g2 yes: A R\ng1 no: A B D R\ng3 yes: B R\n");
    uint64_t sum = 0;
    for (int kind = HS_FOUND_EVIDENCE; kind <= HS_FOUND_USED; kind++) {
        assert_true(w.report.found[kind].count > 0);
        sum += w.report.found[kind].count;
    }
    assert_int_equal(sum, 16);
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_ANNOTATIONS), 16);
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_BRANCH), 2);
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_NOT_CHOSEN), 1);
    assert_int_equal(hs_assemble_found(&w, HS_FOUND_CHOSEN_UNKNOWN), 1);
    hs_folder_free(&folder);
    hs_assemble_world_clear(&w);
}

static void positive_class_and_name(void **state)
{
    (void)state;
    hs_assemble_world w = hs_assemble_world_new("g1 D -,g2 C -", hs_assemble_labels);
    w.options.positive = "no";
    w.options.name = "tiny";
    hs_assemble_expect_rows(&w, "g2 yes: A C R\ng1 no: A B D R\n");
    assert_int_equal(w.data->positive_class, 0);
    assert_string_equal(w.data->name, "tiny");
    hs_assemble_world_clear(&w);
}

/* ---- what goes wrong ---- */

static void expect_refusal(hs_assemble_world *w, int status, const char *message)
{
    hsel_error error = {0};
    assert_int_equal(hs_assemble_world_run(w, &error), status);
    assert_string_equal(error.message, message);
    assert_null(w->data);
    hs_assemble_world_clear(w);
}

static void bad_wishes_are_refused(void **state)
{
    (void)state;
    const char *word = "BPX";
    hs_assemble_world w = hs_assemble_world_new("g1 D -,g3 NIX -", hs_assemble_labels);
    w.annotations.source = hs_strdup("annotations.gaf");
    w.options.unknown = HS_UNKNOWN_ERROR;
    expect_refusal(&w, HSEL_EFORMAT, "annotations.gaf:2: term NIX is not in the hierarchy");
    w = hs_assemble_world_new("g1 D -", hs_assemble_labels);
    w.options.namespaces = (hs_list){.items = &word, .count = 1};
    expect_refusal(&w, HSEL_EUSAGE,
                   "hierarchy: no namespace BPX in this file; it has: biological_process, "
                   "molecular_function");
    w = hs_assemble_world_new("g1 D IDA", hs_assemble_labels);
    word = "experimentel";
    w.options.evidence = (hs_list){.items = &word, .count = 1};
    expect_refusal(&w, HSEL_EUSAGE,
                   "unknown evidence code 'experimentel'; did you mean experimental?");
    w = hs_assemble_world_new("g1 D IDA", hs_assemble_labels);
    word = "Q7";
    w.options.no_evidence = (hs_list){.items = &word, .count = 1};
    expect_refusal(&w, HSEL_EUSAGE,
                   "unknown evidence code 'Q7'; codes are such as IDA or IEA, groups are "
                   "experimental, high-throughput, phylogenetic, computational, author, curator "
                   "and electronic");
    w = hs_assemble_world_new("g1 D -", hs_assemble_labels);
    word = "IDA";
    w.options.evidence = (hs_list){.items = &word, .count = 1};
    expect_refusal(&w, HSEL_EUSAGE, "annotations: it has no evidence codes to choose from");
}

static void empty_results_are_explained(void **state)
{
    (void)state;
    hs_assemble_world w = hs_assemble_world_new("", hs_assemble_labels);
    expect_refusal(&w, HSEL_EFORMAT, "annotations: no annotations in it");
    w = hs_assemble_world_new("x1 D -", hs_assemble_labels);
    expect_refusal(
        &w, HSEL_EFORMAT,
        "3 of 3 labelled objects are not annotated, such as g2; the annotations have names "
        "such as x1: are they of the same species and kind? mapping=FILE knows other "
        "names");
    w = hs_assemble_world_new("g1 NIX -", hs_assemble_labels);
    expect_refusal(&w, HSEL_EFORMAT,
                   "no annotation remains, so there are no features; most (1 of 1) were left out: "
                   "term not in the hierarchy");
    w = hs_assemble_world_new("", hs_assemble_labels);
    w.annotations.other_taxon = 3;
    expect_refusal(&w, HSEL_EFORMAT, "annotations: no annotations of the chosen species in it");
    w = hs_assemble_world_new("g1 D -", hs_assemble_labels);
    w.options.min_support = 3;
    expect_refusal(&w, HSEL_EFORMAT,
                   "2 of 3 labelled objects are not annotated, such as g2; the annotations have "
                   "names such as g1: are they of the same species and kind? mapping=FILE knows "
                   "other names");
    w = hs_assemble_world_new("g1 D -,g2 D -", hs_assemble_labels);
    w.options.min_support = 3;
    expect_refusal(&w, HSEL_EFORMAT, "no term is positive in 3 instances or more");
}

/* ---- memory ---- */

static int assemble_everything(void *context, hsel_error *error)
{
    (void)context;
    hs_assemble_world w = {
        .options = {.min_support = 1, .drop_roots = true, .negated = HS_NOT_BLOCK}};
    int status =
        hs_assemble_world_fill(&w, "g1 D2 IDA,g1 NIX -,g2 OLD -,g2 GONE -,g3 !D -,g3 B -,g9 C -",
                               hs_assemble_labels, error);
    if (!status)
        status = hs_assemble_world_run(&w, error);
    hs_assemble_world_clear(&w);
    return status;
}

/* With dates: D and what is below it are gained by g2 alone. */
static int assemble_gained(void *context, hsel_error *error)
{
    hs_list terms = {.items = (const char *[]){"D", "C"}, .count = 2};
    hs_labels labels = {0};
    hs_assemble_world w = {.options = {.min_support = 1, .since = "2019-12-31"}};
    int status = hs_assemble_world_fill(
        &w, "g1 D IDA,g2 B IDA,g3 A IEA,g2 D2 IDA,g3 OLD IMP,g4 D IDA", "g1\n", error);
    for (size_t i = 0; i < w.annotations.count; i++)
        w.annotations.entries[i].date = i < 3 ? 20150101 : 20200101;
    if (!status)
        status = hs_labels_gained(&w.options, &terms, &w.graph, &w.annotations, &labels, &w.report,
                                  error);
    if (!status)
        status =
            hs_assemble(&w.options, &w.graph, &w.annotations, &labels, &w.report, &w.data, error);
    if (!status) {
        hs_buf *out = context;
        out->length = 0;
        hs_buf_printf(out, "%llu %llu: ", (unsigned long long)w.report.found[HS_FOUND_HAD].count,
                      (unsigned long long)w.report.found[HS_FOUND_GAINED].count);
        for (uint32_t i = 0; i < labels.ids.count; i++) {
            const char *first = hs_label_of(&labels.columns[0], i),
                       *second = hs_label_of(&labels.columns[1], i);
            hs_buf_printf(out, "%s %s %s,", hs_names_get(&labels.ids, i), first ? first : "-",
                          second ? second : "-");
        }
        status = out->failed ? hs_fail_memory(error) : HSEL_OK;
    }
    hs_labels_clear(&labels);
    hs_assemble_world_clear(&w);
    return status;
}

static void classes_are_gained(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_buf out = {0};
    assert_ok(assemble_gained(&out, &error), error);
    assert_string_equal(out.text, "0 3: g1 - no,g2 yes no,g3 no yes,g4 yes no,");
    assert_true(hs_oom_each("gained", assemble_gained, &out) > 50);
    hs_buf_clear(&out);
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
        cmocka_unit_test(classes_are_gained),
        cmocka_unit_test(positive_class_and_name),
        cmocka_unit_test(bad_wishes_are_refused),
        cmocka_unit_test(empty_results_are_explained),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

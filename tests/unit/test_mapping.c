/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GPAD, phenotype.hpoa, phenopackets and GPI: what is read, and what is said about bad files. From
 * the objects of labels to those of annotations, and the labels of instances.
 */
#include "support/cmocka.h"

#include <string.h>

#include "core/mem.h"
#include "build/assemble.h"
#include "format/format.h"
#include "support/assemble_world.h"
#include "support/oom.h"

extern const hs_method hs_method_gaf, hs_method_gpad, hs_method_hpoa, hs_method_phenopackets,
    hs_method_gpi;

static int read_text(const hs_method *method, const char *text,
                     const hs_annotation_options *options, hs_annotations *out, hsel_error *error)
{
    hs_reader *reader = NULL;
    const hs_format *format = method->format;
    int status = hs_reader_open_memory("file", text, strlen(text), &reader, error);
    if (!status)
        status = format->read_annotations
                     ? format->read_annotations(reader, options, out, error)
                     : format->read_mapping(reader, options, &out->mapping, error);
    hs_reader_close(reader);
    return status;
}

/* "object term evidence" per line, "-" for none, "!" after a term that is negated; then the names
 * of objects, "record:kind text". */
static void expect_with(const hs_method *method, const hs_annotation_options *options,
                        const char *text, const char *expected)
{
    hs_annotations found = {0};
    hsel_error error = {0};
    hs_buf out = {0};
    assert_ok(read_text(method, text, options, &found, &error), error);
    hs_buf_text(&out, "");
    for (size_t i = 0; i < found.count; i++) {
        const hs_annotation *entry = &found.entries[i];
        hs_buf_printf(
            &out, "%s %s%s %s\n", hs_names_get(&found.objects, entry->object),
            hs_names_get(&found.terms, entry->term), entry->negated ? "!" : "",
            entry->evidence == HSEL_NONE ? "-" : hs_names_get(&found.evidence, entry->evidence));
    }
    const hs_mapping *names = &found.mapping;
    for (size_t i = 0; i < names->count; i++)
        hs_buf_printf(&out, "%u:%c %s\n", names->record[i], "isyeuot"[names->kind[i]],
                      hs_names_get(&names->texts, names->text[i]));
    assert_string_equal(out.text, expected);
    hs_buf_clear(&out);
    hs_annotations_clear(&found);
}

static void expect(const hs_method *method, const char *text, const char *expected)
{
    expect_with(method, NULL, text, expected);
}

static void expect_failure(const hs_method *method, const char *text, const char *message)
{
    hs_annotations found = {0};
    hsel_error error = {0};
    assert_int_equal(read_text(method, text, NULL, &found, &error), HSEL_EFORMAT);
    assert_string_equal(error.message, message);
    hs_annotations_clear(&found);
}

/* ---- formats ---- */

#define GPAD(first, second, third, term, eco, properties)                                          \
    first "\t" second "\t" third "\t" term "\tPMID:1\t" eco "\t\t\t20200101\tSRC\t\t" properties   \
          "\n"

static void gpad_is_read(void **state)
{
    (void)state;
    expect(
        &hs_method_gpad,
        "!gpa-version: 1.1\n!remark\n" GPAD("UniProtKB", "P1", "enables", "GO:1", "ECO:0000314", "")
            GPAD("MGI", "MGI:7", "involved_in|NOT", "GO:2", "ECO:0000501", "go_evidence=IDA|id=1")
                GPAD("WB", "W1", "NOT|", "GO:3", "ECO:0000318", "id=1")
                    GPAD("WB", "W1", "part_of", "GO:3", "ECO:1234567", "go_evidence="),
        "P1 GO:1 IDA\nMGI:7 GO:2! IDA\nW1 GO:3! IBA\nW1 GO:3 ECO:1234567\n");
    const char *second = GPAD("UniProtKB:P1", "", "RO:0002327", "GO:1", "ECO:0000353", "")
        GPAD("MGI:MGI:7", "NOT", "RO:0002331", "GO:2", "ECO:0006056", "a=b");
    expect(&hs_method_gpad, second, "P1 GO:1 IPI\nMGI:7 GO:2! HTP\n"); /* no version */
    expect(&hs_method_gpad, "WB\tW1\tenables\tGO:1\tR\t\t\t\t\tSRC\n", "W1 GO:1 -\n");
}

static void gpad_is_refused(void **state)
{
    (void)state;
    expect_failure(&hs_method_gpad, "!gpad-version: 3.1\n",
                   "file:1: unknown GPAD version 3.1 (known: 1.1 and 2.0)");
    expect_failure(&hs_method_gpad, "!gpad-version: 2.0\na\tb\n",
                   "file:2: 2 columns where GPAD has 10 to 12");
    expect_failure(&hs_method_gpad, "!gpad-version: 2.0\n" GPAD("P1", "", "R", "GO:1", "E", ""),
                   "file:2: the object P1 has no database before it");
    expect_failure(&hs_method_gpad, "!gpad-version: 2.0\n" GPAD("A:", "", "R", "GO:1", "E", ""),
                   "file:2: no object identifier (column 1)");
    expect_failure(&hs_method_gpad, "!gpad-version: 2.0\n" GPAD("A:1", "x", "R", "GO:1", "E", ""),
                   "file:2: x (column 2) where NOT or nothing is expected");
    expect_failure(&hs_method_gpad, "!gpa-version: 1.1\n" GPAD("A", "", "", "GO:1", "E", ""),
                   "file:2: no object identifier (column 2)");
    expect_failure(&hs_method_gpad, "!gpa-version: 1.1\n" GPAD("A", "B", "", "", "E", ""),
                   "file:2: no term (column 4)");
}

#define HPOA(disease, name, qualifier, term, frequency)                                            \
    disease "\t" name "\t" qualifier "\t" term "\tPMID:1\tPCS\t\t" frequency "\t\t\tP\tx\n"

static void hpoa_is_read(void **state)
{
    (void)state;
    expect(&hs_method_hpoa,
           "#version: 1\n"
           "database_id\tdisease_name\tqualifier\thpo_"
           "id\treference\tevidence\tonset\tfrequency\tsex\tmodifier\taspect\tbiocuration\n" HPOA(
               "OMIM:1", "Marfan syndrome", "", "HP:1", "113/146") HPOA("OMIM:1", "Marfan syndrome",
                                                                        "NOT", "HP:2", "")
               HPOA("ORPHA:2", "Two", "", "HP:1", "0/19") HPOA("ORPHA:2", "Two", "", "HP:2", "0%")
                   HPOA("ORPHA:2", "Two", "", "HP:3", "HP:0040285")
                       HPOA("ORPHA:2", "Two", "", "HP:4", "0.5%"),
           "OMIM:1 HP:1 PCS\nOMIM:1 HP:2! PCS\nORPHA:2 HP:1! PCS\nORPHA:2 HP:2! PCS\n"
           "ORPHA:2 HP:3! PCS\nORPHA:2 HP:4 PCS\n0:i OMIM:1\n0:t Marfan syndrome\n1:i ORPHA:2\n"
           "1:t Two\n");
    expect_failure(&hs_method_hpoa, "OMIM:1\tx\n", "file:1: 2 columns where phenotype.hpoa has 12");
    expect_failure(&hs_method_hpoa, "#a\n" HPOA("", "x", "", "HP:1", ""),
                   "file:2: no disease (column 1)");
    expect_failure(&hs_method_hpoa, HPOA("OMIM:1", "x", "", "", ""), "file:1: no term (column 4)");
}

static void phenopackets_are_read(void **state)
{
    (void)state;
    const char *several =
        "{\"id\": \"p1\", \"subject\": {\"id\": \"Ann\", \"alternateIds\": [\"A\", 7]},\n"
        " \"phenotypicFeatures\": [{\"type\": {\"id\": \"HP:1\"}},\n"
        " {\"type\": {\"id\": \"HP:2\"}, \"excluded\": true}]}\n"
        "{\"subject\": {\"id\": \"Bob\", \"taxonomy\": {\"id\": \"NCBITaxon:9606\"}},\n"
        " \"phenotypic_features\": [{\"type\": {\"id\": \"HP:1\"}, \"negated\": true},"
        " {\"type\": {\"id\": \"HP:3\"}, \"excluded\": false}]}";
    expect(&hs_method_phenopackets, several,
           "p1 HP:1 -\np1 HP:2! -\nBob HP:1! -\nBob HP:3 -\n"
           "0:i p1\n0:s Ann\n0:y A\n1:s Bob\n");
    expect_with(&hs_method_phenopackets, &(hs_annotation_options){.object_key = HS_OBJECT_SYMBOL},
                several,
                "Ann HP:1 -\nAnn HP:2! -\nBob HP:1! -\nBob HP:3 -\n"
                "0:i p1\n0:s Ann\n0:y A\n1:s Bob\n");
    const char *human = "taxon:9606";
    expect_with(&hs_method_phenopackets, &(hs_annotation_options){.taxon = {&human, 1, 1}}, several,
                "Bob HP:1! -\nBob HP:3 -\n0:s Bob\n");
    expect(&hs_method_phenopackets,
           "[{\"id\":\"a\",\"phenotypicFeatures\":[{\"type\":{\"id\":\"HP:1\"}}]},{\"id\":\"b\"}]",
           "a HP:1 -\n0:i a\n1:i b\n");
    expect(&hs_method_phenopackets,
           "{\"id\":\"c\",\"members\":[{\"id\":\"a\",\"phenotypicFeatures\":[{\"type\":{\"id\":"
           "\"HP:1\"}}]}]} {\"proband\":{\"id\":\"b\"},\"relatives\":[{\"id\":\"d\"}]}",
           "a HP:1 -\n0:i a\n1:i b\n2:i d\n");
}

static void phenopackets_are_refused(void **state)
{
    (void)state;
    const hs_method *m = &hs_method_phenopackets;
    expect_failure(m, "{\"id\":\"a\"}\n\n{\"phenotypicFeatures\":[]}",
                   "file:3: packet 2 has no id, nor a subject with one");
    expect_failure(m, "\n{\"id\":\"a\",\"phenotypicFeatures\":[{\"type\":{}}]}",
                   "file:2: packet 1 (a): phenotypic feature 1 has no type with an id");
    expect_failure(m,
                   "{\"id\":\"a\",\"phenotypicFeatures\":[{\"type\":{\"id\":\"H\"},\"excluded\":1}]"
                   "}",
                   "file:1: packet 1 (a): phenotypic feature 1: excluded is neither true nor "
                   "false");
    expect_failure(m, "{\"id\":\"a\",\"phenotypicFeatures\":{}}",
                   "file:1: packet 1 (a): phenotypicFeatures is not an array");
    expect_failure(m, "[[]]", "file:1: packet 1 is not an object");
    expect_failure(m, "{\"members\":1}", "file:1: members is not an array");
    hs_annotations found = {0};
    hsel_error error = {0};
    assert_int_equal(read_text(m, "{\"id\":\"a\"}\n{\"id\":\n}", NULL, &found, &error),
                     HSEL_EFORMAT);
    assert_int_equal(strncmp(error.message, "file:3: ", 8), 0);
    hs_annotations_clear(&found);
}

static void gpi_is_read(void **state)
{
    (void)state;
    expect(&hs_method_gpi,
           "!gpi-version: 1.2\n"
           "UniProtKB\tP1\tTP53\ttumor protein p53\tP53|LFS1\tprotein\ttaxon:9606\t\t"
           "ENSEMBL:ENSG1.4|UniProtKB:Q1|NCBIGene:7157|HGNC:HGNC:11998|RefSeq:NM_1\t\n"
           "WB\tW1\tabc-1\t\t\tgene\ttaxon:6239\n",
           "0:i P1\n0:s TP53\n0:t tumor protein p53\n0:y P53\n0:y LFS1\n0:e ENSG1\n0:u Q1\n"
           "0:o 7157\n0:o HGNC:11998\n0:o RefSeq:NM_1\n1:i W1\n1:s abc-1\n");
    const char *mouse = "10090";
    expect_with(&hs_method_gpi, &(hs_annotation_options){.taxon = {&mouse, 1, 1}},
                "!gpi-version: 2.0\n"
                "MGI:MGI:1\tAbc\tabc gene\tx\tSO:1\tNCBITaxon:10090\t\t\t\tUniProtKB:Q1\t\n"
                "WB:W1\tabc-1\t\t\tSO:1\tNCBITaxon:6239\n",
                "0:i MGI:1\n0:s Abc\n0:t abc gene\n0:y x\n0:u Q1\n");
    expect_failure(&hs_method_gpi, "a\tb\n", "file:1: no line !gpi-version before the first entry");
    expect_failure(&hs_method_gpi, "!gpi-version: 7\n",
                   "file:1: unknown GPI version 7 (known: 1.2 and 2.0)");
    expect_failure(&hs_method_gpi, "!gpi-version: 2.0\na:b\tc\n",
                   "file:2: 2 columns where GPI 2 has 6 to 11");
    expect_failure(&hs_method_gpi, "!gpi-version: 2.0\nb\tc\td\te\tf\tg\n",
                   "file:2: the identifier b has no database before it");
    expect_failure(&hs_method_gpi, "!gpi-version: 1.2\nWB\t\tc\td\te\tf\tg\n",
                   "file:2: no identifier (column 2)");
}

/* ---- mapping ---- */

/* Four annotated genes, and the names of five. */
static int fill(hs_assemble_world *w, const char *labels, hsel_error *error)
{
    int status = hs_assemble_world_fill(w, "1 C -,2 D -,3 C -,ENSG4.7 D -,5 C -", labels, error);
    hs_mapping *names = &w->annotations.mapping;
    const struct {
        const char *id, *symbol, *title, *synonyms, *others;
    } rows[] = {{"1", "AAA", "gene a", "A1|X", "ENSEMBL:ENSG1.2|UniProtKB:P1|HGNC:11"},
                {"2", "BBB", "gene b", "X|CCC", ""},
                {"3", "CCC", "", "", ""},
                {"9", "DDD", "not annotated", "", ""},
                {"5", "EEE", "gene e", "DDD", "UniProtKB:P5"}};
    for (size_t i = 0; !status && i < sizeof rows / sizeof *rows; i++) {
        uint32_t record;
        status = hs_mapping_record(names, rows[i].id, rows[i].symbol, rows[i].title,
                                   rows[i].synonyms, &record, error);
        if (!status)
            status = hs_mapping_add_list(names, record, HS_ALIAS_OTHER, rows[i].others,
                                         strlen(rows[i].others), error);
    }
    return status;
}

static int map(hs_assemble_world *w, hs_map_options options, hsel_error *error)
{
    int status = hs_map_objects(&w->annotations, &w->labels, &options, &w->report, error);
    return status ? status : hs_assemble_world_run(w, error);
}

/* Maps with the options and expects instances "id class label name given" (- for none). */
static void expect_map(const char *labels, hs_map_options options, const char *expected,
                       const char *counts)
{
    hs_assemble_world w = {.options = {.min_support = 1}};
    hsel_error error = {0};
    hs_buf out = {0};
    assert_ok(fill(&w, labels, &error), error);
    assert_ok(map(&w, options, &error), error);
    assert_ok(hsel_dataset_check(w.data, &error), error);
    const hs_about *about = &w.data->instance_about;
    for (uint32_t i = 0; i < w.data->instances; i++) {
        hs_buf_printf(&out, "%s %s", hs_names_get(&w.data->ids, i),
                      hs_names_get(&w.data->class_names, w.data->class_of[i]));
        const char *columns[] = {"label", "name", "given"};
        for (int c = 0; c < 3; c++) {
            const char *text = hs_about_get(about, i, hs_about_column(about, columns[c]));
            hs_buf_printf(&out, " %s", text ? text : "-");
        }
        hs_buf_char(&out, '\n');
    }
    assert_string_equal(out.text, expected);
    hs_buf_clear(&out);
    for (int kind = HS_FOUND_LABELS; kind <= HS_FOUND_NO_ANNOTATION; kind++) {
        const hs_finding *finding = &w.report.found[kind];
        if (!finding->count)
            continue;
        hs_buf_printf(&out, "%s %llu", hs_found_table[kind].key,
                      (unsigned long long)finding->count);
        for (uint32_t i = 0; i < finding->examples.count; i++)
            hs_buf_printf(&out, " (%s)", hs_names_get(&finding->examples, i));
        hs_buf_char(&out, '\n');
    }
    assert_string_equal(out.text, counts);
    hs_buf_clear(&out);
    hs_assemble_world_clear(&w);
}

static void objects_are_found(void **state)
{
    (void)state;
    /* Identifier, symbol before alias (CCC is also one of gene 2), Ensembl with and without
     * version, UniProt, other databases; DDD is the symbol of a gene without annotations, so it is
     * not looked up as an alias. */
    expect_map("gene\tclass\nAAA\ty\n2\tn\nCCC\ty\nENSG4\tn\nP5\ty\nDDD\tn\nnone\ty\n",
               (hs_map_options){0},
               "1 y AAA gene a AAA\n2 n BBB gene b -\n3 y CCC - CCC\nENSG4.7 n - - ENSG4\n"
               "5 y EEE gene e P5\n",
               "labelled 7\nby_identifier 1\nby_symbol 2 (AAA -> 1) (CCC -> 3)\n"
               "by_ensembl 1 (ENSG4 -> ENSG4.7)\nby_uniprot 1 (P5 -> 5)\n"
               "without_annotation 2 (DDD) (none)\n");
    expect_map("gene\tclass\nENSG1.9\ty\nUniProtKB:P5\tn\nENSG4.1\tn\n", (hs_map_options){0},
               "1 y AAA gene a ENSG1.9\n5 n EEE gene e UniProtKB:P5\nENSG4.7 n - - ENSG4.1\n",
               "labelled 3\nby_ensembl 2 (ENSG1.9 -> 1) (ENSG4.1 -> ENSG4.7)\n"
               "by_uniprot 1 (UniProtKB:P5 -> 5)\n");
    expect_map("gene\tclass\nHGNC:11\ty\nA1\tn\n2\tn\n",
               (hs_map_options){.conflicts = HS_CONFLICTS_DROP}, "2 n BBB gene b -\n",
               "labelled 2\nby_identifier 1\nby_alias 1 (A1 -> 1)\nby_reference 1 (HGNC:11 -> 1)\n"
               "conflicting 1 (1)\n");
    expect_map("gene\tclass\n1\ty\nBBB\tn\n", (hs_map_options){.none = true}, "1 y AAA gene a -\n",
               "labelled 2\nby_identifier 1\nwithout_annotation 1 (BBB)\n");
}

static void ambiguous_objects(void **state)
{
    (void)state;
    const char *labels = "gene\tclass\n5\tn\nX\ty\n3\ty\n";
    expect_map(labels, (hs_map_options){0}, "5 n EEE gene e -\n3 y CCC - -\n",
               "labelled 3\nby_identifier 2\nambiguous 1 (X -> 1 or 2)\n");
    expect_map(labels, (hs_map_options){.ambiguous = HS_AMBIGUOUS_FIRST},
               "5 n EEE gene e -\n1 y AAA gene a X\n3 y CCC - -\n",
               "labelled 3\nby_identifier 2\nambiguous_first 1 (X -> 1 or 2)\n");
    const struct {
        const char *labels, *message;
        hs_map_options options;
    } bad[] = {
        {labels, "labels.tsv:3: X may be 1 or 2", {.ambiguous = HS_AMBIGUOUS_ERROR}},
        {"gene\tclass\nX\ty\n",
         "labels.tsv: every object in it matches several annotated ones, such as X -> 1 or 2",
         {0}},
        {"gene\tclass\nAAA\ty\n1\tn\n",
         "labels.tsv:3: 1 is the same object (1) as AAA on line 2, but has class n here and class "
         "y there",
         {0}}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        hs_assemble_world w = {.options = {.min_support = 1}};
        hsel_error error = {0};
        assert_ok(fill(&w, bad[i].labels, &error), error);
        assert_int_equal(map(&w, bad[i].options, &error), HSEL_EFORMAT);
        assert_string_equal(error.message, bad[i].message);
        hs_assemble_world_clear(&w);
    }
    expect_map("gene\tclass\nAAA\ty\n1\tn\n2\tn\n",
               (hs_map_options){.conflicts = HS_CONFLICTS_FIRST},
               "1 y AAA gene a AAA\n2 n BBB gene b -\n",
               "labelled 2\nby_identifier 2\nby_symbol 1 (AAA -> 1)\n");
}

static int map_once(void *context, hsel_error *error)
{
    (void)context;
    hs_assemble_world w = {.options = {.min_support = 1}};
    int status = fill(&w, "gene\tclass\nAAA\ty\n2\tn\nX\ty\nENSG4\tn\n", error);
    if (!status)
        status = map(&w, (hs_map_options){0}, error);
    hs_assemble_world_clear(&w);
    return status;
}

static void mapping_without_memory(void **state)
{
    (void)state;
    hs_oom_each("mapping", map_once, NULL);
}

/* A symbol that is the identifier itself is not said again. */
static void symbols_as_identifiers(void **state)
{
    (void)state;
    hs_assemble_world w = {.options = {.min_support = 1}};
    hsel_error error = {0};
    const char *gaf = "DB\tP1\tabc-1\t\tC\tR\tIDA\t\tP\tfull name\tsyn\tprotein\ttaxon:1\t2020\tS\n"
                      "DB\tP2\tabc-2\t\tD\tR\tIDA\t\tP\t\t\tprotein\ttaxon:1\t2020\tS\n";
    assert_ok(hs_assemble_world_fill(&w, "", "gene\tclass\nabc-1\ty\nP2\tn\n", &error), error);
    assert_ok(read_text(&hs_method_gaf, gaf,
                        &(hs_annotation_options){.object_key = HS_OBJECT_SYMBOL}, &w.annotations,
                        &error),
              error);
    assert_ok(map(&w, (hs_map_options){0}, &error), error);
    assert_string_equal(hs_names_get(&w.data->ids, 1), "abc-2");
    assert_string_equal(hs_about_label(&w.data->instance_about, 0), "full name");
    assert_null(hs_about_label(&w.data->instance_about, 1));
    hs_assemble_world_clear(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gpad_is_read),
                                       cmocka_unit_test(gpad_is_refused),
                                       cmocka_unit_test(hpoa_is_read),
                                       cmocka_unit_test(phenopackets_are_read),
                                       cmocka_unit_test(phenopackets_are_refused),
                                       cmocka_unit_test(gpi_is_read),
                                       cmocka_unit_test(objects_are_found),
                                       cmocka_unit_test(ambiguous_objects),
                                       cmocka_unit_test(mapping_without_memory),
                                       cmocka_unit_test(symbols_as_identifiers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

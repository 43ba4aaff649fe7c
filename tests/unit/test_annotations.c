/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Annotation formats GAF, gene2go and pairs: what is read, and what is said about bad files.
 */
#include "support/cmocka.h"

#include <string.h>

#include "core/mem.h"
#include "format/format.h"
#include "support/oom.h"

extern const hs_method hs_method_gaf, hs_method_gene2go, hs_method_pairs;

static int read_text(const hs_method *method, const char *text,
                     const hs_annotation_options *options, hs_annotations *out, hsel_error *error)
{
    hs_reader *reader = NULL;
    int status = hs_reader_open_memory("file", text, strlen(text), &reader, error);
    if (!status)
        status = method->format->read_annotations(reader, options, out, error);
    hs_reader_close(reader);
    return status;
}

/* "object term evidence" a line, "-" for none, "!" after a term that is negated. */
static void show(const hs_annotations *annotations, hs_buf *out)
{
    for (size_t i = 0; i < annotations->count; i++) {
        const hs_annotation *entry = &annotations->entries[i];
        hs_buf_printf(out, "%s %s%s %s\n", hs_names_get(&annotations->objects, entry->object),
                      hs_names_get(&annotations->terms, entry->term), entry->negated ? "!" : "",
                      entry->evidence == HSEL_NONE
                          ? "-"
                          : hs_names_get(&annotations->evidence, entry->evidence));
    }
}

static void expect_with(const hs_method *method, const hs_annotation_options *options,
                        const char *text, const char *expected)
{
    hs_annotations annotations = {0};
    hsel_error error = {0};
    hs_buf shown = {0};
    assert_ok(read_text(method, text, options, &annotations, &error), error);
    hs_buf_text(&shown, "");
    show(&annotations, &shown);
    assert_string_equal(shown.text ? shown.text : "", expected);
    hs_buf_clear(&shown);
    hs_annotations_clear(&annotations);
}

static void expect(const hs_method *method, const char *text, const char *expected)
{
    expect_with(method, NULL, text, expected);
}

static void expect_failure(const hs_method *method, const char *text, const char *message)
{
    hs_annotations annotations = {0};
    hsel_error error = {0};
    assert_int_equal(read_text(method, text, NULL, &annotations, &error), HSEL_EFORMAT);
    assert_string_equal(error.message, message);
    hs_annotations_clear(&annotations);
}

#define GAF(object, symbol, qualifier, term, evidence, taxon)                                      \
    "DB\t" object "\t" symbol "\t" qualifier "\t" term "\tREF\t" evidence                          \
    "\t\tP\tname\tsyn\tprotein\t" taxon "\t20200101\tSRC"

/* clang-format off */
static const char gaf_text[] =
    "!gaf-version: 2.2\n"
    "! a remark\n"
    GAF("g1", "abc-1", "enables", "GO:1", "IDA", "taxon:6239") "\t\t\n"
    GAF("g2", "abc-2", "NOT|involved_in", "GO:2", "IEA", "taxon:6239|taxon:5833") "\n"
    "\n"
    GAF("g1", "abc-1", "", "GO:3", "", "taxon:7227") "\r\n";

static const char gaf_qualifiers[] =
    GAF("a", "s", "part_of|not", "T", "E", "taxon:1") "\n"
    GAF("a", "s", " Not ", "T", "E", "taxon:1") "\n"
    GAF("a", "s", "NOTHING", "T", "E", "taxon:1") "\n"
    GAF("a", "s", "|", "T", "E", "taxon:1") "\n";
/* clang-format on */

static void gaf_is_read(void **state)
{
    (void)state;
    expect(&hs_method_gaf, gaf_text, "g1 GO:1 IDA\ng2 GO:2! IEA\ng1 GO:3 -\n");
    expect(&hs_method_gaf, "", "");
    expect(&hs_method_gaf, "!gaf-version: 1.0\n!\n", "");
}

static void gaf_not_stands_anywhere_in_the_qualifier(void **state)
{
    (void)state;
    expect(&hs_method_gaf, gaf_qualifiers, "a T! E\na T! E\na T E\na T E\n");
}

static void dates_are_days(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t date;
    } cases[] = {{"20150131", 20150131},
                 {"2015-01-31", 20150131},
                 {"2015-12-01T23:59:59Z", 20151201},
                 {"2015-12-01 23:59", 20151201},
                 {"20151201T10", 20151201},
                 {"", 0},
                 {"2015", 0},
                 {"2015-12", 0},
                 {"2015-1201", 0},
                 {"201512-01", 0},
                 {"20151301", 0},
                 {"20151232", 0},
                 {"20150001", 0},
                 {"201512011", 0},
                 {"2015-12-01x", 0},
                 {"2015120a", 0},
                 {"--------", 0},
                 {" 20151201", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(hs_annotation_date(cases[i].text, strlen(cases[i].text)), cases[i].date);
}

static void gaf_objects_by_symbol(void **state)
{
    (void)state;
    hs_annotation_options options = {.object_key = HS_OBJECT_SYMBOL};
    expect_with(&hs_method_gaf, &options, gaf_text,
                "abc-1 GO:1 IDA\nabc-2 GO:2! IEA\nabc-1 GO:3 -\n");
}

static void taxa_are_chosen(void **state)
{
    (void)state;
    const char *wanted[] = {"6239", "taxon:10090"};
    hs_annotation_options options = {.taxon = {.items = wanted, .count = 2}};
    hs_annotations annotations = {0};
    hsel_error error = {0};
    assert_ok(read_text(&hs_method_gaf, gaf_text, &options, &annotations, &error), error);
    assert_int_equal(annotations.count, 2);
    assert_int_equal(annotations.other_taxon, 1);
    hs_annotations_clear(&annotations);
    /* The second taxon of an interaction is not the object's. */
    wanted[0] = "5833";
    expect_with(&hs_method_gaf, &options, gaf_text, "");
    expect_with(&hs_method_gene2go, &options,
                "#tax_id\tGeneID\tGO_ID\n10090\t1\tT\n6239\t2\tT\n5833\t3\tT\n", "1 T -\n3 T -\n");
}

static void first_lines_are_noted(void **state)
{
    (void)state;
    hs_annotations annotations = {0};
    hsel_error error = {0};
    assert_ok(read_text(&hs_method_gaf, gaf_text, NULL, &annotations, &error), error);
    assert_int_equal(annotations.first_line[0], 3);
    assert_int_equal(annotations.first_line[1], 4);
    assert_int_equal(annotations.first_line[2], 6);
    hs_annotations_clear(&annotations);
}

static void bad_gaf_is_refused(void **state)
{
    (void)state;
    expect_failure(&hs_method_gaf, "!gaf-version: 3.0\n",
                   "file:1: unknown GAF version 3.0 (known: 1.0 to 2.2)");
    expect_failure(&hs_method_gaf, "!\na\tb\n", "file:2: 2 columns where GAF has 15 to 17");
    expect_failure(&hs_method_gaf, GAF("a", "s", "", "T", "E", "taxon:1") "\t\t\t\n",
                   "file:1: 18 columns where GAF has 15 to 17");
    expect_failure(&hs_method_gaf, GAF("", "s", "", "T", "E", "taxon:1") "\n",
                   "file:1: no object identifier (column 2)");
    expect_failure(&hs_method_gaf, GAF("a", "s", "", " ", "E", "taxon:1") "\n",
                   "file:1: no term (column 5)");
}

static void gene2go_is_read_by_its_header(void **state)
{
    (void)state;
    expect(&hs_method_gene2go,
           "#tax_id\tGeneID\tGO_ID\tEvidence\tQualifier\tGO_term\tPubMed\tCategory\n"
           "9606\t1\tGO:1\tIDA\tenables\tx\t-\tFunction\n"
           "9606\t1\tGO:2\tIEA\tNOT involved_in\tx\t1|2\tProcess\n"
           "9606\t2\tGO:2\t-\t-\tx\t-\tProcess\n",
           "1 GO:1 IDA\n1 GO:2! IEA\n2 GO:2 -\n");
    expect(&hs_method_gene2go,
           "#tax_id\tGeneID\tGO_ID\tCategory\n6239\t171590\tGO:0000003\tProcess\n",
           "171590 GO:0000003 -\n");
    /* Any order, any case, without the sign; later comments are skipped. */
    expect(&hs_method_gene2go, "go_id\tgeneid\tother\tqualifier\n#x\nT\tg\t\tNOT\n", "g T! -\n");
    expect(&hs_method_gene2go,
           "#Format: tax_id GeneID GO_ID Evidence Qualifier GO_term PubMed Category (tab is used "
           "as a separator, pound sign - start of a comment)\n"
           "9606\t1\tGO:1\tIDA\tNOT\tx\t-\tFunction\n",
           "1 GO:1! IDA\n");
}

static void gene2go_without_header_has_eight_columns(void **state)
{
    (void)state;
    expect(&hs_method_gene2go, "9606\t1\tGO:1\tIDA\tNOT\tx\t-\tFunction\n", "1 GO:1! IDA\n");
    expect_failure(&hs_method_gene2go, "9606\t1\tGO:1\tFunction\n",
                   "file:1: no header with GeneID and GO_ID, and not the 8 columns of gene2go");
}

static void bad_gene2go_is_refused(void **state)
{
    (void)state;
    expect_failure(&hs_method_gene2go, "#tax_id\tGeneID\tCategory\n",
                   "file:1: the header has no column GO_ID");
    expect_failure(&hs_method_gene2go, "#tax_id\tGO_ID\n",
                   "file:1: the header has no column GeneID");
    expect_failure(&hs_method_gene2go, "#GeneID\tGO_ID\tGeneID\n",
                   "file:1: column GeneID is in the header twice");
    expect_failure(&hs_method_gene2go, "#GeneID\tGO_ID\n1\tT\n2\n",
                   "file:3: 1 columns where the header has 2");
    expect_failure(&hs_method_gene2go, "#GeneID\tGO_ID\n1\t-\n", "file:2: no GO_ID (column 2)");
    expect_failure(&hs_method_gene2go, "#GeneID\tGO_ID\n\tT\n", "file:2: no GeneID (column 1)");
}

static void pairs_are_read(void **state)
{
    (void)state;
    expect(&hs_method_pairs, "a\tT1\nb\tT2\n", "a T1 -\nb T2 -\n");
    expect(&hs_method_pairs, "a, T1\nb,T2\n", "a T1 -\nb T2 -\n");
    expect(&hs_method_pairs, "  a   T1\nb T2 \n", "a T1 -\nb T2 -\n");
    expect(&hs_method_pairs, "# remark\ngene\tGO_ID\na\tT1\n", "a T1 -\n");
    /* A first line that does not look like a header is none. */
    expect(&hs_method_pairs, "gene\tGO:1\n", "gene GO:1 -\n");
    /* Only the first line can be a header. */
    expect(&hs_method_pairs, "a\tT1\nb\tterm\n", "a T1 -\nb term -\n");
    expect(&hs_method_pairs, "\"a b\",\"T1\"\n", "a b T1 -\n");
}

static void pairs_take_several_terms(void **state)
{
    (void)state;
    static const char *const texts[] = {"a\tT1; T2|T3,T4;\n",      "a\t\"T1; T2|T3,T4\"\n",
                                        "a,T1;T2|T3 | T4\n",       "a,\"T1,T2;T3|T4\"\n",
                                        "\"a\",\"T1,\nT2;T3|T4\"", "a;T1,T2,T3|T4\n",
                                        "a;\"T1;T2,T3;T4\"\n",     "a,T1;T2\ra,T3;T4\r"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect(&hs_method_pairs, texts[i], "a T1 -\na T2 -\na T3 -\na T4 -\n");
    /* Blanks before the comma: between the columns if terms follow, else part of the object. */
    expect(&hs_method_pairs, "a GO:1,GO:2\nb GO:3\n", "a GO:1 -\na GO:2 -\nb GO:3 -\n");
    expect(&hs_method_pairs, "a GO:1;GO:2\nb GO:3\n", "a GO:1 -\na GO:2 -\nb GO:3 -\n");
    expect(&hs_method_pairs, "a b,GO:1\nc,GO:2\n", "a b GO:1 -\nc GO:2 -\n");
    hs_annotation_options none = {.separators = ""}, blanks = {.separators = " /"};
    expect_with(&hs_method_pairs, &none, "a\tCity, in Europe;x\n", "a City, in Europe;x -\n");
    expect_with(&hs_method_pairs, &none, "a,\"City, in Europe;x\"\n", "a City, in Europe;x -\n");
    expect_with(&hs_method_pairs, &blanks, "a\tT1 T2/T3;4\n", "a T1 -\na T2 -\na T3;4 -\n");
    expect_with(&hs_method_pairs, &blanks, "a,T1 T2/T3;4\n", "a T1 -\na T2 -\na T3;4 -\n");
}

static void an_object_without_terms_is_known(void **state)
{
    (void)state;
    hs_annotations annotations = {0};
    hsel_error error = {0};
    assert_ok(read_text(&hs_method_pairs, "a\tT\nb\t\n", NULL, &annotations, &error), error);
    assert_int_equal(annotations.count, 1);
    assert_int_equal(annotations.objects.count, 2);
    hs_annotations_clear(&annotations);
}

static void bad_pairs_are_refused(void **state)
{
    (void)state;
    expect_failure(&hs_method_pairs, "a\tb\nc\n",
                   "file:2: 1 column where 2 are expected: object and term");
    expect_failure(&hs_method_pairs, "a\tb\tc\n",
                   "file:1: 3 columns where 2 are expected: object and term; put several terms of "
                   "an object into quotes, or separate them by another character than the columns");
    expect_failure(&hs_method_pairs, "a b c\n",
                   "file:1: 3 columns where 2 are expected: object and term; put several terms of "
                   "an object into quotes, or separate them by another character than the columns");
    expect_failure(&hs_method_pairs, "\tb\n", "file:1: no object (column 1)");
}

static int sniff(const hs_method *method, const char *text) { return method->format->sniff(text); }

/* In the role of annotations each text is the surest for its own format. */
static void formats_are_told_apart(void **state)
{
    (void)state;
    const hs_method *const methods[] = {&hs_method_gaf, &hs_method_gene2go, &hs_method_pairs};
    static const struct {
        const char *text;
        int owner;
    } cases[] = {{gaf_text, 0},
                 {"! remark\n" GAF("a", "s", "", "T", "E", "taxon:1") "\n", 0},
                 {"!generated-by: x\n!gaf-version: 2.1\n", 0},
                 {"#tax_id\tGeneID\tGO_ID\tCategory\n6239\t1\tGO:1\tProcess\n", 1},
                 {"#Format: tax_id GeneID GO_ID Evidence (tab)\n", 1},
                 {"9606\t1\tGO:1\tIDA\tNOT\tx\t-\tFunction\n", 1},
                 {"GeneID\tGO_ID\n1\tGO:1\n", 1},
                 {"a\tT\n", 2},
                 {"# x\na,T\n", 2},
                 {"a T\n", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int m = 0; m < 3; m++)
            if (m != cases[i].owner)
                assert_true(sniff(methods[cases[i].owner], cases[i].text) >
                            sniff(methods[m], cases[i].text));
    assert_int_equal(sniff(&hs_method_gaf, ""), 0);
    assert_int_equal(sniff(&hs_method_gene2go, ""), 0);
    assert_int_equal(sniff(&hs_method_pairs, ""), 0);
    assert_int_equal(sniff(&hs_method_gaf, "!"), 0);
}

static int read_everything(void *context, hsel_error *error)
{
    (void)context;
    hs_annotations annotations = {0};
    int status = read_text(&hs_method_gaf, gaf_text, NULL, &annotations, error);
    if (!status)
        status = read_text(&hs_method_gene2go, "#GeneID\tGO_ID\tEvidence\n1\tT\tIDA\n", NULL,
                           &annotations, error);
    if (!status)
        status = read_text(&hs_method_pairs, "a\tT1;T2\n", NULL, &annotations, error);
    hs_annotations_clear(&annotations);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(hs_oom_each("annotations", read_everything, NULL) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaf_is_read),
        cmocka_unit_test(gaf_not_stands_anywhere_in_the_qualifier),
        cmocka_unit_test(dates_are_days),
        cmocka_unit_test(gaf_objects_by_symbol),
        cmocka_unit_test(taxa_are_chosen),
        cmocka_unit_test(first_lines_are_noted),
        cmocka_unit_test(bad_gaf_is_refused),
        cmocka_unit_test(gene2go_is_read_by_its_header),
        cmocka_unit_test(gene2go_without_header_has_eight_columns),
        cmocka_unit_test(bad_gene2go_is_refused),
        cmocka_unit_test(pairs_are_read),
        cmocka_unit_test(pairs_take_several_terms),
        cmocka_unit_test(an_object_without_terms_is_known),
        cmocka_unit_test(bad_pairs_are_refused),
        cmocka_unit_test(formats_are_told_apart),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

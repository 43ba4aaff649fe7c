/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * OBO: stanzas, relations, namespaces, escapes, what can be wrong, writing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/graph_text.h"

extern const hs_method hs_method_obo, hs_method_rdf, hs_method_edges, hs_method_ancestors;
#define OBO (&hs_method_obo)

static const char small[] = "format-version: 1.2\n"
                            "default-namespace: biological_process\n"
                            "\n"
                            "[Term]\n"
                            "id: GO:3\n"
                            "name: third thing {source=\"x\"} ! said so\n"
                            "is_a: GO:1 ! first\n"
                            "is_a: GO:2 {is_inferred=\"true\"} ! second\n"
                            "relationship: part_of GO:4 ! fourth\n"
                            "intersection_of: GO:2\n"
                            "intersection_of: part_of GO:99\n"
                            "\n"
                            "[Term]\n"
                            "id: GO:1\n"
                            "name: first\n"
                            "alt_id: GO:11\n"
                            "alt_id: GO:12\n"
                            "def: \"A {strange} def! with: colons\" [GOC:x]\n"
                            "\n"
                            "[Typedef]\n"
                            "id: part_of\n"
                            "name: part of\n"
                            "is_a: overlaps\n"
                            "\n"
                            "[Term]\n"
                            "id: GO:2\n"
                            "is_a: GO:1\n"
                            "namespace: biological_process\n"
                            "\n"
                            "[Instance]\n"
                            "id: GO:5\n"
                            "is_a: GO:77\n"
                            "\n"
                            "[Term]\n"
                            "id: GO:4\n"
                            "name: fourth\n"
                            "namespace: cellular_component\n"
                            "relationship: regulates GO:1\n"
                            "\n"
                            "[Term]\n"
                            "id: GO:6\n"
                            "name: obsolete sixth\n"
                            "is_obsolete: true\n"
                            "replaced_by: GO:2\n"
                            "replaced_by: GO:4\n"
                            "consider: GO:1\n";

static void test_default_is_a(void **state)
{
    (void)state;
    expect_graph(OBO, "s.obo", small, NULL,
                 "terms [GO:3][GO:1][GO:2][GO:4][GO:6] edges [GO:3>GO:1][GO:3>GO:2][GO:2>GO:1] "
                 "titles [third thing][first][][fourth][obsolete sixth] spaces "
                 "[biological_process][biological_process]"
                 "[biological_process][cellular_component][biological_process] obsolete [GO:6] "
                 "alternate [GO:11=GO:1] alternate [GO:12=GO:1] replaced [GO:6=GO:2]");
}

static void test_relations(void **state)
{
    (void)state;
    const char *content = "[Term]\nid: a\nis_a: b\nrelationship: part_of c\n[Term]\nid: "
                          "b\nrelationship: regulates c {x=\"y\"}\n"
                          "[Term]\nid: c\n[Typedef]\nid: never_used\n";
    hs_graph_options both = {.relations = TEXT_LIST("part_of", "is_a")},
                     part = {.relations = TEXT_LIST("part_of")},
                     declared = {.relations = TEXT_LIST("never_used")},
                     unknown = {.relations = TEXT_LIST("is_a", "part-of")};
    expect_graph(OBO, "r", content, NULL, "terms [a][b][c] edges [a>b] titles [][][]");
    expect_graph(OBO, "r", content, &both, "terms [a][b][c] edges [a>b][a>c] titles [][][]");
    expect_graph(OBO, "r", content, &part, "terms [a][b][c] edges [a>c] titles [][][]");
    expect_graph(OBO, "r", content, &declared, "terms [a][b][c] edges  titles [][][]");
    expect_failure(
        OBO, "r.obo", content, &unknown, HSEL_EUSAGE,
        "r.obo: no relation part-of in this file; it has: is_a, part_of, regulates, never_used");
}

static void test_namespaces(void **state)
{
    (void)state;
    hs_graph_options bp = {.namespaces = TEXT_LIST("bp")},
                     cc = {.namespaces = TEXT_LIST("Cellular_Component")},
                     all = {.namespaces = TEXT_LIST("BP", "CC"),
                            .relations = TEXT_LIST("part_of", "regulates")},
                     mf = {.namespaces = TEXT_LIST("CC", "MF")};
    expect_graph(OBO, "s", small, &bp,
                 "terms [GO:3][GO:1][GO:2][GO:6] edges [GO:3>GO:1][GO:3>GO:2][GO:2>GO:1] "
                 "titles [third thing][first][][obsolete sixth] spaces "
                 "[biological_process][biological_process]"
                 "[biological_process][biological_process] obsolete [GO:6] alternate [GO:11=GO:1] "
                 "alternate [GO:12=GO:1] replaced [GO:6=GO:2]");
    expect_graph(OBO, "s", small, &cc,
                 "terms [GO:4] edges  titles [fourth] spaces [cellular_component]");
    expect_graph(OBO, "s", small, &all,
                 "terms [GO:3][GO:1][GO:2][GO:4][GO:6] edges [GO:3>GO:4][GO:4>GO:1] "
                 "titles [third thing][first][][fourth][obsolete sixth] spaces "
                 "[biological_process][biological_process]"
                 "[biological_process][cellular_component][biological_process] obsolete [GO:6] "
                 "alternate [GO:11=GO:1] alternate [GO:12=GO:1] replaced [GO:6=GO:2]");
    expect_failure(
        OBO, "s.obo", small, &mf, HSEL_EUSAGE,
        "s.obo: no namespace MF in this file; it has: biological_process, cellular_component");
    expect_failure(OBO, "n.obo", "[Term]\nid: a\n", &bp, HSEL_EUSAGE,
                   "n.obo: no namespace bp in this file; it has: none");
}

/* A parent that is filtered out takes the edge with it; one that is not declared at all is still an
 * error. */
static void test_filter_and_unknown(void **state)
{
    (void)state;
    hs_graph_options x = {.namespaces = TEXT_LIST("X")};
    const char *head = "[Term]\nid: a\nnamespace: x\nis_a: b\n[Term]\nid: b\nnamespace: y\n";
    expect_graph(OBO, "f", head, &x, "terms [a] edges  titles [] spaces [x]");
    expect_failure(OBO, "f.obo", "[Term]\nid: a\nnamespace: x\nis_a: nowhere\n", &x, HSEL_EFORMAT,
                   "f.obo:4: is_a names unknown term nowhere");
}

static void test_escapes(void **state)
{
    (void)state;
    expect_graph(OBO, "e",
                 "[Term]\nid: a\\:b\\Wc\\!\nname: one \\! two\\, \\{three\\}\\n! gone\n"
                 "is_a: d\\\\e\n\n[Term] ! here too\nid:d\\\\e{m=\"1\"}\nname: un! broken {x}y\n",
                 NULL,
                 "terms [a:b c!][d\\e] edges [a:b c!>d\\e] titles [one ! two, {three}\n! gone][un! "
                 "broken {x}y]");
    expect_graph(OBO, "e", "[Term]\nid: a\nname: long \\\nname\n  is_a: a! self\n", NULL,
                 "terms [a] edges [a>a] titles [long   name]");
    expect_graph(OBO, "e",
                 "\xEF\xBB\xBF"
                 "[Term]\r\nid: a\r\nname: b\\\\\r\n! comment\r\n",
                 NULL, "terms [a] edges  titles [b\\]");
}

static void test_bad_input(void **state)
{
    (void)state;
    expect_failure(OBO, "b.obo", "", NULL, HSEL_EFORMAT,
                   "b.obo: no [Term] stanza in this OBO file");
    expect_failure(OBO, "b.obo", "format-version: 1.2\n", NULL, HSEL_EFORMAT,
                   "b.obo: no [Term] stanza in this OBO file");
    expect_failure(OBO, "b.obo", "format-version: 1.2\n\n[Term]\nname: x\n\n[Term]\nid: a\n", NULL,
                   HSEL_EFORMAT, "b.obo:3: a [Term] stanza without an id");
    expect_failure(OBO, "b.obo", "[Term]\n", NULL, HSEL_EFORMAT,
                   "b.obo:1: a [Term] stanza without an id");
    expect_failure(OBO, "b.obo",
                   "[Term]\nid: a\nis_a: b\nis_a: GO:0099999 ! nothing\n[Term]\nid: b\n", NULL,
                   HSEL_EFORMAT, "b.obo:4: is_a names unknown term GO:0099999");
    hs_graph_options part = {.relations = TEXT_LIST("part_of")};
    const char *dangling = "[Term]\nid: a\nrelationship: part_of CL:1\n";
    expect_graph(OBO, "b", dangling, NULL, "terms [a] edges  titles []");
    expect_failure(OBO, "b.obo", dangling, &part, HSEL_EFORMAT,
                   "b.obo:3: relationship part_of names unknown term CL:1");
    expect_failure(OBO, "b.obo", "[Term]\nid: a\n\n[Term]\nid: b\n\n[Term]\nid: a\n", NULL,
                   HSEL_EFORMAT, "b.obo:8: term a is declared a second time (first on line 1)");
    expect_failure(OBO, "b.obo", "[Term]\nid: a\nid: b\n", NULL, HSEL_EFORMAT,
                   "b.obo:3: a second id in one stanza");
    expect_failure(OBO, "b.obo", "[Term]\nid:  ! none\n", NULL, HSEL_EFORMAT,
                   "b.obo:2: id without a value");
    expect_failure(OBO, "b.obo", "[Term]\nid: a\nis_a:\n", NULL, HSEL_EFORMAT,
                   "b.obo:3: is_a without a value");
    expect_failure(OBO, "b.obo", "[Term]\nid: a\nrelationship:\n", NULL, HSEL_EFORMAT,
                   "b.obo:3: relationship without a value");
    expect_failure(OBO, "b.obo", "[Term]\nid: a\nrelationship: part_of ! b\n", NULL, HSEL_EFORMAT,
                   "b.obo:3: relationship part_of names no term");
    expect_failure(OBO, "b.obo", "[Term]\nid: my term\n", NULL, HSEL_EFORMAT,
                   "b.obo:2: unexpected text after the identifier my");
    expect_failure(OBO, "b.obo", "[Term]\nid: a\nnamespace:\n", NULL, HSEL_EFORMAT,
                   "b.obo:3: namespace without a value");
    expect_failure(OBO, "b.obo", "[Term\nid: a\n", NULL, HSEL_EFORMAT,
                   "b.obo:1: a stanza header without a closing bracket");
    expect_failure(OBO, "b.obo", "[Term]\nid: a\nrubbish\n", NULL, HSEL_EFORMAT,
                   "b.obo:3: expected 'tag: value' as in an OBO file");
    expect_failure(OBO, "b.obo", "\x01\x02\xff\n", NULL, HSEL_EFORMAT,
                   "b.obo:1: expected 'tag: value' as in an OBO file");
    expect_failure_bytes(OBO, "b.obo", "[Term]\nid: a\0b\n", 15, NULL, HSEL_EFORMAT,
                         "b.obo:2: NUL byte: this is not a text file");
}

static void test_sniff(void **state)
{
    (void)state;
    assert_int_equal(sniff_text(OBO, small), 98);
    assert_int_equal(sniff_text(OBO, "! x\n\n[Term]\nid: a\n"), 95);
    assert_int_equal(sniff_text(OBO, "ontology: x\n[Typedef]\n"), 95);
    assert_int_equal(sniff_text(OBO, ""), 0);
    assert_int_equal(sniff_text(OBO, "a\tb\n"), 0);
    assert_int_equal(sniff_text(OBO, "@prefix a: <b> .\n"), 0);
    assert_true(sniff_text(&hs_method_edges, small) < 98);
    assert_true(sniff_text(&hs_method_ancestors, small) < 98);
}

static void test_write(void **state)
{
    (void)state;
    expect_written(
        &hs_method_edges, "c\tNew York, {NY}!\nc\tb\\\n", OBO,
        "format-version: 1.2\n\n[Term]\nid: c\nis_a: New\\WYork,\\W\\{NY}\\!\nis_a: b\\\\\n"
        "\n[Term]\nid: New\\WYork,\\W\\{NY}\\!\n\n[Term]\nid: b\\\\\n");
    expect_write_failure(
        &hs_method_rdf, "<a> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <b\\u000Dc> .\n",
        OBO, HSEL_EUNSUPPORTED,
        "the name 'b\\x0dc' has a carriage return in it, which OBO cannot hold; write rdf instead");
    expect_random_round_trips(OBO, 3000, "\r", true);
}

static void test_memory(void **state)
{
    (void)state;
    hs_graph_options bp = {.namespaces = TEXT_LIST("bp"),
                           .relations = TEXT_LIST("is_a", "part_of")};
    expect_survives_memory(
        OBO, small, &bp,
        "terms [GO:3][GO:1][GO:2][GO:6] edges [GO:3>GO:1][GO:3>GO:2][GO:2>GO:1] "
        "titles [third thing][first][][obsolete sixth] spaces [biological_process]"
        "[biological_process][biological_process][biological_process] obsolete [GO:6] "
        "alternate [GO:11=GO:1] alternate [GO:12=GO:1] replaced [GO:6=GO:2]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default_is_a), cmocka_unit_test(test_relations),
        cmocka_unit_test(test_namespaces),   cmocka_unit_test(test_filter_and_unknown),
        cmocka_unit_test(test_escapes),      cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_sniff),        cmocka_unit_test(test_write),
        cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

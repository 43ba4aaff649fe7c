/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * RDF in its three syntaxes, which predicates count, names, what can be wrong, writing N-Triples.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "format/rdf_scan.h"
#include "support/graph_text.h"

extern const hs_method hs_method_rdf, hs_method_edges, hs_method_ancestors, hs_method_obo;
#define RDF (&hs_method_rdf)

#define SUB   " <http://www.w3.org/2000/01/rdf-schema#subClassOf> "
#define TYPE  " <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> "
#define CLASS "<http://www.w3.org/2002/07/owl#Class> .\n"
#define PREFIXES                                                                                   \
    "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"                                    \
    "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n"                                            \
    "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"                                     \
    "@prefix : <http://x/> .\n"

/* ---- looking ahead ---- */

static void test_depth(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t depth; /* the deepest */
        uint64_t left;  /* open at the end */
    } cases[] = {
        {"<?xml a='>' ?><a><b x='/>' y=\"<c>\"><c/></b><d></d></a>", 3, 0},
        {"<!DOCTYPE a [ <!ENTITY b \"<c>'\"> <!-- don't <d> --> <!ELEMENT e (f)> ]><a><!-- <b> -->"
         "<![CDATA[<c><d>]]></a>",
         1, 0},
        {"<a><b><c></c>", 3, 2},
        {"</a></b>", 0, 0},
        {"text < a / ></ a >", 1, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (size_t piece = 1; piece < 80; piece += 3)
            for (uint64_t limit = 0; limit <= cases[i].depth; limit++) {
                hs_xml_scan scan = {0};
                size_t length = strlen(cases[i].text);
                bool good = true;
                for (size_t at = 0; at < length && good; at += piece)
                    good = hs_xml_scan_on(&scan, cases[i].text + at,
                                          length - at < piece ? length - at : piece, limit);
                assert_int_equal(good, limit == cases[i].depth);
                assert_int_equal(good ? scan.depth : 0, good ? cases[i].left : 0);
            }
    static const char entities[] = "<!DOCTYPE a [<!ENTITY b 'four'><!ENTITY c \"&b;&b;\">]>"
                                   "<a d='&c;&lt;'>&b;</a>&c;";
    hs_xml_scan scan = {0};
    assert_true(hs_xml_scan_on(&scan, entities, sizeof entities - 1, 1));
    assert_true(scan.largest >= 8 && scan.largest < 30); /* &c; is fourfour */
    assert_true(scan.references >= 4 && scan.references <= 6);
}

#ifdef HS_WITH_RAPTOR

/* More than one block: prefixes last, statements are not cut, lines are right. */
static void test_pieces(void **state)
{
    (void)state;
    hs_buf text = {0};
    hs_buf_text(&text, PREFIXES ":a rdfs:subClassOf :b .\n");
    for (int part = 0; part < 3; part++) {
        for (int i = 0; i < 30000; i++)
            hs_buf_text(&text, ":a rdfs:label \"\"\" .\n:z rdfs:subClassOf :y . \"\"\" ; # .\n"
                               "  rdfs:label 'it . \\' . ' .\n");
        hs_buf_printf(&text,
                      "PREFIX : <http://x/%d/>\n:c%d rdfs:subClassOf :d . <r> a owl:Class .\n"
                      "@base <http://b/%d/> .\n",
                      part, part, part);
    }
    assert_false(text.failed);
    expect_graph(RDF, "x.ttl", text.text, NULL,
                 "terms [http://x/a][http://x/b][http://x/0/c0][http://x/0/d][r][http://x/1/c1]"
                 "[http://x/1/d][http://b/0/r][http://x/2/c2][http://x/2/d][http://b/1/r] "
                 "edges [http://x/a>http://x/b][http://x/0/c0>http://x/0/d]"
                 "[http://x/1/c1>http://x/1/d][http://x/2/c2>http://x/2/d] "
                 "titles [ .\n:z rdfs:subClassOf :y . ][][][][][][][][][][]");
    hs_buf_text(&text, ":a rdfs:subClassOf 'x' .\n");
    expect_failure(RDF, "x.ttl", text.text, NULL, HSEL_EFORMAT,
                   "x.ttl:270015: http://www.w3.org/2000/01/rdf-schema#subClassOf of a literal, "
                   "where a term should be");
    hs_buf_clear(&text);
}

/* What would take much memory or time is refused before it does. */
static void test_limits(void **state)
{
    (void)state;
    const hs_limits usual = *hs_limits_now();
    hs_limits_set(&(hs_limits){.line = 1, .token = 1, .size = 1000, .ratio = 1000, .depth = 5});
    hs_buf text = {0}, xml = {0};
    hs_buf_text(&text, "<http://x/a>" SUB "<http://x/b> .\n<http://x/a> <http://x/c> \"");
    for (int i = 0; i < 1500000; i++)
        hs_buf_char(&text, 'a');
    hs_buf_text(&text, "\" .\n");
    expect_graph(RDF, "x.nt", text.text, NULL,
                 "terms [http://x/a][http://x/b] edges [http://x/a>http://x/b]");
    expect_failure_bytes(RDF, "x.nt", "<http://x/a>\0", 13, NULL, HSEL_EFORMAT,
                         "x.nt: NUL byte: this is not a text file");
    hs_buf_text(&xml, "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' "
                      "xmlns:c='http://www.w3.org/2000/01/rdf-schema#'>\n");
    const char *nested =
        "<c:Class rdf:about='a'><c:subClassOf><c:Class rdf:about='b'><c:subClassOf>"
        "<c:Class rdf:about='c'/></c:subClassOf></c:Class></c:subClassOf>"
        "</c:Class>\n</rdf:RDF>\n";
    size_t head = xml.length;
    hs_buf_text(&xml, nested);
    expect_failure(RDF, "x.rdf", xml.text, NULL, HSEL_ELIMIT,
                   "x.rdf: elements are nested more than 5 deep; 'max-depth' allows more");
    xml.length = head;
    hs_buf_text(&xml, "<!--");
    hs_buf_add(&xml, text.text + 100, 1200000);
    hs_buf_text(&xml, "-->");
    expect_failure(RDF, "x.rdf", xml.text, NULL, HSEL_ELIMIT,
                   "x.rdf: no triple in 1 MiB; 'max-token' allows more");
    /* 180 KB that stand for 2 GB, and attributes, each of which is compared with all before it */
    xml.length = 0;
    hs_buf_text(&xml, "<?xml version='1.0'?>\n<!DOCTYPE rdf:RDF [<!ENTITY a '");
    hs_buf_add(&xml, text.text + 100, 100000);
    hs_buf_text(&xml, "'>]>\n<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' "
                      "xmlns:c='http://www.w3.org/2000/01/rdf-schema#'>"
                      "<c:Class rdf:about='a'><c:label>");
    for (int i = 0; i < 20000; i++)
        hs_buf_text(&xml, "&a;");
    hs_buf_text(&xml, "</c:label></c:Class></rdf:RDF>\n");
    expect_failure(RDF, "x.rdf", xml.text, NULL, HSEL_ELIMIT,
                   "x.rdf: no triple in 1 MiB; 'max-token' allows more");
    xml.length = 0;
    hs_buf_text(&xml, "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' "
                      "xmlns:c='http://www.w3.org/2000/01/rdf-schema#'>"
                      "<c:Class rdf:about='a' c:a='' c:b='' c:c='' c:d='' c:e=''/></rdf:RDF>\n");
    expect_failure(RDF, "x.rdf", xml.text, NULL, HSEL_ELIMIT,
                   "x.rdf: an element has more than 5 attributes; 'max-depth' allows more");
    hs_limits_set(&usual);
    hs_buf_clear(&xml);
    hs_buf_clear(&text);
}

static void test_ntriples(void **state)
{
    (void)state;
    expect_graph(RDF, "x.nt",
                 "# comment\n"
                 "<http://x/a>" SUB "<http://x/b> .\n"
                 "<http://x/a> <http://www.w3.org/2000/01/rdf-schema#label> \"a thing\"@en .\n"
                 "<http://x/a>" SUB "_:restriction .\n"
                 "_:other" SUB "<http://x/b> .\n"
                 "<http://x/b> <http://www.w3.org/2004/02/skos/core#broader> <GO:1> .\n"
                 "<http://x/caf\\u00E9>" TYPE CLASS,
                 NULL,
                 "terms [http://x/a][http://x/b][GO:1][http://x/caf\xC3\xA9] "
                 "edges [http://x/a>http://x/b][http://x/b>GO:1] titles [a thing][][][]");
}

static void test_turtle(void **state)
{
    (void)state;
    expect_graph(RDF, "x.ttl",
                 PREFIXES ":a rdfs:subClassOf :b , [ a owl:Restriction ; owl:onProperty :p ] ;\n"
                          "   a owl:Class .\n"
                          ":c a skos:Concept ; skos:broader :b ; skos:narrower :d .\n"
                          "<rel> rdfs:subClassOf <#frag> .\n",
                 NULL,
                 "terms [http://x/a][http://x/b][http://x/c][rel][#frag] "
                 "edges [http://x/a>http://x/b][http://x/c>http://x/b][rel>#frag]");
    expect_graph(RDF, "x", "<http://x/a>\n" SUB "<http://x/b> ; " TYPE CLASS, NULL,
                 "terms [http://x/a][http://x/b] edges [http://x/a>http://x/b]");
}

/* The first in English or without a language, else the first; before or after what makes it a term;
 * what is not a term has none. */
static void test_labels(void **state)
{
    (void)state;
    expect_graph(
        RDF, "x.ttl",
        PREFIXES ":a rdfs:label \"erstes\"@de , \"first\"@en-GB , \"other\" .\n"
                 ":b skos:prefLabel \"dos\"@es , \"deux\"@fr . :z rdfs:label \"none\" .\n"
                 ":c rdfs:label \"\" , \"<i>\\t\\\"q\\\"\" . :d rdfs:label :a .\n"
                 ":a rdfs:subClassOf :b . :c rdfs:subClassOf :d .\n",
        NULL,
        "terms [http://x/a][http://x/b][http://x/c][http://x/d] edges "
        "[http://x/a>http://x/b][http://x/c>http://x/d] titles [first][dos][<i>\t\"q\"][]");
}

static void test_xml(void **state)
{
    (void)state;
    expect_graph(RDF, "x.owl",
                 "<?xml version=\"1.0\"?>\n"
                 "<!DOCTYPE rdf:RDF [ <!ENTITY x \"http://x/\" > ]>\n"
                 "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"\n"
                 " xmlns:rdfs=\"http://www.w3.org/2000/01/rdf-schema#\" "
                 "xmlns:owl=\"http://www.w3.org/2002/07/owl#\">\n"
                 "<owl:Class rdf:about=\"&x;a\"><rdfs:subClassOf rdf:resource=\"&x;b\"/>\n"
                 "<rdfs:subClassOf><owl:Restriction><owl:onProperty "
                 "rdf:resource=\"&x;p\"/></owl:Restriction>"
                 "</rdfs:subClassOf></owl:Class>\n"
                 "<owl:Class rdf:about=\"&x;c\"/>\n"
                 "</rdf:RDF>\n",
                 NULL, "terms [http://x/a][http://x/b][http://x/c] edges [http://x/a>http://x/b]");
}

static void test_relations(void **state)
{
    (void)state;
    const char *content = PREFIXES ":a rdfs:subClassOf :b ; :part :c ; skos:narrower :d .\n";
    hs_graph_options narrower = {.relations = TEXT_LIST("skos:narrower")},
                     full = {.relations = TEXT_LIST("http://x/part", "rdfs:subClassOf")},
                     unknown = {.relations = TEXT_LIST("rdfs:subClassOf", "skos:broader")};
    expect_graph(RDF, "x", content, &narrower,
                 "terms [http://x/a][http://x/d] edges [http://x/d>http://x/a]");
    expect_graph(RDF, "x", content, &full,
                 "terms [http://x/a][http://x/b][http://x/c] edges "
                 "[http://x/a>http://x/b][http://x/a>http://x/c]");
    expect_failure(RDF, "x.ttl", content, &unknown, HSEL_EUSAGE,
                   "x.ttl: no predicate skos:broader in this file; it has: "
                   "http://www.w3.org/2000/01/rdf-schema#subClassOf, http://x/part, "
                   "http://www.w3.org/2004/02/skos/core#narrower");
}

static void test_names(void **state)
{
    (void)state;
    expect_graph(RDF, "x.nt",
                 "<urn:hsel:New%20York%2C%20100%25>" SUB "<urn:hsel:100%> .\n<urn:hsel:%00>" SUB
                 "<urn:hsel:%zz%4> .\n",
                 NULL,
                 "terms [New York, 100%][100%][%00][%zz%4] edges [New York, 100%>100%][%00>%zz%4]");
}

static void test_bad_input(void **state)
{
    (void)state;
    hs_graph_options spaces = {.namespaces = TEXT_LIST("BP")};
    const char *nothing = ": no edges: no triple has a predicate from a term to its parent "
                          "(rdfs:subClassOf, skos:broader, or what the relations option names)";
    char message[256] = "x.nt";
    for (size_t i = 0; (message[4 + i] = nothing[i]); i++)
        ;
    expect_failure(RDF, "x.nt", "", NULL, HSEL_EFORMAT, message);
    expect_failure(RDF, "x.nt", "<http://x/a> <http://x/p> <http://x/b> .\n", NULL, HSEL_EFORMAT,
                   message);
    expect_failure(RDF, "x.nt", "<http://x/a>" SUB "\"b\" .\n", NULL, HSEL_EFORMAT,
                   "x.nt:1: http://www.w3.org/2000/01/rdf-schema#subClassOf of a literal, where a "
                   "term should be");
    expect_failure(RDF, "x.nt", "<http://x/a>" SUB "<http://x/b> .\n", &spaces, HSEL_EUSAGE,
                   "x.nt: the format rdf has no namespaces to choose from (BP was given)");
    expect_failure(RDF, "x.ttl", PREFIXES "<> rdfs:subClassOf :a .\n", NULL, HSEL_EFORMAT,
                   "x.ttl:5: a term with an empty IRI");
}

/* The text is raptor's own; place and form are ours. */
static void test_syntax_errors(void **state)
{
    (void)state;
    static const struct {
        const char *file, *content, *start;
    } cases[] = {{"x.nt", "<http://x/a>" SUB "<http://x/b> .\n<http://x/a> nonsense\n",
                  "x.nt:2: not valid RDF: "},
                 {"x.ttl", PREFIXES ":a rdfs:subClassOf :b .\n:a unknown:p :b .\n",
                  "x.ttl:6: not valid RDF: "},
                 {"x.rdf",
                  "<?xml version=\"1.0\"?>\n<rdf:RDF "
                  "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n</wrong>\n",
                  "x.rdf:3: not valid RDF: "},
                 {"x.ttl", "\x01\x02\x03 junk\n", "x.ttl:1: not valid RDF: "},
                 {"x.nt", "\x01\x02\x03 junk\n", "x.nt:1: not valid RDF: "},
                 {"x.rdf", "junk\n", "x.rdf: not valid RDF: "}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hsel_error error = {0};
        hs_graph_options options = {0};
        hs_graph graph = {0};
        hs_reader *reader = NULL;
        assert_int_equal(hs_reader_open_memory(cases[i].file, cases[i].content,
                                               strlen(cases[i].content), &reader, &error),
                         HSEL_OK);
        assert_int_equal(RDF->format->read_graph(reader, &options, &graph, &error), HSEL_EFORMAT);
        if (strncmp(error.message, cases[i].start, strlen(cases[i].start)) != 0)
            fail_msg("%s does not start with %s", error.message, cases[i].start);
        assert_true(strlen(error.message) > strlen(cases[i].start));
        hs_reader_close(reader);
        hs_graph_clear(&graph);
    }
}

/* A parser that fetched or opened what it is told to would find nothing to read there and complain.
 */
static void test_no_fetching(void **state)
{
    (void)state;
    expect_graph(RDF, "x.rdf",
                 "<?xml version=\"1.0\"?>\n"
                 "<!DOCTYPE rdf:RDF SYSTEM \"http://127.0.0.1:9/none.dtd\" [ <!ENTITY e SYSTEM "
                 "\"file:///etc/hostname\"> ]>\n"
                 "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"\n"
                 " xmlns:rdfs=\"http://www.w3.org/2000/01/rdf-schema#\">\n"
                 "<rdf:Description rdf:about=\"http://x/a\"><rdfs:label>&e;</rdfs:label>"
                 "<rdfs:subClassOf rdf:resource=\"http://x/b\"/></rdf:Description></rdf:RDF>\n",
                 NULL, "terms [http://x/a][http://x/b] edges [http://x/a>http://x/b]");
}

static void test_write(void **state)
{
    (void)state;
    expect_written(&hs_method_edges,
                   "New York, NY\thttp://x/City\nurn:hsel:x\tGO:1\na:b c\tcaf\xC3\xA9:x\n", RDF,
                   "<urn:hsel:New%20York%2C%20NY>" TYPE CLASS "<urn:hsel:New%20York%2C%20NY>" SUB
                   "<http://x/City> .\n"
                   "<http://x/City>" TYPE CLASS "<urn:hsel:urn%3Ahsel%3Ax>" TYPE CLASS
                   "<urn:hsel:urn%3Ahsel%3Ax>" SUB "<GO:1> .\n"
                   "<GO:1>" TYPE CLASS "<urn:hsel:a%3Ab%20c>" TYPE CLASS "<urn:hsel:a%3Ab%20c>" SUB
                   "<urn:hsel:caf%C3%A9%3Ax> .\n"
                   "<urn:hsel:caf%C3%A9%3Ax>" TYPE CLASS);
    expect_written(&hs_method_edges,
                   "x:caf\xC3\xA9\tx:\xED\xA0\x80\nx:\xF0\x9F\x8C\x8D\tx:\xC0\xAF\n", RDF,
                   "<x:caf\xC3\xA9>" TYPE CLASS "<x:caf\xC3\xA9>" SUB "<urn:hsel:x%3A%ED%A0%80> .\n"
                   "<urn:hsel:x%3A%ED%A0%80>" TYPE CLASS "<x:\xF0\x9F\x8C\x8D>" TYPE CLASS
                   "<x:\xF0\x9F\x8C\x8D>" SUB "<urn:hsel:x%3A%C0%AF> .\n"
                   "<urn:hsel:x%3A%C0%AF>" TYPE CLASS);
    expect_random_round_trips(RDF, 1000, "", true);
}

static void test_memory(void **state)
{
    (void)state;
    hs_graph_options both = {.relations = TEXT_LIST("rdfs:subClassOf", "skos:broader")};
    expect_survives_memory(
        RDF, PREFIXES ":a rdfs:subClassOf <urn:hsel:b%20c> ; :p :c ; skos:broader :d .\n", &both,
        "terms [http://x/a][b c][http://x/d] edges [http://x/a>b c][http://x/a>http://x/d]");
}

#else

static void test_not_built_in(void **state)
{
    (void)state;
    expect_failure(RDF, "x.nt", "<http://x/a>" SUB "<http://x/b> .\n", NULL, HSEL_EUNSUPPORTED,
                   "x.nt: reading RDF was not built in; install raptor2 (Debian: libraptor2-dev) "
                   "and build again");
}

#endif

static void test_sniff(void **state)
{
    (void)state;
    assert_int_equal(sniff_text(RDF, "<http://x/a>" SUB "<http://x/b> .\n"), 95);
    assert_int_equal(sniff_text(RDF, "# x\n\n_:a" SUB "\"lit\" .\r\n"), 95);
    assert_int_equal(sniff_text(RDF, PREFIXES), 95);
    assert_int_equal(sniff_text(RDF, "PREFIX a: <http://x/>\n"), 95);
    assert_int_equal(sniff_text(RDF, "<http://x/a> a <http://x/b> .\n"), 95);
    assert_int_equal(sniff_text(RDF, "<http://x/a>\n  a <http://x/b> .\n"), 95);
    assert_int_equal(
        sniff_text(RDF, "<?xml version=\"1.0\"?>\n<!-- c -->\n<rdf:RDF xmlns=\"x\">\n"), 95);
    assert_int_equal(sniff_text(RDF, "<?xml version=\"1.0\"?>\n<html>\n"), 0);
    assert_int_equal(sniff_text(RDF, "<html>\n"), 0);
    assert_int_equal(sniff_text(RDF, "@relation x\n@attribute a <b>\n"), 0);
    assert_int_equal(sniff_text(RDF, "format-version: 1.2\n"), 0);
    assert_int_equal(sniff_text(RDF, "a\tb\n"), 0);
    assert_int_equal(sniff_text(RDF, "base b\nc d\n"), 0);
    assert_int_equal(sniff_text(RDF, ""), 0);
    const char *triples = "<http://x/a>" SUB "<http://x/b> .\n";
    assert_int_equal(sniff_text(&hs_method_edges, triples), 0);
    assert_int_equal(sniff_text(&hs_method_ancestors, triples), 0);
    assert_int_equal(sniff_text(&hs_method_obo, triples), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef HS_WITH_RAPTOR
        cmocka_unit_test(test_ntriples),    cmocka_unit_test(test_turtle),
        cmocka_unit_test(test_xml),         cmocka_unit_test(test_relations),
        cmocka_unit_test(test_labels),      cmocka_unit_test(test_names),
        cmocka_unit_test(test_bad_input),   cmocka_unit_test(test_syntax_errors),
        cmocka_unit_test(test_no_fetching), cmocka_unit_test(test_write),
        cmocka_unit_test(test_memory),      cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_limits),
#else
        cmocka_unit_test(test_not_built_in),
#endif
        cmocka_unit_test(test_depth),       cmocka_unit_test(test_sniff)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Edge lists: separators, headers, directions, quoting, bad lines, writing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/graph_text.h"

extern const hs_method hs_method_edges, hs_method_ancestors;
#define EDGES (&hs_method_edges)

static void test_separators(void **state)
{
    (void)state;
    const char *abc = "terms [a][b][c] edges [a>b][b>c]";
    expect_graph(EDGES, "x.tsv", "a\tb\nb\tc\n", NULL, abc);
    expect_graph(EDGES, "x.tsv", "a\tb\r\nb\tc", NULL, abc);
    expect_graph(EDGES, "x.csv", "a,b\nb,c\n", NULL, abc);
    expect_graph(EDGES, "x.csv", " a , b\nb,c\n", NULL, abc);
    expect_graph(EDGES, "x.txt", "a b\n  b \t  c  \n", NULL, abc);
    expect_graph(EDGES, "x.tsv",
                 "\xEF\xBB\xBF"
                 "a\tb\nb\tc\n",
                 NULL, abc);
    expect_graph(EDGES, "x.tsv", "# first\n\n  \t \na\tb\n#c\td\nb\tc\n\n", NULL, abc);
}

static void test_first_line_decides(void **state)
{
    (void)state;
    expect_graph(EDGES, "x.tsv", "New York, NY\tCity\nCity\tPlace, populated\n", NULL,
                 "terms [New York, NY][City][Place, populated] edges [New York, "
                 "NY>City][City>Place, populated]");
    expect_graph(EDGES, "x.csv", "a b,c\nd\te,f\n", NULL,
                 "terms [a b][c][d\te][f] edges [a b>c][d\te>f]");
    expect_failure(EDGES, "x.tsv", "a\tb\na,b\n", NULL, HSEL_EFORMAT,
                   "x.tsv:2: expected two names with a tab between, found 1");
}

static void test_direction_and_header(void **state)
{
    (void)state;
    hs_graph_options down = {.direction = HS_PARENT_CHILD};
    const char *up = "terms [a][b] edges [a>b]";
    expect_graph(EDGES, "x", "a\tb\n", &down, "terms [b][a] edges [b>a]");
    expect_graph(EDGES, "x", "Child\tPARENT\na\tb\n", NULL, up);
    expect_graph(EDGES, "x", "parent,child\nb,a\n", NULL, up);
    expect_graph(EDGES, "x", "parent,child\nb,a\n", &down, up);
    expect_graph(EDGES, "x", "source target\na b\n", NULL, up);
    expect_graph(EDGES, "x", "source target\nb a\n", &down, up);
    expect_graph(EDGES, "x", "a\tb\nchild\tparent\n", NULL,
                 "terms [a][b][child][parent] edges [a>b][child>parent]");
    expect_graph(EDGES, "x", "child\tparent\n", NULL, "terms  edges ");
    expect_failure(EDGES, "x", "child\tparent\na\tb\n", &down, HSEL_EUSAGE,
                   "x:1: the header puts child before parent, but the other direction was given");
}

static void test_quotes(void **state)
{
    (void)state;
    expect_graph(EDGES, "x.csv", "\"a, \"\"b\"\"\" , \"c\nd\"\r\ne,f\"g\n", NULL,
                 "terms [a, \"b\"][c\nd][e][f\"g] edges [a, \"b\">c\nd][e>f\"g]");
    expect_graph(EDGES, "x.tsv", "\"a\"\t\"b \"\"c\"\"\"\n\"Weird Al\" Y\t5\" pipe\n\"\t\"x\n",
                 NULL,
                 "terms [a][b \"c\"][\"Weird Al\" Y][5\" pipe][\"][\"x] "
                 "edges [a>b \"c\"][\"Weird Al\" Y>5\" pipe][\">\"x]");
    expect_failure(EDGES, "x.csv", "a,b\n\"c,d\ne,f\n", NULL, HSEL_EFORMAT,
                   "x.csv:2: the quoted field 1 is not closed");
    expect_failure(EDGES, "x.csv", "a,b\n\"c\"d,e\n", NULL, HSEL_EFORMAT,
                   "x.csv:2: unexpected text after the closing quote of field 1");
}

static void test_as_it_stands(void **state)
{
    (void)state; /* duplicates, self-loops and cycles are for later to find */
    expect_graph(EDGES, "x", "a\tb\na\tb\nb\tb\nb\ta\n", NULL,
                 "terms [a][b] edges [a>b][a>b][b>b][b>a]");
    expect_graph(EDGES, "x", " a\tb \n", NULL, "terms [ a][b ] edges [ a>b ]");
}

static void test_bad_input(void **state)
{
    (void)state;
    hs_graph_options relations = {.relations = TEXT_LIST("part_of")},
                     spaces = {.namespaces = TEXT_LIST("BP")};
    expect_failure(EDGES, "x.tsv", "", NULL, HSEL_EFORMAT, "x.tsv: no edges: the file is empty");
    expect_failure(EDGES, "x.tsv", "# nothing\n\n", NULL, HSEL_EFORMAT,
                   "x.tsv: no edges: the file is empty");
    expect_failure(EDGES, "x.tsv", "a\n", NULL, HSEL_EFORMAT,
                   "x.tsv:1: expected two names with blanks between, found 1");
    expect_failure(EDGES, "x.tsv", "a\tb\n\nc\td\te\n", NULL, HSEL_EFORMAT,
                   "x.tsv:3: expected two names with a tab between, found 3");
    expect_failure(EDGES, "x.csv", "a,b,c\n", NULL, HSEL_EFORMAT,
                   "x.csv:1: expected two names with a comma between, found 3");
    expect_failure(EDGES, "x.tsv", "a\tb\nc\t\n", NULL, HSEL_EFORMAT,
                   "x.tsv:2: the second name is empty");
    expect_failure(EDGES, "x.tsv", "\tb\n", NULL, HSEL_EFORMAT, "x.tsv:1: the first name is empty");
    expect_failure(EDGES, "x.csv", "\"\",b\n", NULL, HSEL_EFORMAT,
                   "x.csv:1: the first name is empty");
    expect_failure_bytes(EDGES, "x.bin", "\1\2\0\3\n", 5, NULL, HSEL_EFORMAT,
                         "x.bin:1: NUL byte: this is not a text file");
    expect_failure(EDGES, "x", "a\tb\n", &relations, HSEL_EUSAGE,
                   "x: the format edges has no relations to choose from (part_of was given)");
    expect_failure(EDGES, "x", "a\tb\n", &spaces, HSEL_EUSAGE,
                   "x: the format edges has no namespaces to choose from (BP was given)");
}

static void test_sniff(void **state)
{
    (void)state;
    assert_int_equal(sniff_text(EDGES, "a\tb\nc\td, e\n"), 60);
    assert_int_equal(sniff_text(EDGES, "# x\na,b\n\"c,d\",e\n"), 55);
    assert_int_equal(sniff_text(EDGES, "a b\nc d\n"), 40);
    assert_int_equal(sniff_text(EDGES, "a\tb\nc\td\ncut of"), 60);
    assert_int_equal(sniff_text(EDGES, "a\tb\r\nc\td\r\n"), 60);
    assert_int_equal(sniff_text(EDGES, "a,b\nc,d,e\n"), 0);
    assert_int_equal(sniff_text(EDGES, "a\nb\n"), 0);
    assert_int_equal(sniff_text(EDGES, ""), 0);
    assert_int_equal(sniff_text(EDGES, "# only\n"), 0);
    assert_int_equal(sniff_text(EDGES, "<a> <b> <c> .\n"), 0);
    assert_int_equal(sniff_text(EDGES, "@relation x\n"), 0);
    assert_int_equal(sniff_text(EDGES, "a\tb\n\1\t\2\n"), 0);
    assert_int_equal(sniff_text(EDGES, "format-version: 1.2\n\n[Term]\nid: a\n"), 0);
}

static void test_write(void **state)
{
    (void)state;
    expect_written(EDGES, "c\ta\nb\ta\nc\tb\n", EDGES, "c\ta\nc\tb\nb\ta\n");
    expect_written(EDGES, "x y\n", EDGES, "x\ty\n");
    expect_written(EDGES, "source\ttarget\nSource\tTarget\n", EDGES,
                   "child\tparent\nSource\tTarget\n");
    expect_written(EDGES, "\"\"\"q\"\"\"\t\"#a\"\nb,c\t d\n", EDGES,
                   "\"\"\"q\"\"\"\t\"#a\"\nb,c\t\" d\"\n");
    expect_written(EDGES, "a\ta\n", EDGES, "child\tparent\n");
    expect_write_failure(
        EDGES, "x,c\n\"a\tb\",c\n", EDGES, HSEL_EUNSUPPORTED,
        "the name 'a\\x09b' has a tab or line end in it, which an edge list cannot hold; "
        "write ancestors or rdf instead");
    expect_write_failure(
        EDGES, "c,\"a\nb\"\n", EDGES, HSEL_EUNSUPPORTED,
        "the name 'a\\x0ab' has a tab or line end in it, which an edge list cannot hold; "
        "write ancestors or rdf instead");
    hsel_error error = {0};
    hsel_dataset bare = {0};
    assert_int_equal(EDGES->format->write_graph(&bare, NULL, &error), HSEL_EUSAGE);
    assert_string_equal(error.message, "the data set has no hierarchy to write");
}

static void test_round_trips(void **state)
{
    (void)state;
    expect_random_round_trips(EDGES, 3000, "\t\n\r", false);
}

static void test_memory(void **state)
{
    (void)state;
    expect_survives_memory(EDGES, "a,b\n\"c\nd\",a\n", NULL,
                           "terms [a][b][c\nd] edges [a>b][c\nd>a]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_separators),
                                       cmocka_unit_test(test_first_line_decides),
                                       cmocka_unit_test(test_direction_and_header),
                                       cmocka_unit_test(test_quotes),
                                       cmocka_unit_test(test_as_it_stands),
                                       cmocka_unit_test(test_bad_input),
                                       cmocka_unit_test(test_sniff),
                                       cmocka_unit_test(test_write),
                                       cmocka_unit_test(test_round_trips),
                                       cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

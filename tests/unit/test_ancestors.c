/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ancestor lists: ragged lines, quoting, tabs, bad lines, writing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/graph_text.h"

extern const hs_method hs_method_edges, hs_method_ancestors, hs_method_rdf;
#define LISTS (&hs_method_ancestors)

static void test_lists(void **state)
{
    (void)state;
    const char *abc = "terms [a][b][c] edges [a>b][a>c][b>c]";
    expect_graph(LISTS, "x.csv", "a,b,c\nb,c\nc\n", NULL, abc);
    expect_graph(LISTS, "x.csv", "a,b,c,\nb,c,,\nc,,,\n", NULL, abc);
    expect_graph(LISTS, "x.csv", "# list\r\n a , b ,c\r\n\r\nb,c\r\n", NULL, abc);
    expect_graph(LISTS, "x.tsv", "a\tb\tc\nb\tc\n", NULL, abc);
    expect_graph(LISTS, "x.csv", "a\nb\n", NULL, "terms [a][b] edges ");
    expect_graph(LISTS, "x.csv", "a,b\na,c\n", NULL, "terms [a][b][c] edges [a>b][a>c]");
    expect_graph(LISTS, "x.csv", "a,b,b,a\n", NULL, "terms [a][b] edges [a>b][a>b][a>a]");
}

static void test_separator_of_the_file(void **state)
{
    (void)state;
    expect_graph(LISTS, "x", "Paris, Texas\nAustin, Texas\tCity, big\tCity\n", NULL,
                 "terms [Paris, Texas][Austin, Texas][City, big][City] "
                 "edges [Austin, Texas>City, big][Austin, Texas>City]");
    expect_graph(LISTS, "x", "\"a\tb\",c\nd\n", NULL, "terms [a\tb][c][d] edges [a\tb>c]");
    expect_graph(LISTS, "x", "#\ttab in a comment\na,b\n", NULL, "terms [a][b] edges [a>b]");
    expect_graph(LISTS, "x", "\"a, b\",\"c \"\"d\"\"\n\",\"e\n,f\"\n", NULL,
                 "terms [a, b][c \"d\"\n][e\n,f] edges [a, b>c \"d\"\n][a, b>e\n,f]");
}

static void test_bad_input(void **state)
{
    (void)state;
    hs_graph_options spaces = {.namespaces = TEXT_LIST("BP")};
    expect_failure(LISTS, "x.csv", "", NULL, HSEL_EFORMAT, "x.csv: no terms: the file is empty");
    expect_failure(LISTS, "x.csv", "#a\n", NULL, HSEL_EFORMAT,
                   "x.csv: no terms: the file is empty");
    expect_failure(LISTS, "x.csv", "a\n,b,c\n", NULL, HSEL_EFORMAT,
                   "x.csv:2: the line does not start with a term");
    expect_failure(LISTS, "x.csv", "a,\"b\n\nc\n", NULL, HSEL_EFORMAT,
                   "x.csv:1: the quoted field 2 is not closed");
    expect_failure(LISTS, "x.csv", "a\nb,\"c\" d,e\n", NULL, HSEL_EFORMAT,
                   "x.csv:2: unexpected text after the closing quote of field 2");
    expect_failure_bytes(LISTS, "x.bin", "a,b\n\0\n", 6, NULL, HSEL_EFORMAT,
                         "x.bin:2: NUL byte: this is not a text file");
    expect_failure(LISTS, "x.csv", "a,b\n", &spaces, HSEL_EUSAGE,
                   "x.csv: the format ancestors has no namespaces to choose from (BP was given)");
}

static void test_sniff(void **state)
{
    (void)state;
    assert_int_equal(sniff_text(LISTS, "a,b\nc,d,e\n"), 30);
    assert_int_equal(sniff_text(LISTS, "a\nc,d,e\n"), 30);
    assert_int_equal(sniff_text(LISTS, "a\tb\nc\td\te\n"), 30);
    assert_int_equal(sniff_text(LISTS, "a,b,c\nd,e,f\n"), 15);
    assert_int_equal(sniff_text(LISTS, "a,b\nc,d\n"), 5);
    assert_int_equal(sniff_text(LISTS, "a\nb\n"), 10);
    assert_int_equal(sniff_text(LISTS, ""), 0);
    assert_int_equal(sniff_text(LISTS, "<?xml version=\"1.0\"?>\n<a>b, c, d</a>\n"), 0);
    assert_int_equal(sniff_text(LISTS, "a,b,c\n\x7f\x01,d\n"), 0);
}

static void test_write(void **state)
{
    (void)state;
    expect_written(LISTS, "c,a,b\nb,a\nx\n", LISTS, "c,a,b\na\nb,a\nx\n");
    expect_written(&hs_method_edges, "New York, NY\tCity\n#\n", LISTS,
                   "\"New York, NY\",City\nCity\n");
    expect_written(LISTS, "\"a\"\"\n\",\"#b\",\" c\",\"d\te\"\n", LISTS,
                   "\"a\"\"\n\",\"#b\",\" c\",\"d\te\"\n\"#b\"\n\" c\"\n\"d\te\"\n");
    expect_write_failure(
        &hs_method_rdf, "<a> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <b\\u000Dc> .\n",
        LISTS, HSEL_EUNSUPPORTED,
        "the name 'b\\x0dc' has a carriage return in it, which a list of lines cannot hold; "
        "write rdf instead");
}

static void test_round_trips(void **state)
{
    (void)state;
    expect_random_round_trips(LISTS, 3000, "\r", true);
}

static void test_memory(void **state)
{
    (void)state;
    expect_survives_memory(LISTS, "a,b,\"c\nd\"\n", NULL, "terms [a][b][c\nd] edges [a>b][a>c\nd]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists),     cmocka_unit_test(test_separator_of_the_file),
        cmocka_unit_test(test_bad_input), cmocka_unit_test(test_sniff),
        cmocka_unit_test(test_write),     cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

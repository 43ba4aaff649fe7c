/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which format a file is taken for, from its name and its first bytes: a table. DATA may be data or
 * a hierarchy alone; what --hierarchy names is a hierarchy, whatever it looks like.
 */
#include <stdio.h>
#include <string.h>

#include "format/format.h"
#include "support/cmocka.h"

typedef struct row {
    const char *name, *content, *expected;
} row;

/* Given as DATA. */
static const row either[] = {
    /* tables with the usual endings */
    {"x.csv", "a,b,class\n1,0,yes\n0,1,no\n", "csv"},
    {"x.csv", "a;b;class\n1;0;yes\n", "csv"},
    {"x.csv", "a\tb\tclass\n1\t0\tyes\n", "csv"},
    {"x.tsv", "a\tb\tclass\n1\t0\tyes\n", "tsv"},
    {"x.tab", "a\tb\tclass\n1\t0\tyes\n", "tsv"},
    {"x.csv.gz", "a,b,class\n1,0,yes\n", "csv"},
    {"x.csv", "a,class\n1,yes\n", "csv"},
    {"x.tsv", "a\tclass\n1\tyes\n", "tsv"},
    {"x.csv", "a,b,class\r\n1,0,yes\r\n", "csv"},
    {"x.csv", "gene,colour,class\ng1,red,yes\ng2,blue,no\n", "csv"},
    /* a header alone */
    {"x.csv", "a,b,class\n", "csv"},
    {"x.csv", "a,b,class", "csv"},
    {"x.csv", "gene,class\n", "csv"},
    {"x.csv", "a;b;class\n", "csv"},
    {"x.csv", "a\tb\tclass\n", "csv"},
    {"x.csv", "class\n", "csv"},
    {"x.csv", "class", "csv"},
    {"x.tsv", "a\tb\tclass\n", "tsv"},
    {"x.csv", "\"a\",\"b b\",\"class\"\n", "csv"},
    /* one column */
    {"x.csv", "a\n1\n0\n", "csv"},
    {"x.csv", "class\nyes\nno\n", "csv"},
    /* line ends within quotes: in the header, in the first record, at its end, after CR */
    {"x.csv", "gene,\"two\nlines\",class\ng1,x,yes\n", "csv"},
    {"x.csv", "gene,note,class\ng1,\"x\ny\",yes\ng2,z,no\n", "csv"},
    {"x.csv", "gene,note,class\ng1,x,\"y\n\nes\"\ng2,z,no\n", "csv"},
    {"x.csv", "gene,note,class\r\ng1,\"x\r\ny\",yes\r\n", "csv"},
    {"x.csv", "gene,note,class\ng1,\"a \"\"b\"\"\n,,\",yes\ng2,z,no\n", "csv"},
    {"x.csv", "gene,note,class\ng1,\"cut off\nhe", "csv"},
    {"x.csv", "gene;note;class\ng1;\"x\ny\";yes\n", "csv"},
    {"x.tsv", "gene\tnote\tclass\ng1\t\"x\ny\"\tyes\n", "tsv"},
    {"x.csv", "gene,\"5 \"\" pipe\",class\ng1,5\" pipe,yes\n", "csv"},
    /* a damaged table is not read as something else */
    {"x.csv", "a,b,class\n1,0\n0,1,no\n", "csv"},
    {"x.csv", "g,a,class\ng1,red,no\ng2,blue\n", "csv"},
    /* without an ending that says anything */
    {"x", "a,b,class\n1,0,yes\n", "csv"},
    {"x", "a\tb\tclass\n1\t0\tyes\n", "tsv"},
    {"standard input", "a;b;class\n1;0;yes\n", "csv"},
    /* edge lists, with a header and without */
    {"x.tsv", "child\tparent\na\troot\n", "edges"},
    {"x.tsv", "parent\tchild\nroot\ta\n", "edges"},
    {"x.tsv", "source\ttarget\na\troot\n", "edges"},
    {"x.tsv", "child\tparent\n", "edges"},
    {"x.tsv", "child\tparent\n1\t2\n", "edges"},
    {"x.csv", "child,parent\na,root\n", "edges"},
    {"x.csv", "Child, Parent\na,root\n", "edges"},
    {"x.csv", "# made by hand\nsource,target\na,root\n", "edges"},
    {"x.tsv", "a\troot\nb\troot\n", "edges"},
    {"x.edges", "a root\nb root\n", "edges"},
    {"x.edges", "a,root\nb,root\n", "edges"},
    {"x", "a\troot\nb\troot\n", "edges"},
    /* ancestor lists */
    {"x.csv", "root\na,root\nb,a,root\n", "ancestors"},
    {"x.csv", "a,root\nb,a,root\n", "ancestors"},
    {"x.csv", "a,\"ro\not\"\nb,a,\"ro\not\"\n", "ancestors"},
    {"x.tsv", "a\troot\nb\ta\troot\n", "ancestors"},
    {"x.ancestors", "a,b,c\nd,e,f\n", "ancestors"},
    {"x", "a,root\nb,a,root\n", "ancestors"},
    /* others keep theirs */
    {"x.csv", "@relation r\n@attribute a {0,1}\n@data\n1\n", "arff"},
    {"x.tsv", "format-version: 1.2\n\n[Term]\nid: a\n", "obo"},
};

/* Given as --hierarchy, or found as hierarchy.* in a folder. */
static const row hierarchies[] = {
    {"hierarchy.tsv", "a\troot\nb\troot\n", "edges"},
    {"hierarchy.tsv", "child\tparent\na\troot\n", "edges"},
    {"hierarchy.tsv", "1\t2\n3\t2\n", "edges"},
    {"hierarchy.tsv", "a\troot\n", "edges"},
    {"hierarchy.csv", "a,root\nb,root\n", "edges"},
    {"hierarchy.csv", "a,\"ro\not\"\nb,\"ro\not\"\n", "edges"},
    {"hierarchy.csv", "a,b,c\nd,b,c\n", "ancestors"},
    {"hierarchy.csv", "root\n", "ancestors"},
    {"hierarchy.csv", "a,root\nb,a,root\n", "ancestors"},
    {"hierarchy.tsv", "a\tb\tc\n", "ancestors"},
};

static int sniff_rows(const row *rows, size_t count, unsigned roles)
{
    int wrong = 0;
    for (size_t i = 0; i < count; i++) {
        hsel_error error = {0};
        hs_reader *reader = NULL;
        const hs_method *found = NULL;
        const char *text = rows[i].content;
        assert_ok(hs_reader_open_memory(rows[i].name, text, strlen(text), &reader, &error), error);
        assert_ok(hs_format_sniff(reader, NULL, roles, &found, &error), error);
        if (strcmp(found->name, rows[i].expected) != 0) {
            printf("%s is taken for %s, not %s:\n%s\n", rows[i].name, found->name, rows[i].expected,
                   text);
            wrong++;
        }
        hs_reader_close(reader);
    }
    return wrong;
}

static void test_data(void **state)
{
    (void)state;
    assert_int_equal(
        sniff_rows(either, sizeof either / sizeof either[0], HS_ROLE_DATA | HS_ROLE_GRAPH), 0);
}

static void test_hierarchies(void **state)
{
    (void)state;
    assert_int_equal(
        sniff_rows(hierarchies, sizeof hierarchies / sizeof hierarchies[0], HS_ROLE_GRAPH), 0);
}

/* The head of a long file ends within a record, wherever: that record does not count. */
static void test_cut_within_quotes(void **state)
{
    (void)state;
    static char text[40000];
    for (int shift = 0; shift < 32; shift++) {
        size_t length = (size_t)snprintf(text, sizeof text, "gene,note%.*s,class\n", shift,
                                         "abcdefghijklmnopqrstuvwxyzabcdefg");
        while (length < sizeof text - 64)
            length += (size_t)snprintf(text + length, sizeof text - length,
                                       "g,\"first\nsecond, third\n\",yes\n");
        assert_int_equal(sniff_rows(&(row){"x.csv", text, "csv"}, 1, HS_ROLE_DATA | HS_ROLE_GRAPH),
                         0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_data),
                                       cmocka_unit_test(test_hierarchies),
                                       cmocka_unit_test(test_cut_within_quotes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

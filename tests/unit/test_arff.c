/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ARFF: what the reader makes of files, stated whole; dozens of bad files with their messages;
 * round trips of random data sets, dense and sparse.
 */
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "support/cmocka.h"
#include "support/dump.h"
#include "support/oom.h"
#include "support/random_data.h"

static void reads(const char *text, const char *expected)
{
    hs_check_reads("arff", NULL, text, expected);
}

static void refuses(const char *text, const char *message)
{
    hs_check_refuses("arff", NULL, text, HSEL_EFORMAT, message);
}

/* ---- what is read ---- */

static void test_dense(void **state)
{
    (void)state;
    reads("@relation r\n@attribute a {0,1}\n@attribute b {1,0}\n@attribute c {no,yes}\n@data\n"
          "0,1,yes\n1,0,no\n1,1,no\n",
          "a:b b:b | no,yes\n0 1 yes\n1 0 no\n1 1 no\n");
    reads("@RELATION r\n% comment\n\n  @Attribute a Numeric\n@ATTRIBUTE b REAL % why\n"
          "@attribute c integer\n@attribute class {x, y ,z} % done\n@DATA % now\n"
          "0,1.5,3,x\n\n% comment\n 1 , -2e3 , 4 , z \n",
          "a:b b:n c:n | x,y,z\n0 1.5 3 x\n1 -2000 4 z\n");
    reads("@attribute a {0,1}\n@attribute c {p,q}\n@data\n", "a:b | p,q\n");
    reads("@relation r\r\n@attribute a {0,1}\r\n@attribute c {p,q}\r\n@data\r\n1,q\r\n",
          "a:b | p,q\n1 q\n");
    reads(
        "@relation r\n@attribute a{0,1}\n@attribute c {p,q}\n@data\n1\tq\n0 \t p\n1,\tq\n1\t,q\t\n",
        "a:b | p,q\n1 q\n0 p\n1 q\n1 q\n");
    reads("@relation r\n@attribute a{0,1}\n@attribute c {p,q}\n@data\n1,q % comment\n0,'p'% "
          "comment\n",
          "a:b | p,q\n1 q\n0 p\n");
}

/* Rows long enough for the path that takes four fields at once, at every offset. */
static void test_long_rows(void **state)
{
    (void)state;
    for (uint32_t features = 1; features <= 21; features++)
        for (uint32_t one = 0; one < features; one++) {
            hs_buf text = {0}, expected = {0};
            for (uint32_t f = 0; f < features; f++) {
                hs_buf_printf(&text, "@attribute f%u %s\n", f, f == 9 ? "numeric" : "{0,1}");
                hs_buf_printf(&expected, "%sf%u:b", f ? " " : "", f);
            }
            hs_buf_text(&text, "@attribute c {0,1}\n@data\n");
            hs_buf_text(&expected, " | 0,1\n");
            for (int round = 0; round < 2; round++) {
                for (uint32_t f = 0; f < features; f++) {
                    hs_buf_printf(&text, "%d,", (f == one) != round);
                    hs_buf_printf(&expected, "%d ", (f == one) != round);
                }
                hs_buf_printf(&text, "%d\n", round);
                hs_buf_printf(&expected, "%d\n", round);
            }
            reads(text.text, expected.text);
            hs_buf_clear(&text);
            hs_buf_clear(&expected);
        }
}

static void test_quoting(void **state)
{
    (void)state;
    reads(
        "@relation 'a relation'\n@attribute 'x, y' {0,1}\n@attribute \"100\\% \\\"it\\\"\" {0,1}\n"
        "@attribute 'it\\'s' {0,1}\n@attribute 50%%off,really {0,1}\n"
        "@attribute 'class' {'a, b', \"c'd\", '\\\\', 'x\\ty'}\n@data\n"
        "1,0,1,0,'a, b'\n0,1,0,1,\"c'd\"\n'1',\"0\",1,1,'\\\\'\n0,0,0,0,'x\\ty'\n",
        "x, y:b 100% \"it\":b it's:b 50%%off,really:b | a, b,c'd,\\,x\ty\n"
        "1 0 1 0 a, b\n0 1 0 1 c'd\n1 0 1 1 \\\n0 0 0 0 x\ty\n");
    reads("@attribute a {'?',b,New York}\n@attribute c {p,q}\n@data\n'?',p\n?,q\nNew York,p\n",
          "a:{?,b,New York} | p,q\n? p\n? q\nNew York p\n");
}

static void test_relation(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"@relation weather", "weather"},
                                           {"@relation 'two words'", "two words"},
                                           {"@relation two words  ", "two words"},
                                           {"@relation", ""},
                                           {"", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hs_buf text = {0};
        hsel_dataset *data = NULL;
        hsel_error error = {0};
        hs_buf_printf(&text, "%s\n@attribute g string\n@attribute label {0,1}\n@data\na,1\n",
                      cases[i][0]);
        assert_ok(hs_read_text("arff", NULL, text.text, text.length, &data, &error), error);
        assert_string_equal(hsel_dataset_name(data), cases[i][1]);
        assert_string_equal(data->class_attribute, "label");
        assert_string_equal(data->id_attribute, "g");
        hs_buf_clear(&text);
        hsel_dataset_free(data);
    }
}

static void test_binary_pairs(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"0", "1"},        {"no", "yes"}, {"false", "true"},
                                           {"n", "y"},        {"f", "t"},    {"No", "YES"},
                                           {"FALSE", "True"}, {"N", "Y"},    {"F", "T"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        for (int swap = 0; swap < 2; swap++) {
            char text[256];
            snprintf(text, sizeof text,
                     "@attribute a {%s,%s}\n@attribute c {p,q}\n@data\n%s,p\n%s,q\n{1 q}\n",
                     pairs[i][swap], pairs[i][!swap], pairs[i][0], pairs[i][1]);
            reads(text, swap ? "a:b | p,q\n0 p\n1 q\n1 q\n" : "a:b | p,q\n0 p\n1 q\n0 q\n");
        }
    reads("@attribute a {0}\n@attribute b {1}\n@attribute c {p,q}\n@data\n0,1,p\n{2 q}\n",
          "a:b b:b | p,q\n0 1 p\n0 1 q\n");
    reads("@attribute a {yes,y}\n@attribute b {0,yes}\n@attribute d {yes}\n@attribute e {a,b}\n"
          "@attribute c {p,q}\n@data\nyes,0,yes,b,p\n",
          "a:{yes,y} b:{0,yes} d:{yes} e:{a,b} | p,q\nyes 0 yes b p\n");
}

static void test_numeric_as_binary(void **state)
{
    (void)state;
    reads("@attribute a numeric\n@attribute b numeric\n@attribute d numeric\n@attribute c "
          "{p,q}\n@data\n"
          "1,1,1.0,p\n0,0,0e5,q\n1,2,-0,q\n",
          "a:b b:n d:b | p,q\n1 1 1 p\n0 0 0 q\n1 2 0 q\n");
    reads("@attribute a numeric\n@attribute c {p,q}\n@data\n1,p\n?,q\nNaN,q\n",
          "a:n | p,q\n1 p\n? q\n? q\n");
}

static void test_sparse(void **state)
{
    (void)state;
    reads("@attribute a {0,1}\n@attribute b {1,0}\n@attribute x numeric\n@attribute n {u,v,w}\n"
          "@attribute c {no,yes}\n@data\n"
          "{0 1, 2 2.5, 3 w, 4 yes}\n{}\n{ 1 0 }\n{4 ?,3 ?,1 0}\n { 3\tv ,0   1 } % "
          "comment\n0,1,0,u,no\n",
          "a:b b:b x:n n:{u,v,w} | no,yes\n"
          "1 1 2.5 w yes\n0 1 0 u no\n0 0 0 u no\n0 0 0 ? ?\n1 1 0 v no\n0 1 0 u no\n");
    reads("@attribute g string\n@attribute a {0,1}\n@attribute c numeric\n@data\n"
          "{0 'x y',1 1,2 3}\n{}\n",
          "a:b | 0,3\nx y 1 3\n 0 0\n");
    reads("@attribute n {}\n@attribute c {}\n@data\n{}\n?,?\n", "n:{} |\n? ?\n? ?\n");
    reads("@attribute n {'a b','}'}\n@attribute c {p,q}\n@data\n{0 '}', 1 q}\n",
          "n:{a b,}} | p,q\n} q\n");
}

static void test_missing(void **state)
{
    (void)state;
    const char *text =
        "@attribute a {0,1}\n@attribute b {no,yes}\n@attribute n {u,v}\n@attribute c {p,q}\n"
        "@data\n?,?,?,?\n1,yes,v,q\n{0 ?}\n";
    hs_column_options negative = {.missing = HS_MISSING_NEGATIVE};
    hs_check_reads("arff", &negative, text, "a:b b:b n:{u,v} | p,q\n0 0 ? ?\n1 1 v q\n0 0 u p\n");
    refuses(text, "t:6: the binary attribute a has a missing value; missing=negative takes it as "
                  "negative");
}

static void test_roles(void **state)
{
    (void)state;
    const char *text =
        "@attribute g string\n@attribute n string\n@attribute a {0,1}\n@attribute d date\n"
        "@attribute k {p,q}\n@attribute x numeric\n@data\ng1,n1,1,'2001-01-01',q,3\n"
        "g2,n2,0,'2002-02-02',p,1\n";
    hs_check_reads(
        "arff",
        &(hs_column_options){.class_name = "k",
                             .ignore = {.items = (const char *[]){"n", "d"}, .count = 2}},
        text, "a:b x:n | p,q\ng1 1 3 q\ng2 0 1 p\n");
    hs_check_reads("arff", &(hs_column_options){.class_name = "n", .id = "3"},
                   "@attribute n string\n@attribute a {0,1}\n@attribute d date \"yyyy-MM-dd\"\n"
                   "@attribute k {p,q}\n@data\nz,1,today,q\ny,0,now,p\n",
                   "a:b k:{p,q} | y,z\ntoday 1 q z\nnow 0 p y\n");
}

static void test_class_kinds(void **state)
{
    (void)state;
    reads("@attribute a {0,1}\n@attribute c numeric\n@data\n1,10\n0,9\n1,1.0e1\n0,-1\n0,?\n",
          "a:b | -1,9,10\n1 10\n0 9\n1 10\n0 -1\n0 ?\n");
    hs_check_reads("arff", &(hs_column_options){.class_name = "c"},
                   "@attribute c string\n@attribute a {0,1}\n@data\nzebra,1\nape,0\n?,1\n",
                   "a:b | ape,zebra\n1 zebra\n0 ape\n1 ?\n");
    hs_check_reads("arff", &(hs_column_options){.no_class = true},
                   "@attribute a {0,1}\n@attribute b {p,q}\n@data\n1,q\n",
                   "a:b b:{p,q} |\n1 q ?\n");
    hs_check_reads(
        "arff", &(hs_column_options){.id = "a", .class_name = "1"},
        "@attribute c {x,y}\n@attribute a {0,1}\n@attribute b {0,1}\n@data\ny,1,1\n{2 1}\n",
        "b:b | x,y\n1 1 y\n0 1 x\n");
}

static void test_positive_class(void **state)
{
    (void)state;
    const char *text = "@attribute a {0,1}\n@attribute c {p,q}\n@data\n1,q\n0,p\n";
    hsel_dataset *data = NULL;
    hsel_error error = {0};
    assert_ok(hs_read_text("arff", &(hs_column_options){.positive = "p"}, text, strlen(text), &data,
                           &error),
              error);
    assert_int_equal(data->positive_class, 0);
    hsel_dataset_free(data);
    data = NULL;
    assert_ok(hs_read_text("arff", NULL, text, strlen(text), &data, &error), error);
    assert_int_equal(data->positive_class, 1);
    hsel_dataset_free(data);
    data = NULL;
    assert_int_equal(hs_read_text("arff", &(hs_column_options){.positive = "z"}, text, strlen(text),
                                  &data, &error),
                     HSEL_EUSAGE);
}

/* ---- what is refused ---- */

static void test_bad_header(void **state)
{
    (void)state;
    refuses("", "t: the file is empty");
    refuses("\n% nothing\n", "t:2: the file ends without an @data line");
    refuses("@relation r\n@attribute a {0,1}\n", "t:2: the file ends without an @data line");
    refuses("@relation r\n@data\n1\n", "t:2: there is no @attribute before @data");
    refuses("hello world\n", "t:1: expected @relation, @attribute or @data, found hello");
    refuses("@relation r\n@inputs a\n",
            "t:2: expected @relation, @attribute or @data, found @inputs");
    refuses("@relation r\n@relation s\n", "t:2: there is a second @relation line");
    refuses("@relation 'r\n", "t:1: the quote around the name of the relation is not closed");
    refuses("@attribute\n", "t:1: @attribute needs a name and a type");
    refuses("@attribute % x\n", "t:1: @attribute needs a name and a type");
    refuses("@attribute {0,1}\n", "t:1: @attribute needs a name before its values");
    refuses("@attribute a\n", "t:1: attribute a has no type");
    refuses("@attribute 'a\n", "t:1: the quote around the name of the attribute is not closed");
    refuses("@attribute a colour\n",
            "t:1: attribute a has the unknown type colour (known: numeric, real, "
            "integer, string, date, {value,...})");
    refuses("@attribute a numeric [0,1]\n",
            "t:1: unexpected text after the type of attribute a: [0,1]");
    refuses("@attribute a {0,1} real\n",
            "t:1: unexpected text after the type of attribute a: real");
    refuses("@attribute a relational\n",
            "t:1: attribute a is relational; multi-instance data is not supported");
    refuses("@attribute a {\n", "t:1: the list of values of attribute a is not closed with }");
    refuses("@attribute a {x,\n", "t:1: the list of values of attribute a is not closed with }");
    refuses("@attribute a {x\n",
            "t:1: the values of attribute a must be separated by commas and closed with }");
    refuses("@attribute a {'x' y}\n",
            "t:1: the values of attribute a must be separated by commas and closed with }");
    refuses("@attribute a {'x}\n", "t:1: a quote in the list of values is not closed");
    refuses("@attribute a {x,,y}\n", "t:1: there is an empty value in the list of values");
    refuses("@attribute a {x,}\n", "t:1: there is an empty value in the list of values");
    refuses("@attribute a {x,y,x}\n", "t:1: attribute a declares the value x twice");
    refuses("@attribute a {0,1}\n\n@attribute 'a' real\n",
            "t:3: attribute a was declared before, on line 1");
    refuses("@attribute a {0,1}\n@data 1\n1\n",
            "t:2: unexpected text after @data; the data must begin on the next line");
    refuses("@attribute a {0,1}\n@data 0,1\n",
            "t:2: unexpected text after @data; the data must begin on the next line");
    refuses("@attribute a{0,1}b {0,1}\n",
            "t:1: unexpected text after the type of attribute a: b {0,1}");
}

static void test_bad_roles(void **state)
{
    (void)state;
    refuses("@attribute g string\n@attribute h string\n@attribute c {0,1}\n@data\n",
            "t:2: the string attribute h cannot be a feature; ignore=2 leaves it out");
    refuses("@attribute d date\n@attribute c {0,1}\n@data\n",
            "t:1: the date attribute d cannot be a feature; ignore=1 leaves it out");
    refuses("@attribute a {0,1}\n@attribute c string\n@data\n",
            "t:2: the last attribute, c, is a string: name the class with 'class'");
    refuses("@attribute a {0,1}\n@attribute c date\n@data\n",
            "t:2: the date attribute c cannot be the class; name another one with 'class'");
    hs_check_refuses("arff", &(hs_column_options){.id = "a"},
                     "@attribute a string\n@attribute g string\n@attribute c {0,1}\n@data\n",
                     HSEL_EFORMAT,
                     "t:2: the string attribute g cannot be a feature; ignore=2 leaves it out");
    hs_check_refuses("arff", &(hs_column_options){.class_name = "klass"},
                     "@attribute a string\n@attribute class {0,1}\n@data\n", HSEL_EUSAGE,
                     "t: there is no column klass; did you mean class?");
    hs_check_refuses("arff", &(hs_column_options){.id = "a"}, "@attribute a string\n@data\n",
                     HSEL_EFORMAT,
                     "t: there is no column left for the class; 'no-class' reads data without one");
}

#define HEAD                                                                                       \
    "@attribute a {0,1}\n@attribute b {no,yes}\n@attribute x real\n@attribute n {u,v}\n"           \
    "@attribute c {p,q}\n@data\n"

static void test_bad_rows(void **state)
{
    (void)state;
    refuses(HEAD "1,no,2,u,p\n1,no,2,u\n", "t:8: 4 values, but there are 5 attributes");
    refuses(HEAD "1\n", "t:7: 1 value, but there are 5 attributes");
    refuses(HEAD "1,no,2,u,p,q\n", "t:7: 6 values, but there are 5 attributes");
    refuses(HEAD "1,no,2,u,p,\n", "t:7: 6 values, but there are 5 attributes");
    refuses(HEAD "no,2,u,p\n", "t:7: 4 values, but there are 5 attributes");
    refuses(HEAD "1,1,no,2,u,p\n", "t:7: 6 values, but there are 5 attributes");
    refuses(HEAD "1,no,,u,p\n", "t:7: the value of attribute x is empty; ? means missing");
    refuses(HEAD ",no,1,u,p\n", "t:7: the value of attribute a is empty; ? means missing");
    refuses(HEAD "2,no,1,u,p\n", "t:7: attribute a has no value 2");
    refuses(HEAD "1,No,1,u,p\n", "t:7: attribute b has no value No");
    refuses(HEAD "1,no,1,w,p\n", "t:7: attribute n has no value w");
    refuses(HEAD "1,no,1,u,r\n", "t:7: attribute c has no value r");
    refuses(HEAD "1,no,1,u,'?'\n", "t:7: attribute c has no value ?");
    refuses(HEAD "1,no,x,u,p\n", "t:7: attribute x is numeric, x is not a number");
    refuses(HEAD "1,no,0x10,u,p\n", "t:7: attribute x is numeric, 0x10 is not a number");
    refuses(HEAD "1,no,1 2,u,p\n", "t:7: attribute x is numeric, 1 2 is not a number");
    refuses(HEAD "1,no,inf,u,p\n", "t:7: the value inf of attribute x is not finite");
    refuses(HEAD "1,no,1e400,u,p\n", "t:7: the value 1e400 of attribute x is not finite");
    refuses(HEAD "1,no,1,u,'p\n", "t:7: a quote is not closed");
    refuses(HEAD "1,'no' yes,1,u,p\n", "t:7: unexpected text after the value of attribute b");
    refuses(HEAD "1,no,1,u,p,{5}\n", "t:7: instance weights are not supported");
    refuses(HEAD "1,no,1,u,p, {0.5}\n", "t:7: instance weights are not supported");
    refuses(
        HEAD "?,no,1,u,p\n",
        "t:7: the binary attribute a has a missing value; missing=negative takes it as negative");
    refuses("@attribute a {0}\n@attribute c {p,q}\n@data\n1,p\n",
            "t:4: attribute a has no value 1");
}

static void test_bad_sparse_rows(void **state)
{
    (void)state;
    refuses(HEAD "{0 1\n", "t:7: the row is not closed with }");
    refuses(HEAD "{\n", "t:7: the row is not closed with }");
    refuses(HEAD "{0 1,\n", "t:7: the row is not closed with }");
    refuses(HEAD "{0 1} x\n", "t:7: unexpected text after the closing }");
    refuses(HEAD "{0 1},{3}\n", "t:7: instance weights are not supported");
    refuses(HEAD "{0 1}{3}\n", "t:7: instance weights are not supported");
    refuses(HEAD "{5 1}\n", "t:7: there is no attribute 5; they are numbered from 0 to 4");
    refuses(HEAD "{99999999999 1}\n",
            "t:7: there is no attribute 99999999999; they are numbered from 0 to 4");
    refuses(HEAD "{0 1,0 1}\n", "t:7: attribute 0 (a) is given twice");
    refuses(HEAD "{a 1}\n",
            "t:7: expected the number of an attribute, a blank and its value, found a 1}");
    refuses(HEAD "{-1 1}\n",
            "t:7: expected the number of an attribute, a blank and its value, found -1 1}");
    refuses(HEAD "{0}\n",
            "t:7: expected the number of an attribute, a blank and its value, found 0}");
    refuses(HEAD "{0 }\n", "t:7: the value of attribute a is empty; ? means missing");
    refuses(HEAD "{0 1 1 yes}\n", "t:7: attribute a has no value 1 1 yes");
    refuses(HEAD "{1 'yes' 0 1}\n", "t:7: expected a comma or }, found 0 1}");
    refuses(HEAD "{2 '1}\n", "t:7: a quote is not closed");
    refuses(HEAD "{2 one}\n", "t:7: attribute x is numeric, one is not a number");
    refuses(
        HEAD "{0 ?}\n",
        "t:7: the binary attribute a has a missing value; missing=negative takes it as negative");
    refuses("@attribute c {p,q}\n@attribute g string\n@data\n{}\n",
            "t:2: the last attribute, g, is a string: name the class with 'class'");
}

static void test_numeric_class_with_many_values(void **state)
{
    (void)state;
    hs_buf text = {0};
    hs_buf_text(&text, "@attribute a {0,1}\n@attribute c numeric\n@data\n");
    for (int i = 1; i <= 101; i++)
        hs_buf_printf(&text, "1,%d.5\n", i);
    refuses(text.text,
            "t:104: the class attribute c is numeric with more than 100 different values; 'target' "
            "takes it as a number to predict, 'class' names another one, 'no-class' none");
    hs_buf_clear(&text);
}

/* ---- recognising ---- */

static void test_sniff(void **state)
{
    (void)state;
    const hs_format *format = hs_method_find(HS_FORMAT, "arff", 4)->format;
    static const struct {
        const char *head;
        int sure;
    } cases[] = {{"@relation x\n", 100},
                 {"\n  % c\n\n%d\n @ATTRIBUTE a real\n", 100},
                 {"% only a comment", 20},
                 {"%%MatrixMarket matrix coordinate pattern general\n", 0},
                 {"@data\n", 0},
                 {"@relatio", 0},
                 {"a,b\n", 0},
                 {"", 0},
                 {"\n\n", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(format->sniff(cases[i].head), cases[i].sure);
}

/* ---- writing ---- */

static void test_written_text(void **state)
{
    (void)state;
    const char *dense =
        "@relation r\n\n@attribute 'g h' string\n@attribute 'a\\'b' {0,1}\n"
        "@attribute x numeric\n@attribute n {u,'v w','?'}\n@attribute c {'',q}\n\n@data\n"
        "'',1,0.1,u,''\n'50%',0,?,'?',q\n'?',1,-3,?,?\n";
    const char *sparse =
        "@relation r\n\n@attribute g string\n@attribute a {0,1}\n@attribute b {0,1}\n"
        "@attribute d {0,1}\n@attribute e {0,1}\n@attribute f {0,1}\n@attribute h {0,1}\n"
        "@attribute x numeric\n@attribute c {p,q}\n\n@data\n"
        "{0 g1,2 1,8 p}\n{0 g2,7 2.5,8 q}\n{0 g3,7 ?,8 ?}\n{0 g4,8 p}\n";
    const char *const texts[] = {dense, sparse};
    for (size_t i = 0; i < 2; i++) {
        hsel_dataset *data = NULL;
        hsel_error error = {0};
        hs_buf out = {0};
        assert_ok(hs_read_text("arff", NULL, texts[i], strlen(texts[i]), &data, &error), error);
        assert_ok(hs_write_text("arff", data, &out, &error), error);
        assert_string_equal(out.text, texts[i]);
        hs_buf_clear(&out);
        hsel_dataset_free(data);
    }
}

static void test_round_trips(void **state)
{
    (void)state;
    int sparse = 0, dense = 0;
    for (uint64_t round = 0; round < 3000; round++) {
        hs_stream random;
        hs_buf text = {0};
        hsel_dataset *back = NULL;
        hsel_error error = {0};
        hs_stream_init(&random, 2, "arff", round, 0);
        hs_random_shape shape = hs_random_small_shape(&random);
        shape.features += shape.features == 0;
        shape.classes += shape.classes == 0;
        shape.density = hs_random_below(&random, 2) ? 0.05 : 0.4;
        shape.numeric = hs_random_below(&random, 3) ? 0 : 0.3;
        shape.nominal = hs_random_below(&random, 3) ? 0 : 0.3;
        shape.missing = 0.2;
        shape.unlabelled = 0.1;
        shape.ids = hs_random_below(&random, 2);
        shape.spelling = (hs_spelling)hs_random_below(&random, 3);
        hsel_dataset *data = hs_random_dataset(&random, &shape);
        assert_ok(hs_write_text("arff", data, &text, &error), error);
        *(strstr(text.text, "@data\n{") ? &sparse : &dense) += 1;
        assert_ok(hs_read_text("arff", NULL, text.text, text.length, &back, &error), error);
        assert_ok(hsel_dataset_check(back, &error), error);
        const char *difference = hs_same_dataset(data, back,
                                                 HS_SAME_FEATURE_NAMES | HS_SAME_IDS |
                                                     HS_SAME_CLASS_ORDER | HS_SAME_VALUE_ORDER);
        if (difference)
            fail_msg("round %d: %s in\n%s", (int)round, difference, text.text);
        hs_buf_clear(&text);
        hsel_dataset_free(back);
        hsel_dataset_free(data);
    }
    assert_true(sparse > 300 && dense > 300);
}

/* Class and identifier columns get names that no feature has. */
static void test_names_in_the_way(void **state)
{
    (void)state;
    const char *text = "@attribute class {0,1}\n@attribute id {0,1}\n@attribute id_ {0,1}\n"
                       "@attribute g string\n@attribute c {p,q}\n@data\n1,1,1,g1,q\n";
    hsel_dataset *data = NULL;
    hsel_error error = {0};
    hs_buf out = {0};
    assert_ok(hs_read_text("arff", NULL, text, strlen(text), &data, &error), error);
    hs_free(data->class_attribute);
    hs_free(data->id_attribute);
    data->class_attribute = data->id_attribute = NULL;
    assert_ok(hs_write_text("arff", data, &out, &error), error);
    assert_string_equal(out.text,
                        "@relation ''\n\n@attribute id__ string\n@attribute class {0,1}\n"
                        "@attribute id {0,1}\n@attribute id_ {0,1}\n@attribute class_ {p,q}\n"
                        "\n@data\ng1,1,1,1,q\n");
    hs_buf_clear(&out);
    hsel_dataset_free(data);
}

/* ---- memory ---- */

static int trip(void *context, hsel_error *error)
{
    hsel_dataset *data = NULL;
    hs_buf out = {0};
    int status = hs_read_text("arff", NULL, context, strlen(context), &data, error);
    if (status == HSEL_OK)
        status = hs_write_text("arff", data, &out, error);
    hs_buf_clear(&out);
    hsel_dataset_free(data);
    return status;
}

static void test_memory(void **state)
{
    (void)state;
    char good[] = "@relation r\n@attribute g string\n@attribute a {0,1}\n@attribute b {no,yes}\n"
                  "@attribute n {u,v,w}\n@attribute x numeric\n@attribute c {p,q}\n@data\n"
                  "g1,1,yes,w,2.5,p\n{0 g2,3 v}\n";
    char bad[] =
        "@relation r\n@attribute g string\n@attribute n {u,v,w}\n@attribute c numeric\n@data\n"
        "g1,u,1\ng2,w,2\ng3,x,3\n";
    assert_true(hs_oom_each("arff", trip, good) > 20);
    assert_true(hs_oom_each("arff", trip, bad) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dense),
        cmocka_unit_test(test_long_rows),
        cmocka_unit_test(test_quoting),
        cmocka_unit_test(test_relation),
        cmocka_unit_test(test_binary_pairs),
        cmocka_unit_test(test_numeric_as_binary),
        cmocka_unit_test(test_sparse),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_roles),
        cmocka_unit_test(test_class_kinds),
        cmocka_unit_test(test_positive_class),
        cmocka_unit_test(test_bad_header),
        cmocka_unit_test(test_bad_roles),
        cmocka_unit_test(test_bad_rows),
        cmocka_unit_test(test_bad_sparse_rows),
        cmocka_unit_test(test_numeric_class_with_many_values),
        cmocka_unit_test(test_sniff),
        cmocka_unit_test(test_written_text),
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_names_in_the_way),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

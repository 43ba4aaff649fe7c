/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Words from outside in each format of a report: markup, control characters, broken UTF-8.
 */
#include "support/cmocka.h"

#include <string.h>

#include "show/document.h"

typedef struct escape_case {
    const char *in, *html, *latex, *plain;
} escape_case;

static void assert_written(void (*write)(hs_writer *, const char *), const char *in,
                           const char *expected)
{
    hs_buf text = {0};
    hs_writer *out = NULL;
    hsel_error error = {0};
    assert_ok(hs_writer_open_memory(&text, &out, &error), error);
    write(out, in);
    assert_ok(hs_writer_commit(out, &error), error);
    assert_string_equal(text.text ? text.text : "", expected);
    hs_buf_clear(&text);
}

static void test_escaping(void **state)
{
    static const escape_case cases[] = {
        {"plain", "plain", "plain", "plain"},
        {"", "", "", ""},
        {"a<b>&\"c'", "a&lt;b&gt;&amp;&quot;c&#39;",
         "a\\textless{}b\\textgreater{}\\&\\textquotedbl{}c'", "a<b>&\"c'"},
        {"tab\there\n\x1b[31m", "tab here  [31m", "tab here  {[}31m", "tab here  [31m"},
        {"χ² – ±1 − 2×3† …", "χ² – ±1 − 2×3† …",
         "$\\chi^2$ -- $\\pm$1 $-$ 2$\\times$3$\\dagger$ \\ldots{}", "χ² – ±1 − 2×3† …"},
        {"bad \xff\xc3( \xe2\x82 \xed\xa0\x80.",
         "bad \xef\xbf\xbd\xef\xbf\xbd( \xef\xbf\xbd\xef\xbf\xbd "
         "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd.",
         "bad \xef\xbf\xbd\xef\xbf\xbd( \xef\xbf\xbd\xef\xbf\xbd "
         "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd.",
         "bad \xef\xbf\xbd\xef\xbf\xbd( \xef\xbf\xbd\xef\xbf\xbd "
         "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd."},
        {"\\n", "\\n", "\\textbackslash{}n", "\\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hs_buf plain = {0};
        assert_written(hs_html_text, cases[i].in, cases[i].html);
        assert_written(hs_latex_text, cases[i].in, cases[i].latex);
        assert_written(hs_tsv_text, cases[i].in, cases[i].plain);
        hs_plain_text(&plain, cases[i].in);
        assert_string_equal(plain.text ? plain.text : "", cases[i].plain);
        hs_buf_clear(&plain);
    }
}

/* Long texts are cut into pieces for LaTeX; characters must not be. */
static void test_long_latex(void **state)
{
    char in[2048], expected[4096];
    (void)state;
    for (size_t shift = 0; shift < 4; shift++) {
        in[0] = expected[0] = '\0';
        strcat(in, &"xxx"[3 - shift]);
        strcat(expected, &"xxx"[3 - shift]);
        for (int i = 0; i < 300; i++) {
            strcat(in, i % 7 ? "ä€" : "_");
            strcat(expected, i % 7 ? "ä€" : "\\_");
        }
        assert_written(hs_latex_text, in, expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_escaping),
        cmocka_unit_test(test_long_latex),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

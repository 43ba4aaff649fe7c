/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Escaping, format by format.
 */
#include "show/document.h"

static bool is_control(unsigned char c) { return c < 0x20 || c == 0x7f; }

/* Writes the text with each of `pairs` (up to NULL) replaced; what is not valid UTF-8 becomes
 * U+FFFD, other control characters become blanks. */
static void write_replaced(hs_writer *out, const char *text, const char *const (*pairs)[2])
{
    while (*text) {
        size_t length = hs_utf8_length(text, 4), pair = 0;
        while (pairs[pair][0] && (*text != *pairs[pair][0] ||
                                  strncmp(text, pairs[pair][0], strlen(pairs[pair][0])) != 0))
            pair++;
        if (pairs[pair][0]) {
            hs_writer_text(out, pairs[pair][1]);
            length = strlen(pairs[pair][0]);
        } else if (length == 0) {
            hs_writer_text(out, "\xef\xbf\xbd");
        } else if (is_control((unsigned char)*text)) {
            hs_writer_char(out, ' ');
        } else {
            hs_writer_put(out, text, length);
        }
        text += length ? length : 1;
    }
}

void hs_put_escaped(hs_writer *out, void (*escape)(hs_writer *out, const char *text),
                    const char *format, ...)
{
    va_list values;
    va_start(values, format);
    hs_put_values(out, escape, format, values);
    va_end(values);
}

void hs_put_html(hs_writer *out, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    hs_put_values(out, hs_html_text, format, values);
    va_end(values);
}

void hs_put_template(hs_writer *out, const char *outline, ...)
{
    va_list values;
    va_start(values, outline);
    hs_put_values(out, hs_html_text, outline, values);
    va_end(values);
}

void hs_html_text(hs_writer *out, const char *text)
{
    static const char *const pairs[][2] = {{"&", "&amp;"},
                                           {"<", "&lt;"},
                                           {">", "&gt;"},
                                           {"\"", "&quot;"},
                                           {"'", "&#39;"},
                                           /* characters that XML does not have */
                                           {"\xef\xbf\xbe", "\xef\xbf\xbd"},
                                           {"\xef\xbf\xbf", "\xef\xbf\xbd"},
                                           {NULL}};
    write_replaced(out, text, pairs);
}

void hs_latex_text(hs_writer *out, const char *text)
{
    static const char *const pairs[][2] = {
        {"\\", "\\textbackslash{}"},
        {"{", "\\{"},
        {"}", "\\}"},
        {"$", "\\$"},
        {"&", "\\&"},
        {"#", "\\#"},
        {"%", "\\%"},
        {"_", "\\_"},
        {"^", "\\textasciicircum{}"},
        {"~", "\\textasciitilde{}"},
        {"<", "\\textless{}"},
        {">", "\\textgreater{}"},
        {"|", "\\textbar{}"},
        {"\"", "\\textquotedbl{}"},
        {"[", "{[}"}, /* after \\ these two would be parsed as its arguments */
        {"*", "{*}"},
        {"]", "{]}"},
        {"–", "--"}, /* characters of the report that LaTeX spells differently */
        {"−", "$-$"},
        {"±", "$\\pm$"},
        {"×", "$\\times$"},
        {"†", "$\\dagger$"},
        {"χ²", "$\\chi^2$"},
        {"…", "\\ldots{}"},
        {NULL}};
    write_replaced(out, text, pairs);
}

void hs_tsv_text(hs_writer *out, const char *text)
{
    static const char *const pairs[][2] = {{NULL}};
    write_replaced(out, text, pairs);
}

void hs_plain_text(hs_buf *out, const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        size_t length = hs_utf8_length((const char *)c, 4);
        if (length == 0)
            hs_buf_text(out, "\xef\xbf\xbd");
        else if (is_control(*c) ||
                 (*c == 0xc2 && c[1] < 0xa0)) /* the second: controls above 0x7f */
            hs_buf_char(out, ' ');
        else
            hs_buf_add(out, (const char *)c, length);
        c += length ? length : 1;
    }
}

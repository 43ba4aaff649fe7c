/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Escaping, format by format.
 */
#include "show/document.h"

#include <stdarg.h>

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

static void put_known(hs_writer *out, double number)
{
    if (!isnan(number))
        hs_writer_double(out, number);
}

HS_PRINTF(3, 0)
static void put_escaped(hs_writer *out, void (*escape)(hs_writer *out, const char *text),
                        const char *format, va_list values)
{
    for (const char *at; *format; format = at + (*at != '\0')) {
        at = format + strcspn(format, "%");
        hs_writer_put(out, format, (size_t)(at - format));
        at += *at != '\0';
        if (*at == 's')
            escape(out, va_arg(values, const char *));
        else if (*at == 'd')
            hs_writer_printf(out, "%d", va_arg(values, int));
        else if (*at == 'u')
            hs_writer_u64(out, va_arg(values, unsigned));
        else if (*at == 'z' && at++)
            hs_writer_u64(out, va_arg(values, size_t));
        else if (*at == 'g')
            hs_writer_printf(out, "%.10g", round(va_arg(values, double) * 10) / 10);
        else if (*at == 'f')
            put_known(out, va_arg(values, double));
        else if (*at)
            hs_writer_char(out, *at);
    }
}

void hs_put_escaped(hs_writer *out, void (*escape)(hs_writer *out, const char *text),
                    const char *format, ...)
{
    va_list values;
    va_start(values, format);
    put_escaped(out, escape, format, values);
    va_end(values);
}

void hs_put_html(hs_writer *out, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    put_escaped(out, hs_html_text, format, values);
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
        {"[", "{[}"}, /* these two would be taken for arguments of the \\ before them */
        {"*", "{*}"},
        {"]", "{]}"},
        {"–", "--"}, /* signs of the report itself, which plain LaTeX spells in another way */
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

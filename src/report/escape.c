/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Escaping, format by format.
 */
#include "report/escape.h"

#include <string.h>

static bool is_control(unsigned char c) { return c < 0x20 || c == 0x7f; }

typedef const char *(*replacement)(char c);

/* Writes the text with `replace` applied to each ASCII character that it knows. */
static void write_replaced(hs_writer *out, const char *text, replacement replace)
{
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        size_t length = hs_utf8_length((const char *)c, 4);
        const char *instead = length == 1 ? replace((char)*c) : length == 0 ? "\xef\xbf\xbd" : NULL;
        if (instead)
            hs_writer_text(out, instead);
        else if (is_control(*c))
            hs_writer_char(out, ' ');
        else
            hs_writer_put(out, c, length);
        c += length ? length : 1;
    }
}

static const char *for_html(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void hs_html_text(hs_writer *out, const char *text) { write_replaced(out, text, for_html); }

static const char *for_latex(char c)
{
    switch (c) {
    case '\\':
        return "\\textbackslash{}";
    case '{':
        return "\\{";
    case '}':
        return "\\}";
    case '$':
        return "\\$";
    case '&':
        return "\\&";
    case '#':
        return "\\#";
    case '%':
        return "\\%";
    case '_':
        return "\\_";
    case '^':
        return "\\textasciicircum{}";
    case '~':
        return "\\textasciitilde{}";
    case '<':
        return "\\textless{}";
    case '>':
        return "\\textgreater{}";
    case '|':
        return "\\textbar{}";
    case '"':
        return "\\textquotedbl{}";
    case '[': /* these two would be taken for arguments of the \\ before them */
        return "{[}";
    case '*':
        return "{*}";
    case ']':
        return "{]}";
    default:
        return NULL;
    }
}

/* Signs that the report itself uses and that plain LaTeX spells in another way. */
static const char *const latex_signs[][2] = {
    {"–", "--"},         {"−", "$-$"},        {"±", "$\\pm$"},   {"×", "$\\times$"},
    {"†", "$\\dagger$"}, {"χ²", "$\\chi^2$"}, {"…", "\\ldots{}"}};

void hs_latex_text(hs_writer *out, const char *text)
{
    while (*text) {
        size_t plain = strlen(text), sign = 0, signs = sizeof latex_signs / sizeof latex_signs[0];
        const char *next = NULL;
        for (size_t i = 0; i < signs; i++) {
            const char *found = strstr(text, latex_signs[i][0]);
            if (found && (size_t)(found - text) < plain) {
                plain = (size_t)(found - text);
                next = found;
                sign = i;
            }
        }
        char piece[256];
        size_t length = plain < sizeof piece - 1 ? plain : sizeof piece - 1;
        while (length < plain && length > 1 && ((unsigned char)text[length] & 0xc0) == 0x80)
            length--; /* not in the middle of a character */
        memcpy(piece, text, length);
        piece[length] = '\0';
        write_replaced(out, piece, for_latex);
        text += length;
        if (next && text == next) {
            hs_writer_text(out, latex_signs[sign][1]);
            text += strlen(latex_signs[sign][0]);
        }
    }
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

static const char *for_gnuplot(char c) { return c == '"' ? "”" : c == '\\' ? "∖" : NULL; }

void hs_gnuplot_text(hs_writer *out, const char *text) { write_replaced(out, text, for_gnuplot); }

void hs_base64(hs_writer *out, const char *bytes, size_t length)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < length; i += 3) {
        uint32_t group = 0;
        for (size_t j = 0; j < 3; j++)
            group = group << 8 | (i + j < length ? (unsigned char)bytes[i + j] : 0);
        char four[4];
        for (int j = 3; j >= 0; j--, group >>= 6)
            four[j] = digits[group & 63];
        if (i + 1 >= length)
            four[2] = '=';
        if (i + 2 >= length)
            four[3] = '=';
        hs_writer_put(out, four, 4);
    }
}

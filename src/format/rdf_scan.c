/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scans input before raptor, which takes time quadratic in the depth of XML, and reads all of a
 * Turtle file before it parses any of it. Neither scan decides validity, which raptor does; they
 * only have to agree with it on valid files.
 */
#include "format/rdf_scan.h"

#include <string.h>
#include <strings.h>

#define HUGE_TEXT ((uint64_t)1 << 40)

enum { TEXT, OPEN, TAG, QUOTE, END, BANG, COMMENT, CDATA, DECLARATION, INSTRUCTION };

static uint32_t tail(uint32_t window, unsigned bytes) { return window & ((1u << 8 * bytes) - 1); }

bool hs_xml_scan_on(hs_xml_scan *x, const char *text, size_t length, uint64_t limit)
{
    static const uint32_t ends[] = {[COMMENT] = '-' << 16 | '-' << 8 | '>',
                                    [CDATA] = ']' << 16 | ']' << 8 | '>',
                                    [INSTRUCTION] = '?' << 8 | '>'};
    for (size_t i = 0; i < length; i++) {
        if (x->state == TEXT) {
            const char *next = memchr(text + i, '<', length - i);
            size_t end = next ? (size_t)(next - text) : length;
            for (; x->largest && i < end; i++)
                x->references += text[i] == '&';
            if (!next)
                return true;
            i = end;
            x->state = OPEN;
            continue;
        }
        unsigned char c = (unsigned char)text[i];
        uint32_t window = x->window = x->window << 8 | c;
        switch (x->state) {
        case OPEN:
            x->state = c == '/' ? END : c == '!' ? BANG : c == '?' ? INSTRUCTION : TAG;
            x->outer = TEXT;
            x->attributes = 0;
            if (x->state == TAG && ++x->depth > limit)
                return false;
            break;
        case TAG:
            if (c == '"' || c == '\'') {
                x->quote = c;
                x->outer = TAG;
                x->state = QUOTE;
                if (++x->attributes > limit)
                    return false;
            } else if (c == '>') {
                x->depth -= tail(window, 2) == ('/' << 8 | '>');
                x->state = TEXT;
            }
            break;
        case QUOTE:
            x->references += c == '&';
            x->value++;
            x->nested += c == '&';
            if (c != x->quote)
                break;
            x->state = x->outer;
            if (x->outer == DECLARATION && x->value + x->nested * x->largest > x->largest)
                x->largest = x->value + x->nested * x->largest;
            x->largest = x->largest < HUGE_TEXT ? x->largest : HUGE_TEXT;
            break;
        case END:
            if (c == '>') {
                x->depth -= x->depth > 0;
                x->state = TEXT;
            }
            break;
        case BANG:
            x->state = c == '-' ? COMMENT : c == '[' ? CDATA : DECLARATION;
            x->window = x->brackets = 0;
            break;
        case DECLARATION:
            if (window == (uint32_t)('<' << 24 | '!' << 16 | '-' << 8 | '-')) {
                x->outer = DECLARATION;
                x->state = COMMENT;
                x->window = 0;
                x->brackets--; /* of its < */
            } else if (c == '"' || c == '\'') {
                x->quote = c;
                x->outer = DECLARATION;
                x->state = QUOTE;
                x->value = x->nested = 0;
            } else if (c == '>' && x->brackets == 0) {
                x->state = TEXT;
            } else {
                x->brackets += c == '[' || c == '<';
                x->brackets -= x->brackets && (c == ']' || c == '>');
            }
            break;
        default:
            if (tail(window, x->state == INSTRUCTION ? 2 : 3) == ends[x->state])
                x->state = x->outer;
        }
    }
    return true;
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static void end_statement(hs_turtle_scan *t, const char *text, hs_buf *directives)
{
    size_t end = t->at + 1;
    if (t->directive) {
        hs_buf_add(directives, text + t->whole, end - t->whole);
        hs_buf_char(directives, '\n');
    }
    t->whole = end;
    t->begun = t->directive = t->sparql = false;
}

void hs_turtle_scan_on(hs_turtle_scan *t, const char *text, size_t length, bool last,
                       hs_buf *directives)
{
    for (; t->at < length; t->at++) {
        const char *at = text + t->at;
        size_t left = length - t->at;
        char c = *at;
        bool thrice = left > 2 && at[1] == c && at[2] == c;
        if (t->state == COMMENT) {
            if (c == '\n')
                t->state = TEXT;
        } else if (t->state == TAG) { /* an IRI */
            if (c == '>' || c == '\n')
                t->state = TEXT;
            if (c == '>' && t->sparql)
                end_statement(t, text, directives);
        } else if (c == '\\') {
            t->at++;
        } else if (t->state == QUOTE) {
            if (c == '\n' && !t->thrice)
                t->state = TEXT;
            if (c != t->quote)
                continue;
            if (t->thrice && left < 3 && !last)
                return;
            if (!t->thrice || thrice)
                t->state = TEXT;
            t->at += t->thrice && thrice ? 2 : 0;
        } else if (c == '#') {
            t->state = COMMENT;
        } else if (!is_space(c)) {
            if (left < 8 && !last)
                return;
            if (!t->begun) {
                t->begun = true;
                t->sparql = (left > 6 && strncasecmp(at, "prefix", 6) == 0 && is_space(at[6])) ||
                            (left > 4 && strncasecmp(at, "base", 4) == 0 && is_space(at[4]));
                t->directive = t->sparql || c == '@';
            }
            if (c == '<') {
                t->state = TAG;
            } else if (c == '"' || c == '\'') {
                t->quote = c;
                t->thrice = thrice;
                t->state = QUOTE;
                t->at += thrice ? 2 : 0;
            } else if (c == '.' && (left == 1 || is_space(at[1]))) {
                end_statement(t, text, directives);
            }
        }
    }
}

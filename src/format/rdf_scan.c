/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Raptor takes time quadratic in the depth of XML and in the attributes of an element, and writes
 * out entities however large. The scan does not check validity, which raptor does; it only has to
 * agree with raptor on valid files.
 */
#include "data/data.h"
#include "format/rdf_scan.h"

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

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cheap scans of RDF before raptor parses it: the depth of XML, and where Turtle may be split.
 */
#ifndef HS_FORMAT_RDF_SCAN_H
#define HS_FORMAT_RDF_SCAN_H

#include "core/text.h"

typedef struct hs_xml_scan { /* zero-initialise */
    uint64_t depth;          /* elements that are open */
    uint64_t attributes;     /* of the element that was read last, at least */
    uint64_t references;     /* & met so far; the caller may set it to 0 */
    uint64_t largest;        /* bytes that one of them stands for, at most */
    uint64_t value, nested;  /* of a declaration: length of its text, & in it */
    uint32_t window;         /* the last four bytes */
    uint32_t brackets;
    int state, outer;
    unsigned char quote;
} hs_xml_scan;

/* Scans the next bytes of a file, in pieces of any size. False: deeper, or more attributes of an
 * element, than the limit. */
bool hs_xml_scan_on(hs_xml_scan *scan, const char *text, size_t length, uint64_t limit);

typedef struct hs_turtle_scan { /* zero-initialise */
    size_t at;                  /* how far it has looked */
    size_t whole;               /* where the last whole statement ends */
    int state;
    char quote;
    bool thrice;                   /* the quote is """ or ''' */
    bool begun, directive, sparql; /* of the statement at `whole`; sparql: without a full stop */
} hs_turtle_scan;

/* Goes on with text[0 … length), which has grown since the last call; `last`: it will not grow any
 * more. Prefixes and bases are added to `directives`. If text is removed from its front, subtract
 * its length from `at` and `whole`. */
void hs_turtle_scan_on(hs_turtle_scan *scan, const char *text, size_t length, bool last,
                       hs_buf *directives);

#endif

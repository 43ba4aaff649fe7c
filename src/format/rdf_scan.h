/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cheap scan of RDF/XML before raptor parses it: depth, attributes, size of entities.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct hs_xml_scan { /* zero-initialise */
    uint64_t depth;          /* elements that are open */
    uint64_t attributes;     /* of the element that was read last, at least */
    uint64_t references;     /* & met so far; the caller may set it to 0 */
    uint64_t largest;        /* bytes that a reference expands to, at most */
    uint64_t value, nested;  /* of a declaration: length of its text, & in it */
    uint32_t window;         /* the last four bytes */
    uint32_t brackets;
    int state, outer;
    unsigned char quote;
} hs_xml_scan;

/* Scans the next bytes of a file, in pieces of any size. False: deeper, or more attributes of an
 * element, than the limit. */
bool hs_xml_scan_on(hs_xml_scan *scan, const char *text, size_t length, uint64_t limit);

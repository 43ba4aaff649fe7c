/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Helpers for readers and writers of hierarchy files: namespaces of an ontology as users write them
 * (in any case, and for GO also BP, MF and CC), lists of names in messages, and the writer of
 * formats that are lines of names.
 */
#pragma once

#include "format/format.h"

/* The full name of one of GO's namespaces ("BP", "P"), or NULL. */
const char *hs_go_namespace(const char *brief, size_t length);
/* Whether names[id] is in the list. An empty list contains all; other lists do not contain
 * HSEL_NONE. */
bool hs_namespace_wanted(const hs_list *wanted, const hs_names *names, uint32_t id);
/* HSEL_EUSAGE "FILE: no WHAT WANTED in this file; it has: a, b, c" (cut when long). */
HSEL_CHECKED int hs_fail_choice(hsel_error *error, const char *file, const char *what,
                                const char *wanted, const hs_names *known);
/* Checks that every chosen namespace is in the file. */
HSEL_CHECKED int hs_check_namespaces(const hs_list *asked, const char *file, const hs_names *known,
                                     hsel_error *error);

/* Writes a name as the format has it. */
typedef int hs_put_name(hs_writer *writer, const char *name, size_t length, hsel_error *error);
/* Puts the name of a feature; an empty one fits in no hierarchy file. */
HSEL_CHECKED int hs_put_feature(const hsel_dataset *data, uint32_t feature, hs_put_name *put,
                                hs_writer *writer, hsel_error *error);
/* A hierarchy as lines of names. */
typedef struct hs_edge_style {
    hs_put_name *put;
    const char *alone; /* written after a term without edges; NULL: such terms are not written */
    const char *between, *end; /* between child and parent; after the last parent of a line */
    /* Writes further lines of a term; NULL: none. */
    int (*more)(const hsel_dataset *data, uint32_t feature, hs_writer *writer, hsel_error *error);
    bool one_line;  /* a line is a term and all its parents, not a term and a parent */
    bool relations; /* the relation follows the parent, if known */
} hs_edge_style;
HSEL_CHECKED int hs_write_edges(const hsel_dataset *data, const hs_edge_style *style,
                                hs_writer *writer, hsel_error *error);
/* HSEL_EUSAGE when the data set has no hierarchy to write. */
HSEL_CHECKED int hs_need_hierarchy(const hsel_dataset *data, hsel_error *error);

/* Text content starts here: first line that is neither blank nor starts with `comment`; NULL: none.
 */
const char *hs_first_content(const char *head, char comment);
/* No control bytes but tab and line ends. */
bool hs_looks_like_text(const char *head);

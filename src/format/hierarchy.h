/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the readers and writers of hierarchy files share: where a graph came from, options that a
 * format cannot follow, and lists of names in messages.
 */
#ifndef HS_FORMAT_HIERARCHY_H
#define HS_FORMAT_HIERARCHY_H

#include "format/format.h"

/* Notes the file's name in the graph, for later messages. */
HSEL_CHECKED int hs_graph_set_source(hs_graph *graph, const hs_reader *reader, hsel_error *error);
/* For formats that know neither relations nor namespaces: asking for some is HSEL_EUSAGE. */
HSEL_CHECKED int hs_refuse_ontology_options(const hs_graph_options *options,
                                            const hs_reader *reader, const char *format,
                                            hsel_error *error);
/* HSEL_EUSAGE "NAME: no WHAT WANTED; it has a, b, c" (cut when long). */
HSEL_CHECKED int hs_fail_choice(hsel_error *error, const hs_reader *reader, const char *what,
                                const char *wanted, const hs_names *known);
/* Every namespace asked for must be one of the file's. */
HSEL_CHECKED int hs_check_namespaces(const hs_list *asked, const hs_reader *reader,
                                     const hs_names *known, hsel_error *error);
/* The hierarchy to write, or NULL with HSEL_EUSAGE set when the data set has none. */
const hsel_dag *hs_hierarchy_to_write(const hsel_dataset *data, hsel_error *error);
/* The name of a feature for a hierarchy file, or NULL with the error set: an empty name fits in
 * none. */
const char *hs_name_to_write(const hsel_dataset *data, uint32_t feature, size_t *length,
                             hsel_error *error);
/* Text content starts here: first line that is neither blank nor starts with `comment`; NULL: none.
 */
const char *hs_first_content(const char *head, size_t length, char comment);
/* No control bytes but tab and line ends. */
bool hs_looks_like_text(const char *head, size_t length);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A small hierarchy, annotations and labels written as texts, and the data set put together from
 * them, for tests of hs_assemble.
 *
 *        R (bp)            F (mf)
 *       /  \               |
 *      A    B              G
 *     / \  /
 *    C   D        alternates: D2 -> D;  obsolete: OLD -> C (replaced), GONE (nothing)
 */
#ifndef HS_TESTS_ASSEMBLE_WORLD_H
#define HS_TESTS_ASSEMBLE_WORLD_H

#include "core/text.h"
#include "build/assemble.h"

typedef struct hs_assemble_world {
    hs_graph graph;
    hs_annotations annotations;
    hs_labels labels;
    hs_assemble_options options;
    hs_assemble_report report;
    hsel_dataset *data;
} hs_assemble_world;

/* Its edges, as hs_add_edges takes them, and labels for g1, g2 and g3. */
extern const char hs_assemble_edges[], hs_assemble_labels[];

/* "child>parent", separated by blanks. */
HSEL_CHECKED int hs_add_edges(hs_graph *graph, const char *text, hsel_error *error);
/* "object term evidence" or "object !term evidence", separated by blanks; '-' for no evidence;
 * entries by commas. */
HSEL_CHECKED int hs_add_annotations(hs_annotations *annotations, const char *text,
                                    hsel_error *error);
/* A table, read as labels.tsv. */
HSEL_CHECKED int hs_add_labels(hs_labels *labels, const char *text, const hs_label_options *options,
                               hsel_error *error);

/* The hierarchy above, with these annotations and labels. */
HSEL_CHECKED int hs_assemble_world_fill(hs_assemble_world *w, const char *annotations,
                                        const char *labels, hsel_error *error);
/* The same in a new world with a support of 1; fails the running test if it cannot. */
hs_assemble_world hs_assemble_world_new(const char *annotations, const char *labels);
HSEL_CHECKED int hs_assemble_world_run(hs_assemble_world *w, hsel_error *error);
void hs_assemble_world_clear(hs_assemble_world *w);

/* "id class: feature feature", one line an instance. */
void hs_assemble_show_rows(const hsel_dataset *data, hs_buf *out);
/* Runs it, and fails the running test unless these are the rows. */
void hs_assemble_expect_rows(hs_assemble_world *w, const char *expected);
/* What the report counts of a kind. */
uint64_t hs_assemble_found(const hs_assemble_world *w, hs_found kind);

#endif

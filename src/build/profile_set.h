/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes data sets from abundance tables: joins a table with the metadata of the samples and a
 * hierarchy, either from the lineages or given.
 */
#pragma once

#include "build/assemble.h"
#include "format/profile.h"

/* The sources of a data set. */
typedef struct hs_profile_parts {
    hs_profile *profile;
    const hs_profile *taxonomy; /* NULL: none */
    hs_graph *graph;            /* a hierarchy over the features; NULL: their lineages */
    hs_labels *labels;          /* the classes of the samples */
    int aggregate;              /* hs_aggregate: none: values are unchanged */
} hs_profile_parts;

/* Instances are the samples in the metadata that the table has, in the order of the metadata;
 * features are the nodes of the hierarchy, sorted by lineage. Features that
 * are 0 in every instance are left out. *inner is the interpretation of the values of inner
 * features.
 */
HSEL_CHECKED int hs_profile_assemble(const hs_profile_parts *parts,
                                     const hs_profile_options *options, const char *name,
                                     const char *positive, hs_assemble_report *report,
                                     hs_inner *inner, hsel_dataset **out, hsel_error *error);

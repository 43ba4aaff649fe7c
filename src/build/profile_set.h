/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data sets made of tables of abundances: the table is joined with the metadata of the samples and
 * a hierarchy, that of the lineages or one that is given.
 */
#ifndef HS_BUILD_PROFILE_SET_H
#define HS_BUILD_PROFILE_SET_H

#include "build/assemble.h"
#include "format/profile.h"

/* What a data set is made of. */
typedef struct hs_profile_parts {
    hs_profile *profile;
    const hs_profile *taxonomy; /* NULL: none */
    hs_graph *graph;            /* a hierarchy over the features; NULL: their lineages */
    hs_labels *labels;          /* the metadata: classes, then `covariates` further columns */
    size_t covariates;
    int aggregate; /* hs_aggregate: as asked for; none leaves values as they are given */
} hs_profile_parts;

/* Instances are the samples in the metadata that the table has, in the order of the metadata;
 * features are the nodes of the hierarchy, sorted by lineage, then the covariates. Features that
 * are 0 in every instance are left out. *inner is what the values of inner features were taken for.
 */
HSEL_CHECKED int hs_profile_assemble(const hs_profile_parts *parts,
                                     const hs_profile_options *options, const char *name,
                                     const char *positive, hs_assemble_report *report,
                                     hs_inner *inner, hsel_dataset **out, hsel_error *error);

#endif

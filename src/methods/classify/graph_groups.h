/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Groups of features from a file, for the graph norm: each line has the name of a group, a feature
 * and, if it is not 1, the weight of the group, separated by tabs or commas. Empty lines and lines
 * that begin with # are ignored.
 */
#pragma once

#include "data/data.h"

typedef struct hs_groups { /* zero-initialise; hs_groups_clear frees */
    hs_names names;
    double *weight;            /* [names.count], 0 or more */
    uint32_t *group, *feature; /* pairs, as they come */
    uint32_t pairs;
} hs_groups;

/* `features` has an index. HSEL_EFORMAT names the line: an unknown feature, a weight that is not a
 * number of 0 or more or differs from an earlier one, a repeated pair. Clear also after a
 * failure. */
HSEL_CHECKED int hs_groups_read(const char *path, const hs_names *features, hs_groups *out,
                                hsel_error *error);
void hs_groups_clear(hs_groups *groups);

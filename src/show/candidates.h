/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shows ranked candidates (learn/discover.h): as text for a terminal, as CSV, as JSON, and as a
 * paragraph for the methods section of a paper.
 */
#pragma once

#include "learn/discover.h"

typedef struct hs_candidates_shown {
    const hs_discover_request *request;
    const hs_discovery *found;
    const hs_matched *matched; /* NULL: the known positives are those of the data */
} hs_candidates_shown;

HSEL_CHECKED int hs_candidates_print(const hs_candidates_shown *shown, hs_writer *out,
                                     hsel_error *error);
HSEL_CHECKED int hs_candidates_csv(const hs_candidates_shown *shown, hs_writer *out,
                                   hsel_error *error);
void hs_candidates_json(const hs_candidates_shown *shown, hs_json *json);
/* Methods and results in sentences, then versions, seed and provenance of the data. */
HSEL_CHECKED int hs_candidates_report(const hs_candidates_shown *shown, hs_writer *out,
                                      hsel_error *error);

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shows how well each of many sets can be predicted (learn/gene_sets.h).
 */
#pragma once

#include "learn/gene_sets.h"

typedef struct hs_sets_shown {
    const hs_gene_sets *sets;
    const hs_set_results *results;
} hs_sets_shown;

HSEL_CHECKED int hs_sets_print(const hs_sets_shown *shown, hs_writer *out, hsel_error *error);
void hs_sets_csv(const hs_sets_shown *shown, hs_writer *out);
void hs_sets_json(const hs_sets_shown *shown, hs_json *json);

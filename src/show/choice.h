/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shows an automatic choice (learn/auto.h): as text for a terminal, as CSV of the candidates, and
 * as JSON.
 */
#pragma once

#include "learn/auto.h"

/* All accept the results of an interrupted run. */
HSEL_CHECKED int hs_choice_print(const hs_auto_request *request, const hs_auto *result,
                                 hs_writer *out, hsel_error *error);
HSEL_CHECKED int hs_choice_csv(const hs_auto_request *request, const hs_auto *result,
                               hs_writer *out, hsel_error *error);
HSEL_CHECKED int hs_choice_json(const hs_auto_request *request, const hs_auto *result,
                                hs_json *json, hsel_error *error);
/* The candidates and the pairs left out, before anything runs (hs_auto_list). */
HSEL_CHECKED int hs_choice_print_list(const hs_auto *list, hs_writer *out, hsel_error *error);

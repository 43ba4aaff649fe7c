/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shows metrics of a ranking without negatives (stats/unlabelled.h), as text and as JSON.
 */
#pragma once

#include "show/document.h"
#include "stats/unlabelled.h"

/* A line and two tables. */
HSEL_CHECKED int hs_pu_print(const hs_pu_metrics *metrics, hs_writer *out, hsel_error *error);
/* The members of an object. */
void hs_pu_json(const hs_pu_metrics *metrics, hs_json *json);

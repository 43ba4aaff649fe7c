/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The registry as JSON: printed by hsel methods --json, and the source of the Python package.
 */
#pragma once

#include "data/data.h"

/* An array of all methods, or of those of one kind (only < 0: all). */
HSEL_CHECKED int hs_methods_json(hs_writer *out, int only, hsel_error *error);

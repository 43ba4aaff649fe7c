/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The registry as JSON: printed by hsel methods --json, and the source of the Python package.
 */
#ifndef HS_LEARN_METHODS_JSON_H
#define HS_LEARN_METHODS_JSON_H

#include "core/method.h"
#include "core/writer.h"

/* An array of all methods, or of those of one kind (only < 0: all). */
HSEL_CHECKED int hs_methods_json(hs_writer *out, int only, hsel_error *error);

#endif

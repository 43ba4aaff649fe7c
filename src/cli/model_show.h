/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Showing what a model learned as a whole.
 */
#ifndef HS_CLI_MODEL_SHOW_H
#define HS_CLI_MODEL_SHOW_H

#include "evaluate/model.h"

/* On standard output as text or JSON; with `dot`, first as a drawing to that file, "-" in place of
 * the rest. A classifier that has nothing to show is mentioned in one line; HSEL_EUNSUPPORTED when
 * it has no drawing. */
HSEL_CHECKED int hs_show_model(const hs_model *model, const char *dot, bool json,
                               hsel_error *error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An explanation (evaluate/explain.h) for people, for programs and as a picture.
 */
#ifndef HS_REPORT_EXPLANATION_H
#define HS_REPORT_EXPLANATION_H

#include "core/writer.h"
#include "evaluate/explain.h"

/* `whole`: the hierarchy with all its terms; else long chains by their ends, and 500 lines at most.
 */
HSEL_CHECKED int hs_explanation_text(const hs_explanation *explanation, bool whole, hs_writer *out,
                                     hsel_error *error);
HSEL_CHECKED int hs_explanation_json(const hs_explanation *explanation, hs_writer *out,
                                     hsel_error *error);
/* For Graphviz. */
void hs_explanation_dot(const hs_explanation *explanation, hs_writer *out);

#endif

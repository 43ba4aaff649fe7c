/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Critical-difference diagram (Demšar 2006) as SVG: an axis of mean ranks with the best at the
 * left, a line from each method's place on it to its name, and a thick bar over each group that
 * Nemenyi's test does not tell apart.
 */
#ifndef HS_REPORT_CD_DIAGRAM_H
#define HS_REPORT_CD_DIAGRAM_H

#include "report/comparison.h"

/* One <svg> element that stands alone as a file and fits into a page as it is: it has the colour of
 * the text around it (currentColor) and shrinks with the page. Fails with HSEL_EUSAGE when there
 * was too little for the tests. */
HSEL_CHECKED int hs_cd_svg(const hs_comparison *comparison, hs_writer *out, hsel_error *error);

#endif

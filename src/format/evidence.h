/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GO evidence codes and the groups they are named by: "experimental" stands for EXP, IDA, IPI …
 */
#ifndef HS_FORMAT_EVIDENCE_H
#define HS_FORMAT_EVIDENCE_H

#include "core/names.h"
#include "core/option.h"

/* Which of the codes of a file stay: wanted[c] for code c of `codes`. An empty `keep` keeps all;
 * what `leave` names goes in any case. Codes and groups are taken in any case of letters.
 * HSEL_EUSAGE for a word that is no group, no known code and not in `codes`, with the nearest known
 * word. */
HSEL_CHECKED int hs_evidence_select(const hs_list *keep, const hs_list *leave,
                                    const hs_names *codes, bool *wanted, hsel_error *error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Studies as texts, for tests of reading them: the rest of a study for tests of one part, what a
 * study was read as, and texts that must be refused.
 */
#ifndef HS_TESTS_STUDY_TEXT_H
#define HS_TESTS_STUDY_TEXT_H

#include "core/text.h"
#include "study/study.h"

#define STUDY_DATA    "datasets: [{generate: ontology}]\n"
#define STUDY_METHODS "selectors: [none]\nclassifiers: [nb]\n"

/* Every field of it, line by line; fails the running test where two fields contradict each other.
 */
void hs_study_dump(const hs_study *study, hs_buf *out);
/* Fails the running test unless the text, read as s.yaml, is refused with exactly this message, and
 * nothing of it is left. The status is HSEL_EFORMAT unless it is given. */
void hs_study_refuse(const char *yaml, const char *message);
void hs_study_refuse_code(const char *yaml, int code, const char *message);

#endif

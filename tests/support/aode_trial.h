/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random trials of AODE and its hierarchical forms: a small problem with a hierarchy, a form and
 * its options.
 */
#ifndef HS_TESTS_AODE_TRIAL_H
#define HS_TESTS_AODE_TRIAL_H

#include "classify/aode.h"
#include "support/problem.h"

#define TRIAL_CLASSES 4 /* at most */

extern const char *const hs_aode_form_names[3]; /* by hs_aode_form */

typedef struct hs_aode_trial {
    hs_problem p;
    hs_aode_form form;
    hs_aode_options options;
    char text[200]; /* form and options */
} hs_aode_trial;

/* Free its problem. */
void hs_aode_trial_new(hs_aode_trial *trial, hs_stream *stream);

#endif

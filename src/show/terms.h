/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The term table: each feature with its counts in the classes, effect, p-value and what a procedure
 * makes of it; the same rows as text, CSV, JSON and LaTeX.
 */
#pragma once

#include "infer/effects.h"
#include "infer/feature_tests.h"
#include "show/document.h"

typedef struct hs_term_options {
    hs_feature_tests tests; /* must come first */
    double alpha;
    uint32_t top;
    bool significant;
} hs_term_options;

extern const hs_option hs_term_table_options[]; /* all of them */
extern const hs_option hs_term_choice_table[];  /* without those of the tests */

typedef enum hs_term_finding {
    HS_TERM_NOTHING,      /* not significant */
    HS_TERM_SPECIFIC,     /* no term below it is significant */
    HS_TERM_BEYOND_BELOW, /* some are, but without their instances it still differs (p <= alpha) */
    HS_TERM_THROUGH_BELOW /* … it does not */
} hs_term_finding;

typedef struct hs_term_row {
    uint32_t feature;
    double p, q;
    uint8_t status; /* hsel_p_status */
    bool significant;
    hs_effect effect;   /* odds ratio, or difference of means; two classes */
    uint32_t direction; /* the class in which it is most frequent; HSEL_NONE: none is */
    hs_term_finding finding;
    /* Of significant binary features, Fisher's test (within strata), two-sided: without instances
     * that have a significant term below; among those that have all significant terms above. NaN:
     * there are none. */
    double without_below, within_above;
} hs_term_row;

typedef struct hs_term_table { /* zero-initialise; hs_term_table_clear frees */
    const hsel_dataset *data;
    hs_term_options options;
    hs_term_row *rows; /* the smallest p first; of equal ones the larger effect */
    uint32_t count, tested, significant;
    uint32_t shown;   /* by the options: the first of them */
    uint32_t *size;   /* [classes]: instances tested */
    double *in_class; /* [features * classes]: how many have the feature, or the mean */
    hs_arena arena;
} hs_term_table;

HSEL_CHECKED int hs_term_table_make(const hsel_dataset *data, const hs_term_options *options,
                                    hs_term_table *out, hsel_error *error);
void hs_term_table_clear(hs_term_table *table);
/* "text", "csv", "json" or "latex". */
HSEL_CHECKED int hs_term_table_write(const hs_term_table *table, const char *form, hs_writer *out,
                                     hsel_error *error);

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A comparison of methods over data sets, with everything that a paper says about it: ranks, wins,
 * Friedman, Holm against a control, Nemenyi, Wilcoxon for pairs, correlation with a property of the
 * data sets; and the same in words.
 */
#ifndef HS_REPORT_COMPARISON_H
#define HS_REPORT_COMPARISON_H

#include "core/json.h"
#include "core/writer.h"
#include "stats/compare.h"

/* A p value: "0.0312", "3.1e-05", "<2.2e-16"; in a sentence "p = 0.0312", "p < 2.2e-16". */
const char *hs_p_text(double p, bool sentence, char out[32]);

typedef struct hs_comparison_request {
    hs_results results;
    const char *const *methods;  /* [columns] */
    const char *const *datasets; /* [rows] */
    size_t control;              /* column; SIZE_MAX: none */
    double alpha;
    double tolerance; /* results no further apart tie in wins and duels */
    bool one_sided, keep_zeros;
    bool all_pairs; /* print every pair, not only those of the control or of the best method */
    const double *covariate;    /* [rows]: correlated with the results of each method; NULL: none */
    const char *covariate_name; /* "class imbalance" */
} hs_comparison_request;

typedef struct hs_comparison {     /* zero-initialise; hs_comparison_clear frees */
    hs_comparison_request request; /* borrowed parts must live as long */
    double *rank, *mean_rank;      /* see hs_ranks */
    size_t complete_rows;
    uint32_t *wins;
    size_t *order;               /* columns by mean rank, best first, ties by column */
    hs_wilcoxon *wilcoxon;       /* [columns * columns], row against column */
    hs_correlation *correlation; /* [columns]; NULL: no covariate */
    bool tested; /* there were two methods and two complete rows, so that these two are set: */
    hs_friedman friedman;
    hs_against *against; /* [columns]; NULL: no control, or not tested */
} hs_comparison;

HSEL_CHECKED int hs_comparison_make(const hs_comparison_request *request, hs_comparison *out,
                                    hsel_error *error);
void hs_comparison_clear(hs_comparison *comparison);

/* Groups of methods that Nemenyi's test does not tell apart: maximal runs in order of mean rank
 * within less than one critical difference, as positions in `order`; a method that differs from all
 * is in none. Only when tested: for (hs_group g = {0}; hs_next_group(c, &g);) */
typedef struct hs_group {
    size_t first, last;
} hs_group;

bool hs_next_group(const hs_comparison *comparison, hs_group *group);

/* For a terminal: tables, and the words in lines of at most 100 columns. */
HSEL_CHECKED int hs_comparison_print(const hs_comparison *comparison, hs_writer *out,
                                     hsel_error *error);
HSEL_CHECKED int hs_comparison_json(const hs_comparison *comparison, hs_json *json,
                                    hsel_error *error);
/* Critical-difference diagram (Demšar 2006) as one <svg> element that stands alone as a file and
 * fits into a page as it is: it has the colour of the text around it (currentColor) and shrinks
 * with the page. Fails with HSEL_EUSAGE when there was too little for the tests. */
HSEL_CHECKED int hs_cd_svg(const hs_comparison *comparison, hs_writer *out, hsel_error *error);
/* What the tests say, as sentences on one line. */
void hs_comparison_words(const hs_comparison *comparison, hs_buf *out);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A comparison of methods over data sets, with the statistics of papers: ranks, Friedman, Holm
 * against a control, Nemenyi, Wilcoxon for pairs, correlation with a property of the data sets.
 *
 * A statistic is a method (core/method.h): one descriptor, and one line in src/methods/methods.def.
 * From that come its parts of `hsel compare` (table, words, JSON), of the tests in a report, and
 * its help. docs/adding-a-method.md adds one.
 */
#pragma once

#include "stats/compare.h"

/* Data sets; with fewer, tests come with a caution. */
#define HS_ENOUGH_DATA 10

typedef struct hs_comparison_request {
    hs_results results;
    const char *const *methods;  /* [columns] */
    const char *const *datasets; /* [rows] */
    size_t control;              /* column; SIZE_MAX: none */
    double alpha;
    double tolerance; /* results within this distance tie in wins and pairs */
    bool one_sided, keep_zeros;
    bool all_pairs; /* print every pair, not only those of the control or of the best method */
    const double *covariate;    /* [rows]: correlated with the results of each method; NULL: none */
    const char *covariate_name; /* "class imbalance" */
} hs_comparison_request;

typedef struct hs_comparison {     /* zero-initialise; hs_comparison_clear frees */
    hs_comparison_request request; /* borrowed parts must live as long */
    hs_ranks ranks;
    uint32_t *wins;
    uint32_t *order;             /* columns by mean rank, best first, ties by column */
    hs_wilcoxon *wilcoxon;       /* [columns * columns], row against column */
    hs_correlation *correlation; /* [columns]; NULL: no covariate */
    bool tested; /* there were two methods and two complete rows, so that these two are set: */
    hs_friedman friedman;
    hs_against *against; /* [columns]; NULL: no control, or not tested */
} hs_comparison;

HSEL_CHECKED int hs_comparison_make(const hs_comparison_request *request, hs_comparison *out,
                                    hsel_error *error);
void hs_comparison_clear(hs_comparison *comparison);
/* The conclusions of the tests, as sentences on one line. */
void hs_comparison_words(const hs_comparison *comparison, hs_buf *out);
/* The note below the tests in figures. */
void hs_comparison_note(const hs_comparison *comparison, hs_buf *out);

/* Groups of methods without a significant difference by Nemenyi's test: maximal runs in order of
 * mean rank within less than one critical difference, as positions in `order`; a method that
 * differs from all is in none. Only when tested: for (hs_group g = {0}; hs_next_group(c, &g);) */
typedef struct hs_group {
    size_t first, last;
} hs_group;

bool hs_next_group(const hs_comparison *comparison, hs_group *group);

/* ---- a statistic ---- */

typedef struct hs_stat_cell {
    char text[40];   /* "": nothing to show */
    char exact[64];  /* more about it, for a tooltip; "": nothing */
    bool bold, none; /* none: there is no value, and text is a dash */
} hs_stat_cell;

/* The table of a column. Those of methods have a row per method; of the control, only when there is
 * one and what is in it compares the method with it. */
enum hs_stat_table {
    HS_IN_METHODS = 1 << 0, /* the first table of hsel compare */
    HS_IN_TESTS = 1 << 1,   /* the table of tests in a report */
    HS_IN_OWN = 1 << 2,     /* a table of the statistic in hsel compare: see `rows` */
    HS_OF_CONTROL = 1 << 3
};

typedef struct hs_stat_column {
    const char *heading; /* NULL ends the list */
    unsigned tables;
    /* Of method a; where two are compared, against b. */
    void (*cell)(const hs_comparison *c, size_t a, size_t b, hs_stat_cell *out);
} hs_stat_column;

typedef enum hs_stat_rows { HS_ROW_PER_METHOD, HS_ROW_PER_PAIR } hs_stat_rows;

typedef struct hs_statistic {                /* each function may be NULL */
    bool (*applies)(const hs_comparison *c); /* NULL: to every comparison */
    int (*make)(hs_comparison *c, hsel_error *error);
    const hs_stat_column *columns;
    hs_stat_rows rows; /* rows of its own table */
    /* hsel compare: lines, each ended, before its own table. */
    void (*lines)(const hs_comparison *c, hs_buf *out);
    /* One sentence or more; only of a comparison that is tested. */
    void (*say)(const hs_comparison *c, hs_buf *out);
    /* Below the table of tests in a report. */
    void (*note)(const hs_comparison *c, hs_buf *out);
    /* Members of the JSON object of a method, and of the comparison. */
    void (*put_method)(const hs_comparison *c, size_t method, hs_json *json);
    void (*put)(const hs_comparison *c, hs_json *json);
} hs_statistic;

/* Every statistic that applies: for (size_t i = 0; (s = hs_next_statistic(c, &i));) */
const hs_statistic *hs_next_statistic(const hs_comparison *comparison, size_t *at);

/* Texts of numbers in cells, with so many decimals and of p; a dash for NaN. */
void hs_number_cell(double number, int decimals, hs_stat_cell *out);
void hs_p_cell(double p, hs_stat_cell *out);
/* A p value: "0.0312", "3.1e-05", "<2.2e-16"; in a sentence "p = 0.0312", "p < 2.2e-16". */
const char *hs_p_text(double p, bool sentence, char out[32]);

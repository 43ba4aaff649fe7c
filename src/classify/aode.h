/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the parts of AODE and its two hierarchical forms share: the model. It is kept in whole
 * numbers: how often two features are positive together in each class. All other counts of a pair
 * follow from these, and every logarithm is that of a whole number plus a constant, so it comes
 * from a table. Features in use are numbered 0 … n-1 here ("places").
 *
 * Invariants: rows stand by class; columns mirror them; slot[i] is the place of feature i's row of
 * joint counts in `table`, or HSEL_NONE: then it is counted when it is needed, with the same
 * result.
 */
#ifndef HS_CLASSIFY_AODE_H
#define HS_CLASSIFY_AODE_H

#include "classify/classify.h"

typedef enum hs_aode_form { HS_AODE_PLAIN, HS_AODE_HIE, HS_AODE_LITE } hs_aode_form;
typedef enum hs_aode_smoothing { HS_AODE_LAPLACE, HS_AODE_M_ESTIMATE } hs_aode_smoothing;

typedef struct hs_aode_options {
    uint32_t frequency;
    int smoothing;
    double weight, memory;
} hs_aode_options;

typedef struct hs_aode {
    hs_aode_form form;
    hs_aode_options options;
    uint32_t features;         /* of the data */
    uint32_t n, classes;       /* features in use */
    uint32_t *place, *feature; /* [features]: place or HSEL_NONE; [n]: back */
    uint32_t *class_start;     /* [K + 1]: rows of class y are class_start[y] … */
    uint32_t *class_of;        /* [rows] */
    hs_sparse rows, columns;   /* training instances with a class, by places */
    uint32_t *positive;        /* [K * n]: n(y, x_i = 1) */
    uint8_t *may_be_parent;    /* [2 * n]: by value, then place */
    double *log_pair;          /* [k]: log(k + numerator's constant), of n(y, x_i, x_j) */
    double *log_total;         /* [k]: log(k + denominator's constant), of n(y, x_i) and n(y) */
    double *log_parent;        /* [k]: log(k + constant), of n(y, x_i) in P(y, x_i) */
    double *base;        /* [2 * K * n]: by value of i, class, i: every other feature negative */
    hs_sparse below;     /* descendants of each feature; no lists in the plain form */
    uint32_t *ancestors; /* [n]: number of them; all 0 in the plain form */
    bool wide;           /* joint counts have 4 bytes, not 2 */
    double least;        /* bytes of all but the table, at most */
    uint32_t kept;       /* rows of joint counts in the table */
    uint32_t *slot;      /* [n] */
    void *table;         /* [kept * K * n] */
    uint64_t *bits;      /* [n * words]: columns as bits, each class on whole words; NULL: lists */
    size_t words, *class_word; /* [K + 1] */
} hs_aode;

static inline uint32_t hs_aode_class_size(const hs_aode *m, uint32_t y)
{
    return m->class_start[y + 1] - m->class_start[y];
}

static inline size_t hs_aode_row_cells(const hs_aode *m) { return (size_t)m->classes * m->n; }
static inline size_t hs_aode_cell_bytes(const hs_aode *m) { return m->wide ? 4 : 2; }

/* The joint counts of feature j with all others, [K * n]: those of the table, or counted into
 * `buffer`, which has room for a row. */
const void *hs_aode_row(const hs_aode *m, uint32_t j, void *buffer);

/* Number `at` of a row. */
static inline uint32_t hs_aode_joint(const hs_aode *m, const void *row, size_t at)
{
    return m->wide ? ((const uint32_t *)row)[at] : ((const uint16_t *)row)[at];
}

/* From rows, classes and features in use to the rest. `dag` NULL: plain form. */
HSEL_CHECKED int hs_aode_prepare(hs_aode *m, const hsel_dag *dag, int threads,
                                 const struct hs_progress *progress, hsel_error *error);
/* Counts every row, keeps what is to be kept and sums up `base`. Needs all but these. */
HSEL_CHECKED int hs_aode_count(hs_aode *m, const hs_sparse *above, int threads,
                               const struct hs_progress *progress, hsel_error *error);
/* Chooses lists or bits for counting, whichever is cheaper. Room for bits: hs_aode_bits_bytes. */
HSEL_CHECKED int hs_aode_make_bits(hs_aode *m, hsel_error *error);
size_t hs_aode_bits_bytes(const hs_aode *m);
void hs_aode_free(void *model);

int hs_aode_predict(const void *model, const hsel_dataset *data, uint32_t instance,
                    const hs_selection *selection, void *scratch, double *probability,
                    double *score, hsel_error *error);
int hs_aode_scratch_new(const void *model, void **scratch, hsel_error *error);
void hs_aode_scratch_free(void *scratch);
size_t hs_aode_scratch_bytes(const hs_aode *m);

int hs_aode_write(const void *model, hs_writer *out, hsel_error *error);
int hs_aode_read(hs_aode_form form, const void *bytes, size_t length, const hsel_dataset *shape,
                 void **model, hsel_error *error);

#endif

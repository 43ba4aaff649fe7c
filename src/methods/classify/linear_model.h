/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Linear models: what `logistic` and `proximal-graph` share. Features as columns of a design, the
 * weights that a solver found for these as weights of the values as they were, predicting,
 * explaining, showing, model files.
 *
 * Numeric features are divided by their (weighted) standard deviation in the training part, and
 * weights refer to the original values; a missing value is the mean. Zeros stay zeros where they
 * are a third of the values or more: a feature's centre goes to the intercept. A nominal feature of
 * more than two values is a column per value; a missing one is the most frequent.
 *
 * Predicting O(K x (positive features + others)), memory d weights per part.
 */
#pragma once

#include "classify/classify.h"
#include "classify/graph_fit.h"

/* A linear model: of a class, or of the number. */
typedef struct hs_linear_part {
    double lambda, largest; /* the one in use; the least that leaves all weights 0, or 0: none */
    double objective, gap;  /* gap NaN: it was not computed */
    double intercept;
    uint32_t iterations, active; /* active: weights that are not 0 */
} hs_linear_part;

typedef struct hs_linear_step { /* down the lambdas, and what it came to; as it is in model files */
    double lambda, features, loss, gap; /* features … gap NaN: not computed */
    double inner; /* GM, log loss or RMSE of inner folds; NaN: there were none */
} hs_linear_step;

typedef struct hs_linear_model {
    uint32_t features, classes, in_use;
    uint32_t parts; /* two classes: one, of class 1 against class 0; else one per class, or 1 */
    uint32_t places, other_count;
    uint32_t steps;   /* of the path */
    bool numeric;     /* the target is a number */
    bool multinomial; /* P(c) ~ exp of what its part says (else parts are one against the rest), and
                         lambda was chosen by log loss (else by GM) */
    double *weight;   /* [parts * places]: of feature f in place f; then of nominal values */
    bool *free;       /* [d]: not penalised */
    hs_linear_part *part;
    hs_coded *other;      /* their columns are places; of values as they are */
    hs_linear_step *path; /* [parts * steps], on its own */
} hs_linear_model;

/* Without weights; NULL: no memory. */
void *hs_linear_model_new(const hsel_dataset *shape);
void hs_linear_model_free(void *model);
HS_RELEASE(hs_linear_model_release, hs_linear_model, hs_linear_model_free)

/* ---- learning ---- */

enum { HS_SCALE_NUMERIC, HS_SCALE_ALL, HS_SCALE_NONE }; /* what is divided by its deviation */

typedef struct hs_linear_column { /* of the design */
    uint32_t feature;             /* HSEL_NONE: none, always 0 */
    uint32_t code;  /* the nominal value that it stands for; HSEL_NONE: the feature as it is */
    uint32_t place; /* of its weight; HSEL_NONE: it has none */
    double centre, scale;
} hs_linear_column;

typedef struct hs_linear_fit { /* set the first four; hs_linear_fit_clear frees */
    const char *method;        /* for messages */
    const hs_training *training;
    hs_linear_model *model; /* borrowed */
    int scale;
    hs_arena memory;
    hs_design design;
    uint32_t *feature, feature_count; /* that have a sparse column, ascending */
    hs_linear_column *column;         /* [nodes + free columns] */
    uint32_t nodes, free_columns;     /* sparse ones; others */
    uint32_t *rows, row_count;        /* of the training part, with a class or number */
    double *weight;                   /* [row_count]: room for weights of rows; NULL: all are 1 */
    double *number;                   /* [row_count]: of mean 0 and variance 1; NULL: classes */
    double mean, sd;                  /* before */
} hs_linear_fit;

/* The option `lambda`, auto or a number above 0; 0: auto. */
HSEL_CHECKED int hs_linear_lambda(const char *method, const char *text, double *out,
                                  hsel_error *error);
/* Rows, target, and space for features. Clear also after a failure. */
HSEL_CHECKED int hs_linear_fit_init(hs_linear_fit *fit, hsel_error *error);
void hs_linear_fit_clear(hs_linear_fit *fit);
/* Columns of the features listed: a column each (nominal ones of several values an empty one), then
 * the values of nominal features, with space for so many more; sets `nodes`. */
HSEL_CHECKED int hs_linear_columns(hs_linear_fit *fit, size_t more, double *spread,
                                   hsel_error *error);
/* Learns the columns of one feature into out[count]. `spread`, here and above: [instances]. */
HSEL_CHECKED int hs_linear_learn(hs_linear_fit *fit, uint32_t feature, double *spread,
                                 hs_linear_column *out, uint32_t *count, hsel_error *error);
/* The design from the columns. */
HSEL_CHECKED int hs_linear_design(hs_linear_fit *fit, double *spread, hsel_error *error);
/* A solution, w[nodes] and free[free columns], as the weights of a part, whose intercept is set. */
void hs_linear_keep(const hs_linear_fit *fit, uint32_t part, const double *w, const double *free);
/* Features that have a weight. */
uint32_t hs_linear_features(const hs_linear_fit *fit, const double *w, const double *free);
/* ---- slots of hs_classifier ---- */

int hs_linear_predict(const void *model, const hs_batch *batch, void *scratch, double *probability,
                      double *score, hsel_error *error);
/* Of one part against the rest: the log-odds of the class's own part, its score, before
 * probabilities are normalised. Of a number: what adds up to it. */
int hs_linear_contributions(const void *model, const hs_batch *one, void *scratch, uint32_t label,
                            double *prior, double *contribution, hsel_error *error);
int hs_linear_weights(const void *model, hs_weighted **list, uint32_t *count, uint32_t *label,
                      hsel_error *error);
int hs_linear_describe(const void *model, const hsel_dataset *shape, hs_describe_form form,
                       hs_writer *out, hsel_error *error);
int hs_linear_fields(void *model, const hsel_dataset *shape, hs_transfer *file, hsel_error *error);

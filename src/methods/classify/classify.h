/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Classifiers: fitted once on a training part, they predict scores and probabilities of the classes
 * for an instance, from all its features or from those that a lazy selector chose for it, without
 * refitting.
 */
#pragma once

#include "data/data.h"

/* A weight of a linear model: of a feature or, unless `code` is HSEL_NONE, of one of its values. */
typedef struct hs_weighted {
    double weight;
    uint32_t feature, code;
} hs_weighted;

typedef enum hs_describe_form { HS_DESCRIBE_TEXT, HS_DESCRIBE_JSON } hs_describe_form;

/* Options for the output of any classifier (pipeline/adjust.h): its options begin with these, and
 * its table with HS_ADJUST. */
typedef struct hs_adjust_options {
    int calibration;       /* hs_calibration */
    const char *threshold; /* none, a metric, cost, or a probability */
    double cost;           /* of a missed positive instance, relative to a false alarm */
    uint32_t inner_folds;
    const char *weights; /* of the classes: none, balanced, or one per class */
    int preset;          /* always 0 */
} hs_adjust_options;

typedef enum hs_calibration {
    HS_CALIBRATION_NONE,
    HS_CALIBRATION_PLATT,
    HS_CALIBRATION_ISOTONIC,
    HS_CALIBRATION_AUTO /* as Platt's, of the probabilities alone */
} hs_calibration;

#define HS_ADJUST_BY(calibrates, folds, uses)                                                      \
    HS_CHOICE(hs_adjust_options, calibration, "calibration", "none|platt|isotonic|auto",           \
              calibrates,                                                                          \
              "calibrate the probabilities in inner folds of the training part: by a logistic "    \
              "curve, or by isotonic regression; auto: by a logistic curve, where each class has " \
              "an instance per inner fold, and scores and predicted classes stay as they are"),    \
        HS_TEXT(                                                                                   \
            hs_adjust_options, threshold, "threshold", "none|METRIC|cost|P", "none",               \
            "decision threshold for two classes: chosen in inner folds for a metric of predicted " \
            "classes (gm, f1 …) or the least cost, or a calibrated probability of the positive " \
            "class"),                                                                              \
        HS_OPTION(                                                                                 \
            hs_adjust_options, cost, "cost", "X", "1", 1e-9, 1e9,                                  \
            "with threshold=cost: cost of a missed positive instance, relative to that of a "      \
            "false alarm"),                                                                        \
        HS_OPTION(hs_adjust_options, inner_folds, "inner-folds", "N", folds, 2, 1000, uses),       \
        HS_TEXT(                                                                                   \
            hs_adjust_options, weights, "weights", "none|balanced|W/W/…", "none",                  \
            "weights of instances by class: all equal, the same total for each class, or these "   \
            "weights, in the order of the classes")
#define HS_ADJUST HS_ADJUST_BY("none", "5", "folds for calibration and threshold")
/* For classifiers whose own probabilities are too near to 0 and 1. */
#define HS_ADJUST_AUTO HS_ADJUST_BY("auto", "5", "folds for calibration and threshold")
/* After them: options with which the method is that of WEKA, or of the publication. */
#define HS_WEKA(sets_, of)                                                                         \
    HS_PRESET(hs_adjust_options, preset, "none|weka", sets_,                                       \
              "weka: " sets_ ", as " of "; options given as well take precedence")
extern const hs_option hs_adjust_table[]; /* these alone */
/* Slot `check` of hs_method. */
HSEL_CHECKED int hs_adjust_check(const void *options, hsel_error *error);
/* The probability given as threshold; NaN: none. */
double hs_adjust_probability(const hs_adjust_options *options);
/* The options of a classifier that begin with them; NULL: it has none. */
const hs_adjust_options *hs_adjust_of(const hs_chosen *classifier);
/* Whether they change scores or predicted classes, by calibration or a threshold. */
bool hs_adjust_moves(const hs_adjust_options *options);
/* Whether they set class weights. */
bool hs_adjust_weighs(const hs_chosen *classifier);

/* 1 / (1 + exp(-x)), without overflow. */
static inline double hs_sigmoid(double x)
{
    double e = exp(-fabs(x));
    return (x >= 0 ? 1 : e) / (1 + e);
}

/* With two classes score[0] is the evidence for class 1; this makes it the scores of both. */
static inline void hs_mirror_score(double *score, uint32_t classes)
{
    if (classes == 2) {
        score[1] = score[0];
        score[0] = -score[1];
    }
}

/* Number of scores of an instance: one per class, or one for a predicted number. */
static inline size_t hs_answers(uint32_t classes) { return classes ? classes : 1; }

#define HS_BATCH 64 /* instances that callers with many predict at once */

/* The input of a prediction: many instances, or one with the features selected for it. */
typedef struct hs_batch {
    const hsel_dataset *data; /* has the features of the training data */
    const uint32_t *instances;
    uint32_t count;
    const hs_selection *selection; /* NULL: all features of the fit; else `count` is 1 */
} hs_batch;

typedef struct hs_classifier {
    /* Fits on training->view (its feature mask says which features exist, e.g. after eager
     * selection). */
    int (*fit)(const hs_training *training, const void *options, void **model, hsel_error *error);
    /* Of each instance of the batch its class probabilities (summing to 1) into probability[batch *
     * classes], and into score[batch * classes] the scores, which rank instances and decide the
     * class: higher means more evidence for the class against the rest. Unlike probabilities,
     * scores do not saturate at 1; no score is NaN. The predicted class is that of the highest
     * score, ties to the lowest index (hs_predicted_class). Of two classes, score[0] is -score[1].
     * A classifier without HS_PREDICTS_ON_MASK is never given a selection. With a numeric target
     * (HS_NUMERIC_TARGET) the number predicted goes into score[batch], and `probability` is not
     * changed. */
    int (*predict)(const void *model, const hs_batch *batch, void *scratch, double *probability,
                   double *score, hsel_error *error);
    /* Scratch for predict, one per thread; NULL slots: none needed. */
    int (*scratch_new)(const void *model, void **scratch, hsel_error *error);
    void (*scratch_free)(void *scratch);
    /* For a classifier whose score of a class is the sum of the logarithm of its prior and one term
     * for the value of each feature, computed from counts: these, of the binary features of the
     * view, into prior[classes], negative and positive[features * classes]; the other elements are
     * not changed. Searches use this instead of fitting. NULL: not possible. */
    void (*terms)(const hs_view *view, const hs_counts *counts, double *prior, double *negative,
                  double *positive);
    /* Explains the prediction of an instance (a batch of one): contribution[features] of each
     * feature to the log-odds of class `label` against the rest, and *prior without any feature;
     * together they add up to the log-odds (docs/explanations.md). For a numeric target (`label`
     * HSEL_NONE) they add up to the number. If *prior is NaN, or the slot is NULL, Owen values are
     * used instead (learn/owen.h). */
    int (*contributions)(const void *model, const hs_batch *one, void *scratch, uint32_t label,
                         double *prior, double *contribution, hsel_error *error);
    /* Whether with these options fitting fills own_score of hs_training; NULL: never. */
    bool (*scores_training)(const void *options);
    bool by_path;        /* contributions are those of the tests on a path of a tree */
    bool adjusts_itself; /* it learns its hs_adjust itself */
    /* The number of votes if probabilities are shares of votes, which can be 0 or 1: explanations
     * add half a vote on either side. NULL or 0: they are not. */
    double (*votes)(const void *model);
    /* The training instances that the prediction of an instance (a batch of one) is based on,
     * nearest first, ties to the lowest instance; free the list with hs_free. NULL: none. */
    int (*neighbours)(const void *model, const hs_batch *one, void *scratch, hs_neighbour **list,
                      uint32_t *count, hsel_error *error);
    /* Importance of feature f for the classifier; NULL: not available. */
    double (*importance)(const void *model, uint32_t feature);
    /* For a classifier whose scores are sums of weights: those of the first sum that are not 0
     * (free the list with hs_free), and the class that it speaks for, HSEL_NONE: a number, or there
     * is no sum. NULL: it is not of that kind. */
    int (*weights)(const void *model, hs_weighted **list, uint32_t *count, uint32_t *label,
                   hsel_error *error);
    /* Of a classifier that is a network of features: the i-th feature that a feature depends on
     * besides the class, or HSEL_NONE, and their mutual information given the class, in bits. NULL:
     * not a network. */
    uint32_t (*depends)(const void *model, uint32_t feature, uint32_t i, double *strength);
    bool varies; /* each instance has its own network; `depends` has the best pairs */
    /* Describes the fitted model: a tree, coefficients, importance of features … as text or as a
     * JSON object. NULL: hs_model_describe uses the counts and the network. */
    int (*describe)(const void *model, const hsel_dataset *shape, hs_describe_form form,
                    hs_writer *out, hsel_error *error);
    /* Model files: the classifier's part of one (learn/model_file.c has the rest). `make`: an empty
     * model of the features and classes of `shape`; NULL: no memory. `fields` writes a model, or
     * reads one into an empty model, by the same tables; after reading it checks conditions that
     * tables cannot express (HSEL_EFORMAT without a message: damaged) and computes the members that
     * are not in the file. `shape` is NULL when it writes. */
    const char *name; /* of the model, for messages */
    void *(*make)(const hsel_dataset *shape);
    int (*fields)(void *model, const hsel_dataset *shape, hs_transfer *file, hsel_error *error);
    void (*free)(void *model);
} hs_classifier;

/* Fits with the class weights of its options: balanced is n / (K n_c), n being the training
 * instances (or their weights), K the classes that they have. HSEL_EUSAGE: weights for another
 * number of classes. HSEL_EUNSUPPORTED: it cannot use weights of instances. */
HSEL_CHECKED int hs_classifier_fit(const hs_chosen *classifier, const hs_training *training,
                                   void **model, hsel_error *error);
/* The features used by a prediction: the selection of the batch, or without one all features of the
 * instance whose positive ones are row[0 … count). With all negative features, none is listed. */
hs_selection hs_selected(const hs_batch *batch, const uint32_t *row, size_t count);
/* The rows of a view that have a class, class by class and in order within each, as the binary
 * features in use that are positive; class_size[classes] must be 0 before. */
HSEL_CHECKED int hs_rows_by_class(const hs_view *view, uint32_t *class_size, hs_sparse *out,
                                  hsel_error *error);
/* Reads or writes such rows: rows->lists of them, with features below a limit. */
HSEL_CHECKED int hs_rows_fields(hs_sparse *rows, uint32_t features, hs_transfer *file,
                                hsel_error *error);
/* log P(c) = log (n_c + 1) / (N + K), plus the logarithm of the class weight. */
void hs_log_priors(const uint32_t *class_size, const double *log_weight, uint32_t classes,
                   double *prior);
/* Of a classifier that multiplies its prior by the class weights: their logarithms into
 * log_weight[classes], which must be 0; and, not all 0, as the end of its part of a model file. */
void hs_log_weights(const hs_training *training, double *log_weight);
HSEL_CHECKED int hs_log_weights_fields(double *log_weight, uint32_t classes, hs_transfer *file,
                                       hsel_error *error);

/* Rows of `fields`: the numbers of features and classes, which are those of the shape. */
#define HS_SHAPE(model)                                                                            \
    HS_VALUE((model)->features, HS_IS((model)->features)),                                         \
        HS_VALUE((model)->classes, HS_IS((model)->classes))

/* The classifier's part of a model file, written and read. HSEL_EFORMAT: cut off or damaged. */
HSEL_CHECKED int hs_classifier_write(const hs_classifier *classifier, const void *model,
                                     hs_writer *out, hsel_error *error);
HSEL_CHECKED int hs_classifier_take(const hs_classifier *classifier, hs_transfer *file,
                                    const hsel_dataset *shape, void **model, hsel_error *error);

/* Logarithms of unnormalised probabilities (at least one finite) to probabilities that sum to 1, in
 * place, and to scores: the log-odds of each class against the rest. The class of the highest score
 * is that of the highest logarithm. */
void hs_normalise_logs(double *value, double *score, uint32_t classes);
/* -log P(label), where P(c) ~ exp of score[k * stride] of the part k of the class, which stand for
 * the classes that occur (HSEL_NONE: the class has the score `none`). Of two classes there is one
 * part, whose score is the log-odds of class 1. */
double hs_log_loss(const double *score, size_t stride, const uint32_t *part_of, uint32_t classes,
                   uint32_t label, double none);
/* Contributions of a classifier whose logarithm of class c is prior[c] plus term[f * classes + c]
 * of every feature f, to the log-odds of `label` against the rest; returns the prior of these. With
 * several other classes d, the logarithm of the sum of their probabilities is the mean of theirs by
 * their shares w_d of it, plus the entropy of these; the means go to the features, the entropy to
 * the prior. Of two classes: the differences. */
double hs_contributions_of_terms(const double *prior, const double *term, uint32_t features,
                                 uint32_t classes, uint32_t label, double *contribution);
/* The same for a classifier that adds a term per selected feature: `add` adds those of a feature to
 * sum[classes]. */
typedef void hs_add_terms(const void *model, const hs_batch *one, void *scratch, uint32_t feature,
                          bool positive, double *sum);
HSEL_CHECKED int hs_add_contributions(const void *model, const hs_batch *one, void *scratch,
                                      const double *log_prior, uint32_t classes, uint32_t label,
                                      hs_add_terms *add, double *prior, double *contribution,
                                      hsel_error *error);
/* A numeric or nominal feature in columns of numbers: (value - low) / range, or 1 in the column of
 * its value; of a nominal feature of two values, 1 for the second in one column. */
typedef struct hs_coded {
    uint32_t feature;
    uint32_t column; /* its first */
    uint32_t values; /* nominal: how many; 0: numeric */
    uint32_t common; /* nominal: value used for missing ones */
    double mean;     /* numeric: value used for missing ones */
    double low, range;
} hs_coded;
/* The column that a value (NaN: missing) sets, and to what, in its place; HSEL_NONE: none, as does
 * a nominal value that training did not have. */
static inline uint32_t hs_code_value(const hs_coded *coded, double *value)
{
    if (!coded->values) {
        *value = coded->range > 0
                     ? ((isnan(*value) ? coded->mean : *value) - coded->low) / coded->range
                     : 0;
        return *value != 0 ? coded->column : HSEL_NONE;
    }
    uint32_t code = isnan(*value) ? coded->common : (uint32_t)*value;
    *value = 1;
    if (coded->values > 2)
        return code < coded->values ? coded->column + code : HSEL_NONE;
    return code == 1 ? coded->column : HSEL_NONE;
}
/* Its contribution to a sum of column weights; a weight of 0 contributes nothing for any value. */
static inline double hs_coded_term(const hs_coded *coded, double value, const double *weight)
{
    const uint32_t column = hs_code_value(coded, &value);
    return column == HSEL_NONE || weight[column] == 0 ? 0 : weight[column] * value;
}

void hs_heaviest_first(hs_weighted *list, uint32_t count);
/* The name of a value of a nominal feature; NULL: the shape does not know it. */
const char *hs_value_name(const hsel_dataset *shape, uint32_t feature, uint32_t code);

/* Scores of a classifier that has only probabilities (shares of votes): these, or with two classes
 * their difference. */
void hs_scores_of_shares(const double *probability, double *score, uint32_t classes);

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel: feature selection and classification when binary features stand in an IS-A hierarchy.
 * This is the one header of the library.
 *
 * Conventions
 *   - A fallible function returns HSEL_OK (0) or a negative status and fills the caller's
 *     hsel_error, passed last (NULL is allowed: the status alone then tells).
 *   - A returned pointer is borrowed and lives as long as the object it came from.
 *     What comes out of a `T **out` parameter is yours: free it with the function named there.
 *   - Every _free accepts NULL. Objects are immutable once made, so threads may share them.
 *   - The library never prints, never exits and keeps no global state.
 */
#ifndef HSEL_HSEL_H
#define HSEL_HSEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HSEL_VERSION_MAJOR 0
#define HSEL_VERSION_MINOR 1
#define HSEL_VERSION_PATCH 0
#define HSEL_VERSION       "0.1.0"

#if defined(__GNUC__)
#define HSEL_API     __attribute__((visibility("default")))
#define HSEL_CHECKED __attribute__((warn_unused_result))
#else
#define HSEL_API
#define HSEL_CHECKED
#endif

/* ---- status and errors ------------------------------------------------------------------- */

typedef enum hsel_status {
    HSEL_OK = 0,
    HSEL_ENOMEM = -1,       /* out of memory */
    HSEL_EIO = -2,          /* the operating system refused to read or write */
    HSEL_EFORMAT = -3,      /* a file's content is not what it should be */
    HSEL_EUSAGE = -4,       /* a wrong argument, option, or combination of them */
    HSEL_ELIMIT = -5,       /* more than this program is made to hold */
    HSEL_EUNSUPPORTED = -6, /* not built in, or not possible for this kind of data */
    HSEL_ECANCELLED = -7    /* stopped by the progress callback */
} hsel_status;

/* Room for one plain line. `file` and `line` are set when the message is about a place in a file;
 * `message` already starts with them. */
typedef struct hsel_error {
    int code;
    unsigned long line;
    char file[256];
    char message[1024];
} hsel_error;

/* The library's version, e.g. "0.1.0"; and what optional parts it was built with, e.g. "raptor2
 * openmp". */
HSEL_API const char *hsel_version(void);
HSEL_API const char *hsel_built_with(void);

/* ---- data sets --------------------------------------------------------------------------- */

#define HSEL_NONE UINT32_MAX /* no such feature, class, node … */

typedef struct hsel_dataset hsel_dataset;
typedef struct hsel_dag hsel_dag;

typedef enum hsel_feature_type {
    HSEL_BINARY = 0,
    HSEL_NUMERIC = 1,
    HSEL_NOMINAL = 2
} hsel_feature_type;

/* Reads a data set: a data file of any known format, a pack, a folder that holds data.* (and
 * hierarchy.*, meta.json), or a hierarchy alone. `options` are written as the command's long
 * options without dashes, e.g. "hierarchy=go.obo,class=label,drop-roots"; NULL for none. Free with
 * hsel_dataset_free. */
HSEL_API HSEL_CHECKED int hsel_dataset_read(const char *path, const char *options,
                                            hsel_dataset **out, hsel_error *error);
/* Writes data (format by the file name's ending, ".gz" compresses); the file appears whole or not
 * at all. */
HSEL_API HSEL_CHECKED int hsel_dataset_write(const hsel_dataset *data, const char *path,
                                             hsel_error *error);
HSEL_API void hsel_dataset_free(hsel_dataset *data);

HSEL_API const char *hsel_dataset_name(const hsel_dataset *data);
HSEL_API uint32_t hsel_dataset_instances(const hsel_dataset *data);
HSEL_API uint32_t hsel_dataset_features(const hsel_dataset *data);
HSEL_API uint32_t hsel_dataset_classes(const hsel_dataset *data);
HSEL_API const char *hsel_dataset_feature_name(const hsel_dataset *data, uint32_t feature);
HSEL_API uint32_t hsel_dataset_find_feature(const hsel_dataset *data, const char *name);
HSEL_API hsel_feature_type hsel_dataset_feature_type(const hsel_dataset *data, uint32_t feature);
HSEL_API const char *hsel_dataset_class_name(const hsel_dataset *data, uint32_t label);
/* Class of an instance; HSEL_NONE when its class is not known. */
HSEL_API uint32_t hsel_dataset_class_of(const hsel_dataset *data, uint32_t instance);
/* Identifier of an instance, or NULL when the data set has none. */
HSEL_API const char *hsel_dataset_id(const hsel_dataset *data, uint32_t instance);
/* The positive binary features of an instance, ascending; *count says how many. */
HSEL_API const uint32_t *hsel_dataset_row(const hsel_dataset *data, uint32_t instance,
                                          size_t *count);
/* The instances in which a binary feature is positive, ascending. */
HSEL_API const uint32_t *hsel_dataset_column(const hsel_dataset *data, uint32_t feature,
                                             size_t *count);
/* The hierarchy over the features (node i is feature i), or NULL. */
HSEL_API const hsel_dag *hsel_dataset_hierarchy(const hsel_dataset *data);
/* Full self-check of every structure: HSEL_OK, or what is wrong. */
HSEL_API HSEL_CHECKED int hsel_dataset_check(const hsel_dataset *data, hsel_error *error);

/* ---- hierarchies ------------------------------------------------------------------------- */

HSEL_API uint32_t hsel_dag_nodes(const hsel_dag *dag);
HSEL_API uint64_t hsel_dag_edges(const hsel_dag *dag);
HSEL_API const uint32_t *hsel_dag_parents(const hsel_dag *dag, uint32_t node, size_t *count);
HSEL_API const uint32_t *hsel_dag_children(const hsel_dag *dag, uint32_t node, size_t *count);
/* Longest distance from a root, in edges. */
HSEL_API uint32_t hsel_dag_depth(const hsel_dag *dag, uint32_t node);
/* All nodes, parents before children. */
HSEL_API const uint32_t *hsel_dag_order(const hsel_dag *dag);
HSEL_API HSEL_CHECKED int hsel_dag_check(const hsel_dag *dag, hsel_error *error);

/* ---- methods ------------------------------------------------------------------------------ *
 *
 * Wherever a method is asked for, it is named as on the command line: "rpv", or with options
 * "shsel:threshold=0.99,measure=ig". `hsel help NAME` and docs/methods.md list the options. */

/* All methods, numbered from 0 in the order of the documentation. Each text is NULL when there is
 * no method of that number. */
HSEL_API size_t hsel_method_count(void);
HSEL_API const char *hsel_method_name(size_t method); /* "rpv" */
HSEL_API const char *hsel_method_kind(size_t method); /* "selector", "classifier", "measure", … */
HSEL_API const char *hsel_method_title(size_t method);    /* a few words */
HSEL_API const char *hsel_method_help(size_t method);     /* a paragraph */
HSEL_API const char *hsel_method_citation(size_t method); /* where it comes from */
/* Does this selector choose features anew for each instance? */
HSEL_API bool hsel_method_is_lazy(size_t method);

/* ---- selection ---------------------------------------------------------------------------- *
 *
 * Methods that use the hierarchy need data that keep the true-path rule (what an instance has, it
 * has all ancestors of): the option "propagate" of hsel_dataset_read repairs data that do not.
 * `seed` is for methods that use random numbers. `threads` 0 means one a processor; results do not
 * depend on it. */

/* Lets an eager selector learn from all of `data`: keep[f], of hsel_dataset_features(data), tells
 * whether feature f was selected. A lazy selector is HSEL_EUNSUPPORTED: it needs a model. */
HSEL_API HSEL_CHECKED int hsel_dataset_select(const hsel_dataset *data, const char *selector,
                                              uint64_t seed, int threads, bool *keep,
                                              hsel_error *error);

/* ---- cross-validation --------------------------------------------------------------------- */

#define HSEL_METRICS_ROOM 32 /* more than there will be */

/* Metrics are numbered from 0 to hsel_metric_count() - 1: "gm", "auroc", "accuracy", … */
HSEL_API size_t hsel_metric_count(void);
HSEL_API const char *hsel_metric_name(size_t metric); /* NULL: there is none of that number */
HSEL_API size_t
hsel_metric_find(const char *name); /* hsel_metric_count(): there is none of that name */

/* Numbers are fractions, not percent, and means over repeats. NaN: not defined for these data. */
typedef struct hsel_evaluation {
    uint32_t folds, repeats;             /* as done: leave one out has as many folds as instances */
    double pooled[HSEL_METRICS_ROOM];    /* of all test instances at once */
    double fold_mean[HSEL_METRICS_ROOM]; /* mean over folds */
    double pooled_sd[HSEL_METRICS_ROOM]; /* standard deviation over repeats, 0 for a single one */
    double fold_mean_sd[HSEL_METRICS_ROOM];
    double selected;  /* share of the features that were selected */
    double stability; /* Kuncheva's index over pairs of folds; NaN: lazy selector */
} hsel_evaluation;

/* Cross-validates a selector (NULL: "none", which keeps all features) with a classifier (NULL:
 * "nb", naive Bayes): both learn from the training part of a fold only. fold_scheme: "own" (NULL
 * means this; stratified), "weka", "wan", "loo", or "file:PATH"; `folds` of them, which "loo" and a
 * file do not look at. Repeat r (from 0) uses seed + r. */
HSEL_API HSEL_CHECKED int hsel_dataset_evaluate(const hsel_dataset *data, const char *selector,
                                                const char *classifier, const char *fold_scheme,
                                                uint32_t folds, uint32_t repeats, uint64_t seed,
                                                int threads, hsel_evaluation *out,
                                                hsel_error *error);

/* ---- models ------------------------------------------------------------------------------- */

typedef struct hsel_model hsel_model;

/* Learns from all instances that have a class; NULL for selector or classifier as above. `data`
 * must outlive the model. Free with hsel_model_free. */
HSEL_API HSEL_CHECKED int hsel_model_train(const hsel_dataset *data, const char *selector,
                                           const char *classifier, uint64_t seed, int threads,
                                           hsel_model **out, hsel_error *error);
/* Model files are those of hsel train. A model that was read needs no data set to live on. */
HSEL_API HSEL_CHECKED int hsel_model_read(const char *path, hsel_model **out, hsel_error *error);
HSEL_API HSEL_CHECKED int hsel_model_write(const hsel_model *model, const char *path,
                                           hsel_error *error);
HSEL_API void hsel_model_free(hsel_model *model);

/* The classes it knows, in the order of the probabilities. */
HSEL_API uint32_t hsel_model_classes(const hsel_model *model);
HSEL_API const char *hsel_model_class_name(const hsel_model *model, uint32_t label);
/* Predicts every instance of `data`, whose features are matched by name and must be those of the
 * training data; its classes and hierarchy are not looked at. probability[i * classes + c] becomes
 * that of class c for instance i. `score`, if not NULL, has the same places: the higher, the more
 * speaks for the class; scores tell instances apart whose probabilities are both 1, and the
 * predicted class is that of the highest score, of equal ones the first. `selected`, if not NULL,
 * gets the number of features that were used for each instance. */
HSEL_API HSEL_CHECKED int hsel_model_predict(const hsel_model *model, const hsel_dataset *data,
                                             double *probability, double *score, uint32_t *selected,
                                             hsel_error *error);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel: feature selection and classification when binary features form an IS-A hierarchy.
 * This is the one header of the library. hsel_report is in libhsel-study, all else in libhsel.
 *
 * Conventions
 *   - A fallible function returns HSEL_OK (0) or a negative status and fills the caller's
 *     hsel_error, passed last (NULL is allowed: the status alone then tells).
 *   - A returned pointer is borrowed and lives as long as the object it came from.
 *     What comes out of a `T **out` parameter is yours: an object is freed with its _free, plain
 *     memory (texts, bytes, numbers) with hsel_free.
 *   - Every _free accepts NULL. Objects are immutable once made, so threads may share them; only
 *     hsel_dataset_set_hierarchy changes one, and frees nothing. Objects need no others to live on:
 *     a model keeps the data set that it has learned from.
 *   - The caller's arrays are read during the call alone. Other threads should not write into them
 *     meanwhile; if they do, the result is an error or made of whatever was read. Texts and
 *     structures must not change.
 *   - A structure that is passed to a function starts with its own size, so that programs and
 *     libraries of different versions work together:
 *         hsel_request request = {.size = sizeof request, .selector = "rpv"};
 *     A member that is 0 or NULL has the default stated at it, and so has one beyond the size that
 *     the caller gave. Members that the library does not know must be 0, else HSEL_EUSAGE.
 *   - Numbers of instances, features, classes, nodes, methods and metrics are checked: one that is
 *     out of range gets NULL, 0, NaN or HSEL_NONE as stated at each function, never a crash.
 *     Pointers to objects and to memory for results are not checked, but a hierarchy may be NULL.
 *   - Lists of names are one text in which every name is followed by a NUL, with their number.
 *   - The library never prints and never exits, and keeps no state between calls but the limits of
 *     inputs (hsel_limits_set) and how messages name options (hsel_dialect_set). Memory that runs
 * out is HSEL_ENOMEM. Where the system refuses threads, there are fewer.
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
#define HSEL_VERSION_MINOR 3
#define HSEL_VERSION_PATCH 0
#define HSEL_VERSION       "0.3.0"

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

/* What a program may want to tell apart among errors of one status. */
typedef enum hsel_reason {
    HSEL_NO_REASON = 0, /* none of these */
    HSEL_MISSING_FILE = 1,
    HSEL_BROKEN_PIPE = 2, /* nobody reads what is written */
    HSEL_CYCLE = 3,       /* the hierarchy has one, which the message shows */
    HSEL_NO_HIERARCHY = 4,
    HSEL_TRUE_PATH = 5,        /* a positive feature has an ancestor that is not */
    HSEL_NOT_BINARY = 6,       /* the method needs binary features */
    HSEL_EAGER_CLASSIFIER = 7, /* it cannot predict on the features of a lazy selector */
    HSEL_BAD_VALUE = 8         /* an option does not take the value given; `options` is "k=0" */
} hsel_reason;

/* What went wrong: `message` is one plain line for people. `file` and `line` are set when it is
 * about a place in a file; it already starts with them. `reason` and `options`, those that the
 * message names ("class", NUL, "no-class", NUL, and a NUL after the last), are for programs. */
typedef struct hsel_error {
    int code; /* hsel_status */
    unsigned long line;
    char file[256];
    char message[896];
    int reason; /* hsel_reason */
    char options[124];
} hsel_error;

/* How messages, notes and help name options: the library as hsel_dataset_read takes them
 * ("hierarchy=FILE"), the command --hierarchy FILE, Python hierarchy=, R hierarchy =, a study file
 * by its keys. For the whole process; to be set before anything else, or not at all. */
typedef enum hsel_dialect {
    HSEL_DIALECT_LIBRARY = 0,
    HSEL_DIALECT_COMMAND = 1,
    HSEL_DIALECT_PYTHON = 2,
    HSEL_DIALECT_R = 3,
    HSEL_DIALECT_STUDY = 4
} hsel_dialect;
#define HSEL_DIALECTS 5
HSEL_API void hsel_dialect_set(int dialect);

/* The library's version, e.g. "0.3.0"; and what optional parts it was built with, e.g. "raptor2
 * openmp". */
HSEL_API const char *hsel_version(void);
HSEL_API const char *hsel_built_with(void);

/* Limits of one input, for the whole process and every file that is opened later: "max-line=512,
 * max-size=1000000". The names and what they mean are those of the command's options (`hsel info
 * --help-all`). Not to be called while other threads read. */
HSEL_API HSEL_CHECKED int hsel_limits_set(const char *options, hsel_error *error);
/* For callers that declare functions and structs themselves: HSEL_INTERFACE of the library, and the
 * size of a struct by its name ("hsel_error"), 0 when there is none of that name. */
#define HSEL_INTERFACE 1
HSEL_API uint32_t hsel_interface(void);
HSEL_API size_t hsel_sizeof(const char *name);

HSEL_API void hsel_free(void *memory);

/* ---- data sets --------------------------------------------------------------------------- */

#define HSEL_NONE UINT32_MAX /* no such feature, class, node … */

typedef struct hsel_dataset hsel_dataset;
typedef struct hsel_dag hsel_dag;               /* a hierarchy */
typedef struct hsel_model hsel_model;           /* what a selector and a classifier learned */
typedef struct hsel_evaluation hsel_evaluation; /* what a cross-validation found */

typedef enum hsel_feature_type {
    HSEL_BINARY = 0,
    HSEL_NUMERIC = 1,
    HSEL_NOMINAL = 2
} hsel_feature_type;
#define HSEL_NO_TYPE ((hsel_feature_type)3) /* there is no such feature */

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
/* Full self-check of every structure: HSEL_OK, or what is wrong. */
HSEL_API HSEL_CHECKED int hsel_dataset_check(const hsel_dataset *data, hsel_error *error);

/* Made by a generator, e.g. "ontology:features=500". */
HSEL_API HSEL_CHECKED int hsel_dataset_generate(const char *generator, uint64_t seed,
                                                hsel_dataset **out, hsel_error *error);
/* A new data set in which the ancestors of positive features are positive; *added says how many
 * values changed. */
HSEL_API HSEL_CHECKED int hsel_dataset_propagate(const hsel_dataset *data, hsel_dataset **out,
                                                 uint64_t *added, hsel_error *error);
typedef struct hsel_edges {
    size_t size;                    /* sizeof(hsel_edges) */
    const char *terms;              /* NULL: term i is feature i */
    const uint32_t *child, *parent; /* edge e: term child[e] IS-A term parent[e] */
    size_t count;                   /* of edges */
    uint32_t term_count;
    const char *labels; /* for people: one per term (terms NULL: per feature), "" if it has none;
                           NULL: there are none */
} hsel_edges;

/* Gives a data set its hierarchy. Terms are matched with features by name; terms that are not
 * features are passed through; features that are terms get their labels. HSEL_EFORMAT: a cycle,
 * which the message shows; *matched (may be NULL) becomes the number of features that are terms.
 * HSEL_EUSAGE: it has a hierarchy already, or models that have learned from it are still there. No
 * other thread may use the data set meanwhile. */
HSEL_API HSEL_CHECKED int hsel_dataset_set_hierarchy(hsel_dataset *data, const hsel_edges *edges,
                                                     uint32_t *matched, hsel_error *error);

/* ---- data sets from arrays ---------------------------------------------------------------- */

typedef enum hsel_layout { HSEL_ROWS = 0, HSEL_COLUMNS = 1, HSEL_DENSE = 2 } hsel_layout;
typedef enum hsel_number {
    HSEL_U8 = 0,
    HSEL_I32 = 1,
    HSEL_I64 = 2,
    HSEL_F32 = 3,
    HSEL_F64 = 4
} hsel_number;

typedef struct hsel_arrays {
    size_t size; /* sizeof(hsel_arrays) */
    uint32_t instances, features, classes;
    int layout; /* hsel_layout: compressed sparse rows, compressed sparse columns, or dense */
    int number; /* hsel_number of the values */
    int wide;   /* sparse: start and index are 64-bit, else 32-bit */
    int borrow; /* without effect: arrays are always copied */
    const void *start,
        *index; /* sparse: of list i, ascending from index[start[i]] to before index[start[i+1]] */
    const void *values; /* one for each index; NULL: all are 1. Dense: value (i, f) is at */
    int64_t row_stride, column_stride; /* values + i * row_stride + f * column_stride, in bytes */
    const uint8_t *types; /* hsel_feature_type of each feature; HSEL_NO_TYPE, or NULL: binary if all
                             its values are 0 or 1, else numeric */
    const uint32_t
        *labels; /* class of each instance, HSEL_NONE: not known; NULL: there are no classes */
    const char *feature_names; /* NULL: x0, x1, … */
    const char *class_names;   /* NULL: 0, 1, … */
    const char *ids;           /* NULL: none */
    const char *name;          /* NULL: "data" */
    const hsel_model *like;    /* not NULL: features, classes and hierarchy are those of this model,
                                  as before its preparation; types, feature_names, class_names and
                                  shape are ignored */
    const hsel_dataset *shape; /* not NULL: names and hierarchy of the features are those of this
                                  data set; feature_names is ignored */
    const double *target;      /* a number to predict of each instance, NaN: not known; there are no
                                  classes then. NULL: none */
    const uint8_t *covariates; /* 1: a feature that every model has and no selector looks at; NULL:
                                  there are none */
    const uint32_t *word_counts; /* how many words each feature has, 0 of one that is not nominal;
                                    NULL: there are no nominal features. `like` has its own */
    const char *words;           /* of all nominal features, one after the other */
    const char *strata; /* what p-values compare instances within, one name per instance, "": not
                           known; NULL: there are none. Not with `like`: models have no strata */
    uint64_t entries;   /* sparse: how long index and values are, which start may not go beyond; 0:
                           as long as start says */
    const char *positive_class; /* its name; NULL: as hsel_dataset_positive_class says. Not with
                                   `like`, which has its own */
    /* Both not with `like`: the design of the study, which every split into training and test
     * instances respects, also within methods. What instances repeat (patients, sites), one name
     * per instance, "": a group alone; no group is split. NULL: there are none. */
    const char *groups;
    const double *time; /* when each instance was observed; methods learn from the past. NULL: there
                           are no times */
} hsel_arrays;

/* NaN is a missing value, which makes a feature numeric unless it is nominal. The values of a
 * nominal feature are numbers of its words, from 0. HSEL_EFORMAT when a number is infinite, is
 * neither 0 nor 1 for a feature that `types` or `like` makes binary, or that of no word; the
 * message names the place. */
HSEL_API HSEL_CHECKED int hsel_dataset_from_arrays(const hsel_arrays *arrays, hsel_dataset **out,
                                                   hsel_error *error);

/* ---- looking at data sets: one thing at a time --------------------------------------------- */

HSEL_API const char *hsel_dataset_name(const hsel_dataset *data);
HSEL_API uint32_t hsel_dataset_instances(const hsel_dataset *data);
HSEL_API uint32_t hsel_dataset_features(const hsel_dataset *data);
HSEL_API uint32_t hsel_dataset_classes(const hsel_dataset *data);
/* NULL, HSEL_NONE, HSEL_NO_TYPE: there is no feature or class of that number or name. */
HSEL_API const char *hsel_dataset_feature_name(const hsel_dataset *data, uint32_t feature);
HSEL_API uint32_t hsel_dataset_find_feature(const hsel_dataset *data, const char *name);
HSEL_API hsel_feature_type hsel_dataset_feature_type(const hsel_dataset *data, uint32_t feature);
HSEL_API const char *hsel_dataset_class_name(const hsel_dataset *data, uint32_t label);
/* Class of an instance; HSEL_NONE: not known, or no such instance. */
HSEL_API uint32_t hsel_dataset_class_of(const hsel_dataset *data, uint32_t instance);
/* Identifier of an instance; NULL: the data set has none, or no such instance. */
HSEL_API const char *hsel_dataset_id(const hsel_dataset *data, uint32_t instance);
/* What people call a feature (the name of a term) or an instance (the symbol of a gene), and what
 * else is known of it by the name of a column, such as "namespace". NULL: not known, or no such
 * feature, instance or column. */
HSEL_API const char *hsel_dataset_feature_label(const hsel_dataset *data, uint32_t feature);
HSEL_API const char *hsel_dataset_instance_label(const hsel_dataset *data, uint32_t instance);
HSEL_API const char *hsel_dataset_feature_about(const hsel_dataset *data, uint32_t feature,
                                                const char *column);
HSEL_API const char *hsel_dataset_instance_about(const hsel_dataset *data, uint32_t instance,
                                                 const char *column);
/* The positive binary features of an instance, ascending; *count says how many. NULL and 0: no such
 * instance. */
HSEL_API const uint32_t *hsel_dataset_row(const hsel_dataset *data, uint32_t instance,
                                          size_t *count);
/* The instances in which a binary feature is positive, ascending. NULL and 0: no such feature. */
HSEL_API const uint32_t *hsel_dataset_column(const hsel_dataset *data, uint32_t feature,
                                             size_t *count);
/* The hierarchy over the features (node i is feature i), or NULL. */
HSEL_API const hsel_dag *hsel_dataset_hierarchy(const hsel_dataset *data);
/* The class that counts as positive: the one that was named; else, of two classes, the one whose
 * name says so (1 beside 0 or -1, yes beside no …), else the smaller one, else the second; of more
 * than two the second, which no metric looks at. HSEL_NONE: there is
 * none. */
HSEL_API uint32_t hsel_dataset_positive_class(const hsel_dataset *data);

/* ---- looking at data sets: whole arrays ---------------------------------------------------- */

typedef enum hsel_list {
    HSEL_FEATURE_NAMES = 0,
    HSEL_CLASS_NAMES = 1,
    HSEL_IDS = 2,
    HSEL_FEATURE_COLUMNS = 3, /* what is known of features: "label", "namespace" … */
    HSEL_FEATURE_TEXTS = 4,   /* of each feature, one text per column; "" is not known */
    HSEL_INSTANCE_COLUMNS = 5,
    HSEL_INSTANCE_TEXTS = 6
} hsel_list;

/* Names of one kind; *bytes is the length of the text with all its NULs. NULL, 0 and 0: there is no
 * such list. */
HSEL_API const char *hsel_dataset_names(const hsel_dataset *data, int list, uint32_t *count,
                                        size_t *bytes);
/* The positive binary features of all instances: those of i are (*index)[start[i]] to before
 * (*index)[start[i+1]]; start is what is returned. */
HSEL_API const uint64_t *hsel_dataset_rows(const hsel_dataset *data, const uint32_t **index);
/* hsel_feature_type of each feature. */
HSEL_API const uint8_t *hsel_dataset_types(const hsel_dataset *data);
/* Class of each instance, HSEL_NONE: not known. NULL: there are no classes. */
HSEL_API const uint32_t *hsel_dataset_labels(const hsel_dataset *data);
/* The number to predict of each instance, NaN: not known. NULL: there is no numeric target. */
HSEL_API const double *hsel_dataset_target(const hsel_dataset *data);
/* Is the feature a covariate, which every model has and no selector looks at? */
HSEL_API int hsel_dataset_is_covariate(const hsel_dataset *data, uint32_t feature);
/* One value per instance of any feature: 0 and 1, numbers, or codes of a nominal one; NaN: missing,
 * or no such feature. */
HSEL_API void hsel_dataset_values(const hsel_dataset *data, uint32_t feature, double *out);
/* The words of a nominal feature, in the order of its codes; NULL, 0 and 0 for others. */
HSEL_API const char *hsel_dataset_value_names(const hsel_dataset *data, uint32_t feature,
                                              uint32_t *count, size_t *bytes);

/* ---- hierarchies ------------------------------------------------------------------------- */

/* A hierarchy that is NULL has no nodes. */
HSEL_API uint32_t hsel_dag_nodes(const hsel_dag *dag);
HSEL_API uint64_t hsel_dag_edges(const hsel_dag *dag);
/* Ascending; NULL and 0: no such node. */
HSEL_API const uint32_t *hsel_dag_parents(const hsel_dag *dag, uint32_t node, size_t *count);
HSEL_API const uint32_t *hsel_dag_children(const hsel_dag *dag, uint32_t node, size_t *count);
/* Longest distance from a root, in edges; HSEL_NONE: no such node. */
HSEL_API uint32_t hsel_dag_depth(const hsel_dag *dag, uint32_t node);
/* All nodes, parents before children. */
HSEL_API const uint32_t *hsel_dag_order(const hsel_dag *dag);
/* Depth of each node. */
HSEL_API const uint32_t *hsel_dag_depths(const hsel_dag *dag);
/* Parents of node v are (*parents)[start[v]] to before (*parents)[start[v+1]]; start is what is
 * returned. */
HSEL_API const uint32_t *hsel_dag_parent_lists(const hsel_dag *dag, const uint32_t **parents);
/* Full self-check: HSEL_OK, or what is wrong. */
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
/* All of it as JSON: an array of objects with kind, name, title, help, citation, flags and options.
 */
HSEL_API HSEL_CHECKED int hsel_methods_json(char **json, hsel_error *error);

/* ---- learning ------------------------------------------------------------------------------ *
 *
 * Methods that use the hierarchy need data that keep the true-path rule (what an instance has, it
 * has all ancestors of): hsel_dataset_propagate, or the option "propagate" of hsel_dataset_read,
 * repairs data that do not. */

#define HSEL_LATEST 2

/* What is asked of the functions below; each looks at the members that it needs. A request that is
 * NULL has the defaults. */
typedef struct hsel_request {
    size_t size;          /* sizeof(hsel_request) */
    const char *selector; /* NULL: "none", which keeps all features */
    const char
        *classifier;     /* NULL: "nb", naive Bayes. hsel_train: "": none; the model only selects */
    const char *rankers; /* a list of rankers or measures … */
    uint32_t ranker_count; /* … and their number */
    int threads;           /* 0: one per processor; results do not depend on it */
    uint64_t seed;         /* for folds and for methods that use random numbers */
    /* hsel_crossval: */
    uint32_t folds;          /* 0: 10 */
    uint32_t repeats;        /* 0: 1. Repeat r (from 0) uses seed + r */
    const char *fold_scheme; /* NULL: "own" (stratified); "weka", "wan", "loo", "window:N" or
                                "file:PATH"; loo and files ignore `folds` */
    const uint32_t *fold_of; /* [repeats * instances], not NULL: the fold of each instance, from 0,
                                of `folds`; the scheme is ignored */
    const char *rank_by; /* what AUROC and AUPRC rank by: "score" (NULL: this) or "probability" */
    int details;         /* 1: the evaluation has arrays; HSEL_LATEST: of the latest repeat alone */
    /* Both functions are called with `context` in the thread that made the call. */
    void *context;
    /* Some times a second: `done` of `total` (0: not known) steps of `what` are done. Not 0 stops
     * the call, which then returns HSEL_ECANCELLED. */
    int (*report)(void *context, uint64_t done, uint64_t total, const char *what);
    /* Before the call returns, for each thing that should be known of its result: one plain line,
     * e.g. that some machines of svm did not converge. */
    void (*note)(void *context, const char *text);
    /* hsel_train: how much each instance counts for the classifier, 0 or above; NULL: all the same.
     * One of weight 0 is as if it were not there. The selector takes all others alike. A classifier
     * that cannot use weights is HSEL_EUNSUPPORTED, unless they are all 0 or 1. hsel_predict: one
     * of weight 0 is not predicted, and its places keep what is there. hsel_select, hsel_rank and
     * hsel_crossval refuse them. */
    const double *weights;
    /* hsel_crossval: not NULL: stability on the hierarchy, too, by this similarity. */
    const char *similarity;
    /* hsel_crossval with fold_of, not 0: only so many folds, the first ones, are tested; instances
     * of the others are for training alone, and those of fold HSEL_NONE take no part in the repeat.
     * So any split into training and test instances is a repeat of two folds. Arrays have NaN and
     * HSEL_NONE for instances that are not tested. */
    uint32_t tested;
    /* hsel_predict: not NULL: both get the features selected for each instance, as from
     * hsel_select_each, without selecting them twice. */
    uint64_t *selected_start;
    uint32_t **selected_index;
    /* hsel_train, hsel_select, hsel_crossval: not 0: eager selectors learn from data that
     * break the true-path rule as well. */
    int allow_violations;
    /* Not 0: `report` is called in any thread, in several at the same time, and as often as there
     * is something to report. */
    int any_thread;
    /* hsel_predict, hsel_select_each: only `count` instances from `first` on, whose results are the
     * first ones; 0: all of them. */
    uint32_t first, count;
    /* hsel_train, hsel_select with a search such as ga: files, NULL: none. A JSON line for each
     * generation; and what is done, about once a second: the same call resumes from it. */
    const char *log, *checkpoint;
} hsel_request;

/* Lets an eager selector learn from the instances of `data` that have a class (all, if none has):
 * keep[f], of hsel_dataset_features(data), becomes 1 if feature f was selected, else 0. `scores`,
 * if not NULL, gets the relevance of each feature, NaN where the selector has none. A lazy selector
 * is HSEL_EUNSUPPORTED: it needs a model. */
HSEL_API HSEL_CHECKED int hsel_select(const hsel_dataset *data, const hsel_request *request,
                                      uint8_t *keep, double *scores, hsel_error *error);
/* Which features to reject, that is to declare relevant, by p-values from elsewhere, one per
 * feature, on the hierarchy of `data` (if it has one; instances are not looked at): `procedure` is
 * one that `hsel help test` lists, `alpha` its level. rejected[f] becomes 1, 0, or 2 where
 * structured-holm rejects a feature only because one below it is rejected; `adjusted`, if not NULL,
 * gets the smallest level at which the feature is rejected, NaN where the procedure does not tell.
 */
HSEL_API HSEL_CHECKED int hsel_reject(const hsel_dataset *data, const double *p,
                                      const char *procedure, double alpha, uint8_t *rejected,
                                      double *adjusted, hsel_error *error);
/* Scores all features by rankers or measures: scores[i * features + f]. */
HSEL_API HSEL_CHECKED int hsel_rank(const hsel_dataset *data, const hsel_request *request,
                                    double *scores, hsel_error *error);

/* ---- models ------------------------------------------------------------------------------- */

/* Learns from all instances that have a class. `data` may be freed before the model, which shares
 * it. Free with hsel_model_free. */
HSEL_API HSEL_CHECKED int hsel_train(const hsel_dataset *data, const hsel_request *request,
                                     hsel_model **out, hsel_error *error);
/* Model files are those of hsel train. */
HSEL_API HSEL_CHECKED int hsel_model_read(const char *path, hsel_model **out, hsel_error *error);
HSEL_API HSEL_CHECKED int hsel_model_write(const hsel_model *model, const char *path,
                                           hsel_error *error);
HSEL_API void hsel_model_free(hsel_model *model);
/* Model files in memory. */
HSEL_API HSEL_CHECKED int hsel_model_to_bytes(const hsel_model *model, void **bytes, size_t *length,
                                              hsel_error *error);
HSEL_API HSEL_CHECKED int hsel_model_from_bytes(const void *bytes, size_t length, hsel_model **out,
                                                hsel_error *error);

/* How many instances it has learned from. */
HSEL_API uint32_t hsel_model_instances(const hsel_model *model);
/* The classes it knows, in the order of the probabilities. NULL: there is no class of that number.
 */
HSEL_API uint32_t hsel_model_classes(const hsel_model *model);
HSEL_API const char *hsel_model_class_name(const hsel_model *model, uint32_t label);
/* Its features, classes and hierarchy: a data set without instances, which lives as long as the
 * model. */
HSEL_API const hsel_dataset *hsel_model_shape(const hsel_model *model);
/* Its selector and its classifier, with the options that differ from their defaults. Free each with
 * hsel_free. */
HSEL_API HSEL_CHECKED int hsel_model_methods(const hsel_model *model, char **selector,
                                             char **classifier, hsel_error *error);
/* keep[f] of a model with an eager selector; HSEL_EUNSUPPORTED: it is lazy. */
HSEL_API HSEL_CHECKED int hsel_model_support(const hsel_model *model, uint8_t *keep,
                                             hsel_error *error);
/* Relevance of each feature; HSEL_EUNSUPPORTED: the selector uses none. */
HSEL_API HSEL_CHECKED int hsel_model_relevance(const hsel_model *model, double *scores,
                                               hsel_error *error);
/* Predicts every instance of `data`, whose features are matched by name and must be those of the
 * training data; its classes and hierarchy are ignored. What was done to the training data when
 * they were loaded (transform, filters …) is done to `data`, unless these were loaded in the same
 * way. (Data that have the features of the model in their order, e.g. by hsel_arrays.like, are not
 * copied.) probability[i * classes + c] becomes that of class c for instance i. `score`, if not
 * NULL, has the same places: the higher, the more speaks for the class; scores tell instances apart
 * whose probabilities are both 1, and the predicted class is that of the highest score, of equal
 * ones the first. A model of a numeric target has no probabilities; score[i] is the number that it
 * predicts. `selected`, if not NULL, gets the number of features that were used for each instance.
 */
HSEL_API HSEL_CHECKED int hsel_predict(const hsel_model *model, const hsel_dataset *data,
                                       const hsel_request *request, double *probability,
                                       double *score, uint32_t *selected, hsel_error *error);
/* The features selected for each instance, ascending: (*index)[start[i]] to before
 * (*index)[start[i+1]]; start has room for one more than there are instances. Free *index with
 * hsel_free. */
HSEL_API HSEL_CHECKED int hsel_select_each(const hsel_model *model, const hsel_dataset *data,
                                           const hsel_request *request, uint64_t *start,
                                           uint32_t **index, hsel_error *error);
/* Why the model predicts what it predicts for an instance of `data` (as hsel_predict takes it):
 * form "text", "json", "dot" (a drawing for Graphviz) or "graphml" (the same for other programs);
 * `top` features at most, 0: all, and of the text a screen. A drawing needs a hierarchy:
 * HSEL_EUSAGE. Free with hsel_free. */
HSEL_API HSEL_CHECKED int hsel_model_explain(const hsel_model *model, const hsel_dataset *data,
                                             uint32_t instance, uint32_t top, const char *form,
                                             char **text, hsel_error *error);
/* What the classifier learned as a whole (a tree, weights, importances of features …), "text" or
 * "json". Free with hsel_free. */
HSEL_API HSEL_CHECKED int hsel_model_describe(const hsel_model *model, const char *form,
                                              char **text, hsel_error *error);
/* A drawing, "dot" or "graphml", of what the model learned as a whole: of a tree, or of the
 * features that the classifier goes by; HSEL_EUNSUPPORTED: there is nothing to draw. Of at most so
 * many nodes, the most important ones; 0: 60, HSEL_NONE: all. Free with hsel_free. */
HSEL_API HSEL_CHECKED int hsel_model_draw(const hsel_model *model, const char *form, uint32_t nodes,
                                          char **text, hsel_error *error);

typedef struct hsel_draw_request {
    size_t size;         /* sizeof(hsel_draw_request) */
    const char *form;    /* "dot" or "graphml" */
    const char *title;   /* NULL: none */
    const char *legend;  /* a line below the title; NULL: none */
    const uint8_t *keep; /* [features]: not 0: draw it, with its ancestors; NULL: all */
    const double *value; /* [features]: how important it is, which its colour shows: blue above 0,
                            orange below; NULL: nothing is known */
    uint32_t nodes;      /* as above */
} hsel_draw_request;

/* A drawing of features on the hierarchy of a data set. Free with hsel_free. */
HSEL_API HSEL_CHECKED int hsel_dataset_draw(const hsel_dataset *data,
                                            const hsel_draw_request *request, char **text,
                                            hsel_error *error);

/* ---- cross-validation --------------------------------------------------------------------- */

/* Metrics are numbered from 0 to hsel_metric_count() - 1: "gm", "auroc", "accuracy", … */
HSEL_API size_t hsel_metric_count(void);
HSEL_API const char *hsel_metric_name(size_t metric); /* NULL: there is none of that number */

/* Cross-validates a selector with a classifier: both learn from the training part of a fold only.
 * Free the result with hsel_evaluation_free. */
HSEL_API HSEL_CHECKED int hsel_crossval(const hsel_dataset *data, const hsel_request *request,
                                        hsel_evaluation **out, hsel_error *error);
HSEL_API void hsel_evaluation_free(hsel_evaluation *evaluation);

typedef enum hsel_grid_stability {
    HSEL_NO_STABILITY = 0,
    HSEL_EAGER_STABILITY = 1, /* of eager selectors, for which it costs next to nothing */
    HSEL_ALL_STABILITY = 2
} hsel_grid_stability;

typedef struct hsel_grid {
    size_t size;                               /* sizeof(hsel_grid) */
    const char *selectors, *classifiers;       /* lists; NULL: as in hsel_request … */
    uint32_t selector_count, classifier_count; /* … and 0 */
    const uint8_t *skip; /* [pairs]: not 0: left out; NULL: none. Pair s * classifier_count + c */
    int stability;       /* hsel_grid_stability */
    int classes;         /* not 0: also each class against the rest, confusion and reliability */
    int pooled; /* not 0: means over folds are not looked at, so there is no note on them */
    /* For each repeat of each pair when it is done, one at a time, but in any thread: what is known
     * of it so far. What is not HSEL_OK ends the call. NULL: none. */
    int (*done)(void *context, uint32_t pair, uint32_t repeat, const hsel_evaluation *so_far,
                hsel_error *error);
    void *context;
} hsel_grid;

/* The same of every selector with every classifier, on the same folds and, for one selector, the
 * same selections: out[pairs], NULL before the call. Free each, also after a failure. */
HSEL_API HSEL_CHECKED int hsel_crossval_grid(const hsel_dataset *data, const hsel_request *request,
                                             const hsel_grid *grid, hsel_evaluation **out,
                                             hsel_error *error);
/* As done: leave one out has as many folds as instances. */
HSEL_API uint32_t hsel_evaluation_folds(const hsel_evaluation *evaluation);
HSEL_API uint32_t hsel_evaluation_repeats(const hsel_evaluation *evaluation);

/* A metric by its name, of all test instances at once or as mean over folds: its mean over repeats,
 * or its standard deviation over them (0 for a single one). Numbers are fractions, not percent.
 * NaN: not defined for these data, or there is no such metric. */
typedef enum hsel_statistic {
    HSEL_POOLED = 0,
    HSEL_FOLD_MEAN = 1, /* pooled where a class is not in every fold; r2 always */
    HSEL_POOLED_SD = 2,
    HSEL_FOLD_MEAN_SD = 3
} hsel_statistic;
HSEL_API double hsel_evaluation_metric(const hsel_evaluation *evaluation, const char *metric,
                                       int statistic);
/* How folds were made where groups, times or a test set decide, e.g. "5 folds, none of 1,000 groups
 * split"; else "". */
HSEL_API const char *hsel_evaluation_design(const hsel_evaluation *evaluation);
/* Share of the features that were selected. */
HSEL_API double hsel_evaluation_selected(const hsel_evaluation *evaluation);

/* How alike the features are that were selected in the folds of all repeats: 1 the same, 0 as if
 * drawn by chance. Of a lazy selector the mean over up to 100 instances, for each of which every
 * fold selects. Intervals are of 95 %. */
typedef enum hsel_stability_figure {
    HSEL_NOGUEIRA = 0, /* Nogueira, Sechidis, Brown (2018) */
    HSEL_NOGUEIRA_LOW = 1,
    HSEL_NOGUEIRA_HIGH = 2,
    HSEL_KUNCHEVA = 3,  /* mean over pairs, for any sizes */
    HSEL_JACCARD = 4,   /* mean over pairs, not corrected for chance */
    HSEL_HIERARCHY = 5, /* similar features agree in part; NaN: no similarity was asked for */
    HSEL_HIERARCHY_LOW = 6,
    HSEL_HIERARCHY_HIGH = 7
} hsel_stability_figure;
#define HSEL_STABILITY_FIGURES 8

/* Into out[HSEL_STABILITY_FIGURES]. */
HSEL_API void hsel_evaluation_stability_figures(const hsel_evaluation *evaluation, double *out);
/* HSEL_NOGUEIRA alone. */
HSEL_API double hsel_evaluation_stability(const hsel_evaluation *evaluation);
/* The same of `sets` selections of any origin: selected[sets * features], not 0: selected. With a
 * data set, whose features they are, and a similarity ("lin", "resnik", "jiang-conrath") also on
 * the hierarchy; both may be NULL. */
HSEL_API HSEL_CHECKED int hsel_stability(const uint8_t *selected, uint32_t sets, uint32_t features,
                                         const hsel_dataset *data, const char *similarity,
                                         int threads, double *out, hsel_error *error);
/* Semantic similarity of the features first[i] and second[i], by the information in the data set:
 * "lin", "resnik" (bits) or "jiang-conrath". */
HSEL_API HSEL_CHECKED int hsel_similarity(const hsel_dataset *data, const char *similarity,
                                          const uint32_t *first, const uint32_t *second,
                                          size_t count, double *out, hsel_error *error);

/* Arrays, repeat after repeat; *count says how long one is. NULL and 0: there is no such array of
 * this type, or no details were asked for. */
typedef enum hsel_array {
    HSEL_PROBABILITY = 0,    /* double [repeats * instances * classes]; NaN: left out */
    HSEL_SCORE = 1,          /* double [repeats * instances * classes]; the highest predicts.
                                Numeric target: [repeats * instances], the predicted number */
    HSEL_SECONDS = 2,        /* double [repeats * 2]: selecting, classifying */
    HSEL_POOLED_EACH = 3,    /* double [repeats * hsel_metric_count()] */
    HSEL_FOLD_MEAN_EACH = 4, /* double [repeats * hsel_metric_count()] */
    HSEL_FOLD_OF = 5,  /* uint32_t [repeats * instances]; HSEL_NONE: without class, left out */
    HSEL_SELECTED = 6, /* uint32_t [repeats * instances]: number of features selected */
    HSEL_FREQUENCY =
        7, /* uint32_t [repeats * features]: test instances for which it was selected */
    HSEL_CONFUSION = 8, /* uint32_t [repeats * classes * classes]: by true and predicted class */
    HSEL_BY_CLASS = 9, /* double [repeats * classes * 7]: precision, recall, F1, specificity, auroc,
                          auprc, Brier score of each class against the rest, pooled */
    HSEL_FOLD_EACH = 10 /* double [repeats * hsel_evaluation_folds() * hsel_metric_count()] */
} hsel_array;
HSEL_API const double *hsel_evaluation_numbers(const hsel_evaluation *evaluation, int array,
                                               size_t *count);
HSEL_API const uint32_t *hsel_evaluation_counts(const hsel_evaluation *evaluation, int array,
                                                size_t *count);

/* ---- the automatic choice ------------------------------------------------------------------ */

typedef struct hsel_auto_request {
    size_t size;             /* sizeof(hsel_auto_request) */
    const char *selectors;   /* a list of selectors to try … */
    const char *classifiers; /* … and of classifiers; NULL: those of hsel auto */
    uint32_t selector_count, classifier_count;
    const char *metric;     /* that the choice goes by; NULL: "auroc" */
    uint32_t inner_folds;   /* 0: 5 */
    uint32_t inner_repeats; /* 0: 1 */
    uint32_t permutations;  /* of the test against chance; 0: there is none */
    double race;            /* level at which candidates leave; 0: 0.05; negative: none leaves */
    double budget;          /* seconds for the races; 0: as long as they take */
    const char *checkpoint; /* a file that keeps what is done, about once a second: the same call
                               goes on from it. NULL: none */
    uint64_t fingerprint;   /* of the data, for the checkpoint: one of another number is refused */
    const char *form;       /* of the text: "text" (NULL: this), "csv": a line per candidate, or
                               "list": the candidates and what is left out, and nothing is run */
    uint32_t *counts;       /* [HSEL_AUTO_COUNTS], not NULL: gets how many there are, by
                               hsel_auto_count; and what was finished before the call was stopped
                               (HSEL_ECANCELLED) comes as JSON and text, too */
} hsel_auto_request;
typedef enum hsel_auto_count {
    HSEL_AUTO_CANDIDATES = 0,
    HSEL_AUTO_LEFT_OUT = 1, /* pairs that do not suit the data or each other */
    HSEL_AUTO_TESTED = 2    /* outer folds */
} hsel_auto_count;
#define HSEL_AUTO_COUNTS 3

/* Chooses a selector and a classifier by nested cross-validation, as hsel auto does. Of `request`
 * (NULL: defaults) threads, seed, folds (the outer ones; 0: 5), repeats, rank_by, report and note
 * are looked at, `choice` may be NULL, too. The choice has learned from all instances that have a
 * class: *model. What is known of it comes as JSON, and as text for people. Each of the three may
 * be NULL. `data` may be freed before the model. */
HSEL_API HSEL_CHECKED int hsel_auto(const hsel_dataset *data, const hsel_request *request,
                                    const hsel_auto_request *choice, hsel_model **model,
                                    char **json, char **text, hsel_error *error);

/* ---- comparisons and reports --------------------------------------------------------------- */

typedef struct hsel_compare_request {
    size_t size;         /* sizeof(hsel_compare_request) */
    const double *value; /* [datasets * methods], one row per data set; NaN: missing */
    uint32_t datasets, methods;
    const char *dataset_names, *method_names;
    const char *control; /* name of a method that the others are tested against; NULL: none */
    int lower_is_better, one_sided, keep_zeros;
    double alpha; /* 0: 0.05 */
    double tolerance;
    int all_pairs;           /* show all pairs of methods, not only those of the control or best */
    const double *covariate; /* [datasets]: correlated with the results of each method … */
    const char *covariate_name; /* … and what it is called; NULL: there is none */
    char **diagram; /* not NULL: gets the critical-difference diagram, as SVG; hsel_free */
} hsel_compare_request;

/* What hsel compare says of a table of results: as JSON, and as text for people (each may be NULL).
 */
HSEL_API HSEL_CHECKED int hsel_compare(const hsel_compare_request *request, char **json,
                                       char **text, hsel_error *error);

typedef struct hsel_report_request {
    size_t size;        /* sizeof(hsel_report_request) */
    const char *store;  /* that hsel run filled */
    const char *study;  /* NULL: the newest */
    const char *format; /* "html" (NULL: this), "text", "csv", "latex" or "curves" */
    const char *charts; /* a folder to write charts to, as .svg and .tsv; NULL: none */
    const char *path;   /* of the report */
} hsel_report_request;

/* Writes the report of a study. In libhsel-study. */
HSEL_API HSEL_CHECKED int hsel_report(const hsel_report_request *request, hsel_error *error);

#ifdef __cplusplus
}
#endif
#endif

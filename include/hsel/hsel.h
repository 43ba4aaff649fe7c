/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel: feature selection and classification when binary features form an IS-A hierarchy.
 * This is the only header of the library. hsel_report is in libhsel-study, the rest in libhsel.
 *
 * Conventions
 *   - A function that can fail returns HSEL_OK (0) or a negative status and fills the caller's
 *     hsel_error, which is always the last argument and may be NULL.
 *   - A returned pointer is borrowed: it is valid as long as the object it came from. Results
 *     stored through a `T **out` parameter belong to the caller: free objects with their _free
 *     function and plain memory (text, bytes, numbers) with hsel_free.
 *   - Every _free function accepts NULL. Objects are immutable once created, so threads may share
 *     them; the exception is hsel_dataset_set_hierarchy. Objects may be freed in any order: a
 *     model keeps the data set it was trained on.
 *   - Arrays of the caller are read only during the call, and other threads should not write to
 *     them until it returns. If they do, the call fails or its result is arbitrary, but memory
 *     stays intact. Strings and structures must not change during the call.
 *   - A structure passed to a function starts with its own size, so that programs and libraries
 *     of different versions work together:
 *         hsel_request request = {.size = sizeof request, .selector = "rpv"};
 *     A member that is 0 or NULL, or lies beyond the given size, has the default documented for
 *     it. Members that the library does not know must be 0, else HSEL_EUSAGE.
 *   - Numbers of instances, features, classes, nodes, methods and metrics are checked: a number
 *     out of range returns NULL, 0, NaN or HSEL_NONE, as documented for each function. Pointers to
 *     objects and to memory for results are not checked, but a hierarchy may be NULL.
 *   - A list of names is a single text with a NUL after each name, and the number of names.
 *   - The library never prints and never exits. Its only global state is the limits on input
 *     (hsel_limits_set) and how messages name options (hsel_dialect_set). If memory runs out, a
 *     call returns HSEL_ENOMEM. If the system refuses threads, a call uses fewer.
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
    HSEL_EFORMAT = -3,      /* the content of a file or array is invalid */
    HSEL_EUSAGE = -4,       /* invalid argument, option or combination */
    HSEL_ELIMIT = -5,       /* more than the library supports */
    HSEL_EUNSUPPORTED = -6, /* not built in, or not possible for these data */
    HSEL_ECANCELLED = -7    /* stopped by the progress callback */
} hsel_status;

/* Distinguishes errors of the same status. */
typedef enum hsel_reason {
    HSEL_NO_REASON = 0, /* no specific reason */
    HSEL_MISSING_FILE = 1,
    HSEL_BROKEN_PIPE = 2, /* the reader closed the pipe */
    HSEL_CYCLE = 3,       /* the hierarchy has a cycle; the message shows it */
    HSEL_NO_HIERARCHY = 4,
    HSEL_TRUE_PATH = 5,        /* a positive feature has an ancestor that is not */
    HSEL_NOT_BINARY = 6,       /* the method needs binary features */
    HSEL_EAGER_CLASSIFIER = 7, /* not usable with a lazy selector */
    HSEL_BAD_VALUE = 8         /* invalid value of an option; `options` is "k=0" */
} hsel_reason;

/* Describes an error. `message` is one line of text. If the error has a place in a file, `file` and
 * `line` are set, and the message starts with them. `reason` and `options` are for programs:
 * `options` lists the options that the message names ("class", NUL, "no-class", NUL, and a final
 * NUL). */
typedef struct hsel_error {
    int code; /* hsel_status */
    unsigned long line;
    char file[256];
    char message[896];
    int reason; /* hsel_reason */
    char options[124];
} hsel_error;

/* How messages, notes and help name options: hierarchy=FILE in the library (as in
 * hsel_dataset_read), --hierarchy FILE in the command, hierarchy= in Python, hierarchy = in R, and
 * keys in study files. Applies to the whole process; set it, if at all, before any other call. */
typedef enum hsel_dialect {
    HSEL_DIALECT_LIBRARY = 0,
    HSEL_DIALECT_COMMAND = 1,
    HSEL_DIALECT_PYTHON = 2,
    HSEL_DIALECT_R = 3,
    HSEL_DIALECT_STUDY = 4
} hsel_dialect;
#define HSEL_DIALECTS 5
HSEL_API void hsel_dialect_set(int dialect);

/* The library's version, e.g. "0.3.0", and the optional parts built into it, e.g. "raptor2 openmp".
 */
HSEL_API const char *hsel_version(void);
HSEL_API const char *hsel_built_with(void);

/* Sets limits on each input, e.g. "max-line=512,max-size=1000000", for all files opened later in
 * this process. `hsel info --help-all` documents them. Do not call this while other threads read.
 */
HSEL_API HSEL_CHECKED int hsel_limits_set(const char *options, hsel_error *error);
/* For bindings that declare functions and structures themselves: HSEL_INTERFACE of the library, and
 * the size of a structure by name ("hsel_error"), or 0 if the name is unknown. */
#define HSEL_INTERFACE 1
HSEL_API uint32_t hsel_interface(void);
HSEL_API size_t hsel_sizeof(const char *name);

HSEL_API void hsel_free(void *memory);

/* ---- data sets --------------------------------------------------------------------------- */

#define HSEL_NONE UINT32_MAX /* no such feature, class, node or the like */

typedef struct hsel_dataset hsel_dataset;
typedef struct hsel_dag hsel_dag;               /* a hierarchy */
typedef struct hsel_model hsel_model;           /* a trained selector and classifier */
typedef struct hsel_evaluation hsel_evaluation; /* results of a cross-validation */

typedef enum hsel_feature_type {
    HSEL_BINARY = 0,
    HSEL_NUMERIC = 1,
    HSEL_NOMINAL = 2
} hsel_feature_type;
#define HSEL_NO_TYPE ((hsel_feature_type)3) /* no such feature */

/* Reads a data set: a data file of any supported format, a pack, a folder with data.* (and
 * optionally hierarchy.* and meta.json), or only a hierarchy. `options` are the command's long
 * options without dashes, e.g. "hierarchy=go.obo,class=label,drop-roots", or NULL. Free the result
 * with hsel_dataset_free. */
HSEL_API HSEL_CHECKED int hsel_dataset_read(const char *path, const char *options,
                                            hsel_dataset **out, hsel_error *error);
/* Writes a data set. The file name's extension selects the format; ".gz" compresses. On failure no
 * partial file is left. */
HSEL_API HSEL_CHECKED int hsel_dataset_write(const hsel_dataset *data, const char *path,
                                             hsel_error *error);
HSEL_API void hsel_dataset_free(hsel_dataset *data);
/* Checks the consistency of every internal structure. */
HSEL_API HSEL_CHECKED int hsel_dataset_check(const hsel_dataset *data, hsel_error *error);

/* Generates a data set by a generator such as "ontology:features=500". */
HSEL_API HSEL_CHECKED int hsel_dataset_generate(const char *generator, uint64_t seed,
                                                hsel_dataset **out, hsel_error *error);
/* Creates a data set in which all ancestors of positive features are positive. *added is the number
 * of values that changed. */
HSEL_API HSEL_CHECKED int hsel_dataset_propagate(const hsel_dataset *data, hsel_dataset **out,
                                                 uint64_t *added, hsel_error *error);
typedef struct hsel_edges {
    size_t size;                    /* sizeof(hsel_edges) */
    const char *terms;              /* NULL: term i is feature i */
    const uint32_t *child, *parent; /* edge e: term child[e] IS-A term parent[e] */
    size_t count;                   /* of edges */
    uint32_t term_count;
    const char *labels; /* readable names: one per term (terms NULL: per feature), "" if unknown;
                           NULL: none */
} hsel_edges;

/* Sets the hierarchy of a data set. Terms are matched with features by name. A term that is not a
 * feature connects its children with its parents, so no path is lost; a feature that is a term gets
 * the term's label. *matched (may be NULL) is the number of features that are terms. Returns
 * HSEL_EFORMAT for a cycle, which the message shows, and HSEL_EUSAGE if the data set already has a
 * hierarchy or is in use by models. No other thread may use the data set during the call. */
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
    const void *start, *index; /* sparse: list i is index[start[i]] up to, not including,
                                  index[start[i+1]], ascending */
    const void *values; /* sparse: one per index; NULL: all are 1. Dense: value (i, f) is at */
    int64_t row_stride, column_stride; /* values + i * row_stride + f * column_stride, in bytes */
    const uint8_t *types; /* hsel_feature_type of each feature; with HSEL_NO_TYPE or NULL a feature
                             is binary if all its values are 0 or 1, else numeric */
    const uint32_t *labels;    /* class of each instance, HSEL_NONE: unknown; NULL: no classes */
    const char *feature_names; /* NULL: x0, x1, … */
    const char *class_names;   /* NULL: 0, 1, … */
    const char *ids;           /* NULL: none */
    const char *name;          /* NULL: "data" */
    const hsel_model *like;    /* take features, classes and hierarchy from this model, as they were
                                  before its preparation, and ignore types, feature_names,
                                  class_names and shape; NULL: no */
    const hsel_dataset *shape; /* take feature names and hierarchy from this data set, and ignore
                                  feature_names; NULL: no */
    const double *target;      /* numeric target of each instance, in place of classes; NaN:
                                  unknown. NULL: none */
    const uint8_t *covariates; /* 1: the feature is a covariate: every model uses it, and selectors
                                  ignore it; NULL: no covariates */
    const uint32_t *word_counts; /* number of values of each nominal feature, 0 for other features;
                                    NULL: no nominal features. Ignored with `like` */
    const char *words;           /* names of these values, feature after feature */
    const char *strata; /* name of the stratum of each instance; p-values compare instances within
                           strata; "": unknown. NULL: no strata. Not allowed with `like` */
    uint64_t entries;   /* sparse: length of index and values, to check start against; 0: do not
                           check */
    const char *positive_class; /* NULL: see hsel_dataset_positive_class. Not allowed with `like`,
                                   which has its own */
    /* The design of the study, which every split into training and test instances respects,
     * including splits within methods. Not allowed with `like`. */
    const char *groups; /* name of the group of each instance, such as a patient or site; no group
                           is split; "": a group by itself. NULL: no groups */
    const double *time; /* when each instance was observed; methods are trained on the past. NULL:
                           no times */
    const uint8_t *test_set; /* 1: the instance is in the test set, the only fold; NULL: none */
    /* How much classifiers learn from each instance: finite numbers above 0. Selectors,
     * metrics and p-values ignore them, but they are the exposures of the Poisson scan; classifiers
     * that cannot use them are refused. NULL: all equal */
    const double *weights;
} hsel_arrays;

/* Creates a data set from arrays. NaN is a missing value; a feature with missing values is numeric
 * unless it is nominal. The values of a nominal feature are codes, from 0, that number its `words`.
 * Returns HSEL_EFORMAT, with the place in the message, for an infinite number, a value other than 0
 * and 1 of a feature that `types` or `like` declares binary, and an undefined code. */
HSEL_API HSEL_CHECKED int hsel_dataset_from_arrays(const hsel_arrays *arrays, hsel_dataset **out,
                                                   hsel_error *error);

/* ---- reading data sets: single items ------------------------------------------------------- */

HSEL_API const char *hsel_dataset_name(const hsel_dataset *data);
HSEL_API uint32_t hsel_dataset_instances(const hsel_dataset *data);
HSEL_API uint32_t hsel_dataset_features(const hsel_dataset *data);
HSEL_API uint32_t hsel_dataset_classes(const hsel_dataset *data);
/* Return NULL, HSEL_NONE or HSEL_NO_TYPE if there is no feature or class with that number or name.
 */
HSEL_API const char *hsel_dataset_feature_name(const hsel_dataset *data, uint32_t feature);
HSEL_API uint32_t hsel_dataset_find_feature(const hsel_dataset *data, const char *name);
HSEL_API hsel_feature_type hsel_dataset_feature_type(const hsel_dataset *data, uint32_t feature);
HSEL_API const char *hsel_dataset_class_name(const hsel_dataset *data, uint32_t label);
/* Class of an instance, or HSEL_NONE if it is unknown or the instance does not exist. */
HSEL_API uint32_t hsel_dataset_class_of(const hsel_dataset *data, uint32_t instance);
/* Identifier of an instance, or NULL if the data set has none or the instance does not exist. */
HSEL_API const char *hsel_dataset_id(const hsel_dataset *data, uint32_t instance);
/* Label of a feature (the name of a term) or an instance (the symbol of a gene), and its value in a
 * column of further information such as "namespace". NULL if it is unknown or there is no such
 * feature, instance or column. */
HSEL_API const char *hsel_dataset_feature_label(const hsel_dataset *data, uint32_t feature);
HSEL_API const char *hsel_dataset_instance_label(const hsel_dataset *data, uint32_t instance);
HSEL_API const char *hsel_dataset_feature_about(const hsel_dataset *data, uint32_t feature,
                                                const char *column);
HSEL_API const char *hsel_dataset_instance_about(const hsel_dataset *data, uint32_t instance,
                                                 const char *column);
/* The positive binary features of an instance, in ascending order, and their number. NULL and 0 if
 * there is no such instance. */
HSEL_API const uint32_t *hsel_dataset_row(const hsel_dataset *data, uint32_t instance,
                                          size_t *count);
/* The instances with a positive binary feature, in ascending order. NULL and 0 if there is no such
 * feature. */
HSEL_API const uint32_t *hsel_dataset_column(const hsel_dataset *data, uint32_t feature,
                                             size_t *count);
/* The hierarchy over the features (node i is feature i), or NULL. */
HSEL_API const hsel_dag *hsel_dataset_hierarchy(const hsel_dataset *data);
/* The positive class. If none was set, it is, of two classes, the one that its name marks as
 * positive (1 against 0 or -1, yes against no …), else the smaller one, else the second. With more
 * than two classes it is the second, which no metric uses. HSEL_NONE: no classes. */
HSEL_API uint32_t hsel_dataset_positive_class(const hsel_dataset *data);

/* ---- reading data sets: whole arrays ------------------------------------------------------- */

typedef enum hsel_list {
    HSEL_FEATURE_NAMES = 0,
    HSEL_CLASS_NAMES = 1,
    HSEL_IDS = 2,
    HSEL_FEATURE_COLUMNS = 3, /* columns of information on features: "label", "namespace" … */
    HSEL_FEATURE_TEXTS = 4,   /* for each feature, one text per column; "": unknown */
    HSEL_INSTANCE_COLUMNS = 5,
    HSEL_INSTANCE_TEXTS = 6
} hsel_list;

/* A list of names (an hsel_list); *bytes is its length with all NULs. NULL, 0 and 0 if there is no
 * such list. */
HSEL_API const char *hsel_dataset_names(const hsel_dataset *data, int list, uint32_t *count,
                                        size_t *bytes);
/* The positive binary features of all instances. Returns start; the features of instance i are
 * (*index)[start[i]] up to, not including, (*index)[start[i+1]]. */
HSEL_API const uint64_t *hsel_dataset_rows(const hsel_dataset *data, const uint32_t **index);
/* hsel_feature_type of each feature. */
HSEL_API const uint8_t *hsel_dataset_types(const hsel_dataset *data);
/* Class of each instance, HSEL_NONE if unknown. NULL if there are no classes. */
HSEL_API const uint32_t *hsel_dataset_labels(const hsel_dataset *data);
/* Numeric target of each instance, NaN if unknown. NULL if there is no numeric target. */
HSEL_API const double *hsel_dataset_target(const hsel_dataset *data);
/* Whether the feature is a covariate, which every model uses and selectors ignore. */
HSEL_API int hsel_dataset_is_covariate(const hsel_dataset *data, uint32_t feature);
/* The value of a feature for each instance: 0 or 1, a number, or the code of a nominal value. NaN
 * if it is missing or there is no such feature. */
HSEL_API void hsel_dataset_values(const hsel_dataset *data, uint32_t feature, double *out);
/* The values of a nominal feature, in the order of their codes. NULL, 0 and 0 for other features.
 */
HSEL_API const char *hsel_dataset_value_names(const hsel_dataset *data, uint32_t feature,
                                              uint32_t *count, size_t *bytes);

/* ---- hierarchies ------------------------------------------------------------------------- */

/* A NULL hierarchy has no nodes. */
HSEL_API uint32_t hsel_dag_nodes(const hsel_dag *dag);
HSEL_API uint64_t hsel_dag_edges(const hsel_dag *dag);
/* In ascending order. NULL and 0 if there is no such node. */
HSEL_API const uint32_t *hsel_dag_parents(const hsel_dag *dag, uint32_t node, size_t *count);
HSEL_API const uint32_t *hsel_dag_children(const hsel_dag *dag, uint32_t node, size_t *count);
/* Length of the longest path from a root, in edges. HSEL_NONE if there is no such node. */
HSEL_API uint32_t hsel_dag_depth(const hsel_dag *dag, uint32_t node);
/* All nodes, parents before children. */
HSEL_API const uint32_t *hsel_dag_order(const hsel_dag *dag);
/* Depth of each node. */
HSEL_API const uint32_t *hsel_dag_depths(const hsel_dag *dag);
/* The parents of all nodes. Returns start; the parents of node v are (*parents)[start[v]] up to,
 * not including, (*parents)[start[v+1]]. */
HSEL_API const uint32_t *hsel_dag_parent_lists(const hsel_dag *dag, const uint32_t **parents);
/* Checks the consistency of a hierarchy. */
HSEL_API HSEL_CHECKED int hsel_dag_check(const hsel_dag *dag, hsel_error *error);

/* ---- methods ------------------------------------------------------------------------------ *
 *
 * Methods are written as on the command line: "rpv", or with options
 * "shsel:threshold=0.99,measure=ig". `hsel help NAME` and docs/methods.md list the options. */

/* All methods, numbered from 0 in the order of the documentation. The texts are NULL if there is no
 * method with that number. */
HSEL_API size_t hsel_method_count(void);
HSEL_API const char *hsel_method_name(size_t method); /* "rpv" */
HSEL_API const char *hsel_method_kind(size_t method); /* "selector", "classifier", "measure", … */
HSEL_API const char *hsel_method_title(size_t method);    /* a few words */
HSEL_API const char *hsel_method_help(size_t method);     /* a paragraph */
HSEL_API const char *hsel_method_citation(size_t method); /* where it comes from */
/* Whether the method is a lazy selector, which selects features for each instance separately. */
HSEL_API bool hsel_method_is_lazy(size_t method);
/* All methods as a JSON array of objects with kind, name, title, help, citation, flags and options.
 */
HSEL_API HSEL_CHECKED int hsel_methods_json(char **json, hsel_error *error);

/* ---- learning ------------------------------------------------------------------------------ *
 *
 * Methods that use the hierarchy require data that satisfy the true-path rule: an instance that has
 * a feature has all its ancestors. hsel_dataset_propagate, or the option "propagate" of
 * hsel_dataset_read, repairs other data. */

#define HSEL_LATEST 2 /* for `details` of hsel_request */

/* Options of the functions below; each function uses the members that concern it. NULL stands for
 * the defaults. */
typedef struct hsel_request {
    size_t size;            /* sizeof(hsel_request) */
    const char *selector;   /* NULL: "none", which keeps all features */
    const char *classifier; /* NULL: "nb", naive Bayes; "", only in hsel_train: none, the model only
                               selects features */
    const char *rankers;    /* a list of rankers or measures … */
    uint32_t ranker_count;  /* … and their number */
    int threads;            /* 0: one per processor; results do not depend on it */
    uint64_t seed;          /* for folds and for methods that use random numbers */
    /* hsel_crossval: */
    uint32_t folds;          /* 0: 10 */
    uint32_t repeats;        /* 0: 1. Repeat r (from 0) uses seed + r */
    const char *fold_scheme; /* NULL: "own" (stratified); "weka", "wan", "loo", "window:N" or
                                "file:PATH"; loo and files ignore `folds` */
    const uint32_t *fold_of; /* [repeats * instances]: the fold of each instance, below `folds`, in
                                place of a scheme; NULL: use the scheme */
    const char *rank_by;     /* what AUROC and AUPRC rank by: "score" (default) or "probability" */
    int details; /* 1: keep the arrays that hsel_evaluation_numbers returns; HSEL_LATEST:
                                only those of the latest repeat; 0: none */
    /* `report` and `note` are called with `context`, in the thread that made the call. */
    void *context;
    /* Progress, a few times per second: `done` of `total` (0: unknown) steps of `what` are done. If
     * it returns a value other than 0, the call stops and returns HSEL_ECANCELLED. */
    int (*report)(void *context, uint64_t done, uint64_t total, const char *what);
    /* Notes on the result, one line each, e.g. that the svm did not converge. Called before the
     * call returns. */
    void (*note)(void *context, const char *text);
    /* hsel_train: weights of the instances for the classifier, at least 0; NULL: equal. Instances
     * of weight 0 are left out; the selector treats all others equally. HSEL_EUNSUPPORTED if the
     * classifier cannot use weights, unless all are 0 or 1. hsel_predict: instances of weight 0 are
     * not predicted, and their elements of the results are left unchanged. hsel_select, hsel_rank
     * and hsel_crossval refuse weights. */
    const double *weights;
    /* hsel_crossval: also measure stability on the hierarchy, by this similarity; NULL: do not. */
    const char *similarity;
    /* hsel_crossval with fold_of: test only the first `tested` folds; 0: all. Instances of the
     * other folds are used only for training, and those of fold HSEL_NONE not at all. Thus a repeat
     * of two folds can be any split into training and test instances. Arrays have NaN or HSEL_NONE
     * for instances that are not tested. */
    uint32_t tested;
    /* hsel_predict: store the features selected for each instance here, as hsel_select_each does,
     * without selecting twice; NULL: do not. */
    uint64_t *selected_start;
    uint32_t **selected_index;
    /* hsel_train, hsel_select, hsel_crossval: not 0: let eager selectors use data that violate the
     * true-path rule. */
    int allow_violations;
    /* Not 0: `report` may be called from any thread, from several at once, and at every step. */
    int any_thread;
    /* hsel_predict, hsel_select_each: use only `count` instances, starting with `first`, whose
     * results are stored at index 0; 0: all instances. */
    uint32_t first, count;
    /* hsel_train, hsel_select with a search such as ga: files to write, NULL: none. `log` gets a
     * JSON line for each generation. `checkpoint` is updated about once per second; the same call
     * resumes an interrupted search from it. */
    const char *log, *checkpoint;
    /* hsel_crossval: not 0: prepare confidence intervals, for hsel_evaluation_interval. */
    int intervals;
    /* hsel_crossval: which roles of the instances folds respect: "all" (default): groups, times and
     * test set; "groups" only; "none": ordinary folds. Without the others folds are those of scheme
     * "own", as many as the design has; pooled estimates and intervals are still over the instances
     * that it tests, by groups, so that differences show how much ordinary folds leak. */
    const char *respect;
} hsel_request;

/* Selects features by an eager selector, using the instances that have a class (all, if none has
 * one). keep[f], for each of hsel_dataset_features(data) features, is 1 if feature f is selected,
 * else 0. `scores`, if not NULL, receives the relevance of each feature, NaN where the selector
 * computes none. Returns HSEL_EUNSUPPORTED for lazy selectors, which require a model. */
HSEL_API HSEL_CHECKED int hsel_select(const hsel_dataset *data, const hsel_request *request,
                                      uint8_t *keep, double *scores, hsel_error *error);
/* Applies a multiple testing procedure (see `hsel help test`) at level `alpha` to given p-values,
 * one per feature, on the hierarchy of `data`, if it has one. Instances are not used. rejected[f]
 * is 1 if the null hypothesis of feature f is rejected, that is, the feature is declared relevant,
 * and 0 if not. It is 2 if structured-holm rejects it only because it rejects a feature below it.
 * `adjusted`, if not NULL, receives the smallest level at which each feature is rejected, NaN where
 * the procedure does not define it. */
HSEL_API HSEL_CHECKED int hsel_reject(const hsel_dataset *data, const double *p,
                                      const char *procedure, double alpha, uint8_t *rejected,
                                      double *adjusted, hsel_error *error);
/* Scores all features by rankers or measures: scores[i * features + f]. */
HSEL_API HSEL_CHECKED int hsel_rank(const hsel_dataset *data, const hsel_request *request,
                                    double *scores, hsel_error *error);

/* How hsel_p_values tested a feature. */
typedef enum hsel_p_status {
    HSEL_P_TESTED = 0,
    HSEL_P_ROUGH = 1,     /* by an approximation for which its counts are too small */
    HSEL_P_DRAWN = 2,     /* by random tables, as there are too many for an exact test */
    HSEL_P_CONSTANT = 3,  /* not tested: it has the same value in all instances */
    HSEL_P_RARE = 4,      /* not tested: a number present in too few instances (min-present) */
    HSEL_P_NOMINAL = 5,   /* not tested: it is nominal */
    HSEL_P_COVARIATE = 6, /* not tested: it is a covariate */
    HSEL_P_INHERITED = 16 /* added to the others: structured-holm rejects the feature only because
                             it rejects one below it */
} hsel_p_status;

/* Tests each feature for an association with the class, using the instances that have a class,
 * within strata if there are any. `options` are those of `hsel rank --p-values`, without dashes:
 * "test=chi2,adjust=dagger"; NULL: Fisher's exact test and rank tests, adjusted by "bh". p[f] and
 * adjusted[f], the smallest level at which the procedure rejects feature f among all tested ones,
 * are NaN where status[f] says that the feature is not tested; with adjust=elim and the like,
 * adjusted[f] is the p-value that takes the features below into account. `adjusted` and `status`
 * may be NULL. */
HSEL_API HSEL_CHECKED int hsel_p_values(const hsel_dataset *data, const hsel_request *request,
                                        const char *options, double *p, double *adjusted,
                                        uint8_t *status, hsel_error *error);

/* The term table: every feature with its counts (or means) in the classes, odds ratio (or difference
 * of means) with its 95 % confidence interval, p and q as in hsel_p_values, and whether a
 * significant term is so beyond the significant terms below it. `options` are those of `hsel terms`
 * without dashes: "adjust=focused-bh,top=50"; NULL: the defaults. `form` is "text", "csv", "json" or
 * "latex". Free the result with hsel_free. */
HSEL_API HSEL_CHECKED int hsel_terms(const hsel_dataset *data, const hsel_request *request,
                                     const char *options, const char *form, char **text,
                                     hsel_error *error);

/* ---- models ------------------------------------------------------------------------------- */

/* Trains a model on all instances that have a class. `data` may be freed before the model. Free the
 * model with hsel_model_free. */
HSEL_API HSEL_CHECKED int hsel_train(const hsel_dataset *data, const hsel_request *request,
                                     hsel_model **out, hsel_error *error);
/* Reads and writes model files, as hsel train and hsel predict do. */
HSEL_API HSEL_CHECKED int hsel_model_read(const char *path, hsel_model **out, hsel_error *error);
HSEL_API HSEL_CHECKED int hsel_model_write(const hsel_model *model, const char *path,
                                           hsel_error *error);
HSEL_API void hsel_model_free(hsel_model *model);
/* The content of a model file in memory. */
HSEL_API HSEL_CHECKED int hsel_model_to_bytes(const hsel_model *model, void **bytes, size_t *length,
                                              hsel_error *error);
HSEL_API HSEL_CHECKED int hsel_model_from_bytes(const void *bytes, size_t length, hsel_model **out,
                                                hsel_error *error);

/* Number of instances the model was trained on. */
HSEL_API uint32_t hsel_model_instances(const hsel_model *model);
/* The classes of a model, in the order of the probabilities. NULL if there is no such class. */
HSEL_API uint32_t hsel_model_classes(const hsel_model *model);
HSEL_API const char *hsel_model_class_name(const hsel_model *model, uint32_t label);
/* The features, classes and hierarchy of a model, as a data set without instances. Borrowed. */
HSEL_API const hsel_dataset *hsel_model_shape(const hsel_model *model);
/* The selector and the classifier of a model, with all options that differ from the defaults. Free
 * both with hsel_free. */
HSEL_API HSEL_CHECKED int hsel_model_methods(const hsel_model *model, char **selector,
                                             char **classifier, hsel_error *error);
/* keep[f] as in hsel_select. Returns HSEL_EUNSUPPORTED if the selector is lazy. */
HSEL_API HSEL_CHECKED int hsel_model_support(const hsel_model *model, uint8_t *keep,
                                             hsel_error *error);
/* Relevance of each feature. Returns HSEL_EUNSUPPORTED if the selector computes none. */
HSEL_API HSEL_CHECKED int hsel_model_relevance(const hsel_model *model, double *scores,
                                               hsel_error *error);
/* Predicts the instances of `data`. Its features are matched by name and must be those of the
 * training data; its classes and hierarchy are ignored. The preparation of the training data
 * (transform, filters …) is applied to `data`, unless `data` were read with the same preparation.
 * Data with the features in the order of the model, e.g. by hsel_arrays.like, are not copied.
 *
 * probability[i * classes + c] is the probability of class c for instance i. `score`, if not NULL,
 * has the same layout; a higher score means more evidence for the class. The class with the highest
 * score is predicted, the first of several. Scores still differ where probabilities saturate at 1.
 * A model of a numeric target has no probabilities; score[i] is the predicted number. `selected`,
 * if not NULL, receives the number of features used for each instance. */
HSEL_API HSEL_CHECKED int hsel_predict(const hsel_model *model, const hsel_dataset *data,
                                       const hsel_request *request, double *probability,
                                       double *score, uint32_t *selected, hsel_error *error);
/* The features selected for each instance, in ascending order: those of instance i are
 * (*index)[start[i]] up to, not including, (*index)[start[i+1]]. `start` has one more element than
 * there are instances. Free *index with hsel_free. */
HSEL_API HSEL_CHECKED int hsel_select_each(const hsel_model *model, const hsel_dataset *data,
                                           const hsel_request *request, uint64_t *start,
                                           uint32_t **index, hsel_error *error);
/* Explains the prediction for an instance of `data` (prepared as in hsel_predict). `form` is
 * "text", "json", "dot" (a drawing for Graphviz) or "graphml" (a drawing for other programs). At
 * most `top` features are shown; 0 stands for all, or for one screen of text. Returns HSEL_EUSAGE
 * for a drawing without a hierarchy. Free the result with hsel_free. */
HSEL_API HSEL_CHECKED int hsel_model_explain(const hsel_model *model, const hsel_dataset *data,
                                             uint32_t instance, uint32_t top, const char *form,
                                             char **text, hsel_error *error);
/* Describes the trained classifier (its tree, weights, feature importances …) as "text" or "json".
 * Free the result with hsel_free. */
HSEL_API HSEL_CHECKED int hsel_model_describe(const hsel_model *model, const char *form,
                                              char **text, hsel_error *error);
/* Draws the trained model, as "dot" or "graphml": a tree, or the features that the classifier uses.
 * At most `nodes` nodes are drawn, the most important ones; 0: 60, HSEL_NONE: all. Returns
 * HSEL_EUNSUPPORTED if there is nothing to draw. Free the result with hsel_free. */
HSEL_API HSEL_CHECKED int hsel_model_draw(const hsel_model *model, const char *form, uint32_t nodes,
                                          char **text, hsel_error *error);

typedef struct hsel_draw_request {
    size_t size;         /* sizeof(hsel_draw_request) */
    const char *form;    /* "dot" or "graphml" */
    const char *title;   /* NULL: none */
    const char *legend;  /* a line below the title; NULL: none */
    const uint8_t *keep; /* [features]: draw those that are not 0, and their ancestors; NULL: all */
    const double *value; /* [features]: importance, shown by colour: blue above 0, orange below;
                            NULL: no colours */
    uint32_t nodes;      /* as in hsel_model_draw */
} hsel_draw_request;

/* Draws features on the hierarchy of a data set. Free the result with hsel_free. */
HSEL_API HSEL_CHECKED int hsel_dataset_draw(const hsel_dataset *data,
                                            const hsel_draw_request *request, char **text,
                                            hsel_error *error);

/* ---- cross-validation --------------------------------------------------------------------- */

/* Metrics are numbered from 0 to hsel_metric_count() - 1: "gm", "auroc", "accuracy", … */
HSEL_API size_t hsel_metric_count(void);
HSEL_API const char *hsel_metric_name(size_t metric); /* NULL: no such metric */

/* Cross-validates a selector with a classifier. In each fold both are trained on the other folds
 * only. Free the result with hsel_evaluation_free. */
HSEL_API HSEL_CHECKED int hsel_crossval(const hsel_dataset *data, const hsel_request *request,
                                        hsel_evaluation **out, hsel_error *error);
HSEL_API void hsel_evaluation_free(hsel_evaluation *evaluation);

typedef enum hsel_grid_stability {
    HSEL_NO_STABILITY = 0,
    HSEL_EAGER_STABILITY = 1, /* only of eager selectors, for which it costs almost nothing */
    HSEL_ALL_STABILITY = 2
} hsel_grid_stability;

typedef struct hsel_grid {
    size_t size;                               /* sizeof(hsel_grid) */
    const char *selectors, *classifiers;       /* lists; NULL: the one of hsel_request … */
    uint32_t selector_count, classifier_count; /* … and their lengths; 0 with NULL */
    const uint8_t *skip; /* [pairs]: not 0: leave out the pair, whose number is
                            s * classifier_count + c. NULL: leave out none */
    int stability;       /* hsel_grid_stability */
    int classes;         /* not 0: also each class against the rest, confusion and reliability */
    int pooled;      /* not 0: the caller does not use means over folds, so omit notes on them */
    int scores_only; /* not 0: the caller uses no probabilities and no metric of them, so that
                        calibration=auto need not be learned */
    /* Called after each repeat of each pair with the results so far; one call at a time, but from
     * any thread. A value other than HSEL_OK ends hsel_crossval_grid. NULL: no calls. */
    int (*done)(void *context, uint32_t pair, uint32_t repeat, const hsel_evaluation *so_far,
                hsel_error *error);
    void *context;
} hsel_grid;

/* Cross-validates every selector with every classifier on the same folds. Classifiers share the
 * selections of a selector. out[pairs] must be NULL before the call; free each evaluation, also
 * after a failure. */
HSEL_API HSEL_CHECKED int hsel_crossval_grid(const hsel_dataset *data, const hsel_request *request,
                                             const hsel_grid *grid, hsel_evaluation **out,
                                             hsel_error *error);
/* The actual numbers, e.g. one fold per instance for leave-one-out. */
HSEL_API uint32_t hsel_evaluation_folds(const hsel_evaluation *evaluation);
HSEL_API uint32_t hsel_evaluation_repeats(const hsel_evaluation *evaluation);

/* A metric, by name: computed from all test instances together (pooled) or as a mean over folds,
 * and then its mean or standard deviation over repeats (0 for a single repeat). Metrics are
 * fractions, not percentages. NaN if there is no such metric or it is undefined for these data. */
typedef enum hsel_statistic {
    HSEL_POOLED = 0,
    HSEL_FOLD_MEAN = 1, /* pooled if a class is not in every fold, and for r2 */
    HSEL_POOLED_SD = 2,
    HSEL_FOLD_MEAN_SD = 3
} hsel_statistic;
HSEL_API double hsel_evaluation_metric(const hsel_evaluation *evaluation, const char *metric,
                                       int statistic);
/* How folds were made from groups, times or a test set, e.g. "5 folds, none of 1,000 groups split";
 * "" without these. */
HSEL_API const char *hsel_evaluation_design(const hsel_evaluation *evaluation);
/* Fraction of the features that were selected. */
HSEL_API double hsel_evaluation_selected(const hsel_evaluation *evaluation);

/* An estimate of a metric with its 95 % confidence interval, if the request had `intervals`:
 * out[3] receives the estimate and the ends, NaN if there is no interval;
 * method[HSEL_INTERVAL_ROOM] how it was made, or why there is none. Where instances are independent
 * and folds random, the estimate is the mean over folds and the interval has the corrected
 * resampled variance (Nadeau, Bengio 2003). With groups, times or a test set, if `pooled` is not 0,
 * and for metrics that are always pooled, the estimate is pooled and the interval a bootstrap over
 * groups or instances. With `other`, of the same data, folds and seed: the difference of both,
 * paired by folds or samples; NULL: none. */
#define HSEL_INTERVAL_ROOM 120
HSEL_API HSEL_CHECKED int hsel_evaluation_interval(const hsel_evaluation *evaluation,
                                                   const hsel_evaluation *other, const char *metric,
                                                   int pooled, double *out, char *method,
                                                   hsel_error *error);

/* Evaluates a ranking where no negatives are known: score[count], higher for more positive, of
 * labelled positives (labelled[i] not 0) and of unlabelled instances, each by a model that did not
 * learn from it, such as the scores of a cross-validation. `prior` is the share of positives among
 * the unlabelled, NaN to estimate it. The result has the prior, the AUROC corrected for it,
 * precision and recall with bounds, enrichment, Lee and Liu's criterion and the recovery of hidden
 * positives among the highest scores, with 95 % bootstrap intervals over instances, or over groups:
 * group[i] is below `count`, NULL: none. `form` is "text" or "json". Free the result with
 * hsel_free. */
HSEL_API HSEL_CHECKED int hsel_pu_metrics(const double *score, const uint8_t *labelled,
                                          const uint32_t *group, uint32_t count, double prior,
                                          uint64_t seed, const char *form, char **text,
                                          hsel_error *error);

/* Stability of the selections of all folds and repeats: 1 if they are equal, 0 if they agree only
 * as random selections would. For a lazy selector, the mean over up to 100 instances, for each of
 * which every fold selects features. Intervals are 95 % confidence intervals. */
typedef enum hsel_stability_figure {
    HSEL_NOGUEIRA = 0, /* Nogueira, Sechidis, Brown (2018) */
    HSEL_NOGUEIRA_LOW = 1,
    HSEL_NOGUEIRA_HIGH = 2,
    HSEL_KUNCHEVA = 3,  /* mean over pairs, for any sizes */
    HSEL_JACCARD = 4,   /* mean over pairs, not corrected for chance */
    HSEL_HIERARCHY = 5, /* similar features agree in part; NaN without a similarity */
    HSEL_HIERARCHY_LOW = 6,
    HSEL_HIERARCHY_HIGH = 7
} hsel_stability_figure;
#define HSEL_STABILITY_FIGURES 8

/* Stores all figures in out[HSEL_STABILITY_FIGURES]. */
HSEL_API void hsel_evaluation_stability_figures(const hsel_evaluation *evaluation, double *out);
/* Returns only HSEL_NOGUEIRA. */
HSEL_API double hsel_evaluation_stability(const hsel_evaluation *evaluation);
/* The same figures for `sets` given selections; selected[s * features + f] is not 0 if selection s
 * contains feature f. With a data set that has these features, and a similarity ("lin", "resnik",
 * "jiang-conrath"), also on the hierarchy; both may be NULL. */
HSEL_API HSEL_CHECKED int hsel_stability(const uint8_t *selected, uint32_t sets, uint32_t features,
                                         const hsel_dataset *data, const char *similarity,
                                         int threads, double *out, hsel_error *error);
/* Semantic similarity of the features first[i] and second[i], "lin", "resnik" (in bits) or
 * "jiang-conrath". The information content of a feature is estimated from the data set. */
HSEL_API HSEL_CHECKED int hsel_similarity(const hsel_dataset *data, const char *similarity,
                                          const uint32_t *first, const uint32_t *second,
                                          size_t count, double *out, hsel_error *error);

/* Arrays, repeat after repeat, and their lengths. NULL and 0 if there is no such array of this type
 * or hsel_request.details was 0. */
typedef enum hsel_array {
    HSEL_PROBABILITY = 0,    /* double [repeats * instances * classes]; NaN: not tested */
    HSEL_SCORE = 1,          /* double [repeats * instances * classes]; the class with the highest
                                is predicted. Numeric target: [repeats * instances], predictions */
    HSEL_SECONDS = 2,        /* double [repeats * 2]: selecting, classifying */
    HSEL_POOLED_EACH = 3,    /* double [repeats * hsel_metric_count()] */
    HSEL_FOLD_MEAN_EACH = 4, /* double [repeats * hsel_metric_count()] */
    HSEL_FOLD_OF =
        5, /* uint32_t [repeats * instances]; HSEL_NONE: not tested, e.g. without class */
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
    const char *selectors;   /* lists of selectors to try … */
    const char *classifiers; /* … and classifiers; NULL: those of hsel auto */
    uint32_t selector_count, classifier_count;
    const char *metric;     /* to choose by; NULL: "auroc" */
    uint32_t inner_folds;   /* 0: 5 */
    uint32_t inner_repeats; /* 0: 1 */
    uint32_t permutations;  /* of the permutation test against chance; 0: no test */
    double race;            /* level at which candidates are dropped; 0: 0.05; negative: never */
    double budget;          /* seconds for the races; 0: no limit */
    const char *checkpoint; /* file to save progress to, about once per second; the same call
                               resumes from it. NULL: none */
    uint64_t fingerprint;   /* of the data; a checkpoint with another fingerprint is refused */
    const char *form;       /* of the text: "text" (default), "csv" with a line per candidate, or
                               "list", which only lists the candidates and those left out */
    uint32_t *counts;       /* [HSEL_AUTO_COUNTS]: receives the numbers of hsel_auto_count; and if
                               the call is stopped (HSEL_ECANCELLED), the results so far are
                               returned as JSON and text. NULL: no */
} hsel_auto_request;
typedef enum hsel_auto_count {
    HSEL_AUTO_CANDIDATES = 0,
    HSEL_AUTO_LEFT_OUT = 1, /* pairs that do not suit the data or each other */
    HSEL_AUTO_TESTED = 2    /* outer folds */
} hsel_auto_count;
#define HSEL_AUTO_COUNTS 3

/* Chooses a selector and a classifier by nested cross-validation, as hsel auto does. Uses threads,
 * seed, folds (the outer ones; 0: 5), repeats, rank_by, report and note of `request`; `request` and
 * `choice` may be NULL. *model is the chosen pair, trained on all instances that have a class;
 * *json and *text describe the choice and its estimated performance. Each of the three may be NULL.
 * `data` may be freed before the model. */
HSEL_API HSEL_CHECKED int hsel_auto(const hsel_dataset *data, const hsel_request *request,
                                    const hsel_auto_request *choice, hsel_model **model,
                                    char **json, char **text, hsel_error *error);

/* ---- candidates ----------------------------------------------------------------------------- */

typedef struct hsel_discover_request {
    size_t size;           /* sizeof(hsel_discover_request) */
    const char *positives; /* list of known positives: identifiers; in any case, labels; or numbers
                              (#3, or 3 without identifiers); texts
                              that are no name are divided at commas and the like, then at blanks.
                              NULL: the instances of the positive class, if the other class is
                              "unlabelled" */
    const char *negatives; /* list of known negatives, which calibrate the selection and are no
                              candidates; NULL: none */
    uint32_t positive_count, negative_count;
    uint32_t top;     /* candidates to return; 0: 20, HSEL_NONE: all */
    int correct_bias; /* not 0: compare instances with similar numbers of annotations */
    double fdr;       /* false discovery rate of the conformal selection; 0: none */
    const char *form; /* of the text: "text" (default) or "csv" */
    char **report;    /* receives the methods and the provenance, for a paper, to free with
                         hsel_free; NULL: no */
    uint32_t *counts; /* [HSEL_DISCOVER_COUNTS]: receives the numbers of hsel_discover_count; NULL:
                         no */
} hsel_discover_request;
typedef enum hsel_discover_count {
    HSEL_DISCOVER_KNOWN = 0,
    HSEL_DISCOVER_NOT_FOUND = 1, /* names that match no instance … */
    HSEL_DISCOVER_AMBIGUOUS = 2  /* … or several */
} hsel_discover_count;
#define HSEL_DISCOVER_COUNTS 3

/* Ranks unlabelled instances by how likely they are positive, as hsel discover does. Uses selector
 * (NULL: "none"), classifier (NULL: that of hsel discover), folds (0: 5), repeats, seed, threads,
 * allow_violations, report and note of `request`, which may be NULL. Every instance is scored by
 * models that were trained without it. The candidates are returned as JSON and as text; each may be
 * NULL. */
HSEL_API HSEL_CHECKED int hsel_discover(const hsel_dataset *data, const hsel_request *request,
                                        const hsel_discover_request *how, char **json, char **text,
                                        hsel_error *error);
/* Evaluates how well each of many sets, such as pathways, can be predicted: each is the positive
 * class in turn, the other instances are unlabelled. `path` is a GMT file, or a table of set and
 * member. Sets of fewer than `smallest` (0: 10) or more than `largest` (0: 500) matched members are
 * left out. `request` as in hsel_discover, but classifier NULL is "nb". `form` is "text", "csv" or
 * "json". Free the result with hsel_free. */
HSEL_API HSEL_CHECKED int hsel_discover_sets(const hsel_dataset *data, const hsel_request *request,
                                             const char *path, uint32_t smallest, uint32_t largest,
                                             const char *form, char **text, hsel_error *error);

/* ---- comparisons and reports --------------------------------------------------------------- */

typedef struct hsel_compare_request {
    size_t size;         /* sizeof(hsel_compare_request) */
    const double *value; /* [datasets * methods], one row per data set; NaN: missing */
    uint32_t datasets, methods;
    const char *dataset_names, *method_names;
    const char *control; /* name of the method to compare the others with; NULL: none */
    int lower_is_better, one_sided, keep_zeros;
    double alpha; /* 0: 0.05 */
    double tolerance;
    int all_pairs; /* show all pairs of methods, not only those with the control or the best */
    const double *covariate;    /* [datasets], to correlate with the results of each method … */
    const char *covariate_name; /* … and its name; NULL: no covariate */
    char **diagram; /* receives the critical-difference diagram as SVG, to free with hsel_free;
                       NULL: no diagram */
} hsel_compare_request;

/* Compares methods statistically, as hsel compare does. The result is returned as JSON and as text;
 * each may be NULL. */
HSEL_API HSEL_CHECKED int hsel_compare(const hsel_compare_request *request, char **json,
                                       char **text, hsel_error *error);

typedef struct hsel_report_request {
    size_t size;        /* sizeof(hsel_report_request) */
    const char *store;  /* the store written by hsel run */
    const char *study;  /* NULL: the newest */
    const char *format; /* "html" (default), "text", "csv", "latex" or "curves" */
    const char *charts; /* folder to write charts to (.svg and .tsv); NULL: none */
    const char *path;   /* file to write the report to */
} hsel_report_request;

/* Writes the report of a study. In libhsel-study. */
HSEL_API HSEL_CHECKED int hsel_report(const hsel_report_request *request, hsel_error *error);

#ifdef __cplusplus
}
#endif
#endif

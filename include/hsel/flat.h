/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The flat surface of the library, for callers that have arrays and not data sets of ours: the
 * Python package first of all. Conventions are those of hsel.h; beyond it
 *   - arrays are passed whole, never value by value;
 *   - lists of names are one text in which every name is followed by a NUL, with their number;
 *   - what comes out of a `T **out` of plain memory (texts, bytes, numbers) is freed with
 * hsel_free;
 *   - a long call takes an hsel_watch, which may stop it.
 * A caller that was built against another version finds out by hsel_flat_version and
 * hsel_flat_sizeof.
 */
#ifndef HSEL_FLAT_H
#define HSEL_FLAT_H

#include <hsel/hsel.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HSEL_FLAT_VERSION 1

/* HSEL_FLAT_VERSION of the library; the size of a struct by its name ("hsel_error"), 0: there is
 * none of that name. */
HSEL_API uint32_t hsel_flat_version(void);
HSEL_API size_t hsel_flat_sizeof(const char *name);
HSEL_API void hsel_free(void *memory);

/* Every method as JSON: an array of objects with kind, name, title, help, citation, flags and
 * options. */
HSEL_API HSEL_CHECKED int hsel_methods_json(char **json, hsel_error *error);

/* ---- watching long calls ---- */

/* Called in the thread that made the call, some times a second; `done` of `total` (0: not known)
 * steps of `what` are done. Not 0 stops the call, which then returns HSEL_ECANCELLED. */
typedef struct hsel_watch {
    int (*report)(void *context, uint64_t done, uint64_t total,
                  const char *what); /* NULL: nobody watches */
    void *context;
} hsel_watch;

/* ---- data sets from arrays ---- */

typedef enum hsel_layout { HSEL_ROWS = 0, HSEL_COLUMNS = 1, HSEL_DENSE = 2 } hsel_layout;
typedef enum hsel_number {
    HSEL_U8 = 0,
    HSEL_I32 = 1,
    HSEL_I64 = 2,
    HSEL_F32 = 3,
    HSEL_F64 = 4
} hsel_number;

typedef struct hsel_arrays {
    uint32_t instances, features, classes;
    int layout; /* hsel_layout: compressed sparse rows, compressed sparse columns, or dense */
    int number; /* hsel_number of the values */
    int wide;   /* sparse: start and index are 64-bit, else 32-bit */
    int borrow; /* sparse: the data set may point into start and index, which must then outlive it
                   unchanged */
    const void *start,
        *index; /* sparse: of list i, ascending from index[start[i]] to before index[start[i+1]] */
    const void *values; /* one for each index; NULL: all are 1. Dense: value (i, f) is at */
    int64_t row_stride, column_stride; /* values + i * row_stride + f * column_stride, in bytes */
    const uint8_t *types; /* hsel_feature_type of each feature; NULL: binary if all its values are 0
                             or 1, else numeric */
    const uint32_t
        *labels; /* class of each instance, HSEL_NONE: not known; NULL: there are no classes */
    const char *feature_names; /* NULL: x0, x1, … */
    const char *class_names;   /* NULL: 0, 1, … */
    const char *ids;           /* NULL: none */
    const char *name;          /* NULL: "data" */
    const hsel_model *like;    /* not NULL: features, classes and hierarchy are those of this model,
                                  and the four above are    not looked at */
    const hsel_dataset *shape; /* not NULL: names and hierarchy of the features are those of this
                                  data set, and feature_names is not looked at */
} hsel_arrays;

/* HSEL_EFORMAT when a number is missing (NaN), infinite, or out of range; the message names the
 * place. */
HSEL_API HSEL_CHECKED int hsel_dataset_from_arrays(const hsel_arrays *arrays, hsel_dataset **out,
                                                   hsel_error *error);

/* Gives the data set a hierarchy: `terms` with edges child[e] IS-A parent[e]. Terms are matched
 * with features by name; `terms` NULL: term i is feature i. Terms that are no features are passed
 * through. HSEL_EFORMAT: a cycle, which the message shows; *matched becomes the number of features
 * that are terms. */
HSEL_API HSEL_CHECKED int hsel_dataset_set_hierarchy(hsel_dataset *data, const char *terms,
                                                     uint32_t term_count, const uint32_t *child,
                                                     const uint32_t *parent, size_t edges,
                                                     uint32_t *matched, hsel_error *error);
/* A new data set in which the ancestors of positive features are positive; *added says how many
 * values changed. */
HSEL_API HSEL_CHECKED int hsel_dataset_propagate(const hsel_dataset *data, hsel_dataset **out,
                                                 uint64_t *added, hsel_error *error);
/* Made by a generator, e.g. "ontology:features=500". */
HSEL_API HSEL_CHECKED int hsel_dataset_generate(const char *generator, uint64_t seed,
                                                hsel_dataset **out, hsel_error *error);

/* ---- arrays of data sets: borrowed ---- */

typedef enum hsel_list { HSEL_FEATURE_NAMES = 0, HSEL_CLASS_NAMES = 1, HSEL_IDS = 2 } hsel_list;

/* Names of one kind; *bytes is the length of the text with all its NULs. */
HSEL_API const char *hsel_dataset_names(const hsel_dataset *data, int list, uint32_t *count,
                                        size_t *bytes);
HSEL_API const uint64_t *hsel_dataset_rows(const hsel_dataset *data, const uint32_t **index);
HSEL_API const uint8_t *hsel_dataset_types(const hsel_dataset *data);
HSEL_API const uint32_t *
hsel_dataset_labels(const hsel_dataset *data); /* NULL: there are no classes */
HSEL_API uint32_t hsel_dataset_positive_class(const hsel_dataset *data);
/* One value an instance of any feature: 0 and 1, numbers, or codes of a nominal one; NaN: missing.
 */
HSEL_API void hsel_dataset_values(const hsel_dataset *data, uint32_t feature, double *out);
/* The words of a nominal feature, in the order of its codes; NULL for others. */
HSEL_API const char *hsel_dataset_value_names(const hsel_dataset *data, uint32_t feature,
                                              uint32_t *count, size_t *bytes);
/* Parents of node v are parents[start[v]] to before parents[start[v+1]]; depth of each node. */
HSEL_API const uint32_t *hsel_dag_parent_lists(const hsel_dag *dag, const uint32_t **parents);
HSEL_API const uint32_t *hsel_dag_depths(const hsel_dag *dag);

/* ---- learning ---- */

/* As hsel_dataset_select; `scores`, if not NULL, gets the relevance of each feature, NaN where the
 * selector has none. */
HSEL_API HSEL_CHECKED int hsel_select(const hsel_dataset *data, const char *selector, uint64_t seed,
                                      int threads, const hsel_watch *watch, uint8_t *keep,
                                      double *scores, hsel_error *error);
/* Scores all features by rankers or measures, named in one list: scores[i * features + f]. */
HSEL_API HSEL_CHECKED int hsel_rank(const hsel_dataset *data, const char *rankers, uint32_t count,
                                    uint64_t seed, int threads, const hsel_watch *watch,
                                    double *scores, hsel_error *error);
HSEL_API HSEL_CHECKED int hsel_train(const hsel_dataset *data, const char *selector,
                                     const char *classifier, uint64_t seed, int threads,
                                     const hsel_watch *watch, hsel_model **out, hsel_error *error);
/* `data` must have the features of the model in their order (hsel_arrays.like): they are not
 * matched by name. */
HSEL_API HSEL_CHECKED int hsel_predict(const hsel_model *model, const hsel_dataset *data,
                                       int threads, const hsel_watch *watch, double *probability,
                                       double *score, uint32_t *selected, hsel_error *error);
/* The features selected for each instance, ascending: (*index)[start[i]] to before
 * (*index)[start[i+1]]; start has room for one more than there are instances. */
HSEL_API HSEL_CHECKED int hsel_select_each(const hsel_model *model, const hsel_dataset *data,
                                           int threads, const hsel_watch *watch, uint64_t *start,
                                           uint32_t **index, hsel_error *error);
/* Model files in memory. */
HSEL_API HSEL_CHECKED int hsel_model_to_bytes(const hsel_model *model, void **bytes, size_t *length,
                                              hsel_error *error);
HSEL_API HSEL_CHECKED int hsel_model_from_bytes(const void *bytes, size_t length, hsel_model **out,
                                                hsel_error *error);
/* keep[f] of a model with an eager selector; HSEL_EUNSUPPORTED: it is lazy. */
HSEL_API HSEL_CHECKED int hsel_model_support(const hsel_model *model, uint8_t *keep,
                                             hsel_error *error);
/* Relevance of each feature; HSEL_EUNSUPPORTED: the selector uses none. */
HSEL_API HSEL_CHECKED int hsel_model_relevance(const hsel_model *model, double *scores,
                                               hsel_error *error);
/* Why the model predicts what it predicts for an instance of `data` (as hsel_predict takes it):
 * form "text", "json", or "dot" (for Graphviz); `top` features at most, 0: all. */
HSEL_API HSEL_CHECKED int hsel_model_explain(const hsel_model *model, const hsel_dataset *data,
                                             uint32_t instance, uint32_t top, const char *form,
                                             char **text, hsel_error *error);

/* ---- evaluation ---- */

typedef struct hsel_crossval_request {
    const char *selector, *classifier, *fold_scheme; /* NULL: as in hsel_dataset_evaluate */
    const uint32_t
        *fold_of; /* not NULL: the fold of each instance, from 0; the scheme is not looked at */
    uint32_t folds, repeats;
    uint64_t seed;
    int threads;
    const char *rank_by; /* what AUROC and AUPRC rank by: "score" (NULL: this) or "probability" */
} hsel_crossval_request;

/* What the caller wants to have, repeat after repeat; each may be NULL. */
typedef struct hsel_crossval_arrays {
    uint32_t *fold_of;   /* [repeats * instances] */
    double *probability; /* [repeats * instances * classes] */
    double *score;       /* [repeats * instances * classes]; the highest predicts the class */
    uint32_t *selected;  /* [repeats * instances]: number of features selected */
    uint32_t *frequency; /* [repeats * features]: test instances for which it was selected */
    double *seconds;     /* [repeats * 2]: selecting, classifying */
    double *pooled;      /* [repeats * HSEL_METRICS_ROOM] */
    double *fold_mean;   /* [repeats * HSEL_METRICS_ROOM] */
} hsel_crossval_arrays;

HSEL_API HSEL_CHECKED int hsel_crossval(const hsel_dataset *data,
                                        const hsel_crossval_request *request,
                                        const hsel_watch *watch, const hsel_crossval_arrays *arrays,
                                        hsel_evaluation *out, hsel_error *error);

typedef struct hsel_compare_request {
    const double *value; /* [datasets * methods], a row a data set; NaN: missing */
    uint32_t datasets, methods;
    const char *dataset_names, *method_names;
    uint32_t control; /* number of a method; HSEL_NONE: none */
    int lower_is_better, one_sided, keep_zeros;
    double alpha, tolerance;
} hsel_compare_request;

/* What hsel compare says of a table of results: as JSON, and as text for people (each may be NULL).
 */
HSEL_API HSEL_CHECKED int hsel_compare(const hsel_compare_request *request, char **json,
                                       char **text, hsel_error *error);
/* The report of a study's store: format "html", "text", "csv", or "latex"; to a file. study NULL:
 * the newest; charts NULL: none. */
HSEL_API HSEL_CHECKED int hsel_report(const char *store, const char *study, const char *format,
                                      const char *charts, const char *path, hsel_error *error);

#ifdef __cplusplus
}
#endif
#endif

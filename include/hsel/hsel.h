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
#define HSEL_VERSION "0.1.0"

#if defined(__GNUC__)
#define HSEL_API __attribute__((visibility("default")))
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

/* The library's version, e.g. "0.1.0"; and what optional parts it was built with, e.g. "raptor2 openmp". */
HSEL_API const char *hsel_version(void);
HSEL_API const char *hsel_built_with(void);

/* ---- data sets --------------------------------------------------------------------------- */

#define HSEL_NONE UINT32_MAX /* no such feature, class, node … */

typedef struct hsel_dataset hsel_dataset;
typedef struct hsel_dag hsel_dag;

typedef enum hsel_feature_type { HSEL_BINARY = 0, HSEL_NUMERIC = 1, HSEL_NOMINAL = 2 } hsel_feature_type;

/* Reads a data set: a data file of any known format, a pack, a folder that holds data.* (and
 * hierarchy.*, meta.json), or a hierarchy alone. `options` are written as the command's long options
 * without dashes, e.g. "hierarchy=go.obo,class=label,drop-roots"; NULL for none. Free with
 * hsel_dataset_free. */
HSEL_API HSEL_CHECKED int hsel_dataset_read(const char *path, const char *options, hsel_dataset **out,
                                            hsel_error *error);
/* Writes data (format by the file name's ending, ".gz" compresses); the file appears whole or not at all. */
HSEL_API HSEL_CHECKED int hsel_dataset_write(const hsel_dataset *data, const char *path, hsel_error *error);
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
HSEL_API const uint32_t *hsel_dataset_row(const hsel_dataset *data, uint32_t instance, size_t *count);
/* The instances in which a binary feature is positive, ascending. */
HSEL_API const uint32_t *hsel_dataset_column(const hsel_dataset *data, uint32_t feature, size_t *count);
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

#ifdef __cplusplus
}
#endif
#endif

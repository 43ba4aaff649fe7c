/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The data set: immutable once built. Positive values of binary features are kept sparse both ways;
 * numeric and nominal features are columns. Node i of the hierarchy, if there is one, is feature i.
 *
 * Invariants (hs_dataset_check tests them): rows and columns hold the same pairs, ascending and
 * without repeats; only binary features occur in them; every index is in range; names are unique.
 */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "core/names.h"
#include "core/sparse.h"
#include "data/about.h"
#include "data/dag.h"

/* Limits that keep every product of sizes far from overflow. */
#define HS_INSTANCES_LIMIT UINT32_C(0x40000000)
#define HS_FEATURES_LIMIT  UINT32_C(0x10000000)
#define HS_CLASSES_LIMIT   UINT32_C(65536)
#define HS_TARGET_LIMIT    1e150 /* squares of targets can be added up */

#define HS_MISSING_CODE UINT32_MAX /* nominal value not known */

typedef struct hs_numeric_column { /* NaN = missing */
    double *values;                /* dense: one an instance; sparse: one an entry of `rows` */
    uint32_t *rows;                /* NULL: dense; else ascending instances whose value is not 0 */
    uint32_t count;                /* number of values */
} hs_numeric_column;

typedef struct hs_nominal_column {
    uint32_t *codes; /* one an instance; HS_MISSING_CODE = missing */
    hs_names values; /* in order of declaration */
} hs_nominal_column;

/* Memory that several arrays of a data set lie in. */
typedef struct hs_region {
    void *base;
    size_t length;
} hs_region;

struct hsel_dataset {
    char *name;
    char *class_attribute; /* name of the column of classes or of the target, for writers; NULL:
                              none known */
    char *id_attribute;
    char *provenance; /* provenance: sources and steps, as JSON; NULL: none */
    uint32_t instances, features;
    uint32_t positive_class; /* HSEL_NONE when there are fewer than two classes */
    bool positive_named;     /* by the data or an option, not by hs_positive_rule */
    hs_names feature_names, class_names;
    hs_names ids;                   /* empty, or one per instance */
    hs_about about, instance_about; /* of features, of instances: for people */
    uint32_t *class_of;             /* HSEL_NONE = not known; NULL when there are no classes */
    double *target; /* numeric target instead of classes, up to HS_TARGET_LIMIT; NaN = unknown. NULL
                       with classes */
    uint64_t *covariates; /* bit set of features that every model uses and selectors ignore, none of
                             them in the hierarchy; NULL: none */
    uint8_t *types;       /* hsel_feature_type of each feature */
    uint32_t *slot; /* of a numeric or nominal feature: its column in the arrays below; NULL if all
                       binary */
    hs_sparse rows; /* instance -> its positive binary features */
    hs_sparse columns; /* feature -> instances in which it is positive */
    hs_numeric_column *numeric;
    hs_nominal_column *nominal;
    uint32_t numeric_count, nominal_count;
    hsel_dag *dag;            /* NULL: no hierarchy */
    _Atomic bool keeps_rule;  /* the true-path rule holds; false: not known */
    struct hs_recipe *recipe; /* how its values were computed (data/recipe.h); NULL: unchanged */
    double learned;           /* the number that the recipe learned, if any */
    hs_region mapping;        /* a pack: all arrays may lie in it */
    hs_region block;          /* numeric and nominal columns that hs_dataset_make_columns made */
    hs_about former; /* `about` before hsel_dataset_set_hierarchy: texts that were given out */
    _Atomic uint32_t shared; /* owners beyond the first */
};

/* The last owner frees it. */
void hs_dataset_free(hsel_dataset *data);
/* Adds an owner, who frees it as well. */
hsel_dataset *hs_dataset_share(const hsel_dataset *data);
/* Frees one of its arrays. */
void hs_dataset_drop(const hsel_dataset *data, void *block);
HS_RELEASE(hs_dataset_release, hsel_dataset, hs_dataset_free)

/* Checks the consistency of every internal structure. */
HSEL_CHECKED int hs_dataset_check(const hsel_dataset *data, hsel_error *error);

/* Columns for the features that are not binary, if any, by data->types, in one block, with their
 * numbers in data->slot: numeric ones all 0, nominal ones all missing and without values.
 * counts[f]: values other than 0 of feature f; a numeric column is sparse (and empty, with room for
 * so many) when that takes less memory than one double per instance. The values of successive dense
 * columns are contiguous. */
HSEL_CHECKED int hs_dataset_make_columns(hsel_dataset *data, const uint32_t *counts,
                                         hsel_error *error);

/* The values of a numeric or binary feature, which the data set owns, as a numeric column, whose
 * values are NULL if all are 1; nothing for a nominal one. */
hs_numeric_column hs_dataset_column(const hsel_dataset *data, uint32_t feature);
static inline uint32_t hs_row_at(const hs_numeric_column *column, uint32_t i)
{
    return column->rows ? column->rows[i] : i;
}
static inline double hs_value_at(const hs_numeric_column *column, uint32_t i)
{
    return column->values ? column->values[i] : 1;
}
/* A numeric column as one value an instance: the column itself if it is dense, else spread into
 * `scratch` (room for data->instances values). Binary features are spread as 0/1. */
const double *hs_dataset_numeric(const hsel_dataset *data, uint32_t feature, double *scratch);
/* One value of a feature of whatever type: a number, the code of a nominal value, 0 or 1; NaN =
 * missing. O(1), but O(log n) in a sparse column. */
double hs_dataset_value(const hsel_dataset *data, uint32_t feature, uint32_t instance);
/* The same as a text: the name of a nominal value, or a number in number[32]; NULL = missing. */
const char *hs_dataset_text(const hsel_dataset *data, uint32_t feature, uint32_t instance,
                            char *number);
bool hs_dataset_all_binary(
    const hsel_dataset *data); /* by data->types, also before there are columns */
/* Bytes held, without the mapped file. */
size_t hs_dataset_bytes(const hsel_dataset *data);

/* Whether the class or the target of the instance is known. */
static inline bool hs_has_label(const hsel_dataset *data, uint32_t instance)
{
    return data->target ? !isnan(data->target[instance])
                        : data->class_of && data->class_of[instance] != HSEL_NONE;
}

static inline bool hs_is_covariate(const hsel_dataset *data, uint32_t feature)
{
    return data->covariates && (data->covariates[feature / 64] >> feature % 64 & 1);
}

static inline const uint32_t *hs_row(const hsel_dataset *data, uint32_t instance, size_t *count)
{
    return hs_sparse_list(&data->rows, instance, count);
}

static inline const uint32_t *hs_column(const hsel_dataset *data, uint32_t feature, size_t *count)
{
    return hs_sparse_list(&data->columns, feature, count);
}

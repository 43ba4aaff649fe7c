/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes a data set row by row. Declare features and classes (before or between rows), then for each
 * instance hs_builder_row and its values. hs_builder_finish sorts, checks and freezes.
 */
#pragma once

#include "core/mem.h"
#include "data/dataset.h"

typedef struct hs_builder hs_builder;

HSEL_CHECKED int hs_builder_new(hs_builder **out, hsel_error *error);
void hs_builder_free(hs_builder *builder);
HS_RELEASE(hs_builder_release, hs_builder, hs_builder_free)

/* A new feature; HSEL_EFORMAT if the name is taken (the message names it; callers add file and
 * line). */
HSEL_CHECKED int hs_builder_feature(hs_builder *builder, const char *name, size_t length,
                                    hsel_feature_type type, uint32_t *id, hsel_error *error);
/* Changes the type of a feature that has no values yet, or of a binary one that turns out to be
 * numeric (its positives become 1). */
HSEL_CHECKED int hs_builder_retype(hs_builder *builder, uint32_t feature, hsel_feature_type type,
                                   hsel_error *error);
/* Number of a nominal feature's value, added if it is new. */
HSEL_CHECKED int hs_builder_value(hs_builder *builder, uint32_t feature, const char *text,
                                  size_t length, uint32_t *code, hsel_error *error);
/* Number of a class, added if it is new. */
HSEL_CHECKED int hs_builder_class(hs_builder *builder, const char *label, size_t length,
                                  uint32_t *code, hsel_error *error);
/* These binary features and these classes, in their order: for data that take the shape of others.
 */
HSEL_CHECKED int hs_builder_declare(hs_builder *builder, const hs_names *features,
                                    const hs_names *classes, hsel_error *error);
/* The features, their types and nominal values, and the classes of `shape`. */
HSEL_CHECKED int hs_builder_declare_like(hs_builder *builder, const hsel_dataset *shape,
                                         hsel_error *error);
/* Classes found in order of appearance are renumbered on finish: ascending as numbers if all are
 * numbers, else by bytes. For formats that declare no order. */
void hs_builder_sort_classes(hs_builder *builder);
HSEL_CHECKED int hs_classes_order(hsel_dataset *data, hsel_error *error); /* the same, at once */

/* Starts an instance. id NULL: none (all instances have one, or none has). label HSEL_NONE: class
 * not known. */
HSEL_CHECKED int hs_builder_row(hs_builder *builder, const char *id, size_t id_length,
                                uint32_t label, hsel_error *error);
/* Its identifier and its class, where these are found among its values. */
HSEL_CHECKED int hs_builder_id(hs_builder *builder, const char *id, size_t length,
                               hsel_error *error);
void hs_builder_label(hs_builder *builder, uint32_t label);
/* Values of the current instance, in any order of features. A binary feature given twice counts
 * once; a numeric or nominal one given twice is an error on finish. What is not given is 0
 * (numeric), missing (nominal). */
HSEL_CHECKED int hs_builder_positive(hs_builder *builder, uint32_t feature, hsel_error *error);
HSEL_CHECKED int hs_builder_numeric(hs_builder *builder, uint32_t feature, double value,
                                    hsel_error *error);
HSEL_CHECKED int hs_builder_nominal(hs_builder *builder, uint32_t feature, uint32_t code,
                                    hsel_error *error);

/* What there is so far: instances, features, types, names. No rows, no columns. */
const hsel_dataset *hs_builder_data(const hs_builder *builder);

/* Names for writers, optional. */
HSEL_CHECKED int hs_builder_describe(hs_builder *builder, const char *name,
                                     const char *class_attribute, const char *id_attribute,
                                     hsel_error *error);
/* The positive class by its label; HSEL_EUSAGE when there is none of that label. Default:
 * hs_positive_rule. */
HSEL_CHECKED int hs_builder_positive_class(hs_builder *builder, const char *label,
                                           hsel_error *error);

/* The data set, without hierarchy. The builder is emptied and can only be freed. */
HSEL_CHECKED int hs_builder_finish(hs_builder *builder, hsel_dataset **out, hsel_error *error);

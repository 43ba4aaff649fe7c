/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Instances without class, and further classes.
 *
 * An instance without class (class_of HSEL_NONE) is to be predicted: it is not used for training or
 * evaluation. If no instance has a class, methods that need no classes use all of them.
 *
 * A data set may have several classes of its instances (longevity, essentiality …). One is current,
 * in class_of and class_names; the others are columns of instance_about called "class:NAME", with
 * an empty text for instances without that class, so all code that copies those columns copies
 * them.
 */
#pragma once

#include "data/counts.h"
#include "data/dataset.h"

#define HS_CLASS_COLUMN "class:"

/* ---- instances without class ---- */

/* Their number if other instances have a class; 0 if none has. */
uint32_t hs_unlabelled(const hsel_dataset *data);
/* The instances to learn from: those with a class, or all if none has one. *rows, which the view
 * uses, is NULL (all of them) or is freed with hs_free. */
HSEL_CHECKED int hs_view_labelled(const hsel_dataset *data, uint32_t **rows, hs_view *view,
                                  hsel_error *error);
/* Removes those without class from *data, which becomes a new data set if there are any; *left (may
 * be NULL) is their number. */
HSEL_CHECKED int hs_keep_labelled(hsel_dataset **data, uint32_t *left, hsel_error *error);

/* Whether the classes are many numbers, and so probably a numeric target. */
bool hs_classes_are_numbers(const hsel_dataset *data);

/* ---- further classes ---- */

bool hs_is_class_column(const char *name); /* "class:NAME" */
/* The name of a further class if the column of instance_about is one, else NULL. */
const char *hs_class_of_column(const hs_about *about, uint32_t column);
/* Makes a further class, or another column of instance_about, the current one; the previous one
 * becomes a further class. Its classes come in order (numbers as such, else bytes). HSEL_EUSAGE if
 * there is no such column. */
HSEL_CHECKED int hs_class_use(hsel_dataset *data, const char *name, hsel_error *error);

/* ---- columns by name ---- */

/* Where the instances have a column of a name: in a feature, else in a column of instance_about (a
 * further class, else any other). HSEL_NONE: not there. The index of the features' names must be
 * up to date. */
typedef struct hs_place {
    uint32_t feature, column;
} hs_place;

hs_place hs_place_of(const hsel_dataset *data, const char *name);
#define HS_NEAR_ROOM 240
/* "; did you mean NAME?" with the most similar name of such a column, or ""; in `out`. */
const char *hs_place_near(const hsel_dataset *data, const char *name, char out[HS_NEAR_ROOM]);
/* The same, for the block that it is in. */
#define HS_PLACE_NEAR(data, name) hs_place_near((data), (name), (char[HS_NEAR_ROOM]){""})

/* ---- the positive class ---- */

/* Why a class is the positive one. */
typedef enum hs_positive_by {
    HS_POSITIVE_NAMED,   /* the data or an option say so */
    HS_POSITIVE_WORD,    /* by its label: 1 against 0 or -1, yes against no … */
    HS_POSITIVE_SMALLER, /* it has fewer instances */
    HS_POSITIVE_SECOND   /* both have equally many; or there are more than two, where it has no
                            meaning */
} hs_positive_by;

/* The rule if none is given: by label, else the smaller one, else the second. */
hs_positive_by hs_positive_rule(const hs_names *names, const uint32_t *sizes, uint32_t *positive);
/* Why `positive` is the positive class. */
hs_positive_by hs_positive_why(const hs_names *names, const uint32_t *sizes, uint32_t positive,
                               bool named);
/* Gives data with classes their positive class by the rule. */
void hs_positive_choose(hsel_dataset *data);
/* The positive class by its label. HSEL_EUSAGE if there is none. */
HSEL_CHECKED int hs_class_set_positive(hsel_dataset *data, const char *label, hsel_error *error);

/* ---- positives and unlabelled instances ---- */

#define HS_PU_CLASS "unlabelled"
/* Whether one of two classes is positive and the other one is called "unlabelled": its instances
 * may be of either class. */
bool hs_are_pu(const hs_names *classes, uint32_t positive);
static inline bool hs_is_pu(const hsel_dataset *data)
{
    return hs_are_pu(&data->class_names, data->positive_class);
}
/* Makes every instance that is not of the positive class unlabelled, also those without class.
 * named: an option names the positive class. HSEL_EUSAGE: it cannot be decided. */
HSEL_CHECKED int hs_class_pu(hsel_dataset *data, bool named, hsel_error *error);

/* ---- a numeric target ---- */

/* Makes a number the target and the classes further classes: a feature of that name, which is then
 * not a feature, else a column of instance_about, else the class itself. HSEL_EUSAGE: there is none
 * of that name (unless it is optional), or it has other values. *data may be another data set
 * afterwards. */
HSEL_CHECKED int hs_target_use(hsel_dataset **data, const char *name, bool optional,
                               hsel_error *error);
/* Gives `to`, whose first features are those of `from`, its covariates, and a target with unknown
 * values if `from` has one. */
HSEL_CHECKED int hs_dataset_copy_target(const hsel_dataset *from, hsel_dataset *to,
                                        hsel_error *error);

/* ---- covariates ---- */

/* Makes a feature, or a column of instance_about, which becomes a feature, a covariate. A column is
 * numeric if all its texts are numbers. HSEL_EUSAGE: there is none of that name, or it is in the
 * hierarchy. *data may be another data set afterwards. */
HSEL_CHECKED int hs_covariate_add(hsel_dataset **data, const char *name, hsel_error *error);
/* The features that selectors may use: a bit set of all features except the covariates, to be freed
 * with hs_free; NULL if there are no covariates. */
HSEL_CHECKED int hs_candidates_new(const hsel_dataset *data, uint64_t **out, hsel_error *error);
/* Adds the covariates to what a selector chose. */
void hs_covariates_keep(const hsel_dataset *data, uint64_t *mask);

/* For tables, in which a further class is a column like others: a new data set in which further
 * classes are nominal features after the others (without hierarchy and texts for people), and back.
 * *out stays NULL if there are none. */
HSEL_CHECKED int hs_classes_to_features(const hsel_dataset *data, hsel_dataset **out,
                                        hsel_error *error);
HSEL_CHECKED int hs_classes_from_features(const hsel_dataset *data, hsel_dataset **out,
                                          hsel_error *error);

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What train, predict, explain and select share: data brought into the form of the training data,
 * showing a model as a whole, and the features selected for an instance.
 */
#ifndef HS_CLI_MODELS_H
#define HS_CLI_MODELS_H

#include "cli/cli.h"
#include "evaluate/model.h"

typedef struct hs_predict_options {
    int features; /* 0: exact, 1: intersect */
} hs_predict_options;

extern const hs_option hs_predict_table[]; /* over hs_predict_options */

/* Refuses options of loading that have no effect on data for a model, whose features, classes and
 * hierarchy are its own. */
HSEL_CHECKED int hs_refuse_like(const hs_load_options *load, hsel_error *error);
/* Loads data in the form of `shape` (what a selector learned from): its class column is used where
 * there is one, features are matched by name, its hierarchy is the hierarchy (also for
 * --propagate), and the true-path rule must hold if the selector is lazy and relies on it. */
HSEL_CHECKED int hs_load_like(const hs_call *call, const char *path, const hs_load_options *load,
                              const hs_predict_options *options, const hsel_dataset *shape,
                              const hs_method *selector, hsel_dataset **out, hsel_error *error);

/* What the model learned as a whole, on standard output as text or JSON; with `dot`, first as a
 * drawing to that file, "-" in place of the rest. A classifier that has nothing to show is
 * mentioned in one line; HSEL_EUNSUPPORTED when it has no drawing. */
HSEL_CHECKED int hs_show_model(const hs_model *model, const char *dot, bool json,
                               hsel_error *error);

/* The identifier of an instance, or else its number from 1. */
void hs_put_instance(hs_writer *out, const hsel_dataset *data, uint32_t instance);
/* The features selected for it, with their values: tab-separated, or as members of JSON. */
void hs_put_features(hs_writer *out, hs_json *json, const hsel_dataset *data, uint32_t instance,
                     const hs_selection *selection);

#endif

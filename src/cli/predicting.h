/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What select, predict and explain share: data brought into the form of the training data.
 */
#ifndef HS_CLI_PREDICTING_H
#define HS_CLI_PREDICTING_H

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

#endif

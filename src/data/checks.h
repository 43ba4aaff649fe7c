/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks whether methods suit the data and each other, by the flags of the methods. Fails with a
 * one-line message if not.
 */
#pragma once

#include "core/arena.h"
#include "core/method.h"
#include "data/dataset.h"

/* All checks: can these methods learn from these data, and be combined? classifier may be NULL. */
HSEL_CHECKED int hs_check_methods(const hsel_dataset *data, const hs_method *selector,
                                  const hs_method *classifier, bool allow_violations,
                                  hsel_error *error);
/* HSEL_EUSAGE for data whose target is a number: `what` ("a study") is for classes. */
HSEL_CHECKED int hs_check_classes(const hsel_dataset *data, const char *what, hsel_error *error);
/* Its parts: types and numbers of features and classes; with the hierarchy, all checks of a method
 * within another; all checks of a single method; the combination of the two, whatever the data; …
 */
HSEL_CHECKED int hs_check_shape(const hsel_dataset *data, const hs_method *method,
                                hsel_error *error);
HSEL_CHECKED int hs_check_within(const hsel_dataset *data, const hs_method *method,
                                 hsel_error *error);
/* Can the classifier learn from weighted instances? */
HSEL_CHECKED int hs_check_weighs(const hs_method *classifier, hsel_error *error);
HSEL_CHECKED int hs_check_method(const hsel_dataset *data, const hs_method *method,
                                 hsel_error *error);
HSEL_CHECKED int hs_check_pair(const hs_method *selector, const hs_method *classifier,
                               hsel_error *error);
/* … and the check that also applies to instances to be predicted: do they satisfy the true-path
 * rule, if the selector relies on it? Lazy selectors over a hierarchy always do; eager ones unless
 * `allow_violations`. */
HSEL_CHECKED int hs_check_rule(const hsel_dataset *data, const hs_method *selector,
                               bool allow_violations, hsel_error *error);
/* Every selector with every classifier: why[selector * classifier_count + classifier] becomes NULL,
 * or the reason why the pair does not suit the data, in the arena; a reason that one method alone
 * gives is the same pointer in all its pairs. data may be NULL: then only the combinations are
 * checked. Fails, with the first reason, if no pair remains. */
HSEL_CHECKED int hs_check_pairs(const hsel_dataset *data, const hs_chosen *selectors,
                                size_t selector_count, const hs_chosen *classifiers,
                                size_t classifier_count, bool allow_violations, hs_arena *arena,
                                const char **why, hsel_error *error);

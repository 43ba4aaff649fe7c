/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Before any work: do the methods fit the data and each other? And after it: how stable were the
 * selections?
 */
#include <math.h>

#include "data/bits.h"
#include "data/transform.h"
#include "evaluate/crossval.h"

int hs_check_rule(const hsel_dataset *data, const hs_method *selector, bool allow_violations,
                  hsel_error *error)
{
    bool lazy = selector->flags & HS_LAZY; /* cannot work otherwise */
    hs_truepath rule;
    if (!(selector->flags & HS_NEEDS_HIERARCHY) || (allow_violations && !lazy))
        return HSEL_OK;
    HS_TRY(hs_truepath_check(data, &rule, error));
    if (rule.cells == 0)
        return HSEL_OK;
    return hs_fail(error, HSEL_EFORMAT,
                   "%s needs data that keep the true-path rule: in instance %u of %s, %.200s is "
                   "positive and its parent "
                   "%.200s is not (%llu such case%s); repair with --propagate%s",
                   selector->name, rule.instance + 1, hsel_dataset_name(data),
                   hsel_dataset_feature_name(data, rule.child),
                   hsel_dataset_feature_name(data, rule.parent), (unsigned long long)rule.cells,
                   rule.cells == 1 ? "" : "s", lazy ? "" : ", or insist with --allow-violations");
}

static int check_classes(const hsel_dataset *data, const hs_method *method, hsel_error *error)
{
    uint32_t classes = data->class_names.count, first = HSEL_NONE;
    if (classes < 2)
        return hs_fail(error, HSEL_EUSAGE, "%s needs two classes or more, and %s has %u",
                       method->name, hsel_dataset_name(data), classes);
    for (uint32_t i = 0; i < data->instances; i++) {
        uint32_t label = data->class_of[i];
        if (label != HSEL_NONE && first != HSEL_NONE && label != first)
            return HSEL_OK;
        first = label == HSEL_NONE ? first : label;
    }
    if (first == HSEL_NONE)
        return hs_fail(error, HSEL_EUSAGE,
                       "%s needs two classes or more, and no instance of %s has a class",
                       method->name, hsel_dataset_name(data));
    return hs_fail(error, HSEL_EUSAGE,
                   "%s needs two classes or more, and every instance of %s is of class %.200s",
                   method->name, hsel_dataset_name(data), hsel_dataset_class_name(data, first));
}

int hs_check_method(const hsel_dataset *data, const hs_method *method, hsel_error *error)
{
    if (data->instances == 0)
        return hs_fail(error, HSEL_EUSAGE, "%s has no instances", hsel_dataset_name(data));
    if ((method->flags & HS_NEEDS_HIERARCHY) && !data->dag)
        return hs_fail(error, HSEL_EUSAGE,
                       "%s needs a hierarchy, and %s has none: give --hierarchy FILE", method->name,
                       hsel_dataset_name(data));
    if (method->flags & HS_NEEDS_CLASSES)
        HS_TRY(check_classes(data, method, error));
    if ((method->flags & HS_TWO_CLASSES_ONLY) && data->class_names.count != 2)
        return hs_fail(error, HSEL_EUSAGE, "%s is for two classes, and %s has %u", method->name,
                       hsel_dataset_name(data), data->class_names.count);
    for (uint32_t f = 0; f < data->features && !(method->flags & HS_ANY_FEATURES); f++)
        if (data->types[f] != HSEL_BINARY)
            return hs_fail(error, HSEL_EUNSUPPORTED,
                           "%s needs binary features, and feature %.200s of %s is %s: --ignore "
                           "leaves features out",
                           method->name, hsel_dataset_feature_name(data, f),
                           hsel_dataset_name(data),
                           data->types[f] == HSEL_NUMERIC ? "numeric" : "nominal");
    return HSEL_OK;
}

int hs_check_pair(const hs_method *selector, const hs_method *classifier, hsel_error *error)
{
    if (!(selector->flags & HS_LAZY) || (classifier->flags & HS_PREDICTS_ON_MASK))
        return HSEL_OK;
    return hs_fail(error, HSEL_EUNSUPPORTED,
                   "%s selects features anew for each instance, and %s cannot predict on a part of "
                   "its features",
                   selector->name, classifier->name);
}

int hs_check_methods(const hsel_dataset *data, const hs_method *selector,
                     const hs_method *classifier, bool allow_violations, hsel_error *error)
{
    if (classifier)
        HS_TRY(hs_check_method(data, classifier, error));
    HS_TRY(hs_check_method(data, selector, error));
    if (classifier)
        HS_TRY(hs_check_pair(selector, classifier, error));
    return hs_check_rule(data, selector, allow_violations, error);
}

/* Correlation of two sets of sizes a and b with r features in common, of d in all: Kuncheva's index
 * when a = b. */
static double chance_corrected(double r, double a, double b, double d)
{
    if (d == 0)
        return 1;
    double spread = sqrt(a * (1 - a / d) * b * (1 - b / d));
    if (spread == 0)
        return a == b ? 1 : 0;
    return (r - a * b / d) / spread;
}

hs_stability hs_stability_of(const uint64_t *masks, size_t words, uint32_t folds, uint32_t features)
{
    double kuncheva = 0, jaccard = 0;
    uint64_t pairs = 0;
    for (uint32_t i = 0; i < folds; i++) {
        const uint64_t *x = masks + i * words;
        double a = (double)hs_bits_count(x, words);
        for (uint32_t j = i + 1; j < folds; j++, pairs++) {
            const uint64_t *y = masks + j * words;
            double b = (double)hs_bits_count(y, words);
            double both = (double)hs_bits_count_and(x, y, words);
            kuncheva += chance_corrected(both, a, b, features);
            jaccard += a + b > 0 ? both / (a + b - both) : 1;
        }
    }
    if (pairs == 0)
        return (hs_stability){NAN, NAN};
    return (hs_stability){kuncheva / (double)pairs, jaccard / (double)pairs};
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether methods suit the data and each other.
 */
#include "data/data.h"

int hs_check_classes(const hsel_dataset *data, const char *what, hsel_error *error)
{
    return !data->target
               ? HSEL_OK
               : hs_fail(error, HSEL_EUSAGE, "%s is for classes, but the target of %s is a number",
                         what, hsel_dataset_name(data));
}

int hs_check_shape(const hsel_dataset *data, const hs_method *method, hsel_error *error)
{
    uint32_t classes = data->class_names.count;
    bool needs = method->flags & HS_NEEDS_CLASSES;
    if (data->target && needs && !(method->flags & HS_NUMERIC_TARGET)) {
        HS_OWNS(hs_buf_clear) hs_buf able = {0};
        for (size_t i = 0; i < hs_method_count(); i++) {
            const hs_method *other = hs_method_at(i);
            if (other->kind == method->kind &&
                ((other->flags & HS_NUMERIC_TARGET) || !(other->flags & HS_NEEDS_CLASSES)))
                hs_buf_printf(&able, "%s%s", able.length ? ", " : "", other->name);
        }
        HS_NEED(!able.failed);
        return hs_fail(
            error, HSEL_EUSAGE,
            "%s is for classes, but the target of %s, %.200s, is a number; %s for numbers: %s",
            method->name, hsel_dataset_name(data),
            data->class_attribute ? data->class_attribute : "target", hs_kind_plural(method->kind),
            able.length ? able.text : "none");
    }
    if (needs && data->target)
        classes = 2; /* no requirements for these */
    if ((method->flags & HS_NEEDS_CLASSES) && classes < 2)
        return hs_fail(error, HSEL_EUSAGE, "%s needs two classes or more, but %s has %u",
                       method->name, hsel_dataset_name(data), classes);
    if ((method->flags & HS_TWO_CLASSES_ONLY) && classes != 2)
        return hs_fail(error, HSEL_EUSAGE, "%s is for two classes, but %s has %u", method->name,
                       hsel_dataset_name(data), classes);
    for (uint32_t f = 0; f < data->features && !(method->flags & HS_ANY_FEATURES); f++)
        if (data->types[f] != HSEL_BINARY &&
            !(method->kind == HS_SELECTOR && hs_is_covariate(data, f)))
            return hs_because(
                HSEL_NOT_BINARY, error,
                hs_fail(error, HSEL_EUNSUPPORTED,
                        "%s needs binary features, but feature %.200s of %s is %s: {leave-out}",
                        method->name, hsel_dataset_feature_name(data, f), hsel_dataset_name(data),
                        data->types[f] == HSEL_NUMERIC ? "numeric" : "nominal"));
    return HSEL_OK;
}

int hs_check_within(const hsel_dataset *data, const hs_method *method, hsel_error *error)
{
    if ((method->flags & HS_NEEDS_HIERARCHY) && !data->dag)
        return hs_because(HSEL_NO_HIERARCHY, error,
                          hs_fail(error, HSEL_EUSAGE,
                                  "%s needs a hierarchy, but %s has none: give {hierarchy=FILE}",
                                  method->name, hsel_dataset_name(data)));
    return hs_check_shape(data, method, error);
}

int hs_check_weighs(const hs_method *method, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf list = {0};
    if (method->flags & HS_WEIGHS_INSTANCES)
        return HSEL_OK;
    for (size_t i = 0; i < hs_method_count(); i++)
        if (hs_method_at(i)->flags & HS_WEIGHS_INSTANCES)
            hs_buf_printf(&list, "%s%s", list.length ? ", " : "", hs_method_at(i)->name);
    HS_NEED(!list.failed);
    return hs_fail(error, HSEL_EUNSUPPORTED,
                   "%s cannot learn from weighted instances; these can: %s", method->name,
                   list.text);
}

int hs_check_method(const hsel_dataset *data, const hs_method *method, hsel_error *error)
{
    const char *name = hsel_dataset_name(data);
    uint32_t first = HSEL_NONE, second = HSEL_NONE;
    if (data->instances == 0)
        return hs_fail(error, HSEL_EUSAGE, "%s has no instances", name);
    HS_TRY(hs_check_within(data, method, error));
    if (method->kind == HS_CLASSIFIER && hs_has_role(data, HS_ABOUT_WEIGHT))
        HS_TRY(hs_check_weighs(method, error));
    if ((method->flags & HS_LAZY) && data->covariates)
        return hs_fail(error, HSEL_EUNSUPPORTED,
                       "%s selects features for each instance separately and cannot keep the "
                       "covariates of %s; use an eager selector such as shsel",
                       method->name, name);
    if (!(method->flags & HS_NEEDS_CLASSES))
        return HSEL_OK;
    if (data->target && hs_unlabelled(data) == 0 && !hs_has_label(data, 0))
        return hs_fail(error, HSEL_EUSAGE,
                       "%s needs a numeric target to learn from, but no instance of %s has one",
                       method->name, name);
    if (data->target)
        return HSEL_OK;
    for (uint32_t i = 0; i < data->instances && second == HSEL_NONE; i++)
        if (first == HSEL_NONE)
            first = data->class_of[i];
        else if (data->class_of[i] != first)
            second = data->class_of[i];
    if (first == HSEL_NONE)
        return hs_fail(error, HSEL_EUSAGE,
                       "%s needs two classes or more, but no instance of %s has a class",
                       method->name, name);
    if (second == HSEL_NONE)
        return hs_fail(error, HSEL_EUSAGE,
                       "%s needs two classes or more, but every instance of %s is of class %.200s",
                       method->name, name, hsel_dataset_class_name(data, first));
    return HSEL_OK;
}

int hs_check_pair(const hs_method *selector, const hs_method *classifier, hsel_error *error)
{
    if (!(selector->flags & HS_LAZY) || (classifier->flags & HS_PREDICTS_ON_MASK))
        return HSEL_OK;
    return hs_because(
        HSEL_EAGER_CLASSIFIER, error,
        hs_fail(error, HSEL_EUNSUPPORTED,
                "%s selects features for each instance separately, but %s cannot predict with part "
                "of its features: use nb or knn,{relearn} or an eager selector such as shsel",
                selector->name, classifier->name));
}

#define BRACKETS_ROOM (HS_LABEL_ROOM + 3)

/* " (regulation of cell cycle)", if the feature has a label. */
static const char *in_brackets(const hsel_dataset *data, uint32_t feature, char out[BRACKETS_ROOM])
{
    char label[HS_LABEL_ROOM];
    bool has = *hs_label_after(&data->about, feature, label);
    hs_print(out, BRACKETS_ROOM, "%s%s%s", has ? " (" : "", has ? label + 1 : "", has ? ")" : "");
    return out;
}

int hs_check_rule(const hsel_dataset *data, const hs_method *selector, bool allow_violations,
                  hsel_error *error)
{
    char labels[2][BRACKETS_ROOM];
    bool lazy = selector->flags & HS_LAZY; /* cannot work otherwise */
    hs_truepath rule;
    if (!(selector->flags & HS_NEEDS_HIERARCHY) || (allow_violations && !lazy))
        return HSEL_OK;
    HS_TRY(hs_truepath_check(data, &rule, error));
    if (rule.cells == 0)
        return HSEL_OK;
#define BROKEN                                                                                     \
    "%s needs data that satisfy the true-path rule: in instance %u of %s, %.200s%s is positive "   \
    "and "                                                                                         \
    "its parent %.200s%s is not (%llu such case%s); {repair}"
    return hs_because(HSEL_TRUE_PATH, error,
                      hs_fail(error, HSEL_EFORMAT, lazy ? BROKEN : BROKEN "{insist}",
                              selector->name, rule.instance + 1, hsel_dataset_name(data),
                              hsel_dataset_feature_name(data, rule.child),
                              in_brackets(data, rule.child, labels[0]),
                              hsel_dataset_feature_name(data, rule.parent),
                              in_brackets(data, rule.parent, labels[1]),
                              (unsigned long long)rule.cells, rule.cells == 1 ? "" : "s"));
#undef BROKEN
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

struct reason { /* why a check failed; all 0: it did not */
    const char *text;
    int status;
};

static int keep_reason(int status, const hsel_error *why, hs_arena *arena, struct reason *out,
                       hsel_error *error)
{
    HS_NEED(status != HSEL_ENOMEM);
    *out = (struct reason){.status = status};
    if (status)
        HS_NEED(out->text = hs_arena_text(arena, why->message, strlen(why->message)));
    return HSEL_OK;
}

int hs_check_pairs(const hsel_dataset *data, const hs_chosen *selectors, size_t selector_count,
                   const hs_chosen *classifiers, size_t classifier_count, bool allow_violations,
                   hs_arena *arena, const char **why, hsel_error *error)
{
    const size_t methods = selector_count + classifier_count;
    struct reason *own = hs_arena_zero(arena, methods, sizeof *own), first = {0};
    size_t fitting = 0;
    hsel_error said = {0};
    HS_NEED(own);
    for (size_t i = 0; data && i < methods; i++) {
        int status =
            i < selector_count
                ? hs_check_methods(data, selectors[i].method, NULL, allow_violations, &said)
                : hs_check_method(data, classifiers[i - selector_count].method, &said);
        HS_TRY(keep_reason(status, &said, arena, &own[i], error));
    }
    for (size_t i = 0; i < selector_count * classifier_count; i++) {
        const size_t s = i / classifier_count, c = i % classifier_count;
        struct reason reason;
        HS_TRY(keep_reason(hs_check_pair(selectors[s].method, classifiers[c].method, &said), &said,
                           arena, &reason, error));
        if (!reason.status)
            reason = own[selector_count + c].status ? own[selector_count + c] : own[s];
        first = i ? first : reason;
        why[i] = reason.text;
        fitting += !reason.status;
    }
    return fitting ? HSEL_OK : hs_fail(error, first.status, "%s", first.text);
}

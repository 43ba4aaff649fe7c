/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every method with its options as JSON. Texts are the registry's own, so nothing here needs to
 * change when a method is added.
 */
#include "learn/methods_json.h"

#include "format/format.h"

static int json_method(hs_json *json, const hs_method *method, hsel_error *error)
{
    static const char *const types[] = {
        [HS_OPT_BOOL] = "bool", [HS_OPT_INT] = "int",      [HS_OPT_U32] = "int",
        [HS_OPT_U64] = "int",   [HS_OPT_DOUBLE] = "float", [HS_OPT_TEXT] = "text",
        [HS_OPT_LIST] = "list", [HS_OPT_CHOICE] = "choice"};
    static const struct {
        unsigned flag;
        const char *name;
    } flags[] = {{HS_NEEDS_HIERARCHY, "needs-hierarchy"},
                 {HS_NEEDS_CLASSES, "needs-classes"},
                 {HS_TWO_CLASSES_ONLY, "two-classes-only"},
                 {HS_LAZY, "lazy"},
                 {HS_STOCHASTIC, "stochastic"},
                 {HS_PREDICTS_ON_MASK, "predicts-on-mask"},
                 {HS_ANY_FEATURES, "any-features"},
                 {HS_WEIGHS_INSTANCES, "weighs-instances"},
                 {HS_WITHIN_STRATA, "within-strata"},
                 {HS_NUMERIC_TARGET, "numeric-target"},
                 {HS_CUTS_TARGET, "cuts-target"}};
    hs_json_put(json, "{kind:%s name:%s title:%s help:%s citation:%s", hs_kind_name(method->kind),
                method->name, method->title, method->help, method->citation);
    if (method->kind == HS_FORMAT) {
        HS_OWNS(hs_buf_clear) hs_buf abilities = {0};
        hs_format_roles(method->format, &abilities);
        HS_NEED(!abilities.failed);
        hs_json_put(json, "abilities:%s endings:%s", abilities.text, method->format->endings);
    }
    hs_json_put(json, "flags:[");
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (method->flags & flags[i].flag)
            hs_json_text(json, flags[i].name);
    hs_json_put(json, "] options:[");
    for (const hs_option *o = method->options; o && o->type != HS_OPT_END; o++) {
        HS_OWNS(hs_buf_clear) hs_buf takes = {0};
        hs_option_describe(o, &takes);
        HS_NEED(!takes.failed);
        hs_json_put(json, "{name:%s type:%s default:%s %s:%s", o->name, types[o->type], o->fallback,
                    o->type == HS_OPT_CHOICE ? "choices" : "value", o->value);
        if (o->type >= HS_OPT_INT && o->type <= HS_OPT_DOUBLE)
            hs_json_put(json, "min:%g max:%g", o->min, o->max);
        if (o->sets)
            hs_json_put(json, "sets:%s", o->sets);
        hs_json_put(json, "takes:%s help:%s}", takes.text, o->help);
    }
    hs_json_put(json, "]}");
    return HSEL_OK;
}

int hs_methods_json(hs_writer *out, int only, hsel_error *error)
{
    hs_json json = {.out = out};
    hs_json_array(&json);
    for (size_t i = 0; i < hs_method_count(); i++)
        if (only < 0 || (int)hs_method_at(i)->kind == only)
            HS_TRY(json_method(&json, hs_method_at(i), error));
    hs_json_end_array(&json);
    return HSEL_OK;
}

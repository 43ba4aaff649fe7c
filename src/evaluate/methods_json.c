/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every method with its options as JSON. Texts are the registry's own, so nothing here needs to
 * change when a method is added.
 */
#include "evaluate/methods_json.h"

#include "core/json.h"
#include "core/mem.h"
#include "format/format.h"

static void put_text(hs_json *json, const char *key, const char *text)
{
    hs_json_key(json, key);
    hs_json_text(json, text);
}

static void json_option(hs_json *json, const hs_option *option)
{
    static const char *const types[] = {
        [HS_OPT_BOOL] = "bool", [HS_OPT_INT] = "int",      [HS_OPT_U32] = "int",
        [HS_OPT_U64] = "int",   [HS_OPT_DOUBLE] = "float", [HS_OPT_TEXT] = "text",
        [HS_OPT_LIST] = "list", [HS_OPT_CHOICE] = "choice"};
    bool number = option->type == HS_OPT_INT || option->type == HS_OPT_U32 ||
                  option->type == HS_OPT_U64 || option->type == HS_OPT_DOUBLE;
    hs_json_object(json);
    put_text(json, "name", option->name);
    put_text(json, "type", types[option->type]);
    put_text(json, "default", option->fallback);
    put_text(json, option->type == HS_OPT_CHOICE ? "choices" : "value", option->value);
    if (number) {
        hs_json_key(json, "min");
        hs_json_double(json, option->min);
        hs_json_key(json, "max");
        hs_json_double(json, option->max);
    }
    put_text(json, "help", option->help);
    hs_json_end_object(json);
}

static void json_flags(hs_json *json, unsigned flags)
{
    static const struct {
        unsigned flag;
        const char *name;
    } names[] = {{HS_NEEDS_HIERARCHY, "needs-hierarchy"},
                 {HS_NEEDS_CLASSES, "needs-classes"},
                 {HS_TWO_CLASSES_ONLY, "two-classes-only"},
                 {HS_LAZY, "lazy"},
                 {HS_STOCHASTIC, "stochastic"},
                 {HS_PREDICTS_ON_MASK, "predicts-on-mask"},
                 {HS_ANY_FEATURES, "any-features"}};
    hs_json_key(json, "flags");
    hs_json_array(json);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (flags & names[i].flag)
            hs_json_text(json, names[i].name);
    hs_json_end_array(json);
}

static int json_method(hs_json *json, const hs_method *method, hsel_error *error)
{
    hs_json_object(json);
    put_text(json, "kind", hs_kind_name(method->kind));
    put_text(json, "name", method->name);
    put_text(json, "title", method->title);
    put_text(json, "help", method->help);
    put_text(json, "citation", method->citation);
    if (method->kind == HS_FORMAT) {
        HS_OWNS(hs_buf_clear) hs_buf abilities = {0};
        hs_format_roles(method->format, &abilities);
        HS_NEED(!abilities.failed);
        put_text(json, "abilities", abilities.text);
        put_text(json, "endings", method->format->endings);
    }
    json_flags(json, method->flags);
    hs_json_key(json, "options");
    hs_json_array(json);
    for (const hs_option *o = method->options; o && o->type != HS_OPT_END; o++)
        json_option(json, o);
    hs_json_end_array(json);
    hs_json_end_object(json);
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

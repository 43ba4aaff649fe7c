/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every method with its options as JSON. Texts are the registry's own, so nothing here needs to
 * change when a method is added.
 */
#include "evaluate/methods_json.h"

#include "core/json.h"
#include "format/format.h"

static void json_option(hs_json *json, const hs_option *option)
{
    static const char *const types[] = {
        [HS_OPT_BOOL] = "bool", [HS_OPT_INT] = "int",      [HS_OPT_U32] = "int",
        [HS_OPT_U64] = "int",   [HS_OPT_DOUBLE] = "float", [HS_OPT_TEXT] = "text",
        [HS_OPT_LIST] = "list", [HS_OPT_CHOICE] = "choice"};
    bool number = option->type == HS_OPT_INT || option->type == HS_OPT_U32 ||
                  option->type == HS_OPT_U64 || option->type == HS_OPT_DOUBLE;
    hs_json_object(json);
    hs_json_key(json, "name");
    hs_json_text(json, option->name);
    hs_json_key(json, "type");
    hs_json_text(json, types[option->type]);
    hs_json_key(json, "default");
    hs_json_text(json, option->fallback);
    hs_json_key(json, option->type == HS_OPT_CHOICE ? "choices" : "value");
    hs_json_text(json, option->value);
    if (number) {
        hs_json_key(json, "min");
        hs_json_double(json, option->min);
        hs_json_key(json, "max");
        hs_json_double(json, option->max);
    }
    hs_json_key(json, "help");
    hs_json_text(json, option->help);
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

static int json_format(hs_json *json, const hs_format *format, hsel_error *error)
{
    hs_buf abilities = {0};
    hs_format_roles(format, &abilities);
    int status = abilities.failed ? hs_fail_memory(error) : HSEL_OK;
    hs_json_key(json, "abilities");
    hs_json_text(json, abilities.failed ? NULL : abilities.text);
    hs_json_key(json, "endings");
    hs_json_text(json, format->endings);
    hs_buf_clear(&abilities);
    return status;
}

static int json_method(hs_json *json, const hs_method *method, hsel_error *error)
{
    int status = HSEL_OK;
    const char *const pairs[][2] = {{"kind", hs_kind_name(method->kind)},
                                    {"name", method->name},
                                    {"title", method->title},
                                    {"help", method->help},
                                    {"citation", method->citation}};
    hs_json_object(json);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        hs_json_key(json, pairs[i][0]);
        hs_json_text(json, pairs[i][1]);
    }
    if (method->kind == HS_FORMAT)
        status = json_format(json, method->format, error);
    json_flags(json, method->flags);
    hs_json_key(json, "options");
    hs_json_array(json);
    for (const hs_option *o = method->options; o && o->type != HS_OPT_END; o++)
        json_option(json, o);
    hs_json_end_array(json);
    hs_json_end_object(json);
    return status;
}

int hs_methods_json(hs_writer *out, int only, hsel_error *error)
{
    hs_json json = {.out = out};
    int status = HSEL_OK;
    hs_json_array(&json);
    for (size_t i = 0; i < hs_method_count() && status == HSEL_OK; i++)
        if (only < 0 || (int)hs_method_at(i)->kind == only)
            status = json_method(&json, hs_method_at(i), error);
    hs_json_end_array(&json);
    return status;
}

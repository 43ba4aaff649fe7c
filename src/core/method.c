/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Looking methods up, and reading and writing "name:option=value,…". The table itself is in
 * methods.c.
 */
#include "core/method.h"

#include <string.h>

#include "core/mem.h"

static const char *const kind_names[HS_KINDS][2] = {
    [HS_SELECTOR] = {"selector", "selectors"},
    [HS_RANKER] = {"ranker", "rankers"},
    [HS_CLASSIFIER] = {"classifier", "classifiers"},
    [HS_MEASURE] = {"measure", "measures"},
    [HS_FORMAT] = {"format", "formats"},
    [HS_GENERATOR] = {"generator", "generators"},
    [HS_METRIC] = {"metric", "metrics"},
    [HS_STATISTIC] = {"statistic", "statistics"},
};

const char *hs_kind_name(hs_kind kind) { return kind_names[kind][0]; }

const char *hs_kind_plural(hs_kind kind) { return kind_names[kind][1]; }

bool hs_kind_has_methods(hs_kind kind)
{
    for (size_t i = 0; i < hs_method_count(); i++)
        if (hs_method_at(i)->kind == kind)
            return true;
    return false;
}

const hs_method *hs_method_find(hs_kind kind, const char *name, size_t length)
{
    for (size_t i = 0; i < hs_method_count(); i++) {
        const hs_method *method = hs_method_at(i);
        if (method->kind == kind && strlen(method->name) == length &&
            memcmp(method->name, name, length) == 0)
            return method;
    }
    return NULL;
}

static int unknown(hs_kind kind, const char *name, hsel_error *error)
{
    const char *words[256];
    hs_buf known = {0};
    size_t count = 0;
    for (size_t i = 0; i < hs_method_count() && count < 256; i++)
        if (hs_method_at(i)->kind == kind) {
            words[count++] = hs_method_at(i)->name;
            hs_buf_printf(&known, "%s%s", count > 1 ? ", " : "", hs_method_at(i)->name);
        }
    int nearest = hs_nearest(name, words, count), status;
    if (nearest >= 0)
        status = hs_fail(error, HSEL_EUSAGE, "there is no %s '%s'; did you mean '%s'?",
                         hs_kind_name(kind), name, words[nearest]);
    else
        status =
            hs_fail(error, HSEL_EUSAGE, "there is no %s '%s'; there are: %s", hs_kind_name(kind),
                    name, known.text && !known.failed ? known.text : "none");
    hs_buf_clear(&known);
    return status;
}

int hs_chosen_parse(hs_kind kind, const char *text, hs_chosen *out, hsel_error *error)
{
    size_t length = strcspn(text, ":");
    int status = HSEL_OK;
    *out = (hs_chosen){.method = hs_method_find(kind, text, length)};
    if (!out->method) {
        char name[64];
        size_t cut = length < sizeof name - 1 ? length : sizeof name - 1;
        memcpy(name, text, cut);
        name[cut] = '\0';
        return unknown(kind, name, error);
    }
    if (!(out->options = hs_arena_zero(&out->arena, 1, out->method->options_size)))
        status = hs_fail_memory(error);
    if (status == HSEL_OK)
        status = hs_options_defaults(out->method->options, out->options, &out->arena, error);
    if (status == HSEL_OK && text[length] == ':')
        status = hs_options_parse(out->method->options, out->options, text + length + 1,
                                  out->method->name, &out->arena, error);
    if (status == HSEL_OK && out->method->check)
        status = out->method->check(out->options, error);
    if (status)
        hs_chosen_clear(out);
    return status;
}

void hs_chosen_format(const hs_chosen *chosen, hs_buf *out)
{
    hs_buf options = {0};
    hs_buf_text(out, chosen->method->name);
    hs_options_format(chosen->method->options, chosen->options, &options);
    if (options.length)
        hs_buf_printf(out, ":%s", options.text);
    out->failed |= options.failed;
    hs_buf_clear(&options);
}

void hs_chosen_clear(hs_chosen *chosen)
{
    hs_arena_clear(&chosen->arena);
    *chosen = (hs_chosen){0};
}

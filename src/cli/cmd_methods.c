/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel methods: everything in the registry, for people and for programs.
 */
#include <string.h>

#include "cli/help.h"
#include "evaluate/methods_json.h"
#include "format/format.h"

struct options {
    const char *kind;
    bool json, markdown;
};

static const hs_option table[] = {
    HS_TEXT(struct options, kind, "kind", "KIND", NULL,
            "only methods of this kind, e.g. selector or format"),
    HS_FLAG(struct options, json, "json", "print JSON for programs, with every option"),
    HS_FLAG(struct options, markdown, "markdown", "print the reference page of the documentation"),
    HS_OPTION_END};

static int find_kind(const char *name, int *out, hsel_error *error)
{
    const char *words[HS_KINDS];
    *out = -1;
    for (int kind = 0; name && kind < HS_KINDS; kind++) {
        words[kind] = hs_kind_name((hs_kind)kind);
        if (strcmp(name, words[kind]) == 0 || strcmp(name, hs_kind_plural((hs_kind)kind)) == 0)
            *out = kind;
    }
    if (!name || *out >= 0)
        return HSEL_OK;
    int nearest = hs_nearest(name, words, HS_KINDS);
    return hs_fail(error, HSEL_EUSAGE, "there is no kind of method '%.80s'%s%s%s", name,
                   nearest >= 0 ? "; did you mean '" : "; see hsel methods",
                   nearest >= 0 ? words[nearest] : "", nearest >= 0 ? "'?" : "");
}

static void print_text(hs_writer *out, int only)
{
    bool first = true;
    for (int kind = 0; kind < HS_KINDS; kind++) {
        if ((only >= 0 && kind != only) || !hs_kind_has_methods((hs_kind)kind))
            continue;
        hs_writer_printf(out, "%s%c%s\n", first ? "" : "\n",
                         hs_kind_plural((hs_kind)kind)[0] - 'a' + 'A',
                         hs_kind_plural((hs_kind)kind) + 1);
        first = false;
        for (size_t i = 0; i < hs_method_count(); i++) {
            const hs_method *method = hs_method_at(i);
            hs_buf abilities = {0};
            if ((int)method->kind != kind)
                continue;
            if (method->kind == HS_FORMAT)
                hs_format_abilities(method->format, &abilities);
            hs_writer_printf(out, "  %-16s %s\n", method->name, method->title);
            if (abilities.length && !abilities.failed)
                hs_writer_printf(out, "  %-16s   %s\n", "", abilities.text);
            hs_buf_clear(&abilities);
        }
    }
    hs_writer_text(out, "\nhsel help NAME explains one.\n");
}

static int run(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    hs_writer *out = NULL;
    int kind, status = find_kind(options->kind, &kind, error);
    if (status == HSEL_OK)
        status = hs_writer_open("-", &out, error);
    if (status)
        return status;
    if (options->markdown)
        hs_write_methods_markdown(out);
    else if (options->json)
        status = hs_methods_json(out, kind, error);
    else
        print_text(out, kind);
    if (status == HSEL_OK)
        return hs_writer_commit(out, error);
    hs_writer_abandon(out);
    return status;
}

const hs_command hs_command_methods = {
    .name = "methods",
    .arguments = "",
    .summary = "list every method and format",
    .help = "Lists everything that can be named in a command: selectors, rankers, classifiers, "
            "measures, formats and generators. "
            "A method is written NAME or NAME:option=value,option=value, everywhere the same way.",
    .examples = "  hsel methods --kind format\n  hsel methods --json | jq '.[].name'\n",
    .groups = {{"Options", table, 0}},
    .size = sizeof(struct options),
    .no_limits = true,
    .run = run,
};

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel help: a command, a method or a format explained; man pages and completion for packagers.
 */
#include <string.h>

#include "cli/help.h"

struct options {
    bool man, completion;
};

static const hs_option table[] = {
    HS_FLAG(struct options, man, "man",
            "write a man page instead (of hsel, or of the command named)"),
    HS_FLAG(struct options, completion, "completion", "write the completion script for bash"),
    HS_OPTION_END};

static bool is_method(const char *name)
{
    for (size_t i = 0; i < hs_method_count(); i++)
        if (strcmp(hs_method_at(i)->name, name) == 0)
            return true;
    return false;
}

static int unknown(const char *name, hsel_error *error)
{
    const char *words[512];
    size_t count = 0;
    for (size_t i = 0; i < hs_command_count() && count < 512; i++)
        words[count++] = hs_command_at(i)->name;
    for (size_t i = 0; i < hs_method_count() && count < 512; i++)
        words[count++] = hs_method_at(i)->name;
    int nearest = hs_nearest(name, words, count);
    if (nearest >= 0)
        return hs_fail(error, HSEL_EUSAGE,
                       "there is no command, method or format '%.80s'; did you mean '%s'?", name,
                       words[nearest]);
    return hs_fail(error, HSEL_EUSAGE,
                   "there is no command, method or format '%.80s'; see hsel help and hsel methods",
                   name);
}

static int write_document(const hs_call *call, const hs_command *command, hsel_error *error)
{
    const struct options *options = call->values;
    hs_writer *out = NULL;
    int status = hs_writer_open("-", &out, error);
    if (status)
        return status;
    if (options->man)
        hs_write_man(out, command);
    else
        hs_write_bash_completion(out);
    return hs_writer_commit(out, error);
}

static int run(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    const char *name = call->count ? call->arguments[0] : NULL;
    const hs_command *command = name ? hs_command_find(name) : NULL;
    bool method = name && !command && is_method(name);
    if (name && !command && !method)
        return unknown(name, error);
    if (options->man && method)
        return hs_fail(error, HSEL_EUSAGE, "only commands have man pages; hsel help %s explains it",
                       name);
    if (options->man || options->completion)
        return write_document(call, command, error);
    if (command)
        return hs_print_command_help(command, error);
    return method ? hs_print_method_help(name, error) : hs_print_overview(error);
}

const hs_command hs_command_help = {
    .name = "help",
    .arguments = "[COMMAND|METHOD]",
    .summary = "explain a command, a method or a format",
    .help = "Without a name, lists the commands. With the name of a command, its options; with the "
            "name of a method or "
            "format (see hsel methods), what it does, its options and where it was published.",
    .examples = "  hsel help convert\n  hsel help ontology\n  hsel help --man info | man -l -\n"
                "  hsel help --completion > /etc/bash_completion.d/hsel\n",
    .at_most = 1,
    .takes_names = true,
    .groups = {{"Options", table, 0}},
    .size = sizeof(struct options),
    .no_limits = true,
    .run = run,
};

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command line: long options (--name value, --name=value), single letters (-o FILE), "--" ends
 * options, "-" is an argument. Everything about an option comes from its table.
 */
#include <stdalign.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

/* Options that many commands have; they stand behind the command's own. */
struct shared {
    hs_limits limits;
    bool csv_safe;
};

static const hs_option csv_table[] = {
    HS_FLAG(struct shared, csv_safe, "csv-safe",
            "put a single quote before each text of CSV and TSV that a spreadsheet could run: one "
            "that begins with = + - @ and is not a number"),
    HS_OPTION_END};

static size_t shared_offset(const hs_command *command)
{
    size_t unit = alignof(struct shared);
    return (command->size + unit - 1) / unit * unit;
}

bool hs_command_group(const hs_command *command, size_t index, hs_option_group *out)
{
    size_t own = 0;
    while (own < HS_GROUPS && command->groups[own].table)
        own++;
    if (index < own) {
        *out = command->groups[index];
        return true;
    }
    index += command->no_limits; /* the limits are passed over */
    bool limits = index == own;
    *out = (hs_option_group){limits ? "Limits of one input" : "Spreadsheets",
                             limits ? hs_limits_table : csv_table, shared_offset(command)};
    return limits || (index == own + 1 && command->writes_csv);
}

const hs_option *hs_command_option(const hs_command *command, const char *name, size_t length,
                                   char letter, size_t *offset)
{
    hs_option_group group;
    for (size_t g = 0; hs_command_group(command, g, &group); g++) {
        *offset = group.offset;
        if (name) {
            const hs_option *found = hs_option_find(group.table, name, length);
            if (found)
                return found;
            continue;
        }
        for (const hs_option *o = group.table; o->type != HS_OPT_END; o++)
            if (o->letter == letter)
                return o;
    }
    return NULL;
}

static int unknown_option(const hs_command *command, const char *given, hsel_error *error)
{
    const char *word = given;
    while (*word == '-')
        word++;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    hs_option_group group;
    for (size_t g = 0; hs_command_group(command, g, &group); g++) {
        const char *nearest = hs_option_nearest(group.table, name);
        if (nearest && given[1] == '-')
            return hs_fail(error, HSEL_EUSAGE, "%s has no option --%s; did you mean --%s?",
                           command->name, name, nearest);
    }
    return hs_fail(error, HSEL_EUSAGE, "%s has no option %.80s; see hsel help %s", command->name,
                   given, command->name);
}

/* One option at argv[*at]; takes its value from there or from the next argument. */
static int parse_option(const hs_command *command, char **argv, int argc, int *at, hs_call *call,
                        hsel_error *error)
{
    const char *given = argv[*at], *value = NULL;
    bool is_long = given[1] == '-';
    size_t offset, length = is_long ? strcspn(given + 2, "=") : 1;
    const hs_option *option = is_long ? hs_command_option(command, given + 2, length, 0, &offset)
                                      : hs_command_option(command, NULL, 0, given[1], &offset);
    if (!option)
        return unknown_option(command, given, error);
    if (is_long && given[2 + length] == '=')
        value = given + 3 + length;
    else if (!is_long && given[2] != '\0')
        value = given + 2;
    else if (option->type == HS_OPT_BOOL)
        value = "true";
    else if (*at + 1 < argc)
        value = argv[++*at];
    else
        return hs_fail(error, HSEL_EUSAGE, "option --%s needs a value: %s", option->name,
                       option->value ? option->value : "VALUE");
    return hs_option_set(option, (char *)call->values + offset, value, strlen(value), call->arena,
                         error);
}

static int count_arguments(const hs_command *command, const hs_call *call, hsel_error *error)
{
    if (call->count < command->at_least)
        return hs_fail(error, HSEL_EUSAGE, "%s needs %s; usage: hsel %s [options] %s",
                       command->name, command->arguments, command->name, command->arguments);
    if (command->at_most >= 0 && call->count > command->at_most)
        return hs_fail(error, HSEL_EUSAGE,
                       "%s does not know what to do with '%.200s'; usage: hsel %s [options] %s",
                       command->name, call->arguments[command->at_most], command->name,
                       command->arguments);
    return HSEL_OK;
}

static int set_defaults(const hs_command *command, hs_call *call, hsel_error *error)
{
    int status = HSEL_OK;
    hs_option_group group;
    for (size_t g = 0; hs_command_group(command, g, &group); g++)
        if (status == HSEL_OK)
            status = hs_options_defaults(group.table, (char *)call->values + group.offset,
                                         call->arena, error);
    return status;
}

int hs_parse_call(const hs_command *command, int argc, char **argv, hs_call *call, bool *wants_help,
                  hsel_error *error)
{
    bool options_ended = false;
    int status;
    *wants_help = false;
    call->command = command;
    call->values = hs_arena_zero(call->arena, 1, shared_offset(command) + sizeof(struct shared));
    call->arguments = HS_ARENA_NEW(call->arena, const char *, (size_t)argc + 1);
    if (!call->values || !call->arguments)
        return hs_fail_memory(error);
    if ((status = set_defaults(command, call, error)))
        return status;
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        if (!*word)
            return hs_fail(error, HSEL_EUSAGE, "an empty argument: %s takes %s", command->name,
                           command->arguments ? command->arguments : "no arguments");
        if (options_ended || word[0] != '-' || word[1] == '\0') {
            call->arguments[call->count++] = word;
        } else if (strcmp(word, "--") == 0) {
            options_ended = true;
        } else if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0) {
            *wants_help = true;
            return HSEL_OK;
        } else if (strcmp(word, "-q") == 0 || strcmp(word, "--quiet") == 0) {
            call->quiet = true;
        } else if ((status = parse_option(command, argv, argc, &i, call, error))) {
            return status;
        }
    }
    const struct shared *shared =
        (const struct shared *)((const char *)call->values + shared_offset(command));
    if (!command->no_limits)
        hs_limits_set(&shared->limits);
    call->csv_safe = shared->csv_safe;
    hs_writer_csv_safe(NULL, shared->csv_safe);
    if ((status = count_arguments(command, call, error)))
        return status;
    return hs_claim_call(call, error);
}

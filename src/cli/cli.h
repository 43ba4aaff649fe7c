/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a command is. One file cmd_NAME.c and one line in commands.def; parsing, help, man pages and
 * completion come from the option tables named here.
 */
#ifndef HS_CLI_CLI_H
#define HS_CLI_CLI_H

#include "core/option.h"
#include "core/writer.h"
#include "format/load.h"

#define HS_GROUPS 6

/* Options that belong together: a table over the struct that lies at `offset` in the command's
 * values. */
typedef struct hs_option_group {
    const char *title; /* heading in help, e.g. "Data" */
    const hs_option *table;
    size_t offset;
} hs_option_group;

typedef struct hs_call {
    const struct hs_command *command;
    void *values; /* the command's option struct, filled */
    const char **arguments;
    int count;
    hs_arena *arena;
    bool quiet; /* no notes */
} hs_call;

typedef struct hs_command {
    const char *name;
    const char *arguments;             /* usage: "DATA", "[NAME]" */
    const char *summary;               /* one line, for the list of commands */
    const char *help;                  /* what it does, as paragraphs */
    const char *examples;              /* lines "command\n  what it does" */
    int at_least, at_most;             /* number of arguments; at_most -1: any number */
    hs_option_group groups[HS_GROUPS]; /* up to the first without table */
    size_t size;                       /* of the option struct */
    int (*run)(const hs_call *call, hsel_error *error);
} hs_command;

size_t hs_command_count(void);
const hs_command *hs_command_at(size_t index);
const hs_command *hs_command_find(const char *name);

/* Parses argv (after the command's name) into the call. *wants_help: -h or --help was there. */
HSEL_CHECKED int hs_parse_call(const hs_command *command, int argc, char **argv, hs_call *call,
                               bool *wants_help, hsel_error *error);
/* The option of a command by name or letter (0: none), with the offset of its group. */
const hs_option *hs_command_option(const hs_command *command, const char *name, size_t length,
                                   char letter, size_t *offset);

/* Exit code for a status: 0; 2 for wrong usage; 1 for every other failure. */
int hs_exit_code(int status);

/* ---- printing, for every command ---- */

/* "note: …" on standard error, unless --quiet. */
void hs_note(const hs_call *call, const char *format, ...) HS_PRINTF(2, 3);
/* The same for hs_notes_tell; the context is the call. */
void hs_note_line(void *call, const char *line);
/* What loading met and did, as notes. */
void hs_note_load(const hs_call *call, const hsel_dataset *data, const hs_load_report *report);

/* Loads DATA with the options of the group and prints the notes. */
HSEL_CHECKED int hs_load_for(const hs_call *call, const char *path, const hs_load_options *options,
                             hsel_dataset **out, hsel_error *error);

#endif

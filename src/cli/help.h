/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Help for people, made from the tables: on the terminal, as man pages, as shell completion, as
 * Markdown.
 */
#ifndef HS_CLI_HELP_H
#define HS_CLI_HELP_H

#include "cli/cli.h"
#include "core/method.h"
#include "format/format.h"

/* Texts of hsel(1), the last two also of the overview: what it is, what DATA may be, commands to
 * begin with. */
extern const char hs_about_text[], hs_data_text[], hs_first_steps[];
/* Of the options that every command has. */
extern const char hs_quiet_help[], hs_help_help[];

HSEL_CHECKED int hs_print_overview(hsel_error *error);
HSEL_CHECKED int hs_print_command_help(const hs_command *command, hsel_error *error);
/* Every method of this name: methods of different kinds may have one. */
HSEL_CHECKED int hs_print_method_help(const char *name, hsel_error *error);

/* A whole man page; command NULL: hsel(1). */
void hs_write_man(hs_writer *out, const hs_command *command);
void hs_write_bash_completion(hs_writer *out);
/* Every method with its options and citation, for docs/methods.md. */
void hs_write_methods_markdown(hs_writer *out);

/* What a format can do, with the endings of its files. */
void hs_format_abilities(const hs_format *format, hs_buf *out);

/* Text broken at `width` columns, each line after `indent` blanks. Paragraphs are separated by
 * empty lines. */
void hs_write_wrapped(hs_writer *out, const char *text, int indent, int width);
/* "--folds N" and what it takes and its default, as help shows it. */
void hs_option_heading(const hs_option *option, const char *dashes, hs_buf *out);
void hs_option_explanation(const hs_option *option, hs_buf *out);

#endif

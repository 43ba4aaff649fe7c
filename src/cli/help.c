/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Help on the terminal.
 */
#include "cli/help.h"

#include <stdio.h>
#include <string.h>

#define WIDTH  100
#define COLUMN 30 /* where explanations begin */

void hs_write_wrapped(hs_writer *out, const char *text, int indent, int width)
{
    int at = 0;
    while (*text) {
        size_t blanks = strspn(text, " ");
        text += blanks;
        if (*text == '\n') {
            hs_writer_char(out, '\n');
            at = 0;
            text++;
            continue;
        }
        size_t length = strcspn(text, " \n");
        char word[512];
        snprintf(word, sizeof word, "%.*s", (int)(length < 500 ? length : 500), text);
        int columns = (int)hs_text_width(word);
        if (at > 0 && at + 1 + columns > width) {
            hs_writer_char(out, '\n');
            at = 0;
        }
        if (at == 0) {
            hs_writer_printf(out, "%*s", indent, "");
            at = indent;
        } else {
            hs_writer_char(out, ' ');
            at++;
        }
        hs_writer_put(out, text, length);
        at += columns;
        text += length;
    }
    hs_writer_char(out, '\n');
}

void hs_option_heading(const hs_option *option, const char *dashes, hs_buf *out)
{
    if (option->letter && dashes[0])
        hs_buf_printf(out, "-%c, ", option->letter);
    hs_buf_printf(out, "%s%s", dashes, option->name);
    if (option->type != HS_OPT_BOOL)
        hs_buf_printf(out, "%s%s", dashes[0] ? " " : "=", option->value ? option->value : "VALUE");
}

void hs_option_explanation(const hs_option *option, hs_buf *out)
{
    hs_buf takes = {0};
    hs_buf_text(out, option->help);
    bool number = option->type == HS_OPT_INT || option->type == HS_OPT_U32 ||
                  option->type == HS_OPT_U64 || option->type == HS_OPT_DOUBLE;
    bool has_default = option->fallback && option->type != HS_OPT_BOOL;
    if (number)
        hs_option_describe(option, &takes);
    if (number || has_default)
        hs_buf_printf(out, " (%s%s%s%s)", takes.text ? takes.text : "",
                      number && has_default ? "; " : "", has_default ? "default: " : "",
                      has_default ? option->fallback : "");
    out->failed |= takes.failed;
    hs_buf_clear(&takes);
}

static void write_entry(hs_writer *out, const char *heading, const char *explanation)
{
    hs_buf folded = {0};
    size_t width = hs_text_width(heading);
    hs_writer_printf(out, "  %s", heading);
    if (width + 3 > COLUMN)
        hs_writer_char(out, '\n');
    else
        hs_writer_printf(out, "%*s", (int)(COLUMN - 2 - width), "");
    hs_buf_text(&folded, explanation);
    /* The first line goes on behind the heading, the others stand below it. */
    hs_buf lines = {0};
    hs_writer *memory = NULL;
    if (!folded.failed && hs_writer_open_memory(&lines, &memory, NULL) == HSEL_OK) {
        hs_write_wrapped(memory, folded.text, COLUMN, WIDTH);
        if (hs_writer_commit(memory, NULL) == HSEL_OK && lines.text)
            hs_writer_text(out, width + 3 > COLUMN ? lines.text : lines.text + COLUMN);
    }
    hs_buf_clear(&lines);
    hs_buf_clear(&folded);
}

static void write_options(hs_writer *out, const hs_option *table, const char *dashes)
{
    for (const hs_option *o = table; o && o->type != HS_OPT_END; o++) {
        hs_buf heading = {0}, explanation = {0};
        hs_option_heading(o, dashes, &heading);
        hs_option_explanation(o, &explanation);
        if (!heading.failed && !explanation.failed)
            write_entry(out, heading.text, explanation.text);
        hs_buf_clear(&heading);
        hs_buf_clear(&explanation);
    }
}

const char hs_about_text[] = "hsel is for data whose binary features stand in an IS-A hierarchy, "
                             "such as genes annotated with Gene Ontology terms: "
                             "for reading, checking, preparing, building, generating and "
                             "converting such data, and for choosing features and "
                             "classifying by means of the hierarchy.";
const char hs_data_text[] = "DATA is a data file (ARFF, CSV, TSV, SVMlight, Matrix Market), a pack "
                            "(.hsel), a folder that holds data.* and "
                            "perhaps hierarchy.* and meta.json, or a hierarchy alone (OBO, RDF, "
                            "edge list ...). A dash (-) is standard input. "
                            "Files may be compressed with gzip.";
const char hs_first_steps[] =
    "  hsel generate ontology -o first/     make a data set with a hierarchy\n"
    "  hsel info first/                     look at it\n"
    "  hsel check first/                    see whether it holds what it promises\n";
const char hs_quiet_help[] = "no notes on standard error; errors are still shown";
const char hs_help_help[] = "this text";

void hs_format_abilities(const hs_format *format, hs_buf *out)
{
    hs_format_roles(format, out);
    for (const char *word = format->endings; *word;) {
        size_t length = strcspn(word, " ");
        hs_buf_printf(out, "%s.%.*s", word == format->endings ? "; files end in " : " or ",
                      (int)length, word);
        word += length + (word[length] == ' ');
    }
}

int hs_print_overview(hsel_error *error)
{
    hs_writer *out = NULL;
    int status = hs_writer_open("-", &out, error);
    if (status)
        return status;
    hs_writer_text(
        out,
        "hsel: feature selection and classification when features stand in an IS-A hierarchy\n\n"
        "usage: hsel COMMAND [options] …\n\n");
    for (size_t i = 0; i < hs_command_count(); i++)
        hs_writer_printf(out, "  %-10s %s\n", hs_command_at(i)->name, hs_command_at(i)->summary);
    hs_writer_char(out, '\n');
    hs_write_wrapped(out, hs_data_text, 0, WIDTH);
    hs_writer_text(out, "\nhsel help COMMAND explains a command, hsel help METHOD a method or "
                        "format; hsel methods lists\n"
                        "them. To begin with:\n\n");
    hs_writer_text(out, hs_first_steps);
    return hs_writer_commit(out, error);
}

int hs_print_command_help(const hs_command *command, hsel_error *error)
{
    hs_writer *out = NULL;
    int status = hs_writer_open("-", &out, error);
    if (status)
        return status;
    hs_writer_printf(out, "hsel %s: %s\n\nusage: hsel %s [options]%s%s\n\n", command->name,
                     command->summary, command->name, command->arguments[0] ? " " : "",
                     command->arguments);
    hs_write_wrapped(out, command->help, 0, WIDTH);
    hs_option_group group;
    for (size_t g = 0; hs_command_group(command, g, &group); g++) {
        hs_writer_printf(out, "\n%s:\n", group.title);
        write_options(out, group.table, "--");
    }
    hs_writer_text(out, "\nCommon options:\n");
    write_entry(out, "-q, --quiet", hs_quiet_help);
    write_entry(out, "-h, --help", hs_help_help);
    if (command->examples)
        hs_writer_printf(out, "\nExamples:\n%s", command->examples);
    return hs_writer_commit(out, error);
}

static void write_method_help(hs_writer *out, const hs_method *method)
{
    hs_writer_printf(out, "%s (%s): %s\n\n", method->name, hs_kind_name(method->kind),
                     method->title);
    if (method->kind == HS_FORMAT) {
        hs_buf abilities = {0};
        hs_format_abilities(method->format, &abilities);
        hs_writer_printf(out, "%s\n\n", abilities.failed ? "" : abilities.text);
        hs_buf_clear(&abilities);
    }
    hs_write_wrapped(out, method->help, 0, WIDTH);
    if (method->options && method->options->type != HS_OPT_END) {
        hs_writer_printf(out, "\nOptions, written %s:name=value,name=value:\n", method->name);
        write_options(out, method->options, "");
    }
    hs_writer_text(out, "\nReference:\n");
    hs_write_wrapped(out, method->citation, 2, WIDTH);
}

int hs_print_method_help(const char *name, hsel_error *error)
{
    hs_writer *out = NULL;
    int status = hs_writer_open("-", &out, error);
    bool more = false;
    if (status)
        return status;
    for (size_t i = 0; i < hs_method_count(); i++)
        if (strcmp(hs_method_at(i)->name, name) == 0) {
            if (more)
                hs_writer_char(out, '\n');
            write_method_help(out, hs_method_at(i));
            more = true;
        }
    return hs_writer_commit(out, error);
}

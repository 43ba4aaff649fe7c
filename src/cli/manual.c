/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Man pages, completion and Markdown from the same tables as the help.
 */
#include <string.h>

#include "cli/help.h"

/* ---- man pages ---- */

/* Text for roff: what roff would turn into something else stays as typed (hyphens, quotes and the
 * like can then be copied from the page into a shell), a leading dot is made harmless. */
static void roff(hs_writer *out, const char *text)
{
    static const struct {
        char plain;
        const char *roff;
    } special[] = {{'\\', "\\e"},  {'-', "\\-"},   {'\'', "\\(aq"},
                   {'`', "\\(ga"}, {'^', "\\(ha"}, {'~', "\\(ti"}};
    bool line_start = true;
    for (; *text; text++) {
        const char *instead = NULL;
        for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
            if (*text == special[i].plain)
                instead = special[i].roff;
        if (line_start && *text == '.')
            hs_writer_text(out, "\\&");
        if (instead)
            hs_writer_text(out, instead);
        else
            hs_writer_char(out, *text);
        line_start = *text == '\n';
    }
}

/* Paragraphs: an empty line becomes .PP. */
static void roff_paragraphs(hs_writer *out, const char *text)
{
    while (*text) {
        const char *gap = strstr(text, "\n\n");
        size_t length = gap ? (size_t)(gap - text) : strlen(text);
        hs_buf part = {0};
        hs_buf_add(&part, text, length);
        if (!part.failed)
            roff(out, part.text);
        hs_buf_clear(&part);
        hs_writer_text(out, gap ? "\n.PP\n" : "\n");
        text += length + (gap ? 2 : 0);
    }
}

static void roff_entry(hs_writer *out, const char *heading, const char *explanation)
{
    hs_writer_text(out, ".TP\n.B ");
    roff(out, heading);
    hs_writer_char(out, '\n');
    roff(out, explanation);
    hs_writer_char(out, '\n');
}

static void roff_options(hs_writer *out, const hs_option *table)
{
    for (const hs_option *o = table; o && o->type != HS_OPT_END; o++) {
        hs_buf heading = {0}, explanation = {0};
        hs_option_heading(o, "--", &heading);
        hs_option_explanation(o, &explanation);
        roff_entry(out, heading.failed ? o->name : heading.text,
                   explanation.failed ? o->help : explanation.text);
        hs_buf_clear(&heading);
        hs_buf_clear(&explanation);
    }
}

static void roff_examples(hs_writer *out, const char *examples)
{
    hs_writer_text(out, ".SH EXAMPLES\n.nf\n");
    roff(out, examples);
    hs_writer_text(out, ".fi\n");
}

/* "HSEL" or "HSEL-INFO", as titles of man pages are written. */
static void man_title(hs_writer *out, const hs_command *command)
{
    hs_writer_text(out, ".TH HSEL");
    if (command)
        hs_writer_text(out, "\\-");
    for (const char *c = command ? command->name : ""; *c; c++)
        hs_writer_char(out, *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c);
    hs_writer_printf(out, " 1 \"\" \"hsel %s\" \"hsel manual\"\n", hsel_version());
}

static void man_end(hs_writer *out)
{
    hs_writer_text(
        out, ".SH EXIT STATUS\n"
             "0 success; 1 failure, told in one line on standard error; 2 wrong usage, likewise.\n"
             ".SH SEE ALSO\n");
}

static void man_overview(hs_writer *out)
{
    size_t count = hs_command_count();
    man_title(out, NULL);
    hs_writer_text(
        out,
        ".SH NAME\nhsel \\- feature selection and classification in hierarchical feature spaces\n"
        ".SH SYNOPSIS\n.B hsel\n.I COMMAND\n[options] ...\n.SH DESCRIPTION\n");
    roff_paragraphs(out, hs_about_text);
    hs_writer_text(out, ".PP\n");
    roff_paragraphs(out, hs_data_text);
    hs_writer_text(out, ".SH COMMANDS\n");
    for (size_t i = 0; i < count; i++)
        roff_entry(out, hs_command_at(i)->name, hs_command_at(i)->summary);
    roff_examples(out, hs_first_steps);
    man_end(out);
    for (size_t i = 0; i < count; i++)
        hs_writer_printf(out, ".BR hsel\\-%s (1)%s\n", hs_command_at(i)->name,
                         i + 1 < count ? "," : "");
}

void hs_write_man(hs_writer *out, const hs_command *command)
{
    if (!command) {
        man_overview(out);
        return;
    }
    man_title(out, command);
    hs_writer_printf(out, ".SH NAME\nhsel\\-%s \\- ", command->name);
    roff(out, command->summary);
    hs_writer_printf(out, "\n.SH SYNOPSIS\n.B hsel %s\n[options]", command->name);
    if (command->arguments[0])
        hs_writer_char(out, ' ');
    roff(out, command->arguments);
    hs_writer_text(out, "\n.SH DESCRIPTION\n");
    roff_paragraphs(out, command->help);
    hs_writer_text(out, ".SH OPTIONS\n");
    hs_option_group group;
    for (size_t g = 0; hs_command_group(command, g, &group); g++) {
        hs_writer_printf(out, ".SS \"%s\"\n", group.title);
        roff_options(out, group.table);
    }
    hs_writer_text(out, ".SS \"Common options\"\n");
    roff_entry(out, "-q, --quiet", hs_quiet_help);
    roff_entry(out, "-h, --help", hs_help_help);
    if (command->examples)
        roff_examples(out, command->examples);
    man_end(out);
    hs_writer_text(out, ".BR hsel (1)\n");
}

/* ---- completion ---- */

static void write_words(hs_writer *out, const hs_command *command)
{
    hs_writer_printf(out, "    %s) words=\"--help --quiet", command->name);
    hs_option_group group;
    for (size_t g = 0; hs_command_group(command, g, &group); g++)
        for (const hs_option *o = group.table; o->type != HS_OPT_END; o++)
            hs_writer_printf(out, " --%s", o->name);
    hs_writer_text(out, "\" ;;\n");
}

static void write_choices(hs_writer *out, const hs_command *command)
{
    hs_option_group group;
    for (size_t g = 0; hs_command_group(command, g, &group); g++)
        for (const hs_option *o = group.table; o->type != HS_OPT_END; o++)
            if (o->type == HS_OPT_CHOICE) {
                hs_writer_printf(out, "    %s:--%s) words=\"", command->name, o->name);
                for (const char *c = o->value; *c; c++)
                    hs_writer_char(out, *c == '|' ? ' ' : *c);
                hs_writer_text(out, "\" ;;\n");
            }
}

static void write_command_names(hs_writer *out)
{
    for (size_t i = 0; i < hs_command_count(); i++)
        hs_writer_printf(out, "%s%s", i ? " " : "", hs_command_at(i)->name);
}

/* Names of methods; kind HS_KINDS: of every kind. */
static void write_method_names(hs_writer *out, hs_kind kind)
{
    for (size_t i = 0; i < hs_method_count(); i++)
        if (kind == HS_KINDS || hs_method_at(i)->kind == kind)
            hs_writer_printf(out, " %s", hs_method_at(i)->name);
}

/* `--cycles=me` reaches the function as three words: --cycles, = and me. */
void hs_write_bash_completion(hs_writer *out)
{
    hs_writer_text(
        out,
        "# bash completion for hsel, written by `hsel help --completion`\n_hsel() {\n"
        "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words= names=\n"
        "  if [ \"$word\" = = ]; then word=\n"
        "  elif [ \"$before\" = = ]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
        "  if [ \"$COMP_CWORD\" -eq 1 ]; then words=\"");
    write_command_names(out);
    hs_writer_text(out, "\"; COMPREPLY=($(compgen -W \"$words\" -- \"$word\")); return; fi\n"
                        "  case \"${COMP_WORDS[1]}:$before\" in\n");
    for (size_t i = 0; i < hs_command_count(); i++)
        write_choices(out, hs_command_at(i));
    hs_writer_text(out, "    *:--format|*:--*-format|*:--to|*:--*-to) words=\"");
    write_method_names(out, HS_FORMAT);
    hs_writer_text(out, "\" ;;\n  esac\n"
                        "  if [ -n \"$words\" ]; then COMPREPLY=($(compgen -W \"$words\" -- "
                        "\"$word\")); return; fi\n"
                        "  case \"${COMP_WORDS[1]}\" in\n");
    for (size_t i = 0; i < hs_command_count(); i++)
        write_words(out, hs_command_at(i));
    hs_writer_text(out, "    *) return ;;\n  esac\n  case \"${COMP_WORDS[1]}:$COMP_CWORD\" in\n    "
                        "help:*) names=\"");
    write_command_names(out);
    write_method_names(out, HS_KINDS);
    hs_writer_text(out, "\" ;;\n    generate:2) names=\"");
    write_method_names(out, HS_GENERATOR);
    hs_writer_text(
        out, "\" ;;\n  esac\n"
             "  case \"$word\" in\n    -*) COMPREPLY=($(compgen -W \"$words\" -- \"$word\")) ;;\n"
             "    *) if [ -n \"$names\" ]; then COMPREPLY=($(compgen -W \"$names\" -- \"$word\"))\n"
             "       else COMPREPLY=($(compgen -f -- \"$word\")); fi ;;\n  esac\n}\n"
             "complete -o filenames -F _hsel hsel\n");
}

/* ---- Markdown ---- */

static void markdown_option(hs_writer *out, const hs_option *option)
{
    hs_buf takes = {0};
    hs_option_describe(option, &takes);
    hs_writer_printf(out, "| `%s` | ", option->name);
    for (const char *c = takes.failed || !takes.text ? "" : takes.text; *c; c++)
        hs_writer_printf(out, *c == '|' ? "\\|" : "%c", *c);
    hs_writer_printf(out, " | %s | %s |\n", option->fallback ? option->fallback : "none",
                     option->help);
    hs_buf_clear(&takes);
}

static void markdown_method(hs_writer *out, const hs_method *method)
{
    hs_writer_printf(out, "\n### `%s`: %s\n\n", method->name, method->title);
    if (method->kind == HS_FORMAT) {
        hs_buf line = {0};
        hs_format_abilities(method->format, &line);
        hs_writer_printf(out, "%s.\n\n", line.failed ? "" : line.text);
        hs_buf_clear(&line);
    }
    hs_write_wrapped(out, method->help, 0, 120);
    if (method->options && method->options->type != HS_OPT_END) {
        hs_writer_text(out, "\n| option | takes | default | what it is |\n|---|---|---|---|\n");
        for (const hs_option *o = method->options; o->type != HS_OPT_END; o++)
            markdown_option(out, o);
    }
    hs_writer_text(out, "\nReference: ");
    hs_write_wrapped(out, method->citation, 0, 120);
}

void hs_write_methods_markdown(hs_writer *out)
{
    hs_writer_text(out,
                   "# Methods and formats\n\n<!-- Written by hsel methods --markdown; make docs "
                   "renews it. -->\n"
                   "What `hsel help NAME` shows, for every name. A name with options is written\n"
                   "`NAME:option=value,option=value`. More on formats, with examples: "
                   "[formats.md](formats.md).\n");
    for (int kind = 0; kind < HS_KINDS; kind++) {
        if (!hs_kind_has_methods((hs_kind)kind))
            continue;
        hs_writer_printf(out, "\n## %c%s\n", hs_kind_plural((hs_kind)kind)[0] - 'a' + 'A',
                         hs_kind_plural((hs_kind)kind) + 1);
        for (size_t i = 0; i < hs_method_count(); i++)
            if ((int)hs_method_at(i)->kind == kind)
                markdown_method(out, hs_method_at(i));
    }
}

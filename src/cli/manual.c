/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Man pages, completion and Markdown from the same tables as the help.
 */
#include <string.h>

#include "cli/help.h"

/* ---- man pages ---- */

/* Text for roff: backslashes and hyphens kept as they are, a leading dot or quote made harmless. */
static void roff(hs_writer *out, const char *text)
{
    bool line_start = true;
    for (; *text; text++) {
        if (line_start && (*text == '.' || *text == '\''))
            hs_writer_text(out, "\\&");
        if (*text == '\\')
            hs_writer_text(out, "\\e");
        else if (*text == '-')
            hs_writer_text(out, "\\-");
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

static void roff_options(hs_writer *out, const hs_option *table)
{
    for (const hs_option *o = table; o && o->type != HS_OPT_END; o++) {
        hs_buf heading = {0}, explanation = {0};
        hs_option_heading(o, "--", &heading);
        hs_option_explanation(o, &explanation);
        hs_writer_text(out, ".TP\n.B ");
        roff(out, heading.failed ? o->name : heading.text);
        hs_writer_char(out, '\n');
        roff(out, explanation.failed ? o->help : explanation.text);
        hs_writer_char(out, '\n');
        hs_buf_clear(&heading);
        hs_buf_clear(&explanation);
    }
}

static void man_overview(hs_writer *out)
{
    hs_writer_printf(out, ".TH HSEL 1 \"\" \"hsel %s\" \"hsel manual\"\n", hsel_version());
    hs_writer_text(out, ".SH NAME\nhsel \\- feature selection and classification in hierarchical feature spaces\n"
                        ".SH SYNOPSIS\n.B hsel\n.I COMMAND\n[options] ...\n.SH COMMANDS\n");
    for (size_t i = 0; i < hs_command_count(); i++) {
        hs_writer_printf(out, ".TP\n.BR hsel\\-%s (1)\n", hs_command_at(i)->name);
        roff(out, hs_command_at(i)->summary);
        hs_writer_char(out, '\n');
    }
    hs_writer_text(out, ".SH EXIT STATUS\n0 success, 1 failure, 2 wrong usage.\n");
}

void hs_write_man(hs_writer *out, const hs_command *command)
{
    if (!command) {
        man_overview(out);
        return;
    }
    hs_writer_printf(out, ".TH HSEL\\-%s 1 \"\" \"hsel %s\" \"hsel manual\"\n.SH NAME\nhsel\\-%s \\- ", command->name,
                     hsel_version(), command->name);
    roff(out, command->summary);
    hs_writer_printf(out, "\n.SH SYNOPSIS\n.B hsel %s\n[options] ", command->name);
    roff(out, command->arguments);
    hs_writer_text(out, "\n.SH DESCRIPTION\n");
    roff_paragraphs(out, command->help);
    for (const hs_option_group *group = command->groups; group < command->groups + HS_GROUPS && group->table; group++) {
        hs_writer_printf(out, ".SH \"%s\"\n", group->title);
        roff_options(out, group->table);
    }
    if (command->examples) {
        hs_writer_text(out, ".SH EXAMPLES\n.nf\n");
        roff(out, command->examples);
        hs_writer_text(out, ".fi\n");
    }
    hs_writer_text(out, ".SH EXIT STATUS\n0 success, 1 failure, 2 wrong usage.\n.SH SEE ALSO\n.BR hsel (1)\n");
}

/* ---- completion ---- */

static void write_words(hs_writer *out, const hs_command *command)
{
    hs_writer_printf(out, "    %s) words=\"--help --quiet", command->name);
    for (const hs_option_group *group = command->groups; group < command->groups + HS_GROUPS && group->table; group++)
        for (const hs_option *o = group->table; o->type != HS_OPT_END; o++)
            hs_writer_printf(out, " --%s", o->name);
    hs_writer_text(out, "\" ;;\n");
}

static void write_choices(hs_writer *out, const hs_command *command)
{
    for (const hs_option_group *group = command->groups; group < command->groups + HS_GROUPS && group->table; group++)
        for (const hs_option *o = group->table; o->type != HS_OPT_END; o++)
            if (o->type == HS_OPT_CHOICE) {
                hs_writer_printf(out, "    %s:--%s) words=\"", command->name, o->name);
                for (const char *c = o->value; *c; c++)
                    hs_writer_char(out, *c == '|' ? ' ' : *c);
                hs_writer_text(out, "\" ;;\n");
            }
}

void hs_write_bash_completion(hs_writer *out)
{
    hs_writer_text(out, "# bash completion for hsel, written by `hsel help --completion`\n_hsel() {\n"
                        "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
                        "  if [ \"$COMP_CWORD\" -eq 1 ]; then words=\"");
    for (size_t i = 0; i < hs_command_count(); i++)
        hs_writer_printf(out, "%s%s", i ? " " : "", hs_command_at(i)->name);
    hs_writer_text(out, "\"; COMPREPLY=($(compgen -W \"$words\" -- \"$word\")); return; fi\n"
                        "  case \"${COMP_WORDS[1]}:$before\" in\n");
    for (size_t i = 0; i < hs_command_count(); i++)
        write_choices(out, hs_command_at(i));
    hs_writer_text(out, "  esac\n  if [ -n \"$words\" ]; then COMPREPLY=($(compgen -W \"$words\" -- \"$word\")); return; fi\n"
                        "  case \"${COMP_WORDS[1]}\" in\n");
    for (size_t i = 0; i < hs_command_count(); i++)
        write_words(out, hs_command_at(i));
    hs_writer_text(out, "    *) return ;;\n  esac\n"
                        "  case \"$word\" in\n    -*) COMPREPLY=($(compgen -W \"$words\" -- \"$word\")) ;;\n"
                        "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n  esac\n}\n"
                        "complete -o filenames -F _hsel hsel\n");
}

/* ---- Markdown ---- */

static void markdown_method(hs_writer *out, const hs_method *method)
{
    hs_writer_printf(out, "\n### `%s`: %s\n\n", method->name, method->title);
    hs_write_wrapped(out, method->help, 0, 120);
    if (method->options && method->options->type != HS_OPT_END) {
        hs_writer_text(out, "\n| option | default | what it does |\n|---|---|---|\n");
        for (const hs_option *o = method->options; o->type != HS_OPT_END; o++) {
            hs_buf takes = {0};
            hs_option_describe(o, &takes);
            hs_writer_printf(out, "| `%s` | %s | %s: ", o->name, o->fallback ? o->fallback : "–", o->help);
            for (const char *c = takes.failed || !takes.text ? "" : takes.text; *c; c++)
                hs_writer_printf(out, *c == '|' ? "\\|" : "%c", *c);
            hs_writer_text(out, " |\n");
            hs_buf_clear(&takes);
        }
    }
    hs_writer_text(out, "\nReference: ");
    hs_write_wrapped(out, method->citation, 0, 120);
}

void hs_write_methods_markdown(hs_writer *out)
{
    hs_writer_text(out, "# Methods and formats\n\nWritten by `hsel methods --markdown` from the tables in the program; "
                        "`make docs` renews it.\n");
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

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel help and hsel methods: help for people, made from the tables of commands and methods: on the
 * terminal, as man pages, as shell completion, as Markdown.
 */
#include "cli/cli.h"
#include "learn/methods_json.h"
#include "format/format.h"
#include "stats/metrics.h"

#define WIDTH  100
#define COLUMN 30 /* where explanations begin */

extern const char hs_help_hsel[], hs_help_completion[]; /* texts of the folder help */

static const char quiet_help[] = "no notes on standard error, only errors";
static const char help_help[] = "show the most important options";
static const char help_all_help[] = "show all options";
static const char examples_mark[] = "\nExamples:\n";

typedef void entry_writer(hs_writer *out, const char *heading, const char *explanation);

static void write_entry(hs_writer *out, const char *heading, const char *explanation)
{
    size_t width = hs_text_width(heading);
    bool fits = width + 3 <= COLUMN;
    hs_writer_printf(out, "  %s", heading);
    if (fits)
        hs_writer_printf(out, "%*s", (int)(COLUMN - 2 - width), "");
    else
        hs_writer_printf(out, "\n%*s", COLUMN, "");
    hs_put_wrapped(out, explanation, WIDTH, COLUMN);
}

/* An option as "--folds N", with what it is, what it takes and its default. */
static void write_option(hs_writer *out, const hs_option *o, const char *dashes,
                         entry_writer *entry)
{
    HS_OWNS(hs_buf_clear) hs_buf heading = {0}, explanation = {0}, takes = {0};
    char words[4096];
    bool number = o->type == HS_OPT_INT || o->type == HS_OPT_U32 || o->type == HS_OPT_U64 ||
                  o->type == HS_OPT_DOUBLE;
    bool has_default = o->fallback && o->type != HS_OPT_BOOL;
    if (o->letter && dashes[0])
        hs_buf_printf(&heading, "-%c, ", o->letter);
    hs_buf_printf(&heading, "%s%s", dashes, o->name);
    if (o->type != HS_OPT_BOOL)
        hs_buf_printf(&heading, "%s%s", dashes[0] ? " " : "=", o->value ? o->value : "VALUE");
    hs_buf_text(&explanation, o->help);
    if (number)
        hs_option_describe(o, &takes);
    if (number || has_default)
        hs_buf_printf(&explanation, " (%s%s%s%s)", takes.text ? takes.text : "",
                      number && has_default ? "; " : "", has_default ? "default: " : "",
                      has_default ? o->fallback : "");
    entry(out, heading.failed ? o->name : heading.text,
          hs_words(explanation.failed || takes.failed ? o->help : explanation.text, words,
                   sizeof words, NULL, 0));
}

/* Headings that commands share, with the options of the general groups "Options" and "Data" that
 * belong there. */
static const struct heading {
    const char *title, *names;
} headings[] = {
    {"Methods",
     "select classify metric race budget list allow-violations seed samples log checkpoint"},
    {"Folds and design", "folds repeats fold-scheme inner-folds inner-repeats groups time test-set "
                         "strata write-folds permutations"},
    {"Output", "output json csv names metrics pooled rank-by classes intervals leak-check "
               "stability similarity "
               "predictions frequencies curves reliability"},
    {"Data", ""},
    {"Hierarchy", "hierarchy hierarchy-format no-hierarchy relations namespaces direction cycles "
                  "edges propagate drop-roots branch exclude-branch"},
    {"Preparation", "instances instances-seed aggregate transform transform-order pseudo-count "
                    "min-prevalence min-abundance level min-support"},
    {"Computing", "threads"}};
#define HEADINGS (sizeof headings / sizeof *headings)

static const char *heading_of(const hs_option_group *group, const hs_option *option)
{
    const bool general = hs_is_word("Options Data", group->title);
    for (size_t h = 0; general && h < HEADINGS; h++)
        if (hs_is_word(headings[h].names, option->name))
            return headings[h].title;
    return group->title;
}

/* All options of a command: its own groups, then those under shared headings. */
static void write_groups(hs_writer *out, const hs_command *command, const char *before_title,
                         const char *after_title, entry_writer *entry)
{
    const char *titles[HS_GROUPS + HEADINGS];
    size_t count = 0;
    hs_option_group group;
    for (const hs_option_group *own = command->groups; own < command->groups + HS_GROUPS; own++) {
        bool shared = !own->table;
        for (size_t h = 0; h < HEADINGS && !shared; h++)
            shared = strcmp(own->title, headings[h].title) == 0;
        if (!shared)
            titles[count++] = own->title;
    }
    for (size_t h = 0; h < HEADINGS; h++)
        titles[count++] = headings[h].title;
    for (size_t t = 0; t < count; t++) {
        bool begun = false;
        for (size_t g = 0; hs_command_group(command, g, &group); g++)
            for (const hs_option *o = group.table; o->type != HS_OPT_END; o++) {
                if (strcmp(heading_of(&group, o), titles[t]) != 0)
                    continue;
                if (!begun)
                    hs_writer_printf(out, "%s%s%s", before_title, titles[t], after_title);
                begun = true;
                write_option(out, o, "--", entry);
            }
    }
    hs_writer_printf(out, "%sCommon options%s", before_title, after_title);
    entry(out, "-q, --quiet", quiet_help);
    entry(out, "-h, --help", help_help);
    entry(out, "--help-all", help_all_help);
}

/* The options used most, in the order in which the command names them. */
static void write_first(hs_writer *out, const hs_command *command)
{
    const hs_option *option;
    hs_option_group group;
    hs_writer_text(out, "\nMost used options:\n");
    for (const char *name = command->first; *name; name += strspn(name, " ")) {
        size_t length = strcspn(name, " ");
        for (size_t g = 0; hs_command_group(command, g, &group); g++)
            if ((option = hs_option_find(group.table, name, length)))
                write_option(out, option, "--", write_entry);
        name += length;
    }
    write_entry(out, "--help-all", help_all_help);
}

/* What a format can do, with the endings of its files. */
static void format_abilities(const hs_format *format, hs_buf *out)
{
    hs_format_roles(format, out);
    for (const char *word = format->endings; *word;) {
        size_t length = strcspn(word, " ");
        hs_buf_printf(out, "%s.%.*s", word == format->endings ? "; files end in " : " or ",
                      (int)length, word);
        word += length + (word[length] == ' ');
    }
}

/* ---- on the terminal ---- */

int hs_print_overview(hsel_error *error)
{
    HS_OPEN(out, "-");
    hs_writer_text(
        out, "hsel: feature selection and classification when features form an IS-A hierarchy\n\n"
             "usage: hsel COMMAND [options] …\n\n");
    for (size_t i = 0; i < hs_command_count; i++)
        hs_writer_printf(out, "  %-10s %s\n", hs_commands[i]->name, hs_commands[i]->summary);
    const char *data = strstr(hs_help_hsel, "\n\n") + 1, *examples = strstr(data, examples_mark);
    hs_writer_put(out, data, (size_t)(examples - data));
    hs_writer_printf(out,
                     "\nhsel help COMMAND explains a command, hsel help METHOD a method or format; "
                     "hsel methods lists\nthem. To begin with:\n\n%s",
                     examples + strlen(examples_mark));
    return hs_writer_commit(hs_take(&out), error);
}

int hs_print_command_help(const hs_command *command, bool all, hsel_error *error)
{
    const char *examples = strstr(command->help, examples_mark);
    size_t length = examples ? (size_t)(examples - command->help) : strlen(command->help);
    HS_OPEN(out, "-");
    hs_writer_printf(out, "hsel %s: %s\n\nusage: hsel %s [options]%s%s\n\n", command->name,
                     command->summary, command->name, command->arguments[0] ? " " : "",
                     command->arguments);
    hs_writer_put(out, command->help, length);
    if (all || !command->first)
        write_groups(out, command, "\n", ":\n", write_entry);
    else
        write_first(out, command);
    hs_writer_text(out, examples ? examples : "");
    return hs_writer_commit(hs_take(&out), error);
}

/* What a method is, its options and citation: for the terminal or for docs/methods.md. */
static void write_method(hs_writer *out, const hs_method *method, bool markdown)
{
    const hs_option *o = method->options;
    size_t width = markdown ? 120 : WIDTH;
    if (markdown)
        hs_writer_printf(out, "\n### `%s`: %s\n\n", method->name, method->title);
    else
        hs_writer_printf(out, "%s (%s): %s\n\n", method->name, hs_kind_name(method->kind),
                         method->title);
    if (method->kind == HS_FORMAT) {
        HS_OWNS(hs_buf_clear) hs_buf abilities = {0};
        format_abilities(method->format, &abilities);
        hs_writer_printf(out, "%s%s\n\n", abilities.failed ? "" : abilities.text,
                         markdown ? "." : "");
    }
    hs_put_wrapped(out, method->help, width, 0);
    if (method->flags & HS_WITHIN_STRATA)
        hs_writer_text(
            out, "\nIf the data have strata (--strata), instances are compared within strata.\n");
    if (method->kind == HS_METRIC) {
        const hs_formula *f = method->metric;
        hs_writer_printf(out, "\n%s: %s is better; from predicted %s%s%s%s.\n", f->heading,
                         f->lower_is_better ? "lower" : "higher",
                         f->needs & HS_OF_NUMBERS ? "numbers" : "classes",
                         f->needs & HS_OF_RANKING ? " and scores" : "",
                         f->needs & HS_OF_PROBABILITIES ? " and probabilities" : "",
                         f->needs & HS_OF_SELECTIONS ? " and numbers of selected features" : "");
    }
    if (o && o->type != HS_OPT_END && !markdown) {
        hs_writer_printf(out, "\nOptions, written %s:name=value,name=value:\n", method->name);
        for (; o->type != HS_OPT_END; o++)
            write_option(out, o, "", write_entry);
    } else if (o && o->type != HS_OPT_END) {
        hs_writer_text(out, "\n| option | value | default | meaning |\n|---|---|---|---|\n");
        for (; o->type != HS_OPT_END; o++) {
            HS_OWNS(hs_buf_clear) hs_buf takes = {0};
            hs_option_describe(o, &takes);
            hs_writer_printf(out, "| `%s` | ", o->name);
            for (const char *c = takes.failed || !takes.text ? "" : takes.text; *c; c++)
                hs_writer_printf(out, *c == '|' ? "\\|" : "%c", *c);
            hs_writer_printf(out, " | %s | %s |\n", o->fallback ? o->fallback : "none", o->help);
        }
    }
    hs_writer_text(out, markdown ? "\nReference: " : "\nReference:\n  ");
    hs_put_wrapped(out, method->citation, width, markdown ? 0 : 2);
}

/* ---- man pages ---- */

/* Text for roff. Characters that roff would replace stay as typed, so that hyphens and quotes can
 * be copied from the page into a shell; a leading dot is escaped; an empty line begins a paragraph.
 */
static void roff_part(hs_writer *out, const char *text, const char *end)
{
    static const char special[] = "\\-'`^~";
    static const char *const instead[] = {"\\e", "\\-", "\\(aq", "\\(ga", "\\(ha", "\\(ti"};
    for (bool line_start = true; *text && text != end; text++) {
        const char *found = strchr(special, *text);
        if (line_start && *text == '.')
            hs_writer_text(out, "\\&");
        if (line_start && *text == '\n')
            hs_writer_text(out, ".PP\n");
        else if (found)
            hs_writer_text(out, instead[found - special]);
        else
            hs_writer_char(out, *text);
        line_start = *text == '\n';
    }
}

static void roff(hs_writer *out, const char *text) { roff_part(out, text, NULL); }

static void roff_entry(hs_writer *out, const char *heading, const char *explanation)
{
    hs_put_escaped(out, roff, ".TP\n.B %s\n%s\n", heading, explanation);
}

/* A whole page; command NULL: hsel(1). */
static void write_man(hs_writer *out, const hs_command *command)
{
    const char *help = command ? command->help : hs_help_hsel, *at = strstr(help, examples_mark);
    hs_writer_text(out, command ? ".TH HSEL\\-" : ".TH HSEL"); /* titles are in capitals */
    for (const char *c = command ? command->name : ""; *c; c++)
        hs_writer_char(out, *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c);
    hs_writer_printf(out, " 1 \"\" \"hsel %s\" \"hsel manual\"\n", hsel_version());
    if (command) {
        hs_put_escaped(out, roff, ".SH NAME\nhsel\\-%s \\- %s\n.SH SYNOPSIS\n.B hsel %s\n[options]",
                       command->name, command->summary, command->name);
        hs_put_escaped(out, roff, command->arguments[0] ? " %s\n" : "%s\n", command->arguments);
    } else {
        hs_writer_text(out, ".SH NAME\nhsel \\- feature selection and classification in "
                            "hierarchical feature spaces\n"
                            ".SH SYNOPSIS\n.B hsel\n.I COMMAND\n[options] ...\n");
    }
    hs_writer_text(out, ".SH DESCRIPTION\n");
    roff_part(out, help, at);
    hs_writer_text(out, command ? ".SH OPTIONS\n" : ".SH COMMANDS\n");
    if (command)
        write_groups(out, command, ".SS \"", "\"\n", roff_entry);
    for (size_t i = 0; !command && i < hs_command_count; i++)
        roff_entry(out, hs_commands[i]->name, hs_commands[i]->summary);
    if (at)
        hs_put_escaped(out, roff, ".SH EXAMPLES\n.nf\n%s.fi\n", at + strlen(examples_mark));
    hs_writer_text(
        out,
        ".SH EXIT STATUS\n"
        "0 success; 1 failure; 2 wrong usage. Errors are reported in one line on standard error.\n"
        ".SH SEE ALSO\n");
    if (command)
        hs_writer_text(out, ".BR hsel (1)\n");
    for (size_t i = 0; !command && i < hs_command_count; i++)
        hs_writer_printf(out, ".BR hsel\\-%s (1)%s\n", hs_commands[i]->name,
                         i + 1 < hs_command_count ? "," : "");
}

/* ---- completion ---- */

/* The replacement of a word of help/completion.bash. `--cycles=me` reaches that function as three
 * words: --cycles, = and me. */
static void write_names(hs_writer *out, const char *word)
{
    hs_option_group group;
    for (size_t i = 0; i < hs_command_count; i++) {
        const char *name = hs_commands[i]->name;
        if (strcmp(word, "COMMANDS") == 0)
            hs_writer_printf(out, "%s%s", i ? " " : "", name);
        if (strcmp(word, "OPTIONS") == 0)
            hs_writer_printf(out, "    %s) words=\"--help --help-all --quiet", name);
        for (size_t g = 0; hs_command_group(hs_commands[i], g, &group); g++)
            for (const hs_option *o = group.table; o->type != HS_OPT_END; o++)
                if (strcmp(word, "OPTIONS") == 0) {
                    hs_writer_printf(out, " --%s", o->name);
                } else if (strcmp(word, "CHOICES") == 0 && o->type == HS_OPT_CHOICE) {
                    hs_writer_printf(out, "    %s:--%s) words=\"", name, o->name);
                    for (const char *c = o->value; *c; c++)
                        hs_writer_char(out, *c == '|' ? ' ' : *c);
                    hs_writer_text(out, "\" ;;\n");
                }
        if (strcmp(word, "OPTIONS") == 0)
            hs_writer_text(out, "\" ;;\n");
    }
    static const struct {
        const char *word;
        unsigned kinds;
    } methods[] = {{"METHODS", ~0u},
                   {"FORMATS", 1u << HS_FORMAT},
                   {"GENERATORS", 1u << HS_GENERATOR},
                   {"SELECTORS", 1u << HS_SELECTOR},
                   {"CLASSIFIERS", 1u << HS_CLASSIFIER},
                   {"RANKERS", 1u << HS_RANKER | 1u << HS_MEASURE},
                   {"METRICS", 1u << HS_METRIC}};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        for (size_t i = 0; strcmp(word, methods[k].word) == 0 && i < hs_method_count(); i++)
            if (methods[k].kinds >> hs_method_at(i)->kind & 1)
                hs_writer_printf(out, " %s", hs_method_at(i)->name);
}

static void write_completion(hs_writer *out)
{
    for (const char *at = hs_help_completion, *word; *at; at = word) {
        char name[16];
        size_t length = strcspn(at, "@");
        hs_writer_put(out, at, length);
        word = at + length;
        if (*word && sscanf(word, "@%15[A-Z]@", name) == 1) {
            write_names(out, name);
            word += strlen(name) + 2;
        }
    }
}

/* ---- hsel help ---- */

struct help_options {
    bool all, man, completion;
};

static const hs_option help_table[] = {
    HS_FLAG(struct help_options, all, "all", "show all options of a command"),
    HS_FLAG(struct help_options, man, "man", "write a man page (of hsel, or of the named command)"),
    HS_FLAG(struct help_options, completion, "completion", "write the completion script for bash"),
    HS_OPTION_END};

static int help_command(const hs_call *call, hsel_error *error)
{
    const struct help_options *options = call->values;
    const char *name = call->count ? call->arguments[0] : NULL;
    const hs_command *command = name ? hs_command_find(name) : NULL;
    bool is_method = false;
    const char *words[512];
    size_t count = 0;
    for (; count < hs_command_count; count++)
        words[count] = hs_commands[count]->name;
    for (size_t i = 0; i < hs_method_count() && count < 512; i++) {
        words[count++] = hs_method_at(i)->name;
        is_method |= name && !command && strcmp(hs_method_at(i)->name, name) == 0;
    }
    if (name && !command && !is_method)
        return hs_fail_unknown("there is no command, method or format", name, words, count,
                               "; see hsel help and hsel methods", error);
    HS_REFUSE(options->man && is_method, "only commands have man pages; hsel help %s explains it",
              name);
    if (options->man || options->completion) {
        HS_OPEN(out, "-");
        if (options->man)
            write_man(out, command);
        else
            write_completion(out);
        return hs_writer_commit(hs_take(&out), error);
    }
    if (!is_method)
        return command ? hs_print_command_help(command, options->all, error)
                       : hs_print_overview(error);
    HS_OPEN(out, "-");
    bool more = false;
    for (size_t i = 0; i < hs_method_count(); i++) /* several kinds may have a method so called */
        if (strcmp(hs_method_at(i)->name, name) == 0) {
            hs_writer_text(out, more ? "\n" : "");
            write_method(out, hs_method_at(i), false);
            more = true;
        }
    return hs_writer_commit(hs_take(&out), error);
}

const hs_command hs_command_help = {
    HS_COMMAND_IS(help, "[COMMAND|METHOD]", "explain a command, a method or a format",
                  struct help_options),
    .groups = {{"Options", help_table, 0}},
    .flags = HS_TAKES_NAMES | HS_READS_NOTHING,
};

/* ---- hsel methods ---- */

struct methods_options {
    const char *kind;
    bool json, markdown;
};

static const hs_option methods_table[] = {
    HS_TEXT(struct methods_options, kind, "kind", "KIND", NULL,
            "only methods of this kind, e.g. selector or format"),
    HS_FLAG(struct methods_options, json, "json", "print JSON with all options"),
    HS_FLAG(struct methods_options, markdown, "markdown",
            "print the reference page of the documentation"),
    HS_OPTION_END};

static int methods_command(const hs_call *call, hsel_error *error)
{
    const struct methods_options *options = call->values;
    const char *words[HS_KINDS], *name = options->kind;
    int only = -1;
    bool first = true, markdown = options->markdown;
    for (int kind = 0; kind < HS_KINDS; kind++) {
        words[kind] = hs_kind_name((hs_kind)kind);
        if (name &&
            (strcmp(name, words[kind]) == 0 || strcmp(name, hs_kind_plural((hs_kind)kind)) == 0))
            only = kind;
    }
    if (name && only < 0)
        return hs_fail_unknown("there is no kind of method", name, words, HS_KINDS,
                               "; see hsel methods", error);
    HS_OPEN(out, "-");
    if (options->json && !markdown) {
        HS_TRY(hs_methods_json(out, only, error));
        return hs_writer_commit(hs_take(&out), error);
    }
    if (markdown)
        hs_writer_text(
            out, "# Methods and formats\n"
                 "\n"
                 "<!-- Written by hsel methods --markdown; make docs renews it. -->\n"
                 "The output of `hsel help NAME` for every name. A method with options is written\n"
                 "`NAME:option=value,option=value`. More on formats, with examples: "
                 "[formats.md](formats.md).\n");
    for (int kind = 0; kind < HS_KINDS; kind++) {
        const char *plural = hs_kind_plural((hs_kind)kind);
        if ((only >= 0 && kind != only && !markdown) || !hs_kind_has_methods((hs_kind)kind))
            continue;
        hs_writer_printf(out, "%s%s%c%s\n", first && !markdown ? "" : "\n", markdown ? "## " : "",
                         plural[0] - 'a' + 'A', plural + 1);
        first = false;
        for (size_t i = 0; i < hs_method_count(); i++)
            if ((int)hs_method_at(i)->kind == kind && markdown) {
                write_method(out, hs_method_at(i), true);
            } else if ((int)hs_method_at(i)->kind == kind) {
                HS_OWNS(hs_buf_clear) hs_buf abilities = {0};
                const hs_method *method = hs_method_at(i);
                if (method->kind == HS_FORMAT)
                    format_abilities(method->format, &abilities);
                hs_writer_printf(out, "  %-16s %s\n", method->name, method->title);
                if (abilities.length && !abilities.failed)
                    hs_writer_printf(out, "  %-16s   %s\n", "", abilities.text);
            }
    }
    if (!markdown)
        hs_writer_text(out, "\nhsel help NAME explains one.\n");
    return hs_writer_commit(hs_take(&out), error);
}

const hs_command hs_command_methods = {
    HS_COMMAND_IS(methods, "", "list every method and format", struct methods_options),
    .groups = {{"Options", methods_table, 0}},
    .flags = HS_READS_NOTHING,
};

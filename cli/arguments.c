/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The commands, and the command line: long options (--name value, --name=value), single letters
 * (-o FILE), "--" ends options, "-" is an argument. Everything about an option comes from its
 * table.
 */
#include <limits.h>
#include <stdalign.h>

#include "cli/cli.h"

#define HS_COMMAND(name) extern const hs_command hs_command_##name;
#include "cli/commands.def"
#undef HS_COMMAND

const hs_command *const hs_commands[] = {
#define HS_COMMAND(name) &hs_command_##name,
#include "cli/commands.def"
#undef HS_COMMAND
};

const size_t hs_command_count = sizeof hs_commands / sizeof hs_commands[0];

const hs_command *hs_command_find(const char *name)
{
    for (size_t i = 0; i < hs_command_count; i++)
        if (strcmp(hs_commands[i]->name, name) == 0)
            return hs_commands[i];
    return NULL;
}

/* Options that many commands have; they follow the command's own. */
struct shared {
    hs_limits limits;
    bool csv_safe;
    int progress;
    const char *memory;
};

static const hs_option memory_table[] = {
    HS_TEXT(struct shared, memory, "memory", "MB|any", NULL,
            "memory limit in megabytes: work that would need more is refused before it starts; "
            "any: try anyway (default: what the system has available, or HSEL_MEMORY in the "
            "environment)"),
    HS_OPTION_END};

static const hs_option progress_table[] = {
    HS_CHOICE(struct shared, progress, "progress", HS_PROGRESS_WORDS, "auto",
              "progress on standard error: auto (a line on a terminal, for work longer than a "
              "second), bar (always), json (one object per line), none"),
    HS_OPTION_END};

static const hs_option csv_table[] = {
    HS_FLAG(struct shared, csv_safe, "csv-safe",
            "put a single quote before texts in CSV and TSV that a spreadsheet could interpret as "
            "a formula (those that begin with = + - @ and are not numbers)"),
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
    const hs_option_group behind[] = {
        {"Computing", command->flags & HS_WORKS ? progress_table : NULL, 0},
        {"Computing", command->flags & HS_HAS_MEMORY ? memory_table : NULL, 0},
        {"Computing", command->flags & HS_READS_NOTHING ? NULL : hs_limits_table, 0},
        {"Output", command->flags & HS_WRITES_CSV ? csv_table : NULL, 0}};
    for (size_t i = 0; i < sizeof behind / sizeof behind[0]; i++)
        if (behind[i].table && index-- == own) {
            *out = behind[i];
            out->offset = shared_offset(command);
            return true;
        }
    return false;
}

/* The option at argv[*at]; takes its value from there or from the next argument.
 * call->given has room for it. */
static int parse_option(const hs_command *command, char **argv, int argc, int *at, hs_call *call,
                        hsel_error *error)
{
    const char *given = argv[*at], *value = NULL, *nearest = NULL;
    bool is_long = given[1] == '-';
    size_t length = is_long ? strcspn(given + 2, "=") : 1;
    const hs_option *option = NULL;
    hs_option_group group;
    char name[64];
    for (size_t g = 0; !option && hs_command_group(command, g, &group); g++) {
        for (const hs_option *o = group.table; !is_long && !option && o->type != HS_OPT_END; o++)
            option = o->letter == given[1] ? o : NULL;
        if (is_long)
            option = hs_option_find(group.table, given + 2, length);
    }
    if (!option) {
        const char *word = given + strspn(given, "-");
        snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
        for (size_t g = 0; is_long && !nearest && hs_command_group(command, g, &group); g++)
            nearest = hs_option_nearest(group.table, name);
        return nearest ? hs_fail(error, HSEL_EUSAGE, "%s has no option --%s; did you mean --%s?",
                                 command->name, name, nearest)
                       : hs_fail(error, HSEL_EUSAGE, "%s has no option %.80s; see hsel help %s",
                                 command->name, given, command->name);
    }
    hs_given *before = call->given;
    while (before->option && before->option != option)
        before++;
    HS_REFUSE(before->option && option->type != HS_OPT_LIST, "--%s is given twice", option->name);
    *before = (hs_given){option, (char *)call->values + group.offset + option->offset, group.title};
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
    bool is_file = option->use != HS_NOT_A_FILE || option->letter == 'o';
    HS_NEED(call->words[call->word_count++] = hs_say(call->doc, "--%s", option->name));
    if (option->type != HS_OPT_BOOL || given[2 + length] == '=')
        HS_NEED(call->words[call->word_count++] = is_file ? hs_last_part(value) : value);
    return hs_option_set(option, (char *)call->values + group.offset, value, strlen(value),
                         call->arena, error);
}

int hs_parse_call(const hs_command *command, int argc, char **argv, hs_call *call,
                  hs_help_asked *help, hsel_error *error)
{
    bool options_ended = false;
    hs_option_group group;
    *help = HS_NO_HELP;
    call->command = command;
    call->values = hs_arena_zero(call->arena, 1, shared_offset(command) + sizeof(struct shared));
    call->arguments = HS_ARENA_NEW(call->arena, const char *, (size_t)argc + 1);
    call->given = hs_arena_zero(call->arena, (size_t)argc + 1, sizeof *call->given);
    call->words = HS_ARENA_NEW(call->arena, const char *, 2 * (size_t)argc + 1);
    HS_NEED(call->values && call->arguments && call->given && call->words);
    for (size_t g = 0; hs_command_group(command, g, &group); g++)
        HS_TRY(hs_options_defaults(group.table, (char *)call->values + group.offset, call->arena,
                                   error));
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        HS_REFUSE(!*word, "an empty argument: %s takes %s", command->name,
                  command->arguments ? command->arguments : "no arguments");
        if (options_ended || word[0] != '-' || word[1] == '\0') {
            call->arguments[call->count++] = word;
            HS_NEED(call->words[call->word_count++] =
                        command->flags & HS_TAKES_NAMES ? word : hs_last_part(word));
        } else if (strcmp(word, "--") == 0) {
            options_ended = true;
        } else if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0) {
            *help = HS_HELP;
            return HSEL_OK;
        } else if (strcmp(word, "--help-all") == 0) {
            *help = HS_HELP_ALL;
            return HSEL_OK;
        } else if (strcmp(word, "-q") == 0 || strcmp(word, "--quiet") == 0) {
            call->quiet = true;
        } else {
            HS_TRY(parse_option(command, argv, argc, &i, call, error));
        }
    }
    const struct shared *shared =
        (const struct shared *)((const char *)call->values + shared_offset(command));
    if (!(command->flags & HS_READS_NOTHING))
        hs_limits_set(&shared->limits);
    call->show->mode = (hs_progress_mode)shared->progress;
    if (shared->memory && strcmp(shared->memory, "any") == 0) {
        hs_memory_set((double)INFINITY);
    } else if (shared->memory) {
        double megabytes = 0;
        HS_REFUSE(!hs_parse_double(shared->memory, strlen(shared->memory), &megabytes) ||
                      !(megabytes >= 1 && megabytes <= 1e9),
                  "option memory takes megabytes from 1, or any, not '%.80s'", shared->memory);
        hs_memory_set(megabytes * HS_MEGABYTE);
    }
    call->csv_safe = shared->csv_safe;
    hs_writer_csv_safe(NULL, shared->csv_safe);
    int at_least = 0, at_most = 0;
    for (const char *word = command->arguments; *word; word += strspn(word, " ")) {
        at_least += *word != '[';
        word += strcspn(word, " ");
        at_most = hs_ends_with(command->arguments, "…") ? INT_MAX : at_most + 1;
    }
    HS_REFUSE(call->count < at_least, "%s needs %s; usage: hsel %s [options] %s", command->name,
              command->arguments, command->name, command->arguments);
    HS_REFUSE(call->count > at_most, "unexpected argument '%.200s'; usage: hsel %s [options] %s",
              call->arguments[at_most], command->name, command->arguments);
    HS_TRY(hs_rules_check(call, error));
    return hs_claim_call(call, error);
}

int hs_fail_unknown(const char *problem, const char *name, const char *const *words, size_t count,
                    const char *otherwise, hsel_error *error)
{
    int nearest = hs_nearest(name, words, count);
    return nearest >= 0 ? hs_fail(error, HSEL_EUSAGE, "%s '%.80s'; did you mean '%.80s'?", problem,
                                  name, words[nearest])
                        : hs_fail(error, HSEL_EUSAGE, "%s '%.80s'%s", problem, name, otherwise);
}

/* ---- lists of methods and metrics ---- */

/* Method text may hold commas ("rpv:measure=ig,smoothing=rpv"), at which the list was taken apart.
 * Does the item belong to the method whose text is `method`? It does if that was cut within
 * parentheses, and if it reads "name=value"; a bare name only if that method has an option of this
 * name and there is no method that is called so. */
static bool goes_on(const char *method, const char *item, hs_kind kind)
{
    size_t name = strcspn(item, ":=("), owner = strcspn(method, ":");
    int open = 0;
    for (const char *c = method; *c; c++)
        open += (*c == '(') - (*c == ')');
    if (open > 0 || item[name] == '=')
        return true;
    if (item[name] || method[owner] == '\0' || hs_method_find(kind, item, name))
        return false;
    const hs_method *known = hs_method_find(kind, method, owner);
    return known && known->options && hs_option_find(known->options, item, name);
}

int hs_method_list_parse(const hs_list *list, hs_kind kind, const char *const *usual,
                         hs_chosen_list *out, hsel_error *error)
{
    const char *const *items = list->count ? list->items : usual;
    size_t count = list->count;
    while (!list->count && usual[count])
        count++;
    for (size_t i = 0; i < count;) {
        HS_OWNS(hs_buf_clear) hs_buf text = {0};
        hs_buf_text(&text, items[i]);
        for (i++; !text.failed && list->count && i < count && goes_on(text.text, items[i], kind);
             i++)
            hs_buf_printf(&text, "%c%s", strchr(text.text, ':') ? ',' : ':', items[i]);
        HS_NEED(!text.failed);
        HS_TRY(hs_chosen_list_add(out, kind, text.text, error));
    }
    return HSEL_OK;
}

const char *hs_method_list_names(const hs_chosen_list *list, hs_arena *arena)
{
    size_t length = 0;
    for (size_t i = 0; i < list->count; i++)
        length += strlen(list->items[i].text) + 1;
    char *names = HS_ARENA_NEW(arena, char, length), *end = names;
    for (size_t i = 0; names && i < list->count; i++)
        end = stpcpy(end, list->items[i].text) + 1;
    return names;
}

int hs_metric_list_parse(const char *const *names, size_t count, hs_metric *out, size_t *out_count,
                         hsel_error *error)
{
    const char *words[HS_METRICS];
    HS_OWNS(hs_buf_clear) hs_buf there = {0};
    for (int m = 0; m < HS_METRICS; m++) {
        words[m] = hs_metric_name((hs_metric)m);
        hs_buf_text(&there, m ? ", " : "; there are ");
        hs_buf_text(&there, words[m]);
    }
    HS_NEED(!there.failed);
    *out_count = 0;
    for (size_t i = 0; i < count; i++) {
        hs_metric metric = hs_metric_find(names[i], strlen(names[i]));
        bool again = false;
        if (metric == HS_METRICS)
            return hs_fail_unknown("there is no metric", names[i], words, HS_METRICS, there.text,
                                   error);
        for (size_t j = 0; j < *out_count; j++)
            again |= out[j] == metric;
        if (!again)
            out[(*out_count)++] = metric;
    }
    return HSEL_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which options make sense together: every rule on options of the command line is a row here and is
 * checked before a command begins. What depends on the content of files or on a method is checked
 * where that is known.
 */
#include "cli/cli.h"

#define PICTURES         "svg pdf png dot graphml"
#define PRINTED_PICTURES "svg=- pdf=- png=- dot=- graphml=-"

typedef enum verb {
    REQUIRES, /* each of `options` needs one of `others` */
    EXCLUDES, /* none of `options` goes with any of `others` */
    MISSING,  /* one of `others` must be there; `why` names what to give */
    NEVER     /* none of `options` is allowed, for the reason `why` */
} verb;

/* Words are options that have a value other than their default, "name=value" (or "-" for standard
 * output) for only that value, "@Title" for all options of a group, DATA for an argument, DATA… for
 * several, MODEL where the first argument is one. */
static const struct rule {
    const char *commands, *options;
    verb verb;
    const char *others;
    const char *why;  /* may be NULL */
    const char *when; /* the rule applies if one of these words does; NULL: always */
} rules[] = {
    {"auto discover eval rank select terms", "json", EXCLUDES, "csv", NULL, NULL},
    {"terms", "latex", EXCLUDES, "csv json", NULL, NULL},
    {"explain select train", "json", EXCLUDES, PRINTED_PICTURES, "both would go to standard output",
     NULL},
    {"explain select train", "nodes", REQUIRES, PICTURES, NULL, NULL},

    {"auto", "list", EXCLUDES, "json csv output checkpoint budget permutations", "it runs nothing",
     NULL},
    {"auto", "output=-", NEVER, NULL, "the result goes to standard output", NULL},
    {"auto select", "checkpoint=-", NEVER, NULL, "the file is read again", NULL},

    {"build", NULL, MISSING, "output", "-o OUT (a file, a folder, or - for standard output)", NULL},
    {"build", "tree", EXCLUDES, "hierarchy", "they are the same", NULL},
    {"build", "taxonomy lineage-separator", EXCLUDES, "tree hierarchy",
     "it is for lineages, but the hierarchy is given", NULL},
    {"build", "target", EXCLUDES, "class positive since", "predict either a number or a class",
     NULL},
    {"build",
     "annotations annotations-format labels taxon object mapping ambiguous ignore-case "
     "term-separators namespaces evidence no-evidence until since not unknown empty no-propagate "
     "min-support",
     EXCLUDES, "abundance", "it is for annotations", NULL},
    {"build", "@Abundances @Abundance_table", REQUIRES, "abundance", NULL, NULL},
    {"build", "relations direction cycles", REQUIRES, "hierarchy tree", NULL, NULL},
    {"build", "@Labels", REQUIRES, "metadata", NULL, "abundance"},
    {"build", "labels id conflicts label-header mapping ambiguous ignore-case", EXCLUDES, "since",
     "classes come from the annotations", NULL},
    {"build", "positive drop-roots level min-support", EXCLUDES, "like",
     "features and classes are those of the model or data set", NULL},
    {"build", NULL, MISSING, "hierarchy abundance", "--hierarchy FILE", NULL},
    {"build", NULL, MISSING, "annotations abundance", "--annotations FILE, or --abundance FILE",
     NULL},
    {"build", NULL, MISSING, "labels metadata like abundance since", "--labels FILE", NULL},

    {"convert generate", NULL, MISSING, "output",
     "-o OUT (a file, a folder, or - for standard output)", NULL},

    {"discover", NULL, MISSING, "DATA annotations", "DATA, or --annotations and --hierarchy", NULL},
    {"discover", "annotations", EXCLUDES, "DATA", NULL, NULL},
    {"discover", "annotations", REQUIRES, "hierarchy", NULL, NULL},
    {"discover", "@Annotations", REQUIRES, "annotations", NULL, NULL},
    {"discover", NULL, MISSING, "positives sets", "--positives FILE or LIST", "annotations"},
    {"discover", "sets", EXCLUDES,
     "positives negatives top fdr correct-bias report page pu positive",
     "each set is the positive class in turn", NULL},
    {"discover", "min-set max-set", REQUIRES, "sets", NULL, NULL},
    {"discover", "negatives", REQUIRES, "fdr", NULL, NULL},
    {"discover",
     "format no-hierarchy labels metadata strata groups time test-set weights target covariates "
     "class no-class id ignore positive missing edges propagate aggregate transform pseudo-count "
     "min-prevalence min-abundance level",
     EXCLUDES, "annotations", "it is for data sets that are built already", NULL},
    {"discover", "target covariates", NEVER, NULL, "positives are named by --positives", NULL},
    {"discover", "report=- page=-", NEVER, NULL, "the candidates go to standard output", NULL},
    {"discover", "page", EXCLUDES, "correct-bias repeats",
     "the page ranks by the scores of one "
     "repeat",
     NULL},

    {"eval", "classes", EXCLUDES, "csv", "CSV is one table; --json has the classes, too", NULL},
    {"eval", "similarity", REQUIRES, "stability", NULL, NULL},
    {"eval", "names", REQUIRES, "predictions frequencies", "the table has no labels", NULL},
    {"eval", "write-folds predictions", EXCLUDES, "DATA…", NULL, NULL},

    {"explain", NULL, MISSING, "DATA model", "DATA and --instance, or --model", NULL},
    {"explain", "instance", REQUIRES, "DATA", NULL, NULL},
    {"explain", NULL, MISSING, "instance",
     "--instance ID or '#NUMBER' (without DATA, --model is shown as a whole)", "DATA"},
    {"explain explore", "model", EXCLUDES, "select classify",
     "the model has its own selector and classifier", NULL},
    {"explain", "whole", EXCLUDES, "json " PRINTED_PICTURES,
     "JSON is always complete, and --nodes 0 makes pictures complete", NULL},
    {"explain", "whole why @Data", REQUIRES, "DATA", NULL, NULL},
    {"explain", "why", EXCLUDES, "whole " PICTURES, NULL, NULL},

    {"explore", NULL, MISSING, "DATA store", "DATA", NULL},
    {"explore", NULL, MISSING, "output json", "-o FILE, the page to write", NULL},
    {"explore", "model", EXCLUDES, "store", NULL, NULL},
    {"explore", "study dataset", REQUIRES, "store", NULL, NULL},
    {"explore", "dataset", EXCLUDES, "DATA", NULL, NULL},
    {"explore", "instance @Data", REQUIRES, "DATA", NULL, NULL},
    {"explore", "folds seed fold-scheme allow-violations", EXCLUDES, "model",
     "a model is not cross-validated", NULL},
    {"explore", "folds seed fold-scheme allow-violations rank-by", EXCLUDES, "store",
     "that of the study is used", NULL},
    {"explore", "features", REQUIRES, "model", NULL, NULL},

    {"predict explain explore", "min-support labels branch exclude-branch covariates", EXCLUDES,
     "MODEL model", "the features are those of the model", NULL},
    {"predict explain explore", "groups time test-set weights", EXCLUDES, "MODEL model",
     "the model is already trained", NULL},
    {"explain explore", "positive", EXCLUDES, "MODEL model", "the classes are those of the model",
     NULL},
    {"predict", "positive", REQUIRES, "sort top", "the classes are those of the model", NULL},
    {"predict explain explore", "pu", EXCLUDES, "MODEL model", "the classes are those of the model",
     NULL},
    {"predict explain explore", "target", EXCLUDES, "MODEL model",
     "the target is that of the model", NULL},
    {"predict explain explore", "edges", EXCLUDES, "MODEL model",
     "the hierarchy is that of the model", NULL},
    {"predict explain explore", "hierarchy hierarchy-format relations namespaces direction cycles",
     REQUIRES, "drop-roots", "the hierarchy is otherwise that of the model", "MODEL model"},

    {"rank", "@p-values", REQUIRES, "p-values", NULL, NULL},
    {"rank", "adjust=max-t", REQUIRES, "permutations", NULL, NULL},
    {"rank", "names p-values", EXCLUDES, "compare", "features are not shown", NULL},
    {"rank", "DATA…", REQUIRES, "compare", NULL, NULL},

    {"report", "charts=-", NEVER, NULL, "it takes a folder", NULL},

    {"run", "strict", EXCLUDES, "allow-failed", NULL, NULL},
    {"run", "part", EXCLUDES, "gather", "gather when all parts are done", NULL},
    {"run", "part", EXCLUDES, "export", "the table of a part would be incomplete: use --gather",
     NULL},

    {"select", NULL, MISSING, "select", "--select METHOD; hsel methods lists them", NULL},
    {"select", "csv folds", REQUIRES, "table", NULL, NULL},
    {"select", "scores", EXCLUDES, "table", "the table has the scores", NULL},
    {"select", "to hierarchy-output hierarchy-to", EXCLUDES, "table",
     "-o then writes the table, not a data set", NULL},
    {"select", "scores table output", EXCLUDES, PRINTED_PICTURES,
     "the picture is printed in place of the list", NULL},

    {"test", "outer leaves filter", REQUIRES, "hierarchy", NULL, NULL},
    {"test", "support similar", REQUIRES, "filter", NULL, NULL},

    {"train", NULL, MISSING, "output show", "-o MODEL or --show", NULL},
    {"train", "json names " PICTURES, REQUIRES, "show", NULL, NULL},
    {"train", "output=-", EXCLUDES, "show", "both would go to standard output", NULL},
};

/* The first of the words, separated by blanks; "": none. */
static const char *first_word(const char *words, size_t *length)
{
    words += strspn(words, " ");
    *length = strcspn(words, " ");
    return words;
}

bool hs_is_word(const char *words, const char *name)
{
    size_t length;
    for (; *(words = first_word(words, &length)); words += length)
        if (strlen(name) == length && memcmp(words, name, length) == 0)
            return true;
    return false;
}

/* Titles have "_" for a blank in rules. */
static bool is_title(const char *title, const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (title[i] != (word[i] == '_' ? ' ' : word[i]))
            return false;
    return title[length] == '\0';
}

static bool is_value(const char *given, const char *value, size_t length)
{
    return strlen(given) == length && memcmp(given, value, length) == 0;
}

/* Whether the word applies to the call; `name` is then what was given. */
static bool applies(const hs_call *call, const char *word, size_t length, char name[64])
{
    size_t bare = strcspn(word, " =");
    const char *value = bare < length ? word + bare + 1 : NULL; /* name=value */
    const size_t value_length = value ? length - bare - 1 : 0;
    if (*word == 'D') {
        bool several = length > strlen("DATA");
        snprintf(name, 64, "%sDATA", several ? "more than one " : "");
        return call->count > several;
    }
    if (*word == 'M') {
        snprintf(name, 64, "MODEL");
        return strncmp(call->command->arguments, "MODEL", 5) == 0;
    }
    for (const hs_given *g = call->given; g->option; g++) {
        const char *option = g->option->name;
        bool found =
            *word == '@' /* threads are for all work, whatever the group */
                ? is_title(g->title, word + 1, length - 1) && strcmp(option, "threads") != 0
                : strlen(option) == bare && memcmp(option, word, bare) == 0;
        if (!found || hs_option_is_default(g->option, g->field) ||
            (value && !is_value(*(const char *const *)g->field, value, value_length)))
            continue;
        snprintf(name, 64, "--%s%s%.*s", option, value ? " " : "", (int)value_length, value);
        return true;
    }
    return false;
}

static bool any_applies(const hs_call *call, const char *words, char name[64])
{
    size_t length;
    for (; *(words = first_word(words, &length)); words += length)
        if (applies(call, words, length, name))
            return true;
    return false;
}

/* "--a, --b or --c" */
static void list_words(const char *words, hs_buf *out)
{
    size_t length, after;
    for (bool first = true; *(words = first_word(words, &length)); words += length, first = false)
        hs_buf_printf(out, "%s%s%.*s",
                      first                                 ? ""
                      : *first_word(words + length, &after) ? ", "
                                                            : " or ",
                      *words == 'D' ? "" : "--", (int)length, words);
}

static int check_rule(const hs_call *call, const struct rule *rule, hsel_error *error)
{
    const char *why = rule->why ? rule->why : "", *colon = rule->why ? ": " : "";
    char name[64], other[64];
    size_t length;
    HS_REFUSE(rule->verb == MISSING && !any_applies(call, rule->others, other), "missing %s", why);
    if (rule->verb == MISSING)
        return HSEL_OK;
    for (const char *at = rule->options; *(at = first_word(at, &length)); at += length) {
        if (!applies(call, at, length, name))
            continue;
        HS_REFUSE(rule->verb == NEVER, "%s is not possible: %s", name, why);
        bool any = any_applies(call, rule->others, other);
        HS_REFUSE(any && rule->verb == EXCLUDES, "%s cannot be combined with %s%s%s", name, other,
                  colon, why);
        if (!any && rule->verb == REQUIRES) {
            HS_OWNS(hs_buf_clear) hs_buf needed = {0};
            list_words(rule->others, &needed);
            HS_NEED(!needed.failed);
            return hs_fail(error, HSEL_EUSAGE, "%s requires %s%s%s", name, needed.text, colon, why);
        }
    }
    return HSEL_OK;
}

int hs_rules_check(const hs_call *call, hsel_error *error)
{
    char name[64];
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (hs_is_word(rules[i].commands, call->command->name) &&
            (!rules[i].when || any_applies(call, rules[i].when, name)))
            HS_TRY(check_rule(call, &rules[i], error));
    return HSEL_OK;
}

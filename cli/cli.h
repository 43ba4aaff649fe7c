/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands: one file cmd_NAME.c and one line in commands.def; parsing, help, man pages and
 * completion are generated from the option tables named here.
 */
#pragma once

#include <dirent.h>

#include "explore/explore.h"
#include "learn/model.h"
#include "load/load.h"
#include "show/drawing.h"
#include "stats/metrics.h"
#include "study/runner.h"
#include "study/study.h"

#define HS_GROUPS 8

/* Options that belong together: a table over the struct that lies at `offset` in the command's
 * values. */
typedef struct hs_option_group {
    const char *title; /* heading in help, e.g. "Data" */
    const hs_option *table;
    size_t offset;
} hs_option_group;

/* Further return values of a command besides HSEL_OK and failures, which become exit codes. */
enum { HS_EXIT_FAILED = 3, HS_EXIT_MISSING, HS_EXIT_LEFT_OUT };

typedef struct hs_given { /* an option of the command line */
    const hs_option *option;
    const void *field;
    const char *title; /* of its group */
} hs_given;

typedef struct hs_call {
    const struct hs_command *command;
    void *values; /* the command's option struct, filled */
    const char **arguments;
    int count;
    hs_given *given;    /* each option once, up to one that is NULL */
    const char **words; /* the command line after the command, with files by their base names */
    int word_count;
    hs_document *doc; /* for texts with the lifetime of the call: hs_say */
    hs_arena *arena;  /* its */
    bool quiet;       /* no notes */
    struct hs_progress_show *show;
    bool csv_safe;
    struct hs_claim **claims;
} hs_call;

enum hs_command_flags {
    HS_WORKS = 1,         /* slow: it has --progress */
    HS_HAS_MEMORY = 2,    /* it has --memory, and estimates what it needs */
    HS_WRITES_CSV = 4,    /* it has --csv-safe */
    HS_TAKES_NAMES = 8,   /* the arguments are names, not files to read */
    HS_READS_NOTHING = 16 /* the limits of input do not apply */
};

typedef struct hs_command {
    const char *name;
    const char *arguments;             /* as usage has them: "MODEL DATA", "DATA…", "[NAME]" */
    const char *summary;               /* one line, for the list of commands */
    const char *help;                  /* paragraphs, and perhaps "Examples:" with lines */
    const char *first;                 /* names of the options that --help shows; NULL: all */
    hs_option_group groups[HS_GROUPS]; /* up to the first without table */
    size_t size;                       /* of the option struct */
    unsigned flags;                    /* hs_command_flags */
    int (*run)(const hs_call *call, hsel_error *error);
} hs_command;

/* The parts of every command. Its help is the text help/NAME.txt, and NAME_command runs it. */
#define HS_COMMAND_IS(name_, arguments_, summary_, options_)                                       \
    .name = #name_, .arguments = (arguments_), .summary = (summary_), .help = hs_help_##name_,     \
    .size = sizeof(options_), .run = name_##_command
#define HS_COMMAND(name_) extern const char hs_help_##name_[];
#include "cli/commands.def"
#undef HS_COMMAND

extern const hs_command *const hs_commands[];
extern const size_t hs_command_count;
const hs_command *hs_command_find(const char *name); /* NULL: there is none */
/* The groups of a command in the order of help: its own, then the limits of its input. */
bool hs_command_group(const hs_command *command, size_t index, hs_option_group *out);

typedef enum hs_help_asked { HS_NO_HELP, HS_HELP, HS_HELP_ALL } hs_help_asked;

/* Parses argv (after the command's name) into the call, up to -h, --help or --help-all. */
HSEL_CHECKED int hs_parse_call(const hs_command *command, int argc, char **argv, hs_call *call,
                               hs_help_asked *help, hsel_error *error);
/* Whether the name is one of these, which are separated by blanks. */
bool hs_is_word(const char *words, const char *name);
/* Refuses invalid combinations of options (rules.c). */
HSEL_CHECKED int hs_rules_check(const hs_call *call, hsel_error *error);
HSEL_CHECKED int hs_print_overview(hsel_error *error);
HSEL_CHECKED int hs_print_command_help(const hs_command *command, bool all, hsel_error *error);

/* "PROBLEM 'name'; did you mean 'word'?" by the nearest of the words, else "PROBLEM 'name'" and the
 * alternative text. */
int hs_fail_unknown(const char *problem, const char *name, const char *const *words, size_t count,
                    const char *otherwise, hsel_error *error);

/* Writes text from the library, which ends in a line feed, to a file; "-": standard output. */
HSEL_CHECKED int hs_print_text(const char *path, const char *text, hsel_error *error);

/* ---- options that several commands have ---- */

/* -o, --output */
#define HS_OUTPUT_FILE(T, field, value_, use_, default_, help_)                                    \
    {                                                                                              \
        .name = "output", .letter = 'o', .value = (value_), .fallback = (default_),                \
        .help = (help_), .type = HS_OPT_TEXT, .offset = offsetof(T, field), .use = (use_)          \
    }
#define HS_ALLOW_VIOLATIONS(T)                                                                     \
    HS_FLAG(T, allow_violations, "allow-violations",                                               \
            "accept data that break the true-path rule (eager selectors only; --propagate "        \
            "repairs them)")

/* --names, an int `names` in the options; then hs_hide_names on everything that is shown. */
#define HS_NAMES(T)                                                                                \
    HS_CHOICE(T, names, "names", "on|off", "on",                                                   \
              "on: show labels beside identifiers, if the data have any; off: identifiers only")
void hs_hide_names(hsel_dataset *data, int names);
/* A cell with a label or namespace (NULL: empty), in full or cut for display. */
void hs_put_label(hs_doc_grid *grid, const char *label, bool whole);

/* Parses lists of methods, "rpv,hip" or "rpv:measure=ig,smoothing=rpv"; the `usual` ones, up to
 * NULL, if the list is empty. HS_RANKER includes measures. */
HSEL_CHECKED int hs_method_list_parse(const hs_list *list, hs_kind kind, const char *const *usual,
                                      hs_chosen_list *out, hsel_error *error);
#define HS_USUAL(...) ((const char *const[]){__VA_ARGS__, NULL})
/* The texts, each followed by a NUL, as hsel.h takes them; NULL: no memory. */
const char *hs_method_list_names(const hs_chosen_list *list, hs_arena *arena);
/* Each metric once: out[HS_METRICS]. */
HSEL_CHECKED int hs_metric_list_parse(const char *const *names, size_t count, hs_metric *out,
                                      size_t *out_count, hsel_error *error);

/* ---- files ---- Every file that a command reads or writes is claimed before it writes anything:
 * arguments and options when the command line is parsed, derived names (the data of a study, the
 * default name of an output) by the command. HSEL_EUSAGE if a file would be read and written, or
 * written twice. */

#define HS_DATA_FOLDER  "data.* hierarchy.* features.* instances.* meta.json"
#define HS_CHART_FOLDER "*.svg *.tsv"

/* The part after the last slash; a slash at the end does not count and is kept. */
const char *hs_last_part(const char *path);
HSEL_CHECKED int hs_claim_call(const hs_call *call, hsel_error *error);
/* A file and its accompanying files, or a folder of data. */
HSEL_CHECKED int hs_claim_read(const hs_call *call, const char *path, hsel_error *error);
/* `siblings`: endings of accompanying files, which replace its own; NULL: none. */
HSEL_CHECKED int hs_claim_written(const hs_call *call, const char *path,
                                  const char *const *siblings, hsel_error *error);
/* Files of a folder that are written, by patterns that live as long as the call. */
HSEL_CHECKED int hs_claim_folder(const hs_call *call, const char *folder, const char *patterns,
                                 hsel_error *error);
/* The fold file that a scheme may be. */
HSEL_CHECKED int hs_claim_scheme(const hs_call *call, const char *scheme, hsel_error *error);
/* All files that a study reads, except its own. */
HSEL_CHECKED int hs_claim_study(const hs_call *call, const hs_study *study, hsel_error *error);

/* ---- printing, for every command ---- */

/* "note: …" on standard error, unless --quiet. */
void hs_note(const hs_call *call, const char *format, ...) HS_PRINTF(2, 3);
/* "1 feature", "3 features" */
const char *hs_some(const hs_call *call, uint64_t count, const char *what);
/* Those that methods left; clears them. */
void hs_note_all(const hs_call *call, hs_notes *notes);
/* How many groups, times and strata the data have, and how large their test set is. */
/* " of 2 to 4 instances": the sizes of groups. */
const char *hs_sizes(const hs_call *call, const hs_role_report *found);
HSEL_CHECKED int hs_note_roles(const hs_call *call, const hsel_dataset *data, hsel_error *error);
/* Prints notes on what loading found and did. */
void hs_note_load(const hs_call *call, const hsel_dataset *data, const hs_load_report *report);

/* Notes on training data: which class is positive (and, optionally, the AUPRC by chance), and
 * features that are positive everywhere. sizes: instances of each class, if they are not those of
 * the data. */
void hs_note_classes(const hs_call *call, const hsel_dataset *data, const uint32_t *sizes,
                     bool auprc);
/* Instances without class, of data that are learned from. */
void hs_note_unlabelled(const hs_call *call, const hsel_dataset *data);
/* Finds pairs that cannot be combined or do not suit the data (NULL: not checked): why[selector *
 * classifiers + classifier] is the reason, and each reason is noted once. Fails if no pair remains.
 */
HSEL_CHECKED int hs_leave_out(const hs_call *call, const hsel_dataset *data,
                              const hs_chosen_list *selectors, const hs_chosen_list *classifiers,
                              bool allow_violations, const char **why, hsel_error *error);
/* Which class is in use, of data that have several. */
void hs_note_further(const hs_call *call, const hsel_dataset *data);
/* Notes instances that look repeated, unless there are groups. */
HSEL_CHECKED int hs_note_repeats(const hs_call *call, const hsel_dataset *data, hsel_error *error);
void hs_note_always_positive(const hs_call *call, const hsel_dataset *data);
/* The members positive_class and positive_share of an object; null unless there are two classes. */
void hs_json_positive(hs_json *json, const hsel_dataset *data);

HS_RELEASE(hs_release_model, hsel_model, hsel_model_free)

/* Notes that the edges of a hierarchy may have been read in the wrong direction, if there are signs
 * of it. */
void hs_note_direction(const hs_call *call, const hs_graph_ends *ends, int direction);

/* Loads DATA with the options of the group and prints the notes. */
HSEL_CHECKED int hs_load_for(const hs_call *call, const char *path, const hs_load_options *options,
                             hsel_dataset **out, hsel_error *error);

/* ---- writing data sets ----
 * Where a command puts a data set: a pack, a data file with or without a hierarchy file beside it,
 * or a folder (data.arff.gz, hierarchy.tsv.gz, meta.json) that every command can read again. */

typedef struct hs_output_options {
    const char *output; /* "-": standard output */
    const char *format;
    const char *hierarchy_output;
    const char *hierarchy_format;
} hs_output_options;

extern const hs_option hs_output_table[]; /* over hs_output_options: --output, --to,
                                             --hierarchy-output, --hierarchy-to */

/* Checks, before loading, that there is an output and a format for it. `roles`: possible kinds of
 * data. */
HSEL_CHECKED int hs_output_check(const hs_output_options *options, unsigned roles,
                                 hsel_error *error);
/* The files that would be written; nothing if there is no --output. */
HSEL_CHECKED int hs_output_claim(const hs_call *call, const hs_output_options *options,
                                 hsel_error *error);
/* `known` is the graph that the hierarchy was made from, for formats that store more of it than a
 * data set; NULL: not available. */
HSEL_CHECKED int hs_output_dataset(const hs_call *call, const hsel_dataset *data,
                                   const hs_graph *known, const hs_output_options *options,
                                   hsel_error *error);

/* HS_OWNS(hs_close_folder) DIR *folder = opendir(path); NULL is fine. */
static inline void hs_close_folder(DIR **folder)
{
    if (*folder)
        closedir(*folder);
}

/* The provenance of the data: sources, ontology, relations and each step, as a name and a text. */
typedef struct hs_fact {
    const char *what, *text;
} hs_fact;
HSEL_CHECKED int hs_provenance_facts(const hs_call *call, const char *text, hs_fact **facts,
                                     size_t *count, hsel_error *error);
/* This call as a step of the provenance of data: JSON of command, arguments and program. */
void hs_json_step(hs_json *json, const hs_call *call);

/* ---- models ---- Helpers for train, predict, explain and select: aligning data with the training
 * data, showing a model, and the features selected for an instance. */

typedef struct hs_predict_options {
    int features; /* 0: exact, 1: intersect */
} hs_predict_options;

extern const hs_option hs_predict_table[]; /* over hs_predict_options */

/* Loads data and aligns them with `shape` (the training data): the class column is used if there is
 * one, features are matched by name, and the hierarchy is that of `shape` (also for
 * --propagate). */
HSEL_CHECKED int hs_load_like(const hs_call *call, const char *path, const hs_load_options *load,
                              const hs_predict_options *options, const hsel_dataset *shape,
                              hsel_dataset **out, hsel_error *error);

/* Finds an instance: by identifier (the first of several), else by label, else by number: "#3", or
 * "3" where there are no identifiers. */
HSEL_CHECKED int hs_find_instance(const hsel_dataset *data, const char *wanted, uint32_t *out,
                                  hsel_error *error);

/* ---- pictures ---- */

enum { HS_PICTURES = 5 };

typedef struct hs_picture_options {
    const char *file[HS_PICTURES]; /* by its form; may be NULL, "-": standard output */
    uint32_t nodes;
} hs_picture_options;

extern const hs_option hs_picture_table[]; /* over hs_picture_options */

/* Whether a picture is requested, and whether one is printed instead of the text. */
bool hs_pictures_wanted(const hs_picture_options *pictures);
bool hs_pictures_printed(const hs_picture_options *pictures);
HSEL_CHECKED int hs_write_pictures(const hs_call *call, const hs_drawing *drawing,
                                   const hs_picture_options *pictures, hsel_error *error);

/* Shows the whole model: as pictures, and on standard output, unless a picture goes there, as text
 * or JSON. HSEL_EUNSUPPORTED when it has no drawing. */
HSEL_CHECKED int hs_show_model(const hs_call *call, hsel_model *model,
                               const hs_picture_options *pictures, int names, bool json,
                               hsel_error *error);

/* Makes an exploration and writes it as a page or JSON, with command line, provenance and notes. */
HSEL_CHECKED int hs_write_exploration(const hs_call *call, hs_explore_request *request,
                                      const char *output, bool json, hs_notes *notes,
                                      hsel_error *error);

/* Why each of these features was kept or dropped for the instance, and the features that beat it: a
 * sentence a line, or JSON, on standard output. */
HSEL_CHECKED int hs_show_why(const hs_model *model, const hsel_dataset *data, uint32_t instance,
                             const hs_list *features, bool json, hsel_error *error);

/* Begins an object with the number, identifier and label of an instance. */
void hs_json_instance(hs_json *json, const hsel_dataset *data, uint32_t instance);
/* Predictions, or only the features selected, of the instances of a data set, part by part. */
typedef struct hs_predicted { /* the first members are set before hs_predicted_init */
    const hsel_model *model;
    const hsel_dataset *data;
    const double *weight;          /* 0: left out; NULL: none is */
    bool predicts, features, json; /* features: lists of them, else only how many */
    bool scores, sorted;           /* sorted: by the score of `best`, descending … */
    uint32_t best, top;            /* … and only the first ones; 0: all */
    hsel_request request;          /* the current part: `count` instances from `first` on */
    uint32_t classes, answers;     /* probabilities and scores of an instance; a number is one */
    double *probability, *score;
    uint32_t *selected, *index, *order; /* order: the features of the current instance */
    uint64_t *start; /* the features of instance first + i are index[start[i]] and so on */
} hs_predicted;

HSEL_CHECKED int hs_predicted_init(hs_predicted *predicted, const hs_call *call, int threads,
                                   hsel_error *error);
void hs_predicted_clear(hs_predicted *predicted);
HSEL_CHECKED int hs_predicted_next(hs_predicted *predicted, bool *more, hsel_error *error);
/* Writes all parts: a heading and a line per instance, or an object. */
HSEL_CHECKED int hs_put_predictions(hs_predicted *predicted, hs_writer *out, hsel_error *error);

/* ---- progress ---- Shows progress on standard error: a line that is overwritten, JSON lines for
 * programs, or nothing. */

typedef enum hs_progress_mode {
    HS_PROGRESS_AUTO,
    HS_PROGRESS_BAR,
    HS_PROGRESS_JSON,
    HS_PROGRESS_NONE
} hs_progress_mode;
#define HS_PROGRESS_WORDS "auto|bar|json|none" /* in this order */

typedef struct hs_progress_show {
    hs_progress progress; /* give this to the work */
    hs_progress_mode mode;
    bool working, patient; /* between begin and end; shows nothing of work that is short */
    double began, shown;
    uint64_t read; /* of the current file */
    const hs_run_jobs
        *jobs; /* returns the work done before, which does not count for the speed; may be NULL */
    const char *noun; /* the unit, such as "jobs"; NULL: only shares are shown */
    bool on_screen;
    const hs_progress *told; /* receives the progress of library calls */
} hs_progress_show;

/* Begins long work and returns its receiver of progress, shown by --progress; `auto` is the line
 * after a second, if standard error is a terminal. Ctrl-C and SIGTERM become requests to stop; a
 * second one ends the program. Ends with hs_progress_end or the command. */
const hs_progress *hs_progress_begin(const hs_call *call, hs_notes *notes);
/* Begins long work: the given request (may be NULL) with progress and notes of the call. */
hsel_request hs_request(const hs_call *call, const hsel_request *given, int threads);
/* The same for a part of work that has already begun. */
hsel_request hs_request_part(const hs_call *call, const hsel_request *given,
                             const hs_progress *progress, int threads);
/* Shows reading of files in the same way until then; Ctrl-C ends the program. */
void hs_progress_reading(const hs_call *call);
/* Removes the line from the screen, before other output. */
void hs_progress_hide(hs_progress_show *show);
void hs_progress_end(hs_progress_show *show);

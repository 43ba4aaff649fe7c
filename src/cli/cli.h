/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a command is. One file cmd_NAME.c and one line in commands.def; parsing, help, man pages and
 * completion come from the option tables named here.
 */
#ifndef HS_CLI_CLI_H
#define HS_CLI_CLI_H

#include "core/json.h"
#include "core/mem.h"
#include "core/method.h"
#include "core/notes.h"
#include "core/option.h"
#include "core/reader.h"
#include "core/writer.h"
#include "format/load.h"
#include "stats/metrics.h"
#include "study/study.h"

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
    bool csv_safe;
    struct hs_claim **claims;
} hs_call;

typedef struct hs_command {
    const char *name;
    const char *arguments;             /* as usage has them: "MODEL DATA", "DATA…", "[NAME]" */
    const char *summary;               /* one line, for the list of commands */
    const char *help;                  /* what it does, as paragraphs */
    const char *examples;              /* lines "command\n  what it does" */
    bool takes_names;                  /* the arguments are names, not files to read */
    hs_option_group groups[HS_GROUPS]; /* up to the first without table */
    size_t size;                       /* of the option struct */
    bool writes_csv;                   /* then it has --csv-safe */
    bool no_limits;                    /* it reads no input that the limits are for */
    int (*run)(const hs_call *call, hsel_error *error);
} hs_command;

extern const hs_command *const hs_commands[];
extern const size_t hs_command_count;
const hs_command *hs_command_find(const char *name); /* NULL: there is none */
/* The groups of a command in the order of help: its own, then the limits of what it reads. */
bool hs_command_group(const hs_command *command, size_t index, hs_option_group *out);

/* Parses argv (after the command's name) into the call. *wants_help: -h or --help was there. */
HSEL_CHECKED int hs_parse_call(const hs_command *command, int argc, char **argv, hs_call *call,
                               bool *wants_help, hsel_error *error);
HSEL_CHECKED int hs_print_overview(hsel_error *error);
HSEL_CHECKED int hs_print_command_help(const hs_command *command, hsel_error *error);

/* A text that lives as long as the call; NULL when memory runs out. */
const char *hs_call_text(const hs_call *call, const char *format, ...) HS_PRINTF(2, 3);

/* Wrong usage ends a function with this message: HS_REFUSE(json && csv, "…"). Uses `error`. */
#define HS_REFUSE(wrong, ...) HS_TRY((wrong) ? hs_fail(error, HSEL_EUSAGE, __VA_ARGS__) : HSEL_OK)

/* "PROBLEM 'name'; did you mean 'word'?" by the nearest of the words, else "PROBLEM 'name'" and
 * what stands in its place. */
int hs_fail_unknown(const char *problem, const char *name, const char *const *words, size_t count,
                    const char *otherwise, hsel_error *error);

/* ---- options that several commands have ---- */

/* -o, --output */
#define HS_OUTPUT_FILE(T, field, value_, use_, default_, help_)                                    \
    {                                                                                              \
        .name = "output", .letter = 'o', .value = (value_), .fallback = (default_),                \
        .help = (help_), .type = HS_OPT_TEXT, .offset = offsetof(T, field), .use = (use_)          \
    }
#define HS_ALLOW_VIOLATIONS(T)                                                                     \
    HS_FLAG(T, allow_violations, "allow-violations",                                               \
            "work with data in which an instance has a term but not all of its ancestors (eager "  \
            "selectors only; --propagate repairs such data)")

/* Several methods in one option: "--select rpv,hip", "--select rpv:measure=ig,smoothing=rpv
 * --select hip". */
typedef struct hs_method_list { /* zero-initialise; hs_method_list_clear frees */
    hs_chosen *items;           /* these and their canonical text are in the arena */
    const char **text;
    size_t count;
} hs_method_list;

/* `fallback` when the list is empty. Kind HS_RANKER: rankers and measures. */
HSEL_CHECKED int hs_method_list_parse(const hs_list *list, hs_kind kind, const char *fallback,
                                      hs_arena *arena, hs_method_list *out, hsel_error *error);
void hs_method_list_clear(hs_method_list *list);
/* Each metric once: out[HS_METRICS]. */
HSEL_CHECKED int hs_metric_list_parse(const char *const *names, size_t count, hs_metric *out,
                                      size_t *out_count, hsel_error *error);

/* ---- files ----
 * Whatever a command reads or writes is claimed before it writes anything: arguments and options by
 * their tables when the command line is parsed, what follows from them (the data of a study, the
 * default name of an output) by the command. HSEL_EUSAGE if a file would be read and written, or
 * written twice. */

#define HS_DATA_FOLDER  "data.* hierarchy.* meta.json"
#define HS_CHART_FOLDER "*.svg *.gp *.tsv"

HSEL_CHECKED int hs_claim_call(const hs_call *call, hsel_error *error);
/* A file with what stands beside it, or a folder of data. */
HSEL_CHECKED int hs_claim_read(const hs_call *call, const char *path, hsel_error *error);
/* `siblings`: endings of files that are written beside it, in place of its own; NULL: none. */
HSEL_CHECKED int hs_claim_written(const hs_call *call, const char *path,
                                  const char *const *siblings, hsel_error *error);
/* Files of a folder that are written, by patterns that live as long as the call. */
HSEL_CHECKED int hs_claim_folder(const hs_call *call, const char *folder, const char *patterns,
                                 hsel_error *error);
/* The folder for the charts of a page: "out/page.html" -> "out/page_files". */
HSEL_CHECKED int hs_claim_charts(const hs_call *call, const char *page, const char **out,
                                 hsel_error *error);
/* All that a study reads, but for its own file. */
HSEL_CHECKED int hs_claim_study(const hs_call *call, const hs_study *study, hsel_error *error);

/* ---- printing, for every command ---- */

/* HS_OPEN(out, "-"); … return hs_writer_commit(hs_take(&out), error); declares a writer that is
 * abandoned whichever other way the block is left. */
#define HS_OPEN(out, path)                                                                         \
    HS_OWNS(hs_writer_release) hs_writer *out = NULL;                                              \
    HS_TRY(hs_writer_open(path, &out, error))

/* A further cell of a line of CSV or TSV, by the type of its value. */
#define HS_CELL_AS(out, value, text)                                                               \
    _Generic((value), double : hs_writer_double, char * : text, const char * : text, default : hs_writer_u64)(out, value)
#define HS_CSV(out, value) (hs_writer_char(out, ','), HS_CELL_AS(out, value, hs_put_csv))
#define HS_TSV(out, value) (hs_writer_char(out, '\t'), HS_CELL_AS(out, value, hs_put_tsv))

/* "note: …" on standard error, unless --quiet. */
void hs_note(const hs_call *call, const char *format, ...) HS_PRINTF(2, 3);
/* Those that methods left; clears them. */
void hs_note_all(const hs_call *call, hs_notes *notes);
/* What loading met and did, as notes. */
void hs_note_load(const hs_call *call, const hsel_dataset *data, const hs_load_report *report);

/* What should be known of data that methods learn from: which class is positive (and, if asked,
 * what AUPRC is by chance), and features that are positive everywhere. sizes: instances of each
 * class, if they are not those of the data. */
void hs_note_classes(const hs_call *call, const hsel_dataset *data, const uint32_t *sizes,
                     bool auprc);
void hs_note_always_positive(const hs_call *call, const hsel_dataset *data);
/* Keys of an object: positive_class and positive_share, of two classes; null: there are others. */
void hs_json_positive(hs_json *json, const hsel_dataset *data);

/* Asks whether the edges of a hierarchy were read in the wrong direction, if it looks so. */
void hs_note_direction(const hs_call *call, const hs_graph_ends *ends, int direction);

/* Loads DATA with the options of the group and prints the notes. */
HSEL_CHECKED int hs_load_for(const hs_call *call, const char *path, const hs_load_options *options,
                             hsel_dataset **out, hsel_error *error);

#endif

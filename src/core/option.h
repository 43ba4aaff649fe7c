/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options, declared once: a table over the fields of a plain struct. The same table serves the
 * command line, help, man pages, completion, method text ("knn:k=3"), the key in the store and the
 * Python package.
 *
 *     struct knn_options { int k; int metric; };
 *     static const hs_option knn_table[] = {
 *         HS_OPTION(struct knn_options, k, "k", "N", "1", 1, 1000, "number of neighbours"),
 *         HS_CHOICE(struct knn_options, metric, "metric", "hamming|jaccard", "hamming",
 * "distance"), HS_OPTION_END};
 *
 * The type of a field decides how text is read (_Generic); defaults are text, so that there is one
 * way in.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/error.h"
#include "core/text.h"

typedef struct hs_list { /* an option that may be given several times, or as a,b,c */
    const char **items;
    size_t count, capacity;
} hs_list;

typedef enum hs_option_type {
    HS_OPT_END,
    HS_OPT_BOOL,
    HS_OPT_INT,
    HS_OPT_U32,
    HS_OPT_U64,
    HS_OPT_DOUBLE,
    HS_OPT_TEXT,  /* const char *; NULL when not given and no default */
    HS_OPT_LIST,  /* hs_list */
    HS_OPT_CHOICE /* int: number of the word in `value` */
} hs_option_type;

/* How the file named by a text is used. */
typedef enum hs_option_use {
    HS_NOT_A_FILE,
    HS_READS,
    HS_WRITES,
    HS_READS_COLUMN /* of the data, by name, or FILE or FILE:COLUMN */
} hs_option_use;

typedef struct hs_option {
    const char *name;     /* as in --name */
    const char *value;    /* placeholder in help ("FILE", "N"), or the words of a choice: "a|b|c" */
    const char *fallback; /* default as text; NULL = none */
    const char *help;     /* one sentence, lower case, no full stop */
    hs_option_type type;
    size_t offset;
    double min, max;
    const char *sets; /* a preset: the options that its second word sets, "k=1,laplace" */
    char letter;      /* short form, 0 for none */
    hs_option_use use;
} hs_option;

#define HS_OPTION_TYPE(field)                                                                      \
    _Generic((field), bool : HS_OPT_BOOL, int : HS_OPT_INT, uint32_t : HS_OPT_U32, uint64_t : HS_OPT_U64, \
             double : HS_OPT_DOUBLE, const char * : HS_OPT_TEXT, hs_list : HS_OPT_LIST)
#define HS_OPTION(T, field, name_, value_, default_, min_, max_, help_)                            \
    {                                                                                              \
        .name = (name_), .value = (value_), .fallback = (default_), .help = (help_),               \
        .type = HS_OPTION_TYPE(((T *)0)->field), .offset = offsetof(T, field), .min = (min_),      \
        .max = (max_)                                                                              \
    }
#define HS_FLAG(T, field, name_, help_) HS_OPTION(T, field, name_, NULL, "false", 0, 1, help_)
#define HS_TEXT(T, field, name_, value_, default_, help_)                                          \
    HS_OPTION(T, field, name_, value_, default_, 0, 0, help_)
#define HS_FILE(T, field, name_, value_, use_, help_)                                              \
    {                                                                                              \
        .name = (name_), .value = (value_), .help = (help_),                                       \
        .type = HS_OPTION_TYPE(((T *)0)->field), .offset = offsetof(T, field), .use = (use_)       \
    }
#define HS_CHOICE(T, field, name_, words_, default_, help_)                                        \
    {                                                                                              \
        .name = (name_), .value = (words_), .fallback = (default_), .help = (help_),               \
        .type = HS_OPT_CHOICE, .offset = offsetof(T, field)                                        \
    }
/* "none|word": the word stands for other options, which are set before all that are given; the
 * field stays 0. */
#define HS_PRESET(T, field, words_, sets_, help_)                                                  \
    {                                                                                              \
        .name = "preset", .value = (words_), .fallback = "none", .help = (help_),                  \
        .type = HS_OPT_CHOICE, .offset = offsetof(T, field), .sets = (sets_)                       \
    }
#define HS_OPTION_END                                                                              \
    {                                                                                              \
        .type = HS_OPT_END                                                                         \
    }

/* Sets every field to its default. Texts and lists that are set later live in the arena given then.
 */
HSEL_CHECKED int hs_options_defaults(const hs_option *table, void *values, hs_arena *arena,
                                     hsel_error *error);
/* Sets one field from text; the error names the option and what it takes. A list gains items.
 * An empty text or list is refused. */
HSEL_CHECKED int hs_option_set(const hs_option *option, void *values, const char *text,
                               size_t length, hs_arena *arena, hsel_error *error);
const hs_option *hs_option_find(const hs_option *table, const char *name, size_t length);
/* "a=1,b=x,flag": every pair set, presets first, commas in parentheses belonging to the value; the
 * error for an unknown name suggests the nearest known one. `owner` is the method in the message
 * ("knn"). */
HSEL_CHECKED int hs_options_parse(const hs_option *table, void *values, const char *text,
                                  const char *owner, hs_arena *arena, hsel_error *error);
/* Does the field of an option hold its default? */
bool hs_option_is_default(const hs_option *option, const void *field);
/* Canonical text of the values that differ from their defaults, in table order:
 * "k=3,metric=jaccard". */
void hs_options_format(const hs_option *table, const void *values, hs_buf *out);
/* What the option takes, for help: "a whole number from 1 to 1000", "a|b|c", "FILE". */
void hs_option_describe(const hs_option *option, hs_buf *out);
/* The word of a choice by its number: into `out`, which holds at least 64 bytes. */
const char *hs_choice_word(const hs_option *option, int number, char *out, size_t room);
/* The nearest known option name, or NULL. */
const char *hs_option_nearest(const hs_option *table, const char *name);

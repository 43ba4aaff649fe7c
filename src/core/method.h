/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a method is, and the registry of all of them. A method is one constant descriptor in a
 * file of its layer and one line in src/methods/methods.def, whose order is the order of help,
 * tables and documents.
 */
#pragma once

#include "core/arena.h"
#include "core/option.h"

typedef enum hs_kind {
    HS_SELECTOR,
    HS_RANKER,
    HS_CLASSIFIER,
    HS_MEASURE,
    HS_FORMAT,
    HS_GENERATOR,
    HS_METRIC,
    HS_STATISTIC,
    HS_KINDS
} hs_kind;

enum hs_method_flags {
    HS_NEEDS_HIERARCHY = 1 << 0,
    HS_NEEDS_CLASSES = 1 << 1,
    HS_TWO_CLASSES_ONLY = 1 << 2,
    HS_LAZY = 1 << 3,
    HS_STOCHASTIC = 1 << 4,
    HS_PREDICTS_ON_MASK = 1 << 5,
    HS_ANY_FEATURES = 1 << 6,     /* numeric and nominal features as well as binary ones */
    HS_WEIGHS_INSTANCES = 1 << 7, /* a classifier that can learn from weighted instances */
    HS_WITHIN_STRATA = 1 << 8,    /* compares instances within their strata, if the data have any */
    HS_NUMERIC_TARGET = 1 << 9,   /* learns a number (hsel_dataset.target) as well as classes */
    HS_REPORTS = 1 << 10,         /* reports progress, can be stopped, and writes a journal */
    HS_CUTS_TARGET = 1 << 11 /* an eager selector to which a number is four classes, by quarters */
};

struct hs_selector;   /* select/select.h */
struct hs_ranker;     /* rank/rank.h */
struct hs_classifier; /* classify/classify.h */
struct hs_measure;    /* measure/measure.h */
struct hs_format;     /* format/format.h */
struct hs_generator;  /* generate/generate.h */
struct hs_formula;    /* stats/metrics.h */
struct hs_statistic;  /* stats/statistics.h */

/* Sizes of a training part, from which memory is estimated. */
typedef struct hs_size {
    double rows, features, classes;
    double values;  /* positive ones of binary features */
    double columns; /* features that are not binary */
    double threads; /* that one fit may use */
} hs_size;

typedef struct hs_method {
    hs_kind kind;
    const char *name;     /* as the user writes it */
    const char *title;    /* a few words, for tables */
    const char *help;     /* one paragraph */
    const char *citation; /* paper, and which equation or algorithm of it; for a format, its
                             specification */
    unsigned flags;
    const hs_option *options; /* NULL: none */
    size_t options_size;      /* size of the struct that the table describes */
    /* Checks that the table cannot express, e.g. that a text names a method; NULL: none.
     */
    int (*check)(const void *options, hsel_error *error);
    /* Estimated memory of training and prediction in bytes, within a factor of three if it is
     * large; for selectors and classifiers. NaN: there is no memory to find out. NULL: little
     * compared with the data. */
    double (*memory)(const hs_size *size, const void *options);
    union {
        const struct hs_selector *selector;
        const struct hs_ranker *ranker;
        const struct hs_classifier *classifier;
        const struct hs_measure *measure;
        const struct hs_format *format;
        const struct hs_generator *generator;
        const struct hs_formula *metric;
        const struct hs_statistic *statistic;
    };
} hs_method;

size_t hs_method_count(void);
const hs_method *hs_method_at(size_t index);
/* HS_RANKER includes measures, here and in hs_chosen_parse. */
const hs_method *hs_method_find(hs_kind kind, const char *name, size_t length);
/* Whether a text names a method of a kind with that flag, also within another method, such as
 * "stability:of=fdr". */
bool hs_method_within(hs_kind kind, const char *text, unsigned flag);
bool hs_kind_has_methods(hs_kind kind);
const char *hs_kind_name(hs_kind kind);   /* "format" */
const char *hs_kind_plural(hs_kind kind); /* "formats" */

/* A method with its options set, from text such as "ontology:features=500". Zero-initialise; the
 * rest lives in `arena`; hs_chosen_clear frees. Options of a ranker may be in parentheses, for
 * use within the options of another method: "or(zero=inf)". */
typedef struct hs_chosen {
    const hs_method *method;
    void *options;
    const char *text; /* canonical: name and the options that differ from their defaults */
    hs_arena arena;
} hs_chosen;

HSEL_CHECKED int hs_chosen_parse(hs_kind kind, const char *text, hs_chosen *out, hsel_error *error);
void hs_chosen_clear(hs_chosen *chosen);

typedef struct hs_chosen_list { /* zero-initialise; hs_chosen_list_clear frees */
    hs_chosen *items;
    size_t count, capacity;
} hs_chosen_list;

HSEL_CHECKED int hs_chosen_list_add(hs_chosen_list *list, hs_kind kind, const char *text,
                                    hsel_error *error);
void hs_chosen_list_clear(hs_chosen_list *list);

/* The first file that options in a method text name, also those of a method within it, and the
 * length of its name; NULL: none. An option takes a file if its placeholder says so, "none|FILE".
 */
const char *hs_method_file(const char *text, size_t *length);

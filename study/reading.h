/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the readers of the parts of a study share.
 *
 * A key is a row of an option table. Most rows name a field of the study itself; what else is given
 * has to be looked up when the whole mapping is read. A row of HS_NESTED takes a list or
 * mapping, which is left to its own reader; `value` says what.
 */
#pragma once

#include "study/study.h"
#include "study/yaml.h"

typedef struct hs_reading {
    hs_study study;     /* the study that is read; everything is in its arena */
    const char *folder; /* where relative paths start: "" or ending in a slash */
    bool unmatched;     /* a glob found nothing: not all names of data sets are known */
    bool classes;       /* a data set names no target */
    const char *control, *metric;
    int by, across, tau, ties;
    size_t dataset_room, draw_room; /* of the lists of the study */
    hs_list nested;
} hs_reading;

#define HS_NESTED(name, value, help) HS_OPTION(hs_reading, nested, name, value, NULL, 0, 0, help)

/* A reader for each key; node NULL: it is not given. */
typedef int hs_part_reader(hs_reading *r, const hs_yaml *node, hsel_error *error);
hs_part_reader hs_read_datasets; /* study_sets.c */
hs_part_reader hs_read_selectors, hs_read_classifiers, hs_read_folds, hs_read_metrics,
    hs_read_compare, hs_read_best_of, hs_read_rankings, hs_read_published; /* study_methods.c */
hs_part_reader hs_read_simulations, hs_read_autos, hs_read_tune;           /* study_tasks.c */
extern const hs_option hs_top_keys[], hs_dataset_keys[], hs_method_keys[], hs_folds_keys[],
    hs_compare_keys[], hs_best_keys[], hs_rankings_keys[], hs_simulate_keys[], hs_auto_keys[],
    hs_published_keys[], hs_tune_keys[];

/* ---- messages ---- */

/* HSEL_EFORMAT at a line of the study. */
#define hs_wrong(r, line, error, ...)                                                              \
    hs_fail_at(error, HSEL_EFORMAT, (r)->study.file, line, __VA_ARGS__)
/* Passes on an error of a lower layer with its place in the study. */
int hs_at(const hs_reading *r, unsigned long line, int status, hsel_error *error);
/* "; did you mean 'x'?" for one of `words`, or nothing. */
const char *hs_did_you_mean(const char *word, const char *const *words, size_t count,
                            char out[128]);
/* The same among the first names and labels of the study. */
const char *hs_nearest_word(const hs_study *s, const char *word, bool with_data, char out[128]);

/* ---- mappings and lists ---- */

/* Sets the fields of `values` to defaults, then to the values of the mapping, if it is not NULL. */
int hs_read_keys(hs_reading *r, const hs_yaml *mapping, const char *owner, const hs_option *table,
                 void *values, hsel_error *error);
/* Sets an option to the text of a node. */
int hs_set_option(hs_reading *r, const hs_yaml *node, const hs_option *option, void *values,
                  hsel_error *error);
/* The value of a key that must be given. */
int hs_need_key(const hs_reading *r, const hs_yaml *mapping, const char *owner, const char *key,
                const hs_yaml **out, hsel_error *error);
/* The first item of a list; a text counts as a list of one. HSEL_EFORMAT for a mapping, for an
 * empty list, and, if `texts` (which describes them) is not NULL, for items other than texts. */
int hs_items_of(const hs_reading *r, const hs_yaml *node, const char *texts, const hs_yaml **first,
                hsel_error *error);
const hs_yaml *hs_item_after(const hs_yaml *node, const hs_yaml *item);
/* The text of a buffer, kept in the arena; the buffer is cleared. NULL when memory ran out. */
char *hs_keep(hs_arena *arena, hs_buf *text);

/* ---- paths and methods ---- */

/* Completes a path of the study: replaces variables and makes it relative to `base`, or if that is
 * NULL, to the folder of the study; paths from the environment are relative to the current folder.
 * *unset: a variable has neither value nor default and stays in the path as $NAME. */
int hs_read_path(hs_reading *r, unsigned long line, const char *text, const char *base,
                 const char **out, bool *unset, hsel_error *error);
/* Canonical text of a method, in the arena. */
int hs_canonical(hs_reading *r, hs_kind kind, const char *text, const char **out,
                 hsel_error *error);
/* HSEL_ELIMIT: there are `count` of `plural`, for which `text` (may be NULL) stands. */
int hs_too_many(const hs_reading *r, unsigned long line, const char *text, uint64_t count,
                const char *plural, hsel_error *error);
/* The metric that the key `metric` of a mapping names, or the first of the study. */
int hs_named_metric(const hs_reading *r, const hs_yaml *mapping, hs_metric *out, hsel_error *error);

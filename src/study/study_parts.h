/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files that read a study share: keys of a mapping, messages with a place, lists that grow
 * in the study's arena.
 */
#ifndef HS_STUDY_STUDY_PARTS_H
#define HS_STUDY_STUDY_PARTS_H

#include "core/method.h"
#include "core/names.h"
#include "study/study.h"
#include "study/yaml.h"

/* A key is a row of an option table over this structure. Most rows name a field of the study
 * itself; the words below have to be looked up when the whole mapping is read. */
typedef struct hs_study_reader {
    hs_study study;     /* what is made; everything of it lies in its arena */
    const char *folder; /* that relative paths start from: "" or ending in a slash */
    bool unmatched;     /* a glob found nothing, so that not all data sets are known by name */
    const char *control, *metric;
    int by, across, tau, ties;
    hs_list nested; /* of keys with a list or mapping: their own readers take it */
} hs_study_reader;

#define HS_NESTED(name, value, help)                                                               \
    HS_OPTION(hs_study_reader, nested, name, value, NULL, 0, 0, help)

/* The tables of keys, for reading and for whoever wants to check a document against them. A row of
 * type HS_OPT_LIST takes a list or mapping, which is left to its own reader; `value` says what. */
typedef struct hs_study_keys {
    const char *owner; /* "a study", "folds" */
    const hs_option *table;
} hs_study_keys;
extern const hs_study_keys hs_study_key_tables[];
extern const size_t hs_study_key_table_count;

/* The values of a mapping into the fields of `values`: defaults first. NULL mapping: only these. */
HSEL_CHECKED int hs_keys_read(hs_study_reader *r, const hs_yaml *mapping, const char *owner,
                              const hs_option *table, void *values, hsel_error *error);
/* The first item of a list, or a text as the only item of one. HSEL_EFORMAT for a mapping and for
 * an empty list. */
HSEL_CHECKED int hs_items_of(hs_study_reader *r, const hs_yaml *node, const hs_yaml **first,
                             hsel_error *error);

static inline const hs_yaml *hs_item_after(const hs_yaml *node, const hs_yaml *item)
{
    return node->kind == HS_YAML_LIST ? item->next : NULL;
}

/* HSEL_EFORMAT at a line of the study. */
int hs_study_fail(const hs_study_reader *r, unsigned long line, hsel_error *error,
                  const char *format, ...) HS_PRINTF(4, 5);
/* Passes on what a lower layer said, with the place in the study. */
int hs_study_fail_because(const hs_study_reader *r, unsigned long line, const hsel_error *because,
                          hsel_error *error);

/* A list in the arena that grows by doubling. False when memory runs out. */
bool hs_arena_grow(hs_arena *arena, void **items, size_t count, size_t *capacity, size_t size);
/* The text of a buffer, kept in the arena; the buffer is cleared. NULL when memory ran out. */
char *hs_arena_keep(hs_arena *arena, hs_buf *text);

/* A path as the study gives it: variables replaced, relative to the study's folder (see study.h).
 * It lies in the arena. *unset: a variable without value and default, which stays in the path as
 * $NAME. `base` takes the folder's place if it is not NULL. */
HSEL_CHECKED int hs_study_path(hs_study_reader *r, unsigned long line, const char *text,
                               const char *base, const char **out, bool *unset, hsel_error *error);

/* The parts of a study that are not in study.c, each from its node. */
HSEL_CHECKED int hs_study_datasets(hs_study_reader *r, const hs_yaml *node, hsel_error *error);
HSEL_CHECKED int hs_study_methods(hs_study_reader *r, hs_kind kind, const hs_yaml *node,
                                  hs_study_method **out, size_t *count, hsel_error *error);
HSEL_CHECKED int hs_study_tune(hs_study_reader *r, const hs_yaml *node, hsel_error *error);
/* The metric that the key `metric` of a mapping names, or the first of the study. */
HSEL_CHECKED int hs_study_metric(const hs_study_reader *r, const hs_yaml *mapping, hs_metric *out,
                                 hsel_error *error);

extern const hs_option hs_study_dataset_keys[], hs_study_method_keys[], hs_study_tune_keys[];

#endif

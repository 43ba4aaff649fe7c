/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A folder as DATA: data.*, hierarchy.*, tables of labels (features.*, instances.*) and meta.json,
 * whose class and id column are the defaults.
 */
#pragma once

#include <jansson.h>

#include "load/load.h"

typedef struct hs_folder {                     /* zero-initialise; hs_folder_clear frees */
    char *data;                                /* path of data.*; NULL: the path was not a folder */
    char *hierarchy;                           /* path of hierarchy.*; NULL: none */
    char *features, *instances;                /* paths of tables of labels; NULL: none */
    char *meta;                                /* path of meta.json, which need not be there */
    bool listed;                               /* it is the manifest of the files */
    char *class_name, *target, *id, *positive; /* from meta.json; NULL: not given */
    char *provenance;                          /* likewise: JSON text, not in the arena */
    hs_list covariates;                        /* likewise */
    bool no_class;  /* it declares that there are no classes: "class": null */
    hs_arena arena; /* of the texts */
} hs_folder;

/* Leaves everything NULL if `path` is not a folder. HSEL_EIO, HSEL_EFORMAT when there is no data.*,
 * or two. */
HSEL_CHECKED int hs_folder_open(const char *path, hs_folder *out, hsel_error *error);
/* Fills options that were not given. */
void hs_folder_defaults(const hs_folder *folder, hs_load_options *options);
void hs_folder_clear(hs_folder *folder);

/* Checks that the files belong together: files in the manifest must be unchanged, and files that it
 * does not list must not exist. Without a manifest, or with only one of its files, nothing is
 * checked. `siblings` are the endings of the format. */
HSEL_CHECKED int hs_manifest_check(const char *manifest, const hs_folder *folder, const char *data,
                                   const char *hierarchy, const char *const *siblings,
                                   hsel_error *error);

/* The member "provenance" of meta.json. HSEL_EFORMAT if the text is not JSON. */
HSEL_CHECKED int hs_provenance_put(const char *text, hs_json *json, hsel_error *error);
/* Frees *text and replaces it by the text of a JSON value. */
HSEL_CHECKED int hs_provenance_set(char **text, const json_t *value, hsel_error *error);
/* Adds a step, JSON too, to the list "steps" of the text, which is a new one then. */
HSEL_CHECKED int hs_provenance_step(char **text, const char *step, hsel_error *error);

/* "x/CE-BP/data.arff.gz" and "x/CE-BP/" -> "CE-BP", "y/tweets.csv" -> "tweets"; empty for standard
 * input. */
void hs_name_from_path(const char *path, hs_buf *out);

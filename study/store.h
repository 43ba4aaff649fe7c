/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The result store: one SQLite file with the predictions for every test instance. Metrics are
 * derived, so a new metric needs no new run. Finished jobs survive kill -9 (write-ahead log).
 *
 * One writer: opening for writing takes a lock file (PATH-lock) that ends with the process; a
 * second writer gets an error that names the owner. Readers (reports) may open it while a run goes
 * on, but not on a network file system: there, and where processes share no memory, it has a
 * rollback journal and is locked as a whole (store_lock.c).
 *
 *   dataset    fingerprint (of content: XXH3 over everything that matters), sizes, names of classes
 *              and features, true class or number of every instance, hashes of their identifiers,
 *              in how many of each class each feature is positive (not 0), hierarchy
 *   uses       (study, name): the data set of this name in the study, as found by its last run
 *   unit       (dataset, selector, scheme, folds, seed, fold): test instances, how many features
 *              were selected for each, how often each feature was; time; what a lazy selector chose
 *              for some instances, if the study requires it
 *   job        (unit, classifier): ok with the probabilities and scores, or failed or left out
 *              with a message; how long it took, when, and by which version of hsel. Of a unit
 *              without selector and scheme, which is of the whole data set: the scores of a ranker,
 *              or, with "simulate:…" instead of the ranker, the numbers of its runs
 *   text       of selectors, classifiers, rankers and schemes, which the others name by number
 *   fold_file  (dataset, scheme): what was in a fold file
 *   study      name and YAML text of the studies that ran, the content of the files they name,
 *              and the version of hsel that ran them last
 *   about      (dataset): labels and what else is known of its features, as last seen; provenance
 *
 * Rows have checksums (check.sql).
 */
#pragma once

#include "learn/crossval.h"
#include "study/study.h"

typedef struct hs_store hs_store;

#define HS_STORE_SCHEMA 8

typedef enum hs_store_mode { HS_STORE_WRITE, HS_STORE_READ, HS_STORE_CHECK } hs_store_mode;

/* If another process has the store: wait for it; take the store from a process on another machine
 * that shows no activity. */
enum { HS_STORE_WAIT = 1, HS_STORE_TAKE_OVER = 2 };

/* HS_STORE_WRITE creates the file if it does not exist and takes the lock; HSEL_EIO names the
 * process that holds it, unless `patience` says otherwise. A file that is not a store, or has
 * another schema: HSEL_EFORMAT, and the file is left unchanged.
 *
 * Every row has a checksum, which is verified when a store is opened. HS_STORE_READ refuses a
 * damaged store with HSEL_EFORMAT and the first damaged row; HS_STORE_WRITE removes damaged rows,
 * which then count as missing (hs_store_removed); HS_STORE_CHECK leaves that to hs_store_check. */
HSEL_CHECKED int hs_store_open(const char *path, hs_store_mode mode, unsigned patience,
                               hs_store **out, hsel_error *error);
/* The writing process, if it can be determined: "process 7 on HOST". */
bool hs_store_holder(const char *path, char *out, size_t room);
void hs_store_close(hs_store *store); /* commits an open transaction */
HS_RELEASE(hs_store_done, hs_store, hs_store_close)
/* A consistent copy of the store, also while a run writes to it. It appears complete or not at all.
 */
HSEL_CHECKED int hs_store_backup(hs_store *store, const char *path, hsel_error *error);
/* Closes the store, and removes the file if opening created it. */
void hs_store_abandon(hs_store *store);
const char *hs_store_path(const hs_store *store);
/* Whether the file has the header of a store. */
bool hs_store_sniff(const char *path);
/* Damaged rows that opening for writing removed, a line each. */
const hs_names *hs_store_removed(const hs_store *store);
/* Calls `each` with a line for every damaged row. */
typedef int (*hs_store_name_function)(void *context, const char *name, hsel_error *error);
HSEL_CHECKED int hs_store_check(hs_store *store, hs_store_name_function each, void *context,
                                hsel_error *error);

/* Stores a data set, unless one with the same content is there; *id is its row. In the current
 * study (hs_store_study, hs_store_study_text) the name of `data` refers to it from now on. */
HSEL_CHECKED int hs_store_dataset(hs_store *store, const hsel_dataset *data, int64_t *id,
                                  hsel_error *error);
/* Records why the study has no data set of that name now. */
HSEL_CHECKED int hs_store_no_dataset(hs_store *store, const char *name, const char *why,
                                     hsel_error *error);
uint64_t hs_dataset_fingerprint(const hsel_dataset *data);
/* The id of the data set with this fingerprint; -1: none. */
HSEL_CHECKED int hs_store_find_content(hs_store *store, uint64_t fingerprint, int64_t *id,
                                       hsel_error *error);
/* Starts a new run of the study, which becomes the current one of the store. */
HSEL_CHECKED int hs_store_study(hs_store *store, const hs_study *study, hsel_error *error);
/* The data set that any study last used under that name; -1: none. */
HSEL_CHECKED int hs_store_last_use(hs_store *store, const char *name, int64_t *id,
                                   hsel_error *error);
/* Makes the study the current one without starting a run, if the store has it. */
HSEL_CHECKED int hs_store_use(hs_store *store, const hs_study *study, hsel_error *error);
/* For fold files, under their content (hs_study_scheme), and for folds by groups, times or a test
 * set, under their scheme and number as asked for: HSEL_EUSAGE when the store has results of these
 * with other folds. `design`: how they were made. */
HSEL_CHECKED int hs_store_fold_file(hs_store *store, int64_t dataset, const char *scheme,
                                    uint32_t asked, const hs_folds *folds, const char *design,
                                    hsel_error *error);
/* How they were made, for people, and in further lines what limits them; NULL: nothing is known. */
HSEL_CHECKED int hs_store_design(hs_store *store, int64_t dataset, const char *scheme,
                                 uint32_t asked, hs_arena *arena, const char **out,
                                 hsel_error *error);

/* The key of a result. Without a selector: the result of a ranker or a simulation for the whole
 * data set. */
typedef struct hs_result_key {
    int64_t dataset;
    const char *selector, *method, *scheme; /* `method`: classifier, ranker, simulation */
    uint32_t folds;                         /* ignored for loo and fold files */
    uint64_t seed;
    uint32_t fold;       /* of a unit */
    bool probed;         /* must have what a lazy selector chose for some instances */
    const char *version; /* only results of this version of hsel; NULL: any */
} hs_result_key;

/* The key of a selector with a classifier of a study in one of its repeats, over all folds. For an
 * automatic choice, selector and classifier are the choice itself. */
static inline hs_result_key hs_study_key(const hs_study *study, int64_t dataset,
                                         const hs_study_method *selector,
                                         const hs_study_method *classifier, uint32_t repeat)
{
    return (hs_result_key){.dataset = dataset,
                           .selector = hs_method_key(selector),
                           .method = hs_method_key(classifier),
                           .scheme = hs_study_scheme(study),
                           .folds = study->folds,
                           .seed = study->seed + repeat};
}

typedef struct hs_job_result {
    const char *method;   /* as in the key */
    const double *values; /* probabilities [tested * classes], or [width] over the whole data set;
                             NULL: it failed */
    const double *score;  /* [tested * hs_score_width(classes)]; NULL over the whole data set */
    double seconds;
    const char *message; /* of a failure */
    uint32_t chosen; /* of an automatic choice: the pair, selector by selector, from 1; 0: none */
    bool unfit;      /* not a failure: the methods do not fit the data */
} hs_job_result;

/* One unit of work: a selector in a fold with its classifiers; rankers; a simulation. */
typedef struct hs_unit_result {
    uint32_t tested, features, classes; /* test instances; of the data set */
    uint32_t width;                     /* without a selector: numbers of each method */
    /* Of a selector; all NULL if it failed, and without one: */
    const uint32_t *instances; /* [tested] */
    const uint32_t *selected;  /* [tested] */
    const uint32_t *frequency; /* [features]: test instances for which the feature was selected */
    const char *probed;   /* the selections of a lazy selector for some instances, packed … */
    size_t probed_length; /* … in so many bytes; 0: not requested */
    double select_seconds;
    hs_job_result *jobs;
    size_t job_count;
} hs_unit_result;

/* Whether there is any result for a data set. */
HSEL_CHECKED int hs_store_has_units(hs_store *store, int64_t dataset, bool *out, hsel_error *error);
typedef enum hs_job_state { /* as the store has them */
                            HS_JOB_NONE = -1,
                            HS_JOB_FAILED,
                            HS_JOB_OK,
                            HS_JOB_UNFIT
} hs_job_state;
/* The stored state of a job; nothing if the key has `probed` and the probes are missing. */
HSEL_CHECKED int hs_store_job(hs_store *store, const hs_result_key *key, hs_job_state *out,
                              hsel_error *error);
/* Stores a whole unit (the key needs no method), replacing earlier results. It is durable on
 * return, unless grouped. */
HSEL_CHECKED int hs_store_put(hs_store *store, const hs_result_key *key,
                              const hs_unit_result *result, hsel_error *error);
/* From now on results are committed together: `seconds` after the first, or by hs_store_commit. */
void hs_store_group(hs_store *store, double seconds);
HSEL_CHECKED int hs_store_commit(hs_store *store, hsel_error *error);
/* Whether the store at `path` has this study: 2: with its current text, 1: another of that name, 0:
 * no. */
HSEL_CHECKED int hs_store_has_study(const char *path, const hs_study *study, int64_t *out,
                                    hsel_error *error);
/* Adds the results of another store that this one lacks, and replaces failed jobs by successful
 * ones; *taken is the number of jobs, including simulations. */
HSEL_CHECKED int hs_store_merge(hs_store *store, const char *other, uint64_t *taken,
                                hsel_error *error);

/* ---- reading for reports ---- */

/* All predictions under a key, over all folds. */
typedef struct hs_stored {  /* zero-initialise; hs_stored_clear frees */
    hs_repeat repeat;       /* the caller sets rank_by */
    uint32_t folds_there;   /* finished folds; fewer than those of the predictions: incomplete */
    uint32_t failed, unfit; /* folds that failed, and folds that do not fit the data … */
    const char *message;    /* … and the message of the first */
    uint32_t older;         /* folds by another version of hsel than that of the study's last run */
    hs_arena arena;         /* of everything here */
} hs_stored;

HSEL_CHECKED int hs_store_get(hs_store *store, const hs_result_key *key, hs_stored *out,
                              hsel_error *error);
void hs_stored_clear(hs_stored *stored);

/* A data set of the study by name. The id is -1 when there is none. */
typedef struct hs_stored_dataset { /* zero-initialise; hs_stored_dataset_clear frees */
    hs_arena arena;                /* of all but the names of classes and features, and labels */
    int64_t id;
    const char *name;
    const char *why; /* why the last run has no results for it; NULL: no problem */
    bool older;      /* the last run has not read it (yet) */
    uint32_t instances, features, classes, positive_class;
    hs_names class_names, feature_names;
    uint32_t *class_of; /* [instances]; NULL: there are no classes */
    uint32_t *class_sizes;
    uint32_t
        *support; /* [features * classes]: as `positive` of hs_counts; NULL: there are no classes */
    hs_about about;         /* of the features */
    const char *provenance; /* NULL: none */
    const char *target;     /* name of a numeric target, … */
    double *numbers;        /* … which are [instances]; both NULL: there are classes */
    int64_t positives; /* positive values of binary features, values other than 0 of numeric ones */
    int64_t edges, depth; /* of the hierarchy; edges -1: there is none */
    uint64_t fingerprint;
    uint64_t *identifiers; /* [instances]: sorted hashes; NULL: it has none */
} hs_stored_dataset;

HSEL_CHECKED int hs_store_find_dataset(hs_store *store, const char *name, hs_stored_dataset *out,
                                       hsel_error *error);
void hs_stored_dataset_clear(hs_stored_dataset *data);
/* All data sets of the study, in its order, including those without id. The second function frees
 * them, also after a failure. */
HSEL_CHECKED int hs_store_datasets(hs_store *store, hs_stored_dataset **out, size_t *count,
                                   hsel_error *error);
void hs_stored_datasets_free(hs_stored_dataset *datasets, size_t count);
/* Its hierarchy, and in how many instances each feature is positive (hs_supports): the caller's
 * (hs_dag_free, hs_free); NULL: the store has none. */
HSEL_CHECKED int hs_store_hierarchy(hs_store *store, const hs_stored_dataset *data, hsel_dag **dag,
                                    uint32_t **support, hsel_error *error);
/* Adds to total[features] how often each feature was selected in the finished folds of `repeats`
 * repeats from the key's seed on; *tested is the number of their test instances. `folds` (may be
 * NULL) receives the sets of each fold: for an eager selector what it selected; for a lazy one, if
 * the key says `probed`, what it selected for some instances (no sets if any fold lacks them). */
HSEL_CHECKED int hs_store_frequencies(hs_store *store, const hs_result_key *key, uint32_t repeats,
                                      uint64_t *total, uint64_t *tested, hs_refits *folds,
                                      hsel_error *error);
/* Adds to picks[pairs] how often an automatic choice chose each pair in the finished folds of
 * `repeats` repeats from the key's seed on. */
HSEL_CHECKED int hs_store_choices(hs_store *store, const hs_result_key *key, uint32_t repeats,
                                  size_t pairs, uint32_t *picks, hsel_error *error);
/* The result of a ranker or a simulation: values[width] with HS_JOB_OK, else a message that the
 * caller frees (hs_free). */
HSEL_CHECKED int hs_store_get_ranking(hs_store *store, int64_t dataset, const char *ranker,
                                      uint32_t width, double *values, hs_job_state *state,
                                      char **message, hsel_error *error);
/* When the newest result read so far was stored, in seconds since 1970; 0: none was read. */
int64_t hs_store_time(const hs_store *store);
/* The version of hsel that ran the study last. */
const char *hs_store_version(const hs_store *store);
/* Makes the newest study of that name (NULL: the newest of all) the current one. *text is its YAML,
 * *contents the content of the files that it names (hs_study_contents; NULL: none), *found its
 * name; `contents` and `found` may be NULL. The caller frees them (hs_free), also after a failure.
 */
HSEL_CHECKED int hs_store_study_text(hs_store *store, const char *name, char **text,
                                     char **contents, char **found, hsel_error *error);

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

#define HS_STORE_SCHEMA 7

typedef enum hs_store_mode { HS_STORE_WRITE, HS_STORE_READ, HS_STORE_CHECK } hs_store_mode;

/* What to do if another process has the store: wait for it; take the store from a process on
 * another machine that shows no activity. */
enum { HS_STORE_WAIT = 1, HS_STORE_TAKE_OVER = 2 };

/* HS_STORE_WRITE makes the file if it is not there, takes the lock (HSEL_EIO naming the process
 * that has it, unless `patience` says otherwise). Another schema, or a file that is no store:
 * HSEL_EFORMAT, and the file stays as it is.
 *
 * Every row has a checksum, and all of them are looked at when a store is opened. HS_STORE_READ
 * refuses a damaged store with HSEL_EFORMAT and the first of what is damaged; HS_STORE_WRITE
 * removes what is damaged, which then counts as missing (hs_store_removed); HS_STORE_CHECK leaves
 * that to hs_store_check. */
HSEL_CHECKED int hs_store_open(const char *path, hs_store_mode mode, unsigned patience,
                               hs_store **out, hsel_error *error);
/* The writing process, if it can be determined: "process 7 on HOST". */
bool hs_store_holder(const char *path, char *out, size_t room);
void hs_store_close(hs_store *store); /* commits what is open */
HS_RELEASE(hs_store_done, hs_store, hs_store_close)
/* A copy of the store as it is at one moment, also while a run writes to it. It appears whole. */
HSEL_CHECKED int hs_store_backup(hs_store *store, const char *path, hsel_error *error);
/* The same; a file that opening made is removed. */
void hs_store_abandon(hs_store *store);
const char *hs_store_path(const hs_store *store);
/* Whether the file has the header of a store. */
bool hs_store_sniff(const char *path);
/* Damaged rows that opening for writing removed, a line each. */
const hs_names *hs_store_removed(const hs_store *store);
/* A line for each thing that is damaged. */
typedef int (*hs_store_name_function)(void *context, const char *name, hsel_error *error);
HSEL_CHECKED int hs_store_check(hs_store *store, hs_store_name_function each, void *context,
                                hsel_error *error);

/* Data sets by content; in the study that the store is in use for (hs_store_study,
 * hs_store_study_text), the name of `data` stands for it from now on. The id is the row's. */
HSEL_CHECKED int hs_store_dataset(hs_store *store, const hsel_dataset *data, int64_t *id,
                                  hsel_error *error);
/* Records that the study has no data of that name now. */
HSEL_CHECKED int hs_store_no_dataset(hs_store *store, const char *name, const char *why,
                                     hsel_error *error);
uint64_t hs_dataset_fingerprint(const hsel_dataset *data);
/* The id of a data set with this fingerprint; -1 when there is none. */
HSEL_CHECKED int hs_store_find_content(hs_store *store, uint64_t fingerprint, int64_t *id,
                                       hsel_error *error);
/* Starts a new run of the study, which becomes the current one of the store. */
HSEL_CHECKED int hs_store_study(hs_store *store, const hs_study *study, hsel_error *error);
/* The data set that any study last used under that name, or -1. */
HSEL_CHECKED int hs_store_last_use(hs_store *store, const char *name, int64_t *id,
                                   hsel_error *error);
/* The same without a run: finds the study in the store, if it is there. */
HSEL_CHECKED int hs_store_use(hs_store *store, const hs_study *study, hsel_error *error);
/* For fold files, under their content (hs_study_scheme): HSEL_EUSAGE when the store has results of
 * that scheme with other folds. */
HSEL_CHECKED int hs_store_fold_file(hs_store *store, int64_t dataset, const char *scheme,
                                    const hs_folds *folds, hsel_error *error);

/* The key of a result. Without a selector: the result of a ranker or a simulation for the whole
 * data set. */
typedef struct hs_result_key {
    int64_t dataset;
    const char *selector, *method, *scheme; /* `method`: classifier, ranker, simulation */
    uint32_t folds;                         /* does not matter for loo and fold files */
    uint64_t seed;
    uint32_t fold;       /* of a unit */
    bool probed;         /* with what a lazy selector chose for each of some instances */
    const char *version; /* only results of this version of hsel; NULL: any */
} hs_result_key;

/* That of a selector with a classifier of a study in one of its repeats, over all folds. An
 * automatic choice is its own selector and classifier. */
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
/* From now on results are committed together, `seconds` after the first, or when hs_store_commit is
 * called. */
void hs_store_group(hs_store *store, double seconds);
HSEL_CHECKED int hs_store_commit(hs_store *store, hsel_error *error);
/* Whether the store at `path` has run this study: 2: its current text, 1: one of that name, 0:
 * no. */
HSEL_CHECKED int hs_store_has_study(const char *path, const hs_study *study, int64_t *out,
                                    hsel_error *error);
/* Merges results that another store has and this one lacks; *taken: number of jobs, including
 * simulations. A failed job is replaced by a successful one. */
HSEL_CHECKED int hs_store_merge(hs_store *store, const char *other, uint64_t *taken,
                                hsel_error *error);

/* ---- reading for reports ---- */

/* All predictions under a key, over all folds. */
typedef struct hs_stored {  /* zero-initialise; hs_stored_clear frees */
    hs_repeat repeat;       /* the caller sets rank_by */
    uint32_t folds_there;   /* fewer than the predictions have: not finished */
    uint32_t failed, unfit; /* folds that failed, and that do not fit the data … */
    const char *message;    /* … and what the first of them said */
    uint32_t older;         /* folds by another version of hsel than that of the study's last run */
    hs_arena arena;         /* of all of it */
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
/* Its hierarchy, and in how many instances each feature is (hs_supports): yours (hs_dag_free,
 * hs_free); NULL: the store has none. */
HSEL_CHECKED int hs_store_hierarchy(hs_store *store, const hs_stored_dataset *data, hsel_dag **dag,
                                    uint32_t **support, hsel_error *error);
/* How often each feature was selected over all folds that are there, of `repeats` from the key's
 * seed on (adds into total[features]); *tested: test instances in all; *folds: what was selected
 * for all test instances of each fold, so that it has the sets of an eager selector, or if the key
 * says `probed`, those of a lazy one (no sets: a fold has none); may be NULL. */
HSEL_CHECKED int hs_store_frequencies(hs_store *store, const hs_result_key *key, uint32_t repeats,
                                      uint64_t *total, uint64_t *tested, hs_refits *folds,
                                      hsel_error *error);
/* How often an automatic choice chose each of its pairs, over the folds that are there, of
 * `repeats` from the key's seed on: adds into picks[pairs]. */
HSEL_CHECKED int hs_store_choices(hs_store *store, const hs_result_key *key, uint32_t repeats,
                                  size_t pairs, uint32_t *picks, hsel_error *error);
/* What a ranker or a simulation gave: values[width] of HS_JOB_OK; the message of HS_JOB_FAILED,
 * which is yours (hs_free). */
HSEL_CHECKED int hs_store_get_ranking(hs_store *store, int64_t dataset, const char *ranker,
                                      uint32_t width, double *values, hs_job_state *state,
                                      char **message, hsel_error *error);
/* When the newest result was put that was read so far, in seconds since 1970; 0: none was. */
int64_t hs_store_time(const hs_store *store);
/* The version of hsel that ran the study last. */
const char *hs_store_version(const hs_store *store);
/* The YAML of the newest study of that name (NULL name: the newest of all), and the content of the
 * files that it names (hs_study_contents; NULL: it names none; contents may be NULL), and its name
 * (found may be NULL); all are yours (hs_free), also on failure. */
HSEL_CHECKED int hs_store_study_text(hs_store *store, const char *name, char **text,
                                     char **contents, char **found, hsel_error *error);

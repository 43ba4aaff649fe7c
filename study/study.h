/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A study: data sets, methods, how they are tested, and what is shown. It is read from a YAML file
 * (libyaml, with a table of keys for each mapping, so that errors have file and line) and expanded
 * into plain lists. docs/studies.md has it key by key. Example:
 *
 *     name: rpv-2020
 *     title: Relevant positive values (da Silva, Plastino, Freitas 2020)
 *     datasets:
 *       # braces and globs; ${NAME} from the environment, with a default after :-
 *       - path: ${HSEL_DATA:-../../data}/{CE,DM}-[BCM]?
 *         prepare: drop-roots        # options of loading, as in "hsel convert", without dashes
 *         hierarchy: hierarchy_reduced.tsv.gz    # in the folder of the data
 *         target: age                            # a number to predict instead of a class
 *       - generate: ontology:instances=300       # or a generated set
 *         name: small
 *         seed: 3
 *     selectors: [none, {label: RPV, method: rpv}, "shsel:threshold={0.98,0.99}"]
 *     classifiers: [nb, "knn:k=1"]
 *     folds: {scheme: weka, count: 10, repeats: 10, seed: 1}
 *     metrics: [gm, auroc, auprc]
 *     # across: classifiers compares these instead; errors: true shows the standard errors
 *     compare: {control: rpv, alpha: 0.05, by: fold-mean}
 *     # how alike rankers are, over all features of each data set
 *     rankings: {by: [auc, ks, ig], tau: a, ties: weka}
 *     # procedures of hsel test on planted terms, and the automatic choice among all pairs
 *     simulate: {procedures: [bh, dagger], effects: [2, 3], runs: 200}
 *     auto: {metric: auroc, race: 0.05}
 *     rank-by: probability   # what auroc and auprc rank by; score if this is not said
 *     # of a sweep, show the best setting on each data set
 *     best-of: {selector: shsel, metric: accuracy}
 *     published: {file: published/rpv_2020.csv, map: {none: nofs, rpv: rpv-lazyr}}
 *     tune: {budget: 300, parameters: {threshold: 0.9..1/0.01}}     # for hsel tune
 */
#pragma once

#include "stats/kendall.h"
#include "stats/metrics.h"
#include "infer/simulate.h"

typedef struct hs_study_dataset {
    const char *name;
    const char *path;     /* NULL: generated */
    const char *generate; /* generator text; NULL: from a file */
    const char *prepare; /* options of loading, checked ("drop-roots,min-support=3,hierarchy=FILE");
                            never NULL */
    uint64_t seed;
    bool missing;     /* the path does not exist: skipped and listed */
    bool all_classes; /* missing, and stands for one data set per class, whose names are unknown */
    unsigned long line; /* in the study */
} hs_study_dataset;

typedef struct hs_study_method {
    const char *text; /* canonical text after expansion of grids */
    const char *key;  /* the same with the content of files that it names; NULL: it names none */
    const hs_method *method; /* of a selector or classifier */
    const char *label;  /* short name in tables, by default the text; for a sweep with the setting
                           ("SHSEL 0.98") */
    const char *family; /* members of one sweep share it: the grid as written; the text itself if it
                           is not a sweep */
    const char *family_label; /* short name of the whole sweep; the family if none was given */
    bool sweep;               /* one of the settings of a grid … */
    bool best; /* … of which best-of shows the best on each data set, under family_label */
    unsigned long line; /* in the study */
} hs_study_method;

typedef struct hs_study_simulation { /* an item of `simulate` */
    hs_simulation what;              /* but for effect and procedure; all runs */
    double *effects;
    hs_study_method *procedures; /* texts as in the study */
    size_t effect_count, procedure_count;
} hs_study_simulation;

/* A unit of work: this many runs, drawn together for all procedures. */
#define HS_DRAW_RUNS 10
typedef struct hs_study_draws {  /* simulation by simulation, effect by effect */
    hs_study_method *procedures; /* "simulate:…": all that the result depends on, … */
    hs_simulation *each;         /* … and that */
    size_t count;
    uint32_t runs;
} hs_study_draws;

typedef struct hs_study_auto { /* an item of `auto`: chooses among all pairs of the study */
    hs_study_method method;    /* "auto:…": all that the choice depends on */
    hs_metric metric;
    uint32_t inner_folds, inner_repeats;
    double race; /* level; 0: no candidate leaves */
} hs_study_auto;

typedef struct hs_published {
    const char *file;                    /* NULL: none */
    const char *const *from, *const *to; /* our name -> the paper's: canonical method text, family
                                            of a sweep, name of a data set or metric */
    size_t count;                        /* pairs */
} hs_published;

typedef struct hs_tune_parameter {
    const char *name;  /* an option of the selector */
    char type;         /* of irace: r, i (numbers from … to), c (one of) */
    const char *range; /* as irace reads it: "(0.9, 1)" */
} hs_tune_parameter;

typedef struct hs_tune {
    uint32_t budget; /* runs of irace; 0: there is no key `tune` */
    uint64_t seed;
    hs_metric metric;
    int digits; /* after the point, of real parameters */
    hs_tune_parameter *parameters;
    size_t count;
} hs_tune;

typedef struct hs_study { /* zero-initialise; hs_study_clear frees */
    hs_arena arena;       /* of all but `chosen` */
    const char *file, *name, *title;
    hs_study_dataset *datasets;
    hs_study_method *selectors, *classifiers;
    size_t dataset_count, selector_count, classifier_count;
    hs_chosen_list chosen[HS_KINDS]; /* selectors, classifiers and rankers, ready for use */
    const char *scheme;              /* own, weka, wan, loo, window:N, file:PATH */
    const char *fold_file;           /* of file:PATH by its content, "file:HASH"; NULL: not known */
    const char
        *contents; /* of all files, for the store (hs_study_contents); NULL: there are none */
    uint32_t folds, repeats;
    uint64_t seed;                 /* repeat r uses seed + r */
    hs_metric metrics[HS_METRICS]; /* see hs_study_metrics */
    size_t metric_count;
    bool usual;              /* none were given: these are the defaults for classes */
    bool pooled;             /* metrics pooled instead of fold means */
    hs_rank_by rank_by;      /* of auroc and auprc */
    bool across_classifiers; /* tables compare classifiers for each selector, not selectors for each
                                classifier */
    bool errors;             /* tables show standard errors over folds */
    const char *control; /* text of the selector (or classifier) compared with the others; NULL: no
                            Holm test */
    double alpha;
    bool one_sided, allow_violations;
    bool tuned;          /* the best of a sweep (best-of) takes part in ranks and tests */
    bool stability;      /* of lazy selectors, too, and on the hierarchy … */
    int similarity;      /* … with this hs_similarity_kind */
    const char *best_of; /* the names of the sweeps whose members have `best` set, "shsel, sig";
                            NULL: none */
    hs_metric best_metric;
    /* to be compared with each other on each whole data set */
    hs_study_method *rankers;
    size_t ranker_count;
    hs_tau_kind tau; /* what they are compared by */
    hs_study_simulation *simulations;
    hs_study_draws *draws;
    size_t simulation_count, draw_count;
    hs_study_auto *autos;
    size_t auto_count;
    hs_published published;
    hs_tune tune;
    char *text; /* the YAML itself, kept in the store */
} hs_study;

#define HS_STUDY_BYTES ((size_t)1 << 20) /* of a study file */
/* data sets, selectors or classifiers after expansion */
#define HS_STUDY_LIST_LIMIT ((size_t)100000)

/* Reads, checks and expands. An unknown key, method, option or metric is reported with file, line
 * and the nearest known one. Data sets whose path does not exist are marked missing. Relative paths
 * start from the folder of the study file; only those that begin with an environment variable which
 * is set start from the current folder. A fold file must exist. `out` is cleared on failure. */
HSEL_CHECKED int hs_study_read(const char *path, hs_study *out, hsel_error *error);
/* The same from text, e.g. of a store; `name` is used in messages and to find files beside it. */
HSEL_CHECKED int hs_study_parse(const char *name, const char *text, size_t length, hs_study *out,
                                hsel_error *error);
void hs_study_clear(hs_study *study);

/* Sets the hashes of the fold file and of files that methods name: computed (known NULL, as
 * hs_study_read does), or as a store has kept them. */
HSEL_CHECKED int hs_study_contents(hs_study *study, const char *known, hsel_error *error);
/* Method and scheme as keys of the store, with the content of files instead of their paths. */
static inline const char *hs_method_key(const hs_study_method *method)
{
    return method->key ? method->key : method->text;
}
static inline const char *hs_study_scheme(const hs_study *study)
{
    return study->fold_file ? study->fold_file : study->scheme;
}

/* The metrics shown for data sets with classes, with numeric targets, or with both, into
 * out[HS_METRICS]: those of the study, or the defaults. */
size_t hs_study_metrics(const hs_study *study, bool classes, bool numbers, hs_metric *out);

/* Whether the two can be combined. Other pairs are left out of every run. */
bool hs_study_fits(const hs_study *study, size_t selector, size_t classifier);
/* The number of classifiers that can be combined with a selector, and the number of all such
 * pairs. */
size_t hs_study_fitting(const hs_study *study, size_t selector);
uint64_t hs_study_pairs(const hs_study *study);
/* The other pairs as text ("hip, rpv with svm, forest"; empty if there are none), and the reason of
 * the first. */
void hs_study_left_out(const hs_study *study, hs_buf *words, hsel_error *why);

/* Jobs on a data set with so many folds: (pairs that can be combined + automatic choices) x repeats
 * x folds, plus simulations; and on all existing data sets, where leave-one-out and fold files
 * count as `folds` folds, since the data determine their number. At most UINT64_MAX. */
uint64_t hs_study_jobs_of(const hs_study *study, uint64_t folds);
uint64_t hs_study_jobs(const hs_study *study);

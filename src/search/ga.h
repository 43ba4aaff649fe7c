/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the genetic search share: settings, population, run. See ga.c for the method.
 */
#ifndef HS_SEARCH_GA_H
#define HS_SEARCH_GA_H

#include "search/mutation.h"
#include "search/objective.h"

typedef struct hs_ga_settings {
    hs_mutation_kind mutation;
    bool sequential;
    uint32_t population, generations, elite, tournament;
    double crossover, sp, bp;
} hs_ga_settings;

/* Individual i: sets + i * words, value[i], size[i], memos + i * memo_bytes. */
typedef struct hs_population {
    uint64_t *sets;
    double *value;
    uint32_t *size;
    char *memos; /* NULL: there would be too many, every set is scored from the empty one */
} hs_population;

typedef struct hs_ga_note {             /* of a generation */
    double best, mean, size, mean_size; /* size: of the best */
} hs_ga_note;

typedef struct hs_ga_worker {
    uint32_t *flips;  /* [features] */
    uint64_t *change; /* [words] */
    char *memo;       /* for sets that have none of their own */
} hs_ga_worker;

typedef struct hs_ga { /* zero-initialise; hs_ga_clear frees */
    const hs_training *training;
    hs_ga_settings settings;
    uint64_t seed;
    uint64_t identity; /* of all that decides the run but the number of generations */
    hs_objective objective;
    hs_relatives relatives;
    hs_mutation mutation;
    uint32_t features;
    size_t words, memo_bytes;
    uint64_t *usable, *empty;
    hs_population now, next;
    uint32_t *elite; /* [settings.elite]: the best of `now`, best first */
    hs_ga_worker *workers;
    int threads;
    uint32_t generation;
    hs_ga_note *notes; /* [generation + 1] */
    size_t note_room;
} hs_ga;

/* With training, settings, seed, identity and objective set: makes room. The hierarchy must be
 * there if the mutation needs it. */
HSEL_CHECKED int hs_ga_init(hs_ga *ga, hsel_error *error);
/* From the first generation, or from where the training's journal says, to the end. */
HSEL_CHECKED int hs_ga_run(hs_ga *ga, hsel_error *error);
/* Index of the best: highest value, then fewest features, then lowest index. */
uint32_t hs_ga_best(const hs_ga *ga);
void hs_ga_clear(hs_ga *ga);

/* The parts of it, also for tests. Scores individual i of `population`, which differs from the set
 * `from` of the memo `memory` (memo_bytes; becomes that of i). */
HSEL_CHECKED int hs_ga_first(hs_ga *ga, hsel_error *error);
HSEL_CHECKED int hs_ga_breed(hs_ga *ga, hsel_error *error);

/* Checkpoints: the sets and the notes; values are worked out again. */
HSEL_CHECKED int hs_ga_keep(const hs_ga *ga, hsel_error *error);
/* *found: there was one, and `now`, generation and notes are those of it. */
HSEL_CHECKED int hs_ga_restore(hs_ga *ga, bool *found, hsel_error *error);
/* Scores all of `now` anew. */
HSEL_CHECKED int hs_ga_score_all(hs_ga *ga, hsel_error *error);
/* The log: the line of the whole run, that of a generation, the last one. */
HSEL_CHECKED int hs_ga_log_start(const hs_ga *ga, hsel_error *error);
HSEL_CHECKED int hs_ga_log_note(const hs_ga *ga, uint32_t generation, hsel_error *error);
HSEL_CHECKED int hs_ga_log_end(const hs_ga *ga, bool converged, hsel_error *error);

#endif

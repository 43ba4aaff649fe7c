/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fold schemes: which instance is tested in which fold. Folds are stratified by class; with a
 * numeric target all instances are one class; a scheme, the number of folds and a seed give the
 * same folds on every machine.
 *
 * own: counter-based random order within each class, distributed over the folds so that class and
 * fold sizes differ by at most one.
 *
 * weka: WEKA's Instances.randomize + stratify + testCV for java.util.Random(seed): the folds of
 * the RPV and GA-HFS tables (seed 1).
 *
 * wan: class sizes of the folds as in the Hie-AODE paper's tables: s = floor(n/k), round(s P/n)
 * positives and negatives up to s while there are enough, the n mod k leftovers one a fold; which
 * instance goes where is random.
 *
 * loo: leave one out, as many folds as instances.
 *
 * The roles of instances (data/design.h) change this. With groups, own distributes whole groups,
 * the largest first, each to the fold where it keeps the class shares most even (an idea of
 * scikit-learn's StratifiedGroupKFold); loo leaves out one group at a time. With times, a
 * first block of instances is followed by folds of about equal size, with equal times in one fold;
 * the training part of a fold is all blocks before it, or (window) the last few; loo tests each
 * time. With both, the groups of a fold are also left out of its training part. A test set is the
 * only fold.
 */
#pragma once

#include "data/counts.h"

typedef enum hs_fold_scheme {
    HS_FOLDS_OWN,
    HS_FOLDS_WEKA,
    HS_FOLDS_WAN,
    HS_FOLDS_LOO,
    HS_FOLDS_WINDOW /* with times; the number after its name is the number of training blocks */
} hs_fold_scheme;

#define HS_FOLD_LEARNS (HSEL_NONE - 1) /* in no fold, and in the training part of all folds */

typedef struct hs_folds { /* zero-initialise; hs_folds_clear frees */
    uint32_t instances, count;
    uint32_t *fold_of; /* [instances], 0 … count-1, HS_FOLD_LEARNS; HSEL_NONE: neither tested nor
                          used for training */
    uint32_t *order;   /* instances fold after fold, within a fold in the scheme's own order; as
                          many as start[count] */
    uint32_t *start;   /* [count+1] into order */
    uint32_t past; /* 0: the training part of a fold is all others; else the number of blocks before
                      it */
    uint32_t *group;          /* with past and groups: of each instance, … */
    uint64_t *meets;          /* … and bits [group * count + fold]: is it in the fold? */
    uint32_t groups, largest; /* number of groups, and size of the largest; 0: no groups */
} hs_folds;

/* Is the instance tested in any fold? */
static inline bool hs_fold_tests(const hs_folds *folds, uint32_t instance)
{
    return folds->fold_of[instance] < folds->count;
}

/* Whether the instance is in the training part of the fold. */
static inline bool hs_fold_learns(const hs_folds *folds, uint32_t instance, uint32_t fold)
{
    const uint32_t of = folds->fold_of[instance];
    if (of == fold || of == HSEL_NONE)
        return false;
    return !folds->past ||
           ((of == HS_FOLD_LEARNS || of < fold) &&
            (of == HS_FOLD_LEARNS ? fold + 1 : fold - of) <= folds->past &&
            !(folds->meets &&
              hs_bit_get(folds->meets, (size_t)folds->group[instance] * folds->count + fold)));
}

/* Do groups, times or a test set determine the folds of these data? */
bool hs_has_design(const hsel_dataset *data);
/* Folds that respect the design in short: "in time, by groups"; or that respect groups only, NULL
 * if that is the design or there are none. */
const char *hs_design_word(const hsel_dataset *data, bool groups_only);
/* Checks that the data can be cross-validated. HSEL_EUSAGE: no instances, one without class, fewer
 * than two classes that occur. */
HSEL_CHECKED int hs_folds_check(const hsel_dataset *data, hsel_error *error);
/* After that check, HSEL_EUSAGE also for fewer instances than folds. */
HSEL_CHECKED int hs_folds_make(const hsel_dataset *data, hs_fold_scheme scheme, uint32_t count,
                               uint64_t seed, hs_folds *out, hsel_error *error);
/* Scheme own over the rows of a training part, by its groups and times, for every cross-validation
 * inside one: at most one fold per row, group or time but the first. Instances of the folds are
 * positions in the view (hs_view_row gives the row); with times not all of them are tested.
 * HSEL_EUSAGE for fewer than two rows, groups or times, or a row without a class. */
HSEL_CHECKED int hs_folds_of_view(const hs_view *view, uint32_t count, uint64_t seed, hs_folds *out,
                                  hsel_error *error);
/* The same folds by the instances of the data set: those outside the view are in no fold, and used
 * neither for testing nor for training. For hs_crossval_run inside a training part. */
HSEL_CHECKED int hs_folds_within(const hs_view *view, uint32_t count, uint64_t seed, hs_folds *out,
                                 hsel_error *error);
/* From fold numbers, e.g. of a fold file; HSEL_EUSAGE when one is out of range or a fold has no
 * instance. */
HSEL_CHECKED int hs_folds_from(const uint32_t *fold_of, uint32_t instances, uint32_t count,
                               hs_folds *out, hsel_error *error);
void hs_folds_clear(hs_folds *folds);
/* How folds were made from groups, times or a test set ("5 folds, none of 1,000 groups split"); ""
 * without these. */
#define HS_FOLDS_ROOM 160
const char *hs_folds_say(const hs_folds *folds, char out[HS_FOLDS_ROOM]);
/* HSEL_EUSAGE if given folds, of which the first `tested` are tested, split a group, learn
 * from the future, or ignore a test set. */
HSEL_CHECKED int hs_folds_respect_design(const hs_folds *folds, const hsel_dataset *data,
                                         uint32_t tested, hsel_error *error);
/* Which instances may be learned from to predict one: of other groups, earlier, and not in the test
 * set, where the data have these. */
HSEL_CHECKED int hs_learns_for(const hsel_dataset *data, uint32_t instance, bool *learns,
                               hsel_error *error);
/* Training rows of a fold: every other fold, ascending, into rows[instances]; returns how many. */
uint32_t hs_folds_training(const hs_folds *folds, uint32_t fold, uint32_t *rows);
/* The view without the rows of a fold of hs_folds_of_view; they go into rows[instances]. */
hs_view hs_folds_rest(const hs_folds *folds, const hs_view *view, uint32_t fold, uint32_t *rows);

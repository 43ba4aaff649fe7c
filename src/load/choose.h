/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Choice of a part of the data, for building and loading: branches of the hierarchy to keep or
 * leave out, and instances by a list of identifiers or as a random share.
 */
#pragma once

#include "data/data.h"

typedef struct hs_choose_options {
    hs_list branch, exclude_branch; /* identifiers or labels of terms */
    const char *instances;          /* file, or "N%"; NULL: all */
    uint64_t instances_seed;
} hs_choose_options;

/* The options over a struct T that has them as its member `choose`. */
#define HS_BRANCH_OPTIONS(T)                                                                       \
    HS_TEXT(T, choose.branch, "branch", "TERM,…", NULL,                                            \
            "keep only these terms, by identifier or label, and everything below them"),           \
        HS_TEXT(T, choose.exclude_branch, "exclude-branch", "TERM,…", NULL,                        \
                "leave out these terms and everything below them, such as terms that state the "   \
                "class")
#define HS_CHOOSE_OPTIONS(T)                                                                       \
    HS_BRANCH_OPTIONS(T),                                                                          \
        HS_FILE(T, choose.instances, "instances", "FILE|N%", HS_READS,                             \
                "keep only instances with identifiers in FILE (one per line, or the first "        \
                "column), or a random N % of each class"),                                         \
        HS_OPTION(T, choose.instances_seed, "instances-seed", "S", "0", 0, 9e15,                   \
                  "seed of the random share of instances")

static inline bool hs_chooses_terms(const hs_choose_options *options)
{
    return options->branch.count || options->exclude_branch.count;
}

/* Refuses a share that is not above 0 % and at most 100 %, and a seed without a share. */
HSEL_CHECKED int hs_choose_check(const hs_choose_options *options, hsel_error *error);

/* Which terms of a clean graph without cycles are chosen: keep[t]. A term is named by its
 * identifier, an alternate one, or its title in any case of letters; names that hold commas are put
 * together again. HSEL_EUSAGE, with candidates, for names of no term or several. The names of the
 * graph may gain an index. */
HSEL_CHECKED int hs_choose_terms(const hs_choose_options *options, hs_graph *graph, bool *keep,
                                 hsel_error *error);
/* Which terms are those of the list, or below them, in the same way: within[t]. `option` is who
 * names them. */
HSEL_CHECKED int hs_terms_below(const char *option, const hs_list *list, hs_graph *graph,
                                bool *within, hsel_error *error);
/* Which features of a data set with a hierarchy are chosen: by the terms of `graph`, which the
 * hierarchy was made from, or, if it is NULL, by the hierarchy itself. Features outside the
 * hierarchy are in no branch. */
HSEL_CHECKED int hs_choose_features(const hs_choose_options *options, hs_graph *graph,
                                    hsel_dataset *data, bool *keep, hsel_error *error);

typedef struct hs_chosen_instances { /* zero-initialise; hs_chosen_instances_clear frees */
    uint32_t left_out;
    uint32_t unknown;  /* identifiers of the file that are not in the data … */
    hs_names examples; /* … the first of them */
} hs_chosen_instances;
void hs_chosen_instances_clear(hs_chosen_instances *chosen);

/* Which of `count` instances are chosen: keep[i]. ids may gain an index. class_of may be NULL;
 * instances without class form a separate class. */
HSEL_CHECKED int hs_choose_instances(const hs_choose_options *options, hs_names *ids,
                                     uint32_t count, const uint32_t *class_of, uint32_t classes,
                                     bool *keep, hs_chosen_instances *out, hsel_error *error);

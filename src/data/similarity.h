/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Semantic similarity of features on their hierarchy. The information of a feature is -log2(support
 * / instances); the shared information of two features is that of their most informative common
 * ancestor (a feature counts as its own ancestor), 0 without one.
 *
 *     resnik         shared                                                     bits
 *     lin            2 shared / (information of both)                           0 … 1
 *     jiang-conrath  1 / (1 + information of both - 2 shared), 0 if none shared 0 … 1
 *
 * Resnik (1995), Lin (1998), Jiang and Conrath (1997). A feature is 1 with itself (its information
 * by Resnik). A feature without support counts as if it had one instance. No paths are enumerated:
 * a pair needs a walk over the ancestors of both, a feature against all others one pass over the
 * edges.
 */
#pragma once

#include "data/dataset.h"

typedef enum hs_similarity_kind { HS_LIN, HS_RESNIK, HS_JIANG_CONRATH } hs_similarity_kind;
#define HS_SIMILARITY_WORDS "lin|resnik|jiang-conrath"

const char *hs_similarity_word(hs_similarity_kind kind);
/* HSEL_EUSAGE: there is none of this name. */
HSEL_CHECKED int hs_similarity_parse(const char *word, hs_similarity_kind *out, hsel_error *error);

typedef struct hs_similarity { /* zero-initialise; hs_similarity_clear frees */
    const hsel_dag *dag;       /* NULL: no edges */
    uint32_t features;
    hs_similarity_kind kind;
    bool scaled;         /* resnik is divided by the larger information of both: 0 … 1 */
    double *information; /* [features], in bits */
} hs_similarity;

/* Instances of the data set in which each feature is positive; of numeric ones those with a value
 * other than 0, of nominal ones those with a value. */
void hs_supports(const hsel_dataset *data, uint32_t *support);
/* Node v of `dag` is feature v. */
HSEL_CHECKED int hs_similarity_init(hs_similarity *out, const hsel_dag *dag, uint32_t features,
                                    const uint32_t *support, uint32_t instances,
                                    hs_similarity_kind kind, hsel_error *error);
void hs_similarity_clear(hs_similarity *similarity);

/* The similarity of first[i] and second[i] into out[i]. O(edges above both) each. */
HSEL_CHECKED int hs_similarity_pairs(const hs_similarity *similarity, const uint32_t *first,
                                     const uint32_t *second, size_t count, double *out,
                                     hsel_error *error);

/* One feature against all others: out[features]; O(features + edges). One reach per thread, made
 * with hs_reach_init (not needed without a hierarchy). */
void hs_similarity_row(const hs_similarity *similarity, hs_reach *reach, uint32_t feature,
                       double *out);

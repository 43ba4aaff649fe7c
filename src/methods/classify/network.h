/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A Bayesian network in which each feature depends on the class and on some other features, its
 * parents: along the hierarchy (ban.c), or a tree (tan.c).
 *
 *     P(c | x) ~ P(c) prod over f of P(x_f | c, values of the parents of f)
 *     P(c) = (n_c + 1)/(N + K),  P(x_f | c, u) = (n_cu,x_f + 1)/(n_cu + 2)
 *
 * with u the joint configuration of all parents. With a lazy selection S, f is conditioned on its
 * parents in S, from the same counts summed over what is not selected. A configuration that was
 * never seen gives 1/2.
 *
 * Configurations are kept as they occur, sorted bit strings over the parents, the one without any
 * positive parent first: never 2^parents of them. Memory O(K x configurations). For all features:
 * the sum for an instance without any positive, kept ready, and corrections for positive features
 * and their children.
 */
#pragma once

#include "classify/classify.h"

typedef struct hs_network { /* in one block with its lists but configurations */
    uint32_t features, classes;
    uint64_t *used;                  /* features of the fit */
    uint32_t *parent_start, *parent; /* in use, ascending */
    uint32_t *child_start, *child;
    uint32_t *class_size;    /* [K] */
    size_t *config_start;    /* [d + 1]: configurations of f; none if it is not in use */
    size_t *key_start;       /* [d]: its first key, words_of(f) words each */
    uint64_t *key;           /* bit p: parent p is positive */
    uint32_t *all, *with;    /* [configurations * K]: instances; of these f is positive in */
    double *log0, *log1;     /* [configurations * K]: log P(0 | c, u), log P(1 | c, u) */
    double *alone0, *alone1; /* [d * K]: the same without parents */
    double *log_weight;      /* [K]: of the classes */
    double *prior, *base;    /* [K]: log P(c); and with the features in use, all negative */
    size_t key_words, key_capacity, all_capacity, with_capacity;
    bool in_order; /* corrections for positive features come in the order of the features */
} hs_network;

/* A network with room for this number of edges; it uses the features of the view (NULL: none).
 * Returns NULL if memory runs out. */
hs_network *hs_network_new(const hsel_dataset *shape, const hs_view *view, size_t edges);
void hs_network_free(void *network);
HS_RELEASE(hs_network_release, hs_network, hs_network_free)

/* Learns with the edges to feature f from parent[start[f] … start[f + 1] - 1], of which those in
 * use count. */
HSEL_CHECKED int hs_network_fit(hs_network *m, const hs_training *training, const uint32_t *start,
                                const uint32_t *parent, hsel_error *error);
/* Its part of a model file, but for the edges: sizes, class sizes, features in use, the
 * configurations of each, class weights. start[features + 1] and parent are those of the fit, each
 * a feature (NULL when it is written). */
HSEL_CHECKED int hs_network_fields(hs_network *m, const uint32_t *start, const uint32_t *parent,
                                   hs_transfer *file, hsel_error *error);

/* For slots of hs_classifier. The factor of a feature, which depends on its parents' values, is the
 * feature's contribution. Dependence is on each parent separately, from the counts of all
 * configurations of the parents. */
int hs_network_scratch_new(const void *network, void **out, hsel_error *error);
int hs_network_predict(const void *network, const hs_batch *batch, void *scratch,
                       double *probability, double *score, hsel_error *error);
int hs_network_contributions(const void *network, const hs_batch *one, void *scratch,
                             uint32_t label, double *prior, double *contribution,
                             hsel_error *error);
uint32_t hs_network_depends(const void *network, uint32_t feature, uint32_t i, double *strength);

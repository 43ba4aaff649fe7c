/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What ban.c (predicting, model files) and ban_fit.c (counting) share, and nobody else.
 */
#ifndef HS_CLASSIFY_BAN_H
#define HS_CLASSIFY_BAN_H

#include "classify/classify.h"

struct ban_model {
    uint32_t features, classes;
    uint64_t *used;                  /* features of the fit */
    uint32_t *parent_start, *parent; /* in use, ascending */
    uint32_t *child_start, *child;
    uint32_t *class_size; /* [K] */
    size_t *config_start; /* [d + 1]: configurations of f; none if it is not in use */
    size_t *key_start;    /* [d]: its first key, word(parents of f) words each */
    uint64_t *key;        /* bit p: parent p is positive */
    uint32_t *all, *with; /* [configurations * K]: instances; of these f is positive in */
    double *log0, *log1;  /* [configurations * K]: log P(0 | c, u), log P(1 | c, u) */
    double *prior, *base; /* [K]: log P(c); and with the features in use, all negative */
    size_t key_words, key_room, all_room, with_room;
};

static inline uint32_t ban_parents(const struct ban_model *m, uint32_t f)
{
    return m->parent_start[f + 1] - m->parent_start[f];
}

static inline size_t ban_words(const struct ban_model *m, uint32_t f)
{
    return hs_bit_words(ban_parents(m, f));
}

/* A model without counts. `used` NULL: all features. */
struct ban_model *hs_ban_new(const hsel_dag *dag, const uint64_t *used, uint32_t classes);
void hs_ban_free(void *model);
/* A further configuration of feature f, without instances. Its key is all zero. Features in
 * order, each after config_start[f + 1] = config_start[f]. */
HSEL_CHECKED int hs_ban_add_config(struct ban_model *model, uint32_t f, hsel_error *error);
/* Logarithms from the counts. */
HSEL_CHECKED int hs_ban_finish(struct ban_model *model, hsel_error *error);
int hs_ban_fit(const hs_training *training, const void *options, void **out, hsel_error *error);

#endif

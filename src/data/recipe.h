/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the values of a data set were computed from those that were read, so that the same
 * preparation can be applied to other instances, and learned again from a part of the instances.
 * Several data sets share a recipe; the learned number is in hsel_dataset.learned.
 *
 * Only two steps learn anything from instances other than the one they change: clr (the
 * pseudo-count) and rclr (the value of absent features). Both are the smallest of one number per
 * instance, `least`, so learning from any part of the instances costs a pass over these.
 */
#pragma once

#include "data/amounts.h"
#include "data/counts.h"

typedef struct hs_recipe {
    char *how;         /* the options, as text (load/load.h reads it); NULL: not finished */
    hsel_dataset *raw; /* as read; without instances unless something is learned from them */
    bool *chosen;      /* [features of raw] that branches left; NULL: all */
    bool *kept;        /* of these, that prevalence and abundance left; NULL: all */
    uint32_t kept_of;  /* how many `kept` is about */
    double *least;     /* [instances of raw], NaN: none; NULL: nothing is learned */
    hs_change change;  /* clr or rclr, if something is */
    int users;
} hs_recipe;

HSEL_CHECKED int hs_recipe_new(hs_recipe **out, hsel_error *error);
hs_recipe *hs_recipe_share(hs_recipe *recipe); /* NULL stays NULL */
void hs_recipe_drop(hs_recipe *recipe);
HS_RELEASE(hs_recipe_release, hs_recipe, hs_recipe_drop)

/* Whether the recipe learns from instances, and has them. */
static inline bool hs_recipe_learns(const hs_recipe *recipe) { return recipe && recipe->least; }
/* What it learns from some instances (rows NULL: from all); NaN: none has an amount. */
double hs_recipe_learn(const hs_recipe *recipe, const uint32_t *rows, uint32_t count);
/* The same recipe for some of the instances. */
HSEL_CHECKED int hs_recipe_of_instances(const hs_recipe *recipe, const bool *keep, hs_recipe **out,
                                        hsel_error *error);

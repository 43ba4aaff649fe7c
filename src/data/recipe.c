/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recipes and who shares them.
 */
#include "data/data.h"

int hs_recipe_new(hs_recipe **out, hsel_error *error)
{
    HS_NEED(*out = HS_NEW_ZERO(hs_recipe, 1));
    (*out)->users = 1;
    return HSEL_OK;
}

hs_recipe *hs_recipe_share(hs_recipe *recipe)
{
    if (recipe)
        __atomic_fetch_add(&recipe->users, 1, __ATOMIC_RELAXED);
    return recipe;
}

void hs_recipe_drop(hs_recipe *recipe)
{
    if (!recipe || __atomic_sub_fetch(&recipe->users, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    hs_dataset_free(recipe->raw);
    HS_FREE(recipe->how, recipe->chosen, recipe->kept, recipe->least);
    hs_free(recipe);
}

double hs_recipe_learn(const hs_recipe *recipe, const uint32_t *rows, uint32_t count)
{
    double least = NAN;
    for (uint32_t i = 0; i < count; i++)
        least = fmin(least, recipe->least[rows ? rows[i] : i]); /* NaN: the other one */
    return recipe->change == HS_CLR ? least / 2 : least - log(2);
}

int hs_recipe_of_instances(const hs_recipe *recipe, const bool *keep, hs_recipe **out,
                           hsel_error *error)
{
    HS_OWNS(hs_recipe_release) hs_recipe *made = NULL;
    const uint32_t features = recipe->raw->features;
    uint32_t next = 0;
    HS_TRY(hs_recipe_new(&made, error));
    HS_TRY(hs_dataset_keep_instances(recipe->raw, keep, &made->raw, error));
    made->change = recipe->change;
    made->kept_of = recipe->kept_of;
    made->how = hs_strdup(recipe->how);
    made->chosen = recipe->chosen ? hs_copy(recipe->chosen, features, sizeof(bool)) : NULL;
    made->kept = recipe->kept ? hs_copy(recipe->kept, recipe->kept_of, sizeof(bool)) : NULL;
    made->least = HS_NEW(double, made->raw->instances);
    HS_NEED(made->how && made->least && !made->chosen == !recipe->chosen &&
            !made->kept == !recipe->kept);
    for (uint32_t i = 0; i < recipe->raw->instances; i++)
        if (keep[i])
            made->least[next++] = recipe->least[i];
    *out = hs_take(&made);
    return HSEL_OK;
}

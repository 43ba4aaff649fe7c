/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fingerprint of a data set: a hash of everything that a result depends on, and of nothing else
 * (not its name, nor how it is kept in memory), so that the same content is the same data set
 * wherever it was read from.
 */
#define XXH_STATIC_LINKING_ONLY /* the state on the stack */
#include <xxhash.h>

#include "study/store.h"

static void add_u32(XXH3_state_t *state, uint32_t value)
{
    XXH3_64bits_update(state, &value, sizeof value);
}

static void add_names(XXH3_state_t *state, const hs_names *names)
{
    add_u32(state, names->count);
    /* with the NUL, so that "a","b" and "ab","" differ */
    for (uint32_t i = 0; i < names->count; i++)
        XXH3_64bits_update(state, HS_NAME(names, i) + 1);
}

uint64_t hs_dataset_fingerprint(const hsel_dataset *data)
{
    XXH3_state_t state;
    const hsel_dag *dag = data->dag;
    XXH3_64bits_reset(&state);
    add_u32(&state, data->instances);
    add_u32(&state, data->positive_class);
    add_names(&state, &data->feature_names);
    add_names(&state, &data->class_names);
    XXH3_64bits_update(&state, data->types, data->features);
    add_u32(&state, data->class_of != NULL);
    if (data->class_of)
        XXH3_64bits_update(&state, data->class_of, data->instances * sizeof *data->class_of);
    if (data->target)
        XXH3_64bits_update(&state, data->target, data->instances * sizeof *data->target);
    for (uint32_t f = 0; data->covariates && f < data->features; f++)
        if (hs_is_covariate(data, f))
            add_u32(&state, f);
    static const char *const roles[] = {HS_ABOUT_STRATUM, HS_ABOUT_GROUP, HS_ABOUT_TIME,
                                        HS_ABOUT_TEST, HS_ABOUT_WEIGHT};
    for (size_t r = 0; r < sizeof roles / sizeof *roles; r++) {
        const uint32_t column = hs_about_column(&data->instance_about, roles[r]);
        for (uint32_t i = 0; column != HSEL_NONE && i < data->instances; i++) {
            const char *text = hs_about_get(&data->instance_about, i, column);
            XXH3_64bits_update(&state, text ? text : "", text ? strlen(text) + 1 : 1);
        }
    }
    for (uint32_t i = 0; i < data->instances; i++) {
        size_t count;
        const uint32_t *row = hs_row(data, i, &count);
        add_u32(&state, (uint32_t)count);
        XXH3_64bits_update(&state, row, count * sizeof *row);
    }
    for (uint32_t f = 0; f < data->features; f++) {
        if (data->types[f] == HSEL_NUMERIC) {
            /* Values that are not 0, whether the column is kept sparse or dense; a number of an
             * instance that does not exist ends it. */
            const hs_numeric_column *column = &data->numeric[data->slot[f]];
            for (uint32_t i = 0; i < column->count; i++) {
                double value = column->values[i];
                if (value == 0) /* also -0 */
                    continue;
                if (value != value)
                    value = (double)NAN; /* one of many */
                add_u32(&state, column->rows ? column->rows[i] : i);
                XXH3_64bits_update(&state, &value, sizeof value);
            }
            add_u32(&state, HSEL_NONE);
        } else if (data->types[f] == HSEL_NOMINAL) {
            const hs_nominal_column *column = &data->nominal[data->slot[f]];
            XXH3_64bits_update(&state, column->codes, data->instances * sizeof *column->codes);
            add_names(&state, &column->values);
        }
    }
    if (hs_recipe_learns(data->recipe)) /* again in each fold: values alone do not tell */
        XXH3_64bits_update(&state, data->recipe->how, strlen(data->recipe->how) + 1);
    add_u32(&state, dag ? dag->edges : HSEL_NONE);
    if (dag) {
        XXH3_64bits_update(&state, dag->parent_start,
                           ((size_t)dag->nodes + 1) * sizeof *dag->parent_start);
        XXH3_64bits_update(&state, dag->parent, dag->edges * sizeof *dag->parent);
    }
    return XXH3_64bits_digest(&state);
}

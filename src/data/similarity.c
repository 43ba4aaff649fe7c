/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Common ancestors by marks: the ancestors of one feature are marked, and what each other feature
 * shares with it is the most informative marked node above it, passed down along the edges.
 */
#include "data/data.h"

static const char *const words[] = {"lin", "resnik", "jiang-conrath"};

const char *hs_similarity_word(hs_similarity_kind kind) { return words[kind]; }

int hs_similarity_parse(const char *word, hs_similarity_kind *out, hsel_error *error)
{
    for (int i = 0; i < (int)(sizeof words / sizeof words[0]); i++)
        if (strcmp(word, words[i]) == 0) {
            *out = (hs_similarity_kind)i;
            return HSEL_OK;
        }
    return hs_fail(error, HSEL_EUSAGE,
                   "unknown similarity '%.80s': use lin, resnik or jiang-conrath", word);
}

void hs_supports(const hsel_dataset *data, uint32_t *support)
{
    for (uint32_t f = 0; f < data->features; f++) {
        size_t count = 0;
        if (data->types[f] == HSEL_BINARY) {
            hs_column(data, f, &count);
        } else if (data->types[f] == HSEL_NUMERIC) {
            const hs_numeric_column *column = &data->numeric[data->slot[f]];
            for (uint32_t i = 0; i < column->count; i++)
                count += column->values[i] < 0 || column->values[i] > 0;
        } else {
            for (uint32_t i = 0; i < data->instances; i++)
                count += data->nominal[data->slot[f]].codes[i] != HS_MISSING_CODE;
        }
        support[f] = (uint32_t)count;
    }
}

int hs_similarity_init(hs_similarity *out, const hsel_dag *dag, uint32_t features,
                       const uint32_t *support, uint32_t instances, hs_similarity_kind kind,
                       hsel_error *error)
{
    *out = (hs_similarity){
        .dag = dag, .features = features, .kind = kind, .information = HS_NEW(double, features)};
    HS_NEED(out->information);
    for (uint32_t f = 0; f < features; f++)
        out->information[f] =
            instances ? log2((double)instances / (support[f] ? support[f] : 1)) : 0;
    return HSEL_OK;
}

void hs_similarity_clear(hs_similarity *similarity)
{
    hs_free(similarity->information);
    *similarity = (hs_similarity){0};
}

static double of_shared(const hs_similarity *s, uint32_t u, uint32_t v, double shared)
{
    double a = s->information[u], b = s->information[v];
    if (s->kind == HS_RESNIK && !s->scaled)
        return shared;
    if (u == v)
        return 1;
    if (shared <= 0)
        return 0;
    /* Where data break the true-path rule, an ancestor may have more information than either. */
    if (s->kind == HS_RESNIK)
        return fmin(1, shared / fmax(a, b));
    if (s->kind == HS_LIN)
        return fmin(1, 2 * shared / (a + b));
    return 1 / (1 + fmax(0, a + b - 2 * shared));
}

/* Marks the ancestors of a feature and itself: reach->stamp[v] == reach->round. */
static void mark_ancestors(hs_reach *reach, uint32_t feature)
{
    hs_reach_start(reach, feature);
    while (hs_reach_next(reach) != HSEL_NONE)
        continue;
}

int hs_similarity_pairs(const hs_similarity *s, const uint32_t *first, const uint32_t *second,
                        size_t count, double *out, hsel_error *error)
{
    HS_OWNS(hs_reach_clear) hs_reach above = {0};
    HS_OWNS(hs_reach_clear) hs_reach walk = {0};
    if (s->dag) {
        HS_TRY(hs_reach_init(&above, s->dag, error));
        HS_TRY(hs_reach_init(&walk, s->dag, error));
    }
    for (size_t i = 0; i < count; i++) {
        double shared = !s->dag && first[i] == second[i] ? s->information[first[i]] : 0;
        if (s->dag && (i == 0 || first[i] != first[i - 1]))
            mark_ancestors(&above, first[i]);
        if (s->dag) {
            uint32_t v = second[i];
            for (hs_reach_start(&walk, v); v != HSEL_NONE; v = hs_reach_next(&walk))
                if (above.stamp[v] == above.round || v == first[i])
                    shared = fmax(shared, s->information[v]);
        }
        out[i] = of_shared(s, first[i], second[i], shared);
    }
    return HSEL_OK;
}

void hs_similarity_row(const hs_similarity *s, hs_reach *reach, uint32_t feature, double *out)
{
    const hsel_dag *dag = s->dag;
    if (!dag) {
        memset(out, 0, s->features * sizeof *out);
        out[feature] = of_shared(s, feature, feature, s->information[feature]);
        return;
    }
    mark_ancestors(reach, feature);
    for (uint32_t i = 0; i < dag->nodes; i++) {
        uint32_t v = dag->order[i];
        size_t count;
        const uint32_t *parent = hs_parents(dag, v, &count);
        double shared = reach->stamp[v] == reach->round || v == feature ? s->information[v] : 0;
        for (size_t p = 0; p < count; p++)
            shared = fmax(shared, out[parent[p]]);
        out[v] = shared;
    }
    for (uint32_t v = 0; v < s->features; v++)
        if (out[v] > 0 || v == feature)
            out[v] = of_shared(s, feature, v, out[v]);
}

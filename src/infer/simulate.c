/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run draws p-values and applies all procedures to them; nothing is kept between runs.
 */
#define MATHLIB_STANDALONE 1
#include "infer/simulate.h"

#include <Rmath.h>

#include "infer/tests.h"

enum { LEAST = 10, MOST = 200 }; /* instances of a planted term */

const hs_option hs_simulation_table[] = {
    HS_CHOICE(hs_simulation, p_values, "p-values", HS_SIMULATE_WORDS, "independent",
              "how p-values come about"),
    HS_OPTION(hs_simulation, effect, "effect", "X", "0", 0, 100, "effect of planted terms"),
    HS_OPTION(hs_simulation, planted, "planted", "N", "20", 1, 100000, "planted terms"),
    HS_OPTION(hs_simulation, seed, "seed", "S", "1", 0, 9e15, "seed"),
    HS_TEXT(hs_simulation, procedure, "procedure", "NAME", NULL, "procedure of hsel test"),
    HS_FILTER_OPTIONS(hs_simulation),
    HS_OPTION(hs_simulation, alpha, "alpha", "P", "0.05", 1e-12, 0.5, "level"),
    HS_OPTION(hs_simulation, from, "from", "N", "0", 0, 4e9, "first run"),
    HS_OPTION(hs_simulation, runs, "runs", "N", "1", 1, 1000000, "number of runs"),
    HS_OPTION_END};

struct draw { /* of a run */
    uint32_t *planted;
    bool *relevant;
    double *p;
};

static double normal(hs_stream *stream)
{
    return qnorm((hs_random_double(stream) * 9007199254740991 + 0.5) / 9007199254740992, 0, 1, 1,
                 0);
}

static bool may_be_planted(const hsel_dataset *data, const hs_simulation *s, uint32_t v)
{
    size_t count;
    if (s->p_values == HS_SIMULATE_INDEPENDENT)
        return hs_is_leaf(data->dag, v);
    hs_column(data, v, &count);
    return count >= LEAST && count <= MOST;
}

static int draw_independent(const hsel_dag *dag, const hs_simulation *s, hs_stream *stream,
                            struct draw *d, hsel_error *error)
{
    HS_OWNS(hs_reach_clear) hs_reach reach = {0};
    uint32_t above;
    HS_TRY(hs_reach_init(&reach, dag, error));
    for (uint32_t i = 0; i < s->planted; i++) {
        d->relevant[d->planted[i]] = true;
        for (hs_reach_start(&reach, d->planted[i]); (above = hs_reach_next(&reach)) != HSEL_NONE;)
            d->relevant[above] = true;
    }
    for (uint32_t v = 0; v < dag->nodes; v++)
        d->p[v] = pnorm(normal(stream) + (d->relevant[v] ? s->effect : 0), 0, 1, 0, 0);
    return HSEL_OK;
}

static int draw_instances(const hsel_dataset *data, const hs_simulation *s, hs_stream *stream,
                          struct draw *d, hsel_error *error)
{
    HS_OWNED bool *affected = HS_NEW_ZERO(bool, data->instances);
    HS_OWNED bool *marked = HS_NEW(bool, data->instances);
    uint32_t all_affected = 0, all_marked = 0;
    size_t count;
    HS_NEED(affected && marked);
    for (uint32_t i = 0; i < s->planted; i++) {
        const uint32_t *column = hs_column(data, d->planted[i], &count);
        for (size_t j = 0; j < count; j++)
            affected[column[j]] = true;
    }
    for (uint32_t i = 0; i < data->instances; i++) {
        double odds = 0.2 * (affected[i] ? exp(s->effect) : 1);
        marked[i] = hs_random_double(stream) < odds / (1 + odds);
        all_marked += marked[i];
        all_affected += affected[i];
    }
    for (uint32_t v = 0; v < data->features; v++) {
        const uint32_t *column = hs_column(data, v, &count);
        uint32_t of_marked = 0, of_affected = 0;
        for (size_t j = 0; j < count; j++) {
            of_marked += marked[column[j]];
            of_affected += affected[column[j]];
        }
        d->relevant[v] = s->effect > 0 &&
                         (uint64_t)of_affected * data->instances > (uint64_t)all_affected * count;
        d->p[v] = hs_p_fisher(data->instances, all_marked, (uint32_t)count, of_marked, HS_TAIL_MORE,
                              false);
    }
    return HSEL_OK;
}

/* One procedure on what was drawn. */
static int judge(const hsel_dataset *data, const hs_simulation *s, const hs_similarity *similarity,
                 const struct draw *d, bool *rejected, bool *left, double *adjusted,
                 hs_simulated *out, hsel_error *error)
{
    const uint32_t count = data->features;
    const hs_procedure *procedure = hs_procedure_find(s->procedure, error);
    const hs_hypotheses h = {d->p, count, data->dag, s->alpha, NULL, similarity, s->similar};
    uint32_t number = 0, wrong = 0;
    double found = 0;
    if (!procedure)
        return HSEL_EUSAGE;
    HS_TRY(hs_procedure_run(procedure, &h, rejected, adjusted, error));
    for (uint32_t i = 0; i < s->planted; i++)
        found += rejected[d->planted[i]];
    for (uint32_t v = 0; v < count; v++)
        number += rejected[v];
    *out = (hs_simulated){.found = found / s->planted, .rejected = number};
    if (procedure->filters)
        HS_TRY(hs_filter_rejected(&h, rejected, left, &number, error));
    else
        memcpy(left, rejected, count);
    for (uint32_t v = 0; v < count; v++)
        wrong += left[v] && !d->relevant[v];
    out->wrong = strcmp(procedure->controls, "FWER") == 0 ? wrong > 0
                 : number                                 ? (double)wrong / number
                                                          : 0;
    return HSEL_OK;
}

/* Whether any term can be planted. */
static int check_simulation(const hsel_dataset *data, const hs_simulation *s, hsel_error *error)
{
    bool any = false;
    if (!data->dag)
        return hs_fail(error, HSEL_EUSAGE, "a simulation needs a hierarchy, but %s has none",
                       hsel_dataset_name(data));
    if (data->slot && s->p_values == HS_SIMULATE_INSTANCES)
        return hs_fail(error, HSEL_EUSAGE,
                       "p-values of instances need binary features, but %s has others",
                       hsel_dataset_name(data));
    for (uint32_t v = 0; v < data->features && !any; v++)
        any = may_be_planted(data, s, v);
    return any ? HSEL_OK
               : hs_fail(error, HSEL_EUSAGE, "%s has no feature with %d to %d instances to plant",
                         hsel_dataset_name(data), LEAST, MOST);
}

int hs_simulate(const hsel_dataset *data, const hs_simulation *each, size_t count,
                hs_simulated *out, hsel_error *error)
{
    const uint32_t n = data->features;
    HS_OWNED bool *flags = HS_NEW(bool, 3 * (size_t)n);
    HS_OWNED double *numbers = HS_NEW(double, 2 * (size_t)n);
    HS_OWNED uint32_t *planted = HS_NEW(uint32_t, each->planted), *support = HS_NEW(uint32_t, n);
    HS_NEED(flags && numbers && planted && support);
    struct draw d = {planted, flags, numbers};
    HS_TRY(check_simulation(data, each, error));
    hs_supports(data, support);
    for (uint32_t r = 0; r < each->runs; r++) {
        bool instances = each->p_values == HS_SIMULATE_INSTANCES;
        uint64_t bits;
        hs_stream stream;
        memcpy(&bits, &each->effect, sizeof bits);
        hs_stream_init(&stream, each->seed, instances ? "planted-instances" : "planted-independent",
                       each->from + (uint64_t)r, bits);
        memset(d.relevant, 0, n);
        for (uint32_t i = 0; i < each->planted; i++)
            do
                planted[i] = (uint32_t)hs_random_below(&stream, n);
            while (!may_be_planted(data, each, planted[i]));
        HS_TRY(instances ? draw_instances(data, each, &stream, &d, error)
                         : draw_independent(data->dag, each, &stream, &d, error));
        for (size_t i = 0; i < count; i++) {
            HS_OWNS(hs_similarity_clear) hs_similarity similarity = {0};
            if (each[i].filter)
                HS_TRY(hs_similarity_init(&similarity, data->dag, n, support, data->instances,
                                          (hs_similarity_kind)(each[i].filter - 1), error));
            HS_TRY(judge(data, &each[i], each[i].filter ? &similarity : NULL, &d, flags + n,
                         flags + 2 * (size_t)n, numbers + n, &out[i * each->runs + r], error));
        }
    }
    return HSEL_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Owen values with nested parts (Owen 1977; any number of levels: Winter 1989).
 *
 * A part has units: its player, and the parts of the players right below; the forest as a whole has
 * the parts of the players without one above. Exact: of each unit, every set T of the k - 1 other
 * units of its part, which come before it with the chance |T|! (k - 1 - |T|)! / k!, on every level
 * down to the player. Sampled: the units of every part are shuffled, and each player adds what the
 * worth changes when it comes; the reversed order is one of the orders too, and the mean of both is
 * one sample. Pair q has its own random stream, and samples are added up by q: the result is the
 * same with any number of threads.
 */
#include "learn/owen.h"

#define EVALUATIONS 20000 /* of exact values at most, of sampled ones about */
#define BLOCK       256   /* pairs that are kept before they are added up */

/* Positions of players: those of a part are contiguous, its player first. */
struct parts {
    uint32_t players;
    hs_sparse below; /* [players + 1]: those right below; the last list: those without one above */
    uint32_t *order; /* [players] */
    uint32_t *place; /* [players]: in the order … */
    uint32_t *size;  /* [players]: … and of the part, from there on */
    hs_arena arena;
};

static void parts_clear(struct parts *p)
{
    hs_sparse_clear(&p->below);
    hs_arena_clear(&p->arena);
}

/* Also the evaluations that exact values take. */
static int find_parts(const hs_game *game, struct parts *p, double *evaluations, hsel_error *error)
{
    const uint32_t n = p->players = game->players;
    uint32_t *stack = HS_ARENA_NEW(&p->arena, uint32_t, n),
             *up = HS_ARENA_NEW(&p->arena, uint32_t, n);
    double *cost = HS_ARENA_NEW(&p->arena, double, (size_t)n + 1);
    HS_NEED(stack && up && cost);
    HS_NEED(
        HS_LISTS(&p->arena, p, HS_PART(p, order, n), HS_PART(p, place, n), HS_PART(p, size, n)));
    for (uint32_t i = 0; i < n; i++)
        up[i] = game->up[i] == HSEL_NONE ? n : game->up[i];
    HS_TRY(hs_sparse_group(n + 1, up, NULL, n, &p->below, error));
    uint32_t waiting = 0, done = 0;
    size_t count;
    const uint32_t *list = hs_sparse_list(&p->below, n, &count);
    for (size_t i = count; i-- > 0;)
        stack[waiting++] = list[i];
    while (waiting > 0) {
        uint32_t at = stack[--waiting];
        p->place[at] = done;
        p->order[done++] = at;
        list = hs_sparse_list(&p->below, at, &count);
        for (size_t i = count; i-- > 0;)
            stack[waiting++] = list[i];
    }
    for (uint32_t i = n + 1; i-- > 0;) { /* parts before those that they are in; all at last */
        uint32_t at = i ? p->order[i - 1] : n, own = at < n;
        list = hs_sparse_list(&p->below, at, &count);
        cost[at] = own ? 2 : 0;
        if (own)
            p->size[at] = 1;
        for (size_t j = 0; j < count; j++) {
            cost[at] += cost[list[j]];
            if (own)
                p->size[at] += p->size[list[j]];
        }
        if (count + own > 1)
            cost[at] *= pow(2, (double)count + own - 1);
    }
    *evaluations = cost[n];
    return HSEL_OK;
}

/* ---- exact ---- */

struct exact {
    const hs_game *game;
    const struct parts *parts;
    size_t words;
    uint32_t draw;
    uint64_t *set;   /* who has come */
    uint64_t *asked; /* [HS_OWEN_BATCH * words] */
    double worth[HS_OWEN_BATCH], weight[HS_OWEN_BATCH];
    uint32_t who[HS_OWEN_BATCH], waiting;
    double *value;
};

static int answer(struct exact *x, hsel_error *error)
{
    HS_TRY(x->game->worth(x->game->context, 0, x->draw, x->asked, x->waiting, x->worth, error));
    for (uint32_t i = 0; i < x->waiting; i++)
        x->value[x->who[i]] += x->weight[i] * x->worth[i];
    x->waiting = 0;
    return HSEL_OK;
}

static int ask(struct exact *x, uint32_t who, double weight, hsel_error *error)
{
    memcpy(x->asked + x->waiting * x->words, x->set, x->words * sizeof *x->set);
    x->who[x->waiting] = who;
    x->weight[x->waiting++] = weight;
    return x->waiting == HS_OWEN_BATCH ? answer(x, error) : HSEL_OK;
}

/* Puts a unit of part `of` in or out: a part below, or (HSEL_NONE) its player alone. */
static void toggle(struct exact *x, uint32_t of, uint32_t unit)
{
    const struct parts *p = x->parts;
    uint32_t from = p->place[unit == HSEL_NONE ? of : unit];
    uint32_t count = unit == HSEL_NONE ? 1 : p->size[unit];
    for (uint32_t i = from; i < from + count; i++)
        x->set[p->order[i] / 64] ^= UINT64_C(1) << p->order[i] % 64;
}

/* What the units of a part add, given who came before it, times the chance of that. Parts of so few
 * evaluations are not nested deeply. */
static int add_part(struct exact *x, uint32_t of, double chance, hsel_error *error)
{
    const bool own = of < x->parts->players;
    size_t below;
    const uint32_t *list = hs_sparse_list(&x->parts->below, of, &below);
    const uint32_t units = (uint32_t)below + own;
    for (uint32_t u = 0; u < units; u++) {
        const uint32_t unit = u < below ? list[u] : HSEL_NONE;
        for (uint64_t others = 0; others < UINT64_C(1) << units; others++) {
            uint32_t count = (uint32_t)__builtin_popcountll(others);
            double before = chance;
            if (others >> u & 1)
                continue;
            for (uint32_t i = 0; i < units; i++) /* count! (units - 1 - count)! / units! */
                before *= i < count       ? (double)(i + 1) / (units - i)
                          : i < units - 1 ? (double)(i - count + 1) / (units - i)
                                          : 1.0;
            for (uint32_t v = 0; v < units; v++)
                if (others >> v & 1)
                    toggle(x, of, v < below ? list[v] : HSEL_NONE);
            if (unit == HSEL_NONE || x->parts->size[unit] == 1) {
                uint32_t who = unit == HSEL_NONE ? of : unit;
                HS_TRY(ask(x, who, -before, error));
                toggle(x, of, unit);
                HS_TRY(ask(x, who, before, error));
                toggle(x, of, unit);
            } else {
                HS_TRY(add_part(x, unit, before, error));
            }
            for (uint32_t v = 0; v < units; v++)
                if (others >> v & 1)
                    toggle(x, of, v < below ? list[v] : HSEL_NONE);
        }
    }
    return HSEL_OK;
}

/* ---- sampled ---- */

struct walker {              /* of one thread */
    uint32_t *order, *units; /* [players], [2 * players]: a part is 2 p, a player alone 2 p + 1 */
    uint64_t *sets;          /* [HS_OWEN_BATCH * words] */
};

struct sampling {
    const hs_game *game;
    const struct parts *parts;
    size_t words;
    double *nobody, *all; /* [draws] */
    struct walker *walker;
    double *sample; /* [BLOCK * players] */
    uint32_t from, pairs;
};

static void draw_order(const struct parts *p, hs_stream *stream, struct walker *w)
{
    uint32_t waiting = 0, done = 0;
    size_t count;
    const uint32_t *list = hs_sparse_list(&p->below, p->players, &count);
    for (size_t i = 0; i < count; i++)
        w->units[waiting++] = 2 * list[i];
    hs_random_shuffle(stream, w->units, count);
    while (waiting > 0) {
        uint32_t unit = w->units[--waiting], first = waiting;
        if (unit % 2 || p->size[unit / 2] == 1) {
            w->order[done++] = unit / 2;
            continue;
        }
        list = hs_sparse_list(&p->below, unit / 2, &count);
        w->units[waiting++] = unit + 1;
        for (size_t i = 0; i < count; i++)
            w->units[waiting++] = 2 * list[i];
        hs_random_shuffle(stream, w->units + first, count + 1);
    }
}

static int walk_pair(void *context, size_t index, int worker, hsel_error *error)
{
    struct sampling *s = context;
    struct walker *w = s->walker + worker;
    const uint32_t n = s->game->players, q = s->from + (uint32_t)index, draw = q % s->game->draws;
    double *sample = s->sample + index * n, worth[HS_OWEN_BATCH];
    hs_stream stream;
    if (worker == 0)
        HS_TRY(hs_progress_report(s->game->progress, q, s->pairs, "Owen values", error));
    hs_stream_init(&stream, s->game->seed, "owen", q, 0);
    draw_order(s->parts, &stream, w);
    memset(sample, 0, n * sizeof *sample);
    for (int way = 0; way < 2; way++) {
        double before = s->nobody[draw];
        uint64_t *last = NULL;
        for (uint32_t i = 0; i < n;) {
            uint32_t count = 0, from = i;
            for (; count < HS_OWEN_BATCH && i < n; count++, i++) {
                uint64_t *set = w->sets + count * s->words;
                if (last)
                    memcpy(set, last, s->words * sizeof *set);
                else
                    memset(set, 0, s->words * sizeof *set);
                hs_bit_set(set, w->order[way ? n - 1 - i : i]);
                last = set;
            }
            uint32_t asked = count - (i == n); /* the worth of all is known */
            if (asked)
                HS_TRY(
                    s->game->worth(s->game->context, worker, draw, w->sets, asked, worth, error));
            worth[count - 1] = i == n ? s->all[draw] : worth[count - 1];
            for (uint32_t k = 0; k < count; k++) {
                sample[w->order[way ? n - 1 - from - k : from + k]] += (worth[k] - before) / 2;
                before = worth[k];
            }
        }
    }
    return HSEL_OK;
}

static int sample_orders(struct sampling *s, double *value, double *error_of, hsel_error *error)
{
    const hs_game *game = s->game;
    const uint32_t n = game->players;
    const int workers = hs_threads(game->threads);
    HS_OWNS(hs_arena_clear) hs_arena arena = {0};
    s->walker = HS_ARENA_NEW(&arena, struct walker, (size_t)workers);
    s->sample = HS_ARENA_NEW(&arena, double, (size_t)n *BLOCK);
    HS_NEED(s->walker && s->sample);
    for (struct walker *w = s->walker; w < s->walker + workers; w++)
        HS_NEED(HS_LISTS(&arena, w, HS_PART(w, order, n), HS_PART(w, units, 2 * (size_t)n),
                         HS_PART(w, sets, HS_OWEN_BATCH * s->words)));
    for (; s->from < s->pairs; s->from += BLOCK) {
        uint32_t count = s->pairs - s->from < BLOCK ? s->pairs - s->from : BLOCK;
        HS_TRY(hs_parallel_for(count, workers, walk_pair, s, error));
        for (uint32_t q = 0; q < count; q++) /* mean and sum of squares around it, as they come */
            for (uint32_t i = 0; i < n; i++) {
                double less = s->sample[(size_t)q * n + i] - value[i];
                value[i] += less / (s->from + q + 1);
                error_of[i] += less * (s->sample[(size_t)q * n + i] - value[i]);
            }
    }
    for (uint32_t i = 0; i < n; i++)
        error_of[i] = s->pairs > 1 ? sqrt(error_of[i] / (s->pairs - 1) / s->pairs) : 0;
    return HSEL_OK;
}

int hs_owen_values(const hs_game *game, double *nobody, double *all, double *value,
                   double *error_of, uint32_t *pairs, hsel_error *error)
{
    const uint32_t n = game->players;
    const size_t words = hs_bit_words(n);
    HS_OWNS(parts_clear) struct parts parts = {0};
    const uint32_t draws = game->draws;
    HS_OWNED uint64_t *sets = HS_NEW_ZERO(uint64_t, (HS_OWEN_BATCH + 1) * words + 1);
    HS_OWNED double *ends = HS_NEW(double, 2 * (size_t)draws);
    double evaluations, worth[2];
    HS_NEED(sets && ends);
    HS_TRY(find_parts(game, &parts, &evaluations, error));
    for (uint32_t i = 0; i < n; i++) {
        hs_bit_set(sets + words, i);
        value[i] = error_of[i] = 0;
    }
    *nobody = *all = 0;
    for (uint32_t d = 0; d < draws; d++) {
        HS_TRY(game->worth(game->context, 0, d, sets, 2, worth, error));
        *nobody += (ends[d] = worth[0]) / draws;
        *all += (ends[draws + d] = worth[1]) / draws;
    }
    *pairs = 0;
    if (evaluations * draws <= EVALUATIONS) {
        for (uint32_t d = 0; d < draws; d++) {
            struct exact x = {.game = game,
                              .parts = &parts,
                              .words = words,
                              .draw = d,
                              .set = sets,
                              .asked = sets + words,
                              .value = value};
            HS_TRY(add_part(&x, n, 1.0 / draws, error));
            if (x.waiting)
                HS_TRY(answer(&x, error));
        }
        return HSEL_OK;
    }
    struct sampling s = {
        .game = game, .parts = &parts, .words = words, .nobody = ends, .all = ends + draws};
    uint32_t wanted = game->pairs ? game->pairs : EVALUATIONS / (2 * n);
    s.pairs = *pairs = (wanted > draws ? (wanted + draws - 1) / draws : 1) * draws;
    return sample_orders(&s, value, error_of, error);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Generations. The children of a pair of tournaments are one task with a random stream of its own,
 * numbered by generation and pair, so a run does not depend on threads or on where it was
 * interrupted. A child is scored from the memo of the parent that it is nearer to.
 */
#include "search/ga.h"

#include <string.h>

#include "core/journal.h"
#include "core/mem.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "core/text.h"

#define MEMO_BUDGET ((size_t)512 << 20) /* bytes; above it sets keep no memos */

/* ---- room ---- */

static void population_clear(hs_population *population)
{
    hs_free(population->sets);
    hs_free(population->value);
    hs_free(population->size);
    hs_free(population->memos);
}

static int population_init(const hs_ga *ga, bool memos, hs_population *out, hsel_error *error)
{
    size_t count = ga->settings.population;
    *out = (hs_population){.sets = HS_NEW_ZERO(uint64_t, count * ga->words),
                           .value = HS_NEW_ZERO(double, count),
                           .size = HS_NEW_ZERO(uint32_t, count),
                           .memos = memos ? HS_NEW_ZERO(char, count * ga->memo_bytes) : NULL};
    if (!out->sets || !out->value || !out->size || (memos && !out->memos))
        return hs_fail_memory(error);
    return HSEL_OK;
}

static int workers_init(hs_ga *ga, hsel_error *error)
{
    if (!(ga->workers = HS_NEW_ZERO(hs_ga_worker, (size_t)ga->threads)))
        return hs_fail_memory(error);
    for (int w = 0; w < ga->threads; w++) {
        ga->workers[w] = (hs_ga_worker){.flips = HS_NEW(uint32_t, ga->features),
                                        .change = HS_NEW(uint64_t, ga->words),
                                        .memo = HS_NEW_ZERO(char, ga->memo_bytes)};
        if (!ga->workers[w].flips || !ga->workers[w].change || !ga->workers[w].memo)
            return hs_fail_memory(error);
    }
    return HSEL_OK;
}

int hs_ga_init(hs_ga *ga, hsel_error *error)
{
    const hs_view *view = &ga->training->view;
    bool hierarchy = ga->settings.mutation != HS_MUTATION_BITWISE;
    int status = HSEL_OK;
    ga->features = view->data->features;
    ga->words = hs_bit_words(ga->features);
    ga->usable = HS_NEW_ZERO(uint64_t, ga->words);
    ga->empty = HS_NEW_ZERO(uint64_t, ga->words);
    ga->elite = HS_NEW(uint32_t, ga->settings.elite);
    if (!ga->usable || !ga->empty || !ga->elite)
        return hs_fail_memory(error);
    for (uint32_t f = 0; f < ga->features; f++)
        if (hs_view_has(view, f))
            hs_bit_set(ga->usable, f);
    if (hierarchy)
        status = hs_relatives_init(ga->training, ga->settings.mutation == HS_MUTATION_CBHE,
                                   &ga->relatives, error);
    if (status)
        return status;
    ga->mutation = (hs_mutation){.kind = ga->settings.mutation,
                                 .sequential = ga->settings.sequential,
                                 .sp = hs_chance_of(ga->settings.sp),
                                 .bp = hs_chance_of(ga->settings.bp),
                                 .usable = ga->usable,
                                 .words = ga->words,
                                 .relatives = hierarchy ? &ga->relatives : NULL};
    ga->memo_bytes = ga->objective.memo_bytes + (hierarchy ? ga->features * sizeof(uint64_t) : 0);
    bool memos = ga->memo_bytes <= MEMO_BUDGET / 2 / ga->settings.population;
    if ((status = population_init(ga, memos, &ga->now, error)) == HSEL_OK)
        status = population_init(ga, memos, &ga->next, error);
    return status ? status : workers_init(ga, error);
}

void hs_ga_clear(hs_ga *ga)
{
    for (int w = 0; ga->workers && w < ga->threads; w++) {
        hs_free(ga->workers[w].flips);
        hs_free(ga->workers[w].change);
        hs_free(ga->workers[w].memo);
    }
    hs_free(ga->workers);
    population_clear(&ga->now);
    population_clear(&ga->next);
    hs_free(ga->usable);
    hs_free(ga->empty);
    hs_free(ga->elite);
    hs_free(ga->notes);
    hs_relatives_clear(&ga->relatives);
    hs_objective_clear(&ga->objective);
    *ga = (hs_ga){0};
}

/* ---- one individual ---- */

static uint64_t *set_of(const hs_ga *ga, const hs_population *population, uint32_t i)
{
    return population->sets + i * ga->words;
}

/* The memo that is to become that of individual i, and the set that it belongs to now: that of
 * `parent` in the generation at hand, or (HSEL_NONE) the empty one. */
static char *take_memo(hs_ga *ga, hs_population *population, uint32_t i, uint32_t parent,
                       int worker, const uint64_t **from)
{
    char *memo =
        population->memos ? population->memos + i * ga->memo_bytes : ga->workers[worker].memo;
    bool inherits = population->memos && parent != HSEL_NONE;
    if (inherits)
        memcpy(memo, ga->now.memos + parent * ga->memo_bytes, ga->memo_bytes);
    else
        memset(memo, 0, ga->memo_bytes);
    *from = inherits ? set_of(ga, &ga->now, parent) : ga->empty;
    return memo;
}

/* The features in which two sets differ, ascending. */
static uint32_t list_flips(const uint64_t *a, const uint64_t *b, size_t words, uint32_t *out)
{
    uint32_t count = 0;
    for (size_t w = 0; w < words; w++)
        for (uint64_t bits = a[w] ^ b[w]; bits; bits &= bits - 1)
            out[count++] = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(bits);
    return count;
}

/* Brings the kin of a memo from one set to another. */
static void move_kin(const hs_ga *ga, hs_kin kin, const uint64_t *from, const uint64_t *to,
                     uint32_t *flips)
{
    uint32_t count = list_flips(from, to, ga->words, flips);
    for (uint32_t i = 0; i < count; i++)
        hs_kin_flip(&ga->relatives, kin, flips[i], hs_bit_get(to, flips[i]));
}

static hs_kin kin_of(const hs_ga *ga, char *memo)
{
    return ga->mutation.relatives ? (hs_kin)(void *)(memo + ga->objective.memo_bytes) : NULL;
}

static int score(hs_ga *ga, hs_population *population, uint32_t i, const uint64_t *from, char *memo,
                 int worker, hsel_error *error)
{
    const uint64_t *set = set_of(ga, population, i);
    population->size[i] = (uint32_t)hs_bits_count(set, ga->words);
    hs_trial trial = {.set = set,
                      .size = population->size[i],
                      .memo = memo,
                      .flips = ga->workers[worker].flips,
                      .flip_count = list_flips(from, set, ga->words, ga->workers[worker].flips),
                      .worker = worker};
    return ga->objective.score(ga->objective.self, &trial, &population->value[i], error);
}

/* A set as crossover left it is mutated and scored. */
static int finish_child(hs_ga *ga, uint32_t i, uint32_t parent, hs_stream *stream, int worker,
                        hsel_error *error)
{
    uint64_t *set = set_of(ga, &ga->next, i), *change = ga->workers[worker].change;
    const uint64_t *from;
    char *memo = take_memo(ga, &ga->next, i, parent, worker, &from);
    hs_kin kin = kin_of(ga, memo);
    if (ga->mutation.relatives)
        move_kin(ga, kin, from, set, ga->workers[worker].flips);
    hs_mutate(&ga->mutation, stream, set, kin, change);
    for (size_t w = 0; w < ga->words; w++)
        set[w] ^= change[w];
    if (ga->mutation.relatives && !ga->mutation.sequential) {
        uint32_t count = list_flips(change, ga->empty, ga->words, ga->workers[worker].flips);
        for (uint32_t k = 0; k < count; k++) {
            uint32_t f = ga->workers[worker].flips[k];
            hs_kin_flip(&ga->relatives, kin, f, hs_bit_get(set, f));
        }
    }
    return score(ga, &ga->next, i, from, memo, worker, error);
}

/* ---- one generation ---- */

static bool is_better(const hs_population *p, uint32_t a, uint32_t b)
{
    if (p->value[a] > p->value[b] || p->value[a] < p->value[b])
        return p->value[a] > p->value[b];
    return p->size[a] != p->size[b] ? p->size[a] < p->size[b] : a < b;
}

static uint32_t tournament(const hs_ga *ga, hs_stream *stream)
{
    uint32_t best = (uint32_t)hs_random_below(stream, ga->settings.population);
    for (uint32_t i = 1; i < ga->settings.tournament; i++) {
        uint32_t other = (uint32_t)hs_random_below(stream, ga->settings.population);
        best = is_better(&ga->now, other, best) ? other : best;
    }
    return best;
}

static size_t distance(const uint64_t *a, const uint64_t *b, size_t words)
{
    size_t bits = 0;
    for (size_t w = 0; w < words; w++)
        bits += (size_t)__builtin_popcountll(a[w] ^ b[w]);
    return bits;
}

/* Children elite + 2 pair and the one after it, if there is still place for it. */
static int breed_pair(void *context, size_t pair, int worker, hsel_error *error)
{
    hs_ga *ga = context;
    hs_stream stream;
    hs_stream_init(&stream, ga->seed, "ga", ga->generation + 1, pair);
    uint32_t parents[2] = {tournament(ga, &stream), tournament(ga, &stream)};
    const uint64_t *a = set_of(ga, &ga->now, parents[0]), *b = set_of(ga, &ga->now, parents[1]);
    uint32_t first = ga->settings.elite + 2 * (uint32_t)pair;
    uint32_t count = first + 1 < ga->settings.population ? 2 : 1;
    bool crosses = hs_random_double(&stream) < ga->settings.crossover;
    uint64_t *swap = ga->workers[worker].change;
    if (crosses)
        hs_random_fill(&stream, swap, ga->words);
    else
        memset(swap, 0, ga->words * sizeof *swap);
    for (uint32_t c = 0; c < count; c++) {
        uint64_t *set = set_of(ga, &ga->next, first + c);
        for (size_t w = 0; w < ga->words; w++)
            set[w] = (c ? b[w] : a[w]) ^ (swap[w] & (a[w] ^ b[w]));
    }
    int status = HSEL_OK;
    for (uint32_t c = 0; c < count && status == HSEL_OK; c++) {
        const uint64_t *set = set_of(ga, &ga->next, first + c);
        size_t to_a = distance(set, a, ga->words), to_b = distance(set, b, ga->words);
        uint32_t near = parents[to_b < to_a];
        if (hs_bits_count(set, ga->words) < (to_b < to_a ? to_b : to_a))
            near = HSEL_NONE; /* the empty set is nearer */
        status = finish_child(ga, first + c, near, &stream, worker, error);
    }
    return status;
}

/* The best of `now` into ga->elite, best first. */
static void find_elite(hs_ga *ga)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < ga->settings.population && ga->settings.elite; i++) {
        if (count == ga->settings.elite && !is_better(&ga->now, i, ga->elite[count - 1]))
            continue;
        uint32_t at = count < ga->settings.elite ? count++ : count - 1;
        for (; at > 0 && is_better(&ga->now, i, ga->elite[at - 1]); at--)
            ga->elite[at] = ga->elite[at - 1];
        ga->elite[at] = i;
    }
}

static void copy_elite(hs_ga *ga)
{
    find_elite(ga);
    for (uint32_t i = 0; i < ga->settings.elite; i++) {
        uint32_t from = ga->elite[i];
        memcpy(set_of(ga, &ga->next, i), set_of(ga, &ga->now, from), ga->words * sizeof(uint64_t));
        ga->next.value[i] = ga->now.value[from];
        ga->next.size[i] = ga->now.size[from];
        if (ga->now.memos)
            memcpy(ga->next.memos + i * ga->memo_bytes, ga->now.memos + from * ga->memo_bytes,
                   ga->memo_bytes);
    }
}

int hs_ga_breed(hs_ga *ga, hsel_error *error)
{
    copy_elite(ga);
    size_t pairs = (ga->settings.population - ga->settings.elite + 1) / 2;
    int status = hs_parallel_for(pairs, ga->threads, breed_pair, ga, error);
    if (status)
        return status;
    hs_population parents = ga->now;
    ga->now = ga->next;
    ga->next = parents;
    ga->generation++;
    return HSEL_OK;
}

/* ---- the first generation, and one from a checkpoint ---- */

static int score_task(void *context, size_t i, int worker, hsel_error *error)
{
    hs_ga *ga = context;
    const uint64_t *from;
    char *memo = take_memo(ga, &ga->now, (uint32_t)i, HSEL_NONE, worker, &from);
    if (ga->mutation.relatives)
        move_kin(ga, kin_of(ga, memo), from, set_of(ga, &ga->now, (uint32_t)i),
                 ga->workers[worker].flips);
    return score(ga, &ga->now, (uint32_t)i, from, memo, worker, error);
}

int hs_ga_score_all(hs_ga *ga, hsel_error *error)
{
    return hs_parallel_for(ga->settings.population, ga->threads, score_task, ga, error);
}

int hs_ga_first(hs_ga *ga, hsel_error *error)
{
    for (uint32_t i = 0; i < ga->settings.population; i++) {
        uint64_t *set = set_of(ga, &ga->now, i);
        hs_stream stream;
        hs_stream_init(&stream, ga->seed, "ga", 0, i);
        hs_random_fill(&stream, set, ga->words);
        for (size_t w = 0; w < ga->words; w++)
            set[w] &= ga->usable[w];
    }
    ga->generation = 0;
    return hs_ga_score_all(ga, error);
}

/* ---- the run ---- */

uint32_t hs_ga_best(const hs_ga *ga)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < ga->settings.population; i++)
        best = is_better(&ga->now, i, best) ? i : best;
    return best;
}

/* Do all have the same value? */
static bool has_converged(const hs_ga *ga)
{
    const double *value = ga->now.value;
    for (uint32_t i = 1; i < ga->settings.population; i++)
        if (value[i] < value[0] || value[i] > value[0])
            return false;
    return true;
}

static int take_note(hs_ga *ga, hsel_error *error)
{
    uint32_t best = hs_ga_best(ga), count = ga->settings.population;
    double values = 0, sizes = 0;
    if (!HS_GROW(&ga->notes, &ga->note_room, (size_t)ga->generation + 1))
        return hs_fail_memory(error);
    for (uint32_t i = 0; i < count; i++) {
        values += ga->now.value[i];
        sizes += ga->now.size[i];
    }
    ga->notes[ga->generation] = (hs_ga_note){.best = ga->now.value[best],
                                             .mean = values / count,
                                             .size = ga->now.size[best],
                                             .mean_size = sizes / count};
    return hs_ga_log_note(ga, ga->generation, error);
}

/* Tells how far it is; when asked to stop, keeps what there is. */
static int report(hs_ga *ga, hsel_error *error)
{
    const hs_ga_note *note = &ga->notes[ga->generation];
    char what[96];
    int status = HSEL_OK;
    if (ga->training->progress) {
        hs_print(what, sizeof what, "best %.4f, mean %.4f, %.0f features", note->best, note->mean,
                 note->size);
        status = hs_progress_report(ga->training->progress, ga->generation,
                                    ga->settings.generations, what, error);
    }
    if (status || hs_journal_due(ga->training->journal)) {
        hsel_error unused;
        int kept = hs_ga_keep(ga, status ? &unused : error);
        status = status ? status : kept;
    }
    return status;
}

static int start(hs_ga *ga, hsel_error *error)
{
    bool found;
    int status = hs_ga_restore(ga, &found, error);
    if (status || (status = hs_ga_log_start(ga, error)))
        return status;
    if (!found)
        return (status = hs_ga_first(ga, error)) ? status : take_note(ga, error);
    for (uint32_t g = 0; g <= ga->generation && status == HSEL_OK; g++)
        status = hs_ga_log_note(ga, g, error);
    return status;
}

int hs_ga_run(hs_ga *ga, hsel_error *error)
{
    int status = start(ga, error);
    bool converged = status == HSEL_OK && has_converged(ga);
    if (status == HSEL_OK)
        status = report(ga, error);
    while (status == HSEL_OK && !converged && ga->generation < ga->settings.generations) {
        if ((status = hs_ga_breed(ga, error)) || (status = take_note(ga, error)))
            break;
        converged = has_converged(ga);
        status = report(ga, error);
    }
    if (status == HSEL_OK)
        status = hs_ga_keep(ga, error);
    return status ? status : hs_ga_log_end(ga, converged, error);
}

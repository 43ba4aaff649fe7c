/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GA-HFS: a genetic algorithm over sets of features, wrapped around a classifier.
 *
 * A set's fitness is lexicographic: (1) GM by cross-validation of naive Bayes inside the training
 * part (5 folds, made once for all sets; pooled); (2) fewer features. A generation: the best
 * `elite` sets are copied; then two tournaments of size k choose parents, uniform crossover with
 * probability pc swaps each feature with 1/2, both children are mutated, until the population is
 * full. The search ends at the limit of generations, or when all sets have the same GM; the answer
 * is the best set of the last generation.
 *
 * da Silva, Plastino, Freitas (2018): A novel genetic algorithm for feature selection in
 * hierarchical feature spaces (SDM): GA-HFS with its three mutations (mutation.h); the presets are
 * the settings that irace gave the authors. The paper leaves open, and here is: first bits
 * with 1/2; tournaments drawn with replacement; mutation also without crossover; mutations depend
 * on the set before them (mutate=sequential is the other reading); the empty set is allowed.
 *
 * Time: a set costs O(K n + what naive Bayes needs for the features in which it differs from its
 * parent), see nb_objective.c; other classifiers and areas are fitted and tested in every fold.
 * Memory: population x (8 n (K-1) + 12 d) bytes twice. Ties: fewer features, then lowest index.
 *
 * Each pair of children is a task with a random stream of its own, numbered by generation and pair,
 * so a run depends neither on threads nor on interruptions. A child is scored from the memo of the
 * nearer parent.
 *
 * A run writes a log in JSON lines, and checkpoints (core/journal.h) from which an interrupted run
 * resumes on the same machine and with the same program. Checkpoints are not trusted, and values
 * are recomputed.
 */
#include <xxhash.h>

#include "classify/classify.h"
#include "search/mutation.h"
#include "search/objective.h"
#include "select/eager.h"

#define MEMO_BUDGET ((size_t)512 << 20) /* bytes; above it sets keep no memos */

struct settings {
    hs_mutation_kind mutation;
    bool sequential;
    uint32_t population, generations, elite, tournament;
    double crossover, sp, bp;
};

enum { PRESET_AUTO };
enum { MUTATION_AUTO };
enum { FITNESS_FAST, FITNESS_GENERAL };

#define FROM_PRESET (-1)

struct options {
    int preset, mutation, mutate, fitness, metric;
    uint32_t population, generations, tournament, folds;
    int elite;
    double crossover, sp, bp;
    const char *classifier;
    uint64_t seed;
};

static const hs_metric metrics[] = {
    HS_METRIC_GM,       HS_METRIC_ACCURACY, HS_METRIC_SENSITIVITY, HS_METRIC_SPECIFICITY,
    HS_METRIC_MACRO_F1, HS_METRIC_AUROC,    HS_METRIC_AUPRC};

static const hs_option table[] = {
    HS_CHOICE(struct options, preset, "preset", "auto|bitwise|she|cbhe", "auto",
              "settings that the paper tuned for a mutation; auto: those for the given mutation, "
              "else cbhe. Other options override it"),
    HS_CHOICE(struct options, mutation, "mutation", "auto|bitwise|she|cbhe", "auto",
              "how sets change; auto: as in the preset. she and cbhe use the hierarchy"),
    HS_OPTION(struct options, population, "population", "N", "0", 0, 1000000,
              "sets in a generation; 0: as in the preset (138, 62, 146)"),
    HS_OPTION(struct options, generations, "generations", "N", "0", 0, 1000000,
              "generations after the first; 0: as in the preset (80, 96, 149)"),
    HS_OPTION(struct options, elite, "elite", "N", "-1", -1, 1000000,
              "best sets that are copied; -1: as in the preset (6, 2, 4)"),
    HS_OPTION(struct options, tournament, "tournament", "N", "0", 0, 1000000,
              "sets drawn, with replacement, of which the best becomes a parent; 0: as in the "
              "preset (4, 5, 6)"),
    HS_OPTION(struct options, crossover, "crossover", "P", "-1", -1, 1,
              "probability of crossover; -1: as in the preset (0.93, 0.98, 0.95)"),
    HS_OPTION(struct options, sp, "sp", "P", "-1", -1, 1,
              "standard mutation probability; -1: as in the preset (0.02, 0.03, 0.06)"),
    HS_OPTION(struct options, bp, "bp", "P", "-1", -1, 1,
              "biased mutation probability, for she; -1: as in the preset (0.19)"),
    HS_CHOICE(struct options, mutate, "mutate", "simultaneous|sequential", "simultaneous",
              "she and cbhe: decide by the set before the mutation, or by the current one while it "
              "changes feature by feature"),
    HS_TEXT(struct options, classifier, "classifier", "METHOD", "nb",
            "wrapped classifier; separate its further options by ;"),
    HS_CHOICE(struct options, metric, "metric",
              "gm|accuracy|sensitivity|specificity|macro-f1|auroc|auprc", "gm",
              "metric to maximise, pooled over the inner folds"),
    HS_OPTION(struct options, folds, "folds", "N", "5", 2, 1000, "inner folds"),
    HS_CHOICE(struct options, fitness, "fitness", "fast|general", "fast",
              "fast: evaluate nb without fitting it, with the same result (except for auroc and "
              "auprc); general: fit and test in every fold, as for all other classifiers"),
    HS_OPTION(struct options, seed, "seed", "S", "0", 0, 9e15,
              "seed of another run on the same data; 0: use only the seed of the command"),
    HS_OPTION_END};

/* population, generations, elite, tournament, crossover, sp, bp; bp matters to she only */
static const struct settings presets[] = {
    {HS_MUTATION_BITWISE, false, 138, 80, 6, 4, 0.93, 0.02, 0.19},
    {HS_MUTATION_SHE, false, 62, 96, 2, 5, 0.98, 0.03, 0.19},
    {HS_MUTATION_CBHE, false, 146, 149, 4, 6, 0.95, 0.06, 0.19},
};

/* Individual i: sets + i * words, value[i], size[i], memos + i * memo_bytes. */
struct population {
    uint64_t *sets;
    double *value;
    uint32_t *size;
    char *memos; /* NULL: they would take too much memory; sets are scored from the empty one */
};

struct note {                           /* of a generation */
    double best, mean, size, mean_size; /* size: of the best */
};

struct worker {
    uint32_t *flips;  /* [features] */
    uint64_t *change; /* [words] */
    char *memo;       /* if sets have none of their own */
};

struct ga {
    const hs_training *training;
    struct settings settings;
    uint64_t seed;
    hs_checkpoint checkpoint;
    hs_objective objective;
    hs_relatives relatives;
    hs_mutation mutation;
    uint32_t features;
    size_t words, memo_bytes;
    hs_arena memory; /* of the arrays, but for memos and notes */
    char *memos;
    uint64_t *usable, *empty;
    struct population now, next;
    uint32_t *elite; /* [settings.elite]: the best of `now`, best first */
    struct worker *workers;
    int threads;
    uint32_t generation;
    struct note *notes; /* [generation + 1] */
    size_t note_capacity;
};

static void ga_clear(struct ga *ga)
{
    hs_relatives_clear(&ga->relatives);
    hs_objective_clear(&ga->objective);
    hs_arena_clear(&ga->memory);
    HS_FREE(ga->memos, ga->notes);
}

/* ---- settings ---- */

static int settle_options(const struct options *o, struct settings *out, hsel_error *error)
{
    int preset = o->preset != PRESET_AUTO       ? o->preset - 1
                 : o->mutation != MUTATION_AUTO ? o->mutation - 1
                                                : HS_MUTATION_CBHE;
    *out = presets[preset];
    if (o->mutation != MUTATION_AUTO)
        out->mutation = (hs_mutation_kind)(o->mutation - 1);
    out->sequential = o->mutate == 1;
    out->population = o->population ? o->population : out->population;
    out->generations = o->generations ? o->generations : out->generations;
    out->elite = o->elite >= 0 ? (uint32_t)o->elite : out->elite;
    out->tournament = o->tournament ? o->tournament : out->tournament;
    const struct {
        const char *name;
        double given, *out;
    } probabilities[] = {{"crossover", o->crossover, &out->crossover},
                         {"sp", o->sp, &out->sp},
                         {"bp", o->bp, &out->bp}};
    for (int i = 0; i < 3; i++) {
        if (probabilities[i].given >= 0)
            *probabilities[i].out = probabilities[i].given;
        else if (probabilities[i].given > FROM_PRESET)
            return hs_fail(
                error, HSEL_EUSAGE,
                "option %s of ga takes a probability from 0 to 1 (or -1: as in the preset), not %g",
                probabilities[i].name, probabilities[i].given);
    }
    if (out->elite >= out->population)
        return hs_fail(error, HSEL_EUSAGE,
                       "ga copies an elite of %u sets of a population of %u, which leaves no "
                       "place for children: elite must be below population",
                       out->elite, out->population);
    return HSEL_OK;
}

static int ga_check(const void *options, hsel_error *error)
{
    const struct options *o = options;
    struct settings settings;
    HS_OWNS(hs_chosen_clear) hs_chosen classifier = {0};
    HS_TRY(settle_options(o, &settings, error));
    HS_TRY(
        hs_nested_parse(HS_CLASSIFIER, o->classifier, strlen(o->classifier), &classifier, error));
    const hs_adjust_options *adjust = classifier.options;
    if (hs_adjust_moves(adjust))
        return hs_fail(error, HSEL_EUSAGE,
                       "calibration and threshold have no effect inside ga: give them to the "
                       "classifier that is used with it");
    return HSEL_OK;
}

/* A hash of everything that determines a run except the number of generations: a longer run begins
 * like a shorter one. */
static uint64_t hash_run(const struct ga *ga, const struct options *o)
{
    const hs_view *view = &ga->training->view;
    const struct settings *s = &ga->settings;
    double numbers[] = {s->mutation,  s->sequential, s->population, s->elite, s->tournament,
                        s->crossover, s->sp,         s->bp,         o->folds, o->metric};
    uint64_t hash = XXH3_64bits_withSeed(numbers, sizeof numbers, ga->seed);
    hash = XXH3_64bits_withSeed(o->classifier, strlen(o->classifier), hash);
    for (uint32_t i = 0; i < view->row_count; i++) {
        size_t count;
        uint32_t row = hs_view_row(view, i);
        const uint32_t *list = hs_row(view->data, row, &count);
        hash = XXH3_64bits_withSeed(list, count * sizeof *list, hash);
        hash = XXH3_64bits_withSeed(&view->data->class_of[row], sizeof(uint32_t), hash);
    }
    const hsel_dag *dag = s->mutation == HS_MUTATION_BITWISE ? NULL : view->data->dag;
    for (uint32_t f = 0; dag && f < dag->nodes; f++) {
        size_t count;
        const uint32_t *parents = hs_parents(dag, f, &count);
        hash = XXH3_64bits_withSeed(parents, count * sizeof *parents, hash);
    }
    return XXH3_64bits_withSeed(&ga->words, sizeof ga->words, hash);
}

static int ga_init(struct ga *ga, hsel_error *error)
{
    const hs_view *view = &ga->training->view;
    const struct settings *s = &ga->settings;
    const bool hierarchy = s->mutation != HS_MUTATION_BITWISE;
    hs_arena *memory = &ga->memory;
    size_t count = s->population;
    ga->features = view->data->features;
    ga->words = hs_bit_words(ga->features);
    ga->memo_bytes = ga->objective.memo_bytes + (hierarchy ? ga->features * sizeof(uint64_t) : 0);
    HS_NEED(HS_LISTS(memory, ga, HS_PART(ga, usable, ga->words), HS_PART(ga, empty, ga->words),
                     HS_PART(ga, elite, s->elite), HS_PART(ga, workers, (size_t)ga->threads)));
    for (struct worker *w = ga->workers; w < ga->workers + ga->threads; w++)
        HS_NEED(HS_LISTS(memory, w, HS_PART(w, flips, ga->features), HS_PART(w, change, ga->words),
                         HS_PART(w, memo, ga->memo_bytes)));
    bool memos = ga->memo_bytes <= MEMO_BUDGET / 2 / count;
    if (memos)
        HS_NEED(ga->memos = HS_NEW(char, 2 * count * ga->memo_bytes));
    for (int i = 0; i < 2; i++) {
        struct population *p = i ? &ga->next : &ga->now;
        p->memos = memos ? ga->memos + i * count * ga->memo_bytes : NULL;
        HS_NEED(HS_LISTS(memory, p, HS_PART(p, sets, count * ga->words), HS_PART(p, value, count),
                         HS_PART(p, size, count)));
    }
    for (uint32_t f = 0; f < ga->features; f++)
        if (hs_view_has(view, f))
            hs_bit_set(ga->usable, f);
    if (hierarchy)
        HS_TRY(hs_relatives_init(ga->training, s->mutation == HS_MUTATION_CBHE, &ga->relatives,
                                 error));
    ga->mutation = (hs_mutation){.kind = s->mutation,
                                 .sequential = s->sequential,
                                 .sp = hs_chance_of(s->sp),
                                 .bp = hs_chance_of(s->bp),
                                 .usable = ga->usable,
                                 .words = ga->words,
                                 .relatives = hierarchy ? &ga->relatives : NULL};
    return HSEL_OK;
}

/* ---- one individual ---- */

static uint64_t *set_of(const struct ga *ga, const struct population *population, uint32_t i)
{
    return population->sets + i * ga->words;
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

/* Updates the tally: the features in which a and b differ have joined `set` or left it. */
static void flip_relatives(const struct ga *ga, uint64_t *tally, const uint64_t *a,
                           const uint64_t *b, const uint64_t *set, uint32_t *flips)
{
    uint32_t count = list_flips(a, b, ga->words, flips);
    for (uint32_t i = 0; i < count; i++)
        hs_relatives_flip(&ga->relatives, tally, flips[i], hs_bit_get(set, flips[i]));
}

/* Mutates individual i, unless `stream` is NULL, and scores it. Its memo is made from that of
 * `parent` in the current generation, or (HSEL_NONE) of the empty set. */
static int finish_individual(struct ga *ga, struct population *population, uint32_t i,
                             uint32_t parent, hs_stream *stream, int worker, hsel_error *error)
{
    const struct worker *w = &ga->workers[worker];
    uint64_t *set = set_of(ga, population, i), *tally = NULL;
    char *memo = population->memos ? population->memos + i * ga->memo_bytes : w->memo;
    bool inherits = population->memos && parent != HSEL_NONE;
    const uint64_t *from = inherits ? set_of(ga, &ga->now, parent) : ga->empty;
    if (inherits)
        memcpy(memo, ga->now.memos + parent * ga->memo_bytes, ga->memo_bytes);
    else
        memset(memo, 0, ga->memo_bytes);
    if (ga->mutation.relatives) {
        tally = (uint64_t *)(void *)(memo + ga->objective.memo_bytes);
        flip_relatives(ga, tally, from, set, set, w->flips);
    }
    if (stream) {
        hs_mutate(&ga->mutation, stream, set, tally, w->change);
        for (size_t k = 0; k < ga->words; k++)
            set[k] ^= w->change[k];
        if (tally && !ga->mutation.sequential)
            flip_relatives(ga, tally, w->change, ga->empty, set, w->flips);
    }
    population->size[i] = (uint32_t)hs_bits_count(set, ga->words);
    hs_trial trial = {.set = set,
                      .memo = memo,
                      .flips = w->flips,
                      .flip_count = list_flips(from, set, ga->words, w->flips),
                      .worker = worker};
    return ga->objective.score(ga->objective.self, &trial, &population->value[i], error);
}

static int score_task(void *context, size_t i, int worker, hsel_error *error)
{
    struct ga *ga = context;
    return finish_individual(ga, &ga->now, (uint32_t)i, HSEL_NONE, NULL, worker, error);
}

/* Rescores all of `now`. */
static int score_all(struct ga *ga, hsel_error *error)
{
    return hs_parallel_for(ga->settings.population, ga->threads, score_task, ga, error);
}

/* ---- one generation ---- */

static bool is_fitter(const struct population *p, uint32_t a, uint32_t b)
{
    if (p->value[a] > p->value[b] || p->value[a] < p->value[b])
        return p->value[a] > p->value[b];
    return p->size[a] != p->size[b] ? p->size[a] < p->size[b] : a < b;
}

static uint32_t tournament(const struct ga *ga, hs_stream *stream)
{
    uint32_t best = (uint32_t)hs_random_below(stream, ga->settings.population);
    for (uint32_t i = 1; i < ga->settings.tournament; i++) {
        uint32_t other = (uint32_t)hs_random_below(stream, ga->settings.population);
        best = is_fitter(&ga->now, other, best) ? other : best;
    }
    return best;
}

/* Children elite + 2 pair and, if the population has room for it, the next one. */
static int breed_pair(void *context, size_t pair, int worker, hsel_error *error)
{
    struct ga *ga = context;
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
    for (uint32_t c = 0; c < count; c++) {
        const uint64_t *set = set_of(ga, &ga->next, first + c);
        const size_t size = hs_bits_count(set, ga->words);
        size_t to_a = size + ga->now.size[parents[0]] - 2 * hs_bits_count_and(set, a, ga->words);
        size_t to_b = size + ga->now.size[parents[1]] - 2 * hs_bits_count_and(set, b, ga->words);
        HS_TRY(finish_individual(ga, &ga->next, first + c, parents[to_b < to_a], &stream, worker,
                                 error));
    }
    return HSEL_OK;
}

/* Index of the best: highest value, then fewest features, then lowest index. */
static uint32_t best_of(const struct ga *ga)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < ga->settings.population; i++)
        best = is_fitter(&ga->now, i, best) ? i : best;
    return best;
}

static int breed(struct ga *ga, hsel_error *error)
{
    const uint32_t elite = ga->settings.elite, population = ga->settings.population;
    uint32_t count = 0;
    for (uint32_t i = 0; i < population && elite; i++) { /* the best of `now`, best first */
        if (count == elite && !is_fitter(&ga->now, i, ga->elite[count - 1]))
            continue;
        uint32_t at = count < elite ? count++ : count - 1;
        for (; at > 0 && is_fitter(&ga->now, i, ga->elite[at - 1]); at--)
            ga->elite[at] = ga->elite[at - 1];
        ga->elite[at] = i;
    }
    for (uint32_t i = 0; i < elite; i++) {
        uint32_t from = ga->elite[i];
        memcpy(set_of(ga, &ga->next, i), set_of(ga, &ga->now, from), ga->words * sizeof(uint64_t));
        ga->next.value[i] = ga->now.value[from];
        ga->next.size[i] = ga->now.size[from];
        if (ga->now.memos)
            memcpy(ga->next.memos + i * ga->memo_bytes, ga->now.memos + from * ga->memo_bytes,
                   ga->memo_bytes);
    }
    HS_TRY(hs_parallel_for((population - elite + 1) / 2, ga->threads, breed_pair, ga, error));
    struct population parents = ga->now;
    ga->now = ga->next;
    ga->next = parents;
    ga->generation++;
    return HSEL_OK;
}

/* ---- checkpoints ---- */

/* Generation, sets, notes. */
static int ga_fields(void *context, hs_transfer *file, hsel_error *error)
{
    struct ga *ga = context;
    const size_t words = ga->settings.population * ga->words;
    HS_FIELDS(file, HS_VALUE(ga->generation, HS_ANY));
    if (ga->generation > ga->settings.generations)
        return hs_fail(
            error, HSEL_EUSAGE,
            "%s is at generation %u, but the run ends with generation %u: raise generations",
            hs_journal_checkpoint(ga->training->journal), ga->generation, ga->settings.generations);
    HS_NEED(HS_GROW(&ga->notes, &ga->note_capacity, (size_t)ga->generation + 1));
    HS_FIELDS(file, HS_VALUES(*ga->now.sets, words, HS_ANY),
              HS_VALUES(*ga->notes, (uint64_t)ga->generation + 1, HS_ANY));
    /* sets within the features that may be used, notes that are numbers */
    for (size_t i = 0; i < words; i++)
        if (ga->now.sets[i] & ~ga->usable[i % ga->words])
            return HSEL_EFORMAT;
    for (const struct note *n = ga->notes; n <= ga->notes + ga->generation; n++)
        if (!isfinite(n->best) || !isfinite(n->mean) || !isfinite(n->size) ||
            !isfinite(n->mean_size))
            return HSEL_EFORMAT;
    return HSEL_OK;
}

/* ---- the log ---- */

static const char *number(double value, char *text)
{
    hs_format_double(value, text);
    return text;
}
#define NUMBER(value) number(value, (char[40]){0})

/* A line of the log. */
static int HS_PRINTF(3, 4) put_line(const struct ga *ga, hsel_error *error, const char *format, ...)
{
    char line[600];
    va_list arguments;
    va_start(arguments, format);
    hs_vprint(line, sizeof line, format, arguments);
    va_end(arguments);
    return hs_journal_line(ga->training->journal, line, error);
}

static int log_note(const struct ga *ga, uint32_t generation, hsel_error *error)
{
    const struct note *note = &ga->notes[generation];
    return put_line(ga, error,
                    "{\"generation\":%u,\"best\":%s,\"mean\":%s,\"size\":%s,\"mean_size\":%s}",
                    generation, NUMBER(note->best), NUMBER(note->mean), NUMBER(note->size),
                    NUMBER(note->mean_size));
}

/* ---- the run ---- */

static int record_generation(struct ga *ga, hsel_error *error)
{
    uint32_t best = best_of(ga), count = ga->settings.population;
    double values = 0, sizes = 0;
    HS_NEED(HS_GROW(&ga->notes, &ga->note_capacity, (size_t)ga->generation + 1));
    for (uint32_t i = 0; i < count; i++) {
        values += ga->now.value[i];
        sizes += ga->now.size[i];
    }
    ga->notes[ga->generation] = (struct note){.best = ga->now.value[best],
                                              .mean = values / count,
                                              .size = ga->now.size[best],
                                              .mean_size = sizes / count};
    return log_note(ga, ga->generation, error);
}

/* From the first generation, or from where the training's journal says, to the end. */
static int ga_run(struct ga *ga, hsel_error *error)
{
    static const char *const mutations[] = {"bitwise", "she", "cbhe"};
    const struct settings *s = &ga->settings;
    bool found, converged = false;
    HS_TRY(hs_checkpoint_restore(ga->training->journal, &ga->checkpoint, &found, error));
    if (found)
        HS_TRY(score_all(ga, error));
    HS_TRY(put_line(ga, error,
                    "{\"search\":\"ga\",\"mutation\":\"%s\",\"mutate\":\"%s\",\"population\":%u,"
                    "\"generations\":%u,\"elite\":%u,\"tournament\":%u,\"crossover\":%s,\"sp\":%s,"
                    "\"bp\":%s,\"seed\":%llu,\"instances\":%u,\"features\":%zu}",
                    mutations[s->mutation], s->sequential ? "sequential" : "simultaneous",
                    s->population, s->generations, s->elite, s->tournament, NUMBER(s->crossover),
                    NUMBER(s->sp), NUMBER(s->bp), (unsigned long long)ga->seed,
                    ga->training->view.row_count, hs_bits_count(ga->usable, ga->words)));
    for (uint32_t g = 0; found && g <= ga->generation; g++)
        HS_TRY(log_note(ga, g, error));
    if (!found) {
        for (uint32_t i = 0; i < s->population; i++) {
            uint64_t *set = set_of(ga, &ga->now, i);
            hs_stream stream;
            hs_stream_init(&stream, ga->seed, "ga", 0, i);
            hs_random_fill(&stream, set, ga->words);
            for (size_t w = 0; w < ga->words; w++)
                set[w] &= ga->usable[w];
        }
        HS_TRY(score_all(ga, error));
        HS_TRY(record_generation(ga, error));
    }
    while (true) {
        uint32_t same = 0; /* as the first */
        while (same < s->population && !(ga->now.value[same] < ga->now.value[0]) &&
               !(ga->now.value[same] > ga->now.value[0]))
            same++;
        converged = same == s->population;
        /* reports progress; on a request to stop, saves the state */
        const struct note *note = &ga->notes[ga->generation];
        hsel_error unused;
        char what[96];
        hs_print(what, sizeof what, "best %.4f, mean %.4f, %.0f features", note->best, note->mean,
                 note->size);
        int status =
            hs_progress_report(ga->training->progress, ga->generation, s->generations, what, error);
        if (status || hs_journal_due(ga->training->journal)) {
            int kept = hs_checkpoint_keep(ga->training->journal, &ga->checkpoint,
                                          status ? &unused : error);
            HS_TRY(status ? status : kept);
        }
        if (converged || ga->generation >= s->generations)
            break;
        HS_TRY(breed(ga, error));
        HS_TRY(record_generation(ga, error));
    }
    HS_TRY(hs_checkpoint_keep(ga->training->journal, &ga->checkpoint, error));
    uint32_t best = best_of(ga);
    return put_line(ga, error, "{\"end\":\"%s\",\"generation\":%u,\"best\":%s,\"size\":%s}",
                    converged ? "converged" : "limit", ga->generation, NUMBER(ga->now.value[best]),
                    NUMBER(ga->now.size[best]));
}

/* ---- the selector ---- */

static int ga_choose(const hs_candidates *c, const void *options, bool *keep, hsel_error *error)
{
    const struct options *o = options;
    const hs_training *training = c->training;
    const hsel_dataset *data = training->view.data;
    HS_OWNS(hs_chosen_clear) hs_chosen classifier = {0};
    HS_OWNS(ga_clear)
    struct ga ga = {
        .training = training, .threads = hs_threads(training->threads), .seed = training->seed};
    HS_TRY(settle_options(o, &ga.settings, error));
    if (ga.settings.mutation != HS_MUTATION_BITWISE && !data->dag)
        return hs_fail(error, HSEL_EUSAGE,
                       "ga with the mutation %s needs a hierarchy, but %s has none: give "
                       "{hierarchy=FILE}, or use ga:preset=bitwise",
                       ga.settings.mutation == HS_MUTATION_SHE ? "she" : "cbhe",
                       hsel_dataset_name(data));
    for (uint32_t i = 0; i < c->count && ga.settings.mutation == HS_MUTATION_CBHE; i++)
        if (data->types[c->feature[i]] != HSEL_BINARY)
            return hs_fail(error, HSEL_EUNSUPPORTED,
                           "ga with the mutation cbhe needs binary features, but feature %.200s of "
                           "%s is %s: use ga:preset=she",
                           hsel_dataset_feature_name(data, c->feature[i]), hsel_dataset_name(data),
                           data->types[c->feature[i]] == HSEL_NUMERIC ? "numeric" : "nominal");
    HS_TRY(
        hs_nested_parse(HS_CLASSIFIER, o->classifier, strlen(o->classifier), &classifier, error));
    HS_TRY(hs_check_within(data, classifier.method, error));
    if (o->seed) {
        hs_stream stream;
        hs_stream_init(&stream, training->seed, "ga-seed", o->seed, 0);
        ga.seed = hs_random_u64(&stream);
    }
    hs_inner_request request = {.training = training,
                                .classifier = &classifier,
                                .metric = metrics[o->metric],
                                .folds = o->folds,
                                .seed = ga.seed,
                                .workers = ga.threads,
                                .owner = "ga"};
    bool fast = o->fitness == FITNESS_FAST && hs_nb_objective_fits(&request);
    HS_TRY((fast ? hs_nb_objective : hs_inner_objective)(&request, &ga.objective, error));
    HS_TRY(ga_init(&ga, error));
    ga.checkpoint = (hs_checkpoint){.method = "ga",
                                    .differs = "data, hierarchy, options or seed",
                                    .identity = hash_run(&ga, o),
                                    .fields = ga_fields,
                                    .state = &ga};
    HS_TRY(ga_run(&ga, error));
    const uint64_t *best = set_of(&ga, &ga.now, best_of(&ga));
    for (uint32_t i = 0; i < c->count; i++)
        keep[i] = hs_bit_get(best, c->feature[i]);
    return HSEL_OK;
}

HS_EAGER_METHOD(
    ga, "ga",
    HS_NEEDS_CLASSES | HS_STOCHASTIC | HS_REPORTS | HS_ANY_FEATURES | HS_NUMERIC_TARGET |
        HS_CUTS_TARGET,
    table, sizeof(struct options), NULL, ga_choose, FOUND, NOT_FOUND, NULL,
    .title = "genetic search (GA-HFS)",
    .help =
        "Eager: searches for the set of features with which a classifier (naive Bayes) performs "
        "best in a cross-validation inside the training part, by a genetic algorithm; ties go to "
        "the smaller set. The mutations she and cbhe remove redundant features, those with "
        "selected ancestors or descendants; cbhe is more likely to remove those that are more "
        "strongly associated. The bitwise mutation needs no hierarchy. Settings come from a "
        "preset, as tuned in the paper for each mutation. cbhe is for binary features." HS_QUARTERS,
    .citation = "da Silva, Plastino, Freitas (2018): A novel genetic algorithm for feature "
                "selection in hierarchical feature spaces, SDM: GA-HFS, and the settings tuned "
                "there by irace",
    .check = ga_check);

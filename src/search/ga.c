/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GA-HFS: a genetic algorithm over sets of features, wrapped around a classifier.
 *
 * A set's fitness is lexicographic: (1) GM by cross-validation of naive Bayes inside the training
 * part (5 folds, made once for all sets; pooled); (2) fewer features. A generation: the best
 * `elite` sets are copied; then two tournaments of size k choose parents, uniform crossover with
 * probability pc swaps each feature with 1/2, both children are mutated, until the population is
 * full. The end is the limit of generations, or when all sets have the same GM; the answer is the
 * best set of the last generation.
 *
 * da Silva, Plastino, Freitas (2018): A novel genetic algorithm for feature selection in
 * hierarchical feature spaces (SDM): GA-HFS with its three mutations (mutation.h); the presets are
 * the settings that irace gave the authors. The paper leaves open, and here is: first bits
 * with 1/2; tournaments drawn with replacement; mutation also without crossover; conditions of a
 * mutation on the set before it (mutate=sequential for the other reading); the empty set allowed.
 *
 * Time: a set costs O(K n + what naive Bayes needs for the features in which it differs from its
 * parent), see nb_objective.c; other classifiers and areas are fitted and tested in every fold.
 * Memory: population x (8 n (K-1) + 12 d) bytes twice. Ties: fewer features, then lowest index.
 */
#include "search/ga.h"

#include <string.h>
#include <xxhash.h>

#include "core/mem.h"
#include "core/parallel.h"
#include "select/select.h"

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
              "settings that the paper tuned for a mutation; auto: those of the mutation given, "
              "else cbhe. Options given beside it win"),
    HS_CHOICE(struct options, mutation, "mutation", "auto|bitwise|she|cbhe", "auto",
              "how sets change; auto: that of the preset. she and cbhe look at the hierarchy"),
    HS_OPTION(struct options, population, "population", "N", "0", 0, 1000000,
              "sets in a generation; 0: as the preset has it (138, 62, 146)"),
    HS_OPTION(struct options, generations, "generations", "N", "0", 0, 1000000,
              "generations after the first; 0: as the preset has it (80, 96, 149)"),
    HS_OPTION(struct options, elite, "elite", "N", "-1", -1, 1000000,
              "best sets that are copied; -1: as the preset has it (6, 2, 4)"),
    HS_OPTION(struct options, tournament, "tournament", "N", "0", 0, 1000000,
              "sets drawn, with replacement, of which the best becomes a parent; 0: as the preset "
              "has it (4, 5, 6)"),
    HS_OPTION(struct options, crossover, "crossover", "P", "-1", -1, 1,
              "probability of crossover; -1: as the preset has it (0.93, 0.98, 0.95)"),
    HS_OPTION(struct options, sp, "sp", "P", "-1", -1, 1,
              "standard mutation probability; -1: as the preset has it (0.02, 0.03, 0.06)"),
    HS_OPTION(struct options, bp, "bp", "P", "-1", -1, 1,
              "biased mutation probability, for she; -1: as the preset has it (0.19)"),
    HS_CHOICE(struct options, mutate, "mutate", "simultaneous|sequential", "simultaneous",
              "she and cbhe: look at the set before the mutation, or as it changes feature by "
              "feature"),
    HS_TEXT(struct options, classifier, "classifier", "METHOD", "nb",
            "classifier that is wrapped; its options after the first are parted by ;"),
    HS_CHOICE(struct options, metric, "metric",
              "gm|accuracy|sensitivity|specificity|macro-f1|auroc|auprc", "gm",
              "what is maximised, pooled over the inner folds"),
    HS_OPTION(struct options, folds, "folds", "N", "5", 2, 1000, "inner folds"),
    HS_CHOICE(struct options, fitness, "fitness", "fast|general", "fast",
              "fast: nb (but for auroc and auprc) without fitting it, with the same result; "
              "general: fit and test in every fold, as for all other classifiers"),
    HS_OPTION(struct options, seed, "seed", "S", "0", 0, 9e15,
              "another run on the same data; 0: only the seed of the command counts"),
    HS_OPTION_END};

/* population, generations, elite, tournament, crossover, sp, bp; bp matters to she only */
static const hs_ga_settings presets[] = {
    {HS_MUTATION_BITWISE, false, 138, 80, 6, 4, 0.93, 0.02, 0.19},
    {HS_MUTATION_SHE, false, 62, 96, 2, 5, 0.98, 0.03, 0.19},
    {HS_MUTATION_CBHE, false, 146, 149, 4, 6, 0.95, 0.06, 0.19},
};

/* ---- settings ---- */

static int take_probability(const char *name, double given, double *out, hsel_error *error)
{
    if (given >= 0)
        *out = given;
    else if (given > FROM_PRESET)
        return hs_fail(error, HSEL_EUSAGE,
                       "option %s of ga takes a probability from 0 to 1 (or -1: as the preset has "
                       "it), not %g",
                       name, given);
    return HSEL_OK;
}

static int settle(const struct options *o, hs_ga_settings *out, hsel_error *error)
{
    int preset = o->preset != PRESET_AUTO       ? o->preset - 1
                 : o->mutation != MUTATION_AUTO ? o->mutation - 1
                                                : HS_MUTATION_CBHE;
    *out = presets[preset];
    out->mutation =
        o->mutation == MUTATION_AUTO ? out->mutation : (hs_mutation_kind)(o->mutation - 1);
    out->sequential = o->mutate == 1;
    out->population = o->population ? o->population : out->population;
    out->generations = o->generations ? o->generations : out->generations;
    out->elite = o->elite >= 0 ? (uint32_t)o->elite : out->elite;
    out->tournament = o->tournament ? o->tournament : out->tournament;
    int status = take_probability("crossover", o->crossover, &out->crossover, error);
    if (status == HSEL_OK)
        status = take_probability("sp", o->sp, &out->sp, error);
    if (status == HSEL_OK)
        status = take_probability("bp", o->bp, &out->bp, error);
    if (status == HSEL_OK && out->elite >= out->population)
        status = hs_fail(error, HSEL_EUSAGE,
                         "ga copies an elite of %u sets of a population of %u, which leaves no "
                         "place for children: elite must be below population",
                         out->elite, out->population);
    return status;
}

/* "svm:c=2;kernel=rbf": commas part the options of ga itself. */
static int parse_classifier(const char *text, hs_chosen *out, hsel_error *error)
{
    char *copy = hs_strdup(text);
    if (!copy)
        return hs_fail_memory(error);
    for (char *c = copy; *c; c++)
        if (*c == ';')
            *c = ',';
    int status = hs_chosen_parse(HS_CLASSIFIER, copy, out, error);
    hs_free(copy);
    return status;
}

static uint64_t seed_of(const hs_training *training, uint64_t other)
{
    hs_stream stream;
    hs_stream_init(&stream, training->seed, "ga-seed", other, 0);
    return other ? hs_random_u64(&stream) : training->seed;
}

/* All that decides a run, but for the number of generations: a longer run begins as a shorter one.
 */
static uint64_t identify(const hs_ga *ga, const struct options *o)
{
    const hs_view *view = &ga->training->view;
    const hs_ga_settings *s = &ga->settings;
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
    return hash;
}

/* ---- the selector ---- */

struct state {
    size_t words;
    uint64_t set[];
};

static int check(const void *options, hsel_error *error)
{
    const struct options *o = options;
    hs_ga_settings settings;
    hs_chosen classifier = {0};
    int status = settle(o, &settings, error);
    if (status == HSEL_OK)
        status = parse_classifier(o->classifier, &classifier, error);
    hs_chosen_clear(&classifier);
    return status;
}

static int check_data(const hs_training *training, const hs_ga_settings *settings,
                      hsel_error *error)
{
    const hsel_dataset *data = training->view.data;
    if (settings->mutation != HS_MUTATION_BITWISE && !data->dag)
        return hs_fail(error, HSEL_EUSAGE,
                       "ga with the mutation %s needs a hierarchy, and %s has none: give "
                       "--hierarchy FILE, or take ga:preset=bitwise",
                       settings->mutation == HS_MUTATION_SHE ? "she" : "cbhe",
                       hsel_dataset_name(data));
    return HSEL_OK;
}

static int make_objective(hs_ga *ga, const struct options *o, const hs_chosen *classifier,
                          hsel_error *error)
{
    hs_inner_request request = {.training = ga->training,
                                .classifier = classifier,
                                .metric = metrics[o->metric],
                                .folds = o->folds,
                                .seed = ga->seed,
                                .workers = ga->threads,
                                .owner = "ga"};
    bool fast = false;
    int status =
        o->fitness == FITNESS_FAST ? hs_nb_objective_fits(&request, &fast, error) : HSEL_OK;
    if (status)
        return status;
    return fast ? hs_nb_objective(&request, &ga->objective, error)
                : hs_inner_objective(&request, &ga->objective, error);
}

static int keep_best(const hs_ga *ga, struct state **out, hsel_error *error)
{
    struct state *state = hs_alloc(1, sizeof *state + ga->words * sizeof(uint64_t));
    if (!state)
        return hs_fail_memory(error);
    state->words = ga->words;
    memcpy(state->set, ga->now.sets + hs_ga_best(ga) * ga->words, ga->words * sizeof(uint64_t));
    *out = state;
    return HSEL_OK;
}

static int prepare(const hs_training *training, const void *options, void **out, hsel_error *error)
{
    const struct options *o = options;
    hs_chosen classifier = {0};
    hs_ga ga = {.training = training, .threads = hs_threads(training->threads)};
    struct state *state = NULL;
    int status = settle(o, &ga.settings, error);
    *out = NULL;
    if (status || (status = check_data(training, &ga.settings, error)) ||
        (status = parse_classifier(o->classifier, &classifier, error)))
        return status;
    ga.seed = seed_of(training, o->seed);
    ga.identity = identify(&ga, o);
    status = make_objective(&ga, o, &classifier, error);
    if (status == HSEL_OK)
        status = hs_ga_init(&ga, error);
    if (status == HSEL_OK)
        status = hs_ga_run(&ga, error);
    if (status == HSEL_OK)
        status = keep_best(&ga, &state, error);
    *out = state;
    hs_ga_clear(&ga);
    hs_chosen_clear(&classifier);
    return status;
}

static int select_features(const void *pointer, uint64_t *mask, hsel_error *error)
{
    const struct state *state = pointer;
    (void)error;
    memcpy(mask, state->set, state->words * sizeof *mask);
    return HSEL_OK;
}

static const hs_selector functions = {
    .prepare = prepare, .select_features = select_features, .free = hs_free};

const hs_method hs_method_ga = {
    .kind = HS_SELECTOR,
    .name = "ga",
    .title = "genetic search (GA-HFS)",
    .help =
        "Eager: looks for the set of features with which a classifier (naive Bayes) does best in a "
        "cross-validation inside the training part, by a genetic algorithm; of equal sets the "
        "smaller one is better. The mutations she and cbhe make redundant features leave: selected "
        "features that have selected ancestors or descendants, cbhe the sooner the more they say "
        "about each other. The bitwise mutation does not look at the hierarchy, and none is "
        "needed. "
        "Settings come from a preset, as tuned in the paper for each mutation.",
    .citation = "da Silva, Plastino, Freitas (2018): A novel genetic algorithm for feature "
                "selection in hierarchical feature spaces, SDM: GA-HFS, and the settings tuned "
                "there by irace",
    .flags = HS_NEEDS_CLASSES | HS_STOCHASTIC | HS_REPORTS,
    .options = table,
    .options_size = sizeof(struct options),
    .check = check,
    .selector = &functions,
};

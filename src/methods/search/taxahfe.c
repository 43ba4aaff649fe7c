/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * taxahfe: the features of a hierarchy of numbers compete with those below them.
 *
 * Oliver, Kay, Lemay (2023), following their program. Features must occur in more than a share of
 * the instances and have a mean above a limit. Roots have level 2 (level 1 would be the sum of
 * all), and levels from `from` to `to` compete. A feature without parent and child has no level and
 * always wins. From the deepest level up, a feature without children, or at the last level, wins.
 * Any other competes with its nearest winning descendants:
 *
 *   1  those whose Pearson correlation with it is >= correlation lose; if all do, it wins;
 *   2  else forests are grown on it and the rest: corrected impurity importance
 *      (classify/corrected.h), the mean over `seeds` forests. If none is above it, it wins and they
 *      lose; if one is, it loses, and so do those below it in importance.
 *
 * The final filter grows forests on all winners once more and keeps those above the mean importance
 * and above 0.
 *
 * On a DAG the features of one level compete on the winners so far, and a feature that loses to one
 * of them has lost. A competition stops early (after 8 forests, then every 4) when the rest would
 * have to be `sure` standard errors off to reverse the sign of a mean difference to the parent:
 * with m of M forests, mean d and standard deviation s, once |d| >= sure s sqrt((M - m) / (m M)).
 *
 * Forests are independent, each with its own random stream: the same result with any number of
 * threads. Time: competitions x seeds x trees x O(n sqrt(p) levels); memory: a rank per instance
 * and feature of the current competitions, and as much per thread.
 */
#include "classify/corrected.h"
#include "rank/correlation.h"
#include "select/eager.h"

#define MOST_CELLS  (UINT64_C(1) << 24) /* of competitions that run together */
#define ROUNDING    1e-12               /* importances that are equal may differ by this much */
#define FIRST_SEEDS 8
#define STEP_SEEDS  4

struct options {
    double prevalence, abundance, correlation, sure;
    uint32_t from, to, seeds, final_seeds, trees;
    int filter;
};

static const hs_option table[] = {
    HS_OPTION(struct options, prevalence, "prevalence", "P", "0.01", 0, 1,
              "features that are not 0 in at most this share of the instances are dropped"),
    HS_OPTION(struct options, abundance, "abundance", "X", "0", -1e300, 1e300,
              "features whose mean is not above this are dropped"),
    HS_OPTION(struct options, from, "from", "N", "3", 2, 1000000,
              "most general level that competes; roots are level 2"),
    HS_OPTION(struct options, to, "to", "N", "15", 2, 1000000, "most specific level that competes"),
    HS_OPTION(struct options, correlation, "correlation", "R", "0.95", -1, 1,
              "descendants with at least this correlation to a feature lose to it"),
    HS_OPTION(struct options, seeds, "seeds", "N", "40", 1, 100000,
              "forests over which importance is averaged"),
    HS_OPTION(struct options, trees, "trees", "N", "500", 1, 100000, "trees of a forest"),
    HS_OPTION(struct options, sure, "sure", "Z", "5", 0, 1e9,
              "stop a competition early if the remaining forests would have to deviate by this "
              "many standard errors to reverse the result; 0: never"),
    HS_CHOICE(struct options, filter, "filter", "on|off", "on",
              "compare all winners in forests once more and keep those above the mean"),
    HS_OPTION(struct options, final_seeds, "final-seeds", "N", "0", 0, 100000,
              "forests of the final filter; 0: as many as seeds"),
    HS_OPTION_END};

struct competition { /* features are candidates; the first is the parent, if there is one */
    uint32_t *feature, count, width; /* width: with covariates, which are in every forest */
    bool parent;
    hs_corrected columns;
    double *importance; /* [seeds * width] */
    uint32_t done;      /* forests */
    bool decided;
};

struct arena {
    const hs_candidates *candidates;
    const struct options *options;
    hs_corrected_options forest;
    uint32_t seeds;
    struct competition *competition; /* current */
    uint32_t count;
    hs_arena *scratch; /* [workers] */
    int workers;
    uint32_t *task; /* [count]: competitions that are not decided */
    uint32_t tasks, step;
    uint64_t nodes_done;
    hs_arena memory; /* of the lists of the current competitions */
};

static void arena_clear(struct arena *a)
{
    for (uint32_t i = 0; a->competition && i < a->count; i++)
        hs_corrected_clear(&a->competition[i].columns);
    for (int w = 0; a->scratch && w < a->workers; w++)
        hs_arena_clear(&a->scratch[w]);
    HS_FREE(a->competition, a->scratch, a->task);
    hs_arena_clear(&a->memory);
}

/* ---- forests ---- */

static int grow_one_forest(void *context, size_t index, int worker, hsel_error *error)
{
    struct arena *a = context;
    struct competition *one = &a->competition[a->task[index / a->step]];
    const uint32_t seed = one->done + (uint32_t)(index % a->step);
    const hs_training *training = a->candidates->training;
    hs_stream stream;
    if (worker == 0)
        HS_TRY(hs_progress_report(training->progress, a->nodes_done, a->candidates->count,
                                  one->parent ? "features" : "features, final filter", error));
    hs_stream_init(&stream, training->seed, one->parent ? "taxahfe" : "taxahfe final",
                   one->parent ? a->candidates->feature[one->feature[0]] : 0, seed);
    return hs_corrected_forest(&one->columns, &a->forest, &stream, &a->scratch[worker],
                               one->importance + (size_t)seed * one->width, error);
}

/* Is the mean difference to the parent, of each, so far from 0 that the remaining forests would
 * have to be `sure` standard errors off to reverse its sign? */
static bool is_sure(const struct competition *one, uint32_t seeds, double sure)
{
    const double n = one->done, rest = seeds - n;
    for (uint32_t i = 1; i < one->count; i++) {
        double sum = 0, squares = 0;
        for (uint32_t s = 0; s < one->done; s++)
            sum += one->importance[(size_t)s * one->width + i] -
                   one->importance[(size_t)s * one->width];
        for (uint32_t s = 0; s < one->done; s++) {
            double apart = one->importance[(size_t)s * one->width + i] -
                           one->importance[(size_t)s * one->width] - sum / n;
            squares += apart * apart;
        }
        if (fabs(sum / n) < sure * sqrt(squares / (n - 1) / n * rest / seeds))
            return false;
    }
    return true;
}

/* Grows the forests of all current competitions; importance[0 … count) becomes the mean. */
static int compete(struct arena *a, hsel_error *error)
{
    const hs_training *training = a->candidates->training;
    for (uint32_t i = 0; i < a->count; i++) {
        struct competition *one = &a->competition[i];
        const hsel_dataset *data = training->view.data;
        HS_OWNED uint32_t *feature = HS_NEW(uint32_t, data->features);
        HS_NEED(feature);
        for (; one->width < one->count; one->width++)
            feature[one->width] = a->candidates->feature[one->feature[one->width]];
        for (uint32_t f = 0; data->covariates && f < data->features; f++)
            if (hs_is_covariate(data, f))
                feature[one->width++] = f;
        HS_TRY(hs_corrected_init(&one->columns, training, feature, one->width, error));
        HS_NEED(one->importance = HS_ARENA_NEW(&a->memory, double, (size_t)a->seeds * one->width));
    }
    for (uint32_t done = 0; done < a->seeds; done += a->step) {
        const bool stops = a->options->sure > 0 && a->seeds > FIRST_SEEDS;
        a->step = !stops ? a->seeds : done == 0 ? FIRST_SEEDS : STEP_SEEDS;
        a->step = a->step < a->seeds - done ? a->step : a->seeds - done;
        a->tasks = 0;
        for (uint32_t i = 0; i < a->count; i++)
            if (!a->competition[i].decided)
                a->task[a->tasks++] = i;
        HS_TRY(hs_parallel_for((size_t)a->tasks * a->step, a->workers, grow_one_forest, a, error));
        for (uint32_t i = 0; i < a->tasks; i++) {
            struct competition *one = &a->competition[a->task[i]];
            one->done += a->step;
            one->decided = stops && one->parent && is_sure(one, a->seeds, a->options->sure);
        }
    }
    for (uint32_t i = 0; i < a->count; i++) {
        struct competition *one = &a->competition[i];
        for (uint32_t k = 0; k < one->count; k++) {
            double sum = 0;
            for (uint32_t s = 0; s < one->done; s++)
                sum += one->importance[(size_t)s * one->width + k];
            one->importance[k] =
                sum / one->done; /* overwrites the first forest, which is summed by now */
        }
        hs_corrected_clear(&one->columns);
    }
    return HSEL_OK;
}

/* ---- winners ---- */

/* Runs the current competitions and settles who wins. */
static int settle_competitions(struct arena *a, bool *wins, hsel_error *error)
{
    const hs_candidates *c = a->candidates;
    HS_TRY(compete(a, error));
    for (uint32_t i = 0; i < a->count; i++) {
        const struct competition *one = &a->competition[i];
        const double *importance = one->importance;
        const uint32_t parent = one->feature[0];
        uint32_t best = 0;
        for (uint32_t k = 0; k < one->count; k++) {
            c->score[one->feature[k]] = importance[k];
            best = importance[k] > importance[best] + ROUNDING ? k : best;
        }
        wins[parent] = best == 0;
        if (best > 0)
            hs_candidates_say(c, parent, HS_RULE_OUTDONE_BELOW, one->feature[best],
                              importance[best]);
        for (uint32_t k = 1; k < one->count; k++)
            if (best == 0 || importance[k] < importance[0] - ROUNDING) {
                wins[one->feature[k]] = false;
                hs_candidates_say(c, one->feature[k], HS_RULE_OUTDONE_ABOVE, parent, importance[0]);
            }
    }
    a->count = 0;
    hs_arena_reset(&a->memory);
    return HSEL_OK;
}

/* The nearest winners below v into list, ascending; how many. mark[u] == v + 1: seen. */
static uint32_t winners_below(const hsel_dag *dag, uint32_t v, const bool *wins, uint32_t *mark,
                              uint32_t *stack, uint32_t *list)
{
    uint32_t top = 0, count = 0;
    stack[top++] = v;
    while (top > 0) {
        size_t children;
        const uint32_t *child = hs_children(dag, stack[--top], &children);
        for (size_t i = 0; i < children; i++) {
            if (mark[child[i]] == v + 1)
                continue;
            mark[child[i]] = v + 1;
            if (wins[child[i]])
                list[count++] = child[i];
            else
                stack[top++] = child[i];
        }
    }
    hs_sort_ascending(list, stack, count);
    return count;
}

/* All winners of the levels, into wins. */
static int compete_levels(struct arena *a, bool *wins, hsel_error *error)
{
    const hs_candidates *c = a->candidates;
    const struct options *o = a->options;
    const hsel_dag *dag = c->dag;
    HS_OWNS(hs_correlator_clear) hs_correlator correlator = {0};
    HS_OWNED uint32_t *mark = HS_NEW_ZERO(uint32_t, c->count), *stack = HS_NEW(uint32_t, c->count),
                      *list = HS_NEW(uint32_t, (size_t)c->count + 1);
    HS_NEED(mark && stack && list);
    HS_TRY(hs_correlator_init(&correlator, c->training, HS_PEARSON, error));
    uint64_t cells = 0;
    for (uint32_t i = c->count; i-- > 0;) { /* the deepest first */
        const uint32_t v = dag->order[i], level = dag->depth[v] + 2;
        if (a->count > 0 &&
            (cells > MOST_CELLS || dag->depth[dag->order[i + 1]] != dag->depth[v])) {
            HS_TRY(settle_competitions(a, wins, error));
            cells = 0;
        }
        a->nodes_done = c->count - i;
        if (i % 256 == 0)
            HS_TRY(hs_progress_report(c->training->progress, a->nodes_done, c->count, "features",
                                      error));
        const bool isolated = hs_is_root(dag, v) && hs_is_leaf(dag, v);
        if (!isolated && (level < o->from || level > o->to)) {
            hs_candidates_say(c, v, HS_RULE_OTHER_LEVEL, HSEL_NONE, (double)NAN);
            continue;
        }
        HS_TRY(hs_correlator_fix(&correlator, c->feature[v], error));
        const hs_side *own = &correlator.fixed;
        if (!(own->count - own->missing > o->prevalence * correlator.rows &&
              own->mean / own->scale > o->abundance)) {
            hs_candidates_say(c, v, HS_RULE_TOO_RARE, HSEL_NONE, (double)NAN);
            continue;
        }
        list[0] = v;
        const uint32_t below =
            level < o->to ? winners_below(dag, v, wins, mark, stack, list + 1) : 0;
        uint32_t rest = 0;
        for (uint32_t k = 1; k <= below; k++) {
            double similarity;
            HS_TRY(hs_correlator_with(&correlator, c->feature[list[k]], &similarity, error));
            if (similarity >= o->correlation - HS_CORRELATION_TOLERANCE) {
                wins[list[k]] = false;
                hs_candidates_say(c, list[k], HS_RULE_LIKE_ANCESTOR, v, similarity);
            } else {
                list[++rest] = list[k];
            }
        }
        wins[v] = rest == 0;
        if (rest == 0)
            continue;
        uint32_t *feature = HS_ARENA_NEW(&a->memory, uint32_t, (size_t)rest + 1);
        HS_NEED(feature);
        memcpy(feature, list, ((size_t)rest + 1) * sizeof *feature);
        a->competition[a->count++] =
            (struct competition){.feature = feature, .count = rest + 1, .parent = true};
        cells += (uint64_t)(rest + 1) * correlator.rows;
    }
    return settle_competitions(a, wins, error);
}

static int taxahfe_choose(const hs_candidates *c, const void *options, bool *keep,
                          hsel_error *error)
{
    const struct options *o = options;
    const int workers = hs_threads(c->training->threads);
    HS_OWNS(arena_clear)
    struct arena a = {.candidates = c,
                      .options = o,
                      .forest = {.trees = o->trees, .min = 1},
                      .seeds = o->seeds,
                      .competition = HS_NEW_ZERO(struct competition, (size_t)c->count + 1),
                      .scratch = HS_NEW_ZERO(hs_arena, (size_t)workers),
                      .workers = workers,
                      .task = HS_NEW(uint32_t, (size_t)c->count + 1)};
    HS_NEED(a.competition && a.scratch && a.task);
    if (o->from > o->to)
        return hs_fail(error, HSEL_EUSAGE, "taxahfe: no level is from %u to %u", o->from, o->to);
    memset(keep, 0, c->count * sizeof *keep);
    HS_TRY(compete_levels(&a, keep, error));
    struct competition final = {.feature = HS_ARENA_NEW(&a.memory, uint32_t, c->count)};
    HS_NEED(final.feature);
    for (uint32_t v = 0; v < c->count; v++)
        if (keep[v])
            final.feature[final.count++] = v;
    if (o->filter || final.count == 0) /* off */
        return HSEL_OK;
    a.competition[0] = final;
    a.count = 1;
    a.seeds = o->final_seeds ? o->final_seeds : o->seeds;
    HS_TRY(compete(&a, error));
    double mean = 0;
    for (uint32_t k = 0; k < final.count; k++)
        mean += a.competition[0].importance[k] / final.count;
    for (uint32_t k = 0; k < final.count; k++) {
        const double importance = a.competition[0].importance[k];
        c->score[final.feature[k]] = importance;
        keep[final.feature[k]] = importance > mean + ROUNDING && importance > ROUNDING;
        hs_candidates_say(c, final.feature[k],
                          keep[final.feature[k]] ? HS_RULE_PASSES : HS_RULE_FAILS, HSEL_NONE,
                          fmax(mean, 0));
    }
    return HSEL_OK;
}

/* Slot `memory` of hs_method: ranks of the winners, and copies of them per thread. */
static double memory_needed(const hs_size *size, const void *options)
{
    (void)options;
    return size->rows * size->features * 2 * (1 + size->threads);
}

HS_EAGER_METHOD(
    taxahfe, "taxahfe",
    HS_NEEDS_HIERARCHY | HS_NEEDS_CLASSES | HS_ANY_FEATURES | HS_STOCHASTIC | HS_NUMERIC_TARGET |
        HS_CUTS_TARGET,
    table, sizeof(struct options), NULL, taxahfe_choose, WINNER, DROPPED, hs_eager_scores,
    .memory = memory_needed, .title = "TaxaHFE: features compete with their descendants",
    .help =
        "Designed for abundances of taxa. From the deepest level up, a feature competes with its "
        "nearest descendants that have won so far: those correlated with it lose, the others and "
        "the feature enter random forests, and either the feature wins, or the descendants that "
        "are at least as important. Finally all winners enter forests together, and those above "
        "the mean importance are kept (filter=off skips this). Importance is the impurity "
        "importance corrected by permuted copies of the features, averaged over many forests. "
        "Features outside the hierarchy compete in the final forests only." HS_QUARTERS,
    .citation = "Oliver, Kay, Lemay (2023), TaxaHFE: a machine learning approach to collapse "
                "microbiome datasets using taxonomic structure, Bioinformatics Advances 3:vbad165, "
                "and its program; Nembrini, König, Wright (2018), Bioinformatics 34:3711-3718");

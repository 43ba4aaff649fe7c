/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * level: for each lineage the level of the hierarchy on which a classifier performs best.
 *
 * A lineage is a feature at depth `from` (0: a root) with all its descendants. A leaf above that
 * depth is a lineage by itself; the other features above belong to none and are dropped. Level k of
 * a lineage has its features at depth k and its leaves above, so that no branch is lost. The value
 * of a level is the metric of a classifier on its features alone in a cross-validation inside the
 * training part; the best level is kept, ties to the more general. On a DAG the depth of a feature
 * is that of its longest path from a root, and a feature is kept if it is in the best level of any
 * of its lineages.
 *
 * Levels are independent tasks: the same result with any number of threads. Time: levels x inner
 * folds x the classifier; memory: that of a model per thread, and a bit per level and feature.
 */
#include "classify/classify.h"
#include "search/objective.h"
#include "select/eager.h"

struct options {
    const char *classifier;
    int metric;
    uint32_t folds, from;
};

static const hs_metric metrics[] = {HS_METRIC_ACCURACY, HS_METRIC_GM, HS_METRIC_MACRO_F1,
                                    HS_METRIC_AUROC, HS_METRIC_AUPRC};

static const hs_option table[] = {
    HS_TEXT(struct options, classifier, "classifier", "METHOD", "nb",
            "classifier to try; separate its further options by ;"),
    HS_CHOICE(struct options, metric, "metric", "accuracy|gm|macro-f1|auroc|auprc", "auroc",
              "metric to maximise, pooled over the inner folds"),
    HS_OPTION(struct options, folds, "folds", "N", "5", 2, 1000, "inner folds"),
    HS_OPTION(struct options, from, "from", "DEPTH", "0", 0, 1000000,
              "depth at which lineages begin; roots have 0"),
    HS_OPTION_END};

static int level_check(const void *options, hsel_error *error)
{
    const char *text = ((const struct options *)options)->classifier;
    HS_OWNS(hs_chosen_clear) hs_chosen classifier = {0};
    return hs_nested_parse(HS_CLASSIFIER, text, strlen(text), &classifier, error);
}

struct level {
    uint32_t top, depth; /* of the lineage; of this level */
    uint64_t *set;       /* of features */
    double value;
};

struct levels {
    const hs_training *training;
    hs_objective objective;
    struct level *level;
    size_t count, capacity;
    hs_arena memory; /* of the sets */
};

static void levels_clear(struct levels *l)
{
    hs_objective_clear(&l->objective);
    hs_free(l->level);
    hs_arena_clear(&l->memory);
}

static int try_one(void *context, size_t index, int worker, hsel_error *error)
{
    struct levels *l = context;
    if (worker == 0)
        HS_TRY(hs_progress_report(l->training->progress, index, l->count, "levels", error));
    return l->objective.score(l->objective.self,
                              &(hs_trial){.set = l->level[index].set, .worker = worker},
                              &l->level[index].value, error);
}

/* The levels of the lineage of `top`: reach and list are scratch. */
static int add_lineage(struct levels *l, const hs_candidates *c, uint32_t top, hs_reach *reach,
                       uint32_t *list, hsel_error *error)
{
    const hsel_dag *dag = c->dag;
    const size_t words = hs_bit_words(l->training->view.data->features);
    uint32_t count = 0, deepest = dag->depth[top];
    hs_reach_start(reach, top);
    for (uint32_t v = top; v != HSEL_NONE; v = hs_reach_next(reach)) {
        list[count++] = v;
        deepest = dag->depth[v] > deepest ? dag->depth[v] : deepest;
    }
    for (uint32_t depth = dag->depth[top]; depth <= deepest; depth++) {
        uint64_t *set = hs_arena_zero(&l->memory, words, sizeof *set);
        HS_NEED(set && HS_GROW(&l->level, &l->capacity, l->count + 1));
        for (uint32_t i = 0; i < count; i++)
            if (dag->depth[list[i]] == depth ||
                (dag->depth[list[i]] < depth && hs_is_leaf(dag, list[i])))
                hs_bit_set(set, c->feature[list[i]]);
        l->level[l->count++] = (struct level){top, depth, set, (double)NAN};
    }
    return HSEL_OK;
}

static int level_choose(const hs_candidates *c, const void *options, bool *keep, hsel_error *error)
{
    const struct options *o = options;
    const int threads = hs_threads(c->training->threads);
    HS_OWNS(hs_chosen_clear) hs_chosen classifier = {0};
    HS_OWNS(levels_clear) struct levels l = {.training = c->training};
    HS_OWNS(hs_reach_clear) hs_reach reach = {0};
    HS_OWNED uint32_t *list = HS_NEW(uint32_t, c->count);
    HS_NEED(list);
    HS_TRY(hs_reach_init(&reach, c->dag, error));
    reach.down = true;
    HS_TRY(
        hs_nested_parse(HS_CLASSIFIER, o->classifier, strlen(o->classifier), &classifier, error));
    HS_TRY(hs_check_within(c->training->view.data, classifier.method, error));
    hs_inner_request request = {.training = c->training,
                                .classifier = &classifier,
                                .metric = metrics[o->metric],
                                .folds = o->folds,
                                .seed = c->training->seed,
                                .workers = threads,
                                .owner = "level"};
    HS_TRY(hs_inner_objective(&request, &l.objective, error));
    for (uint32_t v = 0; v < c->count; v++)
        if (c->dag->depth[v] == o->from || (c->dag->depth[v] < o->from && hs_is_leaf(c->dag, v)))
            HS_TRY(add_lineage(&l, c, v, &reach, list, error));
    HS_TRY(hs_parallel_for(l.count, threads, try_one, &l, error));
    memset(keep, 0, c->count * sizeof *keep);
    for (size_t i = 0, end; i < l.count; i = end) {
        size_t best = i;
        for (end = i; end < l.count && l.level[end].top == l.level[i].top; end++)
            best = l.level[end].value > l.level[best].value ? end : best;
        for (uint32_t v = 0; v < c->count; v++)
            if (hs_bit_get(l.level[best].set, c->feature[v])) {
                keep[v] = true;
                c->score[v] = fmax(c->score[v], l.level[best].value);
            }
    }
    return HSEL_OK;
}

HS_EAGER_METHOD(
    level, "level",
    HS_NEEDS_HIERARCHY | HS_NEEDS_CLASSES | HS_ANY_FEATURES | HS_STOCHASTIC | HS_NUMERIC_TARGET |
        HS_CUTS_TARGET,
    table, sizeof(struct options), NULL, level_choose, BEST_LEVEL, WORSE_LEVEL, hs_eager_scores,
    .title = "the best level of each lineage",
    .help = "Keeps for each lineage the level of the hierarchy on which a classifier performs best "
            "in a cross-validation inside the training part: the features at one depth, and leaves "
            "above it. Lineages begin at the roots, or at a given depth: level:from=1 chooses a "
            "level for each phylum of a taxonomy. Ties go to the more general level." HS_QUARTERS,
    .citation = "ours", .check = level_check);

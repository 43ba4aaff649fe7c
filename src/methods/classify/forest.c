/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random forest: many unpruned trees, each grown on a bootstrap sample with a few random features
 * tried at each node; P(c) is the mean of the trees' class shares at the leaves.
 *
 * Breiman (2001), Forest-RI; by default, as in ranger, 500 trees, sqrt(p) features at a node,
 * Gini's index, no limit of depth; trees answer with probabilities. preset=weka: as WEKA's
 * RandomForest. Missing values as in `tree`. No feature in use: the shares of the classes.
 *
 * A numeric target: trees lower the variance, leaves answer with the mean, the forest with the mean
 * of these. The target is standardised for growing, so that a gain is a share of its variance.
 *
 * Tree t draws from its own random stream, keyed by seed and t, and trees are independent: the
 * forest is the same with any number of threads. Growing O(trees x levels x n x features tried),
 * less for sparse features; memory the nodes, and a bit for each instance and feature. Predicting
 * O(trees x depth). Equal probabilities go to the lowest class.
 */
#include "classify/tree.h"

#include "classify/corrected.h"
#include "rank/rank.h"
#include "stats/metrics.h"

#define MOST_TREES 100000
#define SHOWN      20  /* most important features in the text */
#define BLOCK      64u /* instances that go down the trees together: the bits of a word */
#define LOOKUP     8   /* steps of counting that a feature takes beyond its instances */

static const hs_option table[] = {
    HS_ADJUST_AUTO,
    HS_WEKA("trees=100,rule=log2,min=1,criterion=information,retry,calibration=none",
            "WEKA's RandomForest"),
    HS_OPTION(hs_forest_options, trees, "trees", "N", "500", 1, MOST_TREES, "number of trees"),
    HS_OPTION(hs_forest_options, features, "features", "N", "0", 0, 1000000000,
              "features tried at a node; 0: by the rule"),
    HS_CHOICE(hs_forest_options, rule, "rule", "sqrt|log2", "sqrt",
              "with features=0: the square root of their number, rounded down, or its binary "
              "logarithm, rounded down, plus 1"),
    HS_FLAG(hs_forest_options, retry, "retry",
            "if none of the features tried at a node separates classes, try more until one does; "
            "otherwise the node is a leaf"),
    HS_OPTION(hs_forest_options, depth, "depth", "N", "0", 0, 1000000000,
              "maximum depth; 0: no limit"),
    HS_OPTION(hs_forest_options, min, "min", "N", "1", 1, 1000000000,
              "minimum number of instances in two branches of a split, counted as often as they "
              "were drawn"),
    HS_CHOICE(hs_forest_options, bootstrap, "bootstrap", "false|true|balanced", "true",
              "grow each tree on a sample of the instances, drawn with replacement; false: on all; "
              "balanced: of each class as many as the rarest has"),
    HS_CHOICE(hs_forest_options, criterion, "criterion", "information|gini", "gini",
              "impurity that splits lower; of a numeric target it is the variance"),
    HS_CHOICE(hs_forest_options, lineage, "lineage", "any|one", "any",
              "one: no tree splits on a feature and one of its ancestors"),
    HS_FLAG(hs_forest_options, permutation, "permutation",
            "measure importance by shuffling features, too"),
    HS_FLAG(hs_forest_options, corrected, "corrected",
            "measure importance corrected by permuted copies of the features, too: 0 on average "
            "for an uninformative feature, however many values it has"),
    HS_OPTION_END};

/* ---- growing one tree ----
 *
 * Breiman (2001), Forest-RI; details as WEKA's RandomTree. Instances are drawn n times with
 * replacement (bootstrap=false: each once) and get their number of draws as weight, times their
 * own. At each node that is not
 * pure and has weight 2 `min` or more, `features` are drawn without replacement (retry: more, until
 * one of them has a gain above 1e-6 or none is left); without such a gain it is a leaf. The
 * largest gain wins, of equal ones the one drawn first (in a hierarchy parents and children often
 * split alike, and none of them should always win). Gain: decrease of the mean impurity, entropy or
 * Gini's index, times the share of the weight whose value is known. A numeric feature is cut in the
 * middle between two values, the lowest of equal cuts.
 *
 * Positive values are counted by the list of the node or by the column of the feature, whichever is
 * shorter: sparse features cost little at large nodes. At small ones most features have no positive
 * value at all, and hundreds are drawn until one has a gain: once counting has taken as many steps
 * as the node has positive values, the features of these are marked, and others are passed over. A
 * node costs O(draws + the lesser of its positive values and features tried x the shorter list),
 * numeric features a sort. */

int hs_forest_grower_init(hs_forest_grower *f, const hs_forest_options *options,
                          const hs_tree_data *data, hsel_error *error)
{
    f->options = options;
    const size_t words = hs_bit_words(data->data->features);
    hs_arena *arena = &f->grower.arena;
    HS_NEED(HS_LISTS(arena, f, HS_PART(f, order, data->features), HS_PART(f, drawn, data->rows),
                     HS_PART(f, occurs, words), HS_PART(f, others, words)));
    if (options->lineage == HS_LINEAGE_ONE)
        HS_NEED(
            HS_LISTS(arena, f, HS_PART(f, barred, words), HS_PART(f, stack, data->data->features)));
    for (uint32_t i = 0; i < data->data->features; i++)
        if (data->data->types[i] != HSEL_BINARY)
            hs_bit_set(f->others, i);
    if (options->bootstrap == HS_SAMPLE_BALANCED)
        HS_NEED(HS_LISTS(arena, f, HS_PART(f, of_class, data->rows),
                         HS_PART(f, class_end, data->classes)));
    for (uint32_t c = 0, at = 0; f->of_class && c < data->classes; c++) {
        for (uint32_t i = 0; i < data->rows; i++)
            if (hs_tree_label(data, data->row[i]) == c)
                f->of_class[at++] = i;
        f->class_end[c] = at;
    }
    return hs_tree_grower_init(&f->grower, data, error);
}

uint32_t hs_forest_tried(const hs_forest_options *options, uint32_t count)
{
    uint32_t tried = options->features;
    if (tried == 0 && options->rule == HS_TRY_SQRT)
        tried = (uint32_t)sqrt(count);
    for (uint32_t rest = count; options->features == 0 && options->rule == HS_TRY_LOG2 && rest > 0;
         rest /= 2)
        tried++; /* int(log2 count) + 1 */
    return tried < count ? tried : count;
}

/* The impurity that splits reduce: the chosen one, or the variance of numbers. */
static hs_impurity criterion(const hs_forest_grower *f)
{
    return f->grower.data->target ? HS_VARIANCE : (hs_impurity)f->options->criterion;
}

/* Looks at the division in the grower's bag and size: is it the best so far? `before` is weight
 * times impurity of what is known, `total` the weight of the node. */
static void consider(hs_forest_grower *f, double before, double total, hs_tree_node test)
{
    const hs_tree_grower *g = &f->grower;
    double after = 0;
    if (!hs_tree_has_two(g, test.branches, f->options->min))
        return;
    for (uint32_t j = 0; j < test.branches; j++)
        after += hs_tree_impurity(g->data, criterion(f), g->bag + (size_t)j * g->data->classes,
                                  g->size[j]);
    double gain = (before - after) / total;
    if (gain > f->gain) {
        f->gain = gain;
        f->best = test;
    }
}

static inline double add_positive(const hs_tree_grower *g, uint32_t row, double weight,
                                  double *positive)
{
    positive[hs_tree_label(g->data, row)] += hs_tree_counts(g->data, row, weight);
    return weight;
}

/* Weights of the positive instances by class, into `positive`, and their sum, by the way with the
 * fewest steps; how many these are. */
static size_t count_positives(const hs_tree_grower *g, hs_tree_part part, const hs_tree_node *test,
                              double *positive, double *with)
{
    const hsel_dataset *data = g->data->data;
    const hs_bit_columns *bits = &g->data->bits;
    const uint32_t *row = g->row + part.begin;
    const double *weight = g->weight + part.begin, *in_node = g->in_node;
    size_t support, steps = part.count;
    const uint32_t *column = hs_column(data, test->feature, &support);
    double sum = 0;                                      /* of numbers: of the weights */
    if (support <= part.count * (bits->words ? 1 : 8)) { /* a search takes about 8 */
        for (size_t i = 0; i < support; i++)
            if (in_node[column[i]] > 0) /* those outside the node may have no class */
                sum += add_positive(g, column[i], in_node[column[i]], positive);
        steps = support;
    } else if (bits->words) {
        const uint64_t *set = hs_bit_column(bits, test->feature);
        for (size_t i = 0; i < part.count; i++)
            sum += add_positive(g, row[i], hs_bit_get(set, row[i]) ? weight[i] : 0, positive);
    } else {
        hs_tree_case x = hs_tree_training_case(g->data);
        for (size_t i = 0; i < part.count; i++) {
            x.instance = row[i];
            if (hs_tree_branch(test, &x) != 1)
                continue;
            sum += add_positive(g, row[i], weight[i], positive);
        }
        steps = part.count * 8;
    }
    for (uint32_t c = 0; c < g->data->classes && !g->data->target; c++)
        *with += positive[c];
    *with += g->data->target ? sum : 0;
    return steps;
}

/* Positive values of the list. */
static size_t positives_of(const hs_tree_grower *g, hs_tree_part part)
{
    const uint64_t *start = g->data->data->rows.start;
    size_t sum = 0;
    for (size_t i = part.begin; i < part.begin + part.count; i++)
        sum += start[g->row[i] + 1] - start[g->row[i]];
    return sum;
}

/* The binary features that an instance of the list has, and all others, into f->occurs. */
static void mark_occurring(hs_forest_grower *f, hs_tree_part part)
{
    const hs_tree_grower *g = &f->grower;
    const hsel_dataset *data = g->data->data;
    memcpy(f->occurs, f->others, hs_bit_words(data->features) * sizeof *f->occurs);
    for (size_t i = part.begin; i < part.begin + part.count; i++) {
        size_t count;
        const uint32_t *row = hs_row(data, g->row[i], &count);
        for (size_t j = 0; j < count; j++)
            hs_bit_set(f->occurs, row[j]);
    }
}

/* From now on the tree does not split on what is above or below the feature. What is barred on the
 * way has all that follows barred already: else the feature would be. */
static void bar_relatives(hs_forest_grower *f, uint32_t feature)
{
    const hsel_dag *dag = f->grower.data->data->dag;
    for (int down = 0; down < 2; down++) {
        uint32_t top = 0;
        f->stack[top++] = feature;
        while (top > 0) {
            size_t count;
            const uint32_t v = f->stack[--top],
                           *next = down ? hs_children(dag, v, &count) : hs_parents(dag, v, &count);
            for (size_t i = 0; i < count; i++)
                if (!hs_bit_get(f->barred, next[i])) {
                    hs_bit_set(f->barred, next[i]);
                    f->stack[top++] = next[i];
                }
        }
    }
}

/* The best test among those of the features drawn. */
static hs_tree_node forest_choose(void *context, hs_tree_part part, const double *count,
                                  double total)
{
    hs_forest_grower *f = context;
    hs_tree_grower *g = &f->grower;
    const hs_tree_data *data = g->data;
    const uint32_t features = data->features, tried = hs_forest_tried(f->options, features),
                   classes = data->classes;
    const hs_impurity by = criterion(f);
    const double before = hs_tree_impurity(data, by, count, total);
    /* Steps of counting so far; when they are as many as marking takes, it is time to mark. */
    size_t steps = 0, marking = part.count; /* at least, until it is known */
    bool is_known = false, is_marked = false;
    f->gain = HS_TREE_SMALL;
    f->best = (hs_tree_node){.feature = HSEL_NONE};
    uint32_t passed = 0; /* barred features, which are not tried */
    for (uint32_t i = 0;
         i < features && (i - passed < tried || (f->options->retry && !f->best.branches)); i++) {
        uint32_t at = i + (uint32_t)hs_random_below(&f->stream, features - i),
                 feature = f->order[at];
        f->order[at] = f->order[i];
        f->order[i] = feature;
        if (f->barred && hs_bit_get(f->barred, feature)) {
            passed++;
            continue;
        }
        if (is_marked && !hs_bit_get(f->occurs, feature))
            continue;
        hs_tree_node test = {feature, data->data->types[feature], 0, 2, 0};
        if (test.kind == HSEL_BINARY) {
            double *positive = g->bag + classes, with = 0;
            if (steps > marking && !is_known) {
                marking = positives_of(g, part);
                is_known = true;
            }
            if (steps > marking && !is_marked) {
                mark_occurring(f, part);
                is_marked = true;
            }
            memset(positive, 0, classes * sizeof *positive);
            steps += count_positives(g, part, &test, positive, &with) + LOOKUP;
            for (uint32_t c = 0; c < classes; c++)
                g->bag[c] = count[c] - positive[c];
            g->size[0] = total - with;
            g->size[1] = with;
            if (with > HS_TREE_SMALL && total - with > HS_TREE_SMALL)
                consider(f, before, total, test);
        } else if (test.kind == HSEL_NOMINAL) {
            double known = hs_tree_count_nominal(g, part, feature);
            test.branches = hs_tree_nominal(data, feature)->values.count;
            consider(f, hs_tree_impurity(data, by, g->known, known), total, test);
        } else {
            const uint32_t values = hs_tree_sort(g, part, feature);
            hs_tree_all_above(g, values);
            double of_known = hs_tree_impurity(data, by, g->bag + classes, g->size[1]);
            for (uint32_t k = 1; k < values; k++) {
                const double below = g->value[k - 1].value, above = g->value[k].value;
                hs_tree_move_below(g, g->value[k - 1].row);
                test.threshold = hs_tree_middle(below, above);
                if (below < above)
                    consider(f, of_known, total, test);
            }
        }
    }
    if (f->barred && f->best.branches)
        bar_relatives(f, f->best.feature);
    return f->best;
}

static void draw_balanced(hs_forest_grower *f)
{
    uint32_t rarest = UINT32_MAX;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t c = 0, begin = 0; c < f->grower.data->classes; begin = f->class_end[c++]) {
            const uint32_t size = f->class_end[c] - begin;
            if (pass == 0 && size > 0 && size < rarest)
                rarest = size;
            for (uint32_t i = 0; pass == 1 && size > 0 && i < rarest; i++)
                f->drawn[f->of_class[begin + hs_random_below(&f->stream, size)]]++;
        }
}

int hs_forest_grow(hs_forest_grower *f, uint64_t seed, uint32_t number, hs_tree *out,
                   hsel_error *error)
{
    hs_tree_grower *g = &f->grower;
    const uint32_t rows = g->data->rows, features = g->data->features;
    const bool draws = features > 0 && f->options->bootstrap;
    hs_stream_init(&f->stream, seed, "forest", number, 0);
    memcpy(f->order, g->data->feature, features * sizeof *f->order);
    for (uint32_t i = 0; i < rows; i++)
        f->drawn[i] = !draws;
    if (f->of_class && draws)
        draw_balanced(f);
    for (uint32_t i = 0; i < rows && draws && !f->groups && !f->of_class; i++)
        f->drawn[hs_random_below(&f->stream, rows)]++;
    for (uint32_t i = 0; f->groups && i < f->groups->lists && draws; i++) {
        size_t count;
        const uint32_t *row = hs_sparse_list(
            f->groups, (uint32_t)hs_random_below(&f->stream, f->groups->lists), &count);
        for (size_t j = 0; j < count; j++)
            f->drawn[row[j]]++;
    }
    if (f->barred)
        memset(f->barred, 0, hs_bit_words(g->data->data->features) * sizeof *f->barred);
    g->used = 0;
    for (uint32_t i = 0; i < rows; i++)
        if (f->drawn[i]) {
            g->row[g->used] = g->data->row[i];
            g->weight[g->used++] = f->drawn[i] * hs_tree_weight(g->data, g->data->row[i]);
        }
    HS_TRY(hs_tree_grow(g, f->options->min, f->options->depth, forest_choose, f, error));
    return hs_tree_finish(&g->tree, out, error);
}

/* ---- the forest ---- */

static void forest_model_free(void *pointer)
{
    hs_forest *forest = pointer;
    if (!forest)
        return;
    for (uint32_t t = 0; forest->tree && t < forest->trees; t++)
        hs_tree_clear(forest->tree + t);
    HS_FREE(forest->tree, forest->importance, forest->permutation, forest->permutation_square,
            forest->corrected, forest);
}

static void *forest_model_new(const hsel_dataset *shape)
{
    hs_forest *forest = HS_NEW_ZERO(hs_forest, 1);
    if (forest)
        *forest = (hs_forest){.features = shape->features,
                              .classes = shape->target ? 1 : shape->class_names.count,
                              .numeric = shape->target != NULL};
    return forest;
}

/* Scratch of predicting, in one block. */
struct scratch {
    uint64_t *positive;       /* [features]: instances of a block with the feature; 0 between */
    hs_tree_pending *pending; /* as many as the largest tree has nodes */
};

static int forest_scratch_new(const void *pointer, void **out, hsel_error *error)
{
    const hs_forest *forest = pointer;
    size_t most = 0;
    for (uint32_t t = 0; t < forest->trees; t++)
        most = forest->tree[t].nodes > most ? forest->tree[t].nodes : most;
    struct scratch *s =
        HS_BLOCK(s, HS_PART(s, positive, forest->features), HS_PART(s, pending, most));
    HS_NEED(*out = s);
    return HSEL_OK;
}

/* Which instances of a block have each feature, or (`on` false) none again. */
static void mark_positives(const hsel_dataset *data, const uint32_t *instances, uint32_t count,
                           bool on, struct scratch *s)
{
    for (uint32_t i = 0; i < count; i++) {
        size_t positives;
        const uint32_t *row = hs_row(data, instances[i], &positives);
        for (size_t j = 0; j < positives; j++)
            s->positive[row[j]] = on ? s->positive[row[j]] | (uint64_t)1 << i : 0;
    }
}

/* Sums the answers of the trees for a block of instances into sum[count * classes]; of training
 * instances those of the trees that did not see them (in_bag: bits of the block, of the next tree
 * `words` further). */
static void ask_trees(const hs_forest *forest, const hsel_dataset *data, const uint32_t *instances,
                      uint32_t count, const uint64_t *in_bag, size_t words, struct scratch *s,
                      double *sum)
{
    const uint64_t all = UINT64_MAX >> (BLOCK - count);
    memset(sum, 0, (size_t)count * forest->classes * sizeof *sum);
    mark_positives(data, instances, count, true, s);
    for (uint32_t t = 0; t < forest->trees; t++)
        hs_tree_predict_many(forest->tree + t, data, instances,
                             in_bag ? all & ~in_bag[t * words] : all, s->positive, s->pending, sum);
    mark_positives(data, instances, count, false, s);
}

static int forest_predict(const void *pointer, const hs_batch *batch, void *scratch,
                          double *probability, double *score, hsel_error *error)
{
    const hs_forest *forest = pointer;
    const uint32_t classes = forest->classes;
    double *sum = forest->numeric ? score : probability;
    (void)error;
    for (uint32_t at = 0; at < batch->count; at += BLOCK)
        ask_trees(forest, batch->data, batch->instances + at,
                  batch->count - at < BLOCK ? batch->count - at : BLOCK, NULL, 0, scratch,
                  sum + (size_t)at * classes);
    for (uint32_t at = 0; at < batch->count && forest->numeric; at++)
        score[at] = forest->mean + forest->sd * (score[at] / forest->trees);
    if (forest->numeric)
        return HSEL_OK;
    for (uint32_t at = 0; at < batch->count; at++, probability += classes, score += classes) {
        for (uint32_t c = 0; c < classes; c++)
            probability[c] /= forest->trees;
        hs_scores_of_shares(probability, score, classes);
    }
    return HSEL_OK;
}

/* ---- learning: the trees, and what the forest knows about itself ----
 *
 * Breiman (2001), sections 3.1 and 10. Out of the bag: every training instance is predicted by the
 * mean of the trees whose bootstrap did not draw it. Importance by impurity: the decrease at every
 * split on a feature, weighted by the instances there, summed over the trees and divided by the sum
 * over all features. Importance by permutation: the share of the out-of-bag instances of a tree
 * that it gets right, less the same with the feature's values shuffled among them, as a mean over
 * all trees (0 for trees that do not use it). Of numbers, out of the bag the squared error is
 * taken, and the loss of a permutation is what that grows by, as a share of the variance of the
 * target.
 *
 * Trees, and instances, are worked on in parallel; sums are taken in the order of the trees. */

struct drop {
    uint32_t feature;
    double share;
};

struct worker { /* zero-initialise */
    hs_forest_grower grower;
    void *scratch;
    double *sum;            /* [BLOCK * classes] */
    uint32_t *list, *mixed; /* [rows]: out-of-bag instances */
};

struct learning {
    hs_forest *forest;
    const hs_training *training;
    hs_tree_data data;
    hs_arena arena;    /* of the lists here */
    hs_exchange whole; /* its blocks: groups */
    uint32_t trees;
    int workers;
    struct worker *worker;
    uint64_t *in_bag; /* [trees * words], bit i for data.row[i] */
    size_t words;
    double *missed;       /* [rows]: 1 wrong, 0 right; of numbers, the squared error; NaN: it is in
                             every bag */
    struct drop **drops;  /* [trees]: of the features that the tree uses … */
    uint32_t *drop_count; /* … and how many they are */
};

static void learning_clear(struct learning *l)
{
    for (int w = 0; l->worker && w < l->workers; w++) {
        hs_tree_grower_clear(&l->worker[w].grower.grower);
        hs_free(l->worker[w].scratch);
    }
    for (uint32_t t = 0; l->drops && t < l->trees; t++)
        hs_free(l->drops[t]);
    hs_exchange_clear(&l->whole);
    hs_arena_clear(&l->arena);
    hs_tree_data_clear(&l->data);
    forest_model_free(l->forest);
}

static int grow_one(void *context, size_t t, int worker, hsel_error *error)
{
    struct learning *l = context;
    hs_forest_grower *grower = &l->worker[worker].grower;
    if (worker == 0)
        HS_TRY(hs_progress_report(l->training->progress, t, l->forest->trees, "trees", error));
    HS_TRY(hs_forest_grow(grower, l->training->seed, (uint32_t)t, l->forest->tree + t, error));
    for (uint32_t i = 0; i < l->data.rows; i++)
        if (grower->drawn[i])
            hs_bit_set(l->in_bag + t * l->words, i);
    return HSEL_OK;
}

/* The score of a training instance, from a mean answer of trees. */
static void put_score(const hs_forest *forest, const double *answer, double *out, uint32_t at)
{
    const uint32_t classes = forest->classes;
    if (classes > 2)
        memcpy(out + (size_t)at * classes, answer, classes * sizeof *out);
    else
        out[at] = forest->numeric ? forest->mean + forest->sd * answer[0] : answer[1] - answer[0];
}

static int predict_block(void *context, size_t index, int worker, hsel_error *error)
{
    struct learning *l = context;
    const uint32_t from = (uint32_t)index * BLOCK, left = l->data.rows - from,
                   count = left < BLOCK ? left : BLOCK, classes = l->forest->classes;
    struct worker *w = l->worker + worker;
    uint64_t always = UINT64_MAX; /* those in every bag */
    (void)error;
    for (uint32_t t = 0; t < l->trees; t++)
        always &= l->in_bag[t * l->words + index];
    ask_trees(l->forest, l->data.data, l->data.row + from, count, l->in_bag + index, l->words,
              w->scratch, w->sum);
    for (uint32_t i = 0; i < count; i++) {
        double *sum = w->sum + (size_t)i * classes;
        const bool known = !(always >> i & 1);
        uint32_t trees = 0;
        for (uint32_t t = 0; t < l->trees; t++)
            trees += !(l->in_bag[t * l->words + index] >> i & 1);
        if (!known)
            l->missed[from + i] = NAN;
        else if (l->forest->numeric)
            l->missed[from + i] = pow(sum[0] / trees - l->data.target[l->data.row[from + i]], 2);
        else
            l->missed[from + i] =
                hs_predicted_class(sum, classes) != l->data.data->class_of[l->data.row[from + i]];
        if (!l->training->own_score)
            continue;
        for (uint32_t c = 0; c < classes; c++) /* of one that all trees saw, the means of all */
            sum[c] = known ? sum[c] / trees
                     : l->forest->numeric
                         ? 0
                         : (double)l->training->counts->class_size[c] / l->data.rows;
        put_score(l->forest, sum, l->training->own_score, from + i);
    }
    return HSEL_OK;
}

/* Enough trees for an instance to be out of the bag of some. */
static bool forest_scores_training(const void *pointer)
{
    const hs_forest_options *options = pointer;
    return options->bootstrap && options->trees >= 50;
}

static double node_impurity(const hs_tree *tree, uint32_t node, bool gini)
{
    const double *share = hs_tree_share(tree, node);
    double sum = 0;
    if (tree->numeric) /* less the mean of squares, as in growing */
        return -tree->weight[node] * share[0] * share[0];
    for (uint32_t c = 0; c < tree->classes; c++)
        if (gini)
            sum += share[c] * (1 - share[c]);
        else
            sum -= share[c] > 0 ? share[c] * log2(share[c]) : 0;
    return tree->weight[node] * sum;
}

/* How many of the listed instances the tree gets right, the feature's values taken from `mixed`; of
 * numbers, what the squared errors are below 0. */
static double count_right(const struct learning *l, struct worker *w, const hs_tree *tree,
                          uint32_t count, uint32_t feature, const uint32_t *mixed)
{
    const hs_tree_data *data = &l->data;
    double right = 0;
    hs_tree_case x = hs_tree_training_case(data);
    x.other_feature = feature;
    for (uint32_t i = 0; i < count; i++) {
        x.instance = w->list[i];
        x.other = mixed[i];
        memset(w->sum, 0, tree->classes * sizeof *w->sum);
        hs_tree_predict(tree, &x, false, ((struct scratch *)w->scratch)->pending, w->sum);
        right += tree->numeric ? -pow(w->sum[0] - data->target[w->list[i]], 2)
                               : hs_predicted_class(w->sum, tree->classes) ==
                                     data->data->class_of[w->list[i]];
    }
    return right;
}

static int permute_tree(void *context, size_t t, int worker, hsel_error *error)
{
    struct learning *l = context;
    struct worker *w = l->worker + worker;
    const hs_tree *tree = l->forest->tree + t;
    uint64_t *seen = ((struct scratch *)w->scratch)->positive; /* all 0, and again after */
    uint32_t count = 0;
    struct drop *drops = l->drops[t] = HS_NEW(struct drop, tree->nodes);
    HS_NEED(drops);
    for (uint32_t i = 0; i < tree->nodes; i++) /* the features that the tree uses, each once */
        if (tree->node[i].branches && !seen[tree->node[i].feature]) {
            seen[tree->node[i].feature] = 1;
            drops[l->drop_count[t]++] = (struct drop){.feature = tree->node[i].feature};
        }
    for (uint32_t i = 0; i < l->drop_count[t]; i++)
        seen[drops[i].feature] = 0;
    for (uint32_t i = 0; i < l->data.rows; i++)
        if (!hs_bit_get(l->in_bag + t * l->words, i))
            w->list[count++] = l->data.row[i];
    double right = count_right(l, w, tree, count, HSEL_NONE, w->list);
    for (uint32_t i = 0; i < l->drop_count[t] && count; i++) {
        HS_TRY(hs_progress_ask(l->training->progress, error));
        hs_stream stream;
        hs_stream_init(&stream, l->training->seed, "forest permutation", t, drops[i].feature);
        memcpy(w->mixed, w->list, count * sizeof *w->mixed);
        hs_random_shuffle(&stream, w->mixed, count);
        drops[i].share =
            (right - count_right(l, w, tree, count, drops[i].feature, w->mixed)) / count;
    }
    return HSEL_OK;
}

/* Corrected importance, of a further forest with as many trees: this one has no copies of features
 * in it. */
static int correct(struct learning *l, const hs_forest_options *options, hsel_error *error)
{
    HS_OWNS(hs_corrected_clear) hs_corrected columns = {0};
    HS_OWNS(hs_arena_clear) hs_arena scratch = {0};
    const hs_corrected_options forest = {
        .trees = options->trees, .tried = options->features, .min = options->min};
    hs_stream stream;
    if (l->data.weight)
        return hs_fail(error, HSEL_EUSAGE, "forest:corrected takes no weights of instances");
    HS_OWNED double *found = HS_NEW(double, l->data.features);
    HS_NEED(found && (l->forest->corrected = HS_NEW_ZERO(double, l->forest->features)));
    hs_stream_init(&stream, l->training->seed, "forest corrected", 0, 0);
    HS_TRY(hs_corrected_init(&columns, l->training, l->data.feature, l->data.features, error));
    HS_TRY(hs_corrected_forest(&columns, &forest, &stream, &scratch, found, error));
    for (uint32_t i = 0; i < l->data.features; i++)
        l->forest->corrected[l->data.feature[i]] = found[i];
    return HSEL_OK;
}

static int forest_fit(const hs_training *training, const void *pointer, void **out,
                      hsel_error *error)
{
    const hs_forest_options *options = pointer;
    const hsel_dataset *data = training->view.data;
    HS_OWNS(learning_clear)
    struct learning l = {
        .training = training, .trees = options->trees, .workers = hs_threads(training->threads)};
    if (options->lineage == HS_LINEAGE_ONE && !data->dag)
        return hs_fail(error, HSEL_EUSAGE, "forest:lineage=one needs a hierarchy, but %s has none",
                       hsel_dataset_name(data));
    if (!options->bootstrap && (options->permutation || options->corrected))
        return hs_fail(error, HSEL_EUSAGE, "forest:%s needs bootstrap samples, but bootstrap=false",
                       options->permutation ? "permutation" : "corrected");
    if (options->bootstrap == HS_SAMPLE_BALANCED &&
        (data->target || hs_has_role(data, HS_ABOUT_GROUP)))
        return hs_fail(error, HSEL_EUSAGE, "forest:bootstrap=balanced is for %s, but %s",
                       data->target ? "classes" : "instances without groups",
                       data->target ? "the target is a number"
                                    : "whole groups are drawn here: use weights=balanced");
    if (options->corrected && data->target)
        return hs_fail(error, HSEL_EUSAGE,
                       "forest:corrected is for classes, but the target of %s is a number",
                       hsel_dataset_name(data));
    hs_forest *forest = l.forest = forest_model_new(data);
    HS_NEED(forest);
    HS_NEED(HS_LISTS(NULL, forest, HS_PART(forest, tree, options->trees),
                     HS_PART(forest, importance, data->features)));
    forest->trees = options->trees;
    HS_TRY(hs_tree_data_init(&l.data, training, error));
    forest->mean = l.data.mean;
    forest->sd = l.data.sd;
    const uint32_t rows = l.data.rows;
    /* As parts of the least: an instance still counts at least 1 for `min`. */
    double least = INFINITY;
    for (uint32_t i = 0; l.data.weight && i < rows; i++)
        least = fmin(least, l.data.weight[l.data.row[i]]);
    for (uint32_t i = 0; l.data.weight && i < rows; i++)
        l.data.weight[l.data.row[i]] /= least;
    l.words = hs_bit_words(rows);
    HS_NEED(HS_LISTS(&l.arena, &l, HS_PART(&l, in_bag, l.words * l.trees),
                     HS_PART(&l, worker, (size_t)l.workers), HS_PART(&l, missed, rows),
                     HS_PART(&l, drops, l.trees), HS_PART(&l, drop_count, l.trees)));
    if (hs_has_role(data, HS_ABOUT_GROUP)) {
        const hs_view view = {.data = data, .rows = l.data.row, .row_count = rows};
        HS_TRY(hs_exchange_init(&view, NULL, NULL, &l.whole, error));
    }
    for (struct worker *w = l.worker; w < l.worker + l.workers; w++) {
        HS_TRY(hs_forest_grower_init(&w->grower, options, &l.data, error));
        w->grower.groups = l.whole.grouped ? &l.whole.blocks : NULL;
    }
    HS_TRY(hs_parallel_for(forest->trees, l.workers, grow_one, &l, error));
    forest->tried = hs_forest_tried(options, l.data.features);
    for (struct worker *w = l.worker; w < l.worker + l.workers; w++) {
        /* Growing is over: its lists serve as scratch. */
        HS_NEED(w->sum = HS_ARENA_NEW(&l.arena, double, (size_t)BLOCK * forest->classes));
        w->list = w->grower.grower.branch;
        w->mixed = w->grower.grower.next_row;
        HS_TRY(forest_scratch_new(forest, &w->scratch, error));
    }
    const bool asked = !training->lean || training->own_score;
    if (asked)
        HS_TRY(hs_parallel_for((rows + BLOCK - 1) / BLOCK, l.workers, predict_block, &l, error));
    double missed = 0;
    for (uint32_t i = 0; i < rows && asked; i++) {
        forest->out_of_bag += !isnan(l.missed[i]);
        missed += isnan(l.missed[i]) ? 0 : l.missed[i];
    }
    missed = forest->out_of_bag ? missed / forest->out_of_bag : (double)NAN;
    forest->error = forest->numeric ? forest->sd * sqrt(missed) : missed;
    double sum = 0; /* of all decreases of impurity */
    const bool gini = options->criterion == HS_GINI;
    for (const hs_tree *tree = forest->tree; tree < forest->tree + forest->trees; tree++)
        for (uint32_t i = 0; i < tree->nodes; i++) {
            const hs_tree_node *node = tree->node + i;
            if (node->branches == 0)
                continue;
            double decrease = node_impurity(tree, i, gini);
            for (uint32_t j = 0; j < node->branches; j++)
                decrease -= node_impurity(tree, node->child + j, gini);
            forest->importance[node->feature] += decrease > 0 ? decrease : 0;
            sum += decrease > 0 ? decrease : 0;
        }
    for (uint32_t f = 0; f < forest->features && sum > 0; f++)
        forest->importance[f] /= sum;
    if (options->permutation) {
        HS_NEED(HS_LISTS(NULL, forest, HS_PART(forest, permutation, forest->features),
                         HS_PART(forest, permutation_square, forest->features)));
        HS_TRY(hs_parallel_for(forest->trees, l.workers, permute_tree, &l, error));
    }
    for (uint32_t t = 0; t < forest->trees; t++)
        for (uint32_t i = 0; i < l.drop_count[t]; i++) {
            const struct drop *drop = &l.drops[t][i];
            forest->permutation[drop->feature] += drop->share / forest->trees;
            forest->permutation_square[drop->feature] += drop->share * drop->share / forest->trees;
        }
    if (options->corrected)
        HS_TRY(correct(&l, options, error));
    *out = hs_take(&l.forest);
    return HSEL_OK;
}

static double votes(const void *pointer) { return ((const hs_forest *)pointer)->trees; }

static double importance(const void *pointer, uint32_t feature)
{
    const hs_forest *forest = pointer;
    return forest->corrected ? fmax(0, forest->corrected[feature]) : forest->importance[feature];
}

/* ---- showing ---- */

static int forest_describe(const void *pointer, const hsel_dataset *shape, hs_describe_form form,
                           hs_writer *out, hsel_error *error)
{
    const hs_forest *forest = pointer;
    uint32_t count = 0;
    uint64_t nodes = 0;
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, forest->features);
    HS_NEED(order);
    hs_rank_order(forest->corrected ? forest->corrected : forest->importance, forest->features,
                  NULL, order);
    for (uint32_t f = 0; f < forest->features; f++) { /* those in use to the front */
        const uint32_t feature = order[f];
        if (forest->importance[feature] > 0 || (forest->corrected && forest->corrected[feature]))
            order[count++] = feature;
    }
    for (uint32_t t = 0; t < forest->trees; t++)
        nodes += forest->tree[t].nodes;
    if (form == HS_DESCRIBE_TEXT) {
        hs_writer_printf(out, "%u trees of %.1f nodes in the mean, %u features tried at a node\n",
                         forest->trees, (double)nodes / forest->trees, forest->tried);
        if (forest->out_of_bag)
            hs_writer_printf(out, "out-of-bag %s: %.*f (of %u instances)\n",
                             forest->numeric ? "RMSE" : "error", forest->numeric ? 6 : 4,
                             forest->error, forest->out_of_bag);
        hs_writer_printf(out, "\n%simportance%s  feature (%u of %u are used)\n",
                         forest->corrected ? " corrected  " : "",
                         forest->permutation ? "  permutation" : "", count, forest->features);
        for (uint32_t i = 0; i < count && i < SHOWN; i++) {
            if (forest->corrected)
                hs_writer_printf(out, "%10.5f  ", forest->corrected[order[i]]);
            hs_writer_printf(out, "%10.5f", forest->importance[order[i]]);
            if (forest->permutation)
                hs_writer_printf(out, "  %11.5f", forest->permutation[order[i]]);
            char label[HS_LABEL_ROOM];
            hs_writer_printf(out, "  %s%s\n", hs_names_get(&shape->feature_names, order[i]),
                             hs_label_after(&shape->about, order[i], label));
        }
        return HSEL_OK;
    }
    hs_json json = {.out = out};
    hs_json_put(&json,
                "{trees:%u nodes:%g features_tried:%u %s:%g out_of_bag_instances:%u importance:[",
                forest->trees, (double)nodes, forest->tried,
                forest->numeric ? "out_of_bag_rmse" : "out_of_bag_error", forest->error,
                forest->out_of_bag);
    for (uint32_t i = 0; i < count; i++) {
        hs_json_put(&json, "{feature:%s", hs_names_get(&shape->feature_names, order[i]));
        hs_label_json(&json, &shape->about, order[i]);
        hs_json_put(&json, "impurity:%g", forest->importance[order[i]]);
        if (forest->permutation)
            hs_json_put(&json, "permutation:%g", forest->permutation[order[i]]);
        if (forest->corrected)
            hs_json_put(&json, "corrected:%g", forest->corrected[order[i]]);
        hs_json_put(&json, "}");
    }
    hs_json_put(&json, "]}");
    hs_writer_char(out, '\n');
    return HSEL_OK;
}

/* ---- model files: sizes, error, importance, trees ---- */

static int forest_fields(void *model, const hsel_dataset *shape, hs_transfer *file,
                         hsel_error *error)
{
    hs_forest *f = model;
    uint32_t measured = (f->permutation ? 1 : 0) | (f->corrected ? 2 : 0);
    (void)shape;
    HS_FIELDS(file, HS_SHAPE(f), HS_VALUE(f->trees, 1, MOST_TREES), HS_VALUE(f->tried, HS_ANY),
              HS_VALUE(f->out_of_bag, HS_ANY), HS_VALUE(measured, 0, 3), HS_VALUE(f->error, HS_ANY),
              HS_LIST(f->importance, f->features, 0, 1 + 1e-9));
    if (f->numeric)
        HS_FIELDS(file, HS_VALUE(f->mean, HS_FINITE), HS_VALUE(f->sd, DBL_MIN, DBL_MAX));
    if (measured & 1)
        HS_FIELDS(file, HS_LIST(f->permutation, f->features, f->numeric ? -DBL_MAX : -1 - 1e-9,
                                f->numeric ? DBL_MAX : 1 + 1e-9));
    if (measured & 2)
        HS_FIELDS(file, HS_LIST(f->corrected, f->features, -1 - 1e-9, 1 + 1e-9));
    if (hs_reads(file)) {
        if (!(f->out_of_bag ? f->error >= 0 && (f->error <= 1 || f->numeric) : isnan(f->error)) ||
            f->classes == 0 || f->trees > file->left)
            return HSEL_EFORMAT;
        HS_NEED(f->tree = HS_NEW_ZERO(hs_tree, f->trees));
    }
    for (uint32_t t = 0; t < f->trees; t++) {
        if (hs_reads(file)) {
            f->tree[t].classes = f->classes;
            f->tree[t].numeric = f->numeric;
        }
        HS_TRY(hs_tree_fields(f->tree + t, f->features, file, error));
    }
    return HSEL_OK;
}

static const hs_classifier functions = {.fit = forest_fit,
                                        .predict = forest_predict,
                                        .scratch_new = forest_scratch_new,
                                        .scratch_free = hs_free,
                                        .scores_training = forest_scores_training,
                                        .votes = votes,
                                        .importance = importance,
                                        .describe = forest_describe,
                                        .name = "forest",
                                        .make = forest_model_new,
                                        .fields = forest_fields,
                                        .free = forest_model_free};

/* Slot `memory` of hs_method. */
static double forest_memory_needed(const hs_size *size, const void *options)
{
    const hs_forest_options *o = options;
    return o->trees * size->rows * 24 + size->rows * (size->features / 8 + 16 * size->columns) +
           (o->corrected ? 12 * size->rows * size->features : 0);
}

const hs_method hs_method_forest = {
    .kind = HS_CLASSIFIER,
    .name = "forest",
    .title = "random forest",
    .help =
        "Many unpruned trees, each grown on a bootstrap sample with a few random features tried at "
        "each node; class probabilities are the mean of the trees. For a numeric target splits "
        "minimise the variance and leaves predict the mean. Takes binary, numeric and nominal "
        "features alike. Reports its out-of-bag error and the importance of features.",
    .citation = "Breiman (2001), Machine Learning 45:5-32, Forest-RI; balanced samples: Chen, "
                "Liaw, Breiman (2004), Berkeley, TR 666; "
                "corrected importance: Nembrini, König, Wright (2018), Bioinformatics 34:3711-3718",
    .flags = HS_NEEDS_CLASSES | HS_STOCHASTIC | HS_ANY_FEATURES | HS_WEIGHS_INSTANCES |
             HS_NUMERIC_TARGET,
    .options = table,
    .memory = forest_memory_needed,
    .options_size = sizeof(hs_forest_options),
    .check = hs_adjust_check,
    .classifier = &functions,
};

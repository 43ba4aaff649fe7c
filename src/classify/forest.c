/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random forest: many unpruned trees, each grown on a bootstrap sample with a few random features
 * tried at each node; P(c) is the mean of the trees' class shares at the leaves.
 *
 * Breiman (2001), Forest-RI; as WEKA's RandomForest: 100 trees, int(log2 p) + 1 features at a node,
 * information gain (gini: Breiman's own), no limit of depth, trees that answer with probabilities.
 * forest_grow.c says how a tree is grown, forest_measure.c how the out-of-bag error and the
 * importance of features are found. Missing values as in `tree`. No feature in use: the shares of
 * the classes.
 *
 * Tree t draws from a random stream of its own, keyed by seed and t, and trees are independent: the
 * forest is the same with any number of threads. Growing O(trees x levels x n x features tried),
 * less for sparse features; memory the nodes, and a bit for each instance and feature. Predicting
 * O(trees x depth). Equal probabilities go to the lowest class.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "classify/forest.h"
#include "core/json.h"
#include "core/mem.h"
#include "core/parallel.h"
#include "core/progress.h"

#define MOST_TREES 100000
#define SHOWN      20 /* most important features in the text */

static const hs_option table[] = {
    HS_OPTION(hs_forest_options, trees, "trees", "N", "100", 1, MOST_TREES, "number of trees"),
    HS_OPTION(hs_forest_options, features, "features", "N", "0", 0, 1000000000,
              "features tried at a node; 0: log2 of their number, rounded down, plus 1"),
    HS_OPTION(hs_forest_options, depth, "depth", "N", "0", 0, 1000000000,
              "most levels below the root; 0: no limit"),
    HS_OPTION(hs_forest_options, min, "min", "N", "1", 1, 1000000000,
              "least number of instances in two branches of a split"),
    HS_CHOICE(hs_forest_options, criterion, "criterion", "information|gini", "information",
              "what a split should lower"),
    HS_FLAG(hs_forest_options, permutation, "permutation",
            "measure importance by shuffling features, too"),
    HS_OPTION_END};

static void model_free(void *pointer)
{
    hs_forest *forest = pointer;
    if (!forest)
        return;
    for (uint32_t t = 0; forest->tree && t < forest->trees; t++)
        hs_tree_clear(forest->tree + t);
    hs_free(forest->tree);
    hs_free(forest->importance);
    hs_free(forest->permutation);
    hs_free(forest);
}

static hs_forest *forest_new(uint32_t trees, uint32_t features, uint32_t classes, bool permutation)
{
    hs_forest *forest = HS_NEW_ZERO(hs_forest, 1);
    if (!forest)
        return NULL;
    forest->trees = trees;
    forest->features = features;
    forest->classes = classes;
    forest->tree = HS_NEW_ZERO(hs_tree, trees);
    forest->importance = HS_NEW_ZERO(double, features);
    forest->permutation = permutation ? HS_NEW_ZERO(double, features) : NULL;
    if (forest->tree && forest->importance && (forest->permutation || !permutation))
        return forest;
    model_free(forest);
    return NULL;
}

/* ---- learning ---- */

struct growing {
    hs_forest *forest;
    const hs_training *training;
    const hs_tree_data *data;
    hs_forest_grower *grower; /* one a worker */
    uint64_t *in_bag;         /* [trees * words] */
    size_t words;
};

static int grow_one(void *context, size_t t, int worker, hsel_error *error)
{
    struct growing *g = context;
    hs_forest_grower *grower = g->grower + worker;
    int status = HSEL_OK;
    if (worker == 0)
        status = hs_progress_report(g->training->progress, t, g->forest->trees, "trees", error);
    if (status == HSEL_OK)
        status = hs_forest_grow(grower, g->training->seed, (uint32_t)t, g->forest->tree + t, error);
    for (uint32_t i = 0; status == HSEL_OK && i < g->data->rows; i++)
        if (grower->drawn[i])
            hs_bit_set(g->in_bag + t * g->words, i);
    return status;
}

static int grow_all(struct growing *g, const hs_forest_options *options, hsel_error *error)
{
    int workers = hs_threads(g->training->threads), status = HSEL_OK;
    g->words = hs_bit_words(g->data->rows);
    g->in_bag = HS_NEW_ZERO(uint64_t, g->words * g->forest->trees);
    g->grower = HS_NEW_ZERO(hs_forest_grower, (size_t)workers);
    if (!g->in_bag || !g->grower)
        status = hs_fail_memory(error);
    for (int w = 0; w < workers && status == HSEL_OK; w++)
        status = hs_forest_grower_init(g->grower + w, options, g->data, error);
    if (status == HSEL_OK)
        status = hs_parallel_for(g->forest->trees, workers, grow_one, g, error);
    for (int w = 0; w < workers && g->grower; w++)
        hs_forest_grower_clear(g->grower + w);
    hs_free(g->grower);
    return status;
}

static int fit(const hs_training *training, const void *pointer, void **out, hsel_error *error)
{
    const hs_forest_options *options = pointer;
    const hsel_dataset *data = training->view.data;
    hs_tree_data prepared = {0};
    hs_forest *forest =
        forest_new(options->trees, data->features, data->class_names.count, options->permutation);
    struct growing g = {.forest = forest, .training = training, .data = &prepared};
    int status = forest ? hs_tree_data_init(&prepared, training, error) : hs_fail_memory(error);
    if (status == HSEL_OK)
        status = grow_all(&g, options, error);
    if (status == HSEL_OK) {
        forest->tried = hs_forest_tried(options, prepared.features);
        status = hs_forest_measure(forest, &prepared, options, g.in_bag, g.words, training->seed,
                                   training->threads, error);
    }
    hs_free(g.in_bag);
    hs_tree_data_clear(&prepared);
    if (status)
        model_free(forest);
    else
        *out = forest;
    return status;
}

/* ---- predicting ---- */

static int scratch_new(const void *pointer, void **out, hsel_error *error)
{
    const hs_forest *forest = pointer;
    return hs_tree_scratch_new(forest->features, hs_forest_most_nodes(forest), out, error);
}

static int predict(const void *pointer, const hsel_dataset *data, uint32_t instance,
                   const hs_selection *selection, void *scratch, double *probability, double *score,
                   hsel_error *error)
{
    const hs_forest *forest = pointer;
    hs_tree_scratch *s = scratch;
    hs_tree_case x = {
        .data = data, .instance = instance, .positive = s->positive, .other_feature = HSEL_NONE};
    (void)selection;
    (void)error;
    for (uint32_t c = 0; c < forest->classes; c++)
        probability[c] = 0;
    hs_tree_set_row(s, data, instance);
    for (uint32_t t = 0; t < forest->trees; t++)
        hs_tree_predict(forest->tree + t, &x, false, s->pending, probability);
    hs_tree_unset_row(s, data, instance);
    for (uint32_t c = 0; c < forest->classes; c++)
        probability[c] /= forest->trees;
    hs_scores_of_shares(probability, score, forest->classes);
    return HSEL_OK;
}

static double importance(const void *pointer, uint32_t feature)
{
    return ((const hs_forest *)pointer)->importance[feature];
}

/* ---- showing ---- */

struct ranked {
    double importance;
    uint32_t feature;
};

static int by_importance(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->importance != y->importance)
        return x->importance > y->importance ? -1 : 1;
    return (x->feature > y->feature) - (x->feature < y->feature);
}

/* The features that are used, by importance; *count: how many. */
static struct ranked *rank(const hs_forest *forest, uint32_t *count, hsel_error *error)
{
    struct ranked *ranked = HS_NEW(struct ranked, forest->features);
    *count = 0;
    if (!ranked) {
        hs_fail_memory(error);
        return NULL;
    }
    for (uint32_t f = 0; f < forest->features; f++)
        if (forest->importance[f] > 0)
            ranked[(*count)++] = (struct ranked){forest->importance[f], f};
    qsort(ranked, *count, sizeof *ranked, by_importance);
    return ranked;
}

static uint64_t all_nodes(const hs_forest *forest)
{
    uint64_t nodes = 0;
    for (uint32_t t = 0; t < forest->trees; t++)
        nodes += forest->tree[t].nodes;
    return nodes;
}

static void show_text(const hs_forest *forest, const struct ranked *ranked, uint32_t count,
                      const hsel_dataset *shape, hs_writer *out)
{
    hs_writer_printf(out, "%u trees of %.1f nodes in the mean, %u features tried at a node\n",
                     forest->trees, (double)all_nodes(forest) / forest->trees, forest->tried);
    if (forest->out_of_bag)
        hs_writer_printf(out, "out-of-bag error: %.4f (of %u instances)\n", forest->error,
                         forest->out_of_bag);
    hs_writer_printf(out, "\nimportance%s  feature (%u of %u are used)\n",
                     forest->permutation ? "  permutation" : "", count, forest->features);
    for (uint32_t i = 0; i < count && i < SHOWN; i++) {
        hs_writer_printf(out, "%10.5f", ranked[i].importance);
        if (forest->permutation)
            hs_writer_printf(out, "  %11.5f", forest->permutation[ranked[i].feature]);
        hs_writer_printf(out, "  %s\n", hs_names_get(&shape->feature_names, ranked[i].feature));
    }
}

static void json_number(hs_json *json, const char *key, double value)
{
    hs_json_key(json, key);
    hs_json_double(json, value);
}

static void show_json(const hs_forest *forest, const struct ranked *ranked, uint32_t count,
                      const hsel_dataset *shape, hs_writer *out)
{
    hs_json json = {.out = out};
    hs_json_object(&json);
    json_number(&json, "trees", forest->trees);
    json_number(&json, "nodes", (double)all_nodes(forest));
    json_number(&json, "features_tried", forest->tried);
    json_number(&json, "out_of_bag_error", forest->error);
    json_number(&json, "out_of_bag_instances", forest->out_of_bag);
    hs_json_key(&json, "importance");
    hs_json_array(&json);
    for (uint32_t i = 0; i < count; i++) {
        hs_json_object(&json);
        hs_json_key(&json, "feature");
        hs_json_text(&json, hs_names_get(&shape->feature_names, ranked[i].feature));
        json_number(&json, "impurity", ranked[i].importance);
        if (forest->permutation)
            json_number(&json, "permutation", forest->permutation[ranked[i].feature]);
        hs_json_end_object(&json);
    }
    hs_json_end_array(&json);
    hs_json_end_object(&json);
    hs_writer_char(out, '\n');
}

static int describe(const void *pointer, const hsel_dataset *shape, hs_describe_form form,
                    hs_writer *out, hsel_error *error)
{
    const hs_forest *forest = pointer;
    uint32_t count;
    if (form == HS_DESCRIBE_DOT)
        return hs_fail(error, HSEL_EUNSUPPORTED,
                       "a forest of %u trees is not drawn: ask for text or JSON, or use tree",
                       forest->trees);
    struct ranked *ranked = rank(forest, &count, error);
    if (!ranked)
        return HSEL_ENOMEM;
    if (form == HS_DESCRIBE_TEXT)
        show_text(forest, ranked, count, shape, out);
    else
        show_json(forest, ranked, count, shape, out);
    hs_free(ranked);
    return HSEL_OK;
}

/* ---- model files: sizes, error, importance, trees ---- */

static int model_write(const void *pointer, hs_writer *out, hsel_error *error)
{
    const hs_forest *forest = pointer;
    uint32_t head[] = {forest->features, forest->classes,    forest->trees,
                       forest->tried,    forest->out_of_bag, forest->permutation != NULL};
    (void)error;
    hs_writer_put(out, head, sizeof head);
    hs_writer_put(out, &forest->error, sizeof forest->error);
    hs_writer_put(out, forest->importance, forest->features * sizeof(double));
    if (forest->permutation)
        hs_writer_put(out, forest->permutation, forest->features * sizeof(double));
    for (uint32_t t = 0; t < forest->trees; t++)
        hs_tree_put(forest->tree + t, out);
    return HSEL_OK;
}

static bool are_within(const double *value, uint32_t count, double low, double high)
{
    for (uint32_t i = 0; i < count; i++)
        if (!(value[i] >= low && value[i] <= high))
            return false;
    return true;
}

static bool get_measures(hs_bytes *bytes, hs_forest *forest)
{
    size_t size = forest->features * sizeof(double);
    if (!hs_bytes_get(bytes, &forest->error, sizeof forest->error) ||
        !hs_bytes_get(bytes, forest->importance, size) ||
        (forest->permutation && !hs_bytes_get(bytes, forest->permutation, size)))
        return false;
    return (forest->out_of_bag ? are_within(&forest->error, 1, 0, 1) : isnan(forest->error)) &&
           are_within(forest->importance, forest->features, 0, 1 + 1e-9) &&
           (!forest->permutation ||
            are_within(forest->permutation, forest->features, -1 - 1e-9, 1 + 1e-9));
}

static int model_read(const void *start, size_t length, const hsel_dataset *shape, void **out,
                      hsel_error *error)
{
    hs_bytes bytes = {start, length};
    uint32_t head[6];
    hs_forest *forest = NULL;
    int status = HSEL_EFORMAT;
    if (hs_bytes_get(&bytes, head, sizeof head) && head[0] == shape->features &&
        head[1] == shape->class_names.count && head[1] > 0 && head[2] > 0 &&
        head[2] <= MOST_TREES && head[2] <= bytes.left && head[5] <= 1) {
        if (!(forest = forest_new(head[2], head[0], head[1], head[5])))
            return hs_fail_memory(error);
        forest->tried = head[3];
        forest->out_of_bag = head[4];
        status = get_measures(&bytes, forest) ? HSEL_OK : HSEL_EFORMAT;
        for (uint32_t t = 0; t < forest->trees && status == HSEL_OK; t++)
            status = hs_tree_take(&bytes, head[0], head[1], forest->tree + t, error);
    }
    if (status == HSEL_EFORMAT || (status == HSEL_OK && bytes.left))
        status = hs_fail(error, HSEL_EFORMAT, "the forest model is cut off or damaged");
    if (status)
        model_free(forest);
    else
        *out = forest;
    return status;
}

static const hs_classifier functions = {.fit = fit,
                                        .predict = predict,
                                        .scratch_new = scratch_new,
                                        .scratch_free = hs_tree_scratch_free,
                                        .importance = importance,
                                        .describe = describe,
                                        .write = model_write,
                                        .read = model_read,
                                        .free = model_free};

const hs_method hs_method_forest = {
    .kind = HS_CLASSIFIER,
    .name = "forest",
    .title = "random forest",
    .help = "Many unpruned trees, each grown on a bootstrap sample with a few random features "
            "tried at each node; class "
            "probabilities are the mean of the trees. Takes binary, numeric and nominal features "
            "alike. Knows its out-of-bag error "
            "and the importance of the features.",
    .citation =
        "Breiman (2001), Machine Learning 45:5-32, Forest-RI; defaults of WEKA's RandomForest",
    .flags = HS_NEEDS_CLASSES | HS_STOCHASTIC | HS_ANY_FEATURES,
    .options = table,
    .options_size = sizeof(hs_forest_options),
    .classifier = &functions,
};

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * C4.5 decision tree, as WEKA's J48: gain ratio, pessimistic pruning, subtree raising.
 *
 * c45_grow.c has the formulas of the split, c45_prune.c those of pruning. Binary features have two
 * branches, nominal ones a branch a value, numeric ones a threshold; they may be mixed, and used
 * again further down. A missing value sends a fraction of the instance down every branch, in the
 * shares of the instances whose value is known, when learning and when predicting. P(c) = share of
 * the training weight at the leaf (laplace: (w_c + 1) / (w + K)); an empty leaf answers as its
 * parent. A nominal value that was not declared in training counts as missing. No feature in use:
 * the shares of the classes.
 *
 * Quinlan (1993), C4.5: Programs for Machine Learning; Quinlan (1996) for numeric features. J48
 * differs from C4.5 in small things (a node is split only if at least two branches have `min`
 * instances; the mean of the gains with a slack of 1e-3), and so does this.
 *
 * Growing O(levels x (positives + numeric values)) plus d K a node; predicting O(depth). Ties:
 * c45_grow.c, c45_prune.c.
 */
#include "core/mem.h"
#include "classify/c45.h"

static const hs_option table[] = {
    HS_OPTION(hs_c45_options, confidence, "confidence", "P", "0.25", 1e-6, 0.5,
              "confidence of the limit on errors: less prunes more"),
    HS_OPTION(hs_c45_options, min, "min", "N", "2", 1, 1000000000,
              "least number of instances in two branches of a split"),
    HS_OPTION(hs_c45_options, pruning, "pruning", NULL, "true", 0, 1,
              "prune by the expected error"),
    HS_OPTION(hs_c45_options, raising, "raising", NULL, "true", 0, 1,
              "when pruning, also put a branch in place of its parent"),
    HS_OPTION(hs_c45_options, collapse, "collapse", NULL, "true", 0, 1,
              "remove splits that make no fewer errors on the training instances"),
    HS_OPTION(hs_c45_options, mdl, "mdl", NULL, "true", 0, 1,
              "make numeric splits pay for the choice of their threshold"),
    HS_FLAG(hs_c45_options, laplace, "laplace", "smooth the probabilities at a leaf"),
    HS_OPTION_END};

struct model {
    hs_tree tree;
    uint32_t features;
    uint32_t laplace;
};

static void model_free(void *pointer)
{
    struct model *model = pointer;
    if (!model)
        return;
    hs_tree_clear(&model->tree);
    hs_free(model);
}

static int learn(const hs_c45_options *options, const hs_tree_data *data, hs_tree *out,
                 hsel_error *error)
{
    hs_c45 c45 = {0};
    int status = hs_c45_init(&c45, options, data, error);
    if (status == HSEL_OK)
        status = hs_c45_grow(&c45, error);
    if (status == HSEL_OK)
        status = hs_c45_ready(&c45, error);
    if (status == HSEL_OK && options->collapse)
        hs_c45_collapse(&c45);
    if (status == HSEL_OK && options->pruning)
        status = hs_c45_prune(&c45, error);
    if (status == HSEL_OK)
        status = hs_tree_compact(&c45.tree, error);
    if (status == HSEL_OK) {
        hs_tree_normalise(&c45.tree);
        *out = c45.tree;
        c45.tree = (hs_tree){0};
    }
    hs_c45_clear(&c45);
    return status;
}

static int fit(const hs_training *training, const void *options, void **out, hsel_error *error)
{
    hs_tree_data data = {0};
    struct model *model = HS_NEW_ZERO(struct model, 1);
    int status = model ? hs_tree_data_init(&data, training, error) : hs_fail_memory(error);
    if (status == HSEL_OK) {
        model->features = training->view.data->features;
        model->laplace = ((const hs_c45_options *)options)->laplace;
        status = learn(options, &data, &model->tree, error);
    }
    hs_tree_data_clear(&data);
    if (status)
        model_free(model);
    else
        *out = model;
    return status;
}

static int scratch_new(const void *pointer, void **out, hsel_error *error)
{
    const struct model *model = pointer;
    return hs_tree_scratch_new(0, model->tree.nodes, out, error);
}

static int predict(const void *pointer, const hsel_dataset *data, uint32_t instance,
                   const hs_selection *selection, void *scratch, double *probability, double *score,
                   hsel_error *error)
{
    const struct model *model = pointer;
    hs_tree_case x = {.data = data, .instance = instance, .other_feature = HSEL_NONE};
    (void)selection;
    (void)error;
    for (uint32_t c = 0; c < model->tree.classes; c++)
        probability[c] = 0;
    hs_tree_predict(&model->tree, &x, model->laplace, ((hs_tree_scratch *)scratch)->pending,
                    probability);
    hs_scores_of_shares(probability, score, model->tree.classes);
    return HSEL_OK;
}

static int describe(const void *pointer, const hsel_dataset *shape, hs_describe_form form,
                    hs_writer *out, hsel_error *error)
{
    return hs_tree_show(&((const struct model *)pointer)->tree, shape, form, out, error);
}

/* ---- model files: features, classes, laplace, the tree ---- */

static int model_write(const void *pointer, hs_writer *out, hsel_error *error)
{
    const struct model *model = pointer;
    uint32_t head[] = {model->features, model->tree.classes, model->laplace};
    (void)error;
    hs_writer_put(out, head, sizeof head);
    hs_tree_put(&model->tree, out);
    return HSEL_OK;
}

static int model_read(const void *start, size_t length, const hsel_dataset *shape, void **out,
                      hsel_error *error)
{
    hs_bytes bytes = {start, length};
    uint32_t head[3];
    struct model *model = HS_NEW_ZERO(struct model, 1);
    int status = HSEL_EFORMAT;
    if (!model)
        return hs_fail_memory(error);
    if (hs_bytes_get(&bytes, head, sizeof head) && head[0] == shape->features &&
        head[1] == shape->class_names.count && head[1] > 0 && head[2] <= 1)
        status = hs_tree_take(&bytes, head[0], head[1], &model->tree, error);
    if (status == HSEL_EFORMAT || (status == HSEL_OK && bytes.left))
        status = hs_fail(error, HSEL_EFORMAT, "the tree model is cut off or damaged");
    if (status) {
        model_free(model);
        return status;
    }
    model->features = head[0];
    model->laplace = head[2];
    *out = model;
    return HSEL_OK;
}

static const hs_classifier functions = {.fit = fit,
                                        .predict = predict,
                                        .scratch_new = scratch_new,
                                        .scratch_free = hs_tree_scratch_free,
                                        .describe = describe,
                                        .write = model_write,
                                        .read = model_read,
                                        .free = model_free};

const hs_method hs_method_tree = {
    .kind = HS_CLASSIFIER,
    .name = "tree",
    .title = "C4.5 decision tree",
    .help = "A decision tree that splits by gain ratio and is pruned by the expected error, with "
            "subtree raising, as WEKA's J48. "
            "Takes binary, numeric and nominal features alike; instances with a missing value go "
            "down every branch in part. "
            "Probabilities are the shares of the classes at the leaf.",
    .citation = "Quinlan (1993), C4.5: Programs for Machine Learning, Morgan Kaufmann; numeric "
                "features: Quinlan (1996), JAIR "
                "4:77-90; details as WEKA's J48",
    .flags = HS_NEEDS_CLASSES | HS_ANY_FEATURES,
    .options = table,
    .options_size = sizeof(hs_c45_options),
    .classifier = &functions,
};

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GO-BAN: a Bayesian network (network.h) whose feature-feature edges are the direct edges of the
 * hierarchy.
 *
 * Wan, Freitas (2015); as shown in the figures of Wan, Freitas (2020): the joint configuration of
 * all direct parents, Laplace smoothing. Features left out by an eager selection are ignored, and
 * no edge passes through them. Data that violate the true-path rule are allowed; they only have
 * more configurations.
 */
#include "classify/network.h"

static void *ban_model_new(const hsel_dataset *shape)
{
    return hs_network_new(shape, NULL, shape->dag ? shape->dag->edges : 0);
}

static int ban_fit(const hs_training *training, const void *options, void **out, hsel_error *error)
{
    const hsel_dag *dag = training->view.data->dag;
    HS_OWNS(hs_network_release)
    hs_network *m = hs_network_new(training->view.data, &training->view, dag->edges);
    (void)options;
    HS_NEED(m);
    HS_TRY(hs_network_fit(m, training, dag->parent_start, dag->parent, error));
    *out = hs_take(&m);
    return HSEL_OK;
}

/* The parents are those of the hierarchy, which the model stores separately. */
static int ban_fields(void *model, const hsel_dataset *shape, hs_transfer *file, hsel_error *error)
{
    const hsel_dag *dag = hs_reads(file) ? shape->dag : NULL;
    if (hs_reads(file) && !dag)
        return HSEL_EFORMAT;
    return hs_network_fields(model, dag ? dag->parent_start : NULL, dag ? dag->parent : NULL, file,
                             error);
}

static const hs_option table[] = {HS_ADJUST_AUTO, HS_WEKA("calibration=none", "the papers"),
                                  HS_OPTION_END};

static const hs_classifier functions = {.fit = ban_fit,
                                        .predict = hs_network_predict,
                                        .scratch_new = hs_network_scratch_new,
                                        .scratch_free = hs_free,
                                        .contributions = hs_network_contributions,
                                        .depends = hs_network_depends,
                                        .name = "BAN",
                                        .make = ban_model_new,
                                        .fields = ban_fields,
                                        .free = hs_network_free};

const hs_method hs_method_ban = {
    .kind = HS_CLASSIFIER,
    .name = "ban",
    .title = "Bayesian network along the hierarchy",
    .help = "GO-BAN: a Bayesian network in which each feature depends on the class and on its "
            "direct parents in the hierarchy, with Laplace smoothing. A configuration of parents "
            "not seen in training contributes 1/2. With a lazy selector each selected feature "
            "depends on its selected parents.",
    .citation =
        "Wan, Freitas (2015), GO-hierarchy-based Bayesian network augmented naive Bayes; as "
        "used by Wan, Freitas (2020), Table 2",
    .flags = HS_NEEDS_CLASSES | HS_NEEDS_HIERARCHY | HS_PREDICTS_ON_MASK,
    .options = table,
    .options_size = sizeof(hs_adjust_options),
    .check = hs_adjust_check,
    .classifier = &functions,
};

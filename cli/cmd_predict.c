/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel predict: predicts instances with a model.
 */
#include "cli/cli.h"
#include "data/classes.h"

struct options {
    hs_load_options load;
    hs_predict_options predict;
    const char *output;
    int names;
    uint32_t top;
    bool json, selected, unlabelled, scores, sort;
};

static const hs_option table[] = {
    HS_OUTPUT_FILE(struct options, output, "FILE", HS_WRITES, "-",
                   "file to write, or - for standard output"),
    HS_FLAG(struct options, selected, "selected",
            "also write the features selected for each instance, with their values"),
    HS_FLAG(
        struct options, unlabelled, "unlabelled",
        "predict only the instances of DATA that have no class, or the class unlabelled of --pu"),
    HS_FLAG(struct options, scores, "scores",
            "also write the score of each class: it differs where probabilities are equal"),
    HS_FLAG(struct options, sort, "sort",
            "write the instances by the score of the positive class (or --positive CLASS), or the "
            "predicted number, highest first, with scores"),
    HS_OPTION(struct options, top, "top", "N", "0", 0, 1000000000,
              "write only the N first instances of --sort, which it implies; 0: all"),
    HS_FLAG(struct options, json, "json", "write one JSON object per line"),
    HS_NAMES(struct options),
    HS_OPTION_END};

/* The class to sort by. */
static int sort_class(const hs_call *call, hsel_dataset *shape, const char *wanted, uint32_t *out,
                      hsel_error *error)
{
    HS_REFUSE(shape->target && wanted, "the model predicts a number: --positive is not possible");
    HS_REFUSE(shape->class_names.count > 2 && !wanted,
              "the model has %u classes: --positive CLASS chooses the one to sort by",
              shape->class_names.count);
    if (wanted)
        HS_TRY(hs_class_set_positive(shape, wanted, error));
    *out = shape->target ? 0 : hsel_dataset_positive_class(shape);
    if (!shape->target)
        hs_note(call, "sorted by the score of class %s", hsel_dataset_class_name(shape, *out));
    return HSEL_OK;
}

static int predict_command(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    HS_OWNS(hs_release_model) hsel_model *model = NULL;
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
    HS_OWNED double *weight = NULL;
    hs_load_options load = options->load;
    load.features_unseen = !options->selected;
    HS_TRY(hsel_model_read(call->arguments[0], &model, error));
    hsel_dataset *shape = model->shape;
    const bool sorted = options->sort || options->top;
    uint32_t best = 0;
    HS_REFUSE(options->scores && shape->target,
              "the model predicts a number, which is its own score: leave out --scores");
    if (sorted)
        HS_TRY(sort_class(call, shape, load.columns.positive, &best, error));
    HS_TRY(hs_load_like(call, call->arguments[1], &load, &options->predict, shape, &data, error));
    hs_hide_names(data, options->names);
    if (options->unlabelled) {
        HS_NEED(weight = HS_NEW(double, data->instances));
        uint32_t unlabelled = 0;
        for (uint32_t i = 0; i < data->instances; i++)
            unlabelled += weight[i] = !hs_has_label(data, i) ||
                                      (hs_is_pu(data) && data->class_of[i] != data->positive_class);
        if (hs_is_pu(data))
            hs_note(call, "%u of %u instances %s unlabelled", unlabelled, data->instances,
                    unlabelled == 1 ? "is" : "are");
        else
            hs_note(call, "%u of %u instances %s no %s", unlabelled, data->instances,
                    unlabelled == 1 ? "has" : "have",
                    hsel_model_classes(model) ? "class" : "target");
    }
    HS_OPEN(out, options->output);
    HS_OWNS(hs_predicted_clear)
    hs_predicted predicted = {.model = model,
                              .data = data,
                              .weight = weight,
                              .predicts = true,
                              .features = options->selected,
                              .json = options->json,
                              .scores = options->scores || (sorted && !shape->target),
                              .sorted = sorted,
                              .best = best,
                              .top = options->top};
    HS_TRY(hs_predicted_init(&predicted, call, options->load.threads, error));
    HS_TRY(hs_put_predictions(&predicted, out, error));
    return hs_writer_commit(hs_take(&out), error);
}

const hs_command hs_command_predict = {
    HS_COMMAND_IS(predict, "MODEL DATA",
                  "predict the classes of instances, or a number, with a model", struct options),
    .first = "output scores sort top selected unlabelled features json class id",
    .groups = {{"Options", table, 0},
               {"Features of DATA", hs_predict_table, offsetof(struct options, predict)},
               {"Data", hs_load_table, offsetof(struct options, load)}},
    .flags = HS_WORKS | HS_WRITES_CSV,
};

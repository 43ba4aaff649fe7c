/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel predict: predicts instances with a model.
 */
#include "cli/cli.h"

struct options {
    hs_load_options load;
    hs_predict_options predict;
    const char *output;
    int names;
    bool json, selected, unlabelled;
};

static const hs_option table[] = {
    HS_OUTPUT_FILE(struct options, output, "FILE", HS_WRITES, "-",
                   "file to write, or - for standard output"),
    HS_FLAG(struct options, selected, "selected",
            "also write the features selected for each instance, with their values"),
    HS_FLAG(struct options, unlabelled, "unlabelled",
            "predict only the instances of DATA that have no class"),
    HS_FLAG(struct options, json, "json", "write one JSON object per line"),
    HS_NAMES(struct options),
    HS_OPTION_END};

static int predict_command(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    HS_OWNS(hs_release_model) hsel_model *model = NULL;
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
    HS_OWNED double *weight = NULL;
    hs_load_options load = options->load;
    load.features_unseen = !options->selected;
    HS_TRY(hsel_model_read(call->arguments[0], &model, error));
    HS_TRY(hs_load_like(call, call->arguments[1], &load, &options->predict, hsel_model_shape(model),
                        &data, error));
    hs_hide_names(data, options->names);
    if (options->unlabelled) {
        HS_NEED(weight = HS_NEW(double, data->instances));
        uint32_t unlabelled = 0;
        for (uint32_t i = 0; i < data->instances; i++)
            unlabelled += weight[i] = !hs_has_label(data, i);
        hs_note(call, "%u of %u instances %s no %s", unlabelled, data->instances,
                unlabelled == 1 ? "has" : "have", hsel_model_classes(model) ? "class" : "target");
    }
    HS_OPEN(out, options->output);
    HS_OWNS(hs_predicted_clear)
    hs_predicted predicted = {.model = model,
                              .data = data,
                              .weight = weight,
                              .predicts = true,
                              .features = options->selected,
                              .json = options->json};
    HS_TRY(hs_predicted_init(&predicted, call, options->load.threads, error));
    HS_TRY(hs_put_predictions(&predicted, out, error));
    return hs_writer_commit(hs_take(&out), error);
}

const hs_command hs_command_predict = {
    HS_COMMAND_IS(predict, "MODEL DATA",
                  "predict the classes of instances, or a number, with a model", struct options),
    .first = "output selected unlabelled features json class id",
    .groups = {{"Options", table, 0},
               {"Features of DATA", hs_predict_table, offsetof(struct options, predict)},
               {"Data", hs_load_table, offsetof(struct options, load)}},
    .flags = HS_WORKS | HS_WRITES_CSV,
};

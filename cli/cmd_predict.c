/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel predict: a model says what it thinks of each instance.
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
            "also write which features were selected for each instance, with their values"),
    HS_FLAG(struct options, unlabelled, "unlabelled",
            "predict only the instances of DATA that have no class"),
    HS_FLAG(struct options, json, "json", "write one JSON object per line"),
    HS_NAMES(struct options),
    HS_OPTION_END};

static int run(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    HS_OWNS(hs_model_release) hs_model *model = NULL;
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
    HS_OWNS(hs_model_scratch_clear) hs_model_scratch scratch = {0};
    HS_TRY(hs_model_read(call->arguments[0], &model, error));
    HS_TRY(hs_load_like(call, call->arguments[1], &options->load, &options->predict, model->shape,
                        model->selector.method, &data, error));
    hs_hide_names(data, options->names);
    uint32_t labelled = 0;
    for (uint32_t i = 0; i < data->instances; i++)
        labelled += hs_has_label(data, i);
    if (options->unlabelled)
        hs_note(call, "%u of %u instances %s no %s", data->instances - labelled, data->instances,
                data->instances - labelled == 1 ? "has" : "have",
                model->shape->target ? "target" : "class");
    HS_OPEN(out, options->output);
    uint32_t classes = model->shape->class_names.count;
    HS_OWNED double *probability = HS_NEW(double, classes);
    HS_NEED(probability);
    HS_TRY(hs_model_scratch_init(&scratch, model, error));
    if (!options->json) {
        hs_writer_text(out, hs_has_labels(&data->instance_about) ? "instance\tlabel\tpredicted"
                                                                 : "instance\tpredicted");
        for (uint32_t c = 0; c < classes; c++) {
            hs_writer_text(out, "\tP(");
            hs_put_tsv(out, hsel_dataset_class_name(model->shape, c));
            hs_writer_char(out, ')');
        }
        hs_writer_text(out, options->selected ? "\tselected\tfeatures…\n" : "\tselected\n");
    }
    call->show->noun = "instances";
    const hs_progress *progress = hs_progress_begin(call, NULL);
    for (uint32_t i = 0; i < data->instances; i++) {
        HS_TRY(hs_progress_report(progress, i, data->instances, "", error));
        if (options->unlabelled && hs_has_label(data, i))
            continue;
        HS_TRY(hs_model_predict(model, data, i, 1, &scratch, probability, NULL, NULL, error));
        const char *predicted =
            classes
                ? hsel_dataset_class_name(model->shape, hs_predicted_class(scratch.score, classes))
                : NULL; /* a number */
        uint32_t selected = hs_model_selected(&scratch, data, i);
        if (options->json) { /* an object per line */
            hs_json json = {.out = out, .compact = true};
            hs_json_put(&json, "{instance:%u id:%s", i + 1, hsel_dataset_id(data, i));
            hs_label_json(&json, &data->instance_about, i);
            if (classes)
                hs_json_put(&json, "predicted:%s probabilities:{", predicted);
            else
                hs_json_put(&json, "predicted:%g", scratch.score[0]);
            for (uint32_t c = 0; c < classes; c++)
                hs_json_put(&json, "%s:%g", hsel_dataset_class_name(model->shape, c),
                            probability[c]);
            hs_json_put(&json, classes ? "} selected:%u" : "selected:%u", selected);
            if (options->selected)
                hs_put_features(out, &json, data, i, hs_model_selection(&scratch, data, i));
            hs_json_put(&json, "}");
            continue;
        }
        hs_put_instance(out, data, i);
        if (classes)
            HS_TSV(out, predicted);
        else
            HS_TSV(out, scratch.score[0]);
        for (uint32_t c = 0; c < classes; c++)
            HS_TSV(out, probability[c]);
        HS_TSV(out, selected);
        if (options->selected)
            hs_put_features(out, NULL, data, i, hs_model_selection(&scratch, data, i));
        hs_writer_char(out, '\n');
    }
    return hs_writer_commit(hs_take(&out), error);
}

const hs_command hs_command_predict = {
    HS_COMMAND_IS(predict, "MODEL DATA",
                  "predict the classes of instances, or a number, with a model", struct options,
                  run),
    .first = "output selected unlabelled features json class id",
    .groups = {{"Options", table, 0},
               {"Features of DATA", hs_predict_table, offsetof(struct options, predict)},
               {"Data", hs_load_table, offsetof(struct options, load)}},
    .writes_csv = true,
    .works = true,
};

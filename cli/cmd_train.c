/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel train: a selector and a classifier learn from a data set; the model goes to a file, or is
 * shown.
 */
#include "cli/cli.h"

struct options {
    hs_load_options load;
    hs_picture_options pictures;
    hsel_request request;
    const char *output;
    int names;
    bool allow_violations, show, json;
};

static const hs_option table[] = {
    HS_OUTPUT_FILE(struct options, output, "MODEL", HS_WRITES, NULL,
                   "model file to write; optional with --show"),
    HS_TEXT(struct options, request.selector, "select", "METHOD", "none",
            "selector, e.g. rpv or shsel:threshold=0.99; none uses all features"),
    HS_TEXT(struct options, request.classifier, "classify", "METHOD", "nb",
            "classifier, e.g. nb (naive Bayes) or knn:k=3"),
    HS_FLAG(struct options, show, "show", "describe the model, as hsel explain --model MODEL does"),
    HS_FLAG(struct options, json, "json", "with --show: print JSON"),
    HS_NAMES(struct options),
    HS_OPTION(struct options, request.seed, "seed", "S", "1", 0, 9e15, "seed of random methods"),
    HS_ALLOW_VIOLATIONS(struct options),
    HS_OPTION_END};

static int train_command(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
    HS_OWNS(hs_release_model) hsel_model *model = NULL;
    HS_TRY(hs_load_for(call, call->arguments[0], &options->load, &data, error));
    hs_note_unlabelled(call, data);
    hsel_request request = hs_request(call, &options->request, options->load.threads);
    request.allow_violations = options->allow_violations;
    HS_TRY(hsel_train(data, &request, &model, error));
    hs_progress_end(call->show);
    hs_note_always_positive(call, data);
    if (options->output)
        HS_TRY(hsel_model_write(model, options->output, error));
    if (options->show)
        HS_TRY(
            hs_show_model(call, model, &options->pictures, options->names, options->json, error));
    const uint32_t instances = hsel_model_instances(model), features = hsel_dataset_features(data);
    if (options->output)
        hs_note(call, "trained on %s and %s; hsel predict uses the model",
                hs_some(call, instances, "instance"), hs_some(call, features, "feature"));
    return HSEL_OK;
}

const hs_command hs_command_train = {
    HS_COMMAND_IS(train, "DATA", "train a model on data and write it to a file", struct options),
    .first = "select classify output show json svg seed hierarchy class drop-roots",
    .groups = {{"Options", table, 0},
               {"Pictures", hs_picture_table, offsetof(struct options, pictures)},
               {"Data", hs_load_table, offsetof(struct options, load)}},
    .flags = HS_WORKS | HS_HAS_MEMORY,
};

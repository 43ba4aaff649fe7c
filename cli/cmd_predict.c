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

#define PART          65536 /* instances predicted at a time */
#define PART_SELECTED 2048  /* the same, with lists of the features selected for each */

/* Predictions for some instances. */
struct predicted {
    hsel_request request;
    uint32_t classes, answers; /* probabilities and scores of an instance; a number is one answer */
    double *probability, *score, *weight;
    uint32_t *selected, *index;
    uint64_t *start; /* NULL: features are not shown */
};

static void predicted_clear(struct predicted *p)
{
    HS_FREE(p->probability, p->score, p->weight, p->selected, p->index, p->start);
}

static int predicted_init(struct predicted *p, const hs_call *call, const hsel_model *model,
                          const hsel_dataset *data, hsel_error *error)
{
    const struct options *options = call->values;
    const uint32_t n = hsel_dataset_instances(data),
                   most = options->selected ? PART_SELECTED : PART;
    const size_t part = n < most ? n : most;
    p->classes = hsel_model_classes(model);
    p->answers = p->classes ? p->classes : 1;
    p->probability = HS_NEW(double, part * p->classes);
    p->score = HS_NEW(double, part * p->answers);
    p->selected = HS_NEW(uint32_t, part);
    p->start = options->selected ? HS_NEW(uint64_t, part + 1) : NULL;
    p->weight = options->unlabelled ? HS_NEW(double, n) : NULL;
    HS_NEED(p->probability && p->score && p->selected && !p->start == !options->selected &&
            !p->weight == !options->unlabelled);
    for (uint32_t i = 0; p->weight && i < n; i++)
        p->weight[i] = !hs_has_label(data, i);
    call->show->noun = "instances";
    p->request = hs_request(call, options->load.threads);
    p->request.weights = p->weight;
    p->request.selected_start = p->start;
    p->request.selected_index = &p->index;
    p->request.count = (uint32_t)part;
    return HSEL_OK;
}

/* The class of the highest score; NULL: a number is predicted. */
static const char *class_of(const hsel_model *model, const struct predicted *p, uint32_t at)
{
    const double *score = p->score + (size_t)at * p->answers;
    uint32_t best = 0;
    for (uint32_t c = 1; c < p->classes; c++)
        if (score[c] > score[best])
            best = c;
    return hsel_model_class_name(model, best);
}

static void put_json(hs_writer *out, const hsel_model *model, const hsel_dataset *data,
                     const struct predicted *p, uint32_t at)
{
    const uint32_t i = p->request.first + at;
    hs_json json = {.out = out, .compact = true};
    hs_json_instance(&json, data, i);
    if (p->classes)
        hs_json_put(&json, "predicted:%s probabilities:{", class_of(model, p, at));
    else
        hs_json_put(&json, "predicted:%g", p->score[at]);
    for (uint32_t c = 0; c < p->classes; c++)
        hs_json_put(&json, "%s:%g", hsel_model_class_name(model, c),
                    p->probability[(size_t)at * p->classes + c]);
    hs_json_put(&json, p->classes ? "} selected:%u" : "selected:%u", p->selected[at]);
    if (p->start)
        hs_put_features(out, &json, data, i, p->index + p->start[at],
                        p->start[at + 1] - p->start[at]);
    hs_json_put(&json, "}");
}

static void put_line(hs_writer *out, const hsel_model *model, const hsel_dataset *data,
                     const struct predicted *p, uint32_t at)
{
    const uint32_t i = p->request.first + at;
    hs_put_instance(out, data, i);
    if (p->classes)
        HS_TSV(out, class_of(model, p, at));
    else
        HS_TSV(out, p->score[at]);
    for (uint32_t c = 0; c < p->classes; c++)
        HS_TSV(out, p->probability[(size_t)at * p->classes + c]);
    HS_TSV(out, p->selected[at]);
    if (p->start)
        hs_put_features(out, NULL, data, i, p->index + p->start[at],
                        p->start[at + 1] - p->start[at]);
    hs_writer_char(out, '\n');
}

static int run(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    HS_OWNS(hs_release_model) hsel_model *model = NULL;
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
    HS_OWNS(predicted_clear) struct predicted predicted = {0};
    hs_load_options load = options->load;
    load.features_unseen = !options->selected;
    HS_TRY(hsel_model_read(call->arguments[0], &model, error));
    HS_TRY(hs_load_like(call, call->arguments[1], &load, &options->predict, hsel_model_shape(model),
                        &data, error));
    hs_hide_names(data, options->names);
    const uint32_t instances = hsel_dataset_instances(data);
    uint32_t unlabelled = 0;
    for (uint32_t i = 0; i < instances; i++)
        unlabelled += !hs_has_label(data, i);
    if (options->unlabelled)
        hs_note(call, "%u of %u instances %s no %s", unlabelled, instances,
                unlabelled == 1 ? "has" : "have", hsel_model_classes(model) ? "class" : "target");
    HS_OPEN(out, options->output);
    HS_TRY(predicted_init(&predicted, call, model, data, error));
    if (!options->json) {
        hs_writer_text(out, hs_has_labels(&data->instance_about) ? "instance\tlabel\tpredicted"
                                                                 : "instance\tpredicted");
        for (uint32_t c = 0; c < predicted.classes; c++) {
            hs_writer_text(out, "\tP(");
            hs_put_tsv(out, hsel_model_class_name(model, c));
            hs_writer_char(out, ')');
        }
        hs_writer_text(out, options->selected ? "\tselected\tfeatures…\n" : "\tselected\n");
    }
    hsel_request *request = &predicted.request;
    for (; request->first < instances; request->first += request->count) {
        if (request->count > instances - request->first)
            request->count = instances - request->first;
        HS_TRY(hsel_predict(model, data, request, predicted.probability, predicted.score,
                            predicted.selected, error));
        for (uint32_t at = 0; at < request->count; at++)
            if (!predicted.weight || predicted.weight[request->first + at] > 0)
                (options->json ? put_json : put_line)(out, model, data, &predicted, at);
        hsel_free(hs_take(&predicted.index));
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

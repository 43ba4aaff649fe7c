/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel predict: a model says what it thinks of each instance.
 */
#include <string.h>

#include "cli/predicting.h"
#include "report/text_table.h"
#include "core/json.h"
#include "core/mem.h"
#include "evaluate/model.h"
#include "stats/metrics.h"

struct options {
    hs_load_options load;
    hs_predict_options predict;
    const char *output;
    bool json, selected;
};

static const hs_option table[] = {
    {.name = "output",
     .value = "FILE",
     .letter = 'o',
     .type = HS_OPT_TEXT,
     .use = HS_WRITES,
     .fallback = "-",
     .offset = offsetof(struct options, output),
     .help = "file to write, or - for standard output"},
    HS_FLAG(struct options, selected, "selected",
            "also write which features were selected for each instance, with their values"),
    HS_FLAG(struct options, json, "json", "write one JSON object a line"),
    HS_OPTION_END};

/* One prediction on its way out. */
struct prediction {
    const hs_model *model;
    const hsel_dataset *data;
    uint32_t instance;
    const double *probability;
    hs_model_scratch *scratch;
};

/* ---- tab-separated ---- */

struct features {
    const hsel_dataset *data;
    hs_writer *out;
    hs_json *json;
};

static void each_selected(const struct prediction *p,
                          void (*each)(void *context, uint32_t feature, bool value), void *context)
{
    size_t count;
    const uint32_t *row = hs_row(p->data, p->instance, &count);
    hs_selection_each(hs_model_selection(p->scratch, p->data, p->instance), p->data->features, row,
                      count, each, context);
}

static void put_selected(void *context, uint32_t feature, bool value)
{
    struct features *to = context;
    hs_writer_char(to->out, '\t');
    hs_put_tsv(to->out, hsel_dataset_feature_name(to->data, feature));
    hs_writer_text(to->out, value ? "=1" : "=0");
}

static void write_heading(hs_writer *out, const hs_model *model, bool selected)
{
    hs_writer_text(out, "instance\tpredicted");
    for (uint32_t c = 0; c < model->shape->class_names.count; c++) {
        hs_writer_text(out, "\tP(");
        hs_put_tsv(out, hsel_dataset_class_name(model->shape, c));
        hs_writer_char(out, ')');
    }
    hs_writer_text(out, selected ? "\tselected\tfeatures…\n" : "\tselected\n");
}

static void write_line(hs_writer *out, const struct prediction *p, bool selected)
{
    const hsel_dataset *shape = p->model->shape;
    const char *id = hsel_dataset_id(p->data, p->instance);
    uint32_t classes = shape->class_names.count;
    if (id)
        hs_put_tsv(out, id);
    else
        hs_writer_u64(out, (uint64_t)p->instance + 1);
    hs_writer_char(out, '\t');
    hs_put_tsv(out, hsel_dataset_class_name(shape, hs_predicted_class(p->scratch->score, classes)));
    for (uint32_t c = 0; c < classes; c++) {
        hs_writer_char(out, '\t');
        hs_writer_double(out, p->probability[c]);
    }
    hs_writer_printf(out, "\t%u", hs_model_selected(p->scratch, p->data, p->instance));
    if (selected)
        each_selected(p, put_selected, &(struct features){.data = p->data, .out = out});
    hs_writer_char(out, '\n');
}

/* ---- JSON lines ---- */

static void put_json_feature(void *context, uint32_t feature, bool value)
{
    struct features *to = context;
    hs_json_key(to->json, hsel_dataset_feature_name(to->data, feature));
    hs_json_u64(to->json, value);
}

static void write_json(hs_writer *out, const struct prediction *p, bool selected)
{
    const hsel_dataset *shape = p->model->shape;
    uint32_t classes = shape->class_names.count;
    hs_json json = {.out = out, .compact = true};
    hs_json_object(&json);
    hs_json_key(&json, "instance");
    hs_json_u64(&json, (uint64_t)p->instance + 1);
    hs_json_key(&json, "id");
    hs_json_text(&json, hsel_dataset_id(p->data, p->instance));
    hs_json_key(&json, "predicted");
    hs_json_text(&json,
                 hsel_dataset_class_name(shape, hs_predicted_class(p->scratch->score, classes)));
    hs_json_key(&json, "probabilities");
    hs_json_object(&json);
    for (uint32_t c = 0; c < classes; c++) {
        hs_json_key(&json, hsel_dataset_class_name(shape, c));
        hs_json_double(&json, p->probability[c]);
    }
    hs_json_end_object(&json);
    hs_json_key(&json, "selected");
    hs_json_u64(&json, hs_model_selected(p->scratch, p->data, p->instance));
    if (selected) {
        hs_json_key(&json, "features");
        hs_json_object(&json);
        each_selected(p, put_json_feature, &(struct features){.data = p->data, .json = &json});
        hs_json_end_object(&json);
    }
    hs_json_end_object(&json);
}

/* ---- running ---- */

static int predict_all(const struct options *options, const hs_model *model,
                       const hsel_dataset *data, hs_writer *out, hsel_error *error)
{
    hs_model_scratch scratch = {0};
    double *probability = HS_NEW(double, model->shape->class_names.count);
    int status =
        probability ? hs_model_scratch_init(&scratch, model, error) : hs_fail_memory(error);
    if (status == HSEL_OK && !options->json)
        write_heading(out, model, options->selected);
    for (uint32_t i = 0; i < data->instances && status == HSEL_OK; i++) {
        struct prediction p = {model, data, i, probability, &scratch};
        status = hs_model_predict(model, data, i, &scratch, probability, error);
        if (status == HSEL_OK && options->json)
            write_json(out, &p, options->selected);
        else if (status == HSEL_OK)
            write_line(out, &p, options->selected);
    }
    hs_model_scratch_clear(&scratch);
    hs_free(probability);
    return status;
}

static int run(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    hs_model *model = NULL;
    hsel_dataset *data = NULL;
    hs_writer *out = NULL;
    int status = hs_refuse_like(&options->load, error);
    if (status == HSEL_OK)
        status = hs_model_read(call->arguments[0], &model, error);
    if (status == HSEL_OK)
        status = hs_load_like(call, call->arguments[1], &options->load, &options->predict,
                              model->shape, model->selector.method, &data, error);
    if (status == HSEL_OK)
        status = hs_writer_open(options->output, &out, error);
    if (status == HSEL_OK)
        status = predict_all(options, model, data, out, error);
    if (status == HSEL_OK)
        status = hs_writer_commit(out, error);
    else
        hs_writer_abandon(out);
    hsel_dataset_free(data);
    hs_model_free(model);
    return status;
}

const hs_command hs_command_predict = {
    .name = "predict",
    .arguments = "MODEL DATA",
    .summary = "predict the classes of instances with a model",
    .help = "Predicts the class of every instance of DATA with a model of hsel train, and writes "
            "a line for each, separated by tabs: identifier (or number), predicted class, "
            "probability of each class, and the number of features that were selected for it. "
            "Features are matched by name and may stand in another order than in the training "
            "data. A class column, if DATA has one, is not looked at. The hierarchy is that of "
            "the model; with --drop-roots, that of DATA only tells which of its features are "
            "roots, as it did in training.",
    .examples = "  hsel predict genes.model new.arff\n  cat new.csv | hsel predict genes.model - "
                "--json > answers.jsonl\n",
    .at_least = 2,
    .at_most = 2,
    .groups = {{"Options", table, 0},
               {"Features of DATA", hs_predict_table, offsetof(struct options, predict)},
               {"Data", hs_load_table, offsetof(struct options, load)}},
    .size = sizeof(struct options),
    .writes_csv = true,
    .run = run,
};

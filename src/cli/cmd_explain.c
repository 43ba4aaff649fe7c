/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel explain: why an instance is predicted as it is, or what a model learned as a whole.
 */

#include "cli/cli.h"
#include "core/parallel.h"
#include "report/explanation.h"

struct options {
    hs_load_options load;
    hs_predict_options predict;
    const char *instance, *model, *select, *classify, *dot;
    hs_list why;
    uint32_t top;
    uint32_t samples;
    uint64_t seed;
    int names;
    bool json, whole, allow_violations;
};

static const hs_option table[] = {
    HS_TEXT(struct options, instance, "instance", "ID|LABEL|#NUMBER", NULL,
            "the instance of DATA to explain: its identifier, its label (in any case, if no other "
            "instance has it), or # and its number from 1 (in quotes for the shell); without # "
            "where DATA has no identifiers"),
    HS_FILE(struct options, model, "model", "MODEL", HS_READS,
            "model file of hsel train (default: learn from all other instances of DATA)"),
    HS_TEXT(struct options, select, "select", "METHOD", NULL, "selector, e.g. rpv (default: none)"),
    HS_TEXT(struct options, classify, "classify", "METHOD", NULL,
            "classifier, e.g. nb (default: nb)"),
    HS_OPTION(
        struct options, top, "top", "N", "0", 0, 1000000000,
        "show only the N features whose log-odds are furthest from 0 (of highest relevance, where "
        "there are no log-odds) and the hierarchy around them; 0 shows all that were selected"),
    HS_FILE(struct options, dot, "dot", "FILE", HS_WRITES,
            "write the hierarchy, or a model that can be drawn, as a drawing for Graphviz (dot "
            "-Tsvg FILE); - prints it instead of the text"),
    HS_FLAG(struct options, whole, "whole",
            "show every term of the hierarchy, not only the ends of chains of more than 10 terms "
            "and at most 500 lines"),
    HS_TEXT(struct options, why, "why", "ID|LABEL", NULL,
            "say only why this feature was kept or dropped for the instance, and the same of the "
            "feature that beat it; may be given several times"),
    HS_FLAG(struct options, json, "json", "print JSON"),
    HS_NAMES(struct options),
    HS_OPTION(struct options, seed, "seed", "S", "1", 0, 9e15,
              "seed of methods that use random numbers"),
    HS_OPTION(struct options, samples, "samples", "N", "0", 0, 1000000000,
              "classifiers without log-odds of their own (forest, knn, most svm): pairs of orders "
              "that Owen values are sampled from, where exact ones take too long; 0: as many as "
              "about 20,000 predictions have time for"),
    HS_ALLOW_VIOLATIONS(struct options),
    HS_OPTION_END};

static int run(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    HS_OWNS(hs_model_release) hs_model *model = NULL;
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
    HS_OWNS(hs_explanation_clear) hs_explanation explanation = {0};
    uint32_t instance = HSEL_NONE;
    bool drawing = options->dot && strcmp(options->dot, "-") == 0;
    HS_REFUSE(call->count == 0 && !options->model, "missing DATA and --instance, or --model");
    HS_REFUSE(call->count == 0 && options->instance, "missing DATA with the instance %.200s",
              options->instance);
    HS_REFUSE(call->count > 0 && !options->instance, "missing --instance ID or '#NUMBER'%s",
              options->model ? ", or leave out DATA to see the model as a whole" : "");
    HS_REFUSE(options->model && (options->select || options->classify),
              "--model has its own %s: leave out --%s", options->select ? "selector" : "classifier",
              options->select ? "select" : "classify");
    HS_REFUSE(options->whole && (options->json || call->count == 0 || drawing),
              "--whole is for the text that explains an instance: JSON and drawings are "
              "whole anyway");
    HS_REFUSE(options->why.count && (call->count == 0 || options->dot || options->whole),
              "--why is about an instance of DATA, and goes with --json alone");
    HS_REFUSE(call->count == 0 && !hs_load_as_it_stands(&options->load),
              "options for data have no effect here: there is no DATA");
    if (options->model && call->count > 0)
        HS_TRY(hs_refuse_like(&options->load, error));
    HS_REFUSE(options->json && drawing, "--json and --dot - contradict each other");
    if (options->model)
        HS_TRY(hs_model_read(options->model, &model, error));
    if (model)
        hs_hide_names(model->shape, options->names);
    if (call->count == 0)
        return hs_show_model(model, options->dot, options->json, error);
    HS_TRY(model ? hs_load_like(call, call->arguments[0], &options->load, &options->predict,
                                model->shape, model->selector.method, &data, error)
                 : hs_load_for(call, call->arguments[0], &options->load, &data, error));
    HS_TRY(hs_find_instance(data, options->instance, &instance, error));
    hs_hide_names(data, options->names);
    if (!model) {
        hs_notes notes = HS_NOTES;
        hs_note_always_positive(call, data);
        int status = hs_model_train(data, options->select ? options->select : "none",
                                    options->classify ? options->classify : "nb", instance,
                                    options->allow_violations, options->seed, options->load.threads,
                                    hs_progress_begin(call, &notes), &model, error);
        hs_progress_end(call->show);
        hs_note_all(call, &notes);
        HS_TRY(status);
    }
    if (options->why.count)
        return hs_show_why(model, data, instance, &options->why, options->json, error);
    call->show->noun = "pairs of orders";
    explanation.samples = options->samples;
    explanation.seed = options->seed;
    explanation.threads = hs_threads(options->load.threads);
    explanation.progress = hs_progress_begin(call, NULL);
    HS_TRY(hs_explain(model, data, instance, options->top, &explanation, error));
    hs_progress_end(call->show);
    HS_REFUSE(options->samples && explanation.reasoning != HS_REASONS_OWEN,
              "--samples is for Owen values, and %s has log-odds of its own",
              model->classifier.method->name);
    hs_note_classes(call, model->shape, model->counts.class_size, false);
    if (options->dot) {
        HS_REFUSE(!explanation.dag, "%s has no hierarchy to draw: give --hierarchy FILE",
                  hsel_dataset_name(explanation.data));
        HS_OPEN(dot, options->dot);
        hs_explanation_dot(&explanation, dot);
        HS_TRY(hs_writer_commit(hs_take(&dot), error));
        if (drawing)
            return HSEL_OK;
    }
    HS_OPEN(out, "-");
    HS_TRY(options->json ? hs_explanation_json(&explanation, out, error)
                         : hs_explanation_text(&explanation, options->whole, out, error));
    return hs_writer_commit(hs_take(&out), error);
}

const hs_command hs_command_explain = {
    HS_COMMAND_IS(explain, "[DATA]",
                  "show why an instance is predicted as it is, or what a model learned",
                  struct options, run),
    .groups = {{"Options", table, 0},
               {"Features of DATA", hs_predict_table, offsetof(struct options, predict)},
               {"Data", hs_load_table, offsetof(struct options, load)}},
};

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel train: a selector and a classifier learn from a data set; the model goes to a file, or is
 * shown.
 */
#include "cli/cli.h"
#include "cli/model_show.h"

#include <string.h>

struct options {
    hs_load_options load;
    const char *select, *classify, *output, *dot;
    uint64_t seed;
    bool allow_violations, show, json;
};

static const hs_option table[] = {
    {.name = "output",
     .value = "MODEL",
     .letter = 'o',
     .type = HS_OPT_TEXT,
     .use = HS_WRITES,
     .offset = offsetof(struct options, output),
     .help = "model file to write; may be left out with --show"},
    HS_TEXT(struct options, select, "select", "METHOD", "none",
            "how features are selected, e.g. rpv or shsel:threshold=0.99; none uses all of them"),
    HS_TEXT(struct options, classify, "classify", "METHOD", "nb",
            "classifier, e.g. nb (naive Bayes) or knn:k=3"),
    HS_FLAG(struct options, show, "show",
            "show what was learned, as hsel explain --model MODEL does"),
    HS_FILE(
        struct options, dot, "dot", "FILE", HS_WRITES,
        "with --show: write it as a drawing for Graphviz, where the classifier has one; - prints "
        "it instead of the text"),
    HS_FLAG(struct options, json, "json", "with --show: print JSON"),
    HS_OPTION(struct options, seed, "seed", "S", "1", 0, 9e15,
              "seed of methods that use random numbers"),
    HS_FLAG(struct options, allow_violations, "allow-violations",
            "work with data in which an instance has a term but not all of its ancestors (eager "
            "selectors only; --propagate repairs such data)"),
    HS_OPTION_END};

static int check_options(const struct options *options, hsel_error *error)
{
    if (!options->output && !options->show)
        return hs_fail(error, HSEL_EUSAGE, "where to? give -o MODEL, or --show");
    if ((options->dot || options->json) && !options->show)
        return hs_fail(error, HSEL_EUSAGE, "%s is for --show", options->dot ? "--dot" : "--json");
    if (options->json && options->dot && strcmp(options->dot, "-") == 0)
        return hs_fail(error, HSEL_EUSAGE, "--json and --dot - contradict each other");
    if (options->output && strcmp(options->output, "-") == 0 && options->show)
        return hs_fail(error, HSEL_EUSAGE, "-o - and --show would both go to standard output");
    return HSEL_OK;
}

static int run(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    hsel_dataset *data = NULL;
    hs_model *model = NULL;
    hs_notes notes = HS_NOTES;
    int status = check_options(options, error);
    if (status == HSEL_OK)
        status = hs_load_for(call, call->arguments[0], &options->load, &data, error);
    if (status == HSEL_OK)
        status = hs_model_train(
            data, options->select, options->classify, HSEL_NONE, options->allow_violations,
            options->seed, options->load.threads, &(hs_progress){.notes = &notes}, &model, error);
    hs_notes_tell(&notes, hs_note_line, (void *)call);
    hs_notes_clear(&notes);
    if (status == HSEL_OK)
        hs_note_always_positive(call, data);
    if (status == HSEL_OK && options->output)
        status = hs_model_write(model, options->output, error);
    if (status == HSEL_OK && options->show)
        status = hs_show_model(model, options->dot, options->json, error);
    if (status == HSEL_OK && options->output)
        hs_note(call, "learned from %u instance%s and %u feature%s; hsel predict uses the model",
                model->counts.instances, model->counts.instances == 1 ? "" : "s", data->features,
                data->features == 1 ? "" : "s");
    hs_model_free(model);
    hsel_dataset_free(data);
    return status;
}

const hs_command hs_command_train = {
    .name = "train",
    .arguments = "DATA",
    .summary = "learn a model from data and write it to a file",
    .help = "Lets a selector and a classifier learn from all instances of DATA that have a class, "
            "and writes what they learned to a model file. hsel predict then predicts the classes "
            "of other instances with it, and hsel explain says why. The file holds all that is "
            "needed for this (names of features and classes, hierarchy, counts or, for knn and "
            "aode, the "
            "instances), so DATA is not needed again; a checksum guards it. How good the "
            "predictions will be, hsel eval tells. --show prints what was learned, for classifiers "
            "that can be shown as a whole.",
    .examples = "  hsel train genes/ --select rpv --classify nb --drop-roots -o genes.model\n"
                "  hsel predict genes.model new.arff\n"
                "  hsel train genes/ --classify svm --show\n",
    .at_least = 1,
    .at_most = 1,
    .groups = {{"Options", table, 0}, {"Data", hs_load_table, offsetof(struct options, load)}},
    .size = sizeof(struct options),
    .run = run,
};

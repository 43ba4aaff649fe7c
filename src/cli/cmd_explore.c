/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel explore: a page to look around in what selectors and classifiers did.
 */

#include "cli/cli.h"
#include "data/classes.h"
#include "evaluate/fold_file.h"
#include "report/explore.h"

struct options {
    hs_load_options load;
    hs_predict_options predict;
    const char *output, *model, *scheme;
    hs_list select, classify, instance;
    uint32_t folds, terms, details;
    uint64_t seed;
    int names, rank_by, progress;
    bool json, allow_violations;
};

static const hs_option table[] = {
    HS_OUTPUT_FILE(struct options, output, "FILE", HS_WRITES, NULL,
                   "where to write the page; - for standard output"),
    HS_TEXT(struct options, select, "select", "METHOD", NULL,
            "how features are selected, e.g. rpv; may be given several times (default: none)"),
    HS_TEXT(struct options, classify, "classify", "METHOD", NULL,
            "classifier, e.g. nb; may be given several times (default: nb)"),
    HS_FILE(struct options, model, "model", "MODEL", HS_READS,
            "model file of hsel train, which predicts DATA"),
    HS_TEXT(struct options, instance, "instance", "ID|LABEL|#NUMBER,…", NULL,
            "instances that have details whatever their prediction; may be given several times"),
    HS_OPTION(struct options, details, "details", "N", "20", 0, 100000,
              "details of the N most certain, doubtful and wrong predictions of each run"),
    HS_OPTION(struct options, terms, "terms", "N", "500", 0, 1000000000,
              "show at most N of the terms that were selected; 0 shows all"),
    HS_FLAG(struct options, json, "json", "write the data of the page as JSON"),
    HS_NAMES(struct options),
    HS_CHOICE(struct options, progress, "progress", HS_PROGRESS_WORDS, "auto",
              "how far the work is, on standard error; auto: a line if that is a terminal"),
    HS_ALLOW_VIOLATIONS(struct options),
    HS_OPTION_END};

static const hs_option cv_table[] = {
    HS_OPTION(struct options, folds, "folds", "N", "10", 2, 1000000, "number of folds"),
    HS_OPTION(struct options, seed, "seed", "S", "1", 0, 9e15, "seed"),
    HS_TEXT(struct options, scheme, "fold-scheme", "own|weka|wan|loo|file:PATH", "own",
            "how instances come into folds, as in hsel eval"),
    HS_CHOICE(struct options, rank_by, "rank-by", HS_RANK_BY_WORDS, "score",
              "what auroc and auprc rank instances by"),
    HS_OPTION_END};

struct job {
    hs_method_list selectors, classifiers;
    hs_model *model;
    hsel_dataset *data;
    hs_folds folds;
    hs_exploration made;
    hs_notes notes;
};

static void job_clear(struct job *job)
{
    hs_exploration_clear(&job->made);
    hs_folds_clear(&job->folds);
    hs_dataset_free(job->data);
    hs_model_free(job->model);
    hs_method_list_clear(&job->selectors);
    hs_method_list_clear(&job->classifiers);
    hs_notes_clear(&job->notes);
}

/* What was asked for, checked, and the folds. */
static int prepare(const hs_call *call, struct job *job, hs_explore_request *request,
                   hsel_error *error)
{
    const struct options *options = call->values;
    const hs_method_list *selectors = &job->selectors, *classifiers = &job->classifiers;
    HS_TRY(hs_method_list_parse(&options->select, HS_SELECTOR, "none", call->arena, &job->selectors,
                                error));
    HS_TRY(hs_method_list_parse(&options->classify, HS_CLASSIFIER, "nb", call->arena,
                                &job->classifiers, error));
    HS_TRY(hs_load_for(call, call->arguments[0], &options->load, &job->data, error));
    hs_note_unlabelled(call, job->data);
    HS_TRY(hs_keep_labelled(&job->data, NULL, error));
    for (size_t c = 0; c < classifiers->count; c++) {
        HS_TRY(hs_check_method(job->data, classifiers->items[c].method, error));
        for (size_t s = 0; s < selectors->count; s++)
            HS_TRY(hs_check_pair(selectors->items[s].method, classifiers->items[c].method, error));
    }
    for (size_t s = 0; s < selectors->count; s++)
        HS_TRY(hs_check_methods(job->data, selectors->items[s].method, NULL,
                                options->allow_violations, error));
    hs_note_classes(call, job->data, NULL, false);
    hs_note_always_positive(call, job->data);
    HS_TRY(hs_folds_choose(options->scheme, job->data, options->folds, options->seed, &job->folds,
                           error));
    request->selectors = selectors->items;
    request->selector_text = selectors->text;
    request->selector_count = selectors->count;
    request->classifiers = classifiers->items;
    request->classifier_text = classifiers->text;
    request->classifier_count = classifiers->count;
    request->folds = &job->folds;
    request->how = hs_say(call->doc, "%u-fold cross-validation (%s), seed %llu", job->folds.count,
                          options->scheme, (unsigned long long)options->seed);
    return HSEL_OK;
}

static int run(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    HS_OWNS(job_clear) struct job job = {.notes = HS_NOTES};
    hs_explore_request request = {.command = "hsel explore",
                                  .seed = options->seed,
                                  .allow_violations = options->allow_violations,
                                  .rank_by = (hs_rank_by)options->rank_by,
                                  .terms = options->terms,
                                  .details = options->details,
                                  .threads = options->load.threads};
    hs_progress_show show;
    HS_REFUSE(call->count == 0, "missing DATA");
    HS_REFUSE(!options->output && !options->json, "missing -o FILE, the page to write");
    HS_REFUSE(options->model && (options->select.count || options->classify.count),
              "--model has its own %s: leave out --%s",
              options->select.count ? "selector" : "classifier",
              options->select.count ? "select" : "classify");
    if (strncmp(options->scheme, "file:", 5) == 0)
        HS_TRY(hs_claim_read(call, options->scheme + 5, error));
    const char *output = options->output ? options->output : "-";
    if (options->model) {
        HS_TRY(hs_refuse_like(&options->load, error));
        HS_TRY(hs_model_read(options->model, &job.model, error));
        HS_TRY(hs_load_like(call, call->arguments[0], &options->load, &options->predict,
                            job.model->shape, job.model->selector.method, &job.data, error));
        hs_hide_names(job.model->shape, options->names);
        request.model = job.model;
        request.how = hs_say(call->doc, "model %s", options->model);
    } else {
        HS_TRY(prepare(call, &job, &request, error));
    }
    uint32_t *asked = HS_ARENA_NEW(call->arena, uint32_t, options->instance.count);
    HS_NEED(asked);
    for (size_t i = 0; i < options->instance.count; i++)
        HS_TRY(hs_find_instance(job.data, options->instance.items[i], &asked[i], error));
    hs_hide_names(job.data, options->names);
    request.data = job.data;
    request.asked = asked;
    request.asked_count = options->instance.count;
    for (int i = 0; i < call->word_count; i++)
        request.command = hs_say(call->doc, "%s %s", request.command, call->words[i]);
    HS_TRY(hs_document_check(call->doc, error));
    hs_progress_begin(&show, (hs_progress_mode)options->progress, NULL);
    show.noun = "steps";
    show.progress.notes = &job.notes;
    request.progress = &show.progress;
    int status = hs_exploration_make(&request, &job.made, error);
    hs_progress_end(&show);
    hs_note_all(call, &job.notes);
    HS_TRY(status);
    for (size_t i = 0; i < job.made.note_count; i++)
        hs_note(call, "%s", job.made.notes[i]);
    HS_OPEN(out, output);
    HS_TRY(options->json ? hs_exploration_json(&job.made, out, error)
                         : hs_exploration_page(&job.made, out, error));
    HS_TRY(hs_writer_commit(hs_take(&out), error));
    if (strcmp(output, "-") != 0)
        hs_note(call, "%s is in %s", options->json ? "the JSON" : "the page", output);
    return HSEL_OK;
}

const hs_command hs_command_explore = {
    HS_COMMAND_IS(explore, "[DATA]", "make a page to look around in terms, instances and models",
                  struct options, run),
    .groups = {{"Options", table, 0},
               {"Cross-validation", cv_table, 0},
               {"Features of DATA", hs_predict_table, offsetof(struct options, predict)},
               {"Data", hs_load_table, offsetof(struct options, load)}},
};

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel explore: a page to look around in what selectors and classifiers did.
 */
#include "cli/cli.h"
#include "data/checks.h"
#include "data/classes.h"
#include "learn/fold_file.h"
#include "data/builder.h"

#define MOST_RUNS 50 /* of a study; --select and --classify choose others */

struct options {
    hs_load_options load;
    hs_predict_options predict;
    const char *output, *model, *scheme, *store, *study, *dataset;
    hs_list select, classify, instance;
    uint32_t folds, terms, details;
    uint64_t seed;
    int names, rank_by;
    bool json, allow_violations;
};

static const hs_option table[] = {
    HS_OUTPUT_FILE(struct options, output, "FILE", HS_WRITES, NULL,
                   "where to write the page; - for standard output"),
    HS_TEXT(struct options, select, "select", "METHOD", NULL,
            "selector, e.g. rpv; may be given several times (default: none)"),
    HS_TEXT(struct options, classify, "classify", "METHOD", NULL,
            "classifier, e.g. nb; may be given several times (default: nb)"),
    HS_FILE(struct options, model, "model", "MODEL", HS_READS,
            "model file of hsel train, which predicts DATA"),
    HS_FILE(struct options, store, "store", "STORE", HS_READS,
            "store of hsel run: use the methods, folds and seed of its study; --select and "
            "--classify choose among the methods"),
    HS_TEXT(struct options, study, "study", "NAME", NULL,
            "with --store: the study (default: the newest in the store)"),
    HS_TEXT(struct options, dataset, "dataset", "NAME", NULL,
            "with --store and without DATA: the data set of the study (default: the only one)"),
    HS_TEXT(struct options, instance, "instance", "ID|LABEL|#NUMBER,…", NULL,
            "instances to show in detail; may be given several times"),
    HS_OPTION(
        struct options, details, "details", "N", "20", 0, 100000,
        "show the N most certain, most doubtful and most wrong predictions of each run in detail"),
    HS_OPTION(struct options, terms, "terms", "N", "500", 0, 1000000000,
              "show at most N selected terms; 0 shows all"),
    HS_FLAG(struct options, json, "json", "write the data of the page as JSON"),
    HS_NAMES(struct options),
    HS_ALLOW_VIOLATIONS(struct options),
    HS_OPTION(struct options, folds, "folds", "N", "10", 2, 1000000, "number of folds"),
    HS_OPTION(struct options, seed, "seed", "S", "1", 0, 9e15, "seed"),
    HS_TEXT(struct options, scheme, "fold-scheme", "own|weka|wan|loo|file:PATH", "own",
            "how folds are made, as in hsel eval"),
    HS_CHOICE(struct options, rank_by, "rank-by", HS_RANK_BY_WORDS, "score",
              "what auroc and auprc rank by"),
    HS_OPTION_END};

struct job {
    hs_chosen_list selectors, classifiers;
    hs_model *model;
    hsel_dataset *data;
    hs_folds folds;
    hs_store *store;
    hs_stored_dataset *stored;
    size_t stored_count;
    hs_study study;
    hs_notes notes, limits; /* of methods, and of the folds */
};

static void job_clear(struct job *job)
{
    hs_study_clear(&job->study);
    hs_stored_datasets_free(job->stored, job->stored_count);
    hs_store_close(job->store);
    hs_folds_clear(&job->folds);
    hs_dataset_free(job->data);
    hs_model_free(job->model);
    hs_chosen_list_clear(&job->selectors);
    hs_chosen_list_clear(&job->classifiers);
    hs_notes_clear(&job->notes);
    hs_notes_clear(&job->limits);
}

/* ---- a study ---- */

/* Reads the study of the store, and takes its methods unless others are given. */
static int open_study(const hs_call *call, struct job *job, hs_list *select, hs_list *classify,
                      hsel_error *error)
{
    const struct options *options = call->values;
    HS_OWNED char *text = NULL, *contents = NULL;
    hs_study *study = &job->study;
    HS_TRY(hs_store_open(options->store, HS_STORE_READ, false, &job->store, error));
    HS_TRY(hs_store_study_text(job->store, options->study, &text, &contents, NULL, error));
    HS_TRY(hs_study_parse(options->store, text, strlen(text), study, error));
    HS_TRY(hs_study_contents(study, contents ? contents : "", error));
    for (int kind = 0; kind < 2; kind++) {
        const hs_study_method *methods = kind ? study->classifiers : study->selectors;
        hs_list *list = kind ? classify : select;
        if (list->count)
            continue;
        list->count = kind ? study->classifier_count : study->selector_count;
        HS_NEED(list->items = hs_arena_alloc(call->arena, list->count, sizeof *list->items));
        for (size_t i = 0; i < list->count; i++)
            list->items[i] = methods[i].text;
    }
    return HSEL_OK;
}

/* Without DATA: makes a data set of what the store has, names and the class of each instance. */
static int stored_data(const hs_call *call, struct job *job, hs_explore_request *request,
                       hsel_error *error)
{
    const struct options *options = call->values;
    HS_OWNS(hs_builder_release) hs_builder *builder = NULL;
    const hs_stored_dataset *found = NULL;
    const char *names = "";
    size_t there = 0;
    HS_TRY(hs_store_datasets(job->store, &job->stored, &job->stored_count, error));
    for (const hs_stored_dataset *one = job->stored; one < job->stored + job->stored_count; one++) {
        if (one->id < 0)
            continue;
        names = hs_say_more(call->doc, names, hs_say(call->doc, "%s", one->name));
        if (options->dataset && strcmp(options->dataset, one->name) != 0)
            continue;
        there++;
        found = one;
    }
    HS_REFUSE(there == 0 && options->dataset, "%s has no data set '%.200s', but %s", options->store,
              options->dataset, *names ? names : "none");
    HS_REFUSE(there == 0, "%s has no data set of the study", options->store);
    HS_REFUSE(there > 1, "give DATA, or --dataset NAME: %s has %s", options->store, names);
    request->key.dataset = found->id;
    HS_TRY(hs_builder_new(&builder, error));
    HS_TRY(hs_builder_declare(builder, &found->feature_names, &found->class_names, error));
    HS_TRY(hs_builder_describe(builder, found->name, NULL, NULL, error));
    for (uint32_t i = 0; i < found->instances; i++)
        HS_TRY(hs_builder_row(builder, NULL, 0, found->class_of ? found->class_of[i] : HSEL_NONE,
                              error));
    HS_TRY(hs_builder_finish(builder, &job->data, error));
    job->data->positive_class = found->positive_class;
    if (found->numbers) {
        job->data->target = hs_copy(found->numbers, found->instances, sizeof *found->numbers);
        job->data->class_attribute = hs_strdup(found->target ? found->target : "target");
        HS_NEED(job->data->target && job->data->class_attribute);
    }
    request->store = job->store;
    HS_OWNS(hs_dag_release) hsel_dag *dag = NULL;
    HS_OWNED uint32_t *support = NULL;
    HS_TRY(hs_store_hierarchy(job->store, found, &dag, &support, error));
    if (dag)
        HS_TRY(hs_dataset_attach(job->data, hs_take(&dag), error));
    return hs_about_copy(&found->about, &job->data->about, error);
}

/* ---- the request ---- */

/* Methods, data and folds, checked. */
static int prepare(const hs_call *call, struct job *job, hs_explore_request *request,
                   hsel_error *error)
{
    const struct options *options = call->values;
    const hs_chosen_list *selectors = &job->selectors, *classifiers = &job->classifiers;
    const char *scheme = options->scheme;
    uint32_t folds = options->folds;
    hs_list select = options->select, classify = options->classify;
    if (options->store)
        HS_TRY(open_study(call, job, &select, &classify, error));
    HS_TRY(hs_method_list_parse(&select, HS_SELECTOR, HS_USUAL("none"), &job->selectors, error));
    HS_TRY(
        hs_method_list_parse(&classify, HS_CLASSIFIER, HS_USUAL("nb"), &job->classifiers, error));
    HS_REFUSE(options->store && selectors->count * classifiers->count > MOST_RUNS,
              "the study has %zu selectors and %zu classifiers, but a page shows at most %d pairs: "
              "choose by --select and --classify",
              selectors->count, classifiers->count, MOST_RUNS);
    request->selectors = selectors->items;
    request->selector_count = selectors->count;
    request->classifiers = classifiers->items;
    request->classifier_count = classifiers->count;
    const char **left_out =
        HS_ARENA_NEW(call->arena, const char *, selectors->count * classifiers->count);
    HS_NEED(request->left_out = left_out);
    if (options->store) {
        const hs_study *study = &job->study;
        scheme = study->scheme;
        folds = study->folds;
        request->seed = study->seed;
        request->rank_by = study->rank_by;
        request->allow_violations = study->allow_violations;
        request->key = (hs_result_key){
            .dataset = -1, .scheme = hs_study_scheme(study), .folds = folds, .seed = study->seed};
        request->how = hs_say(call->doc, "study %s%s, folds %s, seed %llu", study->name,
                              study->repeats > 1 ? ", the first repeat" : "", study->scheme,
                              (unsigned long long)study->seed);
        if (call->count == 0) {
            HS_TRY(hs_leave_out(call, NULL, selectors, classifiers, false, left_out, error));
            return stored_data(call, job, request, error);
        }
    }
    HS_TRY(hs_load_for(call, call->arguments[0], &options->load, &job->data, error));
    hs_note_unlabelled(call, job->data);
    const uint32_t without = hs_unlabelled(job->data);
    hs_explore_name *unlabelled = HS_ARENA_NEW(call->arena, hs_explore_name, without);
    HS_NEED(request->unlabelled = unlabelled);
    for (uint32_t i = 0; without && i < job->data->instances; i++) {
        const char *label = options->names ? NULL : hs_about_label(&job->data->instance_about, i),
                   *id = hsel_dataset_id(job->data, i);
        if (!hs_has_label(job->data, i)) /* copies: the data are replaced */
            unlabelled[request->unlabelled_count++] = (hs_explore_name){
                id ? hs_say(call->doc, "%s", id) : NULL, label ? hs_say(call->doc, "%s", label)
                                                         : id  ? NULL
                                                              : hs_say(call->doc, "row %u", i + 1)};
    }
    HS_TRY(hs_keep_labelled(&job->data, NULL, error));
    if (options->store) {
        int64_t id;
        HS_TRY(hs_store_find_content(job->store, hs_dataset_fingerprint(job->data), &id, error));
        HS_REFUSE(id < 0,
                  "%s is not a data set of %s: give the same data, read with the same options",
                  call->arguments[0], options->store);
    }
    HS_TRY(hs_leave_out(call, job->data, selectors, classifiers, request->allow_violations,
                        left_out, error));
    hs_note_classes(call, job->data, NULL, false);
    hs_note_always_positive(call, job->data);
    HS_TRY(hs_note_repeats(call, job->data, error));
    HS_TRY(hs_folds_choose(scheme, job->data, folds, request->seed, &job->folds, error));
    HS_REFUSE(job->folds.start[job->folds.count] < job->data->instances,
              "the explorer needs a prediction for every instance, but with --time or --test-set "
              "some are only used for training: use hsel eval --predictions");
    request->folds = &job->folds;
    HS_TRY(hs_crossval_note(job->data, &job->folds, false, &job->limits, error));
    request->limits = &job->limits;
    request->pooled = strcmp(scheme, "loo") == 0;
    char made[HS_FOLDS_ROOM];
    if (!options->store)
        request->how = hs_say(call->doc, "cross-validation, %s (%s), seed %llu",
                              *hs_folds_say(&job->folds, made)
                                  ? made
                                  : hs_say(call->doc, "%u folds", job->folds.count),
                              scheme, (unsigned long long)request->seed);
    return HSEL_OK;
}

int hs_write_exploration(const hs_call *call, hs_explore_request *request, const char *output,
                         bool json, hs_notes *notes, hsel_error *error)
{
    HS_OWNS(hs_exploration_clear) hs_exploration made = {0};
    for (int i = 0; i < call->word_count; i++)
        request->command = hs_say(call->doc, "%s %s", request->command, call->words[i]);
    if (request->data->provenance) {
        hs_fact *facts;
        HS_TRY(hs_provenance_facts(call, request->data->provenance, &facts,
                                   &request->provenance_count, error));
        const char **lines = HS_ARENA_NEW(call->arena, const char *, request->provenance_count);
        HS_NEED(request->provenance = lines);
        for (size_t i = 0; i < request->provenance_count; i++)
            lines[i] = hs_say(call->doc, "%s: %s", facts[i].what, facts[i].text);
    }
    HS_TRY(hs_document_check(call->doc, error));
    request->progress = hs_progress_begin(call, notes);
    int status = hs_exploration_make(request, &made, error);
    hs_progress_end(call->show);
    hs_note_all(call, notes);
    HS_TRY(status);
    for (size_t i = 0; i < made.note_count; i++)
        hs_note(call, "%s", made.notes[i]);
    HS_OPEN(out, output);
    HS_TRY(json ? hs_exploration_json(&made, out, error) : hs_exploration_page(&made, out, error));
    HS_TRY(hs_writer_commit(hs_take(&out), error));
    if (strcmp(output, "-") != 0)
        hs_note(call, "%s is in %s", json ? "the JSON" : "the page", output);
    return HSEL_OK;
}

static int explore_command(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    HS_OWNS(job_clear) struct job job = {.notes = HS_NOTES, .limits = HS_NOTES};
    hs_explore_request request = {.command = "hsel explore",
                                  .seed = options->seed,
                                  .allow_violations = options->allow_violations,
                                  .rank_by = (hs_rank_by)options->rank_by,
                                  .terms = options->terms,
                                  .details = options->details,
                                  .threads = options->load.threads};
    HS_TRY(hs_claim_scheme(call, options->scheme, error));
    const char *output = options->output ? options->output : "-";
    if (!options->json)
        HS_TRY(hs_exploration_page_check(error));
    if (options->model) {
        HS_TRY(hs_model_read(options->model, &job.model, error));
        HS_TRY(hs_load_like(call, call->arguments[0], &options->load, &options->predict,
                            job.model->shape, &job.data, error));
        if (job.model->selector.method->flags & HS_LAZY)
            HS_TRY(hs_check_rule(job.data, job.model->selector.method, false, error));
        hs_hide_names(job.model->shape, options->names);
        request.model = job.model;
        request.how = hs_say(call->doc, "model %s", options->model);
    } else {
        HS_TRY(prepare(call, &job, &request, error));
    }
    uint32_t *asked = HS_ARENA_NEW(call->arena, uint32_t, options->instance.count);
    HS_NEED(asked);
    for (size_t i = 0; i < options->instance.count; i++) {
        const char *name = options->instance.items[i];
        for (size_t j = 0; j < request.unlabelled_count; j++) {
            const hs_explore_name *other = &request.unlabelled[j];
            HS_REFUSE((other->id && strcmp(other->id, name) == 0) ||
                          (other->label && strcmp(other->label, name) == 0),
                      "instance '%.200s' has no class, so only a trained model can predict it: use "
                      "hsel train, then --model",
                      name);
        }
        HS_TRY(hs_find_instance(job.data, name, &asked[i], error));
    }
    hs_hide_names(job.data, options->names);
    request.data = job.data;
    request.asked = asked;
    request.asked_count = options->instance.count;
    return hs_write_exploration(call, &request, output, options->json, &job.notes, error);
}

const hs_command hs_command_explore = {
    HS_COMMAND_IS(explore, "[DATA]", "write an HTML page to explore terms, instances and models",
                  struct options),
    .first = "output select classify model store instance folds json hierarchy class",
    .groups = {{"Options", table, 0},
               {"Features of DATA", hs_predict_table, offsetof(struct options, predict)},
               {"Data", hs_load_table, offsetof(struct options, load)}},
    .flags = HS_WORKS | HS_HAS_MEMORY,
};

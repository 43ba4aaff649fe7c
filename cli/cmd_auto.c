/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel auto: chooses a selector and a classifier by nested cross-validation, says how good the
 * choice is, and writes the model.
 */

#include "cli/cli.h"
#include "data/classes.h"
#include "learn/auto.h"
#include "show/choice.h"

struct options {
    hs_load_options load;
    hs_list select, classify;
    const char *metric, *output, *checkpoint, *budget, *race;
    uint32_t folds, repeats, inner_folds, inner_repeats, permutations;
    uint64_t seed;
    int rank_by;
    bool list, json, csv, allow_violations;
};

static const hs_option auto_table[] = {
    HS_OUTPUT_FILE(struct options, output, "MODEL", HS_WRITES, NULL,
                   "model file to write: the choice, trained on all of DATA"),
    HS_TEXT(struct options, select, "select", "METHOD", NULL,
            "selector to try, e.g. rpv; may be given several times (default: those of --list)"),
    HS_TEXT(struct options, classify, "classify", "METHOD", NULL,
            "classifier to try, e.g. nb or knn:k=3; may be given several times (default: those of "
            "--list)"),
    HS_FLAG(struct options, list, "list",
            "only list the candidates, and which are left out and why"),
    HS_TEXT(struct options, metric, "metric", "NAME", "auroc",
            "metric that decides the choice (hsel methods --kind metric lists them)"),
    HS_CHOICE(struct options, rank_by, "rank-by", HS_RANK_BY_WORDS, "score",
              "what auroc and auprc rank by, as in hsel eval"),
    HS_TEXT(struct options, race, "race", "LEVEL|off", "0.05",
            "level of the test by which candidates leave the race early; off: all candidates are "
            "tested in all inner folds"),
    HS_OPTION(struct options, permutations, "permutations", "B", "0", 0, 100000,
              "repeat the whole procedure B times with permuted classes and show the p-value of "
              "the estimate; each repetition takes as long as the procedure itself"),
    HS_TEXT(struct options, budget, "budget", "TIME", NULL,
            "end the races after this time, e.g. 90s, 10m or 2h; the result then depends on the "
            "machine"),
    HS_FILE(struct options, checkpoint, "checkpoint", "FILE", HS_WRITES,
            "save progress to this file about once a second; the same command resumes from it, "
            "also with more --permutations"),
    HS_FLAG(struct options, json, "json", "print everything as JSON"),
    HS_FLAG(struct options, csv, "csv", "print the table of candidates as CSV"),
    HS_ALLOW_VIOLATIONS(struct options),
    HS_OPTION_END};

static const hs_option folds_table[] = {
    HS_OPTION(struct options, folds, "folds", "N", "5", 2, 1000,
              "outer folds, which estimate the performance of the choice"),
    HS_OPTION(struct options, repeats, "repeats", "N", "1", 1, 1000,
              "repetitions of the outer folds, with different folds"),
    HS_OPTION(struct options, inner_folds, "inner-folds", "N", "5", 2, 1000,
              "inner folds, which decide the choice"),
    HS_OPTION(struct options, inner_repeats, "inner-repeats", "N", "1", 1, 1000,
              "repetitions of the inner folds, with different folds"),
    HS_OPTION(struct options, seed, "seed", "S", "1", 0, 9e15,
              "seed of folds, methods and permutations; outer repeat r uses S + r"),
    HS_OPTION_END};

/* "90", "90s", "10m", "2h" into seconds. */
static int parse_time(const char *text, double *out, hsel_error *error)
{
    size_t length = strlen(text);
    char unit = length ? text[length - 1] : 's';
    double factor = unit == 'm' ? 60 : unit == 'h' ? 3600 : 1;
    if (unit == 's' || unit == 'm' || unit == 'h')
        length--;
    HS_REFUSE(!hs_parse_double(text, length, out) || !(*out > 0) || *out > 1e9,
              "--budget takes a time such as 90s, 10m or 2h, not '%.80s'", text);
    *out *= factor;
    return HSEL_OK;
}

static int show(const hs_auto_request *request, const hs_auto *result,
                const struct options *options, hsel_error *error)
{
    HS_OPEN(out, "-");
    if (options->json)
        HS_TRY(hs_choice_json(request, result, &(hs_json){.out = out}, error));
    else
        HS_TRY((options->csv ? hs_choice_csv : hs_choice_print)(request, result, out, error));
    return hs_writer_commit(hs_take(&out), error);
}

static int run(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
    HS_OWNS(hs_method_list_clear) hs_method_list selectors = {0}, classifiers = {0};
    HS_OWNS(hs_auto_clear) hs_auto result = {0};
    HS_OWNS(hs_model_release) hs_model *model = NULL;
    hs_notes notes = HS_NOTES;
    size_t metrics;
    hs_auto_request request = {.folds = options->folds,
                               .repeats = options->repeats,
                               .inner_folds = options->inner_folds,
                               .inner_repeats = options->inner_repeats,
                               .permutations = options->permutations,
                               .rank_by = (hs_rank_by)options->rank_by,
                               .seed = options->seed,
                               .threads = options->load.threads,
                               .allow_violations = options->allow_violations};
    HS_TRY(hs_method_list_parse(&options->select, HS_SELECTOR, hs_auto_selectors, call->arena,
                                &selectors, error));
    HS_TRY(hs_method_list_parse(&options->classify, HS_CLASSIFIER, hs_auto_classifiers, call->arena,
                                &classifiers, error));
    HS_TRY(hs_metric_list_parse(&options->metric, 1, &request.metric, &metrics, error));
    const hs_metric metric = request.metric;
    request.selectors = selectors.items;
    request.classifiers = classifiers.items;
    request.selector_count = selectors.count;
    request.classifier_count = classifiers.count;
    HS_REFUSE(options->rank_by && !(hs_metric_formula(metric)->needs & HS_OF_RANKING),
              "--rank-by is about auroc and auprc, and --metric is %s", hs_metric_name(metric));
    if (strcmp(options->race, "off") != 0)
        HS_REFUSE(!hs_parse_double(options->race, strlen(options->race), &request.level) ||
                      !(request.level > 0 && request.level <= 0.5),
                  "--race takes a level above 0 and up to 0.5, or off, not '%.80s'", options->race);
    if (options->budget)
        HS_TRY(parse_time(options->budget, &request.budget, error));
    HS_TRY(hs_claim_written(call, "-", NULL, error));
    HS_TRY(hs_load_for(call, call->arguments[0], &options->load, &data, error));
    hs_note_unlabelled(call, data);
    HS_TRY(hs_keep_labelled(&data, NULL, error));
    request.data = data;
    if (options->list) {
        HS_TRY(hs_auto_list(&request, &result, error));
        HS_OPEN(out, "-");
        HS_TRY(hs_choice_print_list(&result, out, error));
        return hs_writer_commit(hs_take(&out), error);
    }
    hs_note_classes(call, data, NULL, metric == HS_METRIC_AUPRC);
    hs_note_always_positive(call, data);
    if (options->checkpoint) {
        request.fingerprint = hs_dataset_fingerprint(data);
        HS_TRY(hs_journal_open(NULL, options->checkpoint, &request.journal, error));
    }
    request.progress = hs_progress_begin(call, &notes);
    int status = hs_auto_run(&request, &result, error);
    int closed = hs_journal_close(request.journal, status ? &(hsel_error){0} : error);
    if (!status && !closed && options->output) {
        const hs_auto_candidate *choice = &result.candidates[result.choice.candidate];
        closed = hs_model_train(data, choice->selector, choice->classifier, HSEL_NONE,
                                options->allow_violations, options->seed, options->load.threads,
                                request.progress, &model, error);
    }
    hs_progress_end(call->show);
    hs_note_all(call, &notes);
    if (status && status != HSEL_ECANCELLED)
        return status;
    if (result.left_out_count)
        hs_note(call, "%zu of %zu pairs of selector and classifier are left out; --list says why",
                result.left_out_count, result.left_out_count + result.count);
    if (status) { /* stopped: what is finished is shown */
        const bool whole = result.tested > 0;
        const char *resume = "";
        if (whole || result.inner_folds)
            HS_TRY(show(&request, &result, options, error));
        if (options->checkpoint)
            resume = hs_say(call->doc, "; the same command goes on from %s", options->checkpoint);
        HS_FAIL_IF(whole, status, "stopped: %u of %u permutations are done%s%s",
                   result.permutations, options->permutations, resume,
                   options->output ? "; no model is written" : "");
        return hs_fail(error, status,
                       "stopped: %u of %u inner folds are done, no outer fold is tested%s",
                       result.inner_folds, result.inner_folds_all, resume);
    }
    HS_TRY(closed);
    if (model)
        HS_TRY(hs_model_write(model, options->output, error));
    HS_TRY(show(&request, &result, options, error));
    if (model)
        hs_note(call, "the model has learned from all %u instances; hsel predict uses it",
                model->counts.instances);
    return HSEL_OK;
}

const hs_command hs_command_auto = {
    HS_COMMAND_IS(auto, "DATA", "choose selector and classifier, with an honest estimate",
                  struct options, run),
    .first = "output select classify metric folds budget list json hierarchy class",
    .groups = {{"Options", auto_table, 0},
               {"Cross-validation", folds_table, 0},
               {"Data", hs_load_table, offsetof(struct options, load)}},
    .writes_csv = true,
    .works = true,
    .has_memory = true,
};

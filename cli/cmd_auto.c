/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel auto: chooses a selector and a classifier by nested cross-validation, estimates the
 * performance of the choice, and writes the model.
 */
#include "cli/cli.h"
#include "data/classes.h"

struct options {
    hs_load_options load;
    hs_list select, classify;
    hsel_request request;
    hsel_auto_request how;
    const char *output, *budget, *race;
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
    HS_TEXT(struct options, how.metric, "metric", "NAME", "auroc",
            "metric that decides the choice (hsel methods --kind metric lists them)"),
    HS_CHOICE(struct options, rank_by, "rank-by", HS_RANK_BY_WORDS, "score",
              "what auroc and auprc rank by, as in hsel eval"),
    HS_TEXT(struct options, race, "race", "LEVEL|off", "0.05",
            "level of the test by which candidates leave the race early; off: all candidates are "
            "tested in all inner folds"),
    HS_OPTION(struct options, how.permutations, "permutations", "B", "0", 0, 100000,
              "repeat the whole procedure B times with permuted classes and show the p-value of "
              "the estimate; each repetition takes as long as the procedure itself"),
    HS_TEXT(struct options, budget, "budget", "TIME", NULL,
            "end the races after this time, e.g. 90s, 10m or 2h; the result then depends on the "
            "machine"),
    HS_FILE(struct options, how.checkpoint, "checkpoint", "FILE", HS_WRITES,
            "save progress to this file about once a second; the same command resumes from it, "
            "also with more --permutations"),
    HS_FLAG(struct options, json, "json", "print everything as JSON"),
    HS_FLAG(struct options, csv, "csv", "print the table of candidates as CSV"),
    HS_ALLOW_VIOLATIONS(struct options),
    HS_OPTION(struct options, request.folds, "folds", "N", "5", 2, 1000,
              "outer folds, which estimate the performance of the choice"),
    HS_TEXT(struct options, request.fold_scheme, "fold-scheme",
            "own|weka|wan|loo|window:N|file:PATH", "own",
            "how the outer folds are made, as in hsel eval; loo: leave out one group at a time, "
            "with --groups"),
    HS_OPTION(struct options, request.repeats, "repeats", "N", "1", 1, 1000,
              "repetitions of the outer folds, with different folds"),
    HS_OPTION(struct options, how.inner_folds, "inner-folds", "N", "5", 2, 1000,
              "inner folds, which decide the choice"),
    HS_OPTION(struct options, how.inner_repeats, "inner-repeats", "N", "1", 1, 1000,
              "repetitions of the inner folds, with different folds"),
    HS_OPTION(struct options, request.seed, "seed", "S", "1", 0, 9e15,
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

static int auto_command(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
    HS_OWNS(hs_chosen_list_clear) hs_chosen_list selectors = {0}, classifiers = {0};
    HS_OWNS(hs_release_model) hsel_model *model = NULL;
    HS_OWNED char *shown = NULL;
    hs_metric metric;
    size_t metrics;
    uint32_t counts[HSEL_AUTO_COUNTS] = {0};
    hsel_auto_request how = options->how;
    how.size = sizeof how;
    how.race = -1;
    how.form = options->list ? "list" : options->csv ? "csv" : NULL;
    how.counts = counts;
    if (options->select.count)
        HS_TRY(hs_method_list_parse(&options->select, HS_SELECTOR, NULL, &selectors, error));
    if (options->classify.count)
        HS_TRY(hs_method_list_parse(&options->classify, HS_CLASSIFIER, NULL, &classifiers, error));
    HS_TRY(hs_metric_list_parse(&how.metric, 1, &metric, &metrics, error));
    HS_REFUSE(options->rank_by && !(hs_metric_formula(metric)->needs & HS_OF_RANKING),
              "--rank-by affects only auroc and auprc, but --metric is %s", hs_metric_name(metric));
    if (strcmp(options->race, "off") != 0)
        HS_REFUSE(!hs_parse_double(options->race, strlen(options->race), &how.race) ||
                      !(how.race > 0 && how.race <= 0.5),
                  "--race takes a level above 0 and up to 0.5, or off, not '%.80s'", options->race);
    if (options->budget)
        HS_TRY(parse_time(options->budget, &how.budget, error));
    HS_TRY(hs_claim_scheme(call, options->request.fold_scheme, error));
    HS_TRY(hs_claim_written(call, "-", NULL, error));
    HS_TRY(hs_load_for(call, call->arguments[0], &options->load, &data, error));
    hs_note_unlabelled(call, data);
    HS_TRY(hs_keep_labelled(&data, NULL, error));
    if (!options->list) {
        hs_note_classes(call, data, NULL, metric == HS_METRIC_AUPRC);
        hs_note_always_positive(call, data);
        HS_TRY(hs_note_repeats(call, data, error));
    }
    if (how.checkpoint)
        how.fingerprint = hs_dataset_fingerprint(data);
    if (selectors.count)
        HS_NEED(how.selectors = hs_method_list_names(&selectors, call->arena));
    if (classifiers.count)
        HS_NEED(how.classifiers = hs_method_list_names(&classifiers, call->arena));
    how.selector_count = (uint32_t)selectors.count;
    how.classifier_count = (uint32_t)classifiers.count;
    hsel_request request = hs_request(call, &options->request, options->load.threads);
    request.rank_by = hs_rank_by_word((hs_rank_by)options->rank_by);
    request.allow_violations = options->allow_violations;
    int status = hsel_auto(data, &request, &how, options->output ? &model : NULL,
                           options->json ? &shown : NULL, options->json ? NULL : &shown, error);
    hs_progress_end(call->show);
    if (status && status != HSEL_ECANCELLED)
        return status;
    const uint32_t left_out = counts[HSEL_AUTO_LEFT_OUT];
    if (left_out && !options->list)
        hs_note(call, "%u of %u pairs of selector and classifier are left out; --list says why",
                left_out, left_out + counts[HSEL_AUTO_CANDIDATES]);
    if (model)
        HS_TRY(hsel_model_write(model, options->output, error));
    if (shown) /* of a run that was stopped: what is finished */
        HS_TRY(hs_print_text("-", shown, error));
    if (status) {
        const char *why = hs_say(call->doc, "%s", error->message), *file = how.checkpoint;
        return hs_fail(error, status, "%s%s%s%s", why,
                       file ? "; the same command resumes from " : "", file ? file : "",
                       options->output && counts[HSEL_AUTO_TESTED] ? "; no model is written" : "");
    }
    if (model)
        hs_note(call, "the model was trained on all %u instances; hsel predict uses it",
                hsel_model_instances(model));
    return HSEL_OK;
}

const hs_command hs_command_auto = {
    HS_COMMAND_IS(auto, "DATA",
                  "choose a blend, or a selector and a classifier, and estimate their performance",
                  struct options),
    .first = "output select classify metric folds budget list json hierarchy class",
    .groups = {{"Options", auto_table, 0}, {"Data", hs_load_table, offsetof(struct options, load)}},
    .flags = HS_WORKS | HS_HAS_MEMORY | HS_WRITES_CSV,
};

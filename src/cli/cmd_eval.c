/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel eval: cross-validates every selector with every classifier on every data set, and shows the
 * metrics.
 */
#include <string.h>

#include "cli/eval_show.h"
#include "cli/method_list.h"
#include "core/mem.h"
#include "core/parallel.h"
#include "evaluate/fold_file.h"

struct options {
    hs_load_options load;
    hs_cv_options cv;
    hs_list select, classify, metrics;
    bool json, csv, pooled, allow_violations;
    int rank_by;
    const char *write_folds, *predictions, *frequencies;
};

static const hs_option table[] = {
    HS_TEXT(struct options, select, "select", "METHOD", NULL,
            "how features are selected, e.g. rpv; may be given several times (default: none, all "
            "features are used)"),
    HS_TEXT(
        struct options, classify, "classify", "METHOD", NULL,
        "classifier, e.g. nb or knn:k=3; may be given several times (default: nb, naive Bayes)"),
    HS_TEXT(
        struct options, metrics, "metrics", "NAME,…", NULL,
        "metrics to show, of gm (geometric mean of sensitivity and specificity), auroc, auprc, "
        "accuracy, sensitivity, specificity, macro-f1, compression (share of features left out) "
        "and harmonic (harmonic mean of accuracy and compression); default: the first six"),
    HS_FLAG(struct options, pooled, "pooled",
            "show metrics pooled over all instances, not the means over folds"),
    HS_CHOICE(struct options, rank_by, "rank-by", HS_RANK_BY_WORDS, "score",
              "what auroc and auprc rank instances by: the scores of the classifier, which do not "
              "saturate, or its probabilities, as WEKA does and most papers did"),
    HS_FLAG(struct options, json, "json",
            "print JSON for programs: every metric, pooled and fold mean"),
    HS_FLAG(struct options, csv, "csv", "print the table as CSV"),
    HS_FLAG(struct options, allow_violations, "allow-violations",
            "work with data in which an instance has a term but not all of its ancestors (eager "
            "selectors only; --propagate repairs such data)"),
    HS_FILE(
        struct options, write_folds, "write-folds", "FILE", HS_WRITES,
        "write which instance is in which fold (first repeat); --fold-scheme file:FILE reads it"),
    HS_FILE(struct options, predictions, "predictions", "FILE", HS_WRITES,
            "write as CSV the class probabilities and scores predicted for every instance"),
    HS_FILE(struct options, frequencies, "frequencies", "FILE", HS_WRITES,
            "write as CSV for how many instances each feature was selected"),
    HS_OPTION_END};

struct job {
    const hs_call *call;
    const struct options *options;
    hs_method_list selectors, classifiers;
    const char **selector_text, **classifier_text; /* canonical */
    hs_eval_shown shown;
    hs_json json;
    hs_text_table table;
    hs_writer *predictions, *frequencies;
    hs_notes notes; /* of the methods */
};

/* ---- what was asked for ---- */

static int parse_metric(const char *name, hs_eval_shown *shown, hsel_error *error)
{
    const char *words[HS_METRICS];
    for (int m = 0; m < HS_METRICS; m++)
        words[m] = hs_metric_name((hs_metric)m);
    hs_metric metric = hs_metric_find(name, strlen(name));
    if (metric == HS_METRICS) {
        int nearest = hs_nearest(name, words, HS_METRICS);
        return hs_fail(error, HSEL_EUSAGE, "there is no metric '%.80s'%s%s%s", name,
                       nearest >= 0 ? "; did you mean '" : "", nearest >= 0 ? words[nearest] : "",
                       nearest >= 0 ? "'?" : "");
    }
    for (size_t i = 0; i < shown->count; i++)
        if (shown->metrics[i] == metric)
            return HSEL_OK;
    shown->metrics[shown->count++] = metric;
    return HSEL_OK;
}

static int parse_metrics(struct job *job, hsel_error *error)
{
    static const char *const usual[] = {"gm",       "auroc",       "auprc",
                                        "accuracy", "sensitivity", "specificity"};
    const hs_list *list = &job->options->metrics;
    size_t count = list->count ? list->count : sizeof usual / sizeof usual[0];
    int status = HSEL_OK;
    job->shown = (hs_eval_shown){.pooled = job->options->pooled, .csv = job->options->csv};
    for (size_t i = 0; i < count && status == HSEL_OK; i++)
        status = parse_metric(list->count ? list->items[i] : usual[i], &job->shown, error);
    if (status == HSEL_OK && !job->shown.pooled && strcmp(job->options->cv.scheme, "loo") == 0) {
        job->shown.pooled = true; /* a fold of one instance has no sensitivity worth a mean */
        if (!job->options->json)
            hs_note(job->call, "folds of one instance: metrics are pooled over all instances");
    }
    return status;
}

static int format_methods(const hs_method_list *list, hs_arena *arena, const char ***out,
                          hsel_error *error)
{
    if (!(*out = HS_ARENA_NEW(arena, const char *, list->count)))
        return hs_fail_memory(error);
    for (size_t i = 0; i < list->count; i++) {
        hs_buf text = {0};
        hs_chosen_format(&list->items[i], &text);
        char *copy = text.failed ? NULL : hs_arena_alloc(arena, text.length + 1, 1);
        if (copy)
            memcpy(copy, text.text, text.length + 1);
        hs_buf_clear(&text);
        if (!((*out)[i] = copy))
            return hs_fail_memory(error);
    }
    return HSEL_OK;
}

static int parse_all(struct job *job, hsel_error *error)
{
    const struct options *options = job->options;
    hs_arena *arena = job->call->arena;
    int status =
        hs_method_list_parse(&options->select, HS_SELECTOR, "none", arena, &job->selectors, error);
    if (status == HSEL_OK)
        status = hs_method_list_parse(&options->classify, HS_CLASSIFIER, "nb", arena,
                                      &job->classifiers, error);
    if (status == HSEL_OK)
        status = format_methods(&job->selectors, arena, &job->selector_text, error);
    if (status == HSEL_OK)
        status = format_methods(&job->classifiers, arena, &job->classifier_text, error);
    if (status == HSEL_OK)
        status = parse_metrics(job, error);
    if (status == HSEL_OK && options->json && options->csv)
        status = hs_fail(error, HSEL_EUSAGE, "--json and --csv contradict each other");
    bool ranks = options->json;
    for (size_t i = 0; i < job->shown.count; i++)
        ranks = ranks || job->shown.metrics[i] == HS_METRIC_AUROC ||
                job->shown.metrics[i] == HS_METRIC_AUPRC;
    if (status == HSEL_OK && options->rank_by == HS_RANK_BY_PROBABILITY && !ranks)
        status = hs_fail(error, HSEL_EUSAGE,
                         "--rank-by is about auroc and auprc, and --metrics asks for neither");
    if (status == HSEL_OK && job->call->count > 1 && (options->write_folds || options->predictions))
        status = hs_fail(error, HSEL_EUSAGE, "%s is for one data set at a time",
                         options->write_folds ? "--write-folds" : "--predictions");
    return status;
}

/* ---- one data set ---- */

/* One repeat, done. */
struct scoring {
    const struct job *job;
    const hsel_dataset *data;
    const hs_folds *folds;
    const hs_crossval *done;
    hs_eval_result *results; /* [pairs] */
};

/* Task: the scores of one pair of selector and classifier. */
static int add_scores(void *context, size_t pair, int worker, hsel_error *error)
{
    const struct scoring *s = context;
    const hsel_dataset *data = s->data;
    const hs_selector_outcome *selection = &s->done->selectors[pair / s->job->classifiers.count];
    hs_eval_result *result = &s->results[pair];
    hs_scores scores;
    (void)worker;
    int status = hs_crossval_scores(s->done, data, s->folds, pair, &scores, error);
    if (status)
        return status;
    for (int m = 0; m < HS_METRICS; m++) {
        hs_running_add(&result->pooled[m], scores.pooled[m]);
        hs_running_add(&result->fold_mean[m], scores.fold_mean[m]);
        hs_running_add(&result->fold_se[m], scores.fold_se[m]);
    }
    hs_running_add(&result->selected, 1 - scores.pooled[HS_METRIC_COMPRESSION]);
    if (selection->masks) {
        hs_stability stability =
            hs_stability_of(selection->masks, s->done->mask_words, s->folds->count, data->features);
        hs_running_add(&result->kuncheva, stability.kuncheva);
        hs_running_add(&result->jaccard, stability.jaccard);
    }
    result->folds = s->folds->count;
    result->seconds += selection->seconds + s->done->classifiers[pair].seconds;
    return HSEL_OK;
}

/* The files beside the table. */
static void write_runs(const struct job *job, const hsel_dataset *data, const hs_folds *folds,
                       uint32_t repeat, const hs_crossval *done)
{
    hs_eval_run run = {.data = data, .folds = folds, .repeat = repeat};
    for (size_t s = 0; s < job->selectors.count; s++) {
        run.selection = &done->selectors[s];
        run.selector = job->selector_text[s];
        if (job->frequencies)
            hs_eval_frequencies(job->frequencies, &run);
        for (size_t c = 0; job->predictions && c < job->classifiers.count; c++) {
            run.predictions =
                hs_crossval_predictions(done, data, folds, s * job->classifiers.count + c);
            run.classifier = job->classifier_text[c];
            hs_eval_predictions(job->predictions, &run);
        }
    }
}

static int run_repeat(struct job *job, const hsel_dataset *data, uint32_t repeat,
                      hs_eval_result *results, hsel_error *error)
{
    const struct options *options = job->options;
    hs_folds folds = {0};
    hs_crossval done = {0};
    int status = hs_cv_folds(&options->cv, data, repeat, &folds, error);
    if (status == HSEL_OK && repeat == 0 && options->write_folds)
        status = hs_folds_write(&folds, data, options->write_folds, error);
    if (status == HSEL_OK)
        status = hs_crossval_run(
            &(hs_crossval_request){.data = data,
                                   .folds = &folds,
                                   .selectors = job->selectors.items,
                                   .classifiers = job->classifiers.items,
                                   .selector_count = job->selectors.count,
                                   .classifier_count = job->classifiers.count,
                                   .seed = options->cv.seed + repeat,
                                   .rank_by = (hs_rank_by)options->rank_by,
                                   .threads = options->load.threads,
                                   .progress = &(hs_progress){.notes = &job->notes}},
            &done, error);
    if (status == HSEL_OK)
        status = hs_parallel_for(job->selectors.count * job->classifiers.count,
                                 options->load.threads, add_scores,
                                 &(struct scoring){job, data, &folds, &done, results}, error);
    if (status == HSEL_OK)
        write_runs(job, data, &folds, repeat, &done);
    hs_crossval_clear(&done);
    hs_folds_clear(&folds);
    return status;
}

static int check_all(const struct job *job, const hsel_dataset *data, hsel_error *error)
{
    int status = HSEL_OK;
    for (size_t c = 0; c < job->classifiers.count && status == HSEL_OK; c++) {
        const hs_method *classifier = job->classifiers.items[c].method;
        status = hs_check_method(data, classifier, error);
        for (size_t s = 0; s < job->selectors.count && status == HSEL_OK; s++)
            status = hs_check_pair(job->selectors.items[s].method, classifier, error);
    }
    for (size_t s = 0; s < job->selectors.count && status == HSEL_OK; s++)
        status = hs_check_methods(data, job->selectors.items[s].method, NULL,
                                  job->options->allow_violations, error);
    return status;
}

static void show(struct job *job, const hs_eval_result *result)
{
    if (job->options->json)
        hs_eval_json(&job->json, &job->options->cv, (hs_rank_by)job->options->rank_by, result);
    else
        hs_eval_row(&job->table, &job->shown, result);
}

static int evaluate_one(struct job *job, const char *path, hsel_error *error)
{
    hsel_dataset *data = NULL;
    size_t pairs = job->selectors.count * job->classifiers.count;
    hs_eval_result *results = HS_NEW_ZERO(hs_eval_result, pairs);
    int status = results ? hs_load_for(job->call, path, &job->options->load, &data, error)
                         : hs_fail_memory(error);
    if (status == HSEL_OK)
        status = check_all(job, data, error);
    if (status == HSEL_OK && job->predictions)
        status = hs_eval_predictions_head(job->predictions, data, error);
    if (status == HSEL_OK) {
        bool auprc = job->options->json;
        for (size_t i = 0; i < job->shown.count; i++)
            auprc |= job->shown.metrics[i] == HS_METRIC_AUPRC;
        hs_note_classes(job->call, data, NULL, auprc);
        hs_note_always_positive(job->call, data);
    }
    for (uint32_t r = 0; r < job->options->cv.repeats && status == HSEL_OK; r++)
        status = run_repeat(job, data, r, results, error);
    for (size_t i = 0; i < pairs && status == HSEL_OK; i++) {
        results[i].data = data;
        results[i].selector = job->selector_text[i / job->classifiers.count];
        results[i].classifier = job->classifier_text[i % job->classifiers.count];
        show(job, &results[i]);
    }
    hs_free(results);
    hsel_dataset_free(data);
    return status;
}

/* ---- running ---- */

static int open_side_outputs(struct job *job, hsel_error *error)
{
    int status = HSEL_OK;
    if (job->options->predictions)
        status = hs_writer_open(job->options->predictions, &job->predictions, error);
    if (status == HSEL_OK && job->options->frequencies)
        status = hs_writer_open(job->options->frequencies, &job->frequencies, error);
    if (status == HSEL_OK && job->frequencies)
        hs_eval_frequencies_head(job->frequencies);
    return status;
}

static int close_side_output(hs_writer **writer, int status, hsel_error *error)
{
    if (*writer && status == HSEL_OK)
        status = hs_writer_commit(*writer, error);
    else
        hs_writer_abandon(*writer);
    *writer = NULL;
    return status;
}

static int finish(struct job *job, hs_writer *out, int status, hsel_error *error)
{
    status = close_side_output(&job->predictions, status, error);
    status = close_side_output(&job->frequencies, status, error);
    if (job->options->json)
        hs_json_end_array(&job->json);
    else if (status == HSEL_OK)
        status = job->options->csv ? hs_table_print_csv(&job->table, out, error)
                                   : hs_table_print(&job->table, 3, out, error);
    if (status == HSEL_OK)
        return hs_writer_commit(out, error);
    hs_writer_abandon(out);
    return status;
}

static int run(const hs_call *call, hsel_error *error)
{
    struct job job = {.call = call, .options = call->values, .notes = HS_NOTES};
    hs_writer *out = NULL;
    int status = parse_all(&job, error);
    if (status == HSEL_OK && strncmp(job.options->cv.scheme, "file:", 5) == 0)
        status = hs_claim_read(call, job.options->cv.scheme + 5, error);
    if (status == HSEL_OK)
        status = open_side_outputs(&job, error);
    if (status == HSEL_OK)
        status = hs_writer_open("-", &out, error);
    if (status == HSEL_OK) {
        job.json = (hs_json){.out = out};
        if (job.options->json)
            hs_json_array(&job.json);
        else
            hs_eval_head(&job.table, &job.shown, &job.options->cv, call->arena);
        for (int i = 0; i < call->count && status == HSEL_OK; i++)
            status = evaluate_one(&job, call->arguments[i], error);
        status = finish(&job, out, status, error);
        hs_notes_tell(&job.notes, hs_note_line, (void *)call);
    }
    hs_notes_clear(&job.notes);
    hs_writer_abandon(job.predictions);
    hs_writer_abandon(job.frequencies);
    hs_method_list_clear(&job.selectors);
    hs_method_list_clear(&job.classifiers);
    return status;
}

const hs_command hs_command_eval = {
    .name = "eval",
    .arguments = "DATA…",
    .summary = "cross-validate selectors and classifiers",
    .help = "Tells how well instances are classified when features are selected first. The "
            "instances of DATA are split into folds; for each fold, selector and classifier learn "
            "from all other folds and then predict its instances. Every selector is tried with "
            "every classifier on every data set. Selection is part of the learning and never sees "
            "the classes of the instances to be predicted: an eager selector chooses one set of "
            "features a fold, a lazy one chooses anew for each instance that is predicted.\n\n"
            "Metrics are in percent and, as in the papers, means over folds; --pooled computes "
            "them once over all instances, which may differ by much, so JSON gives both. With "
            "leave-one-out they are always pooled. Sensitivity, auroc and auprc are those of the "
            "positive class (a note says which it is and what AUPRC is by "
            "chance, --positive names another); with more "
            "than two classes they are means over classes. The predicted class is that of the "
            "highest score of the classifier, and auroc and auprc rank by these scores (log-odds, "
            "decision values, shares of votes), so that the auroc of two classes is the same for "
            "either. Probabilities that run into 1 make ties: --rank-by probability shows what "
            "comes of it. The column selected is the share of features "
            "that were used. With several repeats the table shows mean ± standard deviation over "
            "repeats.",
    .examples = "  hsel eval genes/ --select rpv --select hip --classify nb --classify knn:k=1 "
                "--drop-roots\n"
                "  hsel eval genes/ --select rpv:measure=ig --fold-scheme weka --seed 1 --json\n"
                "  hsel eval a/ b/ --select shsel:threshold=0.99 --repeats 10 --csv\n",
    .at_least = 1,
    .at_most = -1,
    .groups = {{"Options", table, 0},
               {"Cross-validation", hs_cv_table, offsetof(struct options, cv)},
               {"Data", hs_load_table, offsetof(struct options, load)}},
    .size = sizeof(struct options),
    .writes_csv = true,
    .run = run,
};

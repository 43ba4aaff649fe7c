/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel eval: cross-validates every selector with every classifier on every data set, and shows the metrics.
 */
#include <math.h>
#include <string.h>

#include "cli/cv_options.h"
#include "cli/text_table.h"
#include "core/json.h"
#include "core/mem.h"
#include "evaluate/crossval.h"
#include "evaluate/fold_file.h"
#include "stats/metrics.h"

struct options {
    hs_load_options load;
    hs_cv_options cv;
    hs_list select, classify, metrics;
    bool json, csv, pooled, allow_violations;
    const char *write_folds, *predictions, *frequencies;
};

static const hs_option table[] = {
    HS_TEXT(struct options, select, "select", "METHOD", NULL, "selector, e.g. rpv; repeat for several (default: none)"),
    HS_TEXT(struct options, classify, "classify", "METHOD", NULL, "classifier, e.g. nb; repeat for several (default: nb)"),
    HS_TEXT(struct options, metrics, "metrics", "NAME,…", NULL,
            "metrics to show (default: gm,auroc,auprc,accuracy,sensitivity,specificity)"),
    HS_FLAG(struct options, pooled, "pooled", "show metrics pooled over all instances, not the means over folds"),
    HS_FLAG(struct options, json, "json", "print JSON for programs: every metric, pooled and fold mean"),
    HS_FLAG(struct options, csv, "csv", "print the table as CSV"),
    HS_FLAG(struct options, allow_violations, "allow-violations", "work on data that break the true-path rule"),
    HS_TEXT(struct options, write_folds, "write-folds", "FILE", NULL, "write the folds (of the first repeat)"),
    HS_TEXT(struct options, predictions, "predictions", "FILE", NULL,
            "write the predicted class probabilities of every instance as CSV"),
    HS_TEXT(struct options, frequencies, "frequencies", "FILE", NULL,
            "write how often each feature was selected as CSV"),
    HS_OPTION_END};

/* Means over repeats, and the spread. */
struct summary {
    double pooled[HS_METRICS], fold_mean[HS_METRICS], sd[HS_METRICS], se[HS_METRICS];
    double selected, seconds;
    hs_stability stability; /* of the last repeat; NaN for lazy selectors */
};

struct job {
    const hs_call *call;
    const struct options *options;
    hs_chosen *selectors, *classifiers;
    size_t selector_count, classifier_count;
    hs_metric shown[HS_METRICS];
    size_t shown_count;
    hs_json json;
    hs_text_table table;
    hs_writer *predictions, *frequencies;
};

/* ---- what was asked for ---- */

/* Method text may hold commas ("rpv:measure=ig,smoothing=rpv"), which the list took apart: an item that is no method of
 * its own belongs to the one before. */
static int parse_methods(const hs_list *list, hs_kind kind, const char *fallback, hs_arena *arena, hs_chosen **out,
                         size_t *count, hsel_error *error)
{
    size_t items = list->count ? list->count : 1;
    int status = HSEL_OK;
    *count = 0;
    if (!(*out = hs_arena_zero(arena, items, sizeof **out)))
        return hs_fail_memory(error);
    for (size_t i = 0; i < items && status == HSEL_OK;) {
        hs_buf text = {0};
        hs_buf_text(&text, list->count ? list->items[i++] : fallback);
        if (!list->count)
            i++;
        while (i < list->count && strchr(list->items[i], '=') && !strchr(list->items[i], ':'))
            hs_buf_printf(&text, ",%s", list->items[i++]);
        status = text.failed ? hs_fail_memory(error) : hs_chosen_parse(kind, text.text, &(*out)[*count], error);
        *count += status == HSEL_OK;
        hs_buf_clear(&text);
    }
    return status;
}

static int parse_metrics(struct job *job, hsel_error *error)
{
    static const hs_metric usual[] = {HS_METRIC_GM,       HS_METRIC_AUROC,       HS_METRIC_AUPRC,
                                      HS_METRIC_ACCURACY, HS_METRIC_SENSITIVITY, HS_METRIC_SPECIFICITY};
    const hs_list *list = &job->options->metrics;
    const char *words[HS_METRICS];
    for (int m = 0; m < HS_METRICS; m++)
        words[m] = hs_metric_name((hs_metric)m);
    if (list->count == 0) {
        memcpy(job->shown, usual, sizeof usual);
        job->shown_count = sizeof usual / sizeof usual[0];
        return HSEL_OK;
    }
    for (size_t i = 0; i < list->count && job->shown_count < HS_METRICS; i++) {
        hs_metric metric = hs_metric_find(list->items[i], strlen(list->items[i]));
        if (metric == HS_METRICS) {
            int nearest = hs_nearest(list->items[i], words, HS_METRICS);
            return hs_fail(error, HSEL_EUSAGE, "there is no metric '%.80s'%s%s%s", list->items[i],
                           nearest >= 0 ? "; did you mean '" : "", nearest >= 0 ? words[nearest] : "",
                           nearest >= 0 ? "'?" : "");
        }
        job->shown[job->shown_count++] = metric;
    }
    return HSEL_OK;
}

/* ---- side outputs ---- */

static void write_predictions(struct job *job, const hsel_dataset *data, const hs_folds *folds, uint32_t repeat,
                              const hs_crossval *done)
{
    uint32_t classes = data->class_names.count;
    for (size_t s = 0; s < job->selector_count; s++)
        for (size_t c = 0; c < job->classifier_count; c++) {
            const double *probability = done->classifiers[s * job->classifier_count + c].probability;
            for (uint32_t i = 0; i < data->instances; i++) {
                const char *id = hsel_dataset_id(data, i);
                hs_writer_printf(job->predictions, "%s,%zu,%zu,%u,%u,%s,%s,%s", hsel_dataset_name(data), s + 1, c + 1,
                                 repeat + 1, folds->fold_of[i] + 1, id ? id : "",
                                 hsel_dataset_class_name(data, data->class_of[i]),
                                 hsel_dataset_class_name(data, hs_predicted_class(probability + (size_t)i * classes, classes)));
                for (uint32_t k = 0; k < classes; k++) {
                    hs_writer_char(job->predictions, ',');
                    hs_writer_double(job->predictions, probability[(size_t)i * classes + k]);
                }
                hs_writer_printf(job->predictions, ",%u\n", done->selectors[s].selected[i]);
            }
        }
}

static void write_frequencies(struct job *job, const hsel_dataset *data, uint32_t repeat, const hs_crossval *done)
{
    for (size_t s = 0; s < job->selector_count; s++)
        for (uint32_t f = 0; f < data->features; f++) {
            hs_writer_printf(job->frequencies, "%s,%zu,%u,%s,%u,", hsel_dataset_name(data), s + 1, repeat + 1,
                             hsel_dataset_feature_name(data, f), done->selectors[s].frequency[f]);
            hs_writer_double(job->frequencies, (double)done->selectors[s].frequency[f] / data->instances);
            hs_writer_char(job->frequencies, '\n');
        }
}

/* ---- one data set ---- */

static int score_pair(struct job *job, const hsel_dataset *data, const hs_folds *folds, const hs_crossval *done,
                      size_t s, size_t c, uint32_t repeat, struct summary *sum, hsel_error *error)
{
    size_t pair = s * job->classifier_count + c;
    hs_scores scores;
    hs_predictions predictions = {.instances = data->instances,
                                  .classes = data->class_names.count,
                                  .folds = folds->count,
                                  .positive_class = data->positive_class,
                                  .truth = data->class_of,
                                  .fold_of = folds->fold_of,
                                  .probability = done->classifiers[pair].probability,
                                  .selected = done->selectors[s].selected,
                                  .features = data->features};
    int status = hs_metrics_compute(&predictions, &scores, error);
    if (status)
        return status;
    /* Welford's running mean and spread over repeats. */
    double share = 1.0 / (repeat + 1);
    for (int m = 0; m < HS_METRICS; m++) {
        double before = sum->fold_mean[m], step = scores.fold_mean[m] - before;
        sum->pooled[m] += (scores.pooled[m] - sum->pooled[m]) * share;
        sum->fold_mean[m] += step * share;
        sum->sd[m] += step * (scores.fold_mean[m] - sum->fold_mean[m]);
        sum->se[m] = scores.fold_se[m];
    }
    sum->selected += (1 - scores.pooled[HS_METRIC_COMPRESSION] - sum->selected) * share;
    sum->seconds += done->selectors[s].seconds + done->classifiers[pair].seconds;
    sum->stability = done->selectors[s].masks
                         ? hs_stability_of(done->selectors[s].masks, done->mask_words, folds->count, data->features)
                         : (hs_stability){(double)NAN, (double)NAN};
    return HSEL_OK;
}

static int run_repeat(struct job *job, const hsel_dataset *data, uint32_t repeat, struct summary *sums,
                      hsel_error *error)
{
    const struct options *options = job->options;
    hs_folds folds = {0};
    hs_crossval done = {0};
    int status = hs_cv_folds(&options->cv, data, repeat, &folds, error);
    if (status == HSEL_OK && repeat == 0 && options->write_folds)
        status = hs_folds_write(&folds, data, options->write_folds, error);
    if (status == HSEL_OK)
        status = hs_crossval_run(&(hs_crossval_request){.data = data,
                                                        .folds = &folds,
                                                        .selectors = job->selectors,
                                                        .classifiers = job->classifiers,
                                                        .selector_count = job->selector_count,
                                                        .classifier_count = job->classifier_count,
                                                        .seed = options->cv.seed + repeat,
                                                        .threads = options->load.threads},
                                 &done, error);
    for (size_t s = 0; s < job->selector_count; s++)
        for (size_t c = 0; c < job->classifier_count && status == HSEL_OK; c++)
            status = score_pair(job, data, &folds, &done, s, c, repeat, &sums[s * job->classifier_count + c], error);
    if (status == HSEL_OK && job->predictions)
        write_predictions(job, data, &folds, repeat, &done);
    if (status == HSEL_OK && job->frequencies)
        write_frequencies(job, data, repeat, &done);
    hs_crossval_clear(&done);
    hs_folds_clear(&folds);
    return status;
}

/* ---- showing ---- */

static void json_metrics(hs_json *json, const struct summary *sum, uint32_t repeats)
{
    hs_json_key(json, "metrics");
    hs_json_object(json);
    for (int m = 0; m < HS_METRICS; m++) {
        hs_json_key(json, hs_metric_name((hs_metric)m));
        hs_json_object(json);
        hs_json_key(json, "pooled");
        hs_json_double(json, sum->pooled[m]);
        hs_json_key(json, "fold_mean");
        hs_json_double(json, sum->fold_mean[m]);
        hs_json_key(json, "sd");
        hs_json_double(json, repeats > 1 ? sqrt(sum->sd[m] / (repeats - 1)) : 0);
        hs_json_key(json, "fold_se");
        hs_json_double(json, sum->se[m]);
        hs_json_end_object(json);
    }
    hs_json_end_object(json);
}

static void show_json(struct job *job, const hsel_dataset *data, const char *selector, const char *classifier,
                      const struct summary *sum)
{
    const hs_cv_options *cv = &job->options->cv;
    hs_json *json = &job->json;
    const char *const texts[][2] = {{"dataset", hsel_dataset_name(data)}, {"selector", selector},
                                    {"classifier", classifier}, {"fold_scheme", cv->scheme}};
    hs_json_object(json);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        hs_json_key(json, texts[i][0]);
        hs_json_text(json, texts[i][1]);
    }
    hs_json_key(json, "folds");
    hs_json_u64(json, strcmp(cv->scheme, "loo") == 0 ? data->instances : cv->folds);
    hs_json_key(json, "repeats");
    hs_json_u64(json, cv->repeats);
    hs_json_key(json, "seed");
    hs_json_u64(json, cv->seed);
    json_metrics(json, sum, cv->repeats);
    hs_json_key(json, "selected_pct");
    hs_json_double(json, 100 * sum->selected);
    if (!isnan(sum->stability.jaccard)) {
        hs_json_key(json, "stability");
        hs_json_object(json);
        hs_json_key(json, "kuncheva");
        hs_json_double(json, sum->stability.kuncheva);
        hs_json_key(json, "jaccard");
        hs_json_double(json, sum->stability.jaccard);
        hs_json_end_object(json);
    }
    hs_json_key(json, "seconds");
    hs_json_double(json, sum->seconds);
    hs_json_end_object(json);
}

static void show_row(struct job *job, const hsel_dataset *data, const char *selector, const char *classifier,
                     const struct summary *sum)
{
    hs_text_table *out = &job->table;
    hs_table_cell(out, "%s", hsel_dataset_name(data));
    hs_table_cell(out, "%s", selector);
    hs_table_cell(out, "%s", classifier);
    for (size_t i = 0; i < job->shown_count; i++) {
        hs_metric m = job->shown[i];
        double value = 100 * (job->options->pooled ? sum->pooled[m] : sum->fold_mean[m]);
        if (isnan(value))
            hs_table_cell(out, "–");
        else if (job->options->cv.repeats > 1 && !job->options->csv)
            hs_table_cell(out, "%.1f ± %.1f", value, 100 * sqrt(sum->sd[m] / (job->options->cv.repeats - 1)));
        else
            hs_table_cell(out, job->options->csv ? "%.6f" : "%.1f", value);
    }
    hs_table_cell(out, "%.2f", 100 * sum->selected);
    hs_table_cell(out, "%.4f", sum->seconds);
}

static int show(struct job *job, const hsel_dataset *data, const struct summary *sums, hsel_error *error)
{
    int status = HSEL_OK;
    for (size_t i = 0; i < job->selector_count * job->classifier_count && status == HSEL_OK; i++) {
        hs_buf selector = {0}, classifier = {0};
        hs_chosen_format(&job->selectors[i / job->classifier_count], &selector);
        hs_chosen_format(&job->classifiers[i % job->classifier_count], &classifier);
        if (selector.failed || classifier.failed)
            status = hs_fail_memory(error);
        else if (job->options->json)
            show_json(job, data, selector.text, classifier.text, &sums[i]);
        else
            show_row(job, data, selector.text, classifier.text, &sums[i]);
        hs_buf_clear(&selector);
        hs_buf_clear(&classifier);
    }
    return status;
}

static int evaluate_one(struct job *job, const char *path, hsel_error *error)
{
    hsel_dataset *data = NULL;
    struct summary *sums = HS_NEW_ZERO(struct summary, job->selector_count * job->classifier_count);
    int status = sums ? hs_load_for(job->call, path, &job->options->load, &data, error) : hs_fail_memory(error);
    for (size_t s = 0; s < job->selector_count; s++)
        for (size_t c = 0; c < job->classifier_count && status == HSEL_OK; c++)
            status = hs_check_methods(data, job->selectors[s].method, job->classifiers[c].method,
                                      job->options->allow_violations, error);
    for (uint32_t r = 0; r < job->options->cv.repeats && status == HSEL_OK; r++)
        status = run_repeat(job, data, r, sums, error);
    if (status == HSEL_OK)
        status = show(job, data, sums, error);
    hs_free(sums);
    hsel_dataset_free(data);
    return status;
}

/* ---- running ---- */

static int open_side_outputs(struct job *job, hsel_error *error)
{
    int status = HSEL_OK;
    if (job->options->predictions && (status = hs_writer_open(job->options->predictions, &job->predictions, error)))
        return status;
    if (job->options->frequencies && (status = hs_writer_open(job->options->frequencies, &job->frequencies, error)))
        return status;
    if (job->predictions)
        hs_writer_text(job->predictions,
                       "dataset,selector,classifier,repeat,fold,id,class,predicted,probabilities…,selected\n");
    if (job->frequencies)
        hs_writer_text(job->frequencies, "dataset,selector,repeat,feature,selected,share\n");
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

static void start_table(struct job *job)
{
    job->table = (hs_text_table){.arena = job->call->arena, .columns = job->shown_count + 5};
    hs_table_cell(&job->table, "data set");
    hs_table_cell(&job->table, "selector");
    hs_table_cell(&job->table, "classifier");
    for (size_t i = 0; i < job->shown_count; i++)
        hs_table_cell(&job->table, "%s", hs_metric_title(job->shown[i]));
    hs_table_cell(&job->table, "selected %%");
    hs_table_cell(&job->table, "seconds");
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
    struct job job = {.call = call, .options = call->values};
    hs_writer *out = NULL;
    int status = parse_methods(&job.options->select, HS_SELECTOR, "none", call->arena, &job.selectors,
                               &job.selector_count, error);
    if (status == HSEL_OK)
        status = parse_methods(&job.options->classify, HS_CLASSIFIER, "nb", call->arena, &job.classifiers,
                               &job.classifier_count, error);
    if (status == HSEL_OK)
        status = parse_metrics(&job, error);
    if (status == HSEL_OK)
        status = open_side_outputs(&job, error);
    if (status == HSEL_OK)
        status = hs_writer_open("-", &out, error);
    if (status == HSEL_OK) {
        job.json = (hs_json){.out = out};
        if (job.options->json)
            hs_json_array(&job.json);
        else
            start_table(&job);
        for (int i = 0; i < call->count && status == HSEL_OK; i++)
            status = evaluate_one(&job, call->arguments[i], error);
        status = finish(&job, out, status, error);
    }
    hs_writer_abandon(job.predictions);
    hs_writer_abandon(job.frequencies);
    for (size_t i = 0; i < job.selector_count; i++)
        hs_chosen_clear(&job.selectors[i]);
    for (size_t i = 0; i < job.classifier_count; i++)
        hs_chosen_clear(&job.classifiers[i]);
    return status;
}

const hs_command hs_command_eval = {
    .name = "eval",
    .arguments = "DATA…",
    .summary = "cross-validate selectors and classifiers",
    .help = "Cross-validates every selector with every classifier on every data set. Selection sees the training part of a "
            "fold only; lazy selectors choose features anew for each test instance. Metrics are means over folds (as in "
            "the papers) or pooled over all instances; the two differ, so JSON gives both.",
    .examples = "  hsel eval genes/ --select rpv --select hip --classify nb --classify knn:k=1 --drop-roots\n"
                "  hsel eval genes/ --select rpv:measure=ig --fold-scheme weka --seed 1 --json\n"
                "  hsel eval a/ b/ --select shsel:threshold=0.99 --repeats 10 --csv\n",
    .at_least = 1,
    .at_most = -1,
    .groups = {{"Options", table, 0},
               {"Cross-validation", hs_cv_table, offsetof(struct options, cv)},
               {"Data", hs_load_table, offsetof(struct options, load)}},
    .size = sizeof(struct options),
    .run = run,
};

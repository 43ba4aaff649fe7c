/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel eval: cross-validates every selector with every classifier on every data set, and shows the
 * metrics.
 */
#include "cli/cli.h"
#include "data/classes.h"
#include "data/folds.h"
#include "data/summary.h"
#include "learn/evaluation.h"
#include "learn/fold_file.h"

/* Whose estimates --leak-check compares: ordinary folds, groups only, all roles of instances. */
enum { NO_LEAKS = -1, ORDINARY, BY_GROUPS, BY_DESIGN, DESIGNS, LEAK_REPEATS = 10 };
enum { PREDICTIONS, FREQUENCIES, CURVES, RELIABILITY, FILES }; /* further output files */

struct options {
    hs_load_options load;
    hsel_request request; /* folds, repeats, seed and how folds are made */
    hs_list select, classify, metrics;
    bool json, csv, pooled, classes, stability, intervals, leak_check, allow_violations;
    int rank_by, names, similarity;
    const char *write_folds, *file[FILES];
};

static const hs_option eval_table[] = {
    HS_TEXT(struct options, select, "select", "METHOD", NULL,
            "selector, e.g. rpv; may be given several times (default: none, all features are "
            "used)"),
    HS_TEXT(
        struct options, classify, "classify", "METHOD", NULL,
        "classifier, e.g. nb or knn:k=3; may be given several times (default: nb, naive Bayes)"),
    HS_TEXT(struct options, metrics, "metrics", "NAME,…", NULL,
            "metrics to show (hsel methods --kind metric lists them; default: the first six, for a "
            "numeric target rmse, r2 and spearman)"),
    HS_FLAG(struct options, pooled, "pooled",
            "pool metrics over all instances instead of averaging over folds"),
    HS_CHOICE(struct options, rank_by, "rank-by", HS_RANK_BY_WORDS, "score",
              "rank instances for auroc and auprc by the classifier's scores, which do not "
              "saturate, or by its probabilities, as in WEKA and most papers"),
    HS_FLAG(struct options, classes, "classes",
            "after the rows of a data set, show each class against the rest and the confusion "
            "matrix; JSON always has both"),
    HS_FLAG(struct options, stability, "stability",
            "after the rows of a data set, show how similar the selections of each selector are in "
            "different folds, with 95 % intervals; with --csv and --json as columns and members"),
    HS_CHOICE(struct options, similarity, "similarity", HS_SIMILARITY_WORDS, "lin",
              "similarity of two features for --stability on the hierarchy"),
    HS_FLAG(struct options, intervals, "intervals",
            "after the rows of a data set, show 95 % confidence intervals of the metrics and of "
            "their differences from the first row; with --csv and --json as columns and members"),
    HS_FLAG(struct options, leak_check, "leak-check",
            "after the rows of a data set, compare the estimates of ordinary folds with those of "
            "the design (--groups, --time, --test-set), and show the difference, the optimism, "
            "with 95 % intervals (10 repeats, unless --repeats is given); with --csv and --json as "
            "columns and members"),
    HS_FLAG(struct options, json, "json",
            "print JSON: every metric, pooled and fold mean, classes, confusion"),
    HS_FLAG(struct options, csv, "csv", "print the table as CSV"),
    HS_ALLOW_VIOLATIONS(struct options),
    HS_FILE(struct options, write_folds, "write-folds", "FILE", HS_WRITES,
            "write the fold of each instance (first repeat); --fold-scheme file:FILE reads it"),
    HS_FILE(struct options, file[PREDICTIONS], "predictions", "FILE", HS_WRITES,
            "write the probabilities and scores, or the number, predicted for every instance as "
            "CSV"),
    HS_FILE(struct options, file[FREQUENCIES], "frequencies", "FILE", HS_WRITES,
            "write the number of instances for which each feature was selected as CSV"),
    HS_FILE(struct options, file[CURVES], "curves", "FILE", HS_WRITES,
            "write the ROC and precision-recall curves of each class as CSV, a line per score"),
    HS_FILE(struct options, file[RELIABILITY], "reliability", "FILE", HS_WRITES,
            "write the share of each class in bins of its predicted probability as CSV"),
    HS_NAMES(struct options),
    HS_OPTION(struct options, request.folds, "folds", "N", "10", 2, 1000000, "number of folds"),
    HS_OPTION(struct options, request.repeats, "repeats", "N", "1", 1, 100000,
              "repetitions, with different folds"),
    HS_OPTION(struct options, request.seed, "seed", "S", "1", 0, 9e15, "seed; repeat r uses S + r"),
    HS_TEXT(struct options, request.fold_scheme, "fold-scheme",
            "own|weka|wan|loo|window:N|file:PATH", "own",
            "how folds are made: own (stratified), weka (WEKA's, used by the RPV and GA-HFS "
            "papers), wan (class sizes of the Hie-AODE paper), loo (leave one instance out, or one "
            "group with --groups), window:N (with --time: train on the N blocks before a fold "
            "only), or a fold file; weka:1 uses the folds of seed 1 in every repeat, so that "
            "repeats differ only in random methods"),
    HS_OPTION_END};

#define FEW_CLASSES 100 /* whose confusion is always counted */

struct job {
    const hs_call *call;
    const struct options *options;
    hs_chosen_list selectors, classifiers;
    size_t pairs;
    hs_metric metrics[HS_METRICS]; /* to show */
    size_t metric_count;
    bool shown[HS_METRICS], always_pooled;
    bool pooled;         /* for the current data set */
    bool numeric, known; /* the target is a number; known once a data set is loaded */
    hs_json json;
    hs_doc_grid table;
    hs_writer *out, *file[FILES];
    hs_progress_parts progress; /* a part per data set */
    size_t rows;                /* shown */
    bool begun, labels;         /* the frequencies have their heading; it has labels */
    /* Of the current data set: */
    hsel_dataset *data;
    const char **left_out;     /* [pairs]: why; NULL: it takes part */
    hsel_evaluation **results; /* [pairs]: selector by selector, over all repeats */
    hsel_evaluation *
        *leaking[DESIGNS]; /* [pairs]: with folds that ignore all or a part of the design */
    char **unlabelled; /* [pairs]: metrics of positives and unlabelled instances; NULL: others */
    bool noted;        /* the note on how folds were made has been printed */
};

static void forget_data(struct job *job)
{
    for (size_t i = 0; job->results && job->leaking[BY_GROUPS] && i < job->pairs; i++)
        for (int d = -1; d < BY_DESIGN; d++)
            hsel_evaluation_free(hs_take(d < 0 ? &job->results[i] : &job->leaking[d][i]));
    for (size_t i = 0; job->unlabelled && i < job->pairs; i++)
        hsel_free(hs_take(&job->unlabelled[i]));
    hs_dataset_free(hs_take(&job->data));
    job->noted = false;
}

static void job_clear(struct job *job)
{
    forget_data(job);
    hs_writer_abandon(job->out);
    for (int f = 0; f < FILES; f++)
        hs_writer_abandon(job->file[f]);
    hs_chosen_list_clear(&job->selectors);
    hs_chosen_list_clear(&job->classifiers);
}

static const char *selector_of(const struct job *job, size_t pair)
{
    return job->selectors.items[pair / job->classifiers.count].text;
}

static const char *classifier_of(const struct job *job, size_t pair)
{
    return job->classifiers.items[pair % job->classifiers.count].text;
}

static const char *class_name(const struct job *job, uint32_t label)
{
    return hsel_dataset_class_name(job->data, label);
}

/* The evaluation that others are compared with: the first that is not left out. */
static const hsel_evaluation *baseline(const struct job *job)
{
    size_t pair = 0;
    while (pair < job->pairs && job->left_out[pair])
        pair++;
    return pair < job->pairs ? job->results[pair] : NULL;
}

/* ---- showing results: percent with one decimal for people, all digits for programs ---- */

/* An estimate and a difference, each with the ends of its interval; NaN: there is none. */
struct estimate {
    double value[3], difference[3];
    char method[HSEL_INTERVAL_ROOM];
};

/* Columns of CSV: ends of the interval, then the difference from the first row. */
static const char *const interval_words[] = {"low", "high", "difference", "difference_low",
                                             "difference_high"};
/* With --leak-check: what ordinary folds give, and the optimism. */
static const char *const leak_words[] = {"ordinary", "ordinary_low", "ordinary_high",
                                         "optimism", "optimism_low", "optimism_high"};
enum { INTERVAL_CELLS = 5, LEAK_CELLS = 6 };

static const char *design_word(const struct job *job, int design)
{
    return design == ORDINARY ? "ordinary" : hs_design_word(job->data, design == BY_GROUPS);
}

/* Of a pair, and its difference from the first row; or of its evaluation by another design, and its
 * optimism: by how much ordinary folds seem better. */
static int find_estimate(const struct job *job, size_t pair, const hsel_evaluation *e, int design,
                         hs_metric metric, struct estimate *out, hsel_error *error)
{
    const hsel_evaluation *first = baseline(job), *ordinary = job->leaking[ORDINARY][pair],
                          *from = e, *less = first;
    char unused[HSEL_INTERVAL_ROOM];
    if (design != NO_LEAKS) {
        const bool lower = hs_metric_formula(metric)->lower_is_better;
        e = design == BY_DESIGN ? e : job->leaking[design][pair];
        from = lower ? e : ordinary;
        less = lower ? ordinary : e;
    }
    HS_TRY(hs_evaluation_interval(e, NULL, metric, job->pooled, out->value, out->method, error));
    for (int i = 0; i < 3; i++)
        out->difference[i] = (double)NAN;
    return from == less ? HSEL_OK
                        : hs_evaluation_interval(from, less, metric, job->pooled, out->difference,
                                                 unused, error);
}

/* Two cells: a number, and the interval around it. */
static void put_estimate(hs_doc_grid *grid, hs_metric metric, const double number[3])
{
    hs_document *doc = grid->doc;
    HS_ROW(grid, hs_value_text(doc, metric, number[0]),
           isnan(number[1]) ? HS_NOTHING
                            : hs_say(doc, "[%s, %s]", hs_value_text(doc, metric, number[1]),
                                     hs_value_text(doc, metric, number[2])));
}

/* A row per pair and metric, with --leak-check also per design. */
static int print_estimates(struct job *job, bool leaks, hsel_error *error)
{
    hs_document *doc = job->call->doc;
    hs_doc_grid grid = {.doc = doc, .columns = 1, .left = 4};
    size_t shown = 0;
    for (size_t pair = 0; pair < job->pairs; pair++)
        shown += !job->left_out[pair];
    const bool differences = leaks || shown > 1;
    HS_ROW(&grid, "selector", "classifier", "metric", leaks ? "folds" : "interval by", "estimate",
           "95 % interval");
    if (differences)
        HS_ROW(&grid, leaks ? "optimism" : "difference", "95 % interval");
    grid.columns = grid.used;
    const size_t designs = leaks ? DESIGNS : 1, rows = job->pairs * job->metric_count * designs;
    for (size_t i = 0; i < rows; i++) {
        const size_t pair = i / designs / job->metric_count;
        const hs_metric metric = job->metrics[i / designs % job->metric_count];
        const int design = leaks ? (int)(i % designs) : NO_LEAKS;
        struct estimate found;
        if (job->left_out[pair] || (leaks && !design_word(job, design)))
            continue;
        HS_TRY(find_estimate(job, pair, job->results[pair], design, metric, &found, error));
        HS_ROW(&grid, selector_of(job, pair), classifier_of(job, pair), hs_metric_title(metric),
               leaks ? design_word(job, design) : hs_say(doc, "%s", found.method));
        put_estimate(&grid, metric, found.value);
        if (differences)
            put_estimate(&grid, metric, found.difference);
    }
    hs_writer_printf(job->out, "\n%s: %s\n", hs_shown(hsel_dataset_name(job->data), &doc->arena),
                     leaks ? "ordinary folds beside those of the design; metrics are pooled over "
                             "the same instances"
                     : shown > 1
                         ? "95 % confidence intervals, also of the difference from the first row"
                         : "95 % confidence intervals");
    return hs_grid_print(&grid, job->out, error);
}

static int json_leaks(struct job *job, size_t pair, const hsel_evaluation *e, hs_metric metric,
                      hsel_error *error)
{
    hs_json *json = &job->json;
    struct estimate found;
    hs_json_put(json, "leak_check:[");
    for (int d = 0; d < DESIGNS; d++) {
        if (!design_word(job, d))
            continue;
        HS_TRY(find_estimate(job, pair, e, d, metric, &found, error));
        hs_json_put(json, "{folds:%s estimate:%g low:%g high:%g", design_word(job, d),
                    found.value[0], found.value[1], found.value[2]);
        if (d)
            hs_json_put(json, "optimism:%g optimism_low:%g optimism_high:%g", found.difference[0],
                        found.difference[1], found.difference[2]);
        hs_json_put(json, "method:%s}", found.method);
    }
    hs_json_put(json, "]");
    return HSEL_OK;
}

/* The width that a column needs for a name; of a path only the base name without endings counts. */
static size_t longer(size_t width, const char *path)
{
    size_t length = strcspn(hs_last_part(path), "./");
    return length > width ? length : width;
}

static int table_head(struct job *job, hsel_error *error)
{
    const hs_call *call = job->call;
    const bool csv = job->options->csv, repeats = job->options->request.repeats > 1;
    hs_doc_grid *table = &job->table;
    *table = (hs_doc_grid){.doc = call->doc, .columns = 1, .left = 3};
    HS_ROW(table, csv ? "dataset" : "data set", "selector", "classifier");
    for (size_t i = 0; i < job->metric_count; i++) {
        hs_metric metric = job->metrics[i];
        HS_ROW(table, csv ? hs_metric_name(metric) : hs_metric_title(metric));
        if (csv && repeats)
            hs_putf(table, "%s_sd", hs_metric_name(metric));
        for (int end = 0; csv && job->options->intervals && end < INTERVAL_CELLS; end++)
            hs_putf(table, "%s_%s", hs_metric_name(metric), interval_words[end]);
        for (int cell = 0; csv && job->options->leak_check && cell < LEAK_CELLS; cell++)
            hs_putf(table, "%s_%s", hs_metric_name(metric), leak_words[cell]);
    }
    HS_ROW(table, csv ? "selected_pct" : "selected %", "seconds");
    if (csv)
        HS_ROW(table, "positive_class", "positive_pct");
    for (int i = 0; csv && job->options->stability && i < HSEL_STABILITY_FIGURES; i++)
        HS_ROW(table, hs_stability_names[i]);
    table->columns = table->used;
    if (csv)
        return HSEL_OK;
    /* Rows are printed one by one, so the widths that they will need are estimated. */
    HS_NEED(table->width = hs_document_space(table->doc, table->columns, sizeof *table->width));
    for (size_t i = 0; i < job->metric_count; i++)
        table->width[3 + i] = repeats ? strlen("100.0 ± 10.0") - 1 : strlen("100.0");
    for (int i = 0; call->count > 1 && i < call->count; i++)
        table->width[0] = longer(table->width[0], call->arguments[i]);
    for (size_t pair = 0; pair < job->pairs; pair++) {
        table->width[1] = longer(table->width[1], selector_of(job, pair));
        table->width[2] = longer(table->width[2], classifier_of(job, pair));
    }
    return HSEL_OK;
}

static void csv_number(hs_doc_grid *table, double value)
{
    HS_ROW(table, isnan(value) ? "" : hs_decimal(table->doc, value, 6));
}

static int table_row(struct job *job, size_t pair, const hsel_evaluation *e, hsel_error *error)
{
    const hsel_dataset *data = job->data;
    hs_doc_grid *table = &job->table;
    bool csv = job->options->csv;
    hs_putf(table, "%s", hsel_dataset_name(data));
    HS_ROW(table, selector_of(job, pair), classifier_of(job, pair));
    for (size_t i = 0; i < job->metric_count; i++) {
        const hs_running *metric = (job->pooled ? e->pooled : e->fold_mean) + job->metrics[i];
        double scale = hs_metric_scale(job->metrics[i]), value = scale * metric->mean,
               sd = scale * hs_running_sd(metric);
        bool share = scale > 1;
        if (csv)
            csv_number(table, value);
        if (csv && metric->count > 1)
            csv_number(table, sd);
        else if (!csv && metric->count > 1 && !isnan(value))
            hs_putf(table, share ? "%.1f ± %.1f" : "%.4g ± %.2g", value, sd);
        else if (!csv)
            HS_ROW(table, hs_value_text(table->doc, job->metrics[i], metric->mean));
        struct estimate found;
        if (csv && job->options->intervals) {
            HS_TRY(find_estimate(job, pair, e, NO_LEAKS, job->metrics[i], &found, error));
            for (int end = 1; end < 3; end++)
                csv_number(table, scale * found.value[end]);
            for (int cell = 0; cell < 3; cell++)
                csv_number(table, scale * found.difference[cell]);
        }
        for (int d = ORDINARY; csv && job->options->leak_check && d < DESIGNS; d += BY_DESIGN) {
            HS_TRY(find_estimate(job, pair, e, d, job->metrics[i], &found, error));
            for (int cell = 0; cell < 3; cell++)
                csv_number(table, scale * (d ? found.difference : found.value)[cell]);
        }
    }
    hs_putf(table, csv ? "%.6f" : "%.2f", 100 * e->selected.mean);
    hs_putf(table, csv ? "%.6f" : "%.4f", hs_evaluation_seconds(e));
    if (csv) {
        uint32_t positive = 0, all = 0;
        bool two = hs_positive_class_size(data, &positive, &all);
        hs_putf(table, "%s", two ? class_name(job, data->positive_class) : "");
        csv_number(table, two ? 100.0 * positive / all : NAN);
    }
    if (csv && job->options->stability) {
        double figure[HSEL_STABILITY_FIGURES];
        hsel_evaluation_stability_figures(e, figure);
        for (int i = 0; i < HSEL_STABILITY_FIGURES; i++)
            csv_number(table, figure[i]);
    }
    return HSEL_OK;
}

/* Cells of the table of classes for class c: classes + 0 is the mean over the existing classes,
 * classes + 1 the mean weighted by instances. Counts are means over repeats. */
struct class_row {
    double instances, predicted, value[HS_CLASS_MEASURES];
};

static struct class_row class_row(const hsel_evaluation *e, uint32_t c)
{
    const uint32_t k = e->classes, repeats = e->repeats;
    struct class_row row = {0};
    double weights[HS_CLASS_MEASURES] = {0};
    if (c < k) {
        for (uint32_t i = 0; i < k; i++) {
            row.instances += (double)e->confusion[(size_t)c * k + i] / repeats;
            row.predicted += (double)e->confusion[(size_t)i * k + c] / repeats;
        }
        for (int m = 0; m < HS_CLASS_MEASURES; m++)
            row.value[m] = e->by_class[(size_t)c * HS_CLASS_MEASURES + (size_t)m].mean;
        return row;
    }
    for (uint32_t i = 0; i < k; i++) {
        struct class_row one = class_row(e, i);
        double weight = one.instances < 1 ? 0 : c == k ? 1 : one.instances;
        row.instances += one.instances;
        row.predicted += one.predicted;
        for (int m = 0; m < HS_CLASS_MEASURES; m++)
            if (weight > 0 && !isnan(one.value[m])) {
                row.value[m] += weight * one.value[m];
                weights[m] += weight;
            }
    }
    for (int m = 0; m < HS_CLASS_MEASURES; m++)
        row.value[m] /= weights[m];
    return row;
}

/* ---- positives and unlabelled instances ---- */

/* From the out-of-fold scores of the first repeat. */
static int measure_unlabelled(struct job *job, size_t pair, const hsel_evaluation *e,
                              hsel_error *error)
{
    const hsel_dataset *data = job->data;
    const hs_view all = hs_view_all(data);
    HS_OWNS(hs_units_clear) hs_units units = {0};
    HS_OWNED double *score = HS_NEW(double, data->instances);
    HS_OWNED uint8_t *labelled = HS_NEW(uint8_t, data->instances);
    HS_OWNED uint32_t *unit_of = HS_NEW(uint32_t, data->instances),
                      *number = hs_new_none(data->instances);
    HS_NEED(score && labelled && unit_of && number);
    uint32_t tested = 0;
    const uint32_t *fold_of = hsel_evaluation_counts(e, HSEL_FOLD_OF, &(size_t){0});
    const double *by = hsel_evaluation_numbers(
        e, job->options->rank_by == HS_RANK_BY_SCORE ? HSEL_SCORE : HSEL_PROBABILITY, &(size_t){0});
    HS_TRY(hs_units_by_group(&all, &units, error));
    for (uint32_t i = 0; i < data->instances; i++) {
        if (fold_of[i] == HSEL_NONE)
            continue;
        score[tested] = by[(size_t)i * 2 + data->positive_class];
        labelled[tested] = data->class_of[i] == data->positive_class;
        unit_of[tested++] = units.of[i];
    }
    for (uint32_t i = 0; i < tested; i++) /* numbers below those tested */
        if (number[unit_of[i]] == HSEL_NONE)
            number[unit_of[i]] = i;
    for (uint32_t i = 0; i < tested; i++)
        unit_of[i] = number[unit_of[i]];
    HS_TRY(hsel_pu_metrics(score, labelled, unit_of, tested, (double)NAN,
                           job->options->request.seed, job->options->json ? "json" : "text",
                           &job->unlabelled[pair], error));
    return HSEL_OK;
}

/* The evaluation of the first classifier with this selector; NULL: all are left out. */
static const hsel_evaluation *any_of(const struct job *job, size_t selector)
{
    size_t pair = selector * job->classifiers.count, end = pair + job->classifiers.count;
    while (pair < end && job->left_out[pair])
        pair++;
    return pair < end ? job->results[pair] : NULL;
}

/* A row per selector: how alike its choices are. */
static int print_stability(struct job *job, hsel_error *error)
{
    static const char *const titles[] = {"stability", "Kuncheva", "Jaccard", "on the hierarchy"};
    static const int figures[] = {HSEL_NOGUEIRA, HSEL_KUNCHEVA, HSEL_JACCARD, HSEL_HIERARCHY};
    const struct options *options = job->options;
    const int shown = job->data->dag ? 4 : 3;
    uint32_t folds = 0;
    hs_document *doc = job->call->doc;
    hs_doc_grid grid = {.doc = doc, .columns = 1, .left = 1};
    HS_ROW(&grid, "selector", "sets", "features");
    for (int i = 0; i < shown; i++) {
        HS_ROW(&grid, titles[i]);
        if (i % 3 == 0)
            HS_ROW(&grid, "95 % interval");
    }
    grid.columns = grid.used;
    for (size_t s = 0; s < job->selectors.count; s++) {
        const hsel_evaluation *e = any_of(job, s);
        double figure[HSEL_STABILITY_FIGURES];
        if (!e || !e->stability.sets)
            continue;
        folds = e->folds;
        hsel_evaluation_stability_figures(e, figure);
        HS_ROW(&grid, job->selectors.items[s].text, hs_say(doc, "%u", e->stability.sets),
               hs_decimal(doc, e->stability.size, 1));
        for (int i = 0; i < shown; i++) {
            const double *f = figure + figures[i];
            HS_ROW(&grid, hs_decimal(doc, f[0], 3));
            if (i % 3 == 0)
                hs_putf(&grid, "[%s, %s]", hs_decimal(doc, f[1], 3), hs_decimal(doc, f[2], 3));
        }
    }
    hs_writer_printf(job->out, "\n%s: how similar are the features selected in %u folds",
                     hs_shown(hsel_dataset_name(job->data), &doc->arena), folds);
    if (options->request.repeats > 1)
        hs_writer_printf(job->out, " of %u repeats", options->request.repeats);
    hs_writer_char(job->out, '\n');
    HS_TRY(hs_grid_print(&grid, job->out, error));
    hs_writer_text(job->out, "1: the same, 0: as expected by chance (Jaccard: nothing in common).");
    if (job->data->dag)
        hs_writer_printf(job->out, " On the hierarchy features agree in part, similar by %s.",
                         hs_similarity_word((hs_similarity_kind)options->similarity));
    hs_writer_char(job->out, '\n');
    return HSEL_OK;
}

static int print_classes(struct job *job, size_t pair, hsel_error *error)
{
    enum { MOST = 12 };
    const hsel_evaluation *e = job->results[pair];
    const uint32_t k = e->classes, repeats = e->repeats;
    hs_document *doc = job->call->doc;
    hs_doc_grid grid = {.doc = doc, .columns = 3 + HS_CLASS_MEASURES, .left = 1};
    HS_ROW(&grid, "class", "instances", "predicted");
    for (int m = 0; m < HS_CLASS_MEASURES; m++)
        HS_ROW(&grid, hs_metric_title(hs_class_metric[m]));
    for (uint32_t c = 0; c < k + 2; c++) {
        struct class_row row = class_row(e, c);
        HS_ROW(&grid,
               c < k    ? class_name(job, c)
               : c == k ? "mean"
                        : "mean by instances",
               hs_decimal(doc, row.instances, 0), hs_decimal(doc, row.predicted, repeats > 1));
        for (int m = 0; m < HS_CLASS_MEASURES; m++)
            HS_ROW(&grid, hs_percent(doc, row.value[m]));
    }
    hs_writer_printf(job->out, "\n%s, %s with %s: each class against the rest, pooled%s\n",
                     hs_shown(hsel_dataset_name(job->data), &doc->arena), selector_of(job, pair),
                     classifier_of(job, pair), repeats > 1 ? ", mean over repeats" : "");
    HS_TRY(hs_grid_print(&grid, job->out, error));
    hs_writer_char(job->out, '\n');
    if (k > MOST) {
        hs_writer_printf(
            job->out, "The confusion matrix is shown for up to %d classes; --json has it.\n", MOST);
        return HSEL_OK;
    }
    grid = (hs_doc_grid){.doc = doc, .columns = 1 + k, .left = 1};
    HS_ROW(&grid, "true class");
    for (uint32_t c = 0; c < k; c++)
        hs_putf(&grid, "predicted %s", class_name(job, c));
    for (uint32_t t = 0; t < k; t++) {
        HS_ROW(&grid, class_name(job, t));
        for (uint32_t c = 0; c < k; c++)
            HS_ROW(&grid,
                   hs_decimal(doc, (double)e->confusion[(size_t)t * k + c] / repeats, repeats > 1));
    }
    return hs_grid_print(&grid, job->out, error);
}

static void json_classes(struct job *job, const hsel_evaluation *e)
{
    const uint32_t k = e->classes;
    hs_json *json = &job->json;
    hs_json_put(json, "classes:[");
    for (uint32_t c = 0; c < k + 2; c++) {
        struct class_row row = class_row(e, c);
        if (c >= k)
            hs_json_put(json, c == k ? "] class_means:{mean:{" : "mean_by_instances:{");
        else
            hs_json_put(json, "{class:%s instances:%g predicted:%g", class_name(job, c),
                        row.instances, row.predicted);
        for (int m = 0; m < HS_CLASS_MEASURES; m++)
            hs_json_put(json, "%s:%g", hs_metric_name(hs_class_metric[m]), row.value[m]);
        hs_json_put(json, "}");
    }
    hs_json_put(json, "} confusion:[");
    for (uint32_t t = 0; t < k; t++) {
        hs_json_put(json, "[");
        for (uint32_t c = 0; c < k; c++)
            hs_json_put(json, "%g", (double)e->confusion[(size_t)t * k + c] / e->repeats);
        hs_json_put(json, "]");
    }
    hs_json_put(json, "]");
}

static int json_metrics(struct job *job, size_t pair, const hsel_evaluation *e, hsel_error *error)
{
    hs_json *json = &job->json;
    hs_json_put(json, "metrics:{");
    for (int m = 0; m < HS_METRICS; m++) {
        const hs_metric metric = (hs_metric)m;
        struct estimate found;
        if (!hs_metric_fits(metric, job->numeric))
            continue;
        hs_json_put(json, "%s:{pooled:%g pooled_sd:%g fold_mean:%g sd:%g fold_se:%g",
                    hs_metric_name(metric), e->pooled[m].mean, hs_running_sd(&e->pooled[m]),
                    e->fold_mean[m].mean, hs_running_sd(&e->fold_mean[m]), e->fold_se[m].mean);
        if (job->options->intervals) {
            HS_TRY(find_estimate(job, pair, e, NO_LEAKS, metric, &found, error));
            hs_json_put(json, "interval:{estimate:%g low:%g high:%g method:%s}", found.value[0],
                        found.value[1], found.value[2], found.method);
            if (e != baseline(job))
                hs_json_put(json, "difference:{estimate:%g low:%g high:%g}", found.difference[0],
                            found.difference[1], found.difference[2]);
        }
        if (job->options->leak_check)
            HS_TRY(json_leaks(job, pair, e, metric, error));
        hs_json_put(json, "}");
    }
    hs_json_put(json, "}");
    return HSEL_OK;
}

static int json_result(struct job *job, size_t pair, const hsel_evaluation *e, hsel_error *error)
{
    const struct options *options = job->options;
    hs_json *json = &job->json;
    hs_json_put(json,
                "{dataset:%s selector:%s classifier:%s fold_scheme:%s folds:%u repeats:%u seed:%ju "
                "rank_by:%s",
                hsel_dataset_name(job->data), selector_of(job, pair), classifier_of(job, pair),
                options->request.fold_scheme, e->folds, options->request.repeats,
                options->request.seed, hs_rank_by_word((hs_rank_by)options->rank_by));
    if (*e->design)
        hs_json_put(json, "design:%s", e->design);
    hs_json_positive(json, job->data);
    if (job->unlabelled) {
        char *text = job->unlabelled[pair];
        text[strlen(text) - 1] = '\0'; /* the line end */
        hs_json_put(json, "negatives:%s", "unlabelled instances");
        hs_json_key(json, "unlabelled");
        hs_json_raw(json, text);
    }
    HS_TRY(json_metrics(job, pair, e, error));
    if (!job->numeric)
        json_classes(job, e);
    hs_json_put(json, "selected_pct:%g", 100 * e->selected.mean);
    if (e->stability.sets) {
        const bool similar = options->stability && job->data->dag;
        double figure[HSEL_STABILITY_FIGURES];
        hsel_evaluation_stability_figures(e, figure);
        hs_json_put(json, "stability:{sets:%u", e->stability.sets);
        for (int i = 0; i < (similar ? HSEL_STABILITY_FIGURES : HSEL_HIERARCHY); i++)
            hs_json_put(json, "%s:%g", hs_stability_names[i], figure[i]);
        if (similar)
            hs_json_put(json, "similarity:%s",
                        hs_similarity_word((hs_similarity_kind)options->similarity));
        hs_json_put(json, "}");
    }
    hs_json_put(json, "seconds:%g}", hs_evaluation_seconds(e));
    return HSEL_OK;
}

/* A row is shown as soon as it is done. */
static int show_result(struct job *job, size_t pair, const hsel_evaluation *e, hsel_error *error)
{
    hs_doc_grid *table = &job->table;
    hs_progress_hide(job->call->show);
    if (job->options->json) {
        HS_TRY(json_result(job, pair, e, error));
    } else {
        HS_TRY(table_row(job, pair, e, error));
        HS_TRY((job->options->csv ? hs_grid_csv : hs_grid_print)(table, job->out, error));
        table->used = 0;
    }
    hs_writer_flush(job->out);
    job->rows++;
    return HSEL_OK;
}

/* ---- further files ---- */

/* The data set and the pair, with which each line begins. */
static void put_pair(struct job *job, hs_writer *out, size_t pair)
{
    hs_csv_put(out, "%s,%s,%s,", hsel_dataset_name(job->data), selector_of(job, pair),
               classifier_of(job, pair));
}

static int write_curves(struct job *job, size_t pair, uint32_t repeat, const hsel_evaluation *e,
                        hsel_error *error)
{
    const hsel_dataset *data = job->data;
    const uint32_t classes = e->classes,
                   *fold_of = hsel_evaluation_counts(e, HSEL_FOLD_OF, &(size_t){0});
    size_t count;
    const double *ranked_by = hsel_evaluation_numbers(
        e, job->options->rank_by == HS_RANK_BY_SCORE ? HSEL_SCORE : HSEL_PROBABILITY, &count);
    hs_writer *out = job->file[CURVES];
    HS_OWNED double *score = HS_NEW(double, data->instances);
    HS_OWNED uint8_t *is_positive = HS_NEW(uint8_t, data->instances);
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, data->instances);
    HS_OWNED hs_curve_point *points = HS_NEW(hs_curve_point, data->instances);
    HS_NEED(score && is_positive && order && points);
    for (uint32_t c = 0; c < classes; c++) {
        uint64_t positives = 0;
        uint32_t n = 0; /* that are tested */
        for (uint32_t i = 0; i < data->instances; i++) {
            if (fold_of[i] == HSEL_NONE)
                continue;
            score[n] = ranked_by[(size_t)i * classes + c];
            positives += is_positive[n++] = hsel_dataset_class_of(data, i) == c;
        }
        count = hs_curve_points(score, is_positive, n, order, points);
        for (size_t i = 0; i < count; i++) {
            uint64_t tp = points[i].positives, fp = points[i].negatives, negatives = n - positives;
            put_pair(job, out, pair);
            hs_csv_put(out, "%u,%s,%g,%ju,%ju,%ju,%ju,%g,%g,%g\n", repeat + 1, class_name(job, c),
                       points[i].score, tp, fp, negatives - fp, positives - tp,
                       (double)fp / (double)negatives, (double)tp / (double)positives,
                       (double)tp / (double)(tp + fp));
        }
    }
    return HSEL_OK;
}

static void write_reliability(struct job *job, size_t pair)
{
    const hsel_evaluation *e = job->results[pair];
    for (size_t i = 0; i < (size_t)e->classes * HS_CALIBRATION_BINS; i++) {
        const hs_calibration_bin *bin = &e->bins[i];
        const size_t c = i / HS_CALIBRATION_BINS, step = i % HS_CALIBRATION_BINS;
        const double count = (double)bin->count;
        put_pair(job, job->file[RELIABILITY], pair);
        hs_csv_put(job->file[RELIABILITY], "%s,%g,%g,%ju,%g,%g,%g\n", class_name(job, (uint32_t)c),
                   (double)step / HS_CALIBRATION_BINS, (double)(step + 1) / HS_CALIBRATION_BINS,
                   bin->count, bin->probability / count, (double)bin->positives / count,
                   e->by_class[c * HS_CLASS_MEASURES + HS_CLASS_BRIER].mean);
    }
}

static void write_frequencies(struct job *job, size_t s, uint32_t repeat, const hsel_evaluation *e)
{
    const hsel_dataset *data = job->data;
    hs_writer *out = job->file[FREQUENCIES];
    size_t count;
    const uint32_t *fold_of = hsel_evaluation_counts(e, HSEL_FOLD_OF, &count),
                   *frequency = hsel_evaluation_counts(e, HSEL_FREQUENCY, &count);
    uint32_t tested = 0;
    for (uint32_t i = 0; i < data->instances; i++)
        tested += fold_of[i] != HSEL_NONE;
    for (uint32_t f = 0; f < data->features; f++) {
        hs_csv_put(out, "%s,%s,%u,%s", hsel_dataset_name(data), job->selectors.items[s].text,
                   repeat + 1, hsel_dataset_feature_name(data, f));
        if (job->labels)
            hs_csv_put(out, ",%s", hsel_dataset_feature_label(data, f));
        hs_csv_put(out, ",%u,%g\n", frequency[f], (double)frequency[f] / tested);
    }
}

static void write_predictions(struct job *job, size_t pair, uint32_t repeat,
                              const hsel_evaluation *e)
{
    const hsel_dataset *data = job->data;
    const uint32_t classes = e->classes;
    size_t count;
    const double *probability = hsel_evaluation_numbers(e, HSEL_PROBABILITY, &count),
                 *score = hsel_evaluation_numbers(e, HSEL_SCORE, &count);
    const uint32_t *fold_of = hsel_evaluation_counts(e, HSEL_FOLD_OF, &count),
                   *selected = hsel_evaluation_counts(e, HSEL_SELECTED, &count);
    hs_writer *out = job->file[PREDICTIONS];
    for (uint32_t i = 0; i < data->instances; i++) {
        if (fold_of[i] == HSEL_NONE)
            continue; /* only used for training */
        const double *p = probability + (size_t)i * classes, *s = score + (size_t)i * classes;
        put_pair(job, out, pair);
        hs_csv_put(out, "%u,%u,%u,%s", repeat + 1, fold_of[i] + 1, i + 1, hsel_dataset_id(data, i));
        hs_label_csv(out, &data->instance_about, i);
        if (data->target)
            hs_csv_put(out, ",%g,%g", data->target[i], score[i]);
        else
            hs_csv_put(out, ",%s,%s", class_name(job, hsel_dataset_class_of(data, i)),
                       class_name(job, hs_predicted_class(s, classes)));
        hs_csv_put(out, ",%u", selected[i]);
        for (uint32_t k = 0; k < 2 * classes; k++) {
            hs_writer_char(out, ',');
            hs_writer_double(out, k < classes ? p[k] : s[k - classes]);
        }
        hs_writer_char(out, '\n');
    }
}

/* Headings that depend on the data. */
static int write_headings(struct job *job, hsel_error *error)
{
    const hsel_dataset *data = job->data;
    hs_writer *out = job->file[PREDICTIONS], *frequencies = job->file[FREQUENCIES];
    const uint32_t classes = data->class_names.count;
    if (out) {
        hs_writer_printf(out,
                         "dataset,selector,classifier,repeat,fold,instance,id%s,%s,predicted,"
                         "selected",
                         hs_has_labels(&data->instance_about) ? ",label" : "",
                         data->target ? "target" : "class");
        for (uint32_t i = 0; i < 2 * classes; i++)
            hs_csv_put(out, ",%s",
                       hs_say(job->call->doc, "%s(%s)", i < classes ? "P" : "score",
                              class_name(job, i % classes)));
        HS_TRY(hs_document_check(job->call->doc, error));
        hs_writer_char(out, '\n');
    }
    const bool labels = hs_has_labels(&data->about);
    if (frequencies && !job->begun) {
        job->begun = true;
        job->labels = labels;
        hs_writer_printf(frequencies, "dataset,selector,repeat,feature,%sselected,share\n",
                         labels ? "label," : "");
    } else if (frequencies && !job->labels && labels) {
        hs_note(job->call, "%s has no labels: the first data set has none",
                job->options->file[FREQUENCIES]);
    }
    return HSEL_OK;
}

/* ---- one data set ---- */

/* A pair has finished a repeat; after the last repeat its row is complete. */
static int on_done(void *context, uint32_t pair, uint32_t repeat, const hsel_evaluation *e,
                   hsel_error *error)
{
    struct job *job = context;
    const size_t s = pair / job->classifiers.count;
    const char *design = hsel_evaluation_design(e);
    if (*design && !job->noted)
        hs_note(job->call, "%s: %s", hsel_dataset_name(job->data), design);
    job->noted = true;
    if (job->unlabelled && repeat == 0)
        HS_TRY(measure_unlabelled(job, pair, e, error));
    if (job->file[FREQUENCIES] && e == any_of(job, s))
        write_frequencies(job, s, repeat, e);
    if (job->file[PREDICTIONS])
        write_predictions(job, pair, repeat, e);
    if (job->file[CURVES])
        HS_TRY(write_curves(job, pair, repeat, e, error));
    return repeat + 1 == job->options->request.repeats ? show_result(job, pair, e, error) : HSEL_OK;
}

/* Points to learning for rare classes where a class is never predicted right. */
static void note_unfound(const struct job *job, size_t pair)
{
    const hsel_evaluation *e = job->results[pair];
    const char *names = "";
    uint32_t count = 0;
    for (uint32_t c = 0; e && e->confusion && c < e->classes; c++) {
        uint64_t all = 0;
        for (uint32_t i = 0; i < e->classes; i++)
            all += e->confusion[(size_t)c * e->classes + i];
        if (all == 0 || e->confusion[(size_t)c * (e->classes + 1)] > 0)
            continue;
        if (count++ < 3)
            names = hs_say_more(job->call->doc, names, class_name(job, c));
    }
    if (count)
        hs_note(job->call,
                "%s: %s with %s never predicts %s%s correctly; for rare classes see "
                "weights=balanced%s%s",
                hsel_dataset_name(job->data), selector_of(job, pair), classifier_of(job, pair),
                names, count > 3 ? " …" : "", e->classes == 2 ? " and threshold=gm" : "",
                strncmp(classifier_of(job, pair), "forest", 6) == 0 ? ", or bootstrap=balanced"
                                                                    : "");
}

/* Whether nothing that is shown depends on probabilities. */
static bool scores_only(const struct job *job)
{
    const struct options *o = job->options;
    bool needed = o->json || o->classes || o->file[PREDICTIONS] || o->file[RELIABILITY] ||
                  o->file[CURVES] || o->rank_by == HS_RANK_BY_PROBABILITY;
    for (size_t i = 0; i < job->metric_count; i++)
        needed |= hs_metric_formula(job->metrics[i])->needs & HS_OF_PROBABILITIES;
    return !needed;
}

static int cross_validate(struct job *job, hsel_error *error)
{
    const struct options *options = job->options;
    const hsel_dataset *data = job->data;
    hs_progress_part part;
    hs_arena *arena = job->call->arena;
    uint8_t *skip = HS_ARENA_NEW(arena, uint8_t, job->pairs);
    HS_NEED(skip);
    for (size_t i = 0; i < job->pairs; i++)
        skip[i] = job->left_out[i] != NULL;
    if (options->write_folds) {
        HS_OWNS(hs_folds_clear) hs_folds folds = {0};
        HS_TRY(hs_folds_choose(options->request.fold_scheme, data, options->request.folds,
                               options->request.seed, &folds, error));
        HS_TRY(hs_folds_write(&folds, data, options->write_folds, error));
    }
    /* With one data set the library reports repeats as progress; with several, each data set is a
     * part. */
    const bool several = job->call->count > 1;
    hs_progress_part_begin(&part, &job->progress, NULL);
    const hs_progress *whole = several ? &part.progress : job->progress.whole;
    hsel_request request =
        hs_request_part(job->call, &options->request, whole, options->load.threads);
    request.rank_by = hs_rank_by_word((hs_rank_by)options->rank_by);
    request.allow_violations = options->allow_violations;
    request.intervals = options->intervals || options->leak_check;
    if (options->stability && data->dag)
        request.similarity = hs_similarity_word((hs_similarity_kind)options->similarity);
    if (job->unlabelled || job->file[PREDICTIONS] || job->file[FREQUENCIES] || job->file[CURVES])
        request.details = HSEL_LATEST;
    const hsel_grid grid = {.size = sizeof grid,
                            .selectors = hs_method_list_names(&job->selectors, arena),
                            .selector_count = (uint32_t)job->selectors.count,
                            .classifiers = hs_method_list_names(&job->classifiers, arena),
                            .classifier_count = (uint32_t)job->classifiers.count,
                            .skip = skip,
                            .stability = options->stability ? HSEL_ALL_STABILITY
                                         : options->json    ? HSEL_EAGER_STABILITY
                                                            : HSEL_NO_STABILITY,
                            .classes = !job->numeric && (options->json || options->classes ||
                                                         options->file[RELIABILITY] ||
                                                         hsel_dataset_classes(data) <= FEW_CLASSES),
                            .pooled = job->pooled,
                            .scores_only = scores_only(job),
                            .done = on_done,
                            .context = job};
    HS_NEED(grid.selectors && grid.classifiers);
    const size_t first = options->leak_check ? ORDINARY : BY_DESIGN;
    hs_progress_parts designs = {.whole = whole, .count = DESIGNS - first};
    for (size_t d = first; d < DESIGNS; d++) { /* the design comes last, as it shows rows */
        hs_progress_part of_design;
        hsel_request other = request;
        hsel_grid plain = grid;
        if (first < BY_DESIGN) {
            hs_progress_part_begin(&of_design, &designs, NULL);
            job->call->show->told = &of_design.progress;
        }
        if (d < BY_DESIGN) {
            other.respect = d == ORDINARY ? "none" : "groups";
            other.note = NULL;
            other.similarity = NULL;
            other.details = plain.classes = 0;
            plain.stability = HSEL_NO_STABILITY;
            plain.done = NULL;
        }
        if (design_word(job, (int)d))
            HS_TRY(hsel_crossval_grid(data, &other, &plain,
                                      d < BY_DESIGN ? job->leaking[d] : job->results, error));
        if (first < BY_DESIGN)
            HS_TRY(hs_progress_part_end(&of_design, error));
    }
    for (size_t pair = 0; pair < job->pairs; pair++)
        note_unfound(job, pair);
    return several ? hs_progress_part_end(&part, error) : HSEL_OK;
}

/* Metrics and table suit the first data set; all others must be of the same kind. */
static int choose_metrics(struct job *job, hsel_error *error)
{
    static const char *of_classes[] = {"gm",       "auroc",       "auprc",
                                       "accuracy", "sensitivity", "specificity"},
                      *of_unlabelled[] = {"auroc", "auprc"},
                      *of_numbers[] = {"rmse", "r2", "spearman"};
    const struct options *options = job->options;
    const char *name = hsel_dataset_name(job->data);
    const bool numeric = job->data->target != NULL;
    const char *idle = options->classes                             ? "classes"
                       : options->file[CURVES]                      ? "curves"
                       : options->file[RELIABILITY]                 ? "reliability"
                       : options->rank_by == HS_RANK_BY_PROBABILITY ? "rank-by"
                                                                    : NULL;
    HS_REFUSE(job->known && job->numeric != numeric,
              "%s has %s, but the data sets before it have %s: evaluate them separately", name,
              numeric ? "a numeric target" : "classes", numeric ? "classes" : "numeric targets");
    HS_REFUSE(numeric && idle, "--%s is for classes, but the target of %s is a number", idle, name);
    if (job->known)
        return HSEL_OK;
    job->known = true;
    job->numeric = numeric;
    const hs_list *asked = options->metrics.count ? &options->metrics
                           : numeric              ? &(hs_list){.items = of_numbers, .count = 3}
                           : hs_is_pu(job->data)  ? &(hs_list){.items = of_unlabelled, .count = 2}
                                                  : &(hs_list){.items = of_classes, .count = 6};
    HS_TRY(
        hs_metric_list_parse(asked->items, asked->count, job->metrics, &job->metric_count, error));
    const char *fitting = "";
    for (int m = 0; m < HS_METRICS; m++)
        if (hs_metric_fits((hs_metric)m, numeric))
            fitting = hs_say_more(job->call->doc, fitting, hs_metric_name((hs_metric)m));
    HS_TRY(hs_document_check(job->call->doc, error));
    for (size_t i = 0; i < job->metric_count; i++) {
        HS_REFUSE(!hs_metric_fits(job->metrics[i], numeric),
                  "%s is not for %s, which %s has: use %s", hs_metric_name(job->metrics[i]),
                  numeric ? "a numeric target" : "classes", name, fitting);
        job->shown[job->metrics[i]] = true;
    }
    return options->json ? HSEL_OK : table_head(job, error);
}

static int evaluate_one(struct job *job, const char *path, hsel_error *error)
{
    const struct options *options = job->options;
    const bool for_people = !options->json && !options->csv;
    hs_load_options load = options->load;
    load.features_unseen = !options->file[FREQUENCIES];
    load.instances_unseen = !options->file[PREDICTIONS];
    HS_TRY(hs_load_for(job->call, path, &load, &job->data, error));
    HS_TRY(choose_metrics(job, error));
    hs_hide_names(job->data, options->names);
    hs_note_unlabelled(job->call, job->data);
    HS_TRY(hs_keep_labelled(&job->data, NULL, error));
    const hsel_dataset *data = job->data;
    HS_TRY(hs_leave_out(job->call, data, &job->selectors, &job->classifiers,
                        options->allow_violations, job->left_out, error));
    HS_TRY(write_headings(job, error));
    hs_note_classes(job->call, data, NULL, job->shown[HS_METRIC_AUPRC]);
    hs_note_always_positive(job->call, data);
    job->unlabelled = NULL;
    if (hs_is_pu(data)) {
        HS_NEED(job->unlabelled =
                    hs_arena_zero(job->call->arena, job->pairs, sizeof *job->unlabelled));
        hs_note(job->call, "%s: the metrics of the table take unlabelled instances for negatives%s",
                hsel_dataset_name(data),
                options->csv ? "; without --csv there are metrics that do not"
                             : "; those below it do not");
    }
    HS_TRY(hs_note_repeats(job->call, data, error));
    const bool further = job->unlabelled || options->classes || options->stability ||
                         options->intervals || options->leak_check;
    if (further && job->rows && for_people) {
        hs_writer_char(job->out, '\n');
        HS_TRY(table_head(job, error));
    }
    job->pooled = job->always_pooled;
    HS_REFUSE(options->leak_check && !hs_has_design(data),
              "--leak-check compares ordinary folds with those of a design, but %s has none: give "
              "--groups, --time or --test-set",
              hsel_dataset_name(data));
    if ((options->intervals || options->leak_check) && !job->pooled && hs_has_design(data)) {
        job->pooled = true;
        hs_note(job->call, "%s: metrics are pooled over all instances, as their intervals require",
                hsel_dataset_name(data));
    }
    HS_TRY(cross_validate(job, error));
    for (size_t i = 0; job->unlabelled && for_people && i < job->pairs; i++)
        if (!job->left_out[i])
            hs_writer_printf(job->out, "\n%s, %s with %s%s: %s",
                             hs_shown(hsel_dataset_name(data), &job->call->doc->arena),
                             selector_of(job, i), classifier_of(job, i),
                             options->request.repeats > 1 ? ", first repeat" : "",
                             job->unlabelled[i]);
    if (options->intervals && for_people)
        HS_TRY(print_estimates(job, false, error));
    if (options->leak_check && for_people)
        HS_TRY(print_estimates(job, true, error));
    if (options->stability && for_people)
        HS_TRY(print_stability(job, error));
    for (size_t i = 0; i < job->pairs; i++) {
        if (job->left_out[i])
            continue;
        if (options->classes && !options->json)
            HS_TRY(print_classes(job, i, error));
        if (job->file[RELIABILITY])
            write_reliability(job, i);
    }
    forget_data(job);
    return HSEL_OK;
}

/* ---- running ---- */

static bool is_given(const hs_call *call, const char *name)
{
    const hs_given *given = call->given;
    while (given->option && strcmp(given->option->name, name) != 0)
        given++;
    return given->option != NULL;
}

static int eval_command(const hs_call *call, hsel_error *error)
{
    static const char *const heading[FILES] = {
        [CURVES] = "dataset,selector,classifier,repeat,class,score,tp,fp,tn,fn,fpr,tpr,precision\n",
        [RELIABILITY] = "dataset,selector,classifier,class,from,to,count,mean_predicted,share,"
                        "brier\n"};
    struct options taken = *(const struct options *)call->values;
    const struct options *options = &taken;
    const hs_list *metrics = &options->metrics;
    if (options->leak_check && !is_given(call, "repeats"))
        taken.request.repeats = LEAK_REPEATS;
    HS_OWNS(job_clear) struct job job = {.call = call, .options = options};
    /* The requested output. */
    HS_TRY(hs_method_list_parse(&options->select, HS_SELECTOR, HS_USUAL("none"), &job.selectors,
                                error));
    HS_TRY(hs_method_list_parse(&options->classify, HS_CLASSIFIER, HS_USUAL("nb"), &job.classifiers,
                                error));
    job.pairs = job.selectors.count * job.classifiers.count;
    job.left_out = hs_arena_zero(call->arena, job.pairs, sizeof *job.left_out);
    job.results = hs_arena_zero(call->arena, job.pairs, sizeof *job.results);
    for (int d = 0; d < BY_DESIGN; d++)
        HS_NEED(job.leaking[d] = hs_arena_zero(call->arena, job.pairs, sizeof *job.leaking[d]));
    HS_NEED(job.left_out && job.results);
    if (metrics->count) /* the names must exist; whether they suit the data is checked later */
        HS_TRY(hs_metric_list_parse(metrics->items, metrics->count, job.metrics, &job.metric_count,
                                    error));
    for (int m = 0; m < HS_METRICS; m++)
        job.shown[m] = options->json;
    job.always_pooled = options->pooled;
    if (!job.always_pooled && strcmp(options->request.fold_scheme, "loo") == 0) {
        job.always_pooled = true; /* most metrics are undefined for folds of one instance */
        if (!options->json)
            hs_note(call, "leave-one-out: metrics are pooled over all instances");
    }
    bool ranks = options->json || options->classes || options->file[CURVES] || !metrics->count;
    for (size_t i = 0; i < job.metric_count; i++)
        ranks |= hs_metric_formula(job.metrics[i])->needs & HS_OF_RANKING;
    HS_REFUSE(options->rank_by == HS_RANK_BY_PROBABILITY && !ranks,
              "--rank-by affects only auroc and auprc, but --metrics has neither");
    HS_TRY(hs_claim_scheme(call, options->request.fold_scheme, error));
    HS_TRY(hs_claim_written(call, "-", NULL, error)); /* the table goes there */
    bool others = false;
    for (int f = 0; f < FILES; f++) { /* open before the work begins */
        if (!options->file[f])
            continue;
        others = true;
        HS_TRY(hs_writer_open(options->file[f], &job.file[f], error));
        hs_writer_text(job.file[f], heading[f] ? heading[f] : "");
    }
    HS_TRY(hs_writer_open("-", &job.out, error));
    job.json = (hs_json){.out = job.out};
    if (options->json)
        hs_json_array(&job.json);
    int status = HSEL_OK;
    job.progress =
        (hs_progress_parts){.whole = hs_progress_begin(call, NULL), .count = (uint64_t)call->count};
    for (int i = 0; i < call->count && !status; i++)
        status = evaluate_one(&job, call->arguments[i], error);
    hs_progress_end(call->show);
    if (status && job.rows == 0)
        return status;
    if (options->json)
        hs_json_end_array(&job.json);
    if (status) { /* what was shown stays, and is whole */
        (void)!hs_writer_commit(hs_take(&job.out), &(hsel_error){0});
        return status == HSEL_ECANCELLED
                   ? hs_fail(error, status, "stopped: %zu of %zu rows are done%s", job.rows,
                             (size_t)call->count * job.pairs,
                             others ? ", and no other file is written" : "")
                   : status;
    }
    for (int f = 0; f < FILES; f++)
        if (job.file[f])
            HS_TRY(hs_writer_commit(hs_take(&job.file[f]), error));
    return hs_writer_commit(hs_take(&job.out), error);
}

const hs_command hs_command_eval = {
    HS_COMMAND_IS(eval, "DATA…", "cross-validate selectors and classifiers", struct options),
    .first = "select classify folds repeats metrics predictions json csv hierarchy class",
    .groups = {{"Options", eval_table, 0}, {"Data", hs_load_table, offsetof(struct options, load)}},
    .flags = HS_WORKS | HS_HAS_MEMORY | HS_WRITES_CSV,
};

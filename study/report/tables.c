/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How alike the rankers of a study are, how long selection and classification take, and what is
 * known of its data sets.
 */
#include "data/classes.h"
#include "study/report/chart.h"
#include "study/report/rankings.h"
#include "study/report/report.h"

/* ---- how alike the rankers of the study are, from the scores that the store keeps ---- */

int hs_report_add_rankings(hs_report *r, hsel_error *error)
{
    hs_document *doc = &r->doc;
    const hs_study *study = &r->study;
    size_t n = study->ranker_count, datasets = r->outcomes.dataset_count;
    const char *not_yet = "";
    if (n == 0)
        return HSEL_OK;
    const char **names = hs_document_space(doc, n, sizeof *names);
    HS_OWNS(hs_rankings_clear)
    hs_rankings rankings = {.rankers = names,
                            .ranker_count = n,
                            .kind = study->tau,
                            .data = hs_document_space(doc, datasets + 1, sizeof *rankings.data)};
    HS_NEED(names && rankings.data);
    for (size_t i = 0; i < n; i++)
        names[i] = study->rankers[i].label;
    hs_add_heading(doc, 2, "Agreement of rankers");
    /* What failed is told; what is not ranked yet is left out. */
    for (size_t d = 0; d < datasets; d++) {
        const hs_stored_dataset *data = &r->outcomes.datasets[d];
        size_t features = data->features, count = 0;
        bool all = true;
        if (data->id < 0)
            continue;
        HS_OWNED double *values = HS_NEW_ZERO(double, n *features + 1);
        HS_OWNED const double **scores = HS_NEW(const double *, n);
        HS_OWNED bool *there = HS_NEW(bool, n);
        HS_NEED(values && scores && there);
        for (size_t i = 0; i < n; i++) {
            HS_OWNED char *message = NULL;
            double *own = values + i * features;
            hs_job_state state;
            HS_TRY(hs_store_get_ranking(r->store, data->id, hs_method_key(&study->rankers[i]),
                                        data->features, own, &state, &message, error));
            scores[i] = own;
            there[i] = state == HS_JOB_OK;
            count += there[i];
            all = all && state != HS_JOB_NONE;
            if (message)
                hs_add_text(doc, "%s on %s: %s", names[i], data->name, message);
        }
        if (!all)
            not_yet = hs_say_more(doc, not_yet, data->name);
        if (count < 2)
            continue;
        double *matrix = hs_document_space(doc, n * n, sizeof *matrix);
        HS_NEED(matrix);
        HS_TRY(hs_tau_matrix(scores, n, data->features, rankings.kind, 0, matrix, error));
        for (size_t i = 0; i < n; i++) /* nothing is known of a ranker without scores */
            for (size_t j = 0; j < n && !there[i]; j++)
                matrix[i * n + j] = matrix[j * n + i] = (double)NAN;
        rankings.data[rankings.data_count++] =
            (hs_ranked_data){.name = data->name, .features = data->features, .matrix = matrix};
    }
    if (*not_yet)
        hs_add_text(doc, "Not ranked yet: %s.", not_yet);
    if (rankings.data_count == 0)
        return HSEL_OK;
    HS_TRY(hs_rankings_sum_up(&rankings, HS_RANKINGS_DRAWS, study->seed, 0, error));
    return hs_rankings_show(&rankings, true, doc, error);
}

/* ---- run times: how long one repeat of a cross-validation takes, all folds, learning and applying
 * ---- */

static void put_seconds(hs_doc_grid *grid, double seconds)
{
    hs_put_cell(grid, isnan(seconds)
                          ? HS_QUIET
                          : (hs_cell){.text = hs_milliseconds(grid->doc, seconds),
                                      .exact = hs_say(grid->doc, "%.9g seconds", seconds)});
}

int hs_report_add_times(hs_report *r, hsel_error *error)
{
    hs_document *doc = &r->doc;
    size_t rows = r->outcomes.dataset_count, columns = r->boards.by_selector_count,
           classifiers = r->study.classifier_count;
    if (columns == 0 || rows == 0)
        return HSEL_OK;
    hs_add_heading(doc, 2, "Run times");
    hs_doc_grid *grid =
        hs_add_grid(doc, columns + 1, 1,
                    "Milliseconds of one repeat: selection on each data set, then the rest");
    HS_ROW(grid, "data set");
    for (size_t c = 0; c < columns; c++)
        HS_ROW(grid, r->boards.by_selector[c].label);
    for (size_t d = 0; d < rows; d++) {
        HS_ROW(grid, r->outcomes.datasets[d].name);
        for (size_t c = 0; c < columns; c++)
            put_seconds(grid, hs_column_value(r, c, d, SIZE_MAX, HS_SECONDS));
    }
    hs_running *mean = NULL, *select = NULL;
    for (size_t k = 0; k <= classifiers; k++) { /* of selection, then of each classifier */
        HS_ROW(grid, k ? hs_say(doc, "then %s", r->study.classifiers[k - 1].label) : "mean");
        hs_column_means(r, k ? k - 1 : SIZE_MAX, HS_SECONDS, &mean);
        HS_NEED(mean);
        select = k ? select : mean;
        for (size_t c = 0; c < columns; c++)
            put_seconds(grid, hs_running_mean(&mean[c]));
    }
    grid->foot = 1 + classifiers;
    grid->note = "All folds of one repeat, training and prediction, in milliseconds of one thread; "
                 "for a sweep, the mean over its settings.";
    /* The chart of selection has dots, which unlike bars suit a logarithmic axis. */
    const char **methods = hs_document_space(doc, columns, sizeof *methods);
    HS_NEED(methods);
    HS_OWNS(hs_chart_clear)
    hs_chart chart = {.name = "times",
                      .alt = "Dots: milliseconds of selection, a line per method",
                      .caption = "Milliseconds that selection takes in one repeat. Large: the mean "
                                 "over data sets; small: one data set. The scale is logarithmic.",
                      .x = {.label = "milliseconds of one repeat", .log = true},
                      .y = {.names = methods, .name_count = columns},
                      .width = 640,
                      .height = 26 * (double)columns};
    for (size_t c = 0; c < columns; c++) {
        methods[c] = r->boards.by_selector[c].label;
        hs_add_series(&chart, (hs_series){NULL, HS_DOTS, 0});
        for (size_t d = 0; d <= rows; d++) {
            double seconds = d ? hs_column_value(r, c, d - 1, SIZE_MAX, HS_SECONDS)
                               : hs_running_mean(&select[c]);
            hs_add_point(&chart,
                         (hs_point){seconds > 0 ? 1000 * seconds : (double)NAN, (double)c,
                                    .name = d ? r->outcomes.datasets[d - 1].name : methods[c]});
            if (d == 0)
                hs_add_series(&chart, (hs_series){NULL, HS_DOTS | HS_SMALL, 0});
        }
    }
    doc->where = HS_IN_HTML;
    return hs_chart_add(&chart, r->request.charts, doc, error);
}

/* ---- the data sets: what hsel info says of each, as far as the store keeps it ---- */

/* "yes 208 (positive, 39.3 %), no 321", or "age 20 to 71, mean 45.2, sd 12.1" */
static const char *classes_text(hs_document *doc, const hs_stored_dataset *data)
{
    enum { SHOWN = 8 };
    const char *text = "";
    hs_running all = {0};
    double low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; data->numbers && i < data->instances; i++) {
        hs_running_add(&all, data->numbers[i]);
        low = fmin(low, data->numbers[i]);
        high = fmax(high, data->numbers[i]);
    }
    if (data->numbers)
        return hs_say(doc, "%s %.6g to %.6g, mean %.6g, sd %.6g", data->target, low, high, all.mean,
                      hs_running_sd(&all));
    for (uint32_t k = 0; k < data->classes && k < SHOWN; k++)
        text = hs_say_more(
            doc, text,
            hs_say(doc, "%s %s%s", hs_names_get(&data->class_names, k),
                   hs_grouped(doc, data->class_sizes[k]),
                   data->classes == 2 && k == data->positive_class
                       ? hs_say(doc, " (positive, %.1f %%)",
                                100.0 * data->class_sizes[k] /
                                    ((double)data->class_sizes[0] + data->class_sizes[1]))
                       : ""));
    return data->classes > SHOWN ? hs_say(doc, "%s, …", text) : text;
}

/* "CE-BP (drop-roots=true, min-support=3)": how data sets are prepared, but for their files. */
static const char *prepared(hs_document *doc, const hs_study *study)
{
    const char *all = "";
    for (size_t d = 0; d < study->dataset_count; d++) {
        const char *at = study->datasets[d].prepare, *how = "";
        for (size_t length; at && *at; at += length + (at[length] == ',')) {
            length = strcspn(at, ",");
            if (strncmp(at, "hierarchy=", strlen("hierarchy=")) != 0)
                how = hs_say_more(doc, how, hs_say(doc, "%.*s", (int)length, at));
        }
        if (*how)
            all = hs_say_more(doc, all, hs_say(doc, "%s (%s)", study->datasets[d].name, how));
    }
    return all;
}

int hs_report_add_data(hs_report *r, hsel_error *error)
{
    hs_document *doc = &r->doc;
    const hs_outcomes *o = &r->outcomes;
    const char *how = prepared(doc, &r->study), *unlabelled = "";
    (void)error;
    if (o->dataset_count == 0)
        return HSEL_OK;
    hs_add_heading(doc, 2, "Data sets");
    hs_doc_grid *grid =
        hs_add_grid(doc, 9, 2, "The data sets as they were used, after preparation");
    HS_ROW(grid, "data set", "class sizes, or target", "instances", "features", "positive %",
           "edges", "depth", "classes", "imbalance");
    for (size_t d = 0; d < o->dataset_count; d++) {
        const hs_stored_dataset *data = &o->datasets[d];
        double all = (double)data->instances * data->features;
        bool hierarchy = data->edges >= 0;
        if (data->id >= 0 && hs_are_pu(&data->class_names, data->positive_class))
            unlabelled = hs_say_more(doc, unlabelled, data->name);
        HS_ROW(grid, data->name);
        for (size_t i = 1; i < 9 && data->id < 0; i++)
            hs_put_cell(grid, HS_QUIET);
        if (data->id < 0)
            continue;
        HS_ROW(grid, classes_text(doc, data), hs_grouped(doc, data->instances),
               hs_grouped(doc, data->features),
               hs_decimal(doc, all > 0 ? 100 * (double)data->positives / all : (double)NAN, 2),
               hierarchy ? hs_grouped(doc, (uint64_t)data->edges) : HS_NOTHING,
               hierarchy ? hs_grouped(doc, (uint64_t)data->depth) : HS_NOTHING,
               data->numbers ? HS_NOTHING : hs_grouped(doc, data->classes),
               hs_decimal(doc, r->boards.imbalance[d], 3));
    }
    grid->note = hs_say(doc,
                        "Positive: share of positive values among all features (numeric: values "
                        "that are not 0). Edges and depth are those of the hierarchy. Imbalance is "
                        "1 − smallest class / largest class.%s%s%s",
                        *how ? " Preparation: " : "", how, *how ? "." : "");
    if (*unlabelled)
        hs_add_text(doc,
                    "Metrics take unlabelled instances for negatives: positives among them count "
                    "as errors (%s).",
                    unlabelled);
    return HSEL_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each data set in detail, for the page: curves, calibration, confusion, features; and how stable
 * selection is.
 */
#define _GNU_SOURCE /* qsort_r */
#include <unistd.h>

#include "rank/rank.h"
#include "study/report/chart.h"
#include "study/report/report.h"
#include "stats/stability.h"

/* The legend's "HIP 71.2 ± 1.3". */
static const char *legend(hs_report *r, size_t column, const hs_outcome *outcome, hs_metric metric)
{
    hs_document *doc = &r->doc;
    double value = hs_outcome_value(&r->outcomes, outcome, metric),
           se = hs_running_mean(&outcome->evaluation.fold_se[metric]);
    return hs_say(doc, r->study.pooled || isnan(se) ? "%s %s%.0s" : "%s %s ± %s",
                  r->boards.columns[column].label, hs_value_text(doc, metric, value),
                  isnan(se) ? "" : hs_value_text(doc, metric, se));
}

static double within(double share) { return fmin(fmax(share, 0), 1); }

static const hs_outcome *outcome_of(const hs_report *r, size_t dataset, const hs_board *board,
                                    size_t column)
{
    return board->score[dataset * r->boards.column_count + column].outcome;
}

/* Begins a chart of the methods of a board on a data set, with a reference line from x[0], y[0] to
 * x[1], y[1]. The colour of each further series is its column. */
static hs_chart begin_chart(hs_report *r, size_t dataset, const hs_board *board, const char *name,
                            const char *title, const char *against, const double x[2],
                            const double y[2])
{
    hs_chart chart = {.name = hs_say(&r->doc, "%s-%zu-%zu", name, dataset + 1,
                                     (size_t)(board - r->boards.boards) + 1),
                      .alt = hs_say(&r->doc, "%s of %s with %s", title,
                                    r->outcomes.datasets[dataset].name, board->with)};
    hs_add_series(&chart, (hs_series){against, HS_LINE | HS_DASHED | HS_THIN, HS_GREY});
    hs_add_point(&chart, (hs_point){x[0], y[0]});
    hs_add_point(&chart, (hs_point){x[1], y[1]});
    return chart;
}

/* Adds the chart, unless it has no method. The band of the best method by the metric is shown, or
 * those of all methods if there are few. */
static int end_chart(hs_report *r, size_t dataset, const hs_board *board, hs_metric metric,
                     hs_chart *chart, hsel_error *error)
{
    enum { FEW = 3 };
    size_t lead = 1;
    double best = -INFINITY;
    for (size_t i = 1; i < chart->count; i++) {
        double value = hs_outcome_value(
            &r->outcomes, outcome_of(r, dataset, board, chart->series[i].colour), metric);
        if (value > best) {
            best = value;
            lead = i;
        }
    }
    for (size_t i = 1; i < chart->count; i++)
        chart->series[i].look |= i == lead || chart->count <= FEW + 1 ? HS_LEAD : 0;
    return chart->count > 1 || chart->failed
               ? hs_chart_add(chart, r->request.charts, &r->doc, error)
               : HSEL_OK;
}

/* The expected calibration error: how far predicted probabilities are from observed shares on
 * average. */
static double calibration_error(const hs_evaluation *e)
{
    double sum = 0, all = 0;
    for (size_t i = 0; i < HS_CALIBRATION_BINS; i++) {
        const hs_calibration_bin *bin = &hs_evaluation_bins(e)[i];
        sum += fabs((double)bin->positives - bin->probability);
        all += (double)bin->count;
    }
    return sum / all;
}

/* ROC, precision-recall and calibration of the methods of a board on a data set with two classes.
 * Bands are a standard error wide to either side. */
static int add_curves(hs_report *r, size_t dataset, const hs_board *board, hsel_error *error)
{
    enum { ROC, PR, CALIBRATION, CHARTS, FEWEST = 10 };
    static const struct {
        const char *name, *title, *x, *y, *chance;
    } charts[] = {{"roc", "ROC curves", "false positive rate", "true positive rate", "by chance"},
                  {"pr", "Precision-recall curves", "recall", "precision", "by chance"},
                  {"calibration", "Calibration", "predicted probability", "share of positives",
                   "as predicted"}};
    hs_document *doc = &r->doc;
    const hs_stored_dataset *data = &r->outcomes.datasets[dataset];
    double prior = (double)data->class_sizes[data->positive_class] /
                   ((double)data->class_sizes[0] + data->class_sizes[1]);
    const double ends[] = {0, 1}, level[] = {prior, prior};
    for (size_t k = 0; k < CHARTS; k++) {
        uint32_t curves = 0;
        HS_OWNS(hs_chart_clear)
        hs_chart chart = begin_chart(r, dataset, board, charts[k].name, charts[k].title,
                                     charts[k].chance, ends, k == PR ? level : ends);
        for (size_t c = 0; c < r->boards.column_count; c++) {
            const hs_outcome *outcome = outcome_of(r, dataset, board, c);
            const hs_evaluation *e = &outcome->evaluation;
            if (!e->roc || !e->roc[0].count)
                continue;
            curves = e->roc[0].count > curves ? e->roc[0].count : curves;
            if (k == CALIBRATION)
                hs_add_series(&chart, (hs_series){hs_say(doc, "%s %s", r->boards.columns[c].label,
                                                         hs_percent(doc, calibration_error(e))),
                                                  HS_LINE | HS_BAND | HS_DOTS | HS_SMALL, c});
            else
                hs_add_series(
                    &chart,
                    (hs_series){legend(r, c, outcome, k == PR ? HS_METRIC_AUPRC : HS_METRIC_AUROC),
                                HS_LINE | (curves > 1 ? HS_BAND : 0), c});
            for (size_t i = 0; i <= HS_CURVE_STEPS && k != CALIBRATION; i++) {
                const hs_running *running = k == PR ? &e->pr[i] : &e->roc[i];
                double y = running->mean, se = running->count > 1 ? hs_running_se(running) : 0;
                hs_add_point(&chart, (hs_point){(double)i / HS_CURVE_STEPS, y, within(y - se),
                                                within(y + se)});
            }
            for (size_t i = 0; i < HS_CALIBRATION_BINS && k == CALIBRATION; i++) {
                const hs_calibration_bin *bin = &hs_evaluation_bins(e)[i];
                double n = (double)bin->count, share = (double)bin->positives / n,
                       se = sqrt(share * (1 - share) / n);
                if (n >= FEWEST)
                    hs_add_point(&chart, (hs_point){bin->probability / n, share, within(share - se),
                                                    within(share + se)});
            }
        }
        bool repeats =
            r->study.pooled ||
            outcome_of(r, dataset, board, 0)->folds_wanted / r->study.repeats > data->instances / 2;
        const char *how =
            k == CALIBRATION ? hs_say(doc,
                                      ", in bins of %d or more predictions; the number is the "
                                      "expected calibration error. Band: standard error.",
                                      FEWEST)
            : curves == 1    ? "."
                          : hs_say(doc, ", mean of %u %s, with AU%s. Band: standard error.", curves,
                                   repeats ? "repeats" : "folds", k == PR ? "PRC" : "ROC");
        chart.caption = hs_say(doc, "%s with %s%s", charts[k].title, board->with, how);
        chart.x = (hs_axis){.label = charts[k].x, .shares = true, .to = 1};
        chart.y = (hs_axis){.label = charts[k].y, .shares = true, .to = 1};
        chart.width = chart.height = 220;
        HS_TRY(end_chart(r, dataset, board, HS_METRIC_AUROC, &chart, error));
    }
    return HSEL_OK;
}

static double predicted_of(const hs_evaluation *e, size_t instance)
{
    return e->predicted ? e->predicted[instance] / e->repeats : (double)NAN;
}

/* Predicted against observed numbers, and residuals by prediction: means in bins with the same
 * number of instances, with a band of a standard error. */
static int add_numbers(hs_report *r, size_t dataset, const hs_board *board, hsel_error *error)
{
    enum { BINS = 10, POINTS = 400 };
    hs_document *doc = &r->doc;
    const hs_stored_dataset *data = &r->outcomes.datasets[dataset];
    const size_t n = data->instances, bins = n / 10 < BINS ? n / 10 : BINS, step = n / POINTS + 1;
    double range[2] = {INFINITY, -INFINITY};
    HS_OWNED double *below = HS_NEW(double, n);
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, n);
    HS_NEED(below && order);
    for (size_t i = 0; i < n; i += step)
        for (size_t c = 0; c <= r->boards.column_count; c++) {
            double value = c ? predicted_of(&outcome_of(r, dataset, board, c - 1)->evaluation, i)
                             : data->numbers[i];
            range[0] = fmin(range[0], value);
            range[1] = fmax(range[1], value);
        }
    const double zero[] = {0, 0};
    for (int residuals = 0; residuals < (bins > 1 ? 2 : 1); residuals++) {
        const char *title = residuals ? "Residuals" : "Predicted against observed",
                   *observed = hs_say(doc, "observed %s", data->target),
                   *predicted = hs_say(doc, "predicted %s", data->target);
        HS_OWNS(hs_chart_clear)
        hs_chart chart =
            begin_chart(r, dataset, board, residuals ? "residuals" : "predicted", title,
                        residuals ? "no error" : "as observed", range, residuals ? zero : range);
        for (size_t c = 0; c < r->boards.column_count; c++) {
            const hs_outcome *outcome = outcome_of(r, dataset, board, c);
            const hs_evaluation *e = &outcome->evaluation;
            const hs_metric metric = residuals ? HS_METRIC_RMSE : HS_METRIC_R2;
            if (!e->predicted)
                continue;
            hs_add_series(
                &chart,
                (hs_series){hs_say(doc, "%s %s", r->boards.columns[c].label,
                                   hs_value_text(doc, metric,
                                                 hs_outcome_value(&r->outcomes, outcome, metric))),
                            HS_DOTS | HS_SMALL | (residuals ? HS_LINE | HS_BAND : 0), c});
            for (size_t i = 0; i < n && !residuals; i += step)
                hs_add_point(&chart, (hs_point){data->numbers[i], predicted_of(e, i),
                                                .name = hs_say(doc, "instance %zu", i + 1)});
            for (size_t i = 0; i < n; i++)
                below[i] = -predicted_of(e, i);
            hs_rank_order(below, data->instances, NULL, order); /* the lowest predictions first */
            for (size_t b = 0; b < bins && residuals; b++) {
                hs_running at = {0}, off = {0};
                for (size_t i = b * n / bins; i < (b + 1) * n / bins; i++) {
                    double value = predicted_of(e, order[i]);
                    hs_running_add(&at, value);
                    hs_running_add(&off, data->numbers[order[i]] - value);
                }
                double se = hs_running_se(&off);
                hs_add_point(&chart, (hs_point){at.mean, off.mean, off.mean - se, off.mean + se});
            }
        }
        chart.caption =
            residuals
                ? hs_say(doc,
                         "%s with %s: observed less predicted %s, means over %zu parts of the "
                         "instances by what is predicted, with RMSE. Band: standard error.",
                         title, board->with, data->target, bins)
                : hs_say(doc, "%s with %s: %s of %zu instances, mean over repeats, with R2.", title,
                         board->with, data->target, (n + step - 1) / step);
        chart.x.label = residuals ? predicted : observed;
        chart.y.label = residuals ? "observed less predicted" : predicted;
        chart.width = 300;
        chart.height = 240;
        HS_TRY(end_chart(r, dataset, board, HS_METRIC_R2, &chart, error));
    }
    return HSEL_OK;
}

/* A row per method and true class, with what it was predicted as. */
static void add_confusion(hs_report *r, size_t dataset)
{
    enum { MOST = 12 };
    hs_document *doc = &r->doc;
    const hs_stored_dataset *data = &r->outcomes.datasets[dataset];
    size_t columns = r->boards.column_count, k = data->classes;
    hs_doc_grid *grid = NULL;
    if (k > MOST) {
        hs_add_text(doc, "%s has %zu classes; confusion matrices are shown for up to %d.",
                    data->name, k, MOST);
        return;
    }
    for (size_t i = 0; i < r->boards.per_metric * columns; i++) {
        const hs_board *board = &r->boards.boards[i / columns];
        const hs_outcome *outcome = board->score[dataset * columns + i % columns].outcome;
        const hs_evaluation *e = &outcome->evaluation;
        for (size_t t = 0; e->confusion && t < k; t++) {
            const uint64_t *row = e->confusion + t * k;
            double all = 0;
            if (!grid) {
                grid = hs_add_grid(doc, 3 + k + 1, 3,
                                   "Confusion of %s: instances by class, mean over repeats",
                                   data->name);
                HS_ROW(grid, "method", "with", "class");
                for (size_t p = 0; p < k; p++)
                    hs_putf(grid, "predicted %s", hs_names_get(&data->class_names, (uint32_t)p));
                HS_ROW(grid, "right, %");
            }
            for (size_t p = 0; p < k; p++)
                all += (double)row[p];
            HS_ROW(grid, r->boards.columns[i % columns].label, board->with,
                   hs_names_get(&data->class_names, (uint32_t)t));
            for (size_t p = 0; p < k; p++)
                hs_put_cell(
                    grid,
                    (hs_cell){.text = hs_say(doc, e->repeats > 1 ? "%.1f" : "%.0f",
                                             (double)row[p] / e->repeats),
                              .shade = all > 0 ? (p == t ? 1 : -1) * (double)row[p] / all : 0});
            hs_put_cell(grid, all > 0 ? hs_percent_cell(doc, (double)row[t] / all) : HS_QUIET);
        }
    }
}

/* Which features are selected how often by each selector. */
typedef struct feature_order {
    const hs_stored_dataset *data;
    const double *share; /* what they are ordered by */
} feature_order;

/* The difference between the classes in the share of instances with the feature; -1: it is
 * constant, as far as known. */
static double relevance(const hs_stored_dataset *data, uint32_t feature)
{
    double low = 1, high = 0, all = 0, with = 0;
    for (uint32_t k = 0; k < data->classes && data->support; k++) {
        double size = data->class_sizes[k],
               positive = data->support[(size_t)feature * data->classes + k];
        all += size;
        with += positive;
        if (size > 0) {
            low = fmin(low, positive / size);
            high = fmax(high, positive / size);
        }
    }
    return with > 0 && with < all ? high - low : -1;
}

static int by_share(const void *a, const void *b, void *context)
{
    const feature_order *order = context;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    double of_x = relevance(order->data, x), of_y = relevance(order->data, y);
    const double keys[][2] = {{of_x >= 0, of_y >= 0}, /* a constant feature never leads */
                              {order->share[x], order->share[y]},
                              {of_x, of_y}};
    for (int i = 0; i < 3; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] > keys[i][1] ? -1 : 1;
    return (x > y) - (x < y);
}

static int add_features(hs_report *r, size_t dataset, hs_stability *stability, hsel_error *error)
{
    enum { TOP = 15 };
    hs_document *doc = &r->doc;
    const hs_stored_dataset *data = &r->outcomes.datasets[dataset];
    size_t columns = r->boards.by_selector_count, n = data->features, shown = 0, selecting = 0;
    size_t classes = data->support && data->classes <= 4 ? data->classes : 0;
    HS_OWNED uint64_t *count = HS_NEW(uint64_t, n + 1);
    HS_OWNED double *share = HS_NEW_ZERO(double, (columns + 1) * n + 1); /* the last: mean */
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, n + 1);
    HS_OWNED bool *wanted = HS_NEW_ZERO(bool, n + 1), *selects = HS_NEW_ZERO(bool, columns + 1);
    HS_NEED(count && share && order && wanted && selects);
    double *mean = share + columns * n;
    HS_OWNS(hs_dag_release) hsel_dag *dag = NULL; /* if stability on it is wanted */
    HS_OWNED uint32_t *support = NULL;
    HS_OWNS(hs_stability_space_clear) hs_stability_space space = {0};
    if (r->study.stability)
        HS_TRY(hs_store_hierarchy(r->store, data, &dag, &support, error));
    if (dag)
        HS_TRY(hs_stability_space_make(&space, dag, data->features, support, data->instances,
                                       (hs_similarity_kind)r->study.similarity, 0,
                                       r->request.progress, error));
    for (size_t c = 0; c < columns; c++) {
        hs_outcome_state state;
        uint64_t tested = 0;
        HS_OWNS(hs_refits_clear) hs_refits folds = {0};
        size_t selector =
            hs_column_pick(&r->outcomes, &r->boards.by_selector[c], dataset, 0, &state);
        hs_result_key key = hs_study_key(&r->study, data->id, &r->study.selectors[selector],
                                         r->study.classifiers, 0);
        memset(count, 0, n * sizeof *count);
        key.probed = r->study.selectors[selector].method->flags & HS_LAZY;
        HS_TRY(
            hs_store_frequencies(r->store, &key, r->study.repeats, count, &tested, &folds, error));
        double *own = share + c * n;
        for (size_t f = 0; f < n; f++) {
            own[f] = tested ? (double)count[f] / (double)tested : 0;
            selects[c] |= tested && count[f] != tested;
        }
        if (selects[c])
            HS_TRY(hs_stability_of(folds.masks, folds.sets, folds.cases, data->features,
                                   dag ? &space : NULL, 0, &stability[c], error));
        selecting += selects[c];
    }
    for (size_t c = 0; c < columns; c++)
        for (size_t f = 0; f < n && selects[c]; f++)
            mean[f] += share[c * n + f] / (double)selecting;
    for (size_t c = 0; c <= columns;
         c++) { /* those that are on top of any list; then all by mean */
        if (c < columns && !selects[c])
            continue;
        for (uint32_t f = 0; f < n; f++)
            order[f] = f;
        qsort_r(order, n, sizeof *order, by_share, &(feature_order){data, share + c * n});
        for (size_t i = 0; i < n && i < TOP && c < columns; i++)
            if (share[c * n + order[i]] > 0) {
                shown += !wanted[order[i]];
                wanted[order[i]] = true;
            }
    }
    if (!shown)
        return HSEL_OK;
    hs_doc_grid *grid = hs_add_grid(
        doc, 2 + classes + selecting, 1,
        "Most often selected features of %s: share of the test instances, in percent", data->name);
    HS_ROW(grid, "feature", "mean");
    for (size_t k = 0; k < classes; k++)
        hs_putf(grid, "in %s", hs_names_get(&data->class_names, (uint32_t)k));
    for (size_t c = 0; c < columns; c++)
        if (selects[c])
            HS_ROW(grid, r->boards.by_selector[c].label);
    for (size_t i = 0; i < n; i++) {
        uint32_t f = order[i];
        const char *name = hs_names_get(&data->feature_names, f),
                   *label = hs_about_label(&data->about, f);
        if (!wanted[f])
            continue;
        hs_put_cell(grid, (hs_cell){.text = label ? hs_say_cut(doc, label, 100) : name,
                                    .aside = label ? name : NULL});
        hs_put_cell(grid, (hs_cell){.text = hs_percent(doc, mean[f]), .shade = mean[f]});
        for (size_t k = 0; k < classes; k++) {
            uint32_t with = data->support[(size_t)f * data->classes + k];
            hs_putf(grid, "%s", hs_percent(doc, (double)with / data->class_sizes[k]));
        }
        for (size_t c = 0; c < columns; c++)
            if (selects[c])
                hs_put_cell(grid, (hs_cell){.text = hs_percent(doc, share[c * n + f]),
                                            .shade = share[c * n + f]});
    }
    grid->note =
        hs_say(doc, "The first %d of each method, by the mean over methods%s.%s", TOP,
               classes ? "; and the share of each class that has the feature" : "",
               data->numbers ? ""
                             : " Ties are ordered by the difference between the classes in the "
                               "share of the feature; constant features come last.");
    return HSEL_OK;
}

/* How similar the selections of different folds are, by Nogueira's measure or on the hierarchy. */
static void add_stability(hs_report *r, const hs_stability *stability, bool on_hierarchy)
{
    hs_document *doc = &r->doc;
    const hs_outcomes *o = &r->outcomes;
    size_t columns = r->boards.by_selector_count;
    int at = on_hierarchy ? HSEL_HIERARCHY : HSEL_NOGUEIRA; /* its interval follows */
    hs_doc_grid *grid =
        hs_add_grid(doc, columns + 1, 1,
                    on_hierarchy ? "Stability on the hierarchy" : "Stability of the selections");
    HS_ROW(grid, "data set");
    for (size_t c = 0; c < columns; c++)
        HS_ROW(grid, r->boards.by_selector[c].label);
    for (size_t i = 0; i < o->dataset_count * columns; i++) {
        double figure[HSEL_STABILITY_FIGURES];
        if (i % columns == 0)
            HS_ROW(grid, o->datasets[i / columns].name);
        hs_stability_figures(&stability[i], figure);
        hs_cell cell = {.text = hs_say(doc, "%.2f", figure[at]),
                        .exact = hs_say(doc,
                                        "%.6f; Kuncheva %.6f, Jaccard %.6f; %u sets of %.1f "
                                        "features",
                                        figure[at], figure[HSEL_KUNCHEVA], figure[HSEL_JACCARD],
                                        stability[i].sets, stability[i].size),
                        .aside = hs_say(doc, "%.2f … %.2f", figure[at + 1], figure[at + 2]),
                        .shade = figure[at]};
        hs_put_cell(grid, isnan(figure[at]) ? HS_QUIET : cell);
    }
    grid->note =
        on_hierarchy
            ? hs_say(doc,
                     "A feature that another fold did not select counts in part if a similar one "
                     "was selected there (%s), corrected for chance; with a 95 %% interval.",
                     hs_similarity_word((hs_similarity_kind)r->study.similarity))
            : hs_say(doc,
                     "1: the same features in every fold; 0: as similar as random selections; with "
                     "a 95 %% interval (Nogueira, Sechidis, Brown 2018), which is too narrow for "
                     "few folds. Lazy selectors are %s.",
                     r->study.stability
                         ? "compared for each of up to 100 instances; the mean is shown"
                         : "compared if the study has compare: {stability: true}");
}

/* Link from this page to that of hsel explore for a data set; NULL: there is none. */
static const char *explorer_of(hs_report *r, const char *name)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./";
    hs_document *doc = &r->doc;
    const char *where = "", *slash = r->request.page ? strrchr(r->request.page, '/') : NULL;
    if (!r->request.explorer || strchr(name, '/') ||
        access(hs_say(doc, "%.*s%s/%s.html", slash ? (int)(slash + 1 - r->request.page) : 0,
                      r->request.page ? r->request.page : "", r->request.explorer, name),
               R_OK) != 0)
        return NULL;
    for (const char *c = hs_say(doc, "%s/%s.html", r->request.explorer, name); *c; c++)
        where = hs_say(doc, strchr(plain, *c) ? "%s%c" : "%s%%%02X", where, (unsigned char)*c);
    return where;
}

int hs_report_add_details(hs_report *r, hsel_error *error)
{
    hs_document *doc = &r->doc;
    const hs_outcomes *o = &r->outcomes;
    size_t columns = r->boards.by_selector_count;
    hs_stability *stability = hs_document_space(doc, o->dataset_count * columns, sizeof *stability);
    bool any = false, stable = false, similar = false;
    HS_NEED(stability);
    doc->where = HS_IN_HTML;
    for (size_t d = 0; d < o->dataset_count; d++) {
        const hs_stored_dataset *data = &o->datasets[d];
        const char *explorer = explorer_of(r, data->name);
        for (size_t c = 0; c < columns; c++)
            stability[d * columns + c] =
                (hs_stability){.nogueira = (double)NAN, .hierarchy = (double)NAN};
        if (data->id < 0 || data->features == 0 || columns == 0)
            continue;
        if (!any)
            hs_add_heading(doc, 2, "Each data set in detail");
        any = true;
        hs_add_part(doc, HS_PART_FOLD, data->name);
        if (explorer)
            hs_add_link(doc, hs_say(doc, "Explore %s", data->name), explorer);
        for (size_t b = 0; b < r->boards.per_metric && data->classes == 2; b++)
            HS_TRY(add_curves(r, d, &r->boards.boards[b], error));
        for (size_t b = 0; b < r->boards.per_metric && data->numbers; b++)
            HS_TRY(add_numbers(r, d, &r->boards.boards[b], error));
        if (data->classes > 2)
            hs_add_text(doc, "Curves are drawn for data sets of two classes.");
        if (data->classes)
            add_confusion(r, d);
        HS_TRY(add_features(r, d, stability + d * columns, error));
        hs_add_part(doc, HS_PART_UNFOLD, NULL);
    }
    for (size_t i = 0; i < o->dataset_count * columns; i++) {
        stable |= !isnan(stability[i].nogueira);
        similar |= !isnan(stability[i].hierarchy);
    }
    if (stable)
        hs_add_heading(doc, 2, "Stability of selection");
    if (stable)
        add_stability(r, stability, false);
    if (similar)
        add_stability(r, stability, true);
    return HSEL_OK;
}

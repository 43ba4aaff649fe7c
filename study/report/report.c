/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making a report: store and study are opened, outcomes read, boards made, sections added.
 */
#include "study/report/report.h"

#include <unistd.h>

void hs_report_clear(hs_report *report)
{
    hs_document_clear(&report->doc);
    hs_boards_clear(&report->boards);
    hs_outcomes_clear(&report->outcomes);
    hs_study_clear(&report->study);
    hs_store_close(report->store);
    *report = (hs_report){0};
}

/* The path of the published figures is relative to the study file, but the store only has its text.
 * Without --studies the folder studies, that of the store and the current one are tried; if none
 * has the figures, the study is read as if it were in the first, and the report says what is
 * missing. */
static int find_study(const hs_report_request *request, const char *text, hs_study *out,
                      hsel_error *error)
{
    const char *slash = strrchr(request->store, '/');
    HS_OWNS(hs_buf_clear) hs_buf beside = {0};
    if (slash)
        hs_buf_add(&beside, request->store,
                   slash == request->store ? 1 : (size_t)(slash - request->store));
    else
        hs_buf_text(&beside, ".");
    HS_NEED(!beside.failed);
    const char *const places[] = {request->folder ? request->folder : "studies", beside.text, "."};
    for (size_t i = 0; i < (request->folder ? 1 : 3); i++) {
        HS_OWNS(hs_buf_clear) hs_buf name = {0};
        HS_OWNS(hs_study_clear) hs_study study = {0};
        hs_buf_printf(&name, "%s/study.yaml", places[i]);
        HS_NEED(!name.failed);
        HS_TRY(hs_study_parse(name.text, text, strlen(text), &study, error));
        bool found = !study.published.file || access(study.published.file, R_OK) == 0;
        if (i == 0 || found) {
            hs_study held = *out;
            *out = study;
            study = held;
        }
        if (found)
            break;
    }
    return HSEL_OK;
}

/* The given metrics, those of the study, or the defaults for its data sets; each must fit a data
 * set. */
static int choose_metrics(const hs_report_request *request, hs_report *report, hsel_error *error)
{
    const hs_outcomes *o = &report->outcomes;
    bool has[2] = {false, false}; /* data sets with classes, with numbers */
    for (size_t d = 0; d < o->dataset_count; d++)
        if (o->datasets[d].id >= 0)
            has[o->datasets[d].numbers != NULL] = true;
    report->metric_count = hs_study_metrics(&report->study, has[0], has[1], report->metrics);
    if (request->metrics) {
        report->metric_count = request->metric_count;
        memcpy(report->metrics, request->metrics, request->metric_count * sizeof *report->metrics);
    }
    for (size_t i = 0; i < report->metric_count && has[0] != has[1]; i++)
        if (!hs_metric_fits(report->metrics[i], has[1]))
            return hs_fail_at(error, HSEL_EUSAGE, request->store, 0,
                              has[1] ? "%s is for classes, but all data sets have a numeric target"
                                     : "%s is for numeric targets, but all data sets have classes",
                              hs_metric_name(report->metrics[i]));
    return HSEL_OK;
}

static int make(const hs_report_request *request, hs_report *report, hsel_error *error)
{
    hs_study *study = &report->study;
    HS_OWNED char *text = NULL, *contents = NULL, *name = NULL;
    HS_TRY(hs_store_open(request->store, HS_STORE_READ, false, &report->store, error));
    HS_TRY(hs_store_study_text(report->store, request->study, &text, &contents, &name, error));
    HS_TRY(find_study(request, text, study, error));
    if (name && strcmp(name, study->name) != 0) { /* that of its file: its text has none */
        bool titled = study->title != study->name;
        HS_NEED(study->name = hs_arena_text(&study->arena, name, strlen(name)));
        study->title = titled ? study->title : study->name;
    }
    HS_TRY(hs_study_contents(study, contents ? contents : "", error));
    HS_TRY(hs_outcomes_read(report->store, study, request->details, request->progress,
                            &report->outcomes, error));
    HS_TRY(choose_metrics(request, report, error));
    HS_TRY(hs_boards_make(&report->outcomes, report->metrics, report->metric_count, &report->boards,
                          error));
    return hs_report_add_sections(report, request->details, error);
}

int hs_report_make(const hs_report_request *request, hs_report *out, hsel_error *error)
{
    *out = (hs_report){.request = *request};
    int status = make(request, out, error);
    if (status)
        hs_report_clear(out);
    return status;
}

/* A line per data set, selector (every setting of a sweep), classifier and metric; shares with
 * every digit, no times, so that the same results give the same bytes. */
static void write_csv(const hs_report *report, hs_writer *out)
{
    const hs_outcomes *o = &report->outcomes;
    const hs_study *study = &report->study;
    size_t selectors = study->selector_count, classifiers = study->classifier_count,
           metrics = report->metric_count;
    hs_writer_csv_safe(out, true); /* it will be opened in spreadsheets */
    hs_writer_text(out, "dataset,selector,classifier,metric,state,repeats,fold_mean,fold_mean_sd,"
                        "pooled,pooled_sd,published,fold_se\n");
    for (size_t i = 0; i < o->dataset_count * selectors * classifiers * metrics; i++) {
        static const char *const states[] = {"missing", "failed", "part", "ok", "left out"};
        size_t c = i / metrics % classifiers, s = i / metrics / classifiers % selectors,
               d = i / metrics / classifiers / selectors;
        hs_metric metric = report->metrics[i % metrics];
        const hs_outcome *outcome = hs_outcome_of(o, d, s, c);
        const char *selector = study->selectors[s].text, *classifier = study->classifiers[c].text;
        const hs_evaluation *e = &outcome->evaluation;
        bool older = outcome->state == HS_OUTCOME_OK && outcome->folds_older;
        hs_csv_put(out, "%s,%s,%s,%s,%s,%u,%g,%g,%g,%g,%g,%g\n", o->datasets[d].name, selector,
                   classifier, hs_metric_name(metric), older ? "older" : states[outcome->state],
                   e->repeats, hs_running_mean(&e->fold_mean[metric]),
                   hs_running_spread(&e->fold_mean[metric]), hs_running_mean(&e->pooled[metric]),
                   hs_running_spread(&e->pooled[metric]),
                   hs_published_value(o, d, selector, classifier, metric),
                   hs_metric_formula(metric)->over_folds ? (double)NAN
                                                         : hs_running_mean(&e->fold_se[metric]));
    }
}

int hs_study_export(const hs_study *study, hs_store *store, hs_writer *out, hsel_error *error)
{
    HS_OWNS(hs_outcomes_clear) hs_outcomes o = {0};
    const size_t selectors = study->selector_count, classifiers = study->classifier_count;
    HS_TRY(hs_store_use(store, study, error));
    HS_TRY(hs_outcomes_read(store, study, false, NULL, &o, error));
    hs_writer_text(out, "dataset,selector,classifier,metric,pooled,fold_mean,sd,selected_pct\n");
    for (size_t i = 0; i < o.dataset_count * selectors * classifiers; i++) {
        const hs_stored_dataset *data = &o.datasets[i / classifiers / selectors];
        const hs_evaluation none = {0}, *e = &none;
        hs_metric shown[HS_METRICS];
        size_t metrics = hs_study_metrics(study, !data->numbers, data->numbers, shown);
        if (o.outcome[i].state == HS_OUTCOME_OK)
            e = &o.outcome[i].evaluation;
        for (size_t m = 0; m < metrics && data->id >= 0; m++)
            hs_csv_put(out, "%s,%s,%s,%s,%g,%g,%g,%g\n", data->name,
                       study->selectors[i / classifiers % selectors].text,
                       study->classifiers[i % classifiers].text, hs_metric_name(shown[m]),
                       hs_running_mean(&e->pooled[shown[m]]),
                       hs_running_mean(&e->fold_mean[shown[m]]),
                       e->repeats ? hs_running_sd(&e->fold_mean[shown[m]]) : (double)NAN,
                       100 * hs_running_mean(&e->selected));
    }
    return HSEL_OK;
}

/* A line per point of the curves that the page draws: ROC and precision-recall of every data set
 * with two classes, and calibration (of the bins that are not empty); of numeric targets what is
 * observed and predicted of each instance. */
static void write_curves(const hs_report *report, hs_writer *out)
{
    const hs_outcomes *o = &report->outcomes;
    const hs_study *study = &report->study;
    size_t selectors = study->selector_count, classifiers = study->classifier_count;
    hs_writer_csv_safe(out, true);
    hs_writer_text(out, "dataset,selector,classifier,curve,x,y,se,count\n");
    for (size_t i = 0; i < o->dataset_count * selectors * classifiers; i++) {
        const hs_evaluation *e = &o->outcome[i].evaluation;
        const hs_stored_dataset *data = &o->datasets[i / classifiers / selectors];
        const char *selector = study->selectors[i / classifiers % selectors].text,
                   *classifier = study->classifiers[i % classifiers].text;
        for (uint32_t p = 0; e->predicted && p < data->instances; p++)
            hs_csv_put(out, "%s,%s,%s,predicted,%g,%g,,%u\n", data->name, selector, classifier,
                       data->numbers[p], e->predicted[p] / e->repeats, e->repeats);
        if (!e->roc)
            continue;
        for (size_t p = 0; p < 2 * (HS_CURVE_STEPS + 1); p++) {
            size_t at = p % (HS_CURVE_STEPS + 1);
            bool roc = p == at;
            const hs_running *point = roc ? &e->roc[at] : &e->pr[at];
            if (point->count)
                hs_csv_put(out, "%s,%s,%s,%s,%g,%g,%g,%u\n", data->name, selector, classifier,
                           roc ? "roc" : "pr", (double)at / HS_CURVE_STEPS, point->mean,
                           hs_running_se(point), point->count);
        }
        for (size_t k = 0; k < HS_CALIBRATION_BINS; k++) {
            const hs_calibration_bin *bin = &hs_evaluation_bins(e)[k];
            double n = (double)bin->count, share = (double)bin->positives / n;
            if (bin->count)
                hs_csv_put(out, "%s,%s,%s,calibration,%g,%g,%g,%ju\n", data->name, selector,
                           classifier, bin->probability / n, share, sqrt(share * (1 - share) / n),
                           bin->count);
        }
    }
}

const struct hs_report_form hs_report_forms[] = {{"html", ".html", HS_REPORT_HTML},
                                                 {"html", ".htm", HS_REPORT_HTML},
                                                 {"text", ".txt", HS_REPORT_TEXT},
                                                 {"latex", ".tex", HS_REPORT_LATEX},
                                                 {"curves", "curves.csv", HS_REPORT_CURVES},
                                                 {"csv", ".csv", HS_REPORT_CSV},
                                                 {NULL}};

int hs_report_write(const hs_report *report, hs_report_format format, hs_writer *out,
                    hsel_error *error)
{
    if (format == HS_REPORT_TEXT)
        return hs_write_text(&report->doc, out, error);
    if (format == HS_REPORT_HTML)
        hs_write_html(&report->doc, out);
    else if (format == HS_REPORT_LATEX)
        hs_write_latex(&report->doc, out);
    else if (format == HS_REPORT_CURVES)
        write_curves(report, out);
    else
        write_csv(report, out);
    return HSEL_OK;
}

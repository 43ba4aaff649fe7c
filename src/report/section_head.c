/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The head of a report: which study, what of it has run, what is missing and what failed, and why.
 */
#include <string.h>
#include <time.h>

#include "report/sections.h"

typedef struct tally {
    uint64_t wanted, done, failed; /* folds of selector x classifier x repeat */
    size_t datasets;               /* that are there */
} tally;

static tally count_jobs(const hs_outcomes *o)
{
    tally t = {0};
    size_t pairs = o->study->selector_count * o->study->classifier_count;
    for (size_t d = 0; d < o->dataset_count; d++) {
        t.datasets += o->datasets[d].id >= 0;
        if (o->missing[d] && o->datasets[d].id < 0)
            continue; /* skipped, and listed */
        for (size_t i = 0; i < pairs; i++) {
            const hs_outcome *outcome = &o->outcome[d * pairs + i];
            t.wanted += outcome->folds_wanted;
            t.done += outcome->folds_done;
            t.failed += outcome->folds_failed;
        }
    }
    return t;
}

static const char *time_text(hs_document *doc, int64_t seconds)
{
    time_t moment = (time_t)seconds;
    struct tm parts;
    char text[64];
    if (!gmtime_r(&moment, &parts) || !strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &parts))
        return HS_NOTHING;
    return hs_say(doc, "%s", text);
}

static const char *joined(hs_document *doc, const hs_study_method *methods, size_t count)
{
    const char *list = "";
    const char *family = NULL;
    for (size_t i = 0; i < count; i++) {
        bool same = methods[i].sweep && family && strcmp(methods[i].family, family) == 0;
        family = methods[i].family;
        if (!same)
            list = hs_say(doc, "%s%s%s", list, *list ? ", " : "",
                          methods[i].sweep ? methods[i].family_label : methods[i].label);
    }
    return list;
}

static const char *folds_text(hs_document *doc, const hs_study *study)
{
    const char *scheme = study->scheme, *slash = strrchr(scheme, '/');
    const char *cut = strcmp(scheme, "loo") == 0 ? "leaving one out"
                      : strncmp(scheme, "file:", 5) == 0
                          ? hs_say(doc, "folds of %s", slash ? slash + 1 : scheme + 5)
                          : hs_say(doc, "%u folds (%s)", study->folds, scheme);
    return hs_say(doc, "%s, %s, seed %llu", cut,
                  hs_plural(doc, study->repeats, "repeat", "repeats"),
                  (unsigned long long)study->seed);
}

static const char *jobs_text(hs_document *doc, const tally *t)
{
    const char *failed = t->failed ? hs_say(doc, ", %s failed", hs_grouped(doc, t->failed)) : "";
    uint64_t open = t->wanted > t->done + t->failed ? t->wanted - t->done - t->failed : 0;
    return hs_say(doc, "%s of %s finished%s%s", hs_grouped(doc, t->done),
                  hs_grouped(doc, t->wanted), failed,
                  open ? hs_say(doc, ", %s not run yet", hs_grouped(doc, open)) : "");
}

static void add_facts(hs_report *report, const tally *t)
{
    hs_document *doc = &report->doc;
    const hs_outcomes *o = &report->outcomes;
    const hs_study *study = o->study;
    hs_add_fact(doc, "Study", study->name);
    hs_add_fact(doc, "Last result", t->done + t->failed ? time_text(doc, o->time) : "none yet");
    hs_add_fact(doc, "Jobs", jobs_text(doc, t));
    hs_add_fact(doc, "Data sets",
                t->datasets == o->dataset_count
                    ? hs_grouped(doc, o->dataset_count)
                    : hs_say(doc, "%zu of %zu", t->datasets, o->dataset_count));
    hs_add_fact(doc, "Selectors", joined(doc, study->selectors, study->selector_count));
    hs_add_fact(doc, "Classifiers", joined(doc, study->classifiers, study->classifier_count));
    hs_add_fact(doc, "Cross-validation", folds_text(doc, study));
    hs_add_fact(doc, "Metrics",
                hs_say(doc, "%s, in percent%s",
                       study->pooled ? "pooled over all instances" : "means over folds",
                       study->rank_by == HS_RANK_BY_PROBABILITY
                           ? "; AUROC and AUPRC rank by probability"
                           : ""));
    hs_add_fact(doc, "Made by", hs_say(doc, "hsel %s", hsel_version()));
}

/* ---- what is not there ---- */

static void add_missing_sets(hs_report *report)
{
    hs_document *doc = &report->doc;
    const hs_outcomes *o = &report->outcomes;
    const char *list = "";
    for (size_t d = 0; d < o->dataset_count; d++)
        if (o->datasets[d].id < 0)
            list = hs_say(doc, "%s%s%s%s", list, *list ? ", " : "", o->datasets[d].name,
                          o->missing[d] ? " (not found)" : "");
    if (*list)
        hs_add_text(doc, hs_say(doc, "Data sets without any result: %s.", list));
}

/* A selector that failed on a data set, perhaps with one classifier only. */
static bool has_failed(const hs_outcomes *o, size_t pair)
{
    const hs_outcome *outcome = &o->outcome[pair * o->study->classifier_count];
    for (size_t c = 0; c < o->study->classifier_count; c++)
        if (outcome[c].state == HS_OUTCOME_FAILED)
            return true;
    return false;
}

static void set_failure(hs_report *report, hs_grid *grid, size_t row, size_t pair)
{
    hs_document *doc = &report->doc;
    const hs_study *study = &report->study;
    const hs_outcome *outcome = &report->outcomes.outcome[pair * study->classifier_count];
    const char *classifiers = "", *message = NULL;
    uint64_t failed = 0, wanted = 0;
    for (size_t c = 0; c < study->classifier_count; c++) {
        if (outcome[c].state != HS_OUTCOME_FAILED)
            continue;
        classifiers = hs_say(doc, "%s%s%s", classifiers, *classifiers ? ", " : "",
                             study->classifiers[c].label);
        failed += outcome[c].folds_failed;
        wanted += outcome[c].folds_wanted;
        message = message ? message : outcome[c].message;
    }
    hs_set(grid, row, 0, report->outcomes.datasets[pair / study->selector_count].name);
    hs_set(grid, row, 1, study->selectors[pair % study->selector_count].label);
    hs_set(grid, row, 2, classifiers);
    hs_set(grid, row, 3, message ? message : "failed");
    hs_set(grid, row, 4, hs_say(doc, "%s of %s", hs_grouped(doc, failed), hs_grouped(doc, wanted)));
}

static void add_failures(hs_report *report)
{
    static const char *const heads[] = {"data set", "selector", "with", "message", "jobs"};
    enum { SHOWN = 50 };
    const hs_outcomes *o = &report->outcomes;
    size_t pairs = o->dataset_count * o->study->selector_count, failures = 0;
    for (size_t i = 0; i < pairs; i++)
        failures += has_failed(o, i);
    if (failures == 0)
        return;
    size_t rows = failures < SHOWN ? failures : SHOWN;
    hs_grid *grid = hs_add_grid(&report->doc, "What failed", 5, rows, 4);
    for (size_t i = 0; i < 5; i++)
        hs_set_head(grid, i, heads[i]);
    for (size_t i = 0, row = 0; row < rows; i++)
        if (has_failed(o, i))
            set_failure(report, grid, row++, i);
    if (grid && failures > rows)
        grid->note = hs_say(&report->doc, "The first %zu of %zu.", rows, failures);
}

int hs_section_head(hs_report *report, hsel_error *error)
{
    hs_document *doc = &report->doc;
    tally t = count_jobs(&report->outcomes);
    doc->title = report->study.title ? report->study.title : report->study.name;
    doc->where = HS_IN_HTML | HS_IN_TEXT;
    add_facts(report, &t);
    add_missing_sets(report);
    if (t.done == 0)
        hs_add_text(doc, "No job of this study is finished yet: hsel run does them.");
    else if (t.done + t.failed < t.wanted)
        hs_add_text(doc, "Not everything is finished. Values with † are means over the repeats "
                         "that are; they are "
                         "left out of best values, means, ranks and tests.");
    if (report->outcomes.without_scores && report->study.rank_by == HS_RANK_BY_SCORE)
        hs_add_text(
            doc,
            hs_say(doc,
                   "%s from a store of an older hsel, without scores: AUROC and AUPRC rank by "
                   "probability there, and the class of the highest probability is predicted. "
                   "A run into a new store keeps scores.",
                   hs_plural(doc, report->outcomes.without_scores, "result is", "results are")));
    add_failures(report);
    if (report->outcomes.figures_problem)
        hs_add_text(doc, hs_say(doc, "The published figures are missing: %s",
                                report->outcomes.figures_problem));
    doc->where = 0;
    return hs_document_check(doc, error);
}

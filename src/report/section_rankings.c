/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How alike the rankers of the study are, from the scores that the store keeps: Kendall's tau
 * between every two over all features of a data set, mean and spread over data sets. What is not
 * ranked yet, or could not be, is said and left out.
 */
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "report/rankings.h"
#include "report/sections.h"

typedef struct work {
    hs_report *report;
    hs_rankings rankings;
    double *values; /* [rankers * features] of the data set at hand */
    const double **scores;
    size_t value_capacity;
    bool *there;         /* [rankers]: it has scores on the data set at hand */
    const char *not_yet; /* names of data sets that lack some */
} work;

/* Scores of the data set at hand; *count: rankers that have some. What failed is told. */
static int read_scores(work *w, const hs_stored_dataset *data, size_t *count, hsel_error *error)
{
    hs_document *doc = &w->report->doc;
    const hs_study *study = &w->report->study;
    bool all = true;
    *count = 0;
    for (size_t i = 0; i < study->ranker_count; i++) {
        double *scores = w->values + i * data->features;
        hs_job_state state;
        char *message;
        int status = hs_store_get_ranking(w->report->store, data->id, study->rankers[i].text,
                                          data->features, scores, &state, &message, error);
        if (status)
            return status;
        w->scores[i] = scores;
        w->there[i] = state == HS_JOB_OK;
        *count += w->there[i];
        all = all && state != HS_JOB_NONE;
        if (state == HS_JOB_FAILED)
            hs_add_text(doc,
                        hs_say(doc, "%s on %s: %s", study->rankers[i].label, data->name, message));
        hs_free(message);
    }
    if (!all)
        w->not_yet = hs_say(doc, "%s%s%s", w->not_yet, *w->not_yet ? ", " : "", data->name);
    return HSEL_OK;
}

/* Nothing is known of a ranker without scores, whatever ties are made of. */
static void blot_out(const work *w, double *matrix)
{
    size_t n = w->rankings.ranker_count;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n && !w->there[i]; j++)
            matrix[i * n + j] = matrix[j * n + i] = (double)NAN;
}

static int add_dataset(work *w, const hs_stored_dataset *data, hsel_error *error)
{
    size_t rankers = w->rankings.ranker_count, count;
    if (!HS_GROW(&w->values, &w->value_capacity, rankers * data->features + 1))
        return hs_fail_memory(error);
    memset(w->values, 0, rankers * data->features * sizeof *w->values);
    int status = read_scores(w, data, &count, error);
    if (status || count < 2)
        return status;
    double *matrix = hs_document_room(&w->report->doc, rankers * rankers, sizeof *matrix);
    if (!matrix)
        return hs_fail_memory(error);
    status = hs_tau_matrix(w->scores, rankers, data->features, w->rankings.kind, 0, matrix, error);
    if (status == HSEL_OK)
        blot_out(w, matrix);
    w->rankings.data[w->rankings.data_count++] =
        (hs_ranked_data){.name = data->name, .features = data->features, .matrix = matrix};
    return status;
}

/* Of several data sets the single matrices are for who looks closer. */
static int show(work *w, hsel_error *error)
{
    hs_report *report = w->report;
    hs_document *doc = &report->doc;
    if (w->rankings.data_count == 0)
        return HSEL_OK;
    int status = hs_rankings_sum_up(&w->rankings, HS_RANKINGS_DRAWS, report->study.seed, 0, error);
    if (status == HSEL_OK)
        status = hs_rankings_show(&w->rankings, &report->charts, doc, error);
    if (status)
        return status;
    if (w->rankings.mean) {
        doc->where = HS_IN_HTML;
        hs_add_fold(doc, "The matrix of each data set");
    }
    status = hs_rankings_show_each(&w->rankings, &report->charts, doc, error);
    if (w->rankings.mean)
        hs_add_unfold(doc);
    doc->where = 0;
    return status;
}

static int work_new(work *w, hsel_error *error)
{
    hs_document *doc = &w->report->doc;
    const hs_study *study = &w->report->study;
    const char **names = hs_document_room(doc, study->ranker_count, sizeof *names);
    w->rankings.data =
        hs_document_room(doc, w->report->outcomes.dataset_count + 1, sizeof *w->rankings.data);
    w->there = hs_document_room(doc, study->ranker_count, sizeof *w->there);
    w->scores = hs_document_room(doc, study->ranker_count, sizeof *w->scores);
    if (doc->failed)
        return hs_fail_memory(error);
    for (size_t i = 0; i < study->ranker_count; i++)
        names[i] = study->rankers[i].label;
    w->rankings.rankers = names;
    w->rankings.ranker_count = study->ranker_count;
    w->rankings.kind = study->tau;
    return HSEL_OK;
}

int hs_section_rankings(hs_report *report, hsel_error *error)
{
    hs_document *doc = &report->doc;
    work w = {.report = report, .not_yet = ""};
    if (report->study.ranker_count == 0)
        return HSEL_OK;
    hs_add_heading(doc, 2, "Agreement of rankers");
    int status = work_new(&w, error);
    for (size_t d = 0; d < report->outcomes.dataset_count && status == HSEL_OK; d++)
        if (report->outcomes.datasets[d].id >= 0)
            status = add_dataset(&w, &report->outcomes.datasets[d], error);
    if (status == HSEL_OK && *w.not_yet)
        hs_add_text(doc, hs_say(doc, "Not ranked yet: %s.", w.not_yet));
    if (status == HSEL_OK)
        status = show(&w, error);
    hs_rankings_clear(&w.rankings);
    hs_free(w.values);
    return status ? status : hs_document_check(doc, error);
}

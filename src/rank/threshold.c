/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threshold-based rankers: one sort and one sweep of a column serve all of them (formulas in
 * threshold_scores.c, paper there).
 *
 * Two classes: the positive class against the other. More: each class against the rest, and the
 * mean of the goodness weighted by the share of the class among the known values (the papers have
 * two classes; this is ours). A nominal feature is as good as the best of its values, each taken as
 * the binary feature "has this value" (ours too; the papers' features are numeric). Constant
 * features, and those that are known in one class only, are last: -INFINITY.
 *
 * Time O(n K) for each feature after its sort, memory O(n) a thread.
 */
#include "rank/threshold.h"

#include <math.h>

#include "core/mem.h"
#include "core/parallel.h"
#include "rank/ordered.h"

struct worker {
    hs_ordered ordered;
    double *tp, *fp;   /* [count + classes + 1]: of the sweep */
    double *sum, *one; /* [rankers]: goodness of a feature, of one of its nominal values */
};

struct job {
    hs_labelled columns;
    const hs_chosen *rankers;
    size_t count;
    double *const *scores;
    struct worker *workers;
    int threads;
};

static int job_init(struct job *job, const hs_training *training, hsel_error *error)
{
    int status = hs_labelled_init(&job->columns, training, error);
    if (status)
        return status;
    job->threads = hs_threads(training->threads);
    if (!(job->workers = HS_NEW_ZERO(struct worker, (size_t)job->threads)))
        return hs_fail_memory(error);
    for (int i = 0; i < job->threads && status == HSEL_OK; i++) {
        struct worker *w = &job->workers[i];
        size_t room = (size_t)job->columns.count + 2;
        w->tp = HS_NEW(double, room);
        w->fp = HS_NEW(double, room);
        w->sum = HS_NEW(double, job->count);
        w->one = HS_NEW(double, job->count);
        status = w->tp && w->fp && w->sum && w->one
                     ? hs_ordered_init(&w->ordered, &job->columns, error)
                     : hs_fail_memory(error);
    }
    return status;
}

static void job_clear(struct job *job)
{
    for (int i = 0; job->workers && i < job->threads; i++) {
        hs_ordered_clear(&job->workers[i].ordered);
        hs_free(job->workers[i].tp);
        hs_free(job->workers[i].fp);
        hs_free(job->workers[i].sum);
        hs_free(job->workers[i].one);
    }
    hs_free(job->workers);
    hs_labelled_clear(&job->columns);
}

/* ---- sweeps ---- */

/* What lies above each distinct value but the last. */
static void sweep_two_classes(const hs_ordered *o, uint32_t label, struct worker *w)
{
    const uint32_t positives = o->class_known[label], negatives = o->known - positives;
    for (uint32_t g = 0; g + 1 < o->groups; g++) {
        uint32_t own = label ? o->second[g] : o->upto[g] - o->second[g];
        w->tp[g] = positives - own;
        w->fp[g] = negatives - (o->upto[g] - own);
    }
}

static void sweep_runs(const hs_ordered *o, uint32_t label, struct worker *w)
{
    uint32_t tp = o->class_known[label], run = 0;
    for (uint32_t g = 0; g + 1 < o->groups; g++) {
        for (; run < o->end[g]; run++)
            tp -= o->label[run] == label ? o->size[run] : 0;
        w->tp[g] = tp;
        w->fp[g] = o->known - o->upto[g] - tp;
    }
}

/* One value against all others. */
static void sweep_value(const hs_ordered *o, uint32_t label, uint32_t group, struct worker *w)
{
    uint32_t tp = 0, all = o->upto[group] - hs_before(o->upto, group);
    if (o->classes == 2) {
        tp = o->second[group] - hs_before(o->second, group);
        tp = label ? tp : all - tp;
    } else {
        for (uint32_t run = hs_before(o->end, group); run < o->end[group]; run++)
            tp += o->label[run] == label ? o->size[run] : 0;
    }
    w->tp[0] = tp;
    w->fp[0] = all - tp;
}

/* Adds weight times the goodness against one class; group: HSEL_NONE for all values in order. */
static void add_class(const struct job *job, struct worker *w, uint32_t label, uint32_t group,
                      double weight, double *sum)
{
    const hs_ordered *o = &w->ordered;
    double all = job->columns.count;
    hs_sweep sweep = {.splits = group == HSEL_NONE ? o->groups - 1 : 1,
                      .positives = o->class_known[label],
                      .negatives = o->known - o->class_known[label],
                      .tp = w->tp,
                      .fp = w->fp,
                      .klogk = job->columns.klogk,
                      .epsilon = 1 / (all * all)};
    if (group != HSEL_NONE)
        sweep_value(o, label, group, w);
    else if (o->classes == 2)
        sweep_two_classes(o, label, w);
    else
        sweep_runs(o, label, w);
    for (size_t i = 0; i < job->count; i++) {
        const hs_method *method = job->rankers[i].method;
        const hs_threshold_ranker *ranker = (const hs_threshold_ranker *)method->ranker;
        sum[i] += weight * ranker->best(&sweep, job->rankers[i].options);
    }
}

static void add_classes(const struct job *job, struct worker *w, uint32_t group, double *sum)
{
    const hs_ordered *o = &w->ordered;
    for (size_t i = 0; i < job->count; i++)
        sum[i] = 0;
    if (job->columns.classes == 2) {
        add_class(job, w, job->columns.training->view.data->positive_class, group, 1, sum);
        return;
    }
    for (uint32_t c = 0; c < job->columns.classes; c++)
        if (o->class_known[c])
            add_class(job, w, c, group, (double)o->class_known[c] / o->known, sum);
}

/* ---- features ---- */

static bool can_be_scored(const hs_ordered *o, uint32_t classes)
{
    uint32_t present = 0;
    for (uint32_t c = 0; c < classes; c++)
        present += o->class_known[c] > 0;
    return o->groups > 1 && present > 1;
}

static int score_feature(void *context, uint32_t feature, int worker, hsel_error *error)
{
    const struct job *job = context;
    struct worker *w = &job->workers[worker];
    (void)error;
    hs_order_column(&job->columns, feature, &w->ordered);
    for (size_t i = 0; i < job->count; i++)
        w->sum[i] = -INFINITY;
    if (can_be_scored(&w->ordered, job->columns.classes)) {
        bool nominal = job->columns.training->view.data->types[feature] == HSEL_NOMINAL;
        if (!nominal)
            add_classes(job, w, HSEL_NONE, w->sum);
        for (uint32_t g = 0; nominal && g < w->ordered.groups; g++) {
            add_classes(job, w, g, w->one);
            for (size_t i = 0; i < job->count; i++)
                w->sum[i] = w->one[i] > w->sum[i] ? w->one[i] : w->sum[i];
        }
    }
    for (size_t i = 0; i < job->count; i++)
        job->scores[i][feature] = w->sum[i];
    return HSEL_OK;
}

int hs_threshold_rank(const hs_training *training, const hs_chosen *rankers, size_t count,
                      double *const *scores, hsel_error *error)
{
    struct job job = {.rankers = rankers, .count = count, .scores = scores};
    int status = job_init(&job, training, error);
    if (status == HSEL_OK)
        status = hs_each_column(training, score_feature, &job, error);
    job_clear(&job);
    return status;
}

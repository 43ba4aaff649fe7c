/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fitting proximal-graph: the way of lambdas, inner cross-validation over it, and the final models.
 * Lambda k is the largest times ratio^(k / (lambdas - 1)); each solution starts from the one
 * before. The largest is that of the whole training part, so that a lambda is the same in all inner
 * folds; with several classes each has its own, and one k is chosen for all. k is the one of the
 * best GM over the pooled predictions of the inner folds, of equal ones the sparsest.
 */
#include <math.h>
#include <string.h>

#include "classify/graph_logit.h"
#include "classify/proximal_graph.h"
#include "core/mem.h"
#include "core/progress.h"
#include "data/folds.h"
#include "stats/metrics.h"

struct fitting {
    const hs_training *training;
    const struct proximal_options *options;
    struct proximal_model *model;
    double lambda; /* 0: to be chosen */
    hs_graph_norm norm;
    uint32_t *feature;         /* in use, ascending */
    uint32_t *rows, row_count; /* of the training part, with a class */
    bool *positive;            /* [row_count] */
    double *largest;           /* [parts] */
    double *score;             /* [lambdas * row_count * K]: of inner predictions */
};

static void fitting_clear(struct fitting *f)
{
    hs_graph_norm_clear(&f->norm);
    hs_free(f->feature);
    hs_free(f->rows);
    hs_free(f->positive);
    hs_free(f->largest);
    hs_free(f->score);
}

int hs_proximal_lambda(const struct proximal_options *options, double *out, hsel_error *error)
{
    const char *text = options->lambda;
    *out = 0;
    if (strcmp(text, "auto") == 0 ||
        (hs_parse_double(text, strlen(text), out) && *out > 0 && isfinite(*out)))
        return HSEL_OK;
    return hs_fail(error, HSEL_EUSAGE,
                   "lambda of proximal-graph is auto or a number above 0, not %.60s", text);
}

static int fitting_init(struct fitting *f, hsel_error *error)
{
    const hs_view *view = &f->training->view;
    const hsel_dataset *data = view->data;
    bool *keep = HS_NEW(bool, data->features);
    f->feature = HS_NEW(uint32_t, data->features);
    f->rows = HS_NEW(uint32_t, view->row_count);
    f->positive = HS_NEW(bool, view->row_count);
    f->largest = HS_NEW_ZERO(double, f->model->parts);
    int status = keep && f->feature && f->rows && f->positive && f->largest
                     ? hs_proximal_lambda(f->options, &f->lambda, error)
                     : hs_fail_memory(error);
    for (uint32_t i = 0; i < data->features && status == HSEL_OK; i++)
        if ((keep[i] = hs_view_has(view, i)))
            f->feature[f->model->in_use++] = i;
    for (uint32_t i = 0; i < view->row_count && status == HSEL_OK; i++)
        if (data->class_of[hs_view_row(view, i)] != HSEL_NONE)
            f->rows[f->row_count++] = hs_view_row(view, i);
    if (status == HSEL_OK)
        status = hs_graph_norm_init(data->dag, view->features ? keep : NULL, &f->norm, error);
    hs_free(keep);
    return status;
}

static double lambda_at(const struct fitting *f, uint32_t part, uint32_t k)
{
    uint32_t last = f->options->lambdas - 1;
    return f->largest[part] * pow(f->options->ratio, last ? (double)k / last : 0);
}

/* Which instances are of the class that a part stands for. */
static void label(struct fitting *f, uint32_t part, const uint32_t *rows, uint32_t count)
{
    uint32_t of = f->model->parts == 1 ? 1 : part;
    for (uint32_t i = 0; i < count; i++)
        f->positive[i] = f->training->view.data->class_of[rows[i]] == of;
}

/* ---- inner cross-validation ---- */

/* Scores of the instances [from, to) of the folds' order, by the weights that the solver has. */
static void score_tested(struct fitting *f, const hs_folds *folds, uint32_t fold,
                         const hs_logit *logit, uint32_t k, uint32_t part, const double *spread)
{
    const hsel_dataset *data = f->training->view.data;
    for (uint32_t i = folds->start[fold]; i < folds->start[fold + 1]; i++) {
        uint32_t at = folds->order[i];
        size_t count;
        const uint32_t *row = hs_row(data, f->rows[at], &count);
        double sum = logit->b;
        for (size_t j = 0; j < count; j++)
            sum += spread[row[j]];
        f->score[((size_t)k * f->row_count + at) * f->model->classes + part] = sum;
    }
}

/* Weights of the features in use among all features; a 0 of either sign is 0. */
static void spread_weights(const struct fitting *f, const double *w, double *out)
{
    for (uint32_t i = 0; i < f->model->in_use; i++)
        out[f->feature[i]] = w[i] != 0 ? w[i] : 0;
}

static int try_fold(struct fitting *f, const hs_folds *folds, uint32_t fold, uint32_t *train,
                    double *spread, hsel_error *error)
{
    const struct proximal_options *o = f->options;
    hs_logit_data data = {0};
    hs_logit logit = {0};
    uint32_t count = hs_folds_training(folds, fold, train);
    for (uint32_t i = 0; i < count; i++) /* positions to rows */
        train[i] = f->rows[train[i]];
    int status = hs_logit_data_init(f->training->view.data, train, count, f->feature,
                                    f->model->in_use, &data, error);
    if (status == HSEL_OK)
        status = hs_logit_init(&data, &f->norm, &logit, error);
    for (uint32_t part = 0; part < f->model->parts && status == HSEL_OK; part++) {
        label(f, part, train, count);
        hs_logit_start(&logit, f->positive);
        for (uint32_t k = 0; k < o->lambdas && status == HSEL_OK; k++) {
            hs_logit_solve(&logit, lambda_at(f, part, k), o->tolerance, o->iterations);
            spread_weights(f, logit.w, spread);
            score_tested(f, folds, fold, &logit, k, part, spread);
            status = hs_progress_report(f->training->progress, fold, folds->count,
                                        "choosing lambda", error);
        }
    }
    hs_logit_clear(&logit);
    hs_logit_data_clear(&data);
    return status;
}

/* GM of the classes that the training part has, of the predictions with lambda k. */
static double gm_at(struct fitting *f, uint32_t k, uint32_t *hits, uint32_t *sizes)
{
    uint32_t classes = f->model->classes, present = 0;
    double product = 1;
    memset(hits, 0, classes * sizeof *hits);
    memset(sizes, 0, classes * sizeof *sizes);
    for (uint32_t i = 0; i < f->row_count; i++) {
        double *score = f->score + ((size_t)k * f->row_count + i) * classes;
        uint32_t truth = f->training->view.data->class_of[f->rows[i]];
        hs_proximal_scores(score, classes);
        sizes[truth]++;
        hits[truth] += hs_predicted_class(score, classes) == truth;
    }
    for (uint32_t c = 0; c < classes; c++)
        if (sizes[c]) {
            product *= (double)hits[c] / sizes[c];
            present++;
        }
    return present ? pow(product, 1.0 / present) : 0;
}

static int choose(struct fitting *f, uint32_t *out, hsel_error *error)
{
    const struct proximal_options *o = f->options;
    uint32_t classes = f->model->classes, features = f->training->view.data->features;
    uint32_t count = o->folds < f->row_count ? o->folds : f->row_count;
    hs_view view = {.data = f->training->view.data, .rows = f->rows, .row_count = f->row_count};
    hs_folds folds = {0};
    uint32_t *train = HS_NEW(uint32_t, f->row_count), *hits = HS_NEW(uint32_t, classes);
    uint32_t *sizes = HS_NEW(uint32_t, classes);
    double *spread = HS_NEW_ZERO(double, features), best = -1;
    f->score = HS_NEW_ZERO(double, (size_t)o->lambdas * f->row_count * classes);
    int status = train && hits && sizes && spread && f->score
                     ? hs_folds_of_view(&view, count, f->training->seed, &folds, error)
                     : hs_fail_memory(error);
    for (uint32_t fold = 0; status == HSEL_OK && fold < folds.count; fold++)
        status = try_fold(f, &folds, fold, train, spread, error);
    for (uint32_t k = 0; k < o->lambdas && status == HSEL_OK; k++) {
        double gm = gm_at(f, k, hits, sizes);
        if (gm > best) {
            best = gm;
            *out = k;
        }
    }
    hs_folds_clear(&folds);
    hs_free(train);
    hs_free(hits);
    hs_free(sizes);
    hs_free(spread);
    return status;
}

/* ---- the final models ---- */

static void keep(struct fitting *f, uint32_t part, double lambda, const hs_logit *logit)
{
    struct proximal_part *p = &f->model->part[part];
    *p = (struct proximal_part){.lambda = lambda,
                                .largest = f->largest[part],
                                .objective = logit->objective,
                                .gap = logit->gap,
                                .intercept = logit->b,
                                .iterations = logit->iterations};
    spread_weights(f, logit->w, f->model->weight + (size_t)part * f->model->features);
    for (uint32_t i = 0; i < f->model->in_use; i++)
        p->active += logit->w[i] != 0;
}

/* Down the lambdas to the one that is wanted. */
static void solve_part(struct fitting *f, hs_logit *logit, uint32_t part, uint32_t chosen)
{
    const struct proximal_options *o = f->options;
    double target = f->lambda > 0 ? f->lambda : lambda_at(f, part, chosen);
    label(f, part, f->rows, f->row_count);
    hs_logit_start(logit, f->positive);
    for (uint32_t k = 0; k < o->lambdas && lambda_at(f, part, k) > target; k++)
        hs_logit_solve(logit, lambda_at(f, part, k), o->tolerance, o->iterations);
    if (hs_logit_is_proper(logit))
        hs_logit_solve(logit, target, o->tolerance, o->iterations);
    keep(f, part, target, logit);
}

/* Without two classes to tell apart, or one instance to learn from and one to try, there is nothing
 * to choose. */
static bool can_choose(const struct fitting *f)
{
    for (uint32_t part = 0; part < f->model->parts; part++)
        if (f->largest[part] > 0)
            return f->lambda == 0 && f->row_count > 1;
    return false;
}

static int solve_all(struct fitting *f, hsel_error *error)
{
    hs_logit_data data = {0};
    hs_logit logit = {0};
    uint32_t chosen = 0;
    int status = hs_logit_data_init(f->training->view.data, f->rows, f->row_count, f->feature,
                                    f->model->in_use, &data, error);
    if (status == HSEL_OK)
        status = hs_logit_init(&data, &f->norm, &logit, error);
    for (uint32_t part = 0; part < f->model->parts && status == HSEL_OK; part++) {
        label(f, part, f->rows, f->row_count);
        hs_logit_start(&logit, f->positive);
        f->largest[part] = hs_logit_largest(&logit);
    }
    if (status == HSEL_OK && can_choose(f))
        status = choose(f, &chosen, error);
    for (uint32_t part = 0; part < f->model->parts && status == HSEL_OK; part++)
        solve_part(f, &logit, part, chosen);
    hs_logit_clear(&logit);
    hs_logit_data_clear(&data);
    return status;
}

int hs_proximal_fit(const hs_training *training, const void *options, void **out, hsel_error *error)
{
    const hsel_dataset *data = training->view.data;
    struct fitting f = {.training = training, .options = options};
    f.model = hs_proximal_new(data->features, data->class_names.count);
    int status = f.model ? fitting_init(&f, error) : hs_fail_memory(error);
    if (status == HSEL_OK)
        status = solve_all(&f, error);
    fitting_clear(&f);
    if (status)
        hs_proximal_free(f.model);
    else
        *out = f.model;
    return status;
}

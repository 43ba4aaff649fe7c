/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * FISTA for logistic regression with the graph norm. A feature that all instances at hand have, or
 * none, has a gradient of 0 whatever the weights (the intercept takes care of it), so it is set to
 * 0 exactly and keeps the weight 0.
 *
 * Between two looks at the gap only features at work move: those that have a weight, and the set
 * closed towards ancestors whose gradient most exceeds NEAR lambda. The rest stays at 0, which the
 * proximal operator leaves as it is. The gap is that of all features, so a feature that was left
 * out and should not have been keeps it open, and is at work from then on.
 */
#include "classify/graph_logit.h"

#include <string.h>

#include "core/mem.h"
#include "data/training.h"

#define NEAR      0.8
#define PRODUCT   512  /* factors of at most 2 */
#define NEARLY_ON 1e-7 /* Newton doubles the digits: the next step has all */

void hs_logit_clear(hs_logit *l)
{
    hs_sparse_clear(&l->column);
    hs_arena_clear(&l->memory);
    *l = (hs_logit){0};
}

int hs_logit_init(const hsel_dataset *data, const uint32_t *instances, uint32_t instance_count,
                  const uint32_t *feature, hs_graph_norm *norm, hs_logit *out, hsel_error *error)
{
    const uint32_t n = instance_count, d = norm->dag->nodes;
    *out = (hs_logit){.instances = n, .features = d, .norm = norm};
    double **const by_feature[] = {&out->w, &out->ahead, &out->gradient, &out->trial};
    double **const by_instance[] = {&out->score, &out->score_ahead, &out->score_trial,
                                    &out->residual};
    HS_NEED(out->label = HS_ARENA_NEW(&out->memory, int8_t, n));
    HS_NEED(out->work = HS_ARENA_NEW(&out->memory, uint32_t, d));
    for (int i = 0; i < 4; i++) {
        HS_NEED(*by_feature[i] = HS_ARENA_NEW(&out->memory, double, d));
        HS_NEED(*by_instance[i] = HS_ARENA_NEW(&out->memory, double, n));
    }
    return hs_position_columns(data, feature, d, instances, n, &out->column, error);
}

/* ---- the loss ---- */

double hs_logit_loss(const hs_logit *l, const double *score, double *b, double *residual)
{
    const uint32_t count = l->instances;
    const int8_t *label = l->label;
    const double *weight = l->weight;
    const double total = l->total;
    /* The best intercept: Newton's steps, kept between bounds that the sign of the slope has shown.
     */
    double low = -INFINITY, high = INFINITY, sum = 0;
    for (int round = 0; round < 200; round++) {
        double first = 0, second = 0; /* derivatives of the sum of losses by the intercept */
        for (uint32_t i = 0; i < count; i++) {
            double p = hs_sigmoid(-label[i] * (score[i] + *b)), v = weight ? weight[i] : 1;
            first -= v * (label[i] * p);
            second += v * (p * (1 - p));
        }
        bool last = fabs(first) <= NEARLY_ON * total;
        if (fabs(first) <= 1e-14 * total)
            break;
        *(first > 0 ? &high : &low) = *b;
        double next = *b - first / second;
        if (!(fabs(next - *b) <= 8)) /* far out the curvature says nothing */
            next = *b + (first > 0 ? -8 : 8);
        if (!(next > low && next < high) && isfinite(low) && isfinite(high))
            next = low + (high - low) / 2;
        if (next == *b)
            break;
        *b = next;
        if (last)
            break;
    }
    for (uint32_t from = 0; from < count; from += PRODUCT) { /* one logarithm for many */
        double factors = 1;
        for (uint32_t i = from; i < count && i < from + PRODUCT; i++) {
            double margin = label[i] * (score[i] + *b), e = exp(-fabs(margin)),
                   v = weight ? weight[i] : 1;
            if (weight)
                sum += v * log1p(e);
            else
                factors *= 1 + e;
            sum += margin < 0 ? -v * margin : 0;
            if (residual)
                residual[i] = -v * label[i] * ((margin < 0 ? 1 : e) / (1 + e)) / total;
        }
        sum += log(factors);
    }
    return sum / total;
}

static double slope_of(const hs_logit *l, const double *residual, uint32_t f)
{
    uint64_t i = l->column.start[f], to = l->column.start[f + 1];
    double sum[4] = {0}; /* beside each other */
    if (to - i == l->instances)
        return 0;
    for (; i + 4 <= to; i += 4)
        for (uint64_t j = 0; j < 4; j++)
            sum[j] += residual[l->column.index[i + j]];
    for (; i < to; i++)
        sum[0] += residual[l->column.index[i]];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void hs_logit_gradient(const hs_logit *l, const double *residual, double *gradient)
{
    for (uint32_t f = 0; f < l->features; f++)
        gradient[f] = slope_of(l, residual, f);
}

/* ---- solving ---- */

bool hs_logit_is_proper(const hs_logit *l)
{
    return l->positives > 0 && l->positives < l->instances;
}

void hs_logit_start(hs_logit *l, const bool *positive, const double *weight)
{
    uint32_t n = l->instances;
    double with = 0; /* weight of the positive ones */
    l->positives = 0;
    l->weight = weight;
    l->total = weight ? 0 : n;
    for (uint32_t i = 0; i < n; i++) {
        l->label[i] = positive[i] ? 1 : -1;
        l->positives += positive[i];
        l->total += weight ? weight[i] : 0;
        with += !positive[i] ? 0 : weight ? weight[i] : 1;
    }
    memset(l->w, 0, l->features * sizeof *l->w);
    memset(l->score, 0, n * sizeof *l->score);
    l->b = log((with + 1.0) / (l->total - with + 1.0));
    l->objective = l->gap = 0;
    l->iterations = 0;
    /* the greatest variance of a feature bounds L from below; backtracking does the rest */
    double most = 0;
    for (uint32_t f = 0; f < l->features; f++) {
        double share = (double)(l->column.start[f + 1] - l->column.start[f]) / n;
        if (weight) {
            share = 0;
            for (uint64_t i = l->column.start[f]; i < l->column.start[f + 1]; i++)
                share += weight[l->column.index[i]] / l->total;
        }
        most = share * (1 - share) > most ? share * (1 - share) : most;
    }
    l->smoothness = most > 0 ? most / 4 : 1;
}

double hs_logit_largest(hs_logit *l)
{
    double b = l->b;
    if (!hs_logit_is_proper(l))
        return 0;
    memset(l->score_trial, 0, l->instances * sizeof *l->score_trial);
    hs_logit_loss(l, l->score_trial, &b, l->residual);
    hs_logit_gradient(l, l->residual, l->gradient);
    return hs_graph_norm_dual(l->norm, l->gradient, 0);
}

static double entropy_term(double p) { return p > 0 ? p * log(p) : 0; }

/* Objective at w (whose scores and intercept are there), and its gap to the dual. Uses residual and
 * gradient. */
static void measure(hs_logit *l, double lambda)
{
    uint32_t n = l->instances;
    double loss = hs_logit_loss(l, l->score, &l->b, l->residual), dual = 0;
    l->objective = loss + lambda * hs_graph_norm_value(l->norm, l->w);
    hs_logit_gradient(l, l->residual, l->gradient);
    double scale = lambda / hs_graph_norm_dual(l->norm, l->gradient, lambda);
    for (uint32_t i = 0; i < n; i++) {
        double v = l->weight ? l->weight[i] : 1;
        double p = scale * fabs(l->residual[i]) * l->total / v;
        dual -= v * (entropy_term(p) + entropy_term(1 - p));
    }
    l->gap = (l->objective - dual / l->total) / l->objective;
    l->gap = l->gap > 0 ? l->gap : 0;
}

/* After `measure`. */
static void choose_work(hs_logit *l, double lambda)
{
    const bool *near = hs_graph_norm_best(l->norm, l->gradient, NEAR * lambda);
    l->work_count = 0;
    for (uint32_t f = 0; f < l->features; f++)
        if (near[f] || l->w[f] != 0 || l->ahead[f] != 0)
            l->work[l->work_count++] = f;
    memset(l->trial, 0, l->features * sizeof *l->trial);
}

/* Scores of weights, of all features or of those at work. */
static void add_up(const hs_logit *l, const double *w, const uint32_t *list, uint32_t count,
                   double *score)
{
    memset(score, 0, l->instances * sizeof *score);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t f = list ? list[k] : k;
        for (uint64_t i = l->column.start[f]; w[f] != 0 && i < l->column.start[f + 1]; i++)
            score[l->column.index[i]] += w[f];
    }
}

void hs_logit_move(hs_logit *l, const double *by)
{
    for (uint32_t f = 0; f < l->features; f++) {
        uint64_t size = l->column.start[f + 1] - l->column.start[f];
        if (size > 0 && size < l->instances) /* others keep the weight 0 */
            l->w[f] += by[f];
    }
    add_up(l, l->w, NULL, l->features, l->score);
}

/* trial becomes w, and ahead lies beyond it by `momentum`. True if the momentum led uphill. */
static bool advance(double *w, double *ahead, const double *trial, const uint32_t *list,
                    uint32_t count, double momentum)
{
    double uphill = 0;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = list ? list[k] : k;
        double moved = trial[i] - w[i];
        uphill += (ahead[i] - trial[i]) * moved;
        ahead[i] = trial[i] + momentum * moved;
        w[i] = trial[i];
    }
    return uphill > 0;
}

void hs_logit_solve(hs_logit *l, double lambda, double tolerance, uint32_t most)
{
    uint32_t n = l->instances, d = l->features;
    double t = 1;
    l->smoothness *= 0.6; /* it is less demanding here, perhaps */
    l->iterations = 0;
    if (!hs_logit_is_proper(l))
        return;
    memcpy(l->ahead, l->w, d * sizeof *l->w);
    memcpy(l->score_ahead, l->score, n * sizeof *l->score);
    measure(l, lambda);
    choose_work(l, lambda);
    while (l->gap > tolerance && l->iterations < most) {
        double next = (1 + sqrt(1 + 4 * t * t)) / 2, momentum = (t - 1) / next;
        /* a proximal step from `ahead`, with L as large as it must be: into trial, score_trial */
        double here = hs_logit_loss(l, l->score_ahead, &l->b, l->residual);
        bool is_low = false;
        for (uint32_t k = 0; k < l->work_count; k++)
            l->gradient[l->work[k]] = slope_of(l, l->residual, l->work[k]);
        for (int round = 0; round < 60 && !is_low; round++) {
            double bound = here, b = l->b;
            for (uint32_t k = 0; k < l->work_count; k++) {
                uint32_t f = l->work[k];
                l->trial[f] = l->ahead[f] - l->gradient[f] / l->smoothness;
            }
            hs_graph_norm_prox(l->norm, l->trial, lambda / l->smoothness, l->trial);
            for (uint32_t k = 0; k < l->work_count; k++) {
                uint32_t f = l->work[k];
                double moved = l->trial[f] - l->ahead[f];
                bound += moved * (l->gradient[f] + l->smoothness / 2 * moved);
            }
            add_up(l, l->trial, l->work, l->work_count, l->score_trial);
            is_low = hs_logit_loss(l, l->score_trial, &b, NULL) <= bound + 1e-13 * here;
            if (is_low)
                l->b = b;
            else
                l->smoothness *= 1.5;
        }
        bool uphill = advance(l->w, l->ahead, l->trial, l->work, l->work_count, momentum);
        advance(l->score, l->score_ahead, l->score_trial, NULL, n, momentum);
        t = next;
        if (uphill) {
            memcpy(l->ahead, l->w, d * sizeof *l->w);
            memcpy(l->score_ahead, l->score, n * sizeof *l->score);
            t = 1;
        }
        if (++l->iterations % 10 == 0 || l->iterations == most) {
            measure(l, lambda);
            choose_work(l, lambda);
        }
    }
}

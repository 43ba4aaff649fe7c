/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * FISTA for linear models with the graph norm. A feature that is the same in all given instances
 * has a gradient of 0 whatever the weights (the intercept takes care of it), so it is set to 0
 * exactly and keeps the weight 0.
 *
 * Between two computations of the gap only active features move: those that have a weight, and the
 * set closed towards ancestors whose gradient most exceeds NEAR lambda. The others stay at 0, which
 * the proximal operator keeps. The gap is that of all features, so a feature that was left out by
 * mistake keeps the gap open and becomes active.
 */
#include "classify/graph_fit.h"

#include <float.h>

#include "classify/classify.h"

#define NEAR      0.8
#define PRODUCT   512  /* factors of at most 2 */
#define NEARLY_ON 1e-7 /* Newton doubles the digits: the next step has all */
#define NOTHING   1e-8 /* relative norm below which a column is a combination of others */

/* ---- columns ---- */

void hs_design_clear(hs_design *d)
{
    hs_sparse_clear(&d->column);
    HS_FREE(d->value, d->free);
    *d = (hs_design){0};
}

int hs_design_part(const hs_design *whole, const uint32_t *instances, uint32_t count,
                   hs_design *out, hsel_error *error)
{
    const hs_sparse *from = &whole->column;
    const uint64_t values = from->start[from->lists];
    HS_OWNED uint32_t *place = hs_new_none(whole->instances);
    uint64_t used = 0;
    *out = (hs_design){.instances = count, .free_columns = whole->free_columns};
    HS_NEED(place);
    HS_TRY(hs_sparse_init(&out->column, from->lists, values, error));
    if (whole->value)
        HS_NEED(out->value = HS_NEW(double, values));
    HS_NEED(out->free = HS_NEW(double, (size_t)whole->free_columns *count));
    for (uint32_t i = 0; i < count; i++)
        place[instances[i]] = i;
    for (uint32_t f = 0; f < from->lists; f++) {
        for (uint64_t i = from->start[f]; i < from->start[f + 1]; i++) {
            if (place[from->index[i]] == HSEL_NONE)
                continue;
            if (whole->value)
                out->value[used] = whole->value[i];
            out->column.index[used++] = place[from->index[i]];
        }
        out->column.start[f + 1] = used;
    }
    for (uint32_t j = 0; j < whole->free_columns; j++)
        for (uint32_t i = 0; i < count; i++)
            out->free[(size_t)j * count + i] =
                whole->free[(size_t)j * whole->instances + instances[i]];
    return HSEL_OK;
}

void hs_design_add(const hs_design *d, uint32_t f, double w, double *score)
{
    const uint64_t to = d->column.start[f + 1];
    if (w == 0)
        return;
    for (uint64_t i = d->column.start[f]; d->value && i < to; i++)
        score[d->column.index[i]] += w * d->value[i];
    for (uint64_t i = d->column.start[f]; !d->value && i < to; i++)
        score[d->column.index[i]] += w;
}

double hs_design_slope(const hs_design *d, uint32_t f, const double *residual)
{
    uint64_t i = d->column.start[f], to = d->column.start[f + 1];
    double sum[4] = {0}; /* beside each other */
    for (; i + 4 <= to && !d->value; i += 4)
        for (uint64_t j = 0; j < 4; j++)
            sum[j] += residual[d->column.index[i + j]];
    for (; i + 4 <= to; i += 4)
        for (uint64_t j = 0; j < 4; j++)
            sum[j] += d->value[i + j] * residual[d->column.index[i + j]];
    for (; i < to; i++)
        sum[0] += (d->value ? d->value[i] : 1) * residual[d->column.index[i]];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void hs_design_scores(const hs_design *d, const double *w, double *out)
{
    memset(out, 0, d->instances * sizeof *out);
    for (uint32_t f = 0; f < d->column.lists; f++)
        hs_design_add(d, f, w[f], out);
}

void hs_graph_fit_clear(hs_graph_fit *l)
{
    hs_arena_clear(&l->memory);
    *l = (hs_graph_fit){0};
}

int hs_graph_fit_init(const hs_design *design, hs_graph_norm *norm, hs_graph_fit *out,
                      hsel_error *error)
{
    const uint32_t n = design->instances, d = norm->dag->nodes;
    const size_t q = design->free_columns;
    *out = (hs_graph_fit){.instances = n, .features = d, .design = design, .norm = norm};
    HS_NEED(HS_LISTS(
        &out->memory, out, HS_PART(out, label, n), HS_PART(out, work, d), HS_PART(out, fixed, d),
        HS_PART(out, w, d), HS_PART(out, ahead, d), HS_PART(out, gradient, d),
        HS_PART(out, trial, d), HS_PART(out, score, n), HS_PART(out, score_ahead, n),
        HS_PART(out, score_trial, n), HS_PART(out, residual, n), HS_PART(out, b, q + 1),
        HS_PART(out, b_trial, q + 1), HS_PART(out, basis, q * n), HS_PART(out, mix, q * q),
        HS_PART(out, newton, q ? n + (q + 1) * (q + 3) : 0)));
    for (uint32_t f = 0; f < d; f++) {
        uint64_t from = design->column.start[f], to = design->column.start[f + 1];
        out->fixed[f] = to == from || to - from == n;
        for (uint64_t i = from; design->value && out->fixed[f] && i < to; i++)
            out->fixed[f] = design->value[i] == design->value[from];
    }
    return HSEL_OK;
}

/* ---- the loss ---- */

static inline double weight_of(const hs_graph_fit *l, uint32_t i)
{
    return l->weight ? l->weight[i] : 1;
}

/* The best intercept: Newton's steps, kept within bounds known from the sign of the slope. */
static void best_intercept(const hs_graph_fit *l, const double *score, double *b)
{
    const uint32_t count = l->instances;
    const int8_t *label = l->label;
    const double *weight = l->weight;
    const double total = l->total;
    double low = -INFINITY, high = INFINITY;
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
        if (!(fabs(next - *b) <= 8)) /* far out the curvature carries no information */
            next = *b + (first > 0 ? -8 : 8);
        if (!(next > low && next < high) && isfinite(low) && isfinite(high))
            next = low + (high - low) / 2;
        if (next == *b)
            break;
        *b = next;
        if (last)
            break;
    }
}

static double logistic_loss(const hs_graph_fit *l, const double *score, double b, double *residual)
{
    const uint32_t count = l->instances;
    const int8_t *label = l->label;
    const double *weight = l->weight;
    const double total = l->total;
    double sum = 0;
    for (uint32_t from = 0; from < count; from += PRODUCT) { /* one logarithm for many */
        double factors = 1;
        for (uint32_t i = from; i < count && i < from + PRODUCT; i++) {
            double margin = label[i] * (score[i] + b), e = exp(-fabs(margin)),
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

/* out = score + basis.b, without the intercept */
static void add_free(const hs_graph_fit *l, const double *score, const double *b, double *out)
{
    const uint32_t n = l->instances;
    memcpy(out, score, n * sizeof *out);
    for (uint32_t j = 0; j < l->design->free_columns; j++)
        for (uint32_t i = 0; i < n && b[j + 1] != 0; i++)
            out[i] += b[j + 1] * l->basis[(size_t)j * n + i];
}

/* Solves h x = g for a symmetric, positive definite h[m * m]; x replaces g. */
static void solve_symmetric(double *h, double *g, uint32_t m)
{
    for (uint32_t i = 0; i < m; i++)
        for (uint32_t j = 0; j <= i; j++) {
            double sum = h[i * m + j];
            for (uint32_t k = 0; k < j; k++)
                sum -= h[i * m + k] * h[j * m + k];
            h[i * m + j] = i == j ? sqrt(fmax(sum, DBL_MIN)) : sum / h[j * m + j];
        }
    for (uint32_t i = 0; i < m; i++) {
        for (uint32_t k = 0; k < i; k++)
            g[i] -= h[i * m + k] * g[k];
        g[i] /= h[i * m + i];
    }
    for (uint32_t i = m; i-- > 0;) {
        for (uint32_t k = i + 1; k < m; k++)
            g[i] -= h[k * m + i] * g[k];
        g[i] /= h[i * m + i];
    }
}

/* Entry i of column j of those not penalised: the intercept's 1, then the basis. */
static inline double free_value(const hs_graph_fit *l, uint32_t j, uint32_t i)
{
    return j ? l->basis[(size_t)(j - 1) * l->instances + i] : 1;
}

/* The best b with free columns: Newton's steps, halved until the loss, which is convex, is lower.
 * Returns that; `sum` holds the scores with it, but for the intercept. */
static double best_free(const hs_graph_fit *l, const double *score, double *b, double *sum)
{
    const uint32_t n = l->instances, m = l->design->free_columns + 1;
    double *h = sum + n, *g = h + (size_t)m * m, *next = g + m;
    add_free(l, score, b, sum);
    double loss = logistic_loss(l, sum, b[0], NULL);
    for (int round = 0; round < 100; round++) {
        double largest = 0, step = 1, lower = INFINITY;
        memset(h, 0, (size_t)m * (m + 1) * sizeof *h); /* and g */
        for (uint32_t i = 0; i < n; i++) {
            double p = hs_sigmoid(-l->label[i] * (sum[i] + b[0])), v = weight_of(l, i) / l->total;
            for (uint32_t j = 0; j < m; j++) {
                double z = free_value(l, j, i);
                g[j] += v * l->label[i] * p * z;
                for (uint32_t k = 0; k <= j; k++)
                    h[j * m + k] += v * p * (1 - p) * z * free_value(l, k, i);
            }
        }
        for (uint32_t j = 0; j < m; j++) {
            largest = fmax(largest, fabs(g[j]));
            h[j * m + j] += 1e-12;
        }
        if (largest <= 1e-13)
            break;
        solve_symmetric(h, g, m);
        for (uint32_t j = 0; j < m; j++)
            step = fmin(step, 8 / fabs(g[j])); /* far out the curvature carries no information */
        for (int half = 0; half < 40 && !(lower <= loss); half++, step /= 2) {
            for (uint32_t j = 0; j < m; j++)
                next[j] = b[j] + step * g[j];
            add_free(l, score, next, sum);
            lower = logistic_loss(l, sum, next[0], NULL);
        }
        if (!(lower <= loss))
            break;
        memcpy(b, next, m * sizeof *b);
        if (largest <= NEARLY_ON)
            break;
        loss = lower;
    }
    add_free(l, score, b, sum);
    return loss;
}

/* The basis is orthogonal, so each b is a product. */
static double squared_loss(const hs_graph_fit *l, const double *score, double *b, double *residual)
{
    const uint32_t n = l->instances, m = l->design->free_columns + 1;
    double *rest = residual ? residual : l->residual, loss = 0;
    for (uint32_t i = 0; i < n; i++)
        rest[i] = score[i] - l->number[i];
    for (uint32_t j = 0; j < m; j++) {
        b[j] = 0;
        for (uint32_t i = 0; i < n; i++)
            b[j] -= weight_of(l, i) * rest[i] * free_value(l, j, i);
        b[j] /= l->total;
        for (uint32_t i = 0; i < n; i++)
            rest[i] += b[j] * free_value(l, j, i);
    }
    for (uint32_t i = 0; i < n; i++) {
        double v = weight_of(l, i) / l->total;
        loss += v * rest[i] * rest[i] / 2;
        rest[i] *= v;
    }
    return loss;
}

double hs_graph_fit_loss(const hs_graph_fit *l, const double *score, double *b, double *residual)
{
    if (l->number)
        return squared_loss(l, score, b, residual);
    if (l->design->free_columns) {
        best_free(l, score, b, l->newton);
        score = l->newton;
    } else {
        best_intercept(l, score, b);
    }
    return logistic_loss(l, score, *b, residual);
}

static double slope_of(const hs_graph_fit *l, const double *residual, uint32_t f)
{
    return l->fixed[f] ? 0 : hs_design_slope(l->design, f, residual);
}

void hs_graph_fit_gradient(const hs_graph_fit *l, const double *residual, double *gradient)
{
    for (uint32_t f = 0; f < l->features; f++)
        gradient[f] = slope_of(l, residual, f);
}

/* ---- solving ---- */

/* By Gram and Schmidt's method, twice for each column. */
static void make_basis(hs_graph_fit *l)
{
    const uint32_t n = l->instances, q = l->design->free_columns;
    memset(l->mix, 0, (size_t)q * q * sizeof *l->mix);
    for (uint32_t j = 0; j < q; j++) {
        double *own = l->basis + (size_t)j * n, before = 0, square = 0;
        memcpy(own, l->design->free + (size_t)j * n, n * sizeof *own);
        for (int twice = 0; twice < 2; twice++) {
            for (uint32_t k = 0; k <= j; k++) { /* the constant first */
                double product = 0;
                for (uint32_t i = 0; i < n; i++)
                    product += weight_of(l, i) * own[i] * free_value(l, k, i) / l->total;
                for (uint32_t i = 0; i < n; i++)
                    own[i] -= product * free_value(l, k, i);
                if (k)
                    l->mix[(size_t)j * q + k - 1] += product;
                for (uint32_t i = 0; !k && !twice && i < n; i++)
                    before += weight_of(l, i) * own[i] * own[i] / l->total;
            }
        }
        for (uint32_t i = 0; i < n; i++)
            square += weight_of(l, i) * own[i] * own[i] / l->total;
        bool none = !(square > NOTHING * NOTHING * before);
        l->mix[(size_t)j * q + j] = none ? 0 : sqrt(square);
        for (uint32_t i = 0; i < n; i++)
            own[i] = none ? 0 : own[i] / sqrt(square);
    }
}

double hs_graph_fit_free(const hs_graph_fit *l, double *out)
{
    const uint32_t n = l->instances, q = l->design->free_columns;
    double intercept = l->b[0];
    for (uint32_t j = q; j-- > 0;) { /* sum over j of out[j] mix[j][k] = b[k + 1] */
        double rest = l->b[j + 1], own = l->mix[(size_t)j * q + j], mean = 0;
        for (uint32_t k = j + 1; k < q; k++)
            rest -= out[k] * l->mix[(size_t)k * q + j];
        out[j] = own > 0 ? rest / own : 0;
        for (uint32_t i = 0; i < n; i++)
            mean += weight_of(l, i) * l->design->free[(size_t)j * n + i] / l->total;
        intercept -= out[j] * mean;
    }
    return intercept;
}

void hs_graph_fit_start(hs_graph_fit *l, const bool *positive, const double *number,
                        const double *weight)
{
    const hs_design *d = l->design;
    const uint32_t n = l->instances;
    double with = 0; /* weight of the positive ones */
    uint32_t positives = 0;
    l->weight = weight;
    l->number = number;
    l->largest = INFINITY;
    l->total = weight ? 0 : n;
    for (uint32_t i = 0; i < n; i++) {
        bool yes = number ? number[i] != number[0] : positive[i];
        l->label[i] = yes ? 1 : -1;
        positives += yes;
        l->total += weight ? weight[i] : 0;
        with += !yes ? 0 : weight_of(l, i);
    }
    l->proper = number ? positives > 0 : positives > 0 && positives < n;
    memset(l->w, 0, l->features * sizeof *l->w);
    memset(l->score, 0, n * sizeof *l->score);
    memset(l->b, 0, (d->free_columns + 1) * sizeof *l->b);
    make_basis(l);
    l->b[0] = number ? 0 : log((with + 1.0) / (l->total - with + 1.0));
    l->objective = l->gap = l->loss = 0;
    l->iterations = 0;
    if (number) /* if they are equal this is the solution */
        l->loss = hs_graph_fit_loss(l, l->score, l->b, l->residual);
    /* the greatest variance of a feature bounds L from below; backtracking does the rest */
    double most = 0;
    for (uint32_t f = 0; f < l->features; f++) {
        double share = (double)(d->column.start[f + 1] - d->column.start[f]) / n, square = share;
        if (weight || d->value) {
            share = square = 0;
            for (uint64_t i = d->column.start[f]; i < d->column.start[f + 1]; i++) {
                double x = d->value ? d->value[i] : 1,
                       v = weight_of(l, d->column.index[i]) / l->total;
                share += v * x;
                square += v * x * x;
            }
        }
        most = fmax(most, square - share * share);
    }
    l->smoothness = most > 0 ? number ? most : most / 4 : 1;
}

double hs_graph_fit_largest(hs_graph_fit *l)
{
    if (!l->proper)
        return 0;
    memcpy(l->b_trial, l->b, (l->design->free_columns + 1) * sizeof *l->b);
    memset(l->score_trial, 0, l->instances * sizeof *l->score_trial);
    hs_graph_fit_loss(l, l->score_trial, l->b_trial, l->residual);
    hs_graph_fit_gradient(l, l->residual, l->gradient);
    l->largest = hs_graph_norm_dual(l->norm, l->gradient, 0);
    if (l->number && l->largest < 1e-12) /* the free columns explain the numbers */
        l->largest = 0;
    return l->largest;
}

static double entropy_term(double p) { return p > 0 ? p * log(p) : 0; }

/* Objective at w (whose scores and b are there), and its gap to the dual. Uses residual and
 * gradient. */
static void measure_gap(hs_graph_fit *l, double lambda)
{
    uint32_t n = l->instances;
    double dual = 0;
    l->loss = hs_graph_fit_loss(l, l->score, l->b, l->residual);
    l->objective = l->loss + lambda * hs_graph_norm_value(l->norm, l->w);
    hs_graph_fit_gradient(l, l->residual, l->gradient);
    double scale = lambda / hs_graph_norm_dual(l->norm, l->gradient, lambda);
    for (uint32_t i = 0; i < n; i++) {
        double v = weight_of(l, i), p = scale * fabs(l->residual[i]) * l->total / v;
        if (l->number) /* minus the conjugate of the loss */
            dual -= v * p * p / 2 + scale * l->residual[i] * l->total * l->number[i];
        else
            dual -= v * (entropy_term(p) + entropy_term(1 - p));
    }
    l->gap = (l->objective - dual / l->total) / l->objective;
    l->gap = l->gap > 0 && l->objective > 1e-12 ? l->gap : 0;
}

/* After measure_gap. */
static void choose_work(hs_graph_fit *l, double lambda)
{
    const bool *near = hs_graph_norm_best(l->norm, l->gradient, NEAR * lambda);
    l->work_count = 0;
    for (uint32_t f = 0; f < l->features; f++)
        if (near[f] || l->w[f] != 0 || l->ahead[f] != 0)
            l->work[l->work_count++] = f;
    memset(l->trial, 0, l->features * sizeof *l->trial);
}

void hs_graph_fit_move(hs_graph_fit *l, const double *by)
{
    for (uint32_t f = 0; f < l->features; f++)
        l->w[f] += l->fixed[f] ? 0 : by[f];
    hs_design_scores(l->design, l->w, l->score);
}

/* trial becomes w, and ahead lies beyond it by `momentum`. True if the momentum led uphill. */
static bool advance_solution(double *w, double *ahead, const double *trial, const uint32_t *list,
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

void hs_graph_fit_solve(hs_graph_fit *l, double lambda, double tolerance, uint32_t most)
{
    uint32_t n = l->instances, d = l->features;
    double t = 1;
    l->smoothness *= 0.6; /* a smaller L may do here */
    l->iterations = 0;
    if (!l->proper)
        return;
    if (l->largest == 0) {
        l->objective = l->loss = hs_graph_fit_loss(l, l->score, l->b, l->residual);
        return;
    }
    memcpy(l->ahead, l->w, d * sizeof *l->w);
    memcpy(l->score_ahead, l->score, n * sizeof *l->score);
    measure_gap(l, lambda);
    choose_work(l, lambda);
    while (l->gap > tolerance && l->iterations < most) {
        double next = (1 + sqrt(1 + 4 * t * t)) / 2, momentum = (t - 1) / next;
        /* a proximal step from `ahead`, with L as large as it must be: into trial, score_trial */
        double here = hs_graph_fit_loss(l, l->score_ahead, l->b, l->residual);
        bool is_low = false;
        for (uint32_t k = 0; k < l->work_count; k++)
            l->gradient[l->work[k]] = slope_of(l, l->residual, l->work[k]);
        for (int round = 0; round < 60 && !is_low; round++) {
            double bound = here;
            memcpy(l->b_trial, l->b, (l->design->free_columns + 1) * sizeof *l->b);
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
            memset(l->score_trial, 0, n * sizeof *l->score_trial);
            for (uint32_t k = 0; k < l->work_count; k++)
                hs_design_add(l->design, l->work[k], l->trial[l->work[k]], l->score_trial);
            is_low = hs_graph_fit_loss(l, l->score_trial, l->b_trial, NULL) <= bound + 1e-13 * here;
            if (is_low)
                memcpy(l->b, l->b_trial, (l->design->free_columns + 1) * sizeof *l->b);
            else
                l->smoothness *= 1.5;
        }
        bool uphill = advance_solution(l->w, l->ahead, l->trial, l->work, l->work_count, momentum);
        advance_solution(l->score, l->score_ahead, l->score_trial, NULL, n, momentum);
        t = next;
        if (uphill) {
            memcpy(l->ahead, l->w, d * sizeof *l->w);
            memcpy(l->score_ahead, l->score, n * sizeof *l->score);
            t = 1;
        }
        if (++l->iterations % 10 == 0 || l->iterations == most) {
            measure_gap(l, lambda);
            choose_work(l, lambda);
        }
    }
}

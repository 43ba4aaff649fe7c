/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Logistic regression (of several classes: multinomial), or linear regression for a number, with a
 * ridge, lasso or elastic-net penalty:
 *
 *     min over w, b of  1/W sum over i of v_i loss_i + lambda (alpha |w|_1 + (1 - alpha)/2 |w|^2)
 *
 * where loss_i is -log P(y_i | x_i), or (y_i - w.x_i - b)^2 / 2; v_i is the weight of instance i
 * and W their sum. Two classes have one w, more have one each, and P(c) ~ exp(w_c.x + b_c). So
 * lambda is that of glmnet, and 1 / (C W) for scikit-learn's C. Intercepts and covariates have no
 * penalty. Features are columns as in linear_model.h: of binary features and values of nominal ones
 * 0 and 1 (unless scale=all), numeric ones standardised.
 *
 * lambda=auto takes the lambda of least log loss (squared error) over the pooled instances of inner
 * folds. The folds go down a path of lambdas together, each from its last solution, down to a tenth
 * of the best lambda: small lambdas take longest, and the loss usually has one minimum. The path of
 * the lasso begins where all weights are 0, that of ridge where the trace of the Hessian is lambda,
 * so that there is less than one degree of freedom.
 *
 * Newton's method. For ridge a step solves with the Hessian, which is never written down, by
 * conjugate gradients scaled by its diagonal, in O(K x values) per product. With a lasso it
 * minimises the quadratic approximation, of one class after the other, by coordinate descent over
 * the weights that are not 0, and over all of them in turn (Friedman, Hastie, Tibshirani 2010).
 * Steps are shortened until the objective falls. It ends when no derivative is further from optimal
 * than a part of the largest at w = 0. Memory O(K (n + d) + values), in inner folds once for each.
 *
 * A class that does not occur has no weights, and the odds of one instance. Not for lazy selectors:
 * what the selection leaves out would count as 0.
 */
#include "classify/linear_model.h"

#define PATH_END  1e-6 /* the least lambda, as a part of the largest … */
#define LASSO_END 1e-3 /* … of lasso and elastic net */
#define STEPS     31   /* most lambdas of a path */
#define ON_PATH   1e-4 /* derivatives to stop at, as parts of the largest at the beginning … */
#define EXACT     1e-9
#define ENOUGH    1e-6 /* … a larger one is noted */
#define ROUNDS    200  /* of Newton's method */
#define PRODUCTS  500  /* of conjugate gradients, in a round … */
#define SWEEPS    200  /* … or of coordinate descent */

enum { PENALTY_RIDGE, PENALTY_LASSO, PENALTY_ELASTIC };

struct options {
    hs_adjust_options adjust; /* comes first */
    int penalty, scale;
    double l1_ratio;
    const char *lambda;
    uint32_t folds;
};

static const hs_option table[] = {
    HS_ADJUST,
    HS_CHOICE(struct options, penalty, "penalty", "ridge|lasso|elastic", "ridge",
              "penalty of weights: their squares, their absolute values, or a mixture (l1-ratio)"),
    HS_OPTION(struct options, l1_ratio, "l1-ratio", "R", "0.5", 0.01, 0.99,
              "share of the lasso in the elastic net"),
    HS_TEXT(struct options, lambda, "lambda", "auto|NUMBER", "auto",
            "weight of the penalty, as glmnet's lambda; auto chooses it in inner folds of the "
            "training part, by log loss or squared error"),
    HS_OPTION(struct options, folds, "folds", "N", "5", 2, 1000, "these inner folds"),
    HS_CHOICE(struct options, scale, "scale", "numeric|all|none", "numeric",
              "which features are divided by their (weighted) standard deviation in the training "
              "part; coefficients refer to the original values"),
    HS_OPTION_END};

static int logistic_check(const void *options, hsel_error *error)
{
    const struct options *o = options;
    double lambda;
    HS_TRY(hs_adjust_check(options, error));
    HS_TRY(hs_linear_lambda("logistic", o->lambda, &lambda, error));
    if (o->l1_ratio != 0.5 && o->penalty != PENALTY_ELASTIC)
        return hs_fail(error, HSEL_EUSAGE, "{:l1-ratio} has no effect without penalty=elastic");
    if (o->folds != 5 && lambda > 0)
        return hs_fail(error, HSEL_EUSAGE, "{:folds} has no effect with a given lambda");
    return HSEL_OK;
}

/* ---- solving ---- */

/* Vectors of weights have a list [columns] and an intercept for each part. */
struct solver {
    const hs_design *design;
    uint32_t count, columns, parts;
    size_t width, size;        /* columns + 1; parts * width */
    const bool *free;          /* [columns]: not penalised */
    const double *number;      /* [n]; NULL: classes, … */
    const uint32_t *label;     /* … of two classes 0 and 1, else the part */
    const double *share;       /* [n]: weights of instances, which sum to 1 */
    double lasso, ridge;       /* lambda alpha, lambda (1 - alpha) */
    double *w;                 /* the solution */
    double loss, objective;    /* at w */
    double initial;            /* the largest derivative of a penalised weight at w = 0 */
    double off;                /* the derivative that is furthest from optimal, at w */
    uint32_t rounds;           /* of the last solution */
    double *score;             /* [parts][n]: at w */
    double *p;                 /* [parts][n]: probabilities there (of two classes: of class 1) */
    double *residual, *change; /* [parts][n] */
    double *gradient, *trial;  /* of the loss and the ridge; */
    double *direction, *rest, *search, *scale, *image; /* of conjugate gradients */
};

static void set_scores(const struct solver *s, const double *w, double *score)
{
    for (uint32_t k = 0; k < s->parts; k++) {
        const double *own = w + k * s->width;
        double *out = score + (size_t)k * s->count;
        for (uint32_t i = 0; i < s->count; i++)
            out[i] = own[s->columns];
        for (uint32_t f = 0; f < s->columns; f++)
            hs_design_add(s->design, f, own[f], out);
    }
}

/* out = X' residual, for each part; with `only` [size] just where that is not 0 */
static void sum_columns(const struct solver *s, const double *residual, const double *only,
                        double *out)
{
    for (uint32_t k = 0; k < s->parts; k++) {
        const double *own = residual + (size_t)k * s->count;
        const size_t at = k * s->width;
        out[at + s->columns] = 0;
        for (uint32_t i = 0; i < s->count; i++)
            out[at + s->columns] += own[i];
        for (uint32_t f = 0; f < s->columns; f++)
            out[at + f] = only && only[at + f] == 0 ? 0 : hs_design_slope(s->design, f, own);
    }
}

/* The loss at s->score; with `learns` also probabilities and residuals. */
static double compute_loss(struct solver *s, bool learns)
{
    const size_t n = s->count;
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        const double v = s->share[i];
        double loss, total = 0, most = -INFINITY;
        if (s->number) {
            double missed = s->score[i] - s->number[i];
            loss = missed * missed / 2;
            s->residual[i] = v * missed;
        } else if (s->parts == 1) {
            const double margin = s->label[i] ? s->score[i] : -s->score[i], e = exp(-fabs(margin));
            loss = log1p(e) + (margin < 0 ? -margin : 0);
            if (learns) {
                s->p[i] = hs_sigmoid(s->score[i]);
                s->residual[i] = (s->label[i] ? -v : v) * (margin < 0 ? 1 : e) / (1 + e);
            }
        } else {
            for (uint32_t k = 0; k < s->parts; k++)
                most = fmax(most, s->score[k * n + i]);
            for (uint32_t k = 0; k < s->parts; k++)
                total += s->p[k * n + i] = exp(s->score[k * n + i] - most);
            loss = log(total) - (s->score[s->label[i] * n + i] - most);
            for (uint32_t k = 0; k < s->parts; k++) {
                s->p[k * n + i] /= total;
                s->residual[k * n + i] = v * (s->p[k * n + i] - (s->label[i] == k));
            }
        }
        sum += v * loss;
    }
    return sum;
}

static inline bool is_penalised(const struct solver *s, size_t at)
{
    const size_t f = at % s->width;
    return f < s->columns && !s->free[f];
}

static double penalty(const struct solver *s, const double *w)
{
    double sum = 0;
    for (size_t at = 0; at < s->size; at++)
        if (w[at] != 0 && is_penalised(s, at))
            sum += s->lasso * fabs(w[at]) + s->ridge / 2 * w[at] * w[at];
    return sum;
}

/* Loss, objective and gradient at w, from its scores. */
static void evaluate_weights(struct solver *s)
{
    s->loss = compute_loss(s, true);
    s->objective = s->loss + penalty(s, s->w);
    sum_columns(s, s->residual, NULL, s->gradient);
    s->off = 0;
    for (size_t at = 0; at < s->size; at++) {
        const bool penalised = is_penalised(s, at);
        double g = s->gradient[at] += penalised ? s->ridge * s->w[at] : 0;
        if (penalised && s->lasso > 0)
            g = s->w[at] != 0 ? g + copysign(s->lasso, s->w[at]) : fmax(0, fabs(g) - s->lasso);
        s->off = fmax(s->off, fabs(g));
    }
}

/* Accepts `trial` as w if its objective is at most `bound`. */
static bool try_out(struct solver *s, double bound)
{
    set_scores(s, s->trial, s->score);
    if (!(compute_loss(s, false) + penalty(s, s->trial) <= bound + 1e-14 * fabs(bound)))
        return false;
    memcpy(s->w, s->trial, s->size * sizeof *s->w);
    return true;
}

/* out = the Hessian times d, where `scale` is not 0 */
static void multiply_hessian(struct solver *s, const double *d, double *out)
{
    const size_t n = s->count;
    set_scores(s, d, s->change);
    for (uint32_t i = 0; i < n; i++) {
        double mean = 0;
        for (uint32_t k = 0; k < s->parts && s->parts > 1; k++)
            mean += s->p[k * n + i] * s->change[k * n + i];
        for (uint32_t k = 0; k < s->parts; k++) {
            const double p = s->number ? 0 : s->p[k * n + i];
            s->change[k * n + i] *= s->share[i] * (s->number ? 1 : s->parts > 1 ? p : p * (1 - p));
            s->change[k * n + i] -= s->parts > 1 ? s->share[i] * p * mean : 0;
        }
    }
    sum_columns(s, s->change, s->scale, out);
    for (size_t at = 0; at < s->size; at++)
        out[at] = s->scale[at] == 0 ? 0 : out[at] + (is_penalised(s, at) ? s->ridge * d[at] : 0);
}

/* The diagonal of the Hessian into `scale` (0: the weight does not move), and the weights of
 * instances in it into `change`. */
static void set_scale(struct solver *s)
{
    const size_t n = s->count;
    for (uint32_t k = 0; k < s->parts; k++) {
        double *own = s->change + k * n, *out = s->scale + k * s->width;
        out[s->columns] = 0;
        for (uint32_t i = 0; i < n; i++) {
            own[i] = s->share[i] * (s->number ? 1 : s->p[k * n + i] * (1 - s->p[k * n + i]));
            out[s->columns] += own[i];
        }
        for (uint32_t f = 0; f < s->columns; f++) {
            const hs_design *d = s->design;
            out[f] = 0;
            for (uint64_t i = d->column.start[f]; i < d->column.start[f + 1]; i++)
                out[f] += own[d->column.index[i]] * (d->value ? d->value[i] * d->value[i] : 1);
            out[f] += out[f] > 0 && !s->free[f] ? s->ridge : 0;
        }
    }
}

/* Takes the longest step along the direction, 1, 1/2 …, that lowers the objective by a part of
 * `slope`; false: there is none. */
static bool search_line(struct solver *s, double slope)
{
    double length = 1;
    for (int round = 0; round < 40 && slope < 0; round++, length /= 2) {
        for (size_t at = 0; at < s->size; at++)
            s->trial[at] = s->w[at] + length * s->direction[at];
        if (try_out(s, s->objective + 1e-4 * length * slope))
            return true;
    }
    set_scores(s, s->w, s->score);
    return false;
}

/* A step for ridge. */
static bool step_newton(struct solver *s)
{
    double here = 0, slope = 0;
    set_scale(s);
    for (size_t at = 0; at < s->size; at++) {
        s->direction[at] = 0;
        s->rest[at] = s->scale[at] > 0 ? -s->gradient[at] : 0;
        s->search[at] = s->scale[at] > 0 ? s->rest[at] / s->scale[at] : 0;
        here += s->rest[at] * s->search[at];
    }
    const double forcing = fmin(0.1, sqrt(s->off / s->initial)), enough = forcing * forcing * here;
    for (int i = 0; i < PRODUCTS && here > enough; i++) {
        double curve = 0, next = 0;
        multiply_hessian(s, s->search, s->image);
        for (size_t at = 0; at < s->size; at++)
            curve += s->search[at] * s->image[at];
        if (!(curve > 0))
            break;
        for (size_t at = 0; at < s->size; at++) {
            if (s->scale[at] == 0)
                continue;
            s->direction[at] += here / curve * s->search[at];
            s->rest[at] -= here / curve * s->image[at];
            next += s->rest[at] * s->rest[at] / s->scale[at];
        }
        for (size_t at = 0; at < s->size; at++)
            if (s->scale[at] > 0)
                s->search[at] = s->rest[at] / s->scale[at] + next / here * s->search[at];
        here = next;
    }
    for (size_t at = 0; at < s->size; at++)
        slope += s->direction[at] * s->gradient[at];
    return search_line(s, slope);
}

/* Moves a weight to where the approximation is least, given the others; how much that lowers its
 * derivative. `curve` has the weights of instances in it, `moved` the scores of the direction. */
static double move_weight(struct solver *s, size_t at, uint32_t column, const double *curve,
                          double *moved)
{
    const bool penalised = is_penalised(s, at);
    const hs_sparse *lists = &s->design->column;
    const double *value = s->design->value, from = s->w[at] + s->direction[at];
    /* gradient and scale have the part of ridge in them */
    double slope = s->gradient[at] + (penalised ? s->ridge * s->direction[at] : 0);
    if (!(s->scale[at] > 0))
        return 0;
    if (column == s->columns)
        for (uint32_t i = 0; i < s->count; i++)
            slope += curve[i] * moved[i];
    for (uint64_t i = lists->start[column]; column < s->columns && i < lists->start[column + 1];
         i++)
        slope += (value ? value[i] : 1) * curve[lists->index[i]] * moved[lists->index[i]];
    double to = from - slope / s->scale[at];
    if (penalised)
        to = copysign(fmax(0, fabs(to) - s->lasso / s->scale[at]), to);
    const double by = to - from;
    if (by == 0)
        return 0;
    s->direction[at] += by;
    for (uint32_t i = 0; column == s->columns && i < s->count; i++)
        moved[i] += by;
    if (column < s->columns)
        hs_design_add(s->design, column, by, moved);
    return fabs(by) * s->scale[at];
}

/* A step for the lasso, of one part. */
static bool step_lasso(struct solver *s, uint32_t part)
{
    const double *curve = s->change + (size_t)part * s->count, enough = 0.01 * s->off;
    const size_t first = part * s->width;
    double *moved = s->residual; /* free: the gradient is computed */
    double slope = 0;
    bool whole = true; /* a sweep over all weights */
    set_scale(s);
    memset(s->direction, 0, s->size * sizeof *s->direction);
    memset(moved, 0, s->count * sizeof *moved);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double most = 0;
        for (uint32_t f = 0; f <= s->columns; f++)
            if (whole || s->w[first + f] + s->direction[first + f] != 0)
                most = fmax(most, move_weight(s, first + f, f, curve, moved));
        if (most <= enough && whole)
            break;
        whole = most <= enough;
    }
    for (size_t at = 0; at < s->size; at++)
        slope += s->direction[at] * s->gradient[at];
    /* the rest of the penalty is not linear */
    for (size_t at = first; at < first + s->columns; at++)
        if (is_penalised(s, at))
            slope += s->lasso * (fabs(s->w[at] + s->direction[at]) - fabs(s->w[at]));
    return search_line(s, slope);
}

/* From w to the solution for lambda. */
static int solve_logistic(struct solver *s, double lasso, double ridge, double tolerance,
                          const hs_progress *progress, hsel_error *error)
{
    bool moves = true;
    s->lasso = lasso;
    s->ridge = ridge;
    set_scores(s, s->w, s->score);
    evaluate_weights(s);
    for (s->rounds = 0; s->off > tolerance * s->initial && moves && s->rounds < ROUNDS;
         s->rounds++) {
        moves = false;
        HS_TRY(hs_progress_ask(progress, error));
        for (uint32_t part = 0; part < (lasso > 0 ? s->parts : 1); part++) {
            moves = (lasso > 0 ? step_lasso(s, part) : step_newton(s)) || moves;
            evaluate_weights(s);
        }
    }
    return HSEL_OK;
}

/* ---- learning ---- */

struct problem { /* some of the rows, and their solution */
    hs_design design;
    struct solver solver;
    hs_arena memory;
    uint32_t *label;
    double *number, *share;
    uint32_t *part_of; /* [answers]: of a class, HSEL_NONE: it does not occur */
    bool learns;       /* there are different classes or numbers */
};

struct learning {
    hs_linear_fit in;
    const struct options *options;
    bool *free;           /* [columns]: not penalised */
    double alpha, lambda; /* lambda: of the step */
    hs_folds folds;
    struct problem *inner;  /* [folds] */
    double *missed, *total; /* [folds]: loss and weight of the instances tested */
    double **score;         /* [folds]: scratch */
    double *value;          /* [classes]: scratch */
};

static void problem_clear(struct problem *p)
{
    hs_design_clear(&p->design);
    hs_arena_clear(&p->memory);
}

static void logistic_learning_clear(struct learning *l)
{
    for (uint32_t f = 0; l->inner && f < l->folds.count; f++)
        problem_clear(&l->inner[f]);
    hs_folds_clear(&l->folds);
    hs_linear_fit_clear(&l->in);
}

/* Lambda is for numbers as they were, whose weights and loss are those of the solver times sd and
 * its square. */
static int solve_for(const struct learning *l, struct problem *p, double lambda, double tolerance,
                     hsel_error *error)
{
    return !p->learns
               ? HSEL_OK
               : solve_logistic(&p->solver, lambda * l->alpha / l->in.sd, lambda * (1 - l->alpha),
                                tolerance, l->in.training->progress, error);
}

/* Sets up a problem of some of the rows (NULL: all), at w = 0 and the best intercepts there. */
static int begin_problem(const struct learning *l, const hs_design *design, const uint32_t *places,
                         uint32_t count, struct problem *p, hsel_error *error)
{
    const hs_linear_fit *in = &l->in;
    const hsel_dataset *data = in->training->view.data;
    const uint32_t classes = in->model->classes, answers = (uint32_t)hs_answers(classes);
    struct solver *s = &p->solver;
    uint32_t present = 0;
    double total = 0;
    HS_NEED(HS_LISTS(&p->memory, p, HS_PART(p, label, count), HS_PART(p, number, count),
                     HS_PART(p, share, count), HS_PART(p, part_of, answers)));
    HS_OWNED double *in_class = HS_NEW_ZERO(double, answers);
    HS_NEED(in_class);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at = places ? places[i] : i;
        p->share[i] = in->weight ? in->weight[at] : 1;
        total += p->share[i];
        if (in->number) {
            p->number[i] = in->number[at];
            p->learns = p->learns || p->number[i] != p->number[0];
        } else {
            p->label[i] = data->class_of[in->rows[at]];
            in_class[p->label[i]] += p->share[i];
        }
    }
    for (uint32_t c = 0; c < classes; c++)
        p->part_of[c] = in_class[c] > 0 ? present++ : HSEL_NONE;
    p->learns = p->learns || present > 1;
    *s = (struct solver){.design = design,
                         .count = count,
                         .columns = in->nodes,
                         .parts = classes > 2 && present ? present : 1,
                         .free = l->free,
                         .number = in->number ? p->number : NULL,
                         .label = p->label,
                         .share = p->share};
    s->width = (size_t)s->columns + 1;
    s->size = s->parts * s->width;
    const size_t values = (size_t)s->parts * count;
    HS_NEED(HS_LISTS(
        &p->memory, s, HS_PART(s, w, s->size), HS_PART(s, score, values), HS_PART(s, p, values),
        HS_PART(s, residual, values), HS_PART(s, change, values), HS_PART(s, gradient, s->size),
        HS_PART(s, trial, s->size), HS_PART(s, direction, s->size), HS_PART(s, rest, s->size),
        HS_PART(s, search, s->size), HS_PART(s, scale, s->size), HS_PART(s, image, s->size)));
    for (uint32_t i = 0; i < count; i++) {
        p->share[i] /= total;
        s->w[s->columns] += in->number ? p->share[i] * p->number[i] : 0;
        p->label[i] = classes > 2 ? p->part_of[p->label[i]] : p->label[i];
    }
    if (classes == 2) /* smoothed, in case that one does not occur */
        s->w[s->columns] =
            p->learns ? log(in_class[1] / in_class[0]) : log((in_class[1] + 1) / (in_class[0] + 1));
    for (uint32_t c = 0; c < classes && classes > 2; c++)
        if (p->part_of[c] != HSEL_NONE)
            s->w[p->part_of[c] * s->width + s->columns] = log(in_class[c] / total);
    set_scores(s, s->w, s->score);
    evaluate_weights(s);
    for (size_t at = 0; at < s->size; at++)
        s->initial = fmax(s->initial, is_penalised(s, at) ? fabs(s->gradient[at]) : s->off);
    p->learns = p->learns && s->initial > 1e-14;
    return HSEL_OK;
}

/* The score of a class that did not occur, beside those of the others: the odds of one instance. */
static double score_of_none(const struct problem *p)
{
    const struct solver *s = &p->solver;
    double total = 0;
    for (uint32_t k = 0; k < s->parts; k++)
        total += exp(s->w[k * s->width + s->columns]);
    return log(total / (s->count + 1.0));
}

/* The next solution of an inner fold, and its loss on the instances that are tested. */
static int logistic_step_fold(void *context, size_t fold, int worker, hsel_error *error)
{
    struct learning *l = context;
    struct problem *p = &l->inner[fold];
    struct solver *s = &p->solver;
    const hsel_dataset *data = l->in.training->view.data;
    const uint32_t n = l->in.row_count, classes = l->in.model->classes;
    double *score = l->score[fold];
    (void)worker;
    HS_TRY(solve_for(l, p, l->lambda, ON_PATH, error));
    for (uint32_t k = 0; k < s->parts; k++) {
        const double *w = s->w + k * s->width;
        hs_design_scores(&l->in.design, w, score + (size_t)k * n);
        for (uint32_t i = 0; i < n; i++)
            score[(size_t)k * n + i] += w[s->columns];
    }
    l->missed[fold] = l->total[fold] = 0;
    for (uint32_t i = l->folds.start[fold]; i < l->folds.start[fold + 1]; i++) {
        const uint32_t at = l->folds.order[i];
        const double v = l->in.weight ? l->in.weight[at] : 1,
                     loss = l->in.number
                                ? pow(score[at] - l->in.number[at], 2)
                                : hs_log_loss(score + at, n, p->part_of, classes,
                                              data->class_of[l->in.rows[at]], score_of_none(p));
        l->missed[fold] += v * loss;
        l->total[fold] += v;
    }
    return HSEL_OK;
}

/* The scores of the instances of an inner fold, for own_score of hs_training. */
static void put_scores(const struct learning *l, uint32_t fold, double *out)
{
    const struct problem *p = &l->inner[fold];
    const double *score = l->score[fold];
    const uint32_t n = l->in.row_count, classes = l->in.model->classes;
    const double none = score_of_none(p);
    for (uint32_t i = l->folds.start[fold]; i < l->folds.start[fold + 1]; i++) {
        const uint32_t at = l->folds.order[i];
        if (classes > 2) {
            double *own = out + (size_t)at * classes, *value = l->value;
            for (uint32_t c = 0; c < classes; c++)
                value[c] =
                    p->part_of[c] == HSEL_NONE ? none : score[(size_t)p->part_of[c] * n + at];
            hs_normalise_logs(value, own, classes);
        } else {
            const double own = p->solver.parts ? score[at] : 0;
            out[at] = l->in.number ? l->in.mean + l->in.sd * own : own;
        }
    }
}

/* Finds the best lambda in inner folds. */
static int choose_lambda(struct learning *l, double largest, double *out, hsel_error *error)
{
    const hs_linear_fit *in = &l->in;
    const hs_view view = {
        .data = in->training->view.data, .rows = in->rows, .row_count = in->row_count};
    const double per_decade = l->alpha > 0 ? 10 : 3, end = l->alpha > 0 ? LASSO_END : PATH_END;
    hs_linear_model *m = in->model;
    hs_arena *memory = &l->in.memory;
    double best = INFINITY;
    HS_TRY(hs_folds_of_view(&view, l->options->folds, in->training->seed, &l->folds, error));
    const uint32_t folds = l->folds.count;
    HS_OWNED uint32_t *train = HS_NEW(uint32_t, in->row_count);
    HS_NEED(train && HS_LISTS(memory, l, HS_PART(l, inner, folds), HS_PART(l, missed, folds),
                              HS_PART(l, total, folds), HS_PART(l, score, folds),
                              HS_PART(l, value, m->classes)));
    for (uint32_t f = 0; f < folds; f++) {
        struct problem *p = &l->inner[f];
        const uint32_t count = hs_folds_training(&l->folds, f, train);
        HS_TRY(hs_design_part(&in->design, train, count, &p->design, error));
        HS_TRY(begin_problem(l, &p->design, train, count, p, error));
        HS_NEED(l->score[f] =
                    HS_ARENA_NEW(memory, double, (size_t)p->solver.parts * in->row_count));
    }
    HS_NEED(m->path = HS_NEW_ZERO(hs_linear_step, (size_t)m->parts * STEPS));
    *out = largest;
    for (uint32_t k = 0; k < STEPS; k++) {
        double missed = 0, total = 0;
        l->lambda = largest * pow(10, -(double)k / per_decade);
        if (l->lambda < end * largest * 0.999 || l->lambda < *out * 0.0999)
            break;
        HS_TRY(hs_progress_report(in->training->progress, k, STEPS, "choosing lambda", error));
        HS_TRY(hs_parallel_for(folds, in->training->threads, logistic_step_fold, l, error));
        for (uint32_t f = 0; f < folds; f++) {
            missed += l->missed[f];
            total += l->total[f];
        }
        m->path[m->steps++] =
            (hs_linear_step){.lambda = l->lambda,
                             .features = NAN,
                             .loss = NAN,
                             .gap = NAN,
                             .inner = in->number ? in->sd * sqrt(missed / total) : missed / total};
        if (missed < best) {
            best = missed;
            *out = l->lambda;
            for (uint32_t f = 0; f < folds && in->training->own_score; f++)
                put_scores(l, f, in->training->own_score);
        }
    }
    for (uint32_t part = 1; part < m->parts; part++) /* one for all classes */
        memcpy(m->path + (size_t)part * m->steps, m->path, m->steps * sizeof *m->path);
    return HSEL_OK;
}

/* The first lambda of a path: all weights are 0, or (ridge) the trace of the Hessian. */
static double largest_lambda(struct learning *l, struct problem *p)
{
    struct solver *s = &p->solver;
    double sum = 0;
    if (l->alpha > 0)
        return l->in.sd * s->initial / l->alpha;
    s->lasso = s->ridge = 0;
    set_scale(s);
    for (uint32_t k = 0; k < s->parts; k++) {
        const double all = s->scale[k * s->width + s->columns];
        for (uint32_t f = 0; f < s->columns; f++) {
            const double mean =
                hs_design_slope(s->design, f, s->change + (size_t)k * s->count) / all;
            sum += s->free[f] ? 0 : fmax(0, s->scale[k * s->width + f] - all * mean * mean);
        }
    }
    return sum;
}

static int logistic_fit(const hs_training *training, const void *options, void **out,
                        hsel_error *error)
{
    const hs_view *view = &training->view;
    const hsel_dataset *data = view->data;
    const struct options *o = options;
    HS_OWNS(hs_linear_model_release) hs_linear_model *m = hs_linear_model_new(data);
    HS_OWNS(logistic_learning_clear)
    struct learning l = {
        .in = {.method = "logistic", .training = training, .model = m, .scale = o->scale},
        .options = o,
        .alpha = o->penalty == PENALTY_RIDGE   ? 0
                 : o->penalty == PENALTY_LASSO ? 1
                                               : o->l1_ratio};
    HS_OWNS(problem_clear) struct problem whole = {0};
    HS_OWNED double *spread = HS_NEW(double, data->instances);
    double lambda;
    HS_NEED(m && spread);
    m->multinomial = true;
    HS_TRY(hs_linear_lambda("logistic", o->lambda, &lambda, error));
    HS_TRY(hs_linear_fit_init(&l.in, error));
    for (uint32_t i = 0; l.in.weight && i < l.in.row_count; i++)
        l.in.weight[i] = hs_training_weight(training, l.in.rows[i]);
    for (uint32_t f = 0; f < data->features; f++)
        if (hs_view_has(view, f)) {
            l.in.feature[l.in.feature_count++] = f;
            m->free[f] = hs_is_covariate(data, f);
            m->in_use++;
        }
    HS_TRY(hs_linear_columns(&l.in, 0, spread, error));
    HS_TRY(hs_linear_design(&l.in, spread, error));
    HS_NEED(l.free = HS_ARENA_NEW(&l.in.memory, bool, l.in.nodes));
    for (uint32_t i = 0; i < l.in.nodes; i++)
        l.free[i] = m->free[l.in.column[i].feature];
    HS_TRY(begin_problem(&l, &l.in.design, NULL, l.in.row_count, &whole, error));
    const struct solver *s = &whole.solver;
    const double largest = whole.learns ? largest_lambda(&l, &whole) : 0, unit = l.in.sd;
    if (lambda == 0 && largest > 0)
        HS_TRY(choose_lambda(&l, largest, &lambda, error));
    if (lambda > 0)
        HS_TRY(solve_for(&l, &whole, lambda, EXACT, error));
    for (uint32_t part = 0; part < m->parts; part++) {
        const uint32_t from = m->parts == 1 ? 0 : whole.part_of[part];
        const double *w = from == HSEL_NONE ? NULL : s->w + from * s->width;
        m->part[part] = (hs_linear_part){.lambda = lambda,
                                         .largest = l.alpha > 0 ? largest : 0,
                                         .objective = unit * unit * s->objective,
                                         .gap = NAN,
                                         .intercept = w ? unit * w[s->columns] + l.in.mean
                                                        : score_of_none(&whole),
                                         .iterations = s->rounds};
        if (w)
            hs_linear_keep(&l.in, part, w, NULL);
    }
    if (training->progress)
        HS_TRY(hs_notes_count(training->progress->notes, "logistic",
                              "models stopped before they converged; take a larger lambda",
                              whole.learns && s->off > ENOUGH * s->initial, error));
    *out = hs_take(&m);
    return HSEL_OK;
}

static bool logistic_scores_training(const void *options)
{
    return strcmp(((const struct options *)options)->lambda, "auto") == 0;
}

static void *logistic_new(const hsel_dataset *shape)
{
    hs_linear_model *m = hs_linear_model_new(shape);
    if (m)
        m->multinomial = true;
    return m;
}

static const hs_classifier functions = {.fit = logistic_fit,
                                        .predict = hs_linear_predict,
                                        .scores_training = logistic_scores_training,
                                        .contributions = hs_linear_contributions,
                                        .weights = hs_linear_weights,
                                        .describe = hs_linear_describe,
                                        .name = "logistic",
                                        .make = logistic_new,
                                        .fields = hs_linear_fields,
                                        .free = hs_linear_model_free};

/* Slot `memory` of hs_method. */
static double logistic_memory_needed(const hs_size *size, const void *options)
{
    const double parts = size->classes > 2 ? size->classes : 1,
                 folds = 1 + ((const struct options *)options)->folds;
    return folds * (parts * (48 * size->rows + 72 * size->features) +
                    (size->columns > 0 ? 12 : 4) * size->values + 12 * size->rows * size->columns);
}

const hs_method hs_method_logistic = {
    .kind = HS_CLASSIFIER,
    .name = "logistic",
    .title = "ridge or lasso logistic regression",
    .help = "Logistic regression with a ridge, lasso or elastic-net penalty: multinomial for "
            "several classes, least squares for a numeric target. The weight of the penalty is "
            "chosen in inner folds of the training part by log loss, on a path from strong to weak "
            "penalties; with a given lambda the solution is that of glmnet, and of scikit-learn "
            "with C = 1 / (lambda x instances). Numeric features are divided by their standard "
            "deviation in the training part (scale=all: binary ones, too), and weights are for the "
            "original values; missing values are replaced by the mean. A nominal feature becomes a "
            "column per value; a missing value is replaced by the most frequent one. Intercept and "
            "covariates are not penalised. It cannot be combined with lazy selectors.",
    .citation = "Hoerl, Kennard (1970), Technometrics 12:55-67; le Cessie, van Houwelingen (1992), "
                "Applied Statistics 41:191-201; Tibshirani (1996), JRSS B 58:267-288; Zou, Hastie "
                "(2005), JRSS B 67:301-320; solver: Lin, Weng, Keerthi (2008), JMLR 9:627-650",
    .flags = HS_NEEDS_CLASSES | HS_STOCHASTIC | HS_WEIGHS_INSTANCES | HS_ANY_FEATURES |
             HS_NUMERIC_TARGET,
    .options = table,
    .memory = logistic_memory_needed,
    .options_size = sizeof(struct options),
    .check = logistic_check,
    .classifier = &functions,
};

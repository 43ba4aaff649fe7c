/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * proximalGraph: logistic regression with a penalty that respects the hierarchy.
 *
 *     min over w, b of  mean over i of log(1 + exp(-y_i (w.x_i + b)))
 *                       + lambda sum over v of max |w_u|, u in {v} and the descendants of v
 *
 * Mairal, Jenatton, Obozinski, Bach (2010), equation (1) with the l-infinity norm; one group per
 * feature, of itself and its descendants, all of weight 1: where the group of a feature is 0, so is
 * everything below, and a feature comes in only with its ancestors (those that are the same in all
 * training instances excepted: they cannot have a weight). Wan, Freitas (2020) compare with it
 * through SPAMS but give neither loss, groups nor lambda, so this is a method of our own making
 * after their name. More than two classes: one against the rest, probabilities normalised.
 *
 * Lambda is one of several, of which number k is the largest times ratio^(k / (lambdas - 1)); each
 * solution starts from the one before. The largest is that of the whole training part, so that a
 * lambda is the same in all inner folds; with several classes each has its own, and one k is chosen
 * for all. k is the one of the best GM over the pooled predictions of the inner folds, of equal
 * ones the sparsest.
 *
 * The proximal operator is exact on any hierarchy (graph_norm.h), FISTA runs to a relative duality
 * gap (graph_logit.h). Not for lazy selectors: a sum without some of its terms is not a score of
 * this model (what an instance has and the selection leaves out would count as if it were not
 * there). Predicting O(K x positive features), memory d weights per part. Equal probabilities go to
 * the lowest class.
 */
#include "classify/proximal_graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "classify/graph_logit.h"
#include "core/json.h"
#include "core/mem.h"
#include "core/progress.h"
#include "data/folds.h"
#include "stats/metrics.h"

struct options {
    hs_adjust_options adjust; /* comes first */
    const char *lambda;
    uint32_t lambdas, folds, iterations;
    double ratio, tolerance;
};

static const hs_option table[] = {
    HS_ADJUST,
    HS_TEXT(struct options, lambda, "lambda", "auto|NUMBER", "auto",
            "weight of the penalty; auto chooses it by cross-validation inside the training part"),
    HS_OPTION(struct options, lambdas, "lambdas", "N", "15", 1, 1000,
              "how many lambdas to choose from"),
    HS_OPTION(struct options, ratio, "ratio", "R", "0.02", 1e-6, 0.999,
              "the smallest of them, as a part of the one that leaves all weights 0"),
    HS_OPTION(struct options, folds, "folds", "N", "5", 2, 1000,
              "folds of the inner cross-validation"),
    HS_OPTION(struct options, tolerance, "tolerance", "G", "0.001", 1e-12, 1,
              "relative duality gap to stop at"),
    HS_OPTION(struct options, iterations, "iterations", "N", "2000", 1, 10000000,
              "most iterations for one lambda"),
    HS_OPTION_END};

/* The lambda that was given; 0: auto. */
static int lambda_of(const struct options *options, double *out, hsel_error *error)
{
    const char *text = options->lambda;
    *out = 0;
    if (strcmp(text, "auto") == 0 ||
        (hs_parse_double(text, strlen(text), out) && *out > 0 && isfinite(*out)))
        return HSEL_OK;
    return hs_fail(error, HSEL_EUSAGE,
                   "lambda of proximal-graph is auto or a number above 0, not %.60s", text);
}

static int check(const void *options, hsel_error *error)
{
    double lambda;
    HS_TRY(hs_adjust_check(options, error));
    return lambda_of(options, &lambda, error);
}

static void *model_new(const hsel_dataset *shape)
{
    const uint32_t classes = shape->class_names.count, parts = classes <= 2 ? 1 : classes;
    struct proximal_model *m =
        HS_BLOCK(m, HS_PART(m, weight, (size_t)parts * shape->features), HS_PART(m, part, parts));
    if (m) {
        m->features = shape->features;
        m->classes = classes;
        m->parts = parts;
    }
    return m;
}

/* What the parts say (score[parts]) to scores of the classes, in place: of two classes, the one
 * part speaks for class 1 and against class 0. */
static void class_scores(double *score, uint32_t classes)
{
    if (classes == 2) {
        score[1] = score[0];
        score[0] = -score[1];
    }
}

/* ---- fitting ---- */

struct fitting {
    const hs_training *training;
    const struct options *options;
    struct proximal_model *model;
    double lambda; /* 0: to be chosen */
    hs_arena memory;
    hs_graph_norm norm;
    uint32_t *feature;         /* in use, ascending */
    uint32_t *rows, row_count; /* of the training part, with a class */
    bool *positive;            /* [row_count] */
    double *weight;            /* [row_count]; NULL: all are 1 */
    double *largest;           /* [parts] */
    double *path;              /* [parts][lambdas][in use]: the solutions of the training part */
};

static void fitting_clear(struct fitting *f)
{
    hs_graph_norm_clear(&f->norm);
    hs_arena_clear(&f->memory);
}

static double lambda_at(const struct fitting *f, uint32_t part, uint32_t k)
{
    uint32_t last = f->options->lambdas - 1;
    return f->largest[part] * pow(f->options->ratio, last ? (double)k / last : 0);
}

/* Begins with a part: positive are the instances of the class that it stands for. */
static void start_part(struct fitting *f, hs_logit *logit, uint32_t part, const uint32_t *rows,
                       uint32_t count)
{
    uint32_t of = f->model->parts == 1 ? 1 : part;
    for (uint32_t i = 0; i < count; i++)
        f->positive[i] = f->training->view.data->class_of[rows[i]] == of;
    for (uint32_t i = 0; f->weight && i < count; i++)
        f->weight[i] = hs_training_weight(f->training, rows[i]);
    hs_logit_start(logit, f->positive, f->weight);
}

/* Weights of the features in use among all features; a 0 of either sign is 0. */
static void spread_weights(const struct fitting *f, const double *w, double *out)
{
    for (uint32_t i = 0; i < f->model->in_use; i++)
        out[f->feature[i]] = w[i] != 0 ? w[i] : 0;
}

/* Into *out: which lambda has the best GM, over the classes that the training part has. From one
 * lambda to the next the solution of an inner fold moves about as that of the training part did, so
 * that is where the search for it begins. */
static int choose(struct fitting *f, uint32_t *out, hsel_error *error)
{
    const struct options *o = f->options;
    const hsel_dataset *data = f->training->view.data;
    const uint32_t classes = f->model->classes, d = f->model->in_use;
    hs_view view = {.data = data, .rows = f->rows, .row_count = f->row_count};
    HS_OWNS(hs_folds_clear) hs_folds folds = {0};
    HS_OWNED uint32_t *train = HS_NEW(uint32_t, f->row_count);
    HS_OWNED uint32_t *hits = HS_NEW(uint32_t, 2 * (size_t)classes);
    HS_OWNED double *spread = HS_NEW_ZERO(double, data->features);
    HS_OWNED double *scores =
        HS_NEW_ZERO(double, (size_t)o->lambdas * f->row_count * classes); /* [k][row][class] */
    HS_OWNED double *step = HS_NEW(double, d);
    double best = -1;
    HS_NEED(train && hits && spread && scores && step);
    HS_TRY(hs_folds_of_view(&view, o->folds, f->training->seed, &folds, error));
    for (uint32_t fold = 0; fold < folds.count; fold++) { /* learns from the rest */
        HS_OWNS(hs_logit_clear) hs_logit logit = {0};
        uint32_t size = hs_folds_rest(&folds, &view, fold, train).row_count;
        HS_TRY(hs_logit_init(data, train, size, f->feature, &f->norm, &logit, error));
        for (uint32_t part = 0; part < f->model->parts; part++) {
            const double *path = f->path + (size_t)part * o->lambdas * d;
            start_part(f, &logit, part, train, size);
            for (uint32_t k = 0; k < o->lambdas; k++, path += d) {
                for (uint32_t i = 0; k && i < d; i++)
                    step[i] = path[i] - path[(ptrdiff_t)i - (ptrdiff_t)d];
                if (k)
                    hs_logit_move(&logit, step);
                hs_logit_solve(&logit, lambda_at(f, part, k), o->tolerance, o->iterations);
                spread_weights(f, logit.w, spread);
                for (uint32_t i = folds.start[fold]; i < folds.start[fold + 1]; i++) {
                    size_t length, at = folds.order[i];
                    const uint32_t *row = hs_row(data, f->rows[at], &length);
                    double sum = logit.b;
                    for (size_t j = 0; j < length; j++)
                        sum += spread[row[j]];
                    scores[((size_t)k * f->row_count + at) * classes + part] = sum;
                }
                HS_TRY(
                    hs_progress_report(f->training->progress,
                                       ((uint64_t)fold * f->model->parts + part) * o->lambdas + k,
                                       (uint64_t)folds.count * f->model->parts * o->lambdas,
                                       "choosing lambda", error));
            }
        }
    }
    for (uint32_t k = 0; k < o->lambdas; k++) {
        uint32_t *sizes = hits + classes, present = 0;
        double product = 1, gm;
        memset(hits, 0, 2 * (size_t)classes * sizeof *hits);
        for (uint32_t i = 0; i < f->row_count; i++) {
            double *score = scores + ((size_t)k * f->row_count + i) * classes;
            uint32_t truth = data->class_of[f->rows[i]];
            class_scores(score, classes);
            sizes[truth]++;
            hits[truth] += hs_predicted_class(score, classes) == truth;
        }
        for (uint32_t c = 0; c < classes; c++)
            if (sizes[c]) {
                product *= (double)hits[c] / sizes[c];
                present++;
            }
        if ((gm = present ? pow(product, 1.0 / present) : 0) > best) {
            best = gm;
            *out = k;
        }
    }
    return HSEL_OK;
}

static int fit(const hs_training *training, const void *options, void **out, hsel_error *error)
{
    const hs_view *view = &training->view;
    const hsel_dataset *data = view->data;
    HS_OWNED struct proximal_model *m = model_new(data);
    HS_OWNS(fitting_clear) struct fitting f = {.training = training, .options = options};
    HS_OWNS(hs_logit_clear) hs_logit logit = {0};
    const struct options *o = options;
    uint32_t chosen = 0;
    bool two_classes = false; /* there is something to tell apart */
    HS_NEED(m);
    HS_TRY(lambda_of(options, &f.lambda, error));
    f.model = m;
    f.feature = HS_ARENA_NEW(&f.memory, uint32_t, data->features);
    f.rows = HS_ARENA_NEW(&f.memory, uint32_t, view->row_count);
    f.positive = HS_ARENA_NEW(&f.memory, bool, view->row_count);
    f.largest = HS_ARENA_NEW(&f.memory, double, m->parts);
    bool *keep = HS_ARENA_NEW(&f.memory, bool, data->features);
    if (hs_training_weighs(training))
        HS_NEED(f.weight = HS_ARENA_NEW(&f.memory, double, view->row_count));
    HS_NEED(f.feature && f.rows && f.positive && f.largest && keep);
    for (uint32_t i = 0; i < data->features; i++)
        if ((keep[i] = hs_view_has(view, i)))
            f.feature[m->in_use++] = i;
    for (uint32_t i = 0; i < view->row_count; i++)
        if (data->class_of[hs_view_row(view, i)] != HSEL_NONE)
            f.rows[f.row_count++] = hs_view_row(view, i);
    HS_TRY(hs_graph_norm_init(data->dag, view->features ? keep : NULL, &f.norm, error));
    HS_TRY(hs_logit_init(data, f.rows, f.row_count, f.feature, &f.norm, &logit, error));
    for (uint32_t part = 0; part < m->parts; part++) {
        start_part(&f, &logit, part, f.rows, f.row_count);
        f.largest[part] = hs_logit_largest(&logit);
        two_classes = two_classes || f.largest[part] > 0;
    }
    /* Down the lambdas: to the one given, or all the way, to choose among the solutions. */
    const bool chooses = two_classes && f.lambda == 0 && f.row_count > 1;
    const size_t d = m->in_use, kept = chooses ? o->lambdas : 1;
    HS_OWNED struct proximal_part *solved = HS_NEW_ZERO(struct proximal_part, m->parts * kept);
    HS_OWNED double *path = HS_NEW(double, m->parts *kept *d);
    HS_NEED(solved && path);
    f.path = path;
    for (uint32_t part = 0; part < m->parts; part++) {
        double target = f.lambda > 0 ? f.lambda : lambda_at(&f, part, chooses ? o->lambdas - 1 : 0);
        bool arrived = false;
        start_part(&f, &logit, part, f.rows, f.row_count);
        for (uint32_t k = 0; !arrived; k++) {
            double lambda = k < o->lambdas ? fmax(lambda_at(&f, part, k), target) : target;
            size_t at = part * kept + (chooses ? k : 0);
            HS_TRY(hs_progress_report(training->progress, k, o->lambdas, "solutions", error));
            hs_logit_solve(&logit, lambda, o->tolerance, o->iterations);
            arrived = chooses ? k + 1 == o->lambdas : lambda == target;
            solved[at] = (struct proximal_part){.lambda = lambda,
                                                .largest = f.largest[part],
                                                .objective = logit.objective,
                                                .gap = logit.gap,
                                                .intercept = logit.b,
                                                .iterations = logit.iterations};
            memcpy(path + at * d, logit.w, d * sizeof *path);
        }
    }
    if (chooses)
        HS_TRY(choose(&f, &chosen, error));
    for (uint32_t part = 0; part < m->parts; part++) {
        const double *w = path + (part * kept + chosen) * d;
        m->part[part] = solved[part * kept + chosen];
        spread_weights(&f, w, m->weight + (size_t)part * m->features);
        for (uint32_t i = 0; i < m->in_use; i++)
            m->part[part].active += w[i] != 0;
    }
    *out = hs_take(&m);
    return HSEL_OK;
}

/* ---- predicting ---- */

static int predict(const void *pointer, const hs_batch *batch, void *scratch, double *probability,
                   double *score, hsel_error *error)
{
    const struct proximal_model *m = pointer;
    (void)scratch;
    (void)error;
    for (uint32_t at = 0; at < batch->count; at++, probability += m->classes, score += m->classes) {
        size_t count;
        const uint32_t *row = hs_row(batch->data, batch->instances[at], &count);
        double total = 0;
        for (uint32_t part = 0; part < m->parts; part++) {
            const double *weight = m->weight + (size_t)part * m->features;
            double sum = m->part[part].intercept;
            for (size_t i = 0; i < count; i++)
                sum += weight[row[i]];
            score[part] = sum;
        }
        class_scores(score, m->classes);
        for (uint32_t c = 0; c < m->classes; c++)
            total += probability[c] = hs_sigmoid(score[c]);
        for (uint32_t c = 0; m->classes != 2 && c < m->classes; c++)
            probability[c] = total > 0 ? probability[c] / total : 1.0 / m->classes;
    }
    return HSEL_OK;
}

/* Of several classes: the log-odds of the class's own part against the rest, its score, before
 * probabilities are normalised. */
static int contributions(const void *pointer, const hs_batch *one, void *scratch, uint32_t label,
                         double *prior, double *contribution, hsel_error *error)
{
    const struct proximal_model *m = pointer;
    const uint32_t part = m->parts == 1 ? 0 : label;
    const double sign = m->parts == 1 && label == 0 ? -1 : 1;
    size_t count;
    const uint32_t *row = hs_row(one->data, one->instances[0], &count);
    (void)scratch;
    (void)error;
    *prior = sign * m->part[part].intercept;
    memset(contribution, 0, m->features * sizeof *contribution);
    for (size_t i = 0; i < count; i++)
        contribution[row[i]] = sign * m->weight[(size_t)part * m->features + row[i]];
    return HSEL_OK;
}

/* ---- what was learned ---- */

struct weighted {
    double weight;
    uint32_t feature;
};

static int by_size(const void *a, const void *b)
{
    const struct weighted *x = a, *y = b;
    if (fabs(x->weight) != fabs(y->weight))
        return fabs(x->weight) > fabs(y->weight) ? -1 : 1;
    return x->feature < y->feature ? -1 : x->feature > y->feature;
}

static int describe(const void *pointer, const hsel_dataset *shape, hs_describe_form form,
                    hs_writer *out, hsel_error *error)
{
    const struct proximal_model *m = pointer;
    hs_json json = {.out = out};
    HS_OWNED struct weighted *active = HS_NEW(struct weighted, m->features);
    HS_NEED(active);
    if (form == HS_DESCRIBE_JSON) {
        hs_json_object(&json);
        HS_JSON(&json, "features", m->in_use);
        hs_json_key(&json, "models");
        hs_json_array(&json);
    }
    for (uint32_t part = 0; part < m->parts; part++) {
        const struct proximal_part *p = &m->part[part];
        const double *weight = m->weight + (size_t)part * m->features;
        const char *name = hsel_dataset_class_name(shape, m->parts == 1 ? m->classes - 1 : part);
        uint32_t count = 0;
        for (uint32_t f = 0; f < m->features; f++)
            if (weight[f] != 0)
                active[count++] = (struct weighted){weight[f], f};
        qsort(active, count, sizeof *active, by_size); /* the weightiest first */
        if (form == HS_DESCRIBE_TEXT) {
            hs_writer_printf(out, "class %s against %s\n", name,
                             m->parts == 1 ? hsel_dataset_class_name(shape, 0) : "the rest");
            hs_writer_printf(out, "  lambda           %.6g (all weights are 0 from %.6g on)\n",
                             p->lambda, p->largest);
            hs_writer_printf(out, "  objective        %.6g, relative duality gap %.2g\n",
                             p->objective, p->gap);
            hs_writer_printf(out, "  iterations       %u\n", p->iterations);
            hs_writer_printf(out, "  intercept        %+.6g\n", p->intercept);
            hs_writer_printf(out, "  active features  %u of %u\n", count, m->in_use);
            for (uint32_t i = 0; i < count; i++) {
                char label[HS_LABEL_ROOM];
                hs_writer_printf(out, "    %+.6f  %s%s\n", active[i].weight,
                                 hsel_dataset_feature_name(shape, active[i].feature),
                                 hs_label_after(&shape->about, active[i].feature, label));
            }
            continue;
        }
        hs_json_object(&json);
        HS_JSON(&json, "class", name);
        HS_JSON(&json, "lambda", p->lambda);
        HS_JSON(&json, "largest_lambda", p->largest);
        HS_JSON(&json, "objective", p->objective);
        HS_JSON(&json, "relative_gap", p->gap);
        HS_JSON(&json, "intercept", p->intercept);
        HS_JSON(&json, "iterations", p->iterations);
        hs_json_key(&json, "active");
        hs_json_array(&json);
        for (uint32_t i = 0; i < count; i++) {
            hs_json_object(&json);
            HS_JSON(&json, "feature", hsel_dataset_feature_name(shape, active[i].feature));
            hs_label_json(&json, &shape->about, active[i].feature);
            HS_JSON(&json, "weight", active[i].weight);
            hs_json_end_object(&json);
        }
        hs_json_end_array(&json);
        hs_json_end_object(&json);
    }
    if (form == HS_DESCRIBE_JSON) {
        hs_json_end_array(&json);
        hs_json_end_object(&json);
    }
    return HSEL_OK;
}

/* ---- model files: sizes; of each part its numbers, then features and weights that are not 0 ----
 */

static int fields(void *model, const hsel_dataset *shape, hs_transfer *file, hsel_error *error)
{
    struct proximal_model *m = model;
    (void)shape;
    HS_FIELDS(file, HS_SHAPE(m), HS_VALUE(m->in_use, 0, m->features));
    for (uint32_t part = 0; part < m->parts; part++) {
        struct proximal_part *p = &m->part[part];
        double *weight = m->weight + (size_t)part * m->features;
        HS_FIELDS(file, HS_VALUE(p->lambda, 0, DBL_MAX), HS_VALUE(p->largest, 0, DBL_MAX),
                  HS_VALUE(p->objective, 0, DBL_MAX), HS_VALUE(p->gap, 0, DBL_MAX),
                  HS_VALUE(p->intercept, HS_FINITE), HS_VALUE(p->iterations, HS_ANY),
                  HS_VALUE(p->active, 0, m->in_use));
        for (uint32_t i = 0, f = 0; i < p->active; i++, f++) {
            while (!hs_reads(file) && weight[f] == 0)
                f++;
            HS_FIELDS(file, HS_VALUE(f, f, m->features - 1.0));
            HS_FIELDS(file, HS_VALUE(weight[f], -1e100, 1e100));
            if (weight[f] == 0)
                return HSEL_EFORMAT;
        }
    }
    return HSEL_OK;
}

static const hs_classifier functions = {.fit = fit,
                                        .predict = predict,
                                        .contributions = contributions,
                                        .describe = describe,
                                        .name = "proximal-graph",
                                        .make = model_new,
                                        .fields = fields,
                                        .free = hs_free};

/* Slot `memory` of hs_method. */
static double memory_needed(const hs_size *size, const void *options)
{
    const double parts = size->classes > 2 ? size->classes : 1;
    return 8 * ((const struct options *)options)->lambdas *
               (size->rows * size->classes + parts * size->features) +
           12 * size->values + 300 * size->features;
}

const hs_method hs_method_proximal_graph = {
    .kind = HS_CLASSIFIER,
    .name = "proximal-graph",
    .title = "logistic regression, hierarchical penalty",
    .help =
        "Logistic regression with the graph-structured l-infinity penalty: a feature has a weight "
        "only if its ancestors may have one too, so few terms are used and they hang together. "
        "The weight of the penalty is chosen by cross-validation inside the training part. "
        "More than two classes: one against the rest. It does not go with lazy selectors.",
    .citation = "Mairal, Jenatton, Obozinski, Bach (2010), Network flow algorithms for structured "
                "sparsity, equation (1); groups, loss and lambda are ours",
    .flags = HS_NEEDS_CLASSES | HS_NEEDS_HIERARCHY | HS_STOCHASTIC | HS_WEIGHS_INSTANCES,
    .options = table,
    .memory = memory_needed,
    .options_size = sizeof(struct options),
    .check = check,
    .classifier = &functions,
};

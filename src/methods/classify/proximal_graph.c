/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * proximalGraph: linear models with a penalty that respects the hierarchy.
 *
 *     min over w, b of  mean over i of log(1 + exp(-y_i (w.x_i + b)))     (classes), or
 *                       mean over i of (y_i - w.x_i - b)^2 / 2            (a number)
 *                       + lambda sum over v of max |w_u|, u in {v} and the descendants of v
 *
 * Mairal, Jenatton, Obozinski, Bach (2010), equation (1) with the l-infinity norm. Each feature and
 * its descendants are a group of weight 1: if the group of a feature is 0, so is everything below,
 * and a feature has a weight only with its ancestors (except those that are constant in training).
 * Or any groups, from a file; a feature in no group is its own, so that without file and hierarchy
 * the penalty is the lasso's. Wan, Freitas (2020) use it through SPAMS but give neither loss,
 * groups nor lambda; these are ours. More than two classes: one against the rest, probabilities
 * normalised.
 *
 * Features are columns as in linear_model.h; those of the values of a nominal feature stand below
 * it. Covariates, and what `free` names, have no penalty: they join the intercept.
 *
 * Lambda is one of several, of which number k is the largest times ratio^(k / (lambdas - 1)); each
 * solution starts from the one before. The largest is that of the whole training part, so that a
 * lambda is the same in all inner folds; with several classes each has its own, and one k is chosen
 * for all. k is the one of the best GM, or the least RMSE, over the pooled predictions of the inner
 * folds, of equal ones the sparsest.
 *
 * The proximal operator is exact on any hierarchy (graph_norm.h), FISTA runs to a relative duality
 * gap (graph_fit.h). Not for lazy selectors: features that an instance has and the selection leaves
 * out would count as absent. Equal probabilities go to the lowest class.
 */
#include "classify/graph_groups.h"
#include "classify/linear_model.h"
#include "stats/metrics.h"

#define FREE_LIMIT 1000 /* columns without penalty: each step of the solver takes their square */

struct options {
    hs_adjust_options adjust; /* comes first */
    const char *lambda, *groups, *free;
    uint32_t lambdas, folds, iterations;
    double ratio, tolerance;
    int scale;
};

static const hs_option table[] = {
    HS_ADJUST_AUTO,
    HS_TEXT(struct options, lambda, "lambda", "auto|NUMBER", "auto",
            "weight of the penalty; auto chooses it by cross-validation inside the training part"),
    HS_OPTION(struct options, lambdas, "lambdas", "N", "15", 1, 1000,
              "number of lambdas to choose from"),
    HS_OPTION(struct options, ratio, "ratio", "R", "0.02", 1e-6, 0.999,
              "smallest lambda tried, as a fraction of the one that makes all weights 0"),
    HS_OPTION(struct options, folds, "folds", "N", "5", 2, 1000,
              "folds of the inner cross-validation"),
    HS_OPTION(struct options, tolerance, "tolerance", "G", "0.001", 1e-12, 1,
              "relative duality gap to stop at"),
    HS_OPTION(struct options, iterations, "iterations", "N", "2000", 1, 10000000,
              "maximum number of iterations for one lambda"),
    HS_CHOICE(struct options, scale, "scale", "numeric|all|none", "numeric",
              "which features are divided by their (weighted) standard deviation in the training "
              "part; coefficients refer to the original values"),
    HS_TEXT(struct options, groups, "groups", "none|FILE", "none",
            "groups of features to penalise in place of those of the hierarchy, which is then "
            "optional: a line has a group, a feature and, if it is not 1, the weight of the group; "
            "they may overlap. A feature in no group is its own group; a feature only in groups of "
            "weight 0 is not penalised"),
    HS_TEXT(struct options, free, "free", "none|NAME/NAME/…", "none",
            "features that are not penalised (covariates never are)"),
    HS_OPTION_END};

static int proximal_check(const void *options, hsel_error *error)
{
    double lambda;
    HS_TRY(hs_adjust_check(options, error));
    return hs_linear_lambda("proximal-graph", ((const struct options *)options)->lambda, &lambda,
                            error);
}

struct fitting {
    hs_linear_fit in; /* columns: the nodes of the norm, then what is not penalised */
    const struct options *options;
    double lambda; /* 0: to be chosen */
    hsel_dag *dag; /* of the norm, if it is not that of the data */
    hs_graph_norm norm;
    bool *positive;  /* [rows]: of the current rows, like … */
    double *target;  /* … these and in.weight */
    double *largest; /* [parts] */
    double *path;    /* [parts][lambdas][nodes]: the solutions of the training part */
};

static void fitting_clear(struct fitting *f)
{
    hs_graph_norm_clear(&f->norm);
    hs_dag_free(f->dag);
    hs_linear_fit_clear(&f->in);
}

/* Names of features that are not penalised, from the option. */
static int mark_free(const struct fitting *f, const hs_names *names, hsel_error *error)
{
    const char *text = f->options->free;
    if (strcmp(text, "none") == 0)
        return HSEL_OK;
    for (;;) {
        size_t length = strcspn(text, "/");
        uint32_t feature = hs_names_find(names, text, length);
        if (feature == HSEL_NONE)
            return hs_fail(error, HSEL_EUSAGE,
                           "proximal-graph: free names a feature '%.*s' that %s does not have",
                           (int)(length < 200 ? length : 200), text,
                           hsel_dataset_name(f->in.training->view.data));
        f->in.model->free[feature] = true;
        if (!text[length])
            return HSEL_OK;
        text += length + 1;
    }
}

/* Which features are penalised, by which groups, as a norm and its columns. */
static int make_norm(struct fitting *f, hsel_error *error)
{
    const hs_view *view = &f->in.training->view;
    const hsel_dataset *data = view->data;
    hs_linear_model *m = f->in.model;
    const bool grouped = strcmp(f->options->groups, "none") != 0;
    HS_OWNS(hs_names_clear) hs_names names = {0};
    HS_OWNS(hs_groups_clear) hs_groups groups = {0};
    HS_OWNS(hs_dag_release) hsel_dag *part = NULL;
    HS_OWNED bool *keep = HS_NEW_ZERO(bool, data->features);
    HS_OWNED uint32_t *node_of = HS_NEW(uint32_t, data->features);
    HS_OWNED double *spread = HS_NEW(double, data->instances);
    uint32_t count;
    HS_NEED(keep && node_of && spread);
    if (f->in.training->progress)
        HS_TRY(hs_notes_count(f->in.training->progress->notes, "proximal-graph",
                              "models without a hierarchy: every feature is its own group",
                              !grouped && !data->dag, error));
    if (grouped || strcmp(f->options->free, "none") != 0) {
        HS_TRY(hs_names_copy(&data->feature_names, &names, error));
        HS_TRY(hs_names_index(&names, error));
    }
    if (grouped) {
        HS_TRY(hs_groups_read(f->options->groups, &names, &groups, error));
        for (uint32_t i = 0; i < groups.pairs; i++) /* named, and of weight 0 only: free */
            m->free[groups.feature[i]] = true;
        for (uint32_t i = 0; i < groups.pairs; i++)
            if (groups.weight[groups.group[i]] > 0)
                m->free[groups.feature[i]] = false;
    }
    HS_TRY(mark_free(f, &names, error));
    for (uint32_t i = 0; i < data->features; i++) {
        m->free[i] = (m->free[i] || hs_is_covariate(data, i)) && hs_view_has(view, i);
        m->in_use += hs_view_has(view, i);
        if ((keep[i] = hs_view_has(view, i) && !m->free[i])) {
            node_of[i] = f->in.feature_count;
            f->in.feature[f->in.feature_count++] = i;
        }
    }
    const uint32_t d = f->in.feature_count;
    HS_TRY(hs_linear_columns(&f->in, groups.names.count, spread, error));
    const uint32_t extra = f->in.nodes - d;
    uint32_t next = f->in.nodes;
    for (uint32_t g = 0; g < groups.names.count; g++)
        f->in.column[next++] = (hs_linear_column){.feature = HSEL_NONE, .place = HSEL_NONE};
    f->in.nodes = next;
    for (uint32_t i = 0; i < data->features; i++)
        if (m->free[i]) {
            HS_TRY(hs_linear_learn(&f->in, i, spread, &f->in.column[next], &count, error));
            next += count;
        }
    f->in.free_columns = next - f->in.nodes;
    if (f->in.free_columns > FREE_LIMIT)
        return hs_fail(error, HSEL_ELIMIT,
                       "proximal-graph takes at most %d columns without penalty, but there are %u",
                       FREE_LIMIT, f->in.free_columns);
    if (f->in.nodes == d && !grouped && data->dag) {
        HS_TRY(
            hs_graph_norm_init(data->dag, d < data->features ? keep : NULL, NULL, &f->norm, error));
        return hs_linear_design(&f->in, spread, error);
    }
    if (!grouped && data->dag)
        HS_TRY(hs_dag_subset(data->dag, keep, &part, error));
    const size_t edges = extra + (part ? part->edges : groups.pairs);
    HS_OWNED uint32_t *child = HS_NEW(uint32_t, edges), *parent = HS_NEW(uint32_t, edges);
    double *cost = HS_ARENA_NEW(&f->in.memory, double, f->in.nodes);
    size_t used = 0;
    HS_NEED(child && parent && cost);
    for (uint32_t i = 0; i < f->in.nodes; i++)
        cost[i] = i < d ? 1 : i < d + extra ? 0 : groups.weight[i - d - extra];
    for (uint32_t i = 0; part && i < d; i++)
        for (uint32_t e = part->parent_start[i]; e < part->parent_start[i + 1]; e++) {
            child[used] = i;
            parent[used++] = part->parent[e];
        }
    for (uint32_t i = 0; i < groups.pairs; i++) {
        uint32_t feature = groups.feature[i];
        if (!keep[feature] || groups.weight[groups.group[i]] == 0)
            continue;
        child[used] = node_of[feature];
        parent[used++] = d + extra + groups.group[i];
        cost[node_of[feature]] = 0;
    }
    for (uint32_t i = d; i < d + extra; i++) {
        child[used] = i;
        parent[used++] = node_of[f->in.column[i].feature];
    }
    HS_TRY(hs_dag_new(f->in.nodes, child, parent, used, &f->dag, error));
    HS_TRY(hs_graph_norm_init(f->dag, NULL, cost, &f->norm, error));
    return hs_linear_design(&f->in, spread, error);
}

/* ---- fitting ---- */

static double lambda_at(const struct fitting *f, uint32_t part, uint32_t k)
{
    uint32_t last = f->options->lambdas - 1;
    return f->largest[part] * pow(f->options->ratio, last ? (double)k / last : 0);
}

/* Sets up a part on some of the rows (NULL: all); positive instances are those of its class. */
static void start_part(struct fitting *f, hs_graph_fit *fit, uint32_t part, const uint32_t *places,
                       uint32_t count)
{
    uint32_t of = f->in.model->parts == 1 ? 1 : part;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = places ? places[i] : i;
        if (f->in.number)
            f->target[i] = f->in.number[at];
        else
            f->positive[i] = f->in.training->view.data->class_of[f->in.rows[at]] == of;
        if (f->in.weight)
            f->in.weight[i] = hs_training_weight(f->in.training, f->in.rows[at]);
    }
    hs_graph_fit_start(fit, f->positive, f->in.number ? f->target : NULL, f->in.weight);
}

/* Into *out: which lambda has the best GM, over the classes that the training part has, or the
 * least RMSE; these go into the steps, too. From one lambda to the next the solution of an inner
 * fold moves about as that of the training part did, so that is where the search for it begins. */
static int proximal_choose(struct fitting *f, uint32_t *out, hs_linear_step *steps,
                           hsel_error *error)
{
    const struct options *o = f->options;
    const hsel_dataset *data = f->in.training->view.data;
    const uint32_t classes = f->in.model->classes, d = f->in.nodes, n = f->in.row_count;
    const size_t width = hs_answers(classes);
    hs_view view = {.data = data, .rows = f->in.rows, .row_count = n};
    HS_OWNS(hs_folds_clear) hs_folds folds = {0};
    HS_OWNED uint32_t *train = HS_NEW(uint32_t, n);
    HS_OWNED uint32_t *hits = HS_NEW(uint32_t, 2 * (size_t)classes);
    HS_OWNED double *sum = HS_NEW(double, n), *free = HS_NEW(double, f->in.free_columns);
    HS_OWNED double *scores = HS_NEW_ZERO(double, o->lambdas *n *width); /* [k][row][class] */
    HS_OWNED double *step = HS_NEW(double, d);
    double best = -INFINITY;
    HS_NEED(train && hits && sum && free && scores && step);
    HS_TRY(hs_folds_of_view(&view, o->folds, f->in.training->seed, &folds, error));
    for (uint32_t fold = 0; fold < folds.count; fold++) { /* learns from the rest */
        HS_OWNS(hs_graph_fit_clear) hs_graph_fit fit = {0};
        HS_OWNS(hs_design_clear) hs_design design = {0};
        uint32_t size = hs_folds_training(&folds, fold, train);
        HS_TRY(hs_design_part(&f->in.design, train, size, &design, error));
        HS_TRY(hs_graph_fit_init(&design, &f->norm, &fit, error));
        for (uint32_t part = 0; part < f->in.model->parts; part++) {
            const double *path = f->path + (size_t)part * o->lambdas * d;
            start_part(f, &fit, part, train, size);
            for (uint32_t k = 0; k < o->lambdas; k++, path += d) {
                for (uint32_t i = 0; k && i < d; i++)
                    step[i] = path[i] - path[(ptrdiff_t)i - (ptrdiff_t)d];
                if (k)
                    hs_graph_fit_move(&fit, step);
                hs_graph_fit_solve(&fit, lambda_at(f, part, k), o->tolerance, o->iterations);
                hs_design_scores(&f->in.design, fit.w, sum);
                double intercept = hs_graph_fit_free(&fit, free);
                for (uint32_t i = folds.start[fold]; i < folds.start[fold + 1]; i++) {
                    size_t at = folds.order[i];
                    double score = sum[at] + intercept;
                    for (uint32_t j = 0; j < f->in.free_columns; j++)
                        score += free[j] * f->in.design.free[(size_t)j * n + at];
                    scores[((size_t)k * n + at) * width + part] = score;
                }
                HS_TRY(hs_progress_report(
                    f->in.training->progress,
                    ((uint64_t)fold * f->in.model->parts + part) * o->lambdas + k,
                    (uint64_t)folds.count * f->in.model->parts * o->lambdas, "choosing lambda",
                    error));
            }
        }
    }
    for (uint32_t k = 0; k < o->lambdas; k++) {
        uint32_t *sizes = hits + classes, present = 0;
        double product = 1, gm, missed = 0;
        memset(hits, 0, 2 * (size_t)classes * sizeof *hits);
        for (uint32_t i = 0; i < n; i++) {
            if (!hs_fold_tests(&folds, i))
                continue;
            double *score = scores + ((size_t)k * n + i) * width;
            if (f->in.number) {
                missed += pow(*score - f->in.number[i], 2) / folds.start[folds.count];
                continue;
            }
            uint32_t truth = data->class_of[f->in.rows[i]];
            hs_mirror_score(score, classes);
            sizes[truth]++;
            hits[truth] += hs_predicted_class(score, classes) == truth;
        }
        for (uint32_t c = 0; c < classes; c++)
            if (sizes[c]) {
                product *= (double)hits[c] / sizes[c];
                present++;
            }
        gm = present ? pow(product, 1.0 / present) : 0;
        steps[k].inner = f->in.number ? f->in.sd * sqrt(missed) : gm;
        if ((f->in.number ? -missed : gm) > best) {
            best = f->in.number ? -missed : gm;
            *out = k;
        }
    }
    return HSEL_OK;
}

static int proximal_fit(const hs_training *training, const void *options, void **out,
                        hsel_error *error)
{
    const hs_view *view = &training->view;
    const hsel_dataset *data = view->data;
    HS_OWNS(hs_linear_model_release) hs_linear_model *m = hs_linear_model_new(data);
    HS_OWNS(fitting_clear)
    struct fitting f = {.in = {.method = "proximal-graph", .training = training, .model = m},
                        .options = options};
    HS_OWNS(hs_graph_fit_clear) hs_graph_fit solver = {0};
    const struct options *o = options;
    uint32_t chosen = 0;
    bool differs = false; /* there are different classes or numbers */
    HS_NEED(m);
    f.in.scale = o->scale;
    HS_TRY(hs_linear_lambda(f.in.method, o->lambda, &f.lambda, error));
    HS_NEED(HS_LISTS(&f.in.memory, &f, HS_PART(&f, positive, view->row_count),
                     HS_PART(&f, target, view->row_count), HS_PART(&f, largest, m->parts)));
    HS_TRY(hs_linear_fit_init(&f.in, error));
    f.lambda /= f.in.sd;
    HS_TRY(make_norm(&f, error));
    HS_TRY(hs_graph_fit_init(&f.in.design, &f.norm, &solver, error));
    for (uint32_t part = 0; part < m->parts; part++) {
        start_part(&f, &solver, part, NULL, f.in.row_count);
        f.largest[part] = hs_graph_fit_largest(&solver);
        differs = differs || f.largest[part] > 0;
    }
    /* Down the lambdas: to the one given, or all the way, to choose among the solutions. */
    const bool chooses = differs && f.lambda == 0 && f.in.row_count > 1;
    const size_t d = f.in.nodes, q = f.in.free_columns, kept = chooses ? o->lambdas : 1;
    HS_OWNED hs_linear_part *solved = HS_NEW_ZERO(hs_linear_part, m->parts * kept);
    HS_OWNED double *path = HS_NEW(double, m->parts *kept *d);
    HS_OWNED double *free = HS_NEW(double, m->parts *kept *q);
    m->steps = chooses || f.lambda > 0 ? o->lambdas + !chooses : 1;
    m->path = HS_NEW_ZERO(hs_linear_step, (size_t)m->parts * m->steps);
    HS_NEED(solved && path && free && m->path);
    f.path = path;
    for (uint32_t part = 0; part < m->parts; part++) {
        double target = f.lambda > 0 ? f.lambda : lambda_at(&f, part, chooses ? o->lambdas - 1 : 0);
        hs_linear_step *step = m->path + (size_t)part * m->steps;
        bool arrived = false;
        start_part(&f, &solver, part, NULL, f.in.row_count);
        solver.largest = f.largest[part];
        for (uint32_t k = 0; !arrived; k++, step++) {
            double lambda = k < o->lambdas ? fmax(lambda_at(&f, part, k), target) : target;
            size_t at = part * kept + (chooses ? k : 0);
            HS_TRY(hs_progress_report(training->progress, k, o->lambdas, "solutions", error));
            hs_graph_fit_solve(&solver, lambda, o->tolerance, o->iterations);
            arrived = chooses ? k + 1 == o->lambdas : lambda == target;
            double intercept = hs_graph_fit_free(&solver, free + at * q);
            solved[at] = (hs_linear_part){.lambda = f.in.sd * lambda,
                                          .largest = f.in.sd * f.largest[part],
                                          .objective = f.in.sd * f.in.sd * solver.objective,
                                          .gap = solver.gap,
                                          .intercept = f.in.sd * intercept + f.in.mean,
                                          .iterations = solver.iterations};
            memcpy(path + at * d, solver.w, d * sizeof *path);
            *step = (hs_linear_step){.lambda = f.in.sd * lambda,
                                     .features = hs_linear_features(&f.in, solver.w, free + at * q),
                                     .loss = f.in.sd * f.in.sd * solver.loss,
                                     .gap = solver.gap,
                                     .inner = NAN};
        }
    }
    if (chooses)
        HS_TRY(proximal_choose(&f, &chosen, m->path, error));
    for (uint32_t part = 0; part < m->parts; part++) {
        const size_t at = part * kept + chosen;
        m->part[part] = solved[at];
        for (uint32_t k = 0; part && chooses && k < m->steps; k++) /* one for all classes */
            m->path[(size_t)part * m->steps + k].inner = m->path[k].inner;
        hs_linear_keep(&f.in, part, path + at * d, free + at * q);
    }
    for (uint32_t part = 0; part < m->parts && training->progress; part++)
        HS_TRY(hs_notes_count(training->progress->notes, "proximal-graph",
                              "models stopped before the duality gap was reached; raise iterations",
                              m->part[part].gap > o->tolerance, error));
    *out = hs_take(&m);
    return HSEL_OK;
}

static const hs_classifier functions = {.fit = proximal_fit,
                                        .predict = hs_linear_predict,
                                        .contributions = hs_linear_contributions,
                                        .weights = hs_linear_weights,
                                        .describe = hs_linear_describe,
                                        .name = "proximal-graph",
                                        .make = hs_linear_model_new,
                                        .fields = hs_linear_fields,
                                        .free = hs_linear_model_free};

/* Slot `memory` of hs_method. */
static double proximal_memory_needed(const hs_size *size, const void *options)
{
    const double parts = size->classes > 2 ? size->classes : 1;
    return 8 * ((const struct options *)options)->lambdas *
               (size->rows * size->classes + parts * size->features) +
           12 * size->values + 300 * size->features + 24 * size->rows * size->columns;
}

const hs_method hs_method_proximal_graph = {
    .kind = HS_CLASSIFIER,
    .name = "proximal-graph",
    .title = "linear model, hierarchical penalty",
    .help =
        "Logistic regression, or least squares for a numeric target, with the graph-structured "
        "l-infinity penalty: a feature has a weight only if its ancestors may have one too, so "
        "that few, connected terms are used. Other groups can come from a file (groups); without "
        "file and hierarchy every feature is its own group (lasso). Numeric features are divided "
        "by their standard deviation in the training part, and weights are for the original "
        "values; missing values are replaced by the mean. A nominal feature becomes a column per "
        "value, placed below the feature. Covariates are not penalised. The weight of the penalty "
        "is chosen by cross-validation inside the training part, by GM or RMSE, on a path that "
        "starts where all weights are 0; the description of a model shows the path. With more than "
        "two classes, each is compared with the rest. It cannot be combined with lazy selectors.",
    .citation = "Mairal, Jenatton, Obozinski, Bach (2010), Network flow algorithms for structured "
                "sparsity, equation (1); groups, loss and lambda are ours",
    .flags = HS_NEEDS_CLASSES | HS_STOCHASTIC | HS_WEIGHS_INSTANCES | HS_ANY_FEATURES |
             HS_NUMERIC_TARGET,
    .options = table,
    .memory = proximal_memory_needed,
    .options_size = sizeof(struct options),
    .check = proximal_check,
    .classifier = &functions,
};

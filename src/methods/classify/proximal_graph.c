/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * proximalGraph: linear models with a penalty that respects the hierarchy.
 *
 *     min over w, b of  mean over i of log(1 + exp(-y_i (w.x_i + b)))     (classes), or
 *                       mean over i of (y_i - w.x_i - b)^2 / 2            (a number)
 *                       + lambda sum over v of max |w_u|, u in {v} and the descendants of v
 *
 * Mairal, Jenatton, Obozinski, Bach (2010), equation (1) with the l-infinity norm; one group per
 * feature, of itself and its descendants, all of weight 1: where the group of a feature is 0, so is
 * everything below, and a feature comes in only with its ancestors (those that are the same in all
 * training instances excepted: they cannot have a weight). Or any groups, from a file; a feature
 * that is in none is one, so that without file and hierarchy the penalty is the lasso's. Wan,
 * Freitas (2020) compare with it through SPAMS but give neither loss, groups nor lambda, so this is
 * a method of our own making after their name. More than two classes: one against the rest,
 * probabilities normalised.
 *
 * Numeric features are divided by their standard deviation in the training part, and weights are
 * those of the values as they were; a missing value is the mean. A nominal feature with more than
 * two values is a column per value, which stand below it; a missing one is the most frequent.
 * Covariates, and what `free` names, have no penalty: they join the intercept.
 *
 * Lambda is one of several, of which number k is the largest times ratio^(k / (lambdas - 1)); each
 * solution starts from the one before. The largest is that of the whole training part, so that a
 * lambda is the same in all inner folds; with several classes each has its own, and one k is chosen
 * for all. k is the one of the best GM, or the least RMSE, over the pooled predictions of the inner
 * folds, of equal ones the sparsest.
 *
 * The proximal operator is exact on any hierarchy (graph_norm.h), FISTA runs to a relative duality
 * gap (graph_fit.h). Not for lazy selectors: a sum without some of its terms is not a score of
 * this model (what an instance has and the selection leaves out would count as if it were not
 * there). Predicting O(K x (positive features + others with a weight)), memory d weights per part.
 * Equal probabilities go to the lowest class.
 */
#include "classify/proximal_graph.h"

#include "classify/graph_fit.h"
#include "classify/graph_groups.h"
#include "stats/metrics.h"

#define FREE_LIMIT 1000 /* columns without penalty: each step of the solver takes their square */

enum { SCALE_NUMERIC, SCALE_ALL, SCALE_NONE };

struct options {
    hs_adjust_options adjust; /* comes first */
    const char *lambda, *groups, *free;
    uint32_t lambdas, folds, iterations;
    double ratio, tolerance;
    int scale;
};

static const hs_option table[] = {
    HS_ADJUST,
    HS_TEXT(struct options, lambda, "lambda", "auto|NUMBER", "auto",
            "weight of the penalty; auto chooses it by cross-validation inside the training part"),
    HS_OPTION(struct options, lambdas, "lambdas", "N", "15", 1, 1000,
              "number of lambdas to choose from"),
    HS_OPTION(struct options, ratio, "ratio", "R", "0.02", 1e-6, 0.999,
              "the smallest of them, as a fraction of the one that makes all weights 0"),
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
            "features that are not penalised, as covariates never are"),
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

static int proximal_check(const void *options, hsel_error *error)
{
    double lambda;
    HS_TRY(hs_adjust_check(options, error));
    return lambda_of(options, &lambda, error);
}

/* ---- the model ---- */

static void proximal_model_free(void *pointer)
{
    struct proximal_model *m = pointer;
    if (m)
        HS_FREE(m->path, m);
}

static void model_release(struct proximal_model **m) { proximal_model_free(*m); }

static void *proximal_model_new(const hsel_dataset *shape)
{
    const uint32_t classes = shape->class_names.count, parts = classes <= 2 ? 1 : classes;
    uint32_t places = shape->features, next = 0;
    for (uint32_t i = 0; i < shape->nominal_count; i++)
        places += shape->nominal[i].values.count > 2 ? shape->nominal[i].values.count : 0;
    struct proximal_model *m =
        HS_BLOCK(m, HS_PART(m, weight, (size_t)parts * places), HS_PART(m, free, shape->features),
                 HS_PART(m, part, parts),
                 HS_PART(m, other, (size_t)shape->numeric_count + shape->nominal_count));
    if (!m)
        return NULL;
    m->features = shape->features;
    m->classes = classes;
    m->numeric = shape->target != NULL;
    m->parts = parts;
    m->places = shape->features;
    for (uint32_t f = 0; f < shape->features; f++) {
        if (shape->types[f] == HSEL_BINARY)
            continue;
        hs_coded *o = &m->other[next++];
        *o = (hs_coded){.feature = f, .column = f, .range = 1};
        if (shape->types[f] == HSEL_NOMINAL)
            o->values = shape->nominal[shape->slot[f]].values.count;
        if (shape->types[f] == HSEL_NOMINAL && o->values == 0)
            o->values = 1;
        if (o->values > 2) {
            o->column = m->places;
            m->places += o->values;
        }
    }
    m->other_count = next;
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

/* ---- columns ---- */

struct column {       /* of the design: the nodes of the norm, then what is not penalised */
    uint32_t feature; /* HSEL_NONE: a group, always 0 */
    uint32_t code;    /* the nominal value that it stands for; HSEL_NONE: the feature as it is */
    uint32_t place;   /* of its weight; HSEL_NONE: it has none */
    double centre, scale;
};

struct fitting {
    const hs_training *training;
    const struct options *options;
    struct proximal_model *model;
    double lambda; /* 0: to be chosen */
    hs_arena memory;
    hsel_dag *dag; /* of the norm, if it is not that of the data */
    hs_graph_norm norm;
    hs_design design;
    uint32_t *feature, feature_count; /* penalised ones in use, ascending */
    struct column *column;            /* [nodes + free columns] */
    uint32_t nodes, free_columns;
    uint32_t *rows, row_count; /* of the training part, with a class or number */
    double *number;            /* [row_count]: of mean 0 and variance 1; NULL: classes */
    double mean, sd;           /* before */
    bool *positive;            /* [row_count]: of the rows in work, as … */
    double *target;            /* … these … */
    double *weight;            /* … and these; NULL: all are 1 */
    double *largest;           /* [parts] */
    double *path;              /* [parts][lambdas][nodes]: the solutions of the training part */
};

static void fitting_clear(struct fitting *f)
{
    hs_graph_norm_clear(&f->norm);
    hs_design_clear(&f->design);
    hs_dag_free(f->dag);
    hs_free(f->rows);
    hs_arena_clear(&f->memory);
}

static int by_feature(const void *feature, const void *other)
{
    const uint32_t a = *(const uint32_t *)feature, b = ((const hs_coded *)other)->feature;
    return (a > b) - (a < b);
}

static hs_coded *other_of(const struct proximal_model *m, uint32_t feature)
{
    return bsearch(&feature, m->other, m->other_count, sizeof *m->other, by_feature);
}

/* Mean and standard deviation, or the most frequent value, of a feature; into its columns from
 * `out` on, of which there are so many. */
static int learn_feature(struct fitting *f, uint32_t feature, double *spread, struct column *out,
                         uint32_t *count, hsel_error *error)
{
    const hsel_dataset *data = f->training->view.data;
    hs_coded *o = other_of(f->model, feature);
    const bool nominal = o && o->values;
    const bool scales = f->options->scale == SCALE_ALL || (o && f->options->scale == SCALE_NUMERIC);
    *count = nominal && o->values > 2 ? o->values : 1;
    for (uint32_t c = 0; c < *count; c++)
        out[c] = (struct column){.feature = feature,
                                 .code = !nominal     ? HSEL_NONE
                                         : *count > 1 ? c
                                                      : 1,
                                 .place = o ? o->column + c : feature,
                                 .scale = 1};
    if (nominal) {
        const uint32_t *code = data->nominal[data->slot[feature]].codes;
        HS_OWNED double *seen = HS_NEW_ZERO(double, o->values);
        HS_NEED(seen);
        for (uint32_t i = 0; i < f->row_count; i++)
            if (code[f->rows[i]] != HS_MISSING_CODE)
                seen[code[f->rows[i]]] += hs_training_weight(f->training, f->rows[i]);
        for (uint32_t v = 1; v < o->values; v++)
            o->common = seen[v] > seen[o->common] ? v : o->common;
        return HSEL_OK;
    }
    if (!o && !scales)
        return HSEL_OK;
    const double *value = hs_dataset_numeric(data, feature, spread);
    double most = 0, sum = 0, square = 0, total = 0;
    uint32_t zeros = 0;
    for (int pass = 0; pass < 3; pass++) /* in parts of the largest, whose square might overflow */
        for (uint32_t i = 0; i < f->row_count; i++) {
            double x = value[f->rows[i]], v = hs_training_weight(f->training, f->rows[i]);
            if (isnan(x) || (pass && !(most > 0)))
                continue;
            if (pass == 0) {
                most = fmax(most, fabs(x));
                total += v;
                zeros += x == 0;
            } else if (pass == 1) {
                sum += v / total * (x / most);
            } else {
                square += v / total * pow(x / most - sum, 2);
            }
        }
    const double mean = sum * most, sd = sqrt(square) * most;
    if (!isfinite(most) || sd > 1e300)
        return hs_fail(error, HSEL_EUNSUPPORTED,
                       "proximal-graph needs finite values, but feature %.200s of %s has values "
                       "too large or infinite",
                       hsel_dataset_feature_name(data, feature), hsel_dataset_name(data));
    if (o)
        o->mean = mean;
    out->centre = o && 3 * (uint64_t)zeros < f->row_count ? mean : 0; /* else zeros stay zeros */
    if (!(square > 1e-28 * sum * sum))
        out->scale = 0; /* the same everywhere: an empty column */
    else if (scales)
        out->scale = sd;
    return HSEL_OK;
}

/* A column as numbers into x[row_count]. */
static void fill_column(const struct fitting *f, const struct column *c, double *spread, double *x)
{
    const hsel_dataset *data = f->training->view.data;
    const hs_coded *o = other_of(f->model, c->feature);
    if (c->code != HSEL_NONE) {
        const uint32_t *code = data->nominal[data->slot[c->feature]].codes;
        for (uint32_t i = 0; i < f->row_count; i++) {
            uint32_t own = code[f->rows[i]];
            x[i] = (own == HS_MISSING_CODE ? o->common : own) == c->code;
        }
        return;
    }
    const double *value = hs_dataset_numeric(data, c->feature, spread);
    for (uint32_t i = 0; i < f->row_count; i++) {
        double own = value[f->rows[i]];
        x[i] = c->scale > 0 ? ((isnan(own) ? o->mean : own) - c->centre) / c->scale : 0;
    }
}

/* The design from the columns. */
static int make_design(struct fitting *f, double *spread, hsel_error *error)
{
    const hsel_dataset *data = f->training->view.data;
    hs_design *d = &f->design;
    const uint32_t n = f->row_count;
    size_t room = 0, values = 0, used = 0;
    bool plain = f->options->scale != SCALE_ALL; /* all values are 1 */
    d->instances = n;
    d->free_columns = f->free_columns;
    for (uint32_t i = 0; i < f->feature_count; i++)
        plain = plain && data->types[f->feature[i]] != HSEL_NUMERIC;
    HS_OWNS(hs_sparse_clear) hs_sparse binary = {0};
    HS_OWNED double *x = HS_NEW(double, n);
    HS_NEED(x && (d->free = HS_NEW(double, (size_t)f->free_columns *n)));
    HS_TRY(hs_position_columns(data, f->feature, f->feature_count, f->rows, n, &binary, error));
    HS_TRY(hs_sparse_init(&d->column, f->nodes, 0, error));
    for (uint32_t node = 0; node < f->nodes; node++) {
        const struct column *c = &f->column[node];
        const bool is_binary = node < f->feature_count && data->types[c->feature] == HSEL_BINARY;
        const size_t most = is_binary ? binary.start[node + 1] - binary.start[node] : n;
        HS_NEED(HS_GROW(&d->column.index, &room, used + most) &&
                (plain || HS_GROW(&d->value, &values, used + most)));
        for (size_t i = 0; is_binary && c->scale > 0 && i < most; i++) {
            if (!plain)
                d->value[used] = 1 / c->scale;
            d->column.index[used++] = binary.index[binary.start[node] + i];
        }
        if (!is_binary && c->place != HSEL_NONE) {
            fill_column(f, c, spread, x);
            for (uint32_t i = 0; i < n; i++) {
                if (x[i] == 0)
                    continue;
                if (!plain)
                    d->value[used] = x[i];
                d->column.index[used++] = i;
            }
        }
        d->column.start[node + 1] = used;
    }
    for (uint32_t j = 0; j < f->free_columns; j++)
        fill_column(f, &f->column[f->nodes + j], spread, d->free + (size_t)j * n);
    return HSEL_OK;
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
                           hsel_dataset_name(f->training->view.data));
        f->model->free[feature] = true;
        if (!text[length])
            return HSEL_OK;
        text += length + 1;
    }
}

/* Which features are penalised, by which groups, as a norm and its columns. */
static int make_norm(struct fitting *f, hsel_error *error)
{
    const hs_view *view = &f->training->view;
    const hsel_dataset *data = view->data;
    struct proximal_model *m = f->model;
    const bool grouped = strcmp(f->options->groups, "none") != 0;
    HS_OWNS(hs_names_clear) hs_names names = {0};
    HS_OWNS(hs_groups_clear) hs_groups groups = {0};
    HS_OWNS(hs_dag_release) hsel_dag *part = NULL;
    HS_OWNED bool *keep = HS_NEW_ZERO(bool, data->features);
    HS_OWNED uint32_t *node_of = HS_NEW(uint32_t, data->features);
    HS_OWNED double *spread = HS_NEW(double, data->instances);
    uint32_t extra = 0, all = 0, count;
    HS_NEED(keep && node_of && spread);
    if (f->training->progress)
        HS_TRY(hs_notes_count(f->training->progress->notes, "proximal-graph",
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
            node_of[i] = f->feature_count;
            f->feature[f->feature_count++] = i;
        }
        all += data->types[i] == HSEL_NOMINAL && data->nominal[data->slot[i]].values.count > 2
                   ? data->nominal[data->slot[i]].values.count
                   : 0;
    }
    /* columns: features, values of nominal ones, groups; then what is free */
    HS_NEED(f->column = HS_ARENA_NEW(&f->memory, struct column,
                                     data->features + (size_t)all + groups.names.count + 1));
    const uint32_t d = f->feature_count;
    uint32_t next = d;
    for (uint32_t i = 0; i < d; i++) {
        struct column *own = &f->column[i], *rest = &f->column[next];
        HS_TRY(learn_feature(f, f->feature[i], spread, rest, &count, error));
        *own = *rest;
        if (count > 1) {
            *own = (struct column){.feature = f->feature[i], .place = HSEL_NONE};
            next += count;
        }
    }
    extra = next - d;
    for (uint32_t g = 0; g < groups.names.count; g++)
        f->column[next++] = (struct column){.feature = HSEL_NONE, .place = HSEL_NONE};
    f->nodes = next;
    for (uint32_t i = 0; i < data->features; i++)
        if (m->free[i]) {
            HS_TRY(learn_feature(f, i, spread, &f->column[next], &count, error));
            next += count;
        }
    f->free_columns = next - f->nodes;
    if (f->free_columns > FREE_LIMIT)
        return hs_fail(error, HSEL_ELIMIT,
                       "proximal-graph takes at most %d columns without penalty, but there are %u",
                       FREE_LIMIT, f->free_columns);
    if (f->nodes == d && !grouped && data->dag) {
        HS_TRY(
            hs_graph_norm_init(data->dag, d < data->features ? keep : NULL, NULL, &f->norm, error));
        return make_design(f, spread, error);
    }
    if (!grouped && data->dag)
        HS_TRY(hs_dag_subset(data->dag, keep, &part, error));
    const size_t edges = extra + (part ? part->edges : groups.pairs);
    HS_OWNED uint32_t *child = HS_NEW(uint32_t, edges), *parent = HS_NEW(uint32_t, edges);
    double *cost = HS_ARENA_NEW(&f->memory, double, f->nodes);
    size_t used = 0;
    HS_NEED(child && parent && cost);
    for (uint32_t i = 0; i < f->nodes; i++)
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
        parent[used++] = node_of[f->column[i].feature];
    }
    HS_TRY(hs_dag_new(f->nodes, child, parent, used, &f->dag, error));
    HS_TRY(hs_graph_norm_init(f->dag, NULL, cost, &f->norm, error));
    return make_design(f, spread, error);
}

/* ---- fitting ---- */

static double lambda_at(const struct fitting *f, uint32_t part, uint32_t k)
{
    uint32_t last = f->options->lambdas - 1;
    return f->largest[part] * pow(f->options->ratio, last ? (double)k / last : 0);
}

/* Begins with a part, on some of the rows: positive are the instances of the class that it stands
 * for. */
static void start_part(struct fitting *f, hs_graph_fit *fit, uint32_t part, const uint32_t *places,
                       uint32_t count)
{
    uint32_t of = f->model->parts == 1 ? 1 : part;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = places ? places[i] : i;
        if (f->number)
            f->target[i] = f->number[at];
        else
            f->positive[i] = f->training->view.data->class_of[f->rows[at]] == of;
        if (f->weight)
            f->weight[i] = hs_training_weight(f->training, f->rows[at]);
    }
    hs_graph_fit_start(fit, f->positive, f->number ? f->target : NULL, f->weight);
}

/* Into *out: which lambda has the best GM, over the classes that the training part has, or the
 * least RMSE; these go into the steps, too. From one lambda to the next the solution of an inner
 * fold moves about as that of the training part did, so that is where the search for it begins. */
static int proximal_choose(struct fitting *f, uint32_t *out, struct proximal_step *steps,
                           hsel_error *error)
{
    const struct options *o = f->options;
    const hsel_dataset *data = f->training->view.data;
    const uint32_t classes = f->model->classes, d = f->nodes, n = f->row_count;
    const size_t width = hs_answers(classes);
    hs_view view = {.data = data, .rows = f->rows, .row_count = n};
    HS_OWNS(hs_folds_clear) hs_folds folds = {0};
    HS_OWNED uint32_t *train = HS_NEW(uint32_t, n);
    HS_OWNED uint32_t *hits = HS_NEW(uint32_t, 2 * (size_t)classes);
    HS_OWNED double *sum = HS_NEW(double, n), *free = HS_NEW(double, f->free_columns);
    HS_OWNED double *scores = HS_NEW_ZERO(double, o->lambdas *n *width); /* [k][row][class] */
    HS_OWNED double *step = HS_NEW(double, d);
    double best = -INFINITY;
    HS_NEED(train && hits && sum && free && scores && step);
    HS_TRY(hs_folds_of_view(&view, o->folds, f->training->seed, &folds, error));
    for (uint32_t fold = 0; fold < folds.count; fold++) { /* learns from the rest */
        HS_OWNS(hs_graph_fit_clear) hs_graph_fit fit = {0};
        HS_OWNS(hs_design_clear) hs_design design = {0};
        uint32_t size = hs_folds_training(&folds, fold, train);
        HS_TRY(hs_design_part(&f->design, train, size, &design, error));
        HS_TRY(hs_graph_fit_init(&design, &f->norm, &fit, error));
        for (uint32_t part = 0; part < f->model->parts; part++) {
            const double *path = f->path + (size_t)part * o->lambdas * d;
            start_part(f, &fit, part, train, size);
            for (uint32_t k = 0; k < o->lambdas; k++, path += d) {
                for (uint32_t i = 0; k && i < d; i++)
                    step[i] = path[i] - path[(ptrdiff_t)i - (ptrdiff_t)d];
                if (k)
                    hs_graph_fit_move(&fit, step);
                hs_graph_fit_solve(&fit, lambda_at(f, part, k), o->tolerance, o->iterations);
                hs_design_scores(&f->design, fit.w, sum);
                double intercept = hs_graph_fit_free(&fit, free);
                for (uint32_t i = folds.start[fold]; i < folds.start[fold + 1]; i++) {
                    size_t at = folds.order[i];
                    double score = sum[at] + intercept;
                    for (uint32_t j = 0; j < f->free_columns; j++)
                        score += free[j] * f->design.free[(size_t)j * n + at];
                    scores[((size_t)k * n + at) * width + part] = score;
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
        double product = 1, gm, missed = 0;
        memset(hits, 0, 2 * (size_t)classes * sizeof *hits);
        for (uint32_t i = 0; i < n; i++) {
            if (!hs_fold_tests(&folds, i))
                continue;
            double *score = scores + ((size_t)k * n + i) * width;
            if (f->number) {
                missed += pow(*score - f->number[i], 2) / folds.start[folds.count];
                continue;
            }
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
        gm = present ? pow(product, 1.0 / present) : 0;
        steps[k].inner = f->number ? f->sd * sqrt(missed) : gm;
        if ((f->number ? -missed : gm) > best) {
            best = f->number ? -missed : gm;
            *out = k;
        }
    }
    return HSEL_OK;
}

/* Numbers to learn, of mean 0 and variance 1, so that the solver and its tolerances know no unit.
 */
static int learn_target(struct fitting *f, hsel_error *error)
{
    const double *target = f->training->view.data->target;
    double total = 0, square = 0;
    HS_NEED(f->number = HS_ARENA_NEW(&f->memory, double, f->row_count));
    HS_NEED(f->target = HS_ARENA_NEW(&f->memory, double, f->row_count));
    for (uint32_t i = 0; i < f->row_count; i++)
        total += hs_training_weight(f->training, f->rows[i]);
    for (uint32_t i = 0; i < f->row_count; i++)
        f->mean += hs_training_weight(f->training, f->rows[i]) / total * target[f->rows[i]];
    for (uint32_t i = 0; i < f->row_count; i++)
        square += hs_training_weight(f->training, f->rows[i]) / total *
                  pow(target[f->rows[i]] - f->mean, 2);
    f->sd = square > 1e-28 * f->mean * f->mean ? sqrt(square) : 0;
    for (uint32_t i = 0; i < f->row_count; i++)
        f->number[i] = f->sd > 0 ? (target[f->rows[i]] - f->mean) / f->sd : 0;
    f->sd = f->sd > 0 ? f->sd : 1;
    return HSEL_OK;
}

/* A solution as weights of the values as they were. */
static void keep_weights(const struct fitting *f, const double *w, const double *free,
                         struct proximal_part *part, double *out)
{
    for (uint32_t i = 0; i < f->nodes + f->free_columns; i++) {
        const struct column *c = &f->column[i];
        double own = i < f->nodes ? w[i] : free[i - f->nodes];
        if (c->place == HSEL_NONE || own == 0 || !(c->scale > 0))
            continue;
        out[c->place] = f->sd * own / c->scale;
        part->intercept -= out[c->place] * c->centre;
        part->active += out[c->place] != 0;
    }
}

/* Features that have a weight. */
static uint32_t count_features(const struct fitting *f, const double *w, const double *free)
{
    uint32_t count = 0, last = HSEL_NONE;
    for (uint32_t i = 0; i < f->nodes + f->free_columns; i++) {
        const struct column *c = &f->column[i];
        if (c->place == HSEL_NONE || (i < f->nodes ? w[i] : free[i - f->nodes]) == 0)
            continue;
        count += c->feature != last || c->code == HSEL_NONE;
        last = c->feature;
    }
    return count;
}

static int proximal_fit(const hs_training *training, const void *options, void **out,
                        hsel_error *error)
{
    const hs_view *view = &training->view;
    const hsel_dataset *data = view->data;
    HS_OWNS(model_release) struct proximal_model *m = proximal_model_new(data);
    HS_OWNS(fitting_clear)
    struct fitting f = {.training = training, .options = options, .model = m, .sd = 1};
    HS_OWNS(hs_graph_fit_clear) hs_graph_fit solver = {0};
    const struct options *o = options;
    uint32_t chosen = 0;
    bool differs = false; /* there is something to tell apart */
    HS_NEED(m);
    HS_TRY(lambda_of(options, &f.lambda, error));
    HS_NEED(HS_LISTS(&f.memory, &f, HS_PART(&f, feature, data->features),
                     HS_PART(&f, positive, view->row_count), HS_PART(&f, largest, m->parts)));
    if (hs_training_weighs(training))
        HS_NEED(f.weight = HS_ARENA_NEW(&f.memory, double, view->row_count));
    HS_TRY(hs_training_rows(training, true, &f.rows, &f.row_count, error));
    if (data->target)
        HS_TRY(learn_target(&f, error));
    f.lambda /= f.sd;
    HS_TRY(make_norm(&f, error));
    HS_TRY(hs_graph_fit_init(&f.design, &f.norm, &solver, error));
    for (uint32_t part = 0; part < m->parts; part++) {
        start_part(&f, &solver, part, NULL, f.row_count);
        f.largest[part] = hs_graph_fit_largest(&solver);
        differs = differs || f.largest[part] > 0;
    }
    /* Down the lambdas: to the one given, or all the way, to choose among the solutions. */
    const bool chooses = differs && f.lambda == 0 && f.row_count > 1;
    const size_t d = f.nodes, q = f.free_columns, kept = chooses ? o->lambdas : 1;
    HS_OWNED struct proximal_part *solved = HS_NEW_ZERO(struct proximal_part, m->parts * kept);
    HS_OWNED double *path = HS_NEW(double, m->parts *kept *d);
    HS_OWNED double *free = HS_NEW(double, m->parts *kept *q);
    m->steps = chooses || f.lambda > 0 ? o->lambdas + !chooses : 1;
    m->path = HS_NEW_ZERO(struct proximal_step, (size_t)m->parts * m->steps);
    HS_NEED(solved && path && free && m->path);
    f.path = path;
    for (uint32_t part = 0; part < m->parts; part++) {
        double target = f.lambda > 0 ? f.lambda : lambda_at(&f, part, chooses ? o->lambdas - 1 : 0);
        struct proximal_step *step = m->path + (size_t)part * m->steps;
        bool arrived = false;
        start_part(&f, &solver, part, NULL, f.row_count);
        solver.largest = f.largest[part];
        for (uint32_t k = 0; !arrived; k++, step++) {
            double lambda = k < o->lambdas ? fmax(lambda_at(&f, part, k), target) : target;
            size_t at = part * kept + (chooses ? k : 0);
            HS_TRY(hs_progress_report(training->progress, k, o->lambdas, "solutions", error));
            hs_graph_fit_solve(&solver, lambda, o->tolerance, o->iterations);
            arrived = chooses ? k + 1 == o->lambdas : lambda == target;
            double intercept = hs_graph_fit_free(&solver, free + at * q);
            solved[at] = (struct proximal_part){.lambda = f.sd * lambda,
                                                .largest = f.sd * f.largest[part],
                                                .objective = f.sd * f.sd * solver.objective,
                                                .gap = solver.gap,
                                                .intercept = f.sd * intercept + f.mean,
                                                .iterations = solver.iterations};
            memcpy(path + at * d, solver.w, d * sizeof *path);
            *step = (struct proximal_step){.lambda = f.sd * lambda,
                                           .features = count_features(&f, solver.w, free + at * q),
                                           .loss = f.sd * f.sd * solver.loss,
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
        keep_weights(&f, path + at * d, free + at * q, &m->part[part],
                     m->weight + (size_t)part * m->places);
    }
    for (uint32_t part = 0; part < m->parts && training->progress; part++)
        HS_TRY(hs_notes_count(training->progress->notes, "proximal-graph",
                              "models stopped before the duality gap was reached; raise iterations",
                              m->part[part].gap > o->tolerance, error));
    *out = hs_take(&m);
    return HSEL_OK;
}

/* ---- predicting ---- */

/* What a part says of an instance; with `contribution` [d], what it says at the means and the most
 * frequent values, and what each feature adds to that. */
static double linear(const struct proximal_model *m, uint32_t part, const hsel_dataset *data,
                     uint32_t instance, double *contribution)
{
    const double *weight = m->weight + (size_t)part * m->places;
    double sum = m->part[part].intercept;
    size_t count;
    const uint32_t *row = hs_row(data, instance, &count);
    for (size_t i = 0; i < count; i++)
        *(contribution ? &contribution[row[i]] : &sum) += weight[row[i]];
    for (const hs_coded *o = m->other; o < m->other + m->other_count; o++) {
        const double own = hs_coded_term(o, hs_dataset_value(data, o->feature, instance), weight),
                     usual = contribution ? hs_coded_term(o, NAN, weight) : 0;
        sum += contribution ? usual : own;
        if (contribution)
            contribution[o->feature] = own - usual;
    }
    return sum;
}

static int proximal_predict(const void *pointer, const hs_batch *batch, void *scratch,
                            double *probability, double *score, hsel_error *error)
{
    const struct proximal_model *m = pointer;
    const size_t width = hs_answers(m->classes);
    (void)scratch;
    (void)error;
    for (uint32_t at = 0; at < batch->count; at++, probability += m->classes, score += width) {
        double total = 0;
        for (uint32_t part = 0; part < m->parts; part++)
            score[part] = linear(m, part, batch->data, batch->instances[at], NULL);
        class_scores(score, m->classes);
        for (uint32_t c = 0; c < m->classes; c++)
            total += probability[c] = hs_sigmoid(score[c]);
        for (uint32_t c = 0; m->classes != 2 && c < m->classes; c++)
            probability[c] = total > 0 ? probability[c] / total : 1.0 / m->classes;
    }
    return HSEL_OK;
}

/* Of several classes: the log-odds of the class's own part against the rest, its score, before
 * probabilities are normalised. Of a number: what adds up to it. */
static int proximal_contributions(const void *pointer, const hs_batch *one, void *scratch,
                                  uint32_t label, double *prior, double *contribution,
                                  hsel_error *error)
{
    const struct proximal_model *m = pointer;
    (void)scratch;
    (void)error;
    memset(contribution, 0, m->features * sizeof *contribution);
    *prior = linear(m, m->parts == 1 ? 0 : label, one->data, one->instances[0], contribution);
    if (m->parts == 1 && label == 0 && !m->numeric) {
        *prior = -*prior;
        for (uint32_t f = 0; f < m->features; f++)
            contribution[f] = contribution[f] != 0 ? -contribution[f] : 0;
    }
    return HSEL_OK;
}

/* ---- what was learned ---- */

/* Weights that are not 0, the weightiest first. */
static uint32_t list_active(const struct proximal_model *m, const double *weight, hs_weighted *out)
{
    uint32_t count = 0;
    for (uint32_t f = 0; f < m->features; f++)
        if (weight[f] != 0) {
            const hs_coded *o = other_of(m, f);
            out[count++] = (hs_weighted){weight[f], f, o && o->values ? 1 : HSEL_NONE};
        }
    for (const hs_coded *o = m->other; o < m->other + m->other_count; o++)
        for (uint32_t v = 0; o->values > 2 && v < o->values; v++)
            if (weight[o->column + v] != 0)
                out[count++] = (hs_weighted){weight[o->column + v], o->feature, v};
    hs_heaviest_first(out, count);
    return count;
}

static int proximal_weights(const void *pointer, hs_weighted **list, uint32_t *count,
                            uint32_t *label, hsel_error *error)
{
    const struct proximal_model *m = pointer;
    HS_NEED(*list = HS_NEW(hs_weighted, m->places));
    *count = list_active(m, m->weight, *list);
    *label = m->numeric ? HSEL_NONE : m->parts == 1 ? m->classes - 1 : 0;
    return HSEL_OK;
}

static void describe_path(const struct proximal_model *m, uint32_t part, hs_writer *out)
{
    const struct proximal_step *step = m->path + (size_t)part * m->steps;
    hs_writer_printf(out, "  path      lambda  features        loss       gap%s\n",
                     isnan(step->inner) ? ""
                     : m->numeric       ? "  RMSE of inner folds"
                                        : "  GM of inner folds");
    for (uint32_t k = 0; k < m->steps && step->lambda > 0; k++, step++) {
        hs_writer_printf(out, "  %c %12.6g  %8.0f  %10.6g  %8.2g",
                         step->lambda == m->part[part].lambda ? '*' : ' ', step->lambda,
                         step->features, step->loss, step->gap);
        if (!isnan(step->inner))
            hs_writer_printf(out, "  %.6g", step->inner);
        hs_writer_char(out, '\n');
    }
}

static int proximal_describe(const void *pointer, const hsel_dataset *shape, hs_describe_form form,
                             hs_writer *out, hsel_error *error)
{
    const struct proximal_model *m = pointer;
    const char *target = shape->class_attribute ? shape->class_attribute : "target";
    hs_json json = {.out = out};
    HS_OWNED hs_weighted *active = HS_NEW(hs_weighted, m->places);
    HS_NEED(active);
    if (form == HS_DESCRIBE_JSON)
        hs_json_put(&json, "{features:%u models:[", m->in_use);
    for (uint32_t part = 0; part < m->parts; part++) {
        const struct proximal_part *p = &m->part[part];
        const char *name =
            m->numeric ? target
                       : hsel_dataset_class_name(shape, m->parts == 1 ? m->classes - 1 : part);
        const uint32_t count = list_active(m, m->weight + (size_t)part * m->places, active);
        if (form == HS_DESCRIBE_TEXT) {
            if (m->numeric)
                hs_writer_printf(out, "target %s\n", name);
            else
                hs_writer_printf(out, "class %s against %s\n", name,
                                 m->parts == 1 ? hsel_dataset_class_name(shape, 0) : "the rest");
            hs_writer_printf(out, "  lambda           %.6g (all weights are 0 from %.6g on)\n",
                             p->lambda, p->largest);
            hs_writer_printf(out, "  objective        %.6g, relative duality gap %.2g\n",
                             p->objective, p->gap);
            hs_writer_printf(out, "  iterations       %u\n", p->iterations);
            if (m->steps > 1)
                describe_path(m, part, out);
            hs_writer_printf(out, "  intercept        %+.6g\n", p->intercept);
            hs_writer_printf(out, "  active features  %u of %u\n", count, m->in_use);
            for (uint32_t i = 0; i < count; i++) {
                char label[HS_LABEL_ROOM];
                const char *value = hs_value_name(shape, active[i].feature, active[i].code);
                hs_writer_printf(out, "    %+.6f  %s%s%s%s%s\n", active[i].weight,
                                 hsel_dataset_feature_name(shape, active[i].feature),
                                 value ? " = " : "", value ? value : "",
                                 hs_label_after(&shape->about, active[i].feature, label),
                                 m->free[active[i].feature] ? " (not penalised)" : "");
            }
            continue;
        }
        hs_json_put(&json,
                    "{%s:%s lambda:%g largest_lambda:%g objective:%g relative_gap:%g intercept:%g "
                    "iterations:%u active:[",
                    m->numeric ? "target" : "class", name, p->lambda, p->largest, p->objective,
                    p->gap, p->intercept, p->iterations);
        for (uint32_t i = 0; i < count; i++) {
            const char *value = hs_value_name(shape, active[i].feature, active[i].code);
            hs_json_put(&json, "{feature:%s", hsel_dataset_feature_name(shape, active[i].feature));
            hs_label_json(&json, &shape->about, active[i].feature);
            if (value)
                hs_json_put(&json, "value:%s", value);
            hs_json_put(&json, "weight:%g", active[i].weight);
            if (m->free[active[i].feature])
                hs_json_put(&json, "penalised:%d", false);
            hs_json_put(&json, "}");
        }
        hs_json_put(&json, "] path:[");
        const struct proximal_step *step = m->path + (size_t)part * m->steps;
        for (uint32_t k = 0; k < m->steps && step->lambda > 0; k++, step++) {
            hs_json_put(&json, "{lambda:%g features:%g loss:%g relative_gap:%g", step->lambda,
                        step->features, step->loss, step->gap);
            if (!isnan(step->inner))
                hs_json_put(&json, "%s:%g", m->numeric ? "inner_rmse" : "inner_gm", step->inner);
            hs_json_put(&json, "}");
        }
        hs_json_put(&json, "]}");
    }
    if (form == HS_DESCRIBE_JSON)
        hs_json_put(&json, "]}");
    return HSEL_OK;
}

/* ---- model files: sizes; of each part its numbers, then places and weights that are not 0; then
 * what stands for missing values, what is free, and the path ---- */

static int proximal_graph_fields(void *model, const hsel_dataset *shape, hs_transfer *file,
                                 hsel_error *error)
{
    struct proximal_model *m = model;
    (void)shape;
    HS_FIELDS(file, HS_SHAPE(m), HS_VALUE(m->in_use, 0, m->features));
    for (uint32_t part = 0; part < m->parts; part++) {
        struct proximal_part *p = &m->part[part];
        double *weight = m->weight + (size_t)part * m->places;
        HS_FIELDS(file, HS_VALUE(p->lambda, 0, DBL_MAX), HS_VALUE(p->largest, 0, DBL_MAX),
                  HS_VALUE(p->objective, 0, DBL_MAX), HS_VALUE(p->gap, 0, DBL_MAX),
                  HS_VALUE(p->intercept, HS_FINITE), HS_VALUE(p->iterations, HS_ANY),
                  HS_VALUE(p->active, 0, m->places));
        for (uint32_t i = 0, f = 0; i < p->active; i++, f++) {
            while (!hs_reads(file) && weight[f] == 0)
                f++;
            HS_FIELDS(file, HS_VALUE(f, f, m->places - 1.0));
            HS_FIELDS(file, HS_VALUE(weight[f], HS_FINITE));
            if (weight[f] == 0)
                return HSEL_EFORMAT;
        }
    }
    for (hs_coded *o = m->other; o < m->other + m->other_count; o++)
        HS_FIELDS(file, HS_VALUE(o->common, 0, o->values ? o->values - 1.0 : 0),
                  HS_VALUE(o->mean, HS_FINITE));
    HS_FIELDS(file, HS_VALUES(*m->free, m->features, 0, 1), HS_VALUE(m->steps, 0, 1001));
    HS_FIELDS(file, HS_LIST(m->path, (uint64_t)m->parts * m->steps, HS_ANY));
    return HSEL_OK;
}

static const hs_classifier functions = {.fit = proximal_fit,
                                        .predict = proximal_predict,
                                        .contributions = proximal_contributions,
                                        .weights = proximal_weights,
                                        .describe = proximal_describe,
                                        .name = "proximal-graph",
                                        .make = proximal_model_new,
                                        .fields = proximal_graph_fields,
                                        .free = proximal_model_free};

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
    .help = "Logistic regression, or least squares for a numeric target, with the graph-structured "
            "l-infinity penalty: a feature has a weight only if its ancestors may have one too, so "
            "that few, connected terms are used. Other groups can come from a file (groups); "
            "without file and hierarchy every feature is its own group (lasso). Numeric features "
            "are divided by their standard deviation in the training part, and weights are for the "
            "original values; missing values are replaced by the mean. A nominal feature is a "
            "column per value, below it. Covariates are not penalised. The weight of the penalty "
            "is chosen by cross-validation inside the training part, by GM or RMSE, on a path that "
            "starts where all weights are 0; the description of a model shows the path. More than "
            "two classes: one against the rest. It cannot be combined with lazy selectors.",
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

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Gradient boosting by XGBoost (Chen, Guestrin 2016), whose C library is loaded when a model is
 * learned: trees that each lower the log loss (of several classes, a tree for each in a round; of
 * numbers, the squared error) of the trees before.
 *
 * rounds=auto: inner folds grow together until the pooled loss on the held-out instances has not
 * fallen for PATIENCE rounds; the model then has the best number of rounds. The initial prediction
 * is the prior: log-odds of the classes, or the mean.
 *
 * Columns are sparse. Binary features have a 1 where they are positive, nominal ones a column per
 * value (one of two values). Of a numeric feature the library gets the ranks of its values, so that
 * neither size nor unit matter, and thresholds are in the middle between two values. A missing
 * value takes the branch that was better in training. So does 0 of a numeric feature that is 0 in
 * half of the training part or more and missing nowhere.
 *
 * The library runs in one thread (its sums depend on the number of threads, and what it keeps of a
 * booster belongs to a thread), and random numbers start again in each round from seed and round.
 * Trees are taken over as nodes of our own, by which we predict: model files and predictions do not
 * need the library.
 *
 * Learning O(rounds x depth x values), memory about 16 bytes per value and 12 more in each inner
 * fold. Predicting O(rounds x depth). Equal scores go to the lowest class.
 */
#include <pthread.h>

#include "classify/classify.h"
#include "core/library.h"
#include "rank/rank.h"

#define PATIENCE   30
#define MOST       10000 /* rounds */
#define MOST_NODES (UINT32_C(1) << 26)
#define SHOWN      20 /* most important features in the text */

struct options {
    hs_adjust_options adjust; /* comes first */
    const char *rounds;
    uint32_t depth, folds;
    double rate, rows, features, weight;
};

static const hs_option table[] = {
    HS_ADJUST,
    HS_TEXT(struct options, rounds, "rounds", "auto|N", "auto",
            "number of trees (of several classes, of each class); auto chooses it in inner folds "
            "of the training part, by log loss or squared error"),
    HS_OPTION(struct options, rate, "rate", "R", "0.05", 1e-4, 1,
              "learning rate: factor by which each tree is multiplied"),
    HS_OPTION(struct options, depth, "depth", "N", "4", 1, 20, "maximum depth of a tree"),
    HS_OPTION(struct options, weight, "min-weight", "W", "1", 0, 1e9,
              "least sum of second derivatives in a leaf"),
    HS_OPTION(struct options, rows, "rows", "S", "1", 0.01, 1,
              "share of the instances on which each tree is grown"),
    HS_OPTION(struct options, features, "features", "S", "0.2", 0.001, 1,
              "share of the features tried at a node"),
    HS_OPTION(struct options, folds, "folds", "N", "5", 2, 1000, "inner folds for rounds=auto"),
    HS_OPTION_END};

/* The number that was given; 0: auto. */
static int rounds_of(const struct options *o, uint32_t *out, hsel_error *error)
{
    double number = 0;
    if (strcmp(o->rounds, "auto") != 0 &&
        !(hs_parse_double(o->rounds, strlen(o->rounds), &number) && number >= 1 && number <= MOST &&
          number == floor(number)))
        return hs_fail(error, HSEL_EUSAGE,
                       "rounds of boost is auto or a number up to %d, not %.60s", MOST, o->rounds);
    *out = (uint32_t)number;
    return HSEL_OK;
}

static int boost_check(const void *options, hsel_error *error)
{
    const struct options *o = options;
    uint32_t rounds;
    HS_TRY(hs_adjust_check(options, error));
    HS_TRY(rounds_of(o, &rounds, error));
    if (o->folds != 5 && rounds)
        return hs_fail(error, HSEL_EUSAGE, "{:folds} has no effect with a given number of rounds");
    return HSEL_OK;
}

/* ---- the library: what is used of its C interface, which is the same from 1.0 on ---- */

#define LIBRARY "libxgboost.so.0"

typedef void *handle;

static struct {
    const char *(*last_error)(void);
    int (*configure)(const char *json);
    int (*matrix_new)(const size_t *start, const unsigned *row, const float *value, size_t starts,
                      size_t values, size_t rows, handle *out);
    int (*matrix_part)(handle matrix, const int *rows, uint64_t count, handle *out, int groups);
    int (*matrix_set)(handle matrix, const char *field, const float *values, uint64_t count);
    int (*matrix_free)(handle matrix);
    int (*create)(const handle *matrices, uint64_t count, handle *out);
    int (*set)(handle booster, const char *name, const char *value);
    int (*update)(handle booster, int round, handle matrix);
    int (*predict)(handle booster, handle matrix, int mask, unsigned limit, int training,
                   uint64_t *count, const float **out);
    int (*dump)(handle booster, const char *map, int statistics, const char *format,
                uint64_t *count, const char ***out);
    int (*free)(handle booster);
} xgb;
static bool has_xgboost;

static void load_xgboost(void)
{
    static const char *const names[] = {"XGBGetLastError",
                                        "XGBSetGlobalConfig",
                                        "XGDMatrixCreateFromCSCEx",
                                        "XGDMatrixSliceDMatrixEx",
                                        "XGDMatrixSetFloatInfo",
                                        "XGDMatrixFree",
                                        "XGBoosterCreate",
                                        "XGBoosterSetParam",
                                        "XGBoosterUpdateOneIter",
                                        "XGBoosterPredict",
                                        "XGBoosterDumpModelEx",
                                        "XGBoosterFree",
                                        NULL};
    has_xgboost = hs_library_load(LIBRARY, names, &xgb);
}

/* The status of a call of the library: 0, or it has a message. */
static int check_library(int status, hsel_error *error)
{
    if (status == 0)
        return HSEL_OK;
    const char *text = xgb.last_error();
    HS_NEED(!strstr(text, "bad_alloc"));
    return hs_fail(error, HSEL_EUNSUPPORTED, "boost: %s says: %.*s", LIBRARY,
                   (int)strcspn(text, "\n") < 200 ? (int)strcspn(text, "\n") : 200, text);
}

/* ---- the model ---- */

/* A feature that is not binary. */
struct other {
    uint32_t feature;
    uint32_t values; /* nominal: how many; 0: numeric */
    uint32_t sparse; /* numeric: 0 counts as missing */
};

struct model {
    uint32_t features, classes;
    uint32_t groups; /* sums: of two classes 1, of more 1 each; of a number 1 */
    uint32_t columns, rounds, trees, nodes, in_use;
    bool numeric;
    double mean, sd;     /* of a numeric target */
    double loss;         /* in inner folds, of the rounds in use; NaN: there were none */
    uint32_t *column;    /* [features]: the first of the feature; HSEL_NONE: it is not in use */
    struct other *other; /* [other_count] */
    uint32_t other_count;
    double *prior;      /* [groups] */
    double *importance; /* [features] */
    /* Trees, one after the other, those of a round together: nodes level by level. The children of
     * the i-th node of a tree that has any are its nodes 2 i + 1, up to the threshold, and 2 i + 2.
     */
    uint32_t *start;   /* [trees + 1] */
    uint32_t *test;    /* [nodes]: the column; HSEL_NONE: a leaf */
    uint8_t *missing;  /* [nodes]: 1: without a value to the second child */
    double *threshold; /* [nodes]: of a leaf, what it adds to the sum */
    uint32_t *child;   /* [nodes]: the first; not in files */
};

static void model_free(void *pointer)
{
    struct model *m = pointer;
    if (m)
        HS_FREE(m->start, m->test, m->missing, m->threshold, m->child, m);
}
HS_RELEASE(model_release, struct model, model_free)

static void *model_new(const hsel_dataset *shape)
{
    const uint32_t classes = shape->class_names.count, groups = classes > 2 ? classes : 1;
    struct model *m =
        HS_BLOCK(m, HS_PART(m, column, shape->features), HS_PART(m, prior, groups),
                 HS_PART(m, importance, shape->features),
                 HS_PART(m, other, (size_t)shape->numeric_count + shape->nominal_count));
    if (!m)
        return NULL;
    m->features = shape->features;
    m->classes = classes;
    m->groups = groups;
    m->numeric = shape->target != NULL;
    m->sd = 1;
    m->loss = NAN;
    for (uint32_t f = 0; f < m->features; f++) {
        m->column[f] = HSEL_NONE;
        if (shape->types[f] == HSEL_BINARY)
            continue;
        struct other *o = &m->other[m->other_count++];
        o->feature = f;
        if (shape->types[f] == HSEL_NOMINAL) {
            o->values = shape->nominal[shape->slot[f]].values.count;
            o->values = o->values ? o->values : 1;
        }
    }
    return m;
}

static uint32_t width_of(const struct other *o) { return o->values > 2 ? o->values : 1; }

/* The columns of the features in use, by their order. */
static void number_columns(struct model *m)
{
    const struct other *o = m->other, *end = m->other + m->other_count;
    m->columns = 0;
    for (uint32_t f = 0; f < m->features; f++) {
        const bool is_other = o < end && o->feature == f;
        const uint32_t width = is_other ? width_of(o) : 1;
        if (m->column[f] != HSEL_NONE) {
            m->column[f] = m->columns;
            m->columns += width;
        }
        o += is_other;
    }
}

/* Where the children of nodes are; false: no such trees. */
static bool set_children(struct model *m)
{
    for (uint32_t t = 0; t < m->trees; t++) {
        const uint32_t first = m->start[t], count = m->start[t + 1] - first;
        uint64_t next = 1;
        if (m->start[t + 1] <= first)
            return false;
        for (uint32_t i = 0; i < count; i++) {
            if (m->test[first + i] == HSEL_NONE)
                continue;
            if (next <= i || next + 2 > count)
                return false;
            m->child[first + i] = first + (uint32_t)next;
            next += 2;
        }
        if (next != count)
            return false;
    }
    return true;
}

/* ---- predicting ---- */

static int boost_scratch_new(const void *model, void **out, hsel_error *error)
{
    const struct model *m = model;
    double *x = HS_NEW(double, m->columns);
    HS_NEED(*out = x);
    for (uint32_t c = 0; c < m->columns; c++)
        x[c] = NAN;
    return HSEL_OK;
}

/* The column that the instance has a value in, for a feature that is not binary, and the value;
 * HSEL_NONE: none. */
static uint32_t column_of(const struct model *m, const struct other *o, double *value)
{
    uint32_t column = m->column[o->feature];
    if (column == HSEL_NONE || isnan(*value) || (o->sparse && *value == 0))
        return HSEL_NONE;
    if (!o->values)
        return column;
    const uint32_t code = (uint32_t)*value;
    *value = 1;
    if (o->values > 2)
        return code < o->values ? column + code : HSEL_NONE;
    return code == 1 ? column : HSEL_NONE;
}

/* Values into x[columns], or (`clear`) NaN again. */
static void set_values(const struct model *m, const hsel_dataset *data, uint32_t instance,
                       bool clear, double *x)
{
    size_t count;
    const uint32_t *row = hs_row(data, instance, &count);
    for (size_t i = 0; i < count; i++)
        if (m->column[row[i]] != HSEL_NONE)
            x[m->column[row[i]]] = clear ? NAN : 1;
    for (const struct other *o = m->other; o < m->other + m->other_count; o++) {
        double value = hs_dataset_value(data, o->feature, instance);
        const uint32_t column = column_of(m, o, &value);
        if (column != HSEL_NONE)
            x[column] = clear ? NAN : value;
    }
}

static int boost_predict(const void *pointer, const hs_batch *batch, void *scratch,
                         double *probability, double *score, hsel_error *error)
{
    const struct model *m = pointer;
    const size_t width = hs_answers(m->classes);
    double *x = scratch;
    (void)error;
    for (uint32_t at = 0; at < batch->count; at++, probability += m->classes, score += width) {
        double *sum = m->groups > 1 ? probability : score;
        memcpy(sum, m->prior, m->groups * sizeof *sum);
        set_values(m, batch->data, batch->instances[at], false, x);
        for (uint32_t t = 0; t < m->trees; t++) {
            uint32_t node = m->start[t];
            while (m->test[node] != HSEL_NONE) {
                const double value = x[m->test[node]];
                node = m->child[node] +
                       (isnan(value) ? m->missing[node] : !(value <= m->threshold[node]));
            }
            sum[t % m->groups] += m->threshold[node];
        }
        set_values(m, batch->data, batch->instances[at], true, x);
        if (m->numeric) {
            *score = m->mean + m->sd * *score;
        } else if (m->groups > 1) {
            hs_normalise_logs(probability, score, m->classes);
        } else if (m->classes == 2) {
            hs_mirror_score(score, 2);
            probability[0] = hs_sigmoid(score[0]);
            probability[1] = hs_sigmoid(score[1]);
        } else if (m->classes == 1) {
            probability[0] = 1;
        }
    }
    return HSEL_OK;
}

/* ---- learning ---- */

struct run { /* a booster and its data */
    handle learns, tested, booster;
    float *margin;     /* [rows * groups]: of what it learns from, and then of what is tested */
    uint32_t *part_of; /* [classes]: those that occur in it; else HSEL_NONE */
    double *prior;     /* [groups] */
    double missed, total;
    bool grows; /* there are different classes or numbers */
};

struct learning {
    const hs_training *training;
    const struct options *options;
    struct model *model;
    hs_arena memory;
    uint32_t *rows, count;
    float *label, *weight; /* [count] */
    uint32_t *feature_of;  /* [columns] */
    double **values;       /* [columns]: the different values of a numeric feature, ascending … */
    uint32_t *value_count; /* … and how many; 0: the column is not numeric */
    hs_folds folds;
    struct run whole, *inner; /* [folds] */
    handle matrix;            /* all rows */
    uint32_t round;
};

static void run_clear(struct run *run)
{
    if (run->booster)
        xgb.free(run->booster);
    if (run->tested)
        xgb.matrix_free(run->tested);
    if (run->learns)
        xgb.matrix_free(run->learns);
}

static void boost_learning_clear(struct learning *l)
{
    for (uint32_t f = 0; l->inner && f < l->folds.count; f++)
        run_clear(&l->inner[f]);
    run_clear(&l->whole);
    if (l->matrix)
        xgb.matrix_free(l->matrix);
    hs_folds_clear(&l->folds);
    hs_arena_clear(&l->memory);
    hs_free(l->rows);
}

/* A numeric column as ranks of its values, which it keeps. */
static int rank_column(struct learning *l, struct other *o, double *value, uint32_t *order,
                       hs_sparse *out, float *rank, size_t *used, hsel_error *error)
{
    const hsel_dataset *data = l->training->view.data;
    const uint32_t n = l->count, column = l->model->column[o->feature];
    uint32_t known = 0, zeros = 0, different = 0;
    const double *all = hs_dataset_numeric(data, o->feature, value + n);
    for (uint32_t i = 0; i < n; i++) {
        value[i] = all[l->rows[i]];
        known += !isnan(value[i]);
        zeros += value[i] == 0;
    }
    o->sparse = known == n && zeros >= n - zeros;
    hs_order_all(value, HS_UPWARDS, order, n);
    HS_NEED(l->values[column] = HS_ARENA_NEW(&l->memory, double, o->sparse ? n - zeros : known));
    for (uint32_t i = 0; i < known; i++) { /* the library takes rows in any order */
        const double x = value[order[i]];
        if (o->sparse && x == 0)
            continue;
        if (!different || l->values[column][different - 1] != x)
            l->values[column][different++] = x;
        out->index[*used] = order[i];
        rank[(*used)++] = (float)different;
    }
    l->value_count[column] = different;
    return HSEL_OK;
}

/* The rows as the library's matrix, column by column. */
static int make_matrix(struct learning *l, hsel_error *error)
{
    struct model *m = l->model;
    const hs_view *view = &l->training->view;
    const hsel_dataset *data = view->data;
    const uint32_t n = l->count;
    HS_OWNS(hs_sparse_clear) hs_sparse binary = {0}, all = {0};
    HS_OWNED uint32_t *binaries = HS_NEW(uint32_t, m->features), *order = HS_NEW(uint32_t, n);
    HS_OWNED double *spread = HS_NEW(double, (size_t)data->instances + n);
    HS_OWNED float *value = NULL;
    uint32_t binary_count = 0, at = 0;
    struct other *o = m->other;
    HS_NEED(binaries && order && spread);
    for (uint32_t f = 0; f < m->features; f++) {
        m->column[f] = hs_view_has(view, f) ? 0 : HSEL_NONE;
        m->in_use += hs_view_has(view, f);
        if (hs_view_has(view, f) && data->types[f] == HSEL_BINARY)
            binaries[binary_count++] = f;
    }
    number_columns(m);
    HS_NEED(HS_LISTS(&l->memory, l, HS_PART(l, values, m->columns),
                     HS_PART(l, value_count, m->columns), HS_PART(l, feature_of, m->columns)));
    HS_TRY(hs_position_columns(data, binaries, binary_count, l->rows, n, &binary, error));
    const size_t room = binary.start[binary_count] + (size_t)m->other_count * n;
    HS_TRY(hs_sparse_init(&all, m->columns, room, error));
    HS_NEED(value = HS_NEW(float, room));
    size_t used = 0;
    for (uint32_t f = 0; f < m->features; f++) {
        const bool is_other = data->types[f] != HSEL_BINARY;
        const uint32_t column = m->column[f];
        if (column != HSEL_NONE && !is_other) {
            size_t positives;
            const uint32_t *row = hs_sparse_list(&binary, at++, &positives);
            memcpy(all.index + used, row, positives * sizeof *row);
            for (size_t i = 0; i < positives; i++)
                value[used++] = 1;
        } else if (column != HSEL_NONE && !o->values) {
            HS_TRY(rank_column(l, o, spread, order, &all, value, &used, error));
        } else if (column != HSEL_NONE) {
            for (uint32_t c = column; c < column + width_of(o); c++) {
                for (uint32_t i = 0; i < n; i++) {
                    double x = hs_dataset_value(data, f, l->rows[i]);
                    if (column_of(m, o, &x) != c)
                        continue;
                    all.index[used] = i;
                    value[used++] = 1;
                }
                all.start[c + 1] = used;
            }
        }
        for (uint32_t w = 0; column != HSEL_NONE && w < (is_other ? width_of(o) : 1); w++)
            l->feature_of[column + w] = f;
        if (column != HSEL_NONE && !(is_other && o->values))
            all.start[column + 1] = used;
        o += is_other;
    }
    return check_library(
        xgb.matrix_new(all.start, all.index, value, (size_t)m->columns + 1, used, n, &l->matrix),
        error);
}

static int set_number(handle booster, const char *name, double value, hsel_error *error)
{
    char text[40];
    snprintf(text, sizeof text, "%.9g", value);
    return check_library(xgb.set(booster, name, text), error);
}

/* Begins with some of the rows, or (NULL) with all of them: the prior, and a booster; `tested` rows
 * beside it. */
static int begin_run(struct learning *l, const uint32_t *places, uint32_t count,
                     const uint32_t *tested, uint32_t tested_count, struct run *run,
                     hsel_error *error)
{
    static const char *const fixed[][2] = {{"tree_method", "hist"},
                                           {"nthread", "1"},
                                           {"verbosity", "0"},
                                           {"disable_default_eval_metric", "1"},
                                           {"seed_per_iteration", "1"}};
    const struct options *o = l->options;
    const struct model *m = l->model;
    const hsel_dataset *data = l->training->view.data;
    const uint32_t groups = m->groups, most = count > tested_count ? count : tested_count;
    uint32_t present = 0;
    double total = 0, sum = 0;
    HS_NEED(HS_LISTS(&l->memory, run, HS_PART(run, margin, (size_t)most * groups),
                     HS_PART(run, part_of, m->classes), HS_PART(run, prior, groups)));
    HS_OWNED double *in_class = HS_NEW_ZERO(double, m->classes);
    HS_NEED(in_class);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at = places ? places[i] : i;
        total += (double)l->weight[at];
        sum += (double)l->weight[at] * (double)l->label[at];
        if (m->numeric)
            run->grows = run->grows || l->label[at] != l->label[places ? places[0] : 0];
        else
            in_class[data->class_of[l->rows[at]]] += (double)l->weight[at];
    }
    for (uint32_t c = 0; c < m->classes; c++) {
        run->part_of[c] = c;
        present += in_class[c] > 0;
    }
    run->grows = (run->grows || present > 1) && m->columns > 0;
    if (m->numeric)
        run->prior[0] = count ? sum / total : 0;
    else if (m->classes == 2)
        run->prior[0] = present == 2 ? log(in_class[1] / in_class[0])
                                     : log((in_class[1] + 1) / (in_class[0] + 1));
    for (uint32_t c = 0; c < m->classes && groups > 1; c++) /* or the odds of one instance */
        run->prior[c] = log((in_class[c] > 0 ? in_class[c] : total / (count + 1.0)) / total);
    if (!run->grows)
        return HSEL_OK;
    for (size_t i = 0; i < (size_t)most * groups; i++)
        run->margin[i] = (float)run->prior[i % groups];
    if (places) {
        HS_TRY(check_library(
            xgb.matrix_part(l->matrix, (const int *)places, count, &run->learns, 0), error));
        HS_TRY(check_library(
            xgb.matrix_part(l->matrix, (const int *)tested, tested_count, &run->tested, 0), error));
        HS_TRY(check_library(xgb.matrix_set(run->tested, "base_margin", run->margin,
                                            (uint64_t)tested_count * groups),
                             error));
    }
    const handle learns = run->learns ? run->learns : l->matrix;
    HS_TRY(check_library(
        xgb.matrix_set(learns, "base_margin", run->margin, (uint64_t)count * groups), error));
    HS_TRY(check_library(
        xgb.create((handle[]){learns, run->tested}, run->tested ? 2 : 1, &run->booster), error));
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        HS_TRY(check_library(xgb.set(run->booster, fixed[i][0], fixed[i][1]), error));
    HS_TRY(check_library(xgb.set(run->booster, "objective",
                                 m->numeric   ? "reg:squarederror"
                                 : groups > 1 ? "multi:softprob"
                                              : "binary:logistic"),
                         error));
    if (groups > 1)
        HS_TRY(set_number(run->booster, "num_class", groups, error));
    HS_TRY(set_number(run->booster, "base_score", 0.5, error));
    HS_TRY(set_number(run->booster, "seed", (double)(l->training->seed % 1000000007), error));
    HS_TRY(set_number(run->booster, "eta", o->rate, error));
    HS_TRY(set_number(run->booster, "max_depth", o->depth, error));
    HS_TRY(set_number(run->booster, "min_child_weight", o->weight, error));
    HS_TRY(set_number(run->booster, "subsample", o->rows, error));
    return set_number(run->booster, "colsample_bynode", o->features, error);
}

/* Grows a round of an inner fold (none before the first), and measures what it did not learn. */
static int boost_step_fold(struct learning *l, uint32_t fold, hsel_error *error)
{
    struct run *run = &l->inner[fold];
    const struct model *m = l->model;
    const uint32_t first = l->folds.start[fold], count = l->folds.start[fold + 1] - first;
    const float *margin = run->margin;
    HS_OWNED double *score = HS_NEW(double, m->groups);
    HS_NEED(score);
    if (run->grows && l->round > 0) {
        uint64_t length;
        HS_TRY(hs_progress_ask(l->training->progress, error));
        HS_TRY(check_library(xgb.update(run->booster, (int)l->round - 1, run->learns), error));
        HS_TRY(check_library(xgb.predict(run->booster, run->tested, 1, 0, 0, &length, &margin),
                             error));
        if (length != (uint64_t)count * m->groups)
            return hs_fail(error, HSEL_EUNSUPPORTED,
                           "boost: %s predicts %llu values instead of %llu", LIBRARY,
                           (unsigned long long)length, (unsigned long long)count * m->groups);
    }
    run->missed = run->total = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at = l->folds.order[first + i];
        const double v = (double)l->weight[at];
        for (uint32_t g = 0; g < m->groups; g++)
            score[g] = run->grows ? (double)margin[(size_t)i * m->groups + g] : run->prior[g];
        run->missed +=
            v * (m->numeric ? pow(*score - (double)l->label[at], 2)
                            : hs_log_loss(score, 1, run->part_of, m->classes,
                                          l->training->view.data->class_of[l->rows[at]], 0));
        run->total += v;
    }
    return HSEL_OK;
}

/* The best number of rounds in inner folds. */
static int choose_rounds(struct learning *l, uint32_t *out, hsel_error *error)
{
    struct model *m = l->model;
    const hs_view view = {.data = l->training->view.data, .rows = l->rows, .row_count = l->count};
    double best = INFINITY;
    HS_TRY(hs_folds_of_view(&view, l->options->folds, l->training->seed, &l->folds, error));
    HS_OWNED uint32_t *train = HS_NEW(uint32_t, l->count);
    HS_NEED(train && (l->inner = HS_ARENA_NEW(&l->memory, struct run, l->folds.count)));
    for (uint32_t f = 0; f < l->folds.count; f++) {
        const uint32_t first = l->folds.start[f], count = hs_folds_training(&l->folds, f, train);
        HS_TRY(begin_run(l, train, count, l->folds.order + first, l->folds.start[f + 1] - first,
                         &l->inner[f], error));
    }
    *out = 0;
    for (l->round = 0; l->round <= MOST && l->round - *out <= PATIENCE; l->round++) {
        double missed = 0, total = 0;
        HS_TRY(
            hs_progress_report(l->training->progress, l->round, 0, "rounds in inner folds", error));
        for (uint32_t f = 0; f < l->folds.count; f++) {
            HS_TRY(boost_step_fold(l, f, error));
            missed += l->inner[f].missed;
            total += l->inner[f].total;
        }
        if (missed < best) {
            best = missed;
            *out = l->round;
            m->loss = m->numeric ? m->sd * sqrt(missed / total) : missed / total;
        }
    }
    for (uint32_t f = 0; f < l->folds.count; f++) {
        run_clear(&l->inner[f]);
        l->inner[f] = (struct run){0};
    }
    return HSEL_OK;
}

/* ---- trees of the library's text ----
 *
 *     0:[f12<2.5] yes=1,no=2,missing=1,gain=3.2,cover=40
 *             1:leaf=0.25,cover=30
 */

struct line {
    uint32_t yes, no, missing, column;
    double number, gain;
    bool there;
};

/* Skips a text that must be here; false: it is not. */
static bool skip_text(const char **at, const char *text)
{
    const size_t length = strlen(text);
    if (strncmp(*at, text, length) != 0)
        return false;
    *at += length;
    return true;
}

static bool take_number(const char **at, double *out)
{
    const size_t length = strcspn(*at, ",]<:\n");
    const bool good = hs_parse_double(*at, length, out);
    *at += length;
    return good;
}

static bool take_index(const char **at, uint32_t *out)
{
    double number;
    if (!take_number(at, &number) || !(number >= 0 && number < MOST_NODES))
        return false;
    *out = (uint32_t)number;
    return true;
}

/* The next line; its node is *node. */
static bool take_line(const char **at, uint32_t *node, struct line *out)
{
    *out = (struct line){.column = HSEL_NONE, .there = true};
    *at += strspn(*at, "\t");
    if (!take_index(at, node) || !skip_text(at, ":"))
        return false;
    if (skip_text(at, "leaf=")) {
        if (!take_number(at, &out->number))
            return false;
    } else if (!(skip_text(at, "[f") && take_index(at, &out->column) && skip_text(at, "<") &&
                 take_number(at, &out->number) && skip_text(at, "] yes=") &&
                 take_index(at, &out->yes) && skip_text(at, ",no=") && take_index(at, &out->no) &&
                 skip_text(at, ",missing=") && take_index(at, &out->missing) &&
                 skip_text(at, ",gain="))) {
        return false;
    } else if (!take_number(at, &out->gain)) {
        out->gain = 0;
    }
    *at += strcspn(*at, "\n");
    *at += **at == '\n';
    return true;
}

/* The threshold for values of one for ranks. */
static double threshold_of(const struct learning *l, uint32_t column, double threshold)
{
    const uint32_t count = l->value_count[column];
    if (!l->values[column]) /* 1, or nothing */
        return threshold > 1 ? 1 : 0;
    const double *value = l->values[column], below = ceil(threshold) - 1;
    if (!(below >= 1))
        return -INFINITY;
    if (below >= count)
        return INFINITY;
    const double low = value[(uint32_t)below - 1], high = value[(uint32_t)below],
                 middle = low / 2 + high / 2;
    return middle >= low && middle < high ? middle : low;
}

/* Adds a tree to the model, whose lists have `room`. */
static int add_tree(struct learning *l, const char *text, size_t room[4], hsel_error *error)
{
    struct model *m = l->model;
    HS_OWNED struct line *line = NULL;
    HS_OWNED uint32_t *queue = NULL;
    size_t lines = 0, queued = 0;
    uint32_t nodes = 0, waiting = 1, node;
    const char *at = text;
    while (*at) {
        struct line next;
        if (!take_line(&at, &node, &next))
            return hs_fail(error, HSEL_EUNSUPPORTED, "boost: a tree of %s is of an unknown form",
                           LIBRARY);
        const size_t before = lines;
        HS_NEED(HS_GROW(&line, &lines, (size_t)node + 1));
        memset(line + before, 0, (lines - before) * sizeof *line);
        line[node] = next;
        nodes++;
    }
    const size_t all = (size_t)m->nodes + nodes;
    HS_NEED(HS_GROW(&queue, &queued, (size_t)nodes + 1) && HS_GROW(&m->test, &room[0], all) &&
            HS_GROW(&m->missing, &room[1], all) && HS_GROW(&m->threshold, &room[2], all));
    queue[0] = 0;
    for (uint32_t i = 0; i < nodes && i < waiting; i++) {
        const uint32_t own = queue[i], to = m->nodes + i;
        const struct line *x = own < lines && line[own].there ? &line[own] : NULL;
        if (!x || (x->column != HSEL_NONE && (x->column >= m->columns || waiting + 2 > nodes)))
            return hs_fail(error, HSEL_EUNSUPPORTED, "boost: a tree of %s is not a tree", LIBRARY);
        m->test[to] = x->column;
        m->missing[to] = x->column != HSEL_NONE && x->missing == x->no;
        m->threshold[to] = x->number;
        if (x->column == HSEL_NONE)
            continue;
        m->threshold[to] = threshold_of(l, x->column, x->number);
        queue[waiting++] = x->yes;
        queue[waiting++] = x->no;
        m->importance[l->feature_of[x->column]] += fmax(0, x->gain);
    }
    m->nodes += nodes;
    HS_NEED(HS_GROW(&m->start, &room[3], (size_t)m->trees + 2));
    m->start[0] = 0;
    m->start[++m->trees] = m->nodes;
    return HSEL_OK;
}

static int boost_fit(const hs_training *training, const void *options, void **out,
                     hsel_error *error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const hsel_dataset *data = training->view.data;
    HS_OWNS(model_release) struct model *m = model_new(data);
    HS_OWNS(boost_learning_clear)
    struct learning l = {.training = training, .options = options, .model = m};
    uint32_t rounds;
    double total = 0, square = 0, sum = 0;
    HS_NEED(m);
    pthread_once(&once, load_xgboost);
    if (!has_xgboost)
        return hs_fail(error, HSEL_EUNSUPPORTED, "boost needs the library %s (Debian: libxgboost0)",
                       LIBRARY);
    HS_TRY(rounds_of(options, &rounds, error));
    HS_TRY(hs_training_rows(training, true, &l.rows, &l.count, error));
    uint32_t kept = 0; /* an instance of weight 0 is as if it were absent, in inner folds, too */
    for (uint32_t i = 0; i < l.count; i++)
        if (hs_training_weight(training, l.rows[i]) > 0)
            l.rows[kept++] = l.rows[i];
    l.count = kept;
    if (l.count > INT32_MAX)
        return hs_fail(error, HSEL_ELIMIT, "boost takes at most %d instances", INT32_MAX);
    HS_NEED(HS_LISTS(&l.memory, &l, HS_PART(&l, label, l.count), HS_PART(&l, weight, l.count)));
    for (uint32_t i = 0; i < l.count; i++) {
        const double v = hs_training_weight(training, l.rows[i]);
        l.weight[i] = (float)v;
        total += v;
        m->mean += m->numeric ? v * (data->target[l.rows[i]] - m->mean) / total : 0;
    }
    for (uint32_t i = 0; i < l.count && m->numeric; i++)
        square += hs_training_weight(training, l.rows[i]) / total *
                  pow(data->target[l.rows[i]] - m->mean, 2);
    m->sd = square > 1e-28 * m->mean * m->mean ? sqrt(square) : 1;
    for (uint32_t i = 0; i < l.count; i++)
        l.label[i] = m->numeric ? (float)((data->target[l.rows[i]] - m->mean) / m->sd)
                                : (float)data->class_of[l.rows[i]];
    HS_TRY(check_library(xgb.configure("{\"verbosity\": 0}"), error));
    HS_TRY(make_matrix(&l, error));
    HS_TRY(check_library(xgb.matrix_set(l.matrix, "label", l.label, l.count), error));
    HS_TRY(check_library(xgb.matrix_set(l.matrix, "weight", l.weight, l.count), error));
    HS_TRY(begin_run(&l, NULL, l.count, NULL, 0, &l.whole, error));
    memcpy(m->prior, l.whole.prior, m->groups * sizeof *m->prior);
    if (l.whole.grows && rounds == 0)
        HS_TRY(choose_rounds(&l, &rounds, error));
    m->rounds = l.whole.grows ? rounds : 0;
    for (uint32_t round = 0; round < m->rounds; round++) {
        HS_TRY(hs_progress_report(training->progress, round, m->rounds, "rounds", error));
        HS_TRY(check_library(xgb.update(l.whole.booster, (int)round, l.matrix), error));
    }
    if (m->rounds > 0) {
        const char **text;
        uint64_t trees;
        size_t room[4] = {0};
        HS_TRY(check_library(xgb.dump(l.whole.booster, "", 1, "text", &trees, &text), error));
        for (uint64_t t = 0; t < trees; t++)
            HS_TRY(add_tree(&l, text[t], room, error));
        HS_NEED(m->child = HS_NEW(uint32_t, m->nodes));
        if (m->trees != m->rounds * m->groups || !set_children(m))
            return hs_fail(error, HSEL_EUNSUPPORTED, "boost: the trees of %s are not complete",
                           LIBRARY);
    }
    for (uint32_t f = 0; f < m->features; f++)
        sum += m->importance[f];
    for (uint32_t f = 0; f < m->features && sum > 0; f++)
        m->importance[f] /= sum;
    *out = hs_take(&m);
    return HSEL_OK;
}

/* ---- what was learned ---- */

static double boost_importance(const void *model, uint32_t feature)
{
    return ((const struct model *)model)->importance[feature];
}

static int boost_describe(const void *model, const hsel_dataset *shape, hs_describe_form form,
                          hs_writer *out, hsel_error *error)
{
    const struct model *m = model;
    hs_json json = {.out = out};
    uint32_t count = 0;
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, m->features);
    HS_NEED(order);
    hs_rank_order(m->importance, m->features, NULL, order);
    while (count < m->features && m->importance[order[count]] > 0)
        count++;
    if (form == HS_DESCRIBE_TEXT) {
        hs_writer_printf(out, "%u rounds, %u trees of %.1f nodes in the mean\n", m->rounds,
                         m->trees, m->trees ? (double)m->nodes / m->trees : 0);
        if (!isnan(m->loss))
            hs_writer_printf(out, "%s of inner folds: %.6g\n", m->numeric ? "RMSE" : "log loss",
                             m->loss);
        hs_writer_printf(out, "\nimportance  feature (%u of %u are used)\n", count, m->in_use);
    } else {
        hs_json_put(&json, "{rounds:%u trees:%u nodes:%u", m->rounds, m->trees, m->nodes);
        if (!isnan(m->loss))
            hs_json_put(&json, "%s:%g", m->numeric ? "inner_rmse" : "inner_log_loss", m->loss);
        hs_json_put(&json, "importance:[");
    }
    for (uint32_t i = 0; i < count && (i < SHOWN || form == HS_DESCRIBE_JSON); i++) {
        const char *name = hsel_dataset_feature_name(shape, order[i]);
        char label[HS_LABEL_ROOM];
        if (form == HS_DESCRIBE_TEXT) {
            hs_writer_printf(out, "%10.5f  %s%s\n", m->importance[order[i]], name,
                             hs_label_after(&shape->about, order[i], label));
            continue;
        }
        hs_json_put(&json, "{feature:%s", name);
        hs_label_json(&json, &shape->about, order[i]);
        hs_json_put(&json, "gain:%g}", m->importance[order[i]]);
    }
    if (form == HS_DESCRIBE_JSON)
        hs_json_put(&json, "]}");
    return HSEL_OK;
}

/* ---- model files: sizes, prior, features in use, trees ---- */

static int boost_fields(void *model, const hsel_dataset *shape, hs_transfer *file,
                        hsel_error *error)
{
    struct model *m = model;
    (void)shape;
    HS_FIELDS(file, HS_SHAPE(m), HS_VALUE(m->in_use, 0, m->features), HS_VALUE(m->rounds, 0, MOST),
              HS_VALUE(m->trees, HS_ANY), HS_VALUE(m->nodes, 0, UINT32_MAX),
              HS_VALUE(m->loss, HS_ANY), HS_VALUE(m->mean, HS_FINITE),
              HS_VALUE(m->sd, DBL_MIN, DBL_MAX), HS_VALUES(*m->prior, m->groups, HS_FINITE),
              HS_VALUES(*m->column, m->features, HS_ANY),
              HS_VALUES(*m->importance, m->features, 0, 1 + 1e-9));
    for (struct other *o = m->other; o < m->other + m->other_count; o++)
        HS_FIELDS(file, HS_VALUE(o->sparse, 0, o->values ? 0 : 1));
    if (hs_reads(file)) {
        uint32_t in_use = 0;
        if (m->trees != (uint64_t)m->rounds * m->groups)
            return HSEL_EFORMAT;
        number_columns(m);
        for (uint32_t f = 0; f < m->features; f++)
            in_use += m->column[f] != HSEL_NONE;
        if (in_use != m->in_use)
            return HSEL_EFORMAT;
    }
    if (m->trees == 0)
        return m->nodes == 0 ? HSEL_OK : HSEL_EFORMAT;
    HS_FIELDS(file, HS_LIST(m->start, (uint64_t)m->trees + 1, 0, m->nodes),
              HS_LIST(m->test, m->nodes, HS_ANY), HS_LIST(m->missing, m->nodes, 0, 1),
              HS_LIST(m->threshold, m->nodes, HS_ANY));
    if (!hs_reads(file))
        return HSEL_OK;
    for (uint32_t i = 0; i < m->nodes; i++)
        if ((m->test[i] == HSEL_NONE ? !isfinite(m->threshold[i])
                                     : m->test[i] >= m->columns || isnan(m->threshold[i])))
            return HSEL_EFORMAT;
    HS_NEED(m->child = HS_NEW(uint32_t, m->nodes));
    return m->start[0] == 0 && m->start[m->trees] == m->nodes && set_children(m) ? HSEL_OK
                                                                                 : HSEL_EFORMAT;
}

static const hs_classifier functions = {.fit = boost_fit,
                                        .predict = boost_predict,
                                        .scratch_new = boost_scratch_new,
                                        .scratch_free = hs_free,
                                        .importance = boost_importance,
                                        .describe = boost_describe,
                                        .name = "boost",
                                        .make = model_new,
                                        .fields = boost_fields,
                                        .free = model_free};

/* Slot `memory` of hs_method. */
static double boost_memory_needed(const hs_size *size, const void *options)
{
    return (16 + 12.0 * ((const struct options *)options)->folds) *
           (size->values + size->rows * (2 + size->columns));
}

const hs_method hs_method_boost = {
    .kind = HS_CLASSIFIER,
    .name = "boost",
    .title = "gradient boosting",
    .help =
        "Gradient boosting: each tree improves on the trees before it. XGBoost's library (Debian: "
        "libxgboost0) grows the trees and is needed only for training. Trees minimise the log loss "
        "or, for a numeric target, the squared error. The number of trees is chosen in inner folds "
        "of the training part, unless it is given. Takes binary, numeric and nominal features "
        "alike, the latter as a column per value; a missing value follows the branch that was "
        "better in training. It runs in one thread. It cannot be combined with lazy selectors.",
    .citation = "Chen, Guestrin (2016), KDD 785-794; Friedman (2001), Annals of Statistics "
                "29:1189-1232",
    .flags = HS_NEEDS_CLASSES | HS_STOCHASTIC | HS_WEIGHS_INSTANCES | HS_ANY_FEATURES |
             HS_NUMERIC_TARGET,
    .options = table,
    .memory = boost_memory_needed,
    .options_size = sizeof(struct options),
    .check = boost_check,
    .classifier = &functions,
};

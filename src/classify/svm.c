/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Support vector machines: for every two classes the function f(x) = sum of coef_i K(x_i, x) - rho
 * that solves
 *
 *     min 1/2 |w|^2 + C sum of max(0, 1 - y_i f(x_i))       (the C-SVC of libsvm)
 *
 * with K(x, y) = x.y (linear), (gamma x.y + coef0)^degree (polynomial) or exp(-gamma |x - y|^2)
 * (rbf). Features become columns of numbers as WEKA's SMO makes them (classify/svm_rows.h).
 * grid=rpv tries C = 2^-5, 2^-3 … 2^15 and gamma = 2^-15, 2^-13 … 2^3 by cross-validation inside
 * the training part (RPV paper, Appendix B; the grid of libsvm's guide); the linear kernel, which
 * the paper did not search, only C up to 2^7, because above that the solver takes minutes. Of equal
 * results the smallest C, then the smallest gamma. The predicted class is that of the decision
 * values (svm_model.c). Class probabilities: Platt's logistic curve on
 * decision values of inner folds (calibrate=5, as libsvm) or of the training part itself
 * (calibrate=0, as WEKA's SMO -M), coupled for several classes (Wu, Lin, Weng 2004); or plain
 * votes. Inner folds come from the seed, never from rand(), and are the same for all settings of
 * the grid. Classes that do not occur have probability 0. In inner folds that lack a class of a
 * pair the decision is 1 for the other, as in libsvm.
 *
 * Time: kernel values once, O(n^2 x values an instance), shared by all machines of a gamma; each
 * machine about O(n x support vectors) and more for large C. Memory 8 n^2 bytes, up to `cache`.
 * Ties of votes and probabilities fall to the lowest class.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "classify/svm_model.h"
#include "core/mem.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "data/folds.h"

enum { GRID_NONE, GRID_RPV };
enum { METRIC_ACCURACY, METRIC_GM };
enum { PROBABILITY_PLATT, PROBABILITY_VOTES, PROBABILITY_LOGISTIC };
#define GRID_C        11 /* 2^-5 … 2^15 */
#define GRID_C_LINEAR 7  /* 2^-5 … 2^7 */
#define GRID_GAMMA    10 /* 2^-15 … 2^3 */

struct options {
    int kernel, grid, metric, probability;
    uint32_t degree, cache, grid_folds, calibrate, max_steps;
    double c, gamma, coef0, tolerance;
    bool normalise;
};

static const hs_option table[] = {
    HS_CHOICE(struct options, kernel, "kernel", "linear|polynomial|rbf", "linear",
              "kernel function"),
    HS_OPTION(struct options, c, "c", "C", "1", 1e-9, 1e9,
              "cost of a training instance on the wrong side of its margin"),
    HS_OPTION(struct options, gamma, "gamma", "G", "0", 0, 1e9,
              "gamma of polynomial and rbf; 0 takes 1 / number of columns"),
    HS_OPTION(struct options, degree, "degree", "N", "3", 1, 100, "degree of polynomial"),
    HS_OPTION(struct options, coef0, "coef0", "X", "0", -1e9, 1e9, "constant of polynomial"),
    HS_CHOICE(struct options, grid, "grid", "none|rpv", "none",
              "rpv: C from 2^-5 to 2^15 (linear: to 2^7) and gamma from 2^-15 to 2^3, in steps of "
              "2^2, by "
              "cross-validation inside the training part"),
    HS_OPTION(struct options, grid_folds, "grid-folds", "N", "5", 2, 1000,
              "folds of the grid search"),
    HS_CHOICE(struct options, metric, "metric", "accuracy|gm", "accuracy",
              "what the grid search compares; gm: geometric mean of the shares of each class that "
              "are found"),
    HS_CHOICE(
        struct options, probability, "probability", "platt|votes|logistic", "platt",
        "platt: calibrated by a logistic curve; votes: the share of pairs of classes that a "
        "class wins; logistic: a curve without Platt's smoothing of the targets, as WEKA's SMO "
        "has it"),
    HS_OPTION(
        struct options, calibrate, "calibrate", "N", "0", 0, 1000,
        "platt, logistic: inner folds whose decision values are calibrated; 0 takes those of the "
        "training part itself"),
    HS_OPTION(struct options, normalise, "normalise", "true|false", "true", 0, 1,
              "scale numeric features to 0 … 1"),
    HS_OPTION(struct options, tolerance, "tolerance", "E", "0.001", 1e-6, 1,
              "where the solver stops"),
    HS_OPTION(struct options, max_steps, "max-steps", "N", "1000000", 1, 4e9,
              "where the solver of one machine gives up; a note says how many did"),
    HS_OPTION(
        struct options, cache, "cache", "MB", "256", 1, 1000000,
        "memory for kernel values; where those of all pairs of instances do not fit, for each "
        "thread that trains"),
    HS_OPTION_END};

/* ---- the training part ---- */

struct learning {
    const struct options *options;
    const hs_training *training;
    hs_view view; /* instances that have a class … */
    uint32_t *rows;
    uint32_t *label; /* … and its place among those that occur */
    hs_svm_rows encoded;
    hs_svm_space space;
    hs_svm_machine *machines;
    hs_svm *model;
};

static void learning_clear(struct learning *l)
{
    for (uint32_t p = 0; l->machines && p < l->model->pair_count; p++)
        hs_svm_machine_clear(&l->machines[p]);
    hs_free(l->machines);
    hs_svm_space_clear(&l->space);
    hs_svm_rows_clear(&l->encoded);
    hs_free(l->rows);
    hs_free(l->label);
}

static int take_rows(struct learning *l, hsel_error *error)
{
    const hs_view *all = &l->training->view;
    l->view = (hs_view){.data = all->data, .features = all->features};
    l->view.rows = l->rows = HS_NEW(uint32_t, all->row_count);
    l->label = HS_NEW(uint32_t, all->row_count);
    if (!l->rows || !l->label)
        return hs_fail_memory(error);
    for (uint32_t i = 0; i < all->row_count; i++)
        if (all->data->class_of[hs_view_row(all, i)] != HSEL_NONE)
            l->rows[l->view.row_count++] = hs_view_row(all, i);
    return HSEL_OK;
}

static int take_classes(struct learning *l, hsel_error *error)
{
    hs_svm *m = l->model;
    uint32_t *place = HS_NEW_ZERO(uint32_t, m->classes);
    m->present = HS_NEW(uint32_t, m->classes);
    int status = place && m->present ? HSEL_OK : hs_fail_memory(error);
    for (uint32_t i = 0; i < l->view.row_count && status == HSEL_OK; i++)
        place[l->view.data->class_of[l->rows[i]]] = 1;
    for (uint32_t c = 0; c < m->classes && status == HSEL_OK; c++)
        if (place[c]) {
            place[c] = m->present_count;
            m->present[m->present_count++] = c;
        }
    for (uint32_t i = 0; i < l->view.row_count && status == HSEL_OK; i++)
        l->label[i] = place[l->view.data->class_of[l->rows[i]]];
    hs_free(place);
    if (status == HSEL_OK && m->present_count > HS_SVM_CLASSES_LIMIT)
        status = hs_fail(error, HSEL_ELIMIT, "svm is for up to %d classes, and %s has %u",
                         HS_SVM_CLASSES_LIMIT, hsel_dataset_name(l->view.data), m->present_count);
    return status;
}

static int make_pairs(struct learning *l, hsel_error *error)
{
    hs_svm *m = l->model;
    uint32_t count = 0,
             pairs = m->present_count ? m->present_count * (m->present_count - 1) / 2 : 0;
    m->pair = HS_NEW_ZERO(hs_svm_pair, pairs);
    l->machines = HS_NEW_ZERO(hs_svm_machine, pairs);
    if (!m->pair || !l->machines)
        return hs_fail_memory(error);
    m->pair_count = pairs;
    for (uint32_t a = 0; a < m->present_count; a++)
        for (uint32_t b = a + 1; b < m->present_count; b++)
            m->pair[count++] = (hs_svm_pair){.first = a, .second = b};
    return HSEL_OK;
}

/* Inner folds, at most one an instance. */
static int inner_folds(const struct learning *l, uint32_t wanted, hs_folds *out, hsel_error *error)
{
    uint32_t folds = wanted < l->view.row_count ? wanted : l->view.row_count;
    return hs_folds_of_view(&l->view, folds, l->training->seed, out, error);
}

/* The machine is used as it is, so it is said when it stopped early. */
static int note_machine(const struct learning *l, const hs_svm_machine *machine, bool of_grid,
                        hsel_error *error)
{
    char text[160];
    if (!l->training->progress)
        return HSEL_OK;
    snprintf(text, sizeof text,
             "machines%s stopped after %u step%s without converging; %sraise max-steps",
             of_grid ? " of the grid search" : "", l->options->max_steps,
             l->options->max_steps == 1 ? "" : "s", of_grid ? "" : "lower c or ");
    return hs_notes_count(l->training->progress->notes, "svm", text, machine->stopped, error);
}

/* ---- grid search ---- */

struct grid {
    const struct learning *learning;
    hs_folds folds;
    uint32_t *predicted; /* [values of C][rows] */
};

static double grid_c(size_t i) { return ldexp(1, 2 * (int)i - 5); }
static double grid_gamma(size_t i) { return ldexp(1, 2 * (int)i - 15); }

/* Votes of all pairs for the rows of a fold; most votes win. */
static int predict_fold(void *context, size_t index, int worker, hsel_error *error)
{
    const struct grid *grid = context;
    const struct learning *l = grid->learning;
    const hs_folds *folds = &grid->folds;
    const hs_svm *m = l->model;
    uint32_t fold = (uint32_t)(index % folds->count), from = folds->start[fold],
             tested = folds->start[fold + 1] - from;
    uint32_t *votes = HS_NEW_ZERO(uint32_t, (size_t)tested * m->present_count);
    int status = votes ? HSEL_OK : hs_fail_memory(error);
    (void)worker;
    for (uint32_t p = 0; p < m->pair_count && status == HSEL_OK; p++) {
        hs_svm_machine machine;
        status = hs_svm_machine_train(&l->space, m->pair[p].first, m->pair[p].second,
                                      grid_c(index / folds->count), folds->fold_of, fold, &machine,
                                      error);
        if (status)
            break;
        status = note_machine(l, &machine, true, error);
        for (uint32_t i = 0; i < tested && status == HSEL_OK; i++) {
            bool first = hs_svm_machine_decide(&l->space, &machine, folds->order[from + i]) > 0;
            votes[(size_t)i * m->present_count + (first ? m->pair[p].first : m->pair[p].second)]++;
        }
        hs_svm_machine_clear(&machine);
    }
    for (uint32_t i = 0; i < tested && status == HSEL_OK; i++) {
        const uint32_t *vote = votes + (size_t)i * m->present_count;
        uint32_t most = 0;
        for (uint32_t c = 1; c < m->present_count; c++)
            most = vote[c] > vote[most] ? c : most;
        grid->predicted[index / folds->count * l->view.row_count + folds->order[from + i]] = most;
    }
    hs_free(votes);
    return status;
}

static double score(const struct learning *l, const uint32_t *predicted)
{
    uint32_t right = 0;
    double sum = 0;
    for (uint32_t c = 0; c < l->model->present_count; c++) {
        uint32_t found = 0, all = 0;
        for (uint32_t i = 0; i < l->view.row_count; i++)
            if (l->label[i] == c) {
                all++;
                found += predicted[i] == c;
            }
        right += found;
        sum += log((double)found / all);
    }
    return l->options->metric == METRIC_GM ? exp(sum / l->model->present_count)
                                           : (double)right / l->view.row_count;
}

static int search(struct learning *l, hsel_error *error)
{
    hs_svm *m = l->model;
    const uint32_t rows = l->view.row_count;
    const bool linear = m->kernel.kind == HS_SVM_LINEAR;
    const size_t gammas = linear ? 1 : GRID_GAMMA, costs = linear ? GRID_C_LINEAR : GRID_C;
    hs_svm_kernel kernel = m->kernel;
    struct grid grid = {.learning = l, .predicted = HS_NEW(uint32_t, rows * costs)};
    int status = grid.predicted ? inner_folds(l, l->options->grid_folds, &grid.folds, error)
                                : hs_fail_memory(error);
    m->score = -1;
    for (size_t g = 0; g < gammas && status == HSEL_OK; g++) {
        if (!linear)
            kernel.gamma = grid_gamma(g);
        status = hs_progress_report(l->training->progress, g, gammas, "grid search", error);
        if (status == HSEL_OK)
            status = hs_svm_space_fill(&l->space, &kernel, l->training->threads, error);
        if (status == HSEL_OK)
            status = hs_parallel_for(costs * grid.folds.count, l->training->threads, predict_fold,
                                     &grid, error);
        for (size_t c = 0; c < costs && status == HSEL_OK; c++) {
            double found = score(l, grid.predicted + c * rows);
            if (found > m->score || (found == m->score && grid_c(c) < m->c)) {
                m->score = found;
                m->c = grid_c(c);
                m->kernel = kernel;
            }
        }
    }
    hs_folds_clear(&grid.folds);
    hs_free(grid.predicted);
    return status;
}

/* ---- machines and curves ---- */

struct calibration {
    struct learning *learning;
    hs_folds folds;   /* count 0: on the training part itself */
    double *decision; /* [rows * (present - 1)]: of a row in its pair with every other class */
};

static double *decision_of(const struct calibration *c, const hs_svm_pair *pair, uint32_t row)
{
    const struct learning *l = c->learning;
    uint32_t other = l->label[row] == pair->first ? pair->second : pair->first;
    return &c->decision[(size_t)row * (l->model->present_count - 1) + other -
                        (other > l->label[row])];
}

static bool in_pair(const struct learning *l, const hs_svm_pair *pair, uint32_t row)
{
    return l->label[row] == pair->first || l->label[row] == pair->second;
}

/* The machine of a pair on all rows, or on all but a fold, whose rows it then decides. */
static int train_one(void *context, size_t index, int worker, hsel_error *error)
{
    struct calibration *c = context;
    struct learning *l = c->learning;
    const size_t p = index / (c->folds.count + 1);
    const uint32_t turn = (uint32_t)(index % (c->folds.count + 1));
    hs_svm_pair *pair = &l->model->pair[p];
    hs_svm_machine part, *machine = turn ? &part : &l->machines[p];
    int status = hs_svm_machine_train(&l->space, pair->first, pair->second, l->model->c,
                                      turn ? c->folds.fold_of : NULL, turn - 1, machine, error);
    (void)worker;
    if (status)
        return status;
    status = note_machine(l, machine, false, error);
    if (!turn)
        pair->stopped = machine->stopped;
    for (uint32_t i = 0; i < l->view.row_count && (turn || !(c->folds.count || l->model->votes));
         i++)
        if (in_pair(l, pair, i) && (!turn || c->folds.fold_of[i] == turn - 1))
            *decision_of(c, pair, i) = hs_svm_machine_decide(&l->space, machine, i);
    if (turn)
        hs_svm_machine_clear(&part);
    return status;
}

static int fit_curves(const struct calibration *c, hsel_error *error)
{
    const struct learning *l = c->learning;
    double *decision = HS_NEW(double, l->view.row_count);
    bool *positive = HS_NEW(bool, l->view.row_count);
    int status = decision && positive ? HSEL_OK : hs_fail_memory(error);
    for (uint32_t p = 0; p < l->model->pair_count && status == HSEL_OK; p++) {
        hs_svm_pair *pair = &l->model->pair[p];
        size_t count = 0;
        for (uint32_t i = 0; i < l->view.row_count; i++)
            if (in_pair(l, pair, i)) {
                decision[count] = *decision_of(c, pair, i);
                positive[count++] = l->label[i] == pair->first;
            }
        pair->platt = l->options->probability == PROBABILITY_LOGISTIC
                          ? hs_logistic_fit(decision, positive, count)
                          : hs_platt_fit(decision, positive, count);
    }
    hs_free(decision);
    hs_free(positive);
    return status;
}

static int train(struct learning *l, hsel_error *error)
{
    hs_svm *m = l->model;
    struct calibration c = {
        .learning = l,
        .decision = HS_NEW_ZERO(double, (size_t)l->view.row_count *(m->present_count - 1))};
    int status = c.decision ? hs_svm_space_fill(&l->space, &m->kernel, l->training->threads, error)
                            : hs_fail_memory(error);
    if (status == HSEL_OK && !m->votes && l->options->calibrate)
        status = inner_folds(l, l->options->calibrate, &c.folds, error);
    if (status == HSEL_OK)
        status = hs_parallel_for((size_t)m->pair_count * (c.folds.count + 1), l->training->threads,
                                 train_one, &c, error);
    if (status == HSEL_OK && !m->votes)
        status = fit_curves(&c, error);
    hs_folds_clear(&c.folds);
    hs_free(c.decision);
    return status;
}

/* ---- all together ---- */

static int learn(struct learning *l, hsel_error *error)
{
    const struct options *o = l->options;
    hs_svm *m = l->model;
    int status = hs_svm_space_new(&l->encoded, l->label, o->tolerance, o->max_steps, o->cache,
                                  &l->space, error);
    l->space.progress = l->training->progress;
    if (status == HSEL_OK && o->grid == GRID_RPV)
        status = search(l, error);
    if (status == HSEL_OK)
        status = train(l, error);
    return status ? status : hs_svm_keep(m, l->machines, &l->encoded, error);
}

static void set_kernel(hs_svm *m, const struct options *o)
{
    m->votes = o->probability == PROBABILITY_VOTES;
    m->c = o->c;
    m->score = NAN;
    m->kernel = (hs_svm_kernel){
        .kind = o->kernel, .degree = o->degree, .gamma = o->gamma, .coef0 = o->coef0};
    if (o->gamma == 0)
        m->kernel.gamma = 1.0 / (m->code.columns ? m->code.columns : 1);
}

static int check(const void *options, hsel_error *error)
{
    if (((const struct options *)options)->calibrate != 1)
        return HSEL_OK;
    return hs_fail(error, HSEL_EUSAGE,
                   "svm: calibrate=1 leaves nothing to learn from: 0, or 2 and more");
}

static int fit(const hs_training *training, const void *options, void **out, hsel_error *error)
{
    struct learning l = {.options = options, .training = training, .model = HS_NEW_ZERO(hs_svm, 1)};
    if (!l.model)
        return hs_fail_memory(error);
    l.model->classes = training->counts->classes;
    int status = take_rows(&l, error);
    if (status == HSEL_OK)
        status = take_classes(&l, error);
    if (status == HSEL_OK)
        status = hs_svm_code_learn(&l.view, l.options->normalise, &l.model->code, error);
    if (status == HSEL_OK)
        status = make_pairs(&l, error);
    if (status == HSEL_OK)
        set_kernel(l.model, l.options);
    if (status == HSEL_OK && l.model->pair_count) {
        status = hs_svm_rows_new(&l.model->code, &l.view, &l.encoded, error);
        if (status == HSEL_OK)
            status = learn(&l, error);
    }
    learning_clear(&l);
    if (status)
        hs_svm_free(l.model);
    else
        *out = l.model;
    return status;
}

static const hs_classifier functions = {.fit = fit,
                                        .predict = hs_svm_predict,
                                        .scratch_new = hs_svm_scratch_new,
                                        .scratch_free = hs_svm_scratch_free,
                                        .contribution = hs_svm_contribution,
                                        .describe = hs_svm_describe,
                                        .write = hs_svm_write,
                                        .read = hs_svm_read,
                                        .free = hs_svm_free};

const hs_method hs_method_svm = {
    .kind = HS_CLASSIFIER,
    .name = "svm",
    .title = "support vector machine",
    .help = "C-SVC, solved as by libsvm, with a linear, polynomial or RBF kernel, one machine for "
            "every two "
            "classes, on binary, numeric (scaled "
            "to 0 … 1; missing is the mean) and nominal features (a column a value). The class is "
            "that of the decision values, as in libsvm: the class that wins most pairs, of equal "
            "ones the first. Probabilities are a second thing, and the most probable class may be "
            "another: they are calibrated by Platt's "
            "logistic curve and coupled over the pairs of classes. grid=rpv chooses "
            "C and gamma by "
            "cross-validation inside the training part. kernel=rbf,grid=rpv is the SVM of the RPV "
            "paper; c=5,probability=logistic that of the "
            "TBFS paper; calibrate=0 is how WEKA's SMO calibrates, calibrate=5 how libsvm does.",
    .citation = "Chang, Lin (2011), LIBSVM, ACM TIST 2(3):27; Fan, Chen, Lin (2005), JMLR "
                "6:1889-1918; Lin, Lin, Weng (2007), Machine "
                "Learning 68:267-276, Algorithm 1; Wu, Lin, "
                "Weng (2004), JMLR 5:975-1005, second approach",
    .flags = HS_NEEDS_CLASSES | HS_ANY_FEATURES | HS_STOCHASTIC,
    .options = table,
    .options_size = sizeof(struct options),
    .check = check,
    .classifier = &functions,
};

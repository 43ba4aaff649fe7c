/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Support vector machines: for every two classes the function f(x) = sum of coef_i K(x_i, x) - rho
 * that solves
 *
 *     min 1/2 |w|^2 + C sum of max(0, 1 - y_i f(x_i))                   (the C-SVC of libsvm)
 *     min 1/2 |w|^2 + 1/2 rho^2 + C sum of max(0, 1 - y_i f(x_i))^2     (liblinear, K linear)
 *
 * The second is the default of the linear kernel: it is found from the rows without any kernel
 * value (svm_linear.h), in time that grows with the positive values and not with the square of the
 * rows. with K(x, y) = x.y (linear), (gamma x.y + coef0)^degree (polynomial) or exp(-gamma |x -
 * y|^2) (rbf). Features become columns of numbers as WEKA's SMO makes them (svm.h). grid=rpv tries
 * C = 2^-5, 2^-3 … 2^15 and gamma = 2^-15, 2^-13 … 2^3 by cross-validation inside the training part
 * (RPV paper, Appendix B; the grid of libsvm's guide); the linear kernel, which the paper did not
 * search, only C up to 2^7, because above that the solver takes minutes. Of equal results the
 * smallest C, then the smallest gamma. The predicted class is that of the decision values
 * (score_classes). Class probabilities: Platt's logistic curve on decision values of inner
 * folds, as libsvm has it, or a logistic curve on those of the training part itself, as WEKA's SMO
 * -M, coupled for several classes (Wu, Lin, Weng 2004); or plain votes. c=auto takes the C of
 * liblinear of least squared hinge loss in inner folds. Inner folds come from the seed, never from
 * rand(), and are the same for all settings. Classes that do not occur have probability 0. In inner
 * folds that lack a class of a pair the decision is 1 for the other, as in libsvm.
 *
 * Time: liblinear some hundred walks over the rows, memory 4 bytes per value (12 if not all are
 * binary). libsvm kernel values once, O(n^2 x values per instance), shared by all machines of a
 * gamma; each machine about O(n x support vectors) and more for large C; memory 8 n^2 bytes, up to
 * `cache`.
 * Ties of votes and probabilities fall to the lowest class.
 */
#include "classify/svm.h"

#include <float.h>

#include "classify/svm_linear.h"

enum { SOLVER_AUTO, SOLVER_LIBLINEAR, SOLVER_LIBSVM };
enum { GRID_NONE, GRID_RPV };
enum { METRIC_ACCURACY, METRIC_GM };
enum { PROBABILITY_PLATT, PROBABILITY_VOTES, PROBABILITY_LOGISTIC };
#define GRID_C        11 /* 2^-5 … 2^15 */
#define GRID_C_LINEAR 7  /* 2^-5 … 2^7 */
#define GRID_GAMMA    10 /* 2^-15 … 2^3 */
#define PATH          9  /* c=auto: 2^-14 … 2^2 */
#define SHOWN         20 /* weights of a pair, in text; JSON has all */

struct options {
    hs_adjust_options adjust; /* comes first */
    int kernel, solver, grid, metric, probability;
    uint32_t degree, cache, grid_folds, max_steps;
    const char *c;
    double gamma, coef0, tolerance;
    bool normalise;
};

static const hs_option table[] = {
    HS_ADJUST,
    HS_WEKA("solver=libsvm,c=1,probability=logistic,calibration=none", "WEKA's SMO with -M"),
    HS_CHOICE(struct options, kernel, "kernel", "linear|polynomial|rbf", "linear",
              "kernel function"),
    HS_CHOICE(struct options, solver, "solver", "auto|liblinear|libsvm", "auto",
              "liblinear: squared loss, and an offset that counts as a weight, as scikit-learn's "
              "LinearSVC; libsvm: C-SVC, as WEKA's SMO; auto: liblinear for the linear kernel, "
              "libsvm for the others"),
    HS_TEXT(struct options, c, "c", "auto|NUMBER", "auto",
            "cost of a training instance on the wrong side of its margin; auto: liblinear chooses "
            "from 2^-14 to 2^2, in steps of 2^2, by the squared hinge loss of decision values "
            "of inner folds, libsvm takes 1"),
    HS_OPTION(struct options, gamma, "gamma", "G", "0", 0, 1e9,
              "gamma of polynomial and rbf; 0 takes 1 / number of columns"),
    HS_OPTION(struct options, degree, "degree", "N", "3", 1, 100, "degree of polynomial"),
    HS_OPTION(struct options, coef0, "coef0", "X", "0", -1e9, 1e9, "constant of polynomial"),
    HS_CHOICE(struct options, grid, "grid", "none|rpv", "none",
              "rpv: C from 2^-5 to 2^15 (linear: to 2^7) and gamma from 2^-15 to 2^3, in steps of "
              "2^2, by cross-validation inside the training part"),
    HS_OPTION(struct options, grid_folds, "grid-folds", "N", "5", 2, 1000,
              "folds of the grid search, of c=auto and of probability=platt"),
    HS_CHOICE(struct options, metric, "metric", "accuracy|gm", "accuracy",
              "metric of the grid search; gm: geometric mean of the recalls of the classes"),
    HS_CHOICE(
        struct options, probability, "probability", "platt|votes|logistic", "platt",
        "platt: calibrated by a logistic curve on decision values of inner folds; votes: the share "
        "of pairs of classes that a class wins; logistic: a curve on decision values of the "
        "training part itself, without Platt's smoothing of the targets, as in WEKA's SMO"),
    HS_OPTION(struct options, normalise, "normalise", "true|false", "true", 0, 1,
              "scale numeric features to 0 … 1"),
    HS_OPTION(struct options, tolerance, "tolerance", "E", "0.001", 1e-8, 1,
              "tolerance at which the solver stops; liblinear: the duality gap is at most E^2 of "
              "the objective"),
    HS_OPTION(
        struct options, max_steps, "max-steps", "N", "1000000", 1, 4e9,
        "maximum number of steps of one machine; a note reports how many machines reached it"),
    HS_OPTION(struct options, cache, "cache", "MB", "256", 1, 1000000,
              "memory for kernel values, in MB; if those of all pairs of instances do not fit, per "
              "training thread"),
    HS_OPTION_END};

/* ---- the model ---- */

static void svm_model_free(void *pointer)
{
    hs_svm *m = pointer;
    if (m)
        HS_FREE(m->column, m->other, m->present, m->pair, m->weight, m->start, m->vector, m->value,
                m->member, m->coef, m->square, m);
}

static bool all_finite(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

static hs_svm_kernel kernel_of(const hs_svm *m)
{
    return (hs_svm_kernel){(int)m->kind, m->degree, m->gamma, m->coef0};
}

static uint32_t columns_of(const hs_coded *other) { return other->values > 2 ? other->values : 1; }

static uint32_t pairs_of(uint32_t classes) { return classes ? classes * (classes - 1) / 2 : 0; }

/* Squares of the support vectors, from their values. */
static int set_squares(hs_svm *m, hsel_error *error)
{
    HS_NEED(m->square = HS_NEW_ZERO(double, m->vector_count));
    for (uint64_t i = 0; i < m->value_count; i++)
        m->square[m->vector[i]] += m->value[i] * m->value[i];
    return HSEL_OK;
}

/* ---- features as columns ---- */

static int infinite(const hsel_dataset *data, uint32_t feature, hsel_error *error)
{
    return hs_fail(
        error, HSEL_EUNSUPPORTED,
        "svm needs finite values, but feature %.200s of %s has values too large or infinite",
        hsel_dataset_feature_name(data, feature), hsel_dataset_name(data));
}

static int learn_columns(hs_svm *m, const hs_view *view, const double *weight, bool normalise,
                         hsel_error *error)
{
    const hsel_dataset *data = view->data;
    m->features = data->features;
    m->column = HS_NEW(uint32_t, data->features);
    m->other = HS_NEW_ZERO(hs_coded, (size_t)data->numeric_count + data->nominal_count);
    HS_OWNED double *spread = HS_NEW(double, data->numeric_count ? data->instances : 0);
    HS_NEED(m->column && m->other && spread);
    for (uint32_t f = 0; f < data->features; f++) {
        m->column[f] = HSEL_NONE;
        if (hs_view_has(view, f) && data->types[f] == HSEL_BINARY)
            m->column[f] = m->columns++;
        else if (hs_view_has(view, f))
            m->other[m->other_count++].feature = f;
    }
    for (hs_coded *o = m->other; o < m->other + m->other_count; o++) {
        o->column = m->columns;
        if (data->types[o->feature] == HSEL_NUMERIC) { /* without any value all are 0 */
            const double *values = hs_dataset_numeric(data, o->feature, spread);
            double low = INFINITY, high = -INFINITY, sum = 0, count = 0;
            for (uint32_t i = 0; i < view->row_count; i++) {
                uint32_t row = hs_view_row(view, i);
                double value = values[row], v = weight ? weight[row] : 1;
                if (isnan(value))
                    continue;
                low = fmin(low, value);
                high = fmax(high, value);
                sum += v * value;
                count += v;
            }
            if (count > 0 && (!isfinite(sum) || !isfinite(high - low)))
                return infinite(data, o->feature, error);
            o->mean = count > 0 ? sum / count : 0;
            o->low = normalise && count > 0 ? low : 0;
            o->range = normalise ? (count > 0 ? high - low : 0) : 1;
        } else {
            const hs_nominal_column *column = &data->nominal[data->slot[o->feature]];
            o->values = column->values.count ? column->values.count : 1;
            HS_OWNED double *counts = HS_NEW_ZERO(double, o->values);
            HS_NEED(counts);
            for (uint32_t i = 0; i < view->row_count; i++) {
                uint32_t row = hs_view_row(view, i), code = column->codes[row];
                if (code != HS_MISSING_CODE)
                    counts[code] += weight ? weight[row] : 1;
            }
            for (uint32_t v = 1; v < o->values; v++)
                o->common = counts[v] > counts[o->common] ? v : o->common;
        }
        if (columns_of(o) > INT32_MAX - 1 - m->columns)
            return hs_fail(error, HSEL_ELIMIT,
                           "the nominal features of %s have too many values for svm",
                           hsel_dataset_name(data));
        m->columns += columns_of(o);
    }
    return HSEL_OK;
}

/* One instance: x[columns] must be all 0; sets the columns that are not 0 and lists them,
 * ascending. */
static int encode(const hs_svm *m, const hsel_dataset *data, uint32_t instance, double *x,
                  uint32_t *columns, uint32_t *count, hsel_error *error)
{
    size_t positives;
    const uint32_t *row = hs_row(data, instance, &positives);
    *count = 0;
    for (size_t i = 0; i < positives; i++)
        if (m->column[row[i]] != HSEL_NONE)
            x[columns[(*count)++] = m->column[row[i]]] = 1;
    for (const hs_coded *o = m->other; o < m->other + m->other_count; o++) {
        double value = hs_dataset_value(data, o->feature, instance);
        uint32_t column = hs_code_value(o, &value);
        if (column == HSEL_NONE)
            continue;
        x[columns[(*count)++] = column] = value;
        if (!isfinite(value))
            return infinite(data, o->feature, error);
    }
    return HSEL_OK;
}

/* The rows of a view. Memory is allocated for the largest possible size, in which no numeric column
 * is sparse. */
static int encode_rows(const hs_svm *m, const hs_view *view, hs_svm_rows *out, hsel_error *error)
{
    const uint32_t n = view->row_count;
    HS_OWNED double *x = HS_NEW_ZERO(double, m->columns);
    HS_OWNED uint32_t *columns = HS_NEW(uint32_t, m->columns);
    size_t indices = 0, values = 0, expected = (size_t)m->other_count * n + 1, positives;
    *out = (hs_svm_rows){.count = n, .columns = m->columns};
    for (uint32_t i = 0; i < n; i++, expected += positives)
        hs_row(view->data, hs_view_row(view, i), &positives);
    for (const hs_coded *o = m->other; o < m->other + m->other_count; o++)
        expected -= !o->values && view->data->numeric[view->data->slot[o->feature]].rows ? n : 0;
    HS_NEED(x && columns && HS_GROW(&out->index, &indices, expected) &&
            HS_GROW(&out->value, &values, expected));
    HS_NEED(HS_LISTS(NULL, out, HS_PART(out, start, (size_t)n + 1), HS_PART(out, square, n)));
    for (uint32_t i = 0, count; i < n; i++) {
        HS_TRY(encode(m, view->data, hs_view_row(view, i), x, columns, &count, error));
        size_t at = out->start[i];
        HS_NEED(HS_GROW(&out->index, &indices, at + count + 1) &&
                HS_GROW(&out->value, &values, at + count + 1));
        for (uint32_t k = 0; k < count; k++, at++) {
            out->index[at] = columns[k];
            out->value[at] = x[columns[k]];
            out->square[i] += out->value[at] * out->value[at];
            x[columns[k]] = 0;
        }
        out->start[i + 1] = at;
    }
    return HSEL_OK;
}

/* ---- learning ---- */

struct learning {
    hs_arena arena; /* of the lists here */
    const struct options *options;
    const hs_training *training;
    hs_view view; /* instances that have a class … */
    uint32_t *rows;
    uint32_t *label; /* … and its place among those that occur */
    hs_svm_rows encoded;
    hs_svm_space space;
    hs_svm_machine *machines;
    uint32_t machine_count;
    bool linear;     /* liblinear */
    double *weights; /* liblinear: [pairs][columns + 1], as hs_linear_train has them */
    hs_svm *model;
    hs_folds folds;      /* of the grid search */
    uint32_t *predicted; /* grid search: [values of C][rows] */
};

static void learning_clear(struct learning *l)
{
    for (uint32_t p = 0; l->machines && p < l->machine_count; p++)
        hs_svm_machine_clear(&l->machines[p]);
    hs_svm_space_clear(&l->space);
    hs_svm_rows_clear(&l->encoded);
    hs_folds_clear(&l->folds);
    hs_free(l->rows);
    hs_arena_clear(&l->arena);
    svm_model_free(l->model);
}

/* The machine is used nevertheless, with a note if it stopped early. */
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

static double path_c(size_t i) { return ldexp(1, 2 * (int)i - 14); }

/* The number that c is; NaN: auto. */
static double given_c(const struct options *o)
{
    double c;
    return hs_parse_double(o->c, strlen(o->c), &c) ? c : (double)NAN;
}

static double grid_c(size_t i) { return ldexp(1, 2 * (int)i - 5); }

/* The machine of a pair on all rows, or (fold_of) on all but a fold. liblinear's is in w alone,
 * which is where it begins. */
static int train_pair(const struct learning *l, const hs_svm_pair *pair, double c,
                      const uint32_t *fold_of, uint32_t fold, double *w, hs_svm_machine *machine,
                      hsel_error *error)
{
    hs_linear_machine found;
    if (!l->linear)
        return hs_svm_machine_train(&l->space, pair->first, pair->second, c, fold_of, fold, machine,
                                    error);
    HS_TRY(
        hs_linear_train(&l->space, pair->first, pair->second, c, fold_of, fold, w, &found, error));
    *machine = (hs_svm_machine){.first = pair->first,
                                .second = pair->second,
                                .count = found.vectors,
                                .rho = -w[l->encoded.columns],
                                .stopped = found.stopped};
    return HSEL_OK;
}

static double decide(const struct learning *l, const hs_svm_machine *machine, const double *w,
                     uint32_t row)
{
    return l->linear ? hs_linear_decide(&l->encoded, row, w)
                     : hs_svm_machine_decide(&l->space, machine, row);
}

/* Votes of all pairs for the rows of a fold; most votes win. A task is a value of C and a fold;
 * with liblinear it is a fold, and each value of C begins where the one before ended. */
static int predict_fold(void *context, size_t index, int worker, hsel_error *error)
{
    const struct learning *l = context;
    const hs_folds *folds = &l->folds;
    const hs_svm *m = l->model;
    const size_t present = m->present_count, columns = l->linear ? (size_t)m->columns + 1 : 0;
    const size_t begin = index / folds->count, end = columns ? GRID_C_LINEAR : begin + 1;
    const uint32_t fold = (uint32_t)(index % folds->count),
                   tested = folds->start[fold + 1] - folds->start[fold],
                   *order = folds->order + folds->start[fold];
    HS_OWNED uint32_t *votes = HS_NEW(uint32_t, tested * present),
                      *left_out = HS_NEW(uint32_t, l->view.row_count); /* 0, or 1 */
    HS_OWNED double *weights = HS_NEW_ZERO(double, columns * m->pair_count);
    HS_NEED(votes && weights && left_out);
    (void)worker;
    for (uint32_t i = 0; i < l->view.row_count; i++)
        left_out[i] = !hs_fold_learns(folds, i, fold);
    for (size_t cost = begin; cost < end; cost++) {
        memset(votes, 0, tested * present * sizeof *votes);
        for (size_t p = 0; p < m->pair_count; p++) {
            HS_OWNS(hs_svm_machine_clear) hs_svm_machine machine = {0};
            const hs_svm_pair *pair = &m->pair[p];
            double *w = weights + p * columns;
            HS_TRY(train_pair(l, pair, grid_c(cost), left_out, 1, w, &machine, error));
            HS_TRY(note_machine(l, &machine, true, error));
            for (uint32_t i = 0; i < tested; i++) {
                bool first = decide(l, &machine, w, order[i]) > 0;
                votes[i * present + (first ? pair->first : pair->second)]++;
            }
        }
        for (uint32_t i = 0; i < tested; i++) {
            const uint32_t *vote = votes + i * present;
            uint32_t most = 0;
            for (uint32_t c = 1; c < present; c++)
                most = vote[c] > vote[most] ? c : most;
            l->predicted[cost * l->view.row_count + order[i]] = most;
        }
    }
    return HSEL_OK;
}

static int search_grid(struct learning *l, hsel_error *error)
{
    hs_svm *m = l->model;
    const uint32_t rows = l->view.row_count;
    const bool linear = m->kind == HS_SVM_LINEAR;
    const size_t gammas = linear ? 1 : GRID_GAMMA, costs = linear ? GRID_C_LINEAR : GRID_C;
    hs_svm_kernel kernel = kernel_of(m);
    HS_NEED(l->predicted = HS_ARENA_NEW(&l->arena, uint32_t, rows * costs));
    HS_TRY(hs_folds_of_view(&l->view, l->options->grid_folds, l->training->seed, &l->folds, error));
    m->score = -1;
    for (size_t g = 0; g < gammas; g++) {
        if (!linear)
            kernel.gamma = ldexp(1, 2 * (int)g - 15);
        HS_TRY(hs_progress_report(l->training->progress, g, gammas, "grid search", error));
        HS_TRY(hs_svm_space_fill(&l->space, &kernel, l->training->threads, error));
        HS_TRY(hs_parallel_for((l->linear ? 1 : costs) * l->folds.count, l->training->threads,
                               predict_fold, l, error));
        for (size_t c = 0; c < costs; c++) {
            const uint32_t *predicted = l->predicted + c * rows;
            uint32_t right = 0;
            double logs = 0;
            for (uint32_t k = 0; k < m->present_count; k++) {
                uint32_t hits = 0, all = 0;
                for (uint32_t i = 0; i < rows; i++) {
                    if (!hs_fold_tests(&l->folds, i))
                        continue;
                    all += l->label[i] == k;
                    hits += l->label[i] == k && predicted[i] == k;
                }
                right += hits;
                logs += all ? log((double)hits / all) : 0;
            }
            double found = l->options->metric == METRIC_GM
                               ? exp(logs / m->present_count)
                               : (double)right / l->folds.start[l->folds.count];
            if (found > m->score || (found == m->score && grid_c(c) < m->c)) {
                m->score = found;
                m->c = grid_c(c);
                m->gamma = kernel.gamma;
            }
        }
    }
    hs_folds_clear(&l->folds);
    return HSEL_OK;
}

/* ---- c=auto and the curve, by decision values of inner folds ---- */

struct path {
    struct learning *learning;
    const hs_svm_pair *pair;
    size_t costs;     /* 1: the C of the model */
    double *decision; /* [costs][rows] */
};

static double cost_of(const struct path *path, size_t i)
{
    return path->costs > 1 ? path_c(i) : path->learning->model->c;
}

/* Each C begins where the one before ended. */
static int decide_fold(void *context, size_t fold, int worker, hsel_error *error)
{
    const struct path *path = context;
    const struct learning *l = path->learning;
    const hs_folds *folds = &l->folds;
    const uint32_t rows = l->view.row_count;
    HS_OWNED uint32_t *left_out = HS_NEW(uint32_t, rows); /* 0, or 1 */
    HS_OWNED double *w = HS_NEW_ZERO(double, l->linear ? (size_t)l->model->columns + 1 : 0);
    HS_NEED(left_out && w);
    (void)worker;
    for (uint32_t i = 0; i < rows; i++)
        left_out[i] = !hs_fold_learns(folds, i, (uint32_t)fold);
    for (size_t c = 0; c < path->costs; c++) {
        HS_OWNS(hs_svm_machine_clear) hs_svm_machine machine = {0};
        HS_TRY(train_pair(l, path->pair, cost_of(path, c), left_out, 1, w, &machine, error));
        HS_TRY(note_machine(l, &machine, true, error));
        for (uint32_t i = folds->start[fold]; i < folds->start[fold + 1]; i++)
            path->decision[c * rows + folds->order[i]] = decide(l, &machine, w, folds->order[i]);
    }
    return HSEL_OK;
}

/* The C of least squared hinge loss in inner folds, of equal ones the smallest, and the curve of
 * each pair. (The log loss of the curves would not tell whether classes are predicted at all: a
 * curve has an offset of its own.) A curve that would fall is flat: the machine knows nothing. */
static int search_path(struct learning *l, bool chooses, hsel_error *error)
{
    hs_svm *m = l->model;
    const uint32_t rows = l->view.row_count;
    struct path path = {.learning = l, .costs = chooses ? PATH : 1};
    HS_OWNED double *decision = HS_NEW(double, rows *path.costs), *of_pair = HS_NEW(double, rows);
    HS_OWNED bool *positive = HS_NEW(bool, rows);
    HS_OWNED hs_platt *curve = HS_NEW(hs_platt, m->pair_count * path.costs);
    double loss[PATH] = {0};
    size_t best = 0;
    HS_NEED(decision && of_pair && positive && curve);
    path.decision = decision;
    HS_TRY(hs_folds_of_view(&l->view, l->options->grid_folds, l->training->seed, &l->folds, error));
    for (uint32_t p = 0; p < m->pair_count; p++) {
        path.pair = &m->pair[p];
        HS_TRY(hs_progress_report(l->training->progress, p, m->pair_count, "inner folds", error));
        HS_TRY(hs_parallel_for(l->folds.count, l->training->threads, decide_fold, &path, error));
        for (size_t c = 0; c < path.costs; c++) {
            size_t count = 0;
            double with = 0;
            for (uint32_t i = 0; i < rows; i++)
                if (hs_fold_tests(&l->folds, i) &&
                    (l->label[i] == path.pair->first || l->label[i] == path.pair->second)) {
                    const bool is_first = l->label[i] == path.pair->first;
                    const double f = decision[c * rows + i];
                    loss[c] += hs_training_weight(l->training, hs_view_row(&l->view, i)) *
                               pow(fmax(0, is_first ? 1 - f : 1 + f), 2);
                    of_pair[count] = f;
                    with += positive[count++] = is_first;
                }
            hs_platt fit = hs_platt_fit(of_pair, positive, NULL, count, true);
            if (!(fit.a < 0))
                fit = (hs_platt){0, log(((double)count - with + 1) / (with + 1))};
            curve[p * path.costs + c] = fit;
        }
    }
    hs_folds_clear(&l->folds);
    for (size_t c = 1; c < path.costs; c++)
        best = loss[c] < loss[best] ? c : best;
    m->c = cost_of(&path, best);
    for (uint32_t p = 0; p < m->pair_count; p++)
        m->pair[p].platt = curve[p * path.costs + best];
    return HSEL_OK;
}

/* The machine of a pair, its weights and its curve. */
static int train_whole(void *context, size_t index, int worker, hsel_error *error)
{
    struct learning *l = context;
    const hs_svm_rows *rows = &l->encoded;
    hs_svm *m = l->model;
    hs_svm_pair *pair = &m->pair[index];
    hs_svm_machine *machine = &l->machines[index];
    double *weight = m->weight ? m->weight + index : NULL; /* each behind those of other pairs */
    HS_OWNED double *w = HS_NEW_ZERO(double, l->linear ? (size_t)m->columns + 1 : 0);
    HS_OWNED double *decision = HS_NEW(double, rows->count);
    HS_OWNED bool *positive = HS_NEW(bool, rows->count);
    const bool in_sample = l->options->probability == PROBABILITY_LOGISTIC;
    size_t decided = 0;
    (void)worker;
    HS_NEED(w && decision && positive);
    HS_TRY(train_pair(l, pair, m->c, NULL, 0, w, machine, error));
    HS_TRY(note_machine(l, machine, false, error));
    pair->stopped = machine->stopped;
    pair->vectors = machine->count;
    pair->rho = machine->rho;
    for (size_t i = 0; l->linear && i < m->columns; i++)
        weight[i * m->pair_count] = w[i];
    for (uint32_t i = 0; weight && !l->linear && i < machine->count; i++)
        for (size_t k = rows->start[machine->row[i]]; k < rows->start[machine->row[i] + 1]; k++)
            weight[(size_t)rows->index[k] * m->pair_count] += machine->coef[i] * rows->value[k];
    for (uint32_t i = 0; in_sample && i < rows->count; i++)
        if (l->label[i] == pair->first || l->label[i] == pair->second) {
            decision[decided] = decide(l, machine, w, i);
            positive[decided++] = l->label[i] == pair->first;
        }
    if (in_sample)
        pair->platt = hs_platt_fit(decision, positive, NULL, decided, false);
    return HSEL_OK;
}

/* Other kernels: the rows that are support vectors of any pair, by column. */
static int keep_vectors(hs_svm *m, const hs_svm_machine *machines, const hs_svm_rows *rows,
                        hsel_error *error)
{
    const uint32_t columns = m->columns;
    HS_OWNED uint32_t *place = hs_new_none(rows->count); /* HSEL_NONE: is not one */
    HS_OWNED uint64_t *at = HS_NEW(uint64_t, (size_t)columns + 1);
    m->start = HS_NEW_ZERO(uint64_t, (size_t)columns + 1);
    HS_NEED(place && at && m->start);
    for (uint32_t p = 0; p < m->pair_count; p++) {
        m->member_count += machines[p].count;
        for (uint32_t i = 0; i < machines[p].count; i++)
            place[machines[p].row[i]] = 0;
    }
    for (uint32_t i = 0; i < rows->count; i++) {
        if (place[i] == HSEL_NONE)
            continue;
        place[i] = m->vector_count++;
        for (size_t k = rows->start[i]; k < rows->start[i + 1]; k++)
            m->start[rows->index[k] + 1]++;
    }
    for (uint32_t c = 0; c < columns; c++)
        m->start[c + 1] += m->start[c];
    memcpy(at, m->start, ((size_t)columns + 1) * sizeof *at);
    m->value_count = m->start[columns];
    HS_NEED(HS_LISTS(NULL, m, HS_PART(m, vector, m->value_count), HS_PART(m, value, m->value_count),
                     HS_PART(m, member, m->member_count), HS_PART(m, coef, m->member_count)));
    for (uint32_t i = 0; i < rows->count; i++)
        for (size_t k = rows->start[i]; place[i] != HSEL_NONE && k < rows->start[i + 1]; k++) {
            uint64_t *to = &at[rows->index[k]];
            m->vector[*to] = place[i];
            m->value[(*to)++] = rows->value[k];
        }
    uint64_t next = 0;
    for (uint32_t p = 0; p < m->pair_count; p++)
        for (uint32_t i = 0; i < machines[p].count; i++, next++) {
            m->member[next] = place[machines[p].row[i]];
            m->coef[next] = machines[p].coef[i];
        }
    return set_squares(m, error);
}

static int svm_fit(const hs_training *training, const void *options, void **out, hsel_error *error)
{
    const struct options *o = options;
    const hs_view *all = &training->view;
    const uint32_t *class_of = all->data->class_of, classes = training->counts->classes;
    HS_OWNED uint32_t *place = HS_NEW_ZERO(uint32_t, classes);
    HS_OWNS(learning_clear)
    struct learning l = {.options = o,
                         .training = training,
                         .view = {.data = all->data, .features = all->features},
                         .model = HS_NEW_ZERO(hs_svm, 1)};
    hs_svm *m = l.model;
    l.label = HS_ARENA_NEW(&l.arena, uint32_t, all->row_count);
    HS_NEED(m && l.label && place && (m->present = HS_NEW(uint32_t, classes)));
    *m = (hs_svm){.classes = classes,
                  .present = m->present,
                  .kind = (uint32_t)o->kernel,
                  .degree = o->degree,
                  .votes = o->probability == PROBABILITY_VOTES,
                  .gamma = o->gamma,
                  .coef0 = o->coef0,
                  .c = isnan(given_c(o)) ? 1 : given_c(o),
                  .score = NAN};
    /* The instances that have a class, the classes that occur, pairs of them. */
    HS_TRY(hs_training_rows(training, true, &l.rows, &l.view.row_count, error));
    l.view.rows = l.rows;
    for (uint32_t i = 0; i < l.view.row_count; i++)
        place[class_of[l.rows[i]]] = 1;
    for (uint32_t c = 0; c < classes; c++)
        if (place[c]) {
            place[c] = m->present_count;
            m->present[m->present_count++] = c;
        }
    for (uint32_t i = 0; i < l.view.row_count; i++)
        l.label[i] = place[class_of[l.rows[i]]];
    if (m->present_count > HS_SVM_CLASSES_LIMIT)
        return hs_fail(error, HSEL_ELIMIT, "svm is for up to %d classes, but %s has %u",
                       HS_SVM_CLASSES_LIMIT, hsel_dataset_name(all->data), m->present_count);
    HS_TRY(learn_columns(m, &l.view, training->weight, o->normalise, error));
    if (o->gamma == 0)
        m->gamma = 1.0 / (m->columns ? m->columns : 1);
    uint32_t pairs = pairs_of(m->present_count), count = 0;
    m->pair = HS_NEW_ZERO(hs_svm_pair, pairs);
    l.machines = hs_arena_zero(&l.arena, pairs, sizeof *l.machines);
    HS_NEED(m->pair && l.machines);
    m->pair_count = l.machine_count = pairs;
    for (uint32_t a = 0; a < m->present_count; a++)
        for (uint32_t b = a + 1; b < m->present_count; b++)
            m->pair[count++] = (hs_svm_pair){.first = a, .second = b};
    if (pairs == 0) {
        *out = hs_take(&l.model);
        return HSEL_OK;
    }
    const hs_svm_rows *rows = &l.encoded;
    const uint32_t n = l.view.row_count;
    HS_TRY(encode_rows(m, &l.view, &l.encoded, error));
    const bool linear = l.linear = m->kind == HS_SVM_LINEAR && o->solver != SOLVER_LIBSVM;
    size_t ones = 0; /* whose values need not be kept */
    while (linear && ones < rows->start[n] && rows->value[ones] == 1)
        ones++;
    if (linear && ones == rows->start[n])
        hs_free(hs_take(&l.encoded.value));
    HS_TRY(hs_svm_space_new(rows, l.label, o->tolerance, o->max_steps, linear ? 0 : o->cache,
                            &l.space, error));
    l.space.progress = training->progress;
    if (hs_training_weighs(training)) {
        double *weight = HS_ARENA_NEW(&l.arena, double, n);
        HS_NEED(l.space.weight = weight);
        for (uint32_t i = 0; i < n; i++)
            weight[i] = hs_training_weight(training, l.rows[i]);
    }
    if (o->grid == GRID_RPV)
        HS_TRY(search_grid(&l, error));
    hs_svm_kernel kernel = kernel_of(m);
    char text[160];
    snprintf(text, sizeof text,
             "fits had no room for the kernel values of all pairs of rows, %.2g GB; a larger cache "
             "is faster",
             (double)n * n * sizeof(double) / (1024 * HS_MEGABYTE));
    if (!linear && training->progress)
        HS_TRY(hs_notes_count(training->progress->notes, "svm", text, !l.space.values, error));
    if (m->kind == HS_SVM_LINEAR)
        HS_NEED(m->weight = HS_NEW_ZERO(double, (size_t)m->columns *pairs));
    HS_TRY(hs_svm_space_fill(&l.space, &kernel, training->threads, error));
    const bool chooses = linear && isnan(given_c(o)) && o->grid == GRID_NONE;
    if (chooses || o->probability == PROBABILITY_PLATT)
        HS_TRY(search_path(&l, chooses, error));
    HS_TRY(hs_parallel_for(pairs, training->threads, train_whole, &l, error));
    if (m->kind != HS_SVM_LINEAR)
        HS_TRY(keep_vectors(m, l.machines, rows, error));
    *out = hs_take(&l.model);
    return HSEL_OK;
}

static int svm_check(const void *options, hsel_error *error)
{
    const struct options *o = options;
    HS_TRY(hs_adjust_check(options, error));
    const double c = given_c(o);
    if (strcmp(o->c, "auto") != 0 && !(c >= 1e-9 && c <= 1e9))
        return hs_fail(error, HSEL_EUSAGE,
                       "{:c} takes auto, or a number from 1e-09 to 1000000000, not '%.80s'", o->c);
    if (o->solver == SOLVER_LIBLINEAR && o->kernel != HS_SVM_LINEAR)
        return hs_fail(error, HSEL_EUSAGE, "svm: solver=liblinear is only for kernel=linear");
    return HSEL_OK;
}

/* ---- predicting ----
 *
 * A linear machine is a weight per column and pair of classes: O(values of the instance x pairs).
 * Others keep their support vectors by column: the products of the instance with all of them come
 * from the columns in which the instance has a value, so columns that it lacks cost nothing; then
 * O(support vectors) kernel values, each computed once for all pairs. */

struct scratch {       /* in one block */
    double *x;         /* [columns], all 0 between instances */
    double *product;   /* [vectors] */
    double *decision;  /* [pairs] */
    double *between;   /* [present * present]: P(s | s or t) */
    double *coupling;  /* [present * (present + 1)]: scratch */
    double *p;         /* [present] */
    uint32_t *columns; /* [columns]: those that are not 0 */
};

static int svm_scratch_new(const void *pointer, void **out, hsel_error *error)
{
    const hs_svm *m = pointer;
    const size_t n = m->present_count, columns = n > 1 ? m->columns : 0;
    struct scratch *s =
        HS_BLOCK(s, HS_PART(s, x, columns), HS_PART(s, product, m->vector_count),
                 HS_PART(s, decision, m->pair_count), HS_PART(s, between, n * n),
                 HS_PART(s, coupling, n * (n + 1)), HS_PART(s, p, n), HS_PART(s, columns, columns));
    HS_NEED(*out = s);
    return HSEL_OK;
}

static void decide_linear(const hs_svm *m, uint32_t count, struct scratch *s)
{
    for (uint32_t p = 0; p < m->pair_count; p++)
        s->decision[p] = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double *weight = m->weight + (size_t)s->columns[i] * m->pair_count;
        for (uint32_t p = 0; p < m->pair_count; p++)
            s->decision[p] += weight[p] * s->x[s->columns[i]];
    }
    for (uint32_t p = 0; p < m->pair_count; p++)
        s->decision[p] -= m->pair[p].rho;
}

static void decide_kernel(const hs_svm *m, uint32_t count, struct scratch *s)
{
    const hs_svm_kernel kernel = kernel_of(m);
    double square = 0, *restrict product = s->product;
    memset(product, 0, m->vector_count * sizeof *product);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t c = s->columns[i];
        double x = s->x[c];
        square += x * x;
        for (uint64_t j = m->start[c]; j < m->start[c + 1]; j++)
            product[m->vector[j]] += x * m->value[j];
    }
    for (uint32_t v = 0; v < m->vector_count; v++)
        product[v] = hs_svm_kernel_value(&kernel, product[v], m->square[v], square);
    for (uint64_t p = 0, next = 0; p < m->pair_count; p++) {
        double sum = 0;
        for (uint32_t i = 0; i < m->pair[p].vectors; i++, next++)
            sum += m->coef[next] * product[m->member[next]];
        s->decision[p] = sum - m->pair[p].rho;
    }
}

/* Of two classes, the decision value, so that the class of the highest score is libsvm's. Of more,
 * by votes: a pair won counts 1; the class that wins, of equal ones the first, has 1/2 more; and
 * the mean decision, squeezed into -1/5 … 1/5, orders instances of equal votes. A class that did
 * not occur in training is below all others. */
static void score_classes(const hs_svm *m, const struct scratch *s, double *score)
{
    double *votes = s->coupling, *mean = s->coupling + m->present_count;
    uint32_t most = 0;
    if (m->classes == 2) {
        score[1] = s->decision[0] != 0 ? -s->decision[0] : DBL_TRUE_MIN; /* 0: the second wins */
        score[0] = -score[1];
        return;
    }
    for (uint32_t c = 0; c < m->present_count; c++)
        votes[c] = mean[c] = 0;
    for (uint32_t p = 0; p < m->pair_count; p++) {
        votes[s->decision[p] > 0 ? m->pair[p].first : m->pair[p].second]++;
        mean[m->pair[p].first] += s->decision[p] / (m->present_count - 1);
        mean[m->pair[p].second] -= s->decision[p] / (m->present_count - 1);
    }
    for (uint32_t c = 0; c < m->classes; c++)
        score[c] = -1;
    for (uint32_t c = 0; c < m->present_count; c++) {
        score[m->present[c]] = votes[c] + 0.2 * (mean[c] / (1 + fabs(mean[c])));
        most = votes[c] > votes[most] ? c : most;
    }
    score[m->present[most]] += 0.5;
}

/* Probabilities of the classes that occur, into s->p. */
static void join_pairs(const hs_svm *m, struct scratch *s)
{
    size_t n = m->present_count;
    if (m->votes) { /* a decision of 0 goes to the second, as in libsvm */
        memset(s->p, 0, n * sizeof *s->p);
        for (uint32_t p = 0; p < m->pair_count; p++)
            s->p[s->decision[p] > 0 ? m->pair[p].first : m->pair[p].second] += 1.0 / m->pair_count;
        return;
    }
    if (n == 2) {
        hs_platt curve = m->pair[0].platt, other = {-curve.a, -curve.b};
        s->p[0] = hs_platt_probability(curve, s->decision[0]);
        s->p[1] =
            hs_platt_probability(other, s->decision[0]); /* 1 - p would have no digits near 0 */
        return;
    }
    for (uint32_t p = 0; p < m->pair_count; p++) {
        const hs_svm_pair *pair = &m->pair[p];
        double r = hs_platt_probability(pair->platt, s->decision[p]);
        r = fmin(fmax(r, 1e-7), 1 - 1e-7); /* at 0 and 1 the coupling has no solution */
        s->between[pair->first * n + pair->second] = r;
        s->between[pair->second * n + pair->first] = 1 - r;
    }
    hs_couple_pairs(s->between, m->present_count, s->coupling, s->p);
}

static int svm_predict(const void *pointer, const hs_batch *batch, void *scratch,
                       double *probability, double *score, hsel_error *error)
{
    const hs_svm *m = pointer;
    struct scratch *s = scratch;
    for (uint32_t at = 0; at < batch->count; at++, probability += m->classes, score += m->classes) {
        const uint32_t instance = batch->instances[at];
        uint32_t count = 0;
        for (uint32_t c = 0; c < m->classes; c++)
            probability[c] = m->present_count ? 0 : 1.0 / m->classes;
        if (m->present_count < 2) {
            if (m->present_count)
                probability[m->present[0]] = 1;
            hs_scores_of_shares(probability, score, m->classes);
            continue;
        }
        int status = encode(m, batch->data, instance, s->x, s->columns, &count, error);
        if (status == HSEL_OK)
            (m->weight ? decide_linear : decide_kernel)(m, count, s);
        for (uint32_t i = 0; i < count; i++)
            s->x[s->columns[i]] = 0;
        HS_TRY(status);
        if (!all_finite(s->decision, m->pair_count))
            return hs_fail(error, HSEL_EUNSUPPORTED,
                           "instance %u of %s has values too large for svm's kernel", instance + 1,
                           hsel_dataset_name(batch->data));
        score_classes(m, s, score);
        join_pairs(m, s);
        for (uint32_t c = 0; c < m->present_count; c++)
            probability[m->present[c]] = s->p[c];
    }
    return HSEL_OK;
}

/* A linear machine for two classes: the log-odds of the curve's probability are a linear function
 * of the columns, -a f - b (without a curve: the decision f stands for them). Missing values are
 * the mean or the most frequent value, as in predicting. Coupled pairs of several classes, and
 * other kernels, are no sums. */
static int svm_contributions(const void *pointer, const hs_batch *one, void *scratch,
                             uint32_t label, double *prior, double *contribution, hsel_error *error)
{
    const hs_svm *m = pointer;
    size_t count;
    const uint32_t *row = hs_row(one->data, one->instances[0], &count);
    (void)scratch;
    (void)error;
    *prior = NAN;
    if (m->kind != HS_SVM_LINEAR || m->present_count != 2 ||
        (label != m->present[0] && label != m->present[1]))
        return HSEL_OK;
    const hs_svm_pair *pair = &m->pair[0];
    const double sign = label == m->present[0] ? 1 : -1;
    const double scale = sign * (m->votes ? 1 : -pair->platt.a);
    *prior = -scale * pair->rho - (m->votes ? 0 : sign * pair->platt.b);
    memset(contribution, 0, m->features * sizeof *contribution);
    for (size_t i = 0; i < count; i++)
        if (m->column[row[i]] != HSEL_NONE)
            contribution[row[i]] = scale * m->weight[m->column[row[i]]];
    for (const hs_coded *o = m->other; o < m->other + m->other_count; o++) {
        double value = hs_dataset_value(one->data, o->feature, one->instances[0]);
        uint32_t column = hs_code_value(o, &value);
        if (column != HSEL_NONE)
            contribution[o->feature] = scale * m->weight[column] * value;
    }
    return HSEL_OK;
}

static double votes(const void *pointer)
{
    const hs_svm *m = pointer;
    return m->pair_count == 0 ? 1 : m->votes ? m->pair_count : 0;
}

/* ---- model files ----
 *
 * When read, every number is checked before it is used: sizes against the bytes that are left,
 * places against what they point into, values for being finite. */

/* Columns must be numbered one after the other, by feature, and belong to features of their type.
 */
static bool has_sound_columns(const hs_svm *m, const hsel_dataset *shape)
{
    uint64_t next = 0;
    for (uint32_t f = 0; f < m->features; f++)
        if (m->column[f] != HSEL_NONE && (m->column[f] != next++ || shape->types[f] != HSEL_BINARY))
            return false;
    for (uint32_t i = 0; i < m->other_count; i++) {
        const hs_coded *o = &m->other[i];
        const double numbers[] = {o->mean, o->low, o->range};
        if (o->feature >= m->features || m->column[o->feature] != HSEL_NONE ||
            !all_finite(numbers, 3) || o->range < 0 || o->column != next ||
            (i && o[-1].feature >= o->feature) ||
            shape->types[o->feature] != (o->values ? HSEL_NOMINAL : HSEL_NUMERIC) ||
            (o->values && o->common >= o->values))
            return false;
        next += columns_of(o);
    }
    return next == m->columns;
}

static bool has_sound_pairs(const hs_svm *m)
{
    const hs_svm_pair *pair = m->pair;
    uint64_t members = 0;
    for (uint32_t a = 0; a < m->present_count; a++) {
        for (uint32_t b = a + 1; b < m->present_count; b++, pair++) {
            const double numbers[] = {pair->rho, pair->platt.a, pair->platt.b};
            if (pair->first != a || pair->second != b || pair->stopped > 1 ||
                !all_finite(numbers, 3))
                return false;
            members += pair->vectors;
        }
    }
    if (m->kind == HS_SVM_LINEAR || m->pair_count == 0)
        return true;
    for (uint32_t c = 0; c < m->columns; c++)
        if (m->start[c] > m->start[c + 1])
            return false;
    return members == m->member_count && m->start[0] == 0 && m->start[m->columns] == m->value_count;
}

static void *svm_model_new(const hsel_dataset *shape)
{
    hs_svm *m = HS_NEW_ZERO(hs_svm, 1);
    if (m)
        *m = (hs_svm){.features = shape->features, .classes = shape->class_names.count};
    return m;
}

static int svm_fields(void *model, const hsel_dataset *shape, hs_transfer *file, hsel_error *error)
{
    hs_svm *m = model;
    HS_FIELDS(file, HS_SHAPE(m), HS_VALUE(m->columns, HS_BELOW(INT32_MAX)),
              HS_VALUE(m->other_count, 0, m->features),
              HS_VALUE(m->present_count, 0, fmin(m->classes, HS_SVM_CLASSES_LIMIT)),
              HS_VALUE(m->vector_count, HS_ANY), HS_VALUE(m->kind, 0, HS_SVM_RBF),
              HS_VALUE(m->degree, 1, 100), HS_VALUE(m->votes, 0, 1), HS_VALUE(m->padding, HS_ANY),
              HS_VALUE(m->gamma, 0, DBL_MAX), HS_VALUE(m->coef0, HS_FINITE),
              HS_VALUE(m->c, HS_FINITE), HS_VALUE(m->score, HS_ANY),
              HS_VALUE(m->value_count, HS_ANY), HS_VALUE(m->member_count, HS_ANY));
    const bool has_vectors = m->kind != HS_SVM_LINEAR && m->present_count > 1;
    if (hs_reads(file)) {
        if (isinf(m->score) || m->value_count > (uint64_t)m->vector_count * m->columns ||
            (has_vectors ? m->vector_count > m->member_count
                         : m->vector_count || m->value_count || m->member_count))
            return HSEL_EFORMAT;
        m->pair_count = pairs_of(m->present_count);
    }
    HS_FIELDS(file, HS_LIST(m->column, m->features, HS_ANY),
              HS_LIST(m->other, m->other_count, HS_ANY),
              HS_LIST(m->present, m->present_count, HS_ASCENDING(m->classes)),
              HS_LIST(m->pair, m->pair_count, HS_ANY));
    if (has_vectors)
        HS_FIELDS(file, HS_LIST(m->start, (uint64_t)m->columns + 1, HS_ANY),
                  HS_LIST(m->vector, m->value_count, HS_BELOW(m->vector_count)),
                  HS_LIST(m->value, m->value_count, HS_FINITE),
                  HS_LIST(m->member, m->member_count, HS_BELOW(m->vector_count)),
                  HS_LIST(m->coef, m->member_count, HS_FINITE));
    else if (m->pair_count)
        HS_FIELDS(file, HS_LIST(m->weight, (uint64_t)m->columns * m->pair_count, HS_FINITE));
    if (!hs_reads(file))
        return HSEL_OK;
    if (!has_sound_columns(m, shape) || !has_sound_pairs(m))
        return HSEL_EFORMAT;
    return m->start ? set_squares(m, error) : HSEL_OK;
}

/* ---- showing: kernel and settings, support vectors, and for the linear kernel the weight of each
 * column, the heaviest first ---- */

/* Weights of a pair that are not 0, sorted; returns how many. */
static uint32_t list_weights(const hs_svm *m, uint32_t pair, hs_weighted *out)
{
    const double *weight = m->weight + pair;
    uint32_t count = 0;
    for (uint32_t f = 0; m->weight && f < m->features; f++)
        if (m->column[f] != HSEL_NONE)
            out[count++] =
                (hs_weighted){weight[(size_t)m->column[f] * m->pair_count], f, HSEL_NONE};
    for (const hs_coded *o = m->other; m->weight && o < m->other + m->other_count; o++)
        for (uint32_t v = 0; v < columns_of(o); v++)
            out[count++] =
                (hs_weighted){weight[(size_t)(o->column + v) * m->pair_count], o->feature,
                              o->values > 2 ? v
                              : o->values   ? 1
                                            : HSEL_NONE};
    hs_heaviest_first(out, count);
    while (count && out[count - 1].weight == 0)
        count--;
    return count;
}

static int svm_weights(const void *pointer, hs_weighted **list, uint32_t *count, uint32_t *label,
                       hsel_error *error)
{
    const hs_svm *m = pointer;
    HS_NEED(*list = HS_NEW(hs_weighted, m->weight ? m->columns : 0));
    const uint32_t all = m->pair_count ? list_weights(m, 0, *list) : 0;
    *count = 0;
    for (uint32_t i = 0; i < all; i++) /* those of values of nominal features are left out */
        if ((*list)[i].code == HSEL_NONE)
            (*list)[(*count)++] = (*list)[i];
    *label = m->pair_count ? m->present[m->pair[0].first] : HSEL_NONE;
    return HSEL_OK;
}

/* "colour", or "colour=red" of a nominal feature */
static int name_weight(const hsel_dataset *shape, const hs_weighted *w, hs_buf *name,
                       hsel_error *error)
{
    const char *value = hs_value_name(shape, w->feature, w->code);
    name->length = 0;
    hs_buf_text(name, hsel_dataset_feature_name(shape, w->feature));
    if (value)
        hs_buf_printf(name, "=%s", value);
    else if (w->code != HSEL_NONE)
        hs_buf_printf(name, "=value %u", w->code + 1);
    HS_NEED(!name->failed);
    return HSEL_OK;
}

static int svm_describe(const void *pointer, const hsel_dataset *shape, hs_describe_form form,
                        hs_writer *out, hsel_error *error)
{
    static const char *const kernels[] = {"linear", "polynomial", "rbf"};
    const hs_svm *m = pointer;
    HS_OWNS(hs_buf_clear) hs_buf name = {0};
    HS_OWNED hs_weighted *weights = HS_NEW(hs_weighted, m->weight ? m->columns : 0);
    const bool text = form == HS_DESCRIBE_TEXT;
    hs_json json = {.out = out};
    HS_NEED(weights);
    if (text) {
        hs_writer_printf(out, "kernel           %s\nC                %g\n", kernels[m->kind], m->c);
        if (m->kind != HS_SVM_LINEAR)
            hs_writer_printf(out, "gamma            %g\n", m->gamma);
        if (m->kind == HS_SVM_POLYNOMIAL)
            hs_writer_printf(out, "degree, coef0    %u, %g\n", m->degree, m->coef0);
        if (!isnan(m->score))
            hs_writer_printf(out, "grid search      %.4f in the inner folds\n", m->score);
    } else {
        hs_json_put(&json, "{kernel:%s c:%g", kernels[m->kind], m->c);
        if (m->kind != HS_SVM_LINEAR)
            hs_json_put(&json, "gamma:%g", m->gamma);
        if (m->kind == HS_SVM_POLYNOMIAL)
            hs_json_put(&json, "degree:%u coef0:%g", m->degree, m->coef0);
        if (!isnan(m->score))
            hs_json_put(&json, "grid_score:%g", m->score);
        hs_json_put(&json, "machines:[");
    }
    for (uint32_t p = 0; p < m->pair_count; p++) {
        const hs_svm_pair *pair = &m->pair[p];
        const char *first = hsel_dataset_class_name(shape, m->present[pair->first]),
                   *second = hsel_dataset_class_name(shape, m->present[pair->second]);
        uint32_t count = list_weights(m, p, weights), shown = text && count > SHOWN ? SHOWN : count;
        if (text) {
            hs_writer_printf(out, "\n%s (+) or %s (-): %u support vectors, rho %.4g", first, second,
                             pair->vectors, pair->rho);
            if (!m->votes)
                hs_writer_printf(out, ", P(+) = 1 / (1 + exp(%.4f f %c %.4f))", pair->platt.a,
                                 pair->platt.b <= -0.00005 ? '-' : '+', fabs(pair->platt.b));
            hs_writer_char(out, '\n');
            if (pair->stopped)
                hs_writer_text(out, "  stopped before it converged; lower c or raise max-steps\n");
        } else {
            hs_json_put(&json, "{positive:%s negative:%s support_vectors:%u rho:%g", first, second,
                        pair->vectors, pair->rho);
            if (pair->stopped)
                hs_json_put(&json, "converged:%d", false);
            if (!m->votes)
                hs_json_put(&json, "platt_a:%g platt_b:%g", pair->platt.a, pair->platt.b);
            if (m->weight)
                hs_json_put(&json, "weights:{");
        }
        for (const hs_weighted *w = weights; w < weights + shown; w++) {
            char label[HS_LABEL_ROOM];
            HS_TRY(name_weight(shape, w, &name, error));
            if (text)
                hs_writer_printf(out, "  %+10.4f  %s%s\n", w->weight, name.text,
                                 hs_label_after(&shape->about, w->feature, label));
            else
                hs_json_put(&json, "%s:%g", name.text, w->weight);
        }
        if (shown < count)
            hs_writer_printf(out, "  and %u more (the JSON has all)\n", count - SHOWN);
        if (!text && m->weight)
            hs_json_put(&json, "}");
        if (!text && m->weight && hs_has_labels(&shape->about)) {
            hs_json_put(&json, "labels:{");
            for (const hs_weighted *w = weights; w < weights + count; w++) {
                HS_TRY(name_weight(shape, w, &name, error));
                hs_json_put(&json, "%s:%s", name.text, hs_about_label(&shape->about, w->feature));
            }
            hs_json_put(&json, "}");
        }
        if (!text)
            hs_json_put(&json, "}");
    }
    if (!text)
        hs_json_put(&json, "]}");
    return HSEL_OK;
}

static const hs_classifier functions = {.fit = svm_fit,
                                        .predict = svm_predict,
                                        .scratch_new = svm_scratch_new,
                                        .scratch_free = hs_free,
                                        .contributions = svm_contributions,
                                        .votes = votes,
                                        .weights = svm_weights,
                                        .describe = svm_describe,
                                        .name = "svm",
                                        .make = svm_model_new,
                                        .fields = svm_fields,
                                        .free = svm_model_free};

/* Slot `memory` of hs_method. */
static double svm_memory_needed(const hs_size *size, const void *options)
{
    const struct options *o = options;
    const double square = size->rows * size->rows * sizeof(double), limit = o->cache * HS_MEGABYTE,
                 nodes = (size->values + size->rows * (1 + size->columns)) * 16;
    if (o->kernel == HS_SVM_LINEAR && o->solver != SOLVER_LIBSVM)
        return 2 * nodes;
    return nodes + (square <= limit ? square : limit * size->threads) +
           64 * size->features * size->threads;
}

const hs_method hs_method_svm = {
    .kind = HS_CLASSIFIER,
    .name = "svm",
    .title = "support vector machine",
    .help = "One machine for each pair of classes, with a linear, polynomial or RBF kernel, on "
            "binary, numeric (scaled to 0 … 1; missing is the mean) and nominal features (a column "
            "per value). The linear machine is that of liblinear and of scikit-learn's LinearSVC "
            "(squared loss, -s 1 and -s 2 of liblinear), which trains on whole genomes in seconds; "
            "other kernels, and with solver=libsvm the linear one too, are C-SVC as in libsvm. The "
            "predicted class is the one that wins most pairs by decision values; ties go to the "
            "first. Probabilities are calibrated by Platt's logistic curve and coupled over the "
            "pairs of classes, so the most probable class may differ. C is chosen in inner folds "
            "of the training part (c=auto), where the curve is fitted, too; grid=rpv chooses C and "
            "gamma there. preset=weka,kernel=rbf,grid=rpv is the SVM of the RPV paper; "
            "preset=weka,c=5 that of the TBFS paper.",
    .citation = "Chang, Lin (2011), LIBSVM, ACM TIST 2(3):27; Fan, Chen, Lin (2005), JMLR "
                "6:1889-1918; Fan, Chang, Hsieh, Wang, Lin (2008), LIBLINEAR, JMLR 9:1871-1874; "
                "Keerthi, DeCoste (2005), JMLR 6:341-361; Lin, Lin, Weng (2007), Machine Learning "
                "68:267-276, Algorithm 1; Wu, Lin, Weng (2004), JMLR 5:975-1005, second approach",
    .flags = HS_NEEDS_CLASSES | HS_ANY_FEATURES | HS_STOCHASTIC | HS_WEIGHS_INSTANCES,
    .options = table,
    .memory = svm_memory_needed,
    .options_size = sizeof(struct options),
    .check = svm_check,
    .classifier = &functions,
};

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernel values of all pairs of rows, and machines trained on them.
 *
 * Products of rows are summed by column, ascending, as libsvm sums them: computed here or there,
 * they are the same numbers. Eight rows are spread over dense columns side by side and meet every
 * other row once, so that the eight sums run beside each other. Time O(n x values / 8) to O(n x
 * values), memory 16 n^2 bytes and 64 bytes a column and thread.
 */
#include "classify/svm_solve.h"

#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "core/parallel.h"

#define WIDTH       8
#define LARGEST_DOT 1e30 /* libsvm keeps kernel values as float */

/* ---- kernels ---- */

static double power(double base, uint32_t exponent)
{
    double result = 1;
    for (; exponent; exponent /= 2, base *= base)
        if (exponent % 2)
            result *= base;
    return result;
}

double hs_svm_kernel_value(const hs_svm_kernel *kernel, double product, double square_x,
                           double square_y)
{
    switch (kernel->kind) {
    case HS_SVM_POLYNOMIAL:
        return power(kernel->gamma * product + kernel->coef0, kernel->degree);
    case HS_SVM_RBF:
        return exp(-kernel->gamma * (square_x + square_y - 2 * product));
    default:
        return product;
    }
}

/* No product is larger than the largest square. */
static int check_size(const hs_svm_rows *rows, const hs_svm_kernel *kernel, hsel_error *error)
{
    double most = 0;
    for (uint32_t i = 0; i < rows->count; i++)
        most = fmax(most, rows->square[i]);
    if (kernel->kind == HS_SVM_POLYNOMIAL)
        most = fmax(most, power(kernel->gamma * most + fabs(kernel->coef0), kernel->degree));
    if (most < LARGEST_DOT)
        return HSEL_OK;
    return hs_fail(error, HSEL_EUNSUPPORTED,
                   "the values are too large for svm's kernel: scale them (normalise=true) or "
                   "choose smaller gamma, degree or coef0");
}

/* ---- the space ---- */

void hs_svm_space_clear(hs_svm_space *space)
{
    if (space->cells)
        hs_free(space->row);
    hs_free(space->cells);
    *space = (hs_svm_space){0};
}

int hs_svm_space_new(const hs_svm_rows *rows, const uint32_t *label, double tolerance,
                     uint32_t megabytes, hs_svm_space *out, hsel_error *error)
{
    const size_t n = rows->count;
    *out = (hs_svm_space){.rows = rows,
                          .label = label,
                          .tolerance = tolerance,
                          .megabytes = megabytes,
                          .row = rows->row};
    int status = hs_libsvm_load(&out->libsvm, error);
    if (status)
        return status;
    if ((double)n * (double)(n + 1) * sizeof(struct svm_node) > HS_MEGABYTE * megabytes)
        return HSEL_OK;
    out->cells = HS_NEW(struct svm_node, n * (n + 1));
    struct svm_node **row = HS_NEW(struct svm_node *, n);
    if (!out->cells || !row) {
        hs_free(row);
        hs_free(out->cells);
        *out = (hs_svm_space){0};
        return hs_fail_memory(error);
    }
    out->row = row;
    for (size_t i = 0; i < n; i++) {
        row[i] = out->cells + i * (n + 1);
        row[i][0] = (struct svm_node){0, (double)(i + 1)};
    }
    return HSEL_OK;
}

struct fill {
    hs_svm_space *space;
    double *dense; /* [threads][columns][WIDTH] */
};

/* Rows of a block side by side, or 0 again. */
static void spread_block(const hs_svm_rows *rows, uint32_t from, uint32_t to, bool clear,
                         double *dense)
{
    for (uint32_t i = from; i < to; i++)
        for (const struct svm_node *n = rows->row[i]; n->index > 0; n++)
            dense[(size_t)(n->index - 1) * WIDTH + (i - from)] = clear ? 0 : n->value;
}

static void put_pair(const hs_svm_space *space, uint32_t i, uint32_t j, double product)
{
    double value = hs_svm_kernel_value(&space->kernel, product, space->rows->square[i],
                                       space->rows->square[j]);
    space->row[i][j + 1] = (struct svm_node){0, value};
    space->row[j][i + 1] = (struct svm_node){0, value};
}

/* Kernel values of a block of rows with all rows up to its end. Blocks write to different cells. */
static int fill_block(void *context, size_t index, int worker, hsel_error *error)
{
    struct fill *fill = context;
    const hs_svm_space *space = fill->space;
    const hs_svm_rows *rows = space->rows;
    uint32_t from = (uint32_t)index * WIDTH,
             to = rows->count - from > WIDTH ? from + WIDTH : rows->count;
    double *dense = fill->dense + (size_t)worker * rows->columns * WIDTH;
    (void)error;
    spread_block(rows, from, to, false, dense);
    for (uint32_t j = 0; j < to; j++) {
        double sum[WIDTH] = {0};
        for (const struct svm_node *n = rows->row[j]; n->index > 0; n++) {
            const double *restrict beside = dense + (size_t)(n->index - 1) * WIDTH;
            for (int k = 0; k < WIDTH; k++)
                sum[k] += n->value * beside[k];
        }
        for (uint32_t i = from > j ? from : j; i < to; i++)
            put_pair(space, i, j, sum[i - from]);
    }
    spread_block(rows, from, to, true, dense);
    return HSEL_OK;
}

int hs_svm_space_fill(hs_svm_space *space, const hs_svm_kernel *kernel, int threads,
                      hsel_error *error)
{
    const hs_svm_rows *rows = space->rows;
    int status = check_size(rows, kernel, error);
    space->kernel = *kernel;
    if (status || !space->cells)
        return status;
    threads = hs_threads(threads);
    struct fill fill = {space, HS_NEW_ZERO(double, (size_t)threads * rows->columns * WIDTH)};
    if (!fill.dense)
        return hs_fail_memory(error);
    status = hs_parallel_for(((size_t)rows->count + WIDTH - 1) / WIDTH, threads, fill_block, &fill,
                             error);
    hs_free(fill.dense);
    return status;
}

/* ---- machines ---- */

void hs_svm_machine_clear(hs_svm_machine *machine)
{
    hs_free(machine->row);
    hs_free(machine->coef);
    *machine = (hs_svm_machine){0};
}

static struct svm_parameter parameters(const hs_svm_space *space, double c)
{
    static const int kinds[] = {LINEAR, POLY, RBF};
    return (struct svm_parameter){.svm_type = C_SVC,
                                  .kernel_type =
                                      space->cells ? PRECOMPUTED : kinds[space->kernel.kind],
                                  .degree = (int)space->kernel.degree,
                                  .gamma = space->kernel.gamma,
                                  .coef0 = space->kernel.coef0,
                                  .cache_size = space->megabytes,
                                  .eps = space->tolerance,
                                  .C = c,
                                  .shrinking = 1};
}

/* A pair of classes as libsvm wants it. */
struct problem {
    struct svm_problem svm;
    uint32_t *row; /* number of each in the space */
    uint32_t size[2];
};

static void problem_clear(struct problem *problem)
{
    hs_free(problem->svm.x);
    hs_free(problem->svm.y);
    hs_free(problem->row);
}

static int problem_new(const hs_svm_space *space, uint32_t first, uint32_t second,
                       const uint32_t *fold_of, uint32_t fold, struct problem *out,
                       hsel_error *error)
{
    uint32_t rows = space->rows->count, count = 0;
    *out =
        (struct problem){.svm = {.x = HS_NEW(struct svm_node *, rows), .y = HS_NEW(double, rows)},
                         .row = HS_NEW(uint32_t, rows)};
    if (!out->svm.x || !out->svm.y || !out->row) {
        problem_clear(out);
        return hs_fail_memory(error);
    }
    for (uint32_t i = 0; i < rows; i++) {
        bool is_first = space->label[i] == first;
        if ((!is_first && space->label[i] != second) || (fold_of && fold_of[i] == fold))
            continue;
        out->svm.x[count] = space->row[i];
        out->svm.y[count] = is_first ? 1 : -1;
        out->row[count++] = i;
        out->size[!is_first]++;
    }
    out->svm.l = (int)count;
    return HSEL_OK;
}

static int take_model(const struct svm_model *model, const uint32_t *row, hs_svm_machine *out,
                      hsel_error *error)
{
    size_t count = (size_t)model->l;
    double sign = model->label[0] == 1
                      ? 1
                      : -1; /* libsvm puts 1 before -1, whichever comes first in the data */
    out->row = HS_NEW(uint32_t, count);
    out->coef = HS_NEW(double, count);
    if (!out->row || !out->coef)
        return hs_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        out->row[i] = row[model->sv_indices[i] - 1];
        out->coef[i] = sign * model->sv_coef[0][i];
    }
    out->count = (uint32_t)count;
    out->rho = sign * model->rho[0];
    return HSEL_OK;
}

int hs_svm_machine_train(const hs_svm_space *space, uint32_t first, uint32_t second, double c,
                         const uint32_t *fold_of, uint32_t fold, hs_svm_machine *out,
                         hsel_error *error)
{
    struct svm_parameter parameter = parameters(space, c);
    struct problem problem;
    *out = (hs_svm_machine){.first = first, .second = second};
    int status = problem_new(space, first, second, fold_of, fold, &problem, error);
    if (status)
        return status;
    if (problem.size[0] && problem.size[1]) {
        struct svm_model *model = space->libsvm->train(&problem.svm, &parameter);
        status = take_model(model, problem.row, out, error);
        space->libsvm->destroy(&model);
    } else {
        out->rho = (problem.size[1] > 0) - (problem.size[0] > 0);
    }
    problem_clear(&problem);
    if (status)
        hs_svm_machine_clear(out);
    return status;
}

static double product(const struct svm_node *x, const struct svm_node *y)
{
    double sum = 0;
    while (x->index > 0 && y->index > 0) {
        if (x->index == y->index)
            sum += x++->value * y++->value;
        else if (x->index < y->index)
            x++;
        else
            y++;
    }
    return sum;
}

double hs_svm_machine_decide(const hs_svm_space *space, const hs_svm_machine *machine, uint32_t row)
{
    const hs_svm_rows *rows = space->rows;
    double sum = 0;
    for (uint32_t i = 0; i < machine->count; i++) {
        uint32_t v = machine->row[i];
        double value = space->cells ? space->row[row][v + 1].value
                                    : hs_svm_kernel_value(&space->kernel,
                                                          product(rows->row[v], rows->row[row]),
                                                          rows->square[v], rows->square[row]);
        sum += machine->coef[i] * value;
    }
    return sum - machine->rho;
}

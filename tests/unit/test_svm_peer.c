/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Machines beside those of libsvm: the same support vectors, coefficients and rho, to the last bit,
 * for every kernel, easy and hard C, binary and numeric rows, with rows set aside and looked at
 * again, with kernel values kept for all pairs or for two rows at a time.
 */
#include <stdlib.h>
#include <string.h>
#include <svm.h>

#include "support/svm_cloud.h"
#include "support/threads.h"

#define ROWS    260
#define COLUMNS 30

HS_TEST_USES_THREADS

struct world {
    uint32_t label[ROWS];
    size_t start[ROWS + 1];
    uint32_t index[ROWS * COLUMNS];
    double value[ROWS * COLUMNS], square[ROWS];
    hs_svm_rows rows;
    struct svm_node theirs[ROWS * (COLUMNS + 1)], *x[ROWS];
    double y[ROWS];
};

static void say_nothing(const char *text) { (void)text; }

static void make(struct world *w, hs_stream *stream, bool binary, double noise)
{
    uint32_t count = 60 + (uint32_t)hs_random_below(stream, ROWS - 60), used = 0;
    for (uint32_t i = 0; i < count; i++) {
        double sum = 0;
        w->x[i] = w->theirs + used + i;
        w->square[i] = 0;
        for (uint32_t j = 0; j < COLUMNS; j++) {
            double value = hs_random_below(stream, 3) ? 0 : binary ? 1 : hs_random_double(stream);
            if (value == 0)
                continue;
            sum += j % 2 ? value : -value;
            w->square[i] += value * value;
            w->theirs[used + i] = (struct svm_node){(int)j + 1, value};
            w->index[used] = j;
            w->value[used++] = value;
        }
        w->theirs[used + i] = (struct svm_node){-1, 0};
        w->start[i + 1] = used;
        bool second = sum + noise * (hs_random_double(stream) - 0.5) > 0;
        w->label[i] = i < 2 ? i : second;
        w->y[i] = w->label[i] == 0 ? 1 : -1;
    }
    w->rows = (hs_svm_rows){count, COLUMNS, w->start, w->index, w->value, w->square};
}

/* of_class: C of each class, as libsvm's option -w; NULL: all are 1. */
static void same(const struct world *w, const hs_svm_kernel *kernel, double c,
                 const double *of_class, double tolerance, uint32_t megabytes)
{
    static const int kinds[] = {LINEAR, POLY, RBF};
    int labels[] = {1, -1};
    struct svm_problem problem = {(int)w->rows.count, (double *)w->y, (struct svm_node **)w->x};
    struct svm_parameter parameter = {.svm_type = C_SVC,
                                      .kernel_type = kinds[kernel->kind],
                                      .degree = (int)kernel->degree,
                                      .gamma = kernel->gamma,
                                      .coef0 = kernel->coef0,
                                      .cache_size = 10,
                                      .eps = tolerance,
                                      .C = c,
                                      .nr_weight = of_class ? 2 : 0,
                                      .weight_label = labels,
                                      .weight = (double *)(uintptr_t)of_class,
                                      .shrinking = 1};
    double weight[ROWS];
    hs_svm_space space;
    hs_svm_machine m;
    hsel_error error = {0};
    struct svm_model *peer = svm_train(&problem, &parameter);
    assert_ok(
        hs_svm_space_new(&w->rows, w->label, tolerance, UINT32_MAX, megabytes, &space, &error),
        error);
    for (uint32_t i = 0; of_class && i < w->rows.count; i++)
        weight[i] = of_class[w->label[i]];
    space.weight = of_class ? weight : NULL;
    assert_ok(hs_svm_space_fill(&space, kernel, 2, &error), error);
    assert_ok(hs_svm_machine_train(&space, 0, 1, c, NULL, 0, &m, &error), error);
    assert_int_equal(m.count, peer->l);
    assert_int_equal(peer->label[0], 1);
    assert_false(m.stopped);
    if (m.rho != peer->rho[0])
        fail_msg("kernel %d, C %g: rho %.17g instead of %.17g", kernel->kind, c, m.rho,
                 peer->rho[0]);
    for (uint32_t i = 0; i < m.count; i++)
        if (m.row[i] + 1 != (uint32_t)peer->sv_indices[i] || m.coef[i] != peer->sv_coef[0][i])
            fail_msg("kernel %d, C %g: vector %u is row %u with %.17g, not row %d with %.17g",
                     kernel->kind, c, i, m.row[i] + 1, m.coef[i], peer->sv_indices[i],
                     peer->sv_coef[0][i]);
    hs_svm_machine_clear(&m);
    hs_svm_space_clear(&space);
    svm_free_and_destroy_model(&peer);
}

static void test_machines_are_those_of_libsvm(void **state)
{
    static struct world w;
    hs_stream stream;
    hs_stream_init(&stream, 5, "test-svm-peer", 0, 0);
    (void)state;
    svm_set_print_string_function(say_nothing);
    for (int round = 0; round < 90; round++) {
        hs_svm_kernel kernel = hs_kernel_of(round);
        make(&w, &stream, round / 3 % 2, round % 4);
        double of_class[] = {0.25 + hs_random_double(&stream), 1 + 9 * hs_random_double(&stream)};
        same(&w, &kernel, ldexp(1, round % 14 - 5), round % 4 == 3 ? of_class : NULL,
             round % 5 ? 1e-3 : 1e-5, round % 7 ? 1 : 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_machines_are_those_of_libsvm)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

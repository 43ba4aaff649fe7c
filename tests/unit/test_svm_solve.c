/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Machines for two classes: against a projected gradient method, and against the conditions of an
 * optimum; kernel values kept for all pairs and computed as needed give the same machines.
 */
#include "support/svm_cloud.h"

/* min 1/2 a'Qa - sum a, 0 <= a <= c, y'a = 0: gradient steps, each put back onto the constraints.
 */
static void solve_twin(const hs_cloud *d, const hs_svm_kernel *k, double c, double *alpha)
{
    static double q[MOST][MOST];
    double y[MOST], step, largest = 0, z[MOST], last[MOST] = {0}, speed = 1;
    for (uint32_t i = 0; i < d->rows; i++) {
        double sum = 0;
        y[i] = d->label[i] == 0 ? 1 : -1;
        for (uint32_t j = 0; j < d->rows; j++) {
            q[i][j] = (d->label[i] == d->label[j] ? 1 : -1) *
                      hs_kernel_twin(k, d->x[i], d->x[j], d->columns);
            sum += fabs(q[i][j]);
        }
        largest = fmax(largest, sum);
        alpha[i] = z[i] = 0;
    }
    step = 1 / (largest + 1e-9);
    for (int round = 0; round < 12000; round++) {
        double moved[MOST], low = -1e6, high = 1e6;
        for (uint32_t i = 0; i < d->rows; i++) {
            double gradient = -1;
            for (uint32_t j = 0; j < d->rows; j++)
                gradient += q[i][j] * z[j];
            moved[i] = z[i] - step * gradient;
        }
        for (int half = 0; half < 80; half++) { /* shift along y until y'a = 0 */
            double shift = (low + high) / 2, balance = 0;
            for (uint32_t i = 0; i < d->rows; i++)
                balance += y[i] * fmin(fmax(moved[i] - shift * y[i], 0), c);
            if (balance > 0)
                low = shift;
            else
                high = shift;
        }
        double next = (1 + sqrt(1 + 4 * speed * speed)) / 2; /* Nesterov's momentum */
        for (uint32_t i = 0; i < d->rows; i++) {
            last[i] = alpha[i];
            alpha[i] = fmin(fmax(moved[i] - low * y[i], 0), c);
            z[i] = alpha[i] + (speed - 1) / next * (alpha[i] - last[i]);
        }
        speed = round % 500 == 499 ? 1 : next;
    }
}

static void test_solution_is_that_of_projected_gradient(void **state)
{
    static hs_cloud d;
    hs_stream stream;
    hs_stream_init(&stream, 3, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 24; round++) {
        double c = round % 2 ? 1 : 0.2, alpha[MOST];
        hs_svm_kernel kernel = hs_kernel_of(round);
        hs_svm_space space;
        hs_svm_machine m;
        hsel_error error = {0};
        hs_cloud_new(&d, &stream, 2, round % 4 < 2);
        solve_twin(&d, &kernel, c, alpha);
        assert_ok(hs_svm_space_new(&d.lists, d.label, 1e-6, UINT32_MAX, 64, &space, &error), error);
        assert_ok(hs_svm_space_fill(&space, &kernel, 1, &error), error);
        assert_ok(hs_svm_machine_train(&space, 0, 1, c, NULL, 0, &m, &error), error);
        for (uint32_t i = 0; i < d.rows; i++) {
            double expected = 0;
            for (uint32_t j = 0; j < d.rows; j++)
                expected += alpha[j] * (d.label[j] == 0 ? 1 : -1) *
                            hs_kernel_twin(&kernel, d.x[i], d.x[j], d.columns);
            double found = hs_svm_machine_decide(&space, &m, i) + m.rho;
            if (fabs(found - expected) > 2e-4 * (1 + fabs(expected)))
                fail_msg("round %d, row %u: %g instead of %g", round, i, found, expected);
        }
        hs_svm_machine_clear(&m);
        hs_svm_space_clear(&space);
    }
}

/* What must hold at an optimum: rows without weight lie beyond the margin, rows at the limit within
 * it, the others on it; weights cancel. */
static void check_optimum(const hs_cloud *d, const hs_svm_space *space, const hs_svm_machine *m,
                          double c, double slack)
{
    double alpha[MOST] = {0}, sum = 0, most = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        alpha[m->row[i]] = fabs(m->coef[i]);
        sum += m->coef[i];
        most = fmax(most, fabs(m->coef[i]));
        assert_true((m->coef[i] > 0) == (d->label[m->row[i]] == m->first));
    }
    assert_true(fabs(sum) <= 1e-9 * (1 + most));
    for (uint32_t i = 0; i < d->rows; i++) {
        if (d->label[i] != m->first && d->label[i] != m->second)
            continue;
        double margin = (d->label[i] == m->first ? 1 : -1) * hs_svm_machine_decide(space, m, i) - 1;
        if ((alpha[i] < c && margin < -slack) || (alpha[i] > 0 && margin > slack))
            fail_msg("row %u with weight %g of %g is %g off the margin", i, alpha[i], c, margin);
    }
}

static void test_solutions_are_optimal(void **state)
{
    static hs_cloud d;
    hs_stream stream;
    hs_stream_init(&stream, 4, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 600; round++) {
        uint32_t classes = 2 + (uint32_t)round % 3;
        double c = ldexp(1, round % 9 - 4);
        hs_svm_kernel kernel = hs_kernel_of(round);
        hs_svm_space near, far; /* kernel values of all pairs, and as needed */
        hsel_error error = {0};
        hs_cloud_new(&d, &stream, classes, round % 2);
        assert_ok(hs_svm_space_new(&d.lists, d.label, 1e-4, UINT32_MAX, 64, &near, &error), error);
        assert_ok(hs_svm_space_new(&d.lists, d.label, 1e-4, UINT32_MAX, 0, &far, &error), error);
        far.megabytes = 1;
        assert_true(near.values && !far.values);
        assert_ok(hs_svm_space_fill(&near, &kernel, 1, &error), error);
        assert_ok(hs_svm_space_fill(&far, &kernel, 1, &error), error);
        for (uint32_t a = 0; a < classes; a++)
            for (uint32_t b = a + 1; b < classes; b++) {
                hs_svm_machine one, two;
                assert_ok(hs_svm_machine_train(&near, a, b, c, NULL, 0, &one, &error), error);
                assert_ok(hs_svm_machine_train(&far, a, b, c, NULL, 0, &two, &error), error);
                check_optimum(&d, &near, &one, c, 1e-3);
                assert_int_equal(one.count, two.count);
                assert_true(one.rho == two.rho);
                for (uint32_t i = 0; i < d.rows; i++)
                    assert_true(hs_svm_machine_decide(&near, &one, i) ==
                                hs_svm_machine_decide(&far, &two, i));
                hs_svm_machine_clear(&one);
                hs_svm_machine_clear(&two);
            }
        hs_svm_space_clear(&near);
        hs_svm_space_clear(&far);
    }
}

/* A fold left out, and folds that leave a class or both without rows. */
static void test_folds_are_left_out(void **state)
{
    static hs_cloud d;
    uint32_t fold_of[4] = {0, 1, 1, 0}, other[4] = {0, 1, 0, 1}, all[4] = {0};
    hs_svm_kernel kernel = {.kind = HS_SVM_LINEAR};
    hs_svm_space space;
    hs_svm_machine m;
    hsel_error error = {0};
    (void)state;
    d.rows = 4;
    d.columns = 1;
    for (uint32_t i = 0; i < 4; i++) {
        d.label[i] = i % 2;
        d.x[i][0] = i % 2 ? -1.0 - i : 1.0 + i;
    }
    hs_cloud_link(&d);
    assert_ok(hs_svm_space_new(&d.lists, d.label, 1e-6, UINT32_MAX, 1, &space, &error), error);
    assert_ok(hs_svm_space_fill(&space, &kernel, 1, &error), error);
    assert_ok(hs_svm_machine_train(&space, 0, 1, 100, fold_of, 0, &m, &error), error);
    assert_near(hs_svm_machine_decide(&space, &m, 2), 1, 1e-5); /* x = 3 and x = -2 */
    assert_near(hs_svm_machine_decide(&space, &m, 1), -1, 1e-5);
    assert_near(hs_svm_machine_decide(&space, &m, 0), 0.2, 1e-5);
    hs_svm_machine_clear(&m);
    for (uint32_t fold = 0; fold < 2; fold++) {
        assert_ok(hs_svm_machine_train(&space, 0, 1, 1, other, fold, &m, &error), error);
        assert_true(hs_svm_machine_decide(&space, &m, 0) == (fold ? 1 : -1));
        hs_svm_machine_clear(&m);
    }
    assert_ok(hs_svm_machine_train(&space, 0, 1, 1, all, 0, &m, &error), error);
    assert_true(hs_svm_machine_decide(&space, &m, 0) == 0);
    hs_svm_machine_clear(&m);
    hs_svm_space_clear(&space);
}

/* The solver gives up after so many steps and says so; what it has is usable. Enough steps make no
 * difference. */
static void test_steps_are_limited(void **state)
{
    static hs_cloud d;
    hs_stream stream;
    hs_stream_init(&stream, 6, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 60; round++) {
        hs_svm_kernel kernel = hs_kernel_of(round);
        hs_svm_space space;
        hs_svm_machine whole, m;
        hsel_error error = {0};
        hs_cloud_new(&d, &stream, 2, round % 2);
        assert_ok(hs_svm_space_new(&d.lists, d.label, 1e-5, UINT32_MAX, 1, &space, &error), error);
        assert_ok(hs_svm_space_fill(&space, &kernel, 1, &error), error);
        assert_ok(hs_svm_machine_train(&space, 0, 1, 16, NULL, 0, &whole, &error), error);
        assert_false(whole.stopped);
        uint32_t enough = 1;
        for (;; enough *= 2) {
            double sum = 0;
            space.max_steps = enough;
            assert_ok(hs_svm_machine_train(&space, 0, 1, 16, NULL, 0, &m, &error), error);
            for (uint32_t i = 0; i < m.count; i++)
                sum += m.coef[i];
            assert_near(sum, 0, 1e-9);
            assert_true(isfinite(m.rho));
            if (!m.stopped)
                break;
            hs_svm_machine_clear(&m);
        }
        assert_int_equal(m.count, whole.count);
        assert_true(m.rho == whole.rho);
        hs_svm_machine_clear(&m);
        hs_svm_machine_clear(&whole);
        hs_svm_space_clear(&space);
    }
}

static int say_stop(void *context, uint64_t done, uint64_t total, const char *what)
{
    (void)done, (void)total, (void)what;
    return ++*(int *)context;
}

static void test_training_can_be_stopped(void **state)
{
    static hs_cloud d;
    hs_stream stream;
    hs_svm_kernel kernel = {.kind = HS_SVM_LINEAR};
    hs_svm_space space;
    hs_svm_machine m;
    hsel_error error = {0};
    int asked = 0;
    (void)state;
    hs_stream_init(&stream, 7, "test", 0, 0);
    hs_cloud_new(&d, &stream, 2, true);
    assert_ok(hs_svm_space_new(&d.lists, d.label, 1e-6, UINT32_MAX, 1, &space, &error), error);
    assert_ok(hs_svm_space_fill(&space, &kernel, 1, &error), error);
    space.progress = &(hs_progress){.report = say_stop, .context = &asked};
    assert_int_equal(hs_svm_machine_train(&space, 0, 1, 1e9, NULL, 0, &m, &error), HSEL_ECANCELLED);
    assert_int_equal(asked, 1);
    assert_null(m.row);
    hs_svm_space_clear(&space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solution_is_that_of_projected_gradient),
        cmocka_unit_test(test_solutions_are_optimal), cmocka_unit_test(test_folds_are_left_out),
        cmocka_unit_test(test_steps_are_limited), cmocka_unit_test(test_training_can_be_stopped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The graph norm from its definition: groups written down, the proximal operator by cyclic dual
 * ascent to the last digits, the dual norm by trying every set. And the logistic solver: gradient
 * by differences, optimality by a duality gap that is worked out here.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "classify/graph_fit.h"
#include "support/cmocka.h"
#include "support/normal.h"
#include "data/training.h"
#include "support/random_data.h"

#define NODES 9
#define LARGE 60

static double any_number(hs_stream *stream)
{
    switch (hs_random_below(stream, 4)) {
    case 0:
        return (double)hs_random_below(stream, 5) - 2; /* ties, zeros */
    case 1:
        return hs_random_normal(stream) * 10;
    default:
        return hs_random_normal(stream);
    }
}

/* below[v][u]: u is v or one of its descendants */
static void find_groups(const hsel_dag *dag, bool below[LARGE][LARGE])
{
    memset(below, 0, sizeof(bool[LARGE][LARGE]));
    for (uint32_t i = dag->nodes; i-- > 0;) {
        uint32_t v = dag->order[i];
        size_t count;
        const uint32_t *child = hs_children(dag, v, &count);
        below[v][v] = true;
        for (size_t c = 0; c < count; c++)
            for (uint32_t u = 0; u < dag->nodes; u++)
                below[v][u] |= below[child[c]][u];
    }
}

static double norm_slowly(bool below[LARGE][LARGE], uint32_t nodes, const double *w)
{
    double sum = 0;
    for (uint32_t v = 0; v < nodes; v++) {
        double most = 0;
        for (uint32_t u = 0; u < nodes; u++)
            if (below[v][u] && fabs(w[u]) > most)
                most = fabs(w[u]);
        sum += most;
    }
    return sum;
}

/* Every set that holds the ancestors of its members. */
static double dual_slowly(bool below[LARGE][LARGE], uint32_t nodes, const double *g)
{
    double best = 0;
    for (unsigned set = 1; set < 1u << nodes; set++) {
        bool closed = true;
        double sum = 0, size = 0;
        for (uint32_t u = 0; u < nodes; u++) {
            if (!(set >> u & 1))
                continue;
            sum += fabs(g[u]);
            size++;
            for (uint32_t v = 0; v < nodes; v++)
                closed = closed && (!below[v][u] || set >> v & 1);
        }
        if (closed && sum / size > best)
            best = sum / size;
    }
    return best;
}

static int downwards(const void *a, const void *b)
{
    return (*(const double *)a < *(const double *)b) - (*(const double *)a > *(const double *)b);
}

/* Projection on the l1 ball by sorting. */
static void project(double *x, uint32_t count, double radius)
{
    double size[LARGE], sum = 0, level = 0, total = 0;
    for (uint32_t i = 0; i < count; i++)
        total += size[i] = fabs(x[i]);
    if (total <= radius)
        return;
    qsort(size, count, sizeof *size, downwards);
    for (uint32_t i = 0; i < count; i++) {
        sum += size[i];
        if (size[i] > (sum - radius) / (i + 1))
            level = (sum - radius) / (i + 1);
    }
    for (uint32_t i = 0; i < count; i++)
        x[i] = copysign(fabs(x[i]) > level ? fabs(x[i]) - level : 0, x[i]);
}

/* w = x - sum of the dual vectors, each in the l1 ball of radius t on its group; one after the
 * other is made best until nothing moves. */
static void prox_slowly(bool below[LARGE][LARGE], uint32_t nodes, const double *x, double t,
                        double *w)
{
    static double dual[LARGE][LARGE];
    memset(dual, 0, sizeof dual);
    memcpy(w, x, nodes * sizeof *w);
    for (int pass = 0; pass < 100000; pass++) {
        double moved = 0;
        for (uint32_t v = 0; v < nodes; v++) {
            double part[LARGE];
            uint32_t count = 0, at = 0;
            for (uint32_t u = 0; u < nodes; u++)
                if (below[v][u])
                    part[count++] = w[u] + dual[v][u];
            project(part, count, t);
            for (uint32_t u = 0; u < nodes; u++)
                if (below[v][u]) {
                    moved += fabs(part[at] - dual[v][u]);
                    w[u] += dual[v][u] - part[at];
                    dual[v][u] = part[at++];
                }
        }
        if (moved < 1e-13)
            return;
    }
}

static hsel_dag *random_tree(hs_stream *stream, uint32_t nodes)
{
    uint32_t child[LARGE], parent[LARGE], name[LARGE], edges = 0;
    hsel_error error = {0};
    hsel_dag *dag = NULL;
    for (uint32_t v = 0; v < nodes; v++)
        name[v] = v;
    hs_random_shuffle(stream, name, nodes);
    for (uint32_t v = 1; v < nodes; v++)
        if (hs_random_below(stream, 8)) {
            child[edges] = name[v];
            parent[edges++] = name[hs_random_below(stream, v)];
        }
    assert_ok(hs_dag_new(nodes, child, parent, edges, &dag, &error), error);
    return dag;
}

/* ---- the norm ---- */

static void test_norm_and_dual(void **state)
{
    hs_stream stream;
    hsel_error error = {0};
    static bool below[LARGE][LARGE];
    hs_stream_init(&stream, 1, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 2000; round++) {
        uint32_t nodes = 1 + (uint32_t)hs_random_below(&stream, NODES);
        hsel_dag *dag = hs_random_dag(&stream, nodes, 2 * hs_random_double(&stream));
        hs_graph_norm norm = {0};
        double w[NODES];
        assert_ok(hs_graph_norm_init(dag, NULL, NULL, &norm, &error), error);
        find_groups(dag, below);
        for (uint32_t v = 0; v < nodes; v++)
            w[v] = any_number(&stream);
        double value = norm_slowly(below, nodes, w), dual = dual_slowly(below, nodes, w);
        assert_true(fabs(hs_graph_norm_value(&norm, w) - value) <= 1e-12 * (1 + value));
        assert_true(fabs(hs_graph_norm_dual(&norm, w, 0) - dual) <= 1e-12 * (1 + dual));
        assert_true(hs_graph_norm_dual(&norm, w, dual * 1.5 + 1) == dual * 1.5 + 1);
        hs_graph_norm_clear(&norm);
        hs_dag_free(dag);
    }
}

static void test_prox_on_dags(void **state)
{
    hs_stream stream;
    hsel_error error = {0};
    static bool below[LARGE][LARGE];
    hs_stream_init(&stream, 2, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 2000; round++) {
        uint32_t nodes = 1 + (uint32_t)hs_random_below(&stream, NODES);
        hsel_dag *dag = hs_random_dag(&stream, nodes, 2.5 * hs_random_double(&stream));
        hs_graph_norm norm = {0};
        assert_ok(hs_graph_norm_init(dag, NULL, NULL, &norm, &error), error);
        find_groups(dag, below);
        for (int again = 0; again < 3; again++) { /* the levels of before are only a guess */
            double x[NODES], expected[NODES], found[NODES], t = 2 * hs_random_double(&stream);
            for (uint32_t v = 0; v < nodes; v++)
                x[v] = any_number(&stream);
            prox_slowly(below, nodes, x, t, expected);
            hs_graph_norm_prox_cuts(&norm, x, t, found);
            for (uint32_t v = 0; v < nodes; v++)
                if (!(fabs(found[v] - expected[v]) < 1e-7))
                    fail_msg("round %d, node %u of %u: expected %.12g, found %.12g", round, v,
                             nodes, expected[v], found[v]);
        }
        hs_graph_norm_clear(&norm);
        hs_dag_free(dag);
    }
}

/* On trees one pass is exact: dual ascent does not move it, and cuts give the same. */
static void test_prox_on_trees(void **state)
{
    hs_stream stream;
    hsel_error error = {0};
    static bool below[LARGE][LARGE];
    hs_stream_init(&stream, 3, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 2000; round++) {
        uint32_t nodes = 1 + (uint32_t)hs_random_below(&stream, LARGE);
        hsel_dag *dag = random_tree(&stream, nodes);
        hs_graph_norm norm = {0};
        double x[LARGE], pass[LARGE], cuts[LARGE], slow[LARGE], t = hs_random_double(&stream);
        assert_ok(hs_graph_norm_init(dag, NULL, NULL, &norm, &error), error);
        assert_true(norm.forest);
        find_groups(dag, below);
        for (uint32_t v = 0; v < nodes; v++)
            x[v] = any_number(&stream);
        hs_graph_norm_prox_pass(&norm, x, t, pass);
        hs_graph_norm_prox_cuts(&norm, x, t, cuts);
        memcpy(slow, x, sizeof slow);
        if (nodes <= NODES)
            prox_slowly(below, nodes, x, t, slow);
        hs_graph_norm_prox(&norm, x, t, x); /* in place, and the pass is the one in use */
        for (uint32_t v = 0; v < nodes; v++) {
            assert_true(fabs(pass[v] - cuts[v]) < 1e-10);
            assert_true(nodes > NODES || fabs(pass[v] - slow[v]) < 1e-7);
            assert_true(x[v] == pass[v]);
        }
        hs_graph_norm_clear(&norm);
        hs_dag_free(dag);
    }
}

/* Larger DAGs than can be tried out: the point that was found minimises, because x - w is in t
 * times the dual ball and aligned with w. */
static void test_prox_is_optimal(void **state)
{
    hs_stream stream;
    hsel_error error = {0};
    hs_stream_init(&stream, 4, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 200; round++) {
        uint32_t nodes = 50 + (uint32_t)hs_random_below(&stream, 300);
        hsel_dag *dag = hs_random_dag(&stream, nodes, 1.5 + hs_random_double(&stream));
        hs_graph_norm norm = {0};
        double x[350], w[350], rest[350], t = hs_random_double(&stream), product = 0;
        assert_ok(hs_graph_norm_init(dag, NULL, NULL, &norm, &error), error);
        for (uint32_t v = 0; v < nodes; v++)
            x[v] = any_number(&stream);
        hs_graph_norm_prox(&norm, x, t, w);
        for (uint32_t v = 0; v < nodes; v++) {
            rest[v] = x[v] - w[v];
            product += rest[v] * w[v];
        }
        double value = t * hs_graph_norm_value(&norm, w);
        assert_true(hs_graph_norm_dual(&norm, rest, 0) <= t * (1 + 1e-9) + 1e-12);
        assert_true(fabs(product - value) <= 1e-9 * (1 + value));
        hs_graph_norm_clear(&norm);
        hs_dag_free(dag);
    }
}

/* No set that holds the ancestors of its members has a greater sum of |g| - level. */
static void test_best_set(void **state)
{
    hs_stream stream;
    hsel_error error = {0};
    uint32_t some = 0;
    hs_stream_init(&stream, 8, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 500; round++) {
        static bool below[LARGE][LARGE];
        uint32_t nodes = 1 + (uint32_t)hs_random_below(&stream, NODES);
        hsel_dag *dag = hs_random_dag(&stream, nodes, 2 * hs_random_double(&stream));
        hs_graph_norm norm = {0};
        double g[NODES], level = 2 * hs_random_double(&stream), best = 0, sum = 0;
        assert_ok(hs_graph_norm_init(dag, NULL, NULL, &norm, &error), error);
        find_groups(dag, below);
        for (uint32_t v = 0; v < nodes; v++)
            g[v] = any_number(&stream);
        for (unsigned set = 1; set < 1u << nodes; set++) {
            bool closed = true;
            double total = 0;
            for (uint32_t u = 0; u < nodes; u++) {
                if (!(set >> u & 1))
                    continue;
                total += fabs(g[u]) - level;
                for (uint32_t v = 0; v < nodes; v++)
                    closed = closed && (!below[v][u] || set >> v & 1);
            }
            best = closed && total > best ? total : best;
        }
        const bool *found = hs_graph_norm_best(&norm, g, level);
        for (uint32_t u = 0; u < nodes; u++) {
            sum += found[u] ? fabs(g[u]) - level : 0;
            some += found[u];
            for (uint32_t v = 0; v < nodes && found[u]; v++)
                assert_true(!below[v][u] || found[v]);
        }
        assert_true(fabs(sum - best) < 1e-9);
        hs_graph_norm_clear(&norm);
        hs_dag_free(dag);
    }
    assert_true(some > 500);
}

/* ---- logistic regression ---- */

struct regression {
    hsel_dataset *data;
    hs_graph_norm norm;
    hs_design design;
    hs_graph_fit logit;
    uint32_t rows[40], features[NODES];
    bool positive[40];
    bool below[LARGE][LARGE];
};

static void regression_new(struct regression *r, hs_stream *stream)
{
    hsel_error error = {0};
    hs_random_shape shape = {.instances = 12 + (uint32_t)hs_random_below(stream, 28),
                             .features = 1 + (uint32_t)hs_random_below(stream, NODES),
                             .classes = 2,
                             .density = 0.3,
                             .parents = 1.3,
                             .true_path = true};
    memset(r, 0, sizeof *r);
    r->data = hs_random_dataset(stream, &shape);
    for (uint32_t i = 0; i < shape.instances; i++) {
        r->rows[i] = i;
        r->positive[i] = r->data->class_of[i] == 1;
    }
    for (uint32_t f = 0; f < shape.features; f++)
        r->features[f] = f;
    find_groups(r->data->dag, r->below);
    assert_ok(hs_graph_norm_init(r->data->dag, NULL, NULL, &r->norm, &error), error);
    r->design.instances = shape.instances;
    assert_ok(hs_position_columns(r->data, r->features, shape.features, r->rows, shape.instances,
                                  &r->design.column, &error),
              error);
    assert_ok(hs_graph_fit_init(&r->design, &r->norm, &r->logit, &error), error);
    hs_graph_fit_start(&r->logit, r->positive, NULL, NULL);
}

static void regression_free(struct regression *r)
{
    hs_graph_fit_clear(&r->logit);
    hs_design_clear(&r->design);
    hs_graph_norm_clear(&r->norm);
    hsel_dataset_free(r->data);
}

static void scores(const struct regression *r, const double *w, double *out)
{
    for (uint32_t i = 0; i < r->data->instances; i++) {
        size_t count;
        const uint32_t *row = hs_row(r->data, i, &count);
        out[i] = 0;
        for (size_t j = 0; j < count; j++)
            out[i] += w[row[j]];
    }
}

static double objective(const struct regression *r, const double *w, double b, double lambda)
{
    double score[40], sum = 0;
    uint32_t n = r->data->instances;
    scores(r, w, score);
    for (uint32_t i = 0; i < n; i++)
        sum += log1p(exp(-(r->positive[i] ? 1 : -1) * (score[i] + b)));
    return sum / n + lambda * norm_slowly((bool(*)[LARGE])r->below, r->data->features, w);
}

static void test_gradient(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 5, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 500; round++) {
        struct regression r;
        double w[NODES], score[40], residual[40], gradient[NODES], b = 0, sum = 0;
        regression_new(&r, &stream);
        uint32_t n = r.data->instances;
        for (uint32_t f = 0; f < r.data->features; f++)
            w[f] = hs_random_normal(&stream);
        scores(&r, w, score);
        hs_graph_fit_loss(&r.logit, score, &b, residual);
        hs_graph_fit_gradient(&r.logit, residual, gradient);
        for (uint32_t i = 0; i < n; i++)
            sum += residual[i];
        assert_true(fabs(sum) < 1e-12); /* the intercept is the best one */
        for (uint32_t f = 0; f < r.data->features; f++) {
            double loss[2], step = 1e-5;
            for (int side = 0; side < 2; side++) {
                double moved[NODES], at = b;
                memcpy(moved, w, sizeof moved);
                moved[f] += side ? step : -step;
                scores(&r, moved, score);
                loss[side] = hs_graph_fit_loss(&r.logit, score, &at, NULL);
            }
            assert_true(fabs((loss[1] - loss[0]) / (2 * step) - gradient[f]) < 1e-8);
        }
        regression_free(&r);
    }
}

/* A lower bound of the objective from the solution: residuals scaled into the dual ball, which is
 * tried out set by set. */
static double lower_bound(const struct regression *r, const double *w, double b, double lambda)
{
    double score[40], p[40], g[NODES] = {0}, sum = 0;
    uint32_t n = r->data->instances;
    scores(r, w, score);
    for (uint32_t i = 0; i < n; i++) {
        double label = r->positive[i] ? 1 : -1;
        size_t count;
        const uint32_t *row = hs_row(r->data, i, &count);
        p[i] = 1 / (1 + exp(label * (score[i] + b)));
        for (size_t j = 0; j < count; j++)
            g[row[j]] -= label * p[i] / n;
    }
    double dual = dual_slowly((bool(*)[LARGE])r->below, r->data->features, g);
    double scale = dual > lambda ? lambda / dual : 1;
    for (uint32_t i = 0; i < n; i++)
        sum -= scale * p[i] * log(scale * p[i]) + (1 - scale * p[i]) * log(1 - scale * p[i]);
    return sum / n;
}

static bool is_constant(const struct regression *r, uint32_t f)
{
    size_t count;
    hs_column(r->data, f, &count);
    return count == 0 || count == r->data->instances;
}

static void check_solution(const struct regression *r, double lambda, hs_stream *stream)
{
    const double *w = r->logit.w;
    double found = objective(r, w, r->logit.b[0], lambda);
    assert_true(r->logit.gap <= 1e-8);
    assert_true(fabs(found - r->logit.objective) < 1e-12);
    assert_true(found - lower_bound(r, w, r->logit.b[0], lambda) <= 2e-8 * found + 1e-12);
    for (int trial = 0; trial < 50; trial++) {
        double moved[NODES], size = pow(10, -6 * hs_random_double(stream));
        for (uint32_t f = 0; f < r->data->features; f++)
            moved[f] = w[f] + (hs_random_below(stream, 2) ? size * hs_random_normal(stream) : 0);
        assert_true(objective(r, moved, r->logit.b[0] + size * hs_random_normal(stream), lambda) >=
                    found - 2e-8);
    }
    for (uint32_t f = 0; f < r->data->features; f++)
        for (uint32_t v = 0; v < r->data->features && w[f] != 0; v++)
            if (r->below[v][f] && w[v] == 0 && !is_constant(r, v))
                fail_msg("%u has a weight and its ancestor %u has not", f, v);
}

static void test_solutions(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 6, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 300; round++) {
        static struct regression r;
        regression_new(&r, &stream);
        double largest = hs_graph_fit_largest(&r.logit);
        hs_graph_fit_solve(&r.logit, largest * 1.0001 + 1e-9, 1e-8, 100000);
        for (uint32_t f = 0; f < r.data->features; f++)
            assert_true(r.logit.w[f] == 0);
        for (double part = 0.99; part > 0.05 && largest > 0; part *= 0.5) {
            hs_graph_fit_solve(&r.logit, largest * part, 1e-8, 100000);
            check_solution(&r, largest * part, &stream);
            double total = 0;
            for (uint32_t f = 0; f < r.data->features; f++)
                total += fabs(r.logit.w[f]);
            assert_true(total > 0); /* the largest is the least that leaves nothing */
        }
        for (int again = 0; again < 2 && largest > 0; again++) { /* from anywhere, features that */
            double by[NODES];                                    /* should be 0 included */
            for (uint32_t f = 0; f < r.data->features; f++)
                by[f] = hs_random_normal(&stream);
            hs_graph_fit_move(&r.logit, by);
            hs_graph_fit_solve(&r.logit, largest / 3, 1e-8, 100000);
            check_solution(&r, largest / 3, &stream);
            for (uint32_t f = 0; f < r.data->features; f++)
                assert_true(!is_constant(&r, f) || r.logit.w[f] == 0);
        }
        regression_free(&r);
    }
}

/* Most features are not at work, and what is found is the minimum nevertheless: the gradient of all
 * features, worked out here, is in the dual ball. */
static void test_features_at_work(void **state)
{
    hs_stream stream;
    hsel_error error = {0};
    uint32_t most = 0, with_weight = 0;
    hs_stream_init(&stream, 9, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 20; round++) {
        hs_random_shape shape = {.instances = 150,
                                 .features = 300,
                                 .classes = 2,
                                 .density = 0.05,
                                 .parents = 1.5,
                                 .true_path = true};
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        hs_graph_norm norm = {0};
        hs_design design = {0};
        hs_graph_fit logit = {0};
        uint32_t rows[150], features[300];
        bool positive[150];
        for (uint32_t i = 0; i < 150; i++) {
            rows[i] = i;
            positive[i] = data->class_of[i] == 1;
        }
        for (uint32_t f = 0; f < 300; f++)
            features[f] = f;
        assert_ok(hs_graph_norm_init(data->dag, NULL, NULL, &norm, &error), error);
        design.instances = 150;
        assert_ok(hs_position_columns(data, features, 300, rows, 150, &design.column, &error),
                  error);
        assert_ok(hs_graph_fit_init(&design, &norm, &logit, &error), error);
        hs_graph_fit_start(&logit, positive, NULL, NULL);
        double largest = hs_graph_fit_largest(&logit), residual[150], gradient[300];
        for (double part = 0.8; part > 0.2; part *= 0.8) {
            double score[150] = {0}, lambda = part * largest, aligned = 0;
            hs_graph_fit_solve(&logit, lambda, 1e-9, 100000);
            most = logit.work_count > most ? logit.work_count : most;
            for (uint32_t i = 0; i < 150; i++) {
                size_t count;
                const uint32_t *row = hs_row(data, i, &count);
                for (size_t k = 0; k < count; k++)
                    score[i] += logit.w[row[k]];
            }
            double b = logit.b[0];
            hs_graph_fit_loss(&logit, score, &b, residual);
            hs_graph_fit_gradient(&logit, residual, gradient);
            for (uint32_t f = 0; f < 300; f++) {
                aligned -= gradient[f] * logit.w[f];
                with_weight += logit.w[f] != 0;
            }
            assert_true(hs_graph_norm_dual(&norm, gradient, 0) <= lambda * (1 + 1e-3));
            assert_true(fabs(aligned - lambda * hs_graph_norm_value(&norm, logit.w)) < 1e-5);
        }
        hs_graph_fit_clear(&logit);
        hs_design_clear(&design);
        hs_graph_norm_clear(&norm);
        hsel_dataset_free(data);
    }
    assert_true(most < 300 && with_weight > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_norm_and_dual), cmocka_unit_test(test_prox_on_dags),
        cmocka_unit_test(test_prox_on_trees), cmocka_unit_test(test_prox_is_optimal),
        cmocka_unit_test(test_gradient),      cmocka_unit_test(test_solutions),
        cmocka_unit_test(test_best_set),      cmocka_unit_test(test_features_at_work)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

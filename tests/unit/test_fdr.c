/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The selector fdr on random training parts: p-values, elim, weight01 and weight against counting
 * by hand, procedures against stats/procedures.c on these p-values (which has twins of its own).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "infer/procedures.h"
#include "infer/tests.h"
#include "support/cmocka.h"
#include "support/eager_world.h"
#include "support/oom.h"

/* The hierarchy of the candidates as a matrix: above[v][a]. */
static hsel_dag *dag_of_candidates(const hs_world *w, bool above[WORLD_FEATURES][WORLD_FEATURES])
{
    bool keep[WORLD_FEATURES] = {0};
    hsel_error error = {0};
    hsel_dag *dag = NULL;
    hs_reach reach = {0};
    for (uint32_t i = 0; i < w->candidates; i++)
        keep[w->feature[i]] = true;
    assert_ok(hs_dag_subset(w->data->dag, keep, &dag, &error), error);
    assert_ok(hs_reach_init(&reach, dag, &error), error);
    memset(above, 0, WORLD_FEATURES * sizeof *above);
    for (uint32_t v = 0, a; v < w->candidates; v++)
        for (hs_reach_start(&reach, v); (a = hs_reach_next(&reach)) != HSEL_NONE;)
            above[v][a] = true;
    hs_reach_clear(&reach);
    return dag;
}

/* By the weights of its positive instances. What weighs nothing does not exist. */
static double p_of(const hs_world *w, uint32_t candidate, const double *weight)
{
    uint32_t positive[3] = {0}, size[3] = {0}, all = 0, drawn = 0;
    double sum[3] = {0};
    hsel_error error = {0};
    double p, se;
    for (uint32_t r = 0; r < w->rows; r++) {
        sum[w->label[r]] += w->x[r][candidate] ? weight[r] : 0;
        size[w->label[r]] += !w->x[r][candidate];
    }
    for (uint32_t c = 0; c < w->classes; c++) {
        positive[c] = (uint32_t)floor(sum[c] + 1e-9);
        size[c] += positive[c];
        all += size[c];
        drawn += positive[c];
    }
    if (w->classes == 2)
        return hs_p_fisher(all, size[0], drawn, positive[0], HS_TAIL_BOTH, false);
    hs_count_table table = {positive, size, 3};
    assert_ok(hs_p_halton(&table, 100000, 1, &p, &se, &error), error);
    return p;
}

/* log a / log b; p-values that differ by rounding alone are equal. */
static double log_ratio(double a, double b)
{
    return fabs(a - b) < 1e-8 * b ? 1 : b > 1 - 1e-8 ? INFINITY : log(a) / log(b);
}

/* elim, weight01 and weight as rank/local.c describes them, with a weight for every pair of term
 * and instance: repeatedly the deepest term that was not tested yet. */
static void local_p(const hs_world *w, const hsel_dag *dag,
                    bool above[WORLD_FEATURES][WORLD_FEATURES], const char *how, double cut,
                    double *p)
{
    double weight[WORLD_FEATURES][WORLD_ROWS], down[WORLD_FEATURES];
    bool done[WORLD_FEATURES] = {0};
    for (uint32_t v = 0; v < w->candidates; v++) {
        down[v] = 1;
        for (uint32_t r = 0; r < w->rows; r++)
            weight[v][r] = 1;
    }
    for (uint32_t step = 0; step < w->candidates; step++) {
        uint32_t v = HSEL_NONE;
        double factor[WORLD_ROWS];
        bool left[WORLD_FEATURES] = {0};
        size_t children;
        for (uint32_t u = 0; u < w->candidates; u++)
            if (!done[u] && (v == HSEL_NONE || dag->depth[u] > dag->depth[v]))
                v = u;
        done[v] = true;
        const uint32_t *child = hs_children(dag, v, &children);
        for (size_t c = 0; c < children; c++)
            left[child[c]] = strcmp(how, "elim") != 0;
        for (uint32_t r = 0; r < w->rows; r++)
            factor[r] = 1;
        for (bool more = true; more;) {
            p[v] = p_of(w, v, weight[v]);
            more = false;
            for (uint32_t c = 0; c < w->candidates; c++) {
                if (!left[c])
                    continue;
                const double ratio = log_ratio(p[c], p[v]);
                const bool degrees = strcmp(how, "weight") == 0;
                if (strcmp(how, "weight01-topgo") != 0 &&
                    (degrees ? ratio <= 1 : ratio < 1 || p[c] > 1 - 1e-8))
                    continue;
                left[c] = false;
                more = true;
                for (uint32_t r = 0; r < w->rows; r++)
                    if (w->x[r][c]) {
                        factor[r] *= degrees ? 1 / ratio : 0;
                        weight[v][r] *= degrees ? 1 / ratio : 0;
                    }
            }
        }
        for (uint32_t c = 0; c < w->candidates && strcmp(how, "weight") == 0; c++)
            if (left[c])
                down[c] = fmin(down[c], log_ratio(p[c], p[v]));
        for (uint32_t r = 0; r < w->rows && strcmp(how, "elim") == 0; r++)
            if (w->x[r][v] && p[v] <= cut)
                factor[r] = 0;
        for (uint32_t a = 0; a < w->candidates; a++)
            for (uint32_t r = 0; above[v][a] && r < w->rows; r++)
                weight[a][r] *= factor[r];
    }
    for (uint32_t v = 0; v < w->candidates; v++) {
        for (uint32_t r = 0; r < w->rows; r++)
            weight[v][r] *= down[v];
        p[v] = p_of(w, v, weight[v]);
    }
}

static void expect(const hs_world *w, const char *selector, const bool *expected, const double *p)
{
    bool keep[WORLD_FEATURES];
    double score[WORLD_FEATURES];
    hs_world_select(w, selector, keep, score);
    for (uint32_t i = 0; i < w->candidates; i++) {
        if (keep[i] != expected[i])
            fail_msg("%s: candidate %u of %u", selector, i, w->candidates);
        if (fabs(score[i] + log10(p[i])) > 1e-9)
            fail_msg("%s: candidate %u: %g, not %g", selector, i, score[i], -log10(p[i]));
    }
}

/* Constant features are no hypotheses. */
static void reject(const hs_world *w, const hsel_dag *dag, const hs_procedure *procedure,
                   const double *p, bool *out)
{
    bool tested[WORLD_FEATURES], rejected[WORLD_FEATURES];
    double of_tested[WORLD_FEATURES], adjusted[WORLD_FEATURES];
    hsel_dag *part;
    hsel_error error = {0};
    uint32_t count = 0;
    for (uint32_t v = 0; v < w->candidates; v++) {
        tested[v] = false;
        for (uint32_t r = 1; r < w->rows; r++)
            tested[v] |= w->x[r][v] != w->x[0][v];
        if (tested[v])
            of_tested[count++] = p[v];
    }
    assert_ok(hs_dag_subset(dag, tested, &part, &error), error);
    assert_ok(hs_procedure_run(
                  procedure,
                  &(hs_hypotheses){.p = of_tested, .count = count, .dag = part, .alpha = 0.3},
                  rejected, adjusted, &error),
              error);
    for (uint32_t v = 0, at = 0; v < w->candidates; v++)
        out[v] = tested[v] && rejected[at++];
    hs_dag_free(part);
}

static void test_against_counting(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "fdr", 0, 0);
    double one[WORLD_ROWS];
    for (uint32_t r = 0; r < WORLD_ROWS; r++)
        one[r] = 1;
    for (int trial = 0; trial < 400; trial++) {
        hs_world w;
        bool above[WORLD_FEATURES][WORLD_FEATURES], expected[WORLD_FEATURES], outer[WORLD_FEATURES];
        double p[WORLD_FEATURES];
        char text[80];
        hs_world_draw(&stream, true, &w);
        hs_world_drop_unlabelled(&w);
        hsel_dag *dag = dag_of_candidates(&w, above);
        for (uint32_t v = 0; v < w.candidates; v++)
            p[v] = p_of(&w, v, one);
        for (const hs_procedure *q = hs_procedures; q->name; q++) {
            if (q->tree)
                continue;
            reject(&w, dag, q, p, expected);
            snprintf(text, sizeof text, "fdr:method=%s,alpha=0.3", q->name);
            expect(&w, text, expected, p);
            hs_outer_nodes(dag, w.candidates, expected, outer);
            snprintf(text, sizeof text, "fdr:method=%s,alpha=0.3,outer", q->name);
            expect(&w, text, outer, p);
        }
        for (int how = 0; how < 3; how++) {
            static const char *const names[] = {"elim", "weight01", "weight01-topgo", "weight"};
            local_p(&w, dag, above, names[how], 0.2, p);
            for (uint32_t v = 0; v < w.candidates; v++)
                expected[v] = hs_rejects(p[v], 0.4);
            snprintf(text, sizeof text, "fdr:method=%s,alpha=0.4%s", names[how],
                     how ? "" : ",cut=0.2");
            expect(&w, text, expected, p);
        }
        if (trial < 3) {
            hs_world_oom(&w, "fdr:method=elim,alpha=0.4,cut=0.2");
            hs_world_oom(&w, "fdr:method=weight,alpha=0.4");
            hs_world_oom(&w, "fdr:outer,filter=lin");
        }
        hs_dag_free(dag);
        hs_world_free(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_counting)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

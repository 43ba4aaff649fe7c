/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The selector fdr on random training parts: p-values and elim against counting by hand, procedures
 * against stats/procedures.c on these p-values (which has twins of its own).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "stats/procedures.h"
#include "stats/tests.h"
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

static double p_of(const hs_world *w, uint32_t candidate, const bool *gone)
{
    uint32_t positive[3] = {0}, size[3] = {0};
    hsel_error error = {0};
    double p, se;
    for (uint32_t r = 0; r < w->rows; r++) {
        size[w->label[r]]++;
        positive[w->label[r]] += w->x[r][candidate] && !gone[r];
    }
    if (w->classes == 2)
        return hs_p_fisher(size[0] + size[1], size[0], positive[0] + positive[1], positive[0],
                           HS_TAIL_BOTH, false);
    hs_count_table table = {positive, size, 3};
    assert_ok(hs_p_halton(&table, 100000, 1, &p, &se, &error), error);
    return p;
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

static void test_against_counting(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "fdr", 0, 0);
    const bool none[WORLD_ROWS] = {0};
    for (int trial = 0; trial < 400; trial++) {
        hs_world w;
        bool above[WORLD_FEATURES][WORLD_FEATURES], expected[WORLD_FEATURES], outer[WORLD_FEATURES];
        double p[WORLD_FEATURES], adjusted[WORLD_FEATURES];
        hsel_error error = {0};
        char text[80];
        hs_world_draw(&stream, true, &w);
        hs_world_drop_unlabelled(&w);
        hsel_dag *dag = dag_of_candidates(&w, above);
        for (uint32_t v = 0; v < w.candidates; v++)
            p[v] = p_of(&w, v, none);
        for (const hs_procedure *q = hs_procedures; q->name; q++) {
            if (q->tree)
                continue;
            assert_ok(hs_procedure_run(q, &(hs_hypotheses){p, w.candidates, dag, 0.3, NULL},
                                       expected, adjusted, &error),
                      error);
            snprintf(text, sizeof text, "fdr:method=%s,alpha=0.3", q->name);
            expect(&w, text, expected, p);
            hs_outer_nodes(dag, w.candidates, expected, outer);
            snprintf(text, sizeof text, "fdr:method=%s,alpha=0.3,outer", q->name);
            expect(&w, text, outer, p);
        }
        /* elim: repeatedly the deepest node that was not tested yet */
        bool gone[WORLD_FEATURES][WORLD_ROWS] = {{0}}, done[WORLD_FEATURES] = {0};
        for (uint32_t step = 0; step < w.candidates; step++) {
            uint32_t v = HSEL_NONE;
            for (uint32_t u = 0; u < w.candidates; u++)
                if (!done[u] && (v == HSEL_NONE || dag->depth[u] > dag->depth[v]))
                    v = u;
            done[v] = true;
            p[v] = p_of(&w, v, gone[v]);
            expected[v] = p[v] <= 0.4;
            for (uint32_t a = 0; a < w.candidates && p[v] <= 0.2; a++)
                for (uint32_t r = 0; above[v][a] && r < w.rows; r++)
                    gone[a][r] |= w.x[r][v];
        }
        expect(&w, "fdr:method=elim,alpha=0.4,cut=0.2", expected, p);
        if (trial < 3) {
            hs_world_oom(&w, "fdr:method=elim,alpha=0.4,cut=0.2");
            hs_world_oom(&w, "fdr:outer");
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

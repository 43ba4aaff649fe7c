/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stats/procedures.c against definitions that are followed word by word, on random hierarchies, and
 * against the published answers on ICD-10 codes of UK Biobank (data/icd10).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/random.h"
#include "load/load.h"
#include "format/table.h"
#include "infer/procedures.h"
#include "infer/tests.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/random_data.h"

enum { MOST = 24 };

typedef struct world {
    hsel_dag *dag;
    uint32_t count;
    double p[MOST];
    bool above[MOST][MOST]; /* above[v][a]: a is a proper ancestor of v */
} world;

static world draw(hs_stream *stream, double parents)
{
    world w = {.count = 1 + (uint32_t)hs_random_below(stream, MOST)};
    hs_reach reach = {0};
    hsel_error error = {0};
    w.dag = hs_random_dag(stream, w.count, parents);
    assert_ok(hs_reach_init(&reach, w.dag, &error), error);
    for (uint32_t v = 0, a; v < w.count; v++) {
        /* Few different values, so that many are equal; many small ones. */
        double u = (double)hs_random_below(stream, 40) / 40;
        w.p[v] = u * u * u;
        for (hs_reach_start(&reach, v); (a = hs_reach_next(&reach)) != HSEL_NONE;)
            w.above[v][a] = true;
    }
    hs_reach_clear(&reach);
    return w;
}

/* Every node has at most one parent: others are cut. */
static world draw_tree(hs_stream *stream)
{
    uint32_t count = 1 + (uint32_t)hs_random_below(stream, MOST), child[MOST], parent[MOST];
    world w = {.count = count};
    hsel_error error = {0};
    hs_reach reach = {0};
    size_t edges = 0;
    for (uint32_t v = 1; v < count; v++)
        if (hs_random_below(stream, 5)) {
            child[edges] = v;
            parent[edges++] = (uint32_t)hs_random_below(stream, v);
        }
    assert_ok(hs_dag_new(count, child, parent, edges, &w.dag, &error), error);
    assert_ok(hs_reach_init(&reach, w.dag, &error), error);
    for (uint32_t v = 0, a; v < count; v++) {
        double u = (double)hs_random_below(stream, 40) / 40;
        w.p[v] = u * u * u;
        for (hs_reach_start(&reach, v); (a = hs_reach_next(&reach)) != HSEL_NONE;)
            w.above[v][a] = true;
    }
    hs_reach_clear(&reach);
    return w;
}

static uint32_t outer_of(const world *w, const bool *rejected, bool *outer)
{
    uint32_t found = 0;
    for (uint32_t a = 0; a < w->count; a++) {
        outer[a] = rejected[a];
        for (uint32_t v = 0; v < w->count; v++)
            outer[a] &= !(rejected[v] && w->above[v][a]);
        found += outer[a];
    }
    return found;
}

static const double levels[] = {0.01, 0.05, 0.2, 0.7};

static void run(const world *w, const char *name, double alpha, bool *rejected, double *adjusted)
{
    hsel_error error = {0};
    const hs_procedure *procedure = hs_procedure_find(name, &error);
    assert_non_null(procedure);
    hs_hypotheses h = {w->p, w->count, w->dag, alpha, NULL};
    assert_ok(hs_procedure_run(procedure, &h, rejected, adjusted, &error), error);
}

/* Comparisons of levels leave alone what only rounding decides. */
static bool is_close(double a, double b) { return fabs(a - b) <= 1e-9 * (a + b); }

static void expect_same(const world *w, const char *name, double alpha, const bool *expected,
                        const double *close_to)
{
    bool rejected[MOST];
    double adjusted[MOST];
    run(w, name, alpha, rejected, adjusted);
    for (uint32_t v = 0; v < w->count; v++)
        if (rejected[v] != expected[v] && !(close_to && is_close(close_to[v], alpha)))
            fail_msg("%s at %g: node %u of %u, p %g, %s", name, alpha, v, w->count, w->p[v],
                     rejected[v] ? "rejected" : "not rejected");
}

/* The largest k with p_(k) <= alpha k / (n c), counted by values. */
static void slow_step_up(const world *w, const bool *among, double alpha, double c, bool *out)
{
    uint32_t n = 0;
    double limit = -1;
    for (uint32_t v = 0; v < w->count; v++)
        n += among[v];
    for (uint32_t v = 0; v < w->count; v++) {
        uint32_t k = 0;
        for (uint32_t u = 0; u < w->count; u++)
            k += among[u] && w->p[u] <= w->p[v];
        if (among[v] && w->p[v] * n * c <= alpha * k * (1 + 1e-12))
            limit = fmax(limit, w->p[v]);
    }
    for (uint32_t v = 0; v < w->count; v++)
        out[v] |= among[v] && w->p[v] <= limit;
}

static void test_classical(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "procedures", 0, 0);
    for (int trial = 0; trial < 2000; trial++) {
        world w = draw(&stream, 1.5);
        bool all[MOST], expected[MOST], rejected[MOST];
        double adjusted[MOST], sum = 0;
        memset(all, true, sizeof all);
        for (uint32_t i = 1; i <= w.count; i++)
            sum += 1.0 / i;
        for (size_t l = 0; l < sizeof levels / sizeof *levels; l++) {
            memset(expected, 0, sizeof expected);
            slow_step_up(&w, all, levels[l], 1, expected);
            run(&w, "bh", levels[l], rejected, adjusted);
            expect_same(&w, "bh", levels[l], expected, adjusted);
            memset(expected, 0, sizeof expected);
            slow_step_up(&w, all, levels[l], sum, expected);
            run(&w, "by", levels[l], rejected, adjusted);
            expect_same(&w, "by", levels[l], expected, adjusted);
            /* Holm: reject while the smallest p left is at most alpha over those left. */
            memset(expected, 0, sizeof expected);
            for (bool more = true; more;) {
                uint32_t left = 0, best = HSEL_NONE;
                for (uint32_t v = 0; v < w.count; v++)
                    if (!expected[v]) {
                        left++;
                        best = best == HSEL_NONE || w.p[v] < w.p[best] ? v : best;
                    }
                more = left && w.p[best] * left <= levels[l];
                if (more)
                    expected[best] = true;
            }
            run(&w, "holm", levels[l], rejected, adjusted);
            expect_same(&w, "holm", levels[l], expected, adjusted);
        }
        hs_dag_free(w.dag);
    }
}

static void test_focused(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 2, "procedures", 0, 0);
    for (int trial = 0; trial < 3000; trial++) {
        world w = draw(&stream, 1.5);
        for (size_t l = 0; l < sizeof levels / sizeof *levels; l++) {
            bool expected[MOST] = {0}, set[MOST], outer[MOST], rejected[MOST];
            double limit = -1, adjusted[MOST];
            for (uint32_t v = 0; v < w.count; v++) { /* the threshold p_v */
                for (uint32_t u = 0; u < w.count; u++)
                    set[u] = w.p[u] <= w.p[v];
                if (w.p[v] * w.count <= levels[l] * outer_of(&w, set, outer) * (1 + 1e-12))
                    limit = fmax(limit, w.p[v]);
            }
            for (uint32_t v = 0; v < w.count; v++)
                expected[v] = w.p[v] <= limit;
            run(&w, "focused-bh", levels[l], rejected, adjusted);
            expect_same(&w, "focused-bh", levels[l], expected, adjusted);
            assert_int_equal(hs_outer_nodes(w.dag, w.count, rejected, set),
                             outer_of(&w, rejected, outer));
            assert_memory_equal(set, outer, w.count * sizeof *set);
        }
        hs_dag_free(w.dag);
    }
}

/* Focused BH whose filter is by similarity: for each threshold, representatives one by one. */
static void test_representatives(void **state)
{
    (void)state;
    hs_stream stream;
    hsel_error error = {0};
    const hs_procedure *focused = hs_procedure_find("focused-bh", &error);
    hs_stream_init(&stream, 9, "procedures", 0, 0);
    for (int trial = 0; trial < 1500; trial++) {
        world w = draw(&stream, 1.5);
        uint32_t support[MOST], left;
        hs_similarity similarity = {0};
        double alpha = levels[trial % 4], limit = -1, adjusted[MOST];
        bool rejected[MOST], expected[MOST], kept[MOST], edge = false;
        for (uint32_t v = 0; v < w.count; v++)
            support[v] = 1 + (uint32_t)hs_random_below(&stream, 8);
        assert_ok(hs_similarity_init(&similarity, w.dag, w.count, support, 8,
                                     (hs_similarity_kind)(trial % 3), &error),
                  error);
        similarity.scaled = true;
        hs_hypotheses h = {.p = w.p,
                           .count = w.count,
                           .dag = w.dag,
                           .alpha = alpha,
                           .similarity = &similarity,
                           .similar = 0.25 * (1 + trial % 5 % 4)};
        assert_ok(hs_procedure_run(focused, &h, rejected, adjusted, &error), error);
        for (uint32_t t = 0; t < w.count; t++) { /* the threshold p_t */
            uint32_t list[MOST], number = 0;
            bool done[MOST] = {0};
            for (uint32_t step = 0; step < w.count; step++) {
                uint32_t v = HSEL_NONE;
                bool close = false;
                for (uint32_t u = 0; u < w.count; u++)
                    if (!done[u] && (v == HSEL_NONE || w.p[u] < w.p[v]))
                        v = u;
                done[v] = true;
                for (uint32_t i = 0; i < number; i++) {
                    double alike;
                    assert_ok(hs_similarity_pairs(&similarity, &list[i], &v, 1, &alike, &error),
                              error);
                    close |= alike > h.similar;
                }
                if (!close && w.p[v] <= w.p[t])
                    list[number++] = v;
            }
            edge |= is_close(w.p[t] * w.count, alpha * number); /* rounding decides */
            if (w.p[t] * w.count <= alpha * number)
                limit = fmax(limit, w.p[t]);
            if (rejected[t]) { /* if this is where it stops, the filter leaves these */
                bool last = true;
                for (uint32_t u = 0; u < w.count; u++)
                    last &= !rejected[u] || w.p[u] <= w.p[t];
                assert_ok(hs_filter_rejected(&h, rejected, kept, &left, &error), error);
                assert_true(!last || left == number);
                for (uint32_t i = 0; i < number && last; i++)
                    assert_true(kept[list[i]]);
            }
        }
        for (uint32_t v = 0; v < w.count; v++)
            expected[v] = w.p[v] <= limit;
        for (uint32_t v = 0; v < w.count; v++)
            if (!edge && (rejected[v] != expected[v] || rejected[v] == isnan(adjusted[v])))
                fail_msg("trial %d: node %u of %u", trial, v, w.count);
        hs_similarity_clear(&similarity);
        hs_dag_free(w.dag);
    }
}

static void test_structured_holm(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 3, "procedures", 0, 0);
    for (int trial = 0; trial < 3000; trial++) {
        world w = draw(&stream, 1.5);
        for (size_t l = 0; l < sizeof levels / sizeof *levels; l++) {
            bool expected[MOST] = {0}, rejected[MOST];
            double adjusted[MOST];
            for (bool more = true; more;) {
                uint32_t open = 0;
                more = false;
                for (uint32_t v = 0; v < w.count; v++)
                    open += !expected[v];
                for (uint32_t v = 0; v < w.count; v++)
                    if (!expected[v] && w.p[v] * open <= levels[l]) {
                        expected[v] = more = true;
                        for (uint32_t a = 0; a < w.count; a++)
                            expected[a] |= w.above[v][a];
                    }
            }
            run(&w, "structured-holm", levels[l], rejected, adjusted);
            expect_same(&w, "structured-holm", levels[l], expected, adjusted);
        }
        hs_dag_free(w.dag);
    }
}

static void test_yekutieli(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 4, "procedures", 0, 0);
    for (int trial = 0; trial < 3000; trial++) {
        world w = draw_tree(&stream);
        uint32_t depth = 0;
        size_t parents;
        for (uint32_t v = 0; v < w.count; v++)
            depth = w.dag->depth[v] + 1 > depth ? w.dag->depth[v] + 1 : depth;
        for (size_t l = 0; l < sizeof levels / sizeof *levels; l++) {
            bool expected[MOST] = {0}, rejected[MOST];
            double adjusted[MOST];
            for (uint32_t i = 0; i <= w.count; i++) { /* families of roots first, then downwards */
                uint32_t above = i ? w.dag->order[i - 1] : HSEL_NONE;
                bool family[MOST] = {0};
                for (uint32_t v = 0; v < w.count; v++) {
                    const uint32_t *parent = hs_parents(w.dag, v, &parents);
                    family[v] = (parents ? parent[0] : HSEL_NONE) == above;
                }
                if (!i || expected[above])
                    slow_step_up(&w, family, levels[l] / (2 * depth), 1, expected);
            }
            run(&w, "yekutieli", levels[l], rejected, adjusted);
            expect_same(&w, "yekutieli", levels[l], expected, adjusted);
        }
        hs_dag_free(w.dag);
    }
}

static void slow_dagger(const world *w, double alpha, bool dependent, bool *rejected)
{
    double leaf[MOST] = {0}, m[MOST] = {0};
    uint32_t total = 0, so_far = 0;
    size_t count;
    memset(rejected, 0, MOST);
    for (uint32_t i = w->count; i-- > 0;) {
        uint32_t v = w->dag->order[i];
        total += hs_is_leaf(w->dag, v);
        leaf[v] += hs_is_leaf(w->dag, v);
        m[v] += 1;
        const uint32_t *parent = hs_parents(w->dag, v, &count);
        for (size_t j = 0; j < count; j++) {
            leaf[parent[j]] += leaf[v] / (double)count;
            m[parent[j]] += m[v] / (double)count;
        }
    }
    for (uint32_t d = 1; d <= w->count; d++) {
        uint32_t up_to = 0;
        bool candidate[MOST] = {0};
        for (uint32_t v = 0; v < w->count; v++) {
            up_to += w->dag->depth[v] < d;
            candidate[v] = w->dag->depth[v] + 1 == d;
            const uint32_t *parent = hs_parents(w->dag, v, &count);
            for (size_t j = 0; j < count; j++)
                candidate[v] &= rejected[parent[j]];
        }
        for (uint32_t r = w->count; r > 0; r--) {
            uint32_t met = 0;
            bool now[MOST] = {0};
            for (uint32_t v = 0; v < w->count; v++) {
                double h = 0, bound;
                for (uint32_t k = 0; k <= up_to - d; k++)
                    h += 1 / (m[v] + d - 1 + k);
                bound = dependent
                            ? alpha * leaf[v] * ((double)r + so_far - d + 1) / (total * m[v] * h)
                            : alpha * leaf[v] * (m[v] + r + so_far - 1) / (total * m[v]);
                now[v] = candidate[v] && w->p[v] <= bound * (1 + 1e-11) + 1e-300;
                met += now[v];
            }
            if (met < r)
                continue;
            for (uint32_t v = 0; v < w->count; v++)
                rejected[v] |= now[v];
            so_far += met;
            break;
        }
    }
}

static void test_dagger(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 5, "procedures", 0, 0);
    for (int trial = 0; trial < 3000; trial++) {
        world w = draw(&stream, 1.5);
        for (size_t l = 0; l < sizeof levels / sizeof *levels; l++) {
            bool expected[MOST];
            slow_dagger(&w, levels[l], false, expected);
            expect_same(&w, "dagger", levels[l], expected, NULL);
            slow_dagger(&w, levels[l], true, expected);
            expect_same(&w, "dagger-dependent", levels[l], expected, NULL);
        }
        hs_dag_free(w.dag);
    }
}

/* Without edges DAGGER and Focused BH are BH, DAGGER for any dependence is BY. */
static void test_without_edges(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"dagger", "bh"},
                                           {"focused-bh", "bh"},
                                           {"dagger-dependent", "by"},
                                           {"structured-holm", "holm"}};
    hs_stream stream;
    hs_stream_init(&stream, 6, "procedures", 0, 0);
    for (int trial = 0; trial < 1000; trial++) {
        world w = draw(&stream, 0);
        hsel_dag *dag = w.dag;
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
            for (size_t l = 0; l < sizeof levels / sizeof *levels; l++) {
                bool one[MOST], other[MOST];
                double a[MOST], b[MOST];
                w.dag = trial % 2 ? dag : NULL;
                run(&w, pairs[i][0], levels[l], one, a);
                run(&w, pairs[i][1], levels[l], other, b);
                for (uint32_t v = 0; v < w.count; v++)
                    if (one[v] != other[v] && !is_close(b[v], levels[l]))
                        fail_msg("%s and %s differ", pairs[i][0], pairs[i][1]);
            }
        hs_dag_free(dag);
    }
}

/* What a procedure promises holds on any DAG: ancestors of what is rejected are, and a higher level
 * rejects no less. */
static void test_promises(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 7, "procedures", 0, 0);
    for (int trial = 0; trial < 1000; trial++)
        for (const hs_procedure *p = hs_procedures; p->name; p++) {
            world w = p->tree ? draw_tree(&stream) : draw(&stream, 1.5);
            bool before[MOST] = {0}, rejected[MOST];
            double adjusted[MOST];
            for (size_t l = 0; l < sizeof levels / sizeof *levels; l++) {
                run(&w, p->name, levels[l], rejected, adjusted);
                for (uint32_t v = 0; v < w.count; v++) {
                    assert_true(rejected[v] >= before[v]);
                    if (!isnan(adjusted[v]))
                        assert_int_equal(rejected[v], hs_rejects(adjusted[v], levels[l]));
                    for (uint32_t a = 0; p->upwards && rejected[v] && a < w.count; a++)
                        assert_true(!w.above[v][a] || rejected[a]);
                }
                memcpy(before, rejected, sizeof before);
            }
            hs_dag_free(w.dag);
        }
}

/* ---- ICD-10 ---- */

typedef struct code {
    char name[64];
    double cases, p;
} code;

/* name, number, number per line; how many. */
static size_t read_lines(const char *path, const char *wanted, code *out, size_t most)
{
    hsel_error error = {0};
    hs_reader *reader = NULL;
    hs_table table = {0};
    const hs_field *fields;
    size_t count = 0;
    int got;
    assert_ok(hs_reader_open(path, &reader, &error), error);
    assert_ok(hs_table_open(reader, '\t', &table, &error), error);
    while ((got = hs_table_next(&table, &fields, &error)) > 0) {
        char key[64];
        snprintf(key, sizeof key, "%s %s", fields[0].text, fields[1].text);
        if (wanted && strcmp(key, wanted) != 0)
            continue;
        assert_true(count < most);
        snprintf(out[count].name, sizeof out->name, "%s", fields[wanted ? 2 : 0].text);
        out[count].cases = wanted ? 0 : atof(fields[1].text);
        out[count++].p = wanted ? 0 : atof(fields[2].text);
    }
    assert_ok(got, error);
    hs_table_clear(&table);
    hs_reader_close(reader);
    return count;
}

static void test_icd10(void **state)
{
    (void)state;
    static const struct {
        const char *name, *published;
        size_t before, after;
    } answers[] = {{"bh", "BH", 38, 28},
                   {"focused-bh", "Focused_BH", 34, 24},
                   {"structured-holm", "Structured_Holm", 39, 13},
                   {"yekutieli", "Yekutieli", 1, 1}};
    hsel_error error = {0};
    hs_graph graph = {0};
    hs_graph_options options = {0};
    hs_names names = {0};
    hsel_dag *dag = NULL;
    const hs_method *format;
    code *codes = HS_NEW(code, 20000);
    double *p = HS_NEW(double, 20000), *adjusted = HS_NEW(double, 20000);
    bool *rejected = HS_NEW(bool, 20000), *outer = HS_NEW(bool, 20000);
    size_t all = read_lines("../data/icd10/p.tsv.gz", NULL, codes, 20000);
    uint32_t count = 0;
    for (size_t i = 0; i < all; i++)
        if (codes[i].cases >= 50) {
            uint32_t id;
            assert_ok(
                hs_names_intern(&names, codes[i].name, strlen(codes[i].name), &id, NULL, &error),
                error);
            p[id] = codes[i].p;
            count = id + 1;
        }
    assert_int_equal(count, 3265);
    assert_ok(hs_load_graph("../data/icd10/edges.tsv.gz", "edges", &options, HS_CYCLES_ERROR,
                            &graph, &format, &error),
              error);
    assert_ok(hs_dag_bind(&graph, &names, NULL, &dag, &error), error);
    hs_hypotheses h = {p, count, dag, 0.05, NULL};
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        char wanted[64];
        assert_ok(hs_procedure_run(hs_procedure_find(answers[i].name, &error), &h, rejected,
                                   adjusted, &error),
                  error);
        assert_int_equal(hs_outer_nodes(dag, count, rejected, outer), answers[i].after);
        for (int filtered = 0; filtered < 2; filtered++) {
            const bool *ours = filtered ? outer : rejected;
            size_t found = 0, printed;
            snprintf(wanted, sizeof wanted, "%s %s", answers[i].published,
                     filtered ? "after_filter" : "before_filter");
            printed = read_lines("../data/icd10/rejections.tsv.gz", wanted, codes, 100);
            assert_int_equal(printed, filtered ? answers[i].after : answers[i].before);
            for (size_t j = 0; j < printed; j++) {
                uint32_t id = hs_names_find(&names, codes[j].name, strlen(codes[j].name));
                assert_true(id != HSEL_NONE && ours[id]);
            }
            for (uint32_t v = 0; v < count; v++)
                found += ours[v];
            assert_int_equal(found, printed);
        }
    }
    hs_dag_free(dag);
    hs_graph_clear(&graph);
    hs_names_clear(&names);
    hs_free(codes);
    hs_free(p);
    hs_free(adjusted);
    hs_free(rejected);
    hs_free(outer);
}

static void test_refusals(void **state)
{
    (void)state;
    hsel_error error = {0};
    const double p[] = {0.1, NAN}, high[] = {0.1, 1.5};
    bool rejected[2];
    double adjusted[2];
    const hs_procedure *bh = hs_procedure_find("bh", &error);
    assert_null(hs_procedure_find("bonferoni", &error));
    assert_non_null(strstr(error.message, "bh, by, holm"));
    assert_int_equal(
        hs_procedure_run(bh, &(hs_hypotheses){p, 2, NULL, 0.05, NULL}, rejected, adjusted, &error),
        HSEL_EUSAGE);
    assert_int_equal(hs_procedure_run(bh, &(hs_hypotheses){high, 2, NULL, 0.05, NULL}, rejected,
                                      adjusted, &error),
                     HSEL_EUSAGE);
    assert_int_equal(
        hs_procedure_run(bh, &(hs_hypotheses){p, 1, NULL, 0, NULL}, rejected, adjusted, &error),
        HSEL_EUSAGE);
    assert_ok(
        hs_procedure_run(bh, &(hs_hypotheses){p, 0, NULL, 0.05, NULL}, rejected, adjusted, &error),
        error);
}

struct job {
    const hs_procedure *procedure;
    hs_hypotheses h;
    bool rejected[MOST];
    double adjusted[MOST];
};

static int run_job(void *context, hsel_error *error)
{
    struct job *job = context;
    return hs_procedure_run(job->procedure, &job->h, job->rejected, job->adjusted, error);
}

static void test_failing_allocations(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 8, "procedures", 0, 0);
    world w = draw_tree(&stream);
    for (const hs_procedure *p = hs_procedures; p->name; p++) {
        struct job job = {p, {w.p, w.count, w.dag, 0.1, NULL}, {0}, {0}};
        assert_true(hs_oom_each(p->name, run_job, &job) > 0);
    }
    hs_dag_free(w.dag);
}

/* The first k of m p-values on the boundary, which rounding must not decide, and adjusted values to
 * the last bit as R's p.adjust has them there. */
static void test_equality_rejects(void **state)
{
    (void)state;
    const double alphas[] = {0.05, 0.1, 0.01, 0.2};
    const char *const names[] = {
        "bh",       "by", "holm", "focused-bh", "dagger", "dagger-dependent", "structured-holm",
        "yekutieli"};
    for (size_t name = 0; name < 8; name++)
        for (int a = 0; a < 4; a++)
            for (uint32_t m = 1; m <= MOST; m++)
                for (uint32_t k = 1; k <= m; k++) {
                    world w = {.count = m};
                    bool rejected[MOST];
                    double adjusted[MOST], harmonic = 0;
                    for (uint32_t i = m; i > 0; i--)
                        harmonic += 1.0 / i;
                    for (uint32_t i = 0; i < m; i++)
                        w.p[i] = i >= k ? 1
                                 : strstr(names[name], "holm")
                                     ? alphas[a] / (m - i)
                                     : alphas[a] * k / m /
                                           (name == 1 || name == 5 ? harmonic
                                            : name == 7            ? 2
                                                                   : 1);
                    run(&w, names[name], alphas[a], rejected, adjusted);
                    for (uint32_t i = 0; i < m; i++)
                        if (rejected[i] != (i < k))
                            fail_msg("%s at %g: %u of %u, the %u-th", names[name], alphas[a], k, m,
                                     i + 1);
                }
    world w = {.p = {1e-5, 1e-4, 0.05}, .count = 3};
    bool rejected[3];
    double adjusted[3];
    run(&w, "bh", 0.05, rejected, adjusted);
    assert_true(rejected[2] && adjusted[2] == 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classical),       cmocka_unit_test(test_equality_rejects),
        cmocka_unit_test(test_focused),         cmocka_unit_test(test_representatives),
        cmocka_unit_test(test_structured_holm), cmocka_unit_test(test_yekutieli),
        cmocka_unit_test(test_dagger),          cmocka_unit_test(test_without_edges),
        cmocka_unit_test(test_promises),        cmocka_unit_test(test_icd10),
        cmocka_unit_test(test_refusals),        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

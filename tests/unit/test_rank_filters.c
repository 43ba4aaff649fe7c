/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Measures as rankers of numeric and nominal features, and ReliefF on them, against slow twins: MDL
 * discretisation by recursion over instances, tables and entropies by their definitions, neighbours
 * by looking at every pair. (That WEKA gives the same is shown by bench/weka_compare.py.)
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "data/builder.h"
#include "rank/mdl.h"
#include "rank/rank.h"
#include "stats/weka_sort.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/rank_world.h"

/* ---- MDL discretisation ---- */

struct sorted { /* known values, ascending */
    double x[RANK_ROWS];
    uint32_t label[RANK_ROWS], classes;
    int count;
    bool cut[RANK_ROWS]; /* found by the library: between this value and the next instance */
};

static void sort_column(const hs_rank_world *w, uint32_t f, struct sorted *s)
{
    *s = (struct sorted){.classes = w->classes};
    for (uint32_t i = 0; i < w->rows; i++) {
        int at = s->count;
        if (isnan(w->x[f][i]))
            continue;
        for (; at > 0 && s->x[at - 1] > w->x[f][i]; at--) {
            s->x[at] = s->x[at - 1];
            s->label[at] = s->label[at - 1];
        }
        s->x[at] = w->x[f][i];
        s->label[at] = w->label[i];
        s->count++;
    }
}

static double entropy(const struct sorted *s, int from, int to, int *present)
{
    double sum = 0;
    *present = 0;
    for (uint32_t c = 0; c < s->classes; c++) {
        double count = 0;
        for (int i = from; i < to; i++)
            count += s->label[i] == c;
        *present += count > 0;
        sum -= count > 0 ? count / (to - from) * log2(count / (to - from)) : 0;
    }
    return sum;
}

static double entropy_at(const struct sorted *s, int from, int cut, int to)
{
    int present;
    return (entropy(s, from, cut, &present) * (cut - from) +
            entropy(s, cut, to, &present) * (to - cut)) /
           (to - from);
}

/* Gain minus what the cut costs. */
static double profit(const struct sorted *s, int from, int cut, int to, int candidates)
{
    int k, k1, k2, n = to - from;
    double h = entropy(s, from, to, &k), h1 = entropy(s, from, cut, &k1),
           h2 = entropy(s, cut, to, &k2);
    double cost = log2(candidates) + log2(pow(3, k) - 2) - (k * h - k1 * h1 - k2 * h2);
    return h - entropy_at(s, from, cut, to) - cost / n;
}

static bool any_cut(const struct sorted *s, int from, int to)
{
    for (int i = from; i + 1 < to; i++)
        if (s->cut[i])
            return true;
    return false;
}

/* Are the cuts found within [from, to) those of the definition? What only rounding decides may go
 * either way. */
static bool agrees(const struct sorted *s, int from, int to)
{
    double least = INFINITY;
    int candidates = 0, present;
    for (int i = from + 1; i < to; i++)
        if (s->x[i - 1] < s->x[i]) {
            candidates++;
            least = fmin(least, entropy_at(s, from, i, to));
        }
    if (candidates == 0 || least >= entropy(s, from, to, &present) - 1e-12)
        return !any_cut(s, from, to);
    for (int i = from + 1; i < to; i++) {
        if (s->x[i - 1] == s->x[i] || entropy_at(s, from, i, to) > least + 1e-12)
            continue;
        double gain = profit(s, from, i, to, candidates);
        if (gain < 1e-12 && !any_cut(s, from, to))
            return true;
        if (gain > -1e-12 && s->cut[i - 1] && agrees(s, from, i) && agrees(s, i, to))
            return true;
    }
    return false;
}

struct library { /* the library's side of one world */
    hs_labelled columns;
    hs_ordered ordered;
    hs_mdl mdl;
};

static void library_init(const hs_rank_world *w, struct library *l)
{
    hsel_error error = {0};
    assert_ok(hs_labelled_init(&l->columns, &w->training, &error), error);
    assert_ok(hs_ordered_init(&l->ordered, &l->columns, &error), error);
    assert_ok(hs_mdl_init(&l->mdl, &l->columns, &error), error);
}

static void library_clear(struct library *l)
{
    hs_mdl_clear(&l->mdl);
    hs_ordered_clear(&l->ordered);
    hs_labelled_clear(&l->columns);
}

/* Cuts of a feature by the library, marked in the twin's list. */
static uint32_t find_cuts(struct library *l, uint32_t f, struct sorted *s)
{
    hs_order_column(&l->columns, f, &l->ordered);
    uint32_t cuts = hs_mdl_cuts(&l->ordered, &l->columns, &l->mdl), marked = 0;
    assert_int_equal(l->ordered.known, s->count);
    for (int i = 0, g = -1; i < s->count; i++) {
        g += i == 0 || s->x[i] != s->x[i - 1];
        assert_true(l->ordered.value[g] == s->x[i]);
        s->cut[i] = l->mdl.cut[g] && i + 1 < s->count && s->x[i + 1] != s->x[i];
        marked += s->cut[i];
        if (s->cut[i] && isfinite(s->x[i]) && isfinite(s->x[i + 1]))
            assert_true(hs_mdl_value(&l->ordered, (uint32_t)g) >= s->x[i] &&
                        hs_mdl_value(&l->ordered, (uint32_t)g) <= s->x[i + 1]);
    }
    assert_int_equal(marked, cuts);
    return cuts;
}

static void test_cuts(void **state)
{
    hs_stream stream;
    uint32_t several = 0;
    hs_stream_init(&stream, 1, "mdl", 0, 0);
    (void)state;
    for (int round = 0; round < 2000; round++) {
        hs_rank_world w;
        struct library l;
        hs_rank_world_draw(&stream, HS_RANK_ANY, &w);
        library_init(&w, &l);
        for (uint32_t f = 0; f < w.features; f++) {
            struct sorted s;
            if (w.data->types[f] != HSEL_NUMERIC)
                continue;
            sort_column(&w, f, &s);
            several += find_cuts(&l, f, &s) > 1;
            if (!agrees(&s, 0, s.count))
                fail_msg("round %d, feature %u: other cuts", round, f);
        }
        library_clear(&l);
        hs_rank_world_free(&w);
    }
    assert_true(several > 20);
}

/* A known case: 20 a below 20 b below 20 a is cut twice, halfway. */
static void test_two_cuts(void **state)
{
    hsel_error error = {0};
    hs_builder *builder = NULL;
    hsel_dataset *data = NULL;
    hs_counts counts = {0};
    uint32_t id;
    (void)state;
    assert_ok(hs_builder_new(&builder, &error), error);
    assert_ok(hs_builder_feature(builder, "x", 1, HSEL_NUMERIC, &id, &error), error);
    assert_ok(hs_builder_class(builder, "a", 1, &id, &error), error);
    assert_ok(hs_builder_class(builder, "b", 1, &id, &error), error);
    for (uint32_t i = 0; i < 60; i++) {
        assert_ok(hs_builder_row(builder, NULL, 0, i >= 20 && i < 40, &error), error);
        assert_ok(hs_builder_numeric(builder, 0, i + (i >= 20) * 2, &error), error);
    }
    assert_ok(hs_builder_finish(builder, &data, &error), error);
    hs_rank_world w = {.data = data};
    w.training = (hs_training){.view = hs_view_all(data), .counts = &counts, .threads = 1};
    assert_ok(hs_counts_of(&w.training.view, &counts, &error), error);
    struct library l;
    library_init(&w, &l);
    hs_order_column(&l.columns, 0, &l.ordered);
    assert_int_equal(hs_mdl_cuts(&l.ordered, &l.columns, &l.mdl), 2);
    assert_true(l.mdl.cut[19] && l.mdl.cut[39]);
    assert_true(hs_mdl_value(&l.ordered, 19) == 20.5 && hs_mdl_value(&l.ordered, 39) == 41.5);
    library_clear(&l);
    hs_counts_clear(&counts);
    hs_builder_free(builder);
    hsel_dataset_free(data);
}

/* ---- tables ---- */

struct cells {
    double n[RANK_ROWS + 1][4];
    int values;
};

static double log_sum(const double *part, int parts, double total)
{
    double sum = 0;
    for (int i = 0; i < parts; i++)
        sum -= part[i] > 0 ? part[i] / total * log2(part[i] / total) : 0;
    return sum;
}

/* ig, gr, su and chi2 by their definitions. */
static void twin_scores(const struct cells *t, int classes, double *out)
{
    double row[RANK_ROWS + 1] = {0}, column[4] = {0}, total = 0, conditional = 0, chi2 = 0;
    for (int v = 0; v < t->values; v++)
        for (int c = 0; c < classes; c++) {
            row[v] += t->n[v][c];
            column[c] += t->n[v][c];
            total += t->n[v][c];
        }
    for (int v = 0; v < t->values; v++) {
        conditional += row[v] > 0 ? row[v] / total * log_sum(t->n[v], classes, row[v]) : 0;
        for (int c = 0; c < classes; c++) {
            double expected = row[v] * column[c] / total;
            chi2 += expected > 0 ? (t->n[v][c] - expected) * (t->n[v][c] - expected) / expected : 0;
        }
    }
    double of_class = log_sum(column, classes, total), of_feature = log_sum(row, t->values, total);
    out[0] = total > 0 ? of_class - conditional : 0;
    out[1] = of_feature > 1e-12 ? out[0] / of_feature : 0;
    out[2] = of_feature + of_class > 1e-12 ? 2 * out[0] / (of_feature + of_class) : 0;
    out[3] = chi2;
}

static void spread_missing(const hs_rank_world *w, uint32_t f, struct cells *t)
{
    double row[RANK_ROWS + 1] = {0}, total = 0;
    for (int v = 0; v < t->values; v++)
        for (uint32_t c = 0; c < w->classes; c++) {
            row[v] += t->n[v][c];
            total += t->n[v][c];
        }
    for (uint32_t i = 0; i < w->rows && total > 0; i++)
        for (int v = 0; v < t->values && isnan(w->x[f][i]); v++)
            t->n[v][w->label[i]] += row[v] / total;
}

static void fill_cells(const hs_rank_world *w, uint32_t f, struct library *l, struct cells *t)
{
    struct sorted s;
    *t = (struct cells){.values = 1};
    sort_column(w, f, &s);
    if (w->data->types[f] == HSEL_NUMERIC)
        find_cuts(l, f, &s);
    for (int i = 0; i < s.count; i++) {
        if (w->data->types[f] != HSEL_NUMERIC && i > 0)
            t->values += s.x[i] != s.x[i - 1];
        t->n[t->values - 1][s.label[i]]++;
        t->values += s.cut[i];
    }
    spread_missing(w, f, t);
}

static void test_scores(void **state)
{
    static const char *const names[] = {"ig", "gr", "su", "chi2"};
    hs_stream stream;
    hs_stream_init(&stream, 2, "mdl", 0, 0);
    (void)state;
    for (int round = 0; round < 1500; round++) {
        hs_rank_world w;
        struct library l;
        double score[4][RANK_FEATURES];
        hs_rank_world_draw(&stream, HS_RANK_ANY, &w);
        library_init(&w, &l);
        for (int m = 0; m < 4; m++)
            hs_rank_world_score(&w, names[m], score[m]);
        for (uint32_t f = 0; f < w.features; f++) {
            struct cells t;
            double expected[4];
            if (!hs_bit_get(&w.mask, f))
                continue;
            fill_cells(&w, f, &l, &t);
            twin_scores(&t, (int)w.classes, expected);
            for (int m = 0; m < 4; m++)
                if (fabs(score[m][f] - expected[m]) > 1e-10 * fmax(1, expected[m]))
                    fail_msg("round %d, %s, feature %u of type %d: %.17g, not %.17g", round,
                             names[m], f, w.data->types[f], score[m][f], expected[m]);
        }
        library_clear(&l);
        hs_rank_world_free(&w);
    }
}

/* ---- ReliefF ---- */

struct relief {
    const hs_rank_world *w;
    double least[RANK_FEATURES], greatest[RANK_FEATURES], weight[RANK_FEATURES];
    uint32_t k;
    double sigma; /* 0: not weighted */
};

static double norm(const struct relief *r, uint32_t f, double x)
{
    return r->greatest[f] > r->least[f] ? (x - r->least[f]) / (r->greatest[f] - r->least[f]) : 0;
}

static double difference(const struct relief *r, uint32_t f, uint32_t i, uint32_t j)
{
    double a = r->w->x[f][i], b = r->w->x[f][j];
    const hsel_dataset *data = r->w->data;
    if (data->types[f] == HSEL_NOMINAL)
        return isnan(a) || isnan(b) ? 1 - 1.0 / data->nominal[data->slot[f]].values.count : a != b;
    if (data->types[f] == HSEL_BINARY)
        return a != b;
    if (isnan(a) && isnan(b))
        return 1;
    if (isnan(a) || isnan(b)) {
        double known = norm(r, f, isnan(a) ? b : a);
        return known < 0.5 ? 1 - known : known;
    }
    return fabs(norm(r, f, a) - norm(r, f, b));
}

/* The neighbours of i in one class, as WEKA keeps them; returns how many. */
static uint32_t nearest(const struct relief *r, uint32_t i, uint32_t label, uint32_t *who,
                        double *distance)
{
    uint32_t stored = 0;
    for (uint32_t j = 0; j < r->w->rows; j++) {
        double d = 0;
        uint32_t worst = 0;
        if (j == i || r->w->label[j] != label)
            continue;
        for (uint32_t f = 0; f < r->w->features; f++)
            d += hs_bit_get(&r->w->mask, f) ? difference(r, f, i, j) : 0;
        for (uint32_t s = 1; s < stored; s++)
            worst = distance[s] > distance[worst] ? s : worst;
        if (stored < r->k)
            worst = stored++;
        else if (d >= distance[worst])
            continue;
        who[worst] = j;
        distance[worst] = d;
    }
    return stored;
}

static void weigh_class(struct relief *r, uint32_t i, uint32_t label, double factor)
{
    uint32_t who[RANK_ROWS], order[RANK_ROWS], stored;
    double distance[RANK_ROWS], sum = 0;
    stored = nearest(r, i, label, who, distance);
    hs_weka_sort(distance, stored, order);
    for (uint32_t s = 0; s < stored; s++)
        sum += r->sigma > 0 ? exp(-pow(s / r->sigma, 2)) : 1;
    for (uint32_t s = 0; s < stored; s++)
        for (uint32_t f = 0; f < r->w->features; f++) {
            double part = r->sigma > 0 ? exp(-pow(s / r->sigma, 2)) / sum : 1 / sum;
            r->weight[f] += factor * part * difference(r, f, i, who[r->sigma > 0 ? order[s] : s]);
        }
}

static void twin_relief(struct relief *r)
{
    const hs_rank_world *w = r->w;
    for (uint32_t f = 0; f < w->features; f++) {
        r->least[f] = INFINITY;
        r->greatest[f] = -INFINITY;
        for (uint32_t i = 0; i < w->rows; i++) {
            r->least[f] = w->x[f][i] < r->least[f] ? w->x[f][i] : r->least[f];
            r->greatest[f] = w->x[f][i] > r->greatest[f] ? w->x[f][i] : r->greatest[f];
        }
    }
    for (uint32_t i = 0; i < w->rows; i++)
        for (uint32_t c = 0; c < w->classes; c++) {
            double share = (double)w->counts.class_size[c] / w->rows;
            double own = (double)w->counts.class_size[w->label[i]] / w->rows;
            weigh_class(r, i, c, c == w->label[i] ? -1 : w->classes > 2 ? share / (1 - own) : 1);
        }
    for (uint32_t f = 0; f < w->features; f++)
        r->weight[f] /= w->rows;
}

static void test_relief(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 3, "relief", 0, 0);
    (void)state;
    for (int round = 0; round < 1000; round++) {
        hs_rank_world w;
        double score[RANK_FEATURES];
        char text[64];
        uint32_t k = 1 + (uint32_t)hs_random_below(&stream, 12),
                 sigma = (uint32_t)hs_random_below(&stream, 4);
        static const hs_rank_kind kinds[] = {HS_RANK_FINITE, HS_RANK_PLAIN, HS_RANK_PLAIN,
                                             HS_RANK_BINARY};
        hs_rank_world_draw(&stream, kinds[round % 4], &w);
        struct relief r = {.w = &w, .k = k, .sigma = sigma};
        snprintf(text, sizeof text, sigma ? "relieff-w:k=%u,sigma=%u" : "relieff:k=%u", k, sigma);
        hs_rank_world_score(&w, text, score);
        twin_relief(&r);
        for (uint32_t f = 0; f < w.features; f++)
            if (hs_bit_get(&w.mask, f) && w.rows && !(fabs(score[f] - r.weight[f]) < 1e-12))
                fail_msg("round %d, %s, feature %u of type %d: %.17g, not %.17g", round, text, f,
                         w.data->types[f], score[f], r.weight[f]);
        hs_rank_world_free(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cuts), cmocka_unit_test(test_two_cuts),
                                       cmocka_unit_test(test_scores),
                                       cmocka_unit_test(test_relief)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

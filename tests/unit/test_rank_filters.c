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
#include "rank/ordered.h"
#include "rank/rank.h"
#include "stats/kendall.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/rank_world.h"
#include "support/threads.h"

HS_TEST_USES_THREADS

/* ---- MDL discretisation ---- */

enum { MOST = 300 };

struct sorted { /* known values, ascending */
    double x[MOST];
    uint32_t label[MOST], classes;
    int count;
    bool cut[MOST]; /* found by the library: between this value and the next instance */
};

static void sort_values(const double *x, const uint32_t *label, uint32_t rows, uint32_t classes,
                        struct sorted *s)
{
    *s = (struct sorted){.classes = classes};
    for (uint32_t i = 0; i < rows; i++) {
        int at = s->count;
        if (isnan(x[i]))
            continue;
        for (; at > 0 && s->x[at - 1] > x[i]; at--) {
            s->x[at] = s->x[at - 1];
            s->label[at] = s->label[at - 1];
        }
        s->x[at] = x[i];
        s->label[at] = label[i];
        s->count++;
    }
}

static void sort_column(const hs_rank_world *w, uint32_t f, struct sorted *s)
{
    sort_values(w->x[f], w->label, w->rows, w->classes, s);
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

/* The same with every sum made in WEKA's order and every entropy divided out: the bits must agree,
 * so the cuts must too, even those that only rounding decides. */
static double sum_of_logs(const struct sorted *s, int from, int to, double sum, int *present)
{
    *present = 0;
    for (uint32_t c = 0; c < s->classes; c++) {
        double count = 0;
        for (int i = from; i < to; i++)
            count += s->label[i] == c;
        *present += count > 0;
        sum += count > 0 ? count * log(count) : 0;
    }
    return sum - (to > from ? (to - from) * log(to - from) : 0);
}

static double exact_entropy(const struct sorted *s, int from, int to, int *present)
{
    return -sum_of_logs(s, from, to, 0, present) / ((to - from) * log(2));
}

static bool exactly_agrees(const struct sorted *s, int from, int to)
{
    int k = 0, k1, k2, candidates = 0, at = -1;
    double prior = to > from ? exact_entropy(s, from, to, &k) : 0, best = prior;
    for (int i = from + 1; i < to; i++) {
        if (s->x[i - 1] == s->x[i])
            continue;
        double sum = sum_of_logs(s, i, to, sum_of_logs(s, from, i, 0, &k1), &k2);
        double entropy = -sum / ((to - from) * log(2));
        candidates++;
        if (entropy < best) {
            best = entropy;
            at = i;
        }
    }
    if (at < 0)
        return !any_cut(s, from, to);
    double h1 = exact_entropy(s, from, at, &k1), h2 = exact_entropy(s, at, to, &k2);
    double cost =
        log(candidates) / log(2) + (log(pow(3, k) - 2) / log(2) - (k * prior - k2 * h2 - k1 * h1));
    if (!(prior - best > cost / (to - from)))
        return !any_cut(s, from, to);
    return s->cut[at - 1] && exactly_agrees(s, from, at) && exactly_agrees(s, at, to);
}

struct library { /* the library's side of one world */
    hs_labelled columns;
    hs_ordered ordered;
};

static void library_init(const hs_rank_world *w, struct library *l)
{
    hsel_error error = {0};
    assert_ok(hs_labelled_init(&l->columns, &w->training, &error), error);
    assert_ok(hs_ordered_init(&l->ordered, &l->columns, &error), error);
}

static void library_clear(struct library *l)
{
    hs_ordered_clear(&l->ordered);
    hs_labelled_clear(&l->columns);
}

/* Cuts of a feature by the library, marked in the twin's list. */
static uint32_t find_cuts(struct library *l, uint32_t f, struct sorted *s)
{
    hs_order_column(&l->columns, f, &l->ordered);
    uint32_t cuts = hs_mdl_cuts(&l->columns, &l->ordered), marked = 0;
    assert_int_equal(l->ordered.known, s->count);
    for (int i = 0, g = -1; i < s->count; i++) {
        g += i == 0 || s->x[i] != s->x[i - 1];
        assert_true(l->ordered.value[g] == s->x[i]);
        s->cut[i] = l->ordered.cut[g] && i + 1 < s->count && s->x[i + 1] != s->x[i];
        marked += s->cut[i];
        if (s->cut[i] && isfinite(s->x[i]) && isfinite(s->x[i + 1]))
            assert_true(hs_cut_value(&l->ordered, (uint32_t)g) >= s->x[i] &&
                        hs_cut_value(&l->ordered, (uint32_t)g) <= s->x[i + 1]);
    }
    assert_int_equal(marked, cuts);
    return cuts;
}

static void test_cuts(void **state)
{
    hs_stream stream;
    uint32_t several[2] = {0}, sparse[2] = {0}, missing[2] = {0}, tied[2] = {0};
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
            uint32_t cuts = find_cuts(&l, f, &s);
            if (!agrees(&s, 0, s.count) || !exactly_agrees(&s, 0, s.count))
                fail_msg("round %d, feature %u: other cuts", round, f);
            bool many = w.classes > 2;
            several[many] += cuts > 1;
            sparse[many] += w.data->numeric[w.data->slot[f]].rows && cuts > 0;
            missing[many] += s.count < (int)w.rows && cuts > 0;
            tied[many] += l.ordered.groups < (uint32_t)s.count && cuts > 0;
        }
        library_clear(&l);
        hs_rank_world_free(&w);
    }
    for (int many = 0; many < 2; many++)
        assert_true(several[many] > 5 && sparse[many] > 20 && missing[many] > 20 &&
                    tied[many] > 20);
}

/* A data set of one numeric feature. */
static void make_column(const double *x, const uint32_t *label, uint32_t rows, uint32_t classes,
                        hs_rank_world *w)
{
    hsel_error error = {0};
    hs_builder *builder = NULL;
    uint32_t id;
    *w = (hs_rank_world){.classes = classes};
    assert_ok(hs_builder_new(&builder, &error), error);
    assert_ok(hs_builder_feature(builder, "x", 1, HSEL_NUMERIC, &id, &error), error);
    for (uint32_t c = 0; c < classes; c++)
        assert_ok(hs_builder_class(builder, &"abcd"[c], 1, &id, &error), error);
    for (uint32_t i = 0; i < rows; i++) {
        assert_ok(hs_builder_row(builder, NULL, 0, label[i], &error), error);
        assert_ok(hs_builder_numeric(builder, 0, x[i], &error), error);
    }
    assert_ok(hs_builder_finish(builder, &w->data, &error), error);
    w->training = (hs_training){.view = hs_view_all(w->data), .counts = &w->counts, .threads = 1};
    assert_ok(hs_counts_of(&w->training.view, &w->counts, &error), error);
    hs_builder_free(builder);
}

/* A known case: 20 a below 20 b below 20 a is cut twice, halfway. */
static void test_two_cuts(void **state)
{
    hs_rank_world w;
    struct library l;
    double x[60];
    uint32_t label[60];
    (void)state;
    for (uint32_t i = 0; i < 60; i++) {
        x[i] = i + (i >= 20) * 2;
        label[i] = i >= 20 && i < 40;
    }
    make_column(x, label, 60, 2, &w);
    library_init(&w, &l);
    hs_order_column(&l.columns, 0, &l.ordered);
    assert_int_equal(hs_mdl_cuts(&l.columns, &l.ordered), 2);
    assert_true(l.ordered.cut[19] && l.ordered.cut[39]);
    assert_true(hs_cut_value(&l.ordered, 19) == 20.5 && hs_cut_value(&l.ordered, 39) == 41.5);
    library_clear(&l);
    hs_rank_world_free(&w);
}

/* Stripes of classes, which are cut many times: narrow and wide, pure and not, with ties and gaps.
 */
static void test_stripes(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 4, "mdl", 0, 0);
    (void)state;
    for (int round = 0; round < 60; round++) {
        hs_rank_world w;
        struct library l;
        struct sorted s;
        double x[MOST], values = round % 3 ? 1e9 : 100;
        uint32_t label[MOST], classes = 2 + (uint32_t)round % 3, cuts;
        for (uint32_t i = 0; i < MOST; i++) {
            double u = hs_random_double(&stream);
            x[i] = floor(u * values) / values;
            label[i] = (uint32_t)(x[i] * 9) % classes;
            if (hs_random_below(&stream, 100) < (uint32_t)round / 4)
                label[i] = (uint32_t)hs_random_below(&stream, classes);
            if (hs_random_below(&stream, 30) == 0)
                x[i] = NAN;
        }
        make_column(x, label, MOST, classes, &w);
        library_init(&w, &l);
        sort_values(x, label, MOST, classes, &s);
        cuts = find_cuts(&l, 0, &s);
        if (cuts < 4 || !agrees(&s, 0, s.count) || !exactly_agrees(&s, 0, s.count))
            fail_msg("round %d: %u cuts, or other ones", round, cuts);
        library_clear(&l);
        hs_rank_world_free(&w);
    }
}

/* Mirror images: the best cut has a twin whose sum has the same terms in another order, so that
 * rounding decides, and often only one of the two pays. */
static void test_mirrored(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 5, "mdl", 0, 0);
    (void)state;
    for (int round = 0; round < 3000; round++) {
        hs_rank_world w;
        struct library l;
        struct sorted s;
        double x[MOST];
        uint32_t label[MOST], classes = 2 + (uint32_t)round % 3;
        uint32_t rows = 10 + (uint32_t)hs_random_below(&stream, 30), outer = rows / 3;
        for (uint32_t i = 0; i < rows; i++) {
            uint32_t mirrored = rows - 1 - i;
            x[i] = i;
            label[i] = i >= outer && mirrored >= outer;
            if (mirrored < i)
                label[i] = label[mirrored];
            else if (hs_random_below(&stream, 6) == 0)
                label[i] = (uint32_t)hs_random_below(&stream, classes);
        }
        make_column(x, label, rows, classes, &w);
        library_init(&w, &l);
        sort_values(x, label, rows, classes, &s);
        find_cuts(&l, 0, &s);
        if (!exactly_agrees(&s, 0, s.count))
            fail_msg("round %d: other cuts", round);
        library_clear(&l);
        hs_rank_world_free(&w);
    }
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cuts),    cmocka_unit_test(test_two_cuts),
        cmocka_unit_test(test_stripes), cmocka_unit_test(test_mirrored),
        cmocka_unit_test(test_scores),  cmocka_unit_test(test_relief)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

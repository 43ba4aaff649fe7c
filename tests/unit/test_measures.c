/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every measure against its definition in plain floating point, R and LazyR against exact
 * fractions, degenerate cases, values of WEKA.
 */
#include "measure/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "measure/exact.h"
#include "support/cmocka.h"

#define MOST_CLASSES 6

typedef struct table {
    uint32_t size[MOST_CLASSES], positive[MOST_CLASSES];
    hs_cells cells;
} table;

static void set_cells(table *t, uint32_t classes, uint32_t positive_class)
{
    t->cells = (hs_cells){classes, 0, t->size, t->positive, positive_class};
    for (uint32_t c = 0; c < classes; c++)
        t->cells.instances += t->size[c];
}

/* Counts below `most`, empty classes and constant features now and then. */
static void random_table(hs_stream *stream, uint32_t classes, uint32_t most, table *t)
{
    uint64_t kind = hs_random_below(stream, 12);
    for (uint32_t c = 0; c < classes; c++) {
        t->size[c] = hs_random_below(stream, 8) ? (uint32_t)hs_random_below(stream, most) : 0;
        t->positive[c] = kind == 0   ? 0
                         : kind == 1 ? t->size[c]
                                     : (uint32_t)hs_random_below(stream, t->size[c] + 1);
    }
    set_cells(t, classes,
              hs_random_below(stream, 2) ? (uint32_t)hs_random_below(stream, classes) : HSEL_NONE);
}

extern const hs_method hs_method_ig, hs_method_gr, hs_method_su, hs_method_chi2, hs_method_phi,
    hs_method_gini, hs_method_lift;

#define SCORE(id)                                                                                  \
    static double score_##id(const hs_cells *cells)                                                \
    {                                                                                              \
        double room[HS_CELLS_ROOM(MOST_CLASSES)];                                                  \
        return hs_score_cells(hs_method_##id.measure, cells, NULL, room);                          \
    }
SCORE(ig)
SCORE(gr)
SCORE(su)
SCORE(chi2)
SCORE(phi)
SCORE(gini)
SCORE(lift)

/* ---- fractions ---- */

static uint64_t random_bits(hs_stream *stream, uint64_t most)
{
    uint64_t bits = hs_random_below(stream, most) + 1;
    return (hs_random_u64(stream) >> (64 - bits)) | 1;
}

static void test_equal_fractions_are_equal(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "ratio", 0, 0);
    for (int i = 0; i < 200000; i++) {
        uint64_t a = random_bits(&stream, 53), b = random_bits(&stream, 53);
        double expected = (double)a / (double)b;
        hs_u128 factor = (hs_u128)random_bits(&stream, 64) << hs_random_below(&stream, 10);
        assert_true(hs_ratio(a, b) == expected);
        assert_true(hs_ratio(a * factor, b * factor) == expected);
        assert_true(hs_ratio(0, b * factor) == 0);
    }
    for (int i = 0; i < 200000; i++) {
        hs_u128 x = (hs_u128)random_bits(&stream, 63) << hs_random_below(&stream, 64);
        x += random_bits(&stream, 64) >> hs_random_below(&stream, 64);
        assert_true(hs_double_of(x) == hs_ratio(x, 1));
    }
    assert_true(hs_double_of(0) == 0);
    assert_true(hs_ratio(7, 0) == 0);
    assert_true(hs_ratio(((hs_u128)1 << 126) + 1, 1) == 0x1p126);
    assert_true(hs_ratio(1, ((hs_u128)1 << 126) + 1) == 0x1p-126);
    /* half way between two doubles: to the even one, but up when anything follows */
    assert_true(hs_ratio(((hs_u128)1 << 54) + 2, 2) == 0x1p53);
    assert_true(hs_ratio(((hs_u128)1 << 100) + ((hs_u128)1 << 47) + 1, 1) == 0x1p100 + 0x1p48);
}

static void test_greater_fractions_are_not_smaller(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 2, "ratio", 0, 0);
    for (int i = 0; i < 200000; i++) {
        uint64_t a = random_bits(&stream, 60), b = random_bits(&stream, 60);
        uint64_t c = hs_random_below(&stream, 2) ? a + 1 : random_bits(&stream, 60),
                 d = b + (uint64_t)(i % 2);
        hs_u128 left = (hs_u128)a * d, right = (hs_u128)c * b;
        double x = hs_ratio(a, b), y = hs_ratio(c, d);
        assert_true(left < right ? x <= y : left > right ? x >= y : x == y);
    }
}

static int sign(double a, double b) { return (a > b) - (a < b); }

static int sign_of_fractions(hs_u128 a, hs_u128 b, hs_u128 c, hs_u128 d)
{
    return (a * d > c * b) - (a * d < c * b);
}

static uint64_t distance(uint64_t a, uint64_t b) { return a > b ? a - b : b - a; }

/* |p1 - p0| as a fraction, two classes, class 1 being the positive one. */
static void r_fraction(const table *t, hs_smoothing smoothing, hs_u128 *over, hs_u128 *under)
{
    uint64_t n1 = t->positive[0] + t->positive[1], n0 = t->cells.instances - n1;
    uint64_t a = t->positive[1], b = t->size[1] - t->positive[1];
    uint64_t add = smoothing == HS_SMOOTHING_LAPLACE ? 2 : smoothing == HS_SMOOTHING_RPV;
    uint64_t x1 = a + (add > 0), y1 = n1 + add, x0 = b + (add > 0), y0 = n0 + add;
    if (y1 == 0)
        x1 = 1, y1 = 2;
    if (y0 == 0)
        x0 = 1, y0 = 2;
    *over = distance(x1 * y0, x0 * y1);
    *under = (hs_u128)y1 * y0;
}

/* Order and ties are those of exact fractions, for counts from tiny (ties abound) to thousands. */
static void test_r_order_is_exact(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 3, "order", 0, 0);
    size_t ties = 0;
    for (int i = 0; i < 300000; i++) {
        uint32_t most = (uint32_t[]){4, 12, 100, 5000}[i % 4];
        hs_smoothing smoothing = (hs_smoothing)(i / 4 % 3);
        table t[2];
        hs_u128 over[2], under[2];
        double score[2];
        for (int k = 0; k < 2; k++) {
            random_table(&stream, 2, most, &t[k]);
            t[k].cells.positive_class = i % 5 ? 1 : HSEL_NONE; /* which means the same */
            r_fraction(&t[k], smoothing, &over[k], &under[k]);
            score[k] = hs_score_r(&t[k].cells, smoothing);
            double p = hs_double_of(over[k]) / hs_double_of(under[k]);
            assert_true(fabs(score[k] - 2 * p * p) <= 1e-15);
        }
        assert_int_equal(sign(score[0], score[1]),
                         sign_of_fractions(over[0], under[0], over[1], under[1]));
        ties += score[0] == score[1];
    }
    assert_true(ties > 10000);
}

static void test_lazyr_order_is_exact(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 4, "order", 0, 0);
    size_t ties = 0;
    for (int i = 0; i < 300000; i++) {
        uint32_t most = (uint32_t[]){4, 12, 100, 100000}[i % 4];
        hs_u128 over[2], under[2];
        double score[2];
        for (int k = 0; k < 2; k++) {
            table t;
            random_table(&stream, 2, most, &t);
            uint64_t a = t.positive[1], n = a + t.positive[0];
            over[k] = distance(2 * a, n);
            under[k] = n + 2;
            score[k] = hs_score_lazyr(&t.cells, HS_LAZYR_EQUATION);
            double p = hs_double_of(over[k]) / hs_double_of(under[k]);
            assert_true(fabs(score[k] - p * p / 2) <= 1e-15);
            t.cells.positive_class = (uint32_t)(i % 2);
            assert_true(hs_score_lazyr(&t.cells, HS_LAZYR_CODE) == 2 * score[k]);
        }
        assert_int_equal(sign(score[0], score[1]),
                         sign_of_fractions(over[0], under[0], over[1], under[1]));
        ties += score[0] == score[1];
    }
    assert_true(ties > 10000);
}

/* ---- definitions ---- */

typedef struct plain { /* the table as shares */
    double n[2], all, p[2][MOST_CLASSES], prior[MOST_CLASSES];
} plain;

static plain plain_of(const hs_cells *cells)
{
    plain x = {.all = cells->instances};
    for (uint32_t c = 0; c < cells->classes; c++) {
        x.n[1] += cells->positive[c];
        x.n[0] += cells->class_size[c] - cells->positive[c];
    }
    for (uint32_t c = 0; c < cells->classes; c++) {
        x.p[1][c] = x.n[1] ? cells->positive[c] / x.n[1] : 0;
        x.p[0][c] = x.n[0] ? (cells->class_size[c] - cells->positive[c]) / x.n[0] : 0;
        x.prior[c] = x.all ? cells->class_size[c] / x.all : 0;
    }
    return x;
}

static double entropy(const double *p, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum -= p[i] > 0 ? p[i] * log2(p[i]) : 0;
    return sum;
}

static double impurity(const double *p, uint32_t count)
{
    double sum = 1;
    for (uint32_t i = 0; i < count; i++)
        sum -= p[i] * p[i];
    return sum;
}

static double plain_r(const hs_cells *cells, hs_smoothing smoothing)
{
    plain x = plain_of(cells);
    double sum = 0, k = cells->classes;
    uint32_t pro = cells->positive_class == HSEL_NONE ? 1 : cells->positive_class;
    if (smoothing == HS_SMOOTHING_RPV && pro >= cells->classes)
        return 0;                        /* a single class has no other beside it */
    if (smoothing == HS_SMOOTHING_RPV) { /* the positive class and the rest */
        double with = (cells->positive[pro] + 1) / (x.n[1] + 1);
        double without = (cells->class_size[pro] - cells->positive[pro] + 1) / (x.n[0] + 1);
        return (with - without) * (with - without) + (without - with) * (without - with);
    }
    for (uint32_t c = 0; c < cells->classes; c++) {
        double p[2];
        for (int v = 0; v < 2; v++) {
            double count = v ? cells->positive[c] : cells->class_size[c] - cells->positive[c];
            p[v] = smoothing == HS_SMOOTHING_LAPLACE ? (count + 1) / (x.n[v] + k)
                   : x.n[v] > 0                      ? count / x.n[v]
                                                     : 1 / k;
        }
        sum += (p[1] - p[0]) * (p[1] - p[0]);
    }
    return sum;
}

static double plain_centred(const hs_cells *cells)
{
    double with = 0, sum = 0, k = cells->classes, n = cells->instances;
    for (uint32_t c = 0; c < cells->classes; c++)
        with += cells->positive[c];
    for (uint32_t c = 0; c < cells->classes && n > 0; c++) {
        double share = cells->class_size[c] / n;
        sum += pow((cells->positive[c] + k * share) / (with + k) - share, 2);
    }
    return sum;
}

/* Of 5 % positives: a feature of half of them and few others tells of the class, one that is as
 * everywhere does not, and only the centred form says so. With equal shares it is the equation. */
static void test_centred_lazyr(void **state)
{
    const uint32_t size[2] = {950, 50}, tells[2] = {20, 25}, chance[2] = {95, 5},
                   half[2] = {50, 50}, some[2] = {30, 7};
    const hs_cells good = {2, 1000, size, tells, 1}, poor = {2, 1000, size, chance, 1},
                   even = {2, 100, half, some, 1};
    (void)state;
    assert_true(hs_score_lazyr(&good, HS_LAZYR_CENTRED) >
                100 * hs_score_lazyr(&poor, HS_LAZYR_CENTRED));
    assert_true(hs_score_lazyr(&good, HS_LAZYR_EQUATION) <
                hs_score_lazyr(&poor, HS_LAZYR_EQUATION));
    assert_true(hs_score_lazyr(&even, HS_LAZYR_CENTRED) ==
                hs_score_lazyr(&even, HS_LAZYR_EQUATION));
}

static double plain_lazyr(const hs_cells *cells)
{
    plain x = plain_of(cells);
    double sum = 0, k = cells->classes;
    for (uint32_t c = 0; c < cells->classes; c++) {
        double d = (cells->positive[c] + 1.0) / (x.n[1] + k) - 1 / k;
        sum += d * d;
    }
    return sum;
}

static double plain_chi2(const hs_cells *cells)
{
    plain x = plain_of(cells);
    double sum = 0;
    for (uint32_t c = 0; c < cells->classes; c++)
        for (int v = 0; v < 2; v++) {
            double count = v ? cells->positive[c] : cells->class_size[c] - cells->positive[c];
            double expected = x.all ? x.n[v] * cells->class_size[c] / x.all : 0;
            sum += expected > 0 ? (count - expected) * (count - expected) / expected : 0;
        }
    return sum;
}

static double plain_lift(const hs_cells *cells)
{
    plain x = plain_of(cells);
    double greatest = 0;
    for (uint32_t c = 0; c < cells->classes; c++) {
        if (cells->classes == 2 && cells->positive_class != HSEL_NONE && cells->positive_class != c)
            continue;
        double lift = x.prior[c] > 0 ? x.p[1][c] / x.prior[c] : 0;
        greatest = fmax(greatest, lift);
    }
    return greatest;
}

static void near(double found, double expected, const char *what)
{
    if (!(fabs(found - expected) <= 1e-12 * fmax(1, fabs(expected))))
        fail_msg("%s: %.17g, should be %.17g", what, found, expected);
}

static void test_definitions(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 5, "definitions", 0, 0);
    for (int i = 0; i < 100000; i++) {
        table t;
        uint32_t k = 1 + (uint32_t)hs_random_below(&stream, MOST_CLASSES);
        random_table(&stream, k, (uint32_t[]){3, 20, 1000}[i % 3], &t);
        const hs_cells *cells = &t.cells;
        plain x = plain_of(cells);
        double split[2] = {x.all ? x.n[0] / x.all : 0, x.all ? x.n[1] / x.all : 0};
        double hf = entropy(split, 2), hc = entropy(x.prior, k);
        double ig = hc - split[0] * entropy(x.p[0], k) - split[1] * entropy(x.p[1], k);
        double gini = x.all ? impurity(x.prior, k) - split[0] * (x.n[0] ? impurity(x.p[0], k) : 0) -
                                  split[1] * (x.n[1] ? impurity(x.p[1], k) : 0)
                            : 0;
        near(score_ig(cells), ig, "ig");
        near(score_gr(cells), hf > 0 ? ig / hf : 0, "gr");
        near(score_su(cells), hf > 0 && hc > 0 ? 2 * ig / (hf + hc) : 0, "su");
        near(score_chi2(cells), plain_chi2(cells), "chi2");
        near(score_phi(cells), x.all ? sqrt(plain_chi2(cells) / x.all) : 0, "phi");
        near(score_gini(cells), gini, "gini");
        near(score_lift(cells), plain_lift(cells), "lift");
        for (int s = 0; s < 3; s++)
            near(hs_score_r(cells, (hs_smoothing)s), plain_r(cells, (hs_smoothing)s), "r");
        near(hs_score_lazyr(cells, HS_LAZYR_EQUATION), plain_lazyr(cells), "lazyr");
        near(hs_score_lazyr(cells, HS_LAZYR_CENTRED), plain_centred(cells), "centred");
    }
}

/* ---- ties ---- */

#define PRIMES 11 /* up to 31 */
static const uint32_t prime[PRIMES] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31};

/* exponent += factor times the exponents of n^n. */
static void add_powers(uint32_t n, int64_t factor, int64_t *exponent)
{
    uint32_t rest = n;
    for (int p = 0; p < PRIMES; p++)
        for (; rest > 0 && rest % prime[p] == 0; rest /= prime[p])
            exponent[p] += factor * n;
    assert_true(rest <= 1);
}

/* What scores are made of, as exponents of primes (entropies are logarithms of such products) and
 * as whole numbers. */
typedef struct exact {
    int64_t gain[PRIMES], feature[PRIMES], sum[PRIMES];
    hs_u128 over, under; /* chi2 */
    double score[5];     /* ig, gr, su, chi2, phi */
} exact;

static exact exact_of(table *t, uint32_t classes)
{
    exact e = {0};
    uint32_t one = 0, common = 1;
    set_cells(t, classes, HSEL_NONE);
    uint32_t all = t->cells.instances;
    for (uint32_t c = 0; c < classes; c++) {
        one += t->positive[c];
        common *= t->size[c];
        add_powers(t->positive[c], 1, e.gain);
        add_powers(t->size[c] - t->positive[c], 1, e.gain);
        add_powers(t->size[c], -1, e.gain);
        add_powers(t->size[c], -1, e.sum);
    }
    add_powers(all, 1, e.feature);
    add_powers(one, -1, e.feature);
    add_powers(all - one, -1, e.feature);
    for (int p = 0; p < PRIMES; p++) {
        e.gain[p] += e.feature[p];
        e.sum[p] += e.feature[p];
    }
    add_powers(all, 1, e.sum);
    for (uint32_t c = 0; c < classes; c++) {
        int64_t apart = (int64_t)t->positive[c] * all - (int64_t)one * t->size[c];
        e.over += (hs_u128)(apart * apart) * (common / t->size[c]);
    }
    e.under = one && one < all ? one * (all - one) : 1;
    e.score[0] = score_ig(&t->cells);
    e.score[1] = score_gr(&t->cells);
    e.score[2] = score_su(&t->cells);
    e.score[3] = score_chi2(&t->cells);
    e.score[4] = score_phi(&t->cells);
    return e;
}

/* Is log a / log b = log c / log d, a to d being products of primes? Logarithms of primes are taken
 * as algebraically independent: log a log d and log c log b have the same coefficients. 0/0 = 0. */
static bool equal_ratios(const int64_t *a, const int64_t *b, const int64_t *c, const int64_t *d)
{
    bool zero[4] = {true, true, true, true}, equal = true;
    for (int p = 0; p < PRIMES; p++) {
        zero[0] &= a[p] == 0;
        zero[1] &= b[p] == 0;
        zero[2] &= c[p] == 0;
        zero[3] &= d[p] == 0;
        for (int q = 0; q < PRIMES; q++)
            equal &= a[p] * d[q] + a[q] * d[p] == c[p] * b[q] + c[q] * b[p];
    }
    return zero[1] || zero[3] ? zero[0] && zero[2] : equal;
}

/* All features that classes of these sizes allow, two by two: scores are equal doubles where they
 * are equal in exact arithmetic, and only there. Returns how many ties of different counts of
 * positive values there were. */
static size_t check_ties(const uint32_t *size, uint32_t classes)
{
    exact *e = calloc(1000, sizeof *e);
    size_t count = 0, ties = 0;
    table t = {0};
    assert_non_null(e);
    memcpy(t.size, size, classes * sizeof *size);
    for (uint32_t c = 0; c < classes; count++) {
        assert_true(count < 1000);
        e[count] = exact_of(&t, classes);
        for (c = 0; c < classes && ++t.positive[c] > size[c]; c++)
            t.positive[c] = 0;
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++) {
            const bool chi2 = e[i].over * e[j].under == e[j].over * e[i].under,
                       expected[] = {!memcmp(e[i].gain, e[j].gain, sizeof e->gain),
                                     equal_ratios(e[i].gain, e[i].feature, e[j].gain, e[j].feature),
                                     equal_ratios(e[i].gain, e[i].sum, e[j].gain, e[j].sum), chi2,
                                     chi2};
            for (int s = 0; s < 5; s++)
                if ((e[i].score[s] == e[j].score[s]) != expected[s])
                    fail_msg("score %d, features %zu and %zu of %zu: %.17g and %.17g", s, i, j,
                             count, e[i].score[s], e[j].score[s]);
            ties += expected[0] && memcmp(e[i].feature, e[j].feature, sizeof e->feature);
        }
    free(e);
    return ties;
}

static void test_ties_are_exact(void **state)
{
    (void)state;
    const uint32_t sizes[][4] = {{3, 4},       {6, 6},       {5, 7},       {16, 15},
                                 {9, 21},      {2, 3, 4},    {3, 4, 5},    {6, 6, 6},
                                 {4, 8, 12},   {7, 7, 7},    {1, 2, 3, 4}, {3, 3, 3, 3},
                                 {2, 4, 4, 6}, {4, 4, 4, 4}, {1, 5, 6, 8}};
    size_t ties = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        ties += check_ties(sizes[i], i < 5 ? 2 : i < 10 ? 3 : 4);
    assert_true(ties > 200); /* of features with different entropies */
    table parent = {.size = {3, 4}, .positive = {2, 1}},
          child = {.size = {3, 4}, .positive = {0, 1}};
    set_cells(&parent, 2, 1);
    set_cells(&child, 2, 1);
    assert_true(score_ig(&parent.cells) == score_ig(&child.cells));
}

/* Logarithms of products are sums, far beyond the table of small numbers too, and near libm's. */
static void test_logarithms_add_up(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 9, "logarithms", 0, 0);
    for (int i = 0; i < 2000; i++) {
        uint32_t a = 1 + (uint32_t)hs_random_below(&stream, i % 2 ? 65535 : 300),
                 b = 1 + (uint32_t)hs_random_below(&stream, 65535);
        assert_true(hs_n_log_n(a * b) == b * hs_n_log_n(a) + a * hs_n_log_n(b));
        assert_true(fabs(hs_double_of(hs_n_log_n(b)) - ldexp(b * log(b), HS_LOG_BITS)) <=
                    1e-15 * hs_double_of(hs_n_log_n(b)));
    }
    assert_true(hs_n_log_n(0) == 0 && hs_n_log_n(1) == 0);
    /* primes: the greatest of 32 bits, and ln 2 to the last bits */
    assert_true(
        fabs(hs_double_of(hs_n_log_n(4294967291u)) - ldexp(4294967291.0 * log(4294967291.0), 88)) <=
        1e-15 * hs_double_of(hs_n_log_n(4294967291u)));
}

/* The positive class against all others, made one. */
static void test_one_of_three_against_the_rest(void **state)
{
    (void)state;
    table three = {.size = {9, 9, 9}, .positive = {2, 5, 1}},
          two = {.size = {18, 9}, .positive = {3, 5}};
    set_cells(&three, 3, HSEL_NONE);
    set_cells(&two, 2, HSEL_NONE);
    double apart = 6 / 9.0 - 5 / 20.0;
    near(hs_score_r(&three.cells, HS_SMOOTHING_RPV), 2 * apart * apart, "rpv");
    assert_true(hs_score_r(&three.cells, HS_SMOOTHING_RPV) ==
                hs_score_r(&two.cells, HS_SMOOTHING_RPV));
    double p = 6 / 10.0;
    near(hs_score_lazyr(&three.cells, HS_LAZYR_CODE), (2 * p - 1) * (2 * p - 1), "code");
    assert_true(hs_score_lazyr(&three.cells, HS_LAZYR_CODE) ==
                hs_score_lazyr(&two.cells, HS_LAZYR_CODE));
    three.cells.positive_class = 0;
    p = 3 / 10.0;
    near(hs_score_lazyr(&three.cells, HS_LAZYR_CODE), (2 * p - 1) * (2 * p - 1), "code of 0");
}

/* ---- exact cases ---- */

static void test_degenerate(void **state)
{
    (void)state;
    table constant[] = {{.size = {5, 7, 2}}, {.size = {5, 7, 2}, .positive = {5, 7, 2}}};
    for (int i = 0; i < 2; i++) {
        set_cells(&constant[i], 3, 1);
        const hs_cells *cells = &constant[i].cells;
        assert_true(score_ig(cells) == 0 && score_gr(cells) == 0 && score_su(cells) == 0);
        assert_true(score_chi2(cells) == 0 && score_phi(cells) == 0 && score_gini(cells) == 0);
        assert_true(score_lift(cells) == i); /* never positive: 0; always: 1 */
    }
    assert_true(hs_score_lazyr(&constant[0].cells, HS_LAZYR_EQUATION) == 0); /* is never positive */
    table empty = {0};
    set_cells(&empty, 2, 1);
    assert_true(score_ig(&empty.cells) == 0 && score_su(&empty.cells) == 0 &&
                score_gr(&empty.cells) == 0);
    assert_true(score_chi2(&empty.cells) == 0 && score_phi(&empty.cells) == 0);
    assert_true(score_gini(&empty.cells) == 0 && score_lift(&empty.cells) == 0);
    for (int s = 0; s < 3; s++)
        assert_true(hs_score_r(&empty.cells, (hs_smoothing)s) == 0);
    set_cells(&empty, 0, HSEL_NONE); /* no classes at all */
    assert_true(hs_score_r(&empty.cells, HS_SMOOTHING_LAPLACE) == 0);
    assert_true(hs_score_lazyr(&empty.cells, HS_LAZYR_EQUATION) == 0);
    assert_true(score_lift(&empty.cells) == 0);
}

static void test_independent_is_zero_and_equal_is_one(void **state)
{
    (void)state;
    table independent = {.size = {14, 21, 7}, .positive = {6, 9, 3}},
          same = {.size = {13, 29}, .positive = {0, 29}};
    set_cells(&independent, 3, HSEL_NONE);
    set_cells(&same, 2, 1);
    const hs_cells *cells = &independent.cells;
    assert_true(score_ig(cells) == 0 && score_gr(cells) == 0 && score_su(cells) == 0);
    assert_true(score_chi2(cells) == 0 && score_phi(cells) == 0 && score_gini(cells) == 0);
    assert_true(score_lift(cells) == 1 && hs_score_r(cells, HS_SMOOTHING_NONE) == 0);
    assert_true(score_su(&same.cells) == 1 && score_gr(&same.cells) == 1 &&
                score_phi(&same.cells) == 1);
    assert_true(score_chi2(&same.cells) == 42);
}

/* Exchanging the values of a feature, or two classes, changes nothing, not even the last bit. */
static void test_symmetry(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 6, "symmetry", 0, 0);
    for (int i = 0; i < 20000; i++) {
        table t, other, turned = {0};
        uint32_t k = 2 + (uint32_t)hs_random_below(&stream, 3);
        random_table(&stream, k, 300, &t);
        other = t;
        for (uint32_t c = 0; c < k; c++)
            other.positive[c] = t.size[c] - t.positive[c];
        set_cells(&other, k, HSEL_NONE);
        assert_true(score_ig(&t.cells) == score_ig(&other.cells));
        assert_true(score_su(&t.cells) == score_su(&other.cells));
        assert_true(hs_score_r(&t.cells, HS_SMOOTHING_LAPLACE) ==
                    hs_score_r(&other.cells, HS_SMOOTHING_LAPLACE));
        for (uint32_t c = 0; c < 2; c++) {
            turned.size[c] = t.size[1 - c];
            turned.positive[c] = t.positive[1 - c];
        }
        set_cells(&t, 2, HSEL_NONE);
        set_cells(&turned, 2, HSEL_NONE);
        assert_true(score_ig(&t.cells) == score_ig(&turned.cells));
        assert_true(score_gini(&t.cells) == score_gini(&turned.cells));
    }
}

/* ---- pairs of features ---- */

static void test_pairs(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 7, "pairs", 0, 0);
    for (int i = 0; i < 50000; i++) {
        uint64_t n[4];
        for (int k = 0; k < 4; k++)
            n[k] = hs_random_below(&stream, 4) ? hs_random_below(&stream, i % 2 ? 6 : 1000) : 0;
        /* the first feature against the second taken as the class */
        table t = {.size = {(uint32_t)(n[1] + n[3]), (uint32_t)(n[0] + n[2])},
                   .positive = {(uint32_t)n[1], (uint32_t)n[0]}};
        set_cells(&t, 2, 1);
        double phi = hs_phi(n[0], n[1], n[2], n[3]);
        bool constant =
            n[0] + n[1] == 0 || n[2] + n[3] == 0 || n[0] + n[2] == 0 || n[1] + n[3] == 0;
        assert_int_equal(isnan(phi), constant);
        near(hs_su_pair(n[0], n[1], n[2], n[3]), score_su(&t.cells), "su of a pair");
        near(hs_su_pair(n[0], n[1], n[2], n[3]), hs_su_pair(n[0], n[2], n[1], n[3]),
             "su turned round");
        if (constant)
            continue;
        near(fabs(phi), score_phi(&t.cells), "phi");
        assert_int_equal(sign(phi, 0), sign((double)(n[0] * n[3]), (double)(n[1] * n[2])));
        assert_true(phi == hs_phi(n[0], n[2], n[1], n[3]) && phi == hs_phi(n[3], n[2], n[1], n[0]));
    }
    assert_true(hs_phi(17, 0, 0, 30) == 1 && hs_phi(0, 17, 30, 0) == -1 &&
                hs_su_pair(17, 0, 0, 30) == 1);
    /* child and parent: sqrt(n_c (N - n_p) / (n_p (N - n_c))) */
    near(hs_phi(4, 0, 6, 10), sqrt(4.0 * 10 / (10 * 16)), "child and parent");
}

/* ---- by name ---- */

static void score_by_name(const char *text, const hs_counts *counts, double *scores)
{
    hsel_error error = {0};
    hs_chosen chosen = {0};
    assert_ok(hs_chosen_parse(HS_MEASURE, text, &chosen, &error), error);
    for (uint32_t f = 0; f < counts->features; f++) {
        hs_cells cells = hs_cells_of(counts, f, 1);
        double room[HS_CELLS_ROOM(MOST_CLASSES)];
        scores[f] = hs_score_cells(chosen.method->measure, &cells, chosen.options, room);
    }
    hs_chosen_clear(&chosen);
}

/* Four features of ten instances; figures as WEKA 3.6 prints them, and by hand. */
static void test_by_name(void **state)
{
    (void)state;
    uint32_t size[] = {4, 3, 3}, positive[] = {3, 1, 0, 1, 2, 0, 1, 1, 3, 0, 0, 0};
    hs_counts counts = {4, 3, 10, size, positive};
    const struct {
        const char *text;
        double value[4], tolerance;
    } expected[] = {
        {"ig", {0.371, 0.281, 0.4, 0}, 0.0005},
        {"gr", {0.382, 0.319, 0.4, 0}, 0.0005},
        {"su", {0.292, 0.229, 0.311, 0}, 0.0005},
        {"chi2", {4.0972, 3.254, 4.3333, 0}, 0.00005},
        {"phi", {0.64010, 0.57044, 0.65828, 0}, 0.00005},
        {"lift", {3 / 4.0 / 0.4, 2 / 3.0 / 0.3, 3 / 5.0 / 0.3, 0}, 1e-12},
        {"gini", {0.143333, 0.098095, 0.14, 0}, 0.000001},
        {"lazyr", {42 / 441.0, 1 / 18.0, 1 / 24.0, 0}, 1e-12},
        {"lazyr:form=code", {1 / 9.0, 1 / 25.0, 9 / 49.0, 0}, 1e-12},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        double scores[4];
        score_by_name(expected[i].text, &counts, scores);
        for (int f = 0; f < 4; f++)
            if (!(fabs(scores[f] - expected[i].value[f]) <= expected[i].tolerance))
                fail_msg("%s of feature %d: %.7g, should be %.7g", expected[i].text, f, scores[f],
                         expected[i].value[f]);
    }
    double laplace[4], rpv[4], none[4], standard[4];
    score_by_name("r:smoothing=laplace", &counts, laplace);
    score_by_name("r:smoothing=rpv", &counts, rpv);
    score_by_name("r:smoothing=none", &counts, none);
    score_by_name("r", &counts, standard);
    for (uint32_t f = 0; f < 4; f++) {
        hs_cells cells = hs_cells_of(&counts, f, 1);
        near(laplace[f], plain_r(&cells, HS_SMOOTHING_LAPLACE), "laplace");
        near(rpv[f], plain_r(&cells, HS_SMOOTHING_RPV), "rpv");
        near(none[f], plain_r(&cells, HS_SMOOTHING_NONE), "none");
        assert_true(standard[f] == laplace[f]);
    }
    /* two classes: lift of the positive one, though the other's is greater */
    hs_counts two = {1, 2, 10, (uint32_t[]){5, 5}, (uint32_t[]){3, 1}};
    double lift;
    score_by_name("lift", &two, &lift);
    assert_true(lift == 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_equal_fractions_are_equal),
                                       cmocka_unit_test(test_greater_fractions_are_not_smaller),
                                       cmocka_unit_test(test_r_order_is_exact),
                                       cmocka_unit_test(test_centred_lazyr),
                                       cmocka_unit_test(test_lazyr_order_is_exact),
                                       cmocka_unit_test(test_definitions),
                                       cmocka_unit_test(test_ties_are_exact),
                                       cmocka_unit_test(test_logarithms_add_up),
                                       cmocka_unit_test(test_one_of_three_against_the_rest),
                                       cmocka_unit_test(test_degenerate),
                                       cmocka_unit_test(test_independent_is_zero_and_equal_is_one),
                                       cmocka_unit_test(test_symmetry),
                                       cmocka_unit_test(test_pairs),
                                       cmocka_unit_test(test_by_name)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

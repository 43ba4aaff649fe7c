/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of one feature. Fisher: the hypergeometric probability of the observed table by
 * log-factorials, then outwards by the ratio of neighbours. The ratio falls, so a tail stops where
 * further terms are negligible, and tiny p-values keep their digits. Of libRmath only distribution
 * functions that neither print nor exit are used.
 */
#include "infer/tests.h"

#define MATHLIB_STANDALONE
#include <Rmath.h>

/* ---- Fisher ---- */

double hs_log_choose(double n, double k)
{
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

hs_urn hs_urn_of(double all, double marked, double drawn)
{
    return (hs_urn){all, marked, drawn, fmax(0, marked + drawn - all), fmin(marked, drawn)};
}

double hs_urn_log_chance(const hs_urn *u, double x)
{
    return hs_log_choose(u->marked, x) + hs_log_choose(u->all - u->marked, u->drawn - x) -
           hs_log_choose(u->all, u->drawn);
}

/* P(x + step) / P(x) for step 1 or -1. */
static double neighbour_ratio(const hs_urn *u, double x, int step)
{
    double rest = u->all - u->marked - u->drawn;
    return step > 0 ? (u->marked - x) * (u->drawn - x) / ((x + 1) * (rest + x + 1))
                    : x * (rest + x) / ((u->marked - x + 1) * (u->drawn - x + 1));
}

/* Sum of P from x outwards, x included, over P(x); x must be beyond the mode on that side. */
static double tail_from(const hs_urn *u, double x, int step)
{
    double sum = 0, term = 1;
    for (; term > 0; x += step) {
        sum += term;
        term *= neighbour_ratio(u, x, step);
        if (term < 1e-18 * sum)
            break;
    }
    return sum;
}

/* P(X >= x) or P(X <= x), by the side that does not hold the mode. */
static double one_tail(const hs_urn *u, double x, int step)
{
    double mode = floor((u->marked + 1) * (u->drawn + 1) / (u->all + 2));
    if (step > 0 ? x > u->high : x < u->low)
        return 0;
    if (step > 0 ? x <= u->low : x >= u->high)
        return 1;
    if (step > 0 ? x >= mode : x <= mode)
        return exp(hs_urn_log_chance(u, x)) * tail_from(u, x, step);
    return 1 - exp(hs_urn_log_chance(u, x - step)) * tail_from(u, x - step, -step);
}

double hs_p_fisher(uint32_t all, uint32_t marked, uint32_t drawn, uint32_t both, hs_tail tail,
                   bool mid)
{
    const hs_urn u = hs_urn_of(all, marked, drawn);
    double x = both, seen = hs_urn_log_chance(&u, x), p, half = mid ? exp(seen) / 2 : 0;
    if (tail != HS_TAIL_BOTH) {
        p = one_tail(&u, x, tail == HS_TAIL_MORE ? 1 : -1);
    } else {
        double mode = floor((u.marked + 1) * (u.drawn + 1) / (u.all + 2));
        int step = x >= mode ? 1 : -1; /* towards the near end */
        /* The first value on the other side that is no more probable, by halving. */
        double inside = mode, outside = (step > 0 ? u.low - 1 : u.high + 1);
        while (fabs(outside - inside) > 1) {
            double middle = floor((inside + outside) / 2);
            if (hs_urn_log_chance(&u, middle) <= seen + 1e-7)
                outside = middle;
            else
                inside = middle;
        }
        if (hs_urn_log_chance(&u, mode) <= seen + 1e-7)
            p = 1; /* no table is more probable than the observed one */
        else
            p = one_tail(&u, x, step) + one_tail(&u, outside, -step);
    }
    return fmax(0, fmin(1, p) - half);
}

/* ---- more than two classes ---- */

#define ENOUGH 2500 /* random tables as rare as the observed one: relative error of p 2 % */

typedef struct halton {
    const hs_count_table *table;
    const double *factorial; /* log x!, up to the number of instances */
    const uint32_t *rest;    /* instances of the classes from c on */
    double limit, total;     /* log P of the observed table; log C(all, drawn) */
    double below, above;     /* where the tails of the last row began */
    double sum;
    uint64_t work;
} halton;

static double log_choose(const halton *h, double n, double k)
{
    return h->factorial[(size_t)n] - h->factorial[(size_t)k] - h->factorial[(size_t)(n - k)];
}

/* log of the ways in which x of the drawn fall to the marked. */
static double ways(const halton *h, const hs_urn *u, double x)
{
    return log_choose(h, u->marked, x) + log_choose(h, u->all - u->marked, u->drawn - x);
}

/* The first number in a direction from the mode with at most exp(limit) ways, or one beyond the
 * last; `from`: a guess. */
static double rarer(const halton *h, const hs_urn *u, double mode, int step, double from,
                    double limit)
{
    const double end = step > 0 ? u->high + 1 : u->low - 1, first = mode + step;
    double x = step > 0 ? fmin(end, fmax(first, from)) : fmax(end, fmin(first, from));
    while (x != end && ways(h, u, x) > limit)
        x += step;
    while (x != first && ways(h, u, x - step) <= limit)
        x -= step;
    return x;
}

/* Adds the tables that give `left` positives to the last two classes and are rare enough: all of
 * them or two tails, because probabilities fall on both sides of the mode. */
static void add_row(halton *h, uint32_t left, double so_far)
{
    const uint32_t c = h->table->classes - 2;
    const hs_urn u = hs_urn_of(h->rest[c], h->table->size[c], left);
    const double mode = floor((u.marked + 1) * (left + 1.0) / (u.all + 2));
    const double limit = h->limit - so_far;
    if (ways(h, &u, mode) <= limit) {
        h->sum += exp(so_far + log_choose(h, u.all, left) - h->total);
        return;
    }
    h->below = rarer(h, &u, mode, -1, h->below, limit);
    h->above = rarer(h, &u, mode, 1, h->above, limit);
    if (h->below >= u.low)
        h->sum += exp(so_far + ways(h, &u, h->below) - h->total) * tail_from(&u, h->below, -1);
    if (h->above <= u.high)
        h->sum += exp(so_far + ways(h, &u, h->above) - h->total) * tail_from(&u, h->above, 1);
}

/* All ways of giving `left` positives to the classes from c on, except those of negligible
 * probability. False: the limit of work is reached. */
static bool enumerate(halton *h, uint32_t c, uint32_t left, double so_far)
{
    const hs_urn u = hs_urn_of(h->rest[c], h->table->size[c], left);
    if (c + 2 == h->table->classes) {
        add_row(h, left, so_far);
        return h->work-- > 1;
    }
    for (double x = u.low; x <= u.high; x++)
        if (so_far + ways(h, &u, x) > h->limit - 50 &&
            !enumerate(h, c + 1, left - (uint32_t)x, so_far + log_choose(h, u.marked, x)))
            return false;
    return true;
}

/* A random number of the urn, by probabilities from the mode outwards. */
static double draw_from(const halton *h, const hs_urn *u, hs_stream *stream)
{
    const double mode = floor((u->marked + 1) * (u->drawn + 1) / (u->all + 2));
    double low = mode, high = mode, left = hs_random_double(stream);
    double below = exp(ways(h, u, mode) - log_choose(h, u->all, u->drawn)), above = below;
    for (left -= below; left >= 0 && (low > u->low || high < u->high);) {
        if (high < u->high) {
            above *= neighbour_ratio(u, high++, 1);
            if ((left -= above) < 0)
                return high;
        }
        if (low > u->low) {
            below *= neighbour_ratio(u, low--, -1);
            if ((left -= below) < 0)
                return low;
        }
    }
    return mode;
}

/* Draws random tables until enough of them are at most as probable as the observed one; p is their
 * share (Besag, Clifford 1991). */
static void sample_tables(const halton *h, uint64_t most, uint64_t seed, double *p, double *se)
{
    const hs_count_table *t = h->table;
    uint64_t less = 0, draws = 0;
    hs_stream stream;
    hs_stream_init(&stream, seed, "freeman-halton", 0, 0);
    for (; draws < most && less < ENOUGH; draws++) {
        double chance = 0, left = 0;
        for (uint32_t c = 0; c < t->classes; c++)
            left += t->positive[c];
        for (uint32_t c = 0; c < t->classes; c++) {
            const hs_urn u = hs_urn_of(h->rest[c], t->size[c], left);
            const double x = draw_from(h, &u, &stream);
            chance += log_choose(h, t->size[c], x);
            left -= x;
        }
        less += chance <= h->limit;
    }
    *p = less == ENOUGH ? (double)less / (double)draws : (1 + (double)less) / (1 + (double)draws);
    *se = *p * sqrt((1 - *p) / (1 + (double)less));
}

int hs_p_halton(const hs_count_table *table, uint64_t work, uint64_t seed, double *p, double *se,
                hsel_error *error)
{
    const uint32_t classes = table->classes;
    uint32_t all = 0, drawn = 0;
    HS_OWNED uint32_t *rest = HS_NEW_ZERO(uint32_t, (size_t)classes + 1);
    HS_NEED(rest);
    for (uint32_t c = classes; c-- > 0;) {
        drawn += table->positive[c];
        rest[c] = all += table->size[c];
    }
    *p = 1;
    *se = 0;
    if (!drawn || drawn == all || classes < 2)
        return HSEL_OK;
    HS_OWNED double *factorial = HS_NEW(double, (size_t)all + 1);
    HS_NEED(factorial);
    for (uint32_t x = 0; x <= all; x++)
        factorial[x] = lgamma(x + 1.0);
    halton h = {.table = table, .factorial = factorial, .rest = rest, .work = work};
    h.total = log_choose(&h, all, drawn);
    h.limit = 1e-7;
    for (uint32_t c = 0; c < classes; c++)
        h.limit += log_choose(&h, table->size[c], table->positive[c]);
    if (enumerate(&h, 0, drawn, 0))
        *p = fmin(1, h.sum);
    else
        sample_tables(&h, work, seed, p, se);
    return HSEL_OK;
}

static double statistic_p(const hs_count_table *table, bool likelihood)
{
    double all = 0, drawn = 0, sum = 0, degrees = -1;
    for (uint32_t c = 0; c < table->classes; c++) {
        all += table->size[c];
        drawn += table->positive[c];
        degrees += table->size[c] > 0;
    }
    if (degrees < 1 || drawn == 0 || drawn == all)
        return 1;
    for (uint32_t c = 0; c < table->classes; c++)
        for (int side = 0; side < 2 && table->size[c]; side++) {
            double seen = side ? table->size[c] - table->positive[c] : table->positive[c];
            double expected = table->size[c] * (side ? all - drawn : drawn) / all;
            if (!likelihood)
                sum += (seen - expected) * (seen - expected) / expected;
            else if (seen > 0)
                sum += 2 * seen * log(seen / expected);
        }
    return pchisq(sum, degrees, 0, 0);
}

double hs_p_chi2(const hs_count_table *table) { return statistic_p(table, false); }

double hs_p_g(const hs_count_table *table) { return statistic_p(table, true); }

double hs_p_cmh(const uint32_t *positive, const uint32_t *size, uint32_t strata)
{
    double difference = 0, variance = 0;
    for (uint32_t s = 0; s < strata; s++) {
        double first = size[2 * (size_t)s], second = size[2 * (size_t)s + 1], all = first + second;
        double a = positive[2 * (size_t)s], drawn = a + positive[2 * (size_t)s + 1];
        if (all < 2)
            continue;
        difference += a - first * drawn / all;
        variance += first * second * drawn * (all - drawn) / (all * all * (all - 1));
    }
    return variance > 0 ? pchisq(difference * difference / variance, 1, 0, 0) : 1;
}

/* ---- numbers ---- */

/* P(U <= u) for two samples without ties: the number of ways in which ranks give each sum. */
static int exact_ranks(uint32_t first, uint32_t second, double u, double *p, hsel_error *error)
{
    size_t most = (size_t)first * second;
    HS_OWNED double *ways = HS_NEW_ZERO(double, most + 1);
    HS_NEED(ways);
    /* Gaussian binomial coefficient: times (1 - q^(second + i)), over (1 - q^i), i = 1 … first. */
    ways[0] = 1;
    for (uint32_t i = 1; i <= first; i++) {
        for (size_t j = most; j >= second + i && j <= most; j--)
            ways[j] -= ways[j - second - i];
        for (size_t j = i; j <= most; j++)
            ways[j] += ways[j - i];
    }
    double all = 0, below = 0, above = 0;
    for (size_t j = 0; j <= most; j++) {
        all += ways[j];
        below += (double)j <= u ? ways[j] : 0;
        above += (double)j >= u ? ways[j] : 0;
    }
    *p = fmin(1, 2 * fmin(below, above) / all);
    return HSEL_OK;
}

int hs_p_ranks(const double *values, const uint32_t *class_of, uint32_t count, uint32_t classes,
               double *p, hsel_error *error)
{
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, count), *size = HS_NEW_ZERO(uint32_t, classes);
    HS_OWNED double *sum = HS_NEW_ZERO(double, classes);
    uint32_t used = 0, present = 0, first[2] = {0}; /* the first two classes that occur */
    double ties = 0;
    HS_NEED(order && size && sum);
    *p = 1;
    for (uint32_t i = 0; i < count; i++)
        if (!isnan(values[i]) && class_of[i] < classes) {
            order[used++] = i;
            size[class_of[i]]++;
        }
    for (uint32_t c = 0; c < classes; c++)
        if (size[c] && present++ < 2)
            first[present - 1] = c;
    if (present < 2)
        return HSEL_OK;
    hs_order(values, HS_UPWARDS, order, used);
    for (uint32_t i = 0, end; i < used; i = end) {
        for (end = i + 1; end < used && values[order[end]] == values[order[i]]; end++)
            ;
        double same = end - i, rank = (i + 1 + end) / 2.0;
        ties += same * same * same - same;
        for (uint32_t j = i; j < end; j++)
            sum[class_of[order[j]]] += rank;
    }
    double n = used;
    if (ties == n * n * n - n)
        return HSEL_OK; /* all are equal */
    if (present == 2) {
        double a = size[first[0]], b = size[first[1]], u = sum[first[0]] - a * (a + 1) / 2;
        if (ties == 0 && used <= 50)
            return exact_ranks(size[first[0]], size[first[1]], u, p, error);
        double sigma = sqrt(a * b / 12 * (n + 1 - ties / (n * (n - 1))));
        double z = fmax(0, fabs(u - a * b / 2) - 0.5) / sigma;
        *p = fmin(1, 2 * pnorm(z, 0, 1, 0, 0));
        return HSEL_OK;
    }
    double h = 0;
    for (uint32_t c = 0; c < classes; c++)
        h += size[c] ? sum[c] * sum[c] / size[c] : 0;
    h = (12 * h / (n * (n + 1)) - 3 * (n + 1)) / (1 - ties / (n * n * n - n));
    *p = pchisq(h, present - 1, 0, 0);
    return HSEL_OK;
}

int hs_p_means(const double *values, const uint32_t *class_of, uint32_t count, uint32_t classes,
               double *p, hsel_error *error)
{
    HS_OWNED double *mean = HS_NEW_ZERO(double, classes), *spread = HS_NEW_ZERO(double, classes);
    HS_OWNED double *size = HS_NEW_ZERO(double, classes);
    HS_NEED(mean && spread && size);
    double most = 0;
    int exponent;
    for (uint32_t i = 0; i < count; i++)
        most = fmax(most, fabs(values[i])); /* NaN: the other one */
    frexp(most, &exponent);
    /* A power of two, which changes no digit, to keep squares in range. */
    const double unit = ldexp(1, exponent > 1000 ? -1000 : exponent < -1000 ? 1000 : -exponent);
    for (uint32_t i = 0; i < count; i++)
        if (!isnan(values[i]) && class_of[i] < classes) {
            uint32_t c = class_of[i];
            const double value = values[i] * unit, before = value - mean[c];
            mean[c] += before / ++size[c];
            spread[c] += before * (value - mean[c]);
        }
    double weights = 0, centre = 0, k = 0, apart = 0, correction = 0;
    double error2 = 0, degrees = 0, difference = 0; /* of two classes, which may be constant */
    bool constant = false;
    for (uint32_t c = 0; c < classes; c++) {
        if (size[c] < 2)
            continue;
        double part = spread[c] / (size[c] * (size[c] - 1));
        k++;
        constant |= spread[c] == 0;
        difference = mean[c] - difference; /* m1, then m2 - m1 */
        error2 += part;
        degrees += part * part / (size[c] - 1);
    }
    *p = 1;
    if (k < 2 || (k > 2 && constant))
        return HSEL_OK;
    if (k == 2 && error2 == 0)
        *p = difference == 0;
    else if (k == 2)
        *p = 2 * pt(-fabs(difference) / sqrt(error2), error2 * error2 / degrees, 1, 0);
    if (k == 2)
        return HSEL_OK;
    for (uint32_t c = 0; c < classes; c++)
        if (size[c] >= 2) {
            double weight = size[c] * (size[c] - 1) / spread[c];
            weights += weight;
            centre += weight * mean[c];
        }
    centre /= weights;
    for (uint32_t c = 0; c < classes; c++)
        if (size[c] >= 2) {
            double weight = size[c] * (size[c] - 1) / spread[c], share = 1 - weight / weights;
            apart += weight * (mean[c] - centre) * (mean[c] - centre);
            correction += share * share / (size[c] - 1);
        }
    double f = apart / (k - 1) / (1 + 2 * (k - 2) / (k * k - 1) * correction);
    *p = pf(f, k - 1, (k * k - 1) / (3 * correction), 0, 0);
    return HSEL_OK;
}

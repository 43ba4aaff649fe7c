/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kendall's tau by sorting (Knight 1966, JASA 61:436-439): things sorted by x and within equal x by
 * y; the discordant pairs D are then the inversions of y, counted by a Fenwick tree.
 *
 *     S = C - D = n0 - n1 - n2 + n3 - 2 D
 *     n0 = n (n-1) / 2 pairs, n1 and n2 tied in x and in y, n3 in both
 *
 * Each ranking is sorted once, regardless of the number of comparisons: sorting by x and y is then
 * a distribution of the order by y to the ranks of x, O(n), and counting O(n log n). Counts are
 * whole numbers; n < 2^31 keeps them in 64 bits.
 *
 * Cells of a matrix are symmetric; a task is a row of the upper triangle, so the result is the same
 * at any number of threads.
 */
#include "stats/kendall.h"

#include "stats/running.h"

void hs_ranking_clear(hs_ranking *ranking)
{
    HS_FREE(ranking->rank, ranking->order);
    *ranking = (hs_ranking){0};
}

static uint64_t pairs(uint64_t n) { return n ? n * (n - 1) / 2 : 0; }

int hs_ranking_of_scores(const double *scores, uint32_t count, hs_tau_kind kind, hs_ranking *out,
                         hsel_error *error)
{
    uint64_t run = 0;
    *out = (hs_ranking){
        .count = count, .rank = HS_NEW(uint32_t, count), .order = HS_NEW(uint32_t, count)};
    HS_NEED(out->rank && out->order);
    hs_order_all(scores, HS_DOWNWARDS, out->order, count);
    for (uint32_t i = 0; i < count / 2; i++) { /* ascending, NaN first, of equal ones the last */
        uint32_t first = out->order[i];
        out->order[i] = out->order[count - 1 - i];
        out->order[count - 1 - i] = first;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at = out->order[i];
        const double here = scores[at], before = i ? scores[out->order[i - 1]] : 0;
        const bool equal = i && (here == before || (isnan(here) && isnan(before)));
        out->tied += equal ? 0 : pairs(run);
        run = equal ? run + 1 : 1;
        out->distinct += !equal;
        out->rank[at] = out->distinct - 1;
    }
    out->tied += pairs(run);
    if (kind == HS_TAU_B)
        return HSEL_OK;
    if (kind == HS_TAU_A_WEKA) {
        HS_OWNED double *key = HS_NEW(double, count);
        HS_NEED(key);
        for (uint32_t i = 0; i < count; i++)
            key[i] = out->rank[i];
        hs_weka_sort(key, count, out->order);
    }
    for (uint32_t i = 0; i < count; i++)
        out->rank[out->order[i]] = i;
    out->distinct = count;
    out->tied = 0;
    return HSEL_OK;
}

/* ---- WEKA's quicksort on an index ---- */

static void exchange(uint32_t *index, int64_t a, int64_t b)
{
    uint32_t held = index[a];
    index[a] = index[b];
    index[b] = held;
}

static void order(const double *key, uint32_t *index, int64_t a, int64_t b)
{
    if (key[index[a]] > key[index[b]])
        exchange(index, a, b);
}

/* The two parts of a partition do not touch each other, so the order in which they are sorted does
 * not matter: recursion on the shorter one is at most 32 deep. */
static void sort_part(const double *key, uint32_t *index, int64_t left, int64_t right)
{
    for (;;) {
        const int64_t centre = (left + right) / 2;
        if (right > left) { /* sorts a part of at most three */
            order(key, index, left, centre);
            order(key, index, left, right);
            order(key, index, centre, right);
        }
        if (right - left <= 2)
            return;
        exchange(index, centre, right - 1);
        const double pivot = key[index[right - 1]];
        int64_t low = left, high = right - 1;
        for (;;) {
            while (key[index[++low]] < pivot)
                continue;
            while (key[index[--high]] > pivot)
                continue;
            if (low >= high)
                break;
            exchange(index, low, high);
        }
        exchange(index, low, right - 1);
        if (low - left > right - low) {
            sort_part(key, index, low + 1, right);
            right = low - 1;
        } else {
            sort_part(key, index, left, low - 1);
            left = low + 1;
        }
    }
}

void hs_weka_sort(const double *key, uint32_t count, uint32_t *index)
{
    for (uint32_t i = 0; i < count; i++)
        index[i] = i;
    sort_part(key, index, 0, (int64_t)count - 1);
}

/* ---- tau ---- */

hs_tau hs_kendall(const hs_ranking *x, const hs_ranking *y, uint32_t *space)
{
    uint32_t n = x->count, *list = space, *start = space + n;
    uint64_t all = pairs(n), both = 0, discordant = 0;
    if (n < 2)
        return (hs_tau){NAN, NAN};
    /* Ranks of y in the order of x, ascending where x is equal. */
    memset(start, 0, ((size_t)x->distinct + 1) * sizeof *start);
    for (uint32_t i = 0; i < n; i++)
        start[x->rank[i] + 1]++;
    for (uint32_t r = 0; r < x->distinct; r++)
        start[r + 1] += start[r];
    for (uint32_t i = 0; i < n; i++)
        list[start[x->rank[y->order[i]]]++] = y->rank[y->order[i]];
    /* Pairs that are equal in both: start[r] is now where rank r of x ends. */
    for (uint32_t r = 0, begin = 0; r < x->distinct; begin = start[r++])
        for (uint32_t i = begin, run = 1; i < start[r]; i++, run++)
            if (i + 1 == start[r] || list[i + 1] != list[i]) {
                both += pairs(run);
                run = 0;
            }
    /* Inversions: how many of the ranks before are greater. */
    uint32_t *tree = start; /* counts of ranks of y */
    memset(tree, 0, ((size_t)y->distinct + 1) * sizeof *tree);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t above = i;
        for (uint32_t at = list[i] + 1; at > 0; at &= at - 1)
            above -= tree[at];
        for (uint32_t at = list[i] + 1; at <= y->distinct; at += at & -at)
            tree[at]++;
        discordant += above;
    }
    double s = (double)(int64_t)(all - x->tied - y->tied + both - 2 * discordant);
    double untied_x = (double)(all - x->tied), untied_y = (double)(all - y->tied);
    hs_tau tau = {.a = s / (double)all, .b = NAN};
    if (untied_x > 0 && untied_y > 0)
        tau.b = s / (sqrt(untied_x) * sqrt(untied_y));
    if (x->tied == y->tied && fabs(s) == untied_x) /* exactly, although the two roots round */
        tau.b = s > 0 ? 1 : s < 0 ? -1 : tau.b;
    return tau;
}

/* ---- matrices ---- */

struct matrix_work {
    const double *const *scores;
    hs_ranking *rankings;
    uint32_t *space; /* [threads * (2 count + 1)] */
    size_t rankers;
    uint32_t count;
    hs_tau_kind kind;
    double *matrix;
};

static int rank_one(void *context, size_t i, int worker, hsel_error *error)
{
    const struct matrix_work *w = context;
    (void)worker;
    return hs_ranking_of_scores(w->scores[i], w->count, w->kind, &w->rankings[i], error);
}

static int compare_one(void *context, size_t i, int worker, hsel_error *error)
{
    const struct matrix_work *w = context;
    uint32_t *space = w->space + (size_t)worker * (2 * (size_t)w->count + 1);
    (void)error;
    w->matrix[i * w->rankers + i] = 1;
    for (size_t j = i + 1; j < w->rankers; j++) {
        hs_tau tau = hs_kendall(&w->rankings[i], &w->rankings[j], space);
        w->matrix[i * w->rankers + j] = w->matrix[j * w->rankers + i] =
            w->kind == HS_TAU_B ? tau.b : tau.a;
    }
    return HSEL_OK;
}

int hs_tau_matrix(const double *const *scores, size_t rankers, uint32_t count, hs_tau_kind kind,
                  int threads, double *matrix, hsel_error *error)
{
    threads = hs_threads(threads);
    HS_OWNED hs_ranking *rankings = HS_NEW_ZERO(hs_ranking, rankers);
    HS_OWNED uint32_t *space = HS_NEW(uint32_t, (size_t)threads * (2 * (size_t)count + 1));
    HS_NEED(rankings && space);
    struct matrix_work w = {scores, rankings, space, rankers, count, kind, matrix};
    int status = hs_parallel_for(rankers, threads, rank_one, &w, error);
    if (status == HSEL_OK)
        status = hs_parallel_for(rankers, threads, compare_one, &w, error);
    for (size_t i = 0; i < rankers; i++)
        hs_ranking_clear(&rankings[i]);
    return status;
}

int hs_tau_random(size_t rankers, uint32_t count, uint64_t seed, uint64_t draw, int threads,
                  double *matrix, hsel_error *error)
{
    HS_OWNED uint32_t *shuffled = HS_NEW(uint32_t, count);
    HS_OWNED double *values = HS_NEW(double, rankers *count);
    HS_OWNED const double **scores = HS_NEW(const double *, rankers);
    HS_NEED(shuffled && values && scores);
    for (size_t i = 0; i < rankers; i++) {
        double *own = values + i * count;
        hs_stream stream;
        hs_stream_init(&stream, seed, "tau", draw, i);
        for (uint32_t j = 0; j < count; j++)
            shuffled[j] = j;
        hs_random_shuffle(&stream, shuffled, count);
        for (uint32_t j = 0; j < count; j++)
            own[j] = shuffled[j];
        scores[i] = own;
    }
    return hs_tau_matrix(scores, rankers, count, HS_TAU_B, threads, matrix, error);
}

void hs_tau_mean(const double *const *matrices, size_t sets, size_t rankers, double *mean,
                 double *sd)
{
    for (size_t cell = 0; cell < rankers * rankers; cell++) {
        hs_running running = {0};
        for (size_t s = 0; s < sets; s++)
            hs_running_add_known(&running, matrices[s][cell]);
        if (mean)
            mean[cell] = hs_running_mean(&running);
        if (sd)
            sd[cell] = running.count ? hs_running_sd(&running) : (double)NAN;
    }
}

double hs_tau_distance(const double *a, const double *b, size_t rankers)
{
    double sum = 0;
    for (size_t i = 0; i < rankers; i++)
        for (size_t j = i + 1; j < rankers; j++) {
            double d = a[i * rankers + j] - b[i * rankers + j];
            sum += isnan(d) ? 0 : d * d;
        }
    return sqrt(2 * sum);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scan statistics. With C cases among N instances, c among the n that have the term, and their
 * expected number E:
 *
 *     Bernoulli, given C    max over rates within and without / one rate for all: c, n - c, C - c,
 *                           N - n - C + c against C / N
 *     Bernoulli, rate r     c ln(c / (n r)) + (n - c) ln((n - c) / (n (1 - r)))
 *     Poisson, given C      c ln(c / E) + (C - c) ln((C - c) / (C - E)), E = C n / N
 *     Poisson, rate r       c ln(c / E) + E - c, E = r n
 *     adjusted              (1 + #{sets b: max over terms of ratio_b >= ratio}) / (1 + sets)
 *
 * A set of random cases is drawn by their places (without replacement for Bernoulli: Floyd's
 * method). Of few cases, their terms are counted: the ratio grows with c, so that the greatest one
 * is known when the last case has been added. O(cases x terms of an instance) per set. Of many, the
 * cases of a term are counted in 512 sets at once (lanes.h), and terms that cannot have the
 * greatest ratio of any set are left out. O(positive values / 64 + terms + cases) per set. Both
 * give the same numbers. Ratios of likely counts come from tables; sets run in parallel, and as all
 * that is counted are whole numbers, results do not depend on threads. With groups, Bernoulli
 * permutes as other tests do, O(instances) more per set.
 */
#define MATHLIB_STANDALONE
#include "infer/scan.h"

#include <Rmath.h>
#include <stdatomic.h>

#include "data/design.h"
#include "infer/lanes.h"

static double part(double observed, double expected)
{
    return observed > 0 ? observed * log(observed / expected) : 0;
}

double hs_scan_ratio(const hs_scan *s, double cases, double size)
{
    const double given = s->rate > 0 ? s->rate : s->cases / s->size, expected = size * given;
    const double rest = s->size - size, others = s->cases - cases;
    if (!(cases > expected) || (!(s->rate > 0) && rest <= 0))
        return 0;
    if (s->model == HS_SCAN_POISSON)
        return part(cases, expected) +
               (s->rate > 0 ? expected - cases : part(others, s->cases - expected));
    const double within = part(cases, expected) + part(size - cases, size - expected);
    return s->rate > 0
               ? within
               : within + part(others, rest * given) + part(rest - others, rest - rest * given);
}

/* ---- sets of random cases ---- */

struct term {
    const double *ratio; /* of 0 … length - 1 cases; shared by terms of the same size */
    uint32_t length;
    double size, bound; /* bound: of its ratio */
};

struct scanning {
    const hs_p_sample *sample;
    const hs_scan *scan;
    hs_arena arena; /* of the lists */
    const hs_sparse *columns;
    hs_sparse terms;   /* of each instance of the sample; empty: not used */
    struct term *term; /* [count] */
    uint32_t *order;   /* [count]: the highest bound first */
    double *until;     /* [instances]: exposure up to each; NULL: 1 each */
    double *observed;  /* [count]: ratios, ascending */
    uint32_t count;
    struct scratch **scratch; /* [threads] */
    int threads;
    _Atomic uint64_t done;
};

struct scratch {
    uint32_t *cases;            /* [terms] */
    uint64_t *drawn;            /* [instances]: number of the last set that had it, plus 1 */
    uint32_t *order, *class_of; /* with groups */
    uint64_t *reached;          /* [terms + 1]: sets whose greatest ratio is at least so many */
    double *most;               /* [HS_LANES] */
    uint32_t *counts;           /* [HS_LANES] */
    uint64_t *bits;             /* NULL: sets are counted one by one */
};

static void scanning_clear(struct scanning *s)
{
    for (int i = 0; s->scratch && i < s->threads; i++) {
        if (s->scratch[i])
            hs_free_aligned(s->scratch[i]->bits);
        hs_free(s->scratch[i]);
    }
    hs_sparse_clear(&s->terms);
    hs_arena_clear(&s->arena);
}

/* One more case: the greatest ratio so far. */
static double add_case(const struct scanning *s, struct scratch *scratch, uint32_t instance,
                       double most)
{
    size_t count;
    const uint32_t *terms = hs_sparse_list(&s->terms, instance, &count);
    for (size_t j = 0; j < count; j++) {
        const struct term *term = &s->term[terms[j]];
        const uint32_t cases = ++scratch->cases[terms[j]];
        const double ratio =
            cases < term->length ? term->ratio[cases] : hs_scan_ratio(s->scan, cases, term->size);
        most = ratio > most ? ratio : most;
    }
    return most;
}

/* The cases of a set, one after the other. */
struct set {
    hs_stream stream;
    uint64_t number, spare; /* spare: half a random number, and a bit that says so; 0: none */
    double left;
    uint32_t next; /* groups: instance; Bernoulli: the last that may be drawn */
};

/* Uniform below `below` (Lemire 2019), from half a random number: most of the time goes here. */
static uint32_t draw_below(struct set *set, uint32_t below)
{
    for (;;) {
        const uint64_t now = set->spare ? set->spare : hs_random_u64(&set->stream),
                       product = (now & UINT32_MAX) * below;
        set->spare = set->spare ? 0 : now >> 32 | UINT64_C(1) << 32;
        if ((uint32_t)product >= below || (uint32_t)product >= -below % below)
            return (uint32_t)(product >> 32);
    }
}

static uint32_t draw_exposed(const struct scanning *s, struct set *set)
{
    const uint32_t n = s->sample->count;
    uint32_t low = 0, high = n - 1;
    if (!s->until)
        return draw_below(set, n);
    const double at = hs_random_double(&set->stream) * s->until[n - 1];
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (s->until[middle] > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void begin_set(const struct scanning *s, struct scratch *scratch, uint64_t number,
                      struct set *set)
{
    const hs_scan *scan = s->scan;
    *set = (struct set){.number = number, .left = scan->cases};
    if (scratch->order) {
        hs_p_permute(s->sample, number, scratch->order, scratch->class_of);
        return;
    }
    hs_stream_init(&set->stream, s->sample->training->seed, "scan", number, 0);
    if (scan->rate > 0) {
        const double at = hs_random_double(&set->stream);
        set->left = scan->model == HS_SCAN_POISSON ? qpois(at, scan->rate * scan->size, 1, 0)
                                                   : qbinom(at, scan->size, scan->rate, 1, 0);
    }
    if (scan->model == HS_SCAN_BERNOULLI)
        set->next = s->sample->count - (uint32_t)set->left;
}

static bool next_case(const struct scanning *s, struct scratch *scratch, struct set *set,
                      uint32_t *out)
{
    if (!(set->left >= 1))
        return false;
    set->left--;
    if (scratch->order) {
        while (scratch->class_of[set->next] != s->sample->one)
            set->next++;
        *out = set->next++;
    } else if (s->scan->model == HS_SCAN_POISSON) {
        *out = draw_exposed(s, set);
    } else {
        const uint32_t i = draw_below(set, set->next + 1);
        *out = scratch->drawn[i] == set->number + 1 ? set->next : i;
        scratch->drawn[*out] = set->number + 1;
        set->next++;
    }
    return true;
}

/* The greatest ratio of each set, by the terms of its cases … */
static void count_cases(const struct scanning *s, struct scratch *scratch, uint64_t first,
                        uint64_t end)
{
    for (uint64_t b = first; b < end; b++) {
        struct set set;
        uint32_t i;
        scratch->most[b - first] = 0;
        memset(scratch->cases, 0, s->count * sizeof *scratch->cases);
        begin_set(s, scratch, b, &set);
        while (next_case(s, scratch, &set, &i))
            scratch->most[b - first] = add_case(s, scratch, i, scratch->most[b - first]);
    }
}

/* … or, of many cases, by the cases of a term in all sets at once, until no term can have a ratio
 * above those that each set has. */
static void count_terms(const struct scanning *s, struct scratch *scratch, uint64_t first,
                        uint64_t end)
{
    const uint32_t sets = (uint32_t)(end - first);
    double *most = scratch->most;
    memset(scratch->bits, 0, (size_t)s->sample->count * HS_LANE_WORDS * sizeof *scratch->bits);
    for (uint32_t b = 0; b < sets; b++) {
        struct set set;
        uint32_t i;
        most[b] = 0;
        begin_set(s, scratch, first + b, &set);
        while (next_case(s, scratch, &set, &i))
            scratch->bits[(size_t)i * HS_LANE_WORDS + b / 64] |= UINT64_C(1) << b % 64;
    }
    for (uint32_t t = 0; t < s->count; t++) {
        const struct term *term = &s->term[s->order[t]];
        double least = INFINITY;
        size_t length;
        for (uint32_t b = 0; b < sets; b++)
            least = most[b] < least ? most[b] : least;
        if (term->bound <= least)
            break;
        const uint32_t *column = hs_sparse_list(s->columns, s->order[t], &length);
        uint32_t enough = 0, high = term->length; /* cases for a ratio above the least */
        while (enough < high) {
            const uint32_t middle = enough + (high - enough) / 2;
            if (term->ratio[middle] > least)
                high = middle;
            else
                enough = middle + 1;
        }
        hs_lanes_count(scratch->bits, column, length, scratch->counts);
        for (uint32_t b = 0; b < sets; b++) {
            const uint32_t cases = scratch->counts[b];
            if (cases < enough)
                continue;
            const double ratio = cases < term->length ? term->ratio[cases]
                                                      : hs_scan_ratio(s->scan, cases, term->size);
            most[b] = ratio > most[b] ? ratio : most[b];
        }
    }
}

static int run_block(void *context, size_t block, int worker, hsel_error *error)
{
    struct scanning *s = context;
    struct scratch *scratch = s->scratch[worker];
    const uint64_t all = s->scan->permutations, first = (uint64_t)block * HS_LANES,
                   end = first + HS_LANES < all ? first + HS_LANES : all;
    (scratch->bits ? count_terms : count_cases)(s, scratch, first, end);
    for (uint64_t b = first; b < end; b++) {
        const double reach = scratch->most[b - first] + 1e-9 * (1 + scratch->most[b - first]);
        uint32_t low = 0, high = s->count;
        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            if (s->observed[middle] <= reach)
                low = middle + 1;
            else
                high = middle;
        }
        scratch->reached[low]++;
    }
    const uint64_t done = atomic_fetch_add(&s->done, end - first) + (end - first);
    return hs_progress_report(s->sample->training->progress, done, all, "sets of random cases",
                              error);
}

/* ---- all of it ---- */

static int scan_check(const hs_p_sample *s, const hs_scan *scan, hsel_error *error)
{
    const char *name = hsel_dataset_name(s->training->view.data);
    HS_REFUSE(s->stratified,
              "scan is without strata, but %s has them: {adjust=max-t} permutes within strata",
              name);
    HS_REFUSE(scan->model == HS_SCAN_POISSON && s->exchange.grouped,
              "the Poisson scan draws instances one by one, but %s has groups: scan with "
              "{scan=bernoulli}, which permutes by groups",
              name);
    HS_REFUSE(scan->rate > 0 && s->exchange.grouped,
              "a scan with a given rate draws instances one by one, but %s has groups: leave out "
              "{scan-rate}",
              name);
    HS_REFUSE(scan->model == HS_SCAN_BERNOULLI && scan->rate >= 1,
              "{scan-rate=%g} of the Bernoulli scan is a share of the instances: less than 1",
              scan->rate);
    return HSEL_OK;
}

/* The term's own p: the chance of as many cases in it, by the model. */
static double p_of(const hs_scan *s, double cases, double size)
{
    if (s->model == HS_SCAN_POISSON)
        return s->rate > 0 ? ppois(cases - 1, s->rate * size, 0, 0)
                           : pbinom(cases - 1, s->cases, size / s->size, 0, 0);
    return s->rate > 0 ? pbinom(cases - 1, size, s->rate, 0, 0)
                       : hs_p_fisher((uint32_t)s->size, (uint32_t)s->cases, (uint32_t)size,
                                     (uint32_t)cases, HS_TAIL_MORE, false);
}

/* Ratios of all counts up to eight standard deviations above the mean, a table per size. */
static int make_tables(struct scanning *s, hsel_error *error)
{
    const hs_scan *scan = s->scan;
    const double rate = scan->rate > 0 ? scan->rate : scan->cases / scan->size;
    HS_OWNED double *key = HS_NEW(double, s->count);
    HS_NEED(key);
    for (uint32_t t = 0; t < s->count; t++) {
        key[t] = s->term[t].size;
        s->order[t] = t;
    }
    hs_order(key, HS_UPWARDS, s->order, s->count);
    for (uint32_t i = 0; i < s->count; i++) {
        struct term *term = &s->term[s->order[i]], *before = i ? &s->term[s->order[i - 1]] : NULL;
        if (before && before->size == term->size) {
            *term = *before;
            continue;
        }
        const double mean = term->size * rate, most = ceil(mean + 8 * sqrt(mean) + 8),
                     room = scan->model == HS_SCAN_BERNOULLI ? fmin(most, term->size) : most;
        double *ratio = HS_ARENA_NEW(&s->arena, double, (size_t)room + 1);
        HS_NEED(ratio);
        term->length = (uint32_t)room + 1;
        for (uint32_t c = 0; c < term->length; c++)
            ratio[c] = hs_scan_ratio(scan, c, term->size);
        term->ratio = ratio;
        term->bound = hs_scan_ratio(
            scan, scan->rate > 0 ? term->size : fmin(scan->cases, term->size), term->size);
    }
    for (uint32_t t = 0; t < s->count; t++)
        key[t] = s->term[t].bound;
    hs_order(key, HS_DOWNWARDS, s->order, s->count);
    return HSEL_OK;
}

/* Ratio and p of each term, and what the random sets need. */
static int observe(struct scanning *s, hs_scan *scan, const hs_sparse *columns, double *ratio,
                   double *p, hsel_error *error)
{
    const hs_p_sample *sample = s->sample;
    const uint32_t n = sample->count;
    HS_OWNED double *weight = NULL;
    if (scan->model == HS_SCAN_POISSON)
        HS_TRY(hs_weights_of(sample->training->view.data, &weight, error));
    if (weight)
        HS_NEED(s->until = HS_ARENA_NEW(&s->arena, double, n));
    scan->size = scan->cases = 0;
    for (uint32_t i = 0; i < n; i++) {
        scan->size += weight ? weight[sample->rows[i]] : 1;
        scan->cases += sample->class_of[i] == sample->one;
        if (weight)
            s->until[i] = scan->size;
    }
    for (uint32_t t = 0; t < s->count; t++) {
        size_t length;
        const uint32_t *column = hs_sparse_list(columns, t, &length);
        double cases = 0, size = 0;
        for (size_t j = 0; j < length; j++) {
            cases += sample->class_of[column[j]] == sample->one;
            size += weight ? weight[sample->rows[column[j]]] : 1;
        }
        s->term[t].size = size;
        s->observed[t] = ratio[t] = hs_scan_ratio(scan, cases, size);
        p[t] = p_of(scan, cases, size);
    }
    return HSEL_OK;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int hs_p_scan(const hs_p_sample *sample, hs_scan *scan, const uint32_t *features, uint32_t count,
              double *p, double *adjusted, hsel_error *error)
{
    const size_t blocks = ((size_t)scan->permutations + HS_LANES - 1) / HS_LANES;
    const bool grouped = sample->exchange.grouped;
    const uint32_t n = sample->count;
    HS_OWNS(hs_sparse_clear) hs_sparse columns = {0};
    HS_OWNS(scanning_clear) struct scanning s = {.sample = sample, .scan = scan, .count = count};
    HS_OWNED double *ratio = HS_NEW(double, count);
    HS_TRY(scan_check(sample, scan, error));
    HS_TRY(hs_position_columns(sample->training->view.data, features, count, sample->rows, n,
                               &columns, error));
    s.columns = &columns;
    HS_NEED(ratio && HS_LISTS(&s.arena, &s, HS_PART(&s, term, count), HS_PART(&s, observed, count),
                              HS_PART(&s, order, count)));
    HS_TRY(observe(&s, scan, &columns, ratio, p, error));
    qsort(s.observed, count, sizeof *s.observed, ascending);
    HS_TRY(make_tables(&s, error));
    /* what is read and written per set, in units that take about as long */
    const double positives = (double)columns.start[count], share = scan->cases / n;
    const bool by_terms =
        scan->model == HS_SCAN_BERNOULLI &&
        (scan->way == HS_SCAN_FASTER ? share * positives > positives / 128 + 4.0 * count
                                     : scan->way == HS_SCAN_BY_TERMS);
    if (!by_terms)
        HS_TRY(hs_sparse_transpose(&columns, n, &s.terms, error));
    s.threads = hs_threads(sample->training->threads);
    s.threads = (size_t)s.threads < blocks ? s.threads : (int)blocks;
    HS_NEED(s.scratch = hs_arena_zero(&s.arena, (size_t)s.threads, sizeof *s.scratch));
    for (int i = 0; i < s.threads; i++) {
        struct scratch *one = s.scratch[i] =
            HS_BLOCK(one, HS_PART(one, cases, count), HS_PART(one, drawn, n),
                     HS_PART(one, order, grouped ? n : 0), HS_PART(one, class_of, grouped ? n : 0),
                     HS_PART(one, reached, (size_t)count + 1), HS_PART(one, most, HS_LANES),
                     HS_PART(one, counts, HS_LANES));
        HS_NEED(one);
        if (!grouped)
            one->order = NULL;
        if (by_terms)
            HS_NEED(one->bits = hs_alloc_aligned((size_t)n * HS_LANE_WORDS, sizeof *one->bits));
    }
    HS_TRY(hs_exchange_check(&sample->exchange, sample->training->view.data,
                             sample->training->progress ? sample->training->progress->notes : NULL,
                             error));
    HS_TRY(hs_parallel_for(blocks, s.threads, run_block, &s, error));
    /* reached[k]: sets that reach exactly the k lowest ratios */
    for (int i = 1; i < s.threads; i++)
        for (uint32_t k = 0; k <= count; k++)
            s.scratch[0]->reached[k] += s.scratch[i]->reached[k];
    uint64_t *reached = s.scratch[0]->reached;
    for (uint32_t k = count; k-- > 0;)
        reached[k] += reached[k + 1];
    for (uint32_t t = 0; t < count; t++) {
        const double *at = bsearch(&ratio[t], s.observed, count, sizeof *s.observed, ascending);
        while (at + 1 < s.observed + count && at[1] == *at) /* sets that reach all equal ones */
            at++;
        adjusted[t] = (1.0 + (double)reached[at - s.observed + 1]) / (1.0 + scan->permutations);
    }
    return HSEL_OK;
}

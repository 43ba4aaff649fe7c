/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * p-values by permutations of the classes, and Westfall and Young's step-down max-T.
 *
 *     p     = (1 + #{b: T*_b >= T}) / (1 + B)
 *     max-T = the same of u_b, the greatest T*_b among this feature and all that have no greater T,
 *             made monotone from the greatest T down
 *
 * T is the chi-squared statistic (chi2, cmh), G, or -log p (fisher); of a numeric feature its p on
 * the same scale, so that features can be compared. Within strata the classes are permuted within
 * each, where the statistic of Cochran, Mantel and Haenszel only depends on how many positives the
 * class has in all.
 *
 * Permutations are processed in blocks of 512, a bit each: for every instance a vector of 512 bits
 * tells in which permutations it is of the class. The vectors of the instances in which a feature
 * is positive are added up by bits (carry-save adders), which gives all 512 counts at once; T of a
 * count comes from a table. From the smallest T up, max-T needs only a running maximum per
 * permutation. O(B (positive values / 64 + features)) per class, n x 64 bytes per class and thread.
 * Blocks run in parallel; counts are whole numbers, so results do not depend on threads.
 */
#define MATHLIB_STANDALONE
#include <Rmath.h>
#include <stdatomic.h>

#include "infer/lanes.h"
#include "infer/p_values.h"

enum { BLOCK = HS_LANES, WORDS = HS_LANE_WORDS };

/* T of the counts that are likely by chance, for all features that are positive in `drawn`
 * instances; T of other counts is computed when it is needed. */
struct table {
    uint32_t drawn, low, length;
    double *t;
};

struct work {
    const hs_p_sample *sample;
    hs_arena arena; /* of its lists */
    const uint32_t *features;
    const hs_sparse *columns;
    bool numeric;
    uint32_t count, tested;
    uint32_t *order;        /* [tested]: the greatest T first, the lowest index among equals */
    double *t;              /* [count]: as observed; NaN: not tested */
    double *middle, *scale; /* [count], cmh: T = (a - middle)^2 scale */
    uint32_t *table_of;     /* [count]: number of a table; else HSEL_NONE */
    struct table *tables;
    uint32_t table_count;
    uint32_t *total;      /* [classes]: instances */
    double *x_log_x;      /* of 0 … instances, for G */
    uint64_t blocks;
    struct scratch **scratch; /* [threads] */
    int threads;
    _Atomic uint64_t done;
};

struct scratch {                          /* of one thread, in one block but for … */
    uint32_t *shuffled, *classes, *count; /* count: [classes][BLOCK] */
    double *values, *t, *most;
    uint32_t *as_great, *some_as_great; /* [features]: what is counted */
    uint32_t *kept; /* [BLOCK][instances]: classes, if there are numeric features */
    uint64_t *bits; /* … [classes - 1][instances][WORDS]: is it of class c + 1? */
};

static void work_clear(struct work *w)
{
    for (int i = 0; w->scratch && i < w->threads; i++) {
        if (w->scratch[i])
            hs_free_aligned(w->scratch[i]->bits);
        hs_free(w->scratch[i]);
    }
    for (uint32_t i = 0; w->tables && i < w->table_count; i++)
        hs_free(w->tables[i].t);
    hs_arena_clear(&w->arena);
}

void hs_p_permute(const hs_p_sample *s, uint64_t number, uint32_t *scratch, uint32_t *out)
{
    hs_stream stream;
    hs_stream_init(&stream, s->training->seed, "permutations", number, 0);
    hs_exchange_draw(&s->exchange, &stream, scratch, out);
    for (uint32_t i = 0; i < s->count; i++)
        out[i] = s->class_of[out[i]];
}

/* ---- the statistic ---- */

/* Is it at least the observed value, up to rounding? */
static bool at_least(double t, double observed)
{
    return t >= observed - 1e-9 * (1 + fabs(observed));
}

static double t_of_p(const hs_p_sample *s, double p)
{
    if (s->options.test == HS_P_FISHER)
        return p < 1 ? -log(fmax(p, 5e-324)) : 0;
    return qchisq(p, s->classes - 1, 0, 0);
}

/* Chi-squared or G of a feature that is positive in a[c * step] instances of class c. */
static double t_of_counts(const struct work *w, uint32_t drawn, const uint32_t *a, size_t step)
{
    const hs_p_sample *s = w->sample;
    const double all = s->count, rest = all - drawn;
    double sum = 0;
    for (uint32_t c = 0; c < s->classes; c++) {
        if (s->options.test == HS_P_CHI2) {
            double apart = a[c * step] - (double)drawn * w->total[c] / all;
            sum += w->total[c] ? apart * apart / w->total[c] : 0;
        } else {
            sum += w->x_log_x[a[c * step]] + w->x_log_x[w->total[c] - a[c * step]] -
                   w->x_log_x[w->total[c]];
        }
    }
    if (s->options.test == HS_P_CHI2)
        return drawn && rest > 0 ? sum * all * all / (drawn * rest) : 0;
    return fmax(
        0, 2 * (sum + w->x_log_x[s->count] - w->x_log_x[drawn] - w->x_log_x[s->count - drawn]));
}

/* T where it depends only on how many of `drawn` are of the positive class: for two classes, and in
 * Fisher's test. */
static double t_of_one(const struct work *w, uint32_t drawn, uint32_t both)
{
    const hs_p_sample *s = w->sample;
    uint32_t a[2] = {drawn - both, drawn - both};
    if (s->options.test == HS_P_FISHER)
        return t_of_p(s, hs_p_fisher(s->count, w->total[s->one], drawn, both,
                                     (hs_tail)s->options.tail, s->options.mid));
    a[s->one] = both;
    return t_of_counts(w, drawn, a, 1);
}

/* Counts come from a hypergeometric distribution: from eight standard deviations below its mean to
 * eight above. */
static int fill_table(void *context, size_t index, int worker, hsel_error *error)
{
    struct work *w = context;
    struct table *table = &w->tables[index];
    const double all = w->sample->count, total = w->total[w->sample->one], drawn = table->drawn;
    const double mean = drawn * total / all,
                 sd = sqrt(mean * (1 - total / all) * (all - drawn) / fmax(1, all - 1));
    const double low = fmax(fmax(0, drawn + total - all), floor(mean - 8 * sd) - 2),
                 high = fmin(fmin(drawn, total), ceil(mean + 8 * sd) + 2);
    (void)worker;
    HS_NEED(table->t = HS_NEW(double, (size_t)(high - low) + 1));
    table->low = (uint32_t)low;
    table->length = (uint32_t)(high - low) + 1;
    for (uint32_t i = 0; i < table->length; i++)
        table->t[i] = t_of_one(w, table->drawn, table->low + i);
    return HSEL_OK;
}

/* ---- 512 permutations ---- */

/* T of one feature in the permutations of a block. */
static int permute_feature(const struct work *w, struct scratch *s, uint32_t f,
                           uint32_t permutations, hsel_error *error)
{
    const hs_p_sample *sample = w->sample;
    const hsel_dataset *data = sample->training->view.data;
    const uint32_t classes = sample->classes, one = sample->one;
    size_t drawn;
    if (data->types[w->features[f]] == HSEL_NUMERIC) {
        for (uint32_t i = 0; i < sample->count; i++)
            s->values[i] = hs_dataset_value(data, w->features[f], sample->rows[i]);
        for (uint32_t b = 0; b < permutations; b++) {
            HS_TRY(hs_p_of_values(sample, s->values, s->kept + (size_t)b * sample->count, &s->t[b],
                                  NULL, error));
            s->t[b] = t_of_p(sample, s->t[b]);
        }
        return HSEL_OK;
    }
    const uint32_t *column = hs_sparse_list(w->columns, f, &drawn);
    for (uint32_t b = 0; b < BLOCK; b++)
        s->count[b] = (uint32_t)drawn;
    for (uint32_t c = 1; c < classes; c++) {
        uint32_t *count = s->count + (size_t)c * BLOCK;
        hs_lanes_count(s->bits + (size_t)(c - 1) * sample->count * WORDS, column, drawn, count);
        for (uint32_t b = 0; b < BLOCK; b++)
            s->count[b] -= count[b];
    }
    const uint32_t *count = s->count + (size_t)one * BLOCK;
    if (sample->options.test == HS_P_CMH) {
        for (uint32_t b = 0; b < permutations; b++) {
            double apart = count[b] - w->middle[f];
            s->t[b] = apart * apart * w->scale[f];
        }
    } else if (w->table_of[f] != HSEL_NONE) {
        const struct table *table = &w->tables[w->table_of[f]];
        for (uint32_t b = 0; b < permutations; b++)
            s->t[b] = count[b] - table->low < table->length
                          ? table->t[count[b] - table->low]
                          : t_of_one(w, (uint32_t)drawn, count[b]);
    } else {
        for (uint32_t b = 0; b < permutations; b++)
            s->t[b] = t_of_counts(w, (uint32_t)drawn, s->count + b, BLOCK);
    }
    return HSEL_OK;
}

static int run_block(void *context, size_t block, int worker, hsel_error *error)
{
    struct work *w = context;
    struct scratch *s = w->scratch[worker];
    const hs_p_sample *sample = w->sample;
    const uint32_t rows = sample->count, all = sample->options.permutations;
    const uint32_t left = all - (uint32_t)block * BLOCK, permutations = left < BLOCK ? left : BLOCK;
    memset(s->bits, 0, (size_t)(sample->classes - 1) * rows * WORDS * sizeof *s->bits);
    for (uint32_t b = 0; b < permutations; b++) {
        uint32_t *classes = w->numeric ? s->kept + (size_t)b * rows : s->classes;
        hs_p_permute(sample, block * BLOCK + b, s->shuffled, classes);
        for (uint32_t i = 0; i < rows; i++)
            if (classes[i])
                s->bits[((size_t)(classes[i] - 1) * rows + i) * WORDS + b / 64] |= UINT64_C(1)
                                                                                   << b % 64;
        s->most[b] = -INFINITY;
    }
    for (uint32_t i = w->tested; i-- > 0;) { /* the smallest T first */
        const uint32_t f = w->order[i];
        const double observed = w->t[f];
        uint32_t here = 0, some = 0;
        HS_TRY(permute_feature(w, s, f, permutations, error));
        for (uint32_t b = 0; b < permutations; b++) {
            s->most[b] = s->t[b] > s->most[b] ? s->t[b] : s->most[b];
            here += at_least(s->t[b], observed);
            some += at_least(s->most[b], observed);
        }
        s->as_great[f] += here;
        s->some_as_great[f] += some;
    }
    uint64_t done = atomic_fetch_add(&w->done, permutations) + permutations;
    return hs_progress_report(sample->training->progress, done, all, "permutations", error);
}

/* ---- all of them ---- */

/* The observed T, and what T of permutations needs. */
static int observe_statistics(struct work *w, const double *p, hsel_error *error)
{
    const hs_p_sample *s = w->sample;
    const hsel_dataset *data = s->training->view.data;
    const bool cmh = s->options.test == HS_P_CMH,
               single = s->options.test == HS_P_FISHER || s->classes == 2;
    const size_t cells = (size_t)s->strata * s->classes;
    HS_OWNED uint32_t *positive = HS_NEW(uint32_t, cells), *a = HS_NEW(uint32_t, s->classes);
    HS_OWNED uint32_t *number = HS_NEW(uint32_t, (size_t)s->count + 1); /* of a table */
    size_t drawn;
    HS_NEED(positive && a && number);
    for (uint32_t i = 0; i <= s->count; i++)
        number[i] = HSEL_NONE;
    for (uint32_t f = 0; f < w->count; f++) {
        const uint32_t *column = hs_sparse_list(w->columns, f, &drawn);
        w->table_of[f] = HSEL_NONE;
        w->t[f] = p[f];
        if (isnan(p[f]))
            continue;
        w->order[w->tested++] = f;
        if (data->types[w->features[f]] == HSEL_NUMERIC) {
            w->numeric = true;
            w->t[f] = t_of_p(s, p[f]);
            continue;
        }
        memset(positive, 0, cells * sizeof *positive);
        memset(a, 0, s->classes * sizeof *a);
        for (size_t j = 0; j < drawn; j++) {
            positive[s->cell[column[j]]]++;
            a[s->class_of[column[j]]]++;
        }
        if (cmh) {
            double variance = 0;
            w->middle[f] = 0;
            for (uint32_t k = 0; k < s->strata; k++) {
                const uint32_t *size = s->size + 2 * (size_t)k, *has = positive + 2 * (size_t)k;
                double all = size[0] + size[1], d = has[0] + has[1];
                w->middle[f] += all > 0 ? d * size[s->one] / all : 0;
                variance += all > 1 ? size[0] / all * size[1] / all * d * (all - d) / (all - 1) : 0;
            }
            w->scale[f] = variance > 0 ? 1 / variance : 0;
            double apart = a[s->one] - w->middle[f];
            w->t[f] = apart * apart * w->scale[f];
        } else {
            w->t[f] = single ? t_of_one(w, (uint32_t)drawn, a[s->one])
                             : t_of_counts(w, (uint32_t)drawn, a, 1);
        }
        if (!single || cmh)
            continue;
        if (number[drawn] == HSEL_NONE) {
            number[drawn] = w->table_count;
            w->tables[w->table_count++].drawn = (uint32_t)drawn;
        }
        w->table_of[f] = number[drawn];
    }
    hs_order(w->t, HS_DOWNWARDS, w->order, w->tested);
    return hs_parallel_for(w->table_count, s->training->threads, fill_table, w, error);
}

int hs_p_by_permutation(const hs_p_sample *s, const uint32_t *features, uint32_t count,
                        const hs_sparse *columns, double *p, double *max_t, hsel_error *error)
{
    const uint32_t permutations = s->options.permutations, rows = s->count;
    HS_OWNS(work_clear)
    struct work w = {.sample = s,
                     .features = features,
                     .columns = columns,
                     .count = count,
                     .blocks = ((uint64_t)permutations + BLOCK - 1) / BLOCK};
    HS_NEED(HS_LISTS(&w.arena, &w, HS_PART(&w, order, count), HS_PART(&w, t, count),
                     HS_PART(&w, middle, count), HS_PART(&w, scale, count),
                     HS_PART(&w, table_of, count), HS_PART(&w, tables, count),
                     HS_PART(&w, total, s->classes), HS_PART(&w, x_log_x, (size_t)rows + 1)));
    for (uint32_t i = 0; i < rows; i++)
        w.total[s->class_of[i]]++;
    for (uint32_t i = 1; i <= rows; i++)
        w.x_log_x[i] = i * log(i);
    HS_TRY(hs_exchange_check(&s->exchange, s->training->view.data,
                             s->training->progress ? s->training->progress->notes : NULL, error));
    HS_TRY(observe_statistics(&w, p, error));
    const int threads = hs_threads(s->training->threads);
    w.threads = (uint64_t)threads < w.blocks ? threads : (int)w.blocks;
    HS_NEED(w.scratch = hs_arena_zero(&w.arena, (size_t)w.threads, sizeof(struct scratch *)));
    for (int i = 0; i < w.threads; i++) {
        struct scratch *one = w.scratch[i] =
            HS_BLOCK(one, HS_PART(one, shuffled, rows), HS_PART(one, classes, rows),
                     HS_PART(one, count, (size_t)s->classes * BLOCK), HS_PART(one, values, rows),
                     HS_PART(one, t, BLOCK), HS_PART(one, most, BLOCK),
                     HS_PART(one, as_great, count), HS_PART(one, some_as_great, count),
                     HS_PART(one, kept, w.numeric ? (size_t)BLOCK * rows : 0));
        HS_NEED(one);
        HS_NEED(one->bits =
                    hs_alloc_aligned((size_t)(s->classes - 1) * rows * WORDS, sizeof *one->bits));
    }
    HS_TRY(hs_parallel_for(w.blocks, w.threads, run_block, &w, error));
    for (uint32_t i = 0; i < w.tested; i++) {
        const uint32_t f = w.order[i];
        uint64_t as_great = 1, some = 1;
        for (int k = 0; k < w.threads; k++) {
            as_great += w.scratch[k]->as_great[f];
            some += w.scratch[k]->some_as_great[f];
        }
        p[f] = (double)as_great / (1.0 + permutations);
        if (!max_t)
            continue;
        max_t[f] = (double)some / (1.0 + permutations);
        if (i)
            max_t[f] = fmax(max_t[f], max_t[w.order[i - 1]]);
    }
    for (uint32_t f = 0; max_t && f < count; f++)
        max_t[f] = isnan(p[f]) ? p[f] : max_t[f];
    return HSEL_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Everything follows from how much of set i the sets have in common with it on average, so that no
 * pair is looked at but for the indices that need pairs. Similarities are sorted feature by feature
 * and never held as a matrix.
 */
#include "stats/stability.h"

/* ---- one feature against all, the most similar first ---- */

/* A similarity (its bits as a float, which are in the order of its values as it is not negative)
 * above the complement of the feature: ties go to the lowest index. */
typedef uint64_t entry;

static entry entry_of(double similarity, uint32_t feature)
{
    float value = (float)similarity;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (uint64_t)bits << 32 | (uint32_t)~feature;
}
static double value_of(entry e)
{
    uint32_t bits = (uint32_t)(e >> 32);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}
static uint32_t feature_of(entry e) { return ~(uint32_t)e; }

struct sorter { /* of one worker */
    hs_reach reach;
    double *row;
    entry *entries, *other;
};

struct sorters {
    struct sorter *items; /* [count] */
    int count;
    hs_arena memory; /* of them and their lists */
};

static void sorters_clear(struct sorters *s)
{
    for (int i = 0; s->items && i < s->count; i++)
        hs_reach_clear(&s->items[i].reach);
    hs_arena_clear(&s->memory);
}

static int sorters_init(struct sorters *s, const hs_similarity *similarity, int threads,
                        hsel_error *error)
{
    const size_t features = similarity->features;
    s->count = hs_threads(threads);
    HS_NEED(HS_LISTS(&s->memory, s, HS_PART(s, items, (size_t)s->count)));
    for (struct sorter *one = s->items; one < s->items + s->count; one++) {
        HS_NEED(HS_LISTS(&s->memory, one, HS_PART(one, row, features),
                         HS_PART(one, entries, features), HS_PART(one, other, features)));
        if (similarity->dag)
            HS_TRY(hs_reach_init(&one->reach, similarity->dag, error));
    }
    return HSEL_OK;
}

/* Into s->entries, descending: those of `among` (NULL: all) with a similarity above 0. Returns how
 * many. */
static uint32_t sort_row(struct sorter *s, const hs_similarity *similarity, uint32_t feature,
                         const uint32_t *among, uint32_t count)
{
    enum { BITS = 11, CELLS = 1 << BITS };
    uint32_t found = 0;
    hs_similarity_row(similarity, &s->reach, feature, s->row);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t f = among ? among[i] : i;
        if (s->row[f] > 0)
            s->entries[found++] = entry_of(s->row[f], f);
    }
    /* By digits of the value from the lowest on, each keeping the order of the last; features come
     * in ascending. */
    for (int shift = 32; shift < 64; shift += BITS) {
        uint32_t start[CELLS] = {0}, at = 0;
        for (uint32_t i = 0; i < found; i++)
            start[s->entries[i] >> shift & (CELLS - 1)]++;
        for (uint32_t c = CELLS; c-- > 0;) {
            uint32_t here = start[c];
            start[c] = at;
            at += here;
        }
        for (uint32_t i = 0; i < found; i++)
            s->other[start[s->entries[i] >> shift & (CELLS - 1)]++] = s->entries[i];
        entry *swap = s->entries;
        s->entries = s->other;
        s->other = swap;
    }
    return found;
}

/* ---- what is expected ---- */

enum { CHUNKS = 32 }; /* parts in which features are added up, for any number of threads */

struct profile {
    const hs_similarity *similarity;
    struct sorters sorters;
    double *sums; /* [CHUNKS * features] */
    hs_progress_parts progress;
};

static void profile_clear(struct profile *p)
{
    sorters_clear(&p->sorters);
    hs_free(p->sums);
}

static int add_rows(void *context, size_t chunk, int worker, hsel_error *error)
{
    struct profile *p = context;
    const uint32_t features = p->similarity->features;
    struct sorter *s = &p->sorters.items[worker];
    double *sum = p->sums + chunk * features;
    hs_progress_part part;
    hs_progress_part_begin(&part, &p->progress, "similarities");
    for (uint32_t f = (uint32_t)chunk; f < features; f += CHUNKS) {
        uint32_t count = sort_row(s, p->similarity, f, NULL, features);
        for (uint32_t j = 0; j < count; j++)
            sum[j] += value_of(s->entries[j]);
    }
    return hs_progress_part_end(&part, error);
}

int hs_stability_space_init(hs_stability_space *out, const hsel_dataset *data,
                            hs_similarity_kind kind, int threads, const hs_progress *progress,
                            hsel_error *error)
{
    HS_OWNED uint32_t *support = HS_NEW(uint32_t, data->features);
    HS_NEED(support);
    hs_supports(data, support);
    return hs_stability_space_make(out, data->dag, data->features, support, data->instances, kind,
                                   threads, progress, error);
}

int hs_stability_space_make(hs_stability_space *out, const hsel_dag *dag, uint32_t d,
                            const uint32_t *support, uint32_t instances, hs_similarity_kind kind,
                            int threads, const hs_progress *progress, hsel_error *error)
{
    HS_OWNS(profile_clear)
    struct profile p = {.similarity = &out->similarity,
                        .sums = HS_NEW_ZERO(double, (size_t)CHUNKS *d),
                        .progress = {.whole = progress, .count = CHUNKS}};
    *out = (hs_stability_space){.greatest = HS_NEW_ZERO(double, d)};
    HS_NEED(p.sums && out->greatest);
    HS_TRY(hs_similarity_init(&out->similarity, dag, d, support, instances, kind, error));
    out->similarity.scaled = true;
    if (!dag) { /* each is similar to itself alone */
        out->count = d > 0;
        if (d)
            out->greatest[0] = d;
        return HSEL_OK;
    }
    HS_TRY(sorters_init(&p.sorters, &out->similarity, threads, error));
    HS_TRY(hs_parallel_for(CHUNKS, threads, add_rows, &p, error));
    for (uint32_t j = 0; j < d; j++) {
        for (uint32_t c = 0; c < CHUNKS; c++)
            out->greatest[j] += p.sums[(size_t)c * d + j];
        if (out->greatest[j] > 0)
            out->count = j + 1;
    }
    return HSEL_OK;
}

void hs_stability_space_clear(hs_stability_space *space)
{
    hs_similarity_clear(&space->similarity);
    hs_free(space->greatest);
    *space = (hs_stability_space){0};
}

/* E(k) and its derivative. */
static double expected(const hs_stability_space *space, double k, double d, double *slope)
{
    const double q = k / d;
    double sum = 0, down = 0, weight = 1; /* (1 - q)^j */
    if (!space) {
        *slope = 2 * q;
        return k * q;
    }
    for (uint32_t j = 0; j < space->count && weight > 1e-18; j++, weight *= 1 - q) {
        sum += space->greatest[j] * weight;
        down += space->greatest[j] * j * weight;
    }
    *slope = (2 * q * sum - (q < 1 ? q * q / (1 - q) * down : 0)) / d;
    return q * q * sum;
}

/* ---- sets of one case ---- */

struct matching {
    const hs_stability_space *space; /* NULL: features are alike only to themselves */
    uint32_t sets, member_words;
    uint64_t *members;              /* [features * member_words]: which sets have it */
    uint32_t *chosen, chosen_count; /* features that some set has */
    double *common;                 /* [CHUNKS * sets]: sum over sets of what i has in common */
    struct sorters sorters;
};

static void matching_clear(struct matching *m)
{
    sorters_clear(&m->sorters);
    HS_FREE(m->members, m->chosen, m->common);
}

static int match_features(void *context, size_t chunk, int worker, hsel_error *error)
{
    struct matching *m = context;
    const uint32_t words = m->member_words;
    double *common = m->common + chunk * m->sets;
    HS_OWNED uint64_t *left = HS_NEW(uint64_t, words);
    HS_NEED(left);
    for (uint32_t i = (uint32_t)chunk; i < m->chosen_count; i += CHUNKS) {
        const uint32_t x = m->chosen[i];
        const uint64_t *has = m->members + (size_t)x * words;
        const double times = (double)hs_bits_count(has, words);
        double best = times; /* summed over all sets */
        if (m->space && times < m->sets) {
            struct sorter *s = &m->sorters.items[worker];
            uint32_t count = sort_row(s, &m->space->similarity, x, m->chosen, m->chosen_count);
            for (uint32_t w = 0; w < words; w++)
                left[w] = ~has[w];
            uint32_t missing = m->sets - (uint32_t)times;
            for (uint32_t j = 0; j < count && missing; j++) {
                const uint64_t *other = m->members + (size_t)feature_of(s->entries[j]) * words;
                const double value = value_of(s->entries[j]);
                for (uint32_t w = 0; w < words; w++)
                    for (uint64_t met = left[w] & other[w]; met; met &= met - 1) {
                        common[w * 64 + (uint32_t)__builtin_ctzll(met)] += times * value / 2;
                        best += value;
                        missing--;
                        left[w] &= ~(met & -met);
                    }
            }
        }
        for (uint32_t w = 0; w < words; w++)
            for (uint64_t met = has[w]; met; met &= met - 1)
                common[w * 64 + (uint32_t)__builtin_ctzll(met)] += (times + best) / 2;
    }
    return HSEL_OK;
}

/* The measure. influence[i]: half the influence of set i on it, up to a constant. */
static double measure_stability(const struct matching *m, const double *size, double features,
                                double *influence)
{
    const double sets = m->sets;
    double mean_size = 0, mean_common = 0, slope;
    for (uint32_t i = 0; i < m->sets; i++) {
        influence[i] = 0;
        for (uint32_t c = 0; c < CHUNKS; c++)
            influence[i] += m->common[(size_t)c * m->sets + i];
        mean_size += size[i] / sets;
        mean_common += (influence[i] - size[i]) / (sets * (sets - 1));
    }
    double by_chance = expected(m->space, mean_size, features, &slope),
           room = mean_size - by_chance;
    if (features < 1 || room <= 1e-12 * features) { /* all empty or all full */
        memset(influence, 0, m->sets * sizeof *influence);
        return 1;
    }
    double value = fmin(1, (mean_common - by_chance) / room);
    for (uint32_t i = 0; i < m->sets; i++)
        influence[i] =
            (influence[i] / sets - slope / 2 * size[i] + value / 2 * (slope - 1) * size[i]) / room;
    return value;
}

/* Correlation of two sets of sizes a and b with r features in common, of d in all. */
static double chance_corrected(double r, double a, double b, double d)
{
    if (d == 0)
        return 1;
    double spread = sqrt(a * (1 - a / d) * b * (1 - b / d));
    if (spread == 0)
        return a == b ? 1 : 0;
    return (r - a * b / d) / spread;
}

static double standard_error(const double *influence, uint32_t sets)
{
    double mean = 0, sum = 0;
    for (uint32_t i = 0; i < sets; i++)
        mean += influence[i] / sets;
    for (uint32_t i = 0; i < sets; i++)
        sum += (influence[i] - mean) * (influence[i] - mean);
    return 2 * sqrt(sum) / sets;
}

int hs_stability_of(const uint64_t *masks, uint32_t sets, uint32_t cases, uint32_t features,
                    const hs_stability_space *space, int threads, hs_stability *out,
                    hsel_error *error)
{
    const size_t words = hs_bit_words(features);
    const double pairs = (double)sets * (sets - 1.0) / 2 * cases;
    *out = (hs_stability){sets, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    if (sets < 2 || cases == 0)
        return HSEL_OK;
    HS_OWNS(matching_clear)
    struct matching m = {.sets = sets,
                         .member_words = (uint32_t)hs_bit_words(sets),
                         .chosen = HS_NEW(uint32_t, features),
                         .common = HS_NEW(double, (size_t)CHUNKS *sets)};
    m.members = HS_NEW_ZERO(uint64_t, (size_t)features * m.member_words);
    HS_OWNED double *room = HS_NEW_ZERO(double, (size_t)4 * sets);
    HS_NEED(m.chosen && m.common && m.members && room);
    double *size = room, *influence = room + sets,
           *sum[2] = {room + (size_t)2 * sets, room + (size_t)3 * sets}, value[2] = {0};
    if (space && space->similarity.dag)
        HS_TRY(sorters_init(&m.sorters, &space->similarity, threads, error));
    out->size = out->kuncheva = out->jaccard = 0;
    for (uint32_t c = 0; c < cases; c++) {
        m.chosen_count = 0;
        for (uint32_t i = 0; i < sets; i++) {
            const uint64_t *x = masks + ((size_t)i * cases + c) * words;
            size[i] = (double)hs_bits_count(x, words);
            out->size += size[i] / ((double)sets * cases);
            for (uint32_t j = 0; j < i; j++) {
                double both =
                    (double)hs_bits_count_and(x, masks + ((size_t)j * cases + c) * words, words);
                out->kuncheva += chance_corrected(both, size[i], size[j], features) / pairs;
                out->jaccard +=
                    (size[i] + size[j] > 0 ? both / (size[i] + size[j] - both) : 1) / pairs;
            }
            for (size_t w = 0; w < words; w++)
                for (uint64_t left = x[w]; left; left &= left - 1) {
                    size_t f = w * 64 + (size_t)__builtin_ctzll(left);
                    uint64_t *has = m.members + f * m.member_words;
                    if (hs_bits_count(has, m.member_words) == 0)
                        m.chosen[m.chosen_count++] = (uint32_t)f;
                    hs_bit_set(has, i);
                }
        }
        for (int kind = 0; kind < 2; kind++) { /* without and with similarities */
            if (kind && !(space && space->similarity.dag))
                continue;
            m.space = kind ? space : NULL;
            memset(m.common, 0, (size_t)CHUNKS * sets * sizeof *m.common);
            HS_TRY(hs_parallel_for(CHUNKS, kind ? threads : 1, match_features, &m, error));
            value[kind] += measure_stability(&m, size, features, influence);
            for (uint32_t i = 0; i < sets; i++)
                sum[kind][i] += influence[i] / cases;
        }
        for (uint32_t i = 0; i < m.chosen_count; i++)
            memset(m.members + (size_t)m.chosen[i] * m.member_words, 0,
                   m.member_words * sizeof *m.members);
    }
    out->nogueira = value[0] / cases;
    out->nogueira_se = standard_error(sum[0], sets);
    if (space) {
        const int kind = space->similarity.dag != NULL;
        out->hierarchy = value[kind] / cases;
        out->hierarchy_se = standard_error(sum[kind], sets);
    }
    return HSEL_OK;
}

const char *const hs_stability_names[HSEL_STABILITY_FIGURES] = {
    "nogueira", "nogueira_low", "nogueira_high", "kuncheva",
    "jaccard",  "hierarchy",    "hierarchy_low", "hierarchy_high"};

void hs_stability_figures(const hs_stability *s, double *out)
{
    const double wide = HS_STABILITY_Z * s->nogueira_se, wide_h = HS_STABILITY_Z * s->hierarchy_se;
    const double figures[HSEL_STABILITY_FIGURES] = {[HSEL_NOGUEIRA] = s->nogueira,
                                                    [HSEL_NOGUEIRA_LOW] = s->nogueira - wide,
                                                    [HSEL_NOGUEIRA_HIGH] = s->nogueira + wide,
                                                    [HSEL_KUNCHEVA] = s->kuncheva,
                                                    [HSEL_JACCARD] = s->jaccard,
                                                    [HSEL_HIERARCHY] = s->hierarchy,
                                                    [HSEL_HIERARCHY_LOW] = s->hierarchy - wide_h,
                                                    [HSEL_HIERARCHY_HIGH] = s->hierarchy + wide_h};
    memcpy(out, figures, sizeof figures);
}

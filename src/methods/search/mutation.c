/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mutations of 64 features at a time. Each lane compares a random number with its threshold bit by
 * bit from the top, all lanes at once. A lane is decided at the first bit that differs, so about
 * eight random words decide 64 features, whatever their probabilities.
 *
 * Pairs of ancestor and descendant are lists, both ways. How often two features are positive
 * together comes from one pass over the rows of each feature's instances, so that data that break
 * the true-path rule are counted as they are.
 */
#include "search/mutation.h"

#include "measure/measure.h"

#define COUNTED         (UINT64_C(1) << HS_TALLY_BITS)
#define RELATIVES_LIMIT (UINT64_C(1) << (64 - HS_TALLY_BITS)) /* the count holds fewer … */
_Static_assert(64 - HS_TALLY_BITS + HS_TALLY_UNIT <= HS_TALLY_BITS, "… and the sum that many");

void hs_relatives_clear(hs_relatives *relatives)
{
    hs_sparse_clear(&relatives->side[0]);
    hs_sparse_clear(&relatives->side[1]);
    HS_FREE(relatives->weight[0], relatives->weight[1]);
    *relatives = (hs_relatives){0};
}

int hs_relatives_init(const hs_training *training, bool weights, hs_relatives *out,
                      hsel_error *error)
{
    const hs_view *view = &training->view;
    const hsel_dataset *data = view->data;
    const uint32_t features = data->features;
    HS_OWNS(hs_reach_clear) hs_reach reach = {0};
    hs_sparse *above = &out->side[0], *below = &out->side[1];
    size_t used = 0, capacity = 0, instances, count;
    *out = (hs_relatives){0};
    HS_TRY(hs_sparse_init(above, features, 0, error));
    HS_TRY(hs_reach_init(&reach, data->dag, error));
    for (uint32_t f = 0, u; f < features; f++) {
        if (hs_view_has(view, f))
            for (hs_reach_start(&reach, f); (u = hs_reach_next(&reach)) != HSEL_NONE;)
                if (hs_view_has(view, u)) {
                    HS_NEED(HS_GROW(&above->index, &capacity, used + 1));
                    above->index[used++] = u;
                }
        above->start[f + 1] = used;
    }
    HS_TRY(hs_sparse_transpose(above, features, below, error));
    for (uint32_t f = 0; f < features; f++) {
        count = above->start[f + 1] - above->start[f] + below->start[f + 1] - below->start[f];
        if (count >= RELATIVES_LIMIT)
            return hs_fail(error, HSEL_ELIMIT, "feature %.200s has %zu ancestors and descendants",
                           hsel_dataset_feature_name(data, f), count);
    }
    if (!weights)
        return HSEL_OK;
    HS_OWNED uint32_t *times = HS_NEW_ZERO(uint32_t, data->instances); /* rows in the view */
    HS_OWNED uint32_t *size = HS_NEW_ZERO(uint32_t, features);
    HS_OWNED uint32_t *together = HS_NEW(uint32_t, features);
    out->weight[0] = HS_NEW(uint64_t, used);
    out->weight[1] = HS_NEW(uint64_t, used);
    HS_NEED(times && size && together && out->weight[0] && out->weight[1]);
    for (uint32_t i = 0; i < view->row_count; i++)
        times[hs_view_row(view, i)]++;
    for (uint32_t f = 0; f < features; f++) {
        const uint32_t *column = hs_column(data, f, &instances);
        for (size_t i = 0; i < instances; i++)
            size[f] += times[column[i]];
    }
    for (uint32_t f = 0; f < features; f++) {
        if (above->start[f] == above->start[f + 1] && below->start[f] == below->start[f + 1])
            continue;
        /* together[g]: rows of the view in which f and g are positive, for all g */
        memset(together, 0, features * sizeof *together);
        const uint32_t *column = hs_column(data, f, &instances);
        for (size_t i = 0; i < instances; i++) {
            uint32_t more = times[column[i]];
            const uint32_t *row = hs_row(data, column[i], &count);
            for (size_t j = 0; more && j < count; j++)
                together[row[j]] += more;
        }
        for (int s = 0; s < 2; s++)
            for (uint64_t i = out->side[s].start[f]; i < out->side[s].start[f + 1]; i++) {
                const uint32_t g = out->side[s].index[i];
                uint64_t with = size[f], other = size[g], both = together[g];
                double su = hs_su_pair(both, with - both, other - both,
                                       view->row_count + both - with - other);
                out->weight[s][i] =
                    COUNTED + (uint64_t)llround(ldexp(fmin(fmax(su, 0), 1), HS_TALLY_UNIT));
            }
    }
    return HSEL_OK;
}

void hs_relatives_flip(const hs_relatives *relatives, uint64_t *tally, uint32_t feature, bool joins)
{
    const uint64_t one = joins ? COUNTED : 0 - COUNTED;
    for (int s = 0; s < 2; s++) {
        size_t count;
        const uint32_t *restrict item = hs_sparse_list(&relatives->side[s], feature, &count);
        const uint64_t *restrict weight = relatives->weight[s];
        if (weight)
            weight += relatives->side[s].start[feature];
        for (size_t i = 0; !weight && i < count; i++)
            tally[item[i]] += one;
        for (size_t i = 0; weight && joins && i < count; i++)
            tally[item[i]] += weight[i];
        for (size_t i = 0; weight && !joins && i < count; i++)
            tally[item[i]] -= weight[i];
    }
}

/* ---- mutations ---- */

hs_chance hs_chance_of(double probability)
{
    if (probability >= 1)
        return (hs_chance){.always = true};
    return (hs_chance){.threshold = (uint64_t)ldexp(probability, 53) << 11};
}

static uint64_t spread(uint64_t bit) { return 0 - (bit & 1); }

uint64_t hs_chance_lanes(hs_stream *stream, uint64_t alive, uint64_t which, hs_chance one,
                         hs_chance other)
{
    uint64_t sure = (one.always ? which : 0) | (other.always ? ~which : 0);
    uint64_t below = alive & sure, open = alive & ~sure;
    uint64_t a = one.threshold, b = other.threshold;
    for (; open && (a | b); a <<= 1, b <<= 1) {
        uint64_t random = hs_random_u64(stream);
        uint64_t limit = (which & spread(a >> 63)) | (~which & spread(b >> 63));
        below |= open & ~random & limit;
        open &= ~(random ^ limit);
    }
    return below;
}

/* Is a random number below sum / (count 2^HS_TALLY_UNIT)? Eight bits of it at a time; `random` has
 * the first. The count is below 2^20, so that everything fits. */
static bool below_mean(hs_stream *stream, uint64_t random, uint64_t sum, uint64_t count)
{
    const uint64_t unit = count << HS_TALLY_UNIT; /* the whole interval, … */
    for (int bytes = 0;; bytes++) {
        /* … of which one 256th is taken, by its number; scaled up instead of divided */
        uint64_t low = unit * (random & 255);
        sum <<= 8;
        if (sum <= low)
            return false;
        if (sum >= low + unit)
            return true;
        sum -= low;
        if (bytes % 8 == 0) /* what was given is used up */
            random = hs_random_u64(stream);
        else
            random >>= 8;
    }
}

/* The lanes `alive` of one word. */
static uint64_t mutate_word(const hs_mutation *m, hs_stream *stream, const uint64_t *set,
                            const uint64_t *tally, size_t word, uint64_t alive)
{
    uint64_t selected = set[word] & alive, flips = 0, random = 0;
    int left = 0; /* bytes of `random` */
    if (m->kind == HS_MUTATION_BITWISE)
        return hs_chance_lanes(stream, alive, 0, m->sp, m->sp);
    if (m->kind == HS_MUTATION_CBHE)
        flips = hs_chance_lanes(stream, alive & ~selected, 0, m->sp, m->sp);
    for (uint64_t rest = selected; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        uint64_t of_lane = tally[word * 64 + lane], sum = hs_tally_sum(of_lane);
        if (m->kind == HS_MUTATION_SHE) { /* those with relatives */
            flips |= (uint64_t)(of_lane > 0) << lane;
        } else if (sum) { /* leaves by the mean uncertainty */
            if (left == 0) {
                random = hs_random_u64(stream);
                left = 8;
            }
            if (below_mean(stream, random & 255, sum, hs_tally_count(of_lane)))
                flips |= (uint64_t)1 << lane;
            random >>= 8;
            left--;
        }
    }
    return m->kind == HS_MUTATION_SHE ? hs_chance_lanes(stream, alive, flips, m->bp, m->sp) : flips;
}

void hs_mutate(const hs_mutation *m, hs_stream *stream, const uint64_t *set, uint64_t *tally,
               uint64_t *flips)
{
    bool one_by_one = m->sequential && m->relatives;
    assert(m->kind == HS_MUTATION_BITWISE || m->relatives);
    for (size_t w = 0; w < m->words; w++) {
        flips[w] = 0;
        if (!one_by_one) {
            flips[w] = mutate_word(m, stream, set, tally, w, m->usable[w]);
            continue;
        }
        for (uint64_t rest = m->usable[w]; rest; rest &= rest - 1) {
            uint64_t lane = rest & (0 - rest);
            if (!mutate_word(m, stream, set, tally, w, lane))
                continue;
            flips[w] |= lane;
            hs_relatives_flip(m->relatives, tally,
                              (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(lane),
                              !(set[w] & lane));
        }
    }
}

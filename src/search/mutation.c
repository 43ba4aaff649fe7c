/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mutations, 64 features at a time. A lane compares a random number with its threshold bit by bit
 * from the top, all lanes at once; a lane is decided at the first bit that differs, so some eight
 * random words decide 64 features, whatever their probabilities.
 */
#include "search/mutation.h"

#include <math.h>

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

/* Is a random number below sum / (count 2^HS_KIN_UNIT)? Eight bits of it at a time; `random` has
 * the first. The count is below 2^20, so that everything fits. */
static bool below_mean(hs_stream *stream, uint64_t random, uint64_t sum, uint64_t count)
{
    const uint64_t unit = count << HS_KIN_UNIT; /* the whole interval, … */
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

/* The selected features of a word that leave by their mean uncertainty. */
static uint64_t leave_by_mean(hs_stream *stream, uint64_t selected, size_t word, hs_kin kin)
{
    uint64_t flips = 0, random = 0;
    int left = 0;
    for (; selected; selected &= selected - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(selected);
        size_t f = word * 64 + lane;
        uint64_t sum = hs_kin_sum(kin[f]);
        if (!sum)
            continue;
        if (left == 0) {
            random = hs_random_u64(stream);
            left = 8;
        }
        if (below_mean(stream, random & 255, sum, hs_kin_count(kin[f])))
            flips |= (uint64_t)1 << lane;
        random >>= 8;
        left--;
    }
    return flips;
}

static uint64_t with_kin(uint64_t selected, size_t word, hs_kin kin)
{
    uint64_t related = 0;
    for (; selected; selected &= selected - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(selected);
        related |= (uint64_t)(kin[word * 64 + lane] > 0) << lane;
    }
    return related;
}

/* The lanes `alive` of one word. */
static uint64_t mutate_word(const hs_mutation *m, hs_stream *stream, const uint64_t *set,
                            hs_kin kin, size_t word, uint64_t alive)
{
    uint64_t selected = set[word] & alive;
    if (m->kind == HS_MUTATION_SHE)
        return hs_chance_lanes(stream, alive, with_kin(selected, word, kin), m->bp, m->sp);
    if (m->kind == HS_MUTATION_CBHE)
        return hs_chance_lanes(stream, alive & ~selected, 0, m->sp, m->sp) |
               leave_by_mean(stream, selected, word, kin);
    return hs_chance_lanes(stream, alive, 0, m->sp, m->sp);
}

void hs_mutate(const hs_mutation *m, hs_stream *stream, const uint64_t *set, hs_kin kin,
               uint64_t *flips)
{
    bool one_by_one = m->sequential && m->relatives;
    for (size_t w = 0; w < m->words; w++) {
        flips[w] = 0;
        if (!one_by_one) {
            flips[w] = mutate_word(m, stream, set, kin, w, m->usable[w]);
            continue;
        }
        for (uint64_t rest = m->usable[w]; rest; rest &= rest - 1) {
            uint64_t lane = rest & (0 - rest);
            if (!mutate_word(m, stream, set, kin, w, lane))
                continue;
            flips[w] |= lane;
            hs_kin_flip(m->relatives, kin, (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(lane),
                        !(set[w] & lane));
        }
    }
}

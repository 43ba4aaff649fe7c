/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Near copies of instances, found by the smallest hashes of their features (MinHash), then
 * compared: O(positive values + instances log instances).
 */
#include "data/data.h"

#include <ctype.h>

enum { FEATURES = 10, HASHES = 120 };
#define ALIKE 0.8

/* Instances with the same `hashes` smallest hashes in one of `bands` are compared. A pair that just
 * counts as near copies is found with probability 1 - (1 - 0.8^hashes)^bands: 0.84 to note them, as
 * nearly all have closer ones, and 0.9999 to join them in a group. */
typedef struct effort {
    uint32_t bands, hashes;
} effort;
static const effort to_note = {6, 6}, to_join = {24, 5};

struct marks {
    uint64_t *above, round; /* above[f] == round: f is an ancestor of another feature of the row */
};

/* The most specific positive features of a row, ascending. */
static size_t most_specific(const hsel_dataset *data, uint32_t row, struct marks *m, uint32_t *out)
{
    size_t count, used = 0;
    m->round++;
    const uint32_t *feature = hs_row(data, row, &count);
    for (size_t i = 0; i < count && data->dag; i++) {
        size_t parents;
        const uint32_t *parent = hs_parents(data->dag, feature[i], &parents);
        for (size_t p = 0; p < parents; p++)
            m->above[parent[p]] = m->round;
    }
    for (size_t i = 0; i < count; i++)
        if (m->above[feature[i]] != m->round)
            out[used++] = feature[i];
    return used;
}

static uint64_t mix_bits(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

struct key {
    uint64_t hash;
    uint32_t row;
};

static int by_hash(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    return x->hash != y->hash ? (x->hash > y->hash ? 1 : -1)
                              : (x->row > y->row) - (x->row < y->row);
}

static bool are_alike(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count)
{
    size_t both = 0;
    for (size_t i = 0, j = 0; i < a_count && j < b_count;) {
        both += a[i] == b[j];
        const bool next = a[i] <= b[j];
        j += b[j] <= a[i];
        i += next;
    }
    return (double)both >= ALIKE * (double)(a_count + b_count - both);
}

enum { SUFFIXES = 12, STEMS = 3 };

/* p17_1, p17_2 and p18_1, but not p_1 … p_1000, nor daf-2 and daf-16. */
static int by_identifier(const hsel_dataset *data, hs_repeats *out, hsel_error *error)
{
    const uint32_t n = data->ids.count;
    HS_OWNS(hs_names_clear) hs_names stems = {0};
    HS_OWNS(hs_names_clear) hs_names suffixes = {0};
    HS_OWNED uint32_t *first = HS_NEW(uint32_t, n), *members = HS_NEW_ZERO(uint32_t, n);
    uint32_t named = 0, stem, suffix;
    hs_repeats found = {.first = HSEL_NONE, .second = HSEL_NONE, .named = true};
    HS_NEED(first && members);
    for (uint32_t i = 0; i < n && suffixes.count <= SUFFIXES; i++) {
        const char *id = hs_names_get(&data->ids, i);
        const size_t length = hs_names_length(&data->ids, i);
        size_t at = length;
        while (at > 0 && length - at < 3 && isalnum((unsigned char)id[at - 1]))
            at--;
        if (at < 2 || at == length || length - at > 2 || !strchr("_-.:/ ", id[at - 1]))
            continue;
        named++;
        HS_TRY(hs_names_intern(&stems, id, at - 1, &stem, NULL, error));
        HS_TRY(hs_names_intern(&suffixes, id + at, length - at, &suffix, NULL, error));
        if (members[stem]++ == 0)
            first[stem] = i;
        else if (found.first == HSEL_NONE) {
            found.separator = id[at - 1];
            found.first = first[stem];
            found.second = i;
        }
    }
    for (uint32_t s = 0; s < stems.count; s++)
        found.instances += members[s] > 1 ? members[s] : 0;
    found.many = n >= 20 && suffixes.count <= SUFFIXES && stems.count >= STEMS &&
                 10 * (uint64_t)named >= 9 * (uint64_t)n && 2 * (uint64_t)found.instances >= n;
    if (found.many)
        *out = found;
    return HSEL_OK;
}

/* Fills keys[bands * instances] of the instances that have enough features, sorted in each band;
 * *count: their number. list[features] is for the function. */
static void find_keys(const hsel_dataset *data, effort of, struct marks *marks, uint32_t *list,
                      struct key *keys, uint32_t *count)
{
    const uint32_t n = data->instances, all = of.bands * of.hashes;
    uint64_t odd[HASHES], least[HASHES];
    *count = 0;
    for (uint32_t h = 0; h < all; h++)
        odd[h] = mix_bits(h + 1) | 1;
    for (uint32_t i = 0; i < n; i++) {
        const size_t features = most_specific(data, i, marks, list);
        if (features < FEATURES)
            continue;
        memset(least, 0xff, sizeof least);
        for (size_t f = 0; f < features; f++) {
            const uint64_t hash = mix_bits(list[f] + 1);
            for (uint32_t h = 0; h < all; h++)
                least[h] = hash * odd[h] < least[h] ? hash * odd[h] : least[h];
        }
        for (uint32_t band = 0; band < of.bands; band++) {
            struct key *key = &keys[(size_t)band * n + *count];
            *key = (struct key){.row = i};
            for (uint32_t h = 0; h < of.hashes; h++)
                key->hash = mix_bits(key->hash ^ least[band * of.hashes + h]);
        }
        ++*count;
    }
    for (uint32_t band = 0; band < of.bands; band++)
        qsort(keys + (size_t)band * n, *count, sizeof *keys, by_hash);
}

/* What a search needs: marks, and the features of two instances. */
typedef struct search {
    const hsel_dataset *data;
    struct marks marks;
    uint32_t *first, *second;
    struct key *keys;
    uint32_t count;
} search;

static void copy_search_clear(search *s) { HS_FREE(s->marks.above, s->first, s->second, s->keys); }

static int copy_search_open(const hsel_dataset *data, effort of, search *s, hsel_error *error)
{
    s->data = data;
    s->marks.above = HS_NEW_ZERO(uint64_t, data->features);
    s->first = HS_NEW(uint32_t, data->features);
    s->second = HS_NEW(uint32_t, data->features);
    s->keys = HS_NEW(struct key, (size_t)of.bands * data->instances);
    HS_NEED(s->marks.above && s->first && s->second && s->keys);
    find_keys(data, of, &s->marks, s->first, s->keys, &s->count);
    return HSEL_OK;
}

static bool are_copies(search *s, uint32_t a, uint32_t b)
{
    const size_t in_a = most_specific(s->data, a, &s->marks, s->first);
    return are_alike(s->first, in_a, s->second, most_specific(s->data, b, &s->marks, s->second));
}

enum { OTHERS = 16 }; /* instances with the same hashes that one is compared with */

int hs_repeats_find(const hsel_dataset *data, hs_repeats *out, hsel_error *error)
{
    const uint32_t n = data->instances;
    const hs_view all = hs_view_all(data);
    const uint32_t others = hs_has_role(data, HS_ABOUT_GROUP) ? OTHERS : 1;
    HS_OWNS(copy_search_clear) search s = {0};
    HS_OWNS(hs_units_clear) hs_units groups = {0};
    HS_OWNED bool *copied = HS_NEW_ZERO(bool, n);
    *out = (hs_repeats){.first = HSEL_NONE, .second = HSEL_NONE, .grouped = others > 1};
    HS_NEED(copied);
    HS_TRY(hs_units_by_group(&all, &groups, error)); /* without groups each instance is one */
    HS_TRY(copy_search_open(data, to_note, &s, error));
    for (uint32_t band = 0; band < to_note.bands; band++) {
        const struct key *keys = s.keys + (size_t)band * n;
        for (uint32_t k = 1; k < s.count; k++)
            for (uint32_t j = k; j-- > 0 && k - j <= others && keys[j].hash == keys[k].hash;) {
                const uint32_t a = keys[j].row, b = keys[k].row;
                if (groups.of[a] == groups.of[b] || (copied[a] && copied[b]) ||
                    !are_copies(&s, a, b))
                    continue;
                copied[a] = copied[b] = true;
                if (out->first == HSEL_NONE) {
                    out->first = a;
                    out->second = b;
                }
            }
    }
    for (uint32_t i = 0; i < n; i++)
        out->instances += copied[i];
    out->many = out->instances >= 20 && 4 * (uint64_t)out->instances >= n;
    return out->many || out->grouped ? HSEL_OK : by_identifier(data, out, error);
}

int hs_copies_join(const hsel_dataset *data, uint32_t *of, hsel_error *error)
{
    const uint32_t n = data->instances;
    HS_OWNS(copy_search_clear) search s = {0};
    HS_TRY(copy_search_open(data, to_join, &s, error));
    for (uint32_t i = 0; i < n; i++)
        of[i] = i;
    for (uint32_t band = 0; band < to_join.bands; band++) {
        const struct key *keys = s.keys + (size_t)band * n;
        for (uint32_t k = 1; k < s.count; k++) {
            uint32_t compared = 0;
            for (uint32_t j = k; j-- > 0 && keys[j].hash == keys[k].hash && compared < OTHERS;) {
                const uint32_t a = keys[j].row, b = keys[k].row;
                if (hs_joined(of, a) == hs_joined(of, b))
                    continue;
                compared++;
                if (are_copies(&s, a, b))
                    hs_join(of, a, b);
            }
        }
    }
    return HSEL_OK;
}

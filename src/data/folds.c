/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fold schemes. Each fills `order` (fold after fold) and `start`; fold_of follows from them.
 */
#include "data/folds.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "core/random.h"

void hs_folds_clear(hs_folds *folds)
{
    HS_FREE(folds->fold_of, folds->order, folds->start);
    *folds = (hs_folds){0};
}

static int folds_alloc(uint32_t instances, uint32_t count, hs_folds *out, hsel_error *error)
{
    *out = (hs_folds){.instances = instances,
                      .count = count,
                      .fold_of = HS_NEW(uint32_t, instances),
                      .order = HS_NEW(uint32_t, instances),
                      .start = HS_NEW_ZERO(uint32_t, (size_t)count + 2)};
    if (out->fold_of && out->order && out->start)
        return HSEL_OK;
    hs_folds_clear(out);
    return hs_fail_memory(error);
}

/* order and start from fold_of, instances ascending within a fold. */
static void order_by_fold(hs_folds *folds)
{
    for (uint32_t i = 0; i < folds->instances; i++)
        folds->start[folds->fold_of[i] + 2]++;
    for (uint32_t f = 0; f < folds->count; f++)
        folds->start[f + 2] += folds->start[f + 1];
    for (uint32_t i = 0; i < folds->instances; i++)
        folds->order[folds->start[folds->fold_of[i] + 1]++] = i;
}

int hs_folds_from(const uint32_t *fold_of, uint32_t instances, uint32_t count, hs_folds *out,
                  hsel_error *error)
{
    for (uint32_t i = 0; i < instances; i++)
        if (fold_of[i] >= count)
            return hs_fail(error, HSEL_EUSAGE, "instance %u is in fold %u, but there are %u folds",
                           i + 1, fold_of[i] + 1, count);
    HS_TRY(folds_alloc(instances, count, out, error));
    if (instances)
        memcpy(out->fold_of, fold_of, instances * sizeof *fold_of);
    order_by_fold(out);
    for (uint32_t f = 0; f < count; f++)
        if (out->start[f] == out->start[f + 1]) {
            hs_folds_clear(out);
            return hs_fail(error, HSEL_EUSAGE, "fold %u has no instance", f + 1);
        }
    return HSEL_OK;
}

uint32_t hs_folds_training(const hs_folds *folds, uint32_t fold, uint32_t *rows)
{
    uint32_t count = 0;
    assert(fold < folds->count);
    for (uint32_t i = 0; i < folds->instances; i++)
        if (folds->fold_of[i] != fold && folds->fold_of[i] != HSEL_NONE)
            rows[count++] = i;
    return count;
}

hs_view hs_folds_rest(const hs_folds *folds, const hs_view *view, uint32_t fold, uint32_t *rows)
{
    hs_view rest = *view;
    rest.rows = rows;
    rest.row_count = hs_folds_training(folds, fold, rows);
    for (uint32_t i = 0; i < rest.row_count; i++)
        rows[i] = hs_view_row(view, rows[i]);
    return rest;
}

/* ---- own: each class shuffled and dealt round the folds, going on where the last class ended ----
 */

int hs_folds_of_view(const hs_view *view, uint32_t count, uint64_t seed, hs_folds *out,
                     hsel_error *error)
{
    uint32_t rows = view->row_count, next = 0;
    if (count > rows)
        count = rows;
    if (count < 2)
        return hs_fail(error, HSEL_EUSAGE, "%u instances cannot be dealt into %u folds", rows,
                       count);
    HS_OWNS(hs_sparse_clear) hs_sparse of_class = {0};
    HS_OWNED uint32_t *label = HS_NEW(uint32_t, rows);
    HS_NEED(label);
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t row = hs_view_row(view, i);
        label[i] = view->data->target ? 0 : hsel_dataset_class_of(view->data, row);
        if (!hs_has_label(view->data, row))
            return hs_fail(error, HSEL_EUSAGE, "instance %u of %s has no %s", row + 1,
                           hsel_dataset_name(view->data), view->data->target ? "target" : "class");
    }
    HS_TRY(hs_sparse_group(view->data->target ? 1 : view->data->class_names.count, label, NULL,
                           rows, &of_class, error));
    HS_TRY(folds_alloc(rows, count, out, error));
    for (uint32_t c = 0; c < of_class.lists; c++) {
        uint64_t first = of_class.start[c], end = of_class.start[c + 1];
        hs_stream stream;
        hs_stream_init(&stream, seed, "folds", c, 0);
        hs_random_shuffle(&stream, of_class.index + first, (size_t)(end - first));
        for (uint64_t i = first; i < end; i++, next = (next + 1) % count)
            out->fold_of[of_class.index[i]] = next;
    }
    order_by_fold(out);
    return HSEL_OK;
}

int hs_folds_within(const hs_view *view, uint32_t count, uint64_t seed, hs_folds *out,
                    hsel_error *error)
{
    HS_OWNS(hs_folds_clear) hs_folds dealt = {0};
    HS_TRY(hs_folds_of_view(view, count, seed, &dealt, error));
    HS_TRY(folds_alloc(view->data->instances, dealt.count, out, error));
    memset(out->fold_of, 0xff, out->instances * sizeof *out->fold_of); /* HSEL_NONE */
    memcpy(out->start, dealt.start, ((size_t)dealt.count + 1) * sizeof *out->start);
    for (uint32_t i = 0; i < dealt.instances; i++) {
        out->order[i] = hs_view_row(view, dealt.order[i]);
        out->fold_of[out->order[i]] = dealt.fold_of[dealt.order[i]];
    }
    return HSEL_OK;
}

/* ---- weka: java.util.Random, shuffle, stratify, consecutive blocks ---- */

static int32_t java_next(uint64_t *state, int bits)
{
    *state = (*state * UINT64_C(0x5DEECE66D) + 11) & ((UINT64_C(1) << 48) - 1);
    return (int32_t)(*state >> (48 - bits));
}

static int32_t java_below(uint64_t *state, int32_t below)
{
    int32_t bits, value;
    if ((below & -below) == below)
        return (int32_t)((int64_t)below * java_next(state, 31) >> 31);
    do {
        bits = java_next(state, 31);
        value = bits % below;
    } while ((int64_t)bits - value + (below - 1) > INT32_MAX);
    return value;
}

static void swap(uint32_t *items, uint32_t a, uint32_t b)
{
    uint32_t kept = items[a];
    items[a] = items[b];
    items[b] = kept;
}

static void make_weka(const hsel_dataset *data, uint64_t seed, uint32_t *scratch, hs_folds *folds)
{
    uint64_t state = (seed ^ UINT64_C(0x5DEECE66D)) & ((UINT64_C(1) << 48) - 1);
    uint32_t n = data->instances, k = folds->count, used = 0;
    for (uint32_t i = 0; i < n; i++)
        scratch[i] = i;
    for (uint32_t j = n; j > 1; j--)
        swap(scratch, j - 1, (uint32_t)java_below(&state, (int32_t)j));
    /* Instances.stratify, first part: equal classes brought together by swapping. */
    for (uint32_t index = 1; index < n && !data->target; index++) {
        uint32_t label = data->class_of[scratch[index - 1]];
        for (uint32_t j = index; j < n; j++)
            if (data->class_of[scratch[j]] == label)
                swap(scratch, index++, j);
    }
    for (uint32_t first = 0; first < k && !data->target; first++)
        for (uint32_t i = first; i < n; i += k)
            folds->order[used++] = scratch[i];
    if (data->target)
        memcpy(folds->order, scratch, n * sizeof *scratch);
    for (uint32_t f = 0; f < k; f++)
        folds->start[f + 1] = folds->start[f] + n / k + (f < n % k);
    for (uint32_t f = 0; f < k; f++)
        for (uint32_t i = folds->start[f]; i < folds->start[f + 1]; i++)
            folds->fold_of[folds->order[i]] = f;
}

/* ---- wan: fixed class sizes, then the leftovers one a fold ---- */

static uint32_t take(uint32_t *from, uint32_t *left, uint32_t wanted, uint32_t fold,
                     hs_folds *folds)
{
    uint32_t count = wanted < *left ? wanted : *left;
    for (uint32_t i = 0; i < count; i++)
        folds->fold_of[from[--*left]] = fold;
    return count;
}

static void make_wan(const hsel_dataset *data, uint64_t seed, uint32_t *scratch, hs_folds *folds)
{
    uint32_t n = data->instances, k = folds->count, size = n / k, positives = 0, negatives = 0;
    uint32_t *positive = scratch, *negative;
    hs_stream stream;
    for (uint32_t i = 0; i < n; i++)
        if (data->class_of[i] == data->positive_class)
            positive[positives++] = i;
    negative = scratch + positives;
    for (uint32_t i = 0; i < n; i++)
        if (data->class_of[i] != data->positive_class)
            negative[negatives++] = i;
    hs_stream_init(&stream, seed, "folds-wan", 0, 0);
    hs_random_shuffle(&stream, positive, positives);
    hs_random_shuffle(&stream, negative, negatives);
    uint32_t share = (uint32_t)floor((double)size * positives / n + 0.5);
    for (uint32_t f = 0; f < k; f++) {
        uint32_t taken = take(positive, &positives, share, f, folds);
        taken += take(negative, &negatives, size - taken, f, folds);
        take(positive, &positives, size - taken, f, folds);
    }
    memmove(positive + positives, negative,
            negatives * sizeof *negative); /* the leftovers side by side */
    hs_random_shuffle(&stream, positive, positives + negatives);
    for (uint32_t i = 0; i < positives + negatives; i++)
        folds->fold_of[positive[i]] = i % k;
    order_by_fold(folds);
}

/* ---- all together ---- */

int hs_folds_check(const hsel_dataset *data, hsel_error *error)
{
    uint32_t first = HSEL_NONE, second = HSEL_NONE; /* two classes that occur */
    for (uint32_t i = 0; data->target && i < data->instances; i++)
        if (!hs_has_label(data, i))
            return hs_fail(error, HSEL_EUSAGE,
                           "instance %u of %s has no target: cross-validation needs them all",
                           i + 1, hsel_dataset_name(data));
    if (data->target)
        return HSEL_OK;
    if (data->class_names.count < 2)
        return hs_fail(error, HSEL_EUSAGE,
                       "cross-validation needs two classes or more, and %s has %u",
                       hsel_dataset_name(data), data->class_names.count);
    for (uint32_t i = 0; i < data->instances; i++) {
        uint32_t label = data->class_of[i];
        if (label == HSEL_NONE)
            return hs_fail(error, HSEL_EUSAGE,
                           "instance %u of %s has no class: cross-validation needs them all", i + 1,
                           hsel_dataset_name(data));
        if (first == HSEL_NONE)
            first = label;
        else if (label != first)
            second = label;
    }
    if (first == HSEL_NONE)
        return hs_fail(error, HSEL_EUSAGE, "%s has no instances", hsel_dataset_name(data));
    if (second == HSEL_NONE)
        return hs_fail(
            error, HSEL_EUSAGE,
            "cross-validation needs two classes or more, and every instance of %s is of class %s",
            hsel_dataset_name(data), hsel_dataset_class_name(data, first));
    return HSEL_OK;
}

int hs_folds_make(const hsel_dataset *data, hs_fold_scheme scheme, uint32_t count, uint64_t seed,
                  hs_folds *out, hsel_error *error)
{
    if (scheme == HS_FOLDS_LOO)
        count = data->instances;
    HS_TRY(hs_folds_check(data, error));
    if (scheme == HS_FOLDS_WAN && data->target)
        return hs_fail(error, HSEL_EUSAGE,
                       "the fold scheme wan is for two classes, and the target of %s is a number",
                       hsel_dataset_name(data));
    if (scheme == HS_FOLDS_WAN && data->class_names.count != 2)
        return hs_fail(error, HSEL_EUSAGE, "the fold scheme wan is for two classes, and %s has %u",
                       hsel_dataset_name(data), data->class_names.count);
    if (count < 2)
        return hs_fail(error, HSEL_EUSAGE, "cross-validation needs at least two folds");
    if (count > data->instances)
        return hs_fail(error, HSEL_EUSAGE, "%u folds are more than the %u instances of %s", count,
                       data->instances, hsel_dataset_name(data));
    if (scheme == HS_FOLDS_OWN)
        return hs_folds_of_view(&(hs_view){.data = data, .row_count = data->instances}, count, seed,
                                out, error);
    HS_OWNED uint32_t *scratch = HS_NEW(uint32_t, data->instances);
    HS_NEED(scratch);
    HS_TRY(folds_alloc(data->instances, count, out, error));
    if (scheme == HS_FOLDS_WEKA) {
        make_weka(data, seed, scratch, out);
    } else if (scheme == HS_FOLDS_WAN) {
        make_wan(data, seed, scratch, out);
    } else if (scheme == HS_FOLDS_LOO) {
        for (uint32_t i = 0; i < out->instances; i++)
            out->fold_of[i] = i;
        order_by_fold(out);
    }
    return HSEL_OK;
}

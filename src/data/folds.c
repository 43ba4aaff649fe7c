/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fold schemes. Each fills `order` (fold after fold) and `start`; fold_of follows from them.
 */
#include "data/data.h"

void hs_folds_clear(hs_folds *folds)
{
    HS_FREE(folds->fold_of, folds->order, folds->start, folds->group, folds->meets);
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
        if (hs_fold_tests(folds, i))
            folds->start[folds->fold_of[i] + 2]++;
    for (uint32_t f = 0; f < folds->count; f++)
        folds->start[f + 2] += folds->start[f + 1];
    for (uint32_t i = 0; i < folds->instances; i++)
        if (hs_fold_tests(folds, i))
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

/* Is every tested instance later than all that are learned from? `time`: its place among all. */
static bool is_in_time(const hs_folds *folds, const uint32_t *time, uint32_t tested)
{
    for (uint32_t f = 0; f < tested; f++) {
        uint32_t first = HSEL_NONE, last = 0;
        for (uint32_t i = 0; i < folds->instances; i++)
            if (folds->fold_of[i] == f)
                first = time[i] < first ? time[i] : first;
            else
                last = time[i] + 1 > last ? time[i] + 1 : last;
        if (first < last)
            return false;
    }
    return true;
}

int hs_folds_respect_design(const hs_folds *folds, const hsel_dataset *data, uint32_t tested,
                            hsel_error *error)
{
    const char *name = hsel_dataset_name(data);
    const hs_view all = hs_view_all(data);
    HS_OWNS(hs_units_clear) hs_units groups = {0};
    HS_OWNS(hs_units_clear) hs_units times = {0};
    if (hs_has_role(data, HS_ABOUT_TEST))
        return hs_fail(error, HSEL_EUSAGE,
                       "%s has a test set, which given folds would ignore: omit one of the two",
                       name);
    if (hs_has_role(data, HS_ABOUT_TIME)) {
        HS_TRY(hs_units_by_time(&all, &times, error));
        if (!is_in_time(folds, times.of, tested))
            return hs_fail(error, HSEL_EUSAGE,
                           "%s has times, but the given folds learn from instances that are not "
                           "before those they test: omit one of the two",
                           name);
    }
    if (!hs_has_role(data, HS_ABOUT_GROUP))
        return HSEL_OK;
    HS_TRY(hs_units_by_group(&all, &groups, error));
    HS_OWNED uint32_t *first = hs_new_none(groups.count);
    HS_NEED(first);
    for (uint32_t i = 0; i < data->instances; i++) {
        uint32_t *of = &first[groups.of[i]];
        if (*of != HSEL_NONE && folds->fold_of[*of] != folds->fold_of[i])
            return hs_fail(
                error, HSEL_EUSAGE,
                "instances %u and %u of %s belong to the same group, but are in different folds",
                *of + 1, i + 1, name);
        *of = i;
    }
    return HSEL_OK;
}

const char *hs_folds_say(const hs_folds *folds, char out[HS_FOLDS_ROOM])
{
    char groups[32], tested[32], instances[32], of_groups[64] = "";
    const bool fixed = folds->count == 1 && !folds->past;
    hs_format_grouped(folds->groups, groups);
    hs_format_grouped(folds->start[folds->count], tested);
    hs_format_grouped(folds->instances, instances);
    *out = '\0';
    if (folds->groups)
        snprintf(of_groups, sizeof of_groups, ", none of %s groups split", groups);
    if (fixed)
        snprintf(out, HS_FOLDS_ROOM, "a test set of %s of %s instances%s", tested, instances,
                 of_groups);
    else if (folds->past == HSEL_NONE)
        snprintf(out, HS_FOLDS_ROOM, "%u folds in time, trained on all earlier instances%s",
                 folds->count, of_groups);
    else if (folds->past)
        snprintf(out, HS_FOLDS_ROOM, "%u folds in time, trained on the %u block%s before each%s",
                 folds->count, folds->past, folds->past == 1 ? "" : "s", of_groups);
    else if (folds->groups)
        snprintf(out, HS_FOLDS_ROOM, "%u folds%s", folds->count, of_groups);
    return out;
}

int hs_learns_for(const hsel_dataset *data, uint32_t instance, bool *learns, hsel_error *error)
{
    const hs_view all = hs_view_all(data);
    HS_OWNS(hs_units_clear) hs_units groups = {0};
    HS_OWNS(hs_units_clear) hs_units times = {0};
    HS_TRY(hs_units_by_group(&all, &groups, error)); /* without groups each instance is one */
    if (hs_has_role(data, HS_ABOUT_TIME))
        HS_TRY(hs_units_by_time(&all, &times, error));
    for (uint32_t i = 0; i < data->instances; i++) {
        bool test;
        HS_TRY(hs_test_of(data, i, &test, error));
        learns[i] = !test && groups.of[i] != groups.of[instance] &&
                    (!times.of || times.of[i] < times.of[instance]);
    }
    return HSEL_OK;
}

uint32_t hs_folds_training(const hs_folds *folds, uint32_t fold, uint32_t *rows)
{
    uint32_t count = 0;
    assert(fold < folds->count);
    for (uint32_t i = 0; i < folds->instances; i++)
        if (hs_fold_learns(folds, i, fold))
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

/* ---- by groups and times ---- */

/* The largest groups first, equal ones in random order. */
static int order_groups(const hs_sparse *rows_of, uint64_t seed, uint32_t *order, hsel_error *error)
{
    const uint32_t groups = rows_of->lists;
    HS_OWNED uint32_t *mixed = HS_NEW(uint32_t, groups);
    HS_OWNED double *size = HS_NEW(double, groups);
    hs_stream stream;
    HS_NEED(mixed && size);
    for (uint32_t g = 0; g < groups; g++)
        mixed[g] = g;
    hs_stream_init(&stream, seed, "folds of groups", 0, 0);
    hs_random_shuffle(&stream, mixed, groups);
    for (uint32_t g = 0; g < groups; g++)
        size[g] = (double)(rows_of->start[mixed[g] + 1] - rows_of->start[mixed[g]]);
    hs_order_all(size, HS_DOWNWARDS, order, groups);
    for (uint32_t g = 0; g < groups; g++)
        order[g] = mixed[order[g]];
    return HSEL_OK;
}

/* Assigns each group to the fold where the sum of the squared class shares grows least, which keeps
 * classes most even. Ties: the fold with fewer instances. */
static int deal_groups(const hs_units *groups, const uint32_t *label, uint32_t classes,
                       uint64_t seed, hs_folds *out, hsel_error *error)
{
    HS_OWNS(hs_sparse_clear) hs_sparse rows_of = {0};
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, groups->count),
                      *size = HS_NEW_ZERO(uint32_t, out->count),
                      *there = HS_NEW_ZERO(uint32_t, (size_t)out->count * classes);
    HS_OWNED double *weight = HS_NEW_ZERO(double, classes);
    HS_NEED(order && size && there && weight);
    HS_TRY(hs_sparse_group(groups->count, groups->of, NULL, out->instances, &rows_of, error));
    HS_TRY(order_groups(&rows_of, seed, order, error));
    for (uint32_t i = 0; i < out->instances; i++)
        weight[label[i]]++;
    for (uint32_t c = 0; c < classes; c++)
        weight[c] = weight[c] > 0 ? 1 / (weight[c] * weight[c]) : 0;
    for (uint32_t g = 0; g < groups->count; g++) {
        size_t rows;
        const uint32_t *row = hs_sparse_list(&rows_of, order[g], &rows);
        uint32_t best = 0;
        double least = INFINITY;
        for (uint32_t f = 0; f < out->count; f++) {
            double more = 0;
            for (size_t i = 0; i < rows; i++)
                more += weight[label[row[i]]] * there[(size_t)f * classes + label[row[i]]];
            if (more < least || (more == least && size[f] < size[best])) {
                least = more;
                best = f;
            }
        }
        for (size_t i = 0; i < rows; i++) {
            out->fold_of[row[i]] = best;
            there[(size_t)best * classes + label[row[i]]]++;
        }
        size[best] += (uint32_t)rows;
    }
    return HSEL_OK;
}

/* Divides the times into a first block and folds of about equal size: the cuts between instances
 * are moved to the nearest border between different times. */
static int deal_times(const hs_units *times, hs_folds *out, hsel_error *error)
{
    const uint32_t n = out->instances, k = out->count, size = n / (k + 1);
    HS_OWNED uint32_t *before = HS_NEW_ZERO(uint32_t, (size_t)times->count + 1),
                      *fold = HS_NEW(uint32_t, times->count);
    HS_NEED(before && fold);
    for (uint32_t i = 0; i < n; i++)
        before[times->of[i] + 1]++;
    for (uint32_t t = 0; t < times->count; t++)
        before[t + 1] += before[t];
    uint32_t t = 0;
    for (uint32_t f = 0; f <= k; f++) { /* block f ends before time `end` */
        const uint32_t cut = n - (k - f) * size, most = times->count - (k - f);
        uint32_t end = t + 1;
        while (end < most && before[end] < cut)
            end++;
        if (end - 1 > t && before[end] > cut && cut - before[end - 1] <= before[end] - cut)
            end--;
        for (end = f == k ? times->count : end; t < end; t++)
            fold[t] = f ? f - 1 : HS_FOLD_LEARNS;
    }
    for (uint32_t i = 0; i < n; i++)
        out->fold_of[i] = fold[times->of[i]];
    return HSEL_OK;
}

/* Leaves the groups of a fold out of its training part. */
static int keep_apart(hs_units *groups, hs_folds *folds, hsel_error *error)
{
    HS_NEED(folds->meets =
                HS_NEW_ZERO(uint64_t, hs_bit_words((size_t)groups->count * folds->count)));
    folds->group = hs_take(&groups->of);
    for (uint32_t i = 0; i < folds->instances; i++)
        if (hs_fold_tests(folds, i))
            hs_bit_set(folds->meets, (size_t)folds->group[i] * folds->count + folds->fold_of[i]);
    return HSEL_OK;
}

/* Checks that every fold has training instances. */
static int check_training(const hs_view *view, const hs_folds *folds, hsel_error *error)
{
    for (uint32_t f = 0; f < folds->count; f++) {
        uint32_t i = 0;
        while (i < folds->instances && !hs_fold_learns(folds, i, f))
            i++;
        if (i == folds->instances)
            return hs_fail(error, HSEL_EUSAGE,
                           "fold %u of %u of %s has no training instances: no instance is both "
                           "earlier and in another group",
                           f + 1, folds->count, hsel_dataset_name(view->data));
    }
    return HSEL_OK;
}

/* window: number of training blocks, with times. */
static int deal_design(const hs_view *view, const uint32_t *label, uint32_t classes, uint32_t count,
                       uint64_t seed, uint32_t window, hs_folds *out, hsel_error *error)
{
    const bool timed = hs_has_role(view->data, HS_ABOUT_TIME),
               grouped = hs_has_role(view->data, HS_ABOUT_GROUP);
    HS_OWNS(hs_units_clear) hs_units groups = {0};
    HS_OWNS(hs_units_clear) hs_units times = {0};
    HS_OWNS(hs_folds_clear) hs_folds made = {0};
    if (grouped)
        HS_TRY(hs_units_by_group(view, &groups, error));
    if (timed)
        HS_TRY(hs_units_by_time(view, &times, error));
    const uint32_t units = timed ? times.count : groups.count, most = timed ? units - 1 : units;
    if (units < 2)
        return hs_fail(error, HSEL_EUSAGE,
                       "all %u instances %s %s: they cannot be split into training and test",
                       view->row_count, timed ? "have the same time in" : "belong to one group in",
                       hsel_dataset_name(view->data));
    HS_TRY(folds_alloc(view->row_count, count < most ? count : most, &made, error));
    made.groups = groups.count;
    made.largest = groups.largest;
    made.past = timed ? window : 0;
    if (timed)
        HS_TRY(deal_times(&times, &made, error));
    else if (made.count < units)
        HS_TRY(deal_groups(&groups, label, classes, seed, &made, error));
    else
        memcpy(made.fold_of, groups.of, made.instances * sizeof *made.fold_of);
    if (timed && grouped)
        HS_TRY(keep_apart(&groups, &made, error));
    if (timed)
        HS_TRY(check_training(view, &made, error));
    order_by_fold(&made);
    HS_MOVE(out, &made);
    return HSEL_OK;
}

/* ---- a fixed test set ---- */

static int make_test(const hsel_dataset *data, hs_folds *out, hsel_error *error)
{
    const hs_view all = hs_view_all(data);
    HS_OWNS(hs_folds_clear) hs_folds made = {0};
    HS_OWNS(hs_units_clear) hs_units groups = {0};
    HS_TRY(folds_alloc(data->instances, 1, &made, error));
    for (uint32_t i = 0; i < data->instances; i++) {
        bool test;
        HS_TRY(hs_test_of(data, i, &test, error));
        made.fold_of[i] = test ? 0 : HS_FOLD_LEARNS;
    }
    order_by_fold(&made);
    if (made.start[1] == 0 || made.start[1] == data->instances)
        return hs_fail(error, HSEL_EUSAGE, "%s instance of %s is in the test set",
                       made.start[1] ? "every" : "no", hsel_dataset_name(data));
    /* Leave groups of the test set out of the training part. */
    if (hs_has_role(data, HS_ABOUT_GROUP)) {
        HS_TRY(hs_units_by_group(&all, &groups, error));
        HS_OWNED bool *tested = HS_NEW_ZERO(bool, groups.count);
        HS_NEED(tested);
        for (uint32_t i = 0; i < made.start[1]; i++)
            tested[groups.of[made.order[i]]] = true;
        for (uint32_t i = 0; i < data->instances; i++)
            if (made.fold_of[i] && tested[groups.of[i]])
                made.fold_of[i] = HSEL_NONE;
        made.groups = groups.count;
        made.largest = groups.largest;
        HS_TRY(check_training(&all, &made, error));
    }
    HS_MOVE(out, &made);
    return HSEL_OK;
}

/* ---- own: each class shuffled and dealt round the folds, going on where the last class ended ----
 */

static int deal_view(const hs_view *view, uint32_t count, uint64_t seed, uint32_t window,
                     hs_folds *out, hsel_error *error)
{
    uint32_t rows = view->row_count, next = 0;
    if (count > rows)
        count = rows;
    if (count < 2)
        return hs_fail(error, HSEL_EUSAGE, "cannot divide %u instances into %u folds", rows, count);
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
    const uint32_t classes = view->data->target ? 1 : view->data->class_names.count;
    if (hs_has_role(view->data, HS_ABOUT_GROUP) || hs_has_role(view->data, HS_ABOUT_TIME))
        return deal_design(view, label, classes, count, seed, window, out, error);
    HS_TRY(hs_sparse_group(classes, label, NULL, rows, &of_class, error));
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

int hs_folds_of_view(const hs_view *view, uint32_t count, uint64_t seed, hs_folds *out,
                     hsel_error *error)
{
    return deal_view(view, count, seed, HSEL_NONE, out, error);
}

int hs_folds_within(const hs_view *view, uint32_t count, uint64_t seed, hs_folds *out,
                    hsel_error *error)
{
    HS_OWNS(hs_folds_clear) hs_folds dealt = {0};
    HS_TRY(hs_folds_of_view(view, count, seed, &dealt, error));
    HS_TRY(folds_alloc(view->data->instances, dealt.count, out, error));
    memset(out->fold_of, 0xff, out->instances * sizeof *out->fold_of); /* HSEL_NONE */
    memcpy(out->start, dealt.start, ((size_t)dealt.count + 1) * sizeof *out->start);
    out->past = dealt.past;
    out->largest = dealt.largest;
    out->groups = dealt.groups;
    out->meets = hs_take(&dealt.meets);
    if (out->meets && !(out->group = HS_NEW_ZERO(uint32_t, out->instances))) {
        hs_folds_clear(out);
        return hs_fail_memory(error);
    }
    for (uint32_t i = 0; i < dealt.start[dealt.count]; i++)
        out->order[i] = hs_view_row(view, dealt.order[i]);
    for (uint32_t i = 0; i < dealt.instances; i++) {
        out->fold_of[hs_view_row(view, i)] = dealt.fold_of[i];
        if (out->group)
            out->group[hs_view_row(view, i)] = dealt.group[i];
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

static uint32_t take_rows(uint32_t *from, uint32_t *left, uint32_t wanted, uint32_t fold,
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
        uint32_t taken = take_rows(positive, &positives, share, f, folds);
        taken += take_rows(negative, &negatives, size - taken, f, folds);
        take_rows(positive, &positives, size - taken, f, folds);
    }
    memmove(positive + positives, negative,
            negatives * sizeof *negative); /* the leftovers side by side */
    hs_random_shuffle(&stream, positive, positives + negatives);
    for (uint32_t i = 0; i < positives + negatives; i++)
        folds->fold_of[positive[i]] = i % k;
    order_by_fold(folds);
}

/* ---- all together ---- */

bool hs_has_design(const hsel_dataset *data)
{
    return hs_has_role(data, HS_ABOUT_GROUP) || hs_has_role(data, HS_ABOUT_TIME) ||
           hs_has_role(data, HS_ABOUT_TEST);
}

int hs_folds_check(const hsel_dataset *data, hsel_error *error)
{
    uint32_t first = HSEL_NONE, second = HSEL_NONE; /* two classes that occur */
    for (uint32_t i = 0; data->target && i < data->instances; i++)
        if (!hs_has_label(data, i))
            return hs_fail(error, HSEL_EUSAGE,
                           "instance %u of %s has no target, but cross-validation needs one for "
                           "every instance",
                           i + 1, hsel_dataset_name(data));
    if (data->target)
        return HSEL_OK;
    if (data->class_names.count < 2)
        return hs_fail(error, HSEL_EUSAGE,
                       "cross-validation needs two classes or more, but %s has %u",
                       hsel_dataset_name(data), data->class_names.count);
    for (uint32_t i = 0; i < data->instances; i++) {
        uint32_t label = data->class_of[i];
        if (label == HSEL_NONE)
            return hs_fail(
                error, HSEL_EUSAGE,
                "instance %u of %s has no class, but cross-validation needs one for every instance",
                i + 1, hsel_dataset_name(data));
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
            "cross-validation needs two classes or more, but every instance of %s is of class %s",
            hsel_dataset_name(data), hsel_dataset_class_name(data, first));
    return HSEL_OK;
}

const char *hs_design_word(const hsel_dataset *data, bool groups_only)
{
    const bool grouped = hs_has_role(data, HS_ABOUT_GROUP),
               fixed = hs_has_role(data, HS_ABOUT_TEST),
               further = fixed || hs_has_role(data, HS_ABOUT_TIME);
    if (groups_only)
        return grouped && further ? "by groups" : NULL;
    return fixed     ? grouped ? "test set, by groups" : "test set"
           : further ? grouped ? "in time, by groups" : "in time"
                     : "by groups";
}

int hs_folds_make(const hsel_dataset *data, hs_fold_scheme scheme, uint32_t count, uint64_t seed,
                  hs_folds *out, hsel_error *error)
{
    const hs_view all = hs_view_all(data);
    const bool timed = hs_has_role(data, HS_ABOUT_TIME),
               designed = timed || hs_has_role(data, HS_ABOUT_GROUP);
    if (scheme == HS_FOLDS_LOO)
        count = data->instances;
    HS_TRY(hs_folds_check(data, error));
    if ((scheme == HS_FOLDS_WEKA || scheme == HS_FOLDS_WAN) && hs_has_design(data))
        return hs_fail(error, HSEL_EUSAGE,
                       "the fold schemes weka and wan do not support groups, times or test sets, "
                       "but %s has some: use own or loo",
                       hsel_dataset_name(data));
    if (hs_has_role(data, HS_ABOUT_TEST))
        return make_test(data, out, error);
    if (scheme == HS_FOLDS_WINDOW && (!timed || seed < 1 || seed > data->instances))
        return hs_fail(error, HSEL_EUSAGE,
                       "the fold scheme window:N trains on the N blocks before a fold: it needs "
                       "{time}, and N from 1 to the number of folds");
    if (scheme == HS_FOLDS_WAN && data->target)
        return hs_fail(error, HSEL_EUSAGE,
                       "the fold scheme wan is for two classes, but the target of %s is a number",
                       hsel_dataset_name(data));
    if (scheme == HS_FOLDS_WAN && data->class_names.count != 2)
        return hs_fail(error, HSEL_EUSAGE, "the fold scheme wan is for two classes, but %s has %u",
                       hsel_dataset_name(data), data->class_names.count);
    if (count < 2)
        return hs_fail(error, HSEL_EUSAGE, "cross-validation needs at least two folds");
    if (count > data->instances)
        return hs_fail(error, HSEL_EUSAGE, "%u folds are more than the %u instances of %s", count,
                       data->instances, hsel_dataset_name(data));
    if (scheme == HS_FOLDS_OWN || scheme == HS_FOLDS_WINDOW || designed) {
        const uint32_t window = scheme == HS_FOLDS_WINDOW ? (uint32_t)seed : HSEL_NONE;
        HS_TRY(deal_view(&all, count, seed, window, out, error));
        if (out->count == count || scheme == HS_FOLDS_LOO)
            return HSEL_OK;
        const uint32_t most = out->count;
        hs_folds_clear(out);
        return hs_fail(error, HSEL_EUSAGE, "%u folds are more than the %u %s of %s: use at most %u",
                       count, most, timed ? "times after the first" : "groups",
                       hsel_dataset_name(data), most);
    }
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

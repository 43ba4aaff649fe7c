/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers that add up the hierarchy. Columns are lists of the values that are not 0, added into one
 * array an instance long; a bit per instance says where something is, so that a feature costs its
 * values and n / 64.
 */
#include "data/data.h"

#include <float.h>

/* ---- columns ---- */

/* One value an instance, and where there is one. */
typedef struct sum {
    double *value;
    uint64_t *there;
    size_t words;
} sum;

static int init_sum(sum *s, uint32_t instances, hs_arena *arena, hsel_error *error)
{
    s->words = hs_bit_words(instances);
    s->value = hs_arena_zero(arena, instances, sizeof *s->value);
    s->there = hs_arena_zero(arena, s->words, sizeof *s->there);
    HS_NEED(s->value && s->there);
    return HSEL_OK;
}

static void put_in_sum(sum *s, uint32_t row, double value)
{
    s->value[row] = value;
    hs_bit_set(s->there, row);
}

static void add_list(sum *s, const hs_numeric_column *l, bool largest)
{
    for (uint32_t i = 0; i < l->count; i++) {
        uint32_t row = hs_row_at(l, i);
        double value = hs_value_at(l, i);
        hs_bit_set(s->there, row);
        s->value[row] = !largest                                ? s->value[row] + value
                        : isnan(value) || value > s->value[row] ? value
                                                                : s->value[row];
    }
}

/* The sum as a column, without zeros (may be NULL); it is empty then. */
static int take_sum(sum *s, hs_numeric_column *out, hs_arena *arena, hsel_error *error)
{
    uint32_t count = 0;
    for (size_t w = 0; out && w < s->words; w++)
        count += (uint32_t)__builtin_popcountll(s->there[w]);
    if (out) {
        *out = (hs_numeric_column){.rows = HS_ARENA_NEW(arena, uint32_t, count),
                                   .values = HS_ARENA_NEW(arena, double, count)};
        HS_NEED(out->rows && out->values);
    }
    for (size_t w = 0; w < s->words; w++) {
        for (uint64_t bits = s->there[w]; bits; bits &= bits - 1) {
            uint32_t row = (uint32_t)(w * 64 + (size_t)__builtin_ctzll(bits));
            if (out && s->value[row] != 0) {
                out->rows[out->count] = row;
                out->values[out->count++] = s->value[row];
            }
            s->value[row] = 0;
        }
        s->there[w] = 0;
    }
    return HSEL_OK;
}

/* The new values of a feature, if it has any: lists in an arena. */
static hs_numeric_column newest(const hsel_dataset *data, const hs_numeric_column *new, uint32_t f)
{
    return new[f].values ? new[f] : hs_dataset_column(data, f);
}

/* `data` with new columns and features of these types. */
static int with_columns(const hsel_dataset *data, const uint8_t *types,
                        const hs_numeric_column *new, hsel_dataset **out, hsel_error *error)
{
    HS_OWNS(hs_dataset_release) hsel_dataset *result = NULL;
    HS_OWNED uint32_t *slot = HS_NEW_ZERO(uint32_t, data->features);
    uint32_t numeric = 0, others = data->nominal_count;
    size_t positives = 0;
    HS_NEED(slot);
    HS_TRY(hs_dataset_subset(data, NULL, &result, error));
    for (uint32_t c = 0; c < result->numeric_count; c++)
        HS_FREE(result->numeric[c].values, result->numeric[c].rows);
    for (uint32_t f = 0; f < data->features; f++) {
        numeric += types[f] == HSEL_NUMERIC;
        if (types[f] == HSEL_BINARY)
            positives += newest(data, new, f).count;
    }
    result->numeric_count = 0;
    hs_free(result->numeric);
    HS_NEED(result->numeric = HS_NEW_ZERO(hs_numeric_column, numeric));
    hs_sparse_clear(&result->columns);
    hs_sparse_clear(&result->rows);
    hs_sparse *columns = &result->columns;
    HS_TRY(hs_sparse_init(columns, data->features, positives, error));
    for (uint32_t f = 0; f < data->features; f++) {
        hs_numeric_column now = newest(data, new, f);
        bool kept = !new[f].values && data->types[f] == HSEL_NUMERIC; /* in its form, too */
        slot[f] = types[f] == HSEL_NOMINAL ? data->slot[f] : 0;
        columns->start[f + 1] = columns->start[f];
        for (uint32_t i = 0; types[f] == HSEL_BINARY && i < now.count; i++)
            columns->index[columns->start[f + 1]++] = hs_row_at(&now, i);
        if (types[f] != HSEL_NUMERIC)
            continue;
        hs_numeric_column *c = &result->numeric[slot[f] = result->numeric_count++];
        bool sparse = now.rows && (kept || 12.0 * now.count < 8.0 * data->instances);
        c->count = sparse ? now.count : data->instances;
        c->values = HS_NEW_ZERO(double, c->count);
        c->rows = sparse ? hs_copy(now.rows, now.count, sizeof *now.rows) : NULL;
        HS_NEED(c->values && (c->rows || !sparse));
        for (uint32_t i = 0; i < now.count; i++)
            c->values[sparse ? i : hs_row_at(&now, i)] = hs_value_at(&now, i);
    }
    memcpy(result->types, types, data->features);
    hs_free(result->slot);
    result->slot = numeric + others ? hs_take(&slot) : NULL;
    HS_TRY(hs_sparse_transpose(columns, result->instances, &result->rows, error));
    *out = hs_take(&result);
    return HSEL_OK;
}

/* ---- adding up ---- */

typedef struct adding {
    const hsel_dataset *data;
    hs_aggregate kind;
    hs_arena arena;         /* of what follows */
    uint8_t *part;          /* of each feature: it takes part */
    hs_numeric_column *own; /* in a graph that is not a tree: each feature's own amount */
    hs_numeric_column *new; /* new values */
    uint32_t *stack, *stamp;
    sum sum;
    bool tree;
} adding;

static void clear_adding(adding *a) { hs_arena_clear(&a->arena); }

/* The unit of the last digit of rounded numbers: the largest power of ten that all values are
 * multiples of. 0: they are whole numbers, or it is less than 1e-9. */
static double last_digit(const adding *a)
{
    double scale = 1;
    int digits = 0;
    for (uint32_t f = 0; f < a->data->features; f++) {
        hs_numeric_column l = hs_dataset_column(a->data, f);
        for (uint32_t i = 0; a->part[f] && i < l.count; i++) {
            double value = hs_value_at(&l, i);
            while (digits < 10 && isfinite(value) &&
                   fabs(value * scale - rint(value * scale)) >
                       4 * DBL_EPSILON * fabs(value * scale)) {
                scale *= 10;
                digits++;
            }
        }
    }
    return digits && digits < 10 ? 1 / scale : 0;
}

static int start_adding(const hsel_dataset *data, hs_aggregate kind, double unit, adding *a,
                        hs_totals *found, hsel_error *error)
{
    const hsel_dag *dag = data->dag;
    *found =
        (hs_totals){.instance = HSEL_NONE, .feature = HSEL_NONE, .negative_feature = HSEL_NONE};
    a->data = data;
    a->kind = kind;
    a->tree = true;
    a->part = hs_arena_zero(&a->arena, data->features, sizeof *a->part);
    a->own = hs_arena_zero(&a->arena, data->features, sizeof *a->own);
    a->new = hs_arena_zero(&a->arena, data->features, sizeof *a->new);
    HS_NEED(a->part && a->own && a->new);
    if (!dag || !data->numeric_count)
        return HSEL_OK;
    for (uint32_t f = 0; f < data->features; f++) {
        size_t parents;
        (void)hs_parents(dag, f, &parents);
        a->part[f] = data->types[f] == HSEL_NUMERIC;
        a->tree &= parents < 2;
    }
    /* Binary features connected with a numeric one count too: go down and up until nothing changes.
     */
    for (bool more = true, down = true; more; down = !down) {
        more = down; /* up follows at least once */
        for (uint32_t k = 0; k < dag->nodes; k++) {
            uint32_t f = dag->order[down ? k : dag->nodes - 1 - k];
            size_t count;
            const uint32_t *near = down ? hs_parents(dag, f, &count) : hs_children(dag, f, &count);
            for (size_t i = 0; i < count && data->types[f] == HSEL_BINARY && !a->part[f]; i++)
                more |= a->part[f] = a->part[near[i]];
        }
    }
    for (uint32_t f = 0; f < data->features; f++) {
        hs_numeric_column l = hs_dataset_column(data, f);
        bool inner = false;
        size_t count;
        const uint32_t *child = hs_children(dag, f, &count);
        for (size_t i = 0; i < count; i++)
            inner |= a->part[child[i]];
        found->checked += a->part[f] && inner;
        for (uint32_t i = 0; a->part[f] && l.values && i < l.count; i++)
            if (l.values[i] < 0) {
                found->negative_feature = found->negative++ ? found->negative_feature : f;
            }
    }
    a->stack = HS_ARENA_NEW(&a->arena, uint32_t, data->features);
    a->stamp = hs_arena_zero(&a->arena, data->features, sizeof *a->stamp);
    HS_NEED(a->stack && a->stamp);
    HS_TRY(init_sum(&a->sum, data->instances, &a->arena, error));
    found->unit = unit > 0 ? unit : last_digit(a);
    return HSEL_OK;
}

/* What is below the feature, into the sum; returns the number of its children that take part. In a
 * tree, or for largest values and means, by its children; else all features below it, each once, by
 * what they have of their own. */
static uint32_t add_below(adding *a, uint32_t f)
{
    const hsel_dag *dag = a->data->dag;
    size_t count, top = 0;
    const uint32_t *child = hs_children(dag, f, &count);
    uint32_t children = 0;
    bool each = !a->tree && a->kind == HS_AGGREGATE_SUM;
    for (size_t i = 0; i < count; i++) {
        if (!a->part[child[i]])
            continue;
        children++;
        if (each) {
            a->stamp[child[i]] = f + 1;
            a->stack[top++] = child[i];
        } else {
            hs_numeric_column l = newest(a->data, a->new, child[i]);
            add_list(&a->sum, &l, a->kind == HS_AGGREGATE_MAX);
        }
    }
    while (top) {
        uint32_t u = a->stack[--top];
        hs_numeric_column l = a->own[u].values ? a->own[u] : newest(a->data, a->new, u);
        add_list(&a->sum, &l, false);
        child = hs_children(dag, u, &count);
        for (size_t i = 0; i < count; i++)
            if (a->part[child[i]] && a->stamp[child[i]] != f + 1) {
                a->stamp[child[i]] = f + 1;
                a->stack[top++] = child[i];
            }
    }
    return children;
}

/* Adds up, children first. What is below each feature is compared with its values and, if `repair`,
 * put into them; what is its own goes to a->own where that is needed or `keep_own`. */
static int add_up_hierarchy(adding *a, const bool *own, bool repair, bool keep_own,
                            hs_totals *found, hsel_error *error)
{
    const hsel_dataset *data = a->data;
    sum mine;
    HS_TRY(init_sum(&mine, data->instances, &a->arena, error));
    for (uint32_t k = data->dag->nodes; k-- > 0;) {
        uint32_t f = data->dag->order[k];
        if (!a->part[f])
            continue;
        uint32_t children = add_below(a, f);
        if (!children)
            continue;
        hs_numeric_column given = hs_dataset_column(data, f);
        double slack = found->unit * 0.5 * children;
        uint64_t before = found->cells;
        add_list(&mine, &given, false);
        for (size_t w = 0; w < mine.words; w++) {
            for (uint64_t bits = mine.there[w] | a->sum.there[w]; bits; bits &= bits - 1) {
                uint32_t i = (uint32_t)(w * 64 + (size_t)__builtin_ctzll(bits));
                double value = mine.value[i], below = a->sum.value[i], result = value, rest = 0;
                double large = fabs(value) > fabs(below) ? fabs(value) : fabs(below);
                double near = 1e-6 * large > slack * (1 + 1e-9) ? 1e-6 * large : slack * (1 + 1e-9);
                if (a->kind == HS_AGGREGATE_MEAN) {
                    result = below / children;
                } else if (own && own[f]) {
                    result = a->kind == HS_AGGREGATE_SUM     ? value + below
                             : value < below || isnan(below) ? below
                                                             : value;
                    rest = value;
                } else {
                    found->covered += below > 0;
                    if (value < below - near) {
                        found->cells++;
                        result = below;
                        if (found->feature == HSEL_NONE || f < found->feature) {
                            found->feature = f;
                            found->instance = i;
                            found->value = value;
                            found->below = below;
                        }
                    } else if (value > below + near) {
                        found->own += a->kind == HS_AGGREGATE_SUM;
                        rest = value - below;
                    }
                }
                if (repair && isinf(result) && !isinf(value))
                    return hs_fail(error, HSEL_EUNSUPPORTED,
                                   "the sum of the values below feature %.200s in instance %.200s "
                                   "is too large",
                                   hsel_dataset_feature_name(data, f), hsel_dataset_id(data, i));
                found->changed += result != value && !(isnan(result) && isnan(value));
                a->sum.value[i] = result;
                mine.value[i] = rest;
                hs_bit_set(a->sum.there, i);
                hs_bit_set(mine.there, i);
            }
        }
        found->features += found->cells > before;
        HS_TRY(take_sum(&mine, keep_own || !a->tree ? &a->own[f] : NULL, &a->arena, error));
        HS_TRY(take_sum(&a->sum, repair ? &a->new[f] : NULL, &a->arena, error));
    }
    return HSEL_OK;
}

int hs_totals_check(const hsel_dataset *data, hs_aggregate rule, double unit, hs_totals *out,
                    hsel_error *error)
{
    HS_OWNS(clear_adding) adding a = {0};
    HS_TRY(start_adding(data, rule, unit, &a, out, error));
    return out->checked && !out->negative ? add_up_hierarchy(&a, NULL, false, false, out, error)
                                          : HSEL_OK;
}

/* Adds up what takes part, as numbers: all of it, or (`rest`) each feature's own amount. */
static int aggregate(const hsel_dataset *data, hs_aggregate kind, const bool *own, bool rest,
                     hsel_dataset **out, hs_totals *found, hsel_error *error)
{
    HS_OWNS(clear_adding) adding a = {0};
    HS_OWNED uint8_t *types = HS_NEW(uint8_t, data->features);
    *out = NULL;
    HS_NEED(types);
    HS_TRY(start_adding(data, kind, 0, &a, found, error));
    if (found->negative && kind == HS_AGGREGATE_SUM && !rest)
        return hs_fail(error, HSEL_EUNSUPPORTED,
                       "negative values cannot be added up: feature %.200s has one",
                       hsel_dataset_feature_name(data, found->negative_feature));
    if (found->checked)
        HS_TRY(add_up_hierarchy(&a, own, !rest, rest, found, error));
    for (uint32_t f = 0; f < data->features; f++)
        types[f] = a.part[f] ? HSEL_NUMERIC : data->types[f];
    return with_columns(data, types, rest ? a.own : a.new, out, error);
}

int hs_dataset_aggregate(const hsel_dataset *data, hs_aggregate kind, const bool *own,
                         hsel_dataset **out, hs_totals *found, hsel_error *error)
{
    return aggregate(data, kind, own, false, out, found ? found : &(hs_totals){0}, error);
}

int hs_dataset_own_values(const hsel_dataset *data, hsel_dataset **out, hsel_error *error)
{
    return aggregate(data, HS_AGGREGATE_SUM, NULL, true, out, &(hs_totals){0}, error);
}

/* ---- transformations ---- */

uint32_t hs_mark_amounts(const hsel_dataset *data, bool *keep)
{
    uint32_t marked = 0, lineage = hs_about_column(&data->about, HS_ABOUT_LINEAGE);
    for (uint32_t f = 0; f < data->features; f++) {
        size_t parents = 0, children = 0;
        if (data->dag) {
            (void)hs_parents(data->dag, f, &parents);
            (void)hs_children(data->dag, f, &children);
        }
        bool placed = !data->dag || !data->dag->edges || parents + children ||
                      hs_about_get(&data->about, f, lineage);
        keep[f] = data->types[f] == HSEL_NUMERIC && placed && !hs_is_covariate(data, f);
        marked += keep[f];
    }
    return marked;
}

int hs_amount_levels(const hsel_dataset *data, uint32_t *of_level, hsel_error *error)
{
    HS_OWNED bool *amount = HS_NEW(bool, data->features);
    HS_OWNS(hs_names_clear) hs_names levels = {0};
    uint32_t rank = hs_about_column(&data->about, HS_ABOUT_RANK);
    char number[32];
    HS_NEED(amount);
    hs_mark_amounts(data, amount);
    for (uint32_t f = 0; f < data->features; f++) {
        const char *name = hs_about_get(&data->about, f, rank);
        hs_print(number, sizeof number, "%u", data->dag ? data->dag->depth[f] + 1 : 1);
        name = name ? name : number;
        of_level[f] = HSEL_NONE;
        if (amount[f])
            HS_TRY(hs_names_intern(&levels, name, strlen(name), &of_level[f], NULL, error));
    }
    return HSEL_OK;
}

void hs_prevalence(const hsel_dataset *data, uint32_t feature, double *share, double *mean)
{
    hs_numeric_column l = hs_dataset_column(data, feature);
    double total = 0;
    uint32_t there = 0;
    for (uint32_t i = 0; i < l.count; i++) {
        double value = hs_value_at(&l, i);
        there += value != 0 && !isnan(value);
        total += isnan(value) ? 0 : value;
    }
    *share = data->instances ? there / (double)data->instances : 0;
    *mean = data->instances ? total / data->instances : 0;
}

/* What a transformation of samples needs to know of each of them. */
typedef struct samples {
    double *total;   /* of their amounts; log-ratios: [levels * n], of logarithms … */
    uint32_t *count; /* … of so many amounts */
    uint32_t *empty; /* the samples without any amount, ascending */
    uint32_t empties;
} samples;

static int look_at_samples(const hsel_dataset *data, hs_change change, double number,
                           const uint32_t *of_level, bool summed, samples *s, hs_arena *arena,
                           hsel_error *error)
{
    const uint32_t n = data->instances;
    const bool logs = change == HS_CLR || change == HS_RCLR;
    uint32_t levels = 1;
    bool *there = hs_arena_zero(arena, n, sizeof *there);
    for (uint32_t f = 0; logs && f < data->features; f++)
        levels = of_level[f] != HSEL_NONE && of_level[f] >= levels ? of_level[f] + 1 : levels;
    s->total = hs_arena_zero(arena, (size_t)n * levels, sizeof *s->total);
    s->count = hs_arena_zero(arena, (size_t)n * levels, sizeof *s->count);
    s->empty = HS_ARENA_NEW(arena, uint32_t, n);
    HS_NEED(there && s->total && s->count && s->empty);
    const double zero = log(number);
    for (uint32_t f = 0; f < data->features; f++) {
        if (of_level[f] == HSEL_NONE)
            continue;
        double *total = s->total + (logs ? (size_t)of_level[f] * n : 0);
        uint32_t *count = s->count + (logs ? (size_t)of_level[f] * n : 0);
        hs_numeric_column l = hs_dataset_column(data, f);
        for (uint32_t i = 0; change == HS_CLR && i < n; i++) {
            count[i]++;
            total[i] += zero;
        }
        for (uint32_t i = 0; i < l.count; i++) {
            uint32_t row = hs_row_at(&l, i);
            double value = hs_value_at(&l, i);
            there[row] |= value != 0;
            if (change == HS_CLR) {
                total[row] += log(value + number) - zero;
            } else if (change == HS_RCLR && value != 0) {
                total[row] += log(value);
                count[row]++;
            } else if (change == HS_RELATIVE &&
                       (!summed || !data->dag || hs_is_root(data->dag, f))) {
                total[row] += value;
            }
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!there[i] || (change == HS_RELATIVE && s->total[i] == 0))
            s->empty[s->empties++] = i;
        if (change == HS_RELATIVE && isinf(s->total[i]))
            return hs_fail(error, HSEL_EUNSUPPORTED,
                           "the sum of the abundances of instance %.200s is too large",
                           hsel_dataset_id(data, i));
    }
    return HSEL_OK;
}

int hs_change_least(const hsel_dataset *data, hs_change change, const uint32_t *of_level,
                    double *least, hsel_error *error)
{
    HS_OWNS(hs_arena_clear) hs_arena arena = {0};
    samples s = {0};
    if (change == HS_RCLR)
        HS_TRY(look_at_samples(data, change, 0, of_level, false, &s, &arena, error));
    for (uint32_t i = 0; i < data->instances; i++)
        least[i] = NAN;
    for (uint32_t f = 0; f < data->features; f++) {
        hs_numeric_column l = hs_dataset_column(data, f);
        for (uint32_t i = 0; of_level[f] != HSEL_NONE && i < l.count; i++) {
            uint32_t row = hs_row_at(&l, i);
            double value = hs_value_at(&l, i);
            size_t at = (size_t)of_level[f] * data->instances + row;
            if (value > 0)
                least[row] = fmin(
                    least[row], change == HS_CLR ? value : log(value) - s.total[at] / s.count[at]);
        }
    }
    return HSEL_OK;
}

/* NaN stays. */
static double at_least(double value, double least) { return value < least ? least : value; }

/* Marks instances all of whose amounts are missing, such as shares of nothing: they have none. */
static void mark_without(const hsel_dataset *data, const uint32_t *of_level, uint32_t *missing)
{
    uint32_t amounts = 0;
    for (uint32_t f = 0; f < data->features; f++) {
        if (of_level[f] == HSEL_NONE)
            continue;
        hs_numeric_column l = hs_dataset_column(data, f);
        amounts++;
        for (uint32_t i = 0; i < l.count; i++)
            missing[hs_row_at(&l, i)] += isnan(hs_value_at(&l, i));
    }
    for (uint32_t i = 0; i < data->instances; i++)
        missing[i] = missing[i] == amounts;
}

int hs_dataset_change(const hsel_dataset *data, hs_change change, double number,
                      const uint32_t *of_level, bool summed, hs_changed *found, hsel_dataset **out,
                      hsel_error *error)
{
    HS_OWNS(hs_arena_clear) hs_arena arena = {0};
    hs_numeric_column *new = hs_arena_zero(&arena, data->features, sizeof *new);
    HS_OWNED uint8_t *types = HS_NEW(uint8_t, data->features);
    samples s = {0};
    sum made; /* the new column */
    const bool logs = change == HS_CLR || change == HS_RCLR;
    const uint32_t n = data->instances;
    const double zero = logs ? log(number) : 0;
    *out = NULL;
    HS_OWNED uint32_t *without = HS_NEW_ZERO(uint32_t, n);
    HS_NEED(new &&types &&without);
    HS_TRY(init_sum(&made, n, &arena, error));
    memcpy(types, data->types, data->features);
    if (change >= HS_PRESENCE)
        mark_without(data, of_level, without);
    if (change <= HS_RCLR)
        HS_TRY(look_at_samples(data, change, number, of_level, summed, &s, &arena, error));
    *found = (hs_changed){.empty = s.empties, .first_empty = s.empties ? s.empty[0] : HSEL_NONE};
    for (uint32_t i = 0; change == HS_RELATIVE && i < n; i++)
        if (s.total[i] > 0 && (found->least_total == 0 || s.total[i] < found->least_total))
            found->least_total = s.total[i];
    for (uint32_t f = 0; f < data->features; f++) {
        if (of_level[f] == HSEL_NONE)
            continue;
        hs_numeric_column l = hs_dataset_column(data, f);
        const double *total = logs ? s.total + (size_t)of_level[f] * n : s.total;
        const uint32_t *count = logs ? s.count + (size_t)of_level[f] * n : NULL;
        bool missing = false;
        if (logs) { /* dense: the new column itself is filled */
            HS_NEED(made.value = HS_ARENA_NEW(&arena, double, n));
            new[f] = (hs_numeric_column){.values = made.value, .count = n};
        }
        for (uint32_t i = 0; logs && i < n; i++)
            made.value[i] = change == HS_CLR ? zero - total[i] / count[i] : number;
        for (uint32_t i = 0; i < l.count; i++) {
            uint32_t row = hs_row_at(&l, i);
            double value = hs_value_at(&l, i);
            missing |= change == HS_PRESENCE && isnan(value) && !without[row];
            if (change == HS_CLR)
                made.value[row] += log(value + number) - zero;
            else if (value == 0 || (change >= HS_PRESENCE && (value <= number || without[row])))
                continue;
            else if (change == HS_RCLR)
                made.value[row] = at_least(log(value) - total[row] / count[row], number);
            else
                put_in_sum(&made, row,
                           isnan(value)            ? value
                           : change == HS_RELATIVE ? value / total[row]
                           : change == HS_LOG1P    ? log1p(value)
                                                   : 1);
        }
        for (uint32_t e = 0; e < s.empties; e++) /* a share of nothing */
            put_in_sum(&made, s.empty[e], NAN);
        if (!logs)
            HS_TRY(take_sum(&made, &new[f], &arena, error));
        types[f] = change == HS_PRESENCE && !missing ? HSEL_BINARY : HSEL_NUMERIC;
        found->incomplete += missing;
    }
    return with_columns(data, types, new, out, error);
}

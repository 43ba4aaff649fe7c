/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Forests only for importance: no tree is stored, nothing is predicted. As ranger grows them with
 * importance = "impurity_corrected" (Nembrini, König, Wright 2018, Bioinformatics 34:3711-3718):
 *
 *   - the values of all copies are permuted in the same way, once per forest;
 *   - each tree uses n instances drawn with replacement; nodes are split until they have one class,
 *     `min` instances, or no candidate that splits them;
 *   - a node tries `tried` of the 2p features and copies, drawn without replacement; the cut with
 *     the greatest decrease of Gini's index wins, the first of equal ones;
 *   - the decrease, in instances, counts for the feature, or against the feature whose copy it is.
 *
 * Columns are ranks, so the values of a node need no sorting: weights are added up by rank, and the
 * ranks that occur are marked in a bit set and visited in order. Rows that agree in all columns are
 * merged. O(instances of the node + values / 64) per candidate, O(levels x n x tried) per tree;
 * memory O(n p). With two classes, N instances at the node (N1 of the second class) and n (n1) up
 * to a cut, the decrease is 2 q^2 / (N n (N - n)) with q = n1 N - n N1: cuts are compared without
 * division.
 */
#include "classify/corrected.h"

#include "rank/ordered.h"

void hs_corrected_clear(hs_corrected *columns)
{
    hs_exchange_clear(&columns->exchange);
    hs_arena_clear(&columns->memory);
    *columns = (hs_corrected){0};
}

int hs_corrected_init(hs_corrected *c, const hs_training *training, const uint32_t *features,
                      uint32_t count, hsel_error *error)
{
    const hsel_dataset *data = training->view.data;
    HS_OWNED uint32_t *row = NULL;
    *c = (hs_corrected){
        .features = count, .classes = data->class_names.count, .progress = training->progress};
    HS_TRY(hs_training_rows(training, true, &row, &c->rows, error));
    const hs_view rows = {.data = data, .rows = row, .row_count = c->rows};
    HS_TRY(hs_exchange_init(&rows, NULL, NULL, &c->exchange, error));
    HS_TRY(hs_exchange_check(&c->exchange, data, NULL, error));
    HS_OWNED double *spread = HS_NEW(double, data->instances), *value = HS_NEW(double, c->rows),
                    *sorted = HS_NEW(double, c->rows);
    HS_OWNED uint64_t *place = HS_NEW(uint64_t, c->rows), *spare = HS_NEW(uint64_t, c->rows);
    HS_NEED(spread && value && sorted && place && spare);
    HS_NEED(HS_LISTS(&c->memory, c, HS_PART(c, label, c->rows),
                     HS_PART(c, code, (size_t)count * c->rows), HS_PART(c, values, count)));
    for (uint32_t i = 0; i < c->rows; i++)
        c->label[i] = data->class_of[row[i]];
    for (uint32_t f = 0; f < count; f++) {
        uint32_t *code = c->code + (size_t)f * c->rows, next = 0;
        const bool nominal = data->types[features[f]] == HSEL_NOMINAL;
        const double *all = nominal ? NULL : hs_dataset_numeric(data, features[f], spread);
        for (uint32_t i = 0; i < c->rows; i++) {
            value[i] = nominal ? hs_dataset_value(data, features[f], row[i]) : all[row[i]];
            value[i] = isnan(value[i]) ? -INFINITY : value[i];
        }
        hs_sort_values(value, c->rows, sorted, place, spare);
        for (uint32_t i = 0; i < c->rows; i++) {
            next += i > 0 && sorted[i] > sorted[i - 1];
            code[(uint32_t)place[i]] = next;
        }
        c->values[f] = next + 1;
    }
    return HSEL_OK;
}

/* ---- growing ---- */

#define DRAWS      256 /* random numbers made at once */
#define DRAWN_BITS 44  /* used of each, of 64: draws are even to one in a million */

struct node {
    uint32_t begin, end; /* of its rows */
    uint64_t sum;        /* of their weights; of two classes */
};

struct grower {
    const hs_corrected *columns;
    uint32_t rows;        /* those that some column tells apart */
    uint32_t **column;    /* [2 * features]: ranks of the features, then of their copies */
    uint32_t *candidate;  /* [2 * features]: those tried at the node come first */
    uint32_t *place;      /* [columns->rows]: its row here … */
    uint64_t *unit;       /* … and what drawing it adds to the weight: 1, and of two classes 1 in
                             the upper half if it is of the second */
    uint64_t *times;      /* [rows]: weights of a tree's rows */
    uint32_t *row;        /* [rows]: those with a weight; those of a node together … */
    uint64_t *weight;     /* … and their weights */
    uint64_t *sum;        /* [values]: weights of each rank, 0 between */
    double *of_class;     /* [values * classes]: the same of more classes */
    double *total, *left; /* [classes] */
    uint64_t *occurs;     /* [words]: bit set of ranks, 0 between */
    size_t words;
    struct node *stack; /* [rows + 1] */
    hs_stream *stream;
    uint64_t draws[DRAWS], number;
    uint32_t drawn; /* of them */
    int bits;       /* left of the number */
};

/* A number below `below`: the next digit of a random fraction, in this base. */
static inline uint32_t draw_below(struct grower *g, uint32_t below)
{
    const int bits = 32 - __builtin_clz(below);
    if (g->bits < bits) {
        if (g->drawn == DRAWS) {
            hs_random_fill(g->stream, g->draws, DRAWS);
            g->drawn = 0;
        }
        g->number = g->draws[g->drawn++];
        g->bits = DRAWN_BITS;
    }
    const hs_u128 product = (hs_u128)g->number * below;
    g->number = (uint64_t)product;
    g->bits -= bits;
    return (uint32_t)(product >> 64);
}

struct cut {
    uint32_t column, code;  /* values up to the code go left; column HSEL_NONE: no cut */
    double square, product; /* the decrease is their quotient, but for what all cuts share */
    uint64_t left;          /* weights up to the cut; of two classes */
};

/* A cut with nothing on one side has a square and a product of 0 and is never better. */
static inline void consider_cut(struct cut *best, double n, double ones, uint64_t left,
                                uint32_t column, uint32_t code)
{
    const double below = (int32_t)left, q = (int32_t)(left >> 32) * n - below * ones,
                 product = below * (n - below);
    if (__builtin_expect(q * q * best->product > best->square * product, 0))
        *best = (struct cut){column, code, q * q, product, left};
}

static void find_cut_of_two(struct grower *g, struct node node, uint32_t column, struct cut *best)
{
    const uint32_t *code = g->column[column], *row = g->row + node.begin,
                   count = node.end - node.begin;
    const uint64_t *own = g->weight + node.begin;
    const double n = (uint32_t)node.sum, ones = (double)(node.sum >> 32);
    uint64_t *sum = g->sum, *occurs = g->occurs, left = 0;
    struct cut most = *best;
    for (uint32_t i = 0; i < count; i++) {
        sum[code[row[i]]] += own[i];
        hs_bit_set(occurs, code[row[i]]);
    }
    for (size_t word = 0; word < g->words; word++) {
        uint64_t bits = occurs[word];
        occurs[word] = 0;
        for (; bits; bits &= bits - 1) {
            const uint32_t at = (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(bits);
            left += sum[at];
            sum[at] = 0;
            consider_cut(&most, n, ones, left, column, at);
        }
    }
    *best = most;
}

/* Of more classes: sum of l_c^2 / l + r_c^2 / r, less that of the node. */
static void find_cut_of_many(struct grower *g, struct node node, double n, uint32_t column,
                             struct cut *best)
{
    const uint32_t *code = g->column[column], classes = g->columns->classes;
    double below = 0, whole = 0;
    for (uint32_t i = node.begin; i < node.end; i++) {
        const uint32_t row = g->row[i], at = code[row];
        g->of_class[(size_t)at * classes + g->columns->label[row]] += (double)g->weight[i];
        hs_bit_set(g->occurs, at);
    }
    memset(g->left, 0, classes * sizeof *g->left);
    for (uint32_t c = 0; c < classes; c++)
        whole += g->total[c] * g->total[c] / n;
    for (size_t word = 0; word < g->words; word++) {
        uint64_t bits = g->occurs[word];
        g->occurs[word] = 0;
        for (; bits; bits &= bits - 1) {
            const uint32_t at = (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(bits);
            double *of_class = g->of_class + (size_t)at * classes, lefts = 0, rights = 0;
            for (uint32_t c = 0; c < classes; c++) {
                below += of_class[c];
                g->left[c] += of_class[c];
                of_class[c] = 0;
                lefts += g->left[c] * g->left[c];
                rights += (g->total[c] - g->left[c]) * (g->total[c] - g->left[c]);
            }
            if (below >= n)
                continue;
            const double decrease = fmax(0, lefts / below + rights / (n - below) - whole);
            if (best->column == HSEL_NONE || decrease > best->square + 1e-10 * n) /* rounding */
                *best = (struct cut){column, at, decrease, 1, 0};
        }
    }
}

/* One tree; adds its decreases to importance. */
static void grow_tree(struct grower *g, const hs_corrected_options *options, uint32_t tried,
                      double *importance)
{
    const hs_corrected *c = g->columns;
    const bool two = c->classes == 2;
    uint32_t used = 0, nodes = 0;
    uint64_t all = 0;
    memset(g->times, 0, g->rows * sizeof *g->times);
    for (uint32_t i = 0; i < c->rows; i++) {
        const uint32_t drawn = draw_below(g, c->rows);
        g->times[g->place[drawn]] += g->unit[drawn];
    }
    for (uint32_t i = 0; i < g->rows; i++) {
        g->row[used] = i;
        g->weight[used] = g->times[i];
        used += g->times[i] > 0;
        all += g->times[i];
    }
    g->stack[nodes++] = (struct node){0, used, all};
    while (nodes > 0) {
        const struct node node = g->stack[--nodes];
        struct cut best = {.column = HSEL_NONE, .square = -1, .product = 1};
        double n = 0, most = 0;
        if (two) {
            const uint32_t ones = (uint32_t)(node.sum >> 32), zeros = (uint32_t)node.sum - ones;
            n = (uint32_t)node.sum;
            most = ones > zeros ? ones : zeros;
        } else {
            memset(g->total, 0, c->classes * sizeof *g->total);
            for (uint32_t i = node.begin; i < node.end; i++) {
                double *total = g->total + c->label[g->row[i]];
                n += (double)g->weight[i];
                *total += (double)g->weight[i];
                most = *total > most ? *total : most;
            }
        }
        if (most == n || n <= options->min)
            continue;
        for (uint32_t i = 0; i < tried; i++) {
            const uint32_t at = i + draw_below(g, 2 * c->features - i), column = g->candidate[at];
            g->candidate[at] = g->candidate[i];
            g->candidate[i] = column;
            if (two)
                find_cut_of_two(g, node, column, &best);
            else
                find_cut_of_many(g, node, n, column, &best);
        }
        if (best.column == HSEL_NONE)
            continue;
        const double decrease = two ? 2 * best.square / (best.product * n) : best.square;
        if (best.column < c->features)
            importance[best.column] += decrease;
        else
            importance[best.column - c->features] -= decrease;
        const uint32_t *code = g->column[best.column];
        uint32_t middle = node.begin;
        for (uint32_t i = node.begin; i < node.end; i++) { /* those up to the cut to the front */
            const uint32_t row = g->row[i];
            const uint64_t weight = g->weight[i];
            g->row[i] = g->row[middle];
            g->weight[i] = g->weight[middle];
            g->row[middle] = row;
            g->weight[middle] = weight;
            middle += code[row] <= best.code;
        }
        g->stack[nodes++] = (struct node){node.begin, middle, best.left};
        g->stack[nodes++] = (struct node){middle, node.end, node.sum - best.left};
    }
}

/* With two classes, merges rows that agree in all columns: with mostly zeros these are many. By a
 * hash of the ranks; a row whose place is taken by a different one stays alone. The ranks of the
 * remaining rows move to the front of their columns. */
static void join_rows(struct grower *g, uint64_t *hash, uint32_t *first, size_t places)
{
    const hs_corrected *c = g->columns;
    memset(hash, 0, c->rows * sizeof *hash);
    memset(first, 0xff, places * sizeof *first);
    for (uint32_t k = 0; k < 2 * c->features; k++)
        for (uint32_t i = 0; i < c->rows; i++)
            hash[i] = (hash[i] ^ g->column[k][i]) * UINT64_C(0x9E3779B97F4A7C15) + 1;
    for (uint32_t i = 0; i < c->rows; i++) {
        uint32_t *at = &first[(hash[i] ^ hash[i] >> 32) & (places - 1)], k = 0;
        while (*at != HSEL_NONE && k < 2 * c->features && g->column[k][*at] == g->column[k][i])
            k++;
        if (k == 2 * c->features && c->classes == 2) {
            g->place[i] = *at;
            continue;
        }
        *at = *at == HSEL_NONE ? g->rows : *at;
        g->place[i] = g->rows;
        for (k = 0; k < 2 * c->features; k++)
            g->column[k][g->rows] = g->column[k][i];
        g->rows++;
    }
}

int hs_corrected_forest(const hs_corrected *c, const hs_corrected_options *options,
                        hs_stream *stream, hs_arena *memory, double *importance, hsel_error *error)
{
    const size_t rows = c->rows, features = c->features, cells = rows * features;
    uint32_t values = 1, tried = options->tried ? options->tried : (uint32_t)sqrt(features);
    for (uint32_t f = 0; f < features; f++)
        values = c->values[f] > values ? c->values[f] : values;
    hs_arena_reset(memory);
    struct grower g = {
        .columns = c, .words = hs_bit_words(values), .stream = stream, .drawn = DRAWS};
    const size_t of_class = c->classes == 2 ? 0 : (size_t)values * c->classes;
    size_t places = 1; /* of hashes */
    while (places < 4 * rows)
        places *= 2;
    uint32_t *first = HS_ARENA_NEW(memory, uint32_t, places),
             *code = HS_ARENA_NEW(memory, uint32_t, 2 * cells),
             *order = HS_ARENA_NEW(memory, uint32_t, rows),
             *mixed = HS_ARENA_NEW(memory, uint32_t, rows);
    HS_NEED(first && code && order && mixed);
    HS_NEED(HS_LISTS(
        memory, &g, HS_PART(&g, column, 2 * features), HS_PART(&g, candidate, 2 * features),
        HS_PART(&g, place, rows), HS_PART(&g, unit, rows), HS_PART(&g, times, rows),
        HS_PART(&g, row, rows + 1), HS_PART(&g, weight, rows + 1), HS_PART(&g, sum, values),
        HS_PART(&g, of_class, of_class), HS_PART(&g, total, c->classes),
        HS_PART(&g, left, c->classes), HS_PART(&g, occurs, g.words), HS_PART(&g, stack, rows + 1)));
    memset(importance, 0, features * sizeof *importance);
    if (rows == 0 || features == 0)
        return HSEL_OK;
    for (uint32_t i = 0; i < rows; i++)
        g.unit[i] = 1 + (c->classes == 2 ? (uint64_t)c->label[i] << 32 : 0);
    hs_exchange_draw(&c->exchange, stream, mixed, order);
    memcpy(code, c->code, cells * sizeof *code);
    for (uint32_t k = 0; k < 2 * features; k++) {
        g.candidate[k] = k;
        g.column[k] = code + k * rows;
        for (uint32_t i = 0; k >= features && i < rows; i++)
            g.column[k][i] = g.column[k - features][order[i]];
    }
    join_rows(&g, g.times, first, places);
    tried = tried < 2 * features ? tried : (uint32_t)(2 * features);
    for (uint32_t t = 0; t < options->trees; t++) {
        HS_TRY(hs_progress_ask(c->progress, error));
        grow_tree(&g, options, tried, importance);
    }
    for (uint32_t f = 0; f < features; f++)
        importance[f] /= (double)options->trees * (double)rows;
    return HSEL_OK;
}

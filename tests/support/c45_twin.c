/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The twin of c45_twin.h. Nothing here is clever on purpose.
 */
#include "support/c45_twin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/cmocka.h"

#define TWINS 4096

typedef struct split {
    bool valid;
    double gain, ratio, threshold;
} split;

static hs_twin pool[TWINS];
static uint32_t twins, raised;

static double bits(const double *count, uint32_t classes)
{
    double total = 0, sum = 0;
    for (uint32_t c = 0; c < classes; c++)
        total += count[c];
    for (uint32_t c = 0; c < classes; c++)
        if (count[c] > 1e-9)
            sum -= count[c] / total * log2(count[c] / total);
    return sum;
}

/* Weights by branch and class; the last row is of what is missing. */
static void table_of(const hs_mixed *w, const hs_twin_list *l, uint32_t feature, double threshold,
                     double table[MIXED_VALUES + 1][MIXED_CLASSES])
{
    memset(table, 0, (MIXED_VALUES + 1) * sizeof *table);
    for (uint32_t i = 0; i < l->count; i++) {
        uint32_t branch = hs_mixed_branch(w, l->row[i], feature, threshold);
        table[branch == HSEL_NONE ? MIXED_VALUES : branch][w->label[l->row[i]]] += l->weight[i];
    }
}

/* Gain and ratio of a division, `cost` taken from the gain; invalid if fewer than two branches
 * reach `least`. */
static split judge(const hs_mixed *w, const hs_twin_list *l, uint32_t feature, double threshold,
                   double least, double cost)
{
    double table[MIXED_VALUES + 1][MIXED_CLASSES], all[MIXED_CLASSES] = {0},
                                                   size[MIXED_VALUES + 1] = {0};
    double known = 0, total = 0, after = 0;
    uint32_t large = 0;
    table_of(w, l, feature, threshold, table);
    for (uint32_t b = 0; b <= MIXED_VALUES; b++)
        for (uint32_t c = 0; c < w->classes; c++) {
            size[b] += table[b][c];
            all[c] += b < MIXED_VALUES ? table[b][c] : 0;
        }
    for (uint32_t b = 0; b <= MIXED_VALUES; b++) {
        total += size[b];
        known += b < MIXED_VALUES ? size[b] : 0;
        large += b < MIXED_VALUES && size[b] >= least - 1e-6;
    }
    split s = {.valid = large >= 2, .threshold = threshold};
    if (!s.valid)
        return s;
    for (uint32_t b = 0; b < MIXED_VALUES; b++)
        after += size[b] / known * bits(table[b], w->classes);
    s.gain = known / total * (bits(all, w->classes) - after) - cost;
    double information = bits(size, MIXED_VALUES + 1);
    s.ratio = information > 1e-6 / total ? s.gain / information : 0;
    return s;
}

static int ascending(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* The values of a feature in the list, ascending, each once; their number. *known counts instances.
 */
static uint32_t values_of(const hs_mixed *w, const hs_twin_list *l, uint32_t feature, double *value,
                          uint32_t *known, double *weight)
{
    uint32_t distinct = 0;
    *known = 0;
    *weight = 0;
    for (uint32_t i = 0; i < l->count; i++)
        if (!isnan(w->cell[l->row[i]][feature])) {
            value[(*known)++] = w->cell[l->row[i]][feature];
            *weight += l->weight[i];
        }
    qsort(value, *known, sizeof *value, ascending);
    for (uint32_t i = 0; i < *known; i++)
        if (i == 0 || value[i] > value[i - 1])
            value[distinct++] = value[i];
    return distinct;
}

static split cut_numeric(const hs_mixed *w, const hs_c45_options *o, const hs_twin_list *l,
                         double total, uint32_t feature)
{
    double value[MIXED_ROWS], weight, best = 0, at = 0;
    uint32_t known, distinct = values_of(w, l, feature, value, &known, &weight), cuts = 0;
    double least = fmin(fmax(0.1 * weight / w->classes, o->min), 25);
    split none = {0};
    if (least < o->min)
        least = o->min;
    if (known < 2 * least - 1e-6)
        return none;
    for (uint32_t i = 1; i < distinct; i++) {
        split s = judge(w, l, feature, value[i - 1], least, 0);
        if (!s.valid)
            continue;
        cuts++;
        if (s.gain > best + 1e-6) {
            best = s.gain;
            at = (value[i - 1] + value[i]) / 2;
        }
    }
    if (cuts == 0 || best - (o->mdl ? log2(cuts) / total : 0) <= 1e-6)
        return none;
    double threshold = -INFINITY;
    for (uint32_t i = 0; i < w->rows; i++) /* the largest training value below */
        if (w->train[i] && w->label[i] != HSEL_NONE && w->cell[i][feature] <= at)
            threshold = fmax(threshold, w->cell[i][feature]);
    return judge(w, l, feature, threshold, 0, o->mdl ? log2(cuts) / total : 0);
}

static uint32_t training_rows(const hs_mixed *w)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->rows; i++)
        count += w->train[i] && w->label[i] != HSEL_NONE;
    return count;
}

static bool few_values(const hs_mixed *w, uint32_t f)
{
    return w->type[f] == HSEL_NUMERIC || w->values[f] < 0.3 * training_rows(w) - 1e-6;
}

/* The split of a node into s; HSEL_NONE: stays a leaf. */
static uint32_t choose_slowly(const hs_mixed *w, const hs_c45_options *o, const hs_twin *t,
                              split *out)
{
    split s[MIXED_FEATURES] = {{0}};
    double sum = 0, most = 0, best_count = 0;
    uint32_t valid = 0, best = HSEL_NONE;
    bool all_many = true;
    for (uint32_t c = 0; c < w->classes; c++)
        best_count = fmax(best_count, t->count[c]);
    if (t->total < 2 * o->min - 1e-6 || t->total - best_count <= 1e-6)
        return HSEL_NONE;
    for (uint32_t f = 0; f < w->features; f++)
        all_many = all_many && (!w->use[f] || !few_values(w, f));
    for (uint32_t f = 0; f < w->features; f++) {
        if (!w->use[f])
            continue;
        s[f] = w->type[f] == HSEL_NUMERIC ? cut_numeric(w, o, &t->here, t->total, f)
                                          : judge(w, &t->here, f, 0, o->min, 0);
        if (s[f].valid && (all_many || few_values(w, f))) {
            sum += s[f].gain;
            valid++;
        }
    }
    for (uint32_t f = 0; f < w->features && valid; f++)
        if (s[f].valid && s[f].gain >= sum / valid - 1e-3 && s[f].ratio > most + 1e-6) {
            most = s[f].ratio;
            best = f;
        }
    if (best != HSEL_NONE)
        *out = s[best];
    return best;
}

static hs_twin *new_twin(const hs_mixed *w, const hs_twin_list *l)
{
    assert_true(twins < TWINS);
    hs_twin *t = &pool[twins++];
    memset(t, 0, sizeof *t);
    t->here = *l;
    for (uint32_t i = 0; i < l->count; i++) {
        t->count[w->label[l->row[i]]] += l->weight[i];
        t->total += l->weight[i];
    }
    return t;
}

static void divide(const hs_mixed *w, const hs_twin_list *l, uint32_t feature, double threshold,
                   uint32_t branches, hs_twin_list *out)
{
    double size[MIXED_VALUES] = {0}, known = 0;
    for (uint32_t b = 0; b < branches; b++)
        out[b].count = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        uint32_t branch = hs_mixed_branch(w, l->row[i], feature, threshold);
        if (branch != HSEL_NONE)
            size[branch] += l->weight[i];
        known += branch != HSEL_NONE ? l->weight[i] : 0;
    }
    for (uint32_t b = 0; b < branches; b++)
        for (uint32_t i = 0; i < l->count; i++) {
            uint32_t branch = hs_mixed_branch(w, l->row[i], feature, threshold);
            double share = branch == HSEL_NONE ? (known > 1e-6 ? size[b] / known : 1.0 / branches)
                                               : branch == b;
            if (share > 1e-6) {
                out[b].row[out[b].count] = l->row[i];
                out[b].weight[out[b].count++] = l->weight[i] * share;
            }
        }
}

static hs_twin *hs_twin_grow(const hs_mixed *w, const hs_c45_options *o, const hs_twin_list *l)
{
    hs_twin *t = new_twin(w, l);
    split s;
    uint32_t f = choose_slowly(w, o, t, &s);
    if (f == HSEL_NONE)
        return t;
    hs_twin_list part[MIXED_VALUES];
    t->feature = f;
    t->threshold = s.threshold;
    t->branches = w->type[f] == HSEL_NOMINAL ? w->values[f] : 2;
    divide(w, l, f, s.threshold, t->branches, part);
    for (uint32_t b = 0; b < t->branches; b++)
        t->child[b] = hs_twin_grow(w, o, &part[b]);
    return t;
}

static double wrong_of(const hs_mixed *w, const hs_twin *t)
{
    double most = 0;
    for (uint32_t c = 0; c < w->classes; c++)
        most = fmax(most, t->count[c]);
    return t->total - most;
}

static double training_errors(const hs_mixed *w, const hs_twin *t)
{
    double sum = 0;
    for (uint32_t b = 0; b < t->branches; b++)
        sum += training_errors(w, t->child[b]);
    return t->branches ? sum : wrong_of(w, t);
}

void hs_twin_collapse(const hs_mixed *w, hs_twin *t)
{
    if (t->branches && training_errors(w, t) >= wrong_of(w, t) - 1e-3)
        t->branches = 0;
    for (uint32_t b = 0; b < t->branches; b++)
        hs_twin_collapse(w, t->child[b]);
}

/* z with P(Z > z) = confidence, by halving. */
static double quantile(double confidence)
{
    double low = 0, high = 40;
    for (int i = 0; i < 200; i++) {
        double middle = (low + high) / 2;
        if (0.5 * erfc(middle / sqrt(2)) > confidence)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The upper limit by inverting what defines it. */
double hs_twin_added_errors(double n, double e, double confidence)
{
    if (e < 1) {
        double low = 0, high = 1; /* (1 - p)^n = confidence */
        for (int i = 0; i < 200; i++) {
            double p = (low + high) / 2;
            if (pow(1 - p, n) > confidence)
                low = p;
            else
                high = p;
        }
        return e <= 0 ? n * low : (1 - e) * n * low + e * hs_twin_added_errors(n, 1, confidence);
    }
    if (e + 0.5 >= n)
        return fmax(n - e, 0);
    double f = (e + 0.5) / n, z = quantile(confidence), low = f, high = 1;
    for (int i = 0; i < 200; i++) {
        double p = (low + high) / 2;
        if ((p - f) / sqrt(p * (1 - p) / n) < z)
            low = p;
        else
            high = p;
    }
    return n * low - e;
}

static double expected_slowly(const hs_mixed *w, const hs_c45_options *o, const hs_twin *t)
{
    return t->total <= 1e-6
               ? 0
               : wrong_of(w, t) + hs_twin_added_errors(t->total, wrong_of(w, t), o->confidence);
}

static double expected_of_tree(const hs_mixed *w, const hs_c45_options *o, const hs_twin *t)
{
    double sum = 0;
    for (uint32_t b = 0; b < t->branches; b++)
        sum += expected_of_tree(w, o, t->child[b]);
    return t->branches ? sum : expected_slowly(w, o, t);
}

/* The same tree with other instances in it. */
static hs_twin *refill(const hs_mixed *w, const hs_twin *t, const hs_twin_list *l)
{
    hs_twin *new = new_twin(w, l);
    hs_twin_list part[MIXED_VALUES];
    new->feature = t->feature;
    new->threshold = t->threshold;
    new->branches = t->branches;
    if (t->branches)
        divide(w, l, t->feature, t->threshold, t->branches, part);
    for (uint32_t b = 0; b < t->branches; b++)
        new->child[b] = refill(w, t->child[b], &part[b]);
    return new;
}

void hs_twin_prune(const hs_mixed *w, const hs_c45_options *o, hs_twin *t)
{
    uint32_t heaviest = 0;
    if (t->branches == 0)
        return;
    for (uint32_t b = 0; b < t->branches; b++) {
        hs_twin_prune(w, o, t->child[b]);
        if (t->child[b]->total >= t->child[heaviest]->total - 1e-6)
            heaviest = b;
    }
    hs_twin *branch = refill(w, t->child[heaviest], &t->here);
    double leaf = expected_slowly(w, o, t), tree = expected_of_tree(w, o, t);
    double instead = o->raising ? expected_of_tree(w, o, branch) : INFINITY;
    if (leaf <= tree + 0.1 + 1e-6 && leaf <= instead + 0.1 + 1e-6) {
        t->branches = 0;
    } else if (instead <= tree + 0.1 + 1e-6) {
        raised++;
        *t = *branch;
        hs_twin_prune(w, o, t);
    }
}

void hs_twin_predict(const hs_mixed *w, const hs_c45_options *o, const hs_twin *t,
                     const hs_twin *parent, uint32_t row, double weight, double *sum)
{
    if (t->branches == 0) {
        const hs_twin *from = t->total > 0 || !parent ? t : parent;
        for (uint32_t c = 0; c < w->classes; c++) {
            double share = from->total > 0 ? from->count[c] / from->total : 1.0 / w->classes;
            sum[c] +=
                weight * (o->laplace ? (from->count[c] + 1) / (from->total + w->classes) : share);
        }
        return;
    }
    uint32_t branch = hs_mixed_branch(w, row, t->feature, t->threshold);
    double total = 0;
    for (uint32_t b = 0; b < t->branches; b++)
        total += t->child[b]->total;
    for (uint32_t b = 0; b < t->branches; b++) {
        double share = branch == HSEL_NONE ? t->child[b]->total / total : branch == b;
        if (share > 0)
            hs_twin_predict(w, o, t->child[b], t, row, weight * share, sum);
    }
}

hs_twin *hs_twin_of(const hs_mixed *w, const hs_c45_options *o)
{
    hs_twin_list all = {.count = 0};
    twins = 0;
    for (uint32_t i = 0; i < w->rows; i++)
        if (w->train[i] && w->label[i] != HSEL_NONE) {
            all.row[all.count] = i;
            all.weight[all.count++] = 1;
        }
    return hs_twin_grow(w, o, &all);
}

uint32_t hs_twin_raised(void) { return raised; }

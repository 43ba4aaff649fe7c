/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Greedy forward selection by information: the feature f with the greatest J joins the chosen ones
 * S, until there are k. I is mutual information in bits, C the class; the first is the one with the
 * greatest I(f;C). Ties: lowest feature.
 *
 *     mrmr   J(f) = I(f;C) - mean over s in S of I(f;s)       Peng, Long, Ding (2005), MID
 *     jmi    J(f) = sum over s in S of I(f,s;C)               Yang, Moody (1999)
 *     cmim   J(f) = min(I(f;C), min over s in S of I(f;C|s))  Fleuret (2004)
 *
 * related: how a feature above or below a chosen s in the hierarchy is treated.
 *     allowed    like any other: the methods as published
 *     redundant  as carrying no information beyond s: I(f;s) = H(f), I(f;C|s) = 0, and so
 *                I(f,s;C) = I(s;C)
 *     excluded   it is no longer a candidate
 *
 * Numeric features are cut by minimum description length, as measures have it; a missing value is
 * its own value. Values of J that differ by no more than rounding may tie.
 *
 * A feature is a list of rows for each value but its most frequent one (for a binary feature 0).
 * When s joins, one pass over the rows in the lists of s counts all other features together with
 * it; counts of the most frequent values follow by subtraction. O(positive values in rows of s + d
 * K) per step.
 */
#include "rank/ordered.h"
#include "select/eager.h"

#define TIE 1e-12 /* values that are equal may differ by this much */

enum kind { MRMR, JMI, CMIM };
enum related { ALLOWED, REDUNDANT, EXCLUDED };

struct options {
    uint32_t k;
    int related;
};

static const hs_option table[] = {
    HS_OPTION(struct options, k, "k", "N", "20", 1, 1000000, "number of features"),
    HS_CHOICE(struct options, related, "related", "allowed|redundant|excluded", "allowed",
              "ancestors and descendants of chosen features: candidates like others, redundant, or "
              "excluded"),
    HS_OPTION_END};

struct greedy {
    const hs_candidates *candidates;
    hs_labelled columns;
    hs_reach reach;
    hs_arena memory;
    const double *n_log_n; /* [rows + 1]: n ln n */
    uint32_t *label;       /* [instances]: class, HSEL_NONE: not in the training part */
    uint32_t *candidate;   /* [features]: its number; HSEL_NONE: not a candidate */
    uint32_t *slot;        /* [candidates + 1]: the values of a candidate but the base, from here */
    uint32_t *with_class;  /* [slots * classes]: instances */
    uint32_t *joint;       /* [slots * values of the chosen one but the base * classes] */
    size_t joint_capacity;
    hs_sparse rows, lists; /* of features that are not binary: instance -> slots and back */
    uint32_t *related;     /* [candidates]: step in which something related was chosen last */
    double *relevance, *j; /* [candidates]: I(f;C); J so far, but for the mean of mrmr */
};

static void greedy_clear(struct greedy *g)
{
    hs_labelled_clear(&g->columns);
    hs_reach_clear(&g->reach);
    hs_sparse_clear(&g->rows);
    hs_sparse_clear(&g->lists);
    hs_free(g->joint);
    hs_arena_clear(&g->memory);
}

/* ---- values ---- */

/* Slots of all candidates, with the instances of each class in them. */
static int read_values(struct greedy *g, hsel_error *error)
{
    const hs_candidates *c = g->candidates;
    const hs_training *training = c->training;
    const hsel_dataset *data = training->view.data;
    const hs_labelled *columns = &g->columns;
    const uint32_t classes = columns->classes;
    HS_OWNS(hs_ordered_clear) hs_ordered ordered = {0};
    HS_OWNED uint32_t *code = HS_NEW(uint32_t, columns->count), *key = NULL, *value = NULL,
                      *times = NULL;
    size_t entries = 0, key_room = 0, value_room = 0, times_room = 0;
    uint32_t slots = 0;
    HS_NEED(code);
    HS_TRY(hs_ordered_init(&ordered, columns, error));
    for (uint32_t i = 0; i < c->count; i++) {
        const uint32_t f = c->feature[i];
        g->candidate[f] = i;
        g->slot[i] = slots;
        if (data->types[f] == HSEL_BINARY) {
            slots++;
            continue;
        }
        uint32_t values = hs_code_column(columns, f, &ordered, code), base = 0;
        HS_NEED(HS_GROW(&times, &times_room, (size_t)values + 1));
        memset(times, 0, (values + 1) * sizeof *times);
        for (uint32_t r = 0; r < columns->count; r++)
            times[code[r]]++;
        for (uint32_t v = 1; v < values; v++)
            base = times[v] > times[base] ? v : base;
        HS_NEED(HS_GROW(&key, &key_room, entries + columns->count) &&
                HS_GROW(&value, &value_room, entries + columns->count));
        for (uint32_t r = 0; r < columns->count; r++)
            if (code[r] != base) {
                key[entries] = slots + code[r] - (code[r] > base);
                value[entries++] = columns->row[r];
            }
        slots += values ? values - 1 : 0;
    }
    g->slot[c->count] = slots;
    HS_TRY(hs_sparse_group(slots, key, value, entries, &g->lists, error));
    HS_TRY(hs_sparse_transpose(&g->lists, data->instances, &g->rows, error));
    g->with_class = hs_arena_zero(&g->memory, (size_t)slots * classes, sizeof *g->with_class);
    HS_NEED(g->with_class);
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t *with = g->with_class + (size_t)g->slot[i] * classes;
        if (data->types[c->feature[i]] == HSEL_BINARY)
            for (uint32_t k = 0; k < classes; k++)
                with[k] = hs_count(training->counts, c->feature[i], k);
    }
    for (size_t e = 0; e < entries; e++)
        g->with_class[(size_t)key[e] * classes + data->class_of[value[e]]]++;
    return HSEL_OK;
}

/* ---- information ---- */

/* A sum of n ln n as bits. */
static double bits(const struct greedy *g, double sum) { return sum / M_LN2 / g->columns.count; }

/* Instances with value b of candidate f, in class k; b 0 is the base. */
static uint32_t with_value(const struct greedy *g, uint32_t f, uint32_t b, uint32_t k)
{
    const uint32_t classes = g->columns.classes, from = g->slot[f], to = g->slot[f + 1];
    if (b)
        return g->with_class[(size_t)(from + b - 1) * classes + k];
    uint32_t left = g->candidates->training->counts->class_size[k];
    for (uint32_t s = from; s < to; s++)
        left -= g->with_class[(size_t)s * classes + k];
    return left;
}

/* Sums of n log n over values and classes, over values, over classes. */
struct sums {
    double cells, values, classes;
};

static struct sums sums_of(const struct greedy *g, uint32_t f)
{
    struct sums s = {0};
    for (uint32_t b = 0; b <= g->slot[f + 1] - g->slot[f]; b++) {
        uint32_t all = 0;
        for (uint32_t k = 0; k < g->columns.classes; k++) {
            uint32_t n = with_value(g, f, b, k);
            s.cells += g->n_log_n[n];
            all += n;
        }
        s.values += g->n_log_n[all];
    }
    for (uint32_t k = 0; k < g->columns.classes; k++)
        s.classes += g->n_log_n[g->candidates->training->counts->class_size[k]];
    return s;
}

/* Counts every candidate together with s: joint[(slot * values of s + a - 1) * classes + class]. */
static int count_joint(struct greedy *g, uint32_t s, hsel_error *error)
{
    const hs_candidates *c = g->candidates;
    const hsel_dataset *data = c->training->view.data;
    const uint32_t classes = g->columns.classes, values = g->slot[s + 1] - g->slot[s];
    const size_t wide = (size_t)values * classes, cells = g->slot[c->count] * wide;
    const bool binary = data->types[c->feature[s]] == HSEL_BINARY;
    HS_NEED(HS_GROW(&g->joint, &g->joint_capacity, cells + 1));
    memset(g->joint, 0, cells * sizeof *g->joint);
    for (uint32_t a = 0; a < values; a++) {
        size_t rows;
        const uint32_t *row = binary ? hs_column(data, c->feature[s], &rows)
                                     : hs_sparse_list(&g->lists, g->slot[s] + a, &rows);
        for (size_t r = 0; r < rows; r++) {
            const uint32_t label = g->label[row[r]];
            if (label == HSEL_NONE)
                continue;
            uint32_t *to = g->joint + (size_t)a * classes + label;
            size_t count;
            const uint32_t *feature = hs_row(data, row[r], &count);
            for (size_t i = 0; i < count; i++) {
                uint32_t f = g->candidate[feature[i]];
                if (f != HSEL_NONE)
                    to[g->slot[f] * wide]++;
            }
            const uint32_t *slot = hs_sparse_list(&g->rows, row[r], &count);
            for (size_t i = 0; i < count; i++)
                to[slot[i] * wide]++;
        }
    }
    return HSEL_OK;
}

/* Sums of n log n over the values of f and s, and over these and classes. */
static void pair_sums(const struct greedy *g, uint32_t f, uint32_t s, double *pairs, double *cells)
{
    const uint32_t classes = g->columns.classes, of_f = g->slot[f + 1] - g->slot[f],
                   of_s = g->slot[s + 1] - g->slot[s];
    const size_t wide = (size_t)of_s * classes;
    const uint32_t *joint = g->joint + g->slot[f] * wide;
    *pairs = *cells = 0;
    for (uint32_t a = 0; a <= of_s; a++)
        for (uint32_t b = 0; b <= of_f; b++) {
            uint32_t all = 0;
            for (uint32_t k = 0; k < classes; k++) {
                /* Both are listed, or the listed values of one are subtracted from the other. */
                uint32_t n = a && b ? joint[(b - 1) * wide + (a - 1) * classes + k]
                             : a    ? with_value(g, s, a, k)
                                    : with_value(g, f, b, k);
                for (uint32_t other = 0; a && !b && other < of_f; other++)
                    n -= joint[other * wide + (a - 1) * classes + k];
                for (uint32_t other = 0; !a && b && other < of_s; other++)
                    n -= joint[(b - 1) * wide + other * classes + k];
                if (!a && !b)
                    for (uint32_t other = 0; other < of_s; other++) {
                        n -= with_value(g, s, other + 1, k);
                        for (uint32_t y = 0; y < of_f; y++)
                            n += joint[y * wide + other * classes + k];
                    }
                *cells += g->n_log_n[n];
                all += n;
            }
            *pairs += g->n_log_n[all];
        }
}

/* ---- choosing ---- */

/* Marks the candidates above and below a chosen one with the step. */
static void mark_related(struct greedy *g, uint32_t s, uint32_t step)
{
    for (int down = 0; down < 2; down++) {
        uint32_t v;
        g->reach.down = down;
        hs_reach_start(&g->reach, g->candidates->feature[s]);
        while ((v = hs_reach_next(&g->reach)) != HSEL_NONE)
            if (g->candidate[v] != HSEL_NONE)
                g->related[g->candidate[v]] = step;
    }
}

static int greedy_choose(const hs_candidates *c, const struct options *o, enum kind kind,
                         bool *keep, hsel_error *error)
{
    static const char *const names[] = {"mrmr", "jmi", "cmim"};
    const hsel_dataset *data = c->training->view.data;
    HS_OWNS(greedy_clear) struct greedy g = {.candidates = c};
    const bool looks = o->related != ALLOWED;
    if (looks && !data->dag)
        return hs_fail(error, HSEL_EUSAGE, "%s:related needs a hierarchy, but %s has none",
                       names[kind], hsel_dataset_name(data));
    HS_TRY(hs_labelled_init(&g.columns, c->training, error));
    if (looks)
        HS_TRY(hs_reach_init(&g.reach, data->dag, error));
    g.n_log_n = g.columns.klogk;
    struct sums *sums = HS_ARENA_NEW(&g.memory, struct sums, c->count);
    HS_NEED(sums &&
            HS_LISTS(&g.memory, &g, HS_PART(&g, label, data->instances),
                     HS_PART(&g, candidate, data->features),
                     HS_PART(&g, slot, (size_t)c->count + 1), HS_PART(&g, related, c->count),
                     HS_PART(&g, relevance, c->count), HS_PART(&g, j, c->count)));
    memset(g.candidate, 0xff, data->features * sizeof *g.candidate);
    memset(g.label, 0xff, data->instances * sizeof *g.label);
    for (uint32_t i = 0; i < g.columns.count; i++)
        g.label[g.columns.row[i]] = g.columns.label[i];
    HS_TRY(read_values(&g, error));
    const double all = g.n_log_n[g.columns.count];
    for (uint32_t i = 0; i < c->count; i++) {
        keep[i] = false;
        sums[i] = sums_of(&g, i);
        g.relevance[i] = c->score[i] =
            g.columns.count ? bits(&g, sums[i].cells - sums[i].values - sums[i].classes + all) : 0;
        if (kind == CMIM)
            g.j[i] = g.relevance[i];
    }
    const uint32_t wanted = o->k < c->count ? o->k : c->count;
    for (uint32_t step = 1; step <= wanted; step++) {
        uint32_t best = HSEL_NONE;
        for (uint32_t i = 0; i < c->count; i++)
            if (!keep[i] && !(o->related == EXCLUDED && g.related[i]) &&
                (best == HSEL_NONE || c->score[i] > c->score[best] + TIE))
                best = i;
        if (best == HSEL_NONE) /* all others are related to chosen ones */
            break;
        keep[best] = true;
        HS_TRY(hs_progress_report(c->training->progress, step, wanted, "features", error));
        if (looks)
            mark_related(&g, best, step);
        if (step == wanted || g.columns.count == 0)
            continue;
        HS_TRY(count_joint(&g, best, error));
        for (uint32_t i = 0; i < c->count; i++) {
            const struct sums *f = &sums[i], *s = &sums[best];
            const bool told = o->related == REDUNDANT && g.related[i] == step;
            double pairs, cells;
            if (keep[i] || (o->related == EXCLUDED && g.related[i]))
                continue;
            pair_sums(&g, i, best, &pairs, &cells);
            if (kind == MRMR) {
                g.j[i] += bits(&g, told ? all - f->values : pairs - f->values - s->values + all);
                c->score[i] = g.relevance[i] - g.j[i] / step;
            } else if (kind == JMI) {
                g.j[i] += told ? g.relevance[best] : bits(&g, cells - pairs - f->classes + all);
                c->score[i] = g.j[i];
            } else {
                g.j[i] = fmin(g.j[i], told ? 0 : bits(&g, cells - pairs - s->cells + s->values));
                c->score[i] = g.j[i];
            }
        }
        for (uint32_t i = 0; c->verdict && o->related == EXCLUDED && i < c->count; i++)
            if (!keep[i] && g.related[i] == step && c->verdict[i].rule == HS_RULE_KEPT)
                hs_candidates_say(c, i, HS_RULE_RELATED, best, (double)NAN);
    }
    return HSEL_OK;
}

#define GREEDY(id, kind, ...)                                                                      \
    static int id##_choose(const hs_candidates *c, const void *options, bool *keep,                \
                           hsel_error *error)                                                      \
    {                                                                                              \
        return greedy_choose(c, options, kind, keep, error);                                       \
    }                                                                                              \
    HS_EAGER_METHOD(                                                                               \
        id, #id, HS_NEEDS_CLASSES | HS_ANY_FEATURES | HS_NUMERIC_TARGET | HS_CUTS_TARGET, table,   \
        sizeof(struct options), NULL, id##_choose, ADDED, NOT_ADDED, hs_eager_scores, __VA_ARGS__)
#define ON_THE_HIERARCHY                                                                           \
    " With related=redundant, ancestors and descendants of chosen features count as "              \
    "redundant; with related=excluded they are left out. Numeric features are cut by "             \
    "minimum description length." HS_QUARTERS

GREEDY(mrmr, MRMR, .title = "relevant and non-redundant features, one at a time",
       .help =
           "Adds one feature at a time: the one with the greatest information about the class, "
           "minus the mean information that it shares with those already chosen." ON_THE_HIERARCHY,
       .citation = "Peng, Long, Ding (2005), IEEE Trans. Pattern Anal. Mach. Intell. "
                   "27:1226-1238 (MID); related is ours");
GREEDY(jmi, JMI, .title = "greatest joint information about the class, one at a time",
       .help = "Adds one feature at a time: the one with the greatest joint information about the "
               "class, summed over its pairs with those already chosen." ON_THE_HIERARCHY,
       .citation = "Yang, Moody (1999), NIPS 12:687-693; related is ours");
GREEDY(cmim, CMIM, .title = "greatest new information about the class, one at a time",
       .help = "Adds one feature at a time: the one whose smallest information about the class, "
               "given any one of those already chosen, is greatest." ON_THE_HIERARCHY,
       .citation = "Fleuret (2004), J. Mach. Learn. Res. 5:1531-1555; related is ours");

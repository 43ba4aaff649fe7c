/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Error rates on a hierarchy.
 *
 * Focused BH: Katsevich, Sabatti, Bogomolov, JASA 2021. Structured Holm: Meijer, Goeman, Briefings
 * in Bioinformatics 2016. Yekutieli, JASA 2008. DAGGER: Ramdas, Chen, Wainwright, Jordan,
 * Biometrika 2019, as in the authors' program. Equal p-values are rejected together. With n nodes
 * and E edges each procedure takes O(n log n + E), except structured Holm (a walk up from each
 * node), DAGGER (O(n log n) per depth) and Focused BH with representatives (O(n + E) for each of
 * them).
 */
#define MATHLIB_STANDALONE
#include "infer/procedures.h"

#include <Rmath.h>

#include "infer/tests.h"

/* ---- order ---- */

/* Parents of a node; none without a hierarchy. */
static const uint32_t *parents_of(const hs_hypotheses *h, uint32_t v, size_t *count)
{
    *count = 0;
    return h->dag ? hs_parents(h->dag, v, count) : NULL;
}

/* The i-th node, parents before children. */
static uint32_t node_at(const hs_hypotheses *h, uint32_t i)
{
    return h->dag ? h->dag->order[i] : i;
}

/* The hypotheses by ascending p. */
static uint32_t *ordered(const hs_hypotheses *h)
{
    uint32_t *order = HS_NEW(uint32_t, h->count);
    if (order)
        hs_order_all(h->p, HS_UPWARDS, order, h->count);
    return order;
}

static void reject_below(const hs_hypotheses *h, bool *rejected, const double *adjusted)
{
    for (uint32_t v = 0; v < h->count; v++)
        rejected[v] = hs_rejects(adjusted[v], h->alpha);
}

/* ---- without a hierarchy ---- */

/* Step-up over `count` of the hypotheses, in the order of p: the k-th has p scale / k. */
static void step_up(const double *p, const uint32_t *order, size_t count, double scale,
                    double *adjusted)
{
    double least = 1;
    for (size_t k = count; k-- > 0;)
        adjusted[order[k]] = least = fmin(least, scale / (double)(k + 1) * p[order[k]]); /* as R */
}

static double harmonic(uint32_t n)
{
    double sum = 0;
    for (uint32_t i = n; i > 0; i--)
        sum += 1.0 / i;
    return sum;
}

static int run_step_up(const hs_hypotheses *h, bool any, bool *rejected, double *adjusted,
                       hsel_error *error)
{
    HS_OWNED uint32_t *order = ordered(h);
    HS_NEED(order);
    step_up(h->p, order, h->count, any ? h->count * harmonic(h->count) : h->count, adjusted);
    reject_below(h, rejected, adjusted);
    return HSEL_OK;
}

static int run_holm(const hs_hypotheses *h, bool any, bool *rejected, double *adjusted,
                    hsel_error *error)
{
    (void)any;
    HS_OWNED uint32_t *order = ordered(h);
    double most = 0;
    HS_NEED(order);
    for (uint32_t k = 0; k < h->count; k++)
        adjusted[order[k]] = most = fmax(most, fmin(1, h->p[order[k]] * (h->count - k)));
    reject_below(h, rejected, adjusted);
    return HSEL_OK;
}

/* ---- outer nodes, updated as nodes are rejected one by one ---- */

typedef struct outer_count {
    const hsel_dag *dag;
    bool *rejected, *below; /* below[v]: a proper descendant of v is rejected */
    uint32_t *stack;
    uint32_t outer; /* rejected nodes without a rejected descendant */
} outer_count;

static void outer_clear(outer_count *o)
{
    hs_free(o->below);
    hs_free(o->stack);
}

static int outer_init(outer_count *o, const hs_hypotheses *h, bool *rejected, hsel_error *error)
{
    *o =
        (outer_count){h->dag, rejected, HS_NEW_ZERO(bool, h->count), HS_NEW(uint32_t, h->count), 0};
    memset(rejected, 0, h->count);
    HS_NEED(o->below && o->stack);
    return HSEL_OK;
}

/* Each node is marked as having something below it once, so all calls together are O(edges). */
static void outer_add(outer_count *o, uint32_t v)
{
    size_t top = 0, parents;
    o->rejected[v] = true;
    o->outer += !o->below[v];
    for (o->stack[top++] = v; o->dag && top > 0;) {
        const uint32_t *parent = hs_parents(o->dag, o->stack[--top], &parents);
        for (size_t i = 0; i < parents; i++) {
            if (o->below[parent[i]])
                continue;
            o->below[parent[i]] = true;
            o->outer -= o->rejected[parent[i]];
            o->stack[top++] = parent[i];
        }
    }
}

uint32_t hs_outer_nodes(const hsel_dag *dag, uint32_t count, const bool *rejected, bool *outer)
{
    uint32_t found = 0;
    memset(outer, 0, count);
    if (dag)
        hs_marked_below(dag, rejected, outer);
    for (uint32_t v = 0; v < count; v++)
        found += outer[v] = rejected[v] && !outer[v];
    return found;
}

/* kept[v]: v is a representative among the first `count` of `order`, which is by p. */
static int represent(const hs_hypotheses *h, const uint32_t *order, uint32_t count, bool *kept,
                     hsel_error *error)
{
    HS_OWNS(hs_reach_clear) hs_reach reach = {0};
    HS_OWNED double *row = HS_NEW(double, h->count);
    HS_OWNED bool *close = HS_NEW_ZERO(bool, h->count);
    HS_NEED(row && close);
    if (h->similarity->dag)
        HS_TRY(hs_reach_init(&reach, h->similarity->dag, error));
    memset(kept, 0, h->count);
    for (uint32_t k = 0; k < count; k++) {
        if (close[order[k]])
            continue;
        kept[order[k]] = true;
        hs_similarity_row(h->similarity, &reach, order[k], row);
        for (uint32_t v = 0; v < h->count; v++)
            close[v] |= row[v] > h->similar;
    }
    return HSEL_OK;
}

int hs_filter_rejected(const hs_hypotheses *h, const bool *rejected, bool *kept, uint32_t *left,
                       hsel_error *error)
{
    uint32_t count = 0;
    if (!h->similarity) {
        *left = hs_outer_nodes(h->dag, h->count, rejected, kept);
        return HSEL_OK;
    }
    HS_OWNED uint32_t *order = ordered(h);
    HS_NEED(order);
    for (uint32_t k = 0; k < h->count; k++)
        if (rejected[order[k]])
            order[count++] = order[k];
    HS_TRY(represent(h, order, count, kept, error));
    *left = 0;
    for (uint32_t k = 0; k < count; k++)
        *left += kept[order[k]];
    return HSEL_OK;
}

static int run_focused(const hs_hypotheses *h, bool any, bool *rejected, double *adjusted,
                       hsel_error *error)
{
    (void)any;
    HS_OWNS(outer_clear) outer_count o = {0};
    HS_OWNED uint32_t *order = ordered(h);
    HS_OWNED bool *kept = h->similarity ? HS_NEW(bool, h->count) : NULL;
    uint32_t count = h->count;
    HS_NEED(order && (kept || !h->similarity));
    HS_TRY(outer_init(&o, h, rejected, error));
    if (h->similarity) { /* whether a node represents depends on those before it alone */
        while (count > 0 &&
               !hs_rejects((double)h->count / count * h->p[order[count - 1]], h->alpha))
            adjusted[order[--count]] =
                (double)NAN; /* not even if all of them represent themselves */
        HS_TRY(represent(h, order, count, kept, error));
    }
    /* The level at which all up to here are rejected; of equal p-values, that of the last. */
    for (uint32_t k = 0; k < count; k++) {
        if (h->similarity)
            o.outer += kept[order[k]];
        else
            outer_add(&o, order[k]);
        adjusted[order[k]] = fmin(1, (double)h->count / o.outer * h->p[order[k]]);
    }
    double least = 1;
    for (uint32_t k = count; k-- > 0;) {
        bool last = k + 1 == h->count || h->p[order[k]] < h->p[order[k + 1]];
        adjusted[order[k]] = least = last ? fmin(least, adjusted[order[k]]) : least;
    }
    reject_below(h, rejected, adjusted);
    for (uint32_t v = 0; v < h->count && h->similarity; v++)
        adjusted[v] = rejected[v] ? adjusted[v] : (double)NAN; /* not computed beyond the level */
    return HSEL_OK;
}

/* ---- structured Holm ---- */

/* Holm in which a rejected node makes its ancestors rejected: the next p-value is multiplied by the
 * number of nodes that are not rejected yet, all of which may be irrelevant at the same time. */
static int run_structured_holm(const hs_hypotheses *h, bool any, bool *rejected, double *adjusted,
                               hsel_error *error)
{
    (void)any;
    if (!h->dag)
        return run_holm(h, any, rejected, adjusted, error);
    HS_OWNS(hs_reach_clear) hs_reach reach = {0};
    HS_OWNED uint32_t *order = ordered(h);
    uint32_t open = h->count;
    double most = 0;
    HS_NEED(order);
    HS_TRY(hs_reach_init(&reach, h->dag, error));
    memset(rejected, 0, h->count);
    for (uint32_t i = 0; i < h->count; i++) {
        if (rejected[order[i]])
            continue; /* something below it was */
        most = fmax(most, fmin(1, h->p[order[i]] * open));
        hs_reach_start(&reach, order[i]);
        for (uint32_t v = order[i]; v != HSEL_NONE; v = hs_reach_next(&reach)) {
            if (rejected[v])
                continue;
            rejected[v] = true;
            adjusted[v] = most;
            open--;
        }
    }
    reject_below(h, rejected, adjusted);
    return HSEL_OK;
}

/* ---- Yekutieli ---- */

static int run_yekutieli(const hs_hypotheses *h, bool any, bool *rejected, double *adjusted,
                         hsel_error *error)
{
    (void)any;
    HS_OWNED uint32_t *order = ordered(h), *above = HS_NEW(uint32_t, h->count);
    HS_OWNS(hs_sparse_clear) hs_sparse families = {0}; /* by what is above, in the order of p */
    uint32_t depth = 1;
    size_t count;
    HS_NEED(order && above);
    for (uint32_t i = 0; i < h->count; i++) {
        const uint32_t *parent = parents_of(h, order[i], &count);
        above[i] = count ? parent[0] : h->count;
        if (h->dag && h->dag->depth[i] + 1 > depth)
            depth = h->dag->depth[i] + 1;
    }
    HS_TRY(hs_sparse_group(h->count + 1, above, order, h->count, &families, error));
    for (uint32_t f = 0; f <= h->count; f++) {
        const uint32_t *family = hs_sparse_list(&families, f, &count);
        step_up(h->p, family, count, 2.0 * depth * (double)count, adjusted);
    }
    for (uint32_t i = 0; i < h->count; i++) {
        const uint32_t v = node_at(h, i), *parent = parents_of(h, v, &count);
        if (count)
            adjusted[v] = fmax(adjusted[v], adjusted[parent[0]]);
    }
    reject_below(h, rejected, adjusted);
    return HSEL_OK;
}

/* ---- DAGGER ---- */

/* The least r for which a candidate is at or below its threshold, which grows with r. */
static double least_r(const hs_hypotheses *h, uint32_t v, double leaves, double m, double total,
                      double so_far, double depth, double up_to, bool dependent)
{
    double level = h->alpha * leaves / (total * m);
    if (!dependent)
        return h->p[v] / level - m - so_far + 1;
    double sum = digamma(m + up_to) - digamma(m + depth - 1); /* of 1/j from m + depth - 1 on */
    return h->p[v] * sum / level - so_far + depth - 1;
}

static int run_dagger(const hs_hypotheses *h, bool any, bool *rejected, double *adjusted,
                      hsel_error *error)
{
    HS_OWNED double *leaves = HS_NEW_ZERO(double, h->count), *m = HS_NEW_ZERO(double, h->count);
    HS_OWNED double *need = HS_NEW(double, h->count);
    HS_OWNED uint32_t *candidate = HS_NEW(uint32_t, h->count);
    uint32_t total = 0, so_far = 0, begin = 0;
    size_t count;
    HS_NEED(leaves && m && need && candidate);
    memset(rejected, 0, h->count);
    for (uint32_t i = h->count; i-- > 0;) { /* children before parents */
        const uint32_t v = node_at(h, i), *parent = parents_of(h, v, &count);
        bool leaf = !h->dag || hs_is_leaf(h->dag, v);
        total += leaf;
        leaves[v] += leaf;
        m[v] += 1;
        for (size_t j = 0; j < count; j++) {
            leaves[parent[j]] += leaves[v] / (double)count;
            m[parent[j]] += m[v] / (double)count;
        }
    }
    for (uint32_t depth = 1; begin < h->count; depth++) {
        uint32_t end = begin, candidates = 0, r;
        while (end < h->count && (!h->dag || h->dag->depth[node_at(h, end)] < depth))
            end++;
        for (uint32_t i = begin; i < end; i++) {
            const uint32_t v = node_at(h, i), *parent = parents_of(h, v, &count);
            bool open = true;
            for (size_t j = 0; j < count; j++)
                open &= rejected[parent[j]];
            if (!open)
                continue;
            need[v] = least_r(h, v, leaves[v], m[v], total, so_far, depth, end, any);
            candidate[candidates++] = v;
        }
        hs_order(need, HS_UPWARDS, candidate, candidates);
        /* The greatest r such that r of them need no more than r, up to rounding. */
        for (r = candidates; r > 0 && need[candidate[r - 1]] > r * (1 + 1e-12) + 1e-12; r--)
            ;
        for (uint32_t i = 0; i < r; i++)
            rejected[candidate[i]] = true;
        so_far += r;
        begin = end;
    }
    for (uint32_t v = 0; v < h->count; v++)
        adjusted[v] = (double)NAN;
    return HSEL_OK;
}

/* ---- all of them ---- */

#define ANY_TESTS      "nothing about how p-values depend on each other"
#define POSITIVE_TESTS "p-values that are independent or positively dependent"
#define UPWARD_TRUTH   " that a relevant term makes its ancestors relevant"

const hs_procedure hs_procedures[] = {
    {"bh", "Benjamini-Hochberg", "false discovery rate; no hierarchy", "FDR", POSITIVE_TESTS,
     .run = run_step_up},
    {"by", "Benjamini-Yekutieli", "false discovery rate; no hierarchy", "FDR", ANY_TESTS,
     .any = true, .run = run_step_up},
    {"holm", "Holm", "family-wise error; no hierarchy", "FWER", ANY_TESTS, .run = run_holm},
    {"focused-bh", "Focused BH",
     "false discovery rate of what a filter leaves: nodes without a rejected descendant, or those "
     "that are not too similar to a better one",
     "FDR", POSITIVE_TESTS, .filters = true, .run = run_focused},
    {"dagger", "DAGGER", "from the roots down, parents first", "FDR",
     POSITIVE_TESTS ", and" UPWARD_TRUTH, .upwards = true, .run = run_dagger},
    {"dagger-dependent", "DAGGER, any dependence", "from the roots down, parents first", "FDR",
     ANY_TESTS ", but" UPWARD_TRUTH, .upwards = true, .any = true, .run = run_dagger},
    {"structured-holm", "structured Holm",
     "family-wise error; a rejected node makes its ancestors rejected, whatever their own p-values",
     "FWER", ANY_TESTS ", but" UPWARD_TRUTH, .upwards = true, .infers = true,
     .run = run_structured_holm},
    {"yekutieli", "Yekutieli",
     "false discovery rate of a tree: BH in each family of siblings whose parent is rejected, at "
     "the level over twice the depth",
     "FDR", "independent p-values, and" UPWARD_TRUTH, .upwards = true, .tree = true,
     .run = run_yekutieli},
    {0}};

int hs_inherited(const hs_procedure *procedure, const hs_hypotheses *h, const double *adjusted,
                 bool *inherited, hsel_error *error)
{
    memset(inherited, 0, h->count);
    if (!procedure->infers || !h->dag)
        return HSEL_OK;
    HS_OWNED uint32_t *order = ordered(&(hs_hypotheses){.p = adjusted, .count = h->count});
    HS_NEED(order);
    for (uint32_t i = h->count, above = 0; i-- > 0;) { /* above: with a greater level */
        if (i + 1 < h->count && adjusted[order[i]] < adjusted[order[i + 1]])
            above = h->count - i - 1;
        const uint32_t v = order[i];
        inherited[v] = adjusted[v] < 1 && !hs_rejects(h->p[v] * (above + 1.0), adjusted[v]);
    }
    return HSEL_OK;
}

const hs_procedure *hs_procedure_find(const char *name, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf known = {0};
    for (const hs_procedure *p = hs_procedures; p->name; p++)
        if (strcmp(p->name, name) == 0)
            return p;
    for (const hs_procedure *p = hs_procedures; p->name; p++)
        hs_buf_printf(&known, "%s%s", known.length ? ", " : "", p->name);
    if (known.failed)
        (void)!hs_fail_memory(error);
    else
        (void)!hs_fail(error, HSEL_EUSAGE, "%.100s is not a procedure; known: %s", name,
                       known.text);
    return NULL;
}

int hs_procedure_run(const hs_procedure *procedure, const hs_hypotheses *h, bool *rejected,
                     double *adjusted, hsel_error *error)
{
    size_t parents;
    if (!(h->alpha > 0 && h->alpha <= 1))
        return hs_fail(error, HSEL_EUSAGE, "the level must be more than 0 and at most 1, not %g",
                       h->alpha);
    for (uint32_t v = 0; v < h->count; v++) {
        bool wrong = !(h->p[v] >= 0 && h->p[v] <= 1);
        parents_of(h, v, &parents);
        if (!wrong && (!procedure->tree || parents < 2))
            continue;
        char name[120];
        if (h->names)
            snprintf(name, sizeof name, "%.100s", hs_names_get(h->names, v));
        else
            snprintf(name, sizeof name, "hypothesis %u", v + 1);
        if (wrong)
            return hs_fail(error, HSEL_EUSAGE, "the p-value of %s is %g", name, h->p[v]);
        return hs_fail(error, HSEL_EUSAGE, "%s is for trees, but %s has %zu parents",
                       procedure->name, name, parents);
    }
    HS_TRY(procedure->run(h, procedure->any, rejected, adjusted, error));
    for (uint32_t v = 0; procedure->upwards && v < h->count; v++) {
        const uint32_t *parent = parents_of(h, v, &parents);
        for (size_t i = 0; i < parents; i++)
            assert(!rejected[v] || rejected[parent[i]]);
        (void)parent;
    }
    return HSEL_OK;
}

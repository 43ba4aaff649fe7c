/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fdr: features whose relevance is significant after what the other tests allow.
 *
 *     p_f  = Fisher's exact test (or chi-squared, G) of feature and class in the training part
 *     keep = what the procedure rejects at the level alpha (stats/procedures.c), or its outer nodes
 *
 * elim (Alexa, Rahnenführer, Lengauer 2006): from the deepest term up, a term is tested without the
 * instances that a significant term below it has (p <= cut): these count as not positive there,
 * while the class sizes stay. Kept is p <= alpha. As in topGO, ancestors lose the instances, not
 * the term itself.
 *
 * More than two classes: Fisher's test by Freeman and Halton, exact up to 100,000 tables. With a
 * tail, the class is the positive one against the rest. Relevance is -log10 p.
 *
 * O(d K) time and O(d) memory but for the sums of Fisher's tails; elim also O(positive values x
 * ancestors of significant terms), and a bit per instance and such ancestor. Ties of p enter
 * together.
 */
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "data/bits.h"
#include "rank/p_values.h"
#include "select/eager.h"
#include "stats/procedures.h"

struct options {
    const char *method;
    double alpha, cut;
    hs_p_options p;
    bool outer;
};

static const hs_option table[] = {
    HS_TEXT(struct options, method, "method", "NAME", "focused-bh",
            "bh, by, holm, focused-bh, dagger, dagger-dependent, structured-holm, yekutieli (hsel "
            "help test), elim, or max-t: family-wise error by permutations (Westfall-Young)"),
    HS_OPTION(struct options, alpha, "alpha", "A", "0.05", 1e-300, 1, "level"),
    HS_P_TEST_OPTIONS(struct options),
    HS_FLAG(struct options, outer, "outer",
            "keep only what is rejected and has no rejected descendant"),
    HS_OPTION(struct options, cut, "cut", "P", "0.01", 0, 1,
              "elim: terms at or below it take their instances away from their ancestors"),
    HS_OPTION_END};

struct elimination {
    uint32_t count;
    hs_sparse columns;  /* candidate -> positions of rows */
    uint64_t **removed; /* [count]: positions that no longer count; NULL: none */
};

static void elimination_clear(struct elimination *e)
{
    hs_sparse_clear(&e->columns);
    for (uint32_t v = 0; e->removed && v < e->count; v++)
        hs_free(e->removed[v]);
    hs_free(e->removed);
}

static int eliminate(const hs_candidates *c, const hs_p_sample *sample, const struct options *o,
                     double *p, hsel_error *error)
{
    const size_t cells = (size_t)sample->strata * sample->classes;
    uint32_t above;
    HS_OWNED uint32_t *positive = HS_NEW(uint32_t, cells);
    HS_OWNS(elimination_clear)
    struct elimination e = {c->count, {0}, HS_NEW_ZERO(uint64_t *, c->count)};
    HS_OWNS(hs_reach_clear) hs_reach reach = {0};
    HS_NEED(e.removed && positive);
    HS_TRY(hs_position_columns(c->training->view.data, c->feature, c->count, sample->rows,
                               sample->count, &e.columns, error));
    HS_TRY(hs_reach_init(&reach, c->dag, error));
    for (uint32_t i = c->count; i-- > 0;) { /* the deepest first */
        uint32_t v = c->dag->order[i];
        size_t count;
        const uint32_t *column = hs_sparse_list(&e.columns, v, &count);
        memset(positive, 0, cells * sizeof *positive);
        for (size_t j = 0; j < count; j++)
            if (!e.removed[v] || !hs_bit_get(e.removed[v], column[j]))
                positive[sample->cell[column[j]]]++;
        HS_TRY(hs_p_of_counts(sample, positive, &p[v], error));
        if (p[v] > o->cut)
            continue;
        for (hs_reach_start(&reach, v); (above = hs_reach_next(&reach)) != HSEL_NONE;) {
            if (!e.removed[above])
                HS_NEED(e.removed[above] = HS_NEW_ZERO(uint64_t, hs_bit_words(sample->count)));
            for (size_t j = 0; j < count; j++)
                hs_bit_set(e.removed[above], column[j]);
        }
    }
    return HSEL_OK;
}

static int choose(const hs_candidates *c, const void *options, bool *keep, hsel_error *error)
{
    const struct options *o = options;
    const bool elim = strcmp(o->method, "elim") == 0, max_t = strcmp(o->method, "max-t") == 0;
    const hs_procedure *procedure = elim || max_t ? NULL : hs_procedure_find(o->method, error);
    HS_OWNED double *p = HS_NEW(double, c->count), *adjusted = HS_NEW(double, c->count);
    HS_OWNED bool *outer = HS_NEW(bool, c->count);
    HS_OWNS(hs_p_sample_clear) hs_p_sample sample = {0};
    if (!elim && !max_t && !procedure)
        return hs_fail(error, HSEL_EUSAGE, "%s; for fdr also elim, max-t", error->message);
    if (max_t != (o->p.permutations > 0) && (max_t || elim))
        return hs_fail(error, HSEL_EUSAGE, "%s %s", o->method,
                       max_t ? "needs permutations: permutations=10000" : "has no permutations");
    HS_TRY(hs_p_sample_init(c->training, &o->p, &sample, error));
    HS_NEED(p && adjusted && outer);
    HS_TRY(elim ? eliminate(c, &sample, o, p, error)
                : hs_p_of_features(&sample, c->feature, c->count, p, adjusted, error));
    for (uint32_t i = 0; i < c->count; i++) {
        keep[i] = (max_t ? adjusted : p)[i] <= o->alpha;
        c->score[i] = p[i] > 0 ? -log10(p[i]) : -log10(5e-324);
        c->score[i] += 0.0; /* no negative zero */
    }
    if (procedure)
        HS_TRY(hs_procedure_run(procedure, &(hs_hypotheses){p, c->count, c->dag, o->alpha, NULL},
                                keep, adjusted, error));
    hs_candidates_rule(c, keep, HS_RULE_NOT_SIGNIFICANT, HSEL_NONE, (double)NAN);
    if (o->outer) {
        hs_outer_nodes(c->dag, c->count, keep, outer);
        memcpy(keep, outer, c->count);
        HS_TRY(hs_candidates_beaten(c, keep, false, error));
    }
    hs_candidates_rule(c, keep, HS_RULE_SIGNIFICANT, HSEL_NONE, (double)NAN);
    return HSEL_OK;
}

HS_EAGER_METHOD(
    fdr, "fdr", HS_NEEDS_CLASSES | HS_NEEDS_HIERARCHY | HS_STOCHASTIC, table,
    sizeof(struct options), NULL, choose, hs_eager_scores,
    .title = "significant features, with a bound on the errors among them",
    .help = "Tests each feature against the class and keeps those that a procedure rejects at the "
            "level alpha: Focused BH and DAGGER bound the rate of false discoveries on the "
            "hierarchy, structured Holm the chance of any; elim tests a term without the "
            "instances of significant terms below it. hsel test does the same with p-values from "
            "elsewhere.",
    .citation = "Katsevich, Sabatti, Bogomolov (2021); Ramdas and others (2019); Meijer, Goeman "
                "(2016); Yekutieli (2008); Alexa, Rahnenführer, Lengauer (2006)");

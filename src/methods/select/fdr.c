/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fdr: features that are significant after correction for the number of tests.
 *
 *     p_f  = Fisher's exact test (or chi-squared, G) of feature and class in the training part
 *     keep = what the procedure rejects at the level alpha (stats/procedures.c), or its outer nodes
 *
 * Features that are constant in the training part or present in too few instances (min-present) are
 * not tested.
 *
 * elim, weight01, weight: the p-value of a term beside those below it (rank/local.c); kept is
 * p <= alpha. max-t: Westfall and Young's p-values by permutations (rank/permutations.c), likewise.
 *
 * More than two classes: Fisher's test by Freeman and Halton, exact up to 100,000 tables. With a
 * tail, the class is the positive one against the rest. Relevance is -log10 p.
 *
 * O(d K) time and the sums of Fisher's tails, O(d) memory; the other tests as their files say.
 * Equal p-values are rejected together.
 */
#include "infer/p_values.h"
#include "select/eager.h"
#include "infer/procedures.h"

struct options {
    const char *method;
    double alpha, cut, similar;
    hs_p_options p;
    int filter; /* 0: outer nodes; else one more than an hs_similarity_kind */
    bool outer;
};

static const hs_option table[] = {
    HS_TEXT(struct options, method, "method", "NAME", "focused-bh",
            "bh, by, holm, focused-bh, dagger, dagger-dependent, structured-holm, yekutieli (hsel "
            "help test); elim, weight01, weight01-topgo or weight: terms adjusted for the terms "
            "below them; max-t: family-wise error by permutations (Westfall-Young)"),
    HS_OPTION(struct options, alpha, "alpha", "A", "0.05", 1e-300, 1, "level"),
    HS_P_TEST_OPTIONS(struct options),
    HS_FILTER_OPTIONS(struct options),
    HS_FLAG(struct options, outer, "outer",
            "keep only the rejected terms that pass the filter: outer nodes, or representatives"),
    HS_OPTION(struct options, cut, "cut", "P", "0.01", 0, 1,
              "elim: a term with p at or below this removes its instances from its ancestors"),
    HS_OPTION_END};

static int fdr_check(const void *options, hsel_error *error)
{
    const struct options *o = options;
    const bool local = hs_p_method_find(o->method) != HS_P_METHODS,
               max_t = strcmp(o->method, "max-t") == 0;
    if (!local && !max_t && !hs_procedure_find(o->method, error))
        return hs_fail(error, HSEL_EUSAGE, "%s; for fdr also " HS_P_LOCAL ", max-t",
                       error->message);
    const char *idle = o->filter && !o->outer && strcmp(o->method, "focused-bh") != 0
                           ? "filter is for method=focused-bh, or with outer"
                       : !o->filter && o->similar != 0.7 ? "similar is for a filter by similarity"
                       : o->cut != 0.01 && strcmp(o->method, "elim") != 0 ? "cut is for method=elim"
                                                                          : NULL;
    if (idle)
        return hs_fail(error, HSEL_EUSAGE, "%s", idle);
    if (max_t && !o->p.permutations)
        return hs_fail(error, HSEL_EUSAGE, "max-t needs permutations: permutations=10000");
    if (local && o->p.permutations)
        return hs_fail(error, HSEL_EUSAGE, "%s has no permutations", o->method);
    return HSEL_OK;
}

/* from[] of the hypotheses as to[] of all candidates. */
static void spread_tested(const uint8_t *kind, uint32_t count, const bool *from, bool *to)
{
    for (uint32_t i = 0, at = 0; i < count; i++)
        to[i] = hs_p_is_tested(kind[i]) && from[at++];
}

static int fdr_choose(const hs_candidates *c, const void *options, bool *keep, hsel_error *error)
{
    const struct options *o = options;
    const hs_p_method local = hs_p_method_find(o->method);
    const bool max_t = strcmp(o->method, "max-t") == 0;
    HS_OWNED double *p = HS_NEW(double, c->count), *adjusted = HS_NEW(double, c->count);
    HS_OWNED bool *left = HS_NEW(bool, c->count), *rejected = HS_NEW(bool, c->count);
    HS_OWNED uint32_t *support = HS_NEW(uint32_t, c->count);
    HS_OWNED uint8_t *kind = HS_NEW_ZERO(uint8_t, c->count);
    HS_OWNS(hs_p_sample_clear) hs_p_sample sample = {0};
    HS_OWNS(hs_similarity_clear) hs_similarity similarity = {0};
    HS_OWNS(hs_dag_release) hsel_dag *part = NULL;
    uint32_t number, count = 0;
    bool rare = false, rough = false, inherits = false;
    const hsel_dataset *data = c->training->view.data;
    const hs_progress *progress = c->training->progress;
    if ((local != HS_P_METHODS || o->filter) && !hs_dataset_all_binary(data))
        return hs_fail(error, HSEL_EUSAGE, "%s is for binary features, but %s has others",
                       o->filter ? "fdr with a filter by similarity" : o->method,
                       hsel_dataset_name(data));
    HS_TRY(hs_p_sample_init(c->training, &o->p, &sample, error));
    HS_NEED(p && adjusted && left && rejected && support && kind);
    HS_TRY(local != HS_P_METHODS
               ? hs_p_local(&sample, c->dag, c->feature, local, o->cut, p, error)
               : hs_p_of_features(&sample, c->feature, c->count, p, adjusted, kind, error));
    for (uint32_t i = 0; i < c->count; i++) {
        if (kind[i] == HSEL_P_NOMINAL)
            return hs_fail(error, HSEL_EUSAGE,
                           "feature %.200s of %s is nominal, but fdr has no test for it",
                           hsel_dataset_feature_name(data, c->feature[i]), hsel_dataset_name(data));
        rare |= kind[i] == HSEL_P_RARE;
        rough |= kind[i] == HSEL_P_ROUGH;
        c->score[i] = isnan(p[i]) ? 0 : p[i] > 0 ? -log10(p[i]) : -log10(5e-324);
        c->score[i] += 0.0; /* no negative zero */
        left[i] = hs_p_is_tested(kind[i]);
        if (!left[i])
            continue;
        rejected[count] = hs_rejects((max_t ? adjusted : p)[i], o->alpha);
        support[count] = (uint32_t)hs_support(c->training->counts, c->feature[i]);
        p[count++] = p[i];
    }
    HS_TRY(hs_dag_subset(c->dag, left, &part, error));
    hs_hypotheses h = {p, count, part, o->alpha, NULL, o->filter ? &similarity : NULL, o->similar};
    if (o->filter) {
        HS_TRY(hs_similarity_init(&similarity, part, count, support, c->training->counts->instances,
                                  (hs_similarity_kind)(o->filter - 1), error));
        similarity.scaled = true;
    }
    if (!max_t && local == HS_P_METHODS) {
        const hs_procedure *procedure = hs_procedure_find(o->method, error);
        HS_TRY(procedure ? hs_procedure_run(procedure, &h, rejected, adjusted, error)
                         : HSEL_EUSAGE);
        HS_TRY(hs_inherited(procedure, &h, adjusted, left, error));
        for (uint32_t i = 0; i < count; i++)
            inherits |= left[i] &= rejected[i] && !o->outer;
        spread_tested(kind, c->count, left, keep);
        hs_candidates_rule(c, keep, HS_RULE_INHERITED);
    }
    spread_tested(kind, c->count, rejected, keep);
    hs_candidates_rule(c, keep, HS_RULE_NOT_SIGNIFICANT);
    if (o->outer) {
        HS_TRY(hs_filter_rejected(&h, rejected, left, &number, error));
        spread_tested(kind, c->count, left, keep);
        HS_TRY(hs_candidates_beaten(c, keep, false, error));
    }
    const struct {
        bool met;
        const char *text;
    } notes[] = {
        {sample.exchange.grouped && !o->p.permutations,
         local != HS_P_METHODS
             ? "selections use p-values that assume independent instances, even within a group"
             : "selections use p-values that assume independent instances, even within a group "
               "(permutations=N respects groups)"},
        {sample.left_out, "selections leave out instances without stratum"},
        {rare, "selections do not test features present in too few instances (min-present)"},
        {rough, "selections use approximate p-values of rare features, which may be too small"},
        {inherits,
         "selections include terms only because a term below them is significant (inherited)"}};
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        if (notes[i].met)
            HS_TRY(hs_notes_count(progress ? progress->notes : NULL, "fdr", notes[i].text, true,
                                  error));
    return HSEL_OK;
}

HS_EAGER_METHOD(
    fdr, "fdr",
    HS_NEEDS_CLASSES | HS_NEEDS_HIERARCHY | HS_ANY_FEATURES | HS_STOCHASTIC | HS_WITHIN_STRATA,
    table, sizeof(struct options), NULL, fdr_choose, SIGNIFICANT, DROPPED, hs_eager_scores,
    .check = fdr_check, .title = "significant features, with a bound on false discoveries",
    .help =
        "Tests each feature against the class and keeps those that a procedure rejects at the "
        "level alpha: Focused BH and DAGGER control the false discovery rate on the hierarchy, "
        "structured Holm and max-t the chance of any false rejection; elim, weight01 and weight "
        "test a term after removing what more significant terms below it explain. hsel test "
        "applies the procedures to p-values from any source. Numeric features are tested by ranks "
        "(Mann-Whitney, Kruskal-Wallis), with any procedure except elim, weight01 and weight.",
    .citation = "Katsevich, Sabatti, Bogomolov (2021); Ramdas and others (2019); Meijer, Goeman "
                "(2016); Yekutieli (2008); Alexa, Rahnenführer, Lengauer (2006); Westfall, Young "
                "(1993); representatives as in REVIGO: Supek and others (2011)");

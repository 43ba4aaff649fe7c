/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Metrics in percent for people, as hsel eval shows them; shares for programs.
 */
#define _GNU_SOURCE /* qsort_r */
#include "show/choice.h"

#include "show/document.h"
#include "stats/statistics.h"

#define LINE_WIDTH 100
#define LEVEL      0.05 /* above which a difference is reported */
#define FACT       13   /* columns of the words before a fact */

static const char *const ends[] = {[HS_AUTO_STAYED] = "stayed",
                                   [HS_AUTO_LEFT] = "left",
                                   [HS_AUTO_FAILED] = "failed",
                                   [HS_AUTO_NOT_REACHED] = "not reached"};

/* ---- candidates in the order of the race on all data ---- */

struct order {
    const hs_auto *result;
    hs_metric metric;
};

/* The choice first, then candidates that stayed, by mean, then those that left, the last to leave
 * first. */
static int by_standing(const void *a, const void *b, void *context)
{
    const struct order *order = context;
    size_t i = *(const size_t *)a, j = *(const size_t *)b;
    const hs_auto_candidate *x = &order->result->candidates[i], *y = &order->result->candidates[j];
    if ((i == order->result->choice.candidate) != (j == order->result->choice.candidate))
        return i == order->result->choice.candidate ? -1 : 1;
    if (x->folds != y->folds)
        return x->folds > y->folds ? -1 : 1;
    if (x->folds && x->mean != y->mean && !(isnan(x->mean) && isnan(y->mean)))
        return isnan(y->mean) || hs_metric_better(order->metric, x->mean, y->mean) ? -1 : 1;
    return i < j ? -1 : 1;
}

static int sorted(const hs_auto_request *request, const hs_auto *result, size_t **out,
                  hsel_error *error)
{
    struct order order = {result, request->metric};
    *out = HS_NEW(size_t, result->count);
    HS_NEED(*out);
    for (size_t i = 0; i < result->count; i++)
        (*out)[i] = i;
    qsort_r(*out, result->count, sizeof **out, by_standing, &order);
    return HSEL_OK;
}

/* ---- words ---- */

static const char *pair_of(hs_document *doc, const hs_auto *result, size_t candidate)
{
    if (candidate == HS_AUTO_NOBODY)
        return HS_NOTHING;
    const hs_auto_candidate *c = &result->candidates[candidate];
    return hs_say(doc, "%s with %s", c->selector, c->classifier);
}

static const char *interval(hs_document *doc, const hs_auto_mean *mean, bool percent_points)
{
    if (isnan(mean->low))
        return "no interval: fewer than two outer folds";
    return hs_say(doc,
                  percent_points ? "95 %% interval %+.1f to %+.1f" : "95 %% interval %.1f to %.1f",
                  100 * mean->low, 100 * mean->high);
}

static const char *say_estimate(hs_document *doc, const hs_auto_request *request,
                                const hs_auto *result)
{
    bool flattered = hs_metric_better(request->metric, result->inner, result->estimate.mean);
    const uint32_t count = result->estimate.count; /* less: in some the metric has no value */
    const char *folds = count < result->tested ? hs_say(doc, "%u of %zu", count, result->tested)
                                               : hs_say(doc, "%u", count);
    return hs_say(doc,
                  "%s %s (%s), mean over %s outer folds, which took no part in the choices; in "
                  "the inner folds by which they were chosen the same pipelines have %s%s",
                  hs_metric_title(request->metric), hs_percent(doc, result->estimate.mean),
                  interval(doc, &result->estimate, false), folds, hs_percent(doc, result->inner),
                  flattered ? ", which is optimistic" : "");
}

static const char *say_selection(hs_document *doc, const hs_auto_request *request,
                                 const hs_auto *result)
{
    const hs_auto_mean *s = &result->selection;
    bool better = hs_metric_better(request->metric, s->mean, 0);
    if (!s->count)
        return "no comparison with no selection: this needs candidates of both kinds";
    return hs_say(doc,
                  "%s: the best with selection minus the best without it is %+.1f points (%s%s%s, "
                  "corrected paired t-test over %u outer folds)",
                  !(s->p < LEVEL) ? "no significant advantage over no selection"
                  : better        ? "selection helps"
                                  : "selection reduces performance",
                  100 * s->mean, interval(doc, s, true), isnan(s->p) ? "" : ", ",
                  isnan(s->p) ? "" : hs_p_value(doc, s->p, true), s->count);
}

/* The best single pair, where there are blends, too. */
static const char *say_single(hs_document *doc, const hs_auto_request *request,
                              const hs_auto *result)
{
    const hs_auto_mean *b = &result->blend;
    const size_t best = result->choice.best[result->choice.single];
    return hs_say(doc,
                  "%s; choosing among single pairs has %s %s; the blend minus the best single pair "
                  "is %+.1f points (%s%s%s)",
                  best == result->choice.candidate
                      ? "the choice is a single pair"
                      : hs_say(doc, "the best single pair would have been %s",
                               pair_of(doc, result, best)),
                  hs_metric_title(request->metric), hs_percent(doc, result->single.mean),
                  100 * b->mean, interval(doc, b, true), isnan(b->p) ? "" : ", ",
                  isnan(b->p) ? "" : hs_p_value(doc, b->p, true));
}

static const char *say_chance(hs_document *doc, const hs_auto_request *request,
                              const hs_auto *result)
{
    bool lower = hs_metric_formula(request->metric)->lower_is_better;
    const hs_auto_mean *e = &result->estimate;
    const char *always = hs_say(doc, "always predicting the %s class has %s %.1f",
                                request->data->class_names.count > 2 ? "largest" : "larger",
                                hs_metric_title(request->metric), 100 * result->chance);
    if (result->permutations)
        return hs_say(
            doc,
            "%s: %s with the whole procedure on permuted classes (%u of %u permutations "
            "as good or better); %s",
            result->p <= LEVEL ? "better than chance" : "not significantly better than chance",
            hs_p_value(doc, result->p, true), result->as_good, result->permutations, always);
    bool clear = lower ? e->high < result->chance : e->low > result->chance;
    return hs_say(doc, "%s, which is %s the interval; use {permutations=99} to test it", always,
                  clear ? "outside" : "not outside");
}

static const char *say_stability(hs_document *doc, const hs_auto *result)
{
    const char *others = "";
    size_t kinds = 0;
    for (size_t i = 0; i < result->count; i++)
        kinds += result->candidates[i].chosen > 0;
    for (size_t i = 0; i < result->count && kinds <= 6; i++)
        if (result->candidates[i].chosen)
            others = hs_say_more(
                doc, others,
                hs_say(doc, "%s %u", pair_of(doc, result, i), result->candidates[i].chosen));
    if (kinds > 6)
        others = hs_say(doc, "%zu different ones", kinds);
    return hs_say(doc, "chosen in the %zu outer folds: %s", result->tested, others);
}

static const char *say_budget(hs_document *doc, const hs_auto_request *request,
                              const hs_auto *result)
{
    size_t out = 0, cut = 0;
    for (size_t i = 0; i < result->count; i++)
        out += result->candidates[i].end == HS_AUTO_NOT_REACHED;
    for (size_t i = 0; i < result->winner_count; i++)
        cut += result->winners[i].inner_folds < result->inner_folds_all;
    return hs_say(doc,
                  "over after %u of %u inner folds on all data; %zu of %zu candidates were not "
                  "reached, %zu of %zu outer folds had a shorter race, %u of %u permutations are "
                  "done; without {budget} the result would be reproducible and may be another",
                  result->inner_folds, result->inner_folds_all, out, result->count, cut,
                  result->winner_count, result->permutations, request->permutations);
}

/* ---- for people ---- */

static void put_fact(hs_writer *out, const char *name, const char *words)
{
    hs_writer_printf(out, "%-*s", FACT, name);
    hs_put_wrapped(out, words, LINE_WIDTH, FACT);
}

int hs_choice_print(const hs_auto_request *request, const hs_auto *result, hs_writer *out,
                    hsel_error *error)
{
    HS_OWNS(hs_document_clear) hs_document doc = {0};
    HS_OWNED size_t *order = NULL;
    const char *metric = hs_metric_title(request->metric);
    HS_TRY(sorted(request, result, &order, error));
    hs_writer_for_people(out);
    if (result->tested) {
        put_fact(out, "choice", pair_of(&doc, result, result->choice.candidate));
        put_fact(out, "estimate", say_estimate(&doc, request, result));
        if (result->blend.count)
            put_fact(out, "single pair", say_single(&doc, request, result));
        put_fact(out, "selection", say_selection(&doc, request, result));
        put_fact(out, "chance", say_chance(&doc, request, result));
        put_fact(out, "stability", say_stability(&doc, result));
        if (result->budget_over)
            put_fact(out, "budget", say_budget(&doc, request, result));
        hs_writer_char(out, '\n');
    }
    hs_doc_grid grid = {.doc = &doc, .columns = 7, .left = 3};
    HS_ROW(&grid, "selector", "classifier", "on all data", metric, "± se", "inner folds",
           "won outer folds");
    for (size_t i = 0; i < result->count; i++) {
        const hs_auto_candidate *c = &result->candidates[order[i]];
        HS_ROW(&grid, c->selector, c->classifier,
               order[i] == result->choice.candidate ? "choice"
               : c->close                           ? "close"
               : c->end == HS_AUTO_STAYED           ? "behind"
                                                    : ends[c->end],
               hs_percent(&doc, c->mean), hs_percent(&doc, c->se));
        hs_putf(&grid, "%u", c->folds);
        if (result->tested)
            hs_putf(&grid, "%u", c->chosen);
        else
            HS_ROW(&grid, HS_NOTHING);
    }
    HS_TRY(hs_document_check(&doc, error));
    HS_TRY(hs_grid_print(&grid, out, error));
    if (!result->tested)
        return HSEL_OK;
    const bool blends = result->blend.count > 0;
    grid = (hs_doc_grid){.doc = &doc, .columns = 8 + blends, .left = 3};
    HS_ROW(&grid, "outer fold", "selector", "classifier", hs_say(&doc, "%s inside", metric),
           hs_say(&doc, "%s outside", metric), "best without selection", "best with selection",
           "difference");
    if (blends)
        HS_ROW(&grid, "blend");
    for (size_t i = 0; i < result->winner_count; i++) {
        const hs_auto_winner *w = &result->winners[i];
        if (request->repeats > 1)
            hs_putf(&grid, "%u.%u", w->repeat + 1, w->fold + 1);
        else
            hs_putf(&grid, "%u", w->fold + 1);
        bool reached = w->candidate != HS_AUTO_NOBODY;
        HS_ROW(&grid, reached ? result->candidates[w->candidate].selector : HS_NOTHING,
               reached ? result->candidates[w->candidate].classifier : HS_NOTHING,
               hs_percent(&doc, w->inner), hs_percent(&doc, w->outer),
               hs_percent(&doc, w->value[0]), hs_percent(&doc, w->value[1]));
        if (isnan(w->value[1] - w->value[0]))
            HS_ROW(&grid, HS_NOTHING);
        else
            hs_putf(&grid, "%+.1f", 100 * (w->value[1] - w->value[0]));
        if (blends)
            HS_ROW(&grid, hs_percent(&doc, w->value[HS_AUTO_BLENDS]));
    }
    HS_TRY(hs_document_check(&doc, error));
    hs_writer_char(out, '\n');
    return hs_grid_print(&grid, out, error);
}

int hs_choice_print_list(const hs_auto *list, hs_writer *out, hsel_error *error)
{
    HS_OWNS(hs_document_clear) hs_document doc = {0};
    hs_doc_grid grid = {.doc = &doc, .columns = 3, .left = 3};
    HS_ROW(&grid, "selector", "classifier", "tried");
    for (size_t i = 0, j = 0; i < list->count || j < list->left_out_count;) {
        /* as they stand in the lists: those of a selector together */
        const hs_auto_candidate *c = &list->candidates[i];
        bool in = j == list->left_out_count ||
                  (i < list->count && (i == 0 || strcmp(c->selector, c[-1].selector) == 0 ||
                                       strcmp(c->selector, list->left_out[j].selector) == 0));
        if (in)
            HS_ROW(&grid, c->selector, c->classifier, "yes");
        else
            HS_ROW(&grid, list->left_out[j].selector, list->left_out[j].classifier,
                   hs_say(&doc, "no: %s", list->left_out[j].why));
        i += in;
        j += !in;
    }
    HS_TRY(hs_document_check(&doc, error));
    hs_writer_for_people(out);
    return hs_grid_print(&grid, out, error);
}

/* ---- for programs ---- */

int hs_choice_csv(const hs_auto_request *request, const hs_auto *result, hs_writer *out,
                  hsel_error *error)
{
    HS_OWNED size_t *order = NULL;
    HS_TRY(sorted(request, result, &order, error));
    hs_writer_text(out, "dataset,selector,classifier,metric,mean,se,inner_folds,end,chosen,close,"
                        "won_outer_folds\n");
    for (size_t i = 0; i < result->count; i++) {
        const hs_auto_candidate *c = &result->candidates[order[i]];
        hs_csv_put(out, "%s,%s,%s,%s,%g,%g,%u,%s,%u,%u,%u\n", hsel_dataset_name(request->data),
                   c->selector, c->classifier, hs_metric_name(request->metric), c->mean, c->se,
                   c->folds, ends[c->end], order[i] == result->choice.candidate, c->close,
                   c->chosen);
    }
    return HSEL_OK;
}

static void put_mean(hs_json *json, const hs_auto_mean *mean)
{
    hs_json_put(json, "{mean:%g se:%g low:%g high:%g folds:%u", mean->mean, mean->se, mean->low,
                mean->high, mean->count);
}

static void put_pair(hs_json *json, const hs_auto *result, size_t candidate)
{
    bool there = candidate != HS_AUTO_NOBODY;
    hs_json_put(json, "selector:%s classifier:%s",
                there ? result->candidates[candidate].selector : NULL,
                there ? result->candidates[candidate].classifier : NULL);
}

int hs_choice_json(const hs_auto_request *request, const hs_auto *result, hs_json *json,
                   hsel_error *error)
{
    HS_OWNS(hs_document_clear) hs_document doc = {0};
    HS_OWNED size_t *order = NULL;
    HS_TRY(sorted(request, result, &order, error));
    hs_json_put(json,
                "{dataset:%s metric:%s rank_by:%s lower_is_better:%d folds:%u repeats:%u "
                "inner_folds:%u inner_repeats:%u race:%g seed:%ju budget:%g budget_over:%d "
                "complete:%d",
                hsel_dataset_name(request->data), hs_metric_name(request->metric),
                hs_rank_by_word(request->rank_by),
                hs_metric_formula(request->metric)->lower_is_better, request->folds,
                request->repeats, request->inner_folds, request->inner_repeats, request->level,
                request->seed, request->budget, result->budget_over, result->tested > 0);
    if (result->tested) {
        hs_json_put(json, "choice:{");
        put_pair(json, result, result->choice.candidate);
        hs_json_put(json, "inner:%g} estimate:", result->choice.inner);
        put_mean(json, &result->estimate);
        hs_json_put(json, "inner:%g chance:%g} metrics:{", result->inner, result->chance);
        for (int m = 0; m < HS_METRICS; m++)
            hs_json_put(json, "%s:%g", hs_metric_name((hs_metric)m), result->metrics[m]);
        hs_json_put(json, "} selection:");
        put_mean(json, &result->selection);
        hs_json_put(json, "p:%g}", result->selection.p);
        if (result->blend.count) {
            hs_json_put(json, "single_pair:{");
            put_pair(json, result, result->choice.best[result->choice.single]);
            hs_json_put(json, "estimate:");
            put_mean(json, &result->single);
            hs_json_put(json, "} blend_minus_it:");
            put_mean(json, &result->blend);
            hs_json_put(json, "p:%g} words:%s}", result->blend.p,
                        say_single(&doc, request, result));
        }
        hs_json_put(json, "permutation_test:{permutations:%u as_good:%u p:%g estimates:[",
                    result->permutations, result->as_good, result->p);
        for (uint32_t i = 0; i < result->permutations; i++)
            hs_json_double(json, result->permuted[i]);
        hs_json_put(json, "]} words:{choice:%s estimate:%s selection:%s chance:%s stability:%s}",
                    pair_of(&doc, result, result->choice.candidate),
                    say_estimate(&doc, request, result), say_selection(&doc, request, result),
                    say_chance(&doc, request, result), say_stability(&doc, result));
    }
    hs_json_put(json, "candidates:[");
    for (size_t i = 0; i < result->count; i++) {
        const hs_auto_candidate *c = &result->candidates[order[i]];
        hs_json_put(json,
                    "{selector:%s classifier:%s mean:%g se:%g inner_folds:%u end:%s chosen:%d "
                    "close:%d won_outer_folds:%u}",
                    c->selector, c->classifier, c->mean, c->se, c->folds, ends[c->end],
                    order[i] == result->choice.candidate, c->close, c->chosen);
    }
    hs_json_put(json, "] left_out:[");
    for (size_t i = 0; i < result->left_out_count; i++)
        hs_json_put(json, "{selector:%s classifier:%s why:%s}", result->left_out[i].selector,
                    result->left_out[i].classifier, result->left_out[i].why);
    hs_json_put(json, "] outer_folds:[");
    for (size_t i = 0; result->tested && i < result->winner_count; i++) {
        const hs_auto_winner *w = &result->winners[i];
        hs_json_put(json, "{repeat:%u fold:%u", w->repeat + 1, w->fold + 1);
        put_pair(json, result, w->candidate);
        hs_json_put(json, "inner_folds:%u inner:%g outer:%g without:{", w->inner_folds, w->inner,
                    w->outer);
        put_pair(json, result, w->best[0]);
        hs_json_put(json, "outer:%g} with:{", w->value[0]);
        put_pair(json, result, w->best[1]);
        hs_json_put(json, "outer:%g}", w->value[1]);
        if (result->blend.count)
            hs_json_put(json, "blend:%g", w->value[HS_AUTO_BLENDS]);
        hs_json_put(json, "}");
    }
    hs_json_put(json, "] tests:%ju tests_without_racing:%ju}", result->tests, result->tests_all);
    return hs_document_check(&doc, error);
}

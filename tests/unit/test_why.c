/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Why features are kept or dropped. Every selector of the registry, in many of its settings, on
 * random data: a verdict keeps what was selected; the feature that a lazy selector names is the
 * strongest rival that a slow twin over the closure finds; the one that an eager selector names
 * stands where the rule says.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/random.h"
#include "learn/model.h"
#include "select/select.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/random_data.h"
#include "support/model_data.h"

#define MOST 24 /* features */

/* Beside every selector of the registry as it is. */
static const char *const settings[] = {"boruta:runs=12,trees=20,alpha=0.5",
                                       "taxahfe:trees=10,seeds=2,from=2",
                                       "taxahfe:trees=10,seeds=2,from=2,filter=off",
                                       "rpv:measure=ig",
                                       "rpv:measure=r,smoothing=none",
                                       "mr:smoothing=none",
                                       "hnb:k=1",
                                       "hnb:k=4",
                                       "rnb:k=3",
                                       "shsel:similarity=correlation,threshold=0.5",
                                       "shsel:threshold=0.9,prune=lenient",
                                       "shsel:mean=survivors,paths=contracted",
                                       "shsel:prune=none,threshold=0.95",
                                       "hfe:prune=lenient",
                                       "tsel:reading=path-max",
                                       "tsel:reading=path-max-filter",
                                       "tsel:reading=first-local",
                                       "tsel:chi2-top=2",
                                       "gtd:ties=leaf",
                                       "gtd:ties=both",
                                       "gtd:reading=antichain",
                                       "gtd:reading=shortest,score=ig",
                                       "fdr:alpha=0.5",
                                       "fdr:alpha=0.9,method=bh,outer",
                                       "fdr:method=elim,alpha=0.3",
                                       "hill-climbing:direction=top-down",
                                       "sig:threshold=0.05,normalize",
                                       "sc:threshold=0.3",
                                       "cfs:locally-predictive=false",
                                       "relieff:k=2,threshold=0.05",
                                       "top:k=3,by=ig",
                                       "ga:generations=2,population=8,folds=2"};

struct world {
    hsel_dataset *data;
    uint64_t mask; /* features that may be used */
    uint32_t rows[32];
    hs_counts counts;
    hs_training training;
    bool above[MOST][MOST], parent[MOST][MOST]; /* [v][u]: u is an ancestor of v; is next to it
                                                   among those that may be used */
};

static void world_new(struct world *w, hs_stream *stream)
{
    hs_random_shape shape = {.instances = 24,
                             .features = 2 + (uint32_t)hs_random_below(stream, MOST - 2),
                             .classes = 2,
                             .density = 0.2,
                             .parents = 0.1 + hs_random_double(stream) * 2,
                             .true_path = true};
    hsel_error error = {0};
    *w = (struct world){.data = hs_random_dataset(stream, &shape)};
    bool all = hs_random_below(stream, 2);
    uint32_t n = w->data->features;
    for (uint32_t f = 0; f < n; f++)
        if (all || hs_random_below(stream, 4))
            hs_bit_set(&w->mask, f);
    for (uint32_t v = 0; v < n; v++) {
        size_t count;
        const uint32_t *parent = hs_parents(w->data->dag, v, &count);
        for (size_t i = 0; i < count; i++)
            w->above[v][parent[i]] = true;
    }
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++)
                w->above[i][j] |= w->above[i][k] && w->above[k][j];
    for (uint32_t i = 0; i < 20; i++) {
        w->data->class_of[i] = i < 2 ? i : w->data->class_of[i];
        w->rows[i] = i;
    }
    hs_view view = {.data = w->data, .rows = w->rows, .row_count = 20};
    assert_ok(hs_counts_of(&view, &w->counts, &error), error);
    view.features = all ? NULL : &w->mask;
    w->training =
        (hs_training){.view = view, .counts = &w->counts, .seed = 1, .threads = 1, .reasons = true};
}

static void world_free(struct world *w)
{
    hs_counts_clear(&w->counts);
    hsel_dataset_free(w->data);
}

static bool can_use(const struct world *w, uint32_t f) { return w->mask >> f & 1; }

/* ---- lazy ---- */

/* Does u, of the same value as v, make a lazy selector drop v? */
static bool is_rival(const char *method, const struct world *w, const double *score, bool positive,
                     uint32_t v, uint32_t u)
{
    bool above = w->above[v][u], below = w->above[u][v], main = positive ? below : above;
    if (!(above || below) || !can_use(w, u))
        return false;
    if (strncmp(method, "hip", 3) == 0 && strcmp(method, "hip-mr") != 0)
        return main;
    if (strcmp(method, "rpv") == 0)
        return main && score[u] > score[v];
    if (strcmp(method, "mr") == 0 && !main)
        return score[u] > score[v];
    return main && score[u] >= score[v];
}

static void check_lazy(const char *text, const struct world *w, const hs_chosen *chosen,
                       void *state, uint32_t instance, hs_lazy_scratch *scratch,
                       hs_selection *selection)
{
    const hs_selector *selector = chosen->method->selector;
    const char *name = chosen->method->name;
    const double *score = selector->scores ? selector->scores(state) : NULL;
    hsel_error error = {0};
    size_t count;
    const uint32_t *row = hs_row(w->data, instance, &count);
    uint64_t kept = 0, has = 0;
    assert_ok(selector->select_for(state, row, count, scratch, selection, &error), error);
    for (size_t i = 0; i < count; i++)
        has |= UINT64_C(1) << row[i];
    for (uint32_t i = 0; i < selection->positive_count; i++)
        kept |= UINT64_C(1) << selection->positive[i];
    for (uint32_t i = 0; !selection->all_negative && i < selection->negative_count; i++)
        kept |= UINT64_C(1) << selection->negative[i];
    for (uint32_t v = 0; v < w->data->features; v++) {
        hs_verdict verdict;
        uint32_t by = HSEL_NONE;
        bool positive = has >> v & 1, by_value = strncmp(name, "all-", 4) == 0,
             only_positive = strcmp(name, "hip-plus") == 0 || strcmp(name, "rpv") == 0;
        selector->why(state, v, row, count, selection, scratch, &verdict);
        assert_int_equal(verdict.feature, v);
        assert_int_equal(verdict.kept, hs_rule_table[verdict.rule].kept);
        if (can_use(w, v) ||
            !selection->all_negative) /* which passes features by that it cannot use */
            if (verdict.kept != (selection->all_negative ? !positive : kept >> v & 1))
                fail_msg("%s: feature %u is not as its verdict, %s", text, v,
                         hs_rule_table[verdict.rule].key);
        for (uint32_t u = 0; u < w->data->features; u++)
            if (!by_value && can_use(w, v) && (positive || !only_positive) &&
                (has >> u & 1) == positive && is_rival(name, w, score, positive, v, u) &&
                (by == HSEL_NONE || (score && score[u] > score[by])))
                by = u;
        if (verdict.rule == HS_RULE_NOT_AMONG_BEST) {
            assert_int_equal(by, HSEL_NONE); /* the rule itself keeps it */
            assert_true(kept >> verdict.by & 1);
            for (uint32_t u = 0; u < w->data->features; u++) /* `by` is the last of those kept */
                assert_false((kept >> u & 1) &&
                             (score[u] < score[verdict.by] ||
                              (score[u] == score[verdict.by] && u > verdict.by)));
            assert_true(score[verdict.by] > score[v] ||
                        (score[verdict.by] == score[v] && verdict.by < v));
        } else if (verdict.by != by) {
            fail_msg("%s: feature %u names %d and not %d", text, v, (int)verdict.by, (int)by);
        }
        if (verdict.by != HSEL_NONE && score) {
            assert_true(verdict.score == score[v] && verdict.other == score[verdict.by]);
            bool ties = verdict.score == verdict.other;
            if (verdict.rule != HS_RULE_NOT_AMONG_BEST)
                assert_int_equal(verdict.rule,
                                 w->above[verdict.by][v]
                                     ? ties ? HS_RULE_DESCENDANT_TIES : HS_RULE_DESCENDANT_BEATS
                                 : ties ? HS_RULE_ANCESTOR_TIES
                                        : HS_RULE_ANCESTOR_BEATS);
        }
    }
}

/* ---- eager ---- */

static void check_eager(const char *text, const struct world *w, const hs_chosen *chosen,
                        void *state)
{
    const hs_selector *selector = chosen->method->selector;
    const double *score = selector->scores ? selector->scores(state) : NULL;
    hsel_error error = {0};
    uint64_t kept = 0;
    assert_ok(selector->select_features(state, &kept, &error), error);
    for (uint32_t v = 0; v < w->data->features; v++) {
        hs_verdict verdict;
        selector->why(state, v, NULL, 0, NULL, NULL, &verdict);
        assert_int_equal(verdict.feature, v);
        if (verdict.kept != (kept >> v & 1))
            fail_msg("%s: feature %u is not as its verdict, %s", text, v,
                     hs_rule_table[verdict.rule].key);
        assert_int_equal(can_use(w, v), verdict.rule != HS_RULE_NOT_LOOKED_AT);
        if (verdict.rule == HS_RULE_KEPT || verdict.rule == HS_RULE_DROPPED)
            fail_msg("%s: nothing is said of feature %u", text, v);
        const char *sentence = hs_rule_table[verdict.rule].sentence;
        if (verdict.rule == HS_RULE_NOT_LOOKED_AT)
            continue;
        assert_int_equal(strstr(sentence, "{by}") != NULL, verdict.by != HSEL_NONE);
        assert_int_equal(strstr(sentence, "{other}") != NULL, !isnan(verdict.other));
        assert_int_equal(strstr(sentence, "{score}") != NULL, !isnan(verdict.score));
        if (!isnan(verdict.score))
            assert_true(verdict.score == score[v]);
        uint32_t by = verdict.by;
        if (by == HSEL_NONE)
            continue;
        bool by_kept = kept >> by & 1, below = w->above[by][v], above = w->above[v][by];
        switch (verdict.rule) {
        case HS_RULE_DESCENDANT_BEATS:
        case HS_RULE_ANCESTOR_BEATS:
            assert_true(score[by] > score[v]);
            break;
        case HS_RULE_DESCENDANT_TIES:
        case HS_RULE_ANCESTOR_TIES:
            assert_true(score[by] == score[v]);
            break;
        case HS_RULE_NOT_AMONG_BEST:
            assert_true(score[by] > score[v] || (score[by] == score[v] && by < v));
            break;
        default:
            break;
        }
        if (strncmp(hs_rule_table[verdict.rule].key, "descendant", 10) == 0)
            assert_true(below);
        if (strncmp(hs_rule_table[verdict.rule].key, "ancestor", 8) == 0 ||
            verdict.rule == HS_RULE_LIKE_PARENT)
            assert_true(above);
        if (verdict.rule == HS_RULE_OUTDONE_ABOVE || verdict.rule == HS_RULE_LIKE_ANCESTOR)
            assert_true(above);
        if (verdict.rule == HS_RULE_OUTDONE_BELOW)
            assert_true(below);
        /* a parent may be dropped itself; so may what chi2 takes away afterwards, and the winner of
         * a competition in the next one */
        if (verdict.rule != HS_RULE_LIKE_PARENT && strncmp(text, "tsel:chi2", 9) != 0 &&
            strncmp(text, "taxahfe", 7) != 0)
            assert_true(by_kept);
    }
}

static void check_selector(const char *text, hs_stream *stream, int rounds)
{
    for (int round = 0; round < rounds; round++) {
        struct world w;
        hsel_error error = {0};
        hs_chosen chosen = {0};
        hs_lazy_scratch scratch = {0};
        hs_selection selection = {0};
        void *state = NULL;
        world_new(&w, stream);
        assert_ok(hs_chosen_parse(HS_SELECTOR, text, &chosen, &error), error);
        const hs_selector *selector = chosen.method->selector;
        assert_non_null(selector->why);
        assert_ok(selector->prepare(&w.training, chosen.options, &state, &error), error);
        if (chosen.method->flags & HS_LAZY) {
            assert_ok(hs_lazy_scratch_init(&scratch, w.data->features, &error), error);
            assert_ok(hs_selection_init(&selection, w.data->features, &error), error);
            for (uint32_t i = 0; i < w.data->instances; i++)
                check_lazy(text, &w, &chosen, state, i, &scratch, &selection);
        } else {
            check_eager(text, &w, &chosen, state);
        }
        selector->free(state);
        hs_selection_clear(&selection);
        hs_lazy_scratch_clear(&scratch);
        hs_chosen_clear(&chosen);
        world_free(&w);
    }
}

static void verdicts_are_what_was_selected(void **unused)
{
    (void)unused;
    hs_stream stream;
    hs_stream_init(&stream, 1, "why", 0, 0);
    for (size_t i = 0; i < hs_method_count(); i++)
        if (hs_method_at(i)->kind == HS_SELECTOR && strcmp(hs_method_at(i)->name, "ga") != 0 &&
            strcmp(hs_method_at(i)->name, "taxahfe") != 0 &&
            strcmp(hs_method_at(i)->name, "boruta") != 0)
            check_selector(hs_method_at(i)->name, &stream, 150);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        check_selector(settings[i], &stream, strncmp(settings[i], "ga", 2) == 0 ? 3 : 150);
}

/* ---- a model ---- */

static void models_say_why(void **unused)
{
    (void)unused;
    hs_stream stream;
    hs_stream_init(&stream, 2, "why", 0, 0);
    for (int lazy = 0; lazy < 2; lazy++) {
        struct world w;
        hsel_error error = {0};
        hs_model *model = NULL, *read = NULL;
        hs_buf bytes = {0}, text = {0};
        hs_model_scratch scratch = {0};
        double probability[2];
        world_new(&w, &stream);
        const char *selector = lazy ? "rpv" : "gtd";
        assert_ok(hs_train(w.data, selector, "nb", HSEL_NONE, false, 1, 1, NULL, &model, &error),
                  error);
        assert_ok(hs_model_to_bytes(model, &bytes, &error), error);
        assert_ok(hs_model_from_bytes("model", bytes.text, bytes.length, &read, &error), error);
        for (int file = 0; file < 2; file++) {
            const hs_model *one = file ? read : model;
            assert_ok(hs_model_scratch_init(&scratch, one, &error), error);
            assert_ok(
                hs_model_predict(one, w.data, 0, 1, &scratch, probability, NULL, NULL, &error),
                error);
            for (uint32_t f = 0; f < w.data->features; f++) {
                hs_verdict verdict;
                hs_model_why(&scratch, w.data, 0, f, &verdict);
                if (!lazy)
                    assert_int_equal(verdict.kept, hs_bit_get(one->pipeline.mask, f));
                /* an eager choice that was read from a file can say no more */
                assert_int_equal(verdict.rule == HS_RULE_KEPT || verdict.rule == HS_RULE_DROPPED,
                                 file && !lazy);
                text.length = 0;
                hs_verdict_text(&verdict, w.data, &text);
                assert_false(text.failed);
                assert_null(strchr(text.text, '{'));
                assert_int_equal(strncmp(text.text, "kept", 4) == 0, verdict.kept);
            }
            hs_model_scratch_clear(&scratch);
        }
        hs_buf_clear(&text);
        hs_buf_clear(&bytes);
        hs_model_free(model);
        hs_model_free(read);
        world_free(&w);
    }
}

struct preparing {
    const struct world *w;
    const char *text;
};

static int prepare_once(void *context, hsel_error *error)
{
    const struct preparing *p = context;
    HS_OWNS(hs_chosen_clear) hs_chosen chosen = {0};
    void *state = NULL;
    HS_TRY(hs_chosen_parse(HS_SELECTOR, p->text, &chosen, error));
    int status = chosen.method->selector->prepare(&p->w->training, chosen.options, &state, error);
    if (state)
        chosen.method->selector->free(state);
    return status;
}

static void without_memory(void **unused)
{
    (void)unused;
    static const char *const some[] = {"shsel", "hfe", "tsel", "gtd",
                                       "fdr:alpha=0.9,method=bh,outer"};
    hs_stream stream;
    struct world w;
    hs_stream_init(&stream, 3, "why", 0, 0);
    world_new(&w, &stream);
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        assert_true(hs_oom_each(some[i], prepare_once, &(struct preparing){&w, some[i]}) > 3);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(verdicts_are_what_was_selected),
                                       cmocka_unit_test(models_say_why),
                                       cmocka_unit_test(without_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

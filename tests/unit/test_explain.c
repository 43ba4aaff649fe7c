/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Explanations on random data: the features are those that were selected, in order; what they say
 * adds up to the prediction, of every classifier; Owen values, neighbours and the part of the
 * hierarchy are what slow twins find.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "classify/classify.h"
#include "core/method.h"
#include "data/builder.h"
#include "learn/explain.h"
#include "learn/owen.h"
#include "stats/metrics.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/random_data.h"
#include "support/threads.h"
#include "support/model_data.h"

#define MOST 24 /* features */

HS_TEST_USES_THREADS

static hsel_dataset *random_data(hs_stream *stream, bool ids)
{
    hs_random_shape shape = {.instances = 12,
                             .features = 2 + (uint32_t)hs_random_below(stream, MOST - 2),
                             .classes = 2,
                             .density = 0.2,
                             .parents = hs_random_double(stream) * 3,
                             .ids = ids,
                             .true_path = true};
    hsel_dataset *data = hs_random_dataset(stream, &shape);
    for (uint32_t i = 0; i < data->instances; i++)
        data->class_of[i] = i < 2 ? i : data->class_of[i];
    return data;
}

/* Without calibration=auto: explanations are those of the classifier itself. */
static hs_model *train(const hsel_dataset *data, const char *selector, const char *classifier,
                       uint32_t without)
{
    hsel_error error = {0};
    hs_model *model = NULL;
    char text[160];
    const size_t name = strcspn(classifier, ":");
    snprintf(text, sizeof text, "%.*s:%s%s", (int)name, classifier,
             strstr(classifier, "calibration=") || strncmp(classifier, "blend", name) == 0
                 ? classifier + name + (classifier[name] == ':')
                 : "calibration=none",
             strstr(classifier, "calibration=") || !classifier[name] ||
                     strncmp(classifier, "blend", name) == 0
                 ? ""
                 : classifier + name);
    for (char *c = text + name + 1; *c; c++)
        *c = *c == ':' ? ',' : *c;
    if (text[name + 1] == '\0')
        text[name] = '\0';
    assert_ok(hs_train(data, selector, text, without, false, 1, 1, NULL, &model, &error), error);
    return model;
}

/* ---- the hierarchy, slowly ---- */

struct twin {
    uint32_t nodes;
    bool edge[MOST][MOST], above[MOST][MOST]; /* [child][parent], and by one or more edges */
    bool kept[MOST];
};

static void twin_read(struct twin *t, const hsel_dag *dag)
{
    memset(t, 0, sizeof *t);
    t->nodes = dag->nodes;
    for (uint32_t v = 0; v < dag->nodes; v++) {
        size_t count;
        const uint32_t *parent = hs_parents(dag, v, &count);
        for (size_t i = 0; i < count; i++)
            t->edge[v][parent[i]] = t->above[v][parent[i]] = true;
    }
    for (uint32_t k = 0; k < t->nodes; k++)
        for (uint32_t i = 0; i < t->nodes; i++)
            for (uint32_t j = 0; j < t->nodes; j++)
                t->above[i][j] |= t->above[i][k] && t->above[k][j];
}

static void twin_keep(struct twin *t, const hs_reason *reasons, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t v = reasons[i].feature;
        t->kept[v] = true;
        for (uint32_t p = 0; p < t->nodes; p++)
            t->kept[p] |= reasons[i].value ? t->above[v][p] : t->edge[v][p];
    }
}

/* An edge of the picture: above, and no other kept node between. */
static bool twin_edge(const struct twin *t, uint32_t child, uint32_t parent)
{
    if (!t->above[child][parent])
        return false;
    for (uint32_t k = 0; k < t->nodes; k++)
        if (t->kept[k] && t->above[child][k] && t->above[k][parent])
            return false;
    return true;
}

static void check_hierarchy(const hs_explanation *e)
{
    struct twin t;
    uint32_t next = 0;
    hsel_error error = {0};
    bool found[MOST][MOST] = {{0}};
    twin_read(&t, e->model->shape->dag);
    twin_keep(&t, e->reasons, e->count);
    assert_ok(hsel_dag_check(e->dag, &error), error);
    for (uint32_t f = 0; f < t.nodes; f++)
        if (t.kept[f])
            assert_int_equal(e->nodes[next++], f);
    assert_int_equal(next, e->dag->nodes);
    for (uint32_t v = 0; v < e->dag->nodes; v++) {
        size_t count;
        const uint32_t *parent = hs_parents(e->dag, v, &count);
        for (size_t i = 0; i < count; i++)
            found[e->nodes[v]][e->nodes[parent[i]]] = true;
    }
    for (uint32_t c = 0; c < t.nodes; c++)
        for (uint32_t p = 0; p < t.nodes; p++)
            if (t.kept[c] && t.kept[p])
                assert_int_equal(found[c][p], twin_edge(&t, c, p));
}

/* ---- features ---- */

static void check_reasons(const hs_explanation *e, const hsel_dataset *data)
{
    bool seen[MOST] = {0}, positive[MOST] = {0};
    size_t count;
    const uint32_t *row = hs_row(data, e->instance, &count);
    for (size_t i = 0; i < count; i++)
        positive[row[i]] = true;
    for (uint32_t f = 0; f < data->features; f++)
        assert_int_equal(hs_explanation_value(e, f), positive[f]);
    for (uint32_t i = 0; i < e->selected; i++) {
        const hs_reason *r = &e->reasons[i];
        assert_false(seen[r->feature]);
        seen[r->feature] = true;
        assert_int_equal(r->value, positive[r->feature]);
        if (i == 0)
            continue;
        double before = fabs(r[-1].contribution), here = fabs(r->contribution);
        assert_true(before > here || (before == here && r[-1].feature < r->feature));
    }
    for (uint32_t v = 0; v < e->dag->nodes; v++) {
        uint32_t place = e->reason_of[v];
        if (place == HSEL_NONE)
            assert_false(seen[e->nodes[v]]);
        else
            assert_int_equal(e->reasons[place].feature, e->nodes[v]);
    }
}

/* What features say adds up, with the prior, to the log-odds of the prediction. */
static void check_sum(const hs_explanation *e)
{
    uint32_t other = 1 - e->predicted;
    double sum = e->prior + e->rest;
    for (uint32_t i = 0; i < e->count; i++)
        sum += e->reasons[i].contribution;
    assert_true(fabs(sum - log(e->probability[e->predicted] / e->probability[other])) < 1e-9);
    assert_true(e->probability[e->predicted] >= e->probability[other]);
    assert_string_equal(e->order, "log_odds");
}

static void check_prior(const hs_explanation *e)
{
    const uint32_t *size = e->model->counts.class_size;
    double prior = log((size[e->predicted] + 1.0) / (size[1 - e->predicted] + 1.0));
    assert_true(fabs(prior - e->prior) < 1e-12);
}

static const char *const selectors[] = {"none", "rpv", "hip", "all-pos", "all-neg", "mr", "gtd"};

static void test_explanations(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 1, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 400; round++) {
        hsel_error error = {0};
        hs_explanation e = {0};
        hsel_dataset *data = random_data(&stream, false);
        uint32_t instance = (uint32_t)hs_random_below(&stream, data->instances);
        uint32_t top = (uint32_t)hs_random_below(&stream, 6);
        if (!data->dag) {
            hsel_dataset_free(data);
            continue;
        }
        hs_model *model = train(data, selectors[round % 7], "nb", 7);
        assert_ok(hs_explain(model, data, instance, top, &e, &error), error);
        assert_int_equal(e.count, top && top < e.selected ? top : e.selected);
        check_reasons(&e, data);
        check_sum(&e);
        check_prior(&e);
        check_hierarchy(&e);
        hs_explanation_clear(&e);
        hs_model_free(model);
        hsel_dataset_free(data);
    }
}

/* ---- every classifier ---- */

/* Log-odds of the predicted class as the probabilities have them; with votes, half a one on either
 * side. */
static double predicted_log_odds(const hs_explanation *e)
{
    const hs_classifier *c = e->model->classifier.method->classifier;
    double votes = c->votes ? c->votes(hs_model_fitted(e->model)) : 0, rest = 0;
    for (uint32_t k = 0; k < e->model->shape->class_names.count; k++)
        rest += k == e->predicted ? 0 : e->probability[k];
    if (votes > 0)
        return log((votes * e->probability[e->predicted] + 0.5) / (votes * rest + 0.5));
    return log(e->probability[e->predicted]) - log(rest);
}

static double score_of(const hs_explanation *e)
{
    hs_model_scratch scratch = {0};
    hsel_error error = {0};
    double p[8], score[8];
    assert_ok(hs_model_scratch_init(&scratch, e->model, &error), error);
    assert_ok(hs_model_predict(e->model, e->data, e->instance, 1, &scratch, p, score, NULL, &error),
              error);
    hs_model_scratch_clear(&scratch);
    return score[e->predicted];
}

static hsel_dataset *any_data(hs_stream *stream, const hs_method *method, uint32_t classes)
{
    bool any = method->flags & HS_ANY_FEATURES && hs_random_below(stream, 2);
    hs_random_shape shape = {.instances = 30,
                             .features = 2 + (uint32_t)hs_random_below(stream, MOST - 2),
                             .classes = classes,
                             .density = 0.15,
                             .parents = any ? 0 : 1.2,
                             .numeric = any ? 0.3 : 0,
                             .nominal = any ? 0.3 : 0,
                             .missing = any ? 0.2 : 0,
                             .unlabelled = 0.1,
                             .ids = hs_random_below(stream, 2),
                             .true_path = true};
    hsel_dataset *data = hs_random_dataset(stream, &shape);
    for (uint32_t i = 0; i < 2 * classes; i++)
        data->class_of[i] = i % classes;
    return data;
}

/* What features say adds up to the predicted log-odds: own terms to those of the probability (of
 * several classes, of proximal-graph to its score), Owen values to the same with half a vote. A new
 * classifier is tried as it is registered. */
static void test_all_add_up(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 5, "test", 0, 0);
    (void)state;
    for (size_t m = 0; m < hs_method_count(); m++) {
        const hs_method *method = hs_method_at(m);
        bool seen[HS_REASONS_OWEN + 1] = {0};
        for (int round = 0; method->kind == HS_CLASSIFIER && round < 24; round++) {
            hsel_error error = {0};
            hs_explanation e = {.samples = 8, .threads = 1};
            const uint32_t classes = 2 + (round % 3 == 2 && !(method->flags & HS_TWO_CLASSES_ONLY));
            hsel_dataset *data = any_data(&stream, method, classes);
            const bool lazy = method->flags & HS_PREDICTS_ON_MASK && data->dag;
            uint32_t instance = (uint32_t)hs_random_below(&stream, data->instances);
            if (!data->dag && method->flags & HS_NEEDS_HIERARCHY) {
                hsel_dataset_free(data);
                continue;
            }
            hs_model *model = train(data,
                                    lazy ? selectors[round % 7]
                                    : round % 2 || !hs_dataset_all_binary(data) ? "none"
                                                                                : "sig:threshold=0",
                                    method->name, 7);
            assert_ok(hs_explain(model, data, instance, round % 5, &e, &error), error);
            assert_int_not_equal(e.reasoning, HS_REASONS_NONE);
            seen[e.reasoning] = true;
            double sum = e.prior + e.absent + e.rest, expected = predicted_log_odds(&e);
            for (uint32_t i = 0; i < e.count; i++) {
                assert_true(isfinite(e.reasons[i].contribution) && e.reasons[i].error >= 0);
                assert_true(e.reasoning == HS_REASONS_OWEN || e.reasons[i].error == 0);
                sum += e.reasons[i].contribution;
            }
            if (classes > 2 && strcmp(method->name, "proximal-graph") == 0)
                expected = score_of(&e);
            assert_true(fabs(sum - e.log_odds) <= 1e-9 * (1 + fabs(sum)));
            if (e.reasoning == HS_REASONS_PATH)
                assert_true(expected * sum >= -1e-12 || classes > 2); /* half an instance added */
            else if (isinf(expected)) /* a value so far out that the other probability is 0 */
                assert_true(sum > 700);
            else if (!(fabs(sum - expected) < 1e-9))
                fail_msg("%s: %.12g instead of %.12g", method->name, sum, expected);
            hs_explanation_clear(&e);
            hs_model_free(model);
            hsel_dataset_free(data);
        }
        if (method->kind == HS_CLASSIFIER) /* always of its own, or always not */
            assert_true(method->classifier->contributions
                            ? seen[HS_REASONS_TERMS] || seen[HS_REASONS_PATH]
                            : seen[HS_REASONS_OWEN]);
    }
}

/* Other settings of classifiers that have several ways to say it. */
static void test_settings_add_up(void **state)
{
    static const char *const texts[] = {"aode:frequency=1000",
                                        "aode:smoothing=m-estimate,weight=3",
                                        "aode:memory=0.06",
                                        "hie-aode:smoothing=m-estimate",
                                        "tree:laplace=true",
                                        "tree:laplace=true,pruning=false",
                                        "nb:numeric=kernel",
                                        "svm:kernel=rbf",
                                        "svm:probability=logistic",
                                        "svm:solver=libsvm",
                                        "svm:kernel=polynomial,probability=votes"};
    hs_stream stream;
    hs_stream_init(&stream, 6, "test", 0, 0);
    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
        for (int round = 0; round < 12; round++) {
            hsel_error error = {0};
            hs_explanation e = {.samples = 8, .threads = 1};
            hs_chosen chosen = {0};
            assert_ok(hs_chosen_parse(HS_CLASSIFIER, texts[t], &chosen, &error), error);
            hsel_dataset *data = any_data(&stream, chosen.method, 2 + round % 2);
            if (data->dag || !(chosen.method->flags & HS_NEEDS_HIERARCHY)) {
                hs_model *model = train(data, "none", texts[t], 7);
                assert_ok(hs_explain(model, data, (uint32_t)round, 0, &e, &error), error);
                if (!(fabs(e.log_odds - predicted_log_odds(&e)) < 1e-9))
                    fail_msg("%s: %.12g instead of %.12g", texts[t], e.log_odds,
                             predicted_log_odds(&e));
                hs_explanation_clear(&e);
                hs_model_free(model);
            }
            hs_chosen_clear(&chosen);
            hsel_dataset_free(data);
        }
}

/* A tree by hand: a root of four instances of either class, split into leaves of one class: from
 * log(4.5/4.5) to log(4.5/0.5). */
static void test_path_by_hand(void **state)
{
    hs_builder *b = NULL;
    hsel_dataset *data = NULL;
    hsel_error error = {0};
    hs_explanation e = {0};
    uint32_t id;
    (void)state;
    assert_ok(hs_builder_new(&b, &error), error);
    assert_ok(hs_builder_feature(b, "f", 1, HSEL_BINARY, &id, &error), error);
    assert_ok(hs_builder_feature(b, "g", 1, HSEL_BINARY, &id, &error), error);
    assert_ok(hs_builder_class(b, "no", 2, &id, &error), error);
    assert_ok(hs_builder_class(b, "yes", 3, &id, &error), error);
    for (uint32_t i = 0; i < 8; i++) {
        assert_ok(hs_builder_row(b, NULL, 0, i / 4, &error), error);
        if (i / 4)
            assert_ok(hs_builder_positive(b, 0, &error), error);
        if (i % 2)
            assert_ok(hs_builder_positive(b, 1, &error), error);
    }
    assert_ok(hs_builder_finish(b, &data, &error), error);
    hs_model *model = train(data, "none", "tree:laplace=false", HSEL_NONE);
    for (uint32_t i = 0; i < 8; i++) {
        assert_ok(hs_explain(model, data, i, 0, &e, &error), error);
        assert_int_equal(e.reasoning, HS_REASONS_PATH);
        assert_int_equal(e.reasons[0].feature, 0);
        assert_true(fabs(e.prior) < 1e-12 && fabs(e.reasons[0].contribution - log(9)) < 1e-12);
        assert_true(e.reasons[1].contribution == 0);
        hs_explanation_clear(&e);
    }
    hs_model_free(model);
    hsel_dataset_free(data);
    hs_builder_free(b);
}

/* A value that training did not have leads to an empty leaf, which answers as the root: 5 of 8. */
static void test_empty_leaf(void **state)
{
    hs_builder *b = NULL;
    hsel_dataset *data = NULL;
    hsel_error error = {0};
    hs_explanation e = {0};
    uint32_t id;
    (void)state;
    assert_ok(hs_builder_new(&b, &error), error);
    assert_ok(hs_builder_feature(b, "f", 1, HSEL_NOMINAL, &id, &error), error);
    for (uint32_t i = 0; i < 3; i++)
        assert_ok(hs_builder_value(b, 0, &"rgb"[i], 1, &id, &error), error);
    assert_ok(hs_builder_class(b, "no", 2, &id, &error), error);
    assert_ok(hs_builder_class(b, "yes", 3, &id, &error), error);
    for (uint32_t i = 0; i < 9; i++) {
        assert_ok(hs_builder_row(b, NULL, 0, i == 8 ? HSEL_NONE : i >= 5, &error), error);
        assert_ok(hs_builder_nominal(b, 0, i == 8 ? 2 : i >= 5, &error), error);
    }
    assert_ok(hs_builder_finish(b, &data, &error), error);
    hs_model *model = train(data, "none", "tree:laplace=true", HSEL_NONE);
    assert_ok(hs_explain(model, data, 8, 0, &e, &error), error);
    assert_true(fabs(e.prior - log(6.0 / 4)) < 1e-12 && fabs(e.reasons[0].contribution) < 1e-12);
    hs_explanation_clear(&e);
    assert_ok(hs_explain(model, data, 0, 0, &e, &error), error);
    assert_true(fabs(e.log_odds - log(6)) < 1e-12); /* the leaf of five */
    hs_explanation_clear(&e);
    hs_model_free(model);
    hsel_dataset_free(data);
    hs_builder_free(b);
}

/* ---- Owen values, slowly ---- */

struct slow {
    uint32_t players;
    uint32_t part[16]; /* of each player, as bits */
    const double *worth;
    double sum[16];
    uint64_t orders;
};

/* All orders that begin so: a part that has begun must come to its end first. */
static void slow_orders(struct slow *s, uint32_t came, uint32_t *order, uint32_t count)
{
    for (uint32_t i = 0, before = 0; count == s->players && i < count; i++) {
        s->sum[order[i]] += s->worth[before | 1u << order[i]] - s->worth[before];
        before |= 1u << order[i];
    }
    s->orders += count == s->players;
    for (uint32_t i = 0; i < s->players; i++) {
        bool may = !(came >> i & 1);
        for (uint32_t j = 0; j < s->players && may; j++)
            may = !(came & s->part[j]) || !(s->part[j] & ~came) || s->part[j] >> i & 1;
        order[count] = i;
        if (may)
            slow_orders(s, came | 1u << i, order, count + 1);
    }
}

static void slow_values(struct slow *s, const uint32_t *up)
{
    uint32_t order[17];
    for (uint32_t i = 0; i < s->players; i++)
        for (uint32_t at = i; at != HSEL_NONE; at = up[at])
            s->part[at] |= 1u << i;
    slow_orders(s, 0, order, 0);
    for (uint32_t i = 0; i < s->players; i++)
        s->sum[i] /= (double)s->orders;
}

/* Against background d each set is worth more by d times its number of players: Owen values of a
 * sum of games are their sum, and each player's part of this one is d. */
static int table_worth(void *context, int worker, uint32_t draw, const uint64_t *sets,
                       uint32_t count, double *out, hsel_error *error)
{
    (void)worker;
    (void)error;
    for (uint32_t i = 0; i < count; i++)
        out[i] = ((const double *)context)[sets[i]] + draw * __builtin_popcountll(sets[i]);
    return HSEL_OK;
}

/* Random games on random forests; long chains have few orders, but take many evaluations. */
static void test_owen_values(void **state)
{
    static double worth[1 << 15];
    hs_stream stream;
    int sampled = 0, expected = 0;
    hs_stream_init(&stream, 7, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 120; round++) {
        bool chain = round % 8 == 7;
        uint32_t n = chain ? 15 : 1 + (uint32_t)hs_random_below(&stream, 7), up[16], name[16],
                 pairs;
        double value[16], error_of[16], again[16], nobody, all, sum = 0, twice[2];
        hsel_error error = {0};
        for (uint32_t i = 0; i < 1u << n; i++)
            worth[i] = hs_random_double(&stream) * 8 - 4;
        for (uint32_t i = 0; i < n; i++)
            name[i] = i;
        hs_random_shuffle(&stream, name, n);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t above = chain ? i - (i > 0) : (uint32_t)hs_random_below(&stream, i + 1);
            up[name[i]] = above == i ? HSEL_NONE : name[above];
        }
        struct slow slow = {.players = n, .worth = worth};
        slow_values(&slow, up);
        uint32_t draws = 1 + (uint32_t)round % 3;
        for (uint32_t i = 0; i < n; i++)
            slow.sum[i] += (draws - 1) / 2.0; /* the mean of 0, 1 … */
        hs_game game = {.players = n,
                        .up = up,
                        .draws = draws,
                        .worth = table_worth,
                        .context = worth,
                        .pairs = 300,
                        .seed = (uint64_t)round,
                        .threads = 1};
        assert_ok(hs_owen_values(&game, &nobody, &all, value, error_of, &pairs, &error), error);
        assert_int_equal(pairs, chain ? 300 : 0);
        /* of the root only two orders differ: against one background a pair is exact */
        expected += chain ? (int)n - (draws == 1) : 0;
        assert_true(fabs(nobody - worth[0]) < 1e-12 &&
                    fabs(all - worth[(1u << n) - 1] - n * (draws - 1) / 2.0) < 1e-9);
        for (uint32_t i = 0; i < n; i++) {
            sum += value[i];
            if (!chain)
                assert_true(error_of[i] == 0 && fabs(value[i] - slow.sum[i]) < 1e-9);
            else
                assert_true(fabs(value[i] - slow.sum[i]) <= 5 * error_of[i] + 1e-9);
            sampled += error_of[i] > 0;
        }
        assert_true(fabs(sum - (all - nobody)) < 1e-9);
        game.threads = 3;
        assert_ok(hs_owen_values(&game, twice, twice + 1, again, error_of, &pairs, &error), error);
        assert_memory_equal(again, value, n * sizeof *value);
    }
    assert_int_equal(sampled, expected);
}

/* The example of docs/explanations.md: B (player 1) is-a A (0), and C (2). */
static void test_owen_by_hand(void **state)
{
    double worth[] = {-1, 0, -1, 2, 0, 1, 1, 3}, value[3], error_of[3], nobody, all;
    const uint32_t up[] = {HSEL_NONE, 0, HSEL_NONE};
    uint32_t pairs;
    hsel_error error = {0};
    (void)state;
    assert_ok(
        hs_owen_values(
            &(hs_game){.players = 3, .up = up, .draws = 1, .worth = table_worth, .context = worth},
            &nobody, &all, value, error_of, &pairs, &error),
        error);
    assert_true(fabs(value[0] - 1.75) < 1e-12 && fabs(value[1] - 1.25) < 1e-12 &&
                fabs(value[2] - 1) < 1e-12 && nobody == -1 && all == 3);
}

/* ---- Owen values of predictions: what a set of features is worth, through data sets made of them
 * ---- */

/* The player at or above: by the deepest parent, the one of greater support, the first. */
static uint32_t slow_up(const hs_explanation *e, const bool *plays, uint32_t v)
{
    const hsel_dag *dag = e->model->shape->dag;
    size_t count = 0;
    const uint32_t *parent = dag ? hs_parents(dag, v, &count) : NULL;
    uint32_t best = HSEL_NONE, support[MOST] = {0};
    for (size_t i = 0; i < count; i++) {
        uint32_t p = parent[i];
        for (uint32_t c = 0; c < e->model->shape->class_names.count; c++)
            support[p] += hs_count(&e->model->counts, p, c);
        if (best == HSEL_NONE || dag->depth[p] > dag->depth[best] ||
            (dag->depth[p] == dag->depth[best] && support[p] > support[best]))
            best = p;
    }
    return best == HSEL_NONE || plays[best] ? best : slow_up(e, plays, best);
}

/* Is the value of f in the variant that of the instance? With a positive feature come all above it
 * that the instance has. */
static bool slow_comes(const hs_explanation *e, const bool *plays, uint32_t set, uint32_t f,
                       uint32_t lacks)
{
    const hsel_dag *dag = e->model->shape->dag;
    struct twin t = {0};
    bool has = hs_explanation_value(e, f) != 0;
    if (dag)
        twin_read(&t, dag);
    if (e->data->types[f] == HSEL_BINARY && !has)
        return set >> lacks & 1;
    if (e->data->types[f] != HSEL_BINARY && !plays[f])
        return set >> lacks & 1;
    for (uint32_t g = 0, at = 0; g < e->data->features; g++) {
        if (plays[g] && set >> at & 1 &&
            (g == f || (e->data->types[g] == HSEL_BINARY && t.above[g][f])))
            return true;
        at += plays[g];
    }
    return false;
}

static bool check_owen(const hs_explanation *e)
{
    const hsel_dataset *data = e->data;
    const hs_model *model = e->model;
    const hs_classifier *c = model->classifier.method->classifier;
    const bool lazy = !model->pipeline.mask;
    hsel_error error = {0};
    hs_model_scratch scratch = {0};
    static double worth[1 << 7];
    uint32_t player[MOST], up[MOST], n = 0, positive[MOST], negative[MOST];
    bool selected[MOST] = {0}, plays[MOST] = {0};
    struct slow slow = {.worth = worth};
    for (uint32_t i = 0; i < e->selected; i++)
        selected[e->reasons[i].feature] = true;
    for (uint32_t f = 0; f < data->features; f++) {
        double value = hs_explanation_value(e, f);
        plays[f] = selected[f] && (data->types[f] == HSEL_BINARY ? value != 0 : !isnan(value));
        if (plays[f])
            player[n++] = f;
    }
    if (n > 6)
        return false;
    assert_int_equal(e->background_count, 8);
    assert_ok(hs_model_scratch_init(&scratch, model, &error), error);
    for (uint32_t set = 0; set < 2u << n; set++) { /* player n: all that it lacks */
        worth[set] = 0;
        for (uint32_t b = 0; b < e->background_count; b++) {
            hs_builder *builder = NULL;
            hsel_dataset *made = NULL;
            hs_explanation here = *e;
            double p[8], score[8];
            uint32_t zero = 0;
            hs_selection selection = {.positive = positive, .negative = negative};
            assert_int_not_equal(e->background[b], e->instance);
            assert_ok(hs_builder_new(&builder, &error), error);
            assert_ok(hs_builder_declare_like(builder, data, &error), error);
            assert_ok(hs_builder_row(builder, NULL, 0, HSEL_NONE, &error), error);
            for (uint32_t f = 0; f < data->features; f++) {
                bool own = slow_comes(e, plays, set, f, n);
                if (data->types[f] != HSEL_BINARY && !selected[f])
                    own = true;
                double value = hs_dataset_value(data, f, own ? e->instance : e->background[b]);
                if (data->types[f] == HSEL_BINARY && value != 0)
                    assert_ok(hs_builder_positive(builder, f, &error), error);
                if (data->types[f] == HSEL_NUMERIC)
                    assert_ok(hs_builder_numeric(builder, f, value, &error), error);
                if (data->types[f] == HSEL_NOMINAL && !isnan(value))
                    assert_ok(hs_builder_nominal(builder, f, (uint32_t)value, &error), error);
                if (selected[f] && data->types[f] == HSEL_BINARY && value != 0)
                    positive[selection.positive_count++] = f;
                else if (selected[f])
                    negative[selection.negative_count++] = f;
            }
            assert_ok(hs_builder_finish(builder, &made, &error), error);
            assert_ok(c->predict(hs_model_fitted(model),
                                 &(hs_batch){made, &zero, 1, lazy ? &selection : NULL},
                                 *scratch.predictor.scratch, p, score, &error),
                      error);
            here.probability = p;
            worth[set] += (hs_explains_number(e) ? score[0] : predicted_log_odds(&here)) /
                          e->background_count;
            hs_builder_free(builder);
            hsel_dataset_free(made);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t above = slow_up(e, plays, player[i]);
        up[i] = HSEL_NONE;
        for (uint32_t k = 0; k < n; k++)
            up[i] = player[k] == above ? k : up[i];
    }
    up[n] = HSEL_NONE;
    slow.players = n + 1;
    slow_values(&slow, up);
    assert_true(fabs(e->prior - worth[0]) < 1e-9);
    assert_int_equal(e->sampled, 0);
    assert_true(fabs(e->absent - slow.sum[n]) < 1e-9);
    for (uint32_t i = 0; i < e->selected; i++) {
        double expected = 0;
        for (uint32_t k = 0; k < n; k++)
            expected = player[k] == e->reasons[i].feature ? slow.sum[k] : expected;
        assert_true(fabs(e->reasons[i].contribution - expected) < 1e-9);
    }
    hs_model_scratch_clear(&scratch);
    return true;
}

static void test_owen_of_predictions(void **state)
{
    static const char *const texts[] = {"knn:k=3", "forest:trees=7", "svm:kernel=rbf", "knn"};
    static const char *const lazy[] = {"hip", "all-pos", "none", "mr", "rpv"};
    hs_stream stream;
    int checked = 0, numbers = 0;
    hs_stream_init(&stream, 8, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 180; round++) {
        hsel_error error = {0};
        hs_explanation e = {.threads = 1 + round % 2};
        hs_chosen chosen = {0};
        assert_ok(hs_chosen_parse(HS_CLASSIFIER, texts[round % 4], &chosen, &error), error);
        hsel_dataset *data = any_data(&stream, chosen.method, 2 + round % 2);
        bool numeric = round % 3 == 2 && chosen.method->flags & HS_NUMERIC_TARGET;
        if (numeric)
            hs_random_target(&stream, data);
        bool mask = chosen.method->flags & HS_PREDICTS_ON_MASK && data->dag && !numeric;
        hs_model *model = train(data, mask ? lazy[round % 5] : "none", texts[round % 4], 7);
        assert_ok(hs_explain(model, data, 7, 0, &e, &error), error);
        assert_int_equal(e.reasoning, HS_REASONS_OWEN);
        assert_int_equal(hs_explains_number(&e), numeric);
        if (numeric) { /* what the features add up to is the prediction */
            hs_model_scratch scratch = {0};
            double number, all = e.prior + e.absent;
            for (uint32_t i = 0; i < e.selected; i++)
                all += e.reasons[i].contribution;
            assert_ok(hs_model_scratch_init(&scratch, model, &error), error);
            assert_ok(hs_model_predict(model, data, 7, 1, &scratch, NULL, &number, NULL, &error),
                      error);
            assert_true(e.number == number && fabs(all - number) < 1e-9 * fmax(1, fabs(number)));
            hs_model_scratch_clear(&scratch);
            numbers += check_owen(&e);
        } else {
            checked += check_owen(&e);
        }
        hs_explanation_clear(&e);
        hs_model_free(model);
        hs_chosen_clear(&chosen);
        hsel_dataset_free(data);
    }
    assert_true(checked > 50 && numbers > 15);
}

/* ---- neighbours ---- */

static void test_neighbours(void **state)
{
    static const char *const lazy[] = {"none", "hip", "all-pos", "all-neg", "sig:threshold=0.01"};
    hs_stream stream;
    hs_stream_init(&stream, 9, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 100; round++) {
        hsel_error error = {0};
        hs_explanation e = {.samples = HSEL_NONE}, again = e;
        hsel_dataset *data = random_data(&stream, round % 2);
        hs_model *read = NULL;
        const uint32_t k = 1 + (uint32_t)round % 3;
        char text[16];
        bool selected[MOST] = {0};
        double distance[16], sorted[16];
        uint32_t shared[16] = {0}, here[16] = {0}, there[16] = {0}, near = 0, met = 0;
        snprintf(text, sizeof text, "knn:k=%u", k);
        hs_model *model = train(data, data->dag ? lazy[round % 5] : "none", text, 0);
        assert_ok(hs_explain(model, data, 0, 0, &e, &error), error);
        for (uint32_t i = 0; i < e.selected; i++)
            selected[e.reasons[i].feature] = true;
        for (uint32_t t = 1; t < data->instances; t++) {
            for (uint32_t f = 0; f < data->features; f++) {
                bool x = selected[f] && hs_dataset_value(data, f, 0) != 0;
                bool y = selected[f] && hs_dataset_value(data, f, t) != 0;
                shared[t] += x && y;
                here[t] += x && !y;
                there[t] += !x && y;
            }
            distance[t] = here[t] + there[t];
            uint32_t at = t - 1;
            for (; at > 0 && sorted[at - 1] > distance[t]; at--)
                sorted[at] = sorted[at - 1];
            sorted[at] = distance[t];
        }
        for (uint32_t t = 1; t < data->instances; t++)
            near += distance[t] <= sorted[k - 1];
        assert_int_equal(e.neighbour_count, near);
        hs_buf bytes = {0}; /* of the model in a file: the same neighbours, by name */
        assert_ok(hs_model_to_bytes(model, &bytes, &error), error);
        assert_ok(hs_model_from_bytes("knn.model", bytes.text, bytes.length, &read, &error), error);
        assert_ok(hs_explain(read, data, 0, 0, &again, &error), error);
        assert_int_equal(again.neighbour_count, near);
        hs_buf_clear(&bytes);
        for (uint32_t i = 0; i < e.neighbour_count; i++) {
            const hs_neighbour *n = &e.neighbours[i];
            uint32_t t = n->instance;
            assert_true(n->distance == distance[t] && n->weight == 1);
            assert_int_equal(n->label, data->class_of[t]);
            assert_int_equal(n->shared, shared[t]);
            assert_int_equal(n->here, here[t]);
            assert_int_equal(n->there, there[t]);
            assert_true(n->id == hsel_dataset_id(data, t));
            assert_true(data->ids.count == 0 || strcmp(n->id, again.neighbours[i].id) == 0);
            assert_int_equal(n->shared, again.neighbours[i].shared);
            met += i && (n[-1].distance > n->distance ||
                         (n[-1].distance == n->distance && n[-1].instance >= t));
        }
        assert_int_equal(met, 0);
        hs_explanation_clear(&e);
        hs_explanation_clear(&again);
        hs_model_free(read);
        hs_model_free(model);
        hsel_dataset_free(data);
    }
}

/* Without Owen values a classifier may not say what features contribute: they come by relevance,
 * else by the importance that the classifier gives them, else as they stand. */
static void test_by_relevance(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 2, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 50; round++) {
        hsel_error error = {0};
        hs_explanation e = {.samples = HSEL_NONE};
        hsel_dataset *data = random_data(&stream, false);
        hs_model *model = train(data, data->dag ? "rpv" : "sig:threshold=0", "knn", 0);
        assert_ok(hs_explain(model, data, 0, 0, &e, &error), error);
        for (uint32_t i = 0; i < e.selected; i++) {
            const hs_reason *r = &e.reasons[i];
            assert_true(isnan(r->contribution));
            assert_true(r->relevance == hs_model_scores(model)[r->feature]);
            if (i)
                assert_true(r[-1].relevance > r->relevance ||
                            (r[-1].relevance == r->relevance && r[-1].feature < r->feature));
        }
        assert_true((e.dag == NULL) == (data->dag == NULL));
        assert_string_equal(e.order, "relevance");
        hs_explanation_clear(&e);
        e.samples = HSEL_NONE;
        hs_model_free(model);
        model = train(data, "none", "forest:trees=5", 0);
        assert_ok(hs_explain(model, data, 0, 0, &e, &error), error);
        assert_string_equal(e.order, "importance");
        for (uint32_t i = 1; i < e.selected; i++)
            assert_true(e.reasons[i - 1].relevance >= e.reasons[i].relevance);
        hs_explanation_clear(&e);
        e.samples = HSEL_NONE;
        hs_model_free(model);
        model = train(data, "none", "svm:kernel=rbf", 0);
        assert_ok(hs_explain(model, data, 0, 0, &e, &error), error);
        assert_string_equal(e.order, "value");
        for (uint32_t i = 1; i < e.selected; i++)
            assert_true(e.reasons[i - 1].value > e.reasons[i].value ||
                        (e.reasons[i - 1].value == e.reasons[i].value &&
                         e.reasons[i - 1].feature < e.reasons[i].feature));
        hs_explanation_clear(&e);
        hs_model_free(model);
        hsel_dataset_free(data);
    }
}

struct memory_case {
    const hs_model *model;
    const hsel_dataset *data;
};

static int explain_once(void *context, hsel_error *error)
{
    const struct memory_case *m = context;
    hs_explanation e = {.samples = 2, .threads = 1};
    int status = hs_explain(m->model, m->data, 0, 0, &e, error);
    hs_explanation_clear(&e);
    return status;
}

static void test_memory(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 3, "test", 0, 0);
    (void)state;
    for (size_t m = 0; m < hs_method_count(); m++) {
        const hs_method *method = hs_method_at(m);
        hs_random_shape shape = {
            .instances = 12, .features = 14, .classes = 2, .density = 0.6, .parents = 1};
        if (method->kind != HS_CLASSIFIER)
            continue;
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        hsel_error error = {0};
        hs_model *model = NULL;
        assert_ok(hs_train(data, "none", method->name, 0, true, 1, 1, NULL, &model, &error), error);
        assert_true(hs_oom_each(method->name, explain_once, &(struct memory_case){model, data}) >
                    12);
        hs_model_free(model);
        hsel_dataset_free(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_explanations),    cmocka_unit_test(test_all_add_up),
        cmocka_unit_test(test_settings_add_up), cmocka_unit_test(test_path_by_hand),
        cmocka_unit_test(test_empty_leaf),      cmocka_unit_test(test_owen_values),
        cmocka_unit_test(test_owen_by_hand),    cmocka_unit_test(test_owen_of_predictions),
        cmocka_unit_test(test_neighbours),      cmocka_unit_test(test_by_relevance),
        cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

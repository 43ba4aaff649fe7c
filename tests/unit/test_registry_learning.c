/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Walks the registry like test_registry.c, for selectors and classifiers: each must stay sane on
 * training parts of every awkward kind, forget what it saw before, do the same in cross-validation
 * as in training, and survive a lack of memory.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "classify/classify.h"
#include "core/method.h"
#include "core/random.h"
#include "learn/crossval.h"
#include "measure/measure.h"
#include "rank/rank.h"
#include "select/select.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/random_data.h"
#include "support/predict_one.h"

#define EACH_METHOD(method)                                                                        \
    for (size_t i_ = 0; i_ < hs_method_count(); i_++)                                              \
        for (const hs_method *method = hs_method_at(i_); method; method = NULL)

/* With its defaults, or with fewer trees and runs: what takes long is not tested here. */
static const char *text_of(const hs_method *method)
{
    static const char *const quick[][2] = {{"taxahfe", "taxahfe:trees=10,seeds=2,from=2"},
                                           {"boruta", "boruta:runs=2,trees=3"},
                                           {"blend", "blend:members=nb/forest:trees=3/tree"},
                                           {"pu", "pu:base=nb,rounds=6"}};
    for (size_t i = 0; i < sizeof quick / sizeof quick[0]; i++)
        if (strcmp(method->name, quick[i][0]) == 0)
            return quick[i][1];
    return method->name;
}

/* ---- training parts ---- */

typedef enum awkward {
    NOTHING,
    ALL_NEGATIVE,
    ALL_POSITIVE,
    ONE_ROW,
    ONE_CLASS,
    NO_EDGES,
    MIXED, /* numeric and nominal features, for methods that take them */
    AWKWARD
} awkward;

struct part {
    hsel_dataset *data;
    uint32_t rows[64];
    hs_counts counts;
    hs_training training;
};

/* All instances of a random data set but some (which are there to be tested), of the given kind. */
static void part_new(struct part *part, hs_stream *stream, awkward kind)
{
    static const double densities[] = {0.4, 0, 1, 0.4, 0.4, 0.4, 0.4};
    hs_random_shape shape = {.instances = 20,
                             .features = 1 + (uint32_t)hs_random_below(stream, 12),
                             .classes = 2,
                             .density = densities[kind],
                             .parents = 1.2,
                             .numeric = kind == MIXED ? 0.5 : 0,
                             .nominal = kind == MIXED ? 0.3 : 0,
                             .missing = kind == MIXED ? 0.2 : 0,
                             .true_path = true};
    hsel_error error = {0};
    *part = (struct part){.data = hs_random_dataset(stream, &shape)};
    if (kind == NO_EDGES) {
        hs_dag_free(part->data->dag);
        part->data->dag = NULL;
        assert_ok(hs_dag_new(shape.features, NULL, NULL, 0, &part->data->dag, &error), error);
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < 15; i++)
        if (kind != ONE_CLASS || part->data->class_of[i] == 1)
            part->rows[count++] = i;
    hs_view view = {
        .data = part->data, .rows = part->rows, .row_count = kind == ONE_ROW ? 1 : count};
    assert_ok(hs_counts_of(&view, &part->counts, &error), error);
    part->training = (hs_training){.view = view, .counts = &part->counts, .seed = 1, .threads = 1};
}

static void part_free(struct part *part)
{
    hs_counts_clear(&part->counts);
    hsel_dataset_free(part->data);
}

static bool takes(const hs_method *method, awkward kind)
{
    return kind != MIXED || (method->flags & HS_ANY_FEATURES);
}

/* ---- selectors ---- */

/* What a selector chose for one instance (eager: for all), as a bit set. */
static int select_one(const hs_chosen *chosen, const hs_training *training, const uint32_t *row,
                      size_t count, uint64_t *out, hsel_error *error)
{
    const hs_selector *selector = chosen->method->selector;
    uint32_t features = training->view.data->features;
    hs_selection selection = {0};
    hs_lazy_scratch scratch = {0};
    void *state = NULL;
    *out = 0;
    int status = selector->prepare(training, chosen->options, &state, error);
    if (status == HSEL_OK && !(chosen->method->flags & HS_LAZY)) {
        status = selector->select_features(state, out, error);
    } else if (status == HSEL_OK) {
        status = hs_selection_init(&selection, features, error);
        if (status == HSEL_OK)
            status = hs_lazy_scratch_init(&scratch, features, error);
        if (status == HSEL_OK)
            status = selector->select_for(state, row, count, &scratch, &selection, error);
        for (uint32_t f = 0; f < features && status == HSEL_OK && selection.all_negative; f++)
            hs_bit_set(out, f);
        for (size_t i = 0; i < count && status == HSEL_OK; i++)
            hs_bit_unset(out, row[i]);
        for (uint32_t i = 0; i < selection.positive_count && status == HSEL_OK; i++)
            hs_bit_set(out, selection.positive[i]);
        for (uint32_t i = 0; !selection.all_negative && i < selection.negative_count; i++)
            hs_bit_set(out, selection.negative[i]);
    }
    hs_lazy_scratch_clear(&scratch);
    hs_selection_clear(&selection);
    if (state)
        selector->free(state);
    return status;
}

/* The lists of a lazy selection: ascending, the positive ones positive, the negative ones not. */
static void check_lists(const hs_method *method, const hs_selection *s, const uint64_t *row,
                        uint32_t features)
{
    for (uint32_t i = 0; i < s->positive_count; i++)
        if (s->positive[i] >= features || !hs_bit_get(row, s->positive[i]) ||
            (i && s->positive[i - 1] >= s->positive[i]))
            fail_msg("%s: place %u of the positive features is %u", method->name, i,
                     s->positive[i]);
    for (uint32_t i = 0; !s->all_negative && i < s->negative_count; i++)
        if (s->negative[i] >= features || hs_bit_get(row, s->negative[i]) ||
            (i && s->negative[i - 1] >= s->negative[i]))
            fail_msg("%s: place %u of the negative features is %u", method->name, i,
                     s->negative[i]);
}

/* All instances one after the other with the same scratch: each the same as if it were alone. */
static void check_lazy(const hs_chosen *chosen, const struct part *part, void *state)
{
    const hs_selector *selector = chosen->method->selector;
    uint32_t features = part->data->features;
    hsel_error error = {0};
    hs_selection s = {0};
    hs_lazy_scratch scratch = {0};
    assert_ok(hs_selection_init(&s, features, &error), error);
    assert_ok(hs_lazy_scratch_init(&scratch, features, &error), error);
    for (uint32_t i = 0; i < part->data->instances; i++) {
        size_t count;
        const uint32_t *row = hs_row(part->data, i, &count);
        uint64_t positive = 0, alone;
        for (size_t j = 0; j < count; j++)
            hs_bit_set(&positive, row[j]);
        assert_ok(selector->select_for(state, row, count, &scratch, &s, &error), error);
        check_lists(chosen->method, &s, &positive, features);
        assert_ok(select_one(chosen, &part->training, row, count, &alone, &error), error);
        if (hs_selection_size(&s, features, count) != hs_bits_count(&alone, 1))
            fail_msg("%s: what was selected before changes the selection", chosen->method->name);
    }
    hs_lazy_scratch_clear(&scratch);
    hs_selection_clear(&s);
}

/* A wrapper cannot try anything out where fewer than two classes have two instances. */
static bool may_refuse(const struct part *part)
{
    return part->counts.class_size[0] < 2 || part->counts.class_size[1] < 2;
}

static void check_selector(const hs_chosen *chosen, const struct part *part, awkward kind)
{
    const hs_selector *selector = chosen->method->selector;
    uint32_t features = part->data->features;
    hsel_error error = {0};
    void *state = NULL;
    uint64_t mask = 0, again = 0;
    int status = selector->prepare(&part->training, chosen->options, &state, &error);
    if (status == HSEL_EUSAGE && may_refuse(part) && error.message[0])
        return;
    if ((status == HSEL_EUSAGE || status == HSEL_EUNSUPPORTED) && kind == MIXED &&
        (strstr(error.message, " is nominal, but ") || strstr(error.message, " is missing in ") ||
         strstr(error.message, " needs binary features, but feature ") ||
         strstr(error.message, " is for binary features, but ")))
        return;
    if (status)
        fail_msg("%s, kind %d: %s", chosen->method->name, kind, error.message);
    const double *scores = selector->scores ? selector->scores(state) : NULL;
    for (uint32_t f = 0; scores && f < features; f++)
        if (isnan(scores[f]))
            fail_msg("%s, kind %d: the relevance of feature %u is no number", chosen->method->name,
                     kind, f);
    if (chosen->method->flags & HS_LAZY) {
        check_lazy(chosen, part, state);
    } else {
        assert_ok(selector->select_features(state, &mask, &error), error);
        assert_ok(selector->select_features(state, &again, &error), error);
        if (mask != again || mask >> features)
            fail_msg("%s, kind %d: %llx, then %llx", chosen->method->name, kind,
                     (unsigned long long)mask, (unsigned long long)again);
    }
    selector->free(state);
}

static void test_selectors_on_awkward_data(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 3, "test", 0, 0);
    (void)state;
    EACH_METHOD(method)
    {
        if (method->kind != HS_SELECTOR)
            continue;
        hsel_error error = {0};
        hs_chosen chosen = {0};
        assert_ok(hs_chosen_parse(method->kind, text_of(method), &chosen, &error), error);
        assert_true(!method->selector->select_for == !(method->flags & HS_LAZY));
        assert_true(!method->selector->select_features == !!(method->flags & HS_LAZY));
        for (int round = 0; round < 20; round++)
            for (awkward kind = NOTHING; kind < AWKWARD && takes(method, kind); kind++) {
                struct part part;
                part_new(&part, &stream, kind);
                check_selector(&chosen, &part, kind);
                part_free(&part);
            }
        hs_chosen_clear(&chosen);
    }
}

/* The order of the training rows does not matter. (Eager methods after WEKA follow its order.) */
static void test_lazy_selectors_do_not_see_order(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 4, "test", 0, 0);
    (void)state;
    EACH_METHOD(method)
    {
        if (method->kind != HS_SELECTOR || !(method->flags & HS_LAZY))
            continue;
        hsel_error error = {0};
        hs_chosen chosen = {0};
        assert_ok(hs_chosen_parse(method->kind, text_of(method), &chosen, &error), error);
        for (int round = 0; round < 30; round++) {
            struct part part;
            uint64_t before[20], after;
            part_new(&part, &stream, NOTHING);
            for (int pass = 0; pass < 2; pass++) {
                for (uint32_t i = 0; i < part.data->instances; i++) {
                    size_t count;
                    const uint32_t *row = hs_row(part.data, i, &count);
                    assert_ok(select_one(&chosen, &part.training, row, count,
                                         pass ? &after : &before[i], &error),
                              error);
                    if (pass && after != before[i])
                        fail_msg("%s: another order, another selection", method->name);
                }
                hs_random_shuffle(&stream, part.rows, part.training.view.row_count);
            }
            part_free(&part);
        }
        hs_chosen_clear(&chosen);
    }
}

/* Strata change what is selected by methods that say so, and by no others. Classes follow a
 * feature, and strata the classes: within a stratum nothing tells of the class. */
static void test_strata(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 5, "test", 0, 0);
    (void)state;
    EACH_METHOD(method)
    {
        if (method->kind != HS_SELECTOR)
            continue;
        hsel_error error = {0};
        hs_chosen chosen = {0};
        bool differ = false;
        assert_ok(hs_chosen_parse(method->kind, text_of(method), &chosen, &error), error);
        for (int round = 0; round < 20; round++) {
            struct part part;
            uint64_t found[2];
            size_t count;
            part_new(&part, &stream, NOTHING);
            uint32_t last = part.data->features - 1;
            hs_about *about = &part.data->instance_about;
            /* positive in 5 to 10 of the 15 training rows */
            bool both = part.counts.positive[2 * last] + part.counts.positive[2 * last + 1] - 5 < 6;
            for (uint32_t i = 0; both && i < part.data->instances; i++) {
                const uint32_t *row = hs_row(part.data, i, &count);
                part.data->class_of[i] = count && row[count - 1] == last;
            }
            hs_counts_clear(&part.counts);
            assert_ok(hs_counts_of(&part.training.view, &part.counts, &error), error);
            const uint32_t *row = hs_row(part.data, 19, &count);
            assert_ok(select_one(&chosen, &part.training, row, count, &found[0], &error), error);
            assert_ok(hs_names_append(&about->columns, "stratum", 7, &error), error);
            for (uint32_t i = 0; i < part.data->instances; i++)
                assert_ok(
                    hs_names_append(&about->cells, part.data->class_of[i] ? "x" : "y", 1, &error),
                    error);
            assert_ok(select_one(&chosen, &part.training, row, count, &found[1], &error), error);
            differ |= found[0] != found[1];
            part_free(&part);
        }
        if (differ != !!(method->flags & HS_WITHIN_STRATA))
            fail_msg("%s: strata make %s difference", method->name, differ ? "a" : "no");
        assert_int_equal(hs_method_within(HS_SELECTOR, method->name, HS_WITHIN_STRATA), differ);
        hs_chosen_clear(&chosen);
    }
    assert_true(hs_method_within(HS_SELECTOR, "ensemble:of=ig+fdr:alpha=0.1;mid=true,k=3",
                                 HS_WITHIN_STRATA));
    assert_false(hs_method_within(HS_SELECTOR, "ensemble:of=ig+sig,k=3", HS_WITHIN_STRATA));
    assert_false(hs_method_within(HS_SELECTOR, "fdrs", HS_WITHIN_STRATA));
    assert_false(hs_method_within(HS_SELECTOR, "", HS_WITHIN_STRATA));
}

struct use {
    const hs_method *method;
    const struct part *part;
};

static int select_in_memory(void *context, hsel_error *error)
{
    const struct use *use = context;
    hs_chosen chosen = {0};
    uint64_t mask;
    size_t count;
    const uint32_t *row = hs_row(use->part->data, 0, &count);
    int status = hs_chosen_parse(use->method->kind, text_of(use->method), &chosen, error);
    if (status == HSEL_OK)
        status = select_one(&chosen, &use->part->training, row, count, &mask, error);
    hs_chosen_clear(&chosen);
    return status;
}

static int classify_in_memory(void *context, hsel_error *error)
{
    const struct use *use = context;
    const hs_classifier *classifier = use->method->classifier;
    hs_chosen chosen = {0};
    void *model = NULL, *scratch = NULL;
    double probability[4], score[4];
    int status = hs_chosen_parse(use->method->kind, text_of(use->method), &chosen, error);
    if (status == HSEL_OK)
        status = classifier->fit(&use->part->training, chosen.options, &model, error);
    if (status == HSEL_OK && classifier->scratch_new)
        status = classifier->scratch_new(model, &scratch, error);
    if (status == HSEL_OK)
        status = hs_predict_one(classifier, model, use->part->data, 0, NULL, scratch, probability,
                                score, error);
    if (scratch)
        classifier->scratch_free(scratch);
    if (model)
        classifier->free(model);
    hs_chosen_clear(&chosen);
    return status;
}

/* ---- rankers and measures ---- */

static int rank_in_memory(void *context, hsel_error *error)
{
    const struct use *use = context;
    double score[64], *scores = score;
    hs_chosen chosen = {0};
    int status = hs_chosen_parse(HS_RANKER, use->method->name, &chosen, error);
    if (status == HSEL_OK)
        status = hs_rank_features(&use->part->training, &chosen, 1, &scores, error);
    hs_chosen_clear(&chosen);
    return status;
}

static bool is_ranker(const hs_method *method)
{
    return method->kind == HS_RANKER || method->kind == HS_MEASURE;
}

static void test_rankers_on_awkward_data(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 7, "test", 0, 0);
    (void)state;
    EACH_METHOD(method)
    {
        hsel_error error = {0};
        hs_chosen chosen = {0};
        if (!is_ranker(method))
            continue;
        assert_ok(hs_chosen_parse(HS_RANKER, method->name, &chosen, &error), error);
        assert_ptr_equal(chosen.method, method);
        if (method->kind == HS_MEASURE)
            assert_true(!method->measure->table == !(method->flags & HS_ANY_FEATURES));
        for (awkward kind = NOTHING; kind < AWKWARD && takes(method, kind); kind++) {
            struct part part;
            double score[64], *scores = score;
            part_new(&part, &stream, kind);
            if (hs_rank_features(&part.training, &chosen, 1, &scores, &error))
                fail_msg("%s, kind %d: %s", method->name, kind, error.message);
            for (uint32_t f = 0; f < part.data->features; f++)
                if (isnan(score[f]))
                    fail_msg("%s, kind %d: the score of feature %u is no number", method->name,
                             kind, f);
            part_free(&part);
        }
        hs_chosen_clear(&chosen);
    }
}

static void test_learning_out_of_memory(void **state)
{
    hs_stream stream;
    struct part part;
    hs_stream_init(&stream, 5, "test", 0, 0);
    (void)state;
    part_new(&part, &stream, NOTHING);
    EACH_METHOD(method)
    {
        struct use use = {method, &part};
        if (method->kind == HS_SELECTOR)
            hs_oom_each(method->name, select_in_memory, &use);
        if (method->kind == HS_CLASSIFIER)
            hs_oom_each(method->name, classify_in_memory, &use);
        if (is_ranker(method))
            hs_oom_each(method->name, rank_in_memory, &use);
    }
    part_free(&part);
}

/* ---- classifiers ---- */

static void check_classifier(const hs_chosen *chosen, const struct part *part, awkward kind)
{
    const hs_classifier *c = chosen->method->classifier;
    hsel_error error = {0};
    void *model = NULL, *scratch = NULL;
    const int status = c->fit(&part->training, chosen->options, &model, &error);
    if (c->adjusts_itself && (kind == ONE_ROW || kind == ONE_CLASS)) { /* no inner folds */
        assert_int_equal(status, HSEL_EUSAGE);
        return;
    }
    if (status)
        fail_msg("%s, kind %d: %s", chosen->method->name, kind, error.message);
    if (c->scratch_new)
        assert_ok(c->scratch_new(model, &scratch, &error), error);
    for (uint32_t i = 0; i < part->data->instances; i++) {
        hs_selection nothing = {0};
        bool on_mask = chosen->method->flags & HS_PREDICTS_ON_MASK;
        for (int pass = 0; pass <= on_mask; pass++) { /* all features, then none */
            double p[2] = {-1, -1}, score[2];
            assert_ok(hs_predict_one(c, model, part->data, i, pass ? &nothing : NULL, scratch, p,
                                     score, &error),
                      error);
            if (!(p[0] >= 0 && p[1] >= 0 && fabs(p[0] + p[1] - 1) < 1e-12))
                fail_msg("%s, kind %d: %g and %g", chosen->method->name, kind, p[0], p[1]);
        }
        double prior, says[64];
        if (c->contributions)
            assert_ok(hs_contributions_one(c, model, part->data, i, NULL, scratch, 0, &prior, says,
                                           &error),
                      error);
        for (uint32_t f = 0; c->contributions && !isnan(prior) && f < part->data->features; f++)
            assert_true(isfinite(prior) && isfinite(says[f]));
    }
    if (scratch)
        c->scratch_free(scratch);
    c->free(model);
}

static void test_classifiers_on_awkward_data(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 6, "test", 0, 0);
    (void)state;
    EACH_METHOD(method)
    {
        if (method->kind != HS_CLASSIFIER)
            continue;
        hsel_error error = {0};
        hs_chosen chosen = {0};
        assert_true((method->classifier->make == NULL) == (method->classifier->fields == NULL));
        assert_ok(hs_chosen_parse(method->kind, text_of(method), &chosen, &error), error);
        for (int round = 0; round < 10; round++)
            for (awkward kind = NOTHING; kind < AWKWARD && takes(method, kind); kind++) {
                struct part part;
                part_new(&part, &stream, kind);
                check_classifier(&chosen, &part, kind);
                part_free(&part);
            }
        hs_chosen_clear(&chosen);
    }
}

/* ---- cross-validation learns from the same rows as training does ---- */

/* Does the method select, or predict, for the instances of a fold what it does when it is trained
 * on all others in the order of the data? */
static void check_fold(const hs_chosen *selector, const hs_chosen *classifier,
                       const hsel_dataset *data, const hs_folds *folds, const hs_crossval *done,
                       uint32_t fold)
{
    const hs_classifier *c = classifier->method->classifier;
    bool lazy = selector->method->flags & HS_LAZY;
    uint32_t rows[64], count = 0;
    uint64_t mask = 0;
    hs_counts counts = {0};
    hs_stream seed;
    hsel_error error = {0};
    void *model = NULL, *scratch = NULL;
    for (uint32_t i = 0; i < data->instances; i++)
        if (folds->fold_of[i] != fold)
            rows[count++] = i;
    hs_view view = {.data = data, .rows = rows, .row_count = count};
    assert_ok(hs_counts_of(&view, &counts, &error), error);
    hs_stream_init(&seed, 7, "crossval", fold, 0);
    hs_training training = {
        .view = view, .counts = &counts, .seed = hs_random_u64(&seed), .threads = 1};
    for (uint32_t i = folds->start[fold]; i < folds->start[fold + 1]; i++) {
        size_t positives;
        const uint32_t *row = hs_row(data, folds->order[i], &positives);
        assert_ok(select_one(selector, &training, row, positives, &mask, &error), error);
        if (hs_bits_count(&mask, 1) != done->selectors[0].selected[folds->order[i]] ||
            (!lazy && mask != done->selectors[0].masks[fold * done->mask_words]))
            fail_msg("%s selects something else in cross-validation", selector->method->name);
    }
    if (!lazy) {
        training.view.features = &mask;
        assert_ok(c->fit(&training, classifier->options, &model, &error), error);
        if (c->scratch_new)
            assert_ok(c->scratch_new(model, &scratch, &error), error);
    }
    for (uint32_t i = folds->start[fold]; i < folds->start[fold + 1] && !lazy; i++) {
        double p[2], score[2];
        const double *then = done->classifiers[0].probability + 2 * (size_t)folds->order[i];
        assert_ok(hs_predict_one(c, model, data, folds->order[i], NULL, scratch, p, score, &error),
                  error);
        if (memcmp(p, then, sizeof p))
            fail_msg("%s predicts something else in cross-validation", classifier->method->name);
    }
    if (scratch)
        c->scratch_free(scratch);
    if (model)
        c->free(model);
    hs_counts_clear(&counts);
}

static void check_in_folds(const char *selector, const char *classifier, hs_stream *stream)
{
    hs_chosen chosen[2] = {0};
    hsel_error error = {0};
    assert_ok(hs_chosen_parse(HS_SELECTOR, selector, &chosen[0], &error), error);
    char text[80];
    snprintf(text, sizeof text, "%s:calibration=none",
             classifier); /* as the classifier is fitted */
    assert_ok(hs_chosen_parse(HS_CLASSIFIER, text, &chosen[1], &error), error);
    for (int round = 0; round < 6; round++) {
        hs_random_shape shape = {.instances = 30,
                                 .features = 10,
                                 .classes = 2,
                                 .density = 0.3,
                                 .parents = 1.2,
                                 .true_path = true};
        hsel_dataset *data = hs_random_dataset(stream, &shape);
        hs_folds folds = {0};
        hs_crossval done = {0};
        assert_ok(hs_folds_make(data, (hs_fold_scheme)(round % 3), 3, 1, &folds, &error), error);
        hs_crossval_request request = {.data = data,
                                       .folds = &folds,
                                       .selectors = &chosen[0],
                                       .classifiers = &chosen[1],
                                       .selector_count = 1,
                                       .classifier_count = 1,
                                       .seed = 7,
                                       .threads = 1};
        assert_ok(hs_crossval_run(&request, &done, &error), error);
        for (uint32_t fold = 0; fold < folds.count; fold++)
            check_fold(&chosen[0], &chosen[1], data, &folds, &done, fold);
        hs_crossval_clear(&done);
        hs_folds_clear(&folds);
        hsel_dataset_free(data);
    }
    hs_chosen_clear(&chosen[0]);
    hs_chosen_clear(&chosen[1]);
}

static void test_order_of_folds_does_not_matter(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 8, "test", 0, 0);
    (void)state;
    check_in_folds("hill-climbing:direction=top-down", "nb", &stream);
    check_in_folds("hill-climbing:similarity=euclidean", "nb", &stream);
    check_in_folds("relieff:k=3,weight=true", "nb", &stream);
    EACH_METHOD(method)
    {
        char text[64];
        snprintf(text, sizeof text, "top:by=%s,k=3", method->name);
        if (method->kind == HS_SELECTOR)
            check_in_folds(text_of(method), "nb", &stream);
        else if (method->kind == HS_CLASSIFIER)
            check_in_folds("none", method->name, &stream);
        else if (is_ranker(method))
            check_in_folds(text, "nb", &stream);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_selectors_on_awkward_data),
                                       cmocka_unit_test(test_lazy_selectors_do_not_see_order),
                                       cmocka_unit_test(test_strata),
                                       cmocka_unit_test(test_classifiers_on_awkward_data),
                                       cmocka_unit_test(test_rankers_on_awkward_data),
                                       cmocka_unit_test(test_learning_out_of_memory),
                                       cmocka_unit_test(test_order_of_folds_does_not_matter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

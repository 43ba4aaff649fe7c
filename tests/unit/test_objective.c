/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The value of a set of features inside a training part. A twin does it the plain way: for every
 * inner fold, naive Bayes is trained on the rest and tested on the fold, and GM is written out. The
 * fast objective and the general one must give the same number, bit by bit, on thousands of small
 * data sets in which ties abound, also step by step from set to set; and a fixed example.
 */
#include <math.h>
#include <string.h>

#include "classify/classify.h"
#include "core/mem.h"
#include "search/objective.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/random_data.h"
#include "support/predict_one.h"

#define ROUNDS 3000
#define STEPS  6

struct world {
    hsel_dataset *data;
    uint32_t rows[64];
    uint64_t mask; /* features that may be used */
    hs_counts counts;
    hs_training training;
    hs_chosen classifier;
    hs_inner_request request;
};

static uint32_t draw(hs_stream *stream, uint32_t below)
{
    return (uint32_t)hs_random_below(stream, below);
}

static void world_new(struct world *w, hs_stream *stream, const char *classifier)
{
    hs_random_shape shape = {.instances = 12 + draw(stream, 30),
                             .features = 1 + draw(stream, 14),
                             .classes = 2 + (draw(stream, 3) == 0) + (draw(stream, 6) == 0),
                             .density = 0.1 + 0.7 * hs_random_double(stream)};
    hsel_error error = {0};
    uint32_t count = 0;
    *w = (struct world){.data = hs_random_dataset(stream, &shape)};
    for (uint32_t i = 0; i < shape.instances; i++)
        if (count + (shape.instances - i) <= 10 || draw(stream, 5))
            w->rows[count++] = i;
    hs_random_shuffle(stream, w->rows, count);
    w->mask = draw(stream, 2) ? ~UINT64_C(0) : hs_random_u64(stream);
    w->mask &= (UINT64_C(1) << shape.features) - 1;
    hs_view view = {.data = w->data, .rows = w->rows, .row_count = count, .features = &w->mask};
    assert_ok(hs_counts_of(&view, &w->counts, &error), error);
    w->training = (hs_training){.view = view, .counts = &w->counts, .seed = 1, .threads = 1};
    assert_ok(hs_chosen_parse(HS_CLASSIFIER, classifier, &w->classifier, &error), error);
    w->request = (hs_inner_request){.training = &w->training,
                                    .classifier = &w->classifier,
                                    .metric = HS_METRIC_GM,
                                    .folds = 2 + draw(stream, 4),
                                    .seed = hs_random_u64(stream),
                                    .workers = 1,
                                    .owner = "ga"};
}

static void world_free(struct world *w)
{
    hs_chosen_clear(&w->classifier);
    hs_counts_clear(&w->counts);
    hsel_dataset_free(w->data);
}

/* ---- the twin ---- */

/* What a classifier that was trained on the other folds says of each instance of a fold. */
static void twin_fold(const struct world *w, const hs_folds *folds, uint32_t fold, uint64_t set,
                      uint32_t *predicted)
{
    const hs_classifier *classifier = w->classifier.method->classifier;
    uint32_t rest[64], count = 0;
    double probability[8], score[8];
    hs_counts counts = {0};
    void *model = NULL, *scratch = NULL;
    hsel_error error = {0};
    for (uint32_t i = 0; i < folds->instances; i++)
        if (folds->fold_of[i] != fold)
            rest[count++] = w->rows[i];
    hs_training training = {
        .view = {.data = w->data, .rows = rest, .row_count = count, .features = &set},
        .counts = &counts,
        .threads = 1};
    assert_ok(hs_counts_of(&training.view, &counts, &error), error);
    assert_ok(classifier->fit(&training, w->classifier.options, &model, &error), error);
    if (classifier->scratch_new)
        assert_ok(classifier->scratch_new(model, &scratch, &error), error);
    for (uint32_t i = 0; i < folds->instances; i++) {
        if (folds->fold_of[i] != fold)
            continue;
        assert_ok(hs_predict_one(classifier, model, w->data, w->rows[i], NULL, scratch, probability,
                                 score, &error),
                  error);
        predicted[i] = 0;
        for (uint32_t c = 1; c < counts.classes; c++)
            if (score[c] > score[predicted[i]])
                predicted[i] = c;
    }
    if (scratch)
        classifier->scratch_free(scratch);
    classifier->free(model);
    hs_counts_clear(&counts);
}

/* GM: two classes, the root of sensitivity times specificity; more, the geometric mean of the
 * recalls of the classes that are there. */
static double twin_gm(const struct world *w, uint64_t set)
{
    uint32_t predicted[64], classes = w->data->class_names.count, there = 0;
    uint32_t hits[8] = {0}, size[8] = {0};
    hs_folds folds = {0};
    hsel_error error = {0};
    double logarithms = 0;
    assert_ok(
        hs_folds_of_view(&w->training.view, w->request.folds, w->request.seed, &folds, &error),
        error);
    for (uint32_t f = 0; f < folds.count; f++)
        twin_fold(w, &folds, f, set, predicted);
    for (uint32_t i = 0; i < folds.instances; i++) {
        uint32_t truth = w->data->class_of[w->rows[i]];
        size[truth]++;
        hits[truth] += predicted[i] == truth;
    }
    hs_folds_clear(&folds);
    if (classes == 2) {
        uint32_t p = w->data->positive_class;
        return sqrt((size[p] ? (double)hits[p] / size[p] : 0) *
                    (size[1 - p] ? (double)hits[1 - p] / size[1 - p] : 0));
    }
    for (uint32_t c = 0; c < classes; c++)
        if (size[c]) {
            there++;
            logarithms += log((double)hits[c] / size[c]);
        }
    return exp(logarithms / there);
}

/* ---- both objectives ---- */

static void check_value(const char *what, double got, double expected, uint32_t round)
{
    if (memcmp(&got, &expected, sizeof got) != 0)
        fail_msg("%s, round %u: %.17g instead of %.17g", what, round, got, expected);
}

/* From the empty set through random ones, near and far; and back to the first one. */
static void check_walk(const struct world *w, hs_stream *stream, const hs_objective *fast,
                       const hs_objective *general, uint32_t round)
{
    char *memo = hs_alloc_zero(1, fast->memo_bytes + 1);
    uint64_t set = 0, first = 0;
    hsel_error error = {0};
    double value, again, at_first = 0;
    for (uint32_t step = 0; step <= STEPS; step++) {
        uint64_t next = step == 0         ? 0
                        : step == STEPS   ? first
                        : draw(stream, 2) ? hs_random_u64(stream) & w->mask
                                          : set ^ (w->mask & (UINT64_C(1) << draw(stream, 14)));
        uint32_t flips[64], count = 0;
        for (uint32_t f = 0; f < w->data->features; f++)
            if ((set ^ next) >> f & 1)
                flips[count++] = f;
        hs_trial trial = {.set = &next, .memo = memo, .flips = flips, .flip_count = count};
        assert_ok(fast->score(fast->self, &trial, &value, &error), error);
        assert_ok(general->score(general->self, &trial, &again, &error), error);
        double expected = twin_gm(w, next);
        check_value("fast", value, expected, round);
        check_value("general", again, expected, round);
        set = next;
        if (step == 1) {
            first = set;
            at_first = value;
        }
    }
    check_value("the same set again", value, at_first, round);
    hs_free(memo);
}

static void test_values_are_those_of_nb(void **state)
{
    hs_stream stream;
    uint32_t checked = 0, more_classes = 0;
    hs_stream_init(&stream, 1, "test", 0, 0);
    (void)state;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        struct world w;
        hs_objective fast = {0}, general = {0};
        hsel_error error = {0}, other = {0};
        world_new(&w, &stream, round % 2 ? "nb" : "nb:numeric=kernel");
        assert_true(hs_nb_objective_fits(&w.request));
        int status = hs_nb_objective(&w.request, &fast, &error);
        assert_int_equal(hs_inner_objective(&w.request, &general, &other), status);
        if (status == HSEL_OK) {
            check_walk(&w, &stream, &fast, &general, round);
            checked++;
            more_classes += w.data->class_names.count > 2;
        } else {
            assert_string_equal(error.message, other.message);
        }
        hs_objective_clear(&fast);
        hs_objective_clear(&general);
        world_free(&w);
    }
    assert_true(checked > ROUNDS * 9 / 10);
    assert_true(more_classes > ROUNDS / 10);
}

/* Another classifier, also fitted anew; and every other metric, against the one place that defines
 * them. */
static void test_other_classifiers(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 2, "test", 0, 0);
    (void)state;
    for (uint32_t round = 0; round < 200; round++) {
        struct world w;
        hs_objective general = {0};
        hsel_error error = {0};
        world_new(&w, &stream, "knn:k=3");
        assert_false(hs_nb_objective_fits(&w.request));
        if (hs_inner_objective(&w.request, &general, &error) == HSEL_OK) {
            uint64_t set = hs_random_u64(&stream) & w.mask;
            double value;
            assert_ok(general.score(general.self, &(hs_trial){.set = &set}, &value, &error), error);
            check_value("knn", value, twin_gm(&w, set), round);
        }
        hs_objective_clear(&general);
        world_free(&w);
    }
}

static void test_metrics(void **state)
{
    static const hs_metric metrics[] = {HS_METRIC_ACCURACY, HS_METRIC_SENSITIVITY,
                                        HS_METRIC_SPECIFICITY, HS_METRIC_MACRO_F1};
    hs_stream stream;
    hs_stream_init(&stream, 3, "test", 0, 0);
    (void)state;
    for (uint32_t round = 0; round < 400; round++) {
        struct world w;
        hs_objective fast = {0}, general = {0};
        hsel_error error = {0};
        world_new(&w, &stream, "nb");
        w.request.metric = metrics[round % 4];
        if (hs_nb_objective(&w.request, &fast, &error) == HSEL_OK) {
            uint64_t set = 0;
            double value, again;
            char *memo = hs_alloc_zero(1, fast.memo_bytes);
            hs_trial trial = {.set = &set, .memo = memo};
            assert_ok(hs_inner_objective(&w.request, &general, &error), error);
            assert_ok(fast.score(fast.self, &trial, &value, &error), error);
            assert_ok(general.score(general.self, &trial, &again, &error), error);
            check_value("metric", value, again, round);
            assert_true(value >= 0 && value <= 1);
            hs_free(memo);
        }
        hs_objective_clear(&fast);
        hs_objective_clear(&general);
        world_free(&w);
    }
}

static void test_areas_are_general(void **state)
{
    hs_stream stream;
    struct world w;
    hs_objective general = {0};
    hsel_error error = {0};
    double value;
    (void)state;
    hs_stream_init(&stream, 4, "test", 0, 0);
    world_new(&w, &stream, "nb");
    w.request.metric = HS_METRIC_AUROC;
    assert_false(hs_nb_objective_fits(&w.request));
    assert_ok(hs_inner_objective(&w.request, &general, &error), error);
    uint64_t set = 0; /* what is left are the priors of the folds */
    assert_ok(general.score(general.self, &(hs_trial){.set = &set}, &value, &error), error);
    assert_true(value >= 0 && value <= 1);
    hs_objective_clear(&general);
    world_free(&w);
}

/* ---- what cannot be ---- */

static void expect_refusal(struct world *w, const char *part)
{
    hs_objective objective = {0};
    hsel_error error = {0};
    assert_int_equal(hs_nb_objective(&w->request, &objective, &error), HSEL_EUSAGE);
    if (!strstr(error.message, part))
        fail_msg("'%s' is not in: %s", part, error.message);
}

static void test_too_little_to_learn_from(void **state)
{
    hs_stream stream;
    struct world w;
    hsel_error error = {0};
    (void)state;
    hs_stream_init(&stream, 5, "test", 0, 0);
    world_new(&w, &stream, "nb");
    w.request.folds = 64;
    expect_refusal(&w, "into 64 inner folds");
    w.request.folds = 5;
    uint32_t count = 0; /* one class, but for one instance */
    bool other = false;
    for (uint32_t i = 0; i < w.data->instances; i++)
        if (w.data->class_of[i] == 0 || !other) {
            other |= w.data->class_of[i] != 0;
            w.rows[count++] = i;
        }
    w.training.view.row_count = count;
    hs_counts_clear(&w.counts);
    assert_ok(hs_counts_of(&w.training.view, &w.counts, &error), error);
    expect_refusal(&w, "needs two instances or more of two classes");
    expect_refusal(&w, "all are of one class");
    world_free(&w);
}

/* A class with fewer instances than folds is in some folds only; nothing is wrong with that. */
static void test_small_class(void **state)
{
    hs_stream stream;
    struct world w;
    hs_objective fast = {0}, general = {0};
    hsel_error error = {0};
    uint32_t count = 0, others = 0;
    (void)state;
    hs_stream_init(&stream, 6, "test", 0, 0);
    world_new(&w, &stream, "nb");
    for (uint32_t i = 0; i < w.data->instances; i++)
        if (w.data->class_of[i] == 0 || others++ < 2)
            w.rows[count++] = i;
    w.training.view.row_count = count;
    w.request.folds = 5;
    hs_counts_clear(&w.counts);
    assert_ok(hs_counts_of(&w.training.view, &w.counts, &error), error);
    assert_ok(hs_nb_objective(&w.request, &fast, &error), error);
    assert_ok(hs_inner_objective(&w.request, &general, &error), error);
    check_walk(&w, &stream, &fast, &general, 0);
    hs_objective_clear(&fast);
    hs_objective_clear(&general);
    world_free(&w);
}

static int make_both(void *context, hsel_error *error)
{
    const struct world *w = context;
    hs_objective fast = {0}, general = {0};
    uint64_t set = 0;
    double value;
    int status = hs_nb_objective(&w->request, &fast, error);
    if (status == HSEL_OK)
        status = hs_inner_objective(&w->request, &general, error);
    if (status == HSEL_OK)
        status = general.score(general.self, &(hs_trial){.set = &set}, &value, error);
    hs_objective_clear(&fast);
    hs_objective_clear(&general);
    return status;
}

static void test_out_of_memory(void **state)
{
    hs_stream stream;
    struct world w;
    (void)state;
    hs_stream_init(&stream, 7, "test", 0, 0);
    world_new(&w, &stream, "nb");
    assert_true(hs_oom_each("objectives", make_both, &w) > 20);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_those_of_nb),
        cmocka_unit_test(test_other_classifiers),
        cmocka_unit_test(test_metrics),
        cmocka_unit_test(test_areas_are_general),
        cmocka_unit_test(test_too_little_to_learn_from),
        cmocka_unit_test(test_small_class),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cross-validation against a loop that does the obvious (learn from everything else, test), on
 * random data with lazy and eager selectors; the same to the last bit with any number of threads.
 * Then the checks before it, and what lazy selectors choose for probes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "classify/classify.h"
#include "core/mem.h"
#include "learn/crossval.h"
#include "select/select.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/random_data.h"
#include "support/predict_one.h"
#include "support/threads.h"

HS_TEST_USES_THREADS

/* ---- an eager selector: features that are positive in at least half of the rows it sees ---- */

static int eager_prepare(const hs_training *training, const void *options, void **state,
                         hsel_error *error)
{
    uint64_t *mask = HS_NEW_ZERO(uint64_t, hs_bit_words(training->view.data->features));
    (void)options;
    if (!mask)
        return hs_fail_memory(error);
    for (uint32_t f = 0; f < training->counts->features; f++) {
        uint32_t seen = 0, counted = 0;
        for (uint32_t i = 0; i < training->view.row_count; i++) {
            size_t count;
            const uint32_t *row = hs_row(training->view.data, training->view.rows[i], &count);
            for (size_t j = 0; j < count; j++)
                seen += row[j] == f;
        }
        for (uint32_t c = 0; c < training->counts->classes; c++)
            counted += hs_count(training->counts, f, c);
        if (seen != counted) { /* the counts are those of the rows */
            hs_free(mask);
            return hs_fail(error, HSEL_EUSAGE, "feature %u: %u rows, counted %u", f, seen, counted);
        }
        if (2 * seen >= training->view.row_count)
            hs_bit_set(mask, f);
    }
    *state = mask;
    return HSEL_OK;
}

static int eager_select(const void *state, uint64_t *mask, hsel_error *error)
{
    (void)error;
    mask[0] = *(const uint64_t *)state;
    return HSEL_OK;
}

static void eager_free(void *state) { hs_free(state); }

static const hs_selector eager = {
    .prepare = eager_prepare, .select_features = eager_select, .free = eager_free};
static const hs_method eager_method = {.kind = HS_SELECTOR, .name = "half", .selector = &eager};

/* ---- a problem ---- */

#define SELECTORS   4
#define CLASSIFIERS 2

struct problem {
    hsel_dataset *data;
    hs_folds folds;
    hs_chosen selectors[SELECTORS], classifiers[CLASSIFIERS];
};

static const char *const lazy_texts[] = {"hip-mr", "rpv", "hip", "all-neg", "mr", "all-pos"};

static void problem_new(struct problem *p, hs_stream *stream)
{
    hsel_error error = {0};
    hs_random_shape shape = {.instances = 4 + (uint32_t)hs_random_below(stream, 20),
                             .features = 1 + (uint32_t)hs_random_below(stream, 14),
                             .classes = 2 + (uint32_t)hs_random_below(stream, 2),
                             .density = 0.4,
                             .parents = 1,
                             .true_path = true};
    *p = (struct problem){.data = hs_random_dataset(stream, &shape)};
    uint32_t k = 2 + (uint32_t)hs_random_below(stream, shape.instances - 1);
    assert_ok(
        hs_folds_make(p->data, (hs_fold_scheme)hs_random_below(stream, 2), k, 1, &p->folds, &error),
        error);
    for (int s = 0; s + 1 < SELECTORS; s++)
        assert_ok(hs_chosen_parse(HS_SELECTOR, lazy_texts[hs_random_below(stream, 6)],
                                  &p->selectors[s], &error),
                  error);
    p->selectors[SELECTORS - 1] = (hs_chosen){.method = &eager_method};
    assert_ok(hs_chosen_parse(HS_CLASSIFIER, "nb:preset=weka", &p->classifiers[0], &error), error);
    assert_ok(hs_chosen_parse(HS_CLASSIFIER, "knn:preset=weka,k=2", &p->classifiers[1], &error),
              error);
}

static void problem_free(struct problem *p)
{
    for (int s = 0; s + 1 < SELECTORS; s++)
        hs_chosen_clear(&p->selectors[s]);
    for (int c = 0; c < CLASSIFIERS; c++)
        hs_chosen_clear(&p->classifiers[c]);
    hs_folds_clear(&p->folds);
    hsel_dataset_free(p->data);
}

static hs_crossval_request request_of(const struct problem *p, int threads)
{
    return (hs_crossval_request){.data = p->data,
                                 .folds = &p->folds,
                                 .selectors = p->selectors,
                                 .classifiers = p->classifiers,
                                 .selector_count = SELECTORS,
                                 .classifier_count = CLASSIFIERS,
                                 .seed = 5,
                                 .threads = threads};
}

static hs_crossval run(const struct problem *p, int threads)
{
    hsel_error error = {0};
    hs_crossval done = {0};
    hs_crossval_request request = request_of(p, threads);
    assert_ok(hs_crossval_run(&request, &done, &error), error);
    return done;
}

/* ---- the obvious loop ---- */

struct plain { /* what it found for one instance, selector and classifier */
    double probability[8], score[8];
    bool selected[64];
};

static void select_plainly(const struct problem *p, const hs_chosen *selector, void *state,
                           uint32_t instance, hs_selection *selection, bool *selected)
{
    hsel_error error = {0};
    uint32_t features = p->data->features;
    size_t count;
    const uint32_t *row = hs_row(p->data, instance, &count);
    if (selector->method == &eager_method) {
        for (uint32_t f = 0; f < features; f++)
            selected[f] = hs_bit_get(state, f);
        return;
    }
    hs_lazy_scratch scratch = {0};
    assert_ok(hs_lazy_scratch_init(&scratch, features, &error), error);
    assert_ok(
        selector->method->selector->select_for(state, row, count, &scratch, selection, &error),
        error);
    hs_lazy_scratch_clear(&scratch);
    for (uint32_t f = 0; f < features; f++)
        selected[f] = selection->all_negative;
    for (size_t i = 0; i < count; i++)
        selected[row[i]] = false;
    for (uint32_t i = 0; i < selection->positive_count; i++)
        selected[selection->positive[i]] = true;
    for (uint32_t i = 0; !selection->all_negative && i < selection->negative_count; i++)
        selected[selection->negative[i]] = true;
}

static struct plain test_plainly(const struct problem *p, size_t s, size_t c, uint32_t instance)
{
    hsel_error error = {0};
    struct plain out = {.probability = {0}};
    const hs_chosen *selector = &p->selectors[s], *chosen = &p->classifiers[c];
    const hs_classifier *classifier = chosen->method->classifier;
    bool lazy = selector->method != &eager_method;
    uint32_t *rows = malloc(p->data->instances * sizeof *rows), count = 0;
    hs_counts counts = {0};
    hs_selection selection = {0};
    void *state = NULL, *model = NULL, *scratch = NULL;
    assert_non_null(rows);
    for (uint32_t i = 0; i < p->data->instances; i++)
        if (p->folds.fold_of[p->folds.order[i]] != p->folds.fold_of[instance])
            rows[count++] = p->folds.order[i];
    hs_training training = {.view = {.data = p->data, .rows = rows, .row_count = count},
                            .counts = &counts,
                            .threads = 1};
    assert_ok(hs_counts_of(&training.view, &counts, &error), error);
    assert_ok(hs_selection_init(&selection, p->data->features, &error), error);
    assert_ok(selector->method->selector->prepare(&training, selector->options, &state, &error),
              error);
    select_plainly(p, selector, state, instance, &selection, out.selected);
    training.view.features = lazy ? NULL : state;
    assert_ok(classifier->fit(&training, chosen->options, &model, &error), error);
    if (classifier->scratch_new)
        assert_ok(classifier->scratch_new(model, &scratch, &error), error);
    assert_ok(hs_predict_one(classifier, model, p->data, instance, lazy ? &selection : NULL,
                             scratch, out.probability, out.score, &error),
              error);
    if (scratch)
        classifier->scratch_free(scratch);
    classifier->free(model);
    selector->method->selector->free(state);
    hs_selection_clear(&selection);
    hs_counts_clear(&counts);
    free(rows);
    return out;
}

static void compare_selector(const struct problem *p, const hs_crossval *done, size_t s)
{
    uint32_t frequency[64] = {0}, classes = p->data->class_names.count;
    for (uint32_t i = 0; i < p->data->instances; i++) {
        uint32_t selected = 0;
        for (size_t c = 0; c < CLASSIFIERS; c++) {
            struct plain plain = test_plainly(p, s, c, i);
            const double *found = done->classifiers[s * CLASSIFIERS + c].probability;
            const double *scores = done->classifiers[s * CLASSIFIERS + c].score;
            uint32_t width = hs_score_width(classes);
            assert_memory_equal(found + (size_t)i * classes, plain.probability,
                                classes * sizeof *found);
            assert_memory_equal(scores + (size_t)i * width, plain.score + classes - width,
                                width * sizeof *scores);
            for (uint32_t f = 0; c == 0 && f < p->data->features; f++) {
                selected += plain.selected[f];
                frequency[f] += plain.selected[f];
                if (done->selectors[s].masks)
                    assert_int_equal(hs_bit_get(done->selectors[s].masks +
                                                    p->folds.fold_of[i] * done->mask_words,
                                                f),
                                     plain.selected[f]);
            }
        }
        assert_int_equal(done->selectors[s].selected[i], selected);
    }
    assert_memory_equal(done->selectors[s].frequency, frequency,
                        p->data->features * sizeof *frequency);
}

static void test_equals_the_obvious_loop(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 1, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 60; round++) {
        struct problem p;
        problem_new(&p, &stream);
        hs_crossval done = run(&p, 1);
        for (size_t s = 0; s < SELECTORS; s++) {
            bool is_eager = s == SELECTORS - 1;
            assert_int_equal(done.selectors[s].masks != NULL, is_eager);
            assert_true(done.selectors[s].seconds >= 0);
            compare_selector(&p, &done, s);
        }
        hs_crossval_clear(&done);
        problem_free(&p);
    }
}

/* ---- threads ---- */

static void same_results(const struct problem *p, const hs_crossval *a, const hs_crossval *b)
{
    size_t n = p->data->instances, d = p->data->features, k = p->data->class_names.count;
    for (size_t s = 0; s < SELECTORS; s++) {
        const hs_selector_outcome *x = &a->selectors[s], *y = &b->selectors[s];
        assert_memory_equal(x->selected, y->selected, n * sizeof *x->selected);
        assert_memory_equal(x->frequency, y->frequency, d * sizeof *x->frequency);
        if (x->masks)
            assert_memory_equal(x->masks, y->masks,
                                a->mask_words * p->folds.count * sizeof *x->masks);
    }
    for (size_t i = 0; i < SELECTORS * CLASSIFIERS; i++)
        assert_memory_equal(a->classifiers[i].probability, b->classifiers[i].probability,
                            n * k * sizeof(double));
}

static void test_threads_give_the_same(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 2, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 40; round++) {
        struct problem p;
        problem_new(&p, &stream);
        hs_crossval one = run(&p, 1);
        for (int threads = 2; threads <= 4; threads += 2) {
            hs_crossval more = run(&p, threads);
            same_results(&p, &one, &more);
            hs_crossval_clear(&more);
        }
        hs_crossval_clear(&one);
        problem_free(&p);
    }
}

/* ---- failures inside ---- */

static int fails_in_fold_2(const hs_training *training, const void *options, void **state,
                           hsel_error *error)
{
    (void)options;
    if (hs_count(training->counts, 0, 0) == 0) /* the only training part without row 0 or 1 */
        return hs_fail(error, HSEL_EUNSUPPORTED, "no");
    return eager_prepare(training, NULL, state, error);
}

static void test_a_failure_is_passed_on(void **state)
{
    static const hs_selector failing = {
        .prepare = fails_in_fold_2, .select_features = eager_select, .free = eager_free};
    static const hs_method method = {.kind = HS_SELECTOR, .name = "f", .selector = &failing};
    hs_stream stream;
    hs_stream_init(&stream, 3, "test", 0, 0);
    (void)state;
    struct problem p;
    problem_new(&p, &stream);
    hsel_error error = {0};
    hs_crossval done = {0};
    hs_chosen chosen = {.method = &method};
    hs_crossval_request request = request_of(&p, 2);
    for (uint32_t i = 0; i < p.data->instances; i++) /* feature 0 occurs nowhere */
        if (p.data->class_of[i] == 0)
            p.data->class_of[i] = 1;
    request.selectors = &chosen;
    request.selector_count = 1;
    assert_int_equal(hs_crossval_run(&request, &done, &error), HSEL_EUNSUPPORTED);
    assert_string_equal(error.message, "no");
    assert_null(done.selectors);
    problem_free(&p);
}

static int run_once(void *context, hsel_error *error)
{
    hs_crossval done = {0};
    hs_crossval_request request = request_of(context, 1);
    int status = hs_crossval_run(&request, &done, error);
    hs_crossval_clear(&done);
    return status;
}

static void test_memory(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 4, "test", 0, 0);
    struct problem p;
    (void)state;
    problem_new(&p, &stream);
    assert_true(hs_oom_each("crossval", run_once, &p) > 100);
    problem_free(&p);
}

/* ---- checks ---- */

static const hs_method lazy_dag = {.name = "l", .flags = HS_LAZY | HS_NEEDS_HIERARCHY},
                       eager_dag = {.name = "e", .flags = HS_NEEDS_HIERARCHY},
                       any = {.name = "any"},
                       classes = {.name = "c", .flags = HS_NEEDS_CLASSES | HS_PREDICTS_ON_MASK},
                       two = {.name = "two", .flags = HS_NEEDS_CLASSES | HS_TWO_CLASSES_ONLY};

static void expect(const hsel_dataset *data, const hs_method *selector, const hs_method *classifier,
                   bool allow, int status, const char *message)
{
    hsel_error error = {0};
    int found = hs_check_methods(data, selector, classifier, allow, &error);
    if (found != status || strcmp(error.message, message) != 0)
        fail_msg("status %d, %s", found, error.message);
}

static void test_checks(void **state)
{
    hs_stream stream;
    hs_random_shape shape = {.instances = 6, .features = 3, .classes = 2, .density = 0.5};
    (void)state;
    hs_stream_init(&stream, 5, "test", 0, 0);
    hsel_dataset *flat = hs_random_dataset(&stream, &shape);
    shape.classes = 3;
    hsel_dataset *three = hs_random_dataset(&stream, &shape);
    shape.classes = 0;
    hsel_dataset *none = hs_random_dataset(&stream, &shape);
    shape.numeric = 1;
    hsel_dataset *numeric = hs_random_dataset(&stream, &shape);
    shape = (hs_random_shape){.classes = 2, .features = 3};
    hsel_dataset *empty = hs_random_dataset(&stream, &shape);

    expect(flat, &any, NULL, false, HSEL_OK, "");
    expect(flat, &any, &classes, false, HSEL_OK, "");
    expect(three, &any, &classes, false, HSEL_OK, "");
    expect(flat, &eager_dag, &classes, false, HSEL_EUSAGE,
           "e needs a hierarchy, but random has none: give hierarchy=FILE");
    expect(none, &any, &classes, false, HSEL_EUSAGE,
           "c needs two classes or more, but random has 0");
    expect(three, &any, &two, false, HSEL_EUSAGE, "two is for two classes, but random has 3");
    expect(numeric, &any, NULL, false, HSEL_EUNSUPPORTED,
           "any needs binary features, but feature f0 of random is numeric: 'ignore' leaves "
           "features out");
    expect(empty, &any, &classes, false, HSEL_EUSAGE, "random has no instances");
    const hs_method lazy = {.name = "z", .flags = HS_LAZY};
    expect(flat, &lazy, &any, false, HSEL_EUNSUPPORTED,
           "z selects features for each instance separately, but any cannot predict with part of "
           "its features: use nb or knn, or an eager selector such as shsel");
    for (uint32_t i = 0; i < flat->instances; i++)
        flat->class_of[i] = i ? 1 : HSEL_NONE;
    expect(flat, &any, &classes, false, HSEL_EUSAGE,
           "c needs two classes or more, but every instance of random is of class c1");
    for (uint32_t i = 0; i < flat->instances; i++)
        flat->class_of[i] = HSEL_NONE;
    expect(flat, &any, &classes, false, HSEL_EUSAGE,
           "c needs two classes or more, but no instance of random has a class");
    hsel_dataset_free(flat);
    hsel_dataset_free(three);
    hsel_dataset_free(none);
    hsel_dataset_free(numeric);
    hsel_dataset_free(empty);
}

static void test_checks_the_true_path_rule(void **state)
{
    hs_stream stream;
    hs_random_shape shape = {.instances = 2, .features = 2, .classes = 2, .density = 1};
    hsel_error error = {0};
    (void)state;
    hs_stream_init(&stream, 6, "test", 0, 0);
    hsel_dataset *data = hs_random_dataset(&stream, &shape);
    assert_ok(hs_dag_new(2, (uint32_t[]){1}, (uint32_t[]){0}, 1, &data->dag, &error), error);
    expect(data, &lazy_dag, NULL, false, HSEL_OK, "");
    data->rows.index[2] = 1; /* the second instance has f1 without its parent f0 */
    data->rows.start[2] = 3;
    data->keeps_rule = false; /* it was checked before this change */
    expect(data, &any, NULL, false, HSEL_OK, "");
    expect(data, &eager_dag, NULL, true, HSEL_OK, "");
    expect(data, &eager_dag, NULL, false, HSEL_EFORMAT,
           "e needs data that satisfy the true-path rule: in instance 2 of random, f1 is positive "
           "and its parent f0 is not (1 such case); repair with 'propagate', or accept it with "
           "'allow-violations'");
    expect(data, &lazy_dag, NULL, true, HSEL_EFORMAT,
           "l needs data that satisfy the true-path rule: in instance 2 of random, f1 is positive "
           "and its parent f0 is not (1 such case); repair with 'propagate'");
    hsel_dataset_free(data);
}

/* ---- probes ---- */

/* With every instance a probe, what its own fold selects for it is what it was tested with; and the
 * sets of two runs lie behind each other. */
static void test_probes(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 7, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 60; round++) {
        struct problem p;
        hsel_error error = {0};
        hs_crossval done = {0};
        uint32_t probes[HS_PROBES];
        problem_new(&p, &stream);
        hs_crossval_request request = request_of(&p, 1 + round % 3);
        request.probes = probes;
        request.probe_count = hs_choose_probes(p.data, probes);
        assert_int_equal(request.probe_count, p.data->instances);
        assert_ok(hs_crossval_run(&request, &done, &error), error);
        for (size_t s = 0; s < SELECTORS; s++) {
            const hs_selector_outcome *chosen = &done.selectors[s];
            hs_refits refits = {0};
            for (int run = 0; run < 2; run++)
                assert_ok(hs_refits_add(&refits, &done, s, &error), error);
            assert_int_equal(refits.sets, 2 * p.folds.count);
            assert_int_equal(refits.cases, chosen->masks ? 1 : p.data->instances);
            assert_true(!chosen->masks == !!chosen->probed);
            for (uint32_t f = 0; f < p.data->features; f++) {
                uint32_t times = 0;
                for (uint32_t i = 0; i < p.data->instances; i++) {
                    size_t set = (p.folds.fold_of[i] + p.folds.count) * refits.cases +
                                 (chosen->masks ? 0 : i);
                    times += hs_bit_get(refits.masks + set * done.mask_words, f);
                }
                assert_int_equal(times, chosen->frequency[f]);
            }
            hs_refits_clear(&refits);
        }
        hs_crossval_clear(&done);
        problem_free(&p);
    }
}

/* ---- some folds of many ---- */

static void compare_part(const struct problem *p, const hs_crossval *whole, const hs_crossval *part,
                         uint32_t begin, uint32_t end, size_t s, size_t classifiers,
                         uint32_t *frequency)
{
    size_t k = p->data->class_names.count;
    for (uint32_t i = 0; i < p->data->instances; i++) {
        bool tested = p->folds.fold_of[i] >= begin && p->folds.fold_of[i] < end;
        assert_int_equal(part->selectors[0].selected[i],
                         tested ? whole->selectors[s].selected[i] : 0);
        for (size_t c = 0; c < classifiers; c++)
            for (size_t j = 0; j < k; j++)
                assert_true(
                    part->classifiers[c].probability[i * k + j] ==
                    (tested ? whole->classifiers[s * CLASSIFIERS + c].probability[i * k + j] : 0));
    }
    for (uint32_t f = begin; whole->selectors[s].masks && f < end; f++)
        assert_memory_equal(part->selectors[0].masks + (f - begin) * whole->mask_words,
                            whole->selectors[s].masks + f * whole->mask_words,
                            whole->mask_words * sizeof(uint64_t));
    for (uint32_t f = 0; f < p->data->features; f++)
        frequency[f] += part->selectors[0].frequency[f];
}

/* Folds in pieces, with scratch that is kept (or not) while selectors and the number of classifiers
 * change, add up to the whole. */
static void test_pieces_are_the_whole(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 4, "pieces", 0, 0);
    for (int round = 0; round < 300; round++) {
        hsel_error error = {0};
        struct problem p;
        hs_crossval_scratch *scratch = NULL;
        hs_counts counts = {0};
        uint32_t frequency[SELECTORS][16] = {{0}};
        problem_new(&p, &stream);
        hs_view all = hs_view_all(p.data);
        assert_ok(hs_counts_of(&all, &counts, &error), error);
        hs_crossval whole = run(&p, 1);
        for (uint32_t begin = 0, end; begin < p.folds.count; begin = end) {
            end = begin + 1 + (uint32_t)hs_random_below(&stream, p.folds.count - begin);
            for (size_t s = 0; s < SELECTORS; s++) {
                hs_crossval part = {0};
                hs_crossval_request request = request_of(&p, 1);
                request.selectors = &p.selectors[s];
                request.selector_count = 1;
                request.classifier_count = 1 + hs_random_below(&stream, CLASSIFIERS);
                request.fold_begin = begin;
                request.fold_end = end;
                request.whole = hs_random_below(&stream, 2) ? &counts : NULL;
                request.scratch = hs_random_below(&stream, 4) ? &scratch : NULL;
                assert_ok(hs_crossval_run(&request, &part, &error), error);
                compare_part(&p, &whole, &part, begin, end, s, request.classifier_count,
                             frequency[s]);
                hs_crossval_clear(&part);
            }
        }
        for (size_t s = 0; s < SELECTORS; s++)
            assert_memory_equal(frequency[s], whole.selectors[s].frequency,
                                p.data->features * sizeof(uint32_t));
        hs_crossval_scratch_free(scratch);
        hs_counts_clear(&counts);
        hs_crossval_clear(&whole);
        problem_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_equals_the_obvious_loop),
                                       cmocka_unit_test(test_threads_give_the_same),
                                       cmocka_unit_test(test_a_failure_is_passed_on),
                                       cmocka_unit_test(test_pieces_are_the_whole),
                                       cmocka_unit_test(test_memory),
                                       cmocka_unit_test(test_checks),
                                       cmocka_unit_test(test_checks_the_true_path_rule),
                                       cmocka_unit_test(test_probes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

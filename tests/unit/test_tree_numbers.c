/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tree with a numeric target against the definition: lists are divided again and again by sums over
 * all their rows, and pruned on the way back; what the contributions say adds up; files keep it.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "classify/tree.h"
#include "core/mem.h"
#include "support/classifier_life.h"
#include "support/cmocka.h"
#include "support/fitted.h"
#include "support/normal.h"
#include "support/oom.h"
#include "support/predict_one.h"
#include "support/random_data.h"

#define MOST 60

struct world {
    hsel_dataset *data;
    hs_counts counts;
    hs_training training;
};

static void world_new(struct world *w, hs_stream *stream, double missing)
{
    hsel_error error = {0};
    hs_random_shape shape = {.instances = 5 + (uint32_t)hs_random_below(stream, MOST - 4),
                             .features = 1 + (uint32_t)hs_random_below(stream, 6),
                             .classes = 2,
                             .density = 0.4,
                             .numeric = 0.4,
                             .nominal = 0.2,
                             .missing = missing};
    *w = (struct world){.data = hs_random_dataset(stream, &shape)};
    hs_random_target(stream, w->data);
    for (uint32_t i = 0; i < w->data->instances; i++) /* few ties */
        w->data->target[i] =
            isnan(w->data->target[i])
                ? (double)NAN
                : 100 + 5 * hs_random_normal(stream) + 3 * fmod(hs_dataset_value(w->data, 0, i), 4);
    for (uint32_t i = 0; i < w->data->instances; i++)
        w->data->target[i] = isfinite(w->data->target[i]) ? w->data->target[i] : (double)NAN;
    hs_view view = hs_view_all(w->data);
    assert_ok(hs_counts_of(&view, &w->counts, &error), error);
    w->training = (hs_training){.view = view, .counts = &w->counts, .seed = 3, .threads = 1};
}

static void world_free(struct world *w)
{
    hs_counts_clear(&w->counts);
    hsel_dataset_free(w->data);
}

/* ---- the definition ---- */

struct slow {
    const hsel_dataset *data;
    double y[MOST], min;
    bool prunes;
};

static double squares(const struct slow *s, const uint32_t *row, uint32_t count)
{
    double mean = 0, sum = 0;
    for (uint32_t i = 0; i < count; i++)
        mean += s->y[row[i]] / count;
    for (uint32_t i = 0; i < count; i++)
        sum += pow(s->y[row[i]] - mean, 2);
    return sum;
}

/* The branch of a value. */
static uint32_t branch_of(const hsel_dataset *data, uint32_t f, double threshold, uint32_t row)
{
    double value = hs_dataset_value(data, f, row);
    return data->types[f] == HSEL_NUMERIC ? value > threshold : (uint32_t)value;
}

/* Rows of a branch into `out`. */
static uint32_t part_of(const hsel_dataset *data, const uint32_t *row, uint32_t count, uint32_t f,
                        double threshold, uint32_t branch, uint32_t *out)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (branch_of(data, f, threshold, row[i]) == branch)
            out[kept++] = row[i];
    return kept;
}

static uint32_t branches_of(const hsel_dataset *data, uint32_t f)
{
    return data->types[f] == HSEL_NOMINAL ? data->nominal[data->slot[f]].values.count : 2;
}

/* Predictions of `all` rows, which come to this node, of which `row` are learned from; *error_ and
 * *leaves of the pruned subtree. */
static void grow(const struct slow *s, const uint32_t *row, uint32_t count, const uint32_t *test,
                 uint32_t tests, double above, double *answer, double *error_, double *leaves)
{
    const hsel_dataset *data = s->data;
    const double own = squares(s, row, count);
    uint32_t best = HSEL_NONE, part[MOST];
    double most = 0, threshold = 0, mean = 0;
    for (uint32_t i = 0; i < count; i++)
        mean += s->y[row[i]] / count;
    mean = count ? mean : above;
    *error_ = own;
    *leaves = 1;
    for (uint32_t i = 0; i < tests; i++)
        answer[test[i]] = mean;
    for (uint32_t f = 0; f < data->features && count >= 2 * s->min && own > 0; f++)
        for (uint32_t k = 0; k < (data->types[f] == HSEL_NUMERIC ? count : 1); k++) {
            const uint32_t branches = branches_of(data, f);
            double at = hs_dataset_value(data, f, row[k]), next = INFINITY, after = 0;
            uint32_t large = 0;
            for (uint32_t i = 0; i < count && data->types[f] == HSEL_NUMERIC; i++) {
                double value = hs_dataset_value(data, f, row[i]);
                next = value > at && value < next ? value : next;
            }
            if (data->types[f] == HSEL_NUMERIC && isinf(next))
                continue;
            for (uint32_t j = 0; j < branches; j++) {
                uint32_t size = part_of(data, row, count, f, at, j, part);
                large += size >= s->min;
                after += squares(s, part, size);
            }
            double gain = own - after, middle = at / 2 + next / 2;
            middle = middle >= at && middle < next ? middle : at;
            bool equal = fabs(gain - most) <= 1e-6, lower = best == f && middle < threshold;
            if (large >= 2 && gain > 1e-6 && ((gain > most && !equal) || (equal && lower))) {
                most = gain;
                best = f;
                threshold = middle;
            }
        }
    if (best == HSEL_NONE)
        return;
    double below = 0, numbers = 0, n = count, answers[MOST];
    memcpy(answers, answer, sizeof answers);
    for (uint32_t j = 0; j < branches_of(data, best); j++) {
        uint32_t its[MOST], size = part_of(data, row, count, best, threshold, j, part);
        uint32_t there = part_of(data, test, tests, best, threshold, j, its);
        double e, l;
        grow(s, part, size, its, there, mean, answers, &e, &l);
        below += e;
        numbers += l;
    }
    numbers = 2 * numbers - 1;
    double as_leaf = n > 1 ? sqrt(own / n) * (n + 1) / (n - 1) : INFINITY,
           as_tree = n > numbers ? sqrt(below / n) * (n + numbers) / (n - numbers) : INFINITY;
    if (s->prunes && as_leaf <= as_tree)
        return;
    memcpy(answer, answers, sizeof answers);
    *error_ = below;
    *leaves = (numbers + 1) / 2;
}

static const hs_classifier *tree_method(void)
{
    return hs_method_find(HS_CLASSIFIER, "tree", 4)->classifier;
}

static void *fit(const char *text, const struct world *w)
{
    hs_chosen chosen = {0};
    hsel_error error = {0};
    void *model = NULL;
    assert_ok(hs_chosen_parse(HS_CLASSIFIER, text, &chosen, &error), error);
    assert_ok(tree_method()->fit(&w->training, chosen.options, &model, &error), error);
    hs_chosen_clear(&chosen);
    return model;
}

static double answer_of(void *model, const hsel_dataset *data, uint32_t row)
{
    double score = NAN, unused[2];
    void *scratch = NULL;
    hsel_error error = {0};
    hs_batch one = {.data = data, .instances = &row, .count = 1};
    assert_ok(tree_method()->scratch_new(model, &scratch, &error), error);
    assert_ok(tree_method()->predict(model, &one, scratch, unused, &score, &error), error);
    tree_method()->scratch_free(scratch);
    return score;
}

static void test_definition(void **state)
{
    hs_stream stream;
    uint32_t divided = 0;
    hs_stream_init(&stream, 1, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 1500; round++) {
        struct world w;
        uint32_t row[MOST], all[MOST], count = 0;
        double answer[MOST], unused[2], mean = 0, sd = 0;
        char text[64];
        world_new(&w, &stream, 0);
        struct slow s = {
            .data = w.data, .min = 1 + (double)hs_random_below(&stream, 4), .prunes = round % 2};
        snprintf(text, sizeof text, "tree:min=%g,pruning=%s", s.min, s.prunes ? "true" : "false");
        for (uint32_t i = 0; i < w.data->instances; i++) {
            all[i] = i;
            if (hs_has_label(w.data, i))
                row[count++] = i;
        }
        for (uint32_t i = 0; i < count; i++)
            mean += w.data->target[row[i]] / count;
        for (uint32_t i = 0; i < count; i++)
            sd += pow(w.data->target[row[i]] - mean, 2) / count;
        sd = sd > 0 ? sqrt(sd) : 1;
        for (uint32_t i = 0; i < count; i++)
            s.y[row[i]] = (w.data->target[row[i]] - mean) / sd;
        if (count > 1) {
            grow(&s, row, count, all, w.data->instances, 0, answer, &unused[0], &unused[1]);
            void *model = fit(text, &w);
            for (uint32_t i = 0; i < w.data->instances; i++) {
                double found = answer_of(model, w.data, i), expected = mean + sd * answer[i];
                if (!(fabs(found - expected) < 1e-6))
                    fail_msg("round %d, %s, row %u: %.12g, expected %.12g", round, text, i, found,
                             expected);
                divided += fabs(expected - mean) > 1e-6;
            }
            tree_method()->free(model);
        }
        world_free(&w);
    }
    assert_true(divided > 10000);
}

/* With missing values: contributions add up to the answer, and files give the same. */
static void test_paths_and_files(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 2, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 200; round++) {
        struct world w;
        hsel_error error = {0};
        hs_buf bytes = {0};
        hs_writer *writer = NULL;
        void *read = NULL;
        world_new(&w, &stream, 0.2);
        void *model = fit("tree:min=1", &w);
        assert_ok(hs_writer_open_memory(&bytes, &writer, &error), error);
        assert_ok(hs_classifier_write(tree_method(), model, writer, &error), error);
        assert_ok(hs_writer_commit(writer, &error), error);
        assert_ok(
            hs_classifier_read(tree_method(), bytes.text, bytes.length, w.data, &read, &error),
            error);
        for (uint32_t i = 0; i < w.data->instances; i++) {
            double prior, says[8], found = answer_of(model, w.data, i);
            assert_ok(hs_contributions_one(tree_method(), model, w.data, i, NULL, NULL, 0, &prior,
                                           says, &error),
                      error);
            for (uint32_t f = 0; f < w.data->features; f++)
                prior += says[f];
            assert_true(fabs(prior - found) < 1e-9 * (1 + fabs(found)));
            assert_true(answer_of(read, w.data, i) == found);
        }
        hs_buf_clear(&bytes);
        tree_method()->free(read);
        tree_method()->free(model);
        world_free(&w);
    }
}

static void test_options_and_memory(void **state)
{
    static const char *const of_classes[] = {"confidence=0.1", "raising=false", "collapse=false",
                                             "mdl=false"};
    hs_stream stream;
    struct world w;
    hs_stream_init(&stream, 3, "test", 0, 0);
    (void)state;
    world_new(&w, &stream, 0.1);
    for (size_t i = 0; i < sizeof of_classes / sizeof *of_classes; i++) {
        hs_chosen chosen = {0};
        hsel_error error = {0};
        void *model = NULL;
        char text[64];
        snprintf(text, sizeof text, "tree:%s", of_classes[i]);
        assert_ok(hs_chosen_parse(HS_CLASSIFIER, text, &chosen, &error), error);
        assert_int_equal(tree_method()->fit(&w.training, chosen.options, &model, &error),
                         HSEL_EUSAGE);
        assert_non_null(strstr(error.message, " of tree is for classes"));
        hs_chosen_clear(&chosen);
    }
    assert_true(hs_oom_each("tree", hs_live_once, &(hs_life){&w.training, "tree:min=1"}) >= 20);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_definition),
                                       cmocka_unit_test(test_paths_and_files),
                                       cmocka_unit_test(test_options_and_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

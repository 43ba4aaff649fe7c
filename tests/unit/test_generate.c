/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The generators: published sizes, rules that must hold by construction (checked by brute force),
 * what the options promise, and that a seed fixes every value.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/random.h"
#include "generate/generate.h"
#include "support/cmocka.h"
#include "support/oom.h"

static int try_generate(const char *text, uint64_t seed, hsel_dataset **out, hsel_error *error)
{
    hs_chosen chosen = {0};
    *out = NULL;
    int status = hs_chosen_parse(HS_GENERATOR, text, &chosen, error);
    if (status == HSEL_OK)
        status = chosen.method->generator->generate(chosen.options, seed, out, error);
    hs_chosen_clear(&chosen);
    return status;
}

static hsel_dataset *generate(const char *text, uint64_t seed)
{
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    if (try_generate(text, seed, &data, &error) || hsel_dataset_check(data, &error) ||
        hsel_dag_check(data->dag, &error))
        fail_msg("%s: %s", text, error.message);
    return data;
}

static bool has(const hsel_dataset *data, uint32_t instance, uint32_t feature)
{
    size_t count;
    const uint32_t *row = hsel_dataset_row(data, instance, &count);
    for (size_t k = 0; k < count; k++)
        if (row[k] == feature)
            return true;
    return false;
}

/* Pairs (positive child, negative parent): by looking at every one. */
static size_t violations(const hsel_dataset *data)
{
    size_t found = 0;
    bool *positive = calloc(data->features, sizeof *positive);
    for (uint32_t i = 0; i < data->instances; i++) {
        size_t count, parents;
        const uint32_t *row = hsel_dataset_row(data, i, &count);
        memset(positive, 0, data->features);
        for (size_t k = 0; k < count; k++)
            positive[row[k]] = true;
        for (uint32_t f = 0; f < data->features; f++) {
            const uint32_t *parent = hsel_dag_parents(data->dag, f, &parents);
            for (size_t k = 0; k < parents; k++)
                found += positive[f] && !positive[parent[k]];
        }
    }
    free(positive);
    return found;
}

static uint32_t roots_of(const hsel_dataset *data)
{
    uint32_t roots = 0;
    for (uint32_t f = 0; f < data->features; f++)
        roots += hs_is_root(data->dag, f);
    return roots;
}

static uint32_t depth_of(const hsel_dataset *data)
{
    uint32_t deepest = 0;
    for (uint32_t f = 0; f < data->features; f++)
        if (hsel_dag_depth(data->dag, f) > deepest)
            deepest = hsel_dag_depth(data->dag, f);
    return deepest;
}

static uint32_t class_size(const hsel_dataset *data, uint32_t label)
{
    uint32_t size = 0;
    for (uint32_t i = 0; i < data->instances; i++)
        size += hsel_dataset_class_of(data, i) == label;
    return size;
}

/* Everything in a data set as text. */
static char *dump(const hsel_dataset *data)
{
    hs_buf buf = {0};
    hs_buf_printf(&buf, "%s %u %u\n", data->name, data->instances, data->features);
    for (uint32_t f = 0; f < data->features; f++) {
        size_t count;
        const uint32_t *parents = hsel_dag_parents(data->dag, f, &count);
        hs_buf_text(&buf, hsel_dataset_feature_name(data, f));
        for (size_t k = 0; k < count; k++)
            hs_buf_printf(&buf, " %u", parents[k]);
        hs_buf_char(&buf, '\n');
    }
    for (uint32_t i = 0; i < data->instances; i++) {
        size_t count;
        const uint32_t *row = hsel_dataset_row(data, i, &count);
        hs_buf_text(&buf, hsel_dataset_class_name(data, hsel_dataset_class_of(data, i)));
        for (size_t k = 0; k < count; k++)
            hs_buf_printf(&buf, " %u", row[k]);
        hs_buf_char(&buf, '\n');
    }
    assert_false(buf.failed);
    return buf.text;
}

/* Accuracy of the best rule "feature positive -> one class, negative -> the other", two classes. */
static double best_feature(const hsel_dataset *data)
{
    uint32_t ones = class_size(data, 1), best = 0;
    for (uint32_t f = 0; f < data->features; f++) {
        size_t count;
        uint32_t both = 0;
        const uint32_t *column = hsel_dataset_column(data, f, &count);
        for (size_t k = 0; k < count; k++)
            both += hsel_dataset_class_of(data, column[k]) == 1;
        uint32_t right = both + (data->instances - ones - ((uint32_t)count - both));
        if (data->instances - right > right)
            right = data->instances - right;
        best = right > best ? right : best;
    }
    return (double)best / data->instances;
}

static double mean_positives(const hsel_dataset *data)
{
    return (double)data->rows.start[data->instances] / data->instances;
}

/* ---- shsel-synthetic ---------------------------------------------------------------------- */

static const struct published {
    const char *name, *text;
    uint32_t depth, branching, features;
} published[] = {{"S-D2-B2", "shsel-synthetic", 2, 2, 1201},
                 {"S-D2-B5", "shsel-synthetic:branching=5", 2, 5, 1021},
                 {"S-D2-B10", "shsel-synthetic:branching=10", 2, 10, 961},
                 {"S-D4-B2", "shsel-synthetic:depth=4", 4, 2, 2101},
                 {"S-D4-B5", "shsel-synthetic:depth=4,branching=5", 4, 5, 1741},
                 {"S-D4-B10", "shsel-synthetic:depth=4,branching=10", 4, 10, 1621}};

static void test_published_sizes(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof published / sizeof published[0]; s++) {
        hsel_dataset *data = generate(published[s].text, 1);
        uint32_t leaves = 0;
        for (uint32_t f = 0; f < data->features; f++)
            leaves += hs_is_leaf(data->dag, f);
        assert_string_equal(hsel_dataset_name(data), published[s].name);
        assert_int_equal(data->instances, 1000);
        assert_int_equal(data->features, published[s].features);
        assert_int_equal(hsel_dag_edges(data->dag), published[s].features - 1); /* a tree */
        assert_int_equal(roots_of(data), 1);
        assert_int_equal(leaves, 300);
        assert_int_equal(depth_of(data), 2 * published[s].depth + 1);
        assert_int_equal(class_size(data, 0), 500);
        assert_int_equal(class_size(data, 1), 500);
        assert_int_equal(violations(data), 0);
        hsel_dataset_free(data);
    }
}

static void test_branching(void **state)
{
    (void)state;
    hsel_dataset *data = generate("shsel-synthetic:middle=23,branching=5,depth=3,instances=9", 2);
    size_t count;
    assert_int_equal(data->features, 1 + 3 * 5 + 4 * 23);
    assert_int_equal(class_size(data, 0), 4); /* odd: the positive class has one more */
    for (int group = 1; group <= 5; group++) {
        char name[32];
        snprintf(name, sizeof name, "up1_%d", group);
        uint32_t f = hsel_dataset_find_feature(data, name);
        assert_int_not_equal(f, HSEL_NONE);
        hsel_dag_children(data->dag, f, &count);
        assert_int_equal(count, group < 5 ? 5 : 3);
        assert_string_equal(
            hsel_dataset_feature_name(data, hsel_dag_parents(data->dag, f, &count)[0]),
            (snprintf(name, sizeof name, "up2_%d", group), name));
    }
    uint32_t middle = hsel_dataset_find_feature(data, "middle_12");
    assert_string_equal(
        hsel_dataset_feature_name(data, hsel_dag_parents(data->dag, middle, &count)[0]), "up1_3");
    assert_string_equal(
        hsel_dataset_feature_name(data, hsel_dag_children(data->dag, middle, &count)[0]),
        "down1_12");
    hsel_dataset_free(data);
}

/* Root, upper and middle-most nodes are positive exactly when a child is, down to the middle layer.
 */
static void test_upper_nodes_are_or(void **state)
{
    (void)state;
    hsel_dataset *data = generate(
        "shsel-synthetic:instances=80,middle=30,branching=4,depth=2,density=0.1,keep=0.5", 3);
    uint32_t below_middle = hsel_dataset_find_feature(data, "middle_01"), checked = 0;
    for (uint32_t f = 0; f < below_middle; f++) {
        size_t children;
        const uint32_t *child = hsel_dag_children(data->dag, f, &children);
        for (uint32_t i = 0; i < data->instances; i++) {
            bool any = false;
            for (size_t k = 0; k < children; k++)
                any = any || has(data, i, child[k]);
            assert_int_equal(has(data, i, f), any);
            checked += any;
        }
    }
    assert_true(checked > 100);
    assert_int_equal(violations(data), 0);
    hsel_dataset_free(data);
}

static void test_density_and_keep(void **state)
{
    (void)state;
    hsel_dataset *data =
        generate("shsel-synthetic:instances=400,middle=100,density=0.2,keep=0.5,depth=2", 4);
    size_t layers[3] = {0}, count;
    for (uint32_t f = 0; f < data->features; f++) {
        const char *name = hsel_dataset_feature_name(data, f);
        hsel_dataset_column(data, f, &count);
        if (strncmp(name, "middle", 6) == 0)
            layers[0] += count;
        if (strncmp(name, "down", 4) == 0)
            layers[name[4] - '0'] += count;
    }
    /* 40,000 draws: 4 deviations are 320, 250 and 160 */
    assert_in_range(layers[0], 8000 - 320, 8000 + 320);
    assert_in_range(layers[1], 4000 - 250, 4000 + 250);
    assert_in_range(layers[2], 2000 - 160, 2000 + 160);
    hsel_dataset_free(data);
}

static void test_class_follows_polynomial(void **state)
{
    (void)state;
    /* One relevant feature of degree 1 with 500 of 1000 positive or so: it decides nearly all
     * classes. */
    const char *clear = "shsel-synthetic:middle=40,relevant=0,degree=1,density=0.5";
    const char *noisy = "shsel-synthetic:middle=40,relevant=0,degree=1,density=0.5,noise=100";
    hsel_dataset *a = generate(clear, 5), *b = generate(noisy, 5);
    assert_true(best_feature(a) > 0.93);
    assert_true(best_feature(b) < 0.6);
    assert_int_equal(class_size(b, 1), 500);
    hsel_dataset_free(a);
    hsel_dataset_free(b);
    /* Equal values of the polynomial throughout: the lower half by number is negative. */
    hsel_dataset *tied = generate("shsel-synthetic:instances=10,middle=4,density=0", 5);
    for (uint32_t i = 0; i < 10; i++)
        assert_int_equal(hsel_dataset_class_of(tied, i), i >= 5);
    hsel_dataset_free(tied);
}

/* ---- ontology ----------------------------------------------------------------------------- */

static void test_worm_shape(void **state)
{
    (void)state;
    hsel_dataset *data = generate("ontology:instances=657,features=991,edges-per-node=1.7242,"
                                  "positives=44.8,depth=13,largest-class=0.656",
                                  1);
    assert_int_equal(data->instances, 657);
    assert_int_equal(data->features, 991);
    assert_int_equal(hsel_dag_edges(data->dag), 1707);
    assert_int_equal(roots_of(data), 1);
    assert_int_equal(depth_of(data), 13);
    assert_int_equal(class_size(data, 0), 431);
    assert_int_equal(violations(data), 0);
    /* uniform on 22.4 … 67.2: the mean of 657 has a deviation of 0.5 */
    assert_true(mean_positives(data) > 42.8 && mean_positives(data) < 46.8);
    assert_string_equal(hsel_dataset_feature_name(data, 0), "T0000001");
    assert_string_equal(hsel_dataset_feature_name(data, 990), "T0000991");
    hsel_dataset_free(data);
}

static void test_positives_and_parents(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t edges;
        double positives, tolerance;
    } cases[] = {
        {"ontology:instances=2000,features=500,positives=10,edges-per-node=1", 499, 10, 0.3},
        {"ontology:instances=2000,features=500,positives=10,edges-per-node=8", 3992, 10, 0.3},
        {"ontology:instances=500,features=200,positives=190,edges-per-node=3", 597, 190, 1.0},
        {"ontology:instances=500,features=300,roots=30,positives=2.5", 459, 2.5, 0.15},
        {"ontology:instances=3000,features=300,positives=0.5", 508, 0.5, 0.05},
        {"ontology:instances=300,features=50,positives=50", 83, 50, 0.0},
        {"ontology:instances=300,features=50,positives=1000", 83, 50, 0.0},
        {"ontology:instances=100,features=50,positives=0", 83, 0, 0.0}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        hsel_dataset *data = generate(cases[c].text, 11);
        double off = mean_positives(data) - cases[c].positives;
        assert_int_equal(hsel_dag_edges(data->dag), cases[c].edges);
        if (off > cases[c].tolerance || off < -cases[c].tolerance)
            fail_msg("%s: mean %g", cases[c].text, mean_positives(data));
        assert_int_equal(violations(data), 0);
        hsel_dataset_free(data);
    }
}

static void test_classes(void **state)
{
    (void)state;
    hsel_dataset *data = generate("ontology:instances=103,features=60,classes=5,positives=9", 1);
    assert_int_equal(hsel_dataset_classes(data), 5);
    for (uint32_t k = 0; k < 5; k++)
        assert_int_equal(class_size(data, k), k < 3 ? 21 : 20);
    hsel_dataset_free(data);
    data =
        generate("ontology:instances=100,features=60,classes=4,largest-class=0.7,positives=9", 1);
    assert_int_equal(class_size(data, 0), 70);
    for (uint32_t k = 1; k < 4; k++)
        assert_int_equal(class_size(data, k), 10);
    hsel_dataset_free(data);
    data = generate("ontology:instances=20,features=10,classes=3,largest-class=1,positives=2", 1);
    assert_int_equal(class_size(data, 0), 20);
    assert_int_equal(hsel_dataset_classes(data), 3);
    hsel_dataset_free(data);
}

static void test_signal_rises(void **state)
{
    (void)state;
    double sum[3] = {0};
    for (uint64_t seed = 1; seed <= 5; seed++) {
        hsel_dataset *none = generate("ontology:features=200,positives=20,signal=0", seed);
        hsel_dataset *half = generate("ontology:features=200,positives=20,signal=0.5", seed);
        hsel_dataset *full = generate("ontology:features=200,positives=20,signal=1", seed);
        sum[0] += best_feature(none) / 5;
        sum[1] += best_feature(half) / 5;
        sum[2] += best_feature(full) / 5;
        hsel_dataset_free(none);
        hsel_dataset_free(half);
        hsel_dataset_free(full);
    }
    /* Without signal the best of 200 features is right by chance in 0.5 + 3 * 0.016 at most or so.
     */
    assert_true(sum[0] > 0.5 && sum[0] < 0.56);
    assert_true(sum[1] > sum[0] + 0.03);
    assert_true(sum[2] > sum[1] + 0.03);
}

static void test_features_are_not_in_topological_order(void **state)
{
    (void)state;
    hsel_dataset *data = generate("ontology:instances=1,features=300,positives=5", 1);
    uint32_t later = 0;
    for (uint32_t f = 0; f < data->features; f++) {
        size_t count;
        const uint32_t *parents = hsel_dag_parents(data->dag, f, &count);
        for (size_t k = 0; k < count; k++)
            later += parents[k] > f;
    }
    assert_true(later > 100);
    hsel_dataset_free(data);
}

/* Possible edges between levels, counted the slow way. */
static uint64_t possible_edges(const hsel_dataset *data)
{
    uint64_t pairs = 0;
    for (uint32_t a = 0; a < data->features; a++)
        for (uint32_t b = 0; b < data->features; b++)
            pairs += hsel_dag_depth(data->dag, a) < hsel_dag_depth(data->dag, b);
    return pairs;
}

static void test_random_settings(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 99, "settings", 0, 0);
    for (int round = 0; round < 2000; round++) {
        char text[256];
        uint32_t features = 1 + (uint32_t)hs_random_below(&stream, 40);
        uint32_t roots = 1 + (uint32_t)hs_random_below(&stream, features < 5 ? features : 5);
        uint32_t depth = 1 + (uint32_t)hs_random_below(&stream, 8);
        uint32_t instances = 1 + (uint32_t)hs_random_below(&stream, 12);
        uint32_t classes = 1 + (uint32_t)hs_random_below(&stream, 5);
        double parents = 1 + (double)hs_random_below(&stream, 40) / 4;
        double positives = (double)hs_random_below(&stream, 8 * features) / 4;
        double signal = hs_random_double(&stream);
        snprintf(text, sizeof text,
                 "ontology:features=%u,roots=%u,depth=%u,instances=%u,classes=%u,edges-per-node=%g,"
                 "positives=%g,signal=%g",
                 features, roots, depth, instances, classes, parents, positives, signal);
        hsel_dataset *data = generate(text, (uint64_t)round);
        uint64_t wanted = (uint64_t)(parents * (features - roots) + 0.5),
                 room = possible_edges(data);
        uint32_t deepest = depth < features - roots ? depth : features - roots;
        if (violations(data) || roots_of(data) != roots || depth_of(data) != deepest ||
            hsel_dag_edges(data->dag) != (wanted < room ? wanted : room))
            fail_msg("%s: %u roots, depth %u, %llu edges", text, roots_of(data), depth_of(data),
                     (unsigned long long)hsel_dag_edges(data->dag));
        hsel_dataset_free(data);
    }
}

/* ---- both --------------------------------------------------------------------------------- */

static void test_seed_fixes_everything(void **state)
{
    (void)state;
    static const char *const texts[] = {"shsel-synthetic:instances=60,middle=30,noise=0.5",
                                        "ontology:instances=60,features=80,positives=9"};
    for (int t = 0; t < 2; t++) {
        hsel_dataset *a = generate(texts[t], 7), *b = generate(texts[t], 7),
                     *c = generate(texts[t], 8);
        char *first = dump(a), *again = dump(b), *other = dump(c);
        assert_string_equal(first, again);
        assert_string_not_equal(first, other);
        assert_memory_not_equal(a->class_of, c->class_of, 60 * sizeof *a->class_of);
        hs_free(first);
        hs_free(again);
        hs_free(other);
        hsel_dataset_free(a);
        hsel_dataset_free(b);
        hsel_dataset_free(c);
    }
}

/* More instances leave those that were there as they are: each has a stream of its own. */
static void test_instances_do_not_depend_on_others(void **state)
{
    (void)state;
    hsel_dataset *few = generate("ontology:instances=10,features=80,positives=9,signal=0", 7);
    hsel_dataset *many = generate("ontology:instances=30,features=80,positives=9,signal=0", 7);
    for (uint32_t i = 0; i < 10; i++) {
        size_t a, b;
        const uint32_t *x = hsel_dataset_row(few, i, &a), *y = hsel_dataset_row(many, i, &b);
        assert_int_equal(a, b);
        assert_memory_equal(x, y, a * sizeof *x);
    }
    hsel_dataset_free(few);
    hsel_dataset_free(many);
}

static void test_tiny(void **state)
{
    (void)state;
    static const char *const texts[] = {"ontology:instances=1,features=1",
                                        "ontology:instances=1,features=2",
                                        "ontology:instances=3,features=3,classes=9",
                                        "ontology:instances=2,features=4,roots=4",
                                        "shsel-synthetic:instances=1,middle=1,depth=1",
                                        "shsel-synthetic:instances=2,middle=3,depth=1"};
    static const uint32_t features[] = {1, 2, 3, 4, 4, 10 - 1};
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
        hsel_dataset *data = generate(texts[t], 1);
        assert_int_equal(data->features, features[t]);
        assert_int_equal(violations(data), 0);
        hsel_dataset_free(data);
    }
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"ontology:roots=9,features=5", "ontology: roots=9 is more than features=5"},
        {"ontology:classes=4,largest-class=0.2",
         "largest-class=0.2 is less than an equal share of 4 classes"},
        {"ontology:prefix=a b", "prefix takes at most 64 letters, digits and _ : . -, not 'a b'"},
        {"ontology:features=0", "option features takes"},
        {"ontology:instances=-1", "option instances takes"},
        {"ontology:signal=1.5", "option signal takes"},
        {"ontology:edges-per-node=0.5", "option edges-per-node takes"},
        {"ontology:classes=0", "option classes takes"},
        {"ontology:positives=nan", "option positives takes"},
        {"ontology:features=268435456,edges-per-node=100",
         "edges-per-node=100 with features=268435456 makes more than 2147483647 edges"},
        {"ontology:feature=5", "ontology has no option 'feature'; did you mean 'features'?"},
        {"shsel-synthetic:branching=1", "option branching takes"},
        {"shsel-synthetic:depth=0", "option depth takes"},
        {"shsel-synthetic:middle=0", "option middle takes"},
        {"shsel-synthetic:density=2", "option density takes"},
        {"shsel-synthetic:middle=200000000,depth=9",
         "shsel-synthetic: middle=200000000 with depth=9 makes 2900000001 features; at most "
         "268435456"}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        hsel_error error = {0};
        hsel_dataset *data = NULL;
        int status = try_generate(cases[c].text, 1, &data, &error);
        assert_true(status == HSEL_EUSAGE || status == HSEL_ELIMIT);
        assert_null(data);
        if (!strstr(error.message, cases[c].message))
            fail_msg("%s: '%s' lacks '%s'", cases[c].text, error.message, cases[c].message);
    }
}

static int generate_and_free(void *text, hsel_error *error)
{
    hsel_dataset *data = NULL;
    int status = try_generate(text, 1, &data, error);
    assert_true((status == HSEL_OK) == (data != NULL));
    hsel_dataset_free(data);
    return status;
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    char synthetic[] = "shsel-synthetic:instances=4,middle=5,noise=1";
    char ontology[] = "ontology:instances=4,features=12,positives=4";
    assert_true(hs_oom_each("shsel-synthetic", generate_and_free, synthetic) > 20);
    assert_true(hs_oom_each("ontology", generate_and_free, ontology) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_sizes),
        cmocka_unit_test(test_branching),
        cmocka_unit_test(test_upper_nodes_are_or),
        cmocka_unit_test(test_density_and_keep),
        cmocka_unit_test(test_class_follows_polynomial),
        cmocka_unit_test(test_worm_shape),
        cmocka_unit_test(test_positives_and_parents),
        cmocka_unit_test(test_classes),
        cmocka_unit_test(test_signal_rises),
        cmocka_unit_test(test_features_are_not_in_topological_order),
        cmocka_unit_test(test_random_settings),
        cmocka_unit_test(test_seed_fixes_everything),
        cmocka_unit_test(test_instances_do_not_depend_on_others),
        cmocka_unit_test(test_tiny),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

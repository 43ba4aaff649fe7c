/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * load/choose.c: branches against paths followed one by one, shares of each class, lists; and
 * every allocation failing.
 */
#include "load/choose.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/transform.h"
#include "support/cmocka.h"
#include "support/folder.h"
#include "support/oom.h"
#include "support/random_data.h"

#define FEATURES 40

static bool is_below(const hsel_dag *dag, uint32_t feature, uint32_t top)
{
    size_t count;
    const uint32_t *parents = hs_parents(dag, feature, &count);
    bool below = feature == top;
    for (size_t i = 0; i < count && !below; i++)
        below = is_below(dag, parents[i], top);
    return below;
}

static void branches(void **state)
{
    (void)state;
    hsel_error error = {0};
    for (uint64_t round = 0; round < 200; round++) {
        hs_stream stream;
        hs_stream_init(&stream, round, "branches", 0, 0);
        hs_random_shape shape = {
            .instances = 3, .features = FEATURES, .classes = 2, .density = 0.2, .parents = 1.2};
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        uint32_t in = (uint32_t)hs_random_below(&stream, FEATURES),
                 out = (uint32_t)hs_random_below(&stream, FEATURES), expected = 0;
        const char *names[2];
        bool keep[FEATURES], found[FEATURES] = {0};
        names[0] = hsel_dataset_feature_name(data, in);
        names[1] = hsel_dataset_feature_name(data, out);
        hs_choose_options options = {.branch = {&names[0], round % 3 ? 1 : 0, 1},
                                     .exclude_branch = {&names[1], round % 3 < 2, 1}};
        for (uint32_t f = 0; f < FEATURES; f++) {
            keep[f] = (round % 3 == 0 || is_below(data->dag, f, in)) &&
                      (round % 3 == 2 || !is_below(data->dag, f, out));
            expected += keep[f];
        }
        int status = hs_choose_features(&options, NULL, data, found, &error);
        assert_int_equal(status, expected ? HSEL_OK : HSEL_EUSAGE);
        for (uint32_t f = 0; expected && f < FEATURES; f++)
            assert_int_equal(found[f], keep[f]);
        hsel_dataset_free(data);
    }
}

static void shares(void **state)
{
    (void)state;
    hsel_error error = {0};
    enum { COUNT = 100, CLASSES = 3 };
    uint32_t class_of[COUNT], sizes[CLASSES + 1] = {0};
    hs_names ids = {0};
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t c = i % 10 == 0 ? 2 : i % 7 == 0 ? 1 : i % 13 == 0 ? CLASSES : 0;
        class_of[i] = c == CLASSES ? HSEL_NONE : c;
        sizes[c]++;
    }
    bool first[COUNT] = {0};
    for (uint64_t round = 0; round < 40; round++) {
        static const double percents[] = {1, 12.5, 50, 100};
        bool keep[COUNT];
        uint32_t taken[CLASSES + 1] = {0};
        char text[32];
        hs_chosen_instances chosen = {0};
        double percent = percents[round % 4];
        snprintf(text, sizeof text, "%g%%", percent);
        hs_choose_options options = {.instances = text, .instances_seed = round / 4};
        assert_ok(hs_choose_check(&options, &error), error);
        assert_ok(
            hs_choose_instances(&options, &ids, COUNT, class_of, CLASSES, keep, &chosen, &error),
            error);
        for (uint32_t i = 0; i < COUNT; i++)
            taken[class_of[i] == HSEL_NONE ? CLASSES : class_of[i]] += keep[i];
        for (uint32_t c = 0; c <= CLASSES; c++)
            assert_int_equal(taken[c], fmax(1, floor(sizes[c] * percent / 100 + 0.5)));
        assert_int_equal(chosen.left_out, COUNT - taken[0] - taken[1] - taken[2] - taken[CLASSES]);
        if (percent == 50 && round > 4) /* another seed takes others */
            assert_memory_not_equal(keep, first, sizeof keep);
        if (round == 2)
            memcpy(first, keep, sizeof keep);
    }
}

/* The data, and a file of some of their identifiers. */
struct world {
    hsel_dataset *data;
    const char *file;
};

static int choose_listed(void *context, hsel_error *error)
{
    const struct world *w = context;
    HS_OWNS(hs_chosen_instances_clear) hs_chosen_instances chosen = {0};
    HS_OWNS(hs_names_clear) hs_names ids = {0}; /* without an index */
    bool keep[FEATURES];
    hs_choose_options options = {.instances = w->file};
    HS_TRY(hs_names_copy(&w->data->ids, &ids, error));
    HS_TRY(hs_choose_instances(&options, &ids, w->data->instances, NULL, 0, keep, &chosen, error));
    assert_int_equal(chosen.unknown, 7);
    assert_int_equal(chosen.examples.count, 5);
    assert_int_equal(chosen.left_out, w->data->instances - 2);
    assert_true(keep[0] && keep[2] && !keep[1]);
    return HSEL_OK;
}

static int choose_share(void *context, hsel_error *error)
{
    const struct world *w = context;
    HS_OWNS(hs_chosen_instances_clear) hs_chosen_instances chosen = {0};
    bool keep[FEATURES];
    return hs_choose_instances(&(hs_choose_options){.instances = "30%"}, &w->data->ids,
                               w->data->instances, w->data->class_of, w->data->class_names.count,
                               keep, &chosen, error);
}

static int choose_branch(void *context, hsel_error *error)
{
    const struct world *w = context;
    const char *names[] = {"f1", "f2", "f3"};
    bool keep[FEATURES];
    hs_choose_options options = {.branch = {names, 2, 2}, .exclude_branch = {names + 2, 1, 1}};
    return hs_choose_features(&options, NULL, w->data, keep, error);
}

static int choose_nothing(void *context, hsel_error *error)
{
    const struct world *w = context;
    const char *name = "g1"; /* near f1 */
    bool keep[FEATURES];
    hs_choose_options options = {.branch = {&name, 1, 1}};
    return hs_choose_features(&options, NULL, w->data, keep, error);
}

static void out_of_memory(void **state)
{
    (void)state;
    hs_folder folder;
    hs_stream stream;
    hs_stream_init(&stream, 1, "choose memory", 0, 0);
    hs_random_shape shape = {
        .instances = 12, .features = 20, .classes = 2, .density = 0.2, .parents = 0.5, .ids = true};
    struct world w = {.data = hs_random_dataset(&stream, &shape)};
    hs_folder_new(&folder);
    w.file = hs_folder_file(&folder, "list.txt");
    FILE *file = fopen(w.file, "w");
    assert_non_null(file);
    fprintf(file, "%s\n\"%s\",x\n", hsel_dataset_id(w.data, 0), hsel_dataset_id(w.data, 2));
    for (int i = 0; i < 7; i++)
        fprintf(file, "unknown %d\n", i);
    fclose(file);
    assert_true(hs_oom_each("list", choose_listed, &w) > 5);
    assert_true(hs_oom_each("share", choose_share, &w) > 1);
    assert_true(hs_oom_each("branch", choose_branch, &w) > 10);
    assert_true(hs_oom_each("no such branch", choose_nothing, &w) > 10);
    hsel_dataset_free(w.data);
    hs_folder_free(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(branches), cmocka_unit_test(shares),
                                       cmocka_unit_test(out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

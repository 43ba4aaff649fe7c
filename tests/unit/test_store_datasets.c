/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data sets and studies in the store: by name and by content, with and without classes, and the
 * fingerprint that tells contents apart.
 */
#include <math.h>
#include <string.h>

#include "core/random.h"
#include "data/similarity.h"
#include "support/cmocka.h"
#include "support/random_data.h"
#include "support/oom.h"
#include "support/store_world.h"

static void test_datasets(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_stored_dataset found;
    hs_store *store = hs_unit_store(hs_stores.path, HS_STORE_WRITE);
    int64_t id = hs_stores_add(store, hs_stores.data), id2 = hs_stores_add(store, hs_stores.data2);
    assert_true(id != id2);
    assert_int_equal(hs_stores_add(store, hs_stores.data), id);
    assert_ok(hs_store_find_dataset(store, "genes", &found, &error), error);
    assert_int_equal(found.id, id);
    assert_string_equal(found.name, "genes");
    assert_int_equal(found.instances, 23);
    assert_int_equal(found.features, 17);
    assert_int_equal(found.classes, 3);
    assert_int_equal(found.positive_class, hs_stores.data->positive_class);
    assert_true(found.fingerprint == hs_dataset_fingerprint(hs_stores.data));
    uint32_t sizes[3] = {0};
    for (uint32_t i = 0; i < hs_stores.data->instances; i++)
        sizes[hs_stores.data->class_of[i]]++;
    assert_memory_equal(found.class_sizes, sizes, sizeof sizes);
    for (uint32_t f = 0; f < 17; f++)
        assert_string_equal(hs_names_get(&found.feature_names, f),
                            hsel_dataset_feature_name(hs_stores.data, f));
    for (uint32_t c = 0; c < 3; c++)
        assert_string_equal(hs_names_get(&found.class_names, c),
                            hsel_dataset_class_name(hs_stores.data, c));
    hs_stored_dataset_clear(&found);
    /* Another name for the same content, and another content for a name, back and forth. */
    hsel_dataset *alias = hs_unit_dataset(0, "more genes");
    assert_int_equal(hs_stores_add(store, alias), id);
    for (int turn = 0; turn < 2; turn++) {
        assert_ok(hs_store_find_dataset(store, "more genes", &found, &error), error);
        assert_int_equal(found.id, turn == 0 ? id : id2);
        hs_stored_dataset_clear(&found);
        assert_int_equal(hs_stores_add(store, hs_stores.data2), id2);
    }
    assert_ok(hs_store_find_dataset(store, "genes", &found, &error), error);
    assert_int_equal(found.id, id);
    hs_stored_dataset_clear(&found);
    assert_ok(hs_store_find_dataset(store, "worms", &found, &error), error);
    assert_int_equal(found.id, -1);
    hsel_dataset_free(alias);
    hs_store_close(store);
}

/* Hierarchies and numeric targets come back as they were, and damage to them is told. */
static void test_more(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "more", 0, 0);
    hs_store *store = hs_unit_store(hs_stores.path, HS_STORE_WRITE);
    for (int round = 0; round < 300; round++) {
        hsel_error error = {0};
        hs_stored_dataset found;
        hsel_dag *dag = NULL;
        uint32_t *support = NULL, expected[12];
        hs_random_shape shape = hs_random_small_shape(&stream);
        shape.parents = round % 3 ? 1.5 : 0;
        shape.numeric = round % 2 ? 0.3 : 0;
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        uint64_t before = hs_dataset_fingerprint(data);
        if (round % 4 > 1)
            hs_random_target(&stream, data);
        for (uint32_t i = 0; data->target && i < data->instances; i++)
            data->target[i] = isnan(data->target[i]) ? i : data->target[i];
        assert_true(!data->target || !data->instances || hs_dataset_fingerprint(data) != before);
        hs_stores_add(store, data);
        hs_supports(data, expected);
        assert_ok(hs_store_find_dataset(store, hsel_dataset_name(data), &found, &error), error);
        assert_ok(hs_store_hierarchy(store, &found, &dag, &support, &error), error);
        assert_int_equal(found.numbers != NULL, data->target != NULL);
        if (data->target)
            assert_memory_equal(found.numbers, data->target, data->instances * sizeof(double));
        assert_int_equal(dag != NULL, data->dag != NULL);
        if (dag) {
            assert_int_equal(dag->edges, data->dag->edges);
            assert_memory_equal(dag->parent_start, data->dag->parent_start,
                                ((size_t)dag->nodes + 1) * sizeof *dag->parent_start);
            assert_memory_equal(dag->parent, data->dag->parent, dag->edges * sizeof *dag->parent);
            assert_memory_equal(support, expected, data->features * sizeof *expected);
            hs_stored_dataset wrong = found;
            hsel_dag *none = NULL;
            uint32_t *nothing = NULL;
            wrong.edges++;
            assert_int_equal(hs_store_hierarchy(store, &wrong, &none, &nothing, &error),
                             HSEL_EFORMAT);
            assert_non_null(strstr(error.message, "a hierarchy cannot be unpacked"));
        }
        hs_dag_free(dag);
        hs_free(support);
        hs_stored_dataset_clear(&found);
        hsel_dataset_free(data);
    }
    hs_store_close(store);
}

static void same_about(hs_store *store, const hs_about *about, const char *provenance)
{
    hsel_error error = {0};
    hs_stored_dataset found;
    assert_ok(hs_store_find_dataset(store, "genes", &found, &error), error);
    assert_int_equal(found.about.columns.count, about->columns.count);
    assert_int_equal(found.about.cells.count, about->cells.count);
    for (uint32_t c = 0; c < about->columns.count; c++)
        assert_string_equal(hs_names_get(&found.about.columns, c),
                            hs_names_get(&about->columns, c));
    for (uint32_t i = 0; i < about->cells.count; i++)
        assert_string_equal(hs_names_get(&found.about.cells, i), hs_names_get(&about->cells, i));
    assert_string_equal(found.provenance ? found.provenance : "nothing",
                        provenance ? provenance : "nothing");
    hs_stored_dataset_clear(&found);
}

/* Labels of features, whatever stands in them: those seen last are there, and come along when
 * stores are merged. */
static void test_labels(void **state)
{
    (void)state;
    hs_stream stream;
    hs_about none = {0}, last = {0};
    hsel_dataset *data = hs_stores.data;
    char *provenance = NULL;
    hs_store *store = hs_unit_store(hs_stores.path, HS_STORE_WRITE);
    int64_t id = hs_stores_add(store, data);
    uint64_t taken;
    hs_stream_init(&stream, 4, "labels", 0, 0);
    same_about(store, &none, NULL);
    for (int round = 0; round < 30; round++) {
        hsel_error error = {0};
        hs_random_labels(&stream, data);
        assert_int_equal(hs_stores_add(store, data), id);
        if (data->about.columns.count || data->provenance) {
            hs_about_clear(&last);
            hs_free(provenance);
            assert_ok(hs_about_copy(&data->about, &last, &error), error);
            provenance = data->provenance ? hs_strdup(data->provenance) : NULL;
        }
        same_about(store, &last, provenance);
        hs_about_clear(&data->about);
        hs_about_clear(&data->instance_about);
        hs_free(data->provenance);
        data->about = data->instance_about = (hs_about){0};
        data->provenance = NULL;
    }
    hs_store_close(store);
    hsel_error error = {0};
    store = hs_unit_store(hs_stores.other_path, HS_STORE_WRITE);
    hs_stores_add(store, hs_stores.data2); /* so that ids differ */
    assert_ok(hs_store_merge(store, hs_stores.path, &taken, &error), error);
    same_about(store, &last, provenance);
    hs_store_close(store);
    hs_store_close(
        hs_unit_store(hs_stores.other_path, HS_STORE_READ)); /* all checksums are right */
    hs_about_clear(&last);
    hs_free(provenance);
}

/* Damaged labels are found, and removed by whoever writes; the results stay. */
static void test_damaged_labels(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "UPDATE about SET texts = substr(texts, 1, 10)", "UPDATE about SET columns = 2",
        "UPDATE about SET columns = -1", "UPDATE about SET columns = 4611686018427387904",
        "UPDATE about SET provenance = 'x'"};
    hsel_error error = {0};
    hs_stored_dataset found;
    hsel_dataset *data = hs_stores.data;
    assert_ok(hs_names_append(&data->about.columns, "label", 5, &error), error);
    for (uint32_t f = 0; f < data->features; f++)
        assert_ok(hs_names_append(&data->about.cells, "a", f % 2, &error), error);
    for (size_t i = 0; i < 2 * sizeof changes / sizeof changes[0]; i++) {
        bool sealed = i % 2;
        hs_store *store = hs_unit_store(hs_stores.path, HS_STORE_WRITE);
        int64_t id = hs_stores_add(store, data);
        hs_stores_put(store, id, 0, false);
        hs_store_close(store);
        if (sealed && i / 2 == 4)
            continue; /* that is nothing wrong */
        (sealed ? hs_stores_change : hs_stores_run_sql)(hs_stores.path, changes[i / 2]);
        if (sealed) { /* found when it is read */
            store = hs_unit_store(hs_stores.path, HS_STORE_READ);
            assert_int_equal(hs_store_find_dataset(store, "genes", &found, &error), HSEL_EFORMAT);
            hs_store_close(store);
            continue;
        }
        assert_int_equal(hs_store_open(hs_stores.path, HS_STORE_READ, false, &store, &error),
                         HSEL_EFORMAT);
        assert_non_null(strstr(error.message, "data set genes, labels: its checksum is"));
        store = hs_unit_store(hs_stores.path, HS_STORE_WRITE);
        assert_int_equal(hs_store_removed(store)->count, 1);
        hs_unit_assert(store, id, 0, false);
        same_about(store, &(hs_about){0}, NULL);
        hs_stores_add(store, data);
        same_about(store, &data->about, NULL);
        hs_store_close(store);
    }
}

/* How often each feature is positive in each class, one by one. */
static void same_support(hs_store *store)
{
    const hsel_dataset *data = hs_stores.data;
    uint32_t counts[17 * 3] = {0};
    hsel_error error = {0};
    hs_stored_dataset found;
    for (uint32_t i = 0; i < data->instances; i++) {
        size_t count;
        const uint32_t *row = hs_row(data, i, &count);
        for (size_t j = 0; j < count; j++)
            counts[row[j] * 3 + data->class_of[i]]++;
    }
    assert_ok(hs_store_find_dataset(store, "genes", &found, &error), error);
    assert_non_null(found.support);
    assert_memory_equal(found.support, counts, sizeof counts);
    hs_stored_dataset_clear(&found);
}

static void test_support(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_stored_dataset found;
    uint64_t taken;
    hs_store *store = hs_unit_store(hs_stores.path, HS_STORE_WRITE);
    int64_t id = hs_stores_add(store, hs_stores.data);
    hs_stores_put(store, id, 0, false);
    same_support(store);
    hs_store_close(store);
    store = hs_unit_store(hs_stores.other_path, HS_STORE_WRITE);
    assert_ok(hs_store_merge(store, hs_stores.path, &taken, &error), error);
    same_support(store);
    hs_store_close(store);
    /* Damage is found, and made good by whoever writes. */
    hs_stores_run_sql(hs_stores.path, "UPDATE dataset SET support = substr(support, 1, 3)");
    assert_int_equal(hs_store_open(hs_stores.path, HS_STORE_READ, false, &store, &error),
                     HSEL_EFORMAT);
    assert_non_null(strstr(error.message, "data set genes: its checksum"));
    store = hs_unit_store(hs_stores.path, HS_STORE_WRITE);
    assert_int_equal(hs_store_removed(store)->count, 1);
    assert_int_equal(hs_store_find_dataset(store, "genes", &found, &error), HSEL_EFORMAT);
    assert_int_equal(hs_stores_add(store, hs_stores.data), id);
    same_support(store);
    hs_store_close(store);
    hs_stores_change(hs_stores.path, "UPDATE dataset SET support = substr(support, 1, 3)");
    store = hs_unit_store(hs_stores.path, HS_STORE_CHECK);
    assert_int_equal(hs_store_find_dataset(store, "genes", &found, &error), HSEL_EFORMAT);
    assert_non_null(strstr(error.message, "the counts of features cannot be unpacked"));
    hs_store_close(store);
}

static int add_and_find(void *context, hsel_error *error)
{
    hs_stored_dataset found = {.id = -1};
    hsel_dag *dag = NULL;
    uint32_t *support = NULL;
    int64_t id;
    int status = hs_store_dataset(context, hs_stores.data, &id, error);
    if (!status)
        status = hs_store_find_dataset(context, "genes", &found, error);
    if (!status)
        status = hs_store_hierarchy(context, &found, &dag, &support, error);
    hs_dag_free(dag);
    hs_free(support);
    hs_stored_dataset_clear(&found);
    return status;
}

static void test_labels_memory(void **state)
{
    (void)state;
    hsel_error error = {0};
    hsel_dataset *data = hs_stores.data;
    assert_ok(hs_names_append(&data->about.columns, "label", 5, &error), error);
    for (uint32_t f = 0; f < data->features; f++)
        assert_ok(hs_names_append(&data->about.cells, "ab", f % 3, &error), error);
    assert_non_null(data->provenance = hs_strdup("{}"));
    hs_store *store = hs_unit_store(hs_stores.path, HS_STORE_WRITE);
    hs_stores_add(store, data);
    assert_true(hs_oom_each("labels", add_and_find, store) > 8);
    hs_store_close(store);
}

static void test_without_classes(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_stored got = {0};
    hs_stored_dataset found;
    hs_stream stream;
    hs_stream_init(&stream, 1, "plain", 0, 0);
    hsel_dataset *plain = hs_random_dataset(
        &stream, &(hs_random_shape){.instances = 4, .features = 2, .density = 0.5});
    hs_store *store = hs_unit_store(hs_stores.path, HS_STORE_WRITE);
    int64_t id = hs_stores_add(store, plain);
    assert_ok(hs_store_find_dataset(store, hsel_dataset_name(plain), &found, &error), error);
    assert_int_equal(found.instances, 4);
    assert_int_equal(found.classes, 0);
    hs_stored_dataset_clear(&found);
    hs_result_key key = {.dataset = id, .selector = "none", .scheme = "own", .folds = 2};
    assert_ok(
        hs_store_put(store, &key,
                     &(hs_unit_result){.jobs = &(hs_job_result){.method = hs_unit_classifiers[0],
                                                                .message = "there are no classes"},
                                       .job_count = 1},
                     &error),
        error);
    assert_ok(hs_store_get(store, &(hs_result_key){id, "none", "nb", "own", 2, 0}, &got, &error),
              error);
    assert_int_equal(got.failed, 1);
    assert_int_equal(got.folds_there, 0);
    assert_int_equal(got.repeat.predictions.truth[3], HSEL_NONE);
    assert_string_equal(got.message, "there are no classes");
    hs_stored_clear(&got);
    hs_store_close(store);
    hsel_dataset_free(plain);
}

static void test_studies(void **state)
{
    (void)state;
    hsel_error error = {0};
    char one[] = "name: a", two[] = "name: a # more", three[] = "name: b", *text = NULL;
    hs_store *store = hs_unit_store(hs_stores.path, HS_STORE_WRITE);
    assert_int_equal(hs_store_study_text(store, NULL, &text, NULL, NULL, &error), HSEL_EFORMAT);
    assert_non_null(strstr(error.message, "the store has no study yet"));
    hs_stores_put_study(store, "a", one);
    hs_stores_put_study(store, "b", three);
    hs_stores_assert_study(store, NULL, three);
    hs_stores_put_study(store, "a", two);
    hs_stores_assert_study(store, "a", two);
    hs_stores_put_study(store, "a", one); /* ran again: the newest */
    hs_stores_assert_study(store, "a", one);
    hs_stores_assert_study(store, NULL, one);
    hs_stores_assert_study(store, "b", three);
    assert_int_equal(hs_store_study_text(store, "c", &text, NULL, NULL, &error), HSEL_EUSAGE);
    assert_non_null(strstr(error.message, "the store has no study 'c'"));
    hs_store_close(store);
}

/* ---- fingerprints ---- */

static void test_fingerprint(void **state)
{
    (void)state;
    hsel_dataset *same = hs_unit_dataset(0, "other name");
    uint64_t print = hs_dataset_fingerprint(hs_stores.data);
    assert_true(hs_dataset_fingerprint(same) == print);
    assert_true(hs_dataset_fingerprint(hs_stores.data2) != print);
    same->class_of[5] = (same->class_of[5] + 1) % 3;
    assert_true(hs_dataset_fingerprint(same) != print);
    same->class_of[5] = hs_stores.data->class_of[5];
    same->positive_class = (same->positive_class + 1) % 3;
    assert_true(hs_dataset_fingerprint(same) != print);
    same->positive_class = hs_stores.data->positive_class;
    hsel_dag *dag = same->dag;
    same->dag = NULL;
    assert_true(hs_dataset_fingerprint(same) != print);
    same->dag = dag;
    size_t count;
    const uint32_t *row = hs_row(same, 3, &count);
    assert_true(count > 0 && row[count - 1] + 1 < same->features);
    same->rows
        .index[same->rows.start[4] - 1]++; /* another feature in place of the last of instance 3 */
    assert_true(hs_dataset_fingerprint(same) != print);
    same->rows.index[same->rows.start[4] - 1]--;
    assert_true(hs_dataset_fingerprint(same) == print);
    hsel_dataset_free(same);
}

/* A numeric column is the same whether it is kept dense or sparse. */
static void test_fingerprint_numeric(void **state)
{
    (void)state;
    double dense_values[4] = {0, 2.5, -0.0, -1}, sparse_values[2] = {2.5, -1};
    uint32_t rows[2] = {1, 3}, slot = 0;
    uint64_t start[5] = {0};
    uint8_t type = HSEL_NUMERIC;
    hs_numeric_column dense = {.values = dense_values, .count = 4};
    hs_numeric_column sparse = {.values = sparse_values, .rows = rows, .count = 2};
    hsel_dataset one = {.instances = 4,
                        .features = 1,
                        .types = &type,
                        .slot = &slot,
                        .numeric_count = 1,
                        .rows = {.start = start, .lists = 4}};
    one.numeric = &dense;
    uint64_t print = hs_dataset_fingerprint(&one);
    one.numeric = &sparse;
    assert_true(hs_dataset_fingerprint(&one) == print);
    rows[0] = 2;
    assert_true(hs_dataset_fingerprint(&one) != print);
    rows[0] = 1;
    sparse_values[1] = 1;
    assert_true(hs_dataset_fingerprint(&one) != print);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_datasets, hs_stores_set_up, hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_more, hs_stores_set_up, hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_labels, hs_stores_set_up, hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_damaged_labels, hs_stores_set_up, hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_support, hs_stores_set_up, hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_labels_memory, hs_stores_set_up, hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_without_classes, hs_stores_set_up,
                                        hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_studies, hs_stores_set_up, hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_fingerprint, hs_stores_set_up, hs_stores_tear_down),
        cmocka_unit_test(test_fingerprint_numeric),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

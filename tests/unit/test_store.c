/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The store of results: what is put comes back exactly, one writer at a time, readers beside it,
 * merging, and files that are no stores. Dying and full disks are in test_store_crash.c.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/mem.h"
#include "core/random.h"
#include "support/cmocka.h"
#include "support/folder.h"
#include "support/oom.h"
#include "support/random_data.h"
#include "support/stored_units.h"
#include "study/store_parts.h"

static hs_folder folder;
static char path[512], other_path[512];
static hsel_dataset *data, *data2;

static int set_up(void **state)
{
    (void)state;
    hs_folder_new(&folder);
    strcpy(path, hs_folder_file(&folder, "store.db"));
    strcpy(other_path, hs_folder_file(&folder, "other.db"));
    data = hs_unit_dataset(0, "genes");
    data2 = hs_unit_dataset(1, "more genes");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    hsel_dataset_free(data);
    hsel_dataset_free(data2);
    hs_folder_free(&folder);
    return 0;
}

static int64_t add_data(hs_store *store, const hsel_dataset *set)
{
    hsel_error error = {0};
    int64_t id = -1;
    assert_ok(hs_store_dataset(store, set, &id, &error), error);
    assert_true(id > 0);
    return id;
}

static void put(hs_store *store, int64_t id, unsigned i, bool failed)
{
    hsel_error error = {0};
    assert_ok(hs_unit_put(store, id, i, failed, &error), error);
}

/* ---- round trip ---- */

static void test_round_trip(void **state)
{
    (void)state;
    hs_store *store = hs_unit_store(path, HS_STORE_WRITE);
    int64_t id = add_data(store, data);
    for (unsigned i = 0; i < 60; i += 2)
        put(store, id, i, i % 7 == 0);
    for (int again = 0; again < 2; again++) {
        for (unsigned i = 0; i < 60; i++)
            if (i % 2 == 0)
                hs_unit_assert(store, id, i, i % 7 == 0);
            else
                assert_false(hs_unit_there(store, id, i));
        hs_store_close(store);
        assert_int_equal(hs_folder_count(&folder), 1); /* no log, no lock left behind */
        store = hs_unit_store(path, again ? HS_STORE_WRITE : HS_STORE_READ);
    }
    hs_store_close(store);
}

static void test_folds_put_together(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_stored got = {0};
    hs_store *store = hs_unit_store(path, HS_STORE_WRITE);
    int64_t id = add_data(store, data);
    for (unsigned fold = 0; fold < UNIT_FOLDS; fold++) {
        assert_ok(hs_store_get(store, id, "none", "nb", "own", UNIT_FOLDS, 1, &got, &error), error);
        assert_int_equal(got.folds, UNIT_FOLDS);
        assert_int_equal(got.folds_there, fold);
        hs_stored_clear(&got);
        put(store, id, fold * UNIT_SELECTORS, fold == 2);
    }
    assert_ok(hs_store_get(store, id, "none", "nb", "own", UNIT_FOLDS, 1, &got, &error), error);
    assert_int_equal(got.folds_there, UNIT_FOLDS);
    assert_int_equal(got.failed, 0);
    assert_null(got.message);
    assert_memory_equal(got.truth, data->class_of, data->instances * sizeof(uint32_t));
    assert_int_equal(got.positive_class, data->positive_class);
    for (uint32_t i = 0; i < data->instances; i++)
        assert_int_equal(got.fold_of[i], i % UNIT_FOLDS);
    assert_true(got.select_seconds > 0 && got.classify_seconds > 0);
    hs_stored_clear(&got);
    assert_ok(hs_store_get(store, id, "none", "knn:k=3", "own", UNIT_FOLDS, 1, &got, &error),
              error);
    assert_int_equal(got.folds_there, UNIT_FOLDS - 1);
    assert_int_equal(got.failed, 1);
    assert_string_equal(got.message, "knn: no neighbour");
    hs_stored_clear(&got);
    /* Other seeds, schemes, numbers of folds and methods are other jobs. */
    assert_ok(hs_store_get(store, id, "none", "nb", "own", UNIT_FOLDS, 2, &got, &error), error);
    assert_int_equal(got.folds_there, 0);
    hs_stored_clear(&got);
    assert_ok(hs_store_get(store, id, "none", "nb", "weka", UNIT_FOLDS, 1, &got, &error), error);
    assert_int_equal(got.folds_there, 0);
    hs_stored_clear(&got);
    assert_ok(hs_store_get(store, id, "none", "nb", "own", UNIT_FOLDS + 1, 1, &got, &error), error);
    assert_int_equal(got.folds_there, 0);
    hs_stored_clear(&got);
    hs_store_close(store);
}

static void test_leave_one_out(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_stored got = {0};
    hs_store *store = hs_unit_store(path, HS_STORE_WRITE);
    int64_t id = add_data(store, data);
    for (uint32_t i = 0; i < data->instances; i++) {
        const double some[3] = {0.5, 0.25, 0.25}, *probability = some;
        uint32_t frequency[17] = {1}, one = 1;
        const char *nb = "nb";
        hs_unit_key key = {.dataset = id,
                           .selector = "none",
                           .scheme = "loo",
                           .folds = data->instances,
                           .fold = i};
        assert_ok(hs_store_put(store, &key,
                               &(hs_unit_result){.tested = 1,
                                                 .instances = &i,
                                                 .selected = &one,
                                                 .features = 17,
                                                 .classes = 3,
                                                 .frequency = frequency,
                                                 .classifiers = &nb,
                                                 .classifier_count = 1,
                                                 .probability = &probability},
                               &error),
                  error);
    }
    /* Whoever asks need not know how many folds there are. */
    assert_ok(hs_store_get(store, id, "none", "nb", "loo", 10, 0, &got, &error), error);
    assert_int_equal(got.folds, data->instances);
    assert_int_equal(got.folds_there, data->instances);
    assert_int_equal(got.fold_of[9], 9);
    hs_stored_clear(&got);
    hs_store_close(store);
}

static void test_fold_file(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_stored got = {0};
    uint32_t order[4] = {0, 1, 2, 3}, start[3] = {0, 2, 4};
    hs_folds folds = {.instances = 4, .count = 2, .order = order, .start = start};
    hs_store *store = hs_unit_store(path, HS_STORE_WRITE);
    int64_t id = add_data(store, data);
    for (int twice = 0; twice < 2; twice++)
        assert_ok(hs_store_fold_file(store, id, "file:a.tsv", &folds, &error), error);
    order[0] = 3;
    order[3] = 0;
    assert_int_equal(hs_store_fold_file(store, id, "file:a.tsv", &folds, &error), HSEL_EUSAGE);
    assert_non_null(
        strstr(error.message, "results for other folds than those of a.tsv: give another store"));
    assert_ok(hs_store_fold_file(store, id, "file:b.tsv", &folds, &error), error);
    assert_ok(hs_store_get(store, id, "none", "nb", "file:b.tsv", 10, 0, &got, &error), error);
    assert_int_equal(got.folds, 2);
    hs_stored_clear(&got);
    hs_store_close(store);
    store = hs_unit_store(other_path, HS_STORE_WRITE);
    id = add_data(store, data);
    assert_ok(hs_store_fold_file(store, id, "file:a.tsv", &folds, &error), error);
    uint64_t taken;
    assert_int_equal(hs_store_merge(store, path, &taken, &error), HSEL_EUSAGE);
    assert_non_null(strstr(error.message, "its fold files had other folds"));
    hs_store_close(store);
}

static void test_frequencies(void **state)
{
    (void)state;
    hsel_error error = {0};
    uint64_t total[17] = {0}, one[17], sum[17] = {0}, tested;
    hs_store *store = hs_unit_store(path, HS_STORE_WRITE);
    int64_t id = add_data(store, data);
    for (unsigned i = 0; i < 3 * UNIT_FOLDS * UNIT_SELECTORS; i++)
        put(store, id, i, false);
    assert_ok(
        hs_store_frequencies(store, id, "none", "own", UNIT_FOLDS, 1, 2, total, &tested, &error),
        error);
    assert_int_equal(tested, 2 * data->instances); /* the third repeat was not asked for */
    for (uint64_t seed = 1; seed <= 2; seed++) {
        memset(one, 0, sizeof one);
        assert_ok(hs_store_frequencies(store, id, "none", "own", UNIT_FOLDS, seed, 1, one, &tested,
                                       &error),
                  error);
        assert_int_equal(tested, data->instances);
        for (int f = 0; f < 17; f++)
            sum[f] += one[f];
    }
    assert_memory_equal(total, sum, sizeof sum);
    assert_true(total[0] + total[1] + total[2] > 0);
    hs_store_close(store);
}

static void test_packed_numbers(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "pack", 0, 0);
    for (int round = 0; round < 20000; round++) {
        uint32_t numbers[50], back[50];
        size_t count = hs_random_below(&stream, 50);
        uint64_t zeros = hs_random_below(&stream, 11);
        hs_buf packed = {0};
        for (size_t i = 0; i < count; i++)
            numbers[i] =
                hs_random_below(&stream, 10) < zeros
                    ? 0
                    : (uint32_t)(hs_random_u64(&stream) >> (32 + hs_random_below(&stream, 32)));
        hs_pack_numbers(numbers, count, &packed);
        assert_false(packed.failed);
        assert_true(packed.length <= 5 * count + 2);
        assert_true(hs_unpack_numbers(packed.text, packed.length, back, count));
        assert_memory_equal(numbers, back, count * sizeof *numbers);
        if (count > 0) { /* neither more, nor fewer, nor cut off */
            assert_false(hs_unpack_numbers(packed.text, packed.length, back, count - 1));
            assert_false(hs_unpack_numbers(packed.text, packed.length - 1, back, count));
        }
        hs_buf_clear(&packed);
    }
    uint32_t zeros[1000] = {0};
    hs_buf packed = {0};
    hs_pack_numbers(zeros, 1000, &packed);
    assert_int_equal(packed.length, 3);
    hs_buf_clear(&packed);
    /* Too long for 32 bits, for 64 bits, and a run longer than what is left. */
    assert_false(hs_unpack_numbers("\xff\xff\xff\xff\x1f", 5, zeros, 1));
    assert_false(hs_unpack_numbers("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11, zeros, 1));
    assert_false(hs_unpack_numbers("\0\x01", 2, zeros, 1));
    assert_false(hs_unpack_numbers("\0", 1, zeros, 1));
    assert_true(hs_unpack_numbers("", 0, zeros, 0));
}

/* ---- data sets and studies ---- */

static void test_datasets(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_stored_dataset found;
    hs_store *store = hs_unit_store(path, HS_STORE_WRITE);
    int64_t id = add_data(store, data), id2 = add_data(store, data2);
    assert_true(id != id2);
    assert_int_equal(add_data(store, data), id);
    assert_ok(hs_store_find_dataset(store, "genes", &found, &error), error);
    assert_int_equal(found.id, id);
    assert_string_equal(found.name, "genes");
    assert_int_equal(found.instances, 23);
    assert_int_equal(found.features, 17);
    assert_int_equal(found.classes, 3);
    assert_int_equal(found.positive_class, data->positive_class);
    assert_true(found.fingerprint == hs_dataset_fingerprint(data));
    uint32_t sizes[3] = {0};
    for (uint32_t i = 0; i < data->instances; i++)
        sizes[data->class_of[i]]++;
    assert_memory_equal(found.class_sizes, sizes, sizeof sizes);
    for (uint32_t f = 0; f < 17; f++)
        assert_string_equal(hs_names_get(&found.feature_names, f),
                            hsel_dataset_feature_name(data, f));
    for (uint32_t c = 0; c < 3; c++)
        assert_string_equal(hs_names_get(&found.class_names, c), hsel_dataset_class_name(data, c));
    hs_stored_dataset_clear(&found);
    /* Another name for the same content, and another content for a name, back and forth. */
    hsel_dataset *alias = hs_unit_dataset(0, "more genes");
    assert_int_equal(add_data(store, alias), id);
    for (int turn = 0; turn < 2; turn++) {
        assert_ok(hs_store_find_dataset(store, "more genes", &found, &error), error);
        assert_int_equal(found.id, turn == 0 ? id : id2);
        hs_stored_dataset_clear(&found);
        assert_int_equal(add_data(store, data2), id2);
    }
    assert_ok(hs_store_find_dataset(store, "genes", &found, &error), error);
    assert_int_equal(found.id, id);
    hs_stored_dataset_clear(&found);
    assert_ok(hs_store_find_dataset(store, "worms", &found, &error), error);
    assert_int_equal(found.id, -1);
    hsel_dataset_free(alias);
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
    hs_store *store = hs_unit_store(path, HS_STORE_WRITE);
    int64_t id = add_data(store, plain);
    assert_ok(hs_store_find_dataset(store, hsel_dataset_name(plain), &found, &error), error);
    assert_int_equal(found.instances, 4);
    assert_int_equal(found.classes, 0);
    hs_stored_dataset_clear(&found);
    hs_unit_key key = {.dataset = id, .selector = "none", .scheme = "own", .folds = 2};
    assert_ok(hs_store_put(store, &key,
                           &(hs_unit_result){.classifiers = hs_unit_classifiers,
                                             .classifier_count = 1,
                                             .message = "there are no classes"},
                           &error),
              error);
    assert_ok(hs_store_get(store, id, "none", "nb", "own", 2, 0, &got, &error), error);
    assert_int_equal(got.failed, 1);
    assert_int_equal(got.folds_there, 0);
    assert_int_equal(got.truth[3], HSEL_NONE);
    assert_string_equal(got.message, "there are no classes");
    hs_stored_clear(&got);
    hs_store_close(store);
    hsel_dataset_free(plain);
}

static void put_study(hs_store *store, const char *name, char *text)
{
    hsel_error error = {0};
    assert_ok(hs_store_study(store, &(hs_study){.name = name, .text = text}, &error), error);
}

static void assert_study(hs_store *store, const char *name, const char *expected)
{
    hsel_error error = {0};
    char *text = NULL;
    assert_ok(hs_store_study_text(store, name, &text, &error), error);
    assert_string_equal(text, expected);
    hs_free(text);
}

static void test_studies(void **state)
{
    (void)state;
    hsel_error error = {0};
    char one[] = "name: a", two[] = "name: a # more", three[] = "name: b", *text = NULL;
    hs_store *store = hs_unit_store(path, HS_STORE_WRITE);
    assert_int_equal(hs_store_study_text(store, NULL, &text, &error), HSEL_EFORMAT);
    assert_non_null(strstr(error.message, "the store has no study yet"));
    put_study(store, "a", one);
    put_study(store, "b", three);
    assert_study(store, NULL, three);
    put_study(store, "a", two);
    assert_study(store, "a", two);
    put_study(store, "a", one); /* ran again: the newest */
    assert_study(store, "a", one);
    assert_study(store, NULL, one);
    assert_study(store, "b", three);
    assert_int_equal(hs_store_study_text(store, "c", &text, &error), HSEL_EUSAGE);
    assert_non_null(strstr(error.message, "the store has no study 'c'"));
    hs_store_close(store);
}

static void test_fingerprint(void **state)
{
    (void)state;
    hsel_dataset *same = hs_unit_dataset(0, "other name");
    uint64_t print = hs_dataset_fingerprint(data);
    assert_true(hs_dataset_fingerprint(same) == print);
    assert_true(hs_dataset_fingerprint(data2) != print);
    same->class_of[5] = (same->class_of[5] + 1) % 3;
    assert_true(hs_dataset_fingerprint(same) != print);
    same->class_of[5] = data->class_of[5];
    same->positive_class = (same->positive_class + 1) % 3;
    assert_true(hs_dataset_fingerprint(same) != print);
    same->positive_class = data->positive_class;
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

/* ---- one writer, many readers ---- */

static void test_second_writer(void **state)
{
    (void)state;
    hsel_error error = {0};
    char expected[64];
    hs_store *store = hs_unit_store(path, HS_STORE_WRITE), *second = NULL;
    int64_t id = add_data(store, data);
    put(store, id, 0, false);
    snprintf(expected, sizeof expected, "store.db: process %ld on ", (long)getpid());
    assert_int_equal(hs_store_open(path, HS_STORE_WRITE, false, &second, &error), HSEL_EIO);
    assert_null(second);
    assert_non_null(strstr(error.message, expected));
    assert_non_null(
        strstr(error.message, " is writing to this store; wait for it with --wait, or stop it"));
    put(store, id, 1, false); /* the first is not disturbed */
    hs_store_close(store);
    store = hs_unit_store(path, HS_STORE_WRITE);
    hs_unit_assert(store, id, 1, false);
    hs_store_close(store);
}

/* Several processes add units in turn, each waiting for the others: every one gets its turn, and
 * none overlaps. */
static void test_waiting(void **state)
{
    (void)state;
    enum { CHILDREN = 6, ROUNDS = 5 };
    pid_t child[CHILDREN];
    hs_store_close(hs_unit_store(path, HS_STORE_WRITE));
    for (unsigned c = 0; c < CHILDREN; c++)
        if ((child[c] = fork()) == 0) {
            for (unsigned round = 0; round < ROUNDS; round++) {
                hs_store *store = NULL;
                int64_t id, held = 0;
                char inside[600];
                snprintf(inside, sizeof inside, "%s.inside", path);
                if (hs_store_open(path, HS_STORE_WRITE, true, &store, NULL))
                    _exit(1);
                held = mkdir(inside, 0777); /* fails if another one is in here */
                if (held || hs_store_dataset(store, data, &id, NULL) ||
                    hs_unit_put(store, id, c * ROUNDS + round, false, NULL))
                    _exit(2);
                usleep(500);
                rmdir(inside);
                hs_store_close(store);
            }
            _exit(0);
        }
    for (unsigned c = 0; c < CHILDREN; c++) {
        int status;
        assert_int_equal(waitpid(child[c], &status, 0), child[c]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
    hs_store *store = hs_unit_store(path, HS_STORE_READ);
    for (unsigned i = 0; i < CHILDREN * ROUNDS; i++)
        hs_unit_assert(store, 1, i, false);
    hs_store_close(store);
    assert_int_equal(hs_folder_count(&folder), 1);
}

static void test_reading_while_writing(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_store *writer = hs_unit_store(path, HS_STORE_WRITE);
    int64_t id = add_data(writer, data);
    put(writer, id, 0, false);
    hs_store *reader = hs_unit_store(path, HS_STORE_READ);
    for (unsigned i = 1; i < 40; i++) {
        put(writer, id, i, false);
        hs_unit_assert(reader, id, i, false);
    }
    /* A group is seen when it is committed. */
    hs_store_group(writer, 1000);
    put(writer, id, 40, false);
    put(writer, id, 41, false);
    assert_false(hs_unit_there(reader, id, 40));
    assert_true(hs_unit_there(writer, id, 40));
    assert_ok(hs_store_commit(writer, &error), error);
    hs_unit_assert(reader, id, 40, false);
    put(writer, id, 42, false);
    hs_store_close(writer); /* commits */
    hs_unit_assert(reader, id, 42, false);
    assert_int_not_equal(hs_unit_put(reader, id, 43, false, &error),
                         HSEL_OK); /* a reader never writes */
    assert_false(hs_unit_there(reader, id, 43));
    hs_store_close(reader);
    assert_int_equal(hs_folder_count(&folder), 1);
}

static void test_groups_end_by_time(void **state)
{
    (void)state;
    hs_store *writer = hs_unit_store(path, HS_STORE_WRITE);
    int64_t id = add_data(writer, data);
    hs_store *reader = hs_unit_store(path, HS_STORE_READ);
    hs_store_group(writer, 0.02);
    put(writer, id, 0, false);
    assert_false(hs_unit_there(reader, id, 0));
    usleep(30000);
    put(writer, id, 1, false);
    assert_true(hs_unit_there(reader, id, 0));
    assert_true(hs_unit_there(reader, id, 1));
    hs_store_close(writer);
    hs_store_close(reader);
}

/* ---- merging ---- */

static uint64_t merge(hs_store *store, const char *from)
{
    hsel_error error = {0};
    uint64_t taken = 12345;
    assert_ok(hs_store_merge(store, from, &taken, &error), error);
    return taken;
}

/* Each has units of its own, some are in both, some failed here and are well there; the data sets
 * have other ids there. */
static void test_merge(void **state)
{
    (void)state;
    char text[] = "name: theirs";
    hs_store *mine = hs_unit_store(path, HS_STORE_WRITE),
             *theirs = hs_unit_store(other_path, HS_STORE_WRITE);
    int64_t a = add_data(mine, data), a2 = add_data(mine, data2), b2 = add_data(theirs, data2),
            b = add_data(theirs, data);
    assert_true(a != b);
    for (unsigned i = 0; i < 30; i++)
        put(mine, a, i, i < 10);
    for (unsigned i = 5; i < 50; i++)
        put(theirs, b, i, i >= 20 && i < 40);
    put(theirs, b2, 3, false);
    put_study(theirs, "theirs", text);
    hs_store_close(theirs);
    /* 20 units of which both jobs are new, 5 failed ones made good, and the one of the other data
     * set. */
    assert_int_equal(merge(mine, other_path), 20 * 2 + 5 + 2);
    assert_int_equal(merge(mine, other_path), 0);
    for (unsigned i = 0; i < 50; i++)
        hs_unit_assert(mine, a, i, i < 5 || (i >= 30 && i < 40));
    hs_unit_assert(mine, a2, 3, false);
    assert_study(mine, "theirs", text);
    hs_store_close(mine);
    /* Back: now the other has them all, and those that failed there and were well here. */
    theirs = hs_unit_store(other_path, HS_STORE_WRITE);
    assert_int_equal(merge(theirs, path), 5 * 2 + 10);
    assert_int_equal(merge(theirs, path), 0);
    for (unsigned i = 0; i < 50; i++)
        hs_unit_assert(theirs, b, i, i < 5 || (i >= 30 && i < 40));
    hs_store_close(theirs);
    assert_int_equal(hs_folder_count(&folder), 2);
}

static void test_merge_into_empty(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_stored_dataset found;
    hs_store *theirs = hs_unit_store(other_path, HS_STORE_WRITE);
    int64_t b = add_data(theirs, data);
    for (unsigned i = 0; i < 15; i++)
        put(theirs, b, i, false);
    hs_store *mine = hs_unit_store(path, HS_STORE_WRITE);
    assert_int_equal(merge(mine, other_path), 30); /* while the other is being written to */
    put(theirs, b, 15, false);
    assert_int_equal(merge(mine, other_path), 2);
    hs_store_close(theirs);
    assert_ok(hs_store_find_dataset(mine, "genes", &found, &error), error);
    for (unsigned i = 0; i < 16; i++)
        hs_unit_assert(mine, found.id, i, false);
    hs_stored_dataset_clear(&found);
    hs_store_close(mine);
}

static void test_merge_refused(void **state)
{
    (void)state;
    hsel_error error = {0};
    uint64_t taken;
    hs_store *mine = hs_unit_store(path, HS_STORE_WRITE);
    assert_int_equal(hs_store_merge(mine, path, &taken, &error), HSEL_EUSAGE);
    assert_non_null(strstr(error.message, "a store cannot be merged with itself"));
    assert_int_equal(hs_store_merge(mine, other_path, &taken, &error), HSEL_EIO);
    assert_non_null(strstr(error.message, "other.db: cannot open: No such file or directory"));
    put(mine, add_data(mine, data), 0, false); /* goes on working */
    hs_store_close(mine);
}

/* ---- files that are no stores ---- */

static void write_file(const char *where, const void *bytes, size_t length)
{
    FILE *file = fopen(where, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void make_database(const char *where, const char *sql)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(where, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* Refused with these words, and left as it was. */
static void assert_refused(const char *where, hs_store_mode mode, int status, const char *words)
{
    hsel_error error = {0};
    hs_store *store = NULL;
    size_t before_length = 0, after_length = 0, files = hs_folder_count(&folder);
    char *before = hs_slurp(where, &before_length);
    assert_int_equal(hs_store_open(where, mode, false, &store, &error), status);
    assert_null(store);
    if (!strstr(error.message, words) || strchr(error.message, '\n'))
        fail_msg("'%s' is not '%s'", error.message, words);
    char *after = hs_slurp(where, &after_length);
    assert_int_equal(before_length, after_length);
    if (before)
        assert_memory_equal(before, after, before_length);
    assert_int_equal(hs_folder_count(&folder), files);
    free(before);
    free(after);
}

static void assert_refused_both(const char *where, int status, const char *words)
{
    assert_refused(where, HS_STORE_WRITE, status, words);
    assert_refused(where, HS_STORE_READ, status, words);
}

static void test_not_a_store(void **state)
{
    (void)state;
    char inside[600];
    assert_refused(path, HS_STORE_READ, HSEL_EIO,
                   "store.db: cannot open: No such file or directory");
    write_file(path, "", 0);
    assert_refused(path, HS_STORE_READ, HSEL_EFORMAT, "store.db: the store is empty");
    write_file(path, "gene,root,a,b\n", 14);
    assert_refused_both(path, HSEL_EFORMAT, "store.db: this is not a store of results");
    snprintf(inside, sizeof inside, "%s/x.db", path);
    assert_refused_both(inside, HSEL_EIO, "x.db: cannot open: Not a directory");
    snprintf(inside, sizeof inside, "%s/nowhere/x.db", folder.path);
    assert_refused(inside, HS_STORE_WRITE, HSEL_EIO,
                   "x.db: cannot lock the store: No such file or directory");
    hsel_error error = {0};
    hs_store *store = NULL;
    for (int mode = HS_STORE_WRITE; mode <= HS_STORE_READ; mode++) {
        assert_int_equal(hs_store_open(folder.path, (hs_store_mode)mode, false, &store, &error),
                         HSEL_EIO);
        assert_non_null(strstr(error.message, ": this is a folder, not a store of results"));
        assert_int_equal(hs_store_open("/dev/null", (hs_store_mode)mode, false, &store, &error),
                         HSEL_EIO);
        assert_non_null(
            strstr(error.message, ": this is not a file that could be a store of results"));
    }
}

static void test_other_databases(void **state)
{
    (void)state;
    make_database(path, "CREATE TABLE t(x); INSERT INTO t VALUES(1)");
    assert_refused_both(path, HSEL_EFORMAT,
                        "store.db: this is a database, but not a store of results");
    unlink(path);
    make_database(path, "PRAGMA application_id = 77"); /* somebody else's, nothing in it yet */
    assert_refused_both(path, HSEL_EFORMAT, "this is a database, but not a store of results");
    unlink(path);
    make_database(
        path, "PRAGMA application_id = 1213416780; PRAGMA user_version = 99; CREATE TABLE t(x)");
    assert_refused_both(path, HSEL_EFORMAT,
                        "the store is of a newer hsel (schema 99, this one knows up to 2)");
    unlink(path);
    make_database(
        path, "PRAGMA application_id = 1213416780; PRAGMA user_version = -3; CREATE TABLE t(x)");
    assert_refused_both(path, HSEL_EFORMAT, "the store is damaged: it has no schema");
}

static void test_migration(void **state)
{
    (void)state;
    hs_store *store = NULL;
    /* A store of schema 0, in which there was nothing but other tables. */
    make_database(
        path,
        "PRAGMA application_id = 1213416780; CREATE TABLE old(x); INSERT INTO old VALUES('kept')");
    assert_refused(path, HS_STORE_READ, HSEL_EFORMAT,
                   "the store is of an older hsel: hsel run brings it up to date");
    store = hs_unit_store(path, HS_STORE_WRITE);
    int64_t id = add_data(store, data);
    put(store, id, 0, false);
    hs_store_close(store);
    store = hs_unit_store(path, HS_STORE_READ);
    hs_unit_assert(store, id, 0, false);
    hs_store_close(store);
    make_database(path, "UPDATE old SET x = x || '!' WHERE x = 'kept'");
    /* A migration that fails half-way leaves the store as it was. */
    make_database(
        other_path,
        "PRAGMA application_id = 1213416780; CREATE TABLE job(x); INSERT INTO job VALUES('kept')");
    hsel_error error = {0};
    assert_int_equal(hs_store_open(other_path, HS_STORE_WRITE, false, &store, &error), HSEL_EIO);
    assert_non_null(
        strstr(error.message, "other.db: the store cannot be used: table job already exists"));
    make_database(
        other_path,
        "CREATE TABLE dataset(x); INSERT INTO dataset SELECT x FROM job WHERE x = 'kept'");
}

/* An empty file becomes a store. */
static void test_empty_file(void **state)
{
    (void)state;
    write_file(path, "", 0);
    hs_store *store = hs_unit_store(path, HS_STORE_WRITE);
    put(store, add_data(store, data), 0, false);
    hs_store_close(store);
}

/* Bytes changed or cut off anywhere: an answer or one plain line, never more. */
static void read_damaged(void)
{
    hsel_error error = {0};
    hs_store *store = NULL;
    hs_stored got = {0};
    hs_stored_dataset found = {0};
    uint64_t total[17] = {0}, tested;
    char *text = NULL;
    int status = hs_store_open(path, HS_STORE_READ, false, &store, &error);
    if (status == HSEL_OK)
        status = hs_store_find_dataset(store, "genes", &found, &error);
    if (status == HSEL_OK && found.id >= 0 && found.features == 17)
        status = hs_store_frequencies(store, found.id, "none", "own", UNIT_FOLDS, 1, 4, total,
                                      &tested, &error);
    for (unsigned i = 0; i < 20 && status == HSEL_OK; i++) {
        status = hs_store_get(store, 1, hs_unit_selectors[i % 3], hs_unit_classifiers[i % 2], "own",
                              UNIT_FOLDS, 1 + i / 6, &got, &error);
        hs_stored_clear(&got);
    }
    if (status == HSEL_OK)
        status = hs_store_study_text(store, NULL, &text, &error);
    if (status && (!error.message[0] || strchr(error.message, '\n')))
        fail_msg("status %d with the message '%s'", status, error.message);
    hs_free(text);
    hs_stored_dataset_clear(&found);
    hs_store_close(store);
}

static void test_damage(void **state)
{
    (void)state;
    char text[] = "name: a";
    hs_stream stream;
    hs_store *store = hs_unit_store(path, HS_STORE_WRITE);
    int64_t id = add_data(store, data);
    for (unsigned i = 0; i < 60; i++)
        put(store, id, i, i % 11 == 0);
    put_study(store, "a", text);
    hs_store_close(store);
    size_t length;
    char *good = hs_slurp(path, &length), *bad = malloc(length);
    assert_non_null(good);
    assert_non_null(bad);
    hs_stream_init(&stream, 1, "damage", 0, 0);
    for (int round = 0; round < 300; round++) {
        size_t keep = round % 3 == 0 ? hs_random_below(&stream, length) : length;
        memcpy(bad, good, length);
        for (uint64_t k = round % 3 == 0 ? 0 : 1 + hs_random_below(&stream, 20); k > 0; k--)
            bad[hs_random_below(&stream, round % 3 == 1 ? length : 8192)] =
                (char)hs_random_below(&stream, 256);
        write_file(path, bad, keep);
        read_damaged();
    }
    free(good);
    free(bad);
}

/* Numbers in the store that cannot be: said so, not believed. */
static void test_impossible_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *sql, *words;
    } cases[] = {
        {"UPDATE unit SET fold = 77 WHERE fold = 1", "a result is about no fold"},
        {"UPDATE unit SET fold = -1 WHERE fold = 1", "a result is about no fold"},
        {"UPDATE unit SET instances = x'17' || substr(instances, 2) WHERE fold = 3",
         "a result is about no instance"},
        {"UPDATE unit SET instances = substr(instances, 2)", "a result is cut off"},
        {"UPDATE unit SET instances = instances || x'01'", "a result is cut off"},
        {"UPDATE unit SET selected = x'0070' || selected", "a result is cut off"},
        {"UPDATE unit SET selected = x'ffffffffffffffffffff' || selected", "a result is cut off"},
        {"UPDATE unit SET selected = NULL", "a result is cut off"},
        {"UPDATE job SET probability = x'00'", "a result is cut off"},
        {"UPDATE job SET probability = zeroblob(24 * 24)", "a result is cut off"},
        {"UPDATE dataset SET instances = 4294967319", "a data set has impossible sizes"},
        {"UPDATE dataset SET classes = -1", "a data set has impossible sizes"},
        {"UPDATE dataset SET positive_class = 3",
         "the positive class of a data set is not one of its classes"},
        {"UPDATE dataset SET positive_class = 4294967295",
         "the positive class of a data set is not one of its classes"},
        {"UPDATE dataset SET class_of = x'0000'", "the classes of a data set are cut off"},
        {"UPDATE dataset SET class_of = x'09000000' || substr(class_of, 5)",
         "of a class that is not there"},
        {"DELETE FROM dataset", "a data set is missing"},
        {"UPDATE unit SET instances = x'0001', selected = x'0001'; UPDATE job SET probability = "
         "zeroblob(48)",
         "a result does not cover all instances"},
    };
    size_t length;
    hs_store *store = hs_unit_store(path, HS_STORE_WRITE);
    int64_t id = add_data(store, data);
    for (unsigned fold = 0; fold < UNIT_FOLDS; fold++)
        put(store, id, fold * UNIT_SELECTORS, false);
    hs_store_close(store);
    char *good = hs_slurp(path, &length);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hsel_error error = {0};
        hs_stored got = {0};
        write_file(path, good, length);
        make_database(path, cases[i].sql);
        store = hs_unit_store(path, HS_STORE_READ);
        int status = hs_store_get(store, id, "none", "nb", "own", UNIT_FOLDS, 1, &got, &error);
        if (status != HSEL_EFORMAT || !strstr(error.message, cases[i].words))
            fail_msg("%s: status %d, '%s'", cases[i].sql, status, error.message);
        hs_store_close(store);
    }
    write_file(path, good, length);
    make_database(path, "UPDATE unit SET frequency = x'010203'");
    store = hs_unit_store(path, HS_STORE_READ);
    uint64_t total[17], tested;
    hsel_error error = {0};
    assert_int_equal(
        hs_store_frequencies(store, id, "none", "own", UNIT_FOLDS, 1, 1, total, &tested, &error),
        HSEL_EFORMAT);
    assert_non_null(strstr(error.message, "the frequencies of features cannot be unpacked"));
    hs_store_close(store);
    free(good);
}

/* In a folder that this user cannot write to, a store can be read and nothing else. In a process of
 * its own, which may give up being root. */
static void test_no_permission(void **state)
{
    (void)state;
    hs_store *store = hs_unit_store(path, HS_STORE_WRITE);
    int64_t id = add_data(store, data);
    put(store, id, 0, false);
    hs_store_close(store);
    assert_int_equal(chmod(folder.path, 0555), 0);
    assert_int_equal(chmod(path, 0444), 0);
    pid_t child = fork();
    if (child == 0) {
        hsel_error error = {0};
        hs_job_state got[2];
        hs_unit_key key = hs_unit_key_of(id, 0);
        if (getuid() == 0 && setuid(65534) != 0)
            _exit(1);
        if (hs_store_open(path, HS_STORE_WRITE, false, &store, &error) != HSEL_EIO ||
            !strstr(error.message, "store.db: cannot lock the store: Permission denied"))
            _exit(2);
        if (hs_store_open(path, HS_STORE_READ, false, &store, &error)) {
            fprintf(stderr, "%s\n", error.message);
            _exit(3);
        }
        if (hs_store_jobs(store, &key, hs_unit_classifiers, 2, got, &error) ||
            got[0] != HS_JOB_OK || got[1] != HS_JOB_OK)
            _exit(4);
        hs_store_close(store);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(chmod(folder.path, 0755), 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* ---- memory ---- */

static int everything(void *context, hsel_error *error)
{
    (void)context;
    hs_store *store = NULL;
    hs_stored got = {0};
    hs_stored_dataset found = {0};
    uint64_t total[17] = {0}, count;
    char text[] = "name: a", *back = NULL;
    int64_t id = -1;
    int status = hs_store_open(path, HS_STORE_WRITE, false, &store, error);
    if (status == HSEL_OK)
        status = hs_store_dataset(store, data, &id, error);
    if (status == HSEL_OK)
        status = hs_store_study(store, &(hs_study){.name = "a", .text = text}, error);
    for (unsigned i = 0; i < 15 && status == HSEL_OK; i += 3)
        status = hs_unit_put(store, id, i, i == 0, error);
    if (status == HSEL_OK)
        status = hs_store_merge(store, other_path, &count, error);
    if (status == HSEL_OK)
        status = hs_store_get(store, id, "none", "knn:k=3", "own", UNIT_FOLDS, 1, &got, error);
    if (status == HSEL_OK)
        status = hs_store_find_dataset(store, "genes", &found, error);
    if (status == HSEL_OK)
        status =
            hs_store_frequencies(store, id, "none", "own", UNIT_FOLDS, 1, 1, total, &count, error);
    if (status == HSEL_OK)
        status = hs_store_study_text(store, "a", &back, error);
    hs_stored_clear(&got);
    hs_stored_dataset_clear(&found);
    hs_free(back);
    hs_store_close(store);
    unlink(path);
    return status;
}

static void test_memory(void **state)
{
    (void)state;
    hs_store *store = hs_unit_store(other_path, HS_STORE_WRITE);
    put(store, add_data(store, data2), 0, false);
    hs_store_close(store);
    assert_true(hs_oom_each("the store", everything, NULL) > 10);
    assert_int_equal(hs_folder_count(&folder), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trip, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_folds_put_together, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_leave_one_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_fold_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_frequencies, set_up, tear_down),
        cmocka_unit_test(test_packed_numbers),
        cmocka_unit_test_setup_teardown(test_datasets, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_without_classes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_studies, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_fingerprint, set_up, tear_down),
        cmocka_unit_test(test_fingerprint_numeric),
        cmocka_unit_test_setup_teardown(test_second_writer, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_waiting, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_reading_while_writing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_groups_end_by_time, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_merge, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_merge_into_empty, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_merge_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_not_a_store, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_other_databases, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_migration, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_empty_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_damage, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_impossible_numbers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_permission, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_memory, set_up, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

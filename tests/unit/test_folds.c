/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fold schemes: the balance of `own`, WEKA's own answers for `weka`, the class sizes of `wan`, and
 * fold files.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "data/builder.h"
#include "data/folds.h"
#include "learn/fold_file.h"
#include "support/cmocka.h"
#include "support/data_io.h"
#include "support/folder.h"
#include "support/oom.h"
#include "support/random_data.h"

/* A data set without features: label[i] is the class of instance i (HSEL_NONE: none); ids may be
 * NULL. */
static hsel_dataset *with_classes(const uint32_t *label, uint32_t count, uint32_t classes,
                                  const char *const *ids)
{
    hsel_error error = {0};
    hs_builder *builder = NULL;
    hsel_dataset *data = NULL;
    assert_ok(hs_builder_new(&builder, &error), error);
    for (uint32_t c = 0, code; c < classes; c++) {
        char name[16];
        snprintf(name, sizeof name, "c%u", c);
        assert_ok(hs_builder_class(builder, name, strlen(name), &code, &error), error);
    }
    for (uint32_t i = 0; i < count; i++)
        assert_ok(hs_builder_row(builder, ids ? ids[i] : NULL, ids ? strlen(ids[i]) : 0, label[i],
                                 &error),
                  error);
    assert_ok(hs_builder_describe(builder, "small", "class", ids ? "id" : NULL, &error), error);
    assert_ok(hs_builder_finish(builder, &data, &error), error);
    hs_builder_free(builder);
    return data;
}

static hs_folds make(const hsel_dataset *data, hs_fold_scheme scheme, uint32_t count, uint64_t seed)
{
    hsel_error error = {0};
    hs_folds folds = {0};
    assert_ok(hs_folds_make(data, scheme, count, seed, &folds, &error), error);
    return folds;
}

/* start, order and fold_of tell the same, and the training part is the rest in the same order. */
static void check_sound(const hs_folds *folds)
{
    bool *seen = calloc(folds->instances, sizeof *seen);
    uint32_t *rows = malloc(folds->instances * sizeof *rows);
    assert_true(seen && rows);
    assert_int_equal(folds->start[0], 0);
    assert_int_equal(folds->start[folds->count], folds->instances);
    for (uint32_t f = 0; f < folds->count; f++) {
        assert_true(folds->start[f] < folds->start[f + 1]);
        for (uint32_t i = folds->start[f]; i < folds->start[f + 1]; i++) {
            assert_int_equal(folds->fold_of[folds->order[i]], f);
            assert_false(seen[folds->order[i]]);
            seen[folds->order[i]] = true;
        }
        uint32_t count = hs_folds_training(folds, f, rows), next = 0;
        assert_int_equal(count, folds->instances - (folds->start[f + 1] - folds->start[f]));
        for (uint32_t i = 0; i < folds->instances; i++)
            if (folds->fold_of[i] != f)
                assert_int_equal(rows[next++], i);
        assert_int_equal(next, count);
    }
    free(seen);
    free(rows);
}

/* Instances of class c in fold f. */
static uint32_t share(const hsel_dataset *data, const hs_folds *folds, uint32_t f, uint32_t c)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < folds->instances; i++)
        count += folds->fold_of[i] == f && data->class_of[i] == c;
    return count;
}

/* ---- own ---- */

static void check_balance(const hsel_dataset *data, const hs_folds *folds)
{
    uint32_t least_size = UINT32_MAX, most_size = 0;
    for (uint32_t f = 0; f < folds->count; f++) {
        uint32_t size = folds->start[f + 1] - folds->start[f];
        least_size = size < least_size ? size : least_size;
        most_size = size > most_size ? size : most_size;
    }
    assert_true(most_size - least_size <= 1);
    for (uint32_t c = 0; c < data->class_names.count; c++) {
        uint32_t least = UINT32_MAX, most = 0;
        for (uint32_t f = 0; f < folds->count; f++) {
            uint32_t here = share(data, folds, f, c);
            least = here < least ? here : least;
            most = here > most ? here : most;
        }
        assert_true(most - least <= 1);
    }
}

static void test_own_is_balanced(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 1, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 2000; round++) {
        uint32_t label[60], classes = 2 + (uint32_t)hs_random_below(&stream, 4);
        uint32_t count = 2 + (uint32_t)hs_random_below(&stream, 58);
        for (uint32_t i = 0; i < count; i++)
            label[i] = i < 2 ? i : (uint32_t)hs_random_below(&stream, classes);
        hsel_dataset *data = with_classes(label, count, classes, NULL);
        uint32_t k = 2 + (uint32_t)hs_random_below(&stream, count - 1);
        uint64_t seed = hs_random_u64(&stream);
        hs_folds folds = make(data, HS_FOLDS_OWN, k, seed);
        hs_folds again = make(data, HS_FOLDS_OWN, k, seed);
        check_sound(&folds);
        check_balance(data, &folds);
        assert_memory_equal(folds.fold_of, again.fold_of, count * sizeof *folds.fold_of);
        hs_folds_clear(&folds);
        hs_folds_clear(&again);
        hsel_dataset_free(data);
    }
}

/* Another seed gives other folds; every instance comes into every fold in the long run. */
static void test_own_is_random(void **state)
{
    enum { n = 30, k = 5, rounds = 500 };
    uint32_t label[n], times[n][k] = {{0}}, changed = 0;
    (void)state;
    for (uint32_t i = 0; i < n; i++)
        label[i] = i % 3 == 0;
    hsel_dataset *data = with_classes(label, n, 2, NULL);
    uint32_t before[n] = {0};
    for (uint64_t seed = 0; seed < rounds; seed++) {
        hs_folds folds = make(data, HS_FOLDS_OWN, k, seed);
        for (uint32_t i = 0; i < n; i++)
            times[i][folds.fold_of[i]]++;
        changed += memcmp(before, folds.fold_of, sizeof before) != 0;
        memcpy(before, folds.fold_of, sizeof before);
        hs_folds_clear(&folds);
    }
    assert_int_equal(changed, rounds);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t f = 0; f < k; f++)
            if (times[i][f] < 60 || times[i][f] > 140) /* 100 expected, standard deviation 9 */
                fail_msg("instance %u was %u times in fold %u", i, times[i][f], f);
    hsel_dataset_free(data);
}

/* The folds are part of published results, so they may never change. */
static void test_own_known_answer(void **state)
{
    static const uint32_t label[] = {0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0};
    static const uint32_t expected[] = {0, 0, 2, 2, 1, 2, 2, 1, 0, 1, 0, 1};
    (void)state;
    hsel_dataset *data = with_classes(label, 12, 2, NULL);
    hs_folds folds = make(data, HS_FOLDS_OWN, 3, 1);
    for (uint32_t i = 0; i < 12; i++)
        assert_int_equal(folds.fold_of[i], expected[i]);
    hs_folds_clear(&folds);
    hsel_dataset_free(data);
}

/* ---- weka: what WEKA 3.6.14 itself answers (randomize, stratify, testCV) ---- */

struct weka_case {
    uint32_t instances, classes, folds;
    uint64_t seed;
    uint32_t order[64]; /* the test instances of fold 0, of fold 1 …, in WEKA's order */
};

static const struct weka_case weka_cases[] = {
    {23, 2, 5, 1, {22, 20, 15, 16, 1, 11, 17, 2, 10, 18, 14, 0,
                   8,  4,  5,  3,  6, 21, 12, 9, 7,  19, 13}},
    {37, 3, 10, 7, {16, 26, 29, 14, 27, 25, 12, 15, 17, 8, 28, 32, 34, 21, 10, 4,  9,  3, 20,
                    24, 18, 1,  23, 13, 0,  11, 22, 31, 7, 2,  33, 36, 30, 5,  35, 19, 6}},
    {64, 2, 10, 1, {25, 50, 28, 1,  41, 27, 38, 58, 9,  14, 35, 4,  13, 49, 31, 3,
                    47, 19, 60, 23, 63, 6,  36, 7,  15, 32, 43, 46, 61, 17, 29, 2,
                    59, 48, 44, 33, 54, 21, 18, 10, 55, 22, 26, 24, 51, 52, 39, 0,
                    30, 5,  8,  56, 11, 42, 37, 45, 16, 40, 20, 53, 57, 34, 12, 62}},
    {50, 3, 3, 123456789, {28, 11, 3,  21, 39, 1,  45, 0,  18, 16, 25, 7,  41, 32, 5,  24, 33,
                           10, 38, 29, 46, 2,  19, 9,  17, 44, 34, 43, 6,  22, 49, 40, 42, 15,
                           30, 37, 47, 12, 20, 48, 27, 26, 8,  36, 35, 31, 14, 13, 4,  23}},
    {12, 2, 12, 5, {2, 7, 8, 10, 5, 4, 1, 3, 6, 9, 0, 11}},
};

static void test_weka_known_answers(void **state)
{
    (void)state;
    for (size_t t = 0; t < sizeof weka_cases / sizeof weka_cases[0]; t++) {
        const struct weka_case *c = &weka_cases[t];
        uint32_t label[64];
        for (uint32_t i = 0; i < c->instances; i++) /* as the data given to WEKA */
            label[i] = c->classes == 2 ? (i * 7 + 3) % 11 < 4 : (i * i + i / 3) % 3;
        hsel_dataset *data = with_classes(label, c->instances, c->classes, NULL);
        hs_folds folds = make(data, HS_FOLDS_WEKA, c->folds, c->seed);
        check_sound(&folds);
        for (uint32_t i = 0; i < c->instances; i++)
            if (folds.order[i] != c->order[i])
                fail_msg("case %zu: place %u is %u, WEKA's %u", t, i, folds.order[i], c->order[i]);
        hs_folds_clear(&folds);
        hsel_dataset_free(data);
    }
}

/* ---- wan ---- */

/* n instances, p of them of the positive class. */
static void check_wan(uint32_t n, uint32_t p, uint32_t k, uint32_t positive_class,
                      const uint32_t *positives, const uint32_t *negatives)
{
    uint32_t label[200];
    for (uint32_t i = 0; i < n; i++)
        label[i] = i < p ? positive_class : 1 - positive_class;
    hsel_dataset *data = with_classes(label, n, 2, NULL);
    data->positive_class = positive_class;
    for (uint64_t seed = 1; seed < 20; seed++) {
        hs_folds folds = make(data, HS_FOLDS_WAN, k, seed);
        uint32_t extra = 0, extra_positive = 0;
        check_sound(&folds);
        for (uint32_t f = 0; f < k; f++) {
            uint32_t pos = share(data, &folds, f, positive_class);
            uint32_t neg = share(data, &folds, f, 1 - positive_class);
            uint32_t leftover = f < n % k; /* one a fold, of either class */
            assert_int_equal(pos + neg, positives[f] + negatives[f] + leftover);
            assert_true(pos >= positives[f] && neg >= negatives[f]);
            extra += leftover;
            extra_positive += pos - positives[f];
        }
        assert_int_equal(extra, n % k);
        uint32_t dealt = 0;
        for (uint32_t f = 0; f < k; f++)
            dealt += positives[f];
        assert_int_equal(dealt + extra_positive, p);
        hs_folds_clear(&folds);
    }
    hsel_dataset_free(data);
}

static void test_wan_class_sizes(void **state)
{
    (void)state;
    /* 47 instances, 20 positive, 10 folds: s = 4, round(4 * 20 / 47) = 2 positives a fold */
    check_wan(47, 20, 10, 1, (uint32_t[]){2, 2, 2, 2, 2, 2, 2, 2, 2, 2},
              (uint32_t[]){2, 2, 2, 2, 2, 2, 2, 2, 2, 2});
    /* 30, 7 positive, 5 folds: s = 6, round(1.4) = 1 positive, 5 negatives until those run out:
     * 23 = 5 + 5 + 5 + 5 + 3, and the last takes what is left */
    check_wan(30, 7, 5, 1, (uint32_t[]){1, 1, 1, 1, 3}, (uint32_t[]){5, 5, 5, 5, 3});
    /* 30, 8 positive: round(1.6) = 2 positives, which run out after 4 folds */
    check_wan(30, 8, 5, 1, (uint32_t[]){2, 2, 2, 2, 0}, (uint32_t[]){4, 4, 4, 4, 6});
    /* The positive class is the one that the data set says. */
    check_wan(30, 8, 5, 0, (uint32_t[]){2, 2, 2, 2, 0}, (uint32_t[]){4, 4, 4, 4, 6});
    /* A half is rounded up: s = 5, 5 * 5 / 10 = 2.5 */
    check_wan(10, 5, 2, 1, (uint32_t[]){3, 2}, (uint32_t[]){2, 3});
}

static void test_wan_is_random(void **state)
{
    uint32_t label[40];
    (void)state;
    for (uint32_t i = 0; i < 40; i++)
        label[i] = i % 2;
    hsel_dataset *data = with_classes(label, 40, 2, NULL);
    hs_folds a = make(data, HS_FOLDS_WAN, 4, 1), b = make(data, HS_FOLDS_WAN, 4, 1),
             c = make(data, HS_FOLDS_WAN, 4, 2);
    assert_memory_equal(a.fold_of, b.fold_of, 40 * sizeof *a.fold_of);
    assert_memory_not_equal(a.fold_of, c.fold_of, 40 * sizeof *a.fold_of);
    hs_folds_clear(&a);
    hs_folds_clear(&b);
    hs_folds_clear(&c);
    hsel_dataset_free(data);
}

/* ---- leave one out ---- */

static void test_loo(void **state)
{
    static const uint32_t label[] = {0, 0, 1, 0, 1};
    (void)state;
    hsel_dataset *data = with_classes(label, 5, 2, NULL);
    hs_folds folds = make(data, HS_FOLDS_LOO, 10, 1); /* the number of folds is not looked at */
    check_sound(&folds);
    assert_int_equal(folds.count, 5);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(folds.fold_of[i], i);
    hs_folds_clear(&folds);
    hsel_dataset_free(data);
}

/* ---- what cannot be done ---- */

static void refuse(const uint32_t *label, uint32_t count, uint32_t classes, hs_fold_scheme scheme,
                   uint32_t k, const char *message)
{
    hsel_error error = {0};
    hs_folds folds = {0};
    hsel_dataset *data = with_classes(label, count, classes, NULL);
    assert_int_equal(hs_folds_make(data, scheme, k, 1, &folds, &error), HSEL_EUSAGE);
    assert_string_equal(error.message, message);
    assert_null(folds.order);
    hsel_dataset_free(data);
}

static void test_refuses(void **state)
{
    static const uint32_t two[] = {0, 1, 0, 1}, one[] = {1, 1, 1}, alone[] = {0, 0, 0},
                          unknown[] = {0, 1, HSEL_NONE}, three[] = {0, 1, 2};
    (void)state;
    refuse(two, 4, 2, HS_FOLDS_OWN, 5, "5 folds are more than the 4 instances of small");
    refuse(two, 4, 2, HS_FOLDS_WEKA, 10, "10 folds are more than the 4 instances of small");
    refuse(two, 4, 2, HS_FOLDS_OWN, 1, "cross-validation needs at least two folds");
    refuse(alone, 3, 1, HS_FOLDS_OWN, 2,
           "cross-validation needs two classes or more, but small has 1");
    refuse(
        one, 3, 2, HS_FOLDS_OWN, 2,
        "cross-validation needs two classes or more, but every instance of small is of class c1");
    refuse(unknown, 3, 2, HS_FOLDS_LOO, 2,
           "instance 3 of small has no class, but cross-validation needs one for every instance");
    refuse(three, 3, 3, HS_FOLDS_WAN, 2, "the fold scheme wan is for two classes, but small has 3");
    refuse(two, 0, 0, HS_FOLDS_LOO, 2,
           "cross-validation needs two classes or more, but small has 0");
    refuse(two, 0, 2, HS_FOLDS_LOO, 2, "small has no instances");
}

static void test_from_numbers(void **state)
{
    static const uint32_t fold_of[] = {2, 0, 1, 0, 2}, hole[] = {0, 2, 2};
    hsel_error error = {0};
    hs_folds folds = {0};
    (void)state;
    assert_ok(hs_folds_from(fold_of, 5, 3, &folds, &error), error);
    check_sound(&folds);
    assert_memory_equal(folds.order, ((uint32_t[]){1, 3, 2, 0, 4}), 5 * sizeof(uint32_t));
    hs_folds_clear(&folds);
    assert_int_equal(hs_folds_from(fold_of, 5, 2, &folds, &error), HSEL_EUSAGE);
    assert_string_equal(error.message, "instance 1 is in fold 3, but there are 2 folds");
    assert_int_equal(hs_folds_from(hole, 3, 3, &folds, &error), HSEL_EUSAGE);
    assert_string_equal(error.message, "fold 2 has no instance");
    assert_null(folds.order);
}

/* ---- fold files ---- */

static const uint32_t five[] = {0, 1, 0, 1, 0};

static void test_file_round_trip(void **state)
{
    static const char *const plain[] = {"a", "b b", "c\td", "3", "e"};
    static const char *const twice[] = {"a", "b", "a", "d", "e"};
    static const char *const broken[] = {"a", "b\nc", "d", "e", "f"};
    static const char *const *const all_ids[] = {NULL, plain, twice, broken};
    static const char *const heads[] = {"number\tfold\n1\t", "instance\tfold\na\t",
                                        "number\tfold\n1\t", "number\tfold\n1\t"};
    hsel_error error = {0};
    hs_folder folder;
    (void)state;
    hs_folder_new(&folder);
    for (int t = 0; t < 4; t++) {
        hsel_dataset *data = with_classes(five, 5, 2, all_ids[t]);
        hs_folds folds = make(data, HS_FOLDS_OWN, 3, 9), back = {0};
        const char *path = hs_folder_file(&folder, "folds.tsv");
        size_t length;
        assert_ok(hs_folds_write(&folds, data, path, &error), error);
        char *text = hs_slurp(path, &length);
        assert_non_null(text);
        assert_memory_equal(text, heads[t], strlen(heads[t]));
        free(text);
        assert_ok(hs_folds_read(path, data, &back, &error), error);
        check_sound(&back);
        assert_int_equal(back.count, 3);
        assert_memory_equal(folds.fold_of, back.fold_of, 5 * sizeof *folds.fold_of);
        hs_folds_clear(&folds);
        hs_folds_clear(&back);
        hsel_dataset_free(data);
    }
    hs_folder_free(&folder);
}

static void read_text(const char *const *ids, const char *text, uint32_t count,
                      const uint32_t *want, const char *message)
{
    hsel_error error = {0};
    hs_folder folder;
    hs_folds folds = {0};
    hsel_dataset *data = with_classes(five, 5, 2, ids);
    hs_folder_new(&folder);
    const char *path = hs_folder_file(&folder, "f");
    hs_io_put(path, text, strlen(text));
    int status = hs_folds_read(path, data, &folds, &error);
    if (want) {
        if (status)
            fail_msg("%s: %s", text, error.message);
        assert_int_equal(folds.count, count);
        assert_memory_equal(folds.fold_of, want, 5 * sizeof *want);
    } else {
        assert_int_equal(status, HSEL_EFORMAT);
        const char *rest = strstr(error.message, "/f:"); /* after the folder, whose name changes */
        assert_non_null(rest);
        assert_string_equal(rest + 3, message);
    }
    hs_folds_clear(&folds);
    hsel_dataset_free(data);
    hs_folder_free(&folder);
}

static void test_file_reading(void **state)
{
    static const char *const ids[] = {"a", "b", "c", "d", "e"};
    static const uint32_t want[] = {0, 1, 0, 1, 2};
    (void)state;
    read_text(NULL, "1\t1\n2\t2\n3\t1\n4\t2\n5\t3\n", 3, want, NULL);
    read_text(NULL, "gene\tfold\r\n5\t3\r\n\r\n3\t1\r\n2\t2\r\n4\t2\r\n1\t1", 3, want, NULL);
    read_text(ids, "e\t3\nd\t2\nc\t1\nb\t2\na\t1\n", 3, want, NULL);
    read_text(ids, "number\tfold\n5\t3\n4\t2\n3\t1\n2\t2\n1\t1\n", 3, want, NULL);

    read_text(ids, "a\t1\nb\n", 0, NULL, "2: expected an instance, a tab and its fold");
    read_text(ids, "a\t1\nb\t0\n", 0, NULL, "2: '0' is not a fold from 1 to 5");
    read_text(ids, "a\t1\nb\t6\n", 0, NULL, "2: '6' is not a fold from 1 to 5");
    read_text(ids, "a\tx\n", 0, NULL, "1: 'x' is not a fold from 1 to 5");
    read_text(ids, "a\t\n", 0, NULL, "1: '' is not a fold from 1 to 5");
    read_text(ids, "z\t1\n", 0, NULL, "1: there is no instance 'z' in small");
    read_text(NULL, "6\t1\n", 0, NULL, "1: there is no instance '6' in small");
    read_text(NULL, "0\t1\n", 0, NULL, "1: there is no instance '0' in small");
    read_text(ids, "a\t1\na\t2\n", 0, NULL, "2: instance 'a' already has a fold");
    read_text(ids, "a\t1\nb\t2\nc\t1\ne\t1\n", 0, NULL, " instance 4 (d) has no fold");
    read_text(NULL, "", 0, NULL, " instance 1 has no fold");
    read_text(ids, "a\t1\nb\t1\nc\t1\nd\t1\ne\t1\n", 0, NULL,
              " cross-validation needs at least two folds");
    read_text(ids, "a\t1\nb\t1\nc\t4\nd\t4\ne\t1\n", 0, NULL, " fold 2 has no instance");
}

/* A file does not make up for classes that are not there. */
static void test_file_needs_classes(void **state)
{
    static const uint32_t label[] = {0, 1, HSEL_NONE};
    hsel_error error = {0};
    hs_folds folds = {0};
    (void)state;
    hsel_dataset *data = with_classes(label, 3, 2, NULL);
    assert_int_equal(hs_folds_read("/nowhere", data, &folds, &error), HSEL_EUSAGE);
    assert_string_equal(
        error.message,
        "instance 3 of small has no class, but cross-validation needs one for every instance");
    hsel_dataset_free(data);
}

/* ---- memory ---- */

struct schemes {
    const hsel_dataset *data;
    const char *path;
};

static int use_all(void *context, hsel_error *error)
{
    const struct schemes *s = context;
    int status = HSEL_OK;
    for (int scheme = HS_FOLDS_OWN; scheme <= HS_FOLDS_LOO && status == HSEL_OK; scheme++) {
        hs_folds folds = {0};
        status = hs_folds_make(s->data, (hs_fold_scheme)scheme, 2, 1, &folds, error);
        if (status == HSEL_OK)
            status = hs_folds_write(&folds, s->data, s->path, error);
        hs_folds_clear(&folds);
        if (status == HSEL_OK)
            status = hs_folds_read(s->path, s->data, &folds, error);
        hs_folds_clear(&folds);
    }
    return status;
}

/* Folds of a part of the rows: at most one per row; what is left of the part without a fold. */
static void test_inside_a_view(void **state)
{
    const uint32_t part[] = {1, 3, 4};
    hsel_error error = {0};
    hs_folds folds = {0};
    (void)state;
    hsel_dataset *data = with_classes(five, 5, 2, NULL);
    hs_view view = hs_view_all(data);
    view.rows = part;
    view.row_count = 3;
    assert_ok(hs_folds_of_view(&view, 10, 1, &folds, &error), error);
    assert_int_equal(folds.count, 3);
    check_sound(&folds);
    for (uint32_t f = 0; f < 3; f++) {
        uint32_t rows[3], left = folds.order[folds.start[f]];
        hs_view rest = hs_folds_rest(&folds, &view, f, rows);
        assert_ptr_equal(rest.data, data);
        assert_int_equal(rest.row_count, 2);
        assert_int_equal(hs_view_row(&rest, 0), part[left == 0]);
        assert_int_equal(hs_view_row(&rest, 1), part[left == 2 ? 1 : 2]);
    }
    hs_folds_clear(&folds);
    view.row_count = 1;
    assert_int_equal(hs_folds_of_view(&view, 10, 1, &folds, &error), HSEL_EUSAGE);
    assert_string_equal(error.message, "cannot divide 1 instances into 1 folds");
    hsel_dataset_free(data);
}

static void test_memory(void **state)
{
    static const char *const ids[] = {"a", "b", "c", "d", "e"};
    hs_folder folder;
    (void)state;
    hs_folder_new(&folder);
    hsel_dataset *data = with_classes(five, 5, 2, ids);
    struct schemes s = {data, hs_folder_file(&folder, "folds.tsv")};
    assert_true(hs_oom_each("folds", use_all, &s) > 10);
    hsel_dataset_free(data);
    hs_folder_free(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_own_is_balanced),
                                       cmocka_unit_test(test_own_is_random),
                                       cmocka_unit_test(test_own_known_answer),
                                       cmocka_unit_test(test_weka_known_answers),
                                       cmocka_unit_test(test_wan_class_sizes),
                                       cmocka_unit_test(test_wan_is_random),
                                       cmocka_unit_test(test_loo),
                                       cmocka_unit_test(test_refuses),
                                       cmocka_unit_test(test_from_numbers),
                                       cmocka_unit_test(test_file_round_trip),
                                       cmocka_unit_test(test_file_reading),
                                       cmocka_unit_test(test_file_needs_classes),
                                       cmocka_unit_test(test_inside_a_view),
                                       cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

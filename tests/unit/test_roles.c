/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * load/roles.c: roles of random columns of metadata, in any order of its rows, are those of a plain
 * loop; covariates leave values and hierarchy alone; groups of pairs are those of a slow twin; and
 * every allocation may fail.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "data/classes.h"
#include "data/design.h"
#include "load/load.h"
#include "support/cmocka.h"
#include "support/folder.h"
#include "support/oom.h"
#include "support/random_data.h"

enum { N = 12 };

static uint32_t below(hs_stream *stream, uint32_t n)
{
    return (uint32_t)hs_random_below(stream, n);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Pairs of instances, or of an instance and something else: which are connected? */
static void test_pairs(void **state)
{
    hs_folder folder;
    hs_stream stream;
    char table[512], data_path[512], pairs_path[512], options[600];
    (void)state;
    hs_folder_new(&folder);
    strcpy(data_path, hs_folder_file(&folder, "x.csv"));
    strcpy(pairs_path, hs_folder_file(&folder, "pairs.csv"));
    snprintf(options, sizeof options, "id=id,no-class,groups=pairs:%s", pairs_path);
    for (uint32_t i = 0, at = 0; i <= N; i++)
        at += (uint32_t)(i ? sprintf(table + at, "n%u,%u\n", i - 1, i % 2)
                           : sprintf(table + at, "id,f\n"));
    write_text(data_path, table);
    hs_stream_init(&stream, 1, "pairs", 0, 0);
    uint32_t refused = 0;
    for (int round = 0; round < 300; round++) {
        hsel_error error = {0};
        hsel_dataset *data = NULL;
        const uint32_t names = N + 4, pairs = below(&stream, 9);
        uint32_t set[N + 4], at = 0;
        bool any = false;
        for (uint32_t i = 0; i < names; i++)
            set[i] = i;
        at += (uint32_t)sprintf(table, "%s", round % 2 ? "one,other\n" : "");
        for (uint32_t p = 0; p < pairs + !(round % 2); p++) {
            const uint32_t a = below(&stream, N), b = below(&stream, names);
            at += (uint32_t)sprintf(table + at, "n%u,n%u\n", a, b);
            for (uint32_t k = 0, from = set[a], to = set[b]; k < names; k++)
                set[k] = set[k] == from ? to : set[k];
        }
        write_text(pairs_path, table);
        for (uint32_t i = 0; i < N; i++)
            for (uint32_t j = 0; j < i; j++)
                any |= set[i] == set[j];
        int status = hs_load_with(data_path, options, &data, &error);
        assert_int_equal(status, any ? HSEL_OK : HSEL_EUSAGE);
        refused += !any;
        for (uint32_t i = 0; any && i < N; i++) {
            const hs_about *about = &data->instance_about;
            const uint32_t column = hs_about_column(about, HS_ABOUT_GROUP);
            const char *text = hs_about_get(about, i, column);
            bool alone = true;
            for (uint32_t j = 0; j < N; j++) {
                const char *other = hs_about_get(about, j, column);
                alone &= j == i || set[i] != set[j];
                if (j != i)
                    assert_int_equal(text && other && strcmp(text, other) == 0, set[i] == set[j]);
            }
            assert_int_equal(!text, alone);
        }
        hs_dataset_free(data);
    }
    assert_true(refused > 10 && refused < 290);
    hs_folder_free(&folder);
}

/* A column of the metadata becomes a covariate of data with a hierarchy: all else is as before. */
static void test_covariates(void **state)
{
    hs_stream stream;
    (void)state;
    hs_stream_init(&stream, 1, "covariates", 0, 0);
    uint32_t numbers = 0;
    for (int round = 0; round < 500; round++) {
        hs_random_shape shape = hs_random_small_shape(&stream);
        shape.parents = round % 2;
        hsel_error error = {0};
        hsel_dataset *data = hs_random_dataset(&stream, &shape), *back = NULL, *before = NULL;
        const uint32_t n = data->instances, features = data->features;
        bool all_numbers = true;
        assert_ok(hs_dataset_subset(data, NULL, &before, &error), error);
        assert_ok(hs_names_index(&data->feature_names, &error), error);
        assert_ok(hs_names_append_text(&data->instance_about.columns, "new", &error), error);
        char texts[64][16];
        assert_true(n <= 64);
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t kind = below(&stream, round % 3 ? 3 : 4);
            sprintf(texts[i], kind == 3 ? "w%u" : kind ? "%u.5" : "", kind ? below(&stream, 4) : 0);
            all_numbers &= kind != 3;
            assert_ok(hs_names_append_text(&data->instance_about.cells, texts[i], &error), error);
        }
        numbers += all_numbers;
        assert_ok(hs_covariate_add(&data, "new", &error), error);
        assert_ok(hs_dataset_check(data, &error), error);
        assert_int_equal(data->features, features + 1);
        assert_int_equal(hs_about_column(&data->instance_about, "new"), HSEL_NONE);
        assert_true(hs_is_covariate(data, features));
        assert_int_equal(data->types[features], all_numbers ? HSEL_NUMERIC : HSEL_NOMINAL);
        for (uint32_t i = 0; i < n; i++) {
            const double value = hs_dataset_value(data, features, i);
            if (!*texts[i])
                assert_true(isnan(value));
            else if (all_numbers)
                assert_true(value == atof(texts[i]));
            else
                assert_string_equal(hs_dataset_text(data, features, i, NULL), texts[i]);
        }
        assert_ok(hs_dataset_subset(data, NULL, &back, &error), error);
        assert_ok(hs_dataset_leave_out(&back, features, &error), error);
        const char *differs =
            hs_same_dataset(before, back, HS_SAME_ALL & ~(unsigned)HS_SAME_LABELS);
        assert_string_equal(differs ? differs : "nothing", "nothing");
        hs_dataset_free(before);
        hs_dataset_free(back);
        hs_dataset_free(data);
    }
    assert_in_range(numbers, 100, 490);
}

/* ---- memory ---- */

struct files {
    const char *data, *options;
};

static int load_all(void *context, hsel_error *error)
{
    const struct files *files = context;
    hsel_dataset *data = NULL;
    int status = hs_load_with(files->data, files->options, &data, error);
    hs_dataset_free(data);
    return status;
}

static void test_memory(void **state)
{
    static const char *const more[] = {
        "class=ill,covariates=age,groups=family,time=age,strata=word,test-set=set", "groups=id:_",
        "target=age,covariates=word,groups=near-copies", "class=ill,groups=id:^(.)"};
    hs_folder folder;
    char data_path[512], table_path[512], options[1400];
    char data_text[4096], table_text[2048];
    size_t at = 0, to = 0;
    (void)state;
    hs_folder_new(&folder);
    strcpy(data_path, hs_folder_file(&folder, "x.csv"));
    strcpy(table_path, hs_folder_file(&folder, "m.csv"));
    for (int i = 0; i <= 20; i++) {
        at += (size_t)sprintf(data_text + at, i ? "n%d_%d" : "id", (i - 1) / 2, i % 2);
        for (int f = 0; f < 14; f++)
            at += (size_t)(i ? sprintf(data_text + at, ",%d", f < 12 || i % 3 == f - 12)
                             : sprintf(data_text + at, ",f%d", f));
        at += (size_t)sprintf(data_text + at, "\n");
        to += (size_t)(i ? sprintf(table_text + to, "n%d_%d,%d,f%d,%c,%s,%d\n", (i - 1) / 2, i % 2,
                                   i, i / 4, 'a' + i % 3, i % 2 ? "yes" : "no", i > 15)
                         : sprintf(table_text + to, "id,age,family,word,ill,set\n"));
    }
    write_text(data_path, data_text);
    write_text(table_path, table_text);
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        snprintf(options, sizeof options, "id=id,metadata=%s,%s%s", table_path,
                 strstr(more[i], "class") || strstr(more[i], "target") ? "" : "no-class,", more[i]);
        struct files files = {data_path, options};
        hsel_error error = {0};
        assert_ok(load_all(&files, &error), error);
        assert_true(hs_oom_each(more[i], load_all, &files) > 30);
    }
    hs_folder_free(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs),
                                       cmocka_unit_test(test_covariates),
                                       cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

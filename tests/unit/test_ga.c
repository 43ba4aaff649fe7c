/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The genetic search as a whole: one seed, one answer, at any number of threads (hs_parallel_for)
 * and after any interruption; the fast fitness finds what the general one finds; elites stay;
 * settings come from presets unless given; what cannot be is refused plainly.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/journal.h"
#include "core/mem.h"
#include "core/progress.h"
#include "data/counts.h"
#include "select/select.h"
#include "support/cmocka.h"
#include "support/folder.h"
#include "support/oom.h"
#include "support/random_data.h"
#include "support/threads.h"

HS_TEST_USES_THREADS

struct world {
    hsel_dataset *data;
    hs_counts counts;
    hs_training training;
};

static void world_new(struct world *w, uint64_t seed, uint32_t features, uint32_t classes,
                      double parents)
{
    hs_random_shape shape = {.instances = 60,
                             .features = features,
                             .classes = classes,
                             .density = 0.2,
                             .parents = parents,
                             .true_path = parents > 0};
    hs_stream stream;
    hsel_error error = {0};
    hs_stream_init(&stream, seed, "test", 0, 0);
    *w = (struct world){.data = hs_random_dataset(&stream, &shape)};
    w->training = (hs_training){
        .view = hs_view_all(w->data), .counts = &w->counts, .seed = seed, .threads = 1};
    assert_ok(hs_counts_of(&w->training.view, &w->counts, &error), error);
}

static void world_free(struct world *w)
{
    hs_counts_clear(&w->counts);
    hsel_dataset_free(w->data);
}

#define WORDS 4 /* up to 256 features */

/* The answer of a method text. */
static int search(const hs_training *training, const char *text, uint64_t *set, hsel_error *error)
{
    hs_chosen chosen = {0};
    void *state = NULL;
    memset(set, 0, WORDS * sizeof *set);
    int status = hs_chosen_parse(HS_SELECTOR, text, &chosen, error);
    if (status == HSEL_OK)
        status = chosen.method->selector->prepare(training, chosen.options, &state, error);
    if (status == HSEL_OK)
        status = chosen.method->selector->select_features(state, set, error);
    if (state)
        chosen.method->selector->free(state);
    hs_chosen_clear(&chosen);
    return status;
}

static void find(const struct world *w, const char *text, uint64_t *set)
{
    hsel_error error = {0};
    assert_ok(search(&w->training, text, set, &error), error);
}

static bool same(const uint64_t *a, const uint64_t *b)
{
    return memcmp(a, b, WORDS * sizeof *a) == 0;
}

static const char *const kinds[] = {
    "ga:preset=bitwise,population=21,generations=12",
    "ga:preset=she,population=20,generations=12",
    "ga:preset=cbhe,population=23,generations=12",
    "ga:preset=she,population=20,generations=8,mutate=sequential",
    "ga:preset=cbhe,population=20,generations=8,mutate=sequential,elite=0",
    "ga:preset=bitwise,population=11,generations=6,crossover=0",
};
#define KINDS (sizeof kinds / sizeof kinds[0])

static void test_threads_do_not_matter(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        struct world w;
        uint64_t one[WORDS], other[WORDS];
        world_new(&w, 10 + k, 150, 2 + k % 2, 1.3);
        find(&w, kinds[k], one);
        for (int threads = 2; threads <= 8; threads += 6) {
            w.training.threads = threads;
            find(&w, kinds[k], other);
            assert_true(same(one, other));
        }
        world_free(&w);
    }
}

static void test_fast_and_general_search_alike(void **state)
{
    char text[200];
    (void)state;
    for (size_t k = 0; k < KINDS; k++)
        for (uint32_t classes = 2; classes < 5; classes++) {
            struct world w;
            uint64_t fast[WORDS], general[WORDS];
            world_new(&w, 30 + k, 70, classes, 1.3);
            find(&w, kinds[k], fast);
            snprintf(text, sizeof text, "%s,fitness=general", kinds[k]);
            find(&w, text, general);
            assert_true(same(fast, general));
            world_free(&w);
        }
}

static void test_seeds(void **state)
{
    struct world w;
    uint64_t first[WORDS], again[WORDS], by_option[WORDS], by_training[WORDS];
    (void)state;
    world_new(&w, 1, 200, 2, 1.3);
    find(&w, kinds[1], first);
    find(&w, kinds[1], again);
    assert_true(same(first, again));
    find(&w, "ga:preset=she,population=20,generations=12,seed=7", by_option);
    assert_false(same(first, by_option));
    w.training.seed = 2;
    find(&w, kinds[1], by_training);
    assert_false(same(first, by_training));
    /* the seed of the option does not put that of the training part out of force */
    find(&w, "ga:preset=she,population=20,generations=12,seed=7", again);
    assert_false(same(again, by_option));
    world_free(&w);
}

static void test_mask_is_kept(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        struct world w;
        uint64_t mask[WORDS] = {UINT64_C(0x5555555555555555), UINT64_C(0xFFFF)}, set[WORDS];
        world_new(&w, 50 + k, 150, 2, 1.3);
        w.training.view.features = mask;
        find(&w, kinds[k], set);
        for (int i = 0; i < WORDS; i++)
            assert_true((set[i] & ~mask[i]) == 0);
        world_free(&w);
    }
}

/* ---- presets ---- */

static void test_presets(void **state)
{
    static const char *const equal[][2] = {
        {"ga:preset=bitwise", "ga:mutation=bitwise,population=138,generations=80,elite=6,"
                              "tournament=4,crossover=0.93,sp=0.02"},
        {"ga:preset=she", "ga:mutation=she,population=62,generations=96,elite=2,tournament=5,"
                          "crossover=0.98,sp=0.03,bp=0.19"},
        {"ga", "ga:preset=bitwise,mutation=cbhe,population=146,generations=149,elite=4,"
               "tournament=6,crossover=0.95,sp=0.06"},
        {"ga:mutation=she,elite=5", "ga:preset=she,elite=5"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof equal / sizeof equal[0]; i++) {
        struct world w;
        uint64_t a[WORDS], b[WORDS];
        world_new(&w, 70 + i, 100, 2, 1.3);
        find(&w, equal[i][0], a);
        find(&w, equal[i][1], b);
        assert_true(same(a, b));
        world_free(&w);
    }
}

/* ---- what is told on the way ---- */

struct told {
    uint64_t last, stop_at;
    uint32_t calls;
};

static int tell(void *context, uint64_t done, uint64_t total, const char *what)
{
    struct told *told = context;
    assert_int_equal(total, 12);
    assert_non_null(strstr(what, "best "));
    told->calls++;
    told->last = done;
    return done == told->stop_at;
}

/* Stopped in every generation in turn and taken up again: the same answer and the same log as
 * without a break. */
static void test_interrupted_runs_end_alike(void **state)
{
    hs_folder folder;
    (void)state;
    for (size_t k = 0; k < 3; k++)
        for (uint64_t stop = 0; stop < 12; stop += 5) {
            struct world w;
            uint64_t plain[WORDS], resumed[WORDS];
            char log[600], checkpoint[600], other[600];
            struct told told = {.stop_at = stop};
            hs_progress progress = {tell, &told};
            hsel_error error = {0};
            hs_folder_new(&folder);
            snprintf(log, sizeof log, "%s", hs_folder_file(&folder, "a.jsonl"));
            snprintf(other, sizeof other, "%s", hs_folder_file(&folder, "b.jsonl"));
            snprintf(checkpoint, sizeof checkpoint, "%s", hs_folder_file(&folder, "a.ga"));
            world_new(&w, 90 + k, 130, 2, 1.3);
            assert_ok(hs_journal_open(other, NULL, &w.training.journal, &error), error);
            find(&w, kinds[k], plain);
            assert_ok(hs_journal_close(w.training.journal, &error), error);

            assert_ok(hs_journal_open(log, checkpoint, &w.training.journal, &error), error);
            w.training.progress = &progress;
            assert_int_equal(search(&w.training, kinds[k], resumed, &error), HSEL_ECANCELLED);
            assert_int_equal(told.last, stop);
            assert_ok(hs_journal_close(w.training.journal, &error), error);

            assert_ok(hs_journal_open(log, checkpoint, &w.training.journal, &error), error);
            told = (struct told){.stop_at = 99};
            w.training.threads = 2;
            find(&w, kinds[k], resumed);
            assert_int_equal(told.calls, 13 - stop);
            assert_ok(hs_journal_close(w.training.journal, &error), error);
            assert_true(same(plain, resumed));
            size_t length;
            char *a = hs_slurp(log, &length), *b = hs_slurp(other, &length);
            assert_string_equal(a, b);
            free(a);
            free(b);
            world_free(&w);
            hs_folder_free(&folder);
        }
}

static double number_after(const char *line, const char *key)
{
    const char *at = strstr(line, key);
    assert_non_null(at);
    return strtod(at + strlen(key), NULL);
}

/* One line a generation; with elites the best never gets worse; the answer is the last best. */
static void test_log(void **state)
{
    hs_folder folder;
    struct world w;
    uint64_t set[WORDS];
    hsel_error error = {0};
    uint32_t generation = 0, size = 0;
    double best = 0, final = 0;
    (void)state;
    hs_folder_new(&folder);
    world_new(&w, 5, 150, 2, 1.3);
    assert_ok(hs_journal_open(hs_folder_file(&folder, "log"), NULL, &w.training.journal, &error),
              error);
    find(&w, "ga:preset=cbhe,population=30,generations=25", set);
    assert_ok(hs_journal_close(w.training.journal, &error), error);
    size_t length;
    char *text = hs_slurp(hs_folder_file(&folder, "log"), &length);
    char *line = strtok(text, "\n");
    assert_non_null(strstr(line, "\"search\":\"ga\",\"mutation\":\"cbhe\""));
    while ((line = strtok(NULL, "\n")) && !strstr(line, "\"end\"")) {
        assert_int_equal(number_after(line, "\"generation\":"), generation++);
        double now = number_after(line, "\"best\":");
        assert_true(now >= best && now >= number_after(line, "\"mean\":"));
        best = now;
    }
    assert_non_null(line);
    final = number_after(line, "\"best\":");
    size = (uint32_t)number_after(line, "\"size\":");
    assert_true(final == best);
    assert_int_equal(size, hs_bits_count(set, WORDS));
    assert_int_equal(generation, 26);
    free(text);
    world_free(&w);
    hs_folder_free(&folder);
}

/* Without a feature that says anything all sets are worth the same: the first generation is the
 * last, and of equal sets the smallest is the answer. */
static void test_convergence(void **state)
{
    hs_folder folder;
    struct world w;
    uint64_t set[WORDS], mask[WORDS] = {0};
    hsel_error error = {0};
    (void)state;
    hs_folder_new(&folder);
    world_new(&w, 6, 20, 2, 0);
    w.training.view.features = mask;
    assert_ok(hs_journal_open(hs_folder_file(&folder, "log"), NULL, &w.training.journal, &error),
              error);
    find(&w, kinds[0], set);
    assert_ok(hs_journal_close(w.training.journal, &error), error);
    size_t length;
    char *text = hs_slurp(hs_folder_file(&folder, "log"), &length);
    assert_non_null(strstr(text, "{\"end\":\"converged\",\"generation\":0,\"best\":"));
    assert_int_equal(hs_bits_count(set, WORDS), 0);
    free(text);
    world_free(&w);
    hs_folder_free(&folder);
}

/* ---- checkpoints that do not fit ---- */

static void write_file(const char *path, const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void expect_checkpoint(struct world *w, const char *path, const char *method, int status,
                              const char *part)
{
    uint64_t set[WORDS];
    hsel_error error = {0};
    assert_ok(hs_journal_open(NULL, path, &w->training.journal, &error), error);
    assert_int_equal(search(&w->training, method, set, &error), status);
    if (part && !strstr(error.message, part))
        fail_msg("'%s' is not in: %s", part, error.message);
    assert_ok(hs_journal_close(w->training.journal, &error), error);
    w->training.journal = NULL;
}

static void test_checkpoints_are_judged(void **state)
{
    static const char run[] = "ga:preset=she,population=10,generations=4";
    hs_folder folder;
    struct world w;
    char path[600];
    size_t length;
    (void)state;
    hs_folder_new(&folder);
    snprintf(path, sizeof path, "%s", hs_folder_file(&folder, "run.ga"));
    world_new(&w, 7, 90, 2, 1.3);
    expect_checkpoint(&w, path, run, HSEL_OK, NULL);
    expect_checkpoint(&w, path, run, HSEL_OK, NULL); /* is at its end */
    expect_checkpoint(&w, path, "ga:preset=she,population=10,generations=3", HSEL_EUSAGE,
                      "is at generation 4");
    expect_checkpoint(&w, path, "ga:preset=she,population=12,generations=4", HSEL_EUSAGE,
                      "belongs to another run");
    expect_checkpoint(&w, path, "ga:preset=she,population=10,generations=4,sp=0.5", HSEL_EUSAGE,
                      "belongs to another run");
    w.training.seed++;
    expect_checkpoint(&w, path, run, HSEL_EUSAGE, "belongs to another run");
    w.training.seed--;
    char *bytes = hs_slurp(path, &length);
    for (size_t at = 0; at < length; at += 1 + length / 50) { /* a bit off anywhere */
        bytes[at] ^= 4;
        write_file(path, bytes, length);
        expect_checkpoint(&w, path, run, HSEL_EFORMAT, "is damaged or not a checkpoint of ga");
        bytes[at] ^= 4;
        write_file(path, bytes, at);
        expect_checkpoint(&w, path, run, at ? HSEL_EFORMAT : HSEL_OK, NULL);
    }
    write_file(path, bytes, length);
    /* prolonged: as if it had been longer from the beginning */
    uint64_t longer[WORDS], prolonged[WORDS];
    hsel_error error = {0};
    find(&w, "ga:preset=she,population=10,generations=9", longer);
    assert_ok(hs_journal_open(NULL, path, &w.training.journal, &error), error);
    find(&w, "ga:preset=she,population=10,generations=9", prolonged);
    assert_ok(hs_journal_close(w.training.journal, &error), error);
    assert_true(same(longer, prolonged));
    free(bytes);
    world_free(&w);
    hs_folder_free(&folder);
}

/* ---- what cannot be ---- */

static void expect(const struct world *w, const char *text, int status, const char *part)
{
    uint64_t set[WORDS];
    hsel_error error = {0};
    assert_int_equal(search(&w->training, text, set, &error), status);
    if (!strstr(error.message, part))
        fail_msg("'%s' is not in: %s", part, error.message);
}

static void test_bad_settings(void **state)
{
    struct world w;
    (void)state;
    world_new(&w, 8, 20, 2, 1.3);
    expect(&w, "ga:sp=1.5", HSEL_EUSAGE, "option sp takes");
    expect(&w, "ga:sp=-0.5", HSEL_EUSAGE, "takes a probability from 0 to 1");
    expect(&w, "ga:bp=-0.1", HSEL_EUSAGE, "option bp of ga takes a probability");
    expect(&w, "ga:crossover=-0.1", HSEL_EUSAGE, "option crossover of ga takes a probability");
    expect(&w, "ga:crossover=2", HSEL_EUSAGE, "option crossover takes");
    expect(&w, "ga:population=4,elite=4", HSEL_EUSAGE, "elite must be below population");
    expect(&w, "ga:preset=cbhe,population=3", HSEL_EUSAGE,
           "an elite of 4 sets of a population of 3");
    expect(&w, "ga:classifier=nbb", HSEL_EUSAGE, "did you mean 'nb'?");
    expect(&w, "ga:classifier=knn:k=0", HSEL_EUSAGE, "option k takes");
    expect(&w, "ga:metric=gmm", HSEL_EUSAGE, "option metric takes");
    expect(&w, "ga:folds=1", HSEL_EUSAGE, "option folds takes");
    expect(&w, "ga:folds=61", HSEL_EUSAGE, "60 instances into 61 inner folds");
    world_free(&w);
}

static void test_hierarchy_is_needed(void **state)
{
    struct world w;
    uint64_t set[WORDS];
    (void)state;
    world_new(&w, 9, 20, 2, 0);
    assert_null(w.data->dag);
    expect(&w, "ga", HSEL_EUSAGE, "ga with the mutation cbhe needs a hierarchy");
    expect(&w, "ga:mutation=she", HSEL_EUSAGE, "use ga:preset=bitwise");
    find(&w, "ga:preset=bitwise,population=10,generations=3", set);
    world_free(&w);
}

/* A tournament larger than the population is drawn with replacement; one of one is pure chance. */
static void test_extremes(void **state)
{
    static const char *const texts[] = {
        "ga:preset=she,population=2,generations=3,elite=1,tournament=50",
        "ga:preset=she,population=1,generations=3,elite=0,tournament=1",
        "ga:preset=bitwise,population=6,elite=1,generations=3,sp=1,crossover=1",
        "ga:preset=cbhe,population=6,elite=1,generations=3,sp=0,crossover=0",
        "ga:preset=she,population=8,generations=3,classifier=knn:k=3,metric=auroc",
    };
    struct world w;
    uint64_t set[WORDS];
    (void)state;
    world_new(&w, 12, 20, 2, 1.3);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        find(&w, texts[i], set);
    world_free(&w);
}

static int search_small(void *context, hsel_error *error)
{
    const struct world *w = context;
    uint64_t set[WORDS];
    return search(&w->training, "ga:preset=cbhe,population=6,generations=3", set, error);
}

static void test_out_of_memory(void **state)
{
    struct world w;
    (void)state;
    world_new(&w, 13, 20, 3, 1.3);
    assert_true(hs_oom_each("ga", search_small, &w) > 30);
    w.training.threads = 2;
    assert_true(hs_oom_each("ga, two threads", search_small, &w) > 30);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_fast_and_general_search_alike),
        cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_mask_is_kept),
        cmocka_unit_test(test_presets),
        cmocka_unit_test(test_interrupted_runs_end_alike),
        cmocka_unit_test(test_log),
        cmocka_unit_test(test_convergence),
        cmocka_unit_test(test_checkpoints_are_judged),
        cmocka_unit_test(test_bad_settings),
        cmocka_unit_test(test_hierarchy_is_needed),
        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running a study (hs_study_run, which uses hs_parallel_for): what comes out is what
 * cross-validation of the whole gives; it can be stopped and continued at any point; failures are
 * kept and told.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/mem.h"
#include "evaluate/crossval.h"
#include "evaluate/fold_file.h"
#include "rank/rank.h"
#include "study/runner.h"
#include "study/unit.h"
#include "support/cmocka.h"
#include "support/folder.h"
#include "support/oom.h"
#include "support/small_study.h"

static hs_folder folder;
static char path[512], other_path[512];
static hs_small_study small;
static hs_study *study;

static int set_up(void **state)
{
    (void)state;
    hs_folder_new(&folder);
    strcpy(path, hs_folder_file(&folder, "a.db"));
    strcpy(other_path, hs_folder_file(&folder, "b.db"));
    hs_small_study_new(&small, folder.path);
    study = &small.study;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    hs_folder_free(&folder);
    return 0;
}

static hs_store *open_store(const char *where)
{
    hsel_error error = {0};
    hs_store *store = NULL;
    assert_ok(hs_store_open(where, HS_STORE_WRITE, false, &store, &error), error);
    return store;
}

static hs_run_summary run_at(const char *where, hs_run_options options)
{
    hsel_error error = {0};
    hs_run_summary summary;
    hs_store *store = open_store(where);
    assert_ok(hs_study_run(study, store, &options, &summary, &error), error);
    hs_store_close(store);
    return summary;
}

static void assert_same_tables(const char *a, const char *b)
{
    char *one = hs_small_study_table(study, a), *other = hs_small_study_table(study, b);
    assert_string_equal(one, other);
    assert_true(strlen(one) > 1000);
    hs_free(one);
    hs_free(other);
}

/* 3 sets x 4 selectors x 2 classifiers x 5 folds x 2 repeats; rpv, hip and shsel fail on the set
 * without hierarchy. */
enum { ALL = 240, FAILED = 60 };

/* ---- results ---- */

static void test_counts(void **state)
{
    (void)state;
    hs_run_summary s = run_at(path, (hs_run_options){.threads = 2});
    assert_int_equal(s.jobs.all, ALL);
    assert_int_equal(s.jobs.done, ALL - FAILED);
    assert_int_equal(s.jobs.failed, FAILED);
    assert_int_equal(s.jobs.there, 0);
    assert_int_equal(s.threads, 2);
    assert_true(s.seconds > 0 && s.method_seconds > 0 && s.method_seconds < 2 * s.seconds);
    s = run_at(path, (hs_run_options){.threads = 2});
    assert_int_equal(s.jobs.there, ALL - FAILED);
    assert_int_equal(s.jobs.there_failed, FAILED);
    assert_int_equal(s.jobs.done + s.jobs.failed, 0);
    s = run_at(path, (hs_run_options){.threads = 2, .retry_failed = true});
    assert_int_equal(s.jobs.there, ALL - FAILED);
    assert_int_equal(s.jobs.there_failed, 0);
    assert_int_equal(s.jobs.failed, FAILED);
}

static void compare_repeat(hs_store *store, const hs_workload *work, int64_t id, size_t s, size_t c,
                           uint32_t repeat)
{
    hsel_error error = {0};
    hs_stored got = {0};
    hs_crossval whole = {0};
    size_t n = work->data->instances, k = work->data->class_names.count;
    assert_ok(hs_store_get(store, id, study->selectors[s].text, study->classifiers[c].text, "own",
                           5, study->seed + repeat, &got, &error),
              error);
    if (work->unfit[s * study->classifier_count + c]) {
        assert_int_equal(got.failed, 5);
        assert_non_null(strstr(got.message, "needs a hierarchy, and flat has none"));
        hs_stored_clear(&got);
        return;
    }
    assert_int_equal(got.folds_there, 5);
    assert_ok(hs_crossval_run(&(hs_crossval_request){.data = work->data,
                                                     .folds = &work->folds[repeat],
                                                     .selectors = &work->methods->selectors[s],
                                                     .classifiers = &work->methods->classifiers[c],
                                                     .selector_count = 1,
                                                     .classifier_count = 1,
                                                     .seed = study->seed + repeat,
                                                     .threads = 1},
                              &whole, &error),
              error);
    assert_memory_equal(got.probability, whole.classifiers[0].probability, n * k * sizeof(double));
    assert_memory_equal(got.selected, whole.selectors[0].selected, n * sizeof(uint32_t));
    assert_memory_equal(got.fold_of, work->folds[repeat].fold_of, n * sizeof(uint32_t));
    assert_memory_equal(got.truth, work->data->class_of, n * sizeof(uint32_t));
    uint64_t total[64] = {0}, tested;
    assert_ok(hs_store_frequencies(store, id, study->selectors[s].text, "own", 5,
                                   study->seed + repeat, 1, total, &tested, &error),
              error);
    assert_int_equal(tested, n);
    for (uint32_t f = 0; f < work->data->features; f++)
        assert_int_equal(total[f], whole.selectors[0].frequency[f]);
    hs_crossval_clear(&whole);
    hs_stored_clear(&got);
}

/* Fold by fold is the same as the whole at once, to the last bit. */
static void test_same_as_whole(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_run_methods methods = {0};
    run_at(path, (hs_run_options){.threads = 3});
    assert_ok(hs_run_methods_parse(study, &methods, &error), error);
    hs_store *store = open_store(path);
    for (size_t d = 0; d < study->dataset_count; d++) {
        hs_workload work;
        hs_stored_dataset found;
        assert_ok(hs_workload_open(study, d, &methods, &work, &error), error);
        assert_ok(hs_store_find_dataset(store, study->datasets[d].name, &found, &error), error);
        assert_true(found.fingerprint == work.fingerprint);
        for (size_t s = 0; s < study->selector_count; s++)
            for (size_t c = 0; c < study->classifier_count; c++)
                for (uint32_t r = 0; r < study->repeats; r++)
                    compare_repeat(store, &work, found.id, s, c, r);
        hs_stored_dataset_clear(&found);
        hs_workload_clear(&work);
    }
    hs_store_close(store);
    hs_run_methods_clear(&methods);
}

static void test_any_number_of_threads(void **state)
{
    (void)state;
    run_at(path, (hs_run_options){.threads = 1});
    run_at(other_path, (hs_run_options){.threads = 8});
    assert_same_tables(path, other_path);
    char *table = hs_small_study_table(study, path);
    assert_non_null(strstr(table,
                           "dataset,selector,classifier,metric,pooled,fold_mean,sd,selected_pct\n"
                           "one,none,nb,gm,0."));
    assert_non_null(strstr(table, "\nflat,rpv,nb,gm,,,,\n")); /* failed: nothing to show */
    assert_non_null(strstr(table, "\ntwo,shsel:threshold=0.9,knn:k=3,accuracy,0."));
    hs_free(table);
}

/* A further classifier, selector, repeat: only what is new is done. */
static void test_growing_study(void **state)
{
    (void)state;
    run_at(path, (hs_run_options){.threads = 2});
    hs_small_study_classifier(&small, "knn");
    hs_run_summary s = run_at(path, (hs_run_options){.threads = 2});
    assert_int_equal(s.jobs.all, ALL / 2 * 3);
    assert_int_equal(s.jobs.there, ALL - FAILED);
    assert_int_equal(s.jobs.done, (ALL - FAILED) / 2);
    hs_small_study_selector(&small, "all-pos");
    s = run_at(path, (hs_run_options){.threads = 2});
    assert_int_equal(s.jobs.done, 3 * 3 * 5 * 2);
    study->repeats = 3;
    s = run_at(path, (hs_run_options){.threads = 2});
    assert_int_equal(s.jobs.done + s.jobs.failed, 3 * 5 * 3 * 5);
    run_at(other_path, (hs_run_options){.threads = 1});
    assert_same_tables(path, other_path);
}

static void test_leave_one_out(void **state)
{
    (void)state;
    study->scheme = "loo";
    study->repeats = 1;
    hs_run_summary s = run_at(path, (hs_run_options){.threads = 2});
    assert_int_equal(s.jobs.all, (40 + 31 + 24) * 4 * 2);
    assert_int_equal(s.jobs.done, (40 + 31) * 4 * 2 + 24 * 2);
    char *table = hs_small_study_table(study, path);
    assert_null(strstr(table, "one,none,nb,accuracy,,"));
    hs_free(table);
}

static void test_fold_file(void **state)
{
    (void)state;
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    hs_folds folds = {0};
    char file[600], scheme[620];
    snprintf(file, sizeof file, "%s/folds.tsv", folder.path);
    snprintf(scheme, sizeof scheme, "file:%s", file);
    study->dataset_count = 1;
    study->datasets[0] = study->datasets[2]; /* the one in a file */
    assert_ok(hsel_dataset_read(small.flat, NULL, &data, &error), error);
    assert_ok(hs_folds_choose("own", data, 3, 1, &folds, &error), error);
    assert_ok(hs_folds_write(&folds, data, file, &error), error);
    hs_folds_clear(&folds);
    study->scheme = scheme;
    hs_run_summary s = run_at(path, (hs_run_options){.threads = 2});
    assert_int_equal(s.jobs.all, 3 * 4 * 2 * 2);
    s = run_at(path, (hs_run_options){.threads = 2});
    assert_int_equal(s.jobs.there, 3 * 2 * 2);
    /* Other folds in the file: results would be mixed. */
    assert_ok(hs_folds_choose("own", data, 3, 2, &folds, &error), error);
    assert_ok(hs_folds_write(&folds, data, file, &error), error);
    hs_folds_clear(&folds);
    hs_store *store = open_store(path);
    assert_int_equal(hs_study_run(study, store, &(hs_run_options){.threads = 1}, &s, &error),
                     HSEL_EUSAGE);
    assert_non_null(strstr(error.message, "the store has results for other folds"));
    hs_store_close(store);
    hsel_dataset_free(data);
}

/* ---- stopping ---- */

struct stopper {
    uint64_t after, calls, last_done, last_total;
};

static int stop_after(void *context, uint64_t done, uint64_t total, const char *what)
{
    struct stopper *stopper = context;
    assert_non_null(what);
    assert_true(done >= stopper->last_done && done <= total);
    stopper->last_done = done;
    stopper->last_total = total;
    return ++stopper->calls >= stopper->after;
}

/* Stopped after seven reports and gone on with, again and again, with one thread or with one to
 * four in turn. Returns how often it was started. */
static int run_in_pieces(bool many_threads)
{
    hsel_error error = {0};
    hs_run_summary s;
    uint64_t before = 0;
    int rounds = 0, status = HSEL_ECANCELLED;
    for (; status == HSEL_ECANCELLED && rounds < 200; rounds++) {
        struct stopper stopper = {.after = 7};
        hs_progress progress = {stop_after, &stopper};
        hs_run_options options = {.threads = many_threads ? 1 + rounds % 4 : 1,
                                  .progress = &progress};
        hs_store *store = open_store(path);
        status = hs_study_run(study, store, &options, &s, &error);
        hs_store_close(store);
        if (status == HSEL_ECANCELLED) {
            uint64_t there = s.jobs.there + s.jobs.there_failed;
            assert_true(there >= before); /* what was finished is never lost */
            before = there + s.jobs.done + s.jobs.failed;
        }
    }
    assert_ok(status, error);
    return rounds;
}

static void test_stopped_and_continued(void **state)
{
    (void)state;
    assert_true(run_in_pieces(false) > 10);
    run_at(other_path, (hs_run_options){.threads = 1});
    assert_same_tables(path, other_path);
}

/* How much other threads still finish when one is stopped is up to them. */
static void test_threads_stopped_and_continued(void **state)
{
    (void)state;
    assert_true(run_in_pieces(true) > 1);
    run_at(other_path, (hs_run_options){.threads = 1});
    assert_same_tables(path, other_path);
}

static void test_progress(void **state)
{
    (void)state;
    struct stopper never = {.after = 1000000};
    hs_progress progress = {stop_after, &never};
    run_at(path, (hs_run_options){.threads = 4, .progress = &progress});
    assert_int_equal(never.last_done, ALL);
    assert_int_equal(never.last_total, ALL);
    assert_true(never.calls >= ALL / 2);
}

/* ---- what is not there or does not work ---- */

struct told {
    char notes[2000];
    hs_run_jobs jobs[8];
    const char *names[8];
    size_t count;
};

static void take_note(void *context, const char *text)
{
    struct told *told = context;
    size_t used = strlen(told->notes);
    snprintf(told->notes + used, sizeof told->notes - used, "%s\n", text);
}

static void take_dataset(void *context, const hs_study_dataset *set, const hs_run_jobs *jobs)
{
    struct told *told = context;
    told->names[told->count] = set->name;
    told->jobs[told->count++] = *jobs;
}

static void test_unreadable(void **state)
{
    (void)state;
    struct told told = {0};
    char bad[600];
    snprintf(bad, sizeof bad, "%s/bad.arff", folder.path);
    FILE *file = fopen(bad, "w");
    assert_non_null(file);
    fputs("@relation x\n@attribute a {0,1}\n@nonsense\n", file);
    fclose(file);
    hs_small_study_dataset(&small, "bad", bad, NULL, 0);
    hs_small_study_dataset(&small, "gone", "nowhere/at-all", NULL, 0);
    small.datasets[4].missing = true;
    hs_run_summary s = run_at(
        path, (hs_run_options){
                  .threads = 2, .note = take_note, .dataset = take_dataset, .context = &told});
    assert_int_equal(s.jobs.all, ALL);
    assert_int_equal(s.jobs.done + s.jobs.failed, ALL);
    assert_int_equal(s.missing, 1);
    assert_int_equal(s.unreadable, 1);
    assert_non_null(strstr(told.notes, "gone is left out: nowhere/at-all is not there\n"));
    assert_non_null(strstr(told.notes, "bad is left out: "));
    assert_non_null(strstr(told.notes, "bad.arff:3: "));
    assert_int_equal(told.count, 3); /* each that could be read, when it was finished */
    int flat = 0; /* the last one, but the threads may have finished another after it */
    while (flat < 2 && strcmp(told.names[flat], "flat") != 0)
        flat++;
    assert_string_equal(told.names[flat], "flat");
    assert_int_equal(told.jobs[flat].failed, FAILED);
    assert_int_equal(told.jobs[flat].done, 80 - FAILED);
}

/* Data that cannot be cross-validated: every job failed, and says why. */
static void test_unfit_data(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_stored_dataset found;
    hs_stored got = {0};
    study->folds = 30; /* flat has 24 instances */
    hs_run_summary s = run_at(path, (hs_run_options){.threads = 2});
    assert_int_equal(s.jobs.failed, 30 * 4 * 2 * 2);
    hs_store *store = open_store(path);
    assert_ok(hs_store_find_dataset(store, "flat", &found, &error), error);
    assert_ok(hs_store_get(store, found.id, "none", "nb", "own", 30, study->seed, &got, &error),
              error);
    assert_int_equal(got.failed, 30);
    assert_non_null(strstr(got.message, "24"));
    hs_stored_clear(&got);
    hs_stored_dataset_clear(&found);
    hs_store_close(store);
    assert_int_equal(run_at(path, (hs_run_options){.threads = 2}).jobs.failed, 0);
}

static void test_plan(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_run_summary s;
    struct told told = {0};
    hs_run_options plan = {.plan_only = true, .dataset = take_dataset, .context = &told};
    assert_ok(hs_study_run(study, NULL, &plan, &s, &error), error);
    assert_int_equal(s.jobs.all, ALL);
    assert_int_equal(s.jobs.there + s.jobs.done, 0);
    assert_int_equal(told.count, 3);
    assert_int_equal(told.jobs[1].all, 80);
    /* With a store that has one of the data sets. */
    study->dataset_count = 1;
    run_at(path, (hs_run_options){.threads = 2});
    study->dataset_count = 3;
    hs_store *store = NULL;
    assert_ok(hs_store_open(path, HS_STORE_READ, false, &store, &error), error);
    told.count = 0;
    assert_ok(hs_study_run(study, store, &plan, &s, &error), error);
    hs_store_close(store);
    assert_int_equal(told.jobs[0].there, 80);
    assert_int_equal(told.jobs[1].there, 0);
    assert_int_equal(s.jobs.there, 80);
    assert_int_equal(s.jobs.done, 0);
}

static void test_bad_methods(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_run_summary s;
    hs_store *store = open_store(path);
    hs_small_study_classifier(&small, "nbb");
    assert_int_equal(hs_study_run(study, store, &(hs_run_options){.threads = 1}, &s, &error),
                     HSEL_EUSAGE);
    assert_non_null(strstr(error.message, "there is no classifier 'nbb'"));
    study->classifier_count--;
    study->seed = UINT64_MAX - 3;
    assert_int_equal(hs_study_run(study, store, &(hs_run_options){.threads = 1}, &s, &error),
                     HSEL_ELIMIT);
    hs_store_close(store);
}

static void test_full_disk(void **state)
{
    (void)state;
    hsel_error error = {0};
    struct rlimit as_it_was, limit;
    int full = 0, status = HSEL_EIO;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &as_it_was), 0);
    for (rlim_t bytes = 250 * 1024; status != HSEL_OK && bytes < 100 << 20; bytes += 100 * 1024) {
        hs_run_summary s;
        hs_store *store = open_store(path);
        limit = as_it_was;
        limit.rlim_cur = bytes;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
        status = hs_study_run(study, store, &(hs_run_options){.threads = 2}, &s, &error);
        hs_store_close(store);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &as_it_was), 0);
        if (status) {
            full++;
            assert_int_equal(status, HSEL_EIO);
            assert_non_null(
                strstr(error.message, "a.db: the store cannot be written: is the disk full?"));
        }
    }
    signal(SIGXFSZ, SIG_DFL);
    assert_ok(status, error);
    assert_true(full > 0);
    run_at(other_path, (hs_run_options){.threads = 1});
    assert_same_tables(path, other_path);
}

/* ---- rankings ---- */

/* Numeric features, which lift cannot score, and the positive class is the second. */
static void add_numbers(void)
{
    static char numbers[600];
    snprintf(numbers, sizeof numbers, "%s", hs_folder_file(&folder, "numbers.csv"));
    FILE *file = fopen(numbers, "w");
    assert_non_null(file);
    assert_true(fputs("a,b,c,d,class\n", file) >= 0);
    for (int i = 0; i < 30; i++)
        assert_true(fprintf(file, "%d.5,%d,%d.25,7.5,%s\n", i * 7 % 13, i * i % 11, i,
                            i % 3 ? "yes" : "no") > 0);
    assert_int_equal(fclose(file), 0);
    hs_small_study_dataset(&small, "numbers", numbers, NULL, 0);
}

static void add_rankers(void)
{
    static const char *const rankers[] = {"auc", "ig", "lift", "relieff"};
    add_numbers();
    for (size_t i = 0; i < 4; i++)
        hs_small_study_ranker(&small, rankers[i]);
}

/* What the store has is what each ranker alone gives. */
static void compare_rankings(hs_store *store, size_t d, const char *ranker)
{
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    hs_chosen chosen = {0};
    hs_counts counts = {0};
    int64_t id;
    hs_job_state state;
    double direct[64] = {0}, got[64], *scores = direct;
    char *message;
    assert_ok(hs_study_load(&study->datasets[d], &data, &error), error);
    hs_view all = hs_view_all(data);
    assert_ok(hs_ranker_parse(ranker, &chosen, &error), error);
    assert_ok(hs_counts_of(&all, &counts, &error), error);
    assert_ok(hs_store_find_content(store, hs_dataset_fingerprint(data), &id, &error), error);
    assert_ok(
        hs_store_get_ranking(store, id, ranker, data->features, got, &state, &message, &error),
        error);
    if (hs_ranker_check(data, chosen.method, &error)) {
        assert_int_equal(state, HS_JOB_FAILED);
        assert_non_null(strstr(message, "lift needs binary features, and feature a of numbers"));
    } else {
        assert_int_equal(state, HS_JOB_OK);
        assert_null(message);
        assert_ok(hs_rank_features(&(hs_training){.view = all, .counts = &counts, .threads = 1},
                                   &chosen, 1, &scores, &error),
                  error);
        assert_memory_equal(got, direct, data->features * sizeof *got);
    }
    hs_free(message);
    hs_counts_clear(&counts);
    hs_chosen_clear(&chosen);
    hsel_dataset_free(data);
}

static void test_rankings(void **state)
{
    (void)state;
    add_rankers();
    hs_run_summary s = run_at(path, (hs_run_options){.threads = 1});
    assert_int_equal(s.rankings.all, 16);
    assert_int_equal(s.rankings.done, 15);
    assert_int_equal(s.rankings.failed, 1);
    hs_store *store = open_store(path);
    for (size_t d = 0; d < study->dataset_count; d++)
        for (size_t r = 0; r < study->ranker_count; r++)
            compare_rankings(store, d, study->rankers[r].text);
    hs_store_close(store);
    run_at(other_path, (hs_run_options){.threads = 8});
    assert_int_equal(hs_small_study_same_rankings(study, path, other_path), 15);
    assert_same_tables(path, other_path);
    s = run_at(path, (hs_run_options){.threads = 2});
    assert_int_equal(s.rankings.there, 15);
    assert_int_equal(s.rankings.there_failed, 1);
    assert_int_equal(s.rankings.done + s.rankings.failed, 0);
    s = run_at(path, (hs_run_options){.threads = 2, .retry_failed = true});
    assert_int_equal(s.rankings.there_failed, 0);
    assert_int_equal(s.rankings.failed, 1);
}

/* A further ranker: only it is done, though everything else is there. */
static void test_growing_rankings(void **state)
{
    (void)state;
    run_at(path, (hs_run_options){.threads = 2});
    hs_small_study_ranker(&small, "ks");
    hs_small_study_ranker(&small, "gr");
    hs_run_summary s = run_at(path, (hs_run_options){.threads = 2});
    assert_int_equal(s.rankings.done, 6);
    assert_int_equal(s.jobs.done + s.jobs.failed, 0);
    hs_small_study_ranker(&small, "su");
    s = run_at(path, (hs_run_options){.plan_only = true});
    assert_int_equal(s.rankings.all, 9);
    assert_int_equal(s.rankings.there, 6);
    assert_int_equal(s.rankings.done, 0);
    s = run_at(path, (hs_run_options){.threads = 2});
    assert_int_equal(s.rankings.there, 6);
    assert_int_equal(s.rankings.done, 3);
    run_at(other_path, (hs_run_options){.threads = 1});
    assert_int_equal(hs_small_study_same_rankings(study, path, other_path), 9);
}

static void test_rankings_stopped(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_run_summary s;
    uint64_t done = 0;
    int rounds = 0, status = HSEL_ECANCELLED;
    add_rankers();
    for (; status == HSEL_ECANCELLED && rounds < 400; rounds++) {
        struct stopper stopper = {.after = 7};
        hs_progress progress = {stop_after, &stopper};
        hs_store *store = open_store(path);
        status = hs_study_run(study, store,
                              &(hs_run_options){.threads = 1 + rounds % 4, .progress = &progress},
                              &s, &error);
        hs_store_close(store);
        done += s.rankings.done;
    }
    assert_ok(status, error);
    assert_true(rounds > 10);
    assert_int_equal(done, 15); /* none of them twice */
    run_at(other_path, (hs_run_options){.threads = 1});
    assert_int_equal(hs_small_study_same_rankings(study, path, other_path), 15);
}

/* ---- memory ---- */

static int run_small(void *context, hsel_error *error)
{
    hs_store *store = NULL;
    hs_run_summary s;
    (void)context;
    unlink(path);
    int status = hs_store_open(path, HS_STORE_WRITE, false, &store, error);
    if (status == HSEL_OK)
        status = hs_study_run(study, store, &(hs_run_options){.threads = 1}, &s, error);
    hs_store_close(store);
    return status;
}

static void test_memory(void **state)
{
    (void)state;
    study->dataset_count = 1;
    study->datasets[0] = study->datasets[2];
    study->folds = 2;
    study->repeats = 1;
    study->selector_count = 2;
    hs_small_study_ranker(&small, "auc");
    hs_small_study_ranker(&small, "ig");
    assert_true(hs_oom_each("a run", run_small, NULL) > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_same_as_whole, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_any_number_of_threads, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_growing_study, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_leave_one_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_fold_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stopped_and_continued, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_threads_stopped_and_continued, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_progress, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unreadable, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unfit_data, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_plan, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_methods, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_full_disk, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rankings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_growing_rankings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rankings_stopped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_memory, set_up, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

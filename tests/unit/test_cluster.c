/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A study on a cluster of processes, without MPI: the processes are forked and talk through
 * sockets. The table is that of a run in one process; what goes wrong in one of them ends the run
 * with its message.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <math.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/mem.h"
#include "study/runner_parts.h"
#include "support/cmocka.h"
#include "support/run_world.h"

enum { RANKS = 4 };

/* ---- a cluster of sockets: the first process has one to each of the others ---- */

static int my_rank,
    ends[RANKS]; /* ends[rank] talks to that one; in the others only ends[0] is used */

static bool transfer(int end, void *bytes, size_t length, bool out)
{
    for (size_t done = 0; done < length;) {
        ssize_t got = out ? send(end, (char *)bytes + done, length - done, MSG_NOSIGNAL)
                          : recv(end, (char *)bytes + done, length - done, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

static int socket_rank(void) { return my_rank; }
static int socket_size(void) { return RANKS; }
static int socket_start(void) { return 0; }
static void socket_stop(bool failed) { (void)failed; }

static int socket_send(int to, const void *bytes, size_t length)
{
    uint64_t head = length;
    return transfer(ends[to], &head, sizeof head, true) &&
                   transfer(ends[to], (void *)bytes, length, true)
               ? 0
               : -1;
}

static int socket_poll(int *from, size_t *length)
{
    for (int r = my_rank ? 0 : 1; r < (my_rank ? 1 : RANKS); r++) {
        struct pollfd one = {.fd = ends[r], .events = POLLIN};
        uint64_t head;
        if (poll(&one, 1, 0) <= 0)
            continue;
        if (!transfer(ends[r], &head, sizeof head, false))
            return -1;
        *from = r;
        *length = head;
        return 1;
    }
    return 0;
}

static int socket_receive(int from, void *bytes, size_t length)
{
    return transfer(ends[from], bytes, length, false) ? 0 : -1;
}

static const hs_cluster sockets = {.version = HS_CLUSTER_VERSION,
                                   .start = socket_start,
                                   .rank = socket_rank,
                                   .size = socket_size,
                                   .send = socket_send,
                                   .poll = socket_poll,
                                   .receive = socket_receive,
                                   .stop = socket_stop,
                                   .message_limit = 1 << 30};

/* ---- the study ---- */

static pid_t child[RANKS];

/* Starts the others; `work` is what they do, their exit code its result. */
static void start_others(int (*work)(void))
{
    for (int r = 1; r < RANKS; r++) {
        int pair[2];
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
        ends[r] = pair[0];
        if ((child[r] = fork()) == 0) {
            for (int other = 1; other <= r; other++)
                close(ends[other]);
            my_rank = r;
            ends[0] = pair[1];
            _exit(work());
        }
        close(pair[1]);
    }
}

static void end_others(int expected)
{
    for (int r = 1; r < RANKS; r++) {
        int status;
        close(ends[r]);
        assert_int_equal(waitpid(child[r], &status, 0), child[r]);
        assert_true(WIFEXITED(status));
        if (expected >= 0)
            assert_int_equal(WEXITSTATUS(status), expected);
    }
}

static int work_one(void) { return hs_study_work(hs_runs.study, &sockets, 1, NULL, NULL) ? 1 : 0; }
static int work_three(void)
{
    return hs_study_work(hs_runs.study, &sockets, my_rank, NULL, NULL) ? 1 : 0;
}

static int run_first(const char *where, hs_run_options options, hs_run_summary *summary,
                     hsel_error *error)
{
    hs_store *store = NULL;
    assert_ok(hs_store_open(where, HS_STORE_WRITE, false, &store, error), *error);
    options.cluster = &sockets;
    int status = hs_study_run(hs_runs.study, store, &options, summary, error);
    hs_store_close(store);
    return status;
}

static void run_alone(const char *where) { hs_runs_run(where, (hs_run_options){.threads = 1}); }

static void run_with(int (*work)(void), int threads)
{
    hsel_error error = {0};
    hs_run_summary s;
    start_others(work);
    assert_ok(run_first(hs_runs.path, (hs_run_options){0}, &s, &error), error);
    end_others(0);
    assert_int_equal(s.jobs.all, 240);
    assert_int_equal(s.jobs.done, 180);
    assert_int_equal(s.jobs.left_out, 60);
    assert_int_equal(s.threads, threads);
    assert_false(s.broken);
    assert_true(s.method_seconds > 0);
    run_alone(hs_runs.other_path);
    hs_runs_assert_same_tables();
}

static void test_same_table(void **state)
{
    (void)state;
    hs_small_study_ranker(&hs_runs.small, "auc");
    hs_small_study_ranker(&hs_runs.small, "relieff");
    run_with(work_one, RANKS - 1);
    assert_int_equal(hs_small_study_same_rankings(hs_runs.study, hs_runs.path, hs_runs.other_path),
                     6);
}

static void test_with_threads(void **state)
{
    (void)state;
    run_with(work_three, 1 + 2 + 3);
}

/* ---- stopping ---- */

static int stop_soon(void *context, uint64_t done, uint64_t total, const char *what)
{
    unsigned *calls = context;
    (void)done;
    (void)total;
    (void)what;
    return ++*calls > 20;
}

static void test_stopped_and_continued(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_run_summary s;
    int status = HSEL_ECANCELLED, rounds = 0;
    for (; status == HSEL_ECANCELLED && rounds < 50; rounds++) {
        unsigned calls = 0;
        hs_progress progress = {stop_soon, &calls};
        start_others(work_one);
        status = run_first(hs_runs.path, (hs_run_options){.progress = &progress}, &s, &error);
        end_others(0);
        assert_false(s.broken);
    }
    assert_ok(status, error);
    assert_true(rounds > 1);
    run_alone(hs_runs.other_path);
    hs_runs_assert_same_tables();
}

/* ---- failures ---- */

/* All but the first process, so that it does not matter which of them is given the work. */
static int work_on_other_data(void)
{
    hs_runs.small.datasets[1].seed++;
    return work_one();
}

static void test_other_data(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_run_summary s;
    start_others(work_on_other_data);
    assert_int_equal(run_first(hs_runs.path, (hs_run_options){0}, &s, &error), HSEL_EFORMAT);
    end_others(0);
    assert_memory_equal(error.message, "process ", 8);
    assert_in_range(error.message[8], '1', '9');
    assert_string_equal(error.message + 9, ": two differs from that of the first process");
    assert_false(s.broken);
    run_alone(hs_runs.path); /* continues */
    run_alone(hs_runs.other_path);
    hs_runs_assert_same_tables();
}

static int give_up(void)
{
    hsel_error why = {0};
    if (my_rank != 3)
        return work_one();
    hs_fail(&why, HSEL_EIO, "small.yaml: cannot open: No such file or directory");
    return hs_study_give_up(&sockets, HSEL_EIO, &why) ? 1 : 0;
}

static void test_one_gives_up(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_run_summary s;
    start_others(give_up);
    assert_int_equal(run_first(hs_runs.path, (hs_run_options){0}, &s, &error), HSEL_EIO);
    end_others(0);
    assert_string_equal(error.message,
                        "process 3: small.yaml: cannot open: No such file or directory");
}

static void test_first_fails_early(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_run_summary s;
    start_others(work_one);
    assert_int_equal(hs_study_dismiss(&sockets), HSEL_OK); /* e.g. the store cannot be opened */
    end_others(0);
    start_others(work_one);
    hs_small_study_classifier(&hs_runs.small, "nbb");
    assert_int_equal(run_first(hs_runs.path, (hs_run_options){0}, &s, &error), HSEL_EUSAGE);
    end_others(0);
    assert_non_null(strstr(error.message, "there is no classifier 'nbb'"));
}

/* A process that is killed: the first one notices that it is gone, and what is finished is kept. */
static int die_soon(void)
{
    if (my_rank == 2)
        ualarm(20000, 0); /* ends it */
    return work_one();
}

static void test_killed(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_run_summary s;
    hs_runs.study->repeats = 400; /* long enough */
    start_others(die_soon);
    int status = run_first(hs_runs.path, (hs_run_options){0}, &s, &error);
    for (int r = 1; r < RANKS; r++)
        close(ends[r]);
    for (int r = 1; r < RANKS; r++)
        assert_int_equal(waitpid(child[r], NULL, 0), child[r]);
    assert_int_equal(status, HSEL_EIO);
    assert_string_equal(error.message, "the connection to the other processes is broken");
    assert_true(s.broken);
    hs_runs.study->repeats = 2;
    run_alone(hs_runs.path);
    run_alone(hs_runs.other_path);
    hs_runs_assert_same_tables();
}

/* ---- messages ---- */

enum { KIND = sizeof(uint32_t) };

/* What comes after its kind. */
static hs_transfer message_of(const char *bytes, size_t length, hs_arena *arena)
{
    return (hs_transfer){.at = bytes + KIND, .left = length - KIND, .arena = arena};
}

/* One that ranks travels too, if the study has rankers. */
static void test_ranking_message(void **state)
{
    (void)state;
    hs_buf out = {0};
    hs_arena arena = {0};
    const uint32_t rankers[] = {0, 1};
    const double scores[] = {0.5, -1, 7};
    hs_job_result jobs[] = {{.values = scores}, {.message = "binary features only"}};
    hs_unit unit = {.kind = HS_UNIT_RANKS, .method_count = 2, .methods = rankers}, back;
    struct hs_run_set sets[8] = {{.folds = 5}};
    uint32_t set = 0;
    hs_unit_result got, put = {.features = 3, .width = 3, .jobs = jobs, .job_count = 2};
    hs_study *study = hs_runs.study;
    hs_transfer message = hs_message_begin(&out, HS_MESSAGE_RESULTS);
    hs_small_study_ranker(&hs_runs.small, "auc");
    hs_small_study_ranker(&hs_runs.small, "ig");
    assert_int_equal(hs_message_result(&message, study, NULL, &set, &unit, &put, NULL), HSEL_OK);
    study->ranker_count = 0;
    for (int known = 0; known <= 2; known++) {
        hs_transfer in = message_of(out.text, out.length, &arena);
        assert_int_equal(hs_message_result(&in, study, sets, &set, &back, &got, NULL),
                         known < 2 ? HSEL_EFORMAT : HSEL_OK);
        if (known < 2)
            hs_small_study_ranker(&hs_runs.small, known ? "ig" : "auc");
    }
    assert_int_equal(back.kind, HS_UNIT_RANKS);
    assert_int_equal(got.features, 3);
    assert_memory_equal(got.jobs[0].values, scores, sizeof scores);
    assert_string_equal(got.jobs[1].method, "ig");
    assert_string_equal(got.jobs[1].message, "binary features only");
    hs_arena_clear(&arena);
    hs_buf_clear(&out);
}

/* A message cut off anywhere, or with any byte changed, is noticed or harmless. */
static void test_damaged_messages(void **state)
{
    (void)state;
    hs_buf out = {0};
    hs_arena arena = {0};
    const uint32_t classifiers[] = {0, 1}, instances[] = {3, 1, 2}, selected[] = {7, 8, 9},
                   frequency[] = {1, 0, 2, 0};
    const double probability[] = {0.5, 0.5, 0.25, 0.75, 1, 0};
    const double score[] = {0, 1.5, -INFINITY};
    hs_job_result jobs[] = {{.values = probability, .score = score, .seconds = 0.5},
                            {.seconds = 0.25, .message = "no neighbour"}};
    hs_unit unit = {.repeat = 1,
                    .fold = 4,
                    .selector = 2,
                    .method_count = 2,
                    .methods = classifiers},
            back;
    hs_unit_result result = {.tested = 3,
                             .instances = instances,
                             .selected = selected,
                             .features = 4,
                             .classes = 2,
                             .frequency = frequency,
                             .select_seconds = 1.5,
                             .jobs = jobs,
                             .job_count = 2},
                   got;
    struct hs_run_set sets[8];
    uint32_t set = 0;
    for (size_t i = 0; i < 8; i++)
        sets[i] = (struct hs_run_set){.folds = 5};
    hs_transfer message = hs_message_begin(&out, HS_MESSAGE_RESULTS);
    assert_int_equal(hs_message_result(&message, hs_runs.study, NULL, &set, &unit, &result, NULL),
                     HSEL_OK);
    assert_false(out.failed);
    for (size_t cut = KIND; cut <= out.length; cut++) {
        hs_arena_reset(&arena);
        hs_transfer in = message_of(out.text, cut, &arena);
        int status = hs_message_result(&in, hs_runs.study, sets, &set, &back, &got, NULL);
        assert_int_equal(status, cut < out.length ? HSEL_EFORMAT : HSEL_OK);
    }
    assert_int_equal(back.fold, 4);
    assert_int_equal(back.methods[1], 1);
    assert_memory_equal(got.instances, instances, sizeof instances);
    assert_memory_equal(got.selected, selected, sizeof selected);
    assert_memory_equal(got.frequency, frequency, sizeof frequency);
    assert_memory_equal(got.jobs[0].values, probability, sizeof probability);
    assert_memory_equal(got.jobs[0].score, score, sizeof score);
    assert_null(got.jobs[1].values);
    assert_string_equal(got.jobs[1].message, "no neighbour");
    assert_true(got.select_seconds == 1.5 && got.jobs[1].seconds == 0.25);
    assert_string_equal(got.jobs[1].method, "knn:k=3");
    for (size_t at = KIND; at < out.length; at++)
        for (int value = 0; value < 256; value += 51) {
            char *copy = hs_alloc(out.length, 1);
            assert_non_null(copy);
            memcpy(copy, out.text, out.length);
            copy[at] = (char)value;
            hs_arena_reset(&arena);
            hs_transfer in = message_of(copy, out.length, &arena);
            (void)!hs_message_result(&in, hs_runs.study, sets, &set, &back, &got, NULL);
            hs_free(copy);
        }
    hs_arena_clear(&arena);
    hs_buf_clear(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_same_table, hs_runs_set_up, hs_runs_tear_down),
        cmocka_unit_test_setup_teardown(test_with_threads, hs_runs_set_up, hs_runs_tear_down),
        cmocka_unit_test_setup_teardown(test_stopped_and_continued, hs_runs_set_up,
                                        hs_runs_tear_down),
        cmocka_unit_test_setup_teardown(test_other_data, hs_runs_set_up, hs_runs_tear_down),
        cmocka_unit_test_setup_teardown(test_one_gives_up, hs_runs_set_up, hs_runs_tear_down),
        cmocka_unit_test_setup_teardown(test_first_fails_early, hs_runs_set_up, hs_runs_tear_down),
        cmocka_unit_test_setup_teardown(test_killed, hs_runs_set_up, hs_runs_tear_down),
        cmocka_unit_test_setup_teardown(test_ranking_message, hs_runs_set_up, hs_runs_tear_down),
        cmocka_unit_test_setup_teardown(test_damaged_messages, hs_runs_set_up, hs_runs_tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

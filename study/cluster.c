/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run on a cluster. The first process owns the store, hands out units as the others become free
 * and puts what they send back. Each of the others asks for work, loads the data it is about
 * itself, does the units in its threads, sends back every result when it is there, and asks again.
 * They only get work when they have said that they are free, so no process sends to one that is not
 * listening.
 */
#include "study/cluster.h"

#include <pthread.h>
#include <time.h>

#include "core/mem.h"
#include "core/parallel.h"
#include "study/runner_parts.h"

/* ---- sending and receiving ---- */

static int fail_broken(hsel_error *error)
{
    return hs_fail(error, HSEL_EIO, "the connection to the other processes is broken");
}

static int send_message(const hs_cluster *cluster, int to, const hs_buf *message, hsel_error *error)
{
    HS_NEED(!message->failed);
    if (message->length > cluster->message_limit)
        return hs_fail(error, HSEL_ELIMIT,
                       "a result of %zu bytes is too long for a message between processes",
                       message->length);
    return cluster->send(to, message->text, message->length) == 0 ? HSEL_OK : fail_broken(error);
}

typedef struct inbox { /* zero-initialise; inbox_clear frees */
    char *bytes;
    size_t capacity, length;
    int from;
    unsigned idle; /* times in a row that nothing had come */
} inbox;

static void inbox_clear(inbox *box) { hs_free(box->bytes); }

/* 1: a message is in the inbox; 0: none came after a short sleep; negative. The sleep is from 20
 * microseconds to 1 millisecond: an answer comes soon or not at all soon. */
static int take_or_sleep(inbox *box, const hs_cluster *cluster, hsel_error *error)
{
    int got = cluster->poll(&box->from, &box->length);
    if (got < 0)
        return fail_broken(error);
    if (got == 0) {
        long microseconds = box->idle < 6 ? 20L << box->idle : 1000;
        box->idle++;
        nanosleep(&(struct timespec){.tv_nsec = 1000 * microseconds}, NULL);
        return 0;
    }
    box->idle = 0;
    HS_NEED(HS_GROW(&box->bytes, &box->capacity, box->length + 1));
    return cluster->receive(box->from, box->bytes, box->length) == 0 ? 1 : fail_broken(error);
}

/* ---- the first process ---- */

/* Work is handed out in pieces of about this duration, so that requests cost little and no process
 * waits long at the end. */
#define CHUNK_SECONDS 0.1
#define CHUNK_LIMIT   256 /* units */

struct hs_dispatcher {
    hs_run *run;
    const hs_cluster *cluster;
    int size;
    int busy;            /* how many are not free */
    double unit_seconds; /* what a unit of this data set takes, about; 0: not known yet */
    bool cancelled;      /* stopping: nothing more is handed out */
    bool discard;        /* results are of no use any more */
    bool broken;         /* the others cannot be reached */
    hs_buf out;
    inbox inbox;
    hs_arena arena;
    double told; /* time of the last progress report */
    struct {
        bool is_free;
        uint32_t threads; /* once it has said so */
    } each[];             /* [size]; the first one is never free */
};

int hs_dispatcher_new(hs_run *run, hs_dispatcher **out, hsel_error *error)
{
    int size = run->options->cluster->size();
    HS_OWNED hs_dispatcher *d = hs_alloc_zero(1, sizeof *d + (size_t)size * sizeof *d->each);
    HS_NEED(d);
    d->run = run;
    d->cluster = run->options->cluster;
    d->size = size;
    d->busy = size - 1;
    *out = hs_take(&d);
    return HSEL_OK;
}

static int fail_broken_here(hs_dispatcher *d, hsel_error *error)
{
    d->broken = true;
    return fail_broken(error);
}

/* One after the other. */
static int take_results(hs_dispatcher *d, hs_transfer *in, hsel_error *error)
{
    hs_run *run = d->run;
    while (in->left > 0 && !d->discard) {
        hs_unit unit;
        hs_unit_result result;
        uint32_t index;
        hs_arena_reset(in->arena);
        int status = hs_message_result(in, run->study, run->sets, &index, &unit, &result, error);
        if (status == HSEL_EFORMAT)
            return fail_broken_here(d, error);
        HS_TRY(status);
        double before = run->summary->method_seconds;
        status = hs_run_finish(run, index, &unit, &result, error);
        double seconds = run->summary->method_seconds - before;
        if (unit.kind != HS_UNIT_RANKS) /* which there is one of, unlike the others */
            d->unit_seconds = d->unit_seconds > 0 ? 0.9 * d->unit_seconds + 0.1 * seconds : seconds;
        d->told = hs_now();
        if (status == HSEL_ECANCELLED) /* the others are finished, too */
            d->cancelled = true;
        else
            HS_TRY(status);
    }
    return d->cancelled ? hs_fail(error, HSEL_ECANCELLED, "stopped") : HSEL_OK;
}

/* Takes a message, or waits a little; now and then looks whether to stop, and commits what waits
 * for it. */
static int take_or_wait(hs_dispatcher *d, hsel_error *error)
{
    int got = take_or_sleep(&d->inbox, d->cluster, error);
    int from = d->inbox.from;
    if (got < 0) {
        d->broken = true; /* also out of memory: the message stays where it is */
        return got;
    }
    if (got == 0) {
        if (hs_now() - d->told < 0.1 || d->discard)
            return HSEL_OK;
        d->told = hs_now();
        HS_TRY(hs_store_commit(d->run->store, error));
        return hs_run_tell(d->run, "", error);
    }
    hs_arena_reset(&d->arena);
    hs_transfer in = {.at = d->inbox.bytes, .left = d->inbox.length, .arena = &d->arena};
    const uint32_t kind = hs_message_kind(&in);
    const bool results = kind == HS_MESSAGE_RESULTS, failed = kind == HS_MESSAGE_FAILED;
    if (from <= 0 || from >= d->size || !(results || failed || kind == HS_MESSAGE_FREE))
        return fail_broken_here(d, error);
    if (results)
        return take_results(d, &in, error);
    uint32_t number;
    const char *text = NULL;
    d->busy -= !d->each[from].is_free; /* the sender has nothing to do now */
    d->each[from].is_free = true;
    int status = hs_message_state(&in, kind, &number, &text, error);
    if (status == HSEL_EFORMAT)
        return fail_broken_here(d, error);
    HS_TRY(status);
    if (failed) /* this ends the run; it waits to be told to stop */
        return hs_fail(error, -(int)number, "process %d: %s", from, text);
    d->run->summary->threads += (int)number - (int)d->each[from].threads;
    d->each[from].threads = number;
    return HSEL_OK;
}

static size_t chunk_for(const hs_dispatcher *d, int rank, size_t left)
{
    size_t threads = d->each[rank].threads ? d->each[rank].threads : 1, all = 0;
    double each = d->unit_seconds > 0 ? CHUNK_SECONDS / d->unit_seconds : 1;
    size_t chunk = threads * (each < 1 ? 1 : each > CHUNK_LIMIT ? CHUNK_LIMIT : (size_t)each);
    for (int i = 1; i < d->size; i++)
        all += d->each[i].threads;
    /* Towards the end less, so that all are done at about the same time. */
    size_t share = left / (2 * (all ? all : 1)) * threads;
    if (chunk > share)
        chunk = share > threads ? share : threads;
    return chunk < left ? chunk : left;
}

int hs_dispatcher_hand_out(hs_dispatcher *d, const hs_workload *work, const hs_pending *pending,
                           hsel_error *error)
{
    d->unit_seconds = 0;
    for (size_t next = 0; next < pending->count;) {
        int rank = 1;
        while (rank < d->size && !d->each[rank].is_free)
            rank++;
        if (rank == d->size) {
            HS_TRY(take_or_wait(d, error));
            continue;
        }
        size_t end = next + chunk_for(d, rank, pending->count - next);
        hs_transfer out = hs_message_begin(&d->out, HS_MESSAGE_WORK);
        uint32_t index = (uint32_t)work->index, count = (uint32_t)(end - next);
        uint64_t fingerprint = work->fingerprint;
        HS_TRY(hs_message_work(&out, d->run->study, &index, &fingerprint, &count, error));
        for (; next < end; next++)
            HS_TRY(hs_message_unit(&out, d->run->study, work->fold_count, &pending->units[next],
                                   error));
        int status = send_message(d->cluster, rank, &d->out, error);
        d->broken = status == HSEL_EIO;
        HS_TRY(status);
        d->each[rank].is_free = false;
        d->busy++;
    }
    return HSEL_OK;
}

int hs_dispatcher_end(hs_dispatcher *d, int status, hsel_error *error)
{
    d->discard = status != HSEL_OK && status != HSEL_ECANCELLED;
    while (d->busy > 0 && !d->broken) {
        int one = take_or_wait(d, status ? NULL : error);
        status = status ? status : one;
        d->discard = d->discard || (one && one != HSEL_ECANCELLED);
    }
    hs_message_begin(&d->out, HS_MESSAGE_STOP);
    for (int rank = 1; rank < d->size && !d->broken; rank++)
        d->broken = send_message(d->cluster, rank, &d->out, NULL) != HSEL_OK;
    d->run->summary->broken = d->broken;
    hs_buf_clear(&d->out);
    inbox_clear(&d->inbox);
    hs_arena_clear(&d->arena);
    hs_free(d);
    return status;
}

int hs_study_dismiss(const hs_cluster *cluster)
{
    hs_run_summary summary = {0};
    hs_run_options options = {.cluster = cluster};
    hs_run run = {.options = &options, .summary = &summary};
    hs_dispatcher *dispatcher = NULL;
    if (hs_dispatcher_new(&run, &dispatcher, NULL) ||
        hs_dispatcher_end(dispatcher, HSEL_EUSAGE, NULL) != HSEL_EUSAGE)
        return HSEL_ENOMEM;
    return summary.broken ? HSEL_EIO : HSEL_OK;
}

/* ---- the other processes ---- */

/* Results go together, because each message waits for the first process to look. */
#define MESSAGE_BYTES   (256 << 10)
#define MESSAGE_SECONDS 0.05

struct worker {
    const hs_study *study;
    const hs_cluster *cluster;
    int threads;
    hs_run_methods methods;
    hs_workload work;
    inbox inbox;
    hs_arena arena; /* of the current units */
    hs_unit *units;
    hs_unit_scratch *scratch; /* [threads] */
    hs_notes *notes;
    pthread_mutex_t mutex; /* for what follows */
    hs_buf out;            /* results on their way … */
    double began;          /* … since then */
};

/* Waits for a message from the first process. */
static int wait_for(inbox *box, const hs_cluster *cluster, hsel_error *error)
{
    int got = 0;
    while (got == 0)
        got = take_or_sleep(box, cluster, error);
    return got < 0 ? got : HSEL_OK;
}

int hs_study_give_up(const hs_cluster *cluster, int status, const hsel_error *why)
{
    HS_OWNS(hs_buf_clear) hs_buf out = {0};
    HS_OWNS(inbox_clear) inbox box = {0};
    hs_transfer message = hs_message_begin(&out, HS_MESSAGE_FAILED);
    uint32_t number = (uint32_t)-status;
    const char *text = why->message;
    HS_TRY(hs_message_state(&message, HS_MESSAGE_FAILED, &number, &text, NULL));
    HS_TRY(send_message(cluster, 0, &out, NULL));
    return wait_for(&box, cluster, NULL); /* any message means stop */
}

static int do_unit(void *context, size_t index, int thread, hsel_error *error)
{
    struct worker *worker = context;
    hs_unit *unit = &worker->units[index];
    hs_buf *out = &worker->out;
    hs_unit_result result;
    HS_TRY(hs_unit_run(&worker->work, unit, &worker->scratch[thread], &result, error));
    pthread_mutex_lock(&worker->mutex);
    if (out->length == 0) {
        worker->began = hs_now();
        hs_message_begin(out, HS_MESSAGE_RESULTS);
    }
    uint32_t set = (uint32_t)worker->work.index;
    int status = hs_message_result(&(hs_transfer){.text = out}, worker->study, NULL, &set, unit,
                                   &result, error);
    if (status == HSEL_OK &&
        (out->length >= MESSAGE_BYTES || hs_now() - worker->began >= MESSAGE_SECONDS)) {
        status = send_message(worker->cluster, 0, out, error);
        out->length = 0;
    }
    pthread_mutex_unlock(&worker->mutex);
    return status;
}

static int is_work(int status, hsel_error *error)
{
    return status == HSEL_EFORMAT
               ? hs_fail(error, HSEL_EIO, "the first process sent an invalid message")
               : status;
}

/* Handles the inbox; *stop: no more work. */
static int do_message(struct worker *worker, bool *stop, hsel_error *error)
{
    const hs_study *study = worker->study;
    hs_arena_reset(&worker->arena);
    hs_transfer in = {
        .at = worker->inbox.bytes, .left = worker->inbox.length, .arena = &worker->arena};
    uint32_t index, count;
    uint64_t fingerprint;
    *stop = hs_message_kind(&in) != HS_MESSAGE_WORK;
    if (*stop)
        return HSEL_OK;
    HS_TRY(is_work(hs_message_work(&in, study, &index, &fingerprint, &count, error), error));
    if (!worker->work.study || worker->work.index != index) {
        hs_workload_clear(&worker->work);
        HS_TRY(hs_workload_open(study, index, &worker->methods, false, &worker->work, error));
        worker->work.notes = worker->notes;
    }
    const hs_study_dataset *set = &study->datasets[index];
    if (worker->work.fingerprint != fingerprint)
        return hs_fail(error, HSEL_EFORMAT, "%s differs from that of the first process",
                       set->path ? set->path : set->name);
    HS_NEED(worker->units = hs_arena_zero(&worker->arena, count, sizeof *worker->units));
    for (uint32_t i = 0; i < count; i++)
        HS_TRY(is_work(
            hs_message_unit(&in, study, worker->work.fold_count, &worker->units[i], error), error));
    worker->out.length = 0;
    HS_TRY(hs_parallel_for(count, worker->threads, do_unit, worker, error));
    return worker->out.length || worker->out.failed
               ? send_message(worker->cluster, 0, &worker->out, error)
               : HSEL_OK;
}

static int work_until_stopped(struct worker *worker, hsel_error *error)
{
    HS_NEED(worker->scratch = HS_NEW_ZERO(hs_unit_scratch, (size_t)worker->threads));
    HS_TRY(hs_run_methods_parse(worker->study, &worker->methods, error));
    worker->methods.threads = worker->threads;
    for (bool stop = false; !stop;) {
        hs_transfer out = hs_message_begin(&worker->out, HS_MESSAGE_FREE);
        uint32_t threads = (uint32_t)worker->threads;
        HS_TRY(hs_message_state(&out, HS_MESSAGE_FREE, &threads, NULL, error));
        HS_TRY(send_message(worker->cluster, 0, &worker->out, error));
        HS_TRY(wait_for(&worker->inbox, worker->cluster, error));
        HS_TRY(do_message(worker, &stop, error));
    }
    return HSEL_OK;
}

int hs_study_work(const hs_study *study, const hs_cluster *cluster, int threads, hs_notes *notes,
                  hsel_error *error)
{
    hsel_error why = {0};
    struct worker worker = {.study = study,
                            .cluster = cluster,
                            .threads = hs_threads(threads),
                            .notes = notes,
                            .mutex = PTHREAD_MUTEX_INITIALIZER};
    int status = work_until_stopped(&worker, &why);
    if (status && hs_study_give_up(cluster, status, &why) == HSEL_OK)
        status = HSEL_OK; /* the first process knows and will report it */
    if (status && error)
        *error = why;
    for (int i = 0; i < worker.threads && worker.scratch; i++)
        hs_unit_scratch_clear(&worker.scratch[i]);
    hs_free(worker.scratch);
    hs_workload_clear(&worker.work);
    hs_run_methods_clear(&worker.methods);
    inbox_clear(&worker.inbox);
    hs_buf_clear(&worker.out);
    hs_arena_clear(&worker.arena);
    pthread_mutex_destroy(&worker.mutex);
    return status;
}

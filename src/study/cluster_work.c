/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The other processes of a cluster: each asks for work, loads the data it is about, does the units
 * in its threads, sends back every result when it is there, and asks again.
 */
#include <pthread.h>
#include <string.h>

#include "core/mem.h"
#include "core/parallel.h"
#include "study/cluster_parts.h"

struct batch { /* results on their way */
    hs_buf out;
    double began;
};

struct worker {
    const hs_study *study;
    const hs_cluster *cluster;
    int threads;
    hs_run_methods methods;
    hs_workload work;
    hs_inbox inbox;
    hs_arena arena; /* of the units at hand */
    hs_buf out;
    hs_unit *units;
    size_t count;
    hs_unit_room *rooms;   /* one a thread, as are … */
    struct batch *batches; /* … these */
    hs_notes *notes;
    pthread_mutex_t mutex; /* one sends at a time */
};

/* Waits for a message from the first process. */
static int wait_for(hs_inbox *inbox, const hs_cluster *cluster, hsel_error *error)
{
    int got = 0;
    while (got == 0)
        got = hs_inbox_wait(inbox, cluster, error);
    return got < 0 ? got : HSEL_OK;
}

int hs_study_give_up(const hs_cluster *cluster, int status, const hsel_error *why)
{
    hs_buf out = {0};
    hs_inbox inbox = {0};
    hs_message_begin(&out, HS_MESSAGE_FAILED);
    hs_message_u64(&out, (uint64_t)-status);
    hs_message_bytes(&out, why->message, strlen(why->message) + 1);
    int sent = hs_cluster_send(cluster, 0, &out, NULL);
    if (sent == HSEL_OK)
        sent = wait_for(&inbox, cluster, NULL); /* whatever it says, it is stop */
    hs_buf_clear(&out);
    hs_inbox_clear(&inbox);
    return sent;
}

/* ---- units ---- */

/* Results go together, because each message waits for the first process to look. */
#define MESSAGE_BYTES   (256 << 10)
#define MESSAGE_SECONDS 0.05

static int flush(struct worker *worker, struct batch *batch, hsel_error *error)
{
    if (batch->out.length == 0 && !batch->out.failed)
        return HSEL_OK;
    pthread_mutex_lock(&worker->mutex);
    int status = hs_cluster_send(worker->cluster, 0, &batch->out, error);
    pthread_mutex_unlock(&worker->mutex);
    batch->out.length = 0;
    return status;
}

/* A result with its length before it, which is only known afterwards. */
static void add_result(struct worker *worker, hs_buf *out, const hs_unit *unit,
                       const hs_unit_result *result)
{
    if (out->length == 0)
        hs_message_begin(out, HS_MESSAGE_RESULTS);
    size_t at = out->length;
    hs_message_u64(out, 0);
    hs_message_u64(out, worker->work.index);
    hs_message_unit(out, unit);
    hs_message_result(out, result);
    uint64_t length = out->length - at - sizeof length;
    if (!out->failed)
        memcpy(out->text + at, &length, sizeof length);
}

static int do_unit(void *context, size_t index, int thread, hsel_error *error)
{
    struct worker *worker = context;
    struct batch *batch = &worker->batches[thread];
    hs_unit_result result;
    int status =
        hs_unit_run(&worker->work, &worker->units[index], &worker->rooms[thread], &result, error);
    if (status)
        return status;
    if (batch->out.length == 0)
        batch->began = hs_run_now();
    add_result(worker, &batch->out, &worker->units[index], &result);
    if (batch->out.length < MESSAGE_BYTES && hs_run_now() - batch->began < MESSAGE_SECONDS)
        return HSEL_OK;
    return flush(worker, batch, error);
}

static int do_units(struct worker *worker, hsel_error *error)
{
    int status = hs_parallel_for(worker->count, worker->threads, do_unit, worker, error);
    for (int i = 0; i < worker->threads && status == HSEL_OK; i++)
        status = flush(worker, &worker->batches[i], error);
    return status;
}

static int open_data(struct worker *worker, size_t index, uint64_t fingerprint, hsel_error *error)
{
    const hs_study_dataset *set = &worker->study->datasets[index];
    int status = HSEL_OK;
    if (!worker->work.study || worker->work.index != index) {
        for (int i = 0; i < worker->threads; i++)
            hs_unit_room_clear(&worker->rooms[i]);
        hs_workload_clear(&worker->work);
        status = hs_workload_open(worker->study, index, &worker->methods, &worker->work, error);
        worker->work.notes = worker->notes;
    }
    if (status == HSEL_OK && worker->work.fingerprint != fingerprint)
        status = hs_fail(error, HSEL_EFORMAT, "%s is not the same here as for the first process",
                         set->path ? set->path : set->name);
    return status;
}

static int read_units(struct worker *worker, hs_message *in, hsel_error *error)
{
    worker->count = (size_t)hs_message_get_u64(in, in->length);
    worker->units = hs_arena_zero(&worker->arena, worker->count, sizeof *worker->units);
    if (!worker->units)
        return hs_fail_memory(error);
    for (size_t i = 0; i < worker->count && !in->failed; i++)
        hs_message_get_unit(in, worker->study, worker->work.fold_count, &worker->units[i]);
    if (in->no_memory)
        return hs_fail_memory(error);
    return in->failed ? hs_fail(error, HSEL_EIO, "the first process sent something that is no work")
                      : HSEL_OK;
}

/* 1: goes on; 0: sent home; negative. */
static int do_message(struct worker *worker, hsel_error *error)
{
    hs_arena_reset(&worker->arena);
    hs_message in = {
        .bytes = worker->inbox.bytes, .length = worker->inbox.length, .arena = &worker->arena};
    if (hs_message_get_u64(&in, HS_MESSAGE_STOP) != HS_MESSAGE_WORK)
        return 0;
    size_t index = (size_t)hs_message_get_u64(&in, worker->study->dataset_count - 1);
    uint64_t fingerprint = hs_message_get_u64(&in, UINT64_MAX);
    int status = open_data(worker, index, fingerprint, error);
    if (status == HSEL_OK)
        status = read_units(worker, &in, error);
    if (status == HSEL_OK)
        status = do_units(worker, error);
    return status ? status : 1;
}

/* ---- all of it ---- */

/* 0: sent home; negative: something went wrong here. */
static int work_until_stopped(struct worker *worker, hsel_error *error)
{
    int going = 1, status = HSEL_OK;
    while (going > 0 && status == HSEL_OK) {
        hs_message_begin(&worker->out, HS_MESSAGE_FREE);
        hs_message_u64(&worker->out, (uint64_t)worker->threads);
        status = hs_cluster_send(worker->cluster, 0, &worker->out, error);
        if (status == HSEL_OK)
            status = wait_for(&worker->inbox, worker->cluster, error);
        if (status == HSEL_OK)
            going = do_message(worker, error);
    }
    return status ? status : going;
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
    worker.rooms = HS_NEW_ZERO(hs_unit_room, (size_t)worker.threads);
    worker.batches = HS_NEW_ZERO(struct batch, (size_t)worker.threads);
    int status = worker.rooms && worker.batches ? hs_run_methods_parse(study, &worker.methods, &why)
                                                : hs_fail_memory(&why);
    if (status == HSEL_OK)
        status = work_until_stopped(&worker, &why);
    if (status && hs_study_give_up(cluster, status, &why) == HSEL_OK)
        status = HSEL_OK; /* the first process knows and will say so */
    if (status && error)
        *error = why;
    for (int i = 0; i < worker.threads; i++) {
        if (worker.rooms)
            hs_unit_room_clear(&worker.rooms[i]);
        if (worker.batches)
            hs_buf_clear(&worker.batches[i].out);
    }
    hs_free(worker.rooms);
    hs_free(worker.batches);
    hs_workload_clear(&worker.work);
    hs_run_methods_clear(&worker.methods);
    hs_inbox_clear(&worker.inbox);
    hs_buf_clear(&worker.out);
    hs_arena_clear(&worker.arena);
    pthread_mutex_destroy(&worker.mutex);
    return status;
}

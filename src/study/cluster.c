/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The first process of a cluster: it owns the store, hands out units as the others become free and
 * puts what they send back. The others load the data themselves. They only get work when they have
 * said that they are free, so nobody ever sends to one who is not listening.
 */
#include "study/cluster.h"

#include <string.h>
#include <time.h>

#include "core/mem.h"
#include "study/cluster_parts.h"

/* ---- sending and receiving ---- */

static int fail_broken(hsel_error *error)
{
    return hs_fail(error, HSEL_EIO, "the connection to the other processes is broken");
}

int hs_cluster_send(const hs_cluster *cluster, int to, const hs_buf *message, hsel_error *error)
{
    if (message->failed)
        return hs_fail_memory(error);
    if (message->length > cluster->message_limit)
        return hs_fail(error, HSEL_ELIMIT,
                       "a result of %zu bytes is too long for a message between processes",
                       message->length);
    return cluster->send(to, message->text, message->length) == 0 ? HSEL_OK : fail_broken(error);
}

void hs_inbox_clear(hs_inbox *inbox)
{
    hs_free(inbox->bytes);
    *inbox = (hs_inbox){0};
}

/* From 20 microseconds to 1 millisecond: an answer comes soon or not at all soon. */
static void rest(unsigned idle)
{
    long microseconds = idle < 6 ? 20L << idle : 1000;
    nanosleep(&(struct timespec){.tv_nsec = 1000 * (microseconds < 1000 ? microseconds : 1000)},
              NULL);
}

int hs_inbox_wait(hs_inbox *inbox, const hs_cluster *cluster, hsel_error *error)
{
    int got = cluster->poll(&inbox->from, &inbox->length);
    if (got < 0)
        return fail_broken(error);
    if (got == 0) {
        rest(inbox->idle++);
        return 0;
    }
    inbox->idle = 0;
    if (!HS_GROW(&inbox->bytes, &inbox->capacity, inbox->length + 1))
        return hs_fail_memory(error);
    return cluster->receive(inbox->from, inbox->bytes, inbox->length) == 0 ? 1 : fail_broken(error);
}

/* ---- the foreman ---- */

/* Work for about this long is given at a time, so that asking for more costs little and nobody
 * waits long at the end. */
#define CHUNK_SECONDS 0.1
#define CHUNK_LIMIT   256 /* units */

struct hs_foreman {
    hs_run *run;
    const hs_cluster *cluster;
    int size;
    bool *is_free;       /* [size]; the first one is never */
    uint32_t *threads;   /* [size], once it has said so */
    int busy;            /* how many are not free */
    double unit_seconds; /* what a unit of this data set takes, about; 0: not known yet */
    bool cancelled;      /* asked to stop: nothing more is handed out */
    bool discard;        /* results are of no use any more */
    bool broken;         /* the others cannot be reached */
    hs_buf out;
    hs_inbox inbox;
    hs_arena arena;
    double told; /* when progress was told last */
};

static void foreman_free(hs_foreman *foreman)
{
    hs_free(foreman->is_free);
    hs_free(foreman->threads);
    hs_buf_clear(&foreman->out);
    hs_inbox_clear(&foreman->inbox);
    hs_arena_clear(&foreman->arena);
    hs_free(foreman);
}

int hs_foreman_new(hs_run *run, hs_foreman **out, hsel_error *error)
{
    hs_foreman *foreman = HS_NEW_ZERO(hs_foreman, 1);
    if (!foreman)
        return hs_fail_memory(error);
    foreman->run = run;
    foreman->cluster = run->options->cluster;
    foreman->size = foreman->cluster->size();
    foreman->busy = foreman->size - 1;
    foreman->is_free = HS_NEW_ZERO(bool, (size_t)foreman->size);
    foreman->threads = HS_NEW_ZERO(uint32_t, (size_t)foreman->size);
    if (foreman->is_free && foreman->threads) {
        *out = foreman;
        return HSEL_OK;
    }
    foreman_free(foreman);
    return hs_fail_memory(error);
}

static void set_free(hs_foreman *foreman, int rank)
{
    foreman->busy -= !foreman->is_free[rank];
    foreman->is_free[rank] = true;
}

static int take_result(hs_foreman *foreman, hs_message *in, hsel_error *error)
{
    hs_run *run = foreman->run;
    hs_unit unit;
    hs_unit_result result;
    size_t index = (size_t)hs_message_get_u64(in, run->study->dataset_count - 1);
    hs_message_get_unit(in, run->study, run->folds[index], &unit);
    hs_message_get_result(in, run->study, &unit, &result);
    if (in->failed)
        return HSEL_OK; /* told by the caller */
    double before = run->summary->method_seconds;
    int status = hs_run_finish(run, index, &unit, &result, error);
    double seconds = run->summary->method_seconds - before;
    if (unit.selector != HS_UNIT_RANKS) /* which there is one of, unlike the others */
        foreman->unit_seconds =
            foreman->unit_seconds > 0 ? 0.9 * foreman->unit_seconds + 0.1 * seconds : seconds;
    foreman->told = hs_run_now();
    return status;
}

/* One after the other. */
static int take_results(hs_foreman *foreman, hs_message *all, hsel_error *error)
{
    int status = HSEL_OK;
    while (all->at < all->length && !all->failed && !foreman->discard && status == HSEL_OK) {
        size_t length = (size_t)hs_message_get_u64(all, all->length);
        hs_message one = {.bytes = all->bytes + all->at, .length = length, .arena = all->arena};
        if (all->failed || length > all->length - all->at) {
            all->failed = true;
            break;
        }
        hs_arena_reset(all->arena);
        status = take_result(foreman, &one, error);
        all->failed = one.failed;
        all->no_memory = one.no_memory;
        all->at += length;
        if (status == HSEL_ECANCELLED) { /* the others are finished, too */
            foreman->cancelled = true;
            status = HSEL_OK;
        }
    }
    if (status == HSEL_OK && foreman->cancelled)
        return hs_fail(error, HSEL_ECANCELLED, "stopped");
    return status;
}

/* What another process could not do ends the run. */
static int take_failure(hs_message *in, int from, hsel_error *error)
{
    size_t length;
    int status = -(int)hs_message_get_u64(in, 99);
    const char *text = hs_message_get_bytes(in, &length);
    if (in->failed || length == 0 || text[length - 1] != '\0' || status == HSEL_OK)
        return HSEL_OK;
    return hs_fail(error, status, "process %d: %s", from, text);
}

static int take_message(hs_foreman *foreman, hsel_error *error)
{
    int from = foreman->inbox.from, status = HSEL_OK;
    hs_arena_reset(&foreman->arena);
    hs_message in = {
        .bytes = foreman->inbox.bytes, .length = foreman->inbox.length, .arena = &foreman->arena};
    if (from <= 0 || from >= foreman->size) {
        foreman->broken = true;
        return fail_broken(error);
    }
    switch (hs_message_get_u64(&in, HS_MESSAGE_STOP)) {
    case HS_MESSAGE_FREE:
        foreman->run->summary->threads -= (int)foreman->threads[from];
        foreman->threads[from] = (uint32_t)hs_message_get_u64(&in, 1 << 20);
        foreman->run->summary->threads += (int)foreman->threads[from];
        set_free(foreman, from);
        break;
    case HS_MESSAGE_RESULTS:
        status = take_results(foreman, &in, error);
        break;
    case HS_MESSAGE_FAILED:
        set_free(foreman, from); /* it waits to be sent home */
        status = take_failure(&in, from, error);
        break;
    default:
        in.failed = true;
    }
    if (in.no_memory)
        return hs_fail_memory(error);
    foreman->broken = in.failed;
    return in.failed ? fail_broken(error) : status;
}

/* Takes a message, or waits a little; now and then looks whether to stop, and commits what waits
 * for it. */
static int take_or_wait(hs_foreman *foreman, hsel_error *error)
{
    int got = hs_inbox_wait(&foreman->inbox, foreman->cluster, error), status = HSEL_OK;
    if (got < 0) {
        foreman->broken = true; /* also out of memory: the message stays where it is */
        return got;
    }
    if (got > 0)
        return take_message(foreman, error);
    if (hs_run_now() - foreman->told < 0.1 || foreman->discard)
        return HSEL_OK;
    foreman->told = hs_run_now();
    status = hs_store_commit(foreman->run->store, error);
    return status ? status : hs_run_tell(foreman->run, "", error);
}

static size_t chunk_for(const hs_foreman *foreman, int rank, size_t left)
{
    size_t threads = foreman->threads[rank] ? foreman->threads[rank] : 1, all = 0;
    double each = foreman->unit_seconds > 0 ? CHUNK_SECONDS / foreman->unit_seconds : 1;
    size_t chunk = threads * (each < 1 ? 1 : each > CHUNK_LIMIT ? CHUNK_LIMIT : (size_t)each);
    for (int i = 1; i < foreman->size; i++)
        all += foreman->threads[i];
    /* Towards the end less, so that all are done at about the same time. */
    size_t share = left / (2 * (all ? all : 1)) * threads;
    if (chunk > share)
        chunk = share > threads ? share : threads;
    return chunk < left ? chunk : left;
}

static int send_work(hs_foreman *foreman, int rank, const hs_workload *work, const hs_unit *units,
                     size_t count, hsel_error *error)
{
    hs_message_begin(&foreman->out, HS_MESSAGE_WORK);
    hs_message_u64(&foreman->out, work->index);
    hs_message_u64(&foreman->out, work->fingerprint);
    hs_message_u64(&foreman->out, count);
    for (size_t i = 0; i < count; i++)
        hs_message_unit(&foreman->out, &units[i]);
    int status = hs_cluster_send(foreman->cluster, rank, &foreman->out, error);
    if (status == HSEL_OK) {
        foreman->is_free[rank] = false;
        foreman->busy++;
    }
    foreman->broken = status == HSEL_EIO;
    return status;
}

int hs_foreman_hand_out(hs_foreman *foreman, const hs_workload *work, const hs_pending *pending,
                        hsel_error *error)
{
    size_t next = 0;
    int status = HSEL_OK;
    foreman->unit_seconds = 0;
    while (next < pending->count && status == HSEL_OK) {
        int rank = 1;
        while (rank < foreman->size && !foreman->is_free[rank])
            rank++;
        if (rank == foreman->size) {
            status = take_or_wait(foreman, error);
            continue;
        }
        size_t count = chunk_for(foreman, rank, pending->count - next);
        status = send_work(foreman, rank, work, pending->units + next, count, error);
        next += count;
    }
    return status;
}

int hs_foreman_end(hs_foreman *foreman, int status, hsel_error *error)
{
    foreman->discard = status != HSEL_OK && status != HSEL_ECANCELLED;
    while (foreman->busy > 0 && !foreman->broken) {
        int one = take_or_wait(foreman, status ? NULL : error);
        status = status ? status : one;
        foreman->discard = foreman->discard || (one && one != HSEL_ECANCELLED);
    }
    hs_message_begin(&foreman->out, HS_MESSAGE_STOP);
    for (int rank = 1; rank < foreman->size && !foreman->broken; rank++)
        foreman->broken = hs_cluster_send(foreman->cluster, rank, &foreman->out, NULL) != HSEL_OK;
    foreman->run->summary->broken = foreman->broken;
    foreman_free(foreman);
    return status;
}

int hs_study_dismiss(const hs_cluster *cluster)
{
    hs_run_summary summary = {0};
    hs_run_options options = {.cluster = cluster};
    hs_run run = {.options = &options, .summary = &summary};
    hs_foreman *foreman = NULL;
    if (hs_foreman_new(&run, &foreman, NULL) ||
        hs_foreman_end(foreman, HSEL_EUSAGE, NULL) != HSEL_EUSAGE)
        return HSEL_ENOMEM;
    return summary.broken ? HSEL_EIO : HSEL_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cluster of processes over MPI. This is a separate module (hsel-mpi.so), loaded only when the
 * program was started by mpirun: linked with the program, MPI's libraries would make every start
 * many times as long. It uses nothing of the library.
 */
#include <limits.h>
#include <mpi.h>

#include "hsel/hsel.h"
#include "study/cluster.h"

#define result(call) ((call) == MPI_SUCCESS ? 0 : -1)

/* Threads of a process take turns at sending. Failures come back as codes instead of ending the
 * program. */
static int start(void)
{
    int provided = MPI_THREAD_SINGLE;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS ||
        provided < MPI_THREAD_SERIALIZED)
        return -1;
    return result(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
}

static int rank(void)
{
    int value = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &value);
    return value;
}

static int size(void)
{
    int value = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &value);
    return value;
}

static int send(int to, const void *bytes, size_t length)
{
    return length > INT_MAX ? -1
                            : result(MPI_Send(bytes, (int)length, MPI_BYTE, to, 0, MPI_COMM_WORLD));
}

static int poll(int *from, size_t *length)
{
    int there = 0, count = 0;
    MPI_Status status;
    if (MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS)
        return -1;
    if (!there)
        return 0;
    if (MPI_Get_count(&status, MPI_BYTE, &count) != MPI_SUCCESS || count < 0)
        return -1;
    *from = status.MPI_SOURCE;
    *length = (size_t)count;
    return 1;
}

static int receive(int from, void *bytes, size_t length)
{
    return result(
        MPI_Recv(bytes, (int)length, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

static void stop(bool failed)
{
    if (failed)
        MPI_Abort(MPI_COMM_WORLD, 1);
    else
        MPI_Finalize();
}

extern const hs_cluster hs_cluster_mpi;
HSEL_API const hs_cluster hs_cluster_mpi = {.version = HS_CLUSTER_VERSION,
                                            .start = start,
                                            .rank = rank,
                                            .size = size,
                                            .send = send,
                                            .poll = poll,
                                            .receive = receive,
                                            .stop = stop,
                                            .message_limit = INT_MAX};

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loading the MPI module: beside the program (as it is built) or in LIBDIR/hsel (as it is installed), found from where the
 * program itself lies.
 */
#define _GNU_SOURCE
#include "cli/mpi.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/text.h"

/* How many processes mpirun started, as Open MPI and MPICH tell them; 1: none of them did. */
static uint64_t processes(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    uint64_t count = 1;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        if (value && hs_parse_u64(value, strlen(value), &count) && count > 1)
            return count;
    }
    return 1;
}

#ifdef HS_WITH_MPI

/* `place` is relative to the folder of the program. Never unloaded: MPI does not expect that. */
static const hs_cluster *load_from(const char *place)
{
    char program[4096];
    hs_buf path = {0};
    ssize_t length = readlink("/proc/self/exe", program, sizeof program);
    if (length <= 0 || (size_t)length >= sizeof program)
        return NULL;
    const char *end = memrchr(program, '/', (size_t)length);
    hs_buf_add(&path, program, end ? (size_t)(end - program) : 0);
    hs_buf_printf(&path, "/%s/%s", place, HS_MPI_MODULE);
    /* Global, because MPI loads parts of its own that look for it. */
    void *module = path.failed ? NULL : dlopen(path.text, RTLD_NOW | RTLD_GLOBAL);
    hs_buf_clear(&path);
    const hs_cluster *cluster = module ? dlsym(module, "hs_cluster_mpi") : NULL;
    return cluster && cluster->version == HS_CLUSTER_VERSION ? cluster : NULL;
}

static int join(const hs_cluster **out, hsel_error *error)
{
    const hs_cluster *cluster = load_from(".");
    if (!cluster)
        cluster = load_from(HS_MODULES);
    if (!cluster)
        return hs_fail(error, HSEL_EUNSUPPORTED, "mpirun needs the module %s in %s beside the program, and the library of MPI",
                       HS_MPI_MODULE, HS_MODULES);
    if (cluster->start() != 0)
        return hs_fail(error, HSEL_EUNSUPPORTED, "MPI cannot be started, or not with threads");
    *out = cluster;
    return HSEL_OK;
}

#else

static int join(const hs_cluster **out, hsel_error *error)
{
    (void)out;
    return hs_fail(error, HSEL_EUNSUPPORTED, "this hsel was built without MPI: run it without mpirun");
}

#endif

int hs_mpi_join(const hs_cluster **out, hsel_error *error)
{
    *out = NULL;
    return processes() > 1 ? join(out, error) : HSEL_OK;
}

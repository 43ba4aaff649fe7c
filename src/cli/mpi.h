/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding out whether this process was started by mpirun, and the module that talks to the others.
 */
#ifndef HS_CLI_MPI_H
#define HS_CLI_MPI_H

#include "core/error.h"
#include "study/cluster.h"

/* *out is NULL when this process is alone. A cluster has been started. */
HSEL_CHECKED int hs_mpi_join(const hs_cluster **out, hsel_error *error);

#endif

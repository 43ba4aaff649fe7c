/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All use of threads. Tasks are independent and write to their own slot; the error returned is that
 * of the lowest failing index, whatever the number of threads.
 */
#pragma once

#include <stddef.h>

#include "core/error.h"

/* `worker` is 0 … threads-1: index of per-thread scratch. */
typedef int (*hs_task)(void *context, size_t index, int worker, hsel_error *error);

/* threads <= 0 means all processors. After a failure, tasks above the failing index may be left
 * out. */
HSEL_CHECKED int hs_parallel_for(size_t count, int threads, hs_task task, void *context,
                                 hsel_error *error);
/* Resolves a thread setting (<= 0: processors available), at least 1. */
int hs_threads(int wanted);

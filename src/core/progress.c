/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Passing progress on.
 */
#include "core/progress.h"

int hs_progress_report(const hs_progress *progress, uint64_t done, uint64_t total, const char *what, hsel_error *error)
{
    if (!progress || !progress->report || progress->report(progress->context, done, total, what) == 0)
        return HSEL_OK;
    return hs_fail(error, HSEL_ECANCELLED, "stopped");
}

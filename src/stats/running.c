/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mean and spread in one pass.
 */
#include "stats/running.h"

#include <math.h>

void hs_running_add(hs_running *running, double value)
{
    double step = value - running->mean;
    running->mean += step / ++running->count;
    running->squares += step * (value - running->mean);
}

double hs_running_sd(const hs_running *running)
{
    return running->count > 1 ? sqrt(running->squares / (running->count - 1)) : 0;
}

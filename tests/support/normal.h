/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Normally distributed numbers, for tests that want values of all sizes.
 */
#ifndef HS_TESTS_NORMAL_H
#define HS_TESTS_NORMAL_H

#include <math.h>

#include "core/random.h"

static inline double hs_random_normal(hs_stream *stream)
{
    double u = 1 - hs_random_double(stream), v = hs_random_double(stream); /* u in (0,1] */
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

#endif

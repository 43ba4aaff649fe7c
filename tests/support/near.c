/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparing numbers: see near.h.
 */
#include "support/near.h"

#include <math.h>

#include "support/cmocka.h"

void hs_assert_near(double got, double expected, double relative)
{
    if (!(fabs(got - expected) <= relative * fabs(expected)))
        fail_msg("%.17g is not %.17g", got, expected);
}

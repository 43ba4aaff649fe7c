/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What classifiers share.
 */
#include "classify/classify.h"

#include <math.h>

void hs_normalise_logs(double *value, uint32_t classes)
{
    double largest = value[0], sum = 0;
    for (uint32_t c = 1; c < classes; c++)
        largest = value[c] > largest ? value[c] : largest;
    for (uint32_t c = 0; c < classes; c++)
        sum += value[c] = exp(value[c] - largest);
    for (uint32_t c = 0; c < classes; c++)
        value[c] /= sum;
}

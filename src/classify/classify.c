/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What classifiers share.
 */
#include "classify/classify.h"

#include <math.h>
#include <string.h>

#include "stats/metrics.h"

/* Of more than two classes: logarithms to log p_c / (1 - p_c), in place. part[c] is
 * exp(score[c] - score[best]), and total their sum. */
static void log_odds(double *score, const double *part, uint32_t classes, uint32_t best,
                     double total)
{
    double first = score[best], second = -INFINITY, rest = 0;
    for (uint32_t c = 0; c < classes; c++)
        second = c != best && score[c] > second ? score[c] : second;
    for (uint32_t c = 0; c < classes && second > -INFINITY; c++)
        rest += c == best ? 0 : exp(score[c] - second);
    score[best] = second > -INFINITY ? first - second - log(rest) : INFINITY;
    for (uint32_t c = 0; c < classes; c++) {
        if (c == best)
            continue;
        score[c] = score[c] - first - log(total - part[c]);
        if (score[c] >= score[best]) /* by rounding: the best stays the best */
            score[c] = c > best ? score[best] : nextafter(score[best], -INFINITY);
    }
}

void hs_normalise_logs(double *value, double *score, uint32_t classes)
{
    uint32_t best = hs_predicted_class(value, classes);
    double largest = value[best], total = 0;
    for (uint32_t c = 0; c < classes; c++) {
        score[c] = value[c];
        total += value[c] = exp(value[c] - largest);
    }
    if (classes == 2) {
        score[1] -= score[0];
        score[0] = -score[1];
    } else {
        log_odds(score, value, classes, best, total);
    }
    for (uint32_t c = 0; c < classes; c++)
        value[c] /= total;
}

void hs_scores_of_shares(const double *probability, double *score, uint32_t classes)
{
    memcpy(score, probability, classes * sizeof *score);
    if (classes == 2) {
        score[1] = probability[1] - probability[0];
        score[0] = -score[1];
    }
}

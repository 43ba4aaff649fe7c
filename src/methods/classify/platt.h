/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Probabilities from decision values: a logistic curve for two classes, coupling of pairs for more.
 * Both depend only on their arguments: no random numbers, the same result on every run.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* P(positive | f) = 1 / (1 + exp(a f + b)) */
typedef struct hs_platt {
    double a, b;
} hs_platt;

/* The curve of greatest likelihood, by Newton's method with backtracking (Lin, Lin, Weng 2007,
 * Algorithm 1). Smooth: for the targets (N+ + 1) / (N+ + 2) of positive and 1 / (N- + 2) of
 * negative examples (Platt 2000). Else for the targets 1 and 0, as WEKA's SMO fits it with its
 * Logistic: a penalty of 1e-8 a^2, a in standard deviations of the decision values, keeps it finite
 * where the classes do not overlap; steeper than Platt's. Examples count as often as `weight` says
 * (NULL: once). O(count) per step, some ten steps. */
hs_platt hs_platt_fit(const double *decision, const bool *positive, const double *weight,
                      size_t count, bool smooth);
double hs_platt_probability(hs_platt platt, double decision);

/* Class probabilities p of smallest sum over s, t of (r[t,s] p[s] - r[s,t] p[t])^2, sum p = 1: the
 * second approach of Wu, Lin, Weng (2004), by their Algorithm 2. pair[s * classes + t] = P(s | s or
 * t), both triangles filled, diagonal free. scratch: classes * (classes + 1) values. O(classes^2)
 * per step. */
void hs_couple_pairs(const double *pair, uint32_t classes, double *scratch, double *probability);

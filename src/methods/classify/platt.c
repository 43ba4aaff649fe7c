/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Platt's logistic curve and the coupling of pairwise probabilities.
 */
#include "classify/platt.h"

#include "classify/classify.h"

#define NEWTON_STEPS   100
#define SMALLEST_STEP  1e-10
#define RIDGE          1e-12 /* keeps the Hessian regular */
#define GRADIENT_LIMIT 1e-9
#define LOGISTIC_RIDGE 1e-8
#define COUPLING_STEPS 1000
#define COUPLING_LIMIT 1e-12

/* ---- the logistic curve ---- */

struct sample {
    const double *decision;
    const bool *positive;
    const double *weight; /* NULL: all 1 */
    size_t count;
    double high, low; /* targets of positive and negative examples */
    double penalty;   /* on a^2 */
};

static double weight_of(const struct sample *s, size_t i) { return s->weight ? s->weight[i] : 1; }

/* Negative log likelihood; both forms of the term are the same number, each exact where it is used.
 */
static double loss(const struct sample *s, hs_platt at)
{
    double sum = s->penalty * at.a * at.a;
    for (size_t i = 0; i < s->count; i++) {
        double z = s->decision[i] * at.a + at.b, target = s->positive[i] ? s->high : s->low;
        sum += weight_of(s, i) *
               (z >= 0 ? target * z + log1p(exp(-z)) : (target - 1) * z + log1p(exp(z)));
    }
    return sum;
}

double hs_platt_probability(hs_platt platt, double decision)
{
    return hs_sigmoid(-(decision * platt.a + platt.b));
}

hs_platt hs_platt_fit(const double *decision, const bool *positive, const double *weight,
                      size_t count, bool smooth)
{
    double with = 0, without = 0, mean = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        *(positive[i] ? &with : &without) += weight ? weight[i] : 1;
        mean += decision[i] / (double)count;
    }
    for (size_t i = 0; i < count; i++)
        squares += (decision[i] - mean) * (decision[i] - mean);
    const struct sample sample = {
        .decision = decision,
        .positive = positive,
        .weight = weight,
        .count = count,
        .high = smooth ? (with + 1) / (with + 2) : 1,
        .low = smooth ? 1 / (without + 2) : 0,
        .penalty = smooth ? 0 : LOGISTIC_RIDGE * squares / (double)(count ? count : 1)};
    const struct sample *s = &sample;
    hs_platt at = {0, log((without + 1) / (with + 1))};
    double here = loss(s, at);
    for (int step = 0; step < NEWTON_STEPS; step++) {
        double ga = 2 * s->penalty * at.a, gb = 0; /* gradient, Hessian */
        double haa = RIDGE + 2 * s->penalty, hab = 0, hbb = RIDGE;
        for (size_t i = 0; i < s->count; i++) {
            double f = s->decision[i], p = hs_platt_probability(at, f);
            double curvature = weight_of(s, i) * p * (1 - p),
                   miss = weight_of(s, i) * ((s->positive[i] ? s->high : s->low) - p);
            haa += f * f * curvature;
            hab += f * curvature;
            hbb += curvature;
            ga += f * miss;
            gb += miss;
        }
        if (fabs(ga) < GRADIENT_LIMIT && fabs(gb) < GRADIENT_LIMIT)
            break;
        double det = haa * hbb - hab * hab;
        double da = -(hbb * ga - hab * gb) / det, db = -(haa * gb - hab * ga) / det;
        double descent = ga * da + gb * db, size = 1;
        for (; size >= SMALLEST_STEP; size /= 2) {
            hs_platt next = {at.a + size * da, at.b + size * db};
            double there = loss(s, next);
            if (there < here + 1e-4 * size * descent) {
                at = next;
                here = there;
                break;
            }
        }
        if (size < SMALLEST_STEP) /* as low as rounding lets it come */
            break;
    }
    return at;
}

/* ---- coupling ---- */

void hs_couple_pairs(const double *pair, uint32_t classes, double *scratch, double *probability)
{
    const size_t n = classes;
    double *q = scratch, *qp = scratch + n * n, *p = probability, sum = 0;
    for (size_t t = 0; t < n; t++) { /* Q[t,t] = sum of r[s,t]^2, Q[t,s] = -r[s,t] r[t,s] */
        double squares = 0;
        for (size_t s = 0; s < n; s++)
            if (s != t) {
                squares += pair[s * n + t] * pair[s * n + t];
                q[t * n + s] = -pair[s * n + t] * pair[t * n + s];
            }
        q[t * n + t] = squares;
        p[t] = 1.0 / classes;
    }
    for (int step = 0; step < COUPLING_STEPS; step++) {
        double all = 0, worst = 0; /* all: p' Q p */
        for (size_t t = 0; t < n; t++) {
            qp[t] = 0;
            for (size_t s = 0; s < n; s++)
                qp[t] += q[t * n + s] * p[s];
            all += p[t] * qp[t];
        }
        for (size_t t = 0; t < n; t++)
            worst = fmax(worst, fabs(qp[t] - all));
        if (worst < COUPLING_LIMIT / classes)
            break;
        for (size_t t = 0; t < n; t++) { /* t-th equation solved for p[t], then scaled to sum 1 */
            const double *row = q + t * n;
            double change = (all - qp[t]) / row[t], scale = 1 / (1 + change);
            p[t] += change;
            all = (all + change * (change * row[t] + 2 * qp[t])) * scale * scale;
            for (size_t s = 0; s < n; s++) {
                qp[s] = (qp[s] + change * row[s]) * scale;
                p[s] *= scale;
            }
        }
    }
    for (size_t t = 0; t < n; t++)
        sum += p[t];
    for (size_t t = 0; t < n; t++)
        p[t] /= sum;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Simulations of the error rates of procedures (procedures.h). Terms are planted in the hierarchy
 * of a data set, p-values are drawn, and the rejected terms are compared with the truth.
 *
 *     independent  random leaves are planted; they and all their ancestors are relevant. p = P(Z >=
 *                  z), z normal around the effect if relevant, around 0 if not, independently
 *     instances    random terms with 10 to 200 instances are planted; an instance of any of them
 *                  has odds of the class that are exp(effect) times those of others (0.2). p is
 *                  Fisher's, one-sided. A term is relevant if its share of such instances is above
 *                  that of all. p-values depend on each other, as terms share instances.
 */
#pragma once

#include "infer/procedures.h"

/* A procedure in some runs. The draws depend on everything except the procedure, its filter and
 * level; run i is the same whichever runs are requested with it. */
typedef struct hs_simulation {
    int p_values; /* HS_SIMULATE_… */
    double effect;
    uint32_t planted;
    uint64_t seed;
    const char *procedure;
    int filter; /* of HS_FILTER_OPTIONS */
    double similar;
    double alpha;
    uint32_t from, runs;
} hs_simulation;
enum { HS_SIMULATE_INDEPENDENT, HS_SIMULATE_INSTANCES };

#define HS_SIMULATE_WORDS "independent|instances"
extern const hs_option hs_simulation_table[]; /* as text: "procedure=bh,effect=2" */

typedef struct hs_simulated { /* of one run */
    double wrong; /* share of irrelevant terms among the rejected ones (for Focused BH, among those
                     its filter keeps); for procedures against any false rejection: 1 or 0 */
    double found; /* the share of planted terms that is rejected */
    double rejected; /* terms */
} hs_simulated;

/* Several procedures on the same draws: each[i] goes to out[i * each[0].runs + run]. HSEL_EUSAGE:
 * data without hierarchy, or without such terms. */
HSEL_CHECKED int hs_simulate(const hsel_dataset *data, const hs_simulation *each, size_t count,
                             hs_simulated *out, hsel_error *error);

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scan statistics on a hierarchy (Kulldorff, Fang, Walsh 2003; Kulldorff and others 2013,
 * TreeScan): does any term have more cases than its share? Cases are the instances of the positive
 * class.
 */
#pragma once

#include "infer/p_values.h"

#define HS_SCAN_MODELS "bernoulli|poisson" /* in this order */
typedef enum hs_scan_model { HS_SCAN_BERNOULLI, HS_SCAN_POISSON } hs_scan_model;

/* What is expected of all instances. */
typedef struct hs_scan {
    int model;
    double rate;        /* cases per instance, or per unit of exposure; 0: as many as there are */
    double size, cases; /* instances, or their exposure; cases */
    uint32_t permutations;
    enum { HS_SCAN_FASTER, HS_SCAN_BY_CASES, HS_SCAN_BY_TERMS } way; /* the same result */
} hs_scan;

/* The logarithm of the likelihood ratio of a term with these cases among its instances (exposure);
 * 0 unless it has more than its share. */
double hs_scan_ratio(const hs_scan *scan, double cases, double size);
/* For each feature, which must be binary: p of its cases alone, and the chance that any feature has
 * as high a ratio, counted in sets of random cases. `scan` is completed. Instances' weights are
 * exposures of the Poisson model. HSEL_EUSAGE if the model does not suit the sample. */
HSEL_CHECKED int hs_p_scan(const hs_p_sample *sample, hs_scan *scan, const uint32_t *features,
                           uint32_t count, double *p, double *adjusted, hsel_error *error);

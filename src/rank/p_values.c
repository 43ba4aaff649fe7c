/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Binary features by their counts: Fisher's exact test (more than two classes: Freeman and Halton,
 * exact up to 100,000 tables; with a tail, the positive class against the rest), chi-squared or G.
 * Numeric ones by ranks (Mann-Whitney, Kruskal-Wallis) or means (Welch). O(K) but for the sums of
 * Fisher's tails; numeric O(n log n).
 */
#include "rank/p_values.h"

#include <math.h>

#include "core/mem.h"

#define TABLES UINT64_C(100000)

int hs_p_check(const hs_p_options *o, uint32_t classes, hsel_error *error)
{
    if (o->test != HS_P_FISHER && (o->tail != HS_TAIL_BOTH || o->mid))
        return hs_fail(error, HSEL_EUSAGE, "tail and mid are for test=fisher");
    if (o->mid && o->tail == HS_TAIL_BOTH && classes > 2)
        return hs_fail(error, HSEL_EUSAGE, "mid is for two classes, or with a tail");
    return HSEL_OK;
}

int hs_p_of_counts(const hs_training *training, const hs_p_options *o, const uint32_t *positive,
                   double *p, hsel_error *error)
{
    const hs_counts *counts = training->counts;
    const hs_count_table cells = {positive, counts->class_size, counts->classes};
    const uint32_t one = training->view.data->positive_class;
    uint32_t drawn = 0;
    double se;
    if (o->test == HS_P_CHI2) {
        *p = hs_p_chi2(&cells);
    } else if (o->test == HS_P_G) {
        *p = hs_p_g(&cells);
    } else if (o->tail == HS_TAIL_BOTH && counts->classes > 2) {
        return hs_p_halton(&cells, TABLES, training->seed, p, &se, error);
    } else {
        for (uint32_t c = 0; c < counts->classes; c++)
            drawn += positive[c];
        *p = hs_p_fisher(counts->instances, counts->class_size[one], drawn, positive[one],
                         (hs_tail)o->tail, o->mid);
    }
    return HSEL_OK;
}

int hs_p_of_feature(const hs_training *training, const hs_p_options *options, uint32_t feature,
                    double *p, hsel_error *error)
{
    const hs_view *view = &training->view;
    const hsel_dataset *data = view->data;
    const uint32_t classes = training->counts->classes, rows = view->row_count;
    *p = NAN;
    if (data->types[feature] == HSEL_BINARY)
        return hs_p_of_counts(training, options,
                              training->counts->positive + (size_t)feature * classes, p, error);
    if (data->types[feature] == HSEL_NOMINAL)
        return HSEL_OK;
    HS_OWNED double *values = HS_NEW(double, rows);
    HS_OWNED uint32_t *class_of = HS_NEW(uint32_t, rows);
    HS_NEED(values && class_of);
    for (uint32_t i = 0; i < rows; i++) {
        values[i] = hs_dataset_value(data, feature, hs_view_row(view, i));
        class_of[i] = hsel_dataset_class_of(data, hs_view_row(view, i));
    }
    return (options->means ? hs_p_means : hs_p_ranks)(values, class_of, rows, classes, p, error);
}

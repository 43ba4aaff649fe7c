/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bit columns of each class, and conditional mutual information from them. Every logarithm is one
 * of a whole number, so they come from a table.
 */
#include "classify/cmi.h"

#include <math.h>

#include "core/mem.h"

void hs_cmi_clear(hs_cmi *cmi)
{
    for (uint32_t c = 0; cmi->columns && c < cmi->classes; c++)
        hs_bit_columns_clear(&cmi->columns[c]);
    HS_FREE(cmi->columns, cmi->class_size, cmi->positive, cmi->logs, cmi->prior, cmi->n_log_n);
    *cmi = (hs_cmi){0};
}

int hs_cmi_new(uint32_t features, uint32_t classes, hs_cmi *out, hsel_error *error)
{
    *out = (hs_cmi){.features = features,
                    .classes = classes,
                    .class_size = HS_NEW_ZERO(uint32_t, classes),
                    .columns = HS_NEW_ZERO(hs_bit_columns, classes)};
    HS_NEED(out->class_size && out->columns);
    return HSEL_OK;
}

int hs_cmi_ready(hs_cmi *cmi, bool empirical, hsel_error *error)
{
    size_t largest = 0, cells = (size_t)cmi->features * cmi->classes;
    cmi->instances = 0;
    for (uint32_t c = 0; c < cmi->classes; c++) {
        if (cmi->features && cmi->class_size[c] > largest) /* else no logarithm is asked for */
            largest = cmi->class_size[c];
        cmi->instances += cmi->class_size[c];
    }
    cmi->positive = HS_NEW(uint32_t, cells);
    cmi->logs = HS_NEW(double, largest + 5);
    cmi->prior = HS_NEW(double, cmi->classes);
    HS_NEED(cmi->positive && cmi->logs && cmi->prior);
    if (empirical)
        HS_NEED(cmi->n_log_n = HS_NEW(hs_u128, largest + 1));
    for (size_t n = 0; empirical && n <= largest; n++)
        cmi->n_log_n[n] = hs_n_log_n((uint32_t)n);
    cmi->logs[0] = 0; /* never asked for */
    for (size_t n = 1; n < largest + 5; n++)
        cmi->logs[n] = log2((double)n);
    for (uint32_t c = 0; c < cmi->classes; c++)
        cmi->prior[c] = (cmi->class_size[c] + 1.0) / ((double)cmi->instances + cmi->classes);
    for (uint32_t f = 0; f < cmi->features; f++)
        for (uint32_t c = 0; c < cmi->classes; c++)
            cmi->positive[(size_t)f * cmi->classes + c] = hs_cmi_both(cmi, c, f, f);
    return HSEL_OK;
}

int hs_cmi_init(const hs_view *view, bool empirical, hs_cmi *out, hsel_error *error)
{
    const uint32_t classes = view->data->class_names.count, *class_of = view->data->class_of;
    HS_OWNED uint32_t *rows = HS_NEW(uint32_t, view->row_count); /* by class */
    HS_OWNED uint32_t *end = HS_NEW(uint32_t, classes);
    HS_NEED(rows && end);
    HS_TRY(hs_cmi_new(view->data->features, classes, out, error));
    for (uint32_t i = 0; i < view->row_count; i++)
        if (class_of[hs_view_row(view, i)] != HSEL_NONE)
            out->class_size[class_of[hs_view_row(view, i)]]++;
    for (uint32_t c = 0, sum = 0; c < classes; sum += out->class_size[c++])
        end[c] = sum;
    for (uint32_t i = 0; i < view->row_count; i++) {
        uint32_t row = hs_view_row(view, i);
        if (class_of[row] != HSEL_NONE)
            rows[end[class_of[row]]++] = row;
    }
    for (uint32_t c = 0; c < classes; c++) {
        uint32_t size = out->class_size[c];
        HS_TRY(hs_bit_columns_new(view->data, rows + end[c] - size, size, &out->columns[c], error));
    }
    return hs_cmi_ready(out, empirical, error);
}

/* N I = sum over c of sums of n ln n. */
static double empirical_of(const hs_cmi *cmi, uint32_t i, uint32_t j)
{
    const hs_u128 *w = cmi->n_log_n;
    hs_u128 sum = 0;
    for (uint32_t c = 0; c < cmi->classes; c++) {
        uint32_t all = cmi->class_size[c];
        uint32_t a = hs_cmi_positive(cmi, c, i), b = hs_cmi_positive(cmi, c, j);
        uint32_t both = hs_cmi_both(cmi, c, i, j);
        sum += w[both] + w[a - both] + w[b - both] + w[all + both - a - b] + w[all];
        sum -= w[a] + w[all - a] + w[b] + w[all - b];
    }
    return (double)sum / (double)(cmi->instances * hs_n_log_n(2) / 2);
}

double hs_cmi_of(const hs_cmi *cmi, uint32_t i, uint32_t j)
{
    if (cmi->n_log_n)
        return empirical_of(cmi, i, j);
    const double *logs = cmi->logs;
    double sum = 0;
    for (uint32_t c = 0; c < cmi->classes; c++) {
        uint32_t all = cmi->class_size[c];
        uint32_t a1 = hs_cmi_positive(cmi, c, i), b1 = hs_cmi_positive(cmi, c, j);
        uint32_t a0 = all - a1, b0 = all - b1;
        uint32_t n11 = hs_cmi_both(cmi, c, i, j), n10 = a1 - n11, n01 = b1 - n11, n00 = a0 - n01;
        double shift = 2 * logs[all + 2] - logs[all + 4];
        double t11 = (n11 + 1.0) * (logs[n11 + 1] + shift - (logs[a1 + 1] + logs[b1 + 1]));
        double t10 = (n10 + 1.0) * (logs[n10 + 1] + shift - (logs[a1 + 1] + logs[b0 + 1]));
        double t01 = (n01 + 1.0) * (logs[n01 + 1] + shift - (logs[a0 + 1] + logs[b1 + 1]));
        double t00 = (n00 + 1.0) * (logs[n00 + 1] + shift - (logs[a0 + 1] + logs[b0 + 1]));
        sum += cmi->prior[c] * (((t00 + t11) + (t01 + t10)) / (all + 4.0));
    }
    return sum;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counts of pairs of features by class, and conditional mutual information from them. Logarithms of
 * whole numbers come from a table.
 */
#include "classify/cmi.h"

#include "classify/classify.h"

void hs_cmi_clear(hs_cmi *cmi)
{
    hs_sparse_clear(&cmi->rows);
    hs_sparse_clear(&cmi->columns);
    hs_arena_clear(&cmi->arena);
    *cmi = (hs_cmi){0};
}

int hs_cmi_new(uint32_t features, uint32_t classes, hs_cmi *out, hsel_error *error)
{
    *out = (hs_cmi){.features = features, .classes = classes};
    HS_NEED(HS_LISTS(&out->arena, out, HS_PART(out, class_size, classes)));
    return HSEL_OK;
}

struct counted { /* a feature with its counts */
    const uint32_t *positive;
    uint32_t classes, feature;
};

static int by_counts(const void *a, const void *b)
{
    const struct counted *x = a, *y = b;
    return memcmp(x->positive, y->positive, x->classes * sizeof *x->positive);
}

int hs_cmi_ready(hs_cmi *cmi, bool empirical, hsel_error *error)
{
    size_t largest = 0, cells = (size_t)cmi->features * cmi->classes, count;
    cmi->instances = 0;
    for (uint32_t c = 0; c < cmi->classes; c++) {
        if (cmi->features && cmi->class_size[c] > largest) /* else no logarithm is needed */
            largest = cmi->class_size[c];
        cmi->instances += cmi->class_size[c];
    }
    HS_TRY(hs_sparse_transpose(&cmi->rows, cmi->features, &cmi->columns, error));
    HS_OWNED struct counted *order = HS_NEW(struct counted, cmi->features);
    HS_NEED(order && HS_LISTS(&cmi->arena, cmi, HS_PART(cmi, class_of, cmi->instances),
                              HS_PART(cmi, positive, cells), HS_PART(cmi, group, cmi->features),
                              HS_PART(cmi, logs, largest + 5), HS_PART(cmi, prior, cmi->classes)));
    if (empirical)
        HS_NEED(HS_LISTS(&cmi->arena, cmi, HS_PART(cmi, n_log_n, largest + 1)));
    for (size_t n = 0; empirical && n <= largest; n++)
        cmi->n_log_n[n] = hs_n_log_n((uint32_t)n);
    for (size_t n = 1; n < largest + 5; n++)
        cmi->logs[n] = log2((double)n);
    for (uint32_t c = 0, t = 0; c < cmi->classes; c++) {
        cmi->prior[c] = (cmi->class_size[c] + 1.0) / ((double)cmi->instances + cmi->classes);
        for (uint32_t k = 0; k < cmi->class_size[c]; k++)
            cmi->class_of[t++] = c;
    }
    for (uint32_t f = 0; f < cmi->features; f++) {
        const uint32_t *column = hs_sparse_list(&cmi->columns, f, &count);
        uint32_t *positive = cmi->positive + (size_t)f * cmi->classes;
        for (size_t k = 0; k < count; k++)
            positive[cmi->class_of[column[k]]]++;
        order[f] = (struct counted){positive, cmi->classes, f};
    }
    if (cmi->classes > 0)
        qsort(order, cmi->features, sizeof *order, by_counts);
    cmi->groups = 0;
    for (uint32_t k = 0; k < cmi->features; k++) {
        cmi->groups += k == 0 || by_counts(&order[k - 1], &order[k]) != 0;
        cmi->group[order[k].feature] = cmi->groups - 1;
    }
    return HSEL_OK;
}

int hs_cmi_init(const hs_view *view, bool empirical, hs_cmi *out, hsel_error *error)
{
    const hsel_dataset *data = view->data;
    HS_TRY(hs_cmi_new(data->features, data->class_names.count, out, error));
    HS_TRY(hs_rows_by_class(view, out->class_size, &out->rows, error));
    return hs_cmi_ready(out, empirical, error);
}

void hs_cmi_both(const hs_cmi *cmi, uint32_t i, uint32_t j, uint32_t *both)
{
    size_t few, many, at = 0;
    const uint32_t *less = hs_sparse_list(&cmi->columns, i, &few);
    const uint32_t *more = hs_sparse_list(&cmi->columns, j, &many);
    if (few > many) {
        hs_cmi_both(cmi, j, i, both);
        return;
    }
    memset(both, 0, cmi->classes * sizeof *both);
    for (size_t k = 0; k < few; k++) {
        const uint32_t place = hs_find_ascending(more + at, many - at, less[k]);
        if (place == HSEL_NONE)
            continue;
        at += place + 1;
        both[cmi->class_of[less[k]]]++;
    }
}

void hs_cmi_count(const hs_cmi *cmi, uint32_t i, uint32_t *both)
{
    const size_t classes = cmi->classes;
    size_t count, length;
    memset(both, 0, cmi->features * classes * sizeof *both);
    const uint32_t *column = hs_sparse_list(&cmi->columns, i, &count);
    for (size_t k = 0; k < count; k++) {
        const uint32_t *row = hs_sparse_list(&cmi->rows, column[k], &length);
        uint32_t *of_class = both + cmi->class_of[column[k]];
        for (size_t l = 0; l < length; l++)
            of_class[row[l] * classes]++;
    }
}

int hs_cmi_pairs_init(const hs_cmi *cmi, hs_arena *arena, hs_cmi_pairs *out, hsel_error *error)
{
    HS_NEED(HS_LISTS(arena, out, HS_PART(out, both, (size_t)cmi->features * cmi->classes),
                     HS_PART(out, apart, cmi->groups), HS_PART(out, valid, cmi->groups),
                     HS_PART(out, none, cmi->classes)));
    return HSEL_OK;
}

/* N I = sum over c of sums of n ln n. */
static double empirical_of(const hs_cmi *cmi, uint32_t i, uint32_t j, const uint32_t *n11)
{
    const hs_u128 *w = cmi->n_log_n;
    hs_u128 sum = 0;
    for (uint32_t c = 0; c < cmi->classes; c++) {
        uint32_t all = cmi->class_size[c], both = n11[c];
        uint32_t a = hs_cmi_positive(cmi, c, i), b = hs_cmi_positive(cmi, c, j);
        sum += w[both] + w[a - both] + w[b - both] + w[all + both - a - b] + w[all];
        sum -= w[a] + w[all - a] + w[b] + w[all - b];
    }
    return hs_double_of(sum) / hs_double_of(cmi->instances * hs_n_log_n(2) / 2);
}

double hs_cmi_of(const hs_cmi *cmi, uint32_t i, uint32_t j, const uint32_t *both)
{
    if (cmi->n_log_n)
        return empirical_of(cmi, i, j, both);
    const double *logs = cmi->logs;
    double sum = 0;
    for (uint32_t c = 0; c < cmi->classes; c++) {
        uint32_t all = cmi->class_size[c];
        uint32_t a1 = hs_cmi_positive(cmi, c, i), b1 = hs_cmi_positive(cmi, c, j);
        uint32_t a0 = all - a1, b0 = all - b1;
        uint32_t n11 = both[c], n10 = a1 - n11, n01 = b1 - n11, n00 = a0 - n01;
        double shift = 2 * logs[all + 2] - logs[all + 4];
        double t11 = (n11 + 1.0) * (logs[n11 + 1] + shift - (logs[a1 + 1] + logs[b1 + 1]));
        double t10 = (n10 + 1.0) * (logs[n10 + 1] + shift - (logs[a1 + 1] + logs[b0 + 1]));
        double t01 = (n01 + 1.0) * (logs[n01 + 1] + shift - (logs[a0 + 1] + logs[b1 + 1]));
        double t00 = (n00 + 1.0) * (logs[n00 + 1] + shift - (logs[a0 + 1] + logs[b0 + 1]));
        sum += cmi->prior[c] * (((t00 + t11) + (t01 + t10)) / (all + 4.0));
    }
    return sum;
}

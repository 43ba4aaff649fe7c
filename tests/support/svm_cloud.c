/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Clouds of points for tests of support vector machines.
 */
#include "support/svm_cloud.h"
#include "support/normal.h"

void hs_cloud_link(hs_cloud *c)
{
    size_t used = 0;
    for (uint32_t i = 0; i < c->rows; i++) {
        c->square[i] = 0;
        for (uint32_t j = 0; j < c->columns; j++) {
            c->square[i] += c->x[i][j] * c->x[i][j];
            if (c->x[i][j] == 0)
                continue;
            c->index[used] = j;
            c->value[used++] = c->x[i][j];
        }
        c->start[i + 1] = used;
    }
    c->lists = (hs_svm_rows){c->rows, c->columns, c->start, c->index, c->value, c->square};
}

void hs_cloud_new(hs_cloud *c, hs_stream *stream, uint32_t classes, bool binary)
{
    c->rows = 4 + (uint32_t)hs_random_below(stream, 20);
    c->columns = 1 + (uint32_t)hs_random_below(stream, 8);
    for (uint32_t i = 0; i < c->rows; i++) {
        c->label[i] = i < classes ? i : (uint32_t)hs_random_below(stream, classes);
        for (uint32_t j = 0; j < c->columns; j++)
            c->x[i][j] = hs_random_below(stream, 2) == 0 ? 0
                         : binary                        ? 1
                                  : hs_random_normal(stream) + c->label[i] * (j % 2);
    }
    hs_cloud_link(c);
}

/* The kernel as its definition says. */
double hs_kernel_twin(const hs_svm_kernel *k, const double *x, const double *y, uint32_t n)
{
    double product = 0, distance = 0;
    for (uint32_t i = 0; i < n; i++) {
        product += x[i] * y[i];
        distance += (x[i] - y[i]) * (x[i] - y[i]);
    }
    return k->kind == HS_SVM_LINEAR ? product
           : k->kind == HS_SVM_RBF  ? exp(-k->gamma * distance)
                                    : pow(k->gamma * product + k->coef0, k->degree);
}

hs_svm_kernel hs_kernel_of(int round)
{
    return (hs_svm_kernel){.kind = round % 3, .degree = 2, .gamma = 0.3, .coef0 = 1};
}

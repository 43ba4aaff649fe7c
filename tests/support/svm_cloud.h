/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Support vector machines on dense rows: random clouds of points, and kernels as their definitions
 * say.
 */
#ifndef HS_TESTS_SVM_CLOUD_H
#define HS_TESTS_SVM_CLOUD_H

#include <math.h>

#include "classify/svm_solve.h"
#include "core/random.h"
#include "support/cmocka.h"

#define MOST 40 /* rows, columns */

#define assert_near(found, expected, by)                                                           \
    do {                                                                                           \
        double found_ = (found), expected_ = (expected);                                           \
        if (!(fabs(found_ - expected_) <= (by)))                                                   \
            fail_msg("%s is %.12g instead of %.12g", #found, found_, expected_);                   \
    } while (0)

typedef struct hs_cloud { /* dense rows and the same as lists */
    uint32_t rows, columns, label[MOST];
    double x[MOST][MOST];
    size_t start[MOST + 1];
    uint32_t index[MOST * MOST];
    double value[MOST * MOST], square[MOST];
    hs_svm_rows lists;
} hs_cloud;

/* Lists and squares from x. */
void hs_cloud_link(hs_cloud *cloud);
/* Random rows; the first `classes` rows have one class each. */
void hs_cloud_new(hs_cloud *cloud, hs_stream *stream, uint32_t classes, bool binary);
double hs_kernel_twin(const hs_svm_kernel *kernel, const double *x, const double *y, uint32_t n);
/* One kind after the other, with gamma 0.3, degree 2, coef0 1. */
hs_svm_kernel hs_kernel_of(int round);

#endif

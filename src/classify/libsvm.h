/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The library libsvm, loaded at the first training instead of with the program: it brings the C++
 * runtime along, which would make every start of the command half as long again. It stays loaded,
 * and its printing is turned off for the whole process: where it prints to is the one thing in it
 * that is not a function of its arguments.
 */
#ifndef HS_CLASSIFY_LIBSVM_H
#define HS_CLASSIFY_LIBSVM_H

#include <svm.h>

#include "core/error.h"

typedef struct hs_libsvm {
    __typeof__(svm_train) *train;
    __typeof__(svm_free_and_destroy_model) *destroy;
} hs_libsvm;

/* Safe from several threads; only the first call does anything. HSEL_EUNSUPPORTED when the library
 * is not installed. */
HSEL_CHECKED int hs_libsvm_load(const hs_libsvm **out, hsel_error *error);

#endif

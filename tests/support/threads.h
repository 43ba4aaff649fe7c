/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A unit test that starts threads has a line HS_TEST_USES_THREADS below its includes. CMakeLists.txt
 * gives it the label `threads`, so that it also runs under ThreadSanitizer.
 */
#ifndef HS_SUPPORT_THREADS_H
#define HS_SUPPORT_THREADS_H

void hs_test_declare_threads(void);

#define HS_TEST_USES_THREADS                                                                       \
    __attribute__((constructor)) static void declare_threads(void) { hs_test_declare_threads(); }

#endif

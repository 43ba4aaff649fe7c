/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every allocation failing in turn. The function under test is run once as it is, then with its
 * first allocation refused, then with its second … until a run asks for no more. Each run with a
 * refusal must come back with HSEL_ENOMEM and a message; the last one must give the status of the
 * first. Under AddressSanitizer nothing may have leaked on the way.
 */
#ifndef HS_TESTS_OOM_H
#define HS_TESTS_OOM_H

#include <stddef.h>

#include "hsel/hsel.h"

/* Does the work, frees all of it whatever happens, and returns the status. */
typedef int (*hs_oom_function)(void *context, hsel_error *error);

/* Fails the running cmocka test when something is wrong; `what` names it. Returns the number of
 * allocations refused. */
size_t hs_oom_each(const char *what, hs_oom_function function, void *context);

#endif

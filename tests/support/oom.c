/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loop of oom.h. The counter is atomic because the work may allocate in several threads.
 */
#include "support/oom.h"

#include <stdatomic.h>

#include "core/mem.h"
#include "support/cmocka.h"
#include "support/leaks.h"

#define MOST_ALLOCATIONS                                                                           \
    100000 /* more would take too long: the test should use a smaller instance */

typedef struct countdown {
    atomic_size_t left; /* allocations to allow before the one that is refused */
    atomic_size_t refused;
} countdown;

static bool allow(void *context, size_t bytes)
{
    countdown *count = context;
    (void)bytes;
    size_t before = atomic_fetch_sub(&count->left, 1);
    if (before != 0)
        return true;
    atomic_fetch_add(&count->refused, 1);
    return false;
}

static void check_leaks(const char *what, size_t allocation)
{
    if (hs_leaks())
        fail_msg("%s: leaks when allocation %zu is refused (0: none)", what, allocation);
}

size_t hs_oom_each(const char *what, hs_oom_function function, void *context)
{
    hsel_error error = {0};
    int expected = function(context, &error);
    check_leaks(what, 0);
    for (size_t n = 0; n < MOST_ALLOCATIONS; n++) {
        countdown count;
        atomic_init(&count.left, n);
        atomic_init(&count.refused, 0);
        error = (hsel_error){0};
        hs_mem_hook(allow, &count);
        int status = function(context, &error);
        hs_mem_hook(NULL, NULL);
        if (!atomic_load(&count.refused)) {
            check_leaks(what, n);
            if (status != expected)
                fail_msg("%s: status %d in the first run, %d in the last", what, expected, status);
            return n;
        }
        if (status != HSEL_ENOMEM)
            fail_msg("%s: status %d (%s) with allocation %zu refused", what, status, error.message,
                     n + 1);
        if (error.code != HSEL_ENOMEM || !error.message[0])
            fail_msg("%s: no message with allocation %zu refused", what, n + 1);
    }
    fail_msg("%s: more than %d allocations: use a smaller instance", what, MOST_ALLOCATIONS);
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fails a test program that starts a thread without declaring it. The linker routes pthread_create
 * through here (--wrap).
 */
#include "support/threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

static bool declared;
static atomic_bool started; /* also from threads */

void hs_test_declare_threads(void) { declared = true; }

int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __wrap_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument)
{
    started = true;
    return __real_pthread_create(thread, attributes, run, argument);
}

__attribute__((destructor)) static void check_declaration(void)
{
    if (!started || declared)
        return;
    fputs("this test starts threads: declare it with HS_TEST_USES_THREADS (support/threads.h)\n",
          stderr);
    _exit(1);
}

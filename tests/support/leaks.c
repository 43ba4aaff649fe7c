/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the leak checker of AddressSanitizer should overlook: raptor2's Turtle parser loses the URIs
 * it holds when it meets a syntax error. Linked into every test program through oom.c and trip.c.
 */
#include "support/leaks.h"

const char *__lsan_default_suppressions(void)
{
    return "leak:raptor_new_uri_from_counted_string\n";
}

const char *__lsan_default_options(void) { return "print_suppressions=0"; }

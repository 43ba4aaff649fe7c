/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libFuzzer target for stores whose checksums are right, whatever else is in them: reading them
 * must end, in figures or in a message.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/leaks.h"
#include "support/store_trip.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    (void)__lsan_default_suppressions(); /* links it */
    const char *why = hs_exercise_store(bytes, length);
    if (why) {
        fprintf(stderr, "store: %s\n", why);
        abort();
    }
    return 0;
}

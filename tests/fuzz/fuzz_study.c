/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libFuzzer target for study files: whatever comes must end in a study that keeps its own rules, or
 * in a message.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/leaks.h"
#include "support/study_trip.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    (void)__lsan_default_suppressions(); /* links it */
    const char *why = hs_exercise_study(bytes, length);
    if (why) {
        fprintf(stderr, "study: %s\n", why);
        abort();
    }
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libFuzzer target for one corpus, whose name comes as HSEL_FUZZ_NAME from the build. All share
 * this file: whatever comes must end in something that keeps its own rules, or in a proper message.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/exercise.h"
#include "support/leaks.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    (void)__lsan_default_suppressions(); /* links it */
    const char *why = hs_can_exercise(HSEL_FUZZ_NAME)
                          ? hs_exercise_named(HSEL_FUZZ_NAME, bytes, length)
                          : "there is nothing of that name";
    if (why) {
        fprintf(stderr, "%s: %s\n", HSEL_FUZZ_NAME, why);
        abort();
    }
    return 0;
}

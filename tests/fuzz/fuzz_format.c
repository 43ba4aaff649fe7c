/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libFuzzer target for one format, whose name comes as HSEL_FUZZ_FORMAT from the build. All formats
 * share this file: reading whatever comes must end in a data set that passes its self-check and
 * survives a round trip, or in a proper message.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/leaks.h"
#include "support/trip.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const hs_method *method;
    (void)__lsan_default_suppressions(); /* links it */
    if (!method)
        method = hs_method_find(HS_FORMAT, HSEL_FUZZ_FORMAT, strlen(HSEL_FUZZ_FORMAT));
    if (!method) {
        fprintf(stderr, "there is no format %s\n", HSEL_FUZZ_FORMAT);
        abort();
    }
    const char *why = hs_exercise(method, bytes, length);
    if (why) {
        fprintf(stderr, "%s: %s\n", HSEL_FUZZ_FORMAT, why);
        abort();
    }
    return 0;
}

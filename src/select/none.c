/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * No selection: keeps every feature that may be used, of whatever type, to compare others with. da
 * Silva, Plastino, Freitas (2020), baseline No FS. Eager, so that it goes with every classifier.
 *
 * Time and memory O(features). There are no ties and no relevance.
 */
#include <string.h>

#include "select/eager.h"

static int choose(const hs_candidates *c, const void *options, bool *keep, hsel_error *error)
{
    (void)options;
    (void)error;
    memset(keep, true, c->count * sizeof *keep);
    return HSEL_OK;
}

HS_EAGER_SELECTOR(none, NULL, .choose = choose, .flat = true);

const hs_method hs_method_none = {.kind = HS_SELECTOR,
                                  .name = "none",
                                  .title = "no selection",
                                  .help = "Keeps all features, for comparison.",
                                  .citation = "da Silva, Plastino, Freitas (2020), baseline No FS",
                                  .flags = HS_ANY_FEATURES,
                                  .selector = &none};

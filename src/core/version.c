/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What this library is and what was built into it.
 */
#include "hsel/hsel.h"

const char *hsel_version(void) { return HSEL_VERSION; }

const char *hsel_built_with(void) { return HS_BUILT_WITH; }

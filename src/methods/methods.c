/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The registry: every line of methods.def, in order. An explicit table, because self-registering
 * objects are dropped by the linker from a static library.
 */
#include "data/data.h"

#define HS_METHOD(name) extern const hs_method hs_method_##name;
#include "methods.def"
#undef HS_METHOD

static const hs_method *const all[] = {
#define HS_METHOD(name) &hs_method_##name,
#include "methods.def"
#undef HS_METHOD
    NULL};

size_t hs_method_count(void) { return sizeof all / sizeof all[0] - 1; }

const hs_method *hs_method_at(size_t index)
{
    return index < hs_method_count() ? all[index] : NULL;
}

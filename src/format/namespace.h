/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Namespaces of an ontology as users write them: in any case, and for GO also BP, MF and CC.
 */
#ifndef HS_FORMAT_NAMESPACE_H
#define HS_FORMAT_NAMESPACE_H

#include "core/names.h"
#include "core/option.h"

/* Does `wanted` ("biological_process", "BP", "P") mean the namespace of this name? */
bool hs_namespace_matches(const char *wanted, const char *name, size_t length);
/* Is names[id] one of the list? An empty list wants all, else HSEL_NONE is not wanted. */
bool hs_namespace_wanted(const hs_list *wanted, const hs_names *names, uint32_t id);

#endif

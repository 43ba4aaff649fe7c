/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Short names of GO's three namespaces; every other namespace has only its own name.
 */
#include "format/namespace.h"

#include <string.h>

#include "core/text.h"

static const struct {
    const char *name, *brief, *letter;
} go_namespaces[] = {{"biological_process", "BP", "P"},
                     {"molecular_function", "MF", "F"},
                     {"cellular_component", "CC", "C"}};

bool hs_namespace_matches(const char *wanted, const char *name, size_t length)
{
    if (hs_equal_nocase(name, length, wanted))
        return true;
    size_t wanted_length = strlen(wanted);
    for (size_t i = 0; i < sizeof go_namespaces / sizeof *go_namespaces; i++)
        if (hs_equal_nocase(name, length, go_namespaces[i].name))
            return hs_equal_nocase(wanted, wanted_length, go_namespaces[i].brief) ||
                   hs_equal_nocase(wanted, wanted_length, go_namespaces[i].letter);
    return false;
}

bool hs_namespace_wanted(const hs_list *wanted, const hs_names *names, uint32_t id)
{
    for (size_t i = 0; i < wanted->count && id != HSEL_NONE; i++)
        if (hs_namespace_matches(wanted->items[i], hs_names_get(names, id),
                                 hs_names_length(names, id)))
            return true;
    return wanted->count == 0;
}

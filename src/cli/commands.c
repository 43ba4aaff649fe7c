/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of commands.
 */
#include <string.h>

#include "cli/cli.h"

#define HS_COMMAND(name) extern const hs_command hs_command_##name;
#include "cli/commands.def"
#undef HS_COMMAND

static const hs_command *const all[] = {
#define HS_COMMAND(name) &hs_command_##name,
#include "cli/commands.def"
#undef HS_COMMAND
};

size_t hs_command_count(void) { return sizeof all / sizeof all[0]; }

const hs_command *hs_command_at(size_t index) { return all[index]; }

const hs_command *hs_command_find(const char *name)
{
    for (size_t i = 0; i < hs_command_count(); i++)
        if (strcmp(all[i]->name, name) == 0)
            return all[i];
    return NULL;
}

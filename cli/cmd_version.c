/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel version: what this is and what was built in.
 */
#include <jansson.h>
#include <sqlite3.h>
#include <xxhash.h>
#include <zlib.h>

#include "cli/cli.h"

struct options {
    bool json;
};

static const hs_option table[] = {HS_FLAG(struct options, json, "json", "print JSON"),
                                  HS_OPTION_END};

static int version_command(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    const char *parts = hsel_built_with();
    HS_OPEN(out, "-");
    hs_json json = {.out = out};
    if (options->json) {
        hs_json_put(&json, "{version:%s parts:[", hsel_version());
        for (size_t length; *parts; parts += length + (parts[length] == ' ')) {
            length = strcspn(parts, " ");
            hs_json_text(&json, hs_say(call->doc, "%.*s", (int)length, parts));
        }
        hs_json_put(&json, "] processors:%u}", (unsigned)hs_threads(0));
    } else {
        hs_writer_printf(out,
                         "hsel %s\n"
                         "built with: %s\n"
                         "libraries:  zlib %s, SQLite %s, jansson %s, xxHash %u.%u.%u\n"
                         "processors: %d\n"
                         "licence:    GPL-3.0-or-later\n",
                         hsel_version(), parts[0] ? parts : "no optional parts", zlibVersion(),
                         sqlite3_libversion(), jansson_version_str(), XXH_versionNumber() / 10000,
                         XXH_versionNumber() / 100 % 100, XXH_versionNumber() % 100, hs_threads(0));
    }
    return hs_writer_commit(hs_take(&out), error);
}

const hs_command hs_command_version = {
    HS_COMMAND_IS(version, "", "show the version and the optional parts", struct options),
    .groups = {{"Options", table, 0}},
    .flags = HS_READS_NOTHING,
};

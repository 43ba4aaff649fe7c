/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel version: what this is and what was built in.
 */
#include <jansson.h>
#include <sqlite3.h>
#include <string.h>
#include <xxhash.h>
#include <zlib.h>

#include "cli/cli.h"
#include "core/json.h"
#include "core/parallel.h"

struct options {
    bool json;
};

static const hs_option table[] = {HS_FLAG(struct options, json, "json", "print JSON for programs"),
                                  HS_OPTION_END};

static void print_json(hs_writer *out)
{
    hs_json json = {.out = out};
    hs_buf part = {0};
    hs_json_object(&json);
    hs_json_key(&json, "version");
    hs_json_text(&json, hsel_version());
    hs_json_key(&json, "parts");
    hs_json_array(&json);
    for (const char *word = hsel_built_with(); *word;) {
        size_t length = strcspn(word, " ");
        part.length = 0;
        hs_buf_add(&part, word, length);
        if (!part.failed)
            hs_json_text(&json, part.text);
        word += length + (word[length] == ' ');
    }
    hs_json_end_array(&json);
    hs_json_key(&json, "processors");
    hs_json_u64(&json, (uint64_t)hs_threads(0));
    hs_json_end_object(&json);
    hs_buf_clear(&part);
}

static int run(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    hs_writer *out = NULL;
    int status = hs_writer_open("-", &out, error);
    if (status)
        return status;
    if (options->json) {
        print_json(out);
    } else {
        hs_writer_printf(out, "hsel %s\n", hsel_version());
        hs_writer_printf(out, "built with: %s\n",
                         hsel_built_with()[0] ? hsel_built_with() : "no optional parts");
        hs_writer_printf(out, "libraries:  zlib %s, SQLite %s, jansson %s, xxHash %u.%u.%u\n",
                         zlibVersion(), sqlite3_libversion(), jansson_version_str(),
                         XXH_versionNumber() / 10000, XXH_versionNumber() / 100 % 100,
                         XXH_versionNumber() % 100);
        hs_writer_printf(out, "processors: %d\n", hs_threads(0));
        hs_writer_text(out, "licence:    GPL-3.0-or-later\n");
    }
    return hs_writer_commit(out, error);
}

const hs_command hs_command_version = {
    .name = "version",
    .arguments = "",
    .summary = "show the version and what was built in",
    .help = "Shows the version of hsel, the optional parts it was built with, and the versions of "
            "the libraries it uses.",
    .groups = {{"Options", table, 0}},
    .size = sizeof(struct options),
    .no_limits = true,
    .run = run,
};

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel convert: converts any format to any other, with the preparation of the data options.
 */
#include "cli/cli.h"
#include "load/folder.h"

struct options {
    hs_load_options load;
    hs_output_options output;
};

static int convert_command(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
    HS_OWNS(hs_load_report_clear) hs_load_report report = {0};
    HS_TRY(hs_output_check(&options->output, HS_ROLE_DATA | HS_ROLE_GRAPH, error));
    HS_TRY(hs_load(call->arguments[0], &options->load, &report, &data, error));
    hs_note_load(call, data, &report);
    if (data->provenance) { /* it gains this step */
        HS_OWNS(hs_memo_clear) hs_memo step = {0};
        HS_TRY(hs_memo_open(&step, error));
        hs_json_step(&(hs_json){.out = step.out, .compact = true}, call);
        HS_TRY(hs_memo_end(&step, error));
        HS_TRY(hs_provenance_step(&data->provenance, step.text.text, error));
    }
    return hs_output_dataset(call, data, report.hierarchy_format ? &report.graph : NULL,
                             &options->output, error);
}

const hs_command hs_command_convert = {
    HS_COMMAND_IS(convert, "DATA",
                  "convert data or a hierarchy to another format, optionally prepared",
                  struct options),
    .first =
        "output to hierarchy-output hierarchy class ignore propagate drop-roots min-support branch",
    .groups = {{"Output", hs_output_table, offsetof(struct options, output)},
               {"Data", hs_load_table, offsetof(struct options, load)}},
    .flags = HS_WORKS | HS_WRITES_CSV,
};

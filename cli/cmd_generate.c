/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel generate: a data set with hierarchy from a generator and a seed, written wherever any other
 * command can read it.
 */
#include "cli/cli.h"
#include "generate/generate.h"

struct options {
    hs_output_options output;
    uint64_t seed;
};

static const hs_option table[] = {HS_OPTION(struct options, seed, "seed", "S", "1", 0, 0x1p53,
                                            "seed; the same seed and options give the same data"),
                                  HS_OPTION_END};

static int generate_command(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    HS_OWNS(hs_chosen_clear) hs_chosen chosen = {0};
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
    HS_TRY(hs_output_check(&options->output, HS_ROLE_DATA, error)); /* before the work, not after */
    HS_TRY(hs_chosen_parse(HS_GENERATOR, call->arguments[0], &chosen, error));
    HS_TRY(chosen.method->generator->generate(chosen.options, options->seed, &data, error));
    HS_TRY(hs_output_dataset(call, data, &(hs_graph){0}, &options->output, error));
    hs_note(call, "%s, seed %llu: %u instances, %u features, %llu edges, %llu positive values",
            chosen.text, (unsigned long long)options->seed, data->instances, data->features,
            (unsigned long long)hsel_dag_edges(data->dag),
            (unsigned long long)data->rows.start[data->instances]);
    return HSEL_OK;
}

const hs_command hs_command_generate = {
    HS_COMMAND_IS(generate, "GENERATOR[:OPTIONS]", "make a synthetic data set with a hierarchy",
                  struct options),
    .groups = {{"Options", table, 0},
               {"Output", hs_output_table, offsetof(struct options, output)}},
    .flags = HS_WRITES_CSV | HS_TAKES_NAMES | HS_READS_NOTHING,
};

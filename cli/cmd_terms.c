/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel terms: the table of terms to publish.
 */
#include "cli/cli.h"
#include "data/checks.h"
#include "show/terms.h"

struct options {
    hs_load_options load;
    hs_term_options terms;
    const char *output;
    uint64_t seed;
    int names;
    bool csv, json, latex;
};

static const hs_option table[] = {
    HS_OUTPUT_FILE(struct options, output, "FILE", HS_WRITES, NULL,
                   "write to this file (.gz compresses) instead of standard output"),
    HS_FLAG(struct options, csv, "csv", "print CSV, with all digits"),
    HS_FLAG(struct options, json, "json", "print JSON"),
    HS_FLAG(struct options, latex, "latex", "print a table for LaTeX (booktabs)"),
    HS_OPTION(struct options, seed, "seed", "N", "1", 0, 9007199254740992,
              "seed of permutations and random sets"),
    HS_NAMES(struct options),
    HS_OPTION_END};

static int terms_command(const hs_call *call, hsel_error *error)
{
    const struct options *o = call->values;
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
    HS_OWNS(hs_buf_clear) hs_buf chosen = {0};
    HS_OWNED char *text = NULL;
    const char *form = o->csv ? "csv" : o->json ? "json" : o->latex ? "latex" : "text";
    HS_TRY(hs_load_for(call, call->arguments[0], &o->load, &data, error));
    hs_note_unlabelled(call, data);
    HS_TRY(hs_check_classes(data, "a table of terms", error));
    hs_note_classes(call, data, NULL, false);
    hs_hide_names(data, o->names);
    hsel_request request = hs_request(call, NULL, o->load.threads);
    request.seed = o->seed;
    hs_options_format(hs_term_table_options, &o->terms, &chosen);
    HS_NEED(!chosen.failed);
    HS_TRY(hsel_terms(data, &request, chosen.text, form, &text, error));
    hs_progress_end(call->show);
    HS_OPEN(out, o->output ? o->output : "-");
    if (!(o->csv || o->json || o->latex))
        hs_writer_for_people(out);
    hs_writer_text(out, text);
    return hs_writer_commit(hs_take(&out), error);
}

const hs_command hs_command_terms = {
    HS_COMMAND_IS(terms, "DATA", "test all terms: counts, effects and p-values in one table",
                  struct options),
    .first = "output top alpha significant adjust test tail csv json latex hierarchy class "
             "positive",
    .groups = {{"Options", table, 0},
               {"Terms", hs_term_choice_table, offsetof(struct options, terms)},
               {"Tests", hs_feature_test_table, offsetof(struct options, terms)},
               {"Data", hs_load_table, offsetof(struct options, load)}},
    .flags = HS_WORKS | HS_WRITES_CSV,
};

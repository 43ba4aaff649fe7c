/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel compare: the statistics of the literature for anyone's table of results. A column that
 * --covariate names is a property of the data sets; every other column but the first is a method.
 */
#include "cli/cli.h"
#include "format/table.h"

#define MOST_METHODS 1000 /* pairs are tested one by one, and each is kept */

struct options {
    const char *control, *covariate, *diagram;
    double alpha, tolerance;
    bool lower, one_sided, keep_zeros, pairs, json;
};

static const hs_option table[] = {
    HS_TEXT(struct options, control, "control", "METHOD", NULL,
            "compare this method with each of the others (Holm)"),
    HS_FLAG(struct options, lower, "lower", "lower results are better"),
    HS_OPTION(struct options, alpha, "alpha", "A", "0.05", 0.000001, 0.5, "level of significance"),
    HS_FLAG(struct options, one_sided, "one-sided",
            "in Holm's test, test only whether the control is better"),
    HS_FLAG(struct options, keep_zeros, "keep-zeros",
            "also rank zero differences in Wilcoxon's test (Pratt)"),
    HS_OPTION(struct options, tolerance, "tolerance", "D", "0", 0, 1e300,
              "count results that differ by at most D as ties"),
    HS_TEXT(struct options, covariate, "covariate", "COLUMN", NULL,
            "correlate the results of each method with this column (Pearson)"),
    HS_FLAG(struct options, pairs, "pairs",
            "show all pairs of methods, not only pairs with the control or the best method"),
    HS_FILE(struct options, diagram, "diagram", "FILE.svg", HS_WRITES,
            "draw the critical-difference diagram"),
    HS_FLAG(struct options, json, "json", "print JSON"),
    HS_OPTION_END};

/* ---- reading ---- */

struct results { /* a row per data set, a column per method */
    hs_names datasets, methods;
    double *value, *covariate;
    size_t count, capacity, covariate_capacity;
    uint32_t skipped; /* column of the covariate; 0: none */
};

static void clear_results(struct results *results)
{
    hs_names_clear(&results->datasets);
    hs_names_clear(&results->methods);
    HS_FREE(results->value, results->covariate);
}

static int read_results(const hs_call *call, struct results *out, hsel_error *error)
{
    const char *covariate = ((const struct options *)call->values)->covariate;
    HS_OWNS(hs_reader_release) hs_reader *reader = NULL;
    HS_OWNS(hs_table_clear) hs_table source = {0};
    const hs_names *header = &source.header;
    const hs_field *fields;
    uint32_t id, row;
    bool added;
    int got;
    HS_TRY(hs_reader_open(call->arguments[0], &reader, error));
    HS_TRY(hs_table_open(reader, 0, &source, error));
    if (covariate)
        HS_TRY(hs_column_find(header, covariate, call->arguments[0], &out->skipped, error));
    HS_REFUSE(covariate && out->skipped == 0,
              "the first column, %.80s, names the data sets; a covariate has numbers", covariate);
    if (header->count < (covariate ? 4 : 3))
        return hs_table_fail(&source, error,
                             "a table of results needs a column with the name of the data set%s "
                             "and one for each of two methods or more, but this has %u columns",
                             covariate ? ", the covariate" : "", header->count);
    if (header->count > MOST_METHODS + 1)
        return hs_table_fail(&source, error, "%u methods are too many to compare (limit %d)",
                             header->count - 1, MOST_METHODS);
    for (uint32_t i = 1; i < header->count; i++) {
        HS_OWNS(hs_buf_clear) hs_buf name = {0};
        if (i == out->skipped)
            continue;
        hs_plain_text(&name, hs_names_get(header, i)); /* shown in tables and pictures: one line */
        HS_NEED(!name.failed);
        if (name.length == 0)
            return hs_table_fail(&source, error, "column %u has no name", i + 1);
        HS_TRY(hs_names_intern(&out->methods, name.text, name.length, &id, &added, error));
        if (!added)
            return hs_table_fail(&source, error, "two columns have the name %.80s", name.text);
    }
    while ((got = hs_table_next(&source, &fields, error)) > 0) {
        HS_TRY(
            hs_names_intern(&out->datasets, fields[0].text, fields[0].length, &row, &added, error));
        if (!added)
            return hs_table_fail(&source, error, "data set '%.80s' occurs twice", fields[0].text);
        HS_NEED(HS_GROW(&out->value, &out->capacity, out->count + header->count) &&
                HS_GROW(&out->covariate, &out->covariate_capacity, row + 1));
        for (uint32_t i = 1; i < header->count; i++) {
            const hs_field *field = &fields[i];
            double *number = i == out->skipped ? &out->covariate[row] : &out->value[out->count++];
            *number = (double)NAN;
            bool missing = field->length == 0 || strcmp(field->text, "?") == 0 ||
                           hs_equal_nocase(field->text, field->length, "NA") ||
                           hs_equal_nocase(field->text, field->length, "NaN");
            if (!missing &&
                !(hs_parse_double(field->text, field->length, number) && isfinite(*number)))
                return hs_table_fail(&source, error, "'%.50s' in column %.80s is not a number",
                                     field->text, hs_names_get(header, i));
        }
    }
    if (got == 0 && out->datasets.count == 0)
        return hs_fail_at(error, HSEL_EFORMAT, hs_reader_name(reader), 0,
                          "there are no results below the header");
    return got;
}

static int compare_command(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    HS_OWNS(clear_results) struct results results = {0};
    HS_OWNED char *shown = NULL, *diagram = NULL;
    HS_TRY(read_results(call, &results, error));
    const hsel_compare_request request = {.size = sizeof request,
                                          .value = results.value,
                                          .datasets = results.datasets.count,
                                          .methods = results.methods.count,
                                          .dataset_names = results.datasets.pool,
                                          .method_names = results.methods.pool,
                                          .control = options->control,
                                          .lower_is_better = options->lower,
                                          .one_sided = options->one_sided,
                                          .keep_zeros = options->keep_zeros,
                                          .alpha = options->alpha,
                                          .tolerance = options->tolerance,
                                          .all_pairs = options->pairs,
                                          .covariate =
                                              options->covariate ? results.covariate : NULL,
                                          .covariate_name = options->covariate,
                                          .diagram = options->diagram ? &diagram : NULL};
    HS_TRY(hsel_compare(&request, options->json ? &shown : NULL, options->json ? NULL : &shown,
                        error));
    if (diagram)
        HS_TRY(hs_print_text(options->diagram, diagram, error));
    return hs_print_text("-", shown, error);
}

const hs_command hs_command_compare = {
    HS_COMMAND_IS(compare, "RESULTS", "compare methods over data sets: ranks and statistical tests",
                  struct options),
    .groups = {{"Options", table, 0}},
};

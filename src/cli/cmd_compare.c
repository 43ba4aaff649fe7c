/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel compare: the statistics of the literature for anyone's table of results. A column that
 * --covariate names is a property of the data sets; every other column but the first is a method.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "cli/cli.h"
#include "core/mem.h"
#include "format/table.h"
#include "report/cd_diagram.h"
#include "report/comparison.h"
#include "report/escape.h"

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
            "in Holm's test, ask only whether the control is better"),
    HS_FLAG(struct options, keep_zeros, "keep-zeros",
            "rank zero differences too in Wilcoxon's test (Pratt)"),
    HS_OPTION(struct options, tolerance, "tolerance", "D", "0", 0, 1e300,
              "results no more than D apart tie in wins and losses"),
    HS_TEXT(struct options, covariate, "covariate", "COLUMN", NULL,
            "correlate the results of each method with this column (Pearson)"),
    HS_FLAG(struct options, pairs, "pairs",
            "show every pair of methods, not only the control's or the best method's"),
    HS_FILE(struct options, diagram, "diagram", "FILE.svg", HS_WRITES,
            "draw the critical-difference diagram"),
    HS_FLAG(struct options, json, "json", "print JSON for programs"),
    HS_OPTION_END};

/* ---- reading ---- */

struct results { /* a row a data set, a column a method */
    hs_names datasets, methods;
    double *value, *covariate;
    size_t count, capacity, covariate_capacity;
    uint32_t skipped; /* column of the covariate; 0: none */
};

static bool is_missing(const hs_field *field)
{
    return field->length == 0 || strcmp(field->text, "?") == 0 ||
           hs_equal_nocase(field->text, field->length, "NA") ||
           hs_equal_nocase(field->text, field->length, "NaN");
}

static int read_number(const hs_table *source, const hs_field *field, uint32_t column, double *out,
                       hsel_error *error)
{
    *out = (double)NAN;
    if (is_missing(field) || (hs_parse_double(field->text, field->length, out) && isfinite(*out)))
        return HSEL_OK;
    return hs_table_fail(source, error, "'%.50s' in column %.80s is not a number", field->text,
                         hs_names_get(&source->header, column));
}

static int read_row(const hs_table *source, const hs_field *fields, struct results *out,
                    hsel_error *error)
{
    uint32_t row, columns = source->header.count;
    bool added;
    int status =
        hs_names_intern(&out->datasets, fields[0].text, fields[0].length, &row, &added, error);
    if (status)
        return status;
    if (!added)
        return hs_table_fail(source, error, "data set '%.80s' is there twice", fields[0].text);
    if (!HS_GROW(&out->value, &out->capacity, out->count + columns) ||
        !HS_GROW(&out->covariate, &out->covariate_capacity, row + 1))
        return hs_fail_memory(error);
    for (uint32_t i = 1; i < columns && status == HSEL_OK; i++)
        status = read_number(source, &fields[i], i,
                             i == out->skipped ? &out->covariate[row] : &out->value[out->count++],
                             error);
    return status;
}

/* Names are shown in tables and pictures: no line ends in them. */
static int add_method(const hs_table *source, uint32_t column, struct results *out,
                      hsel_error *error)
{
    hs_buf name = {0};
    uint32_t id;
    bool added = false;
    hs_plain_text(&name, hs_names_get(&source->header, column));
    int status = name.failed ? hs_fail_memory(error) : HSEL_OK;
    if (status == HSEL_OK && name.length == 0)
        status = hs_table_fail(source, error, "column %u has no name", column + 1);
    if (status == HSEL_OK)
        status = hs_names_intern(&out->methods, name.text, name.length, &id, &added, error);
    if (status == HSEL_OK && !added)
        status = hs_table_fail(source, error, "two columns have the name %.80s", name.text);
    hs_buf_clear(&name);
    return status;
}

static int fail_unknown(const char *what, const char *name, const hs_names *names, uint32_t first,
                        hsel_error *error)
{
    hs_arena arena = {0};
    const char **list = HS_ARENA_NEW(&arena, const char *, names->count);
    if (!list)
        return hs_fail_memory(error);
    for (uint32_t i = first; i < names->count; i++)
        list[i - first] = hs_names_get(names, i);
    int nearest = hs_nearest(name, list, names->count - first);
    int status =
        nearest < 0
            ? hs_fail(error, HSEL_EUSAGE, "the table has no %s '%.80s'", what, name)
            : hs_fail(error, HSEL_EUSAGE, "the table has no %s '%.80s'; did you mean '%.80s'?",
                      what, name, list[nearest]);
    hs_arena_clear(&arena);
    return status;
}

static int read_header(const hs_table *source, const char *covariate, struct results *out,
                       hsel_error *error)
{
    const hs_names *header = &source->header;
    uint32_t found = covariate ? hs_names_find(header, covariate, strlen(covariate)) : 0;
    if (found == HSEL_NONE)
        return fail_unknown("column", covariate, header, 1, error);
    if (covariate && found == 0)
        return hs_fail(error, HSEL_EUSAGE,
                       "the first column, %.80s, names the data sets; a covariate has numbers",
                       covariate);
    out->skipped = found;
    if (header->count < (covariate ? 4 : 3))
        return hs_table_fail(
            source, error,
            "a table of results has a column for the name of the data set%s and one for "
            "each of two methods or more; this has %u columns",
            covariate ? ", the covariate" : "", header->count);
    if (header->count > MOST_METHODS + 1)
        return hs_table_fail(source, error, "%u methods are more than the %d that can be compared",
                             header->count - 1, MOST_METHODS);
    int status = HSEL_OK;
    for (uint32_t i = 1; status == HSEL_OK && i < header->count; i++)
        if (i != out->skipped)
            status = add_method(source, i, out, error);
    return status;
}

static int read_results(const char *path, const char *covariate, struct results *out,
                        hsel_error *error)
{
    hs_reader *reader = NULL;
    hs_table source = {0};
    const hs_field *fields;
    int got = 0, status = hs_reader_open(path, &reader, error);
    if (status == HSEL_OK)
        status = hs_table_open(reader, 0, &source, error);
    if (status == HSEL_OK)
        status = read_header(&source, covariate, out, error);
    while (status == HSEL_OK && (got = hs_table_next(&source, &fields, error)) > 0)
        status = read_row(&source, fields, out, error);
    if (status == HSEL_OK && got < 0)
        status = got;
    if (status == HSEL_OK && out->datasets.count == 0)
        status = hs_fail_at(error, HSEL_EFORMAT, hs_reader_name(reader), 0,
                            "there are no results below the header");
    hs_table_clear(&source);
    hs_reader_close(reader);
    return status;
}

static void clear_results(struct results *results)
{
    hs_names_clear(&results->datasets);
    hs_names_clear(&results->methods);
    hs_free(results->value);
    hs_free(results->covariate);
}

/* ---- what is asked ---- */

static int list_names(const hs_names *names, hs_arena *arena, const char *const **out,
                      hsel_error *error)
{
    const char **list = HS_ARENA_NEW(arena, const char *, names->count);
    if (!list)
        return hs_fail_memory(error);
    for (uint32_t i = 0; i < names->count; i++)
        list[i] = hs_names_get(names, i);
    *out = list;
    return HSEL_OK;
}

static int find_control(const char *name, const hs_names *methods, size_t *out, hsel_error *error)
{
    uint32_t found = name ? hs_names_find(methods, name, strlen(name)) : HSEL_NONE;
    *out = found == HSEL_NONE ? SIZE_MAX : found;
    return name && found == HSEL_NONE ? fail_unknown("method", name, methods, 0, error) : HSEL_OK;
}

static int make_request(const hs_call *call, const struct results *results,
                        hs_comparison_request *out, hsel_error *error)
{
    const struct options *options = call->values;
    *out = (hs_comparison_request){.results = {results->datasets.count, results->methods.count,
                                               results->value, options->lower},
                                   .alpha = options->alpha,
                                   .tolerance = options->tolerance,
                                   .one_sided = options->one_sided,
                                   .keep_zeros = options->keep_zeros,
                                   .all_pairs = options->pairs,
                                   .covariate = options->covariate ? results->covariate : NULL,
                                   .covariate_name = options->covariate};
    int status = find_control(options->control, &results->methods, &out->control, error);
    if (status == HSEL_OK)
        status = list_names(&results->methods, call->arena, &out->methods, error);
    return status == HSEL_OK ? list_names(&results->datasets, call->arena, &out->datasets, error)
                             : status;
}

/* ---- showing ---- */

static int print_json(const hs_comparison *comparison, hs_writer *out, hsel_error *error)
{
    hs_json json = {.out = out};
    return hs_comparison_json(comparison, &json, error);
}

static int write_to(const char *path, const hs_comparison *comparison,
                    int (*write)(const hs_comparison *, hs_writer *, hsel_error *),
                    hsel_error *error)
{
    hs_writer *out = NULL;
    int status = hs_writer_open(path, &out, error);
    if (status == HSEL_OK)
        status = write(comparison, out, error);
    if (status == HSEL_OK)
        return hs_writer_commit(out, error);
    hs_writer_abandon(out);
    return status;
}

static int run(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    struct results results = {0};
    hs_comparison comparison = {0};
    hs_comparison_request request;
    int status = read_results(call->arguments[0], options->covariate, &results, error);
    if (status == HSEL_OK)
        status = make_request(call, &results, &request, error);
    if (status == HSEL_OK)
        status = hs_comparison_make(&request, &comparison, error);
    if (status == HSEL_OK && options->diagram)
        status = write_to(options->diagram, &comparison, hs_cd_svg, error);
    if (status == HSEL_OK)
        status =
            write_to("-", &comparison, options->json ? print_json : hs_comparison_print, error);
    hs_comparison_clear(&comparison);
    clear_results(&results);
    return status;
}

const hs_command hs_command_compare = {
    .name = "compare",
    .arguments = "RESULTS",
    .summary = "compare methods over data sets: ranks and statistical tests",
    .help = "Reads a table of results (CSV or TSV: a row a data set, a column a method, the first "
            "column the name of the "
            "data set; an empty cell, ? or NA is a missing result) and shows mean ranks and wins, "
            "Friedman's test with "
            "Iman and Davenport's F, Nemenyi's critical difference, Wilcoxon's signed-rank test of "
            "pairs, Holm's test "
            "against a control, and what follows from them in words.\n\n"
            "Tests over all methods leave out data sets that lack a result of some method. "
            "p-values are two-sided unless "
            "--one-sided; those of Wilcoxon's test are not corrected for the number of pairs.",
    .examples = "  hsel compare results.csv --control rpv\n"
                "  hsel compare errors.csv --lower --diagram errors.svg\n"
                "  hsel compare results.csv --covariate imbalance --json\n",
    .at_least = 1,
    .at_most = 1,
    .groups = {{"Options", table, 0}},
    .size = sizeof(struct options),
    .run = run,
};

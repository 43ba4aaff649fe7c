/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * measure_values DATA MEASURE: what a measure gives for each feature, with all digits, one a line.
 * For bench/weka_compare.py; it is no test by itself.
 */
#include <stdio.h>

#include "core/mem.h"
#include "format/load.h"
#include "measure/measure.h"

static int print_values(const hsel_dataset *data, const char *name, hsel_error *error)
{
    hs_chosen measure = {0};
    hs_counts counts = {0};
    hs_view view = hs_view_all(data);
    double *score = HS_NEW(double, data->features);
    int status = score ? hs_chosen_parse(HS_MEASURE, name, &measure, error) : hs_fail_memory(error);
    if (status == HSEL_OK)
        status = hs_counts_of(&view, &counts, error);
    if (status == HSEL_OK)
        hs_measure_features(&measure, &counts, data->positive_class, score);
    for (uint32_t f = 0; status == HSEL_OK && f < data->features; f++)
        printf("%.17g\n", score[f]);
    hs_counts_clear(&counts);
    hs_chosen_clear(&measure);
    hs_free(score);
    return status;
}

int main(int count, char **given)
{
    hsel_error error = {0};
    hs_arena arena = {0};
    hs_load_options options = {0};
    hs_load_report report = {0};
    hsel_dataset *data = NULL;
    int status = count == 3 ? hs_options_defaults(hs_load_table, &options, &arena, &error)
                            : hs_fail(&error, HSEL_EUSAGE, "usage: measure_values DATA MEASURE");
    if (status == HSEL_OK)
        status = hs_load(given[1], &options, &report, &data, &error);
    if (status == HSEL_OK)
        status = print_values(data, given[2], &error);
    if (status)
        fprintf(stderr, "%s\n", error.message);
    hs_load_report_clear(&report);
    hsel_dataset_free(data);
    hs_arena_clear(&arena);
    return status ? 1 : 0;
}

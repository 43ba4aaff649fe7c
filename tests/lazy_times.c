/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lazy_times DATA SELECTOR…: how long lazy selectors take for one instance, without reading,
 * learning and classifying.
 *
 * A line for each: selector; means over the instances of positive features, edges among them and
 * features selected; microseconds to prepare on all instances; microseconds an instance, the least
 * of several rounds over all instances, in time of the processor. For bench/run; it is no test by
 * itself.
 */
#include <stdio.h>
#include <time.h>

#include "core/mem.h"
#include "load/load.h"
#include "select/select.h"

enum { ROUNDS = 15 };

static double microseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

/* All parents of a positive feature are positive, so its edges upwards are those among positive
 * features. */
static size_t count_edges(const hsel_dataset *data)
{
    size_t edges = 0;
    for (size_t i = 0; data->dag && i < data->rows.start[data->instances]; i++) {
        size_t parents;
        hs_parents(data->dag, data->rows.index[i], &parents);
        edges += parents;
    }
    return edges;
}

struct bench {
    const hsel_dataset *data;
    hs_lazy_scratch scratch;
    hs_selection selection;
};

static int run_round(struct bench *b, const hs_selector *selector, const void *state, double *least,
                     size_t *selected, hsel_error *error)
{
    double began = microseconds();
    *selected = 0;
    for (uint32_t i = 0; i < b->data->instances; i++) {
        size_t count;
        const uint32_t *row = hs_row(b->data, i, &count);
        int status = selector->select_for(state, row, count, &b->scratch, &b->selection, error);
        if (status)
            return status;
        *selected += hs_selection_size(&b->selection, b->data->features, count);
    }
    double took = microseconds() - began;
    *least = took < *least ? took : *least;
    return HSEL_OK;
}

static int time_selector(struct bench *b, const char *text, const hs_training *training,
                         hsel_error *error)
{
    const hsel_dataset *data = b->data;
    hs_chosen chosen = {0};
    void *state = NULL;
    double least = 1e300, began, prepared = 0, n = data->instances;
    size_t selected = 0;
    int status = hs_chosen_parse(HS_SELECTOR, text, &chosen, error);
    if (status == HSEL_OK && !(chosen.method->flags & HS_LAZY))
        status = hs_fail(error, HSEL_EUSAGE, "%s is not lazy", text);
    began = microseconds();
    if (status == HSEL_OK)
        status = chosen.method->selector->prepare(training, chosen.options, &state, error);
    prepared = microseconds() - began;
    for (int round = 0; round < ROUNDS && status == HSEL_OK; round++)
        status = run_round(b, chosen.method->selector, state, &least, &selected, error);
    if (status == HSEL_OK)
        printf("%s\t%.2f\t%.2f\t%.2f\t%.0f\t%.3f\n", text,
               (double)data->rows.start[data->instances] / n, (double)count_edges(data) / n,
               (double)selected / n, prepared, least / n);
    if (state)
        chosen.method->selector->free(state);
    hs_chosen_clear(&chosen);
    return status;
}

static int time_all(const hsel_dataset *data, char **selectors, hsel_error *error)
{
    struct bench b = {.data = data};
    hs_counts counts = {0};
    hs_view view = hs_view_all(data);
    hs_training training = {.view = view, .counts = &counts, .threads = 1};
    int status = hs_counts_of(&view, &counts, error);
    if (status == HSEL_OK)
        status = hs_lazy_scratch_init(&b.scratch, data->features, error);
    if (status == HSEL_OK)
        status = hs_selection_init(&b.selection, data->features, error);
    for (; *selectors && status == HSEL_OK; selectors++)
        status = time_selector(&b, *selectors, &training, error);
    hs_selection_clear(&b.selection);
    hs_lazy_scratch_clear(&b.scratch);
    hs_counts_clear(&counts);
    return status;
}

int main(int count, char **given)
{
    hsel_error error = {0};
    hs_arena arena = {0};
    hs_load_options options = {0};
    hs_load_report report = {0};
    hsel_dataset *data = NULL;
    int status = count >= 3 ? hs_options_defaults(hs_load_table, &options, &arena, &error)
                            : hs_fail(&error, HSEL_EUSAGE, "usage: lazy_times DATA SELECTOR...");
    if (status == HSEL_OK)
        status = hs_load(given[1], &options, &report, &data, &error);
    if (status == HSEL_OK)
        status = time_all(data, given + 2, &error);
    if (status)
        fprintf(stderr, "%s\n", error.message);
    hs_load_report_clear(&report);
    hsel_dataset_free(data);
    hs_arena_clear(&arena);
    return status ? 1 : 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What rankers and measures give and how long they take, for bench/weka_compare.py and bench/run;
 * it is no test by itself.
 *
 *     rank_values DATA values RANKER        the value of each feature, with all digits, one a line
 *     rank_values DATA cuts                 the cut points of each feature by MDL discretisation, a
 * line a feature rank_values DATA time THREADS RANKER… milliseconds to rank with all of them
 * together, by the clock and of the processor, each the least of several rounds, without reading;
 * then the peak memory of the process before and after, in MB
 *     rank_values DATA write FILE           writes the data, in the format of the file's ending
 *
 * DATA may be made=INSTANCESxFEATURES: two classes, numeric features that tell them apart more or
 * less.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "core/mem.h"
#include "core/random.h"
#include "core/writer.h"
#include "data/builder.h"
#include "load/load.h"
#include "rank/ordered.h"
#include "rank/rank.h"
#include "support/rank_world.h"

enum { ROUNDS = 7 };

static int make_row(hs_builder *builder, uint32_t i, uint32_t features, hsel_error *error)
{
    hs_stream stream;
    hs_stream_init(&stream, 1, "made", i, 0);
    int status = hs_builder_row(builder, NULL, 0, i % 3 == 0, error);
    for (uint32_t f = 0; f < features && status == HSEL_OK; f++) {
        double shift = i % 3 == 0 ? (double)f / features : 0;
        status = hs_builder_numeric(builder, f, shift + 2 * hs_random_double(&stream) - 1, error);
    }
    return status;
}

static int make_data(const char *text, hsel_dataset **out, hsel_error *error)
{
    unsigned instances = 0, features = 0;
    hs_builder *builder = NULL;
    char name[32];
    uint32_t id;
    if (sscanf(text, "made=%ux%u", &instances, &features) != 2)
        return hs_fail(error, HSEL_EUSAGE, "made=INSTANCESxFEATURES");
    int status = hs_builder_new(&builder, error);
    for (uint32_t f = 0; f < features && status == HSEL_OK; f++) {
        int length = snprintf(name, sizeof name, "f%u", f);
        status = hs_builder_feature(builder, name, (size_t)length, HSEL_NUMERIC, &id, error);
    }
    for (int c = 0; c < 2 && status == HSEL_OK; c++)
        status = hs_builder_class(builder, c ? "b" : "a", 1, &id, error);
    for (uint32_t i = 0; i < instances && status == HSEL_OK; i++)
        status = make_row(builder, i, features, error);
    if (status == HSEL_OK)
        status = hs_builder_finish(builder, out, error);
    hs_builder_free(builder);
    return status;
}

static int load(const char *path, hsel_dataset **out, hsel_error *error)
{
    hs_arena arena = {0};
    hs_load_options options = {0};
    hs_load_report report = {0};
    if (strncmp(path, "made=", 5) == 0)
        return make_data(path, out, error);
    int status = hs_options_defaults(hs_load_table, &options, &arena, error);
    if (status == HSEL_OK)
        status = hs_load(path, &options, &report, out, error);
    hs_load_report_clear(&report);
    hs_arena_clear(&arena);
    return status;
}

static double milliseconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static double peak_megabytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static int print_values(const hs_training *training, const char *text, hsel_error *error)
{
    uint32_t features = training->view.data->features;
    hs_chosen ranker = {0};
    double *score = HS_NEW(double, features);
    int status = score ? hs_chosen_parse(HS_RANKER, text, &ranker, error) : hs_fail_memory(error);
    if (status == HSEL_OK)
        status = hs_rank_features(training, &ranker, 1, &score, error);
    for (uint32_t f = 0; status == HSEL_OK && f < features; f++)
        printf("%.17g\n", hs_ranker_value(ranker.method, score[f]));
    hs_chosen_clear(&ranker);
    hs_free(score);
    return status;
}

static int print_cuts(const hs_training *training, hsel_error *error)
{
    hs_labelled columns = {0};
    hs_ordered ordered = {0};
    int status = hs_labelled_init(&columns, training, error);
    if (status == HSEL_OK)
        status = hs_ordered_init(&ordered, &columns, error);
    for (uint32_t f = 0; status == HSEL_OK && f < training->view.data->features; f++) {
        bool numeric = training->view.data->types[f] == HSEL_NUMERIC;
        hs_order_column(&columns, f, &ordered);
        hs_mdl_cuts(&columns, &ordered);
        for (uint32_t g = 0; numeric && g < ordered.groups; g++)
            if (ordered.cut[g])
                printf("%.17g ", hs_cut_value(&ordered, g));
        printf("\n");
    }
    hs_ordered_clear(&ordered);
    hs_labelled_clear(&columns);
    return status;
}

static int print_times(const hs_training *training, char **texts, size_t count, hsel_error *error)
{
    hs_chosen *rankers = HS_NEW_ZERO(hs_chosen, count);
    double **scores = HS_NEW_ZERO(double *, count), least = INFINITY, cpu = INFINITY;
    double before = peak_megabytes();
    int status = rankers && scores ? HSEL_OK : hs_fail_memory(error);
    for (size_t i = 0; i < count && status == HSEL_OK; i++) {
        scores[i] = HS_NEW(double, training->view.data->features);
        status = scores[i] ? hs_chosen_parse(HS_RANKER, texts[i], &rankers[i], error)
                           : hs_fail_memory(error);
    }
    for (int round = 0; round < ROUNDS && status == HSEL_OK && (round < 3 || least < 2000);
         round++) {
        double began = milliseconds(CLOCK_MONOTONIC), used = milliseconds(CLOCK_PROCESS_CPUTIME_ID);
        status = hs_rank_features(training, rankers, count, scores, error);
        least = fmin(least, milliseconds(CLOCK_MONOTONIC) - began);
        cpu = fmin(cpu, milliseconds(CLOCK_PROCESS_CPUTIME_ID) - used);
    }
    if (status == HSEL_OK)
        printf("%.2f ms, %.2f ms of processor, peak %.1f MB before, %.1f MB after\n", least, cpu,
               before, peak_megabytes());
    for (size_t i = 0; i < count; i++) {
        hs_free(scores ? scores[i] : NULL);
        if (rankers)
            hs_chosen_clear(&rankers[i]);
    }
    hs_free(scores);
    hs_free(rankers);
    return status;
}

static int write_data(const hsel_dataset *data, const char *path, hsel_error *error)
{
    const hs_method *method = NULL;
    hs_writer *out = NULL;
    int status = hs_format_for_output(path, NULL, HS_ROLE_DATA, &method, error);
    if (status == HSEL_OK)
        status = hs_writer_open(path, &out, error);
    if (status)
        return status;
    if ((status = method->format->write_data(data, out, error)) == HSEL_OK)
        return hs_writer_commit(out, error);
    hs_writer_abandon(out);
    return status;
}

int main(int count, char **given)
{
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    hs_counts counts = {0};
    const char *what = count > 2 ? given[2] : "";
    int status = what[0]
                     ? load(given[1], &data, &error)
                     : hs_fail(&error, HSEL_EUSAGE, "usage: rank_values DATA values|cuts|time ...");
    hs_training training = {.counts = &counts, .threads = 1};
    if (status == HSEL_OK) {
        training.view = hs_view_all(data);
        status = hs_counts_of(&training.view, &counts, &error);
    }
    if (status == HSEL_OK && strcmp(what, "cuts") == 0) {
        status = print_cuts(&training, &error);
    } else if (status == HSEL_OK && strcmp(what, "values") == 0 && count == 4) {
        status = print_values(&training, given[3], &error);
    } else if (status == HSEL_OK && strcmp(what, "write") == 0 && count == 4) {
        status = write_data(data, given[3], &error);
    } else if (status == HSEL_OK && strcmp(what, "time") == 0 && count > 4) {
        training.threads = atoi(given[3]);
        status = print_times(&training, given + 4, (size_t)count - 4, &error);
    } else if (status == HSEL_OK) {
        status = hs_fail(&error, HSEL_EUSAGE, "rank_values cannot do '%s' like that", what);
    }
    if (status)
        fprintf(stderr, "%s\n", error.message);
    hs_counts_clear(&counts);
    hsel_dataset_free(data);
    return status ? 1 : 0;
}

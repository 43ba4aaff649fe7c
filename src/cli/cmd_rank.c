/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel rank: the features by their relevance to the class, best first, by any number of rankers
 * side by side.
 */
#include <math.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/method_list.h"
#include "cli/rank_compare.h"
#include "core/json.h"
#include "core/mem.h"
#include "evaluate/crossval.h"
#include "rank/rank.h"
#include "report/text_table.h"

struct options {
    hs_load_options load;
    hs_rank_compare_options compare;
    hs_list by;
    uint32_t top;
    const char *output;
    bool csv, json;
};

static const hs_option table[] = {
    HS_OPTION(struct options, by, "by", "RANKER,...", NULL, 0, 0,
              "rankers and measures; the first one gives the order (default: auc)"),
    HS_OPTION(struct options, top, "top", "N", "25", 0, 268435456,
              "show only the N best features; 0 shows all"),
    HS_FLAG(struct options, csv, "csv", "print CSV, with all digits"),
    HS_FLAG(struct options, json, "json", "print JSON"),
    {.name = "output",
     .value = "FILE",
     .letter = 'o',
     .type = HS_OPT_TEXT,
     .use = HS_WRITES,
     .offset = offsetof(struct options, output),
     .help = "write to this file (.gz compresses) instead of standard output"},
    HS_OPTION_END};

struct job {
    const hs_call *call;
    const struct options *options;
    hs_arena arena;
    hsel_dataset *data;
    hs_method_list rankers;
    const char **name; /* [rankers]: canonical text */
    double **scores;   /* [rankers][features] */
    uint32_t **place;  /* [rankers][features]: from 1 */
    uint32_t *order;   /* [features]: by the first ranker */
    uint32_t shown;
};

static void job_clear(struct job *job)
{
    hs_method_list_clear(&job->rankers);
    hsel_dataset_free(job->data);
    hs_arena_clear(&job->arena);
}

/* ---- scores ---- */

static int job_init(struct job *job, hsel_error *error)
{
    size_t count = job->rankers.count, features = job->data->features;
    job->name = hs_arena_zero(&job->arena, count, sizeof *job->name);
    job->scores = hs_arena_zero(&job->arena, count, sizeof *job->scores);
    job->place = hs_arena_zero(&job->arena, count, sizeof *job->place);
    job->order = HS_ARENA_NEW(&job->arena, uint32_t, features);
    if (!job->name || !job->scores || !job->place || !job->order)
        return hs_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        hs_buf text = {0};
        hs_chosen_format(&job->rankers.items[i], &text);
        job->name[i] = text.failed ? NULL : hs_arena_text(&job->arena, text.text, text.length);
        hs_buf_clear(&text);
        job->scores[i] = HS_ARENA_NEW(&job->arena, double, features);
        job->place[i] = HS_ARENA_NEW(&job->arena, uint32_t, features);
        if (!job->name[i] || !job->scores[i] || !job->place[i])
            return hs_fail_memory(error);
    }
    return HSEL_OK;
}

static int rank(struct job *job, hsel_error *error)
{
    hs_counts counts = {0};
    hs_training training = {.view = hs_view_all(job->data),
                            .counts = &counts,
                            .seed = 1,
                            .threads = job->options->load.threads};
    uint32_t features = job->data->features;
    int status = hs_counts_of(&training.view, &counts, error);
    if (status == HSEL_OK)
        status =
            hs_rank_features(&training, job->rankers.items, job->rankers.count, job->scores, error);
    for (size_t i = job->rankers.count; i-- > 0 && status == HSEL_OK;) { /* the first one last */
        hs_rank_order(job->scores[i], features, NULL, job->order);
        for (uint32_t place = 0; place < features; place++)
            job->place[i][job->order[place]] = place + 1;
    }
    hs_counts_clear(&counts);
    job->shown = job->options->top && job->options->top < features ? job->options->top : features;
    return status;
}

static double value_of(const struct job *job, size_t ranker, uint32_t feature)
{
    return hs_ranker_value(job->rankers.items[ranker].method, job->scores[ranker][feature]);
}

/* ---- output ---- */

/* With several rankers each but the first has its own rank beside its value. */
static int print_text(struct job *job, hs_writer *out, hsel_error *error)
{
    hs_writer_for_people(out);
    size_t count = job->rankers.count;
    hs_text_table text = {.arena = &job->arena, .columns = 2 * count + 1};
    hs_table_cell(&text, "feature");
    for (size_t i = 0; i < count; i++) {
        hs_table_cell(&text, "%s", job->name[i]);
        hs_table_cell(&text, "rank");
    }
    for (uint32_t row = 0; row < job->shown; row++) {
        uint32_t feature = job->order[row];
        hs_table_cell(&text, "%s", hsel_dataset_feature_name(job->data, feature));
        for (size_t i = 0; i < count; i++) {
            double value = value_of(job, i, feature);
            hs_table_cell(&text, isnan(value) ? "–" : "%.5g", value);
            hs_table_cell(&text, "%u", job->place[i][feature]);
        }
    }
    return hs_table_print(&text, 1, out, error);
}

static void print_csv(const struct job *job, hs_writer *out)
{
    hs_writer_text(out, "feature");
    for (size_t i = 0; i < job->rankers.count; i++) {
        hs_writer_char(out, ',');
        hs_put_csv(out, job->name[i]);
        hs_writer_text(out, ",rank");
        if (job->rankers.count > 1)
            hs_writer_printf(out, "_%zu", i + 1);
    }
    hs_writer_char(out, '\n');
    for (uint32_t row = 0; row < job->shown; row++) {
        uint32_t feature = job->order[row];
        hs_put_csv(out, hsel_dataset_feature_name(job->data, feature));
        for (size_t i = 0; i < job->rankers.count; i++) {
            double value = value_of(job, i, feature);
            hs_writer_char(out, ',');
            if (!isnan(value))
                hs_writer_double(out, value);
            hs_writer_char(out, ',');
            hs_writer_u64(out, job->place[i][feature]);
        }
        hs_writer_char(out, '\n');
    }
}

static void json_value(hs_json *json, double value)
{
    if (isinf(value)) /* JSON has no such number */
        hs_json_text(json, value > 0 ? "inf" : "-inf");
    else
        hs_json_double(json, value);
}

static void json_feature(const struct job *job, uint32_t feature, hs_json *json)
{
    hs_json_object(json);
    hs_json_key(json, "feature");
    hs_json_text(json, hsel_dataset_feature_name(job->data, feature));
    hs_json_key(json, "values");
    hs_json_array(json);
    for (size_t i = 0; i < job->rankers.count; i++)
        json_value(json, value_of(job, i, feature));
    hs_json_end_array(json);
    hs_json_key(json, "ranks");
    hs_json_array(json);
    for (size_t i = 0; i < job->rankers.count; i++)
        hs_json_u64(json, job->place[i][feature]);
    hs_json_end_array(json);
    hs_json_end_object(json);
}

static void print_json(const struct job *job, hs_writer *out)
{
    hs_json json = {.out = out};
    hs_json_object(&json);
    hs_json_key(&json, "dataset");
    hs_json_text(&json, hsel_dataset_name(job->data));
    hs_json_key(&json, "features");
    hs_json_u64(&json, job->data->features);
    hs_json_positive(&json, job->data);
    hs_json_key(&json, "rankers");
    hs_json_array(&json);
    for (size_t i = 0; i < job->rankers.count; i++)
        hs_json_text(&json, job->name[i]);
    hs_json_end_array(&json);
    hs_json_key(&json, "ranking");
    hs_json_array(&json);
    for (uint32_t row = 0; row < job->shown; row++)
        json_feature(job, job->order[row], &json);
    hs_json_end_array(&json);
    hs_json_end_object(&json);
}

static int print(struct job *job, hsel_error *error)
{
    hs_writer *out = NULL;
    int status = hs_writer_open(job->options->output ? job->options->output : "-", &out, error);
    if (status)
        return status;
    if (job->options->json)
        print_json(job, out);
    else if (job->options->csv)
        print_csv(job, out);
    else
        status = print_text(job, out, error);
    if (status == HSEL_OK)
        return hs_writer_commit(out, error);
    hs_writer_abandon(out);
    return status;
}

/* ---- running ---- */

static int compare(const hs_call *call, const struct options *options, hsel_error *error)
{
    return hs_rank_compare(call, &options->compare, &options->load, &options->by,
                           options->json  ? HS_RANK_JSON
                           : options->csv ? HS_RANK_CSV
                                          : HS_RANK_TEXT,
                           options->output, error);
}

static int run(const hs_call *call, hsel_error *error)
{
    struct job job = {.call = call, .options = call->values};
    int status = HSEL_OK;
    if (job.options->json && job.options->csv)
        return hs_fail(error, HSEL_EUSAGE, "--json and --csv contradict each other");
    if (job.options->compare.compare)
        return compare(call, job.options, error);
    if (call->count > 1)
        return hs_fail(error, HSEL_EUSAGE, "rank takes several DATA only with --compare");
    if ((status = hs_method_list_parse(&job.options->by, HS_RANKER, "auc", &job.arena, &job.rankers,
                                       error)) ||
        (status = hs_load_for(call, call->arguments[0], &job.options->load, &job.data, error)))
        goto out;
    for (size_t i = 0; i < job.rankers.count && status == HSEL_OK; i++)
        status = hs_check_method(job.data, job.rankers.items[i].method, error);
    if (status || (status = job_init(&job, error)) || (status = rank(&job, error)))
        goto out;
    hs_note_classes(call, job.data, NULL, false);
    if (job.shown < job.data->features)
        hs_note(call, "the best %u of %u features; --top 0 shows all", job.shown,
                job.data->features);
    status = print(&job, error);
out:
    job_clear(&job);
    return status;
}

const hs_command hs_command_rank = {
    .name = "rank",
    .arguments = "DATA…",
    .summary = "rank features by their relevance to the class",
    .help =
        "Scores every feature of DATA with one or more rankers or measures (hsel methods lists "
        "them) and shows the best ones: the value that each ranker gives, and the rank of the "
        "feature by it. Rows are in the order of the first ranker; ties go to the feature that "
        "comes first in the data. Numeric, nominal and binary features may be mixed: the "
        "threshold-based rankers (auc, ks …) and relieff take all of them, ig, gr, su and chi2 "
        "discretise numeric ones first, other measures are for binary features. A feature "
        "without a value (–) is constant and comes last.\n\n"
        "Do not judge a classifier by cross-validating it on features that were picked here: "
        "the ranking has seen the classes of all instances. hsel eval --select top:by=auc,k=25 "
        "ranks anew in every fold.\n\n"
        "With --compare the rankers are compared instead: Kendall's tau between every two, over "
        "all features. Of several data sets also mean and standard deviation, and the distance of "
        "each data set's matrix from the mean beside that of random rankings.",
    .examples = "  hsel rank genes.csv --by auc,ks,ig --top 10\n"
                "  hsel rank genes.csv --by relieff:k=5 --top 0 --csv -o ranking.csv\n"
                "  hsel rank genes.csv --by or:zero=inf,mi --json | jq '.ranking[0].feature'\n"
                "  hsel rank colon.csv leukemia.csv --compare --html alike.html\n",
    .at_least = 1,
    .at_most = -1,
    .groups = {{"Options", table, 0},
               {"Comparing rankers", hs_rank_compare_table, offsetof(struct options, compare)},
               {"Data", hs_load_table, offsetof(struct options, load)}},
    .size = sizeof(struct options),
    .writes_csv = true,
    .run = run,
};

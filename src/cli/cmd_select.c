/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel select: what a selector keeps. Eager: the list of features, or the data set reduced to them.
 * Lazy: a line for each instance.
 */
#include <string.h>

#include "cli/output.h"
#include "cli/predicting.h"
#include "cli/progress.h"
#include "report/text_table.h"
#include "core/journal.h"
#include "core/json.h"
#include "core/mem.h"
#include "data/transform.h"
#include "evaluate/crossval.h"
#include "evaluate/learned.h"
#include "select/select.h"

struct options {
    hs_load_options load;
    hs_output_options output;
    hs_predict_options other;
    const char *select, *for_data, *log, *checkpoint;
    uint64_t seed;
    int progress;
    bool scores, json, allow_violations;
};

static const hs_option table[] = {
    HS_TEXT(struct options, select, "select", "METHOD", NULL,
            "selector, e.g. rpv or shsel:threshold=0.99"),
    HS_FILE(struct options, for_data, "for", "OTHER", HS_READS,
            "with a lazy selector: learn from DATA, select for the instances of OTHER (default: "
            "those of DATA)"),
    HS_FLAG(struct options, scores, "scores",
            "with an eager selector: also print the score (relevance to the class) of each feature "
            "selected"),
    HS_FLAG(struct options, json, "json", "print JSON; with a lazy selector one object a line"),
    HS_OPTION(struct options, seed, "seed", "S", "1", 0, 9e15,
              "seed of selectors that use random numbers"),
    HS_FILE(struct options, log, "log", "FILE", HS_WRITES,
            "with a search (ga): write a JSON line for each generation"),
    HS_FILE(
        struct options, checkpoint, "checkpoint", "FILE", HS_WRITES,
        "with a search (ga): keep about once a second where it is; if FILE is there, go on from "
        "it"),
    HS_CHOICE(struct options, progress, "progress", HS_PROGRESS_WORDS, "auto",
              "with a search (ga): how far it is, on standard error; auto: a line if that is a "
              "terminal"),
    HS_FLAG(struct options, allow_violations, "allow-violations",
            "work with data in which an instance has a term but not all of its ancestors (eager "
            "selectors only; --propagate repairs such data)"),
    HS_OPTION_END};

struct job {
    const hs_call *call;
    const struct options *options;
    hs_chosen selector;
    hsel_dataset *data;
    hs_learned learned;
    hs_writer *out;
};

/* ---- eager ---- */

static void list_features(const struct job *job, const uint64_t *mask)
{
    for (uint32_t f = 0; f < job->data->features; f++) {
        if (!hs_bit_get(mask, f))
            continue;
        hs_put_tsv(job->out, hsel_dataset_feature_name(job->data, f));
        if (job->options->scores) {
            hs_writer_char(job->out, '\t');
            hs_writer_double(job->out, job->learned.scores[f]);
        }
        hs_writer_char(job->out, '\n');
    }
}

static void list_json(const struct job *job, const uint64_t *mask)
{
    hs_json json = {.out = job->out};
    hs_json_object(&json);
    hs_json_key(&json, "dataset");
    hs_json_text(&json, hsel_dataset_name(job->data));
    hs_json_key(&json, "features");
    hs_json_u64(&json, job->data->features);
    hs_json_positive(&json, job->data);
    hs_json_key(&json, "selected");
    hs_json_array(&json);
    for (uint32_t f = 0; f < job->data->features; f++) {
        if (!hs_bit_get(mask, f))
            continue;
        hs_json_object(&json);
        hs_json_key(&json, "feature");
        hs_json_text(&json, hsel_dataset_feature_name(job->data, f));
        if (job->learned.scores) {
            hs_json_key(&json, "relevance");
            hs_json_double(&json, job->learned.scores[f]);
        }
        hs_json_end_object(&json);
    }
    hs_json_end_array(&json);
    hs_json_end_object(&json);
}

static int write_reduced(const struct job *job, const uint64_t *mask, hsel_error *error)
{
    hsel_dataset *reduced = NULL;
    bool *keep = HS_NEW(bool, job->data->features);
    if (!keep)
        return hs_fail_memory(error);
    for (uint32_t f = 0; f < job->data->features; f++)
        keep[f] = hs_bit_get(mask, f);
    int status = hs_dataset_subset(job->data, keep, &reduced, error);
    if (status == HSEL_OK)
        status = hs_output_dataset(job->call, reduced, NULL, &job->options->output, error);
    hsel_dataset_free(reduced);
    hs_free(keep);
    return status;
}

static int select_once(struct job *job, hsel_error *error)
{
    const char *name = job->selector.method->name;
    size_t words = hs_bit_words(job->data->features);
    if (job->options->for_data)
        return hs_fail(error, HSEL_EUSAGE,
                       "--for is for lazy selectors, and %s selects once for all instances", name);
    if (job->options->output.output && (job->options->json || job->options->scores))
        return hs_fail(error, HSEL_EUSAGE,
                       "%s is for the list of features, and -o writes the reduced data set instead",
                       job->options->json ? "--json" : "--scores");
    if (job->options->scores && !job->learned.scores)
        return hs_fail(error, HSEL_EUNSUPPORTED,
                       "%s gives features no relevance that could be shown", name);
    uint64_t *mask = HS_NEW_ZERO(uint64_t, words);
    int status =
        mask ? job->selector.method->selector->select_features(job->learned.state, mask, error)
             : hs_fail_memory(error);
    if (status == HSEL_OK)
        hs_note(job->call, "%zu of %u feature%s selected", hs_bits_count(mask, words),
                job->data->features, job->data->features == 1 ? "" : "s");
    if (status == HSEL_OK && job->options->output.output) {
        status = write_reduced(job, mask, error);
    } else if (status == HSEL_OK && (status = hs_writer_open("-", &job->out, error)) == HSEL_OK) {
        if (job->options->json)
            list_json(job, mask);
        else
            list_features(job, mask);
    }
    hs_free(mask);
    return status;
}

/* ---- lazy ---- */

struct line {
    const hsel_dataset *data;
    hs_writer *out;
    hs_json json;
};

static void each_selected(struct line *line, uint32_t instance, const hs_selection *selection,
                          void (*each)(void *context, uint32_t feature, bool value))
{
    size_t count;
    const uint32_t *row = hs_row(line->data, instance, &count);
    hs_selection_each(selection, line->data->features, row, count, each, line);
}

static void put_feature(void *context, uint32_t feature, bool value)
{
    struct line *line = context;
    hs_writer_char(line->out, '\t');
    hs_put_tsv(line->out, hsel_dataset_feature_name(line->data, feature));
    hs_writer_text(line->out, value ? "=1" : "=0");
}

static void put_json_feature(void *context, uint32_t feature, bool value)
{
    struct line *line = context;
    hs_json_key(&line->json, hsel_dataset_feature_name(line->data, feature));
    hs_json_u64(&line->json, value);
}

static void write_line(struct line *line, uint32_t instance, const hs_selection *selection,
                       uint32_t size)
{
    const char *id = hsel_dataset_id(line->data, instance);
    if (id)
        hs_put_tsv(line->out, id);
    else
        hs_writer_u64(line->out, (uint64_t)instance + 1);
    hs_writer_printf(line->out, "\t%u", size);
    each_selected(line, instance, selection, put_feature);
    hs_writer_char(line->out, '\n');
}

static void write_json_line(struct line *line, uint32_t instance, const hs_selection *selection,
                            uint32_t size)
{
    hs_json *json = &line->json;
    *json = (hs_json){.out = line->out, .compact = true};
    hs_json_object(json);
    hs_json_key(json, "instance");
    hs_json_u64(json, (uint64_t)instance + 1);
    hs_json_key(json, "id");
    hs_json_text(json, hsel_dataset_id(line->data, instance));
    hs_json_key(json, "selected");
    hs_json_u64(json, size);
    hs_json_key(json, "features");
    hs_json_object(json);
    each_selected(line, instance, selection, put_json_feature);
    hs_json_end_object(json);
    hs_json_end_object(json);
}

static int select_all(struct job *job, const hsel_dataset *data, hsel_error *error)
{
    const hs_selector *selector = job->selector.method->selector;
    struct line line = {.data = data, .out = job->out};
    hs_lazy_scratch scratch = {0};
    hs_selection selection = {0};
    int status = hs_lazy_scratch_init(&scratch, data->features, error);
    if (status == HSEL_OK)
        status = hs_selection_init(&selection, data->features, error);
    if (status == HSEL_OK && !job->options->json)
        hs_writer_text(job->out, "instance\tselected\tfeatures…\n");
    for (uint32_t i = 0; i < data->instances && status == HSEL_OK; i++) {
        size_t count;
        const uint32_t *row = hs_row(data, i, &count);
        if ((status =
                 selector->select_for(job->learned.state, row, count, &scratch, &selection, error)))
            break;
        uint32_t size = hs_selection_size(&selection, data->features, count);
        if (job->options->json)
            write_json_line(&line, i, &selection, size);
        else
            write_line(&line, i, &selection, size);
    }
    hs_selection_clear(&selection);
    hs_lazy_scratch_clear(&scratch);
    return status;
}

static int select_for_each(struct job *job, hsel_error *error)
{
    const struct options *options = job->options;
    hsel_dataset *other = NULL;
    int status = HSEL_OK;
    if (options->scores)
        return hs_fail(
            error, HSEL_EUSAGE,
            "--scores is for eager selectors; hsel explain shows what %s thinks of features",
            job->selector.method->name);
    if (options->for_data)
        status = hs_load_like(job->call, options->for_data, &options->load, &options->other,
                              job->data, job->selector.method, &other, error);
    if (status == HSEL_OK)
        status =
            hs_writer_open(options->output.output ? options->output.output : "-", &job->out, error);
    if (status == HSEL_OK)
        status = select_all(job, other ? other : job->data, error);
    hsel_dataset_free(other);
    return status;
}

/* ---- running ---- */

/* A search tells how far it is, can be stopped, and goes on from where it was stopped. */
static int search(struct job *job, hsel_error *error)
{
    const struct options *options = job->options;
    hs_progress_show show;
    hs_notes notes = HS_NOTES;
    hsel_error unused;
    int status = hs_journal_open(options->log, options->checkpoint, &job->learned.journal, error);
    if (status)
        return status;
    hs_progress_begin(&show, (hs_progress_mode)options->progress, NULL);
    show.noun = "generations";
    show.progress.notes = &notes;
    job->learned.progress = &show.progress;
    status = hs_learn(&job->selector, job->data, options->seed, options->load.threads,
                      &job->learned, error);
    hs_progress_end(&show);
    hs_notes_tell(&notes, hs_note_line, (void *)job->call);
    hs_notes_clear(&notes);
    int closed = hs_journal_close(job->learned.journal, status ? &unused : error);
    job->learned.journal = NULL;
    if (status == HSEL_ECANCELLED && options->checkpoint)
        return hs_fail(error, status, "stopped; the same command goes on from %s",
                       options->checkpoint);
    return status ? status : closed;
}

static int learn(struct job *job, hsel_error *error)
{
    const struct options *options = job->options;
    if (job->selector.method->flags & HS_REPORTS)
        return search(job, error);
    if (options->log || options->checkpoint)
        return hs_fail(error, HSEL_EUSAGE, "--%s is for searches such as ga, and %s is none",
                       options->log ? "log" : "checkpoint", job->selector.method->name);
    return hs_learn(&job->selector, job->data, options->seed, options->load.threads, &job->learned,
                    error);
}

static int run(const hs_call *call, hsel_error *error)
{
    struct job job = {.call = call, .options = call->values};
    int status = job.options->select
                     ? hs_chosen_parse(HS_SELECTOR, job.options->select, &job.selector, error)
                     : hs_fail(error, HSEL_EUSAGE,
                               "which selector? give --select METHOD; hsel methods "
                               "lists them");
    if (status)
        return status;
    const hs_method *method = job.selector.method;
    if (!(method->flags & HS_LAZY) && job.options->output.output)
        status = hs_output_check(&job.options->output, HS_ROLE_DATA, error);
    if (status == HSEL_OK)
        status = hs_load_for(call, call->arguments[0], &job.options->load, &job.data, error);
    if (status == HSEL_OK)
        status = hs_check_methods(job.data, method, NULL, job.options->allow_violations, error);
    if (status == HSEL_OK) {
        if (method->flags & HS_NEEDS_CLASSES)
            hs_note_classes(call, job.data, NULL, false);
        hs_note_always_positive(call, job.data);
        status = learn(&job, error);
    }
    if (status == HSEL_OK)
        status = method->flags & HS_LAZY ? select_for_each(&job, error) : select_once(&job, error);
    if (status == HSEL_OK && job.out)
        status = hs_writer_commit(job.out, error);
    else
        hs_writer_abandon(job.out);
    hs_learned_clear(&job.learned);
    hsel_dataset_free(job.data);
    hs_chosen_clear(&job.selector);
    return status;
}

const hs_command hs_command_select = {
    .name = "select",
    .arguments = "DATA",
    .summary = "select features, once or for each instance",
    .help = "Lets a selector learn from all of DATA and shows what it selects. An eager selector "
            "chooses one set of features for all instances: their names are printed, one a line; "
            "with -o the data set is written with these features only (to a pack, a folder or a "
            "file, as by hsel convert). A lazy selector chooses features for each instance: the "
            "output has a line for each, with its identifier, the number of features, and the "
            "features with their values (GO:0006915=1), separated by tabs. hsel methods tells "
            "which selectors there are.\n\n"
            "Do not judge a classifier by cross-validating it on data that were reduced with -o: "
            "the selection has seen the classes of all instances, so the result would be too "
            "good. hsel eval selects anew in every fold.",
    .examples = "  hsel select genes/ --select shsel:threshold=0.99 --drop-roots -o reduced.hsel\n"
                "  hsel select genes/ --select gtd --scores\n"
                "  hsel select genes/ --select ga --log run.jsonl --checkpoint run.ga\n"
                "  hsel select genes/ --select rpv --for new.arff --json > selected.jsonl\n",
    .at_least = 1,
    .at_most = 1,
    .groups = {{"Options", table, 0},
               {"Output", hs_output_table, offsetof(struct options, output)},
               {"Features of OTHER", hs_predict_table, offsetof(struct options, other)},
               {"Data", hs_load_table, offsetof(struct options, load)}},
    .size = sizeof(struct options),
    .writes_csv = true,
    .run = run,
};

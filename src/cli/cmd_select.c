/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel select: what a selector keeps. Eager: the list of features, or the data set reduced to them.
 * Lazy: a line for each instance.
 */
#include "cli/cli.h"
#include "core/journal.h"
#include "data/transform.h"
#include "evaluate/crossval.h"
#include "evaluate/model.h"
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
    HS_FLAG(struct options, json, "json", "print JSON; with a lazy selector one object per line"),
    HS_OPTION(struct options, seed, "seed", "S", "1", 0, 9e15,
              "seed of selectors that use random numbers"),
    HS_FILE(struct options, log, "log", "FILE", HS_WRITES,
            "with a search (ga): write a JSON line for each generation"),
    HS_FILE(struct options, checkpoint, "checkpoint", "FILE", HS_WRITES,
            "with a search (ga): keep about once a second where it is; if FILE is there, go on "
            "from it"),
    HS_CHOICE(
        struct options, progress, "progress", HS_PROGRESS_WORDS, "auto",
        "with a search (ga): how far it is, on standard error; auto: a line if that is a terminal"),
    HS_ALLOW_VIOLATIONS(struct options),
    HS_OPTION_END};

struct job {
    const hs_call *call;
    const struct options *options;
    hs_chosen selector;
    hsel_dataset *data;
    hs_learned learned;
};

static void job_clear(struct job *job)
{
    hs_learned_clear(&job->learned);
    hs_dataset_free(job->data);
    hs_chosen_clear(&job->selector);
}

/* Eager: the list of features, or the reduced data set. */
static int select_once(struct job *job, hsel_error *error)
{
    const struct options *options = job->options;
    const char *name = job->selector.method->name;
    const hsel_dataset *data = job->data;
    const double *scores = job->learned.scores;
    size_t words = hs_bit_words(data->features);
    HS_REFUSE(options->for_data,
              "--for is for lazy selectors, and %s selects once for all instances", name);
    HS_REFUSE(options->output.output && (options->json || options->scores),
              "%s is for the list of features, and -o writes the reduced data set instead",
              options->json ? "--json" : "--scores");
    if (options->scores && !scores)
        return hs_fail(error, HSEL_EUNSUPPORTED,
                       "%s gives features no relevance that could be shown", name);
    HS_OWNED uint64_t *mask = HS_NEW_ZERO(uint64_t, words);
    HS_OWNED bool *keep = HS_NEW(bool, data->features);
    HS_NEED(mask && keep);
    HS_TRY(job->selector.method->selector->select_features(job->learned.state, mask, error));
    hs_note(job->call, "%zu of %u feature%s selected", hs_bits_count(mask, words), data->features,
            data->features == 1 ? "" : "s");
    for (uint32_t f = 0; f < data->features; f++)
        keep[f] = hs_bit_get(mask, f);
    if (options->output.output) {
        HS_OWNS(hs_dataset_release) hsel_dataset *reduced = NULL;
        HS_TRY(hs_dataset_subset(data, keep, &reduced, error));
        return hs_output_dataset(job->call, reduced, NULL, &options->output, error);
    }
    HS_OPEN(out, "-");
    hs_json json = {.out = out};
    if (options->json) {
        hs_json_put(&json, "{dataset:%s features:%u", hsel_dataset_name(data), data->features);
        hs_json_positive(&json, data);
        hs_json_put(&json, "selected:[");
    }
    for (uint32_t f = 0; f < data->features; f++) {
        const char *feature = hsel_dataset_feature_name(data, f);
        if (!keep[f])
            continue;
        if (options->json && scores)
            hs_json_put(&json, "{feature:%s relevance:%g}", feature, scores[f]);
        else if (options->json)
            hs_json_put(&json, "{feature:%s}", feature);
        else
            hs_put_tsv(out, feature);
        if (options->scores && !options->json)
            HS_TSV(out, scores[f]);
        if (!options->json)
            hs_writer_char(out, '\n');
    }
    if (options->json)
        hs_json_put(&json, "]}");
    return hs_writer_commit(hs_take(&out), error);
}

/* Lazy: a line for each instance. */
static int select_for_each(struct job *job, hsel_error *error)
{
    const struct options *options = job->options;
    const hs_selector *selector = job->selector.method->selector;
    HS_OWNS(hs_dataset_release) hsel_dataset *other = NULL;
    HS_OWNS(hs_lazy_scratch_clear) hs_lazy_scratch scratch = {0};
    HS_OWNS(hs_selection_clear) hs_selection selection = {0};
    HS_REFUSE(options->scores,
              "--scores is for eager selectors; hsel explain shows what %s thinks of features",
              job->selector.method->name);
    if (options->for_data)
        HS_TRY(hs_load_like(job->call, options->for_data, &options->load, &options->other,
                            job->data, job->selector.method, &other, error));
    const hsel_dataset *data = other ? other : job->data;
    HS_OPEN(out, options->output.output ? options->output.output : "-");
    HS_TRY(hs_lazy_scratch_init(&scratch, data->features, error));
    HS_TRY(hs_selection_init(&selection, data->features, error));
    if (!options->json)
        hs_writer_text(out, "instance\tselected\tfeatures…\n");
    for (uint32_t i = 0; i < data->instances; i++) {
        size_t count;
        const uint32_t *row = hs_row(data, i, &count);
        HS_TRY(selector->select_for(job->learned.state, row, count, &scratch, &selection, error));
        uint32_t size = hs_selection_size(&selection, data->features, count);
        if (options->json) {
            hs_json json = {.out = out, .compact = true};
            hs_json_put(&json, "{instance:%u id:%s selected:%u features:{", i + 1,
                        hsel_dataset_id(data, i), size);
            hs_put_features(out, &json, data, i, &selection);
            hs_json_put(&json, "}}");
        } else {
            hs_put_instance(out, data, i);
            HS_TSV(out, size);
            hs_put_features(out, NULL, data, i, &selection);
            hs_writer_char(out, '\n');
        }
    }
    return hs_writer_commit(hs_take(&out), error);
}

/* A search tells how far it is, can be stopped, and goes on from where it was stopped. */
static int learn(struct job *job, hsel_error *error)
{
    const struct options *options = job->options;
    hs_learned *learned = &job->learned;
    hs_progress_show show;
    hs_notes notes = HS_NOTES;
    hsel_error unused;
    bool reports = job->selector.method->flags & HS_REPORTS;
    HS_REFUSE(!reports && (options->log || options->checkpoint),
              "--%s is for searches such as ga, and %s is not one",
              options->log ? "log" : "checkpoint", job->selector.method->name);
    if (reports) {
        HS_TRY(hs_journal_open(options->log, options->checkpoint, &learned->journal, error));
        hs_progress_begin(&show, (hs_progress_mode)options->progress, NULL);
        show.noun = "generations";
        show.progress.notes = &notes;
        learned->progress = &show.progress;
    }
    int status =
        hs_learn(&job->selector, job->data, options->seed, options->load.threads, learned, error);
    if (!reports)
        return status;
    hs_progress_end(&show);
    hs_note_all(job->call, &notes);
    int closed = hs_journal_close(learned->journal, status ? &unused : error);
    learned->journal = NULL;
    if (status == HSEL_ECANCELLED && options->checkpoint)
        return hs_fail(error, status, "stopped; the same command goes on from %s",
                       options->checkpoint);
    return status ? status : closed;
}

static int run(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    HS_OWNS(job_clear) struct job job = {.call = call, .options = options};
    HS_REFUSE(!options->select, "missing --select METHOD; hsel methods lists them");
    HS_TRY(hs_chosen_parse(HS_SELECTOR, options->select, &job.selector, error));
    const hs_method *method = job.selector.method;
    if (!(method->flags & HS_LAZY) && options->output.output)
        HS_TRY(hs_output_check(&options->output, HS_ROLE_DATA, error));
    HS_TRY(hs_load_for(call, call->arguments[0], &options->load, &job.data, error));
    hs_note_unlabelled(call, job.data);
    HS_TRY(hs_check_methods(job.data, method, NULL, options->allow_violations, error));
    if (method->flags & HS_NEEDS_CLASSES)
        hs_note_classes(call, job.data, NULL, false);
    hs_note_always_positive(call, job.data);
    HS_TRY(learn(&job, error));
    return method->flags & HS_LAZY ? select_for_each(&job, error) : select_once(&job, error);
}

const hs_command hs_command_select = {
    HS_COMMAND_IS(select, "DATA", "select features, once or for each instance", struct options,
                  run),
    .groups = {{"Options", table, 0},
               {"Output", hs_output_table, offsetof(struct options, output)},
               {"Features of OTHER", hs_predict_table, offsetof(struct options, other)},
               {"Data", hs_load_table, offsetof(struct options, load)}},
    .writes_csv = true,
};

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel run: runs a study into a store of results, continues it, shows what is to do. Under mpirun
 * the first process does what is here, the others compute.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/mpi.h"
#include "cli/progress.h"
#include "core/mem.h"
#include "report/text_table.h"
#include "study/export.h"
#include "study/runner.h"

#define MANY_JOBS      200000 /* from here on it asks */
#define SHOWN_FAILURES 10

struct options {
    const char *store, *export_to;
    hs_list import;
    bool dry_run, retry_failed, wait, yes;
    int threads, progress;
};

static const hs_option table[] = {
    HS_FILE(
        struct options, store, "store", "FILE", HS_READS, /* added to, never overwritten */
        "store of results (default: NAME.db in the current folder, with the name of the study)"),
    HS_FLAG(struct options, dry_run, "dry-run", "show what is done and to do, and do nothing"),
    HS_FLAG(struct options, retry_failed, "retry-failed", "try jobs that failed once more"),
    HS_FILE(struct options, import, "import", "STORE", HS_READS,
            "first take over the results of another store; repeat for several"),
    HS_FILE(struct options, export_to, "export", "FILE", HS_WRITES,
            "write the table of results as CSV at the end"),
    HS_FLAG(struct options, wait, "wait", "if another process writes to the store, wait for it"),
    HS_FLAG(struct options, yes, "yes", "run however many jobs there are"),
    HS_OPTION(struct options, threads, "threads", "N", "0", 0, 4096,
              "threads (0: one a processor; under mpirun, one a process)"),
    HS_CHOICE(
        struct options, progress, "progress", HS_PROGRESS_WORDS, "auto",
        "how far it is, on standard error: auto (a line on a terminal), json (an object a line)"),
    HS_OPTION_END};

struct job {
    const hs_call *call;
    const struct options *options;
    hs_study study;
    hs_store *store;
    const hs_cluster *cluster; /* NULL: this process alone */
    hs_run_summary summary;
    hs_progress_show show;
    hs_names failures; /* data set, selector and message, one line each */
    uint64_t *times;   /* how many jobs each */
    size_t times_capacity;
    hs_text_table plan;
};

/* ---- what the run tells ---- */

static void on_note(void *context, const char *text)
{
    struct job *job = context;
    hs_progress_hide(&job->show);
    hs_note(job->call, "%s", text);
}

/* Jobs that failed for the same reason are told once. Without memory they are only counted. */
static void on_failed(void *context, const hs_study_dataset *set, const char *selector,
                      const char *classifier, const char *message)
{
    struct job *job = context;
    hs_buf line = {0};
    uint32_t place;
    bool added;
    hs_buf_printf(&line, "%s, %s: %s", set->name, selector, message);
    (void)classifier;
    if (!line.failed &&
        HS_GROW(&job->times, &job->times_capacity, (size_t)job->failures.count + 1) &&
        hs_names_intern(&job->failures, line.text, line.length, &place, &added, NULL) == HSEL_OK)
        job->times[place] = added ? 1 : job->times[place] + 1;
    hs_buf_clear(&line);
}

static void plan_cell(struct job *job, uint64_t number)
{
    char text[32];
    hs_format_grouped(number, text);
    hs_table_cell(&job->plan, "%s", text);
}

static void plan_row(struct job *job, const char *name, const hs_run_jobs *jobs)
{
    hs_table_cell(&job->plan, "%s", name);
    plan_cell(job, jobs->all);
    plan_cell(job, jobs->there);
    plan_cell(job, jobs->there_failed);
    plan_cell(job, jobs->all - jobs->there - jobs->there_failed);
}

static void on_planned(void *context, const hs_study_dataset *set, const hs_run_jobs *jobs)
{
    plan_row(context, set->name, jobs);
}

/* ---- before ---- */

static const char *store_path(struct job *job, hsel_error *error)
{
    if (job->options->store)
        return job->options->store;
    hs_buf path = {0};
    hs_buf_printf(&path, "%s.db", job->study.name);
    const char *kept = path.failed ? NULL : hs_arena_text(job->call->arena, path.text, path.length);
    hs_buf_clear(&path);
    if (!kept)
        (void)hs_fail_memory(error);
    return kept;
}

static int check_size(const struct job *job, hsel_error *error)
{
    char number[32];
    size_t there = 0;
    uint64_t jobs = hs_study_jobs(&job->study);
    for (size_t i = 0; i < job->study.dataset_count; i++)
        there += !job->study.datasets[i].missing;
    if (there == 0)
        return hs_fail_at(error, HSEL_EIO, job->study.file, 0,
                          "none of its %zu data sets is there, e.g. %s", job->study.dataset_count,
                          job->study.dataset_count ? job->study.datasets[0].path : "");
    if (jobs <= MANY_JOBS || job->options->yes)
        return HSEL_OK;
    hs_format_grouped(jobs, number);
    return hs_fail_at(
        error, HSEL_EUSAGE, job->study.file, 0,
        "these are %s jobs (data sets %zu x selectors %zu x classifiers %zu x folds %u x "
        "repeats %u); give --yes if you mean it",
        number, there, job->study.selector_count, job->study.classifier_count, job->study.folds,
        job->study.repeats);
}

static void note_removed(const struct job *job)
{
    const hs_names *lines = hs_store_removed(job->store);
    for (uint32_t i = 0; i < lines->count && i < SHOWN_FAILURES; i++)
        hs_note(job->call, "damaged in %s and done again: %s", hs_store_path(job->store),
                hs_names_get(lines, i));
    if (lines->count > SHOWN_FAILURES)
        hs_note(job->call, "and %u more", lines->count - SHOWN_FAILURES);
}

/* A store that is new is not left behind empty when there is nothing to take over. */
static int import_all(struct job *job, hsel_error *error)
{
    int status = HSEL_OK;
    for (size_t i = 0; i < job->options->import.count && status == HSEL_OK; i++) {
        uint64_t taken = 0;
        char number[32];
        status = hs_store_merge(job->store, job->options->import.items[i], &taken, error);
        hs_format_grouped(taken, number);
        if (status == HSEL_OK)
            hs_note(job->call, "%s: %s jobs taken over", job->options->import.items[i], number);
    }
    if (status) {
        hs_store_abandon(job->store);
        job->store = NULL;
    }
    return status;
}

/* ---- after ---- */

static void print_line(hs_writer *out, const char *label, uint64_t count, const char *rest)
{
    char number[32];
    hs_format_grouped(count, number);
    hs_writer_printf(out, "  %-14s%10s%s\n", label, number, rest);
}

static void print_failures(const struct job *job, hs_writer *out)
{
    for (uint32_t i = 0; i < job->failures.count && i < SHOWN_FAILURES; i++)
        hs_writer_printf(out, "    %s (%llu %s)\n", hs_names_get(&job->failures, i),
                         (unsigned long long)job->times[i], job->times[i] == 1 ? "job" : "jobs");
    if (job->failures.count > SHOWN_FAILURES)
        hs_writer_printf(out, "    and %u more reasons\n", job->failures.count - SHOWN_FAILURES);
}

static void print_rankings(const hs_run_summary *s, hs_writer *out)
{
    const hs_run_jobs *r = &s->rankings;
    hs_buf rest = {0};
    hs_buf_printf(&rest, "  of %llu, %llu of them now", (unsigned long long)r->all,
                  (unsigned long long)r->done);
    if (r->failed + r->there_failed)
        hs_buf_printf(&rest, ", %llu failed", (unsigned long long)(r->failed + r->there_failed));
    print_line(out, "rankings", r->there + r->done, rest.failed ? "" : rest.text);
    hs_buf_clear(&rest);
}

static void print_summary(const struct job *job, hs_writer *out)
{
    const hs_run_summary *s = &job->summary;
    uint64_t now = s->jobs.done + s->jobs.failed;
    double wall = s->seconds * s->threads;
    hs_buf rest = {0};
    hs_writer_printf(out, "%s in %s\n", job->study.name, hs_store_path(job->store));
    if (now)
        hs_buf_printf(&rest, "  in %.1f s: %.0f a second, %d %s", s->seconds,
                      (double)now / s->seconds, s->threads, s->threads == 1 ? "thread" : "threads");
    if (now && s->seconds >= 1) /* below that it is all beginning and end */
        hs_buf_printf(&rest, ", %.1f %% of their time outside the methods",
                      100 * (1 - s->method_seconds / wall));
    print_line(out, "done now", s->jobs.done, rest.failed || !rest.text ? "" : rest.text);
    print_line(out, "done before", s->jobs.there, "");
    if (s->jobs.failed)
        print_line(out, "failed now", s->jobs.failed, "");
    if (s->rankings.all)
        print_rankings(s, out);
    print_failures(job, out);
    if (s->jobs.there_failed)
        print_line(out, "failed before", s->jobs.there_failed, "  --retry-failed tries them again");
    if (s->missing || s->unreadable)
        print_line(out, "left out", s->missing + s->unreadable,
                   s->missing + s->unreadable == 1 ? "  data set" : "  data sets");
    hs_buf_clear(&rest);
}

static int write_out(const struct job *job, const char *path,
                     void (*print)(const struct job *, hs_writer *), hsel_error *error)
{
    hs_writer *out = NULL;
    int status = hs_writer_open(path, &out, error);
    if (status)
        return status;
    if (print)
        print(job, out);
    else
        status = hs_study_export(&job->study, job->store, out, error);
    if (status == HSEL_OK)
        return hs_writer_commit(out, error);
    hs_writer_abandon(out);
    return status;
}

/* ---- running ---- */

static void note_rankings(const struct job *job)
{
    const hs_run_jobs *r = &job->summary.rankings;
    char left[32], all[32];
    hs_format_grouped(r->all - r->there - r->there_failed, left);
    hs_format_grouped(r->all, all);
    if (r->all)
        hs_note(job->call, "besides, %s of %s rankings of features are to do", left, all);
}

static int dry_run(struct job *job, hsel_error *error)
{
    const char *path = store_path(job, error);
    hs_writer *out = NULL;
    int status = path ? HSEL_OK : HSEL_ENOMEM;
    if (status == HSEL_OK && access(path, F_OK) == 0)
        status = hs_store_open(path, HS_STORE_READ, false, &job->store, error);
    job->plan = (hs_text_table){.arena = job->call->arena, .columns = 5};
    static const char *const heads[] = {"data set", "jobs", "done", "failed", "to do"};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        hs_table_cell(&job->plan, "%s", heads[i]);
    if (status == HSEL_OK)
        status = hs_study_run(&job->study, job->store,
                              &(hs_run_options){.plan_only = true,
                                                .retry_failed = job->options->retry_failed,
                                                .note = on_note,
                                                .dataset = on_planned,
                                                .context = job},
                              &job->summary, error);
    if (status == HSEL_OK)
        plan_row(job, "all", &job->summary.jobs);
    if (status == HSEL_OK)
        note_rankings(job);
    if (status == HSEL_OK && (status = hs_writer_open("-", &out, error)) == HSEL_OK) {
        status = hs_table_print(&job->plan, 1, out, error);
        if (status == HSEL_OK)
            return hs_writer_commit(out, error);
        hs_writer_abandon(out);
    }
    return status;
}

static int run_study(struct job *job, hsel_error *error)
{
    const struct options *options = job->options;
    char done[32], all[32];
    hs_progress_mode mode = (hs_progress_mode)options->progress;
    if (job->call->quiet && mode == HS_PROGRESS_AUTO)
        mode = HS_PROGRESS_NONE;
    hs_progress_begin(&job->show, mode, &job->summary.jobs);
    int status = hs_study_run(&job->study, job->store,
                              &(hs_run_options){.threads = options->threads,
                                                .retry_failed = options->retry_failed,
                                                .progress = &job->show.progress,
                                                .cluster = job->cluster,
                                                .note = on_note,
                                                .failed = on_failed,
                                                .context = job},
                              &job->summary, error);
    hs_progress_end(&job->show);
    if (status != HSEL_ECANCELLED)
        return status;
    const hs_run_jobs *jobs = &job->summary.jobs;
    hs_format_grouped(jobs->there + jobs->there_failed + jobs->done + jobs->failed, done);
    hs_format_grouped(jobs->all, all);
    return hs_fail(error, HSEL_ECANCELLED,
                   "stopped with %s of %s jobs done; the same command continues", done, all);
}

/* All but the study itself; *told: the other processes know how it ended. */
static int run_first(struct job *job, bool *told, hsel_error *error)
{
    const char *path = store_path(job, error);
    int status = path ? check_size(job, error) : HSEL_ENOMEM;
    if (status == HSEL_OK && !job->options->store)
        status = hs_claim_read(job->call, path, error);
    if (status == HSEL_OK)
        status = hs_claim_study(job->call, &job->study, error);
    if (status == HSEL_OK && job->options->dry_run)
        return dry_run(job, error);
    if (status == HSEL_OK)
        status = hs_store_open(path, HS_STORE_WRITE, job->options->wait, &job->store, error);
    if (status == HSEL_OK) {
        note_removed(job);
        status = import_all(job, error);
    }
    if (status)
        return status;
    *told = true;
    if ((status = run_study(job, error)))
        return status;
    if (job->options->export_to && (status = write_out(job, job->options->export_to, NULL, error)))
        return status;
    if ((status = write_out(job, "-", print_summary, error)))
        return status;
    if (job->summary.unreadable)
        return hs_fail(error, HSEL_EFORMAT, "%u of the data sets could not be read; see the notes",
                       job->summary.unreadable);
    return HSEL_OK;
}

/* The other processes of a cluster tell the first one what goes wrong, and say themselves what
 * should be known of their work. */
static int run_other(struct job *job, int status, hsel_error *error)
{
    hs_notes notes = HS_NOTES;
    status = status
                 ? hs_study_give_up(job->cluster, status, error)
                 : hs_study_work(&job->study, job->cluster,
                                 job->options->threads ? job->options->threads : 1, &notes, error);
    hs_notes_tell(&notes, hs_note_line, (void *)job->call);
    hs_notes_clear(&notes);
    job->cluster->stop(status != HSEL_OK);
    return status;
}

static int run(const hs_call *call, hsel_error *error)
{
    struct job job = {.call = call, .options = call->values};
    bool told = false;
    int status = hs_mpi_join(&job.cluster, error);
    if (status)
        return status;
    status = hs_study_read(call->arguments[0], &job.study, error);
    if (job.cluster && job.cluster->rank() > 0) {
        status = run_other(&job, status, error);
    } else {
        if (status == HSEL_OK)
            status = run_first(&job, &told, error);
        if (job.cluster)
            job.cluster->stop(told ? job.summary.broken : hs_study_dismiss(job.cluster) != HSEL_OK);
    }
    hs_store_close(job.store);
    hs_names_clear(&job.failures);
    hs_free(job.times);
    hs_study_clear(&job.study);
    return status;
}

const hs_command hs_command_run = {
    .name = "run",
    .arguments = "STUDY",
    .summary = "run a study: many methods on many data sets, resumable",
    .help = "Cross-validates every selector with every classifier of the study file on its data "
            "sets. What was predicted goes "
            "into a store, one SQLite file, as it comes; what is there is never done again. So a "
            "run that was stopped (with "
            "Ctrl-C), killed, or met a full disk continues with the same command, and a study that "
            "grew does what is new. "
            "A job that fails is kept with its message and the rest goes on. Data sets that are "
            "not there are listed and left "
            "out.\n\nUnder mpirun the first process keeps the store and hands out the work, the "
            "others compute. The results do "
            "not depend on the number of threads or processes. docs/studies.md tells how to write "
            "a study.",
    .examples = "  hsel run studies/quick.yaml\n"
                "  hsel run studies/rpv-2020.yaml --dry-run\n"
                "  hsel run study.yaml --store results.db --export results.csv\n"
                "  mpirun -n 16 hsel run study.yaml\n",
    .at_least = 1,
    .at_most = 1,
    .groups = {{"Options", table, 0}},
    .size = sizeof(struct options),
    .writes_csv = true,
    .run = run,
};

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel run: runs a study into a store of results, continues it, shows what is to do. Under mpirun
 * the first process does what is here, the others compute.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/cli.h"
#include "study/cluster.h"
#include "study/export.h"

#define MANY_JOBS      200000 /* from here on it asks */
#define SHOWN_FAILURES 10

struct options {
    const char *store, *export_to;
    hs_list import;
    bool dry_run, retry_failed, wait, yes;
    int threads;
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
              "threads (0: one per processor; under mpirun, one per process)"),
    HS_OPTION_END};

struct job {
    const hs_call *call;
    const struct options *options;
    hs_study study;
    hs_store *store;
    const hs_cluster *cluster; /* NULL: this process alone */
    hs_run_summary summary;
    hs_names failures; /* data set, selector and message, one line each */
    uint64_t *times;   /* how many jobs each */
    size_t times_capacity;
    hs_doc_grid plan;
};

static void job_clear(struct job *job)
{
    hs_store_close(job->store);
    hs_names_clear(&job->failures);
    hs_free(job->times);
    hs_study_clear(&job->study);
}

/* ---- what the run tells ---- */

static void on_note(void *context, const char *text)
{
    struct job *job = context;
    hs_note(job->call, "%s", text);
}

/* Jobs that failed for the same reason are told once. Without memory they are only counted. */
static void on_failed(void *context, const hs_study_dataset *set, const char *selector,
                      const char *classifier, const char *message)
{
    struct job *job = context;
    HS_OWNS(hs_buf_clear) hs_buf line = {0};
    uint32_t place;
    bool added;
    hs_buf_printf(&line, "%s, %s: %s", set->name, selector, message);
    (void)classifier;
    if (!line.failed &&
        HS_GROW(&job->times, &job->times_capacity, (size_t)job->failures.count + 1) &&
        hs_names_intern(&job->failures, line.text, line.length, &place, &added, NULL) == HSEL_OK)
        job->times[place] = added ? 1 : job->times[place] + 1;
}

/* set NULL: of all. */
static void on_planned(void *context, const hs_study_dataset *set, const hs_run_jobs *jobs)
{
    struct job *job = context;
    hs_document *doc = job->call->doc;
    HS_ROW(&job->plan, set ? hs_say(doc, "%s", set->name) : "all", hs_grouped(doc, jobs->all),
           hs_grouped(doc, jobs->there), hs_grouped(doc, jobs->there_failed),
           hs_grouped(doc, jobs->all - jobs->there - jobs->there_failed));
}

/* ---- printing at the end ---- */

static void print_line(const struct job *job, hs_writer *out, const char *label, uint64_t count,
                       const char *rest)
{
    hs_writer_printf(out, "  %-14s%10s%s\n", label, hs_grouped(job->call->doc, count), rest);
}

static int print_summary(const struct job *job, hsel_error *error)
{
    const hs_run_summary *s = &job->summary;
    const hs_run_jobs *r = &s->rankings;
    uint64_t now = s->jobs.done + s->jobs.failed;
    hs_document *doc = job->call->doc;
    HS_OPEN(out, "-");
    hs_writer_printf(out, "%s in %s\n", job->study.name, hs_store_path(job->store));
    const char *rest = "";
    if (now)
        rest = hs_say(doc, "  in %.1f s: %.0f per second, %d %s", s->seconds,
                      (double)now / s->seconds, s->threads, s->threads == 1 ? "thread" : "threads");
    if (now && s->seconds >= 1) /* below that it is all beginning and end */
        rest = hs_say(doc, "%s, %.1f %% of their time outside the methods", rest,
                      100 * (1 - s->method_seconds / (s->seconds * s->threads)));
    print_line(job, out, "done now", s->jobs.done, rest);
    print_line(job, out, "done before", s->jobs.there, "");
    if (s->jobs.failed)
        print_line(job, out, "failed now", s->jobs.failed, "");
    uint64_t bad = r->failed + r->there_failed;
    rest = hs_say(doc, "  of %ju, %ju of them now", r->all, r->done);
    if (r->all)
        print_line(job, out, "rankings", r->there + r->done,
                   bad ? hs_say(doc, "%s, %ju failed", rest, bad) : rest);
    for (uint32_t i = 0; i < job->failures.count && i < SHOWN_FAILURES; i++)
        hs_writer_printf(out, "    %s (%llu %s)\n", hs_names_get(&job->failures, i),
                         (unsigned long long)job->times[i], job->times[i] == 1 ? "job" : "jobs");
    if (job->failures.count > SHOWN_FAILURES)
        hs_writer_printf(out, "    and %u more reasons\n", job->failures.count - SHOWN_FAILURES);
    if (s->jobs.there_failed)
        print_line(job, out, "failed before", s->jobs.there_failed,
                   "  --retry-failed tries them again");
    if (s->missing || s->unreadable)
        print_line(job, out, "left out", s->missing + s->unreadable,
                   s->missing + s->unreadable == 1 ? "  data set" : "  data sets");
    return hs_writer_commit(hs_take(&out), error);
}

/* ---- running ---- */

static int dry_run(struct job *job, const char *path, hsel_error *error)
{
    const hs_run_jobs *r = &job->summary.rankings;
    if (access(path, F_OK) == 0)
        HS_TRY(hs_store_open(path, HS_STORE_READ, false, &job->store, error));
    job->plan = (hs_doc_grid){.doc = job->call->doc, .columns = 5, .left = 1};
    HS_ROW(&job->plan, "data set", "jobs", "done", "failed", "to do");
    HS_TRY(hs_study_run(&job->study, job->store,
                        &(hs_run_options){.plan_only = true,
                                          .retry_failed = job->options->retry_failed,
                                          .note = on_note,
                                          .dataset = on_planned,
                                          .context = job},
                        &job->summary, error));
    on_planned(job, NULL, &job->summary.jobs);
    if (r->all)
        hs_note(job->call, "besides, %s of %s rankings of features are to do",
                hs_grouped(job->call->doc, r->all - r->there - r->there_failed),
                hs_grouped(job->call->doc, r->all));
    HS_OPEN(out, "-");
    HS_TRY(hs_grid_print(&job->plan, out, error));
    return hs_writer_commit(hs_take(&out), error);
}

/* All but the study itself; *told: the other processes know how it ended. */
static int run_first(struct job *job, bool *told, hsel_error *error)
{
    const struct options *options = job->options;
    const hs_study *study = &job->study;
    hs_document *doc = job->call->doc;
    uint64_t jobs = hs_study_jobs(study);
    size_t there = 0;
    const char *path = options->store ? options->store : hs_say(doc, "%s.db", study->name);
    HS_TRY(hs_document_check(doc, error));
    for (size_t i = 0; i < study->dataset_count; i++)
        there += !study->datasets[i].missing;
    if (there == 0)
        return hs_fail_at(error, HSEL_EIO, study->file, 0,
                          "none of its %zu data sets is there, e.g. %s", study->dataset_count,
                          study->dataset_count ? study->datasets[0].path : "");
    if (jobs > MANY_JOBS && !options->yes)
        return hs_fail_at(error, HSEL_EUSAGE, study->file, 0,
                          "these are %s jobs (data sets %zu x selectors %zu x classifiers %zu x "
                          "folds %u x repeats %u); give --yes if you mean it",
                          hs_grouped(doc, jobs), there, study->selector_count,
                          study->classifier_count, study->folds, study->repeats);
    if (!options->store)
        HS_TRY(hs_claim_read(job->call, path, error));
    HS_TRY(hs_claim_study(job->call, study, error));
    if (options->dry_run)
        return dry_run(job, path, error);
    HS_TRY(hs_store_open(path, HS_STORE_WRITE, options->wait, &job->store, error));
    const hs_names *removed = hs_store_removed(job->store);
    for (uint32_t i = 0; i < removed->count && i < SHOWN_FAILURES; i++)
        hs_note(job->call, "damaged in %s and done again: %s", hs_store_path(job->store),
                hs_names_get(removed, i));
    if (removed->count > SHOWN_FAILURES)
        hs_note(job->call, "and %u more", removed->count - SHOWN_FAILURES);
    for (size_t i = 0; i < options->import.count; i++) {
        uint64_t taken = 0;
        int merged = hs_store_merge(job->store, options->import.items[i], &taken, error);
        if (merged) /* a new store is not left behind empty when there is nothing to take over */
            hs_store_abandon(hs_take(&job->store));
        HS_TRY(merged);
        hs_note(job->call, "%s: %s jobs taken over", options->import.items[i],
                hs_grouped(doc, taken));
    }
    *told = true;
    job->call->show->jobs = &job->summary.jobs;
    job->call->show->noun = "jobs";
    int status = hs_study_run(study, job->store,
                              &(hs_run_options){.threads = options->threads,
                                                .retry_failed = options->retry_failed,
                                                .progress = hs_progress_begin(job->call, NULL),
                                                .cluster = job->cluster,
                                                .note = on_note,
                                                .failed = on_failed,
                                                .context = job},
                              &job->summary, error);
    hs_progress_end(job->call->show);
    const hs_run_jobs *r = &job->summary.jobs;
    if (status == HSEL_ECANCELLED)
        hs_fail(error, status, "stopped with %s of %s jobs done; the same command continues",
                hs_grouped(doc, r->there + r->there_failed + r->done + r->failed),
                hs_grouped(doc, r->all));
    HS_TRY(status);
    if (options->export_to) {
        HS_OPEN(out, options->export_to);
        HS_TRY(hs_study_export(study, job->store, out, error));
        HS_TRY(hs_writer_commit(hs_take(&out), error));
    }
    HS_TRY(print_summary(job, error));
    if (job->summary.unreadable)
        return hs_fail(error, HSEL_EFORMAT, "%u of the data sets could not be read; see the notes",
                       job->summary.unreadable);
    const hs_run_jobs *k = &job->summary.rankings;
    uint64_t failed = r->failed + r->there_failed + k->failed + k->there_failed;
    if (failed)
        return hs_fail(error, HSEL_EFORMAT, "%s of %s jobs failed; their results are not there",
                       hs_grouped(doc, failed), hs_grouped(doc, r->all + k->all));
    return HSEL_OK;
}

/* ---- mpirun ---- */

/* How many processes mpirun started, as Open MPI and MPICH tell them; 1: none of them did. */
static uint64_t processes(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    uint64_t count = 1;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        if (value && hs_parse_u64(value, strlen(value), &count) && count > 1)
            return count;
    }
    return 1;
}

#ifdef HS_WITH_MPI

/* The module: beside the program (as it is built) or in LIBDIR/hsel (as it is installed), found
 * from the folder of the program, to which `place` is relative. Never unloaded: MPI does not expect
 * that. */
static const hs_cluster *load_from(const char *place)
{
    char program[4096];
    HS_OWNS(hs_buf_clear) hs_buf path = {0};
    ssize_t length = readlink("/proc/self/exe", program, sizeof program);
    if (length <= 0 || (size_t)length >= sizeof program)
        return NULL;
    const char *end = memrchr(program, '/', (size_t)length);
    hs_buf_add(&path, program, end ? (size_t)(end - program) : 0);
    hs_buf_printf(&path, "/%s/%s", place, HS_MPI_MODULE);
    /* Global, because MPI loads parts of its own that look for it. */
    void *module = path.failed ? NULL : dlopen(path.text, RTLD_NOW | RTLD_GLOBAL);
    const hs_cluster *cluster = module ? dlsym(module, "hs_cluster_mpi") : NULL;
    return cluster && cluster->version == HS_CLUSTER_VERSION ? cluster : NULL;
}

static int join(const hs_cluster **out, hsel_error *error)
{
    const hs_cluster *cluster = load_from(".");
    if (!cluster)
        cluster = load_from(HS_MODULES);
    if (!cluster)
        return hs_fail(
            error, HSEL_EUNSUPPORTED,
            "mpirun needs the module %s in %s beside the program, and the library of MPI",
            HS_MPI_MODULE, HS_MODULES);
    if (cluster->start() != 0)
        return hs_fail(error, HSEL_EUNSUPPORTED, "MPI cannot be started, or not with threads");
    *out = cluster;
    return HSEL_OK;
}

#else

static int join(const hs_cluster **out, hsel_error *error)
{
    (void)out;
    return hs_fail(error, HSEL_EUNSUPPORTED,
                   "this hsel was built without MPI: run it without mpirun");
}

#endif

static int run(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    HS_OWNS(job_clear) struct job job = {.call = call, .options = options};
    bool told = false;
    if (processes() > 1)
        HS_TRY(join(&job.cluster, error));
    int status = hs_study_read(call->arguments[0], &job.study, error);
    if (job.cluster && job.cluster->rank() > 0) {
        /* The other processes of a cluster tell the first one what goes wrong, and say themselves
         * what should be known of their work. */
        hs_notes notes = HS_NOTES;
        status = status ? hs_study_give_up(job.cluster, status, error)
                        : hs_study_work(&job.study, job.cluster,
                                        options->threads ? options->threads : 1, &notes, error);
        hs_note_all(call, &notes);
        job.cluster->stop(status != HSEL_OK);
        return status;
    }
    if (status == HSEL_OK)
        status = run_first(&job, &told, error);
    if (job.cluster)
        job.cluster->stop(told ? job.summary.broken : hs_study_dismiss(job.cluster) != HSEL_OK);
    return status;
}

const hs_command hs_command_run = {
    HS_COMMAND_IS(run, "STUDY", "run a study: many methods on many data sets, resumable",
                  struct options, run),
    .groups = {{"Options", table, 0}},
    .writes_csv = true,
    .works = true,
    .learns = true,
};

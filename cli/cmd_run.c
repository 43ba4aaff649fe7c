/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel run: runs a study or one of its parts into a store of results, resumes it, gathers parts, or
 * shows what remains.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "study/report/report.h"
#include "study/published.h"

#define MANY_JOBS      200000 /* above this it asks for confirmation */
#define SHOWN_FAILURES 10

struct options {
    const char *store, *export_to, *part, *gather;
    hs_list import;
    hs_run_options run;
    bool dry_run, wait, take_over, yes, strict, allow_failed;
};

static const hs_option table[] = {
    HS_FILE(
        struct options, store, "store", "FILE", HS_READS, /* added to, never overwritten */
        "store of results (default: NAME.db in the current folder, with the name of the study); "
        "with --part, the folder for it (default: NAME.parts)"),
    HS_TEXT(struct options, part, "part", "I/N", NULL,
            "run only part I of N, into a separate store; array: take I and N from the job array, "
            "srun or mpirun; array/N: take only I from it"),
    HS_FILE(struct options, gather, "gather", "FOLDER", HS_READS,
            "merge the stores of all parts, report missing ones, then run missing jobs"),
    HS_FLAG(struct options, dry_run, "dry-run",
            "only show what is finished and what remains (with --gather, after merging)"),
    HS_FLAG(struct options, run.retry_failed, "retry-failed", "run failed jobs again"),
    HS_FLAG(struct options, run.redo_older, "redo-older",
            "recompute results of other versions of hsel"),
    HS_FLAG(struct options, allow_failed, "allow-failed", "exit with 0, not 3, if jobs failed"),
    HS_FLAG(struct options, strict, "strict",
            "exit with 5 if jobs are left out because a method does not fit the data"),
    HS_FILE(struct options, import, "import", "STORE", HS_READS,
            "first copy the results of another store; may be given several times"),
    HS_FILE(struct options, export_to, "export", "FILE", HS_WRITES,
            "write the table of results as CSV at the end"),
    HS_FLAG(struct options, wait, "wait", "wait while another process writes to the store"),
    HS_FLAG(struct options, take_over, "take-over",
            "take the store from a process on another machine that has shown no activity for a "
            "minute"),
    HS_FLAG(struct options, yes, "yes", "run any number of jobs without asking"),
    HS_OPTION(struct options, run.threads, "threads", "N", "0", 0, 4096,
              "threads (0: one per processor)"),
    HS_OPTION_END};

struct job {
    const hs_call *call;
    const struct options *options;
    hs_study study;
    hs_store *store;
    hs_run_summary summary;
    hs_names failures,
        reasons; /* a line each: data set, selector and message; the same without the data set */
    struct times {
        uint64_t jobs;
        const hs_study_dataset *set; /* the first */
        bool others, unfit;
    } * times; /* of each */
    size_t times_capacity;
    hs_doc_grid plan;
    hs_run_options how;
};

static void job_clear(struct job *job)
{
    hs_store_close(job->store);
    hs_names_clear(&job->failures);
    hs_names_clear(&job->reasons);
    hs_free(job->times);
    hs_study_clear(&job->study);
}

/* ---- reporting ---- */

static void on_note(void *context, const char *text)
{
    struct job *job = context;
    hs_note(job->call, "%s", text);
}

/* Reports jobs that failed for the same reason once, regardless of the name of the data set. If
 * memory runs out they are not listed. */
static void on_failed(void *context, const hs_study_dataset *set, const char *selector,
                      const char *classifier, const char *message, bool unfit)
{
    struct job *job = context;
    HS_OWNS(hs_buf_clear) hs_buf line = {0}, reason = {0};
    uint32_t place, at;
    bool added;
    const char *from = message;
    (void)classifier;
    hs_buf_printf(&line, "%s, %s: %s", set->name, selector, message);
    hs_buf_printf(&reason, "%s: ", selector);
    for (const char *name; (name = strstr(from, set->name)); from = name + strlen(set->name))
        hs_buf_add(&reason, from, (size_t)(name - from));
    hs_buf_text(&reason, from);
    if (line.failed || reason.failed ||
        !HS_GROW(&job->times, &job->times_capacity, (size_t)job->reasons.count + 1) ||
        hs_names_intern(&job->reasons, reason.text, reason.length, &place, &added, NULL))
        return;
    if (added) {
        job->times[place] = (struct times){.set = set, .unfit = unfit};
        if (hs_names_intern(&job->failures, line.text, line.length, &at, &added, NULL))
            return;
    }
    job->times[place].jobs++;
    job->times[place].others |= job->times[place].set != set;
}

/* Notes pairs that cannot be combined once, not for each data set. */
static int tell_left_out(const struct job *job, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf words = {0};
    hsel_error why = {0};
    const hs_study *study = &job->study;
    const uint64_t all = (uint64_t)study->selector_count * study->classifier_count,
                   pairs = hs_study_pairs(study);
    hs_study_left_out(study, &words, &why);
    HS_NEED(!words.failed);
    if (all && !pairs)
        return hs_fail_as(error, HSEL_EUNSUPPORTED, study->file, 0,
                          "no selector can be combined with a classifier of the study: ", &why);
    if (words.length)
        hs_note(job->call, "%s of %s pairs %s left out, because they cannot be combined: %s (%s)",
                hs_grouped(job->call->doc, all - pairs), hs_grouped(job->call->doc, all),
                all - pairs == 1 ? "is" : "are", words.text, why.message);
    return HSEL_OK;
}

/* set NULL: of all. */
static void on_planned(void *context, const hs_study_dataset *set, const hs_run_jobs *jobs)
{
    struct job *job = context;
    hs_document *doc = job->call->doc;
    HS_ROW(&job->plan, set ? hs_say(doc, "%s", set->name) : "all", hs_grouped(doc, jobs->all),
           hs_grouped(doc, jobs->there), hs_grouped(doc, jobs->there_failed),
           hs_grouped(doc, jobs->left_out),
           hs_grouped(doc, jobs->all - jobs->there - jobs->there_failed - jobs->left_out));
}

/* ---- printing at the end ---- */

static void print_line(const struct job *job, hs_writer *out, const char *label, uint64_t count,
                       const char *rest)
{
    hs_writer_printf(out, "  %-14s%10s%s\n", label, hs_grouped(job->call->doc, count), rest);
}

/* The reasons for which jobs failed, or were left out. */
static void print_reasons(const struct job *job, hs_writer *out, bool unfit)
{
    uint32_t shown = 0;
    for (uint32_t i = 0; i < job->failures.count; i++)
        if (job->times[i].unfit == unfit && shown++ < SHOWN_FAILURES)
            hs_writer_printf(out, "    %s (%llu %s%s)\n", hs_names_get(&job->failures, i),
                             (unsigned long long)job->times[i].jobs,
                             job->times[i].jobs == 1 ? "job" : "jobs",
                             job->times[i].others ? ", on this and other data sets" : "");
    if (shown > SHOWN_FAILURES)
        hs_writer_printf(out, "    and %u more reasons\n", shown - SHOWN_FAILURES);
}

static int print_summary(const struct job *job, hsel_error *error)
{
    const hs_run_summary *s = &job->summary;
    const hs_run_jobs *r = &s->rankings;
    uint64_t now = s->jobs.done + s->jobs.failed;
    hs_document *doc = job->call->doc;
    HS_OPEN(out, "-");
    if (job->how.parts)
        hs_writer_printf(out, "%s, part %u of %u, %.3g %% of the estimated work, in %s\n",
                         job->study.name, job->how.part, job->how.parts, 100 * s->share,
                         hs_store_path(job->store));
    else
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
                   hs_say(doc, "%s%s%s", rest, bad ? hs_say(doc, ", %ju failed", bad) : "",
                          r->left_out ? hs_say(doc, ", %ju left out", r->left_out) : ""));
    print_reasons(job, out, false);
    if (s->jobs.there_failed)
        print_line(job, out, "failed before", s->jobs.there_failed,
                   "  --retry-failed tries them again");
    if (s->jobs.left_out)
        print_line(job, out, "left out", s->jobs.left_out,
                   "  because a method does not fit the data");
    print_reasons(job, out, true);
    if (s->missing)
        print_line(job, out, "missing", s->missing, s->missing == 1 ? "  data set" : "  data sets");
    if (s->unreadable)
        print_line(job, out, "unreadable", s->unreadable,
                   s->unreadable == 1 ? "  data set" : "  data sets");
    return hs_writer_commit(hs_take(&out), error);
}

/* ---- running ---- */

static int dry_run(struct job *job, const char *path, hsel_error *error)
{
    const hs_run_jobs *r = &job->summary.rankings;
    if (!job->store && access(path, F_OK) == 0)
        HS_TRY(hs_store_open(path, HS_STORE_READ, false, &job->store, error));
    job->plan = (hs_doc_grid){.doc = job->call->doc, .columns = 6, .left = 1};
    HS_ROW(&job->plan, "data set", "jobs", "done", "failed", "left out", "to do");
    job->how.plan_only = true;
    job->how.dataset = on_planned;
    HS_TRY(hs_study_run(&job->study, job->store, &job->how, &job->summary, error));
    on_planned(job, NULL, &job->summary.jobs);
    if (r->all)
        hs_note(job->call, "also, %s of %s rankings of features remain",
                hs_grouped(job->call->doc, r->all - r->there - r->there_failed),
                hs_grouped(job->call->doc, r->all));
    HS_OPEN(out, "-");
    HS_TRY(hs_grid_print(&job->plan, out, error));
    return hs_writer_commit(hs_take(&out), error);
}

/* ---- parts ---- */

#define PARTS_LIMIT 1000000

static bool number_in(const char *name, uint64_t *out)
{
    const char *value = name ? getenv(name) : NULL;
    return value && hs_parse_u64(value, strlen(value), out);
}

/* The number of this process, from 1, among those that srun or mpirun started together. */
static bool find_rank(uint64_t *task, uint64_t *tasks)
{
    static const char *const known[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                           {"PMI_RANK", "PMI_SIZE"},
                                           {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (number_in(known[i][0], task) && number_in(known[i][1], tasks) && *task < *tasks) {
            ++*task;
            return true;
        }
    return false;
}

/* The number of this task in a job array, from 1, from the environment; *tasks: their number, 0 if
 * unknown. */
static int find_task(uint64_t *task, uint64_t *tasks, hsel_error *error)
{
    static const struct {
        const char *task, *first, *last, *step, *count;
    } known[] = {{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX",
                  "SLURM_ARRAY_TASK_STEP", "SLURM_ARRAY_TASK_COUNT"},
                 {"PBS_ARRAY_INDEX", NULL, NULL, NULL, NULL},
                 {"PBS_ARRAYID", NULL, NULL, NULL, NULL},
                 {"SGE_TASK_ID", "SGE_TASK_FIRST", "SGE_TASK_LAST", "SGE_TASK_STEPSIZE", NULL},
                 {"LSB_JOBINDEX", NULL, "LSB_JOBINDEX_END", "LSB_JOBINDEX_STEP", NULL}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        uint64_t first = 1, last = 0, step = 1, count = 0;
        if (!number_in(known[i].task, task) || (*task == 0 && !known[i].first))
            continue;
        number_in(known[i].first, &first);
        number_in(known[i].step, &step);
        *tasks = 0;
        if (!number_in(known[i].last, &last) || step == 0 || first > *task || *task > last)
            return HSEL_OK;
        *tasks = (last - first) / step + 1;
        if (number_in(known[i].count, &count) && count != *tasks)
            *tasks = 0; /* some of them, of an array that was there before */
        else
            *task = (*task - first) / step + 1;
        return HSEL_OK;
    }
    HS_REFUSE(!find_rank(task, tasks),
              "--part array: not running in a job array (of Slurm, PBS, Grid Engine or LSF), nor "
              "under srun or mpirun; give the part, such as --part 1/10");
    return HSEL_OK;
}

static int find_part(struct job *job, hsel_error *error)
{
    const char *text = job->options->part, *slash = text ? strchr(text, '/') : NULL;
    size_t length = slash ? (size_t)(slash - text) : text ? strlen(text) : 0;
    uint64_t part = 0, parts = 0, tasks = 0;
    HS_REFUSE(!text && find_rank(&part, &tasks) && tasks > 1,
              "this is one of %ju processes that were started together, and each would run the "
              "whole study: give --part array",
              tasks);
    if (!text)
        return HSEL_OK;
    bool array = length == 5 && memcmp(text, "array", 5) == 0;
    if (array) {
        HS_TRY(find_task(&part, &tasks, error));
        parts = slash ? 0 : tasks;
        HS_REFUSE(!slash && tasks == 0,
                  "--part array: the number of tasks of the job array is unknown or incomplete; "
                  "give it, such as --part array/100, with tasks numbered from 1");
    }
    bool good = (array || (slash && hs_parse_u64(text, length, &part))) &&
                (!slash || hs_parse_u64(slash + 1, strlen(slash + 1), &parts));
    HS_REFUSE(!good, "--part takes I/N, array or array/N, not '%s'", text);
    HS_REFUSE(part < 1 || part > parts || parts > PARTS_LIMIT,
              "--part: there is no part %ju of %ju: parts are numbered from 1, up to %d", part,
              parts, PARTS_LIMIT);
    job->how.part = (uint32_t)part;
    job->how.parts = (uint32_t)parts;
    return HSEL_OK;
}

static const char *part_path(const struct job *job, const char *folder, uint32_t part,
                             uint32_t parts)
{
    char digits[32];
    int width = snprintf(digits, sizeof digits, "%u", parts);
    size_t length = strlen(folder) - hs_ends_with(folder, "/");
    return hs_say(job->call->doc, "%.*s/%s.%0*u-of-%u.db", (int)length, folder, job->study.name,
                  width, part, parts);
}

/* The number of parts of which the folder has stores of the study; 0: none. */
static int count_parts(const struct job *job, const char *folder, uint32_t *parts,
                       hsel_error *error)
{
    HS_OWNS(hs_close_folder) DIR *open = opendir(folder);
    size_t length = strlen(job->study.name);
    *parts = 0;
    if (!open)
        return hs_fail_errno(error, folder, "open");
    for (const struct dirent *entry; (entry = readdir(open));) {
        uint32_t part, of;
        int end = 0;
        if (strncmp(entry->d_name, job->study.name, length) != 0 ||
            sscanf(entry->d_name + length, ".%9u-of-%9u.db%n", &part, &of, &end) != 2 || !end ||
            entry->d_name[length + (size_t)end])
            continue;
        HS_REFUSE(*parts && *parts != of,
                  "%s: there are stores of %u and of %u parts: move those of one away", folder,
                  *parts < of ? *parts : of, *parts < of ? of : *parts);
        *parts = of;
    }
    return HSEL_OK;
}

/* The store of this part; its folder is made. */
static int place_part(const struct job *job, const char **path, hsel_error *error)
{
    const char *folder = job->options->store ? job->options->store
                                             : hs_say(job->call->doc, "%s.parts", job->study.name);
    uint32_t there;
    HS_TRY(hs_document_check(job->call->doc, error));
    if (job->options->dry_run && access(folder, F_OK) != 0) {
        *path = folder;
        return HSEL_OK;
    }
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return hs_fail_errno(error, folder, "make the folder");
    HS_TRY(count_parts(job, folder, &there, error));
    HS_REFUSE(there && there != job->how.parts,
              "%s: the study was divided into %u parts, not %u: give --part %u/%u, or another "
              "folder by --store",
              folder, there, job->how.parts, job->how.part, there);
    *path = part_path(job, folder, job->how.part, job->how.parts);
    return HSEL_OK;
}

/* Merges part after part. A damaged part is left out. */
static int gather(struct job *job, uint32_t parts, hsel_error *error)
{
    const char *folder = job->options->gather;
    hs_document *doc = job->call->doc;
    HS_OWNS(hs_buf_clear) hs_buf missing = {0};
    uint32_t gone = 0, taken_parts = 0, busy = 0;
    const char *holder = NULL;
    for (uint32_t i = 1; i <= parts; i++) {
        const char *path = part_path(job, folder, i, parts);
        char who[128];
        uint64_t taken = 0;
        HS_TRY(hs_document_check(doc, error));
        if (access(path, F_OK) != 0) {
            if (++gone <= SHOWN_FAILURES)
                hs_buf_printf(&missing, "%s%u", gone > 1 ? ", " : "", i);
            continue;
        }
        if (hs_store_holder(path, who, sizeof who)) {
            holder = busy++ ? holder : hs_say(doc, "%s", who);
            continue;
        }
        hsel_error why = {0};
        int64_t ours = 0;
        int status = hs_store_has_study(path, &job->study, &ours, &why);
        if (status == HSEL_OK && !ours)
            status = hs_fail_at(&why, HSEL_EFORMAT, path, 0, "this is a part of another study");
        if (status == HSEL_OK)
            status = hs_store_merge(job->store, path, &taken, &why);
        else if (status != HSEL_ENOMEM)
            status = HSEL_EFORMAT; /* whatever it is, a folder or a pipe */
        if (status == HSEL_EFORMAT) {
            hs_note(job->call, "a part is left out: %s", why.message);
            continue;
        }
        if (status && error)
            *error = why;
        HS_TRY(status);
        taken_parts += ours == 2;
        if (ours == 1)
            hs_note(job->call,
                    "%s ran an earlier version of the study: %s jobs are merged, and used where "
                    "they fit",
                    path, hs_grouped(doc, taken));
    }
    hs_note(job->call, "%s: %u of %u parts merged", folder, taken_parts, parts);
    if (gone && !missing.failed)
        hs_note(job->call, "%s missing: %s%s", hs_plural(doc, gone, "part is"), missing.text,
                gone > SHOWN_FAILURES ? ", …" : "");
    HS_FAIL_IF(busy && !job->options->dry_run, HSEL_EIO,
               "%u of %u parts are still running, the first by %s; the results of the others are "
               "merged: run this again when they are done",
               busy, parts, holder);
    return HSEL_OK;
}

/* Notes missing published figures before the run rather than in the report. */
static int check_published(const struct job *job, hsel_error *error)
{
    const hs_study *study = &job->study;
    HS_OWNS(hs_figures_clear) hs_figures figures = {0};
    hsel_error why = {0};
    if (!study->published.file)
        return HSEL_OK;
    int status = hs_figures_read(study->published.file, &figures, &why);
    HS_NEED(status != HSEL_ENOMEM);
    if (status) {
        hs_note(job->call, "the published figures are missing: %s", why.message);
        return HSEL_OK;
    }
    hs_metric metrics[HS_METRICS];
    size_t count = hs_study_metrics(study, true, true, metrics);
    for (size_t d = 0; d < study->dataset_count; d++)
        for (size_t i = 0; i < study->selector_count * study->classifier_count * count; i++) {
            const hs_study_method *s = &study->selectors[i / count % study->selector_count];
            if (hs_published_find(&figures, &study->published, study->datasets[d].name,
                                  s->best ? s->family : s->text,
                                  study->classifiers[i / count / study->selector_count].text,
                                  hs_metric_name(metrics[i % count])))
                return HSEL_OK;
        }
    hs_note(job->call,
            "no published figure in %s fits a data set, selector, classifier and metric of the "
            "study: check 'map'",
            study->published.file);
    return HSEL_OK;
}

/* The exit code of a finished run if results of the study are missing. */
static int tell_holes(const struct job *job, hsel_error *error)
{
    const hs_run_jobs *r = &job->summary.jobs, *k = &job->summary.rankings;
    hs_document *doc = job->call->doc;
    const char *all = hs_grouped(doc, r->all + k->all);
    uint64_t failed = r->failed + r->there_failed + k->failed + k->there_failed,
             left_out = r->left_out + k->left_out;
    bool nothing = left_out && !job->how.parts && left_out == r->all + k->all;
    if (failed && !job->options->allow_failed)
        return hs_fail(error, HS_EXIT_FAILED, "%s of %s jobs failed; their results are missing",
                       hs_grouped(doc, failed), all);
    if (nothing)
        return hs_fail(error, HS_EXIT_FAILED, "no method of the study fits its data");
    if (job->summary.missing)
        return hs_fail(error, HS_EXIT_MISSING, "%u of %zu data sets %s missing",
                       job->summary.missing, job->study.dataset_count,
                       job->summary.missing == 1 ? "is" : "are");
    if (left_out && job->options->strict)
        return hs_fail(error, HS_EXIT_LEFT_OUT,
                       "%s of %s jobs are left out, because a method does not fit the data",
                       hs_grouped(doc, left_out), all);
    return HSEL_OK;
}

static int run_study(struct job *job, hsel_error *error)
{
    const struct options *options = job->options;
    const hs_study *study = &job->study;
    hs_document *doc = job->call->doc;
    uint64_t jobs = hs_study_jobs(study);
    size_t there = 0;
    const char *path = options->store ? options->store : hs_say(doc, "%s.db", study->name);
    HS_TRY(hs_document_check(doc, error));
    HS_TRY(find_part(job, error));
    if (job->how.parts)
        HS_TRY(place_part(job, &path, error));
    for (size_t i = 0; i < study->dataset_count; i++)
        there += !study->datasets[i].missing;
    if (there == 0)
        return hs_fail_at(error, HSEL_EIO, study->file, 0,
                          "all of its %zu data sets are missing, e.g. %s", study->dataset_count,
                          study->dataset_count ? study->datasets[0].path : "");
    HS_TRY(tell_left_out(job, error));
    HS_TRY(check_published(job, error));
    if (jobs / (job->how.parts ? job->how.parts : 1) > MANY_JOBS && !options->yes)
        return hs_fail_at(error, HSEL_EUSAGE, study->file, 0,
                          "these are %s jobs (data sets %zu x selectors %zu x classifiers %zu x "
                          "folds %u x repeats %u); give --yes if you mean it",
                          hs_grouped(doc, jobs), there, study->selector_count,
                          study->classifier_count, study->folds, study->repeats);
    if (!options->store || job->how.parts)
        HS_TRY(hs_claim_read(job->call, path, error));
    HS_TRY(hs_claim_study(job->call, study, error));
    if (options->dry_run && !options->gather)
        return dry_run(job, path, error);
    uint32_t parts_there = 0;
    if (options->gather) { /* before a store is made */
        HS_TRY(count_parts(job, options->gather, &parts_there, error));
        if (parts_there == 0)
            return hs_fail_at(error, HSEL_EIO, options->gather, 0,
                              "there is no part of the study %s", study->name);
    }
    HS_TRY(hs_store_open(path, HS_STORE_WRITE,
                         (options->wait ? HS_STORE_WAIT : 0) |
                             (options->take_over ? HS_STORE_TAKE_OVER : 0),
                         &job->store, error));
    const hs_names *removed = hs_store_removed(job->store);
    for (uint32_t i = 0; i < removed->count && i < SHOWN_FAILURES; i++)
        hs_note(job->call, "damaged in %s and computed again: %s", hs_store_path(job->store),
                hs_names_get(removed, i));
    if (removed->count > SHOWN_FAILURES)
        hs_note(job->call, "and %u more", removed->count - SHOWN_FAILURES);
    for (size_t i = 0; i < options->import.count; i++) {
        uint64_t taken = 0;
        int merged = hs_store_merge(job->store, options->import.items[i], &taken, error);
        if (merged) /* do not leave an empty new store if there is nothing to merge */
            hs_store_abandon(hs_take(&job->store));
        HS_TRY(merged);
        hs_note(job->call, "%s: %s jobs merged", options->import.items[i], hs_grouped(doc, taken));
    }
    if (options->gather)
        HS_TRY(gather(job, parts_there, error));
    if (options->dry_run)
        return dry_run(job, path, error);
    job->call->show->jobs = &job->summary.jobs;
    job->call->show->noun = "jobs";
    job->how.progress = hs_progress_begin(job->call, NULL);
    job->how.failed = on_failed;
    int status = hs_study_run(study, job->store, &job->how, &job->summary, error);
    hs_progress_end(job->call->show);
    const hs_run_jobs *r = &job->summary.jobs;
    if (status == HSEL_ECANCELLED)
        hs_fail(error, status, "stopped with %s of %s jobs done; the same command resumes",
                hs_grouped(doc, r->there + r->there_failed + r->done + r->failed + r->left_out),
                hs_grouped(doc, r->all));
    HS_TRY(status);
    if (options->export_to) {
        HS_OPEN(out, options->export_to);
        HS_TRY(hs_study_export(study, job->store, out, error));
        HS_TRY(hs_writer_commit(hs_take(&out), error));
    }
    HS_TRY(print_summary(job, error));
    HS_FAIL_IF(job->summary.unreadable, HSEL_EFORMAT,
               "%u of the data sets could not be read; see the notes", job->summary.unreadable);
    return tell_holes(job, error);
}

static int run_command(const hs_call *call, hsel_error *error)
{
    HS_OWNS(job_clear) struct job job = {.call = call, .options = call->values};
    job.how = job.options->run;
    job.how.note = on_note;
    job.how.context = &job;
    hsel_dialect_set(HSEL_DIALECT_STUDY);
    int status = hs_study_read(call->arguments[0], &job.study, error);
    /* A mistake in the study is wrong usage, as a wrong option is. */
    return status == HSEL_OK        ? run_study(&job, error)
           : status == HSEL_EFORMAT ? HSEL_EUSAGE
                                    : status;
}

const hs_command hs_command_run = {
    HS_COMMAND_IS(run, "STUDY", "run a study: many methods on many data sets, resumable",
                  struct options),
    .first = "store part gather dry-run retry-failed export threads yes",
    .groups = {{"Options", table, 0}},
    .flags = HS_WORKS | HS_HAS_MEMORY | HS_WRITES_CSV,
};

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes the scenario for irace, runs it, and reads its answer as method text. Text from outside is
 * quoted in the script of the target runner; choices are plain words (study_tasks.c).
 */
#include "study/tune.h"

#include <limits.h>
#include <sys/stat.h>

#include "core/program.h"
#include "learn/fold_file.h"
#include "format/format.h"
#include "study/runner_parts.h"

extern const char hs_study_tune_run[], hs_study_tune_scenario[],
    hs_study_tune_target[]; /* tune_*.* */

void hs_tuned_clear(hs_tuned *tuned)
{
    hs_free(tuned->method);
    *tuned = (hs_tuned){0};
}

/* A file of the folder, in `out`. */
static const char *path_in(const hs_tune_request *request, const char *name, char out[PATH_MAX])
{
    snprintf(out, PATH_MAX, "%s/%s", request->folder, name);
    return out;
}

static int make_folder(const char *path, hsel_error *error)
{
    struct stat there;
    if (mkdir(path, 0777) == 0 ||
        (errno == EEXIST && stat(path, &there) == 0 && S_ISDIR(there.st_mode)))
        return HSEL_OK;
    return hs_fail_errno(error, path, "make the folder");
}

static int write_data(const hs_tune_request *request, const hs_study_dataset *set, uint32_t number,
                      hsel_error *error)
{
    const hs_method *pack = hs_method_find(HS_FORMAT, "pack", 4);
    const hs_study *study = request->study;
    char name[40], path[PATH_MAX];
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
    HS_OWNS(hs_folds_clear) hs_folds folds = {0};
    HS_TRY(hs_study_load(set, &data, NULL, error));
    snprintf(name, sizeof name, "data/%u.hsel", number);
    HS_OPEN(out, path_in(request, name, path));
    HS_TRY(pack->format->write_data(data, out, error));
    HS_TRY(hs_writer_commit(hs_take(&out), error));
    if (!study->fold_file)
        return HSEL_OK;
    /* Its folds are written beside the data, where every run finds them. */
    snprintf(name, sizeof name, "data/%u.folds", number);
    HS_TRY(hs_folds_read(study->scheme + 5, data, &folds, error));
    return hs_folds_write(&folds, data, path_in(request, name, path), error);
}

/* ---- what irace reads ---- */

/* Writes a file of the folder and empties the text. */
static int write_text(const hs_tune_request *request, const char *name, hs_buf *text,
                      hsel_error *error)
{
    char path[PATH_MAX];
    HS_NEED(!text->failed);
    HS_OPEN(out, path_in(request, name, path));
    hs_writer_put(out, text->text, text->length);
    text->length = 0;
    return hs_writer_commit(hs_take(&out), error);
}

/* The values that the target runner uses, then its script. */
static void put_runner(hs_buf *out, const hs_tune_request *request, uint32_t sets)
{
    const hs_study *study = request->study;
    const char *selector = study->selectors[0].text;
    const char *const values[][3] = {
        {"program", request->program, ""},
        {"selector", selector, strchr(selector, ':') ? "," : ":"},
        {"classifier", study->classifiers[0].text, ""},
        {"metric", hs_metric_name(study->tune.metric), ""},
        {"sign", hs_metric_formula(study->tune.metric)->lower_is_better ? "" : "-", ""},
        {"scheme", study->fold_file ? "" : study->scheme, ""}, /* "": the file beside the data */
        {"flags", study->pooled ? "--pooled " : "",
         study->allow_violations ? "--allow-violations" : ""},
    };
    hs_buf_printf(out, "#!/bin/sh\nsets=%u repeats=%u first_seed=%llu folds=%u\n", sets,
                  study->repeats, (unsigned long long)study->seed, study->folds);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        hs_buf_printf(out, "%s='", values[i][0]);
        for (int part = 1; part < 3; part++)
            for (const char *c = values[i][part]; *c; c++)
                hs_buf_printf(out, *c == '\'' ? "'\\%c'" : "%c", *c);
        hs_buf_text(out, "'\n");
    }
    hs_buf_text(out, hs_study_tune_target);
}

int hs_tune_write(const hs_tune_request *request, uint32_t *instances, hsel_error *error)
{
    const hs_study *study = request->study;
    const hs_tune *tune = &study->tune;
    uint32_t sets = 0, number = 0;
    for (size_t i = 0; i < study->dataset_count; i++)
        sets += !study->datasets[i].missing;
    if (!tune->budget)
        return hs_fail(error, HSEL_EUSAGE,
                       "%s has no key 'tune' with options and their values; see docs/studies.md",
                       study->file);
    if ((uint64_t)sets * study->repeats < 2)
        return hs_fail(
            error, HSEL_EUSAGE,
            "tuning needs two instances or more, but %s has %u existing data set%s x %u repeat%s",
            study->file, sets, sets == 1 ? "" : "s", study->repeats,
            study->repeats == 1 ? "" : "s");
    if ((uint64_t)sets * study->repeats > 1000000)
        return hs_fail(error, HSEL_ELIMIT, "more than a million instances");
    HS_OWNS(hs_buf_clear) hs_buf text = {0};
    char path[PATH_MAX];
    HS_TRY(make_folder(request->folder, error));
    HS_TRY(make_folder(path_in(request, "data", path), error));
    for (size_t i = 0; i < study->dataset_count; i++)
        if (!study->datasets[i].missing)
            HS_TRY(write_data(request, &study->datasets[i], ++number, error));
    *instances = sets * study->repeats;
    for (size_t i = 0; i < tune->count; i++) {
        const hs_tune_parameter *p = &tune->parameters[i];
        for (const char *c = p->name; *c; c++)
            hs_buf_char(&text, *c == '-' ? '_' : *c); /* a name of R */
        hs_buf_printf(&text, " \"%s=\" %c %s\n", p->name, p->type, p->range);
    }
    HS_TRY(write_text(request, "parameters.txt", &text, error));
    for (uint32_t n = 1; n <= *instances; n++)
        hs_buf_printf(&text, "%u\n", n);
    HS_TRY(write_text(request, "instances.txt", &text, error));
    hs_buf_printf(&text,
                  "%smaxExperiments = %u\nseed = %llu\ndigits = %d\nparallel = %d\n"
                  "firstTest = %u\n",
                  hs_study_tune_scenario, request->budget ? request->budget : tune->budget,
                  (unsigned long long)tune->seed, tune->digits ? tune->digits : 4,
                  request->threads > 1 ? request->threads : 0, *instances < 5 ? *instances : 5);
    HS_TRY(write_text(request, "scenario.txt", &text, error));
    hs_buf_printf(&text, "sign <- %d\n",
                  hs_metric_formula(tune->metric)->lower_is_better ? 1 : -1); /* irace minimises */
    hs_buf_text(&text, hs_study_tune_run);
    HS_TRY(write_text(request, "run.R", &text, error));
    put_runner(&text, request, sets);
    HS_TRY(write_text(request, "target-runner", &text, error));
    path_in(request, "target-runner", path);
    return chmod(path, 0755) == 0 ? HSEL_OK : hs_fail_errno(error, path, "make executable");
}

/* ---- R ---- */

/* Runs a command (the arguments after the first) with its output in a file (the first argument);
 * ends with the exit status of the command, or kills its process group when its input ends. */
static const char watched[] = "exec 3<&0 >\"$1\" 2>&1; shift; \"$@\" </dev/null & child=$!\n"
                              "(cat <&3 >/dev/null; kill -9 0) & watch=$!\n"
                              "wait $child; code=$?; kill $watch; exit $code";

/* A run of irace with progress reports. */
struct racing {
    const hs_tune_request *request;
    char runs[PATH_MAX]; /* a file that grows with every run; "": none */
    hsel_error *error;   /* why it is to stop */
};

static bool goes_on(void *context)
{
    const struct racing *race = context;
    const hs_tune_request *request = race->request;
    const uint64_t budget = request->budget ? request->budget : request->study->tune.budget;
    struct stat there;
    uint64_t done = stat(race->runs, &there) == 0 ? (uint64_t)there.st_size : 0;
    return !*race->runs ||
           hs_progress_report(request->progress, done < budget ? done : budget, budget,
                              "irace races settings", race->error) == HSEL_OK;
}

/* Runs R in a folder with its output in the file `said`. Returns its exit status; -1: it could not
 * be started. */
static int run_r(struct racing *race, const char *folder, const char *said, const char *option,
                 const char *what)
{
    const char *program = race->request->rscript ? race->request->rscript : "Rscript";
    hs_program sh = {.arguments = (const char *const[]){"sh", "-c", watched, "sh", said, program,
                                                        "--vanilla", option, what, NULL},
                     .folder = folder,
                     .goes_on = goes_on,
                     .context = race};
    hs_program_run(&sh);
    return sh.missing || sh.status / 2 == 63 ? -1 /* 126, 127: the shell could not start it */
                                             : sh.status;
}

/* The lines of a file of the folder, separated by commas; or only the last informative one. */
static int read_lines(const hs_tune_request *request, const char *name, bool last, hs_buf *out,
                      hsel_error *error)
{
    HS_OWNS(hs_reader_release) hs_reader *reader = NULL;
    char *line, path[PATH_MAX];
    size_t length;
    int more;
    HS_TRY(hs_reader_open(path_in(request, name, path), &reader, error));
    while ((more = hs_reader_line(reader, &line, &length, error)) > 0) {
        if (last && (length == 0 || strcmp(line, "Execution halted") == 0))
            continue;
        out->length = last ? 0 : out->length;
        hs_buf_printf(out, "%s%s", out->length ? "," : "", line);
    }
    HS_NEED(!out->failed);
    return more;
}

int hs_tune_run(const hs_tune_request *request, hs_tuned *out, hsel_error *error)
{
    const char *selector = request->study->selectors[0].text;
    HS_OWNS(hs_buf_clear) hs_buf text = {0}, given = {0}, mean = {0};
    hsel_error stopped = {0};
    struct racing race = {.request = request, .error = &stopped};
    HS_OWNS(hs_chosen_clear) hs_chosen chosen = {0};
    int code = run_r(&race, NULL, "/dev/null", "-e",
                     "quit(status = if (requireNamespace('irace', quietly = TRUE)) 0 else 3)");
    if (code)
        return hs_fail(error, HSEL_EUNSUPPORTED,
                       "%s: install R with the package irace (Debian: apt-get install "
                       "r-cran-irace)",
                       code == 3 ? "R is installed, but its package irace is not"
                                 : "R is not installed");
    HS_TRY(hs_tune_write(request, &out->instances, error));
    if (remove(path_in(request, "runs.txt", race.runs)) != 0 && errno != ENOENT)
        return hs_fail_errno(error, race.runs, "remove");
    code = run_r(&race, request->folder, "irace.txt", "run.R", NULL);
    if (stopped.code)
        return hs_fail_as(error, stopped.code, NULL, 0, "", &stopped);
    if (code != 0) {
        int read = read_lines(request, "irace.txt", true, &text, NULL);
        return hs_fail(error, HSEL_EIO, "irace failed: %.180s (full output in %s/irace.txt)",
                       read == HSEL_OK && text.length ? text.text : "no output", request->folder);
    }
    HS_TRY(read_lines(request, "best.txt", false, &given, error));
    HS_TRY(read_lines(request, "mean.txt", false, &mean, error));
    if (given.length == 0)
        return hs_fail(error, HSEL_EFORMAT, "%s/best.txt names no option", request->folder);
    hs_buf_printf(&text, "%s%s%s", selector, strchr(selector, ':') ? "," : ":", given.text);
    HS_NEED(!text.failed);
    if (!mean.text || !hs_parse_double(mean.text, mean.length, &out->mean))
        return hs_fail(error, HSEL_EFORMAT, "%s/mean.txt has no number", request->folder);
    HS_TRY(hs_chosen_parse(HS_SELECTOR, text.text, &chosen, error));
    HS_NEED(out->method = hs_strdup(chosen.text));
    return HSEL_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The files of a scenario of irace. Whatever comes from outside and goes into the script of the
 * target runner is quoted; choices are plain words (study_tune.c).
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/mem.h"
#include "core/writer.h"
#include "evaluate/fold_file.h"
#include "format/format.h"
#include "study/tune.h"
#include "study/unit.h"

static int path_in(const hs_tune_request *request, const char *name, hs_buf *out, hsel_error *error)
{
    out->length = 0;
    hs_buf_printf(out, "%s/%s", request->folder, name);
    return out->failed ? hs_fail_memory(error) : HSEL_OK;
}

static int write_text(const hs_tune_request *request, const char *name, hs_buf *text,
                      hsel_error *error)
{
    hs_buf path = {0};
    hs_writer *out = NULL;
    int status = text->failed ? hs_fail_memory(error) : path_in(request, name, &path, error);
    if (status == HSEL_OK)
        status = hs_writer_open(path.text, &out, error);
    if (status == HSEL_OK) {
        hs_writer_put(out, text->text, text->length);
        status = hs_writer_commit(out, error);
    }
    hs_buf_clear(&path);
    hs_buf_clear(text);
    return status;
}

static int make_folder(const char *path, hsel_error *error)
{
    struct stat there;
    if (mkdir(path, 0777) == 0 ||
        (errno == EEXIST && stat(path, &there) == 0 && S_ISDIR(there.st_mode)))
        return HSEL_OK;
    return hs_fail_errno(error, path, "make the folder");
}

/* ---- data ---- */

/* The folds of a fold file beside the data, where the runs find them whatever folder they are in.
 */
static int write_folds(const hs_tune_request *request, const hsel_dataset *data, uint32_t number,
                       hsel_error *error)
{
    char name[40];
    hs_buf path = {0};
    hs_folds folds = {0};
    snprintf(name, sizeof name, "data/%u.folds", number);
    int status = hs_folds_read(request->study->scheme + 5, data, &folds, error);
    if (status == HSEL_OK)
        status = path_in(request, name, &path, error);
    if (status == HSEL_OK)
        status = hs_folds_write(&folds, data, path.text, error);
    hs_folds_clear(&folds);
    hs_buf_clear(&path);
    return status;
}

static int write_pack(const hs_tune_request *request, const hs_study_dataset *set, uint32_t number,
                      hsel_error *error)
{
    const hs_method *pack = hs_method_find(HS_FORMAT, "pack", 4);
    char name[40];
    hs_buf path = {0};
    hsel_dataset *data = NULL;
    hs_writer *out = NULL;
    snprintf(name, sizeof name, "data/%u.hsel", number);
    int status = path_in(request, name, &path, error);
    if (status == HSEL_OK)
        status = hs_study_load(set, &data, error);
    if (status == HSEL_OK)
        status = hs_writer_open(path.text, &out, error);
    if (status == HSEL_OK)
        status = pack->format->write_data(data, out, error);
    if (status == HSEL_OK)
        status = hs_writer_commit(out, error);
    else
        hs_writer_abandon(out);
    if (status == HSEL_OK && request->study->fold_file)
        status = write_folds(request, data, number, error);
    hsel_dataset_free(data);
    hs_buf_clear(&path);
    return status;
}

static int write_data(const hs_tune_request *request, uint32_t *count, hsel_error *error)
{
    const hs_study *study = request->study;
    hs_buf path = {0};
    int status = path_in(request, "data", &path, error);
    if (status == HSEL_OK)
        status = make_folder(path.text, error);
    hs_buf_clear(&path);
    *count = 0;
    for (size_t i = 0; i < study->dataset_count && status == HSEL_OK; i++)
        if (!study->datasets[i].missing)
            status = write_pack(request, &study->datasets[i], ++*count, error);
    return status;
}

/* ---- what irace reads ---- */

static int write_parameters(const hs_tune_request *request, hsel_error *error)
{
    const hs_tune *tune = &request->study->tune;
    hs_buf text = {0};
    for (size_t i = 0; i < tune->count; i++) {
        const hs_tune_parameter *p = &tune->parameters[i];
        for (const char *c = p->name; *c; c++)
            hs_buf_char(&text, *c == '-' ? '_' : *c); /* a name of R */
        hs_buf_printf(&text, " \"%s=\" %c %s\n", p->name, p->type, p->range);
    }
    return write_text(request, "parameters.txt", &text, error);
}

static int write_instances(const hs_tune_request *request, uint32_t count, hsel_error *error)
{
    hs_buf text = {0};
    for (uint32_t i = 1; i <= count; i++)
        hs_buf_printf(&text, "%u\n", i);
    return write_text(request, "instances.txt", &text, error);
}

static int write_scenario(const hs_tune_request *request, uint32_t instances, hsel_error *error)
{
    const hs_tune *tune = &request->study->tune;
    hs_buf text = {0};
    hs_buf_printf(&text,
                  "parameterFile = \"parameters.txt\"\n"
                  "trainInstancesFile = \"instances.txt\"\n"
                  "trainInstancesDir = \"\"\n"
                  "targetRunner = \"./target-runner\"\n"
                  "logFile = \"irace.Rdata\"\n"
                  "execDir = \"./\"\n"
                  "deterministic = 1\n"
                  "maxExperiments = %u\n"
                  "seed = %llu\n"
                  "digits = %d\n"
                  "parallel = %d\n"
                  "firstTest = %u\n",
                  request->budget ? request->budget : tune->budget, (unsigned long long)tune->seed,
                  tune->digits ? tune->digits : 4, request->threads > 1 ? request->threads : 0,
                  instances < 5 ? instances : 5);
    return write_text(request, "scenario.txt", &text, error);
}

static int write_r(const hs_tune_request *request, hsel_error *error)
{
    hs_buf text = {0};
    hs_buf_text(
        &text,
        "suppressPackageStartupMessages(library(irace))\n"
        "scenario <- readScenario('scenario.txt')\n"
        "parameters <- readParameters(scenario$parameterFile, digits = scenario$digits)\n"
        "best <- irace(scenario = scenario, parameters = parameters)[1, ]\n"
        "given <- Filter(function(name) !is.na(best[[name]]), parameters$names)\n"
        "said <- vapply(given, function(name)\n"
        "    paste0(parameters$switches[[name]], format(best[[name]], digits = 15,\n"
        "                                               scientific = FALSE, trim = TRUE)), '')\n"
        "writeLines(said, 'best.txt')\n"
        "load('irace.Rdata')\n"
        "values <- iraceResults$experiments[, as.character(best$.ID.)]\n"
        "writeLines(format(-mean(values, na.rm = TRUE), digits = 15), 'mean.txt')\n");
    return write_text(request, "run.R", &text, error);
}

/* ---- the target runner ---- */

static void quote(hs_buf *out, const char *text)
{
    hs_buf_char(out, '\'');
    for (; *text; text++) {
        if (*text == '\'')
            hs_buf_text(out, "'\\''");
        else
            hs_buf_char(out, *text);
    }
    hs_buf_char(out, '\'');
}

/* Instances: data set after data set for the first seed, then for the next … so that races begin
 * with different data. */
static void put_instances(hs_buf *out, const hs_study *study, uint32_t sets)
{
    hs_buf_text(out, "case $instance in\n");
    for (uint32_t r = 0; r < study->repeats; r++)
        for (uint32_t i = 1; i <= sets; i++)
            hs_buf_printf(out, "%u) data=data/%u.hsel seed=%llu ;;\n", r * sets + i, i,
                          (unsigned long long)(study->seed + r));
    hs_buf_text(out, "*) echo \"no instance $instance\" >&2; exit 1 ;;\nesac\n");
}

static int write_runner(const hs_tune_request *request, uint32_t sets, hsel_error *error)
{
    const hs_study *study = request->study;
    const char *selector = study->selectors[0].text;
    hs_buf text = {0}, path = {0};
    hs_buf_text(&text,
                "#!/bin/sh\n"
                "# irace gives: configuration, instance, seed, instance, then name=value …\n"
                "# It minimises, so the metric is printed with its sign turned; options that\n"
                "# hsel refuses (exit code 2) are as bad as can be.\n"
                "instance=$4\n"
                "shift 4\n"
                "options=$(IFS=,; printf %s \"$*\")\n");
    put_instances(&text, study, sets);
    hs_buf_text(&text, "table=$(");
    quote(&text, request->program);
    hs_buf_text(&text, " eval -q \"$data\" --threads 1 --csv --seed \"$seed\" --select ");
    quote(&text, selector);
    hs_buf_printf(&text, "%s\"$options\" --classify ", strchr(selector, ':') ? "," : ":");
    quote(&text, study->classifiers[0].text);
    hs_buf_printf(&text, "%s%s --folds %u --metrics %s --fold-scheme ",
                  study->pooled ? " --pooled" : "",
                  study->allow_violations ? " --allow-violations" : "", study->folds,
                  hs_metric_name(study->tune.metric));
    if (study->fold_file)
        hs_buf_text(&text, "\"file:${data%.hsel}.folds\"");
    else
        quote(&text, study->scheme);
    hs_buf_text(&text, ")\n"
                       "code=$?\n"
                       "[ $code -eq 2 ] && { echo Inf; exit 0; }\n"
                       "[ $code -eq 0 ] || exit 1\n"
                       "printf '%s\\n' \"$table\" | awk -F, 'END { v = $(NF - 2); "
                       "if (v ~ /^[0-9.]+$/) print -v; else print \"Inf\" }'\n");
    int status = write_text(request, "target-runner", &text, error);
    if (status == HSEL_OK)
        status = path_in(request, "target-runner", &path, error);
    if (status == HSEL_OK && chmod(path.text, 0755) != 0)
        status = hs_fail_errno(error, path.text, "make executable");
    hs_buf_clear(&path);
    return status;
}

int hs_tune_write(const hs_tune_request *request, uint32_t *instances, hsel_error *error)
{
    const hs_study *study = request->study;
    uint32_t there = 0, sets;
    for (size_t i = 0; i < study->dataset_count; i++)
        there += !study->datasets[i].missing;
    if (!study->tune.budget)
        return hs_fail(error, HSEL_EUSAGE,
                       "%s has no key 'tune': which options, over which values? docs/studies.md "
                       "shows it",
                       study->file);
    if ((uint64_t)there * study->repeats < 2)
        return hs_fail(error, HSEL_EUSAGE,
                       "tuning races settings over two instances or more, and %s has %u data set%s "
                       "that are there x %u repeat%s",
                       study->file, there, there == 1 ? "" : "s", study->repeats,
                       study->repeats == 1 ? "" : "s");
    if ((uint64_t)there * study->repeats > 1000000)
        return hs_fail(error, HSEL_ELIMIT, "more than a million instances");
    int status = make_folder(request->folder, error);
    if (status == HSEL_OK)
        status = write_data(request, &sets, error);
    if (status)
        return status;
    *instances = sets * study->repeats;
    if ((status = write_parameters(request, error)) ||
        (status = write_instances(request, *instances, error)) ||
        (status = write_scenario(request, *instances, error)) || (status = write_r(request, error)))
        return status;
    return write_runner(request, sets, error);
}

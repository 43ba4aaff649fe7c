/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel tune: the best setting of a selector, found by irace.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "core/json.h"
#include "core/mem.h"
#include "core/parallel.h"
#include "study/tune.h"

struct options {
    const char *folder, *rscript;
    uint32_t budget;
    int threads;
    bool dry_run, json;
};

static const hs_option table[] = {
    HS_TEXT(struct options, folder, "folder", "FOLDER", NULL,
            "where the scenario and what irace says go (default: NAME.tune in the current folder)"),
    HS_OPTION(struct options, budget, "budget", "N", "0", 0, 100000000,
              "runs of irace, in place of what the study says; 0: as it says"),
    HS_FLAG(struct options, dry_run, "dry-run", "only write the scenario"),
    HS_FLAG(struct options, json, "json", "print the answer as JSON"),
    HS_OPTION(struct options, threads, "threads", "N", "0", 0, 4096,
              "runs at a time (0: one a processor)"),
    HS_TEXT(struct options, rscript, "rscript", "PROGRAM", "Rscript", "the program that runs R"),
    HS_OPTION_END};

static void print(const hs_study *study, const hs_tune_request *request, const hs_tuned *tuned,
                  bool as_json, hs_writer *out)
{
    hs_json json = {.out = out};
    if (!as_json) {
        hs_writer_printf(out, "%s\n", tuned->method);
        return;
    }
    hs_json_object(&json);
    hs_json_key(&json, "method");
    hs_json_text(&json, tuned->method);
    hs_json_key(&json, "classifier");
    hs_json_text(&json, study->classifiers[0].text);
    hs_json_key(&json, "metric");
    hs_json_text(&json, hs_metric_name(study->tune.metric));
    hs_json_key(&json, "mean");
    hs_json_double(&json, tuned->mean / 100);
    hs_json_key(&json, "instances");
    hs_json_u64(&json, tuned->instances);
    hs_json_key(&json, "budget");
    hs_json_u64(&json, request->budget ? request->budget : study->tune.budget);
    hs_json_key(&json, "folder");
    hs_json_text(&json, request->folder);
    hs_json_end_object(&json);
}

static int answer(const hs_call *call, const hs_study *study, const hs_tune_request *request,
                  hsel_error *error)
{
    const struct options *options = call->values;
    hs_tuned tuned = {0};
    hs_writer *out = NULL;
    int status = hs_tune_run(request, &tuned, error);
    if (status == HSEL_OK)
        hs_note(call, "%s %.2f on average of the instances it was run on, of %u",
                hs_metric_title(study->tune.metric), tuned.mean, tuned.instances);
    if (status == HSEL_OK)
        status = hs_writer_open("-", &out, error);
    if (status == HSEL_OK) {
        print(study, request, &tuned, options->json, out);
        status = hs_writer_commit(out, error);
    }
    hs_tuned_clear(&tuned);
    return status;
}

/* The program itself, for the target runner. */
static int find_program(char *out, size_t room, hsel_error *error)
{
    ssize_t length = readlink("/proc/self/exe", out, room - 1);
    if (length < 0)
        return hs_fail_errno(error, "/proc/self/exe", "read");
    out[length] = '\0';
    return HSEL_OK;
}

static int run(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    hs_study study = {0};
    hs_buf folder = {0}, packs = {0};
    char program[4096];
    uint32_t instances;
    int status = hs_study_read(call->arguments[0], &study, error);
    if (status == HSEL_OK)
        status = find_program(program, sizeof program, error);
    if (status)
        goto out;
    for (size_t i = 0; i < study.dataset_count; i++)
        if (study.datasets[i].missing)
            hs_note(call, "%s is not there and is left out", study.datasets[i].name);
    if (options->folder)
        hs_buf_text(&folder, options->folder);
    else
        hs_buf_printf(&folder, "%s.tune", study.name);
    hs_tune_request request = {.study = &study,
                               .folder = folder.text,
                               .program = program,
                               .rscript = options->rscript,
                               .budget = options->budget,
                               .threads = hs_threads(options->threads)};
    hs_buf_printf(&packs, "%s/data", folder.failed ? "" : folder.text);
    if (folder.failed || packs.failed)
        status = hs_fail_memory(error);
    if (status == HSEL_OK)
        status = hs_claim_folder(call, folder.text,
                                 "parameters.txt instances.txt scenario.txt run.R target-runner "
                                 "irace.txt irace.Rdata best.txt mean.txt",
                                 error);
    if (status == HSEL_OK)
        status = hs_claim_folder(call, packs.text, "*.hsel", error);
    if (status == HSEL_OK)
        status = hs_claim_study(call, &study, error);
    if (status)
        goto out;
    if (options->dry_run)
        status = hs_tune_write(&request, &instances, error);
    else
        status = answer(call, &study, &request, error);
    if (status == HSEL_OK && options->dry_run)
        hs_note(call, "%s has the scenario with %u instances", folder.text, instances);
out:
    hs_buf_clear(&packs);
    hs_buf_clear(&folder);
    hs_study_clear(&study);
    return status;
}

const hs_command hs_command_tune = {
    .name = "tune",
    .arguments = "STUDY",
    .summary = "find a good setting of a selector with irace",
    .help =
        "Looks for the setting of a selector that does best with a classifier over several data "
        "sets, by iterated racing (irace, a package of R). The study names one selector with "
        "the options that are fixed, one classifier, the data sets, the folds, and under the key "
        "tune which options are to be found over which values. An instance of the race is a "
        "data set with the folds and the random numbers of one repeat; settings that are worse "
        "are given up early, so the budget is spent on the better ones.\n\n"
        "The answer is the text of the method with its best setting, as other commands take it. "
        "What irace said is in irace.txt of the folder. Data that a method was tuned on are not "
        "for judging it.",
    .examples = "  hsel tune studies/tune-shsel.yaml\n"
                "  hsel tune studies/tune-ga.yaml --budget 2000 --json\n"
                "  hsel tune mine.yaml --dry-run --folder scenario\n",
    .at_least = 1,
    .at_most = 1,
    .groups = {{"Options", table, 0}},
    .size = sizeof(struct options),
    .run = run,
};

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel tune: the best setting of a selector, found by irace.
 */
#define _POSIX_C_SOURCE 200809L
#include <unistd.h>

#include "cli/cli.h"
#include "study/tune.h"

struct options {
    hs_tune_request request;
    bool dry_run, json;
};

static const hs_option table[] = {
    HS_TEXT(struct options, request.folder, "folder", "FOLDER", NULL,
            "folder for the scenario and irace's output (default: NAME.tune in the current "
            "folder)"),
    HS_OPTION(struct options, request.budget, "budget", "N", "0", 0, 100000000,
              "runs of irace; 0: as in the study"),
    HS_FLAG(struct options, dry_run, "dry-run", "only write the scenario"),
    HS_FLAG(struct options, json, "json", "print the result as JSON"),
    HS_OPTION(struct options, request.threads, "threads", "N", "0", 0, 4096,
              "simultaneous runs (0: one per processor)"),
    HS_TEXT(struct options, request.rscript, "rscript", "PROGRAM", "Rscript",
            "the program that runs R"),
    HS_OPTION_END};

static int tune_command(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    HS_OWNS(hs_study_clear) hs_study study = {0};
    HS_OWNS(hs_tuned_clear) hs_tuned tuned = {0};
    char program[4096]; /* this one, for the target runner */
    uint32_t instances;
    hsel_dialect_set(HSEL_DIALECT_STUDY);
    int status = hs_study_read(call->arguments[0], &study, error);
    if (status)
        return status == HSEL_EFORMAT ? HSEL_EUSAGE : status; /* as hsel run */
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 0)
        return hs_fail_errno(error, "/proc/self/exe", "read");
    program[length] = '\0';
    for (size_t i = 0; i < study.dataset_count; i++)
        if (study.datasets[i].missing)
            hs_note(call, "%s does not exist and is left out", study.datasets[i].name);
    hs_tune_request request = options->request;
    const char *folder = request.folder ? request.folder : hs_say(call->doc, "%s.tune", study.name);
    const char *packs = hs_say(call->doc, "%s/data", folder);
    HS_TRY(hs_document_check(call->doc, error));
    request.study = &study;
    request.folder = folder;
    request.program = program;
    request.threads = hs_threads(request.threads);
    HS_TRY(hs_claim_folder(call, folder,
                           "parameters.txt instances.txt scenario.txt run.R target-runner "
                           "irace.txt irace.Rdata best.txt mean.txt runs.txt",
                           error));
    HS_TRY(hs_claim_folder(call, packs, "*.hsel", error));
    HS_TRY(hs_claim_study(call, &study, error));
    if (options->dry_run) {
        HS_TRY(hs_tune_write(&request, &instances, error));
        hs_note(call, "%s has the scenario with %u instances", folder, instances);
        return HSEL_OK;
    }
    call->show->noun = "runs";
    request.progress = hs_progress_begin(call, NULL);
    HS_TRY(hs_tune_run(&request, &tuned, error));
    hs_progress_end(call->show);
    hs_note(call, "%s %.2f on average of the instances it was run on, of %u",
            hs_metric_title(study.tune.metric), tuned.mean, tuned.instances);
    HS_OPEN(out, "-");
    if (options->json)
        hs_json_put(&(hs_json){.out = out},
                    "{method:%s classifier:%s metric:%s mean:%g instances:%u budget:%u folder:%s}",
                    tuned.method, study.classifiers[0].text, hs_metric_name(study.tune.metric),
                    tuned.mean / 100, tuned.instances,
                    request.budget ? request.budget : study.tune.budget, folder);
    else
        hs_writer_printf(out, "%s\n", tuned.method);
    return hs_writer_commit(hs_take(&out), error);
}

const hs_command hs_command_tune = {
    HS_COMMAND_IS(tune, "STUDY", "tune the options of a selector with irace", struct options),
    .groups = {{"Options", table, 0}},
    .flags = HS_WORKS,
};

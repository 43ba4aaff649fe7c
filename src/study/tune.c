/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running irace on a scenario, and its answer as method text.
 */
#define _GNU_SOURCE /* posix_spawn_file_actions_addchdir_np, pipe2 */
#include "study/tune.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/mem.h"
#include "core/method.h"
#include "core/reader.h"
#include "core/text.h"

extern char **environ;

void hs_tuned_clear(hs_tuned *tuned)
{
    hs_free(tuned->method);
    *tuned = (hs_tuned){0};
}

/* ---- R ---- */

/* Runs its words and ends with their code, or with all of its process group when its input ends. */
static const char watched[] = "exec 3<&0; \"$@\" </dev/null & child=$!\n"
                              "(cat <&3 >/dev/null; kill -9 0) & watch=$!\n"
                              "wait $child; code=$?; kill $watch; exit $code";

/* Runs it in a folder; what it says goes into the file `said`. -1: could not be started. R and all
 * that it starts are a process group; its shell reads from a pipe that is written to by nobody and
 * closed when this process ends, however that comes about. */
static int run_r(const char *program, const char *folder, const char *said,
                 const char *const *words)
{
    const char *arguments[10] = {"sh", "-c", watched, "sh", program};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int result = 0, ends[2];
    pid_t child;
    for (int i = 0; words[i] && i < 4; i++)
        arguments[i + 5] = words[i];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    int code = posix_spawn_file_actions_init(&actions) | posix_spawnattr_init(&attributes);
    if (!code)
        code = posix_spawn_file_actions_addchdir_np(&actions, folder) |
               posix_spawn_file_actions_adddup2(&actions, ends[0], 0) |
               posix_spawn_file_actions_addopen(&actions, 1, said, O_WRONLY | O_CREAT | O_TRUNC,
                                                0666) |
               posix_spawn_file_actions_adddup2(&actions, 1, 2) |
               posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    if (!code)
        code = posix_spawn(&child, "/bin/sh", &actions, &attributes,
                           (char *const *)(uintptr_t)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(ends[0]);
    while (!code && waitpid(child, &result, 0) < 0 && errno == EINTR)
        ;
    close(ends[1]);
    if (code || (WIFEXITED(result) &&
                 WEXITSTATUS(result) / 2 == 63)) /* 126, 127: the shell could not start it */
        return -1;
    return WIFEXITED(result) ? WEXITSTATUS(result) : 1;
}

static int check_r(const char *program, hsel_error *error)
{
    const char *const words[] = {
        "--vanilla", "-e", "quit(status = if (requireNamespace('irace', quietly = TRUE)) 0 else 3)",
        NULL};
    int code = run_r(program, ".", "/dev/null", words);
    if (code == 0)
        return HSEL_OK;
    return hs_fail(error, HSEL_EUNSUPPORTED,
                   "%s: install R with the package irace (Debian: apt-get install r-cran-irace)",
                   code == 3 ? "R is there, but not its package irace" : "R is not there");
}

/* ---- what it left ---- */

/* A file of the folder, its lines with commas between. */
static int read_lines(const hs_tune_request *request, const char *name, hs_buf *out,
                      hsel_error *error)
{
    hs_buf path = {0};
    hs_reader *reader = NULL;
    char *line;
    size_t length;
    int more = 0;
    hs_buf_printf(&path, "%s/%s", request->folder, name);
    int status = path.failed ? hs_fail_memory(error) : hs_reader_open(path.text, &reader, error);
    while (status == HSEL_OK && (more = hs_reader_line(reader, &line, &length, error)) > 0)
        hs_buf_printf(out, "%s%s", out->length ? "," : "", line);
    if (status == HSEL_OK)
        status = more < 0 ? more : out->failed ? hs_fail_memory(error) : HSEL_OK;
    hs_reader_close(reader);
    hs_buf_clear(&path);
    return status;
}

/* The last line of irace.txt that says something. */
static void last_words(const hs_tune_request *request, char *out, size_t room)
{
    hs_buf path = {0};
    hs_reader *reader = NULL;
    char *line;
    size_t length;
    hsel_error unused;
    snprintf(out, room, "it said nothing");
    hs_buf_printf(&path, "%s/irace.txt", request->folder);
    if (!path.failed && hs_reader_open(path.text, &reader, &unused) == HSEL_OK)
        while (hs_reader_line(reader, &line, &length, &unused) > 0)
            if (length > 0 && strcmp(line, "Execution halted") != 0)
                snprintf(out, room, "%.180s", line);
    hs_reader_close(reader);
    hs_buf_clear(&path);
}

static int read_best(const hs_tune_request *request, hs_tuned *out, hsel_error *error)
{
    const char *selector = request->study->selectors[0].text;
    hs_buf text = {0}, given = {0}, mean = {0}, canonical = {0};
    hs_chosen chosen = {0};
    int status = read_lines(request, "best.txt", &given, error);
    if (status == HSEL_OK)
        status = read_lines(request, "mean.txt", &mean, error);
    if (status)
        goto out;
    if (given.length == 0) {
        status = hs_fail(error, HSEL_EFORMAT, "%s/best.txt names no option", request->folder);
        goto out;
    }
    hs_buf_printf(&text, "%s%s%s", selector, strchr(selector, ':') ? "," : ":", given.text);
    if (text.failed) {
        status = hs_fail_memory(error);
        goto out;
    }
    if (!mean.text || !hs_parse_double(mean.text, mean.length, &out->mean)) {
        status = hs_fail(error, HSEL_EFORMAT, "%s/mean.txt has no number", request->folder);
        goto out;
    }
    if ((status = hs_chosen_parse(HS_SELECTOR, text.text, &chosen, error)))
        goto out;
    hs_chosen_format(&chosen, &canonical);
    out->method = canonical.failed ? NULL : hs_strdup(canonical.text);
    if (!out->method)
        status = hs_fail_memory(error);
out:
    hs_chosen_clear(&chosen);
    hs_buf_clear(&text);
    hs_buf_clear(&given);
    hs_buf_clear(&mean);
    hs_buf_clear(&canonical);
    return status;
}

int hs_tune_run(const hs_tune_request *request, hs_tuned *out, hsel_error *error)
{
    static const char *const words[] = {"--vanilla", "run.R", NULL};
    char said[200];
    const char *program = request->rscript ? request->rscript : "Rscript";
    int status = check_r(program, error);
    if (status || (status = hs_tune_write(request, &out->instances, error)))
        return status;
    if (run_r(program, request->folder, "irace.txt", words) != 0) {
        last_words(request, said, sizeof said);
        return hs_fail(error, HSEL_EIO, "irace failed: %s (all of it in %s/irace.txt)", said,
                       request->folder);
    }
    return read_best(request, out, error);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel COMMAND [options] …: finds the command, runs it, turns failures into one line and an exit
 * code.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/help.h"

/* ---- temporary files do not outlive a Ctrl-C ---- */

#define WATCHED 16
static char watched[WATCHED][4096];

static void watch(const char *path, bool alive)
{
    for (int i = 0; i < WATCHED; i++) {
        if (alive && watched[i][0] == '\0' && strlen(path) < sizeof watched[i]) {
            strcpy(watched[i], path);
            return;
        }
        if (!alive && strcmp(watched[i], path) == 0)
            watched[i][0] = '\0';
    }
}

static void on_signal(int number)
{
    for (int i = 0; i < WATCHED; i++)
        if (watched[i][0])
            unlink(watched[i]);
    signal(number, SIG_DFL);
    raise(number);
}

static void set_up_signals(void)
{
    hs_writer_watch(watch);
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    signal(SIGHUP, on_signal);
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is a write error like any other */
}

/* ---- closed descriptors ---- */

/* The next file opened would take the place of a stream that was closed, and what is printed would
 * go into it. The other way round, so that using the stream is an error as it was. */
static void fill_streams(void)
{
    for (int stream = 0; stream <= 2; stream++)
        if (fcntl(stream, F_GETFD) < 0)
            (void)!open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
}

/* ---- running ---- */

int hs_exit_code(int status) { return status == HSEL_OK ? 0 : status == HSEL_EUSAGE ? 2 : 1; }

static int report(int status, const hsel_error *error)
{
    if (status)
        fprintf(stderr, "hsel: %s\n", error->message[0] ? error->message : "failed");
    return hs_exit_code(status);
}

static int unknown_command(const char *name, hsel_error *error)
{
    const char *words[64];
    for (size_t i = 0; i < hs_command_count(); i++)
        words[i] = hs_command_at(i)->name;
    int nearest = hs_nearest(name, words, hs_command_count());
    if (nearest >= 0)
        return hs_fail(error, HSEL_EUSAGE, "there is no command '%.80s'; did you mean '%s'?", name,
                       words[nearest]);
    return hs_fail(error, HSEL_EUSAGE, "there is no command '%.80s'; see hsel help", name);
}

static int run_command(const hs_command *command, int argc, char **argv, hsel_error *error)
{
    hs_arena arena = {0};
    struct hs_claim *claims = NULL;
    hs_call call = {.arena = &arena, .claims = &claims};
    bool wants_help;
    int status = hs_parse_call(command, argc, argv, &call, &wants_help, error);
    if (status == HSEL_OK)
        status = wants_help ? hs_print_command_help(command, error) : command->run(&call, error);
    hs_arena_clear(&arena);
    return status;
}

int main(int argc, char **argv)
{
    hsel_error error = {0};
    fill_streams();
    set_up_signals();
    if (argc < 2)
        return report(hs_print_overview(&error), &error);
    const char *name = argv[1];
    if (strcmp(name, "-h") == 0 || strcmp(name, "--help") == 0)
        name = "help";
    if (strcmp(name, "-V") == 0 || strcmp(name, "--version") == 0)
        name = "version";
    const hs_command *command = hs_command_find(name);
    if (!command)
        return report(unknown_command(name, &error), &error);
    return report(run_command(command, argc - 2, argv + 2, &error), &error);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running another program by posix_spawn.
 */
#define _GNU_SOURCE /* posix_spawn_file_actions_addchdir_np, memfd_create, pipe2 */
#include "core/program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/core.h"

extern char **environ;

static void close_end(int *end)
{
    if (*end >= 0)
        close(*end);
    *end = -1;
}

/* Creates an unnamed file with this text (NULL: empty); -1: failure. */
static int open_nameless(const hs_buf *text)
{
    int file = memfd_create("program", MFD_CLOEXEC);
    if (file >= 0 && text && pwrite(file, text->text, text->length, 0) != (ssize_t)text->length)
        close_end(&file);
    return file;
}

/* A descriptor of the child, from one of ours, or from nothing. */
static int give_descriptor(posix_spawn_file_actions_t *actions, int from, int to)
{
    return from < 0 ? posix_spawn_file_actions_addopen(actions, to, "/dev/null", O_RDWR, 0)
                    : posix_spawn_file_actions_adddup2(actions, from, to);
}

static bool start_program(const hs_program *program, const int ends[3], pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int code = posix_spawn_file_actions_init(&actions) | posix_spawnattr_init(&attributes);
    for (int i = 0; i < 3 && !code; i++)
        code = give_descriptor(&actions, ends[i], i);
    if (!code && program->folder)
        code = posix_spawn_file_actions_addchdir_np(&actions, program->folder);
    if (!code && program->goes_on)
        code = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    if (!code)
        code = posix_spawnp(child, program->arguments[0], &actions, &attributes,
                            (char *const *)program->arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return code == 0;
}

/* Waits for the program and returns its exit status. `held`: its input ends when this is closed;
 * -1: it has none. */
static int wait_for(const hs_program *program, pid_t child, int *held)
{
    int result = 0;
    for (pid_t ended = 0; ended == 0 || (ended < 0 && errno == EINTR);) {
        ended = waitpid(child, &result, *held >= 0 ? WNOHANG : 0);
        if (ended == 0 && program->goes_on(program->context))
            nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
        else if (ended == 0)
            close_end(held);
    }
    return WIFEXITED(result) ? WEXITSTATUS(result) : 1;
}

bool hs_program_run(hs_program *program)
{
    int held[2] = {-1, -1};
    pid_t child;
    char *said = program->said, bytes[1 << 14];
    ssize_t got;
    program->missing = true;
    program->status = 1;
    said[0] = '\0';
    if (program->goes_on && pipe2(held, O_CLOEXEC) != 0)
        return false;
    HS_OWNS(close_end) int ours = held[1];
    HS_OWNS(close_end) int input = program->input ? open_nameless(program->input) : held[0];
    HS_OWNS(close_end) int output = program->output ? open_nameless(NULL) : -1;
    HS_OWNS(close_end) int words = open_nameless(NULL);
    if (words < 0 || (program->input && input < 0) || (program->output && output < 0) ||
        !start_program(program, (int[]){input, output, words}, &child))
        return false;
    close_end(&input);
    program->missing = false;
    program->status = wait_for(program, child, &ours);
    for (off_t at = 0; program->output && (got = pread(output, bytes, sizeof bytes, at)) > 0;
         at += got)
        hs_buf_add(program->output, bytes, (size_t)got);
    got = pread(words, said, sizeof program->said - 1, 0);
    said[got > 0 ? got : 0] = '\0';
    size_t blank = strspn(said, " \t\r\n");
    memmove(said, said + blank, strlen(said + blank) + 1);
    said[strcspn(said, "\r\n")] = '\0';
    return program->status == 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running another program by posix_spawn.
 */
#define _GNU_SOURCE /* posix_spawn_file_actions_addchdir_np, memfd_create */
#include "core/program.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* A descriptor of the child, from one of ours, or from nothing. */
static int give(posix_spawn_file_actions_t *actions, int from, int to)
{
    return from < 0 ? posix_spawn_file_actions_addopen(actions, to, "/dev/null", O_RDWR, 0)
                    : posix_spawn_file_actions_adddup2(actions, from, to);
}

bool hs_program_run(hs_program *program)
{
    int words = memfd_create("words", MFD_CLOEXEC), result = 0;
    posix_spawn_file_actions_t actions;
    pid_t child;
    program->said[0] = '\0';
    program->missing = true;
    if (words < 0)
        return false;
    int code = posix_spawn_file_actions_init(&actions);
    bool made = !code;
    if (!code)
        code = give(&actions, program->input, 0);
    if (!code)
        code = give(&actions, program->output, 1);
    if (!code)
        code = give(&actions, words, 2);
    if (!code && program->folder)
        code = posix_spawn_file_actions_addchdir_np(&actions, program->folder);
    if (!code)
        code = posix_spawnp(&child, program->arguments[0], &actions, NULL,
                            (char *const *)program->arguments, environ);
    if (made)
        posix_spawn_file_actions_destroy(&actions);
    program->missing = code != 0;
    if (!code) {
        while (waitpid(child, &result, 0) < 0 && errno == EINTR)
            ;
        char *said = program->said;
        ssize_t got = pread(words, said, sizeof program->said - 1, 0);
        said[got > 0 ? got : 0] = '\0';
        size_t blank = strspn(said, " \t\r\n");
        memmove(said, said + blank, strlen(said + blank) + 1);
        said[strcspn(said, "\r\n")] = '\0';
    }
    close(words);
    return !code && !result;
}

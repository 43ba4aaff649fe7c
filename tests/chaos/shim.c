/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loaded before the C library: counts the calls that change files, and at number CHAOS_AT kills the
 * process (CHAOS_DO=kill) or lets every write from then on fail as on a full disk (CHAOS_DO=full).
 * CHAOS_CALLS is a file for a letter of each call (w, r, u, f), written at the end.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static long calls;
static char letters[1 << 16];

/* Is the disk full by now? Does not return if it is time to die. */
static int count(char letter)
{
    const char *at = getenv("CHAOS_AT"), *what = getenv("CHAOS_DO");
    if (calls + 1 < (long)sizeof letters)
        letters[calls] = letter;
    calls++;
    if (!at || !what || calls < atol(at))
        return 0;
    if (strcmp(what, "kill") == 0)
        raise(SIGKILL);
    return 1;
}

__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("CHAOS_CALLS");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fputs(letters, file);
        fclose(file);
    }
}

ssize_t write(int descriptor, const void *bytes, size_t length)
{
    ssize_t (*real)(int, const void *, size_t);
    *(void **)&real = dlsym(RTLD_NEXT, "write");
    if (descriptor > 2 && count('w')) {
        errno = ENOSPC;
        return -1;
    }
    return real(descriptor, bytes, length);
}

int rename(const char *from, const char *to)
{
    int (*real)(const char *, const char *);
    *(void **)&real = dlsym(RTLD_NEXT, "rename");
    count('r');
    return real(from, to);
}

int unlink(const char *path)
{
    int (*real)(const char *);
    *(void **)&real = dlsym(RTLD_NEXT, "unlink");
    count('u');
    return real(path);
}

int fsync(int descriptor)
{
    int (*real)(int);
    *(void **)&real = dlsym(RTLD_NEXT, "fsync");
    if (count('f')) {
        errno = ENOSPC;
        return -1;
    }
    return real(descriptor);
}

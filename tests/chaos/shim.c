/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loaded before the C library: counts the calls that change files, and at number CHAOS_AT kills the
 * process (CHAOS_DO=kill) or lets every write from then on fail as on a full disk (CHAOS_DO=full).
 * CHAOS_SLOW is how many milliseconds each of them takes longer.
 * CHAOS_CALLS is a file for a letter of each call (w, r, u, f), written at the end.
 *
 * CHAOS_FS is what the file system lacks, by letters: m memory shared between processes, s the same
 * of SQLite's file (-shm) alone, l locks; n: it says that it is NFS.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/vfs.h>
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
    if (getenv("CHAOS_SLOW"))
        usleep((useconds_t)(1000 * atol(getenv("CHAOS_SLOW"))));
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

/* ---- SQLite's ---- */

int fdatasync(int descriptor)
{
    int (*real)(int);
    *(void **)&real = dlsym(RTLD_NEXT, "fdatasync");
    if (count('f')) {
        errno = ENOSPC;
        return -1;
    }
    return real(descriptor);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off_t at)
{
    ssize_t (*real)(int, const void *, size_t, off_t);
    *(void **)&real = dlsym(RTLD_NEXT, "pwrite64");
    if (count('w')) {
        errno = ENOSPC;
        return -1;
    }
    return real(descriptor, bytes, length, at);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t at)
{
    return pwrite64(descriptor, bytes, length, at);
}

/* ---- what a file system lacks ---- */

static int lacks(char letter)
{
    const char *letters_of_it = getenv("CHAOS_FS");
    return letters_of_it && strchr(letters_of_it, letter);
}

static int is_shared_index(int descriptor)
{
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path);
    return length > 4 && memcmp(path + length - 4, "-shm", 4) == 0;
}

void *mmap(void *place, size_t length, int protection, int flags, int descriptor, off_t at)
{
    void *(*real)(void *, size_t, int, int, int, off_t);
    *(void **)&real = dlsym(RTLD_NEXT, "mmap");
    if (descriptor >= 0 && (flags & MAP_SHARED) &&
        (lacks('m') || (lacks('s') && is_shared_index(descriptor)))) {
        errno = ENODEV;
        return MAP_FAILED;
    }
    return real(place, length, protection, flags, descriptor, at);
}

void *mmap64(void *place, size_t length, int protection, int flags, int descriptor, off_t at)
{
    return mmap(place, length, protection, flags, descriptor, at);
}

int flock(int descriptor, int operation)
{
    int (*real)(int, int);
    *(void **)&real = dlsym(RTLD_NEXT, "flock");
    if (lacks('l')) {
        errno = ENOSYS;
        return -1;
    }
    return real(descriptor, operation);
}

int fcntl(int descriptor, int command, ...)
{
    int (*real)(int, int, ...);
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    *(void **)&real = dlsym(RTLD_NEXT, "fcntl64");
    if ((command == F_SETLK || command == F_SETLKW || command == F_GETLK) && lacks('l')) {
        errno = ENOSYS;
        return -1;
    }
    return real(descriptor, command, argument);
}

int fcntl64(int descriptor, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    return fcntl(descriptor, command, argument);
}

int fstatfs(int descriptor, struct statfs *about)
{
    int (*real)(int, struct statfs *);
    *(void **)&real = dlsym(RTLD_NEXT, "fstatfs");
    int status = real(descriptor, about);
    if (lacks('n'))
        about->f_type = 0x6969;
    return status;
}

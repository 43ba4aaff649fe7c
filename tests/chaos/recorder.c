/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loaded before the C library: records what is done to files below CHAOS_ROOT into CHAOS_LOG, so
 * that any moment can be replayed as a power cut would leave it (stores.py). A record is a line,
 * "KIND FILE OFFSET LENGTH NAME", and LENGTH bytes: o open (NAME; LENGTH 0), w write, t truncate to
 * OFFSET, s sync, r rename (NAME to the LENGTH bytes), u unlink. FILE is the inode, which is not
 * used again while the file is open.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int out = -1;

#define REAL(name) (*(void **)&real = dlsym(RTLD_NEXT, name))

static void put(const void *bytes, size_t length)
{
    const char *at = bytes;
    while (length) {
        long done = syscall(SYS_write, out, at, length);
        if (done <= 0)
            abort();
        at += done;
        length -= (size_t)done;
    }
}

static void record(char kind, unsigned long long file, long long offset, size_t length,
                   const char *name, const void *bytes)
{
    char line[5000];
    int size = snprintf(line, sizeof line, "%c %llu %lld %zu %s\n", kind, file, offset, length, name);
    pthread_mutex_lock(&lock);
    if (out < 0)
        out = (int)syscall(SYS_openat, AT_FDCWD, getenv("CHAOS_LOG"),
                           O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    put(line, (size_t)size);
    put(bytes, length);
    pthread_mutex_unlock(&lock);
}

/* The path below the root; NULL: it is elsewhere. */
static const char *below(const char *path, char *room)
{
    const char *root = getenv("CHAOS_ROOT");
    if (path[0] == '/')
        snprintf(room, 4096, "%s", path);
    else {
        char here[2048];
        snprintf(room, 4096, "%s/%s", getcwd(here, sizeof here) ? here : "", path);
    }
    size_t length = root ? strlen(root) : 0;
    if (!length || strncmp(room, root, length) != 0)
        return NULL;
    for (room += length; *room == '/' || (room[0] == '.' && room[1] == '/');)
        room++;
    return room;
}

static unsigned long long inode(int descriptor, int *kept)
{
    char link[64], path[4096], room[4096];
    struct stat about;
    *kept = 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0 || fstat(descriptor, &about) != 0)
        return 0;
    path[length] = '\0';
    *kept = path[0] == '/' && below(path, room) != NULL;
    return about.st_ino;
}

static int opened(int descriptor, const char *path, int flags)
{
    char room[4096];
    const char *name = below(path, room);
    struct stat about;
    if (descriptor >= 0 && name && fstat(descriptor, &about) == 0) {
        record(S_ISDIR(about.st_mode) ? 'd' : 'o', about.st_ino, 0, 0, name, "");
        if (flags & O_TRUNC)
            record('t', about.st_ino, 0, 0, "", "");
    }
    return descriptor;
}

int open(const char *path, int flags, ...)
{
    int (*real)(const char *, int, ...);
    va_list arguments;
    va_start(arguments, flags);
    unsigned mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    REAL("open64");
    return opened(real(path, flags, mode), path, flags);
}

int open64(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    unsigned mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    return open(path, flags, mode);
}

ssize_t write(int descriptor, const void *bytes, size_t length)
{
    ssize_t (*real)(int, const void *, size_t);
    int kept;
    unsigned long long file = inode(descriptor, &kept);
    off_t at = kept ? lseek(descriptor, 0, SEEK_CUR) : 0;
    REAL("write");
    ssize_t done = real(descriptor, bytes, length);
    if (kept && done > 0)
        record('w', file, at, (size_t)done, "", bytes);
    return done;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off_t at)
{
    ssize_t (*real)(int, const void *, size_t, off_t);
    int kept;
    unsigned long long file = inode(descriptor, &kept);
    REAL("pwrite64");
    ssize_t done = real(descriptor, bytes, length, at);
    if (kept && done > 0)
        record('w', file, at, (size_t)done, "", bytes);
    return done;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t at)
{
    return pwrite64(descriptor, bytes, length, at);
}

int ftruncate64(int descriptor, off_t length)
{
    int (*real)(int, off_t);
    int kept;
    unsigned long long file = inode(descriptor, &kept);
    REAL("ftruncate64");
    int status = real(descriptor, length);
    if (kept && status == 0)
        record('t', file, length, 0, "", "");
    return status;
}

int ftruncate(int descriptor, off_t length) { return ftruncate64(descriptor, length); }

static int synced(const char *name, int descriptor)
{
    int (*real)(int);
    int kept;
    unsigned long long file = inode(descriptor, &kept);
    REAL(name);
    int status = real(descriptor);
    if (kept && status == 0)
        record('s', file, 0, 0, "", "");
    return status;
}

int fsync(int descriptor) { return synced("fsync", descriptor); }
int fdatasync(int descriptor) { return synced("fdatasync", descriptor); }

int rename(const char *from, const char *to)
{
    int (*real)(const char *, const char *);
    char room[4096], other[4096];
    const char *a = below(from, room), *b = below(to, other);
    REAL("rename");
    int status = real(from, to);
    if (status == 0 && a && b)
        record('r', 0, 0, strlen(b), a, b);
    return status;
}

int unlink(const char *path)
{
    int (*real)(const char *);
    char room[4096];
    const char *name = below(path, room);
    REAL("unlink");
    int status = real(path);
    if (status == 0 && name)
        record('u', 0, 0, 0, name, "");
    return status;
}

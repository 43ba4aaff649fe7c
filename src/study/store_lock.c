/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lock of the one writer: flock on a file of its own beside the store, which says who has it.
 * It goes with the process, however that ends. Not on the store itself, because closing any
 * descriptor of a database file would drop SQLite's own locks on it. The file is removed with the
 * lock; whoever waited for it then holds a file without name, and tries again.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/mem.h"
#include "core/text.h"
#include "study/store_parts.h"

static int fail_taken(const hs_store *store, hsel_error *error)
{
    char who[128] = "";
    ssize_t got = pread(store->lock, who, sizeof who - 1, 0);
    who[got > 0 ? strcspn(who, "\n") : 0] = '\0';
    return hs_fail_at(error, HSEL_EIO, store->path, 0,
                      "%s is writing to this store; wait for it with --wait, or stop it",
                      who[0] ? who : "another process");
}

/* Never written to: a link to another file, or a file that something else made. */
static int check_ours(const hs_store *store, hsel_error *error)
{
    struct stat mine;
    char text[8] = "";
    if (fstat(store->lock, &mine) != 0)
        return hs_fail_errno(error, store->lock_path, "look at");
    ssize_t got = pread(store->lock, text, sizeof text, 0);
    if (S_ISREG(mine.st_mode) && mine.st_nlink <= 1 &&
        (got == 0 || (got == sizeof text && memcmp(text, "process ", sizeof text) == 0)))
        return HSEL_OK;
    return hs_fail_at(error, HSEL_EIO, store->lock_path, 0,
                      "this is not a lock of hsel: remove it, or name another store");
}

static bool still_there(const hs_store *store)
{
    struct stat mine, there;
    return fstat(store->lock, &mine) == 0 && stat(store->lock_path, &there) == 0 &&
           mine.st_ino == there.st_ino && mine.st_dev == there.st_dev;
}

static void sign(const hs_store *store)
{
    char host[64] = "", text[128];
    if (gethostname(host, sizeof host - 1) != 0)
        strcpy(host, "this machine");
    int length = snprintf(text, sizeof text, "process %ld on %s\n", (long)getpid(), host);
    /* Only for the message that another writer gets: without it there is still the lock. */
    if (ftruncate(store->lock, 0) != 0 || pwrite(store->lock, text, (size_t)length, 0) != length)
        errno = 0;
}

static int try_lock(hs_store *store, bool wait, hsel_error *error)
{
    store->lock = open(store->lock_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (store->lock < 0 && errno == ELOOP)
        return hs_fail_at(error, HSEL_EIO, store->lock_path, 0,
                          "this is a symbolic link, not a lock of hsel: remove it, or name another "
                          "store");
    if (store->lock < 0)
        return hs_fail_errno(error, store->path, "lock the store");
    if (flock(store->lock, wait ? LOCK_EX : LOCK_EX | LOCK_NB) == 0)
        return HSEL_OK;
    if (errno == EINTR)
        return hs_fail(error, HSEL_ECANCELLED, "stopped");
    return errno == EWOULDBLOCK ? fail_taken(store, error)
                                : hs_fail_errno(error, store->path, "lock the store");
}

static void drop(hs_store *store)
{
    if (store->lock >= 0)
        close(store->lock);
    store->lock = -1;
}

int hs_store_lock(hs_store *store, bool wait, hsel_error *error)
{
    hs_buf path = {0};
    hs_buf_printf(&path, "%s-lock", store->path);
    if (path.failed)
        return hs_fail_memory(error);
    store->lock_path = path.text;
    for (;;) {
        int status = try_lock(store, wait, error);
        if (status) {
            drop(store);
            return status;
        }
        if (still_there(store))
            break;
        drop(store);
    }
    int status = check_ours(store, error);
    if (status)
        drop(store);
    else
        sign(store);
    return status;
}

void hs_store_unlock(hs_store *store)
{
    if (store->lock >= 0)
        unlink(store->lock_path);
    drop(store);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one writer of a store, on one machine and among several.
 *
 * flock on its own file beside the store, which says who has it. It goes with the process, however
 * that ends. Not on the store itself, because closing any descriptor of a database file would drop
 * SQLite's own locks on it. The file is removed with the lock; whoever waited for it then holds a
 * file without name, and tries again.
 *
 * Where other machines may write to the same files (`remote`), locks may be missing or hold on one
 * machine only. There what the file says counts as well: process, when it started, machine. A
 * process of this machine is looked for; one of another machine is alive as long as the time of the
 * file moves on (`beat`), and gone when it stands and a person says so. Who was taken for gone and
 * is not finds another's name in the file, and writes no more.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "study/store_parts.h"

#define BEAT_SECONDS        10
#define SILENT_SECONDS      60 /* who is silent for longer may be gone */
#define SETTLE_MILLISECONDS 250

/* ---- the file system ---- */

/* Whether the file system is one that several machines may write to, or that a program serves. */
static bool is_network(int file)
{
    static const uint32_t known[] = {
        0x6969 /* NFS */,        0x517b /* SMB */,        0xff534d42 /* CIFS */,
        0xfe534d42 /* SMB 2 */,  0x0bd00bd0 /* Lustre */, 0x47504653 /* GPFS */,
        0x19830326 /* BeeGFS */, 0x00c36400 /* Ceph */,   0x01021997 /* 9p */,
        0x65735546 /* FUSE */,   0x5346414f /* AFS */,    0x6b414653 /* kAFS */,
        0x73757245 /* Coda */,   0x7461636f /* OCFS2 */,  0x01161970 /* GFS2 */,
        0xaad7aaea /* PanFS */,  0x20030528 /* Orange */, 0x786f4256 /* VirtualBox */};
    struct statfs about;
    if (fstatfs(file, &about) != 0)
        return false;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if ((uint32_t)about.f_type == known[i])
            return true;
    return false;
}

static bool no_locks(int code)
{
    return code == ENOLCK || code == ENOSYS || code == EOPNOTSUPP || code == EINVAL;
}

/* Tests whether locks as SQLite takes them, and shared memory, work here. */
static void try_out(hs_store *store)
{
    struct flock range = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
    store->lockless = fcntl(store->lock, F_SETLK, &range) != 0 && no_locks(errno);
    range.l_type = F_UNLCK;
    if (!store->lockless)
        fcntl(store->lock, F_SETLK, &range);
    void *shared = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, store->lock, 0);
    if (shared != MAP_FAILED)
        munmap(shared, 1);
    store->remote = store->remote || store->lockless || shared == MAP_FAILED;
}

/* ---- who ---- */

struct holder {
    long process;
    unsigned long long started; /* in ticks since the machine started; 0: unknown */
    char host[65];
    char boot[65]; /* identifies the start of the machine; its name if unknown */
};

static unsigned long long start_of(long process)
{
    char path[64], text[1024];
    unsigned long long ticks = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", process);
    FILE *file = fopen(path, "r");
    size_t got = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[got] = '\0';
    const char *at = strrchr(text, ')'); /* a name may hold anything */
    for (int field = 2; at && field < 22; field++)
        at = strchr(at + 1, ' ');
    return at && sscanf(at, "%llu", &ticks) == 1 ? ticks : 0;
}

static struct holder myself(void)
{
    struct holder me = {.process = (long)getpid()};
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (gethostname(me.host, sizeof me.host - 1) != 0 || !me.host[0] || strpbrk(me.host, " \n"))
        strcpy(me.host, "localhost");
    if (!file || fscanf(file, "%64s", me.boot) != 1)
        strcpy(me.boot, me.host);
    if (file)
        fclose(file);
    me.started = start_of(me.process);
    return me;
}

static void write_record(const struct holder *me, char *out, size_t room)
{
    snprintf(out, room, "process %ld on %s\nstarted %llu machine %s\n", me->process, me->host,
             me->started, me->boot);
}

/* Reads the record into text[HS_RECORD_ROOM]; opens the file by name, since another machine may
 * have replaced it. */
static bool read_record(const char *path, char *text, struct holder *out, time_t *beat)
{
    struct stat about = {0};
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    ssize_t got = file < 0 ? -1 : pread(file, text, HS_RECORD_ROOM - 1, 0);
    if (file >= 0 && fstat(file, &about) != 0)
        got = -1;
    if (file >= 0)
        close(file);
    text[got > 0 ? got : 0] = '\0';
    *beat = about.st_mtime;
    *out = (struct holder){0};
    return sscanf(text, "process %ld on %64s started %llu machine %64s", &out->process, out->host,
                  &out->started, out->boot) >= 2;
}

/* Seconds since the file was touched, by the clock of the file system if possible. */
static double silence(const char *path, time_t beat)
{
    char name[4096];
    struct stat about;
    time_t now = time(NULL);
    int length = snprintf(name, sizeof name, "%s-%ld", path, (long)getpid());
    int file =
        length < (int)sizeof name ? open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
    if (file >= 0) {
        if (futimens(file, NULL) == 0 && fstat(file, &about) == 0)
            now = about.st_mtime;
        close(file);
        unlink(name);
    }
    return now > beat ? (double)(now - beat) : 0;
}

enum presence { GONE, SILENT, THERE };

/* Whether the holder is there; text[HS_RECORD_ROOM] names it. `flocked`: we hold the lock, so no
 * other process of this machine does. */
static enum presence presence_of(const char *path, bool remote, bool flocked, char *text)
{
    struct holder who, me = myself();
    time_t beat;
    const bool known = read_record(path, text, &who, &beat);
    text[strcspn(text, "\n")] = '\0';
    if (!known)
        return GONE;
    bool here = strcmp(who.boot, me.boot) == 0;
    if (!remote && (flocked || !here)) /* the machine was started again since */
        return GONE;
    if (here) {
        unsigned long long started = flocked ? 0 : start_of(who.process);
        return started && started == who.started ? THERE : GONE;
    }
    return silence(path, beat) > SILENT_SECONDS ? SILENT : THERE;
}

/* The same lock for every symbolic link to the store. */
static void name_lock(const char *path, hs_buf *out)
{
    char *real = realpath(path, NULL);
    hs_buf_printf(out, "%s-lock", real ? real : path);
    free(real);
}

bool hs_store_holder(const char *path, char *out, size_t room)
{
    char text[HS_RECORD_ROOM];
    HS_OWNS(hs_buf_clear) hs_buf name = {0};
    name_lock(path, &name);
    int file = name.failed ? -1 : open(name.text, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    bool there = file >= 0 && presence_of(name.text, is_network(file), false, text) == THERE;
    if (file >= 0)
        close(file);
    if (there)
        snprintf(out, room, "%s", text);
    return there;
}

/* ---- staying ---- */

static bool still_ours(const hs_store *store)
{
    char text[HS_RECORD_ROOM];
    struct holder who;
    time_t beat;
    return read_record(store->lock_path, text, &who, &beat) && strcmp(text, store->record) == 0;
}

/* With the lock of the beat. */
static void beat(hs_store *store)
{
    store->beat_at = hs_now();
    store->lost = store->lost || !still_ours(store);
    if (!store->lost)
        futimens(store->lock, NULL);
}

static void *keep_beating(void *context)
{
    hs_store *store = context;
    pthread_mutex_lock(&store->beat_lock);
    while (!store->beat_stop) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_sec += BEAT_SECONDS;
        if (pthread_cond_timedwait(&store->beat_wake, &store->beat_lock, &until) == ETIMEDOUT)
            beat(store);
    }
    pthread_mutex_unlock(&store->beat_lock);
    return NULL;
}

static int start_beating(hs_store *store, hsel_error *error)
{
    pthread_condattr_t monotonic;
    sigset_t all, before;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&store->beat_wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&store->beat_lock, NULL);
    store->beat_at = hs_now();
    sigfillset(&all); /* signals are for those who work */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    store->beating = pthread_create(&store->beater, NULL, keep_beating, store) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return store->beating ? HSEL_OK
                          : hs_fail_at(error, HSEL_EIO, store->path, 0,
                                       "the store cannot be locked: no thread is available");
}

int hs_store_held(hs_store *store, hsel_error *error)
{
    if (!store->beating)
        return HSEL_OK;
    pthread_mutex_lock(&store->beat_lock);
    if (hs_now() - store->beat_at > BEAT_SECONDS) /* this process stood still */
        beat(store);
    bool lost = store->lost;
    pthread_mutex_unlock(&store->beat_lock);
    return lost ? hs_fail_at(error, HSEL_EIO, store->path, 0,
                             "another process has taken over this store: nothing more is written; "
                             "earlier results are kept")
                : HSEL_OK;
}

/* ---- taking and leaving ---- */

static void drop(hs_store *store)
{
    if (store->lock >= 0)
        close(store->lock);
    store->lock = -1;
}

static int pause_for(long milliseconds, hsel_error *error)
{
    struct timespec pause = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    return nanosleep(&pause, NULL) == 0 ? HSEL_OK : hs_fail(error, HSEL_ECANCELLED, "stopped");
}

static int refuse(const hs_store *store, enum presence presence, const char *who, hsel_error *error)
{
    if (presence == SILENT)
        return hs_fail_at(error, HSEL_EIO, store->path, 0,
                          "%s was writing to this store but has shown no activity for more than %d "
                          "seconds; if it has ended, give {take-over}",
                          who, SILENT_SECONDS);
    return hs_fail_at(error, HSEL_EIO, store->path, 0,
                      "%s is writing to this store; wait for it with {wait}, or stop it",
                      who[0] ? who : "another process");
}

/* One attempt; try again unless *got. */
static int try_lock(hs_store *store, unsigned patience, bool *got, hsel_error *error)
{
    const char *path = store->lock_path;
    struct stat mine, there;
    char text[HS_RECORD_ROOM] = "", head[8];
    bool wait = patience & HS_STORE_WAIT, flocked = true;
    store->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (store->lock < 0 && errno == ELOOP)
        return hs_fail_at(
            error, HSEL_EIO, path, 0,
            "this is a symbolic link, not a lock of hsel: remove it, or give another store");
    if (store->lock < 0)
        return hs_fail_errno(error, store->path, "lock the store");
    store->remote = is_network(store->lock);
    if (flock(store->lock, wait ? LOCK_EX : LOCK_EX | LOCK_NB) != 0) {
        int code = errno;
        if (code == EINTR)
            return hs_fail(error, HSEL_ECANCELLED, "stopped");
        if (code == EWOULDBLOCK) {
            presence_of(path, false, false, text);
            return refuse(store, THERE, text, error);
        }
        if (!no_locks(code))
            return hs_fail_errno(error, store->path, "lock the store");
        flocked = false;
        store->remote = true;
    }
    if (fstat(store->lock, &mine) != 0 || stat(path, &there) != 0 || mine.st_ino != there.st_ino ||
        mine.st_dev != there.st_dev)
        return HSEL_OK;
    /* Do not overwrite a link to another file, or a file that another program made. */
    ssize_t length = pread(store->lock, head, sizeof head, 0);
    if (!S_ISREG(mine.st_mode) || mine.st_nlink > 1 ||
        (length != 0 && (length != sizeof head || memcmp(head, "process ", sizeof head) != 0)))
        return hs_fail_at(error, HSEL_EIO, path, 0,
                          "this is not a lock of hsel: remove it, or give another store");
    try_out(store);
    enum presence presence = presence_of(path, store->remote, flocked, text);
    if (presence == THERE || (presence == SILENT && !(patience & HS_STORE_TAKE_OVER)))
        return wait ? pause_for(1000, error) : refuse(store, presence, text, error);
    if (store->remote &&
        length > 0) { /* make a new file, so that a holder that is still running notices */
        unlink(path);
        return HSEL_OK;
    }
    struct holder me = myself();
    write_record(&me, store->record, sizeof store->record);
    size_t said = strlen(store->record);
    if ((ftruncate(store->lock, 0) != 0 ||
         pwrite(store->lock, store->record, said, 0) != (ssize_t)said) &&
        store->remote)
        return hs_fail_errno(error, store->path, "lock the store");
    if (store->remote) { /* another process may have written its record at the same time */
        HS_TRY(pause_for(SETTLE_MILLISECONDS, error));
        if (!still_ours(store))
            return HSEL_OK;
    }
    *got = true;
    return HSEL_OK;
}

int hs_store_lock(hs_store *store, unsigned patience, hsel_error *error)
{
    hs_buf path = {0};
    bool got = false;
    name_lock(store->path, &path);
    HS_NEED(!path.failed);
    store->lock_path = path.text;
    while (!got) {
        int status = try_lock(store, patience, &got, error);
        if (status || !got)
            drop(store); /* without removing what is another's */
        HS_TRY(status);
    }
    return store->remote ? start_beating(store, error) : HSEL_OK;
}

void hs_store_unlock(hs_store *store)
{
    if (store->beating) {
        pthread_mutex_lock(&store->beat_lock);
        store->beat_stop = true;
        pthread_cond_signal(&store->beat_wake);
        pthread_mutex_unlock(&store->beat_lock);
        pthread_join(store->beater, NULL);
        pthread_cond_destroy(&store->beat_wake);
        pthread_mutex_destroy(&store->beat_lock);
    }
    if (store->lock >= 0 && !store->lost && (!store->remote || still_ours(store)))
        unlink(store->lock_path);
    drop(store);
}

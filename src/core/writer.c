/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The writer: buffer -> deflate if .gz -> temporary file -> fsync -> rename. The first error is
 * kept; everything after it is swallowed and commit reports it.
 *
 * A temporary file is locked while its writer lives, so one that is not locked is left over from a
 * process that was killed: the next writer of the same name removes it.
 */
#define _GNU_SOURCE
#include "core/core.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_STATIC_LINKING_ONLY /* the state on the stack */
#include <xxhash.h>
#include <zlib.h>

#define ROOM        ((size_t)256 << 10)
#define PACKED_ROOM ((size_t)64 << 10)
#define FOLDER_ROOM 4096 /* no system takes longer ones */

struct hs_writer {
    char *path, *temporary; /* temporary NULL: written through (standard output, /dev/…) */
    int descriptor;         /* up to STDERR_FILENO: not to be closed */
    hs_buf *memory;         /* instead of a file */
    XXH3_state_t *sum;      /* instead of either */
    char *buffer;
    size_t used;
    uint64_t flushed;
    bool packed;
    z_stream stream;
    unsigned char *packed_buffer;
    bool for_people, csv_safe;
    int failed;             /* errno of the first failure, -1: out of memory */
    char *manifest_path;    /* path of the manifest of a set, in its first file */
    bool finished;          /* all of it is in the temporary file, on the disk */
    bool manifest, removed; /* the manifest of the set; no file, but one to remove on commit */
    hs_writer *next;        /* of the set */
};

static void (*watcher)(const char *path, bool alive);
static bool csv_safe; /* of new writers */
static atomic_bool csv_written;

void hs_writer_for_people(hs_writer *writer) { writer->for_people = true; }

void hs_writer_csv_safe(hs_writer *writer, bool safe)
{
    *(writer ? &writer->csv_safe : &csv_safe) = safe;
}

bool hs_writer_guards(const hs_writer *writer, const char *text, size_t length)
{
    csv_written = true;
    return writer->csv_safe && hs_is_formula(text, length);
}

bool hs_csv_was_written(void) { return csv_written; }

void hs_writer_watch(void (*watch)(const char *path, bool alive)) { watcher = watch; }

static void tell_watcher(const hs_writer *writer, bool alive)
{
    if (watcher && writer->temporary)
        watcher(writer->temporary, alive);
}

/* Left over from a process that has ended, since the lock is free. */
static void remove_stale(const char *path)
{
    struct stat held, named;
    int old = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (old < 0)
        return;
    if (flock(old, LOCK_EX | LOCK_NB) == 0 && fstat(old, &held) == 0 && lstat(path, &named) == 0 &&
        held.st_ino == named.st_ino && held.st_dev == named.st_dev)
        unlink(path);
    close(old);
}

/* Makes the temporary file with the mode that the process gives to new files:
 * "folder/.name.hsel-0", in the same folder, so that the rename cannot cross file systems. It is
 * locked, and not removed as stale before it was. A file system without locks is no reason to fail.
 */
static int open_temporary(hs_writer *writer, hsel_error *error)
{
    const char *path = writer->path, *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    HS_OWNS(hs_buf_clear) hs_buf name = {0};
    bool more = true;
    for (unsigned attempt = 0; more && attempt < 10000; attempt++) {
        struct stat held;
        name.length = 0;
        hs_buf_add(&name, path, folder);
        hs_buf_printf(&name, ".%s.hsel-%u", path + folder, attempt);
        HS_NEED(!name.failed);
        remove_stale(name.text);
        if (writer->temporary) { /* the others are only looked at, up to the first gap */
            more = access(name.text, F_OK) == 0;
            continue;
        }
        int made = open(name.text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        more = made >= 0 || errno == EEXIST;
        if (made < 0)
            continue;
        if ((flock(made, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) ||
            fstat(made, &held) != 0 || held.st_nlink == 0) {
            close(made);
            continue;
        }
        writer->descriptor = made;
        if (!(writer->temporary = hs_strdup(name.text))) {
            unlink(name.text);
            return hs_fail_memory(error);
        }
    }
    tell_watcher(writer, true);
    return writer->temporary ? HSEL_OK : hs_fail_errno(error, path, "create");
}

int hs_writer_open_memory(hs_buf *buffer, hs_writer **out, hsel_error *error)
{
    HS_OWNS(hs_writer_release) hs_writer *writer = HS_NEW_ZERO(hs_writer, 1);
    HS_NEED(writer && (writer->buffer = hs_alloc(ROOM, 1)));
    writer->csv_safe = csv_safe;
    writer->memory = buffer;
    *out = hs_take(&writer);
    return HSEL_OK;
}

int hs_writer_open_sum(hs_writer **out, hsel_error *error)
{
    HS_OWNS(hs_writer_release) hs_writer *writer = NULL;
    HS_TRY(hs_writer_open_memory(NULL, &writer, error));
    HS_NEED(writer->sum = hs_alloc_aligned(1, sizeof *writer->sum));
    XXH3_64bits_reset(writer->sum);
    *out = hs_take(&writer);
    return HSEL_OK;
}

int hs_writer_open(const char *path, hs_writer **out, hsel_error *error)
{
    struct stat about;
    bool is_output = strcmp(path, "-") == 0, there = !is_output && stat(path, &about) == 0;
    if (there && S_ISDIR(about.st_mode))
        return hs_fail_at(error, HSEL_EIO, path, 0, "is a folder, not a file");
    HS_OWNS(hs_writer_release) hs_writer *writer = NULL;
    HS_TRY(hs_writer_open_memory(NULL, &writer, error));
    HS_NEED(is_output || (writer->path = hs_strdup(path)));
    if (is_output) {
        writer->descriptor = STDOUT_FILENO;
        writer->for_people = isatty(STDOUT_FILENO);
    } else if (there && !S_ISREG(about.st_mode)) { /* a device or pipe is written through */
        writer->descriptor = open(path, O_WRONLY | O_CLOEXEC);
        if (writer->descriptor < 0)
            return hs_fail_errno(error, path, "write");
    } else { /* a plain file, new or old, is replaced as a whole */
        hs_buf manifest = {0};
        hs_buf_printf(&manifest, "%s" HS_MANIFEST, path);
        HS_NEED(!manifest.failed);
        writer->manifest_path = manifest.text;
        HS_TRY(open_temporary(writer, error));
        if (there) /* a file system without modes is no reason to fail */
            (void)!fchmod(writer->descriptor, about.st_mode & 0777);
    }
    if (!is_output && hs_ends_with(path, ".gz")) {
        HS_NEED(writer->packed_buffer = hs_alloc(PACKED_ROOM, 1));
        writer->stream = (z_stream){.zalloc = hs_alloc_zlib, .zfree = hs_free_zlib};
        writer->packed = deflateInit2(&writer->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16,
                                      8, Z_DEFAULT_STRATEGY) == Z_OK;
        HS_NEED(writer->packed);
    }
    *out = hs_take(&writer);
    return HSEL_OK;
}

/* ---- several files as one ---- */

static int join_set(hs_writer *writer, hs_writer *part)
{
    part->next = writer->next;
    writer->next = part;
    return HSEL_OK;
}

int hs_writer_open_part(hs_writer *writer, const char *path, hs_writer **out, hsel_error *error)
{
    HS_TRY(hs_writer_open(path, out, error));
    return join_set(writer, *out);
}

int hs_writer_open_manifest(hs_writer *writer, const char *path, hs_writer **out, hsel_error *error)
{
    HS_TRY(hs_writer_open_part(writer, path, out, error));
    (*out)->manifest = true;
    return HSEL_OK;
}

int hs_writer_remove(hs_writer *writer, const char *path, hsel_error *error)
{
    HS_OWNS(hs_writer_release) hs_writer *old = HS_NEW_ZERO(hs_writer, 1);
    HS_NEED(old && (old->path = hs_strdup(path)));
    old->removed = old->finished = true;
    return join_set(writer, hs_take(&old));
}

static void write_bytes(hs_writer *writer, const void *bytes, size_t length)
{
    const char *at = bytes;
    if (writer->sum) {
        XXH3_64bits_update(writer->sum, at, length);
        return;
    }
    if (writer->memory && !writer->failed) {
        hs_buf_add(writer->memory, at, length);
        writer->failed = writer->memory->failed ? -1 : 0;
        return;
    }
    while (length > 0 && !writer->failed) {
        ssize_t count = write(writer->descriptor, at, length);
        if (count < 0 && errno != EINTR)
            writer->failed = errno;
        if (count > 0) {
            at += count;
            length -= (size_t)count;
        }
    }
}

/* Packed, if the file is. */
static void pack_bytes(hs_writer *writer, const void *bytes, size_t length, int flush)
{
    z_stream *stream = &writer->stream;
    if (!writer->packed)
        write_bytes(writer, bytes, length);
    if (!writer->packed || writer->failed)
        return;
    stream->next_in = (unsigned char *)(uintptr_t)bytes;
    stream->avail_in = (unsigned)length;
    do {
        stream->next_out = writer->packed_buffer;
        stream->avail_out = PACKED_ROOM;
        if (deflate(stream, flush) == Z_STREAM_ERROR)
            writer->failed = -1;
        write_bytes(writer, writer->packed_buffer, PACKED_ROOM - stream->avail_out);
    } while (stream->avail_out == 0 && !writer->failed);
}

static void flush_buffer(hs_writer *writer)
{
    if (writer->used == 0)
        return;
    /* Text that begins with a byte order mark (e.g. in a name) gets another, since readers skip
     * one. */
    if (writer->flushed == 0 && writer->used >= 3 && !writer->sum &&
        memcmp(writer->buffer, "\xEF\xBB\xBF", 3) == 0)
        pack_bytes(writer, writer->buffer, 3, Z_NO_FLUSH);
    pack_bytes(writer, writer->buffer, writer->used, Z_NO_FLUSH);
    writer->flushed += writer->used;
    writer->used = 0;
}

void hs_writer_sum(hs_writer *writer, uint64_t *length, uint64_t *hash)
{
    flush_buffer(writer);
    *length = writer->flushed;
    *hash = XXH3_64bits_digest(writer->sum);
    writer->flushed = 0;
    XXH3_64bits_reset(writer->sum);
}

void hs_writer_flush(hs_writer *writer)
{
    if (writer->descriptor == STDOUT_FILENO && !writer->memory)
        flush_buffer(writer);
}

static void put_shown(hs_writer *writer, const char *text, size_t length)
{
    char shown[HS_SHOWN_ROOM];
    writer->for_people = false;
    for (size_t taken; length > 0; text += taken, length -= taken) {
        bool plain = *text == '\n' || *text == '\t' || (*text >= ' ' && *text < 0x7f);
        taken = 1;
        if (plain)
            hs_writer_char(writer, *text);
        else
            hs_writer_put(writer, shown, hs_show_character(text, length, shown, &taken));
    }
    writer->for_people = true;
}

void hs_writer_put(hs_writer *writer, const void *bytes, size_t length)
{
    const char *at = bytes;
    if (writer->for_people) {
        put_shown(writer, bytes, length);
        return;
    }
    while (length > 0) {
        size_t room = ROOM - writer->used, part = length < room ? length : room;
        memcpy(writer->buffer + writer->used, at, part);
        writer->used += part;
        at += part;
        length -= part;
        if (writer->used == ROOM)
            flush_buffer(writer);
    }
}

void hs_writer_text(hs_writer *writer, const char *text)
{
    hs_writer_put(writer, text, strlen(text));
}

void hs_writer_char(hs_writer *writer, char c)
{
    if (writer->for_people) {
        put_shown(writer, &c, 1);
        return;
    }
    writer->buffer[writer->used++] = c;
    if (writer->used == ROOM)
        flush_buffer(writer);
}

void hs_writer_printf(hs_writer *writer, const char *format, ...)
{
    char small[512];
    HS_OWNED char *large = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = hs_vprint(small, sizeof small, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof small && (large = hs_alloc((size_t)length + 1, 1))) {
        va_start(arguments, format);
        hs_vprint(large, (size_t)length + 1, format, arguments);
        va_end(arguments);
    }
    if (large || (length >= 0 && length < (int)sizeof small))
        hs_writer_put(writer, large ? large : small, (size_t)length);
    else if (!writer->failed)
        writer->failed = -1;
}

void hs_writer_u64(hs_writer *writer, uint64_t value)
{
    char text[24];
    hs_writer_put(writer, text, hs_format_u64(value, text));
}

void hs_writer_double(hs_writer *writer, double value)
{
    char text[40];
    hs_writer_put(writer, text, hs_format_double(value, text));
}

const char *hs_writer_path(const hs_writer *writer) { return writer->path; }

/* A temporary file that is still there is removed, before its lock is. */
void hs_writer_abandon(hs_writer *writer)
{
    for (hs_writer *next; writer; writer = next) {
        next = writer->next;
        if (writer->temporary) {
            unlink(writer->temporary);
            tell_watcher(writer, false);
        }
        if (writer->descriptor > STDERR_FILENO)
            close(writer->descriptor);
        if (writer->packed)
            deflateEnd(&writer->stream);
        hs_free_aligned(writer->sum);
        HS_FREE(writer->temporary, writer->manifest_path, writer->packed_buffer, writer->buffer,
                writer->path, writer);
    }
}

/* Everything on its way and, of a file, on the disk; the name is not taken yet. */
static int finish_file(hs_writer *writer, hsel_error *error)
{
    const char *name = writer->path ? writer->path : "standard output";
    if (writer->finished)
        return HSEL_OK;
    writer->finished = true;
    flush_buffer(writer);
    if (writer->packed)
        pack_bytes(writer, "", 0, Z_FINISH);
    if (writer->temporary) {
        if (!writer->failed && fsync(writer->descriptor) != 0 && errno != EINVAL)
            writer->failed = errno;
    } else if (writer->descriptor > STDERR_FILENO) {
        if (close(writer->descriptor) != 0 && !writer->failed)
            writer->failed = errno;
        writer->descriptor = 0;
    }
    HS_NEED(writer->failed >= 0);
    errno = writer->failed;
    return errno ? hs_fail_errno(error, name, "write") : HSEL_OK;
}

/* Names that were taken or removed stay so. `last` is the folder that was synced last, so that
 * several files in a folder need it once. A folder that cannot be read cannot be synced. */
static int sync_folder(const char *path, char last[FOLDER_ROOM], hsel_error *error)
{
    char folder[FOLDER_ROOM];
    const char *slash = path ? strrchr(path, '/') : NULL;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1,
             slash ? path : ".");
    if (!path || strcmp(folder, last) == 0)
        return HSEL_OK;
    strcpy(last, folder);
    int status = HSEL_OK, opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened >= 0 && fsync(opened) != 0 && errno != EINVAL)
        status = hs_fail_errno(error, folder, "write");
    if (opened >= 0)
        close(opened);
    return status;
}

static int take_name(hs_writer *writer, hsel_error *error)
{
    if (writer->removed && unlink(writer->path) != 0 && errno != ENOENT)
        return hs_fail_errno(error, writer->path, "remove");
    if (!writer->temporary)
        return HSEL_OK;
    if (rename(writer->temporary, writer->path) != 0)
        return hs_fail_errno(error, writer->path, "write");
    tell_watcher(writer, false);
    hs_free(hs_take(&writer->temporary));
    return HSEL_OK;
}

void hs_part_name(const char *path, hs_buf *out)
{
    const char *slash = strrchr(path, '/');
    out->length = 0;
    for (const char *c = slash ? slash + 1 : path; *c; c++)
        if (*c > ' ' && *c <= '~' && *c != '%')
            hs_buf_char(out, *c);
        else
            hs_buf_printf(out, "%%%02X", (unsigned char)*c);
}

int hs_file_hash(const char *path, char *out, hsel_error *error)
{
    XXH3_state_t state;
    char block[65536];
    ssize_t count = -1;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    XXH3_64bits_reset(&state);
    while (file >= 0 && (count = read(file, block, sizeof block)) != 0)
        if (count > 0)
            XXH3_64bits_update(&state, block, (size_t)count);
        else if (errno != EINTR)
            break;
    int status = count < 0 ? hs_fail_errno(error, path, "read") : HSEL_OK;
    if (file >= 0)
        close(file);
    snprintf(out, HS_HASH, "%016llx", (unsigned long long)XXH3_64bits_digest(&state));
    return status;
}

int hs_writer_list_parts(hs_writer *writer, hs_json *json, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf name = {0};
    hs_json_put(json, "parts:{");
    for (hs_writer *w = writer; w; w = w->next) {
        char hash[HS_HASH];
        if (w->manifest || !w->temporary)
            continue;
        HS_TRY(finish_file(w, error));
        HS_TRY(hs_file_hash(w->temporary, hash, error));
        hs_part_name(w->path, &name);
        HS_NEED(!name.failed);
        hs_json_put(json, "%s:%s", name.text, hash);
    }
    hs_json_end_object(json);
    return HSEL_OK;
}

int hs_writer_commit(hs_writer *writer, hsel_error *error)
{
    HS_OWNS(hs_writer_release) hs_writer *set = writer;
    hs_writer *manifest = NULL;
    unsigned files = 0;
    char synced[FOLDER_ROOM] = "";
    for (hs_writer *w = set; w; w = w->next) {
        HS_TRY(finish_file(w, error));
        files += w->temporary && !w->manifest;
        manifest = w->manifest ? w : manifest;
    }
    if (!manifest && files >= 2 && set->temporary) {
        HS_TRY(hs_writer_open_manifest(set, set->manifest_path, &manifest, error));
        hs_json json = {.out = manifest};
        hs_json_put(&json, "{writer:%s", "hsel " HSEL_VERSION);
        HS_TRY(hs_writer_list_parts(set, &json, error));
        hs_json_end_object(&json);
    }
    /* The manifest is renamed first: from then on files outside the new set are refused. The
     * manifest of an old set goes before the only file that takes the place of one of its own. */
    if (manifest) {
        HS_TRY(finish_file(manifest, error));
        HS_TRY(take_name(manifest, error));
        HS_TRY(sync_folder(manifest->path, (char[FOLDER_ROOM]){""}, error));
    }
    for (hs_writer *w = set; w; w = w->next) {
        if (w->temporary && (!manifest || strcmp(w->manifest_path, manifest->path) != 0))
            unlink(w->manifest_path);
        HS_TRY(take_name(w, error));
    }
    for (hs_writer *w = set; w; w = w->next)
        HS_TRY(sync_folder(w->path, synced, error));
    return HSEL_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The writer: buffer -> deflate if .gz -> temporary file -> rename. The first error is kept;
 * everything after it is swallowed and commit reports it.
 */
#define _GNU_SOURCE
#include "core/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "core/mem.h"
#include "core/text.h"

#define ROOM        ((size_t)256 << 10)
#define PACKED_ROOM ((size_t)64 << 10)

struct hs_writer {
    char *path, *temporary; /* temporary NULL: written through (standard output, /dev/…) */
    int descriptor;
    hs_buf *memory; /* instead of a file */
    char *buffer;
    size_t used;
    uint64_t flushed;
    bool packed;
    z_stream stream;
    unsigned char *packed_buffer;
    int failed; /* errno of the first failure, -1: out of memory */
    bool for_people, csv_safe;
    hs_writer *sibling;
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

static int writer_new(hs_writer **out, hsel_error *error)
{
    hs_writer *writer = HS_NEW_ZERO(hs_writer, 1);
    if (!writer)
        return hs_fail_memory(error);
    writer->descriptor = -1;
    writer->csv_safe = csv_safe;
    if (!(writer->buffer = hs_alloc(ROOM, 1))) {
        hs_free(writer);
        return hs_fail_memory(error);
    }
    *out = writer;
    return HSEL_OK;
}

/* "folder/.name.123-0": in the same folder, so that the rename cannot cross file systems. */
static char *temporary_name(const char *path, unsigned attempt)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    hs_buf name = {0};
    hs_buf_add(&name, path, folder);
    hs_buf_printf(&name, ".%s.%ld-%u", path + folder, (long)getpid(), attempt);
    if (name.failed)
        hs_buf_clear(&name);
    return name.text;
}

/* Makes the temporary file with the mode that the process gives to new files. */
static int open_temporary(hs_writer *writer, const char *path, hsel_error *error)
{
    for (unsigned attempt = 0; attempt < 10000; attempt++) {
        if (!(writer->temporary = temporary_name(path, attempt)))
            return hs_fail_memory(error);
        writer->descriptor = open(writer->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (writer->descriptor >= 0)
            return HSEL_OK;
        hs_free(writer->temporary);
        writer->temporary = NULL;
        if (errno != EEXIST)
            break;
    }
    return hs_fail_errno(error, path, "create");
}

/* A plain file (new or old) is replaced as a whole; a device or pipe is written through. */
static bool is_replaceable(const char *path)
{
    struct stat about;
    return stat(path, &about) != 0 || S_ISREG(about.st_mode);
}

static int open_target(hs_writer *writer, const char *path, hsel_error *error)
{
    struct stat about;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return hs_fail_at(error, HSEL_EIO, path, 0, "is a folder, not a file");
    if (!is_replaceable(path)) {
        writer->descriptor = open(path, O_WRONLY | O_CLOEXEC);
        return writer->descriptor < 0 ? hs_fail_errno(error, path, "write") : HSEL_OK;
    }
    int status = open_temporary(writer, path, error);
    if (status)
        return status;
    tell_watcher(writer, true);
    if (stat(path, &about) == 0)
        (void)!fchmod(writer->descriptor,
                      about.st_mode & 0777); /* a file system without modes is no reason to fail */
    return HSEL_OK;
}

static void *zlib_alloc(void *unused, unsigned count, unsigned size)
{
    (void)unused;
    return hs_alloc(count, size);
}

static void zlib_free(void *unused, void *block)
{
    (void)unused;
    hs_free(block);
}

static int start_packing(hs_writer *writer, hsel_error *error)
{
    if (!(writer->packed_buffer = hs_alloc(PACKED_ROOM, 1)))
        return hs_fail_memory(error);
    writer->stream = (z_stream){.zalloc = zlib_alloc, .zfree = zlib_free};
    if (deflateInit2(&writer->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return hs_fail_memory(error);
    writer->packed = true;
    return HSEL_OK;
}

int hs_writer_open(const char *path, hs_writer **out, hsel_error *error)
{
    hs_writer *writer = NULL;
    int status = writer_new(&writer, error);
    if (status)
        return status;
    if (strcmp(path, "-") == 0) {
        writer->descriptor = STDOUT_FILENO;
        writer->for_people = isatty(STDOUT_FILENO);
    } else {
        if (!(writer->path = hs_strdup(path)))
            status = hs_fail_memory(error);
        if (status == HSEL_OK)
            status = open_target(writer, path, error);
        if (status == HSEL_OK && hs_ends_with(path, ".gz"))
            status = start_packing(writer, error);
    }
    if (status)
        hs_writer_abandon(writer);
    else
        *out = writer;
    return status;
}

int hs_writer_open_memory(hs_buf *buffer, hs_writer **out, hsel_error *error)
{
    int status = writer_new(out, error);
    if (status == HSEL_OK)
        (*out)->memory = buffer;
    return status;
}

int hs_writer_open_sibling(hs_writer *writer, const char *ending, hs_writer **out,
                           hsel_error *error)
{
    hs_buf path = {0};
    hs_writer *sibling = NULL;
    if (!writer->path)
        return hs_fail(error, HSEL_EUSAGE,
                       "this format needs several files: give a file name, not standard output");
    size_t length = strlen(writer->path);
    if (hs_ends_with(writer->path, ".gz"))
        length -= 3;
    const char *slash = strrchr(writer->path, '/');
    size_t name = slash ? (size_t)(slash - writer->path) + 1 : 0, stem = length;
    while (stem > name && writer->path[stem - 1] != '.')
        stem--;
    hs_buf_add(&path, writer->path, stem > name + 1 ? stem - 1 : length);
    hs_buf_text(&path, ending);
    int status = path.failed ? hs_fail_memory(error) : hs_writer_open(path.text, &sibling, error);
    hs_buf_clear(&path);
    if (status)
        return status;
    sibling->sibling = writer->sibling;
    writer->sibling = sibling;
    *out = sibling;
    return HSEL_OK;
}

static void write_bytes(hs_writer *writer, const void *bytes, size_t length)
{
    const char *at = bytes;
    if (writer->memory) {
        hs_buf_add(writer->memory, at, length);
        if (writer->memory->failed)
            writer->failed = -1;
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

static void pack_bytes(hs_writer *writer, const void *bytes, size_t length, int flush)
{
    z_stream *stream = &writer->stream;
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

static void hand_on(hs_writer *writer, const void *bytes, size_t length)
{
    if (writer->packed && !writer->failed)
        pack_bytes(writer, bytes, length, Z_NO_FLUSH);
    else if (!writer->failed)
        write_bytes(writer, bytes, length);
}

static void flush_buffer(hs_writer *writer)
{
    if (writer->used == 0)
        return;
    /* Text that begins with a byte order mark of its own (in a name, say) gets another, since
     * readers skip one. */
    if (writer->flushed == 0 && writer->used >= 3 && memcmp(writer->buffer, "\xEF\xBB\xBF", 3) == 0)
        hand_on(writer, writer->buffer, 3);
    hand_on(writer, writer->buffer, writer->used);
    writer->flushed += writer->used;
    writer->used = 0;
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
    va_list arguments;
    va_start(arguments, format);
    int length = hs_vprint(small, sizeof small, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length < sizeof small) {
        hs_writer_put(writer, small, (size_t)length);
        return;
    }
    char *large = length < 0 ? NULL : hs_alloc((size_t)length + 1, 1);
    if (!large) {
        writer->failed = writer->failed ? writer->failed : -1;
        return;
    }
    va_start(arguments, format);
    hs_vprint(large, (size_t)length + 1, format, arguments);
    va_end(arguments);
    hs_writer_put(writer, large, (size_t)length);
    hs_free(large);
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

uint64_t hs_writer_offset(const hs_writer *writer) { return writer->flushed + writer->used; }

const char *hs_writer_path(const hs_writer *writer) { return writer->path; }

/* Frees one writer; a temporary file that is still there is removed. */
static void discard(hs_writer *writer)
{
    if (writer->descriptor > STDERR_FILENO)
        close(writer->descriptor);
    if (writer->packed)
        deflateEnd(&writer->stream);
    if (writer->temporary) {
        unlink(writer->temporary);
        tell_watcher(writer, false);
    }
    hs_free(writer->temporary);
    hs_free(writer->packed_buffer);
    hs_free(writer->buffer);
    hs_free(writer->path);
    hs_free(writer);
}

void hs_writer_abandon(hs_writer *writer)
{
    for (hs_writer *next; writer; writer = next) {
        next = writer->sibling;
        discard(writer);
    }
}

/* Everything on its way and the file closed; the name is not taken yet. */
static int finish(hs_writer *writer, hsel_error *error)
{
    const char *name = writer->path ? writer->path : "standard output";
    flush_buffer(writer);
    if (writer->packed && !writer->failed)
        pack_bytes(writer, "", 0, Z_FINISH);
    if (writer->descriptor > STDERR_FILENO) {
        if (close(writer->descriptor) != 0 && !writer->failed)
            writer->failed = errno;
        writer->descriptor = -1;
    }
    if (writer->failed < 0)
        return hs_fail_memory(error);
    if (writer->failed) {
        errno = writer->failed;
        return hs_fail_errno(error, name, "write");
    }
    return HSEL_OK;
}

static int take_name(hs_writer *writer, hsel_error *error)
{
    if (!writer->temporary)
        return HSEL_OK;
    if (rename(writer->temporary, writer->path) != 0)
        return hs_fail_errno(error, writer->path, "write");
    tell_watcher(writer, false);
    hs_free(writer->temporary);
    writer->temporary = NULL;
    return HSEL_OK;
}

int hs_writer_commit(hs_writer *writer, hsel_error *error)
{
    int status = HSEL_OK;
    for (hs_writer *w = writer; w && status == HSEL_OK; w = w->sibling)
        status = finish(w, error);
    for (hs_writer *w = writer; w && status == HSEL_OK; w = w->sibling)
        status = take_name(w, error);
    hs_writer_abandon(writer);
    return status;
}

/* ---- fields ---- */

void hs_put_csv(hs_writer *out, const char *text)
{
    bool quotes = strpbrk(text, ",\"\r\n");
    if (quotes)
        hs_writer_char(out, '"');
    if (hs_writer_guards(out, text, strlen(text)))
        hs_writer_char(out, '\'');
    for (const char *quote; quotes && (quote = strchr(text, '"')); text = quote + 1) {
        hs_writer_put(out, text, (size_t)(quote - text));
        hs_writer_text(out, "\"\"");
    }
    hs_writer_text(out, text);
    if (quotes)
        hs_writer_char(out, '"');
}

void hs_put_tsv(hs_writer *out, const char *text)
{
    if (hs_writer_guards(out, text, strlen(text)))
        hs_writer_char(out, '\'');
    for (size_t length; *text; text += length) {
        length = strcspn(text, "\t\r\n");
        hs_writer_put(out, text, length);
        if (text[length]) {
            hs_writer_char(out, ' ');
            length++;
        }
    }
}

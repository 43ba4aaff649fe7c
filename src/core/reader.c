/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reader: source (file descriptor or memory) -> inflate if gzip -> buffer -> lines. The buffer
 * holds the current line whole; unread bytes move to its front when it must be filled again.
 */
#include "core/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "core/mem.h"
#include "core/text.h"

#define BLOCK      ((size_t)256 << 10)
#define PEEK_LIMIT ((size_t)64 << 10)

/* Generous: no real data of this kind comes near them. */
static hs_limits current = {
    .line = 256, .token = 64, .size = 256 << 10, .ratio = 500, .depth = 1000};

const hs_option hs_limits_table[] = {
    HS_OPTION(hs_limits, line, "max-line", "MIB", "256", 1, 1048576, "longest line of a text file"),
    HS_OPTION(hs_limits, token, "max-token", "MIB", "64", 1, 1048576,
              "longest statement of RDF, or text in RDF/XML"),
    HS_OPTION(hs_limits, size, "max-size", "MIB", "262144", 1, 1073741824,
              "largest input, unpacked if it is compressed"),
    HS_OPTION(
        hs_limits, ratio, "max-ratio", "N", "500", 1, 1000000,
        "how many times as large as the file an input may become that unpacks to more than 64 "
        "MiB"),
    HS_OPTION(hs_limits, depth, "max-depth", "N", "1000", 1, 1000000,
              "deepest nesting of elements in RDF/XML, and most attributes of one"),
    HS_OPTION_END};

const hs_limits *hs_limits_now(void) { return &current; }

void hs_limits_set(const hs_limits *limits) { current = *limits; }

struct hs_reader {
    char *name, *path;
    int descriptor; /* -1: memory */
    const unsigned char *memory;
    size_t memory_left;
    bool started, source_ended, ended; /* ended: no more unpacked bytes */
    bool packed, between_members, unpacked_some;
    unsigned char *raw; /* packed bytes */
    z_stream stream;
    char *buffer;
    size_t capacity, begin, end; /* unread: buffer[begin … end) */
    size_t line_begin, line_end; /* the last line, for hs_reader_more */
    unsigned long line_number;
    hs_limits limits;
    uint64_t taken, given; /* bytes from the source, bytes unpacked */
};

static int reader_new(const char *name, int descriptor, hs_reader **out, hsel_error *error)
{
    hs_reader *reader = HS_NEW_ZERO(hs_reader, 1);
    HS_NEED(reader);
    reader->descriptor = descriptor;
    reader->limits = current;
    reader->name = hs_strdup(name);
    reader->capacity = BLOCK + 1;
    reader->buffer = hs_alloc(reader->capacity, 1);
    if (!reader->name || !reader->buffer) {
        reader->descriptor = -1; /* still the caller's */
        hs_reader_close(reader);
        return hs_fail_memory(error);
    }
    *out = reader;
    return HSEL_OK;
}

static int open_file(const char *path, int *descriptor, hsel_error *error)
{
    struct stat about;
    *descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (*descriptor < 0)
        return hs_fail_errno(error, path, "open");
    if (fstat(*descriptor, &about) == 0 && S_ISDIR(about.st_mode)) {
        close(*descriptor);
        return hs_fail_at(error, HSEL_EIO, path, 0, "is a folder, not a file");
    }
    return HSEL_OK;
}

int hs_reader_open(const char *path, hs_reader **out, hsel_error *error)
{
    int descriptor = STDIN_FILENO, status;
    bool is_file = strcmp(path, "-") != 0;
    if (is_file && (status = open_file(path, &descriptor, error)))
        return status;
    if ((status = reader_new(is_file ? path : "standard input", descriptor, out, error))) {
        if (is_file)
            close(descriptor);
        return status;
    }
    if (is_file && !((*out)->path = hs_strdup(path))) {
        hs_reader_close(*out);
        *out = NULL;
        return hs_fail_memory(error);
    }
    return HSEL_OK;
}

int hs_reader_open_memory(const char *name, const void *data, size_t length, hs_reader **out,
                          hsel_error *error)
{
    int status = reader_new(name, -1, out, error);
    if (status == HSEL_OK) {
        (*out)->memory = data;
        (*out)->memory_left = length;
    }
    return status;
}

void hs_reader_close(hs_reader *reader)
{
    if (!reader)
        return;
    if (reader->descriptor > STDIN_FILENO)
        close(reader->descriptor);
    if (reader->packed)
        inflateEnd(&reader->stream);
    hs_free(reader->raw);
    hs_free(reader->buffer);
    hs_free(reader->path);
    hs_free(reader->name);
    hs_free(reader);
}

/* Up to `room` bytes as they stand in the source; *got 0 at its end. */
static int read_source(hs_reader *reader, void *into, size_t room, size_t *got, hsel_error *error)
{
    ssize_t count;
    if (reader->descriptor < 0) {
        *got = room < reader->memory_left ? room : reader->memory_left;
        if (*got)
            memcpy(into, reader->memory, *got);
        reader->memory += *got;
        reader->memory_left -= *got;
        reader->taken += *got;
        return HSEL_OK;
    }
    do
        count = read(reader->descriptor, into, room);
    while (count < 0 && errno == EINTR);
    if (count < 0)
        return hs_fail_errno(error, reader->name, "read");
    *got = (size_t)count;
    reader->taken += *got;
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

/* One byte order mark at the very beginning is no text; the writer doubles one that is. */
static void skip_mark(hs_reader *reader)
{
    if (reader->end - reader->begin >= 3 &&
        memcmp(reader->buffer + reader->begin, "\xEF\xBB\xBF", 3) == 0)
        reader->begin += 3;
}

/* Looks at the first bytes: gzip or not. What was read for that is handed on. */
static int start(hs_reader *reader, hsel_error *error)
{
    size_t got = 0, more = 0;
    reader->started = true;
    do { /* a pipe may give less than the two bytes needed */
        HS_TRY(read_source(reader, reader->buffer + got, BLOCK - got, &more, error));
        got += more;
    } while (more && got < 3);
    reader->source_ended = more == 0;
    const unsigned char *head = (const unsigned char *)reader->buffer;
    if (got < 2 || head[0] != 0x1f || head[1] != 0x8b) {
        reader->end = reader->given = got;
        skip_mark(reader);
        return HSEL_OK;
    }
    HS_NEED(reader->raw = hs_alloc(BLOCK, 1));
    memcpy(reader->raw, reader->buffer, got);
    reader->stream = (z_stream){.zalloc = zlib_alloc,
                                .zfree = zlib_free,
                                .next_in = reader->raw,
                                .avail_in = (unsigned)got};
    if (inflateInit2(&reader->stream, 15 + 16) != Z_OK)
        return hs_fail_memory(error);
    reader->packed = true;
    return HSEL_OK;
}

/* After the end of a gzip member: another member, the end, or zero padding and the end. */
static int next_member(hs_reader *reader, hsel_error *error)
{
    z_stream *stream = &reader->stream;
    while (stream->avail_in && *stream->next_in == 0) {
        stream->next_in++;
        stream->avail_in--;
    }
    if (!stream->avail_in)
        return HSEL_OK;
    if (*stream->next_in != 0x1f)
        return hs_fail_at(error, HSEL_EFORMAT, reader->name, 0,
                          "there is something else after the gzip data");
    reader->between_members = false;
    return inflateReset(stream) == Z_OK ? HSEL_OK : hs_fail_memory(error);
}

static int inflate_some(hs_reader *reader, char *into, size_t room, size_t *got, hsel_error *error)
{
    z_stream *stream = &reader->stream;
    size_t count = 0;
    int status;
    *got = 0;
    while (*got == 0 && !reader->ended) {
        if (!stream->avail_in && !reader->source_ended) {
            HS_TRY(read_source(reader, reader->raw, BLOCK, &count, error));
            reader->source_ended = count == 0;
            stream->next_in = reader->raw;
            stream->avail_in = (unsigned)count;
        }
        if (reader->between_members && (status = next_member(reader, error)))
            return status;
        if (!stream->avail_in && reader->source_ended) {
            if (!reader->between_members)
                return hs_fail_at(error, HSEL_EFORMAT, reader->name, 0,
                                  "the gzip data ends too early: the file is cut off");
            reader->ended = true;
        } else if (stream->avail_in) {
            stream->next_out = (unsigned char *)into;
            stream->avail_out = (unsigned)room;
            int code = inflate(stream, Z_NO_FLUSH);
            *got = room - stream->avail_out;
            if (code == Z_STREAM_END)
                reader->between_members = true;
            else if (code == Z_MEM_ERROR)
                return hs_fail_memory(error);
            else if (code != Z_OK && code != Z_BUF_ERROR)
                return hs_fail_at(error, HSEL_EFORMAT, reader->name, 0, "the gzip data is damaged");
        }
    }
    return HSEL_OK;
}

static int check_size(const hs_reader *reader, hsel_error *error)
{
    if (reader->given > reader->limits.size << 20)
        return hs_fail_at(
            error, HSEL_ELIMIT, reader->name, 0, "more than %llu MiB%s; --max-size allows more",
            (unsigned long long)reader->limits.size, reader->packed ? " when unpacked" : "");
    if (reader->packed && reader->given > HS_RATIO_FREE &&
        reader->given / reader->limits.ratio > reader->taken)
        return hs_fail_at(error, HSEL_ELIMIT, reader->name, 0,
                          "unpacks to more than %llu times its size; --max-ratio allows more",
                          (unsigned long long)reader->limits.ratio);
    return HSEL_OK;
}

/* Adds unpacked bytes behind buffer[end); keeps everything from buffer[keep] on, moved to the
 * front. */
static int fill(hs_reader *reader, size_t keep, hsel_error *error)
{
    size_t got = 0;
    if (!reader->started) {
        HS_TRY(start(reader, error));
        if (reader->end)
            return HSEL_OK;
    }
    if (keep > 0) {
        memmove(reader->buffer, reader->buffer + keep, reader->end - keep);
        reader->begin -= keep;
        reader->end -= keep;
        reader->line_begin -= reader->line_begin < keep ? reader->line_begin : keep;
        reader->line_end -= reader->line_end < keep ? reader->line_end : keep;
    }
    if (reader->capacity - reader->end <= BLOCK / 2 &&
        !HS_GROW(&reader->buffer, &reader->capacity, reader->capacity + BLOCK))
        return hs_fail_memory(error);
    size_t room = reader->capacity - reader->end - 1;
    if (room > (size_t)1 << 30)
        room = (size_t)1 << 30;
    if (reader->packed) {
        HS_TRY(inflate_some(reader, reader->buffer + reader->end, room, &got, error));
        reader->end += got;
        if (!reader->unpacked_some)
            skip_mark(reader);
        reader->unpacked_some |= got > 0;
    } else if (!reader->source_ended) {
        HS_TRY(read_source(reader, reader->buffer + reader->end, room, &got, error));
        reader->source_ended = got == 0;
        reader->end += got;
    }
    if (got == 0)
        reader->ended = true;
    reader->given += got;
    return check_size(reader, error);
}

/* Finds the end of the line that starts at `line_begin`, reading on from `from`. *stop is the index
 * of the line feed, or of the end of the data. */
static int find_line_end(hs_reader *reader, size_t from, size_t *stop, hsel_error *error)
{
    for (;;) {
        char *feed =
            from < reader->end ? memchr(reader->buffer + from, '\n', reader->end - from) : NULL;
        if (feed) {
            *stop = (size_t)(feed - reader->buffer);
            return HSEL_OK;
        }
        if (from < reader->end && memchr(reader->buffer + from, '\0', reader->end - from))
            return hs_fail_at(error, HSEL_EFORMAT, reader->name, reader->line_number + 1,
                              "there is a NUL byte: this is not a text file");
        if (reader->end - reader->line_begin > reader->limits.line << 20)
            return hs_fail_at(error, HSEL_ELIMIT, reader->name, reader->line_number + 1,
                              "the line is longer than %llu MiB; --max-line allows more",
                              (unsigned long long)reader->limits.line);
        if (reader->ended) {
            *stop = reader->end;
            return HSEL_OK;
        }
        size_t seen = reader->end - reader->line_begin;
        HS_TRY(fill(reader, reader->line_begin, error));
        from = reader->line_begin + seen;
    }
}

/* The line ends at `stop`; what comes after it is at reader->begin. `fresh` is what of the line has
 * not been looked at for NUL bytes. */
static int finish_line(hs_reader *reader, size_t fresh, size_t stop, char **line, size_t *length,
                       hsel_error *error)
{
    reader->line_number++;
    if (stop > reader->line_begin && reader->buffer[stop - 1] == '\r')
        stop--;
    reader->line_end = stop;
    reader->buffer[stop] = '\0';
    *line = reader->buffer + reader->line_begin;
    *length = stop - reader->line_begin;
    if (stop > fresh && memchr(reader->buffer + fresh, '\0', stop - fresh))
        return hs_fail_line(error, reader, "there is a NUL byte: this is not a text file");
    return 1;
}

int hs_reader_line(hs_reader *reader, char **line, size_t *length, hsel_error *error)
{
    size_t stop;
    while (reader->begin == reader->end && !reader->ended)
        HS_TRY(fill(reader, reader->begin, error));
    if (reader->begin == reader->end)
        return 0;
    reader->line_begin = reader->begin;
    HS_TRY(find_line_end(reader, reader->begin, &stop, error));
    reader->begin = stop < reader->end ? stop + 1 : stop;
    return finish_line(reader, reader->line_begin, stop, line, length, error);
}

int hs_reader_more(hs_reader *reader, char **line, size_t *length, hsel_error *error)
{
    size_t stop;
    while (reader->begin == reader->end && !reader->ended)
        HS_TRY(fill(reader, reader->line_begin, error));
    if (reader->begin == reader->end)
        return 0;
    /* The line end goes back in as one line feed. If it was CRLF, the next line (and no more) moves
     * up to it: the gap that grows behind the text costs nothing. */
    reader->buffer[reader->line_end] = '\n';
    HS_TRY(find_line_end(reader, reader->begin, &stop, error));
    size_t fresh = reader->line_end + 1, size = stop - reader->begin;
    if (fresh < reader->begin)
        memmove(reader->buffer + fresh, reader->buffer + reader->begin, size);
    reader->begin = stop < reader->end ? stop + 1 : stop;
    return finish_line(reader, fresh, fresh + size, line, length, error);
}

int hs_reader_peek(hs_reader *reader, size_t want, const char **data, size_t *length,
                   hsel_error *error)
{
    if (want > PEEK_LIMIT)
        want = PEEK_LIMIT;
    while (reader->end - reader->begin < want && !reader->ended)
        HS_TRY(fill(reader, reader->begin, error));
    *data = reader->buffer + reader->begin;
    *length = reader->end - reader->begin < want ? reader->end - reader->begin : want;
    return HSEL_OK;
}

int hs_reader_block(hs_reader *reader, const char **data, size_t *length, hsel_error *error)
{
    while (reader->begin == reader->end && !reader->ended)
        HS_TRY(fill(reader, reader->begin, error));
    *data = reader->buffer + reader->begin;
    *length = reader->end - reader->begin;
    reader->begin = reader->end;
    return *length > 0;
}

const char *hs_reader_name(const hs_reader *reader) { return reader->name; }

const char *hs_reader_path(const hs_reader *reader) { return reader->path; }

unsigned long hs_reader_line_number(const hs_reader *reader) { return reader->line_number; }

int hs_fail_line(hsel_error *error, const hs_reader *reader, const char *format, ...)
{
    char text[sizeof error->message];
    va_list arguments;
    va_start(arguments, format);
    hs_vprint(text, sizeof text, format, arguments);
    va_end(arguments);
    return hs_fail_at(error, HSEL_EFORMAT, reader->name, reader->line_number, "%s", text);
}

int hs_fail_placed(hsel_error *error, const hs_reader *reader, int status)
{
    char text[sizeof error->message];
    bool has_place = status == HSEL_EFORMAT || status == HSEL_ELIMIT || status == HSEL_EUSAGE;
    if (!error || !reader || !has_place || error->file[0])
        return status;
    memcpy(text, error->message, sizeof text);
    return hs_fail_at(error, status, reader->name, status == HSEL_EUSAGE ? 0 : reader->line_number,
                      "%s", text);
}

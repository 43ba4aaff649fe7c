/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reader: source (file descriptor or memory) -> inflate if gzip -> buffer -> lines. The buffer
 * holds the current line whole; unread bytes move to its front when it must be filled again.
 */
#include "core/core.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define BLOCK      ((size_t)256 << 10)
#define PEEK_LIMIT ((size_t)64 << 10)

/* Generous: no real data of this kind comes near them. */
static hs_limits current = {
    .line = 256, .token = 64, .size = 256 << 10, .ratio = 500, .depth = 1000};

const hs_option hs_limits_table[] = {
    HS_OPTION(hs_limits, line, "max-line", "MIB", "256", 1, 1048576, "longest line of a text file"),
    HS_OPTION(hs_limits, token, "max-token", "MIB", "64", 1, 1048576,
              "longest text in RDF/XML, entities written out"),
    HS_OPTION(hs_limits, size, "max-size", "MIB", "262144", 1, 1073741824,
              "largest input, unpacked if it is compressed"),
    HS_OPTION(hs_limits, ratio, "max-ratio", "N", "500", 1, 1000000,
              "maximum compression ratio of inputs that unpack to more than 64 MiB"),
    HS_OPTION(hs_limits, depth, "max-depth", "N", "1000", 1, 1000000,
              "maximum nesting of elements in RDF/XML, and attributes per element"),
    HS_OPTION_END};

const hs_limits *hs_limits_now(void) { return &current; }

void hs_limits_set(const hs_limits *limits) { current = *limits; }

static const hs_progress *watching;

void hs_reader_watch(const hs_progress *progress) { watching = progress; }

struct hs_reader {
    char *name, *path;
    int descriptor; /* -1: memory */
    const unsigned char *memory;
    size_t memory_left;
    bool started, source_ended, ended; /* ended: no more unpacked bytes */
    bool packed, between_members, unpacked_some;
    bool text, after_return; /* the first block looks like it; CR was the last byte */
    unsigned char *raw;      /* packed bytes */
    z_stream stream;
    char *buffer;
    size_t capacity, begin, end; /* unread: buffer[begin … end) */
    size_t line_begin, line_end; /* the last line, for hs_reader_more */
    unsigned long line_number;
    hs_limits limits;
    uint64_t taken, given; /* bytes from the source, bytes unpacked */
    uint64_t size;         /* of the file; 0: not known */
};

int hs_reader_open_memory(const char *name, const void *data, size_t length, hs_reader **out,
                          hsel_error *error)
{
    HS_OWNS(hs_reader_release) hs_reader *reader = HS_NEW_ZERO(hs_reader, 1);
    HS_NEED(reader);
    *reader = (hs_reader){.descriptor = -1,
                          .memory = data,
                          .memory_left = length,
                          .limits = current,
                          .name = hs_strdup(name),
                          .capacity = BLOCK + 1,
                          .buffer = hs_alloc(BLOCK + 1, 1)};
    HS_NEED(reader->name && reader->buffer);
    *out = hs_take(&reader);
    return HSEL_OK;
}

int hs_reader_open(const char *path, hs_reader **out, hsel_error *error)
{
    struct stat about;
    bool is_file = strcmp(path, "-") != 0;
    HS_OWNS(hs_reader_release) hs_reader *reader = NULL;
    HS_TRY(hs_reader_open_memory(is_file ? path : "standard input", NULL, 0, &reader, error));
    reader->descriptor = is_file ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    if (reader->descriptor < 0)
        return hs_fail_errno(error, path, "open");
    if (is_file && fstat(reader->descriptor, &about) == 0 && S_ISDIR(about.st_mode))
        return hs_fail_at(error, HSEL_EIO, path, 0, "is a folder, not a file");
    if (is_file && fstat(reader->descriptor, &about) == 0 && S_ISREG(about.st_mode))
        reader->size = (uint64_t)about.st_size;
    HS_NEED(!is_file || (reader->path = hs_strdup(path)));
    *out = hs_take(&reader);
    return HSEL_OK;
}

void hs_reader_close(hs_reader *reader)
{
    if (!reader)
        return;
    if (reader->descriptor > STDIN_FILENO)
        close(reader->descriptor);
    if (reader->packed)
        inflateEnd(&reader->stream);
    HS_FREE(reader->raw, reader->buffer, reader->path, reader->name, reader);
}

/* Up to `room` raw bytes of the source; *got 0 at its end. */
static int read_source(hs_reader *reader, void *into, size_t room, size_t *got, hsel_error *error)
{
    ssize_t count;
    if (reader->descriptor < 0) {
        count = (ssize_t)(room < reader->memory_left ? room : reader->memory_left);
        if (count)
            memcpy(into, reader->memory, (size_t)count);
        reader->memory += count;
        reader->memory_left -= (size_t)count;
    } else {
        do
            count = read(reader->descriptor, into, room);
        while (count < 0 && errno == EINTR);
        if (count < 0)
            return hs_fail_errno(error, reader->name, "read");
    }
    *got = (size_t)count;
    reader->taken += *got;
    return reader->descriptor < 0
               ? HSEL_OK
               : hs_progress_report(watching, reader->taken, reader->size, reader->name, error);
}

/* CR alone ends a line as LF and CRLF do: it becomes LF in the `got` bytes that are new. One at
 * their end also, and an LF that comes next is left out. */
static void unify_line_ends(hs_reader *reader, size_t got)
{
    char *at = reader->buffer + reader->end - got, *end = reader->buffer + reader->end;
    if (!reader->text || !got)
        return;
    if (reader->after_return && *at == '\n') {
        memmove(at, at + 1, got - 1);
        reader->end--;
        end--;
    }
    reader->after_return = end > at && end[-1] == '\r';
    for (; at < end && (at = memchr(at, '\r', (size_t)(end - at))); at++)
        if (at + 1 == end || at[1] != '\n')
            *at = '\n';
}

/* One byte order mark at the very beginning is no text; the writer doubles one that is. Our binary
 * files begin with a byte that no text begins with. */
static void begin_text(hs_reader *reader)
{
    size_t got = reader->end - reader->begin;
    const char *head = reader->buffer + reader->begin;
    reader->text = got && (*head & 0xC0) != 0x80 && !memchr(head, '\0', got);
    if (got >= 3 && memcmp(head, "\xEF\xBB\xBF", 3) == 0)
        reader->begin += 3;
    unify_line_ends(reader, reader->end - reader->begin);
}

/* Checks the first bytes for gzip; the bytes read are passed on. */
static int start_reading(hs_reader *reader, hsel_error *error)
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
        begin_text(reader);
        return HSEL_OK;
    }
    HS_NEED(reader->raw = hs_alloc(BLOCK, 1));
    memcpy(reader->raw, reader->buffer, got);
    reader->stream = (z_stream){.zalloc = hs_alloc_zlib,
                                .zfree = hs_free_zlib,
                                .next_in = reader->raw,
                                .avail_in = (unsigned)got};
    if (inflateInit2(&reader->stream, 15 + 16) != Z_OK)
        return hs_fail_memory(error);
    reader->packed = true;
    return HSEL_OK;
}

static int inflate_some(hs_reader *reader, char *into, size_t room, size_t *got, hsel_error *error)
{
    z_stream *stream = &reader->stream;
    size_t count = 0;
    *got = 0;
    while (*got == 0 && !reader->ended) {
        if (!stream->avail_in && !reader->source_ended) {
            HS_TRY(read_source(reader, reader->raw, BLOCK, &count, error));
            reader->source_ended = count == 0;
            stream->next_in = reader->raw;
            stream->avail_in = (unsigned)count;
        }
        /* After the end of a gzip member: another member, the end, or zero padding and the end. */
        for (; reader->between_members && stream->avail_in && *stream->next_in == 0;
             stream->avail_in--)
            stream->next_in++;
        if (reader->between_members && stream->avail_in) {
            if (*stream->next_in != 0x1f)
                return hs_fail_at(error, HSEL_EFORMAT, reader->name, 0,
                                  "unexpected data after the end of the gzip data");
            reader->between_members = false;
            HS_NEED(inflateReset(stream) == Z_OK);
        }
        if (!stream->avail_in && reader->source_ended) {
            if (!reader->between_members)
                return hs_fail_at(error, HSEL_EFORMAT, reader->name, 0,
                                  "the gzip data ends too early: the file is truncated");
            reader->ended = true;
        } else if (stream->avail_in) {
            stream->next_out = (unsigned char *)into;
            stream->avail_out = (unsigned)room;
            int code = inflate(stream, Z_NO_FLUSH);
            *got = room - stream->avail_out;
            reader->between_members = code == Z_STREAM_END;
            HS_NEED(code != Z_MEM_ERROR);
            if (code != Z_OK && code != Z_BUF_ERROR && code != Z_STREAM_END)
                return hs_fail_at(error, HSEL_EFORMAT, reader->name, 0, "the gzip data is damaged");
        }
    }
    return HSEL_OK;
}

/* Adds unpacked bytes after buffer[end); keeps everything from buffer[keep] on, moved to the
 * front. */
static int fill_buffer(hs_reader *reader, size_t keep, hsel_error *error)
{
    size_t got = 0;
    if (!reader->started) {
        HS_TRY(start_reading(reader, error));
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
            begin_text(reader);
        else
            unify_line_ends(reader, got);
        reader->unpacked_some |= got > 0;
    } else if (!reader->source_ended) {
        HS_TRY(read_source(reader, reader->buffer + reader->end, room, &got, error));
        reader->source_ended = got == 0;
        reader->end += got;
        unify_line_ends(reader, got);
    }
    if (got == 0)
        reader->ended = true;
    reader->given += got;
    const hs_limits *limits = &reader->limits;
    if (reader->given > limits->size << 20)
        return hs_fail_at(error, HSEL_ELIMIT, reader->name, 0,
                          "more than %llu MiB%s; {max-size} allows more",
                          (unsigned long long)limits->size, reader->packed ? " when unpacked" : "");
    if (reader->packed && reader->given > HS_RATIO_FREE &&
        reader->given / limits->ratio > reader->taken)
        return hs_fail_at(error, HSEL_ELIMIT, reader->name, 0,
                          "unpacks to more than %llu times its size; {max-ratio} allows more",
                          (unsigned long long)limits->ratio);
    return HSEL_OK;
}

/* The next line, or (append) the last one lengthened by it. */
static int next_line(hs_reader *reader, bool append, char **line, size_t *length, hsel_error *error)
{
    char *feed = NULL;
    while (reader->begin == reader->end && !reader->ended)
        HS_TRY(fill_buffer(reader, append ? reader->line_begin : reader->begin, error));
    if (reader->begin == reader->end)
        return 0;
    if (append)
        reader->buffer[reader->line_end] = '\n'; /* the line end goes back in */
    else
        reader->line_begin = reader->begin;
    for (size_t from = reader->begin; !feed;) {
        size_t left = reader->end - from, seen = reader->end - reader->line_begin;
        if (left && (feed = memchr(reader->buffer + from, '\n', left)))
            break;
        if (left && memchr(reader->buffer + from, '\0', left))
            return hs_fail_at(error, HSEL_EFORMAT, reader->name, reader->line_number + 1,
                              "NUL byte: this is not a text file");
        if (seen > reader->limits.line << 20)
            return hs_fail_at(error, HSEL_ELIMIT, reader->name, reader->line_number + 1,
                              "the line is longer than %llu MiB; {max-line} allows more",
                              (unsigned long long)reader->limits.line);
        if (reader->ended)
            break;
        HS_TRY(fill_buffer(reader, reader->line_begin, error));
        from = reader->line_begin + seen;
    }
    size_t stop = feed ? (size_t)(feed - reader->buffer) : reader->end;
    size_t size = stop - reader->begin, fresh = append ? reader->line_end + 1 : reader->begin;
    /* If the line end was CRLF, the next line (and no more) moves up to it: the gap that grows
     * after the text costs nothing. */
    if (fresh < reader->begin)
        memmove(reader->buffer + fresh, reader->buffer + reader->begin, size);
    reader->begin = stop < reader->end ? stop + 1 : stop;
    reader->line_number++;
    stop = fresh + size;
    if (stop > reader->line_begin && reader->buffer[stop - 1] == '\r')
        stop--;
    reader->line_end = stop;
    reader->buffer[stop] = '\0';
    *line = reader->buffer + reader->line_begin;
    *length = stop - reader->line_begin;
    if (stop > fresh && memchr(reader->buffer + fresh, '\0', stop - fresh))
        return hs_fail_line(error, reader, "NUL byte: this is not a text file");
    return 1;
}

int hs_reader_line(hs_reader *reader, char **line, size_t *length, hsel_error *error)
{
    return next_line(reader, false, line, length, error);
}

int hs_reader_more(hs_reader *reader, char **line, size_t *length, hsel_error *error)
{
    return next_line(reader, true, line, length, error);
}

int hs_reader_peek(hs_reader *reader, size_t want, const char **data, size_t *length,
                   hsel_error *error)
{
    if (want > PEEK_LIMIT)
        want = PEEK_LIMIT;
    while (reader->end - reader->begin < want && !reader->ended)
        HS_TRY(fill_buffer(reader, reader->begin, error));
    *data = reader->buffer + reader->begin;
    *length = reader->end - reader->begin < want ? reader->end - reader->begin : want;
    return HSEL_OK;
}

int hs_reader_block(hs_reader *reader, const char **data, size_t *length, hsel_error *error)
{
    while (reader->begin == reader->end && !reader->ended)
        HS_TRY(fill_buffer(reader, reader->begin, error));
    *data = reader->buffer + reader->begin;
    *length = reader->end - reader->begin;
    reader->begin = reader->end;
    return *length > 0;
}

int hs_reader_all(hs_reader *reader, hs_buf *out, hsel_error *error)
{
    const char *block = "";
    size_t length = 0;
    int got = 1;
    for (; got > 0; got = hs_reader_block(reader, &block, &length, error)) {
        hs_buf_add(out, block, length);
        HS_NEED(!out->failed);
    }
    return got;
}

const char *hs_reader_name(const hs_reader *reader) { return reader->name; }

const char *hs_reader_path(const hs_reader *reader) { return reader->path; }

unsigned long hs_reader_line_number(const hs_reader *reader) { return reader->line_number; }

int hs_fail_line(hsel_error *error, const hs_reader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    hs_vfail_at(error, HSEL_EFORMAT, reader->name, reader->line_number, format, arguments);
    va_end(arguments);
    return HSEL_EFORMAT;
}

int hs_fail_placed(hsel_error *error, const hs_reader *reader, int status)
{
    bool has_place = status == HSEL_EFORMAT || status == HSEL_ELIMIT || status == HSEL_EUSAGE;
    if (!error || !reader || !has_place || error->file[0])
        return status;
    return hs_fail_as(error, status, reader->name, status == HSEL_EUSAGE ? 0 : reader->line_number,
                      "", error);
}

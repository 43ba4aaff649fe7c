/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Splitting lines into names, and writing names so that they come back the same. Fields point into
 * the line, which is changed in place where quotes are taken off.
 */
#include "format/term_lines.h"

#include <string.h>

#include "core/mem.h"

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static bool nothing_to_read(const char *line, size_t length)
{
    size_t at = 0;
    while (at < length && is_blank(line[at]))
        at++;
    return at == length || line[0] == '#';
}

/* ---- quotes ---- */

typedef enum csv_state { AT_START, IN_PLAIN, IN_QUOTES, AFTER_QUOTE } csv_state;

static csv_state csv_step(csv_state state, char c)
{
    if (state == IN_QUOTES)
        return c == '"' ? AFTER_QUOTE : IN_QUOTES;
    if (state == AFTER_QUOTE && c == '"')
        return IN_QUOTES;
    if (c == ',')
        return AT_START;
    if (state == AT_START)
        return c == '"' ? IN_QUOTES : is_blank(c) ? AT_START : IN_PLAIN;
    return state == AFTER_QUOTE && is_blank(c) ? AFTER_QUOTE : IN_PLAIN;
}

/* "…" as a whole, with every quote inside doubled. */
static bool quoted_whole(const char *text, size_t length)
{
    if (length < 2 || text[0] != '"' || text[length - 1] != '"')
        return false;
    for (size_t i = 1; i < length - 1; i++) {
        if (text[i] != '"')
            continue;
        if (i + 1 == length - 1 || text[i + 1] != '"')
            return false;
        i++;
    }
    return true;
}

/* Takes the quotes off a field that is quoted as a whole. */
static void unquote(hs_term_field *field)
{
    size_t to = 0;
    for (size_t from = 1; from < field->length - 1; from++) {
        field->text[to++] = field->text[from];
        if (field->text[from] == '"')
            from++;
    }
    field->length = to;
}

/* ---- splitting ---- */

static int add_field(hs_term_lines *lines, char *text, size_t length, hsel_error *error)
{
    if (!HS_GROW(&lines->fields, &lines->capacity, lines->count + 1))
        return hs_fail_memory(error);
    lines->fields[lines->count++] = (hs_term_field){text, length};
    return HSEL_OK;
}

static int split_tabs(hs_term_lines *lines, char *line, size_t length, hsel_error *error)
{
    char *end = line + length;
    for (char *at = line;; at++) {
        char *tab = memchr(at, '\t', (size_t)(end - at));
        char *stop = tab ? tab : end;
        int status = add_field(lines, at, (size_t)(stop - at), error);
        if (status < 0)
            return status;
        hs_term_field *field = &lines->fields[lines->count - 1];
        if (quoted_whole(field->text, field->length))
            unquote(field);
        if (!tab)
            return HSEL_OK;
        at = tab;
    }
}

static int split_blanks(hs_term_lines *lines, char *line, size_t length, hsel_error *error)
{
    size_t at = 0;
    for (;;) {
        while (at < length && is_blank(line[at]))
            at++;
        if (at == length)
            return HSEL_OK;
        size_t start = at;
        while (at < length && !is_blank(line[at]))
            at++;
        int status = add_field(lines, line + start, at - start, error);
        if (status < 0)
            return status;
    }
}

/* One CSV field from `at` on; returns where it ended (at its comma or the end). */
static int take_csv_field(hs_term_lines *lines, char *line, size_t length, size_t *at,
                          hsel_error *error)
{
    size_t start = *at, end = start;
    for (csv_state state = AT_START; end < length; end++) {
        state = csv_step(state, line[end]);
        if (line[end] == ',' && state == AT_START)
            break;
    }
    *at = end;
    while (start < end && is_blank(line[start]))
        start++;
    while (end > start && is_blank(line[end - 1]))
        end--;
    int status = add_field(lines, line + start, end - start, error);
    if (status < 0 || start == end || line[start] != '"')
        return status;
    hs_term_field *field = &lines->fields[lines->count - 1];
    if (!quoted_whole(field->text, field->length))
        return hs_fail_at(error, HSEL_EFORMAT, hs_reader_name(lines->reader), lines->line,
                          "text after the closing quote in %.*s",
                          field->length > 80 ? 80 : (int)field->length, field->text);
    unquote(field);
    return HSEL_OK;
}

static int split_commas(hs_term_lines *lines, char *line, size_t length, hsel_error *error)
{
    for (size_t at = 0;; at++) {
        int status = take_csv_field(lines, line, length, &at, error);
        if (status < 0 || at >= length)
            return status;
    }
}

/* Joins lines while a quote is open. The state goes on where it was, so a long quoted name is
 * scanned once. */
static int close_quotes(hs_term_lines *lines, char **line, size_t *length, hsel_error *error)
{
    if (!memchr(*line, '"', *length))
        return HSEL_OK;
    csv_state state = AT_START;
    for (size_t at = 0;;) {
        for (; at < *length; at++)
            state = csv_step(state, (*line)[at]);
        if (state != IN_QUOTES)
            return HSEL_OK;
        int status = hs_reader_more(lines->reader, line, length, error);
        if (status < 0)
            return status;
        if (status == 0)
            return hs_fail_at(error, HSEL_EFORMAT, hs_reader_name(lines->reader), lines->line,
                              "a quoted name is not closed");
    }
}

static int split(hs_term_lines *lines, char *line, size_t length, hsel_error *error)
{
    lines->count = 0;
    if (lines->separator == '\t')
        return split_tabs(lines, line, length, error);
    if (lines->separator == ' ')
        return split_blanks(lines, line, length, error);
    int status = close_quotes(lines, &line, &length, error);
    return status < 0 ? status : split_commas(lines, line, length, error);
}

int hs_term_lines_next(hs_term_lines *lines, hsel_error *error)
{
    char *line = NULL;
    size_t length = 0;
    int status = 0;
    do {
        status = hs_reader_line(lines->reader, &line, &length, error);
        if (status <= 0)
            return status;
    } while (nothing_to_read(line, length));
    lines->line = hs_reader_line_number(lines->reader);
    if (!lines->separator)
        lines->separator = hs_edge_separator(line, length);
    status = split(lines, line, length, error);
    return status < 0 ? status : 1;
}

void hs_term_lines_clear(hs_term_lines *lines)
{
    hs_free(lines->fields);
    lines->fields = NULL;
    lines->count = lines->capacity = 0;
}

/* ---- deciding ---- */

char hs_edge_separator(const char *line, size_t length)
{
    const char *tab = memchr(line, '\t', length);
    if (tab && !memchr(tab + 1, '\t', (size_t)(line + length - tab - 1)))
        return '\t';
    return memchr(line, ',', length) ? ',' : ' ';
}

char hs_list_separator(const char *head, size_t length)
{
    csv_state state = AT_START;
    for (size_t at = 0; at < length; at++) {
        bool line_starts = at == 0 || head[at - 1] == '\n';
        if (state != IN_QUOTES && line_starts) {
            state = AT_START;
            const char *end = memchr(head + at, '\n', length - at);
            if (head[at] == '#' && end) {
                at = (size_t)(end - head);
                continue;
            }
        }
        if (head[at] == '\t' && state != IN_QUOTES)
            return '\t';
        state = csv_step(state, head[at]);
    }
    return ',';
}

/* Where the line ends that starts at `line`: at its line feed, or at `end`. Between commas a line
 * feed within quotes does not end it. */
static const char *line_stop(const char *line, const char *end, char separator)
{
    const char *feed = memchr(line, '\n', (size_t)(end - line));
    if (separator != ',' || !feed || !memchr(line, '"', (size_t)(feed - line)))
        return feed ? feed : end;
    csv_state state = AT_START;
    for (const char *at = line; at < end; at++) {
        if (*at == '\n' && state != IN_QUOTES)
            return at;
        state = csv_step(state, *at);
    }
    return end;
}

static size_t line_size(const char *line, const char *stop)
{
    size_t size = (size_t)(stop - line);
    return size && line[size - 1] == '\r' ? size - 1 : size;
}

/* Fields of one line without changing it. */
static size_t count_fields(const char *line, size_t length, char separator)
{
    size_t count = 1, words = 0;
    csv_state state = AT_START;
    for (size_t i = 0; i < length; i++) {
        words += !is_blank(line[i]) && (i == 0 || is_blank(line[i - 1]));
        state = csv_step(state, line[i]);
        if (line[i] == separator && (separator != ',' || state == AT_START))
            count++;
    }
    return separator == ' ' ? words : count;
}

hs_lines_look hs_term_lines_look(const char *head, size_t length)
{
    hs_lines_look look = {0};
    const char *end = head + length;
    for (const char *line = head; line < end;) {
        const char *stop = line_stop(line, end, 0);
        if (!nothing_to_read(line, line_size(line, stop))) {
            if (!look.lines)
                look.separator = hs_edge_separator(line, line_size(line, stop));
            stop = line_stop(line, end, look.separator);
            if (stop == end && look.lines)
                break;
            size_t fields = count_fields(line, line_size(line, stop), look.separator);
            look.least = !look.lines || fields < look.least ? fields : look.least;
            look.most = fields > look.most ? fields : look.most;
            look.lines++;
        }
        line = stop < end ? stop + 1 : end;
    }
    return look;
}

/* ---- writing ---- */

static bool starts_oddly(const char *name, size_t length)
{
    return length == 0 || name[0] == '#' || is_blank(name[0]) || is_blank(name[length - 1]) ||
           (length >= 3 && memcmp(name, "\xEF\xBB\xBF", 3) == 0);
}

static void put_quoted(hs_writer *writer, const char *name, size_t length)
{
    hs_writer_char(writer, '"');
    for (size_t i = 0; i < length; i++) {
        if (name[i] == '"')
            hs_writer_char(writer, '"');
        hs_writer_char(writer, name[i]);
    }
    hs_writer_char(writer, '"');
}

static bool contains_any(const char *name, size_t length, const char *characters)
{
    for (; *characters; characters++)
        if (memchr(name, *characters, length))
            return true;
    return false;
}

int hs_put_tab_name(hs_writer *writer, const char *name, size_t length, hsel_error *error)
{
    if (contains_any(name, length, "\t\n\r"))
        return hs_fail(error, HSEL_EUNSUPPORTED,
                       "the name '%s' has a tab or line end in it, which an edge list cannot hold; "
                       "write ancestors or rdf instead",
                       name);
    if (starts_oddly(name, length) || quoted_whole(name, length))
        put_quoted(writer, name, length);
    else
        hs_writer_put(writer, name, length);
    return HSEL_OK;
}

int hs_put_csv_name(hs_writer *writer, const char *name, size_t length, hsel_error *error)
{
    if (contains_any(name, length, "\r"))
        return hs_fail(
            error, HSEL_EUNSUPPORTED,
            "the name '%s' has a carriage return in it, which a list of lines cannot hold; "
            "write rdf instead",
            name);
    if (starts_oddly(name, length) || contains_any(name, length, ",\"\t\n"))
        put_quoted(writer, name, length);
    else
        hs_writer_put(writer, name, length);
    return HSEL_OK;
}

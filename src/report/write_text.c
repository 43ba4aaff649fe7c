/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A document for the terminal: tables aligned, the best marked with a star, paragraphs wrapped.
 */
#include <string.h>

#include "report/escape.h"
#include "report/text_table.h"
#include "report/writers.h"

enum { WIDTH = 100 };

/* Words on lines of at most WIDTH columns, from `indent` on; `used` columns of the first line are
 * taken. */
static void wrap(hs_writer *out, const char *words, size_t indent, size_t used)
{
    while (*words) {
        size_t length = strcspn(words, " ");
        char word[512];
        size_t kept = length < sizeof word - 1 ? length : sizeof word - 1;
        memcpy(word, words, kept);
        word[kept] = '\0';
        size_t width = hs_text_width(word);
        if (used > indent && used + 1 + width > WIDTH) {
            hs_writer_printf(out, "\n%*s", (int)indent, "");
            used = indent;
        } else if (used > indent) {
            hs_writer_char(out, ' ');
            used++;
        }
        hs_writer_put(out, words, length);
        used += width;
        words += length;
        words += strspn(words, " ");
    }
    hs_writer_char(out, '\n');
}

static int wrap_plain(hs_writer *out, const char *words, size_t indent, hsel_error *error)
{
    hs_buf plain = {0};
    hs_plain_text(&plain, words);
    int status = plain.failed ? hs_fail_memory(error) : HSEL_OK;
    if (status == HSEL_OK)
        wrap(out, plain.text ? plain.text : "", indent, indent);
    hs_buf_clear(&plain);
    return status;
}

/* Cuts what is too long for a table, between two characters. */
static void cut(hs_buf *text)
{
    enum { LONGEST = 72 };
    size_t width = 0, end = 0;
    if (hs_text_width(text->text) <= LONGEST)
        return;
    while (width < LONGEST - 1)
        width += ((unsigned char)text->text[++end] & 0xc0) != 0x80;
    text->length = end;
    hs_buf_text(text, "…");
}

static void cell(hs_text_table *table, const hs_cell *shown, hs_buf *plain)
{
    plain->length = 0;
    hs_plain_text(plain, shown->text);
    if (plain->failed || plain->length == 0) {
        hs_table_cell(table, "%s", "");
        return;
    }
    cut(plain);
    if (shown->aside) /* of a published value, the difference */
        hs_buf_printf(plain, " (%s)",
                      strchr(shown->aside, ' ') ? strchr(shown->aside, ' ') + 1 : shown->aside);
    hs_table_cell(table, "%s%s", shown->flags & HS_CELL_BEST ? "*" : "", plain->text);
}

static int table(hs_writer *out, const hs_grid *grid, hsel_error *error)
{
    hs_arena arena = {0};
    hs_buf plain = {0};
    hs_text_table aligned = {.arena = &arena, .columns = grid->columns};
    for (size_t i = 0; i < (grid->rows + 1) * grid->columns; i++)
        cell(&aligned, i < grid->columns ? &grid->head[i] : &grid->cells[i - grid->columns],
             &plain);
    int status = plain.failed ? hs_fail_memory(error) : wrap_plain(out, grid->caption, 0, error);
    if (status == HSEL_OK)
        status = hs_table_print(&aligned, grid->left, out, error);
    if (status == HSEL_OK && grid->note)
        status = wrap_plain(out, grid->note, 0, error);
    hs_writer_char(out, '\n');
    hs_buf_clear(&plain);
    hs_arena_clear(&arena);
    return status;
}

static int heading(hs_writer *out, const char *title, char line, hsel_error *error)
{
    int status = wrap_plain(out, title, 0, error);
    size_t width = hs_text_width(title);
    for (size_t i = 0; i < width && i < WIDTH; i++)
        hs_writer_char(out, line);
    hs_writer_char(out, '\n');
    return status;
}

static int fact(hs_writer *out, const hs_part *part, hsel_error *error)
{
    hs_buf plain = {0};
    hs_plain_text(&plain, part->text);
    int status = plain.failed ? hs_fail_memory(error) : HSEL_OK;
    hs_writer_printf(out, "%-18s", part->title);
    if (status == HSEL_OK)
        wrap(out, plain.text ? plain.text : "", 18, 18);
    hs_buf_clear(&plain);
    return status;
}

static int show(hs_writer *out, const hs_part *part, const hs_part *next, hsel_error *error)
{
    int status = HSEL_OK;
    switch (part->kind) {
    case HS_PART_HEADING:
        return heading(out, part->title, '-', error);
    case HS_PART_TEXT:
        status = wrap_plain(out, part->text, 0, error);
        hs_writer_char(out, '\n');
        return status;
    case HS_PART_FACT:
        status = fact(out, part, error);
        if (!next || next->kind != HS_PART_FACT)
            hs_writer_char(out, '\n');
        return status;
    case HS_PART_GRID:
        return table(out, part->grid, error);
    default:
        return HSEL_OK;
    }
}

int hs_write_text(const hs_document *doc, hs_writer *out, hsel_error *error)
{
    hs_writer_for_people(out);
    int status = heading(out, doc->title, '=', error);
    for (size_t i = 0; i < doc->count && status == HSEL_OK; i++)
        if (doc->parts[i].where & HS_IN_TEXT)
            status =
                show(out, &doc->parts[i], i + 1 < doc->count ? &doc->parts[i + 1] : NULL, error);
    return status;
}

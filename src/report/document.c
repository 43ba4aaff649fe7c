/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Putting a document together.
 */
#include "report/document.h"

#include <stdarg.h>
#include <string.h>

#include "core/text.h"

void hs_document_clear(hs_document *doc)
{
    hs_arena_clear(&doc->arena);
    *doc = (hs_document){0};
}

int hs_document_check(const hs_document *doc, hsel_error *error)
{
    return doc->failed ? hs_fail_memory(error) : HSEL_OK;
}

void *hs_document_room(hs_document *doc, size_t count, size_t size)
{
    void *room = doc->failed ? NULL : hs_arena_zero(&doc->arena, count, size);
    doc->failed |= !room;
    return room;
}

const char *hs_say(hs_document *doc, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = hs_vprint(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length < 0 ? NULL : hs_document_room(doc, (size_t)length + 1, 1);
    if (!text)
        return "";
    va_start(arguments, format);
    hs_vprint(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

static void add(hs_document *doc, const hs_part *part)
{
    if (doc->count == doc->capacity) {
        size_t capacity = doc->capacity ? doc->capacity * 2 : 64;
        hs_part *parts = hs_document_room(doc, capacity, sizeof *parts);
        if (!parts)
            return;
        if (doc->count)
            memcpy(parts, doc->parts, doc->count * sizeof *parts);
        doc->parts = parts;
        doc->capacity = capacity;
    }
    doc->parts[doc->count] = *part;
    doc->parts[doc->count++].where = doc->where ? doc->where : HS_IN_ALL;
}

void hs_add_heading(hs_document *doc, int level, const char *title)
{
    add(doc, &(hs_part){.kind = HS_PART_HEADING, .level = level, .title = title});
}

void hs_add_text(hs_document *doc, const char *text)
{
    add(doc, &(hs_part){.kind = HS_PART_TEXT, .text = text});
}

void hs_add_fact(hs_document *doc, const char *title, const char *text)
{
    add(doc, &(hs_part){.kind = HS_PART_FACT, .title = title, .text = text});
}

void hs_add_picture(hs_document *doc, const hs_picture *picture)
{
    hs_picture *copy = hs_document_room(doc, 1, sizeof *copy);
    if (!copy)
        return;
    *copy = *picture;
    add(doc, &(hs_part){.kind = HS_PART_PICTURE, .picture = copy});
}

void hs_add_fold(hs_document *doc, const char *title)
{
    add(doc, &(hs_part){.kind = HS_PART_FOLD, .title = title});
}

void hs_add_unfold(hs_document *doc) { add(doc, &(hs_part){.kind = HS_PART_UNFOLD}); }

hs_grid *hs_add_grid(hs_document *doc, const char *caption, size_t columns, size_t rows,
                     size_t left)
{
    hs_grid *grid = hs_document_room(doc, 1, sizeof *grid);
    hs_cell *cells = hs_document_room(doc, columns * (rows + 1), sizeof *cells);
    if (!grid || !cells)
        return NULL;
    for (size_t i = 0; i < columns * (rows + 1); i++)
        cells[i].text = "";
    *grid = (hs_grid){.caption = caption,
                      .columns = columns,
                      .rows = rows,
                      .left = left,
                      .head = cells,
                      .cells = cells + columns};
    add(doc, &(hs_part){.kind = HS_PART_GRID, .grid = grid});
    return grid;
}

void hs_set_head(hs_grid *grid, size_t column, const char *text)
{
    if (grid)
        grid->head[column].text = text;
}

void hs_set(hs_grid *grid, size_t row, size_t column, const char *text)
{
    hs_set_cell(grid, row, column, (hs_cell){.text = text});
}

void hs_set_cell(hs_grid *grid, size_t row, size_t column, hs_cell cell)
{
    if (grid)
        grid->cells[row * grid->columns + column] = cell;
}

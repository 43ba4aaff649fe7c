/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text tables and wrapped words.
 */
#include "report/text_table.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/json.h"

void hs_table_cell(hs_text_table *table, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = hs_vprint(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length < 0 ? NULL : hs_arena_alloc(table->arena, (size_t)length + 1, 1);
    if (table->cells == table->capacity) {
        size_t capacity = table->capacity ? table->capacity * 2 : 64;
        const char **cell = HS_ARENA_NEW(table->arena, const char *, capacity);
        if (cell && table->cells)
            memcpy(cell, table->cell, table->cells * sizeof *cell);
        table->cell = cell ? cell : table->cell;
        table->capacity = cell ? capacity : table->capacity;
    }
    if (!text || table->cells == table->capacity) {
        table->failed = true;
        return;
    }
    va_start(arguments, format);
    hs_vprint(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    table->cell[table->cells++] = text;
}

void hs_put_wrapped(hs_writer *out, const char *words, size_t width, size_t indent)
{
    size_t used = indent;
    bool begun = true; /* the line has its blanks */
    while (*(words += strspn(words, " "))) {
        size_t length = strcspn(words, " \n");
        char word[512]; /* longer ones fill a line anyway */
        snprintf(word, sizeof word, "%.*s", (int)length, words);
        size_t columns = hs_text_width(word);
        if (*words == '\n' || (used > indent && used + 1 + columns > width)) {
            hs_writer_char(out, '\n');
            used = indent;
            begun = false;
            words += *words == '\n';
            continue;
        }
        hs_writer_printf(out, "%*s", !begun ? (int)indent : used > indent, "");
        hs_writer_put(out, words, length);
        used += columns + (used > indent);
        begun = true;
        words += length;
    }
    hs_writer_char(out, '\n');
}

const char *hs_shown(const char *text, hs_arena *arena)
{
    char shown[HS_SHOWN_ROOM];
    size_t length = strlen(text), space = 1, taken, used = 0;
    for (size_t i = 0; i < length; i += taken)
        space += hs_show_character(text + i, length - i, shown, &taken);
    if (space == length + 1)
        return text;
    char *copy = hs_arena_alloc(arena, space, 1);
    for (size_t i = 0; copy && i < length; i += taken)
        used += hs_show_character(text + i, length - i, copy + used, &taken);
    if (copy)
        copy[used] = '\0';
    return copy ? copy : "?";
}

int hs_table_print(const hs_text_table *table, size_t left, hs_writer *out, hsel_error *error)
{
    size_t *width = hs_arena_zero(table->arena, table->columns, sizeof *width);
    if (table->failed || !width)
        return hs_fail_memory(error);
    for (size_t i = 0; i < table->cells; i++)
        table->cell[i] = hs_shown(table->cell[i], table->arena);
    for (size_t i = 0; i < table->cells; i++)
        if (hs_text_width(table->cell[i]) > width[i % table->columns])
            width[i % table->columns] = hs_text_width(table->cell[i]);
    for (size_t i = 0; i < table->cells; i++) {
        size_t column = i % table->columns, gap = width[column] - hs_text_width(table->cell[i]);
        bool last = column + 1 == table->columns;
        if (column >= left)
            hs_writer_printf(out, "%*s%s", (int)gap, "", table->cell[i]);
        else
            hs_writer_printf(out, "%s%*s", table->cell[i], last ? 0 : (int)gap, "");
        hs_writer_text(out, last ? "\n" : "  ");
    }
    return HSEL_OK;
}

int hs_table_print_csv(const hs_text_table *table, hs_writer *out, hsel_error *error)
{
    if (table->failed)
        return hs_fail_memory(error);
    for (size_t i = 0; i < table->cells; i++) {
        hs_put_csv(out, table->cell[i]);
        hs_writer_char(out, (i + 1) % table->columns ? ',' : '\n');
    }
    return HSEL_OK;
}

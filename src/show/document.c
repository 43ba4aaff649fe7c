/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Putting a document together, and how numbers look in it.
 */
#include "show/document.h"

#include "show/comparison.h"

void hs_document_clear(hs_document *doc)
{
    hs_arena_clear(&doc->arena);
    *doc = (hs_document){0};
}

int hs_document_check(const hs_document *doc, hsel_error *error)
{
    return doc->failed ? hs_fail_memory(error) : HSEL_OK;
}

void *hs_document_space(hs_document *doc, size_t count, size_t size)
{
    void *space = doc->failed ? NULL : hs_arena_zero(&doc->arena, count, size);
    doc->failed |= !space;
    return space;
}

HS_PRINTF(2, 0)
static const char *say(hs_document *doc, const char *format, va_list arguments)
{
    char words[1024]; /* options are named as the client does */
    va_list again;
    va_copy(again, arguments);
    if (strchr(format, '{'))
        format = hs_words(format, words, sizeof words, NULL, 0);
    int length = hs_vprint(NULL, 0, format, arguments);
    char *text = length < 0 ? NULL : hs_document_space(doc, (size_t)length + 1, 1);
    if (text)
        hs_vprint(text, (size_t)length + 1, format, again);
    va_end(again);
    return text ? text : "";
}

const char *hs_say(hs_document *doc, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = say(doc, format, arguments);
    va_end(arguments);
    return text;
}

const char *hs_say_more(hs_document *doc, const char *list, const char *item)
{
    return hs_say(doc, "%s%s%s", list, *list ? ", " : "", item);
}

const char *hs_say_cut(hs_document *doc, const char *text, size_t columns)
{
    text = hs_shown(text, &doc->arena);
    return hs_text_width(text) <= columns
               ? text
               : hs_say(doc, "%.*s…", (int)hs_fitting(text, columns - 1), text);
}

static void add(hs_document *doc, hs_part part)
{
    part.where = doc->where ? doc->where : HS_IN_ALL;
    doc->failed |=
        !hs_arena_grow(&doc->arena, &doc->parts, doc->count, &doc->capacity, sizeof part);
    if (!doc->failed)
        doc->parts[doc->count++] = part;
}

void hs_add_heading(hs_document *doc, int level, const char *title)
{
    add(doc, (hs_part){.kind = HS_PART_HEADING, .level = level, .title = title});
}

void hs_add_text(hs_document *doc, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(doc, (hs_part){.kind = HS_PART_TEXT, .text = say(doc, format, arguments)});
    va_end(arguments);
}

void hs_add_fact(hs_document *doc, const char *title, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(doc, (hs_part){.kind = HS_PART_FACT, .title = title, .text = say(doc, format, arguments)});
    va_end(arguments);
}

void hs_add_picture(hs_document *doc, const char *alt, const char *caption, const hs_buf *svg)
{
    add(doc, (hs_part){.kind = HS_PART_PICTURE,
                       .title = alt,
                       .text = caption,
                       .svg = hs_say(doc, "%s", svg->text)});
}

void hs_add_part(hs_document *doc, hs_part_kind kind, const char *title)
{
    add(doc, (hs_part){.kind = kind, .title = title});
}

void hs_add_link(hs_document *doc, const char *title, const char *where)
{
    add(doc, (hs_part){.kind = HS_PART_LINK, .title = title, .text = where});
}

hs_doc_grid *hs_add_grid(hs_document *doc, size_t columns, size_t left, const char *caption, ...)
{
    va_list arguments;
    va_start(arguments, caption);
    const char *text = say(doc, caption, arguments);
    va_end(arguments);
    hs_doc_grid *grid = hs_document_space(doc, 1, sizeof *grid);
    grid = grid ? grid : &doc->lost;
    *grid = (hs_doc_grid){.doc = doc, .caption = text, .columns = columns, .left = left};
    add(doc, (hs_part){.kind = HS_PART_GRID, .grid = grid});
    return grid;
}

void hs_put_cell(hs_doc_grid *grid, hs_cell cell)
{
    hs_document *doc = grid->doc;
    doc->failed |=
        !hs_arena_grow(&doc->arena, &grid->head, grid->used, &grid->capacity, sizeof cell);
    if (doc->failed)
        return;
    grid->head[grid->used++] = cell;
    grid->cells = grid->head + grid->columns;
    grid->rows = (grid->used - 1) / grid->columns;
}

void hs_putf(hs_doc_grid *grid, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    hs_put_cell(grid, (hs_cell){.text = say(grid->doc, format, arguments)});
    va_end(arguments);
}

void hs_put_number(hs_doc_grid *grid, double value, int digits, bool csv)
{
    char all[32];
    if (isnan(value))
        HS_ROW(grid, csv ? "" : HS_NOTHING);
    else if (csv)
        hs_putf(grid, "%.*s", (int)hs_format_double(value, all), all);
    else
        hs_putf(grid, "%.*g", digits, value);
}

void hs_put_texts(hs_doc_grid *grid, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hs_put_cell(grid, (hs_cell){.text = texts[i]});
}

/* ---- how numbers look ---- */

const char *hs_percent(hs_document *doc, double share)
{
    return isnan(share) ? HS_NOTHING : hs_say(doc, "%.1f", 100 * share);
}

hs_cell hs_percent_cell(hs_document *doc, double share)
{
    return hs_value_cell(doc, HS_METRIC_ACCURACY, share);
}

const char *hs_value_text(hs_document *doc, hs_metric metric, double value)
{
    return isnan(value)                  ? HS_NOTHING
           : hs_metric_scale(metric) > 1 ? hs_percent(doc, value)
                                         : hs_say(doc, "%.4g", value);
}

const char *hs_value_exactly(hs_document *doc, hs_metric metric, double value)
{
    bool share = hs_metric_scale(metric) > 1;
    char digits[32];
    hs_format_double(share ? 100 * value : value, digits);
    return hs_say(doc, "%s%s", digits, share ? " %" : "");
}

hs_cell hs_value_cell(hs_document *doc, hs_metric metric, double value)
{
    if (isnan(value))
        return HS_QUIET;
    return (hs_cell){.text = hs_value_text(doc, metric, value),
                     .exact = hs_value_exactly(doc, metric, value)};
}

const char *hs_difference(hs_document *doc, hs_metric metric, double difference)
{
    double shown = hs_metric_scale(metric) > 1 ? round(1000 * difference) / 1000 : difference;
    return shown == 0 ? "="
                      : hs_say(doc, "%s%s", shown < 0 ? "−" : "+",
                               hs_value_text(doc, metric, fabs(shown)));
}

const char *hs_decimal(hs_document *doc, double number, int decimals)
{
    return isnan(number) ? HS_NOTHING : hs_say(doc, "%.*f", decimals, number);
}

const char *hs_milliseconds(hs_document *doc, double seconds)
{
    double ms = 1000 * seconds;
    return isnan(seconds) ? HS_NOTHING
           : ms >= 99.95  ? hs_grouped(doc, (uint64_t)llround(ms))
                          : hs_say(doc, ms >= 0.9995 ? "%.1f" : "%.3f", ms);
}

const char *hs_p_value(hs_document *doc, double p, bool sentence)
{
    char text[32];
    return hs_say(doc, "%s", hs_p_text(p, sentence, text));
}

const char *hs_grouped(hs_document *doc, uint64_t number)
{
    char digits[32];
    hs_format_grouped(number, digits);
    return hs_say(doc, "%s", digits);
}

const char *hs_plural(hs_document *doc, uint64_t count, const char *one)
{
    static const char *const verbs[][2] = {
        {" is", " are"}, {" was", " were"}, {" has", " have"}, {" leads", " lead"}, {"", ""}};
    size_t v = 0;
    while (!hs_ends_with(one, verbs[v][0]))
        v++;
    const int noun = (int)(strlen(one) - strlen(verbs[v][0]));
    return count == 1 ? hs_say(doc, "1 %s", one)
                      : hs_say(doc, "%s %.*ss%s", hs_grouped(doc, count), noun, one, verbs[v][1]);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Walking through grids. A choice is either {a,b,c}, whose items may be ranges, or a range that is
 * the whole value of an option ("=0..1/0.01"). Ranges are computed in whole numbers, never by
 * adding up a rounded step.
 */
#define _GNU_SOURCE /* memmem */
#include "study/grid.h"

#include <ctype.h>
#include <inttypes.h>

#define DIGITS_LIMIT 17 /* of a number in a range, which then fits into 64 bits */

/* ---- ranges ---- */

/* [-]digits[.digits] in units of 10^-digits. */
static bool read_decimal(const char *text, size_t length, int64_t *value, int *digits)
{
    bool negative = length && (*text == '-' || *text == '+') && length-- && *text++ == '-';
    bool after_point = false;
    int figures = 0;
    *value = *digits = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '.' && !after_point && i > 0 && i + 1 < length) {
            after_point = true;
        } else if (isdigit((unsigned char)text[i]) && ++figures <= DIGITS_LIMIT) {
            *value = *value * 10 + (text[i] - '0');
            *digits += after_point;
        } else {
            return false;
        }
    }
    *value = negative ? -*value : *value;
    return figures > 0;
}

static bool scale(int64_t *value, int from, int to)
{
    for (; from < to; from++)
        if (__builtin_mul_overflow(*value, 10, value))
            return false;
    return true;
}

static bool looks_like_range(const char *text, size_t length)
{
    size_t sign = length && (*text == '-' || *text == '+');
    return length > sign && isdigit((unsigned char)text[sign]) && memmem(text, length, "..", 2);
}

/* LOW..HIGH or LOW..HIGH/STEP; without a step, 1. */
static int read_range(const char *text, size_t length, hs_grid_range *out, hsel_error *error)
{
    const char *end = text + length, *dots = memmem(text, length, "..", 2), *high = dots + 2;
    const char *slash = memchr(high, '/', (size_t)(end - high)), *high_end = slash ? slash : end;
    int64_t top, span;
    int digits[3] = {0}, shown = (int)(length < 200 ? length : 200);
    out->step = 1;
    if (!read_decimal(text, (size_t)(dots - text), &out->low, &digits[0]) ||
        !read_decimal(high, (size_t)(high_end - high), &top, &digits[1]) ||
        (slash && !read_decimal(slash + 1, (size_t)(end - slash - 1), &out->step, &digits[2])))
        return hs_fail(error, HSEL_EUSAGE,
                       "'%.*s' is not a range: write LOW..HIGH/STEP in decimals, e.g. 0..1/0.05",
                       shown, text);
    if (out->step <= 0)
        return hs_fail(error, HSEL_EUSAGE, "the range %.*s needs a step above 0", shown, text);
    for (int i = 0; i < 3; i++)
        out->digits = digits[i] > out->digits ? digits[i] : out->digits;
    if (!scale(&out->low, digits[0], out->digits) || !scale(&top, digits[1], out->digits) ||
        !scale(&out->step, digits[2], out->digits) || __builtin_sub_overflow(top, out->low, &span))
        return hs_fail(error, HSEL_ELIMIT, "the range %.*s has too many digits", shown, text);
    if (span < 0)
        return hs_fail(error, HSEL_EUSAGE, "the range %.*s is empty: write the lower end first",
                       shown, text);
    out->count = (uint64_t)(span / out->step) + 1;
    return HSEL_OK;
}

/* ---- choices ---- */

/* Moves the walk of a choice to the item that begins at `item`. */
static int enter_item(hs_grid_choice *choice, const char *item, hsel_error *error)
{
    const char *last = choice->end - choice->in_braces;
    const char *comma = choice->in_braces ? memchr(item, ',', (size_t)(last - item)) : NULL;
    choice->item = item;
    choice->item_end = comma ? comma : last;
    choice->at = 0;
    choice->range = (hs_grid_range){0};
    size_t length = (size_t)(choice->item_end - item);
    if (length == 0)
        return hs_fail(error, HSEL_EUSAGE, "an empty choice in '%.*s'",
                       (int)(choice->end - choice->begin < 200 ? choice->end - choice->begin : 200),
                       choice->begin);
    return looks_like_range(item, length) ? read_range(item, length, &choice->range, error)
                                          : HSEL_OK;
}

#define first_item(choice)   ((choice)->begin + (choice)->in_braces)
#define at_last_item(choice) ((choice)->item_end == (choice)->end - (choice)->in_braces)

/* Checks and counts the values of a choice; its walk then stands at the first. */
static int add_choice(hs_grid *grid, const char *begin, const char *end, bool in_braces,
                      hsel_error *error)
{
    uint64_t count = 0;
    if (grid->choice_count == HS_GRID_CHOICES)
        return hs_fail(error, HSEL_ELIMIT, "more than %d braces and ranges in '%.200s'",
                       HS_GRID_CHOICES, grid->text);
    hs_grid_choice *choice = &grid->choices[grid->choice_count++];
    *choice = (hs_grid_choice){.begin = begin, .end = end, .in_braces = in_braces};
    HS_TRY(enter_item(choice, first_item(choice), error));
    for (;;) {
        if (__builtin_add_overflow(count, choice->range.count ? choice->range.count : 1, &count))
            return hs_fail(error, HSEL_ELIMIT, "a grid of more than 2^64 settings");
        if (at_last_item(choice))
            break;
        HS_TRY(enter_item(choice, choice->item_end + 1, error));
    }
    if (__builtin_mul_overflow(grid->count, count, &grid->count))
        return hs_fail(error, HSEL_ELIMIT, "'%.200s' stands for more than 2^64 settings",
                       grid->text);
    return enter_item(choice, first_item(choice), error);
}

int hs_grid_init(const char *text, hs_grid *out, hsel_error *error)
{
    *out = (hs_grid){.text = text, .count = 1};
    for (const char *at = text; *at;) {
        const char *end = at + 1;
        if (*at == '{') {
            end += strcspn(end, "{}");
            if (*end != '}')
                return hs_fail(error, HSEL_EUSAGE,
                               *end ? "braces within braces in '%.200s'"
                                    : "a brace is not closed in '%.200s'",
                               text);
            HS_TRY(add_choice(out, at, ++end, true, error));
        } else if (*at == '}') {
            return hs_fail(error, HSEL_EUSAGE, "a brace is closed that was not opened in '%.200s'",
                           text);
        } else if (*at == '=' && looks_like_range(end, strcspn(end, ",{}"))) {
            end += strcspn(end, ",{}");
            HS_TRY(add_choice(out, at + 1, end, false, error));
        }
        at = end;
    }
    return HSEL_OK;
}

bool hs_grid_next(hs_grid *grid)
{
    for (size_t i = grid->choice_count; i-- > 0;) {
        hs_grid_choice *choice = &grid->choices[i];
        if (choice->range.count && ++choice->at < choice->range.count)
            return true;
        bool more = !at_last_item(choice);
        /* Items were checked when they were counted. */
        (void)!enter_item(choice, more ? choice->item_end + 1 : first_item(choice), NULL);
        if (more)
            return true;
    }
    return false;
}

static void choice_value(const hs_grid_choice *choice, hs_buf *out)
{
    const hs_grid_range *range = &choice->range;
    if (!range->count) {
        hs_buf_add(out, choice->item, (size_t)(choice->item_end - choice->item));
        return;
    }
    int64_t value = range->low + (int64_t)choice->at * range->step;
    uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value, unit = 1;
    int digits = range->digits;
    for (; digits > 0 && size % 10 == 0; digits--)
        size /= 10;
    for (int i = 0; i < digits; i++)
        unit *= 10;
    hs_buf_printf(out, "%s%" PRIu64, value < 0 ? "-" : "", size / unit);
    if (digits > 0)
        hs_buf_printf(out, ".%0*" PRIu64, digits, size % unit);
}

void hs_grid_text(const hs_grid *grid, hs_buf *out)
{
    const char *from = grid->text;
    for (size_t i = 0; i < grid->choice_count; i++) {
        hs_buf_add(out, from, (size_t)(grid->choices[i].begin - from));
        choice_value(&grid->choices[i], out);
        from = grid->choices[i].end;
    }
    hs_buf_text(out, from);
}

void hs_grid_chosen(const hs_grid *grid, hs_buf *out)
{
    for (size_t i = 0; i < grid->choice_count; i++) {
        if (i)
            hs_buf_char(out, ',');
        choice_value(&grid->choices[i], out);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Roles of instances as numbers, from O(rows) texts.
 */
#include "data/data.h"

#include <time.h>

/* ---- texts ---- */

/* Exactly `count` digits, after the character `before` (0: none); *text moves past them. */
static bool take_date_digits(const char **text, char before, int count, int *out)
{
    const char *at = *text + (before && **text == before);
    int number = 0;
    if (before && at == *text)
        return false;
    for (int i = 0; i < count; i++, at++) {
        if (*at < '0' || *at > '9')
            return false;
        number = 10 * number + (*at - '0');
    }
    *text = at;
    *out = number;
    return true;
}

bool hs_time_parse(const char *text, double *out, bool *date)
{
    struct tm at = {.tm_mday = 1};
    double fraction = 0;
    *date = false;
    if (hs_parse_double(text, strlen(text), out))
        return isfinite(*out);
    if (!take_date_digits(&text, 0, 4, &at.tm_year) || !take_date_digits(&text, '-', 2, &at.tm_mon))
        return false;
    if (take_date_digits(&text, '-', 2, &at.tm_mday) && (*text == 'T' || *text == ' ')) {
        if (!take_date_digits(&text, *text, 2, &at.tm_hour) ||
            !take_date_digits(&text, ':', 2, &at.tm_min))
            return false;
        if (take_date_digits(&text, ':', 2, &at.tm_sec) && *text == '.') {
            const size_t length = 1 + strspn(text + 1, "0123456789");
            if (length == 1 || !hs_parse_double(text, length, &fraction))
                return false;
            text += length;
        }
        text += *text == 'Z';
    }
    at.tm_year -= 1900;
    at.tm_mon--;
    const struct tm given = at; /* timegm changes 30 February to 1 March */
    *date = true;
    *out = (double)timegm(&at) + fraction;
    return *text == '\0' && at.tm_mon == given.tm_mon && at.tm_mday == given.tm_mday &&
           at.tm_hour == given.tm_hour && at.tm_min == given.tm_min && at.tm_sec == given.tm_sec;
}

int hs_test_parse(const char *text)
{
    static const char *const words[2][7] = {{"train", "training", "no", "false", "f", "0", "0.0"},
                                            {"test", "testing", "yes", "true", "t", "1", "1.0"}};
    if (!text || !*text)
        return 0;
    for (int w = 0; w < 14; w++)
        if (hs_equal_nocase(text, strlen(text), words[w / 7][w % 7]))
            return w / 7;
    return -1;
}

int hs_test_of(const hsel_dataset *data, uint32_t row, bool *out, hsel_error *error)
{
    const hs_about *about = &data->instance_about;
    const char *text = hs_about_get(about, row, hs_about_column(about, HS_ABOUT_TEST));
    const int test = hs_test_parse(text);
    if (test < 0)
        return hs_fail(error, HSEL_EUSAGE,
                       "{test-set}: instance %u of %s is in the set '%.80s', which is neither test "
                       "(yes, true, 1) nor train (no, false, 0)",
                       row + 1, hsel_dataset_name(data), text);
    *out = test;
    return HSEL_OK;
}

int hs_weights_of(const hsel_dataset *data, double **out, hsel_error *error)
{
    const hs_about *about = &data->instance_about;
    const uint32_t column = hs_about_column(about, HS_ABOUT_WEIGHT);
    *out = NULL;
    if (column == HSEL_NONE)
        return HSEL_OK;
    HS_OWNED double *weight = HS_NEW(double, data->instances);
    HS_NEED(weight);
    for (uint32_t i = 0; i < data->instances; i++) {
        const char *text = hs_about_get(about, i, column);
        if (!text)
            return hs_fail(error, HSEL_EUSAGE, "{weights}: instance %u of %s has no weight", i + 1,
                           hsel_dataset_name(data));
        if (!hs_parse_double(text, strlen(text), &weight[i]) || !isfinite(weight[i]) ||
            weight[i] <= 0)
            return hs_fail(error, HSEL_EUSAGE,
                           "{weights}: instance %u of %s has the weight '%.80s', which is not a "
                           "number above 0",
                           i + 1, hsel_dataset_name(data), text);
    }
    *out = hs_take(&weight);
    return HSEL_OK;
}

int hs_weights_check(const hsel_dataset *data, hsel_error *error)
{
    HS_OWNED double *weight = NULL;
    return hs_weights_of(data, &weight, error);
}

/* ---- units ---- */

void hs_units_clear(hs_units *units)
{
    hs_free(units->of);
    *units = (hs_units){0};
}

static int find_largest(hs_units *units, uint32_t rows, hsel_error *error)
{
    HS_OWNED uint32_t *size = HS_NEW_ZERO(uint32_t, units->count);
    HS_NEED(size);
    units->largest = 0;
    for (uint32_t i = 0; i < rows; i++)
        if (++size[units->of[i]] > units->largest)
            units->largest = size[units->of[i]];
    return HSEL_OK;
}

int hs_units_by_group(const hs_view *view, hs_units *out, hsel_error *error)
{
    const hs_about *about = &view->data->instance_about;
    const uint32_t column = hs_about_column(about, HS_ABOUT_GROUP), rows = view->row_count;
    HS_OWNS(hs_units_clear) hs_units units = {.of = HS_NEW(uint32_t, rows)};
    HS_OWNS(hs_names_clear) hs_names names = {0};
    HS_OWNED uint32_t *unit_of = HS_NEW(uint32_t, rows); /* of a name */
    HS_NEED(units.of && unit_of);
    for (uint32_t i = 0; i < rows; i++) {
        const char *text = hs_about_get(about, hs_view_row(view, i), column);
        uint32_t id = HSEL_NONE;
        bool added = true;
        if (text)
            HS_TRY(hs_names_intern(&names, text, strlen(text), &id, &added, error));
        units.of[i] = added ? units.count++ : unit_of[id];
        if (text && added)
            unit_of[id] = units.of[i];
    }
    HS_TRY(find_largest(&units, rows, error));
    HS_MOVE(out, &units);
    return HSEL_OK;
}

int hs_units_by_time(const hs_view *view, hs_units *out, hsel_error *error)
{
    const hsel_dataset *data = view->data;
    const hs_about *about = &data->instance_about;
    const uint32_t column = hs_about_column(about, HS_ABOUT_TIME), rows = view->row_count;
    HS_OWNS(hs_units_clear) hs_units units = {.of = HS_NEW(uint32_t, rows)};
    HS_OWNED double *time = HS_NEW(double, rows);
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, rows);
    bool date, dates = false;
    HS_NEED(units.of && time && order);
    for (uint32_t i = 0; i < rows; i++) {
        const uint32_t row = hs_view_row(view, i);
        const char *text = hs_about_get(about, row, column);
        if (!text)
            return hs_fail(error, HSEL_EUSAGE, "{time}: instance %u of %s has no time", row + 1,
                           hsel_dataset_name(data));
        if (!hs_time_parse(text, &time[i], &date)) {
            const char *clock = strchr(text, ':');
            return hs_fail(error, HSEL_EUSAGE, "{time}: instance %u of %s has '%.80s', which %s",
                           row + 1, hsel_dataset_name(data), text,
                           clock && strpbrk(clock, "+-")
                               ? "has an offset from UTC: convert all times to UTC"
                               : "is neither a number nor a date such as 2026-03-01 or "
                                 "2026-03-01T12:30");
        }
        if (i && date != dates)
            return hs_fail(error, HSEL_EUSAGE,
                           "the times of %s must be either all numbers or all dates",
                           hsel_dataset_name(data));
        dates = date;
    }
    hs_order_all(time, HS_UPWARDS, order, rows);
    for (uint32_t i = 0; i < rows; i++) {
        units.count += i == 0 || time[order[i]] > time[order[i - 1]];
        units.of[order[i]] = units.count - 1;
    }
    HS_TRY(find_largest(&units, rows, error));
    HS_MOVE(out, &units);
    return HSEL_OK;
}

/* ---- exchange of rows ---- */

void hs_exchange_clear(hs_exchange *exchange)
{
    hs_sparse_clear(&exchange->blocks);
    hs_sparse_clear(&exchange->lists);
    *exchange = (hs_exchange){0};
}

/* Numbers the pairs of numbers that occur, in the order of first occurrence. */
static int join_pairs(const uint32_t *first, const uint32_t *second, uint32_t count, uint32_t *out,
                      uint32_t *pairs, hsel_error *error)
{
    HS_OWNS(hs_names_clear) hs_names names = {0};
    for (uint32_t i = 0; i < count; i++) {
        char text[32];
        const int length =
            snprintf(text, sizeof text, "%x %x", first ? first[i] : 0, second ? second[i] : 0);
        HS_TRY(hs_names_intern(&names, text, (size_t)length, &out[i], NULL, error));
    }
    *pairs = names.count;
    return HSEL_OK;
}

int hs_exchange_init(const hs_view *view, const uint32_t *stratum, const uint32_t *value,
                     hs_exchange *out, hsel_error *error)
{
    const uint32_t rows = view->row_count;
    const bool grouped = hs_has_role(view->data, HS_ABOUT_GROUP);
    HS_OWNS(hs_exchange_clear) hs_exchange made = {.grouped = grouped, .between = grouped};
    HS_OWNS(hs_units_clear) hs_units groups = {0};
    HS_OWNED uint32_t *block = HS_NEW(uint32_t, rows), *list = HS_NEW(uint32_t, rows),
                      *first = HS_NEW(uint32_t, rows), *size = HS_NEW_ZERO(uint32_t, rows);
    HS_OWNED bool *mixed = HS_NEW_ZERO(bool, rows);
    uint32_t blocks = rows, lists = 0, strata = 0;
    HS_NEED(block && list && first && size && mixed);
    for (uint32_t i = 0; i < rows; i++) {
        block[i] = i;
        list[i] = stratum ? stratum[i] : 0;
        strata = list[i] < strata ? strata : list[i] + 1;
    }
    lists = strata;
    if (grouped) {
        HS_TRY(hs_units_by_group(view, &groups, error));
        HS_TRY(join_pairs(stratum, groups.of, rows, block, &blocks, error));
        for (uint32_t i = 0; i < rows; i++) {
            if (!size[block[i]]++)
                first[block[i]] = i;
            else if (value && value[i] != value[first[block[i]]])
                mixed[block[i]] = true;
            made.between &= !mixed[block[i]];
        }
        made.spans = made.between && blocks > groups.count;
        for (uint32_t b = 0; b < blocks; b++)
            list[b] = stratum ? stratum[first[b]] : 0;
        if (made.between) {
            HS_TRY(join_pairs(list, size, blocks, first, &lists, error));
            memcpy(list, first, blocks * sizeof *list);
        } else { /* rows move separately within their block, if its values differ */
            for (uint32_t b = 0; b < blocks; b++)
                made.fixed += size[b] > 1 && !mixed[b] ? size[b] : 0;
            memcpy(list, block, rows * sizeof *list);
            lists = blocks;
            blocks = rows;
            for (uint32_t i = 0; i < rows; i++)
                block[i] = i;
        }
    }
    HS_TRY(hs_sparse_group(blocks, block, NULL, rows, &made.blocks, error));
    HS_TRY(hs_sparse_group(lists, list, NULL, blocks, &made.lists, error));
    for (uint32_t l = 0; l < lists; l++)
        if (made.lists.start[l + 1] - made.lists.start[l] == 1) {
            const uint32_t b = made.lists.index[made.lists.start[l]];
            made.fixed += (uint32_t)(made.blocks.start[b + 1] - made.blocks.start[b]);
        }
    HS_MOVE(out, &made);
    return HSEL_OK;
}

int hs_exchange_check(const hs_exchange *exchange, const hsel_dataset *data, hs_notes *notes,
                      hsel_error *error)
{
    const uint32_t rows = (uint32_t)exchange->blocks.start[exchange->blocks.lists];
    if (!exchange->grouped)
        return HSEL_OK;
    if (exchange->fixed == rows)
        return hs_fail(
            error, HSEL_EUSAGE, "nothing can be permuted in %s: %s", hsel_dataset_name(data),
            exchange->between
                ? "whole groups are exchanged, but no two have the same size"
                : "classes are permuted within groups, but every group has only one class");
    for (uint32_t i = 0; i < rows; i++)
        HS_TRY(hs_notes_count(notes, "permutations",
                              exchange->between
                                  ? "instances are not permuted: whole groups are exchanged, but "
                                    "no other group is of the same size"
                                  : "instances are not permuted: classes are permuted within "
                                    "groups, but their group has only one class",
                              i < exchange->fixed, error));
    return HSEL_OK;
}

void hs_exchange_draw(const hs_exchange *exchange, hs_stream *stream, uint32_t *scratch,
                      uint32_t *order)
{
    for (uint32_t l = 0; l < exchange->lists.lists; l++) {
        size_t count, rows;
        const uint32_t *to = hs_sparse_list(&exchange->lists, l, &count);
        if (count)
            memcpy(scratch, to, count * sizeof *scratch);
        hs_random_shuffle(stream, scratch, count);
        for (size_t j = 0; j < count; j++) {
            const uint32_t *there = hs_sparse_list(&exchange->blocks, to[j], &rows),
                           *from = hs_sparse_list(&exchange->blocks, scratch[j], &rows);
            for (size_t r = 0; r < rows; r++)
                order[there[r]] = from[r];
        }
    }
}

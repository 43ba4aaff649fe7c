/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values and lists, row by row of a table, to a file or from one.
 */
#include "core/core.h"

#define SPENT (4 << 20) /* bytes that are discarded at a time */

static double number_at(const hs_file_field *field, const char *values, uint64_t i)
{
    uint32_t word;
    uint64_t longer;
    double real;
    switch (field->type) {
    case HS_FIELD_U8:
        return (unsigned char)values[i];
    case HS_FIELD_U32:
        memcpy(&word, values + i * sizeof word, sizeof word);
        return word;
    case HS_FIELD_U64:
        memcpy(&longer, values + i * sizeof longer, sizeof longer);
        return (double)longer;
    default:
        memcpy(&real, values + i * sizeof real, sizeof real);
        return real;
    }
}

static bool is_sound(const hs_file_field *field, const char *values)
{
    double sum = 0, last = -1;
    if (field->rule == HS_BITS) {
        uint64_t bits = (uint64_t)field->high, word = 0;
        if (bits % 64)
            memcpy(&word, values + bits / 64 * sizeof word, sizeof word);
        return word >> bits % 64 == 0;
    }
    if (field->type == HS_FIELD_BYTES || isnan(field->low))
        return true;
    for (uint64_t i = 0; i < field->count; i++) {
        double number = number_at(field, values, i); /* may be NaN */
        if (!(number >= field->low && number <= field->high) ||
            (field->rule == HS_RISING && number <= last))
            return false;
        sum += last = number;
    }
    return field->rule != HS_SUMMED || sum <= field->high;
}

int hs_fields(hs_transfer *file, const hs_file_field *table, hsel_error *error)
{
    for (const hs_file_field *field = table; field->size; field++) {
        void *values = field->address;
        if (!hs_reads(file)) {
            if (field->is_list)
                memcpy(&values, field->address, sizeof values);
            hs_writer_put(file->out, values, (size_t)field->count * field->size);
            continue;
        }
        if (field->count > file->left / field->size)
            return HSEL_EFORMAT;
        size_t length = (size_t)field->count * field->size;
        if (field->is_list) {
            values = file->arena ? hs_arena_alloc(file->arena, (size_t)field->count, field->size)
                                 : hs_alloc((size_t)field->count, field->size);
            HS_NEED(values);
            memcpy(field->address, &values, sizeof values);
        }
        if (length)
            memcpy(values, file->at, length);
        file->at += length;
        file->left -= length;
        if (file->spent && file->at - file->spent > SPENT) {
            hs_discard(file->spent, file->at);
            file->spent += (file->at - file->spent) / SPENT * SPENT;
        }
        if (!is_sound(field, values))
            return HSEL_EFORMAT;
    }
    return HSEL_OK;
}

int hs_fail_damaged(hsel_error *error, const char *path, const char *kind, const char *fault)
{
    return hs_fail_at(error, HSEL_EFORMAT, path, 0, "the %s is damaged: %s", kind, fault);
}

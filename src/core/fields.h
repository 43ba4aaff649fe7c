/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Binary files described by tables. A table has a row for each value or list, in the order of the
 * file: its place, number and range. The same table writes them and reads them:
 *
 *     HS_FIELDS(file, HS_VALUE(m->features, HS_IS(m->features)), HS_VALUE(m->weight, 0, 1),
 *               HS_LIST(m->parent, m->features, HS_BELOW(m->features)));
 *
 * Input is not trusted: nothing is read beyond the end, no more memory is allocated than the file
 * can fill, and every number is checked against its range.
 */
#pragma once

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/text.h"
#include "core/writer.h"

/* A transfer to or from a file. */
typedef struct hs_transfer {
    hs_writer *out; /* to a file; NULL: from a file, of which … */
    const char *at; /* … this is to come */
    size_t left;
    char *spent;     /* NULL: the bytes stay; else what is before `at` is discarded from here on */
    hs_arena *arena; /* for lists that are read; NULL: allocate each separately (hs_free) */
} hs_transfer;

static inline bool hs_reads(const hs_transfer *file) { return !file->out; }

typedef enum hs_file_field_type {
    HS_FIELD_BYTES, /* is not checked */
    HS_FIELD_U8,
    HS_FIELD_U32,
    HS_FIELD_U64,
    HS_FIELD_DOUBLE
} hs_file_field_type;

typedef enum hs_file_field_rule {
    HS_EACH,   /* each is from low to high */
    HS_RISING, /* and greater than the one before */
    HS_SUMMED, /* and so is their sum */
    HS_BITS    /* 64-bit words of `high` bits; those beyond are 0 */
} hs_file_field_rule;

typedef struct hs_file_field {
    void *address; /* of the first value; of a list: of the pointer to it */
    size_t size;   /* of one; 0 ends a table */
    uint64_t count;
    hs_file_field_type type;
    bool is_list;     /* reading allocates it */
    double low, high; /* NaN: anything */
    hs_file_field_rule rule;
} hs_file_field;

/* clang-format off */
#define HS_FIELD_TYPE(x)                                                                           \
    _Generic((x), uint8_t: HS_FIELD_U8, bool: HS_FIELD_U8, int: HS_FIELD_U32,                      \
             uint32_t: HS_FIELD_U32, uint64_t: HS_FIELD_U64, double: HS_FIELD_DOUBLE,              \
             default: HS_FIELD_BYTES)
/* clang-format on */

/* Rows: one value; `count` values from this one on; a list that reading allocates; bits. Then what
 * they may be: the least and the greatest, or one of the following. */
#define HS_VALUE(value, ...) HS_VALUES(value, 1, __VA_ARGS__)
#define HS_VALUES(first, number, ...)                                                              \
    {                                                                                              \
        .address = &(first), .size = sizeof(first), .count = (number),                             \
        .type = HS_FIELD_TYPE(first), .is_list = false, __VA_ARGS__                                \
    }
#define HS_LIST(pointer, number, ...)                                                              \
    {                                                                                              \
        .address = &(pointer), .size = sizeof *(pointer), .count = (number),                       \
        .type = HS_FIELD_TYPE(*(pointer)), .is_list = true, __VA_ARGS__                            \
    }
#define HS_BIT_SET(words, bits)                                                                    \
    {                                                                                              \
        .address = (words), .size = sizeof *(words), .count = ((uint64_t)(bits) + 63) / 64,        \
        .high = (bits), .rule = HS_BITS                                                            \
    }
#define HS_ANY              NAN, NAN
#define HS_FINITE           -DBL_MAX, DBL_MAX
#define HS_IS(x)            (x), (x)
#define HS_BELOW(limit)     0, (double)(limit)-1
#define HS_ASCENDING(limit) 0, (double)(limit)-1, HS_RISING
#define HS_SUM_TO(limit)    0, (limit), HS_SUMMED

/* HSEL_EFORMAT without a message: the file is truncated, or has numbers out of range. */
HSEL_CHECKED int hs_fields(hs_transfer *file, const hs_file_field *table, hsel_error *error);
/* The same, returning to the caller on failure. */
#define HS_FIELDS(file, ...)                                                                       \
    HS_TRY(hs_fields((file), (const hs_file_field[]){__VA_ARGS__, {.size = 0}}, error))

/* "PATH: the KIND is damaged: FAULT" */
int hs_fail_damaged(hsel_error *error, const char *path, const char *kind, const char *fault);

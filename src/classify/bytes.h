/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Putting numbers into a model file, and taking them out of one, whose bytes nobody vouches for:
 * nothing is read beyond the end.
 */
#ifndef HS_CLASSIFY_BYTES_H
#define HS_CLASSIFY_BYTES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/error.h"
#include "core/mem.h"
#include "core/writer.h"

typedef struct hs_bytes {
    const char *at;
    size_t left;
} hs_bytes;

/* False, and nothing taken, if fewer than `length` bytes are left. */
static inline bool hs_bytes_get(hs_bytes *bytes, void *into, size_t length)
{
    if (length > bytes->left)
        return false;
    memcpy(into, bytes->at, length);
    bytes->at += length;
    bytes->left -= length;
    return true;
}

static inline bool hs_bytes_u32(hs_bytes *bytes, uint32_t *out)
{
    return hs_bytes_get(bytes, out, sizeof *out);
}

/* A finite number. */
static inline bool hs_bytes_double(hs_bytes *bytes, double *out)
{
    return hs_bytes_get(bytes, out, sizeof *out) && isfinite(*out);
}

static inline bool hs_all_finite(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

static inline void hs_put_u32(hs_writer *out, uint32_t value)
{
    hs_writer_put(out, &value, sizeof value);
}

static inline void hs_put_double(hs_writer *out, double value)
{
    hs_writer_put(out, &value, sizeof value);
}

/* A list of a model in its file: where the model has its address, and the size of the list. One
 * table of them writes the lists, reads them and frees them. */
typedef struct hs_field {
    void *address;
    size_t size;
    uint64_t count;
} hs_field;
#define HS_FIELD(pointer, count) ((hs_field){&(pointer), sizeof *(pointer), (count)})

static inline void *hs_field_list(const hs_field *field)
{
    void *list;
    memcpy(&list, field->address, sizeof list);
    return list;
}

static inline void hs_put_fields(hs_writer *out, const hs_field *fields, size_t count)
{
    for (const hs_field *f = fields; f < fields + count; f++)
        hs_writer_put(out, hs_field_list(f), (size_t)f->count * f->size);
}

/* HSEL_EFORMAT without a message: cut off. What was read until then is the model's. */
static inline int hs_get_fields(hs_bytes *bytes, const hs_field *fields, size_t count,
                                hsel_error *error)
{
    for (const hs_field *f = fields; f < fields + count; f++) {
        if (f->count > bytes->left / f->size)
            return HSEL_EFORMAT;
        void *list = hs_alloc((size_t)f->count, f->size);
        HS_NEED(list);
        hs_bytes_get(bytes, list, (size_t)f->count * f->size);
        memcpy(f->address, &list, sizeof list);
    }
    return HSEL_OK;
}

static inline void hs_free_fields(const hs_field *fields, size_t count)
{
    for (const hs_field *f = fields; f < fields + count; f++)
        hs_free(hs_field_list(f));
}

#endif

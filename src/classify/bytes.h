/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Taking numbers out of a model file, whose bytes nobody vouches for: nothing is read beyond the
 * end.
 */
#ifndef HS_CLASSIFY_BYTES_H
#define HS_CLASSIFY_BYTES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

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

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packing whole numbers. Most of them are small and many are 0 (how often a feature was selected),
 * and packing must cost next to nothing beside methods that take some ten microseconds.
 */
#include "study/store_parts.h"

#include "core/mem.h"

static char *put_number(char *at, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *at++ = (char)(value | 0x80);
    *at++ = (char)value;
    return at;
}

void hs_pack_numbers(const uint32_t *numbers, size_t count, hs_buf *out)
{
    /* At most five bytes a number, and ten for the last run of 0. */
    if (out->failed || !HS_GROW(&out->text, &out->capacity, out->length + 5 * count + 11)) {
        out->failed = true;
        return;
    }
    char *at = out->text + out->length;
    for (size_t i = 0; i < count;) {
        size_t run = i;
        at = put_number(at, numbers[i]);
        if (numbers[i++])
            continue;
        while (i < count && numbers[i] == 0)
            i++;
        at = put_number(at, i - run - 1);
    }
    *at = '\0';
    out->length = (size_t)(at - out->text);
}

static bool get_number(const unsigned char **at, const unsigned char *end, uint64_t *out)
{
    *out = 0;
    for (unsigned shift = 0; *at < end && shift < 63; shift += 7) {
        unsigned char byte = *(*at)++;
        *out |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

bool hs_unpack_numbers(const void *bytes, size_t length, uint32_t *numbers, size_t count)
{
    const unsigned char *at = bytes, *end = at + length;
    for (size_t i = 0; i < count;) {
        uint64_t value, more = 0;
        if (!get_number(&at, end, &value) || value > UINT32_MAX ||
            (value == 0 && !get_number(&at, end, &more)) || more > count - i - 1)
            return false;
        for (more++; more > 0; more--)
            numbers[i++] = (uint32_t)value;
    }
    return at == end;
}

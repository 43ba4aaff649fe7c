/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packing whole numbers and bit sets for a store. Most numbers are small and many are 0 (how often
 * a feature was selected), and packing must cost next to nothing beside methods that take some ten
 * microseconds.
 */
#include "study/store_parts.h"

static char *put_number(char *at, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *at++ = (char)(value | 0x80);
    *at++ = (char)value;
    return at;
}

void hs_pack_numbers(const uint32_t *numbers, size_t count, hs_buf *out)
{
    /* At most five bytes per number, and ten for the last run of 0. */
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

bool hs_unpack_numbers(const void *bytes, size_t length, uint32_t limit, uint32_t *numbers,
                       size_t count)
{
    const unsigned char *at = bytes, *end = at + length;
    for (size_t i = 0; i < count;) {
        uint64_t value, more = 0;
        if (!get_number(&at, end, &value) || value > limit ||
            (value == 0 && !get_number(&at, end, &more)) || more > count - i - 1)
            return false;
        for (more++; more > 0; more--)
            numbers[i++] = (uint32_t)value;
    }
    return at == end;
}

/* The first position from `at` on whose bit is not `value`; `count` if there is none. */
static size_t run_end(const uint64_t *bits, size_t at, size_t count, bool value)
{
    while (at < count) {
        uint64_t other = (value ? ~bits[at / 64] : bits[at / 64]) >> at % 64;
        if (other)
            return at + (size_t)__builtin_ctzll(other) < count ? at + (size_t)__builtin_ctzll(other)
                                                               : count;
        at += 64 - at % 64;
    }
    return count;
}

void hs_pack_bits(const uint64_t *bits, size_t sets, size_t count, hs_buf *out)
{
    char number[10];
    hs_buf_add(out, number, (size_t)(put_number(number, sets) - number));
    for (; sets > 0; sets--, bits += hs_bit_words(count)) {
        bool value = false;
        for (size_t at = 0, end; at < count; at = end, value = !value) {
            end = run_end(bits, at, count, value);
            hs_buf_add(out, number, (size_t)(put_number(number, end - at) - number));
        }
    }
}

bool hs_unpack_bits(const void *bytes, size_t length, uint64_t *bits, size_t sets, size_t count)
{
    const unsigned char *at = bytes, *end = at + length;
    uint64_t run;
    if (!get_number(&at, end, &run) || run != sets)
        return false;
    for (; sets > 0; sets--, bits += hs_bit_words(count)) {
        bool value = false;
        for (size_t done = 0; done < count; value = !value) {
            if (!get_number(&at, end, &run) || run > count - done || (run == 0 && done > 0))
                return false;
            for (; run > 0; run--, done++)
                if (value)
                    hs_bit_set(bits, done);
        }
    }
    return at == end;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 512 random arrangements of the classes side by side: an instance has a bit for each, which tells
 * whether it is of the class there.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { HS_LANES = 512, HS_LANE_WORDS = HS_LANES / 64 };

/* count[b]: how many of these rows are of the class in arrangement b. The words of row r start at
 * bits[r * HS_LANE_WORDS]. O(rows) vector operations, eight rows at a time. */
void hs_lanes_count(const uint64_t *bits, const uint32_t *row, size_t rows, uint32_t *count);

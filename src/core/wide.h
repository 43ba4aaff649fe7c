/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole numbers of 128 bits. Where a compiler for 32 bits has no __int128, C23's integers of any
 * width do; clang 16 is the first that can divide them there.
 */
#ifndef HS_CORE_WIDE_H
#define HS_CORE_WIDE_H

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 hs_u128;
#else
__extension__ typedef unsigned _BitInt(128) hs_u128;
#endif

#endif

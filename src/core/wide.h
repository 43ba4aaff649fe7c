/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole numbers of 128 bits. Compilers for 32 bits have no __int128; C23's integers of any width
 * stand in for it there (clang 14 cannot divide them, clang 16 can).
 */
#ifndef HS_CORE_WIDE_H
#define HS_CORE_WIDE_H

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 hs_u128;
#else
__extension__ typedef unsigned _BitInt(128) hs_u128;
#endif

#endif

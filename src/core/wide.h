/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Compiler extensions to ISO C: 128-bit integers, and code for wider vectors.
 */
#pragma once

/* Compilers for 32 bits have no __int128; C23's integers of any width replace it there (clang 14
 * cannot divide them, clang 16 can). */
#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 hs_u128;
#else
__extension__ typedef unsigned _BitInt(128) hs_u128;
#endif

/* A function compiled twice, for any processor and with HS_WIDE for those with AVX2, calls the same
 * HS_INLINE function. */
#define HS_INLINE static inline __attribute__((always_inline))
#if defined(__x86_64__) && defined(__GNUC__)
#define HS_WIDE    __attribute__((target("avx2")))
#define HS_IS_WIDE __builtin_cpu_supports("avx2")
#else
#define HS_WIDE
#define HS_IS_WIDE 0
#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the public functions share.
 */
#ifndef HS_API_API_H
#define HS_API_API_H

#include "core/names.h"

/* Copies a structure that starts with its size, from a program of any version of hsel.h: members
 * that the program does not know become 0, members that the library does not know must be 0. */
HSEL_CHECKED int hs_request_take(const void *given, const char *type, size_t known, void *out,
                                 hsel_error *error);
#define HS_REQUEST_TAKE(given, out, type, error)                                                   \
    hs_request_take(given, #type, sizeof(type), 1 ? (out) : (type *)NULL, error)

/* A list of names, each followed by a NUL; `what` they are, for the message that one is there
 * twice. */
HSEL_CHECKED int hs_unique_names(const char *list, uint32_t count, const char *what, hs_names *out,
                                 hsel_error *error);
/* The same of names that may be there twice; list NULL: there are none. */
HSEL_CHECKED int hs_append_names(const char *list, uint32_t count, hs_names *out,
                                 hsel_error *error);

/* Other threads of the caller may write into his arrays during a call: `array`, if it is not NULL,
 * becomes a copy, which `own` (HS_OWNED) frees. */
#define HS_COPY_ARRAY(own, array, count)                                                           \
    HS_NEED(!(array) || ((own) = hs_copy((array), (count), sizeof *(own)), (array) = (own)))

#endif

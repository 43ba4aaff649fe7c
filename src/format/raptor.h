/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The library raptor2, loaded when RDF is read for the first time instead of with the program: it
 * brings some thirty other libraries along, which would make every start several times as long as
 * it is. Only where HS_WITH_RAPTOR is set.
 */
#ifndef HS_FORMAT_RAPTOR_H
#define HS_FORMAT_RAPTOR_H

#include <raptor2.h>

#include "core/error.h"

/* The functions in use, without their prefix raptor_. */
#define HS_RAPTOR_FUNCTIONS(X)                                                                     \
    X(free_parser)                                                                                 \
    X(free_uri)                                                                                    \
    X(free_world)                                                                                  \
    X(locator_line)                                                                                \
    X(new_parser)                                                                                  \
    X(new_uri)                                                                                     \
    X(new_world_internal)                                                                          \
    X(parser_get_locator)                                                                          \
    X(parser_parse_abort)                                                                          \
    X(parser_parse_chunk)                                                                          \
    X(parser_parse_start)                                                                          \
    X(parser_set_option)                                                                           \
    X(parser_set_statement_handler)                                                                \
    X(parser_set_uri_filter)                                                                       \
    X(uri_as_counted_string)                                                                       \
    X(uri_as_string)                                                                               \
    X(uri_equals)                                                                                  \
    X(world_open)                                                                                  \
    X(world_set_flag)                                                                              \
    X(world_set_log_handler)

typedef struct hs_raptor {
#define X(name) __typeof__(raptor_##name) *name;
    HS_RAPTOR_FUNCTIONS(X)
#undef X
} hs_raptor;

/* `file` is what is to be read, for the message. The library stays loaded. */
HSEL_CHECKED int hs_raptor_load(const char *file, hs_raptor *out, hsel_error *error);

#endif

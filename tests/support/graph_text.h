/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hierarchy formats in tests: a file as a string, the graph that should come out of it as a string.
 *
 *     terms [a][b] edges [a>b]            always
 *     titles [x][y]                       if there are titles; likewise:
 *     spaces [s][-] obsolete [a] alternates [z=a] replaced [a=b]
 */
#ifndef HS_TESTS_GRAPH_TEXT_H
#define HS_TESTS_GRAPH_TEXT_H

#include "format/format.h"

/* A list option out of texts. */
#define TEXT_LIST(...)                                                                             \
    (hs_list)                                                                                      \
    {                                                                                              \
        .items = (const char *[]){__VA_ARGS__},                                                    \
        .count = sizeof((const char *[]){__VA_ARGS__}) / sizeof(const char *)                      \
    }

/* options may be NULL. */
void expect_graph(const hs_method *method, const char *file, const char *content,
                  const hs_graph_options *options, const char *expected);
/* `content` of `length` bytes must fail with this code and message. */
void expect_failure_bytes(const hs_method *method, const char *file, const void *content,
                          size_t length, const hs_graph_options *options, int code,
                          const char *message);
void expect_failure(const hs_method *method, const char *file, const char *content,
                    const hs_graph_options *options, int code, const char *message);
/* The hierarchy is read as `from`, bound to its own terms, written as `to`: exactly `expected`.
 * Read back it gives the same edges. */
void expect_written(const hs_method *from, const char *content, const hs_method *to,
                    const char *expected);
void expect_write_failure(const hs_method *from, const char *content, const hs_method *to, int code,
                          const char *message);
/* Random names from a hostile alphabet, random acyclic edges: written and read back the same,
 * `rounds` times. Names with a character of `without` are not made. Terms without an edge are
 * compared only if `isolated`. */
void expect_random_round_trips(const hs_method *method, unsigned rounds, const char *without,
                               bool isolated);
/* Every allocation fails in turn: HSEL_ENOMEM each time, and the same graph in the end. */
void expect_survives_memory(const hs_method *method, const char *content,
                            const hs_graph_options *options, const char *expected);
int sniff_text(const hs_method *method, const char *content);

#endif

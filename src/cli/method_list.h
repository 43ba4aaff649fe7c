/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Several methods in one option: "--select rpv,hip", "--select rpv:measure=ig,smoothing=rpv
 * --select hip".
 */
#ifndef HS_CLI_METHOD_LIST_H
#define HS_CLI_METHOD_LIST_H

#include "core/method.h"

typedef struct hs_method_list { /* zero-initialise; hs_method_list_clear frees */
    hs_chosen *items;           /* in the arena */
    size_t count;
} hs_method_list;

/* `fallback` when the list is empty. Kind HS_RANKER: rankers and measures. */
HSEL_CHECKED int hs_method_list_parse(const hs_list *list, hs_kind kind, const char *fallback,
                                      hs_arena *arena, hs_method_list *out, hsel_error *error);
void hs_method_list_clear(hs_method_list *list);

#endif

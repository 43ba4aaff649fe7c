/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * YAML as a small tree whose nodes have line numbers, so that later errors can name the place.
 * Scalars are texts; the reader of a key interprets them. It accepts one document of texts, lists
 * and mappings with plain keys; no anchors, aliases or tags.
 */
#pragma once

#include "data/data.h"

#define HS_YAML_DEPTH 16
#define HS_YAML_KEYS  4096 /* in one mapping */

typedef enum hs_yaml_kind { HS_YAML_TEXT, HS_YAML_LIST, HS_YAML_MAPPING } hs_yaml_kind;

typedef struct hs_yaml hs_yaml;
struct hs_yaml {
    hs_yaml_kind kind;
    unsigned long line;
    const char *key;              /* in a mapping: the key of this value … */
    unsigned long key_line;       /* … and its line */
    const char *text;             /* of a text, without NUL bytes */
    hs_yaml *first, *last, *next; /* first and last child; next sibling */
    size_t count;                 /* children */
};

/* Everything lies in the arena. HSEL_EFORMAT with the line where parsing fails; `name` is that of
 * the file. */
HSEL_CHECKED int hs_yaml_parse(const char *name, const char *text, size_t length, hs_arena *arena,
                               hs_yaml **root, hsel_error *error);
/* The value of a key; NULL: it is not given, or `mapping` is not a mapping. */
const hs_yaml *hs_yaml_find(const hs_yaml *mapping, const char *key);

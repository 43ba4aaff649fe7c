/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Layout of a pack, shared by reader, writer and tests:
 *
 *     header | table of sections | section | section | …
 *
 * Each section begins at a multiple of 64 bytes, zeros before it. All sections of the list below
 * are there, in this order, some of them empty. Numbers are in the byte order of the machine that
 * wrote them. There is exactly one way to write a data set, and readers refuse any other.
 *
 * A new version may change everything but the first 16 bytes.
 */
#pragma once

#include <stdint.h>
#include <xxhash.h>

#define HS_PACK_MAGIC      "\x89HSEL\r\n\x1a" /* 8 bytes; the line ends show text mode */
#define HS_PACK_BYTE_ORDER UINT32_C(0x01020304)
#define HS_PACK_VERSION    UINT32_C(6)
#define HS_PACK_ALIGN      UINT64_C(64)
#define HS_PACK_END_MARK   UINT64_C(0x444e452e4c455348) /* "HSEL.END" */

typedef struct hs_pack_header {
    char magic[8];
    uint32_t byte_order, version;
    uint64_t length;   /* of the file */
    uint64_t checksum; /* of header (with 0 here) and table */
    uint32_t sections, zero;
    uint64_t zeros[3];
} hs_pack_header;

typedef struct hs_pack_entry {
    uint32_t kind;    /* position in the list below */
    uint32_t element; /* bytes of one */
    uint64_t offset, length;
    uint64_t checksum; /* XXH3, 64 bits, as all of them */
} hs_pack_entry;

/* name, element size, name in messages. A group of names is three sections: for each list its
 * number of names and its bytes (hs_pack_list); the starts of each list, one more than names; the
 * text. */
#define HS_PACK_SECTIONS(X)                                                                        \
    X(INFO, 8, "info")                                                                             \
    X(LABEL_SIZES, 8, "label sizes") /* data set, class attribute, id attribute; classes */        \
    X(LABEL_STARTS, 8, "label starts")                                                             \
    X(LABEL_TEXT, 1, "label text")                                                                 \
    X(NAME_SIZES, 8, "name sizes") /* features; ids; values of each nominal column */              \
    X(NAME_STARTS, 8, "name starts")                                                               \
    X(NAME_TEXT, 1, "name text")                                                                   \
    X(CLASS_OF, 4, "classes of instances")                                                         \
    X(TYPES, 1, "feature types")                                                                   \
    X(SLOTS, 4, "feature slots")                                                                   \
    X(ROW_STARTS, 8, "row starts")                                                                 \
    X(ROWS, 4, "rows")                                                                             \
    X(COLUMN_STARTS, 8, "column starts")                                                           \
    X(COLUMNS, 4, "columns")                                                                       \
    X(NUMERIC_SIZES, 8, "numeric sizes") /* hs_pack_numeric of each column */                      \
    X(NUMERIC_VALUES, 8, "numeric values")                                                         \
    X(NUMERIC_ROWS, 4, "numeric rows") /* of the sparse columns */                                 \
    X(NOMINAL_CODES, 4, "nominal codes")                                                           \
    X(PARENT_STARTS, 4, "parent starts")                                                           \
    X(PARENTS, 4, "parents")                                                                       \
    X(CHILD_STARTS, 4, "child starts")                                                             \
    X(CHILDREN, 4, "children")                                                                     \
    X(ORDER, 4, "order of nodes")                                                                  \
    X(DEPTHS, 4, "depths of nodes")                                                                \
    X(PROVENANCE, 1, "provenance")                                                                 \
    X(ABOUT_SIZES, 8, "table sizes") /* of features: columns, cells; of instances: the same */     \
    X(ABOUT_STARTS, 8, "table starts")                                                             \
    X(ABOUT_TEXT, 1, "table text")                                                                 \
    X(RELATION_SIZES, 8, "relation sizes") /* names */                                             \
    X(RELATION_STARTS, 8, "relation starts")                                                       \
    X(RELATION_TEXT, 1, "relation text")                                                           \
    X(RELATIONS, 1, "relations of edges")                                                          \
    X(TARGET, 8, "target of instances")                                                            \
    X(COVARIATES, 8, "covariates") /* a bit set of features */                                     \
    X(END, 8, "end mark") /* never empty, so that no array of a data set touches the end of the    \
                             mapping */

enum {
#define X(name, element, title) HS_PACK_##name,
    HS_PACK_SECTIONS(X)
#undef X
        HS_PACK_SECTION_COUNT
};

typedef struct hs_pack_section {
    uint32_t element;
    const char *title;
} hs_pack_section;
extern const hs_pack_section hs_pack_sections[HS_PACK_SECTION_COUNT];

enum hs_pack_flags {
    HS_PACK_HAS_NAME = 1,
    HS_PACK_HAS_CLASS_ATTRIBUTE = 2,
    HS_PACK_HAS_ID_ATTRIBUTE = 4,
    HS_PACK_HAS_CLASSES = 8,
    HS_PACK_HAS_SLOTS = 16,
    HS_PACK_HAS_HIERARCHY = 32,
    HS_PACK_HAS_TARGET = 64,
    HS_PACK_HAS_COVARIATES = 128,
    HS_PACK_HAS_RELATIONS = 256
};

#define HS_PACK_TEXTS 3 /* names in the first label list */

/* The info section. */
typedef struct hs_pack_info {
    uint64_t instances, features, classes, positive_class, flags;
    uint64_t positives, numeric_columns, nominal_columns, edges;
} hs_pack_info;

typedef struct hs_pack_list {
    uint64_t names, bytes;
} hs_pack_list;

typedef struct hs_pack_numeric {
    uint64_t values;
    uint64_t sparse; /* 1: as many rows, too; 0: one value per instance */
} hs_pack_numeric;

_Static_assert(sizeof(hs_pack_header) == 64 && sizeof(hs_pack_entry) == 32, "no padding");
_Static_assert(sizeof(hs_pack_info) == 8 * 9, "no padding");

#define HS_PACK_FRAME (sizeof(hs_pack_header) + sizeof(hs_pack_entry) * HS_PACK_SECTION_COUNT)

static inline uint64_t hs_pack_align(uint64_t offset)
{
    return (offset + HS_PACK_ALIGN - 1) / HS_PACK_ALIGN * HS_PACK_ALIGN;
}

/* Of header and table, with the checksum field as it is: the caller has set it to 0. */
static inline uint64_t hs_pack_checksum(const hs_pack_header *header, const hs_pack_entry *table)
{
    uint64_t first = XXH3_64bits(header, sizeof *header);
    return XXH3_64bits_withSeed(table, sizeof *table * HS_PACK_SECTION_COUNT, first);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The names by which one object (a gene, a disease, a patient) is known: identifiers, symbols,
 * synonyms. They lead from what a label table calls an object to what annotations call it, and give
 * instances their labels.
 */
#ifndef HS_FORMAT_MAPPING_H
#define HS_FORMAT_MAPPING_H

#include "core/names.h"

/* In the order in which an object is looked up, after its identifier. */
typedef enum hs_alias_kind {
    HS_ALIAS_ID,
    HS_ALIAS_SYMBOL,
    HS_ALIAS_SYNONYM,
    HS_ALIAS_ENSEMBL, /* without version */
    HS_ALIAS_UNIPROT,
    HS_ALIAS_OTHER, /* other databases */
    HS_ALIAS_TITLE, /* the full name, for people: nothing is looked up by it */
    HS_ALIAS_KINDS
} hs_alias_kind;

typedef struct hs_mapping { /* zero-initialise; hs_mapping_clear frees */
    hs_names texts;
    /* One entry per name of a record: which record, which text, what kind of name. */
    uint32_t *record, *text;
    uint8_t *kind;
    size_t count, record_capacity, text_capacity, kind_capacity;
    uint32_t records;
} hs_mapping;

void hs_mapping_clear(hs_mapping *mapping);
/* A name of the record; an empty one is not added. `records` is for the caller to raise. */
HSEL_CHECKED int hs_mapping_add(hs_mapping *mapping, uint32_t record, hs_alias_kind kind,
                                const char *text, size_t length, hsel_error *error);
/* Several, with '|' between them. */
HSEL_CHECKED int hs_mapping_add_list(hs_mapping *mapping, uint32_t record, hs_alias_kind kind,
                                     const char *text, size_t length, hsel_error *error);
/* A record with identifier, symbol, title and synonyms (with '|' between them). Its number comes
 * back in *record, which may be NULL. */
HSEL_CHECKED int hs_mapping_record(hs_mapping *mapping, const char *id, const char *symbol,
                                   const char *title, const char *synonyms, uint32_t *record,
                                   hsel_error *error);

struct hs_annotation_options;
/* Reads a mapping file (GPI, org.db, GAF) in the named format (NULL: found out); its records are
 * added to those of *out. */
HSEL_CHECKED int hs_mapping_load(const char *path, const char *format,
                                 const struct hs_annotation_options *options, hs_mapping *out,
                                 hsel_error *error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Annotations: which object (gene, text, product) has which term, with evidence and negation; and
 * the names by which an object is known. Readers of formats fill both.
 */
#pragma once

#include "data/data.h"

/* ---- names of objects: from the name in a label table to that in the annotations ---- */

/* In the order in which an object is looked up, after its identifier. */
typedef enum hs_alias_kind {
    HS_ALIAS_ID,
    HS_ALIAS_SYMBOL,
    HS_ALIAS_SYNONYM,
    HS_ALIAS_ENSEMBL, /* without version */
    HS_ALIAS_UNIPROT,
    HS_ALIAS_OTHER, /* other databases */
    HS_ALIAS_TITLE, /* the full name, for display only */
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
/* Adds a name of the record, unless it is empty. The caller increments `records`. */
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
/* The length of an Ensembl identifier without its version: of ENSG00000141510.18 without ".18". */
size_t hs_ensembl_length(const char *text, size_t length);

/* ---- annotations ---- */

typedef struct hs_annotation {
    uint32_t object, term;
    uint32_t evidence; /* HSEL_NONE: the file gives none */
    uint32_t date;     /* 20260301; 0: the file gives none */
    bool negated;      /* NOT in GAF, excluded in a phenopacket */
} hs_annotation;

typedef struct hs_annotations { /* zero-initialise; hs_annotations_clear frees */
    char *source;               /* file name, for messages, "FILE and 2 more"; NULL: none */
    hs_names objects, terms, evidence;
    hs_annotation *entries;
    size_t count, capacity;
    uint32_t *first_line; /* line on which each term was first seen (0: not a text file) */
    size_t first_line_capacity;
    uint64_t other_taxon; /* lines of other species left out */
    hs_mapping mapping;   /* other names of the objects */
    size_t first_name;    /* length of the name of the first file in `source` */
    uint32_t files;
} hs_annotations;

typedef struct hs_annotation_options {
    hs_list taxon;          /* keep these species; empty: all */
    int object_key;         /* formats with symbols: hs_object_key */
    const char *separators; /* pairs: separators of several terms in one field; NULL: ";|," */
} hs_annotation_options;

typedef enum hs_object_key { HS_OBJECT_ID, HS_OBJECT_SYMBOL } hs_object_key;

void hs_annotations_clear(hs_annotations *annotations);
HSEL_CHECKED int hs_annotations_add(hs_annotations *annotations, const char *object,
                                    size_t object_length, const char *term, size_t term_length,
                                    const char *evidence, size_t evidence_length, bool negated,
                                    unsigned long line, hsel_error *error);

/* The day in a date, 20260301 or 2026-03-01, perhaps followed by a time, as a number: 20260301.
 * 0: not a date. */
uint32_t hs_annotation_date(const char *text, size_t length);

/* Whether a taxon from a file ("9606", "taxon:9606|taxon:1280", "NCBITaxon:9606") fits the options,
 * by its first identifier. */
bool hs_annotation_taxon_wanted(const hs_annotation_options *options, const char *taxon,
                                size_t length);

/* Whether one of the qualifiers, separated by '|', is NOT, in any case. NULL: no qualifiers. */
bool hs_annotation_is_not(const char *qualifiers);

struct hs_method;
/* Reads a file in the named format (NULL: detected); *found (may be NULL) is the format. The
 * annotations of a further file are added to those of the first. */
HSEL_CHECKED int hs_annotations_load(const char *path, const char *format,
                                     const hs_annotation_options *options, hs_annotations *out,
                                     const struct hs_method **found, hsel_error *error);

/* Reads a mapping file (GPI, org.db, GAF) in the named format (NULL: found out); its records are
 * added to those of *out. */
HSEL_CHECKED int hs_mapping_load(const char *path, const char *format,
                                 const hs_annotation_options *options, hs_mapping *out,
                                 hsel_error *error);

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Annotations: which object (gene, text, product) has which term, with evidence and negation.
 */
#ifndef HS_FORMAT_ANNOTATIONS_H
#define HS_FORMAT_ANNOTATIONS_H

#include "core/names.h"
#include "core/option.h"
#include "format/mapping.h"

typedef struct hs_annotation {
    uint32_t object, term;
    uint32_t evidence; /* HSEL_NONE: the file gives none */
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
    const char *separators; /* pairs: what stands between several terms of one field; NULL: ";|," */
} hs_annotation_options;

typedef enum hs_object_key { HS_OBJECT_ID, HS_OBJECT_SYMBOL } hs_object_key;

void hs_annotations_clear(hs_annotations *annotations);
HSEL_CHECKED int hs_annotations_add(hs_annotations *annotations, const char *object,
                                    size_t object_length, const char *term, size_t term_length,
                                    const char *evidence, size_t evidence_length, bool negated,
                                    unsigned long line, hsel_error *error);

/* Does a taxon as it stands in a file ("9606", "taxon:9606|taxon:1280", "NCBITaxon:9606") fit the
 * options? The first one counts. */
bool hs_annotation_taxon_wanted(const hs_annotation_options *options, const char *taxon,
                                size_t length);

struct hs_method;
/* Reads a file in the named format (NULL: found out), which comes back in *found (may be NULL). The
 * annotations of a further file are added to those of the first. */
/* Is one of the qualifiers, separated by '|', NOT in any case? NULL: there are none. */
bool hs_annotation_is_not(const char *qualifiers);
HSEL_CHECKED int hs_annotations_load(const char *path, const char *format,
                                     const hs_annotation_options *options, hs_annotations *out,
                                     const struct hs_method **found, hsel_error *error);

/* GO evidence codes and the groups they are named by ("experimental" stands for EXP, IDA, IPI …):
 * which of the codes of a file stay: wanted[c] for code c of `codes`. An empty `keep` keeps all;
 * what `leave` names goes in any case. Codes and groups are taken in any case of letters.
 * HSEL_EUSAGE for a word that is not a group, not a known code and not in `codes`, with the nearest
 * known word. */
HSEL_CHECKED int hs_evidence_select(const hs_list *keep, const hs_list *leave,
                                    const hs_names *codes, bool *wanted, hsel_error *error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Annotations: which object (gene, text, product) has which term, with evidence and negation.
 */
#ifndef HS_FORMAT_ANNOTATIONS_H
#define HS_FORMAT_ANNOTATIONS_H

#include "core/names.h"
#include "core/option.h"

typedef struct hs_annotation {
    uint32_t object, term;
    uint32_t evidence; /* HSEL_NONE: the file gives none */
    bool negated;      /* NOT in GAF or gene2go */
} hs_annotation;

typedef struct hs_annotations { /* zero-initialise; hs_annotations_clear frees */
    hs_names objects, terms, evidence;
    hs_annotation *entries;
    size_t count, capacity;
    uint32_t *first_line; /* line on which each term was first seen (0: not a text file) */
    size_t first_line_capacity;
    uint64_t other_taxon; /* lines of other species left out */
} hs_annotations;

typedef struct hs_annotation_options {
    hs_list taxon;      /* keep these species (gene2go, GAF); empty: all */
    int object_key;     /* GAF: hs_object_key */
} hs_annotation_options;

typedef enum hs_object_key { HS_OBJECT_ID, HS_OBJECT_SYMBOL } hs_object_key;

void hs_annotations_clear(hs_annotations *annotations);
HSEL_CHECKED int hs_annotations_add(hs_annotations *annotations, const char *object, size_t object_length, const char *term,
                       size_t term_length, const char *evidence, size_t evidence_length, bool negated,
                       unsigned long line, hsel_error *error);

#endif

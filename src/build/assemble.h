/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes a data set from a hierarchy, annotations and labels. Instances are the objects of the label
 * file, including those without a class, in its order. Features are the terms that objects with a
 * class are annotated with, directly or through a more specific term, sorted by name (bytes), so
 * that the result does not depend on the order of lines. The report counts everything that was used
 * or left out.
 */
#pragma once

#include "format/annotations.h"
#include "load/choose.h"
#include "build/labels.h"

/* drop: leave out the annotation. block: also leave out the object's annotations with the same term
 * or a term below it, since what is not T is no special kind of T either. ignore: ignore NOT.
 */
typedef enum hs_negation { HS_NOT_DROP, HS_NOT_BLOCK, HS_NOT_IGNORE } hs_negation;
typedef enum hs_unknown { HS_UNKNOWN_DROP, HS_UNKNOWN_ERROR } hs_unknown;
typedef enum hs_empty { HS_EMPTY_DROP, HS_EMPTY_KEEP } hs_empty;

#define HS_MIN_SUPPORT_TEXT "3" /* the default */

typedef struct hs_assemble_options {
    hs_list namespaces;       /* empty: all; edges to terms of others are not followed */
    hs_choose_options choose; /* branches likewise; labelled objects */
    hs_list evidence;         /* codes or groups to keep; empty: all */
    hs_list no_evidence;      /* codes or groups to leave out */
    const char *until;        /* leave out annotations after this day; NULL: none */
    const char *since; /* features from annotations up to this day, classes from those after it
                          (hs_labels_gained); NULL: no */
    int negated;       /* hs_negation */
    int unknown;       /* hs_unknown: annotations to terms that the hierarchy does not have */
    int empty;         /* hs_empty: objects without any positive feature */
    bool no_propagate;
    bool drop_roots;      /* features with children but no parent */
    uint32_t min_support; /* a feature is positive in at least this many instances */
    const char *positive; /* label of the positive class; NULL: hs_positive_rule */
    const char *name;     /* of the data set; NULL: none */
    /* Give the new data the features, hierarchy and classes of these data, whatever is annotated,
     * and ignore min_support, drop_roots and positive; NULL: no. Set by programs. */
    const struct hsel_dataset *like;
} hs_assemble_options;

extern const hs_option hs_assemble_table[]; /* over hs_assemble_options */

/* What was met: HS_FOUND_TERMS … */
typedef enum hs_found {
#define HS_FOUND(name, part, key, text, always, has_examples) HS_FOUND_##name,
#include "build/findings.def"
#undef HS_FOUND
    HS_FOUND_KINDS
} hs_found;

#define HS_AMBIGUOUS_LIMIT 100u /* examples of objects that may be several */

typedef struct hs_finding {
    uint64_t count;
    uint64_t distinct; /* of annotations: different terms; 0 where that makes no sense */
    hs_names examples; /* at most HS_EXAMPLES_LIMIT, of ambiguous objects HS_AMBIGUOUS_LIMIT */
    uint64_t *times;   /* how many of each example; NULL: examples are single ones. Otherwise there
                          are examples of all */
    size_t times_capacity;
} hs_finding;

typedef struct hs_assemble_report { /* zero-initialise; hs_assemble_report_clear frees */
    hs_finding found[HS_FOUND_KINDS];
} hs_assemble_report;

/* How a finding is shown. `key` is its name in JSON, `part` its group ("annotations"). */
typedef struct hs_found_info {
    const char *part, *key, *text;
    bool always;       /* shown in the text report even if it is 0 */
    bool has_examples; /* may have examples */
} hs_found_info;
extern const hs_found_info hs_found_table[HS_FOUND_KINDS];

/* The graph must be clean and acyclic; only an index of its names may be added to it. On failure
 * the report is filled as far as the work got. */
HSEL_CHECKED int hs_assemble(const hs_assemble_options *options, hs_graph *graph,
                             const hs_annotations *annotations, hs_labels *labels,
                             hs_assemble_report *report, hsel_dataset **out, hsel_error *error);
void hs_assemble_report_clear(hs_assemble_report *report);
/* Counts one; keeps the example while there are fewer than `limit`, unless it is the last again. */
HSEL_CHECKED int hs_finding_add(hs_finding *finding, const char *example, uint32_t limit,
                                hsel_error *error);
/* The same with the usual limit. */
static inline int hs_find_one(hs_finding *finding, const char *example, hsel_error *error)
{
    return hs_finding_add(finding, example, HS_EXAMPLES_LIMIT, error);
}

/* The terms that each object is annotated with up to a day (20260301), directly or through a more
 * specific term, as the options choose annotations: list o of *out, without repeats. */
HSEL_CHECKED int hs_annotated_terms(const hs_assemble_options *options, hs_graph *graph,
                                    const hs_annotations *annotations, uint32_t last,
                                    hs_sparse *out, hsel_error *error);
/* Labels from annotations after the day `since` (and up to `until`): a column of classes for each
 * of the terms, yes: the object is annotated with it by then and was not before, no: it is not. An
 * object that was before has no class in that column, and is left out if it has none in any.
 * Without terms there is one column, gained: yes if the object has any new term. gained.c */
HSEL_CHECKED int hs_labels_gained(const hs_assemble_options *options, const hs_list *terms,
                                  hs_graph *graph, const hs_annotations *annotations,
                                  hs_labels *out, hs_assemble_report *report, hsel_error *error);
/* The day of an option, 0 if it is not given. */
HSEL_CHECKED int hs_day_of(const char *option, const char *text, uint32_t *day, hsel_error *error);

/* Selects GO evidence codes by code or group ("experimental" is EXP, IDA, IPI …): wanted[c] for
 * code c of `codes`. An empty `keep` keeps all; codes in `leave` are always left out. Codes and
 * groups match in any case. HSEL_EUSAGE for a word that is not a group, not a known code and not in
 * `codes`, with the nearest known word. */
HSEL_CHECKED int hs_evidence_select(const hs_list *keep, const hs_list *leave,
                                    const hs_names *codes, bool *wanted, hsel_error *error);

/* Matches the objects of the labels with the names of the annotated objects (build/objects.c). */
typedef enum hs_ambiguous {
    HS_AMBIGUOUS_DROP,
    HS_AMBIGUOUS_FIRST,
    HS_AMBIGUOUS_ERROR
} hs_ambiguous;

typedef struct hs_map_options {
    int ambiguous;    /* hs_ambiguous: an object that matches several annotated ones */
    int conflicts;    /* hs_conflicts: objects that are the same one, but have different classes */
    bool none;        /* use only identifiers */
    bool ignore_case; /* match names regardless of case, if exactly one matches */
} hs_map_options;

/* Renames the labelled objects to their names in the annotations. An object that is not the
 * identifier of an annotated one is looked up as a symbol, a synonym, an Ensembl identifier (with
 * or without version), a UniProt accession and a name in another database, in this order; the first
 * kind of name that matches decides. */
HSEL_CHECKED int hs_map_objects(hs_annotations *annotations, hs_labels *labels,
                                const hs_map_options *options, hs_assemble_report *report,
                                hsel_error *error);
/* Further classes (data/classes.h) of the labelled objects rows[0 … count), those of all columns
 * but the first, in addition to what *out knows of them. */
HSEL_CHECKED int hs_about_classes(const hs_labels *labels, const uint32_t *rows, uint32_t count,
                                  hs_about *out, hsel_error *error);
/* Information on the labelled objects rows[0 … count): label (the symbol, or the full name where
 * there is no other symbol than the identifier), name, and their name in the label table
 * (`given`). */
HSEL_CHECKED int hs_about_objects(const hs_annotations *annotations, const hs_labels *labels,
                                  const uint32_t *rows, uint32_t count, hs_about *out,
                                  hsel_error *error);

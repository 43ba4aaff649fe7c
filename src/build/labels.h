/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Label tables: the class of each object. Any text table with a column of identifiers and one or
 * several columns of classes. Objects whose class is empty, '?' or 'NA', and those in a plain list
 * of identifiers, have no class: they are to be predicted.
 */
#pragma once

#include "data/data.h"

typedef enum hs_conflicts {
    HS_CONFLICTS_ERROR,
    HS_CONFLICTS_DROP,
    HS_CONFLICTS_FIRST
} hs_conflicts;
/* auto: the first line is a header if its identifier column has a usual title ("gene"), or unless
 * its class also occurs in another line. */
typedef enum hs_header { HS_HEADER_AUTO, HS_HEADER_YES, HS_HEADER_NO } hs_header;

typedef struct hs_label_options {
    const char *id;  /* name of the column or its number from 1; NULL: the first */
    hs_list classes; /* likewise, or "all": all others; none: the last */
    int conflicts;   /* hs_conflicts: an object with two different classes */
    int header;      /* hs_header */
    hs_list others;  /* columns that are no classes: set by programs */
    bool no_class;   /* without `classes` there are none: likewise */
} hs_label_options;

extern const hs_option hs_label_table[]; /* over hs_label_options */

/* A column of classes. Its name is from the header, or that of the file where there are several
 * tables; NULL: none. */
typedef struct hs_label_column {
    char *name;
    hs_names classes;   /* in order of appearance */
    uint32_t *class_of; /* of each object; HSEL_NONE: none, HS_CONFLICTING: it has different ones */
    size_t capacity;
} hs_label_column;
#define HS_CONFLICTING (HSEL_NONE - 1)

typedef struct hs_labels { /* zero-initialise; hs_labels_clear frees */
    char *source;          /* file name, for messages; NULL: none */
    hs_names ids;          /* in order of appearance */
    uint32_t *line;        /* of the first occurrence of each */
    size_t line_capacity;
    hs_names given;  /* the name of each id in the table, "" if it is the id; empty: nothing was
                        renamed */
    char *id_column; /* name from the header; NULL: none */
    /* The first column always exists, possibly without classes; further ones have a name. */
    hs_label_column *columns;
    size_t column_count;
    uint64_t repeated;   /* rows that repeat an object (with `first`: also with another class) */
    bool header_guessed; /* the first line was left out as a header, though no word in it says that
                            it is one, or though other lines have its class */
} hs_labels;

/* The class of an object, NULL: none. */
static inline const char *hs_label_of(const hs_label_column *column, uint32_t object)
{
    uint32_t code = column->class_of[object];
    return code < HS_CONFLICTING ? hs_names_get(&column->classes, code) : NULL;
}

void hs_labels_clear(hs_labels *labels);
HSEL_CHECKED int hs_labels_read(hs_reader *reader, const hs_label_options *options, hs_labels *out,
                                hsel_error *error);
HSEL_CHECKED int hs_labels_load(const char *path, const hs_label_options *options, hs_labels *out,
                                hsel_error *error);

/* Renames object i to to[i], or leaves it out. Of objects that get the same name the first is kept;
 * different classes are conflicts, as for an object that occurs twice in the table. */
HSEL_CHECKED int hs_labels_rename(hs_labels *labels, const hs_names *to, const bool *leave,
                                  int conflicts, hsel_error *error);

/* A further column; none of the objects has a class in it. name NULL: none. */
HSEL_CHECKED int hs_labels_add_column(hs_labels *labels, const char *name, hsel_error *error);
/* The number of an object, which has no classes if it is new. */
HSEL_CHECKED int hs_labels_add_object(hs_labels *labels, const char *id, size_t length,
                                      uint32_t line, uint32_t *object, hsel_error *error);
/* Objects without class. */
HSEL_CHECKED int hs_labels_list(const hs_names *ids, hs_labels *out, hsel_error *error);
/* Adds the labels of another table, which is emptied. Columns with the same name are merged; a
 * column without a name gets the name of its file. */
HSEL_CHECKED int hs_labels_join(hs_labels *labels, hs_labels *more, int conflicts,
                                hsel_error *error);

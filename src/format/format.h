/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * File formats: one file per format, and one line in src/methods/methods.def. A format has one or
 * more roles (data, hierarchy, annotations, mapping, amounts); slots of other roles are NULL.
 *
 * Readers only read the content of the file: no printing, no clean-up of the hierarchy, no
 * propagation.
 */
#pragma once

#include "format/annotations.h"

typedef enum hs_missing { HS_MISSING_ERROR, HS_MISSING_NEGATIVE } hs_missing;

/* Roles of columns, part of the options that every command has (load/load.h). */
typedef struct hs_column_options {
    const char *class_name; /* name, or index from 1; NULL: the last column */
    bool no_class;          /* there is no class column */
    const char *target;     /* numeric target column instead of a class; NULL: none */
    bool target_optional;   /* it may be absent. Set by programs, not by users */
    const char *id; /* name or index of the identifier column; NULL: the first string attribute
                       (ARFF), none */
    /* The column named may be absent: then there is no class (or the usual id). Set by programs,
     * not by users. */
    bool class_optional, id_optional;
    /* The column named may be a further class (data/classes.h): if the table does not have it, this
     * one is the class (NULL: the last one). Set by programs. */
    bool class_further;
    bool class_beside; /* … in metadata that were given: then nothing defines the last column */
    const char *class_first;
    hs_list ignore;           /* columns to leave out */
    const char *positive;     /* label of the positive class; NULL: the second one */
    int missing;              /* hs_missing: what to do with a missing value of a binary feature */
    uint32_t *decimal_commas; /* counts columns that were read as numbers with decimal commas; may
                                 be NULL */
} hs_column_options;

/* What to read from a hierarchy file. */
typedef struct hs_graph_options {
    hs_list relations;  /* empty: is_a (OBO, GO.db); rdfs:subClassOf and skos:broader (RDF) */
    hs_list namespaces; /* empty: all */
    int direction;      /* hs_edge_direction, for edge lists */
} hs_graph_options;

typedef enum hs_edge_direction { HS_CHILD_PARENT, HS_PARENT_CHILD } hs_edge_direction;

struct hs_profile;
struct hs_profile_options;

typedef struct hs_format {
    const char *endings;     /* "arff", "tsv tab": without dot; the first is the usual one */
    const char *siblings[4]; /* endings of the files that accompany a data file: x.mtx,
                                x.features.txt; up to the first NULL */
    /* Confidence from the first bytes of the (unpacked) content: 0 none … 100 certain. NUL bytes
     * of the file are 1 here. */
    int (*sniff)(const char *head);
    int (*read_data)(hs_reader *reader, const hs_column_options *options, hsel_dataset **out,
                     hsel_error *error);
    int (*write_data)(const hsel_dataset *data, hs_writer *writer, hsel_error *error);
    int (*read_graph)(hs_reader *reader, const hs_graph_options *options, hs_graph *out,
                      hsel_error *error);
    /* Writes the hierarchy of a data set. */
    int (*write_graph)(const hsel_dataset *data, hs_writer *writer, hsel_error *error);
    bool writes_terms;     /* write_graph writes namespaces of terms */
    bool writes_relations; /* write_graph writes relations of edges */
    bool writes_labels;    /* what it writes has the labels that the data set has */
    bool writes_positive;  /* … which class is the positive one */
    int (*read_annotations)(hs_reader *reader, const hs_annotation_options *options,
                            hs_annotations *out, hsel_error *error);
    /* Names of objects, for --mapping; they are added to those of *out. */
    int (*read_mapping)(hs_reader *reader, const hs_annotation_options *options, hs_mapping *out,
                        hsel_error *error);
    /* Tables of amounts, for build --abundance (format/profile.h). */
    int (*read_amounts)(hs_reader *reader, const struct hs_profile_options *options,
                        struct hs_profile *out, hsel_error *error);
    bool has_species, has_symbols; /* read_annotations follows the options for them */
    bool needs_path; /* cannot be read from a stream (SQLite, pack): hs_reader_path is used */
    bool is_table;   /* read_data follows all of hs_column_options; of other formats load.c takes
                        out the ignored features and refuses the rest */
    /* read_graph follows hs_graph_options.relations, .namespaces, .direction; hs_graph_read refuses
     * those that it does not. */
    bool has_relations, has_namespaces, has_direction;
} hs_format;

/* HSEL_EFORMAT of a file as a whole. */
#define HS_FAIL_FILE(error, reader, ...)                                                           \
    hs_fail_at((error), HSEL_EFORMAT, hs_reader_name(reader), 0, __VA_ARGS__)

/* Roles of a file; several may be given, and the first that fits best is used. */
enum hs_role {
    HS_ROLE_DATA = 1,
    HS_ROLE_GRAPH = 2,
    HS_ROLE_ANNOTATIONS = 4,
    HS_ROLE_MAPPING = 8,
    HS_ROLE_AMOUNTS = 16
};

/* The format of a file: by `wanted` (a name, NULL: none), else by content and name; only formats
 * that can read in one of the roles. HSEL_EFORMAT when nothing fits, with the names of what could.
 */
HSEL_CHECKED int hs_format_sniff(hs_reader *reader, const char *wanted, unsigned roles,
                                 const hs_method **out, hsel_error *error);
/* The format to write: by `wanted`, else by the ending of the path. */
HSEL_CHECKED int hs_format_for_output(const char *path, const char *wanted, unsigned roles,
                                      const hs_method **out, hsel_error *error);

/* Writes data; further classes (data/classes.h) are columns of a table. */
HSEL_CHECKED int hs_format_write(const hs_method *method, const hsel_dataset *data,
                                 hs_writer *writer, hsel_error *error);

/* Reads a hierarchy file without clean-up. */
HSEL_CHECKED int hs_graph_read(hs_reader *reader, const hs_method *method,
                               const hs_graph_options *options, hs_graph *out, hsel_error *error);

/* What the format can do, in words: "reads data, writes data". */
void hs_format_roles(const hs_format *format, hs_buf *out);

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Helpers for the sparse text formats (SVMlight, Matrix Market): a matrix as read, its conversion
 * into a data set, and the accompanying files of names (NAME.features.txt and the like: one name
 * per line, in order).
 *
 * A column whose values are all 0 or 1 is a binary feature, any other a numeric one. These formats
 * cannot store nominal features: writers refuse them.
 */
#pragma once

#include "format/format.h"

typedef struct hs_matrix {   /* initialise with {.reader = …}; hs_matrix_clear frees */
    const hs_reader *reader; /* for messages */
    uint64_t *start;         /* cells of row i: start[i] … start[i+1]-1 */
    uint32_t *column;        /* of each cell */
    double *value; /* of each cell; NULL: all are 1. Zeros may be among them and mean nothing */
    size_t cells;
    size_t start_capacity, column_capacity, value_capacity, label_capacity;
    uint32_t rows, columns;
    uint32_t
        *label; /* number of each row's label, HSEL_NONE = not known; NULL: there are no classes */
    hs_names labels;   /* in order of appearance */
    hs_names features; /* empty: f1, f2, … */
    hs_names ids;      /* empty: none */
} hs_matrix;

void hs_matrix_clear(hs_matrix *matrix);
/* Space for `more` cells after the present ones, so that a line can be read without checks between.
 */
HSEL_CHECKED int hs_matrix_reserve(hs_matrix *matrix, size_t more, hsel_error *error);
/* From now on every cell has a value; those read so far have 1. */
HSEL_CHECKED int hs_matrix_add_values(hs_matrix *matrix, hsel_error *error);
/* The label of the next row; NULL: unknown. */
HSEL_CHECKED int hs_matrix_label(hs_matrix *matrix, const char *label, size_t length,
                                 hsel_error *error);
/* Closes the row, which consists of the cells since the last one. */
HSEL_CHECKED int hs_matrix_end_row(hs_matrix *matrix, hsel_error *error);
/* The data set. The matrix is emptied on the way, so that the cells are not held twice. */
HSEL_CHECKED int hs_matrix_finish(hs_matrix *matrix, const char *positive, hsel_dataset **out,
                                  hsel_error *error);

/* A few bytes can name a row or column with a huge number. Beyond a million, `size` must be in
 * proportion to the number of cells in the file, or memory would be wasted. Not checked if a file
 * of names lists them all. `what` is "rows" or "features". */
HSEL_CHECKED int hs_matrix_proportion(const hs_matrix *matrix, const char *what, uint64_t size,
                                      hsel_error *error);

/* The file of names of the data being read, if it exists and the data come from a file: *name is
 * its path then, to be freed, else NULL. `unique`: names must differ, and not be empty. */
HSEL_CHECKED int hs_sibling_read(const hs_reader *reader, const char *ending, bool unique,
                                 hs_names *out, char **name, hsel_error *error);
/* Length of the path without its last ending and .gz. */
size_t hs_stem_length(const char *path);
/* The path of the name file that goes with a data file, compressed if only that is there; the plain
 * one where there is neither. */
HSEL_CHECKED int hs_sibling_path(const char *path, const char *ending, hs_buf *out,
                                 hsel_error *error);
/* Writes names[which[i]] for each i below count (which NULL: all names in order); HSEL_NONE gives
 * "?". Without names, such a file of an older output is removed. HSEL_EUSAGE for data written to a
 * stream or to memory, which have no accompanying files. */
HSEL_CHECKED int hs_sibling_write(hs_writer *writer, const char *ending, const hs_names *names,
                                  const uint32_t *which, uint32_t count, hsel_error *error);

/* The features have the names that they get without a file of names: f1, f2, … */
bool hs_sparse_plain_names(const hsel_dataset *data);
/* HSEL_EUNSUPPORTED if there are nominal features; `format` is its title, for the message. */
HSEL_CHECKED int hs_sparse_refuse_nominal(const hsel_dataset *data, const char *format,
                                          hsel_error *error);

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of names, as edge lists and ancestor lists have them. The separator is decided once for the
 * whole file, because names with commas are normal between tabs.
 *
 *   tab    names as they stand; a name that is quoted as a whole ("…", quotes inside doubled) loses
 * its quotes comma  CSV: quoted names may hold commas, line ends and doubled quotes; blanks around
 * names do not count blank  any run of blanks and tabs separates
 *
 * Blank lines and lines that start with # are skipped.
 */
#ifndef HS_FORMAT_TERM_LINES_H
#define HS_FORMAT_TERM_LINES_H

#include "core/reader.h"
#include "core/writer.h"

typedef struct hs_term_field {
    char *text; /* not NUL-terminated */
    size_t length;
} hs_term_field;

typedef struct hs_term_lines { /* zero-initialise, set reader; hs_term_lines_clear frees */
    hs_reader *reader;
    char separator; /* '\t', ',' or ' '; 0: decided from the first line (hs_edge_separator) */
    hs_term_field *fields;
    size_t count, capacity;
    unsigned long line; /* the line on which the names start */
} hs_term_lines;

/* 1: fields and count are the next line; 0: end; negative: error. */
HSEL_CHECKED int hs_term_lines_next(hs_term_lines *lines, hsel_error *error);
void hs_term_lines_clear(hs_term_lines *lines);

/* Tab if the line has exactly one, else comma if it has one, else blank. */
char hs_edge_separator(const char *line, size_t length);
/* Tab if one stands outside quotes anywhere, else comma. */
char hs_list_separator(const char *head, size_t length);

/* How the lines of the head look, for sniffing. A last line that is cut off is not looked at. */
typedef struct hs_lines_look {
    size_t lines;       /* that are neither blank nor comments */
    size_t least, most; /* fields on one of them */
    char separator;     /* of the first line, as for edges */
} hs_lines_look;
hs_lines_look hs_term_lines_look(const char *head, size_t length);

/* A name as a field: between tabs quoted only if it would not be read back as it stands; tabs and
 * line ends cannot be written there. In CSV quoted where needed; carriage returns cannot be written
 * there. */
HSEL_CHECKED int hs_put_tab_name(hs_writer *writer, const char *name, size_t length,
                                 hsel_error *error);
HSEL_CHECKED int hs_put_csv_name(hs_writer *writer, const char *name, size_t length,
                                 hsel_error *error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the parts of the ARFF format share: the declared attributes (arff_header.c fills them), the
 * reader of the data section (arff_rows.c) and the writer (arff_write.c).
 */
#ifndef HS_FORMAT_ARFF_H
#define HS_FORMAT_ARFF_H

#include "data/builder.h"
#include "format/columns.h"

typedef enum hs_arff_type {
    HS_ARFF_NUMERIC,
    HS_ARFF_BINARY, /* nominal with the two words of a pair, or with {0} or {1} alone */
    HS_ARFF_NOMINAL,
    HS_ARFF_STRING,
    HS_ARFF_DATE
} hs_arff_type;

typedef struct hs_arff_attribute {
    hs_names *values;   /* nominal: as declared; else NULL */
    unsigned long line; /* of the declaration */
    uint32_t word[2];   /* binary: the negative and the positive word; HSEL_NONE: not declared */
    uint8_t type;
    bool positive_first; /* binary: what is declared first, and so left out of sparse rows, is
                            positive */
} hs_arff_attribute;

typedef struct hs_arff_header { /* zero-initialise; hs_arff_header_clear frees */
    char *relation;             /* NULL: not given */
    hs_names names;             /* of the attributes */
    hs_arff_attribute *attributes;
    size_t capacity;
    hs_names words; /* of the binary attributes */
} hs_arff_header;

/* Reads up to and with the @data line. */
HSEL_CHECKED int hs_arff_read_header(hs_reader *reader, hs_arff_header *out, hsel_error *error);
void hs_arff_header_clear(hs_arff_header *header);
uint32_t hs_arff_value_count(const hs_arff_attribute *attribute);
/* Declared value number i of a binary or nominal attribute. */
const char *hs_arff_value(const hs_arff_header *header, const hs_arff_attribute *attribute,
                          uint32_t i);

/* Reads the data section into `builder`, in which this declares features and classes. */
HSEL_CHECKED int hs_arff_read_rows(hs_reader *reader, const hs_arff_header *header,
                                   const hs_columns *columns, int missing, hs_builder *builder,
                                   hsel_error *error);

HSEL_CHECKED int hs_arff_write(const hsel_dataset *data, hs_writer *writer, hsel_error *error);

/* The text between the quote at `at` and its match, escapes undone in place. Returns the place
 * behind the closing quote; NULL when there is none before `end`. */
char *hs_arff_quoted(char *at, const char *end, char **text, size_t *length);

static inline bool hs_arff_is_blank(char c) { return c == ' ' || c == '\t'; }
static inline bool hs_arff_is_quote(char c) { return c == '\'' || c == '"'; }

static inline char *hs_arff_skip_blanks(char *at)
{
    while (hs_arff_is_blank(*at))
        at++;
    return at;
}

#endif

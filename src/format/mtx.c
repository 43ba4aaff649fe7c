/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matrix Market exchange format, coordinate (sparse) and array (dense): rows are instances, columns
 * features. It has no place for names, so these are in files beside NAME.mtx, one per line:
 * NAME.features.txt, NAME.classes.txt (the label of each row; empty or ? is not known) and
 * NAME.ids.txt. Without classes file there are no classes.
 *
 * Entries come in any order: they are collected as triples and put in order of rows at the end,
 * where duplicates show. Nothing is allocated by the sizes that the header promises before that
 * many entries are there.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "format/sparse.h"
#include "format/table.h"

#define FEATURES ".features.txt"
#define CLASSES  ".classes.txt"
#define IDS      ".ids.txt"

typedef enum field { PATTERN, INTEGER, REAL } field;

typedef struct parser {
    hs_reader *reader;
    bool dense;
    field field;
    uint64_t rows, columns, entries; /* as the header has them */
    uint64_t seen;                   /* entries read */
    uint32_t *row; /* of each cell of the matrix, which has its column and value */
    size_t row_capacity;
    hs_matrix matrix;
    hsel_error *error;
} parser;

static void clear(parser *p)
{
    hs_free(p->row);
    hs_matrix_clear(&p->matrix);
}

#define FAIL(...) hs_fail_line(p->error, p->reader, __VA_ARGS__) /* at the last line read */

/* ---- header ---- */

/* The next line with something on it, in words that blanks separate; 1, 0 at the end, negative. */
static int next_words(parser *p, hs_table *words)
{
    int status;
    do
        status = hs_table_line(words, p->error);
    while (status > 0 && words->line > 1 && words->text[strspn(words->text, " \t")] == '%');
    if (status > 0)
        HS_TRY(hs_table_split(words, p->error));
    return status;
}

static int read_header(parser *p)
{
    static const struct {
        const char *what, *words[3], *known;
    } parts[] = {{"object", {"matrix"}, "matrix"},
                 {"layout", {"coordinate", "array"}, "coordinate, array"},
                 {"field", {"pattern", "integer", "real"}, "pattern, integer, real"},
                 {"symmetry", {"general"}, "general"}};
    HS_OWNS(hs_table_clear)
    hs_table words = {.reader = p->reader, .delimiter = ' ', .quoting = HS_NOT_QUOTED};
    int found[4] = {0}, status = next_words(p, &words);
    if (status < 0)
        return status;
    if (!status || words.line > 1 || words.count != 5 ||
        !hs_equal_nocase(words.fields[0].text, words.fields[0].length, "%%MatrixMarket"))
        return hs_fail_at(
            p->error, HSEL_EFORMAT, hs_reader_name(p->reader), 1,
            "no Matrix Market header (%%%%MatrixMarket matrix coordinate pattern general)");
    for (int i = 0; i < 4; i++) {
        const hs_field *w = &words.fields[i + 1];
        while (found[i] < 3 && parts[i].words[found[i]] &&
               !hs_equal_nocase(w->text, w->length, parts[i].words[found[i]]))
            found[i]++;
        if (found[i] == 3 || !parts[i].words[found[i]])
            return FAIL("%s \"%.60s\" cannot be read (%s can)", parts[i].what, w->text,
                        parts[i].known);
        p->dense = found[1] == 1;
        p->field = (field)found[2];
        if (i == 2 && p->dense && p->field == PATTERN)
            return FAIL("an array of pattern has no values");
    }

    size_t want = p->dense ? 2 : 3;
    uint64_t *numbers[] = {&p->rows, &p->columns, &p->entries};
    if ((status = next_words(p, &words)) < 0)
        return status;
    bool good = status && words.count == want;
    for (size_t i = 0; i < want && good; i++)
        good = hs_parse_u64(words.fields[i].text, words.fields[i].length, numbers[i]);
    if (!good)
        return FAIL("no size line (%s)", p->dense ? "rows columns" : "rows columns entries");
    if (p->rows > HS_INSTANCES_LIMIT || p->columns >= HS_FEATURES_LIMIT)
        return hs_fail_at(
            p->error, HSEL_ELIMIT, hs_reader_name(p->reader), hs_reader_line_number(p->reader),
            "%" PRIu64 " x %" PRIu64 " is more than %" PRIu32 " rows or %" PRIu32 " columns",
            p->rows, p->columns, HS_INSTANCES_LIMIT, HS_FEATURES_LIMIT - 1);
    if (p->dense)
        p->entries = p->rows * p->columns;
    else if (p->rows * p->columns < p->entries)
        return FAIL("%" PRIu64 " entries do not fit in %" PRIu64 " x %" PRIu64, p->entries, p->rows,
                    p->columns);
    return HSEL_OK;
}

/* ---- entries ---- */

/* A number from 1 to `limit`, by hand because it is most of the file. Leaves *s behind it; 0: not a
 * number. */
static uint64_t scan(const char **s)
{
    const char *at = *s;
    uint64_t number = 0;
    uint32_t digit;
    for (; (digit = (uint32_t)(unsigned char)*at - '0') <= 9; at++)
        if (number <= UINT32_MAX) /* what is larger is out of range anyway */
            number = number * 10 + digit;
    bool good = at > *s && (*at == ' ' || *at == '\t' || *at == '\0');
    while (*at == ' ' || *at == '\t')
        at++;
    *s = at;
    return good ? number : UINT64_MAX;
}

static int read_entries(parser *p)
{
    static const char *const forms[2][3] = {
        {"row column", "row column integer", "row column number"},
        {"", "one integer", "one number"}};
    hs_matrix *matrix = &p->matrix;
    char *line;
    size_t length;
    int status;
    for (; (status = hs_reader_line(p->reader, &line, &length, p->error)) > 0; p->seen++) {
        line += strspn(line, " \t");
        if (!*line) {
            p->seen--;
            continue;
        }
        if (p->seen == p->entries)
            return FAIL("more than the %" PRIu64 " entries that the header promises", p->entries);
        const char *s = line;
        double value = 1;
        /* Arrays go down the columns. */
        uint64_t row = p->dense ? p->seen % p->rows + 1 : scan(&s);
        uint64_t column = p->dense ? p->seen / p->rows + 1 : row == UINT64_MAX ? row : scan(&s);
        bool good = column != UINT64_MAX;
        if (good && p->field == PATTERN) {
            good = *s == '\0';
        } else if (good) { /* the value ends the line */
            int64_t integer = 0;
            length = strlen(s);
            hs_trim(&s, &length);
            size_t sign = length > 1 && *s == '+';
            good = p->field == INTEGER
                       ? hs_parse_i64(s + sign, length - sign, &integer)
                       : hs_parse_double(s + sign, length - sign, &value) && !isinf(value);
            value = p->field == INTEGER ? (double)integer : value;
        }
        if (!good)
            return FAIL("\"%.60s\" is not %s", line, forms[p->dense][p->field]);
        if (row < 1 || row > p->rows)
            return FAIL("row %" PRIu64 " is not one of 1 to %" PRIu64, row, p->rows);
        if (column < 1 || column > p->columns)
            return FAIL("column %" PRIu64 " is not one of 1 to %" PRIu64, column, p->columns);
        if (p->dense && value == 0)
            continue;
        if (value != 1)
            HS_TRY(hs_matrix_add_values(matrix, p->error));
        HS_TRY(hs_matrix_reserve(matrix, 1, p->error));
        if (!HS_GROW(&p->row, &p->row_capacity, matrix->cells + 1))
            return hs_fail_memory(p->error);
        p->row[matrix->cells] = (uint32_t)row - 1;
        matrix->column[matrix->cells] = (uint32_t)column - 1;
        if (matrix->value)
            matrix->value[matrix->cells] = value;
        matrix->cells++;
    }
    if (!status && p->seen < p->entries)
        return HS_FAIL_FILE(p->error, p->reader,
                            "the header promises %" PRIu64 " entries, and there are %" PRIu64,
                            p->entries, p->seen);
    return status;
}

/* ---- name files ---- */

/* Reads the file with this ending, if there is one; it must have `want` lines. */
static int read_names(const parser *p, const char *ending, hs_lines kind, uint64_t want,
                      const char *what, hs_names *out, bool *found)
{
    HS_OWNED char *name = NULL;
    HS_TRY(hs_sibling_read(p->reader, ending, kind, out, &name, p->error));
    *found = name != NULL;
    if (name && out->count != want)
        return hs_fail_at(p->error, HSEL_EFORMAT, name, 0,
                          "%" PRIu32 " lines for the %" PRIu64 " %s of %s", out->count, want, what,
                          hs_reader_name(p->reader));
    return HSEL_OK;
}

static int read_data(hs_reader *reader, const hs_column_options *options, hsel_dataset **out,
                     hsel_error *error)
{
    HS_OWNS(clear) parser p = {.reader = reader, .matrix.reader = reader, .error = error};
    HS_OWNS(hs_names_clear) hs_names labels = {0};
    hs_matrix *matrix = &p.matrix;
    bool features, classes = false, ids;
    HS_TRY(read_header(&p));
    HS_TRY(read_entries(&p));
    HS_TRY(read_names(&p, FEATURES, HS_LINES_UNIQUE, p.columns, "columns", &matrix->features,
                      &features));
    if (!options->no_class)
        HS_TRY(read_names(&p, CLASSES, HS_LINES_ANY, p.rows, "rows", &labels, &classes));
    for (matrix->rows = 0; matrix->rows < labels.count; matrix->rows++) {
        const char *label = hs_names_get(&labels, matrix->rows);
        bool known = *label && strcmp(label, "?") != 0;
        HS_TRY(hs_matrix_label(matrix, known ? label : NULL, strlen(label), error));
    }
    HS_TRY(read_names(&p, IDS, HS_LINES_ANY, p.rows, "rows", &matrix->ids, &ids));
    if (!features)
        HS_TRY(hs_matrix_proportion(matrix, "columns", p.columns, error));
    if (!classes && !ids)
        HS_TRY(hs_matrix_proportion(matrix, "rows", p.rows, error));
    matrix->rows = (uint32_t)p.rows;
    matrix->columns = (uint32_t)p.columns;
    HS_TRY(hs_matrix_group(matrix, p.row, error));
    hs_free(hs_take(&p.row));

    HS_OWNED uint32_t *last = HS_NEW_ZERO(uint32_t, matrix->columns); /* row + 1 that had it last */
    HS_NEED(last);
    for (uint32_t r = 0; r < matrix->rows; r++)
        for (uint64_t i = matrix->start[r]; i < matrix->start[r + 1]; i++) {
            uint32_t column = matrix->column[i];
            if (last[column] == r + 1)
                return HS_FAIL_FILE(error, reader, "entry %" PRIu32 " %" PRIu32 " is given twice",
                                    r + 1, column + 1);
            last[column] = r + 1;
        }
    return hs_matrix_finish(matrix, options->positive, out, error);
}

/* ---- writing ---- */

static int write_data(const hsel_dataset *data, hs_writer *writer, hsel_error *error)
{
    const char *ending = data->numeric_count ? " 1\n" : "\n";
    uint64_t cells = data->rows.start[data->instances];
    HS_TRY(hs_sparse_refuse_nominal(data, "Matrix Market", error));
    for (uint32_t c = 0; c < data->class_names.count; c++) {
        const char *label = hs_names_get(&data->class_names, c);
        if (!*label || strcmp(label, "?") == 0)
            return hs_fail(error, HSEL_EUNSUPPORTED,
                           "the class label \"%s\" means an unknown class in a file of labels",
                           label);
    }
    for (uint32_t k = 0; k < data->numeric_count; k++)
        for (uint32_t i = 0; i < data->numeric[k].count; i++)
            cells += data->numeric[k].values[i] != 0;
    hs_writer_printf(writer, "%%%%MatrixMarket matrix coordinate %s general\n",
                     data->numeric_count ? "real" : "pattern");
    hs_writer_printf(writer, "%" PRIu32 " %" PRIu32 " %" PRIu64 "\n", data->instances,
                     data->features, cells);
    /* Down the columns, as is usual for this format and as numeric features are kept. */
    for (uint32_t f = 0; f < data->features; f++) {
        bool numeric = data->types[f] == HSEL_NUMERIC;
        const hs_numeric_column *column = numeric ? &data->numeric[data->slot[f]] : NULL;
        size_t count;
        const uint32_t *rows = hs_column(data, f, &count);
        if (numeric) {
            rows = column->rows;
            count = column->count;
        }
        for (size_t i = 0; i < count; i++) {
            if (numeric && column->values[i] == 0)
                continue;
            hs_writer_u64(writer, (rows ? rows[i] : i) + 1);
            hs_writer_char(writer, ' ');
            hs_writer_u64(writer, (uint64_t)f + 1);
            if (numeric) {
                hs_writer_char(writer, ' ');
                hs_writer_double(writer, column->values[i]);
            }
            hs_writer_text(writer, numeric ? "\n" : ending);
        }
    }
    /* A stream has no files beside it, which is all right as long as nothing is lost. */
    if (hs_writer_path(writer) || !hs_sparse_plain_names(data))
        HS_TRY(
            hs_sibling_write(writer, FEATURES, &data->feature_names, NULL, data->features, error));
    HS_TRY(hs_sibling_write(writer, CLASSES, data->class_of ? &data->class_names : NULL,
                            data->class_of, data->instances, error));
    return hs_sibling_write(writer, IDS, data->ids.count ? &data->ids : NULL, NULL, data->instances,
                            error);
}

static int sniff(const char *head, size_t length)
{
    static const char banner[] = "%%MatrixMarket";
    size_t need = sizeof banner - 1;
    return length > need && hs_equal_nocase(head, need, banner) ? 100 : 0;
}

const hs_method hs_method_mtx = {
    .kind = HS_FORMAT,
    .name = "mtx",
    .title = "Matrix Market",
    .help = "A matrix whose rows are instances and whose columns are features: coordinate "
            "(sparse) or array (dense), of pattern, integer or real, general. Columns whose "
            "values are all 0 or 1 are binary features, others numeric. Names stand beside "
            "NAME.mtx, one a line: NAME.features.txt, NAME.classes.txt (the label of each row, "
            "empty or ? if unknown) and NAME.ids.txt; without them features are f1, f2, ... "
            "and there are no classes and no identifiers. Data are written with these files, "
            "so only a bare matrix can go to standard output.",
    .citation = "R. Boisvert, R. Pozo, K. Remington, The Matrix Market exchange formats, NISTIR "
                "5935 (1996)",
    .format = &(const hs_format){.endings = "mtx",
                                 .siblings = {FEATURES, CLASSES, IDS},
                                 .sniff = sniff,
                                 .read_data = read_data,
                                 .write_data = write_data}};

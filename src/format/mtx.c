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
#include <strings.h>

#include "format/sparse.h"
#include "format/table.h"

#define FEATURES ".features.txt"
#define CLASSES  ".classes.txt"
#define IDS      ".ids.txt"

/* The next line with something on it, in words that blanks separate; 1, 0 at the end, negative. */
static int next_words(hs_table *words, hsel_error *error)
{
    int status;
    do
        status = hs_table_line(words, error);
    while (status > 0 && words->line > 1 && words->text[strspn(words->text, " \t")] == '%');
    if (status > 0)
        HS_TRY(hs_table_split(words, error));
    return status;
}

/* The number at *s, parsed by hand because most of the file is such numbers. Moves *s past it and
 * the blanks that follow; UINT64_MAX: not a number. */
static uint64_t scan_number(const char **s)
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

#define FAIL(...) hs_fail_line(error, reader, __VA_ARGS__) /* at the last line read */

/* From triples to rows, by counting: row[i] is the row of cell i. The order within a row stays.
 * While cells are placed, start[r + 1] is where the next one of row r goes. */
static int group_rows(hs_matrix *matrix, const uint32_t *row, hsel_error *error)
{
    const size_t rows = matrix->rows, cells = matrix->cells;
    HS_OWNED uint64_t *start = HS_NEW_ZERO(uint64_t, rows + 2);
    HS_OWNED uint32_t *column = HS_NEW(uint32_t, cells);
    HS_OWNED double *value = matrix->value ? HS_NEW(double, cells) : NULL;
    HS_NEED(start && column && !value == !matrix->value);
    for (size_t i = 0; i < cells; i++)
        start[row[i] + 2]++;
    for (size_t r = 0; r < rows; r++)
        start[r + 2] += start[r + 1];
    for (size_t i = 0; i < cells; i++) {
        const uint64_t at = start[row[i] + 1]++;
        column[at] = matrix->column[i];
        if (value)
            value[at] = matrix->value[i];
    }
    HS_FREE(matrix->column, matrix->value);
    matrix->start = hs_take(&start);
    matrix->column = hs_take(&column);
    matrix->value = hs_take(&value);
    return HSEL_OK;
}

static int mtx_read_data(hs_reader *reader, const hs_column_options *options, hsel_dataset **out,
                         hsel_error *error)
{
    static const struct {
        const char *what, *words[3], *known;
    } parts[] = {{"object", {"matrix"}, "matrix"},
                 {"layout", {"coordinate", "array"}, "coordinate, array"},
                 {"field", {"pattern", "integer", "real"}, "pattern, integer, real"},
                 {"symmetry", {"general"}, "general"}};
    enum { PATTERN, INTEGER, REAL };
    static const char *const forms[2][3] = {
        {"row column", "row column integer", "row column number"},
        {"", "one integer", "one number"}};
    HS_OWNS(hs_table_clear)
    hs_table words = {.reader = reader, .delimiter = ' ', .quoting = HS_NOT_QUOTED};
    HS_OWNS(hs_matrix_clear) hs_matrix matrix = {.reader = reader};
    HS_OWNS(hs_names_clear) hs_names labels = {0};
    HS_OWNED uint32_t *row_of = NULL; /* of each cell of the matrix */
    size_t row_capacity = 0, length;
    char *line;

    /* The first line: what the matrix is. */
    int found[4] = {0}, status = next_words(&words, error);
    if (status < 0)
        return status;
    if (!status || words.line > 1 || words.count != 5 ||
        !hs_equal_nocase(HS_SPAN(words.fields[0]), "%%MatrixMarket"))
        return hs_fail_at(
            error, HSEL_EFORMAT, hs_reader_name(reader), 1,
            "no Matrix Market header (%%%%MatrixMarket matrix coordinate pattern general)");
    for (int i = 0; i < 4; i++) {
        const hs_field *w = &words.fields[i + 1];
        while (found[i] < 3 && parts[i].words[found[i]] &&
               !hs_equal_nocase(HS_SPAN(*w), parts[i].words[found[i]]))
            found[i]++;
        if (found[i] == 3 || !parts[i].words[found[i]])
            return FAIL("%s \"%.60s\" cannot be read (%s can)", parts[i].what, w->text,
                        parts[i].known);
        if (i == 2 && found[1] == 1 && found[2] == PATTERN)
            return FAIL("an array of pattern has no values");
    }
    bool dense = found[1] == 1;
    int field = found[2];

    /* The size. */
    uint64_t sizes[3] = {0}, seen = 0; /* rows, columns, entries */
    if ((status = next_words(&words, error)) < 0)
        return status;
    bool good = status && words.count == (dense ? 2 : 3);
    for (size_t i = 0; good && i < words.count; i++)
        good = hs_parse_u64(HS_SPAN(words.fields[i]), &sizes[i]);
    if (!good)
        return FAIL("no size line (%s)", dense ? "rows columns" : "rows columns entries");
    uint64_t rows = sizes[0], columns = sizes[1], entries = dense ? rows * columns : sizes[2];
    if (rows > HS_INSTANCES_LIMIT || columns >= HS_FEATURES_LIMIT)
        return hs_fail_at(error, HSEL_ELIMIT, hs_reader_name(reader), hs_reader_line_number(reader),
                          "%" PRIu64 " x %" PRIu64 " is more than %" PRIu32 " rows or %" PRIu32
                          " columns",
                          rows, columns, HS_INSTANCES_LIMIT, HS_FEATURES_LIMIT - 1);
    if (rows * columns < entries)
        return FAIL("%" PRIu64 " entries do not fit in %" PRIu64 " x %" PRIu64, entries, rows,
                    columns);

    while ((status = hs_reader_line(reader, &line, &length, error)) > 0) {
        line += strspn(line, " \t");
        if (!*line)
            continue;
        if (seen == entries)
            return FAIL("more than the %" PRIu64 " entries that the header declares", entries);
        const char *s = line;
        double value = 1;
        /* Arrays go down the columns. */
        uint64_t row = dense ? seen % rows + 1 : scan_number(&s);
        uint64_t column = dense ? seen / rows + 1 : row == UINT64_MAX ? row : scan_number(&s);
        seen++;
        good = column != UINT64_MAX;
        if (good && field == PATTERN) {
            good = *s == '\0';
        } else if (good) { /* the value ends the line */
            int64_t integer = 0;
            length = strlen(s);
            hs_trim(&s, &length);
            size_t sign = length > 1 && *s == '+';
            good = field == INTEGER
                       ? hs_parse_i64(s + sign, length - sign, &integer)
                       : hs_parse_double(s + sign, length - sign, &value) && !isinf(value);
            value = field == INTEGER ? (double)integer : value;
        }
        if (!good)
            return FAIL("\"%.60s\" is not %s", line, forms[dense][field]);
        if (row < 1 || row > rows)
            return FAIL("row %" PRIu64 " is not one of 1 to %" PRIu64, row, rows);
        if (column < 1 || column > columns)
            return FAIL("column %" PRIu64 " is not one of 1 to %" PRIu64, column, columns);
        if (dense && value == 0)
            continue;
        if (value != 1)
            HS_TRY(hs_matrix_add_values(&matrix, error));
        HS_TRY(hs_matrix_reserve(&matrix, 1, error));
        HS_NEED(HS_GROW(&row_of, &row_capacity, matrix.cells + 1));
        row_of[matrix.cells] = (uint32_t)row - 1;
        matrix.column[matrix.cells] = (uint32_t)column - 1;
        if (matrix.value)
            matrix.value[matrix.cells] = value;
        matrix.cells++;
    }
    HS_TRY(status);
    if (seen < entries)
        return HS_FAIL_FILE(error, reader,
                            "the header declares %" PRIu64 " entries, and there are %" PRIu64,
                            entries, seen);

    /* The files of names: one line per row or column. */
    const struct {
        const char *ending, *what;
        bool unique;
        uint64_t lines;
        hs_names *names;
    } files[] = {{FEATURES, "columns", true, columns, &matrix.features},
                 {CLASSES, "rows", false, rows, &labels},
                 {IDS, "rows", false, rows, &matrix.ids}};
    bool there[3] = {false};
    for (int i = 0; i < 3; i++) {
        HS_OWNED char *name = NULL;
        if (i == 1 && options->no_class)
            continue;
        HS_TRY(hs_sibling_read(reader, files[i].ending, files[i].unique, files[i].names, &name,
                               error));
        there[i] = name != NULL;
        if (name && files[i].names->count != files[i].lines)
            return hs_fail_at(
                error, HSEL_EFORMAT, name, 0, "%" PRIu32 " lines for the %" PRIu64 " %s of %s",
                files[i].names->count, files[i].lines, files[i].what, hs_reader_name(reader));
    }
    for (; matrix.rows < labels.count; matrix.rows++) {
        const char *label = hs_names_get(&labels, matrix.rows);
        bool known = *label && strcmp(label, "?") != 0;
        HS_TRY(hs_matrix_label(&matrix, known ? label : NULL, strlen(label), error));
    }
    if (!there[0])
        HS_TRY(hs_matrix_proportion(&matrix, "columns", columns, error));
    if (!there[1] && !there[2])
        HS_TRY(hs_matrix_proportion(&matrix, "rows", rows, error));

    matrix.rows = (uint32_t)rows;
    matrix.columns = (uint32_t)columns;
    HS_TRY(group_rows(&matrix, row_of, error));
    hs_free(hs_take(&row_of));
    HS_OWNED uint32_t *last = HS_NEW_ZERO(uint32_t, matrix.columns); /* row + 1 that had it last */
    HS_NEED(last);
    for (uint32_t r = 0; r < matrix.rows; r++)
        for (uint64_t i = matrix.start[r]; i < matrix.start[r + 1]; i++) {
            uint32_t column = matrix.column[i];
            if (last[column] == r + 1)
                return HS_FAIL_FILE(error, reader, "entry %" PRIu32 " %" PRIu32 " is given twice",
                                    r + 1, column + 1);
            last[column] = r + 1;
        }
    return hs_matrix_finish(&matrix, options->positive, out, error);
}

/* ---- writing ---- */

static int mtx_write_data(const hsel_dataset *data, hs_writer *writer, hsel_error *error)
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
        const hs_numeric_column column = hs_dataset_column(data, f);
        for (uint32_t i = 0; i < column.count; i++) {
            if (hs_value_at(&column, i) == 0)
                continue;
            hs_writer_u64(writer, (uint64_t)hs_row_at(&column, i) + 1);
            hs_writer_char(writer, ' ');
            hs_writer_u64(writer, (uint64_t)f + 1);
            if (column.values) {
                hs_writer_char(writer, ' ');
                hs_writer_double(writer, column.values[i]);
            }
            hs_writer_text(writer, column.values ? "\n" : ending);
        }
    }
    /* A stream has no accompanying files, which is fine as long as nothing is lost. */
    if (hs_writer_path(writer) || !hs_sparse_plain_names(data))
        HS_TRY(
            hs_sibling_write(writer, FEATURES, &data->feature_names, NULL, data->features, error));
    HS_OWNS(hs_names_clear) hs_names numbers = {0}; /* a numeric target as labels */
    for (uint32_t i = 0; data->target && i < data->instances; i++) {
        char text[40] = "?";
        size_t length = hs_has_label(data, i) ? hs_format_double(data->target[i], text) : 1;
        HS_TRY(hs_names_append(&numbers, text, length, error));
    }
    HS_TRY(hs_sibling_write(writer, CLASSES,
                            data->target     ? &numbers
                            : data->class_of ? &data->class_names
                                             : NULL,
                            data->class_of, data->instances, error));
    return hs_sibling_write(writer, IDS, data->ids.count ? &data->ids : NULL, NULL, data->instances,
                            error);
}

static int mtx_sniff(const char *head)
{
    return strncasecmp(head, "%%MatrixMarket", 14) == 0 ? 100 : 0;
}

const hs_method hs_method_mtx = {
    .kind = HS_FORMAT,
    .name = "mtx",
    .title = "Matrix Market",
    .help = "A matrix whose rows are instances and whose columns are features: coordinate (sparse) "
            "or array (dense), of pattern, integer or real, general. Columns whose values are all "
            "0 or 1 are binary features, others numeric. Names are in files beside NAME.mtx, one "
            "per line: NAME.features.txt, NAME.classes.txt (the label of each row, empty or ? if "
            "unknown) and NAME.ids.txt; without them features are f1, f2, ... and there are no "
            "classes and no identifiers. Data are written with these files, so only a bare matrix "
            "can go to standard output.",
    .citation = "R. Boisvert, R. Pozo, K. Remington, The Matrix Market exchange formats, NISTIR "
                "5935 (1996)",
    .format = &(const hs_format){.endings = "mtx",
                                 .siblings = {FEATURES, CLASSES, IDS},
                                 .sniff = mtx_sniff,
                                 .read_data = mtx_read_data,
                                 .write_data = mtx_write_data}};

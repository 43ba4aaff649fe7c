/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SVMlight / LIBSVM: `label [qid:n] index:value … [# comment]`, one line per instance.
 *
 * Labels are class names. One that is a number is taken as its shortest text (+1, 1.0 and 1 are one
 * class); `?` is a class that is not known. A line without label is read only where the user says
 * that there are no classes, and any label is skipped then. Indices ascend within a line and start
 * at 1, or at 0 if a 0 occurs anywhere. qid is ignored. If every line has a comment, the comments
 * are the identifiers. Names of features come from NAME.features.txt beside the file.
 *
 * Other programs read labels that are numbers only. Classes with other names are written as
 * numbers, with a comment line `# hsel label NUMBER NAME` for each, by which reading gives them
 * their names again; the same lines are in NAME.labels.txt for other programs. A class that is
 * not known is 0 then, with the name ?.
 */
#include <inttypes.h>

#include "format/hierarchy.h"
#include "format/sparse.h"

#define FEATURES       ".features.txt"
#define LABELS         ".labels.txt"
#define LABEL_COMMENT  "# hsel label "
#define EXACT_INTEGERS 9007199254740992.0 /* 2^53: above it, different texts are one double */

typedef struct parser {
    hs_reader *reader;
    bool no_class;
    bool has_zero;           /* an index 0 was seen */
    bool without_comment;    /* a line without comment was seen */
    uint32_t end;            /* one more than the highest index */
    hs_names numbers, names; /* of the lines that give a label a name */
    hs_matrix matrix;
    hsel_error *error;
} parser;

static void svmlight_clear(parser *p)
{
    HS_CLEAR_NAMES(&p->numbers, &p->names);
    hs_matrix_clear(&p->matrix);
}

#define FAIL(...) hs_fail_line(p->error, p->reader, __VA_ARGS__) /* at the last line read */

static char *token_end(char *s)
{
    while (*s && *s != ' ' && *s != '\t' && *s != '#')
        s++;
    return s;
}

/* A token for a message, cut to a readable length, which changes the line. */
static const char *shown(char *from, const char *to)
{
    from[to - from > 60 ? 60 : to - from] = '\0';
    return from;
}

/* The name of the class of a label: numbers in their shortest form, in `made` (32 bytes).
 */
static const char *normal_label(const char *text, size_t *length, char *made)
{
    double value;
    size_t sign = *length > 1 && text[0] == '+';
    if (!hs_parse_double(text + sign, *length - sign, &value) || !(fabs(value) < EXACT_INTEGERS))
        return text;
    *length = hs_format_double(value == 0 ? 0 : value, made); /* no -0 */
    return made;
}

/* The pairs of a line, the hot loop: no call and no check of space for a value that is a plain 1
 * (the caller has reserved for the whole line). Leaves *line at the comment or the end. */
static int svmlight_pairs(parser *p, char **line)
{
    hs_matrix *matrix = &p->matrix;
    char *s = *line;
    int64_t before = -1;
    for (;; matrix->cells++) {
        s = hs_skip_blanks(s);
        if (*s == '#' || *s == '\0')
            break;
        char *token = s;
        uint32_t digit, index = 0;
        while ((digit = (uint32_t)(unsigned char)*s - '0') <= 9 && index < HS_FEATURES_LIMIT) {
            index = index * 10 + digit;
            s++;
        }
        if (*s != ':' || s == token || index >= HS_FEATURES_LIMIT) {
            const char *to = token_end(s);
            const char *colon = memchr(token, ':', (size_t)(to - token));
            uint64_t number;
            if (colon && hs_parse_u64(token, (size_t)(colon - token), &number))
                return FAIL("index %s is above %" PRIu32, shown(token, colon),
                            HS_FEATURES_LIMIT - 1);
            return FAIL("\"%s\" is not index:value", shown(token, to));
        }
        double value = 1;
        s++;
        if (*s == '1' && (hs_is_blank(s[1]) || s[1] == '\0')) {
            s++;
        } else { /* not a plain 1 */
            char *to = token_end(s);
            size_t sign = to - s > 1 && *s == '+';
            if (!hs_parse_double(s + sign, (size_t)(to - s) - sign, &value))
                return FAIL("value \"%s\" of index %" PRIu32 " is not a number", shown(s, to),
                            index);
            if (isinf(value))
                return FAIL("value %s of index %" PRIu32 " is not finite", shown(s, to), index);
            s = to;
            if (value != 1)
                HS_TRY(hs_matrix_add_values(matrix, p->error));
        }
        if (index == before)
            return FAIL("index %" PRIu32 " is given twice", index);
        if (index < before)
            return FAIL("index %" PRIu32 " after %" PRIu32 ": indices must ascend", index,
                        (uint32_t)before);
        before = index;
        matrix->column[matrix->cells] = index;
        if (matrix->value)
            matrix->value[matrix->cells] = value;
        p->has_zero |= index == 0;
    }
    if (before >= p->end)
        p->end = (uint32_t)before + 1;
    *line = s;
    return HSEL_OK;
}

static int svmlight_line(parser *p, char *line, size_t length)
{
    hs_matrix *matrix = &p->matrix;
    char *s = hs_skip_blanks(line), *end = line + length, made[32];
    uint64_t number;
    uint32_t id;
    if (strncmp(s, LABEL_COMMENT, sizeof LABEL_COMMENT - 1) == 0) { /* "# hsel label 1 yes" */
        char *text = s + sizeof LABEL_COMMENT - 1;
        const char *blank = memchr(text, ' ', (size_t)(end - text));
        bool added = false;
        if (!blank || blank == text || blank + 1 == end)
            return FAIL("\"%s\" is not a label and its name", shown(text, end));
        size_t size = (size_t)(blank - text);
        const char *label = normal_label(text, &size, made);
        HS_TRY(hs_names_intern(&p->numbers, label, size, &id, &added, p->error));
        if (added)
            HS_TRY(hs_names_intern(&p->names, blank + 1, (size_t)(end - blank - 1), &id, &added,
                                   p->error));
        return added ? HSEL_OK : FAIL("label or name of \"%s\" is given twice", shown(text, end));
    }
    if (*s == '#' || *s == '\0')
        return HSEL_OK;
    /* A pair and its blank take four bytes at least. */
    HS_TRY(hs_matrix_reserve(matrix, length / 4 + 1, p->error));
    char *to = token_end(s);
    size_t size = (size_t)(to - s);
    bool is_pair = memchr(s, ':', size) != NULL;
    if (!p->no_class) {
        if (is_pair)
            return FAIL("no label before %s ({no-class} reads a file without labels)",
                        shown(s, to));
        if (memchr(s, ',', size))
            return FAIL("several labels (%s): multi-label data cannot be read", shown(s, to));
        const char *label = size == 1 && *s == '?' ? NULL : normal_label(s, &size, made);
        HS_TRY(hs_matrix_label(matrix, label, size, p->error));
    }
    s = hs_skip_blanks(is_pair ? s : to);
    if (strncmp(s, "qid:", 4) == 0) {
        to = token_end(s);
        if (!hs_parse_u64(s + 4, (size_t)(to - s) - 4, &number))
            return FAIL("\"%s\" is not qid:number", shown(s, to));
        s = to;
    }
    HS_TRY(svmlight_pairs(p, &s));
    p->without_comment |= *s != '#';
    if (!p->without_comment) {
        const char *text = s + 1;
        size = strlen(text);
        hs_trim(&text, &size);
        HS_TRY(hs_names_append(&matrix->ids, text, size, p->error));
    }
    return hs_matrix_end_row(matrix, p->error);
}

static int svmlight_read_data(hs_reader *reader, const hs_column_options *options,
                              hsel_dataset **out, hsel_error *error)
{
    HS_OWNS(svmlight_clear)
    parser p = {
        .reader = reader, .no_class = options->no_class, .matrix.reader = reader, .error = error};
    hs_matrix *matrix = &p.matrix;
    HS_OWNED char *name = NULL;
    const char *positive = options->positive;
    char *line, made[32];
    size_t length;
    int status;
    while ((status = hs_reader_line(reader, &line, &length, error)) > 0)
        HS_TRY(svmlight_line(&p, line, length));
    HS_TRY(status);
    if (!matrix->rows)
        return HS_FAIL_FILE(error, reader, "no instances");

    /* What is known only when all lines were seen: columns from 0, names, identifiers. */
    HS_TRY(hs_sibling_read(reader, FEATURES, true, &matrix->features, &name, error));
    matrix->columns = p.end - (p.end && !p.has_zero);
    for (size_t i = 0; i < matrix->cells && !p.has_zero; i++)
        matrix->column[i]--;
    if (name && matrix->features.count < matrix->columns)
        return HS_FAIL_FILE(error, reader,
                            "feature %" PRIu32 " occurs, but %s names %" PRIu32 " only", p.end - 1,
                            name, matrix->features.count);
    if (name)
        matrix->columns = matrix->features.count;
    else
        HS_TRY(hs_matrix_proportion(matrix, "features", matrix->columns, error));
    const hs_names *ids = &matrix->ids;
    if (p.without_comment || (ids->count && ids->start[ids->count] == ids->count)) /* all empty */
        hs_names_clear(&matrix->ids);
    if (!p.no_class && p.numbers.count) { /* classes get the names of their labels */
        HS_OWNS(hs_names_clear) hs_names labels = matrix->labels;
        HS_OWNED uint32_t *name_of = HS_NEW(uint32_t, labels.count);
        matrix->labels = (hs_names){0};
        HS_NEED(name_of);
        for (uint32_t c = 0; c < labels.count; c++) {
            uint32_t found = hs_names_find(&p.numbers, HS_NAME(&labels, c));
            if (found == HSEL_NONE)
                return HS_FAIL_FILE(error, reader,
                                    "other labels have names in lines " LABEL_COMMENT
                                    "…, but %.200s has none",
                                    hs_names_get(&labels, c));
            name_of[c] = HSEL_NONE;
            if (strcmp(hs_names_get(&p.names, found), "?") != 0)
                HS_TRY(hs_names_intern(&matrix->labels, HS_NAME(&p.names, found), &name_of[c], NULL,
                                       error));
        }
        for (uint32_t i = 0; i < matrix->rows; i++)
            if (matrix->label[i] != HSEL_NONE)
                matrix->label[i] = name_of[matrix->label[i]];
    }
    uint32_t one = hs_names_find(&p.numbers, "1", 1);
    if (!positive && !p.no_class && matrix->labels.count == 2 && one != HSEL_NONE &&
        hs_names_find(&p.numbers, "-1", 2) != HSEL_NONE) /* 1 is the positive one by definition */
        positive = hs_names_get(&p.names, one);
    if (positive && !p.numbers.count && (length = strlen(positive)) &&
        (positive = normal_label(positive, &length, made)) == made)
        made[length] = '\0';
    return hs_matrix_finish(matrix, positive, out, error);
}

/* ---- writing ---- */

/* Two classes are 1 (the positive one) and -1, as in SVMlight; more are numbered from 1. A class
 * that is not known is 0. */
static int64_t label_number(const hsel_dataset *data, uint32_t label)
{
    uint32_t positive = data->positive_class == HSEL_NONE ? 1 : data->positive_class;
    if (label == HSEL_NONE)
        return 0;
    return data->class_names.count == 2 ? (label == positive ? 1 : -1) : (int64_t)label + 1;
}

/* "NUMBER NAME" for every class and for what is not known; none if all labels are numbers, which
 * are read back as the same classes. */
static int label_lines(const hsel_dataset *data, hs_names *out, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf line = {0};
    const hs_names *names = &data->class_names;
    bool unknown = false, numbers = true;
    for (uint32_t i = 0; i < data->instances; i++)
        unknown = unknown || (!data->target && !hs_has_label(data, i));
    for (uint32_t c = 0; c < names->count && numbers; c++) {
        char made[32];
        size_t length = hs_names_length(names, c);
        numbers = normal_label(hs_names_get(names, c), &length, made) == made &&
                  length == hs_names_length(names, c) &&
                  memcmp(hs_names_get(names, c), made, length) == 0;
    }
    for (uint32_t c = 0; c < names->count + unknown && (unknown || !numbers); c++) {
        bool is_class = c < names->count;
        const char *name = is_class ? hs_names_get(names, c) : "?";
        if (is_class && (!*name || strcmp(name, "?") == 0 || strpbrk(name, "\r\n")))
            return hs_fail(error, HSEL_EUNSUPPORTED,
                           "the class label \"%.200s\" cannot be written to an SVMlight file",
                           name);
        line.length = 0;
        hs_buf_printf(&line, "%" PRId64 " %s", label_number(data, is_class ? c : HSEL_NONE), name);
        HS_NEED(!line.failed);
        HS_TRY(hs_names_append(out, HS_SPAN(line), error));
    }
    return HSEL_OK;
}

/* The features that are not 0, by instance. */
static int find_features(const hsel_dataset *data, hs_sparse *out, hsel_error *error)
{
    HS_OWNS(hs_sparse_clear) hs_sparse columns = {0};
    size_t used = 0, room = 0;
    for (uint32_t f = 0; f < data->features; f++)
        room += hs_dataset_column(data, f).count;
    HS_TRY(hs_sparse_init(&columns, data->features, room, error));
    for (uint32_t f = 0; f < data->features; f++) {
        const hs_numeric_column column = hs_dataset_column(data, f);
        for (uint32_t i = 0; i < column.count; i++)
            if (hs_value_at(&column, i) != 0)
                columns.index[used++] = hs_row_at(&column, i);
        columns.start[f + 1] = used;
    }
    return hs_sparse_transpose(&columns, data->instances, out, error);
}

static int svmlight_write_data(const hsel_dataset *data, hs_writer *writer, hsel_error *error)
{
    HS_OWNS(hs_sparse_clear) hs_sparse own = {0};
    HS_OWNS(hs_names_clear) hs_names labels = {0}; /* lines that name them; none if numbers */
    bool alone = !hs_writer_path(writer);
    HS_TRY(hs_sparse_refuse_nominal(data, "SVMlight", error));
    HS_TRY(label_lines(data, &labels, error));
    bool named = labels.count > 0;
    if (data->numeric_count)
        HS_TRY(find_features(data, &own, error));
    const hs_sparse *rows = data->numeric_count ? &own : &data->rows;
    for (uint32_t i = 0; i < labels.count; i++)
        hs_writer_printf(writer, LABEL_COMMENT "%s\n", hs_names_get(&labels, i));
    for (uint32_t i = 0; i < data->instances; i++) {
        uint32_t label = data->class_of ? data->class_of[i] : HSEL_NONE, feature = HSEL_NONE;
        if (data->target && hs_has_label(data, i))
            hs_writer_double(writer, data->target[i]);
        else if (data->target)
            hs_writer_char(writer, '?');
        else if (named)
            hs_writer_printf(writer, "%" PRId64, label_number(data, label));
        else
            hs_writer_text(writer, hs_names_get(&data->class_names, label));
        size_t count;
        const uint32_t *list = hs_sparse_list(rows, i, &count);
        for (size_t k = 0; k < count; k++) {
            feature = list[k];
            hs_writer_char(writer, ' ');
            hs_writer_u64(writer, (uint64_t)feature + 1);
            hs_writer_char(writer, ':');
            if (data->types[feature] == HSEL_BINARY)
                hs_writer_char(writer, '1');
            else
                hs_writer_double(writer, hs_dataset_value(data, feature, i));
        }
        /* Where no file of names goes along, the first line has the last feature even with value
         * 0, so that the number of features is not lost. */
        if (i == 0 && data->features && feature != data->features - 1 && alone)
            hs_writer_printf(writer, " %" PRIu32 ":0", data->features);
        if (data->ids.count) {
            const char *id = hs_names_get(&data->ids, i);
            if (strpbrk(id, "\r\n"))
                return hs_fail(error, HSEL_EUNSUPPORTED, "the identifier %.200s holds a line end",
                               id);
            hs_writer_text(writer, " # ");
            hs_writer_text(writer, id);
        }
        hs_writer_char(writer, '\n');
    }
    if (alone) /* to a stream go the lines alone */
        return HSEL_OK;
    HS_TRY(hs_sibling_write(writer, FEATURES, &data->feature_names, NULL, data->features, error));
    /* Names of labels of an older file would not be those of this one. */
    return hs_sibling_write(writer, LABELS, named ? &labels : NULL, NULL, labels.count, error);
}

/* A label, then index:value in the first line that is not a comment. */
static int svmlight_sniff(const char *head)
{
    const char *s = hs_first_content(head, '#');
    s += s ? strcspn(s, " \t\n:") : 0;
    if (!s || !hs_is_blank(*s))
        return 0;
    s += strspn(s, " \t");
    if (strncmp(s, "qid:", 4) == 0 && s[4])
        return 90;
    size_t digits = strspn(s, "0123456789");
    return digits > 0 && s[digits] == ':' ? 90 : 0;
}

const hs_method hs_method_svmlight = {
    .kind = HS_FORMAT,
    .name = "svmlight",
    .title = "SVMlight / LIBSVM",
    .help = "Text with one instance per line: its class label, then index:value for every value "
            "that is not 0, with ascending indices from 1 (from 0 if a 0 occurs). Features whose "
            "values are all 0 or 1 are binary, others numeric. A label ? is an unknown class; +1, "
            "1.0 and 1 are the same label. If every line ends in # and a text, these are the "
            "identifiers. NAME.features.txt beside NAME.svm names the features, one per line; "
            "without it they are f1, f2, ... hsel writes this file, too, unless the output is "
            "standard output. Classes whose names are not numbers are written as -1 and 1 (the "
            "positive one), more than two as 1, 2, ..., an unknown class as 0; comment lines # "
            "hsel label NUMBER NAME, also in NAME.labels.txt, keep their names.",
    .citation = "T. Joachims, SVMlight 6.02, section on input file format; C.-C. Chang and C.-J. "
                "Lin, LIBSVM, README",
    .format = &(const hs_format){.endings = "svm svmlight libsvm",
                                 .siblings = {FEATURES, LABELS},
                                 .sniff = svmlight_sniff,
                                 .read_data = svmlight_read_data,
                                 .write_data = svmlight_write_data}};

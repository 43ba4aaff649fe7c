/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data sets from arrays (hsel.h). Arrays that hold nothing but 0 and 1, by far the most common
 * ones, are checked and taken over in one pass each, without a look at single values. For others
 * there are two passes over the values, list by list (a list is a row, or a column of compressed
 * columns): the first checks everything and finds which features are binary, the second fills.
 * Positive values of binary features go to the lists of the same direction, which are then turned.
 */
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "data/transform.h"
#include "evaluate/model.h"
#include "evaluate/model_parts.h"

static int64_t wide_at(const void *array, bool wide, uint64_t i)
{
    return wide ? ((const int64_t *)array)[i] : ((const int32_t *)array)[i];
}

#define PIECE 4096 /* values looked at before the answer so far is */
#define LINE  32   /* bytes of a dense row that are skipped at once if they are 0 */

/* ---- lists ---- */

/* One loop for int32 and int64: is a list ascending? Its ends then tell whether it is in range. */
#define ASCENDING(type)                                                                            \
    const type *index = (const type *)a->index + begin;                                            \
    bool wrong = false;                                                                            \
    for (int64_t i = 1; i < count; i++)                                                            \
        wrong |= index[i - 1] >= index[i];                                                         \
    return count == 0 || (!wrong && index[0] >= 0 && index[count - 1] < (int64_t)width);

static bool list_is_right(const hsel_arrays *a, int64_t begin, int64_t count, uint32_t width)
{
    if (a->wide) {
        ASCENDING(int64_t)
    } else {
        ASCENDING(int32_t)
    }
}

static int check_lists(const hsel_arrays *a, uint32_t lists, uint32_t width, hsel_error *error)
{
    if (a->layout == HSEL_DENSE)
        return HSEL_OK;
    int64_t begin = wide_at(a->start, a->wide, 0);
    if (begin != 0)
        return hs_fail(error, HSEL_EFORMAT,
                       "the sparse matrix is damaged: its lists do not start at 0");
    for (uint32_t l = 0; l < lists; l++) {
        int64_t end = wide_at(a->start, a->wide, (uint64_t)l + 1);
        if (end < begin || end - begin > width)
            return hs_fail(error, HSEL_EFORMAT,
                           "the sparse matrix is damaged: list %u has a wrong length", l);
        if (!list_is_right(a, begin, end - begin, width))
            return hs_fail(
                error, HSEL_EFORMAT,
                "the sparse matrix is damaged: an index of list %u is out of order or range", l);
        begin = end;
    }
    return HSEL_OK;
}

/* ---- sparse ---- */

#define ALL_ONES(type)                                                                             \
    for (uint64_t from = 0; from < count; from += PIECE) {                                         \
        const type *v = (const type *)a->values + from;                                            \
        uint64_t left = count - from < PIECE ? count - from : PIECE;                               \
        bool other = false;                                                                        \
        for (uint64_t i = 0; i < left; i++)                                                        \
            other |= v[i] != 1;                                                                    \
        if (other)                                                                                 \
            return false;                                                                          \
    }                                                                                              \
    return true;

static bool all_ones(const hsel_arrays *a, uint64_t count)
{
    if (!a->values)
        return true;
    switch (a->number) {
    case HSEL_U8:
        ALL_ONES(uint8_t)
    case HSEL_I32:
        ALL_ONES(int32_t)
    case HSEL_I64:
        ALL_ONES(int64_t)
    case HSEL_F32:
        ALL_ONES(float)
    default:
        ALL_ONES(double)
    }
}

/* The index as it is, borrowed or copied; the starts are always ours. */
static int take_lists(const hsel_arrays *a, uint64_t count, hs_sparse *lists, bool *lent,
                      hsel_error *error)
{
    *lent = a->borrow && !a->wide;
    lists->start = HS_NEW(uint64_t, (size_t)lists->lists + 1);
    lists->index = *lent ? (uint32_t *)(uintptr_t)a->index : HS_NEW(uint32_t, count);
    HS_NEED(lists->start && (lists->index || *lent));
    for (uint32_t l = 0; l <= lists->lists; l++)
        lists->start[l] = (uint64_t)wide_at(a->start, a->wide, l);
    if (!*lent && !a->wide && count)
        memcpy(lists->index, a->index, count * sizeof *lists->index);
    for (uint64_t i = 0; a->wide && i < count; i++)
        lists->index[i] = (uint32_t)((const int64_t *)a->index)[i];
    return HSEL_OK;
}

/* ---- dense ---- */

/* Is there nothing but zeros in the LINE bytes from here? Negative zeros count as something. */
static bool is_blank(const char *from)
{
    uint64_t word[LINE / 8];
    memcpy(word, from, LINE);
    return (word[0] | word[1] | word[2] | word[3]) == 0;
}

#define ONES_OF_ROW(type)                                                                          \
    for (uint32_t i = 0; i < width; i++, from += stride) {                                         \
        type v;                                                                                    \
        while (stride == sizeof v && width - i > LINE / sizeof v && is_blank(from)) {              \
            i += LINE / sizeof v;                                                                  \
            from += LINE;                                                                          \
        }                                                                                          \
        memcpy(&v, from, sizeof v);                                                                \
        other |= v != 0 && v != 1;                                                                 \
        index[kept] = i;                                                                           \
        kept += v != 0;                                                                            \
    }                                                                                              \
    break;

/* Where a row is 1, with room for its whole width in `index`; how often. HSEL_NONE: it has other
 * values. */
static uint32_t ones_of_row(const hsel_arrays *a, uint32_t row, uint32_t *index)
{
    const char *from = (const char *)a->values + (int64_t)row * a->row_stride;
    int64_t stride = a->column_stride;
    uint32_t width = a->features, kept = 0;
    bool other = false;
    switch (a->number) {
    case HSEL_U8:
        ONES_OF_ROW(uint8_t)
    case HSEL_I32:
        ONES_OF_ROW(int32_t)
    case HSEL_I64:
        ONES_OF_ROW(int64_t)
    case HSEL_F32:
        ONES_OF_ROW(float)
    default:
        ONES_OF_ROW(double)
    }
    return other ? HSEL_NONE : kept;
}

static int take_rows(const hsel_arrays *a, hs_sparse *rows, bool *done, hsel_error *error)
{
    size_t used = 0, capacity = 0;
    HS_NEED(rows->start = HS_NEW_ZERO(uint64_t, (size_t)rows->lists + 1));
    *done = true;
    for (uint32_t r = 0; r < rows->lists && *done; r++) {
        HS_NEED(HS_GROW(&rows->index, &capacity, used + a->features + 1));
        uint32_t count = ones_of_row(a, r, rows->index + used);
        *done = count != HSEL_NONE;
        used += *done ? count : 0;
        rows->start[r + 1] = used;
    }
    uint32_t *exact = hs_realloc(rows->index, used, sizeof *exact);
    HS_NEED(exact);
    rows->index = exact;
    return HSEL_OK;
}

/* ---- both ---- */

/* The values of checked arrays that hold only 0 and 1, for features that are all binary; else
 * nothing is done, and *done false. */
static int take_ones(const hsel_arrays *a, hsel_dataset *data, bool *done, hsel_error *error)
{
    bool columns = a->layout == HSEL_COLUMNS, lent = false;
    hs_sparse *lists = columns ? &data->columns : &data->rows;
    uint32_t count = columns ? data->features : data->instances;
    if (!(*done = hs_dataset_all_binary(data)))
        return HSEL_OK;
    if (a->layout == HSEL_DENSE) {
        lists->lists = count;
        HS_TRY(take_rows(a, lists, done, error));
    } else {
        uint64_t positives = (uint64_t)wide_at(a->start, a->wide, count);
        if (!(*done = all_ones(a, positives)))
            return HSEL_OK;
        lists->lists = count;
        int status = take_lists(a, positives, lists, &lent, error);
        data->rows_lent = lent && !columns;
        data->columns_lent = lent && columns;
        HS_TRY(status);
    }
    if (*done)
        return hs_sparse_transpose(lists, columns ? data->instances : data->features,
                                   columns ? &data->rows : &data->columns, error);
    hs_sparse_clear(lists);
    return HSEL_OK;
}

/* ---- other values ---- */

struct source {
    const hsel_arrays *arrays;
    hsel_dataset *data;
    uint32_t lists, width; /* of lists, and of the other direction */
    uint32_t *index;       /* of the list at hand: where it is not 0 … */
    double *value;         /* … and what it is there */
    double *dense;         /* a dense row as numbers */
    uint64_t positives;    /* values 1 of binary features */
    uint32_t *count;       /* [features]: values that are not 0 */
};

/* ---- one list ---- */

static size_t size_of_number(int number)
{
    static const size_t sizes[] = {1, 4, 8, 4, 8};
    return sizes[number];
}

#define SPREAD(type)                                                                               \
    for (size_t i = 0; i < count; i++, from += stride) {                                           \
        type v;                                                                                    \
        memcpy(&v, from, sizeof v);                                                                \
        to[i] = (double)v;                                                                         \
    }

static void read_numbers(const char *from, int64_t stride, int number, size_t count, double *to)
{
    switch (number) {
    case HSEL_U8:
        if (stride == 1) { /* by far the most common: let the compiler do many at once */
            for (size_t i = 0; i < count; i++)
                to[i] = ((const uint8_t *)from)[i];
            break;
        }
        SPREAD(uint8_t)
        break;
    case HSEL_I32:
        SPREAD(int32_t)
        break;
    case HSEL_I64:
        SPREAD(int64_t)
        break;
    case HSEL_F32:
        SPREAD(float)
        break;
    default:
        SPREAD(double)
        break;
    }
}

static bool is_dense(const struct source *s) { return s->arrays->layout == HSEL_DENSE; }

/* The values of dense row l that are not 0; their number. */
static size_t read_dense(struct source *s, uint32_t l)
{
    const hsel_arrays *a = s->arrays;
    uint32_t *index = s->index, width = s->width;
    double *value = s->value;
    size_t kept = 0;
    read_numbers((const char *)a->values + l * a->row_stride, a->column_stride, a->number, width,
                 s->dense);
    for (uint32_t i = 0; i < width; i++) {
        index[kept] = i;
        value[kept] = s->dense[i];
        kept += s->dense[i] != 0;
    }
    return kept;
}

/* The same of any list. */
static size_t read_list(struct source *s, uint32_t l)
{
    const hsel_arrays *a = s->arrays;
    size_t kept = 0, size = size_of_number(a->number);
    if (is_dense(s))
        return read_dense(s, l);
    uint64_t begin = (uint64_t)wide_at(a->start, a->wide, l);
    size_t count = (size_t)((uint64_t)wide_at(a->start, a->wide, (uint64_t)l + 1) - begin);
    if (a->values)
        read_numbers((const char *)a->values + begin * size, (int64_t)size, a->number, count,
                     s->dense);
    for (size_t i = 0; i < count; i++) {
        s->index[kept] = (uint32_t)wide_at(a->index, a->wide, begin + i);
        s->value[kept] = a->values ? s->dense[i] : 1;
        kept += s->value[kept] != 0;
    }
    return kept;
}

static uint32_t feature_of(const struct source *s, uint32_t list, uint32_t index)
{
    return s->arrays->layout == HSEL_COLUMNS ? list : index;
}

static uint32_t instance_of(const struct source *s, uint32_t list, uint32_t index)
{
    return s->arrays->layout == HSEL_COLUMNS ? index : list;
}

/* ---- first pass ---- */

static int look_at(struct source *s, uint32_t instance, uint32_t feature, double value, bool fixed,
                   hsel_error *error)
{
    uint8_t *type = &s->data->types[feature];
    if (isinf(value))
        return hs_fail(error, HSEL_EFORMAT, "instance %u has no finite number for feature %.200s",
                       instance, hsel_dataset_feature_name(s->data, feature));
    if (*type == HSEL_BINARY && value != 1) {
        if (fixed)
            return hs_fail(error, HSEL_EFORMAT, "feature %.200s is binary, and instance %u has %g",
                           hsel_dataset_feature_name(s->data, feature), instance, value);
        *type = HSEL_NUMERIC;
    }
    s->count[feature]++;
    return HSEL_OK;
}

static int find_types(struct source *s, bool fixed, hsel_error *error)
{
    for (uint32_t l = 0; l < s->lists; l++) {
        size_t count = read_list(s, l);
        for (size_t i = 0; i < count; i++)
            HS_TRY(look_at(s, instance_of(s, l, s->index[i]), feature_of(s, l, s->index[i]),
                           s->value[i], fixed, error));
    }
    for (uint32_t f = 0; f < s->data->features; f++)
        if (s->data->types[f] == HSEL_BINARY)
            s->positives += s->count[f];
    return HSEL_OK;
}

/* ---- second pass ---- */

static void put_numeric(hsel_dataset *data, uint32_t instance, uint32_t feature, double value)
{
    hs_numeric_column *column = &data->numeric[data->slot[feature]];
    if (column->rows) {
        column->rows[column->count] = instance;
        column->values[column->count++] = value;
    } else {
        column->values[instance] = value;
    }
}

static void fill(struct source *s, hs_sparse *lists)
{
    uint64_t used = 0;
    for (uint32_t l = 0; l < s->lists; l++) {
        size_t count = read_list(s, l);
        for (size_t i = 0; i < count; i++) {
            uint32_t feature = feature_of(s, l, s->index[i]);
            if (s->data->types[feature] == HSEL_BINARY)
                lists->index[used++] = s->index[i];
            else
                put_numeric(s->data, instance_of(s, l, s->index[i]), feature, s->value[i]);
        }
        lists->start[l + 1] = used;
    }
}

static int fill_lists(struct source *s, hsel_error *error)
{
    hsel_dataset *data = s->data;
    bool columns = s->arrays->layout == HSEL_COLUMNS;
    hs_sparse *lists = columns ? &data->columns : &data->rows;
    *lists = (hs_sparse){.start = HS_NEW_ZERO(uint64_t, (size_t)s->lists + 1),
                         .index = HS_NEW(uint32_t, s->positives),
                         .lists = s->lists};
    HS_NEED(lists->start && lists->index);
    fill(s, lists);
    return hs_sparse_transpose(lists, s->width, columns ? &data->rows : &data->columns, error);
}

static int fill_values(struct source *s, bool fixed, hsel_error *error)
{
    bool done = false;
    HS_TRY(check_lists(s->arrays, s->lists, s->width, error));
    HS_TRY(take_ones(s->arrays, s->data, &done, error));
    if (done)
        return HSEL_OK;
    HS_OWNED uint32_t *index = HS_NEW(uint32_t, s->width);
    HS_OWNED uint32_t *counts = HS_NEW_ZERO(uint32_t, s->data->features);
    HS_OWNED double *value = HS_NEW(double, s->width), *dense = HS_NEW(double, s->width);
    HS_NEED(index && counts && value && dense);
    s->index = index;
    s->count = counts;
    s->value = value;
    s->dense = dense;
    HS_TRY(find_types(s, fixed, error));
    HS_TRY(hs_dataset_make_columns(s->data, counts, error));
    return fill_lists(s, error);
}

/* ---- names, types, classes ---- */

/* x0, x1, … */
static int number_names(const char *prefix, uint32_t count, hs_names *out, hsel_error *error)
{
    char name[32];
    for (uint32_t i = 0; i < count; i++) {
        char *first = name + sizeof name;
        uint32_t left = i;
        do
            *--first = (char)('0' + left % 10);
        while ((left /= 10) > 0);
        first -= strlen(prefix);
        memcpy(first, prefix, strlen(prefix));
        HS_TRY(hs_names_append(out, first, (size_t)(name + sizeof name - first), error));
    }
    return hs_names_index(out, error);
}

int hs_unique_names(const char *list, uint32_t count, const char *what, hs_names *out,
                    hsel_error *error)
{
    uint32_t id;
    bool added = false;
    for (uint32_t i = 0; i < count; i++, list += strlen(list) + 1) {
        HS_TRY(hs_names_intern(out, list, strlen(list), &id, &added, error));
        if (!added)
            return hs_fail(error, HSEL_EUSAGE, "there are two %s named '%.200s'", what, list);
    }
    return hs_names_index(out, error);
}

static int put_names(const hsel_arrays *a, hsel_dataset *data, hsel_error *error)
{
    const hsel_dataset *like = a->like ? a->like->shape : NULL, *shape = like ? like : a->shape;
    if (shape) {
        HS_TRY(hs_names_copy(&shape->feature_names, &data->feature_names, error));
        HS_TRY(hs_attach_copy(data, shape->dag, error));
    } else if (a->feature_names) {
        HS_TRY(hs_unique_names(a->feature_names, a->features, "features", &data->feature_names,
                               error));
    } else {
        HS_TRY(number_names("x", a->features, &data->feature_names, error));
    }
    if (like || a->types)
        memcpy(data->types, like ? like->types : a->types, a->features);
    data->positive_class = like ? like->positive_class : a->classes >= 2 ? 1 : HSEL_NONE;
    return like ? hs_names_copy(&like->class_names, &data->class_names, error)
           : a->class_names
               ? hs_unique_names(a->class_names, a->classes, "classes", &data->class_names, error)
               : number_names("", a->classes, &data->class_names, error);
}

static int put_labels(const hsel_arrays *a, hsel_dataset *data, hsel_error *error)
{
    uint32_t classes = data->class_names.count;
    if (classes == 0)
        return HSEL_OK;
    HS_NEED(data->class_of = HS_NEW(uint32_t, a->instances));
    for (uint32_t i = 0; i < a->instances; i++) {
        data->class_of[i] = a->labels ? a->labels[i] : HSEL_NONE;
        if (data->class_of[i] != HSEL_NONE && data->class_of[i] >= classes)
            return hs_fail(error, HSEL_EUSAGE, "instance %u has class number %u of %u", i,
                           data->class_of[i], classes);
    }
    return HSEL_OK;
}

/* ---- all together ---- */

static int check_sizes(const hsel_arrays *a, hsel_error *error)
{
    if (a->instances > HS_INSTANCES_LIMIT || a->features > HS_FEATURES_LIMIT ||
        a->classes > HS_CLASSES_LIMIT)
        return hs_fail(error, HSEL_ELIMIT, "more instances, features or classes than can be held");
    if (a->layout < HSEL_ROWS || a->layout > HSEL_DENSE || a->number < HSEL_U8 ||
        a->number > HSEL_F64)
        return hs_fail(error, HSEL_EUSAGE, "no such layout or kind of numbers");
    if (a->like && a->like->shape->features != a->features)
        return hs_fail(error, HSEL_EUSAGE, "the model has %u features, and these data %u",
                       a->like->shape->features, a->features);
    if (a->shape && a->shape->features != a->features)
        return hs_fail(error, HSEL_EUSAGE, "the shape has %u features, and these data %u",
                       a->shape->features, a->features);
    const uint8_t *types = a->like ? a->like->shape->types : a->types;
    for (uint32_t f = 0; types && f < a->features; f++)
        if (types[f] > HSEL_NUMERIC)
            return hs_fail(error, HSEL_EUNSUPPORTED, "arrays hold no nominal features");
    return HSEL_OK;
}

int hsel_dataset_from_arrays(const hsel_arrays *arrays, hsel_dataset **out, hsel_error *error)
{
    bool columns = arrays->layout == HSEL_COLUMNS;
    hs_error_clear(error);
    HS_TRY(check_sizes(arrays, error));
    HS_OWNS(hs_dataset_release) hsel_dataset *data = HS_NEW_ZERO(hsel_dataset, 1);
    HS_NEED(data);
    data->instances = arrays->instances;
    data->features = arrays->features;
    data->types = HS_NEW_ZERO(uint8_t, arrays->features);
    data->name = hs_strdup(arrays->name ? arrays->name : "data");
    HS_NEED(data->types && data->name);
    HS_TRY(put_names(arrays, data, error));
    HS_TRY(put_labels(arrays, data, error));
    const char *id = arrays->ids;
    for (uint32_t i = 0; id && i < arrays->instances; i++, id += strlen(id) + 1)
        HS_TRY(hs_names_append(&data->ids, id, strlen(id), error));
    struct source source = {.arrays = arrays,
                            .data = data,
                            .lists = columns ? arrays->features : arrays->instances,
                            .width = columns ? arrays->instances : arrays->features};
    HS_TRY(fill_values(&source, arrays->types || arrays->like, error));
    *out = hs_take(&data);
    return HSEL_OK;
}

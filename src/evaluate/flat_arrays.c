/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data sets from arrays. Arrays of 0 and 1 are taken over as they are (flat_ones.c). For
 * others there are two passes over the values, list by list (a list is a row, or a column of
 * compressed columns): the first checks everything and finds which features are binary, the second
 * fills. Positive values of binary features go to the lists of the same direction, which are then
 * turned.
 */
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "data/transform.h"
#include "evaluate/flat_parts.h"
#include "evaluate/model.h"
#include "evaluate/model_parts.h"

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
    uint64_t begin = (uint64_t)hs_wide_at(a->start, a->wide, l);
    size_t count = (size_t)((uint64_t)hs_wide_at(a->start, a->wide, (uint64_t)l + 1) - begin);
    if (a->values)
        read_numbers((const char *)a->values + begin * size, (int64_t)size, a->number, count,
                     s->dense);
    for (size_t i = 0; i < count; i++) {
        s->index[kept] = (uint32_t)hs_wide_at(a->index, a->wide, begin + i);
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
    int status = HSEL_OK;
    for (uint32_t l = 0; l < s->lists && status == HSEL_OK; l++) {
        size_t count = read_list(s, l);
        for (size_t i = 0; i < count && status == HSEL_OK; i++)
            status = look_at(s, instance_of(s, l, s->index[i]), feature_of(s, l, s->index[i]),
                             s->value[i], fixed, error);
    }
    for (uint32_t f = 0; f < s->data->features && status == HSEL_OK; f++)
        if (s->data->types[f] == HSEL_BINARY)
            s->positives += s->count[f];
    return status;
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
    hs_sparse *turned = columns ? &data->rows : &data->columns;
    *lists = (hs_sparse){.start = HS_NEW_ZERO(uint64_t, (size_t)s->lists + 1),
                         .index = HS_NEW(uint32_t, s->positives),
                         .lists = s->lists};
    if (!lists->start || !lists->index)
        return hs_fail_memory(error);
    fill(s, lists);
    return hs_sparse_transpose(lists, s->width, turned, error);
}

static int fill_values(struct source *s, bool fixed, hsel_error *error)
{
    bool done = false;
    int status = hs_arrays_check(s->arrays, s->lists, s->width, error);
    if (status == HSEL_OK)
        status = hs_arrays_ones(s->arrays, s->data, &done, error);
    if (status || done)
        return status;
    s->index = HS_NEW(uint32_t, s->width);
    s->value = HS_NEW(double, s->width);
    s->dense = HS_NEW(double, s->width);
    s->count = HS_NEW_ZERO(uint32_t, s->data->features);
    status = s->index && s->value && s->dense && s->count ? find_types(s, fixed, error)
                                                          : hs_fail_memory(error);
    if (status == HSEL_OK)
        status = hs_dataset_make_columns(s->data, s->count, error);
    if (status == HSEL_OK)
        status = fill_lists(s, error);
    hs_free(s->index);
    hs_free(s->value);
    hs_free(s->dense);
    hs_free(s->count);
    return status;
}

/* ---- names, types, classes ---- */

/* x0, x1, … */
static int number_names(const char *prefix, uint32_t count, hs_names *out, hsel_error *error)
{
    char name[32];
    int status = HSEL_OK;
    for (uint32_t i = 0; i < count && status == HSEL_OK; i++) {
        char *first = name + sizeof name;
        uint32_t left = i;
        do
            *--first = (char)('0' + left % 10);
        while ((left /= 10) > 0);
        first -= strlen(prefix);
        memcpy(first, prefix, strlen(prefix));
        status = hs_names_append(out, first, (size_t)(name + sizeof name - first), error);
    }
    return status ? status : hs_names_index(out, error);
}

static int unique_names(const char *list, uint32_t count, const char *what, hs_names *out,
                        hsel_error *error)
{
    int status = HSEL_OK;
    for (uint32_t i = 0; i < count && status == HSEL_OK; i++) {
        size_t length = strlen(list);
        uint32_t id;
        bool added = false;
        status = hs_names_intern(out, list, length, &id, &added, error);
        if (status == HSEL_OK && !added)
            status = hs_fail(error, HSEL_EUSAGE, "there are two %s named '%.200s'", what, list);
        list += length + 1;
    }
    return status ? status : hs_names_index(out, error);
}

static int put_ids(const char *list, uint32_t count, hs_names *out, hsel_error *error)
{
    int status = HSEL_OK;
    for (uint32_t i = 0; i < count && status == HSEL_OK; i++) {
        status = hs_names_append(out, list, strlen(list), error);
        list += strlen(list) + 1;
    }
    return status;
}

/* Names and hierarchy. */
static int copy_features(const hsel_dataset *shape, hsel_dataset *data, hsel_error *error)
{
    int status = hs_names_copy(&shape->feature_names, &data->feature_names, error);
    return status ? status : hs_attach_copy(data, shape->dag, error);
}

static int put_names(const hsel_arrays *a, hsel_dataset *data, hsel_error *error)
{
    int status = a->shape           ? copy_features(a->shape, data, error)
                 : a->feature_names ? unique_names(a->feature_names, a->features, "features",
                                                   &data->feature_names, error)
                                    : number_names("x", a->features, &data->feature_names, error);
    if (status == HSEL_OK)
        status = a->class_names ? unique_names(a->class_names, a->classes, "classes",
                                               &data->class_names, error)
                                : number_names("", a->classes, &data->class_names, error);
    if (status == HSEL_OK && a->types)
        memcpy(data->types, a->types, a->features);
    data->positive_class = a->classes >= 2 ? 1 : HSEL_NONE;
    return status;
}

static int put_shape(const hsel_dataset *shape, hsel_dataset *data, hsel_error *error)
{
    int status = copy_features(shape, data, error);
    if (status == HSEL_OK)
        status = hs_names_copy(&shape->class_names, &data->class_names, error);
    memcpy(data->types, shape->types, shape->features);
    data->positive_class = shape->positive_class;
    return status;
}

static int put_labels(const hsel_arrays *a, hsel_dataset *data, hsel_error *error)
{
    uint32_t classes = data->class_names.count;
    if (classes == 0)
        return HSEL_OK;
    if (!(data->class_of = HS_NEW(uint32_t, a->instances)))
        return hs_fail_memory(error);
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
    hsel_dataset *data = NULL;
    bool columns = arrays->layout == HSEL_COLUMNS;
    hs_error_clear(error);
    int status = check_sizes(arrays, error);
    if (status == HSEL_OK && !(data = HS_NEW_ZERO(hsel_dataset, 1)))
        status = hs_fail_memory(error);
    if (status)
        return status;
    data->instances = arrays->instances;
    data->features = arrays->features;
    data->types = HS_NEW_ZERO(uint8_t, arrays->features);
    data->name = hs_strdup(arrays->name ? arrays->name : "data");
    if (!data->types || !data->name)
        status = hs_fail_memory(error);
    if (status == HSEL_OK)
        status = arrays->like ? put_shape(arrays->like->shape, data, error)
                              : put_names(arrays, data, error);
    if (status == HSEL_OK)
        status = put_labels(arrays, data, error);
    if (status == HSEL_OK && arrays->ids)
        status = put_ids(arrays->ids, arrays->instances, &data->ids, error);
    struct source source = {.arrays = arrays,
                            .data = data,
                            .lists = columns ? arrays->features : arrays->instances,
                            .width = columns ? arrays->instances : arrays->features};
    if (status == HSEL_OK)
        status = fill_values(&source, arrays->types || arrays->like, error);
    if (status)
        hsel_dataset_free(data);
    else
        *out = data;
    return status;
}

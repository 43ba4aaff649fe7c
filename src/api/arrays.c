/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data sets from arrays (hsel.h). Arrays with only 0 and 1, by far the most common ones, are copied
 * in one pass each, without inspecting single values. For others there are two passes over the
 * values, list by list (a list is a row, or a column of compressed columns): the first checks
 * everything and finds which features are binary, the second fills. Positive values of binary
 * features go to the lists of the same direction, which are then turned.
 */
#include "api/api.h"
#include "learn/model.h"

#define PIECE 4096 /* values looked at before the answer so far is */
#define LINE  32   /* bytes of a dense row that are skipped at once if they are 0 */

/* A loop for each type that values may have: LOOP(type) ends by itself or returns. */
#define FOR_TYPE_OF(number, LOOP)                                                                  \
    switch (number) {                                                                              \
    case HSEL_U8:                                                                                  \
        LOOP(uint8_t) break;                                                                       \
    case HSEL_I32:                                                                                 \
        LOOP(int32_t) break;                                                                       \
    case HSEL_I64:                                                                                 \
        LOOP(int64_t) break;                                                                       \
    case HSEL_F32:                                                                                 \
        LOOP(float) break;                                                                         \
    default:                                                                                       \
        LOOP(double) break;                                                                        \
    }

static int64_t wide_at(const void *array, bool wide, uint64_t i)
{
    return wide ? ((const int64_t *)array)[i] : ((const int32_t *)array)[i];
}

/* ---- the lists of a sparse matrix ----
 *
 * Other threads of the caller may write into his arrays during the call. So what memory is counted
 * or addressed by is copied first and checked then, and values, which are read twice, are not
 * trusted to be the same the second time. */

static bool list_is_right(const uint32_t *index, uint64_t count, uint32_t width)
{
    bool wrong = false;
    for (uint64_t i = 1; i < count; i++)
        wrong |= index[i - 1] >= index[i];
    return count == 0 || (!wrong && index[count - 1] < width);
}

/* Starts and index as `count` lists of our own. */
static int take_lists(const hsel_arrays *a, uint32_t count, uint32_t width, hs_sparse *lists,
                      hsel_error *error)
{
    lists->lists = count;
    HS_NEED(lists->start = HS_NEW_ZERO(uint64_t, (size_t)count + 1));
    uint64_t *start = lists->start;
    for (size_t l = 0; l <= count; l++)
        start[l] = (uint64_t)wide_at(a->start, a->wide, l);
    HS_FAIL_IF(start[0] != 0, HSEL_EFORMAT,
               "the sparse matrix is damaged: its lists do not start at 0");
    for (uint32_t l = 0; l < count; l++)
        HS_FAIL_IF(start[l + 1] < start[l] || start[l + 1] - start[l] > width ||
                       (a->entries && start[l + 1] > a->entries),
                   HSEL_EFORMAT, "the sparse matrix is damaged: list %u has a wrong length", l);
    HS_REFUSE(start[count] > 0 && !a->index, "the sparse matrix has no index");
    HS_NEED(lists->index = HS_NEW(uint32_t, start[count]));
    if (!a->wide && start[count])
        memcpy(lists->index, a->index, start[count] * sizeof *lists->index);
    for (uint64_t i = 0; a->wide && i < start[count]; i++) {
        int64_t at = ((const volatile int64_t *)a->index)[i];
        lists->index[i] = at < 0 || at >= width ? HSEL_NONE : (uint32_t)at;
    }
    for (uint32_t l = 0; l < count; l++)
        if (!list_is_right(lists->index + start[l], start[l + 1] - start[l], width))
            return hs_fail(
                error, HSEL_EFORMAT,
                "the sparse matrix is damaged: an index of list %u is out of order or range", l);
    return HSEL_OK;
}

/* ---- 0 and 1 ---- */

#define ALL_ONES(type)                                                                             \
    for (uint64_t from = 0; from < count; from += PIECE) {                                         \
        const type *v = (const type *)a->values + from;                                            \
        uint64_t left = count - from < PIECE ? count - from : PIECE;                               \
        bool other = false;                                                                        \
        for (uint64_t i = 0; i < left; i++)                                                        \
            other |= v[i] != 1;                                                                    \
        if (other)                                                                                 \
            return false;                                                                          \
    }

static bool all_ones(const hsel_arrays *a, uint64_t count)
{
    if (a->values)
        FOR_TYPE_OF(a->number, ALL_ONES)
    return true;
}

/* Whether the LINE bytes from here are all zero; negative zeros are not. */
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
    }

/* Where a dense row is 1, with room for its whole width in `index`; how often. HSEL_NONE: it has
 * other values. */
static uint32_t ones_of_row(const hsel_arrays *a, uint32_t row, uint32_t *index)
{
    const char *from = (const char *)a->values + (int64_t)row * a->row_stride;
    int64_t stride = a->column_stride;
    uint32_t width = a->features, kept = 0;
    bool other = false;
    FOR_TYPE_OF(a->number, ONES_OF_ROW)
    return other ? HSEL_NONE : kept;
}

/* The values of arrays that hold only 0 and 1, for features that are all binary, in `lists`, which
 * has those of a sparse matrix; else nothing is done, and *done false. */
static int take_ones(const hsel_arrays *a, const hsel_dataset *data, hs_sparse *lists, bool *done,
                     hsel_error *error)
{
    uint32_t count = data->instances;
    size_t used = 0, capacity = 0;
    *done = hs_dataset_all_binary(data);
    if (a->layout != HSEL_DENSE)
        *done = *done && all_ones(a, lists->start[lists->lists]);
    if (!*done || a->layout != HSEL_DENSE)
        return HSEL_OK;
    lists->lists = count;
    HS_NEED(lists->start = HS_NEW_ZERO(uint64_t, (size_t)count + 1));
    for (uint32_t r = 0; r < count && *done; r++) {
        HS_NEED(HS_GROW(&lists->index, &capacity, used + a->features + 1));
        uint32_t ones = ones_of_row(a, r, lists->index + used);
        *done = ones != HSEL_NONE;
        used += *done ? ones : 0;
        lists->start[r + 1] = used;
    }
    uint32_t *exact = hs_realloc(lists->index, used, sizeof *exact);
    HS_NEED(exact);
    lists->index = exact;
    if (!*done)
        hs_sparse_clear(lists);
    return HSEL_OK;
}

/* ---- other values ---- */

#define SPREAD(type)                                                                               \
    for (size_t i = 0; i < count; i++, from += stride) {                                           \
        type v;                                                                                    \
        memcpy(&v, from, sizeof v);                                                                \
        to[i] = (double)v;                                                                         \
    }

static void read_numbers(const char *from, int64_t stride, int number, size_t count, double *to)
{
    if (number == HSEL_U8 && stride == 1) /* by far the most common: many at once */
        for (size_t i = 0; i < count; i++)
            to[i] = ((const uint8_t *)from)[i];
    else
        FOR_TYPE_OF(number, SPREAD)
}

struct source {
    const hsel_arrays *arrays;
    const hs_sparse *lists; /* of a sparse matrix */
    uint32_t *index;        /* of the current list: where it is not 0 … */
    double *value;          /* … and what it is there */
    double *numbers;        /* the list as it is given */
};

/* The values of list l that are not 0, of so many places from `begin` on; their number. */
static size_t read_list(struct source *s, uint32_t l, uint64_t begin, size_t count)
{
    static const int64_t sizes[] = {1, 4, 8, 4, 8}; /* of hsel_number */
    const hsel_arrays *a = s->arrays;
    bool dense = a->layout == HSEL_DENSE;
    int64_t size = sizes[a->number];
    size_t kept = 0;
    if (a->values)
        read_numbers((const char *)a->values + (dense ? l * a->row_stride : (int64_t)begin * size),
                     dense ? a->column_stride : size, a->number, count, s->numbers);
    for (size_t i = 0; i < count; i++) {
        s->index[kept] = dense ? (uint32_t)i : s->lists->index[begin + i];
        s->value[kept] = a->values ? s->numbers[i] : 1;
        kept += s->value[kept] != 0;
    }
    return kept;
}

/* The words of nominal features; the first is the value wherever there is none other. */
static int put_words(const hsel_arrays *a, hsel_dataset *data, hsel_error *error)
{
    const hsel_dataset *like = a->like ? hs_model_form(a->like) : NULL;
    const char *word = a->words;
    for (uint32_t f = 0; f < data->features; f++) {
        uint32_t count = like || !a->word_counts ? 0 : a->word_counts[f];
        if (data->types[f] != HSEL_NOMINAL)
            continue;
        hs_nominal_column *nominal = &data->nominal[data->slot[f]];
        if (like)
            HS_TRY(hs_names_copy(&like->nominal[like->slot[f]].values, &nominal->values, error));
        else
            HS_TRY(hs_unique_names(word, count, "words of a feature", &nominal->values, error));
        for (uint32_t i = 0; i < count; i++)
            word += strlen(word) + 1;
        for (uint32_t i = 0; i < data->instances; i++)
            nominal->codes[i] = nominal->values.count ? 0 : HS_MISSING_CODE;
    }
    return HSEL_OK;
}

static int values_changed(hsel_error *error)
{
    return hs_fail(error, HSEL_EFORMAT, "the values changed while they were read");
}

/* Other values; the lists of a sparse matrix are in `lists`, and their place is reused. */
static int take_values(const hsel_arrays *a, hsel_dataset *data, hs_sparse *lists,
                       hsel_error *error)
{
    bool columns = a->layout == HSEL_COLUMNS, dense = a->layout == HSEL_DENSE;
    uint32_t count = columns ? data->features : data->instances;
    uint32_t width = columns ? data->instances : data->features;
    uint64_t room = dense ? 0 : lists->start[count], used = 0, from = 0;
    HS_OWNED uint32_t *index = HS_NEW(uint32_t, width);
    HS_OWNED uint32_t *counts = HS_NEW_ZERO(uint32_t, data->features); /* values that are not 0 */
    HS_OWNED double *value = HS_NEW(double, width), *numbers = HS_NEW(double, width);
    struct source s = {a, lists, index, value, numbers};
    HS_NEED(index && counts && value && numbers);
    for (uint32_t l = 0; l < count; l++) { /* the first pass */
        uint64_t begin = dense ? 0 : lists->start[l], end = dense ? width : lists->start[l + 1];
        size_t found = read_list(&s, l, begin, (size_t)(end - begin));
        for (size_t i = 0; i < found; i++) {
            uint32_t instance = columns ? index[i] : l, feature = columns ? l : index[i];
            uint8_t *type = &data->types[feature];
            bool fixed = a->like || (a->types && a->types[feature] != HSEL_NO_TYPE);
            HS_FAIL_IF(isinf(value[i]), HSEL_EFORMAT,
                       "instance %u has no finite number for feature %.200s", instance,
                       hsel_dataset_feature_name(data, feature));
            HS_FAIL_IF(*type == HSEL_BINARY && value[i] != 1 && fixed, HSEL_EFORMAT,
                       "feature %.200s is binary, but instance %u has the value %g",
                       hsel_dataset_feature_name(data, feature), instance, value[i]);
            if (*type == HSEL_BINARY && value[i] != 1)
                *type = HSEL_NUMERIC;
            counts[feature]++;
        }
    }
    for (uint32_t f = 0; f < data->features; f++)
        if (dense && data->types[f] == HSEL_BINARY)
            room += counts[f];
    HS_TRY(hs_dataset_make_columns(data, counts, error));
    HS_TRY(put_words(a, data, error));
    if (dense)
        HS_TRY(hs_sparse_init(lists, count, room, error));
    for (uint32_t l = 0; l < count; l++) { /* the second */
        uint64_t begin = dense ? 0 : from, end = dense ? width : lists->start[l + 1];
        size_t found = read_list(&s, l, begin, (size_t)(end - begin));
        from = end;
        for (size_t i = 0; i < found; i++) {
            uint32_t instance = columns ? index[i] : l, feature = columns ? l : index[i];
            if (data->types[feature] == HSEL_BINARY) {
                if (value[i] != 1 || used == room)
                    return values_changed(error);
                lists->index[used++] = index[i];
                continue;
            }
            if (data->types[feature] == HSEL_NOMINAL) {
                hs_nominal_column *nominal = &data->nominal[data->slot[feature]];
                HS_FAIL_IF(!isnan(value[i]) && !(value[i] > 0 && value[i] < nominal->values.count &&
                                                 value[i] == floor(value[i])),
                           HSEL_EFORMAT,
                           "feature %.200s has %u values, but instance %u has the code %g",
                           hsel_dataset_feature_name(data, feature), nominal->values.count,
                           instance, value[i]);
                nominal->codes[instance] = isnan(value[i]) ? HS_MISSING_CODE : (uint32_t)value[i];
                continue;
            }
            hs_numeric_column *column = &data->numeric[data->slot[feature]];
            if (isinf(value[i]) || (column->rows && column->count == counts[feature]))
                return values_changed(error);
            if (column->rows)
                column->rows[column->count] = instance;
            column->values[column->rows ? column->count++ : instance] = value[i];
        }
        lists->start[l + 1] = used;
    }
    uint32_t *exact = hs_realloc(lists->index, used, sizeof *exact);
    HS_NEED(exact);
    lists->index = exact;
    return HSEL_OK;
}

/* ---- names, types, classes ---- */

/* x0, x1, … */
static int number_names(const char *prefix, uint32_t count, hs_names *out, hsel_error *error)
{
    char name[64];
    const size_t length = strlen(prefix);
    memcpy(name, prefix, length);
    for (uint32_t i = 0; i < count; i++)
        HS_TRY(hs_names_append(out, name, length + hs_format_u64(i, name + length), error));
    return hs_names_index(out, error);
}

/* The cells of an instance are contiguous. */
static int put_roles(const hsel_arrays *a, hs_about *known, hsel_error *error)
{
    static const char *const texts[] = {HS_ABOUT_STRATUM, HS_ABOUT_GROUP}, *const columns[] = {
                                                                               HS_ABOUT_TIME,
                                                                               HS_ABOUT_WEIGHT,
                                                                               HS_ABOUT_TEST};
    const char *text[] = {a->strata, a->groups};
    const double *numbers[] = {a->time, a->weights};
    for (int r = 0; r < 2; r++)
        if (text[r])
            HS_TRY(hs_names_append_text(&known->columns, texts[r], error));
    for (int r = 0; r < 3; r++)
        if (r < 2 ? numbers[r] != NULL : a->test_set != NULL)
            HS_TRY(hs_names_append_text(&known->columns, columns[r], error));
    for (uint32_t i = 0; i < a->instances; i++) {
        for (int r = 0; r < 2; r++)
            if (text[r]) {
                HS_TRY(hs_names_append_text(&known->cells, text[r], error));
                text[r] += strlen(text[r]) + 1;
            }
        for (int r = 0; r < 2; r++) {
            char number[32] = "";
            if (numbers[r] && !isnan(numbers[r][i]))
                hs_format_double(numbers[r][i], number);
            if (numbers[r])
                HS_TRY(hs_names_append_text(&known->cells, number, error));
        }
        if (a->test_set)
            HS_TRY(hs_names_append_text(&known->cells, a->test_set[i] ? "test" : "train", error));
    }
    return HSEL_OK;
}

static int put_names(const hsel_arrays *a, hsel_dataset *data, hsel_error *error)
{
    const hsel_dataset *like = a->like ? hs_model_form(a->like) : NULL,
                       *shape = like ? like : a->shape;
    hs_about *known = &data->instance_about;
    if (shape) {
        HS_TRY(hs_names_copy(&shape->feature_names, &data->feature_names, error));
        HS_TRY(hs_attach_copy(data, shape->dag, error));
        HS_TRY(hs_about_copy(&shape->about, &data->about, error));
    } else if (a->feature_names) {
        HS_TRY(hs_unique_names(a->feature_names, a->features, "features", &data->feature_names,
                               error));
    } else {
        HS_TRY(number_names("x", a->features, &data->feature_names, error));
    }
    if (like || a->types)
        for (uint32_t f = 0; f < a->features; f++) {
            data->types[f] = like ? like->types[f] : a->types[f];
            HS_REFUSE(data->types[f] > HSEL_NO_TYPE ||
                          (data->types[f] == HSEL_NOMINAL && !like && !a->word_counts),
                      "feature %u has an unknown type, or is nominal and has no values", f);
            data->types[f] = data->types[f] == HSEL_NO_TYPE ? HSEL_BINARY : data->types[f];
        }
    data->positive_class = like ? like->positive_class : HSEL_NONE;
    HS_TRY(like ? hs_names_copy(&like->class_names, &data->class_names, error)
           : a->class_names
               ? hs_unique_names(a->class_names, a->classes, "classes", &data->class_names, error)
               : number_names("", a->classes, &data->class_names, error));
    HS_TRY(hs_append_names(a->ids, a->instances, &data->ids, error));
    HS_TRY(put_roles(a, known, error));
    uint32_t classes = data->class_names.count;
    if (like)
        HS_TRY(hs_dataset_copy_target(like, data, error));
    HS_REFUSE(a->target && (classes || a->labels),
              "data have classes or a numeric target, not both");
    if (a->target && !data->target)
        HS_NEED(data->target = HS_NEW(double, a->instances));
    for (uint32_t i = 0; a->target && i < a->instances; i++) {
        data->target[i] = a->target[i];
        HS_FAIL_IF(fabs(data->target[i]) > HS_TARGET_LIMIT, HSEL_EFORMAT,
                   "the target of instance %u is too large (limit %g)", i, HS_TARGET_LIMIT);
    }
    if (a->covariates && !like)
        HS_NEED(data->covariates = HS_NEW_ZERO(uint64_t, hs_bit_words(a->features)));
    for (uint32_t f = 0; a->covariates && !like && f < a->features; f++) {
        if (!a->covariates[f])
            continue;
        HS_REFUSE(data->dag && !(hs_is_root(data->dag, f) && hs_is_leaf(data->dag, f)),
                  "feature %.200s is in the hierarchy, so it cannot be a covariate",
                  hs_names_get(&data->feature_names, f));
        hs_bit_set(data->covariates, f);
    }
    if (classes == 0)
        return HSEL_OK;
    HS_NEED(data->class_of = HS_NEW(uint32_t, a->instances));
    for (uint32_t i = 0; i < a->instances; i++) {
        data->class_of[i] = a->labels ? a->labels[i] : HSEL_NONE;
        HS_REFUSE(data->class_of[i] != HSEL_NONE && data->class_of[i] >= classes,
                  "instance %u has class number %u of %u", i, data->class_of[i], classes);
    }
    if (!like)
        hs_positive_choose(data);
    return !like && a->positive_class ? hs_class_set_positive(data, a->positive_class, error)
                                      : HSEL_OK;
}

/* ---- all together ---- */

static int check_arrays(const hsel_arrays *a, hsel_error *error)
{
    const hsel_dataset *like = a->like ? hs_model_form(a->like) : NULL,
                       *shape = like ? like : a->shape;
    HS_FAIL_IF(a->instances > HS_INSTANCES_LIMIT || a->features > HS_FEATURES_LIMIT ||
                   a->classes > HS_CLASSES_LIMIT,
               HSEL_ELIMIT, "too many instances, features or classes");
    HS_REFUSE(a->layout < HSEL_ROWS || a->layout > HSEL_DENSE || a->number < HSEL_U8 ||
                  a->number > HSEL_F64,
              "unknown layout or number type");
    HS_REFUSE(shape && shape->features != a->features,
              "the %s has %u features, but these data have %u", like ? "model" : "shape",
              shape->features, a->features);
    HS_REFUSE(like && a->strata,
              "strata are for training data, not for data like those of a model");
    HS_REFUSE(like && (a->groups || a->time || a->test_set || a->weights),
              "groups, times, test sets and weights are for training data, not for data like those "
              "of a model");
    for (uint32_t i = 0; a->weights && i < a->instances; i++)
        HS_REFUSE(!(a->weights[i] > 0 && isfinite(a->weights[i])),
                  "the weight of instance %u is %g, and must be a finite number above 0", i,
                  a->weights[i]);
    HS_REFUSE(a->layout != HSEL_DENSE && !a->start, "the sparse matrix has no starts");
    HS_REFUSE(a->layout == HSEL_DENSE && !a->values && a->instances && a->features,
              "the dense matrix has no values");
    return HSEL_OK;
}

int hsel_dataset_from_arrays(const hsel_arrays *given, hsel_dataset **out, hsel_error *error)
{
    hsel_arrays arrays;
    bool done = false;
    HS_TRY(HS_REQUEST_TAKE(given, &arrays, hsel_arrays, error));
    HS_TRY(check_arrays(&arrays, error));
    HS_OWNS(hs_dataset_release) hsel_dataset *data = HS_NEW_ZERO(hsel_dataset, 1);
    HS_NEED(data);
    data->instances = arrays.instances;
    data->features = arrays.features;
    data->types = HS_NEW_ZERO(uint8_t, arrays.features);
    data->name = hs_strdup(arrays.name ? arrays.name : "data");
    HS_NEED(data->types && data->name);
    bool columns = arrays.layout == HSEL_COLUMNS;
    uint32_t width = columns ? arrays.instances : arrays.features;
    hs_sparse *lists = columns ? &data->columns : &data->rows;
    if (arrays.layout != HSEL_DENSE)
        HS_TRY(
            take_lists(&arrays, columns ? arrays.features : arrays.instances, width, lists, error));
    HS_TRY(put_names(&arrays, data, error));
    HS_TRY(take_ones(&arrays, data, lists, &done, error));
    if (!done)
        HS_TRY(take_values(&arrays, data, lists, error));
    HS_TRY(hs_sparse_transpose(lists, width, columns ? &data->rows : &data->columns, error));
    *out = hs_take(&data);
    return HSEL_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Instances without class, and further classes.
 */
#include "data/data.h"

/* ---- instances without class ---- */

uint32_t hs_unlabelled(const hsel_dataset *data)
{
    uint32_t without = 0;
    for (uint32_t i = 0; (data->class_of || data->target) && i < data->instances; i++)
        without += !hs_has_label(data, i);
    return without < data->instances ? without : 0;
}

int hs_view_labelled(const hsel_dataset *data, uint32_t **rows, hs_view *view, hsel_error *error)
{
    *view = hs_view_all(data);
    *rows = NULL;
    if (!hs_unlabelled(data))
        return HSEL_OK;
    HS_NEED(*rows = HS_NEW(uint32_t, data->instances));
    view->rows = *rows;
    view->row_count = 0;
    for (uint32_t i = 0; i < data->instances; i++)
        if (hs_has_label(data, i))
            (*rows)[view->row_count++] = i;
    return HSEL_OK;
}

int hs_keep_labelled(hsel_dataset **data, uint32_t *left, hsel_error *error)
{
    const hsel_dataset *all = *data;
    uint32_t without = hs_unlabelled(all);
    hsel_dataset *labelled = NULL;
    if (left)
        *left = without;
    if (!without)
        return HSEL_OK;
    HS_OWNED bool *keep = HS_NEW(bool, all->instances);
    HS_NEED(keep);
    for (uint32_t i = 0; i < all->instances; i++)
        keep[i] = hs_has_label(all, i);
    HS_TRY(hs_dataset_keep_instances(all, keep, &labelled, error));
    hs_dataset_replace(data, labelled);
    return HSEL_OK;
}

bool hs_classes_are_numbers(const hsel_dataset *data)
{
    double number;
    for (uint32_t c = 0; c < data->class_names.count; c++)
        if (!hs_parse_double(HS_NAME(&data->class_names, c), &number))
            return false;
    return data->class_names.count > 10;
}

/* ---- further classes ---- */

bool hs_is_class_column(const char *name)
{
    size_t prefix = strlen(HS_CLASS_COLUMN);
    return strncmp(name, HS_CLASS_COLUMN, prefix) == 0 && name[prefix];
}

const char *hs_class_of_column(const hs_about *about, uint32_t column)
{
    const char *name = hs_names_get(&about->columns, column);
    return hs_is_class_column(name) ? name + strlen(HS_CLASS_COLUMN) : NULL;
}

/* The number of the column of a further class; HSEL_NONE: no class has that name. */
static uint32_t further_class(const hsel_dataset *data, const char *name)
{
    for (uint32_t c = 0; c < data->instance_about.columns.count; c++) {
        const char *known = hs_class_of_column(&data->instance_about, c);
        if (known && strcmp(known, name) == 0)
            return c;
    }
    return HSEL_NONE;
}

/* ---- columns by name ---- */

hs_place hs_place_of(const hsel_dataset *data, const char *name)
{
    hs_place at = {hs_names_find(&data->feature_names, name, strlen(name)),
                   further_class(data, name)};
    if (at.column == HSEL_NONE)
        at.column = hs_about_column(&data->instance_about, name);
    if (at.feature != HSEL_NONE)
        at.column = HSEL_NONE;
    return at;
}

const char *hs_place_near(const hsel_dataset *data, const char *name, char out[HS_NEAR_ROOM])
{
    const hs_about *about = &data->instance_about;
    const char *near = hs_names_nearest(&data->feature_names, name);
    for (uint32_t c = 0; c < about->columns.count; c++) {
        const char *further = hs_class_of_column(about, c);
        const char *column = further ? further : hs_names_get(&about->columns, c);
        const char *pair[] = {near ? near : column, column};
        int best = hs_nearest(name, pair, 2);
        near = best < 0 ? NULL : pair[best];
    }
    out[0] = '\0';
    if (near)
        hs_print(out, HS_NEAR_ROOM, "; did you mean %.200s?", near);
    return out;
}

/* The value in the column of the class or the target; NULL: unknown. number[40] */
static const char *label_of(const hsel_dataset *data, uint32_t i, char *number)
{
    if (!data->target)
        return hsel_dataset_class_name(data, hsel_dataset_class_of(data, i));
    if (isnan(data->target[i]))
        return NULL;
    hs_format_double(data->target[i], number);
    return number;
}

/* The class in use becomes a further one in this column of instance_about; HSEL_NONE: a new one. */
static int put_class_aside(hsel_dataset *data, uint32_t column, hsel_error *error)
{
    const hs_about *about = &data->instance_about;
    const uint32_t columns = about->columns.count;
    HS_OWNS(hs_about_clear) hs_about swapped = {0};
    HS_OWNS(hs_buf_clear) hs_buf name = {0};
    char number[40];
    hs_buf_printf(&name, "%s%s", HS_CLASS_COLUMN,
                  data->class_attribute ? data->class_attribute : "class");
    HS_NEED(!name.failed);
    column = column == HSEL_NONE ? hs_about_column(about, name.text) : column;
    column = column == HSEL_NONE ? columns : column;
    const uint32_t count = columns + (column == columns);
    for (uint32_t c = 0; c < count; c++)
        HS_TRY(hs_names_append_text(
            &swapped.columns, c == column ? name.text : hs_names_get(&about->columns, c), error));
    for (uint32_t i = 0; i < data->instances; i++)
        for (uint32_t c = 0; c < count; c++)
            HS_TRY(hs_names_append_text(
                &swapped.cells, c == column ? label_of(data, i, number) : hs_about_get(about, i, c),
                error));
    hs_about_clear(&data->instance_about);
    HS_MOVE(&data->instance_about, &swapped);
    return HSEL_OK;
}

static void drop_class(hsel_dataset *data)
{
    hs_names_clear(&data->class_names);
    hs_dataset_drop(data, hs_take(&data->class_of));
    hs_dataset_drop(data, hs_take(&data->target));
    hs_dataset_drop(data, hs_take(&data->class_attribute));
    data->positive_class = HSEL_NONE;
}

static int fail_class(const hsel_dataset *data, const char *name, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf known = {0};
    hs_buf_text(&known, data->class_attribute ? data->class_attribute : "");
    for (uint32_t c = 0; c < data->instance_about.columns.count; c++) {
        const char *further = hs_class_of_column(&data->instance_about, c);
        if (further)
            hs_buf_printf(&known, "%s%s", known.length ? ", " : "", further);
    }
    HS_NEED(!known.failed);
    return hs_fail(error, HSEL_EUSAGE, "there is no class %.200s; the data set has %.400s%s", name,
                   known.length ? known.text : "none", HS_PLACE_NEAR(data, name));
}

/* The texts of a column as numbers in `names`: codes[instances], HSEL_NONE where there is none. */
static int code_texts(const hs_about *about, uint32_t column, uint32_t instances, hs_names *names,
                      uint32_t *codes, hsel_error *error)
{
    for (uint32_t i = 0; i < instances; i++) {
        const char *text = hs_about_get(about, i, column);
        codes[i] = HSEL_NONE;
        if (text)
            HS_TRY(hs_names_intern(names, text, strlen(text), &codes[i], NULL, error));
    }
    return HSEL_OK;
}

int hs_class_use(hsel_dataset *data, const char *name, hsel_error *error)
{
    const uint32_t further = further_class(data, name);
    const uint32_t column =
        further == HSEL_NONE ? hs_about_column(&data->instance_about, name) : further;
    HS_OWNS(hs_names_clear) hs_names classes = {0};
    HS_OWNED uint32_t *class_of = HS_NEW(uint32_t, data->instances);
    HS_OWNED char *attribute = hs_strdup(name);
    HS_NEED(class_of && attribute);
    if (column == HSEL_NONE)
        return fail_class(data, name, error);
    HS_TRY(code_texts(&data->instance_about, column, data->instances, &classes, class_of, error));
    if (classes.count > HS_CLASSES_LIMIT)
        return hs_fail(error, HSEL_ELIMIT, "class %.200s has %u values: the limit is %u", name,
                       classes.count, HS_CLASSES_LIMIT);
    if (further == HSEL_NONE)
        HS_TRY(hs_about_drop(&data->instance_about, name, error));
    if (further != HSEL_NONE || data->class_of || data->target)
        HS_TRY(put_class_aside(data, further, error));
    drop_class(data);
    data->class_of = classes.count ? hs_take(&class_of) : NULL;
    data->class_attribute = hs_take(&attribute);
    HS_MOVE(&data->class_names, &classes);
    HS_TRY(hs_classes_order(data, error));
    HS_TRY(hs_names_index(&data->class_names, error));
    hs_positive_choose(data);
    return HSEL_OK;
}

/* ---- the positive class ---- */

/* Is one of two labels the opposite of the other, the second word of a pair? */
static bool says_positive(const char *label, const char *other)
{
    static const char *const pairs[][2] = {{"no", "yes"},
                                           {"n", "y"},
                                           {"false", "true"},
                                           {"f", "t"},
                                           {"negative", "positive"},
                                           {"neg", "pos"},
                                           {"absent", "present"},
                                           {"control", "case"},
                                           {"controls", "cases"},
                                           {"-", "+"}};
    double one, zero;
    if (hs_parse_double(label, strlen(label), &one) && hs_parse_double(other, strlen(other), &zero))
        return one == 1 && (zero == 0 || zero == -1);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (hs_equal_nocase(label, strlen(label), pairs[i][1]) &&
            hs_equal_nocase(other, strlen(other), pairs[i][0]))
            return true;
    return strcmp(other, HS_PU_CLASS) == 0 && strcmp(label, other) != 0;
}

hs_positive_by hs_positive_rule(const hs_names *names, const uint32_t *sizes, uint32_t *positive)
{
    *positive = names->count >= 2 ? 1 : HSEL_NONE;
    if (names->count != 2)
        return HS_POSITIVE_SECOND;
    for (uint32_t c = 0; c < 2; c++)
        if (says_positive(hs_names_get(names, c), hs_names_get(names, 1 - c))) {
            *positive = c;
            return HS_POSITIVE_WORD;
        }
    *positive = sizes[0] >= sizes[1];
    return sizes[0] == sizes[1] ? HS_POSITIVE_SECOND : HS_POSITIVE_SMALLER;
}

hs_positive_by hs_positive_why(const hs_names *names, const uint32_t *sizes, uint32_t positive,
                               bool named)
{
    uint32_t by_rule;
    hs_positive_by why = hs_positive_rule(names, sizes, &by_rule);
    return named || by_rule != positive ? HS_POSITIVE_NAMED : why;
}

void hs_positive_choose(hsel_dataset *data)
{
    uint32_t sizes[2] = {0};
    if (data->class_names.count == 2)
        hs_class_sizes(data, sizes);
    hs_positive_rule(&data->class_names, sizes, &data->positive_class);
    data->positive_named = false;
}

#define HS_CLASSES_SAID 10 /* in a message */

int hs_class_set_positive(hsel_dataset *data, const char *label, hsel_error *error)
{
    uint32_t code = hs_names_find(&data->class_names, label, strlen(label));
    data->positive_class = code;
    data->positive_named = true;
    if (code != HSEL_NONE)
        return HSEL_OK;
    HS_OWNS(hs_buf_clear) hs_buf list = {0};
    for (uint32_t c = 0; c < data->class_names.count && c <= HS_CLASSES_SAID; c++)
        hs_buf_printf(&list, "%s%.100s", c ? ", " : "",
                      c < HS_CLASSES_SAID ? hs_names_get(&data->class_names, c) : "…");
    HS_NEED(!list.failed);
    const char *near = hs_names_nearest(&data->class_names, label);
    return hs_fail(
        error, HSEL_EUSAGE,
        "there is no class '%.200s' to use as the positive class%s%.200s%s (classes: %s)", label,
        near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "",
        list.length ? list.text : "none");
}

/* ---- positives and unlabelled instances ---- */

bool hs_are_pu(const hs_names *classes, uint32_t positive)
{
    return classes->count == 2 && positive < 2 &&
           strcmp(hs_names_get(classes, 1 - positive), HS_PU_CLASS) == 0;
}

int hs_class_pu(hsel_dataset *data, bool named, hsel_error *error)
{
    const uint32_t classes = data->class_names.count,
                   positive = classes == 1 ? 0 : data->positive_class;
    HS_OWNS(hs_names_clear) hs_names names = {0};
    HS_OWNED uint32_t *class_of = HS_NEW(uint32_t, data->instances);
    uint32_t other;
    HS_NEED(class_of);
    if (!data->class_of || positive >= classes)
        return hs_fail(error, HSEL_EUSAGE, "{pu} needs classes, but there are none");
    if (classes > 2 && !named)
        return hs_fail(error, HSEL_EUSAGE,
                       "{pu} needs the positive class, because there are %u classes: give "
                       "{positive=LABEL}",
                       classes);
    HS_TRY(hs_names_append(&names, HS_NAME(&data->class_names, positive), error));
    HS_TRY(hs_names_intern(&names, HS_PU_CLASS, strlen(HS_PU_CLASS), &other, NULL, error));
    if (other != 1)
        return hs_fail(error, HSEL_EUSAGE, "with {pu} the positive class cannot be " HS_PU_CLASS);
    for (uint32_t i = 0; i < data->instances; i++)
        class_of[i] = data->class_of[i] != positive;
    hs_names_clear(&data->class_names);
    HS_MOVE(&data->class_names, &names);
    hs_dataset_drop(data, data->class_of);
    data->class_of = hs_take(&class_of);
    HS_TRY(hs_classes_order(data, error));
    HS_TRY(hs_names_index(&data->class_names, error));
    data->positive_class = 1 - hs_names_find(&data->class_names, HS_PU_CLASS, strlen(HS_PU_CLASS));
    return HSEL_OK;
}

/* ---- a numeric target ---- */

int hs_dataset_copy_target(const hsel_dataset *from, hsel_dataset *to, hsel_error *error)
{
    hs_dataset_drop(to, hs_take(&to->target));
    hs_dataset_drop(to, hs_take(&to->covariates));
    if (from->target)
        HS_NEED(to->target = HS_NEW(double, to->instances));
    for (uint32_t i = 0; to->target && i < to->instances; i++)
        to->target[i] = NAN;
    if (from->covariates)
        HS_NEED(to->covariates = HS_NEW_ZERO(uint64_t, hs_bit_words(to->features)));
    for (uint32_t f = 0; f < from->features && from->covariates; f++)
        if (hs_is_covariate(from, f))
            hs_bit_set(to->covariates, f);
    return HSEL_OK;
}

/* A number, an empty text being one that is not known. */
static int read_target(const char *text, const char *name, uint32_t instance, double *out,
                       hsel_error *error)
{
    *out = NAN;
    if (!text || !*text || strcmp(text, "?") == 0)
        return HSEL_OK;
    bool number = hs_parse_double(text, strlen(text), out);
    if (!number || fabs(*out) > HS_TARGET_LIMIT)
        return hs_fail(error, HSEL_EUSAGE,
                       "%.200s cannot be the target: '%.100s', of instance %u, is %s", name, text,
                       instance + 1, number ? "too large" : "not a number");
    return HSEL_OK;
}

int hs_target_use(hsel_dataset **data, const char *name, bool optional, hsel_error *error)
{
    hsel_dataset *all = *data;
    const hs_about *about = &all->instance_about;
    const char *own = all->class_attribute;
    HS_OWNED double *target = HS_NEW(double, all->instances);
    HS_OWNED char *attribute = hs_strdup(name);
    HS_NEED(target && attribute);
    if (all->target && own && strcmp(own, name) == 0)
        return HSEL_OK;
    const hs_place at = hs_place_of(all, name);
    const uint32_t feature = at.feature, column = at.column;
    /* Formats without columns have labels that are not named. */
    bool label = all->class_of && (own ? strcmp(own, name) == 0
                                       : strcmp(name, "class") == 0 || strcmp(name, "label") == 0);
    if (feature == HSEL_NONE && column == HSEL_NONE && !label) {
        if (optional)
            return HSEL_OK;
        return hs_fail(error, HSEL_EUSAGE, "there is no column %.200s to use as the target%s", name,
                       HS_PLACE_NEAR(all, name));
    }
    for (uint32_t i = 0; i < all->instances; i++)
        if (feature != HSEL_NONE && all->types[feature] != HSEL_NOMINAL) {
            target[i] = hs_dataset_value(all, feature, i);
            if (fabs(target[i]) > HS_TARGET_LIMIT)
                return hs_fail(error, HSEL_EUSAGE,
                               "%.200s cannot be the target: it is beyond %g in instance %u", name,
                               HS_TARGET_LIMIT, i + 1);
        } else {
            const char *text = feature != HSEL_NONE ? hs_dataset_text(all, feature, i, NULL)
                               : label              ? hsel_dataset_class_name(all, all->class_of[i])
                                                    : hs_about_get(about, i, column);
            HS_TRY(read_target(text, name, i, &target[i], error));
        }
    if (feature != HSEL_NONE)
        HS_TRY(hs_dataset_leave_out(data, feature, error));
    else if (!label && !hs_class_of_column(about, column))
        HS_TRY(hs_about_drop(&all->instance_about, name, error));
    all = *data;
    if ((!label || feature != HSEL_NONE) && (all->class_of || all->target))
        HS_TRY(put_class_aside(all, HSEL_NONE, error));
    drop_class(all);
    all->target = hs_take(&target);
    all->class_attribute = hs_take(&attribute);
    return HSEL_OK;
}

/* ---- covariates ---- */

/* A column of instance_about becomes a feature outside the hierarchy, the last one. */
static int add_feature(hsel_dataset **data, uint32_t column, const char *name, hsel_error *error)
{
    const hsel_dataset *old = *data;
    const hs_about *about = &old->instance_about;
    HS_OWNS(hs_dataset_release) hsel_dataset *wider = NULL;
    HS_OWNS(hs_names_clear) hs_names names = {0};
    HS_OWNED double *value = HS_NEW(double, old->instances);
    uint8_t type = HSEL_NUMERIC;
    HS_NEED(value);
    for (uint32_t i = 0; i < old->instances; i++) {
        const char *text = hs_about_get(about, i, column);
        value[i] = NAN;
        if (text && !hs_parse_double(text, strlen(text), &value[i]))
            type = HSEL_NOMINAL;
    }
    HS_TRY(hs_names_append_text(&names, name, error));
    HS_TRY(hs_dataset_add_features(old, &names, &type, &wider, error));
    const uint32_t f = old->features, slot = wider->slot[f];
    if (type == HSEL_NUMERIC) {
        hs_numeric_column *numbers = &wider->numeric[slot];
        hs_dataset_drop(wider, numbers->values);
        hs_dataset_drop(wider, numbers->rows);
        *numbers = (hs_numeric_column){hs_take(&value), NULL, old->instances};
    }
    hs_nominal_column *words = &wider->nominal[slot];
    if (type == HSEL_NOMINAL)
        HS_TRY(code_texts(about, column, old->instances, &words->values, words->codes, error));
    if (old->dag) {
        HS_OWNS(hs_dag_release) hsel_dag *dag = NULL;
        HS_OWNED uint32_t *number = HS_NEW(uint32_t, f);
        HS_NEED(number);
        for (uint32_t v = 0; v < f; v++)
            number[v] = v;
        HS_TRY(hs_dag_contract(old->dag, number, f + 1, &dag, error));
        HS_TRY(hs_dataset_attach(wider, hs_take(&dag), error));
    }
    hs_dataset_replace(data, hs_take(&wider));
    HS_TRY(hs_names_index(&(*data)->feature_names, error));
    return hs_about_drop(&(*data)->instance_about, name, error);
}

int hs_covariate_add(hsel_dataset **to, const char *name, hsel_error *error)
{
    const hs_place at = hs_place_of(*to, name);
    if (at.column != HSEL_NONE)
        HS_TRY(add_feature(to, at.column, name, error));
    hsel_dataset *data = *to;
    const uint32_t f = at.column != HSEL_NONE ? data->features - 1 : at.feature;
    if (data->class_attribute && strcmp(data->class_attribute, name) == 0)
        return hs_fail(error, HSEL_EUSAGE, "%.200s is to be predicted, so it cannot be a covariate",
                       name);
    if (f == HSEL_NONE)
        return hs_fail(error, HSEL_EUSAGE, "there is no column %.200s to use as a covariate%s",
                       name, HS_PLACE_NEAR(data, name));
    if (data->dag && !(hs_is_root(data->dag, f) && hs_is_leaf(data->dag, f)))
        return hs_fail(error, HSEL_EUSAGE,
                       "%.200s is a term of the hierarchy, but covariates must be outside it",
                       name);
    const size_t words = hs_bit_words(data->features);
    uint64_t *all = HS_NEW_ZERO(uint64_t, words); /* what there is may be in a mapped file */
    HS_NEED(all);
    if (data->covariates)
        memcpy(all, data->covariates, words * sizeof *all);
    hs_bit_set(all, f);
    hs_dataset_drop(data, data->covariates);
    data->covariates = all;
    return HSEL_OK;
}

int hs_candidates_new(const hsel_dataset *data, uint64_t **out, hsel_error *error)
{
    *out = NULL;
    if (!data->covariates)
        return HSEL_OK;
    HS_NEED(*out = HS_NEW_ZERO(uint64_t, hs_bit_words(data->features)));
    for (uint32_t f = 0; f < data->features; f++)
        if (!hs_is_covariate(data, f))
            hs_bit_set(*out, f);
    return HSEL_OK;
}

void hs_covariates_keep(const hsel_dataset *data, uint64_t *mask)
{
    for (size_t w = 0; data->covariates && w < hs_bit_words(data->features); w++)
        mask[w] |= data->covariates[w];
}

/* ---- tables ---- */

int hs_classes_to_features(const hsel_dataset *data, hsel_dataset **out, hsel_error *error)
{
    const hs_about *about = &data->instance_about;
    const uint32_t columns = about->columns.count;
    HS_OWNS(hs_dataset_release) hsel_dataset *made = NULL;
    HS_OWNS(hs_names_clear) hs_names further = {0};
    HS_OWNED uint8_t *types = HS_NEW(uint8_t, columns);
    HS_NEED(types);
    memset(types, HSEL_NOMINAL, columns);
    for (uint32_t c = 0; c < columns; c++)
        if (hs_class_of_column(about, c))
            HS_TRY(hs_names_append(&further, HS_NAME(&about->columns, c), error));
    if (!further.count)
        return HSEL_OK;
    HS_TRY(hs_dataset_add_features(data, &further, types, &made, error));
    for (uint32_t c = 0, f = data->features; c < columns; c++) {
        if (!hs_class_of_column(about, c))
            continue;
        hs_nominal_column *column = &made->nominal[made->slot[f++]];
        HS_TRY(code_texts(about, c, data->instances, &column->values, column->codes, error));
        HS_TRY(hs_names_index(&column->values, error));
        HS_TRY(hs_about_drop(&made->instance_about, hs_names_get(&about->columns, c), error));
    }
    *out = hs_take(&made);
    return HSEL_OK;
}

int hs_classes_from_features(const hsel_dataset *data, hsel_dataset **out, hsel_error *error)
{
    HS_OWNS(hs_dataset_release) hsel_dataset *made = NULL;
    HS_OWNS(hs_about_clear) hs_about further = {0};
    HS_OWNED bool *keep = HS_NEW(bool, data->features);
    HS_NEED(keep);
    for (uint32_t f = 0; f < data->features; f++) {
        const char *name = hs_names_get(&data->feature_names, f);
        keep[f] = !hs_is_class_column(name);
        if (!keep[f])
            HS_TRY(hs_names_append(&further.columns, HS_NAME(&data->feature_names, f), error));
    }
    if (!further.columns.count)
        return HSEL_OK;
    for (uint32_t i = 0; i < data->instances; i++)
        for (uint32_t f = 0; f < data->features; f++) {
            char number[32];
            if (!keep[f])
                HS_TRY(hs_names_append_text(&further.cells, hs_dataset_text(data, f, i, number),
                                            error));
        }
    HS_TRY(hs_dataset_subset(data, keep, &made, error));
    HS_TRY(hs_about_join(&made->instance_about, &further, made->instances, error));
    *out = hs_take(&made);
    return HSEL_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bringing data into the form of a model: features in its order by their names, nominal values and
 * classes by theirs, with its hierarchy. What the data do not have is negative (binary features) or
 * missing (others); nominal values that the model does not know are missing.
 */
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "data/builder.h"
#include "data/transform.h"
#include "evaluate/model_parts.h"

int hs_attach_copy(hsel_dataset *data, const hsel_dag *dag, hsel_error *error)
{
    HS_OWNS(hs_dag_release) hsel_dag *copy = NULL;
    if (!dag)
        return HSEL_OK;
    HS_TRY(hs_dag_copy(dag, &copy, error));
    HS_TRY(hs_dataset_attach(data, copy, error));
    hs_take(&copy);
    return HSEL_OK;
}

static int map_features(const hsel_dataset *data, const hsel_dataset *shape, bool exact,
                        uint32_t *to, uint32_t *unknown, uint32_t *missing, hsel_error *error)
{
    uint32_t found = 0;
    *unknown = 0;
    for (uint32_t f = 0; f < data->features; f++) {
        const char *name = hsel_dataset_feature_name(data, f);
        to[f] = hs_names_find(&shape->feature_names, name, strlen(name));
        found += to[f] != HSEL_NONE;
        if (to[f] == HSEL_NONE && exact)
            return hs_fail(error, HSEL_EFORMAT,
                           "feature %.200s of %s is not among those of the training data, %s; "
                           "--features intersect leaves "
                           "such features out",
                           name, hsel_dataset_name(data), hsel_dataset_name(shape));
        *unknown += to[f] == HSEL_NONE;
    }
    *missing = shape->features - found;
    for (uint32_t f = 0; exact && *missing && f < shape->features; f++) {
        const char *name = hsel_dataset_feature_name(shape, f);
        if (hs_names_find(&data->feature_names, name, strlen(name)) == HSEL_NONE)
            return hs_fail(error, HSEL_EFORMAT,
                           "feature %.200s of the training data, %s, is not in %s; --features "
                           "intersect takes it as %s",
                           name, hsel_dataset_name(shape), hsel_dataset_name(data),
                           shape->types[f] == HSEL_BINARY ? "negative" : "missing");
    }
    return HSEL_OK;
}

static const char *type_name(uint8_t type)
{
    return type == HSEL_BINARY ? "binary" : type == HSEL_NUMERIC ? "numeric" : "nominal";
}

/* A file shows what type a feature has only by the values that happen to be in it, so 0 and 1 pass
 * for numbers and for nominal values. */
static int check_types(const hsel_dataset *data, const hsel_dataset *shape, const uint32_t *to,
                       hsel_error *error)
{
    for (uint32_t f = 0; f < data->features; f++) {
        if (to[f] == HSEL_NONE)
            continue;
        uint8_t here = data->types[f], there = shape->types[to[f]];
        if (here == there || here == HSEL_BINARY)
            continue;
        const char *name = hsel_dataset_feature_name(data, f);
        if (there == HSEL_BINARY)
            return hs_fail(error, HSEL_EFORMAT,
                           "feature %.200s of %s is not binary, but that of the training data is",
                           name, hsel_dataset_name(data));
        return hs_fail(error, HSEL_EFORMAT,
                       "feature %.200s of %s is %s, but that of the training data is %s", name,
                       hsel_dataset_name(data), type_name(here), type_name(there));
    }
    return HSEL_OK;
}

/* Code that the value of a nominal feature has in the model. */
static uint32_t code_of(const hsel_dataset *data, uint32_t feature, uint32_t instance,
                        const hs_names *known)
{
    double value = hs_dataset_value(data, feature, instance);
    if (isnan(value))
        return HS_MISSING_CODE;
    const char *name = value != 0 ? "1" : "0";
    if (data->types[feature] == HSEL_NOMINAL)
        name = hs_names_get(&data->nominal[data->slot[feature]].values, (uint32_t)value);
    uint32_t code = hs_names_find(known, name, strlen(name));
    return code == HSEL_NONE ? HS_MISSING_CODE : code;
}

/* from[s]: the feature of the data that feature s of the model is; HSEL_NONE: none. */
struct aligning {
    const hsel_dataset *data, *shape;
    uint32_t *from;
    uint32_t *others; /* features of the model that are not binary */
    uint32_t other_count;
};

static int align_other(const struct aligning *a, uint32_t instance, uint32_t s, hs_builder *builder,
                       hsel_error *error)
{
    uint32_t f = a->from[s];
    if (a->shape->types[s] == HSEL_NUMERIC) {
        double value = f == HSEL_NONE ? (double)NAN : hs_dataset_value(a->data, f, instance);
        return hs_builder_numeric(builder, s, value, error);
    }
    if (f == HSEL_NONE)
        return HSEL_OK;
    const hs_names *known = &a->shape->nominal[a->shape->slot[s]].values;
    return hs_builder_nominal(builder, s, code_of(a->data, f, instance, known), error);
}

static int align_row(const struct aligning *a, const uint32_t *to, uint32_t instance,
                     hs_builder *builder, hsel_error *error)
{
    const hsel_dataset *data = a->data, *shape = a->shape;
    const char *id = hsel_dataset_id(data, instance);
    const char *label = hsel_dataset_class_name(data, hsel_dataset_class_of(data, instance));
    uint32_t known = label ? hs_names_find(&shape->class_names, label, strlen(label)) : HSEL_NONE;
    size_t count;
    const uint32_t *row = hs_row(data, instance, &count);
    HS_TRY(hs_builder_row(builder, id, id ? strlen(id) : 0, known, error));
    for (size_t i = 0; i < count; i++)
        if (to[row[i]] != HSEL_NONE && shape->types[to[row[i]]] == HSEL_BINARY)
            HS_TRY(hs_builder_positive(builder, to[row[i]], error));
    for (uint32_t i = 0; i < a->other_count; i++)
        HS_TRY(align_other(a, instance, a->others[i], builder, error));
    return HSEL_OK;
}

int hs_align(const hsel_dataset *data, const hsel_dataset *shape, bool exact, hsel_dataset **out,
             uint32_t *unknown, uint32_t *missing, hsel_error *error)
{
    HS_OWNED uint32_t *to = HS_NEW(uint32_t, data->features);
    HS_OWNED uint32_t *from = HS_NEW(uint32_t, shape->features);
    HS_OWNED uint32_t *others = HS_NEW(uint32_t, shape->features);
    HS_OWNS(hs_builder_release) hs_builder *builder = NULL;
    HS_OWNS(hs_dataset_release) hsel_dataset *aligned = NULL;
    struct aligning a = {.data = data, .shape = shape, .from = from, .others = others};
    HS_NEED(to && from && others);
    HS_TRY(map_features(data, shape, exact, to, unknown, missing, error));
    HS_TRY(check_types(data, shape, to, error));
    for (uint32_t s = 0; s < shape->features; s++) {
        from[s] = HSEL_NONE;
        if (shape->types[s] != HSEL_BINARY)
            others[a.other_count++] = s;
    }
    for (uint32_t f = 0; f < data->features; f++)
        if (to[f] != HSEL_NONE)
            from[to[f]] = f;
    HS_TRY(hs_builder_new(&builder, error));
    HS_TRY(hs_builder_declare_like(builder, shape, error));
    HS_TRY(
        hs_builder_describe(builder, data->name, data->class_attribute, data->id_attribute, error));
    for (uint32_t i = 0; i < data->instances; i++)
        HS_TRY(align_row(&a, to, i, builder, error));
    HS_TRY(hs_builder_finish(builder, &aligned, error));
    HS_TRY(hs_attach_copy(aligned, shape->dag, error));
    aligned->positive_class = shape->positive_class;
    *out = hs_take(&aligned);
    return HSEL_OK;
}

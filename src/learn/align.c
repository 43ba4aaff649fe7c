/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bringing data into the form of a model: features in its order by their names, nominal values and
 * classes by theirs, with its hierarchy. What the data do not have is negative (binary features) or
 * missing (others); nominal values that the model does not know are missing.
 */
#include "learn/model.h"
#include "load/load.h"

static const char *type_name(uint8_t type)
{
    return type == HSEL_BINARY ? "binary" : type == HSEL_NUMERIC ? "numeric" : "nominal";
}

/* Numbers that the data do not have: missing; 0; 0, and features with others below them need not be
 * there, since they are added up. */
typedef enum absent { ABSENT_MISSING, ABSENT_ZERO, ABSENT_ADDED } absent;

/* to[f]: the feature of the model that feature f of the data is; from[s] the other way round;
 * HSEL_NONE: none. Features of `beside` may be there, too, and are left out. */
static int map_features(const hsel_dataset *data, const hsel_dataset *shape, const hs_names *beside,
                        bool exact, absent zero, uint32_t *to, uint32_t *from, uint32_t *unknown,
                        uint32_t *missing, hsel_error *error)
{
    *unknown = 0;
    *missing = shape->features;
    for (uint32_t s = 0; s < shape->features; s++)
        from[s] = HSEL_NONE;
    for (uint32_t f = 0; f < data->features; f++) {
        const char *name = hsel_dataset_feature_name(data, f);
        to[f] = hs_names_find(&shape->feature_names, name, strlen(name));
        if (to[f] == HSEL_NONE && beside && hs_names_find(beside, name, strlen(name)) != HSEL_NONE)
            continue;
        if (to[f] == HSEL_NONE && exact)
            return hs_fail(error, HSEL_EFORMAT,
                           "feature %.200s of %s is not among those of the training data, %s; "
                           "{features=intersect} leaves "
                           "such features out",
                           name, hsel_dataset_name(data), hsel_dataset_name(shape));
        if (to[f] == HSEL_NONE) {
            ++*unknown;
        } else {
            from[to[f]] = f;
            --*missing;
        }
    }
    for (uint32_t s = 0; exact && s < shape->features; s++)
        if (from[s] == HSEL_NONE &&
            !(zero == ABSENT_ADDED && shape->dag && !hs_is_leaf(shape->dag, s)))
            return hs_fail(error, HSEL_EFORMAT,
                           "feature %.200s of the training data, %s, is not in %s; "
                           "{features=intersect} takes it as %s",
                           hsel_dataset_feature_name(shape, s), hsel_dataset_name(shape),
                           hsel_dataset_name(data),
                           shape->types[s] == HSEL_BINARY ? "negative"
                           : zero && shape->types[s] == HSEL_NUMERIC && !hs_is_covariate(shape, s)
                               ? "0"
                               : "missing");
    /* A file shows what type a feature has only by the values that happen to be in it, so 0 and 1
     * pass for numbers and for nominal values. */
    for (uint32_t f = 0; f < data->features; f++) {
        uint8_t here = data->types[f], there = to[f] == HSEL_NONE ? here : shape->types[to[f]];
        const char *name = hsel_dataset_feature_name(data, f);
        if (here == there || here == HSEL_BINARY)
            continue;
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

/* Feature s of the model, which is not binary, in an instance of data that have it as feature f. */
static int align_other(const hsel_dataset *data, uint32_t f, uint32_t instance,
                       const hsel_dataset *shape, uint32_t s, absent zero, hs_builder *builder,
                       hsel_error *error)
{
    const bool is_zero = zero && shape->types[s] == HSEL_NUMERIC && !hs_is_covariate(shape, s);
    double value = f != HSEL_NONE ? hs_dataset_value(data, f, instance) : is_zero ? 0 : (double)NAN;
    if (shape->types[s] == HSEL_NUMERIC)
        return hs_builder_numeric(builder, s, value, error);
    if (isnan(value))
        return f == HSEL_NONE ? HSEL_OK : hs_builder_nominal(builder, s, HS_MISSING_CODE, error);
    const char *name = value != 0 ? "1" : "0";
    if (data->types[f] == HSEL_NOMINAL)
        name = hs_names_get(&data->nominal[data->slot[f]].values, (uint32_t)value);
    uint32_t code = hs_names_find(&shape->nominal[shape->slot[s]].values, name, strlen(name));
    return hs_builder_nominal(builder, s, code == HSEL_NONE ? HS_MISSING_CODE : code, error);
}

/* Aligned with one `shape`, unprepared. */
static int align(const hsel_dataset *data, const hsel_dataset *shape, const hs_names *beside,
                 bool exact, absent zero, hsel_dataset **out, uint32_t *unknown, uint32_t *missing,
                 hsel_error *error)
{
    HS_OWNED uint32_t *to = HS_NEW(uint32_t, data->features);
    HS_OWNED uint32_t *from = HS_NEW(uint32_t, shape->features);
    HS_OWNED uint32_t *others = HS_NEW(uint32_t, shape->features); /* not binary in the model */
    HS_OWNS(hs_builder_release) hs_builder *builder = NULL;
    HS_OWNS(hs_dataset_release) hsel_dataset *aligned = NULL;
    uint32_t other_count = 0;
    HS_NEED(to && from && others);
    HS_TRY(map_features(data, shape, beside, exact, zero, to, from, unknown, missing, error));
    for (uint32_t s = 0; s < shape->features; s++)
        if (shape->types[s] != HSEL_BINARY)
            others[other_count++] = s;
    HS_TRY(hs_builder_new(&builder, error));
    HS_TRY(hs_builder_declare_like(builder, shape, error));
    HS_TRY(
        hs_builder_describe(builder, data->name, data->class_attribute, data->id_attribute, error));
    for (uint32_t i = 0; i < data->instances; i++) {
        const char *id = hsel_dataset_id(data, i);
        const char *label = hsel_dataset_class_name(data, hsel_dataset_class_of(data, i));
        uint32_t known =
            label ? hs_names_find(&shape->class_names, label, strlen(label)) : HSEL_NONE;
        size_t count;
        const uint32_t *row = hs_row(data, i, &count);
        HS_TRY(hs_builder_row(builder, id, id ? strlen(id) : 0, known, error));
        for (size_t j = 0; j < count; j++)
            if (to[row[j]] != HSEL_NONE && shape->types[to[row[j]]] == HSEL_BINARY)
                HS_TRY(hs_builder_positive(builder, to[row[j]], error));
        for (uint32_t j = 0; j < other_count; j++)
            HS_TRY(align_other(data, from[others[j]], i, shape, others[j], zero, builder, error));
    }
    HS_TRY(hs_builder_finish(builder, &aligned, error));
    HS_TRY(hs_attach_copy(aligned, shape->dag, error));
    HS_TRY(hs_dataset_copy_target(shape, aligned, error));
    if (aligned->target && data->target)
        memcpy(aligned->target, data->target, data->instances * sizeof *data->target);
    if (data->provenance)
        HS_NEED(aligned->provenance = hs_strdup(data->provenance));
    aligned->positive_class = shape->positive_class;
    aligned->recipe = hs_recipe_share(shape->recipe);
    aligned->learned = shape->learned;
    /* Where both know something of a feature, the words are those of the model. */
    HS_TRY(hs_about_pick(&data->about, from, shape->features, &aligned->about, error));
    HS_TRY(hs_about_join(&aligned->about, &shape->about, shape->features, error));
    HS_TRY(hs_about_copy(&data->instance_about, &aligned->instance_about, error));
    *out = hs_take(&aligned);
    return HSEL_OK;
}

/* Are the values of `data` to be made as those of `shape` were, or are they so already? Refused if
 * they were made otherwise. */
static int is_raw(const hsel_dataset *data, const hsel_dataset *shape, bool *raw, hsel_error *error)
{
    const hs_recipe *recipe = shape->recipe;
    HS_OWNS(hs_buf_clear) hs_buf has = {0}, was = {0}, wants = {0};
    HS_TRY(hs_amounts_chain(data, &has, error));
    HS_TRY(hs_amounts_chain(shape, &wants, error));
    HS_TRY(hs_amounts_chain(recipe ? recipe->raw : shape, &was, error));
    *raw = false;
    if (data->recipe && recipe && strcmp(data->recipe->how, recipe->how) == 0)
        return HSEL_OK;
    if (!hs_amounts_state(data).known) { /* it does not say what it is */
        *raw = recipe && !data->recipe;
        return HSEL_OK;
    }
    *raw = recipe && strcmp(has.text, was.text) == 0;
    /* What was left out before the transformation shows in its values, but not in the data. */
    if (*raw ||
        (strcmp(has.text, wants.text) == 0 && !(recipe && (recipe->chosen || recipe->kept))))
        return HSEL_OK;
    if (strcmp(has.text, wants.text) == 0)
        return hs_fail(error, HSEL_EUSAGE,
                       "features of the training data, %s, were left out before %s: give %s as it "
                       "was before the transformation",
                       hsel_dataset_name(shape), has.text, hsel_dataset_name(data));
    return hs_fail(error, HSEL_EUSAGE,
                   "the abundances of %s are %s%.100s, those of the training data, %s, %s%.100s: "
                   "prepare them in the same way%s",
                   hsel_dataset_name(data), has.length ? "transformed by " : "as they were read",
                   has.text, hsel_dataset_name(shape),
                   wants.length ? "are transformed by " : "are as they were read", wants.text,
                   recipe ? ", or not at all" : "");
}

int hs_align(const hsel_dataset *data, const hsel_dataset *shape, bool exact, hsel_dataset **out,
             uint32_t *unknown, uint32_t *missing, hsel_error *error)
{
    const hs_recipe *recipe = shape->recipe;
    HS_OWNS(hs_dataset_release) hsel_dataset *as_read = NULL, *made = NULL;
    HS_OWNS(hs_arena_clear) hs_arena arena = {0};
    hs_load_options options = {0};
    uint32_t none;
    bool raw;
    HS_TRY(is_raw(data, shape, &raw, error));
    if (recipe)
        HS_TRY(hs_recipe_options(recipe->how, &arena, &options, error));
    if (!raw && recipe && hs_amounts_learn(&options.amounts) && data->learned != shape->learned &&
        hs_recipe_learns(data->recipe)) { /* the same was learned from other instances */
        HS_TRY(hs_recipe_again(data, shape->learned, &made, error));
        data = made;
    }
    bool changes =
        options.propagate || options.amounts.aggregate || options.amounts.transform.count;
    if (!raw || !changes)
        return align(data, shape, recipe ? &recipe->raw->feature_names : NULL, exact,
                     ABSENT_MISSING, out, unknown, missing, error);
    HS_TRY(align(data, recipe->raw, NULL, exact,
                 options.amounts.aggregate ? ABSENT_ADDED : ABSENT_ZERO, &as_read, unknown, missing,
                 error));
    HS_TRY(hs_recipe_apply(recipe, shape->learned, as_read, &made, error));
    HS_TRY(align(made, shape, &recipe->raw->feature_names, true, ABSENT_MISSING, out, &none, &none,
                 error));
    return HSEL_OK;
}

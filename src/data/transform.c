/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * New data sets from old ones. What a transformation leaves alone is copied in one place
 * (copy_frame); what it changes are the positive values and the hierarchy.
 *
 * New positive values are written as lists in any order and then transposed twice: counting
 * transposition gives ascending lists, so columns and rows come out sorted in O(positives) without
 * sorting anything.
 */
#include "data/data.h"

/* ---- unchanged parts ------------------------------------------------------------------ */

/* A copy of *from in *to; false when memory runs out. */
static bool copied(void *to, const void *from, size_t count, size_t size)
{
    void *copy = from ? hs_copy(from, count, size) : NULL;
    memcpy(to, &copy, sizeof copy);
    return copy || !from;
}

static bool text_copied(char **to, const char *from)
{
    return copied(to, from, from ? strlen(from) + 1 : 0, 1);
}

/* Which items a new data set has: those with keep[i], or (NULL) all. */
typedef struct choice {
    const bool *keep;
    uint32_t all, count;
    uint32_t *number; /* the new number of each, HSEL_NONE: it is left out */
} choice;

static void clear_choice(choice *c) { hs_free(c->number); }

static int number_chosen(uint32_t all, choice *c, hsel_error *error)
{
    HS_NEED(c->number = HS_NEW(uint32_t, c->all = all));
    for (uint32_t i = 0; i < all; i++)
        c->number[i] = !c->keep || c->keep[i] ? c->count++ : HSEL_NONE;
    return HSEL_OK;
}

/* A copy of the values of chosen items. */
static bool picked(void *to, const void *from, const choice *c, size_t size)
{
    char *copy = from ? hs_alloc(c->count, size) : NULL;
    for (uint32_t i = 0; copy && i < c->all; i++)
        if (c->number[i] != HSEL_NONE)
            memcpy(copy + c->number[i] * size, (const char *)from + i * size, size);
    memcpy(to, &copy, sizeof copy);
    return copy || !from;
}

static int pick_numeric(const hs_numeric_column *old, const choice *instances,
                        hs_numeric_column *new, hsel_error *error)
{
    const uint32_t count = instances->count ? old->count : 0;
    HS_NEED(copied(&new->values, old->values, count, sizeof *old->values) &&
            copied(&new->rows, old->rows, count, sizeof *old->rows));
    new->count = instances->keep ? 0 : count;
    for (uint32_t k = 0; instances->keep && k < count; k++) {
        const uint32_t row = instances->number[old->rows ? old->rows[k] : k];
        if (row == HSEL_NONE)
            continue;
        if (new->rows)
            new->rows[new->count] = row;
        new->values[new->count++] = old->values[k];
    }
    return HSEL_OK;
}

/* Features to append, without values. */
typedef struct further {
    const hs_names *names;
    const uint8_t *types;
} further;

static int name_further(const further *more, hsel_dataset *data, hsel_error *error)
{
    uint32_t id;
    bool added;
    for (uint32_t i = 0; more && i < more->names->count; i++) {
        HS_TRY(hs_names_intern(&data->feature_names, HS_NAME(more->names, i), &id, &added, error));
        if (!added)
            return hs_fail(error, HSEL_EFORMAT, "there is a feature %.200s already",
                           hs_names_get(more->names, i));
        data->types[id] = more->types[i];
        for (uint32_t c = 0; c < data->about.columns.count; c++)
            HS_TRY(hs_names_append_text(&data->about.cells, NULL, error));
    }
    return HSEL_OK;
}

/* A new data set of some features and instances, and further features (NULL: none), without
 * positive values and hierarchy. */
static int copy_frame(const hsel_dataset *data, choice *features, choice *instances,
                      const further *more, hsel_dataset **out, hsel_error *error)
{
    static double no_value;
    static uint32_t no_row;
    static const hs_numeric_column zeros = {.values = &no_value, .rows = &no_row};
    const uint32_t added = more ? more->names->count : 0;
    uint32_t of_type[3] = {0}, next = 0;
    HS_OWNS(hs_dataset_release) hsel_dataset *copy = HS_NEW_ZERO(hsel_dataset, 1);
    *out = NULL;
    HS_NEED(copy);
    HS_TRY(number_chosen(data->features, features, error));
    HS_TRY(number_chosen(data->instances, instances, error));
    copy->instances = instances->count;
    copy->features = features->count + added;
    copy->positive_class = data->positive_class;
    copy->positive_named = data->positive_named;
    copy->recipe = hs_recipe_share(data->recipe);
    copy->learned = data->learned;
    HS_NEED(text_copied(&copy->name, data->name) &&
            text_copied(&copy->class_attribute, data->class_attribute) &&
            text_copied(&copy->id_attribute, data->id_attribute) &&
            text_copied(&copy->provenance, data->provenance) &&
            picked(&copy->class_of, data->class_of, instances, sizeof *data->class_of) &&
            picked(&copy->target, data->target, instances, sizeof *data->target) &&
            (copy->types = HS_NEW(uint8_t, copy->features)));
    for (uint32_t f = 0; f < data->features; f++)
        if (features->number[f] != HSEL_NONE)
            copy->types[features->number[f]] = data->types[f];
    HS_TRY(hs_names_copy(&data->class_names, &copy->class_names, error));
    HS_TRY(
        hs_names_subset(&data->ids, data->ids.count ? instances->keep : NULL, &copy->ids, error));
    HS_TRY(hs_about_subset(&data->instance_about, instances->keep, data->instances,
                           &copy->instance_about, error));
    HS_TRY(hs_names_subset(&data->feature_names, features->keep, &copy->feature_names, error));
    HS_TRY(hs_about_subset(&data->about, features->keep, data->features, &copy->about, error));
    HS_TRY(name_further(more, copy, error));
    for (uint32_t f = 0; f < copy->features; f++)
        of_type[copy->types[f]]++;
    if (copy->features > of_type[HSEL_BINARY])
        HS_NEED(copy->slot = HS_NEW_ZERO(uint32_t, copy->features));
    copy->numeric = HS_NEW_ZERO(hs_numeric_column, of_type[HSEL_NUMERIC]);
    copy->nominal = HS_NEW_ZERO(hs_nominal_column, of_type[HSEL_NOMINAL]);
    if (data->covariates)
        HS_NEED(copy->covariates = HS_NEW_ZERO(uint64_t, hs_bit_words(copy->features)));
    HS_NEED(copy->numeric && copy->nominal);
    for (uint32_t f = 0; f < data->features + added; f++) {
        const bool is_new = f >= data->features;
        const uint32_t slot = !is_new && data->slot ? data->slot[f] : 0;
        if (!is_new && features->number[f] == HSEL_NONE)
            continue;
        if (!is_new && hs_is_covariate(data, f))
            hs_bit_set(copy->covariates, next);
        if (copy->types[next] == HSEL_NUMERIC) {
            copy->slot[next] = copy->numeric_count++;
            HS_TRY(pick_numeric(is_new ? &zeros : &data->numeric[slot], instances,
                                &copy->numeric[copy->slot[next]], error));
        } else if (copy->types[next] == HSEL_NOMINAL) {
            hs_nominal_column *new = &copy->nominal[copy->slot[next] = copy->nominal_count++];
            const hs_nominal_column *old = &data->nominal[slot];
            HS_NEED(is_new ? (new->codes = hs_new_none(copy->instances)) != NULL
                           : picked(&new->codes, old->codes, instances, sizeof *old->codes));
            if (!is_new)
                HS_TRY(hs_names_copy(&old->values, &new->values, error));
        }
        next++;
    }
    *out = hs_take(&copy);
    return HSEL_OK;
}

static size_t count_positives(const hsel_dataset *data)
{
    return (size_t)data->rows.start[data->instances];
}

/* The chosen lists, with the chosen numbers in them. */
static int pick_lists(const hs_sparse *from, const choice *lists, const choice *numbers,
                      hs_sparse *out, hsel_error *error)
{
    size_t used = 0, room = 0, count;
    for (uint32_t i = 0; i < from->lists; i++)
        room += lists->number[i] == HSEL_NONE ? 0 : from->start[i + 1] - from->start[i];
    HS_TRY(hs_sparse_init(out, lists->count, room, error));
    for (uint32_t i = 0; i < from->lists; i++) {
        const uint32_t *list = hs_sparse_list(from, i, &count);
        if (lists->number[i] == HSEL_NONE)
            continue;
        if (!numbers->keep && count)
            memcpy(out->index + used, list, count * sizeof *list);
        used += numbers->keep ? 0 : count;
        for (size_t j = 0; numbers->keep && j < count; j++)
            if (numbers->number[list[j]] != HSEL_NONE)
                out->index[used++] = numbers->number[list[j]];
        out->start[lists->number[i] + 1] = used;
    }
    return HSEL_OK;
}

/* A new data set of some features and instances, or with further features and no hierarchy. */
static int pick_parts(const hsel_dataset *data, const bool *keep_features,
                      const bool *keep_instances, const further *more, hsel_dataset **out,
                      hsel_error *error)
{
    HS_OWNS(hs_dataset_release) hsel_dataset *result = NULL;
    HS_OWNS(clear_choice)
    choice features = {.keep = keep_features}, instances = {.keep = keep_instances};
    *out = NULL;
    HS_TRY(copy_frame(data, &features, &instances, more, &result, error));
    if (keep_features) {
        HS_TRY(pick_lists(&data->columns, &features, &instances, &result->columns, error));
        HS_TRY(hs_sparse_transpose(&result->columns, result->instances, &result->rows, error));
    } else {
        HS_TRY(pick_lists(&data->rows, &instances, &features, &result->rows, error));
        HS_TRY(hs_sparse_transpose(&result->rows, result->features, &result->columns, error));
    }
    if (data->dag && !more)
        HS_TRY(keep_features ? hs_dag_subset(data->dag, keep_features, &result->dag, error)
                             : hs_dag_copy(data->dag, &result->dag, error));
    *out = hs_take(&result);
    return HSEL_OK;
}

int hs_dataset_subset(const hsel_dataset *data, const bool *keep, hsel_dataset **out,
                      hsel_error *error)
{
    return pick_parts(data, keep, NULL, NULL, out, error);
}

int hs_dataset_keep(hsel_dataset **data, const bool *keep, hsel_error *error)
{
    hsel_dataset *smaller = NULL;
    HS_TRY(hs_dataset_subset(*data, keep, &smaller, error));
    hs_dataset_replace(data, smaller);
    return HSEL_OK;
}

int hs_dataset_leave_out(hsel_dataset **data, uint32_t feature, hsel_error *error)
{
    HS_OWNED bool *keep = HS_NEW(bool, (*data)->features);
    HS_NEED(keep);
    memset(keep, true, (*data)->features);
    keep[feature] = false;
    return hs_dataset_keep(data, keep, error);
}

int hs_dataset_keep_instances(const hsel_dataset *data, const bool *keep, hsel_dataset **out,
                              hsel_error *error)
{
    HS_OWNS(hs_dataset_release) hsel_dataset *result = NULL;
    *out = NULL;
    HS_TRY(pick_parts(data, NULL, keep, NULL, &result, error));
    result->keeps_rule = (bool)data->keeps_rule;
    if (hs_recipe_learns(data->recipe)) {
        hs_recipe_drop(hs_take(&result->recipe));
        HS_TRY(hs_recipe_of_instances(data->recipe, keep, &result->recipe, error));
    }
    *out = hs_take(&result);
    return HSEL_OK;
}

int hs_dataset_shape(const hsel_dataset *data, hsel_dataset **out, hsel_error *error)
{
    HS_OWNED bool *none = HS_NEW_ZERO(bool, data->instances);
    HS_NEED(none);
    HS_TRY(pick_parts(data, NULL, none, NULL, out, error));
    hs_about_clear(&(*out)->instance_about);
    return HSEL_OK;
}

int hs_dataset_repeat(const hsel_dataset *data, const uint32_t *rows, uint32_t count,
                      hsel_dataset **out, hsel_error *error)
{
    HS_OWNS(hs_dataset_release) hsel_dataset *copy = NULL;
    size_t positives = 0, length;
    *out = NULL;
    HS_TRY(hs_dataset_shape(data, &copy, error));
    hs_recipe_drop(hs_take(&copy->recipe));
    hs_sparse_clear(&copy->rows);
    hs_sparse_clear(&copy->columns);
    copy->rows = copy->columns = (hs_sparse){0};
    HS_FREE(hs_take(&copy->class_of), hs_take(&copy->target));
    copy->instances = count;
    for (uint32_t i = 0; i < count; i++)
        positives += data->rows.start[rows[i] + 1] - data->rows.start[rows[i]];
    HS_TRY(hs_sparse_init(&copy->rows, count, positives, error));
    HS_NEED(!data->class_of || (copy->class_of = HS_NEW(uint32_t, count)));
    HS_NEED(!data->target || (copy->target = HS_NEW(double, count)));
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *row = hs_row(data, rows[i], &length);
        if (length)
            memcpy(copy->rows.index + copy->rows.start[i], row, length * sizeof *row);
        copy->rows.start[i + 1] = copy->rows.start[i] + length;
        if (data->class_of)
            copy->class_of[i] = data->class_of[rows[i]];
        if (data->target)
            copy->target[i] = data->target[rows[i]];
    }
    HS_TRY(hs_sparse_transpose(&copy->rows, copy->features, &copy->columns, error));
    HS_TRY(hs_about_pick(&data->instance_about, rows, count, &copy->instance_about, error));
    for (uint32_t f = 0; f < data->features; f++) {
        if (data->types[f] == HSEL_NUMERIC) {
            hs_numeric_column *column = &copy->numeric[copy->slot[f]];
            HS_FREE(hs_take(&column->values), hs_take(&column->rows));
            HS_NEED(column->values = HS_NEW(double, count));
            column->count = count;
            for (uint32_t i = 0; i < count; i++)
                column->values[i] = hs_dataset_value(data, f, rows[i]);
        } else if (data->types[f] == HSEL_NOMINAL) {
            uint32_t **codes = &copy->nominal[copy->slot[f]].codes;
            hs_free(hs_take(codes));
            HS_NEED(*codes = HS_NEW(uint32_t, count));
            for (uint32_t i = 0; i < count; i++)
                (*codes)[i] = data->nominal[data->slot[f]].codes[rows[i]];
        }
    }
    *out = hs_take(&copy);
    return HSEL_OK;
}

int hs_dataset_add_features(const hsel_dataset *data, const hs_names *names, const uint8_t *types,
                            hsel_dataset **out, hsel_error *error)
{
    return pick_parts(data, NULL, NULL, &(const further){names, types}, out, error);
}

uint32_t hs_mark_rare(const hsel_dataset *data, uint32_t support, bool *keep)
{
    uint32_t marked = 0;
    bool some = hs_unlabelled(data) > 0;
    for (uint32_t f = 0; f < data->features; f++) {
        size_t count, labelled = 0;
        const uint32_t *list = hs_column(data, f, &count);
        for (size_t i = 0; some && i < count && labelled < support; i++)
            labelled += hs_has_label(data, list[i]);
        bool rare = data->types[f] == HSEL_BINARY && (some ? labelled : count) < support &&
                    keep[f] && !hs_is_covariate(data, f);
        keep[f] = keep[f] && !rare;
        marked += rare;
    }
    return marked;
}

uint32_t hs_mark_roots(const hsel_dataset *data, bool *keep)
{
    uint32_t marked = 0;
    for (uint32_t f = 0; data->dag && f < data->features; f++) {
        bool root = hs_is_root(data->dag, f) && !hs_is_leaf(data->dag, f) && keep[f];
        keep[f] = keep[f] && !root;
        marked += root;
    }
    return marked;
}

/* ---- other positive values ---------------------------------------------------------------- */

static void push_feature(uint64_t *seen, uint32_t *queue, size_t *count, uint32_t f)
{
    if (!hs_bit_get(seen, f)) {
        hs_bit_set(seen, f);
        queue[(*count)++] = f;
    }
}

/* The rows of `data` into `out`: features are named by number[f] (NULL: as they are), and all their
 * ancestors are positive too if there is a hierarchy. */
static int rewrite_rows(const hsel_dataset *data, const uint32_t *number, hsel_dataset *out,
                        hsel_error *error)
{
    HS_OWNS(hs_sparse_clear) hs_sparse rows = {0}; /* not in order yet */
    /* A bit per feature, empty between rows. */
    HS_OWNED uint64_t *seen = HS_NEW_ZERO(uint64_t, hs_bit_words(out->features));
    HS_OWNED uint32_t *queue = HS_NEW(uint32_t, out->features);
    size_t used = 0, capacity = count_positives(data), length;
    HS_NEED(seen && queue);
    HS_TRY(hs_sparse_init(&rows, data->instances, capacity, error));
    for (uint32_t i = 0; i < data->instances; i++) {
        const uint32_t *row = hs_row(data, i, &length);
        size_t count = 0;
        for (size_t j = 0; j < length; j++)
            push_feature(seen, queue, &count, number ? number[row[j]] : row[j]);
        for (size_t j = 0; data->dag && j < count; j++) {
            const uint32_t *parent = hs_parents(data->dag, queue[j], &length);
            for (size_t k = 0; k < length; k++)
                push_feature(seen, queue, &count, parent[k]);
        }
        HS_NEED(HS_GROW(&rows.index, &capacity, used + count));
        for (size_t j = 0; j < count; j++) {
            seen[queue[j] / 64] = 0;
            if (out->types[queue[j]] == HSEL_BINARY) /* others are passed through */
                rows.index[used++] = queue[j];
        }
        rows.start[i + 1] = used;
    }
    HS_TRY(hs_sparse_transpose(&rows, out->features, &out->columns, error));
    hs_sparse_clear(&rows);
    return hs_sparse_transpose(&out->columns, out->instances, &out->rows, error);
}

int hs_dataset_propagate(const hsel_dataset *data, hsel_dataset **out, uint64_t *added,
                         hsel_error *error)
{
    HS_OWNS(hs_dataset_release) hsel_dataset *result = NULL;
    HS_OWNS(clear_choice) choice features = {0}, instances = {0};
    *added = 0;
    *out = NULL;
    HS_TRY(copy_frame(data, &features, &instances, NULL, &result, error));
    HS_TRY(rewrite_rows(data, NULL, result, error));
    if (data->dag)
        HS_TRY(hs_dag_copy(data->dag, &result->dag, error));
    *added = count_positives(result) - count_positives(data);
    *out = hs_take(&result);
    return HSEL_OK;
}

int hs_dataset_merge(const hsel_dataset *data, const uint32_t *into, hsel_dataset **out,
                     hsel_error *error)
{
    HS_OWNS(hs_dataset_release) hsel_dataset *result = NULL;
    HS_OWNED bool *keep = HS_NEW(bool, data->features);
    HS_OWNS(clear_choice) choice features = {.keep = keep}, instances = {0};
    HS_OWNED uint32_t *number = HS_NEW(uint32_t, data->features); /* new, of what f becomes */
    const hs_names *names = &data->feature_names;
    *out = NULL;
    HS_NEED(keep && number);
    if (data->dag)
        return hs_fail(error, HSEL_EUSAGE, "features can only be merged before a hierarchy is set");
    for (uint32_t f = 0; f < data->features; f++) {
        uint32_t stays = into[f];
        if (stays >= data->features || into[stays] != stays)
            return hs_fail(error, HSEL_EUSAGE,
                           "feature %s is merged into a feature that is removed",
                           hs_names_get(names, f));
        if (stays != f && (data->types[f] != HSEL_BINARY || data->types[stays] != HSEL_BINARY))
            return hs_fail(error, HSEL_EUNSUPPORTED,
                           "feature %s cannot be merged into %s: both must be binary",
                           hs_names_get(names, f), hs_names_get(names, stays));
        keep[f] = stays == f;
    }
    HS_TRY(copy_frame(data, &features, &instances, NULL, &result, error));
    for (uint32_t f = 0; f < data->features; f++)
        number[f] = features.number[into[f]];
    HS_TRY(rewrite_rows(data, number, result, error));
    *out = hs_take(&result);
    return HSEL_OK;
}

int hs_dataset_name_terms(hsel_dataset *data, const hs_graph *graph, hsel_error *error)
{
    HS_OWNS(hs_about_clear) hs_about terms = {0};
    if (!graph->titles.count && !graph->namespace_of)
        return HSEL_OK;
    HS_OWNED uint32_t *term_of = HS_NEW(uint32_t, data->features);
    HS_NEED(term_of);
    HS_TRY(hs_graph_terms_of(graph, &data->feature_names, term_of, error));
    HS_TRY(hs_about_terms(graph, term_of, data->features, &terms, error));
    return hs_about_join(&data->about, &terms, data->features, error);
}

int hs_dataset_attach(hsel_dataset *data, hsel_dag *dag, hsel_error *error)
{
    if (dag && dag->nodes != data->features)
        return hs_fail(error, HSEL_EUSAGE,
                       "the hierarchy has %u nodes but the data set %u features", dag->nodes,
                       data->features);
    for (uint32_t f = 0; f < data->features && dag && data->covariates; f++)
        if (hs_is_covariate(data, f) && !(hs_is_root(dag, f) && hs_is_leaf(dag, f)))
            return hs_fail(error, HSEL_EUSAGE,
                           "%.200s is a covariate, but covariates must be outside the hierarchy",
                           hs_names_get(&data->feature_names, f));
    if (data->dag != dag)
        hs_dag_free(data->dag);
    data->dag = dag;
    data->keeps_rule = false;
    return HSEL_OK;
}

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

/* ---- the true-path rule ----
 * Checked edge by edge: if every edge holds, so does every path. Only positive values are visited.
 * A parent that is not a binary feature cannot be positive and breaks nothing. */

int hs_truepath_check(const hsel_dataset *data, hs_truepath *out, hsel_error *error)
{
    *out = (hs_truepath){.instance = HSEL_NONE, .child = HSEL_NONE, .parent = HSEL_NONE};
    if (!data->dag || data->keeps_rule)
        return HSEL_OK;
    const hsel_dag *dag = data->dag;
    size_t edge_words = hs_bit_words(dag->edges), count;
    /* Features of the current instance, empty between instances; edges, by their place in the
     * parent lists. */
    HS_OWNED uint64_t *positive = HS_NEW_ZERO(uint64_t, hs_bit_words(data->features));
    HS_OWNED uint64_t *broken = HS_NEW_ZERO(uint64_t, edge_words);
    HS_NEED(positive && broken);
    for (uint32_t instance = 0; instance < data->instances; instance++) {
        uint64_t before = out->cells;
        const uint32_t *row = hs_row(data, instance, &count);
        for (size_t i = 0; i < count; i++)
            hs_bit_set(positive, row[i]);
        for (size_t i = 0; i < count; i++) {
            uint32_t end = dag->parent_start[row[i] + 1];
            for (uint32_t place = dag->parent_start[row[i]]; place < end; place++) {
                uint32_t parent = dag->parent[place];
                if (hs_bit_get(positive, parent) || data->types[parent] != HSEL_BINARY)
                    continue;
                if (out->instance == HSEL_NONE) {
                    out->instance = instance;
                    out->child = row[i];
                    out->parent = parent;
                }
                out->cells++;
                hs_bit_set(broken, place);
            }
        }
        for (size_t i = 0; i < count; i++)
            positive[row[i] / 64] = 0;
        out->instances += out->cells > before;
    }
    out->edges = hs_bits_count(broken, edge_words);
    ((hsel_dataset *)(uintptr_t)data)->keeps_rule = out->cells == 0; /* it is not checked again */
    return HSEL_OK;
}

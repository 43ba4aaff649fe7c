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

/* keep NULL: everything is. */
static bool is_kept(const bool *keep, uint32_t f) { return !keep || keep[f]; }

/* A new data set of the features with keep[f] (NULL: all) and of all instances or none, without
 * positive values and hierarchy. */
static int copy_frame(const hsel_dataset *data, const bool *keep, uint32_t instances,
                      hsel_dataset **out, hsel_error *error)
{
    uint32_t of_type[3] = {0}, next = 0;
    HS_OWNS(hs_dataset_release) hsel_dataset *copy = HS_NEW_ZERO(hsel_dataset, 1);
    *out = NULL;
    HS_NEED(copy);
    copy->instances = instances;
    copy->positive_class = data->positive_class;
    copy->positive_named = data->positive_named;
    copy->recipe = hs_recipe_share(data->recipe);
    copy->learned = data->learned;
    HS_NEED(text_copied(&copy->name, data->name) &&
            text_copied(&copy->class_attribute, data->class_attribute) &&
            text_copied(&copy->id_attribute, data->id_attribute) &&
            text_copied(&copy->provenance, data->provenance) &&
            copied(&copy->class_of, data->class_of, instances, sizeof *data->class_of) &&
            copied(&copy->target, data->target, instances, sizeof *data->target));
    HS_TRY(hs_names_copy(&data->class_names, &copy->class_names, error));
    if (instances) {
        HS_TRY(hs_names_copy(&data->ids, &copy->ids, error));
        HS_TRY(hs_about_copy(&data->instance_about, &copy->instance_about, error));
    }
    HS_TRY(hs_names_subset(&data->feature_names, keep, &copy->feature_names, error));
    HS_TRY(hs_about_subset(&data->about, keep, data->features, &copy->about, error));
    for (uint32_t f = 0; f < data->features; f++)
        of_type[data->types[f]] += is_kept(keep, f);
    copy->features = of_type[HSEL_BINARY] + of_type[HSEL_NUMERIC] + of_type[HSEL_NOMINAL];
    copy->types = HS_NEW_ZERO(uint8_t, copy->features);
    if (copy->features > of_type[HSEL_BINARY])
        HS_NEED(copy->slot = HS_NEW_ZERO(uint32_t, copy->features));
    copy->numeric = HS_NEW_ZERO(hs_numeric_column, of_type[HSEL_NUMERIC]);
    copy->nominal = HS_NEW_ZERO(hs_nominal_column, of_type[HSEL_NOMINAL]);
    if (data->covariates)
        HS_NEED(copy->covariates = HS_NEW_ZERO(uint64_t, hs_bit_words(copy->features)));
    HS_NEED(copy->types && copy->numeric && copy->nominal);
    for (uint32_t f = 0; f < data->features; f++) {
        if (!is_kept(keep, f))
            continue;
        copy->types[next] = data->types[f];
        if (hs_is_covariate(data, f))
            hs_bit_set(copy->covariates, next);
        if (data->types[f] == HSEL_NUMERIC) {
            const hs_numeric_column *old = &data->numeric[data->slot[f]];
            hs_numeric_column *new = &copy->numeric[copy->slot[next] = copy->numeric_count++];
            new->count = instances ? old->count : 0;
            HS_NEED(copied(&new->values, old->values, new->count, sizeof *old->values) &&
                    copied(&new->rows, old->rows, new->count, sizeof *old->rows));
        } else if (data->types[f] == HSEL_NOMINAL) {
            const hs_nominal_column *old = &data->nominal[data->slot[f]];
            hs_nominal_column *new = &copy->nominal[copy->slot[next] = copy->nominal_count++];
            HS_NEED(copied(&new->codes, old->codes, instances, sizeof *old->codes));
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

/* ---- subset ------------------------------------------------------------------------------- */

int hs_dataset_subset(const hsel_dataset *data, const bool *keep, hsel_dataset **out,
                      hsel_error *error)
{
    HS_OWNS(hs_dataset_release) hsel_dataset *result = NULL;
    *out = NULL;
    HS_TRY(copy_frame(data, keep, data->instances, &result, error));
    hs_sparse *to = &result->columns;
    size_t total = 0, count;
    for (uint32_t f = 0; f < data->features; f++)
        total += is_kept(keep, f) ? data->columns.start[f + 1] - data->columns.start[f] : 0;
    HS_TRY(hs_sparse_init(to, result->features, total, error));
    for (uint32_t f = 0, next = 0; f < data->features; f++) {
        if (!is_kept(keep, f))
            continue;
        const uint32_t *list = hs_column(data, f, &count);
        if (count)
            memcpy(to->index + to->start[next], list, count * sizeof *list);
        to->start[next + 1] = to->start[next] + count;
        next++;
    }
    HS_TRY(hs_sparse_transpose(to, result->instances, &result->rows, error));
    if (data->dag)
        HS_TRY(keep ? hs_dag_subset(data->dag, keep, &result->dag, error)
                    : hs_dag_copy(data->dag, &result->dag, error));
    *out = hs_take(&result);
    return HSEL_OK;
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
    HS_OWNED uint32_t *number =
        HS_NEW(uint32_t, data->instances); /* the new one, HSEL_NONE: gone */
    uint32_t kept = 0;
    size_t total = 0, count;
    *out = NULL;
    HS_NEED(number);
    for (uint32_t i = 0; i < data->instances; i++) {
        number[i] = keep[i] ? kept++ : HSEL_NONE;
        total += keep[i] ? data->rows.start[i + 1] - data->rows.start[i] : 0;
    }
    HS_TRY(copy_frame(data, NULL, data->instances, &result, error));
    result->instances = kept;
    result->keeps_rule = (bool)data->keeps_rule;
    if (hs_recipe_learns(data->recipe)) {
        hs_recipe_drop(hs_take(&result->recipe));
        HS_TRY(hs_recipe_of_instances(data->recipe, keep, &result->recipe, error));
    }
    hs_names_clear(&result->ids);
    if (data->ids.count)
        HS_TRY(hs_names_subset(&data->ids, keep, &result->ids, error));
    hs_about_clear(&result->instance_about);
    HS_TRY(hs_about_subset(&data->instance_about, keep, data->instances, &result->instance_about,
                           error));
    for (uint32_t i = 0; data->class_of && i < data->instances; i++)
        if (keep[i])
            result->class_of[number[i]] = data->class_of[i];
    for (uint32_t i = 0; data->target && i < data->instances; i++)
        if (keep[i])
            result->target[number[i]] = data->target[i];
    for (uint32_t c = 0; c < data->numeric_count; c++) {
        const hs_numeric_column *old = &data->numeric[c];
        hs_numeric_column *new = &result->numeric[c];
        new->count = 0;
        for (uint32_t k = 0; k < old->count; k++) {
            uint32_t row = number[old->rows ? old->rows[k] : k];
            if (row == HSEL_NONE)
                continue;
            if (old->rows)
                new->rows[new->count] = row;
            new->values[new->count++] = old->values[k];
        }
    }
    for (uint32_t c = 0; c < data->nominal_count; c++)
        for (uint32_t i = 0; i < data->instances; i++)
            if (keep[i])
                result->nominal[c].codes[number[i]] = data->nominal[c].codes[i];
    HS_TRY(hs_sparse_init(&result->rows, kept, total, error));
    for (uint32_t i = 0; i < data->instances; i++) {
        if (!keep[i])
            continue;
        hs_sparse *to = &result->rows;
        const uint32_t *row = hs_row(data, i, &count);
        if (count)
            memcpy(to->index + to->start[number[i]], row, count * sizeof *row);
        to->start[number[i] + 1] = to->start[number[i]] + count;
    }
    HS_TRY(hs_sparse_transpose(&result->rows, result->features, &result->columns, error));
    if (data->dag)
        HS_TRY(hs_dag_copy(data->dag, &result->dag, error));
    *out = hs_take(&result);
    return HSEL_OK;
}

int hs_dataset_shape(const hsel_dataset *data, hsel_dataset **out, hsel_error *error)
{
    HS_OWNS(hs_dataset_release) hsel_dataset *shape = NULL;
    HS_TRY(copy_frame(data, NULL, 0, &shape, error));
    HS_TRY(hs_sparse_init(&shape->rows, 0, 0, error));
    HS_TRY(hs_sparse_init(&shape->columns, shape->features, 0, error));
    HS_TRY(hs_attach_copy(shape, data->dag, error));
    *out = hs_take(&shape);
    return HSEL_OK;
}

int hs_dataset_add_features(const hsel_dataset *data, const hs_names *names, const uint8_t *types,
                            hsel_dataset **out, hsel_error *error)
{
    HS_OWNS(hs_dataset_release) hsel_dataset *result = NULL;
    uint32_t old = data->features, all = old + names->count, numeric = data->numeric_count,
             nominal = data->nominal_count, id;
    bool added;
    *out = NULL;
    HS_TRY(hs_dataset_subset(data, NULL, &result, error));
    HS_TRY(hs_dataset_attach(result, NULL, error));
    for (uint32_t i = 0; i < names->count; i++) {
        HS_TRY(hs_names_intern(&result->feature_names, HS_NAME(names, i), &id, &added, error));
        if (!added)
            return hs_fail(error, HSEL_EFORMAT, "there is a feature %.200s already",
                           hs_names_get(names, i));
        numeric += types[i] == HSEL_NUMERIC;
        nominal += types[i] == HSEL_NOMINAL;
        for (uint32_t c = 0; c < data->about.columns.count; c++)
            HS_TRY(hs_names_append(&result->about.cells, "", 0, error));
    }
    void *grown;
#define GROW(array, count)                                                                         \
    HS_NEED(grown = hs_realloc(array, count, sizeof *(array)));                                    \
    array = grown
    GROW(result->types, all);
    memcpy(result->types + old, types, names->count);
    GROW(result->columns.start, (size_t)all + 1);
    for (uint32_t f = old; f < all; f++)
        result->columns.start[f + 1] = result->columns.start[old];
    result->columns.lists = all;
    if (result->covariates) {
        GROW(result->covariates, hs_bit_words(all));
        for (size_t w = hs_bit_words(old); w < hs_bit_words(all); w++)
            result->covariates[w] = 0;
    }
    if (numeric + nominal) {
        GROW(result->slot, all);
        memset(result->slot + (data->slot ? old : 0), 0,
               (all - (data->slot ? old : 0)) * sizeof *result->slot);
    }
    GROW(result->numeric, numeric);
    GROW(result->nominal, nominal);
#undef GROW
    for (uint32_t f = old; f < all; f++)
        if (result->types[f] == HSEL_NUMERIC) {
            hs_numeric_column *c = &result->numeric[result->slot[f] = result->numeric_count++];
            *c = (hs_numeric_column){HS_NEW(double, 0), HS_NEW(uint32_t, 0), 0};
            HS_NEED(c->values && c->rows);
        } else if (result->types[f] == HSEL_NOMINAL) {
            hs_nominal_column *c = &result->nominal[result->slot[f] = result->nominal_count++];
            *c = (hs_nominal_column){.codes = HS_NEW(uint32_t, data->instances)};
            HS_NEED(c->codes);
            memset(c->codes, 0xff, data->instances * sizeof *c->codes); /* HS_MISSING_CODE */
        }
    result->features = all;
    *out = hs_take(&result);
    return HSEL_OK;
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

static void push(uint64_t *seen, uint32_t *queue, size_t *count, uint32_t f)
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
            push(seen, queue, &count, number ? number[row[j]] : row[j]);
        for (size_t j = 0; data->dag && j < count; j++) {
            const uint32_t *parent = hs_parents(data->dag, queue[j], &length);
            for (size_t k = 0; k < length; k++)
                push(seen, queue, &count, parent[k]);
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
    *added = 0;
    *out = NULL;
    HS_TRY(copy_frame(data, NULL, data->instances, &result, error));
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
    HS_OWNED uint32_t *number = HS_NEW(uint32_t, data->features); /* new, of what f becomes */
    const hs_names *names = &data->feature_names;
    uint32_t next = 0;
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
        number[f] = keep[f] ? next++ : 0;
    }
    for (uint32_t f = 0; f < data->features; f++)
        number[f] = number[into[f]];
    HS_TRY(copy_frame(data, keep, data->instances, &result, error));
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

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Storage, use and output of decision trees, and the division of lists of instances to grow them.
 * Nothing here is recursive.
 */
#include "classify/tree.h"

#include "stats/metrics.h"

/* Bytes of bit columns beyond which rows are searched instead. */
#define MOST_BIT_BYTES ((size_t)256 << 20)

void hs_tree_clear(hs_tree *tree)
{
    HS_FREE(tree->node, tree->weight, tree->share, tree->place);
    *tree = (hs_tree){0};
}

/* Adds leaves. */
static int add_leaves(hs_tree *tree, uint32_t count, hsel_error *error)
{
    size_t nodes = (size_t)tree->nodes + count, cells = nodes * tree->classes;
    if (nodes >= HSEL_NONE)
        return hs_fail(error, HSEL_ELIMIT, "the tree has too many nodes");
    HS_NEED(HS_GROW(&tree->node, &tree->node_capacity, nodes) &&
            HS_GROW(&tree->weight, &tree->weight_capacity, nodes) &&
            HS_GROW(&tree->share, &tree->share_capacity, cells));
    for (size_t i = tree->nodes; i < nodes; i++) {
        tree->node[i] = (hs_tree_node){.feature = HSEL_NONE};
        tree->weight[i] = 0;
        for (uint32_t c = 0; c < tree->classes; c++)
            tree->share[i * tree->classes + c] = 0;
    }
    tree->nodes = (uint32_t)nodes;
    return HSEL_OK;
}

/* The class that has the whole share; HSEL_NONE: none has. */
static uint32_t only_class(const double *share, uint32_t classes)
{
    uint32_t label = 0;
    while (label < classes && share[label] == 0)
        label++;
    bool only = label < classes && share[label] == 1;
    for (uint32_t c = label + 1; only && c < classes; c++)
        only = share[c] == 0;
    return only ? label : HSEL_NONE;
}

/* Puts the shares of a finished tree together: first those of one class, one row for each, then the
 * others. Not worth it for two classes. */
static int gather_shares(hs_tree *tree, hsel_error *error)
{
    const uint32_t classes = tree->classes;
    const size_t row = classes * sizeof(double);
    if (classes <= 2)
        return HSEL_OK;
    HS_OWNED uint32_t *place = HS_NEW(uint32_t, tree->nodes);
    HS_NEED(place);
    uint32_t rows = classes;
    for (uint32_t i = 0; i < tree->nodes; i++) {
        const uint32_t label = only_class(hs_tree_share(tree, i), classes);
        place[i] = label != HSEL_NONE ? label : rows++;
    }
    HS_OWNED double *gathered = HS_NEW_ZERO(double, (size_t)rows *classes);
    HS_NEED(gathered);
    for (uint32_t c = 0; c < classes; c++)
        gathered[(size_t)c * classes + c] = 1;
    for (uint32_t i = 0; i < tree->nodes; i++)
        if (place[i] >= classes)
            memcpy(gathered + (size_t)place[i] * classes, hs_tree_share(tree, i), row);
    hs_free(tree->share);
    tree->share = hs_take(&gathered);
    tree->place = hs_take(&place);
    return HSEL_OK;
}

int hs_tree_finish(const hs_tree *tree, hs_tree *out, hsel_error *error)
{
    const uint32_t classes = out->classes = tree->classes;
    out->numeric = tree->numeric;
    uint32_t count = 1, next = 1;
    HS_OWNED uint32_t *old = HS_NEW_ZERO(uint32_t, tree->nodes);
    HS_NEED(old);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < tree->node[old[i]].branches; j++)
            old[count++] = tree->node[old[i]].child + j;
    HS_TRY(add_leaves(out, count, error));
    for (uint32_t c = 0; tree->weight[0] <= 0 && c < classes; c++)
        out->share[c] = tree->numeric ? 0 : 1.0 / classes; /* nothing was learned */
    for (uint32_t i = 0; i < count; i++) {
        const double *by_class = hs_tree_share(tree, old[i]), weight = tree->weight[old[i]];
        double *share = hs_tree_share(out, i);
        out->node[i] = tree->node[old[i]];
        out->node[i].child = next;
        out->weight[i] = weight;
        for (uint32_t c = 0; weight > 0 && c < classes; c++)
            share[c] = by_class[c] / weight;
        for (uint32_t end = next + out->node[i].branches; next < end; next++)
            memcpy(hs_tree_share(out, next), share, classes * sizeof *share); /* of empty leaves */
    }
    return gather_shares(out, error);
}

/* ---- predicting ---- */

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

uint32_t hs_tree_branch(const hs_tree_node *node, const hs_tree_case *x)
{
    uint32_t instance = node->feature == x->other_feature ? x->other : x->instance;
    if (node->kind == HSEL_BINARY) {
        if (x->columns)
            return hs_bit_get(hs_bit_column(x->columns, node->feature), instance);
        size_t count;
        const uint32_t *row = hs_row(x->data, instance, &count);
        return count && bsearch(&node->feature, row, count, sizeof *row, ascending);
    }
    if (x->data->types[node->feature] != node->kind)
        return HSEL_NONE;
    if (node->kind == HSEL_NUMERIC) {
        double value = hs_dataset_value(x->data, node->feature, instance);
        return isnan(value) ? HSEL_NONE : value > node->threshold;
    }
    uint32_t code = x->data->nominal[x->data->slot[node->feature]].codes[instance];
    return code < node->branches ? code : HSEL_NONE;
}

void hs_tree_predict(const hs_tree *tree, const hs_tree_case *x, bool laplace,
                     hs_tree_pending *pending, double *sum)
{
    size_t count = 1;
    pending[0] = (hs_tree_pending){.weight = 1};
    while (count > 0) {
        hs_tree_pending at = pending[--count];
        const hs_tree_node *node = tree->node + at.node;
        uint32_t branch = 0;
        while (node->branches && (branch = hs_tree_branch(node, x)) != HSEL_NONE) {
            at.parent = at.node;
            at.node = node->child + branch;
            node = tree->node + at.node;
        }
        if (node->branches == 0) {
            uint32_t leaf = tree->weight[at.node] > 0 ? at.node : at.parent;
            const double *share = hs_tree_share(tree, leaf), weight = tree->weight[leaf];
            for (uint32_t c = 0; c < tree->classes; c++)
                sum[c] += at.weight *
                          (laplace ? (share[c] * weight + 1) / (weight + tree->classes) : share[c]);
            continue;
        }
        /* The value is missing: all children that training instances came to, in their shares. */
        double total = 0;
        for (uint32_t j = 0; j < node->branches; j++)
            total += tree->weight[node->child + j];
        for (uint32_t j = node->branches; j-- > 0;) {
            double weight = tree->weight[node->child + j];
            if (weight > 0)
                pending[count++] =
                    (hs_tree_pending){node->child + j, at.node, {at.weight * weight / total}};
        }
    }
}

void hs_tree_predict_many(const hs_tree *tree, const hsel_dataset *data, const uint32_t *instances,
                          uint64_t which, const uint64_t *positive, hs_tree_pending *pending,
                          double *sum)
{
    const size_t classes = tree->classes;
    hs_tree_case x = {.data = data, .other_feature = HSEL_NONE};
    size_t count = 0;
    uint64_t alone = 0; /* those with a missing value on their way */
    uint32_t at = 0, branch[64];
    while (which) {
        const hs_tree_node *node = tree->node + at;
        if (node->branches == 0) {
            const uint32_t row = tree->place ? tree->place[at] : at;
            const double *share = tree->share + row * classes;
            for (; which; which &= which - 1) {
                double *to = sum + (size_t)__builtin_ctzll(which) * classes;
                if (tree->place && row < classes) /* of this class alone */
                    to[row]++;
                else
                    for (size_t c = 0; c < classes; c++)
                        to[c] += share[c];
            }
        } else if (node->kind == HSEL_BINARY) {
            const uint64_t with = which & positive[node->feature];
            if (with)
                pending[count++] = (hs_tree_pending){.node = node->child + 1, .which = with};
            which ^= with;
            at = node->child;
        } else {
            for (uint64_t left = which; left; left &= left - 1) {
                x.instance = instances[__builtin_ctzll(left)];
                branch[__builtin_ctzll(left)] = hs_tree_branch(node, &x);
            }
            while (which) { /* a branch after the other, those of its instances together */
                const uint32_t to = branch[__builtin_ctzll(which)];
                uint64_t same = 0;
                for (uint64_t left = which; left; left &= left - 1)
                    same |= branch[__builtin_ctzll(left)] == to ? left & -left : 0;
                which ^= same;
                if (to == HSEL_NONE)
                    alone |= same;
                else
                    pending[count++] = (hs_tree_pending){.node = node->child + to, .which = same};
            }
        }
        if (which == 0 && count > 0) {
            at = pending[--count].node;
            which = pending[count].which;
        }
    }
    for (; alone; alone &= alone - 1) {
        x.instance = instances[__builtin_ctzll(alone)];
        hs_tree_predict(tree, &x, false, pending, sum + (size_t)__builtin_ctzll(alone) * classes);
    }
}

/* ---- model files: number of nodes; of each feature, kind, branches, threshold, weight, shares
 * ---- */

static bool is_sound(const hs_tree *tree, uint32_t i, uint32_t features)
{
    const hs_tree_node *node = tree->node + i;
    const double *share = hs_tree_share(tree, i);
    double sum = 0;
    for (uint32_t c = 0; c < tree->classes; c++)
        sum += share[c];
    if (tree->numeric ? !isfinite(sum) : !(fabs(sum - 1) < 1e-6))
        return false;
    if (node->branches == 0)
        return node->feature == HSEL_NONE && node->kind == 0;
    return node->feature < features && node->kind <= HSEL_NOMINAL && node->branches >= 2 &&
           (node->kind == HSEL_NOMINAL || node->branches == 2) && isfinite(node->threshold);
}

int hs_tree_fields(hs_tree *tree, uint32_t features, hs_transfer *file, hsel_error *error)
{
    const size_t each = 3 * sizeof(uint32_t) + (2 + (size_t)tree->classes) * sizeof(double);
    uint32_t nodes = tree->nodes;
    uint64_t next = 1; /* the first child of the next node that has any */
    HS_FIELDS(file, HS_VALUE(nodes, 1, UINT32_MAX));
    if (hs_reads(file)) {
        if (nodes > file->left / each)
            return HSEL_EFORMAT;
        HS_TRY(add_leaves(tree, nodes, error));
    }
    for (uint32_t i = 0; i < nodes; i++) {
        hs_tree_node *node = tree->node + i;
        HS_FIELDS(file, HS_VALUE(node->feature, HS_ANY), HS_VALUE(node->kind, HS_ANY),
                  HS_VALUE(node->branches, HS_ANY), HS_VALUE(node->threshold, HS_ANY),
                  HS_VALUE(tree->weight[i], 0, DBL_MAX),
                  HS_VALUES(*hs_tree_share(tree, i), tree->classes, tree->numeric ? -DBL_MAX : 0,
                            tree->numeric ? DBL_MAX : 1 + 1e-9));
        if (!hs_reads(file))
            continue;
        node->child = (uint32_t)next;
        if (next <= i || !is_sound(tree, i, features) || (next += node->branches) > nodes)
            return HSEL_EFORMAT;
    }
    /* A node may be reached through a missing value, and then something must come out. */
    for (uint32_t i = 0; hs_reads(file) && i < nodes; i++) {
        double total = 0;
        for (uint32_t j = 0; j < tree->node[i].branches; j++)
            total += tree->weight[tree->node[i].child + j];
        if (!hs_tree_is_leaf(tree, i) && !(isfinite(total) && total > 0 && tree->weight[i] > 0))
            return HSEL_EFORMAT;
    }
    if (!hs_reads(file))
        return HSEL_OK;
    return next == nodes ? gather_shares(tree, error) : HSEL_EFORMAT;
}

/* ---- pictures: text indented as WEKA's J48 prints it, a drawing for Graphviz, JSON ---- */

static const char *feature_name(const hsel_dataset *shape, const hs_tree_node *node)
{
    return hs_names_get(&shape->feature_names, node->feature);
}

/* The class with the largest share, the lowest of equal ones. */
static uint32_t majority(const hs_tree *tree, uint32_t node)
{
    return hs_predicted_class(hs_tree_share(tree, node), tree->classes);
}

static uint32_t count_leaves(const hs_tree *tree)
{
    uint32_t leaves = 0;
    for (uint32_t i = 0; i < tree->nodes; i++)
        leaves += hs_tree_is_leaf(tree, i);
    return leaves;
}

/* Two decimals, without the zeros at the end. */
static void put_weight(hs_writer *out, double weight)
{
    char text[400];
    int length = hs_print(text, sizeof text, "%.2f", weight);
    while (length > 0 && text[length - 1] == '0')
        length--;
    if (length > 0 && text[length - 1] == '.')
        length--;
    hs_writer_put(out, text, (size_t)length);
}

/* A value of a nominal feature: by its name, if the shape knows it. */
static const char *value_name(const hsel_dataset *shape, const hs_tree_node *node, uint32_t branch)
{
    return node->kind == HSEL_NOMINAL ? hs_value_name(shape, node->feature, branch) : NULL;
}

/* " = 1", " <= 0.5", " > 0.5", " = red" */
static void put_test(hs_writer *out, const hsel_dataset *shape, const hs_tree_node *node,
                     uint32_t branch)
{
    const char *name = value_name(shape, node, branch);
    char number[40];
    hs_format_double(node->threshold, number);
    if (node->kind == HSEL_NUMERIC)
        hs_writer_printf(out, " %s %s", branch ? ">" : "<=", number);
    else if (name)
        hs_writer_printf(out, " = %s", name);
    else
        hs_writer_printf(out, " = %u", branch);
}

/* ": class (weight/of it wrong)" */
static void put_leaf(hs_writer *out, const hsel_dataset *shape, const hs_tree *tree, uint32_t node)
{
    if (tree->numeric) { /* the mean */
        hs_writer_printf(out, ": %.6g (", *hs_tree_share(tree, node));
        put_weight(out, tree->weight[node]);
        hs_writer_char(out, ')');
        return;
    }
    uint32_t label = majority(tree, node);
    double wrong = tree->weight[node] * (1 - hs_tree_share(tree, node)[label]);
    hs_writer_printf(out, ": %s (", hs_names_get(&shape->class_names, label));
    put_weight(out, tree->weight[node]);
    if (wrong > 1e-6) {
        hs_writer_char(out, '/');
        put_weight(out, wrong);
    }
    hs_writer_char(out, ')');
}

/* One line per branch; the way from the root is on the stack, with the next branch to show. */
static int show_text(const hs_tree *tree, const hsel_dataset *shape, hs_writer *out,
                     hsel_error *error)
{
    struct step {
        uint32_t node, branch;
    };
    HS_OWNED struct step *stack = HS_NEW_ZERO(struct step, tree->nodes);
    char name[HS_LABEL_ROOM];
    HS_NEED(stack);
    if (hs_tree_is_leaf(tree, 0)) {
        put_leaf(out, shape, tree, 0);
        hs_writer_char(out, '\n');
    }
    for (size_t depth = 1; depth > 0;) {
        struct step *top = stack + depth - 1;
        const hs_tree_node *node = tree->node + top->node;
        if (top->branch == node->branches) {
            depth--;
            continue;
        }
        uint32_t branch = top->branch++, child = node->child + branch;
        for (size_t i = 1; i < depth; i++)
            hs_writer_text(out, "|   ");
        hs_writer_text(out, feature_name(shape, node));
        hs_writer_text(out, hs_label_after(&shape->about, node->feature, name));
        put_test(out, shape, node, branch);
        if (hs_tree_is_leaf(tree, child))
            put_leaf(out, shape, tree, child);
        hs_writer_char(out, '\n');
        stack[depth++] = (struct step){child, 0}; /* a leaf has no branches and goes at once */
    }
    hs_writer_printf(out, "\nleaves: %u, nodes: %u\n", count_leaves(tree), tree->nodes);
    return HSEL_OK;
}

/* The nodes with the numbers of their children instead of nested ones, since a tree may be deeper
 * than readers of JSON allow. */
static void show_json(const hs_tree *tree, const hsel_dataset *shape, hs_writer *out)
{
    static const char *const kinds[] = {"binary", "numeric", "nominal"};
    hs_json json = {.out = out};
    hs_json_put(&json, "{leaves:%u nodes:[", count_leaves(tree));
    for (uint32_t i = 0; i < tree->nodes; i++) {
        const hs_tree_node *node = tree->node + i;
        const double *share = hs_tree_share(tree, i);
        hs_json_put(&json, "{");
        if (node->branches) {
            hs_json_put(&json, "feature:%s", feature_name(shape, node));
            hs_label_json(&json, &shape->about, node->feature);
            hs_json_put(&json, "kind:%s", kinds[node->kind]);
            if (node->kind == HSEL_NUMERIC)
                hs_json_put(&json, "threshold:%g", node->threshold);
            hs_json_put(&json, "children:[");
            for (uint32_t j = 0; j < node->branches; j++)
                hs_json_put(&json, "%u", node->child + j);
            hs_json_put(&json, "]");
            if (value_name(shape, node, 0)) {
                hs_json_put(&json, "values:[");
                for (uint32_t j = 0; j < node->branches; j++)
                    hs_json_put(&json, "%s", value_name(shape, node, j));
                hs_json_put(&json, "]");
            }
        }
        if (tree->numeric) {
            hs_json_put(&json, "mean:%g weight:%g}", *share, tree->weight[i]);
            continue;
        }
        hs_json_put(&json, "class:%s weight:%g shares:[",
                    hs_names_get(&shape->class_names, majority(tree, i)), tree->weight[i]);
        for (uint32_t c = 0; c < tree->classes; c++)
            hs_json_put(&json, "%g", share[c]);
        hs_json_put(&json, "]}");
    }
    hs_json_put(&json, "]}");
    hs_writer_char(out, '\n');
}

int hs_tree_describe(const void *tree, const hsel_dataset *shape, hs_describe_form form,
                     hs_writer *out, hsel_error *error)
{
    if (form == HS_DESCRIBE_TEXT)
        return show_text(tree, shape, out, error);
    show_json(tree, shape, out);
    return HSEL_OK;
}

/* ---- growing: the training part ---- */

static int by_value(const void *a, const void *b)
{
    const hs_tree_value *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

void hs_tree_data_clear(hs_tree_data *data)
{
    for (uint32_t i = 0; data->numeric && i < data->data->numeric_count; i++) {
        HS_FREE(data->numeric[i].own, data->numeric[i].sorted);
    }
    hs_free(data->row);
    hs_arena_clear(&data->arena);
    hs_bit_columns_clear(&data->bits);
    *data = (hs_tree_data){0};
}

double hs_tree_xlog_any(double x) { return x < HS_TREE_SMALL ? 0 : x * log(x) / log(2); }

int hs_tree_data_init(hs_tree_data *out, const hs_training *training, hsel_error *error)
{
    const hs_view *view = &training->view;
    const hsel_dataset *data = view->data;
    out->data = data;
    out->progress = training->progress;
    out->classes = data->target ? 1 : data->class_names.count;
    out->most_branches = 2;
    hs_arena *arena = &out->arena;
    HS_NEED(HS_LISTS(arena, out, HS_PART(out, feature, data->features),
                     HS_PART(out, numeric, data->numeric_count)));
    HS_TRY(hs_training_rows(training, true, &out->row, &out->rows, error));
    for (uint32_t f = 0; f < data->features; f++) {
        if (!hs_view_has(view, f))
            continue;
        out->feature[out->features++] = f;
        if (data->types[f] == HSEL_NOMINAL) {
            const hs_nominal_column *column = hs_tree_nominal(out, f);
            if (column->values.count > out->most_branches)
                out->most_branches = column->values.count;
            for (uint32_t i = 0; i < out->rows && !out->has_missing; i++)
                out->has_missing = column->codes[out->row[i]] == HS_MISSING_CODE;
        } else if (data->types[f] == HSEL_NUMERIC) {
            hs_tree_column *column = out->numeric + data->slot[f];
            if (data->numeric[data->slot[f]].rows)
                HS_NEED(column->own = HS_NEW(double, data->instances));
            HS_NEED(column->sorted = HS_NEW(hs_tree_value, out->rows));
            column->value = hs_dataset_numeric(data, f, column->own);
            for (uint32_t i = 0; i < out->rows; i++)
                if (!isnan(column->value[out->row[i]]))
                    column->sorted[column->known++] =
                        (hs_tree_value){column->value[out->row[i]], out->row[i]};
            qsort(column->sorted, column->known, sizeof *column->sorted, by_value);
            out->has_missing = out->has_missing || column->known < out->rows;
        }
    }
    out->total = out->rows;
    if (hs_training_weighs(training)) {
        HS_NEED(out->weight = HS_ARENA_NEW(arena, double, data->instances));
        out->total = 0;
        for (uint32_t i = 0; i < out->rows; i++)
            out->total += out->weight[out->row[i]] = hs_training_weight(training, out->row[i]);
    }
    if (data->target) {
        double sum = 0, squares = 0;
        HS_NEED(out->target = HS_ARENA_NEW(arena, double, data->instances));
        for (uint32_t i = 0; i < out->rows; i++)
            sum += hs_tree_weight(out, out->row[i]) * data->target[out->row[i]];
        out->mean = out->rows ? sum / out->total : 0;
        for (uint32_t i = 0; i < out->rows; i++)
            squares +=
                hs_tree_weight(out, out->row[i]) * pow(data->target[out->row[i]] - out->mean, 2);
        out->sd = squares > 0 ? sqrt(squares / out->total) : 1;
        for (uint32_t i = 0; i < out->rows; i++)
            out->target[out->row[i]] = (data->target[out->row[i]] - out->mean) / out->sd;
    }
    HS_NEED(out->logs = HS_ARENA_NEW(arena, double, (size_t)out->rows + 1));
    for (uint32_t i = 0; i <= out->rows; i++)
        out->logs[i] = hs_tree_xlog_any(i);
    if ((size_t)data->features * (data->instances / 8 + 64) > MOST_BIT_BYTES)
        return HSEL_OK;
    return hs_bit_columns_new(data, NULL, data->instances, &out->bits, error);
}

/* ---- growing: lists ---- */

void hs_tree_grower_clear(hs_tree_grower *g)
{
    hs_tree_clear(&g->tree);
    HS_FREE(g->row, g->weight, g->part);
    hs_arena_clear(&g->arena);
    *g = (hs_tree_grower){0};
}

int hs_tree_grower_init(hs_tree_grower *g, const hs_tree_data *data, hsel_error *error)
{
    const size_t rows = data->rows, branches = data->most_branches;
    g->data = data;
    g->tree.classes = data->classes;
    g->tree.numeric = data->target != NULL;
    HS_NEED(HS_LISTS(&g->arena, g, HS_PART(g, share, branches), HS_PART(g, child, branches),
                     HS_PART(g, size, branches), HS_PART(g, known, data->classes),
                     HS_PART(g, bag, branches * data->classes), HS_PART(g, branch, rows),
                     HS_PART(g, next_row, rows), HS_PART(g, next_weight, rows),
                     HS_PART(g, value, data->data->numeric_count ? rows : 0),
                     HS_PART(g, in_node, data->data->instances)));
    return hs_tree_reserve(g, rows + 1, error);
}

int hs_tree_reserve(hs_tree_grower *g, size_t more, hsel_error *error)
{
    HS_NEED(HS_GROW(&g->row, &g->row_capacity, g->used + more) &&
            HS_GROW(&g->weight, &g->weight_capacity, g->used + more));
    return HSEL_OK;
}

double hs_tree_tally(const hs_tree_grower *g, hs_tree_part part, double *count)
{
    double sum = 0;
    for (uint32_t c = 0; c < g->data->classes; c++)
        count[c] = 0;
    for (size_t i = part.begin; i < part.begin + part.count; i++) {
        count[hs_tree_label(g->data, g->row[i])] +=
            hs_tree_counts(g->data, g->row[i], g->weight[i]);
        sum += g->data->target ? g->weight[i] : 0;
    }
    for (uint32_t c = 0; c < g->data->classes && !g->data->target; c++)
        sum += count[c];
    return sum;
}

/* Instances whose value is missing go down every branch in use, with its share of the known weight;
 * equal shares when nothing is known. */
static int divide_apart(hs_tree_grower *g, uint32_t branches, hs_tree_part part, size_t missing,
                        hsel_error *error)
{
    double known = 0;
    size_t total = 0;
    for (uint32_t j = 0; j < branches; j++)
        g->share[j] = 0;
    for (size_t i = 0; i < part.count; i++)
        if (g->branch[i] != HSEL_NONE) {
            g->share[g->branch[i]] += g->weight[part.begin + i];
            known += g->weight[part.begin + i];
        }
    for (uint32_t j = 0; j < branches; j++) {
        g->share[j] = known > HS_TREE_SMALL ? g->share[j] / known : 1.0 / branches;
        g->child[j].begin = g->used + total;
        total += g->child[j].count + (g->share[j] > HS_TREE_SMALL ? missing : 0);
        g->child[j].count = 0;
    }
    HS_TRY(hs_tree_reserve(g, total, error));
    for (size_t i = 0; i < part.count; i++) {
        uint32_t row = g->row[part.begin + i], from = g->branch[i], to = from + 1;
        double weight = g->weight[part.begin + i];
        bool is_missing = from == HSEL_NONE;
        for (uint32_t j = is_missing ? 0 : from; j < (is_missing ? branches : to); j++) {
            hs_tree_part *child = g->child + j;
            if (is_missing && g->share[j] <= HS_TREE_SMALL)
                continue;
            g->row[child->begin + child->count] = row;
            g->weight[child->begin + child->count++] = is_missing ? weight * g->share[j] : weight;
        }
    }
    g->used += total;
    return HSEL_OK;
}

int hs_tree_divide(hs_tree_grower *g, const hs_tree_node *node, hs_tree_part part,
                   hsel_error *error)
{
    uint32_t *row = g->row + part.begin;
    double *weight = g->weight + part.begin;
    size_t missing = 0;
    for (uint32_t j = 0; j < node->branches; j++)
        g->child[j] = (hs_tree_part){0};
    if (node->kind == HSEL_BINARY && g->data->bits.words) { /* most of the work of growing */
        const uint64_t *set = hs_bit_column(&g->data->bits, node->feature);
        uint32_t positive = 0;
        for (size_t i = 0; i < part.count; i++)
            positive += g->branch[i] = hs_bit_get(set, row[i]);
        g->child[0].count = part.count - positive;
        g->child[1].count = positive;
    } else {
        hs_tree_case x = hs_tree_training_case(g->data);
        for (size_t i = 0; i < part.count; i++) {
            x.instance = row[i];
            uint32_t branch = g->branch[i] = hs_tree_branch(node, &x);
            if (branch == HSEL_NONE)
                missing++;
            else
                g->child[branch].count++;
        }
    }
    if (missing)
        return divide_apart(g, node->branches, part, missing, error);
    /* The children take the place of the list, each in the order it had. */
    size_t at = part.begin;
    for (uint32_t j = 0; j < node->branches; j++) {
        g->child[j].begin = at;
        at += g->child[j].count;
        g->child[j].count = 0;
    }
    memcpy(g->next_row, row, part.count * sizeof *row);
    memcpy(g->next_weight, weight, part.count * sizeof *weight);
    for (size_t i = 0; i < part.count; i++) {
        hs_tree_part *child = g->child + g->branch[i];
        size_t to = child->begin + child->count++;
        g->row[to] = g->next_row[i];
        g->weight[to] = g->next_weight[i];
    }
    return HSEL_OK;
}

int hs_tree_grow(hs_tree_grower *g, uint32_t min, uint32_t depth, hs_tree_choice *choose,
                 void *context, hsel_error *error)
{
    hs_tree *tree = &g->tree;
    uint32_t level = 0, level_end = 1; /* nodes come level by level */
    tree->nodes = 0;
    HS_TRY(add_leaves(tree, 1, error));
    HS_NEED(HS_GROW(&g->part, &g->part_capacity, 1));
    g->part[0] = (hs_tree_part){0, g->used};
    for (uint32_t i = 0; i < tree->nodes; i++) {
        const hs_tree_part part = g->part[i];
        double *count = hs_tree_share(tree, i), total = hs_tree_tally(g, part, count), most = 0;
        tree->weight[i] = total;
        if (i == level_end) {
            level++;
            level_end = tree->nodes;
        }
        for (uint32_t c = 0; c < tree->classes && !tree->numeric; c++)
            most = count[c] > most ? count[c] : most;
        for (size_t k = part.begin; tree->numeric && most == 0 && k < part.begin + part.count; k++)
            most = g->data->target[g->row[k]] != g->data->target[g->row[part.begin]];
        if (tree->numeric) /* pure if all numbers are the same */
            most = most > 0 ? -INFINITY : total;
        if ((depth && level >= depth) || total < 2.0 * min - HS_TREE_SMALL ||
            total - most <= HS_TREE_SMALL)
            continue;
        HS_TRY(hs_progress_ask(g->data->progress, error));
        for (size_t k = part.begin; k < part.begin + part.count; k++)
            g->in_node[g->row[k]] = g->weight[k];
        hs_tree_node test = choose(context, part, count, total);
        for (size_t k = part.begin; k < part.begin + part.count; k++)
            g->in_node[g->row[k]] = 0;
        if (test.branches == 0)
            continue;
        test.child = tree->nodes;
        tree->node[i] = test;
        HS_TRY(add_leaves(tree, test.branches, error));
        HS_NEED(HS_GROW(&g->part, &g->part_capacity, tree->nodes));
        HS_TRY(hs_tree_divide(g, &test, part, error));
        memcpy(g->part + test.child, g->child, test.branches * sizeof *g->part);
    }
    return HSEL_OK;
}

/* ---- growing: splits ---- */

double hs_tree_impurity(const hs_tree_data *data, hs_impurity by, const double *count, double total)
{
    double sum = 0;
    if (by == HS_VARIANCE)
        return total > 0 ? -count[0] * count[0] / total : 0;
    for (uint32_t c = 0; c < data->classes; c++)
        sum += by == HS_GINI ? count[c] * count[c] : hs_tree_xlog(data, count[c]);
    if (by == HS_INFORMATION)
        return hs_tree_xlog(data, total) - sum;
    return total > 0 ? total - sum / total : 0;
}

double hs_tree_count_nominal(const hs_tree_grower *g, hs_tree_part part, uint32_t feature)
{
    const hs_nominal_column *column = hs_tree_nominal(g->data, feature);
    const size_t values = column->values.count, classes = g->data->classes;
    double sum = 0;
    memset(g->bag, 0, values * classes * sizeof *g->bag);
    memset(g->size, 0, values * sizeof *g->size);
    memset(g->known, 0, classes * sizeof *g->known);
    for (size_t i = part.begin; i < part.begin + part.count; i++) {
        uint32_t row = g->row[i], code = column->codes[row], label = hs_tree_label(g->data, row);
        if (code == HS_MISSING_CODE)
            continue;
        double counts = hs_tree_counts(g->data, row, g->weight[i]);
        g->bag[code * classes + label] += counts;
        g->size[code] += g->weight[i];
        g->known[label] += counts;
        sum += g->weight[i];
    }
    return sum;
}

void hs_tree_all_above(const hs_tree_grower *g, uint32_t count)
{
    memset(g->bag, 0, 2 * (size_t)g->data->classes * sizeof *g->bag);
    g->size[0] = g->size[1] = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = g->value[i].row;
        g->bag[g->data->classes + hs_tree_label(g->data, row)] +=
            hs_tree_counts(g->data, row, g->in_node[row]);
        g->size[1] += g->in_node[row];
    }
}

uint32_t hs_tree_sort(hs_tree_grower *g, hs_tree_part part, uint32_t feature)
{
    const hs_tree_column *column = g->data->numeric + g->data->data->slot[feature];
    uint32_t count = 0;
    if ((double)part.count * (2 + log2((double)part.count + 1)) < column->known) {
        for (size_t i = part.begin; i < part.begin + part.count; i++) {
            double value = column->value[g->row[i]];
            if (!isnan(value))
                g->value[count++] = (hs_tree_value){value, g->row[i]};
        }
        qsort(g->value, count, sizeof *g->value, by_value);
        return count;
    }
    for (uint32_t i = 0; i < column->known; i++)
        if (g->in_node[column->sorted[i].row] > 0)
            g->value[count++] = column->sorted[i];
    return count;
}

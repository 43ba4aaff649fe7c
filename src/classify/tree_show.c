/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures of a tree: text indented as WEKA's J48 prints it, a drawing for Graphviz, JSON. JSON
 * lists the nodes with the numbers of their children instead of nesting them, since a tree may be
 * deeper than readers of JSON allow.
 */
#include <stdio.h>

#include "classify/tree_model.h"
#include "core/json.h"
#include "core/mem.h"

static const char *feature_name(const hsel_dataset *shape, const hs_tree_node *node)
{
    return hs_names_get(&shape->feature_names, node->feature);
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
    if (node->kind != HSEL_NOMINAL || shape->types[node->feature] != HSEL_NOMINAL)
        return NULL;
    const hs_names *values = &shape->nominal[shape->slot[node->feature]].values;
    return branch < values->count ? hs_names_get(values, branch) : NULL;
}

/* " = 1", " <= 0.5", " > 0.5", " = red" */
static void put_test(hs_buf *out, const hsel_dataset *shape, const hs_tree_node *node,
                     uint32_t branch)
{
    const char *name = value_name(shape, node, branch);
    char number[40];
    if (node->kind == HSEL_NUMERIC) {
        hs_format_double(node->threshold, number);
        hs_buf_printf(out, " %s %s", branch ? ">" : "<=", number);
    } else if (name) {
        hs_buf_printf(out, " = %s", name);
    } else {
        hs_buf_printf(out, " = %u", branch);
    }
}

/* "class (weight/of it wrong)" */
static void put_leaf(hs_writer *out, const hsel_dataset *shape, const hs_tree *tree, uint32_t node)
{
    uint32_t label = hs_tree_majority(tree, node);
    double wrong = tree->weight[node] * (1 - hs_tree_share(tree, node)[label]);
    hs_writer_printf(out, "%s (", hs_names_get(&shape->class_names, label));
    put_weight(out, tree->weight[node]);
    if (wrong > 1e-6) {
        hs_writer_char(out, '/');
        put_weight(out, wrong);
    }
    hs_writer_char(out, ')');
}

struct step {
    uint32_t node, branch; /* the next branch to show */
};

/* One line a branch; the way from the root is on the stack. */
static int show_lines(const hs_tree *tree, const hsel_dataset *shape, struct step *stack,
                      hs_writer *out, hsel_error *error)
{
    size_t depth = 1;
    stack[0] = (struct step){0};
    while (depth > 0) {
        struct step *top = stack + depth - 1;
        const hs_tree_node *node = tree->node + top->node;
        if (top->branch == node->branches) {
            depth--;
            continue;
        }
        uint32_t branch = top->branch++, child = node->child + branch;
        hs_buf test = {0};
        put_test(&test, shape, node, branch);
        if (test.failed) {
            hs_buf_clear(&test);
            return hs_fail_memory(error);
        }
        for (size_t i = 1; i < depth; i++)
            hs_writer_text(out, "|   ");
        hs_writer_text(out, feature_name(shape, node));
        hs_writer_text(out, test.text);
        hs_buf_clear(&test);
        if (hs_tree_is_leaf(tree, child)) {
            hs_writer_text(out, ": ");
            put_leaf(out, shape, tree, child);
        }
        hs_writer_char(out, '\n');
        stack[depth++] = (struct step){child, 0}; /* a leaf has no branches and goes at once */
    }
    return HSEL_OK;
}

static int show_text(const hs_tree *tree, const hsel_dataset *shape, hs_writer *out,
                     hsel_error *error)
{
    struct step *stack = HS_NEW(struct step, tree->nodes);
    int status = stack ? HSEL_OK : hs_fail_memory(error);
    if (status == HSEL_OK && hs_tree_is_leaf(tree, 0)) {
        hs_writer_text(out, ": ");
        put_leaf(out, shape, tree, 0);
        hs_writer_char(out, '\n');
    } else if (status == HSEL_OK) {
        status = show_lines(tree, shape, stack, out, error);
    }
    hs_free(stack);
    if (status == HSEL_OK)
        hs_writer_printf(out, "\nleaves: %u, nodes: %u\n", hs_tree_leaves(tree), tree->nodes);
    return status;
}

/* ---- Graphviz ---- */

static void put_quoted(hs_writer *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            hs_writer_char(out, '\\');
        hs_writer_char(out, (unsigned char)*text < ' ' ? ' ' : *text);
    }
}

static int show_dot(const hs_tree *tree, const hsel_dataset *shape, hs_writer *out,
                    hsel_error *error)
{
    hs_buf test = {0};
    hs_writer_text(out, "digraph tree {\n    node [shape=box, fontname=\"sans-serif\"];\n"
                        "    edge [fontname=\"sans-serif\"];\n");
    for (uint32_t i = 0; i < tree->nodes && !test.failed; i++) {
        const hs_tree_node *node = tree->node + i;
        uint32_t label = hs_tree_majority(tree, i);
        hs_writer_printf(out, "    n%u [label=\"", i);
        put_quoted(out, node->branches ? feature_name(shape, node)
                                       : hs_names_get(&shape->class_names, label));
        if (node->branches == 0) {
            hs_writer_text(out, "\\n");
            put_weight(out, tree->weight[i]);
            hs_writer_text(out, " (");
            put_weight(out, 100 * hs_tree_share(tree, i)[label]);
            hs_writer_text(out, " %)\", style=rounded");
        } else {
            hs_writer_char(out, '"');
        }
        hs_writer_text(out, "];\n");
        for (uint32_t j = 0; j < node->branches; j++) {
            test.length = 0;
            put_test(&test, shape, node, j);
            hs_writer_printf(out, "    n%u -> n%u [label=\"", i, node->child + j);
            put_quoted(out, test.failed ? "" : test.text + 1);
            hs_writer_text(out, "\"];\n");
        }
    }
    hs_writer_text(out, "}\n");
    bool failed = test.failed;
    hs_buf_clear(&test);
    return failed ? hs_fail_memory(error) : HSEL_OK;
}

/* ---- JSON ---- */

static void json_test(hs_json *json, const hsel_dataset *shape, const hs_tree_node *node)
{
    static const char *const kinds[] = {"binary", "numeric", "nominal"};
    hs_json_key(json, "feature");
    hs_json_text(json, feature_name(shape, node));
    hs_json_key(json, "kind");
    hs_json_text(json, kinds[node->kind]);
    if (node->kind == HSEL_NUMERIC) {
        hs_json_key(json, "threshold");
        hs_json_double(json, node->threshold);
    }
    hs_json_key(json, "children");
    hs_json_array(json);
    for (uint32_t j = 0; j < node->branches; j++)
        hs_json_u64(json, node->child + j);
    hs_json_end_array(json);
    if (!value_name(shape, node, 0))
        return;
    hs_json_key(json, "values");
    hs_json_array(json);
    for (uint32_t j = 0; j < node->branches; j++)
        hs_json_text(json, value_name(shape, node, j));
    hs_json_end_array(json);
}

static void show_json(const hs_tree *tree, const hsel_dataset *shape, hs_writer *out)
{
    hs_json json = {.out = out};
    hs_json_object(&json);
    hs_json_key(&json, "leaves");
    hs_json_u64(&json, hs_tree_leaves(tree));
    hs_json_key(&json, "nodes");
    hs_json_array(&json);
    for (uint32_t i = 0; i < tree->nodes; i++) {
        hs_json_object(&json);
        if (!hs_tree_is_leaf(tree, i))
            json_test(&json, shape, tree->node + i);
        hs_json_key(&json, "class");
        hs_json_text(&json, hs_names_get(&shape->class_names, hs_tree_majority(tree, i)));
        hs_json_key(&json, "weight");
        hs_json_double(&json, tree->weight[i]);
        hs_json_key(&json, "shares");
        hs_json_array(&json);
        for (uint32_t c = 0; c < tree->classes; c++)
            hs_json_double(&json, hs_tree_share(tree, i)[c]);
        hs_json_end_array(&json);
        hs_json_end_object(&json);
    }
    hs_json_end_array(&json);
    hs_json_end_object(&json);
    hs_writer_char(out, '\n');
}

int hs_tree_show(const hs_tree *tree, const hsel_dataset *shape, hs_describe_form form,
                 hs_writer *out, hsel_error *error)
{
    if (form == HS_DESCRIBE_TEXT)
        return show_text(tree, shape, out, error);
    if (form == HS_DESCRIBE_DOT)
        return show_dot(tree, shape, out, error);
    show_json(tree, shape, out);
    return HSEL_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Explanations as text (a table and an indented tree), as JSON, and as DOT for Graphviz.
 */
#include <math.h>
#include <string.h>

#include "report/explain_show.h"
#include "core/mem.h"
#include "core/json.h"
#include "report/text_table.h"

static const char *feature_name(const hs_explanation *e, uint32_t feature)
{
    return hsel_dataset_feature_name(e->data, feature);
}

static const char *class_name(const hs_explanation *e, uint32_t label)
{
    return hsel_dataset_class_name(e->model->shape, label);
}

/* The value of a feature as a text: in `space`, of 32 bytes at least, or the name of a nominal one.
 */
static const char *value_text(const hs_explanation *e, uint32_t feature, char *space)
{
    double value = hs_explanation_value(e, feature);
    const hsel_dataset *data = e->data;
    if (isnan(value))
        return "?";
    if (data->types[feature] == HSEL_NOMINAL)
        return hs_names_get(&data->nominal[data->slot[feature]].values, (uint32_t)value);
    hs_format_double(value, space);
    return space;
}

static const hs_reason *reason_of_node(const hs_explanation *e, uint32_t node)
{
    return e->reason_of[node] == HSEL_NONE ? NULL : &e->reasons[e->reason_of[node]];
}

/* ---- text ---- */

static int show_prediction(const hs_explanation *e, hs_writer *out, hsel_error *error)
{
    const char *id = hsel_dataset_id(e->data, e->instance);
    const char *label = class_name(e, hsel_dataset_class_of(e->data, e->instance));
    HS_OWNS(hs_buf_clear) hs_buf methods = {0};
    hs_chosen_format(&e->model->selector, &methods);
    hs_buf_text(&methods, ", ");
    hs_chosen_format(&e->model->classifier, &methods);
    HS_NEED(!methods.failed);
    hs_writer_printf(out, "instance   %u of %s", e->instance + 1, hsel_dataset_name(e->data));
    hs_writer_printf(out, "%s%s\n", id ? ", " : "", id ? id : "");
    if (label)
        hs_writer_printf(out, "class      %s\n", label);
    hs_writer_printf(out, "predicted  %s\n", class_name(e, e->predicted));
    for (uint32_t c = 0; c < e->model->shape->class_names.count; c++)
        hs_writer_printf(out, "  P(%s) = %.4f\n", class_name(e, c), e->probability[c]);
    hs_writer_printf(out, "methods    %s\nselected   %u of %u features\n", methods.text,
                     e->selected, e->data->features);
    if (isnan(e->prior) && e->selected)
        hs_writer_printf(
            out, "log-odds   none: %s has none of single features; these are sorted by %s\n",
            e->model->classifier.method->name, e->order);
    return HSEL_OK;
}

/* All features have a relevance, or none has; likewise what they say. */
static int show_reasons(const hs_explanation *e, hs_arena *arena, hs_writer *out, hsel_error *error)
{
    bool relevance = !isnan(e->reasons[0].relevance), contribution = !isnan(e->prior);
    hs_text_table table = {.arena = arena, .columns = 2 + (size_t)relevance + (size_t)contribution};
    hs_table_cell(&table, "feature");
    hs_table_cell(&table, "value");
    if (relevance)
        hs_table_cell(&table, hs_model_scores(e->model) ? "relevance" : "importance");
    if (contribution)
        hs_table_cell(&table, "log-odds for %s", class_name(e, e->predicted));
    for (size_t i = 0; contribution && i + 1 < table.columns; i++)
        hs_table_cell(&table, i ? "" : "(prior)");
    if (contribution)
        hs_table_cell(&table, "%+.3f", e->prior);
    for (uint32_t i = 0; i < e->count; i++) {
        const hs_reason *reason = &e->reasons[i];
        char space[32];
        hs_table_cell(&table, "%s", feature_name(e, reason->feature));
        hs_table_cell(&table, "%s", value_text(e, reason->feature, space));
        if (relevance)
            hs_table_cell(&table, "%.4f", reason->relevance);
        if (contribution)
            hs_table_cell(&table, "%+.3f", reason->contribution);
    }
    hs_writer_char(out, '\n');
    HS_TRY(hs_table_print(&table, 1, out, error));
    if (e->count < e->selected) {
        hs_writer_printf(out, "and %u more", e->selected - e->count);
        if (contribution)
            hs_writer_printf(out, ", %+.3f in all", e->rest);
        hs_writer_char(out, '\n');
    }
    return HSEL_OK;
}

static void tree_line(const hs_explanation *e, uint32_t node, uint32_t depth, bool again,
                      hs_writer *out)
{
    const hs_reason *reason = reason_of_node(e, node);
    char space[32];
    hs_writer_printf(out, "%*s%s%s = %s", (int)(2 * depth), "", reason ? "* " : "- ",
                     feature_name(e, e->nodes[node]), value_text(e, e->nodes[node], space));
    if (again)
        hs_writer_text(out, "  (see above)");
    else if (reason && !isnan(reason->contribution))
        hs_writer_printf(out, "  %+.3f", reason->contribution);
    hs_writer_char(out, '\n');
}

struct step {
    uint32_t node, depth;
};

/* Nodes from this one down that have one parent at most and one child. */
static uint32_t chain_length(const hsel_dag *dag, uint32_t node)
{
    uint32_t length = 0;
    size_t parents, children;
    for (const uint32_t *at = &node; hs_parents(dag, *at, &parents), parents <= 1; length++) {
        const uint32_t *child = hs_children(dag, *at, &children);
        if (children != 1)
            break;
        at = child;
    }
    return length;
}

/* Of a tree that is not to be shown whole: chains above this length are shown by their ends, and no
 * more lines than this. Indentation makes the text of a chain grow by the square of its length. */
enum { LONGEST_CHAIN = 10, ENDS = 3, MOST_LINES = 500 };

/* Depth first with a stack of our own: at most every edge and every root waits on it. */
static int show_tree(const hs_explanation *e, bool whole, hs_writer *out, hsel_error *error)
{
    const hsel_dag *dag = e->dag;
    HS_OWNED struct step *stack = HS_NEW(struct step, (size_t)dag->nodes + dag->edges);
    HS_OWNED bool *seen = HS_NEW_ZERO(bool, dag->nodes);
    size_t waiting = 0, lines = 0;
    uint32_t met = 0;
    HS_NEED(stack && seen);
    hs_writer_text(out, "\nhierarchy (* selected)\n");
    for (uint32_t v = dag->nodes; v-- > 0;)
        if (hs_is_root(dag, v))
            stack[waiting++] = (struct step){v, 0};
    while (waiting > 0 && (whole || lines < MOST_LINES)) {
        struct step at = stack[--waiting];
        size_t children;
        uint32_t chain = whole || seen[at.node] ? 0 : chain_length(dag, at.node), left_out = 0;
        for (uint32_t i = 0; chain > LONGEST_CHAIN && i + ENDS < chain; i++) {
            if (i < ENDS)
                tree_line(e, at.node, at.depth++, false, out);
            else
                left_out++;
            at.node = *hs_children(dag, at.node, &children);
            met++;
        }
        if (left_out)
            hs_writer_printf(out, "%*s… %u terms …\n", (int)(2 * at.depth++), "", left_out);
        lines += 1 + (left_out ? ENDS + 1 : 0);
        const uint32_t *child = hs_children(dag, at.node, &children);
        tree_line(e, at.node, at.depth, seen[at.node], out);
        met += !seen[at.node];
        for (size_t i = children; i-- > 0 && !seen[at.node];)
            stack[waiting++] = (struct step){child[i], at.depth + 1};
        seen[at.node] = true;
    }
    if (met < dag->nodes)
        hs_writer_printf(out, "and %u more terms\n", dag->nodes - met);
    return HSEL_OK;
}

int hs_explanation_text(const hs_explanation *explanation, bool whole, hs_arena *arena,
                        hs_writer *out, hsel_error *error)
{
    hs_writer_for_people(out);
    HS_TRY(show_prediction(explanation, out, error));
    if (explanation->count == 0)
        return HSEL_OK;
    HS_TRY(show_reasons(explanation, arena, out, error));
    return explanation->dag ? show_tree(explanation, whole, out, error) : HSEL_OK;
}

/* ---- JSON ---- */

static int json_method(hs_json *json, const char *key, const hs_chosen *chosen, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf text = {0};
    hs_chosen_format(chosen, &text);
    HS_NEED(!text.failed);
    HS_JSON(json, key, text.text);
    return HSEL_OK;
}

/* A feature and its value: 0 or 1, a number, a nominal value as text; null when it is missing. */
static void json_feature(hs_json *json, const hs_explanation *e, uint32_t feature)
{
    char space[32];
    double value = hs_explanation_value(e, feature);
    hs_json_object(json);
    HS_JSON(json, "feature", feature_name(e, feature));
    if (!isnan(value) && e->data->types[feature] == HSEL_NOMINAL)
        HS_JSON(json, "value", value_text(e, feature, space));
    else
        HS_JSON(json, "value", value);
}

int hs_explanation_json(const hs_explanation *e, hs_writer *out, hsel_error *error)
{
    hs_json json = {.out = out};
    const hsel_dataset *shape = e->model->shape;
    hs_json_object(&json);
    HS_JSON(&json, "dataset", hsel_dataset_name(e->data));
    HS_JSON(&json, "instance", (uint64_t)e->instance + 1);
    HS_JSON(&json, "id", hsel_dataset_id(e->data, e->instance));
    HS_TRY(json_method(&json, "selector", &e->model->selector, error));
    HS_TRY(json_method(&json, "classifier", &e->model->classifier, error));
    HS_JSON(&json, "class", class_name(e, hsel_dataset_class_of(e->data, e->instance)));
    HS_JSON(&json, "predicted", class_name(e, e->predicted));
    HS_JSON(&json, "positive_class",
            shape->class_names.count == 2 ? class_name(e, shape->positive_class) : NULL);
    HS_JSON_OBJECT(&json, "probabilities");
    for (uint32_t c = 0; c < shape->class_names.count; c++)
        HS_JSON(&json, class_name(e, c), e->probability[c]);
    hs_json_end_object(&json);
    HS_JSON(&json, "selected", e->selected);
    HS_JSON(&json, "sorted_by", e->order);
    HS_JSON(&json, "prior", e->prior);
    HS_JSON(&json, "rest", isnan(e->prior) ? (double)NAN : e->rest);
    HS_JSON_ARRAY(&json, "features");
    for (uint32_t i = 0; i < e->count; i++) {
        json_feature(&json, e, e->reasons[i].feature);
        HS_JSON(&json, "relevance", e->reasons[i].relevance);
        HS_JSON(&json, "log_odds", e->reasons[i].contribution);
        hs_json_end_object(&json);
    }
    hs_json_end_array(&json);
    if (e->dag)
        HS_JSON_ARRAY(&json, "hierarchy");
    else
        HS_JSON(&json, "hierarchy", (const char *)NULL);
    for (uint32_t i = 0; e->dag && i < e->dag->nodes; i++) {
        uint32_t v = e->dag->order[i];
        size_t parents;
        const uint32_t *parent = hs_parents(e->dag, v, &parents);
        json_feature(&json, e, e->nodes[v]);
        HS_JSON(&json, "selected", (bool)(reason_of_node(e, v) != NULL));
        HS_JSON_ARRAY(&json, "parents");
        for (size_t j = 0; j < parents; j++)
            hs_json_text(&json, feature_name(e, e->nodes[parent[j]]));
        hs_json_end_array(&json);
        hs_json_end_object(&json);
    }
    if (e->dag)
        hs_json_end_array(&json);
    hs_json_end_object(&json);
    return HSEL_OK;
}

/* ---- DOT ---- */

static void dot_text(hs_writer *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            hs_writer_char(out, '\\');
        hs_writer_char(out, (unsigned char)*text < ' ' ? ' ' : *text);
    }
}

/* Selected: coloured by what it says (blue for the prediction, orange against it, the stronger the
 * deeper), else grey. */
static const char *dot_fill(const hs_reason *reason)
{
    static const char *const shades[2][3] = {{"#deebf7", "#9ecae1", "#4292c6"},
                                             {"#feedde", "#fdbe85", "#fd8d3c"}};
    if (!reason)
        return "#f7f7f7";
    if (isnan(reason->contribution))
        return "#d9f0d3";
    double strength = fabs(reason->contribution);
    return shades[reason->contribution < 0][strength < 0.25 ? 0 : strength < 1 ? 1 : 2];
}

static void dot_node(const hs_explanation *e, uint32_t node, hs_writer *out)
{
    const hs_reason *reason = reason_of_node(e, node);
    char space[32];
    hs_writer_printf(out, "  n%u [label=\"", node);
    dot_text(out, feature_name(e, e->nodes[node]));
    hs_writer_text(out, " = ");
    dot_text(out, value_text(e, e->nodes[node], space));
    if (reason && !isnan(reason->contribution))
        hs_writer_printf(out, "\\n%+.3f", reason->contribution);
    hs_writer_printf(out, "\", fillcolor=\"%s\", style=\"filled%s\"%s];\n", dot_fill(reason),
                     hs_explanation_value(e, e->nodes[node]) != 0 ? "" : ",dashed",
                     reason ? ", penwidth=2" : ", color=\"#969696\", fontcolor=\"#636363\"");
}

void hs_explanation_dot(const hs_explanation *explanation, hs_writer *out)
{
    const hs_explanation *e = explanation;
    const char *id = hsel_dataset_id(e->data, e->instance);
    hs_writer_text(out, "digraph explanation {\n  labelloc=t;\n  label=\"");
    if (id)
        dot_text(out, id);
    else
        hs_writer_printf(out, "instance %u", e->instance + 1);
    hs_writer_text(out, ": ");
    dot_text(out, class_name(e, e->predicted));
    hs_writer_printf(out, " (P = %.3f)\\n%s, grey is not selected; dashed: negative\";\n",
                     e->probability[e->predicted],
                     e->selected && isnan(e->reasons[0].contribution)
                         ? "green is selected"
                         : "blue speaks for it, orange against it");
    hs_writer_text(
        out, "  fontname=\"Helvetica\";\n  node [shape=box, fontname=\"Helvetica\", fontsize=10];\n"
             "  edge [dir=back, arrowsize=0.6, color=\"#636363\"];\n");
    for (uint32_t v = 0; e->dag && v < e->dag->nodes; v++)
        dot_node(e, v, out);
    for (uint32_t v = 0; e->dag && v < e->dag->nodes; v++) {
        size_t parents;
        const uint32_t *parent = hs_parents(e->dag, v, &parents);
        for (size_t j = 0; j < parents; j++)
            hs_writer_printf(out, "  n%u -> n%u;\n", parent[j],
                             v); /* roots on top, the arrow at their end: IS-A */
    }
    hs_writer_text(out, "}\n");
}

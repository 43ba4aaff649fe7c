/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Explanations as text (a table and an indented tree), as JSON, and as DOT for Graphviz.
 */

#include "report/explanation.h"
#include "report/document.h"
#include "core/json.h"

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

static void tree_line(const hs_explanation *e, uint32_t node, uint32_t depth, bool again,
                      hs_writer *out)
{
    const hs_reason *reason = reason_of_node(e, node);
    char space[32], label[HS_LABEL_ROOM];
    hs_writer_printf(out, "%*s%s%s%s = %s", (int)(2 * depth), "", reason ? "* " : "- ",
                     feature_name(e, e->nodes[node]),
                     hs_label_after(&e->data->about, e->nodes[node], label),
                     value_text(e, e->nodes[node], space));
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

int hs_explanation_text(const hs_explanation *explanation, bool whole, hs_writer *out,
                        hsel_error *error)
{
    const hs_explanation *e = explanation;
    const char *id = hsel_dataset_id(e->data, e->instance);
    const char *class = class_name(e, hsel_dataset_class_of(e->data, e->instance));
    char label[HS_LABEL_ROOM];
    HS_OWNS(hs_document_clear) hs_document doc = {0};
    HS_OWNS(hs_buf_clear) hs_buf methods = {0};
    hs_writer_for_people(out);
    hs_chosen_format(&e->model->selector, &methods);
    hs_buf_text(&methods, ", ");
    hs_chosen_format(&e->model->classifier, &methods);
    HS_NEED(!methods.failed);
    hs_writer_printf(out, "instance   %u of %s", e->instance + 1, hsel_dataset_name(e->data));
    hs_writer_printf(out, "%s%s%s\n", id ? ", " : "", id ? id : "",
                     hs_label_after(&e->data->instance_about, e->instance, label));
    if (class)
        hs_writer_printf(out, "class      %s\n", class);
    hs_writer_printf(out, "predicted  %s\n", class_name(e, e->predicted));
    for (uint32_t c = 0; c < e->model->shape->class_names.count; c++)
        hs_writer_printf(out, "  P(%s) = %.4f\n", class_name(e, c), e->probability[c]);
    hs_writer_printf(out, "methods    %s\nselected   %u of %u features\n", methods.text,
                     e->selected, e->data->features);
    if (isnan(e->prior) && e->selected)
        hs_writer_printf(
            out, "log-odds   none: %s has none of single features; these are sorted by %s\n",
            e->model->classifier.method->name, e->order);
    if (e->count == 0)
        return HSEL_OK;
    /* All features have a relevance, or none has; likewise what they say. */
    bool relevance = !isnan(e->reasons[0].relevance), contribution = !isnan(e->prior);
    size_t words = hs_has_labels(&e->data->about) ? 2 : 1;
    hs_doc_grid grid = {.doc = &doc,
                        .columns = words + 1 + (size_t)relevance + (size_t)contribution,
                        .left = words};
    HS_ROW(&grid, "feature");
    if (words == 2)
        HS_ROW(&grid, "label");
    HS_ROW(&grid, "value");
    if (relevance)
        HS_ROW(&grid, hs_model_scores(e->model) ? "relevance" : "importance");
    if (contribution) {
        hs_putf(&grid, "log-odds for %s", class_name(e, e->predicted));
        HS_ROW(&grid, "(prior)", "");
        if (words == 2)
            HS_ROW(&grid, "");
        if (relevance)
            HS_ROW(&grid, "");
        hs_putf(&grid, "%+.3f", e->prior);
    }
    for (uint32_t i = 0; i < e->count; i++) {
        const hs_reason *reason = &e->reasons[i];
        char space[32];
        HS_ROW(&grid, feature_name(e, reason->feature));
        if (words == 2)
            hs_putf(&grid, "%s",
                    *hs_label_after(&e->data->about, reason->feature, label) ? label + 1 : "");
        hs_putf(&grid, "%s", value_text(e, reason->feature, space));
        if (relevance)
            hs_putf(&grid, "%.4f", reason->relevance);
        if (contribution)
            hs_putf(&grid, "%+.3f", reason->contribution);
    }
    hs_writer_char(out, '\n');
    HS_TRY(hs_grid_print(&grid, out, error));
    if (e->count < e->selected) {
        hs_writer_printf(out, "and %u more", e->selected - e->count);
        if (contribution)
            hs_writer_printf(out, ", %+.3f in all", e->rest);
        hs_writer_char(out, '\n');
    }
    return e->dag ? show_tree(e, whole, out, error) : HSEL_OK;
}

/* ---- JSON ---- */

/* Opens an object with the name and the value of a feature. */
static void json_feature(hs_json *json, const hs_explanation *e, uint32_t feature)
{
    char space[32];
    double value = hs_explanation_value(e, feature);
    hs_json_put(json, "{feature:%s", feature_name(e, feature));
    hs_label_json(json, &e->data->about, feature);
    if (!isnan(value) && e->data->types[feature] == HSEL_NOMINAL)
        hs_json_put(json, "value:%s", value_text(e, feature, space));
    else
        hs_json_put(json, "value:%g", value);
}

/* Why the features that the instance has were kept or dropped. */
static int json_verdicts(hs_json *json, const hs_explanation *e, hsel_error *error)
{
    HS_OWNS(hs_model_scratch_clear) hs_model_scratch scratch = {0};
    HS_OWNED double *probability = HS_NEW(double, e->model->shape->class_names.count);
    size_t count;
    const uint32_t *row = hs_row(e->data, e->instance, &count);
    HS_NEED(probability);
    HS_TRY(hs_model_scratch_init(&scratch, e->model, error));
    HS_TRY(hs_model_predict(e->model, e->data, e->instance, 1, &scratch, probability, NULL, NULL,
                            error));
    hs_json_put(json, "why:[");
    for (size_t i = 0; i < count; i++) {
        hs_verdict verdict;
        hs_model_why(&scratch, e->data, e->instance, row[i], &verdict);
        hs_json_verdict(json, &verdict, e->data);
    }
    hs_json_put(json, "]");
    return HSEL_OK;
}

int hs_explanation_json(const hs_explanation *e, hs_writer *out, hsel_error *error)
{
    hs_json json = {.out = out};
    const hsel_dataset *shape = e->model->shape;
    HS_OWNS(hs_buf_clear) hs_buf selector = {0}, classifier = {0};
    hs_chosen_format(&e->model->selector, &selector);
    hs_chosen_format(&e->model->classifier, &classifier);
    HS_NEED(!selector.failed && !classifier.failed);
    hs_json_put(&json, "{dataset:%s instance:%u id:%s", hsel_dataset_name(e->data), e->instance + 1,
                hsel_dataset_id(e->data, e->instance));
    hs_label_json(&json, &e->data->instance_about, e->instance);
    hs_json_put(&json,
                "selector:%s classifier:%s class:%s predicted:%s positive_class:%s "
                "probabilities:{",
                selector.text, classifier.text,
                class_name(e, hsel_dataset_class_of(e->data, e->instance)),
                class_name(e, e->predicted),
                shape->class_names.count == 2 ? class_name(e, shape->positive_class) : NULL);
    for (uint32_t c = 0; c < shape->class_names.count; c++)
        hs_json_put(&json, "%s:%g", class_name(e, c), e->probability[c]);
    hs_json_put(&json, "} selected:%u sorted_by:%s prior:%g rest:%g features:[", e->selected,
                e->order, e->prior, isnan(e->prior) ? (double)NAN : e->rest);
    for (uint32_t i = 0; i < e->count; i++) {
        json_feature(&json, e, e->reasons[i].feature);
        hs_json_put(&json, "relevance:%g log_odds:%g}", e->reasons[i].relevance,
                    e->reasons[i].contribution);
    }
    hs_json_put(&json, "]");
    HS_TRY(json_verdicts(&json, e, error));
    if (!e->dag) {
        hs_json_put(&json, "hierarchy:null}");
        return HSEL_OK;
    }
    hs_json_put(&json, "hierarchy:[");
    for (uint32_t i = 0; i < e->dag->nodes; i++) {
        uint32_t v = e->dag->order[i];
        size_t parents;
        const uint32_t *parent = hs_parents(e->dag, v, &parents);
        json_feature(&json, e, e->nodes[v]);
        hs_json_put(&json, "selected:%d parents:[", reason_of_node(e, v) != NULL);
        for (size_t j = 0; j < parents; j++)
            hs_json_text(&json, feature_name(e, e->nodes[parent[j]]));
        hs_json_put(&json, "]}");
    }
    hs_json_put(&json, "]}");
    return HSEL_OK;
}

/* ---- DOT ---- */

void hs_explanation_dot(const hs_explanation *explanation, hs_writer *out)
{
    const hs_explanation *e = explanation;
    const char *id = hsel_dataset_id(e->data, e->instance);
    char number[32];
    hs_print(number, sizeof number, "instance %u", e->instance + 1);
    hs_writer_text(out, "digraph explanation {\n  labelloc=t;\n  label=\"");
    hs_put_dot_label(out, hs_about_label(&e->data->instance_about, e->instance));
    hs_put_escaped(out, hs_put_dot, "%s: %s", id ? id : number, class_name(e, e->predicted));
    hs_writer_printf(out, " (P = %.3f)\\n%s, grey is not selected; dashed: negative\";\n",
                     e->probability[e->predicted],
                     e->selected && isnan(e->reasons[0].contribution)
                         ? "green is selected"
                         : "blue speaks for it, orange against it");
    hs_writer_text(
        out, "  fontname=\"Helvetica\";\n  node [shape=box, fontname=\"Helvetica\", fontsize=10];\n"
             "  edge [dir=back, arrowsize=0.6, color=\"#636363\"];\n");
    for (uint32_t v = 0; e->dag && v < e->dag->nodes; v++) {
        static const char *const shades[2][3] = {{"#deebf7", "#9ecae1", "#4292c6"},
                                                 {"#feedde", "#fdbe85", "#fd8d3c"}};
        const hs_reason *reason = reason_of_node(e, v);
        double strength = reason ? fabs(reason->contribution) : (double)NAN;
        bool told = !isnan(strength);
        char space[32];
        hs_writer_printf(out, "  n%u [label=\"", v);
        hs_put_dot_label(out, hs_about_label(&e->data->about, e->nodes[v]));
        hs_put_escaped(out, hs_put_dot, "%s = %s", feature_name(e, e->nodes[v]),
                       value_text(e, e->nodes[v], space));
        if (told)
            hs_writer_printf(out, "\\n%+.3f", reason->contribution);
        /* Selected: coloured by what it says (blue for the prediction, orange against it, the
         * stronger the deeper), else grey. */
        hs_writer_printf(
            out, "\", fillcolor=\"%s\", style=\"filled%s\"%s];\n",
            told     ? shades[reason->contribution < 0][(strength >= 0.25) + (strength >= 1)]
            : reason ? "#d9f0d3"
                     : "#f7f7f7",
            hs_explanation_value(e, e->nodes[v]) != 0 ? "" : ",dashed",
            reason ? ", penwidth=2" : ", color=\"#969696\", fontcolor=\"#636363\"");
    }
    for (uint32_t v = 0; e->dag && v < e->dag->nodes; v++) {
        size_t parents;
        const uint32_t *parent = hs_parents(e->dag, v, &parents);
        for (size_t j = 0; j < parents; j++)
            hs_writer_printf(out, "  n%u -> n%u;\n", parent[j],
                             v); /* roots on top, the arrow at their end: IS-A */
    }
    hs_writer_text(out, "}\n");
}

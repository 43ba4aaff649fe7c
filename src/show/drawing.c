/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making drawings, and writing them.
 */
#include "show/drawing.h"

#include <xxhash.h>

#include "classify/tree.h"
#include "core/program.h"
#include "learn/describe.h"
#include "rank/rank.h"

void hs_drawing_clear(hs_drawing *drawing)
{
    hs_document_clear(&drawing->doc);
    HS_FREE(drawing->boxes, drawing->lines);
    *drawing = (hs_drawing){0};
}

static int add_box(hs_drawing *d, hs_box box, uint32_t *out, hsel_error *error)
{
    HS_NEED(HS_GROW(&d->boxes, &d->box_capacity, d->box_count + 1));
    *out = (uint32_t)d->box_count;
    d->boxes[d->box_count++] = box;
    return HSEL_OK;
}

/* A box for a feature, or (HSEL_NONE) for `hidden` nodes that are not drawn; without a value. */
static hs_box box_of(const hsel_dataset *data, uint32_t feature, uint32_t hidden)
{
    hs_box box = {.feature = feature, .hidden = hidden, .value = (double)NAN, .shade = (double)NAN};
    if (feature != HSEL_NONE) {
        box.name = hsel_dataset_feature_name(data, feature);
        box.label = hs_about_label(&data->about, feature);
    }
    return box;
}

static int add_line(hs_drawing *d, uint32_t from, uint32_t to, const char *text,
                    const char *relation, hsel_error *error)
{
    HS_NEED(HS_GROW(&d->lines, &d->line_capacity, d->line_count + 1));
    d->lines[d->line_count++] = (hs_line){from, to, text, relation};
    return HSEL_OK;
}

/* ---- a part of a hierarchy ---- */

/* The terms of interest with their ancestors, and which of these are drawn. */
struct part {
    hsel_dag *dag;
    uint32_t *feature; /* [nodes], ascending */
    uint32_t *box;     /* [nodes]: its number among those drawn; HSEL_NONE: hidden */
    uint32_t boxes;
    uint32_t *set, *stamp, round; /* of hidden_above */
};

static void part_clear(struct part *part)
{
    hs_dag_free(part->dag);
    HS_FREE(part->feature, part->box, part->set, part->stamp);
}

/* Collects in part->set, each once, the hidden terms above a node, up to the first drawn ones.
 * Returns their number. */
static uint32_t hidden_above(struct part *part, uint32_t node)
{
    uint32_t count = 0, at = 0;
    part->round++;
    for (;; node = part->set[at++]) {
        size_t parents;
        const uint32_t *parent = hs_parents(part->dag, node, &parents);
        for (size_t j = 0; j < parents; j++)
            if (part->box[parent[j]] == HSEL_NONE && part->stamp[parent[j]] != part->round) {
                part->stamp[parent[j]] = part->round;
                part->set[count++] = parent[j];
            }
        if (at == count)
            return count;
    }
}

/* Makes the part of the first `count` features. Unless `tight`, only chains of two or more terms
 * that are not chosen are hidden, each with one parent and one child. If `tight`, everything is
 * hidden but these features, the terms where they meet, and roots. */
static int part_make(struct part *part, const hs_drawn_features *request, uint32_t count,
                     bool tight, hsel_error *error)
{
    const hsel_dag *dag = request->data->dag;
    HS_OWNED bool *keep = HS_NEW_ZERO(bool, dag->nodes), *chain = HS_NEW_ZERO(bool, dag->nodes),
                  *wanted = HS_NEW_ZERO(bool, dag->nodes);
    uint32_t nodes = 0;
    size_t parents, children;
    HS_NEED(keep && chain && wanted);
    for (uint32_t i = 0; i < count; i++)
        keep[request->ranked[i]] = wanted[request->ranked[i]] = true;
    HS_TRY(hs_dag_above(dag, keep, request->lacks, &part->dag, error));
    dag = part->dag;
    part->feature = HS_NEW(uint32_t, dag->nodes);
    part->box = HS_NEW(uint32_t, dag->nodes);
    part->set = HS_NEW(uint32_t, dag->nodes);
    part->stamp = HS_NEW_ZERO(uint32_t, dag->nodes);
    HS_NEED(part->feature && part->box && part->set && part->stamp);
    for (uint32_t f = 0; f < request->data->features; f++)
        if (keep[f])
            part->feature[nodes++] = f;
    for (uint32_t v = 0; v < nodes; v++) { /* in a chain? */
        hs_parents(dag, v, &parents);
        hs_children(dag, v, &children);
        chain[v] = !wanted[part->feature[v]] && parents == 1 && children == 1;
    }
    if (tight) { /* also terms where features meet: no child has all features that are below the
                    term */
        size_t words = hs_bit_words(count);
        HS_OWNED uint64_t *below = HS_NEW_ZERO(uint64_t, words * nodes);
        HS_OWNED uint32_t *place = HS_NEW(uint32_t, request->data->features);
        HS_NEED(below && place);
        for (uint32_t v = 0; v < nodes; v++)
            place[part->feature[v]] = v;
        for (uint32_t i = 0; i < count; i++)
            hs_bit_set(below + place[request->ranked[i]] * words, i);
        for (uint32_t i = nodes; i-- > 0;) {
            uint32_t v = dag->order[i];
            const uint32_t *child = hs_children(dag, v, &children);
            for (size_t j = 0; j < children; j++)
                for (size_t w = 0; w < words; w++)
                    below[v * words + w] |= below[child[j] * words + w];
            bool meet = true;
            for (size_t j = 0; j < children && meet; j++)
                meet =
                    memcmp(below + v * words, below + child[j] * words, words * sizeof *below) != 0;
            wanted[part->feature[v]] |= meet;
        }
    }
    for (uint32_t v = 0; v < nodes; v++) {
        bool hide = tight ? !wanted[part->feature[v]] && !hs_is_root(dag, v)
                          : chain[v] && (chain[*hs_parents(dag, v, &parents)] ||
                                         chain[*hs_children(dag, v, &children)]);
        part->box[v] = hide ? HSEL_NONE : 0;
    }
    for (bool found = true; found;) { /* instead of a box for one hidden term, that term */
        found = false;
        for (uint32_t v = 0; v < nodes; v++)
            if (part->box[v] != HSEL_NONE && hidden_above(part, v) == 1) {
                part->box[part->set[0]] = 0;
                found = true;
            }
    }
    for (uint32_t v = 0; v < nodes; v++)
        if (part->box[v] != HSEL_NONE)
            part->box[v] = part->boxes++;
    return HSEL_OK;
}

/* Adds boxes and lines of the part. The hidden terms directly above a box become one box, which
 * boxes below the same hidden terms share. */
static int part_draw(hs_drawing *d, struct part *part, const hsel_dataset *data, hsel_error *error)
{
    const hsel_dag *dag = part->dag;
    HS_OWNS(hs_dag_release) hsel_dag *contracted = NULL, *drawn = NULL;
    HS_OWNED uint64_t *keys = NULL; /* of the boxes of hidden terms, which are the last ones */
    size_t key_capacity = 0, hidden_boxes = 0, parents, uppers;
    uint32_t number;
    HS_TRY(hs_dag_contract(dag, part->box, part->boxes, &contracted, error));
    HS_TRY(hs_dag_reduce(contracted, &drawn, error));
    for (uint32_t v = 0; v < dag->nodes; v++)
        if (part->box[v] != HSEL_NONE)
            HS_TRY(add_box(d, box_of(data, part->feature[v], 0), &number, error));
    for (uint32_t v = 0; v < dag->nodes; v++) {
        uint32_t box = part->box[v];
        if (box == HSEL_NONE)
            continue;
        uint32_t count = hidden_above(part, v);
        /* Parents in the drawing are directly above, or above the hidden terms, which have their
         * own box. */
        const uint32_t *upper = hs_parents(drawn, box, &uppers);
        uint64_t key = 0; /* whatever the order of the set */
        for (uint32_t i = 0; i < count; i++)
            key += XXH3_64bits(&part->set[i], sizeof *part->set);
        uint32_t between = HSEL_NONE;
        const uint32_t *parent = hs_parents(dag, v, &parents);
        const char *lowest = NULL; /* what the ways through hidden terms are: the last one's */
        for (size_t i = 0; i < uppers; i++) {
            bool right_above = false, known = false;
            const char *relation =
                drawn->relation
                    ? hs_say(&d->doc, "%s", hs_relation(drawn, drawn->parent_start[box] + i))
                    : NULL;
            for (size_t j = 0; j < parents; j++)
                right_above |= part->box[parent[j]] == upper[i];
            if (right_above) {
                HS_TRY(add_line(d, upper[i], box, NULL, relation, error));
                continue;
            }
            lowest = relation;
            for (size_t j = 0; j < hidden_boxes && between == HSEL_NONE; j++)
                if (keys[j] == key)
                    between = part->boxes + (uint32_t)j;
            if (between == HSEL_NONE) {
                HS_TRY(add_box(d, box_of(NULL, HSEL_NONE, count), &between, error));
                HS_NEED(HS_GROW(&keys, &key_capacity, hidden_boxes + 1));
                keys[hidden_boxes++] = key;
            }
            for (size_t j = 0; j < d->line_count && !known; j++)
                known = d->lines[j].from == upper[i] && d->lines[j].to == between;
            if (!known)
                HS_TRY(add_line(d, upper[i], between, NULL, relation, error));
        }
        if (between != HSEL_NONE)
            HS_TRY(add_line(d, between, box, NULL, lowest, error));
    }
    return HSEL_OK;
}

int hs_draw_features(hs_drawing *drawing, const hs_drawn_features *features, hsel_error *error)
{
    const hsel_dataset *data = features->data;
    uint32_t limit = features->limit, count = features->count;
    bool tight = false, done = false;
    if (!data->dag)
        return hs_fail(error, HSEL_EUSAGE, "%s has no hierarchy to draw: give {hierarchy=FILE}",
                       hsel_dataset_name(data));
    if (limit && count > limit) {
        count = limit;
        tight = true;
    }
    while (!done) {
        HS_OWNS(part_clear) struct part part = {0};
        drawing->box_count = drawing->line_count = 0;
        HS_TRY(part_make(&part, features, count, tight, error));
        HS_TRY(part_draw(drawing, &part, data, error));
        done = !limit || drawing->box_count <= limit || (tight && count <= 1);
        if (!done && tight) {
            uint32_t fewer = (uint32_t)((uint64_t)count * limit / drawing->box_count);
            count = fewer < count ? fewer ? fewer : 1 : count - 1;
        }
        tight = true;
    }
    drawing->is_a = true;
    drawing->drawn = count;
    drawing->of = features->count;
    return hs_document_check(&drawing->doc, error);
}

/* ---- explanations ---- */

/* reason NULL: the feature was not selected; most: the value of the deepest colour. */
static void fill_reason(const hs_explanation *e, const hs_reason *reason, double most,
                        hs_document *doc, hs_box *box)
{
    const hsel_dataset *data = e->data;
    uint32_t f = box->feature;
    double value = hs_explanation_value(e, f);
    const char *words = "";
    box->lacking = data->types[f] == HSEL_BINARY && value == 0;
    if (data->types[f] == HSEL_NOMINAL && !isnan(value))
        words = hs_say(doc, "= %s",
                       hs_names_get(&data->nominal[data->slot[f]].values, (uint32_t)value));
    else if (data->types[f] != HSEL_BINARY)
        words = data->types[f] == HSEL_NOMINAL ? "= ?" : hs_say(doc, "= %.5g", value);
    box->text = words;
    if (!reason)
        return;
    const char *gap = *words ? ", " : "";
    const bool numeric = hs_explains_number(e), told = !isnan(reason->contribution);
    box->chosen = true;
    box->value = told ? reason->contribution : reason->relevance;
    box->shade = isnan(box->value)   ? 0.3
                 : isinf(box->value) ? copysign(1, box->value)
                 : most > 0          ? box->value / most
                                     : 0;
    if (!isnan(box->value))
        box->text = hs_say(doc,
                           !told     ? "%s%s%.4f"
                           : numeric ? "%s%s%+.4g"
                                     : "%s%s%+.3f",
                           words, gap, box->value);
    if (told && reason->error > 0)
        box->text = hs_say(doc, numeric ? "%s ± %.3g" : "%s ± %.3f", box->text, reason->error);
}

int hs_draw_explanation(hs_drawing *drawing, const hs_explanation *e, uint32_t limit,
                        hsel_error *error)
{
    uint32_t features = e->data->features;
    hs_document *doc = &drawing->doc;
    HS_OWNED uint32_t *ranked = HS_NEW(uint32_t, e->count);
    HS_OWNED const hs_reason **reason_of = HS_NEW_ZERO(const hs_reason *, features);
    HS_OWNED bool *lacks = HS_NEW_ZERO(bool, features);
    double most = 0;
    HS_NEED(ranked && reason_of && lacks);
    for (uint32_t i = 0; i < e->selected; i++) {
        const hs_reason *reason = &e->reasons[i];
        double number = isnan(reason->contribution) ? reason->relevance : reason->contribution;
        reason_of[reason->feature] = reason;
        lacks[reason->feature] = reason->value == 0;
        most = fmax(most, fabs(number));
        if (i < e->count)
            ranked[i] = reason->feature;
    }
    const char *id = hsel_dataset_id(e->data, e->instance),
               *label = hs_about_label(&e->data->instance_about, e->instance);
    drawing->value_name = e->order;
    HS_TRY(hs_draw_features(
        drawing,
        &(hs_drawn_features){
            .data = e->data, .ranked = ranked, .count = e->count, .limit = limit, .lacks = lacks},
        error));
    for (hs_box *box = drawing->boxes; box < drawing->boxes + drawing->box_count; box++)
        if (box->feature != HSEL_NONE)
            fill_reason(e, reason_of[box->feature], most, doc, box);
    id = id ? id : hs_say(doc, "instance %u", e->instance + 1);
    id = hs_drawing_name(drawing, label ? hs_say(doc, "%s (%s)", label, id) : id);
    const char *told;
    if (hs_explains_number(e)) {
        const char *target = hs_drawing_name(drawing, hs_explained_target(e));
        drawing->title = hs_say(doc, "%s: %s predicted as %.6g", id, target, e->number);
        told = hs_say(doc, "numbers are effects on %s: blue raises it, orange lowers it", target);
    } else {
        const char *class =
            hs_drawing_name(drawing, hsel_dataset_class_name(e->model->shape, e->predicted));
        drawing->title = hs_say(doc, "%s: %s, P = %.3f", id, class, e->probability[e->predicted]);
        told = hs_say(
            doc, "numbers are log-odds for %s: blue is evidence for it, orange against it", class);
    }
    if (isnan(e->prior))
        told = hs_say(doc, "the deeper the blue, the higher the %s", e->order);
    drawing->legend = hs_say(doc, "%s; dashed: the instance lacks the term", told);
    return hs_document_check(doc, error);
}

/* ---- models ---- */

/* Nodes are numbered level by level, so the first ones are a tree. */
static int draw_tree(hs_drawing *d, const hs_tree *tree, const hsel_dataset *shape, uint32_t limit,
                     hsel_error *error)
{
    uint32_t shown = 1, number;
    HS_OWNED uint32_t *below = HS_NEW(uint32_t, tree->nodes); /* nodes of its part */
    HS_NEED(below);
    for (uint32_t i = tree->nodes; i-- > 0;) {
        const hs_tree_node *node = &tree->node[i];
        below[i] = 1;
        for (uint32_t j = 0; j < node->branches; j++)
            below[i] += below[node->child + j];
    }
    for (uint32_t i = 0; i < shown; i++) { /* with its children, as long as there is room */
        const hs_tree_node *node = &tree->node[i];
        if (node->branches && (!limit || node->child + node->branches <= limit))
            shown = node->child + node->branches;
        else if (node->branches)
            break;
    }
    for (uint32_t i = 0; i < shown; i++) {
        const hs_tree_node *node = &tree->node[i];
        const double *share = hs_tree_share(tree, i);
        uint32_t label = hs_predicted_class(share, tree->classes);
        hs_box box = box_of(shape, node->branches ? node->feature : HSEL_NONE, 0);
        box.value = tree->weight[i];
        box.chosen = true;
        box.leaf = !node->branches;
        if (tree->numeric && box.leaf) {
            box.name = hs_say(&d->doc, "%.6g", *share);
            box.text = hs_say(&d->doc, "%.6g", tree->weight[i]);
        } else if (box.leaf) {
            double sure =
                tree->classes > 1 ? (share[label] * tree->classes - 1) / (tree->classes - 1) : 1;
            box.name = hsel_dataset_class_name(shape, label);
            box.text = hs_say(&d->doc, "%.6g (%.1f %%)", tree->weight[i], 100 * share[label]);
            box.shade = tree->classes == 2 && label != shape->positive_class ? -sure : sure;
        }
        HS_TRY(add_box(d, box, &number, error));
    }
    for (uint32_t i = 0; i < shown; i++) {
        const hs_tree_node *node = &tree->node[i];
        if (node->branches && node->child >= shown) {
            HS_TRY(add_box(d, box_of(NULL, HSEL_NONE, below[i] - 1), &number, error));
            HS_TRY(add_line(d, i, number, NULL, NULL, error));
            continue;
        }
        for (uint32_t j = 0; j < node->branches; j++) {
            const char *test = j ? "yes" : "no";
            if (node->kind == HSEL_NUMERIC)
                test = hs_say(&d->doc, "%s %.6g", j ? ">" : "≤", node->threshold);
            else if (node->kind == HSEL_NOMINAL)
                test = hs_names_get(&shape->nominal[shape->slot[node->feature]].values, j);
            HS_TRY(add_line(d, i, node->child + j, test, NULL, error));
        }
    }
    d->value_name = "weight";
    d->drawn = shown;
    d->of = tree->nodes;
    d->legend = "instances, and the share of the class";
    if (tree->classes == 2)
        d->legend = hs_say(&d->doc, "blue: %s, orange: %s; %s", hs_drawing_class(d, shape, true),
                           hs_drawing_class(d, shape, false), d->legend);
    return hs_document_check(&d->doc, error);
}

struct numbers {
    const double *number; /* [features]; 0: none */
    double most;
    bool log_odds; /* or the importance of the feature for the classifier */
    const hsel_dataset *shape;
    const uint32_t *label; /* [features]: the class of the log-odds */
};

static void fill_number(const struct numbers *x, hs_document *doc, hs_box *box)
{
    double number = x->number[box->feature];
    if (!(fabs(number) > 0))
        return;
    box->chosen = true;
    box->value = number;
    box->shade = number / x->most;
    box->text = hs_say(doc, x->log_odds ? "%+.3f" : "%.4f", number);
    if (x->log_odds && x->shape->class_names.count > 2)
        box->text =
            hs_say(doc, "%s for %s", box->text,
                   hs_say_cut(doc, hsel_dataset_class_name(x->shape, x->label[box->feature]), 24));
}

/* The strongest edges of a network, between at most `limit` features. */
static int draw_network(hs_drawing *d, const hs_model *model, uint32_t limit,
                        const struct numbers *numbers, hsel_error *error)
{
    const hsel_dataset *shape = model->shape;
    const bool varies = model->classifier.method->classifier->varies,
               two = shape->class_names.count == 2;
    HS_OWNED hs_dependency *network = NULL;
    HS_OWNED uint32_t *place = hs_new_none(shape->features); /* its box */
    HS_OWNED bool *met = HS_NEW_ZERO(bool, shape->features);
    uint32_t edges = 0;
    HS_NEED(place && met);
    HS_TRY(hs_model_network(model, &network, &edges, error));
    for (uint32_t e = 0; e < edges; e++) {
        const uint32_t ends[2] = {network[e].on, network[e].feature};
        uint32_t new = 0;
        for (int i = 0; i < 2; i++) {
            new += place[ends[i]] == HSEL_NONE;
            d->of += !met[ends[i]];
            met[ends[i]] = true;
        }
        if (limit && d->box_count + new > limit)
            continue;
        for (int i = 0; i < 2; i++)
            if (place[ends[i]] == HSEL_NONE) {
                hs_box box = box_of(shape, ends[i], 0);
                fill_number(numbers, &d->doc, &box);
                HS_TRY(add_box(d, box, &place[ends[i]], error));
            }
        HS_TRY(add_line(d, place[ends[0]], place[ends[1]],
                        hs_say(&d->doc, "%.3f", fmax(0, network[e].strength)), NULL, error));
    }
    if (!edges)
        return hs_fail(error, HSEL_EUNSUPPORTED, "the network has no edge to draw");
    d->drawn = (uint32_t)d->box_count;
    d->legend = hs_say(
        &d->doc, "%s; bits on lines: mutual information given the class; in boxes log-odds of %s",
        varies ? "pairs that the network of an instance is made from"
               : "arrows point to the dependent feature",
        two ? hs_drawing_class(d, shape, true) : "the class named");
    return hs_document_check(&d->doc, error);
}

int hs_draw_model(hs_drawing *drawing, const hs_model *model, uint32_t limit, hsel_error *error)
{
    const hs_method *method = model->classifier.method;
    const hs_classifier *classifier = method->classifier;
    const hsel_dataset *shape = model->shape;
    drawing->title = hs_say(&drawing->doc, "%s, %s: trained on %u instances of %s",
                            model->selector.text, model->classifier.text, model->counts.instances,
                            hs_drawing_name(drawing, hsel_dataset_name(shape)));
    if (classifier->describe == hs_tree_describe)
        return draw_tree(drawing, hs_model_fitted(model), shape, limit, error);
    bool by_counts = classifier->depends || classifier->terms;
    if (!classifier->depends && ((!classifier->importance && !by_counts) || !shape->dag))
        return hs_fail(error, HSEL_EUNSUPPORTED, "%s has nothing to draw%s", method->name,
                       classifier->importance || by_counts ? " without a hierarchy" : "");
    HS_OWNED double *number = HS_NEW_ZERO(double, shape->features),
                    *size = HS_NEW_ZERO(double, shape->features);
    HS_OWNED uint32_t *ranked = HS_NEW(uint32_t, shape->features),
                      *label = HS_NEW(uint32_t, shape->features);
    HS_OWNED hs_telling *terms = NULL;
    uint32_t count = 0, telling = 0;
    double most = 0;
    HS_NEED(number && size && ranked && label);
    if (by_counts)
        HS_TRY(hs_model_telling(model, &terms, &telling, error));
    for (uint32_t i = 0; i < telling; i++) {
        number[terms[i].feature] = terms[i].present;
        label[terms[i].feature] = terms[i].label;
    }
    for (uint32_t f = 0; f < shape->features; f++) {
        if (!by_counts)
            number[f] = classifier->importance(hs_model_fitted(model), f);
        size[f] = fabs(number[f]);
        most = fmax(most, size[f]);
    }
    const struct numbers x = {number, most, by_counts, shape, label};
    if (classifier->depends)
        return draw_network(drawing, model, limit, &x, error);
    hs_rank_order(size, shape->features, NULL, ranked);
    while (count < shape->features && size[ranked[count]] > 0)
        count++;
    drawing->value_name = by_counts ? "log_odds" : "importance";
    HS_TRY(hs_draw_features(
        drawing,
        &(hs_drawn_features){.data = shape, .ranked = ranked, .count = count, .limit = limit},
        error));
    for (hs_box *box = drawing->boxes; box < drawing->boxes + drawing->box_count; box++)
        if (box->feature != HSEL_NONE)
            fill_number(&x, &drawing->doc, box);
    drawing->legend = "numbers are log-odds, if a term is present, of the class named, for which "
                      "it is the strongest evidence";
    if (!by_counts)
        drawing->legend = "the deeper the colour, the more important the term";
    else if (shape->class_names.count == 2)
        drawing->legend = hs_say(&drawing->doc,
                                 "numbers are log-odds of %s if a term is present: blue is "
                                 "evidence for it, orange against it",
                                 hs_drawing_class(drawing, shape, true));
    return hs_document_check(&drawing->doc, error);
}

const char *hs_drawing_name(hs_drawing *drawing, const char *name)
{
    enum { COLUMNS = 40 };
    const char *cut = hs_say_cut(&drawing->doc, name, COLUMNS), *before = drawing->whole;
    if (cut != name && !(before && strstr(before, name)))
        drawing->whole =
            hs_say(&drawing->doc, "%s%s%s", before ? before : "", before ? "; " : "", name);
    return cut;
}

const char *hs_drawing_class(hs_drawing *drawing, const hsel_dataset *data, bool positive)
{
    uint32_t class = positive ? data->positive_class : 1 - data->positive_class;
    return hs_drawing_name(drawing, hsel_dataset_class_name(data, class));
}

/* ---- DOT ---- */

/* The number of bytes of the next line of at most this many columns. It ends at a blank, or in its
 * second half after a hyphen, slash or comma; otherwise within a word (*broken). */
static size_t next_line(const char *text, size_t columns, bool *broken)
{
    size_t most = hs_fitting(text, columns);
    if (!text[most] || text[most] == ' ')
        return most;
    for (size_t i = most; i-- > 1;)
        if (text[i] == ' ' || (2 * i >= most && strchr("-/,", text[i])))
            return text[i] == ' ' ? i : i + 1;
    *broken = true;
    return most;
}

/* Writes a text of a box, if there is one, between `before` and `after`: in at most four lines of
 * similar length, up to 24 columns each; the rest is cut. Only words longer than a line are broken.
 */
static void put_lines(hs_writer *out, const char *before, const char *text, const char *after,
                      hs_document *scratch)
{
    enum { COLUMNS = 24, LINES = 4 };
    if (!text || !*text)
        return;
    hs_writer_text(out, before);
    text = hs_say_cut(scratch, text, COLUMNS * LINES - 12);
    size_t length = hs_text_width(text), columns = COLUMNS;
    bool fits = length == 0, broken = false;
    for (size_t lines = (length + COLUMNS - 1) / COLUMNS; !fits; lines++) /* as few as can be … */
        for (columns = (length + lines - 1) / lines; columns <= COLUMNS; columns++) {
            size_t count = 0;
            broken = false;
            for (const char *at = text; *at; count++) {
                at += next_line(at, columns, &broken);
                at += strspn(at, " ");
            }
            fits = count <= lines && (!broken || columns == COLUMNS);
            if (fits) /* … and as short */
                break;
        }
    for (const char *at = text; *at;) {
        size_t taken = next_line(at, columns, &broken);
        hs_html_text(out, hs_say(scratch, "%.*s", (int)taken, at));
        at += taken;
        at += strspn(at, " ");
        if (*at)
            hs_writer_text(out, "<BR/>");
    }
    hs_writer_text(out, after);
}

/* A fill colour from white to blue or orange, and a text colour that is readable on it. */
static void put_colours(hs_writer *out, double shade)
{
    static const double ends[2][3] = {{0xe6, 0x8a, 0x00}, {0x00, 0x72, 0xb2}};
    double strength = isnan(shade) ? 0 : fmin(1, 0.08 + 0.92 * fabs(shade)), light = 0;
    unsigned part[3];
    for (int i = 0; i < 3; i++) {
        static const double weight[3] = {0.2126, 0.7152, 0.0722}; /* relative luminance of sRGB */
        double end = ends[shade >= 0][i];
        part[i] = isnan(shade) ? 0xf7 : (unsigned)lround(255 + strength * (end - 255));
        double c = part[i] / 255.0;
        light += weight[i] * (c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
    }
    hs_writer_printf(out, "fillcolor=\"#%02x%02x%02x\", fontcolor=\"%s\"", part[0], part[1],
                     part[2],
                     isnan(shade)    ? "#444444"
                     : light > 0.179 ? "#000000"
                                     : "#ffffff"); /* the one of more contrast, 4.5 at least */
}

static const char *line_style(const hs_line *line)
{
    return !line->relation || strcmp(line->relation, HS_IS_A) == 0 ? "solid"
           : strcmp(line->relation, "part_of") == 0                ? "dashed"
                                                                   : "dotted";
}

/* How lines of each relation are drawn; NULL: all are is_a. */
static const char *relation_legend(const hs_drawing *d, hs_document *doc)
{
    static const char *const styles[] = {"solid", "dashed", "dotted"};
    const char *legend = "";
    if (!d->line_count || !d->lines[0].relation)
        return NULL;
    for (int s = 0; s < 3; s++) {
        const char *names = "";
        for (size_t i = 0; i < d->line_count; i++) {
            const char *relation = d->lines[i].relation;
            bool again = strcmp(line_style(&d->lines[i]), styles[s]) != 0;
            for (size_t j = 0; j < i && !again; j++)
                again = strcmp(d->lines[j].relation, relation) == 0;
            if (!again)
                names = hs_say_more(doc, names, relation);
        }
        if (*names)
            legend = hs_say(doc, "%s%s%s %s", legend, *legend ? "; " : "lines: ", styles[s], names);
    }
    return legend;
}

int hs_drawing_dot(const hs_drawing *d, hs_writer *out, hsel_error *error)
{
    enum {
        LONGEST = 160, /* columns of a text */
        WHOLE = 1000,  /* of one that is read in a tooltip */
        MANY = 8       /* with more boxes without children, the drawing runs from left to right */
    };
    HS_OWNS(hs_document_clear) hs_document scratch = {0};
    HS_OWNED bool *above = HS_NEW_ZERO(bool, d->box_count);
    size_t ends = d->box_count;
    HS_NEED(above);
    for (size_t i = 0; i < d->line_count; i++) {
        ends -= !above[d->lines[i].from];
        above[d->lines[i].from] = true;
    }
    hs_writer_printf(out,
                     "digraph drawing {\n"
                     "  bgcolor=\"#ffffff\"; labelloc=t; fontname=\"Helvetica\"; fontsize=12; "
                     "nodesep=0.18; ranksep=0.35;\n"
                     "  node [shape=box, fontname=\"Helvetica\", fontsize=10, "
                     "margin=\"0.1,0.06\", color=\"#333333\"];\n"
                     "  edge [fontname=\"Helvetica\", fontsize=9, arrowsize=0.6, "
                     "color=\"#636363\"%s];\n%s",
                     d->is_a ? ", dir=back" : "", d->is_a && ends > MANY ? "  rankdir=LR;\n" : "");
    if (d->whole)
        hs_put_escaped(out, hs_put_dot, "  tooltip=\"%s\";\n",
                       hs_say_cut(&scratch, d->whole, WHOLE));
    hs_put_html(out, "  label=<<FONT POINT-SIZE=\"15\">%s</FONT>",
                hs_say_cut(&scratch, d->title ? d->title : " ", LONGEST));
    const char *const below[] = {d->legend, relation_legend(d, &scratch)};
    for (int i = 0; i < 2; i++)
        if (below[i])
            hs_put_html(out, "<BR/>%s", hs_say_cut(&scratch, below[i], LONGEST));
    if (d->drawn < d->of)
        hs_writer_printf(out,
                         d->is_a ? "<BR/>the %u most important of %u terms" : "<BR/>%u of %u nodes",
                         d->drawn, d->of);
    hs_writer_text(out, "<BR/>>;\n");
    for (size_t i = 0; i < d->box_count; i++) {
        const hs_box *box = &d->boxes[i];
        const char *head = box->label && *box->label ? box->label : box->name;
        if (box->hidden) {
            hs_writer_printf(out,
                             "  n%zu [label=\"… %u %s%s …\", fontsize=9, fontcolor=\"#555555\", "
                             "style=\"rounded,dashed\", color=\"#999999\", tooltip=\"%u that %s "
                             "not drawn\"];\n",
                             i, box->hidden, d->is_a ? "term" : "node", box->hidden == 1 ? "" : "s",
                             box->hidden, box->hidden == 1 ? "is" : "are");
            continue;
        }
        hs_writer_printf(out, "  n%zu [label=<", i);
        put_lines(out, "", head, "", &scratch);
        put_lines(out, "<BR/><FONT POINT-SIZE=\"8\">", head != box->name ? box->name : NULL,
                  "</FONT>", &scratch);
        put_lines(out, "<BR/><B>", box->text, "</B>", &scratch);
        hs_put_escaped(out, hs_put_dot, ">, tooltip=\"%s", hs_say_cut(&scratch, head, WHOLE));
        if (head != box->name)
            hs_put_escaped(out, hs_put_dot, " %s", hs_say_cut(&scratch, box->name, WHOLE));
        hs_writer_text(out, "\", ");
        put_colours(out, box->shade);
        hs_writer_printf(out, ", style=\"filled%s%s\", %s];\n", box->leaf ? ",rounded" : "",
                         box->lacking ? ",dashed" : "",
                         box->chosen ? "penwidth=1.8" : "color=\"#969696\"");
        hs_arena_reset(&scratch.arena);
    }
    for (size_t i = 0; i < d->line_count; i++) {
        const hs_line *line = &d->lines[i];
        hs_writer_printf(out, "  n%u -> n%u", line->from, line->to);
        if (line->text)
            hs_put_escaped(out, hs_put_dot, " [label=\" %s \"]",
                           hs_say_cut(&scratch, line->text, 24));
        else if (line->relation && strcmp(line->relation, HS_IS_A) != 0)
            hs_put_escaped(out, hs_put_dot, " [style=%s, tooltip=\"%s\"]", line_style(line),
                           hs_say_cut(&scratch, line->relation, LONGEST));
        hs_writer_text(out, ";\n");
    }
    hs_writer_text(out, "}\n");
    return hs_document_check(&scratch, error);
}

/* ---- GraphML ---- */

static void put_data(hs_writer *out, const char *key, const char *text)
{
    if (text)
        hs_put_html(out, "<data key=\"%s\">%s</data>", key, text);
}

extern const char hs_show_graphml[]; /* graphml.xml: how it begins */

void hs_drawing_graphml(const hs_drawing *d, hs_writer *out)
{
    const char *value = d->value_name ? d->value_name : "value";
    hs_put_template(out, hs_show_graphml, value, value, d->title ? d->title : "");
    for (size_t i = 0; i < d->box_count; i++) {
        const hs_box *box = &d->boxes[i];
        hs_put_html(out, "    <node id=\"n%zu\">", i);
        put_data(out, "label", box->label);
        put_data(out, "identifier", box->name);
        put_data(out, "kind",
                 box->hidden   ? "hidden"
                 : box->leaf   ? "leaf"
                 : box->chosen ? "selected"
                               : "other");
        if (box->hidden)
            hs_put_html(out, "<data key=\"hidden\">%u</data>", box->hidden);
        put_data(out, "lacking", box->lacking ? "true" : NULL);
        if (!isnan(box->value))
            hs_put_html(out, "<data key=\"%s\">%g</data>", value, box->value);
        hs_writer_text(out, "</node>\n");
    }
    for (const hs_line *line = d->lines; line < d->lines + d->line_count; line++) {
        const char *relation = d->is_a && !line->relation ? HS_IS_A
                               : d->is_a                  ? line->relation
                                                          : line->text;
        hs_put_html(out, "    <edge source=\"n%u\" target=\"n%u\">",
                    d->is_a ? line->to : line->from, /* of a hierarchy, from child to parent */
                    d->is_a ? line->from : line->to);
        put_data(out, "relation", relation ? relation : "");
        hs_writer_text(out, "</edge>\n");
    }
    hs_writer_text(out, "  </graph>\n</graphml>\n");
}

/* ---- by Graphviz ---- */

int hs_dot_run(const hs_buf *dot, const char *form, hs_buf *out, hsel_error *error)
{
    static const char *const begins[][2] = {
        {"svg", "<"}, {"pdf", "%PDF"}, {"png", "\x89PNG"}, {"plain", "graph "}};
    char option[16];
    snprintf(option, sizeof option, "-T%s", form);
    hs_program program = {
        .arguments = (const char *const[]){"dot", option, NULL}, .input = dot, .output = out};
    bool drawn = hs_program_run(&program);
    if (program.missing)
        return hs_fail(error, HSEL_EUNSUPPORTED,
                       "Graphviz's program dot cannot be run: install it (Debian: apt install "
                       "graphviz), or write the drawing with {dot} or {graphml}");
    HS_NEED(!out->failed);
    if (!drawn || out->length == 0)
        return hs_fail(error, HSEL_EUNSUPPORTED, "Graphviz's program dot failed: %.300s",
                       *program.said ? program.said : "no message");
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strcmp(form, begins[i][0]) == 0 &&
            strncmp(out->text, begins[i][1], strlen(begins[i][1])) != 0)
            return hs_fail(error, HSEL_EUNSUPPORTED,
                           "Graphviz's program dot failed: what it wrote is not %s", form);
    return HSEL_OK;
}

int hs_drawing_run(const hs_drawing *drawing, const char *form, hs_buf *out, hsel_error *error)
{
    HS_OWNS(hs_memo_clear) hs_memo dot = {0};
    HS_TRY(hs_memo_open(&dot, error));
    HS_TRY(hs_drawing_dot(drawing, dot.out, error));
    HS_TRY(hs_memo_end(&dot, error));
    return hs_dot_run(&dot.text, form, out, error);
}

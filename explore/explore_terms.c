/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The whole models of an exploration, the terms that are shown, and their places in a drawing of
 * all of them.
 */
#include "classify/classify.h"
#include "show/drawing.h"
#include "explore/explore_parts.h"

/* Size of the boxes on the page, and how many of them dot can place in about a second. */
enum { BOX_WIDTH = 150, BOX_HEIGHT = 82, LAYOUT_TERMS = 1000, LAYOUT_LEAST = 40 };

size_t hs_explored_terms(const hs_exploration *e, const struct hs_explored_run *run)
{
    size_t most =
        e->request.terms && e->request.terms < HS_MODEL_TERMS ? e->request.terms : HS_MODEL_TERMS;
    return run->weight_count < most ? run->weight_count : most;
}

/* ---- the model as a whole ---- */

static int by_weight(const void *a, const void *b)
{
    const struct hs_explored_weight *x = a, *y = b;
    if (fabs(x->value) != fabs(y->value))
        return fabs(x->value) > fabs(y->value) ? -1 : 1;
    return x->feature < y->feature ? -1 : x->feature > y->feature;
}

static void add_weight(struct hs_explored_run *run, uint32_t feature, double value, double absent)
{
    run->weights[run->weight_count++] = (struct hs_explored_weight){feature, value, absent};
}

/* The weights of a linear classifier, for the positive class of two. */
static int read_weights(hs_exploration *e, struct hs_explored_run *run, hsel_error *error)
{
    const hsel_dataset *shape = run->model->shape;
    HS_OWNED hs_weighted *list = NULL;
    uint32_t count, label;
    HS_TRY(run->model->classifier.method->classifier->weights(hs_model_fitted(run->model), &list,
                                                              &count, &label, error));
    const bool named = label != HSEL_NONE, two = hs_explores_two(e);
    const double sign = named && two && label != shape->positive_class ? -1 : 1;
    run->weights_of = named && !two ? hsel_dataset_class_name(shape, label) : NULL;
    HS_NEED(run->weights = HS_ARENA_NEW(&e->doc.arena, struct hs_explored_weight, count));
    for (uint32_t i = 0; i < count; i++)
        add_weight(run, list[i].feature, sign * list[i].weight, NAN);
    return HSEL_OK;
}

int hs_explore_model(hs_exploration *e, struct hs_explored_run *run, hsel_error *error)
{
    const hs_model *model = run->model;
    const hsel_dataset *data = e->request.data;
    const hs_classifier *classifier = model ? model->classifier.method->classifier : NULL;
    const uint32_t features = data->features, classes = data->class_names.count,
                   positive = data->positive_class;
    HS_OWNED double *logs = HS_NEW(double, (2 * (size_t)features + 1) * classes);
    run->weights = HS_ARENA_NEW(&e->doc.arena, struct hs_explored_weight, features);
    run->term_odds = HS_ARENA_NEW(&e->doc.arena, double, features);
    run->kind = "none";
    HS_NEED(logs && run->weights && run->term_odds);
    for (uint32_t f = 0; f < features; f++)
        run->term_odds[f] = NAN;
    if (!model)
        return HSEL_OK;
    if (classifier->terms && hs_explores_two(e)) {
        hs_view view = {.data = model->shape, .features = model->pipeline.mask};
        double *negative = logs + classes, *present = negative + (size_t)features * classes;
        for (size_t i = 0; i < (2 * (size_t)features + 1) * classes; i++)
            logs[i] = NAN;
        classifier->terms(&view, &model->counts, logs, negative, present);
        run->kind = "terms";
        for (uint32_t f = 0; f < features; f++) {
            const double *one = present + 2 * (size_t)f, *none = negative + 2 * (size_t)f;
            run->term_odds[f] = one[positive] - one[!positive];
            if (!isnan(run->term_odds[f]))
                add_weight(run, f, run->term_odds[f], none[positive] - none[!positive]);
        }
    } else if (classifier->importance) {
        run->kind = "importances";
        for (uint32_t f = 0; f < features; f++) {
            double value = classifier->importance(hs_model_fitted(model), f);
            if (value > 0)
                add_weight(run, f, value, NAN);
        }
    }
    if (classifier->describe == hs_tree_describe) {
        run->kind = "tree";
        run->tree = hs_model_fitted(model);
    } else if (classifier->weights) {
        HS_TRY(read_weights(e, run, error));
        run->kind = run->weight_count ? "weights" : run->kind;
    }
    if (classifier->depends && !classifier->varies) {
        HS_TRY(hs_model_network(model, &run->network, &run->edges, error));
        run->kind = run->edges ? "network" : run->kind;
        run->edges = run->edges < HS_MODEL_TERMS ? run->edges : HS_MODEL_TERMS;
    }
    HS_OWNS(hs_writer_release) hs_writer *out = NULL;
    HS_TRY(hs_writer_open_memory(&run->text, &out, error));
    HS_TRY(hs_model_describe(model, HS_DESCRIBE_TEXT, out, error));
    HS_TRY(hs_writer_commit(hs_take(&out), error));
    qsort(run->weights, run->weight_count, sizeof *run->weights, by_weight);
    return HSEL_OK;
}

/* ---- the terms that are shown ---- */

struct candidate {
    double key[4]; /* share of the times it is selected, score, log-odds, support */
    uint32_t feature;
};

static int by_importance(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    for (int i = 0; i < 4; i++)
        if (x->key[i] != y->key[i])
            return x->key[i] > y->key[i] ? -1 : 1;
    return x->feature < y->feature ? -1 : x->feature > y->feature;
}

/* How many instances have the feature, or a number other than 0 of it: in each class (no classes:
 * in all) into have[classes]; the correlation of its values with being of the class into with[]
 * (NaN: it has none), which has room for twice as many; and the class in which it is most frequent,
 * or its mean highest. Returns HSEL_NONE: none is. scratch[instances] */
static uint32_t frequency(const hs_exploration *e, uint32_t feature, double *scratch, double *have,
                          double *with)
{
    const hsel_dataset *data = e->request.data;
    const uint32_t classes = e->counts.classes, parts = classes ? classes : 1;
    const bool numeric = data->types[feature] == HSEL_NUMERIC;
    const double *values =
        data->types[feature] == HSEL_NOMINAL ? NULL : hs_dataset_numeric(data, feature, scratch);
    uint32_t best = HSEL_NONE;
    double most = numeric ? -INFINITY : 0, sum = 0, squares = 0, n = 0, *known = with + parts;
    bool tie = false;
    for (uint32_t c = 0; c < parts; c++)
        have[c] = with[c] = known[c] = 0;
    for (uint32_t i = 0; values && i < data->instances; i++) {
        uint32_t c = classes ? hsel_dataset_class_of(data, i) : 0;
        if (c == HSEL_NONE || isnan(values[i]))
            continue;
        have[c] += values[i] < 0 || values[i] > 0;
        with[c] += values[i];
        sum += values[i];
        known[c]++;
        n++;
    }
    for (uint32_t i = 0; values && i < data->instances; i++)
        if ((!classes || hsel_dataset_class_of(data, i) != HSEL_NONE) && !isnan(values[i]))
            squares += (values[i] - sum / n) * (values[i] - sum / n);
    for (uint32_t c = 0; c < classes; c++) { /* a class with no instance has none */
        double size = known[c], mean = with[c] / size;
        with[c] = NAN;
        if (size == 0)
            continue;
        tie = mean > most ? false : tie || mean == most;
        best = mean > most ? c : best;
        most = fmax(most, mean);
        if (squares > 0 && size < n)
            with[c] = (mean - sum / n) * sqrt(size * n / (n - size) / squares);
    }
    return tie ? HSEL_NONE : best;
}

int hs_explore_terms(hs_exploration *e, hsel_error *error)
{
    const hs_explore_request *r = &e->request;
    const hsel_dataset *data = r->data;
    const uint32_t features = data->features;
    HS_OWNED bool *shown = HS_NEW_ZERO(bool, features);
    HS_OWNED struct candidate *order = HS_NEW(struct candidate, features);
    uint32_t selected = 0;
    HS_NEED(shown && order &&
            HS_LISTS(&e->doc.arena, e, HS_PART(e, terms, features), HS_PART(e, place, features)));
    for (uint32_t f = 0; f < features; f++) {
        struct candidate c = {.feature = f};
        for (size_t i = 0; i < e->run_count; i++) {
            const struct hs_explored_run *run = &e->runs[i];
            const double *scores = run->model ? hs_model_scores(run->model) : NULL;
            c.key[0] = fmax(c.key[0], run->of ? (double)run->selected[f] / run->of : 0);
            c.key[1] = fmax(c.key[1], scores ? scores[f] : 0); /* not a number: the other */
            c.key[2] = fmax(c.key[2], fabs(run->term_odds[f]));
        }
        for (uint32_t k = 0; k < e->counts.classes; k++)
            c.key[3] += hs_count(&e->counts, f, k);
        if (c.key[0] > 0)
            order[selected++] = c;
    }
    qsort(order, selected, sizeof *order, by_importance);
    uint32_t most = r->terms && r->terms < selected ? r->terms : selected;
    for (uint32_t i = 0; i < most; i++)
        shown[order[i].feature] = true;
    for (size_t i = 0; i < e->run_count; i++) {
        const struct hs_explored_run *run = &e->runs[i];
        for (size_t j = 0; j < run->detail_count; j++) {
            const struct hs_explored_detail *d = &run->details[j];
            for (uint32_t k = 0; k < d->verdict_count; k++) {
                shown[d->verdicts[k].feature] = true;
                if (d->verdicts[k].by != HSEL_NONE)
                    shown[d->verdicts[k].by] = true;
            }
            for (uint32_t k = 0; k < d->why.count; k++)
                shown[d->why.reasons[k].feature] = true;
        }
        for (size_t j = 0; j < hs_explored_terms(e, run); j++)
            shown[run->weights[j].feature] = true;
        for (uint32_t j = 0; j < run->edges; j++)
            shown[run->network[j].feature] = shown[run->network[j].on] = true;
        for (uint32_t j = 0; run->tree && j < run->tree->nodes; j++)
            if (run->tree->node[j].branches)
                shown[run->tree->node[j].feature] = true;
    }
    if (data->dag)
        HS_TRY(hs_dag_above(data->dag, shown, NULL, &e->dag, error));
    for (uint32_t f = 0; f < features; f++) {
        e->place[f] = shown[f] ? e->term_count : HSEL_NONE;
        if (shown[f])
            e->terms[e->term_count++] = f;
    }
    const size_t parts = e->counts.classes ? e->counts.classes : 1;
    HS_OWNED double *scratch = HS_NEW(double, data->instances);
    HS_NEED(scratch && HS_LISTS(&e->doc.arena, e, HS_PART(e, have, parts * e->term_count),
                                HS_PART(e, with, parts * (e->term_count + 1)),
                                HS_PART(e, direction, e->term_count)));
    for (uint32_t t = 0; t < e->term_count; t++)
        e->direction[t] =
            r->store ? HSEL_NONE
                     : frequency(e, e->terms[t], scratch, e->have + t * parts, e->with + t * parts);
    hs_document *doc = &e->doc;
    uint32_t left_out = 0; /* of those selected */
    for (uint32_t i = most; i < selected; i++)
        left_out += !shown[order[i].feature];
    if (e->term_count < features)
        hs_explore_note(e, hs_say(doc,
                                  "%s of %s terms are shown: those selected, those in details and "
                                  "models, and all their ancestors",
                                  hs_grouped(doc, e->term_count), hs_grouped(doc, features)));
    if (left_out)
        hs_explore_note(
            e,
            hs_say(
                doc,
                "not shown: %s after the first %s, by frequency, then score; {terms=N} shows more",
                hs_plural(doc, left_out, "selected term"), hs_grouped(doc, most)));
    return HSEL_OK;
}

int hs_explore_layout(hs_exploration *e, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf dot = {0}, plain = {0};
    HS_OWNED bool *drawn = HS_NEW_ZERO(bool, e->term_count);
    uint32_t count = 0;
    HS_NEED(drawn);
    for (uint32_t i = e->term_count; e->dag && i-- > 0;) { /* children first */
        uint32_t t = e->dag->order[i];
        size_t parents;
        const uint32_t *parent = hs_parents(e->dag, t, &parents);
        for (size_t r = 0; r < e->run_count; r++)
            drawn[t] |= e->runs[r].selected[e->terms[t]] > 0;
        for (size_t p = 0; drawn[t] && p < parents; p++)
            drawn[parent[p]] = true;
        count += drawn[t];
    }
    if (count < LAYOUT_LEAST)
        return HSEL_OK;
    if (count > LAYOUT_TERMS) {
        hs_explore_note(
            e, hs_say(&e->doc,
                      "the page does not draw all selected terms at once: with their ancestors "
                      "they are %s, and %s are the most; {terms=N} takes fewer",
                      hs_grouped(&e->doc, count), hs_grouped(&e->doc, LAYOUT_TERMS)));
        return HSEL_OK;
    }
    hs_buf_printf(&dot,
                  "digraph {\ngraph [splines=line, nodesep=0.2, ranksep=0.55, nslimit=2]\n"
                  "node [shape=box, fixedsize=true, label=\"\", width=%.4f, height=%.4f]\n",
                  BOX_WIDTH / 72.0, BOX_HEIGHT / 72.0);
    for (uint32_t t = 0; t < e->term_count; t++) {
        size_t parents;
        const uint32_t *parent = hs_parents(e->dag, t, &parents);
        if (drawn[t])
            hs_buf_printf(&dot, "%u\n", t);
        for (size_t p = 0; drawn[t] && p < parents; p++)
            hs_buf_printf(&dot, "%u -> %u\n", parent[p], t);
    }
    hs_buf_text(&dot, "}\n");
    HS_NEED(!dot.failed);
    int status = hs_dot_run(&dot, "plain", &plain, error);
    if (status == HSEL_EUNSUPPORTED) {
        hs_explore_note(e, hs_say(&e->doc, "the page does not draw all selected terms at once: %s",
                                  error->message));
        return HSEL_OK;
    }
    HS_TRY(status);
    HS_NEED(e->layout = hs_arena_alloc(&e->doc.arena, e->term_count, sizeof *e->layout));
    for (uint32_t t = 0; t < e->term_count; t++)
        e->layout[t][0] = e->layout[t][1] = NAN;
    double high = 0;
    for (const char *line = plain.text, *end; line; line = end ? end + 1 : NULL) {
        const char *stop = (end = strchr(line, '\n')) ? end : line + strlen(line);
        const char *at = memchr(line, ' ', (size_t)(stop - line));
        double value[3]; /* of the graph: scale, width, height; of a node: name, x, y */
        int values = 0;
        while (at && values < 3 && (at = hs_scan_double(at + 1, stop, &value[values])))
            values++;
        if (values < 3)
            continue;
        if (*line == 'g')
            high = value[2];
        else if (*line == 'n' && value[0] < e->term_count) {
            e->layout[(size_t)value[0]][0] = (float)(72 * value[1]);
            e->layout[(size_t)value[0]][1] = (float)(72 * (high - value[2]));
        }
    }
    return HSEL_OK;
}

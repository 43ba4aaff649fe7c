/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Explanations as text (a screen of features, and a tree on demand) and as JSON.
 */
#include "show/explanation.h"

#include "rank/rank.h"
#include "show/document.h"

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
    const char *text = hs_dataset_text(e->data, feature, e->instance, space);
    return text ? text : "?";
}

static const hs_reason *reason_of_node(const hs_explanation *e, uint32_t node)
{
    return e->reason_of[node] == HSEL_NONE ? NULL : &e->reasons[e->reason_of[node]];
}

/* ---- text ---- */

/* The contribution of a feature: log-odds, or effect on a number. */
static const char *effect(const hs_explanation *e, double value, hs_document *doc)
{
    return hs_say(doc, hs_explains_number(e) ? "%+.4g" : "%+.3f", value);
}

/* What the lines of the list have in common. */
struct lines {
    const hs_explanation *e;
    hs_writer *out;
    hs_document *doc;
    double most;     /* the value of the longest bar */
    int left, right; /* columns of a bar before and behind its axis */
    bool ascii;
    bool sampled; /* numbers have an error */
};

/* A bar from the axis. */
static void put_bar(const struct lines *l, double value)
{
    static const char *const parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    bool before = value < 0 && l->left;
    int room = before ? l->left : l->right;
    double length = l->most > 0 && !isnan(value) ? fabs(value) / l->most * room : 0;
    int eighths = (int)lround(8 * length), whole = eighths / 8, part = eighths % 8;
    if (l->ascii || before) { /* bars to the left have only half blocks, and ASCII has none */
        part = !l->ascii && part >= 4;
        whole = l->ascii ? (int)lround(length) : whole;
    }
    int used = whole + (part > 0);
    hs_writer_printf(l->out, "%*s", before ? l->left - used : l->left, "");
    if (before && part)
        hs_writer_text(l->out, "▐");
    for (int i = 0; i < whole; i++)
        hs_writer_text(l->out, l->ascii ? "#" : "█");
    if (!before)
        hs_writer_text(l->out, parts[part]);
    hs_writer_printf(l->out, "%*s", before ? l->right : l->right - used, "");
}

/* A number with its error, unless that is NaN, and its bar. */
static void put_number(const struct lines *l, const char *number, double error, double bar)
{
    hs_writer_printf(l->out, "%8s", number);
    if (l->sampled && isnan(error))
        hs_writer_printf(l->out, "%8s", "");
    else if (l->sampled)
        hs_writer_printf(l->out, hs_explains_number(l->e) ? " %s%-5.3g " : " %s%-5.3f ",
                         l->ascii ? "+-" : "±", error);
    hs_writer_text(l->out, "  ");
    put_bar(l, bar);
    hs_writer_text(l->out, "  ");
}

/* The label of a feature, or else its name. */
static const char *feature_word(const hs_explanation *e, uint32_t feature, hs_document *doc)
{
    const char *label = hs_about_label(&e->data->about, feature);
    return hs_say_cut(doc, label ? label : feature_name(e, feature), HS_LABEL_WIDTH);
}

/* Finds the shortest path from a root down to a feature (ties to the lowest index), into way[nodes]
 * without the feature, and returns its length. `from` is scratch, all HSEL_NONE before and after.
 */
static uint32_t shortest_way(const hsel_dag *dag, uint32_t feature, uint32_t *from, uint32_t *queue,
                             uint32_t *way)
{
    uint32_t met = 1, length = 0, at = 0, top;
    queue[0] = from[feature] = feature;
    for (; !hs_is_root(dag, queue[at]); at++) {
        size_t parents;
        const uint32_t *parent = hs_parents(dag, queue[at], &parents);
        for (size_t j = 0; j < parents; j++)
            if (from[parent[j]] == HSEL_NONE) {
                from[parent[j]] = queue[at];
                queue[met++] = parent[j];
            }
    }
    for (top = queue[at]; top != feature; top = from[top])
        way[length++] = top;
    for (uint32_t i = 0; i < met; i++)
        from[queue[i]] = HSEL_NONE;
    return length;
}

/* " ‹ organelle organization ‹ … 2 terms … ‹ cellular process" in this many columns: as many of the
 * nearest terms as fit, the number of those left out, and the root. */
static const char *way_text(const struct lines *l, const uint32_t *way, uint32_t length,
                            size_t columns)
{
    const char *best = "", *near = "", *below = l->ascii ? "<" : "‹";
    for (uint32_t hidden = length; hidden-- > 0 && hs_text_width(near) <= columns;) {
        const char *dots = l->ascii ? "..." : "…",
                   *gap = hs_say(l->doc, " %s %s %u term%s %s", below, dots, hidden,
                                 hidden == 1 ? "" : "s", dots),
                   *text = hs_say(l->doc, "%s%s %s %s", near, hidden ? gap : "", below,
                                  feature_word(l->e, way[0], l->doc));
        if (hs_text_width(text) <= columns)
            best = text;
        near = hs_say(l->doc, "%s %s %s", near, below, feature_word(l->e, way[hidden], l->doc));
    }
    return best;
}

/* "in 6 of 225 pro-longevity, 0 of 431 anti-longevity" */
static const char *counts_text(const hs_explanation *e, uint32_t feature, hs_document *doc)
{
    const hs_counts *counts = &e->model->counts;
    uint32_t label = e->predicted, all = 0, size = counts->class_size[label],
             own = hs_count(counts, feature, label);
    for (uint32_t c = 0; c < counts->classes; c++)
        all += hs_count(counts, feature, c);
    return hs_say(doc, "in %s of %s %s, %s of %s %s", hs_grouped(doc, own), hs_grouped(doc, size),
                  class_name(e, label), hs_grouped(doc, all - own),
                  hs_grouped(doc, counts->instances - size),
                  counts->classes == 2 ? class_name(e, 1 - label) : "others");
}

static const char *value_word(const hs_explanation *e, const hs_reason *reason, hs_document *doc)
{
    char space[32];
    if (e->data->types[reason->feature] == HSEL_BINARY)
        return reason->value != 0 ? "has" : "lacks";
    return hs_say_cut(doc, hs_say(doc, "%s", value_text(e, reason->feature, space)), 10);
}

/* Log-odds then are those before calibration, probabilities those after it. */
static bool calibrated(const hs_explanation *e) { return e->model->pipeline.fitted->adjust.curves; }

/* Where the numbers of the features come from. */
static void put_reasoning(const hs_explanation *e, size_t width, hs_writer *out, hs_document *doc)
{
    enum { INDENT = 11 };
    const bool numeric = hs_explains_number(e), owen = e->reasoning == HS_REASONS_OWEN;
    const char *method = e->model->classifier.method->name, *adds = "",
               *on = numeric ? hs_say(doc, "on %s", hs_explained_target(e))
                             : hs_say(doc, "for %s", class_name(e, e->predicted)),
               *words = NULL, *half = "";
    double sum = e->prior + e->absent, rest = 0;
    for (uint32_t i = 0; i < e->selected; i++)
        sum += e->reasons[i].contribution;
    for (uint32_t c = 0; c < e->model->shape->class_names.count; c++)
        rest += c == e->predicted ? 0 : e->probability[c];
    /* Where shares are 0 or 1, half a vote or instance more keeps log-odds finite. */
    if ((owen || e->reasoning == HS_REASONS_PATH) && !numeric &&
        !(fabs(sum - log(e->probability[e->predicted] / rest)) < 0.0005))
        half = hs_say(doc, ", in which half %s more counts on either side",
                      owen ? "a vote" : "an instance");
    if (numeric)
        adds = hs_say(doc, "; with %s they add up to what is predicted",
                      owen ? "the mean predicted for these" : "what there is without them");
    else if (calibrated(e))
        adds = hs_say(doc,
                      "; with %s they add up to those before calibration, which changes the "
                      "probability",
                      owen ? "theirs" : "the prior");
    else if (e->model->shape->class_names.count == 2)
        adds = hs_say(doc, "; with %s they add up to those of the prediction%s",
                      owen ? "theirs" : "the prior", half);
    if (e->reasoning == HS_REASONS_TERMS)
        words = hs_say(doc, "%s, %s's own%s", on, method, adds);
    else if (e->reasoning == HS_REASONS_PATH)
        words = hs_say(doc, "%s: what each test on the way down the tree changes%s", on, adds);
    else if (owen)
        words = hs_say(doc, "%s: Owen values along the hierarchy, against %s%s", on,
                       e->background_count ? hs_plural(doc, e->background_count, "other instance")
                                           : "an instance that has nothing",
                       adds);
    else if (e->selected)
        words = hs_say(doc, "none: %s does not attribute them to features, which are sorted by %s",
                       method, e->order);
    if (words) {
        hs_writer_text(out, numeric ? "effects    " : "log-odds   ");
        hs_put_wrapped(out, words, width, INDENT);
    }
}

static void put_neighbours(const hs_explanation *e, hs_writer *out, hs_document *doc,
                           uint32_t shown)
{
    if (!e->neighbours)
        return;
    bool shares = e->data->numeric_count + e->data->nominal_count < e->data->features;
    hs_writer_printf(out, "neighbours the %u nearest%s\n", e->neighbour_count,
                     shares ? ", with the features that both have" : "");
    for (uint32_t i = 0; i < e->neighbour_count && i < shown; i++) {
        const hs_neighbour *n = &e->neighbours[i];
        char label[HS_LABEL_ROOM] = "";
        for (uint32_t j = 0; n->id && j < e->data->instances && !*label; j++) {
            const char *id = hsel_dataset_id(e->data, j);
            if (id && strcmp(id, n->id) == 0)
                hs_label_after(&e->data->instance_about, j, label);
        }
        hs_writer_printf(out, "  %-20s %-20s distance %.4g, weight %.4g%s\n",
                         !n->id   ? hs_say(doc, "#%u", n->instance + 1)
                         : *label ? hs_say_cut(doc, hs_say(doc, "%s %s", label + 1, n->id), 20)
                                  : hs_say_cut(doc, n->id, 20),
                         hs_explains_number(e) ? hs_say(doc, "%.6g", n->target)
                                               : hs_say_cut(doc, class_name(e, n->label), 20),
                         n->distance, n->weight,
                         shares ? hs_say(doc, ", shares %u (%u only here, %u only there)",
                                         n->shared, n->here, n->there)
                                : "");
    }
    if (shown < e->neighbour_count)
        hs_writer_printf(out, "  and %u more\n", e->neighbour_count - shown);
}

/* The likeliest of the other classes. */
static void put_others(const hs_explanation *e, hs_writer *out, hs_document *doc)
{
    uint32_t classes = e->model->shape->class_names.count, shown = 0,
             *order = hs_document_space(doc, classes, sizeof *order);
    if (order)
        hs_rank_order(e->probability, classes, NULL, order);
    for (uint32_t i = 0; order && i < classes && shown < 3; i++)
        if (order[i] != e->predicted)
            hs_writer_printf(out, "%s%s %.4f", shown++ ? ", " : " (", class_name(e, order[i]),
                             e->probability[order[i]]);
    if (shown + 1 < classes)
        hs_writer_printf(out, ", %u more", classes - 1 - shown);
    hs_writer_text(out, shown ? ")" : "");
}

static void put_head(const hs_explanation *e, hs_writer *out, hs_document *doc)
{
    const char *id = hsel_dataset_id(e->data, e->instance);
    const char *class = class_name(e, hsel_dataset_class_of(e->data, e->instance));
    char label[HS_LABEL_ROOM];
    hs_label_after(&e->data->instance_about, e->instance, label);
    hs_writer_printf(out, "instance   %s%s%s%snumber %u of %s\n", *label ? label + 1 : "",
                     *label ? " " : "", id ? id : "", id || *label ? ", " : "", e->instance + 1,
                     hsel_dataset_name(e->data));
    if (class)
        hs_writer_printf(out, "class      %s\n", class);
    if (hs_explains_number(e)) {
        double off = e->data->target ? e->number - e->data->target[e->instance] : (double)NAN;
        if (!isnan(off))
            hs_writer_printf(out, "target     %s = %.6g\n", hs_explained_target(e),
                             e->number - off);
        hs_writer_printf(out, "predicted  %.6g", e->number);
        if (!isnan(off) && off != 0)
            hs_writer_printf(out, ", which is %.4g too %s", fabs(off), off > 0 ? "high" : "low");
    } else {
        hs_writer_printf(out, "predicted  %s, P = %.4f", class_name(e, e->predicted),
                         e->probability[e->predicted]);
        put_others(e, out, doc);
    }
    hs_writer_printf(out, "\nmethods    %s, %s\nselected   %s of %s features\n",
                     e->model->selector.text, e->model->classifier.text,
                     hs_grouped(doc, e->selected), hs_grouped(doc, e->data->features));
}

/* The omitted features, and the sum of all. */
static void put_rest(const hs_explanation *e, uint32_t shown, hs_writer *out, hs_document *doc)
{
    double sum[2] = {0}, all = e->prior + e->absent;
    uint32_t count[2] = {0}, idle = 0; /* features that change nothing */
    bool told = !isnan(e->prior);
    for (uint32_t i = 0; i < e->selected; i++) {
        const hs_reason *reason = &e->reasons[i];
        bool has = !(reason->value == 0);
        all += reason->contribution;
        bool lacks = reason->value == 0 || isnan(reason->value);
        if (i < shown || (e->reasoning == HS_REASONS_OWEN && lacks)) /* these have their own line */
            continue;
        sum[has] += reason->contribution;
        if (e->reasoning != HS_REASONS_TERMS && reason->contribution == 0)
            idle++;
        else
            count[has]++;
    }
    if (count[0] + count[1]) {
        hs_writer_printf(out, "and %s more", hs_grouped(doc, count[0] + count[1]));
        if (told)
            hs_writer_printf(out, ", %s in all", effect(e, sum[0] + sum[1], doc));
        if (count[0] && count[1]) {
            hs_writer_printf(out, ": it has %s", hs_grouped(doc, count[1]));
            if (told)
                hs_writer_printf(out, " (%s)", effect(e, sum[1], doc));
            hs_writer_printf(out, " and lacks %s", hs_grouped(doc, count[0]));
            if (told)
                hs_writer_printf(out, " (%s)", effect(e, sum[0], doc));
        }
        hs_writer_char(out, '\n');
    }
    if (idle)
        hs_writer_printf(out, "%s %sfeature%s nothing here\n", hs_grouped(doc, idle),
                         idle < e->selected ? "more " : "", idle == 1 ? " changes" : "s change");
    if (told && hs_explains_number(e))
        hs_writer_printf(out, "%8.6g  predicted %s\n", all, hs_explained_target(e));
    if (told && e->model->shape->class_names.count == 2)
        hs_writer_printf(out, "%+8.3f  log-odds for %s, %s\n", all, class_name(e, e->predicted),
                         e->reasoning == HS_REASONS_OWEN ? "in all" : "with the prior");
}

struct step {
    uint32_t node, depth;
};

/* Prints the part of the hierarchy as a tree, each term with its children where it first occurs.
 * Depth first with an explicit stack of at most all edges and roots. */
static int put_tree(const hs_explanation *e, hs_writer *out, hs_document *doc, hsel_error *error)
{
    const hsel_dag *dag = e->dag;
    HS_OWNED struct step *stack = HS_NEW(struct step, (size_t)dag->nodes + dag->edges);
    HS_OWNED bool *seen = HS_NEW_ZERO(bool, dag->nodes);
    size_t waiting = 0;
    HS_NEED(stack && seen);
    hs_writer_text(out, "\nhierarchy (* selected)\n");
    for (uint32_t v = dag->nodes; v-- > 0;)
        if (hs_is_root(dag, v))
            stack[waiting++] = (struct step){v, 0};
    while (waiting > 0) {
        struct step at = stack[--waiting];
        const hs_reason *reason = reason_of_node(e, at.node);
        size_t children;
        const uint32_t *child = hs_children(dag, at.node, &children);
        char space[32];
        hs_writer_printf(out, "%*s%s%s", (int)(2 * at.depth), "", reason ? "* " : "- ",
                         feature_word(e, e->nodes[at.node], doc));
        if (hs_about_label(&e->data->about, e->nodes[at.node]))
            hs_writer_printf(out, " %s", feature_name(e, e->nodes[at.node]));
        hs_writer_printf(out, " = %s", value_text(e, e->nodes[at.node], space));
        if (seen[at.node])
            hs_writer_text(out, "  (see above)");
        else if (reason && !isnan(reason->contribution))
            hs_writer_printf(out, "  %s", effect(e, reason->contribution, doc));
        hs_writer_char(out, '\n');
        for (size_t i = children; i-- > 0 && !seen[at.node];)
            stack[waiting++] = (struct step){child[i], at.depth + 1};
        seen[at.node] = true;
        hs_arena_reset(&doc->arena);
    }
    return HSEL_OK;
}

int hs_explanation_text(const hs_explanation *e, const hs_text_style *style, hs_writer *out,
                        hsel_error *error)
{
    enum { BAR = 12 };
    const bool numeric = hs_explains_number(e);
    size_t width = style->width ? style->width : 100;
    uint32_t shown = style->top && style->top < e->count ? style->top : e->count;
    if (style->top && (e->reasoning == HS_REASONS_OWEN || e->reasoning == HS_REASONS_PATH))
        while (shown && e->reasons[shown - 1].contribution == 0)
            shown--;
    const hsel_dag *dag = e->model->shape->dag;
    uint32_t nodes = dag ? dag->nodes : 0;
    HS_OWNS(hs_document_clear) hs_document doc = {0};
    HS_OWNED uint32_t *from = HS_NEW(uint32_t, nodes), *queue = HS_NEW(uint32_t, nodes),
                      *way = HS_NEW(uint32_t, nodes);
    HS_NEED(from && queue && way);
    for (uint32_t i = 0; i < nodes; i++)
        from[i] = HSEL_NONE;
    hs_writer_for_people(out);
    put_head(e, out, &doc);
    put_reasoning(e, width, out, &doc);
    put_neighbours(e, out, &doc, style->top ? 5 : UINT32_MAX);
    /* All features have a relevance, or none has; likewise contributions. */
    bool told = !isnan(e->prior), relevance = e->count && !isnan(e->reasons[0].relevance);
    /* The number that is predicted without features is not an effect, and has no bar. */
    double prior = told && !numeric ? e->prior : 0, absent = told ? e->absent : 0;
    double most = fmax(fabs(prior), fabs(absent)), least = fmin(prior, absent),
           highest = fmax(prior, absent), sampled = e->absent_error;
    size_t words = 3; /* columns of the widest value */
    for (uint32_t i = 0; i < shown; i++) {
        const hs_reason *reason = &e->reasons[i];
        double number = told ? reason->contribution : reason->relevance;
        size_t columns = hs_text_width(value_word(e, reason, &doc));
        most = fmax(most, fabs(number));
        least = fmin(least, number);
        highest = fmax(highest, number);
        sampled = fmax(sampled, reason->error);
        words = columns > words ? columns : words;
    }
    int left = least < 0 ? highest > 0 ? BAR / 2 : BAR : 0;
    const struct lines l = {.e = e,
                            .out = out,
                            .doc = &doc,
                            .most = most,
                            .left = left,
                            .right = BAR - left,
                            .ascii = style->ascii,
                            .sampled = sampled > 0};
    size_t indent = (told || relevance ? 8 + 2 + (l.sampled ? 8 : 0) + BAR + 2 : 0) + words + 2;
    if (e->count)
        hs_writer_char(out, '\n');
    if (e->count && told) {
        put_number(&l, hs_say(&doc, numeric ? "%.6g" : "%+.3f", e->prior), (double)NAN, prior);
        hs_writer_printf(out, "%-*s  (%s)\n", (int)words, "",
                         e->reasoning != HS_REASONS_OWEN ? "prior"
                         : e->background_count           ? "those others"
                                                         : "an instance that has nothing");
    }
    if (e->count && e->reasoning == HS_REASONS_OWEN &&
        (!numeric || e->absent != 0 || e->absent_error > 0)) {
        put_number(&l, effect(e, e->absent, &doc), e->absent_error, e->absent);
        hs_writer_printf(out, "%-*s  (all that it lacks)\n", (int)words, "");
    }
    for (uint32_t i = 0; i < shown; i++) {
        const hs_reason *reason = &e->reasons[i];
        uint32_t f = reason->feature;
        const char *value = value_word(e, reason, &doc), *word = feature_word(e, f, &doc);
        if (hs_about_label(&e->data->about, f))
            word = hs_say(&doc, "%s %s", word, feature_name(e, f));
        if (told)
            put_number(&l, effect(e, reason->contribution, &doc), reason->error,
                       reason->contribution);
        else if (relevance)
            put_number(&l, hs_say(&doc, "%.4f", reason->relevance), reason->error,
                       reason->relevance);
        hs_writer_printf(out, "%s%*s  %s", value, (int)(words - hs_text_width(value)), "", word);
        uint32_t steps = dag ? shortest_way(dag, f, from, queue, way) : 0;
        size_t used = indent + hs_text_width(word);
        const char *up = used < width ? way_text(&l, way, steps, width - used) : "";
        hs_writer_printf(out, "%s\n", up); /* the path is there, or on a separate line */
        if (!*up && *(up = way_text(&l, way, steps, width - indent)))
            hs_writer_printf(out, "%*s%s\n", (int)indent, "", up + 1);
        bool binary = e->data->types[f] == HSEL_BINARY && !numeric, both = told && relevance;
        if (binary || both)
            hs_writer_printf(out, "%*s%s%s%s\n", (int)indent, "",
                             binary ? counts_text(e, f, &doc) : "", binary && both ? "; " : "",
                             both ? hs_say(&doc, "%s %.4f",
                                           hs_model_scores(e->model) ? "relevance" : "importance",
                                           reason->relevance)
                                  : "");
        hs_arena_reset(&doc.arena);
    }
    if (e->count)
        put_rest(e, shown, out, &doc);
    if (style->whole && e->dag)
        HS_TRY(put_tree(e, out, &doc, error));
    return hs_document_check(&doc, error);
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
    size_t count;
    const uint32_t *row = hs_row(e->data, e->instance, &count);
    HS_TRY(hs_model_look(&scratch, e->model, e->data, e->instance, error));
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
    static const char *const reasonings[] = {[HS_REASONS_NONE] = NULL,
                                             [HS_REASONS_TERMS] = "terms",
                                             [HS_REASONS_PATH] = "path",
                                             [HS_REASONS_OWEN] = "owen"};
    hs_json json = {.out = out};
    const hsel_dataset *shape = e->model->shape;
    hs_json_put(&json, "{dataset:%s instance:%u id:%s", hsel_dataset_name(e->data), e->instance + 1,
                hsel_dataset_id(e->data, e->instance));
    hs_label_json(&json, &e->data->instance_about, e->instance);
    const bool numeric = hs_explains_number(e);
    const char *said = numeric ? "effect" : "log_odds";
    hs_json_put(&json, "selector:%s classifier:%s", e->model->selector.text,
                e->model->classifier.text);
    if (numeric)
        hs_json_put(&json, "target:%s observed:%g predicted:%g", hs_explained_target(e),
                    e->data->target ? e->data->target[e->instance] : (double)NAN, e->number);
    else
        hs_json_put(&json, "class:%s predicted:%s positive_class:%s probabilities:{",
                    class_name(e, hsel_dataset_class_of(e->data, e->instance)),
                    class_name(e, e->predicted),
                    shape->class_names.count == 2 ? class_name(e, shape->positive_class) : NULL);
    for (uint32_t c = 0; c < shape->class_names.count; c++)
        hs_json_put(&json, "%s:%g", class_name(e, c), e->probability[c]);
    if (!numeric)
        hs_json_put(&json, "}");
    hs_json_put(&json, "selected:%u sorted_by:%s", e->selected, e->order);
    hs_json_put(&json, numeric ? "effect_by:%s" : "log_odds_by:%s", reasonings[e->reasoning]);
    if (calibrated(e))
        hs_json_put(&json, "log_odds_of:%s", "before calibration");
    hs_json_put(&json, "prior:%g rest:%g", e->prior, isnan(e->prior) ? (double)NAN : e->rest);
    if (e->reasoning == HS_REASONS_OWEN) {
        hs_json_put(&json, "absent:%g", e->absent);
        if (e->absent_error > 0)
            hs_json_put(&json, "absent_error:%g", e->absent_error);
        hs_json_put(&json, "background:%u", e->background_count);
    }
    hs_json_put(&json, "features:[");
    for (uint32_t i = 0; i < e->count; i++) {
        const hs_reason *reason = &e->reasons[i];
        json_feature(&json, e, reason->feature);
        hs_json_put(&json, "relevance:%g %s:%g", reason->relevance, said, reason->contribution);
        if (reason->error > 0)
            hs_json_put(&json, "error:%g", reason->error);
        hs_json_put(&json, "}");
    }
    if (e->neighbours) {
        hs_json_put(&json, "] neighbours:[");
        for (uint32_t i = 0; i < e->neighbour_count; i++) {
            const hs_neighbour *n = &e->neighbours[i];
            hs_json_put(&json, "{instance:%u id:%s", n->instance + 1, n->id);
            if (numeric)
                hs_json_put(&json, "target:%g", n->target);
            else
                hs_json_put(&json, "class:%s", class_name(e, n->label));
            hs_json_put(&json, "distance:%g weight:%g shared:%u here:%u there:%u}", n->distance,
                        n->weight, n->shared, n->here, n->there);
        }
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

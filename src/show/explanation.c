/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Explanations as text (a screen of features, and a tree on demand) and as JSON.
 */

#include "show/explanation.h"
#include "show/document.h"
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

/* What a feature says: log-odds, or what it adds to a number. */
static const char *effect(const hs_explanation *e, double value, hs_document *doc)
{
    return hs_say(doc, hs_explains_number(e) ? "%+.4g" : "%+.3f", value);
}

static const char *error_text(const hs_explanation *e, double value, hs_document *doc)
{
    return hs_say(doc, hs_explains_number(e) ? "%-5.3g" : "%-5.3f", value);
}

/* The signs of the text, in UTF-8 and in ASCII. */
struct signs {
    const char *dots, *below, *plus_minus;
};
static const struct signs signs[] = {{"…", "‹", "±"}, {"...", "<", "+-"}};

/* A bar from an axis: `left` columns before it and `right` behind; the longest stands for `most`.
 */
static void put_bar(hs_writer *out, double value, double most, int left, int right, bool ascii)
{
    static const char *const parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    bool before = value < 0 && left;
    int room = before ? left : right;
    double length = most > 0 && !isnan(value) ? fabs(value) / most * room : 0;
    int eighths = (int)lround(8 * length), whole = eighths / 8, part = eighths % 8;
    if (ascii || before) { /* from the right there are but halves, and in ASCII none */
        part = !ascii && part >= 4;
        whole = ascii ? (int)lround(length) : whole;
    }
    int used = whole + (part > 0 && !ascii);
    hs_writer_printf(out, "%*s", before ? left - used : left, "");
    if (before && part)
        hs_writer_text(out, "▐");
    for (int i = 0; i < whole; i++)
        hs_writer_text(out, ascii ? "#" : "█");
    if (!before && part && !ascii)
        hs_writer_text(out, parts[part]);
    hs_writer_printf(out, "%*s", before ? right : right - used, "");
}

/* How people call a feature: its label, or else its name. */
static const char *feature_word(const hs_explanation *e, uint32_t feature, hs_document *doc)
{
    const char *label = hs_about_label(&e->data->about, feature);
    return hs_say_cut(doc, label ? label : feature_name(e, feature), HS_LABEL_WIDTH);
}

/* The shortest way up from a feature to a root, over the lowest numbers: into way[nodes], the
 * feature first. Returns its length. `from` is scratch, all HSEL_NONE before and after. */
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
    for (uint32_t i = 0; i < length / 2; i++) { /* from the feature up */
        uint32_t other = way[i];
        way[i] = way[length - 1 - i];
        way[length - 1 - i] = other;
    }
    for (uint32_t i = 0; i < met; i++)
        from[queue[i]] = HSEL_NONE;
    return length;
}

/* " ‹ organelle organization ‹ … 2 terms … ‹ cellular process" in this many columns: as many of
 * the nearest terms as fit, what is left out as a number, and the root. */
static const char *way_text(const hs_explanation *e, const uint32_t *way, uint32_t length,
                            size_t columns, const struct signs *s, hs_document *doc)
{
    const char *best = "", *near = "";
    for (uint32_t shown = 0; shown < length; shown++) {
        uint32_t hidden = length - 1 - shown;
        const char *gap = hidden ? hs_say(doc, " %s %s %u term%s %s", s->below, s->dots, hidden,
                                          hidden == 1 ? "" : "s", s->dots)
                                 : "";
        const char *text =
            hs_say(doc, "%s%s %s %s", near, gap, s->below, feature_word(e, way[length - 1], doc));
        if (hs_text_width(text) <= columns)
            best = text;
        near = hs_say(doc, "%s %s %s", near, s->below, feature_word(e, way[shown], doc));
        if (hs_text_width(near) > columns)
            break;
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

/* Log-odds are those of the classifier itself, probabilities those of the curve. */
static bool calibrated(const hs_explanation *e) { return e->model->pipeline.fitted->adjust.curves; }

/* Where the numbers of the features come from. */
static void put_reasoning(const hs_explanation *e, size_t width, hs_writer *out, hs_document *doc)
{
    enum { INDENT = 11 };
    const char *method = e->model->classifier.method->name, *class = class_name(e, e->predicted),
               *adds = "", *words = "", *prior = "the prior", *half = "";
    const bool numeric = hs_explains_number(e);
    if (numeric)
        class = hs_explained_target(e);
    double sum = e->prior + e->absent, rest = 0;
    for (uint32_t i = 0; i < e->selected; i++)
        sum += e->reasons[i].contribution;
    for (uint32_t c = 0; c < e->model->shape->class_names.count; c++)
        rest += c == e->predicted ? 0 : e->probability[c];
    if (e->reasoning == HS_REASONS_OWEN) {
        prior = "theirs";
        half = "vote";
    } else if (e->reasoning == HS_REASONS_PATH)
        half = "instance";
    /* Of shares, which can be 0 or 1, they are finite by half a vote or instance more. */
    if (*half && !numeric && !(fabs(sum - log(e->probability[e->predicted] / rest)) < 0.0005))
        half = hs_say(doc, ", in which half %s %s more counts on either side",
                      *half == 'v' ? "a" : "an", half);
    else
        half = "";
    if (numeric)
        adds = hs_say(doc, "; with %s they add up to what is predicted",
                      e->reasoning == HS_REASONS_OWEN ? "the mean predicted for these"
                                                      : "what there is without them");
    else if (calibrated(e))
        adds = hs_say(doc,
                      "; with %s they add up to those before calibration, which changes the "
                      "probability",
                      prior);
    else if (e->model->shape->class_names.count == 2)
        adds = hs_say(doc, "; with %s they add up to those of the prediction%s", prior, half);
    switch (e->reasoning) {
    case HS_REASONS_TERMS:
        words = hs_say(doc, "%s %s, %s's own%s", numeric ? "on" : "for", class, method, adds);
        break;
    case HS_REASONS_PATH:
        words = hs_say(doc, "%s %s: what each test on the way down the tree changes%s",
                       numeric ? "on" : "for", class, adds);
        break;
    case HS_REASONS_OWEN:
        words = hs_say(doc, "%s %s: Owen values along the hierarchy, against %s%s",
                       numeric ? "on" : "for", class,
                       e->background_count ? hs_plural(doc, e->background_count, "other instance",
                                                       "other instances")
                                           : "an instance that has nothing",
                       adds);
        break;
    case HS_REASONS_NONE:
        if (e->selected)
            words = hs_say(doc, "none: %s has none of single features; these are sorted by %s",
                           method, e->order);
        break;
    }
    if (*words) {
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

static void put_head(const hs_explanation *e, hs_writer *out, const char *methods, hs_document *doc)
{
    const char *id = hsel_dataset_id(e->data, e->instance);
    const char *class = class_name(e, hsel_dataset_class_of(e->data, e->instance));
    uint32_t classes = e->model->shape->class_names.count, shown = 0;
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
        hs_writer_printf(out, "\nmethods    %s\nselected   %s of %s features\n", methods,
                         hs_grouped(doc, e->selected), hs_grouped(doc, e->data->features));
        return;
    }
    hs_writer_printf(out, "predicted  %s, P = %.4f", class_name(e, e->predicted),
                     e->probability[e->predicted]);
    /* The others, or the likeliest of them. */
    uint32_t named[3] = {HSEL_NONE, HSEL_NONE, HSEL_NONE};
    for (; shown < 3 && shown + 1 < classes; shown++) {
        uint32_t next = HSEL_NONE;
        for (uint32_t c = 0; c < classes; c++)
            if (c != e->predicted && c != named[0] && c != named[1] &&
                (next == HSEL_NONE || e->probability[c] > e->probability[next]))
                next = c;
        named[shown] = next;
        hs_writer_printf(out, "%s%s %.4f", shown ? ", " : " (", class_name(e, next),
                         e->probability[next]);
    }
    if (shown + 1 < classes)
        hs_writer_printf(out, ", %u more", classes - 1 - shown);
    hs_writer_printf(out, "%s\nmethods    %s\nselected   %s of %s features\n", shown ? ")" : "",
                     methods, hs_grouped(doc, e->selected), hs_grouped(doc, e->data->features));
}

/* What is left out of the list, and what all of it adds up to. */
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

/* The whole part of the hierarchy, each term with its children where it is first met. Depth first
 * with a stack of our own: at most every edge and every root waits on it. */
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

int hs_explanation_text(const hs_explanation *explanation, const hs_text_style *style,
                        hs_writer *out, hsel_error *error)
{
    enum { BAR = 12 };
    const hs_explanation *e = explanation;
    const struct signs *s = &signs[style->ascii];
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
    put_head(e, out,
             hs_say(&doc, "%s, %s", hs_say_chosen(&doc, &e->model->selector),
                    hs_say_chosen(&doc, &e->model->classifier)),
             &doc);
    put_reasoning(e, width, out, &doc);
    put_neighbours(e, out, &doc, style->top ? 5 : UINT32_MAX);
    /* All features have a relevance, or none has; likewise what they say. */
    bool told = !isnan(e->prior), relevance = e->count && !isnan(e->reasons[0].relevance);
    bool numbers = told || relevance;
    const char *relevant = hs_model_scores(e->model) ? "relevance" : "importance";
    /* A number before features are looked at is not one of their effects, and has no bar. */
    double prior = told && !hs_explains_number(e) ? e->prior : 0;
    double most = told ? fmax(fabs(prior), fabs(e->absent)) : 0;
    double least = told ? fmin(prior, e->absent) : 0, highest = told ? fmax(prior, e->absent) : 0;
    double sampled = e->absent_error;
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
    int left = least < 0 ? highest > 0 ? BAR / 2 : BAR : 0, right = BAR - left;
    size_t indent = (numbers ? 8 + 2 + (sampled > 0 ? 8 : 0) + BAR + 2 : 0) + words + 2;
    if (e->count)
        hs_writer_char(out, '\n');
    if (e->count && told) {
        hs_writer_printf(out, hs_explains_number(e) ? "%8.6g  %*s" : "%+8.3f  %*s", e->prior,
                         sampled > 0 ? 8 : 0, "");
        put_bar(out, prior, most, left, right, style->ascii);
        hs_writer_printf(out, "  %-*s  (%s)\n", (int)words, "",
                         e->reasoning != HS_REASONS_OWEN ? "prior"
                         : e->background_count           ? "those others"
                                                         : "an instance that has nothing");
    }
    bool lacks = !hs_explains_number(e) || e->absent != 0 || e->absent_error > 0;
    if (e->count && e->reasoning == HS_REASONS_OWEN && lacks) {
        hs_writer_printf(out, "%8s", effect(e, e->absent, &doc));
        if (sampled > 0)
            hs_writer_printf(out, " %s%s ", s->plus_minus, error_text(e, e->absent_error, &doc));
        hs_writer_text(out, "  ");
        put_bar(out, e->absent, most, left, right, style->ascii);
        hs_writer_printf(out, "  %-*s  (all that it lacks)\n", (int)words, "");
    }
    for (uint32_t i = 0; i < shown; i++) {
        const hs_reason *reason = &e->reasons[i];
        uint32_t f = reason->feature;
        const char *value = value_word(e, reason, &doc), *word = feature_word(e, f, &doc),
                   *name = hs_about_label(&e->data->about, f) ? feature_name(e, f) : "";
        if (numbers) {
            double number = told ? reason->contribution : reason->relevance;
            if (told)
                hs_writer_printf(out, "%8s", effect(e, number, &doc));
            else
                hs_writer_printf(out, "%8.4f", number);
            if (sampled > 0)
                hs_writer_printf(out, " %s%s ", s->plus_minus, error_text(e, reason->error, &doc));
            hs_writer_text(out, "  ");
            put_bar(out, number, most, left, right, style->ascii);
            hs_writer_text(out, "  ");
        }
        hs_writer_printf(out, "%s%*s  %s%s%s", value, (int)(words - hs_text_width(value)), "", word,
                         *name ? " " : "", name);
        size_t used = indent + hs_text_width(word) + (*name ? 1 : 0) + hs_text_width(name);
        /* The way up: behind it, or on a line of its own. */
        uint32_t steps = dag ? shortest_way(dag, f, from, queue, way) : 0;
        const char *up =
            steps && used < width ? way_text(e, way, steps, width - used, s, &doc) : "";
        hs_writer_printf(out, "%s\n", up);
        if (steps && !*up)
            up = way_text(e, way, steps, width - indent, s, &doc);
        else
            up = "";
        if (*up)
            hs_writer_printf(out, "%*s%s\n", (int)indent, "", up + 1);
        bool binary = e->data->types[f] == HSEL_BINARY && !hs_explains_number(e),
             both = told && relevance;
        if (binary || both)
            hs_writer_printf(out, "%*s", (int)indent, "");
        if (binary)
            hs_writer_text(out, counts_text(e, f, &doc));
        if (both)
            hs_writer_printf(out, "%s%s %.4f", binary ? "; " : "", relevant, reason->relevance);
        if (binary || both)
            hs_writer_char(out, '\n');
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
    static const char *const reasonings[] = {[HS_REASONS_NONE] = NULL,
                                             [HS_REASONS_TERMS] = "terms",
                                             [HS_REASONS_PATH] = "path",
                                             [HS_REASONS_OWEN] = "owen"};
    hs_json json = {.out = out};
    const hsel_dataset *shape = e->model->shape;
    HS_OWNS(hs_document_clear) hs_document doc = {0};
    const char *selector = hs_say_chosen(&doc, &e->model->selector),
               *classifier = hs_say_chosen(&doc, &e->model->classifier);
    HS_TRY(hs_document_check(&doc, error));
    hs_json_put(&json, "{dataset:%s instance:%u id:%s", hsel_dataset_name(e->data), e->instance + 1,
                hsel_dataset_id(e->data, e->instance));
    hs_label_json(&json, &e->data->instance_about, e->instance);
    const bool numeric = hs_explains_number(e);
    const char *said = numeric ? "effect" : "log_odds";
    hs_json_put(&json, "selector:%s classifier:%s", selector, classifier);
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
        hs_json_put(&json, "relevance:%g", reason->relevance);
        HS_JSON(&json, said, reason->contribution);
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

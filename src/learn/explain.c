/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Computes an explanation: predict, collect the selected features and their contributions, sort,
 * reduce the hierarchy.
 */
#include "learn/explain.h"

#include <float.h>

#include "classify/classify.h"
#include "learn/owen.h"
#include "stats/metrics.h"

void hs_explanation_clear(hs_explanation *explanation)
{
    HS_FREE(explanation->probability, explanation->reasons, explanation->nodes,
            explanation->reason_of, explanation->neighbours, explanation->background);
    hs_dag_free(explanation->dag);
    *explanation = (hs_explanation){0};
}

double hs_explanation_value(const hs_explanation *explanation, uint32_t feature)
{
    return hs_dataset_value(explanation->data, feature, explanation->instance);
}

/* ---- Owen values ----
 *
 * Players are the selected features that the instance has (positive ones, and numeric and nominal
 * ones whose value is known), and one for all that it lacks. A set of them is worth the log-odds of
 * the predicted class, or the number that is predicted, for instances of a background in which
 * these features are as in the instance, and the others as they were; the mean over the background.
 * With a positive feature its ancestors are positive, with those that it lacks all below them are
 * negative, so that the true-path rule holds. Each player stands below the deepest of its parents
 * (the one of greater support, the first), or the first player above that. */

#define BACKGROUND 8 /* instances, at most */

struct variant {         /* of one thread */
    hsel_dataset data;   /* HS_OWEN_BATCH instances, each with the features of a set */
    double *probability; /* [HS_OWEN_BATCH * classes] */
    double *score;
    hs_selection selection; /* of a lazy selector, for one of them */
    hs_model_scratch scratch;
    uint32_t *mark, round; /* [features]: positive now */
};

struct players {
    const hs_explanation *e;
    hs_arena arena;         /* of the lists here and in the variants */
    uint32_t count;         /* the last: all that the instance lacks */
    uint32_t *feature, *up; /* [count]; the feature of the last is HSEL_NONE */
    uint32_t *of_feature;   /* [features]: player, HSEL_NONE: it is not one */
    bool *selected, *has;   /* [features]: the instance is positive */
    uint32_t *deep;         /* [count - 1]: players, each before those above it */
    struct variant *variant;
    int workers;
};

static void players_clear(struct players *p)
{
    for (int w = 0; p->variant && w < p->workers; w++)
        hs_model_scratch_clear(&p->variant[w].scratch);
    hs_arena_clear(&p->arena);
}

/* Log-odds of the predicted class, or the predicted number; half a vote on either side where
 * probabilities are votes. */
static double log_odds(const hs_explanation *e, const double *probability, const double *score)
{
    if (hs_explains_number(e))
        return *score;
    const hs_classifier *classifier = e->model->classifier.method->classifier;
    double votes = classifier->votes ? classifier->votes(hs_model_fitted(e->model)) : 0;
    double own = probability[e->predicted], rest = 0;
    for (uint32_t c = 0; c < e->model->shape->class_names.count; c++)
        rest += c == e->predicted ? 0 : probability[c];
    if (votes > 0)
        return log((votes * own + 0.5) / (votes * rest + 0.5));
    return log(fmax(own, DBL_MIN)) - log(fmax(rest, DBL_MIN));
}

/* Marks a feature and, with it, what the instance has above it. */
static void mark_up(const struct players *p, struct variant *v, uint32_t feature)
{
    const hsel_dag *dag = p->e->model->shape->dag;
    uint32_t *stack = v->selection.negative, waiting = 0; /* filled later */
    v->mark[feature] = v->round;
    stack[waiting++] = feature;
    while (dag && waiting > 0) {
        size_t parents;
        const uint32_t *parent = hs_parents(dag, stack[--waiting], &parents);
        for (size_t j = 0; j < parents; j++)
            if (p->has[parent[j]] && v->mark[parent[j]] != v->round) {
                v->mark[parent[j]] = v->round;
                stack[waiting++] = parent[j];
            }
    }
}

/* The features of an instance of the background in which the players of the set have come, and of a
 * selection for it. */
static void vary(const struct players *p, struct variant *v, uint32_t at, uint32_t draw,
                 const uint64_t *set)
{
    const hsel_dataset *data = p->e->data;
    const uint32_t other =
        p->e->background_count ? p->e->background[draw] : HSEL_NONE; /* one that has nothing */
    const bool lacks = hs_bit_get(set, p->count - 1);
    size_t count, others = 0, i = 0, j = 0;
    const uint32_t *row = hs_row(data, p->e->instance, &count),
                   *of_other = other == HSEL_NONE ? NULL : hs_row(data, other, &others);
    uint64_t end = v->data.rows.start[at];
    v->round++;
    for (uint32_t k = 0; k + 1 < p->count; k++) {
        uint32_t player = p->deep[k], f = p->feature[player];
        if (hs_bit_get(set, player) && data->types[f] == HSEL_BINARY && v->mark[f] != v->round)
            mark_up(p, v, f);
    }
    for (size_t k = 0; k < others; k++)
        if (p->has[of_other[k]] || !lacks)
            v->mark[of_other[k]] = v->round;
    while (i < count || j < others) { /* ascending */
        uint32_t f = j == others || (i < count && row[i] <= of_other[j]) ? row[i] : of_other[j];
        i += i < count && row[i] == f;
        j += j < others && of_other[j] == f;
        if (v->mark[f] == v->round)
            v->data.rows.index[end++] = f;
    }
    v->data.rows.start[at + 1] = end;
    for (uint32_t f = 0; data->slot && f < data->features; f++) {
        if (data->types[f] == HSEL_BINARY)
            continue;
        bool own = !p->selected[f] ||
                   hs_bit_get(set, p->of_feature[f] == HSEL_NONE ? p->count - 1 : p->of_feature[f]);
        double value = own                  ? hs_explanation_value(p->e, f)
                       : other == HSEL_NONE ? (double)NAN
                                            : hs_dataset_value(data, f, other);
        if (data->types[f] == HSEL_NUMERIC)
            v->data.numeric[data->slot[f]].values[at] = value;
        else
            v->data.nominal[data->slot[f]].codes[at] =
                isnan(value) ? HS_MISSING_CODE : (uint32_t)value;
    }
    hs_selection *to = &v->selection;
    to->all_negative = false;
    to->positive_count = to->negative_count = 0;
    for (uint32_t f = 0; !p->e->model->pipeline.mask && f < data->features; f++) {
        if (!p->selected[f])
            continue;
        if (data->types[f] == HSEL_BINARY && v->mark[f] == v->round)
            to->positive[to->positive_count++] = f;
        else
            to->negative[to->negative_count++] = f;
    }
}

static int worth(void *context, int worker, uint32_t draw, const uint64_t *sets, uint32_t count,
                 double *out, hsel_error *error)
{
    const struct players *p = context;
    const hs_model *model = p->e->model;
    struct variant *v = p->variant + worker;
    const size_t words = hs_bit_words(p->count), classes = model->shape->class_names.count,
                 answers = hs_answers((uint32_t)classes);
    const uint32_t most = model->pipeline.mask ? count : 1; /* at once */
    uint32_t instances[HS_OWEN_BATCH];
    for (uint32_t i = 0; i < most; i++)
        instances[i] = i;
    for (uint32_t at = 0; at < count; at += most) {
        for (uint32_t i = 0; i < most; i++)
            vary(p, v, i, draw, sets + (at + i) * words);
        HS_TRY(model->classifier.method->classifier->predict(
            hs_model_fitted(model),
            &(hs_batch){&v->data, instances, most, model->pipeline.mask ? NULL : &v->selection},
            *v->scratch.predictor.scratch, v->probability, v->score, error));
        for (uint32_t i = 0; i < most; i++)
            out[at + i] = log_odds(p->e, v->probability + i * classes, v->score + i * answers);
    }
    return HSEL_OK;
}

/* The instance HS_OWEN_BATCH times, to be varied. */
static int variant_init(struct players *p, struct variant *v, hsel_error *error)
{
    const hsel_dataset *data = p->e->data;
    const size_t classes = p->e->model->shape->class_names.count, features = data->features;
    hs_arena *arena = &p->arena;
    hsel_dataset *to = &v->data;
    size_t count, most = 0;
    for (uint32_t i = 0; i < p->e->background_count; i++) {
        hs_row(data, p->e->background[i], &count);
        most = count > most ? count : most;
    }
    hs_row(data, p->e->instance, &count);
    count += most;
    *to = *data;
    to->instances = HS_OWEN_BATCH;
    to->columns = (hs_sparse){0}; /* predictions do not use them */
    to->rows = (hs_sparse){.lists = HS_OWEN_BATCH};
    double *values = HS_ARENA_NEW(arena, double, (size_t)HS_OWEN_BATCH * data->numeric_count);
    uint32_t *codes = HS_ARENA_NEW(arena, uint32_t, (size_t)HS_OWEN_BATCH * data->nominal_count);
    HS_NEED(values && codes);
    HS_NEED(HS_LISTS(arena, v, HS_PART(v, data.rows.start, HS_OWEN_BATCH + 1),
                     HS_PART(v, data.rows.index, HS_OWEN_BATCH * count),
                     HS_PART(v, data.numeric, data->numeric_count),
                     HS_PART(v, data.nominal, data->nominal_count),
                     HS_PART(v, probability, HS_OWEN_BATCH * classes),
                     HS_PART(v, score, HS_OWEN_BATCH * hs_answers((uint32_t)classes)),
                     HS_PART(v, selection.positive, features),
                     HS_PART(v, selection.negative, features), HS_PART(v, mark, features)));
    for (uint32_t f = 0; data->slot && f < features; f++) { /* vary fills them */
        const uint32_t slot = data->slot[f];
        if (data->types[f] == HSEL_NUMERIC)
            to->numeric[slot] = (hs_numeric_column){.values = values + (size_t)HS_OWEN_BATCH * slot,
                                                    .count = HS_OWEN_BATCH};
        if (data->types[f] == HSEL_NOMINAL)
            to->nominal[slot] = (hs_nominal_column){.codes = codes + (size_t)HS_OWEN_BATCH * slot,
                                                    .values = data->nominal[slot].values};
    }
    return hs_model_scratch_init(&v->scratch, p->e->model, error);
}

/* Other instances of the data, all or as many as drawn without repeats; ascending. */
static int find_background(hs_explanation *e, hsel_error *error)
{
    const uint32_t others = e->data->instances - 1;
    const uint32_t wanted = e->samples && e->samples < BACKGROUND ? e->samples : BACKGROUND;
    uint32_t left = e->background_count = others < wanted ? others : wanted;
    hs_stream stream;
    hs_stream_init(&stream, e->seed, "background", 0, 0);
    HS_NEED(e->background = HS_NEW(uint32_t, e->background_count));
    for (uint32_t i = 0, at = 0; left > 0; i++) { /* each with its remaining share */
        uint32_t row = i + (i >= e->instance);
        if (hs_random_below(&stream, others - i) < left) {
            e->background[at++] = row;
            left--;
        }
    }
    return HSEL_OK;
}

/* The values of all features into `said` and `error_of`, [features] each; the prior. */
static int find_owen(hs_explanation *e, double *said, double *error_of, hsel_error *error)
{
    const uint32_t features = e->data->features, classes = e->model->shape->class_names.count;
    const hsel_dag *dag = e->model->shape->dag;
    HS_OWNS(players_clear)
    struct players p = {.e = e, .workers = e->threads > 0 ? e->threads : 1};
    size_t count;
    const uint32_t *row = hs_row(e->data, e->instance, &count);
    uint32_t *near = HS_ARENA_NEW(&p.arena, uint32_t, features); /* player at or above */
    double *value = HS_ARENA_NEW(&p.arena, double, (size_t)features + 1);
    double *spread = HS_ARENA_NEW(&p.arena, double, (size_t)features + 1);
    struct players *all = &p;
    HS_NEED(near && value && spread);
    HS_NEED(HS_LISTS(&p.arena, all, HS_PART(all, feature, (size_t)features + 1),
                     HS_PART(all, up, (size_t)features + 1), HS_PART(all, deep, features),
                     HS_PART(all, of_feature, features), HS_PART(all, selected, features),
                     HS_PART(all, has, features), HS_PART(all, variant, (size_t)p.workers)));
    HS_TRY(find_background(e, error));
    for (size_t i = 0; i < count; i++)
        p.has[row[i]] = true;
    for (uint32_t f = 0; f < features; f++)
        p.of_feature[f] = near[f] = HSEL_NONE;
    for (uint32_t i = 0; i < e->selected; i++) { /* by feature, so that the order is one */
        const hs_reason *reason = &e->reasons[i];
        bool has = e->data->types[reason->feature] == HSEL_BINARY ? reason->value != 0
                                                                  : !isnan(reason->value);
        p.selected[reason->feature] = true;
        p.of_feature[reason->feature] = has ? 0 : HSEL_NONE;
    }
    for (uint32_t f = 0; f < features; f++)
        if (p.of_feature[f] != HSEL_NONE) {
            p.up[p.count] = HSEL_NONE;
            p.deep[p.count] = p.count;
            p.feature[p.count] = f;
            p.of_feature[f] = p.count++;
        }
    for (uint32_t i = 0, at = p.count; dag && i < dag->nodes; i++) { /* parents before children */
        uint32_t v = dag->order[i], best = HSEL_NONE;
        uint64_t most = 0;
        size_t parents;
        const uint32_t *parent = hs_parents(dag, v, &parents);
        for (size_t j = 0; j < parents; j++) {
            uint64_t support = 0;
            for (uint32_t c = 0; c < classes; c++)
                support += hs_count(&e->model->counts, parent[j], c);
            if (best == HSEL_NONE || dag->depth[parent[j]] > dag->depth[best] ||
                (dag->depth[parent[j]] == dag->depth[best] && support > most)) {
                best = parent[j];
                most = support;
            }
        }
        near[v] = best == HSEL_NONE ? HSEL_NONE : near[best];
        if (p.of_feature[v] != HSEL_NONE) {
            p.up[p.of_feature[v]] = near[v];
            p.deep[--at] = near[v] = p.of_feature[v];
        }
    }
    p.up[p.count] = HSEL_NONE;
    p.feature[p.count++] = HSEL_NONE;
    for (struct variant *v = p.variant; v < p.variant + p.workers; v++)
        HS_TRY(variant_init(&p, v, error));
    HS_TRY(hs_owen_values(&(hs_game){.players = p.count,
                                     .up = p.up,
                                     .worth = worth,
                                     .context = &p,
                                     .draws = e->background_count ? e->background_count : 1,
                                     .pairs = e->samples,
                                     .seed = e->seed,
                                     .threads = p.workers,
                                     .progress = e->progress},
                          &e->prior, &e->log_odds, value, spread, &e->sampled, error));
    for (uint32_t i = 0; i + 1 < p.count; i++) {
        said[p.feature[i]] = value[i];
        error_of[p.feature[i]] = spread[i];
    }
    e->absent = value[p.count - 1];
    e->absent_error = spread[p.count - 1];
    return HSEL_OK;
}

/* ---- what was selected ---- */

static void collect(void *context, uint32_t feature, bool positive)
{
    hs_explanation *e = context;
    const hs_classifier *classifier = e->model->classifier.method->classifier;
    const double *relevance = hs_model_scores(e->model);
    e->reasons[e->selected++] =
        (hs_reason){.feature = feature,
                    .value = positive ? 1 : hs_explanation_value(e, feature),
                    .relevance = relevance ? relevance[feature]
                                 : classifier->importance
                                     ? classifier->importance(hs_model_fitted(e->model), feature)
                                     : (double)NAN,
                    .contribution = NAN};
}

/* Higher first; what is no number does not decide. */
static int downwards(double a, double b) { return a > b ? -1 : a < b ? 1 : 0; }

static int compare_reasons(const void *a, const void *b)
{
    const hs_reason *x = a, *y = b;
    int order = downwards(fabs(x->contribution), fabs(y->contribution));
    if (!order && isnan(x->contribution))
        order = downwards(x->relevance, y->relevance);
    if (!order && isnan(x->contribution) && isnan(x->relevance)) /* what the instance has */
        order = (fabs(y->value) > 0) - (fabs(x->value) > 0);
    return order ? order : (x->feature > y->feature) - (x->feature < y->feature);
}

static int find_reasons(hs_explanation *e, uint32_t top, hsel_error *error)
{
    HS_OWNS(hs_model_scratch_clear) hs_model_scratch scratch = {0};
    const hs_classifier *classifier = e->model->classifier.method->classifier;
    uint32_t classes = e->model->shape->class_names.count;
    bool numeric = e->model->shape->target != NULL;
    size_t count;
    const uint32_t *row = hs_row(e->data, e->instance, &count);
    const double *relevance = hs_model_scores(e->model);
    e->probability = HS_NEW(double, classes);
    e->reasons = HS_NEW(hs_reason, e->data->features);
    HS_NEED(e->probability && e->reasons);
    HS_TRY(hs_model_scratch_init(&scratch, e->model, error));
    HS_TRY(hs_model_predict(e->model, e->data, e->instance, 1, &scratch, e->probability, NULL, NULL,
                            error));
    e->predicted = numeric ? HSEL_NONE : hs_predicted_class(scratch.predictor.score, classes);
    e->number = numeric ? scratch.predictor.score[0] : (double)NAN;
    const hs_batch one = {e->data, &e->instance, 1,
                          e->model->pipeline.mask ? NULL : &scratch.predictor.selection};
    const void *fitted = hs_model_fitted(e->model);
    HS_OWNED double *said = HS_NEW_ZERO(double, e->data->features),
                    *error_of = HS_NEW_ZERO(double, e->data->features);
    HS_NEED(said && error_of);
    e->prior = e->log_odds = NAN;
    if (classifier->contributions && (classes > 1 || numeric))
        HS_TRY(classifier->contributions(fitted, &one, *scratch.predictor.scratch, e->predicted,
                                         &e->prior, said, error));
    if (classifier->neighbours)
        HS_TRY(classifier->neighbours(fitted, &one, *scratch.predictor.scratch, &e->neighbours,
                                      &e->neighbour_count, error));
    const hs_selection *selection = hs_model_selection(&scratch, e->data, e->instance);
    hs_selection_each(selection, e->data->features, row, count, collect, e);
    if (!isnan(e->prior)) {
        e->reasoning = classifier->by_path ? HS_REASONS_PATH : HS_REASONS_TERMS;
    } else if (e->samples != HSEL_NONE && (classes > 1 || numeric)) {
        HS_TRY(find_owen(e, said, error_of, error));
        e->reasoning = HS_REASONS_OWEN;
    }
    if (e->reasoning) {
        e->log_odds = e->prior + e->absent;
        for (uint32_t i = 0; i < e->selected; i++) {
            e->reasons[i].contribution = said[e->reasons[i].feature];
            e->reasons[i].error = error_of[e->reasons[i].feature];
            e->log_odds += e->reasons[i].contribution;
        }
    }
    e->order = e->reasoning             ? numeric ? "effect" : "log_odds"
               : relevance              ? "relevance"
               : classifier->importance ? "importance"
                                        : "value";
    qsort(e->reasons, e->selected, sizeof *e->reasons, compare_reasons);
    e->count = top && top < e->selected ? top : e->selected;
    for (uint32_t i = e->count; i < e->selected; i++)
        e->rest += e->reasons[i].contribution;
    return HSEL_OK;
}

/* ---- the hierarchy below them ---- */

static int find_hierarchy(hs_explanation *e, hsel_error *error)
{
    const hsel_dag *dag = e->model->shape->dag;
    if (!dag)
        return HSEL_OK;
    HS_OWNED bool *keep = HS_NEW_ZERO(bool, dag->nodes), *near = HS_NEW_ZERO(bool, dag->nodes);
    HS_OWNED uint32_t *place = HS_NEW(uint32_t, e->data->features);
    uint32_t count = 0;
    HS_NEED(keep && near && place);
    for (uint32_t i = 0; i < e->count; i++) {
        keep[e->reasons[i].feature] = true;
        near[e->reasons[i].feature] = e->reasons[i].value == 0;
    }
    HS_TRY(hs_dag_above(dag, keep, near, &e->dag, error));
    e->nodes = HS_NEW(uint32_t, e->dag->nodes);
    e->reason_of = HS_NEW(uint32_t, e->dag->nodes);
    HS_NEED(e->nodes && e->reason_of);
    for (uint32_t f = 0; f < e->data->features; f++)
        if (keep[f]) {
            e->reason_of[count] = HSEL_NONE;
            place[f] = count;
            e->nodes[count++] = f;
        }
    for (uint32_t i = 0; i < e->selected; i++)
        if (keep[e->reasons[i].feature]) /* also one that only stands above one that is shown */
            e->reason_of[place[e->reasons[i].feature]] = i;
    return HSEL_OK;
}

int hs_explain(const hs_model *model, const hsel_dataset *data, uint32_t instance, uint32_t top,
               hs_explanation *out, hsel_error *error)
{
    HS_OWNS(hs_explanation_clear)
    hs_explanation made = {.samples = out->samples,
                           .seed = out->seed,
                           .threads = out->threads,
                           .progress = out->progress,
                           .model = model,
                           .data = data,
                           .instance = instance};
    assert(instance < data->instances && data->features == model->shape->features);
    HS_TRY(find_reasons(&made, top, error));
    HS_TRY(find_hierarchy(&made, error));
    HS_MOVE(out, &made);
    return HSEL_OK;
}

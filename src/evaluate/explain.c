/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Working out an explanation: predict, collect what was selected and what it says, sort, cut the
 * hierarchy down.
 */
#include "evaluate/explain.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "classify/classify.h"
#include "core/arena.h"
#include "core/mem.h"
#include "evaluate/owen.h"
#include "stats/metrics.h"

void hs_explanation_clear(hs_explanation *explanation)
{
    HS_FREE(explanation->probability, explanation->reasons, explanation->nodes,
            explanation->reason_of, explanation->neighbours);
    hs_dag_free(explanation->dag);
    *explanation = (hs_explanation){0};
}

double hs_explanation_value(const hs_explanation *explanation, uint32_t feature)
{
    return hs_dataset_value(explanation->data, feature, explanation->instance);
}

/* ---- Owen values ----
 *
 * Players are the selected features that the instance has: positive ones, and numeric and nominal
 * ones whose value is known. A set of them is worth the log-odds of the predicted class for an
 * instance that has these alone: the other players are negative, or missing. What is not selected
 * stays as it is. Each player stands below the first of its parents that is a player or has one
 * above. */

struct variant {         /* of one thread */
    hsel_dataset data;   /* HS_OWEN_BATCH instances, each with the features of a set */
    double *probability; /* [HS_OWEN_BATCH * classes] */
    double *score;
    hs_selection selection; /* of a lazy selector, for one of them */
    hs_model_scratch scratch;
};

struct players {
    const hs_explanation *e;
    const hs_selection *selection; /* of the instance */
    hs_arena arena;                /* of the lists here and in the variants */
    uint32_t count;
    uint32_t *feature, *up; /* [count] */
    uint32_t *of_feature;   /* [features]: player, HSEL_NONE: it is not one */
    struct variant *variant;
    int workers;
};

static void players_clear(struct players *p)
{
    for (int w = 0; p->variant && w < p->workers; w++)
        hs_model_scratch_clear(&p->variant[w].scratch);
    hs_arena_clear(&p->arena);
}

/* Log-odds of the predicted class; half a vote on either side where probabilities are votes. */
static double log_odds(const hs_explanation *e, const double *probability)
{
    const hs_classifier *classifier = e->model->classifier.method->classifier;
    double votes = classifier->votes ? classifier->votes(e->model->classifier_model) : 0;
    double own = probability[e->predicted], rest = 0;
    for (uint32_t c = 0; c < e->model->shape->class_names.count; c++)
        rest += c == e->predicted ? 0 : probability[c];
    if (votes > 0)
        return log((votes * own + 0.5) / (votes * rest + 0.5));
    return log(fmax(own, DBL_MIN)) - log(fmax(rest, DBL_MIN));
}

static bool is_in(const struct players *p, const uint64_t *set, uint32_t feature)
{
    return p->of_feature[feature] == HSEL_NONE || hs_bit_get(set, p->of_feature[feature]);
}

/* The features of an instance, and of a selection for it, without the players outside the set. */
static void vary(const struct players *p, struct variant *v, uint32_t at, const uint64_t *set)
{
    const hsel_dataset *data = p->e->data;
    size_t count;
    const uint32_t *row = hs_row(data, p->e->instance, &count);
    uint64_t end = v->data.rows.start[at];
    for (size_t i = 0; i < count; i++)
        if (is_in(p, set, row[i]))
            v->data.rows.index[end++] = row[i];
    v->data.rows.start[at + 1] = end;
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t f = p->feature[i];
        double value = data->types[f] == HSEL_BINARY || !hs_bit_get(set, i)
                           ? (double)NAN
                           : hs_explanation_value(p->e, f);
        if (data->types[f] == HSEL_NUMERIC)
            v->data.numeric[data->slot[f]].values[at] = value;
        if (data->types[f] == HSEL_NOMINAL)
            v->data.nominal[data->slot[f]].codes[at] =
                isnan(value) ? HS_MISSING_CODE : (uint32_t)value;
    }
    if (p->e->model->mask)
        return;
    const hs_selection *from = p->selection;
    hs_selection *to = &v->selection;
    uint32_t next = 0; /* of the negative ones, which stay; those that have become so go between */
    to->all_negative = from->all_negative;
    to->positive_count = to->negative_count = 0;
    for (uint32_t i = 0; i < from->positive_count; i++) {
        uint32_t f = from->positive[i];
        if (is_in(p, set, f)) {
            to->positive[to->positive_count++] = f;
        } else if (!to->all_negative) {
            while (next < from->negative_count && from->negative[next] < f)
                to->negative[to->negative_count++] = from->negative[next++];
            to->negative[to->negative_count++] = f;
        }
    }
    while (!to->all_negative && next < from->negative_count)
        to->negative[to->negative_count++] = from->negative[next++];
}

static int worth(void *context, int worker, const uint64_t *sets, uint32_t count, double *out,
                 hsel_error *error)
{
    const struct players *p = context;
    const hs_model *model = p->e->model;
    struct variant *v = p->variant + worker;
    const size_t words = hs_bit_words(p->count), classes = model->shape->class_names.count;
    const uint32_t most = model->mask ? count : 1; /* at once */
    uint32_t instances[HS_OWEN_BATCH];
    for (uint32_t i = 0; i < most; i++)
        instances[i] = i;
    for (uint32_t at = 0; at < count; at += most) {
        for (uint32_t i = 0; i < most; i++)
            vary(p, v, i, sets + (at + i) * words);
        HS_TRY(model->classifier.method->classifier->predict(
            model->classifier_model,
            &(hs_batch){&v->data, instances, most, model->mask ? NULL : &v->selection},
            v->scratch.classifier, v->probability, v->score, error));
        for (uint32_t i = 0; i < most; i++)
            out[at + i] = log_odds(p->e, v->probability + i * classes);
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
    size_t count;
    hs_row(data, p->e->instance, &count);
    *to = *data;
    to->instances = HS_OWEN_BATCH;
    to->columns = (hs_sparse){0}; /* nothing that predicts looks at them */
    to->rows = (hs_sparse){.start = hs_arena_zero(arena, HS_OWEN_BATCH + 1, sizeof(uint64_t)),
                           .index = HS_ARENA_NEW(arena, uint32_t, HS_OWEN_BATCH * count),
                           .lists = HS_OWEN_BATCH};
    to->numeric = HS_ARENA_NEW(arena, hs_numeric_column, data->numeric_count);
    to->nominal = HS_ARENA_NEW(arena, hs_nominal_column, data->nominal_count);
    double *values = HS_ARENA_NEW(arena, double, (size_t)HS_OWEN_BATCH * data->numeric_count);
    uint32_t *codes = HS_ARENA_NEW(arena, uint32_t, (size_t)HS_OWEN_BATCH * data->nominal_count);
    v->probability = HS_ARENA_NEW(arena, double, HS_OWEN_BATCH *classes);
    v->score = HS_ARENA_NEW(arena, double, HS_OWEN_BATCH *classes);
    v->selection.positive = HS_ARENA_NEW(arena, uint32_t, features);
    v->selection.negative = HS_ARENA_NEW(arena, uint32_t, features);
    HS_NEED(to->rows.start && to->rows.index && to->numeric && to->nominal && values && codes &&
            v->probability && v->score && v->selection.positive && v->selection.negative);
    for (uint32_t f = 0; data->slot && f < features; f++) {
        double value = data->types[f] == HSEL_BINARY ? 0 : hs_explanation_value(p->e, f);
        uint32_t slot = data->slot[f];
        if (data->types[f] == HSEL_NUMERIC)
            to->numeric[slot] = (hs_numeric_column){.values = values + (size_t)HS_OWEN_BATCH * slot,
                                                    .count = HS_OWEN_BATCH};
        if (data->types[f] == HSEL_NOMINAL) {
            to->nominal[slot] = data->nominal[slot];
            to->nominal[slot].codes = codes + (size_t)HS_OWEN_BATCH * slot;
        }
        for (uint32_t i = 0; i < HS_OWEN_BATCH; i++)
            if (data->types[f] == HSEL_NUMERIC)
                to->numeric[slot].values[i] = value;
            else if (data->types[f] == HSEL_NOMINAL)
                to->nominal[slot].codes[i] = isnan(value) ? HS_MISSING_CODE : (uint32_t)value;
    }
    return hs_model_scratch_init(&v->scratch, p->e->model, error);
}

/* The values of all features into `said` and `error_of`, [features] each; the prior. */
static int find_owen(hs_explanation *e, const hs_selection *selection, double *said,
                     double *error_of, hsel_error *error)
{
    const uint32_t features = e->data->features;
    const hsel_dag *dag = e->model->shape->dag;
    HS_OWNS(players_clear)
    struct players p = {.e = e, .selection = selection, .workers = e->threads > 0 ? e->threads : 1};
    p.feature = HS_ARENA_NEW(&p.arena, uint32_t, features);
    p.up = HS_ARENA_NEW(&p.arena, uint32_t, features);
    p.of_feature = HS_ARENA_NEW(&p.arena, uint32_t, features);
    uint32_t *near = HS_ARENA_NEW(&p.arena, uint32_t, features); /* player at or above */
    double *value = HS_ARENA_NEW(&p.arena, double, features);
    double *spread = HS_ARENA_NEW(&p.arena, double, features);
    p.variant = hs_arena_zero(&p.arena, (size_t)p.workers, sizeof *p.variant);
    HS_NEED(p.feature && p.up && p.of_feature && near && value && spread && p.variant);
    for (uint32_t f = 0; f < features; f++)
        p.of_feature[f] = near[f] = HSEL_NONE;
    for (uint32_t i = 0; i < e->selected; i++) { /* by feature, so that the order is one */
        const hs_reason *reason = &e->reasons[i];
        bool has = e->data->types[reason->feature] == HSEL_BINARY ? reason->value != 0
                                                                  : !isnan(reason->value);
        p.of_feature[reason->feature] = has ? 0 : HSEL_NONE;
    }
    for (uint32_t f = 0; f < features; f++)
        if (p.of_feature[f] != HSEL_NONE) {
            p.up[p.count] = HSEL_NONE;
            p.feature[p.count] = f;
            p.of_feature[f] = p.count++;
        }
    for (uint32_t i = 0; dag && i < dag->nodes; i++) { /* parents before children */
        uint32_t v = dag->order[i];
        size_t parents;
        const uint32_t *parent = hs_parents(dag, v, &parents);
        for (size_t j = 0; j < parents && near[v] == HSEL_NONE; j++)
            near[v] = near[parent[j]];
        if (p.of_feature[v] != HSEL_NONE) {
            p.up[p.of_feature[v]] = near[v];
            near[v] = p.of_feature[v];
        }
    }
    for (struct variant *v = p.variant; v < p.variant + p.workers; v++)
        HS_TRY(variant_init(&p, v, error));
    HS_TRY(hs_owen_values(&(hs_game){.players = p.count,
                                     .up = p.up,
                                     .worth = worth,
                                     .context = &p,
                                     .pairs = e->samples,
                                     .seed = e->seed,
                                     .threads = p.workers,
                                     .progress = e->progress},
                          &e->prior, &e->log_odds, value, spread, &e->sampled, error));
    for (uint32_t i = 0; i < p.count; i++) {
        said[p.feature[i]] = value[i];
        error_of[p.feature[i]] = spread[i];
    }
    return HSEL_OK;
}

/* ---- what was selected ---- */

struct collecting {
    hs_explanation *to;
    const double *relevance;
};

static void collect(void *context, uint32_t feature, bool positive)
{
    struct collecting *c = context;
    double value = positive ? 1 : hs_explanation_value(c->to, feature);
    const hs_model *model = c->to->model;
    const hs_classifier *classifier = model->classifier.method->classifier;
    c->to->reasons[c->to->selected++] =
        (hs_reason){.feature = feature,
                    .value = value,
                    .relevance = c->relevance ? c->relevance[feature]
                                 : classifier->importance
                                     ? classifier->importance(model->classifier_model, feature)
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
    size_t count;
    const uint32_t *row = hs_row(e->data, e->instance, &count);
    const double *relevance = hs_model_scores(e->model);
    e->probability = HS_NEW(double, classes);
    e->reasons = HS_NEW(hs_reason, e->data->features);
    HS_NEED(e->probability && e->reasons);
    HS_TRY(hs_model_scratch_init(&scratch, e->model, error));
    HS_TRY(hs_model_predict(e->model, e->data, e->instance, 1, &scratch, e->probability, NULL, NULL,
                            error));
    e->predicted = hs_predicted_class(scratch.score, classes);
    const hs_batch one = {e->data, &e->instance, 1, e->model->mask ? NULL : &scratch.selection};
    const void *fitted = e->model->classifier_model;
    HS_OWNED double *said = HS_NEW_ZERO(double, e->data->features),
                    *error_of = HS_NEW_ZERO(double, e->data->features);
    HS_NEED(said && error_of);
    e->prior = e->log_odds = NAN;
    if (classifier->contributions && classes > 1)
        HS_TRY(classifier->contributions(fitted, &one, scratch.classifier, e->predicted, &e->prior,
                                         said, error));
    if (classifier->neighbours)
        HS_TRY(classifier->neighbours(fitted, &one, scratch.classifier, &e->neighbours,
                                      &e->neighbour_count, error));
    const hs_selection *selection = hs_model_selection(&scratch, e->data, e->instance);
    hs_selection_each(selection, e->data->features, row, count, collect,
                      &(struct collecting){e, relevance});
    if (!isnan(e->prior)) {
        e->reasoning = classifier->by_path ? HS_REASONS_PATH : HS_REASONS_TERMS;
    } else if (e->samples != HSEL_NONE && classes > 1) {
        HS_TRY(find_owen(e, selection, said, error_of, error));
        e->reasoning = HS_REASONS_OWEN;
    }
    if (e->reasoning) {
        e->log_odds = e->prior;
        for (uint32_t i = 0; i < e->selected; i++) {
            e->reasons[i].contribution = said[e->reasons[i].feature];
            e->reasons[i].error = error_of[e->reasons[i].feature];
            e->log_odds += e->reasons[i].contribution;
        }
    }
    e->order = e->reasoning             ? "log_odds"
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
    HS_OWNS(hs_dag_release) hsel_dag *part = NULL;
    HS_OWNED bool *keep = HS_NEW_ZERO(bool, dag->nodes), *climb = HS_NEW_ZERO(bool, dag->nodes);
    HS_OWNED uint32_t *place = HS_NEW(uint32_t, e->data->features);
    uint32_t count = 0;
    size_t parents;
    HS_NEED(keep && climb && place);
    /* What the shown features stand on: above positive ones everything, above negative ones their
     * parents. */
    for (uint32_t i = 0; i < e->count; i++) {
        uint32_t v = e->reasons[i].feature;
        const uint32_t *parent = hs_parents(dag, v, &parents);
        keep[v] = true;
        climb[v] = e->reasons[i].value != 0;
        for (size_t j = 0; j < parents && !climb[v]; j++)
            keep[parent[j]] = true;
    }
    for (uint32_t i = dag->nodes; i-- > 0;) { /* children before parents */
        uint32_t v = dag->order[i];
        const uint32_t *parent = hs_parents(dag, v, &parents);
        for (size_t j = 0; j < parents && climb[v]; j++)
            keep[parent[j]] = climb[parent[j]] = true;
    }
    HS_TRY(hs_dag_subset(dag, keep, &part, error));
    HS_TRY(hs_dag_reduce(part, 1, &e->dag, error));
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
    *out = made;
    made = (hs_explanation){0};
    return HSEL_OK;
}

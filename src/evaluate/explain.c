/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Working out an explanation: predict, collect what was selected, sort, cut the hierarchy down.
 */
#include "evaluate/explain.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "classify/classify.h"
#include "core/mem.h"
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
                    .contribution = classifier->contribution
                                        ? classifier->contribution(model->classifier_model, feature,
                                                                   value, c->to->predicted)
                                        : (double)NAN};
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
    hs_selection_each(hs_model_selection(&scratch, e->data, e->instance), e->data->features, row,
                      count, collect, &(struct collecting){e, relevance});
    e->prior = classifier->contribution ? classifier->contribution(e->model->classifier_model,
                                                                   HSEL_NONE, 0, e->predicted)
                                        : (double)NAN;
    e->reasoning = isnan(e->prior) ? HS_REASONS_NONE : HS_REASONS_TERMS;
    e->order = !isnan(e->prior)         ? "log_odds"
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
    hs_explanation made = {.model = model, .data = data, .instance = instance};
    assert(instance < data->instances && data->features == model->shape->features);
    HS_TRY(find_reasons(&made, top, error));
    HS_TRY(find_hierarchy(&made, error));
    *out = made;
    made = (hs_explanation){0};
    return HSEL_OK;
}

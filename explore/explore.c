/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Working out an exploration. First the runs: predictions, how often each feature was selected, and
 * details of some instances from the models of their folds; then the terms that all of these speak
 * of, with their ancestors; then all of it as JSON, in which terms have their numbers.
 */
#include "explore/explore.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "classify/classify.h"
#include "core/json.h"
#include "core/parallel.h"
#include "learn/describe.h"
#include "learn/explain.h"
#include "show/drawing.h"

/* The size of the boxes on the page, and how many of them dot places in a second or so. */
enum { BOX_WIDTH = 150, BOX_HEIGHT = 82, LAYOUT_TERMS = 1000, LAYOUT_LEAST = 40 };

enum { REASONS = 60, NEIGHBOURS = 20, MODEL_TERMS = 200, TEXT_BYTES = 100000 };

enum { ASKED = 3, LISTS }; /* the last list */
static const char *const list_names[2][LISTS] = {{"certain", "doubtful", "wrong", "asked"},
                                                 {"high", "low", "off", "asked"}}; /* numbers */

/* Instances are predicted by models that did not see them, by one that learned from those that have
 * a class, or by one of which that is not known. */
enum { OUT_OF_FOLD, IN_SAMPLE, UNKNOWN_SAMPLE };
static const char *const samples[] = {"out-of-fold", "training", "unknown"};

/* ---- runs ---- */

struct detail {
    uint32_t instance;
    hs_reasoning reasoning;
    double log_odds, prior, rest; /* as of the run: prior, reasons and rest add up to log_odds */
    hs_reason *reasons;
    hs_verdict *verdicts;
    hs_neighbour *neighbours;
    uint32_t reason_count, verdict_count, neighbour_count, rest_count;
};

/* A term with what the model as a whole says of it. */
struct weight {
    uint32_t feature;
    double value, absent;
};

struct hs_explored_run {
    const char *selector, *classifier, *about; /* about: in words */
    size_t s, c;                               /* in the lists of the request; no model */
    const char *sample;                        /* what the predictions are; see samples */
    const char *weights_of;                    /* the class that weights speak for; or NULL */
    bool lazy, measured;
    const uint32_t *fold_of; /* [instances]; NULL: there are no folds */
    hs_scores scores;
    uint32_t of, *selected; /* [features] times of so many */
    uint32_t *predicted;    /* [instances] */
    double *log_odds;       /* [instances]: of two classes for the positive one, else for that
                               predicted; infinite: the classifier is sure */
    double *probability;    /* [instances]: likewise */
    double *number;         /* [instances]: predicted in place of a class */
    uint32_t *list[LISTS], length[LISTS];
    struct detail *details; /* by instance, ascending */
    size_t detail_count;
    hs_model *own;         /* that of all data, if it was trained here */
    const hs_model *model; /* of all data; NULL: there is none */
    double *term_odds;     /* [features]: log-odds of the term if present; NaN: not known */
    const char *kind;      /* of what the model shows */
    struct weight *weights;
    size_t weight_count;
    hs_dependency *network; /* its strongest edges */
    uint32_t edges;
    json_t *tree; /* as the classifier describes it */
    hs_buf text;
};

void hs_exploration_clear(hs_exploration *e)
{
    for (size_t r = 0; r < e->run_count; r++) {
        struct hs_explored_run *run = &e->runs[r];
        for (size_t i = 0; run->details && i < run->detail_count; i++)
            HS_FREE(run->details[i].reasons, run->details[i].verdicts, run->details[i].neighbours);
        HS_FREE(run->details, run->network);
        hs_model_free(run->own);
        json_decref(run->tree);
        hs_buf_clear(&run->text);
    }
    hs_dag_free(e->dag);
    hs_counts_clear(&e->counts);
    hs_document_clear(&e->doc);
    *e = (hs_exploration){0};
}

static void note(hs_exploration *e, const char *text)
{
    if (e->note_count < sizeof e->notes / sizeof *e->notes)
        e->notes[e->note_count++] = text;
}

static bool two_classes(const hs_exploration *e) { return e->request.data->class_names.count == 2; }

/* Is a number predicted? */
static bool of_numbers(const hs_exploration *e)
{
    return (e->request.model ? e->request.model->shape : e->request.data)->target;
}

/* How many terms of a model are shown. */
static size_t model_terms(const hs_exploration *e, const struct hs_explored_run *run)
{
    size_t most =
        e->request.terms && e->request.terms < MODEL_TERMS ? e->request.terms : MODEL_TERMS;
    return run->weight_count < most ? run->weight_count : most;
}

/* ---- what was predicted ---- */

struct ranked {
    double key;
    uint32_t instance;
};

static int by_key(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->instance < y->instance ? -1 : x->instance > y->instance;
}

/* Scores that are log-odds do not run into infinity as those of probabilities do. They are if they
 * agree with the probabilities wherever these are not extreme. */
static bool scores_are_log_odds(const hs_predictions *p)
{
    for (uint32_t i = 0; p->score && i < p->instances; i++)
        for (uint32_t c = 0; c < p->classes; c++) {
            double share = p->probability[(size_t)i * p->classes + c];
            if (share > 1e-6 && share < 1 - 1e-6 &&
                !(fabs(log(share / (1 - share)) - hs_score_of(p, i, c)) < 1e-6))
                return false;
        }
    return p->score != NULL;
}

/* Fills the lists: those of the lowest keys[list * instances + instance], NaN: not in it; and those
 * asked for. The instances in them get details. */
static int choose_details(hs_exploration *e, struct hs_explored_run *run, const double *keys,
                          hsel_error *error)
{
    const hs_explore_request *request = &e->request;
    const uint32_t n = request->data->instances,
                   wanted = request->details < n ? request->details : n;
    HS_OWNED bool *chosen = HS_NEW_ZERO(bool, n);
    HS_OWNED struct ranked *order = HS_NEW(struct ranked, n);
    HS_NEED(chosen && order);
    for (int list = 0; list < LISTS; list++, keys += n) {
        const uint32_t room = list < ASKED ? wanted : (uint32_t)request->asked_count;
        uint32_t count = 0;
        HS_NEED(run->list[list] = HS_ARENA_NEW(&e->doc.arena, uint32_t, room));
        for (uint32_t i = 0; list < ASKED && i < n; i++)
            if (!isnan(keys[i]))
                order[count++] = (struct ranked){keys[i], i};
        qsort(order, count, sizeof *order, by_key);
        run->length[list] = list == ASKED || count > room ? room : count;
        for (uint32_t i = 0; i < run->length[list]; i++)
            run->list[list][i] = list < ASKED ? order[i].instance : request->asked[i];
    }
    for (int list = 0; list < LISTS; list++)
        for (uint32_t i = 0; i < run->length[list]; i++) {
            run->detail_count += !chosen[run->list[list][i]];
            chosen[run->list[list][i]] = true;
        }
    size_t count = run->detail_count;
    run->detail_count = 0;
    HS_NEED(run->details = HS_NEW_ZERO(struct detail, count));
    for (uint32_t i = 0; i < n; i++)
        if (chosen[i])
            run->details[run->detail_count++].instance = i;
    return HSEL_OK;
}

/* Fills the run from the predictions, and chooses the instances that get details. */
static int take_predictions(hs_exploration *e, struct hs_explored_run *run, const hs_predictions *p,
                            hsel_error *error)
{
    const uint32_t n = p->instances;
    const bool own = scores_are_log_odds(p), two = two_classes(e);
    const bool fresh = run->sample == samples[IN_SAMPLE] && e->counts.instances < n;
    hs_arena *arena = &e->doc.arena;
    HS_OWNED double *keys = HS_NEW(double, ASKED *(size_t)n);
    double *first = keys, *second = keys + n, *off = second + n;
    run->predicted = HS_ARENA_NEW(arena, uint32_t, n);
    run->log_odds = HS_ARENA_NEW(arena, double, n);
    run->probability = HS_ARENA_NEW(arena, double, n);
    run->number = of_numbers(e) ? HS_ARENA_NEW(arena, double, n) : NULL;
    HS_NEED(keys && run->predicted && run->log_odds && run->probability &&
            (run->number || !of_numbers(e)));
    for (uint32_t i = 0; i < n && run->number; i++) {
        run->number[i] = second[i] = p->score[i];
        first[i] = -p->score[i];
        off[i] = p->target ? -fabs(p->score[i] - p->target[i]) : (double)NAN;
    }
    for (uint32_t i = 0; i < n && !run->number; i++) {
        run->predicted[i] = hs_prediction_of(p, i);
        uint32_t c = two ? p->positive_class : run->predicted[i];
        double share = p->probability[(size_t)i * p->classes + c];
        bool known = p->truth && p->truth[i] != HSEL_NONE;
        run->probability[i] = share;
        run->log_odds[i] = own ? hs_score_of(p, i, c) : log(share / (1 - share));
        double sure = two ? fabs(run->log_odds[i]) : run->log_odds[i];
        off[i] = known && p->truth[i] != run->predicted[i] ? -sure : (double)NAN;
        /* Where the model learned from some, how sure it is of the others is of interest. */
        second[i] = fresh && known ? (double)NAN : sure;
        first[i] = -second[i];
    }
    return choose_details(e, run, keys, error);
}

/* ---- details ---- */

struct explaining {
    const hs_exploration *e;
    struct hs_explored_run *run;
    const hs_model *models;  /* one, or one for each fold */
    const uint32_t *fold_of; /* NULL: one model */
};

static int explain_one(void *context, size_t index, int worker, hsel_error *error)
{
    const struct explaining *x = context;
    struct detail *d = &x->run->details[index];
    const hs_model *model = &x->models[x->fold_of ? x->fold_of[d->instance] : 0];
    const hsel_dataset *data = x->fold_of ? model->shape : x->e->request.data;
    const uint32_t classes = data->class_names.count;
    size_t positives;
    const uint32_t *row = hs_row(data, d->instance, &positives);
    HS_OWNS(hs_explanation_clear) hs_explanation why = {.samples = 10, .threads = 1};
    HS_OWNS(hs_model_scratch_clear) hs_model_scratch scratch = {0};
    HS_OWNED double *probability = HS_NEW(double, classes);
    HS_NEED(probability);
    (void)worker;
    HS_TRY(hs_progress_report(x->e->request.progress, index, x->run->detail_count, "explanations",
                              error));
    HS_TRY(hs_explain(model, data, d->instance, REASONS, &why, error));
    double sign = two_classes(x->e) && why.predicted != data->positive_class ? -1 : 1;
    d->reasoning = why.reasoning;
    d->prior = sign * why.prior;
    d->rest = sign * (why.rest + why.absent);
    d->reason_count = why.count;
    d->rest_count = why.selected - why.count;
    d->neighbour_count = why.neighbour_count < NEIGHBOURS ? why.neighbour_count : NEIGHBOURS;
    d->reasons = hs_copy(why.reasons, why.count, sizeof *why.reasons);
    d->neighbours = hs_copy(why.neighbours, d->neighbour_count, sizeof *why.neighbours);
    d->verdicts = HS_NEW(hs_verdict, positives + why.count);
    HS_NEED(d->reasons && d->neighbours && d->verdicts);
    HS_TRY(hs_model_scratch_init(&scratch, model, error));
    HS_TRY(hs_model_predict(model, data, d->instance, 1, &scratch, probability, NULL, NULL, error));
    hs_model_selection(&scratch, data, d->instance);
    for (size_t i = 0; i < positives; i++)
        hs_model_why(&scratch, data, d->instance, row[i], &d->verdicts[d->verdict_count++]);
    d->log_odds = d->prior + d->rest;
    for (uint32_t i = 0; i < why.count; i++) {
        d->reasons[i].contribution *= sign;
        d->log_odds += d->reasons[i].contribution;
        if (data->types[d->reasons[i].feature] != HSEL_BINARY || d->reasons[i].value == 0)
            hs_model_why(&scratch, data, d->instance, d->reasons[i].feature,
                         &d->verdicts[d->verdict_count++]);
    }
    return HSEL_OK;
}

/* ---- the model as a whole ---- */

static int by_weight(const void *a, const void *b)
{
    const struct weight *x = a, *y = b;
    if (fabs(x->value) != fabs(y->value))
        return fabs(x->value) > fabs(y->value) ? -1 : 1;
    return x->feature < y->feature ? -1 : x->feature > y->feature;
}

static void add_weight(struct hs_explored_run *run, uint32_t feature, double value, double absent)
{
    if (feature != HSEL_NONE)
        run->weights[run->weight_count++] = (struct weight){feature, value, absent};
}

/* The feature that a description of the model names; HSEL_NONE: none. */
static uint32_t named_feature(const struct hs_explored_run *run, const char *name)
{
    return name ? hs_names_find(&run->model->shape->feature_names, name, strlen(name)) : HSEL_NONE;
}

static void release_json(json_t **json) { json_decref(*json); }

/* Weights of the first machine or model, of a classifier that has some in its description: for the
 * positive class, of two. */
static void read_weights(hs_exploration *e, struct hs_explored_run *run, const json_t *description)
{
    const json_t *machine = json_array_get(json_object_get(description, "machines"), 0),
                 *model = json_array_get(json_object_get(description, "models"), 0), *value;
    const hsel_dataset *shape = run->model->shape;
    const char *name, *label = json_string_value(machine ? json_object_get(machine, "positive")
                                                         : json_object_get(model, "class"));
    double sign = two_classes(e) && label &&
                          strcmp(label, hsel_dataset_class_name(shape, shape->positive_class)) != 0
                      ? -1
                      : 1;
    size_t i;
    run->weights_of = label && !two_classes(e) ? hs_say(&e->doc, "%s", label) : NULL;
    json_object_foreach((json_t *)json_object_get(machine, "weights"), name, value)
        add_weight(run, named_feature(run, name), sign * json_number_value(value), NAN);
    json_array_foreach(json_object_get(model, "active"), i, value)
        add_weight(run, named_feature(run, json_string_value(json_object_get(value, "feature"))),
                   sign * json_number_value(json_object_get(value, "weight")), NAN);
}

static int describe(const hs_model *model, hs_describe_form form, hs_buf *text, hsel_error *error)
{
    HS_OWNS(hs_writer_release) hs_writer *out = NULL;
    HS_TRY(hs_writer_open_memory(text, &out, error));
    HS_TRY(hs_model_describe(model, form, out, error));
    return hs_writer_commit(hs_take(&out), error);
}

static int look_at_model(hs_exploration *e, struct hs_explored_run *run, hsel_error *error)
{
    const hs_model *model = run->model;
    const hsel_dataset *data = e->request.data;
    const hs_classifier *classifier = model ? model->classifier.method->classifier : NULL;
    const uint32_t features = data->features, classes = data->class_names.count,
                   positive = data->positive_class;
    HS_OWNED double *logs = HS_NEW(double, (2 * (size_t)features + 1) * classes);
    run->weights = HS_ARENA_NEW(&e->doc.arena, struct weight, features);
    run->term_odds = HS_ARENA_NEW(&e->doc.arena, double, features);
    run->kind = "none";
    HS_NEED(logs && run->weights && run->term_odds);
    for (uint32_t f = 0; f < features; f++)
        run->term_odds[f] = NAN;
    if (!model)
        return HSEL_OK;
    if (classifier->terms && two_classes(e)) {
        hs_view view = {.data = model->shape, .features = model->mask};
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
            double value = classifier->importance(model->classifier_model, f);
            if (value > 0)
                add_weight(run, f, value, NAN);
        }
    }
    if (!run->weight_count && classifier->describe) {
        HS_OWNS(hs_buf_clear) hs_buf text = {0};
        HS_TRY(describe(model, HS_DESCRIBE_JSON, &text, error));
        HS_OWNS(release_json) json_t *description = json_loads(text.text, 0, NULL);
        if (json_is_array(json_object_get(description, "nodes"))) { /* a forest says how many */
            run->kind = "tree";
            run->tree = hs_take(&description);
        } else {
            read_weights(e, run, description);
            run->kind = run->weight_count ? "weights" : run->kind;
        }
    }
    if (classifier->depends && !classifier->varies) {
        HS_TRY(hs_model_network(model, &run->network, &run->edges, error));
        run->kind = run->edges ? "network" : run->kind;
        run->edges = run->edges < MODEL_TERMS ? run->edges : MODEL_TERMS;
    }
    HS_TRY(describe(model, HS_DESCRIBE_TEXT, &run->text, error));
    qsort(run->weights, run->weight_count, sizeof *run->weights, by_weight);
    return HSEL_OK;
}

/* ---- where runs come from ---- */

/* A model that borrows all it has from a fold of a cross-validation. */
struct fold_models {
    hs_model *models;
    uint32_t count;
};

static void fold_models_clear(struct fold_models *m)
{
    for (uint32_t i = 0; m->models && i < m->count; i++)
        hs_counts_clear(&m->models[i].counts);
    hs_free(m->models);
}

/* All classifiers of one selector, whose runs stand together. */
static int cross_validate(hs_exploration *e, struct hs_explored_run *run, hsel_error *error)
{
    const hs_explore_request *r = &e->request;
    const hsel_dataset *data = r->data;
    const size_t s = run->s;
    const hs_chosen *selector = &r->selectors[s];
    const uint32_t folds = r->folds->count;
    HS_OWNS(hs_crossval_clear) hs_crossval done = {0};
    HS_OWNS(hs_crossval_kept_clear) hs_crossval_kept kept = {0};
    HS_OWNS(fold_models_clear)
    struct fold_models m = {HS_NEW_ZERO(hs_model, folds), folds};
    HS_OWNED uint32_t *rows = HS_NEW(uint32_t, data->instances);
    const hs_crossval_request request = {
        .data = data,
        .folds = r->folds,
        .selectors = selector,
        .classifiers = r->classifiers,
        .selector_count = 1,
        .classifier_count = r->classifier_count,
        .left_out = r->left_out ? r->left_out + s * r->classifier_count : NULL,
        .seed = r->seed,
        .rank_by = r->rank_by,
        .threads = r->threads,
        .whole = &e->counts,
        .keep = &kept,
        .progress = r->progress};
    HS_NEED(m.models && rows);
    HS_TRY(hs_crossval_run(&request, &done, error));
    for (uint32_t f = 0; f < folds; f++) {
        hs_view part = {.data = data, .rows = rows};
        part.row_count = hs_folds_training(r->folds, f, rows);
        HS_TRY(hs_counts_of(&part, &m.models[f].counts, error));
        m.models[f].selector = *selector;
        /* a model's own shape is not changed either */
        m.models[f].shape = kept.made[f] ? kept.made[f] : (hsel_dataset *)data;
        m.models[f].state = kept.states[f];
        if (done.selectors[0].masks)
            m.models[f].mask = done.selectors[0].masks + f * done.mask_words;
        if (done.selectors[0].masks && selector->method->selector->scores)
            m.models[f].scores = (double *)selector->method->selector->scores(kept.states[f]);
    }
    for (; run < e->runs + e->run_count && run->s == s; run++) {
        const hs_predictions p = hs_crossval_repeat(&done, run->c).predictions;
        run->lazy = selector->method->flags & HS_LAZY;
        run->of = run->lazy ? data->instances : folds;
        run->fold_of = r->folds->fold_of;
        HS_NEED(run->selected = hs_arena_zero(&e->doc.arena, data->features, sizeof(uint32_t)));
        for (uint32_t f = 0; f < data->features; f++)
            for (uint32_t k = 0; run->lazy ? k < 1 : k < folds; k++)
                run->selected[f] +=
                    run->lazy ? done.selectors[0].frequency[f] : hs_bit_get(m.models[k].mask, f);
        run->measured = true;
        run->sample = samples[OUT_OF_FOLD];
        HS_TRY(hs_metrics_compute(&p, &run->scores, error));
        HS_TRY(take_predictions(e, run, &p, error));
        for (uint32_t f = 0; f < folds; f++) {
            m.models[f].classifier = r->classifiers[run->c];
            m.models[f].classifier_model = kept.models[f * r->classifier_count + run->c];
        }
        HS_TRY(hs_parallel_for(run->detail_count, r->threads, explain_one,
                               &(struct explaining){e, run, m.models, r->folds->fold_of}, error));
        HS_TRY(hs_model_train(data, run->selector, run->classifier, HSEL_NONE, r->allow_violations,
                              r->seed, r->threads, r->progress, &run->own, error));
        run->model = run->own;
    }
    return HSEL_OK;
}

static void count_one(void *context, uint32_t feature, bool value)
{
    (void)value;
    ((uint32_t *)context)[feature]++;
}

/* Did the model learn from the instances of the data that have a class? It keeps no instances, but
 * counts: all of them are the same then. Where it counted nothing, or learned from others too, it
 * cannot be known. */
static bool learned_from(const hs_model *model, const hs_counts *counts)
{
    const hs_counts *own = &model->counts;
    size_t cells = (size_t)own->features * own->classes;
    bool any = false;
    if (!counts->classes || own->classes != counts->classes || own->features != counts->features)
        return false;
    for (size_t i = 0; i < cells && !any; i++)
        any = own->positive[i] > 0;
    return any &&
           memcmp(own->class_size, counts->class_size, own->classes * sizeof(uint32_t)) == 0 &&
           memcmp(own->positive, counts->positive, cells * sizeof(uint32_t)) == 0;
}

static int apply_model(hs_exploration *e, hsel_error *error)
{
    const hs_explore_request *r = &e->request;
    const hsel_dataset *data = r->data;
    struct hs_explored_run *run = &e->runs[0];
    const uint32_t classes = data->class_names.count, width = hs_score_width(classes);
    HS_OWNS(hs_model_scratch_clear) hs_model_scratch scratch = {0};
    HS_OWNED double *probability = HS_NEW(double, (size_t)data->instances *classes),
                    *score = HS_NEW(double, (size_t)data->instances *hs_answers(classes)),
                    *target = HS_NEW(double, data->instances);
    HS_OWNED uint32_t *labelled = HS_NEW(uint32_t, data->instances),
                      *fold = HS_NEW_ZERO(uint32_t, data->instances),
                      *sizes = HS_NEW(uint32_t, data->instances);
    HS_NEED(probability && score && labelled && fold && sizes && target);
    run->lazy = r->model->selector.method->flags & HS_LAZY;
    run->of = run->lazy ? data->instances : 1;
    run->model = r->model;
    run->sample = samples[learned_from(r->model, &e->counts) ? IN_SAMPLE : UNKNOWN_SAMPLE];
    HS_NEED(run->selected = hs_arena_zero(&e->doc.arena, data->features, sizeof(uint32_t)));
    for (uint32_t f = 0; !run->lazy && f < data->features; f++)
        run->selected[f] = hs_bit_get(r->model->mask, f);
    HS_TRY(hs_model_scratch_init(&scratch, r->model, error));
    for (uint32_t i = 0; i < data->instances; i++) {
        double *mine = score + (size_t)i * width, scores_of_one[2];
        size_t count;
        if (i % 1024 == 0)
            HS_TRY(hs_progress_report(r->progress, i, data->instances, "predictions", error));
        HS_TRY(hs_model_predict(r->model, data, i, 1, &scratch, probability + (size_t)i * classes,
                                width == 1 && classes == 2 ? scores_of_one : mine, &sizes[i],
                                error));
        if (classes == 2)
            *mine = scores_of_one[1];
        const uint32_t *row = hs_row(data, i, &count);
        if (run->lazy)
            hs_selection_each(hs_model_selection(&scratch, data, i), data->features, row, count,
                              count_one, run->selected);
    }
    hs_predictions p = {.instances = data->instances,
                        .classes = classes,
                        .folds = 1,
                        .positive_class = data->positive_class,
                        .truth = data->class_of,
                        .target = data->target,
                        .fold_of = fold,
                        .probability = probability,
                        .score = score,
                        .rank_by = r->rank_by,
                        .selected = sizes,
                        .features = data->features};
    HS_TRY(take_predictions(e, run, &p, error));
    HS_TRY(hs_parallel_for(run->detail_count, r->threads, explain_one,
                           &(struct explaining){e, run, r->model, NULL}, error));
    note(e, run->sample == samples[IN_SAMPLE]
                ? "the model learned from the instances that have a class: their predictions and "
                  "the metrics are those of training, better than of new instances (hsel eval "
                  "estimates these)"
                : "it is not known whether the model learned from these instances: if so, their "
                  "predictions and the metrics are better than of new ones (hsel eval estimates "
                  "these)");
    /* metrics, of the instances that have a class or a target */
    uint32_t known = 0;
    for (uint32_t i = 0; i < data->instances; i++)
        if (hs_has_label(data, i)) {
            memmove(probability + (size_t)known * classes, probability + (size_t)i * classes,
                    classes * sizeof *probability);
            memmove(score + (size_t)known * width, score + (size_t)i * width,
                    width * sizeof *score);
            sizes[known] = sizes[i];
            target[known] = data->target ? data->target[i] : 0;
            labelled[known++] = hsel_dataset_class_of(data, i);
        }
    p.instances = known;
    p.truth = labelled;
    p.target = data->target ? target : NULL;
    run->measured = known > 0;
    return known ? hs_metrics_compute(&p, &run->scores, error) : HSEL_OK;
}

static int read_store(hs_exploration *e, struct hs_explored_run *run, hsel_error *error)
{
    const hs_explore_request *r = &e->request;
    hs_result_key key = r->key;
    HS_OWNS(hs_stored_clear) hs_stored stored = {0};
    HS_OWNED uint64_t *total = HS_NEW_ZERO(uint64_t, r->data->features);
    uint64_t tested = 0;
    HS_NEED(total);
    key.selector = run->selector;
    key.method = run->classifier;
    HS_TRY(hs_store_get(r->store, &key, &stored, error));
    if (!stored.repeat.predictions.folds || stored.folds_there < stored.repeat.predictions.folds)
        return hs_fail(error, HSEL_EUSAGE, "%s has no complete result of %s with %s on %s",
                       hs_store_path(r->store), run->selector, run->classifier,
                       hsel_dataset_name(r->data));
    HS_TRY(hs_store_frequencies(r->store, &key, 1, total, &tested, NULL, error));
    run->lazy = r->selectors[run->s].method->flags & HS_LAZY;
    run->of = (uint32_t)tested;
    HS_NEED(run->selected = hs_arena_zero(&e->doc.arena, r->data->features, sizeof(uint32_t)));
    for (uint32_t f = 0; f < r->data->features; f++)
        run->selected[f] = (uint32_t)total[f];
    stored.repeat.predictions.rank_by = r->rank_by;
    run->measured = true;
    run->sample = samples[OUT_OF_FOLD];
    HS_TRY(hs_metrics_compute(&stored.repeat.predictions, &run->scores, error));
    HS_TRY(take_predictions(e, run, &stored.repeat.predictions, error));
    uint32_t *fold = HS_ARENA_NEW(&e->doc.arena, uint32_t, r->data->instances);
    HS_NEED(fold);
    memcpy(fold, stored.repeat.predictions.fold_of, r->data->instances * sizeof *fold);
    run->fold_of = fold;
    run->detail_count = 0; /* nothing is known of them */
    return HSEL_OK;
}

/* ---- the terms that are shown ---- */

struct candidate {
    double share, score, odds;
    uint64_t support;
    uint32_t feature;
};

static int by_importance(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->share != y->share)
        return x->share > y->share ? -1 : 1;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    if (x->odds != y->odds)
        return x->odds > y->odds ? -1 : 1;
    if (x->support != y->support)
        return x->support > y->support ? -1 : 1;
    return x->feature < y->feature ? -1 : x->feature > y->feature;
}

static int choose_terms(hs_exploration *e, hsel_error *error)
{
    const hs_explore_request *r = &e->request;
    const hsel_dataset *data = r->data;
    const uint32_t features = data->features;
    HS_OWNED bool *shown = HS_NEW_ZERO(bool, features);
    HS_OWNED struct candidate *order = HS_NEW(struct candidate, features);
    uint32_t selected = 0;
    e->terms = HS_ARENA_NEW(&e->doc.arena, uint32_t, features);
    e->place = HS_ARENA_NEW(&e->doc.arena, uint32_t, features);
    HS_NEED(shown && order && e->terms && e->place);
    for (uint32_t f = 0; f < features; f++) {
        struct candidate c = {.feature = f};
        for (size_t i = 0; i < e->run_count; i++) {
            const struct hs_explored_run *run = &e->runs[i];
            const double *scores = run->model ? hs_model_scores(run->model) : NULL;
            c.share = fmax(c.share, run->of ? (double)run->selected[f] / run->of : 0);
            c.score = fmax(c.score, scores ? scores[f] : 0); /* not a number: the other */
            c.odds = fmax(c.odds, fabs(run->term_odds[f]));
        }
        for (uint32_t k = 0; k < e->counts.classes; k++)
            c.support += hs_count(&e->counts, f, k);
        if (c.share > 0)
            order[selected++] = c;
    }
    qsort(order, selected, sizeof *order, by_importance);
    uint32_t most = r->terms && r->terms < selected ? r->terms : selected;
    for (uint32_t i = 0; i < most; i++)
        shown[order[i].feature] = true;
    for (size_t i = 0; i < e->run_count; i++) {
        const struct hs_explored_run *run = &e->runs[i];
        const json_t *node;
        size_t at;
        for (size_t j = 0; j < run->detail_count; j++) {
            const struct detail *d = &run->details[j];
            for (uint32_t k = 0; k < d->verdict_count; k++) {
                shown[d->verdicts[k].feature] = true;
                if (d->verdicts[k].by != HSEL_NONE)
                    shown[d->verdicts[k].by] = true;
            }
            for (uint32_t k = 0; k < d->reason_count; k++)
                shown[d->reasons[k].feature] = true;
        }
        for (size_t j = 0; j < model_terms(e, run); j++)
            shown[run->weights[j].feature] = true;
        for (uint32_t j = 0; j < run->edges; j++)
            shown[run->network[j].feature] = shown[run->network[j].on] = true;
        json_array_foreach(json_object_get(run->tree, "nodes"), at, node)
        {
            uint32_t f = named_feature(run, json_string_value(json_object_get(node, "feature")));
            if (f != HSEL_NONE)
                shown[f] = true;
        }
    }
    if (data->dag)
        HS_TRY(hs_dag_above(data->dag, shown, NULL, r->threads, &e->dag, error));
    for (uint32_t f = 0; f < features; f++) {
        e->place[f] = shown[f] ? e->term_count : HSEL_NONE;
        if (shown[f])
            e->terms[e->term_count++] = f;
    }
    hs_document *doc = &e->doc;
    uint32_t left_out = 0; /* of those selected */
    for (uint32_t i = most; i < selected; i++)
        left_out += !shown[order[i].feature];
    if (e->term_count < features)
        note(e, hs_say(doc,
                       "%s of %s terms are shown: those selected, those that details and models "
                       "speak of, and all their ancestors",
                       hs_grouped(doc, e->term_count), hs_grouped(doc, features)));
    if (left_out)
        note(e, hs_say(doc,
                       "not shown: %s behind the first %s, by how often, then score; --terms N "
                       "shows more",
                       hs_plural(doc, left_out, "selected term", "selected terms"),
                       hs_grouped(doc, most)));
    return HSEL_OK;
}

/* Places for all that were selected, with their ancestors, by dot. The page itself places up to
 * some dozens of terms. */
static int lay_out(hs_exploration *e, hsel_error *error)
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
        note(e, hs_say(&e->doc,
                       "the page does not draw all selected terms at once: with their ancestors "
                       "they are %s, and %s are the most; --terms N takes fewer",
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
        note(e, hs_say(&e->doc, "the page does not draw all selected terms at once: %s",
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

int hs_exploration_make(const hs_explore_request *request, hs_exploration *out, hsel_error *error)
{
    HS_OWNS(hs_exploration_clear) hs_exploration e = {.request = *request};
    const hs_view all = hs_view_all(request->data);
    const size_t pairs = request->model ? 1 : request->selector_count * request->classifier_count;
    size_t runs = 0;
    HS_NEED(e.runs = hs_arena_zero(&e.doc.arena, pairs, sizeof *e.runs));
    for (size_t i = 0; i < pairs; i++)
        if (!request->left_out || !request->left_out[i]) {
            e.runs[runs].s = request->model ? 0 : i / request->classifier_count;
            e.runs[runs++].c = request->model ? 0 : i % request->classifier_count;
        }
    e.run_count = runs;
    HS_TRY(hs_counts_of(&all, &e.counts, error));
    for (size_t i = 0; i < runs; i++) {
        struct hs_explored_run *run = &e.runs[i];
        const hs_model *model = request->model;
        const hs_chosen *selector = model ? &model->selector : &request->selectors[run->s],
                        *classifier = model ? &model->classifier : &request->classifiers[run->c];
        run->selector = hs_say_chosen(&e.doc, selector);
        run->classifier = hs_say_chosen(&e.doc, classifier);
        run->about = hs_say(&e.doc, "%s; %s", selector->method->title, classifier->method->title);
    }
    HS_TRY(hs_document_check(&e.doc, error)); /* texts of methods are looked at again */
    if (request->model)
        HS_TRY(apply_model(&e, error));
    for (size_t i = 0; request->store && i < runs; i++)
        HS_TRY(read_store(&e, &e.runs[i], error));
    for (size_t i = 0; !request->model && !request->store && i < runs; i++)
        if (i == 0 || e.runs[i].s != e.runs[i - 1].s)
            HS_TRY(cross_validate(&e, &e.runs[i], error));
    for (size_t i = 0; i < runs; i++)
        HS_TRY(look_at_model(&e, &e.runs[i], error));
    HS_TRY(choose_terms(&e, error));
    HS_TRY(lay_out(&e, error));
    uint32_t details = 0;
    for (size_t i = 0; i < runs; i++)
        details += (uint32_t)e.runs[i].detail_count;
    if (request->store)
        note(&e,
             request->data->dag
                 ? "the store has no values of features: there is no support, and no prediction "
                   "has details; give DATA to have them"
                 : "the store has no values of features: there is no hierarchy, no support, and "
                   "no prediction has details; give DATA to have them");
    else if (!details)
        note(&e, "no prediction has details: --details N gives them");
    else
        note(&e,
             hs_say(&e.doc,
                    of_numbers(&e) ? "%s of %s predictions have details: in each run the %u "
                                     "highest, lowest and furthest off%s"
                                   : "%s of %s predictions have details: in each run the %u most "
                                     "certain, doubtful and wrong ones%s",
                    hs_grouped(&e.doc, details),
                    hs_grouped(&e.doc, (uint64_t)request->data->instances * runs), request->details,
                    request->asked_count ? ", and those asked for" : ""));
    HS_TRY(hs_document_check(&e.doc, error));
    *out = e;
    e = (hs_exploration){0};
    return HSEL_OK;
}

/* ---- JSON ---- */

/* With so many digits after the point. */
static void number(hs_json *json, double value, double digits)
{
    hs_json_double(json, round(value * digits) / digits + 0.0); /* never -0 */
}
#define CONTRIBUTION 1e4
#define LOG_ODDS     1e6

/* Log-odds; of numbers, in whatever unit they are, six digits that count. */
static void amount(hs_json *json, const hs_exploration *e, double value, double digits)
{
    if (of_numbers(e) && value != 0 && !isnan(value))
        digits = pow(10, 5 - floor(log10(fabs(value))));
    number(json, value, isfinite(digits) ? digits : 1);
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

/* Four digits that count. */
static void share(hs_json *json, double value)
{
    double digits = value > 0 ? pow(10, 3 - floor(log10(value))) : 1;
    number(json, value, isfinite(digits) ? digits : 1);
}

static void index_or_null(hs_json *json, uint32_t index)
{
    hs_json_double(json, index == HSEL_NONE ? (double)NAN : (double)index);
}

/* A list as a member (key NULL: as an item); values NULL: null. */
static void put_counts(hs_json *json, const char *key, const uint32_t *values, size_t count)
{
    if (key)
        hs_json_key(json, key);
    if (!values) {
        hs_json_text(json, NULL);
        return;
    }
    hs_json_array(json);
    for (size_t i = 0; i < count; i++)
        hs_json_u64(json, values[i]);
    hs_json_end_array(json);
}

static void place_of(hs_json *json, const hs_exploration *e, uint32_t feature)
{
    hs_json_double(json, feature == HSEL_NONE ? -1 : (double)e->place[feature]);
}

static int put_terms(const hs_exploration *e, hs_json *json, hsel_error *error)
{
    const hsel_dataset *data = e->request.data;
    uint32_t column = hs_about_column(&data->about, HS_ABOUT_NAMESPACE);
    HS_OWNS(hs_names_clear) hs_names spaces = {0};
    HS_OWNED uint32_t *space = HS_NEW(uint32_t, e->term_count);
    HS_NEED(space);
    for (uint32_t t = 0; t < e->term_count; t++) {
        const char *name = hs_about_get(&data->about, e->terms[t], column);
        space[t] = HSEL_NONE;
        if (name)
            HS_TRY(hs_names_intern(&spaces, name, strlen(name), &space[t], NULL, error));
    }
    hs_json_put(json, "namespaces:[");
    for (uint32_t i = 0; i < spaces.count; i++)
        hs_json_text(json, hs_names_get(&spaces, i));
    const hsel_dag *dag = e->dag;
    hs_json_put(json, "] relations:[");
    for (uint32_t r = 0; dag && r < dag->relations.count; r++)
        hs_json_text(json, hs_names_get(&dag->relations, r));
    hs_json_put(json, "] terms:{id:[");
    for (uint32_t t = 0; t < e->term_count; t++)
        hs_json_text(json, hsel_dataset_feature_name(data, e->terms[t]));
    hs_json_put(json, "] label:[");
    for (uint32_t t = 0; t < e->term_count; t++)
        hs_json_text(json, hs_about_label(&data->about, e->terms[t]));
    hs_json_put(json, "] namespace:[");
    for (uint32_t t = 0; t < e->term_count; t++)
        index_or_null(json, space[t]);
    hs_json_put(json, "] depth:[");
    for (uint32_t t = 0; t < e->term_count; t++)
        hs_json_u64(json, e->dag ? e->dag->depth[t] : 0);
    /* [class][term]; without classes a list of its own. */
    const uint32_t parts = e->counts.classes ? e->counts.classes : 1;
    HS_OWNED double *have = HS_NEW(double, (size_t)parts *(e->term_count + 1)),
                    *with = HS_NEW(double, (size_t)parts *(e->term_count + 2)),
                    *scratch = HS_NEW(double, data->instances);
    HS_NEED(have && with && scratch);
    for (uint32_t t = 0; t < e->term_count; t++)
        frequency(e, e->terms[t], scratch, have + (size_t)t * parts, with + (size_t)t * parts);
    hs_json_put(json, e->counts.classes ? "] support:[" : "] have:");
    for (uint32_t c = 0; c < parts; c++) {
        hs_json_array(json);
        for (uint32_t t = 0; t < e->term_count; t++)
            if (data->types[e->terms[t]] == HSEL_NOMINAL || e->request.store)
                hs_json_text(json, NULL);
            else
                hs_json_double(json, have[(size_t)t * parts + c]);
        hs_json_end_array(json);
    }
    if (parts > 2 && !e->request.store) { /* of two classes one is against the other */
        hs_json_put(json, "] correlation:[");
        for (uint32_t c = 0; c < parts; c++) {
            hs_json_array(json);
            for (uint32_t t = 0; t < e->term_count; t++)
                number(json, with[(size_t)t * parts + c], CONTRIBUTION);
            hs_json_end_array(json);
        }
    }
    hs_json_put(json, e->counts.classes ? "] parents:[" : "parents:[");
    for (uint32_t t = 0; t < e->term_count; t++) {
        size_t parents = 0;
        const uint32_t *parent = dag ? hs_parents(dag, t, &parents) : e->terms;
        put_counts(json, NULL, parent, parents);
    }
    hs_json_put(json, "]");
    if (dag && dag->relation) {
        hs_json_put(json, "relation:[");
        for (uint32_t t = 0; t < e->term_count; t++) {
            hs_json_array(json);
            for (uint32_t i = dag->parent_start[t]; i < dag->parent_start[t + 1]; i++)
                hs_json_u64(json, dag->relation[i]);
            hs_json_end_array(json);
        }
        hs_json_put(json, "]");
    }
    if (e->layout) {
        hs_json_put(json, "layout:[");
        for (uint32_t t = 0; t < e->term_count; t++)
            if (isnan(e->layout[t][0]))
                hs_json_text(json, NULL);
            else
                hs_json_put(json, "[%u %u]", (unsigned)lroundf(e->layout[t][0]),
                            (unsigned)lroundf(e->layout[t][1]));
        hs_json_put(json, "]");
    }
    hs_json_put(json, "}");
    return HSEL_OK;
}

static void put_detail(const hs_exploration *e, const struct hs_explored_run *run,
                       const struct detail *d, hs_json *json)
{
    static const char *const words[] = {[HS_REASONS_NONE] = "none",
                                        [HS_REASONS_TERMS] = "terms",
                                        [HS_REASONS_PATH] = "path",
                                        [HS_REASONS_OWEN] = "owen"};
    const hsel_dataset *data = e->request.data;
    char key[32];
    size_t positives;
    const uint32_t *row = hs_row(data, d->instance, &positives);
    key[hs_format_u64(d->instance, key)] = '\0';
    hs_json_put(json, "%s:{baseline:", key);
    amount(json, e, d->prior, LOG_ODDS);
    hs_json_put(json, run->number ? "number:" : "log_odds:");
    amount(json, e,
           !isnan(d->log_odds) ? d->log_odds
           : run->number       ? run->number[d->instance]
                               : run->log_odds[d->instance],
           LOG_ODDS);
    hs_json_put(json, "reasoning:%s terms:[", words[d->reasoning]);
    for (uint32_t i = 0; i < d->reason_count; i++) {
        const hs_reason *reason = &d->reasons[i];
        hs_json_array(json);
        place_of(json, e, reason->feature);
        if (data->types[reason->feature] == HSEL_NOMINAL && !isnan(reason->value))
            hs_json_text(json, hs_names_get(&data->nominal[data->slot[reason->feature]].values,
                                            (uint32_t)reason->value));
        else
            number(json, reason->value, LOG_ODDS);
        amount(json, e, reason->contribution, CONTRIBUTION);
        amount(json, e, reason->error, CONTRIBUTION);
        hs_json_end_array(json);
    }
    hs_json_put(json, "] rest:[%u", d->rest_count);
    amount(json, e, d->rest, CONTRIBUTION);
    hs_json_put(json, "] verdicts:[");
    for (uint32_t i = 0; i < d->verdict_count; i++) {
        const hs_verdict *v = &d->verdicts[i];
        hs_json_array(json);
        place_of(json, e, v->feature);
        hs_json_u64(json, v->kept);
        hs_json_text(json, hs_rule_table[v->rule].key);
        place_of(json, e, v->by);
        number(json, v->score, CONTRIBUTION);
        number(json, v->other, CONTRIBUTION);
        hs_json_end_array(json);
    }
    hs_json_put(json, "]");
    if (d->neighbour_count) {
        hs_json_put(json, "neighbours:[");
        for (uint32_t i = 0; i < d->neighbour_count; i++) {
            const hs_neighbour *n = &d->neighbours[i];
            hs_json_array(json);
            hs_json_double(json, e->request.model ? -1 : (double)n->instance);
            hs_print(key, sizeof key, "training instance %u", n->instance + 1);
            hs_json_text(json, !e->request.model ? hsel_dataset_id(e->request.data, n->instance)
                               : n->id           ? n->id
                                                 : key);
            if (run->number)
                hs_json_double(json, n->target);
            else
                index_or_null(json, n->label);
            number(json, n->distance, CONTRIBUTION);
            hs_json_put(json, "%u %u %u]", n->shared, n->here, n->there);
        }
        hs_json_put(json, "]");
    }
    hs_json_put(json, "has:[");
    for (size_t i = 0; i < positives; i++)
        place_of(json, e, row[i]);
    for (uint32_t t = 0; t < e->term_count; t++) { /* an amount of it */
        double value = data->types[e->terms[t]] == HSEL_NUMERIC
                           ? hs_dataset_value(data, e->terms[t], d->instance)
                           : 0;
        if (value < 0 || value > 0)
            hs_json_u64(json, t);
    }
    hs_json_put(json, "]}");
}

/* Nodes are nested: a stack of those that are open, with the branch that comes next. */
static void put_tree(const hs_exploration *e, const struct hs_explored_run *run, hs_json *json)
{
    const json_t *nodes = json_object_get(run->tree, "nodes");
    struct {
        const json_t *node;
        size_t next;
    } stack[MODEL_TERMS];
    size_t depth = 0, i;
    const json_t *node = json_array_get(nodes, 0), *value;
    for (;;) {
        if (node) {
            const char *name = json_string_value(json_object_get(node, "feature"));
            bool inner = name && depth < MODEL_TERMS;
            hs_json_object(json);
            if (inner) {
                hs_json_put(json, "test:%s t:", name);
                place_of(json, e, named_feature(run, name));
            }
            double weight = json_number_value(json_object_get(node, "weight"));
            const json_t *mean =
                json_object_get(node, "mean"); /* of numbers, in place of a class */
            char leaf[40] = "";
            if (mean) {
                hs_print(leaf, sizeof leaf, "%.6g", json_number_value(mean));
                hs_json_put(json, "weight:%g", weight);
            }
            hs_json_put(json, "leaf:%s counts:[",
                        mean ? leaf : json_string_value(json_object_get(node, "class")));
            json_array_foreach(json_object_get(node, "shares"), i, value)
                number(json, weight * json_number_value(value), CONTRIBUTION);
            hs_json_put(json, "]");
            if (inner) {
                hs_json_put(json, "branches:[");
                stack[depth].node = node;
                stack[depth++].next = 0;
            } else {
                hs_json_put(json, "}");
                if (depth) /* of its branch */
                    hs_json_put(json, "]");
            }
        }
        if (!depth)
            return;
        const json_t *at = stack[depth - 1].node;
        size_t branch = stack[depth - 1].next++;
        const json_t *child = json_array_get(json_object_get(at, "children"), branch);
        if (!child) {
            hs_json_put(json, "]}");
            if (--depth)
                hs_json_put(json, "]");
            node = NULL;
            continue;
        }
        const char *kind = json_string_value(json_object_get(at, "kind")),
                   *named =
                       json_string_value(json_array_get(json_object_get(at, "values"), branch));
        char test[256];
        if (kind && strcmp(kind, "numeric") == 0)
            hs_print(test, sizeof test, "%s %.6g",
                     branch ? ">" : "<=", json_number_value(json_object_get(at, "threshold")));
        else if (named)
            hs_print(test, sizeof test, "= %.200s", named);
        else
            hs_print(test, sizeof test, "= %zu", branch);
        hs_json_put(json, "[%s", test);
        node = json_array_get(nodes, (size_t)json_integer_value(child));
    }
}

static void put_model(const hs_exploration *e, const struct hs_explored_run *run, hs_json *json)
{
    hs_json_put(json, "model:{kind:%s of:%s", run->kind, run->weights_of);
    if (run->weight_count) {
        bool terms = strcmp(run->kind, "terms") == 0;
        hs_json_put(json, "%s:[", run->kind);
        for (size_t i = 0; i < model_terms(e, run); i++) {
            const struct weight *w = &run->weights[i];
            hs_json_array(json);
            place_of(json, e, w->feature);
            number(json, w->value, LOG_ODDS);
            if (terms)
                number(json, w->absent, LOG_ODDS);
            hs_json_end_array(json);
        }
        hs_json_put(json, "]");
    }
    if (run->edges) {
        hs_json_put(json, "network:[");
        for (uint32_t i = 0; i < run->edges; i++) {
            hs_json_array(json);
            place_of(json, e, run->network[i].feature);
            place_of(json, e, run->network[i].on);
            hs_json_end_array(json);
        }
        hs_json_put(json, "]");
    }
    if (run->tree) {
        hs_json_put(json, "tree:");
        put_tree(e, run, json);
    }
    if (run->text.length && run->text.length <= TEXT_BYTES)
        hs_json_put(json, "text:%s", run->text.text);
    hs_json_put(json, "}");
}

static int put_run(const hs_exploration *e, const struct hs_explored_run *run, hs_json *json,
                   hsel_error *error)
{
    static const hs_metric usual[] = {
        HS_METRIC_GM,       HS_METRIC_AUROC,       HS_METRIC_AUPRC,
        HS_METRIC_ACCURACY, HS_METRIC_SENSITIVITY, HS_METRIC_SPECIFICITY,
        HS_METRIC_RMSE,     HS_METRIC_R2,          HS_METRIC_SPEARMAN};
    const uint32_t parts = e->counts.classes ? e->counts.classes : 1;
    const hs_explore_request *r = &e->request;
    const uint32_t n = r->data->instances;
    const double *scores = run->model ? hs_model_scores(run->model) : NULL;
    const hs_classifier *classifier = run->model ? run->model->classifier.method->classifier : NULL;
    bool pooled = r->model || (r->folds && r->folds->count == n);
    HS_OWNED double *mean = HS_NEW_ZERO(double, e->term_count);
    HS_OWNED uint32_t *times = HS_NEW_ZERO(uint32_t, e->term_count);
    HS_OWNED double *scratch = HS_NEW(double, n), *have = HS_NEW(double, 3 * (size_t)parts);
    HS_NEED(mean && times && scratch && have);
    for (size_t i = 0; i < run->detail_count; i++) /* where the model has no terms of its own */
        for (uint32_t j = 0; j < run->details[i].reason_count; j++) {
            const hs_reason *reason = &run->details[i].reasons[j];
            if (reason->value != 0 && !isnan(reason->contribution)) {
                mean[e->place[reason->feature]] += reason->contribution;
                times[e->place[reason->feature]]++;
            }
        }
    hs_json_put(
        json, "{selector:%s classifier:%s about:%s lazy:%d how:%s sample:%s of:%u metrics:[",
        run->selector, run->classifier, run->about, run->lazy, r->how, run->sample, run->of);
    for (size_t i = 0; run->measured && i < sizeof usual / sizeof *usual; i++) {
        double value = (pooled ? run->scores.pooled : run->scores.fold_mean)[usual[i]];
        if (!hs_metric_fits(usual[i], of_numbers(e)))
            continue;
        hs_json_put(json, "[%s", hs_metric_title(usual[i]));
        amount(json, e, hs_metric_scale(usual[i]) * value, 1e2);
        hs_json_put(json, "]");
    }
    hs_json_put(json, "] terms:{selected:[");
    for (uint32_t t = 0; t < e->term_count; t++)
        hs_json_u64(json, run->selected[e->terms[t]]);
    hs_json_put(json, "] score:[");
    for (uint32_t t = 0; t < e->term_count; t++)
        number(json, scores ? scores[e->terms[t]] : (double)NAN, LOG_ODDS);
    hs_json_put(json, "] direction:[");
    for (uint32_t t = 0; t < e->term_count; t++)
        index_or_null(json, r->store ? HSEL_NONE
                                     : frequency(e, e->terms[t], scratch, have, have + parts));
    hs_json_put(json, of_numbers(e) ? "] effect:[" : "] log_odds:[");
    for (uint32_t t = 0; t < e->term_count; t++)
        amount(json, e,
               times[t] && isnan(run->term_odds[e->terms[t]]) ? mean[t] / times[t]
                                                              : run->term_odds[e->terms[t]],
               CONTRIBUTION);
    hs_json_put(json, "] importance:");
    if (classifier && classifier->importance) {
        hs_json_array(json);
        for (uint32_t t = 0; t < e->term_count; t++)
            number(json, classifier->importance(run->model->classifier_model, e->terms[t]),
                   LOG_ODDS);
        hs_json_end_array(json);
    } else {
        hs_json_text(json, NULL);
    }
    hs_json_put(json, "} instances:{");
    if (run->number) {
        hs_json_put(json, "number:[");
        for (uint32_t i = 0; i < n; i++)
            amount(json, e, run->number[i], LOG_ODDS);
    } else {
        put_counts(json, "predicted", run->predicted, n);
        hs_json_put(json, "log_odds:[");
        for (uint32_t i = 0; i < n; i++)
            number(json, run->log_odds[i], CONTRIBUTION);
        hs_json_put(json, "] probability:[");
        for (uint32_t i = 0; i < n; i++)
            share(json, run->probability[i]);
    }
    hs_json_put(json, "]");
    put_counts(json, "fold", run->fold_of, n);
    hs_json_put(json, "} details:{");
    for (size_t i = 0; i < run->detail_count; i++)
        put_detail(e, run, &run->details[i], json);
    hs_json_put(json, "} lists:{");
    for (int list = 0; list < LISTS; list++)
        put_counts(json, list_names[run->number != NULL][list], run->list[list], run->length[list]);
    hs_json_put(json, "}");
    put_model(e, run, json);
    hs_json_put(json, "}");
    return HSEL_OK;
}

int hs_exploration_json(const hs_exploration *e, hs_writer *out, hsel_error *error)
{
    const hs_explore_request *r = &e->request;
    const hsel_dataset *data = r->data;
    hs_json json = {.out = out, .page = true};
    HS_OWNS(hs_buf_clear) hs_buf title = {0};
    hs_buf_text(&title, hsel_dataset_name(data)); /* of several, the page lets one choose */
    if (e->run_count == 1)
        hs_buf_printf(&title, ": %s with %s", e->runs[0].selector, e->runs[0].classifier);
    HS_NEED(!title.failed);
    hs_json_put(&json,
                "{format:%u hsel:%s title:%s command:%s dataset:{name:%s instances:%u "
                "features:%u classes:[",
                1, hsel_version(), title.text, r->command, hsel_dataset_name(data), data->instances,
                data->features);
    for (uint32_t c = 0; c < data->class_names.count; c++)
        hs_json_text(&json, hsel_dataset_class_name(data, c));
    hs_json_put(&json, "]");
    put_counts(&json, "class_sizes", e->counts.class_size, e->counts.classes);
    hs_json_put(&json, "positive:");
    index_or_null(&json, two_classes(e) ? data->positive_class : HSEL_NONE);
    if (of_numbers(e)) {
        const hsel_dataset *shape = r->model ? r->model->shape : data;
        hs_json_put(&json, "target:%s", shape->class_attribute ? shape->class_attribute : "target");
    }
    hs_json_put(&json, "provenance:[");
    for (size_t i = 0; i < r->provenance_count; i++)
        hs_json_text(&json, r->provenance[i]);
    hs_json_put(&json, "] unlabelled:[");
    for (size_t i = 0; i < r->unlabelled_count; i++)
        hs_json_text(&json, r->unlabelled[i]);
    hs_json_put(&json, "]} notes:[");
    for (size_t i = 0; i < e->note_count; i++)
        hs_json_text(&json, e->notes[i]);
    hs_json_put(&json, "]");
    HS_TRY(put_terms(e, &json, error));
    hs_json_put(&json, "instances:{id:[");
    for (uint32_t i = 0; i < data->instances; i++)
        hs_json_text(&json, hsel_dataset_id(data, i));
    hs_json_put(&json, "] label:[");
    for (uint32_t i = 0; i < data->instances; i++)
        hs_json_text(&json, hs_about_label(&data->instance_about, i));
    hs_json_put(&json, "] class:[");
    for (uint32_t i = 0; i < data->instances; i++)
        index_or_null(&json, hsel_dataset_class_of(data, i));
    hs_json_put(&json, "]");
    if (data->target) {
        hs_json_put(&json, "target:[");
        for (uint32_t i = 0; i < data->instances; i++)
            amount(&json, e, data->target[i], LOG_ODDS);
        hs_json_put(&json, "]");
    }
    hs_json_put(&json, "} runs:[");
    for (size_t i = 0; i < e->run_count; i++)
        HS_TRY(put_run(e, &e->runs[i], &json, error));
    hs_json_put(&json, "] rules:{");
    for (int rule = 0; rule < HS_RULES; rule++)
        hs_json_put(&json, "%s:%s", hs_rule_table[rule].key, hs_rule_table[rule].sentence);
    hs_json_put(&json, "}}");
    return HSEL_OK;
}

/* ---- the page ---- */

#ifdef HS_WITH_PAGE /* made from explore/page; empty: built without what bundles it */
extern const char hs_explorer_script[], hs_explorer_style[], hs_explorer_body[], hs_explorer_hash[];
#else
static const char hs_explorer_script[] = "", hs_explorer_style[] = "", hs_explorer_body[] = "",
                  hs_explorer_hash[] = "";
#endif

int hs_exploration_page_check(hsel_error *error)
{
    return *hs_explorer_script
               ? HSEL_OK
               : hs_fail(error, HSEL_EUNSUPPORTED,
                         "this program was built without the page: install esbuild, node-d3-zoom, "
                         "node-d3-selection and node-dagre-layout and build it again; --json "
                         "writes the data alone");
}

int hs_exploration_page(const hs_exploration *e, hs_writer *out, hsel_error *error)
{
    HS_TRY(hs_exploration_page_check(error));
    /* The page runs its own script, known by its hash, and no other, and loads nothing. */
    hs_writer_printf(out,
                     "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                     "style-src 'unsafe-inline'; script-src 'sha256-%s'; img-src data: blob:; "
                     "base-uri 'none'; form-action 'none'\">\n",
                     hs_explorer_hash);
    hs_put_escaped(out, hs_html_text,
                   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                   "<meta name=\"color-scheme\" content=\"light dark\">\n"
                   "<link rel=\"icon\" href=\"data:,\">\n"
                   "<meta name=\"generator\" content=\"hsel " HSEL_VERSION "\">\n"
                   "<title>%s</title>\n<style>",
                   hsel_dataset_name(e->request.data));
    hs_writer_text(out, hs_explorer_style);
    hs_writer_text(out, "</style>\n</head>\n<body>\n");
    hs_writer_text(out, hs_explorer_body);
    hs_writer_text(out, "<script type=\"application/json\" id=\"data\">");
    HS_TRY(hs_exploration_json(e, out, error));
    hs_writer_text(out, "</script>\n<script>");
    hs_writer_text(out, hs_explorer_script);
    hs_writer_text(out, "</script>\n</body>\n</html>\n");
    return HSEL_OK;
}

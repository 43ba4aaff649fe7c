/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Working out an exploration. First the runs: predictions, how often each feature was selected, and
 * details of some instances from the models of their folds; then the terms that all of these speak
 * of, with their ancestors (explore_terms.c); then all of it as JSON, in which terms have their
 * numbers (explore_json.c).
 */
#include "explore/explore.h"

#include "classify/classify.h"
#include "data/classes.h"
#include "explore/explore_parts.h"
#include "rank/rank.h"

enum { REASONS = 60 };

/* Where predictions come from: models that did not see the instance, a model that was trained on
 * these instances, or a model of which that is unknown. */
enum { OUT_OF_FOLD, IN_SAMPLE, UNKNOWN_SAMPLE };
static const char *const samples[] = {"out-of-fold", "training", "unknown"};

void hs_exploration_clear(hs_exploration *e)
{
    for (size_t r = 0; r < e->run_count; r++) {
        struct hs_explored_run *run = &e->runs[r];
        for (size_t i = 0; run->details && i < run->detail_count; i++) {
            hs_explanation_clear(&run->details[i].why);
            hs_free(run->details[i].verdicts);
        }
        HS_FREE(run->details, run->network);
        hs_model_free(run->own);
        hs_buf_clear(&run->text);
    }
    hs_dag_free(e->dag);
    hs_counts_clear(&e->counts);
    hs_document_clear(&e->doc);
    *e = (hs_exploration){0};
}

void hs_explore_note(hs_exploration *e, const char *text)
{
    if (e->note_count < sizeof e->notes / sizeof *e->notes)
        e->notes[e->note_count++] = text;
}

/* ---- what was predicted ---- */

/* Whether scores are log-odds, which do not saturate as log-odds computed from probabilities do:
 * they must agree with the probabilities wherever these are not extreme. */
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

/* Fills the lists with the instances of the highest keys[list * instances + instance] (NaN:
 * excluded), the last with the chosen ones. All instances in lists get details. */
static int choose_details(hs_exploration *e, struct hs_explored_run *run, const double *keys,
                          hsel_error *error)
{
    const hs_explore_request *request = &e->request;
    const uint32_t n = request->data->instances,
                   wanted = request->details < n ? request->details : n;
    HS_OWNED bool *chosen = HS_NEW_ZERO(bool, n);
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, n);
    HS_NEED(chosen && order);
    for (int list = 0; list < HS_LISTS; list++, keys += n) {
        const uint32_t room = list < HS_ASKED ? wanted : (uint32_t)request->asked_count;
        uint32_t count = 0;
        HS_NEED(run->list[list] = HS_ARENA_NEW(&e->doc.arena, uint32_t, room));
        if (list < HS_ASKED)
            hs_rank_order(keys, n, NULL, order);
        while (list < HS_ASKED && count < n && !isnan(keys[order[count]]))
            count++;
        run->length[list] = list == HS_ASKED || count > room ? room : count;
        for (uint32_t i = 0; i < run->length[list]; i++)
            run->list[list][i] = list < HS_ASKED ? order[i] : request->asked[i];
    }
    for (int list = 0; list < HS_LISTS; list++)
        for (uint32_t i = 0; i < run->length[list]; i++) {
            run->detail_count += !chosen[run->list[list][i]];
            chosen[run->list[list][i]] = true;
        }
    size_t count = run->detail_count;
    run->detail_count = 0;
    HS_NEED(run->details = HS_NEW_ZERO(struct hs_explored_detail, count));
    for (uint32_t i = 0; i < n; i++)
        if (chosen[i])
            run->details[run->detail_count++].why =
                (hs_explanation){.instance = i, .samples = 10, .threads = 1};
    return HSEL_OK;
}

/* Fills the run from the predictions, and chooses the instances that get details. */
static int take_predictions(hs_exploration *e, struct hs_explored_run *run, const hs_predictions *p,
                            hsel_error *error)
{
    const uint32_t n = p->instances;
    const bool own = scores_are_log_odds(p), two = hs_explores_two(e);
    const bool fresh = run->sample == samples[IN_SAMPLE] && e->counts.instances < n,
               candidates = hs_is_pu(e->request.data);
    hs_arena *arena = &e->doc.arena;
    HS_OWNED double *keys = HS_NEW(double, HS_ASKED *(size_t)n);
    double *first = keys, *second = keys + n, *off = second + n;
    HS_NEED(keys && HS_LISTS(arena, run, HS_PART(run, predicted, n), HS_PART(run, log_odds, n),
                             HS_PART(run, probability, n)));
    if (candidates)
        HS_NEED(run->rank_score = HS_ARENA_NEW(arena, double, n));
    if (hs_explores_number(e))
        HS_NEED(run->number = HS_ARENA_NEW(arena, double, n));
    for (uint32_t i = 0; i < n && run->number; i++) {
        run->number[i] = first[i] = p->score[i];
        second[i] = -p->score[i];
        off[i] = p->target ? fabs(p->score[i] - p->target[i]) : (double)NAN;
    }
    for (uint32_t i = 0; i < n && !run->number; i++) {
        run->predicted[i] = hs_prediction_of(p, i);
        uint32_t c = two ? p->positive_class : run->predicted[i];
        double share = p->probability[(size_t)i * p->classes + c];
        bool known = p->truth && p->truth[i] != HSEL_NONE;
        run->probability[i] = share;
        run->log_odds[i] = own ? hs_score_of(p, i, c) : log(share / (1 - share));
        double sure = two ? fabs(run->log_odds[i]) : run->log_odds[i];
        if (candidates) { /* how a positive compares with others, not whether it is one */
            const bool positive = known && p->truth[i] == p->positive_class;
            run->rank_score[i] = p->score ? hs_score_of(p, i, p->positive_class) : share;
            first[i] = positive || (fresh && known) ? (double)NAN : run->rank_score[i];
            off[i] = positive ? run->rank_score[i] : (double)NAN;
            second[i] = -off[i];
            continue;
        }
        off[i] = known && p->truth[i] != run->predicted[i] ? sure : (double)NAN;
        /* If the model was trained on some of the instances, the lists show the others. */
        first[i] = fresh && known ? (double)NAN : sure;
        second[i] = -first[i];
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
    struct hs_explored_detail *d = &x->run->details[index];
    const uint32_t instance = d->why.instance;
    const hs_model *model = &x->models[x->fold_of ? x->fold_of[instance] : 0];
    const hsel_dataset *data = x->fold_of ? model->shape : x->e->request.data;
    size_t positives;
    const uint32_t *row = hs_row(data, instance, &positives);
    HS_OWNS(hs_model_scratch_clear) hs_model_scratch scratch = {0};
    (void)worker;
    HS_TRY(hs_progress_report(x->e->request.progress, index, x->run->detail_count, "explanations",
                              error));
    HS_TRY(hs_explain(model, data, instance, REASONS, &d->why, error));
    d->calibrated = d->why.reasoning && model->pipeline.fitted->adjust.curves;
    HS_NEED(d->verdicts = HS_NEW(hs_verdict, positives + d->why.count));
    HS_TRY(hs_model_look(&scratch, model, data, instance, error));
    for (size_t i = 0; i < positives; i++)
        hs_model_why(&scratch, data, instance, row[i], &d->verdicts[d->verdict_count++]);
    for (uint32_t i = 0; i < d->why.count; i++) {
        const hs_reason *reason = &d->why.reasons[i];
        if (data->types[reason->feature] != HSEL_BINARY || reason->value == 0)
            hs_model_why(&scratch, data, instance, reason->feature,
                         &d->verdicts[d->verdict_count++]);
    }
    return HSEL_OK;
}

/* ---- where runs come from ---- */

/* Models whose parts belong to the folds of a cross-validation. */
struct fold_models {
    hs_model *models;
    hs_trained *fitted; /* of each model, which it borrows */
    uint32_t count;
};

static void fold_models_clear(struct fold_models *m)
{
    for (uint32_t i = 0; m->models && i < m->count; i++)
        hs_counts_clear(&m->models[i].counts);
    HS_FREE(m->models, m->fitted);
}

/* All classifiers of one selector, whose runs are contiguous. */
static int cross_validate(hs_exploration *e, struct hs_explored_run *run, hsel_error *error)
{
    const hs_explore_request *r = &e->request;
    const hsel_dataset *data = r->data;
    const size_t s = run->s;
    const hs_chosen *selector = &r->selectors[s];
    const uint32_t folds = r->folds->count;
    HS_OWNS(hs_crossval_clear) hs_crossval done = {0};
    HS_OWNS(fold_models_clear)
    struct fold_models m = {HS_NEW_ZERO(hs_model, folds), HS_NEW_ZERO(hs_trained, folds), folds};
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
        .keep = true,
        .progress = r->progress};
    HS_NEED(m.models && m.fitted && rows);
    HS_TRY(hs_crossval_run(&request, &done, error));
    for (uint32_t f = 0; f < folds; f++) {
        hs_view part = {.data = data, .rows = rows};
        hs_model *model = &m.models[f];
        const hs_pipeline *pipeline = &done.kept[f];
        part.row_count = hs_folds_training(r->folds, f, rows);
        HS_TRY(hs_counts_of(&part, &model->counts, error));
        model->selector = *selector;
        /* a model's own shape is not changed either */
        model->shape = pipeline->made ? pipeline->made : (hsel_dataset *)data;
        model->pipeline = *pipeline;
        model->pipeline.count = 1;
        model->pipeline.left_out = NULL;
        if (pipeline->mask && selector->method->selector->scores)
            model->scores = (double *)selector->method->selector->scores(pipeline->state);
    }
    for (; run < e->runs + e->run_count && run->s == s; run++) {
        const hs_predictions p = hs_crossval_repeat(&done, run->c).predictions;
        run->lazy = selector->method->flags & HS_LAZY;
        run->of = run->lazy ? data->instances : folds;
        run->fold_of = r->folds->fold_of;
        HS_NEED(run->selected = hs_arena_zero(&e->doc.arena, data->features, sizeof(uint32_t)));
        for (uint32_t f = 0; f < data->features; f++)
            for (uint32_t k = 0; run->lazy ? k < 1 : k < folds; k++)
                run->selected[f] += run->lazy ? done.selectors[0].frequency[f]
                                              : hs_bit_get(m.models[k].pipeline.mask, f);
        run->measured = true;
        run->sample = samples[OUT_OF_FOLD];
        HS_TRY(hs_metrics_compute(&p, &run->scores, error));
        HS_TRY(take_predictions(e, run, &p, error));
        for (uint32_t f = 0; f < folds; f++) {
            m.models[f].classifier = r->classifiers[run->c];
            m.models[f].pipeline.classifiers = &r->classifiers[run->c];
            m.fitted[f] = done.kept[f].fitted[run->c];
            m.models[f].pipeline.fitted = &m.fitted[f];
        }
        HS_TRY(hs_parallel_for(run->detail_count, r->threads, explain_one,
                               &(struct explaining){e, run, m.models, r->folds->fold_of}, error));
        HS_TRY(hs_model_train(&(hs_model_request){.data = data,
                                                  .selector = run->selector,
                                                  .classifier = run->classifier,
                                                  .allow_violations = r->allow_violations,
                                                  .seed = r->seed,
                                                  .threads = r->threads,
                                                  .progress = r->progress},
                              &run->own, error));
        run->model = run->own;
    }
    return HSEL_OK;
}

static void count_one(void *context, uint32_t feature, bool value)
{
    (void)value;
    ((uint32_t *)context)[feature]++;
}

/* Whether the model was trained on the labelled instances of the data. A model has no instances,
 * but its counts are then those of the data. False where it counted nothing, or learned from other
 * instances as well. */
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
                    *score = HS_NEW(double, (size_t)data->instances *hs_answers(classes));
    HS_OWNED uint32_t *known = HS_NEW(uint32_t, data->instances),
                      *fold = HS_NEW_ZERO(uint32_t, data->instances),
                      *sizes = HS_NEW(uint32_t, data->instances);
    HS_NEED(probability && score && known && fold && sizes);
    run->lazy = r->model->selector.method->flags & HS_LAZY;
    run->of = run->lazy ? data->instances : 1;
    run->model = r->model;
    run->sample = samples[learned_from(r->model, &e->counts) ? IN_SAMPLE : UNKNOWN_SAMPLE];
    HS_NEED(run->selected = hs_arena_zero(&e->doc.arena, data->features, sizeof(uint32_t)));
    for (uint32_t f = 0; !run->lazy && f < data->features; f++)
        run->selected[f] = hs_bit_get(r->model->pipeline.mask, f);
    HS_TRY(hs_model_scratch_init(&scratch, r->model, error));
    for (uint32_t i = 0; i < data->instances; i++) {
        size_t count;
        if (i % 1024 == 0)
            HS_TRY(hs_progress_report(r->progress, i, data->instances, "predictions", error));
        HS_TRY(hs_model_predict(r->model, data, i, 1, &scratch, probability + (size_t)i * classes,
                                NULL, &sizes[i], error));
        memcpy(score + (size_t)i * width, scratch.predictor.score + (classes == 2),
               width * sizeof *score);
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
    hs_explore_note(e, run->sample == samples[IN_SAMPLE]
                           ? "the model was trained on the instances that have a class: their "
                             "predictions and metrics are training results, which are better than "
                             "those of new instances (hsel eval estimates these)"
                           : "it is unknown whether the model was trained on these instances: if "
                             "so, their predictions and metrics are better than those of new ones "
                             "(hsel eval estimates these)");
    for (uint32_t i = 0; i < data->instances; i++)
        if (hs_has_label(data, i))
            known[p.tested_count++] = i;
    p.tested = known;
    run->measured = p.tested_count > 0;
    return run->measured ? hs_metrics_compute(&p, &run->scores, error) : HSEL_OK;
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

static void note_limit(void *context, const char *line)
{
    hs_exploration *e = context;
    hs_explore_note(e, hs_say(&e->doc, "%s", line));
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
    if (request->limits)
        hs_notes_tell(request->limits, note_limit, &e);
    for (size_t i = 0; i < runs; i++) {
        struct hs_explored_run *run = &e.runs[i];
        const hs_model *model = request->model;
        const hs_chosen *selector = model ? &model->selector : &request->selectors[run->s],
                        *classifier = model ? &model->classifier : &request->classifiers[run->c];
        run->selector = selector->text;
        run->classifier = classifier->text;
        run->about = hs_say(&e.doc, "%s; %s", selector->method->title, classifier->method->title);
    }
    if (request->model)
        HS_TRY(apply_model(&e, error));
    for (size_t i = 0; request->store && i < runs; i++)
        HS_TRY(read_store(&e, &e.runs[i], error));
    for (size_t i = 0; !request->model && !request->store && i < runs; i++)
        if (i == 0 || e.runs[i].s != e.runs[i - 1].s)
            HS_TRY(cross_validate(&e, &e.runs[i], error));
    for (size_t i = 0; i < runs; i++)
        HS_TRY(hs_explore_model(&e, &e.runs[i], error));
    HS_TRY(hs_explore_terms(&e, error));
    HS_TRY(hs_explore_layout(&e, error));
    uint32_t details = 0;
    for (size_t i = 0; i < runs; i++)
        details += (uint32_t)e.runs[i].detail_count;
    if (request->store)
        hs_explore_note(
            &e, request->data->dag
                    ? "the store has no values of features: there is no support, and no prediction "
                      "has details; give DATA to have them"
                    : "the store has no values of features: there is no hierarchy, no support, and "
                      "no prediction has details; give DATA to have them");
    else if (!details)
        hs_explore_note(&e, hs_say(&e.doc, "no prediction has details: {details=N} gives them"));
    else
        hs_explore_note(&e,
                        hs_say(&e.doc,
                               hs_explores_number(&e)
                                   ? "%s of %s predictions have details: in each run the %u "
                                     "highest, lowest and furthest off%s"
                               : hs_is_pu(request->data)
                                   ? "%s of %s predictions have details: in each run the %u first "
                                     "candidates, and as many known ones that rank lowest and "
                                     "highest%s"
                                   : "%s of %s predictions have details: in each run the %u most "
                                     "certain, doubtful and wrong ones%s",
                               hs_grouped(&e.doc, details),
                               hs_grouped(&e.doc, (uint64_t)request->data->instances * runs),
                               request->details, request->asked_count ? ", and those chosen" : ""));
    HS_TRY(hs_document_check(&e.doc, error));
    HS_MOVE(out, &e);
    return HSEL_OK;
}

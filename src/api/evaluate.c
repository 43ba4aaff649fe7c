/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions of hsel.h for cross-validation, its results and the automatic choice.
 */
#include "api/api.h"
#include "learn/auto.h"
#include "learn/crossval.h"
#include "learn/fold_file.h"
#include "learn/model.h"
#include "show/choice.h"
#include "show/unlabelled.h"
#include "stats/running.h"
#include "stats/stability.h"

#define MOST_REPEATS      1000 /* of the automatic choice, outer or inner */
#define MOST_PERMUTATIONS 100000

/* ---- cross-validation ---- */

size_t hsel_metric_count(void) { return HS_METRICS; }

const char *hsel_metric_name(size_t metric)
{
    return metric < HS_METRICS ? hs_metric_name((hs_metric)metric) : NULL;
}

void hsel_evaluation_free(hsel_evaluation *evaluation)
{
    if (evaluation)
        hs_evaluation_clear(evaluation);
    hs_free(evaluation);
}
HS_RELEASE(evaluation_release, hsel_evaluation, hsel_evaluation_free)

uint32_t hsel_evaluation_folds(const hsel_evaluation *evaluation) { return evaluation->folds; }

uint32_t hsel_evaluation_repeats(const hsel_evaluation *evaluation) { return evaluation->repeats; }

const char *hsel_evaluation_design(const hsel_evaluation *evaluation) { return evaluation->design; }

double hsel_evaluation_metric(const hsel_evaluation *evaluation, const char *metric, int statistic)
{
    hs_metric m = hs_metric_find(metric, strlen(metric));
    if (m == HS_METRICS || statistic < HSEL_POOLED || statistic > HSEL_FOLD_MEAN_SD)
        return (double)NAN;
    const hs_running *found = (statistic % 2 ? evaluation->fold_mean : evaluation->pooled) + m;
    return statistic < HSEL_POOLED_SD ? found->mean : hs_running_sd(found);
}

int hsel_evaluation_interval(const hsel_evaluation *evaluation, const hsel_evaluation *other,
                             const char *metric, int pooled, double *out, char *method,
                             hsel_error *error)
{
    const hs_metric m = hs_metric_find(metric, strlen(metric));
    HS_REFUSE(m == HS_METRICS, "there is no metric '%.80s'", metric);
    return hs_evaluation_interval(evaluation, other, m, pooled, out, method, error);
}

double hsel_evaluation_selected(const hsel_evaluation *evaluation)
{
    return evaluation->selected.mean;
}

double hsel_evaluation_stability(const hsel_evaluation *evaluation)
{
    return evaluation->stability.nogueira;
}

void hsel_evaluation_stability_figures(const hsel_evaluation *evaluation, double *out)
{
    hs_stability_figures(&evaluation->stability, out);
}

int hsel_stability(const uint8_t *selected, uint32_t sets, uint32_t features,
                   const hsel_dataset *data, const char *similarity, int threads, double *out,
                   hsel_error *error)
{
    const size_t words = hs_bit_words(features);
    HS_OWNED uint64_t *masks = HS_NEW_ZERO(uint64_t, words * sets);
    HS_OWNS(hs_stability_space_clear) hs_stability_space space = {0};
    hs_similarity_kind kind;
    hs_stability found;
    HS_NEED(masks);
    HS_REFUSE(data && data->features != features, "the selections have %u features, but %s has %u",
              features, hsel_dataset_name(data), data->features);
    if (similarity) {
        HS_TRY(hs_similarity_parse(similarity, &kind, error));
        HS_REFUSE(!data, "a similarity needs the data set of the features");
        HS_TRY(hs_stability_space_init(&space, data, kind, threads, NULL, error));
    }
    for (uint32_t s = 0; s < sets; s++)
        for (uint32_t f = 0; f < features; f++)
            if (selected[(size_t)s * features + f])
                hs_bit_set(masks + s * words, f);
    HS_TRY(hs_stability_of(masks, sets, 1, features, similarity ? &space : NULL, threads, &found,
                           error));
    hs_stability_figures(&found, out);
    return HSEL_OK;
}

int hsel_similarity(const hsel_dataset *data, const char *similarity, const uint32_t *first,
                    const uint32_t *second, size_t count, double *out, hsel_error *error)
{
    HS_OWNS(hs_similarity_clear) hs_similarity s = {0};
    HS_OWNED uint32_t *support = HS_NEW(uint32_t, data->features), *firsts = NULL, *seconds = NULL;
    hs_similarity_kind kind;
    HS_NEED(support);
    HS_COPY_ARRAY(firsts, first, count);
    HS_COPY_ARRAY(seconds, second, count);
    HS_TRY(hs_similarity_parse(similarity, &kind, error));
    for (size_t i = 0; i < count; i++)
        HS_REFUSE(first[i] >= data->features || second[i] >= data->features,
                  "%s has %u features, so there is no feature %u", hsel_dataset_name(data),
                  data->features, first[i] >= data->features ? first[i] : second[i]);
    hs_supports(data, support);
    HS_TRY(
        hs_similarity_init(&s, data->dag, data->features, support, data->instances, kind, error));
    return hs_similarity_pairs(&s, first, second, count, out, error);
}

int hsel_pu_metrics(const double *score, const uint8_t *labelled, const uint32_t *group,
                    uint32_t count, double prior, uint64_t seed, const char *form, char **text,
                    hsel_error *error)
{
    HS_OWNS(hs_pu_ranking_clear) hs_pu_ranking ranking = {0};
    HS_OWNS(hs_memo_clear) hs_memo memo = {0};
    HS_OWNED uint32_t *own = NULL;
    HS_OWNED uint8_t *flags = NULL;
    HS_OWNED double *scores = NULL;
    hs_pu_metrics found;
    const bool json = strcmp(form, "json") == 0;
    hs_error_clear(error);
    HS_COPY_ARRAY(scores, score, count);
    HS_COPY_ARRAY(flags, labelled, count);
    HS_COPY_ARRAY(own, group, count);
    HS_REFUSE(!json && strcmp(form, "text") != 0, "unknown form '%.80s': use text or json", form);
    for (uint32_t i = 0; group && i < count; i++)
        HS_REFUSE(group[i] >= count, "the group of instance %u is %u, but there are %u instances",
                  i + 1, group[i], count);
    HS_TRY(hs_pu_rank(score, labelled, group, count, count, &ranking, error));
    HS_TRY(hs_pu_metrics_of(&ranking, prior, seed, &found, error));
    HS_TRY(hs_memo_open(&memo, error));
    hs_json out = {.out = memo.out};
    if (json) {
        hs_json_put(&out, "{");
        hs_pu_json(&found, &out);
        hs_json_put(&out, "}");
    } else {
        HS_TRY(hs_pu_print(&found, memo.out, error));
    }
    return hs_api_text(&memo, text, error);
}

const double *hsel_evaluation_numbers(const hsel_evaluation *evaluation, int array, size_t *count)
{
    bool there = array >= 0 && array < HS_EVALUATION_ARRAYS && !hs_evaluation_counts(array);
    *count = there ? evaluation->count[array] : 0;
    return there ? evaluation->array[array] : NULL;
}

const uint32_t *hsel_evaluation_counts(const hsel_evaluation *evaluation, int array, size_t *count)
{
    bool there = hs_evaluation_counts(array);
    *count = there ? evaluation->count[array] : 0;
    return there ? evaluation->array[array] : NULL;
}

/* Instances of the caller's data: all, or some as a data set of their own. */
struct part {
    const hsel_dataset *data;
    hsel_dataset *made; /* what `data` is then … */
    uint32_t *rows;     /* … and which of the caller's its instances are; NULL: all */
};

static void part_clear(struct part *part)
{
    hs_dataset_free(part->made);
    hs_free(part->rows);
}

/* The instances that have a class or target, unless none has, and, if there are folds, one of
 * those. */
static int take_part(const hsel_dataset *data, const uint32_t *fold_of, struct part *out,
                     hsel_error *error)
{
    const bool labelled = hs_unlabelled(data) > 0;
    uint32_t kept = 0;
    out->data = data;
    if (!labelled && !fold_of)
        return HSEL_OK;
    HS_OWNED bool *keep = HS_NEW(bool, data->instances);
    HS_NEED(keep && (out->rows = HS_NEW(uint32_t, data->instances)));
    for (uint32_t i = 0; i < data->instances; i++) {
        keep[i] = (!labelled || hs_has_label(data, i)) && !(fold_of && fold_of[i] == HSEL_NONE);
        out->rows[kept] = i;
        kept += keep[i];
    }
    HS_TRY(hs_dataset_keep_instances(data, keep, &out->made, error));
    out->data = out->made;
    return HSEL_OK;
}

/* A running cross-validation of a grid of pairs, possibly of only one. */
struct evaluating {
    const hs_api_call *call;
    hsel_grid grid;
    const hsel_dataset *data;
    struct part labelled; /* its instances with a class */
    hs_chosen_list selectors, classifiers;
    const char **left_out; /* [pairs]: not NULL: left out */
    hs_arena arena;        /* of the reasons */
    hs_rank_by rank_by;
    hs_refits *refits; /* [selectors] */
    hs_stability_space space;
    hs_bootstrap draws; /* unit_of: of the caller's instances, which is `unit_of` */
    uint32_t *unit_of;
    const char *scheme; /* of the request, or that of ordinary folds */
    uint32_t folds;
    uint32_t repeat, repeats;
    const uint32_t *rows; /* of the repeat, as in struct part */
    char design[HS_FOLDS_ROOM];
    hsel_evaluation **out;
};

static void evaluating_clear(struct evaluating *e)
{
    for (size_t s = 0; e->refits && s < e->selectors.count; s++)
        hs_refits_clear(&e->refits[s]);
    hs_stability_space_clear(&e->space);
    hs_free(e->unit_of);
    hs_arena_clear(&e->arena);
    hs_chosen_list_clear(&e->selectors);
    hs_chosen_list_clear(&e->classifiers);
    part_clear(&e->labelled);
}

/* A selector has finished a repeat: add its predictions to the evaluations. */
static int add_selector(void *context, const hs_crossval *done, size_t s, hsel_error *error)
{
    struct evaluating *e = context;
    const hsel_grid *grid = &e->grid;
    const size_t count = e->classifiers.count;
    hs_refits *refits = &e->refits[s];
    hs_stability stability = {0};
    bool any = false;
    for (size_t c = 0; c < count; c++)
        any |= !e->left_out[s * count + c];
    if (any && grid->stability != HSEL_NO_STABILITY)
        HS_TRY(hs_refits_add(refits, done, s, error));
    if (e->repeat + 1 == e->repeats && refits->sets)
        HS_TRY(hs_stability_of(refits->masks, refits->sets, refits->cases,
                               e->labelled.data->features, e->space.greatest ? &e->space : NULL, 1,
                               &stability, error));
    for (size_t pair = s * count; pair < (s + 1) * count; pair++) {
        if (e->left_out[pair])
            continue;
        hs_repeat tested = hs_crossval_repeat(done, pair);
        tested.rows = e->rows;
        e->out[pair]->stability = stability;
        memcpy(e->out[pair]->design, e->design, sizeof e->design);
        HS_TRY(hs_evaluation_add(e->out[pair], &tested, error));
        if (grid->done)
            HS_TRY(grid->done(grid->context, (uint32_t)pair, e->repeat, e->out[pair], error));
    }
    return HSEL_OK;
}

/* `given`: the folds of the caller's instances in this repeat; NULL: none. */
static int run_repeat(struct evaluating *e, const uint32_t *given, const hs_progress *progress,
                      hsel_error *error)
{
    const hsel_request *request = &e->call->request;
    const struct part *part = &e->labelled;
    HS_OWNS(part_clear) struct part some = {0};
    HS_OWNS(hs_folds_clear) hs_folds folds = {0};
    HS_OWNS(hs_crossval_clear) hs_crossval done = {0};
    HS_OWNED uint32_t *fold_of = HS_NEW(uint32_t, part->data->instances);
    const uint64_t seed = request->seed + e->repeat;
    uint32_t probes[HS_PROBES];
    HS_NEED(fold_of);
    if (request->tested) { /* without the instances that take no part */
        HS_TRY(take_part(e->data, given, &some, error));
        part = &some;
    }
    const hsel_dataset *data = part->data;
    e->rows = part->rows;
    if (given) {
        for (uint32_t i = 0; i < data->instances; i++)
            fold_of[i] = given[part->rows ? part->rows[i] : i];
        HS_TRY(hs_folds_check(data, error));
        HS_TRY(hs_folds_from(fold_of, data->instances, request->folds, &folds, error));
        HS_TRY(hs_folds_respect_design(&folds, data,
                                       request->tested ? request->tested : folds.count, error));
    } else {
        HS_TRY(hs_folds_choose(e->scheme, data, e->folds, seed, &folds, error));
    }
    hs_folds_say(&folds, e->design);
    if (e->repeat == 0)
        HS_TRY(hs_crossval_note(data, &folds, e->grid.pooled, progress ? progress->notes : NULL,
                                error));
    return hs_crossval_run(
        &(hs_crossval_request){.data = data,
                               .folds = &folds,
                               .selectors = e->selectors.items,
                               .classifiers = e->classifiers.items,
                               .selector_count = e->selectors.count,
                               .classifier_count = e->classifiers.count,
                               .left_out = e->left_out,
                               .fold_end = request->tested,
                               .seed = seed,
                               .threads = request->threads,
                               .rank_by = e->rank_by,
                               .scores_only = e->grid.scores_only && e->rank_by == HS_RANK_BY_SCORE,
                               .probes = probes,
                               .probe_count = e->grid.stability == HSEL_ALL_STABILITY
                                                  ? hs_choose_probes(data, probes)
                                                  : 0,
                               .progress = progress,
                               .finished = add_selector,
                               .context = e},
        &done, error);
}

/* Finds which of the caller's instances are compared, by the whole design, and their units. */
static int find_units(struct evaluating *e, const hs_folds *design, hsel_error *error)
{
    const hsel_request *request = &e->call->request;
    const struct part *part = &e->labelled;
    const uint32_t n = e->data->instances, tested = request->tested ? request->tested : e->folds;
    const hs_view all = hs_view_all(part->data);
    HS_OWNS(hs_units_clear) hs_units units = {0};
    HS_TRY(hs_units_by_group(&all, &units, error));
    HS_OWNED uint32_t *number = hs_new_none(units.count);
    HS_NEED(number && (e->unit_of = hs_new_none(n)));
    for (uint32_t i = 0; i < part->data->instances; i++) {
        const uint32_t instance = part->rows ? part->rows[i] : i;
        bool compared = design ? hs_fold_tests(design, i) : !request->fold_of;
        for (uint32_t r = 0; request->fold_of && !compared && r < e->repeats; r++)
            compared = request->fold_of[(size_t)r * n + instance] < tested;
        if (!compared)
            continue;
        if (number[units.of[i]] == HSEL_NONE)
            number[units.of[i]] = e->draws.units++;
        e->unit_of[instance] = number[units.of[i]];
    }
    e->draws.unit_of = e->unit_of;
    e->draws.seed = request->seed;
    return HSEL_OK;
}

/* Folds that ignore roles are ordinary ones, as many as the design has. */
static int choose_design(struct evaluating *e, hsel_error *error)
{
    static const char *const roles[] = {HS_ABOUT_TEST, HS_ABOUT_TIME, HS_ABOUT_GROUP};
    const hsel_request *request = &e->call->request;
    const char *respect = request->respect ? request->respect : "all";
    const int dropped = strcmp(respect, "all") == 0      ? 0
                        : strcmp(respect, "groups") == 0 ? 2
                        : strcmp(respect, "none") == 0   ? 3
                                                         : -1;
    HS_OWNS(hs_folds_clear) hs_folds design = {0};
    const bool any = hs_has_design(e->data);
    e->scheme = request->fold_scheme;
    e->folds = request->folds;
    HS_REFUSE(dropped < 0, "folds respect all, groups or none, not '%.80s'", respect);
    HS_REFUSE(dropped && request->fold_of, "given folds respect what they respect: omit '%.80s'",
              respect);
    if (any && !request->fold_of && (dropped || request->intervals))
        HS_TRY(
            hs_folds_choose(e->scheme, e->labelled.data, e->folds, request->seed, &design, error));
    if (request->intervals)
        HS_TRY(find_units(e, design.fold_of ? &design : NULL, error));
    if (!any || !dropped)
        return HSEL_OK;
    if (!e->labelled.made) {
        HS_OWNED bool *keep = HS_NEW(bool, e->data->instances);
        HS_NEED(keep);
        memset(keep, true, e->data->instances);
        HS_TRY(hs_dataset_keep_instances(e->data, keep, &e->labelled.made, error));
        e->labelled.data = e->labelled.made;
    }
    for (int r = 0; r < dropped; r++)
        HS_TRY(hs_about_drop(&e->labelled.made->instance_about, roles[r], error));
    e->scheme = "own";
    e->folds = design.count > 1 ? design.count : e->folds;
    return HSEL_OK;
}

/* Reads methods and data, and allocates memory for the results. */
static int prepare(struct evaluating *e, hsel_error *error)
{
    const hsel_dataset *data = e->data;
    static const char *const usual_selector[] = {"none", NULL}, *const usual_classifier[] = {"nb",
                                                                                             NULL};
    const hsel_request *request = &e->call->request;
    const hsel_grid *grid = &e->grid;
    hs_similarity_kind kind;
    HS_TRY(hs_api_rank_by(request->rank_by, &e->rank_by, error));
    if (request->similarity)
        HS_TRY(hs_similarity_parse(request->similarity, &kind, error));
    HS_TRY(hs_api_methods_take(HS_SELECTOR, grid->selectors, grid->selector_count, usual_selector,
                               &e->selectors, error));
    HS_TRY(hs_api_methods_take(HS_CLASSIFIER, grid->classifiers, grid->classifier_count,
                               usual_classifier, &e->classifiers, error));
    const size_t pairs = e->selectors.count * e->classifiers.count;
    e->refits = hs_arena_zero(&e->arena, e->selectors.count, sizeof *e->refits);
    HS_NEED(e->refits && (e->left_out = hs_arena_zero(&e->arena, pairs, sizeof *e->left_out)));
    HS_TRY(take_part(data, NULL, &e->labelled, error));
    const bool some_untested = e->labelled.rows || request->tested ||
                               hs_has_role(data, HS_ABOUT_TIME) || hs_has_role(data, HS_ABOUT_TEST);
    HS_TRY(choose_design(e, error));
    for (size_t i = 0; i < pairs; i++) {
        const hs_method *selector = e->selectors.items[i / e->classifiers.count].method,
                        *classifier = e->classifiers.items[i % e->classifiers.count].method;
        e->left_out[i] = grid->skip && grid->skip[i] ? "" : NULL;
        if (e->left_out[i])
            continue;
        HS_TRY(hs_check_methods(data, selector, classifier, request->allow_violations, error));
        HS_NEED(e->out[i] = HS_NEW_ZERO(hsel_evaluation, 1));
        e->out[i]->parts = grid->classes ? HS_EVALUATES_CONFUSION | HS_EVALUATES_CLASSES : 0;
        if (request->details)
            HS_TRY(hs_evaluation_keep(e->out[i], request->details == HSEL_LATEST ? 1 : e->repeats,
                                      data, some_untested, error));
        if (request->intervals)
            HS_TRY(hs_evaluation_resample(e->out[i], &e->draws, e->repeats,
                                          hs_has_role(data, HS_ABOUT_GROUP), !hs_has_design(data),
                                          error));
    }
    return request->similarity ? hs_stability_space_init(&e->space, e->labelled.data, kind,
                                                         request->threads, e->call->progress, error)
                               : HSEL_OK;
}

static int cross_validate(hs_api_call *call, const hsel_grid *grid, const hsel_dataset *data,
                          hsel_evaluation **out, hsel_error *error)
{
    hsel_request *request = &call->request;
    const size_t n = data->instances;
    HS_OWNS(evaluating_clear)
    struct evaluating e = {.call = call, .grid = *grid, .data = data, .out = out};
    if (!request->fold_scheme)
        request->fold_scheme = "own";
    if (!request->folds)
        request->folds = 10;
    e.repeats = request->repeats ? request->repeats : 1;
    HS_OWNED uint32_t *own = NULL;
    HS_COPY_ARRAY(own, request->fold_of, e.repeats * n);
    bool counted = request->fold_of || (strcmp(request->fold_scheme, "loo") != 0 &&
                                        strncmp(request->fold_scheme, "file:", 5) != 0);
    HS_REFUSE(request->tested && (!request->fold_of || request->tested >= request->folds),
              "to test only %u folds, give the fold of each instance and more folds than that",
              request->tested);
    HS_REFUSE(counted && request->folds < 2, "at least 2 folds are needed, not %u", request->folds);
    HS_TRY(prepare(&e, error));
    HS_TRY(hs_api_note_pu(call, data, e.classifiers.items, e.classifiers.count, error));
    hs_progress_parts progress = {.whole = call->progress, .count = e.repeats};
    for (; e.repeat < e.repeats; e.repeat++) {
        hs_progress_part part;
        hs_progress_part_begin(&part, &progress, NULL);
        HS_TRY(run_repeat(&e, request->fold_of ? request->fold_of + e.repeat * n : NULL,
                          &part.progress, error));
        HS_TRY(hs_progress_part_end(&part, error));
    }
    return HSEL_OK;
}

int hsel_crossval(const hsel_dataset *data, const hsel_request *given, hsel_evaluation **out,
                  hsel_error *error)
{
    HS_OWNS(hs_api_end) hs_api_call call;
    HS_OWNS(evaluation_release) hsel_evaluation *made = NULL;
    HS_TRY(hs_api_begin(&call, given, HS_NO_WEIGHTS, error));
    const hsel_grid grid = {.selectors = call.request.selector,
                            .selector_count = call.request.selector != NULL,
                            .classifiers = call.request.classifier,
                            .classifier_count = call.request.classifier != NULL,
                            .stability = HSEL_ALL_STABILITY};
    HS_TRY(cross_validate(&call, &grid, data, &made, error));
    *out = hs_take(&made);
    return HSEL_OK;
}

int hsel_crossval_grid(const hsel_dataset *data, const hsel_request *given, const hsel_grid *grid,
                       hsel_evaluation **out, hsel_error *error)
{
    HS_OWNS(hs_api_end) hs_api_call call;
    hsel_grid taken;
    HS_TRY(hs_api_begin(&call, given, HS_NO_WEIGHTS, error));
    HS_TRY(HS_REQUEST_TAKE(grid, &taken, hsel_grid, error));
    return cross_validate(&call, &taken, data, out, error);
}

/* ---- the automatic choice ---- */

int hsel_auto(const hsel_dataset *data, const hsel_request *given, const hsel_auto_request *chosen,
              hsel_model **model, char **json, char **text, hsel_error *error)
{
    static const hsel_auto_request plain = {.size = sizeof plain};
    hsel_auto_request how;
    HS_OWNS(hs_api_end) hs_api_call call;
    HS_TRY(hs_api_begin(&call, given, HS_NO_WEIGHTS, error));
    HS_TRY(HS_REQUEST_TAKE(chosen ? chosen : &plain, &how, hsel_auto_request, error));
    HS_OWNS(hs_chosen_list_clear) hs_chosen_list selectors = {0}, classifiers = {0};
    HS_OWNS(hs_auto_clear) hs_auto result = {0};
    HS_OWNS(part_clear) struct part labelled = {0};
    HS_OWNS(hs_model_release) hs_model *learned = NULL;
    HS_OWNS(hs_memo_clear) hs_memo memo = {0};
    HS_OWNED char *as_json = NULL, *as_text = NULL;
    const hsel_request *request = &call.request;
    const char *metric = how.metric ? how.metric : "auroc";
    hs_auto_request run = {.metric = hs_metric_find(metric, strlen(metric)),
                           .folds = request->folds ? request->folds : 5,
                           .repeats = request->repeats ? request->repeats : 1,
                           .scheme = request->fold_scheme,
                           .inner_folds = how.inner_folds ? how.inner_folds : 5,
                           .inner_repeats = how.inner_repeats ? how.inner_repeats : 1,
                           .level = how.race < 0   ? 0
                                    : how.race > 0 ? how.race
                                                   : 0.05,
                           .permutations = how.permutations,
                           .budget = how.budget,
                           .fingerprint = how.fingerprint,
                           .seed = request->seed,
                           .threads = request->threads,
                           .allow_violations = request->allow_violations,
                           .progress = call.progress};
    HS_REFUSE(run.metric == HS_METRICS, "there is no metric '%.80s'", metric);
    HS_TRY(hs_api_rank_by(request->rank_by, &run.rank_by, error));
    HS_REFUSE(run.folds < 2 || run.inner_folds < 2, "at least 2 folds are needed, outer and inner");
    HS_REFUSE(run.repeats > MOST_REPEATS || run.inner_repeats > MOST_REPEATS ||
                  run.permutations > MOST_PERMUTATIONS,
              "at most %d repeats and %d permutations are possible", MOST_REPEATS,
              MOST_PERMUTATIONS);
    HS_REFUSE(run.level > 0.5 || how.race != how.race,
              "the level of the race must be at most 0.5, not %g", how.race);
    HS_REFUSE(!(run.budget >= 0), "the budget must be 0 seconds or more, not %g", run.budget);
    HS_TRY(hs_api_methods_take(HS_SELECTOR, how.selectors, how.selector_count, hs_auto_selectors,
                               &selectors, error));
    HS_TRY(hs_api_methods_take(HS_CLASSIFIER, how.classifiers, how.classifier_count,
                               hs_auto_classifiers, &classifiers, error));
    run.selectors = selectors.items;
    run.selector_count = selectors.count;
    run.classifiers = classifiers.items;
    run.classifier_count = classifiers.count;
    const bool list = how.form && strcmp(how.form, "list") == 0,
               csv = how.form && strcmp(how.form, "csv") == 0;
    HS_REFUSE(how.form && !list && !csv && strcmp(how.form, "text") != 0,
              "unknown form of choice '%.80s': use text, csv or list", how.form);
    HS_TRY(take_part(data, NULL, &labelled, error));
    run.data = labelled.data;
    if (how.checkpoint && !list)
        HS_TRY(hs_journal_open(NULL, how.checkpoint, &run.journal, error));
    int status = list ? hs_auto_list(&run, &result, error) : hs_auto_run(&run, &result, error);
    int closed = hs_journal_close(run.journal, status ? &(hsel_error){0} : error);
    HS_TRY(status == HSEL_ECANCELLED && how.counts ? HSEL_OK : status ? status : closed);
    if (how.counts) {
        how.counts[HSEL_AUTO_CANDIDATES] = (uint32_t)result.count;
        how.counts[HSEL_AUTO_LEFT_OUT] = (uint32_t)result.left_out_count;
        how.counts[HSEL_AUTO_TESTED] = (uint32_t)result.tested;
    }
    const hs_auto_candidate *choice = &result.candidates[result.choice.candidate];
    if (model && !status && !list)
        HS_TRY(hs_model_train(&(hs_model_request){.data = data,
                                                  .selector = choice->selector,
                                                  .classifier = choice->classifier,
                                                  .allow_violations = run.allow_violations,
                                                  .seed = run.seed,
                                                  .threads = run.threads,
                                                  .progress = call.progress},
                              &learned, error));
    const bool any = list || result.tested || result.inner_folds;
    if (json && any && !list)
        HS_API_TEXT(&as_json, memo,
                    hs_choice_json(&run, &result, &(hs_json){.out = memo.out}, error));
    if (text && any)
        HS_API_TEXT(&as_text, memo,
                    list  ? hs_choice_print_list(&result, memo.out, error)
                    : csv ? hs_choice_csv(&run, &result, memo.out, error)
                          : hs_choice_print(&run, &result, memo.out, error));
    if (model)
        *model = hs_take(&learned);
    if (json)
        *json = hs_take(&as_json);
    if (text)
        *text = hs_take(&as_text);
    HS_FAIL_IF(status && result.tested, status, "stopped: %u of %u permutations are done",
               result.permutations, run.permutations);
    HS_FAIL_IF(status, status, "stopped: %u of %u inner folds are done, no outer fold is tested",
               result.inner_folds, result.inner_folds_all);
    return HSEL_OK;
}

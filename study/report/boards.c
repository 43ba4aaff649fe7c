/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading outcomes, one (data set, selector, classifier, repeat) after the other, so that no more
 * than one set of predictions is in memory; then making boards of them.
 */
#include "study/report/boards.h"

/* ---- outcomes ---- */

void hs_outcomes_clear(hs_outcomes *outcomes)
{
    hs_stored_datasets_free(outcomes->datasets, outcomes->dataset_count);
    hs_figures_clear(&outcomes->figures);
    hs_arena_clear(&outcomes->arena);
    *outcomes = (hs_outcomes){0};
}

/* `key` is that of the first repeat. Even for a pair that does not fit, a store may have failures.
 */
static int read_outcome(hs_store *store, hs_outcomes *out, bool details, size_t d, bool fits,
                        hs_result_key key, hs_outcome *outcome, hsel_error *error)
{
    const hs_study *study = out->study;
    bool stored_at_all = out->datasets[d].id >= 0 && fits;
    hs_evaluation *evaluation = &outcome->evaluation;
    evaluation->arena = &out->arena;
    evaluation->pooled_curves = study->pooled;
    evaluation->parts = details ? HS_EVALUATES_CONFUSION | HS_EVALUATES_CURVES : 0;
    if (!stored_at_all && fits)
        outcome->folds_wanted = (uint64_t)study->folds * study->repeats;
    for (uint32_t r = 0; r < study->repeats && stored_at_all; r++) {
        HS_OWNS(hs_stored_clear) hs_stored stored = {0};
        hs_predictions *predictions = &stored.repeat.predictions;
        key.seed = study->seed + r;
        HS_TRY(hs_store_get(store, &key, &stored, error));
        predictions->rank_by = study->rank_by;
        outcome->folds_wanted += predictions->folds;
        outcome->folds_done += stored.folds_there;
        outcome->folds_failed += stored.failed;
        outcome->folds_unfit += stored.unfit;
        outcome->folds_older += stored.older;
        if (stored.message && !outcome->message)
            HS_NEED(outcome->message =
                        hs_arena_text(&out->arena, stored.message, strlen(stored.message)));
        if (predictions->folds && stored.folds_there == predictions->folds)
            HS_TRY(hs_evaluation_add(evaluation, &stored.repeat, error));
    }
    const uint32_t n = evaluation->repeats;
    outcome->state = !fits || outcome->folds_unfit ? HS_OUTCOME_LEFT_OUT
                     : outcome->folds_failed       ? HS_OUTCOME_FAILED
                     : n == study->repeats         ? HS_OUTCOME_OK
                     : n > 0                       ? HS_OUTCOME_PART
                                                   : HS_OUTCOME_MISSING;
    return HSEL_OK;
}

const hs_rates *hs_rates_of(const hs_outcomes *o, size_t dataset, size_t simulation, size_t effect,
                            size_t procedure)
{
    size_t at = dataset * o->rate_count;
    for (size_t i = 0; i < simulation; i++)
        at += o->study->simulations[i].effect_count * o->study->simulations[i].procedure_count;
    return &o->rates[at + effect * o->study->simulations[simulation].procedure_count + procedure];
}

/* The runs of all simulations on a data set, into its rates. */
static int read_rates(hs_store *store, hs_outcomes *o, size_t d, hsel_error *error)
{
    const hs_study *study = o->study;
    hs_rates *rates = o->rates + d * o->rate_count;
    for (size_t i = 0, draw = 0; i < study->simulation_count; i++) {
        const hs_study_simulation *s = &study->simulations[i];
        const size_t draws = (s->what.runs + HS_DRAW_RUNS - 1) / HS_DRAW_RUNS;
        for (size_t k = 0; k < s->effect_count * draws; k++, draw++)
            for (size_t p = 0; p < s->procedure_count; p++) {
                hs_simulated runs[HS_DRAW_RUNS];
                HS_OWNED char *message = NULL;
                hs_job_state state = HS_JOB_NONE;
                const hs_study_draws *own = &study->draws[draw];
                if (o->datasets[d].id >= 0)
                    HS_TRY(
                        hs_store_get_ranking(store, o->datasets[d].id, own->procedures[p].text,
                                             own->runs * (uint32_t)(sizeof *runs / sizeof(double)),
                                             (double *)runs, &state, &message, error));
                o->simulated.wanted++;
                o->simulated.done += state == HS_JOB_OK;
                o->simulated.failed += state == HS_JOB_FAILED;
                if (message && !o->simulated.message)
                    HS_NEED(o->simulated.message =
                                hs_arena_text(&o->arena, message, strlen(message)));
                hs_rates *rate = &rates[k / draws * s->procedure_count + p];
                for (uint32_t r = 0; state == HS_JOB_OK && r < own->runs; r++) {
                    hs_running_add(&rate->wrong, runs[r].wrong);
                    hs_running_add(&rate->found, runs[r].found);
                }
            }
        rates += s->effect_count * s->procedure_count;
    }
    return HSEL_OK;
}

static int read_automatic(hs_store *store, hs_outcomes *o, hsel_error *error)
{
    const hs_study *study = o->study;
    const size_t pairs = study->selector_count * study->classifier_count,
                 count = o->dataset_count * study->auto_count;
    o->automatic = hs_arena_zero(&o->arena, count, sizeof *o->automatic);
    o->picks = hs_arena_zero(&o->arena, count * pairs, sizeof *o->picks);
    HS_NEED(o->automatic && o->picks);
    for (size_t i = 0; i < count; i++) {
        const size_t d = i / study->auto_count;
        const hs_study_method *own = &study->autos[i % study->auto_count].method;
        const hs_result_key key = hs_study_key(study, o->datasets[d].id, own, own, 0);
        HS_TRY(read_outcome(store, o, false, d, true, key, &o->automatic[i], error));
        if (o->datasets[d].id >= 0)
            HS_TRY(
                hs_store_choices(store, &key, study->repeats, pairs, o->picks + i * pairs, error));
    }
    return HSEL_OK;
}

/* Tests assume independent data sets: finds the two that share most instances, by identifier. */
static int find_shared(hs_outcomes *o, hsel_error *error)
{
    enum { LOOKED_AT = 300 };
    size_t n = o->dataset_count < LOOKED_AT ? o->dataset_count : LOOKED_AT, pairs = 0, most = 0;
    const hs_stored_dataset *first = NULL, *second = NULL;
    for (size_t i = 0; i < n * n; i++) {
        const hs_stored_dataset *a = &o->datasets[i / n], *b = &o->datasets[i % n];
        size_t same = 0;
        if (i / n >= i % n || !a->identifiers || !b->identifiers)
            continue;
        for (uint32_t x = 0, y = 0; x < a->instances && y < b->instances;) {
            uint64_t p = a->identifiers[x], q = b->identifiers[y];
            same += p == q;
            x += p <= q;
            y += q <= p;
        }
        pairs += same > 0;
        if (same > most) {
            most = same;
            first = a;
            second = b;
        }
    }
    if (!first)
        return HSEL_OK;
    HS_OWNS(hs_buf_clear) hs_buf words = {0};
    hs_buf_printf(&words,
                  "Caution: tests assume independent data sets, but %zu %s of them share "
                  "instances, most %s and %s (%zu of %u).",
                  pairs, pairs == 1 ? "pair" : "pairs", first->name, second->name, most,
                  first->instances < second->instances ? first->instances : second->instances);
    HS_NEED(!words.failed && (o->shared = hs_arena_text(&o->arena, words.text, words.length)));
    return HSEL_OK;
}

int hs_outcomes_read(hs_store *store, const hs_study *study, bool details,
                     const hs_progress *progress, hs_outcomes *out, hsel_error *error)
{
    size_t selectors = study->selector_count, classifiers = study->classifier_count;
    *out = (hs_outcomes){.study = study};
    HS_TRY(hs_store_datasets(store, &out->datasets, &out->dataset_count, error));
    hs_outcome *outcome = out->outcome = hs_arena_zero(
        &out->arena, out->dataset_count * selectors * classifiers, sizeof *out->outcome);
    HS_NEED(outcome);
    for (size_t d = 0; d < out->dataset_count; d++)
        for (size_t s = 0; s < selectors; s++)
            for (size_t c = 0; c < classifiers; c++) {
                HS_TRY(hs_progress_report(progress, (uint64_t)(outcome - out->outcome),
                                          out->dataset_count * selectors * classifiers,
                                          out->datasets[d].name, error));
                HS_TRY(read_outcome(store, out, details, d, hs_study_fits(study, s, c),
                                    hs_study_key(study, out->datasets[d].id, &study->selectors[s],
                                                 &study->classifiers[c], 0),
                                    outcome++, error));
            }
    HS_TRY(read_automatic(store, out, error));
    for (size_t i = 0; i < study->simulation_count; i++)
        out->rate_count +=
            study->simulations[i].effect_count * study->simulations[i].procedure_count;
    out->rates =
        hs_arena_zero(&out->arena, out->dataset_count * out->rate_count, sizeof *out->rates);
    HS_NEED(out->rates);
    for (size_t d = 0; d < out->dataset_count; d++)
        HS_TRY(read_rates(store, out, d, error));
    /* Without published figures there is still a report, which shows the problem. */
    hsel_error because = {0};
    const char *file = study->published.file;
    int status = file ? hs_figures_read(file, &out->figures, &because) : HSEL_OK;
    HS_NEED(status != HSEL_ENOMEM);
    if (status)
        HS_NEED(out->figures_problem =
                    hs_arena_text(&out->arena, because.message, strlen(because.message)));
    HS_TRY(find_shared(out, error));
    out->time = hs_store_time(store);
    out->version = hs_store_version(store);
    return HSEL_OK;
}

double hs_published_value(const hs_outcomes *o, size_t dataset, const char *selector,
                          const char *classifier, hs_metric metric)
{
    if (!o->study->published.file || o->figures.keys.count == 0)
        return (double)NAN;
    const hs_figure *figure =
        hs_published_find(&o->figures, &o->study->published, o->datasets[dataset].name, selector,
                          classifier, hs_metric_name(metric));
    return figure ? figure->value : (double)NAN;
}

/* ---- columns ---- */

size_t hs_sweep_end(const hs_study *study, size_t first)
{
    const hs_study_method *selectors = study->selectors;
    size_t end = first + 1;
    while (selectors[first].sweep && end < study->selector_count && selectors[end].sweep &&
           strcmp(selectors[end].family, selectors[first].family) == 0)
        end++;
    return end;
}

size_t hs_column_pick(const hs_outcomes *outcomes, const hs_board_column *column, size_t dataset,
                      size_t classifier, hs_outcome_state *state)
{
    size_t pick = column->first, finished = 0;
    const hs_metric metric = outcomes->study->best_metric;
    double best = (double)NAN;
    bool any = false;
    for (size_t s = column->first; s < column->first + column->count; s++) {
        const hs_outcome *outcome = hs_outcome_of(outcomes, dataset, s, classifier);
        double value = hs_outcome_value(outcomes, outcome, metric);
        finished += outcome->state == HS_OUTCOME_OK;
        any |= outcome->evaluation.repeats > 0;
        if (!isnan(value) && (isnan(best) || hs_metric_better(metric, value, best))) {
            best = value;
            pick = s;
        }
    }
    *state = hs_outcome_of(outcomes, dataset, pick, classifier)->state;
    if (column->count > 1 && finished < column->count && any)
        *state = HS_OUTCOME_PART;
    return pick;
}

/* ---- one board ---- */

/* Computes scores, which of them count, the best of each row, means over complete rows, and the
 * tests of the columns that take part. */
static int make_board(const hs_outcomes *o, hs_boards *boards, hs_board *board, hsel_error *error)
{
    const hs_study *study = o->study;
    size_t columns = boards->column_count, rows = o->dataset_count, part = 0, control = SIZE_MAX;
    hs_metric m = board->metric;
    const char **methods = hs_arena_zero(&boards->arena, columns, sizeof *methods),
               **datasets = hs_arena_zero(&boards->arena, rows, sizeof *datasets);
    double *value = HS_ARENA_NEW(&boards->arena, double, rows *columns);
    hs_running *means = hs_arena_zero(&boards->arena, columns, sizeof *means);
    HS_NEED(methods && datasets && value && means &&
            HS_LISTS(&boards->arena, board, HS_PART(board, score, rows * columns),
                     HS_PART(board, counted, rows * columns), HS_PART(board, mean, columns),
                     HS_PART(board, mean_se, columns), HS_PART(board, taking_part, columns),
                     HS_PART(board, place, columns)));
    for (size_t d = 0; d < rows; d++) {
        double *counted = board->counted + d * columns, best = (double)NAN;
        for (size_t c = 0; c < columns; c++) {
            hs_score *score = &board->score[d * columns + c];
            hs_board_column column = boards->columns[c];
            bool across = column.classifier != SIZE_MAX;
            size_t classifier = across ? column.classifier : board->classifier;
            column.first = across ? board->selector : column.first;
            score->selector = hs_column_pick(o, &column, d, classifier, &score->state);
            const hs_outcome *outcome = hs_outcome_of(o, d, score->selector, classifier);
            score->outcome = outcome;
            score->value = hs_outcome_value(o, outcome, m);
            score->sd = hs_running_spread(hs_outcome_metric(o, outcome, m));
            score->se = study->pooled || hs_metric_formula(m)->over_folds
                            ? (double)NAN
                            : hs_running_mean(&outcome->evaluation.fold_se[m]);
            score->published = hs_published_value(
                o, d, across ? study->selectors[board->selector].text : column.text,
                study->classifiers[classifier].text, m);
            counted[c] = score->state == HS_OUTCOME_OK ? score->value : (double)NAN;
            bool honest = !column.best || study->tuned;
            board->taking_part[c] |= !isnan(counted[c]) && honest;
            if (honest && (isnan(best) || hs_metric_better(board->metric, counted[c], best)))
                best = counted[c];
        }
        for (size_t c = 0; c < columns; c++)
            board->score[d * columns + c].best =
                (!boards->columns[c].best || study->tuned) && hs_same_score(counted[c], best);
    }
    for (size_t c = columns; c-- > 0;) /* of several that are named so, the first */
        if (study->control && !boards->columns[c].best &&
            strcmp(boards->columns[c].text, study->control) == 0)
            control = c;
    for (size_t c = 0; c < columns; c++)
        if (board->taking_part[c]) {
            methods[part] = boards->columns[c].label;
            board->place[c] = part++;
        }
    for (size_t d = 0; d < rows; d++) {
        datasets[d] = o->datasets[d].name;
        for (size_t c = 0; c < columns; c++)
            if (board->taking_part[c])
                value[d * part + board->place[c]] = board->counted[d * columns + c];
    }
    board->complete = hs_common_means(board->counted, rows, columns, board->taking_part, means);
    for (size_t c = 0; c < columns; c++) {
        bool whole = board->complete && means[c].count == board->complete;
        board->mean[c] = whole ? means[c].mean : (double)NAN;
        board->mean_se[c] = whole ? hs_running_se(&means[c]) : (double)NAN;
    }
    board->compared = part > 0;
    if (part == 0)
        return HSEL_OK;
    return hs_comparison_make(
        &(hs_comparison_request){
            .results = {.rows = rows,
                        .columns = part,
                        .value = value,
                        .lower_is_better = hs_metric_formula(board->metric)->lower_is_better},
            .methods = methods,
            .datasets = datasets,
            .control = control != SIZE_MAX && board->taking_part[control] ? board->place[control]
                                                                          : SIZE_MAX,
            .alpha = study->alpha,
            .one_sided = study->one_sided,
            .covariate = boards->imbalance,
            .covariate_name = "class imbalance"},
        &board->comparison, error);
}

/* ---- all of them ---- */

void hs_boards_clear(hs_boards *boards)
{
    for (size_t i = 0; i < boards->count; i++)
        hs_comparison_clear(&boards->boards[i].comparison);
    hs_arena_clear(&boards->arena);
    *boards = (hs_boards){0};
}

int hs_boards_make(const hs_outcomes *o, const hs_metric *metrics, size_t metric_count,
                   hs_boards *out, hsel_error *error)
{
    const hs_study *study = o->study;
    bool across = study->across_classifiers;
    size_t each = across ? study->selector_count : study->classifier_count,
           count = metric_count * each;
    *out = (hs_boards){.per_metric = each};
    hs_board_column *column = out->by_selector = out->columns =
        hs_arena_zero(&out->arena, study->selector_count, sizeof *column);
    HS_NEED(column);
    for (size_t s = 0, end; s < study->selector_count; s = end) {
        const hs_study_method *first = &study->selectors[s];
        end = hs_sweep_end(study, s);
        if (first->best)
            *column++ =
                (hs_board_column){first->family_label, first->family, s, end - s, true, SIZE_MAX};
        else if (end - s <= HS_SWEEP_COLUMNS)
            for (size_t i = s; i < end; i++)
                *column++ = (hs_board_column){
                    study->selectors[i].label, study->selectors[i].text, i, 1, false, SIZE_MAX};
    }
    out->by_selector_count = out->column_count = (size_t)(column - out->by_selector);
    if (across) {
        out->column_count = study->classifier_count;
        HS_NEED(out->columns = hs_arena_zero(&out->arena, out->column_count, sizeof *column));
        for (size_t c = 0; c < out->column_count; c++)
            out->columns[c] = (hs_board_column){
                study->classifiers[c].label, study->classifiers[c].text, 0, 1, false, c};
    }
    out->imbalance = HS_ARENA_NEW(&out->arena, double, o->dataset_count);
    out->boards = hs_arena_zero(&out->arena, count, sizeof *out->boards);
    HS_NEED(out->imbalance && out->boards);
    for (size_t d = 0; d < o->dataset_count; d++) {
        const hs_stored_dataset *data = &o->datasets[d];
        uint32_t smallest = UINT32_MAX, largest = 0;
        for (uint32_t k = 0; data->id >= 0 && k < data->classes; k++) {
            smallest = data->class_sizes[k] < smallest ? data->class_sizes[k] : smallest;
            largest = data->class_sizes[k] > largest ? data->class_sizes[k] : largest;
        }
        out->imbalance[d] = largest ? 1 - (double)smallest / largest : (double)NAN;
    }
    for (size_t i = 0; i < count; i++) {
        hs_board *board = &out->boards[out->count++];
        *board =
            (hs_board){.metric = metrics[i / each],
                       .classifier = across ? SIZE_MAX : i % each,
                       .selector = across ? i % each : SIZE_MAX,
                       .with = (across ? study->selectors : study->classifiers)[i % each].label};
        HS_TRY(make_board(o, out, board, error));
    }
    return HSEL_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making score boards.
 */
#include "report/boards.h"

#include <math.h>
#include <string.h>

#include "core/mem.h"

/* ---- columns ---- */

/* Selectors of one sweep stand one after the other. */
static size_t family_end(const hs_study *study, size_t first)
{
    size_t end = first + 1;
    while (study->selectors[first].sweep && end < study->selector_count &&
           study->selectors[end].sweep &&
           strcmp(study->selectors[end].family, study->selectors[first].family) == 0)
        end++;
    return end;
}

int hs_contenders_make(const hs_study *study, hs_arena *arena, hs_contender **out, size_t *count,
                       hsel_error *error)
{
    *count = 0;
    if (!(*out = hs_arena_zero(arena, study->selector_count, sizeof **out)))
        return hs_fail_memory(error);
    for (size_t s = 0, end; s < study->selector_count; s = end) {
        const hs_study_method *first = &study->selectors[s];
        end = family_end(study, s);
        if (first->best)
            (*out)[(*count)++] =
                (hs_contender){first->family_label, first->family, s, end - s, true, SIZE_MAX};
        else if (end - s <= HS_SWEEP_COLUMNS)
            for (size_t i = s; i < end; i++)
                (*out)[(*count)++] = (hs_contender){
                    study->selectors[i].label, study->selectors[i].text, i, 1, false, SIZE_MAX};
    }
    return HSEL_OK;
}

static int classifier_columns(const hs_study *study, hs_boards *boards, hsel_error *error)
{
    boards->column_count = study->classifier_count;
    boards->columns =
        hs_arena_zero(&boards->arena, study->classifier_count, sizeof *boards->columns);
    if (!boards->columns)
        return hs_fail_memory(error);
    for (size_t c = 0; c < study->classifier_count; c++)
        boards->columns[c] =
            (hs_contender){study->classifiers[c].label, study->classifiers[c].text, 0, 1, false, c};
    return HSEL_OK;
}

/* A sweep is finished when all of it is; of what is there, the best counts. */
size_t hs_contender_pick(const hs_outcomes *outcomes, const hs_contender *column, size_t dataset,
                         size_t classifier, hs_outcome_state *state)
{
    size_t pick = column->first, finished = 0;
    double best = (double)NAN;
    bool any = false;
    for (size_t s = column->first; s < column->first + column->count; s++) {
        const hs_outcome *outcome = hs_outcome_of(outcomes, dataset, s, classifier);
        double value = hs_outcome_value(outcomes, outcome, outcomes->study->best_metric);
        finished += outcome->state == HS_OUTCOME_OK;
        any |= outcome->repeats > 0;
        if (!isnan(value) && (isnan(best) || value > best)) {
            best = value;
            pick = s;
        }
    }
    const hs_outcome *picked = hs_outcome_of(outcomes, dataset, pick, classifier);
    if (column->count == 1 || finished == column->count)
        *state = picked->state;
    else
        *state = any ? HS_OUTCOME_PART : picked->state;
    return pick;
}

/* ---- one board ---- */

static double published_value(const hs_outcomes *o, const hs_contender *column, size_t dataset,
                              const hs_board *board)
{
    const hs_study *study = o->study;
    if (!study->published.file || o->figures.keys.count == 0)
        return (double)NAN;
    bool across = column->classifier != SIZE_MAX;
    const hs_figure *figure =
        hs_published_find(&o->figures, &study->published, o->datasets[dataset].name,
                          across ? study->selectors[board->selector].text : column->text,
                          across ? column->text : study->classifiers[board->classifier].text,
                          hs_metric_name(board->metric));
    return figure ? figure->value : (double)NAN;
}

static void fill_score(const hs_outcomes *o, const hs_contender *column, size_t dataset,
                       const hs_board *board, hs_score *score)
{
    bool across = column->classifier != SIZE_MAX;
    size_t classifier = across ? column->classifier : board->classifier;
    hs_contender here = *column;
    here.first = across ? board->selector : column->first;
    score->selector = hs_contender_pick(o, &here, dataset, classifier, &score->state);
    const hs_outcome *outcome = hs_outcome_of(o, dataset, score->selector, classifier);
    score->value = hs_outcome_value(o, outcome, board->metric);
    score->sd = hs_outcome_sd(o, outcome, board->metric);
    /* The fold means of these two are no means of the folds' values. */
    bool no_mean = board->metric == HS_METRIC_GM || board->metric == HS_METRIC_HARMONIC;
    score->se = o->study->pooled || no_mean ? (double)NAN : outcome->fold_se[board->metric];
    score->published = published_value(o, column, dataset, board);
}

static void mark_best(hs_score *row, size_t columns)
{
    double best = (double)NAN;
    for (size_t c = 0; c < columns; c++)
        if (row[c].state == HS_OUTCOME_OK && !isnan(row[c].value) &&
            (isnan(best) || row[c].value > best))
            best = row[c].value;
    for (size_t c = 0; c < columns; c++)
        row[c].best = row[c].state == HS_OUTCOME_OK && hs_same_score(row[c].value, best);
}

static void fill_scores(const hs_outcomes *o, const hs_boards *boards, hs_board *board)
{
    size_t columns = boards->column_count;
    for (size_t d = 0; d < o->dataset_count; d++) {
        hs_score *row = board->score + d * columns;
        for (size_t c = 0; c < columns; c++) {
            fill_score(o, &boards->columns[c], d, board, &row[c]);
            bool counts = row[c].state == HS_OUTCOME_OK && !isnan(row[c].value);
            board->counted[d * columns + c] = counts ? row[c].value : (double)NAN;
            board->taking_part[c] |= counts;
        }
        mark_best(row, columns);
    }
}

/* ---- its comparison ---- */

static bool is_complete(const hs_board *board, const double *row, size_t columns)
{
    for (size_t c = 0; c < columns; c++)
        if (board->taking_part[c] && isnan(row[c]))
            return false;
    return true;
}

static void fill_means(const hs_outcomes *o, size_t columns, hs_board *board)
{
    for (size_t d = 0; d < o->dataset_count; d++) {
        const double *row = board->counted + d * columns;
        if (!is_complete(board, row, columns))
            continue;
        board->complete++;
        for (size_t c = 0; c < columns; c++)
            board->mean[c] += (row[c] - board->mean[c]) / (double)board->complete;
    }
    for (size_t c = 0; c < columns; c++)
        if (board->complete == 0)
            board->mean[c] = (double)NAN;
}

static size_t control_of(const hs_study *study, const hs_boards *boards)
{
    for (size_t c = 0; study->control && c < boards->column_count; c++)
        if (!boards->columns[c].best && strcmp(boards->columns[c].text, study->control) == 0)
            return c;
    return SIZE_MAX;
}

/* D = 1 - smallest class / largest class: what the results are correlated with. NaN: not known. */
static double imbalance_of(const hs_stored_dataset *data)
{
    uint32_t smallest = UINT32_MAX, largest = 0;
    for (uint32_t k = 0; data->id >= 0 && k < data->classes; k++) {
        smallest = data->class_sizes[k] < smallest ? data->class_sizes[k] : smallest;
        largest = data->class_sizes[k] > largest ? data->class_sizes[k] : largest;
    }
    return largest ? 1 - (double)smallest / largest : (double)NAN;
}

static int measure_imbalance(const hs_outcomes *o, hs_boards *boards, hsel_error *error)
{
    boards->imbalance = HS_ARENA_NEW(&boards->arena, double, o->dataset_count);
    for (size_t d = 0; d < o->dataset_count && boards->imbalance; d++)
        boards->imbalance[d] = imbalance_of(&o->datasets[d]);
    return boards->imbalance ? HSEL_OK : hs_fail_memory(error);
}

/* The tables of the comparison: labels and values of the columns that take part. */
static int compare(const hs_outcomes *o, hs_boards *boards, hs_board *board, hsel_error *error)
{
    size_t columns = boards->column_count, rows = o->dataset_count, part = 0;
    for (size_t c = 0; c < columns; c++)
        if (board->taking_part[c])
            board->place[c] = part++;
    const char **methods = hs_arena_zero(&boards->arena, part, sizeof *methods);
    const char **datasets = hs_arena_zero(&boards->arena, rows, sizeof *datasets);
    double *value = HS_ARENA_NEW(&boards->arena, double, rows *part);
    if (!methods || !datasets || !value)
        return hs_fail_memory(error);
    for (size_t c = 0; c < columns; c++)
        if (board->taking_part[c])
            methods[board->place[c]] = boards->columns[c].label;
    for (size_t d = 0; d < rows; d++) {
        datasets[d] = o->datasets[d].name;
        for (size_t c = 0; c < columns; c++)
            if (board->taking_part[c])
                value[d * part + board->place[c]] = board->counted[d * columns + c];
    }
    size_t control = control_of(o->study, boards);
    if (part == 0)
        return HSEL_OK;
    board->compared = true;
    return hs_comparison_make(
        &(hs_comparison_request){.results = {.rows = rows, .columns = part, .value = value},
                                 .methods = methods,
                                 .datasets = datasets,
                                 .control = control != SIZE_MAX && board->taking_part[control]
                                                ? board->place[control]
                                                : SIZE_MAX,
                                 .alpha = o->study->alpha,
                                 .one_sided = o->study->one_sided,
                                 .covariate = boards->imbalance,
                                 .covariate_name = "class imbalance"},
        &board->comparison, error);
}

static int make_board(const hs_outcomes *o, hs_boards *boards, hs_board *board, hsel_error *error)
{
    size_t columns = boards->column_count, cells = o->dataset_count * columns;
    board->score = hs_arena_zero(&boards->arena, cells, sizeof *board->score);
    board->counted = HS_ARENA_NEW(&boards->arena, double, cells);
    board->mean = hs_arena_zero(&boards->arena, columns, sizeof *board->mean);
    board->taking_part = hs_arena_zero(&boards->arena, columns, sizeof *board->taking_part);
    board->place = hs_arena_zero(&boards->arena, columns, sizeof *board->place);
    if (!board->score || !board->counted || !board->mean || !board->taking_part || !board->place)
        return hs_fail_memory(error);
    fill_scores(o, boards, board);
    fill_means(o, columns, board);
    return compare(o, boards, board, error);
}

/* ---- all of them ---- */

void hs_boards_clear(hs_boards *boards)
{
    for (size_t i = 0; i < boards->count; i++)
        if (boards->boards[i].compared)
            hs_comparison_clear(&boards->boards[i].comparison);
    hs_arena_clear(&boards->arena);
    *boards = (hs_boards){0};
}

int hs_boards_make(const hs_outcomes *outcomes, const hs_metric *metrics, size_t metric_count,
                   hs_boards *out, hsel_error *error)
{
    const hs_study *study = outcomes->study;
    bool across = study->across_classifiers;
    size_t each = across ? study->selector_count : study->classifier_count,
           count = metric_count * each;
    *out = (hs_boards){.per_metric = each};
    int status =
        hs_contenders_make(study, &out->arena, &out->by_selector, &out->by_selector_count, error);
    out->columns = out->by_selector;
    out->column_count = out->by_selector_count;
    if (status == HSEL_OK && across)
        status = classifier_columns(study, out, error);
    if (status == HSEL_OK)
        status = measure_imbalance(outcomes, out, error);
    if (status == HSEL_OK &&
        !(out->boards = hs_arena_zero(&out->arena, count, sizeof *out->boards)))
        status = hs_fail_memory(error);
    for (size_t i = 0; i < count && status == HSEL_OK; i++) {
        hs_board *board = &out->boards[out->count++];
        board->metric = metrics[i / each];
        board->classifier = across ? SIZE_MAX : i % each;
        board->selector = across ? i % each : SIZE_MAX;
        board->with = (across ? study->selectors : study->classifiers)[i % each].label;
        status = make_board(outcomes, out, board, error);
    }
    if (status)
        hs_boards_clear(out);
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ranks candidates: out-of-fold scores, then everything that is computed from them, then reasons
 * and neighbours of the first candidates.
 */
#include "learn/discover.h"

#include <ctype.h>

#include "data/classes.h"
#include "data/folds.h"
#include "data/transform.h"
#include "learn/explain.h"
#include "learn/fold_file.h"
#include "stats/conformal.h"

#define FIRST_BLOCK 10 /* known positives that share the highest probability, at least */
#define NEIGHBOURS  10 /* of a reliable negative, none of which is a known positive */

void hs_discovery_clear(hs_discovery *discovery)
{
    hs_arena_clear(&discovery->arena);
    *discovery = (hs_discovery){0};
}

/* ---- names ---- */

struct matching {
    uint32_t instances;
    hs_names ids, small;  /* identifiers, and all names in lower case: … */
    uint32_t *id_of, *of; /* … of which instance, HSEL_NONE: of several */
    size_t id_capacity, capacity;
    hs_buf text;
    bool *chosen;
    hs_matched *out;
};

static void matching_clear(struct matching *m)
{
    HS_CLEAR_NAMES(&m->ids, &m->small);
    HS_FREE(m->id_of, m->of);
    hs_buf_clear(&m->text);
}

static int make_small(struct matching *m, const char *name, size_t length, hsel_error *error)
{
    m->text.length = 0;
    for (size_t i = 0; i < length; i++)
        hs_buf_char(&m->text, (char)tolower((unsigned char)name[i]));
    hs_buf_char(&m->text, '\0');
    HS_NEED(!m->text.failed);
    m->text.length--;
    return HSEL_OK;
}

static int add_name(struct matching *m, const char *name, uint32_t instance, bool again,
                    hsel_error *error)
{
    uint32_t id;
    bool added;
    if (!name || !*name)
        return HSEL_OK;
    HS_TRY(make_small(m, name, strlen(name), error));
    HS_TRY(hs_names_intern(&m->small, m->text.text, m->text.length, &id, &added, error));
    HS_NEED(HS_GROW(&m->of, &m->capacity, m->small.count));
    if (added)
        m->of[id] = instance;
    else if (again && m->of[id] != instance)
        m->of[id] = HSEL_NONE;
    return HSEL_OK;
}

/* The instance of a name; *known: it is one, possibly of several (HSEL_NONE). */
static int find_name(struct matching *m, const char *text, size_t length, uint32_t *found,
                     bool *known, hsel_error *error)
{
    HS_TRY(make_small(m, text, length, error));
    const uint32_t exact = hs_names_find(&m->ids, text, length),
                   id = hs_names_find(&m->small, m->text.text, length);
    uint64_t number;
    const size_t sign = *text == '#';
    *found = exact != HSEL_NONE ? m->id_of[exact] : id == HSEL_NONE ? HSEL_NONE : m->of[id];
    *known = id != HSEL_NONE;
    if (*found == HSEL_NONE && !*known && (sign || !m->ids.count) &&
        hs_parse_u64(text + sign, length - sign, &number) && number >= 1 && number <= m->instances)
        *found = (uint32_t)number - 1;
    return HSEL_OK;
}

/* A text, which is divided at these separators if it is no name; then at the next ones. */
static int match(struct matching *m, const char *text, size_t length, int level, hsel_error *error)
{
    static const char *const separators[] = {"\r\n\t,;|", " "};
    while (length && isspace((unsigned char)*text))
        text++, length--;
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    if (!length)
        return HSEL_OK;
    uint32_t found;
    bool known;
    HS_TRY(find_name(m, text, length, &found, &known, error));
    if (found != HSEL_NONE) {
        m->out->found += !m->chosen[found];
        m->out->repeated += m->chosen[found];
        m->chosen[found] = true;
        return HSEL_OK;
    }
    for (; !known && level < 2; level++)
        for (size_t at = 0, end; at < length; at = end + 1) {
            for (end = at; end < length && !strchr(separators[level], text[end]);)
                end++;
            if (at == 0 && end == length)
                break;
            HS_TRY(match(m, text + at, end - at, level, error));
            if (end == length || end + 1 == length)
                return HSEL_OK;
        }
    hs_names *list = known ? &m->out->several : &m->out->missing;
    return hs_names_intern(list, text, length, &(uint32_t){0}, NULL, error);
}

static int fill_matching(struct matching *m, const hsel_dataset *data, hsel_error *error)
{
    for (uint32_t i = 0; i < data->instances; i++) {
        const char *name = hsel_dataset_id(data, i);
        uint32_t id;
        bool added;
        if (!name)
            continue;
        HS_TRY(hs_names_intern(&m->ids, name, strlen(name), &id, &added, error));
        HS_NEED(HS_GROW(&m->id_of, &m->id_capacity, m->ids.count));
        if (added) /* the first of several */
            m->id_of[id] = i;
        HS_TRY(add_name(m, name, i, false, error));
    }
    const uint32_t ids = m->small.count;
    for (uint32_t i = 0; i < data->instances; i++) {
        const char *label = hs_about_label(&data->instance_about, i);
        if (!label)
            continue;
        HS_TRY(make_small(m, label, strlen(label), error));
        const uint32_t id = hs_names_find(&m->small, m->text.text, m->text.length);
        if (id >= ids || id == HSEL_NONE) /* identifiers go before labels */
            HS_TRY(add_name(m, label, i, true, error));
    }
    HS_TRY(hs_names_index(&m->ids, error));
    return hs_names_index(&m->small, error);
}

int hs_match_instances(const hsel_dataset *data, const char *const *names, size_t count,
                       bool *chosen, hs_matched *out, hsel_error *error)
{
    HS_OWNS(matching_clear)
    struct matching m = {.instances = data->instances, .chosen = chosen, .out = out};
    memset(chosen, 0, data->instances * sizeof *chosen);
    HS_TRY(fill_matching(&m, data, error));
    for (size_t i = 0; i < count; i++)
        HS_TRY(match(&m, names[i], strlen(names[i]), 0, error));
    return HSEL_OK;
}

int hs_match_each(const hsel_dataset *data, const char *const *names, size_t count,
                  uint32_t *instance, hsel_error *error)
{
    HS_OWNS(matching_clear) struct matching m = {.instances = data->instances};
    HS_TRY(fill_matching(&m, data, error));
    for (size_t i = 0; i < count; i++)
        HS_TRY(find_name(&m, names[i], strlen(names[i]), &instance[i], &(bool){0}, error));
    return HSEL_OK;
}

void hs_matched_clear(hs_matched *matched) { HS_CLEAR_NAMES(&matched->missing, &matched->several); }

/* ---- data ---- */

int hs_count_annotations(const hsel_dataset *data, uint32_t *annotations, hsel_error *error)
{
    HS_OWNED uint32_t *above = hs_new_none(data->features);
    HS_NEED(above);
    for (uint32_t i = 0; i < data->instances; i++) {
        size_t count, parents;
        const uint32_t *row = hs_row(data, i, &count);
        for (size_t k = 0; data->dag && k < count; k++) {
            const uint32_t *parent = hs_parents(data->dag, row[k], &parents);
            for (size_t p = 0; p < parents; p++)
                above[parent[p]] = i;
        }
        annotations[i] = 0;
        for (size_t k = 0; k < count; k++)
            annotations[i] += above[row[k]] != i && !hs_is_covariate(data, row[k]);
    }
    return HSEL_OK;
}

int hs_discover_data(const hsel_dataset *from, const bool *known, hsel_dataset **out,
                     hsel_error *error)
{
    static const char *const names[] = {"unlabelled", "positive"};
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
    HS_TRY(hs_dataset_subset(from, NULL, &data, error));
    hs_dataset_drop(data, hs_take(&data->target));
    hs_dataset_drop(data, hs_take(&data->class_of));
    hs_names_clear(&data->class_names);
    for (int c = 0; c < 2; c++)
        HS_TRY(hs_names_intern(&data->class_names, names[c], strlen(names[c]), &(uint32_t){0}, NULL,
                               error));
    HS_NEED(data->class_of = HS_NEW(uint32_t, data->instances));
    for (uint32_t i = 0; i < data->instances; i++)
        data->class_of[i] = known[i];
    data->positive_class = 1;
    data->positive_named = true;
    *out = hs_take(&data);
    return HSEL_OK;
}

/* ---- out-of-fold scores ---- */

struct run {
    const hs_discover_request *r;
    hs_discovery *out;
    hsel_dataset *data;
    const char *classifier; /* without calibration, which only probabilities need */
    hs_folds *folds;        /* [repeats] */
    hs_model **models;      /* [folds] of the first repeat, for reasons */
    double *fold_score;     /* [repeats * instances] */
    double *score;          /* [instances] */
    uint32_t *annotations;  /* [instances] */
    hs_progress_parts progress;
    uint32_t from; /* the first candidate of a parallel loop */
    bool plain;    /* the classifier does not attribute scores to features, all of which it uses */
};

static void run_clear(struct run *run)
{
    for (uint32_t f = 0; run->models && f < run->r->folds; f++)
        hs_model_free(run->models[f]);
    for (uint32_t k = 0; run->folds && k < run->r->repeats; k++)
        hs_folds_clear(&run->folds[k]);
    hs_dataset_free(run->data);
}

static int train_fold(void *context, size_t task, int worker, hsel_error *error)
{
    struct run *run = context;
    const hs_discover_request *r = run->r;
    const uint32_t repeat = (uint32_t)(task / r->folds), fold = (uint32_t)(task % r->folds),
                   n = run->data->instances;
    const hs_folds *folds = &run->folds[repeat];
    const int threads = hs_threads(r->threads), tasks = (int)(r->folds * r->repeats);
    HS_OWNS(hs_model_release) hs_model *model = NULL;
    HS_OWNS(hs_dataset_release) hsel_dataset *aligned = NULL;
    HS_OWNS(hs_predictor_clear) hs_predictor predictor = {0};
    HS_OWNED double *weight = HS_NEW(double, n);
    HS_OWNED uint32_t *tested = HS_NEW(uint32_t, n);
    uint32_t count = 0;
    hs_progress_part part;
    (void)worker;
    HS_NEED(weight && tested);
    hs_progress_part_begin(&part, &run->progress, NULL);
    for (uint32_t i = 0; i < n; i++) {
        weight[i] = hs_fold_learns(folds, i, fold);
        if (folds->fold_of[i] == fold)
            tested[count++] = i;
    }
    HS_TRY(hs_model_train(&(hs_model_request){.data = run->data,
                                              .selector = r->selector,
                                              .classifier = run->classifier,
                                              .weight = weight,
                                              .allow_violations = r->allow_violations,
                                              .seed = r->seed + repeat,
                                              .threads = threads > tasks ? threads / tasks : 1,
                                              .progress = &part.progress},
                          &model, error));
    const hsel_dataset *data = run->data;
    if (model->shape->recipe && model->shape->learned != data->learned) {
        HS_TRY(hs_align(data, model->shape, true, &aligned, &(uint32_t){0}, &(uint32_t){0}, error));
        data = aligned;
    }
    HS_TRY(hs_predictor_begin(&predictor, &model->pipeline, data, error));
    int status = hs_predictor_run(
        &predictor,
        &(hs_predict_request){
            .data = data,
            .instances = tested,
            .place = tested,
            .count = count,
            .to = &(struct hs_answer_lists){.score = run->fold_score + (size_t)repeat * n},
            .width = 1},
        error);
    hs_predictor_end(&predictor);
    HS_TRY(status);
    if (repeat == 0)
        run->models[fold] = hs_take(&model);
    return hs_progress_part_end(&part, error);
}

/* The classifier without calibration, unless that is asked for. */
static int plain_classifier(struct run *run, hsel_error *error)
{
    HS_OWNS(hs_chosen_clear) hs_chosen chosen = {0}, selector = {0};
    HS_OWNS(hs_buf_clear) hs_buf text = {0};
    hs_arena *arena = &run->out->arena;
    HS_TRY(hs_chosen_parse(HS_CLASSIFIER, run->r->classifier, &chosen, error));
    HS_TRY(hs_chosen_parse(HS_SELECTOR, run->r->selector, &selector, error));
    bool calibrates = false;
    for (const hs_option *o = chosen.method->options; o && o->name; o++)
        calibrates |= strcmp(o->name, "calibration") == 0;
    hs_buf_text(&text, chosen.text);
    if (calibrates && !strstr(chosen.text, "calibration="))
        hs_buf_printf(&text, "%ccalibration=none", strchr(chosen.text, ':') ? ',' : ':');
    HS_NEED(!text.failed);
    run->classifier = hs_arena_text(arena, text.text, text.length);
    run->out->classifier = hs_arena_text(arena, chosen.text, strlen(chosen.text));
    run->out->selector = hs_arena_text(arena, selector.text, strlen(selector.text));
    HS_NEED(run->classifier && run->out->classifier && run->out->selector);
    return HSEL_OK;
}

static int score_all(struct run *run, hsel_error *error)
{
    const hs_discover_request *r = run->r;
    const uint32_t n = run->data->instances;
    const size_t all = (size_t)r->repeats * n;
    hs_arena *arena = &run->out->arena;
    run->folds = hs_arena_zero(arena, r->repeats, sizeof *run->folds);
    run->models = hs_arena_zero(arena, r->folds, sizeof *run->models);
    run->fold_score = hs_arena_zero(arena, all, sizeof *run->fold_score);
    run->score = hs_arena_zero(arena, n, sizeof *run->score);
    HS_NEED(run->folds && run->models && run->fold_score && run->score);
    for (uint32_t k = 0; k < r->repeats; k++) {
        HS_TRY(hs_folds_choose("own", run->data, r->folds, r->seed + k, &run->folds[k], error));
        for (uint32_t i = 0; i < n; i++)
            HS_REFUSE(!hs_fold_tests(&run->folds[k], i),
                      "candidates need a score for every instance, but times and test sets leave "
                      "some without: read the data without them");
    }
    run->progress =
        (hs_progress_parts){.whole = r->progress, .count = (uint64_t)r->folds * r->repeats};
    HS_TRY(hs_parallel_for((size_t)r->folds * r->repeats, r->threads, train_fold, run, error));
    double least = INFINITY, most = -INFINITY; /* infinite scores become the next number */
    for (size_t i = 0; i < all; i++) {
        least = isfinite(run->fold_score[i]) ? fmin(least, run->fold_score[i]) : least;
        most = isfinite(run->fold_score[i]) ? fmax(most, run->fold_score[i]) : most;
    }
    for (size_t i = 0; i < all; i++) {
        const double s = run->fold_score[i];
        run->score[i % n] += (isfinite(s) ? s
                              : s > 0     ? fmax(most, 0) + 1
                                          : fmin(least, 0) - 1) /
                             r->repeats;
    }
    return HSEL_OK;
}

/* ---- from scores ---- */

/* Ranks from 1, equal values sharing the mean of theirs. */
static int mean_ranks(const double *value, uint32_t count, double *rank, hsel_error *error)
{
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, count);
    HS_NEED(order);
    hs_order_all(value, HS_UPWARDS, order, count);
    for (uint32_t i = 0, j; i < count; i = j) {
        for (j = i; j < count && value[order[j]] == value[order[i]];)
            j++;
        for (uint32_t k = i; k < j; k++)
            rank[order[k]] = 0.5 * (i + j + 1.0);
    }
    return HSEL_OK;
}

/* Spearman's correlation of score and annotations over the unlabelled; NaN: one is constant. */
static int study_bias(const struct run *run, double *out, hsel_error *error)
{
    const uint32_t n = run->data->instances;
    HS_OWNED double *value = HS_NEW(double, n), *x = HS_NEW(double, n), *y = HS_NEW(double, n);
    uint32_t count = 0;
    double xx = 0, yy = 0, xy = 0;
    HS_NEED(value && x && y);
    for (int which = 0; which < 2; which++) {
        count = 0;
        for (uint32_t i = 0; i < n; i++)
            if (!run->r->known[i])
                value[count++] = which ? run->annotations[i] : run->score[i];
        HS_TRY(mean_ranks(value, count, which ? y : x, error));
    }
    const double mean = 0.5 * (count + 1.0);
    for (uint32_t i = 0; i < count; i++) {
        xx += (x[i] - mean) * (x[i] - mean);
        yy += (y[i] - mean) * (y[i] - mean);
        xy += (x[i] - mean) * (y[i] - mean);
    }
    *out = xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : (double)NAN;
    return HSEL_OK;
}

/* Replaces scores by standardised ones within strata. */
static int correct_bias(struct run *run, hsel_error *error)
{
    const uint32_t n = run->data->instances;
    HS_OWNED double *number = HS_NEW(double, n);
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, n);
    uint32_t unlabelled = 0;
    HS_NEED(number && order);
    for (uint32_t i = 0; i < n; i++) {
        number[i] = run->annotations[i];
        unlabelled += !run->r->known[i];
    }
    const uint32_t twentieth = unlabelled / 20, least = twentieth < 30    ? 30
                                                        : twentieth > 500 ? 500
                                                                          : twentieth;
    hs_order_all(number, HS_UPWARDS, order, n);
    for (uint32_t i = 0, j; i < n; i = j) {
        uint32_t in = 0, left = 0;
        double sum = 0, square = 0;
        for (j = i; j < n && (in < least || number[order[j]] == number[order[j - 1]]); j++)
            in += !run->r->known[order[j]];
        for (uint32_t k = j; k < n; k++)
            left += !run->r->known[order[k]];
        if (left < least) /* the last stratum has the rest */
            j = n;
        in = 0;
        for (uint32_t k = i; k < j; k++)
            if (!run->r->known[order[k]]) {
                sum += run->score[order[k]];
                in++;
            }
        const double mean = in ? sum / in : 0;
        for (uint32_t k = i; k < j; k++)
            if (!run->r->known[order[k]])
                square += (run->score[order[k]] - mean) * (run->score[order[k]] - mean);
        const double sd = in > 1 ? sqrt(square / (in - 1)) : 0;
        for (uint32_t k = i; k < j; k++)
            run->score[order[k]] = sd > 0 ? (run->score[order[k]] - mean) / sd : 0;
        run->out->strata++;
    }
    return HSEL_OK;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* How many of the sorted numbers are below x; equal ones count half. */
static double below(const double *sorted, uint32_t count, double x)
{
    uint32_t low[2] = {0, 0};
    for (int up = 0; up < 2; up++)
        for (uint32_t high = count; low[up] < high;) {
            const uint32_t middle = low[up] + (high - low[up]) / 2;
            if (up ? sorted[middle] <= x : sorted[middle] < x)
                low[up] = middle + 1;
            else
                high = middle;
        }
    return 0.5 * (low[0] + low[1]);
}

/* How the held-out known positives rank among the unlabelled, and the prior. */
static int measure(struct run *run, hsel_error *error)
{
    const hs_view all = hs_view_all(run->data);
    const uint32_t n = run->data->instances;
    HS_OWNS(hs_pu_ranking_clear) hs_pu_ranking ranking = {0};
    HS_OWNS(hs_units_clear) hs_units units = {0};
    HS_OWNED uint8_t *known = HS_NEW(uint8_t, n);
    HS_NEED(known);
    for (uint32_t i = 0; i < n; i++)
        known[i] = run->r->known[i];
    HS_TRY(hs_units_by_group(&all, &units, error));
    HS_TRY(hs_pu_rank(run->score, known, units.of, units.count, n, &ranking, error));
    return hs_pu_metrics_of(&ranking, (double)NAN, run->r->seed, &run->out->metrics, error);
}

/* ---- reliable negatives ---- */

struct near_run {
    const struct run *run;
    uint32_t **shared; /* [workers]: features in common with every instance */
    bool *reliable;
    double *mean; /* [instances]: mean similarity to known positives, others than itself */
};

static double jaccard(uint32_t shared, size_t a, size_t b)
{
    const double either = (double)a + (double)b - shared;
    return either > 0 ? shared / either : 0;
}

/* Whether no known positive is among the nearest of an instance, nor as near as the last of these;
 * and how similar it is to known positives. */
static int judge(void *context, size_t index, int worker, hsel_error *error)
{
    struct near_run *near = context;
    const hsel_dataset *data = near->run->data;
    const bool *known = near->run->r->known;
    uint32_t *shared = near->shared[worker], nearer = 0;
    const uint32_t i = (uint32_t)index;
    size_t own, count, other;
    double best = 0, sum = 0;
    if (i % 1024 == 0)
        HS_TRY(hs_progress_ask(near->run->r->progress, error));
    const uint32_t *row = hs_row(data, i, &own);
    memset(shared, 0, data->instances * sizeof *shared);
    for (size_t k = 0; k < own; k++) {
        const uint32_t *column = hs_column(data, row[k], &count);
        for (size_t c = 0; c < count; c++)
            shared[column[c]]++;
    }
    for (uint32_t j = 0; j < data->instances; j++)
        if (known[j] && j != i) {
            hs_row(data, j, &other);
            const double s = jaccard(shared[j], own, other);
            best = fmax(best, s);
            sum += s;
        }
    near->mean[i] = sum / (near->run->out->known - known[i]);
    for (uint32_t j = 0; j < data->instances && nearer < NEIGHBOURS; j++) {
        hs_row(data, j, &other);
        nearer += j != i && jaccard(shared[j], own, other) > best;
    }
    near->reliable[i] = !known[i] && nearer == NEIGHBOURS;
    return HSEL_OK;
}

/* And less similar to known positives than nine in ten of these are to each other. */
static int find_reliable(const struct run *run, bool *reliable, hsel_error *error)
{
    HS_OWNS(hs_arena_clear) hs_arena arena = {0};
    const int workers = hs_threads(run->r->threads);
    const uint32_t n = run->data->instances;
    struct near_run near = {.run = run,
                            .shared = HS_ARENA_NEW(&arena, uint32_t *, (size_t)workers),
                            .reliable = reliable,
                            .mean = HS_ARENA_NEW(&arena, double, n)};
    double *own = HS_ARENA_NEW(&arena, double, run->out->known);
    uint32_t count = 0;
    HS_NEED(near.shared && near.mean && own);
    for (int w = 0; w < workers; w++)
        HS_NEED(near.shared[w] = HS_ARENA_NEW(&arena, uint32_t, n));
    HS_TRY(hs_parallel_for(n, workers, judge, &near, error));
    for (uint32_t i = 0; i < n; i++)
        if (run->r->known[i])
            own[count++] = near.mean[i];
    qsort(own, count, sizeof *own, ascending);
    for (uint32_t i = 0; i < n; i++)
        reliable[i] = reliable[i] && near.mean[i] < own[count / 10];
    return HSEL_OK;
}

/* Calibrated by known negatives, else by reliable ones, which are not selected. These are less
 * similar to positives than other negatives are, so that without known negatives the expected
 * precision must allow the selection, too. */
static int select_candidates(struct run *run, hsel_error *error)
{
    const hs_discover_request *r = run->r;
    hs_discovery *out = run->out;
    const uint32_t n = run->data->instances;
    HS_OWNED bool *reliable = HS_NEW_ZERO(bool, n), *selected = HS_NEW(bool, n);
    HS_OWNED double *negative = HS_NEW(double, n), *score = HS_NEW(double, n),
                    *p = HS_NEW(double, n), *q = HS_NEW(double, n);
    uint32_t count = 0;
    HS_NEED(reliable && selected && negative && score && p && q);
    if (!r->negative)
        HS_TRY(find_reliable(run, reliable, error));
    for (uint32_t i = 0; i < n; i++)
        if (r->negative ? r->negative[i] : reliable[i])
            negative[out->negatives++] = run->score[i];
    if (!out->negatives) /* every unlabelled instance has a known positive near it */
        return HSEL_OK;
    for (uint32_t k = 0; k < out->count; k++) {
        out->candidates[k].reliable = reliable[out->candidates[k].instance];
        if (!out->candidates[k].reliable)
            score[count++] = out->candidates[k].score;
    }
    HS_TRY(hs_conformal_select(&(hs_conformal){.negative = negative,
                                               .negatives = out->negatives,
                                               .score = score,
                                               .count = count,
                                               .level = r->fdr},
                               p, q, selected, error));
    double sum[2] = {0, 0};
    uint32_t last = r->negative ? out->count : 0; /* ranks that the prior allows */
    for (uint32_t k = 0; k < out->count; k++)
        if (out->candidates[k].precision >= 1 - r->fdr)
            last = r->negative ? last : k + 1;
    for (uint32_t k = 0, at = 0; k < out->count; k++) {
        hs_candidate *c = &out->candidates[k];
        if (c->reliable)
            continue;
        c->p = p[at];
        c->q = q[at];
        out->conformal += selected[at];
        c->selected = selected[at++] && k < last;
        out->selected += c->selected;
        sum[0] += c->selected ? c->probability_low : 0;
        sum[1] += c->selected ? c->probability : 0;
    }
    for (int k = 0; k < 2; k++)
        out->selected_precision[k] = out->selected ? sum[k] / out->selected : (double)NAN;
    return HSEL_OK;
}

/* ---- reasons and neighbours ---- */

static int by_weight(const void *a, const void *b)
{
    const struct hs_candidate_reason *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->feature < y->feature ? -1 : x->feature > y->feature;
}

/* Is one of the features already a reason, or above or below one? */
static bool is_related(const hs_candidate *c, hs_reach *reach, bool dag, uint32_t feature)
{
    bool related = false;
    uint32_t above;
    for (uint32_t k = 0; k < c->reasons && dag && !related; k++) {
        for (hs_reach_start(reach, feature); (above = hs_reach_next(reach)) != HSEL_NONE;)
            related |= above == c->reason[k].feature;
        for (hs_reach_start(reach, c->reason[k].feature);
             (above = hs_reach_next(reach)) != HSEL_NONE;)
            related |= above == feature;
    }
    return related;
}

/* The log-likelihood ratio of a share of known positives among those that have a term that is
 * higher than among all; 0 if it is not. */
static double over_representation(double known, double others, double all_known, double all_others)
{
    const double share = all_known / (all_known + all_others), n = known + others;
    return known <= n * share ? 0
                              : known * log(known / (n * share)) +
                                    (others > 0 ? others * log(others / (n * (1 - share))) : 0);
}

static int find_reasons(const struct run *run, hs_candidate *c, bool *own, hsel_error *error)
{
    const hs_model *model = run->models[run->folds[0].fold_of[c->instance]];
    const hs_counts *counts = &model->counts;
    const double size[] = {counts->class_size[0], counts->class_size[1]};
    HS_OWNS(hs_explanation_clear) hs_explanation e = {.samples = HSEL_NONE, .threads = 1};
    HS_OWNS(hs_dataset_release) hsel_dataset *aligned = NULL;
    HS_OWNS(hs_reach_clear) hs_reach reach = {0};
    const hsel_dataset *data = run->data;
    if (model->shape->recipe && model->shape->learned != data->learned) {
        HS_TRY(hs_align(data, model->shape, true, &aligned, &(uint32_t){0}, &(uint32_t){0}, error));
        data = aligned;
    }
    size_t positives;
    const uint32_t *row = hs_row(data, c->instance, &positives);
    if (!run->plain)
        HS_TRY(hs_explain(model, data, c->instance, 0, &e, error));
    const uint32_t all = run->plain ? (uint32_t)positives : e.selected;
    HS_OWNED struct hs_candidate_reason *list = HS_NEW(struct hs_candidate_reason, all);
    uint32_t count = 0;
    HS_NEED(list);
    if (data->dag)
        HS_TRY(hs_reach_init(&reach, data->dag, error));
    *own = !run->plain && e.reasoning != HS_REASONS_NONE;
    for (uint32_t k = 0; k < all; k++) {
        const uint32_t f = run->plain ? row[k] : e.reasons[k].feature;
        if (!run->plain && (data->types[f] != HSEL_BINARY || !(e.reasons[k].value > 0)))
            continue;
        const uint32_t known = hs_count(counts, f, 1), others = hs_count(counts, f, 0);
        const double weight = *own ? (e.predicted == 1 ? 1 : -1) * e.reasons[k].contribution
                                   : over_representation(known, others, size[1], size[0]);
        if (weight > 0 && known)
            list[count++] = (struct hs_candidate_reason){f, known, others, weight};
    }
    qsort(list, count, sizeof *list, by_weight);
    for (uint32_t k = 0; k < count && c->reasons < HS_CANDIDATE_LISTS; k++)
        if (!is_related(c, &reach, data->dag != NULL, list[k].feature))
            c->reason[c->reasons++] = list[k];
    return HSEL_OK;
}

static int find_near(const struct run *run, hs_candidate *c, hsel_error *error)
{
    const hsel_dataset *data = run->data;
    HS_OWNED bool *has = HS_NEW_ZERO(bool, data->features);
    size_t own, count;
    HS_NEED(has);
    const uint32_t *row = hs_row(data, c->instance, &own);
    for (size_t k = 0; k < own; k++)
        has[row[k]] = true;
    for (uint32_t j = 0; j < data->instances; j++) {
        if (!run->r->known[j])
            continue;
        const uint32_t *other = hs_row(data, j, &count);
        uint32_t shared = 0;
        for (size_t k = 0; k < count; k++)
            shared += has[other[k]];
        struct hs_candidate_near near = {j, jaccard(shared, own, count)};
        for (uint32_t k = 0; k < HS_CANDIDATE_LISTS && near.similarity > 0; k++) {
            if (k < c->near && c->nearest[k].similarity >= near.similarity)
                continue;
            struct hs_candidate_near pushed = c->nearest[k];
            c->nearest[k] = near;
            if (k == c->near) {
                c->near++;
                break;
            }
            near = pushed;
        }
    }
    return HSEL_OK;
}

static int explain_one(void *context, size_t index, int worker, hsel_error *error)
{
    struct run *run = context;
    hs_candidate *c = &run->out->candidates[run->from + index];
    bool own = false;
    (void)worker;
    HS_TRY(hs_progress_ask(run->r->progress, error));
    HS_TRY(find_reasons(run, c, &own, error));
    if (!run->from)
        run->out->own_terms = own;
    return find_near(run, c, error);
}

/* ---- all of it ---- */

static int rank_candidates(struct run *run, hsel_error *error)
{
    const hs_discover_request *r = run->r;
    hs_discovery *out = run->out;
    const uint32_t n = run->data->instances, unlabelled = n - out->known;
    HS_OWNED double *sorted = HS_NEW(double, unlabelled), *cut = HS_NEW(double, n);
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, n);
    hs_curve curve = {0};
    HS_NEED(sorted && cut && order &&
            (out->candidates = hs_arena_zero(&out->arena, unlabelled, sizeof *out->candidates)));
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!r->known[i])
            sorted[count++] = run->score[i];
    qsort(sorted, unlabelled, sizeof *sorted, ascending);
    HS_TRY(measure(run, error));
    hs_order_all(run->score, HS_DOWNWARDS, order, n);
    /* Above the score of the FIRST_BLOCKth known positive, the data tell only the mean. */
    const uint32_t block = out->known < 2 * FIRST_BLOCK ? (out->known + 1) / 2 : FIRST_BLOCK;
    double most = INFINITY;
    for (uint32_t k = 0, met = 0; met < block; k++) {
        met += r->known[order[k]];
        most = run->score[order[k]];
    }
    for (uint32_t i = 0; i < n; i++)
        cut[i] = fmin(run->score[i], most);
    int status = hs_isotonic_fit(cut, r->known, NULL, n, &curve, error);
    const hs_prior *prior = &out->metrics.prior;
    const double low = isnan(prior->low) ? 0 : prior->low;
    double sum[2] = {0, 0};
    for (uint32_t k = 0; k < n && !status; k++) {
        const uint32_t i = order[k];
        if (r->known[i] || (r->negative && r->negative[i]))
            continue;
        const double g = hs_curve_at(&curve, cut[i]), odds = g / (1 - g) * unlabelled / out->known;
        hs_candidate *c = &out->candidates[out->count++];
        c->instance = i;
        c->annotations = run->annotations[i];
        c->score = run->score[i];
        c->probability = fmin(1, prior->share * odds);
        c->probability_low = fmin(c->probability, low * odds);
        sum[0] += c->probability_low;
        sum[1] += c->probability;
        c->precision_low = sum[0] / out->count;
        c->precision = sum[1] / out->count;
        c->percentile = below(sorted, unlabelled, c->score) / unlabelled;
        c->p = c->q = (double)NAN;
    }
    HS_FREE(curve.at, curve.share);
    return status;
}

int hs_discover(const hs_discover_request *r, hs_discovery *out, hsel_error *error)
{
    HS_OWNS(run_clear) struct run run = {.r = r, .out = out};
    const uint32_t n = r->data->instances;
    for (uint32_t i = 0; i < n; i++)
        out->known += r->known[i];
    HS_REFUSE(out->known < 3, "at least 3 known positives are needed, but there %s %u",
              out->known == 1 ? "is" : "are", out->known);
    HS_REFUSE(n - out->known < 3, "there are no candidates: %u of %u instances are known positives",
              out->known, n);
    HS_REFUSE(r->folds > out->known, "%u known positives are too few for %u folds: give {folds=%u}",
              out->known, r->folds, out->known);
    HS_TRY(plain_classifier(&run, error));
    HS_TRY(hs_discover_data(r->data, r->known, &run.data, error));
    out->features = run.data->features;
    HS_NEED(run.annotations = HS_ARENA_NEW(&out->arena, uint32_t, n));
    HS_TRY(hs_count_annotations(run.data, run.annotations, error));
    HS_TRY(score_all(&run, error));
    HS_TRY(study_bias(&run, &out->bias_before, error));
    if (r->correct_bias)
        HS_TRY(correct_bias(&run, error));
    HS_TRY(study_bias(&run, &out->bias, error));
    HS_TRY(rank_candidates(&run, error));
    if (r->fdr > 0)
        HS_TRY(select_candidates(&run, error));
    out->shown = r->top && r->top < out->count ? r->top : out->count;
    if (out->shown)
        HS_TRY(explain_one(&run, 0, 0, error));
    run.plain = !out->own_terms && strcmp(out->selector, "none") == 0;
    run.from = 1;
    return hs_parallel_for(out->shown ? out->shown - 1 : 0, r->threads, explain_one, &run, error);
}

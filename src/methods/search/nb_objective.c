/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The value of a set of features for naive Bayes, or another classifier that has `terms`
 * (classify/classify.h), without fitting it.
 *
 * With the inner folds fixed, log P(v | c) of a feature in an instance depends on the fold and on
 * nothing else. So with D(.) = log P(. | c) - log P(. | 0) for the classes c > 0, an instance i of
 * fold k has
 *
 *     score_c(i) = prior_kc + sum over f in S of D(0 of f)_kc
 *                           + sum over f in S positive in i of (D(1 of f) - D(0 of f))_kc
 *
 * A set keeps the second sum (one number per fold) and the third (one per instance); a set that
 * differs from it in some features is these features' columns away: O(K * (positive values of the
 * features flipped + folds) + K n) per set, against O(K d folds) logarithms and allocations for
 * fitting.
 *
 * Exact: the numbers are integers (multiples of 2^-shift), so that a sum does not depend on how it
 * came about. They differ from what src/methods/classify/nb.c adds up in doubles by less than
 * `margin`, which is worked out from the number and size of the terms. A class that leads by more
 * than the margin is therefore the one that nb predicts; where it does not (ties, in practice), the
 * logarithms are added up as nb does, term by term in its order, and so ties fall as there.
 *
 * Memory: 4 + 8 (K-1) bytes per positive value, 32 K bytes per feature and fold, a memo of 8 n
 * (K-1) bytes per set.
 */
#include "search/objective.h"

#include "classify/classify.h"

#define SHIFT 40 /* of the fixed point, unless sums would come near 2^61 */

struct nb_worker {
    double *base;  /* [folds * classes]: log P(c) + sum of log P(0|c), as nb has it … */
    bool *ready;   /* … if it is worked out for the current set */
    double *value; /* [classes] */
    uint32_t *hits, *predicted;
};

struct nb_objective {
    hs_inner inner;
    hs_arena memory; /* of the arrays */
    uint32_t features, classes, planes, folds, rows;
    double *prior;                       /* [folds * classes]: logarithms as in nb.c */
    double *log_negative, *log_positive; /* [folds * features * classes] */
    int64_t *fixed_prior;                /* [folds * planes] */
    int64_t *fixed_negative;             /* [features * folds * planes] */
    /* Instances take places by fold, then by class: block_start[fold * classes + class] … */
    uint32_t *block_start, *row_of;
    hs_sparse column; /* feature -> places in which it is positive */
    int64_t *gain;    /* [positive values * planes] */
    int64_t margin;
    struct nb_worker *workers;
};

static void nb_free(void *pointer)
{
    struct nb_objective *o = pointer;
    if (!o)
        return;
    hs_inner_clear(&o->inner);
    hs_sparse_clear(&o->column);
    hs_arena_clear(&o->memory);
    hs_free(o);
}
HS_RELEASE(nb_release, struct nb_objective, nb_free)

/* ---- tables ---- */

static const double *logs_of(const struct nb_objective *o, const double *table, uint32_t fold,
                             uint32_t feature)
{
    return table + ((size_t)fold * o->features + feature) * o->classes;
}

/* Fixed point and margin. A term is off by half a unit and the rounding of its three differences;
 * nb makes at most 3 d + 1 additions, each off by 2^-53 of a sum, for either class; and equal after
 * exp() are values that differ by less than 2^-52. */
static double choose_scale(struct nb_objective *o)
{
    double sum = 0, terms = 3.0 * o->features + 2; /* no sum over any set is larger than `sum` */
    for (uint32_t f = 0; f <= o->features; f++) {
        double most = 0;
        for (uint32_t k = 0; k < o->folds; k++)
            for (uint32_t c = 0; c < o->classes; c++) {
                double here = f == o->features ? fabs(o->prior[k * o->classes + c])
                                               : fabs(logs_of(o, o->log_negative, k, f)[c]) +
                                                     fabs(logs_of(o, o->log_positive, k, f)[c]);
                most = here > most ? here : most;
            }
        sum += most;
    }
    int shift = SHIFT;
    while (shift > 0 && ldexp(4 * sum + 1, shift) > 0x1p61)
        shift--;
    double off = terms * sum * 0x1p-51 + 1e-12;
    o->margin = (int64_t)ceil(ldexp(off, shift) + terms);
    return ldexp(1, shift);
}

static void fill_fixed(struct nb_objective *o, double scale)
{
    const uint32_t planes = o->planes;
    for (uint32_t k = 0; k < o->folds; k++) {
        const double *prior = o->prior + k * o->classes;
        for (uint32_t p = 0; p < planes; p++)
            o->fixed_prior[k * planes + p] = llround((prior[p + 1] - prior[0]) * scale);
        for (uint32_t f = 0; f < o->features; f++) {
            const double *negative = logs_of(o, o->log_negative, k, f);
            for (uint32_t p = 0; p < planes; p++)
                o->fixed_negative[((size_t)f * o->folds + k) * planes + p] =
                    llround((negative[p + 1] - negative[0]) * scale);
        }
    }
}

/* Places: a counting sort by fold and class, in the order of the view. Then the positive values
 * column by column, each with what it adds in its fold. */
static int fill_columns(struct nb_objective *o, double scale, hsel_error *error)
{
    const hs_view *view = &o->inner.request.training->view;
    const uint32_t *fold_of = o->inner.folds.fold_of, *class_of = view->data->class_of;
    const uint32_t planes = o->planes;
    HS_OWNED uint32_t *fold_at = HS_NEW(uint32_t, o->rows),
                      *feature = HS_NEW(uint32_t, o->features);
    HS_NEED(fold_at && feature);
    for (uint32_t i = 0; i < view->row_count; i++)
        if (hs_fold_tests(&o->inner.folds, i))
            o->block_start[fold_of[i] * o->classes + class_of[hs_view_row(view, i)] + 2]++;
    for (uint32_t b = 0; b < o->folds * o->classes; b++)
        o->block_start[b + 2] += o->block_start[b + 1];
    for (uint32_t i = 0; i < view->row_count; i++) {
        if (!hs_fold_tests(&o->inner.folds, i))
            continue;
        uint32_t block = fold_of[i] * o->classes + class_of[hs_view_row(view, i)];
        uint32_t at = o->block_start[block + 1]++;
        o->row_of[at] = hs_view_row(view, i);
        fold_at[at] = fold_of[i];
    }
    for (uint32_t f = 0; f < o->features; f++)
        feature[f] = f;
    HS_TRY(hs_position_columns(view->data, feature, o->features, o->row_of, o->rows, &o->column,
                               error));
    HS_NEED(o->gain = HS_ARENA_NEW(&o->memory, int64_t, o->column.start[o->features] * planes));
    for (uint32_t f = 0; f < o->features; f++)
        for (uint64_t e = o->column.start[f]; e < o->column.start[f + 1]; e++) {
            const double *negative = logs_of(o, o->log_negative, fold_at[o->column.index[e]], f);
            const double *positive = logs_of(o, o->log_positive, fold_at[o->column.index[e]], f);
            for (uint32_t p = 0; p < planes; p++)
                o->gain[e * planes + p] = llround(
                    ((positive[p + 1] - positive[0]) - (negative[p + 1] - negative[0])) * scale);
        }
    return HSEL_OK;
}

/* ---- the class that nb predicts, where the margin does not decide ---- */

/* As fit and predict of nb.c, addition by addition. */
static uint32_t predict_as_nb(const struct nb_objective *o, const uint64_t *set, uint32_t place,
                              uint32_t fold, struct nb_worker *worker)
{
    const uint32_t classes = o->classes;
    double *base = worker->base + fold * classes, *value = worker->value;
    if (!worker->ready[fold]) {
        memcpy(base, o->prior + fold * classes, classes * sizeof *base);
        for (uint32_t f = 0; f < o->features; f++)
            for (uint32_t c = 0; c < classes && hs_bit_get(set, f); c++)
                base[c] += logs_of(o, o->log_negative, fold, f)[c];
        worker->ready[fold] = true;
    }
    size_t count;
    const uint32_t *row = hs_row(o->inner.request.training->view.data, o->row_of[place], &count);
    memcpy(value, base, classes * sizeof *value);
    for (size_t j = 0; j < count; j++)
        for (uint32_t c = 0; c < classes && hs_bit_get(set, row[j]); c++)
            value[c] -= logs_of(o, o->log_negative, fold, row[j])[c];
    for (size_t j = 0; j < count; j++)
        for (uint32_t c = 0; c < classes && hs_bit_get(set, row[j]); c++)
            value[c] += logs_of(o, o->log_positive, fold, row[j])[c];
    return hs_predicted_class(value, classes);
}

/* ---- scoring ---- */

/* Inlined with one plane, the usual case, and with any number of them. */
static inline void flip_feature(const struct nb_objective *o, const uint32_t planes,
                                uint32_t feature, bool joins, int64_t *base, int64_t *score)
{
    const uint32_t cells = o->folds * planes, *restrict place = o->column.index;
    const int64_t *negative = o->fixed_negative + (size_t)feature * cells, sign = joins ? 1 : -1;
    const int64_t *restrict gain = o->gain;
    for (uint32_t k = 0; k < cells; k++)
        base[k] += sign * negative[k];
    for (uint64_t e = o->column.start[feature]; e < o->column.start[feature + 1]; e++)
        for (uint32_t p = 0; p < planes; p++)
            score[(size_t)p * o->rows + place[e]] += sign * gain[e * planes + p];
}

/* Two classes: how many instances of each block are predicted as class 0. */
static void predict_two(const struct nb_objective *o, const uint64_t *set, const int64_t *base,
                        const int64_t *score, struct nb_worker *worker)
{
    for (uint32_t block = 0; block < 2 * o->folds; block++) {
        uint32_t first = o->block_start[block], end = o->block_start[block + 1];
        uint32_t fold = block / 2, label = block % 2, size = end - first;
        int64_t offset = base[fold] + o->fixed_prior[fold];
        /* below 0; `near` has its sign bit set if one is within the margin */
        uint64_t below = 0, near = 0, margin = (uint64_t)o->margin;
        for (uint32_t i = first; i < end; i++) {
            uint64_t s = (uint64_t)(score[i] + offset);
            below += s >> 63;
            near |= (s + margin) ^ (s - margin);
        }
        if (near >> 63) {
            below = 0;
            for (uint32_t i = first; i < end; i++) {
                int64_t s = score[i] + offset;
                if (s <= o->margin && s >= -o->margin)
                    below += predict_as_nb(o, set, i, fold, worker) == 0;
                else
                    below += s < 0;
            }
        }
        worker->predicted[0] += (uint32_t)below;
        worker->predicted[1] += size - (uint32_t)below;
        worker->hits[label] += label ? size - (uint32_t)below : (uint32_t)below;
    }
}

/* More classes: the one with the highest score, or the prediction of nb if another one is too
 * near. */
static void predict_more(const struct nb_objective *o, const uint64_t *set, const int64_t *base,
                         const int64_t *score, struct nb_worker *worker)
{
    for (uint32_t block = 0; block < o->classes * o->folds; block++)
        for (uint32_t i = o->block_start[block]; i < o->block_start[block + 1]; i++) {
            int64_t best = 0, second = INT64_MIN;
            uint32_t label = 0, fold = block / o->classes;
            for (uint32_t p = 0; p < o->planes; p++) {
                int64_t s = score[(size_t)p * o->rows + i] + base[fold * o->planes + p] +
                            o->fixed_prior[fold * o->planes + p];
                if (s > best) {
                    second = best;
                    best = s;
                    label = p + 1;
                } else if (s > second) {
                    second = s;
                }
            }
            if (best - second <= 2 * o->margin)
                label = predict_as_nb(o, set, i, fold, worker);
            worker->predicted[label]++;
            worker->hits[label] += label == block % o->classes;
        }
}

static int nb_score(void *self, const hs_trial *trial, double *value, hsel_error *error)
{
    struct nb_objective *o = self;
    struct nb_worker *worker = &o->workers[trial->worker];
    int64_t *base = trial->memo, *score = base + (size_t)o->folds * o->planes;
    (void)error;
    for (uint32_t i = 0; i < trial->flip_count; i++) {
        const uint32_t f = trial->flips[i];
        const bool joins = hs_bit_get(trial->set, f);
        if (o->planes == 1)
            flip_feature(o, 1, f, joins, base, score);
        else
            flip_feature(o, o->planes, f, joins, base, score);
    }
    memset(worker->ready, 0, o->folds * sizeof *worker->ready);
    memset(worker->hits, 0, 2 * (size_t)o->classes * sizeof *worker->hits);
    (o->planes == 1 ? predict_two : predict_more)(o, trial->set, base, score, worker);
    *value = hs_inner_rate(&o->inner, worker->hits, worker->predicted);
    return HSEL_OK;
}

/* ---- making one ---- */

bool hs_nb_objective_fits(const hs_inner_request *request)
{
    return request->classifier->method->classifier->terms &&
           !hs_adjust_weighs(request->classifier) && !hs_metric_formula(request->metric)->needs &&
           hs_dataset_all_binary(request->training->view.data);
}

int hs_nb_objective(const hs_inner_request *request, hs_objective *out, hsel_error *error)
{
    const hs_counts *counts = request->training->counts;
    const uint32_t classes = counts->classes, planes = classes - 1;
    HS_OWNS(nb_release) struct nb_objective *o = HS_NEW_ZERO(struct nb_objective, 1);
    HS_NEED(o);
    o->features = counts->features;
    o->classes = classes;
    o->planes = planes;
    HS_TRY(hs_inner_init(request, &o->inner, error));
    const uint32_t folds = o->folds = o->inner.folds.count;
    const size_t cells = (size_t)folds * counts->features, blocks = (size_t)folds * classes;
    o->rows = o->inner.folds.start[folds]; /* that are tested */
    HS_NEED(HS_LISTS(
        &o->memory, o, HS_PART(o, prior, blocks), HS_PART(o, log_negative, cells * classes),
        HS_PART(o, log_positive, cells * classes), HS_PART(o, fixed_prior, (size_t)folds * planes),
        HS_PART(o, fixed_negative, cells * planes), HS_PART(o, block_start, blocks + 2),
        HS_PART(o, row_of, o->rows), HS_PART(o, workers, (size_t)request->workers)));
    for (struct nb_worker *w = o->workers; w < o->workers + request->workers; w++) {
        HS_NEED(HS_LISTS(&o->memory, w, HS_PART(w, base, blocks), HS_PART(w, ready, folds),
                         HS_PART(w, value, classes), HS_PART(w, hits, 2 * (size_t)classes)));
        w->predicted = w->hits + classes;
    }
    for (uint32_t k = 0; k < folds; k++)
        request->classifier->method->classifier->terms(
            &request->training->view, &o->inner.train[k], o->prior + (size_t)k * classes,
            o->log_negative + (size_t)k * o->features * classes,
            o->log_positive + (size_t)k * o->features * classes);
    double scale = choose_scale(o);
    fill_fixed(o, scale);
    HS_TRY(fill_columns(o, scale, error));
    *out = (hs_objective){.memo_bytes = planes * (folds + (size_t)o->rows) * sizeof(int64_t),
                          .score = nb_score,
                          .free = nb_free};
    out->self = hs_take(&o);
    return HSEL_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * k nearest neighbours, as WEKA's IBk.
 *
 * Distance: number of binary features in use whose values differ (the same order as the Euclidean
 * distance), plus squared differences of the others, as WEKA's EuclideanDistance has them:
 *
 *     numeric:  v' = (v - min) / (max - min) over the training part, 0 if that is constant;
 *               difference x' - t'; one of the two missing: max(v', 1 - v') of the other; both: 1
 *     nominal:  0 if equal, else 1; missing is never equal
 *
 * Infinite values count as missing. Unlike WEKA's IBk, the ranges are those of the training part
 * alone: IBk widens them by every instance that it has been asked about, so its answer depends on
 * what was asked before. Neighbours: the k nearest training instances and all others as near as the
 * k-th. P(c) = (v_c + neighbours of class c) / (sum of v + neighbours), where of N training
 * instances v_c = K (N_c + 1) / (N + K) or, smoothing=weka, 1/N; with weights, these are summed
 * instead of all. A numeric target: the mean of the neighbours', by
 * their weights. No feature selected: all distances are 0, all instances vote. Equal probabilities
 * go to the lowest class.
 *
 * Binary features: distances to all training instances at once, through the columns of the features
 * that matter (data/tally.h): a selected positive feature is missed by all but the instances in its
 * column, a selected negative one by those in its column. With all negative features: |row of t|
 * less what t shares with x. So the work is at most the support of the selected features plus N,
 * not N * d; then O(N log k) to find the k-th nearest. Memory O(N + d), and a byte per instance for
 * features that 1/16 of them have.
 *
 * Other features: the training part is held normalised, in blocks of eight instances beside each
 * other, so that eight distances are summed at a time, each in the order of the features. Time and
 * memory O(N d).
 */
#include "classify/classify.h"

#define BLOCK 8 /* instances */

enum { SMOOTHING_PRIOR, SMOOTHING_WEKA };

struct options {
    hs_adjust_options adjust; /* comes first */
    uint32_t k;
    int smoothing;
};

static const hs_option table[] = {
    HS_ADJUST_AUTO, HS_WEKA("k=1,smoothing=weka,calibration=none", "WEKA's IBk"),
    HS_OPTION(struct options, k, "k", "N", "3", 1, 1000000, "number of neighbours"),
    HS_CHOICE(
        struct options, smoothing, "smoothing", "prior|weka", "prior",
        "votes that are added to those of the neighbours: one per class, divided by the class "
        "shares of the training part, or 1/instances for each class"),
    HS_OPTION_END};

struct column { /* of a numeric or nominal feature in use */
    uint32_t feature;
    bool nominal;
    bool whole; /* numeric, and no training instance misses it */
    double low, width;
};

struct model {
    const hsel_dataset *data; /* the training data, borrowed … */
    hsel_dataset *own;        /* … or held: a model that was read from a file */
    uint32_t k, classes, count;
    uint32_t *rows; /* training instances with a class */
    double *weight; /* [count]: of their votes; NULL: all are 1 */
    double total;   /* the sum of these */
    double *prior;  /* [classes]: votes of each class before any neighbour's */
    uint32_t smoothing;
    uint32_t *size;  /* [count]: positive features in use of each */
    uint64_t *mask;  /* features in use; NULL: all */
    bool has_values; /* not all features are binary */
    uint32_t column_count;
    struct column *columns;
    double *cells; /* [block][column][BLOCK]; NaN = missing */
};

static void knn_model_free(void *pointer)
{
    struct model *model = pointer;
    if (!model)
        return;
    HS_FREE(model->weight, model->prior, model->rows, model->size, model->mask, model->columns,
            model->cells);
    hs_dataset_free(model->own);
    hs_free(model);
}
HS_RELEASE(model_release, struct model, knn_model_free)

static bool in_use(const struct model *model, uint32_t feature)
{
    return !model->mask || hs_bit_get(model->mask, feature);
}

static double normalised(const struct column *column, double value)
{
    if (!isfinite(value))
        return NAN;
    if (column->nominal)
        return value;
    return column->width > 0 ? (value - column->low) / column->width : 0;
}

/* The cells of a column, and its range if it is numeric. */
static void fill_column(struct model *m, uint32_t at, const double *values)
{
    struct column *column = &m->columns[at];
    double low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < m->count; i++)
        if (isfinite(values[m->rows[i]])) {
            low = fmin(low, values[m->rows[i]]);
            high = fmax(high, values[m->rows[i]]);
        }
    column->low = low <= high ? low : 0;
    column->width = low <= high ? high - low : 0;
    column->whole = !column->nominal;
    for (uint32_t i = 0; i < m->count; i++) {
        double cell = normalised(column, values[m->rows[i]]);
        size_t block = i / BLOCK;
        m->cells[(block * m->column_count + at) * BLOCK + i % BLOCK] = cell;
        column->whole = column->whole && !isnan(cell);
    }
}

static void *knn_model_new(const hsel_dataset *shape)
{
    (void)shape;
    return HS_NEW_ZERO(struct model, 1);
}

/* From the view, but for the weights of votes. Takes `own`, which may be NULL. */
static int model_fill(struct model *m, const hs_view *view, hsel_dataset *own, uint32_t k,
                      hsel_error *error)
{
    const hsel_dataset *data = view->data;
    const size_t mask_bytes = hs_bit_words(data->features) * sizeof *view->features,
                 others = (size_t)data->numeric_count + data->nominal_count;
    *m = (struct model){.data = data,
                        .own = own,
                        .k = k,
                        .weight = m->weight,
                        .smoothing = m->smoothing,
                        .classes = data->class_names.count,
                        .rows = HS_NEW(uint32_t, view->row_count),
                        .size = HS_NEW_ZERO(uint32_t, view->row_count),
                        .mask = view->features ? hs_alloc(mask_bytes, 1) : NULL,
                        .has_values = !hs_dataset_all_binary(data),
                        .columns = HS_NEW_ZERO(struct column, others)};
    HS_NEED(m->rows && m->size && (m->mask || !view->features) && m->columns);
    if (m->mask)
        memcpy(m->mask, view->features, mask_bytes);
    for (uint32_t i = 0; i < view->row_count; i++) {
        uint32_t t = hs_view_row(view, i);
        if (!hs_has_label(data, t))
            continue;
        size_t count;
        const uint32_t *row = hs_row(data, t, &count);
        for (size_t j = 0; m->mask && j < count; j++)
            m->size[m->count] += in_use(m, row[j]);
        if (!m->mask)
            m->size[m->count] = (uint32_t)count;
        m->rows[m->count++] = t;
    }
    if (m->has_values) {
        for (uint32_t f = 0; f < data->features; f++)
            if (data->types[f] != HSEL_BINARY && in_use(m, f))
                m->columns[m->column_count++] =
                    (struct column){.feature = f, .nominal = data->types[f] == HSEL_NOMINAL};
        HS_OWNED double *spread = HS_NEW(double, data->instances);
        m->cells =
            HS_NEW_ZERO(double, ((size_t)m->count + BLOCK - 1) / BLOCK * BLOCK * m->column_count);
        HS_NEED(spread && m->cells);
        for (uint32_t i = 0; i < m->column_count; i++)
            fill_column(m, i, hs_dataset_numeric(data, m->columns[i].feature, spread));
    }
    return HSEL_OK;
}

/* The sum of the votes, and the priors. */
static int set_prior(struct model *m, hsel_error *error)
{
    if (m->data->target)
        return HSEL_OK;
    HS_NEED(m->prior = HS_NEW_ZERO(double, m->classes));
    for (uint32_t i = 0; i < m->count; i++) {
        m->total += m->weight ? m->weight[i] : 1;
        m->prior[m->data->class_of[m->rows[i]]] += m->weight ? m->weight[i] : 1;
    }
    for (uint32_t c = 0; c < m->classes; c++)
        m->prior[c] = m->smoothing == SMOOTHING_WEKA
                          ? 1 / (m->total > 0 ? m->total : 1)
                          : m->classes * (m->prior[c] + 1) / (m->total + m->classes);
    return HSEL_OK;
}

static int knn_fit(const hs_training *training, const void *options, void **out, hsel_error *error)
{
    HS_OWNS(model_release) struct model *m = knn_model_new(training->view.data);
    const struct options *o = options;
    HS_NEED(m);
    m->smoothing = (uint32_t)o->smoothing;
    HS_TRY(model_fill(m, &training->view, NULL, o->k, error));
    if (hs_training_weighs(training))
        HS_NEED(m->weight = HS_NEW(double, m->count));
    for (uint32_t i = 0; m->weight && i < m->count; i++)
        m->weight[i] = hs_training_weight(training, m->rows[i]);
    HS_TRY(set_prior(m, error));
    *out = hs_take(&m);
    return HSEL_OK;
}

/* ---- predicting ---- */

struct scratch {
    hs_arena arena; /* all but the shift */
    hs_tally shift; /* of the instances of the training data: what the columns add to or take from
                       the distance */
    uint32_t *last, last_count; /* features whose columns the shift has, ascending */
    int32_t *distance;          /* [training instances]: on the binary features */
    double *nearest;    /* [k]: the k smallest distances, as a heap with the largest in front */
    uint32_t k, chosen; /* chosen: columns of the selection */
    uint32_t *columns;  /* [chosen] … */
    double *instance;   /* … and the values of the instance there */
    double *far;        /* [training instances]: squared distances on all features */
};

static void knn_scratch_free(void *pointer)
{
    struct scratch *scratch = pointer;
    if (!scratch)
        return;
    hs_tally_clear(&scratch->shift);
    hs_arena_clear(&scratch->arena);
    hs_free(scratch);
}
HS_RELEASE(scratch_release, struct scratch, knn_scratch_free)

static int knn_scratch_new(const void *pointer, void **out, hsel_error *error)
{
    const struct model *model = pointer;
    const hsel_dataset *data = model->data;
    HS_OWNS(scratch_release) struct scratch *s = HS_NEW_ZERO(struct scratch, 1);
    HS_NEED(s);
    s->k = model->k < model->count ? model->k : model->count;
    HS_NEED(HS_LISTS(&s->arena, s, HS_PART(s, nearest, s->k), HS_PART(s, last, data->features),
                     HS_PART(s, distance, model->count), HS_PART(s, columns, model->column_count),
                     HS_PART(s, instance, model->column_count),
                     HS_PART(s, far, model->has_values ? model->count : 0)));
    HS_TRY(hs_tally_init(&s->shift, data->features, data->instances, error));
    for (uint32_t f = 0; f < data->features; f++)
        if (in_use(model, f)) {
            size_t count;
            hs_column(data, f, &count);
            hs_tally_expect(&s->shift, f, count);
        }
    HS_TRY(hs_tally_ready(&s->shift, error));
    *out = hs_take(&s);
    return HSEL_OK;
}

typedef void shifter(hs_tally *tally, uint32_t column, const uint32_t *list, size_t length);

/* Adds the columns of these features, those out of use left out, or takes them away. */
static void shift_all(const struct model *model, hs_tally *tally, shifter *shift,
                      const uint32_t *features, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (in_use(model, features[i])) {
            size_t support;
            const uint32_t *column = hs_column(model->data, features[i], &support);
            shift(tally, features[i], column, support);
        }
}

/* Takes the columns of a row away from nothing, or changes what the last row left where less
 * differs: explanations predict the same instance with a few features changed. How many it has in
 * use. */
static int32_t shift_row(const struct model *model, const uint32_t *row, size_t count,
                         struct scratch *s)
{
    const size_t full = model->data->instances / 16; /* such columns are added 16 rows at a time */
    uint64_t anew = 0, changes = 0;
    int32_t own = 0;
    for (int pass = 0; pass < 2; pass++) { /* counts, then changes */
        for (size_t i = 0, j = 0; i < count || j < s->last_count;) {
            const uint32_t f =
                j == s->last_count || (i < count && row[i] <= s->last[j]) ? row[i] : s->last[j];
            const bool has = i < count && row[i] == f, had = j < s->last_count && s->last[j] == f;
            size_t support;
            i += has;
            j += had;
            if (!in_use(model, f))
                continue;
            const uint32_t *column = hs_column(model->data, f, &support);
            if (pass == 0) {
                own += has;
                const size_t cost = support < full ? support : full;
                anew += has ? cost : 0;
                changes += has != had ? cost : 0;
            } else if (has != had) {
                (has ? hs_tally_subtract : hs_tally_add)(&s->shift, f, column, support);
            }
        }
        if (pass == 0 && changes >= anew) {
            hs_tally_start(&s->shift);
            s->last_count = 0;
        }
    }
    memcpy(s->last, row, count * sizeof *row);
    s->last_count = (uint32_t)count;
    return own;
}

/* Distances on all binary features in use: |x| + |t| - 2 |x and t|. On a selection: selected
 * positives that t lacks, plus selected negatives that t has. */
static void measure_binary(const struct model *model, const hs_selection *selection,
                           const uint32_t *row, size_t count, struct scratch *s)
{
    const uint32_t *restrict rows = model->rows, *restrict size = model->size, n = model->count;
    int32_t *restrict distance = s->distance, own;
    /* If the selection is everything, half the columns do. */
    if (!selection ||
        (selection->all_negative && !model->mask && selection->positive_count == count)) {
        own = shift_row(model, row, count, s);
        const int32_t *restrict shift = hs_tally_finish(&s->shift);
        for (uint32_t i = 0; i < n; i++)
            distance[i] = own + (int32_t)size[i] + 2 * shift[rows[i]];
        return;
    }
    hs_tally_start(&s->shift);
    s->last_count = 0;
    own = (int32_t)selection->positive_count;
    shift_all(model, &s->shift, hs_tally_subtract, selection->positive, selection->positive_count);
    if (selection->all_negative)
        shift_all(model, &s->shift, hs_tally_subtract, row, count);
    else
        shift_all(model, &s->shift, hs_tally_add, selection->negative, selection->negative_count);
    const int32_t *restrict shift = hs_tally_finish(&s->shift);
    for (uint32_t i = 0; i < n; i++)
        distance[i] = own + shift[rows[i]];
    for (uint32_t i = 0; selection->all_negative && i < n; i++)
        distance[i] += (int32_t)size[i];
}

/* Puts d in the place of the largest of a heap, and restores the heap. */
static void replace_largest(double *heap, uint32_t count, double d)
{
    uint32_t at = 0;
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && heap[child + 1] > heap[child])
            child++;
        if (heap[child] <= d)
            break;
        heap[at] = heap[child];
    }
    heap[at] = d;
}

/* The k-th smallest of the distances on binary features: O(count log k). */
static double kth_binary(struct scratch *s, uint32_t count)
{
    int32_t limit = INT32_MAX;
    for (uint32_t i = 0; s->k == 1 && i < count; i++)
        limit = s->distance[i] < limit ? s->distance[i] : limit;
    for (uint32_t i = 0; s->k > 1 && i < count; i++)
        if (s->distance[i] < limit) {
            replace_largest(s->nearest, s->k, s->distance[i]);
            limit = s->nearest[0] < INT32_MAX ? (int32_t)s->nearest[0] : INT32_MAX;
        }
    return limit;
}

static double difference(bool nominal, double a, double b)
{
    if (nominal)
        return a == b ? 0 : 1; /* NaN is not equal to anything */
    if (!isnan(a) && !isnan(b))
        return a - b;
    double known = isnan(a) ? b : a;
    return isnan(known) ? 1 : known < 0.5 ? 1 - known : known;
}

/* With the other features: squared distances into s->far; returns the k-th smallest. */
static double measure_others(const struct model *m, const hsel_dataset *data, uint32_t instance,
                             const hs_selection *selected, struct scratch *s)
{
    s->chosen = 0;
    for (uint32_t i = 0; i < m->column_count; i++) {
        uint32_t feature = m->columns[i].feature;
        if (!hs_selection_has(selected, NULL, 0, feature)) /* it is not positive */
            continue;
        s->columns[s->chosen] = i;
        s->instance[s->chosen++] =
            normalised(&m->columns[i], hs_dataset_value(data, feature, instance));
    }
    for (uint32_t first = 0; first < m->count; first += BLOCK) {
        const double *cells = m->cells + (size_t)first * m->column_count;
        uint32_t rows = m->count - first < BLOCK ? m->count - first : BLOCK;
        double sum[BLOCK];
        for (uint32_t j = 0; j < BLOCK; j++)
            sum[j] = j < rows ? s->distance[first + j] : (double)INFINITY;
        for (uint32_t i = 0; i < s->chosen; i++) {
            const struct column *column = &m->columns[s->columns[i]];
            const double *cell = cells + (size_t)s->columns[i] * BLOCK, x = s->instance[i];
            if (column->whole && !isnan(x))
                for (int j = 0; j < BLOCK; j++)
                    sum[j] += (cell[j] - x) * (cell[j] - x);
            else
                for (int j = 0; j < BLOCK; j++) {
                    double d = difference(column->nominal, cell[j], x);
                    sum[j] += d * d;
                }
        }
        for (uint32_t j = 0; j < rows; j++) {
            s->far[first + j] = sum[j];
            if (sum[j] < s->nearest[0])
                replace_largest(s->nearest, s->k, sum[j]);
        }
    }
    return s->nearest[0];
}

/* Measures an instance of the batch; the k-th smallest distance. There must be a training instance.
 */
static double measure(const struct model *m, const hs_batch *batch, uint32_t at, struct scratch *s)
{
    size_t count;
    const uint32_t *row = hs_row(batch->data, batch->instances[at], &count);
    measure_binary(m, batch->selection, row, count, s);
    for (uint32_t i = 0; i < s->k; i++)
        s->nearest[i] = INFINITY;
    const hs_selection selected = hs_selected(batch, row, count);
    return m->has_values ? measure_others(m, batch->data, batch->instances[at], &selected, s)
                         : kth_binary(s, m->count);
}

/* Without training instances there is no number but 0. */
static int knn_predict(const void *pointer, const hs_batch *batch, void *scratch,
                       double *probability, double *score, hsel_error *error)
{
    const struct model *m = pointer;
    struct scratch *s = scratch;
    const double *target = m->data->target;
    (void)error;
    for (uint32_t at = 0; at < batch->count;
         at++, probability += m->classes, score += hs_answers(m->classes)) {
        double sum = 0, total = 0;
        for (uint32_t c = 0; c < m->classes; c++)
            total += probability[c] = m->prior[c];
        if (m->count > 0) {
            double limit = measure(m, batch, at, s);
            int32_t whole = m->has_values ? 0 : (int32_t)limit;
            for (uint32_t i = 0; i < m->count; i++) /* one by one, as WEKA does */
                if (m->has_values ? s->far[i] <= limit : s->distance[i] <= whole) {
                    double vote = m->weight ? m->weight[i] : 1;
                    if (target)
                        sum += vote * target[m->rows[i]];
                    else
                        probability[m->data->class_of[m->rows[i]]] += vote;
                    total += vote;
                }
        }
        for (uint32_t c = 0; c < m->classes; c++)
            probability[c] /= total;
        if (target)
            *score = total > 0 ? sum / total : 0;
        else
            hs_scores_of_shares(probability, score, m->classes);
    }
    return HSEL_OK;
}

/* ---- explaining ---- */

static int nearest_first(const void *a, const void *b)
{
    const hs_neighbour *x = a, *y = b;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    return (x->instance > y->instance) - (x->instance < y->instance);
}

/* Each neighbour has one vote, or its weight. Features that are not selected are neither shared nor
 * lacking. */
static int neighbours(const void *pointer, const hs_batch *one, void *scratch, hs_neighbour **list,
                      uint32_t *count, hsel_error *error)
{
    const struct model *m = pointer;
    struct scratch *s = scratch;
    enum { LEFT_OUT, NEGATIVE, POSITIVE };
    size_t positives, length;
    const uint32_t *row = hs_row(one->data, one->instances[0], &positives);
    const hs_selection selected = hs_selected(one, row, positives);
    HS_OWNED uint8_t *is = HS_NEW_ZERO(uint8_t, m->data->features);
    HS_OWNED hs_neighbour *found = HS_NEW(hs_neighbour, m->count);
    uint32_t own = 0;
    HS_NEED(is && found);
    *count = 0;
    for (uint32_t f = 0; selected.all_negative && f < m->data->features; f++)
        is[f] = in_use(m, f) ? NEGATIVE : LEFT_OUT;
    for (uint32_t i = 0; i < selected.negative_count; i++)
        is[selected.negative[i]] = NEGATIVE;
    for (size_t i = 0; i < positives; i++)
        is[row[i]] = LEFT_OUT;
    for (uint32_t i = 0; i < selected.positive_count; i++)
        if (in_use(m, selected.positive[i])) {
            is[selected.positive[i]] = POSITIVE;
            own++;
        }
    double limit = m->count ? measure(m, one, 0, s) : 0;
    for (uint32_t i = 0; i < m->count; i++) {
        double distance = m->has_values ? s->far[i] : s->distance[i];
        if (distance > limit)
            continue;
        hs_neighbour *n = &found[(*count)++];
        *n = (hs_neighbour){.instance = m->rows[i],
                            .id = hsel_dataset_id(m->data, m->rows[i]),
                            .label = hsel_dataset_class_of(m->data, m->rows[i]),
                            .target = m->data->target ? m->data->target[m->rows[i]] : (double)NAN,
                            .distance = distance,
                            .weight = m->weight ? m->weight[i] : 1};
        const uint32_t *other = hs_row(m->data, m->rows[i], &length);
        for (size_t j = 0; j < length; j++) {
            n->shared += is[other[j]] == POSITIVE;
            n->there += is[other[j]] == NEGATIVE;
        }
        n->here = own - n->shared;
    }
    qsort(found, *count, sizeof *found, nearest_first);
    *list = hs_take(&found);
    return HSEL_OK;
}

/* ---- model files: k, rows and features, whether there are a mask and identifiers; the mask; each
 * row as class, identifier, number of positives, positives, values of the other features in use;
 * weights of the votes, if there are any ----
 */

enum { MASKED = 1, NAMED = 2 };

/* When it is read, the rows become a data set with the features and classes of `shape`; values of
 * features out of use stay missing. */
static int knn_fields(void *model, const hsel_dataset *shape, hs_transfer *file, hsel_error *error)
{
    struct model *m = model;
    const hsel_dataset *data = hs_reads(file) ? shape : m->data;
    uint32_t k = m->k, count = m->count, features = data->features;
    uint32_t held = (m->mask ? MASKED : 0) | (data->ids.count ? NAMED : 0);
    HS_OWNS(hs_builder_release) hs_builder *builder = NULL;
    HS_FIELDS(file, HS_VALUE(k, 1, UINT32_MAX), HS_VALUE(m->smoothing, 0, SMOOTHING_WEKA),
              HS_VALUE(count, HS_ANY), HS_VALUE(features, HS_IS(features)),
              HS_VALUE(held, 0, MASKED | NAMED));
    const bool masked = held & MASKED, has_values = !hs_dataset_all_binary(data);
    HS_OWNED uint64_t *mask = HS_NEW(uint64_t, hs_bit_words(features));
    HS_NEED(mask);
    if (m->mask)
        memcpy(mask, m->mask, hs_bit_words(features) * sizeof *mask);
    if (masked)
        HS_FIELDS(file, HS_VALUES(*mask, hs_bit_words(features), HS_ANY));
    HS_OWNED double *numbers = NULL;
    if (hs_reads(file)) {
        if (shape->target) {
            if (count > file->left / sizeof *numbers)
                return HSEL_EFORMAT;
            HS_NEED(numbers = HS_NEW(double, count));
        }
        HS_TRY(hs_builder_new(&builder, error));
        HS_TRY(hs_builder_declare_like(builder, shape, error));
    }
    for (uint32_t i = 0; i < count; i++) {
        size_t length = 0;
        const uint32_t *row = hs_reads(file) ? NULL : hs_row(data, m->rows[i], &length);
        uint32_t label = row ? hsel_dataset_class_of(data, m->rows[i]) : HSEL_NONE,
                 positives = (uint32_t)length;
        double number = row && data->target ? data->target[m->rows[i]] : 0;
        const char *id = row ? hsel_dataset_id(data, m->rows[i]) : NULL;
        uint32_t id_length = row && held & NAMED ? (uint32_t)strlen(id) : 0;
        if (data->target)
            HS_FIELDS(file, HS_VALUE(number, HS_FINITE));
        else
            HS_FIELDS(file, HS_VALUE(label, HS_BELOW(data->class_names.count)));
        if (numbers)
            numbers[i] = number;
        if (held & NAMED)
            HS_FIELDS(file, HS_VALUE(id_length, HS_ANY));
        if (!hs_reads(file)) {
            if (id_length)
                hs_writer_put(file->out, id, id_length);
        } else {
            if (id_length > file->left)
                return HSEL_EFORMAT;
            HS_TRY(
                hs_builder_row(builder, held & NAMED ? file->at : NULL, id_length, label, error));
            file->at += id_length;
            file->left -= id_length;
        }
        HS_FIELDS(file, HS_VALUE(positives, 0, features));
        for (uint32_t j = 0; j < positives; j++) {
            uint32_t feature = hs_reads(file) ? 0 : row[j];
            HS_FIELDS(file, HS_VALUE(feature, HS_BELOW(features)));
            if (!hs_reads(file))
                continue;
            if (shape->types[feature] != HSEL_BINARY)
                return HSEL_EFORMAT;
            HS_TRY(hs_builder_positive(builder, feature, error));
        }
        for (uint32_t f = 0; has_values && f < features; f++) {
            double value = NAN;
            if (data->types[f] == HSEL_BINARY || (masked && !hs_bit_get(mask, f)))
                continue;
            if (!hs_reads(file))
                value = hs_dataset_value(data, f, m->rows[i]);
            HS_FIELDS(file, HS_VALUE(value, HS_ANY));
            if (!hs_reads(file))
                continue;
            if (shape->types[f] == HSEL_NUMERIC) {
                HS_TRY(hs_builder_numeric(builder, f, value, error));
            } else if (!isnan(value)) {
                if (!(value >= 0 && value < shape->nominal[shape->slot[f]].values.count))
                    return HSEL_EFORMAT;
                HS_TRY(hs_builder_nominal(builder, f, (uint32_t)value, error));
            }
        }
    }
    if (hs_reads(file) ? file->left > 0 : m->weight != NULL)
        HS_FIELDS(file, HS_LIST(m->weight, count, DBL_MIN, DBL_MAX));
    if (!hs_reads(file))
        return HSEL_OK;
    hsel_dataset *own = NULL;
    HS_TRY(hs_builder_finish(builder, &own, error));
    own->target = hs_take(&numbers);
    hs_view view = hs_view_all(own);
    view.features = masked ? mask : NULL;
    HS_TRY(model_fill(m, &view, own, k, error));
    return set_prior(m, error);
}

static const hs_classifier functions = {.fit = knn_fit,
                                        .predict = knn_predict,
                                        .scratch_new = knn_scratch_new,
                                        .scratch_free = knn_scratch_free,
                                        .neighbours = neighbours,
                                        .name = "k-NN",
                                        .make = knn_model_new,
                                        .fields = knn_fields,
                                        .free = knn_model_free};

/* Slot `memory` of hs_method. */
static double knn_memory_needed(const hs_size *size, const void *options)
{
    (void)options;
    return size->rows * (16 + 16 * size->columns);
}

const hs_method hs_method_knn = {
    .kind = HS_CLASSIFIER,
    .name = "knn",
    .title = "k nearest neighbours",
    .help =
        "Uses the k nearest training instances by the number of differing features, and all others "
        "as near as the k-th. Class probabilities are shares of their votes, smoothed towards the "
        "class "
        "shares; for a numeric target, predicts the mean. Numeric features are normalised by their "
        "range in the training part "
        "and their squared differences added; a missing or infinite value is as far away as "
        "possible. With a lazy selector the distance has only the selected features.",
    .citation = "Aha, Kibler, Albert (1991), Machine Learning 6:37-66; WEKA's IBk (neighbours tied "
                "with the k-th count too)",
    .flags = HS_NEEDS_CLASSES | HS_PREDICTS_ON_MASK | HS_ANY_FEATURES | HS_WEIGHS_INSTANCES |
             HS_NUMERIC_TARGET,
    .options = table,
    .memory = knn_memory_needed,
    .options_size = sizeof(struct options),
    .check = hs_adjust_check,
    .classifier = &functions,
};

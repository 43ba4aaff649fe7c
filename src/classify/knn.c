/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * k nearest neighbours, as WEKA's IBk. Binary features here, numeric and nominal ones in
 * knn_values.c.
 *
 * Distance: number of features in use whose values differ (the same order as the Euclidean
 * distance), plus squared differences of normalised numbers. Neighbours: the k nearest training
 * instances and all others as near as the k-th. P(c) = (1/N + neighbours of class c) / (K/N +
 * neighbours), N training instances. No feature selected: all distances are 0, all instances vote.
 * Equal probabilities go to the lowest class.
 *
 * Distances to all training instances at once, through the columns of the features that matter
 * (data/tally.h): a selected positive feature is missed by all but the instances in its column, a
 * selected negative one by those in its column. With all negative features: |row of t| less what t
 * shares with x. So the work is at most the support of the selected features plus N, not N * d;
 * then O(N log k) to find the k-th nearest. Memory O(N + d), and a byte an instance for features
 * that 1/16 of them have.
 */
#include <math.h>
#include <string.h>

#include "classify/bytes.h"
#include "classify/classify.h"
#include "classify/knn_values.h"
#include "core/mem.h"
#include "data/builder.h"
#include "data/tally.h"

struct options {
    uint32_t k;
};

static const hs_option table[] = {
    HS_OPTION(struct options, k, "k", "N", "1", 1, 1000000, "number of neighbours"), HS_OPTION_END};

struct model {
    const hsel_dataset *data; /* the training data, borrowed … */
    hsel_dataset *own;        /* … or held: a model that was read from a file */
    uint32_t k, classes, count;
    uint32_t *rows;        /* training instances with a class */
    uint32_t *size;        /* [count]: positive features in use of each */
    uint64_t *mask;        /* features in use; NULL: all */
    hs_knn_values *values; /* of numeric and nominal features; NULL: all are binary */
};

static void model_free(void *pointer)
{
    struct model *model = pointer;
    if (!model)
        return;
    hs_free(model->rows);
    hs_free(model->size);
    hs_free(model->mask);
    hs_knn_values_free(model->values);
    hsel_dataset_free(model->own);
    hs_free(model);
}

static bool in_use(const struct model *model, uint32_t feature)
{
    return !model->mask || hs_bit_get(model->mask, feature);
}

static int take_mask(struct model *model, const hs_view *view, hsel_error *error)
{
    size_t words = hs_bit_words(view->data->features);
    if (!view->features)
        return HSEL_OK;
    if (!(model->mask = HS_NEW(uint64_t, words)))
        return hs_fail_memory(error);
    memcpy(model->mask, view->features, words * sizeof *model->mask);
    return HSEL_OK;
}

static int take_rows(struct model *model, const hs_view *view, hsel_error *error)
{
    model->rows = HS_NEW(uint32_t, view->row_count);
    model->size = HS_NEW_ZERO(uint32_t, view->row_count);
    if (!model->rows || !model->size)
        return hs_fail_memory(error);
    for (uint32_t i = 0; i < view->row_count; i++) {
        uint32_t t = hs_view_row(view, i);
        if (view->data->class_of[t] == HSEL_NONE)
            continue;
        size_t count;
        const uint32_t *row = hs_row(view->data, t, &count);
        for (size_t j = 0; model->mask && j < count; j++)
            model->size[model->count] += in_use(model, row[j]);
        if (!model->mask)
            model->size[model->count] = (uint32_t)count;
        model->rows[model->count++] = t;
    }
    return HSEL_OK;
}

static int take_values(struct model *model, hsel_error *error)
{
    if (hs_dataset_all_binary(model->data))
        return HSEL_OK;
    return hs_knn_values_new(model->data, model->mask, model->rows, model->count, &model->values,
                             error);
}

static int fit(const hs_training *training, const void *options, void **out, hsel_error *error)
{
    struct model *model = HS_NEW_ZERO(struct model, 1);
    if (!model)
        return hs_fail_memory(error);
    model->data = training->view.data;
    model->k = ((const struct options *)options)->k;
    model->classes = training->counts->classes;
    int status = take_mask(model, &training->view, error);
    if (status == HSEL_OK)
        status = take_rows(model, &training->view, error);
    if (status == HSEL_OK)
        status = take_values(model, error);
    if (status)
        model_free(model);
    else
        *out = model;
    return status;
}

/* ---- predicting ---- */

struct scratch {
    hs_tally shift; /* of the instances of the training data: what the columns add to or take from
                       the distance */
    int32_t *distance; /* [training instances] */
    int32_t *nearest;  /* [k]: the k smallest distances, as a heap with the largest in front */
    uint32_t k;
    hs_knn_values_scratch values;
};

static void scratch_free(void *pointer)
{
    struct scratch *scratch = pointer;
    if (!scratch)
        return;
    hs_tally_clear(&scratch->shift);
    hs_free(scratch->distance);
    hs_free(scratch->nearest);
    hs_knn_values_scratch_clear(&scratch->values);
    hs_free(scratch);
}

static int shift_new(const struct model *model, hs_tally *shift, hsel_error *error)
{
    const hsel_dataset *data = model->data;
    int status = hs_tally_init(shift, data->features, data->instances, error);
    for (uint32_t f = 0; f < data->features && status == HSEL_OK; f++)
        if (in_use(model, f)) {
            size_t count;
            hs_column(data, f, &count);
            hs_tally_expect(shift, f, count);
        }
    return status ? status : hs_tally_ready(shift, error);
}

static int scratch_new(const void *pointer, void **out, hsel_error *error)
{
    const struct model *model = pointer;
    struct scratch *scratch = HS_NEW_ZERO(struct scratch, 1);
    if (!scratch)
        return hs_fail_memory(error);
    scratch->k = model->k < model->count ? model->k : model->count;
    scratch->distance = HS_NEW(int32_t, model->count);
    scratch->nearest = HS_NEW(int32_t, scratch->k);
    int status = scratch->distance && scratch->nearest ? HSEL_OK : hs_fail_memory(error);
    if (status == HSEL_OK)
        status = shift_new(model, &scratch->shift, error);
    if (status == HSEL_OK && model->values)
        status = hs_knn_values_scratch_init(&scratch->values, model->values, scratch->k, error);
    if (status)
        scratch_free(scratch);
    else
        *out = scratch;
    return status;
}

/* Adds to the shift of every instance in the feature's column, or takes away. */
static void shift_up(const struct model *model, uint32_t feature, hs_tally *shift)
{
    size_t count;
    const uint32_t *column = hs_column(model->data, feature, &count);
    hs_tally_add(shift, feature, column, count);
}

static void shift_down(const struct model *model, uint32_t feature, hs_tally *shift)
{
    size_t count;
    const uint32_t *column = hs_column(model->data, feature, &count);
    hs_tally_subtract(shift, feature, column, count);
}

/* Takes away the columns of the row's features in use; how many these are. */
static int32_t shift_row(const struct model *model, const uint32_t *row, size_t count,
                         hs_tally *shift)
{
    int32_t used = 0;
    for (size_t i = 0; i < count; i++)
        if (in_use(model, row[i])) {
            shift_down(model, row[i], shift);
            used++;
        }
    return used;
}

/* Distances on all features in use: |x| + |t| - 2 |x and t|. */
static void distances_all(const struct model *model, const uint32_t *row, size_t count,
                          struct scratch *s)
{
    hs_tally_start(&s->shift);
    int32_t own = shift_row(model, row, count, &s->shift);
    const int32_t *restrict shift = hs_tally_finish(&s->shift);
    const uint32_t *restrict rows = model->rows, *restrict size = model->size;
    int32_t *restrict distance = s->distance;
    for (uint32_t i = 0, n = model->count; i < n; i++)
        distance[i] = own + (int32_t)size[i] + 2 * shift[rows[i]];
}

/* Distances on a selection: selected positives that t lacks, plus selected negatives that t has. */
static void distances_selected(const struct model *model, const uint32_t *row, size_t count,
                               const hs_selection *selection, struct scratch *s)
{
    hs_tally_start(&s->shift);
    for (uint32_t i = 0; i < selection->positive_count; i++)
        shift_down(model, selection->positive[i], &s->shift);
    for (uint32_t i = 0; !selection->all_negative && i < selection->negative_count; i++)
        shift_up(model, selection->negative[i], &s->shift);
    if (selection->all_negative)
        shift_row(model, row, count, &s->shift);
    const int32_t *restrict shift = hs_tally_finish(&s->shift);
    const uint32_t *restrict rows = model->rows, *restrict size = model->size;
    int32_t *restrict distance = s->distance, own = (int32_t)selection->positive_count;
    for (uint32_t i = 0, n = model->count; i < n; i++)
        distance[i] = own + shift[rows[i]];
    for (uint32_t i = 0, n = model->count; selection->all_negative && i < n; i++)
        distance[i] += (int32_t)size[i];
}

/* Is the selection everything? Then half the columns do. */
static bool is_all(const struct model *model, const hs_selection *selection, size_t positives)
{
    return !selection ||
           (selection->all_negative && !model->mask && selection->positive_count == positives);
}

/* Puts d in the place of the largest of a heap, and restores the heap. */
static void replace_largest(int32_t *heap, uint32_t count, int32_t d)
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

static int32_t smallest(const int32_t *distance, uint32_t count)
{
    int32_t least = INT32_MAX;
    for (uint32_t i = 0; i < count; i++)
        least = distance[i] < least ? distance[i] : least;
    return least;
}

/* The k-th smallest distance: the largest in a heap of the k smallest. O(count log k). */
static int32_t kth_smallest(struct scratch *s, uint32_t count)
{
    if (s->k == 1)
        return smallest(s->distance, count);
    for (uint32_t i = 0; i < s->k; i++)
        s->nearest[i] = INT32_MAX;
    for (uint32_t i = 0; i < count; i++)
        if (s->distance[i] < s->nearest[0])
            replace_largest(s->nearest, s->k, s->distance[i]);
    return s->nearest[0];
}

/* Adds 1 for the class of each instance within the limit, and to the total, one by one as WEKA
 * does. */
static double vote(const struct model *model, const int32_t *distance, int32_t limit,
                   double *probability, double total)
{
    for (uint32_t i = 0, n = model->count; i < n; i++)
        if (distance[i] <= limit) {
            probability[model->data->class_of[model->rows[i]]] += 1;
            total += 1;
        }
    return total;
}

/* The same with numeric and nominal features, whose distances are not whole numbers. */
static double vote_values(const struct model *model, const double *distance, double limit,
                          double *probability, double total)
{
    for (uint32_t i = 0, n = model->count; i < n; i++)
        if (distance[i] <= limit) {
            probability[model->data->class_of[model->rows[i]]] += 1;
            total += 1;
        }
    return total;
}

static int predict(const void *pointer, const hsel_dataset *data, uint32_t instance,
                   const hs_selection *selection, void *scratch, double *probability, double *score,
                   hsel_error *error)
{
    const struct model *model = pointer;
    struct scratch *s = scratch;
    double small = 1.0 / (model->count ? model->count : 1), total = model->classes * small;
    size_t count;
    const uint32_t *row = hs_row(data, instance, &count);
    (void)error;
    for (uint32_t c = 0; c < model->classes; c++)
        probability[c] = small;
    if (model->count > 0) {
        if (is_all(model, selection, count))
            distances_all(model, row, count, s);
        else
            distances_selected(model, row, count, selection, s);
        if (model->values) {
            double limit = hs_knn_values_distances(model->values, data, instance, selection,
                                                   s->distance, &s->values);
            total = vote_values(model, s->values.distance, limit, probability, total);
        } else {
            total = vote(model, s->distance, kth_smallest(s, model->count), probability, total);
        }
    }
    for (uint32_t c = 0; c < model->classes; c++)
        probability[c] /= total;
    hs_scores_of_shares(probability, score, model->classes);
    return HSEL_OK;
}

/* ---- model files: k, rows and features; the mask; each row as class, number of positives,
 * positives, values of the other features in use ---- */

static void put_u32(hs_writer *out, uint32_t value) { hs_writer_put(out, &value, sizeof value); }

static int model_write(const void *pointer, hs_writer *out, hsel_error *error)
{
    const struct model *model = pointer;
    uint32_t features = model->data->features;
    (void)error;
    put_u32(out, model->k);
    put_u32(out, model->count);
    put_u32(out, features);
    put_u32(out, model->mask != NULL);
    if (model->mask)
        hs_writer_put(out, model->mask, hs_bit_words(features) * sizeof *model->mask);
    for (uint32_t i = 0; i < model->count; i++) {
        size_t count;
        const uint32_t *row = hs_row(model->data, model->rows[i], &count);
        put_u32(out, model->data->class_of[model->rows[i]]);
        put_u32(out, (uint32_t)count);
        hs_writer_put(out, row, count * sizeof *row);
        for (uint32_t f = 0; model->values && f < features; f++)
            if (model->data->types[f] != HSEL_BINARY && in_use(model, f)) {
                double value = hs_dataset_value(model->data, f, model->rows[i]);
                hs_writer_put(out, &value, sizeof value);
            }
    }
    return HSEL_OK;
}

static int damaged(hsel_error *error)
{
    return hs_fail(error, HSEL_EFORMAT, "the k-NN model is cut off or damaged");
}

/* Values of the instance under way that are not binary; those out of use stay missing. */
static int read_values(hs_bytes *bytes, const hsel_dataset *shape, const uint64_t *mask,
                       hs_builder *builder, hsel_error *error)
{
    int status = HSEL_OK;
    double value;
    for (uint32_t f = 0; f < shape->features && status == HSEL_OK; f++) {
        if (shape->types[f] == HSEL_BINARY || (mask && !hs_bit_get(mask, f)))
            continue;
        if (!hs_bytes_get(bytes, &value, sizeof value))
            return damaged(error);
        if (shape->types[f] == HSEL_NUMERIC) {
            status = hs_builder_numeric(builder, f, value, error);
        } else if (!isnan(value)) {
            if (!(value >= 0 && value < shape->nominal[shape->slot[f]].values.count))
                return damaged(error);
            status = hs_builder_nominal(builder, f, (uint32_t)value, error);
        }
    }
    return status;
}

/* The rows as a data set with the features and classes of `shape`. */
static int read_rows(hs_bytes *bytes, uint32_t rows, const hsel_dataset *shape,
                     const uint64_t *mask, hs_builder *builder, hsel_error *error)
{
    bool all_binary = hs_dataset_all_binary(shape);
    int status = HSEL_OK;
    for (uint32_t i = 0; i < rows && status == HSEL_OK; i++) {
        uint32_t head[2], feature;
        if (!hs_bytes_get(bytes, head, sizeof head) || head[0] >= shape->class_names.count ||
            head[1] > shape->features)
            return damaged(error);
        status = hs_builder_row(builder, NULL, 0, head[0], error);
        for (uint32_t j = 0; j < head[1] && status == HSEL_OK; j++) {
            if (!hs_bytes_get(bytes, &feature, sizeof feature) || feature >= shape->features ||
                shape->types[feature] != HSEL_BINARY)
                return damaged(error);
            status = hs_builder_positive(builder, feature, error);
        }
        if (status == HSEL_OK && !all_binary)
            status = read_values(bytes, shape, mask, builder, error);
    }
    return status == HSEL_OK && bytes->left ? damaged(error) : status;
}

static int model_read(const void *start, size_t length, const hsel_dataset *shape, void **out,
                      hsel_error *error)
{
    hs_bytes bytes = {start, length};
    uint32_t head[4];
    hs_builder *builder = NULL;
    struct model *model = HS_NEW_ZERO(struct model, 1);
    uint64_t *mask = HS_NEW(uint64_t, hs_bit_words(shape->features));
    int status = model && mask ? hs_builder_new(&builder, error) : hs_fail_memory(error);
    if (status)
        goto out;
    size_t mask_bytes = hs_bit_words(shape->features) * sizeof *mask;
    if (!hs_bytes_get(&bytes, head, sizeof head) || head[0] == 0 || head[2] != shape->features ||
        (head[3] && !hs_bytes_get(&bytes, mask, mask_bytes))) {
        status = damaged(error);
        goto out;
    }
    if ((status = hs_builder_declare_like(builder, shape, error)) ||
        (status = read_rows(&bytes, head[1], shape, head[3] ? mask : NULL, builder, error)) ||
        (status = hs_builder_finish(builder, &model->own, error)))
        goto out;
    hs_view view = hs_view_all(model->own);
    view.features = head[3] ? mask : NULL;
    model->data = model->own;
    model->k = head[0];
    model->classes = shape->class_names.count;
    if ((status = take_mask(model, &view, error)) || (status = take_rows(model, &view, error)) ||
        (status = take_values(model, error)))
        goto out;
    *out = model;
    model = NULL;
out:
    model_free(model);
    hs_builder_free(builder);
    hs_free(mask);
    return status;
}

static const hs_classifier functions = {.fit = fit,
                                        .predict = predict,
                                        .write = model_write,
                                        .read = model_read,
                                        .scratch_new = scratch_new,
                                        .scratch_free = scratch_free,
                                        .free = model_free};

const hs_method hs_method_knn = {
    .kind = HS_CLASSIFIER,
    .name = "knn",
    .title = "k nearest neighbours",
    .help = "The k nearest training instances by the number of differing features, with all others "
            "as near as the k-th; class "
            "probabilities as in WEKA's IBk. Numeric features are normalised by their range in the "
            "training part and their squared differences added; a missing or infinite value is as "
            "far away as can be. A lazy selection restricts the distance to the "
            "selected features.",
    .citation = "Aha, Kibler, Albert (1991), Machine Learning 6:37-66; WEKA's IBk (neighbours tied "
                "with the k-th count too)",
    .flags = HS_NEEDS_CLASSES | HS_PREDICTS_ON_MASK | HS_ANY_FEATURES,
    .options = table,
    .options_size = sizeof(struct options),
    .classifier = &functions,
};

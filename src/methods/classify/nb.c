/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Naive Bayes.
 *
 *     P(c | x) ~ P(c) prod over f of P(x_f | c)
 *     P(c) = (n_c + 1) / (N + K),  P(x_f = v | c) = (n_cfv + 1) / (n_c + 2)
 *
 * As in the programs of the RPV authors (lazy naive Bayes: trained once on all features, a
 * selection only restricts the product) and in WEKA's NaiveBayes for nominal attributes, which
 * smooth alike. Weights of instances stand in for counts; a class weight multiplies P(c). No
 * feature selected: the smoothed prior. Sums of logarithms instead of products, so nothing
 * underflows; the normalised probability is the same.
 *
 * For all features: log P(c) plus the sum over all features of log P(0|c), kept ready, plus a
 * correction for each positive feature; so predicting takes O(K * positives), not O(K * d). Fitting
 * O(K * d), memory the same. Equal probabilities go to the lowest class.
 *
 * Numeric and nominal features as WEKA 3.6's NaiveBayes (John, Langley 1995).
 *
 * Precision of a numeric feature: p = mean gap between neighbouring distinct values of the training
 * part (0.01 if there is one value only). Training values are rounded to multiples of p.
 *
 *     Gaussian:  P(x|c) = Phi((x' - m + p/2) / s) - Phi((x' - m - p/2) / s),  x' = x rounded,
 *                m, s: mean and standard deviation (n) of class c; s at least p/6
 *     kernel:    P(x|c) = mean over the values v of class c of
 *                Phi((v - x + p/2) / s) - Phi((v - x - p/2) / s),  s = max(range / sqrt(n_c), p/6)
 *     nominal:   P(v|c) = (n_cv + 1) / (n_c + values), n_c without missing values
 *
 * Every factor is at least 1e-75. Missing values, in training and test, leave their factor out, and
 * so do infinite ones. Kernels are summed from the nearest value outwards in either direction until
 * what is left of it can add at most 1 %, as WEKA does.
 *
 * WEKA takes Phi far above the mean as a difference from 1, so there the factor loses its digits
 * and beyond 8.3 s is 1e-75, while below the mean it is right; tails=exact mirrors the upper half,
 * which makes a feature and its negative say the same. WEKA's sums of squares are replaced by two
 * passes.
 *
 * Fitting O(n log n) per feature; predicting O(K) per feature, kernels O(K * values near x) at
 * best. Memory O(K) per feature, kernels O(n).
 */
#include "classify/classify.h"

#define LEAST             1e-75
#define DEFAULT_PRECISION 0.01
#define KERNEL_ERROR      0.01
#define SQRT_HALF         0.70710678118654752440

struct settings {
    hs_adjust_options adjust; /* comes first */
    int numeric;              /* 0: Gaussian, 1: kernels */
    int tails;                /* 0: as WEKA, 1: exact */
};

static const hs_option table[] = {
    HS_ADJUST_AUTO, HS_WEKA("calibration=none", "WEKA's NaiveBayes"),
    HS_CHOICE(struct settings, numeric, "numeric", "gaussian|kernel", "gaussian",
              "distribution of numeric features in a class: one normal distribution, or a kernel "
              "at each training value"),
    HS_CHOICE(struct settings, tails, "tails", "weka|exact", "weka",
              "probabilities far above the mean of a class: 1e-75 as in WEKA, which loses "
              "precision there, or the exact value, as below the mean"),
    HS_OPTION_END};

/* A numeric or nominal feature. Its numbers: nominal: [values * K] logarithms. Gaussian: precision,
 * then mean and standard deviation of each class. Kernel: precision, [K] offsets of the classes
 * from it, then for each its number of points, standard deviation, points (ascending), how often
 * each occurs. */
struct item {
    uint32_t feature;
    uint32_t values; /* of a nominal feature; 0: numeric */
    size_t at;       /* in numbers */
};

struct model { /* in one block with its lists but numbers */
    uint32_t features, classes;
    double *prior;    /* [K]: log P(c); the three below follow it in the same block */
    double *base;     /* [K]: log P(c) + sum of log P(0|c) over the features in use */
    double *negative; /* [d * K]: log P(0|c); 0 for features out of use */
    double *positive; /* [d * K]: log P(1|c) */
    bool binary;      /* all features are, and nothing below is there */
    struct settings settings;
    uint32_t count;
    struct item *items; /* ascending features */
    double *numbers;
    size_t length, capacity;
};

static void nb_model_free(void *pointer)
{
    struct model *m = pointer;
    if (m)
        HS_FREE(m->numbers, m);
}
HS_RELEASE(model_release, struct model, nb_model_free)

static void *nb_model_new(const hsel_dataset *shape)
{
    const size_t classes = shape->class_names.count, cells = classes * shape->features;
    const size_t others = (size_t)shape->numeric_count + shape->nominal_count;
    struct model *m =
        HS_BLOCK(m, HS_PART(m, prior, 2 * (classes + cells)), HS_PART(m, items, others));
    if (!m)
        return NULL;
    m->features = shape->features;
    m->classes = (uint32_t)classes;
    m->binary = hs_dataset_all_binary(shape);
    m->base = m->prior + classes;
    m->negative = m->base + classes;
    m->positive = m->negative + cells;
    return m;
}

/* ---- fitting numeric and nominal features ---- */

struct point {
    double value, weight;
    uint32_t label;
};

static int by_value(const void *a, const void *b)
{
    const struct point *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    if (x->label != y->label)
        return x->label < y->label ? -1 : 1;
    return (x->weight > y->weight) - (x->weight < y->weight);
}

static int by_class_and_value(const void *a, const void *b)
{
    const struct point *x = a, *y = b;
    return x->label != y->label ? (x->label < y->label ? -1 : 1) : by_value(a, b);
}

/* Space for more numbers, all 0; where they begin. */
static double *grow(struct model *m, size_t more)
{
    if (!HS_GROW(&m->numbers, &m->capacity, m->length + more))
        return NULL;
    double *begin = m->numbers + m->length;
    memset(begin, 0, more * sizeof *begin);
    m->length += more;
    return begin;
}

static double rounded(double value, double precision)
{
    return rint(value / precision) * precision;
}

static int fit_gaussian(struct model *m, const struct point *points, uint32_t count,
                        double precision, hsel_error *error)
{
    HS_OWNED double *size = HS_NEW_ZERO(double, m->classes);
    double *numbers = grow(m, 1 + 2 * (size_t)m->classes), *of_class = numbers + 1;
    HS_NEED(size && numbers);
    numbers[0] = precision;
    for (uint32_t i = 0; i < count; i++) {
        size[points[i].label] += points[i].weight;
        of_class[2 * (size_t)points[i].label] += points[i].weight * points[i].value;
    }
    for (uint32_t c = 0; c < m->classes; c++)
        of_class[2 * (size_t)c] /= size[c] > 0 ? size[c] : 1;
    for (uint32_t i = 0; i < count; i++) {
        double *mean = of_class + 2 * (size_t)points[i].label;
        mean[1] += points[i].weight * ((points[i].value - mean[0]) * (points[i].value - mean[0]));
    }
    for (uint32_t c = 0; c < m->classes; c++) {
        double spread = sqrt(of_class[2 * (size_t)c + 1] / (size[c] > 0 ? size[c] : 1));
        of_class[2 * (size_t)c + 1] = fmax(spread, precision / 6);
    }
    return HSEL_OK;
}

static int fit_kernel(struct model *m, struct point *points, uint32_t all, double precision,
                      hsel_error *error)
{
    const struct point *end = points + all;
    size_t begin = m->length;
    HS_NEED(grow(m, 1 + (size_t)m->classes));
    m->numbers[begin] = precision;
    qsort(points, all, sizeof *points, by_class_and_value);
    for (uint32_t c = 0; c < m->classes; c++) {
        uint32_t count = 0, distinct = 0, at = 0;
        double size = 0;
        for (; points + count < end && points[count].label == c; count++) {
            distinct += count == 0 || points[count].value != points[count - 1].value;
            size += points[count].weight;
        }
        m->numbers[begin + 1 + c] = (double)(m->length - begin);
        double *numbers = grow(m, 2 + 2 * (size_t)distinct);
        HS_NEED(numbers);
        double range = count ? points[count - 1].value - points[0].value : 0;
        double *value = numbers + 2, *times = value + distinct;
        numbers[0] = distinct;
        numbers[1] = range > 0 ? fmax(range / sqrt(size), precision / 6) : precision / 6;
        for (uint32_t i = 0; i < count; i++) {
            at += i > 0 && points[i].value != points[i - 1].value;
            value[at] = points[i].value;
            times[at] += points[i].weight;
        }
        points += count;
    }
    return HSEL_OK;
}

static int fit_nominal(struct model *m, const struct point *points, uint32_t count, uint32_t values,
                       hsel_error *error)
{
    const uint32_t classes = m->classes;
    double *numbers = grow(m, (size_t)values * classes);
    HS_NEED(numbers);
    for (uint32_t i = 0; i < count; i++)
        numbers[(size_t)points[i].value * classes + points[i].label] += points[i].weight;
    for (uint32_t c = 0; c < classes; c++) {
        double all = 0;
        for (uint32_t code = 0; code < values; code++)
            all += numbers[(size_t)code * classes + c];
        for (uint32_t code = 0; code < values; code++) {
            double *cell = numbers + (size_t)code * classes + c;
            *cell = log((*cell + 1) / (all + values));
        }
    }
    return HSEL_OK;
}

/* A feature whose numbers overflow, or without any value, has no effect. */
static int fit_values(const hs_training *training, struct model *m, hsel_error *error)
{
    const hs_view *view = &training->view;
    const hsel_dataset *data = view->data;
    HS_OWNED double *column = HS_NEW(double, data->instances);
    HS_OWNED struct point *points = HS_NEW(struct point, view->row_count); /* not missing */
    HS_NEED(column && points);
    for (uint32_t feature = 0; feature < data->features; feature++) {
        if (data->types[feature] == HSEL_BINARY || !hs_view_has(view, feature))
            continue;
        const double *value = hs_dataset_numeric(data, feature, column);
        const size_t begin = m->length;
        uint32_t count = 0, distinct = 0, values = 0;
        double gaps = 0;
        for (uint32_t i = 0; i < view->row_count; i++) {
            uint32_t row = hs_view_row(view, i), label = data->class_of[row];
            if (label != HSEL_NONE && isfinite(value[row]))
                points[count++] =
                    (struct point){value[row], training->weight ? training->weight[row] : 1, label};
        }
        if (data->types[feature] == HSEL_NOMINAL) {
            if ((values = data->nominal[data->slot[feature]].values.count) == 0)
                continue;
            HS_TRY(fit_nominal(m, points, count, values, error));
        } else {
            /* sorted, so that the order of the rows changes no sum */
            qsort(points, count, sizeof *points, by_value);
            for (uint32_t i = 1; i < count; i++)
                if (points[i].value != points[i - 1].value) {
                    gaps += points[i].value - points[i - 1].value;
                    distinct++;
                }
            double precision = distinct ? gaps / distinct : DEFAULT_PRECISION;
            if (count == 0 || !isfinite(precision))
                continue;
            for (uint32_t i = 0; i < count; i++)
                points[i].value = rounded(points[i].value, precision);
            HS_TRY(m->settings.numeric ? fit_kernel(m, points, count, precision, error)
                                       : fit_gaussian(m, points, count, precision, error));
        }
        size_t finite = begin;
        while (finite < m->length && isfinite(m->numbers[finite]))
            finite++;
        if (finite == m->length)
            m->items[m->count++] = (struct item){feature, values, begin};
        else
            m->length = begin;
    }
    return HSEL_OK;
}

/* Of a class of weight `all`, of which a feature is positive in `with`. */
static inline void take_logs(double with, double all, double *negative, double *positive)
{
    *positive = log((with + 1) / (all + 2));
    *negative = log((fmax(0, all - with) + 1) / (all + 2)); /* sums of weights are rounded */
}

static void terms(const hs_view *view, const hs_counts *counts, double *prior, double *negative,
                  double *positive)
{
    const uint32_t classes = counts->classes;
    const bool all_binary = hs_dataset_all_binary(view->data);
    for (uint32_t c = 0; c < classes; c++)
        prior[c] = log((counts->class_size[c] + 1.0) / ((double)counts->instances + classes));
    for (uint32_t f = 0; f < counts->features; f++) {
        if (!hs_view_has(view, f) || (!all_binary && view->data->types[f] != HSEL_BINARY))
            continue;
        for (uint32_t c = 0; c < classes; c++)
            take_logs(hs_count(counts, f, c), counts->class_size[c],
                      negative + (size_t)f * classes + c, positive + (size_t)f * classes + c);
    }
}

/* The same with the weights of the instances instead of counts. */
static void weighted_terms(const hs_training *training, struct model *m)
{
    const hs_view *view = &training->view;
    const size_t classes = m->classes;
    double *size = m->prior, total = 0;
    for (uint32_t i = 0; i < view->row_count; i++) {
        uint32_t row = hs_view_row(view, i), label = view->data->class_of[row];
        size_t count;
        const uint32_t *list = hs_row(view->data, row, &count);
        if (label == HSEL_NONE)
            continue;
        size[label] += training->weight[row];
        total += training->weight[row];
        for (size_t j = 0; j < count; j++)
            if (hs_view_has(view, list[j]))
                m->positive[list[j] * classes + label] += training->weight[row];
    }
    for (uint32_t f = 0; f < m->features; f++) {
        if (!hs_view_has(view, f) || view->data->types[f] != HSEL_BINARY)
            continue;
        for (size_t at = f * classes; at < (f + 1) * classes; at++)
            take_logs(m->positive[at], size[at % classes], m->negative + at, m->positive + at);
    }
    for (size_t c = 0; c < classes; c++)
        m->prior[c] = log((size[c] + 1) / (total + (double)classes));
}

static int nb_fit(const hs_training *training, const void *options, void **out, hsel_error *error)
{
    HS_OWNS(model_release) struct model *m = nb_model_new(training->view.data);
    HS_NEED(m);
    m->settings = *(const struct settings *)options;
    if (!m->binary)
        HS_TRY(fit_values(training, m, error));
    if (training->weight)
        weighted_terms(training, m);
    else
        terms(&training->view, training->counts, m->prior, m->negative, m->positive);
    if (training->class_weight) { /* P(c) times its weight, as a part of the sum */
        double sum = 0;
        for (uint32_t c = 0; c < m->classes; c++)
            sum += exp(m->prior[c]) * training->class_weight[c];
        for (uint32_t c = 0; c < m->classes; c++)
            m->prior[c] = fmin(0, m->prior[c] + log(training->class_weight[c]) - log(sum));
    }
    memcpy(m->base, m->prior, m->classes * sizeof *m->base);
    for (uint32_t f = 0; f < m->features; f++) /* 0 for those out of use */
        for (uint32_t c = 0; c < m->classes; c++)
            m->base[c] += m->negative[(size_t)f * m->classes + c];
    *out = hs_take(&m);
    return HSEL_OK;
}

/* ---- probabilities of numeric and nominal values ---- */

static double below(double z)
{
    double x = z * SQRT_HALF, size = fabs(x);
    if (size < SQRT_HALF)
        return 0.5 + 0.5 * erf(x);
    double tail = 0.5 * erfc(size);
    return x > 0 ? 1 - tail : tail;
}

/* Probability that a normal variable lies between the two. */
static double between(const struct model *m, double lower, double upper)
{
    if (m->settings.tails && lower > 0)
        return below(-lower) - below(-upper);
    return below(upper) - below(lower);
}

static double gaussian(const struct model *m, const double *numbers, double value, uint32_t label)
{
    double precision = numbers[0], x = rounded(value, precision);
    double mean = numbers[1 + 2 * (size_t)label], spread = numbers[2 + 2 * (size_t)label];
    return between(m, (x - mean - precision / 2) / spread, (x - mean + precision / 2) / spread);
}

static double kernel(const struct model *m, const double *numbers, double value, uint32_t label)
{
    const double *block = numbers + (size_t)numbers[1 + label];
    const double half = numbers[0] / 2, spread = block[1];
    const size_t count = (size_t)block[0];
    const double *points = block + 2, *times = points + count;
    double sum = 0, seen = 0, all = 0;
    if (count == 0)
        return between(m, (value - half) / spread, (value + half) / spread);
    for (size_t i = 0; i < count; i++)
        all += times[i];
    size_t start = 0, end = count; /* the first point that is not below the value, or the last */
    while (start < end) {
        size_t middle = start + (end - start) / 2;
        if (points[middle] < value)
            start = middle + 1;
        else
            end = middle;
    }
    start = start < count ? start : count - 1;
    /* from there up, then down, until the rest of a direction can be left */
    for (int step = 1; step >= -1; step -= 2)
        for (size_t i = step > 0 ? start : start - 1; i < count; i += (size_t)step) {
            double delta = points[i] - value;
            double p = between(m, (delta - half) / spread, (delta + half) / spread);
            sum += p * times[i];
            seen += times[i];
            if (p * (all - seen) < sum * KERNEL_ERROR)
                break;
        }
    return sum / all;
}

static bool is_known(const struct item *item, double value)
{
    return isfinite(value) && (item->values == 0 || value < item->values);
}

static double log_of(const struct model *m, const struct item *item, double value, uint32_t label)
{
    const double *numbers = m->numbers + item->at;
    if (item->values)
        return numbers[(size_t)value * m->classes + label];
    double p = (m->settings.numeric ? kernel : gaussian)(m, numbers, value, label);
    return log(p > LEAST ? p : LEAST);
}

/* ---- predicting ---- */

static void add(double *sum, const double *terms, uint32_t classes)
{
    for (uint32_t c = 0; c < classes; c++)
        sum[c] += terms[c];
}

/* Adds log P(x_f | c) of the selected features that are not binary (so none of them is positive),
 * and not missing in the instance. */
static void add_values(const struct model *m, const hsel_dataset *data, uint32_t instance,
                       const hs_selection *s, double *sum)
{
    for (const struct item *item = m->items; item < m->items + m->count; item++) {
        if (!hs_selection_has(s, NULL, 0, item->feature))
            continue;
        double value = hs_dataset_value(data, item->feature, instance);
        if (is_known(item, value))
            for (uint32_t c = 0; c < m->classes; c++)
                sum[c] += log_of(m, item, value, c);
    }
}

static int nb_predict(const void *pointer, const hs_batch *batch, void *scratch,
                      double *probability, double *score, hsel_error *error)
{
    const struct model *m = pointer;
    const uint32_t classes = m->classes;
    (void)scratch;
    (void)error;
    for (uint32_t at = 0; at < batch->count; at++, probability += classes, score += classes) {
        size_t count;
        const uint32_t *row = hs_row(batch->data, batch->instances[at], &count);
        const hs_selection s = hs_selected(batch, row, count);
        memcpy(probability, s.all_negative ? m->base : m->prior, classes * sizeof *probability);
        /* The positive ones are not negative: their part of the base goes. */
        for (size_t i = 0; s.all_negative && i < count; i++)
            for (uint32_t c = 0; c < classes; c++)
                probability[c] -= m->negative[(size_t)row[i] * classes + c];
        for (uint32_t i = 0; i < s.positive_count; i++)
            add(probability, m->positive + (size_t)s.positive[i] * classes, classes);
        for (uint32_t i = 0; i < s.negative_count; i++)
            add(probability, m->negative + (size_t)s.negative[i] * classes, classes);
        add_values(m, batch->data, batch->instances[at], &s, probability);
        hs_normalise_logs(probability, score, classes);
    }
    return HSEL_OK;
}

static int by_feature(const void *feature, const void *item)
{
    const uint32_t a = *(const uint32_t *)feature, b = ((const struct item *)item)->feature;
    return (a > b) - (a < b);
}

/* log P(v | c), 0 for a feature out of use and for a missing value. */
static double term(const struct model *m, uint32_t feature, double value, uint32_t label)
{
    const double *binary = value != 0 ? m->positive : m->negative;
    double found = binary[(size_t)feature * m->classes + label];
    const struct item *item = bsearch(&feature, m->items, m->count, sizeof *item, by_feature);
    if (item && is_known(item, value))
        found += log_of(m, item, value, label);
    return found;
}

static void add_terms(const void *pointer, const hs_batch *one, void *scratch, uint32_t feature,
                      bool positive, double *sum)
{
    const struct model *m = pointer;
    double value = positive    ? 1
                   : m->binary ? 0
                               : hs_dataset_value(one->data, feature, one->instances[0]);
    (void)scratch;
    for (uint32_t c = 0; c < m->classes; c++)
        sum[c] += term(m, feature, value, c);
}

static int nb_contributions(const void *pointer, const hs_batch *one, void *scratch, uint32_t label,
                            double *prior, double *contribution, hsel_error *error)
{
    const struct model *m = pointer;
    return hs_add_contributions(m, one, scratch, m->prior, m->classes, label, add_terms, prior,
                                contribution, error);
}

/* ---- model files: sizes, the logarithms; unless all features are binary: settings, sizes, feature
 * and number of values of each item, numbers ---- */

/* Of `left` numbers, how many are those of an item; 0 if they are wrong. The offsets of kernels are
 * recomputed. */
static size_t check_item(const struct model *m, const struct item *item, const hsel_dataset *shape,
                         double *numbers, size_t left)
{
    const size_t classes = m->classes;
    size_t used = item->values ? item->values * classes : 1 + 2 * classes;
    if (item->values) {
        if (item->values != shape->nominal[shape->slot[item->feature]].values.count || used > left)
            return 0;
        for (size_t i = 0; i < used; i++)
            if (numbers[i] > 0)
                return 0;
        return used;
    }
    if (left < 1 + classes || !(numbers[0] > 0))
        return 0;
    for (size_t c = 0; !m->settings.numeric && c < classes && used <= left; c++)
        if (!(numbers[2 + 2 * c] > 0))
            return 0;
    if (!m->settings.numeric)
        return used <= left ? used : 0;
    used = 1 + classes;
    for (size_t c = 0; c < classes; c++) {
        if (used + 2 > left || !(numbers[used] >= 0) || !(numbers[used] <= HS_INSTANCES_LIMIT) ||
            !(numbers[used + 1] > 0))
            return 0;
        numbers[1 + c] = (double)used;
        size_t points = (size_t)numbers[used], first = used + 2;
        if (numbers[used] != (double)points || left - first < 2 * points)
            return 0;
        for (size_t i = 0; i < points; i++)
            if ((i && !(numbers[first + i - 1] < numbers[first + i])) ||
                !(numbers[first + points + i] > 0))
                return 0;
        used = first + 2 * points;
    }
    return used;
}

static int nb_fields(void *model, const hsel_dataset *shape, hs_transfer *file, hsel_error *error)
{
    struct model *m = model;
    uint64_t numeric = (uint64_t)m->settings.numeric, tails = (uint64_t)m->settings.tails;
    uint64_t count = m->count, length = m->length;
    size_t at = 0;
    HS_FIELDS(file, HS_SHAPE(m),
              HS_VALUES(*m->prior, 2 * ((size_t)m->features + 1) * m->classes, -DBL_MAX, 0));
    if (m->binary)
        return HSEL_OK;
    HS_FIELDS(file, HS_VALUE(numeric, 0, 1), HS_VALUE(tails, 0, 1),
              HS_VALUE(count, 0, shape ? (double)shape->numeric_count + shape->nominal_count : 0),
              HS_VALUE(length, HS_ANY));
    for (struct item *item = m->items; item < m->items + count; item++)
        HS_FIELDS(file, HS_VALUE(item->feature, HS_BELOW(m->features)),
                  HS_VALUE(item->values, HS_ANY));
    HS_FIELDS(file, HS_LIST(m->numbers, length, HS_FINITE));
    if (!hs_reads(file))
        return HSEL_OK;
    m->settings = (struct settings){{0}, (int)numeric, (int)tails};
    m->count = (uint32_t)count;
    m->length = (size_t)length;
    for (struct item *item = m->items; item < m->items + count; item++) {
        if ((item > m->items && item[-1].feature >= item->feature) ||
            shape->types[item->feature] != (item->values ? HSEL_NOMINAL : HSEL_NUMERIC))
            return HSEL_EFORMAT;
        size_t used = check_item(m, item, shape, m->numbers + at, m->length - at);
        if (used == 0)
            return HSEL_EFORMAT;
        item->at = at;
        at += used;
    }
    return at == m->length ? HSEL_OK : HSEL_EFORMAT;
}

static const hs_classifier functions = {.fit = nb_fit,
                                        .predict = nb_predict,
                                        .terms = terms,
                                        .contributions = nb_contributions,
                                        .name = "naive Bayes",
                                        .make = nb_model_new,
                                        .fields = nb_fields,
                                        .free = nb_model_free};

const hs_method hs_method_nb = {
    .kind = HS_CLASSIFIER,
    .name = "nb",
    .title = "naive Bayes",
    .help = "Naive Bayes with Laplace smoothing: P(c) = (n_c + 1)/(N + K), P(x_f|c) = (n + 1)/(n_c "
            "+ 2), for a nominal feature (n + 1)/(n_c + values). Numeric features are modelled by "
            "normal distributions or kernels, with WEKA's precision and factors of at least 1e-75; "
            "factors of missing and infinite values are omitted. Trained once; with a lazy "
            "selector the product has only the selected features.",
    .citation = "da Silva, Plastino, Freitas (2020), section 2 (lazy naive Bayes); WEKA's "
                "NaiveBayes; John, Langley (1995), UAI, 338-345 (kernels)",
    .flags = HS_NEEDS_CLASSES | HS_PREDICTS_ON_MASK | HS_ANY_FEATURES | HS_WEIGHS_INSTANCES,
    .options = table,
    .options_size = sizeof(struct settings),
    .check = hs_adjust_check,
    .classifier = &functions,
};

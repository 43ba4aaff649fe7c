/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Naive Bayes on numeric and nominal features, as WEKA 3.6's NaiveBayes (John, Langley 1995).
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
 * Fitting O(n log n) a feature; predicting O(K) a feature, kernels O(K * values near x) at best.
 * Memory O(K) a feature, kernels O(n).
 */
#include "classify/nb_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "classify/bytes.h"
#include "core/mem.h"

#define LEAST             1e-75
#define DEFAULT_PRECISION 0.01
#define SMALLEST_SPREAD   1e-10 /* below it a class is constant */
#define KERNEL_ERROR      0.01
#define SQRT_HALF         0.70710678118654752440

struct item {
    uint32_t feature;
    uint32_t values; /* of a nominal feature; 0: numeric */
    size_t at;       /* in numbers */
};

/* Numbers of an item. Nominal: [values * K] logarithms. Gaussian: precision, then mean and standard
 * deviation of each class. Kernel: precision, [K] offsets of the classes from it, then for each its
 * number of points, standard deviation, points (ascending), how often each occurs. */
struct hs_nb_values {
    hs_nb_settings settings;
    uint32_t classes, count;
    struct item *items; /* ascending features */
    double *numbers;
    size_t length, capacity;
};

void hs_nb_values_free(hs_nb_values *values)
{
    if (!values)
        return;
    hs_free(values->items);
    hs_free(values->numbers);
    hs_free(values);
}

/* ---- fitting ---- */

struct point {
    double value;
    uint32_t label;
};

struct fitting {
    const hs_training *training;
    hs_nb_values *to;
    double *scratch;      /* [instances]: a column */
    struct point *points; /* [rows], sorted, so that the order of the rows changes no sum */
    uint32_t count;       /* points that are not missing */
};

static int by_value(const void *a, const void *b)
{
    const struct point *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->label > y->label) - (x->label < y->label);
}

static int by_class_and_value(const void *a, const void *b)
{
    const struct point *x = a, *y = b;
    if (x->label != y->label)
        return x->label < y->label ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

/* Room for more numbers; where they begin. */
static double *grow(hs_nb_values *v, size_t more)
{
    if (!HS_GROW(&v->numbers, &v->capacity, v->length + more))
        return NULL;
    double *begin = v->numbers + v->length;
    memset(begin, 0, more * sizeof *begin);
    v->length += more;
    return begin;
}

static void collect(struct fitting *f, uint32_t feature)
{
    const hs_view *view = &f->training->view;
    const double *column = hs_dataset_numeric(view->data, feature, f->scratch);
    f->count = 0;
    for (uint32_t i = 0; i < view->row_count; i++) {
        uint32_t row = hs_view_row(view, i), label = view->data->class_of[row];
        if (label != HSEL_NONE && isfinite(column[row]))
            f->points[f->count++] = (struct point){column[row], label};
    }
}

static double precision_of(const struct fitting *f)
{
    double gaps = 0;
    uint32_t distinct = 0;
    for (uint32_t i = 1; i < f->count; i++)
        if (f->points[i].value != f->points[i - 1].value) {
            gaps += f->points[i].value - f->points[i - 1].value;
            distinct++;
        }
    return distinct ? gaps / distinct : DEFAULT_PRECISION;
}

static double rounded(double value, double precision)
{
    return rint(value / precision) * precision;
}

static int fit_gaussian(struct fitting *f, double precision, hsel_error *error)
{
    hs_nb_values *v = f->to;
    double *numbers = grow(v, 1 + 2 * (size_t)v->classes);
    double *size = HS_NEW_ZERO(double, v->classes);
    if (!numbers || !size) {
        hs_free(size);
        return hs_fail_memory(error);
    }
    double *class_of = numbers + 1;
    numbers[0] = precision;
    for (uint32_t i = 0; i < f->count; i++) {
        size[f->points[i].label]++;
        class_of[2 * (size_t)f->points[i].label] += f->points[i].value;
    }
    for (uint32_t c = 0; c < v->classes; c++)
        class_of[2 * (size_t)c] /= size[c] > 0 ? size[c] : 1;
    for (uint32_t i = 0; i < f->count; i++) {
        double *mean = class_of + 2 * (size_t)f->points[i].label;
        mean[1] += (f->points[i].value - mean[0]) * (f->points[i].value - mean[0]);
    }
    for (uint32_t c = 0; c < v->classes; c++) {
        double spread = sqrt(class_of[2 * (size_t)c + 1] / (size[c] > 0 ? size[c] : 1));
        class_of[2 * (size_t)c + 1] = fmax(spread > SMALLEST_SPREAD ? spread : 0, precision / 6);
    }
    hs_free(size);
    return HSEL_OK;
}

/* One class of a kernel estimate: points[0 … count), sorted. */
static int fit_kernels(hs_nb_values *v, const struct point *points, uint32_t count,
                       double precision, hsel_error *error)
{
    uint32_t distinct = 0;
    for (uint32_t i = 0; i < count; i++)
        distinct += i == 0 || points[i].value != points[i - 1].value;
    double *numbers = grow(v, 2 + 2 * (size_t)distinct);
    if (!numbers)
        return hs_fail_memory(error);
    double range = count ? points[count - 1].value - points[0].value : 0;
    double *value = numbers + 2, *times = value + distinct;
    uint32_t at = 0;
    numbers[0] = distinct;
    numbers[1] = precision / 6;
    if (range > 0)
        numbers[1] = fmax(range / sqrt(count), precision / 6);
    for (uint32_t i = 0; i < count; i++) {
        at += i > 0 && points[i].value != points[i - 1].value;
        value[at] = points[i].value;
        times[at]++;
    }
    return HSEL_OK;
}

static int fit_kernel(struct fitting *f, double precision, hsel_error *error)
{
    hs_nb_values *v = f->to;
    size_t begin = v->length;
    double *numbers = grow(v, 1 + (size_t)v->classes);
    int status = numbers ? HSEL_OK : hs_fail_memory(error);
    uint32_t at = 0;
    if (status)
        return status;
    numbers[0] = precision;
    qsort(f->points, f->count, sizeof *f->points, by_class_and_value);
    for (uint32_t c = 0; c < v->classes && status == HSEL_OK; c++) {
        uint32_t first = at;
        while (at < f->count && f->points[at].label == c)
            at++;
        v->numbers[begin + 1 + c] = (double)(v->length - begin);
        status = fit_kernels(v, f->points + first, at - first, precision, error);
    }
    return status;
}

/* A feature whose numbers overflow, and one without any value, says nothing. */
static int fit_numeric(struct fitting *f, uint32_t feature, hsel_error *error)
{
    hs_nb_values *v = f->to;
    size_t begin = v->length;
    collect(f, feature);
    qsort(f->points, f->count, sizeof *f->points, by_value);
    double precision = precision_of(f);
    if (f->count == 0 || !isfinite(precision))
        return HSEL_OK;
    for (uint32_t i = 0; i < f->count; i++)
        f->points[i].value = rounded(f->points[i].value, precision);
    int status =
        v->settings.numeric ? fit_kernel(f, precision, error) : fit_gaussian(f, precision, error);
    if (status == HSEL_OK && hs_all_finite(v->numbers + begin, v->length - begin))
        v->items[v->count++] = (struct item){.feature = feature, .at = begin};
    else
        v->length = begin;
    return status;
}

static int fit_nominal(struct fitting *f, uint32_t feature, hsel_error *error)
{
    hs_nb_values *v = f->to;
    const hsel_dataset *data = f->training->view.data;
    uint32_t values = data->nominal[data->slot[feature]].values.count, classes = v->classes;
    if (values == 0)
        return HSEL_OK;
    size_t begin = v->length;
    double *numbers = grow(v, (size_t)values * classes);
    if (!numbers)
        return hs_fail_memory(error);
    collect(f, feature);
    for (uint32_t i = 0; i < f->count; i++)
        numbers[(size_t)f->points[i].value * classes + f->points[i].label]++;
    for (uint32_t c = 0; c < classes; c++) {
        double all = 0;
        for (uint32_t code = 0; code < values; code++)
            all += numbers[(size_t)code * classes + c];
        for (uint32_t code = 0; code < values; code++) {
            double *cell = numbers + (size_t)code * classes + c;
            *cell = log((*cell + 1) / (all + values));
        }
    }
    v->items[v->count++] = (struct item){.feature = feature, .values = values, .at = begin};
    return HSEL_OK;
}

static hs_nb_values *values_new(uint32_t classes, uint32_t features, const hs_nb_settings *settings)
{
    hs_nb_values *v = HS_NEW_ZERO(hs_nb_values, 1);
    if (!v)
        return NULL;
    v->settings = *settings;
    v->classes = classes;
    if ((v->items = HS_NEW(struct item, features)))
        return v;
    hs_nb_values_free(v);
    return NULL;
}

int hs_nb_values_fit(const hs_training *training, const hs_nb_settings *settings,
                     hs_nb_values **out, hsel_error *error)
{
    const hsel_dataset *data = training->view.data;
    uint32_t others = data->numeric_count + data->nominal_count, rows = training->view.row_count;
    struct fitting f = {.training = training,
                        .to = values_new(training->counts->classes, others, settings),
                        .scratch = HS_NEW(double, data->instances),
                        .points = HS_NEW(struct point, rows)};
    int status = f.to && f.scratch && f.points ? HSEL_OK : hs_fail_memory(error);
    for (uint32_t i = 0; i < data->features && status == HSEL_OK; i++) {
        if (data->types[i] == HSEL_BINARY || !hs_view_has(&training->view, i))
            continue;
        status =
            data->types[i] == HSEL_NUMERIC ? fit_numeric(&f, i, error) : fit_nominal(&f, i, error);
    }
    hs_free(f.scratch);
    hs_free(f.points);
    if (status)
        hs_nb_values_free(f.to);
    else
        *out = f.to;
    return status;
}

/* ---- probabilities ---- */

static double below(double z)
{
    double x = z * SQRT_HALF, size = fabs(x);
    if (size < SQRT_HALF)
        return 0.5 + 0.5 * erf(x);
    double tail = 0.5 * erfc(size);
    return x > 0 ? 1 - tail : tail;
}

/* Probability that a normal variable lies between the two. */
static double between(const hs_nb_values *v, double lower, double upper)
{
    if (v->settings.tails && lower > 0)
        return below(-lower) - below(-upper);
    return below(upper) - below(lower);
}

static double gaussian(const hs_nb_values *v, const double *numbers, double value, uint32_t label)
{
    double precision = numbers[0], x = rounded(value, precision);
    double mean = numbers[1 + 2 * (size_t)label], spread = numbers[2 + 2 * (size_t)label];
    return between(v, (x - mean - precision / 2) / spread, (x - mean + precision / 2) / spread);
}

/* The first point that is not below the value, or the last one. */
static size_t nearest(const double *points, size_t count, double value)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (points[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count ? low : count - 1;
}

struct kernel_sum {
    double sum, seen, all;
};

/* Adds one kernel; false when the rest of this direction can be left. */
static bool add_kernel(const hs_nb_values *v, double precision, double spread, double delta,
                       double times, struct kernel_sum *s)
{
    double p = between(v, (delta - precision / 2) / spread, (delta + precision / 2) / spread);
    s->sum += p * times;
    s->seen += times;
    return !(p * (s->all - s->seen) < s->sum * KERNEL_ERROR);
}

static double kernel(const hs_nb_values *v, const double *numbers, double value, uint32_t label)
{
    double precision = numbers[0];
    const double *block = numbers + (size_t)numbers[1 + label];
    size_t count = (size_t)block[0];
    double spread = block[1];
    const double *points = block + 2, *times = points + count;
    struct kernel_sum s = {0};
    if (count == 0)
        return between(v, (value - precision / 2) / spread, (value + precision / 2) / spread);
    for (size_t i = 0; i < count; i++)
        s.all += times[i];
    size_t start = nearest(points, count, value);
    for (size_t i = start; i < count; i++)
        if (!add_kernel(v, precision, spread, points[i] - value, times[i], &s))
            break;
    for (size_t i = start; i-- > 0;)
        if (!add_kernel(v, precision, spread, points[i] - value, times[i], &s))
            break;
    return s.sum / s.all;
}

static bool is_known(const struct item *item, double value)
{
    return isfinite(value) && (item->values == 0 || value < item->values);
}

static double log_of(const hs_nb_values *v, const struct item *item, double value, uint32_t label)
{
    const double *numbers = v->numbers + item->at;
    if (item->values)
        return numbers[(size_t)value * v->classes + label];
    double p =
        v->settings.numeric ? kernel(v, numbers, value, label) : gaussian(v, numbers, value, label);
    return log(p > LEAST ? p : LEAST);
}

static void add_item(const hs_nb_values *v, const struct item *item, const hsel_dataset *data,
                     uint32_t instance, double *sum)
{
    double value = hs_dataset_value(data, item->feature, instance);
    if (is_known(item, value))
        for (uint32_t c = 0; c < v->classes; c++)
            sum[c] += log_of(v, item, value, c);
}

void hs_nb_values_add(const hs_nb_values *values, const hsel_dataset *data, uint32_t instance,
                      const hs_selection *selection, double *sum)
{
    bool all = !selection || selection->all_negative;
    uint32_t next = 0; /* features that are not binary stand among the negative ones */
    for (uint32_t i = 0; i < values->count; i++) {
        uint32_t feature = values->items[i].feature;
        while (!all && next < selection->negative_count && selection->negative[next] < feature)
            next++;
        if (all || (next < selection->negative_count && selection->negative[next] == feature))
            add_item(values, &values->items[i], data, instance, sum);
    }
}

double hs_nb_values_log(const hs_nb_values *values, uint32_t feature, double value, uint32_t label)
{
    uint32_t low = 0, high = values->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (values->items[middle].feature < feature)
            low = middle + 1;
        else
            high = middle;
    }
    const struct item *item = &values->items[low];
    if (low == values->count || item->feature != feature || !is_known(item, value))
        return 0;
    return log_of(values, item, value, label);
}

/* ---- model files: settings, sizes, feature and number of values of each item, numbers ---- */

void hs_nb_values_write(const hs_nb_values *values, hs_writer *out)
{
    uint64_t head[4] = {(uint64_t)values->settings.numeric, (uint64_t)values->settings.tails,
                        values->count, values->length};
    hs_writer_put(out, head, sizeof head);
    for (uint32_t i = 0; i < values->count; i++) {
        uint32_t item[2] = {values->items[i].feature, values->items[i].values};
        hs_writer_put(out, item, sizeof item);
    }
    hs_writer_put(out, values->numbers, values->length * sizeof(double));
}

/* Numbers of a kernel item from `at` on, of `left` there are: how many, 0 if they are wrong. The
 * offsets are made anew. */
static size_t check_kernel(double *numbers, size_t left, uint32_t classes)
{
    size_t used = 1 + (size_t)classes;
    for (uint32_t c = 0; c < classes; c++) {
        if (used + 2 > left || !(numbers[used] >= 0) || !(numbers[used] <= HS_INSTANCES_LIMIT) ||
            !(numbers[used + 1] > 0))
            return 0;
        numbers[1 + c] = (double)used;
        size_t points = (size_t)numbers[used], first = used + 2;
        if (numbers[used] != (double)points || left - first < 2 * points)
            return 0;
        for (size_t i = 0; i < points; i++)
            if ((i && !(numbers[first + i - 1] < numbers[first + i])) ||
                !(numbers[first + points + i] >= 1))
                return 0;
        used = first + 2 * points;
    }
    return used;
}

static size_t check_numeric(const hs_nb_values *v, double *numbers, size_t left)
{
    size_t used = 1 + 2 * (size_t)v->classes;
    if (left < 1 + (size_t)v->classes || !(numbers[0] > 0))
        return 0;
    if (v->settings.numeric)
        return check_kernel(numbers, left, v->classes);
    for (uint32_t c = 0; c < v->classes && used <= left; c++)
        if (!(numbers[2 + 2 * (size_t)c] > 0))
            return 0;
    return used <= left ? used : 0;
}

static size_t check_nominal(const struct item *item, const hsel_dataset *shape,
                            const double *numbers, size_t left)
{
    size_t used = (size_t)item->values * shape->class_names.count;
    if (item->values != shape->nominal[shape->slot[item->feature]].values.count || used > left)
        return 0;
    for (size_t i = 0; i < used; i++)
        if (numbers[i] > 0)
            return 0;
    return used;
}

/* Items and numbers belong together, and to the features of the shape. */
static bool check(hs_nb_values *v, const hsel_dataset *shape)
{
    size_t at = 0;
    if (!hs_all_finite(v->numbers, v->length))
        return false;
    for (uint32_t i = 0; i < v->count; i++) {
        struct item *item = &v->items[i];
        if (item->feature >= shape->features || (i && item[-1].feature >= item->feature) ||
            shape->types[item->feature] != (item->values ? HSEL_NOMINAL : HSEL_NUMERIC))
            return false;
        double *numbers = v->numbers + at;
        size_t used = item->values ? check_nominal(item, shape, numbers, v->length - at)
                                   : check_numeric(v, numbers, v->length - at);
        item->at = at;
        at += used;
        if (used == 0)
            return false;
    }
    return at == v->length;
}

int hs_nb_values_read(const char *bytes, size_t length, const hsel_dataset *shape,
                      hs_nb_values **out, hsel_error *error)
{
    uint64_t head[4], others = (uint64_t)shape->numeric_count + shape->nominal_count;
    uint32_t item[2];
    if (length < sizeof head)
        return HSEL_EFORMAT;
    memcpy(head, bytes, sizeof head);
    if (head[0] > 1 || head[1] > 1 || head[2] > others || head[3] > length / sizeof(double) ||
        length != sizeof head + head[2] * sizeof item + head[3] * sizeof(double))
        return HSEL_EFORMAT;
    hs_nb_settings settings = {(int)head[0], (int)head[1]};
    hs_nb_values *v = values_new(shape->class_names.count, (uint32_t)head[2], &settings);
    if (!v || (head[3] && !grow(v, (size_t)head[3]))) {
        hs_nb_values_free(v);
        return hs_fail_memory(error);
    }
    bytes += sizeof head;
    for (v->count = 0; v->count < head[2]; v->count++, bytes += sizeof item) {
        memcpy(item, bytes, sizeof item);
        v->items[v->count] = (struct item){.feature = item[0], .values = item[1]};
    }
    if (v->length)
        memcpy(v->numbers, bytes, v->length * sizeof(double));
    if (!check(v, shape)) {
        hs_nb_values_free(v);
        return HSEL_EFORMAT;
    }
    *out = v;
    return HSEL_OK;
}

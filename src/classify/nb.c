/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Naive Bayes. Binary features here, numeric and nominal ones in nb_values.c.
 *
 *     P(c | x) ~ P(c) prod over f of P(x_f | c)
 *     P(c) = (n_c + 1) / (N + K),  P(x_f = v | c) = (n_cfv + 1) / (n_c + 2)
 *
 * As in the programs of the RPV authors (lazy naive Bayes: trained once on all features, a
 * selection only restricts the product) and in WEKA's NaiveBayes for nominal attributes, which
 * smooth alike. No feature selected: the smoothed prior. Sums of logarithms instead of products, so
 * nothing underflows; the normalised probability is the same.
 *
 * For all features: log P(c) plus the sum over all features of log P(0|c), kept ready, plus a
 * correction for each positive feature; so predicting takes O(K * positives), not O(K * d). Fitting
 * O(K * d), memory the same. Equal probabilities go to the lowest class.
 */
#include <math.h>
#include <string.h>

#include "classify/classify.h"
#include "classify/nb_values.h"
#include "core/mem.h"

static const hs_option table[] = {
    HS_CHOICE(hs_nb_settings, numeric, "numeric", "gaussian|kernel", "gaussian",
              "how numeric features are distributed in a class: one normal distribution, or a "
              "kernel on each training value"),
    HS_CHOICE(
        hs_nb_settings, tails, "tails", "weka|exact", "weka",
        "far above the mean of a class: 1e-75 as WEKA has it for want of digits, or what it is, "
        "as below the mean"),
    HS_OPTION_END};

struct model {
    uint32_t features, classes;
    double *prior;        /* [K]: log P(c) */
    double *base;         /* [K]: log P(c) + sum of log P(0|c) over the features in use */
    double *negative;     /* [d * K]: log P(0|c); 0 for features out of use */
    double *positive;     /* [d * K]: log P(1|c) */
    hs_nb_values *values; /* of numeric and nominal features; NULL: all are binary */
};

static void model_free(void *pointer)
{
    struct model *model = pointer;
    if (!model)
        return;
    hs_free(model->prior);
    hs_free(model->base);
    hs_free(model->negative);
    hs_free(model->positive);
    hs_nb_values_free(model->values);
    hs_free(model);
}

static struct model *model_new(uint32_t features, uint32_t classes)
{
    struct model *model = HS_NEW_ZERO(struct model, 1);
    if (!model)
        return NULL;
    *model = (struct model){.features = features,
                            .classes = classes,
                            .prior = HS_NEW(double, classes),
                            .base = HS_NEW(double, classes),
                            .negative = HS_NEW_ZERO(double, (size_t)features *classes),
                            .positive = HS_NEW_ZERO(double, (size_t)features *classes)};
    if (model->prior && model->base && model->negative && model->positive)
        return model;
    model_free(model);
    return NULL;
}

static int fit(const hs_training *training, const void *options, void **out, hsel_error *error)
{
    const hs_counts *counts = training->counts;
    const hsel_dataset *data = training->view.data;
    const bool all_binary = hs_dataset_all_binary(data);
    uint32_t classes = counts->classes;
    struct model *model = model_new(counts->features, classes);
    int status = model ? HSEL_OK : hs_fail_memory(error);
    if (status == HSEL_OK && !all_binary)
        status = hs_nb_values_fit(training, options, &model->values, error);
    if (status) {
        model_free(model);
        return status;
    }
    for (uint32_t c = 0; c < classes; c++)
        model->base[c] = model->prior[c] =
            log((counts->class_size[c] + 1.0) / ((double)counts->instances + classes));
    for (uint32_t f = 0; f < counts->features; f++) {
        if (!hs_view_has(&training->view, f) || (!all_binary && data->types[f] != HSEL_BINARY))
            continue;
        for (uint32_t c = 0; c < classes; c++) {
            double with = hs_count(counts, f, c), all = counts->class_size[c];
            size_t at = (size_t)f * classes + c;
            model->positive[at] = log((with + 1) / (all + 2));
            model->negative[at] = log((all - with + 1) / (all + 2));
            model->base[c] += model->negative[at];
        }
    }
    *out = model;
    return HSEL_OK;
}

static void add(double *sum, const double *terms, uint32_t classes)
{
    for (uint32_t c = 0; c < classes; c++)
        sum[c] += terms[c];
}

static void subtract(double *sum, const double *terms, uint32_t classes)
{
    for (uint32_t c = 0; c < classes; c++)
        sum[c] -= terms[c];
}

static int predict(const void *pointer, const hsel_dataset *data, uint32_t instance,
                   const hs_selection *selection, void *scratch, double *probability, double *score,
                   hsel_error *error)
{
    const struct model *model = pointer;
    const uint32_t classes = model->classes;
    bool all_negative = !selection || selection->all_negative;
    size_t count;
    const uint32_t *row = hs_row(data, instance, &count);
    (void)scratch;
    (void)error;
    memcpy(probability, all_negative ? model->base : model->prior, classes * sizeof *probability);
    if (all_negative) /* the positive ones are not negative: their part of the base goes */
        for (size_t i = 0; i < count; i++)
            subtract(probability, model->negative + (size_t)row[i] * classes, classes);
    const uint32_t *positive = selection ? selection->positive : row;
    size_t positives = selection ? selection->positive_count : count;
    for (size_t i = 0; i < positives; i++)
        add(probability, model->positive + (size_t)positive[i] * classes, classes);
    for (uint32_t i = 0; !all_negative && i < selection->negative_count; i++)
        add(probability, model->negative + (size_t)selection->negative[i] * classes, classes);
    if (model->values)
        hs_nb_values_add(model->values, data, instance, selection, probability);
    hs_normalise_logs(probability, score, classes);
    return HSEL_OK;
}

/* log P(v | c), 0 for a feature out of use: one of the two parts has it, the other says 0. */
static double term(const struct model *model, uint32_t feature, double value, uint32_t label)
{
    const double *binary = value != 0 ? model->positive : model->negative;
    double found = binary[(size_t)feature * model->classes + label];
    return model->values ? found + hs_nb_values_log(model->values, feature, value, label) : found;
}

/* log P(v | label) - log P(v | other classes), the others weighted by their priors. Factors can be
 * as small as 1e-75 when there are others than binary features, so then the largest is taken out.
 */
static double contribution(const void *pointer, uint32_t feature, double value, uint32_t label)
{
    const struct model *model = pointer;
    double others = 0, weight = 0, largest = model->values ? -INFINITY : 0;
    for (uint32_t c = 0; c < model->classes; c++)
        weight += c == label ? 0 : exp(model->prior[c]);
    if (feature == HSEL_NONE)
        return model->prior[label] - log(weight);
    for (uint32_t c = 0; model->values && c < model->classes; c++)
        if (c != label)
            largest = fmax(largest, term(model, feature, value, c));
    for (uint32_t c = 0; c < model->classes; c++)
        if (c != label)
            others += exp(model->prior[c] + term(model, feature, value, c) - largest);
    return term(model, feature, value, label) - largest - log(others / weight);
}

/* ---- model files: sizes, then the four arrays, then what nb_values.c has to say ---- */

static int model_write(const void *pointer, hs_writer *out, hsel_error *error)
{
    const struct model *model = pointer;
    size_t cells = (size_t)model->features * model->classes;
    (void)error;
    hs_writer_put(out, &model->features, sizeof model->features);
    hs_writer_put(out, &model->classes, sizeof model->classes);
    hs_writer_put(out, model->prior, model->classes * sizeof(double));
    hs_writer_put(out, model->base, model->classes * sizeof(double));
    hs_writer_put(out, model->negative, cells * sizeof(double));
    hs_writer_put(out, model->positive, cells * sizeof(double));
    if (model->values)
        hs_nb_values_write(model->values, out);
    return HSEL_OK;
}

/* Logarithms of probabilities: finite and not above 0. */
static bool are_logarithms(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]) || values[i] > 0)
            return false;
    return true;
}

static int damaged(hsel_error *error)
{
    return hs_fail(error, HSEL_EFORMAT, "the naive Bayes model is cut off or damaged");
}

static bool read_arrays(struct model *model, const char *at)
{
    double *const parts[] = {model->prior, model->base, model->negative, model->positive};
    size_t cells = (size_t)model->features * model->classes;
    for (int i = 0; i < 4; i++) {
        size_t part = i < 2 ? model->classes : cells;
        memcpy(parts[i], at, part * sizeof(double));
        at += part * sizeof(double);
        if (!are_logarithms(parts[i], part))
            return false;
    }
    return true;
}

static int model_read(const void *bytes, size_t length, const hsel_dataset *shape, void **out,
                      hsel_error *error)
{
    const bool all_binary = hs_dataset_all_binary(shape);
    uint32_t size[2];
    if (length < sizeof size)
        return damaged(error);
    memcpy(size, bytes, sizeof size);
    if (size[0] != shape->features || size[1] != shape->class_names.count)
        return damaged(error);
    size_t own = sizeof size + 2 * ((size_t)size[1] + (size_t)size[0] * size[1]) * sizeof(double);
    if (all_binary ? length != own : length < own)
        return damaged(error);
    struct model *model = model_new(size[0], size[1]);
    if (!model)
        return hs_fail_memory(error);
    int status = read_arrays(model, (const char *)bytes + sizeof size) ? HSEL_OK : HSEL_EFORMAT;
    if (status == HSEL_OK && !all_binary)
        status = hs_nb_values_read((const char *)bytes + own, length - own, shape, &model->values,
                                   error);
    if (status) {
        model_free(model);
        return status == HSEL_EFORMAT ? damaged(error) : status;
    }
    *out = model;
    return HSEL_OK;
}

static const hs_classifier functions = {.fit = fit,
                                        .predict = predict,
                                        .contribution = contribution,
                                        .write = model_write,
                                        .read = model_read,
                                        .free = model_free};

const hs_method hs_method_nb = {
    .kind = HS_CLASSIFIER,
    .name = "nb",
    .title = "naive Bayes",
    .help = "Naive Bayes with Laplace smoothing: P(c) = (n_c + 1)/(N + K), P(x_f|c) = (n + 1)/(n_c "
            "+ 2), for a nominal feature (n + 1)/(n_c + values). Numeric features by normal "
            "distributions or kernels with WEKA's precision, each factor at least 1e-75; missing "
            "and infinite values leave their factor out. Trained once; a lazy selection restricts "
            "the product to the selected features.",
    .citation = "da Silva, Plastino, Freitas (2020), section 2 (lazy naive Bayes); WEKA's "
                "NaiveBayes; John, Langley (1995), UAI, 338-345 (kernels)",
    .flags = HS_NEEDS_CLASSES | HS_PREDICTS_ON_MASK | HS_ANY_FEATURES,
    .options = table,
    .options_size = sizeof(hs_nb_settings),
    .classifier = &functions,
};

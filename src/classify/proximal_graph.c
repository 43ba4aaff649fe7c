/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * proximalGraph: logistic regression with a penalty that respects the hierarchy.
 *
 *     min over w, b of  mean over i of log(1 + exp(-y_i (w.x_i + b)))
 *                       + lambda sum over v of max |w_u|, u in {v} and the descendants of v
 *
 * Mairal, Jenatton, Obozinski, Bach (2010), equation (1) with the l-infinity norm; one group a
 * feature, of itself and its descendants, all of weight 1: where the group of a feature is 0, so is
 * everything below, and a feature comes in only with its ancestors (those that are the same in all
 * training instances excepted: they cannot have a weight). Wan, Freitas (2020) compare with it
 * through SPAMS but give neither loss, groups nor lambda, so this is a method of our own making
 * after their name. Lambda by inner cross-validation on GM (proximal_graph_fit.c). More than two
 * classes: one against the rest, probabilities normalised.
 *
 * The proximal operator is exact on any hierarchy (graph_norm.h), FISTA runs to a relative duality
 * gap (graph_logit.h). Not for lazy selectors: a sum without some of its terms is no score of this
 * model (what an instance has and the selection leaves out would count as if it were not there).
 * Predicting O(K x positive features), memory d weights a part. Equal probabilities go to the
 * lowest class.
 */
#include "classify/proximal_graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "classify/bytes.h"
#include "classify/graph_logit.h"
#include "core/json.h"
#include "core/mem.h"

static const hs_option table[] = {
    HS_TEXT(struct proximal_options, lambda, "lambda", "auto|NUMBER", "auto",
            "weight of the penalty; auto chooses it by cross-validation inside the training part"),
    HS_OPTION(struct proximal_options, lambdas, "lambdas", "N", "15", 1, 1000,
              "how many lambdas to choose from"),
    HS_OPTION(struct proximal_options, ratio, "ratio", "R", "0.02", 1e-6, 0.999,
              "the smallest of them, as a part of the one that leaves all weights 0"),
    HS_OPTION(struct proximal_options, folds, "folds", "N", "5", 2, 1000,
              "folds of the inner cross-validation"),
    HS_OPTION(struct proximal_options, tolerance, "tolerance", "G", "0.001", 1e-12, 1,
              "relative duality gap to stop at"),
    HS_OPTION(struct proximal_options, iterations, "iterations", "N", "2000", 1, 10000000,
              "most iterations for one lambda"),
    HS_OPTION_END};

static int check(const void *options, hsel_error *error)
{
    double lambda;
    return hs_proximal_lambda(options, &lambda, error);
}

struct proximal_model *hs_proximal_new(uint32_t features, uint32_t classes)
{
    struct proximal_model *m = HS_NEW_ZERO(struct proximal_model, 1);
    if (!m)
        return NULL;
    m->features = features;
    m->classes = classes;
    m->parts = classes <= 2 ? 1 : classes;
    m->part = HS_NEW_ZERO(struct proximal_part, m->parts);
    m->weight = HS_NEW_ZERO(double, (size_t)m->parts *features);
    if (m->part && m->weight)
        return m;
    hs_proximal_free(m);
    return NULL;
}

void hs_proximal_free(void *pointer)
{
    struct proximal_model *m = pointer;
    if (!m)
        return;
    hs_free(m->part);
    hs_free(m->weight);
    hs_free(m);
}

static int predict(const void *pointer, const hsel_dataset *data, uint32_t instance,
                   const hs_selection *selection, void *scratch, double *probability, double *score,
                   hsel_error *error)
{
    const struct proximal_model *m = pointer;
    size_t count;
    const uint32_t *row = hs_row(data, instance, &count);
    double total = 0;
    (void)selection;
    (void)scratch;
    (void)error;
    for (uint32_t part = 0; part < m->parts; part++) {
        const double *weight = m->weight + (size_t)part * m->features;
        double sum = m->part[part].intercept;
        for (size_t i = 0; i < count; i++)
            sum += weight[row[i]];
        score[part] = sum;
    }
    hs_proximal_scores(score, m->classes);
    for (uint32_t c = 0; c < m->classes; c++)
        total += probability[c] = hs_sigmoid(score[c]);
    for (uint32_t c = 0; m->classes != 2 && c < m->classes; c++)
        probability[c] = total > 0 ? probability[c] / total : 1.0 / m->classes;
    return HSEL_OK;
}

static double contribution(const void *pointer, uint32_t feature, double value, uint32_t label)
{
    const struct proximal_model *m = pointer;
    if (feature == HSEL_NONE) {
        double intercept = m->part[m->parts == 1 ? 0 : label].intercept;
        return m->parts == 1 && label == 0 ? -intercept : intercept;
    }
    if (value == 0)
        return 0;
    if (m->parts == 1)
        return label == 1 ? m->weight[feature] : -m->weight[feature];
    return m->weight[(size_t)label * m->features + feature];
}

/* ---- what was learned ---- */

struct weighted {
    double weight;
    uint32_t feature;
};

static int by_size(const void *a, const void *b)
{
    const struct weighted *x = a, *y = b;
    if (fabs(x->weight) != fabs(y->weight))
        return fabs(x->weight) > fabs(y->weight) ? -1 : 1;
    return x->feature < y->feature ? -1 : x->feature > y->feature;
}

/* The active features of a part, the weightiest first. */
static uint32_t list_active(const struct proximal_model *m, uint32_t part, struct weighted *out)
{
    uint32_t count = 0;
    for (uint32_t f = 0; f < m->features; f++) {
        double weight = m->weight[(size_t)part * m->features + f];
        if (weight != 0)
            out[count++] = (struct weighted){weight, f};
    }
    qsort(out, count, sizeof *out, by_size);
    return count;
}

static uint32_t class_of_part(const struct proximal_model *m, uint32_t part)
{
    return m->parts == 1 ? m->classes - 1 : part;
}

static void describe_text(const struct proximal_model *m, const hsel_dataset *shape, uint32_t part,
                          const struct weighted *active, uint32_t count, hs_writer *out)
{
    const struct proximal_part *p = &m->part[part];
    const char *label = hsel_dataset_class_name(shape, class_of_part(m, part));
    hs_writer_printf(out, "class %s against %s\n", label,
                     m->parts == 1 ? hsel_dataset_class_name(shape, 0) : "the rest");
    hs_writer_printf(out, "  lambda           %.6g (all weights are 0 from %.6g on)\n", p->lambda,
                     p->largest);
    hs_writer_printf(out, "  objective        %.6g, relative duality gap %.2g\n", p->objective,
                     p->gap);
    hs_writer_printf(out, "  iterations       %u\n", p->iterations);
    hs_writer_printf(out, "  intercept        %+.6g\n", p->intercept);
    hs_writer_printf(out, "  active features  %u of %u\n", count, m->in_use);
    for (uint32_t i = 0; i < count; i++)
        hs_writer_printf(out, "    %+.6f  %s\n", active[i].weight,
                         hsel_dataset_feature_name(shape, active[i].feature));
}

static void describe_number(hs_json *json, const char *key, double value)
{
    hs_json_key(json, key);
    hs_json_double(json, value);
}

static void describe_json(const struct proximal_model *m, const hsel_dataset *shape, uint32_t part,
                          const struct weighted *active, uint32_t count, hs_json *json)
{
    const struct proximal_part *p = &m->part[part];
    hs_json_object(json);
    hs_json_key(json, "class");
    hs_json_text(json, hsel_dataset_class_name(shape, class_of_part(m, part)));
    describe_number(json, "lambda", p->lambda);
    describe_number(json, "largest_lambda", p->largest);
    describe_number(json, "objective", p->objective);
    describe_number(json, "relative_gap", p->gap);
    describe_number(json, "intercept", p->intercept);
    hs_json_key(json, "iterations");
    hs_json_u64(json, p->iterations);
    hs_json_key(json, "active");
    hs_json_array(json);
    for (uint32_t i = 0; i < count; i++) {
        hs_json_object(json);
        hs_json_key(json, "feature");
        hs_json_text(json, hsel_dataset_feature_name(shape, active[i].feature));
        describe_number(json, "weight", active[i].weight);
        hs_json_end_object(json);
    }
    hs_json_end_array(json);
    hs_json_end_object(json);
}

static int describe(const void *pointer, const hsel_dataset *shape, hs_describe_form form,
                    hs_writer *out, hsel_error *error)
{
    const struct proximal_model *m = pointer;
    hs_json json = {.out = out};
    if (form == HS_DESCRIBE_DOT)
        return hs_fail(error, HSEL_EUNSUPPORTED,
                       "proximal-graph has nothing to draw: ask for text or JSON");
    struct weighted *active = HS_NEW(struct weighted, m->features);
    if (!active)
        return hs_fail_memory(error);
    if (form == HS_DESCRIBE_JSON) {
        hs_json_object(&json);
        hs_json_key(&json, "features");
        hs_json_u64(&json, m->in_use);
        hs_json_key(&json, "models");
        hs_json_array(&json);
    }
    for (uint32_t part = 0; part < m->parts; part++) {
        uint32_t count = list_active(m, part, active);
        if (form == HS_DESCRIBE_JSON)
            describe_json(m, shape, part, active, count, &json);
        else
            describe_text(m, shape, part, active, count, out);
    }
    if (form == HS_DESCRIBE_JSON) {
        hs_json_end_array(&json);
        hs_json_end_object(&json);
    }
    hs_free(active);
    return HSEL_OK;
}

/* ---- model files: sizes; of each part its numbers, then features and weights that are not 0 ----
 */

static int model_write(const void *pointer, hs_writer *out, hsel_error *error)
{
    const struct proximal_model *m = pointer;
    (void)error;
    hs_put_u32(out, m->features);
    hs_put_u32(out, m->classes);
    hs_put_u32(out, m->in_use);
    for (uint32_t part = 0; part < m->parts; part++) {
        const struct proximal_part *p = &m->part[part];
        const double *weight = m->weight + (size_t)part * m->features;
        const double numbers[] = {p->lambda, p->largest, p->objective, p->gap, p->intercept};
        hs_writer_put(out, numbers, sizeof numbers);
        hs_put_u32(out, p->iterations);
        hs_put_u32(out, p->active);
        for (uint32_t f = 0; f < m->features; f++)
            if (weight[f] != 0) {
                hs_put_u32(out, f);
                hs_put_double(out, weight[f]);
            }
    }
    return HSEL_OK;
}

static bool read_part(struct proximal_model *m, uint32_t part, hs_bytes *bytes)
{
    struct proximal_part *p = &m->part[part];
    double *weight = m->weight + (size_t)part * m->features;
    double *const numbers[] = {&p->lambda, &p->largest, &p->objective, &p->gap, &p->intercept};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (!hs_bytes_double(bytes, numbers[i]) || (i < 4 && *numbers[i] < 0))
            return false;
    if (!hs_bytes_u32(bytes, &p->iterations) || !hs_bytes_u32(bytes, &p->active) ||
        p->active > m->in_use)
        return false;
    for (uint32_t i = 0, next = 0; i < p->active; i++) {
        uint32_t f;
        if (!hs_bytes_u32(bytes, &f) || f < next || f >= m->features ||
            !hs_bytes_double(bytes, &weight[f]) || weight[f] == 0 || fabs(weight[f]) > 1e100)
            return false;
        next = f + 1;
    }
    return true;
}

static int damaged(hsel_error *error)
{
    return hs_fail(error, HSEL_EFORMAT, "the proximal-graph model is cut off or damaged");
}

static int model_read(const void *start, size_t length, const hsel_dataset *shape, void **out,
                      hsel_error *error)
{
    hs_bytes bytes = {start, length};
    uint32_t size[3];
    bool sound = true;
    if (!hs_bytes_get(&bytes, size, sizeof size) || size[0] != shape->features ||
        size[1] != shape->class_names.count || size[2] > size[0])
        return damaged(error);
    struct proximal_model *m = hs_proximal_new(size[0], size[1]);
    if (!m)
        return hs_fail_memory(error);
    m->in_use = size[2];
    for (uint32_t part = 0; part < m->parts && sound; part++)
        sound = read_part(m, part, &bytes);
    if (!sound || bytes.left) {
        hs_proximal_free(m);
        return damaged(error);
    }
    *out = m;
    return HSEL_OK;
}

static const hs_classifier functions = {.fit = hs_proximal_fit,
                                        .predict = predict,
                                        .contribution = contribution,
                                        .describe = describe,
                                        .write = model_write,
                                        .read = model_read,
                                        .free = hs_proximal_free};

const hs_method hs_method_proximal_graph = {
    .kind = HS_CLASSIFIER,
    .name = "proximal-graph",
    .title = "logistic regression, hierarchical penalty",
    .help =
        "Logistic regression with the graph-structured l-infinity penalty: a feature has a weight "
        "only if its ancestors may have one too, so few terms are used and they hang together. "
        "The weight of the penalty is chosen by cross-validation inside the training part. "
        "More than two classes: one against the rest. It does not go with lazy selectors.",
    .citation = "Mairal, Jenatton, Obozinski, Bach (2010), Network flow algorithms for structured "
                "sparsity, equation (1); groups, loss and lambda are ours",
    .flags = HS_NEEDS_CLASSES | HS_NEEDS_HIERARCHY | HS_STOCHASTIC,
    .options = table,
    .options_size = sizeof(struct proximal_options),
    .check = check,
    .classifier = &functions,
};

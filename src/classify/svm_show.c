/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a support vector machine learned, in words and as JSON: kernel and settings, support
 * vectors, and for the linear kernel the weight of each column, the heaviest first.
 */
#include <math.h>
#include <stdlib.h>

#include "classify/svm_model.h"
#include "core/json.h"
#include "core/mem.h"

#define SHOWN 20 /* weights of a pair, in text; JSON has all */

static const char *const kernels[] = {"linear", "polynomial", "rbf"};

struct weight {
    uint32_t feature, value; /* value of a nominal feature, HSEL_NONE: not of that kind */
    double weight;
};

static int heaviest_first(const void *a, const void *b)
{
    const struct weight *x = a, *y = b;
    double p = fabs(x->weight), q = fabs(y->weight);
    if (p != q)
        return p > q ? -1 : 1;
    if (x->feature != y->feature)
        return x->feature < y->feature ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

/* Weights of a pair that are not 0, sorted; returns how many. */
static uint32_t list_weights(const hs_svm *m, uint32_t pair, struct weight *out)
{
    uint32_t count = 0;
    for (uint32_t f = 0; f < m->code.features; f++)
        if (m->code.column[f] != HSEL_NONE)
            out[count++] = (struct weight){
                f, HSEL_NONE, m->weight[(size_t)m->code.column[f] * m->pair_count + pair]};
    for (uint32_t i = 0; i < m->code.other_count; i++) {
        const hs_svm_other *o = &m->code.other[i];
        for (uint32_t v = 0; v < hs_svm_other_columns(o); v++)
            out[count++] =
                (struct weight){o->feature,
                                o->values > 2 ? v
                                : o->values   ? 1
                                              : HSEL_NONE,
                                m->weight[(size_t)(o->column + v) * m->pair_count + pair]};
    }
    qsort(out, count, sizeof *out, heaviest_first);
    while (count && out[count - 1].weight == 0)
        count--;
    return count;
}

/* "colour", or "colour=red" of a nominal feature. */
static void column_name(const hsel_dataset *shape, const struct weight *w, hs_buf *out)
{
    out->length = 0;
    hs_buf_text(out, hsel_dataset_feature_name(shape, w->feature));
    if (w->value == HSEL_NONE)
        return;
    const hs_nominal_column *column = shape->types[w->feature] == HSEL_NOMINAL && shape->slot
                                          ? &shape->nominal[shape->slot[w->feature]]
                                          : NULL;
    if (column && w->value < column->values.count)
        hs_buf_printf(out, "=%s", hs_names_get(&column->values, w->value));
    else
        hs_buf_printf(out, "=value %u", w->value + 1);
}

static const char *class_of(const hs_svm *m, const hsel_dataset *shape, uint32_t place)
{
    return hsel_dataset_class_name(shape, m->present[place]);
}

/* ---- text ---- */

static void text_settings(const hs_svm *m, hs_writer *out)
{
    hs_writer_printf(out, "kernel           %s\nC                %g\n", kernels[m->kernel.kind],
                     m->c);
    if (m->kernel.kind != HS_SVM_LINEAR)
        hs_writer_printf(out, "gamma            %g\n", m->kernel.gamma);
    if (m->kernel.kind == HS_SVM_POLYNOMIAL)
        hs_writer_printf(out, "degree, coef0    %u, %g\n", m->kernel.degree, m->kernel.coef0);
    if (!isnan(m->score))
        hs_writer_printf(out, "grid search      %.4f in the inner folds\n", m->score);
}

static int text_pair(const hs_svm *m, uint32_t p, const hsel_dataset *shape, struct weight *weights,
                     hs_buf *name, hs_writer *out, hsel_error *error)
{
    const hs_svm_pair *pair = &m->pair[p];
    hs_writer_printf(out, "\n%s (+) or %s (-): %u support vectors, rho %.4g",
                     class_of(m, shape, pair->first), class_of(m, shape, pair->second),
                     pair->vectors, pair->rho);
    if (!m->votes)
        hs_writer_printf(out, ", P(+) = 1 / (1 + exp(%.4f f %c %.4f))", pair->platt.a,
                         pair->platt.b <= -0.00005 ? '-' : '+', fabs(pair->platt.b));
    hs_writer_char(out, '\n');
    if (pair->stopped)
        hs_writer_text(out, "  stopped before it converged; lower c or raise max-steps\n");
    if (!m->weight)
        return HSEL_OK;
    uint32_t count = list_weights(m, p, weights), shown = count < SHOWN ? count : SHOWN;
    for (uint32_t i = 0; i < shown; i++) {
        column_name(shape, &weights[i], name);
        if (name->failed)
            return hs_fail_memory(error);
        hs_writer_printf(out, "  %+10.4f  ", weights[i].weight);
        hs_writer_text(out, name->text);
        hs_writer_char(out, '\n');
    }
    if (shown < count)
        hs_writer_printf(out, "  and %u more (--json has all)\n", count - shown);
    return HSEL_OK;
}

/* ---- JSON ---- */

static void json_number(hs_json *json, const char *key, double value)
{
    hs_json_key(json, key);
    hs_json_double(json, value);
}

static void json_settings(const hs_svm *m, hs_json *json)
{
    hs_json_key(json, "kernel");
    hs_json_text(json, kernels[m->kernel.kind]);
    json_number(json, "c", m->c);
    if (m->kernel.kind != HS_SVM_LINEAR)
        json_number(json, "gamma", m->kernel.gamma);
    if (m->kernel.kind == HS_SVM_POLYNOMIAL) {
        json_number(json, "degree", m->kernel.degree);
        json_number(json, "coef0", m->kernel.coef0);
    }
    if (!isnan(m->score))
        json_number(json, "grid_score", m->score);
}

static int json_pair(const hs_svm *m, uint32_t p, const hsel_dataset *shape, struct weight *weights,
                     hs_buf *name, hs_json *json, hsel_error *error)
{
    const hs_svm_pair *pair = &m->pair[p];
    hs_json_object(json);
    hs_json_key(json, "positive");
    hs_json_text(json, class_of(m, shape, pair->first));
    hs_json_key(json, "negative");
    hs_json_text(json, class_of(m, shape, pair->second));
    hs_json_key(json, "support_vectors");
    hs_json_u64(json, pair->vectors);
    json_number(json, "rho", pair->rho);
    if (pair->stopped) {
        hs_json_key(json, "converged");
        hs_json_bool(json, false);
    }
    if (!m->votes) {
        json_number(json, "platt_a", pair->platt.a);
        json_number(json, "platt_b", pair->platt.b);
    }
    if (m->weight) {
        uint32_t count = list_weights(m, p, weights);
        hs_json_key(json, "weights");
        hs_json_object(json);
        for (uint32_t i = 0; i < count; i++) {
            column_name(shape, &weights[i], name);
            if (name->failed)
                return hs_fail_memory(error);
            json_number(json, name->text, weights[i].weight);
        }
        hs_json_end_object(json);
    }
    hs_json_end_object(json);
    return HSEL_OK;
}

int hs_svm_describe(const void *pointer, const hsel_dataset *shape, hs_describe_form form,
                    hs_writer *out, hsel_error *error)
{
    const hs_svm *m = pointer;
    hs_json json = {.out = out};
    hs_buf name = {0};
    if (form == HS_DESCRIBE_DOT)
        return hs_fail(error, HSEL_EUNSUPPORTED, "a support vector machine has no drawing");
    struct weight *weights = HS_NEW(struct weight, m->weight ? m->code.columns : 0);
    int status = weights ? HSEL_OK : hs_fail_memory(error);
    if (status == HSEL_OK && form == HS_DESCRIBE_TEXT) {
        text_settings(m, out);
        for (uint32_t p = 0; p < m->pair_count && status == HSEL_OK; p++)
            status = text_pair(m, p, shape, weights, &name, out, error);
    } else if (status == HSEL_OK) {
        hs_json_object(&json);
        json_settings(m, &json);
        hs_json_key(&json, "machines");
        hs_json_array(&json);
        for (uint32_t p = 0; p < m->pair_count && status == HSEL_OK; p++)
            status = json_pair(m, p, shape, weights, &name, &json, error);
        hs_json_end_array(&json);
        hs_json_end_object(&json);
    }
    hs_buf_clear(&name);
    hs_free(weights);
    return status;
}

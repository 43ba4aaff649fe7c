/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Describes a trained model as text and JSON: by the classifier's own description, or by the
 * network of its features and the terms that separate the classes.
 */
#include "learn/describe.h"

#define SHOWN 20 /* lines of text; JSON has all */

static int by_strength(const void *a, const void *b)
{
    const hs_dependency *x = a, *y = b;
    if (x->strength != y->strength)
        return x->strength > y->strength ? -1 : 1;
    if (x->feature != y->feature)
        return x->feature < y->feature ? -1 : 1;
    return (x->on > y->on) - (x->on < y->on);
}

int hs_model_network(const hs_model *model, hs_dependency **out, uint32_t *count, hsel_error *error)
{
    const hs_classifier *classifier = model->classifier.method->classifier;
    HS_OWNED hs_dependency *list = NULL;
    size_t length = 0, capacity = 0;
    for (uint32_t f = 0; classifier->depends && f < model->shape->features; f++) {
        hs_dependency one = {.feature = f};
        for (uint32_t i = 0; (one.on = classifier->depends(hs_model_fitted(model), f, i,
                                                           &one.strength)) != HSEL_NONE;
             i++) {
            HS_NEED(HS_GROW(&list, &capacity, length + 1));
            list[length++] = one;
        }
    }
    if (length)
        qsort(list, length, sizeof *list, by_strength);
    *count = (uint32_t)length;
    *out = hs_take(&list);
    return HSEL_OK;
}

static int by_size(const void *a, const void *b)
{
    const hs_telling *x = a, *y = b;
    if (fabs(x->present) != fabs(y->present))
        return fabs(x->present) > fabs(y->present) ? -1 : 1;
    return (x->feature > y->feature) - (x->feature < y->feature);
}

int hs_model_telling(const hs_model *model, hs_telling **out, uint32_t *count, hsel_error *error)
{
    const hs_counts *counts = &model->counts;
    const hsel_dataset *shape = model->shape;
    HS_OWNED hs_telling *list = HS_NEW(hs_telling, shape->features);
    uint32_t length = 0;
    HS_NEED(list);
    for (uint32_t f = 0; f < shape->features; f++) {
        hs_telling best = {.feature = f, .label = HSEL_NONE};
        double all = 0;
        if (shape->types[f] != HSEL_BINARY ||
            (model->pipeline.mask && !hs_bit_get(model->pipeline.mask, f)))
            continue;
        for (uint32_t c = 0; c < counts->classes; c++)
            all += hs_count(counts, f, c);
        for (uint32_t c = 0; c < counts->classes; c++) {
            double with = hs_count(counts, f, c), size = counts->class_size[c];
            double others = all - with, rest = (double)counts->instances - size;
            double present = log((with + 1) / (size + 2)) - log((others + 1) / (rest + 2));
            if (counts->classes == 2 ? c == shape->positive_class
                                     : best.label == HSEL_NONE || present > best.present) {
                best.label = c;
                best.present = present;
                best.absent =
                    log((size - with + 1) / (size + 2)) - log((rest - others + 1) / (rest + 2));
            }
        }
        if (best.label != HSEL_NONE && best.present != 0)
            list[length++] = best;
    }
    if (length)
        qsort(list, length, sizeof *list, by_size);
    *count = length;
    *out = hs_take(&list);
    return HSEL_OK;
}

static void put_feature(hs_writer *out, const hsel_dataset *shape, uint32_t f)
{
    char label[HS_LABEL_ROOM];
    hs_writer_printf(out, "%s%s", hsel_dataset_feature_name(shape, f),
                     hs_label_after(&shape->about, f, label));
}

static void put_more(hs_writer *out, uint32_t count)
{
    if (count > SHOWN)
        hs_writer_printf(out, "  and %u more\n", count - SHOWN);
}

static void put_text(const hs_model *model, const hs_dependency *network, uint32_t edges,
                     const hs_telling *terms, uint32_t count, hs_writer *out)
{
    const hs_method *method = model->classifier.method;
    const hs_classifier *classifier = method->classifier;
    const hsel_dataset *shape = model->shape;
    const hs_counts *counts = &model->counts;
    if (classifier->depends && classifier->varies)
        hs_writer_printf(
            out, "network          built for each instance from pairs of dependent features\n"
                 "\n"
                 "bits  feature, feature: for each feature the pair with the most mutual "
                 "information given the class\n");
    else if (classifier->depends)
        hs_writer_printf(
            out,
            "network          %u edges: each feature depends on the class and on those it has an "
            "edge to\n"
            "\n"
            "bits  feature <- feature it depends on, by mutual information given the class\n",
            edges);
    for (uint32_t i = 0; i < edges && i < SHOWN; i++) {
        hs_writer_printf(out, "  %.4f  ", fmax(0, network[i].strength));
        put_feature(out, shape, network[i].feature);
        hs_writer_text(out, classifier->varies ? ", " : " <- ");
        put_feature(out, shape, network[i].on);
        hs_writer_char(out, '\n');
    }
    put_more(out, edges);
    hs_writer_text(out, "\n");
    if (!classifier->terms)
        hs_writer_printf(out, "%s has no weights for single features. ", method->name);
    hs_writer_printf(
        out,
        "What features %s to the log-odds of %s, present and absent, and the instances that "
        "have them:\n",
        classifier->terms ? "add" : "alone would add",
        counts->classes == 2 ? hsel_dataset_class_name(shape, shape->positive_class)
                             : "a class against the rest");
    for (uint32_t i = 0; i < count && i < SHOWN; i++) {
        const hs_telling *t = &terms[i];
        hs_writer_printf(out, "  %+8.4f %+8.4f  ", t->present, t->absent);
        if (counts->classes > 2)
            hs_writer_printf(out, "%s: ", hsel_dataset_class_name(shape, t->label));
        put_feature(out, shape, t->feature);
        for (uint32_t c = 0; c < counts->classes; c++)
            hs_writer_printf(out, "%s %.6g of %.6g %s", c ? "," : ":",
                             (double)hs_count(counts, t->feature, c), (double)counts->class_size[c],
                             hsel_dataset_class_name(shape, c));
        hs_writer_char(out, '\n');
    }
    put_more(out, count);
    if (!count)
        hs_writer_text(out, "  no binary feature separates the classes\n");
    if (!hs_dataset_all_binary(shape))
        hs_writer_text(out, "  features that are not binary are not shown here; hsel explain shows "
                            "what they add for an instance\n");
}

static void put_json(const hs_model *model, const hs_dependency *network, uint32_t edges,
                     const hs_telling *terms, uint32_t count, hs_writer *out)
{
    const hs_classifier *classifier = model->classifier.method->classifier;
    const hsel_dataset *shape = model->shape;
    const hs_counts *counts = &model->counts;
    hs_json json = {.out = out};
    hs_json_put(&json, "{classifier:%s classes:[", model->classifier.method->name);
    for (uint32_t c = 0; c < counts->classes; c++)
        hs_json_text(&json, hsel_dataset_class_name(shape, c));
    hs_json_put(&json, "] instances:[");
    for (uint32_t c = 0; c < counts->classes; c++)
        hs_json_double(&json, counts->class_size[c]);
    hs_json_end_array(&json);
    if (classifier->depends) {
        hs_json_put(&json, "%s:[", classifier->varies ? "pairs" : "network");
        for (uint32_t i = 0; i < edges; i++) {
            hs_json_put(&json, "{feature:%s", hsel_dataset_feature_name(shape, network[i].feature));
            hs_label_json(&json, &shape->about, network[i].feature);
            hs_json_put(&json, "%s:%s bits:%g}", classifier->varies ? "with" : "depends_on",
                        hsel_dataset_feature_name(shape, network[i].on), network[i].strength);
        }
        hs_json_end_array(&json);
    }
    hs_json_put(&json, "terms:[");
    for (uint32_t i = 0; i < count; i++) {
        hs_json_put(&json, "{feature:%s", hsel_dataset_feature_name(shape, terms[i].feature));
        hs_label_json(&json, &shape->about, terms[i].feature);
        hs_json_put(&json, "class:%s present:%g absent:%g instances:[",
                    hsel_dataset_class_name(shape, terms[i].label), terms[i].present,
                    terms[i].absent);
        for (uint32_t c = 0; c < counts->classes; c++)
            hs_json_double(&json, hs_count(counts, terms[i].feature, c));
        hs_json_put(&json, "]}");
    }
    hs_json_put(&json, "]}");
}

int hs_model_describe(const hs_model *model, hs_describe_form form, hs_writer *out,
                      hsel_error *error)
{
    const hs_classifier *classifier = model->classifier.method->classifier;
    HS_OWNED hs_dependency *network = NULL;
    HS_OWNED hs_telling *terms = NULL;
    uint32_t edges = 0, count = 0;
    if (classifier->describe)
        return classifier->describe(hs_model_fitted(model), model->shape, form, out, error);
    HS_TRY(hs_model_network(model, &network, &edges, error));
    HS_TRY(hs_model_telling(model, &terms, &count, error));
    (form == HS_DESCRIBE_TEXT ? put_text : put_json)(model, network, edges, terms, count, out);
    return HSEL_OK;
}

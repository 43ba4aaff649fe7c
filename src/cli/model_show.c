/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Showing what a model learned as a whole: a head, then the classifier's own words. JSON is the
 * classifier's object alone.
 */
#include "cli/model_show.h"

#include <string.h>

#include "classify/classify.h"
#include "core/json.h"

static int text_head(const hs_model *model, hs_writer *out, hsel_error *error)
{
    hs_buf methods = {0};
    uint32_t features = model->shape->features;
    hs_chosen_format(&model->selector, &methods);
    hs_buf_text(&methods, ", ");
    hs_chosen_format(&model->classifier, &methods);
    int status = methods.failed ? hs_fail_memory(error) : HSEL_OK;
    if (status == HSEL_OK) {
        hs_writer_printf(out, "methods          %s\n", methods.text);
        hs_writer_printf(out, "learned from     %u instances of %s\n", model->counts.instances,
                         hsel_dataset_name(model->shape));
        hs_writer_printf(out, "features         %u", features);
        if (model->mask)
            hs_writer_printf(out, ", %zu selected",
                             hs_bits_count(model->mask, hs_bit_words(features)));
        hs_writer_char(out, '\n');
    }
    hs_buf_clear(&methods);
    return status;
}

/* In place of a description, by a classifier that has none. */
static void show_nothing(const hs_model *model, hs_describe_form form, hs_writer *out)
{
    const char *name = model->classifier.method->name;
    hs_json json = {.out = out};
    if (form == HS_DESCRIBE_TEXT) {
        hs_writer_printf(out,
                         "%s has nothing to show as a whole; hsel explain DATA --model MODEL "
                         "--instance ID explains single "
                         "predictions\n",
                         name);
        return;
    }
    hs_json_object(&json);
    hs_json_key(&json, "classifier");
    hs_json_text(&json, name);
    hs_json_key(&json, "description");
    hs_json_null(&json);
    hs_json_end_object(&json);
}

static int describe(const hs_model *model, hs_describe_form form, hs_writer *out, hsel_error *error)
{
    const hs_classifier *classifier = model->classifier.method->classifier;
    int status = form == HS_DESCRIBE_TEXT ? text_head(model, out, error) : HSEL_OK;
    if (status)
        return status;
    if (classifier->describe)
        return classifier->describe(model->classifier_model, model->shape, form, out, error);
    if (form == HS_DESCRIBE_DOT)
        return hs_fail(error, HSEL_EUNSUPPORTED, "%s has nothing to draw",
                       model->classifier.method->name);
    show_nothing(model, form, out);
    return HSEL_OK;
}

static int describe_to(const hs_model *model, hs_describe_form form, const char *path,
                       hsel_error *error)
{
    hs_writer *out = NULL;
    int status = hs_writer_open(path, &out, error);
    if (status)
        return status;
    if (form == HS_DESCRIBE_TEXT)
        hs_writer_for_people(out);
    status = describe(model, form, out, error);
    if (status == HSEL_OK)
        return hs_writer_commit(out, error);
    hs_writer_abandon(out);
    return status;
}

int hs_show_model(const hs_model *model, const char *dot, bool json, hsel_error *error)
{
    int status = dot ? describe_to(model, HS_DESCRIBE_DOT, dot, error) : HSEL_OK;
    if (status || (dot && strcmp(dot, "-") == 0))
        return status;
    return describe_to(model, json ? HS_DESCRIBE_JSON : HS_DESCRIBE_TEXT, "-", error);
}

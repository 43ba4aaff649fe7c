/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Public functions (hsel.h) that write for people and programs: explanations, comparisons,
 * reports. Texts are made in memory by the writers that the command uses.
 */

#include "core/json.h"
#include "evaluate/crossval.h"
#include "hsel/hsel.h"
#include "report/comparison.h"
#include "report/explanation.h"
#include "report/report.h"

#define MOST_METHODS 1000 /* pairs are tested one by one, and each is kept */

/* Finishes a text that was written in memory: *text is the caller's. */
static int finish(hs_writer *out, hs_buf *buffer, char **text, hsel_error *error)
{
    HS_TRY(hs_writer_commit(out, error));
    hs_buf_char(buffer, '\n');
    HS_NEED(!buffer->failed);
    *text = hs_take(&buffer->text);
    return HSEL_OK;
}

int hsel_model_explain(const hsel_model *model, const hsel_dataset *data, uint32_t instance,
                       uint32_t top, const char *form, char **text, hsel_error *error)
{
    HS_OWNS(hs_explanation_clear) hs_explanation explanation = {0};
    hs_error_clear(error);
    if (data->features != model->shape->features || instance >= data->instances)
        return hs_fail(error, HSEL_EUSAGE, "there is no instance %u with the features of the model",
                       instance);
    if (model->selector.method->flags & HS_LAZY)
        HS_TRY(hs_check_rule(data, model->selector.method, false, error));
    HS_TRY(hs_explain(model, data, instance, top, &explanation, error));
    HS_OWNS(hs_buf_clear) hs_buf buffer = {0};
    HS_OWNS(hs_writer_release) hs_writer *out = NULL;
    HS_TRY(hs_writer_open_memory(&buffer, &out, error));
    if (strcmp(form, "json") == 0)
        HS_TRY(hs_explanation_json(&explanation, out, error));
    else if (strcmp(form, "text") == 0)
        HS_TRY(hs_explanation_text(&explanation, false, out, error));
    else if (strcmp(form, "dot") == 0)
        hs_explanation_dot(&explanation, out);
    else
        return hs_fail(error, HSEL_EUSAGE, "an explanation is text, json or dot, not '%.80s'",
                       form);
    return finish(hs_take(&out), &buffer, text, error);
}

int hsel_compare(const hsel_compare_request *request, char **json, char **text, hsel_error *error)
{
    hs_error_clear(error);
    if (request->methods < 1 || request->datasets < 1 || request->methods > MOST_METHODS)
        return hs_fail(error, HSEL_EUSAGE,
                       "a comparison takes 1 to %d methods on one data set or more", MOST_METHODS);
    if (request->control != HSEL_NONE && request->control >= request->methods)
        return hs_fail(error, HSEL_EUSAGE, "the control is not one of the methods");
    if (!(request->alpha > 0 && request->alpha <= 0.5))
        return hs_fail(error, HSEL_EUSAGE, "alpha is above 0 and at most 0.5, not %g",
                       request->alpha);
    if (!(request->tolerance >= 0))
        return hs_fail(error, HSEL_EUSAGE, "the tolerance is 0 or more, not %g",
                       request->tolerance);
    HS_OWNS(hs_comparison_clear) hs_comparison comparison = {0};
    HS_OWNED const char **names =
        HS_NEW(const char *, (size_t)request->methods + request->datasets);
    HS_NEED(names);
    const char *name = request->method_names;
    for (uint32_t i = 0; i < request->methods; i++, name += strlen(name) + 1)
        names[i] = name;
    name = request->dataset_names;
    for (uint32_t i = 0; i < request->datasets; i++, name += strlen(name) + 1)
        names[request->methods + i] = name;
    HS_TRY(hs_comparison_make(
        &(hs_comparison_request){.results = {request->datasets, request->methods, request->value,
                                             request->lower_is_better != 0},
                                 .methods = names,
                                 .datasets = names + request->methods,
                                 .control =
                                     request->control == HSEL_NONE ? SIZE_MAX : request->control,
                                 .alpha = request->alpha,
                                 .tolerance = request->tolerance,
                                 .one_sided = request->one_sided != 0,
                                 .keep_zeros = request->keep_zeros != 0},
        &comparison, error));
    HS_OWNED char *made = NULL;
    for (int as_text = 0; as_text < 2; as_text++) {
        HS_OWNS(hs_buf_clear) hs_buf buffer = {0};
        HS_OWNS(hs_writer_release) hs_writer *out = NULL;
        if (!(as_text ? text : json))
            continue;
        HS_TRY(hs_writer_open_memory(&buffer, &out, error));
        HS_TRY(as_text ? hs_comparison_print(&comparison, out, error)
                       : hs_comparison_json(&comparison, &(hs_json){.out = out}, error));
        HS_TRY(finish(hs_take(&out), &buffer, as_text ? text : &made, error));
    }
    if (json)
        *json = hs_take(&made);
    return HSEL_OK;
}

int hsel_report(const char *store, const char *study, const char *format, const char *charts,
                const char *path, hsel_error *error)
{
    HS_OWNS(hs_report_clear) hs_report report = {0};
    const struct hs_report_form *form = hs_report_forms;
    hs_error_clear(error);
    while (form->name && strcmp(form->name, format) != 0)
        form++;
    if (!form->name)
        return hs_fail(error, HSEL_EUSAGE, "a report is html, text, csv or latex, not '%.80s'",
                       format);
    HS_TRY(hs_report_make(&(hs_report_request){.store = store,
                                               .study = study,
                                               .charts = charts,
                                               .details = form->format == HS_REPORT_HTML},
                          &report, error));
    HS_OPEN(out, path);
    HS_TRY(hs_report_write(&report, form->format, out, error));
    return hs_writer_commit(hs_take(&out), error);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The part of the flat surface that writes for people and programs: explanations,
 * comparisons, reports. Texts are made in memory by the writers that the command uses.
 */
#include <string.h>

#include "core/json.h"
#include "core/mem.h"
#include "evaluate/crossval.h"
#include "hsel/hsel.h"
#include "report/comparison.h"
#include "report/explain_show.h"
#include "report/report.h"

#define MOST_METHODS 1000 /* pairs are tested one by one, and each is kept */

/* Ends a text in memory: *text is the caller's, or everything is freed. */
static int finish(hs_writer *out, hs_buf *buffer, int status, char **text, hsel_error *error)
{
    if (status == HSEL_OK)
        status = hs_writer_commit(out, error);
    else
        hs_writer_abandon(out);
    if (status == HSEL_OK)
        hs_buf_char(buffer, '\n');
    if (status == HSEL_OK && buffer->failed)
        status = hs_fail_memory(error);
    if (status)
        hs_buf_clear(buffer);
    else
        *text = buffer->text;
    return status;
}

/* ---- explanations ---- */

static int write_explanation(const hs_explanation *explanation, const char *form, hs_writer *out,
                             hsel_error *error)
{
    hs_arena arena = {0};
    int status = HSEL_OK;
    if (strcmp(form, "json") == 0)
        status = hs_explanation_json(explanation, out, error);
    else if (strcmp(form, "dot") == 0)
        hs_explanation_dot(explanation, out);
    else if (strcmp(form, "text") == 0)
        status = hs_explanation_text(explanation, false, &arena, out, error);
    else
        status =
            hs_fail(error, HSEL_EUSAGE, "an explanation is text, json or dot, not '%.80s'", form);
    hs_arena_clear(&arena);
    return status;
}

int hsel_model_explain(const hsel_model *model, const hsel_dataset *data, uint32_t instance,
                       uint32_t top, const char *form, char **text, hsel_error *error)
{
    hs_explanation explanation = {0};
    hs_buf buffer = {0};
    hs_writer *out = NULL;
    hs_error_clear(error);
    if (data->features != model->shape->features || instance >= data->instances)
        return hs_fail(error, HSEL_EUSAGE, "there is no instance %u with the features of the model",
                       instance);
    int status = model->selector.method->flags & HS_LAZY
                     ? hs_check_rule(data, model->selector.method, false, error)
                     : HSEL_OK;
    if (status == HSEL_OK)
        status = hs_explain(model, data, instance, top, &explanation, error);
    if (status == HSEL_OK && (status = hs_writer_open_memory(&buffer, &out, error)) == HSEL_OK)
        status =
            finish(out, &buffer, write_explanation(&explanation, form, out, error), text, error);
    hs_explanation_clear(&explanation);
    return status;
}

/* ---- comparisons ---- */

static int split_names(const char *list, uint32_t count, const char ***out, hsel_error *error)
{
    const char **names = HS_NEW(const char *, count);
    if (!names)
        return hs_fail_memory(error);
    for (uint32_t i = 0; i < count; i++, list += strlen(list) + 1)
        names[i] = list;
    *out = names;
    return HSEL_OK;
}

static int comparison_json(const hs_comparison *comparison, char **text, hsel_error *error)
{
    hs_buf buffer = {0};
    hs_writer *out = NULL;
    int status = hs_writer_open_memory(&buffer, &out, error);
    if (status)
        return status;
    hs_json json = {.out = out};
    return finish(out, &buffer, hs_comparison_json(comparison, &json, error), text, error);
}

static int comparison_text(const hs_comparison *comparison, char **text, hsel_error *error)
{
    hs_buf buffer = {0};
    hs_writer *out = NULL;
    int status = hs_writer_open_memory(&buffer, &out, error);
    if (status)
        return status;
    return finish(out, &buffer, hs_comparison_print(comparison, out, error), text, error);
}

static int check_compare(const hsel_compare_request *request, hsel_error *error)
{
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
    return HSEL_OK;
}

int hsel_compare(const hsel_compare_request *request, char **json, char **text, hsel_error *error)
{
    const char **methods = NULL, **datasets = NULL;
    hs_comparison comparison = {0};
    hs_error_clear(error);
    int status = check_compare(request, error);
    if (status == HSEL_OK)
        status = split_names(request->method_names, request->methods, &methods, error);
    if (status == HSEL_OK)
        status = split_names(request->dataset_names, request->datasets, &datasets, error);
    hs_comparison_request wanted = {.results = {request->datasets, request->methods, request->value,
                                                request->lower_is_better != 0},
                                    .methods = methods,
                                    .datasets = datasets,
                                    .control =
                                        request->control == HSEL_NONE ? SIZE_MAX : request->control,
                                    .alpha = request->alpha,
                                    .tolerance = request->tolerance,
                                    .one_sided = request->one_sided != 0,
                                    .keep_zeros = request->keep_zeros != 0};
    if (status == HSEL_OK)
        status = hs_comparison_make(&wanted, &comparison, error);
    if (status == HSEL_OK && json)
        status = comparison_json(&comparison, json, error);
    if (status == HSEL_OK && text && (status = comparison_text(&comparison, text, error)) && json) {
        hs_free(*json);
        *json = NULL;
    }
    hs_comparison_clear(&comparison);
    hs_free(methods);
    hs_free(datasets);
    return status;
}

/* ---- reports ---- */

static int format_of(const char *name, hs_report_format *out, hsel_error *error)
{
    static const char *const names[] = {[HS_REPORT_HTML] = "html",
                                        [HS_REPORT_TEXT] = "text",
                                        [HS_REPORT_CSV] = "csv",
                                        [HS_REPORT_LATEX] = "latex"};
    for (int i = 0; i < (int)(sizeof names / sizeof names[0]); i++)
        if (strcmp(names[i], name) == 0) {
            *out = (hs_report_format)i;
            return HSEL_OK;
        }
    return hs_fail(error, HSEL_EUSAGE, "a report is html, text, csv or latex, not '%.80s'", name);
}

int hsel_report(const char *store, const char *study, const char *format, const char *charts,
                const char *path, hsel_error *error)
{
    hs_report report = {0};
    hs_report_format form = HS_REPORT_HTML;
    hs_writer *out = NULL;
    hs_error_clear(error);
    int status = format_of(format, &form, error);
    if (status == HSEL_OK)
        status = hs_report_make(&(hs_report_request){.store = store,
                                                     .study = study,
                                                     .charts = charts,
                                                     .details = form == HS_REPORT_HTML},
                                &report, error);
    if (status == HSEL_OK)
        status = hs_writer_open(path, &out, error);
    if (status == HSEL_OK) {
        if ((status = hs_report_write(&report, form, out, error)) == HSEL_OK)
            status = hs_writer_commit(out, error);
        else
            hs_writer_abandon(out);
    }
    hs_report_clear(&report);
    return status;
}

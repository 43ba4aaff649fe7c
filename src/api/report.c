/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What hsel.h offers on studies: the one file of this folder that libhsel-study has and libhsel has
 * not.
 */
#include "api/api.h"
#include "study/report/report.h"

int hsel_report(const hsel_report_request *given, hsel_error *error)
{
    HS_OWNS(hs_report_clear) hs_report report = {0};
    HS_OWNS(hs_writer_release) hs_writer *out = NULL;
    const struct hs_report_form *form = hs_report_forms;
    hsel_report_request request;
    HS_TRY(HS_REQUEST_TAKE(given, &request, hsel_report_request, error));
    HS_REFUSE(!request.store || !request.path, "a report needs a store and a path");
    const char *format = request.format ? request.format : "html";
    while (form->name && strcmp(form->name, format) != 0)
        form++;
    HS_REFUSE(!form->name, "unknown report format '%.80s': use html, text, csv, latex or curves",
              format);
    HS_TRY(hs_report_make(&(hs_report_request){.store = request.store,
                                               .study = request.study,
                                               .charts = request.charts,
                                               .page = request.path,
                                               .details = form->format == HS_REPORT_HTML ||
                                                          form->format == HS_REPORT_CURVES},
                          &report, error));
    HS_TRY(hs_writer_open(request.path, &out, error));
    HS_TRY(hs_report_write(&report, form->format, out, error));
    return hs_writer_commit(hs_take(&out), error);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reports to test on: see report_world.h.
 */
#include "support/report_world.h"

#include <stdio.h>
#include <string.h>

#include "support/cmocka.h"

const char hs_report_study[] = "name: small\ntitle: A small one\n" REPORT_DATASETS
                               "selectors: [none, hip, rpv, \"shsel:threshold={0.9,0.95,1}\"]\n"
                               "classifiers: [nb, \"knn:k=3\"]\n"
                               "folds: {count: 4, repeats: 2, seed: 5}\n"
                               "metrics: [gm, accuracy]\n"
                               "compare: {control: rpv}\n"
                               "best-of: {selector: shsel, metric: accuracy}\n";

void hs_report_world_new(hs_report_world *w, const hs_sample *sample)
{
    hs_folder_new(&w->folder);
    snprintf(w->store, sizeof w->store, "%s", hs_folder_file(&w->folder, "s.db"));
    if (sample)
        hs_sample_run(sample, w->store);
}

void hs_report_world_make(hs_report_world *w, const hs_report_request *how)
{
    hs_report_request request = how ? *how : (hs_report_request){0};
    hsel_error error = {0};
    request.store = w->store;
    request.details = true;
    assert_ok(hs_report_make(&request, &w->report, &error), error);
}

void hs_report_world_file(hs_report_world *w, const char *name, const char *text)
{
    FILE *file = fopen(hs_folder_file(&w->folder, name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

void hs_report_world_free(hs_report_world *w)
{
    hs_report_clear(&w->report);
    hs_folder_free(&w->folder);
}

hs_buf hs_report_world_text(const hs_report_world *w, hs_report_format format)
{
    hs_buf text = {0};
    hs_writer *out = NULL;
    hsel_error error = {0};
    assert_ok(hs_writer_open_memory(&text, &out, &error), error);
    assert_ok(hs_report_write(&w->report, format, out, &error), error);
    assert_ok(hs_writer_commit(out, &error), error);
    return text;
}

void hs_assert_contains(const hs_buf *text, const char *part)
{
    if (!strstr(text->text, part))
        fail_msg("'%s' is not in:\n%.3000s", part, text->text);
}

void hs_assert_lacks(const hs_buf *text, const char *part)
{
    if (strstr(text->text, part))
        fail_msg("'%s' is in the text", part);
}

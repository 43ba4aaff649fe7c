/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A store with a sample study in a temporary folder, and the report about it: what tests of reports
 * work on. Everything here fails the running cmocka test if something goes wrong.
 */
#ifndef HS_TESTS_REPORT_WORLD_H
#define HS_TESTS_REPORT_WORLD_H

#include "study/report/report.h"
#include "support/folder.h"
#include "support/sample_study.h"

/* Three data sets, as a part of a study's text. */
#define REPORT_DATASETS                                                                            \
    "datasets:\n"                                                                                  \
    "  - {name: alpha, generate: \"ontology:instances=48,features=20,positives=5,signal=0.7\", "   \
    "seed: 1}\n"                                                                                   \
    "  - {name: beta, generate: "                                                                  \
    "\"ontology:instances=60,features=24,positives=5,largest-class=0.7\", seed: 2}\n"              \
    "  - {name: gamma, generate: \"ontology:instances=50,features=22,positives=5\", seed: 3}\n"

/* A study of them: a sweep among four selectors, two classifiers, 4 folds, 2 repeats, 2 metrics. */
extern const char hs_report_study[];

typedef struct hs_report_world {
    hs_folder folder;
    char store[128];
    hs_report report;
} hs_report_world;

/* Without a sample there is no store yet. */
void hs_report_world_new(hs_report_world *w, const hs_sample *sample);
/* Makes the report, with details; the rest of the request may be given. */
void hs_report_world_make(hs_report_world *w, const hs_report_request *how);
/* Writes a file into the folder. */
void hs_report_world_file(hs_report_world *w, const char *name, const char *text);
void hs_report_world_free(hs_report_world *w);
/* The report in a format; free with hs_buf_clear. */
hs_buf hs_report_world_text(const hs_report_world *w, hs_report_format format);

void hs_assert_contains(const hs_buf *text, const char *part);
void hs_assert_lacks(const hs_buf *text, const char *part);

#endif

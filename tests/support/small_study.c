/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The small study: see small_study.h.
 */
#include "support/small_study.h"

#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "study/export.h"
#include "support/cmocka.h"

void hs_small_study_dataset(hs_small_study *study, const char *name, const char *path,
                            const char *generate, uint64_t seed)
{
    study->datasets[study->study.dataset_count++] = (hs_study_dataset){
        .name = name, .path = path, .generate = generate, .prepare = "", .seed = seed};
}

void hs_small_study_classifier(hs_small_study *study, const char *text)
{
    study->classifiers[study->study.classifier_count++] =
        (hs_study_method){.text = text, .family = text, .label = text};
}

void hs_small_study_selector(hs_small_study *study, const char *text)
{
    study->selectors[study->study.selector_count++] =
        (hs_study_method){.text = text, .family = text, .label = text};
}

static void write_flat(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs("a,b,c,class\n", file) >= 0);
    for (int i = 0; i < 24; i++)
        assert_true(
            fprintf(file, "%d,%d,%d,%s\n", i % 2, i / 2 % 2, i / 5 % 2, i % 3 ? "yes" : "no") > 0);
    assert_int_equal(fclose(file), 0);
}

void hs_small_study_new(hs_small_study *out, const char *folder)
{
    static const hs_metric metrics[] = {HS_METRIC_GM, HS_METRIC_AUROC, HS_METRIC_ACCURACY};
    static const char *const selectors[] = {"none", "rpv", "hip", "shsel:threshold=0.9"};
    memset(out, 0, sizeof *out);
    snprintf(out->flat, sizeof out->flat, "%s/flat.csv", folder);
    write_flat(out->flat);
    out->study = (hs_study){.file = "small.yaml",
                            .name = "small",
                            .title = "A small study",
                            .datasets = out->datasets,
                            .selectors = out->selectors,
                            .classifiers = out->classifiers,
                            .scheme = "own",
                            .folds = 5,
                            .repeats = 2,
                            .seed = 11,
                            .metric_count = sizeof metrics / sizeof metrics[0],
                            .alpha = 0.05};
    memcpy(out->study.metrics, metrics, sizeof metrics);
    hs_small_study_dataset(out, "one", NULL, "ontology:instances=40,features=30,positives=6", 3);
    hs_small_study_dataset(out, "two", NULL,
                           "ontology:instances=31,features=50,positives=8,classes=3", 4);
    hs_small_study_dataset(out, "flat", out->flat, NULL, 0);
    for (size_t i = 0; i < sizeof selectors / sizeof selectors[0]; i++)
        hs_small_study_selector(out, selectors[i]);
    hs_small_study_classifier(out, "nb");
    hs_small_study_classifier(out, "knn:k=3");
}

char *hs_small_study_table(const hs_study *study, const char *path)
{
    hsel_error error = {0};
    hs_store *store = NULL;
    hs_buf table = {0};
    hs_writer *writer = NULL;
    assert_ok(hs_store_open(path, HS_STORE_READ, false, &store, &error), error);
    assert_ok(hs_writer_open_memory(&table, &writer, &error), error);
    assert_ok(hs_study_export(study, store, writer, &error), error);
    assert_ok(hs_writer_commit(writer, &error), error);
    hs_store_close(store);
    assert_non_null(table.text);
    return table.text;
}

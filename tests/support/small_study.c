/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The small study: see small_study.h.
 */
#include "support/small_study.h"

#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "study/report/report.h"
#include "support/cmocka.h"

void hs_small_study_dataset(hs_small_study *study, const char *name, const char *path,
                            const char *generate, uint64_t seed)
{
    study->datasets[study->study.dataset_count++] = (hs_study_dataset){
        .name = name, .path = path, .generate = generate, .prepare = "", .seed = seed};
}

static hs_study_method method_of(hs_small_study *study, hs_kind kind, const char *text)
{
    hsel_error error = {0};
    hs_chosen_list *chosen = &study->study.chosen[kind];
    assert_ok(hs_chosen_list_add(chosen, kind, text, &error), error);
    return (hs_study_method){.text = text,
                             .family = text,
                             .label = text,
                             .method = chosen->items[chosen->count - 1].method};
}

void hs_small_study_classifier(hs_small_study *study, const char *text)
{
    study->classifiers[study->study.classifier_count++] = method_of(study, HS_CLASSIFIER, text);
}

void hs_small_study_selector(hs_small_study *study, const char *text)
{
    study->selectors[study->study.selector_count++] = method_of(study, HS_SELECTOR, text);
}

void hs_small_study_ranker(hs_small_study *study, const char *text)
{
    study->study.rankers = study->rankers;
    study->rankers[study->study.ranker_count++] = method_of(study, HS_RANKER, text);
}

/* The scores of a ranker, or its message, as one text. */
static void add_ranking(hs_store *store, const char *dataset, const char *ranker, hs_buf *out,
                        size_t *count)
{
    hsel_error error = {0};
    hs_stored_dataset data;
    hs_job_state state;
    double scores[64];
    char *message;
    assert_ok(hs_store_find_dataset(store, dataset, &data, &error), error);
    assert_true(data.id >= 0 && data.features <= 64);
    assert_ok(hs_store_get_ranking(store, data.id, ranker, data.features, scores, &state, &message,
                                   &error),
              error);
    assert_int_not_equal(state, HS_JOB_NONE);
    assert_int_equal(state == HS_JOB_UNFIT, message != NULL);
    *count += state == HS_JOB_OK;
    hs_buf_printf(out, "%s %s %s", dataset, ranker, message ? message : "");
    for (uint32_t f = 0; f < data.features && state == HS_JOB_OK; f++)
        hs_buf_printf(out, " %a", scores[f]);
    hs_free(message);
    hs_stored_dataset_clear(&data);
}

size_t hs_small_study_same_rankings(const hs_study *study, const char *path, const char *other)
{
    hsel_error error = {0};
    hs_buf text[2] = {{0}, {0}};
    size_t count[2] = {0};
    for (int i = 0; i < 2; i++) {
        hs_store *store = NULL;
        assert_ok(hs_store_open(i ? other : path, HS_STORE_READ, false, &store, &error), error);
        assert_ok(hs_store_use(store, study, &error), error);
        for (size_t d = 0; d < study->dataset_count; d++)
            for (size_t r = 0; r < study->ranker_count; r++)
                add_ranking(store, study->datasets[d].name, study->rankers[r].text, &text[i],
                            &count[i]);
        hs_store_close(store);
    }
    assert_string_equal(text[0].text, text[1].text);
    hs_buf_clear(&text[0]);
    hs_buf_clear(&text[1]);
    return count[0];
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

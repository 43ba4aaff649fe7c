/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Getting a data set of a study ready for its units.
 */
#include <string.h>

#include "core/mem.h"
#include "evaluate/crossval.h"
#include "evaluate/fold_file.h"
#include "format/load.h"
#include "generate/generate.h"
#include "rank/rank.h"
#include "study/unit.h"

/* ---- methods ---- */

static int parse_all(hs_kind kind, const hs_study_method *texts, size_t count, hs_chosen **out,
                     size_t *done, hsel_error *error)
{
    int status = HSEL_OK;
    if (!(*out = HS_NEW_ZERO(hs_chosen, count)))
        return hs_fail_memory(error);
    for (*done = 0; *done < count && status == HSEL_OK;)
        if ((status = kind == HS_RANKER ? hs_ranker_parse(texts[*done].text, &(*out)[*done], error)
                                        : hs_chosen_parse(kind, texts[*done].text, &(*out)[*done],
                                                          error)) == HSEL_OK)
            ++*done;
    return status;
}

int hs_run_methods_parse(const hs_study *study, hs_run_methods *out, hsel_error *error)
{
    int status = parse_all(HS_SELECTOR, study->selectors, study->selector_count, &out->selectors,
                           &out->selector_count, error);
    if (status == HSEL_OK)
        status = parse_all(HS_CLASSIFIER, study->classifiers, study->classifier_count,
                           &out->classifiers, &out->classifier_count, error);
    if (status == HSEL_OK)
        status = parse_all(HS_RANKER, study->rankers, study->ranker_count, &out->rankers,
                           &out->ranker_count, error);
    if (status)
        hs_run_methods_clear(out);
    return status;
}

void hs_run_methods_clear(hs_run_methods *methods)
{
    for (size_t i = 0; i < methods->selector_count; i++)
        hs_chosen_clear(&methods->selectors[i]);
    for (size_t i = 0; i < methods->classifier_count; i++)
        hs_chosen_clear(&methods->classifiers[i]);
    for (size_t i = 0; i < methods->ranker_count; i++)
        hs_chosen_clear(&methods->rankers[i]);
    hs_free(methods->selectors);
    hs_free(methods->classifiers);
    hs_free(methods->rankers);
    *methods = (hs_run_methods){0};
}

/* ---- the data ---- */

static int generate(const hs_study_dataset *set, hsel_dataset **out, hsel_error *error)
{
    hs_chosen chosen = {0};
    int status = hs_chosen_parse(HS_GENERATOR, set->generate, &chosen, error);
    if (status == HSEL_OK)
        status = chosen.method->generator->generate(chosen.options, set->seed, out, error);
    hs_chosen_clear(&chosen);
    return status;
}

int hs_workload_plan(const hs_study *study, size_t index, const hs_run_methods *methods,
                     hs_workload *out, hsel_error *error)
{
    const hs_study_dataset *set = &study->datasets[index];
    hs_chosen chosen = {0};
    int status = HSEL_OK;
    if (!set->generate || strncmp(study->scheme, "file:", 5) == 0)
        return hs_workload_open(study, index, methods, out, error);
    *out = (hs_workload){
        .study = study, .methods = methods, .index = index, .fold_count = study->folds};
    if (strcmp(study->scheme, "loo") == 0) {
        status = hs_chosen_parse(HS_GENERATOR, set->generate, &chosen, error);
        const hs_option *size =
            status ? NULL : hs_option_find(chosen.method->options, "instances", 9);
        if (size && size->type == HS_OPT_U32)
            memcpy(&out->fold_count, (const char *)chosen.options + size->offset, sizeof(uint32_t));
    }
    hs_chosen_clear(&chosen);
    return status;
}

/* The study's name for it is the one that counts. */
int hs_study_load(const hs_study_dataset *set, hsel_dataset **out, hsel_error *error)
{
    int status = set->generate ? generate(set, out, error)
                               : hsel_dataset_read(set->path, set->prepare, out, error);
    if (status)
        return status;
    char *name = hs_strdup(set->name);
    if (!name)
        return hs_fail_memory(error);
    hs_free((*out)->name);
    (*out)->name = name;
    return HSEL_OK;
}

static bool has_fold_file(const hs_study *study) { return strncmp(study->scheme, "file:", 5) == 0; }

static int make_folds(hs_workload *work, hsel_error *error)
{
    const hs_study *study = work->study;
    int status = HSEL_OK;
    if (!(work->folds = HS_NEW_ZERO(hs_folds, study->repeats)))
        return hs_fail_memory(error);
    for (uint32_t r = 0; r < study->repeats && status == HSEL_OK; r++)
        status = hs_folds_choose(study->scheme, work->data, study->folds, study->seed + r,
                                 &work->folds[r], error);
    if (status == HSEL_OK)
        work->fold_count = work->folds[0].count;
    return status;
}

static void drop_folds(hs_workload *work)
{
    for (uint32_t r = 0; work->folds && r < work->study->repeats; r++)
        hs_folds_clear(&work->folds[r]);
    hs_free(work->folds);
    work->folds = NULL;
}

/* ---- what fits ---- */

static int set_unfit(hs_workload *work, size_t selector, size_t classifier, const char *message,
                     hsel_error *error)
{
    const char **slot = &work->unfit[selector * work->methods->classifier_count + classifier];
    *slot = hs_arena_text(&work->arena, message, strlen(message));
    return *slot ? HSEL_OK : hs_fail_memory(error);
}

/* Into the table, unless memory ran out. */
static int note_unfit(hs_workload *work, size_t selector, size_t classifier, int status,
                      const hsel_error *why, hsel_error *error)
{
    if (status == HSEL_OK)
        return HSEL_OK;
    return status == HSEL_ENOMEM ? hs_fail_memory(error)
                                 : set_unfit(work, selector, classifier, why->message, error);
}

static int check_selector(hs_workload *work, size_t s, hsel_error *error)
{
    const hs_run_methods *methods = work->methods;
    const hs_method *selector = methods->selectors[s].method;
    hsel_error why;
    int alone = hs_check_methods(work->data, selector, NULL, work->study->allow_violations, &why);
    int status = HSEL_OK;
    for (size_t c = 0; c < methods->classifier_count && status == HSEL_OK; c++) {
        const hs_method *classifier = methods->classifiers[c].method;
        int pair = alone;
        if (pair == HSEL_OK)
            pair = hs_check_method(work->data, classifier, &why);
        if (pair == HSEL_OK)
            pair = hs_check_pair(selector, classifier, &why);
        status = note_unfit(work, s, c, pair, &why, error);
    }
    return status;
}

static int nothing_fits(hs_workload *work, const hsel_error *why, hsel_error *error)
{
    bool loo = strcmp(work->study->scheme, "loo") == 0;
    int status = HSEL_OK;
    drop_folds(work);
    work->fold_count = loo ? work->data->instances : work->study->folds;
    for (size_t s = 0; s < work->methods->selector_count; s++)
        for (size_t c = 0; c < work->methods->classifier_count && status == HSEL_OK; c++)
            status = set_unfit(work, s, c, why->message, error);
    return status;
}

static int check_all(hs_workload *work, hsel_error *error)
{
    size_t pairs = work->methods->selector_count * work->methods->classifier_count;
    hsel_error why;
    if (!(work->unfit = HS_NEW_ZERO(const char *, pairs)))
        return hs_fail_memory(error);
    int status = make_folds(work, &why);
    if (status == HSEL_ENOMEM || (status && has_fold_file(work->study))) {
        if (error)
            *error = why;
        return status;
    }
    if (status)
        return nothing_fits(work, &why, error);
    for (size_t s = 0; s < work->methods->selector_count && status == HSEL_OK; s++)
        status = check_selector(work, s, error);
    return status;
}

/* ---- all together ---- */

int hs_workload_open(const hs_study *study, size_t index, const hs_run_methods *methods,
                     hs_workload *out, hsel_error *error)
{
    *out = (hs_workload){.study = study, .methods = methods, .index = index};
    int status = hs_study_load(&study->datasets[index], &out->data, error);
    if (status == HSEL_OK) {
        hs_view all = hs_view_all(out->data);
        out->fingerprint = hs_dataset_fingerprint(out->data);
        status = hs_counts_of(&all, &out->whole, error);
    }
    if (status == HSEL_OK)
        status = check_all(out, error);
    if (status)
        hs_workload_clear(out);
    return status;
}

void hs_workload_clear(hs_workload *work)
{
    if (!work->study)
        return;
    drop_folds(work);
    hs_free(work->unfit);
    hs_counts_clear(&work->whole);
    hsel_dataset_free(work->data);
    hs_arena_clear(&work->arena);
    *work = (hs_workload){0};
}

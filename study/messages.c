/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages between the processes of a cluster: a kind, then numbers and lists whose lengths follow
 * from the numbers before them. All processes are the same program on machines of one kind, so
 * numbers are sent as they are in memory. */
#include <string.h>

#include "study/runner_parts.h"

hs_transfer hs_message_begin(hs_buf *out, uint32_t kind)
{
    out->length = 0;
    hs_buf_add(out, (const char *)&kind, sizeof kind);
    return (hs_transfer){.text = out};
}

uint32_t hs_message_kind(hs_transfer *m)
{
    uint32_t kind;
    const hs_file_field field[] = {HS_VALUE(kind, HS_ANY), {.size = 0}};
    return hs_fields(m, field, NULL) == HSEL_OK ? kind : HS_MESSAGE_STOP;
}

/* A line with its NUL. */
static int text(hs_transfer *m, const char **line, hsel_error *error)
{
    size_t length = hs_reads(m) ? 0 : strlen(*line) + 1;
    HS_FIELDS(m, HS_VALUE(length, 1, (double)SIZE_MAX));
    HS_FIELDS(m, HS_LIST(*line, length, HS_ANY));
    return (*line)[length - 1] == '\0' ? HSEL_OK : HSEL_EFORMAT;
}

int hs_message_state(hs_transfer *m, uint32_t kind, uint32_t *number, const char **why,
                     hsel_error *error)
{
    HS_FIELDS(m, HS_VALUE(*number, 1, 1 << 20));
    return kind == HS_MESSAGE_FAILED ? text(m, why, error) : HSEL_OK;
}

int hs_message_work(hs_transfer *m, const hs_study *study, uint32_t *index, uint64_t *fingerprint,
                    uint32_t *count, hsel_error *error)
{
    HS_FIELDS(m, HS_VALUE(*index, HS_BELOW(study->dataset_count)), HS_VALUE(*fingerprint, HS_ANY),
              HS_VALUE(*count, 0, (double)m->left));
    return HSEL_OK;
}

int hs_message_unit(hs_transfer *m, const hs_study *study, uint32_t folds, hs_unit *unit,
                    hsel_error *error)
{
    const size_t of_kind[HS_UNIT_KINDS] = {[HS_UNIT_TESTS] = study->selector_count,
                                           [HS_UNIT_RANKS] = 1,
                                           [HS_UNIT_SIMULATES] = study->draw_count,
                                           [HS_UNIT_CHOOSES] = study->auto_count};
    size_t known;
    HS_FIELDS(m, HS_VALUE(unit->kind, HS_BELOW(HS_UNIT_KINDS)));
    HS_FIELDS(m, HS_VALUE(unit->repeat, HS_BELOW(study->repeats)),
              HS_VALUE(unit->fold, HS_BELOW(folds)),
              HS_VALUE(unit->selector, HS_BELOW(of_kind[unit->kind])));
    hs_unit_methods(study, unit, &known);
    HS_FIELDS(m, HS_VALUE(unit->method_count, 0, (double)known));
    HS_FIELDS(m, HS_LIST(unit->methods, unit->method_count, HS_BELOW(known)));
    return HSEL_OK;
}

int hs_message_result(hs_transfer *m, const hs_study *study, const struct hs_run_set *sets,
                      uint32_t *index, hs_unit *unit, hs_unit_result *r, hsel_error *error)
{
    size_t known;
    HS_FIELDS(m, HS_VALUE(*index, HS_BELOW(study->dataset_count)));
    HS_TRY(hs_message_unit(m, study, sets ? sets[*index].folds : 0, unit, error));
    const hs_study_method *methods = hs_unit_methods(study, unit, &known);
    if (hs_reads(m)) {
        *r = (hs_unit_result){.job_count = unit->method_count,
                              .jobs = hs_arena_zero(m->arena, unit->method_count, sizeof *r->jobs)};
        HS_NEED(r->jobs);
    }
    bool selected = r->instances != NULL;
    HS_FIELDS(m, HS_VALUE(r->tested, 0, HS_INSTANCES_LIMIT),
              HS_VALUE(r->features, 0, HS_FEATURES_LIMIT),
              HS_VALUE(r->classes, 0, HS_CLASSES_LIMIT), HS_VALUE(r->width, HS_ANY),
              HS_VALUE(r->select_seconds, HS_ANY), HS_VALUE(selected, 0, 1));
    if (selected) {
        HS_FIELDS(m, HS_LIST(r->instances, r->tested, HS_ANY),
                  HS_LIST(r->selected, r->tested, HS_ANY),
                  HS_LIST(r->frequency, r->features, HS_ANY), HS_VALUE(r->probed_length, HS_ANY));
        HS_FIELDS(m, HS_LIST(r->probed, r->probed_length, HS_ANY));
    }
    const bool tests = unit->kind == HS_UNIT_TESTS || unit->kind == HS_UNIT_CHOOSES;
    const uint64_t values = tests ? (uint64_t)r->tested * r->classes : r->width;
    const uint64_t scores = (uint64_t)r->tested * hs_score_width(r->classes);
    for (size_t i = 0; i < r->job_count; i++) {
        hs_job_result *job = &r->jobs[i];
        bool done = job->values != NULL;
        job->method = hs_method_key(&methods[unit->methods[i]]);
        HS_FIELDS(m, HS_VALUE(job->seconds, HS_ANY), HS_VALUE(done, 0, 1));
        if (done)
            HS_FIELDS(m, HS_LIST(job->values, values, HS_ANY), HS_VALUE(job->chosen, HS_ANY));
        if (done && tests)
            HS_FIELDS(m, HS_LIST(job->score, scores, HS_ANY));
        if (!done) {
            HS_FIELDS(m, HS_VALUE(job->unfit, 0, 1));
            HS_TRY(text(m, &job->message, error));
        }
    }
    return HSEL_OK;
}

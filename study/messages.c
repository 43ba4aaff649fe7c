/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages between the processes of a cluster, as bytes: a kind, then numbers of eight bytes and
 * arrays whose lengths follow from the numbers before them. All processes are the same program on
 * machines of one kind, so numbers go as they lie in memory. One list of fields serves writing and
 * reading.
 */
#include <string.h>

#include "study/runner_parts.h"

static void bytes(hs_message *m, void *field, size_t length)
{
    if (m->out) {
        hs_buf_add(m->out, field, length);
        return;
    }
    m->failed = m->failed || m->length - m->at < length;
    if (m->failed) {
        memset(field, 0, length);
        return;
    }
    memcpy(field, m->bytes + m->at, length);
    m->at += length;
}

uint64_t hs_message_u64(hs_message *m, uint64_t value, uint64_t limit)
{
    bytes(m, &value, sizeof value);
    m->failed = m->failed || (!m->out && value > limit);
    return m->failed ? 0 : value;
}

/* `count` elements: those given are written, or a copy of them is read, because what is in the
 * message may not be aligned. */
static const void *array(hs_message *m, const void *given, size_t count, size_t size)
{
    if (m->out) {
        hs_buf_add(m->out, given, count * size);
        return given;
    }
    m->failed = m->failed || (m->length - m->at) / size < count;
    void *copy = m->failed ? NULL : hs_arena_alloc(m->arena, count, size);
    m->no_memory = m->no_memory || (!m->failed && !copy);
    m->failed = m->failed || !copy;
    if (copy)
        bytes(m, copy, count * size);
    return copy;
}

const char *hs_message_text(hs_message *m, const char *text)
{
    size_t length = (size_t)hs_message_u64(m, text ? strlen(text) + 1 : 0, m->length);
    text = array(m, text ? text : "", length, 1);
    m->failed = m->failed || length == 0 || text[length - 1] != '\0';
    return m->failed ? NULL : text;
}

hs_message hs_message_begin(hs_buf *out, enum hs_message_kind kind)
{
    hs_message message = {.out = out};
    out->length = 0;
    hs_message_u64(&message, kind, 0);
    return message;
}

static void number(hs_message *m, uint32_t *field, uint64_t limit)
{
    *field = (uint32_t)hs_message_u64(m, *field, limit);
}

void hs_message_unit(hs_message *m, const hs_study *study, uint32_t folds, hs_unit *unit)
{
    size_t known;
    if (!m->out)
        *unit = (hs_unit){0};
    unit->kind = (hs_unit_kind)hs_message_u64(m, unit->kind, HS_UNIT_KINDS - 1);
    const size_t of_kind[] = {study->selector_count, study->selector_count, study->draw_count,
                              study->auto_count};
    size_t selectors = of_kind[unit->kind];
    number(m, &unit->repeat, study->repeats - 1);
    number(m, &unit->fold, folds - 1);
    number(m, &unit->selector, selectors ? selectors - 1 : 0);
    m->failed = m->failed || (unit->kind != HS_UNIT_RANKS && !selectors);
    if (m->failed)
        return;
    hs_unit_methods(study, unit, &known);
    number(m, &unit->method_count, known);
    unit->methods = array(m, unit->methods, unit->method_count, sizeof *unit->methods);
    for (uint32_t i = 0; i < unit->method_count && !m->failed; i++)
        m->failed = unit->methods[i] >= known;
}

void hs_message_result(hs_message *m, const hs_study *study, const hs_unit *unit, hs_unit_result *r)
{
    size_t known;
    const hs_study_method *methods = hs_unit_methods(study, unit, &known);
    if (!m->out) {
        *r = (hs_unit_result){.job_count = unit->method_count,
                              .jobs = hs_arena_zero(m->arena, unit->method_count, sizeof *r->jobs)};
        m->no_memory = !r->jobs;
        m->failed = m->failed || !r->jobs;
    }
    number(m, &r->tested, HS_INSTANCES_LIMIT);
    number(m, &r->features, HS_FEATURES_LIMIT);
    number(m, &r->classes, HS_CLASSES_LIMIT);
    number(m, &r->width, UINT32_MAX);
    bytes(m, &r->select_seconds, sizeof r->select_seconds);
    if (hs_message_u64(m, r->instances != NULL, 1)) {
        r->instances = array(m, r->instances, r->tested, sizeof *r->instances);
        r->selected = array(m, r->selected, r->tested, sizeof *r->selected);
        r->frequency = array(m, r->frequency, r->features, sizeof *r->frequency);
        r->probed_length = (size_t)hs_message_u64(m, r->probed_length, SIZE_MAX);
        r->probed = array(m, r->probed, r->probed_length, 1);
    }
    const bool tests = unit->kind == HS_UNIT_TESTS || unit->kind == HS_UNIT_CHOOSES;
    size_t values = tests ? (size_t)r->tested * r->classes : r->width;
    size_t scores = (size_t)r->tested * hs_score_width(r->classes);
    for (size_t i = 0; i < r->job_count && !m->failed; i++) {
        hs_job_result *job = &r->jobs[i];
        job->method = hs_method_key(&methods[unit->methods[i]]);
        bytes(m, &job->seconds, sizeof job->seconds);
        if (!hs_message_u64(m, job->values != NULL, 1)) {
            job->message = hs_message_text(m, job->message);
            job->unfit = hs_message_u64(m, job->unfit, 1);
            continue;
        }
        job->values = array(m, job->values, values, sizeof *job->values);
        if (tests)
            job->score = array(m, job->score, scores, sizeof *job->score);
        number(m, &job->chosen, UINT32_MAX);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages between the processes of a cluster, as bytes: a kind, then numbers of eight bytes and
 * runs of bytes with their length before them. All processes are the same program on machines of
 * one kind, so numbers go as they lie in memory.
 */
#include <string.h>

#include "study/runner_parts.h"

/* ---- writing ---- */

void hs_message_begin(hs_buf *out, enum hs_message_kind kind)
{
    out->length = 0;
    hs_message_u64(out, kind);
}

void hs_message_u64(hs_buf *out, uint64_t value)
{
    hs_buf_add(out, (const char *)&value, sizeof value);
}

void hs_message_bytes(hs_buf *out, const void *bytes, size_t length)
{
    hs_message_u64(out, length);
    hs_buf_add(out, bytes ? bytes : "", length);
}

void hs_message_unit(hs_buf *out, const hs_unit *unit)
{
    hs_message_u64(out, unit->repeat);
    hs_message_u64(out, unit->fold);
    hs_message_u64(out, unit->selector);
    hs_message_bytes(out, unit->classifiers, unit->classifier_count * sizeof *unit->classifiers);
}

void hs_message_result(hs_buf *out, const hs_unit_result *result)
{
    bool there = result->instances != NULL;
    hs_message_u64(out, there);
    hs_message_u64(out, result->tested);
    hs_message_u64(out, result->classes);
    hs_message_bytes(out, result->instances,
                     there ? result->tested * sizeof *result->instances : 0);
    hs_message_bytes(out, result->selected, there ? result->tested * sizeof *result->selected : 0);
    hs_message_bytes(out, result->frequency,
                     there ? result->features * sizeof *result->frequency : 0);
    hs_buf_add(out, (const char *)&result->select_seconds, sizeof(double));
    for (size_t c = 0; c < result->classifier_count; c++) {
        const double *probability = result->probability[c];
        hs_buf_add(out, (const char *)&result->classify_seconds[c], sizeof(double));
        hs_message_u64(out, probability != NULL);
        if (probability) {
            hs_message_bytes(out, probability,
                             (size_t)result->tested * result->classes * sizeof *probability);
            if (result->score) /* not of a ranking */
                hs_message_bytes(out, result->score[c],
                                 (size_t)result->tested * hs_score_width(result->classes) *
                                     sizeof *probability);
        } else {
            hs_message_bytes(out, result->messages[c],
                             result->messages[c] ? strlen(result->messages[c]) + 1 : 0);
        }
    }
}

/* ---- reading ---- */

static void get(hs_message *in, void *out, size_t length)
{
    memset(out, 0, length);
    if (in->failed || in->length - in->at < length) {
        in->failed = true;
        return;
    }
    memcpy(out, in->bytes + in->at, length);
    in->at += length;
}

uint64_t hs_message_get_u64(hs_message *in, uint64_t limit)
{
    uint64_t value;
    get(in, &value, sizeof value);
    in->failed = in->failed || value > limit;
    return in->failed ? 0 : value;
}

/* A copy, because what is in the message may not be aligned. */
const void *hs_message_get_bytes(hs_message *in, size_t *length)
{
    *length = (size_t)hs_message_get_u64(in, in->length);
    void *bytes = in->failed ? NULL : hs_arena_alloc(in->arena, *length, 1);
    if (!bytes) {
        in->no_memory = in->no_memory || !in->failed;
        in->failed = true;
        *length = 0;
        return NULL;
    }
    get(in, bytes, *length);
    return bytes;
}

/* Exactly `count` elements of `size`. */
static const void *get_array(hs_message *in, size_t count, size_t size)
{
    size_t length;
    const void *bytes = hs_message_get_bytes(in, &length);
    in->failed = in->failed || length != count * size;
    return bytes;
}

void hs_message_get_unit(hs_message *in, const hs_study *study, uint32_t folds, hs_unit *out)
{
    size_t length;
    out->repeat = (uint32_t)hs_message_get_u64(in, study->repeats - 1);
    out->fold = (uint32_t)hs_message_get_u64(in, folds - 1);
    out->selector = (uint32_t)hs_message_get_u64(in, HS_UNIT_RANKS);
    bool ranks = out->selector == HS_UNIT_RANKS;
    size_t known = ranks ? study->ranker_count : study->classifier_count;
    in->failed = in->failed || (!ranks && out->selector >= study->selector_count);
    out->classifiers = hs_message_get_bytes(in, &length);
    out->classifier_count = (uint32_t)(length / sizeof *out->classifiers);
    for (uint32_t i = 0; i < out->classifier_count && !in->failed; i++)
        in->failed = out->classifiers[i] >= known;
}

void hs_message_get_result(hs_message *in, const hs_study *study, const hs_unit *unit,
                           hs_unit_result *out)
{
    bool ranks = unit->selector == HS_UNIT_RANKS;
    const hs_study_method *methods = ranks ? study->rankers : study->classifiers;
    hs_unit_slots slots;
    size_t length;
    if (!hs_unit_slots_new(in->arena, unit->classifier_count, &slots, out)) {
        in->failed = in->no_memory = true;
        return;
    }
    bool there = hs_message_get_u64(in, 1);
    out->tested = (uint32_t)hs_message_get_u64(in, HS_INSTANCES_LIMIT);
    out->classes = (uint32_t)hs_message_get_u64(in, ranks ? HS_FEATURES_LIMIT : HS_CLASSES_LIMIT);
    const uint32_t *instances = get_array(in, there ? out->tested : 0, sizeof *instances);
    out->selected = get_array(in, there ? out->tested : 0, sizeof *out->selected);
    out->frequency = hs_message_get_bytes(in, &length);
    out->features = (uint32_t)(length / sizeof *out->frequency);
    out->instances = there ? instances : NULL;
    get(in, &out->select_seconds, sizeof(double));
    size_t cells = (size_t)out->tested * out->classes;
    size_t scores = (size_t)out->tested * hs_score_width(out->classes);
    for (size_t c = 0; c < unit->classifier_count && !in->failed; c++) {
        slots.classifiers[c] = methods[unit->classifiers[c]].text;
        get(in, &slots.seconds[c], sizeof(double));
        if (hs_message_get_u64(in, 1)) {
            slots.probability[c] = get_array(in, cells, sizeof(double));
            if (!ranks)
                slots.score[c] = get_array(in, scores, sizeof(double));
        } else {
            slots.messages[c] = hs_message_get_bytes(in, &length);
            in->failed = in->failed || length == 0 || slots.messages[c][length - 1] != '\0';
        }
    }
    in->failed = in->failed || in->at != in->length;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Passing progress on, and the clock for it. Notes, kept in the order of their texts: there are few
 * of them, so they are searched one by one.
 */
#define _POSIX_C_SOURCE 200809L
#include "core/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/mem.h"

int hs_progress_report(const hs_progress *progress, uint64_t done, uint64_t total, const char *what,
                       hsel_error *error)
{
    if (!progress || !progress->report ||
        progress->report(progress->context, done, total, what) == 0)
        return HSEL_OK;
    return hs_fail(error, HSEL_ECANCELLED, "stopped");
}

double hs_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct hs_counted_note {
    char method[40], text[160];
    uint64_t met, all;
};

int hs_notes_count(hs_notes *notes, const char *method, const char *text, bool met,
                   hsel_error *error)
{
    struct hs_counted_note wanted = {.met = met, .all = 1};
    size_t i = 0;
    int order = 1, status = HSEL_OK;
    if (!notes)
        return HSEL_OK;
    snprintf(wanted.method, sizeof wanted.method, "%s", method);
    snprintf(wanted.text, sizeof wanted.text, "%s", text);
    pthread_mutex_lock(&notes->lock);
    for (; i < notes->count; i++) {
        order = strcmp(notes->items[i].method, wanted.method);
        order = order ? order : strcmp(notes->items[i].text, wanted.text);
        if (order >= 0)
            break;
    }
    if (i < notes->count && order == 0) {
        notes->items[i].met += met;
        notes->items[i].all++;
    } else if (HS_GROW(&notes->items, &notes->capacity, notes->count + 1)) {
        memmove(notes->items + i + 1, notes->items + i, (notes->count - i) * sizeof wanted);
        notes->items[i] = wanted;
        notes->count++;
    } else {
        status = hs_fail_memory(error);
    }
    pthread_mutex_unlock(&notes->lock);
    return status;
}

void hs_notes_tell(hs_notes *notes, void (*tell)(void *context, const char *line), void *context)
{
    for (size_t i = 0; i < notes->count; i++) {
        const struct hs_counted_note *note = &notes->items[i];
        char line[256];
        snprintf(line, sizeof line, "%s: %" PRIu64 " of %" PRIu64 " %s", note->method, note->met,
                 note->all, note->text);
        if (note->met)
            tell(context, line);
    }
}

void hs_notes_clear(hs_notes *notes)
{
    hs_free(notes->items);
    notes->items = NULL;
    notes->count = notes->capacity = 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Passing progress on, and the clock for it. Notes, kept in the order of their texts: there are few
 * of them, so they are searched one by one.
 */
#define _POSIX_C_SOURCE 200809L
#include "core/core.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <time.h>

int hs_progress_report(const hs_progress *progress, uint64_t done, uint64_t total, const char *what,
                       hsel_error *error)
{
    if (!progress || !progress->report ||
        progress->report(progress->context, done, total, what) == 0)
        return HSEL_OK;
    return hs_fail(error, HSEL_ECANCELLED, "stopped");
}

int hs_progress_ask(const hs_progress *progress, hsel_error *error)
{
    return hs_progress_report(progress, 0, 0, "", error);
}

static int report_asking(void *context, uint64_t done, uint64_t total, const char *what)
{
    (void)done, (void)total, (void)what;
    return hs_progress_ask(context, NULL);
}

hs_progress hs_progress_asking(const hs_progress *progress)
{
    return (hs_progress){.report = report_asking, .context = (void *)(uintptr_t)progress};
}

#define MILLION 1000000u

static int report_part(void *context, uint64_t done, uint64_t total, const char *what)
{
    hs_progress_part *part = context;
    hs_progress_parts *of = part->of;
    double share = total ? (double)done / (double)total : 0;
    uint64_t now = (uint64_t)(MILLION * (share < 1 ? share : 1)), before = atomic_load(&part->told);
    while (before < now && !atomic_compare_exchange_weak(&part->told, &before, now))
        ;
    if (before < now)
        atomic_fetch_add(&of->done, now - before);
    if (!of->whole || !of->whole->report)
        return 0;
    char both[200];
    if (part->what && *what) {
        snprintf(both, sizeof both, "%s: %s", part->what, what);
        what = both;
    } else if (part->what) {
        what = part->what;
    }
    return of->whole->report(of->whole->context, atomic_load(&of->done), of->count * MILLION, what);
}

void hs_progress_part_begin(hs_progress_part *part, hs_progress_parts *of, const char *what)
{
    *part = (hs_progress_part){.progress = {.report = report_part,
                                            .context = part,
                                            .notes = of->whole ? of->whole->notes : NULL},
                               .of = of,
                               .what = what};
}

int hs_progress_part_end(hs_progress_part *part, hsel_error *error)
{
    return hs_progress_report(&part->progress, 1, 1, "", error);
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

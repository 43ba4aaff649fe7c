/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The handshake of the flat surface, watching, and the registry as text.
 */
#include <string.h>

#include "core/mem.h"
#include "evaluate/flat_parts.h"
#include "evaluate/methods_json.h"

#define REPORT_EVERY 0.05 /* seconds */

uint32_t hsel_flat_version(void) { return HSEL_FLAT_VERSION; }

size_t hsel_flat_sizeof(const char *name)
{
    static const struct {
        const char *name;
        size_t size;
    } structs[] = {{"hsel_error", sizeof(hsel_error)},
                   {"hsel_watch", sizeof(hsel_watch)},
                   {"hsel_arrays", sizeof(hsel_arrays)},
                   {"hsel_evaluation", sizeof(hsel_evaluation)},
                   {"hsel_crossval_request", sizeof(hsel_crossval_request)},
                   {"hsel_crossval_arrays", sizeof(hsel_crossval_arrays)},
                   {"hsel_compare_request", sizeof(hsel_compare_request)}};
    for (size_t i = 0; i < sizeof structs / sizeof structs[0]; i++)
        if (strcmp(structs[i].name, name) == 0)
            return structs[i].size;
    return 0;
}

void hsel_free(void *memory) { hs_free(memory); }

int hsel_methods_json(char **json, hsel_error *error)
{
    hs_buf text = {0};
    hs_writer *out = NULL;
    hs_error_clear(error);
    int status = hs_writer_open_memory(&text, &out, error);
    if (status == HSEL_OK)
        status = hs_methods_json(out, -1, error);
    if (status == HSEL_OK)
        status = hs_writer_commit(out, error);
    else
        hs_writer_abandon(out);
    if (status)
        hs_buf_clear(&text);
    else
        *json = text.text;
    return status;
}

/* ---- watching ---- */

static int pass_on(void *context, uint64_t done, uint64_t total, const char *what)
{
    hs_watcher *watcher = context;
    const hsel_watch *watch = watcher->watch;
    if (atomic_load_explicit(&watcher->stopped, memory_order_relaxed))
        return 1;
    if (!watch->report || !pthread_equal(watcher->caller, pthread_self()))
        return 0;
    double at = hs_now();
    if (at < watcher->next)
        return 0;
    watcher->next = at + REPORT_EVERY;
    if (watch->report(watch->context, done, total, what) == 0)
        return 0;
    atomic_store_explicit(&watcher->stopped, true, memory_order_relaxed);
    return 1;
}

const hs_progress *hs_watcher_init(hs_watcher *watcher, const hsel_watch *watch)
{
    watcher->notes = (hs_notes)HS_NOTES;
    watcher->watch = watch;
    if (!watch || (!watch->report && !watch->note))
        return NULL;
    watcher->progress = (hs_progress){pass_on, watcher, watch->note ? &watcher->notes : NULL};
    watcher->caller = pthread_self();
    watcher->next = hs_now() + REPORT_EVERY;
    atomic_init(&watcher->stopped, false);
    return &watcher->progress;
}

void hs_watcher_end(hs_watcher *watcher)
{
    if (watcher->watch && watcher->watch->note)
        hs_notes_tell(&watcher->notes, watcher->watch->note, watcher->watch->context);
    hs_notes_clear(&watcher->notes);
}
